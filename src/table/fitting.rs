//! Fitting a [model](super::model) to a layer, and choosing what to write where there is a choice.
//!
//! A reader compares what is stored with what captures bring ([`crate::probe`]) and with what
//! children in the tile do ([`super::walk`]), and takes the most. So where either attains a bound,
//! the stored one may be any that is not above it, and the encoder takes the letter that is most
//! probable there: three positions of four are free.
//!
//! What is most probable depends on the model, and the model on what is chosen. Some tiles are
//! looked at several times: first the lowest value that will do is chosen, then what the model from
//! before finds most probable. Each time letters are counted by context, and contexts are gathered
//! in classes: as many as there are to be are picked one after the other, always the one that those
//! before describe worst; then each context goes to the class that describes it best, the classes
//! are fitted anew, and so on a few times.
//!
//! All arithmetic is in whole numbers, so that the same layer gives the same bytes on any machine.

use rayon::prelude::*;

use super::frame::Numbers;
use super::groups::GROUP;
use super::model::{Class, LETTERS, Model};
use super::streams::{NUMBERS, STREAMS};
use super::tiles::{Tile, Tiling};
use super::value::{Planes, Range, Value};
use super::walk::{Cells, Choose, Code, Ground, Spot, walk};

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Classes of the model, at most.
    classes: usize,
    /// Tiles that are looked at, at most.
    sample: usize,
    /// How often they are.
    rounds: usize,
}

impl Effort {
    /// That of a level, 1 to 22, for a layer of so many positions.
    pub fn of_level(level: i32, positions: u64) -> Effort {
        let served = usize::try_from(positions / POSITIONS_PER_CLASS).unwrap_or(usize::MAX).max(1);
        let (classes, sample, rounds) = match level {
            ..=2 => (32, 128, 3),
            3..=8 => (64, 768, 3),
            9..=15 => (64, 2048, 4),
            16.. => (128, 4096, 5),
        };
        Effort { classes: served.min(classes), sample, rounds }
    }
}

/// How often contexts are dealt out to classes in each round.
const DEALS: usize = 3;

/// Positions that a class should serve at least.
const POSITIONS_PER_CLASS: u64 = 1024;

/// Below so many 64ths of a bit a position, the ranks of a class go into the stream of this number.
const LIMITS: [u64; STREAMS - 1] = [19, 51, 96, 147];

/// A context changes its class only if that saves so many 64ths of a bit: it has to be written.
const WORTH_A_CHANGE: u32 = 6 * 64;

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

/// What stands in a tile: by side, row and column.
#[derive(Clone, Debug, Default)]
pub struct TileValues {
    /// The values.
    pub values: [[[Value; GROUP]; GROUP]; 2],
    /// How free they are.
    pub freedom: [[[Freedom; GROUP]; GROUP]; 2],
}

/// Cuts tiles out of a layer, and knows their ground.
pub trait Cut: Sync {
    /// What is known of a tile before it is decoded.
    fn ground(&self, tile: Tile) -> Ground;

    /// What stands in a tile.
    fn cut(&self, tile: Tile, values: &mut TileValues);
}

/// A model with all that makes encoding fast.
#[derive(Debug)]
pub struct Encoder {
    model: Model,
    code: Code,
    range: Range,
    /// By class, freedom and sign: the most probable rank that will do.
    choices: Vec<u8>,
    /// By class and rank: the numbers that it stands for.
    meanings: Vec<[u8; 2]>,
    streams: Vec<u8>,
}

