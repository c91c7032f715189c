//! What a code expects of a position, given what is known of it.
//!
//! The values of a layer that are frequent have *letters*. What is known of a position before it is
//! decoded is its *context* ([`super::walk`]): the letters of two positions that are like it, the
//! bounds from its children, and who can capture. Contexts in which much the same is to be expected
//! form a *class*, and a class ranks the letters: 0 is the most probable one. What is stored of a
//! position is the *rank* of its letter, so most of what is stored is 0; of a value without a
//! letter it is a rank beyond all others, and the value itself comes as an *escape*. So a model may
//! fit a layer badly, but never fails to code it.
//!
//! A class says in which [stream](super::streams) its ranks stand, for ranks of the same
//! uncertainty are best packed alike.
//!
//! A model is part of the file. [`Model::prove`] believes nothing of what is read there.

use super::Flaw;
use super::streams::STREAMS;
use super::value::{Range, Value};

/// Letters that a model has at most. Contexts are pairs of them, so it had better not be many.
pub const LETTERS: usize = 94;

/// Classes that a model has at most.
pub const CLASSES: usize = 256;

/// Sides and flags of a context, and steps: see [`super::walk`].
pub const KINDS: usize = 8;
pub const STEPS: usize = 8;

/// The code of the ranks of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Where they stand.
    pub stream: u8,
    /// The letters by rank: all there are.
    pub letters: Vec<u8>,
}

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// By letter.
    pub values: Vec<Value>,
    /// By context.
    pub contexts: Vec<u8>,
    /// By number.
    pub classes: Vec<Class>,
}

impl Model {
    /// A model that expects nothing: every letter has the rank of its number.
    pub fn without_classes(values: Vec<Value>) -> Model {
        let letters = (0..values.len() as u8).collect();
        let signs = values.len() + 2;
        let classes = vec![Class { stream: STREAMS as u8 - 1, letters }];
        Model { values, contexts: vec![0; count_of_contexts(signs)], classes }
    }

    /// The sign of values that have no letter.
    pub fn rare(&self) -> u8 {
        self.values.len() as u8
    }

    /// The sign of what is not there.
    pub fn edge(&self) -> u8 {
        self.values.len() as u8 + 1
    }

    /// Letters and the two special signs.
    pub fn signs(&self) -> usize {
        self.values.len() + 2
    }

    /// The bytes that stand for it:
    ///
    /// ```text
    ///   1            how many letters
    ///   2 each       their values: lower bound, and by how much the upper bound is higher
    ///   1            how many classes, less one
    ///   64 (letters + 2)²  the class of each context
    ///   each class:  1, its stream; 1 each, the letters by rank
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.values.len() as u8];
        bytes.extend(self.values.iter().flat_map(|value| value.to_bytes()));
        bytes.push((self.classes.len() - 1) as u8);
        bytes.extend(&self.contexts);
        for class in &self.classes {
            bytes.push(class.stream);
            bytes.extend(&class.letters);
        }
        bytes
    }

    /// Bytes of the largest model there can be.
    pub const MOST_BYTES: usize =
        2 + 2 * LETTERS + count_of_contexts(LETTERS + 2) + CLASSES * (1 + LETTERS);

    /// Reads one from the front of `bytes`, and leaves what is behind it.
    pub fn prove(bytes: &mut &[u8], range: Range) -> Result<Model, Flaw> {
        let letters = usize::from(take(bytes, 1)?[0]);
        let values = take(bytes, 2 * letters)?.as_chunks().0.iter();
        let values: Vec<Value> = values.copied().map(Value::of_bytes).collect();
        let classes = usize::from(take(bytes, 1)?[0]) + 1;
        if letters > LETTERS || !values.iter().all(|&value| range.contains(value)) {
            return Err(Flaw::new(
                "a letter of its code stands for nothing that the layer can have",
            ));
        }
        let contexts = take(bytes, count_of_contexts(letters + 2))?.to_vec();
        if contexts.iter().any(|&class| usize::from(class) >= classes) {
            return Err(Flaw::new("a context of its code has no class"));
        }
        let classes =
            (0..classes).map(|_| prove_class(bytes, letters)).collect::<Result<_, Flaw>>()?;
        Ok(Model { values, contexts, classes })
    }
}

/// How many contexts there are with this many signs.
pub const fn count_of_contexts(signs: usize) -> usize {
    KINDS * signs * signs * STEPS
}

/// A class ranks each letter once.
fn prove_class(bytes: &mut &[u8], letters: usize) -> Result<Class, Flaw> {
    let stream = take(bytes, 1)?[0];
    let ranked = take(bytes, letters)?.to_vec();
    let mut sorted = ranked.clone();
    sorted.sort_unstable();
    if usize::from(stream) >= STREAMS || !sorted.into_iter().eq(0..letters as u8) {
        return Err(Flaw::new("a class of its code does not rank the letters"));
    }
    Ok(Class { stream, letters: ranked })
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], Flaw> {
    bytes.split_off(..count).ok_or_else(|| Flaw::new("its code is cut off"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ScoreRange, Seeds};
    use crate::table::Planes;

    const RANGE: Range = Range { scores: ScoreRange::full(Seeds::MAX), planes: Planes::LowAndHigh };

    fn model() -> Model {
        let values = (-3..4).map(|base| Value { base, spread: base.unsigned_abs() }).collect();
        let mut model = Model::without_classes(values);
        model.classes.push(Class { stream: 0, letters: (0..7).rev().collect() });
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
        let under = |range| Model::prove(&mut &model().to_bytes()[..], range);
        assert!(under(Range { planes: Planes::Low, ..RANGE }).is_err());
        assert!(under(Range { scores: ScoreRange::full(Seeds::ZERO), ..RANGE }).is_err());
        let refused = |change: fn(&mut Model)| {
            let mut model = model();
            change(&mut model);
            Model::prove(&mut &model.to_bytes()[..], RANGE).is_err()
        };
        assert!(!refused(|_| ()));
        assert!(refused(|model| model.contexts[9] = 2));
        assert!(refused(|model| model.classes[1].letters[3] = 7));
        assert!(refused(|model| model.classes[1].letters[3] = 0));
        assert!(refused(|model| model.classes[0].stream = STREAMS as u8));
    }

    #[test]
    fn no_model_is_larger_than_the_largest() {
        let mut model = Model::without_classes(vec![Value::default(); LETTERS]);
        model.classes.resize(CLASSES, model.classes[0].clone());
        assert_eq!(model.to_bytes().len(), Model::MOST_BYTES);
    }
}
