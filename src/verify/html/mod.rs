//! A report as a page: one file, which needs nothing from elsewhere and no script.

mod chart;

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::counts::{Counts, percent};
use super::report::Report;
use super::worst::Case;
use crate::game::{House, Seeds};
use chart::Bar;

/// Colours for light and dark, and sizes that a telephone can show.
const STYLE: &str = include_str!("style.css");

/// How to read the boards.
const LEGEND: &str = "The row of the player to move is the lower one; the number next to each row \
                      is what its owner has captured. Red is the move played, green are the better \
                      ones, and the letters below are a line of best play.";

/// Returns the page.
pub fn page(report: &Report) -> String {
    let title = format!("Moves against the tables of {}", report.rules.id);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (title) }
                    (source(report))
                    (figures(report))
                    @if report.total().judged() == 0 {
                        p { "No move was judged: no table holds a position that was played." }
                    } @else {
                        (sections(report))
                    }
                }
            }
        }
    };
    page.into_string() + "\n"
}

fn sections(report: &Report) -> Markup {
    let cases: Vec<&Case> = report.worst().collect();
    html! {
        section {
            h2 { "Seeds given away" }
            (losses(report.total()))
        }
        section {
            h2 { "Seeds given away, by seeds on the board" }
            (by_seeds(report))
            details {
                summary { "In numbers" }
                (figures_of("seeds", report.by_seeds()))
            }
        }
        @if report.by_player().iter().any(|(_, counts)| counts.judged() > 0) {
            section {
                h2 { "By player" }
                (figures_of("player", report.by_player()))
            }
        }
        @if !cases.is_empty() {
            section {
                h2 { "The worst moves" }
                p.from { (LEGEND) }
                div.cards {
                    @for case in cases {
                        (card(report, case))
                    }
                }
            }
        }
    }
}

/// What was looked at.
fn source(report: &Report) -> Markup {
    html! {
        p.from {
            (report.games) " " (report.unit) "s: " (report.sources.join(", ")) ". "
            (report.rules.title) "."
            @if let Some(game) = report.game {
                " The tables keep what decides games of " (game) " seeds; seeds that may be lost \
                 beyond that are left out."
            }
            @if let Some(why) = &report.cut_short { " Cut short: " (why) "." }
        }
    }
}

/// The figures at the top.
fn figures(report: &Report) -> Markup {
    let total = report.total();
    html! {
        dl.tiles {
            (tile("judged", total.judged(), "moves inside the tables"))
            @if let Some(rates) = total.rates() {
                (tile("best", percent(rates.best), "of the moves judged"))
                (tile("losing", percent(rates.losing), "give away at least one seed"))
                (tile("mean loss", format!("{:.3}", rates.mean_loss), "seeds a move, for sure"))
                (tile("worst loss", total.worst_loss(), "seeds by one move"))
                (tile("thrown away", total.thrown_away.total(), "wins and draws"))
            }
            (tile("unknown", total.unknown, "moves outside the tables"))
            @for (what, count) in mishaps(report) {
                (tile(what, count, if what == "disputed results" { "games" } else { "moves" }))
            }
        }
    }
}

/// What went wrong, and how often.
fn mishaps(report: &Report) -> impl Iterator<Item = (&'static str, u64)> {
    let counts = [
        ("illegal", report.illegal),
        ("timeouts", report.timeouts),
        ("crashes", report.crashes),
        ("too slow", report.overruns.as_ref().map_or(0, |overruns| overruns.answers)),
        ("disputed results", report.ends().1),
    ];
    counts.into_iter().filter(|&(_, count)| count > 0)
}

fn tile(what: &str, figure: impl maud::Render, remark: &str) -> Markup {
    html! {
        div {
            dt { (what) }
            dd { (figure) }
            dd.remark { (remark) }
        }
    }
}

/// How many moves gave away how much. Those that gave away nothing stand in the text: they are so
/// many that they would dwarf the others.
fn losses(total: &Counts) -> Markup {
    let moves = |loss: u8| total.losses.get(&loss).copied().unwrap_or(0);
    let bar = |loss: u8| Bar {
        label: loss.to_string(),
        height: moves(loss) as f64,
        title: format!("{} moves gave away {loss}", moves(loss)),
    };
    let bars: Vec<Bar> = (1..=total.worst_loss()).map(bar).collect();
    html! {
        p { (moves(0)) " of " (total.judged()) " moves certainly gave away nothing." }
        (chart::bars("moves", "seeds certainly given away", &bars))
    }
}

