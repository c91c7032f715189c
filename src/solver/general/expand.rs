//! The moves of every placement of a layer.

use rayon::prelude::*;

use super::predecessors::Bundle;
use super::work::{Below, Edges, Keeper, PIECE, unless_stopped};
use crate::error::Result;
use crate::game::mancala::{Outcome, Outcomes, Placement, Sheet};
use crate::layer::general::{GeneralLayer, GeneralSolved};

/// What leaving the layer is worth where no move does: less than anything.
pub const NOTHING: i8 = i8::MIN;

/// The moves of a layer.
pub struct Expanded {
    /// By rank: what the best move that leaves the layer brings the mover at least, or the end of
    /// the game.
    pub low: Vec<i8>,
    /// The same at most; empty where one number is both.
    pub high: Vec<i8>,
    /// How many moves stay.
    pub quiet: Vec<u8>,
    /// By piece of the layer: where these moves lead to, if they are kept.
    pub edges: Vec<Bundle>,
}

/// What a task has found.
#[derive(Default)]
struct Piece {
    low: Vec<i8>,
    high: Vec<i8>,
    quiet: Vec<u8>,
    edges: Bundle,
}

/// What a task needs again for the next piece.
#[derive(Default)]
struct Workspace {
    /// The moves at hand.
    outcomes: Outcomes,
    /// In order of ranks: the ranks that quiet moves lead to.
    to: Vec<u32>,
}

/// Makes the moves of all placements.
pub fn expand(
    layer: GeneralLayer,
    below: &Below,
    keeps: Edges,
    keeper: &dyn Keeper,
) -> Result<Expanded> {
    let positions = layer.positions();
    let mut lower = vec![None; layer.seeds()];
    for (&seeds, solved) in below.range(..layer.seeds()) {
        lower[seeds] = Some(solved);
    }
    let pieces: Vec<Piece> = (0..positions.div_ceil(PIECE as u64))
        .into_par_iter()
        .map_init(Workspace::default, |workspace, number| {
            unless_stopped(keeper)?;
            let first = number * PIECE as u64;
            let count = (positions - first).min(PIECE as u64) as usize;
            let mut piece = Piece::default();
            workspace.to.clear();
            layer
                .placements(first, count)
                .for_each(|placement| piece.add(layer, &lower, keeps, &placement, workspace));
            piece.edges = match keeps {
                Edges::Kept => Bundle::new(&piece.quiet, &workspace.to, positions as usize),
                Edges::MadeAnew => Bundle::default(),
            };
            Ok(piece)
        })
        .collect::<Result<_>>()?;
    let mut all = Expanded { low: vec![], high: vec![], quiet: vec![], edges: vec![] };
    for piece in pieces {
        all.low.extend_from_slice(&piece.low);
        all.high.extend_from_slice(&piece.high);
        all.quiet.extend_from_slice(&piece.quiet);
        all.edges.push(piece.edges);
    }
    Ok(all)
}

impl Piece {
    fn add(
        &mut self,
        layer: GeneralLayer,
        lower: &[Option<&GeneralSolved>],
        keeps: Edges,
        placement: &Placement,
        workspace: &mut Workspace,
    ) {
        let Workspace { outcomes, to } = workspace;
        let sheet = layer.sheet();
        let (mut low, mut high, mut quiet) = (NOTHING, NOTHING, 0);
        outcomes.clear();
        sheet.game.add_outcomes(placement, outcomes);
        if outcomes.is_empty() {
            low = sheet.game.final_score(placement);
            high = low;
        }
        for outcome in outcomes.iter() {
            if outcome.leaves_layer() {
                let brings = leaving(sheet, lower, outcome);
                (low, high) = (low.max(brings.0), high.max(brings.1));
            } else {
                quiet += 1;
                match keeps {
                    Edges::Kept => to.push(layer.rank(&outcome.next) as u32),
                    Edges::MadeAnew => {}
                }
            }
        }
        self.low.push(low);
        if sheet.planes() == 2 {
            self.high.push(high);
        }
        self.quiet.push(quiet);
    }
}

/// What a move that leaves the layer brings.
pub fn leaving(sheet: &Sheet, lower: &[Option<&GeneralSolved>], outcome: &Outcome) -> (i8, i8) {
    let seeds = outcome.next.seeds();
    let next = match lower[seeds] {
        Some(solved) => solved.bounds(&outcome.next),
        None => {
            let score =
                sheet.final_score(&outcome.next).expect("a solved layer, or a finished game");
            (score, score)
        }
    };
    outcome.bounds(next)
}
