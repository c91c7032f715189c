//! Judging moves: against a slow twin that knows nothing but the oracle's scores and keeps every
//! position that has been on the board; and adding judgements up.

mod reports;
mod twin;

use std::sync::LazyLock;

use oware_db::game::record::{Annotation, Reader, Record};
use oware_db::game::{
    ABAPA, ABAPA_AGREED, AWARI, Board, Game, House, Interval, Position, Rules, SHEETS, Score, Seat,
    Seeds, Stores, legal_moves,
};
use oware_db::layer::{Layer, Rank};
use oware_db::probe::{Prober, ScoredMove, Tables, best_of};
use oware_db::random::Dice;
use oware_db::table::file_name;
use oware_db::verify::{Judge, Judgement, Scored, ThrownAway, Verdict, annotate, judge_record};

use crate::engine::tests::tables::{build_for, built};
use twin::Twin;

/// Seeds of the largest layer that has a table.
const MOST: usize = 6;
/// Seeds of the smallest layer with scores that stay open under the tournament rule.
const OPEN: usize = 8;

/// The tables of all sheets in one directory.
static TABLES: LazyLock<(tempfile::TempDir, Tables)> = LazyLock::new(|| {
    let dir = built(MOST);
    let tables = Tables::open(dir.path()).unwrap();
    (dir, tables)
});

fn judge(rules: &'static Rules) -> Judge {
    Judge::new(Prober::new(&TABLES.1, rules))
}

/// A position of so many seeds, with all other seeds captured.
fn random_start(rules: &Rules, seeds: usize, dice: &mut Dice) -> Position {
    let layer = Layer::of(rules, Seeds::new(seeds).unwrap());
    let board = layer.position(Rank(dice.below(layer.positions()))).unwrap();
    // Near the middle, where a move decides who wins.
    let captured = ((48 - seeds) / 2 - 2) as u8 + dice.below(5) as u8;
    let stores = Stores { mover: captured, opponent: (48 - seeds) as u8 - captured };
    Position { board, stores: Some(stores), seat: Seat::BOTH[dice.below(2) as usize] }
}

/// A game of random moves that goes on through repetitions.
fn random_game(rules: &'static Rules, start: Position, plies: usize, dice: &mut Dice) -> Record {
    let mut game = Game::new(rules, start);
    let mut text = format!("{start} moves ");
    for _ in 0..plies {
        let Some(played) = dice.greatest(legal_moves(rules, game.board()).iter(), |_| 0) else {
            break;
        };
        text.push(game.seat().letter(played.house));
        game.make(&played);
    }
    record(&text)
}

fn record(text: &str) -> Record {
    let mut games = Reader::new(text.as_bytes());
    let game = games.next().expect("a game").unwrap();
    assert!(games.next().is_none());
    game
}

fn judgements(judge: &mut Judge, record: &Record) -> Vec<Judgement> {
    let mut found = Vec::new();
    judge_record(judge, record, |_, _, judgement| found.push(judgement.clone())).unwrap();
    found
}

fn scored(judgement: &Judgement) -> &Scored {
    match judgement {
        Judgement::Scored(scored) => scored,
        other => panic!("{other:?}"),
    }
}

#[test]
fn judgements_are_those_of_the_slow_twin_on_every_sheet() {
    for rules in SHEETS {
        let mut judge = judge(rules);
        let mut twin = Twin::new(rules, MOST, Prober::new(&TABLES.1, rules));
        let (mut cycles, mut unknown, mut verdicts) = (0, 0, [0; 3]);
        for seed in 0..300 {
            let mut dice = Dice::new(seed);
            let start = random_start(rules, 2 + seed as usize % 7, &mut dice);
            let record = random_game(rules, start, 60, &mut dice);
            let found = judgements(&mut judge, &record);
            assert_eq!(found.len(), record.moves.len());
            let expected = twin.judge(&record);
            for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(found, expected, "{} move {}:\n{record}", rules.id, place + 1);
                match found {
                    Judgement::Scored(scored) => {
                        cycles += u32::from(scored.closes_cycle);
                        verdicts[scored.verdict as usize] += 1;
                    }
                    Judgement::Unknown => unknown += 1,
                    Judgement::Illegal => unreachable!("all moves are legal"),
                }
            }
        }
        assert!(cycles > 20 && unknown > 100, "{}: {cycles} cycles, {unknown} unknown", rules.id);
        assert!(verdicts.iter().all(|&count| count > 50), "{}: {verdicts:?}", rules.id);
    }
}

