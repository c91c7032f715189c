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
use super::code::{Code, Mark, larger};
use super::frame::Numbers;
use super::ground::Ground;
use super::groups::GROUP;
use super::model::{Class, Model};
use super::streams::NUMBERS;
use super::tiles::Twin;
use super::truth::{Freedom, Row, TileValues};
use super::value::{Range, Value};
use super::walk::RowMarks;

/// What is written of a position: a number in a stream, and perhaps an escape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The letter, or the sign of what has none.
    pub letter: u8,
    stream: u8,
    number: u8,
    escape: Escape,
}

/// What is written of a rank that has no room in its stream, and of a value without a letter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Escape(u8);

impl Escape {
    /// Stands for a value without a letter.
    const RARE: u8 = 1 << 7;

    /// By how much the rank is more than the number, if that is the largest of its stream.
    fn more(self) -> Option<u8> {
        (self.0 % Escape::RARE).checked_sub(1)
    }

    fn is_rare(self) -> bool {
        self.0 >= Escape::RARE
    }
}

impl Choice {
    /// What stands for a rank in a class; `rare` is the sign of what has no letter.
    pub fn new(class: &Class, rank: u8, rare: u8) -> Choice {
        let largest = NUMBERS[usize::from(class.stream)] - 1;
        let number = rank.min(largest);
        let letter = class.letters.get(usize::from(rank)).copied().unwrap_or(rare);
        let more = if number == largest { rank - number + 1 } else { 0 };
        let escape = Escape(more | if letter == rare { Escape::RARE } else { 0 });
        Choice { letter, stream: class.stream, number, escape }
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

/// A row of a side in which every position has its mark: what is chosen follows from that.
pub struct Chosen<'a> {
    encoder: &'a Encoder,
    row: &'a Row<'a>,
    contexts: [u32; GROUP],
}

impl Chosen<'_> {
    /// Whether a column holds a position.
    #[inline(always)]
    pub fn holds(&self, column: usize) -> bool {
        self.row.held >> column & 1 == 1
    }

    /// The context of a position.
    #[inline(always)]
    pub fn context(&self, column: usize) -> u32 {
        self.contexts[column]
    }

    /// What is written of it.
    #[inline(always)]
    pub fn choice(&self, column: usize) -> Choice {
        self.encoder.choice(self.row, column, self.contexts[column] as usize)
    }

    fn numbers(&self, column: usize) -> [u8; 2] {
        self.row.numbers.map(|numbers| numbers[column])
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
            self.choose_row(ground, &smaller, smaller_marks, taker);
            self.choose_row(ground, &larger, larger_marks, taker);
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
        let ([low, high], mut true_marks) = (row.numbers, [Mark::default(); GROUP]);
        for (mark, (&low, &high)) in true_marks.iter_mut().zip(low.iter().zip(high)) {
            *mark = self.mark::<PLANES>([low, high]);
        }
        let signs = self.code.signs as u16;
        for (wanted, &free) in row.wanted.iter_mut().zip(&row.free) {
            *wanted = u16::from(free) * signs;
        }
        for (wanted, mark) in row.wanted.iter_mut().zip(&true_marks) {
            *wanted += mark.sign() as u16;
        }
        let marks: &mut [Mark; GROUP] = marks.first_chunk_mut().expect("as many as columns");
        match row.held {
            u32::MAX => *marks = true_marks,
            held => (0..GROUP)
                .filter(|column| held >> column & 1 == 1)
                .for_each(|column| marks[column] = true_marks[column]),
        }
        let (side, flags) = (row.twin as usize, ground.flags(row.twin, row.row));
        let above = above.first_chunk().expect("as many as columns");
        row.contexts.set(&self.code, side, flags, above, row.brought[0]);
        let mut open = row.open;
        while open != 0 {
            let column = open.trailing_zeros() as usize % GROUP;
            open &= open - 1;
            let reference = usize::from(ground.left[column]);
            let left = marks.get(reference).copied().unwrap_or(self.code.edge());
            let choice = self.choice(row, column, row.contexts.of(column, left));
            let brought = row.brought.map(|brought| brought[column]);
            self.raise::<PLANES>(choice, brought, &mut marks[column]);
        }
    }

    /// Marks a position as who reads what is written there will see it.
    #[inline(always)]
    fn raise<const PLANES: usize>(&self, choice: Choice, brought: [u8; 2], mark: &mut Mark) {
        if let Some(&[low, high]) = self.meanings.get(usize::from(choice.letter)) {
            let low = larger(low, brought[0].saturating_sub(1));
            let high = larger(larger(high, brought[1].saturating_sub(1)), low);
            *mark = self.mark::<PLANES>([low, high]);
        }
    }

    #[inline(always)]
    fn mark<const PLANES: usize>(&self, numbers: [u8; 2]) -> Mark {
        match PLANES {
            1 => self.code.mark_of_one(numbers[0]),
            _ => self.code.mark(numbers),
        }
    }

    /// Chooses in a row whose marks are set.
    #[inline(always)]
    fn choose_row(&self, ground: &Ground, row: &Row, marks: &[RowMarks], taker: &mut impl Take) {
        let (mut left, marks) = ([Mark::default(); GROUP], &marks[row.row]);
        for (left, &reference) in left.iter_mut().zip(&ground.left) {
            *left = marks[usize::from(reference)];
        }
        let contexts = row.contexts.of_all(&left);
        taker.take(&Chosen { encoder: self, row, contexts });
    }

    /// Returns what is most probable in a context of what will do.
    #[inline(always)]
    fn choice(&self, row: &Row, column: usize, context: usize) -> Choice {
        let class = self.code.class(context) * Freedom::KINDS * self.code.signs;
        self.choices[class + usize::from(row.wanted[column])]
    }
}

/// Writes what is chosen.
struct Writing<'a> {
    encoder: &'a Encoder,
    numbers: &'a mut Numbers,
}

impl Take for Writing<'_> {
    #[inline(always)]
    fn take(&mut self, row: &Chosen) {
        let Numbers { ranks, escapes, .. } = &mut *self.numbers;
        let mut counts = ranks.counts();
        for column in (0..GROUP).filter(|&column| row.holds(column)) {
            let choice = row.choice(column);
            ranks.put(choice.stream, choice.number, &mut counts);
            if choice.escape != Escape::default() {
                escapes.extend(choice.escape.more());
                if choice.escape.is_rare() {
                    let value = self.encoder.range.value(row.numbers(column));
                    escapes.extend(value.to_word().to_le_bytes());
                }
            }
        }
        ranks.set_counts(counts);
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
