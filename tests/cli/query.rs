//! `oware query`.

use std::fs;

use oware_db::game::{
    ABAPA, ABAPA_AGREED, ABAPA_EVEN, AWARI, Board, Ending, Game, Ply, Rules, Seeds, final_score,
    legal_moves,
};
use oware_db::layer::{Layer, Rank};
use oware_db::probe::{KnownPlies, Line, LineEnd, Prober, Tables};
use serde_json::{Value, json};

use super::tables::{built, within};
use super::{oware, oware_fed};

const ENDGAME: &str = "0 0 0 0 1 2 1 0 0 0 3 0";

#[test]
fn knows_a_published_position() {
    let dir = built("awari", 17);
    let answer =
        within(&dir, "query --json --rules awari --tables DIR 1 1 1 1 1 2 4 2 3 0 0 0").json();
    assert_eq!(
        (&answer["value"], &answer["low"], &answer["exact"]),
        (&json!(0), &json!(0), &json!(true))
    );
    let mut scores: Vec<(&str, i64)> = answer["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|each| {
            (each["house"].as_str().expect("a house"), each["value"].as_i64().expect("a score"))
        })
        .collect();
    assert_eq!(scores[0], ("F", 0), "best first");
    scores.sort();
    assert_eq!(scores.iter().map(|(_, score)| *score).collect::<Vec<_>>(), [-1, -1, -2, -2, -2, 0]);
    assert_eq!((&answer["best"], &answer["line"][0]), (&json!(["F"]), &json!("F")));
}

/// Where a table is missing: an estimate of the position and of each move, if that is wanted; the
/// error if not. Where there is a table, the score.
#[test]
fn above_the_tables_there_is_an_estimate_if_it_is_wanted() {
    let dir = built("abapa", 5);
    let above = "4 3 2 1 0 0 0 0 0 0 0 2";
    within(&dir, &format!("query --tables DIR {above}")).error(1);
    let found = within(&dir, &format!("query --json --estimate --tables DIR {above}")).json();
    assert_eq!((&found["seeds"], &found["low"]), (&json!(12), &Value::Null));
    assert!(found["estimate"].as_f64().expect("a number").abs() <= 12.0, "{found}");
    assert!(found["mean_error"].as_f64().is_some() && found["outcome"].is_null(), "{found}");
    let moves = found["moves"].as_array().expect("moves");
    let estimates: Vec<f64> = moves.iter().filter_map(|each| each["estimate"].as_f64()).collect();
    assert!(estimates.len() == 4 && estimates.is_sorted_by(|one, next| one >= next), "{found}");
    assert_eq!((&found["best"][0], &found["line"][0]), (&moves[0]["house"], &moves[0]["house"]));
    let same = within(&dir, &format!("query --json --estimate --tables DIR {above}")).json();
    assert_eq!(same, found, "the same estimate each time");
    for (stores, outcome) in [("", None), ("-23-19-S", Some("win")), ("-22-20-S", None)] {
        let position = format!("0-0-0-0-0-1-1-0-0-0-2-2{stores}");
        let found =
            within(&dir, &format!("query --json --estimate --tables DIR {position}")).json();
        let outcomes = [&found, &found["moves"][0]].map(|of| of["outcome"].as_str());
        assert_eq!(outcomes, [outcome; 2], "F captures two: {found}");
    }
    // With 25 seeds a player has won, and the others still count.
    let won = "2-5-0-2-1-1-2-1-0-1-1-2-23-7-S";
    let found = within(&dir, &format!("query --json --estimate --tables DIR {won}")).json();
    let depths =
        found["moves"].as_array().expect("moves").iter().map(|each| each["depth"].as_u64());
    assert!(depths.clone().count() == 5 && depths.flatten().all(|depth| depth > 5), "{found}");
    let start = within(&dir, "query --json --estimate --tables DIR 4 4 4 4 4 4 4 4 4 4 4 4").json();
    assert!(start["mean_error"].is_null(), "nobody has measured it: {start}");
    let text = within(&dir, &format!("query --estimate --tables DIR {above}"));
    assert!(text.code == 0 && text.out.contains("an estimate, not a score"), "{}", text.out);
    let score = within(
        &dir,
        &format!("query --json --estimate --tables DIR {}", "0 0 1 0 1 0 0 0 0 0 0 1"),
    );
    assert_eq!(score.json()["value"], json!(3));
    within(&dir, "query --estimate --rules nam-nam --tables DIR 4").error(2);
}