/// Tables of games of 7 seeds leave open what a best move gives away at the end of a range: never less
/// than by full tables.
#[test]
fn clamped_tables_say_no_less_than_what_is_lost() {
    for rules in [&AWARI, &ABAPA] {
        let dir = tempfile::tempdir().unwrap();
        build_for(Seeds::new(7), rules, MOST, dir.path());
        let tables = Tables::open(dir.path()).unwrap();
        let prober = || Prober::new(&tables, rules);
        let (mut judge, mut full) = (Judge::new(prober()), judge(rules));
        let (mut twin, mut left_open) = (Twin::new(rules, MOST, prober()), 0);
        for seed in 0..300 {
            let mut dice = Dice::new(seed);
            let start = random_start(rules, 2 + seed as usize % 7, &mut dice);
            let record = random_game(rules, start, 60, &mut dice);
            let found = judgements(&mut judge, &record);
            assert_eq!(found, twin.judge(&record), "{record}");
            for (found, full) in found.iter().zip(judgements(&mut full, &record)) {
                let Judgement::Scored(full) = full else { continue };
                let (found, lost) = (scored(found), full.loss);
                assert!(found.loss.min <= lost.min && lost.max <= found.loss.max, "{record}");
                left_open += u32::from(found.verdict == Verdict::Best && lost.min > 0);
            }
        }
        assert!(left_open > 10, "{}: {left_open}", rules.id);
    }
}

/// Without history a position is worth what `query` says, and the best moves are those that it
/// marks. A move is worth what its child is, or in knots, where the way there is history that
/// counts, what is sure: no more than the position is worth, and no less than the strategy
/// collects.
#[test]
fn with_fresh_history_a_position_is_worth_its_interval() {
    let (mut open, mut anomalies) = (0, 0);
    for rules in SHEETS {
        let (mut judge, mut prober) = (judge(rules), Prober::new(&TABLES.1, rules));
        let mut dice = Dice::new(1);
        for count in 0..600 {
            let start = random_start(rules, 1 + count % MOST, &mut dice);
            let interval = prober.interval(&start.board).unwrap();
            let moves = prober.moves(&start.board).unwrap();
            let bounds: Vec<Interval> =
                moves.iter().map(|each| bounds_of(&mut prober, each)).collect();
            let is_open =
                rules.endless.is_settled() && bounds.iter().any(|bounds| bounds.value().is_none());
            anomalies += u32::from(best_of(&moves).is_some_and(|best| best != interval));
            for (each, bounds) in moves.iter().zip(bounds) {
                let place = format!("{} {} {}", rules.id, start.board, each.played.house);
                let judgement = judge.judge(&Game::new(rules, start), each.played.house).unwrap();
                let scored = scored(&judgement);
                assert_eq!(scored.before, interval, "{place}");
                if is_open {
                    assert!(scored.after.high <= interval.high, "{place}");
                    assert!(each.collects.is_none_or(|claim| scored.after.low == claim), "{place}");
                    let expected = [each.interval, bounds].map(|of| limited(of, each, interval));
                    assert!(expected.contains(&scored.after), "{place}: {:?}", scored.after);
                    open += 1;
                } else {
                    assert_eq!(scored.after, each.interval, "{place}");
                }
                let is_best = scored.verdict == Verdict::Best;
                assert_eq!(is_best, each.collects.is_some(), "{place}");
                assert!(each.collects.is_none_or(|claim| claim == interval.low), "{place}");
                assert!(!is_best || scored.better.contains(&each.played.house));
            }
        }
    }
    assert!(open > 100 && anomalies > 0, "{open} moves in open places, {anomalies} anomalies");
}

