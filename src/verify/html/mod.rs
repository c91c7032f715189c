//! A report as a page: one file, which needs nothing from elsewhere and no script.

mod board;
mod chart;

use std::collections::BTreeMap;

use crate::game::Seeds;

use super::report::Report;
use super::tally::{Tally, percent};
use super::worst::Case;
use chart::Bar;

/// Colours for light and dark, and sizes that a telephone can show.
const STYLE: &str = include_str!("style.css");

/// How to read the boards.
const LEGEND: &str = "<p class=\"from\">The row of the player to move is the lower one; beside each row stands what \
                      its owner has captured. Red is the move played, green are the better ones, and the letters \
                      below are a line of best play.</p>\n";

/// The page.
pub fn page(report: &Report) -> String {
    let title = format!("Moves against the tables of {}", escape(report.rules.id));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{}</main>\n</body>\n</html>\n",
        body(report)
    )
}

fn body(report: &Report) -> String {
    let mut body = source(report) + &figures(report);
    if report.total().judged() == 0 {
        return body + "<p>No move was judged: no table holds a position that was played.</p>\n";
    }
    body += &section("Seeds given away", &losses(report.total()));
    body +=
        &section("Seeds given away, by seeds on the board", &(by_seeds(report) + &table(report)));
    let cases: String = report.worst().map(|case| card(report, &case)).collect();
    if !cases.is_empty() {
        body += &section(
            "The worst moves",
            &(LEGEND.to_owned() + &format!("<div class=\"cards\">\n{cases}</div>\n")),
        );
    }
    body
}

fn section(title: &str, content: &str) -> String {
    format!("<section>\n<h2>{title}</h2>\n{content}</section>\n")
}

/// What was looked at.
fn source(report: &Report) -> String {
    let names: Vec<String> = report.sources.iter().map(|name| escape(name)).collect();
    format!(
        "<p class=\"from\">{} {}s: {}. {}.</p>\n",
        report.games,
        report.unit,
        names.join(", "),
        escape(report.rules.title)
    )
}

/// The figures at the top.
fn figures(report: &Report) -> String {
    let total = report.total();
    let mut tiles = vec![("judged", total.judged().to_string(), "moves inside the tables")];
    if let Some(rates) = total.rates() {
        tiles.push(("best", percent(rates.best), "of the moves judged"));
        tiles.push(("losing", percent(rates.losing), "give away at least a seed"));
        tiles.push(("mean loss", format!("{:.3}", rates.mean_loss), "seeds a move, for sure"));
        tiles.push(("worst loss", total.worst_loss().to_string(), "seeds by one move"));
        tiles.push(("thrown away", total.turns.total().to_string(), "wins and draws"));
    }
    tiles.push(("unknown", total.unknown.to_string(), "moves inside no table"));
    for (what, count) in
        [("illegal", report.illegal), ("timeouts", report.timeouts), ("crashes", report.crashes)]
    {
        if count > 0 {
            tiles.push((what, count.to_string(), "moves"));
        }
    }
    let tile = |(what, figure, remark): &(&str, String, &str)| {
        format!("<div><dt>{what}</dt><dd>{figure}</dd><dd class=\"remark\">{remark}</dd></div>\n")
    };
    format!("<dl class=\"tiles\">\n{}</dl>\n", tiles.iter().map(tile).collect::<String>())
}

/// How many moves gave away how much. Those that gave away nothing stand in the text: they are so
/// many that they would dwarf the others.
fn losses(total: &Tally) -> String {
    let none = total.losses.get(&0).copied().unwrap_or(0);
    let most = total.worst_loss();
    let bars: Vec<Bar> = (1..=most)
        .map(|loss| {
            let count = total.losses.get(&loss).copied().unwrap_or(0);
            let told = format!("{count} moves gave away {loss}");
            Bar { label: loss.to_string(), height: count as f64, told }
        })
        .collect();
    let note = format!("<p>{none} of {} moves gave away nothing for sure.</p>\n", total.judged());
    note + &chart::bars("moves", "seeds given away for sure", &bars)
}

/// The mean loss at each number of seeds, none left out between the least and the most.
fn by_seeds(report: &Report) -> String {
    let judged: BTreeMap<Seeds, &Tally> = report.by_seeds().collect();
    let (first, last) = (judged.keys().next().copied(), judged.keys().last().copied());
    let range = last.unwrap_or_default().up_to().filter(|&seeds| Some(seeds) >= first);
    let bar = |seeds: Seeds| {
        let tally = judged.get(&seeds);
        let mean = tally.and_then(|tally| tally.rates()).map_or(0.0, |rates| rates.mean_loss);
        let count = tally.map_or(0, |tally| tally.judged());
        let told = format!("{seeds} seeds: {mean:.3} given away a move, {count} moves judged");
        Bar { label: seeds.to_string(), height: mean, told }
    };
    chart::bars("seeds a move", "seeds on the board", &range.map(bar).collect::<Vec<_>>())
}

/// The same in numbers.
fn table(report: &Report) -> String {
    let row = |(seeds, tally): (Seeds, &Tally)| {
        let cells = tally.cells()?.map(|cell| format!("<td>{cell}</td>")).concat();
        Some(format!("<tr><th>{seeds}</th>{cells}</tr>\n"))
    };
    format!(
        "<details><summary>In numbers</summary><div class=\"wide\"><table>\n<thead><tr><th>seeds</th><th>judged</th>\
         <th>best</th><th>losing</th><th>mean loss</th><th>worst</th><th>thrown away</th></tr></thead>\n\
         <tbody>\n{}</tbody></table></div></details>\n",
        report.by_seeds().filter_map(row).collect::<String>()
    )
}

/// One of the worst moves.
fn card(report: &Report, case: &Case) -> String {
    let join = |letters: &[char]| letters.iter().map(char::to_string).collect::<Vec<_>>().join(" ");
    let better: Vec<char> = case.better.iter().map(|house| house.letter()).collect();
    let turn = case.turn.map_or(String::new(), |turn| format!(", and {}", turn.sentence()));
    let lost = match case.loss.min == case.loss.max {
        true => case.loss.min.to_string(),
        false => format!("{} to {}", case.loss.min, case.loss.max),
    };
    let source = report
        .sources
        .get(case.place.source)
        .map_or(String::new(), |name| format!("{}, ", escape(name)));
    format!(
        "<article>\n{}<p><strong>{}</strong> gives away {lost}{turn}. Better: <strong>{}</strong>.</p>\n\
         <p class=\"line\">{}</p>\n<p class=\"from\">{source}{} {}, move {}{}</p>\n</article>\n",
        board::drawing(case),
        case.played,
        join(&better),
        join(&case.line),
        report.unit,
        case.place.game,
        case.place.ply,
        if case.times > 1 { format!(", {} times in all", case.times) } else { String::new() }
    )
}

/// Text that stands for itself.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            c => escaped.push(c),
        }
    }
    escaped
}
