//! Open claims, 64 positions at a time.
//!
//! Moves are looked at in strips: one row of the mover and 64 of the opponent's rows. A first pass
//! notes, for each strip and move, in which lanes it is tight. Sweeps then look at open lanes alone,
//! and there at the first tight move of the mover's claim and at all tight replies. They go through
//! pairs of blocks as the solver's do ([`crate::solver::sweep`]), 64 rows of the larger half-board at
//! a time: in 13 seeds of `awari` that takes a third of the sweeps that whole blocks take. Columns
//! are left out as soon as their last claims are known to be met or to wait for one that is not.
//!
//! What is met is kept by line of the block, a bit for each column, for that is where children are
//! looked up. What is open in a tile of 64 strips are the other bits of 64 lines, turned round.
//!
//! A task is some panels of a pair; tasks are handed out in order, and none waits for the one
//! before. Threads share the words that say what is met: one that reads an old word only finds out
//! later.
//!
//! Where a layer is spread over several ranks, each goes through what it has, pair by pair: first they
//! exchange what is met of the children, two bits a position ([`Company`]). What is met only grows, and
//! the order in which that is found out does not matter; so it does not matter either that others' bits
//! are those of the last look. Pairs in which nothing is open on any rank are left out.
//!
//! # Tried, did not pay
//!
//! To look only at lines where something has changed since the last sweep, at strips that have such
//! news, or at replies that were not met before: branches and marks cost more than they spare. To go
//! through 64 rows of a pair again while they change: half as many sweeps in the same time.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::moves::{BlockMoves, MoveGroup};
use super::open::{MOVER, OPPONENT, TightMoves, TileOf, add, load, shared, taken};
use super::search::{ClaimSearch, Company, Means, Sent};
use crate::error::Result;
use crate::game::board::HOUSES;
use crate::layer::arena::Memory;
use crate::layer::index::Cell;
use crate::layer::line::{LINE, Line};
use crate::layer::lines::Lines;
use crate::parallel;
use crate::simd::set_lanes;
use crate::solver::kernel::{Equal, Meet, Met, PassageChildren, Pull, TileClaims, Window};
use crate::solver::sweep::strips;
use crate::solver::windows::inside;
use crate::timeline;

/// Panels that one task goes through at most.
const PANELS: usize = 4;

/// Tasks for each thread at least, where there are many threads.
const TASKS: usize = 6;

/// A layer whose open claims are looked for.
pub struct Sweeps<'a> {
    pub search: &'a ClaimSearch<'a>,
    /// Words of a move of a tile.
    words: usize,
    pub looks: Vec<Looks<'a>>,
    /// The tasks of a sweep, in order.
    pub parts: Vec<PairPart>,
    pub rounds: Vec<TaskRound>,
}

/// What is known of a block while its open claims are looked for.
pub struct Looks<'a> {
    moves: &'a BlockMoves<'a>,
    /// By tile and move: the lanes where it keeps the mover's claim and where it is a tight reply, or
    /// both in one word if that is the same.
    tight: &'a [AtomicU64],
    /// What is met, by line: the mover's claims, and the opponent's.
    pub met: &'a [Met],
}

/// Tasks before which others say what is met of the children; all of them where there are no others.
pub struct TaskRound {
    /// Their pair.
    small: usize,
    pub parts: Range<usize>,
    /// Claims that were open after the last sweep, on all ranks.
    open: AtomicU64,
}

/// Lanes, by move of a tile: to children here, and to others.
type Lanes = [u64; 2 * HOUSES * LINE];

/// Where the children of a tile by some moves are.
struct ChildLines<'w> {
    /// Rows of the lines.
    rows: usize,
    /// The first panel that the lines are of.
    first: usize,
    windows: &'w [Window],
    /// Of the next panel of lanes.
    ahead: &'w [Window],
}

