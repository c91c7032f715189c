//! Tables that keep what decides games of N seeds: `oware build --game-seeds`.

use std::fs;

use oware_db::game::{
    AWARI, Game, Interval, Position, ScoreRange, Seat, Seeds, Stores, final_score, legal_moves,
};
use oware_db::layer::{Layer, Rank};
use oware_db::probe::{Prober, Tables};
use oware_db::verify::{Judge, Judgement, Outcome};
use serde_json::Value;

use super::remedies::follow;
use super::repair::flip_a_score;
use super::tables::{built, contents, within};
use super::{oware, oware_fed, oware_on};

/// A directory of `awari` to 10 seeds for games of 12.
fn clamped() -> tempfile::TempDir {
    built("awari --game-seeds 12", 10)
}

fn asked(dir: &tempfile::TempDir, command: &str) -> super::Run {
    oware(&format!("{command} --rules awari --tables {}", dir.path().display()))
}

#[test]
fn figures_are_those_of_full_tables_clamped() {
    let (dir, full) = (clamped(), built("awari", 10));
    let clamped = asked(&dir, "stats --json").json();
    let full = within(&full, "stats --json --rules awari --tables DIR").json();
    let layers = |said: &Value| said["layers"].as_array().unwrap().clone();
    for (seeds, (clamped, full)) in layers(&clamped).iter().zip(layers(&full)).enumerate() {
        let end = 13 - seeds as i64;
        let range = (end < seeds as i64).then_some(end);
        assert_eq!(clamped["range"], Value::from(range), "{seeds}");
        let mut counts = std::collections::BTreeMap::new();
        for (score, count) in full["histogram"].as_object().unwrap() {
            let score: i64 = score.parse().unwrap();
            let score = range.map_or(score, |end| score.clamp(-end, end));
            *counts.entry(score).or_insert(0) += count.as_u64().unwrap();
        }
        let found = clamped["histogram"].as_object().unwrap();
        assert_eq!(found.len(), counts.len());
        for (score, count) in counts {
            assert_eq!(found[&score.to_string()], count, "{seeds} seeds, {score}");
        }
        for figure in ["positions", "wins", "draws", "losses"] {
            assert_eq!(clamped[figure], full[figure], "{seeds} seeds, {figure}");
        }
    }
    assert!(asked(&dir, "stats").out.contains("From 7 seeds on, scores are clamped"));
    let proved = asked(&dir, "check --proof");
    assert!(proved.code == 0 && proved.out.contains("layers 0-10 ("), "{}", proved.out);
    assert_eq!(asked(&dir, "check --sample 500").code, 0);
}

/// Whatever is asked for, only layers that such games have are looked at.
#[test]
fn games_have_layers_up_to_their_seeds() {
    let dir = clamped();
    let build = |words: &str| asked(&dir, &format!("build {words}"));
    let told = build("--dry-run --json --game-seeds 12").json();
    assert_eq!(told["possible_seeds"], 12, "{told}");
    let told = build("--dry-run --json --seeds max --game-seeds 12").json();
    assert_eq!(told["layers"].as_array().unwrap().len(), 2);
    assert_eq!(told["reaches"][0]["on_disk"]["seeds"], 12);
    let refused = build("--seeds 12 --game-seeds 12 --memory 1M");
    assert_eq!(refused.code, 2, "{}", refused.err);
    let beyond = "a game of 9 seeds has no layer of 10; build at most --seeds 9";
    for words in ["--repair", "--seeds 10"] {
        let refused = build(&format!("{words} --game-seeds 9"));
        assert!(refused.code == 2 && refused.err.contains(beyond), "{}", refused.err);
    }
    assert_eq!(build("--repair --game-seeds 12").code, 0);
    assert_eq!(build("--seeds max --game-seeds 12").code, 0);
    assert!(dir.path().join("awari-12.oware").exists());
}

