//! Condition 2 by passes over half-boards: claims that default moves and exceptions achieve.
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
//! Passes add by 2 until nothing changes, then once by 3, and so on. Along the strategy's moves and
//! tight replies, claims that were met by 2 lead to claims met before; those met by 3, to claims
//! met before or with them. So on a cycle all were met together by 3, at good positions, which is
//! what the condition asks for. If some are left, play can cycle among them and past a position
//! that is not good, or the strategy has a move there that does not keep the claim.
//!
//! # How it is done
//!
//! A scan compares the bounds of each position with what its moves bring, and notes which move the
//! strategy makes and which replies are tight. From then on what follows the mover's claim is one
//! look away, and so is each claim that follows the opponent's.
//!
//! A pass by 2 goes in depth: from a claim that is not met to one that follows it, from there on,
//! and back as far as all is met. So a chain of moves costs a look or two at each of its claims,
//! in whatever order they stand. A claim that was seen is not followed again in the same pass:
//! what follows it is not met, or it is on the way to itself, or another thread has yet to come
//! back to it. Because of the last, and because ways end after `DEPTH` claims, passes are repeated
//! until one meets nothing, which is what step 2 asks for: four or five.
//!
//! Passes that looked at the next claim only took chains piece by piece: to 17 seeds `oware check
//! --proof` took 25.1 s of processor time for `abapa`, whose chains are the longest, instead of
//! 8.0, and 8.6 for `awari` instead of 6.4 (two cores, 9b1ae32 and the commit after it). A few of
//! them to begin with, nearer to the order of memory, gain nothing.
//!
//! Passes go through the tasks of a scan, and pass over stretches of 64 rows where all is met.
//! Threads take tasks in the order of ranks.
//!
//! Threads share one byte per position: a thread that reads an old one only finds out later, for
//! what is met is only added, and in step 3 the set only shrinks.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use rayon::prelude::*;

use super::half_boards::{Child, Coordinates, Quiet, Sowings};
use super::next::{Failing, Next};
use super::scan::{ROWS, Scan, Task};
use crate::game::{Endless, HOUSES};
use crate::layer::{Exceptions, Rank};
use crate::parallel;

/// The mover's claim is met.
const MOVER: u8 = 1;
/// The opponent's claim is met.
const OPPONENT: u8 = 2;
/// Both claims.
const BOTH: u8 = MOVER | OPPONENT;
/// By how much the bits of the set are further left, in step 3.
const IN_SET: u32 = 2;
/// By how much the bits of the claims are further left that a pass has seen, in step 2.
const SEEN: u32 = IN_SET;
/// The strategy has an exception here.
const EXCEPTION: u8 = 16;
/// By how much the house that the strategy empties is further left, one more than its number; 0 if
/// no such move keeps the claim.
const CHOSEN: u32 = 5;

/// Claims in a row that are followed at most: a thread has a stack for this many.
const DEPTH: u32 = 500;

/// Rows that are passed over together where all is met: a task has whole groups of them.
const GROUP: usize = 64;

const _: () = assert!(ROWS.is_multiple_of(GROUP));

/// The positions whose bounds are wrong; if there are none, those with a claim that is not met.
pub fn failing(next: &Next) -> Failing {
    let scan = Scan::new(next);
    let progress = Progress::new(next, &scan);
    let by_bounds = progress.begin();
    if by_bounds.count > 0 {
        return by_bounds;
    }
    progress.run();
    let is_unmet = |&rank: &usize| progress.at(rank) & BOTH != BOTH;
    (0..progress.state.len()).filter(is_unmet).map(|rank| Rank(rank as u64)).collect()
}

struct Progress<'a> {
    scan: &'a Scan<'a>,
    exceptions: &'a Exceptions,
    /// The largest claim about which nothing need be done.
    idle: i8,
    /// What is met, and what the strategy does.
    state: Vec<AtomicU8>,
    /// The houses of tight quiet replies, but for those after which the mover's claim is met.
    replies: Vec<AtomicU8>,
    /// By block and column.
    moves: Vec<Vec<QuietMoves<'a>>>,
    /// By block: where its groups begin.
    groups: Vec<usize>,
    /// By block, group of rows and column: whether anything is not met.
    open: Vec<AtomicBool>,
}

/// Where the quiet moves of a row of the mover lead, by house.
type QuietMoves<'a> = [Option<Quiet<'a>>; HOUSES];