/// In a batch, too: each line has its score, its estimate, or why there is neither.
#[test]
fn a_batch_has_estimates_where_tables_are_missing() {
    let dir = built("abapa", 5);
    let tables = dir.path().display();
    let lines = "0 0 1 0 1 0 0 0 0 0 0 1\n4 3 2 1 0 0 0 0 0 0 0 2\n1 2 3\n";
    let run = oware_fed(&format!("query --batch --estimate --tables {tables}"), lines.as_bytes());
    let found: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((run.code, found.len(), &found[0]["value"]), (1, 3, &json!(3)));
    assert!(found[1]["estimate"].is_number() && found[1]["low"].is_null(), "{}", found[1]);
    assert_eq!(found[2]["error"]["kind"], "usage");
}

#[test]
fn tells_people() {
    let dir = built("abapa", 5);
    let run = within(&dir, "query --tables DIR 0 | 20 23 | 0 0 0 0 0 1 1 0 0 0 0 3");
    let expected = "    f  e  d  c  b  a
    3  0  0  0  0  1   opponent, 23 captured
    0  0  0  0  0  1   to move, 20 captured
    A  B  C  D  E  F

5 seeds on the board. With best play the mover gets 5 seeds more than the opponent.
With the seeds captured before, the mover wins the game.

    house  captured   score  position for the next player
  > F             2      +5  0 0 0 0 0 3  0 0 0 0 0 0

Best play: Fx2 f, and the game is over.
";
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, expected, ""));
}

/// The better side gets 2 or 4, by where the cycle is cut.
const OPEN: &str = "0 0 0 0 0 1 0 0 1 2 1 3";

#[test]
fn tells_people_what_an_open_score_means() {
    let dir = built("abapa-agreed", 8);
    let run = within(&dir, &format!("query --rules abapa-agreed --line 4 --tables DIR {OPEN}"));
    let expected = "    f  e  d  c  b  a
    3  1  2  1  0  0   opponent
    0  0  0  0  0  1   to move
    A  B  C  D  E  F

8 seeds on the board. With best play the mover's seeds minus the opponent's are -4..-2.
Play can cycle for ever from here, and the score depends on where the cycle is cut: in every case the mover gets at least -4 and at most -2.

    house  captured   score  position for the next player
  > F             0  -4..-2  1 0 1 2 1 3  0 0 0 0 0 0

Best play: F f A e, and so on.
";
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, expected, ""));
}

#[test]
fn gives_both_ends_of_an_open_score() {
    let dir = built("abapa-agreed", 8);
    let answer =
        within(&dir, &format!("query --rules abapa-agreed --json --tables DIR {OPEN}")).json();
    for score in [&answer, &answer["moves"][0]] {
        assert_eq!((&score["low"], &score["high"]), (&json!(-4), &json!(-2)));
        assert_eq!((&score["exact"], &score["value"]), (&json!(false), &Value::Null));
    }
    assert_eq!((&answer["moves"][0]["certified"], &answer["best"]), (&json!(true), &json!(["F"])));
    assert!(answer.get("explanation").is_none());
    let capture =
        within(&dir, "query --rules abapa-agreed --json --tables DIR 0 0 0 0 0 1 1 0 0 0 0 3")
            .json();
    assert_eq!(
        (&capture["moves"][0]["certified"], &capture["best"]),
        (&json!(true), &json!(["F"]))
    );
}

/// C and E are worth the same with fresh history, but E lets the opponent close the cycle.
const DECEIVING: &str = "0 0 1 0 1 0 0 0 0 0 0 1";

#[test]
fn marks_what_is_not_certified_and_only_that() {
    let dir = built("abapa", 7);
    let run = within(&dir, &format!("query --tables DIR {DECEIVING}"));
    let list = "  > C             0      +3  0 0 0 0 0 1  0 0 0 1 1 0
    E             0      +3* 0 0 0 0 0 1  0 0 1 0 0 1
  * not certified: later play may";
    assert!(run.out.contains(list) && !run.out.contains("for ever"), "{}", run.out);
    let capture = within(&dir, "query --tables DIR 0 0 0 0 0 1 1 0 0 0 0 3");
    assert!(!capture.out.contains('*'), "{}", capture.out);
    let awari = built("awari", 7);
    for words in [ENDGAME, "0 0 0 1 0 0 0 0 0 0 0 3", "1 0 0 0 0 0 1 0 0 0 0 3"] {
        let run = within(&awari, &format!("query --rules awari --tables DIR {words}"));
        assert!(run.code == 0 && !run.out.contains('*'), "{}", run.out);
    }
}

