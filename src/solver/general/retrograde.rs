//! From the largest score down, backwards.
//!
//! Let S(v) be the placements in which the mover secures v, and T(v) those in which the *opponent*
//! does. A placement is in S(v) if a move that leaves the layer brings v, or a quiet move leads into
//! T(v). It is in T(v) if no move that leaves brings the mover more than −v, and all quiet moves
//! lead into S(v). Both are least solutions, for v greater than what going round brings, and they
//! grow as v falls. So levels are gone through from the largest v down; at each, what leaving the
//! layer brings adds the first placements, and from there on rounds go backwards along the edges.
//! A placement counts down its quiet moves as they come to lead into S, so that each edge is looked
//! at once in all levels together.
//!
//! The level at which a placement enters S is its lower bound, that at which it enters T its upper
//! one, with the sign changed. Where going round is worth 0, levels end at 1, both bounds are one
//! number, and what has entered neither is worth 0. Where it draws the game, levels go down to
//! 1 − n, and what has not entered has the bound −n or n.
//!
//! # Stamps
//!
//! The stamp of a claim is half the round in which the placement entered T, counted from 1 in each
//! level: a tight reply leads to a placement of the same level that is in S because a move leaves
//! the layer, or because one leads to a claim that settled two rounds earlier. So the conditions of
//! [`crate::layer::Strategy`] hold. Claims that nothing need be done about have 0.
//!
//! In games that nothing leaves there is one level, and every placement has its round for a stamp,
//! which is the number of plies to the end: who wins chooses the earliest child, and who loses the
//! last.