/// Some panels of a pair of blocks, of the larger one lanes, of the smaller one columns; and of these
/// some strips, the other way round.
pub struct PairPart {
    small: usize,
    large: usize,
    panels: Range<usize>,
    strips: Range<usize>,
}

/// What a sweep comes to.
pub struct Swept {
    /// How many claims are met now that were not.
    pub met: u64,
    /// How many claims are open.
    pub open: u64,
}

impl PairPart {
    /// Its tiles, in the order in which they are looked at. Those of block n/2 are the smaller block's.
    pub fn tiles(&self) -> impl Iterator<Item = TileOf> + use<> {
        let (small, large, panels) = (self.small, self.large, self.panels.clone());
        self.strips.clone().flat_map(move |strip| {
            let leads = if small == large { 0..0 } else { panels.clone() };
            let leads = leads.map(move |panel| (large, strip, panel));
            let follows = panels.clone().map(move |columns| (small, columns, strip));
            leads.chain(follows).map(|(own, columns, panel)| TileOf { own, columns, panel })
        })
    }
}

/// Cuts a range into pieces of this many numbers; the last one may be shorter.
fn pieces(all: Range<usize>, size: usize) -> impl Iterator<Item = Range<usize>> {
    all.clone().step_by(size.max(1)).map(move |first| first..all.end.min(first + size.max(1)))
}

/// Words of a move of a tile.
fn words(search: &ClaimSearch) -> usize {
    if search.is_exact { 1 } else { 2 }
}

/// The moves of a layer, by block.
pub fn moves<'a>(search: &ClaimSearch<'a>) -> Vec<BlockMoves<'a>> {
    let _region = timeline::region("moves");
    parallel::map_of(0..search.shares.len(), |own| BlockMoves::new(search, own))
}

/// Memory for the claims of a layer: for what is known of moves, and for what is met, in a piece or
/// two.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is none.
pub fn room(search: &ClaimSearch, moves: &[BlockMoves]) -> Result<Vec<Memory>> {
    let bytes = |numbers: usize| numbers * size_of::<AtomicU64>();
    let lines: usize = search.shares.iter().map(|share| share.done.len()).sum();
    let (tight, met) = (tight_words(search, moves), 2 * lines);
    let Means { arena, near, .. } = search.means;
    match near {
        None => Ok(vec![arena.take(bytes(tight + met), 0)?]),
        Some(near) => Ok(vec![arena.take(bytes(tight), 0)?, near.take(bytes(met), 0)?]),
    }
}

/// Words of all moves.
fn tight_words(search: &ClaimSearch, moves: &[BlockMoves]) -> usize {
    moves.iter().map(BlockMoves::count).sum::<usize>() * words(search)
}

