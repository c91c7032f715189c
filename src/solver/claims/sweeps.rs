//! Open claims, 64 positions at a time.
//!
//! Moves are looked at in strips: one row of the mover and 64 of the opponent's rows. A first pass
//! notes, for each strip and move, in which lanes it is tight. Sweeps then look at open lanes alone,
//! and there at the first tight move of the mover's claim and at all tight replies. They go through
//! pairs of blocks as the solver's do ([`crate::solver::sweep`]), 64 rows of the larger half-board at
//! a time: in 13 seeds of `awari` that takes a third of the sweeps that whole blocks take.
//!
//! What is met is kept by line of the block, a bit for each column, for that is where children are
//! looked up. What is open in a tile of 64 strips are the other bits of 64 lines, turned round.
//!
//! A task is some panels of a pair; tasks are handed out in order, and none waits for the one
//! before. Threads share the words that say what is met: one that reads an old word only finds out
//! later.
//!
//! # Tried, did not pay
//!
//! To look only at lines where something has changed since the last sweep, at strips that have such
//! news, or at replies that were not met before: branches and marks cost more than they spare. To go
//! through 64 rows of a pair again while they change: half as many sweeps in the same time.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::moves::Moves;
use super::open::{MOVER, OPPONENT, TileOf, add, load, shared, taken};
use super::search::{Means, Play, Search};
use crate::error::Result;
use crate::game::board::HOUSES;
use crate::layer::arena::Memory;
use crate::layer::blocks::{LINE, Line};
use crate::layer::index::{Cell, rows};
use crate::layer::plane::Plane;
use crate::solver::kernel::{Equal, Meet, Met, Pull, Source, Window};
use crate::solver::plan::{OUTSIDE, Transit};

/// Panels of lanes that one task goes through.
const PANELS: usize = 4;

/// A layer whose open claims are looked for.
pub struct Sweeps<'a> {
    pub search: &'a Search<'a>,
    /// Words of a move of a tile.
    words: usize,
    pub looks: Vec<Looks<'a>>,
    /// The tasks of a sweep, in order.
    pub parts: Vec<Part>,
}

/// What is known of a block while its open claims are looked for.
pub struct Looks<'a> {
    /// Its rows, as lines of a panel.
    pub rows: usize,
    pub moves: Moves<'a>,
    /// By tile and move: the lanes where it keeps the mover's claim and where it is a tight reply, or
    /// both in one word if that is the same.
    tight: &'a [AtomicU64],
    /// What is met, by panel of columns and row: the mover's claims, and the opponent's.
    pub met: &'a [Met],
}

/// Lanes, by move of a tile.
type Lanes = [u64; HOUSES * LINE];

/// What moves of one house that share a passage are waited for. A column has one of them at most.
struct Waiting {
    /// The moves for which some claim waits.
    pulls: [Pull; LINE],
    /// Of each the lanes whose mover's claim waits for the child's, and those whose opponent's does.
    lanes: [[u64; 2]; LINE],
}

/// Some panels of a pair of blocks: of the larger one lanes, of the smaller one columns.
pub struct Part {
    small: usize,
    large: usize,
    panels: Range<usize>,
}

/// What a sweep comes to.
pub struct Swept {
    /// How many claims are met now that were not.
    pub met: u64,
    /// How many claims are open.
    pub open: u64,
}

impl Part {
    /// Its tiles, in the order in which they are looked at.
    pub fn tiles(&self) -> impl Iterator<Item = TileOf> {
        let &Part { small, large, ref panels } = self;
        (0..rows(large).div_ceil(LINE)).flat_map(move |strip| {
            let leads = panels.clone().map(move |panel| (large, strip, panel));
            let others = if small == large { 0..0 } else { panels.clone() };
            let follows = others.map(move |columns| (small, columns, strip));
            leads.chain(follows).map(|(own, columns, panel)| TileOf { own, columns, panel })
        })
    }
}

/// Words of a move of a tile.
fn words(search: &Search) -> usize {
    if search.is_exact() { 1 } else { 2 }
}

/// Memory for the claims of a layer: for what is known of moves, and for what is met, in a piece or
/// two.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is none.
pub fn room(search: &Search) -> Result<Vec<Memory>> {
    let bytes = |numbers: usize| numbers * size_of::<AtomicU64>();
    let lines: usize = search.blocks().map(|own| lines(search, own)).sum();
    let (tight, met, Means { arena, near, .. }) = (tight_words(search), 2 * lines, search.means);
    match near {
        None => Ok(vec![arena.take(bytes(tight + met), 0)?]),
        Some(near) => Ok(vec![arena.take(bytes(tight), 0)?, near.take(bytes(met), 0)?]),
    }
}

/// Words of all moves.
fn tight_words(search: &Search) -> usize {
    let moves = search.blocks().map(|own| Moves::count(search, own)).sum::<usize>();
    moves * words(search)
}

/// How many lines a block has.
fn lines(search: &Search, own: usize) -> usize {
    let shape = search.low.blocks().shape(own);
    shape.rows() * shape.panels()
}

