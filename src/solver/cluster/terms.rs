//! What ranks have to have in common before they begin.
//!
//! Ranks run the same program over the same layer, so each knows at every step who sends what to
//! whom. If one goes by something else, they would wait for each other for ever, or take bytes for
//! what they are not. So they compare what they go by before the first layer (`agreement`), and what
//! they have come to after each.

use std::fmt::Display;

use xxhash_rust::xxh3::xxh3_64;

use super::tail::TAIL;
use super::transport::{Purpose, Team};
use crate::error::{Error, Result};
use crate::game::Seeds;
use crate::game::rules::Rules;
use crate::layer::blocks::PANEL;
use crate::layer::line::LINE;

/// What a rank goes by: names, and what each is to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms(pub(super) Vec<(String, String)>);

impl Terms {
    /// What all layers of a sheet depend on: the version of this program, its byte order, constants,
    /// the rules, and whether strategies are kept.
    pub fn new(rules: &Rules, strategies: bool) -> Terms {
        let order = if cfg!(target_endian = "little") { "little-endian" } else { "big-endian" };
        let constants = format!("{rules:?} {LINE} {PANEL} {TAIL} {}", Seeds::MAX);
        Terms::default()
            .with("version", env!("CARGO_PKG_VERSION"))
            .with("byte order", order)
            .with("rules", rules.id)
            .with("constants", format_args!("{:016x}", xxh3_64(constants.as_bytes())))
            .with("strategies", if strategies { "kept" } else { "left out" })
    }

    /// Returns the terms with another one. Tabs and line breaks part terms, so they are escaped.
    pub fn with(mut self, what: &str, value: impl Display) -> Terms {
        let escaped = |text: &str| text.escape_debug().to_string();
        self.0.push((escaped(what), escaped(&value.to_string())));
        self
    }
}

/// Makes sure that all ranks have come to the same in a layer, as far as they all know it: each has a
/// sum of that.
///
/// # Errors
/// On all ranks the same [`Error::RanksDisagree`], which names the first rank with another sum; and
/// [`Error::RankLost`].
pub fn agree_on(team: &Team, seeds: Seeds, sum: u64) -> Result<()> {
    let sums = team.collect(vec![sum], Purpose::Control)?;
    let other = sums.iter().position(|&other| other != sums[0]);
    other.map_or(Ok(()), |rank| Err(Error::RanksDisagree { rank, seeds: seeds.get() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::tests::threads::on_ranks;

    #[test]
    fn a_sum_that_differs_is_named_on_all_ranks() {
        let seeds = Seeds::new(7).unwrap();
        let found = |sums: [u64; 3]| on_ranks(&sums, |team, &sum| agree_on(team, seeds, sum));
        assert!(found([9, 9, 9]).iter().all(Result::is_ok));
        for rank in found([9, 9, 8]) {
            assert!(matches!(rank, Err(Error::RanksDisagree { rank: 2, seeds: 7 })));
        }
    }
}
