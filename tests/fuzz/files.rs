//! Small files as a builder writes them, to be damaged and forged.

use std::fs;

use oware_db::game::{AWARI, PLAIN_OPPOSITE, Rules, SHEETS, Seeds};
use oware_db::layer::{Holds, Layer, Plane, Solved, Strategy};
use oware_db::random::Dice;
use oware_db::table::{WriteOptions, write};

/// What a file holds.
#[derive(Clone, Copy)]
struct Contents {
    two_planes: bool,
    strategy: bool,
    /// One position in so many has a score other than 0.
    every: u64,
}

/// Every sheet, every combination of planes, the smallest layers, and one of three blocks.
pub fn honest() -> Vec<Vec<u8>> {
    let full = Contents { two_planes: true, strategy: true, every: 1 };
    let kinds = [(false, false), (false, true), (true, false), (true, true)];
    let kinds = kinds.map(|(two_planes, strategy)| Contents { two_planes, strategy, every: 1 });
    let mut files: Vec<_> = SHEETS.into_iter().map(|rules| file(rules, 2, full)).collect();
    for rules in [&AWARI, &PLAIN_OPPOSITE] {
        files.extend(
            [0, 3].into_iter().flat_map(|seeds| kinds.map(|contents| file(rules, seeds, contents))),
        );
    }
    files.extend(kinds.map(|contents| file(&AWARI, 8, Contents { every: 9_000, ..contents })));
    files
}

/// The file of a made-up layer, the same each time.
fn file(rules: &'static Rules, seeds: usize, contents: Contents) -> Vec<u8> {
    let layer = Layer::of(rules, Seeds::new(seeds).expect("48 at most"));
    let seeds = seeds as u64;
    let made_up = |number: fn(u64, u64) -> i8| {
        let sparse =
            move |rank| if rank % contents.every == 0 { number(mixed(rank), seeds) } else { 0 };
        Plane::of_scores(layer, (0..layer.positions()).map(sparse))
    };
    let low = made_up(|mixed, seeds| -((mixed % (seeds + 1)) as i8));
    let high =
        contents.two_planes.then(|| made_up(|mixed, seeds| (mixed >> 32) as i8 & 1 & seeds as i8));
    let stamps = || made_up(|mixed, _| ((mixed >> 40) % 3) as i8);
    let strategy =
        contents.strategy.then(|| Strategy { stamps: stamps(), holds: Holds::of(rules) });
    let dir = tempfile::tempdir().expect("a directory");
    let solved = Solved { low, high, strategy, attained: None, knots: None };
    let written = write(dir.path(), rules, &solved, WriteOptions::default());
    fs::read(written.expect("a table").path).expect("its bytes")
}

/// A number that looks random, the same for the same `number`.
fn mixed(number: u64) -> u64 {
    Dice::new(number).number()
}
