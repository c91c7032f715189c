//! The only arithmetic of the solver that must be fast.
//!
//! Everything is a minimum of bytes over whole lines of 64 positions. A *window* says where in a
//! line of the child's row the children of 64 positions are; a *pull* says which row that is, and
//! for which row of the mover. Scores are kept *negated* while they are computed: the least of the
//! children's scores is what the best move leaves the opponent, and one negation at the end
//! replaces one for each child.
//!
//! # The contract
//!
//! A [`Kernel`] is one way to handle a line. The loops stand here, once, over the trait `Vector`;
//! each file beside this one implements that for a set of instructions and no more. Every kernel
//! computes the same bytes: tests hold each operation against the portable one, and every kernel
//! against the slow solver.
//!
//! | operation | what |
//! |---|---|
//! | [`Kernel::pull`] | lines of 64 own rows are lowered to what their children in other rows say |
//! | [`Kernel::lead`] | the larger block's scores for one row of a pair: captures, crossing, home moves |
//! | [`Kernel::follow`] | the smaller block's scores for that row, from those just computed |
//! | [`Kernel::settle`] | a tile is turned round and stored where it differs |
//! | [`Kernel::transpose`] | rows become columns |
//!
//! The next windows' lines are fetched into the second-level cache while this window is worked on.
//! In a prototype that saved 15 %; to fetch them into the first-level cache cost 30 %.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
mod vector;

use crate::layer::plane::{LINE, Line};
pub use vector::Tile;
use vector::Vector;

/// No capture, no child: more than any negated score, so that every child is better.
pub const NONE: i8 = i8::MAX;

/// For each lane of a line, where in its window the child is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Picks(pub [u8; LINE]);

/// Where the children of some lanes of a line are: all in one line of the child's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Where in the line; below 64.
    pub picks: Picks,
    /// Bit `l`: lane `l` has its child in this window.
    pub lanes: u64,
    /// The panel of the child's row.
    pub panel: u32,
}

/// One row of the mover, and the row its children are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pull {
    /// The own row's place in its tile, 0..64.
    pub place: u32,
    /// The row of the child's block.
    pub row: u32,
}

/// Children that share a passage: the same windows for all own rows of a tile.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The block of the children.
    pub lines: &'a [Line],
    /// Its rows.
    pub rows: usize,
    /// Where the children of a line of lanes are.
    pub windows: &'a [Window],
    /// The windows that come next, to be fetched meanwhile.
    pub ahead: &'a [Window],
    /// Whose children.
    pub pulls: &'a [Pull],
    /// Seeds captured on the way.
    pub captured: i8,
}

/// What a computed score may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Anything.
    Free,
    /// At most the old score and this, but at least the bound.
    Above {
        /// What the rows are worth to the mover.
        most: i8,
    },
    /// At least the old score and this, but at most the bound.
    Below {
        /// What the rows are worth to the mover.
        least: i8,
    },
}

/// Which claims get the stamp of the sweep that changes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamped {
    /// All.
    All,
    /// Those worth more than nothing to the player who is not to move.
    Losses,
}

/// Stamps of some lines, and the one to give.
#[derive(Debug)]
pub struct Stamps<'a> {
    /// Line by line as the scores.
    pub lines: &'a mut [Line],
    /// The stamp of now.
    pub stamp: u8,
    /// Who gets it.
    pub who: Stamped,
}

/// A score that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Row of the block.
    pub row: u32,
    /// Column of the block.
    pub column: u32,
    /// The block.
    pub block: u8,
    /// Which plane.
    pub plane: u8,
    /// What it was.
    pub old: i8,
    /// What it is.
    pub new: i8,
}

/// What a sweep changed.
#[derive(Debug, Default)]
pub struct Log {
    /// How many scores.
    pub count: u64,
    /// Which, if anyone wants to know.
    pub changes: Option<Vec<Change>>,
}

/// Where lines stand that are written: block, plane, and the first row and column.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// The block.
    pub block: u8,
    /// Which plane.
    pub plane: u8,
}

impl Log {
    /// Notes the lanes of a line in which `old` has become `new`.
    fn note(
        &mut self,
        spot: Spot,
        (row, column): (usize, usize),
        lanes: u64,
        old: &Line,
        new: &Line,
    ) {
        self.count += u64::from(lanes.count_ones());
        let Some(changes) = &mut self.changes else { return };
        let mut rest = lanes;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            changes.push(Change {
                row: row as u32,
                column: (column + lane) as u32,
                block: spot.block,
                plane: spot.plane,
                old: old.0[lane],
                new: new.0[lane],
            });
        }
    }
}

