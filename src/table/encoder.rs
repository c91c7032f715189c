//! Choosing what to write of a tile, where there is a choice.
//!
//! A reader compares what is stored with the values of captures ([`crate::probe`]) and with what
//! children in the tile do ([`super::walk`]), and takes the most. So where either attains a bound,
//! the stored one may be any that is not above it, and the encoder takes the letter that is most
//! probable there: three positions of four are free.
//!
//! A reader learns one position from the others, step by step. Who writes knows nearly all of that
//! before: whatever is chosen where children attain a bound, the reader raises it to the truth. So
//! the bounds from children are computed row by row, from the truth, and so are the marks of all
//! positions but those that are *open*: where a capture attains a bound and no child does, what
//! the reader will see depends on the choice, and that on the context.
//!
//! So a tile is gone through three times. All positions are marked by the truth, row by row in
//! [lanes](crate::simd::lanes). Then open positions that others refer to, one of four, are chosen and
//! marked one after the other, which takes a good part of the time; a model with one class only
//! needs no context there. At last all positions are chosen, in lanes again. When open positions of a row
//! were chosen just before the row in lanes, a processor waited for each of them twice: once as
//! the next one depends on it, and once as a row cannot be read at once that has just been written
//! byte by byte.
//!
//! Invariant: what is chosen is what who goes the reader's [way](super::walk) position by position
//! would choose; a test here does so.

use super::bounds::ChildBounds;
use super::choice::{Choice, StreamByte, choices};
use super::code::{Code, larger};
use super::frame::Numbers;
use super::ground::Ground;
use super::groups::GROUP;
use super::lane_code::{LaneCode, LaneMarks, Left, RowMarks};
use super::model::Model;
use super::streams::STREAMS;
use super::truth::{Freedom, TileValues, TruthRow};
use super::value::{Range, Value};
use crate::simd::lanes::{BOTH, Bytes, Instructions, Lanes, Loop, Words, lanes_where};
use crate::simd::set_lanes;

/// A model with all that makes encoding fast.
#[derive(Debug)]
pub struct Encoder {
    pub model: Model,
    lane_code: LaneCode,
    range: Range,
    /// By class, freedom and sign: the most probable one that will do.
    choices: Vec<Choice>,
    /// Of each choice what goes into a stream, its letter, and what the letter stands for.
    written: Vec<u8>,
    letters: Vec<u8>,
    meanings: Vec<[u8; 2]>,
    pub instructions: Instructions,
}

/// A row in which every position is chosen.
pub struct Chosen<'a> {
    encoder: &'a Encoder,
    /// The lanes that hold positions.
    pub held: u64,
    /// By bound.
    numbers: [&'a Bytes; 2],
    /// Of all positions.
    pub contexts: &'a Words,
    /// The places of choices.
    places: &'a Words,
}

impl Chosen<'_> {
    /// What is written of a position.
    pub fn choice(&self, lane: usize) -> Choice {
        self.encoder.choices[self.places[lane] as usize]
    }

    /// The letters of all positions, or the sign of what has none.
    #[inline(always)]
    pub fn letters<L: Lanes>(&self) -> Bytes {
        L::look_up_bytes(&self.encoder.letters, self.places)
    }

    /// What goes into streams of all positions.
    #[inline(always)]
    fn written<L: Lanes>(&self) -> Bytes {
        L::look_up_bytes(&self.encoder.written, self.places)
    }

    fn value(&self, lane: usize) -> Value {
        self.encoder.range.value(self.numbers.map(|numbers| numbers[lane]))
    }
}

/// Who takes what has been chosen, in the order of the file.
pub trait Take {
    /// Takes the next row of a tile, lane after lane.
    fn take<L: Lanes>(&mut self, row: &Chosen);
}

/// What one encoding thread works with: all is by row.
pub struct Work {
    bounds: ChildBounds,
    /// At last that of a row that is not there.
    marks: [RowMarks; GROUP + 1],
    /// The freedom and the sign of the truth of all positions, as the place of a choice.
    wanted: [[u16; BOTH]; GROUP],
}

