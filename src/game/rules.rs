//! The rule sheets: every game of the family as one plain value.
//!
//! All of them share the board, the sowing from house to house and the harvest of twos and threes
//! that the last seed completes in the opponent's row. They differ on five axes, one enum each.
//! A sheet spells every axis; the code that an axis governs is one exhaustive `match` in
//! [`crate::game::legal_moves`] (or, for endless play, in [`crate::solver`]).
//!
//! What an *endless* play is worth is part of what a table's numbers mean, so it stands here and
//! in the header of every table file.

use crate::game::board::Board;
use crate::game::score::Score;

/// Whether a sowing of twelve seeds or more drops one into the house it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Origin {
    /// The origin is passed over on every lap and stays empty.
    Skipped,
    /// The origin gets a seed like any other house.
    Sown,
}

/// What happens when a harvest would leave the opponent without a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum GrandSlam {
    /// The move is legal, nothing is harvested, the sown seeds stay.
    CapturesNothing,
    /// The move is legal and everything hit is harvested.
    Captures,
    /// No move may leave the opponent without seeds while another move exists; if all do, all are
    /// legal and the harvest counts.
    IllegalUnlessForced,
}

/// What a player owes an opponent who has no seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Feeding {
    /// Only moves that sow into the opponent's row are legal (looked at before any harvest); if
    /// there are none the game is over.
    MustFeed,
    /// Nothing.
    Free,
}

/// Which houses a hit empties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Harvest {
    /// The hit houses themselves: the last one sown and those before it, while they hold 2 or 3.
    LastHouses,
    /// The houses opposite to the hit ones, which are the mover's own. The hit houses keep their
    /// seeds, and nothing may be harvested at all.
    Opposite,
}

/// What the seeds left on the board are worth when play cycles for ever.
///
/// As JSON it is a field `endless` and, where rows count, another one `repetition`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "snake_case", tag = "endless", content = "repetition")
)]
pub enum Endless {
    /// Half each: score 0, also for an odd number of seeds.
    EvenSplit,
    /// Each player keeps their own row, at the moment the cycle is cut.
    OwnSide(Repetition),
    /// The game is drawn, whatever was captured before.
    ///
    /// What that is worth in seeds depends on the captures, which no table knows. So a table holds
    /// two numbers: the score if endless play gave all that is left to the opponent, and the score
    /// if it gave all to the mover. A mover who leads by `d` wins if `d + low` is more than 0, loses
    /// if `d + high` is less, and draws otherwise.
    Drawn,
}

/// Which repetition ends a game that cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Repetition {
    /// The first position that recurs while both rows hold seeds: every position has one
    /// score.
    First,
    /// The first position that recurs, also one with an empty row.
    FirstOfAny,
    /// Any position of the cycle at which both rows hold seeds, as the players agree: scores are
    /// intervals that hold wherever the cycle is cut.
    Agreed,
}

impl Endless {
    /// Returns whether a search settles the scores that are left open by bounds which hold wherever
    /// a cycle is cut. They are, as far as moves that depend on the position alone show them.
    pub fn is_settled(self) -> bool {
        match self {
            Endless::OwnSide(Repetition::First | Repetition::FirstOfAny) => true,
            Endless::OwnSide(Repetition::Agreed) | Endless::EvenSplit | Endless::Drawn => false,
        }
    }
}

impl Repetition {
    /// Returns whether a repetition of `board` can end the game.
    pub fn counts(self, board: &Board) -> bool {
        match self {
            Repetition::First | Repetition::Agreed => {
                !board.mover.is_empty() && !board.opponent.is_empty()
            }
            Repetition::FirstOfAny => true,
        }
    }
}

/// A game of the family: its name and the choice on every axis.
///
/// ```
/// use oware_db::game::{ABAPA, Rules};
///
/// assert_eq!(Rules::by_id("abapa"), Some(&ABAPA));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Rules {
    /// The name that users type and that begins the names of files.
    pub id: &'static str,
    /// A description in one line.
    pub title: &'static str,
    /// Whether a long sowing leaves its origin out.
    pub origin: Origin,
    /// What a harvest of all of the opponent's seeds does.
    pub grand_slam: GrandSlam,
    /// Whether an opponent without seeds must be fed.
    pub feeding: Feeding,
    /// Which houses a hit empties.
    pub harvest: Harvest,
    /// What the seeds left are worth when play cycles for ever.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub endless: Endless,
}

impl Rules {
    /// Returns what the mover of `board` gets if a cycle is cut there; `None` where the position
    /// does not count, so that its repetition does not end the game.
    ///
    /// Where endless play is drawn, this is what both players can count on: to get nothing of what
    /// is left ([`Game::worth_of_repetition`](crate::game::Game::worth_of_repetition) knows what
    /// was captured).
    pub fn worth_of_repetition(&self, board: &Board) -> Option<Score> {
        match self.endless {
            Endless::EvenSplit => Some(Score::ZERO),
            Endless::OwnSide(repetition) => repetition.counts(board).then(|| board.own_rows()),
            Endless::Drawn => Some(Score::new(-(board.seeds().get() as i8))),
        }
    }

    /// Returns whether the moves are those of another sheet; what endless play is worth may differ.
    pub fn moves_like(&self, other: &Rules) -> bool {
        let moves = |rules: &Rules| (rules.origin, rules.grand_slam, rules.feeding, rules.harvest);
        moves(self) == moves(other)
    }

    /// Returns how many seeds a capture takes at least.
    pub fn least_capture(&self) -> usize {
        match self.harvest {
            Harvest::LastHouses => 2,
            Harvest::Opposite => 1,
        }
    }