/// What a move brings wherever a cycle is cut.
fn bounds_of(prober: &mut Prober, each: &ScoredMove) -> Interval {
    match each.played.captured {
        0 => prober.bounds(&each.played.next).unwrap().after_capture(0),
        _ => each.interval,
    }
}

/// An interval of a move, as far as it is no less than what it collects, and no more than the
/// position is worth.
fn limited(Interval { low, high }: Interval, each: &ScoredMove, position: Interval) -> Interval {
    let low = each.collects.map_or(low, |claim| low.max(claim)).min(position.high);
    Interval { low, high: high.min(position.high).max(low) }
}

#[test]
fn open_scores_leave_open_what_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    build_for(None, &ABAPA_AGREED, OPEN, dir.path());
    let tables = Tables::open(dir.path()).unwrap();
    let (mut judge, mut prober) =
        (Judge::new(Prober::new(&tables, &ABAPA_AGREED)), Prober::new(&tables, &ABAPA_AGREED));
    let (mut dice, mut open) = (Dice::new(5), 0);
    for _ in 0..400 {
        let start = random_start(&ABAPA_AGREED, OPEN, &mut dice);
        let Interval { low, high } = prober.interval(&start.board).unwrap();
        for each in prober.moves(&start.board).unwrap() {
            let judgement =
                judge.judge(&Game::new(&ABAPA_AGREED, start), each.played.house).unwrap();
            let scored = scored(&judgement);
            let least = (low.get() - each.interval.high.get()).max(0) as u8;
            let most = (high.get() - each.interval.low.get()) as u8;
            match scored.verdict {
                Verdict::Best => assert!(least == 0 && scored.loss == Default::default()),
                Verdict::Safe => {
                    assert_eq!((least, scored.loss.min, scored.loss.max), (0, 0, most))
                }
                Verdict::Loses => assert_eq!((scored.loss.min, scored.loss.max), (least, most)),
            }
            open += u32::from(scored.loss.min < scored.loss.max);
        }
    }
    assert!(open > 100, "{open}");
}

/// The value of a game for the player to move if it stops at the first repetition that counts, and
/// the letters of a line of best play, by following every line.
fn first_repetition(game: &Game) -> (i8, String) {
    let moves = legal_moves(game.rules(), game.board());
    let lines = moves.iter().map(|played| first_repetition_by(game, played.house));
    lines.max_by_key(|(worth, _)| *worth).unwrap_or((game.board().own_rows().get(), String::new()))
}

fn first_repetition_by(game: &Game, house: House) -> (i8, String) {
    let (played, letter) = (game.find(house).expect("a legal move"), game.seat().letter(house));
    if let Some(worth) = game.worth_of_repetition(&played) {
        return (worth.get(), letter.to_string());
    }
    let mut next = game.clone();
    next.make(&played);
    let (worth, line) = first_repetition(&next);
    (played.captured as i8 - worth, format!("{letter}{line}"))
}

/// The tables give 3 for C and for E, but after E the opponent can close a cycle: E brings 1. The
/// line of play that shows it ends with the move that closes the cycle, and that one is judged by
/// the rows as they lie.
#[test]
fn a_score_that_is_kept_only_in_the_table_is_not_best() {
    let start: Position = "0 0 1 0 1 0 0 0 0 0 0 1".parse().unwrap();
    let game = Game::new(&ABAPA, start);
    let (c, e) = (House::ALL[2], House::ALL[4]);
    let (after_e, line) = first_repetition_by(&game, e);
    assert_eq!((first_repetition_by(&game, c).0, after_e), (3, 1));
    let mut judge = judge(&ABAPA);
    let three = Interval::exact(Score::new(3));
    for (house, verdict) in [(c, Verdict::Best), (e, Verdict::Safe)] {
        let judgement = judge.judge(&game, house).unwrap();
        let scored = scored(&judgement);
        assert_eq!((scored.verdict, scored.before, scored.after), (verdict, three, three));
        assert_eq!((scored.loss.min, &scored.better[..]), (0, &[c][..]));
    }
    let judged = judgements(&mut judge, &record(&format!("{start} moves {line}")));
    let (last, before) = judged.split_last().unwrap();
    assert!(before.iter().all(|judgement| !scored(judgement).closes_cycle), "{line}");
    assert!(scored(last).closes_cycle, "{line}");
    let by_south = if judged.len() % 2 == 1 { after_e } else { -after_e };
    assert_eq!(scored(last).after, Interval::exact(Score::new(by_south)), "{line}");
}

