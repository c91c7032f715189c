//! What a build will need, said before it starts.

use std::fmt;
use std::path::Path;

use sysinfo::System;

use oware_db::error::{Error, Result};
use oware_db::game::Seeds;
use oware_db::json::words::bytes;

use super::checkpoints;
use super::wanted::Wanted;
use crate::cli::progress::duration;

/// Positions a second that one thread solves, to tell minutes from days.
const POSITIONS_PER_SECOND: f64 = 8.0e6;
/// Bytes of memory to count on where the system does not say how much is available.
const ASSUMED_MEMORY: u64 = 8_000_000_000;

/// The needs of the layers that are to be built.
pub struct Forecast {
    layers: usize,
    positions: u64,
    seconds: f64,
    memory: u64,
    allowed: u64,
    disk: u64,
    /// Bytes of disk for checkpoints, without which a build can do.
    checkpoints: u64,
}

impl Forecast {
    /// Forecasts the needs of building `missing` with `allowed` bytes of memory.
    ///
    /// # Errors
    /// [`Error::TooLittleMemory`] if a layer needs more than that.
    pub fn of(wanted: Wanted, missing: &[Seeds], allowed: u64) -> Result<Forecast> {
        let count: u64 = missing.iter().map(|&seeds| wanted.positions(seeds)).sum();
        let least = |&seeds: &Seeds| wanted.least_memory(seeds);
        if let Some(seeds) = missing.iter().find(|seeds| least(seeds) > allowed) {
            return Err(Error::TooLittleMemory {
                seeds: seeds.get(),
                needed: least(seeds),
                allowed,
            });
        }
        let most = missing.iter().map(|&seeds| wanted.usual_memory(seeds)).max();
        let spilled = missing.iter().map(|&seeds| wanted.spilled(seeds, allowed)).max();
        let checkpoints =
            missing.iter().filter(|&&seeds| time(wanted, seeds) > checkpoints::SECONDS as f64);
        let checkpoints = checkpoints.map(|&seeds| checkpoints::disk(wanted, seeds)).max();
        Ok(Forecast {
            layers: missing.len(),
            positions: count,
            seconds: missing.iter().map(|&seeds| time(wanted, seeds)).sum(),
            memory: most.unwrap_or(0).min(allowed),
            allowed,
            disk: missing.iter().map(|&seeds| wanted.table(seeds)).sum::<u64>()
                + spilled.unwrap_or(0),
            checkpoints: checkpoints.unwrap_or(0),
        })
    }

    /// Compares the disk with what is free.
    ///
    /// # Errors
    /// [`Error::TooLittleDisk`] if it does not fit.
    pub fn check_disk(&self, dir: &Path) -> Result<()> {
        let free = fs4::available_space(dir).map_err(Error::io("asking for free space", dir))?;
        if self.disk > free {
            return Err(Error::TooLittleDisk { dir: dir.to_owned(), needed: self.disk, free });
        }
        Ok(())
    }
}

/// Returns the seconds that solving a layer takes.
fn time(wanted: Wanted, seeds: Seeds) -> f64 {
    wanted.positions(seeds) as f64 / POSITIONS_PER_SECOND / rayon::current_num_threads() as f64
}

impl fmt::Display for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Forecast { layers, positions, .. } = self;
        writeln!(f, "Layers to build: {layers}, with {positions} positions. A rough forecast:")?;
        writeln!(f, "  time    {}", duration(self.seconds))?;
        writeln!(f, "  memory  {} of {} allowed", bytes(self.memory), bytes(self.allowed))?;
        write!(f, "  disk    {}", bytes(self.disk))?;
        match self.checkpoints {
            0 => Ok(()),
            checkpoints => {
                write!(f, ", and up to {} for checkpoints meanwhile", bytes(checkpoints))
            }
        }
    }
}

/// Returns three quarters of the memory that is available to this program, in bytes: to the whole
/// system or, where that is less, to the control group that a container runs in.
pub fn usable_memory() -> u64 {
    let mut system = System::new();
    system.refresh_memory();
    let group = system.cgroup_limits().map(|group| group.total_memory.saturating_sub(group.rss));
    let available = system.available_memory().min(group.unwrap_or(u64::MAX));
    if available == 0 { ASSUMED_MEMORY } else { available / 4 * 3 }
}

/// Reads a number of bytes: `8G`, `500MB`, `1.5GiB`, `100000`.
pub fn parse_bytes(text: &str) -> std::result::Result<u64, String> {
    let wrong = || "not a number of bytes such as 8G, 500M or 1.5GiB".to_owned();
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().map_err(|_| wrong())?;
    let unit = text[end..].trim().to_ascii_lowercase();
    let (prefix, base) = match unit.strip_suffix("ib").or(unit.strip_suffix('i')) {
        Some(prefix) => (prefix, 1024.0),
        None => (unit.strip_suffix('b').unwrap_or(&unit), 1000.0f64),
    };
    let power =
        ["", "k", "m", "g", "t"].iter().position(|&known| known == prefix).ok_or_else(wrong)?;
    Ok((number * base.powi(power as i32)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_db::game::AWARI;

    /// Forty seeds take a minute on any machine.
    #[test]
    fn large_layers_have_checkpoints() {
        let forecast = |seeds| {
            let seeds = Seeds::new(seeds).unwrap();
            let wanted = Wanted { rules: &AWARI, strategies: false };
            Forecast::of(wanted, &[seeds], u64::MAX).unwrap()
        };
        assert_eq!(forecast(12).checkpoints, 0);
        assert!(!forecast(12).to_string().contains("checkpoints"));
        let large = forecast(40);
        let three = 3 * large.positions;
        assert!((three..three / 10 * 11).contains(&large.checkpoints), "{}", large.checkpoints);
        assert!(large.to_string().ends_with(" for checkpoints meanwhile"), "{large}");
    }

    #[test]
    fn bytes_are_read() {
        for (text, count) in [
            ("8G", 8_000_000_000),
            ("500M", 500_000_000),
            ("1.5 GiB", 1_610_612_736),
            ("2ki", 2048),
            ("7kb", 7000),
            ("12", 12),
            ("3 B", 3),
        ] {
            assert_eq!(parse_bytes(text), Ok(count), "{text}");
        }
        for text in ["", "G", "-1", "8X", "1.2.3", "8 G G", "½"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn some_memory_is_usable_and_not_all_of_it() {
        let mut system = System::new();
        system.refresh_memory();
        let usable = usable_memory();
        assert!(0 < usable && usable < system.total_memory(), "{usable}");
    }
}
