//! Choosing what to write of a tile, where there is a choice.
//!
//! A reader compares what is stored with what captures bring ([`crate::probe`]) and with what
//! children in the tile do ([`super::walk`]), and takes the most. So where either attains a bound,
//! the stored one may be any that is not above it, and the encoder takes the letter that is most
//! probable there: three positions of four are free.
//!
//! A reader learns one position from the others, step by step. Who writes knows nearly all of that
//! before: whatever is chosen where children attain a bound, the reader raises it to the truth. So
//! what children bring is computed row by row, from the truth, and so are the marks of all
//! positions but those that are *open*: where a capture attains a bound and no child does, what
//! the reader will see depends on the choice, and that on the context. Open positions are
//! chosen first, one after the other; then all of a row, each by itself.
//!
//! Invariant: what is chosen is what who goes the reader's [way](super::walk) position by position
//! would choose; a test here does so.

use super::bounds::Bounds;
use super::code::{Code, Mark};
use super::frame::Numbers;
use super::ground::{Ground, Square};
use super::groups::GROUP;
use super::model::{Class, Model};
use super::streams::NUMBERS;
use super::tiles::Twin;
use super::value::{Range, Value};
use super::walk::RowMarks;

/// Which bounds of a position may be stored lower than they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freedom(pub u8);

impl Freedom {
    /// The lower bound.
    const LOW: u8 = 1;
    /// The upper bound.
    const HIGH: u8 = 2;
    /// Both.
    const BOTH: u8 = 3;
    /// How many there are.
    const KINDS: usize = 4;

    /// Of the lower and the upper bound.
    #[inline(always)]
    pub fn of_both(low: bool, high: bool) -> Freedom {
        Freedom((u8::from(low) * Freedom::LOW) | (u8::from(high) * Freedom::HIGH))
    }

    /// Of a number that stands for both bounds.
    #[inline(always)]
    pub fn of_one(free: bool) -> Freedom {
        Freedom::of_both(free, free)
    }

    /// Whether `stored` will do for `truth`.
    fn admits(self, stored: Value, truth: Value) -> bool {
        let fits = |free: u8, stored: i8, truth: i8| {
            stored == truth || self.0 & free != 0 && stored < truth
        };
        fits(Freedom::LOW, stored.base, truth.base)
            && fits(Freedom::HIGH, stored.high(), truth.high())
    }
}

/// What stands in a tile: by side, row and column. What a cell holds that has no position is of no
/// account.
#[derive(Clone, Debug, Default)]
pub struct TileValues {
    /// By side and bound: the numbers of a [code](super::code).
    pub numbers: [[Square; 2]; 2],
    /// By side: the [`Freedom`].
    pub free: [Square; 2],
}

/// What is written of a position: a number in a stream, and perhaps an escape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The letter, or the sign of what has none.
    pub letter: u8,
    stream: u8,
    number: u8,
    /// How much the rank is more than the number, where that is the largest of its stream.
    more: u8,
}

impl Choice {
    /// What stands for a rank in a class; `rare` is the sign of what has no letter.
    pub fn new(class: &Class, rank: u8, rare: u8) -> Choice {
        let number = rank.min(NUMBERS[usize::from(class.stream)] - 1);
        let letter = class.letters.get(usize::from(rank)).copied().unwrap_or(rare);
        Choice { letter, stream: class.stream, number, more: rank - number }
    }
}

/// A model with all that makes encoding fast.
#[derive(Debug)]
pub struct Encoder {
    model: Model,
    code: Code,
    range: Range,
    /// By class, freedom and sign: the most probable one that will do.
    choices: Vec<Choice>,
    /// By letter.
    meanings: Vec<[u8; 2]>,
}

/// What is chosen in a row of a side.
pub struct Chosen<'a> {
    /// The columns that hold positions, as bits.
    pub held: u32,
    /// By column: their contexts.
    pub contexts: [u32; GROUP],
    /// What is written.
    pub choices: [Choice; GROUP],
    /// By bound: the numbers that they have.
    pub numbers: [&'a [u8; GROUP]; 2],
}

impl Chosen<'_> {
    /// The columns that hold positions.
    #[inline(always)]
    pub fn columns(&self) -> impl Iterator<Item = usize> + use<> {
        let held = self.held;
        (0..GROUP).filter(move |column| held >> column & 1 == 1)
    }
}

/// Who takes what has been chosen, in the order of the file.
pub trait Take {
    /// Takes the next row of a side.
    fn take(&mut self, row: &Chosen);
}

/// What one encoding thread works with.
#[derive(Default)]
pub struct Work {
    bounds: Bounds,
    /// By side.
    marks: [Vec<RowMarks>; 2],
}

impl Work {
    fn clear(&mut self, edge: Mark) {
        for marks in &mut self.marks {
            marks.clear();
            marks.resize(GROUP + 1, [edge; GROUP + 8]);
        }
    }
}

