//! Boards of two rows of three, where play goes round: the solver against games in which every line
//! of play is followed to its end, with the whole history and with what was captured in hand.
//!
//! The rules are written here once more, seed by seed, for rows of any length. The solver under test
//! is the one of the library: to it these boards are sheets like all others.

use std::collections::BTreeMap;

use oware_db::game::mancala::{
    BAO_LAPS, Circling, Label, Layers, Mancala, NAM_NAM, Outcome, Outcomes, Placement, Sheet,
};
use oware_db::game::{Board, Interval, MASTERS_DRAWN, Score, final_score, legal_moves};
use oware_db::layer::general::{GeneralLayer, GeneralSolved};
use oware_db::random::Dice;
use oware_db::solver::game_graph::Step;
use oware_db::solver::general::{Below, Edges};

use super::solved_with;
use crate::solver::tests::own_side::brute_force::{BruteForce, Cut};
use crate::solver::tests::own_side::listed::{Listed, UNKNOWN};

/// Positions that the search visits at most for one value.
const EFFORT: u64 = 20_000;

/// The moves of a sheet on rows of any length.
enum Small {
    Masters,
    Laps,
    NamNam,
}

/// A sowing by hand: houses, counter-clockwise round the board.
struct Hand {
    houses: Vec<u8>,
    mover: u8,
    opponent: u8,
}

impl Small {
    /// A move of the mover's house; `None` if it is not legal, or never ends.
    fn play(&self, placement: &Placement, house: usize) -> Option<Hand> {
        let mut hand = Hand { houses: placement.counts().to_vec(), mover: 0, opponent: 0 };
        match self {
            Small::Masters => hand.masters(house),
            Small::Laps => hand.laps(house)?,
            Small::NamNam => hand.nam_nam(house)?,
        }
        Some(hand)
    }

    fn may_begin(&self, placement: &Placement, house: usize) -> bool {
        let own = placement.mover();
        let many = own.iter().any(|&count| count > 1);
        own[house] > if matches!(self, Small::Laps) && many { 1 } else { 0 }
    }
}

impl Hand {
    /// Sows a house on, seed by seed; returns where the last seed fell.
    fn sow(&mut self, from: usize, skips_origin: bool) -> usize {
        let (mut at, places) = (from, self.houses.len());
        for _ in 0..std::mem::take(&mut self.houses[from]) {
            at = (at + 1) % places;
            if at == from && skips_origin {
                at = (at + 1) % places;
            }
            self.houses[at] += 1;
        }
        at
    }

    fn masters(&mut self, house: usize) {
        let (mut at, row) = (self.sow(house, true), self.houses.len() / 2);
        while at >= row && matches!(self.houses[at], 2 | 3) {
            self.mover += std::mem::take(&mut self.houses[at]);
            at -= 1;
        }
    }

    fn laps(&mut self, house: usize) -> Option<()> {
        let (mut at, row) = (house, self.houses.len() / 2);
        let mut seen = Vec::new();
        loop {
            at = self.sow(at, false);
            if self.houses[at] == 1 {
                let opposite = 2 * row - 1 - at;
                if at < row {
                    self.mover = std::mem::take(&mut self.houses[opposite]);
                }
                return Some(());
            }
            if seen.contains(&(self.houses.clone(), at)) {
                return None;
            }
            seen.push((self.houses.clone(), at));
        }
    }

    fn nam_nam(&mut self, house: usize) -> Option<()> {
        let (mut at, places) = (house, self.houses.len());
        let mut left: u8 = self.houses.iter().sum();
        let mut seen = Vec::new();
        loop {
            let mut hand = std::mem::take(&mut self.houses[at]);
            while hand > 0 {
                at = (at + 1) % places;
                self.houses[at] += 1;
                hand -= 1;
                if self.houses[at] == 4 {
                    self.houses[at] = 0;
                    let taken = if left == 8 { 8 } else { 4 };
                    let is_movers = hand == 0 || at < places / 2;
                    *(if is_movers { &mut self.mover } else { &mut self.opponent }) += taken;
                    left -= taken;
                    if left == 0 {
                        self.houses.fill(0);
                        return Some(());
                    }
                }
            }
            if self.houses[at] <= 1 {
                return Some(());
            }
            if seen.contains(&(self.houses.clone(), at)) {
                return None;
            }
            seen.push((self.houses.clone(), at));
        }
    }
}

