//! Transits: where the children of all rows of the opponent are, for one passage.

use super::passage::{Meeting, Passage};
use crate::game::board::Side;
use crate::game::rules::{Harvest, Rules};
use crate::layer::index::row_rank;
use crate::solver::windows::Windows;

/// What a passage does to every row of some number of opponent's seeds.
#[derive(Debug)]
pub struct Transit {
    /// Seeds that cross.
    pub crossed: usize,
    /// The quiet lanes.
    pub quiet: Windows,
    /// The rows of the block against which captures are made: by the number of seeds captured from
    /// them, or where the harvest lies in the mover's own row by the number of hit houses.
    pub captures: Vec<Windows>,
    /// Rows of the block whose harvest would starve the opponent, legal only when nothing else is.
    pub starving: Vec<u32>,
}

/// Lanes or rows, each with the column it leads to.
type Children = Vec<(usize, usize)>;

impl Transit {
    /// What `passage` does to all half-boards with some number of seeds, in order; each comes with the
    /// row of the block that it is, if it is one.
    pub fn new(
        rules: &Rules,
        sides: impl Iterator<Item = (Side, Option<usize>)>,
        passage: Passage,
    ) -> Transit {
        let (mut quiet, mut starving) = (Children::new(), Vec::new());
        let (mut captures, mut lanes, mut rows) = (Vec::<Children>::new(), 0, 0);
        for (side, row) in sides {
            match (passage.meet(rules, side), row) {
                (Meeting::Quiet(landed), _) => quiet.push((lanes, row_rank(landed))),
                (_, None) => {}
                (Meeting::Starving, Some(row)) => starving.push(row as u32),
                (Meeting::Capture { landed, hits }, Some(row)) => {
                    let (kind, left) = match rules.harvest {
                        Harvest::LastHouses => {
                            let spared = passage.spares(landed, hits);
                            (landed.seeds() - spared.seeds(), spared)
                        }
                        Harvest::Opposite => (hits, landed),
                    };
                    if captures.len() <= kind {
                        captures.resize_with(kind + 1, Children::new);
                    }
                    captures[kind].push((row, row_rank(left)));
                }
            }
            (lanes, rows) = (lanes + 1, rows + usize::from(row.is_some()));
        }
        let windows = |children: Children| Windows::new(rows, children);
        Transit {
            crossed: passage.crossing.seeds as usize,
            quiet: Windows::new(lanes, quiet),
            captures: captures.into_iter().map(windows).collect(),
            starving,
        }
    }
}
