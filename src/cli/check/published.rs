//! `oware check --vu`: our tables against the published Awari score database, position by position.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde_json::json;

use crate::error::{Error, Result};
use crate::game::Seeds;
use crate::layer::Layer;
use crate::probe::Tables;

use super::findings::{Findings, Look, Problem};
use crate::cli::export::stream::stream;
use crate::cli::export::vu::{SHEET, each_run, file_name};
use crate::cli::export::{CACHE, RowSource};
use crate::cli::output;

/// Positions that are named of a file whose scores are others.
const NAMED: usize = 5;

/// Compares every file `scores.N` of a directory with the table of that layer.
pub fn run(
    Look { tables, voice, .. }: Look,
    layers: &[Seeds],
    dir: &Path,
    problems: &mut Vec<Problem>,
) -> Result<Findings> {
    fs::metadata(dir).map_err(Error::io("opening", dir))?;
    let tables = tables.clone().with_cache(CACHE);
    let (mut compared, mut positions, mut without_file) = (0, 0, 0);
    let before = problems.len();
    for layer in layers.iter().map(|&seeds| Layer::of(SHEET, seeds)) {
        let path = dir.join(file_name(layer.seeds()));
        let Some(file) = open(&path)? else {
            without_file += 1;
            continue;
        };
        let length = file.metadata().map_err(Error::io("opening", &path))?.len();
        let expected = layer.positions();
        // The largest layer has the initial position besides, which no move leads to.
        let is_whole = length == expected || layer.seeds() == Seeds::MAX && length == expected + 1;
        if !is_whole {
            voice.say(&format!("{}: NOT compared", path.display()))?;
            let what = format!("it has {length} bytes, and the layer {expected} positions");
            problems.push(Problem { file: path.display().to_string(), what });
            continue;
        }
        compared += 1;
        positions += expected;
        let found = compare(&tables, layer, &path, file)?;
        let is_full = tables.require(SHEET, layer.seeds())?.range().is_full();
        let verdict = match (found.is_empty(), is_full) {
            (true, true) => "all scores agree",
            (true, false) => "all scores agree, as far as the clamped table tells them",
            (false, _) => "scores DIFFER",
        };
        voice.say(&format!("{}: {verdict}", path.display()))?;
        let file = path.display().to_string();
        problems.extend(found.into_iter().map(|what| Problem { file: file.clone(), what }));
    }
    if compared == 0 && problems.len() == before {
        let names = "files `scores.N` of layers that have a table of awari";
        return Err(Error::Usage(format!("{} has no {names}", dir.display())));
    }
    let text = format!(
        "Compared with the published scores of Awari: {positions} positions of {compared} layers; \
         {without_file} layers have no file there.\n"
    );
    let fields =
        json!({ "layers": compared, "positions": positions, "without_file": without_file });
    Ok(Findings { fields, text })
}

fn open(path: &Path) -> Result<Option<File>> {
    match File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        opened => opened.map(Some).map_err(Error::io("opening", path)),
    }
}

/// Returns what is wrong with the file of a layer: scores that are not within the table's bounds.
fn compare(tables: &Tables, layer: Layer, path: &Path, mut file: File) -> Result<Vec<String>> {
    let (mut different, mut problems) = (0, Vec::new());
    let source: RowSource = &mut |take| stream(tables, SHEET, layer, take);
    each_run(
        source,
        |rows, at| [rows.low[at], rows.high[at]],
        |run| {
            let mut theirs = vec![0; run.scores.len()];
            let read = file.seek(SeekFrom::Start(run.first));
            let read = read.and_then(|_| file.read_exact(&mut theirs));
            read.map_err(Error::io("reading", path))?;
            for ((&[low, high], &theirs), number) in run.scores.iter().zip(&theirs).zip(0..) {
                let theirs = theirs.cast_signed();
                if !(low..=high).contains(&theirs) {
                    different += 1;
                    if different <= NAMED {
                        let (number, board) = (run.first + number, run.position(number));
                        let ours = output::span(low, high);
                        problems.push(format!(
                            "position {number}, {board}: the score is {theirs}, ours is {ours}"
                        ));
                    }
                }
            }
            Ok(())
        },
    )?;
    if different > NAMED {
        problems.push(format!("{different} scores differ in total"));
    }
    Ok(problems)
}
