//! The table of what was built, in the guide: each row against the size of its layer, and small
//! layers against what the solver finds.

use oware_db::game::mancala::{Circling, Layers, Sheet};
use oware_db::layer::general::{GeneralLayer, GeneralSolved, NEVER};
use oware_db::solver::general::Below;

use super::{solved, solved_to};

/// A row of the table.
struct Row {
    text: &'static str,
    layer: GeneralLayer,
    /// Positions, wins, draws and losses.
    counts: [u64; 4],
    longest: Option<u8>,
}

/// The rows of games beside Oware; those of unequal owners have a table of their own.
fn rows() -> Vec<Row> {
    let guide = include_str!("../../../src/guide/other_games.md");
    let table = guide.lines().skip_while(|line| !line.starts_with("| sheet | seeds | positions"));
    let lines = table.skip(2).take_while(|line| line.starts_with('|'));
    let (mut sheet, mut rows) = (None, Vec::new());
    for text in lines.filter(|line| !line.contains("| below |")) {
        let cells: Vec<&str> = text.split('|').map(str::trim).collect();
        if let Some(id) = cells[1].split('`').nth(1) {
            sheet = Sheet::by_id(id);
        }
        let number = |cell: &str| cell.replace(',', "").parse::<u64>().expect(text);
        let last = number(cells[2].rsplit(' ').next().expect("seeds")) as usize;
        // `masters-drawn` is a sheet of Oware.
        rows.extend(sheet.map(|sheet| Row {
            text,
            layer: GeneralLayer::new(sheet, last),
            counts: [3, 4, 5, 6].map(|at| number(cells[at])),
            longest: cells[7].parse().ok(),
        }));
    }
    rows
}

#[test]
fn counts_of_the_guide_add_up() {
    let rows = rows();
    assert!(rows.len() > 25, "{}", rows.len());
    for Row { text, layer, counts: [positions, wins, draws, losses], longest } in rows {
        assert_eq!(layer.positions(), positions, "{text}");
        let settled = wins + draws + losses;
        // Where endless play is drawn, the winner may depend on who is ahead.
        let is_whole = layer.sheet().circling != Circling::Drawn;
        let is_alone = layer.sheet().layers == Layers::Alone;
        assert_eq!(is_alone, longest.is_some(), "{text}");
        assert!(settled == positions || settled < positions && !is_whole && !is_alone, "{text}");
    }
}

/// Solves the layers of the guide that have at most so many positions. Returns how many these are.
fn check_solved(most: u64) -> usize {
    let rows = rows();
    let small = rows.iter().filter(|row| row.layer.positions() <= most);
    small
        .map(|Row { text, layer, counts, longest }| {
            let found = match layer.sheet().layers {
                Layers::BySeeds => solved_to(*layer).remove(&layer.seeds()).expect("solved"),
                Layers::Alone => solved(*layer, &Below::new()),
            };
            assert_eq!(counts_of(&found), *counts, "{text}");
            if layer.sheet().layers == Layers::Alone {
                let plies = found.stamps.iter().flatten().filter(|&&plies| plies != NEVER);
                assert_eq!(plies.max(), longest.as_ref(), "{text}");
            }
        })
        .count()
}

fn counts_of(found: &GeneralSolved) -> [u64; 4] {
    let count = |is: fn(i8, i8) -> bool| {
        let both = found.low.iter().zip(found.high());
        both.filter(|&(&low, &high)| is(low, high)).count() as u64
    };
    let draws = count(|low, high| (low, high) == (0, 0));
    [found.low.len() as u64, count(|low, _| low > 0), draws, count(|_, high| high < 0)]
}

#[test]
fn small_layers_have_the_counts_of_the_guide() {
    assert_eq!(check_solved(4_000_000), 1);
}

#[test]
#[ignore = "a minute: cargo test --release --lib mancala -- --ignored"]
fn layers_have_the_counts_of_the_guide_in_full() {
    assert!(check_solved(21_000_000) > 8);
}
