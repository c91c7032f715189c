//! `oware stats --extremes`: the strangest positions of each layer.

mod lines;
mod scan;

use serde::Serialize;
use serde_json::json;

use crate::error::{Error, Result};
use crate::game::{Board, House, Rules, Seeds};
use crate::layer::{Layer, Rank};
use crate::probe::{Prober, Tables};

use crate::cli::options::{require_full, require_strategies};
use crate::cli::{output, progress};
use lines::{Lengths, Measure};
use scan::{Scan, scan};

/// Moves that a line has at most.
const LONGEST: usize = 10_000;

/// The extremes of a layer; null where it has none.
#[derive(Serialize)]
struct Extremes {
    seeds: Seeds,
    positions: u64,
    /// Positions that the mover wins, by how many moves of the line achieve the score.
    longest_win: Option<Lasting>,
    /// Lines with a capture, by how many moves they have before and with it.
    longest_until_capture: Option<Lasting>,
    /// Positions that the player to move loses, on either side.
    mutual_zugzwang: Tallied<ZugzwangExample>,
    /// Positions with a single good move, which captures nothing though another would.
    quiet_move: Tallied<QuietExample>,
    largest_swing: Option<Swing>,
}

/// A position whose line lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Lasting {
    plies: usize,
    board: Board,
}

/// How many positions are of a kind, and the one that is so most.
#[derive(Serialize)]
struct Tallied<E> {
    positions: u64,
    example: Option<E>,
}

/// The position that costs both players most.
#[derive(Serialize)]
struct ZugzwangExample {
    board: Board,
    value: i8,
    /// What it is worth to the other player, if they move.
    turned_value: i8,
}

/// The position in which the best capture costs most.
#[derive(Serialize)]
struct QuietExample {
    board: Board,
    house: House,
    value: i8,
    best_capture: i8,
}

/// The position in which most hangs on the move.
#[derive(Serialize)]
struct Swing {
    board: Board,
    best: i8,
    worst: i8,
}

/// Looks at every position of the layers of 0 to the largest of `seeds`.
pub fn run(tables: &Tables, rules: &'static Rules, seeds: &[Seeds], json: bool) -> Result<()> {
    let most = *seeds.last().expect("at least one layer");
    let take = |layer, found, lengths: &mut Lengths| extremes(tables, rules, layer, found, lengths);
    let layers = each_layer(tables, rules, most, take)?;
    let document = json!({ "rules": rules.id, "layers": layers });
    output::result(json, &document, |_| page(rules.id, &layers))
}

/// Returns for each layer of 0 to `most` seeds the wins whose lines last longest, longest first.
pub fn longest_wins(
    tables: &Tables,
    rules: &'static Rules,
    most: Seeds,
) -> Result<Vec<Vec<Board>>> {
    each_layer(tables, rules, most, |layer, mut found, lengths| {
        let [wins, _] = lengths.add(rules, layer, &mut found.paths);
        let mut prober = Prober::new(tables, rules);
        let confirmed = confirmed(&mut prober, layer, Measure::Win, &wins)?;
        Ok(confirmed.into_iter().map(|lasting| lasting.board).collect())
    })
}

/// Looks at every position of the layers of 0 to `most` seeds, and has `take` put together what was
/// found in each, whose lines are followed then.
fn each_layer<T>(
    tables: &Tables,
    rules: &'static Rules,
    most: Seeds,
    take: impl Fn(Layer, Scan, &mut Lengths) -> Result<T>,
) -> Result<Vec<T>> {
    require_full(tables, rules, most, "lines and extremes")?;
    require_strategies(tables, rules, most.up_to())?;
    if u32::try_from(Layer::of(rules, most).positions()).is_err() {
        return Err(Error::Usage(format!(
            "the layer of {most} seeds has more positions than can be indexed here; choose a \
             smaller one with --seeds"
        )));
    }
    let (mut lengths, mut layers) = (Lengths::default(), Vec::new());
    let bar = progress::share(most.up_to().map(|seeds| Layer::of(rules, seeds).positions()).sum());
    for seeds in most.up_to() {
        bar.set_message(format!("{seeds} seeds"));
        let layer = Layer::of(rules, seeds);
        let found = scan(tables, rules, layer, &lengths, &bar)?;
        layers.push(take(layer, found, &mut lengths)?);
    }
    bar.finish_and_clear();
    Ok(layers)
}

