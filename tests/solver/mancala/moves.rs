//! Moves, one position at a time.

use std::collections::HashSet;

use oware_db::game::mancala::{BAO_LAPS, Label, MANCALAS, NAM_NAM, Outcome, Placement, Sheet};
use oware_db::layer::general::GeneralLayer;
use oware_db::random::Dice;
use serde_json::{Value, json};

use super::{facts, sheet_of};

fn board(fact: &Value) -> Vec<u8> {
    let counts = fact["board"].as_array().expect("a board");
    counts.iter().map(|count| count.as_u64().expect("a number") as u8).collect()
}

/// A move as the facts have it.
fn listed(name: &str, outcome: &Outcome) -> Value {
    let label = match outcome.label {
        Label::House(house) => house.to_string(),
        label => label.to_string(),
    };
    let next = outcome.next.counts();
    match name {
        "nam-nam" => json!([label, outcome.mover, outcome.opponent, next]),
        "bao-kujifunza" => json!([label, next]),
        _ => json!([label, outcome.mover, u8::from(outcome.again), next]),
    }
}

#[test]
fn independent_programs_find_the_same_moves() {
    for (name, least) in
        [("nam-nam", 1200), ("bao-stores", 1200), ("bao-laps", 1200), ("bao-kujifunza", 1200)]
    {
        let mut checked = 0;
        for line in facts(&format!("{name}-moves.jsonl.gz")) {
            let fact: Value = serde_json::from_str(&line).expect("JSON");
            let counts = board(&fact);
            let sheet = sheet_of(name, &(counts.len() / 4).to_string());
            let mut placement = Placement::new(&counts);
            if let Some(owners) = fact["own"].as_str() {
                placement = placement.with_owners(sheet.parse_owners(owners).expect("owners"));
            }
            let found: Vec<Value> =
                sheet.outcomes(&placement).iter().map(|outcome| listed(name, outcome)).collect();
            assert_eq!(Value::from(found), fact["moves"], "{line}");
            let score = sheet.final_score(&placement).map(i64::from);
            assert_eq!(score, fact["final"].as_i64(), "{line}");
            checked += 1;
        }
        assert!(checked > least, "{name}: {checked}");
    }
}

fn perft(sheet: &Sheet, placement: &Placement, depth: u32) -> u64 {
    let outcomes = sheet.outcomes(placement);
    match depth {
        1 => outcomes.len() as u64,
        _ => outcomes.iter().map(|outcome| perft(sheet, &outcome.next, depth - 1)).sum(),
    }
}

#[test]
fn independent_programs_count_the_same_paths() {
    let mut checked = 0;
    for line in facts("perft.tsv") {
        let fields: Vec<&str> = line.split('\t').collect();
        let sheet = sheet_of(fields[0], fields[1].trim_start_matches("4x"));
        let owners = if sheet.has_owners { fields[1] } else { "" };
        let start = sheet.parse(&format!("{} {owners}", fields[2])).unwrap();
        assert_eq!(start.counts(), sheet.initial().counts());
        for (depth, count) in (1..).zip(&fields[3..]) {
            assert_eq!(perft(sheet, &start, depth).to_string(), **count, "{line}, depth {depth}");
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn seeds_are_conserved_and_turns_change() {
    let mut dice = Dice::new(1);
    for sheet in MANCALAS {
        for _ in 0..3000 {
            let mut at = sheet.initial();
            for _ in 0..dice.below(40) {
                let outcomes = sheet.outcomes(&at);
                if outcomes.is_empty() {
                    break;
                }
                for outcome in &outcomes {
                    let gone = usize::from(outcome.mover) + usize::from(outcome.opponent);
                    assert_eq!(outcome.next.seeds() + gone, at.seeds(), "{at}");
                    assert!(sheet.has_layer(outcome.next.seeds()) || outcome.next.seeds() == 0);
                    let owners = if outcome.again { at } else { at.turned() }.owners();
                    assert_eq!(outcome.next.owners(), owners);
                    assert!(!outcome.again || outcome.leaves_layer());
                }
                let labels: HashSet<String> =
                    outcomes.iter().map(|outcome| outcome.label.to_string()).collect();
                assert_eq!(labels.len(), outcomes.len());
                at = outcomes[dice.below(outcomes.len() as u64) as usize].next;
            }
        }
    }
}

/// Positions with a sowing that never ends, and those that have no other: counted by a twin that
/// keeps every state of a sowing.
#[test]
fn endless_sowings_are_those_of_independent_programs() {
    let mut checked = 0;
    for line in facts("endless.tsv") {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| fields[at].parse::<u64>().unwrap();
        let sheet = sheet_of(fields[0], fields[1].trim_start_matches("4x"));
        if number(3) > 1_400_000 && sheet != &BAO_LAPS || number(3) > 8_000_000 {
            continue;
        }
        let layer = GeneralLayer::new(sheet, number(2) as usize);
        assert_eq!(layer.positions(), number(3));
        if sheet == &BAO_LAPS || sheet == &NAM_NAM {
            let counts = layer.placements(0, layer.positions() as usize).map(|placement| {
                let least = sowable(sheet, &placement);
                let found = sheet.outcomes(&placement);
                let legal = found.iter().filter(|each| each.label != Label::Missed).count();
                (u64::from(legal < least), u64::from(legal == 0 && least > 0))
            });
            let sum = counts.fold((0, 0), |sum, each| (sum.0 + each.0, sum.1 + each.1));
            assert_eq!(sum, (number(4), number(5)), "{line}");
            checked += 1;
        }
    }
    assert!(checked >= 6, "{checked}");
}

/// Houses that a sowing may begin in, whether or not it ends.
fn sowable(sheet: &Sheet, placement: &Placement) -> usize {
    let own = |house: &usize| placement.is_own(*house) && placement.counts()[*house] > 0;
    let houses: Vec<usize> = (0..placement.counts().len()).filter(own).collect();
    let many = houses.iter().filter(|&&house| placement.counts()[house] > 1).count();
    if sheet == &BAO_LAPS && many > 0 { many } else { houses.len() }
}
