//! What a run of `oware dataset` has written.

use serde::Serialize;

use oware_db::game::Seeds;

use super::plan;
use super::shards::Shard;

/// What has been written.
#[derive(Serialize)]
pub struct Document {
    pub rules: &'static str,
    pub seeds: Seeds,
    pub seed: u64,
    pub rows: u64,
    pub files: Vec<Shard>,
    pub layers: Vec<DrawnLayer>,
    pub games: PlayedGames,
    /// The tables and their sums.
    #[serde(skip)]
    pub tables: Vec<(String, String)>,
}

/// How many rows a layer gave.
#[derive(Serialize)]
pub struct DrawnLayer {
    pub seeds: Seeds,
    pub positions: u64,
    pub rows: u64,
}

/// How many rows games gave.
#[derive(Serialize)]
pub struct PlayedGames {
    pub games: u64,
    pub rows: usize,
}

impl From<&plan::Drawn> for DrawnLayer {
    fn from(drawn: &plan::Drawn) -> DrawnLayer {
        let layer = drawn.layer;
        DrawnLayer { seeds: layer.seeds(), positions: layer.positions(), rows: drawn.rows }
    }
}