#[test]
fn scores_only_are_the_same_scores() {
    let dir = built("abapa-agreed", 8);
    let input = format!(
        "{OPEN}\n{DECEIVING}\n0 0 0\n0-0-0-0-0-1-0-0-0-0-0-3-20-24-S\n0 0 0 0 0 0 0 0 0 0 0 0\n"
    );
    let full = oware_fed(
        &format!("query --rules abapa-agreed --batch --tables {}", dir.path().display()),
        input.as_bytes(),
    );
    let short = oware_fed(
        &format!(
            "query --rules abapa-agreed --batch --scores-only --tables {}",
            dir.path().display()
        ),
        input.as_bytes(),
    );
    assert_eq!((full.code, short.code), (1, 1));
    for (full, short) in full.out.lines().zip(short.out.lines()) {
        let read = |line| -> Value { serde_json::from_str(line).expect("JSON") };
        let (full, short) = (read(full), read(short));
        for (field, value) in short.as_object().expect("an object") {
            assert_eq!(full[field], *value, "{field}");
        }
        assert_eq!(
            (short.get("moves"), short.get("error").is_some()),
            (None, short.get("low").is_none())
        );
    }
    let one = within(
        &dir,
        &format!("query --rules abapa-agreed --json --scores-only --tables DIR {OPEN}"),
    )
    .json();
    assert_eq!((&one["low"], &one["high"], one.get("moves")), (&json!(-4), &json!(-2), None));
    assert_eq!(
        within(&dir, &format!("query --rules abapa-agreed --scores-only --tables DIR {OPEN}")).code,
        2
    );
}

#[test]
fn without_strategies_only_sure_moves_are_certified() {
    let dir = tempfile::tempdir().expect("a directory");
    let built = within(&dir, "build --no-strategy --seeds 5 --quiet --out DIR");
    assert_eq!(built.code, 0);
    let answer = within(&dir, &format!("query --json --tables DIR {DECEIVING}")).json();
    assert_eq!((&answer["value"], &answer["best"]), (&json!(3), &json!([])));
    let kept = within(&dir, "build --seeds 5 --out DIR");
    assert!(
        kept.code == 0 && kept.err.contains("6 kept tables have no strategy; --force"),
        "{}",
        kept.err
    );
    within(&dir, "build --seeds 5 --quiet --force --out DIR");
    let answer = within(&dir, &format!("query --json --tables DIR {DECEIVING}")).json();
    assert_eq!((&answer["value"], &answer["best"]), (&json!(3), &json!(["C"])));
}

/// With a strategy the line of every score that is sure comes to it.
#[test]
fn a_line_without_a_strategy_that_misses_the_score_says_so() {
    let dir = tempfile::tempdir().expect("a directory");
    let miss = "this line does not achieve the score";
    let position = "query --tables DIR 0 0 0 0 0 1 0 0 0 1 0 5";
    within(&dir, "build --no-strategy --seeds 7 --quiet --out DIR");
    let said = within(&dir, position).out;
    assert!(said.contains("+7  1 0 0 1 0 5") && said.contains(miss), "{said}");
    assert!(!within(&dir, &format!("{position} --line 2")).out.contains(miss));
    let found = within(&dir, &format!("{position} --json")).json();
    assert_eq!((&found["value"], &found["distance"]), (&json!(7), &Value::Null));
    within(&dir, "build --seeds 7 --quiet --force --out DIR");
    let said = within(&dir, position).out;
    assert!(said.contains("+7  1 0 0 1 0 5") && !said.contains(miss), "{said}");
}

