//! Tiles as bytes and back: an arithmetic coder with four lanes.
//!
//! Each position is coded with the probabilities that the [model](super::model) has for its
//! context. The coder is of the kind called rANS: a state of 32 bits takes in a letter by growing,
//! the more the less probable it is, and gives 16 bits away when it gets too large; decoding does
//! the same backwards. So bytes are made from the last position to the first, and read from the
//! first to the last.
//!
//! One state after the other would wait for each step to finish. Four *lanes* have a state each
//! and go along four neighbouring rows, each one column behind the one above, so that what is
//! above and to the left is known when it is needed:
//!
//! ```text
//!     row 0   0 4 8 ...          the numbers say in which order positions are decoded;
//!     row 1     5 9 ...          then come the next four rows
//!     row 2      10 ...
//!     row 3         ...
//! ```
//!
//! A tile's bytes are the four states, u32 each, then words of 16 bits that all lanes draw from in
//! that order. Invariant: behind the last position every state is [`START`] and no word is left;
//! other bytes are no tile.

use super::model::{Class, ESCAPE, Entry, Model, PRECISION, WHOLE};
use super::tiles::Tile;
use super::value::Value;

/// Rows that are coded at once.
const LANES: usize = 4;

/// Every state before the first position is coded; states are never smaller.
const START: u32 = 1 << 16;

/// The letters of a tile, with an edge above and to the left.
#[derive(Debug, Default)]
pub struct Letters {
    letters: Vec<u8>,
    /// From a letter to the one below it.
    width: usize,
}

impl Letters {
    /// Makes it one of `tile`, nothing but edge so far.
    fn clear(&mut self, tile: Tile, edge: u8) {
        self.width = tile.width + 1;
        self.letters.clear();
        self.letters.resize((tile.height + 1) * self.width, edge);
    }

    /// The letters of a row.
    pub fn row(&self, row: usize) -> &[u8] {
        &self.letters[(row + 1) * self.width..][1..self.width]
    }

    /// The context of a position and its letter.
    #[inline(always)]
    fn around(&mut self, model: &Model, position: Position) -> (usize, &mut u8) {
        let from_above = &mut self.letters[position.at - self.width..=position.at];
        let [above, .., left, letter] = from_above else {
            unreachable!("a row has an edge and a position")
        };
        (model.context(*left, *above), letter)
    }
}

/// A position on the way through a tile.
#[derive(Clone, Copy)]
pub struct Position {
    /// Its place among all positions of the tile, row by row.
    pub within: usize,
    /// Its place among the [`Letters`].
    at: usize,
}

/// What is done at each position of a tile. (A closure would not be inlined, which takes half as
/// long again.)
trait Walk {
    fn visit(&mut self, lane: usize, position: Position);
}

/// Goes through a tile in the order of decoding.
#[inline(always)]
fn forwards(tile: Tile, walk: &mut impl Walk) {
    for group in Group::all(tile) {
        for step in 0..group.steps() {
            if group.has_all_lanes(step) {
                (0..LANES).for_each(|lane| walk.visit(lane, group.position(step, lane)));
            } else {
                group.lanes(step).for_each(|lane| walk.visit(lane, group.position(step, lane)));
            }
        }
    }
}

/// Goes through a tile in the opposite order.
#[inline(always)]
fn backwards(tile: Tile, walk: &mut impl Walk) {
    for group in Group::all(tile).rev() {
        for step in (0..group.steps()).rev() {
            if group.has_all_lanes(step) {
                (0..LANES).rev().for_each(|lane| walk.visit(lane, group.position(step, lane)));
            } else {
                group
                    .lanes(step)
                    .rev()
                    .for_each(|lane| walk.visit(lane, group.position(step, lane)));
            }
        }
    }
}

/// The rows that the lanes go along together. At step `s` lane `l` is in row `first + l`, column
/// `s - l`, if there is one.
#[derive(Clone, Copy)]
struct Group {
    first: usize,
    rows: usize,
    width: usize,
}

impl Group {
    fn all(tile: Tile) -> impl DoubleEndedIterator<Item = Group> {
        let Tile { height, width, .. } = tile;
        let group = move |first| Group { first, rows: LANES.min(height - first), width };
        (0..height.div_ceil(LANES)).map(move |group| group * LANES).map(group)
    }

