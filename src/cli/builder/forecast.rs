//! What a build will need, said before it starts; and where a table is missing, the command that
//! makes it and what that takes, or what this machine can make.

use std::fmt;
use std::path::Path;

use crate::error::{Error, Result};
use crate::game::{Rules, Seeds};
use crate::json::words::{bytes, clamping, game_there, quoted};
use crate::probe::Tables;
use crate::solver::Way;

use super::checkpoints;
use super::means::{Disk, Means};
use super::report::LayerNeeds;
use super::speed::Speed;
use super::wanted::Wanted;
use crate::cli::progress::duration;

/// How much longer a layer takes whose scores are on disk, even if the system keeps the files in
/// its memory: `awari` and `abapa` to 20 and 22 seeds, with a quarter of the memory.
const SLOWER: f64 = 2.0;

/// Bytes that a disk is taken to read in a second.
const DISK_SPEED: f64 = 500.0e6;

/// The needs of the layers that are to be built.
#[derive(Clone, Debug)]
pub struct Forecast {
    wanted: Wanted,
    pub missing: Vec<Seeds>,
    speed: Speed,
    pub memory: u64,
    /// Bytes of memory that the build may use.
    pub allowed: u64,
    cache: u64,
    pub disk: Room,
    /// For what does not fit into memory, where that has a disk of its own.
    pub scratch: Option<Room>,
}

/// Bytes of disk.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    pub needed: u64,
    free: u64,
}

impl Forecast {
    /// Forecasts the needs of building `missing`, at the speed that is assumed.
    ///
    /// # Errors
    /// [`Error::TooLittleMemory`], [`Error::TooLittleDisk`] if there is less than that.
    pub fn of(wanted: Wanted, missing: &[Seeds], means: Means) -> Result<Forecast> {
        let Means { memory: allowed, cache, .. } = means;
        let least = |&seeds: &Seeds| wanted.least_memory(seeds);
        if let Some(seeds) = missing.iter().find(|seeds| least(seeds) > allowed) {
            let (seeds, needed) = (seeds.get(), least(seeds));
            return Err(Error::TooLittleMemory { seeds, needed, allowed, possible: None });
        }
        let most = missing.iter().map(|&seeds| wanted.usual_memory(seeds)).max();
        let scratch = missing.iter().map(|&seeds| wanted.scratch(seeds, allowed)).max();
        let tables: u64 = missing.iter().map(|&seeds| wanted.table(seeds)).sum();
        let (beside, elsewhere) = match means.scratch {
            None => (scratch.unwrap_or(0), None),
            Some(disk) => (0, Some(Room::on(disk, scratch.unwrap_or(0))?)),
        };
        let disk = Room::on(means.tables, tables + beside)?;
        let memory = most.unwrap_or(0).min(allowed);
        let (missing, speed) = (missing.to_vec(), Speed::assumed());
        Ok(Forecast { wanted, missing, speed, memory, allowed, cache, disk, scratch: elsewhere })
    }

    /// Returns the largest layer that can be built where some are present; `None` if not even one
    /// can.
    pub fn possible(wanted: Wanted, present: &[Seeds], means: Means) -> Option<Seeds> {
        Forecast::possible_by(wanted, present, means, Way::ScoresOnDisk)
    }

    /// Returns the same where layers are solved in some way, or in one that needs more memory.
    pub fn possible_by(wanted: Wanted, present: &[Seeds], means: Means, way: Way) -> Option<Seeds> {
        let suffices = |seeds: &Seeds| {
            let missing: Vec<Seeds> = absent(present, *seeds).collect();
            let is_solved = |&seeds: &Seeds| wanted.way(seeds, means.memory) <= way;
            missing.iter().all(is_solved) && Forecast::of(wanted, &missing, means).is_ok()
        };
        wanted.most().up_to().rev().find(suffices)
    }

