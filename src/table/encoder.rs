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
//! chosen first, one after the other; then all of a row, in [lanes](super::lanes).
//!
//! Invariant: what is chosen is what who goes the reader's [way](super::walk) position by position
//! would choose; a test here does so.

use super::bounds::Bounds;
use super::code::Code;
use super::frame::Numbers;
use super::ground::{Ground, masks};
use super::groups::GROUP;
use super::lane_code::{LaneCode, LaneContexts, LaneMarks, Left};
use super::lanes::{BOTH, Bytes, Instructions, Lanes, Loop, Words};
use super::model::{Class, Model};
use super::streams::{NUMBERS, STREAMS};
use super::truth::{Freedom, Row, TileValues};
use super::value::{Range, Value};
use crate::layer::blocks::set_lanes;

/// What is written of a position: its letter, or the sign of what has none; a stream, a number there
/// and perhaps an escape. Each is a byte, the letter the lowest one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice(u32);

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
        let escape = more | if letter == rare { Escape::RARE } else { 0 };
        Choice(u32::from_le_bytes([letter, class.stream, number, escape]))
    }

    /// The letter, or the sign of what has none.
    #[inline(always)]
    pub fn letter(self) -> u8 {
        self.0 as u8
    }

    #[inline(always)]
    fn stream(self) -> u8 {
        (self.0 >> 8) as u8
    }

    #[inline(always)]
    fn number(self) -> u8 {
        (self.0 >> 16) as u8
    }

    #[inline(always)]
    fn escape(self) -> Escape {
        Escape((self.0 >> 24) as u8)
    }
}

/// A model with all that makes encoding fast.
#[derive(Debug)]
pub struct Encoder {
    model: Model,
    code: Code,
    lane_code: LaneCode,
    range: Range,
    /// By class, freedom and sign: the most probable one that will do, as the word of a [`Choice`].
    choices: Vec<u32>,
    /// By letter.
    meanings: Vec<[u8; 2]>,
    instructions: Instructions,
}

/// A row in which every position is chosen.
pub struct Chosen<'a> {
    row: &'a Row<'a>,
    contexts: &'a Words,
    choices: &'a Words,
}

impl Chosen<'_> {
    /// The lanes that hold positions.
    #[inline(always)]
    pub fn held(&self) -> u64 {
        self.row.held
    }

    /// The context of a position.
    #[inline(always)]
    pub fn context(&self, lane: usize) -> u32 {
        self.contexts[lane]
    }

    /// What is written of it.
    #[inline(always)]
    pub fn choice(&self, lane: usize) -> Choice {
        Choice(self.choices[lane])
    }

    fn numbers(&self, lane: usize) -> [u8; 2] {
        self.row.numbers.map(|numbers| numbers[lane])
    }

    /// One of the bytes of all choices.
    #[inline(always)]
    fn bytes(&self, part: impl Fn(Choice) -> u8) -> Bytes {
        self.choices.map(|choice| part(Choice(choice)))
    }
}

/// Who takes what has been chosen, in the order of the file.
pub trait Take {
    /// Takes the next row of a tile, lane after lane.
    fn take<L: Lanes>(&mut self, row: &Chosen);
}

/// What one encoding thread works with.
#[derive(Default)]
pub struct Work {
    bounds: Bounds,
    /// By row, and of one that is not there.
    marks: Vec<LaneMarks>,
}

impl Encoder {
    /// An encoder by a model for values in a range.
    pub fn new(model: Model, range: Range) -> Encoder {
        let code = Code::new(&model, range);
        let choices = model.classes.iter().flat_map(|class| choices(&model, class)).collect();
        let meanings = model.values.iter().map(|&value| code.numbers(value)).collect();
        let (lane_code, instructions) = (LaneCode::new(&code), Instructions::best());
        Encoder { model, code, lane_code, range, choices, meanings, instructions }
    }

    /// The same encoder with other instructions.
    #[cfg(test)]
    pub fn with(self, instructions: Instructions) -> Encoder {
        Encoder { instructions, ..self }
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
        self.instructions.run(Choosing { encoder: self, ground, values, work, taker });
    }

