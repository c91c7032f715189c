//! A game as it goes on: who sits where, what has been captured, where play has been, and how the
//! rules end it.
//!
//! A board knows the mover and the opponent. A game has two seats besides, because what comes back
//! when a cycle is closed is a board *and* who is to move, and because records and engines call
//! the players South and North.
//!
//! A game is over when, in this order,
//!
//! 1. a player has 25 seeds or more,
//! 2. a position comes back that was there since the last capture, and counts (see
//!    [`Game::worth_of_repetition`]): the first repetition ends the game,
//! 3. the player to move has no move: each keeps their own row.

use std::fmt;

use crate::error::{Error, Result};
use crate::game::{
    Board, House, Move, Position, Rules, Score, Seeds, Stores, legal_moves, parse_position,
};

/// Seeds that decide a game: more than half of 48.
pub const DECIDED: u8 = 25;

/// A player's place at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// Written in capitals, and first in the engines' form of a position.
    South,
    /// Written in lower case.
    North,
}

impl Seat {
    /// Both of them.
    pub const BOTH: [Seat; 2] = [Seat::South, Seat::North];

    /// The one on the other side of the board.
    pub const fn other(self) -> Seat {
        match self {
            Seat::South => Seat::North,
            Seat::North => Seat::South,
        }
    }

    /// What `house` is called if this player owns it: `A`..`F` or `a`..`f`.
    pub const fn letter(self, house: House) -> char {
        match self {
            Seat::South => house.letter(),
            Seat::North => house.opponent_letter(),
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Seat::South => "South",
            Seat::North => "North",
        })
    }
}

/// A move as it is written: who moves, and which house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ply {
    /// Who moves.
    pub seat: Seat,
    /// The house that is emptied, counted from its owner's left.
    pub house: House,
}

impl Ply {
    /// The move that a letter stands for, `A`..`F` or `a`..`f`.
    pub fn from_letter(letter: char) -> Option<Ply> {
        let (seat, first) = match letter {
            'A'..='F' => (Seat::South, 'A'),
            'a'..='f' => (Seat::North, 'a'),
            _ => return None,
        };
        Some(Ply { seat, house: House::new(letter as usize - first as usize)? })
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.seat.letter(self.house).fmt(f)
    }
}

/// Where a game starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Start {
    /// Who is to move.
    pub seat: Seat,
    /// The board, the mover's row first.
    pub board: Board,
    /// What the mover has captured.
    pub captured: u8,
    /// What the other player has captured.
    pub conceded: u8,
}

impl Start {
    /// The start of every game: South moves first.
    pub const INITIAL: Start =
        Start { seat: Seat::South, board: Board::INITIAL, captured: 0, conceded: 0 };

    /// A position reached in the middle of an even game: the seeds that are not on the board are
    /// captured, half by each player and an odd one by the opponent.
    pub fn halfway(seat: Seat, board: Board) -> Start {
        let gone = (Seeds::MAX.get() - board.seeds().get()) as u8;
        Start { seat, board, captured: gone / 2, conceded: gone - gone / 2 }
    }

    /// Reads a position in any form of [`crate::game::position`]. Where it does not say who is to move
    /// it is South, and nothing has been captured.
    ///
    /// # Errors
    /// [`Error::Notation`].
    pub fn parse(text: &str) -> Result<Start> {
        let Position { board, stores } = parse_position(text)?;
        let Stores { mover, opponent } = stores.unwrap_or(Stores { mover: 0, opponent: 0 });
        let north = match text.contains('|') {
            true => text.trim_start().starts_with('1'),
            false => text.trim_end().ends_with(['N', 'n']),
        };
        let seat = if north { Seat::North } else { Seat::South };
        Ok(Start { seat, board, captured: mover, conceded: opponent })
    }
}

impl fmt::Display for Start {
    /// `4-4-4-4-4-4-4-4-4-4-4-4-0-0-S`: twelve houses and two stores, South's first, and who is to
    /// move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (board, south, north, letter) = match self.seat {
            Seat::South => (self.board, self.captured, self.conceded, 'S'),
            Seat::North => (self.board.turned(), self.conceded, self.captured, 'N'),
        };
        board.houses().iter().try_for_each(|count| write!(f, "{count}-"))?;
        write!(f, "{south}-{north}-{letter}")
    }
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// A player has 25 seeds or more.
    Decided,
    /// A position came back.
    Repetition,
    /// The player to move has no move.
    NoMove,
}

