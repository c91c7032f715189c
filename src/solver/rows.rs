//! Row kernels: the only arithmetic of the solver that must be fast.
//!
//! Two operations, each in a portable version and with vector instructions chosen at run time:
//!
//! * [`Kernel::pull`]: for 64 rows of the mover and a span of lanes (opponent's rows), the minimum
//!   over the children's scores and what captures leave, that is the *negated* new score;
//! * [`Kernel::settle`]: a tile of 64 rows × 64 lanes is transposed, negated back and compared with
//!   the old scores.
//!
//! Everything is a minimum of bytes: negating once at the end saves a subtraction for each child.
//! Every kernel computes the same bytes; the tests hold each against the slow solver.
//!
//! The rows of a tile are computed passage by passage: all rows whose children lie behind the same
//! [`Path`] one after the other, window by window. So masks and permutations stay in registers, and
//! loops are long and regular. (Tried instead: row by row, with each row's sources prefetched or
//! not. It took the same time to a few per cent.)

use crate::layer::plane::{LINE, PANEL, Shape};
use crate::solver::captures::NONE;
use crate::solver::plan::{BlockPlan, Gather, OUTSIDE, Picks, RowMove, SPAN};

/// Lines of a span.
pub const LINES: usize = SPAN / LINE;

/// Bytes from one row of a strip to the next. One line more than a span: at a stride of 512 bytes
/// all rows would fall into the same few sets of the innermost cache.
const STRIDE: usize = SPAN + LINE;

/// 64 rows of the mover × one span of lanes, one byte each.
#[repr(C, align(64))]
struct Strip([[i8; STRIDE]; LINE]);

/// What a thread works on. A new one is empty.
pub struct Desk {
    strip: Box<Strip>,
    /// By passage: rows of the tile that are computed, and the rows of their children.
    pulls: Vec<Vec<Pull>>,
}

impl Default for Desk {
    fn default() -> Desk {
        Desk { strip: Box::new(Strip([[0; STRIDE]; LINE])), pulls: Vec::new() }
    }
}

/// One row to compute from the children in one row.
#[derive(Clone, Copy)]
struct Pull {
    /// The row's place in the strip, 0..64.
    place: u32,
    /// The child's row in its block.
    row: u32,
}

/// 64 lanes × 64 rows of the mover.
#[repr(C, align(64))]
struct Tile([[i8; LINE]; LINE]);

/// One passage within one span: where its children are.
pub struct Path<'a> {
    /// What changed in each row of the child's block.
    dirt: &'a [u64],
    /// What of it each line of the span reads.
    line_dirt: &'a [u64; LINES],
    /// The child's block and all behind it.
    scores: &'a [i8],
    /// Each window of the span: its line, and where it begins for the block's row 0.
    windows: Vec<(u32, usize)>,
    /// The first of them that lies in the block's last panel, which is narrower than the others.
    in_last_panel: usize,
    /// Bytes from one row of the last panel to the next.
    last_width: usize,
    /// Which columns belong to which lane.
    gather: &'a Gather,
    /// The gather's number of the span's first window.
    first_window: usize,
}

impl<'a> Path<'a> {
    /// What `gather` reads of a block in one span. The block comes with all memory behind it.
    pub fn new(
        dirt: &'a [u64],
        scores: &'a [i8],
        shape: Shape,
        gather: &'a Gather,
        span: usize,
    ) -> Path<'a> {
        let first_line = span * LINES;
        let lines = first_line..gather.lines().min(first_line + LINES);
        let first_window = gather.of_line(first_line).start;
        let last_panel = shape.panels() - 1;
        let mut path = Path {
            dirt,
            line_dirt: gather.line_dirt[first_line..].first_chunk().expect("whole spans"),
            scores,
            windows: Vec::new(),
            in_last_panel: 0,
            last_width: shape.width(last_panel),
            gather,
            first_window,
        };
        for line in lines {
            for &(panel, start) in &gather.windows[gather.of_line(line)] {
                let start = shape.panel_start(panel as usize).checked_add_signed(start as isize);
                let start =
                    start.expect("a window may begin before a panel, but not before the block");
                path.windows.push(((line - first_line) as u32, start));
                path.in_last_panel += usize::from((panel as usize) < last_panel);
            }
        }
        let end = |window| path.place(window, shape.rows() - 1) + LINE;
        assert!(
            (0..path.windows.len()).all(|window| end(window) <= scores.len())
                && dirt.len() == shape.rows()
        );
        path
    }

    /// Where in `scores` a window lies for one row of the block.
    #[inline(always)]
    fn place(&self, window: usize, row: usize) -> usize {
        self.windows[window].1
            + row * if window < self.in_last_panel { PANEL } else { self.last_width }
    }

    #[inline(always)]
    fn lanes(&self, window: usize) -> u64 {
        self.gather.lanes[self.first_window + window]
    }

    /// Where the lanes of a window find their children in it; `None` if each at its own place.
    #[inline(always)]
    fn picks(&self, window: usize) -> Option<&Picks> {
        self.gather.picks.get(self.first_window + window)
    }
}

