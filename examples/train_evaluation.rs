//! Trains the engine's evaluation and writes its weights as the engine reads them.
//!
//! ```console
//! $ cargo run --release --example train_evaluation -- weights.bin built-in positions.txt
//! $ oware engine --evaluation weights.bin
//! ```
//!
//! The words are the file to write, the weights to begin with (a file, `built-in`, or `drawn` for
//! weights drawn by lot), and files of positions, as `examples/evaluation_data.rs` writes them. The
//! same files give the same weights on the same machine: it is Adam (Kingma and Ba, 2015) on one
//! thread, over batches drawn by fixed dice. One position in twenty, [`BLOCK`] at a time, is held out;
//! what the integers that are written say of these is compared with what they are worth.
//!
//! The network is described in `src/engine/search/network.rs`. Its weights are learnt as numbers
//! with a point, in units: a hidden unit is cut off at 1, and an output is in seeds.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::sync::Arc;

use oware_db::engine::search::Network;
use oware_db::engine::search::network::{
    self, BANDS, HIDDEN, INPUTS, MOST_OUTPUT, ONE, SHIFT, band, inputs,
};
use oware_db::game::Board;
use oware_db::random::Dice;

const EPOCHS: usize = 20;
const BATCH: usize = 4096;
/// The first step's length, a third of it where weights have been learnt before; it falls to nothing
/// along a cosine.
const RATE: f32 = 3e-3;
/// Means of slopes and of their squares forget this much at each step.
const FORGET: [f32; 2] = [0.1, 0.001];
/// Errors beyond so many seeds count by their size, not its square.
const BEND: f32 = 6.0;
/// Positions in a row that are held out together: those of a game are alike.
const BLOCK: usize = 2000;
const HELD_OUT: usize = 20;
/// Of positions of few seeds there are so many that one in so many is enough to learn from.
const FEW: usize = 12;
const ONE_IN: usize = 3;

/// What a hidden unit of 1 and an output of a seed are in the engine's integers.
const HELD: f32 = ONE as f32;
const OUTPUT: f32 = (100 << SHIFT) as f32;

type Units = [f32; HIDDEN];

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [path, before, sources @ ..] = &words[..] else {
        panic!("a file to write, weights to begin with, and files of positions")
    };
    let before = match &before[..] {
        "drawn" => None,
        "built-in" => Some(Network::built_in().expect("weights")),
        file => Some(Network::read(&fs::read(file)?).map(Arc::new).expect("weights")),
    };
    let (held_out, mut learnt) = read(sources)?;
    println!("{} positions, {} held out", learnt.len(), held_out.len());
    let mut dice = Dice::new(1);
    let (weights, rate) = match before {
        None => (Weights::drawn(&mut dice), RATE),
        Some(network) => (Weights::of(network.weights()), RATE / 3.0),
    };
    let weights = train(&mut learnt, weights, rate, &mut dice);
    let file = weights.integers().file();
    let network = Network::read(&file).expect("weights that are whole");
    for at in 0..BANDS {
        report(&network, held_out.iter().filter(|sample| sample.band == at), 6 * at + 1);
    }
    report(&network, held_out.iter(), 0);
    fs::write(path, file)
}

/// Prints the mean distance of what a network says from what positions are worth.
fn report<'s>(network: &Network, samples: impl Iterator<Item = &'s Sample>, least: usize) {
    let wrong =
        samples.map(|sample| (network.estimate(&sample.board) as f32 / 100.0 - sample.worth).abs());
    let wrong: Vec<f32> = wrong.collect();
    let error = wrong.iter().sum::<f32>() / wrong.len() as f32;
    println!("from {least} seeds on: {} positions, error {error:.3} seeds", wrong.len());
}

/// A position, and what it is worth in seeds.
struct Sample {
    board: Board,
    inputs: [u16; 12],
    band: usize,
    worth: f32,
}

/// Reads positions: those held out, and the others.
fn read(sources: &[String]) -> io::Result<(Vec<Sample>, Vec<Sample>)> {
    let mut samples = (Vec::new(), Vec::new());
    for source in sources {
        for (number, line) in BufReader::new(fs::File::open(source)?).lines().enumerate() {
            let sample = sample(&line?).expect("twelve houses and a worth");
            let is_held_out = number / BLOCK % HELD_OUT == HELD_OUT / 2;
            let is_learnt = sample.board.seeds().get() > FEW || number % ONE_IN == 0;
            if is_held_out {
                samples.0.push(sample);
            } else if is_learnt {
                samples.1.push(sample);
            }
        }
    }
    Ok(samples)
}

fn sample(line: &str) -> Option<Sample> {
    let mut words = line.split(' ');
    let mut houses = [0; 12];
    for house in &mut houses {
        *house = words.next()?.parse().ok()?;
    }
    let (board, worth) = (Board::new(houses)?, words.next()?.parse::<f32>().ok()?);
    let inputs = inputs(&board).map(|input| input as u16);
    Some(Sample { board, inputs, band: band(&board), worth: worth / 100.0 })
}

/// Weights, or something that there is for each of them.
#[derive(Clone)]
struct Weights {
    rows: Vec<Units>,
    bias: Units,
    outputs: [Units; BANDS],
    rest: [f32; BANDS],
}

impl Weights {
    fn zero() -> Weights {
        let none = [0.0; HIDDEN];
        let rest = [0.0; BANDS];
        Weights { rows: vec![none; INPUTS], bias: none, outputs: [none; BANDS], rest }
    }