impl<'a> Sweeps<'a> {
    /// Nothing is known yet of what is met.
    pub fn new(search: &'a Search<'a>, room: &'a mut [Memory]) -> Sweeps<'a> {
        let mut pieces = room.iter_mut().map(shared::<AtomicU64>);
        let mut tight = pieces.next().expect("one piece or two");
        let (first, second) = (taken(&mut tight, tight_words(search)), tight);
        let (mut tight, mut met) = (first, pieces.next().unwrap_or(second));
        let words = words(search);
        let looks = search.blocks().map(|own| Looks {
            rows: search.low.blocks().shape(own).rows(),
            moves: Moves::new(search, own),
            tight: taken(&mut tight, Moves::count(search, own) * words),
            met: taken(&mut met, 2 * lines(search, own)).as_chunks().0,
        });
        let looks = looks.collect();
        let seeds = search.layer.seeds().get();
        let parts = (0..=seeds / 2).flat_map(|small| {
            let (large, all) = (seeds - small, search.panels(seeds - small));
            let panels = (0..all).step_by(PANELS).map(move |at| at..all.min(at + PANELS));
            panels.map(move |panels| Part { small, large, panels })
        });
        Sweeps { search, words, looks, parts: parts.collect() }
    }

    /// Notes what is met before any sweep, and which moves are tight.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for it.
    pub fn begin(&self) -> Result<()> {
        self.parts.par_iter().try_for_each(|part| {
            part.tiles().try_for_each(|tile| {
                self.search.go_on()?;
                self.begin_tile(tile);
                Ok(())
            })
        })
    }

    fn begin_tile(&self, tile: TileOf) {
        let Search { low, high, means: Means { asking, .. }, .. } = *self.search;
        let of_low = self.search.columns(low, tile);
        let of_high = (!self.search.is_exact()).then(|| self.search.columns(high, tile));
        let of_both = [&of_low, of_high.as_ref().unwrap_or(&of_low)];
        let mut done = self.search.done(tile);
        self.search.means.kernel.turn(&mut done);
        let rows = self.search.rows_of(tile.own, tile.panel).iter().enumerate();
        let lanes = rows.fold(0, |lanes, (lane, &row)| lanes | u64::from(row != OUTSIDE) << lane);
        // Negated, as the children have them.
        let wanted = of_both.map(|tile| tile.0.map(|line| Line(line.0.map(|score| -score))));
        let mut open = [[0; LINE]; 2];
        for (at, _) in tile.strips().enumerate() {
            open[MOVER][at] = asking.lanes(MOVER, &wanted[MOVER][at]) & !done[at] & lanes;
            open[OPPONENT][at] = asking.lanes(OPPONENT, &wanted[OPPONENT][at]) & lanes;
        }
        self.note(tile, open.map(|open| open.map(|lanes| !lanes)));
        for (word, plane) in [high, low].into_iter().enumerate().take(self.words) {
            let tight = self.tight(tile).iter().skip(word).step_by(self.words);
            for (tight, lanes) in tight.zip(self.equals(tile, plane, &wanted[word])) {
                tight.store(lanes, Ordering::Relaxed);
            }
        }
    }

    /// The words of the moves of a tile, as the pulls come.
    fn tight(&self, tile: TileOf) -> &'a [AtomicU64] {
        let looks = &self.looks[tile.own];
        let moves = looks.moves.of_tile(tile.columns, tile.panel);
        &looks.tight[moves.start * self.words..moves.end * self.words]
    }

    /// By move of a tile: the lanes where it leads to the score that is wanted.
    fn equals(&self, tile: TileOf, plane: &Plane, wanted: &[Line; LINE]) -> Lanes {
        let mut equal = [0; HOUSES * LINE];
        let of_columns = self.looks[tile.own].moves.of_columns(tile.columns);
        for (transit, group) in &of_columns.groups {
            let own = self.search.plan.opponent(tile.own) + transit.crossed;
            let source = Source {
                lines: plane.blocks().block(own),
                rows: self.looks[own].rows,
                first: 0,
                windows: transit.quiet.of_line(tile.panel),
                ahead: transit.quiet.of_line(tile.panel + 1),
                pulls: &of_columns.pulls[group.clone()],
                captured: 0,
            };
            let equal = &mut equal[group.clone()];
            self.search.means.kernel.equals(Equal { source, wanted, equal });
        }
        equal
    }

    /// Shows what the open claims of a tile wait for, house by house and passage by passage: the mover's
    /// for the default move or any tight one, the opponent's for all tight replies.
    #[inline(always)]
    fn each_group(
        &self,
        tile: TileOf,
        open: &[[u64; LINE]; 2],
        see: impl FnMut(&Transit, &[Pull], &[[u64; 2]]),
    ) {
        match self.words {
            1 => self.each_group_of::<1>(tile, open, see),
            _ => self.each_group_of::<2>(tile, open, see),
        }
    }

