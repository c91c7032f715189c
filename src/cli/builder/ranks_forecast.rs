//! What a build by several processes would need: `oware build --dry-run --ranks P`.
//!
//! Shares of memory and balance are computed as the solver cuts layers. What is sent, how many
//! sweeps it takes and how fast a core is comes from measurements, or is drawn out from them: the
//! page of the guide on several machines has them, and says which is which.

use serde::Serialize;

use oware_db::game::{Endless, Seeds};
use oware_db::json::words::bytes;
use oware_db::solver::cluster::Needs;
use oware_db::solver::{Way, planes};

use super::wanted::{Wanted, of_rank};
use crate::cli::progress::duration;

/// Bytes that a network of 10 Gbit carries from each machine in a second.
const NETWORK: f64 = 1.25e9;

/// Seconds of a core for a score in a dense sweep, with what is sent put together and taken apart:
/// four ranks on two cores, layer 20, `examples/cluster_traffic.rs`, AVX-512.
const SCORE: f64 = 4.7e-9;

/// By ranks: bytes sent for each score and sweep. To 8 ranks measured at 20 seeds; from there on
/// computed for 48 seeds, of every move that leads to another rank.
const SENT: [(f64, f64); 6] =
    [(1.0, 0.0), (2.0, 0.72), (4.0, 1.3), (8.0, 1.66), (16.0, 2.3), (64.0, 3.0)];

/// By seeds: dense sweeps to the end under an even split. To 20 measured, to 24 measured in a
/// prototype, from there on drawn out.
const SWEEPS: [(f64, f64); 6] =
    [(10.0, 9.0), (15.0, 12.0), (20.0, 14.0), (24.0, 17.0), (36.0, 20.0), (48.0, 23.0)];

/// What `--dry-run --ranks` says.
#[derive(Serialize)]
pub struct RanksForetold {
    rules: &'static str,
    layers: usize,
    positions: u64,
    ranks: usize,
    memory_allowed: u64,
    /// Of each rank.
    memory: u64,
    /// Of each if its part is on disk.
    #[serde(skip)]
    memory_least: u64,
    /// Of rank 0 besides: nothing, for no rank has a whole layer. Scripts may read it.
    memory_leader: u64,
    /// The slowest rank's work for one that all share evenly.
    balance: f64,
    bytes_sent_a_position_and_sweep: f64,
    bytes_sent: u64,
    sweeps: f64,
    core_seconds: f64,
    network_seconds: f64,
}

impl RanksForetold {
    /// Foretells what building `missing` takes.
    pub fn of(wanted: Wanted, missing: &[Seeds], ranks: usize, allowed: u64) -> RanksForetold {
        let largest = missing.iter().copied().max().unwrap_or(Seeds::ZERO);
        let needs = wanted.of_ranks(largest, ranks);
        let Needs { share, common, balance, .. } = needs;
        let planes = planes(wanted.rules) as f64;
        let each = between(&SENT, ranks as f64);
        let scores =
            |seeds: &Seeds| planes * wanted.positions(*seeds) as f64 * sweeps(wanted, *seeds);
        let scores: f64 = missing.iter().map(scores).sum();
        RanksForetold {
            rules: wanted.rules.id,
            layers: missing.len(),
            positions: missing.iter().map(|&seeds| wanted.positions(seeds)).sum(),
            ranks,
            memory_allowed: allowed,
            memory: share + common,
            memory_least: of_rank(needs, Way::ScoresOnDisk),
            memory_leader: 0,
            balance: balance.0,
            bytes_sent_a_position_and_sweep: each,
            bytes_sent: (each * scores) as u64,
            sweeps: sweeps(wanted, largest),
            core_seconds: SCORE * scores * balance.0,
            network_seconds: each * scores / ranks as f64 / NETWORK,
        }
    }

    /// Returns it for people.
    pub fn page(&self) -> String {
        let RanksForetold { layers, positions, ranks, memory, .. } = self;
        let fits = match self.memory_allowed {
            allowed if *memory <= allowed => "",
            allowed if self.memory_least <= allowed => ", the rest on disk",
            _ => ", too little",
        };
        let allowed = bytes(self.memory_allowed);
        let alone = self.core_seconds / *ranks as f64;
        format!(
            "Layers to build: {layers}, with {positions} positions, by {ranks} processes. A model:\n  \
             memory   {} each of {allowed} allowed{}\n  \
             rank 0   nothing besides: no process has a whole layer\n  \
             balance  the slowest has {:.2} times the work of an even share\n  \
             sends    {:.2} bytes a position and sweep, about {:.0} sweeps; {} in all\n  \
             time     {} to solve with one core each, and {} on a network of 10 Gbit/s\n\
             The guide's page on several machines says what of this is measured.\n",
            bytes(*memory),
            fits,
            self.balance,
            self.bytes_sent_a_position_and_sweep,
            self.sweeps,
            bytes(self.bytes_sent),
            duration(alone),
            duration(self.network_seconds),
        )
    }
}

/// Sweeps of a layer.
fn sweeps(wanted: Wanted, seeds: Seeds) -> f64 {
    let under_even_split = between(&SWEEPS, seeds.get() as f64);
    match wanted.rules.endless {
        Endless::EvenSplit => under_even_split,
        // Bounds begin further off, and a core is confirmed.
        Endless::OwnSide(_) | Endless::Drawn => 2.0 * under_even_split,
    }
}

/// Reads a list of pairs between its lines; where it ends, its ends.
fn between(known: &[(f64, f64)], at: f64) -> f64 {
    let (first, last) = (known[0], known[known.len() - 1]);
    let step = known.windows(2).find(|step| (step[0].0..=step[1].0).contains(&at));
    match step {
        Some(&[(from, low), (to, high)]) => low + (high - low) * (at - from) / (to - from),
        _ if at < first.0 => first.1,
        _ => last.1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_db::game::{ABAPA, AWARI};

    #[test]
    fn lists_are_read_between_their_lines() {
        let known = [(1.0, 10.0), (3.0, 20.0), (4.0, 0.0)];
        let found = [0.0, 1.0, 2.0, 3.5, 9.0].map(|at| between(&known, at));
        assert_eq!(found, [10.0, 10.0, 15.0, 10.0, 0.0]);
    }

    #[test]
    fn more_ranks_send_more_and_need_less_each() {
        let wanted = Wanted { rules: &ABAPA, strategies: true, ranks: None };
        let missing: Vec<Seeds> = Seeds::new(36).unwrap().up_to().collect();
        let [few, many] = [2, 16].map(|ranks| RanksForetold::of(wanted, &missing, ranks, 1 << 37));
        assert!(few.bytes_sent < many.bytes_sent && few.memory > 2 * many.memory);
        assert!(few.network_seconds > many.network_seconds && few.balance < many.balance);
        let fits = RanksForetold::of(wanted, &missing, 2, few.memory);
        assert!(fits.page().contains(" allowed\n"));
        let tight = RanksForetold::of(wanted, &missing, 2, few.memory - 1);
        assert!(tight.page().contains(" allowed, the rest on disk"));
        let tight = RanksForetold::of(wanted, &missing, 2, few.memory / 1000);
        assert!(tight.page().contains(" allowed, too little"));
        let of_awari = |strategies| {
            let wanted = Wanted { rules: &AWARI, strategies, ..wanted };
            RanksForetold::of(wanted, &missing, 4, 1 << 37).memory
        };
        assert!(of_awari(false) < of_awari(true));
    }
}
