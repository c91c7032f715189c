//! What a coder expects of a position, given its neighbours.
//!
//! The values of a layer are numbered by how frequent they are: *letters*. What is seen of a
//! position before it is decoded is its *context*, the letters to its left and above it. Contexts
//! in which much the same is to be expected form a *class*, and each class says how probable its
//! letters are, in parts of 4096. What a class does not list comes as an *escape*, followed by the
//! value itself; so a model may fit a layer badly, but never fails to code it.
//!
//! A model is part of the file. [`Model::prove`] believes nothing of what is read there.

use super::Flaw;
use super::value::{Range, Value};

/// Bits of a probability: they are counted in parts of 2^12.
pub const PRECISION: u32 = 12;

/// All parts together.
pub const WHOLE: u32 = 1 << PRECISION;

/// Letters that a class lists at most; the escape comes on top.
pub const LISTED: usize = 31;

/// Letters that a model has at most. Contexts are pairs of them, so it had better not be many.
pub const LETTERS: usize = 126;

/// Classes that a model has at most.
pub const CLASSES: usize = 256;

/// What stands for the escape among the letters of a class.
pub const ESCAPE: u8 = u8::MAX;

/// A letter with its share of the [`WHOLE`]: packed, because this is what decoding waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry(u32);

impl Entry {
    /// Of a letter, where its parts begin, and how many they are.
    pub fn new(letter: u8, start: u32, parts: u32) -> Entry {
        debug_assert!(
            start < WHOLE && parts <= WHOLE - start && parts < WHOLE + u32::from(start == 0)
        );
        Entry(u32::from(letter) << (2 * PRECISION) | (parts - 1) << PRECISION | start)
    }

    /// The letter, or [`ESCAPE`].
    #[inline(always)]
    pub fn letter(self) -> u8 {
        (self.0 >> (2 * PRECISION)) as u8
    }

    /// Where its parts begin.
    #[inline(always)]
    pub fn start(self) -> u32 {
        self.0 & (WHOLE - 1)
    }

    /// How many they are, at least 1.
    #[inline(always)]
    pub fn parts(self) -> u32 {
        (self.0 >> PRECISION & (WHOLE - 1)) + 1
    }
}

/// The probabilities of one class: entries without a gap, the escape behind the others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Class {
    entries: [Entry; ENTRIES],
    /// By some of the first bits of a part: the entry that the first such part belongs to.
    first: [u8; 1 << FIRST],
}

/// Room for entries.
const ENTRIES: usize = LISTED + 1;

/// Bits of a part that [`Class::find`] looks up.
const FIRST: u32 = 8;

impl Class {
    /// Makes the class of letters with their parts, which leave at least one part for the escape.
    pub fn new(listed: &[(u8, u16)]) -> Class {
        let (mut entries, mut start) = ([Entry::default(); ENTRIES], 0);
        for (entry, &(letter, parts)) in entries.iter_mut().zip(listed) {
            *entry = Entry::new(letter, start, parts.into());
            start += u32::from(parts);
        }
        entries[listed.len()..].fill(Entry::new(ESCAPE, start, WHOLE - start));
        let entry_of = |part| entries.iter().position(|entry| part < entry.start() + entry.parts());
        let first = std::array::from_fn(|bits| {
            entry_of((bits as u32) << (PRECISION - FIRST)).unwrap_or(LISTED) as u8
        });
        Class { entries, first }
    }

    /// The entries of its letters.
    pub fn listed(&self) -> impl Iterator<Item = Entry> {
        self.entries.into_iter().take_while(|entry| entry.letter() != ESCAPE)
    }

    /// The escape.
    pub fn escape(&self) -> Entry {
        self.entries[LISTED]
    }

    /// The entry that a part belongs to.
    #[inline(always)]
    pub fn find(&self, part: u32) -> Entry {
        let mut at = usize::from(self.first[(part >> (PRECISION - FIRST)) as usize % (1 << FIRST)]);
        loop {
            let entry = self.entries[at % ENTRIES];
            if part < entry.start() + entry.parts() {
                return entry;
            }
            at += 1;
        }
    }
}

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// By letter.
    pub values: Vec<Value>,
    /// By context, see [`Model::context`].
    pub contexts: Vec<u8>,
    /// By number.
    pub classes: Vec<Class>,
}

impl Model {
    /// A model that expects nothing: whatever comes is an escape.
    pub fn without_classes(values: Vec<Value>) -> Model {
        let signs = values.len() + 2;
        Model { values, contexts: vec![0; signs * signs], classes: vec![Class::new(&[])] }
    }

    /// The letter of values that have none of their own.
    pub fn rare(&self) -> u8 {
        self.values.len() as u8
    }

    /// What stands beyond the edge of a tile.
    pub fn edge(&self) -> u8 {
        self.values.len() as u8 + 1
    }

    /// Letters and the two special ones.
    pub fn signs(&self) -> usize {
        self.values.len() + 2
    }

    /// The number of a context.
    #[inline(always)]
    pub fn context(&self, left: u8, above: u8) -> usize {
        usize::from(left) * self.signs() + usize::from(above)
    }

    /// The letter of a value.
    pub fn letter(&self, value: Value) -> u8 {
        self.values.iter().position(|&known| known == value).unwrap_or(self.values.len()) as u8
    }

