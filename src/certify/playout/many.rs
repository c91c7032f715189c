//! Many games, from positions drawn at random.

use rayon::prelude::*;

use super::adviser::Adviser;
use super::claim::{Claim, CycleCut, Player};
use super::defence::Defence;
use super::single::{Playout, PlayoutEnd, Scenario, play};
use crate::error::{Error, Result};
use crate::game::{Rules, Score, Seat, Seeds};
use crate::layer::{Layer, Rank};
use crate::pool::Pool;
use crate::random::Dice;

/// Games that are played one after the other.
const BATCH: u64 = 64;

/// Broken promises that a summary shows.
const SHOWN: usize = 10;

/// Which random games to play against the tables' promises, and how many.
///
/// Each layer gets as many games as every other, and each position of a layer is as likely as every
/// other; the players, cuts and defences take turns. A game depends on the sheet, its number and
/// the plan alone; how many games there are decides in which layer it starts.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The number of games.
    pub games: u64,
    /// The seed of all dice.
    pub seed: u64,
    /// The layers in which games start; at least one.
    pub layers: &'a [Seeds],
}

impl Plan<'_> {
    /// Draws the scenario of game `number`, from 0 on.
    fn scenario(&self, rules: &Rules, number: u64) -> Scenario {
        let mut dice = Dice::new(Dice::new(self.seed).number() ^ Dice::new(number).number());
        let place = u128::from(number) * self.layers.len() as u128 / u128::from(self.games);
        let layer = Layer::of(rules, self.layers[place as usize]);
        let board =
            layer.position(Rank(dice.below(layer.positions()))).expect("a rank of the layer");
        let cuts = CycleCut::of(rules);
        let pick = |choices: u64, every: u64| (number / every % choices) as usize;
        Scenario {
            claim: Claim { board, player: [Player::Mover, Player::Opponent][pick(2, 1)] },
            cut: cuts[pick(cuts.len() as u64, 2)],
            defence: Defence::ALL[pick(Defence::ALL.len() as u64, 6)],
            // A number that every reader of JSON can hold.
            seed: dice.number() >> 11,
        }
    }
}

/// The counts of playouts with the same cut and the same defence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DefenceCounts {
    /// The cut.
    pub cut: CycleCut,
    /// The defence.
    pub defence: Defence,
    /// Games played.
    pub games: u64,
    /// Games that ended on a cycle.
    pub cycles: u64,
    /// Games in which the player got less than was promised.
    pub shortfalls: u64,
    /// The least that a player got beyond the promise; `None` without games.
    pub least_margin: Option<i8>,
}

impl DefenceCounts {
    /// No games.
    fn new(cut: CycleCut, defence: Defence) -> DefenceCounts {
        DefenceCounts { cut, defence, games: 0, cycles: 0, shortfalls: 0, least_margin: None }
    }

    fn add(&mut self, played: &Playout) {
        self.join(&DefenceCounts {
            games: 1,
            cycles: u64::from(played.ending == PlayoutEnd::Cycle),
            shortfalls: u64::from(played.margin() < 0),
            least_margin: Some(played.margin()),
            ..*self
        });
    }

    fn join(&mut self, other: &DefenceCounts) {
        self.games += other.games;
        self.cycles += other.cycles;
        self.shortfalls += other.shortfalls;
        self.least_margin = self.least_margin.into_iter().chain(other.least_margin).min();
    }
}

/// A playout that brought less than was promised, with all it takes to play it again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Shortfall {
    /// The number of the game, from 1 on.
    pub number: u64,
    /// The game.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub game: Scenario,
    /// What was promised.
    pub promise: Score,
    /// What the player got.
    pub score: Score,
    /// How the game ended.
    pub ending: PlayoutEnd,
    /// The moves, the start's mover in capitals.
    pub moves: String,
}

