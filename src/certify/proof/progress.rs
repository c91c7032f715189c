//! Theorem 4 by sweeps over half-boards: claims that default moves and exceptions collect.
//!
//! Each position has two claims, its mover's and the opponent's. What *follows* the mover's is the
//! opponent's claim in the child that the strategy moves to; what follows the opponent's are the
//! mover's claims after all tight quiet replies. A claim is **met**
//!
//! 1. if nothing need be done about it, or it is the mover's and a capture or the end of the game
//!    brings it at once,
//! 2. if all that follows it is met,
//! 3. if it belongs to the largest set of claims that are not met otherwise, each at a position that
//!    is good for it, and followed by claims only that are met or in the set.
//!
//! Sweeps add by 2 until nothing changes, then once by 3, and so on. Along the strategy's moves and
//! tight replies, claims that were met by 2 lead to claims met before; those met by 3, to claims met
//! before or with them. So on a cycle all were met together by 3, at good positions, which is what
//! theorem 4 asks for. If some are left, play can go round among them and past a position that is
//! not good, or the strategy has a move there that does not keep the claim.
//!
//! Threads share one byte a position: whoever reads an old one only finds out later, for bits are
//! only added, or in step 3 only taken away.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use rayon::prelude::*;

use super::half_boards::{Child, Play};
use super::next::{Failing, Next};
use super::scan::{Scan, Task};
use crate::game::{Endless, House};
use crate::layer::{Exceptions, Rank};

/// The mover's claim is met.
const MOVER: u8 = 1;
/// The opponent's claim is met.
const OPPONENT: u8 = 2;
/// Both claims.
const BOTH: u8 = MOVER | OPPONENT;
/// By how much the bits of the set are further left.
const IN_SET: u32 = 2;
/// The strategy has an exception here.
const EXCEPTION: u8 = 16;

/// The positions with a claim that is not met, given bounds that are right.
pub fn failing(next: &Next, scan: &Scan) -> Failing {
    let none = Exceptions::default();
    let exceptions = next.claims.exceptions.as_ref().unwrap_or(&none);
    let idle = match next.rules.endless {
        Endless::EvenSplit => 0,
        Endless::OwnSide(_) | Endless::Drawn => -(next.claims.layer.seeds().get() as i8),
    };
    let met = (0..scan.low.len()).into_par_iter().map(|_| AtomicU8::new(0)).collect();
    let progress = Progress { scan, exceptions, idle, met };
    progress.begin();
    progress.run();
    let mut failing = Failing::default();
    for (rank, met) in progress.met.iter().enumerate() {
        if met.load(Ordering::Relaxed) & BOTH != BOTH {
            failing.note(rank as u64);
        }
    }
    failing
}

struct Progress<'a> {
    scan: &'a Scan<'a>,
    exceptions: &'a Exceptions,
    /// The largest claim about which nothing need be done.
    idle: i8,
    met: Vec<AtomicU8>,
}

