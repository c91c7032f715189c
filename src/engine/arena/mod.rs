//! Games between two engines, and what their results say about strength.
//!
//! Games come in pairs: an opening is played twice, with sides swapped, so that luck with openings
//! cancels out. Games end by the rules ([`crate::game::Game`]). An engine
//! that is late, crashes or plays an illegal move loses; one that cannot be started ends the match.
//! A game that reaches the cap on moves is scored as if a cycle had been closed there, and so is
//! one that an engine holds to be over where a position came back that does not count by the sheet.

mod adjudication;
mod clocks;
mod match_score;
mod sprt;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::engine::driver::{Attempt, Driver};
use crate::engine::protocol::Setup;
use crate::error::Result;
use crate::game::record::{Annotation, Record, RecordedMove, Tag};
use crate::game::{Ending, Game, House, Ply, Position, Rules, Score, Seat, legal_moves};
use crate::probe::Prober;
use crate::random::Dice;

pub use adjudication::{Adjudication, adjudicated};
pub use clocks::{PlayingSpeed, TimeControl, Times};
pub use match_score::MatchScore;
pub use sprt::{Pairs, Sprt, SprtState, TestVerdict};

use clocks::Clocks;

/// The terms of a match: by which rules, from which openings, and with how much thought.
#[derive(Clone, Debug)]
pub struct Match {
    /// The sheet.
    pub rules: &'static Rules,
    /// How games begin.
    pub openings: Openings,
    /// How long engines think.
    pub pace: PlayingSpeed,
    /// Plies after the opening, at most.
    pub most_plies: usize,
}

/// How the games of a match begin; each opening is played twice.
#[derive(Clone, Debug)]
pub enum Openings {
    /// With random moves.
    Drawn {
        /// Says which: the same ones for the same number.
        seed: u64,
        /// How many; fewer where random games are over before.
        plies: u32,
    },
    /// With each of these, one after the other, and then again. There is one at least.
    Given(Vec<Setup>),
}

/// Openings of a length that are drawn until one is drawn that is a ply shorter.
const DRAWS: usize = 100;

/// Either of the two engines of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contestant {
    /// The engine whose score is counted.
    First,
    /// The other engine.
    Second,
}

/// Why a game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// It ended by the rules.
    Ended(Ending),
    /// It reached the cap on moves.
    Capped,
    /// The tables know who wins.
    Adjudicated(Adjudication),
    /// An engine said that it is over, by another rule for positions that recur.
    Claimed(Contestant),
    /// An engine did not answer with a legal move, and loses.
    Forfeit(Contestant, Attempt),
}

/// A game of a match that has been played.
#[derive(Clone, Debug)]
pub struct MatchGame {
    /// The seat of the first engine.
    pub first: Seat,
    /// The initial position and the opening.
    pub opening: Setup,
    /// The moves after it.
    pub moves: Vec<Ply>,
    /// Why it is over.
    pub finish: Finish,
    /// Seeds that South has more in the end than North, as far as they are known; after a forfeit
    /// those captured, after an adjudication those that best play brings, or this many at least.
    pub margin: Score,
    /// What the first engine gets: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub result: f64,
    /// What the engines thought, the first engine's first.
    pub times: [Times; 2],
}

impl Finish {
    /// Returns the word for it in records and JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Finish::Ended(ending) => ending.name(),
            Finish::Capped => "most_plies",
            Finish::Adjudicated(_) => "adjudicated",
            Finish::Claimed(_) => "claimed",
            Finish::Forfeit(..) => "forfeit",
        }
    }
}

impl Serialize for MatchGame {
    /// Writes the seat of the first engine, where the game starts, if that is not the usual start,
    /// the moves as letters, and the result.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let letters = |plies: &[Ply]| plies.iter().map(Ply::to_string).collect::<String>();
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("first", &self.first.to_string())?;
        if self.opening.start != Position::INITIAL {
            fields.serialize_entry("start", &self.opening.start.to_string())?;
        }
        fields.serialize_entry("opening", &letters(&self.opening.moves))?;
        fields.serialize_entry("moves", &letters(&self.moves))?;
        fields.serialize_entry("ending", self.finish.name())?;
        fields.serialize_entry("margin", &self.margin)?;
        fields.serialize_entry("result", &self.result)?;
        fields.end()
    }
}

impl Match {
    /// Returns the opening of a pair of games, after which the game is not over.
    pub fn opening(&self, pair: u64) -> Setup {
        match &self.openings {
            Openings::Drawn { seed, plies } => self.drawn_opening(*seed, *plies, pair),
            Openings::Given(setups) => setups[(pair % setups.len() as u64) as usize].clone(),
        }
    }

