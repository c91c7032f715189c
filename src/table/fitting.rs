//! Fitting a [model](super::model) to a layer, and choosing what to write where there is a choice.
//!
//! A reader compares what is stored with what captures bring, and takes the more
//! ([`crate::probe`]). So where a capture attains a bound, the stored one may be any that is not
//! above it, and the encoder takes the letter that is cheapest there. That saves a quarter of the
//! bytes.
//!
//! What is cheapest depends on the model, and the model on what is chosen. Some tiles are looked at
//! four times: first the lowest value that will do is chosen, then what the model from before finds
//! cheapest. Each time letters are counted by context, and contexts are gathered in classes: as
//! many as there are to be are picked one after the other, always the one that those before
//! describe worst; then each context goes to the class that describes it best, the classes are
//! fitted anew, and so on a few times.
//!
//! All arithmetic is in whole numbers, so that the same layer gives the same bytes on any machine.
//!
//! What it brings, in bits a position of the layer of 17 seeds, files without strategies (`oware
//! build --no-strategy --level N`), both bounds of `abapa`:
//!
//! | level | classes | tiles looked at | `awari` | `abapa` |
//! |---|---|---|---|---|
//! | 1 | 16 | 128 | 2.39 | 2.13 |
//! | **2** | **32** | **256** | **2.34** | **2.08** |
//! | 4 | 64 | 512 | 2.28 | 2.04 |
//! | 8 | 128 | 1,024 | 2.28 | 2.03 |
//! | 22 | 256 | 2,816 | 2.27 | 2.03 |
//!
//! zstd frames of 32,768 bytes took 3.60 and 4.05 bits. The same code with every bound exact takes
//! 2.99 for `awari`; letters ranked by how probable they are in their context, and zstd behind,
//! 2.75 at level 1 and 2.38 at 19. What did not pay: a context that knows whether a capture is
//! possible (2.86 with exact bounds); to begin with what repeats a neighbour (2.37, against 2.28 at
//! level 8): the lowest letter that will do marks the places where a capture says it all.

use super::coder::{Choose, Letters, Steps, encode, fill};
use super::model::{CLASSES, Class, LETTERS, LISTED, Model, PRECISION, WHOLE};
use super::tiles::{Tile, Tiling};
use super::value::Value;

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Classes of the model, at most.
    classes: usize,
    /// Tiles that are looked at, at most.
    sample: usize,
}

impl Effort {
    /// That of a level, 1 to 22, for a layer of so many positions.
    pub fn of_level(level: i32, positions: u64) -> Effort {
        let level = level.max(1) as usize;
        let served = usize::try_from(positions / POSITIONS_PER_CLASS).unwrap_or(usize::MAX).max(1);
        Effort { classes: (16 * level).min(CLASSES).min(served), sample: 128 * level }
    }
}

/// How often the sample is gone through, and how often contexts are dealt out to classes each time.
const ROUNDS: usize = 4;
const DEALS: usize = 4;

/// Positions that a class should serve at least.
const POSITIONS_PER_CLASS: u64 = 1024;

/// Which bounds of a position may be stored lower than they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freedom(u8);

impl Freedom {
    /// The lower bound.
    const LOW: u8 = 1;
    /// The upper bound.
    const HIGH: u8 = 2;
    /// How many there are.
    const KINDS: usize = 4;

    /// Of a number that stands for both bounds.
    pub fn of_one(free: bool) -> Freedom {
        Freedom::of_both(free, free)
    }