#[test]
fn lines_tell_when_the_next_capture_comes_or_where_they_go_round() {
    let dir = built("abapa", 8);
    let line = within(&dir, "query --json --tables DIR 0 0 0 0 0 1 1 0 0 0 0 3").json();
    assert_eq!((&line["until_capture"], &line["line_end"]), (&json!(1), &json!("game_over")));
    let quiet = within(&dir, &format!("query --json --tables DIR {DECEIVING}")).json();
    assert_eq!((&quiet["until_capture"], &quiet["line_end"]), (&json!(2), &json!("game_over")));
    let open = within(&dir, &format!("query --json --line 0 --tables DIR {OPEN}")).json();
    assert_eq!((&open["until_capture"], &open["line_end"]), (&Value::Null, &json!("limit")));
}

#[test]
fn explains_if_asked() {
    let dir = built("abapa", 8);
    let plain = within(&dir, &format!("query --tables DIR {OPEN}")).out;
    let said = within(&dir, &format!("query --explain --tables DIR {OPEN}")).out;
    let reason = said.strip_prefix(plain.as_str()).expect("something more");
    for part in [
        "keeps the seeds in their own row",
        "fresh history",
        "the third repetition",
        "Not covered",
        "strategy",
    ] {
        assert!(reason.contains(part), "{part}: {reason}");
    }
    let answer = within(&dir, &format!("query --json --explain --tables DIR {OPEN}")).json();
    assert_eq!(answer["explanation"], reason.trim_start());
    let even = oware("query --explain --rules awari --tables nowhere 0 0 0 0 0 0 1 2 0 0 0 0").out;
    assert!(even.contains("even split") && !even.contains("certified"), "{even}");
}

#[test]
fn tells_who_wins_the_game() {
    let dir = built("abapa", 5);
    for (stores, outcome) in [("18 25", "loss"), ("19 24", "draw"), ("20 23", "win")] {
        let run = within(
            &dir,
            &format!("query --json --tables DIR 0 | {stores} | 0 0 0 0 0 1 1 0 0 0 0 3"),
        );
        assert_eq!(run.json()["outcome"], outcome, "{stores}");
    }
    assert!(
        within(&dir, "query --json --tables DIR 0 0 0 0 0 1 1 0 0 0 0 3").json()["outcome"]
            .is_null()
    );
}

/// Twelve numbers say nothing of stores, and then there is nothing to say.
#[test]
fn stores_that_belong_to_no_game_of_48_seeds_are_said() {
    let dir = built("abapa", 7);
    let why = "the board and the stores hold 47 seeds, but a game has 48";
    let ask = |words: &str| within(&dir, &format!("query --tables DIR {words}"));
    let said = ask("0-0-0-0-1-2-1-0-0-0-3-0-20-20-S").out;
    assert!(said.contains(&format!("The winner is unknown: {why}.")), "{said}");
    for words in ["--json", "--json --scores-only"] {
        let json = |stores: &str| ask(&format!("{words} 0-0-0-0-1-2-1-0-0-0-3-0{stores}")).json();
        let found = json("-20-20-S");
        let fields = ["outcome", "undecided_because"].map(|field| found[field].as_str());
        assert_eq!(fields, [Some("undecided"), Some(why)]);
        assert!(json("-20-21-S").get("undecided_because").is_none());
        assert!(json("").get("undecided_because").is_none());
    }
}

/// PlayStrategy ends games at a repetition with seeds on both sides.
#[test]
fn positions_and_moves_of_play_strategy_go_by_abapa_and_that_is_said() {
    let dir = built("awari", 10);
    let ask = |words: &str| within(&dir, &format!("{words} --tables DIR"));
    for position in ["3,2S,1S,2S/1S,3,2S,S 19 20 S 50", "1 0 0 0 2 1  2 1 2 0 0 0 moves e1b2"] {
        let said = ask(&format!("query --rules awari {position}")).err;
        assert!(said.contains("PlayStrategy plays by `abapa`"), "{position}: {said}");
        assert!(!ask(&format!("query {position}")).err.contains("PlayStrategy"));
    }
    assert!(!ask("query --rules awari 1 0 0 0 2 1  2 1 2 0 0 0").err.contains("PlayStrategy"));
    assert!(oware("query --help").out.contains("PlayStrategy"));
}

