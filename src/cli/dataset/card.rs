//! What a dataset says of itself: its document, the data card and how to cite it. Nothing in it
//! depends on when or where the dataset was made.

use serde::Serialize;

use crate::game::Seeds;

use super::games::{DEPTH, OPENING};
use super::plan::Drawn;
use super::row::{FIELDS, Split};
use super::shards::{Format, Shard};

/// The version of the program, which with the options determines every byte.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the data card.
pub fn card(document: &DatasetDocument, format: Format, command: &str) -> String {
    let DatasetDocument { rules, seeds, rows, .. } = document;
    format!(
        "{front}\n# Oware positions with exact values, sheet `{rules}`, 0 to {seeds} seeds\n\n\
         {rows} positions of Oware endgames with what they and each of their moves are worth, taken \
         from the tables of [oware-db](https://crates.io/crates/oware-db) {VERSION}.\n\n\
         ## Fields\n\n{fields}\n\
         A value that is not exact is never given as one: it is -127, and `low` and `high` bound it.\n\n\
         ## Counts\n\n{layers}\n\
         {played} rows come from {games} games. Every large layer has as many rows as every other, so \
         rows are not spread over seeds as positions are; the positions of a layer are drawn evenly \
         and none twice. A position may be drawn from its layer and come up in games, too.\n\n\
         {files}\n\
         ## Splits\n\n{splits}\n\
         ## How it was made\n\n```sh\n{command}\n```\n\n\
         With version {VERSION} and tables of these layers that makes the same bytes again on any \
         machine; `sha256sum -c SHA256SUMS` compares them. The values are those of the tables, under \
         the conventions of the sheet `{rules}` for repetition, for fresh history: no position before \
         this one counts. Games: an engine that looks {DEPTH} plies ahead, without tables, plays \
         itself, or, in every other game, a player of random moves; {OPENING} random moves open each \
         game.\n\n\
         ## How it was checked\n\n\
         `oware check` reads every byte of the tables, `oware check --proof` derives every score from \
         the rules with code that shares nothing with the solver. Neither is part of making this \
         dataset: run them on the tables it was made from. The tables come out the same byte for byte \
         wherever they are built; these are their SHA-256:\n\n{tables}\n\
         ## Licence and citation\n\n\
         Either of MIT or Apache 2.0, as the program. `CITATION.cff` says how to cite it.\n",
        front = front(document, format),
        fields = fields(),
        layers = layers(document),
        played = document.games.rows,
        games = document.games.games,
        files = files(document),
        splits = SPLITS,
        tables = tables(document),
    )
}

/// What the Hugging Face hub and `datasets` read.
fn front(document: &DatasetDocument, format: Format) -> String {
    let mut front =
        "---\nlicense: [mit, apache-2.0]\ntags: [oware, mancala, games, endgame]\n".to_owned();
    if format == Format::Parquet {
        front += "configs:\n- config_name: default\n  data_files:\n";
        for split in present(document) {
            let name = split.name();
            front += &format!("  - split: {name}\n    path: \"{name}-*.parquet\"\n");
        }
    }
    front + "---\n"
}

/// The splits that have files.
fn present(document: &DatasetDocument) -> impl Iterator<Item = Split> {
    let has = |split: &Split| document.files.iter().any(|shard| shard.split == split.name());
    Split::ALL.into_iter().filter(has)
}

fn fields() -> String {
    let mut list =
        "| field | type | columns of Parquet | meaning |\n|---|---|---|---|\n".to_owned();
    for field in &FIELDS {
        let (kind, names) = (field.kind.name(), field.columns().collect::<Vec<_>>());
        let (kind, columns) = match &names[..] {
            [first, .., last] => {
                (format!("{} × {kind}", names.len()), format!("`{first}` to `{last}`"))
            }
            _ => (kind.to_owned(), String::new()),
        };
        list += &format!("| `{}` | {kind} | {columns} | {} |\n", field.name, field.meaning);
    }
    list + "| `rules` | text | in Parquet only | the rule sheet |\n"
}

fn layers(document: &DatasetDocument) -> String {
    let row = |Drawn { seeds, positions, rows, .. }: &Drawn| {
        format!("| {seeds} | {positions} | {rows} |\n")
    };
    let rows: String = document.layers.iter().map(row).collect();
    format!("| seeds | positions | rows drawn |\n|---|---|---|\n{rows}")
}

fn files(document: &DatasetDocument) -> String {
    let mut list = "| file | rows | bytes |\n|---|---|---|\n".to_owned();
    for shard in &document.files {
        list += &format!("| `{}` | {} | {} |\n", shard.name, shard.rows, shard.bytes);
    }
    list
}

/// How splits are told.
const SPLITS: &str = "\
    The split of a position is the same in every dataset, whatever its size and seed: `held_out` if \
    its seeds are a multiple of 7 and not 0, so that whole layers are unseen; otherwise by the XXH3 \
    hash (64 bits, seed 0) of the 12 bytes of `board`, modulo 10: 0 `validation`, 1 `test`, 2 to 9 \
    `train`.\n";

fn tables(document: &DatasetDocument) -> String {
    let lines = document.tables.iter().map(|(name, sum)| format!("{sum}  {name}\n"));
    format!("```text\n{}```\n", lines.collect::<String>())
}

/// Returns the file that says how to cite the dataset.
pub fn citation(document: &DatasetDocument) -> String {
    let DatasetDocument { rules, seeds, rows, seed, .. } = document;
    format!(
        "cff-version: 1.2.0\n\
         message: If you use this dataset, please cite it as below.\n\
         type: dataset\n\
         title: \"Oware positions with exact values, sheet {rules}, 0 to {seeds} seeds, {rows} rows, seed {seed}\"\n\
         authors:\n- name: The authors of oware-db\n\
         version: {VERSION}\n\
         license:\n- MIT\n- Apache-2.0\n\
         url: \"https://crates.io/crates/oware-db\"\n"
    )
}

/// What has been written.
#[derive(Serialize)]
pub struct DatasetDocument {
    pub rules: &'static str,
    pub seeds: Seeds,
    pub seed: u64,
    pub rows: u64,
    pub files: Vec<Shard>,
    pub layers: Vec<Drawn>,
    pub games: PlayedGames,
    /// The tables and their sums.
    #[serde(skip)]
    pub tables: Vec<(String, String)>,
}

/// How many rows games gave.
#[derive(Serialize)]
pub struct PlayedGames {
    pub games: u64,
    pub rows: usize,
}