use std::sync::atomic::{AtomicBool, AtomicI8, AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use super::expand::{Expanded, NOTHING};
use super::predecessors::Predecessors;
use super::work::{PIECE, unless_stopped};
use crate::error::Result;
use crate::game::mancala::{Circling, Layers};
use crate::layer::general::{GeneralLayer, GeneralSolved, NEVER};

/// Says of a bound that it is not settled.
const OPEN: i8 = i8::MIN;

/// Placements of a round that one task goes through.
const TASK: usize = 1 << 10;

/// The bounds of a layer, given its moves.
pub fn solve(layer: GeneralLayer, expanded: Expanded, stop: &AtomicBool) -> Result<GeneralSolved> {
    let Expanded { low, high, quiet, edges } = expanded;
    let predecessors = Predecessors::of(&quiet, edges);
    let positions = low.len();
    let open = || (0..positions).map(|_| AtomicI8::new(OPEN)).collect::<Vec<_>>();
    let (lows, highs) = (open(), (!high.is_empty()).then(open));
    let search = Search {
        layer,
        predecessors,
        leaving: [&low, if high.is_empty() { &low } else { &high }],
        left: quiet.into_iter().map(AtomicU8::new).collect(),
        settled: [&lows, highs.as_ref().unwrap_or(&lows)],
        stamps: (0..positions).map(|_| AtomicU8::new(0)).collect(),
    };
    search.run(stop)?;
    let mut stamps: Vec<u8> = search.stamps.into_iter().map(AtomicU8::into_inner).collect();
    let most = layer.most();
    let (unsure_low, unsure_high) = match layer.sheet().circling {
        Circling::EvenSplit | Circling::Never => (0, 0),
        Circling::Drawn => (-most, most),
    };
    let low = closed(lows, unsure_low);
    if layer.sheet().layers == Layers::Alone {
        let drawn = stamps.iter_mut().zip(&low).filter(|(_, low)| **low == 0);
        drawn.for_each(|(plies, _)| *plies = NEVER);
    }
    let high = highs.map(|highs| closed(highs, unsure_high));
    Ok(GeneralSolved { layer, low, high, stamps: Some(stamps) })
}

fn closed(bounds: Vec<AtomicI8>, unsure: i8) -> Vec<i8> {
    let settled = |bound: AtomicI8| match bound.into_inner() {
        OPEN => unsure,
        bound => bound,
    };
    bounds.into_iter().map(settled).collect()
}

struct Search<'a> {
    layer: GeneralLayer,
    predecessors: Predecessors,
    /// What leaving the layer brings, at least and at most.
    leaving: [&'a [i8]; 2],
    /// Quiet moves that do not lead into S yet.
    left: Vec<AtomicU8>,
    /// Lower and upper bounds.
    settled: [&'a [AtomicI8]; 2],
    stamps: Vec<AtomicU8>,
}

/// What has entered S, and what has entered T.
#[derive(Default)]
struct Entered {
    mover: Vec<u32>,
    opponent: Vec<u32>,
}

impl Entered {
    fn is_empty(&self) -> bool {
        self.mover.is_empty() && self.opponent.is_empty()
    }

    fn join(mut self, mut other: Entered) -> Entered {
        self.mover.append(&mut other.mover);
        self.opponent.append(&mut other.opponent);
        self
    }
}

impl Search<'_> {
    fn run(&self, stop: &AtomicBool) -> Result<()> {
        let most = self.layer.most();
        let least = match self.layer.sheet().circling {
            Circling::EvenSplit | Circling::Never => 1,
            Circling::Drawn => 1 - most,
        };
        let occurs = self.occurring();
        for level in (least..=most).rev().filter(|&level| occurs[(level as u8) as usize]) {
            unless_stopped(stop)?;
            let mut entered = self.begin(level);
            let mut round = 0;
            while !entered.is_empty() {
                round += 1;
                unless_stopped(stop)?;
                entered = self.step(&entered, level, round);
            }
        }
        Ok(())
    }

    /// Which levels leaving the layer begins, read as a byte without a sign.
    fn occurring(&self) -> [bool; 256] {
        let none = || [false; 256];
        let enter = |mut found: [bool; 256], part: (&[i8], &[i8])| {
            part.0.iter().for_each(|&low| found[(low as u8) as usize] = true);
            part.1.iter().for_each(|&high| found[(high.wrapping_neg() as u8) as usize] = true);
            found
        };
        let parts = self.leaving[0].par_chunks(PIECE).zip(self.leaving[1].par_chunks(PIECE));
        parts.fold(none, enter).reduce(none, |mut one, other| {
            one.iter_mut().zip(other).for_each(|(one, other)| *one |= other);
            one
        })
    }

    /// What leaving the layer adds at a level.
    fn begin(&self, level: i8) -> Entered {
        let [leaving_low, leaving_high] = self.leaving;
        let part = |first: usize| {
            let mut entered = Entered::default();
            for rank in first..(first + PIECE).min(leaving_low.len()) {
                let [low, high] = [0, 1].map(|bound| &self.settled[bound][rank]);
                if leaving_low[rank] >= level && low.load(Relaxed) == OPEN {
                    low.store(level, Relaxed);
                    entered.mover.push(rank as u32);
                }
                if leaving_high[rank] <= -level
                    && high.load(Relaxed) == OPEN
                    && self.left[rank].load(Relaxed) == 0
                {
                    self.enter_opponent(rank, level, 0);
                    entered.opponent.push(rank as u32);
                }
            }
            entered
        };
        let firsts = (0..leaving_low.len()).into_par_iter().step_by(PIECE);
        firsts.map(part).reduce(Entered::default, Entered::join)
    }

    /// One round: what has a move into T enters S, what has only moves into S enters T.
    fn step(&self, entered: &Entered, level: i8, round: usize) -> Entered {
        let mover = |part: &[u32]| {
            let before = part.iter().flat_map(|&rank| self.predecessors.of_rank(rank)).copied();
            let mover = before.filter(|&rank| self.enter_mover(rank, level, round)).collect();
            Entered { mover, opponent: Vec::new() }
        };
        let opponent = |part: &[u32]| {
            let before = part.iter().flat_map(|&rank| self.predecessors.of_rank(rank)).copied();
            let opponent = before.filter(|&rank| self.count_down(rank, level, round)).collect();
            Entered { mover: Vec::new(), opponent }
        };
        let into_mover = entered.opponent.par_chunks(TASK).map(mover);
        let into_opponent = entered.mover.par_chunks(TASK).map(opponent);
        into_mover.chain(into_opponent).reduce(Entered::default, Entered::join)
    }

    fn enter_mover(&self, rank: u32, level: i8, round: usize) -> bool {
        let low = &self.settled[0][rank as usize];
        let enters = low.compare_exchange(OPEN, level, Relaxed, Relaxed).is_ok();
        if enters && self.layer.sheet().layers == Layers::Alone {
            self.stamps[rank as usize].store(stamp(round), Relaxed);
        }
        enters
    }

    /// One quiet move more leads into S.
    fn count_down(&self, rank: u32, level: i8, round: usize) -> bool {
        let rank = rank as usize;
        let enters = self.left[rank].fetch_sub(1, Relaxed) == 1
            && self.leaving[1][rank] <= -level
            && self.settled[1][rank].load(Relaxed) == OPEN;
        if enters {
            self.enter_opponent(rank, level, round);
        }
        enters
    }

    fn enter_opponent(&self, rank: usize, level: i8, round: usize) {
        self.settled[1][rank].store(-level, Relaxed);
        let number = match self.layer.sheet().layers {
            Layers::BySeeds => 1 + round.div_ceil(2),
            Layers::Alone => round,
        };
        self.stamps[rank].store(stamp(number), Relaxed);
    }
}

fn stamp(number: usize) -> u8 {
    number.min(usize::from(NEVER)) as u8
}

const _: () = assert!(NOTHING == OPEN, "neither is a score");
