//! What `build --dry-run` says: the needs of each layer, and how far machines go.
//!
//! With more memory than there is here, or with `--disk`, it is about another machine. What is free
//! here does not matter then, nor how many processors there are; only its speed is taken from here,
//! thread by thread. So is that for more threads than are of use here.

use serde::{Serialize, Serializer};
use serde_json::json;

use crate::error::Result;
use crate::game::Seeds;
use crate::json::words::bytes;
use crate::solver::Way;

use super::forecast::{Forecast, absent};
use super::means::Means;
use super::report::LayerNeeds;
use super::speed::Speed;
use super::wanted::Wanted;
use crate::cli::output;
use crate::cli::progress::duration;

/// Memory of machines that people have, in bytes.
const SIZES: [u64; 5] = [8 * GB, 16 * GB, 32 * GB, 64 * GB, 128 * GB];

const GB: u64 = 1_000_000_000;

/// What `--dry-run` says.
pub struct Foretold {
    pub rules: &'static str,
    /// Layers that have a table already.
    pub kept: usize,
    pub forecast: Forecast,
    /// Seeds of the largest layer that the machine can build.
    pub possible: Option<Seeds>,
    /// How far others go, if that is asked for.
    pub reaches: Vec<Reach>,
}

/// How far one goes with so much memory.
#[derive(Serialize)]
pub struct Reach {
    /// Bytes that a build may use.
    memory_allowed: u64,
    /// While scores of the layer being solved are in memory.
    in_memory: Option<Needs>,
    /// With scores on disk, which takes its time.
    on_disk: Option<Needs>,
}

/// What all layers up to one need.
#[derive(Serialize)]
struct Needs {
    seeds: Seeds,
    memory: u64,
    disk: u64,
    seconds: f64,
}

impl Reach {
    /// Returns how far machines go that are like one but for their memory: those that people have, or
    /// the one with the memory that is asked for.
    pub fn all(
        wanted: Wanted,
        present: &[Seeds],
        means: Means,
        asked: Option<u64>,
        speed: Speed,
    ) -> Vec<Reach> {
        let sizes = asked.map_or(SIZES.to_vec(), |memory| vec![memory]);
        let of_size = |memory_allowed| {
            let means = Means { memory: memory_allowed, ..means };
            let by = |way| {
                let seeds = Forecast::possible_by(wanted, present, means, way)?;
                let missing: Vec<Seeds> = absent(present, seeds).collect();
                let forecast = Forecast::of(wanted, &missing, means).ok()?.at(speed.clone());
                let (memory, disk) = (forecast.memory, forecast.disk.needed);
                Some(Needs { seeds, memory, disk, seconds: forecast.seconds() })
            };
            let (in_memory, on_disk) = (by(Way::CapturesOnDisk), by(Way::ScoresOnDisk));
            Reach { memory_allowed, in_memory, on_disk }
        };
        sizes.into_iter().map(of_size).collect()
    }

    fn cells(&self) -> Vec<String> {
        let needs = |needs: &Option<Needs>| match needs {
            Some(needs) => [needs.seeds.to_string(), bytes(needs.disk), duration(needs.seconds)],
            None => ["none", "", ""].map(str::to_owned),
        };
        let [seeds, disk, time] = needs(&self.in_memory);
        let [more, more_disk, more_time] = needs(&self.on_disk);
        vec![bytes(self.memory_allowed), seeds, disk, time, more, more_disk, more_time]
    }
}

impl Foretold {
    /// Returns it for people.
    pub fn page(&self) -> String {
        let possible = match self.possible {
            Some(seeds) => format!("memory and disk suffice for layers of up to {seeds} seeds"),
            None => "memory and disk do not suffice for a single layer".to_owned(),
        };
        let mut page = format!(
            "{}\nLayers already present: {}. With `--seeds max`, {possible}.\n{}",
            self.forecast,
            self.kept,
            LayerNeeds::page(&self.forecast.layers()),
        );
        if !self.reaches.is_empty() {
            let head = ["memory", "seeds", "disk", "time", "or seeds", "disk", "time"];
            let rows: Vec<Vec<String>> = self.reaches.iter().map(Reach::cells).collect();
            page += "\nLargest build by memory: with scores in memory while a layer is solved, or \
                     with scores on disk:\n\n";
            page += &output::table(&head, &rows);
        }
        page
    }
}