impl Ending {
    /// What `--json` calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Decided => "decided",
            Ending::Repetition => "repetition",
            Ending::NoMove => "no_move",
        }
    }
}

/// A game that goes on, or has ended.
#[derive(Clone, Debug)]
pub struct Game {
    rules: &'static Rules,
    at: Start,
    /// Positions since the last capture, without the present one.
    path: Vec<Board>,
}

impl Game {
    /// A game that starts here, with fresh history.
    pub fn new(rules: &'static Rules, start: Start) -> Game {
        Game { rules, at: start, path: Vec::new() }
    }

    /// The sheet.
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// Where the game stands.
    pub fn at(&self) -> &Start {
        &self.at
    }

    /// The board, the mover's row first.
    pub fn board(&self) -> &Board {
        &self.at.board
    }

    /// Who is to move.
    pub fn seat(&self) -> Seat {
        self.at.seat
    }

    /// The positions since the last capture, the present one left out: the last one is the one
    /// before it.
    pub fn path(&self) -> &[Board] {
        &self.path
    }

    /// The legal move that empties `house`.
    pub fn find(&self, house: House) -> Option<Move> {
        legal_moves(self.rules, self.board()).iter().find(|played| played.house == house)
    }

    /// Makes a move as it was written.
    ///
    /// # Errors
    /// [`Error::Usage`] if it is not legal.
    pub fn play(&mut self, ply: Ply) -> Result<Move> {
        let legal = if ply.seat == self.seat() { self.find(ply.house) } else { None };
        let Some(played) = legal else {
            return Err(Error::Usage(format!("{ply} is not a legal move in {}", self.at)));
        };
        self.make(&played);
        Ok(played)
    }

    /// Makes a legal move of the present position.
    pub fn make(&mut self, played: &Move) {
        self.path.push(self.at.board);
        if played.captured > 0 {
            self.path.clear();
        }
        self.at = Start {
            seat: self.at.seat.other(),
            board: played.next,
            captured: self.at.conceded,
            conceded: self.at.captured + played.captured,
        };
    }

    /// What the mover's captures are ahead by.
    pub fn ahead(&self) -> Score {
        Score::new(self.at.captured as i8 - self.at.conceded as i8)
    }

    /// If a quiet move leads to a position that was there since the last capture, and the game so
    /// ends: what the player who moves gets for what is left.
    ///
    /// Where each player keeps their own row, a position with an empty row does not count; with an
    /// even split every position does.
    pub fn worth_of_repetition(&self, played: &Move) -> Option<Score> {
        if played.captured > 0 || !came_back(&self.path, &played.next) {
            return None;
        }
        self.rules.worth_of_repetition(&played.next.turned())
    }

    /// Why the game is over, and what the mover has in the end more than the opponent; `None` while
    /// it goes on.
    pub fn over(&self) -> Option<(Ending, Score)> {
        let total = |rest: Score| Score::new(self.ahead().get() + rest.get());
        if self.at.captured.max(self.at.conceded) >= DECIDED {
            return Some((Ending::Decided, self.ahead()));
        }
        let behind = self.path.split_last().map_or(&[][..], |(_, rest)| rest);
        if came_back(behind, self.board()) {
            let worth = self.rules.worth_of_repetition(self.board());
            if let Some(worth) = worth {
                return Some((Ending::Repetition, total(worth)));
            }
        }
        legal_moves(self.rules, self.board())
            .is_empty()
            .then(|| (Ending::NoMove, total(self.board().own_rows())))
    }
}