impl Encoder {
    /// Fits an encoder to some tiles of a layer.
    pub fn fit(tiling: &Tiling, effort: Effort, range: Range, layer: &impl Cut) -> Encoder {
        let step = tiling.tiles().div_ceil(effort.sample);
        let sampled = |number| {
            let (tile, mut values) = (tiling.tile(number), TileValues::default());
            layer.cut(tile, &mut values);
            (layer.ground(tile), values)
        };
        let numbers: Vec<usize> = (0..tiling.tiles()).step_by(step).collect();
        let sample: Vec<(Ground, TileValues)> = numbers.into_par_iter().map(sampled).collect();
        let mut encoder = Encoder::new(Model::without_classes(frequent(&sample)), range);
        for _ in 0..effort.rounds {
            let counts = encoder.count(&sample);
            let contexts = encoder.code.contexts();
            encoder = Encoder::new(
                classify(encoder.model.values, &counts, contexts, effort.classes),
                range,
            );
        }
        encoder
    }

    fn new(model: Model, range: Range) -> Encoder {
        let code = Code::new(&model, range);
        let choices = model.classes.iter().flat_map(|class| choices(&model, class)).collect();
        let meanings = meanings(&model, &code);
        let streams = model.classes.iter().map(|class| class.stream).collect();
        Encoder { model, code, range, choices, meanings, streams }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Encodes a tile.
    pub fn encode(
        &self,
        ground: Ground,
        values: &TileValues,
        cells: &mut Cells,
        numbers: &mut Numbers,
    ) {
        numbers.clear();
        numbers.is_bounded = ground.is_bounded();
        let mut writing = Writing { encoder: self, values, numbers, contradicted: false };
        walk(&self.code, &ground, cells, &mut writing);
        if writing.contradicted {
            self.encode(ground.without_bounds(), values, cells, numbers);
        }
    }

    /// Returns the class of a position, and the most probable rank that will do there.
    #[inline(always)]
    fn choice(&self, spot: &Spot, value: Value, freedom: Freedom) -> (usize, u8, [u8; 2]) {
        let class = self.code.class(spot.context);
        let truth = self.code.numbers(value);
        let mut free = if spot.is_exact { 0 } else { freedom.0 };
        let attained = |bound: usize| u8::from(excess(&spot.brought, truth, bound) == 1);
        free |= attained(0) * Freedom::LOW;
        free |= match self.range {
            Range::Bounds(_, Planes::LowAndHigh) => attained(1) * Freedom::HIGH,
            Range::Bounds(_, Planes::Low) | Range::Stamps => free << 1 & Freedom::HIGH,
        };
        let sign = usize::from(self.code.sign(truth));
        let kind = class * Freedom::KINDS + usize::from(free);
        (class, self.choices[kind * self.code.signs + sign], truth)
    }

    /// How often each letter comes in each context of a sample: contexts with the letters and how
    /// often they came. (A model without classes ranks the lowest letter first.)
    fn count(&self, sample: &[(Ground, TileValues)]) -> Counts {
        let of_tile = |cells: &mut Cells, (ground, values): &(Ground, TileValues)| {
            let mut counting = Counting { encoder: self, values, seen: Vec::new() };
            walk(&self.code, ground, cells, &mut counting);
            counting.seen
        };
        let seen: Vec<Vec<u32>> = sample.par_iter().map_init(Cells::default, of_tile).collect();
        let mut seen = seen.concat();
        seen.par_sort_unstable();
        Counts::of(&seen)
    }
}

/// How much more children bring than a position is worth, and 1: that is 1 if they attain it.
#[inline(always)]
fn excess(brought: &[u8; 2], truth: [u8; 2], bound: usize) -> i16 {
    i16::from(brought[bound]) - i16::from(truth[bound])
}

/// By class and rank: the numbers that it stands for.
pub fn meanings(model: &Model, code: &Code) -> Vec<[u8; 2]> {
    let of_class = |class: &Class| {
        let mut meanings = vec![[0; 2]; model.signs()];
        for (meaning, &letter) in meanings.iter_mut().zip(&class.letters) {
            *meaning = code.numbers(model.values[usize::from(letter)]);
        }
        meanings
    };
    model.classes.iter().flat_map(of_class).collect()
}

/// Chooses ranks to be written.
struct Writing<'a> {
    encoder: &'a Encoder,
    values: &'a TileValues,
    numbers: &'a mut Numbers,
    /// Whether children bring more than a position is worth.
    contradicted: bool,
}

