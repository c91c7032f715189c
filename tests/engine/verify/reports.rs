//! Adding judgements up.

use std::collections::BTreeMap;

use oware_db::game::record::Record;
use oware_db::game::{ABAPA, Rules, SHEETS};
use oware_db::random::Dice;
use oware_db::verify::{
    Baseline, Counts, Judgement, Report, Requirements, ThrownAway, Verdict, html,
};

use super::{judge, judgements, random_game, random_start, record, scored};

fn games(rules: &'static Rules, count: u64) -> Vec<Record> {
    (0..count)
        .map(|seed| {
            let mut dice = Dice::new(seed);
            let start = random_start(rules, 3 + seed as usize % 5, &mut dice);
            random_game(rules, start, 30, &mut dice)
        })
        .collect()
}

fn empty(rules: &'static Rules) -> Report {
    Report::new(rules, vec!["a".to_owned()], 4)
}

fn report(rules: &'static Rules, games: &[(usize, &Record)]) -> Report {
    let (mut judge, mut report) = (judge(rules), empty(rules));
    for (number, game) in games {
        report.add_record(&mut judge, game, 0, *number).unwrap();
    }
    report
}

#[test]
fn figures_are_those_of_plain_counting() {
    for rules in SHEETS {
        let games = games(rules, 60);
        let numbered: Vec<(usize, &Record)> =
            games.iter().enumerate().map(|(at, game)| (at + 1, game)).collect();
        let report = report(rules, &numbered);
        let judged: Vec<Judgement> =
            games.iter().flat_map(|game| judgements(&mut judge(rules), game)).collect();
        let moves: Vec<_> = judged
            .iter()
            .filter(|judgement| **judgement != Judgement::Unknown)
            .map(scored)
            .collect();
        let count =
            |verdict| moves.iter().filter(|scored| scored.verdict == verdict).count() as u64;
        let total = report.total();
        assert_eq!(
            [total.best, total.safe, total.losing],
            [count(Verdict::Best), count(Verdict::Safe), count(Verdict::Loses)]
        );
        assert_eq!(
            (total.judged(), total.unknown),
            (moves.len() as u64, (judged.len() - moves.len()) as u64)
        );
        let lost: u64 = moves.iter().map(|scored| u64::from(scored.loss.min)).sum();
        let rates = total.rates().unwrap();
        assert_eq!(rates.mean_loss, lost as f64 / moves.len() as f64);
        let (low, high) = total.confidence().unwrap().mean_loss;
        assert!(0.0 <= low && low <= rates.mean_loss && rates.mean_loss <= high);
        assert_eq!(Some(total.worst_loss()), moves.iter().map(|scored| scored.loss.min).max());
        let turned =
            |turn| moves.iter().filter(|scored| scored.thrown_away() == Some(turn)).count() as u64;
        assert_eq!(total.thrown_away.win_to_draw, turned(ThrownAway::WinToDraw));
        assert_eq!(total.thrown_away.win_to_loss, turned(ThrownAway::WinToLoss));
        assert_eq!(total.thrown_away.draw_to_loss, turned(ThrownAway::DrawToLoss));
        let mut all = Counts { unknown: total.unknown, ..Counts::default() };
        report.by_seeds().for_each(|(_, counts)| all.merge(counts));
        assert_eq!(&all, total);
        // The worst cases are the first of all losing moves, sorted.
        let mut losses: Vec<u8> = distinct_losses(rules, &games);
        losses.sort_by_key(|&loss| std::cmp::Reverse(loss));
        losses.truncate(4);
        assert_eq!(
            report.worst().map(|case| case.loss.min).collect::<Vec<_>>(),
            losses,
            "{}",
            rules.id
        );
    }
}

/// What each losing move gives away; the same move in the same position counts once.
fn distinct_losses(rules: &'static Rules, games: &[Record]) -> Vec<u8> {
    let mut found = BTreeMap::new();
    for game in games {
        oware_db::verify::judge_record(&mut judge(rules), game, |number, before, judgement| {
            if let Judgement::Scored(scored) = judgement
                && scored.verdict == Verdict::Loses
            {
                let at = before.position();
                let ply = game.moves[number].ply;
                let key = (at.board, at.stores, ply.house, scored.loss, scored.better.clone());
                found.insert((key, scored.thrown_away()), scored.loss.min);
            }
        })
        .unwrap();
    }
    found.into_values().collect()
}

