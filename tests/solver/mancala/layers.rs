//! Layers: the fast solver, the slow one, and independent programs.

use std::collections::BTreeMap;

use crate::solver::tests::oracle::{MancalaLayer, solve_drawn, solve_even_split};
use oware_db::game::Seeds;
use oware_db::game::mancala::{Circling, Layers, MANCALAS, NAM_NAM, Sheet};
use oware_db::game::{Interval, Score};
use oware_db::layer::general::{GeneralLayer, GeneralSolved, NEVER};
use oware_db::solver::general::{Below, Edges, edges_within, has_edges, memory};

use super::{facts, sheet_of, solve_to, solved, solved_to, solved_with};

/// The sum of the facts over all numbers of a layer, which is taken in 64 bits.
fn checksum(numbers: impl Iterator<Item = i8>) -> u64 {
    numbers.fold(0, |sum: u64, number| {
        let number = (i64::from(number) + 128) as u64;
        sum.wrapping_mul(1_000_003).wrapping_add(number) % ((1 << 53) - 1)
    })
}

fn assert_is(fact: &str, found: &GeneralSolved, part: std::ops::Range<usize>) {
    let fields: Vec<&str> = fact.split('\t').collect();
    let low = &found.low[part];
    let count = |is: fn(&i8) -> bool| low.iter().filter(|&score| is(score)).count().to_string();
    let sum: i64 = low.iter().map(|&score| i64::from(score)).sum();
    let found = [
        low.len().to_string(),
        count(|&score| score > 0),
        count(|&score| score == 0),
        count(|&score| score < 0),
        sum.to_string(),
        low.iter().min().unwrap().to_string(),
        low.iter().max().unwrap().to_string(),
    ];
    assert_eq!(found, fields[3..10], "{fact}");
    assert_eq!(checksum(low.iter().copied()).to_string(), fields[13], "{fact}");
}

/// What a test has time for: the rest is in `layers_of_independent_programs_in_full`.
fn check_layers(most: u64) {
    let mut below: BTreeMap<(String, u32), Below> = BTreeMap::new();
    let mut checked = 0;
    for fact in facts("layers.tsv") {
        let fields: Vec<&str> = fact.split('\t').collect();
        let sheet = sheet_of(fields[0], fields[1].trim_start_matches("4x"));
        let seeds = fields[2].parse().unwrap();
        let mine = match sheet.has_owners {
            true => sheet.parse_owners(fields[1]).unwrap(),
            false => GeneralLayer::new(sheet, seeds).owners(),
        };
        let start = sheet.initial().with_owners(mine);
        let layer = GeneralLayer::around(sheet, &start).with_seeds(seeds);
        // Without cycles there is so little to do that larger ones are no trouble.
        let most = if sheet.circling == Circling::Never { most.max(5_000_000) } else { most };
        if layer.positions() > most {
            continue;
        }
        let key = (sheet.id.to_owned(), layer.owners());
        let below = below.entry(key).or_default();
        if !below.contains_key(&seeds) {
            if sheet.layers == Layers::BySeeds && seeds > 0 && sheet.has_layer(0) {
                below.entry(0).or_insert_with(|| solved(layer.with_seeds(0), &Below::new()));
            }
            let found = solved(layer, below);
            below.insert(seeds, found);
        }
        let found = &below[&seeds];
        let half = found.low.len() / 2;
        let part = match (mine == layer.owners(), layer.owners().count_ones() == 6) {
            (_, true) => 0..found.low.len(),
            _ if !sheet.has_owners => 0..found.low.len(),
            (true, false) => 0..half,
            (false, false) => half..2 * half,
        };
        assert_is(&fact, found, part);
        checked += 1;
    }
    assert!(checked > 60, "{checked}");
}

#[test]
fn layers_of_independent_programs() {
    check_layers(500_000);
}

#[test]
#[ignore = "a minute: cargo test --release --lib mancala -- --ignored"]
fn layers_of_independent_programs_in_full() {
    check_layers(10_000_000);
}

#[test]
fn positions_of_independent_programs() {
    for (name, most) in [("nam-nam", 8), ("bao-stores", 8), ("bao-laps", 9)] {
        let mut solved: BTreeMap<u32, Below> = BTreeMap::new();
        let mut checked = 0;
        for fact in facts(&format!("{name}-values.tsv.gz")) {
            let fields: Vec<&str> = fact.split('\t').collect();
            let (score, position) = fields.split_last().unwrap();
            let sheet = sheet_of(name, "");
            let at = sheet.parse(&position.iter().rev().copied().collect::<Vec<_>>().join(" "));
            let at = at.unwrap();
            if at.seeds() > most {
                continue;
            }
            let layer = GeneralLayer::around(sheet, &at).with_seeds(most);
            let below = solved.entry(layer.owners()).or_insert_with(|| solved_to(layer));
            assert_eq!(below[&at.seeds()].bounds(&at).0.to_string(), *score, "{fact}");
            checked += 1;
        }
        assert!(checked > 5000, "{name}: {checked}");
    }
}