impl Choose for Writing<'_> {
    #[inline(always)]
    fn choose(&mut self, code: &Code, spot: Spot) -> [u8; 2] {
        let Spot { twin, row, column, .. } = spot;
        let (side, encoder) = (twin as usize, self.encoder);
        let value = self.values.values[side][row][column];
        let (class, rank, truth) =
            encoder.choice(&spot, value, self.values.freedom[side][row][column]);
        self.contradicted |= (0..2).any(|bound| excess(&spot.brought, truth, bound) > 1);
        let stream = usize::from(encoder.streams[class]);
        let most = NUMBERS[stream] - 1;
        self.numbers.streams[stream].push(rank.min(most));
        if rank >= most {
            self.numbers.escapes.push(rank - most);
        }
        if rank == encoder.model.rare() {
            self.numbers.escapes.extend(value.to_word().to_le_bytes());
            return truth;
        }
        encoder.meanings[class * code.signs + usize::from(rank)]
    }
}

/// Chooses letters to be counted.
struct Counting<'a> {
    encoder: &'a Encoder,
    values: &'a TileValues,
    /// Context and letter.
    seen: Vec<u32>,
}

impl Choose for Counting<'_> {
    #[inline(always)]
    fn choose(&mut self, code: &Code, spot: Spot) -> [u8; 2] {
        let Spot { twin, row, column, .. } = spot;
        let side = twin as usize;
        let value = self.values.values[side][row][column];
        let (class, rank, truth) =
            self.encoder.choice(&spot, value, self.values.freedom[side][row][column]);
        let letters = &self.encoder.model.classes[class].letters;
        let letter = letters.get(usize::from(rank)).copied().unwrap_or(self.encoder.model.rare());
        self.seen.push((spot.context as u32) << 8 | u32::from(letter));
        if letter == self.encoder.model.rare() {
            return truth;
        }
        self.encoder.meanings[class * code.signs + usize::from(rank)]
    }
}

/// The most frequent values of a sample.
fn frequent(sample: &[(Ground, TileValues)]) -> Vec<Value> {
    let mut counts = vec![0u64; 1 << 16];
    for (ground, values) in sample {
        let tile = ground.tile();
        for rows in &values.values {
            for value in rows[..tile.height].iter().flat_map(|row| &row[..tile.width]) {
                counts[usize::from(value.to_word())] += 1;
            }
        }
    }
    let count = |value: &Value| counts[usize::from(value.to_word())];
    let mut values: Vec<Value> =
        (0..=u16::MAX).map(Value::from_word).filter(|value| count(value) > 0).collect();
    values.sort_unstable_by_key(|value| (std::cmp::Reverse(count(value)), *value));
    values.truncate(LETTERS);
    values.sort_unstable();
    values
}

/// By freedom and sign: the most probable rank that will do.
fn choices(model: &Model, class: &Class) -> Vec<u8> {
    let rare = model.rare();
    let choice = |freedom: Freedom, sign: u8| {
        let Some(&truth) = model.values.get(usize::from(sign)) else { return rare };
        let will_do = |&letter: &u8| freedom.admits(model.values[usize::from(letter)], truth);
        let rank = class.letters.iter().position(will_do);
        rank.expect("a value will do for itself") as u8
    };
    let kinds = (0..Freedom::KINDS as u8).map(Freedom);
    kinds
        .flat_map(|freedom| (0..model.signs() as u8).map(move |sign| choice(freedom, sign)))
        .collect()
}

/// How often each letter came in each context that came at all.
#[derive(Debug)]
struct Counts {
    /// Contexts, and where their letters end.
    contexts: Vec<(u32, u32)>,
    /// Letters, and how often they came.
    letters: Vec<(u8, u32)>,
}

