//! A report for people.

use crate::game::{House, Position, Stores};
use crate::verify::{Case, Counts, Dispute, Report, ThrownAwayCounts, percent};

use crate::cli::output::{count, drawing};

/// The whole report.
pub fn page(report: &Report) -> String {
    let mut page = counts(report);
    if let Some(rates) = report.total().rates() {
        page += &format!(
            "\nSeeds lost per move: at least {:.3} (worst move {}), at most {:.3}.\n",
            rates.mean_loss,
            report.total().worst_loss(),
            rates.mean_loss_at_most
        );
        page += &thrown_away(report.total().thrown_away);
        page += &confidence(report.total());
        page += &by_seeds(report);
        page += &by_player(report);
        page += &worst(report);
    }
    page + &disputes(report)
}

/// What was looked at, and how good it was.
fn counts(report: &Report) -> String {
    let total = report.total();
    let mut page =
        format!("{} judged by `{}`:\n\n", count(report.games, report.unit), report.rules.id);
    let mut row = |what: &str, count: u64, remark: String| {
        page += format!("  {what:<8} {count:>10}   {remark}").trim_end();
        page.push('\n');
    };
    let share = |count: u64| {
        if total.judged() > 0 {
            percent(count as f64 / total.judged() as f64)
        } else {
            String::new()
        }
    };
    row("judged", total.judged(), "moves inside the tables".to_owned());
    row("best", total.best, share(total.best));
    row("safe", total.safe, format!("{:<9}no certain loss", share(total.safe)));
    row(
        "losing",
        total.losing,
        format!("{:<9}certain loss of at least one seed", share(total.losing)),
    );
    row("unknown", total.unknown, "moves outside the tables, not judged".to_owned());
    for (what, count, remark) in [
        ("illegal", report.illegal, "moves; later moves of the game are not judged"),
        ("timeouts", report.timeouts, "moves that came too late"),
        ("crashes", report.crashes, "moves on which the engine crashed"),
        ("foreign", report.foreign, "games under another rule sheet, not judged"),
        ("broken", report.unreadable, "games that could not be read"),
        ("disputed", report.ends().1, "games whose result differs from their record"),
    ] {
        if count > 0 {
            row(what, count, remark.to_owned());
        }
    }
    if let Some(why) = &report.cut_short {
        page += &format!("\nCut short: {why}. These are the figures so far.\n");
    }
    if let Some(complaint) = report.complaint_of_overruns() {
        page += &format!("\n{complaint}.\n");
    }
    page
}

fn thrown_away(turns: ThrownAwayCounts) -> String {
    let ThrownAwayCounts { win_to_draw, win_to_loss, draw_to_loss } = turns;
    match turns.total() {
        0 => "No result was thrown away.\n".to_owned(),
        total => format!(
            "Results thrown away: {total} (win to draw {win_to_draw}, win to loss {win_to_loss}, \
             draw to loss {draw_to_loss}).\n"
        ),
    }
}

/// How far the figures may be those of the sample alone.
fn confidence(counts: &Counts) -> String {
    let Some(bounds) = counts.confidence() else { return String::new() };
    let shares = |(low, high): (f64, f64)| format!("{} to {}", percent(low), percent(high));
    let (low, high) = bounds.mean_loss;
    format!(
        "With 95 % confidence: best {}, {low:.3} to {high:.3} seeds lost per move, a result thrown \
         away by {} of the moves.\n",
        shares(bounds.best),
        shares(bounds.thrown_away)
    )
}

fn by_seeds(report: &Report) -> String {
    let mut list = format!("\n  seeds{HEADS}");
    for (seeds, counts) in report.by_seeds() {
        list += &row_of(&format!("  {seeds:>5}"), counts);
    }
    list
}

/// Players that are shown, at most.
const PLAYERS: usize = 20;

/// Characters of a player's name that are shown, at most.
const LONGEST_NAME: usize = 40;

/// A name as it is shown: what is left out has a mark.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        None => name.to_owned(),
        Some(_) => name.chars().take(LONGEST_NAME - 1).chain(['…']).collect(),
    }
}

/// The figures by player, where the records name any.
fn by_player(report: &Report) -> String {
    let players = report.by_player();
    let judged = players.iter().filter(|(_, counts)| counts.judged() > 0);
    let shown = judged.clone().take(PLAYERS);
    let lengths = shown.clone().map(|(player, _)| player.chars().count());
    let width = lengths.max().unwrap_or_default().clamp(17, LONGEST_NAME);
    let row = |&(player, counts): &(&str, &Counts)| {
        row_of(&format!("  {:<width$}", shortened(player)), counts)
    };
    let rows: Vec<String> = shown.map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let head = format!("\n  {:<width$}{HEADS}", "player");
    let more = match judged.count() - rows.len() {
        0 => String::new(),
        more => format!("  and {more} more; --json lists all\n"),
    };
    format!("{head}{}{more}", rows.concat())
}

/// The games whose record claims another result than their own.
fn disputes(report: &Report) -> String {
    let line = |dispute: Dispute| {
        let Dispute { location, claimed, end } = dispute;
        let source = report.source(location).unwrap_or_default();
        let (game, end) = (location.game, end.sentence());
        format!("  {source}, game {game} ends {end}, the record says {claimed}\n")
    };
    let lines: String = report.disputes().map(line).collect();
    match lines.as_str() {
        "" => lines,
        _ => format!("\nGames whose result differs from their record:\n\n{lines}"),
    }
}

/// What stands above the cells of a row.
const HEADS: &str = "    judged      best    losing  mean loss  worst  thrown away\n";

fn row_of(head: &str, counts: &Counts) -> String {
    let Some([judged, best, losing, mean_loss, worst, thrown_away]) = counts.cells() else {
        return String::new();
    };
    format!(
        "{head}  {judged:>8}  {best:>8}  {losing:>8}  {mean_loss:>9}  {worst:>5}  \
         {thrown_away:>11}\n"
    )
}

fn worst(report: &Report) -> String {
    let cases: Vec<String> = report.worst().map(|case| shown(report, case)).collect();
    let head = match cases.len() {
        0 => return String::new(),
        1 => "The worst move",
        _ => "The worst moves",
    };
    format!("\n{head}:\n\n{}", cases.join("\n"))
}

/// A case: the board, the move, the better one, and where.
fn shown(report: &Report, case: &Case) -> String {
    let [mover, opponent] = case.captured;
    let stores = (mover, opponent) != (0, 0);
    let stores = stores.then_some(Stores { mover, opponent });
    let position = Position { stores, ..case.board.into() };
    let turn = case.thrown_away.map_or(String::new(), |turn| format!(", and {}", turn.sentence()));
    let better = case.better.iter().map(House::to_string).collect::<Vec<_>>().join(" ");
    let line = case.line.iter().map(char::to_string).collect::<Vec<_>>().join(" ");
    let line = if line.is_empty() { line } else { format!("  Best play: {line}.\n") };
    let seeds = if case.loss.max == 1 { "seed" } else { "seeds" };
    format!(
        "{}\n  {} gives away {} {seeds}{turn}. Better: {better}.\n{line}  {}\n",
        drawing(position),
        case.played,
        case.loss,
        whence(report, case)
    )
}

fn whence(report: &Report, case: &Case) -> String {
    let source = report.source(case.location);
    let source = source.map_or_else(String::new, |source| format!("{source}, "));
    let times =
        if case.times > 1 { format!(", and {} times more", case.times - 1) } else { String::new() };
    format!("{source}{} {}, move {}{times}", report.unit, case.location.game, case.location.ply)
}
