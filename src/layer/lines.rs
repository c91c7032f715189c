//! Lines of a block, however they are kept ([`super::packing`]).

use std::borrow::Cow;
use std::ops::Range;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use crate::layer::line::Line;
use crate::layer::packing::{Codes, Half, Packing, Quarter, Stored, Third};

/// Slices of lines of one kind.
#[derive(Clone, Copy, Debug)]
pub enum KeptLines<B, H, T, Q> {
    /// As they are.
    Byte(B),
    /// Two scores in a byte.
    Half(H, Codes),
    /// Three scores in a byte.
    Third(T, Codes),
    /// Four scores in a byte.
    Quarter(Q, Codes),
}

/// Lines, to read.
pub type Lines<'a> = KeptLines<&'a [Line], &'a [Half], &'a [Third], &'a [Quarter]>;

/// Lines, to write.
pub type LinesMut<'a> =
    KeptLines<&'a mut [Line], &'a mut [Half], &'a mut [Third], &'a mut [Quarter]>;

/// Does the same with lines of any kind: they are slices under one name, and their codes have
/// another.
macro_rules! with_lines {
    ($kind:ident, $all:expr, |$lines:pat_param, $codes:pat_param| $work:expr) => {
        match $all {
            $kind::Byte($lines) => {
                let $codes = $crate::layer::packing::NO_CODES;
                $work
            }
            $kind::Half($lines, $codes) => $work,
            $kind::Third($lines, $codes) => $work,
            $kind::Quarter($lines, $codes) => $work,
        }
    };
}
pub(crate) use with_lines;

/// The same with borrowed lines that stay lines: of each kind the work makes a slice of that kind.
macro_rules! map_lines {
    ($all:expr, |$lines:ident| $work:expr) => {
        match $all {
            KeptLines::Byte($lines) => KeptLines::Byte($work),
            KeptLines::Half($lines, codes) => KeptLines::Half($work, *codes),
            KeptLines::Third($lines, codes) => KeptLines::Third($work, *codes),
            KeptLines::Quarter($lines, codes) => KeptLines::Quarter($work, *codes),
        }
    };
}

impl<B: Default, H, T, Q> Default for KeptLines<B, H, T, Q> {
    fn default() -> Self {
        KeptLines::Byte(B::default())
    }
}

fn cast<T: FromBytes + Immutable + KnownLayout>(bytes: &[u8]) -> &[T] {
    <[T]>::ref_from_bytes(bytes).expect("whole lines, aligned as pages are")
}

fn cast_mut<T: FromBytes + IntoBytes + KnownLayout>(bytes: &mut [u8]) -> &mut [T] {
    <[T]>::mut_from_bytes(bytes).expect("whole lines, aligned as pages are")
}

impl<'a> Lines<'a> {
    /// The lines that some memory holds.
    ///
    /// # Panics
    /// If it does not begin or end with a line.
    pub fn of_bytes(bytes: &'a [u8], packing: Packing) -> Lines<'a> {
        match packing {
            Packing::Byte => Lines::Byte(cast(bytes)),
            Packing::Half(codes) => Lines::Half(cast(bytes), codes),
            Packing::Third(codes) => Lines::Third(cast(bytes), codes),
            Packing::Quarter(codes) => Lines::Quarter(cast(bytes), codes),
        }
    }

    /// The memory as it is.
    pub fn bytes(self) -> &'a [u8] {
        with_lines!(Lines, self, |lines, _| lines.as_bytes())
    }

    /// How many there are.
    pub fn count(self) -> usize {
        with_lines!(Lines, self, |lines, _| lines.len())
    }

    /// Some of them.
    #[inline(always)]
    pub fn range(self, range: Range<usize>) -> Lines<'a> {
        map_lines!(&self, |lines| &lines[range])
    }

    /// The scores of a line.
    #[inline(always)]
    pub fn line(self, at: usize) -> Line {
        with_lines!(Lines, self, |lines, codes| lines[at].unpacked(codes))
    }

    /// One score of a line.
    #[inline(always)]
    pub fn score(self, at: usize, lane: usize) -> i8 {
        with_lines!(Lines, self, |lines, codes| lines[at].score(lane, codes))
    }

    /// All of them, as they are or unpacked.
    pub fn unpacked(self) -> Cow<'a, [Line]> {
        match self {
            Lines::Byte(lines) => lines.into(),
            _ => (0..self.count()).map(|at| self.line(at)).collect(),
        }
    }
}

impl<'a> LinesMut<'a> {
    /// The lines that some memory holds.
    ///
    /// # Panics
    /// If it does not begin or end with a line.
    pub fn of_bytes(bytes: &'a mut [u8], packing: Packing) -> LinesMut<'a> {
        match packing {
            Packing::Byte => LinesMut::Byte(cast_mut(bytes)),
            Packing::Half(codes) => LinesMut::Half(cast_mut(bytes), codes),
            Packing::Third(codes) => LinesMut::Third(cast_mut(bytes), codes),
            Packing::Quarter(codes) => LinesMut::Quarter(cast_mut(bytes), codes),
        }
    }

    /// The memory as it is.
    pub fn into_bytes(self) -> &'a mut [u8] {
        with_lines!(LinesMut, self, |lines, _| lines.as_mut_bytes())
    }

    /// The same, to read.
    #[inline(always)]
    pub fn as_lines(&self) -> Lines<'_> {
        map_lines!(self, |lines| &lines[..])
    }

    /// The same, borrowed for a while.
    #[inline(always)]
    pub fn reborrow(&mut self) -> LinesMut<'_> {
        map_lines!(self, |lines| &mut lines[..])
    }

    /// Some of them.
    pub fn range(mut self, range: Range<usize>) -> LinesMut<'a> {
        self.take_first(range.start);
        self.take_first(range.len())
    }

    /// The first ones, which are left out from then on.
    pub fn take_first(&mut self, count: usize) -> LinesMut<'a> {
        map_lines!(self, |lines| {
            lines.split_off_mut(..count).expect("as many lines as are taken")
        })
    }

    /// Cuts them into pieces of this many lines; the last one may be shorter.
    pub fn pieces(mut self, size: usize) -> Vec<LinesMut<'a>> {
        let count = self.as_lines().count();
        let firsts = (0..count).step_by(size.max(1));
        firsts.map(|first| self.take_first(size.min(count - first))).collect()
    }

    /// Replaces the scores of a line.
    #[inline(always)]
    pub fn put(&mut self, at: usize, scores: &Line) {
        with_lines!(LinesMut, self.reborrow(), |lines, codes| lines[at].pack(scores, codes));
    }

    /// Replaces one score of a line.
    #[inline(always)]
    pub fn set(&mut self, at: usize, lane: usize, score: i8) {
        with_lines!(LinesMut, self.reborrow(), |lines, codes| lines[at].set(lane, score, codes));
    }

    /// Takes over lines that are kept in the same way.
    ///
    /// # Panics
    /// If they are not, or are more or fewer.
    pub fn copy_from(self, other: Lines) {
        let [own, others] = [&self.as_lines(), &other].map(std::mem::discriminant);
        assert_eq!(own, others, "lines are kept in the same way");
        self.into_bytes().copy_from_slice(other.bytes());
    }
}