impl Encoder {
    /// An encoder by a model for values in a range.
    pub fn new(model: Model, range: Range) -> Encoder {
        let code = Code::new(&model, range);
        let choices = model.classes.iter().flat_map(|class| choices(&model, class)).collect();
        let meanings = model.values.iter().map(|&value| code.numbers(value)).collect();
        Encoder { model, code, range, choices, meanings }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How many contexts there are.
    pub fn contexts(&self) -> usize {
        self.code.contexts()
    }

    /// Encodes a tile.
    pub fn encode(
        &self,
        mut ground: Ground,
        values: &TileValues,
        work: &mut Work,
        numbers: &mut Numbers,
    ) {
        numbers.clear();
        self.choose(&mut ground, values, work, &mut Writing { encoder: self, numbers });
        numbers.is_bounded = ground.is_bounded();
    }

    /// Chooses what to write of each position of a tile. Bounds from children that are above the
    /// truth are dropped.
    pub fn choose(
        &self,
        ground: &mut Ground,
        values: &TileValues,
        work: &mut Work,
        taker: &mut impl Take,
    ) {
        match self.code.planes() {
            1 => self.choose_planes::<1>(ground, values, work, taker),
            _ => self.choose_planes::<2>(ground, values, work, taker),
        }
    }

    fn choose_planes<const PLANES: usize>(
        &self,
        ground: &mut Ground,
        values: &TileValues,
        work: &mut Work,
        taker: &mut impl Take,
    ) {
        work.clear(self.code.edge());
        work.bounds.set::<PLANES>(ground, &values.numbers, self.code.turned());
        let Work { bounds, marks: [larger_marks, smaller_marks] } = work;
        for row in 0..ground.tile().height {
            let mut smaller = Row::of::<PLANES>(ground, values, bounds, Twin::Smaller, row);
            self.mark_row::<PLANES>(ground, &mut smaller, smaller_marks);
            let mut larger = Row::of::<PLANES>(ground, values, bounds, Twin::Larger, row);
            self.mark_row::<PLANES>(ground, &mut larger, larger_marks);
            taker.take(&self.choose_row(ground, &smaller, smaller_marks));
            taker.take(&self.choose_row(ground, &larger, larger_marks));
        }
    }

    /// Sets the marks of a row.
    #[inline(always)]
    fn mark_row<const PLANES: usize>(
        &self,
        ground: &Ground,
        row: &mut Row,
        marks: &mut [RowMarks],
    ) {
        // The half-boards that rows refer to stand before them.
        let (before, rest) = marks.split_at_mut(row.row);
        let (marks, behind) = rest.split_first_mut().expect("a row of the tile");
        let reference = usize::from(ground.rows.references[row.row]);
        let above = before.get(reference).unwrap_or(&behind[behind.len() - 1]);
        let [low, high] = row.numbers;
        for column in 0..GROUP {
            let mark = self.code.mark([low[column], high[column]]);
            row.signs[column] = mark.sign() as u8;
            marks[column] = if row.held >> column & 1 == 1 { mark } else { marks[column] };
        }
        for (first, open) in (0..GROUP).step_by(8).zip(row.open.chunks_exact(8)) {
            let mut open = u64::from_le_bytes(std::array::from_fn(|at| open[at]));
            while open != 0 {
                let at = open.trailing_zeros() as usize / 8;
                open &= !(0xff << (8 * at));
                let column = first + at;
                let left = marks[usize::from(ground.columns.references[column])];
                let (_, choice) = self.choice(row, column, left, above[column]);
                let brought = row.brought.map(|brought| brought[column]);
                self.raise::<PLANES>(choice, brought, &mut marks[column]);
            }
        }
    }

    /// Marks a position as who reads what is written there will see it.
    #[inline(always)]
    fn raise<const PLANES: usize>(&self, choice: Choice, brought: [u8; 2], mark: &mut Mark) {
        if let Some(&[low, high]) = self.meanings.get(usize::from(choice.letter)) {
            let low = low.max(brought[0].saturating_sub(1));
            let high = high.max(brought[1].saturating_sub(1)).max(low);
            *mark = self.code.mark([low, if PLANES == 1 { low } else { high }]);
        }
    }

    /// Chooses in a row whose marks are set.
    #[inline(always)]
    fn choose_row<'a>(&self, ground: &Ground, row: &Row<'a>, marks: &[RowMarks]) -> Chosen<'a> {
        let above = &marks[usize::from(ground.rows.references[row.row])];
        let marks = &marks[row.row];
        let (held, numbers) = (row.held, row.numbers);
        let (contexts, choices) = ([0; GROUP], [Choice::default(); GROUP]);
        let mut chosen = Chosen { held, contexts, choices, numbers };
        for (column, &reference) in ground.columns.references.iter().enumerate() {
            let left = marks[usize::from(reference)];
            let (context, choice) = self.choice(row, column, left, above[column]);
            chosen.contexts[column] = context as u32;
            chosen.choices[column] = choice;
        }
        chosen
    }

    /// Returns the context of a position, and what is most probable there of what will do.
    #[inline(always)]
    fn choice(&self, row: &Row, column: usize, left: Mark, above: Mark) -> (usize, Choice) {
        let kind = 4 * row.twin as usize + usize::from(row.flags[column]);
        let context = self.code.context(kind, left, above, row.brought[0][column]);
        let free = self.code.class(context) * Freedom::KINDS + usize::from(row.free[column]);
        (context, self.choices[free * self.code.signs + usize::from(row.signs[column])])
    }
}