#[test]
fn a_missing_layer_is_said_with_the_move_that_needs_it() {
    let dir = built("abapa", 6);
    let general = built("bao-stores", 6);
    std::fs::remove_file(dir.path().join("abapa-03.oware")).expect("removed");
    std::fs::remove_file(general.path().join("bao-stores-05.oware")).expect("removed");
    let missing =
        |seeds: usize, by: &str| format!("for {seeds} seeds in {}{by}; ", dir.path().display());
    for (position, expected) in [
        ("0 0 0 0 0 1  1 1 0 1 0 1", missing(3, ", needed for Fx2")),
        ("1 0 0 0 0 0  1 1 0 0 0 0", missing(3, "")),
        ("0 0 0 0 0 3  1 1 1 0 0 1", missing(7, "")),
    ] {
        let run = within(&dir, &format!("query --json --tables DIR {position}"));
        let said = run.json_error(1, "missing_table");
        assert!(said.contains(&expected) && said.contains("`oware build "), "{position}: {said}");
    }
    let words = format!("query --batch --tables {}", dir.path().display());
    let said = oware_fed(&words, b"0 0 0 0 0 1  1 1 0 1 0 1\n").out;
    assert!(said.contains("needed for Fx2"), "{said}");
    let words = "query --rules bao-stores --tables DIR 0 0 0 0 1 0 0 1 0 2 1 0 1 0 0 0";
    let said = within(&general, words).err;
    assert!(said.contains("for 5 seeds") && said.contains("needed for E; "), "{said}");
}

#[test]
fn of_a_game_that_is_over_needs_no_table() {
    let answer = oware("query --json --tables nowhere 0 0 0 0 0 0 1 2 0 0 0 0").json();
    assert_eq!((&answer["final"], &answer["value"]), (&json!(-3), &json!(-3)));
    assert_eq!(
        (&answer["moves"], &answer["line"], &answer["best"]),
        (&json!([]), &json!([]), &json!([]))
    );
    assert!(
        oware("query --tables nowhere 0 0 0 0 0 0 1 2 0 0 0 0").out.contains("The game is over")
    );
}

#[test]
fn answers_a_batch_alike_and_goes_on_after_errors() {
    let dir = built("abapa", 7);
    let words = format!("query --batch --tables {}", dir.path().display());
    let run = oware_fed(
        &words,
        format!("{ENDGAME}\n4 4 4 4 4 4 4 4 4 4 4 4\n1 2\n{ENDGAME}\n").as_bytes(),
    );
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let answers: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let alone = within(&dir, &format!("query --json --tables DIR {ENDGAME}")).json();
    assert_eq!((&answers[0], &answers[3], answers.len()), (&alone, &alone, 4));
    assert_eq!(answers[1]["error"]["kind"], "missing_table");
    assert_eq!(answers[2]["error"]["kind"], "usage");
}

#[test]
fn fails_in_order() {
    let dir = built("abapa", 3);
    let position = "1 1 0 0 0 0 1 0 0 0 0 0";
    let one = format!("query --json --tables DIR {position}");
    assert_eq!(within(&dir, &one).code, 0);
    within(&dir, &one.replace("DIR", "DIR/missing")).json_error(1, "missing_table");
    within(&dir, &one.replace("DIR", "DIR/abapa-03.oware")).json_error(1, "io");
    within(&dir, &format!("query --json --tables DIR {ENDGAME}")).json_error(1, "missing_table");
    assert!(
        within(&dir, &format!("query --tables DIR {ENDGAME}"))
            .error(1)
            .contains("oware build --rules abapa --seeds 7")
    );
    within(&dir, &format!("{one} --rules chess")).json_error(2, "usage");
    within(&dir, "query --json --tables DIR 1 2").json_error(2, "usage");
    within(&dir, "query --json --tables DIR").json_error(2, "usage");
    let table = dir.path().join("abapa-03.oware");
    let bytes = fs::read(&table).expect("reads");
    for (what, damaged) in
        [("cut", &bytes[..bytes.len() / 2]), ("empty", b""), ("foreign", b"dear diary")]
    {
        fs::write(&table, damaged).expect("writes");
        let message = within(&dir, &one).json_error(1, "corrupt_table");
        assert!(message.contains("abapa-03.oware"), "{what}: {message}");
        within(&dir, "stats --json --tables DIR").json_error(1, "corrupt_table");
    }
    fs::copy(dir.path().join("abapa-02.oware"), &table).expect("copies");
    within(&dir, &one).json_error(1, "corrupt_table");
}

