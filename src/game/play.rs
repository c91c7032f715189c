//! A game that is played: its rules, where play has been, and how the rules end it.
//!
//! A game is over when, in this order,
//!
//! 1. a player has 25 seeds or more,
//! 2. a position recurs that was there since the last capture, and counts (see
//!    [`Game::worth_of_repetition`]): the first repetition ends the game,
//! 3. the player to move has no move: each keeps their own row.

use crate::error::{Error, Result};
use crate::game::board::{Board, House};
use crate::game::history::History;
use crate::game::moves::{Move, legal_moves};
use crate::game::position::{Position, Stores};
use crate::game::rules::{Endless, Rules};
use crate::game::score::Score;
use crate::game::seat::{Ply, Seat};

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Ending {
    /// A player has 25 seeds or more.
    Decided,
    /// A position came back.
    Repetition,
    /// The player to move has no move.
    NoMove,
}

impl Ending {
    /// Returns the word that JSON documents have for it.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Decided => "decided",
            Ending::Repetition => "repetition",
            Ending::NoMove => "no_move",
        }
    }
}

/// A game being played: its sheet, its moves so far, and how it ended if it did.
#[derive(Clone, Debug)]
pub struct Game {
    rules: &'static Rules,
    history: History,
}

impl Game {
    /// Starts a game with fresh history; stores that are not known are empty.
    pub fn new(rules: &'static Rules, start: Position) -> Game {
        Game { rules, history: History::new(start.as_start()) }
    }

    /// Returns the sheet.
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// Returns the positions so far.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Returns the present position. Its stores are known.
    pub fn position(&self) -> &Position {
        self.history.position()
    }

    /// Returns the board, the mover's row first.
    pub fn board(&self) -> &Board {
        &self.position().board
    }

    /// Returns who is to move.
    pub fn seat(&self) -> Seat {
        self.position().seat
    }

    /// Returns what the players have captured.
    pub fn stores(&self) -> Stores {
        self.position().captured()
    }

    /// Returns the legal move that empties `house`.
    pub fn find(&self, house: House) -> Option<Move> {
        legal_moves(self.rules, self.board()).iter().find(|played| played.house == house)
    }

    /// Makes a move as it was written.
    ///
    /// # Errors
    /// [`Error::IllegalMove`] if it is not legal.
    pub fn play(&mut self, ply: Ply) -> Result<Move> {
        let legal = if ply.seat == self.seat() { self.find(ply.house) } else { None };
        let Some(played) = legal else {
            return Err(Error::IllegalMove {
                ply: ply.to_string(),
                position: self.position().to_string(),
            });
        };
        self.make(&played);
        Ok(played)
    }

    /// Makes a legal move of the present position.
    pub fn make(&mut self, played: &Move) {
        self.history.push(played);
    }

    /// Takes the last move back.
    ///
    /// # Panics
    /// If there is none.
    pub fn take_back(&mut self) {
        self.history.pop();
    }

    /// Returns what the mover's captures are ahead by.
    pub fn ahead(&self) -> Score {
        self.stores().ahead()
    }

    /// Returns what the player who moves gets for what is left, if the move leads to a position
    /// that recurs and so ends the game.
    ///
    /// Where each player keeps their own row, a position with an empty row does not count; with an
    /// even split every position does. Where endless play is drawn, what is left brings what makes
    /// both players' seeds equal, unless the game is decided.
    pub fn worth_of_repetition(&self, played: &Move) -> Option<Score> {
        if !self.history.would_repeat(played) {
            return None;
        }
        self.worth_of_cut(&played.next.turned())
    }

    /// Returns what the mover gets of what is left if the game is stopped at `board`, which lies on
    /// a cycle; `None` where the position does not count, or 25 seeds have decided a game of which
    /// endless play would make a draw.
    pub fn worth_of_cut(&self, board: &Board) -> Option<Score> {
        match self.rules.endless {
            Endless::EvenSplit | Endless::OwnSide(_) => self.rules.worth_of_repetition(board),
            Endless::Drawn => (!self.stores().decide()).then(|| self.ahead().after_capture(0)),
        }
    }

    /// Lets a game go on that a repetition has ended: history is fresh.
    pub fn go_on(&mut self) {
        if self.repeated().is_some() {
            *self = Game::new(self.rules, *self.position());
        }
    }

    /// Returns why the game is over, and what the mover has in the end more than the opponent;
    /// `None` while it goes on.
    pub fn over(&self) -> Option<(Ending, Score)> {
        self.stopped().or_else(|| {
            let is_stuck = legal_moves(self.rules, self.board()).is_empty();
            is_stuck.then(|| (Ending::NoMove, self.with_rest(self.board().own_rows())))
        })
    }

    /// Returns what [`Game::over`] does, but for the lack of moves, which is not looked at.
    pub fn stopped(&self) -> Option<(Ending, Score)> {
        if self.stores().decide() {
            return Some((Ending::Decided, self.ahead()));
        }
        Some((Ending::Repetition, self.repeated()?))
    }

