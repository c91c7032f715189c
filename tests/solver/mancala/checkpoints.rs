//! Checkpoints inside a layer: from wherever a solve was interrupted, it goes on to the same end.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use oware_db::error::Error;
use oware_db::game::mancala::{BAO_LAPS, BAO_LAPS_DRAWN, BAO_STORES, Circling, MANCALAS, NAM_NAM};
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
fn a_solve_that_makes_moves_anew_goes_on_from_every_moment() {
    let mut checkpoints = 0;
    for sheet in MANCALAS {
        // How many moments lie between two that are tried: a round asks once for each piece.
        let (seeds, stride) = match (sheet.circling, sheet.half) {
            (Circling::Never, _) => (5, 1),
            (_, 6) if sheet.has_owners => (8, 29),
            (_, 4) => (7, 1),
            _ => (4, 1),
        };
        checkpoints += goes_on(GeneralLayer::new(sheet, seeds), Edges::MadeAnew, stride);
    }
    println!("{checkpoints} checkpoints");
    assert!(checkpoints > 50, "{checkpoints}");
}

#[test]
fn a_solve_that_keeps_moves_goes_on_from_every_moment() {
    for (sheet, seeds) in [(&NAM_NAM, 8), (&BAO_LAPS, 6), (&BAO_LAPS_DRAWN, 6)] {
        let checkpoints = goes_on(GeneralLayer::new(sheet, seeds), Edges::Kept, 1);
        println!("{}: {checkpoints} checkpoints", sheet.id);
        // More than levels: there are some in the middle of one.
        assert!(checkpoints > 2 * seeds, "{} {checkpoints}", sheet.id);
    }
}

/// Interrupts a solve at every moment, with so many from one to the next, and goes on from there.
/// Returns how often there was a checkpoint.
fn goes_on(layer: GeneralLayer, edges: Edges, stride: usize) -> usize {
    let (mut below, mut checkpoints) = (solved_to(layer), 0);
    let expected = below.remove(&layer.seeds()).unwrap();
    for after in (0..).step_by(stride) {
        let stopping = Stopping::new(after, None);
        match solve(layer, &below, edges, &stopping) {
            Ok(found) => {
                assert!(found == expected, "{layer:?} {after}");
                break;
            }
            Err(error) => assert!(matches!(error, Error::Interrupted)),
        }
        let kept = stopping.kept.lock().unwrap().take();
        if let Some((way, kept)) = &kept {
            assert!(kept.is_possible(&layer, *way), "{layer:?} {after} {:?}", kept.stage);
        }
        checkpoints += usize::from(kept.is_some());
        let going_on = Stopping::new(usize::MAX, kept);
        let found = solve(layer, &below, edges, &going_on).unwrap();
        assert!(found == expected, "{layer:?} {after}");
    }
    checkpoints
}

/// What levels have found is not asked for again: a bound that is changed in a checkpoint stays
/// changed.
#[test]
fn what_a_checkpoint_of_kept_moves_has_is_believed() {
    let layer = GeneralLayer::new(&NAM_NAM, 8);
    let mut below = solved_to(layer);
    let expected = below.remove(&8).unwrap();
    let stamps = expected.stamps.as_ref().unwrap();
    let bytes = expected.low.iter().zip(stamps).flat_map(|(&low, &stamp)| match low {
        8 => [7, stamp],
        0 => [i8::MIN.cast_unsigned(), stamp],
        _ => [low.cast_unsigned(), stamp],
    });
    let kept = Resumed { stage: [1, 0], bytes: bytes.collect() };
    let keeper = Stopping::new(usize::MAX, Some((Way::Kept, kept)));
    let found = solve(layer, &below, Edges::Kept, &keeper).unwrap();
    let changed = expected.low.iter().map(|&low| if low == 8 { 7 } else { low });
    assert!(found.low.iter().copied().eq(changed));
    assert_eq!(found.stamps, expected.stamps);
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