impl Counts {
    /// Counts what is sorted.
    fn of(seen: &[u32]) -> Counts {
        let mut counts = Counts { contexts: Vec::new(), letters: Vec::new() };
        for same in seen.chunk_by(|one, other| one == other) {
            let (context, letter) = (same[0] >> 8, same[0] as u8);
            counts.letters.push((letter, same.len() as u32));
            let end = counts.letters.len() as u32;
            match counts.contexts.last_mut() {
                Some((last, last_end)) if *last == context => *last_end = end,
                _ => counts.contexts.push((context, end)),
            }
        }
        counts
    }

    fn len(&self) -> usize {
        self.contexts.len()
    }

    fn letters(&self, at: usize) -> &[(u8, u32)] {
        let start = at.checked_sub(1).map_or(0, |before| self.contexts[before].1);
        &self.letters[start as usize..self.contexts[at].1 as usize]
    }
}

/// What each sign costs in each class, in 64ths of a bit: by sign, then by class.
struct Costs {
    by_sign: Vec<u32>,
    classes: usize,
}

impl Costs {
    fn new(sums: &[Vec<u64>], signs: usize) -> Costs {
        let classes = sums.len();
        let mut by_sign = vec![0; signs * classes];
        for (class, sums) in sums.iter().enumerate() {
            for (sign, cost) in costs(sums).into_iter().enumerate() {
                by_sign[sign * classes + class] = cost;
            }
        }
        Costs { by_sign, classes }
    }

    /// What some letters cost in every class.
    fn of(&self, counts: &[(u8, u32)], all: &mut [u32]) {
        all.fill(0);
        for &(letter, count) in counts {
            let costs = &self.by_sign[usize::from(letter) * self.classes..][..self.classes];
            let count = count.min(MOST);
            all.iter_mut().zip(costs).for_each(|(all, cost)| *all += count * cost);
        }
    }
}

/// Letters of a context that count: with more of them costs might overflow.
const MOST: u32 = 1 << 16;

/// What each sign costs in a class, in 64ths of a bit. One that never came costs something, too.
fn costs(sums: &[u64]) -> Vec<u32> {
    let total = 16 * sums.iter().sum::<u64>() + sums.len() as u64;
    let whole = logarithm(total);
    sums.iter().map(|&sum| whole - logarithm(16 * sum + 1)).collect()
}

/// The binary logarithm of a number from 1 on, in 64ths.
fn logarithm(number: u64) -> u32 {
    let whole = number.ilog2();
    // The rest is between 1 and 2; each squaring yields a bit of its logarithm.
    let mut rest = (u128::from(number) << 31 >> whole) as u64;
    let mut logarithm = whole;
    for _ in 0..6 {
        rest = (rest * rest) >> 31;
        let bit = rest >> 32;
        rest >>= bit;
        logarithm = 2 * logarithm + bit as u32;
    }
    logarithm
}

/// Gathers contexts in classes.
fn classify(values: Vec<Value>, counts: &Counts, contexts: usize, classes: usize) -> Model {
    let signs = values.len() + 2;
    let mut sums = pick(counts, classes, signs);
    let mut dealt = Vec::new();
    for deal in 0..=DEALS {
        let costs = Costs::new(&sums, signs);
        dealt = deal_out(counts, &costs, deal == DEALS);
        sums = vec![vec![0; signs]; sums.len()];
        for (at, &class) in dealt.iter().enumerate() {
            let add = |&(letter, count): &(u8, u32)| {
                sums[usize::from(class)][usize::from(letter)] += u64::from(count);
            };
            counts.letters(at).iter().for_each(add);
        }
    }
    let mut all = vec![0; contexts];
    let mut next = 0usize;
    for (&(context, _), &class) in counts.contexts.iter().zip(&dealt) {
        // Those between never came, and go with what came before them.
        let before = next.checked_sub(1).map_or(class, |before| all[before]);
        all[next..context as usize].fill(before);
        all[context as usize] = class;
        next = context as usize + 1;
    }
    let last = next.checked_sub(1).map_or(0, |last| all[last]);
    all[next..].fill(last);
    let classes = sums.iter().map(|sums| class_of(sums)).collect();
    Model { values, contexts: all, classes }
}

