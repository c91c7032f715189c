//! What the engine makes of positions and of their moves: estimates, which are no scores.

use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::engine::search::{DEEPEST, Engine, SearchLimits, SearchResult, Worth};
use crate::game::{ABAPA, Game, House, Move, Ply, Position, Rules, Seat, final_score, legal_moves};
use crate::verify::Outcome;

/// Positions that the engine looks at for [`EstimatedPosition`], all moves together.
const NODES: u64 = 60_000;

/// What the engine makes of a position or a move.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Estimate {
    /// Seeds that the mover may still get minus those that the opponent may.
    pub estimate: f64,
    /// Who wins the game if it is over, or a player has 25 seeds; of a move, after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Plies looked ahead.
    pub depth: u32,
}

/// A move with what the engine makes of it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct EstimatedMove {
    /// The move.
    #[serde(flatten)]
    pub played: Move,
    /// What it may bring the player who makes it, the capture included.
    #[serde(flatten)]
    pub estimate: Estimate,
}

/// Looks at the moves of a game that is not over, one after the other, and returns what was found,
/// best first. `limits` says what a look may take, given how many are left.
pub fn of_every_move(
    engine: &Engine,
    game: &Game,
    stop: &AtomicBool,
    limits: impl Fn(u32) -> SearchLimits,
) -> Vec<SearchResult> {
    let legal = legal_moves(game.rules(), game.board());
    let left = (1..=legal.len() as u32).rev();
    let look = |(left, played)| after(engine, game, &played, stop, &limits(left));
    let mut found: Vec<SearchResult> = left.zip(legal.iter()).map(look).collect();
    found.sort_by_key(|found| std::cmp::Reverse(found.worth));
    found
}

/// Looks at what comes after a move. The result says what it is worth, how deep the look was, and
/// what follows; nothing of the effort.
fn after(
    engine: &Engine,
    game: &Game,
    played: &Move,
    stop: &AtomicBool,
    limits: &SearchLimits,
) -> SearchResult {
    let mut next = game.clone();
    next.make(played);
    let ended = |margin| SearchResult { worth: Worth::result(margin), ..SearchResult::default() };
    // Where 25 seeds have decided who wins, the game goes on for the others.
    let stuck = || final_score(next.rules(), next.board()).map(|rest| next.with_rest(rest));
    let found = match next.repeated().or_else(stuck) {
        Some(margin) => ended(margin),
        None => {
            engine.think(&next, limits, stop, &mut |_| {}).unwrap_or_else(|| ended(next.ahead()))
        }
    };
    let own = Ply { seat: game.seat(), house: played.house };
    let line = std::iter::once(own).chain(found.line).collect();
    SearchResult { worth: -found.worth, depth: found.depth + 1, line, ..SearchResult::default() }
}

/// Returns what a search says of the seeds that are left in a game.
pub fn estimate(found: &SearchResult, game: &Game) -> Estimate {
    let outcome = game.over().map(|(_, margin)| outcome(margin.get()));
    let rest = found.worth.hundredths() - 100 * i32::from(game.ahead().get());
    Estimate { estimate: f64::from(rest) / 100.0, outcome, depth: found.depth }
}

/// Returns the first move of the line that was found with what it may bring.
///
/// # Panics
/// If it is not about a move of the game.
pub fn as_move(found: &SearchResult, game: &Game) -> EstimatedMove {
    let played = game.find(found.line[0].house).expect("a move of the game");
    let mut next = game.clone();
    next.make(&played);
    let outcome = next.over().map(|(_, margin)| outcome(-margin.get()));
    EstimatedMove { played, estimate: Estimate { outcome, ..estimate(found, game) } }
}

/// Returns who wins a game that ends with the mover ahead by `margin`.
fn outcome(margin: i8) -> Outcome {
    match margin {
        1.. => Outcome::Win,
        0 => Outcome::Draw,
        _ => Outcome::Loss,
    }
}

/// What the engine makes of a position: the document of `GET /v1/search`, and of `oware query
/// --estimate` where no table has the position.
#[derive(Clone, Debug, Serialize)]
pub struct EstimatedPosition {
    /// Id of the sheet.
    pub rules: &'static str,
    /// The position.
    #[serde(flatten)]
    pub position: Position,
    /// What it may be worth to the mover; nothing after the end of the game.
    #[serde(flatten)]
    pub estimate: Option<Estimate>,
    /// How far such estimates were from the score, on average, where that was measured; of a search
    /// it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_error: Option<Option<f64>>,
    /// The move that looks best.
    pub best: Vec<House>,
    /// Letters, upper case for the mover, or in a game for South.
    pub line: Vec<char>,
    /// All moves, best first, if they were looked at.
    pub moves: Vec<EstimatedMove>,
}

impl EstimatedPosition {
    /// Looks at a position; `None` if there is no move.
    pub fn of(
        engine: &Engine,
        rules: &'static Rules,
        position: Position,
    ) -> Option<EstimatedPosition> {
        let game = Game::new(rules, position);
        let each = NODES / legal_moves(rules, game.board()).len().max(1) as u64;
        let limits = SearchLimits { depth: DEEPEST, time: None, nodes: each };
        let found = of_every_move(engine, &game, &AtomicBool::new(false), |_| limits);
        let mut moves: Vec<EstimatedMove> =
            found.iter().map(|found| as_move(found, &game)).collect();
        if position.stores.is_none() {
            // Who wins the game depends on what was captured before.
            moves.iter_mut().for_each(|each| each.estimate.outcome = None);
        }
        Some(EstimatedPosition {
            rules: rules.id,
            position,
            estimate: Some(moves.first()?.estimate),
            mean_error: Some(mean_error(rules, &position)),
            best: vec![moves.first()?.played.house],
            line: letters(&found.first()?.line),
            moves,
        })
    }
}

/// Returns the letters of a line: upper case for the player to move, lower case for the other.
fn letters(line: &[Ply]) -> Vec<char> {
    let seats = Seat::BOTH.into_iter().cycle();
    line.iter().zip(seats).map(|(ply, seat)| seat.letter(ply.house)).collect()
}

/// How far estimates were from the score of `abapa`, on average, by seeds on the board from two on, in
/// hundredths of a seed: of an engine without tables, against tables to 29 seeds, 240 positions each.
/// `examples/estimate_error.rs` prints the list.
const ERRORS: [u16; 28] = [
    0, 0, 3, 6, 17, 50, 55, 104, 64, 68, 72, 84, 68, 76, 74, 79, 77, 78, 80, 73, 78, 80, 88, 98,
    92, 93, 96, 89,
];

/// Returns how far estimates of a position are from its score, on average. Tables below make them
/// better than that.
fn mean_error(rules: &Rules, position: &Position) -> Option<f64> {
    let measured = position.board.seeds().get().checked_sub(2).and_then(|at| ERRORS.get(at));
    measured.filter(|_| rules.id == ABAPA.id).map(|&hundredths| f64::from(hundredths) / 100.0)
}
