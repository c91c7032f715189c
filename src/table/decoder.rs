//! From the numbers of a tile to what is stored of its positions.
//!
//! Who goes through a tile ([`super::walk`]) asks for one position after the other. Its context has
//! a class, the class a stream, and the next number there is the rank of a letter, unless an escape
//! says more. Numbers are believed to be nothing: one that stands for nothing makes the whole tile
//! wrong, which is said at the end.

use std::array;

use super::code::Code;
use super::frame::{ESCAPED_NUMBER, ROOM, TILE, Unpacked};
use super::model::{CLASSES, Model};
use super::streams::STREAMS;
use super::value::{Range, Value};

/// A model, and what its ranks stand for.
#[derive(Debug)]
pub struct Decoder {
    /// The code of the model.
    pub code: Code,
    range: Range,
    letters: usize,
    /// By class: the stream of its ranks, and where their meanings begin.
    classes: Box<[(u16, u16); CLASSES]>,
    /// By class and rank.
    meanings: Vec<[u8; 2]>,
}

impl Decoder {
    /// The decoder of a model for values in a range.
    pub fn new(model: &Model, range: Range) -> Decoder {
        let code = Code::new(model, range);
        let mut classes = Box::new([(0, 0); CLASSES]);
        for (at, (known, class)) in (0..).zip(classes.iter_mut().zip(&model.classes)) {
            *known = (class.stream.into(), at * model.signs() as u16);
        }
        let numbers = |&letter: &u8| code.numbers(model.values[usize::from(letter)]);
        // The special signs stand for nothing.
        let of_classes = model.classes.iter();
        let meanings =
            of_classes.flat_map(|class| class.letters.iter().map(numbers).chain([[0; 2]; 2]));
        let meanings = meanings.collect();
        Decoder { code, range, letters: model.values.len(), classes, meanings }
    }
}

/// Reads the numbers of a tile in order.
pub struct Reading<'a> {
    decoder: &'a Decoder,
    unpacked: &'a Unpacked,
    /// By stream: the place of the next number, in all of them.
    places: [u32; ROOM],
    next_escape: usize,
    /// Whether all were such as can be.
    is_right: bool,
}

impl<'a> Reading<'a> {
    /// From the beginning.
    pub fn new(decoder: &'a Decoder, unpacked: &'a Unpacked) -> Reading<'a> {
        Reading {
            decoder,
            unpacked,
            places: array::from_fn(|stream| (stream * TILE) as u32),
            next_escape: 0,
            is_right: true,
        }
    }

    /// What is stored of the next position, which has this context: low and high, before they are
    /// raised to the bounds from children.
    #[inline(always)]
    pub fn next(&mut self, code: &Code, context: usize) -> [u8; 2] {
        let (stream, meanings) = self.decoder.classes[code.class(context)];
        let place = &mut self.places[usize::from(stream) % ROOM];
        // There are no more positions than numbers have room.
        let number = self.unpacked.numbers.as_flattened()[*place as usize % (ROOM * TILE)];
        *place += 1;
        if usize::from(number) >= self.decoder.letters {
            return self.escape(meanings, number);
        }
        self.decoder.meanings[usize::from(meanings) + usize::from(number)]
    }

    /// What has no room in its stream, or no letter.
    #[inline(never)]
    fn escape(&mut self, meanings: u16, number: u8) -> [u8; 2] {
        let rank = match number.checked_sub(ESCAPED_NUMBER) {
            Some(largest) => usize::from(largest) + usize::from(self.escaped()),
            None => usize::from(number),
        };
        if rank >= self.decoder.letters {
            return self.without_letter(rank);
        }
        self.decoder.meanings[usize::from(meanings) + rank]
    }

    /// A value of its own, which has the rank behind all letters.
    #[inline(never)]
    fn without_letter(&mut self, rank: usize) -> [u8; 2] {
        let value = Value::of_bytes([self.escaped(), self.escaped()]);
        if rank > self.decoder.letters || !self.decoder.range.contains(value) {
            self.is_right = false;
            return [0; 2];
        }
        self.decoder.code.numbers(value)
    }

    fn escaped(&mut self) -> u8 {
        let byte = self.unpacked.escapes.get(self.next_escape).copied();
        self.next_escape += 1;
        self.is_right &= byte.is_some();
        byte.unwrap_or(0)
    }

    /// Whether they were such as can be, and all were read.
    pub fn is_complete(&self) -> bool {
        self.is_right
            && (0..STREAMS).all(|stream| {
                self.places[stream] as usize == stream * TILE + self.unpacked.counts[stream]
            })
            && self.next_escape == self.unpacked.escapes.len()
    }
}