    #[inline(always)]
    fn choose_planes<const PLANES: usize, L: Lanes>(
        &self,
        ground: &mut Ground,
        values: &TileValues,
        Work { bounds, marks }: &mut Work,
        taker: &mut impl Take,
    ) {
        bounds.set::<PLANES, L>(ground, &values.numbers, self.code.turned());
        marks.clear();
        marks.resize(GROUP + 1, self.lane_code.edge());
        let left = Left::new(ground);
        for at in 0..ground.tile().height {
            let row = Row::of::<PLANES>(ground, values, bounds, at);
            // The half-boards that rows refer to stand before them.
            let (before, rest) = marks.split_at_mut(at);
            let (marks, behind) = rest.split_first_mut().expect("a row of the tile");
            let reference = usize::from(ground.rows.references[at]);
            let above = before.get(reference).unwrap_or(&behind[behind.len() - 1]);
            let contexts =
                LaneContexts::new(&self.lane_code, ground.flags(at), above, row.brought[0]);
            *marks = self.lane_code.marks::<PLANES, L>(row.numbers);
            let wanted = self.wanted(&row, marks);
            if row.held != u64::MAX {
                marks.keep(&masks(row.held), &self.lane_code);
            }
            for lane in set_lanes(row.open) {
                let left = left.of_one(marks, &self.lane_code, lane);
                let context = contexts.of(&self.lane_code, lane, left);
                let class = self.lane_code.class(context);
                let choice = self.choices[self.place(class.into(), wanted[lane]) as usize];
                let brought = row.brought.map(|brought| brought[lane]);
                self.raise::<PLANES>(Choice(choice), brought, marks, lane);
            }
            let left = left.of_all::<L>(marks, &self.lane_code);
            let contexts = contexts.of_all(&self.lane_code, &left);
            let mut places = self.lane_code.classes::<L>(&contexts);
            for (place, wanted) in places.iter_mut().zip(wanted) {
                *place = self.place(*place, wanted);
            }
            let choices = L::look_up(&self.choices, &places);
            taker.take::<L>(&Chosen { row: &row, contexts: &contexts, choices: &choices });
        }
    }

    /// The freedom and the sign of the truth of all positions of a row, as the place of a choice.
    #[inline(always)]
    fn wanted(&self, row: &Row, marks: &LaneMarks) -> [u16; BOTH] {
        let (mut wanted, signs) = ([0; BOTH], self.code.signs as u16);
        for ((wanted, &free), &sign) in wanted.iter_mut().zip(&row.free).zip(&marks.signs) {
            *wanted = u16::from(free) * signs + u16::from(sign);
        }
        wanted
    }

    /// The place of a choice.
    #[inline(always)]
    fn place(&self, class: u32, wanted: u16) -> u32 {
        class * (Freedom::KINDS * self.code.signs) as u32 + u32::from(wanted)
    }

    /// Marks a position as who reads what is written there will see it.
    #[inline(always)]
    fn raise<const PLANES: usize>(
        &self,
        choice: Choice,
        brought: [u8; 2],
        marks: &mut LaneMarks,
        lane: usize,
    ) {
        if let Some(&[low, high]) = self.meanings.get(usize::from(choice.letter())) {
            let low = low.max(brought[0].saturating_sub(1));
            let high = high.max(brought[1].saturating_sub(1)).max(low);
            [marks.signs[lane], marks.middles[lane]] = self.lane_code.mark::<PLANES>([low, high]);
        }
    }
}

/// Chooses in a tile.
struct Choosing<'a, T> {
    encoder: &'a Encoder,
    ground: &'a mut Ground,
    values: &'a TileValues,
    work: &'a mut Work,
    taker: &'a mut T,
}

impl<T: Take> Loop for Choosing<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Choosing { encoder, ground, values, work, taker } = self;
        match encoder.code.planes() {
            1 => encoder.choose_planes::<1, L>(ground, values, work, taker),
            _ => encoder.choose_planes::<2, L>(ground, values, work, taker),
        }
    }
}

/// Writes what is chosen.
struct Writing<'a> {
    encoder: &'a Encoder,
    numbers: &'a mut Numbers,
}

impl Take for Writing<'_> {
    #[inline(always)]
    fn take<L: Lanes>(&mut self, row: &Chosen) {
        let ranks = &mut self.numbers.ranks;
        let mut counts = ranks.counts();
        if L::IS_WIDE {
            let (streams, numbers) = (row.bytes(Choice::stream), row.bytes(Choice::number));
            for stream in 0..STREAMS {
                let lanes = row.held() & lanes_where(|lane| streams[lane] == stream as u8);
                let gathered = L::gather(&numbers, lanes);
                ranks.put_row(stream, &gathered, lanes.count_ones(), &mut counts);
            }
        } else {
            for choice in set_lanes(row.held()).map(|lane| row.choice(lane)) {
                ranks.put(choice.stream(), choice.number(), &mut counts);
            }
        }
        ranks.set_counts(counts);
        let escapes = row.bytes(|choice| choice.escape().0);
        for lane in set_lanes(row.held() & lanes_where(|lane| escapes[lane] != 0)) {
            self.escape(row, lane);
        }
    }
}

impl Writing<'_> {
    /// Writes what a number does not say.
    fn escape(&mut self, row: &Chosen, lane: usize) {
        let (escapes, escape) = (&mut self.numbers.escapes, row.choice(lane).escape());
        escapes.extend(escape.more());
        if escape.is_rare() {
            let value = self.encoder.range.value(row.numbers(lane));
            escapes.extend(value.to_word().to_le_bytes());
        }
    }
}

/// The lanes of which something is true.
#[inline(always)]
fn lanes_where(is_true: impl Fn(usize) -> bool) -> u64 {
    let mut lanes = 0;
    for lane in 0..BOTH {
        lanes |= u64::from(is_true(lane)) << lane;
    }
    lanes
}

/// By freedom and sign: the most probable one that will do.
fn choices(model: &Model, class: &Class) -> Vec<u32> {
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
        .flat_map(|freedom| (0..model.signs() as u8).map(move |sign| choice(freedom, sign).0))
        .collect()
}