/// Puts together what was found in a layer, whose lines are followed now.
fn extremes(
    tables: &Tables,
    rules: &'static Rules,
    layer: Layer,
    mut found: Scan,
    lengths: &mut Lengths,
) -> Result<Extremes> {
    let mut prober = Prober::new(tables, rules);
    let board = |rank: u64| found_board(layer, rank);
    let zugzwang = found.zugzwang(tables, rules, layer)?;
    let (swing, quiet) = (found.swing, found.quiet);
    let longest = lengths.add(rules, layer, &mut found.paths);
    let value = |rank: u64| found.paths.values[rank as usize];
    let [longest_win, longest_until_capture] = [Measure::Win, Measure::UntilCapture]
        .map(|measure| confirmed(&mut prober, layer, measure, &longest[measure as usize]))
        .map(|lasting| lasting.map(|lasting| lasting.first().copied()));
    Ok(Extremes {
        seeds: layer.seeds(),
        positions: layer.positions(),
        longest_win: longest_win?,
        longest_until_capture: longest_until_capture?,
        mutual_zugzwang: Tallied {
            positions: zugzwang.count,
            example: zugzwang.most.map(|(cost, rank)| ZugzwangExample {
                board: board(rank),
                value: value(rank),
                turned_value: -value(rank) - cost as i8,
            }),
        },
        quiet_move: Tallied {
            positions: quiet.count,
            example: quiet
                .most
                .map(|rank| quiet_example(&mut prober, board(rank.1)))
                .transpose()?,
        },
        largest_swing: swing
            .most
            .map(|rank| swing_example(&mut prober, board(rank.1)))
            .transpose()?,
    })
}

fn found_board(layer: Layer, rank: u64) -> Board {
    layer.position(Rank(rank)).expect("a rank of the layer")
}

/// Returns how long lines last that seem to last longest, when they are followed as `oware query`
/// follows them, longest first.
fn confirmed(
    prober: &mut Prober,
    layer: Layer,
    measure: Measure,
    ranks: &[u64],
) -> Result<Vec<Lasting>> {
    let mut found = Vec::new();
    for &rank in ranks {
        let board = found_board(layer, rank);
        let line = prober.line(&board, LONGEST)?;
        let plies = match measure {
            Measure::Win => {
                prober.interval(&board)?.value().and_then(|value| line.collected_after(value))
            }
            Measure::UntilCapture => line.until_capture(),
        };
        found.extend(plies.map(|plies| Lasting { plies, board }));
    }
    // Of equals the first stays the first.
    found.sort_by_key(|lasting| std::cmp::Reverse(lasting.plies));
    Ok(found)
}

fn quiet_example(prober: &mut Prober, board: Board) -> Result<QuietExample> {
    let moves = prober.moves(&board)?;
    let good = moves.first().expect("a move");
    let captures = moves.iter().filter(|scored| scored.played.captured > 0);
    let best_capture = captures.map(|scored| scored.interval.high.get()).max().expect("a capture");
    let (house, value) = (good.played.house, good.interval.low.get());
    Ok(QuietExample { board, house, value, best_capture })
}

fn swing_example(prober: &mut Prober, board: Board) -> Result<Swing> {
    let moves = prober.moves(&board)?;
    let scores = || moves.iter().map(|scored| scored.interval.low.get());
    let (best, worst) = (scores().max().expect("a move"), scores().min().expect("a move"));
    Ok(Swing { board, best, worst })
}

/// Returns the extremes for people.
fn page(rules: &str, layers: &[Extremes]) -> String {
    let mut page = format!("Extremes of each layer, sheet `{rules}`:\n");
    let mut list = |title: &str, head: &[&str], row: &dyn Fn(&Extremes) -> Option<Vec<String>>| {
        let rows: Vec<Vec<String>> = layers
            .iter()
            .filter_map(|layer| Some([vec![layer.seeds.to_string()], row(layer)?].concat()))
            .collect();
        if !rows.is_empty() {
            page += &format!("\n{title}:\n\n{}", output::table(head, &rows));
        }
    };
    let lasting = |found: Option<Lasting>| {
        found.map(|Lasting { plies, board }| vec![plies.to_string(), board.to_string()])
    };
    let head = ["seeds", "moves", "position"];
    list("Longest wins found, in moves of the line until the score is achieved", &head, &|layer| {
        lasting(layer.longest_win)
    });
    list("Longest lines found to the first capture or the end, in moves", &head, &|layer| {
        lasting(layer.longest_until_capture)
    });
    let head = ["seeds", "positions", "to move", "other to move", "position"];
    list("Mutual zugzwang: the player to move loses on either side", &head, &|layer| {
        let found = layer.mutual_zugzwang.example.as_ref()?;
        let scores = [found.value, found.turned_value].map(|score| format!("{score:+}"));
        let count = layer.mutual_zugzwang.positions.to_string();
        Some([vec![count], scores.to_vec(), vec![found.board.to_string()]].concat())
    });
    let head = ["seeds", "positions", "move", "score", "best capture", "position"];
    list(
        "A single good move that does not capture, although a capture is possible",
        &head,
        &|layer| {
            let found = layer.quiet_move.example.as_ref()?;
            let scores = [found.value, found.best_capture].map(|score| format!("{score:+}"));
            let first = vec![layer.quiet_move.positions.to_string(), found.house.to_string()];
            Some([first, scores.to_vec(), vec![found.board.to_string()]].concat())
        },
    );
    list("Largest swings of a move", &["seeds", "best", "worst", "position"], &|layer| {
        let found = layer.largest_swing.as_ref()?;
        let scores = [found.best, found.worst].map(|score| format!("{score:+}"));
        Some([scores.to_vec(), vec![found.board.to_string()]].concat())
    });
    page
}