#[test]
fn results_and_plies_of_independent_programs() {
    let mut layers: BTreeMap<(String, usize), GeneralSolved> = BTreeMap::new();
    let mut checked = 0;
    for fact in facts("bao-kujifunza-values.tsv.gz") {
        let fields: Vec<&str> = fact.split('\t').collect();
        let sheet = sheet_of("bao-kujifunza", fields[0]);
        let at = sheet.parse(fields[1]).unwrap();
        let layer = GeneralLayer::around(sheet, &at);
        if layer.positions() > 800_000 {
            continue;
        }
        let key = (sheet.id.to_owned(), at.seeds());
        let found = layers.entry(key).or_insert_with(|| solved(layer, &Below::new()));
        let plies = found.stamps.as_ref().unwrap()[layer.rank(&at) as usize];
        let plies = if plies == NEVER { "-".to_owned() } else { plies.to_string() };
        assert_eq!([&found.bounds(&at).0.to_string(), &plies], [fields[2], fields[3]], "{fact}");
        checked += 1;
    }
    assert!(checked > 15_000, "{checked}");
}

#[test]
fn whole_boards_of_kujifunza_end_as_independent_programs_say() {
    let mut checked = 0;
    for fact in facts("kujifunza-ends.tsv") {
        let fields: Vec<&str> = fact.split('\t').collect();
        let number = |at: usize| fields[at].parse::<u64>().unwrap();
        if number(2) > 200_000 {
            continue;
        }
        let sheet = sheet_of("bao-kujifunza", fields[0].trim_start_matches("4x"));
        let layer = GeneralLayer::new(sheet, number(1) as usize);
        let found = solved(layer, &Below::new());
        let count = |score: i8| found.low.iter().filter(|&&low| low == score).count() as u64;
        let all = || layer.placements(0, layer.positions() as usize);
        let over = all().filter(|at| sheet.final_score(at).is_some()).count() as u64;
        let moves: usize = all().map(|at| sheet.outcomes(&at).len()).sum();
        assert_eq!(
            [layer.positions(), count(1), count(0), count(-1), over, moves as u64],
            [2, 3, 4, 5, 6, 8].map(number),
            "{fact}"
        );
        checked += 1;
    }
    assert!(checked > 40, "{checked}");
}

/// Bao with laps where endless play is drawn: both numbers of whole layers, and of the positions of
/// nine seeds in which they differ.
#[test]
fn drawn_layers_of_an_independent_program() {
    let sheet = Sheet::by_id("bao-laps-drawn").unwrap();
    let below = solved_to(GeneralLayer::new(sheet, 9));
    let mut checked = 0;
    for fact in facts("drawn-layers.tsv").iter().filter(|fact| fact.starts_with("bao-laps\t")) {
        let fields: Vec<&str> = fact.split('\t').collect();
        let found = &below[&fields[2].parse().unwrap()];
        let both = found.low.iter().zip(found.high());
        let sum = checksum(both.flat_map(|(&low, &high)| [low, high]));
        assert_eq!([found.low.len().to_string(), sum.to_string()], [fields[3], fields[8]]);
        checked += 1;
    }
    assert_eq!(checked, 9);
    let mut open = 0;
    for fact in facts("drawn-values.tsv.gz").iter().filter(|fact| fact.starts_with("bao-laps\t")) {
        let fields: Vec<&str> = fact.split('\t').collect();
        let at = sheet.parse(fields[1]).unwrap();
        let (low, high) = below[&at.seeds()].bounds(&at);
        assert_eq!([low.to_string(), high.to_string()], fields[2..4], "{fact}");
        open += u32::from(low < high);
    }
    assert!(open > 500, "{open}");
}

/// How many seeds the slow solver has time for.
fn least(sheet: &Sheet) -> usize {
    match sheet.half {
        4 => 9,
        6 => 8,
        8 if sheet.layers == Layers::BySeeds => 6,
        8 => 5,
        _ => 4,
    }
}

#[test]
fn fast_equals_slow_on_every_sheet() {
    for sheet in MANCALAS {
        let fast = solved_to(GeneralLayer::new(sheet, least(sheet)));
        equals_slow(sheet, &fast);
    }
    equals_slow(&NAM_NAM, &solved_to(GeneralLayer::of_owners(&NAM_NAM, 8, 0b1101_1111)));
}