#[test]
fn however_games_are_divided_the_report_is_the_same() {
    let mut games = games(&ABAPA, 60);
    // Some twice, so that worst cases come up in several parts.
    games.extend(games.clone());
    let numbered: Vec<(usize, &Record)> =
        games.iter().enumerate().map(|(at, game)| (at + 1, game)).collect();
    let expected = report(&ABAPA, &numbered);
    assert!(expected.worst().any(|case| case.times > 1 && case.location.game <= 60));
    let mut dice = Dice::new(7);
    for _ in 0..30 {
        let mut parts = vec![Vec::new(); 1 + dice.below(9) as usize];
        for game in &numbered {
            let part = dice.below(parts.len() as u64) as usize;
            parts[part].push(*game);
        }
        let mut reports: Vec<Report> = parts.iter().map(|part| report(&ABAPA, part)).collect();
        while reports.len() > 1 {
            let one = reports.swap_remove(dice.below(reports.len() as u64) as usize);
            let other = reports.swap_remove(dice.below(reports.len() as u64) as usize);
            reports.push(one.merge(other));
        }
        assert_eq!(empty(&ABAPA).merge(reports.remove(0)), expected);
    }
}

#[test]
fn a_game_of_another_sheet_is_counted_and_left_out() {
    let text = "[Variant \"AWARI\"]\n[FEN \"0-0-0-0-1-2-1-0-0-0-0-0-20-24-S\"]\n\n1. E a *\n";
    let (mut judge, mut report) = (judge(&ABAPA), empty(&ABAPA));
    report.add_record(&mut judge, &record(text), 0, 1).unwrap();
    assert_eq!((report.foreign, report.games, report.total().judged()), (1, 0, 0));
    report.add_record(&mut judge, &record(&text.replace("AWARI", "at home")), 0, 2).unwrap();
    assert_eq!((report.foreign, report.games, report.total().judged()), (1, 1, 2));
}

#[test]
fn limits_bind() {
    let games = games(&ABAPA, 40);
    let all: Vec<(usize, &Record)> = games.iter().enumerate().collect();
    let report = report(&ABAPA, &all);
    let rates = report.total().rates().unwrap();
    let losing = |rate| Requirements { losing_rate: Some(rate), baseline: None };
    assert!(losing(rates.losing).complaints(&report).is_empty());
    assert_eq!(losing(rates.losing - 1e-9).complaints(&report).len(), 1);
    assert_eq!(losing(1.0).complaints(&empty(&ABAPA)).len(), 1, "nothing judged is nothing good");
    assert!(Requirements::default().complaints(&empty(&ABAPA)).is_empty());

    let baseline = Baseline::of(&report).unwrap();
    let text = serde_json::to_string(&baseline).unwrap();
    assert_eq!(serde_json::from_str::<Baseline>(&text).unwrap(), baseline);
    let against = |baseline| Requirements { losing_rate: None, baseline: Some(baseline) };
    assert!(against(baseline.clone()).complaints(&report).is_empty());
    let better = [
        Baseline { losing_rate: baseline.losing_rate / 2.0, ..baseline.clone() },
        Baseline { mean_loss: baseline.mean_loss - 1e-9, ..baseline.clone() },
        Baseline { thrown_away_rate: 0.0, ..baseline.clone() },
    ];
    assert!(better.into_iter().all(|better| against(better).complaints(&report).len() == 1));
    let mut failing = report.clone();
    failing.timeouts += 1;
    assert_eq!(against(baseline.clone()).complaints(&failing).len(), 1);
    // As many failures in fewer moves were more.
    let judged = baseline.judged / 2;
    let shorter = Baseline { judged, failures: 1, ..baseline.clone() };
    assert!(against(shorter).complaints(&failing).is_empty());
    let foreign = Baseline { rules: "awari".to_owned(), ..baseline };
    assert_eq!(against(foreign).complaints(&report).len(), 1);
}

#[test]
fn the_page_stands_alone_and_shows_what_it_is_given() {
    let games = games(&ABAPA, 40);
    let all: Vec<(usize, &Record)> = games.iter().enumerate().collect();
    let mut report = report(&ABAPA, &all);
    report.sources = vec!["<script>&\"".to_owned()];
    report.add_lines(&mut judge(&ABAPA)).unwrap();
    let page = html::page(&report);
    for foreign in ["<script", "http:", "https:", "url(", "@import", "src=", "href="] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.contains("&lt;script&gt;&amp;&quot;"));
    assert_eq!(page.matches("class=\"board\"").count(), report.worst().count());
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    assert_eq!(page.matches("<svg").count(), report.worst().count() + 2);
    assert!(html::page(&empty(&ABAPA)).contains("No move was judged"));
}