    /// Draws weights to begin with. Inputs that differ only in where a sowing ends begin alike, and
    /// so do the bands.
    fn drawn(dice: &mut Dice) -> Weights {
        let mut weights = Weights::zero();
        for alike in weights.rows.chunks_mut(4) {
            alike.fill(std::array::from_fn(|_| 0.3 / 12_f32.sqrt() * normal(dice)));
        }
        weights.bias = [0.4; HIDDEN];
        weights.outputs =
            [std::array::from_fn(|_| (32.0 / HIDDEN as f32).sqrt() * normal(dice)); _];
        weights
    }

    fn parts(&mut self) -> [&mut [f32]; 4] {
        let rows = self.rows.as_flattened_mut();
        [rows, &mut self.bias, self.outputs.as_flattened_mut(), &mut self.rest]
    }

    /// Returns what weights of the engine mean.
    fn of(integers: &network::Weights) -> Weights {
        let units = |words: &[i16; HIDDEN], scale: f32| words.map(|word| f32::from(word) / scale);
        Weights {
            rows: integers.rows.iter().map(|row| units(row, HELD)).collect(),
            bias: units(&integers.bias, HELD),
            outputs: integers.outputs.map(|output| units(&output, OUTPUT / (HELD * HELD))),
            rest: integers.rest.map(|sum| sum as f32 / OUTPUT),
        }
    }

    /// Returns the weights as the engine has them.
    fn integers(&self) -> network::Weights {
        let words = |units: &Units, scale: f32| units.map(|value| (value * scale).round() as i16);
        network::Weights {
            rows: self.rows.iter().map(|row| words(row, HELD)).collect(),
            bias: words(&self.bias, HELD),
            outputs: self.outputs.map(|output| words(&output, OUTPUT / (HELD * HELD))),
            rest: self.rest.map(|sum| (sum * OUTPUT).round() as i32),
        }
    }

    /// Adds the slope of the error of a sample to `slopes`, and returns the error.
    fn slope(&self, sample: &Sample, slopes: &mut Weights) -> f32 {
        let mut sums = self.bias;
        for &input in &sample.inputs {
            let row = &self.rows[usize::from(input)];
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        let held = sums.map(|sum| sum.clamp(0.0, 1.0));
        let output = &self.outputs[sample.band];
        let said: f32 = held.iter().zip(output).map(|(held, weight)| held * held * weight).sum();
        let wrong = said + self.rest[sample.band] - sample.worth;
        let slope = wrong.clamp(-BEND, BEND) / BATCH as f32;
        let is_free = |unit: usize| sums[unit] > 0.0 && sums[unit] < 1.0;
        let inner: Units = std::array::from_fn(|unit| {
            if is_free(unit) { slope * output[unit] * 2.0 * held[unit] } else { 0.0 }
        });
        for unit in 0..HIDDEN {
            slopes.outputs[sample.band][unit] += slope * held[unit] * held[unit];
            slopes.bias[unit] += inner[unit];
        }
        slopes.rest[sample.band] += slope;
        for &input in &sample.inputs {
            let row = &mut slopes.rows[usize::from(input)];
            row.iter_mut().zip(inner).for_each(|(sum, slope)| *sum += slope);
        }
        wrong.abs()
    }
}

/// Returns a number that is about normally distributed.
fn normal(dice: &mut Dice) -> f32 {
    (0..12).map(|_| (dice.number() >> 40) as f32 / (1 << 24) as f32).sum::<f32>() - 6.0
}

fn train(samples: &mut [Sample], mut weights: Weights, rate: f32, dice: &mut Dice) -> Weights {
    let [mut slopes, mut means, mut squares] = [(); 3].map(|()| Weights::zero());
    let steps = EPOCHS * (samples.len() / BATCH);
    let mut step = 0;
    for epoch in 1..=EPOCHS {
        shuffle(samples, dice);
        let mut error = 0.0;
        for batch in samples.chunks_exact(BATCH) {
            slopes.parts().into_iter().for_each(|part| part.fill(0.0));
            let wrong: f32 = batch.iter().map(|sample| weights.slope(sample, &mut slopes)).sum();
            error += f64::from(wrong) / BATCH as f64;
            step += 1;
            let turn = std::f32::consts::PI * step as f32 / steps as f32;
            let rate = rate * (0.5 + 0.5 * turn.cos()) + 1e-5;
            learn(&mut weights, &mut slopes, [&mut means, &mut squares], step, rate);
        }
        println!("epoch {epoch}: error {:.3} seeds", error * EPOCHS as f64 / steps as f64);
    }
    weights
}

fn shuffle(samples: &mut [Sample], dice: &mut Dice) {
    for last in (1..samples.len()).rev() {
        samples.swap(last, dice.below(last as u64 + 1) as usize);
    }
}

/// Takes a step down the slopes.
fn learn(
    weights: &mut Weights,
    slopes: &mut Weights,
    [means, squares]: [&mut Weights; 2],
    step: i32,
    rate: f32,
) {
    let [known, known_squares] = FORGET.map(|forget| 1.0 - (1.0 - forget).powi(step));
    let moments = means.parts().into_iter().zip(squares.parts());
    for ((part, slopes), (means, squares)) in
        weights.parts().into_iter().zip(slopes.parts()).zip(moments)
    {
        for at in 0..part.len() {
            means[at] += FORGET[0] * (slopes[at] - means[at]);
            squares[at] += FORGET[1] * (slopes[at] * slopes[at] - squares[at]);
            let length = (squares[at] / known_squares).sqrt() + 1e-8;
            part[at] -= rate * means[at] / known / length;
        }
    }
    let most = f32::from(MOST_OUTPUT) * HELD * HELD / OUTPUT;
    let outputs = weights.outputs.as_flattened_mut();
    outputs.iter_mut().for_each(|weight| *weight = weight.clamp(-most, most));
}
