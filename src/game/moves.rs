//! How Oware is played: legal moves and the end of the game, for every sheet.
//!
//! With [`super::sowing`], which has what the rules do to half-boards, this is the only file that
//! knows these rules.

use arrayvec::ArrayVec;

use crate::game::board::{Board, HOUSES, House};
use crate::game::rules::{Feeding, GrandSlam, Rules};
use crate::game::score::Score;
use crate::game::sowing::{RING, Sowing, harvest, sow};

/// A legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Move {
    /// The house that is emptied.
    pub house: House,
    /// Seeds it captures.
    pub captured: u8,
    /// The position it leads to, seen by the next player.
    #[cfg_attr(feature = "serde", serde(rename = "board"))]
    pub next: Board,
}

/// The legal moves of a position: at most six, by house.
#[derive(Clone, Debug, Default)]
pub struct Moves(ArrayVec<Move, HOUSES>);

impl Moves {
    fn filter(&self, keep: impl Fn(&Move) -> bool) -> Moves {
        Moves(self.iter().filter(keep).collect())
    }

    /// Returns the moves that empty other houses than these.
    pub(crate) fn without(&self, houses: &[House]) -> Moves {
        self.filter(|found| !houses.contains(&found.house))
    }

    /// Returns the moves, by house from left to right.
    pub fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.0.iter().copied()
    }

    /// Returns how many moves there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there is no move, so that the game is over.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Returns the legal moves of `board`. If there are none the game is over and each player keeps
/// their own row ([`Board::own_rows`]).
pub fn legal_moves(rules: &Rules, board: &Board) -> Moves {
    let mut moves = Moves::default();
    for house in House::ALL {
        let Some(sowing) = sow(rules, board.mover, house) else { continue };
        let feeds = match rules.feeding {
            Feeding::MustFeed => !board.opponent.is_empty() || sowing.crossing.seeds > 0,
            Feeding::Free => true,
        };
        if feeds {
            moves.0.push(play(rules, board, house, sowing));
        }
    }
    match rules.grand_slam {
        GrandSlam::CapturesNothing | GrandSlam::Captures => moves,
        GrandSlam::IllegalUnlessForced => {
            let generous = moves.filter(|found| !found.next.mover.is_empty());
            if generous.is_empty() { moves } else { generous }
        }
    }
}

/// Returns whether it is plain that sowing `house` hits nothing. A sowing of less than a lap
/// gives a house one seed at most, so its last seed hits where 1 or 2 are.
fn cannot_hit(board: &Board, house: House) -> bool {
    let seeds = usize::from(board.mover[house]);
    if seeds >= RING - 1 {
        return false;
    }
    let last = house.index() + seeds;
    !(HOUSES..RING).contains(&last) || !matches!(board.opponent.0[last - HOUSES], 1 | 2)
}

/// Returns the legal moves that capture, found with less work than [`legal_moves`].
pub fn captures(rules: &Rules, board: &Board) -> Moves {
    let mut moves = Moves::default();
    for house in House::ALL {
        if cannot_hit(board, house) {
            continue;
        }
        let Some(sowing) = sow(rules, board.mover, house) else { continue };
        // A harvest takes a last seed in the opponent's row, so it feeds.
        if sowing.crossing.ends_there
            && sowing.crossing.hits(sowing.crossing.land(board.opponent)) > 0
        {
            let found = play(rules, board, house, sowing);
            if found.captured > 0 {
                moves.0.push(found);
            }
        }
    }
    // Whether a move that starves is legal depends on all moves.
    let may_be_illegal = match rules.grand_slam {
        GrandSlam::CapturesNothing | GrandSlam::Captures => false,
        GrandSlam::IllegalUnlessForced => moves.iter().any(|found| found.next.mover.is_empty()),
    };
    if !may_be_illegal {
        return moves;
    }
    legal_moves(rules, board).filter(|found| found.captured > 0)
}

/// Returns the move that `sowing` is on `board`, its harvest decided by the sheet.
fn play(rules: &Rules, board: &Board, house: House, sowing: Sowing) -> Move {
    let landed = sowing.crossing.land(board.opponent);
    let full = harvest(rules, sowing, landed, sowing.crossing.hits(landed));
    let slam = full.captured > 0 && full.opponent.is_empty();
    let outcome = match rules.grand_slam {
        GrandSlam::CapturesNothing if slam => harvest(rules, sowing, landed, 0),
        GrandSlam::CapturesNothing | GrandSlam::Captures | GrandSlam::IllegalUnlessForced => full,
    };
    Move {
        house,
        captured: outcome.captured,
        next: Board { mover: outcome.opponent, opponent: outcome.own },
    }
}

/// Returns the score of a finished game; `None` while a legal move exists.
pub fn final_score(rules: &Rules, board: &Board) -> Option<Score> {
    // A player who has seeds and faces seeds has a move: the only moves ever forbidden are those
    // that starve, and only while another exists.
    if !board.mover.is_empty() && !board.opponent.is_empty() {
        return None;
    }
    legal_moves(rules, board).is_empty().then(|| board.own_rows())
}