impl Progress<'_> {
    /// Marks exceptions.
    fn begin(&self) {
        for found in self.exceptions.iter() {
            self.met[found.rank.0 as usize].fetch_or(EXCEPTION, Ordering::Relaxed);
        }
    }

    fn run(&self) {
        loop {
            while self.sweep(|plays, _, row, rank| self.meet(plays, row, rank)) {}
            if !self.meet_together() {
                return;
            }
        }
    }

    /// Goes once through the layer. Returns whether anything has changed.
    fn sweep(&self, change: impl Fn(&[Play], Task, usize, usize) -> bool + Sync) -> bool {
        let changed = AtomicBool::new(false);
        self.scan.tasks().into_par_iter().for_each(|task| {
            let mut any = false;
            self.scan.judge(task, |plays, row, rank| {
                any |= change(plays, task, row, rank);
                true
            });
            changed.fetch_or(any, Ordering::Relaxed);
        });
        changed.into_inner()
    }

    fn at(&self, rank: usize) -> u8 {
        self.met[rank].load(Ordering::Relaxed)
    }

    /// Step 2, and 1. Returns whether a claim of the position is met now that was not.
    fn meet(&self, plays: &[Play], row: usize, rank: usize) -> bool {
        let open = BOTH & !self.at(rank);
        if open == 0 {
            return false;
        }
        let followed = self.followed(plays, row, rank, open, |claim, at| at & claim != 0);
        self.met[rank].fetch_or(followed, Ordering::Relaxed);
        followed != 0
    }

    /// Step 3. Returns whether it adds any claim.
    fn meet_together(&self) -> bool {
        self.sweep(|_, task, _, rank| {
            let good = BOTH & !self.at(rank) & self.good(task, rank);
            self.met[rank].fetch_or(good << IN_SET, Ordering::Relaxed);
            false
        });
        while self.sweep(|plays, _, row, rank| self.leave(plays, row, rank)) {}
        let added = AtomicBool::new(false);
        self.met.par_iter().for_each(|met| {
            let set = met.load(Ordering::Relaxed) >> IN_SET & BOTH;
            if set != 0 {
                met.fetch_or(set, Ordering::Relaxed);
                met.fetch_and(!(BOTH << IN_SET), Ordering::Relaxed);
                added.store(true, Ordering::Relaxed);
            }
        });
        added.into_inner()
    }

    /// Takes claims out of the set that are followed by some outside. Returns whether it takes any.
    fn leave(&self, plays: &[Play], row: usize, rank: usize) -> bool {
        let set = self.at(rank) >> IN_SET & BOTH;
        if set == 0 {
            return false;
        }
        let kept =
            self.followed(plays, row, rank, set, |claim, at| (at | at >> IN_SET) & claim != 0);
        let leaving = set & !kept;
        self.met[rank].fetch_and(!(leaving << IN_SET), Ordering::Relaxed);
        leaving != 0
    }

    /// The claims for which a position is good.
    fn good(&self, task: Task, rank: usize) -> u8 {
        let seeds = self.scan.seeds();
        let mover = self.scan.low[rank] <= self.scan.pays[task.block];
        let opponent = -self.scan.high[rank] <= self.scan.pays[seeds - task.block];
        claims(mover, opponent)
    }

    /// Those of some claims of a position for which all that follows is right, by what is known of
    /// it, or about which nothing need be done.
    fn followed(
        &self,
        plays: &[Play],
        row: usize,
        rank: usize,
        open: u8,
        is_right: impl Fn(u8, u8) -> bool,
    ) -> u8 {
        let (low, high) = (self.scan.low[rank], self.scan.high[rank]);
        let wanted = if self.at(rank) & EXCEPTION == 0 {
            None
        } else {
            self.exceptions.house(Rank(rank as u64))
        };
        let mut mover = Mover { is_done: low <= self.idle, is_over: true, chosen: None };
        let mut opponent = true;
        self.scan.half_boards.each_move(plays, row, |house, child| {
            mover.is_over = false;
            match child {
                Child::Quiet { rank, .. } => {
                    if self.scan.high[rank] == -low {
                        mover.choose(house, wanted, is_right(OPPONENT, self.at(rank)));
                    }
                    opponent &= self.scan.low[rank] != -high || is_right(MOVER, self.at(rank));
                }
                Child::Capture { rank, captured } => {
                    let below = self.scan.below[self.scan.seeds() - captured].high()[rank];
                    mover.is_done |= captured as i16 - i16::from(below) == i16::from(low);
                }
            }
        });
        let opponent = opponent || -high <= self.idle;
        open & claims(mover.is_met(), opponent)
    }
}

/// The bits of some claims.
fn claims(mover: bool, opponent: bool) -> u8 {
    (if mover { MOVER } else { 0 }) | (if opponent { OPPONENT } else { 0 })
}

/// What the strategy does in a position.
struct Mover {
    /// Nothing need be done, or a capture does it.
    is_done: bool,
    is_over: bool,
    /// Whether the quiet move that the strategy makes is right.
    chosen: Option<bool>,
}

impl Mover {
    /// Sees the next tight quiet move.
    fn choose(&mut self, house: House, wanted: Option<House>, is_right: bool) {
        if wanted.is_none_or(|wanted| wanted == house) && self.chosen.is_none() {
            self.chosen = Some(is_right);
        }
    }

    fn is_met(&self) -> bool {
        self.is_done || self.is_over || self.chosen == Some(true)
    }
}