    /// Of the lower and the upper bound.
    pub fn of_both(low: bool, high: bool) -> Freedom {
        Freedom((u8::from(low) * Freedom::LOW) | (u8::from(high) * Freedom::HIGH))
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

/// What stands in a tile, row by row.
#[derive(Clone, Debug, Default)]
pub struct TileValues {
    /// The values.
    pub values: Vec<Value>,
    /// How free they are; empty if none is.
    pub freedom: Vec<Freedom>,
}

/// A model with all that makes encoding fast.
#[derive(Debug)]
pub struct Encoder {
    model: Model,
    steps: Steps,
    letters: Alphabet,
    /// By class, freedom and letter: the cheapest letter that will do.
    choices: Vec<u8>,
}

impl Encoder {
    /// Fits an encoder to the tiles that `cut` gives.
    pub fn fit(tiling: &Tiling, effort: Effort, cut: impl Fn(Tile, &mut TileValues)) -> Encoder {
        let step = tiling.tiles().div_ceil(effort.sample);
        let sampled = |number| {
            let (tile, mut values) = (tiling.tile(number), TileValues::default());
            cut(tile, &mut values);
            (tile, values)
        };
        let sample: Vec<(Tile, TileValues)> =
            (0..tiling.tiles()).step_by(step).map(sampled).collect();
        let mut encoder = Encoder::new(Model::without_classes(frequent(&sample)));
        for _ in 0..ROUNDS {
            let counts = encoder.count(&sample);
            encoder = Encoder::new(classify(encoder.model.values, counts, effort.classes));
        }
        encoder
    }

    fn new(model: Model) -> Encoder {
        let (steps, letters) = (Steps::new(&model), Alphabet::new(&model));
        let costs = model.classes.iter().map(|class| Costs::of(class, model.signs()));
        let choices = costs.flat_map(|costs| cheapest(&model, &costs)).collect();
        Encoder { steps, letters, choices, model }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Codes a tile. Appends to `bytes`.
    pub fn encode(
        &self,
        tile: Tile,
        values: &TileValues,
        scratch: &mut EncodingScratch,
        bytes: &mut Vec<u8>,
    ) {
        let EncodingScratch { letters, wanted, order, escaped } = scratch;
        self.want(values, wanted);
        order.clear();
        order.resize(tile.positions(), 0);
        escaped.clear();
        let mut writing =
            Writing { encoder: self, wanted, values: &values.values, order, count: 0, escaped };
        fill(&self.model, tile, letters, &mut writing);
        encode(&self.steps, tile, order, escaped, bytes);
    }

    /// Which choice each position has whatever its class.
    fn want(&self, values: &TileValues, wanted: &mut Vec<u16>) {
        wanted.clear();
        wanted.extend(values.values.iter().map(|&value| u16::from(self.letters.of(value))));
        let signs = self.model.signs() as u16;
        for (wanted, freedom) in wanted.iter_mut().zip(&values.freedom) {
            *wanted += u16::from(freedom.0) * signs;
        }
    }

    /// The class of a context, and the cheapest letter that will do there.
    #[inline(always)]
    fn cheapest(&self, context: usize, wanted: u16) -> (usize, u8) {
        let class = usize::from(self.model.contexts[context]);
        (class, self.choices[class * Freedom::KINDS * self.model.signs() + usize::from(wanted)])
    }

    /// How often each letter comes in each context of a sample, as this encoder chooses.
    fn count(&self, sample: &[(Tile, TileValues)]) -> Counts {
        let (mut counts, mut letters, mut wanted) =
            (Counts::new(self.model.signs()), Letters::default(), Vec::new());
        for (tile, values) in sample {
            self.want(values, &mut wanted);
            let mut counting = Counting { encoder: self, wanted: &wanted, counts: &mut counts };
            fill(&self.model, *tile, &mut letters, &mut counting);
        }
        counts
    }
}

/// Chooses letters to be written.
struct Writing<'a> {
    encoder: &'a Encoder,
    wanted: &'a [u16],
    values: &'a [Value],
    order: &'a mut [u16],
    count: usize,
    escaped: &'a mut Vec<u16>,
}

impl Choose for Writing<'_> {
    #[inline(always)]
    fn choose(&mut self, within: usize, context: usize) -> u8 {
        let Encoder { model, steps, .. } = self.encoder;
        let (class, letter) = self.encoder.cheapest(context, self.wanted[within]);
        let step = steps.number(class, letter);
        self.order[self.count] = step;
        self.count += 1;
        if steps.escapes(step) {
            let known = model.values.get(usize::from(letter));
            self.escaped.push(known.unwrap_or(&self.values[within]).to_word());
        }
        letter
    }
}

/// Chooses letters to be counted.
struct Counting<'a> {
    encoder: &'a Encoder,
    wanted: &'a [u16],
    counts: &'a mut Counts,
}

impl Choose for Counting<'_> {
    #[inline(always)]
    fn choose(&mut self, within: usize, context: usize) -> u8 {
        let (_, letter) = self.encoder.cheapest(context, self.wanted[within]);
        self.counts.add(context, letter);
        letter
    }
}

/// What a coding thread works on.
#[derive(Debug, Default)]
pub struct EncodingScratch {
    letters: Letters,
    /// See [`Encoder::want`].
    wanted: Vec<u16>,
    /// Steps in the order of decoding, and the values of escapes.
    order: Vec<u16>,
    escaped: Vec<u16>,
}

