//! What to do about a table that is missing: the command that makes it, and what that takes; or,
//! where this machine cannot make it, what it can make.

use std::path::Path;

use oware_db::game::{Rules, Seeds};
use oware_db::probe::Tables;

use super::forecast::{Forecast, absent};
use super::means::Means;
use super::report::quoted;
use super::wanted::Wanted;

/// Says how to make the table of a layer, if that can be said.
pub fn remedy(dir: &Path, rules: &str, seeds: usize) -> Option<String> {
    let (rules, seeds) = (Rules::by_id(rules)?, Seeds::new(seeds)?);
    let wanted = Wanted { rules, strategies: true, game: None, ranks: None };
    let present = Tables::open_early(dir).and_then(|tables| tables.available(rules)).ok()?;
    let means = Means::of(None, dir).ok()?;
    let missing: Vec<Seeds> = absent(&present, seeds).collect();
    let command = |seeds: String| {
        format!("`oware build --rules {} --seeds {seeds} --tables {}`", rules.id, quoted(dir))
    };
    if let Ok(forecast) = Forecast::of(wanted, &missing, means) {
        let needs = forecast.measured().briefly();
        return Some(format!("{} builds it ({needs})", command(seeds.to_string())));
    }
    Some(match Forecast::possible(wanted, &present, means) {
        Some(most) => format!(
            "this machine can build tables of up to {most} seeds: {}",
            command("max".to_owned())
        ),
        None => "memory and disk of this machine do not suffice for a single layer".to_owned(),
    })
}