/// The best class of each context; `lazily`, it stays with the class of the one before if another
/// is hardly better.
fn deal_out(counts: &Counts, costs: &Costs, lazily: bool) -> Vec<u8> {
    const PART: usize = 1 << 10;
    let mut dealt = vec![0; counts.len()];
    dealt.par_chunks_mut(PART).enumerate().for_each(|(part, dealt)| {
        let (mut all, mut before) = (vec![0; costs.classes], None);
        for (at, dealt) in (part * PART..).zip(dealt) {
            costs.of(counts.letters(at), &mut all);
            let best = (0..all.len()).min_by_key(|&class| all[class]).unwrap_or(0);
            *dealt = match before {
                Some(before) if lazily && all[before] <= all[best] + WORTH_A_CHANGE => before as u8,
                _ => best as u8,
            };
            before = Some(usize::from(*dealt));
        }
    });
    dealt
}

/// Picks contexts to begin with: the most frequent one, then always the one that costs most more
/// than it would with a class of its own.
fn pick(counts: &Counts, classes: usize, signs: usize) -> Vec<Vec<u64>> {
    let alone = |at: usize| {
        let mut sums = vec![0; signs];
        counts
            .letters(at)
            .iter()
            .for_each(|&(letter, count)| sums[usize::from(letter)] += u64::from(count));
        sums
    };
    let price = |costs: &[u32], at: usize| -> u64 {
        let letters = counts.letters(at).iter();
        letters
            .map(|&(letter, count)| u64::from(count) * u64::from(costs[usize::from(letter)]))
            .sum()
    };
    let total =
        |at: usize| counts.letters(at).iter().map(|&(_, count)| u64::from(count)).sum::<u64>();
    let Some(mut next) = (0..counts.len()).max_by_key(|&at| (total(at), std::cmp::Reverse(at)))
    else {
        return vec![vec![0; signs]];
    };
    let least: Vec<u64> =
        (0..counts.len()).into_par_iter().map(|at| price(&costs(&alone(at)), at)).collect();
    let (mut picked, mut paid) = (Vec::new(), vec![u64::MAX; counts.len()]);
    while picked.len() < classes.min(counts.len()) {
        picked.push(alone(next));
        let costs = costs(&picked[picked.len() - 1]);
        let dearest = paid.par_iter_mut().enumerate().with_min_len(1 << 12).map(|(at, paid)| {
            *paid = price(&costs, at).min(*paid);
            (paid.saturating_sub(least[at]), std::cmp::Reverse(at))
        });
        next = dearest.max().expect("there are contexts").1.0;
    }
    picked
}

/// The class that describes these counts of signs best.
fn class_of(sums: &[u64]) -> Class {
    let letters = sums.len() - 2;
    let mut ranked: Vec<u8> = (0..letters as u8).collect();
    ranked.sort_by_key(|&letter| std::cmp::Reverse(sums[usize::from(letter)]));
    let total: u64 = sums.iter().sum::<u64>().max(1);
    let paid: u64 = sums.iter().zip(costs(sums)).map(|(sum, cost)| sum * u64::from(cost)).sum();
    let stream = LIMITS.iter().filter(|&&limit| paid / total >= limit).count();
    Class { stream: stream as u8, letters: ranked }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_what_they_are() {
        for number in (1..5000).chain([u64::MAX, 1 << 40, (1 << 40) - 1]) {
            let exact = 64.0 * (number as f64).log2();
            assert!((f64::from(logarithm(number)) - exact).abs() <= 1.1, "{number}");
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