/// What is known, and who wins with any totals that such games have.
#[test]
fn answers_say_what_is_known() {
    let (dir, full) = (clamped(), built("awari", 10));
    // The mover gets all but a few.
    let board = "0 0 0 0 0 6  1 1 1 1 0 0";
    let query = |dir: &tempfile::TempDir, words: &str| {
        let dir = dir.path().display();
        oware_on(&format!("query --line 0 --rules awari --tables {dir} {words}"), board)
    };
    let (said, known) = (query(&dir, "--json").json(), query(&full, "--json").json());
    let score = known["value"].as_i64().unwrap();
    assert!(score.abs() > 3, "{score}");
    let expected = if score > 0 { [3, 10] } else { [-10, -3] };
    assert_eq!(
        [&said["low"], &said["high"]],
        [&Value::from(expected[0]), &Value::from(expected[1])]
    );
    assert!(said["range"] == 3 && said["exact"] == false && said["value"].is_null());
    assert!(known.get("range").is_none());
    for (mover, opponent) in [(0, 2), (1, 1), (2, 0)] {
        let houses = board.split_whitespace().collect::<Vec<_>>().join("-");
        let said = asked(&dir, &format!("query --json {houses}-{mover}-{opponent}-S")).json();
        let ahead = mover - opponent + score;
        let outcome = ["loss", "draw", "win"][(ahead.signum() + 1) as usize];
        assert_eq!(said["outcome"], outcome);
    }
    let page = query(&dir, "");
    assert!(page.out.contains("The table distinguishes scores from -3 to +3"), "{}", page.out);
    let end = if score > 0 { "at least +3." } else { "at most -3." };
    assert!(page.out.contains(end), "{}", page.out);
}

/// A record of a game that the tables decide does not contradict itself.
#[test]
fn games_of_as_many_seeds_as_tables_decide_are_judged_without_complaint() {
    let dir = clamped();
    let path = dir.path().join("game.ogn");
    for (start, complains) in
        [("0-0-2-0-1-0-1-0-1-1-1-1-2-2-S", false), ("0-0-2-0-1-0-1-0-1-1-1-1-1-1-S", true)]
    {
        fs::write(&path, format!("[FEN \"{start}\"]\n\nC e *\n")).unwrap();
        let annotated = asked(&dir, &format!("annotate {}", path.display()));
        let judged = asked(&dir, &format!("verify --games {}", path.display()));
        assert_eq!((annotated.code, judged.code), (0, 0), "{}{}", annotated.err, judged.err);
        let mut complaints = 0;
        for said in [annotated.out, annotated.err, judged.err] {
            let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
            let shows = words.contains("but a game has 48");
            assert!(!shows || complains, "{said}");
            complaints += usize::from(shows);
        }
        assert_eq!(complaints, if complains { 3 } else { 0 });
    }
}

/// A move is worth what the table of the position after it says, which knows more after a capture.
#[test]
fn moves_are_worth_what_is_known_of_where_they_lead() {
    let (dir, full) = (clamped(), built("awari", 10));
    let [mut prober, mut all] =
        [&dir, &full].map(|dir| Prober::new(&Tables::open(dir.path()).unwrap(), &AWARI));
    let mut told = Vec::new();
    for board in Layer::of(&AWARI, Seeds::new(10).unwrap()).boards(Rank(0)).step_by(7) {
        let moves = prober.moves(&board).unwrap();
        let interval = prober.interval(&board).unwrap();
        assert_eq!(prober.interval_of(&board, &moves).unwrap(), interval, "{board}");
        for scored in &moves {
            let next = &scored.played.next;
            let known = prober.interval(next).unwrap().after_capture(scored.played.captured);
            assert_eq!(scored.interval, known, "{board}");
            let range = prober.range(next.seeds()).unwrap().clamp_end();
            let range = range.filter(|_| final_score(&AWARI, next).is_none());
            assert_eq!(scored.range, range, "{board}");
            if known.value().is_some() && interval.value().is_none() {
                told.push((board, scored.played.house.letter(), known.low.get()));
            }
        }
        // What the strategy achieves of clamped scores it achieves of full ones.
        let best = || moves.iter().filter(|scored| scored.collects.is_some());
        for scored in best() {
            let full = all.interval(&scored.played.next).unwrap();
            assert!(full.after_capture(scored.played.captured).low >= interval.low, "{board}");
        }
        assert!(best().count() > 0 || moves.is_empty(), "{board}");
    }
    assert!(told.len() > 1000, "{}", told.len());
    let (board, house, value) = told[told.len() / 2];
    let said = asked(&dir, &format!("query --json {board}")).json();
    let moves = said["moves"].as_array().unwrap();
    let found = moves.iter().find(|scored| scored["house"] == house.to_string()).unwrap();
    assert!(said["value"].is_null() && found["value"] == value, "{said}");
}

