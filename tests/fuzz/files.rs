//! Small files as a builder writes them, to be damaged and forged.

use std::fs;

use oware_db::game::{AWARI, House, PLAIN_OPPOSITE, Rules, SHEETS, Seeds};
use oware_db::layer::{Exception, Exceptions, Layer, Plane, Rank, Solved};
use oware_db::random::Dice;
use oware_db::table::{self, WriteOptions, write};

/// What a file holds.
#[derive(Clone, Copy)]
struct Contents {
    two_planes: bool,
    has_strategy: bool,
    /// One position in so many has a score other than 0.
    every: u64,
}

/// Every sheet, every combination of planes, the smallest layers, and one of three blocks.
pub fn honest() -> Vec<Vec<u8>> {
    let full = Contents { two_planes: true, has_strategy: true, every: 1 };
    let kinds = [false, true]
        .map(|has_strategy| {
            [false, true].map(|two_planes| Contents { two_planes, has_strategy, every: 1 })
        })
        .concat();
    let mut files: Vec<_> = SHEETS.into_iter().map(|rules| file(rules, 2, full)).collect();
    for rules in [&AWARI, &PLAIN_OPPOSITE] {
        files.extend(
            [0, 3]
                .iter()
                .flat_map(|&seeds| kinds.iter().map(move |&kind| file(rules, seeds, kind))),
        );
    }
    files.extend(kinds.iter().map(|&kind| file(&AWARI, 7, Contents { every: 9_000, ..kind })));
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
    let exceptions = contents.has_strategy.then(|| exceptions(layer));
    let dir = tempfile::tempdir().expect("a directory");
    let solved = Solved { low, high, exceptions: None, attained: None, knots: None };
    let contents =
        table::Contents { exceptions: exceptions.as_ref(), ..table::Contents::from(&solved) };
    let written = write(dir.path(), rules, contents, WriteOptions::default());
    fs::read(written.expect("a table").path).expect("its bytes")
}

/// Made-up exceptions, one in seven positions or so.
fn exceptions(layer: Layer) -> Exceptions {
    let chosen = (0..layer.positions()).filter(|&rank| mixed(rank).is_multiple_of(7));
    Exceptions::new(chosen.map(|rank| {
        let house = House::ALL[(mixed(rank) >> 8) as usize % House::ALL.len()];
        Exception { rank: Rank(rank), house }
    }))
}

/// A number that looks random, the same for the same `number`.
fn mixed(number: u64) -> u64 {
    Dice::new(number).number()
}