/// One span of lanes in one block.
pub struct Span<'a> {
    /// The block.
    pub plan: &'a BlockPlan<'a>,
    /// By passage; none if quiet moves are left out.
    pub paths: Vec<Path<'a>>,
    /// What captures are worth, if they count.
    pub captures: Option<Constants<'a>>,
    /// The block's own scores and all behind them.
    pub scores: &'a [i8],
    /// How they are laid out.
    pub shape: Shape,
    /// The row in the block of each lane; [`OUTSIDE`] for lanes without one.
    pub lane_rows: &'a [u32],
    /// Whether everything must be computed, whatever has changed.
    pub fresh: bool,
    /// Between which bounds a computed score is kept.
    pub limits: Limits<'a>,
}

/// What captures are worth in one span.
#[derive(Clone, Copy)]
pub struct Constants<'a> {
    /// The span's panel, and all behind.
    pub bytes: &'a [i8],
    /// Bytes from one row to the next.
    pub width: usize,
}

/// Between which bounds a computed score is kept before it replaces the old one.
#[derive(Clone, Copy)]
pub enum Limits<'a> {
    /// None.
    Free,
    /// Scores only rise.
    Rise,
    /// Scores only fall.
    Fall,
    /// Scores only fall, and no higher than `most`; but never below those of `floor`.
    Core {
        /// At most this.
        most: i8,
        /// At least the scores of this block, laid out like the span's own.
        floor: &'a [i8],
    },
    /// The same upside down: scores only rise, and no lower than `least`; but never above those of
    /// `ceiling`.
    MirroredCore {
        /// At least this.
        least: i8,
        /// At most the scores of this block, laid out like the span's own.
        ceiling: &'a [i8],
    },
}

impl<'a> Span<'a> {
    /// How many lines it has.
    pub fn lines(&self) -> usize {
        self.lane_rows.len().div_ceil(LINE)
    }

    /// What a row begins with before its quiet moves are looked at.
    #[inline(always)]
    fn begin(&self, row: usize, strip: &mut [i8; STRIDE]) {
        let strip = &mut strip[..self.lines() * LINE];
        match self.captures {
            Some(Constants { bytes, width }) => {
                strip.copy_from_slice(&bytes[row * width..][..strip.len()])
            }
            None => strip.fill(NONE),
        }
    }