#[test]
fn a_build_goes_on_with_what_is_enough() {
    let dir = clamped();
    for (options, says) in [
        ("--seeds 10", "full scores are requested"),
        ("--seeds 11 --game-seeds 14", "--game-seeds 14 needs more"),
        ("--seeds 13 --game-seeds 12", "a game of 12 seeds has no layer of 13"),
    ] {
        let refused = asked(&dir, &format!("build --quiet {options}"));
        assert!(refused.code == 2 && refused.err.contains(says), "{}", refused.err);
    }
    let refused = oware("build --rules abapa-every --game-seeds 12 --tables nowhere");
    assert!(refused.code == 2 && refused.err.contains("intervals"), "{}", refused.err);
    assert!(!std::path::Path::new("nowhere").exists());
    // Layers of larger games, and full ones, do for smaller games.
    assert_eq!(asked(&dir, "build --quiet --seeds 11 --game-seeds 11").code, 0);
    let stats = asked(&dir, "stats --json").json();
    let range = |seeds: usize| stats["layers"][seeds]["range"].clone();
    assert_eq!((range(10), range(11)), (Value::from(3), Value::from(1)));
    assert_eq!(asked(&dir, "check --proof").code, 0);
    assert_eq!(asked(&dir, "build --quiet --seeds 10 --force").code, 0);
    assert!(asked(&dir, "stats --json --seeds 10").json()["layers"][10]["range"].is_null());
}

/// Tables that stay, also those above `--seeds`, find below them what they need.
#[test]
fn what_kept_tables_rest_on_is_not_narrowed() {
    let dir = clamped();
    fs::remove_file(dir.path().join("awari-08.oware")).unwrap();
    let before = contents(dir.path());
    for words in ["--seeds 10", "--seeds 8", "--seeds 10 --dry-run"] {
        let refused = asked(&dir, &format!("build {words} --game-seeds 10"));
        let remedy = "build --seeds 8 with --game-seeds 12 first, or use another directory";
        assert!(refused.error(2).contains(remedy), "{}", refused.err);
        assert!(contents(dir.path()) == before, "{words}");
    }
    assert_eq!(asked(&dir, "build --quiet --seeds 8 --game-seeds 12").code, 0);
    assert_eq!(asked(&dir, "check --proof").code, 0);

    let full = built("awari", 10);
    let forced = asked(&full, "build --quiet --seeds 6 --game-seeds 7 --force");
    let said = "awari-07.oware is kept and needs more scores of 6 seeds than are requested";
    assert!(forced.code == 0 && forced.err.contains(said), "{}", forced.err);
    assert_eq!(asked(&full, "build --quiet --seeds 10 --game-seeds 10 --force").code, 0);
    assert_eq!(asked(&full, "check --proof").code, 0);
}

/// Tables above `--seeds` matter to neither.
#[test]
fn a_dry_run_is_refused_if_the_build_is() {
    let dir = clamped();
    for dry in ["", "--dry-run"] {
        assert_eq!(asked(&dir, &format!("build --seeds 6 {dry}")).code, 0, "{dry}");
        for words in ["--seeds 7", "--seeds max"] {
            let refused = asked(&dir, &format!("build {words} {dry}"));
            assert!(refused.error(2).contains("full scores are requested"), "{}", refused.err);
        }
    }
    assert_eq!(asked(&dir, "build --seeds 6 --dry-run --json").json()["possible_seeds"], 6);
    fs::write(dir.path().join("awari-09.oware"), "dear diary").unwrap();
    for dry in ["", "--dry-run"] {
        let run = asked(&dir, &format!("build --seeds 8 --game-seeds 12 {dry}"));
        assert_eq!(run.code, 0, "{}", run.err);
    }
}

/// Advice keeps clamped tables, or replaces them where such games have no layer.
#[test]
fn advice_can_be_followed() {
    let dir = clamped();
    flip_a_score(&dir.path().join("awari-09.oware"));
    let damaged = asked(&dir, "build --quiet --seeds 11 --game-seeds 12");
    let message = damaged.error(1);
    assert!(message.contains("--repair --rules awari --game-seeds 12 "), "{message}");
    assert_eq!(follow(message).code, 0);
    assert!(contents(dir.path()) == contents(clamped().path()));
    for (board, option) in
        [("0 0 0 1 2 3  1 0 0 0 3 1", "--game-seeds 12"), ("0 0 0 1 2 3  1 0 0 2 3 1", "--force")]
    {
        let query =
            || oware_on(&format!("query --rules awari --tables {}", dir.path().display()), board);
        let missing = query();
        let message = missing.error(1);
        assert!(message.contains(option), "{message}");
        assert_eq!(follow(message).code, 0);
        assert_eq!(query().code, 0);
    }
    assert_eq!(asked(&dir, "check --proof").code, 0);
}

/// A database of Awari says one score of each position.
#[test]
fn clamped_tables_are_no_database_of_full_scores() {
    let dir = clamped();
    let out = dir.path().join("out");
    let export = |format: &str| {
        let out = out.display();
        asked(&dir, &format!("export --seeds 10 --format {format} --out {out}"))
    };
    let refused = export("vu");
    assert!(refused.code == 2 && refused.err.contains("is clamped"), "{}", refused.err);
    assert_eq!(export("npy").code, 0);
}

