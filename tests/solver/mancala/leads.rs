//! Play that goes round draws the game (`bao-laps-drawn`): two numbers say who wins, against games
//! with captives, move by move.

use oware_db::game::mancala::{BAO_LAPS_DRAWN, Placement};
use oware_db::layer::general::GeneralLayer;

use super::solved_to;

/// Games in which every seed counts: who has more than half of all has won, and play that goes
/// round is drawn.
struct Games {
    layers: Vec<GeneralLayer>,
    /// By layer, and by lead of the mover from −n to n: 1, 0 or −1 for each placement.
    results: Vec<Vec<Vec<i8>>>,
}

impl Games {
    fn new(most: usize) -> Games {
        let layers = (0..=most).map(|seeds| GeneralLayer::new(&BAO_LAPS_DRAWN, seeds)).collect();
        let mut games = Games { layers, results: Vec::new() };
        for seeds in 0..=most {
            let placements = games.layers[seeds].positions() as usize;
            games.results.push(vec![vec![0; placements]; 2 * seeds + 1]);
            for lead in 0..=seeds as i8 {
                while games.improve(seeds, lead) | games.improve(seeds, -lead) {}
            }
        }
        games
    }

    /// Looks at every placement with a lead once more. Quiet moves turn the lead round, and nothing
    /// else of this layer matters to it.
    fn improve(&mut self, seeds: usize, lead: i8) -> bool {
        let (layer, mut changed) = (self.layers[seeds], false);
        for (rank, placement) in layer.placements(0, layer.positions() as usize).enumerate() {
            let outcomes = BAO_LAPS_DRAWN.outcomes(&placement);
            let worth = outcomes
                .iter()
                .map(|outcome| -self.result(&outcome.next, -(lead + outcome.mover as i8)));
            let over = || (lead + BAO_LAPS_DRAWN.game.final_score(&placement)).signum();
            let best = worth.max().unwrap_or_else(over);
            let held = &mut self.results[seeds][(lead + seeds as i8) as usize][rank];
            changed |= std::mem::replace(held, best) != best;
        }
        changed
    }

    fn result(&self, placement: &Placement, lead: i8) -> i8 {
        let seeds = placement.seeds();
        if usize::from(lead.unsigned_abs()) > seeds {
            return lead.signum();
        }
        let rank = self.layers[seeds].rank(placement) as usize;
        self.results[seeds][(lead + seeds as i8) as usize][rank]
    }
}

fn two_numbers_say_who_wins(most: usize) -> [u32; 3] {
    let games = Games::new(most);
    let (mut results, mut open) = ([0; 3], 0);
    for (&seeds, solved) in &solved_to(GeneralLayer::new(&BAO_LAPS_DRAWN, most)) {
        let layer = solved.layer;
        for placement in layer.placements(0, layer.positions() as usize) {
            let (low, high) = solved.bounds(&placement);
            open += u32::from(low < high);
            for lead in -(seeds as i8)..=seeds as i8 {
                let by_numbers = match lead {
                    lead if lead + low > 0 => 1,
                    lead if lead + high < 0 => -1,
                    _ => 0,
                };
                assert_eq!(games.result(&placement, lead), by_numbers, "{placement} {lead}");
                results[(by_numbers + 1) as usize] += 1;
            }
        }
    }
    assert!(most < 9 || open == 1092, "{open} placements may go round");
    results
}

#[test]
fn two_numbers_say_who_wins_a_small_game() {
    let results = two_numbers_say_who_wins(5);
    assert!(results.iter().all(|&count| count > 10_000), "{results:?}");
}

/// Play goes round from nine seeds on.
#[test]
#[ignore = "minutes: cargo test --release --lib leads -- --ignored"]
fn two_numbers_say_who_wins_where_play_goes_round() {
    let results = two_numbers_say_who_wins(9);
    assert!(results.iter().all(|&count| count > 100_000), "{results:?}");
}