    fn steps(self) -> usize {
        self.width + self.rows - 1
    }

    #[inline(always)]
    fn has_all_lanes(self, step: usize) -> bool {
        self.rows == LANES && (LANES - 1..self.width).contains(&step)
    }

    fn lanes(self, step: usize) -> std::ops::Range<usize> {
        (step + 1).saturating_sub(self.width)..self.rows.min(step + 1)
    }

    /// Row `first + lane`, column `step - lane`; the products with `first` stay the same for the
    /// group.
    #[inline(always)]
    fn position(self, step: usize, lane: usize) -> Position {
        let within = self.first * self.width + (step + lane * self.width - lane);
        let at = (self.first + 1) * (self.width + 1) + 1 + (step + lane * self.width);
        Position { within, at }
    }
}

/// Who says which letter a position gets.
pub trait Choose {
    /// The letter of a position, given its place in the tile and its context.
    fn choose(&mut self, within: usize, context: usize) -> u8;
}

/// Enters a letter for each position of a tile, in the order of decoding.
pub fn fill(model: &Model, tile: Tile, letters: &mut Letters, chooser: &mut impl Choose) {
    letters.clear(tile, model.edge());
    forwards(tile, &mut Filling { model, letters, chooser });
}

struct Filling<'a, C> {
    model: &'a Model,
    letters: &'a mut Letters,
    chooser: &'a mut C,
}

impl<C: Choose> Walk for Filling<'_, C> {
    #[inline(always)]
    fn visit(&mut self, _: usize, position: Position) {
        let (context, letter) = self.letters.around(self.model, position);
        *letter = self.chooser.choose(position.within, context);
    }
}

/// Codes a tile of which each position's step is known, in the order of decoding, and of escapes
/// the values. Appends to `bytes`.
pub fn encode(steps: &Steps, tile: Tile, order: &[u16], escaped: &[u16], bytes: &mut Vec<u8>) {
    // A position takes one word at most, and an escape one more.
    let words = vec![0; order.len() + escaped.len() + 1];
    let mut encoding = Encoding {
        steps,
        order: order.iter(),
        escaped: escaped.iter(),
        states: [START; LANES],
        words,
        count: 0,
    };
    backwards(tile, &mut encoding);
    let Encoding { states, words, count, .. } = encoding;
    bytes.extend(states.iter().flat_map(|state| state.to_le_bytes()));
    bytes.extend(words[..count].iter().rev().flat_map(|word| word.to_le_bytes()));
}

struct Encoding<'a> {
    steps: &'a Steps,
    order: std::slice::Iter<'a, u16>,
    escaped: std::slice::Iter<'a, u16>,
    states: [u32; LANES],
    words: Vec<u16>,
    count: usize,
}

impl Walk for Encoding<'_> {
    #[inline(always)]
    fn visit(&mut self, lane: usize, _: Position) {
        let Some(&step) = self.order.next_back() else { return };
        let step = &self.steps.by_class[usize::from(step)];
        if step.escapes {
            self.words[self.count] = self.escaped.next_back().copied().unwrap_or_default();
            self.count += 1;
        }
        let state = self.states[lane];
        // Written in any case, and counted if it has to be: a branch would often be guessed
        // wrongly.
        self.words[self.count] = state as u16;
        let too_large = u64::from(state) >= step.limit;
        self.count += usize::from(too_large);
        self.states[lane] = step.take_in(if too_large { state >> 16 } else { state });
    }
}

/// How a state takes in a letter.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// States from here on are too large to take it in.
    limit: u64,
    /// 2^44 divided by the letter's parts, rounded up.
    inverse: u64,
    start: u32,
    parts: u32,
    escapes: bool,
}

impl Step {
    fn new(entry: Entry) -> Step {
        let (start, parts) = (entry.start(), entry.parts());
        let inverse = (1 << 44) / u64::from(parts) + 1;
        let limit = u64::from(parts) << (32 - PRECISION);
        Step { limit, inverse, start, parts, escapes: entry.letter() == ESCAPE }
    }