/// One row of the larger block of a pair, in some panels of the smaller one.
pub struct Lead<'a> {
    /// What becomes of the scores: a line for each panel.
    pub values: &'a mut [Line],
    /// What captures and crossing moves leave, negated.
    pub constants: &'a [Line],
    /// The panels of the smaller block.
    pub panels: &'a [Line],
    /// Its rows.
    pub rows: usize,
    /// The rows that home moves of the row lead to.
    pub home: &'a [u32],
    /// What the scores may be.
    pub limit: Limit,
    /// The old scores, if there is a limit.
    pub old: &'a [Line],
    /// The bounds, if there is a limit.
    pub bounds: &'a [Line],
}

/// One row of the smaller block of a pair, in some panels.
pub struct Follow<'a> {
    /// The panels, to write.
    pub panels: &'a mut [Line],
    /// Rows of the block.
    pub rows: usize,
    /// The row.
    pub row: usize,
    /// The first panel.
    pub first: usize,
    /// What captures and crossing moves leave, negated: a line for each panel.
    pub constants: &'a [Line],
    /// The scores of the larger block, turned round: a line for each panel from 0 on.
    pub values: &'a [Line],
    /// Where home moves lead, and for each panel where its windows end; the first ones begin at 0.
    pub windows: &'a [Window],
    /// For each panel, where in `windows` its own begin; one more than panels.
    pub starts: &'a [u32],
    /// The columns that are written.
    pub columns: usize,
    /// What the scores may be.
    pub limit: Limit,
    /// The bounds, if there is a limit: panels as those that are written.
    pub bounds: &'a [Line],
    /// Stamps, if wanted: panels likewise.
    pub stamps: Option<Stamps<'a>>,
    /// Which block and plane this is.
    pub spot: Spot,
}

/// A tile of the larger block to store, turned round already.
pub struct Settle<'a> {
    /// A line for each of 64 rows.
    pub tile: &'a Tile,
    /// The row of each in the panel; [`OUTSIDE`](crate::solver::plan::OUTSIDE) for those that have
    /// none.
    pub rows: &'a [u32],
    /// The panel.
    pub panel: &'a mut [Line],
    /// Its first column.
    pub column: usize,
    /// The lanes that are columns.
    pub lanes: u64,
    /// Whether each line begins at its own lane: the ones before it are not written.
    pub corner: bool,
    /// Stamps, if wanted: the same panel.
    pub stamps: Option<Stamps<'a>>,
    /// Which block and plane this is.
    pub spot: Spot,
}

/// The instructions that the solver computes with: plain Rust, AVX2 or AVX-512.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Byte by byte, left to the compiler.
    Portable,
    /// 32 bytes at a time.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 64 bytes at a time.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Calls the kernel's version of a loop.
macro_rules! dispatch {
    ($kernel:expr, $name:ident, $($argument:expr),*) => {
        match $kernel {
            Kernel::Portable => portable::$name($($argument),*),
            // SAFETY: `Kernel::available` is the only place that makes the others, and it has asked
            // the processor for all the instructions that they are compiled with.
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code)]
            Kernel::Avx2 => unsafe { avx2::$name($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code)]
            Kernel::Avx512 => unsafe { avx512::$name($($argument),*) },
        }
    };
}

impl Kernel {
    /// The kernels that this machine can run, slowest first.
    pub fn available() -> Vec<Kernel> {
        let mut kernels = vec![Kernel::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                kernels.push(Kernel::Avx2);
            }
            if avx512::is_available() {
                kernels.push(Kernel::Avx512);
            }
        }
        kernels
    }

    /// The fastest.
    pub fn best() -> Kernel {
        Kernel::available().pop().expect("the portable one is always there")
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => "AVX-512",
        }
    }

    /// Lowers lines of a tile to the scores of children. Own row `place` of the tile is line
    /// `place * stride` of `out`.
    pub fn pull<'a>(
        self,
        out: &mut [Line],
        stride: usize,
        sources: impl Iterator<Item = Source<'a>>,
    ) {
        dispatch!(self, pull, out, stride, sources);
    }

    /// The same for children that captures lead to: less the seeds captured.
    pub fn pull_captures<'a>(self, out: &mut [Line], sources: impl Iterator<Item = Source<'a>>) {
        dispatch!(self, pull_captures, out, sources);
    }

    /// Computes a row of the larger block of a pair.
    pub fn lead(self, lead: Lead) {
        dispatch!(self, lead, lead);
    }

    /// Computes a row of the smaller block of a pair.
    pub fn follow(self, follow: Follow, log: &mut Log) {
        dispatch!(self, follow, follow, log);
    }

    /// Stores a tile.
    pub fn settle(self, settle: Settle, log: &mut Log) {
        dispatch!(self, settle, settle, log);
    }

    /// Makes rows columns.
    pub fn transpose(self, tile: &mut Tile) {
        dispatch!(self, transpose, tile);
    }

    /// For each line of a tile, the lanes where it is the other's negative.
    pub fn opposite(self, tile: &Tile, others: &[Line; LINE]) -> [u64; LINE] {
        dispatch!(self, opposite, tile, others)
    }
}