impl Mancala for Small {
    fn add_outcomes(&self, placement: &Placement, found: &mut Outcomes) {
        let row = placement.half();
        let houses = (0..row).filter(|&house| self.may_begin(placement, house));
        let outcome = |(label, hand): (Label, Hand)| Outcome {
            label,
            mover: hand.mover,
            opponent: hand.opponent,
            again: false,
            next: Placement::new(&hand.houses).turned(),
        };
        let played = houses
            .filter_map(|house| Some((Label::House(house as u8), self.play(placement, house)?)));
        found.extend(played.map(outcome));
        match self {
            // Who faces an empty row has to feed it.
            Small::Masters if placement.opponent().iter().all(|&count| count == 0) => {
                found.retain(|outcome| outcome.next.mover().iter().any(|&count| count > 0));
            }
            Small::NamNam if found.is_empty() && placement.seeds() > 0 => {
                let next = placement.turned();
                found.push(Outcome {
                    label: Label::Missed,
                    mover: 0,
                    opponent: 0,
                    again: false,
                    next,
                });
            }
            Small::Masters | Small::Laps | Small::NamNam => {}
        }
    }

    fn final_score(&self, placement: &Placement) -> i8 {
        let sum = |row: &[u8]| row.iter().map(|&count| count as i8).sum::<i8>();
        sum(placement.mover()) - sum(placement.opponent())
    }
}

const fn small(game: &'static Small, half: usize, circling: Circling) -> Sheet {
    Sheet {
        id: "small",
        title: "a small board",
        number: 0,
        half,
        most: 48,
        least: 1,
        step: 1,
        each: 2,
        has_owners: false,
        circling,
        layers: Layers::BySeeds,
        game,
    }
}

static MASTERS: Sheet = small(&Small::Masters, 3, Circling::Drawn);
static LAPS: Sheet = small(&Small::Laps, 3, Circling::Drawn);
static NAM_NAM_2: Sheet = nam_nam(2);
static NAM_NAM_3: Sheet = nam_nam(3);
static NAM_NAM_4: Sheet = nam_nam(4);

const fn nam_nam(half: usize) -> Sheet {
    Sheet { least: 8, step: 4, ..small(&Small::NamNam, half, Circling::EvenSplit) }
}

/// The rules as they are written here are those of the library, on its boards.
#[test]
fn the_small_boards_know_the_games() {
    let mut dice = Dice::new(8);
    let moves = |game: &Small, placement: &Placement| {
        let mut found = Outcomes::new();
        game.add_outcomes(placement, &mut found);
        found
    };
    for round in 0..40_000 {
        let mut counts = |places: usize, seeds: u64| {
            let mut counts = vec![0u8; places];
            (0..seeds).for_each(|_| counts[dice.below(places as u64) as usize] += 1);
            Placement::new(&counts)
        };
        let laps = counts(16, round % 33);
        assert_eq!(moves(&Small::Laps, &laps), BAO_LAPS.outcomes(&laps), "{laps}");
        let fours = counts(12, 4 * (round % 13));
        if fours.seeds() != 4 {
            assert_eq!(moves(&Small::NamNam, &fours), NAM_NAM.outcomes(&fours), "{fours}");
        }
        let placement = counts(12, round % 30);
        let board = Board::new(placement.counts().try_into().unwrap()).unwrap();
        let (found, known) =
            (moves(&Small::Masters, &placement), legal_moves(&MASTERS_DRAWN, &board));
        assert_eq!(found.len(), known.len(), "{board}");
        for (found, known) in found.iter().zip(known.iter()) {
            assert_eq!(
                (found.mover, found.next.counts()),
                (known.captured, &known.next.houses()[..])
            );
        }
        if found.is_empty() {
            let score = final_score(&MASTERS_DRAWN, &board).map(|score| score.get());
            assert_eq!(Some(Small::Masters.final_score(&placement)), score);
        }
    }
}