    /// Returns the forecast with the speed of this machine, which is measured if the build is long
    /// enough for that to pay.
    pub fn measured(self) -> Forecast {
        let speed = Speed::of(self.wanted, self.positions(), self.allowed);
        Forecast { speed, ..self }
    }

    /// Returns the forecast with a speed that has been measured before.
    pub fn at(self, speed: Speed) -> Forecast {
        Forecast { speed, ..self }
    }

    /// Returns the layers, and what each of them needs.
    pub fn layers(&self) -> Vec<LayerNeeds> {
        let layer = |&seeds: &Seeds| {
            let table = self.wanted.table(seeds);
            LayerNeeds {
                seeds: seeds.get(),
                positions: self.wanted.positions(seeds),
                memory: self.wanted.usual_memory(seeds).min(self.allowed),
                disk: table + self.wanted.scratch(seeds, self.allowed),
                table,
                seconds: Some(self.layer_seconds(seeds)),
            }
        };
        self.missing.iter().map(layer).collect()
    }

    /// Returns how many positions there are to be solved.
    pub fn positions(&self) -> u64 {
        self.missing.iter().map(|&seeds| self.wanted.positions(seeds)).sum()
    }

    /// Returns how long that takes.
    pub fn seconds(&self) -> f64 {
        // The sum of no numbers is -0.
        self.missing.iter().map(|&seeds| self.layer_seconds(seeds)).fold(0.0, |sum, one| sum + one)
    }

    fn layer_seconds(&self, seeds: Seeds) -> f64 {
        let slower = if self.way(seeds) == Way::ScoresOnDisk { SLOWER } else { 1.0 };
        let solving = self.speed.seconds(self.wanted.positions(seeds)) * slower;
        solving + self.reading_of_layer(seeds) as f64 / DISK_SPEED
    }

    fn way(&self, seeds: Seeds) -> Way {
        self.wanted.way(seeds, self.allowed)
    }

    /// Returns the bytes that are read from the disk itself to solve a layer, at most: nothing if
    /// the system has memory enough to keep the files in.
    fn reading_of_layer(&self, seeds: Seeds) -> u64 {
        let files = self.wanted.scratch(seeds, self.allowed);
        if files <= self.cache { 0 } else { self.wanted.reading(seeds, self.allowed) }
    }

    /// Returns how much work each layer is: this many positions in memory.
    pub fn work(&self) -> Vec<(Seeds, u64)> {
        let second = 1.0 / self.speed.seconds(1);
        let work = |&seeds: &Seeds| (seeds, (self.layer_seconds(seeds) * second) as u64);
        self.missing.iter().map(work).collect()
    }

    /// Returns the bytes of disk for checkpoints, without which a build can do.
    pub fn checkpoints(&self) -> u64 {
        let long = |seeds: &&Seeds| self.layer_seconds(**seeds) > checkpoints::SECONDS as f64;
        let long = self.missing.iter().filter(long);
        long.map(|&seeds| checkpoints::disk(self.wanted, seeds)).max().unwrap_or(0)
    }

    /// Returns the first layer that is solved in some way, or in one that needs less memory.
    pub fn first(&self, way: Way) -> Option<Seeds> {
        self.missing.iter().copied().find(|&seeds| self.way(seeds) >= way)
    }

    /// Returns the bytes that are read from disk to solve layers, at most.
    pub fn reading(&self) -> u64 {
        self.missing.iter().map(|&seeds| self.reading_of_layer(seeds)).sum()
    }

    /// Returns the needs in a few words.
    pub fn briefly(&self) -> String {
        let Forecast { memory, disk, .. } = self;
        let time = duration(self.seconds());
        format!("{time}, {} of memory, {} of disk", bytes(*memory), bytes(disk.needed))
    }
}

impl Room {
    /// Room for this many bytes in a directory.
    ///
    /// # Errors
    /// [`Error::TooLittleDisk`] if there is none.
    pub fn on(Disk { dir, free }: Disk, needed: u64) -> Result<Room> {
        let refused = || Error::TooLittleDisk { dir: dir.to_owned(), needed, free, possible: None };
        if needed > free { Err(refused()) } else { Ok(Room { needed, free }) }
    }