/// The most frequent values of a sample.
fn frequent(sample: &[(Tile, TileValues)]) -> Vec<Value> {
    let mut counts = vec![0u64; 1 << 16];
    sample
        .iter()
        .flat_map(|(_, values)| &values.values)
        .for_each(|value| counts[usize::from(value.to_word())] += 1);
    let count = |value: &Value| counts[usize::from(value.to_word())];
    let mut values: Vec<Value> =
        (0..=u16::MAX).map(Value::from_word).filter(|value| count(value) > 0).collect();
    values.sort_unstable_by_key(|value| (std::cmp::Reverse(count(value)), *value));
    values.truncate(LETTERS);
    values
}

/// The letters of values.
#[derive(Debug)]
struct Alphabet(Box<[u8; 1 << 16]>);

impl Alphabet {
    fn new(model: &Model) -> Alphabet {
        let mut letters = Box::new([model.rare(); 1 << 16]);
        let values = model.values.iter().enumerate();
        values.for_each(|(letter, value)| letters[usize::from(value.to_word())] = letter as u8);
        Alphabet(letters)
    }

    #[inline(always)]
    fn of(&self, value: Value) -> u8 {
        self.0[usize::from(value.to_word())]
    }
}

/// What each letter costs in a class, in 256ths of a bit.
struct Costs(Vec<u32>);

impl Costs {
    fn of(class: &Class, signs: usize) -> Costs {
        let escape = bits(class.escape().parts()) + (16 << 8);
        let mut costs = vec![escape; signs];
        class.listed().for_each(|entry| costs[usize::from(entry.letter())] = bits(entry.parts()));
        Costs(costs)
    }

    fn of_counts(&self, counts: &[(u8, u32)]) -> u64 {
        counts
            .iter()
            .map(|&(letter, count)| u64::from(count) * u64::from(self.0[usize::from(letter)]))
            .sum()
    }
}

/// What so many parts of [`WHOLE`] cost, in 256ths of a bit.
fn bits(parts: u32) -> u32 {
    let whole = parts.ilog2();
    // The rest is between 1 and 2; each squaring yields a bit of its logarithm.
    let (mut rest, mut logarithm) = (u64::from(parts) << (30 - whole), whole);
    for _ in 0..8 {
        rest = (rest * rest) >> 30;
        let bit = rest >> 31;
        rest >>= bit;
        logarithm = 2 * logarithm + bit as u32;
    }
    (PRECISION << 8) - logarithm
}

/// By freedom and letter: the cheapest letter that will do, its own if none is cheaper.
fn cheapest(model: &Model, costs: &Costs) -> Vec<u8> {
    let choice = |freedom: Freedom, own: u8| {
        let Some(&truth) = model.values.get(usize::from(own)) else { return own };
        let will_do = (0..model.rare())
            .filter(|&letter| freedom.admits(model.values[usize::from(letter)], truth));
        let cost = |&letter: &u8| (costs.0[usize::from(letter)], model.values[usize::from(letter)]);
        will_do.min_by_key(cost).unwrap_or(own)
    };
    let kinds = (0..Freedom::KINDS as u8).map(Freedom);
    kinds
        .flat_map(|freedom| (0..model.signs() as u8).map(move |own| choice(freedom, own)))
        .collect()
}

/// How often each letter came in each context.
struct Counts {
    by_context: Vec<u32>,
    signs: usize,
}

impl Counts {
    fn new(signs: usize) -> Counts {
        Counts { by_context: vec![0; signs * signs * signs], signs }
    }

    #[inline(always)]
    fn add(&mut self, context: usize, letter: u8) {
        self.by_context[context * self.signs + usize::from(letter)] += 1;
    }

    /// The contexts that came at all, with their letters.
    fn seen(&self) -> Vec<(usize, Vec<(u8, u32)>)> {
        let of_context = |counts: &[u32]| -> Vec<(u8, u32)> {
            counts
                .iter()
                .enumerate()
                .filter(|&(_, &count)| count > 0)
                .map(|(letter, &count)| (letter as u8, count))
                .collect()
        };
        let contexts = self.by_context.chunks(self.signs).map(of_context).enumerate();
        contexts.filter(|(_, counts)| !counts.is_empty()).collect()
    }
}

