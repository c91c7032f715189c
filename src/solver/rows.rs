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
//! A layer is far larger than the caches, and the rows that are read lie all over it. So each row's
//! sources are asked for while the row before it is computed, and so are the old scores.

use crate::board::HOUSES;
use crate::solver::plan::{BlockPlan, Gather, GatherShape, OUTSIDE, SPAN};
use crate::solver::plane::LINE;

/// Lines of a span.
pub const LINES: usize = SPAN / LINE;

/// 64 rows of the mover × one span of lanes, one byte each.
#[repr(C, align(64))]
pub struct Strip(pub [[i8; SPAN]; LINE]);

/// 64 lanes × 64 rows of the mover.
#[repr(C, align(64))]
struct Tile([[i8; LINE]; LINE]);

/// One passage within one span: where its children are.
pub struct Path<'a> {
    /// What changed in each row of the child's block.
    pub dirt: &'a [u64],
    /// What of it each line of the span reads.
    pub line_dirt: &'a [u64; LINES],
    /// The child's block and all behind it.
    pub scores: &'a [i8],
    /// Bytes from one of its rows to the next.
    pub stride: usize,
    /// Which columns belong to which lane.
    pub gather: &'a Gather,
}

/// One span of lanes in one block.
pub struct Span<'a> {
    /// The block.
    pub plan: &'a BlockPlan<'a>,
    /// By passage.
    pub paths: Vec<Path<'a>>,
    /// What captures are worth: the block's first row from the span's first lane on, and all behind.
    pub captures: &'a [i8],
    /// Bytes from one row of `captures` to the next.
    pub captures_stride: usize,
    /// The block's own scores and all behind them.
    pub scores: &'a [i8],
    /// Bytes from one row of `scores` to the next.
    pub stride: usize,
    /// The row in the block of each lane; [`OUTSIDE`] for lanes without one.
    pub lane_rows: &'a [u32],
    /// The number of the first line.
    pub first_line: usize,
    /// Whether everything must be computed, whatever has changed.
    pub fresh: bool,
}

impl<'a> Span<'a> {
    /// How many lines it has.
    pub fn lines(&self) -> usize {
        self.lane_rows.len().div_ceil(LINE)
    }

    fn captures(&self, row: usize) -> &'a [i8] {
        &self.captures[row * self.captures_stride..][..self.lines() * LINE]
    }

    /// The old scores of a lane's row from column `column` on.
    #[inline(always)]
    fn old(&self, row: u32, column: usize) -> &'a [i8] {
        &self.scores[row as usize * self.stride + column..][..LINE]
    }

    /// The rows of one line's lanes.
    fn line(&self, line: usize) -> &'a [u32] {
        let lanes = &self.lane_rows[line * LINE..];
        &lanes[..lanes.len().min(LINE)]
    }

    /// For each line, which parts of the children of one row of the mover have changed.
    #[inline(always)]
    fn dirty_lines(&self, row: usize) -> [u64; LINES] {
        let mut dirty = [u64::from(self.fresh); LINES];
        for sown in self.plan.moves(row) {
            let path = &self.paths[sown.passage as usize];
            let dirt = path.dirt[sown.row as usize];
            dirty = std::array::from_fn(|line| dirty[line] | dirt & path.line_dirt[line]);
        }
        dirty
    }

    /// The children of one row of the mover.
    #[inline(always)]
    fn look_up(&self, row: usize, sources: &mut Vec<Source<'a>>) {
        sources.clear();
        for sown in self.plan.moves(row) {
            let path = &self.paths[sown.passage as usize];
            let row = &path.scores[sown.row as usize * path.stride..][..path.gather.reach];
            sources.push(Source { row, gather: path.gather });
        }
    }

    /// Computes 64 rows from `first` on with the operations of one kernel; for each line, which.
    #[inline(always)]
    fn pull(
        &self,
        first: usize,
        strip: &mut Strip,
        fetch: impl Fn(&[Source], usize, usize),
        pull: impl Fn(&[i8], &[Source], usize, &mut [i8; SPAN]),
    ) -> [u64; LINES] {
        let mut computed = [0; LINES];
        let (mut sources, mut waiting) = (Vec::with_capacity(HOUSES), Vec::with_capacity(HOUSES));
        let mut before = None;
        for row in first..self.plan.rows().min(first + LINE) {
            let dirty = self.dirty_lines(row);
            if dirty.iter().fold(0, |all, line| all | line) == 0 {
                continue;
            }
            let place = row - first;
            for (computed, dirty) in computed.iter_mut().zip(dirty) {
                *computed |= u64::from(dirty != 0) << place;
            }
            self.look_up(row, &mut sources);
            fetch(&sources, row, place);
            if let Some(before) = before.replace(row) {
                pull(self.captures(before), &waiting, self.first_line, &mut strip.0[before - first]);
            }
            std::mem::swap(&mut sources, &mut waiting);
        }
        if let Some(last) = before {
            pull(self.captures(last), &waiting, self.first_line, &mut strip.0[last - first]);
        }
        computed
    }
}