    /// The quiet moves of a row, and moves that turn out to be captures in the lanes that are.
    fn moves(&self, row: usize) -> &'a [RowMove] {
        if self.paths.is_empty() { &[] } else { self.plan.moves(row) }
    }

    /// 64 rows of the mover, which are columns of the block, from `first` on, of a block laid out
    /// like the span's own.
    fn columns<'s>(&self, block: &'s [i8], first: usize) -> Columns<'s> {
        let panel = first / PANEL;
        let scores = &block[self.shape.panel_start(panel) + first % PANEL..];
        Columns { scores, width: self.shape.width(panel) }
    }

    /// The rows of one line's lanes.
    fn line(&self, line: usize) -> &'a [u32] {
        let lanes = &self.lane_rows[line * LINE..];
        &lanes[..lanes.len().min(LINE)]
    }

    /// Computes 64 rows from `first` on with the operations of one kernel; see [`Kernel::pull`].
    #[inline(always)]
    fn pull(
        &self,
        first: usize,
        desk: &mut Desk,
        dirty: impl Fn(&Path, usize) -> u8,
        pull: impl Fn(&Path, &[Pull], &mut Strip),
    ) -> [u8; LINE] {
        let mut lines = [0u8; LINE];
        let rows = first..self.plan.rows().min(first + LINE);
        for (row, lines) in rows.clone().zip(&mut lines) {
            *lines = if self.fresh { u8::MAX } else { 0 };
            for sown in self.moves(row) {
                *lines |= dirty(&self.paths[sown.passage as usize], sown.row as usize);
            }
        }
        desk.pulls.resize_with(desk.pulls.len().max(self.paths.len()), Vec::new);
        for (place, row) in rows.enumerate().filter(|(place, _)| lines[*place] != 0) {
            self.begin(row, &mut desk.strip.0[place]);
            for sown in self.moves(row) {
                desk.pulls[sown.passage as usize].push(Pull { place: place as u32, row: sown.row });
            }
        }
        for (path, pulls) in self.paths.iter().zip(&mut desk.pulls) {
            assert!(
                pulls
                    .iter()
                    .all(|pull| (pull.row as usize) < path.dirt.len()
                        && (pull.place as usize) < LINE)
            );
            pull(path, pulls, &mut desk.strip);
            pulls.clear();
        }
        lines
    }
}

/// Some columns of a block.
#[derive(Clone, Copy)]
struct Columns<'a> {
    /// From the first row and the first of the columns on.
    scores: &'a [i8],
    /// Bytes from one row to the next.
    width: usize,
}

impl<'a> Columns<'a> {
    /// The scores of a lane's row, 64 bytes from the first column on.
    #[inline(always)]
    fn row(self, row: u32) -> &'a [i8] {
        &self.scores[row as usize * self.width..][..LINE]
    }
}

/// Lines of a block that changed.
#[derive(Debug, Default)]
pub struct Changes {
    places: Vec<(u32, u32)>,
    lines: Vec<[i8; LINE]>,
}

impl Changes {
    /// How many lines.
    pub fn count(&self) -> u64 {
        self.lines.len() as u64
    }

    /// Row, first column and new scores of each.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, &[i8; LINE])> {
        let places = self.places.iter().map(|&(row, column)| (row as usize, column as usize));
        places.zip(&self.lines).map(|((row, column), line)| (row, column, line))
    }

    /// Forgets them, and has memory for all that one task can find.
    pub fn clear(&mut self) {
        self.places.clear();
        self.lines.clear();
        self.places.reserve_exact(SPAN * PANEL / LINE);
        self.lines.reserve_exact(SPAN * PANEL / LINE);
    }

    #[inline(always)]
    fn push(&mut self, row: u32, column: usize, line: [i8; LINE]) {
        self.places.push((row, column as u32));
        self.lines.push(line);
    }
}

/// Which instructions the row operations use: always some that this machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kernel(Instructions);

/// Private, so that nobody gets a kernel but from [`Kernel::available`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Instructions {
    /// Plain Rust, on every machine.
    Portable,
    /// 32 bytes at a time.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 64 bytes at a time, with byte permutations (AVX-512 F, BW and VBMI).
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Kernel {
    /// The kernels this machine can run, slowest first.
    pub fn available() -> Vec<Kernel> {
        let mut found = vec![Kernel(Instructions::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                found.push(Kernel(Instructions::Avx2));
            }
            let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
            if wide && is_x86_feature_detected!("avx512vbmi") {
                found.push(Kernel(Instructions::Avx512));
            }
        }
        found
    }

    /// The fastest of them.
    pub fn best() -> Kernel {
        Kernel::available().pop().unwrap_or(Kernel(Instructions::Portable))
    }

    /// What users call it.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Instructions::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "avx512",
        }
    }

    /// Computes the rows `first..first + 64` of the mover into the desk's strip, except those none of whose
    /// children have changed. Bit `i` of byte `r` of the answer says whether row `first + r` may
    /// have changed in line `i`.
    pub fn pull(self, span: &Span, first: usize, desk: &mut Desk) -> [u8; LINE] {
        match self.0 {
            Instructions::Portable => span.pull(first, desk, portable::dirty, portable::pull),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => x86::avx2_pull(span, first, desk),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => x86::avx512_pull(span, first, desk),
        }
    }

    /// Transposes and negates line `line` of the desk's strip, whose rows begin with `first`, keeps
    /// the scores within the limits, and adds what differs from the old ones to `changes`. Rows of the mover that are not in
    /// `computed` keep their old scores.
    pub fn settle(
        self,
        span: &Span,
        first: usize,
        line: usize,
        computed: u64,
        desk: &Desk,
        changes: &mut Changes,
    ) {
        let strip = &*desk.strip;
        match self.0 {
            Instructions::Portable => {
                portable::settle(span, first, line, computed, strip, changes, portable::turn)
            }
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => {
                portable::settle(span, first, line, computed, strip, changes, x86::avx2_turn)
            }
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => x86::avx512_settle(span, first, line, computed, strip, changes),
        }
    }
}

