//! Checkpoints inside a layer: from wherever a solve was interrupted, it goes on to the same end.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use oware_db::error::Error;
use oware_db::game::mancala::{BAO_STORES, Circling, MANCALAS};
use oware_db::layer::general::GeneralLayer;
use oware_db::solver::general::{Edges, Keeper, Resumed, Snapshot, Way, solve};

use super::solved_to;

/// Stops a solve after it has been asked so many times, and keeps the checkpoint of that moment.
struct Stopping {
    after: usize,
    asked: AtomicUsize,
    kept: Mutex<Option<(Way, Resumed)>>,
}

impl Stopping {
    fn new(after: usize, kept: Option<(Way, Resumed)>) -> Stopping {
        Stopping { after, asked: AtomicUsize::new(0), kept: Mutex::new(kept) }
    }
}

impl Keeper for Stopping {
    fn is_stopped(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.after
    }

    fn wants(&self, _: &GeneralLayer, _: u64) -> bool {
        true
    }

    fn offer(&self, _: &GeneralLayer, snapshot: &Snapshot) {
        let mut bytes = Vec::new();
        (snapshot.write)(&mut bytes).unwrap();
        assert_eq!(bytes.len() as u64, snapshot.bytes);
        *self.kept.lock().unwrap() = Some((snapshot.way, Resumed { stage: snapshot.stage, bytes }));
    }

    fn resume(&self, _: &GeneralLayer, way: Way, bytes: u64) -> Option<Resumed> {
        let (kept_way, kept) = self.kept.lock().unwrap().clone()?;
        assert_eq!((kept_way, kept.bytes.len() as u64), (way, bytes));
        Some(kept)
    }
}

#[test]
fn a_solve_goes_on_from_every_moment() {
    let mut checkpoints = 0;
    for sheet in MANCALAS {
        // How many moments lie between two that are tried: a round asks once for each piece.
        let (seeds, stride) = match (sheet.circling, sheet.half) {
            (Circling::Never, _) => (5, 1),
            (_, 6) if sheet.has_owners => (8, 29),
            (_, 4) => (7, 1),
            _ => (4, 1),
        };
        let layer = GeneralLayer::new(sheet, seeds);
        let mut below = solved_to(layer);
        let expected = below.remove(&seeds).unwrap();
        for after in (0..).step_by(stride) {
            let stopping = Stopping::new(after, None);
            match solve(layer, &below, Edges::MadeAnew, &stopping) {
                Ok(found) => {
                    assert!(found == expected, "{} {after}", sheet.id);
                    break;
                }
                Err(error) => assert!(matches!(error, Error::Interrupted)),
            }
            let kept = stopping.kept.lock().unwrap().take();
            checkpoints += usize::from(kept.is_some());
            let going_on = Stopping::new(usize::MAX, kept);
            let found = solve(layer, &below, Edges::MadeAnew, &going_on).unwrap();
            assert!(found == expected, "{} {after}", sheet.id);
        }
    }
    println!("{checkpoints} checkpoints");
    assert!(checkpoints > 50, "{checkpoints}");
}

/// What a checkpoint has done is not done again: a score that is changed in one stays changed.
#[test]
fn what_a_checkpoint_has_is_believed() {
    let layer = GeneralLayer::new(&BAO_STORES, 6);
    let mut below = solved_to(layer);
    let expected = below.remove(&6).unwrap();
    let bytes = expected.low.iter().map(|&low| if low == 6 { 99 } else { low.cast_unsigned() });
    let kept = Resumed { stage: [4, 0], bytes: bytes.collect() };
    let found =
        solve(layer, &below, Edges::Kept, &Stopping::new(usize::MAX, Some((Way::Ordered, kept))))
            .unwrap();
    let changed = found.low.iter().zip(&expected.low).filter(|(found, low)| found != low).count();
    assert_eq!(changed, expected.low.iter().filter(|&&low| low == 6).count());
    assert!(changed > 0);
}