/// Where clamped tables lie in memory, what they know is what a prober says.
#[test]
fn loaded_tables_say_what_is_known() {
    let dir = clamped();
    let tables = Tables::open(dir.path()).unwrap();
    let layers = tables.load(&AWARI, Seeds::new(10).unwrap()).unwrap();
    let mut prober = Prober::new(&tables, &AWARI);
    for solved in layers.layers() {
        let boards = solved.layer().boards(Rank(0));
        for board in boards.filter(|board| final_score(&AWARI, board).is_none()) {
            assert_eq!(solved.known(&board), Some(prober.interval(&board).unwrap()), "{board}");
        }
    }
}

/// A best move may give away what clamped tables do not tell, so they say at most how much.
#[test]
fn moves_may_lose_what_clamped_tables_leave_open() {
    let (dir, full) = (clamped(), built("awari", 10));
    let engine = format!("{} engine", env!("CARGO_BIN_EXE_oware"));
    let verify = |dir: &tempfile::TempDir| {
        let dir = dir.path().display();
        let words = format!("verify --json --sample 300 --rules awari --tables {dir} --engine");
        oware_on(&words, &engine)
    };
    let (clamped, known) = (verify(&dir), verify(&full));
    let note = "oware: the tables keep what decides games of 12 seeds";
    assert!(clamped.err.contains(note) && !known.err.contains(note), "{}", clamped.err);
    let (clamped, known) = (clamped.json(), known.json());
    assert!(clamped["game_seeds"] == 12 && known["game_seeds"].is_null());
    assert_eq!(clamped["judged"], known["judged"]);
    let mean = |report: &Value, figure: &str| report[figure].as_f64().unwrap();
    assert!(mean(&known, "mean_loss") > 0.0);
    assert!(mean(&clamped, "mean_loss") <= mean(&known, "mean_loss"));
    assert!(mean(&clamped, "mean_loss_at_most") >= mean(&known, "mean_loss_at_most"));

    let game = dir.path().join("game.txt");
    fs::write(&game, "0-0-0-0-0-6-1-1-1-1-0-0-1-1-S moves F\n").unwrap();
    let annotated = asked(&dir, &format!("annotate --json {}", game.display()));
    assert_eq!(annotated.err.matches(note).count(), 1, "{}", annotated.err);
    assert_eq!(annotated.json()["game_seeds"], 12);
}

/// Records of games that the tables decide are judged as such, and so are positions of their small
/// layers, which are not clamped.
#[test]
fn moves_that_throw_away_a_game_of_few_seeds_are_found() {
    let (dir, full) = (clamped(), built("awari", 10));
    let [tables, full] = [&dir, &full].map(|dir| Tables::open(dir.path()).unwrap());
    let [mut judge, mut knowing] =
        [&tables, &full].map(|tables| Judge::new(Prober::new(tables, &AWARI)));
    for (seeds, step) in [(4, 13), (6, 101), (8, 499), (10, 997)] {
        let mut thrown = 0;
        for board in Layer::of(&AWARI, Seeds::new(seeds).unwrap()).boards(Rank(0)).step_by(step) {
            let each = (12 - seeds as u8) / 2;
            let stores = Some(Stores { mover: each, opponent: each });
            let game = Game::new(&AWARI, Position { board, stores, seat: Seat::South });
            for played in legal_moves(&AWARI, &board).iter() {
                let [scored, known] = [&mut judge, &mut knowing].map(|judge| {
                    match judge.judge(&game, played.house).unwrap() {
                        Judgement::Scored(scored) => scored,
                        other => panic!("{board}: {other:?}"),
                    }
                });
                let outcome = |score: Interval| match score.low.get() {
                    1.. => Outcome::Win,
                    0 => Outcome::Draw,
                    _ => Outcome::Loss,
                };
                let expected = [known.before, known.after].map(outcome);
                assert_eq!([scored.outcome, scored.outcome_after], expected, "{board}");
                thrown += u32::from(scored.thrown_away().is_some());
            }
        }
        assert!(thrown > 20, "{seeds} seeds: {thrown}");
    }
}

#[test]
fn the_explanation_says_that_a_table_is_clamped() {
    let dir = clamped();
    for (board, is_said) in [("0-0-0-0-0-6-1-1-1-1-0-0", true), ("0-0-0-0-0-2-1-1-0-0-0-0", false)]
    {
        let said = asked(&dir, &format!("query --explain {board}")).out;
        let document = asked(&dir, &format!("query --json --explain {board}")).json();
        let explanation = document["explanation"].as_str().unwrap();
        let clamped = "from -3 to +3, which\ndecides its games";
        assert_eq!(explanation.contains(clamped), is_said, "{explanation}");
        assert!(said.contains(explanation), "{said}");
    }
}

