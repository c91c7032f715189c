//! What a build needs and what it has done, layer by layer, as JSON and for people.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use crate::game::Rules;
use crate::json::words::{bytes, quoted};

use super::repair::Damaged;
use crate::cli::options::{DEFAULT_RULES, usual_tables};
use crate::cli::output;
use crate::cli::progress::duration;

/// The needs of one layer.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LayerNeeds {
    pub seeds: usize,
    pub positions: u64,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of disk: for its table, and for what is put there while it is solved.
    pub disk: u64,
    /// Bytes of its table.
    pub table: u64,
    /// Not known of the other games, which put nothing on disk but tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl LayerNeeds {
    /// Returns the needs of layers for people, behind an empty line; nothing if there are none.
    pub fn page(layers: &[LayerNeeds]) -> String {
        if layers.is_empty() {
            return String::new();
        }
        let cells = |layer: &LayerNeeds| {
            let [memory, disk, table] = [layer.memory, layer.disk, layer.table].map(bytes);
            let (seeds, positions) = (layer.seeds.to_string(), positions(layer.positions));
            let disk = layer.seconds.map_or(String::new(), |_| disk);
            let time = layer.seconds.map_or(String::new(), duration);
            vec![seeds, positions, memory, disk, table, time]
        };
        let head = ["seeds", "positions", "memory", "disk", "table", "time"];
        "\n".to_owned() + &output::table(&head, &layers.iter().map(cells).collect::<Vec<_>>())
    }
}

/// Returns a number of positions for people. Some layers of other games have more than can be
/// counted.
pub fn positions(count: u64) -> String {
    if count == u64::MAX { "more than 10^19".to_owned() } else { count.to_string() }
}

/// All tables of a build.
#[derive(Serialize)]
pub struct BuildReport {
    pub rules: &'static str,
    pub layers: Vec<LayerFields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<Vec<Damaged>>,
}

/// The table of a layer.
#[derive(Serialize)]
pub struct LayerFields {
    pub seeds: usize,
    pub positions: u64,
    pub seconds: f64,
    pub bytes: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub kept: bool,
    /// What a kept table has otherwise than a new one would.
    #[serde(skip)]
    pub unlike: Vec<Unlike>,
}

/// What a kept table has otherwise than a new one would.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct Unlike {
    pub what: String,
    /// Whether an option asks for the other thing by name.
    pub is_asked: bool,
}

impl LayerFields {
    /// Creates the figures of a layer that is not written yet.
    pub fn built(seeds: usize, positions: u64, taken: Duration) -> LayerFields {
        let seconds = taken.as_secs_f64();
        LayerFields { seeds, positions, seconds, bytes: 0, kept: false, unlike: Vec::new() }
    }

    /// Creates those of a layer that has a table of this many bytes already.
    pub fn kept(seeds: usize, positions: u64, bytes: u64, unlike: Vec<Unlike>) -> LayerFields {
        LayerFields {
            bytes,
            kept: true,
            unlike,
            ..LayerFields::built(seeds, positions, Duration::ZERO)
        }
    }
}

impl BuildReport {
    /// Says what was done, and what to type next.
    pub fn farewell(&self, dir: &Path) -> String {
        let kept = self.layers.iter().filter(|layer| layer.kept).count();
        let size = bytes(self.layers.iter().map(|layer| layer.bytes).sum());
        let built = self.layers.len() - kept;
        let mut text = format!(
            "Built {built} layers of {} in {} ({kept} already present), {size} in total.\n",
            self.rules,
            dir.display()
        );
        let largest = self.layers.last().filter(|_| Rules::by_id(self.rules).is_some());
        if let Some(example) = largest.and_then(|largest| example(largest.seeds)) {
            text += &format!("Try:\n  oware query \"{example}\"{}\n", self.options(dir));
        }
        text
    }

    /// Returns the options that a query needs to find these tables.
    fn options(&self, dir: &Path) -> String {
        let mut options = String::new();
        if dir != usual_tables() {
            options += &format!(" --tables {}", quoted(dir));
        }
        if self.rules != DEFAULT_RULES.id {
            options += &format!(" --rules {}", self.rules);
        }
        options
    }
}

/// Returns a position that tables up to `seeds` can answer.
fn example(seeds: usize) -> Option<&'static str> {
    match seeds {
        0 => None,
        1..7 => Some("0 0 0 0 0 1  0 0 0 0 0 0"),
        7..12 => Some("0 0 0 0 1 2  1 0 0 0 3 0"),
        _ => Some("1 1 3 1 1 1  2 0 0 0 0 2"),
    }
}