impl Default for Work {
    fn default() -> Work {
        Work {
            bounds: ChildBounds::default(),
            marks: [[0; BOTH]; GROUP + 1],
            wanted: [[0; BOTH]; GROUP],
        }
    }
}

impl Encoder {
    /// An encoder by a model for values in a range.
    pub fn new(model: Model, range: Range) -> Encoder {
        let code = Code::new(&model, range);
        let of_class = |class| choices(&model, class);
        let choices: Vec<Choice> = model.classes.iter().flat_map(of_class).collect();
        let bytes = |byte: &dyn Fn(&Choice) -> u8| choices.iter().map(byte).collect();
        let written = bytes(&|choice| choice.written.0);
        let letters = bytes(&|choice| choice.letter);
        // Who has no letter is not chosen one by one.
        let value = |choice: &Choice| model.values.get(usize::from(choice.letter));
        let numbers = |choice| value(choice).map_or([0; 2], |&value| code.numbers(value));
        let meanings = choices.iter().map(numbers).collect();
        let (lane_code, instructions) = (LaneCode::new(code), Instructions::best());
        Encoder { model, lane_code, range, choices, written, letters, meanings, instructions }
    }

    /// Encodes a tile, behind those that are in `numbers`.
    pub fn encode(
        &self,
        mut ground: Ground,
        values: &TileValues,
        work: &mut Work,
        numbers: &mut Numbers,
    ) {
        numbers.begin_tile();
        self.choose(&mut ground, values, work, &mut Writing(numbers));
        numbers.end_tile(ground.is_bounded);
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

    /// Marks all positions by the truth, and notes what is known of each. Returns the lanes that are
    /// open and referred to.
    #[inline(always)]
    fn mark_truth<const PLANES: usize, L: Lanes>(
        &self,
        ground: &Ground,
        values: &TileValues,
        work: &mut Work,
        left: &Left,
    ) -> [u64; GROUP] {
        let mut open = [0; GROUP];
        let rare = self.model.rare();
        let rows_referred = ground.rows.references.iter().fold(0u64, |rows, &row| rows | 1 << row);
        for (at, open) in open.iter_mut().enumerate().take(ground.tile.height) {
            let row = TruthRow::of::<PLANES, L>(ground, values, &work.bounds, at);
            let mut marks = self.lane_code.marks::<PLANES, L>(row.numbers);
            work.wanted[at] = self.wanted(&row, &marks);
            if row.held != u64::MAX {
                marks.keep(&L::masks(row.held), &self.lane_code);
            }
            let all = rows_referred >> at & 1 == 1;
            // What has no letter is written as it is.
            let has_letter = lanes_where::<L>(|lane| marks.signs[lane] < rare);
            let referred = if all { u64::MAX } else { left.referred };
            work.marks[at] = marks.to_row();
            *open = row.open & has_letter & referred;
        }
        open
    }

    /// Marks open positions that others refer to as who reads what is chosen will see them. No row is
    /// looked at as a whole here, so a processor need not wait for one position if the next does
    /// not depend on it.
    #[inline(always)]
    fn choose_open<const PLANES: usize>(
        &self,
        ground: &Ground,
        work: &mut Work,
        left: &Left,
        open: &[u64; GROUP],
    ) {
        let (Work { bounds, marks, wanted }, code) = (work, &self.lane_code);
        for at in 0..ground.tile.height {
            // The half-boards that rows refer to stand before them.
            let (before, rest) = marks.split_at_mut(at);
            let (marks, behind) = rest.split_first_mut().expect("a row of the tile");
            let reference = usize::from(ground.rows.references[at]);
            let above = before.get(reference).unwrap_or(&behind[behind.len() - 1]);
            let (known, wanted) = (bounds.known(ground, at), &wanted[at]);
            let brought = [0, PLANES - 1].map(|bound| &bounds.brought[bound][at]);
            for lane in set_lanes(open[at]) {
                let class = match self.is_plain() {
                    true => 0,
                    false => {
                        let left = left.of_one(marks, code, lane);
                        code.class(code.context(known, lane, left, above[lane]))
                    }
                };
                let stored = self.meanings[self.place(class, wanted[lane]) as usize];
                let [low, high] = brought.map(|brought| brought[lane].saturating_sub(1));
                let low = larger(stored[0], low);
                marks[lane] = code.mark::<PLANES>([low, larger(larger(stored[1], high), low)]);
            }
        }
    }

    /// The freedom and the sign of the truth of all positions of a row, as the place of a choice.
    #[inline(always)]
    fn wanted(&self, row: &TruthRow, marks: &LaneMarks) -> [u16; BOTH] {
        let (mut wanted, signs) = ([0; BOTH], self.lane_code.signs as u16);
        for ((wanted, &free), &sign) in wanted.iter_mut().zip(&row.free).zip(&marks.signs) {
            *wanted = u16::from(free) * signs + u16::from(sign);
        }
        wanted
    }

    /// Whether there is one class only, so that no choice depends on its context.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        self.model.classes.len() == 1
    }