/// All layers up to so many seeds, each solved with moves kept and with moves made anew.
fn solved(sheet: &'static Sheet, most: usize) -> Below {
    let mut below = Below::new();
    for seeds in (0..=most).filter(|&seeds| sheet.has_layer(seeds)) {
        let layer = GeneralLayer::new(sheet, seeds);
        let found = solved_with(layer, &below, Edges::Kept);
        assert!(solved_with(layer, &below, Edges::MadeAnew) == found, "{seeds}");
        below.insert(seeds, found);
    }
    below
}

/// What was found by following every line.
#[derive(Debug, Default)]
struct Found {
    /// Values that the effort sufficed for.
    finished: usize,
    /// All of them.
    positions: usize,
    /// Positions from which play can go round for ever.
    round: usize,
    /// Lost, drawn and won ones.
    results: [usize; 3],
}

impl Found {
    fn add(&mut self, value: Option<Score>, expected: i8, told: impl Fn() -> String) {
        self.positions += 1;
        let Some(value) = value else { return };
        self.finished += 1;
        assert_eq!(value.get(), expected, "{}", told());
        self.results[(expected.signum() + 1) as usize] += 1;
    }
}

/// Games with captives: who has more than half of all has won, and a game is drawn as soon as a
/// position comes back. By seeds, by the mover's lead from −n to n, and by rank.
fn drawn_games(layers: &Below) -> Found {
    let (mut found, mut known) = (Found::default(), Vec::<Vec<Vec<Option<Score>>>>::new());
    for (&seeds, solved) in layers {
        let positions = solved.low.len();
        found.round +=
            solved.low.iter().zip(solved.high()).filter(|(low, high)| low < high).count();
        let mut results = vec![Vec::new(); 2 * seeds + 1];
        for lead in 0..=seeds as i8 {
            let game = with_lead(solved, lead, &known);
            let guesses: Vec<Interval> = both(positions)
                .map(|(turned, rank)| {
                    Interval::exact(Score::new(says(solved, rank, sign(lead, turned))))
                })
                .collect();
            let values = BruteForce::new(&game, &guesses, Cut::Occurrence(2), EFFORT).values();
            for (at, (turned, rank)) in both(positions).enumerate() {
                let told =
                    || format!("{} lead {lead} {turned}", solved.layer.placement(rank as u64));
                found.add(values[at], says(solved, rank, sign(lead, turned)), told);
            }
            let (ahead, behind) = values.split_at(positions);
            results[(seeds as i8 + lead) as usize] = ahead.to_vec();
            results[(seeds as i8 - lead) as usize] = behind.to_vec();
        }
        known.push(results);
    }
    found
}

/// Positions of a game with a lead: first those in which the mover has it, then the others.
fn both(positions: usize) -> impl Iterator<Item = (bool, usize)> {
    [false, true].into_iter().flat_map(move |turned| (0..positions).map(move |rank| (turned, rank)))
}

fn sign(lead: i8, turned: bool) -> i8 {
    if turned { -lead } else { lead }
}

/// What two numbers say of a mover who is ahead by so much.
fn says(solved: &GeneralSolved, rank: usize, lead: i8) -> i8 {
    match (lead + solved.low[rank], lead + solved.high()[rank]) {
        (1.., _) => 1,
        (_, ..0) => -1,
        _ => 0,
    }
}

/// A layer in which one player leads by so much, written out.
fn with_lead(solved: &GeneralSolved, lead: i8, known: &[Vec<Vec<Option<Score>>>]) -> Listed {
    let (layer, positions) = (solved.layer, solved.low.len());
    let steps = |(turned, rank): (bool, usize)| {
        let (placement, lead) = (layer.placement(rank as u64), sign(lead, turned));
        let outcomes = layer.sheet().outcomes(&placement);
        if outcomes.is_empty() {
            let score = (lead + layer.sheet().game.final_score(&placement)).signum();
            return vec![Step::Leaves(Interval::exact(Score::new(score)))];
        }
        let step = |outcome: &Outcome| {
            if !outcome.leaves_layer() {
                let rank = layer.rank(&outcome.next) as usize;
                return Step::Stays(if turned { rank } else { positions + rank });
            }
            let lead = -(lead + outcome.mover as i8);
            Step::Leaves(
                after(&outcome.next, lead, layer, known)
                    .map_or(UNKNOWN, |score| Interval::exact(Score::new(-score.get()))),
            )
        };
        outcomes.iter().map(step).collect()
    };
    let steps: Vec<Vec<Step>> = both(positions).map(steps).collect();
    Listed { rows: vec![Some(Score::new(0)); steps.len()], steps }
}

