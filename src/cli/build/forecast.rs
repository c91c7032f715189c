//! What a build will need, said before it starts.

use std::fmt;

use serde::Serialize;

use oware_db::error::{Error, Result};
use oware_db::game::Seeds;
use oware_db::json::words::bytes;
use oware_db::solver::Way;

use super::checkpoints;
use super::means::Means;
use super::speed::Speed;
use super::wanted::Wanted;
use crate::cli::progress::duration;

/// The needs of the layers that are to be built.
#[derive(Clone, Debug)]
pub struct Forecast {
    wanted: Wanted,
    missing: Vec<Seeds>,
    speed: Speed,
    memory: u64,
    allowed: u64,
    disk: u64,
    free: u64,
}

impl Forecast {
    /// Forecasts the needs of building `missing`, at the speed that is assumed.
    ///
    /// # Errors
    /// [`Error::TooLittleMemory`], [`Error::TooLittleDisk`] if there is less than that.
    pub fn of(wanted: Wanted, missing: &[Seeds], means: Means) -> Result<Forecast> {
        let Means { dir, memory: allowed, disk: free } = means;
        let least = |&seeds: &Seeds| wanted.least_memory(seeds);
        if let Some(seeds) = missing.iter().find(|seeds| least(seeds) > allowed) {
            let (seeds, needed) = (seeds.get(), least(seeds));
            return Err(Error::TooLittleMemory { seeds, needed, allowed, possible: None });
        }
        let most = missing.iter().map(|&seeds| wanted.usual_memory(seeds)).max();
        let scratch = missing.iter().map(|&seeds| wanted.scratch(seeds, allowed)).max();
        let tables: u64 = missing.iter().map(|&seeds| wanted.table(seeds)).sum();
        let disk = tables + scratch.unwrap_or(0);
        if disk > free {
            let dir = dir.to_owned();
            return Err(Error::TooLittleDisk { dir, needed: disk, free, possible: None });
        }
        let memory = most.unwrap_or(0).min(allowed);
        let (missing, speed) = (missing.to_vec(), Speed::ASSUMED);
        Ok(Forecast { wanted, missing, speed, memory, allowed, disk, free })
    }

    /// Returns the largest layer that can be built where some are present; `None` if not even one
    /// can.
    pub fn possible(wanted: Wanted, present: &[Seeds], means: Means) -> Option<Seeds> {
        let suffices = |seeds: &Seeds| {
            let missing: Vec<Seeds> = absent(present, *seeds).collect();
            Forecast::of(wanted, &missing, means).is_ok()
        };
        Seeds::MAX.up_to().rev().find(suffices)
    }

    /// Returns the forecast with the speed of this machine, which is measured if the build is long
    /// enough for that to pay.
    pub fn measured(self) -> Forecast {
        let speed = Speed::of(self.wanted, self.positions(), self.allowed);
        Forecast { speed, ..self }
    }

    /// Returns the bytes of memory that the build may use.
    pub fn ceiling(&self) -> u64 {
        self.allowed
    }

    fn positions(&self) -> u64 {
        self.missing.iter().map(|&seeds| self.wanted.positions(seeds)).sum()
    }

    fn seconds(&self) -> f64 {
        self.speed.seconds(self.positions())
    }

    /// Returns the bytes of disk for checkpoints, without which a build can do.
    fn checkpoints(&self) -> u64 {
        let seconds = |seeds| self.speed.seconds(self.wanted.positions(seeds));
        let long =
            self.missing.iter().filter(|&&seeds| seconds(seeds) > checkpoints::SECONDS as f64);
        long.map(|&seeds| checkpoints::disk(self.wanted, seeds)).max().unwrap_or(0)
    }

    /// Returns the layers whose captures do not fit into memory beside the scores.
    fn captures_on_disk(&self) -> impl Iterator<Item = Seeds> {
        let on_disk = |seeds: &Seeds| self.wanted.way(*seeds, self.allowed) == Way::CapturesOnDisk;
        self.missing.iter().copied().filter(on_disk)
    }

    /// Returns the needs in a few words.
    pub fn briefly(&self) -> String {
        let Forecast { memory, disk, .. } = self;
        let time = duration(self.seconds());
        format!("{time}, {} of memory, {} of disk", bytes(*memory), bytes(*disk))
    }
}

/// Adds to a refusal which layers there is enough for.
pub fn with_possible(error: Error, most: Option<Seeds>) -> Error {
    let most = most.map(Seeds::get);
    match error {
        Error::TooLittleMemory { seeds, needed, allowed, .. } => {
            Error::TooLittleMemory { seeds, needed, allowed, possible: most }
        }
        Error::TooLittleDisk { dir, needed, free, .. } => {
            Error::TooLittleDisk { dir, needed, free, possible: most }
        }
        error => error,
    }
}