/// A row of a side of a tile.
struct Row<'a> {
    twin: Twin,
    row: usize,
    held: u32,
    flags: &'a [u8; GROUP],
    /// By bound.
    numbers: [&'a [u8; GROUP]; 2],
    brought: [&'a [u8; GROUP]; 2],
    /// The signs of the truth.
    signs: [u8; GROUP],
    /// Which bounds may be stored lower than they are, as [`Freedom`].
    free: [u8; GROUP],
    /// Which of them no child attains.
    open: [u8; GROUP],
}

impl Row<'_> {
    #[inline(always)]
    fn of<'a, const PLANES: usize>(
        ground: &'a Ground,
        values: &'a TileValues,
        bounds: &'a Bounds,
        twin: Twin,
        row: usize,
    ) -> Row<'a> {
        let side = twin as usize;
        let exact = &bounds.exact[side][row];
        let brought = [0, 1].map(|bound| &bounds.brought[side][bound][row]);
        let numbers = [0, 1].map(|bound| &values.numbers[side][bound.min(PLANES - 1)][row]);
        let (by_capture, there) = (&values.free[side][row], ground.held_masks(twin, row));
        let (mut free, mut open) = ([0; GROUP], [0; GROUP]);
        for column in 0..GROUP {
            let attained = |bound: usize, mask: u8| {
                let (brought, number) = (brought[bound][column], numbers[bound][column]);
                mask & 0u8
                    .wrapping_sub(u8::from((brought != 0) & (brought == number.wrapping_add(1))))
            };
            let attained = match PLANES {
                1 => attained(0, Freedom::BOTH),
                _ => attained(0, Freedom::LOW) | attained(1, Freedom::HIGH),
            };
            let by_capture = by_capture[column] & there[column] & !exact[column];
            free[column] = by_capture | attained;
            open[column] = by_capture & !attained;
        }
        let (held, flags) = (ground.held(twin, row), ground.flags(twin, row));
        Row { twin, row, held, flags, numbers, brought, signs: [0; GROUP], free, open }
    }
}

/// Writes what is chosen.
struct Writing<'a> {
    encoder: &'a Encoder,
    numbers: &'a mut Numbers,
}

impl Take for Writing<'_> {
    fn take(&mut self, row: &Chosen) {
        let Writing { encoder, numbers } = self;
        let choices = row.columns().map(|column| {
            let Choice { stream, number, .. } = row.choices[column];
            (stream, number)
        });
        numbers.extend(choices);
        for column in row.columns() {
            let Choice { letter, stream, number, more } = row.choices[column];
            if number == NUMBERS[usize::from(stream)] - 1 {
                numbers.escapes.push(more);
            }
            if letter == encoder.model.rare() {
                let value = encoder.range.value(row.numbers.map(|numbers| numbers[column]));
                numbers.escapes.extend(value.to_word().to_le_bytes());
            }
        }
    }
}

/// By freedom and sign: the most probable one that will do.
fn choices(model: &Model, class: &Class) -> Vec<Choice> {
    let rare = model.rare();
    let choice = |freedom: Freedom, sign: u8| {
        let truth = model.values.get(usize::from(sign));
        let will_do = |truth: &Value| {
            let letters = class.letters.iter();
            let mut ranked = letters.map(|&letter| model.values[usize::from(letter)]);
            ranked.position(|stored| freedom.admits(stored, *truth))
        };
        Choice::new(class, truth.and_then(will_do).map_or(rare, |rank| rank as u8), rare)
    };
    let kinds = (0..Freedom::KINDS as u8).map(Freedom);
    kinds
        .flat_map(|freedom| (0..model.signs() as u8).map(move |sign| choice(freedom, sign)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freedom_is_downwards() {
        let value = |base, spread| Value { base, spread };
        let truth = value(2, 3);
        let admitted = |freedom: Freedom| {
            let all = (-5..=5).flat_map(|base| (0..8).map(move |spread| value(base, spread)));
            all.filter(|&stored| freedom.admits(stored, truth)).collect::<Vec<_>>()
        };
        assert_eq!(admitted(Freedom::default()), [truth]);
        assert!(
            admitted(Freedom::of_both(true, false))
                .iter()
                .all(|stored| stored.high() == 5 && stored.base <= 2)
        );
        assert_eq!(
            admitted(Freedom::of_both(false, true)),
            (0..4).map(|spread| value(2, spread)).collect::<Vec<_>>()
        );
        assert!(
            admitted(Freedom::of_one(true))
                .iter()
                .all(|stored| stored.base <= 2 && stored.high() <= 5)
        );
    }
}