/// Published scores are compared with what is known.
#[test]
fn published_scores_agree_with_clamped_tables() {
    let (dir, full) = (clamped(), built("awari", 10));
    let export = "export --rules awari --format vu --seeds 0-10 --tables DIR --out DIR/scores";
    assert_eq!(within(&full, export).code, 0);
    let scores = full.path().join("scores");
    let check = || asked(&dir, &format!("check --vu {}", scores.display()));
    let said = check();
    assert!(said.code == 0 && said.out.contains("as far as the clamped table"), "{}", said.out);
    let file = scores.join("scores.10");
    let mut wrong = fs::read(&file).unwrap();
    let draw = wrong.iter().position(|&score| score == 0).unwrap();
    wrong[draw] = 2;
    fs::write(&file, wrong).unwrap();
    let said = check();
    assert!(said.code == 1 && said.out.contains("the score is 2, ours is 0"), "{}", said.out);
}

/// How long lines are, and where scores are open, clamped scores do not tell.
#[test]
fn clamped_tables_have_no_extremes_and_no_knots() {
    let dir = clamped();
    for command in ["stats --extremes", "stats --knots", "puzzles --count 1 --kind longest-win"] {
        let refused = asked(&dir, command);
        let remedy = "awari-07.oware is clamped; use a smaller --seeds";
        assert!(refused.code == 2 && refused.err.contains(remedy), "{}", refused.err);
        assert_eq!(asked(&dir, &format!("{command} --seeds 6")).code, 0, "{command}");
    }
}

#[test]
fn files_and_engines_say_that_tables_are_clamped() {
    let dir = clamped();
    let path = dir.path().display();
    let said = oware_fed(
        "engine --no-tables --rules awari",
        format!("setoption name TablesPath value {path}\n").as_bytes(),
    );
    let range = "info string tables of `awari` for 0 to 10 seeds, which decide games of 12 seeds\n";
    assert_eq!(said.out, range);
    if cfg!(feature = "parquet") {
        let out = dir.path().join("out");
        let export = format!("export --seeds 10 --format parquet --out {}", out.display());
        assert_eq!(asked(&dir, &export).code, 0);
        let file = fs::read(out.join("awari-10.parquet")).unwrap();
        let meaning = "games of 12 seeds: unless the game is over, a score of 3 or more has low 3 \
                       and high 10, one of -3 or less has low -10 and high -3";
        assert!(String::from_utf8_lossy(&file).contains(meaning));
    }
}

/// A table that clamps what one above it needs leads to wrong scores: nothing is read from both.
#[test]
fn narrow_tables_serve_no_wider_one() {
    let (narrow, full) = (built("awari --game-seeds 9", 8), built("awari", 10));
    let both = format!("{}:{}", narrow.path().display(), full.path().display());
    let ask = |words: &str| oware(&format!("{words} --rules awari --tables {both}"));
    let captures = "query 0,0,0,0,0,7,2,0,1,0,0,0";
    for words in [captures, "check", "check --proof", "check --sample 50", "check --playout 5"] {
        let refused = ask(words);
        assert_eq!(refused.code, 1, "{words}: {}", refused.err);
        assert!(refused.err.contains("needs scores beyond"), "{words}: {}", refused.err);
    }
    assert_eq!(ask("query 0,0,0,0,0,6,1,0,1,0,0,0").code, 0, "both tables are narrow");
    let mut prober = Prober::new(&Tables::open(&both).unwrap(), &AWARI);
    let mut refused = 0;
    for seeds in [9, 10] {
        let layer = oware_db::layer::Layer::of(&AWARI, Seeds::new(seeds).unwrap());
        for board in layer.boards(Rank(0)).step_by(7) {
            let moves = legal_moves(&AWARI, &board);
            let mut captures = moves.iter().filter(|played| played.captured > 0);
            let is_over = |next| final_score(&AWARI, &next).is_some();
            let is_narrow = |seeds| !ScoreRange::deciding(&AWARI, seeds, Seeds::new(9)).is_full();
            let is_refused = final_score(&AWARI, &board).is_none()
                && captures.any(|played| is_narrow(played.next.seeds()) && !is_over(played.next));
            assert_eq!(prober.interval(&board).is_err(), is_refused, "{board}");
            refused += usize::from(is_refused);
        }
    }
    assert!(refused > 1000, "{refused}");
}