/// Whether `next`, to which the move after `path` leads, has been there with the same player to
/// move: that player moved last at the end of `path`, and every other position before.
pub(crate) fn came_back(path: &[Board], next: &Board) -> bool {
    path.iter().rev().step_by(2).any(|earlier| earlier == next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ABAPA, Endless, SHEETS};
    use crate::layer::{Layer, Rank};
    use crate::random::Dice;

    #[test]
    fn starts_are_written_as_they_are_read() {
        for text in ["4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "1-0-0-0-0-0-0-0-0-0-0-2-20-25-N"] {
            assert_eq!(Start::parse(text).unwrap().to_string(), text);
        }
        let forms = ["1 0 0 0 0 0 0 0 0 0 0 2", "0 | 0 0 | 1 0 0 0 0 0 0 0 0 0 0 2"];
        assert!(
            forms.iter().all(|form| Start::parse(form).unwrap().to_string().ends_with("2-0-0-S"))
        );
        let north = Start::parse("1 | 3 4 | 1 0 0 0 0 0 0 0 0 0 0 2").unwrap();
        assert_eq!(north.to_string(), "1-0-0-0-0-0-0-0-0-0-0-2-3-4-N");
    }

    /// Random games against a referee that keeps everything and looks at all of it.
    #[test]
    fn games_end_as_a_plain_referee_has_it() {
        let mut endings = [0; 3];
        for (rules, seed) in
            SHEETS.into_iter().flat_map(|rules| (0..300).map(move |seed| (rules, seed)))
        {
            let mut dice = Dice::new(seed);
            let layer = Layer::of(rules, Seeds::new(2 + seed as usize % 5).unwrap());
            let board = layer.position(Rank(dice.below(layer.positions()))).unwrap();
            let mut game =
                Game::new(rules, Start { seat: Seat::North, board, captured: 24, conceded: 17 });
            let mut since: Vec<(Seat, Board)> = vec![(Seat::North, board)];
            let (ending, margin) = loop {
                if let Some(over) = game.over() {
                    break over;
                }
                let played = dice.greatest(legal_moves(rules, game.board()).iter(), |_| 0).unwrap();
                game.make(&played);
                if played.captured > 0 {
                    since.clear();
                }
                since.push((game.seat(), *game.board()));
                assert_eq!(game.path().len() + 1, since.len());
            };
            let at = game.at();
            let ahead = at.captured as i8 - at.conceded as i8;
            let rows = at.board.own_rows().get();
            let repeated = since.iter().filter(|seen| Some(*seen) == since.last()).count() == 2;
            let (expected, rest) = match () {
                () if at.captured >= 25 || at.conceded >= 25 => (Ending::Decided, 0),
                () if repeated && rules.endless == Endless::EvenSplit => (Ending::Repetition, 0),
                () if repeated && !at.board.mover.is_empty() && !at.board.opponent.is_empty() => {
                    (Ending::Repetition, rows)
                }
                () => (Ending::NoMove, rows),
            };
            assert_eq!(
                (ending, margin.get()),
                (expected, ahead + rest),
                "{} {}",
                rules.id,
                game.at()
            );
            assert!(ending != Ending::NoMove || legal_moves(rules, &at.board).is_empty());
            endings[ending as usize] += 1;
        }
        assert!(endings.iter().all(|&count| count > 20), "{endings:?}");
    }

    #[test]
    fn the_move_that_closes_a_cycle_is_known_beforehand() {
        let mut closed = 0;
        for (rules, seed) in
            SHEETS.into_iter().flat_map(|rules| (0..200).map(move |seed| (rules, seed)))
        {
            let mut dice = Dice::new(seed);
            let layer = Layer::of(rules, Seeds::new(2 + seed as usize % 4).unwrap());
            let board = layer.position(Rank(dice.below(layer.positions()))).unwrap();
            let mut game =
                Game::new(rules, Start { seat: Seat::South, board, captured: 0, conceded: 0 });
            while game.over().is_none() {
                let before = game.clone();
                let played = dice.greatest(legal_moves(rules, game.board()).iter(), |_| 0).unwrap();
                game.make(&played);
                let told = before
                    .worth_of_repetition(&played)
                    .map(|worth| before.ahead().get() + worth.get());
                let found = game.over().filter(|(ending, _)| *ending == Ending::Repetition);
                assert_eq!(
                    told,
                    found.map(|(_, margin)| -margin.get()),
                    "{} {}",
                    rules.id,
                    before.at()
                );
                closed += u32::from(told.is_some());
            }
        }
        assert!(closed > 100, "{closed}");
    }

    #[test]
    fn only_the_moves_of_who_is_to_move_are_legal() {
        let mut game = Game::new(&ABAPA, Start::INITIAL);
        assert!(game.play(Ply { seat: Seat::North, house: House::ALL[0] }).is_err());
        game.play(Ply { seat: Seat::South, house: House::ALL[0] }).unwrap();
        assert!(game.play(Ply { seat: Seat::South, house: House::ALL[1] }).is_err());
        assert_eq!(game.at().to_string(), "0-5-5-5-5-4-4-4-4-4-4-4-0-0-N");
    }
}
