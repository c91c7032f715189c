//! Files: they come back as they were, and damage is found.

use std::fs;
use std::path::Path;

use oware_db::certify::general_playout::play;
use oware_db::error::Error;
use oware_db::game::mancala::{BAO_LAPS_DRAWN, MANCALAS, NAM_NAM};
use oware_db::layer::general::GeneralLayer;
use oware_db::probe::LineEnd;
use oware_db::probe::Tables;
use oware_db::probe::general::GeneralProber;
use oware_db::random::Dice;
use oware_db::solver::general::Below;
use oware_db::table::WriteOptions;
use oware_db::table::general::{GeneralTable, file_name, write};

use super::solved_to;

/// Solves and writes all layers up to one.
fn built(dir: &Path, layer: GeneralLayer) -> Below {
    let layers = solved_to(layer);
    for solved in layers.values() {
        write(dir, solved, WriteOptions::default()).unwrap();
    }
    layers
}

fn largest(sheet: &'static oware_db::game::mancala::Sheet) -> GeneralLayer {
    GeneralLayer::new(sheet, if sheet.has_owners { 8 } else { 6 })
}

#[test]
fn layers_come_back_from_their_files() {
    for sheet in MANCALAS {
        let dir = tempfile::tempdir().unwrap();
        let layers = built(dir.path(), largest(sheet));
        let tables = Tables::open(dir.path()).unwrap();
        let listed: Vec<usize> =
            tables.available(sheet).unwrap().iter().map(|layer| layer.seeds()).collect();
        assert_eq!(listed, layers.keys().copied().collect::<Vec<_>>());
        let mut prober = GeneralProber::new(&tables, sheet);
        for solved in layers.values() {
            let table = tables.require(solved.layer.sheet(), solved.layer).unwrap();
            table.check().unwrap();
            let loaded = table.load().unwrap();
            assert_eq!((&loaded.low, loaded.high()), (&solved.low, solved.high()));
            assert_eq!(loaded.stamps, solved.stamps);
            let step = (solved.low.len() / 300).max(1) as u64;
            for rank in (0..solved.layer.positions()).step_by(step as usize) {
                let at = solved.layer.placement(rank);
                let known = prober.known(&at).unwrap();
                assert_eq!((known.low, known.high), solved.bounds(&at), "{} {at}", sheet.id);
            }
        }
        let above = largest(sheet).with_seeds(if sheet.has_owners { 12 } else { 7 });
        let missing = prober.known(&above.placement(above.positions() / 2));
        assert!(missing.is_ok() || matches!(missing, Err(Error::MissingTable { .. })));
    }
}

#[test]
fn a_flipped_bit_is_found_anywhere() {
    let dir = tempfile::tempdir().unwrap();
    let layer = GeneralLayer::new(&BAO_LAPS_DRAWN, 5);
    built(dir.path(), layer);
    let path = dir.path().join(file_name(&layer));
    let right = fs::read(&path).unwrap();
    let checks = || GeneralTable::open(&path, &layer).and_then(|table| table.check());
    checks().unwrap();
    for at in (0..right.len()).step_by(61).chain(right.len() - 60..right.len()) {
        let mut wrong = right.clone();
        wrong[at] ^= 1 << (at % 8);
        fs::write(&path, wrong).unwrap();
        let found = checks();
        assert!(
            matches!(found, Err(Error::CorruptTable { .. } | Error::WrongVersion { .. })),
            "byte {at}: {found:?}"
        );
    }
    for length in [0, 1, 127, 128, 200, right.len() - 1] {
        fs::write(&path, &right[..length]).unwrap();
        assert!(matches!(checks(), Err(Error::CorruptTable { .. })), "{length} bytes");
    }
    fs::write(&path, &right).unwrap();
    checks().unwrap();
    let other = layer.with_seeds(4);
    let renamed = dir.path().join(file_name(&other));
    fs::copy(&path, &renamed).unwrap();
    assert!(GeneralTable::open(&renamed, &other).is_err());
}

/// Who follows the tables gets what they promise; lines do not leave the score.
#[test]
fn promises_are_kept_in_play() {
    let mut cycles = 0;
    let owned = GeneralLayer::of_owners(&NAM_NAM, 8, 0b111_1111);
    for layer in MANCALAS.into_iter().map(largest).chain([owned]) {
        let dir = tempfile::tempdir().unwrap();
        built(dir.path(), layer);
        let tables = Tables::open(dir.path()).unwrap();
        let mut prober = GeneralProber::new(&tables, layer.sheet());
        let mut dice = Dice::new(3);
        for _ in 0..500 {
            let game = play(&mut prober, layer, &mut dice).unwrap();
            assert!(game.got >= game.promised, "{} {game:?}", layer.sheet().id);
            cycles += u32::from(game.circled);
        }
        for _ in 0..50 {
            let at = layer.placement(dice.below(layer.positions()));
            let (known, line) = (prober.known(&at).unwrap(), prober.line(&at, 200).unwrap());
            if let Some(plies) = known.plies {
                assert_eq!(line.ends, LineEnd::GameOver, "{at}");
                assert_eq!(line.moves.len(), usize::from(plies), "{at}");
            }
        }
    }
    assert!(cycles > 0, "{cycles}");
}