/// The children of one row along one sowing.
#[derive(Clone, Copy)]
struct Source<'a> {
    /// The child's row, as much of it as the gather may touch.
    row: &'a [i8],
    gather: &'a Gather,
}

/// Lines of a block that changed.
#[derive(Default)]
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

    /// Forgets them and keeps the memory.
    pub fn clear(&mut self) {
        self.places.clear();
        self.lines.clear();
    }

    #[inline(always)]
    fn push(&mut self, row: u32, column: usize, line: [i8; LINE]) {
        self.places.push((row, column as u32));
        self.lines.push(line);
    }
}

/// Which instructions the row operations use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
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
        let mut found = vec![Kernel::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                found.push(Kernel::Avx2);
            }
            let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
            if wide && is_x86_feature_detected!("avx512vbmi") {
                found.push(Kernel::Avx512);
            }
        }
        found
    }

    /// The fastest of them.
    pub fn best() -> Kernel {
        Kernel::available().pop().unwrap_or(Kernel::Portable)
    }

    /// What users call it.
    pub const fn name(self) -> &'static str {
        match self {
            Kernel::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => "avx512",
        }
    }

    /// Computes the rows `first..first + 64` of the mover into `strip`, except those none of whose
    /// children have changed. Bit `r` of word `i` of the answer says whether row `first + r` may
    /// have changed in line `i`.
    pub fn pull(self, span: &Span, first: usize, strip: &mut Strip) -> [u64; LINES] {
        match self {
            Kernel::Portable => span.pull(first, strip, |_, _, _| (), portable::pull),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => x86::avx2_pull(span, first, strip),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => x86::avx512_pull(span, first, strip),
        }
    }

    /// Transposes and negates line `line` of the strip, whose rows begin with `first`, and adds
    /// what differs from the old scores to `changes`. Rows of the mover that are not in `computed`
    /// keep their old scores.
    pub fn settle(self, span: &Span, first: usize, line: usize, computed: u64, strip: &Strip, changes: &mut Changes) {
        match self {
            Kernel::Portable => portable::settle(span, first, line, computed, strip, changes, portable::turn),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => portable::settle(span, first, line, computed, strip, changes, x86::avx2_turn),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => x86::avx512_settle(span, first, line, computed, strip, changes),
        }
    }
}

mod portable {
    use super::{Changes, Gather, GatherShape, LINE, OUTSIDE, SPAN, Source, Span, Strip, Tile};

    pub fn pull(captures: &[i8], sources: &[Source], first_line: usize, out: &mut [i8; SPAN]) {
        let out = &mut out[..captures.len()];
        out.copy_from_slice(captures);
        for source in sources {
            for (line, out) in out.chunks_exact_mut(LINE).enumerate() {
                pull_line(source.row, source.gather, first_line + line, out);
            }
        }
    }