    /// The state that decodes to the letter and then to `state`, which is below the limit.
    ///
    /// With p parts a state x is less than p · 2^20, so x · p is less than 2^44 and x times the
    /// inverse less than 2^64: the quotient is that of a division, which would take longer.
    #[inline(always)]
    fn take_in(self, state: u32) -> u32 {
        let quotient = ((u64::from(state) * self.inverse) >> 44) as u32;
        let rest = state - quotient * self.parts;
        (quotient << PRECISION) + rest + self.start
    }
}

/// How states take in all letters in all classes.
#[derive(Debug)]
pub struct Steps {
    by_class: Vec<Step>,
    signs: usize,
}

impl Steps {
    /// The steps of a model.
    pub fn new(model: &Model) -> Steps {
        let of_class = |class: &Class| -> Vec<Step> {
            let mut steps = vec![Step::new(class.escape()); model.signs()];
            class.listed().for_each(|entry| steps[usize::from(entry.letter())] = Step::new(entry));
            steps
        };
        Steps { by_class: model.classes.iter().flat_map(of_class).collect(), signs: model.signs() }
    }

    /// The number of the step for a letter in a class.
    #[inline(always)]
    pub fn number(&self, class: usize, letter: u8) -> u16 {
        (class * self.signs + usize::from(letter)) as u16
    }

    /// Whether a step is an escape.
    #[inline(always)]
    pub fn escapes(&self, number: u16) -> bool {
        self.by_class[usize::from(number)].escapes
    }
}

/// Decodes a tile: its letters into `letters`, and into `rare` those that came as escapes, by place
/// in the tile. Returns whether `bytes` are a tile; if not, what it has written means nothing.
pub fn decode(
    model: &Model,
    tile: Tile,
    bytes: &[u8],
    letters: &mut Letters,
    rare: &mut Vec<(usize, Value)>,
) -> bool {
    let Some((raw, words)) = bytes.split_first_chunk::<{ 4 * LANES }>() else { return false };
    let states = std::array::from_fn(|lane| {
        u32::from_le_bytes(std::array::from_fn(|byte| raw[4 * lane + byte]))
    });
    rare.clear();
    letters.clear(tile, model.edge());
    let mut decoding =
        Decoding { model, letters, rare, states, words: Words { bytes: words, at: 0 } };
    forwards(tile, &mut decoding);
    decoding.states == [START; LANES] && decoding.words.at == words.len()
}

struct Decoding<'a> {
    model: &'a Model,
    letters: &'a mut Letters,
    rare: &'a mut Vec<(usize, Value)>,
    states: [u32; LANES],
    words: Words<'a>,
}

impl Walk for Decoding<'_> {
    #[inline(always)]
    fn visit(&mut self, lane: usize, position: Position) {
        let (context, letter) = self.letters.around(self.model, position);
        let class = &self.model.classes[usize::from(self.model.contexts[context])];
        let state = self.states[lane];
        let part = state & (WHOLE - 1);
        let entry = class.find(part);
        let grown = entry.parts() * (state >> PRECISION) + part - entry.start();
        // Looked at in any case, as in encoding.
        let (word, too_small) = (self.words.peek(), grown < START);
        self.words.at += 2 * usize::from(too_small);
        self.states[lane] = if too_small { (grown << 16) | word } else { grown };
        *letter = entry.letter();
        if *letter == ESCAPE {
            let value = Value::from_word(self.words.peek() as u16);
            self.words.at += 2;
            self.rare.push((position.within, value));
            *letter = self.model.letter(value);
        }
    }
}

