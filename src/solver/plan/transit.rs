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
    /// The rows of the block against which captures are made.
    pub captures: PassageCaptures,
}

/// The captures of a passage, against rows of the block.
#[derive(Debug, Default)]
pub struct PassageCaptures {
    /// Those from the opponent's row, by the number of seeds captured.
    pub by_seeds: Vec<Windows>,
    /// Where the harvest lies in the mover's own row instead: by the number of hit houses.
    pub by_hits: Vec<Windows>,
    /// Rows whose harvest would starve the opponent, legal only when nothing else is.
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
        let (mut by_seeds, mut by_hits) = (Vec::new(), Vec::new());
        let (mut lanes, mut rows) = (0, 0);
        for (side, row) in sides {
            match (passage.meet(rules, side), row) {
                (Meeting::Quiet(landed), _) => quiet.push((lanes, row_rank(landed))),
                (_, None) => {}
                (Meeting::Starving, Some(row)) => starving.push(row as u32),
                (Meeting::Capture { landed, hits }, Some(row)) => match rules.harvest {
                    Harvest::LastHouses => {
                        let spared = passage.spares(landed, hits);
                        let seeds = landed.seeds() - spared.seeds();
                        note(&mut by_seeds, seeds, (row, row_rank(spared)));
                    }
                    Harvest::Opposite => note(&mut by_hits, hits, (row, row_rank(landed))),
                },
            }
            (lanes, rows) = (lanes + 1, rows + usize::from(row.is_some()));
        }
        let windows = |children: Children| Windows::new(rows, children);
        let all = |lists: Vec<Children>| lists.into_iter().map(windows).collect();
        Transit {
            crossed: passage.crossing.seeds as usize,
            quiet: Windows::new(lanes, quiet),
            captures: PassageCaptures { by_seeds: all(by_seeds), by_hits: all(by_hits), starving },
        }
    }
}

/// Adds a row and its column to the list of a key.
fn note(lists: &mut Vec<Children>, key: usize, child: (usize, usize)) {
    if lists.len() <= key {
        lists.resize_with(key + 1, Vec::new);
    }
    lists[key].push(child);
}