/// Returns the number of move paths of length `depth` from `board`; a finished game has none.
pub fn perft(rules: &Rules, board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => legal_moves(rules, board).len() as u64,
        _ => {
            legal_moves(rules, board).iter().map(|found| perft(rules, &found.next, depth - 1)).sum()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Seeds;
    use crate::game::rules::{ABAPA, AWARI, MASTERS, PLAIN, PLAIN_OPPOSITE, SHEETS};
    use crate::layer::index::{Domain, Layer, Rank};

    fn board(houses: [u8; 12]) -> Board {
        Board::new(houses).unwrap()
    }

    /// What a move captures, and the board that it leads to.
    fn sown(rules: &Rules, houses: [u8; 12], house: usize) -> Option<String> {
        let house = House::new(house).unwrap();
        let found = legal_moves(rules, &board(houses)).iter().find(|found| found.house == house)?;
        Some(format!("{}: {}", found.captured, found.next))
    }

    /// Sowings of a lap and less, grand slams, and harvests from the opposite houses.
    #[test]
    fn what_a_move_does_by_sheet() {
        let [eleven, twelve] = [11, 12].map(|seeds| [0, 0, seeds, 0, 0, 0, 9, 9, 9, 0, 0, 0]);
        let slam = [1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0];
        let forced = [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0];
        let one = [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 3];
        // Two houses are hit, a and b; opposite lie F, just emptied onto, and E.
        let [three, two] = [3, 2].map(|seeds| [0, 0, 0, 0, 5, seeds, 1, 1, 0, 0, 0, 3]);
        for (rules, houses, house, next) in [
            (&ABAPA, [4; 12], 5, Some("0: 5 5 5 5 4 4  4 4 4 4 4 0")),
            // 11 seeds end on the house before the origin, 12 on the one after it ...
            (&ABAPA, eleven, 2, Some("0: 10 10 10 1 1 1  1 1 0 1 1 1")),
            (&ABAPA, twelve, 2, Some("0: 10 10 10 1 1 1  1 1 0 2 1 1")),
            // ... and where the origin is sown, on the origin.
            (&PLAIN, twelve, 2, Some("0: 10 10 10 1 1 1  1 1 1 1 1 1")),
            (&ABAPA, slam, 5, Some("0: 2 0 0 0 0 0  1 0 0 0 0 0")),
            (&MASTERS, slam, 5, Some("2: 0 0 0 0 0 0  1 0 0 0 0 0")),
            (&AWARI, slam, 5, None),
            // Forced: the harvest counts.
            (&AWARI, forced, 5, Some("2: 0 0 0 0 0 0  0 0 0 0 0 0")),
            (&PLAIN_OPPOSITE, one, 5, Some("0: 2 0 0 0 0 3  0 0 0 0 0 0")),
            (&PLAIN_OPPOSITE, three, 5, Some("0: 2 2 1 0 0 3  0 0 0 0 5 0")),
            (&PLAIN_OPPOSITE, two, 5, Some("5: 2 2 0 0 0 3  0 0 0 0 0 0")),
        ] {
            assert_eq!(sown(rules, houses, house).as_deref(), next, "{} {houses:?}", rules.id);
        }
    }

    #[test]
    fn feeding_by_sheet() {
        let hungry = [1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0];
        for rules in SHEETS {
            let free = rules.feeding == Feeding::Free
                && rules.grand_slam != GrandSlam::IllegalUnlessForced;
            assert_eq!(sown(rules, hungry, 0).is_some(), free, "{}", rules.id);
            assert!(sown(rules, hungry, 4).is_some(), "{}", rules.id);
        }
        let stuck = board([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(final_score(&ABAPA, &stuck), Some(Score::new(1)));
        // Under Awari the only move is legal though it starves.
        assert_eq!(final_score(&AWARI, &stuck), None);
        assert_eq!(legal_moves(&AWARI, &stuck).len(), 1);
    }

    /// Who has seeds and faces seeds has a move.
    #[test]
    fn ends_and_captures_are_what_legal_moves_say() {
        for rules in SHEETS {
            let layers = Seeds::new(8).unwrap().up_to().map(|seeds| Layer::new(seeds, Domain::All));
            for board in layers.flat_map(|layer| layer.boards(Rank(0))) {
                let (moves, id) = (legal_moves(rules, &board), rules.id);
                let rest = moves.is_empty().then(|| board.own_rows());
                assert_eq!(final_score(rules, &board), rest, "{id} {board}");
                let expected = moves.filter(|found| found.captured > 0);
                assert!(captures(rules, &board).iter().eq(expected.iter()), "{id} {board}");
            }
        }
    }

    #[test]
    fn published_perft() {
        let expected = [1, 6, 36, 190, 1_014, 5_219, 27_332, 139_157, 711_414];
        for (depth, &count) in expected.iter().enumerate() {
            assert_eq!(perft(&ABAPA, &Board::INITIAL, depth as u32), count, "depth {depth}");
        }
    }
}