    fn drawn_opening(&self, seed: u64, plies: u32, pair: u64) -> Setup {
        let mut dice = Dice::new(Dice::new(seed).number() ^ Dice::new(pair).number());
        let mut lengths = (0..=plies).rev().flat_map(|plies| [plies; DRAWS]);
        let opening = lengths.find_map(|plies| {
            let mut game = Game::new(self.rules, Position::INITIAL);
            let mut setup = Setup::at(Position::INITIAL);
            for _ in 0..plies {
                let drawn = dice.greatest(legal_moves(self.rules, game.board()).iter(), |_| 0);
                let Some(played) = drawn.filter(|_| game.over().is_none()) else { break };
                setup.moves.push(Ply { seat: game.seat(), house: played.house });
                game.make(&played);
            }
            game.over().is_none().then_some(setup)
        });
        opening.expect("no game is over at its beginning")
    }

    /// Plays game `number`: pair `number / 2`, in which the first engine is South first. With
    /// `tables` it ends as soon as they know who wins.
    ///
    /// # Errors
    /// As [`Driver::ask`]; [`Error::Usage`](crate::Error::Usage) if an engine does not
    /// speak the protocol, and whatever is wrong with a table.
    pub fn play(
        &self,
        number: u64,
        mut engines: [&mut Driver; 2],
        mut tables: Option<&mut Prober>,
    ) -> Result<MatchGame> {
        let first = Seat::BOTH[number as usize % 2];
        engines.iter_mut().for_each(|engine| engine.new_game());
        let opening = self.opening(number / 2);
        let game = opening.game(self.rules)?;
        let clocks = Clocks::new(&self.pace);
        let mut referee = Referee { played: self, first, setup: opening.clone(), game, clocks };
        let finish = loop {
            if let Some(finish) = referee.finished(opening.moves.len()) {
                break finish;
            }
            if let Some(prober) = &mut tables
                && let Some(known) = adjudicated(prober, &referee.game)?
            {
                break Finish::Adjudicated(known);
            }
            let engine = referee.to_move();
            match referee.ask(engines[engine as usize])? {
                Attempt::Move(house) => referee.make(house)?,
                Attempt::ClaimsEnd => break Finish::Claimed(engine),
                answer => break Finish::Forfeit(engine, answer),
            }
        };
        let moves = referee.setup.moves[opening.moves.len()..].to_vec();
        let (margin, result) = referee.result(&finish);
        let [south, north] = referee.clocks.times;
        let times = if first == Seat::South { [south, north] } else { [north, south] };
        Ok(MatchGame { first, opening, moves, finish, margin, result, times })
    }
}

impl MatchGame {
    /// Returns the game as a record: round `round`, between engines of these names, the first
    /// contestant's name first.
    pub fn record(&self, rules: &Rules, round: u64, names: [&str; 2]) -> Record {
        let [south, north] = if self.first == Seat::South { names } else { [names[1], names[0]] };
        let south_result = if self.first == Seat::South { self.result } else { 1.0 - self.result };
        let result = match south_result {
            won if won > 0.75 => "1-0",
            lost if lost < 0.25 => "0-1",
            _ => "1/2-1/2",
        };
        let number = round.to_string();
        let tags = [
            ("Round", number.as_str()),
            ("South", south),
            ("North", north),
            ("Variant", rules.id),
            ("Result", result),
            ("Termination", self.finish.name()),
        ];
        let tag =
            |(name, value): (&str, &str)| Tag { name: name.to_owned(), value: value.to_owned() };
        let moves = self.opening.moves.iter().chain(&self.moves);
        let mut moves: Vec<RecordedMove> = moves.copied().map(RecordedMove::new).collect();
        if let Some(last) = self.opening.moves.len().checked_sub(1) {
            moves[last].annotations.extend(Annotation::comment("end of the opening"));
        }
        let mut preface = Vec::new();
        let said = moves.last_mut().map_or(&mut preface, |last| &mut last.annotations);
        said.extend(self.adjudication().as_deref().and_then(Annotation::comment));
        let mut tags = tags.map(tag).to_vec();
        let start = self.opening.start;
        if start != Position::INITIAL {
            tags.push(tag(("FEN", &start.to_string())));
        }
        Record { tags, start, preface, moves, result: result.to_owned() }
    }

    /// Says what an adjudication rests on.
    fn adjudication(&self) -> Option<String> {
        let Finish::Adjudicated(Adjudication { is_exact, .. }) = self.finish else { return None };
        let (seeds, tables) = (self.margin.get(), "adjudicated by the tables: with best play");
        let winner = if seeds > 0 { Seat::South } else { Seat::North };
        Some(match seeds.unsigned_abs() {
            0 => format!("{tables} the game is a draw"),
            seeds if is_exact => format!("{tables} {winner} wins by {seeds}"),
            seeds => format!("{tables} {winner} wins by {seeds} or more"),
        })
    }
}

/// Watches over a game in progress.
struct Referee<'a> {
    played: &'a Match,
    first: Seat,
    setup: Setup,
    game: Game,
    clocks: Clocks,
}