/// Gathers contexts in classes.
fn classify(values: Vec<Value>, counts: Counts, classes: usize) -> Model {
    let (signs, rare) = (counts.signs, values.len() as u8);
    let seen = counts.seen();
    let mut fitted = pick(&seen, classes, signs, rare);
    let mut dealt = vec![0; seen.len()];
    for _ in 0..DEALS {
        let costs: Vec<Costs> = fitted.iter().map(|class| Costs::of(class, signs)).collect();
        let best = |counts: &[(u8, u32)]| {
            (0..costs.len()).min_by_key(|&class| costs[class].of_counts(counts))
        };
        dealt = seen.iter().map(|(_, counts)| best(counts).unwrap_or(0)).collect();
        let mut sums = vec![vec![0u64; signs]; fitted.len()];
        for ((_, counts), &class) in seen.iter().zip(&dealt) {
            counts
                .iter()
                .for_each(|&(letter, count)| sums[class][usize::from(letter)] += u64::from(count));
        }
        fitted = sums.iter().map(|sums| class_of(sums, rare)).collect();
    }
    let mut contexts = vec![0; signs * signs];
    seen.iter().zip(&dealt).for_each(|((context, _), &class)| contexts[*context] = class as u8);
    Model { values, contexts, classes: fitted }
}

/// Picks contexts to begin with: the most frequent one, then always the one that costs most more
/// than it would with a class of its own.
fn pick(seen: &[(usize, Vec<(u8, u32)>)], classes: usize, signs: usize, rare: u8) -> Vec<Class> {
    let alone = |counts: &[(u8, u32)]| {
        let mut sums = vec![0; signs];
        counts.iter().for_each(|&(letter, count)| sums[usize::from(letter)] = u64::from(count));
        class_of(&sums, rare)
    };
    let least: Vec<u64> =
        seen.iter().map(|(_, counts)| Costs::of(&alone(counts), signs).of_counts(counts)).collect();
    let total =
        |counts: &[(u8, u32)]| counts.iter().map(|&(_, count)| u64::from(count)).sum::<u64>();
    let Some(mut next) =
        (0..seen.len()).max_by_key(|&at| (total(&seen[at].1), std::cmp::Reverse(at)))
    else {
        return vec![Class::new(&[])];
    };
    let (mut picked, mut paid) = (Vec::new(), vec![u64::MAX; seen.len()]);
    while picked.len() < classes.min(seen.len()) {
        let class = alone(&seen[next].1);
        let costs = Costs::of(&class, signs);
        paid.iter_mut()
            .zip(seen)
            .for_each(|(paid, (_, counts))| *paid = costs.of_counts(counts).min(*paid));
        picked.push(class);
        let excess = |&at: &usize| (paid[at].saturating_sub(least[at]), std::cmp::Reverse(at));
        next = (0..seen.len()).max_by_key(excess).expect("there are contexts");
    }
    picked
}

/// The class that describes these counts of letters best.
fn class_of(counts: &[u64], rare: u8) -> Class {
    let mut listed: Vec<u8> = (0..rare).filter(|&letter| counts[usize::from(letter)] > 0).collect();
    listed.sort_by_key(|&letter| std::cmp::Reverse(counts[usize::from(letter)]));
    listed.truncate(LISTED);
    let total: u64 = counts.iter().sum();
    if listed.is_empty() {
        return Class::new(&[]);
    }
    let listed_total: u64 = listed.iter().map(|&letter| counts[usize::from(letter)]).sum();
    let room = u64::from(WHOLE) - 1 - listed.len() as u64;
    let share = |count: u64| (count * room / total) as u16 + 1;
    let mut parts: Vec<(u8, u16)> =
        listed.iter().map(|&letter| (letter, share(counts[usize::from(letter)]))).collect();
    // What rounding left over goes to the most frequent letter.
    let given: u32 = parts.iter().map(|&(_, parts)| u32::from(parts)).sum();
    parts[0].1 += (WHOLE - given) as u16 - share(total - listed_total).min((WHOLE - given) as u16);
    Class::new(&parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_logarithms() {
        for parts in 1..=WHOLE {
            let exact = 256.0 * f64::log2(f64::from(WHOLE) / f64::from(parts));
            assert!((f64::from(bits(parts)) - exact).abs() <= 1.0, "{parts}");
        }
    }

    #[test]
    fn classes_have_all_parts_and_an_escape() {
        for counts in
            [vec![0; 5], vec![1, 0, 0, 0, 7], vec![1; 126], (0..126).map(|n| n * n).collect()]
        {
            let class = class_of(&counts, counts.len() as u8 - 1);
            let parts: u32 = class.listed().map(|entry| entry.parts()).sum();
            assert_eq!(parts + class.escape().parts(), WHOLE);
        }
    }

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