/// The mean loss at each number of seeds, without gaps between the least and the most.
fn by_seeds(report: &Report) -> Markup {
    let judged: BTreeMap<Seeds, &Counts> = report.by_seeds().collect();
    let first = judged.keys().next().copied().unwrap_or_default();
    let last = judged.keys().last().copied().unwrap_or_default();
    let bar = |seeds: Seeds| {
        let counts = judged.get(&seeds);
        let mean = counts.and_then(|counts| counts.rates()).map_or(0.0, |rates| rates.mean_loss);
        let count = counts.map_or(0, |counts| counts.judged());
        let title = format!("{seeds} seeds: {mean:.3} given away a move, {count} moves judged");
        Bar { label: seeds.to_string(), height: mean, title }
    };
    let bars: Vec<Bar> = last.up_to().filter(|&seeds| seeds >= first).map(bar).collect();
    chart::bars("seeds a move", "seeds on the board", &bars)
}

/// Figures in rows.
fn figures_of<'r>(
    what: &str,
    rows: impl IntoIterator<Item = (impl std::fmt::Display, &'r Counts)>,
) -> Markup {
    let heads = [what, "judged", "best", "losing", "mean loss", "worst", "thrown away"];
    html! {
        div.wide {
            table {
                thead {
                    tr { @for head in heads { th { (head) } } }
                }
                tbody {
                    @for (row, counts) in rows {
                        @if let Some(cells) = counts.cells() {
                            tr { th { (row) } @for cell in cells { td { (cell) } } }
                        }
                    }
                }
            }
        }
    }
}

/// A case among the worst moves.
fn card(report: &Report, case: &Case) -> Markup {
    let better = case.better.iter().map(|house| house.letter());
    html! {
        article {
            (drawing(case))
            p {
                strong { (case.played) } " gives away " (case.loss)
                @if let Some(thrown_away) = case.thrown_away { ", and " (thrown_away.sentence()) }
                ". Better: " strong { (spaced(better)) } "."
            }
            @if !case.line.is_empty() { p.line { (spaced(case.line.iter().copied())) } }
            p.from {
                @if let Some(name) = report.source(case.location) { (name) ", " }
                (report.unit) " " (case.location.game) ", move " (case.location.ply)
                @if case.times > 1 { ", " (case.times) " times in all" }
            }
        }
    }
}

fn spaced(letters: impl Iterator<Item = char>) -> String {
    letters.map(String::from).collect::<Vec<_>>().join(" ")
}

/// The drawing's width and height, and what one house takes.
const WIDTH: usize = 276;
const HEIGHT: usize = 132;
const HOUSE: usize = 40;
/// The column behind the last house, where the stores stand.
const STORE: usize = 6;

/// Draws the position of a case.
pub fn drawing(case: &Case) -> Markup {
    let [mover, opponent] = case.captured;
    html! {
        svg.board viewBox=(format_args!("0 0 {WIDTH} {HEIGHT}"))
            role="img" aria-label=(case.board) {
            @for house in House::ALL {
                @let above = house.opposite().index();
                (circle(above, 44, case.board.opponent[house], "house"))
                (text(above, 16, "label", house.opponent_letter()))
                (circle(house.index(), 88, case.board.mover[house], class(case, house)))
                (text(house.index(), 126, "label", house.letter()))
            }
            @if (mover, opponent) != (0, 0) {
                (text(STORE, 49, "store", opponent))
                (text(STORE, 93, "store", mover))
            }
        }
    }
}

/// How a house of the mover is marked.
fn class(case: &Case, house: House) -> &'static str {
    if house == case.played {
        "house played"
    } else if case.better.contains(&house) {
        "house better"
    } else {
        "house"
    }
}

fn circle(column: usize, y: usize, seeds: u8, class: &str) -> Markup {
    html! {
        circle class=(class) cx=(x(column)) cy=(y) r="18" {}
        @if seeds > 0 {
            (text(column, y + 5, "seeds", seeds))
        }
    }
}

fn text(column: usize, y: usize, class: &str, text: impl maud::Render) -> Markup {
    html! { text class=(class) x=(x(column)) y=(y) text-anchor="middle" { (text) } }
}

fn x(column: usize) -> usize {
    HOUSE / 2 + HOUSE * column
}