impl<'a> Sweeps<'a> {
    /// Nothing is known yet of what is met.
    pub fn new(
        search: &'a ClaimSearch<'a>,
        moves: &'a [BlockMoves<'a>],
        room: &'a mut [Memory],
    ) -> Sweeps<'a> {
        let mut memory = room.iter_mut().map(shared::<AtomicU64>);
        let mut tight = memory.next().expect("one piece or two");
        let (first, second) = (taken(&mut tight, tight_words(search, moves)), tight);
        let (mut tight, mut met) = (first, memory.next().unwrap_or(second));
        let words = words(search);
        let looks = moves.iter().zip(&search.shares).map(|(moves, share)| Looks {
            moves,
            tight: taken(&mut tight, moves.count() * words),
            met: taken(&mut met, 2 * share.done.len()).as_chunks().0,
        });
        let looks = looks.collect();
        let (seeds, mut parts, mut rounds) =
            (search.plan.layer.seeds().get(), Vec::new(), Vec::new());
        let round = |small, parts| TaskRound { small, parts, open: AtomicU64::new(1) };
        let interval = |small: usize| search.shares[small].panels.clone();
        let tiles = |small| interval(small).len() * strips(seeds - small);
        let tiles: usize = (0..=seeds / 2).map(tiles).sum();
        let most = tiles.div_ceil(TASKS * search.means.threads);
        for small in 0..=seeds / 2 {
            let (large, first) = (seeds - small, parts.len());
            for strips in pieces(0..strips(large), most.div_ceil(PANELS)) {
                let width = (most / strips.len()).clamp(1, PANELS);
                for panels in pieces(interval(small), width) {
                    parts.push(PairPart { small, large, panels, strips: strips.clone() });
                }
            }
            if search.elsewhere.is_some() {
                rounds.push(round(small, first..parts.len()));
            }
        }
        if search.elsewhere.is_none() {
            rounds.push(round(0, 0..parts.len()));
        }
        Sweeps { search, words, looks, parts, rounds }
    }

    /// Notes what is met before any sweep, and which moves are tight. Returns how many of the mover's
    /// claims on all ranks wait for nothing, because no move is: these are never met.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for it, and those
    /// of the company.
    pub fn begin(&self, company: &dyn Company) -> Result<u64> {
        let hopeless = AtomicU64::new(0);
        for round in &self.rounds {
            let sent = company.bounds(round.small)?;
            let _region = timeline::region("tight moves");
            parallel::try_each_of(&self.parts[round.parts.clone()], |part| {
                timeline::task();
                part.tiles().try_for_each(|tile| {
                    self.search.go_on()?;
                    hopeless.fetch_add(self.begin_tile(tile, &sent), Ordering::Relaxed);
                    Ok(())
                })
            })?;
        }
        Ok(company.sums(&[hopeless.into_inner()])?[0])
    }

    fn begin_tile(&self, tile: TileOf, sent: &[Sent<Line>]) -> u64 {
        let ClaimSearch { is_exact, means: Means { asking, .. }, .. } = *self.search;
        let of_low = self.search.columns(MOVER, tile);
        let of_high = (!is_exact).then(|| self.search.columns(OPPONENT, tile));
        let of_both = [&of_low, of_high.as_ref().unwrap_or(&of_low)];
        let done = self.search.shares[tile.own].done;
        let mut done = self.search.by_lane(tile, |line| done[line]);
        self.search.means.kernel.turn(&mut done);
        let lines = self.search.lines(tile).enumerate();
        let lanes = lines.fold(0, |all, (lane, line)| all | u64::from(line.is_some()) << lane);
        // Negated, as the children have them.
        let wanted = of_both.map(|tile| tile.0.map(|line| Line(line.0.map(|score| -score))));
        let mut open = [[0; LINE]; 2];
        for at in 0..tile.strips() {
            open[MOVER][at] = asking.lanes(MOVER, &wanted[MOVER][at]) & !done[at] & lanes;
            open[OPPONENT][at] = asking.lanes(OPPONENT, &wanted[OPPONENT][at]) & lanes;
        }
        self.note(tile, open.map(|open| open.map(|lanes| !lanes)));
        for claim in [MOVER, OPPONENT].into_iter().take(self.words) {
            // A child's upper bound decides whether the mover's claim is kept.
            let bound = 1 - claim;
            let sent = sent.get(bound).or(sent.last()).map_or(&[][..], Vec::as_slice);
            let tight = self.tight(tile).iter().skip(claim).step_by(self.words);
            let pulls = &self.looks[tile.own].moves.of_columns(tile.columns).pulls;
            let equal = self.equals(tile, bound, sent, &wanted[claim]);
            for ((tight, lanes), pull) in tight.zip(equal).zip(pulls) {
                tight.store(lanes, Ordering::Relaxed);
                if claim == MOVER {
                    open[MOVER][pull.place as usize] &= !lanes;
                }
            }
        }
        open[MOVER].iter().map(|lanes| u64::from(lanes.count_ones())).sum()
    }

    /// The words of the moves of a tile, as the pulls come.
    fn tight(&self, tile: TileOf) -> &'a [AtomicU64] {
        let looks = &self.looks[tile.own];
        let moves = looks.moves.of_tile(tile.columns, tile.panel);
        &looks.tight[moves.start * self.words..moves.end * self.words]
    }

    /// By move of a tile: the lanes where it leads to the score that is wanted.
    fn equals(
        &self,
        tile: TileOf,
        bound: usize,
        sent: &[Vec<Line>],
        wanted: &[Line; LINE],
    ) -> Lanes {
        let mut equal = [0; 2 * HOUSES * LINE];
        let of_columns = self.looks[tile.own].moves.of_columns(tile.columns);
        for group in &of_columns.groups {
            let block = self.search.plan.opponent(tile.own) + group.transit.crossed;
            let here = self.search.shares[block].bounds[bound];
            self.look(tile, group, |ChildLines { rows, first, windows, ahead }| {
                let lines = group.link.map_or(here, |link| Lines::Byte(&sent[link]));
                let pulls = &of_columns.pulls[group.pulls.clone()];
                let source =
                    PassageChildren { lines, rows, first, windows, ahead, pulls, captured: 0 };
                let equal = &mut equal[group.pulls.clone()];
                self.search.means.kernel.equals(Equal { source, wanted, equal });
            });
        }
        equal
    }

    /// Says where the children of a tile by some moves are, if any are there.
    #[inline(always)]
    fn look(&self, tile: TileOf, group: &MoveGroup, look: impl FnOnce(ChildLines)) {
        let of_line = |line| group.transit.quiet.of_line(line);
        if let Some((elsewhere, link)) = self.search.elsewhere.zip(group.link) {
            let found = elsewhere.window(tile, link, group.transit);
            if let Some((rows, window)) = found {
                let windows = std::slice::from_ref(&window);
                look(ChildLines { rows, first: 0, windows, ahead: &[] });
            }
            return;
        }
        let share =
            &self.search.shares[self.search.plan.opponent(tile.own) + group.transit.crossed];
        let [windows, ahead] =
            [tile.panel, tile.panel + 1].map(|line| match self.search.elsewhere {
                None => of_line(line),
                Some(_) => inside(of_line(line), &share.panels),
            });
        look(ChildLines { rows: share.rows.len(), first: share.panels.start, windows, ahead });
    }

    /// Shows what the open claims of a tile wait for, house by house and passage by passage: the mover's
    /// for the default move or any tight one, the opponent's for all tight replies.
    #[inline(always)]
    pub fn each_group(
        &self,
        tile: TileOf,
        [movers, opponents]: &[[u64; LINE]; 2],
        mut see: impl FnMut(&MoveGroup, &[Pull], &[[u64; 2]]),
    ) {
        let decided = match self.search.means.play {
            TightMoves::ByDefault => u64::MAX,
            TightMoves::ByAny => 0,
        };
        let mut undecided = *movers;
        let tight = |at, word| load(&self.tight(tile)[at * self.words + word]);
        // A column has one move of a group at most.
        let (mut pulls, mut waiting) = ([Pull { place: 0, row: 0 }; LINE], [[0; 2]; LINE]);
        let of_columns = self.looks[tile.own].moves.of_columns(tile.columns);
        for group in &of_columns.groups {
            let (moves, mut count) = (group.pulls.clone(), 0);
            for (at, &pull) in moves.clone().zip(&of_columns.pulls[moves]) {
                let place = pull.place as usize % LINE;
                let mover = tight(at, 0) & undecided[place];
                let opponent = tight(at, self.words - 1) & opponents[place];
                undecided[place] &= !(mover & decided);
                pulls[count % LINE] = pull;
                waiting[count % LINE] = [mover, opponent];
                count += usize::from(mover | opponent != 0);
            }
            see(group, &pulls[..count], &waiting[..count]);
        }
    }

    /// Notes what is met in the strips of a tile.
    pub fn note(&self, tile: TileOf, mut met: [[u64; LINE]; 2]) {
        self.turn(&mut met);
        let [mover, opponent] = met;
        for (line, now) in self.search.lines(tile).zip(mover.into_iter().zip(opponent)) {
            if let Some(line) = line.filter(|_| now != (0, 0)) {
                let line = &self.looks[tile.own].met[line];
                add(&line[MOVER], now.0);
                add(&line[OPPONENT], now.1);
            }
        }
    }

    /// Goes once through the layer, or what is open of it, on all ranks.
    ///
    /// # Errors
    /// As [`Sweeps::begin`].
    pub fn sweep(&self, company: &dyn Company) -> Result<Swept> {
        company.offer()?;
        // What is met in all, and what is open by round.
        let mut found = vec![0; 1 + self.rounds.len()];
        for (round, left) in self.rounds.iter().zip(1..) {
            if load(&round.open) > 0 {
                let swept = self.sweep_round(round, company)?;
                (found[0], found[left]) = (found[0] + swept.met, swept.open);
            }
        }
        let found = company.sums(&found)?;
        for (round, &open) in self.rounds.iter().zip(&found[1..]) {
            round.open.store(open, Ordering::Relaxed);
        }
        Ok(Swept { met: found[0], open: found[1..].iter().sum() })
    }

    fn sweep_round(&self, round: &TaskRound, company: &dyn Company) -> Result<Swept> {
        let own: Vec<&[Met]> = self.looks.iter().map(|looks| looks.met).collect();
        let sent = company.met(round.small, &own)?;
        let (met, open) = (AtomicU64::new(0), AtomicU64::new(0));
        let _region = timeline::region("claims");
        self.parts[round.parts.clone()].iter().par_bridge().try_for_each(|part| {
            timeline::task();
            let (mut now, mut left) = (0, 0);
            for tile in part.tiles() {
                self.search.go_on()?;
                let swept = self.visit(tile, &sent);
                (now, left) = (now + swept.met, left + swept.open);
            }
            met.fetch_add(now, Ordering::Relaxed);
            open.fetch_add(left, Ordering::Relaxed);
            Ok(())
        })?;
        Ok(Swept { met: met.into_inner(), open: open.into_inner() })
    }

    /// Shows the moves that the open claims of a tile wait for, window by window: the default moves
    /// of the mover's claims, or the tight replies of the opponent's. With each come its place in the
    /// tile, the lanes, and block and line of the children, if these are here.
    pub fn each_move(
        &self,
        tile: TileOf,
        claim: usize,
        mut see: impl FnMut(usize, &Window, u64, (usize, usize)),
    ) {
        let open = self.open(tile);
        if open[claim] == [0; LINE] {
            return;
        }
        self.each_group(tile, &open, |group, pulls, waiting| {
            if group.link.is_some() {
                return;
            }
            let own = self.search.plan.opponent(tile.own) + group.transit.crossed;
            self.look(tile, group, |ChildLines { rows, first, windows, .. }| {
                for window in windows {
                    for (pull, waiting) in pulls.iter().zip(waiting) {
                        let lanes = waiting[claim] & window.lanes;
                        if lanes != 0 {
                            let line = (window.panel as usize - first) * rows + pull.row as usize;
                            see(pull.place as usize, window, lanes, (own, line));
                        }
                    }
                }
            });
        });
    }

    /// Shows the children of those moves that others have, each with its place in the tile and the lane.
    pub fn each_elsewhere(
        &self,
        tile: TileOf,
        claim: usize,
        mut see: impl FnMut(usize, usize, Cell),
    ) {
        if self.search.elsewhere.is_none() {
            return;
        }
        let (plan, open) = (self.search.plan, self.open(tile));
        if open[claim] == [0; LINE] {
            return;
        }
        self.each_group(tile, &open, |group, pulls, waiting| {
            if group.link.is_none() {
                return;
            }
            let own = plan.opponent(tile.own) + group.transit.crossed;
            for (pull, waiting) in pulls.iter().zip(waiting) {
                let column = tile.columns * LINE + pull.place as usize;
                let mut moves = plan.blocks[tile.own].half.moves(column).iter();
                let found = moves.find(|found| found.house == group.house);
                let row = found.expect("a move of the house").row as usize;
                for lane in set_lanes(waiting[claim]) {
                    let column = group.transit.quiet.column(tile.panel * LINE + lane);
                    let column = column.expect("a tight move is quiet");
                    see(pull.place as usize, lane, Cell { own, row, column });
                }
            }
        });
    }

    /// What is open in the strips of a tile: the mover's claims, and the opponent's.
    pub fn open(&self, tile: TileOf) -> [[u64; LINE]; 2] {
        let (mut open, looks) = ([[0; LINE]; 2], &self.looks[tile.own]);
        for (lane, line) in self.search.lines(tile).enumerate() {
            if let Some(line) = line {
                let met = &looks.met[line];
                (open[MOVER][lane], open[OPPONENT][lane]) =
                    (!load(&met[MOVER]), !load(&met[OPPONENT]));
            }
        }
        self.turn(&mut open);
        open
    }

    /// Makes bits of lines bits of strips, or the other way round.
    fn turn(&self, claims: &mut [[u64; LINE]; 2]) {
        let kernel = self.search.means.kernel;
        claims.iter_mut().filter(|of| **of != [0; LINE]).for_each(|of| kernel.turn(of));
    }

    /// Looks at the open claims of a tile, given what others have sent.
    fn visit(&self, tile: TileOf, sent: &[Vec<Met>]) -> Swept {
        let open = self.open(tile);
        if open == [[0; LINE]; 2] {
            return Swept { met: 0, open: 0 };
        }
        let (mut claims, tight) = (TileClaims::new(open), self.tight(tile));
        let of_columns = self.looks[tile.own].moves.of_columns(tile.columns);
        for group in &of_columns.groups {
            let columns = group.columns & claims.columns;
            if columns == 0 {
                continue;
            }
            let block = self.search.plan.opponent(tile.own) + group.transit.crossed;
            self.look(tile, group, |ChildLines { rows, first, windows, .. }| {
                let pulls = &of_columns.pulls[group.pulls.clone()];
                let [from, to] = [group.pulls.start, group.pulls.end].map(|at| at * self.words);
                self.search.means.kernel.meet(Meet {
                    lines: group.link.map_or(self.looks[block].met, |link| &sent[link]),
                    rows,
                    first,
                    windows,
                    pulls,
                    columns,
                    places: &group.places,
                    tight: &tight[from..to],
                    by_default: self.search.means.play == TightMoves::ByDefault,
                    claims: &mut claims,
                });
            });
        }
        let [movers, opponents] = open;
        let (met, replied) = (claims.met, claims.unanswered);
        let ones = |lanes: &[u64; LINE]| self.search.means.kernel.count(lanes);
        let (all, now) = (ones(&movers) + ones(&opponents), ones(&met) + ones(&replied));
        if now > 0 {
            self.note(tile, [met, replied]);
        }
        Swept { met: u64::from(now), open: u64::from(all - now) }
    }

    /// Whether a claim of a position here is open.
    pub fn is_open(&self, at: Cell, claim: usize) -> bool {
        load(&self.line(at)[claim]) >> (at.column % LINE) & 1 == 0
    }

    /// Takes one claim of a position here from what is open.
    pub fn meet_one(&self, at: Cell, claim: usize) {
        add(&self.line(at)[claim], 1 << (at.column % LINE));
    }

    fn line(&self, Cell { own, row, column }: Cell) -> &Met {
        &self.looks[own].met[self.search.shares[own].line(row, column / LINE)]
    }
}