/// Returns the layers up to one that are not present.
pub fn absent(present: &[Seeds], largest: Seeds) -> impl Iterator<Item = Seeds> {
    largest.up_to().filter(|seeds| !present.contains(seeds))
}

impl fmt::Display for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (layers, positions) = (self.missing.len(), self.positions());
        writeln!(f, "Layers to build: {layers}, with {positions} positions. A rough forecast:")?;
        writeln!(f, "  time    {}, {}", duration(self.seconds()), self.speed)?;
        writeln!(f, "  memory  {} of {} allowed", bytes(self.memory), bytes(self.allowed))?;
        if let Some(seeds) = self.captures_on_disk().next() {
            writeln!(f, "  captures are read from disk in every sweep, from {seeds} seeds on")?;
        }
        write!(f, "  disk    {} of {} free", bytes(self.disk), bytes(self.free))?;
        match self.checkpoints() {
            0 => Ok(()),
            checkpoints => {
                write!(f, ", and up to {} for checkpoints meanwhile", bytes(checkpoints))
            }
        }
    }
}

/// What `--dry-run` says.
pub struct Foretold {
    pub rules: &'static str,
    /// Layers that have a table already.
    pub kept: usize,
    pub forecast: Forecast,
    /// Seeds of the largest layer that this machine can build.
    pub possible: Option<Seeds>,
}

impl Foretold {
    /// Returns it for people.
    pub fn page(&self) -> String {
        let possible = match self.possible {
            Some(seeds) => format!("memory and disk suffice for layers of up to {seeds} seeds"),
            None => "memory and disk do not suffice for a single layer".to_owned(),
        };
        format!(
            "{}\nLayers that are there already: {}. With `--seeds max`, {possible}.\n",
            self.forecast, self.kept
        )
    }
}

impl Serialize for Foretold {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields {
            rules: &'static str,
            layers: usize,
            kept: usize,
            positions: u64,
            seconds: f64,
            memory: u64,
            memory_allowed: u64,
            disk: u64,
            disk_free: u64,
            checkpoints: u64,
            possible_seeds: Option<usize>,
        }
        let forecast = &self.forecast;
        let fields = Fields {
            rules: self.rules,
            layers: forecast.missing.len(),
            kept: self.kept,
            positions: forecast.positions(),
            seconds: forecast.seconds(),
            memory: forecast.memory,
            memory_allowed: forecast.allowed,
            disk: forecast.disk,
            disk_free: forecast.free,
            checkpoints: forecast.checkpoints(),
            possible_seeds: self.possible.map(Seeds::get),
        };
        fields.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::build::wanted::Strategies;
    use oware_db::game::AWARI;
    use std::path::Path;

    const WANTED: Wanted = Wanted { rules: &AWARI, strategies: Strategies::None };
    fn any() -> Means<'static> {
        Means { dir: Path::new(""), memory: u64::MAX, disk: u64::MAX }
    }

    /// Forty seeds take a minute on any machine.
    #[test]
    fn large_layers_have_checkpoints() {
        let forecast = |seeds| Forecast::of(WANTED, &[Seeds::new(seeds).unwrap()], any()).unwrap();
        assert_eq!(forecast(12).checkpoints(), 0);
        assert!(!forecast(12).to_string().contains("checkpoints"));
        let large = forecast(40);
        let three = 3 * large.positions();
        assert!((three..three / 10 * 11).contains(&large.checkpoints()), "{}", large.checkpoints());
        assert!(large.to_string().ends_with(" for checkpoints meanwhile"), "{large}");
    }

    #[test]
    fn what_is_possible_fits_and_the_next_layer_does_not() {
        let all = |seeds: Seeds| Vec::from_iter(absent(&[], seeds));
        for megabytes in [60, 100, 500, 2000, 30_000] {
            for means in [
                Means { memory: megabytes * 1_000_000, ..any() },
                Means { disk: megabytes * 1_000_000, ..any() },
            ] {
                let possible = Forecast::possible(WANTED, &[], means).unwrap();
                assert!(Forecast::of(WANTED, &all(possible), means).is_ok());
                let next = Seeds::new(possible.get() + 1).unwrap();
                assert!(Forecast::of(WANTED, &all(next), means).is_err());
            }
        }
        assert_eq!(Forecast::possible(WANTED, &[], Means { memory: 0, ..any() }), None);
        assert_eq!(Forecast::possible(WANTED, &[], any()), Some(Seeds::MAX));
    }
}