    /// The place of a choice.
    #[inline(always)]
    fn place(&self, class: u8, wanted: u16) -> u32 {
        u32::from(class) * (Freedom::KINDS * self.lane_code.signs) as u32 + u32::from(wanted)
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
        match self.encoder.lane_code.spreads {
            1 => self.choose::<1, L>(),
            _ => self.choose::<2, L>(),
        }
    }
}

impl<T: Take> Choosing<'_, T> {
    #[inline(always)]
    fn choose<const PLANES: usize, L: Lanes>(self) {
        let Choosing { encoder, ground, values, work, taker } = self;
        let code = &encoder.lane_code;
        work.bounds.set::<PLANES, L>(ground, &values.numbers, encoder.range.turned());
        work.marks[GROUP] = code.edge();
        let left = Left::new(ground);
        let open = encoder.mark_truth::<PLANES, L>(ground, values, work, &left);
        encoder.choose_open::<PLANES>(ground, work, &left, &open);
        for at in 0..ground.tile.height {
            let above = LaneMarks::of_row(&work.marks[usize::from(ground.rows.references[at])]);
            let left = left.of_all::<L>(&LaneMarks::of_row(&work.marks[at]), code);
            let contexts = code.contexts(work.bounds.known(ground, at), &left, &above);
            let classes = match encoder.is_plain() {
                true => [0; BOTH],
                false => code.classes::<L>(&contexts),
            };
            let mut places = [0; BOTH];
            for lane in 0..BOTH {
                places[lane] = encoder.place(classes[lane], work.wanted[at][lane]);
            }
            let (held, numbers) = (ground.lanes(at), values.row::<PLANES>(at));
            let (contexts, places) = (&contexts, &places);
            taker.take::<L>(&Chosen { encoder, held, numbers, contexts, places });
        }
    }
}

/// Writes what is chosen.
struct Writing<'a>(&'a mut Numbers);

impl Take for Writing<'_> {
    #[inline(always)]
    fn take<L: Lanes>(&mut self, row: &Chosen) {
        let (ranks, written) = (&mut *self.0, row.written::<L>());
        let mut counts = ranks.counts;
        if L::IS_WIDE {
            let numbers = written.map(|written| StreamByte(written).number());
            for stream in 0..STREAMS {
                let is_there = |lane: usize| StreamByte(written[lane]).stream() == stream as u8;
                let lanes = row.held & lanes_where::<L>(is_there);
                L::gather(&numbers, lanes, ranks.row(stream, lanes.count_ones(), &mut counts));
            }
        } else {
            for written in set_lanes(row.held).map(|lane| StreamByte(written[lane])) {
                ranks.put(written.stream(), written.number(), &mut counts);
            }
        }
        ranks.counts = counts;
        let escaped = lanes_where::<L>(|lane| StreamByte(written[lane]).is_escaped());
        for lane in set_lanes(row.held & escaped) {
            self.escape(row, lane);
        }
    }
}

impl Writing<'_> {
    /// Writes what a number does not say.
    fn escape(&mut self, row: &Chosen, lane: usize) {
        let (escapes, choice) = (&mut self.0.escapes, row.choice(lane));
        escapes.extend(choice.more);
        if choice.is_rare {
            escapes.extend(row.value(lane).to_bytes());
        }
    }
}