mod portable {
    use super::{Changes, LINE, Limits, OUTSIDE, Path, Picks, Pull, Span, Strip, Tile};

    pub fn dirty(path: &Path, row: usize) -> u8 {
        let dirt = path.dirt[row];
        path.line_dirt.iter().rev().fold(0, |lines, line| lines << 1 | u8::from(dirt & line != 0))
    }

    pub fn pull(path: &Path, pulls: &[Pull], strip: &mut Strip) {
        for (window, &(line, _)) in path.windows.iter().enumerate() {
            for pull in pulls {
                let children = &path.scores[path.place(window, pull.row as usize)..][..LINE];
                let out = &mut strip.0[pull.place as usize][line as usize * LINE..][..LINE];
                pull_window(children, path.lanes(window), path.picks(window), out);
            }
        }
    }

    fn pull_window(children: &[i8], lanes: u64, picks: Option<&Picks>, out: &mut [i8]) {
        match picks {
            Some(picks) => {
                each_lane(lanes, |lane| out[lane] = out[lane].min(children[picks.0[lane] as usize]))
            }
            None if lanes == u64::MAX => {
                out.iter_mut().zip(children).for_each(|(best, child)| *best = *child.min(best))
            }
            None => each_lane(lanes, |lane| out[lane] = out[lane].min(children[lane])),
        }
    }

    fn each_lane(mut lanes: u64, mut act: impl FnMut(usize)) {
        while lanes != 0 {
            act(lanes.trailing_zeros() as usize);
            lanes &= lanes - 1;
        }
    }

    pub fn turn(strip: &Strip, line: usize, tile: &mut Tile) {
        for (row, scores) in strip.0.iter().enumerate() {
            for (lane, score) in scores[line * LINE..][..LINE].iter().enumerate() {
                tile.0[lane][row] = score.wrapping_neg();
            }
        }
    }

    pub fn settle(
        span: &Span,
        first: usize,
        line: usize,
        computed: u64,
        strip: &Strip,
        changes: &mut Changes,
        turn: impl Fn(&Strip, usize, &mut Tile),
    ) {
        let mut tile = Tile([[0; LINE]; LINE]);
        turn(strip, line, &mut tile);
        let before = span.columns(span.scores, first);
        for (&row, new) in
            span.line(line).iter().zip(&mut tile.0).filter(|(row, _)| **row != OUTSIDE)
        {
            let old = before.row(row);
            limit(span, first, row, old, new);
            if computed != u64::MAX {
                keep(old, new, computed);
            }
            if old != new {
                changes.push(row, first, *new);
            }
        }
    }

    /// Keeps the new scores of a lane's row within the span's limits.
    fn limit(span: &Span, first: usize, row: u32, old: &[i8], new: &mut [i8; LINE]) {
        let lines = new.iter_mut().zip(old);
        match span.limits {
            Limits::Free => {}
            Limits::Rise => lines.for_each(|(new, &old)| *new = old.max(*new)),
            Limits::Fall => lines.for_each(|(new, &old)| *new = old.min(*new)),
            Limits::Core { most, floor } => {
                let floor = span.columns(floor, first).row(row);
                lines
                    .zip(floor)
                    .for_each(|((new, &old), &floor)| *new = floor.max(old.min(most).min(*new)));
            }
            Limits::MirroredCore { least, ceiling } => {
                let ceiling = span.columns(ceiling, first).row(row);
                lines.zip(ceiling).for_each(|((new, &old), &ceiling)| {
                    *new = ceiling.min(old.max(least).max(*new))
                });
            }
        }
    }