    fn pull_line(row: &[i8], gather: &Gather, line: usize, out: &mut [i8]) {
        match &gather.shape {
            GatherShape::Straight { first, lanes: None } => {
                let children = &row[first + line * LINE..][..LINE];
                out.iter_mut().zip(children).for_each(|(best, &child)| *best = child.min(*best));
            }
            GatherShape::Straight { first, lanes: Some(lanes) } => {
                let children = &row[first + line * LINE..][..LINE];
                each_lane(lanes[line], |lane| out[lane] = out[lane].min(children[lane]));
            }
            GatherShape::Windows(windows) => {
                for window in windows.of_lines(line, line + 1) {
                    let children = &row[windows.columns[window] as usize..][..LINE];
                    let child = |lane: usize| children[windows.picks[window].0[lane] as usize % LINE];
                    each_lane(windows.lanes[window], |lane| out[lane] = out[lane].min(child(lane)));
                }
            }
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
        for (&row, new) in span.line(line).iter().zip(&mut tile.0).filter(|(row, _)| **row != OUTSIDE) {
            let old = span.old(row, first);
            if computed != u64::MAX {
                keep(old, new, computed);
            }
            if old != new {
                changes.push(row, first, *new);
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

    use super::{Changes, GatherShape, LINE, LINES, OUTSIDE, SPAN, Source, Span, Strip, Tile};

    /// Asks for the line at `scores[at..]`.
    #[inline(always)]
    fn ask(scores: &[i8], at: usize) {
        // SAFETY: a prefetch reads nothing, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(scores.as_ptr().wrapping_add(at)) }
    }

    /// Asks for all that the computation of `row` will read, and for the old scores of the lanes
    /// that stand where the row stands in its tile.
    #[inline(always)]
    fn fetch(span: &Span, sources: &[Source], row: usize, place: usize) {
        let (first_line, lines) = (span.first_line, span.lines());
        (0..lines).for_each(|line| ask(span.captures, row * span.captures_stride + line * LINE));
        for &Source { row, gather } in sources {
            match &gather.shape {
                GatherShape::Straight { first, .. } => {
                    (first_line..=first_line + lines).for_each(|line| ask(row, first + line * LINE));
                }
                GatherShape::Windows(windows) => {
                    let columns = &windows.columns[windows.of_lines(first_line, first_line + lines)];
                    columns.iter().for_each(|&column| ask(row, column as usize));
                    columns.last().into_iter().for_each(|&column| ask(row, column as usize + LINE));
                }
            }
        }
        for &lane_row in span.lane_rows.iter().skip(place).step_by(LINE).filter(|row| **row != OUTSIDE) {
            ask(span.scores, lane_row as usize * span.stride + row - place);
        }
    }

    pub fn avx512_pull(span: &Span, first: usize, strip: &mut Strip) -> [u64; LINES] {
        // SAFETY: `Kernel::Avx512` exists only where `available` found the instructions.
        unsafe { pull_512(span, first, strip) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn pull_512(span: &Span, first: usize, strip: &mut Strip) -> [u64; LINES] {
        let pull = |captures: &[i8], sources: &[Source], first_line: usize, out: &mut [i8; SPAN]| {
            let (captures, lines) = (captures.as_ptr(), captures.len() / LINE);
            // SAFETY: `captures` and `out` hold the lines, and a source's row all that its gather
            // may touch.
            unsafe {
                match lines {
                    LINES => pull_lines::<LINES>(captures, sources, first_line, out.as_mut_ptr()),
                    1 => pull_lines::<1>(captures, sources, first_line, out.as_mut_ptr()),
                    _ => pull_some_lines(captures, sources, first_line, lines, out.as_mut_ptr()),
                }
            }
        };
        span.pull(first, strip, |sources, row, place| fetch(span, sources, row, place), pull)
    }

    /// # Safety
    /// As for [`pull_lines`].
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    unsafe fn pull_some_lines(captures: *const i8, sources: &[Source], line: usize, lines: usize, out: *mut i8) {
        let mut done = 0;
        for step in [4, 2, 1] {
            if lines & step == 0 {
                continue;
            }
            // SAFETY: `done` and `step` stay within the lines.
            unsafe {
                let (captures, out) = (captures.add(done * LINE), out.add(done * LINE));
                match step {
                    4 => pull_lines::<4>(captures, sources, line + done, out),
                    2 => pull_lines::<2>(captures, sources, line + done, out),
                    _ => pull_lines::<1>(captures, sources, line + done, out),
                }
            }
            done += step;
        }
    }

    /// # Safety
    /// * AVX-512 F, BW and VBMI are there.
    /// * `captures` and `out` are valid for `N` lines.
    /// * Each source's row has at least `gather.reach` bytes, and the gather has the lines.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    unsafe fn pull_lines<const N: usize>(captures: *const i8, sources: &[Source], first_line: usize, out: *mut i8) {
        // SAFETY: the pointers are valid for N lines; a gather reads below `reach` only: straight
        // ones up to the last line's end, windows 64 bytes from a column that exists. The parts of
        // `Windows` have the same length, and `of_lines` stays within it.
        unsafe {
            let mut best: [__m512i; N] = std::array::from_fn(|i| _mm512_loadu_si512(captures.add(i * LINE).cast()));
            for source in sources {
                let row = source.row.as_ptr();
                match &source.gather.shape {
                    GatherShape::Straight { first, lanes: None } => {
                        let row = row.add(first + first_line * LINE);
                        for (i, best) in best.iter_mut().enumerate() {
                            *best = _mm512_min_epi8(*best, _mm512_loadu_si512(row.add(i * LINE).cast()));
                        }
                    }
                    GatherShape::Straight { first, lanes: Some(lanes) } => {
                        let row = row.add(first + first_line * LINE);
                        let lanes = &lanes[first_line..first_line + N];
                        for (i, best) in best.iter_mut().enumerate() {
                            let children = _mm512_loadu_si512(row.add(i * LINE).cast());
                            *best = _mm512_mask_min_epi8(*best, lanes[i], *best, children);
                        }
                    }
                    GatherShape::Windows(windows) => {
                        for (i, best) in best.iter_mut().enumerate() {
                            for window in windows.of_lines(first_line + i, first_line + i + 1) {
                                let column = *windows.columns.get_unchecked(window) as usize;
                                let children = _mm512_loadu_si512(row.add(column).cast());
                                let picks = windows.picks.get_unchecked(window).0.as_ptr();
                                let children = _mm512_permutexvar_epi8(_mm512_load_si512(picks.cast()), children);
                                let lanes = *windows.lanes.get_unchecked(window);
                                *best = _mm512_mask_min_epi8(*best, lanes, *best, children);
                            }
                        }
                    }
                }
            }
            for (i, best) in best.iter().enumerate() {
                _mm512_storeu_si512(out.add(i * LINE).cast(), *best);
            }
        }
    }

    pub fn avx512_settle(span: &Span, first: usize, line: usize, computed: u64, strip: &Strip, changes: &mut Changes) {
        // SAFETY: the instructions are there, see `avx512_pull`.
        unsafe { settle_512(span, first, line, computed, strip, changes) }
    }

    /// Sixteen rows at a time are interleaved until each 128-bit quarter holds one lane's sixteen
    /// bytes; then the quarters of the four groups are put side by side.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn settle_512(span: &Span, first: usize, line: usize, computed: u64, strip: &Strip, changes: &mut Changes) {
        let zero = _mm512_setzero_si512();
        let mut parts = [[zero; 16]; 4];
        for (group, part) in parts.iter_mut().enumerate().filter(|(group, _)| computed >> (16 * group) & 0xffff != 0) {
            let row = |i: usize| {
                // SAFETY: the line lies within the row.
                unsafe { _mm512_loadu_si512(strip.0[group * 16 + i][line * LINE..][..LINE].as_ptr().cast()) }
            };
            *part = interleave_512(std::array::from_fn(row));
        }
        let lane_rows = span.line(line);
        for lane in 0..16.min(lane_rows.len()) {
            let [a, b, c, d] = parts.each_ref().map(|part| part[lane]);
            let (ab_low, ab_high) = (_mm512_shuffle_i32x4(a, b, 0x44), _mm512_shuffle_i32x4(a, b, 0xee));
            let (cd_low, cd_high) = (_mm512_shuffle_i32x4(c, d, 0x44), _mm512_shuffle_i32x4(c, d, 0xee));
            let turned = [
                _mm512_shuffle_i32x4(ab_low, cd_low, 0x88),
                _mm512_shuffle_i32x4(ab_low, cd_low, 0xdd),
                _mm512_shuffle_i32x4(ab_high, cd_high, 0x88),
                _mm512_shuffle_i32x4(ab_high, cd_high, 0xdd),
            ];
            for (quarter, turned) in turned.into_iter().enumerate() {
                let Some(&row) = lane_rows.get(quarter * 16 + lane).filter(|row| **row != OUTSIDE) else { continue };
                // SAFETY: `Span::old` is 64 bytes long.
                let old = unsafe { _mm512_loadu_si512(span.old(row, first).as_ptr().cast()) };
                let new = _mm512_mask_sub_epi8(old, computed, zero, turned);
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

    pub fn avx2_pull(span: &Span, first: usize, strip: &mut Strip) -> [u64; LINES] {
        // SAFETY: `Kernel::Avx2` exists only where `available` found the instructions.
        unsafe { pull_256(span, first, strip) }
    }

    #[target_feature(enable = "avx2")]
    fn pull_256(span: &Span, first: usize, strip: &mut Strip) -> [u64; LINES] {
        let pull = |captures: &[i8], sources: &[Source], first_line: usize, out: &mut [i8; SPAN]| {
            for (line, (captures, out)) in captures.chunks_exact(LINE).zip(out.chunks_exact_mut(LINE)).enumerate() {
                // SAFETY: both are one line long, and a source's row holds all that its gather may
                // touch.
                unsafe { avx2_pull_line(captures.as_ptr(), sources, first_line + line, out.as_mut_ptr()) };
            }
        };
        span.pull(first, strip, |sources, row, place| fetch(span, sources, row, place), pull)
    }

    /// # Safety
    /// * AVX2 is there.
    /// * `captures` and `out` are valid for one line.
    /// * Each source's row has at least `gather.reach` bytes, and the gather has the line.
    #[target_feature(enable = "avx2")]
    unsafe fn avx2_pull_line(captures: *const i8, sources: &[Source], line: usize, out: *mut i8) {
        // SAFETY: as in `pull_lines`.
        unsafe {
            let captures: *const __m256i = captures.cast();
            let mut best = [_mm256_loadu_si256(captures), _mm256_loadu_si256(captures.add(1))];
            for source in sources {
                avx2_pull_source(source, line, &mut best);
            }
            let out: *mut __m256i = out.cast();
            _mm256_storeu_si256(out, best[0]);
            _mm256_storeu_si256(out.add(1), best[1]);
        }
    }

    /// # Safety
    /// As for [`avx2_pull_line`].
    #[target_feature(enable = "avx2")]
    unsafe fn avx2_pull_source(source: &Source, line: usize, best: &mut [__m256i; 2]) {
        let row = source.row.as_ptr();
        // SAFETY: as in `pull_lines`.
        unsafe {
            match &source.gather.shape {
                GatherShape::Straight { first, lanes } => {
                    let children: *const __m256i = row.add(first + line * LINE).cast();
                    let lanes = lanes.as_ref().map_or(u64::MAX, |lanes| lanes[line]);
                    for (half, best) in best.iter_mut().enumerate() {
                        let child = _mm256_loadu_si256(children.add(half));
                        *best = avx2_mask_min(*best, (lanes >> (32 * half)) as u32, child);
                    }
                }
                GatherShape::Windows(windows) => {
                    for window in windows.of_lines(line, line + 1) {
                        let window_row: *const __m128i = row.add(windows.columns[window] as usize).cast();
                        let quarters: [__m256i; 4] = std::array::from_fn(|quarter| {
                            _mm256_broadcastsi128_si256(_mm_loadu_si128(window_row.add(quarter)))
                        });
                        let picks: *const __m256i = windows.picks[window].0.as_ptr().cast();
                        for (half, best) in best.iter_mut().enumerate() {
                            let lanes = (windows.lanes[window] >> (32 * half)) as u32;
                            if lanes != 0 {
                                let child = avx2_pick(&quarters, _mm256_load_si256(picks.add(half)));
                                *best = avx2_mask_min(*best, lanes, child);
                            }
                        }
                    }
                }
            }
        }
    }

    /// 32 bytes picked from 64: a shuffle within each quarter, the right one kept.
    #[target_feature(enable = "avx2")]
    fn avx2_pick(quarters: &[__m256i; 4], picks: __m256i) -> __m256i {
        let mut picked = _mm256_shuffle_epi8(quarters[0], picks);
        for (quarter, bytes) in quarters.iter().enumerate().skip(1) {
            let beyond = _mm256_cmpgt_epi8(picks, _mm256_set1_epi8(16 * quarter as i8 - 1));
            picked = _mm256_blendv_epi8(picked, _mm256_shuffle_epi8(*bytes, picks), beyond);
        }
        picked
    }

    /// The minimum in the lanes of the mask, `best` elsewhere.
    #[target_feature(enable = "avx2")]
    fn avx2_mask_min(best: __m256i, lanes: u32, child: __m256i) -> __m256i {
        let spread = _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
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
                    let (low, high) = (_mm256_castsi256_si128(turned), _mm256_extracti128_si256(turned, 1));
                    for (quarter, bytes) in [low, high].into_iter().enumerate() {
                        let target = &mut tile.0[half * 32 + quarter * 16 + lane][group * 16..][..16];
                        // SAFETY: 16 bytes, checked by the slice.
                        unsafe { _mm_storeu_si128(target.as_mut_ptr().cast(), bytes) };
                    }
                }
            }
        }
    }
}
