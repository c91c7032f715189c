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
    /// The capturing lanes.
    pub captures: Captures,
}

/// The capturing lanes of a passage.
#[derive(Debug, Default)]
pub struct Captures {
    /// Lanes that capture from the opponent's row, by the number of seeds captured.
    pub by_seeds: Vec<Windows>,
    /// Where the harvest lies in the mover's own row instead: lanes by the number of hit houses.
    pub by_hits: Vec<Windows>,
    /// Lanes whose harvest would starve the opponent, legal only when nothing else is.
    pub starving: Vec<u32>,
}

/// Lanes, each with the column it leads to.
type Children = Vec<(usize, usize)>;

impl Transit {
    /// What `passage` does to all rows with some number of seeds, in order.
    pub fn new(rules: &Rules, sides: &[Side], passage: Passage) -> Transit {
        let (mut quiet, mut starving) = (Children::new(), Vec::new());
        let (mut by_seeds, mut by_hits) = (Vec::new(), Vec::new());
        for (lane, &row) in sides.iter().enumerate() {
            match passage.meet(rules, row) {
                Meeting::Quiet(landed) => quiet.push((lane, row_rank(landed))),
                Meeting::Starving => starving.push(lane as u32),
                Meeting::Capture { landed, hits } => match rules.harvest {
                    Harvest::LastHouses => {
                        let spared = passage.spares(landed, hits);
                        let seeds = landed.seeds() - spared.seeds();
                        note(&mut by_seeds, seeds, (lane, row_rank(spared)));
                    }
                    Harvest::Opposite => note(&mut by_hits, hits, (lane, row_rank(landed))),
                },
            }
        }
        let windows = |children: Children| Windows::new(sides.len(), children);
        let all = |lists: Vec<Children>| lists.into_iter().map(windows).collect();
        Transit {
            crossed: passage.crossing.seeds as usize,
            quiet: windows(quiet),
            captures: Captures { by_seeds: all(by_seeds), by_hits: all(by_hits), starving },
        }
    }
}

/// Adds a lane and its column to the list of a key.
fn note(lists: &mut Vec<Children>, key: usize, child: (usize, usize)) {
    if lists.len() <= key {
        lists.resize_with(key + 1, Vec::new);
    }
    lists[key].push(child);
}
