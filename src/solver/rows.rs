//! Row kernels: the only arithmetic of the solver that must be fast.
//!
//! Two operations, each in a portable version and with vector instructions chosen at run time:
//!
//! * [`Kernel::pull`]: for one row of the mover and a span of lanes (opponent's rows), the minimum
//!   over the children's scores and what captures leave, that is the *negated* new score;
//! * [`Kernel::settle`]: a tile of 64 rows × 64 lanes is transposed, negated back and compared with
//!   the old scores.
//!
//! Everything is a minimum of bytes: negating once at the end saves a subtraction for each child.
//! Every kernel computes the same bytes; the tests hold each against the portable one.

use crate::solver::plan::{Gather, GatherShape, OUTSIDE, SPAN};
use crate::solver::plane::LINE;

/// 64 rows of the mover × one span of lanes, one byte each.
#[repr(C, align(64))]
pub struct Strip(pub [[i8; SPAN]; LINE]);

/// 64 lanes × 64 rows of the mover.
#[repr(C, align(64))]
pub struct Tile(pub [[i8; LINE]; LINE]);

/// The children of one row along one sowing.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The child's row and everything behind it.
    pub row: &'a [i8],
    /// Which of its columns belong to which lane.
    pub gather: &'a Gather,
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

    /// For the lines `first_line..first_line + lines` of lanes: the minimum of `captures` and of
    /// every quiet child's score.
    ///
    /// `captures` and `out` begin with the first of these lines and hold them all.
    pub fn pull(self, captures: &[i8], sources: &[Source], first_line: usize, lines: usize, out: &mut [i8]) {
        assert!(captures.len() >= lines * LINE && out.len() >= lines * LINE);
        assert!(sources.iter().all(|source| source.row.len() >= source.gather.reach));
        match self {
            Kernel::Portable => portable::pull(captures, sources, first_line, lines, out),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => x86::avx2_pull(captures, sources, first_line, lines, out),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => x86::avx512_pull(captures, sources, first_line, lines, out),
        }
    }

    /// Asks the processor for what [`Kernel::pull`] will read.
    pub fn fetch(self, sources: &[Source], first_line: usize, lines: usize) {
        match self {
            Kernel::Portable => {}
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 | Kernel::Avx512 => x86::fetch(sources, first_line, lines),
        }
    }

    /// Line `line` of the strip, transposed and negated, so that `tile` holds a row of scores for
    /// each lane; rows of the mover that are not in `computed` keep their old scores. Bit `l` of the
    /// answer says whether the scores of lane `l` differ from the old ones.
    pub fn settle(self, strip: &Strip, line: usize, computed: u64, old: &Old, tile: &mut Tile) -> u64 {
        assert!(line < SPAN / LINE && old.lane_rows.len() <= LINE);
        match self {
            Kernel::Portable => {
                portable::turn(strip, line, tile);
                portable::compare(computed, old, tile)
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => {
                x86::avx2_turn(strip, line, tile);
                portable::compare(computed, old, tile)
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => x86::avx512_settle(strip, line, computed, old, tile),
        }
    }
}

/// Where the old scores of a tile are.
#[derive(Clone, Copy)]
pub struct Old<'a> {
    /// The block, from the tile's first column on.
    pub scores: &'a [i8],
    /// Bytes from one row of the block to the next.
    pub stride: usize,
    /// The row of each lane, at most 64; [`OUTSIDE`] for lanes without one.
    pub lane_rows: &'a [u32],
}

impl Old<'_> {
    /// The old scores of a row.
    pub fn line(&self, row: u32) -> &[i8] {
        &self.scores[row as usize * self.stride..][..LINE]
    }
}

mod portable {
    use super::{Gather, GatherShape, LINE, OUTSIDE, Old, Source, Strip, Tile};

