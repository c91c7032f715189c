//! How much memory ranks need, computed from the layer and its cut before anything is solved.
//!
//! Rows are taken to be spread evenly, so a rank's scores may take some per cent more or less
//! than foretold. What a rank receives from others is taken to be a multiple of its own scores,
//! which a test compares with the lists of what ranks exchange.

use super::cut::{Area, Cut, ROLES};
use super::tail::TAIL;
use crate::game::board::HOUSES;
use crate::game::rules::Rules;
use crate::layer::index::{Layer, rows};
use crate::layer::line::LINE;
use crate::layer::packing::Packing;
use crate::layer::plane::Plane;
use crate::solver::claims::listed;
use crate::solver::fixpoint::tail_memory;
use crate::solver::kernel::Pull;
use crate::solver::sweep::strips;

/// Bytes of others' scores in a pair, for each byte of a rank's own scores there: measured, rather
/// too many than too few (see the test below).
const GHOSTS: f64 = 4.0;

/// The same where home moves are among the moves that lead to others: not measured but bounded by
/// the same test, and too many.
const GHOSTS_OF_ALL: f64 = 6.0;

/// Moves of a half-board: of six houses five hold seeds, in layers that are large.
const MOVES: u64 = 5;

/// Bytes that the moves of a half-board take while claims are closed: each may lead to what is here
/// and to what others have.
const MOVES_BYTES: u64 = 2 * (HOUSES * size_of::<Pull>()) as u64;

/// Bytes of memory that solving a layer takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needs {
    /// What the rank with the largest share holds of the layer, and of others' scores.
    pub share: u64,
    /// What of that is in memory even if parts are on disk: others' scores, mostly.
    pub loose: u64,
    /// What of it is left when the layer is solved.
    pub kept: u64,
    /// What each rank knows of moves, and a block of a lower layer.
    pub common: u64,
}

impl Needs {
    /// Those of a layer for this many ranks, with a strategy or without.
    pub fn of(rules: &Rules, layer: Layer, ranks: usize, strategies: bool) -> Needs {
        let seeds = layer.seeds();
        let bytes = |lines: u64| lines * Packing::of(layer.range()).bytes() as u64;
        let (cut, planes) = (Cut::new(seeds.get(), ranks), crate::solver::planes(rules));
        // A core has planes of its own. While the first of them comes to be, the values of captures
        // for one bound are still there.
        let most = |of_share: &dyn Fn(RankLines) -> u64| {
            let shares = (0..ranks).map(|rank| of_share(share(layer, &cut, rank)));
            shares.max().unwrap_or(0)
        };
        let marks = |scores: u64| planes * scores * LINE as u64 / 8;
        let kept = |scores: u64| planes * bytes(scores) + marks(scores);
        // The last sweeps need no others' scores beforehand.
        let tail = tail_memory(planes * layer.positions(), TAIL);
        // Others' scores, and what a pair computes in its larger block, are not packed.
        let loose = |pair: u64| {
            let pair = pair * LINE as u64;
            (planes * (pair / 2 + (pair as f64 * GHOSTS) as u64)).max(tail)
        };
        let solving = |RankLines { scores, constants, pair }| {
            let core = if planes == 2 { planes * scores } else { 0 };
            kept(scores) + bytes(core.max(planes * constants)) + loose(pair)
        };
        // What is met, by move where it is tight, and the list of what is open in the end.
        let closes = strategies || crate::solver::hangs_on_claims(rules);
        let lines = Plane::lines(layer);
        let list_of_line = listed::memory(layer, lines).div_ceil(lines.max(1));
        let ghosts_of_all = if closes { GHOSTS_OF_ALL } else { 0.0 };
        let loose_claims =
            |pair: u64| ((planes * pair * LINE as u64) as f64 * ghosts_of_all) as u64;
        let claims = |RankLines { scores, pair, .. }| {
            let positions = if closes { scores * LINE as u64 } else { 0 };
            let list = if strategies { scores * list_of_line } else { 0 };
            positions / 4 + MOVES * planes * positions / 8 + loose_claims(pair) + list
        };
        let half_boards: u64 = (0..=seeds.get()).map(|own| rows(own) as u64).sum();
        let largest =
            seeds.below().next().map_or(0, |below| largest_block(Layer::of(rules, below)));
        Needs {
            share: most(&|share| solving(share).max(kept(share.scores) + claims(share))),
            loose: most(&|share| loose(share.pair).max(loose_claims(share.pair))),
            kept: most(&|share| kept(share.scores)),
            common: (400 + if closes { MOVES_BYTES } else { 0 }) * half_boards + largest,
        }
    }
}

/// Lines of one rank.
#[derive(Clone, Copy)]
struct RankLines {
    /// A plane.
    scores: u64,
    /// What captures are worth to it.
    constants: u64,
    /// The largest pair of a plane.
    pair: u64,
}

