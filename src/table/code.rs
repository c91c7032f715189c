//! A [model](super::model) prepared for speed: the context of a position is a sum of marks that
//! its neighbours give, and its class one look-up.
//!
//! Values are *numbers* here: bounds plus the greatest score of the range, so that they begin at
//! 0.

use std::hint::select_unpredictable;

use super::groups::GROUP;
use super::model::{KINDS, LETTERS, Model, STEPS as STEPS_COUNT, count_of_contexts};
use super::value::{Planes, Range, Value};

/// What a position gives to the contexts of others: what it adds to them as the one to the left and
/// as the one above, and for the middle of the two the lower number of its letter, 0 for the special
/// signs. Both numbers hold that in their upper bits, so that one addition does for both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContextMark {
    left: u32,
    above: u32,
}

/// Where the middle begins in a mark: above all contexts.
const MIDDLE: u32 = 20;

const _: () = assert!(count_of_contexts(LETTERS + 2) <= 1 << MIDDLE);

impl ContextMark {
    /// The mark of one of this many signs.
    fn new(sign: u8, middle: u8, signs: usize) -> ContextMark {
        let (above, middle) = (usize::from(sign) * STEPS_COUNT, u32::from(middle) << MIDDLE);
        ContextMark { left: (above * signs) as u32 | middle, above: above as u32 | middle }
    }

    /// The sign.
    #[inline(always)]
    pub fn sign(self) -> usize {
        (self.above % (1 << MIDDLE)) as usize / STEPS_COUNT
    }

    /// The lower number of its letter.
    pub fn middle(self) -> u8 {
        (self.above >> MIDDLE) as u8
    }
}

/// What is known of the contexts of a row of positions of one side before the first of them.
#[derive(Clone, Debug, Default)]
pub struct RowContexts {
    /// What side, flags and the marks above add.
    sums: [u32; GROUP],
    /// The bounds from children, and 1, more by 255; [`NOTHING`] for nothing.
    brought: [u16; GROUP],
}

impl RowContexts {
    /// Takes what is known: the side, the flags and marks of the row above, and the bounds from
    /// children to lower bounds, and 1; 0 for nothing.
    #[inline(always)]
    pub fn set(
        &mut self,
        code: &Code,
        side: usize,
        flags: &[u8; GROUP],
        above: &[ContextMark; GROUP],
        brought: &[u8; GROUP],
    ) {
        let (first, stride) = (code.kinds[4 * side], code.kinds[1]);
        for column in 0..GROUP {
            self.sums[column] = above[column].above + first + u32::from(flags[column]) * stride;
        }
        for (known, &brought) in self.brought.iter_mut().zip(brought) {
            *known = over(brought);
        }
    }

    /// The context of a position with this mark to the left.
    #[inline(always)]
    pub fn of(&self, column: usize, left: ContextMark) -> usize {
        let sum = self.sums[column] + left.left;
        let over = usize::from(self.brought[column]).wrapping_sub((sum >> (MIDDLE + 1)) as usize);
        (sum % (1 << MIDDLE)) as usize + usize::from(STEP_OF[over % STEP_OF.len()])
    }
}

/// Stands for nothing brought: more than anything, whatever references say.
const NOTHING: u16 = 767;

/// What is brought, more by 255, given that and 1; [`NOTHING`] for nothing.
#[inline(always)]
pub fn over(brought: u8) -> u16 {
    if brought == 0 { NOTHING } else { 255 + u16::from(brought) }
}

/// How far the bounds from children, and 1, are above the middle of both references, in eight
/// steps: where each but the first begins, more by 255. The last one is for nothing brought.
pub const STEPS_FROM: [i16; STEPS_COUNT - 1] = [253, 255, 256, 257, 258, 260, 512];

/// By that: the step.
pub const STEP_OF: [u8; 1024] = {
    let mut steps = [0; 1024];
    let mut at = 0;
    while at < steps.len() {
        let mut step = 0;
        while step < STEPS_FROM.len() && at as i16 >= STEPS_FROM[step] {
            step += 1;
        }
        steps[at] = step as u8;
        at += 1;
    }
    steps
};

/// See the module.
#[derive(Debug)]
pub struct Code {
    /// Letters and the two special signs.
    pub signs: usize,
    /// By context: its class.
    pub contexts: Vec<u8>,
    /// By side and flags: the first context.
    pub kinds: [u32; KINDS],
    /// By lower number and spread.
    pub marks: Vec<ContextMark>,
    /// By the number that stands for both bounds.
    marks_of_one: Box<[ContextMark; 1 << 8]>,
    /// The mark of what is not there.
    pub edge: ContextMark,
    /// The mark of what has no letter.
    pub rare: ContextMark,
    /// How many spreads there are.
    pub spreads: usize,
    /// What a number is more than the bound: the greatest score of the range.
    offset: u8,
    /// That of the range.
    pub turned: u8,
}

impl Code {
    /// The code of a model for values in a range.
    pub fn new(model: &Model, range: Range) -> Code {
        let offset = range.offset();
        let lows = 2 * usize::from(offset) + 1;
        let spreads = match range.planes {
            Planes::Low => 1,
            Planes::LowAndHigh => lows,
        };
        let signs = model.signs();
        let mark = |sign, middle| ContextMark::new(sign, middle, signs);
        let (edge, rare) = (mark(model.edge(), 0), mark(model.rare(), 0));
        let mut marks = vec![rare; lows * spreads];
        for (letter, value) in (0..).zip(&model.values) {
            let low = (value.base as u8).wrapping_add(offset);
            let number = usize::from(low) * spreads + usize::from(value.spread);
            // What the layer cannot have has no sign.
            marks.get_mut(number).into_iter().for_each(|known| *known = mark(letter, low));
        }
        let of_one = |number: usize| marks.get(number * spreads).copied().unwrap_or(rare);
        let marks_of_one = Box::new(std::array::from_fn(of_one));
        let contexts = model.contexts.clone();
        let kinds = std::array::from_fn(|kind| (kind * signs * signs * STEPS_COUNT) as u32);
        let turned = range.turned();
        Code { signs, contexts, kinds, marks, marks_of_one, edge, rare, spreads, offset, turned }
    }

    /// The numbers of a value: low and high.
    #[inline(always)]
    pub fn numbers(&self, value: Value) -> [u8; 2] {
        let low = (value.base as u8).wrapping_add(self.offset);
        [low, low.wrapping_add(value.spread)]
    }

    /// The bound that a number stands for.
    #[inline(always)]
    pub fn bound(&self, number: u8) -> u8 {
        number.wrapping_sub(self.offset)
    }

    /// How many planes there are: 1 or 2.
    pub fn planes(&self) -> usize {
        if self.spreads == 1 { 1 } else { 2 }
    }

    /// The mark of a number that stands for both bounds.
    #[inline(always)]
    pub fn mark_of_one(&self, number: u8) -> ContextMark {
        self.marks_of_one[usize::from(number)]
    }

    /// The mark of a value.
    #[inline(always)]
    pub fn mark(&self, [low, high]: [u8; 2]) -> ContextMark {
        // With one number for both bounds there is one spread, 0.
        let number = usize::from(low) * self.spreads + usize::from(high.wrapping_sub(low));
        self.marks.get(number).copied().unwrap_or(self.rare)
    }

    /// The class of a context.
    #[inline(always)]
    pub fn class(&self, context: usize) -> usize {
        self.contexts[context].into()
    }
}

/// The larger one of two numbers. Which it is, a processor cannot foresee: no branch.
#[inline(always)]
pub fn larger(one: u8, other: u8) -> u8 {
    select_unpredictable(one > other, one, other)
}