/// What the player who moves first has got more than the other one after each move of a line, and when
/// what is left is divided.
fn totals(rules: &'static Rules, board: &Board, line: &Line) -> Vec<i8> {
    let (mut at, mut totals, mut sign) = (*board, vec![0], 1);
    for &(house, captured) in &line.moves {
        let played = legal_moves(rules, &at).iter().find(|found| found.house == house);
        totals.push(totals[totals.len() - 1] + sign * captured as i8);
        (at, sign) = (played.expect("a legal move").next, -sign);
    }
    let rest = match line.ends {
        LineEnd::GameOver => final_score(rules, &at),
        LineEnd::Cycle { .. } => rules.worth_of_repetition(&at),
        LineEnd::Limit => panic!("{board}: the line does not end"),
    };
    let rest = rest.expect("a repetition that counts");
    totals.push(totals[totals.len() - 1] + sign * rest.get());
    totals
}

/// Plays a line with its history: the game goes on until the line ends, and is over there.
fn assert_ends_where_the_game_does(rules: &'static Rules, board: &Board, line: &Line) {
    let mut game = Game::new(rules, (*board).into());
    for &(house, _) in &line.moves {
        assert!(game.over().is_none(), "{} {board}: the line goes on", rules.id);
        let seat = game.seat();
        game.play(Ply { seat, house }).expect("a legal move");
    }
    let ending = game.over().map(|(ending, _)| ending);
    let expected = match line.ends {
        LineEnd::GameOver => Ending::NoMove,
        LineEnd::Cycle { .. } => Ending::Repetition,
        LineEnd::Limit => panic!("{board}: the line does not end"),
    };
    assert_eq!(ending, Some(expected), "{} {board}", rules.id);
}

#[test]
fn the_distance_is_where_a_walk_along_the_line_has_the_score_for_good() {
    for (rules, most) in [(&ABAPA, 8), (&ABAPA_AGREED, 7), (&ABAPA_EVEN, 6), (&AWARI, 6)] {
        let dir = built(rules.id, most);
        let mut prober = Prober::new(&Tables::open(dir.path()).expect("a directory"), rules);
        let (mut known, mut late) = (KnownPlies::default(), 0);
        for seeds in Seeds::new(most).expect("fewer than 48").up_to() {
            for board in Layer::of(rules, seeds).boards(Rank(0)) {
                let interval = prober.interval(&board).expect("a score");
                let Some(value) = interval.value() else { continue };
                let line = prober.line(&board, 10_000).expect("a line");
                assert_ends_where_the_game_does(rules, &board, &line);
                let totals = totals(rules, &board, &line);
                let unlike = totals.iter().rposition(|&total| total != value.get());
                let distance = unlike.map_or(0, |at| at + 1);
                assert!(distance < totals.len(), "{} {board}: the line brings less", rules.id);
                let distance = distance.min(line.moves.len());
                assert_eq!(line.collected_after(value), Some(distance), "{} {board}", rules.id);
                late += u32::from(distance > 0 && distance < line.moves.len());
                let plies = prober.plies(&board, interval, &mut known).expect("a line");
                assert_eq!(plies, Some(line.moves.len()), "{} {board}", rules.id);
            }
        }
        assert!(late > 100, "{late}");
    }
}

#[test]
fn the_distance_is_told_where_the_line_ends() {
    let dir = built("abapa", 8);
    let ask = |words: &str| within(&dir, &format!("query --json --tables DIR {words}")).json();
    assert_eq!(ask("0 0 1 0 1 0 0 0 0 0 0 1")["distance"], 2);
    // The last capture is the tenth move; play goes round after it, each player with one seed.
    assert_eq!(ask("0 0 1 0 0 0 0 1 0 0 1 1")["distance"], 10);
    // The first position that comes back has an empty row and ends no game; the next one does.
    let answer = ask("1 0 0 0 0 1 0 0 0 0 0 0");
    assert_eq!((&answer["line_end"], answer["distance"].is_u64()), (&"cycle".into(), true));
    assert_eq!(ask("--line 1 0 0 1 0 1 0 0 0 0 0 0 1")["distance"], Value::Null);
    assert_eq!(ask("0 0 0 0 0 0 0 0 0 0 0 0")["distance"], 0);
}
