//! Files of positions to play from, one a line.

use std::path::Path;

use crate::engine::protocol::Setup;
use crate::error::{Error, Result};
use crate::game::{Game, Position, Rules, Seeds, Stores};

use super::{input, output};

/// Reads positions in any form, perhaps with moves from there, or moves from the beginning, one a
/// line. Empty lines and those that begin with `#` do not count. `accept` says what is wrong with a
/// game for the purpose.
pub fn read(
    file: &Path,
    rules: &'static Rules,
    accept: impl Fn(&Game) -> std::result::Result<(), String>,
) -> Result<Vec<Setup>> {
    let text = input::text(file)?;
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let parsed = lines.map(|(number, line)| {
        let setup = parse(line).and_then(|setup| {
            accept(&setup.game(rules)?).map_err(Error::Usage)?;
            Ok(setup)
        });
        setup.map_err(|error| Error::Usage(format!("{}, line {number}: {error}", file.display())))
    });
    let setups = parsed.collect::<Result<Vec<Setup>>>()?;
    note_misfits(file, &setups);
    Ok(setups)
}

/// Reads a line. What begins with a house or a square are moves from the beginning.
fn parse(line: &str) -> Result<Setup> {
    let begins_with_move =
        matches!(line.trim_start().as_bytes(), [b'A'..=b'F', ..] | [b'a'..=b'f', b'1' | b'2', ..]);
    let whole = if begins_with_move { &format!("startpos moves {line}") } else { line };
    whole.parse::<Setup>().map(with_stores)
}

/// Fills stores that are not known, because engines expect every seed.
fn with_stores(setup: Setup) -> Setup {
    let stores = setup.start.stores.unwrap_or(Stores::even(&setup.start.board));
    Setup { start: Position { stores: Some(stores), ..setup.start }, ..setup }
}

/// Counts positions that belong to no game.
fn note_misfits(file: &Path, setups: &[Setup]) {
    let is_misfit = |setup: &&Setup| setup.start.misfit(Seeds::MAX).is_some();
    let misfits = setups.iter().filter(is_misfit).count();
    if misfits > 0 {
        output::note(&format!(
            "oware: {}: positions whose board and stores do not hold the {} seeds of a game, which \
             engines may refuse: {misfits}",
            file.display(),
            Seeds::MAX
        ));
    }
}