fn share(layer: Layer, cut: &Cut, rank: usize) -> RankLines {
    let seeds = layer.seeds().get();
    let (mut scores, mut constants, mut largest) = (0_u64, 0, 0);
    for small in 0..=seeds / 2 {
        let (large, interval) = (seeds - small, cut.interval(small, rank));
        let part = interval.len() as f64 / strips(small) as f64;
        let lines = interval.len() as u64 * layer.block_shape(small).0 as u64;
        let beside = (strips(large) * layer.block_shape(large).0) as f64 * part;
        let pair = lines + if small == large { 0 } else { beside as u64 };
        (scores, largest) = (scores + pair, largest.max(pair));
        for role in ROLES {
            let Area { own, tiles, lines } = cut.area(small, rank, role);
            constants += (tiles.len() * LINE) as u64 * panels(layer, own, lines.len());
        }
    }
    RankLines { scores, constants, pair: largest }
}

/// Panels that the rows of a block fill which have their lanes in this many lines: rows are taken to be
/// spread evenly, and the first and the last panel may be another rank's, too.
fn panels(layer: Layer, own: usize, lines: usize) -> u64 {
    let (against, all) = (layer.block_shape(own).0, rows(layer.seeds().get() - own));
    if lines == 0 { 0 } else { (lines as u64 * against as u64).div_ceil(all as u64) + 1 }
}

fn largest_block(layer: Layer) -> u64 {
    let bytes = |own| layer.block_shape(own).0 as u64 * (strips(own) * LINE) as u64;
    (0..=layer.seeds().get()).map(bytes).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::cut::Reach;
    use super::super::links::{Links, Spreads};
    use super::super::shares::Shares;
    use super::super::task::PairLists;
    use super::*;
    use crate::game::{AWARI, ScoreRange, Seeds};
    use crate::layer::arena::Arena;
    use crate::layer::plane::Plane;
    use crate::solver::plan::Plans;

    /// What is foretold against what is allocated.
    #[test]
    fn shares_are_as_foretold() {
        let mut plans = Plans::new(&AWARI);
        for (seeds, ranks) in [(12, 2), (13, 4), (16, 4), (16, 8)] {
            let plan = &plans.layer(Seeds::new(seeds).unwrap());
            let cut = Cut::new(seeds, ranks);
            let (shares, mut whole) = (Shares::of(plan, &cut), 0);
            for rank in 0..ranks {
                let own = shares.plane(&Arena::default(), rank, 0).unwrap();
                let scores = own.bytes().len() / LINE;
                let foretold = share(plan.layer, &cut, rank);
                let error = scores as f64 / foretold.scores as f64 - 1.0;
                // Rows are taken to be spread evenly; higher half-boards have fewer.
                assert!((-0.15..0.06).contains(&error), "{seeds} {ranks} {rank}: {error}");
                whole += scores as u64;
                let bytes =
                    |links: &Links| LINE * links.links.iter().map(|link| link.lines).sum::<usize>();
                let lists = PairLists::all(plan, &cut, rank, &mut Spreads::default());
                let ghosts = lists.iter().map(|lists| bytes(&lists.links)).max().unwrap();
                let ratio = ghosts as f64 / (foretold.pair * LINE as u64) as f64;
                assert!(ratio < GHOSTS, "{seeds} {ranks} {rank}: {ratio}");
                let held = |small| {
                    Links::new(plan, &cut, small, rank, Reach::Held, &mut Spreads::default())
                };
                let ghosts = (0..=seeds / 2).map(|small| bytes(&held(small))).max().unwrap();
                let ratio = ghosts as f64 / (foretold.pair * LINE as u64) as f64;
                assert!(ratio < GHOSTS_OF_ALL, "{seeds} {ranks} {rank}: {ratio} with home moves");
            }
            assert_eq!(whole, Plane::lines(plan.layer));
        }
    }

    #[test]
    fn more_ranks_need_less_each() {
        let layer = Layer::of(&AWARI, Seeds::new(48).unwrap());
        let needs = |ranks| Needs::of(&AWARI, layer, ranks, true);
        let shares = [1, 4, 16, 64].map(|ranks| needs(ranks).share as f64);
        for (few, many) in shares.iter().zip(&shares[1..]) {
            assert!((2.0..4.5).contains(&(few / many)), "{shares:?}");
        }
    }

    /// Three scores are told apart.
    #[test]
    fn few_scores_need_less() {
        let full = Layer::of(&AWARI, Seeds::MAX);
        let few = full.with_range(ScoreRange::deciding(&AWARI, Seeds::MAX, Some(Seeds::MAX)));
        let [full, few] = [full, few].map(|layer| Needs::of(&AWARI, layer, 16, false));
        assert_eq!(few.loose, full.loose);
        // A quarter of 64 bytes for a line, and eight bytes of marks either way.
        assert_eq!(few.kept * (64 + 8), full.kept * (64 / 4 + 8));
        assert!(few.share - few.loose < (full.share - full.loose) / 2);
    }
}