/// Two seeds that go round: the record goes on, and every closing is judged for itself.
#[test]
fn a_record_may_go_on_after_a_repetition() {
    let start: Position = "0-0-0-0-1-0-0-0-0-0-0-1-23-23-S".parse().unwrap();
    let mut game = Game::new(&AWARI, start);
    let mut text = format!("{start} moves ");
    let (mut seen, mut expected) = (vec![(game.seat(), *game.board())], Vec::new());
    for _ in 0..60 {
        let Some(played) =
            legal_moves(&AWARI, game.board()).iter().find(|played| played.captured == 0)
        else {
            break;
        };
        text.push(game.seat().letter(played.house));
        game.make(&played);
        let now = (game.seat(), *game.board());
        expected.push(seen.contains(&now));
        if expected.last() == Some(&true) {
            seen.clear();
        }
        seen.push(now);
    }
    let judged = judgements(&mut judge(&AWARI), &record(&text));
    let found: Vec<bool> = judged.iter().map(|judgement| scored(judgement).closes_cycle).collect();
    assert_eq!(found, expected);
    assert!(found.iter().filter(|&&closes| closes).count() > 1, "{text}");
}

#[test]
fn what_is_not_legal_ends_the_judging() {
    let mut judge = judge(&ABAPA);
    // Not South's turn; an empty house; a game that is over.
    for (moves, count) in [("a", 1), ("EE", 2), ("A", 1), ("EaFbA", 5)] {
        let judged = judgements(
            &mut judge,
            &record(&format!("0-0-0-0-1-2-1-0-0-0-2-0-20-22-S moves {moves}a")),
        );
        let legal = judged.iter().take_while(|judgement| **judgement != Judgement::Illegal).count();
        assert!(legal < count && judged.len() == legal + 1, "{moves}: {judged:?}");
    }
}

/// Whether the score of a position rests on the table of 3 seeds: it is in there, or captures lead
/// to one that is.
fn needs_three(board: &Board) -> bool {
    let moves = legal_moves(&ABAPA, board);
    let by_capture = || moves.iter().any(|played| played.captured > 0 && needs_three(&played.next));
    !moves.is_empty() && (board.seeds().get() == 3 || by_capture())
}

#[test]
fn a_missing_table_is_never_good() {
    let dir = built(MOST);
    std::fs::remove_file(dir.path().join(file_name(&ABAPA, Seeds::new(3).unwrap()))).unwrap();
    let tables = Tables::open(dir.path()).unwrap();
    let mut complete = judge(&ABAPA);
    let mut counts = [0; 2];
    for seed in 0..400 {
        let mut dice = Dice::new(seed);
        // A new judge for each game, and one that has been asked before: both say the same.
        let mut judge = Judge::new(Prober::new(&tables, &ABAPA));
        let start = random_start(&ABAPA, 3 + seed as usize % 3, &mut dice);
        let record = random_game(&ABAPA, start, 30, &mut dice);
        let needs_it = |game: &Game| {
            legal_moves(&ABAPA, game.board()).iter().any(|played| needs_three(&played.next))
        };
        let mut needed = Vec::new();
        judge_record(&mut complete, &record, |_, game, _| needed.push(needs_it(game))).unwrap();
        let (found, with_all) =
            (judgements(&mut judge, &record), judgements(&mut complete, &record));
        assert_eq!(found, judgements(&mut judge, &record));
        for ((found, with_all), needs) in found.iter().zip(with_all).zip(needed) {
            counts[usize::from(needs)] += 1;
            assert_eq!(*found, if needs { Judgement::Unknown } else { with_all }, "{record}");
        }
    }
    assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
}