impl Shortfall {
    fn new(number: u64, game: Scenario, played: &Playout) -> Shortfall {
        let moves = played.moves.iter().zip(Seat::BOTH.into_iter().cycle());
        Shortfall {
            number: number + 1,
            game,
            promise: played.promise,
            score: played.score,
            ending: played.ending,
            moves: moves.map(|(&house, seat)| seat.letter(house)).collect(),
        }
    }
}

/// The results of many playouts, added up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Summary {
    /// The sheet.
    pub rules: &'static str,
    /// The seed of the dice.
    pub seed: u64,
    /// Games played.
    pub games: u64,
    /// Moves made in them.
    pub moves: u64,
    /// Games that ended on a cycle.
    pub cycles: u64,
    /// Games in which the player got less than was promised.
    pub shortfalls: u64,
    /// The least that a player got beyond the promise; `None` without games.
    pub least_margin: Option<i8>,
    /// These figures by cut and defence.
    #[cfg_attr(feature = "serde", serde(rename = "tallies"))]
    pub counts: Vec<DefenceCounts>,
    /// The first broken promises, ten at most.
    pub first: Vec<Shortfall>,
}

impl Summary {
    fn new(rules: &Rules, seed: u64) -> Summary {
        let defences = |cut| Defence::ALL.map(|defence| DefenceCounts::new(cut, defence));
        let counts = CycleCut::of(rules).iter().copied().flat_map(defences).collect();
        Summary { rules: rules.id, seed, counts, ..Summary::default() }
    }

    fn add(&mut self, number: u64, game: Scenario, played: &Playout) {
        self.moves += played.moves.len() as u64;
        let counts = self
            .counts
            .iter_mut()
            .find(|counts| (counts.cut, counts.defence) == (game.cut, game.defence));
        counts.expect("there is one for each").add(played);
        // Numbers come in order.
        if played.margin() < 0 && self.first.len() < SHOWN {
            self.first.push(Shortfall::new(number, game, played));
        }
    }

    /// Adds games with greater numbers.
    fn joined(mut self, other: Summary) -> Summary {
        self.moves += other.moves;
        for (counts, other) in self.counts.iter_mut().zip(&other.counts) {
            counts.join(other);
        }
        self.first.extend(other.first);
        self.first.truncate(SHOWN);
        self
    }

    /// Sums up the counts.
    fn finished(mut self) -> Summary {
        self.games = self.counts.iter().map(|counts| counts.games).sum();
        self.cycles = self.counts.iter().map(|counts| counts.cycles).sum();
        self.shortfalls = self.counts.iter().map(|counts| counts.shortfalls).sum();
        self.least_margin = self.counts.iter().filter_map(|counts| counts.least_margin).min();
        self
    }
}

/// Plays the games of a plan on all threads, each with an adviser of its own. Calls `progress` now
/// and then with the number of games played since the last call, and stops if it returns `false`.
///
/// # Errors
/// Whatever an adviser fails with, [`Error::Interrupted`] if `progress` asks for it, and
/// [`Error::Usage`] for a plan without layers.
pub fn play_many<A: Adviser + Send>(
    plan: &Plan,
    rules: &'static Rules,
    adviser: impl Fn() -> A + Sync,
    progress: impl Fn(u64) -> bool + Sync,
) -> Result<Summary> {
    if plan.layers.is_empty() {
        return Err(Error::Usage("no layer to start a game in".to_owned()));
    }
    let (advisers, none) = (Pool::new(&adviser), || Summary::new(rules, plan.seed));
    let batch = |batch: u64| {
        let numbers = batch * BATCH..plan.games.min((batch + 1).saturating_mul(BATCH));
        let mut summary = none();
        advisers.with(|adviser| -> Result<()> {
            for number in numbers.clone() {
                let game = plan.scenario(rules, number);
                summary.add(number, game, &play(adviser, &game)?);
            }
            Ok(())
        })?;
        if progress(numbers.end - numbers.start) { Ok(summary) } else { Err(Error::Interrupted) }
    };
    let batches = (0..plan.games.div_ceil(BATCH)).into_par_iter().map(batch);
    batches.try_reduce(none, |one, other| Ok(one.joined(other))).map(Summary::finished)
}
