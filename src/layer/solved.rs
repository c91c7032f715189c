//! A solved layer: what is known of each of its positions.

use zerocopy::FromBytes;

use crate::error::Result;
use crate::game::board::Board;
use crate::game::score::Interval;
use crate::layer::arena::Arena;
use crate::layer::blocks::{BlockBytes, Rectangle};
use crate::layer::index::{Cell, Layer};
use crate::layer::knots::{Knots, Settlement};
use crate::layer::line::LINE;
use crate::layer::plane::{Plane, shapes};
use crate::layer::strategy::Exceptions;

/// Bytes of a line: a bit for each column of a panel.
const WORD: usize = size_of::<u64>();

/// Bytes that are compared at a time.
const PART: usize = 1 << 20;

/// A bit for every position of a layer, or of some rectangles of its blocks: a word for each line of 64
/// columns.
#[derive(Debug)]
pub struct Marks(BlockBytes);

impl Marks {
    /// No position of a layer is marked, in memory of an arena.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if the system has no memory to give.
    pub fn none(arena: &Arena, layer: Layer) -> Result<Marks> {
        Marks::of(arena, shapes(layer).map(|shape| (Rectangle::whole(shape), shape.1)))
    }

    /// No position of some rectangles is marked, each of a block with this many columns.
    ///
    /// # Errors
    /// As [`Marks::none`].
    pub fn of(
        arena: &Arena,
        rectangles: impl Iterator<Item = (Rectangle, usize)>,
    ) -> Result<Marks> {
        BlockBytes::of_rectangles(arena, rectangles, WORD, 0).map(Marks)
    }

    /// The words of a block: panel after panel, row after row. The lowest bit is that of the panel's
    /// first column.
    pub fn words(&self, block: usize) -> &[u64] {
        let words = <[u64]>::ref_from_bytes(self.0.block_bytes(block));
        words.expect("whole words from the beginning of a page")
    }

    /// The words of a block, to write.
    pub fn words_mut(&mut self, block: usize) -> &mut [u64] {
        let words = <[u64]>::mut_from_bytes(self.0.block_bytes_mut(block));
        words.expect("whole words from the beginning of a page")
    }

    /// Whether a position is marked.
    pub fn has(&self, Cell { own, row, column }: Cell) -> bool {
        self.words(own)[self.0.shape(own).line(row, column)] >> (column % LINE) & 1 == 1
    }

    /// The blocks.
    pub fn blocks(&self) -> &BlockBytes {
        &self.0
    }

    /// The blocks, to write.
    pub fn blocks_mut(&mut self) -> &mut BlockBytes {
        &mut self.0
    }
}

impl PartialEq for Marks {
    fn eq(&self, other: &Marks) -> bool {
        let [one, other] = [self, other].map(|marks| marks.0.bytes());
        let same = |(one, other)| {
            self.0.enforce_bound();
            one == other
        };
        one.len() == other.len() && one.chunks(PART).zip(other.chunks(PART)).all(same)
    }
}

impl Eq for Marks {}

/// Where bounds are what a capture brings, or the end of the game. A reader that looks at captures anyway
/// need not know such a bound exactly, so tables save there.
#[derive(Debug, PartialEq, Eq)]
pub struct Attained {
    /// Lower bounds.
    pub low: Marks,
    /// Upper bounds; `None` if they are those of the lower ones.
    pub high: Option<Marks>,
}

impl Attained {
    /// Of lower and upper bounds; of the latter only if that is something else.
    pub fn new(low: Marks, high: Option<Marks>) -> Attained {
        let high = high.filter(|high| *high != low);
        Attained { low, high }
    }
}

/// A solved layer: a lower and an upper bound for every position.
#[derive(Debug)]
pub struct Solved {
    /// What the mover secures; clamped if scores of the layer are
    /// ([`ScoreRange`](crate::game::ScoreRange)), as is `high`.
    pub low: Plane,
    /// What the mover cannot exceed; `None` where it equals `low` for every position.
    pub high: Option<Plane>,
    /// Where the strategy that collects the bounds behind scores does not make the default move, if
    /// that was asked for.
    pub exceptions: Option<Exceptions>,
    /// Which bounds captures attain, as far as that is known.
    pub attained: Option<Attained>,
    /// The bounds that the strategy collects, where repetition decides scores; `None` where these are
    /// the bounds above.
    pub knots: Option<Knots>,
}

impl Solved {
    /// Returns the bounds that hold wherever a cycle is cut.
    pub fn bounds(&self) -> (&Plane, &Plane) {
        match &self.knots {
            Some(knots) => (&knots.low, &knots.high),
            None => (&self.low, self.high()),
        }
    }

    /// Replaces the bounds of open positions by what has been settled of them, in memory of an arena.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if the system has no memory to give.
    pub fn settled_in(self, arena: &Arena, settlement: Settlement) -> Result<Solved> {
        let mut low = self.low.copied_in(arena)?;
        let mut high = self.high().copied_in(arena)?;
        for &(rank, interval) in &settlement.intervals {
            low.set(rank, interval.low);
            high.set(rank, interval.high);
            arena.enforce_bound();
        }
        let (bound_low, bound_high) = (self.low, self.high);
        let bound_high = bound_high.unwrap_or_else(|| bound_low.clone());
        let knots = Knots { low: bound_low, high: bound_high, settlement };
        let high = (low != high).then_some(high);
        Ok(Solved { low, high, knots: Some(knots), ..self })
    }

    /// Returns the bounds of a position that hold wherever a cycle is cut; `None` if it is not in
    /// the layer.
    pub fn bounds_of(&self, board: &Board) -> Option<Interval> {
        let (low, high) = self.bounds();
        Some(Interval { low: low.score(board)?, high: high.score(board)? })
    }

    /// The upper bounds, whether or not they have a plane of their own.
    pub fn high(&self) -> &Plane {
        self.high.as_ref().unwrap_or(&self.low)
    }

    /// The layer.
    pub fn layer(&self) -> Layer {
        self.low.layer()
    }

    /// Both bounds of a position, clamped where scores of the layer are; `None` if it is not in the
    /// layer. What that says of the score is [`Solved::known`].
    pub fn interval(&self, board: &Board) -> Option<Interval> {
        Some(Interval { low: self.low.score(board)?, high: self.high().score(board)? })
    }

    /// What the bounds say of a position's score: at an end of the range of a clamped layer that is
    /// "at least" or "at most". `None` if the position is not in the layer.
    pub fn known(&self, board: &Board) -> Option<Interval> {
        Some(self.layer().range().known(self.interval(board)?))
    }
}