/// Words to be read in order; behind the last there are zeros.
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Words<'_> {
    #[inline(always)]
    fn peek(&self) -> u32 {
        self.bytes
            .get(self.at..self.at + 2)
            .map_or(0, |word| u16::from_le_bytes([word[0], word[1]]).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model of four letters, of which the second class lists two.
    fn model() -> Model {
        let values = (0..4).map(|base| Value { base, spread: 1 }).collect();
        let mut model = Model::without_classes(values);
        model.classes = vec![
            Class::new(&[(0, 3000), (1, 1000), (2, 90), (3, 1)]),
            Class::new(&[(3, 1), (2, 4000)]),
        ];
        model
            .contexts
            .iter_mut()
            .enumerate()
            .for_each(|(context, class)| *class = (context % 3 == 0).into());
        model
    }

    fn tiles() -> impl Iterator<Item = Tile> {
        let shapes =
            [(1, 1), (1, 9), (9, 1), (2, 3), (3, 2), (4, 4), (5, 7), (64, 64), (3, 1000), (700, 6)];
        shapes.into_iter().map(|(height, width)| Tile { own: 0, row: 0, column: 0, height, width })
    }

    /// The letter of a position: 4 is rare.
    fn letter(within: usize) -> u8 {
        (within.wrapping_mul(0x9e37_79b9) >> 13) as u8 % 9 % 5
    }

    struct MadeUp<'a> {
        model: &'a Model,
        steps: &'a Steps,
        order: Vec<u16>,
        escaped: Vec<u16>,
    }

    impl Choose for MadeUp<'_> {
        fn choose(&mut self, within: usize, context: usize) -> u8 {
            let step = self.steps.number(self.model.contexts[context].into(), letter(within));
            self.order.push(step);
            if self.steps.escapes(step) {
                let known = self.model.values.get(usize::from(letter(within)));
                self.escaped
                    .push(known.unwrap_or(&Value { base: within as i8, spread: 9 }).to_word());
            }
            letter(within)
        }
    }

    fn encoded(model: &Model, tile: Tile) -> (Letters, Vec<u8>) {
        let (mut letters, mut bytes) = (Letters::default(), Vec::new());
        let steps = Steps::new(model);
        let mut made_up = MadeUp { model, steps: &steps, order: Vec::new(), escaped: Vec::new() };
        fill(model, tile, &mut letters, &mut made_up);
        let MadeUp { order, escaped, .. } = made_up;
        encode(&steps, tile, &order, &escaped, &mut bytes);
        (letters, bytes)
    }

    #[test]
    fn tiles_of_all_shapes_come_back() {
        let model = model();
        for tile in tiles() {
            let (letters, bytes) = encoded(&model, tile);
            let (mut decoded, mut escaped) = (Letters::default(), Vec::new());
            assert!(decode(&model, tile, &bytes, &mut decoded, &mut escaped));
            for row in 0..tile.height {
                let written: Vec<u8> =
                    (0..tile.width).map(|column| letter(row * tile.width + column)).collect();
                assert_eq!((letters.row(row), decoded.row(row)), (&written[..], &written[..]));
            }
            for within in (0..tile.positions()).filter(|&within| letter(within) == model.rare()) {
                assert!(escaped.contains(&(within, Value { base: within as i8, spread: 9 })));
            }
            let known = escaped.iter().filter(|&&(within, _)| letter(within) != model.rare());
            known.for_each(|&(within, value)| {
                assert_eq!(value, model.values[usize::from(letter(within))])
            });
        }
    }

    #[test]
    fn quotients_are_those_of_a_division() {
        for parts in 1..=WHOLE {
            let step = Step::new(Entry::new(0, 0, parts));
            let near = |state: u64| [state.saturating_sub(1), state, state + 1];
            let states = (0..20)
                .flat_map(|power| near(u64::from(parts) << power))
                .chain(near(step.limit - 2));
            for state in states.filter(|&state| state < step.limit).map(|state| state as u32) {
                assert_eq!(
                    step.take_in(state),
                    ((state / parts) << PRECISION) + state % parts,
                    "{state} {parts}"
                );
            }
        }
    }

    #[test]
    fn bytes_more_or_less_are_no_tile() {
        let (model, mut letters, mut escaped) = (model(), Letters::default(), Vec::new());
        for tile in tiles() {
            let (_, bytes) = encoded(&model, tile);
            for length in (0..bytes.len()).rev().take(40) {
                assert!(!decode(&model, tile, &bytes[..length], &mut letters, &mut escaped));
            }
            let longer = [&bytes[..], &[0, 0]].concat();
            assert!(!decode(&model, tile, &longer, &mut letters, &mut escaped));
        }
    }
}