    /// Returns the bytes that are free, if that matters.
    pub fn free(&self) -> Option<u64> {
        (self.free != Disk::ENOUGH).then_some(self.free)
    }
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.free() {
            Some(free) => write!(f, "{} of {} free", bytes(self.needed), bytes(free)),
            None => write!(f, "{}", bytes(self.needed)),
        }
    }
}

/// Returns the layers up to one that are not present.
pub fn absent(present: &[Seeds], largest: Seeds) -> impl Iterator<Item = Seeds> {
    largest.up_to().filter(|seeds| !present.contains(seeds))
}

impl fmt::Display for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (layers, positions) = (self.missing.len(), self.positions());
        writeln!(f, "Layers to build: {layers} ({positions} positions). Rough forecast:")?;
        writeln!(f, "  time    {}, {}", duration(self.seconds()), self.speed.words)?;
        writeln!(f, "  memory  {} of {} allowed", bytes(self.memory), bytes(self.allowed))?;
        if let Some(seeds) = self.first(Way::CapturesOnDisk) {
            let what = match self.wanted.ranks {
                None if self.wanted.rules.endless.is_settled() => {
                    "captures are read from disk in the first sweep"
                }
                None => "captures are read from disk in every sweep",
                Some(_) => "MPI process 0 assembles layers on disk",
            };
            writeln!(f, "  {what}, from {seeds} seeds on")?;
        }
        if let Some(seeds) = self.first(Way::ScoresOnDisk) {
            writeln!(f, "  scores are on disk while a layer is solved, from {seeds} seeds on")?;
        }
        if self.reading() > 0 {
            let (read, speed) = (bytes(self.reading()), bytes(DISK_SPEED as u64));
            writeln!(f, "  up to {read} are read from disk, assuming {speed} per second")?;
        }
        if let Some(scratch) = self.scratch.filter(|room| room.needed > 0) {
            writeln!(f, "  scratch {scratch}")?;
        }
        write!(f, "  disk    {}", self.disk)?;
        match self.checkpoints() {
            0 => Ok(()),
            checkpoints => {
                write!(f, ", plus up to {} for checkpoints", bytes(checkpoints))
            }
        }
    }
}

