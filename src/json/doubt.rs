//! Explanations for people: of scores that stay open, and of moves that are not certified.

use crate::game::{Endless, Interval, Repetition, Rules, Seeds};

/// Returns the footnote of moves that are not certified.
pub fn not_certified(rules: &Rules) -> &'static str {
    match rules.endless {
        Endless::OwnSide(_) => {
            "  * not certified: after a quiet move the cycle may close on an earlier\n    \
             position, and the move may then bring less than the lower end shown; the\n    \
             upper end holds.\n"
        }
        Endless::EvenSplit | Endless::Drawn => {
            "  * not certified: the move keeps the score, but play may come back to where it\n    \
             was.\n"
        }
    }
}

/// Returns what an open score means, in one line.
pub fn meaning(rules: &Rules, Interval { low, high }: Interval) -> String {
    match rules.endless {
        Endless::OwnSide(Repetition::First | Repetition::FirstOfAny) => format!(
            "The first repetition decides, and nobody has found out yet how: \
             the mover gets at least {low:+} and at most {high:+}.\n"
        ),
        Endless::Drawn => format!(
            "Play can go round for ever from here, and draw the game: a mover who is ahead by more \
             than {} wins, one who is ahead by less than {} loses.\n",
            -low.get(),
            -high.get()
        ),
        Endless::EvenSplit | Endless::OwnSide(_) => format!(
            "Play can go round for ever from here, and where the cycle is cut decides: \
             whatever the moment, the mover gets at least {low:+} and at most {high:+}.\n"
        ),
    }
}

/// Returns why nobody can say who wins a game of `game` seeds from a position that has `total` of
/// them.
pub fn misfit(total: usize, game: Seeds) -> String {
    format!("the board and the stores hold {total} seeds, and a game has {game}")
}

/// Returns why a position is worth something else than the best of what its moves lead to.
pub fn history(score: Interval) -> String {
    format!(
        "The moves' scores are for a fresh history, which after a move from here it is not: \
         to come back here ends the game, and makes this position worth {score}.\n"
    )
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
Play that goes round for ever counts as an even split, 0 for both, so every
score is one number.
";

const DRAWN: &str = "\
A game that goes round for ever is drawn, whatever was captured before. A score
has two ends: the lower one is what the mover gets more than the opponent if all
that is left when play goes round were the opponent's, the upper one if it were
the mover's. A mover who has captured d seeds more than the opponent wins if d
and the lower end make more than 0, loses if d and the upper end make less, and
draws otherwise. `>` marks the moves that are certified to bring the lower end.
";

const FIRST: &str = "\
The first position that comes back while both rows hold seeds ends the game, and
each player keeps the seeds in their own row, as tournament rules have it. Every
score is one number, exact if each cycle is cut at its first repetition (in all
that has been computed it is the same at the third). It is for a fresh history:
nothing has been played since the last capture, or the position was set up.
Where bounds that hold wherever a cycle is cut differ, a search has settled the
score, and `check --proof` plays it out. Not covered are limits on the number of
moves, an end agreed on before a cycle is closed (sheet `abapa-agreed`), a
repetition with an empty row that ends the game (sheet `abapa-every`: Aual\u{e9},
Aalina, OpenSpiel), and rules that call a board the same regardless of who is to
move. A capture keeps its score as shown. A quiet move is sure to bring its
score only if it is certified: if it belongs to the strategy that the tables
store. `>` marks the moves that are certified and best.
";

const FIRST_OF_ANY: &str = "\
The first position that comes back ends the game, also one with an empty row,
and each player keeps the seeds in their own row: Aual\u{e9}, Aalina and OpenSpiel
play so. One number is exact: bounds that hold wherever a cycle is cut agree, or
a search has settled the score, and `check --proof` plays it out. Where there
are two numbers the score lies between them, and nobody has found out yet where.
All this is for a fresh history: nothing has been played since the last capture,
or the position was set up. A capture keeps its score as shown. A quiet move is
sure to bring its lower end only if it is certified: if it belongs to the
strategy that the tables store. `>` marks the moves that are certified and best.
";

const AGREED: &str = "\
The players end a game that repeats itself, and each keeps the seeds in their
own row. How many those are depends on where the cycle is cut. The lower end of
a score is what the mover gets if the opponent chooses the moment, the upper end
if the mover does. The lower end is what the mover secures and the upper end
what the opponent concedes at most, wherever that is: when a position comes up
for the first time again, for the third time, or at any moment of a cycle that
has been closed. One number means that the moment does not matter. All this is
for a fresh history: nothing has been played since the last capture, or the
position was set up. Not covered are limits on the number of moves, an end
agreed on before a cycle is closed, and rules that call a board the same
regardless of who is to move. A capture keeps its score as shown. A quiet move's
upper end holds as well, but its lower end only if the move is certified: if it
belongs to the strategy that the tables store, which makes sure that no cycle
closes at a loss. `>` marks the moves that are certified and best.
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
        for part in [
            "own row",
            "third time",
            "fresh history",
            "Not covered",
            "number of\nmoves",
            "agreed",
            "certified",
        ] {
            assert!(
                reason(&ABAPA_AGREED).replace('\n', " ").contains(&part.replace('\n', " ")),
                "{part}"
            );
        }
        for part in ["first repetition", "fresh history", "Not covered", "Auali", "certified"] {
            let part = part.replace("Auali", "Aual\u{e9}");
            assert!(reason(&ABAPA).replace('\n', " ").contains(&part), "{part}");
        }
        assert!(reason(&ABAPA_EVERY).replace('\n', " ").contains("OpenSpiel play so"));
        assert!(reason(&AWARI).contains("even split") && !reason(&AWARI).contains("certified"));
    }
}