    /// The same with so many words for each move.
    #[inline(always)]
    fn each_group_of<const WORDS: usize>(
        &self,
        tile: TileOf,
        [movers, opponents]: &[[u64; LINE]; 2],
        mut see: impl FnMut(&Transit, &[Pull], &[[u64; 2]]),
    ) {
        let decided = match self.search.means.play {
            Play::ByDefault => u64::MAX,
            Play::ByAny => 0,
        };
        let mut undecided = *movers;
        let tight = self.tight(tile).as_chunks::<WORDS>().0;
        let mut waiting =
            Waiting { pulls: [Pull { place: 0, row: 0 }; LINE], lanes: [[0; 2]; LINE] };
        let of_columns = self.looks[tile.own].moves.of_columns(tile.columns);
        for (transit, group) in &of_columns.groups {
            let mut count = 0;
            for (&pull, tight) in of_columns.pulls[group.clone()].iter().zip(&tight[group.clone()])
            {
                let place = pull.place as usize % LINE;
                let mover = load(&tight[0]) & undecided[place];
                let opponent = load(&tight[WORDS - 1]) & opponents[place];
                undecided[place] &= !(mover & decided);
                waiting.pulls[count % LINE] = pull;
                waiting.lanes[count % LINE] = [mover, opponent];
                count += usize::from(mover | opponent != 0);
            }
            see(transit, &waiting.pulls[..count], &waiting.lanes[..count]);
        }
    }

    /// Notes what is met in the strips of a tile.
    pub fn note(&self, tile: TileOf, mut met: [[u64; LINE]; 2]) {
        let looks = &self.looks[tile.own];
        self.turn(&mut met);
        let [mover, opponent] = met;
        let first = tile.columns * looks.rows;
        let rows = self.search.rows_of(tile.own, tile.panel);
        for (&row, now) in rows.iter().zip(mover.into_iter().zip(opponent)) {
            if row != OUTSIDE && now != (0, 0) {
                let line = &looks.met[first + row as usize];
                add(&line[MOVER], now.0);
                add(&line[OPPONENT], now.1);
            }
        }
    }

    /// Goes once through the layer.
    ///
    /// # Errors
    /// As [`Sweeps::begin`].
    pub fn sweep(&self) -> Result<Swept> {
        let (met, open) = (AtomicU64::new(0), AtomicU64::new(0));
        self.parts.iter().par_bridge().try_for_each(|part| {
            let (mut now, mut left) = (0, 0);
            for tile in part.tiles() {
                self.search.go_on()?;
                let swept = self.visit(tile);
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
    /// tile, the lanes, and block and line of the children.
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
        self.each_group(tile, &open, |transit, pulls, waiting| {
            let own = self.search.plan.opponent(tile.own) + transit.crossed;
            let rows = self.looks[own].rows;
            for window in transit.quiet.of_line(tile.panel) {
                for (pull, waiting) in pulls.iter().zip(waiting) {
                    let lanes = waiting[claim] & window.lanes;
                    if lanes != 0 {
                        let line = window.panel as usize * rows + pull.row as usize;
                        see(pull.place as usize, window, lanes, (own, line));
                    }
                }
            }
        });
    }

    /// What is open in the strips of a tile: the mover's claims, and the opponent's.
    pub fn open(&self, tile: TileOf) -> [[u64; LINE]; 2] {
        let (mut open, looks) = ([[0; LINE]; 2], &self.looks[tile.own]);
        let first = tile.columns * looks.rows;
        for (lane, &row) in self.search.rows_of(tile.own, tile.panel).iter().enumerate() {
            if row != OUTSIDE {
                let met = &looks.met[first + row as usize];
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

    /// Whether a claim of a position is open.
    pub fn is_open(&self, at: Cell, claim: usize) -> bool {
        let looks = &self.looks[at.own];
        let line = at.column / LINE * looks.rows + at.row;
        load(&looks.met[line][claim]) >> (at.column % LINE) & 1 == 0
    }

    /// Looks at the open claims of a tile.
    fn visit(&self, tile: TileOf) -> Swept {
        let open = self.open(tile);
        if open == [[0; LINE]; 2] {
            return Swept { met: 0, open: 0 };
        }
        let (mut met, mut held) = ([0; LINE], [0; LINE]);
        self.each_group(tile, &open, |transit, pulls, waiting| {
            let child = &self.looks[self.search.plan.opponent(tile.own) + transit.crossed];
            self.search.means.kernel.meet(Meet {
                lines: child.met,
                rows: child.rows,
                windows: transit.quiet.of_line(tile.panel),
                pulls,
                waiting,
                met: &mut met,
                held: &mut held,
            });
        });
        let [movers, opponents] = open;
        let replied = std::array::from_fn(|at| opponents[at] & !held[at]);
        let ones = |lanes: &[u64; LINE]| lanes.iter().map(|lanes| lanes.count_ones()).sum::<u32>();
        let (all, now) = (ones(&movers) + ones(&opponents), ones(&met) + ones(&replied));
        if now > 0 {
            self.note(tile, [met, replied]);
        }
        Swept { met: u64::from(now), open: u64::from(all - now) }
    }

    /// Takes one claim from what is open.
    pub fn meet_one(&self, Cell { own, row, column }: Cell, claim: usize) {
        let looks = &self.looks[own];
        add(&looks.met[column / LINE * looks.rows + row][claim], 1 << (column % LINE));
    }
}
