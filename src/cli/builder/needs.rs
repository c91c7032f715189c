//! What a layer needs to be built, of any game.

use serde::Serialize;

use oware_db::json::words::bytes;

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
            vec![
                seeds,
                positions,
                memory,
                disk,
                table,
                layer.seconds.map_or(String::new(), duration),
            ]
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
