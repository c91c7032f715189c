//! Explanations for people: of scores that stay open, and of moves that are not certified.

use crate::game::{Endless, Interval, Repetition, Rules, Seeds};

/// Returns the footnote of moves that are not certified.
pub fn not_certified(rules: &Rules) -> &'static str {
    match rules.endless {
        Endless::OwnSide(_) => {
            "  * not certified: later play may repeat a position from before this move, and\n    \
             the result can then fall below the lower bound shown. The upper bound\n    \
             still holds.\n"
        }
        Endless::EvenSplit | Endless::Drawn => {
            "  * not certified: the move keeps the score, but later play may return to this\n    \
             position.\n"
        }
    }
}

/// Returns what an open score means, in one line.
pub fn meaning(rules: &Rules, Interval { low, high }: Interval) -> String {
    match rules.endless {
        Endless::OwnSide(Repetition::First | Repetition::FirstOfAny) => format!(
            "The first repetition decides, and its outcome is not known yet: \
             the mover gets at least {low:+} and at most {high:+}.\n"
        ),
        Endless::Drawn => format!(
            "Play can cycle for ever from here, which draws the game: a mover who is ahead by more \
             than {} wins, one who is ahead by less than {} loses.\n",
            -low.get(),
            -high.get()
        ),
        Endless::EvenSplit | Endless::OwnSide(_) => format!(
            "Play can cycle for ever from here, and the score depends on where the cycle is cut: \
             in every case the mover gets at least {low:+} and at most {high:+}.\n"
        ),
    }
}

/// Returns why the winner of a game is unknown of `game` seeds from a position that has `total` of
/// them.
pub fn misfit(total: usize, game: Seeds) -> String {
    format!("the board and the stores hold {total} seeds, but a game has {game}")
}

/// Returns why a position is worth something else than the best of what its moves lead to.
pub fn history(score: Interval) -> String {
    format!(
        "The scores of the moves assume a fresh history. After a move from here, a return to this \
         position ends the game, so this position is worth {score}.\n"
    )
}

/// Returns why a sheet's scores are what they are, and what a table leaves out that tells them apart
/// up to `clamp` alone.
pub fn explanation(rules: &Rules, clamp: Option<i8>) -> String {
    let clamped = |end: i8| {
        format!(
            "But this table is clamped: it distinguishes scores from {:+} to {end:+}, which\n\
             decides its games, and of a score beyond them it has bounds.\n",
            -end
        )
    };
    reason(rules).to_owned() + &clamp.map_or_else(String::new, clamped)
}

/// Returns why a sheet's scores are what they are, in a short paragraph.
pub fn reason(rules: &Rules) -> &'static str {
    match rules.endless {
        Endless::EvenSplit => EVEN_SPLIT,
        Endless::OwnSide(Repetition::First) => FIRST,
        Endless::OwnSide(Repetition::FirstOfAny) => FIRST_OF_ANY,
        Endless::OwnSide(Repetition::Agreed) => AGREED,
        Endless::Drawn => DRAWN,
    }
}

const EVEN_SPLIT: &str = "\
A cycle that goes on for ever counts as an even split, 0 for both players, so
every score is one number.
";

const DRAWN: &str = "\
A game that cycles for ever is drawn, whatever was captured before. A score has
two bounds: the lower one counts the seeds left in a cycle for the opponent, the
upper one counts them for the mover. A mover who has captured d seeds more than
the opponent wins if d plus the lower bound is above 0, loses if d plus the
upper bound is below 0, and draws otherwise. `>` marks the moves that are
certified to achieve the lower bound.
";

const FIRST: &str = "\
The first position that repeats while both rows hold seeds ends the game, and
each player keeps the seeds in their own row, as tournament rules say. Every
score is one number, exact if each cycle is cut at its first repetition (in
everything computed so far, the third repetition gives the same). It assumes a
fresh history: no move since the last capture, or since the position was set up.
Where the bounds that hold for every cut differ, a search has found the score,
and `check --proof` verifies it by playing it out. Not covered are limits on the
number of moves, an end agreed before a cycle is closed (sheet `abapa-agreed`),
a repetition with an empty row that ends the game (sheet `abapa-every`: Aual\u{e9},
Aalina, OpenSpiel), and rules that treat a board as the same regardless of who
is to move. A capture keeps its score as shown. A quiet move is sure to achieve
its score only if it is certified, that is, if it belongs to the strategy that
the tables store. `>` marks the moves that are certified and best.
";

const FIRST_OF_ANY: &str = "\
The first position that repeats ends the game, even one with an empty row, and
each player keeps the seeds in their own row, as Aual\u{e9}, Aalina and OpenSpiel
play. One number is exact: either the bounds that hold for every cut agree, or a
search has found the score, and `check --proof` verifies it by playing it out.
Where there are two numbers, the score lies between them and is not known yet.
All this assumes a fresh history: no move since the last capture, or since the
position was set up. A capture keeps its score as shown. A quiet move is sure to
achieve its lower bound only if it is certified, that is, if it belongs to the
strategy that the tables store. `>` marks the moves that are certified and best.
";

const AGREED: &str = "\
The players end a game that repeats itself, and each keeps the seeds in their
own row. How many those are depends on where the cycle is cut. The lower bound
of a score is what the mover gets if the opponent chooses the moment, the upper
bound if the mover does. The mover is sure of the lower bound, and the opponent
concedes at most the upper bound, wherever the cut is: when a position occurs
again for the first time, for the third time, or at any moment of a closed
cycle. One number means that the moment does not matter. All this assumes a
fresh history: no move since the last capture, or since the position was set up.
Not covered are limits on the number of moves, an end agreed before a cycle is
closed, and rules that treat a board as the same regardless of who is to move. A
capture keeps its score as shown. A quiet move keeps its upper bound too, but
its lower bound only if the move is certified, that is, if it belongs to the
strategy that the tables store, which ensures that no cycle closes at a loss.
`>` marks the moves that are certified and best.
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ABAPA, ABAPA_AGREED, ABAPA_EVERY, AWARI, Score};

    #[test]
    fn meanings_name_both_ends() {
        let text = meaning(&ABAPA_AGREED, Interval { low: Score::new(-1), high: Score::new(3) });
        assert!(
            text.ends_with("at least -1 and at most +3.\n") && text.lines().count() == 1,
            "{text}"
        );
    }

    #[test]
    fn reasons_follow_the_sheet() {
        let agreed =
            "own row|third time|fresh history|Not covered|number of moves|agreed|certified";
        let first = "first repetition|fresh history|Not covered|Aual\u{e9}|certified";
        for (rules, parts) in [
            (&ABAPA_AGREED, agreed),
            (&ABAPA, first),
            (&ABAPA_EVERY, "OpenSpiel play."),
            (&AWARI, "even split"),
        ] {
            let reason = reason(rules).replace('\n', " ");
            for part in parts.split('|') {
                assert!(reason.contains(part), "{part}");
            }
        }
        assert!(!reason(&AWARI).contains("certified"));
    }
}
