//! Certificates: what the solver makes is proved, and nothing else is.

use oware_db::certify::general::judge;
use oware_db::game::mancala::{Circling, Layers, MANCALAS, NAM_NAM, Placement, Sheet};
use oware_db::layer::general::{GeneralLayer, GeneralSolved};
use oware_db::random::Dice;
use oware_db::solver::general::Below;

use super::solved_to;

fn most(sheet: &Sheet) -> usize {
    match sheet.half {
        6 if sheet.layers == Layers::BySeeds => 8,
        4 => 9,
        _ => 6,
    }
}

fn assert_proved(layers: Below) {
    let mut below = Below::new();
    for (seeds, solved) in layers {
        let proof = judge(&below, &solved);
        assert_eq!(proof.failing, 0, "{} {seeds} {:?}", solved.layer.sheet().id, proof.first);
        assert_eq!(proof.positions, solved.low.len() as u64);
        below.insert(seeds, solved);
    }
}

#[test]
fn what_the_solver_makes_is_proved() {
    for sheet in MANCALAS {
        assert_proved(solved_to(GeneralLayer::new(sheet, most(sheet))));
    }
    assert_proved(solved_to(GeneralLayer::of_owners(&NAM_NAM, 8, 0b1111_1111)));
}

/// A single number that is changed is found: in a score, and in a stamp or in plies.
#[test]
fn no_changed_number_is_proved() {
    let mut dice = Dice::new(2);
    for sheet in MANCALAS {
        // The whole layer is looked at for each number.
        let most = if sheet.half > 8 { 5 } else { most(sheet) };
        let mut below = solved_to(GeneralLayer::new(sheet, most));
        let (_, right) = below.pop_last().unwrap();
        for _ in 0..8 {
            let at = dice.below(right.low.len() as u64) as usize;
            let mut wrong = right.clone();
            wrong.low[at] = if wrong.low[at] > 0 { -1 } else { 1 };
            assert!(judge(&below, &wrong).failing > 0, "{} {at}", sheet.id);
            let Some(stamps) = &right.stamps else { continue };
            // A stamp of 1 means that all tight replies are done, as may be with a stamp of 2; with a
            // later one, some are not.
            let mut wrong = right.clone();
            let later = (0..stamps.len()).cycle().skip(at).find(|&at| stamps[at] > 2).unwrap();
            wrong.stamps.as_mut().unwrap()[later] = 1;
            assert!(judge(&below, &wrong).failing > 0, "{} {later}", sheet.id);
        }
    }
}

/// Scores that support each other on a cycle obey the minimax equation, and are not proved.
#[test]
fn scores_without_progress_are_not_proved() {
    let sheet = Sheet::by_id("bao-laps").unwrap();
    let drawn = Sheet::by_id("bao-laps-drawn").unwrap();
    assert_eq!(drawn.circling, Circling::Drawn);
    let right = solved_to(GeneralLayer::new(drawn, 9)).remove(&9).unwrap();
    let mut below = solved_to(GeneralLayer::new(sheet, 9));
    let even = below.remove(&9).unwrap();
    // What the mover can be sure of obeys the equations of the other sheet only where both ends
    // agree; where they do not, each end taken for the score is refused.
    let wrong = GeneralSolved { layer: even.layer, high: None, ..right };
    assert!(wrong.low != even.low);
    let proof = judge(&below, &wrong);
    assert!(proof.failing > 0);
    let objection = proof.first.unwrap();
    assert_eq!(Placement::new(objection.placement.counts()), objection.placement);
}