impl<'a> Progress<'a> {
    fn new(next: &'a Next, scan: &'a Scan) -> Progress<'a> {
        let exceptions = &next.claims.exceptions;
        let idle = match next.rules.endless {
            Endless::EvenSplit => 0,
            Endless::OwnSide(_) | Endless::Drawn => -scan.layer.range().end(),
        };
        let (mut groups, mut end) = (Vec::new(), 0);
        for block in 0..=scan.seeds() {
            let (rows, columns) = scan.layer.block_shape(block);
            groups.push(end);
            end += rows.div_ceil(GROUP) * columns;
        }
        let none = || (0..scan.low.len()).map(|_| AtomicU8::new(0)).collect();
        let open = (0..end).map(|_| AtomicBool::new(true)).collect();
        let quiet = |block| move |column| scan.half_boards.quiet(block, column);
        let columns = |block| scan.layer.block_shape(block).1;
        let moves =
            (0..=scan.seeds()).map(|block| parallel::map_of(0..columns(block), quiet(block)));
        let moves = moves.collect();
        Progress { scan, exceptions, idle, state: none(), replies: none(), moves, groups, open }
    }

    /// Notes what the strategy does and which replies are tight. Returns the positions whose bounds
    /// are not what the moves bring.
    fn begin(&self) -> Failing {
        for found in self.exceptions.iter() {
            self.state[found.rank.0 as usize].fetch_or(EXCEPTION, Ordering::Relaxed);
        }
        let judged = parallel::map_of(self.scan.tasks(), |task| {
            self.scan.judge(task, |plays, row, rank| self.begin_at(plays, task, row, rank))
        });
        judged.into_iter().fold(Failing::default(), Failing::join)
    }

    /// The same of a position. Returns whether its bounds are right.
    fn begin_at(&self, plays: &[Sowings], task: Task, row: usize, rank: usize) -> bool {
        let (low, high) = (i16::from(self.scan.low[rank]), i16::from(self.scan.high[rank]));
        let is_exception = self.at(rank) & EXCEPTION != 0;
        let wanted = if is_exception { self.exceptions.house(Rank(rank as u64)) } else { None };
        let mut best = (i16::MIN, i16::MIN);
        let (mut is_done, mut chosen, mut replies) = (low <= i16::from(self.idle), 0, 0);
        self.scan.half_boards.each_move(plays, row, |house, child| {
            let (below, rank, captured) = match child {
                Child::Quiet { rank } => ((self.scan.low, self.scan.high), rank, 0),
                Child::Capture { rank, captured } => {
                    let below = &self.scan.below[self.scan.seeds() - captured];
                    ((&*below.low, below.high()), rank, captured as i16)
                }
            };
            let brings = [below.1, below.0].map(|below| captured - i16::from(below[rank]));
            let brings: (i16, i16) = brings.map(|brings| self.scan.clamp(brings)).into();
            best = (best.0.max(brings.0), best.1.max(brings.1));
            if captured > 0 {
                is_done |= brings.0 == low;
                return;
            }
            if brings.0 == low && chosen == 0 && wanted.is_none_or(|wanted| wanted == house) {
                chosen = house.index() as u8 + 1;
            }
            replies |= u8::from(brings.1 == high) << house.index();
        });
        if best.0 == i16::MIN {
            let rows = self.scan.final_score(task.block);
            (best, is_done) = ((rows, rows), true);
        }
        let is_idle = -high <= i16::from(self.idle);
        let met = claims(is_done, is_idle || replies == 0);
        self.state[rank].store(met | chosen << CHOSEN, Ordering::Relaxed);
        self.replies[rank].store(replies, Ordering::Relaxed);
        self.scan.are_bounds(rank, best)
    }

    fn run(&self) {
        let is_any_open = || self.open.iter().any(|open| open.load(Ordering::Relaxed));
        while is_any_open() && (self.meet() || self.meet_together()) {}
    }

    /// Goes once through the layer, but for groups of which all is met. Returns whether anything has
    /// changed.
    fn sweep(&self, change: impl Fn(Coordinates) -> bool + Sync) -> bool {
        let changed = AtomicBool::new(false);
        // Threads take tasks in order, and none waits where a block ends.
        self.scan.tasks().into_iter().par_bridge().for_each(|task| {
            let columns = (0..task.columns).map(|column| self.column(task, column, &change));
            changed.fetch_or(columns.fold(false, |any, one| any | one), Ordering::Relaxed);
        });
        changed.into_inner()
    }

    /// Goes through the rows that a column of a task has, whole groups. Returns whether anything has
    /// changed.
    fn column(&self, task: Task, column: usize, change: &impl Fn(Coordinates) -> bool) -> bool {
        let Task { block, columns, .. } = task;
        let (mut any, rows) = (false, task.rows());
        for first in rows.clone().step_by(GROUP) {
            let open = &self.open[self.groups[block] + first / GROUP * columns + column];
            if !open.load(Ordering::Relaxed) {
                continue;
            }
            let mut is_open = false;
            for row in first..rows.end.min(first + GROUP) {
                let rank = self.scan.half_boards.start(block) + row * columns + column;
                any |= change(Coordinates { block, row, column, rank });
                is_open |= self.at(rank) & BOTH != BOTH;
            }
            open.store(is_open, Ordering::Relaxed);
        }
        any
    }

    fn at(&self, rank: usize) -> u8 {
        self.state[rank].load(Ordering::Relaxed)
    }

    fn each_state(&self, change: impl Fn(&AtomicU8) + Sync) {
        parallel::each_of(self.state.chunks(1 << 16), |states| states.iter().for_each(&change));
    }

    /// A pass by step 2. Returns whether any claim is met now that was not.
    fn meet(&self) -> bool {
        self.each_state(|state| {
            let unseen = state.load(Ordering::Relaxed) & !(BOTH << SEEN);
            state.store(unseen, Ordering::Relaxed);
        });
        self.sweep(|place| {
            let mut any = false;
            self.is_met(MOVER, place, DEPTH, &mut any);
            self.is_met(OPPONENT, place, DEPTH, &mut any);
            any
        })
    }

    /// Meets a claim if it can, and first what follows it. Returns whether it is met; `any` becomes
    /// true if this or another claim is that was not.
    fn is_met(&self, claim: u8, place: Coordinates, depth: u32, any: &mut bool) -> bool {
        let (state, seen) = (self.at(place.rank), claim << SEEN);
        if state & claim != 0 {
            return true;
        }
        if state & seen != 0 || depth == 0 || !self.add(seen, place.rank) {
            return false;
        }
        let moves = &self.moves[place.block][place.column];
        let mut follow =
            |claim, quiet: &Quiet| self.is_met(claim, quiet.place(place.row), depth - 1, any);
        let is_met = if claim == MOVER {
            chosen(state, moves).is_some_and(|quiet| follow(OPPONENT, quiet))
        } else {
            self.drop_replies(place.rank, |replies| follow(MOVER, reply(replies, moves)))
        };
        if is_met {
            *any |= self.add(claim, place.rank);
        }
        is_met
    }

    /// Adds a bit to the state of a position. Returns whether it was not there.
    fn add(&self, bit: u8, rank: usize) -> bool {
        self.state[rank].fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    /// Drops tight replies of a position as long as the claim after the first one left `is_met`.
    /// Returns whether none is left.
    #[inline(always)]
    fn drop_replies(&self, rank: usize, mut is_met: impl FnMut(u8) -> bool) -> bool {
        let mut replies = self.replies[rank].load(Ordering::Relaxed);
        while replies != 0 && is_met(replies) {
            replies &= replies - 1;
        }
        self.replies[rank].store(replies, Ordering::Relaxed);
        replies == 0
    }

    /// Step 3. Returns whether it adds any claim.
    fn meet_together(&self) -> bool {
        parallel::each_of(self.scan.tasks(), |task| {
            self.scan.judge(task, |_, _, rank| {
                let state = self.at(rank);
                let good = BOTH & !state & self.good(task, rank);
                let set = state & !(BOTH << IN_SET) | good << IN_SET;
                self.state[rank].store(set, Ordering::Relaxed);
                true
            });
        });
        while self.sweep(|place| self.leave(place)) {}
        let added = AtomicBool::new(false);
        self.each_state(|state| {
            let set = state.load(Ordering::Relaxed) >> IN_SET & BOTH;
            if set != 0 {
                state.fetch_or(set, Ordering::Relaxed);
                state.fetch_and(!(BOTH << IN_SET), Ordering::Relaxed);
                added.store(true, Ordering::Relaxed);
            }
        });
        added.into_inner()
    }

    /// Takes claims out of the set that are followed by some outside. Returns whether it takes any.
    fn leave(&self, place: Coordinates) -> bool {
        let Coordinates { block, row, column, rank } = place;
        let state = self.at(rank);
        let set = state >> IN_SET & BOTH;
        if set == 0 {
            return false;
        }
        let moves = &self.moves[block][column];
        let is_kept = |claim: u8, quiet: &Quiet| {
            let state = self.at(quiet.place(row).rank);
            (state | state >> IN_SET) & claim != 0
        };
        let mover = chosen(state, moves).is_some_and(|quiet| is_kept(OPPONENT, quiet));
        let mut replies = self.replies[rank].load(Ordering::Relaxed);
        while replies != 0 && is_kept(MOVER, reply(replies, moves)) {
            replies &= replies - 1;
        }
        let leaving = set & !claims(mover, replies == 0);
        self.state[rank].fetch_and(!(leaving << IN_SET), Ordering::Relaxed);
        leaving != 0
    }

    /// The claims for which a position is good.
    fn good(&self, task: Task, rank: usize) -> u8 {
        let seeds = self.scan.seeds();
        let mover = self.scan.low[rank] <= self.scan.pays[task.block];
        let opponent = -self.scan.high[rank] <= self.scan.pays[seeds - task.block];
        claims(mover, opponent)
    }
}

/// Where the strategy moves to, if that keeps the claim.
#[inline(always)]
fn chosen<'m>(state: u8, moves: &'m QuietMoves) -> Option<&'m Quiet<'m>> {
    let house = usize::from(state >> CHOSEN).checked_sub(1)?;
    Some(moves[house].as_ref().expect("a house with seeds"))
}

/// Where the first of some replies leads.
#[inline(always)]
fn reply<'m>(replies: u8, moves: &'m QuietMoves) -> &'m Quiet<'m> {
    let house = replies.trailing_zeros() as usize;
    moves[house].as_ref().expect("a house with seeds")
}

/// The bits of some claims.
fn claims(mover: bool, opponent: bool) -> u8 {
    (if mover { MOVER } else { 0 }) | (if opponent { OPPONENT } else { 0 })
}