    /// Returns the sheet with this id.
    pub fn by_id(id: &str) -> Option<&'static Rules> {
        SHEETS.into_iter().find(|rules| rules.id == id)
    }

    /// Returns the ids of all sheets, for messages: `abapa, abapa-even, ...`.
    pub fn ids() -> String {
        SHEETS.map(|rules| rules.id).join(", ")
    }
}

/// Tournament Oware.
///
/// Sources: the rules of Brettspielnetz (2024) and the German Wikipedia article "Oware". The
/// house a long sowing came from is left out; a harvest of everything harvests nothing; a player
/// who faces an empty row must feed it; the first repeated position ends the game, both rows
/// non-empty, and each keeps their own row ("assumed when the same board happens again"). Scores
/// assume fresh history, as after a capture. Brettspielnetz lets a player who cannot feed play on
/// until the other is stuck, Wikipedia ends the game at once: the scores are the same, and we end
/// it at once.
pub const ABAPA: Rules = Rules {
    id: "abapa",
    title: "tournament Oware: the first repetition ends the game, each player keeps their own row",
    origin: Origin::Skipped,
    grand_slam: GrandSlam::CapturesNothing,
    feeding: Feeding::MustFeed,
    harvest: Harvest::LastHouses,
    endless: Endless::OwnSide(Repetition::First),
};

/// Tournament Oware in which the players agree where a game that cycles ends.
///
/// Source: Brettspielnetz (2024) leaves it to the players to end such a game. So no position of
/// the cycle can be ruled out, and scores are intervals: the lower end is what the mover gets if
/// the opponent chooses where to cut, the upper end if the mover does.
pub const ABAPA_AGREED: Rules = Rules {
    id: "abapa-agreed",
    title: "tournament Oware: the players agree where a cycle ends, each keeps their own row",
    endless: Endless::OwnSide(Repetition::Agreed),
    ..ABAPA
};

/// Tournament Oware as many programs play it: a repetition ends the game even where a row is
/// empty.
///
/// Aualé, Aalina and OpenSpiel play so. It differs from [`ABAPA`] in cycles in which a player
/// without seeds is fed again and again. Some scores stay intervals, see [`Endless::is_settled`].
pub const ABAPA_EVERY: Rules = Rules {
    id: "abapa-every",
    title: "tournament Oware: the first repetition ends the game, even with an empty row",
    endless: Endless::OwnSide(Repetition::FirstOfAny),
    ..ABAPA
};

/// The moves of [`ABAPA`] with the convention of the Awari literature for endless play.
pub const ABAPA_EVEN: Rules = Rules {
    id: "abapa-even",
    title: "tournament Oware, except that a cycle splits the remaining seeds evenly",
    endless: Endless::EvenSplit,
    ..ABAPA
};

/// Awari as Romein and Bal solved it (IEEE Computer 36(10), 2003; score database of the Vrije
/// Universiteit Amsterdam, DOI 10.48338/vu01-11wjke).
///
/// A move that leaves the opponent without seeds, by harvesting or by not feeding, is illegal
/// while another move exists. That is one rule for both cases, hence [`Feeding::Free`] as well.
pub const AWARI: Rules = Rules {
    id: "awari",
    title: "Awari as solved by Romein and Bal: \
            no move may starve the opponent if another exists",
    origin: Origin::Skipped,
    grand_slam: GrandSlam::IllegalUnlessForced,
    feeding: Feeding::Free,
    harvest: Harvest::LastHouses,
    endless: Endless::EvenSplit,
};

/// Oware with "cutting off the head": harvesting every seed of the opponent is the finest move.
///
/// The source calls a game that only moves seeds about a draw, see [`MASTERS_DRAWN`]. This sheet
/// follows the literature instead, and halves what is left.
pub const MASTERS: Rules = Rules {
    id: "masters",
    title: "Oware with \"cutting off the head\": a capture may take all seeds",
    origin: Origin::Skipped,
    grand_slam: GrandSlam::Captures,
    feeding: Feeding::MustFeed,
    harvest: Harvest::LastHouses,
    endless: Endless::EvenSplit,
};

/// The moves of [`MASTERS`], with what its source says of endless play: "the game is drawn if it
/// becomes clear that the last seeds are only moved about on the board", whatever was captured.
pub const MASTERS_DRAWN: Rules = Rules {
    id: "masters-drawn",
    title: "Oware with \"cutting off the head\": endless play is a draw",
    endless: Endless::Drawn,
    ..MASTERS
};

/// The plain game of a Mancala primer: sow everywhere, harvest twos and threes, no duties.
///
/// "All cups, going round": the origin is not left out. The source says nothing of endless play;
/// we halve what is left.
pub const PLAIN: Rules = Rules {
    id: "plain",
    title: "plain game: sowing skips no house, no duty to feed",
    origin: Origin::Sown,
    grand_slam: GrandSlam::Captures,
    feeding: Feeding::Free,
    harvest: Harvest::LastHouses,
    endless: Endless::EvenSplit,
};

/// The variation of [`PLAIN`] in which a hit harvests the house opposite.
///
/// "Instead of capturing the 2 or 3 beans in the last cup, the beans in the opposite cup are
/// captured": the chain of hit houses is found as ever, and each harvests the house it faces.
pub const PLAIN_OPPOSITE: Rules = Rules {
    id: "plain-opposite",
    title: "plain game with captures from the opposite houses",
    harvest: Harvest::Opposite,
    ..PLAIN
};

/// Every sheet, in the order they are listed to users.
pub const SHEETS: [&Rules; 9] = [
    &ABAPA,
    &ABAPA_EVEN,
    &AWARI,
    &MASTERS,
    &PLAIN,
    &PLAIN_OPPOSITE,
    &ABAPA_AGREED,
    &ABAPA_EVERY,
    &MASTERS_DRAWN,
];