impl Serialize for Foretold {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let forecast = &self.forecast;
        let mut fields = json!({
            "rules": self.rules,
            "layers": forecast.layers(),
            "kept": self.kept,
            "positions": forecast.positions(),
            "seconds": forecast.seconds(),
            "memory": forecast.memory,
            "memory_allowed": forecast.allowed,
            "disk": forecast.disk.needed,
            "disk_free": forecast.disk.free(),
            // Where that has a disk of its own.
            "scratch": forecast.scratch.map(|room| room.needed),
            "scratch_free": forecast.scratch.and_then(|room| room.free()),
            "checkpoints": forecast.checkpoints(),
            // Bytes read from disk to solve layers.
            "reading": forecast.reading(),
            "captures_on_disk_from": forecast.first(Way::CapturesOnDisk),
            "scores_on_disk_from": forecast.first(Way::ScoresOnDisk),
            "possible_seeds": self.possible,
        });
        if !self.reaches.is_empty() {
            fields["reaches"] = json!(self.reaches);
        }
        fields.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::AWARI;
    use std::path::Path;

    const WANTED: Wanted = Wanted { rules: &AWARI, strategies: false, game: None, ranks: None };

    fn means(memory: u64) -> Means<'static> {
        Means::elsewhere(memory, None, Path::new("tables"))
    }

    fn forecast(seeds: usize, memory: u64) -> Forecast {
        let missing: Vec<Seeds> = Seeds::new(seeds).unwrap().up_to().collect();
        Forecast::of(WANTED, &missing, means(memory)).unwrap()
    }

    #[test]
    fn layers_add_up_to_the_forecast() {
        for memory in [2_000_000_000, u64::MAX] {
            let forecast = forecast(30, memory);
            let layers = forecast.layers();
            let sum: f64 = layers.iter().filter_map(|layer| layer.seconds).sum();
            assert!((sum / forecast.seconds() - 1.0).abs() < 1e-9);
            assert_eq!(layers.iter().map(|layer| layer.memory).max(), Some(forecast.memory));
            let tables: u64 = layers.iter().map(|layer| layer.table).sum();
            let scratch = layers.iter().map(|layer| layer.disk - layer.table).max();
            assert_eq!(forecast.disk.needed, tables + scratch.unwrap());
            assert_eq!(scratch.unwrap() > 0, memory < u64::MAX);
        }
    }

    #[test]
    fn more_memory_goes_further_and_the_disk_further_still() {
        let speed = Speed::assumed;
        let reaches = Reach::all(WANTED, &[], means(0), None, speed());
        let seeds = |needs: &Option<Needs>| needs.as_ref().unwrap().seeds;
        assert_eq!(reaches.len(), SIZES.len());
        for pair in reaches.windows(2) {
            assert!(seeds(&pair[0].in_memory) < seeds(&pair[1].in_memory));
            assert!(seeds(&pair[0].on_disk) <= seeds(&pair[1].on_disk));
        }
        for reach in &reaches {
            let (near, far) = (reach.in_memory.as_ref().unwrap(), reach.on_disk.as_ref().unwrap());
            assert!(near.seeds < far.seeds || far.seeds == Seeds::MAX);
            assert!(near.memory <= reach.memory_allowed && near.seconds <= far.seconds);
            let next = Seeds::new(near.seeds.get() + 1).unwrap();
            assert_eq!(WANTED.way(next, reach.memory_allowed), Way::ScoresOnDisk);
        }
        let one = Reach::all(WANTED, &[], means(0), Some(1), speed());
        assert!(one.len() == 1 && one[0].in_memory.is_none() && one[0].on_disk.is_none());
    }
}
