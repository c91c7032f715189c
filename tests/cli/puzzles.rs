//! `oware puzzles`: each puzzle is looked at again with the rules and the scores of positions alone.

use std::collections::BTreeSet;

use serde_json::Value;
use tempfile::TempDir;

use oware_db::game::{ABAPA, ABAPA_AGREED, Board, Game, Move, Position, Rules, legal_moves};
use oware_db::probe::{Prober, Tables};

use super::tables::{built, within};

const KINDS: [&str; 5] = ["only-win", "only-draw", "capture-is-wrong", "sacrifice", "longest-win"];

fn board(puzzle: &Value) -> Board {
    let numbers = puzzle["board"].as_array().expect("a board").iter();
    let houses: Vec<u8> = numbers.map(|it| it.as_u64().expect("a number") as u8).collect();
    Board::new(houses.try_into().expect("twelve")).expect("a board")
}

/// What the mover has more than the opponent in the end, after each move: the slow twin, which knows
/// rules and scores of positions.
fn ends(prober: &mut Prober, puzzle: &Value) -> Vec<(Move, i64)> {
    let store = |at: usize| puzzle["stores"][at].as_i64().expect("a number");
    let board = board(puzzle);
    assert_eq!(store(0) + store(1) + board.seeds().get() as i64, 48);
    assert!((0..=1).contains(&(store(1) - store(0))), "{puzzle}");
    let legal = legal_moves(prober.rules(), &board);
    let end = |played: Move| {
        let next = prober.interval(&played.next).expect("a score").value().expect("exact");
        let score = i64::from(played.captured) - i64::from(next.get());
        assert_eq!(puzzle["scores"][played.house.to_string()], score, "{puzzle}");
        (played, store(0) - store(1) + score)
    };
    legal.iter().map(end).collect()
}

/// Checks what holds for every puzzle, and returns the good move and all others.
fn looked_at(prober: &mut Prober, puzzle: &Value) -> (Move, Vec<Move>) {
    let ends = ends(prober, puzzle);
    let is_good = |end: i64| if puzzle["outcome"] == "win" { end > 0 } else { end == 0 };
    let (good, others): (Vec<_>, Vec<_>) = ends.iter().partition(|&&(_, end)| is_good(end));
    let [(good, end)] = good[..] else { panic!("not one good move: {puzzle}") };
    assert!(others.iter().all(|&(_, other)| other < end), "{puzzle}");
    assert_eq!(puzzle["solution"], good.house.to_string());
    assert_eq!(puzzle["features"]["moves"], ends.len());
    let second = others.iter().map(|&(_, end)| end).max().expect("another move");
    assert_eq!(puzzle["features"]["margin"], end - second, "{puzzle}");
    (good, others.into_iter().map(|(played, _)| played).collect())
}

/// Whether the opponent may take more at once after a move than it takes.
fn gives(rules: &Rules, played: &Move) -> bool {
    legal_moves(rules, &played.next).iter().any(|reply| reply.captured > played.captured)
}

fn puzzles(dir: &TempDir, options: &str) -> Vec<Value> {
    let run = within(dir, &format!("puzzles --json --tables DIR {options}"));
    assert_eq!(run.code, 0, "{} {}", run.out, run.err);
    run.json()["puzzles"].as_array().expect("puzzles").clone()
}

#[test]
fn each_kind_of_puzzle_is_what_the_tables_say() {
    let dir = built("abapa", 9);
    let mut prober = Prober::new(&Tables::open(dir.path()).expect("tables"), &ABAPA);
    for kind in KINDS {
        let found = puzzles(&dir, &format!("--kind {kind} --count 25"));
        assert_eq!(found.len(), 25, "{kind}");
        let boards: BTreeSet<[u8; 12]> = found.iter().map(|it| board(it).houses()).collect();
        assert_eq!(boards.len(), 25, "none twice");
        for puzzle in &found {
            assert_eq!(puzzle["kind"], kind);
            let (good, others) = looked_at(&mut prober, puzzle);
            let draws = puzzle["outcome"] == "draw";
            let is_so = match kind {
                "only-win" | "longest-win" => !draws,
                "only-draw" => draws,
                "capture-is-wrong" => good.captured == 0 && others.iter().any(|it| it.captured > 0),
                _ => gives(&ABAPA, &good) && !others.iter().all(|other| gives(&ABAPA, other)),
            };
            assert!(is_so, "{puzzle}");
        }
    }
}