    /// Returns what the mover has in the end more than the opponent if a repetition ends the game
    /// here. Endless play does not make a draw of a game that 25 seeds have decided.
    pub fn repeated(&self) -> Option<Score> {
        self.history.repeats().next()?;
        if self.rules.endless == Endless::Drawn && self.stores().decide() {
            return Some(self.ahead());
        }
        let worth = self.worth_of_cut(self.board())?;
        Some(self.with_rest(worth))
    }

    /// Returns what the mover has more than the opponent if the mover's share of the seeds that
    /// are left is greater by `rest`.
    pub fn with_rest(&self, rest: Score) -> Score {
        Score::new(self.ahead().get() + rest.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Seeds;
    use crate::game::rules::{ABAPA, MASTERS_DRAWN, SHEETS};
    use crate::layer::index::{Layer, Rank};
    use crate::random::Dice;

    /// Random games against a referee that keeps everything and looks at all of it. The move that
    /// closes a cycle is known beforehand.
    #[test]
    fn games_end_as_a_plain_referee_ends_them() {
        let (mut endings, mut closed) = ([0; 3], 0);
        let seeds = SHEETS.into_iter().flat_map(|rules| (0..300).map(move |seed| (rules, seed)));
        for ((rules, seed), is_new) in seeds.flat_map(|one| [(one, true), (one, false)]) {
            let mut dice = Dice::new(seed);
            let layer = Layer::of(rules, Seeds::new(2 + seed as usize % 5).unwrap());
            let board = layer.position(Rank(dice.below(layer.positions()))).unwrap();
            let stores = (!is_new).then_some(Stores { mover: 24, opponent: 17 });
            let mut game = Game::new(rules, Position { board, stores, seat: Seat::North });
            let mut since: Vec<(Seat, Board)> = vec![(Seat::North, board)];
            let (ending, margin) = loop {
                if let Some(over) = game.over() {
                    break over;
                }
                let (before, place) = (game.clone(), format!("{} {}", rules.id, game.position()));
                let played = dice.greatest(legal_moves(rules, game.board()).iter(), |_| 0).unwrap();
                game.make(&played);
                let expected = before.worth_of_repetition(&played);
                let expected = expected.map(|worth| before.ahead().get() + worth.get());
                let found = game.over().filter(|(ending, _)| *ending == Ending::Repetition);
                assert_eq!(expected, found.map(|(_, margin)| -margin.get()), "{place}");
                closed += u32::from(expected.is_some());
                if played.captured > 0 {
                    since.clear();
                }
                since.push((game.seat(), *game.board()));
                assert_eq!(game.history().since_capture().len(), since.len());
            };
            let at = game.position();
            let Stores { mover, opponent } = at.stores.unwrap();
            let ahead = mover as i8 - opponent as i8;
            let rows = at.board.own_rows().get();
            let repeated = since.iter().filter(|seen| Some(*seen) == since.last()).count() == 2;
            let (expected, rest) = match () {
                () if mover >= 25 || opponent >= 25 => (Ending::Decided, 0),
                () if repeated && rules.endless == Endless::EvenSplit => (Ending::Repetition, 0),
                () if repeated && rules.endless == Endless::Drawn => (Ending::Repetition, -ahead),
                () if repeated
                    && (rules.id == "abapa-every"
                        || !at.board.mover.is_empty() && !at.board.opponent.is_empty()) =>
                {
                    (Ending::Repetition, rows)
                }
                () => (Ending::NoMove, rows),
            };
            assert_eq!((ending, margin.get()), (expected, ahead + rest), "{} {at}", rules.id);
            assert!(ending != Ending::NoMove || legal_moves(rules, &at.board).is_empty());
            endings[ending as usize] += 1;
        }
        assert!(endings.iter().all(|&count| count > 20) && closed > 100, "{endings:?} {closed}");
    }

    /// Endless play makes a draw of a game that is not decided.
    #[test]
    fn a_decided_game_is_not_drawn_by_going_round() {
        for (stores, expected) in [("19-26", None), ("26-19", None), ("21-24", Some(-3))] {
            let start = format!("1-0-1-0-0-0-1-0-0-0-0-0-{stores}-S").parse().unwrap();
            let mut game = Game::new(&MASTERS_DRAWN, start);
            for house in [2, 0, 3, 1, 4, 2, 0, 3, 5, 4, 1] {
                game.make(&game.find(House::ALL[house]).unwrap());
            }
            let last = game.find(House::ALL[5]).unwrap();
            assert!(game.history().would_repeat(&last));
            let found = game.worth_of_repetition(&last).map(Score::get);
            assert_eq!(found, expected, "{stores}");
        }
    }

    #[test]
    fn only_the_moves_of_who_is_to_move_are_legal() {
        let mut game = Game::new(&ABAPA, Position::INITIAL);
        assert!(game.play(Ply { seat: Seat::North, house: House::ALL[0] }).is_err());
        game.play(Ply { seat: Seat::South, house: House::ALL[0] }).unwrap();
        assert!(game.play(Ply { seat: Seat::South, house: House::ALL[1] }).is_err());
        assert_eq!(game.position().to_string(), "0-5-5-5-5-4-4-4-4-4-4-4-0-0-N");
    }
}