    pub fn pull(captures: &[i8], sources: &[Source], first_line: usize, lines: usize, out: &mut [i8]) {
        out[..lines * LINE].copy_from_slice(&captures[..lines * LINE]);
        for source in sources {
            for (line, out) in out[..lines * LINE].chunks_exact_mut(LINE).enumerate() {
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
            GatherShape::Windows { starts, windows } => {
                for window in &windows[starts[line] as usize..starts[line + 1] as usize] {
                    let children = &row[window.column as usize..][..LINE];
                    let child = |lane: usize| children[window.picks[lane] as usize % LINE];
                    each_lane(window.lanes, |lane| out[lane] = out[lane].min(child(lane)));
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

    pub fn compare(computed: u64, old: &Old, tile: &mut Tile) -> u64 {
        let mut changed = 0;
        for (lane, (&row, new)) in
            old.lane_rows.iter().zip(&mut tile.0).enumerate().filter(|(_, (row, _))| **row != OUTSIDE)
        {
            let old = old.line(row);
            if computed != u64::MAX {
                keep(old, new, computed);
            }
            changed |= u64::from(old != new) << lane;
        }
        changed
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

    use super::{GatherShape, LINE, OUTSIDE, Old, Source, Strip, Tile};

    pub fn avx512_pull(captures: &[i8], sources: &[Source], first_line: usize, lines: usize, out: &mut [i8]) {
        // SAFETY: `Kernel::Avx512` exists only where `available` found the instructions, and
        // `Kernel::pull` has checked the lengths.
        unsafe {
            let (mut done, mut left) = (0, lines);
            while left > 0 {
                let (captures, out) = (captures[done * LINE..].as_ptr(), out[done * LINE..].as_mut_ptr());
                let step = match left {
                    8.. => {
                        pull_lines::<8>(captures, sources, first_line + done, out);
                        8
                    }
                    4.. => {
                        pull_lines::<4>(captures, sources, first_line + done, out);
                        4
                    }
                    2.. => {
                        pull_lines::<2>(captures, sources, first_line + done, out);
                        2
                    }
                    _ => {
                        pull_lines::<1>(captures, sources, first_line + done, out);
                        1
                    }
                };
                done += step;
                left -= step;
            }
        }
    }

    /// # Safety
    /// * AVX-512 F, BW and VBMI are there.
    /// * `captures` and `out` are valid for `N` lines.
    /// * Each source's row has at least `gather.reach` bytes, and the gather has the lines.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    unsafe fn pull_lines<const N: usize>(captures: *const i8, sources: &[Source], first_line: usize, out: *mut i8) {
        // SAFETY: the pointers are valid for N lines; a gather reads below `reach` only: straight
        // ones up to the last line's end, windows 64 bytes from a column that exists.
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
                    GatherShape::Windows { starts, windows } => {
                        let starts = &starts[first_line..first_line + N + 1];
                        for (i, best) in best.iter_mut().enumerate() {
                            for window in &windows[starts[i] as usize..starts[i + 1] as usize] {
                                let children = _mm512_loadu_si512(row.add(window.column as usize).cast());
                                let picks = _mm512_load_si512(window.picks.as_ptr().cast());
                                let children = _mm512_permutexvar_epi8(picks, children);
                                *best = _mm512_mask_min_epi8(*best, window.lanes, *best, children);
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

    pub fn fetch(sources: &[Source], first_line: usize, lines: usize) {
        for source in sources {
            let ask = |column: usize| {
                // SAFETY: a prefetch reads nothing, whatever the address.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(source.row.as_ptr().wrapping_add(column)) }
            };
            match &source.gather.shape {
                GatherShape::Straight { first, .. } => {
                    (first_line..=first_line + lines).for_each(|line| ask(first + line * LINE));
                }
                GatherShape::Windows { starts, windows } => {
                    let windows = &windows[starts[first_line] as usize..starts[first_line + lines] as usize];
                    windows.iter().for_each(|window| ask(window.column as usize));
                    windows.last().into_iter().for_each(|window| ask(window.column as usize + LINE));
                }
            }
        }
    }

    pub fn avx512_settle(strip: &Strip, line: usize, computed: u64, old: &Old, tile: &mut Tile) -> u64 {
        // SAFETY: the instructions are there, see `avx512_pull`.
        unsafe { settle_512(strip, line, computed, old, tile) }
    }

    /// Sixteen rows at a time are interleaved until each 128-bit quarter holds one lane's sixteen
    /// bytes; then the quarters of the four groups are put side by side.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn settle_512(strip: &Strip, line: usize, computed: u64, old: &Old, tile: &mut Tile) -> u64 {
        let mut parts = [[_mm512_setzero_si512(); 16]; 4];
        for (group, part) in parts.iter_mut().enumerate() {
            let row = |i: usize| {
                // SAFETY: the line lies within the row.
                unsafe { _mm512_loadu_si512(strip.0[group * 16 + i][line * LINE..][..LINE].as_ptr().cast()) }
            };
            *part = interleave_512(std::array::from_fn(row));
        }
        let mut changed = 0;
        for lane in 0..16.min(old.lane_rows.len()) {
            let [a, b, c, d] = [parts[0][lane], parts[1][lane], parts[2][lane], parts[3][lane]];
            let (ab_low, ab_high) = (_mm512_shuffle_i32x4(a, b, 0x44), _mm512_shuffle_i32x4(a, b, 0xee));
            let (cd_low, cd_high) = (_mm512_shuffle_i32x4(c, d, 0x44), _mm512_shuffle_i32x4(c, d, 0xee));
            let turned = [
                _mm512_shuffle_i32x4(ab_low, cd_low, 0x88),
                _mm512_shuffle_i32x4(ab_low, cd_low, 0xdd),
                _mm512_shuffle_i32x4(ab_high, cd_high, 0x88),
                _mm512_shuffle_i32x4(ab_high, cd_high, 0xdd),
            ];
            for (quarter, turned) in turned.into_iter().enumerate() {
                let lane = quarter * 16 + lane;
                let Some(&row) = old.lane_rows.get(lane).filter(|row| **row != OUTSIDE) else { continue };
                // SAFETY: `Old::line` is 64 bytes long, and so is a tile's row.
                unsafe {
                    let before = _mm512_loadu_si512(old.line(row).as_ptr().cast());
                    let after = _mm512_mask_sub_epi8(before, computed, _mm512_setzero_si512(), turned);
                    _mm512_store_si512(tile.0[lane].as_mut_ptr().cast(), after);
                    changed |= u64::from(_mm512_cmpneq_epi8_mask(before, after) != 0) << lane;
                }
            }
        }
        changed
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

    pub fn avx2_pull(captures: &[i8], sources: &[Source], first_line: usize, lines: usize, out: &mut [i8]) {
        // SAFETY: `Kernel::Avx2` exists only where `available` found the instructions, and
        // `Kernel::pull` has checked the lengths.
        unsafe { avx2_pull_lines(captures.as_ptr(), sources, first_line, lines, out.as_mut_ptr()) }
    }

    /// # Safety
    /// * AVX2 is there.
    /// * `captures` and `out` are valid for `lines` lines.
    /// * Each source's row has at least `gather.reach` bytes, and the gather has the lines.
    #[target_feature(enable = "avx2")]
    unsafe fn avx2_pull_lines(captures: *const i8, sources: &[Source], first_line: usize, lines: usize, out: *mut i8) {
        for i in 0..lines {
            // SAFETY: as in `pull_lines`.
            unsafe {
                let captures: *const __m256i = captures.add(i * LINE).cast();
                let mut best = [_mm256_loadu_si256(captures), _mm256_loadu_si256(captures.add(1))];
                for source in sources {
                    avx2_pull_line(source, first_line + i, &mut best);
                }
                let out: *mut __m256i = out.add(i * LINE).cast();
                _mm256_storeu_si256(out, best[0]);
                _mm256_storeu_si256(out.add(1), best[1]);
            }
        }
    }

    /// # Safety
    /// As for [`avx2_pull_lines`].
    #[target_feature(enable = "avx2")]
    unsafe fn avx2_pull_line(source: &Source, line: usize, best: &mut [__m256i; 2]) {
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
                GatherShape::Windows { starts, windows } => {
                    for window in &windows[starts[line] as usize..starts[line + 1] as usize] {
                        let window_row: *const __m128i = row.add(window.column as usize).cast();
                        let quarters: [__m256i; 4] = std::array::from_fn(|quarter| {
                            _mm256_broadcastsi128_si256(_mm_loadu_si128(window_row.add(quarter)))
                        });
                        let picks: *const __m256i = window.picks.as_ptr().cast();
                        for (half, best) in best.iter_mut().enumerate() {
                            let lanes = (window.lanes >> (32 * half)) as u32;
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