#[inline(always)]
fn pull_loop<'a, V: Vector, const CAPTURES: bool>(
    out: &mut [Line],
    stride: usize,
    sources: impl Iterator<Item = Source<'a>>,
) {
    for source in sources {
        fetch_ahead::<V>(&source);
        let captured = V::splat(source.captured);
        for window in source.windows {
            let panel = &source.lines[window.panel as usize * source.rows..][..source.rows];
            let (picks, lanes) = (V::picks(&window.picks), V::lanes(window.lanes));
            for pull in source.pulls {
                let line = &mut out[pull.place as usize * stride];
                let mut child = V::load(&panel[pull.row as usize]).pick(picks);
                if CAPTURES {
                    child = child.minus(captured);
                }
                V::load(line).lower(lanes, child).store(line);
            }
        }
    }
}

/// Asks for the lines of the next windows. The last of these windows and the first of the next are
/// often in the same panel; that one is here.
#[inline(always)]
fn fetch_ahead<V: Vector>(source: &Source) {
    let here = source.windows.last().map(|window| window.panel);
    for window in source.ahead {
        if Some(window.panel) == here {
            continue;
        }
        let panel = &source.lines[window.panel as usize * source.rows..][..source.rows];
        for pull in source.pulls {
            V::fetch(&panel[pull.row as usize]);
        }
    }
}

/// A score from its negative, within its limit.
#[inline(always)]
fn limited<V: Vector>(
    limit: Limit,
    negated: V,
    old: impl FnOnce() -> V,
    bound: impl FnOnce() -> V,
) -> V {
    let score = V::splat(0).minus(negated);
    match limit {
        Limit::Free => score,
        Limit::Above { most } => score.min(old()).min(V::splat(most)).max(bound()),
        Limit::Below { least } => score.max(old()).max(V::splat(least)).min(bound()),
    }
}

#[inline(always)]
fn lead_loop<V: Vector>(lead: Lead) {
    let Lead { values, constants, panels, rows, home, limit, old, bounds } = lead;
    let panels = panels.chunks_exact(rows.max(1));
    for (at, ((value, constant), panel)) in values.iter_mut().zip(constants).zip(panels).enumerate()
    {
        let mut least = V::load(constant);
        for &row in home {
            least = least.min(V::load(&panel[row as usize]));
        }
        limited(limit, least, || V::load(&old[at]), || V::load(&bounds[at])).store(value);
    }
}

#[inline(always)]
fn follow_loop<V: Vector>(follow: Follow, log: &mut Log) {
    let Follow {
        panels,
        rows,
        row,
        first,
        constants,
        values,
        windows,
        starts,
        columns,
        limit,
        bounds,
        ..
    } = follow;
    let mut stamps = follow.stamps;
    for (at, constant) in constants.iter().enumerate() {
        let column = (first + at) * LINE;
        if column >= columns {
            return;
        }
        let mut least = V::load(constant);
        for window in &windows[starts[first + at] as usize..starts[first + at + 1] as usize] {
            let child = V::load(&values[window.panel as usize]).pick(V::picks(&window.picks));
            least = least.lower(V::lanes(window.lanes), child);
        }
        let place = at * rows + row;
        let old = V::load(&panels[place]);
        let new = limited(limit, least, || old, || V::load(&bounds[place]));
        let lanes = old.differing(new) & (u64::MAX >> (LINE - (columns - column).min(LINE)));
        if lanes != 0 {
            let lines = (&mut panels[place], stamps.as_mut().map(|stamps| stamps.line(place)));
            change(lines, (old, new), lanes, log, follow.spot, (row, column));
        }
    }
}

