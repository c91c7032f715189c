//! Ranks compare what they go by ([`Terms`]): each says it in a form that does not depend on it, a
//! length, lowest byte first, and lines of text. Rank 0 compares, and says what is different.

use std::fmt::{self, Display};

use super::terms::Terms;
use super::transport::{Purpose, Team, from_bytes, to_bytes};
use crate::error::{Error, Result};

/// Bytes of terms at most; a rank that claims to send more is another program.
const MOST: u64 = 1 << 16;

impl Terms {
    /// Makes sure that all ranks go by the same.
    ///
    /// # Errors
    /// On all ranks the same [`Error::RanksDiffer`], which names the first rank with a difference; and
    /// [`Error::RankLost`].
    pub fn agree(&self, team: &Team) -> Result<()> {
        let mut verdict = None;
        team.session(|talk| {
            if !team.leads() {
                let text = self.to_string().into_bytes();
                talk.send(0, to_bytes(&[text.len() as u64]), Purpose::Control)?;
                return talk.send(0, text, Purpose::Control);
            }
            for rank in team.others() {
                let length = from_bytes(&talk.receive(rank, size_of::<u64>())?)[0];
                let theirs = match length {
                    ..=MOST => Terms::of(&talk.receive(rank, length as usize)?),
                    _ => Terms::default(),
                };
                verdict = verdict.take().or_else(|| self.difference(rank, &theirs));
            }
            Ok(())
        })?;
        tell(team, verdict)
    }

    /// Reads what another rank goes by.
    fn of(bytes: &[u8]) -> Terms {
        let text = String::from_utf8_lossy(bytes);
        let terms = text.lines().filter_map(|line| line.split_once('\t'));
        Terms(terms.map(|(what, value)| (what.to_owned(), value.to_owned())).collect())
    }

    /// The first difference from what another rank goes by.
    fn difference(&self, rank: usize, theirs: &Terms) -> Option<Error> {
        let value = |terms: &Terms, what: &str| {
            let found = terms.0.iter().find(|(name, _)| name == what);
            found.map_or("unknown".to_owned(), |(_, value)| value.clone())
        };
        let mut names = self.0.iter().chain(&theirs.0).map(|(name, _)| name);
        let what = names.find(|name| value(self, name) != value(theirs, name))?;
        let (there, here) = (value(theirs, what), value(self, what));
        Some(Error::RanksDiffer { rank, what: what.clone(), there, here })
    }
}

impl Display for Terms {
    /// Writes a line for each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(what, value)| writeln!(f, "{what}\t{value}"))
    }
}

/// Lets all ranks know what rank 0 has found: nothing, or words that are not the same.
fn tell(team: &Team, verdict: Option<Error>) -> Result<()> {
    let mut text = match verdict {
        Some(Error::RanksDiffer { rank, what, there, here }) => {
            format!("{rank}\t{what}\t{there}\t{here}").into_bytes()
        }
        _ => Vec::new(),
    };
    let length = team.hear(&to_bytes(&[text.len() as u64]), Purpose::Control)?;
    // Others have not got the text, but know how long it is.
    text.resize(from_bytes(&length)[0] as usize, 0);
    let said = team.hear(&text, Purpose::Control)?;
    let text = String::from_utf8_lossy(&said);
    let mut parts = text.split('\t').map(str::to_owned);
    let mut part = || parts.next().unwrap_or_default();
    let Ok(rank) = part().parse() else { return Ok(()) };
    Err(Error::RanksDiffer { rank, what: part(), there: part(), here: part() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ABAPA, AWARI};
    use crate::solver::tests::threads::on_ranks;

    fn all(terms: &[Terms]) -> Vec<Result<()>> {
        on_ranks(terms, |team, terms| terms.agree(team))
    }

    #[test]
    fn ranks_with_the_same_terms_agree() {
        for ranks in 1..=4 {
            let terms = vec![Terms::new(&ABAPA, true).with("--level", 3); ranks];
            assert!(all(&terms).iter().all(Result::is_ok));
        }
    }

    #[test]
    fn a_rank_that_differs_is_named_on_all_ranks() {
        let usual = || Terms::new(&ABAPA, true).with("--level", 3);
        let others = [
            (
                Terms::new(&ABAPA, true).with("--level", 5),
                "MPI process 2 has --level 5, but process 0 has 3",
            ),
            (Terms::new(&AWARI, true), "MPI process 2 has rules awari, but process 0 has abapa"),
            (
                Terms::new(&ABAPA, false),
                "MPI process 2 has strategies left out, but process 0 has kept",
            ),
            (Terms::new(&ABAPA, true), "MPI process 2 has --level unknown, but process 0 has 3"),
            (usual().with("--new", 1), "MPI process 2 has --new 1, but process 0 has unknown"),
            (
                Terms::new(&ABAPA, true).with("--level", "3\n4"),
                "MPI process 2 has --level 3\\n4, but process 0 has 3",
            ),
        ];
        for (other, sentence) in others {
            let found = all(&[usual(), usual(), other]);
            for rank in &found {
                let error = rank.as_ref().unwrap_err();
                assert_eq!(error.facts(), sentence);
                assert!(error.to_string().contains("same options"), "{error}");
            }
            assert_eq!(found.len(), 3);
        }
    }

    #[test]
    fn what_is_no_text_is_another_program() {
        let own = Terms::new(&ABAPA, true);
        for bytes in [&b"\xff\xfe\x00"[..], b"", b"version 0.1.0\n"] {
            let difference = own.difference(1, &Terms::of(bytes)).unwrap();
            assert!(
                difference.facts().starts_with("MPI process 1 has version unknown"),
                "{difference}"
            );
        }
    }
}
