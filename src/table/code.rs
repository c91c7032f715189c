//! A [model](super::model) with all that makes the way through a tile fast.
//!
//! Values are *numbers* here: bounds from 0 on, that is, more by all seeds; stamps as they are.

use super::model::{Model, STEPS as STEPS_COUNT};
use super::value::{Range, Value};

/// What the context of others takes of a position: its sign, and for the middle of two references
/// the lower number of its letter; 0 for the special signs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark(u16);

impl Mark {
    fn new(sign: u8, middle: u8) -> Mark {
        Mark(u16::from_le_bytes([sign, middle]))
    }

    /// The sign.
    #[inline(always)]
    pub fn sign(self) -> usize {
        usize::from(self.0 & 0xff)
    }

    #[inline(always)]
    fn middle(self) -> usize {
        usize::from(self.0 >> 8)
    }
}

/// See the module.
#[derive(Debug)]
pub struct Code {
    /// Letters and the two special signs.
    pub signs: usize,
    contexts: Vec<u8>,
    /// By lower number and spread.
    marks: Vec<Mark>,
    /// That of what is not there, and of what has no letter.
    edge: Mark,
    rare: Mark,
    spreads: usize,
    /// What a number is more than the value.
    offset: u8,
}

impl Code {
    /// The code of a model for values in a range.
    pub fn new(model: &Model, range: Range) -> Code {
        let offset = range.offset();
        let (lows, spreads) = match range {
            Range::Bounds(seeds, planes) => {
                let numbers = 2 * seeds.get() + 1;
                (numbers, if planes.count() == 2 { numbers } else { 1 })
            }
            Range::Stamps => (1 << 8, 1),
        };
        let (edge, rare) = (Mark::new(model.edge(), 0), Mark::new(model.rare(), 0));
        let mut marks = vec![rare; lows * spreads];
        for (letter, value) in (0..).zip(&model.values) {
            let low = (value.base as u8).wrapping_add(offset);
            let number = usize::from(low) * spreads + usize::from(value.spread);
            // What the layer cannot have has no sign.
            marks.get_mut(number).into_iter().for_each(|mark| *mark = Mark::new(letter, low));
        }
        let contexts = model.contexts.clone();
        Code { signs: model.signs(), contexts, marks, edge, rare, spreads, offset }
    }

    /// The numbers of a value: low and high.
    #[inline(always)]
    pub fn numbers(&self, value: Value) -> [u8; 2] {
        let low = (value.base as u8).wrapping_add(self.offset);
        [low, low.wrapping_add(value.spread)]
    }

    /// The lower bound or stamp that a number stands for.
    #[inline(always)]
    pub fn base(&self, number: u8) -> u8 {
        number.wrapping_sub(self.offset)
    }

    /// What a position with no value at all brings the number of its bound to, less: twice all
    /// seeds, and 1.
    pub fn turned(&self) -> u8 {
        2 * self.offset + 1
    }

    /// How many planes there are: 1 or 2.
    pub fn planes(&self) -> usize {
        if self.spreads == 1 { 1 } else { 2 }
    }

    /// The mark of a value.
    #[inline(always)]
    pub fn mark(&self, [low, high]: [u8; 2]) -> Mark {
        let spread = if self.spreads == 1 { 0 } else { usize::from(high.wrapping_sub(low)) };
        let number = usize::from(low) * self.spreads + spread;
        self.marks.get(number).copied().unwrap_or(self.rare)
    }

    /// The mark of what is not there.
    pub fn edge(&self) -> Mark {
        self.edge
    }

    /// How many contexts there are.
    pub fn contexts(&self) -> usize {
        self.contexts.len()
    }

    /// The context of a position: its side and flags, the marks left of it and above it, and what
    /// children bring to its lower bound, and 1; 0 for nothing.
    #[inline(always)]
    pub fn context(&self, kind: usize, left: Mark, above: Mark, brought: u8) -> usize {
        let middle = (left.middle() + above.middle()) / 2;
        let step = match brought {
            0 => 7,
            brought => STEPS[usize::from(brought) + 255 - middle],
        };
        let signs = (kind * self.signs + left.sign()) * self.signs + above.sign();
        signs * STEPS_COUNT + usize::from(step)
    }

    /// The class of a context.
    #[inline(always)]
    pub fn class(&self, context: usize) -> usize {
        self.contexts[context].into()
    }
}

/// How far what children bring is above what references say, in eight steps; by the difference
/// and 256.
const STEPS: [u8; 512] = {
    let mut steps = [0; 512];
    let mut at = 0;
    while at < 512 {
        steps[at] = match at as i32 - 256 {
            ..=-4 => 0,
            -3 | -2 => 1,
            -1 => 2,
            0 => 3,
            1 => 4,
            2 | 3 => 5,
            4.. => 6,
        };
        at += 1;
    }
    steps
};