#[inline(always)]
fn settle_loop<V: Vector>(settle: Settle, log: &mut Log) {
    let Settle { tile, rows, panel, column, lanes, corner, mut stamps, spot } = settle;
    for (at, (line, &row)) in tile.0.iter().zip(rows).enumerate() {
        let Some(slot) = panel.get_mut(row as usize) else { continue };
        let (old, new) = (V::load(slot), V::load(line));
        let own = if corner { u64::MAX << at } else { u64::MAX };
        let lanes = old.differing(new) & lanes & own;
        if lanes != 0 {
            let lines = (slot, stamps.as_mut().map(|stamps| stamps.line(row as usize)));
            change(lines, (old, new), lanes, log, spot, (row as usize, column));
        }
    }
}

impl Stamps<'_> {
    #[inline(always)]
    fn line(&mut self, place: usize) -> (&mut Line, u8, Stamped) {
        (&mut self.lines[place], self.stamp, self.who)
    }
}

/// Replaces `old` by `new` in some lanes of a line, stamps them and notes it.
#[inline(always)]
fn change<V: Vector>(
    (slot, stamps): (&mut Line, Option<(&mut Line, u8, Stamped)>),
    (old, new): (V, V),
    lanes: u64,
    log: &mut Log,
    spot: Spot,
    place: (usize, usize),
) {
    let mut before = Line::of(0);
    old.store(&mut before);
    old.replace(V::lanes(lanes), new).store(slot);
    if let Some((stamps, stamp, who)) = stamps {
        let lanes = match who {
            Stamped::All => lanes,
            Stamped::Losses => lanes & new.negative(),
        };
        V::load(stamps).replace(V::lanes(lanes), V::splat(stamp.cast_signed())).store(stamps);
    }
    log.note(spot, place, lanes, &before, slot);
}