/// Says how to make the table of a layer, if that can be said.
pub fn remedy(dir: &Path, rules: &str, seeds: usize) -> Option<String> {
    let (rules, seeds) = (Rules::by_id(rules)?, Seeds::new(seeds)?);
    let game = game_there(dir, rules.id, seeds.get());
    let options = clamping(game, seeds.get());
    // Tables for games without such a layer are replaced.
    let (game, is_kept) =
        (game.filter(|&game| game >= seeds), game.is_none_or(|game| game >= seeds));
    let wanted = Wanted { rules, strategies: true, game, ranks: None };
    let mut present = Tables::open_early(dir).and_then(|tables| tables.available(rules)).ok()?;
    present.retain(|_| is_kept);
    let means = Means::of(None, dir, None).ok()?;
    let missing: Vec<Seeds> = absent(&present, seeds).collect();
    let command = |seeds: String| {
        let (rules, dir) = (rules.id, quoted(dir));
        format!("`oware build --rules {rules} --seeds {seeds}{options} --tables {dir}`")
    };
    if let Ok(forecast) = Forecast::of(wanted, &missing, means) {
        let needs = forecast.measured().briefly();
        return Some(format!("{} builds it ({needs})", command(seeds.to_string())));
    }
    Some(match Forecast::possible(wanted, &present, means) {
        Some(most) => format!(
            "this machine can build tables of up to {most} seeds: {}",
            command("max".to_owned())
        ),
        None => "memory and disk of this machine do not suffice for a single layer".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::AWARI;
    use std::path::Path;

    const WANTED: Wanted = Wanted { rules: &AWARI, strategies: false, game: None, ranks: None };
    fn any() -> Means<'static> {
        Means::elsewhere(u64::MAX, None, Path::new("tables"))
    }
    fn disk(free: u64) -> Disk<'static> {
        Disk { dir: Path::new("tables"), free }
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
        assert!(large.to_string().ends_with(" for checkpoints"), "{large}");
    }

    /// The less memory, the longer it takes; what the system keeps in memory is not read.
    #[test]
    fn what_is_on_disk_takes_time() {
        let missing = [Seeds::new(22).unwrap()];
        let [memory, captures, scores] = [1_500_000_000, 550_000_000, 250_000_000]
            .map(|memory| Forecast::of(WANTED, &missing, Means { memory, ..any() }).unwrap());
        assert_eq!(memory.reading(), 0);
        assert!(captures.reading() > 0 && captures.seconds() > memory.seconds());
        assert!(scores.reading() > captures.reading() && scores.seconds() > captures.seconds());
        let words = ["captures are read from disk", "scores are on disk", "GB are read from disk"];
        for (forecast, said) in [(&memory, [0, 0, 0]), (&captures, [1, 0, 1]), (&scores, [1; 3])] {
            let text = forecast.to_string();
            assert_eq!(words.map(|words| text.matches(words).count()), said, "{text}");
        }
        let means = Means { memory: 250_000_000, cache: 10_000_000_000, ..any() };
        let kept = Forecast::of(WANTED, &missing, means).unwrap();
        assert!(kept.reading() == 0 && kept.seconds() < scores.seconds());
        assert!(kept.seconds() > memory.seconds());
        assert!(kept.work()[0].1 > WANTED.positions(missing[0]));
    }

    /// What does not fit into memory is looked for where it is to be, and tables where they are.
    #[test]
    fn each_disk_is_asked_for_what_goes_there() {
        let missing = [Seeds::new(22).unwrap()];
        let forecast = |tables: u64, scratch: Option<u64>| {
            let scratch = scratch.map(|free| Disk { dir: Path::new("scratch"), free });
            let means = Means { memory: 250_000_000, tables: disk(tables), scratch, ..any() };
            Forecast::of(WANTED, &missing, means)
        };
        let refused = |tables, scratch| match forecast(tables, scratch) {
            Err(Error::TooLittleDisk { dir, needed, free, .. }) => (dir, needed, free),
            other => panic!("{other:?}"),
        };
        let together = forecast(u64::MAX, None).unwrap();
        let apart = forecast(u64::MAX, Some(u64::MAX)).unwrap();
        let (tables, scratch) = (apart.disk.needed, apart.scratch.unwrap().needed);
        assert!(tables == WANTED.table(missing[0]) && scratch > tables);
        assert!(together.scratch.is_none() && together.disk.needed == tables + scratch);
        assert!(apart.to_string().contains("\n  scratch "), "{apart}");
        assert!(!together.to_string().contains("\n  scratch "), "{together}");
        assert!(
            forecast(tables, Some(scratch)).is_ok() && forecast(tables + scratch, None).is_ok()
        );
        let (there, here) = (Path::new("scratch").to_owned(), Path::new("tables").to_owned());
        assert_eq!(refused(u64::MAX, Some(scratch - 1)), (there, scratch, scratch - 1));
        assert_eq!(refused(tables - 1, Some(u64::MAX)), (here.clone(), tables, tables - 1));
        let both = tables + scratch;
        assert_eq!(refused(both - 1, None), (here, both, both - 1));
    }

    #[test]
    fn what_is_possible_fits_and_the_next_layer_does_not() {
        let all = |seeds: Seeds| Vec::from_iter(absent(&[], seeds));
        for megabytes in [60, 100, 500, 2000, 30_000] {
            for means in [
                Means { memory: megabytes * 1_000_000, ..any() },
                Means { tables: disk(megabytes * 1_000_000), ..any() },
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
