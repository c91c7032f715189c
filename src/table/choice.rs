//! What can be written of a position.

use super::model::{Class, Model};
use super::streams::{NUMBERS, STREAMS};
use super::truth::Freedom;
use super::value::Value;

/// What is written of a position: its letter, or the sign of what has none; a stream, a number there
/// and perhaps an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The letter, or the sign of what has none.
    pub letter: u8,
    stream: u8,
    number: u8,
    /// What a number does not say.
    pub escape: Escape,
}

/// What is written of a rank that has no room in its stream, and of a value without a letter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Escape(u8);

impl Escape {
    /// Stands for a value without a letter.
    const RARE: u8 = 1 << 7;

    /// By how much the rank is more than the number, if that is the largest of its stream.
    pub fn more(self) -> Option<u8> {
        (self.0 % Escape::RARE).checked_sub(1)
    }

    pub fn is_rare(self) -> bool {
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
        Choice { letter, stream: class.stream, number, escape: Escape(escape) }
    }

    /// What goes into a stream.
    pub fn written(self) -> StreamByte {
        let escaped = if self.escape == Escape(0) { 0 } else { StreamByte::ESCAPED };
        StreamByte(self.stream | self.number << StreamByte::NUMBER | escaped)
    }
}

/// What goes into a stream, in a byte: which one, the number, and whether an escape follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamByte(pub u8);

impl StreamByte {
    /// The lowest bit of the number, those below are the stream's.
    const NUMBER: u32 = 3;
    /// The bit of an escape.
    const ESCAPED: u8 = 1 << 7;

    #[inline(always)]
    pub fn stream(self) -> u8 {
        self.0 % (1 << StreamByte::NUMBER)
    }

    #[inline(always)]
    pub fn number(self) -> u8 {
        self.0 >> StreamByte::NUMBER & 0xf
    }

    #[inline(always)]
    pub fn is_escaped(self) -> bool {
        self.0 >= StreamByte::ESCAPED
    }
}

const _: () = assert!(STREAMS <= 1 << StreamByte::NUMBER);

/// By freedom and sign: the most probable one that will do.
pub fn choices(model: &Model, class: &Class) -> Vec<Choice> {
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