fn equals_slow(sheet: &'static Sheet, fast: &Below) {
    let mut lower: BTreeMap<usize, Vec<Interval>> = BTreeMap::new();
    for (&seeds, found) in fast {
        let game = MancalaLayer { layer: found.layer, lower: &lower };
        let slow = match sheet.circling {
            Circling::Drawn => solve_drawn(&game, Seeds::new(seeds).unwrap()),
            Circling::EvenSplit | Circling::Never => {
                solve_even_split(&game).into_iter().map(Interval::exact).collect()
            }
        };
        let bounds = found.low.iter().zip(found.high());
        let fast: Vec<Interval> = bounds
            .map(|(&low, &high)| Interval { low: Score::new(low), high: Score::new(high) })
            .collect();
        assert!(fast == slow, "{} {seeds}", sheet.id);
        lower.insert(seeds, slow);
    }
}

/// The counts of all classes of owners that the guide has, up to so many seeds.
fn check_owners(most: usize) {
    let mut classes: BTreeMap<String, Below> = BTreeMap::new();
    let lines = facts("owners.tsv");
    assert_eq!(lines.len(), 32 * 3);
    for fact in &lines {
        let fields: Vec<&str> = fact.split('\t').collect();
        let seeds: usize = fields[1].parse().unwrap();
        if seeds > most {
            continue;
        }
        let below = classes.entry(fields[0].to_owned()).or_default();
        let owners = NAM_NAM.parse_owners(fields[0]).unwrap();
        let found = solved(GeneralLayer::of_owners(&NAM_NAM, seeds, owners), below);
        let count = |is: fn(i8) -> bool| found.low.iter().filter(|&&low| is(low)).count();
        let counts = [found.low.len(), count(|low| low > 0), count(|low| low == 0)];
        let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
        assert_eq!(counts, fields[2..5], "{fact}");
        below.insert(seeds, found);
    }
    assert_eq!(classes.len(), 32);
}

#[test]
fn owners_have_the_counts_of_the_guide() {
    check_owners(8);
    let guide = include_str!("../../../src/guide/other_games.md");
    for fact in facts("owners.tsv").iter().filter(|fact| fact.contains("\t16\t26075790\t")) {
        let fields: Vec<&str> = fact.split('\t').collect();
        let counts: Vec<String> = fields[3..].iter().map(|count| grouped(count)).collect();
        let row = format!("| `{}` | {} |\n", fields[0], counts.join(" | "));
        assert!(guide.contains(&row), "{row}");
    }
}

/// Digits with a comma before each three.
fn grouped(digits: &str) -> String {
    let parts: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|part| str::from_utf8(part).unwrap()).collect();
    parts.join(",")
}

#[test]
#[ignore = "minutes: cargo test --release --lib mancala -- --ignored"]
fn owners_have_the_counts_of_the_guide_in_full() {
    check_owners(16);
}

/// Nothing depends on whether there is memory for edges.
#[test]
fn moves_made_anew_find_the_same() {
    for sheet in MANCALAS.into_iter().filter(|sheet| has_edges(sheet)) {
        let largest = GeneralLayer::new(sheet, least(sheet));
        let kept = solved_to(largest);
        for (&seeds, found) in &kept {
            let anew = solved_with(largest.with_seeds(seeds), &kept, Edges::MadeAnew);
            assert!(anew == *found, "{} {seeds}", sheet.id);
        }
    }
    let unequal = GeneralLayer::of_owners(&NAM_NAM, 8, 0b1101_1111);
    let kept = solved_to(unequal);
    assert!(solved_with(unequal, &kept, Edges::MadeAnew) == kept[&8]);
}

/// Edges are kept if there is room for them; the boundary is what `memory` says.
#[test]
fn little_memory_has_moves_made_anew() {
    for sheet in MANCALAS.into_iter().filter(|sheet| has_edges(sheet)) {
        let layer = GeneralLayer::new(sheet, least(sheet));
        let (kept, anew) = (memory(layer, Edges::Kept), memory(layer, Edges::MadeAnew));
        assert!(2 * anew < kept, "{}", sheet.id);
        assert_eq!(edges_within(layer, kept), Edges::Kept);
        assert_eq!(edges_within(layer, kept - 1), Edges::MadeAnew);
    }
    let largest = GeneralLayer::new(&NAM_NAM, 28);
    assert_eq!(edges_within(largest, u64::MAX), Edges::Kept);
    let beyond = GeneralLayer::new(&NAM_NAM, 32);
    assert_eq!(edges_within(beyond, u64::MAX), Edges::MadeAnew, "ranks have 32 bits");
}

/// Nothing depends on the number of threads.
#[test]
fn one_thread_finds_the_same() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for sheet in MANCALAS {
        let layer = GeneralLayer::new(sheet, least(sheet));
        let mut one = Below::new();
        pool.install(|| solve_to(layer, &mut one));
        assert!(one == solved_to(layer), "{}", sheet.id);
    }
}