#[test]
fn to_annotate_twice_is_to_annotate_once() {
    let mut remarks = 0;
    for (rules, seed) in SHEETS.into_iter().flat_map(|rules| (0..60).map(move |seed| (rules, seed)))
    {
        let (mut judge, mut dice) = (judge(rules), Dice::new(seed));
        let start = random_start(rules, 3 + seed as usize % 4, &mut dice);
        let mut record = random_game(rules, start, 25, &mut dice);
        if let Some(first) = record.moves.first_mut() {
            let comment = |text: &str| Annotation::Comment(text.to_owned());
            first.annotations = vec![
                Annotation::Glyph("!?".to_owned()),
                comment("kept"),
                comment("oware: old"),
                Annotation::Variation("(1. F (1. E! {inside} e) f)".to_owned()),
                comment("kept, too"),
            ];
        }
        let before = record.clone();
        let judged = annotate(&mut judge, &mut record).unwrap();
        let once = record.to_string();
        assert_eq!(judged, annotate(&mut judge, &mut record).unwrap());
        assert_eq!(record.to_string(), once);
        let mut reread = self::record(&once);
        assert_eq!(reread, record);
        for (played, judgement) in reread.moves.iter().zip(&judged) {
            let remark = played.comments().filter(|comment| comment.starts_with("oware: ")).count();
            let scored = scored(judgement);
            let is_good = scored.verdict == Verdict::Best && scored.thrown_away().is_none();
            assert_eq!(remark, usize::from(!is_good), "{once}");
            remarks += remark;
        }
        // Without our comments it is the record that it was.
        let mut expected = before;
        for played in reread.moves.iter_mut().chain(&mut expected.moves) {
            played.annotations.retain(|said| !said.text().starts_with("oware: "));
        }
        assert_eq!(reread, expected);
    }
    assert!(remarks > 500, "{remarks}");
}

/// A position with a losing move, near the end of games that stand differently.
#[test]
fn results_are_thrown_away_by_what_was_captured_before() {
    let (mut judge, mut dice) = (judge(&ABAPA), Dice::new(3));
    let (start, house) = loop {
        let start = random_start(&ABAPA, MOST, &mut dice);
        let losing = legal_moves(&ABAPA, &start.board).iter().find(|played| {
            let judgement = judge.judge(&Game::new(&ABAPA, start), played.house).unwrap();
            let scored = scored(&judgement);
            scored.loss.min == scored.loss.max && scored.loss.min >= 4
        });
        if let Some(losing) = losing {
            break (start, losing.house);
        }
    };
    let mut turns = Vec::new();
    for captured in 0..=(48 - MOST) as u8 {
        let stores = Stores { mover: captured, opponent: (48 - MOST) as u8 - captured };
        let start = Position { stores: Some(stores), ..start };
        let judgement = judge.judge(&Game::new(&ABAPA, start), house).unwrap();
        let scored = scored(&judgement);
        let ahead = 2 * captured as i8 - (48 - MOST) as i8;
        let sign = |interval: Interval| (ahead + interval.value().unwrap().get()).signum();
        let expected = match (sign(scored.before), sign(scored.after)) {
            (1, -1) => Some(ThrownAway::WinToLoss),
            (1, 0) => Some(ThrownAway::WinToDraw),
            (0, -1) => Some(ThrownAway::DrawToLoss),
            _ => None,
        };
        assert_eq!(scored.thrown_away(), expected);
        turns.extend(expected);
        // Seeds that are missing from the count tell nothing.
        let unknown = Game::new(&ABAPA, Position { stores: None, ..start });
        assert_eq!(self::scored(&judge.judge(&unknown, house).unwrap()).thrown_away(), None);
    }
    for turn in [ThrownAway::WinToDraw, ThrownAway::WinToLoss, ThrownAway::DrawToLoss] {
        assert!(turns.contains(&turn), "{turns:?}");
    }
}