/// What is known of a position with fewer seeds.
fn after(
    next: &Placement,
    lead: i8,
    layer: GeneralLayer,
    known: &[Vec<Vec<Option<Score>>>],
) -> Option<Score> {
    let seeds = next.seeds();
    if usize::from(lead.unsigned_abs()) > seeds {
        return Some(Score::new(lead.signum()));
    }
    let rank = layer.with_seeds(seeds).rank(next) as usize;
    known[seeds][(lead + seeds as i8) as usize][rank]
}

fn assert_drawn_games(sheet: &'static Sheet, most: usize, round: usize) {
    let found = drawn_games(&solved(sheet, most));
    println!("{found:?}");
    assert!(found.round >= round && 100 * found.finished >= 95 * found.positions, "{found:?}");
    assert!(found.results.iter().all(|&count| count > 1000), "{found:?}");
}

#[test]
fn masters_drawn_on_three_houses_a_row() {
    assert_drawn_games(&MASTERS, 7, 100);
}

#[test]
fn bao_laps_drawn_on_three_houses_a_row() {
    assert_drawn_games(&LAPS, 9, 100);
}

/// What is left is halved when a position comes back.
fn assert_halved_games(sheet: &'static Sheet, most: usize) {
    let (mut found, mut known) = (Found::default(), BTreeMap::new());
    for (&seeds, solved) in &solved(sheet, most) {
        let game = halved(solved, &known);
        let guesses: Vec<Interval> =
            solved.low.iter().map(|&low| Interval::exact(Score::new(low))).collect();
        let values = BruteForce::new(&game, &guesses, Cut::Occurrence(2), EFFORT).values();
        for (rank, &value) in values.iter().enumerate() {
            let told = || solved.layer.placement(rank as u64).to_string();
            found.add(value, solved.low[rank], told);
        }
        found.round += solved.low.iter().filter(|&&low| low == 0).count();
        known.insert(seeds, values);
    }
    println!("{found:?}");
    assert!(found.round > 100 && 100 * found.finished >= 95 * found.positions, "{found:?}");
    assert!(found.results.iter().all(|&count| count > 100), "{found:?}");
}

#[test]
fn nam_nam_on_two_houses_a_row() {
    assert_halved_games(&NAM_NAM_2, 24);
}

/// Play goes round from 16 seeds on.
#[test]
fn nam_nam_on_three_houses_a_row() {
    assert_halved_games(&NAM_NAM_3, 16);
}

#[test]
fn nam_nam_on_four_houses_a_row() {
    assert_halved_games(&NAM_NAM_4, 8);
}

/// A layer of scores, written out.
fn halved(solved: &GeneralSolved, known: &BTreeMap<usize, Vec<Option<Score>>>) -> Listed {
    let layer = solved.layer;
    let steps = |placement: Placement| {
        let step = |outcome: &Outcome| {
            if !outcome.leaves_layer() {
                return Step::Stays(layer.rank(&outcome.next) as usize);
            }
            let lower = layer.with_seeds(outcome.next.seeds());
            let next = known[&outcome.next.seeds()][lower.rank(&outcome.next) as usize];
            let worth = |next: Score| Interval::exact(Score::new(outcome.worth(next.get())));
            Step::Leaves(next.map_or(UNKNOWN, worth))
        };
        match layer.sheet().outcomes(&placement) {
            none if none.is_empty() => vec![Step::Leaves(Interval::exact(Score::new(0)))],
            some => some.iter().map(step).collect(),
        }
    };
    let steps: Vec<Vec<Step>> = layer.placements(0, solved.low.len()).map(steps).collect();
    Listed { rows: vec![Some(Score::new(0)); steps.len()], steps }
}