#[inline(always)]
fn opposite_loop<V: Vector>(tile: &Tile, others: &[Line; LINE]) -> [u64; LINE] {
    // No closure: it would be compiled without the kernel's instructions.
    let mut lanes = [0; LINE];
    for ((lanes, line), other) in lanes.iter_mut().zip(&tile.0).zip(others) {
        *lanes = !V::load(line).differing(V::splat(0).minus(V::load(other)));
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dice;
    use crate::solver::plan::OUTSIDE;

    /// Rows of a block, and panels.
    const ROWS: usize = 70;
    const PANELS: usize = 3;

    fn line(dice: &mut Dice, most: i8) -> Line {
        Line(std::array::from_fn(|_| dice.below(2 * most as u64 + 1) as i8 - most))
    }

    fn lines(dice: &mut Dice, count: usize, most: i8) -> Vec<Line> {
        (0..count).map(|_| line(dice, most)).collect()
    }

    fn window(dice: &mut Dice) -> Window {
        let picks = Picks(std::array::from_fn(|_| dice.below(LINE as u64) as u8));
        Window { picks, lanes: dice.number(), panel: dice.below(PANELS as u64) as u32 }
    }

    /// A tile of random scores; a few are as large as scores get while nothing is known.
    fn tile(dice: &mut Dice) -> Tile {
        Tile(std::array::from_fn(|_| line(dice, 100)))
    }

    /// Runs `work` with the same dice on every kernel and compares what it gives.
    fn assert_same<T: PartialEq + std::fmt::Debug>(work: impl Fn(Kernel, &mut Dice) -> T) {
        for seed in 0..200 {
            let expected = work(Kernel::Portable, &mut Dice::new(seed));
            for kernel in Kernel::available() {
                assert_eq!(work(kernel, &mut Dice::new(seed)), expected, "{kernel:?}, seed {seed}");
            }
        }
    }

    #[test]
    fn kernels_pull_the_same() {
        for captures in [false, true] {
            assert_same(|kernel, dice| {
                let block = lines(dice, PANELS * ROWS, 100);
                let [windows, ahead] =
                    [3, 2].map(|count| (0..count).map(|_| window(dice)).collect::<Vec<_>>());
                let pull = |_| Pull {
                    place: dice.below(LINE as u64) as u32,
                    row: dice.below(ROWS as u64) as u32,
                };
                let pulls: Vec<Pull> = (0..20).map(pull).collect();
                let mut out = tile(dice);
                let source = Source {
                    lines: &block,
                    rows: ROWS,
                    windows: &windows,
                    ahead: &ahead,
                    pulls: &pulls,
                    captured: 5,
                };
                if captures {
                    kernel.pull_captures(&mut out.0, std::iter::once(source));
                } else {
                    kernel.pull(&mut out.0, 1, std::iter::once(source));
                }
                out
            });
        }
    }

    fn limits() -> [Limit; 3] {
        [Limit::Free, Limit::Above { most: 3 }, Limit::Below { least: -3 }]
    }

    #[test]
    fn kernels_lead_the_same() {
        for limit in limits() {
            assert_same(|kernel, dice| {
                let mut values = lines(dice, PANELS, 100);
                let [constants, old, bounds] = [(); 3].map(|()| lines(dice, PANELS, 100));
                let home: Vec<u32> =
                    (0..dice.below(6)).map(|_| dice.below(ROWS as u64) as u32).collect();
                let panels = lines(dice, PANELS * ROWS, 100);
                kernel.lead(Lead {
                    values: &mut values,
                    constants: &constants,
                    panels: &panels,
                    rows: ROWS,
                    home: &home,
                    limit,
                    old: &old,
                    bounds: &bounds,
                });
                values
            });
        }
    }

    #[test]
    fn kernels_follow_the_same() {
        for (limit, who) in limits().into_iter().zip([Stamped::All, Stamped::Losses, Stamped::All])
        {
            assert_same(|kernel, dice| {
                let [mut panels, mut stamps, bounds] = [(); 3].map(|()| lines(dice, 2 * ROWS, 4));
                let (constants, values) = (lines(dice, 2, 4), lines(dice, PANELS, 4));
                let windows: Vec<Window> = (0..4).map(|_| window(dice)).collect();
                let mut log = Log { count: 0, changes: Some(Vec::new()) };
                let follow = Follow {
                    panels: &mut panels,
                    rows: ROWS,
                    row: dice.below(ROWS as u64) as usize,
                    first: 1,
                    constants: &constants,
                    values: &values,
                    windows: &windows,
                    starts: &[0, 1, 1, 4],
                    columns: LINE + dice.below(2 * LINE as u64 + 1) as usize,
                    limit,
                    bounds: &bounds,
                    stamps: Some(Stamps { lines: &mut stamps, stamp: 77, who }),
                    spot: Spot { block: 1, plane: 0 },
                };
                kernel.follow(follow, &mut log);
                (panels, stamps, log.count, log.changes)
            });
        }
    }

    #[test]
    fn kernels_settle_the_same() {
        for (corner, who) in [(false, Stamped::All), (true, Stamped::Losses)] {
            assert_same(|kernel, dice| {
                let [mut panel, mut stamps] = [(); 2].map(|()| lines(dice, ROWS, 2));
                let tile = Tile(std::array::from_fn(|_| line(dice, 2)));
                let row =
                    |_| if dice.below(5) == 0 { OUTSIDE } else { dice.below(ROWS as u64) as u32 };
                let rows: Vec<u32> = (0..LINE).map(row).collect();
                let mut log = Log { count: 0, changes: Some(Vec::new()) };
                let settle = Settle {
                    tile: &tile,
                    rows: &rows,
                    panel: &mut panel,
                    column: 128,
                    lanes: dice.number(),
                    corner,
                    stamps: Some(Stamps { lines: &mut stamps, stamp: 200, who }),
                    spot: Spot { block: 1, plane: 0 },
                };
                kernel.settle(settle, &mut log);
                (panel, stamps, log.count, log.changes)
            });
        }
    }

    #[test]
    fn kernels_turn_tiles_round() {
        assert_same(|kernel, dice| {
            let (mut turned, was) = {
                let tile = tile(dice);
                (tile.clone(), tile)
            };
            kernel.transpose(&mut turned);
            let places = (0..LINE).flat_map(|row| (0..LINE).map(move |column| (row, column)));
            assert!(
                { places }.all(|(row, column)| turned.0[row].0[column] == was.0[column].0[row])
            );
            turned
        });
    }

    #[test]
    fn kernels_find_the_same_opposites() {
        assert_same(|kernel, dice| {
            let (tile, others) =
                (Tile(std::array::from_fn(|_| line(dice, 1))), lines(dice, LINE, 1));
            kernel.opposite(&tile, others.first_chunk().expect("64 lines"))
        });
    }
}