    /// The bytes that stand for it:
    ///
    /// ```text
    ///   1            how many letters
    ///   2 each       their values: lower bound or stamp, and by how much the upper bound is higher
    ///   1            how many classes, less one
    ///   (letters + 2)²  the class of each context
    ///   each class:  1, how many letters it lists; 1 each, the letters; u16 each, their parts
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.values.len() as u8];
        bytes.extend(self.values.iter().flat_map(|value| value.to_word().to_le_bytes()));
        bytes.push((self.classes.len() - 1) as u8);
        bytes.extend(&self.contexts);
        for class in &self.classes {
            bytes.push(class.listed().count() as u8);
            bytes.extend(class.listed().map(Entry::letter));
            bytes.extend(class.listed().flat_map(|entry| (entry.parts() as u16).to_le_bytes()));
        }
        bytes
    }

    /// Reads one from the front of `bytes`, and leaves what is behind it.
    pub fn prove(bytes: &mut &[u8], range: Range) -> Result<Model, Flaw> {
        let letters = usize::from(take(bytes, 1)?[0]);
        let values: Vec<Value> = words(take(bytes, 2 * letters)?).map(Value::from_word).collect();
        let classes = usize::from(take(bytes, 1)?[0]) + 1;
        if letters > LETTERS || !values.iter().all(|&value| range.contains(value)) {
            return Err(Flaw::new(
                "a letter of its code stands for nothing that the layer can have",
            ));
        }
        let contexts = take(bytes, (letters + 2) * (letters + 2))?.to_vec();
        if contexts.iter().any(|&class| usize::from(class) >= classes) {
            return Err(Flaw::new("a context of its code has no class"));
        }
        let classes =
            (0..classes).map(|_| prove_class(bytes, letters)).collect::<Result<_, Flaw>>()?;
        Ok(Model { values, contexts, classes })
    }
}

fn prove_class(bytes: &mut &[u8], letters: usize) -> Result<Class, Flaw> {
    let count = usize::from(take(bytes, 1)?[0]);
    let listed: Vec<u8> = take(bytes, count)?.to_vec();
    let parts: Vec<u16> = words(take(bytes, 2 * count)?).collect();
    let sum: u32 = parts.iter().map(|&parts| u32::from(parts)).sum();
    let right = count <= LISTED && sum < WHOLE && parts.iter().all(|&parts| parts > 0);
    if !right || listed.iter().any(|&letter| usize::from(letter) >= letters) {
        return Err(Flaw::new("a class of its code has impossible probabilities"));
    }
    Ok(Class::new(&listed.into_iter().zip(parts).collect::<Vec<_>>()))
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], Flaw> {
    let (taken, rest) =
        bytes.split_at_checked(count).ok_or_else(|| Flaw::new("its code is cut off"))?;
    *bytes = rest;
    Ok(taken)
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.chunks_exact(2).map(|word| u16::from_le_bytes([word[0], word[1]]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seeds;
    use crate::table::Planes;

    const RANGE: Range = Range::Bounds(Seeds::MAX, Planes::LowAndHigh);

    fn model() -> Model {
        let values = (-3..4).map(|base| Value { base, spread: base.unsigned_abs() }).collect();
        let mut model = Model::without_classes(values);
        model.classes.push(Class::new(&[(6, 1), (0, 4094)]));
        model.contexts[5] = 1;
        model
    }

    #[test]
    fn bytes_come_back_and_no_fewer() {
        let bytes = model().to_bytes();
        let mut rest = &[&bytes[..], &[7]].concat()[..];
        assert_eq!(Model::prove(&mut rest, RANGE).unwrap(), model());
        assert_eq!(rest, [7]);
        (0..bytes.len())
            .for_each(|length| assert!(Model::prove(&mut &bytes[..length], RANGE).is_err()));
    }

    #[test]
    fn lies_are_noticed() {
        assert!(
            Model::prove(&mut &model().to_bytes()[..], Range::Bounds(Seeds::MAX, Planes::Low))
                .is_err()
        );
        assert!(
            Model::prove(
                &mut &model().to_bytes()[..],
                Range::Bounds(Seeds::ZERO, Planes::LowAndHigh)
            )
            .is_err()
        );
        assert!(Model::prove(&mut &model().to_bytes()[..], Range::Stamps).is_err());
        let refused = |change: fn(&mut Model)| {
            let mut model = model();
            change(&mut model);
            Model::prove(&mut &model.to_bytes()[..], RANGE).is_err()
        };
        assert!(refused(|model| model.contexts[9] = 2));
        assert!(refused(|model| model.classes[1] = Class::new(&[(7, 1)])));
        let mut bytes = model().to_bytes();
        let parts = bytes.len() - 2;
        bytes[parts..].copy_from_slice(&4095u16.to_le_bytes());
        assert!(Model::prove(&mut &bytes[..], RANGE).is_err(), "nothing is left for the escape");
        bytes[parts..].copy_from_slice(&0u16.to_le_bytes());
        assert!(Model::prove(&mut &bytes[..], RANGE).is_err(), "a letter without a part");
    }

    #[test]
    fn every_part_belongs_to_its_entry() {
        for listed in
            [&[][..], &[(0, 4095)], &[(3, 1), (2, 1), (1, 1), (0, 200)], &[(9, 132); LISTED]]
        {
            let class = Class::new(listed);
            for part in 0..WHOLE {
                let entry = class.find(part);
                assert!((entry.start()..entry.start() + entry.parts()).contains(&part));
            }
            assert_eq!(class.listed().count(), listed.len());
            assert_eq!(class.find(WHOLE - 1), class.escape());
        }
    }
}