    /// Takes over from `old` what was not computed.
    fn keep(old: &[i8], new: &mut [i8; LINE], computed: u64) {
        for (i, (old, new)) in old.iter().zip(new).enumerate() {
            if computed >> i & 1 == 0 {
                *new = *old;
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    //! The same with vector instructions.
    #![allow(unsafe_code)]

    use std::arch::x86_64::*;

    use super::{
        Changes, Columns, Desk, LINE, Limits, OUTSIDE, PANEL, Path, Picks, Pull, STRIDE, Span,
        Strip, Tile, portable,
    };

    pub fn avx512_pull(span: &Span, first: usize, desk: &mut Desk) -> [u8; LINE] {
        // SAFETY: a `Kernel` with these instructions exists only where `available` found them.
        unsafe { pull_512(span, first, desk) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn pull_512(span: &Span, first: usize, desk: &mut Desk) -> [u8; LINE] {
        let dirty = |path: &Path, row: usize| {
            // SAFETY: eight words are 64 bytes.
            let lines = unsafe { _mm512_loadu_si512(path.line_dirt.as_ptr().cast()) };
            _mm512_test_epi64_mask(lines, _mm512_set1_epi64(path.dirt[row] as i64))
        };
        span.pull(first, desk, dirty, |path, pulls, strip| pull_path_512(path, pulls, strip))
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn pull_path_512(path: &Path, pulls: &[Pull], strip: &mut Strip) {
        for (window, &(line, start)) in path.windows.iter().enumerate() {
            let width = if window < path.in_last_panel { PANEL } else { path.last_width };
            let lanes = path.lanes(window);
            // SAFETY: `Path::new` has seen to it that the windows of every row of the block lie
            // within the scores and a line within the span; `Span::pull`, that the rows are the
            // block's and the places the strip's.
            unsafe {
                let children = |pull: &Pull| {
                    let row = path.scores.as_ptr().add(start + pull.row as usize * width);
                    _mm512_loadu_si512(row.cast())
                };
                let strip = strip.0.as_mut_ptr().cast::<i8>().add(line as usize * LINE);
                let lower = |pull: &Pull, children: __m512i| {
                    let best = strip.add(pull.place as usize * STRIDE).cast();
                    let before = _mm512_load_si512(best);
                    _mm512_store_si512(best, _mm512_mask_min_epi8(before, lanes, before, children));
                };
                match path.picks(window) {
                    None => pulls.iter().for_each(|pull| lower(pull, children(pull))),
                    Some(picks) => {
                        let picks = _mm512_load_si512(picks.0.as_ptr().cast());
                        let picked = |pull| _mm512_permutexvar_epi8(picks, children(pull));
                        pulls.iter().for_each(|pull| lower(pull, picked(pull)));
                    }
                }
            }
        }
    }

    pub fn avx512_settle(
        span: &Span,
        first: usize,
        line: usize,
        computed: u64,
        strip: &Strip,
        changes: &mut Changes,
    ) {
        // SAFETY: the instructions are there, see `avx512_pull`.
        unsafe { settle_512(span, first, line, computed, strip, changes) }
    }

    /// Sixteen rows at a time are interleaved until each 128-bit quarter holds one lane's sixteen
    /// bytes; then the quarters of the four groups are put side by side.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn settle_512(
        span: &Span,
        first: usize,
        line: usize,
        computed: u64,
        strip: &Strip,
        changes: &mut Changes,
    ) {
        let zero = _mm512_setzero_si512();
        let mut parts = [[zero; 16]; 4];
        for (group, part) in
            parts.iter_mut().enumerate().filter(|(group, _)| computed >> (16 * group) & 0xffff != 0)
        {
            let row = |i: usize| {
                // SAFETY: the line lies within the row.
                unsafe {
                    _mm512_loadu_si512(
                        strip.0[group * 16 + i][line * LINE..][..LINE].as_ptr().cast(),
                    )
                }
            };
            *part = interleave_512(std::array::from_fn(row));
        }
        let (lane_rows, before) = (span.line(line), span.columns(span.scores, first));
        for lane in 0..16.min(lane_rows.len()) {
            let [a, b, c, d] = parts.each_ref().map(|part| part[lane]);
            let (ab_low, ab_high) =
                (_mm512_shuffle_i32x4(a, b, 0x44), _mm512_shuffle_i32x4(a, b, 0xee));
            let (cd_low, cd_high) =
                (_mm512_shuffle_i32x4(c, d, 0x44), _mm512_shuffle_i32x4(c, d, 0xee));
            let turned = [
                _mm512_shuffle_i32x4(ab_low, cd_low, 0x88),
                _mm512_shuffle_i32x4(ab_low, cd_low, 0xdd),
                _mm512_shuffle_i32x4(ab_high, cd_high, 0x88),
                _mm512_shuffle_i32x4(ab_high, cd_high, 0xdd),
            ];
            for (quarter, turned) in turned.into_iter().enumerate() {
                let Some(&row) = lane_rows.get(quarter * 16 + lane).filter(|row| **row != OUTSIDE)
                else {
                    continue;
                };
                // SAFETY: `Columns::row` is 64 bytes long.
                let load = |columns: Columns| unsafe {
                    _mm512_loadu_si512(columns.row(row).as_ptr().cast())
                };
                let old = load(before);
                let mut new = _mm512_sub_epi8(zero, turned);
                match span.limits {
                    Limits::Free => {}
                    Limits::Rise => new = _mm512_max_epi8(old, new),
                    Limits::Fall => new = _mm512_min_epi8(old, new),
                    Limits::Core { most, floor } => {
                        let least = load(span.columns(floor, first));
                        let most = _mm512_min_epi8(old, _mm512_set1_epi8(most));
                        new = _mm512_max_epi8(least, _mm512_min_epi8(most, new));
                    }
                    Limits::MirroredCore { least, ceiling } => {
                        let most = load(span.columns(ceiling, first));
                        let least = _mm512_max_epi8(old, _mm512_set1_epi8(least));
                        new = _mm512_min_epi8(most, _mm512_max_epi8(least, new));
                    }
                }
                let new = _mm512_mask_mov_epi8(old, computed, new);
                if _mm512_cmpneq_epi8_mask(old, new) != 0 {
                    let mut line = [0; LINE];
                    // SAFETY: a line is 64 bytes long.
                    unsafe { _mm512_storeu_si512(line.as_mut_ptr().cast(), new) };
                    changes.push(row, first, line);
                }
            }
        }
    }

    /// Transposes the sixteen 16 × 16 byte blocks' quarters: afterwards quarter `q` of register `r`
    /// is byte `16 q + r` of every row.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn interleave_512(rows: [__m512i; 16]) -> [__m512i; 16] {
        let mut rows = rows;
        for _ in 0..4 {
            let mut next = rows;
            for i in 0..8 {
                next[2 * i] = _mm512_unpacklo_epi8(rows[i], rows[i + 8]);
                next[2 * i + 1] = _mm512_unpackhi_epi8(rows[i], rows[i + 8]);
            }
            rows = next;
        }
        rows
    }

    pub fn avx2_pull(span: &Span, first: usize, desk: &mut Desk) -> [u8; LINE] {
        // SAFETY: a `Kernel` with these instructions exists only where `available` found them.
        unsafe { pull_256(span, first, desk) }
    }

    #[target_feature(enable = "avx2")]
    fn pull_256(span: &Span, first: usize, desk: &mut Desk) -> [u8; LINE] {
        span.pull(first, desk, portable::dirty, |path, pulls, strip| {
            pull_path_256(path, pulls, strip)
        })
    }

    #[target_feature(enable = "avx2")]
    fn pull_path_256(path: &Path, pulls: &[Pull], strip: &mut Strip) {
        for (window, &(line, _)) in path.windows.iter().enumerate() {
            let (lanes, picks) = (path.lanes(window), path.picks(window));
            for pull in pulls {
                let children = &path.scores[path.place(window, pull.row as usize)..][..LINE];
                let out = &mut strip.0[pull.place as usize][line as usize * LINE..][..LINE];
                // SAFETY: both are one line long.
                unsafe { pull_window_256(children.as_ptr(), lanes, picks, out.as_mut_ptr()) };
            }
        }
    }

    /// # Safety
    /// AVX2 is there; `children` and `out` are valid for one line.
    #[target_feature(enable = "avx2")]
    unsafe fn pull_window_256(
        children: *const i8,
        lanes: u64,
        picks: Option<&Picks>,
        out: *mut i8,
    ) {
        for half in [0, 32] {
            let lanes = (lanes >> half) as u32;
            if lanes == 0 {
                continue;
            }
            // SAFETY: a line is two halves, and so are its picks.
            unsafe {
                let best: *mut __m256i = out.add(half).cast();
                let child = match picks {
                    None => _mm256_loadu_si256(children.add(half).cast()),
                    Some(picks) => {
                        pick_256(children, _mm256_load_si256(picks.0.as_ptr().add(half).cast()))
                    }
                };
                _mm256_storeu_si256(best, mask_min_256(_mm256_loadu_si256(best), lanes, child));
            }
        }
    }

    /// 32 bytes picked from 64: a shuffle within each quarter, the right one kept.
    ///
    /// # Safety
    /// AVX2 is there, and 64 bytes can be read at `children`.
    #[target_feature(enable = "avx2")]
    unsafe fn pick_256(children: *const i8, picks: __m256i) -> __m256i {
        let mut picked = _mm256_setzero_si256();
        for quarter in 0..4 {
            // SAFETY: quarter by quarter, 64 bytes.
            let bytes = unsafe {
                _mm256_broadcastsi128_si256(_mm_loadu_si128(children.add(16 * quarter).cast()))
            };
            let beyond = _mm256_cmpgt_epi8(picks, _mm256_set1_epi8(16 * quarter as i8 - 1));
            picked = _mm256_blendv_epi8(picked, _mm256_shuffle_epi8(bytes, picks), beyond);
        }
        picked
    }

    /// The minimum in the lanes of the mask, `best` elsewhere.
    #[target_feature(enable = "avx2")]
    fn mask_min_256(best: __m256i, lanes: u32, child: __m256i) -> __m256i {
        let spread = _mm256_setr_epi64x(
            0,
            0x0101_0101_0101_0101,
            0x0202_0202_0202_0202,
            0x0303_0303_0303_0303,
        );
        let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        let word = _mm256_shuffle_epi8(_mm256_set1_epi32(lanes as i32), spread);
        let chosen = _mm256_cmpeq_epi8(_mm256_and_si256(word, bits), bits);
        _mm256_blendv_epi8(best, _mm256_min_epi8(best, child), chosen)
    }

    pub fn avx2_turn(strip: &Strip, line: usize, tile: &mut Tile) {
        // SAFETY: the instructions are there, see `avx2_pull`.
        unsafe { turn_256(strip, line, tile) }
    }

    /// Sixteen rows × 32 lanes at a time.
    #[target_feature(enable = "avx2")]
    fn turn_256(strip: &Strip, line: usize, tile: &mut Tile) {
        let zero = _mm256_setzero_si256();
        for group in 0..4 {
            for half in 0..2 {
                let row = |i: usize| {
                    let lanes = &strip.0[group * 16 + i][line * LINE + half * 32..][..32];
                    // SAFETY: 32 bytes, checked by the slice.
                    unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
                };
                let mut rows: [__m256i; 16] = std::array::from_fn(row);
                for _ in 0..4 {
                    let mut next = rows;
                    for i in 0..8 {
                        next[2 * i] = _mm256_unpacklo_epi8(rows[i], rows[i + 8]);
                        next[2 * i + 1] = _mm256_unpackhi_epi8(rows[i], rows[i + 8]);
                    }
                    rows = next;
                }
                for (lane, turned) in rows.into_iter().enumerate() {
                    let turned = _mm256_sub_epi8(zero, turned);
                    let (low, high) =
                        (_mm256_castsi256_si128(turned), _mm256_extracti128_si256(turned, 1));
                    for (quarter, bytes) in [low, high].into_iter().enumerate() {
                        let target =
                            &mut tile.0[half * 32 + quarter * 16 + lane][group * 16..][..16];
                        // SAFETY: 16 bytes, checked by the slice.
                        unsafe { _mm_storeu_si128(target.as_mut_ptr().cast(), bytes) };
                    }
                }
            }
        }
    }
}