impl Referee<'_> {
    fn finished(&self, opening: usize) -> Option<Finish> {
        let capped = self.setup.moves.len() - opening >= self.played.most_plies;
        self.game
            .over()
            .map(|(ending, _)| Finish::Ended(ending))
            .or(capped.then_some(Finish::Capped))
    }

    fn to_move(&self) -> Contestant {
        if self.game.seat() == self.first { Contestant::First } else { Contestant::Second }
    }

    /// Asks an engine for a move while its clock runs.
    fn ask(&mut self, driver: &mut Driver) -> Result<Attempt> {
        // An engine that has to be started is not late.
        driver.prepare()?;
        let (seat, pace) = (self.game.seat(), &self.played.pace);
        let go = self.clocks.go(pace);
        let limit = self.clocks.limit(pace, seat);
        let answer = driver.ask_within(limit, &self.game, &self.setup, &go)?;
        let in_time = self.clocks.stop(pace, seat, driver.took());
        Ok(if in_time || !matches!(answer, Attempt::Move(_)) { answer } else { Attempt::TimedOut })
    }

    fn make(&mut self, house: House) -> Result<()> {
        let ply = Ply { seat: self.game.seat(), house };
        self.setup.moves.push(ply);
        self.game.play(ply).map(drop)
    }

    /// Returns South's margin and the first engine's result.
    fn result(&self, finish: &Finish) -> (Score, f64) {
        let ahead = match finish {
            Finish::Adjudicated(known) => known.margin,
            Finish::Ended(_) => self.game.over().map_or(Score::ZERO, |(_, margin)| margin),
            Finish::Forfeit(..) => self.game.ahead(),
            Finish::Capped | Finish::Claimed(_) => {
                let board = self.game.board();
                let worth = self.game.worth_of_cut(board);
                let rest = worth.unwrap_or(board.own_rows());
                Score::new(self.game.ahead().get() + rest.get())
            }
        };
        let seen_by = |seat| if self.game.seat() == seat { ahead } else { ahead.after_capture(0) };
        let result = match finish {
            Finish::Forfeit(Contestant::First, _) => 0.0,
            Finish::Forfeit(Contestant::Second, _) => 1.0,
            Finish::Ended(_) | Finish::Capped | Finish::Adjudicated(_) | Finish::Claimed(_) => {
                (f64::from(seen_by(self.first).get().signum()) + 1.0) / 2.0
            }
        };
        (seen_by(Seat::South), result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::SHEETS;

    #[test]
    fn openings_are_legal_unlike_and_the_same_again() {
        for rules in SHEETS {
            let pace = PlayingSpeed::default();
            let openings = Openings::Drawn { seed: 5, plies: 8 };
            let drawn = Match { rules, openings, pace, most_plies: 100 };
            let mut openings: Vec<String> =
                (0..50).map(|pair| drawn.opening(pair).to_string()).collect();
            assert_eq!(
                openings,
                (0..50).map(|pair| drawn.opening(pair).to_string()).collect::<Vec<_>>()
            );
            for pair in 0..50 {
                let setup = drawn.opening(pair);
                assert!(setup.moves.len() == 8 && setup.game(rules).unwrap().over().is_none());
            }
            openings.sort();
            openings.dedup();
            assert!(openings.len() >= 48, "{}", openings.len());
        }
    }

    #[test]
    fn openings_longer_than_random_games_are_not_drawn_for_ever() {
        let (rules, openings) = (SHEETS[0], Openings::Drawn { seed: 1, plies: 200 });
        let drawn = Match { rules, openings, pace: PlayingSpeed::default(), most_plies: 100 };
        let opening = drawn.opening(0);
        assert!(opening.moves.len() > 8 && opening.game(rules).unwrap().over().is_none());
    }

    /// Programs differ in whether a position with an empty row counts that comes back. Where one
    /// holds the game to be over, each keeps their own row, and neither player loses by it.
    #[test]
    fn an_end_by_another_rule_is_scored_as_it_stands() {
        let rules = &crate::game::ABAPA;
        let openings = Openings::Drawn { seed: 1, plies: 0 };
        let terms = Match { rules, openings, pace: PlayingSpeed::default(), most_plies: 100 };
        let start = "0-0-0-0-0-1-0-0-0-0-0-1-24-22-S moves FfAaBbCcDdEeF";
        let setup: Setup = start.parse().unwrap();
        let game = setup.game(rules).unwrap();
        assert!(game.over().is_none() && game.board().mover.seeds() == 2);
        let clocks = Clocks::new(&terms.pace);
        let referee = Referee { played: &terms, first: Seat::South, setup, game, clocks };
        let (margin, result) = referee.result(&Finish::Claimed(Contestant::Second));
        assert_eq!((margin, result), (Score::ZERO, 0.5));
    }
}
