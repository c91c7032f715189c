//! The moves of every placement of a layer.
//!
//! What a move brings that leaves the layer is looked up far away in memory. So this is done for
//! many placements together, when all their moves are made: the processor then waits for many of
//! these at once. By profiles of a build of Nam Nam to 20 seeds that takes 7 % of the time instead of
//! 13.

use super::bundles::Bundles;
use super::cell::{Cell, NOTHING};
use super::work::{Below, Keeper, PIECE, unless_stopped};
use crate::error::Result;
use crate::game::mancala::outcome::Gain;
use crate::game::mancala::{Outcome, Outcomes, Placement, Sheet};
use crate::layer::general::{GeneralLayer, GeneralSolved};
use crate::parallel;
use crate::pool::Pool;

/// Placements whose moves are made before anything is looked up.
const BATCH: usize = 128;

/// Makes the moves of all placements. Returns by rank what the best move that leaves the layer
/// brings the mover, or the end of the game, and how many moves stay; adds where these lead to, if
/// edges are kept.
pub fn expand<const PLANES: usize>(
    layer: GeneralLayer,
    below: &Below,
    edges: Option<&Bundles>,
    keeper: &dyn Keeper,
) -> Result<Vec<Cell<PLANES>>> {
    let lower = LowerLayers::of(layer, below);
    let unknown = |_| Cell::new([NOTHING; PLANES], 0);
    let mut cells: Vec<Cell<PLANES>> = (0..layer.positions()).map(unknown).collect();
    let workspaces = Pool::new(|| Workspace::new(&lower, edges.is_some()));
    parallel::try_each_of(cells.chunks_mut(PIECE).enumerate(), |(piece, cells)| {
        unless_stopped(keeper)?;
        workspaces.with(|workspace| {
            workspace.piece(layer, piece * PIECE, cells);
            if let Some(edges) = edges {
                edges.add(piece, &workspace.quiet, &workspace.to);
            }
        });
        Ok(())
    })?;
    Ok(cells)
}

/// The layers below one, by seeds; `None` where a game of this many seeds is over.
pub struct LowerLayers<'a> {
    layer: GeneralLayer,
    solved: Vec<Option<&'a GeneralSolved>>,
}

impl<'a> LowerLayers<'a> {
    /// Those that a layer rests on.
    pub fn of(layer: GeneralLayer, below: &'a Below) -> LowerLayers<'a> {
        let mut solved = vec![None; layer.seeds()];
        for (&seeds, found) in below.range(..layer.seeds()) {
            solved[seeds] = Some(found);
        }
        LowerLayers { layer, solved }
    }

    /// The layer of this many seeds.
    pub fn get(&self, seeds: usize) -> Option<&'a GeneralSolved> {
        self.solved[seeds]
    }

    /// What a move that leaves the layer brings.
    pub fn brings(&self, outcome: &Outcome) -> (i8, i8) {
        let next = match self.get(outcome.next.seeds()) {
            Some(solved) => solved.bounds(&outcome.next),
            None => over(self.layer.sheet(), outcome),
        };
        outcome.gain().bounds(next)
    }
}

/// What a finished game is worth.
fn over(sheet: &Sheet, outcome: &Outcome) -> (i8, i8) {
    let score = sheet.final_score(&outcome.next).expect("a solved layer, or a finished game");
    (score, score)
}

/// A move that leaves the layer, whose worth is to be looked up.
struct Question<'a> {
    /// The place in the batch.
    at: usize,
    gain: Gain,
    solved: &'a GeneralSolved,
    rank: usize,
}

/// What a task needs again for the next piece.
struct Workspace<'a> {
    lower: &'a LowerLayers<'a>,
    keeps_edges: bool,
    /// The moves at hand.
    outcomes: Outcomes,
    /// Of the batch at hand: what leaving brings, and what is still to be looked up.
    leaving: Vec<[i8; 2]>,
    questions: Vec<Question<'a>>,
    /// Of the piece: how many moves stay in the layer, and the ranks that they lead to.
    quiet: Vec<u8>,
    to: Vec<u32>,
}

impl<'a> Workspace<'a> {
    fn new(lower: &'a LowerLayers<'a>, keeps_edges: bool) -> Self {
        Workspace {
            lower,
            keeps_edges,
            outcomes: Outcomes::new(),
            leaving: Vec::new(),
            questions: Vec::new(),
            quiet: Vec::new(),
            to: Vec::new(),
        }
    }

    /// Makes the moves of a piece that begins with a rank.
    fn piece<const PLANES: usize>(
        &mut self,
        layer: GeneralLayer,
        first: usize,
        cells: &mut [Cell<PLANES>],
    ) {
        self.quiet.clear();
        self.to.clear();
        let mut placements = layer.placements(first as u64, cells.len());
        for cells in cells.chunks_mut(BATCH) {
            let begin = self.quiet.len();
            placements.by_ref().take(cells.len()).for_each(|placement| self.add(layer, &placement));
            self.answer();
            for ((cell, leaving), &quiet) in
                cells.iter_mut().zip(self.leaving.drain(..)).zip(&self.quiet[begin..])
            {
                *cell = Cell::new(std::array::from_fn(|plane| leaving[plane]), quiet);
            }
        }
    }

    /// Makes the moves of a placement.
    fn add(&mut self, layer: GeneralLayer, placement: &Placement) {
        let sheet = layer.sheet();
        let (mut leaving, mut quiet) = ([NOTHING; 2], 0);
        self.outcomes.clear();
        sheet.game.add_outcomes(placement, &mut self.outcomes);
        if self.outcomes.is_empty() {
            leaving = [sheet.game.final_score(placement); 2];
        }
        for outcome in &self.outcomes {
            if !outcome.leaves_layer() {
                quiet += 1;
                if self.keeps_edges {
                    self.to.push(layer.rank(&outcome.next) as u32);
                }
                continue;
            }
            let gain = outcome.gain();
            match self.lower.get(outcome.next.seeds()) {
                Some(solved) => {
                    let (at, rank) = (self.leaving.len(), solved.layer.rank(&outcome.next));
                    self.questions.push(Question { at, gain, solved, rank: rank as usize });
                }
                None => raise(&mut leaving, gain.bounds(over(sheet, outcome))),
            }
        }
        self.leaving.push(leaving);
        self.quiet.push(quiet);
    }

    /// Looks up what is still to be looked up.
    fn answer(&mut self) {
        for Question { at, gain, solved, rank } in self.questions.drain(..) {
            let next = (solved.low[rank], solved.high()[rank]);
            raise(&mut self.leaving[at], gain.bounds(next));
        }
    }
}

/// Takes the better of two moves, for each bound.
fn raise(best: &mut [i8; 2], (low, high): (i8, i8)) {
    *best = [best[0].max(low), best[1].max(high)];
}