/// They last longer than nineteen of twenty puzzles that win.
#[test]
fn longest_wins_last_long() {
    let dir = built("abapa", 8);
    let mut prober = Prober::new(&Tables::open(dir.path()).expect("tables"), &ABAPA);
    let mut lasts = |puzzle: &Value| {
        let board = board(puzzle);
        let value = prober.interval(&board).expect("a score").value().expect("exact");
        prober.line(&board, 1000).expect("a line").collected_after(value).expect("an end")
    };
    let longest = puzzles(&dir, "--kind longest-win --count 5 --seeds 8..8");
    let all = puzzles(&dir, "--kind only-win --count 1000000 --seeds 8..8");
    let shortest = longest.iter().map(&mut lasts).min().expect("wins");
    let shorter = all.iter().filter(|puzzle| lasts(puzzle) < shortest).count();
    assert!(longest.len() == 5 && 20 * shorter > 19 * all.len(), "{shorter} of {}", all.len());
}

#[test]
fn solutions_are_legal_and_come_to_the_result() {
    let dir = built("abapa", 9);
    let records = within(&dir, "puzzles --count 60 --tables DIR").out;
    for puzzle in puzzles(&dir, "--count 60") {
        let numbers = board(&puzzle).houses().map(|count| count.to_string()).join("-");
        let (mover, opponent) = (&puzzle["stores"][0], &puzzle["stores"][1]);
        let start: Position =
            format!("{numbers}-{mover}-{opponent}-S").parse().expect("a position");
        let mut game = Game::new(&ABAPA, start);
        let line = puzzle["line"].as_array().expect("a line");
        assert_eq!(line[0], puzzle["solution"]);
        for letter in line {
            assert_eq!(game.over(), None, "{puzzle}");
            let letter = letter.as_str().and_then(|text| text.chars().next()).expect("a letter");
            game.play(oware_db::game::Ply::from_letter(letter).expect("a move")).expect("legal");
        }
        let over = game.over();
        assert!(over.is_some(), "{puzzle}");
        let text = record(&records, &puzzle);
        assert!(text.contains(if puzzle["outcome"] == "win" { "1-0" } else { "1/2-1/2" }));
    }
}

/// The record of a puzzle, as it stands among all.
fn record<'r>(records: &'r str, puzzle: &Value) -> &'r str {
    let numbers = board(puzzle).houses().map(|count| count.to_string()).join("-");
    let record = records.split("\n\n[").find(|record| record.contains(&numbers));
    record.expect("the puzzle")
}

/// `verify` reads the records and finds nothing that gives anything away.
#[test]
fn the_records_of_puzzles_are_without_mistakes() {
    let dir = built("abapa", 9);
    assert_eq!(within(&dir, "puzzles --count 40 --tables DIR --out DIR/puzzles.ogn").code, 0);
    let run = within(&dir, "verify --json --games DIR/puzzles.ogn --tables DIR");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let found = run.json();
    assert!(found["judged"].as_u64() > Some(100), "{found}");
    assert_eq!((&found["losing"], &found["illegal"]), (&0.into(), &0.into()), "{found}");
}

#[test]
fn the_same_options_make_the_same_puzzles() {
    let dir = built("abapa", 8);
    let make = |more: &str| {
        let run = within(&dir, &format!("puzzles --json --count 12 --tables DIR {more}"));
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        run.out
    };
    let one = make("");
    assert_eq!(
        one,
        make("--out DIR/file") + &std::fs::read_to_string(dir.path().join("file")).unwrap()
    );
    assert_ne!(one, make("--seed 2"));
    let mut single =
        super::command(&format!("puzzles --json --count 12 --tables {}", dir.path().display()));
    let single = single.env("RAYON_NUM_THREADS", "1").output().expect("runs");
    assert_eq!(one.as_bytes(), single.stdout);
}

/// Where players agree on the end scores are intervals, and those are no puzzles.
#[test]
fn only_exact_positions_are_puzzles() {
    let dir = built("abapa-agreed", 8);
    let mut prober = Prober::new(&Tables::open(dir.path()).expect("tables"), &ABAPA_AGREED);
    let found = puzzles(&dir, "--rules abapa-agreed --count 40");
    assert_eq!(found.len(), 40);
    for puzzle in &found {
        looked_at(&mut prober, puzzle);
    }
}

#[test]
fn what_cannot_be_found_is_said() {
    let dir = built("abapa", 5);
    let run =
        within(&dir, "puzzles --kind sacrifice --count 1000 --seeds 3..4 --tables DIR --json");
    assert_eq!(run.code, 0);
    assert!(
        run.err.contains("puzzles of the kind sacrifice, not 1000; larger ones"),
        "{}",
        run.err
    );
    let few = within(&dir, "puzzles --seeds 5 --tables DIR --json").json();
    assert_eq!(few["seeds"], serde_json::json!([1, 5]));
    let wrong = within(&dir, "puzzles --seeds 5..3 --tables DIR");
    assert!(wrong.error(2).contains("write 3..5"), "{}", wrong.err);
    let missing = within(&dir, "puzzles --seeds 6 --tables DIR");
    assert!(missing.error(1).contains("oware build"), "{}", missing.err);
}
