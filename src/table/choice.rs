//! What can be written of a position.

use super::model::{Class, Model};
use super::streams::{NUMBERS, STREAMS};
use super::truth::Freedom;
use super::value::Value;

/// What is written of a position: its letter, or the sign of what has none; a number in a stream
/// and perhaps an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The letter, or the sign of what has none.
    pub letter: u8,
    /// What goes into a stream.
    pub written: StreamByte,
    /// By how much the rank is more than the number, if that is the largest of its stream.
    pub more: Option<u8>,
    /// Whether the value has no letter.
    pub is_rare: bool,
}

impl Choice {
    /// What stands for a rank in a class; `rare` is the sign of what has no letter.
    pub fn new(class: &Class, rank: u8, rare: u8) -> Choice {
        let largest = NUMBERS[usize::from(class.stream)] - 1;
        let number = rank.min(largest);
        let letter = class.letters.get(usize::from(rank)).copied().unwrap_or(rare);
        let (more, is_rare) = ((number == largest).then(|| rank - number), letter == rare);
        let escaped = if more.is_some() || is_rare { StreamByte::ESCAPED } else { 0 };
        let written = StreamByte(class.stream | number << StreamByte::NUMBER | escaped);
        Choice { letter, written, more, is_rare }
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
