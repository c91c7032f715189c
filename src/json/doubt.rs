//! Explanations for people: of scores that stay open, and of moves that are not certified.

use crate::game::{Endless, Interval, Rules};

/// Returns the footnote of moves that are not certified.
pub fn not_certified(rules: &Rules) -> &'static str {
    match rules.endless {
        Endless::OwnSide(_) => {
            "  * not certified: after a quiet move the cycle may close on an earlier position,\n    \
             and the move may then bring less than the lower end shown; the upper end holds.\n"
        }
        Endless::EvenSplit => {
            "  * not certified: the move keeps the score, but play may come back to where it was.\n"
        }
    }
}

/// Returns what an open score means, in one line.
pub fn meaning(Interval { low, high }: Interval) -> String {
    format!(
        "Play can go round for ever from here, and where the cycle is cut decides: \
         whatever the moment, the mover gets at least {low:+} and at most {high:+}.\n"
    )
}

/// Returns why a sheet's scores are what they are, in a short paragraph.
pub fn reason(rules: &Rules) -> &'static str {
    match rules.endless {
        Endless::OwnSide(_) => OWN_SIDE,
        Endless::EvenSplit => EVEN_SPLIT,
    }
}

const EVEN_SPLIT: &str = "\
Play that goes round for ever counts as an even split, 0 for both, so every score is one number.
";

const OWN_SIDE: &str = "\
A game that repeats itself is ended, and each player keeps the seeds in their own row. How
many those are depends on where the cycle is cut. The lower end of a score is what the mover
secures and the upper end what the opponent concedes at most, wherever that is: when a position
comes up for the first time again, for the third time, or at any moment of a cycle that has been
closed. One number means that the moment does not matter. All this is for a fresh history: nothing
has been played since the last capture, or the position was set up. Not covered are limits on the
number of moves, an end agreed on before a cycle is closed, and rules that call a board the same
regardless of who is to move. A capture keeps its score as shown. A quiet move's upper end holds as
well, but its lower end only if the move is certified: if it belongs to the strategy that the tables
store, which makes sure that no cycle closes at a loss. `>` marks the moves that are certified and
best.
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ABAPA, AWARI, Score};

    #[test]
    fn meanings_name_both_ends() {
        let text = meaning(Interval { low: Score::new(-1), high: Score::new(3) });
        assert!(
            text.ends_with("at least -1 and at most +3.\n") && text.lines().count() == 1,
            "{text}"
        );
    }

    #[test]
    fn reasons_follow_the_sheet() {
        for part in [
            "own row",
            "third time",
            "fresh history",
            "Not covered",
            "number of\nmoves",
            "agreed",
            "certified",
        ] {
            assert!(reason(&ABAPA).replace('\n', " ").contains(&part.replace('\n', " ")), "{part}");
        }
        assert!(reason(&AWARI).contains("even split") && !reason(&AWARI).contains("certified"));
    }
}
