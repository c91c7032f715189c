//! Commands that judge games.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::tables::{built, within};
use super::{oware, oware_fed};

/// Two games to judge, one that is not, and one that breaks a rule.
const GAMES: &str = "\
[Event \"one\"]
[FEN \"0-0-0-0-1-2-2-0-0-0-0-1-20-22-S\"]

1. E {mine} a *

[Variant \"awari\"]

1. A *
0-0-0-0-1-2-2-0-0-0-0-1-20-22-S moves F a A
";

fn with_games(seeds: usize, games: &str) -> TempDir {
    let dir = built("abapa", seeds);
    fs::write(dir.path().join("games.ogn"), games).expect("written");
    dir
}

const JUDGE: &str = "verify --tables DIR --games DIR/games.ogn";

#[test]
fn the_document_has_the_fields_of_the_contract() {
    let dir = with_games(6, GAMES);
    let run = within(&dir, &format!("{JUDGE} --json"));
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("1 of the games were not judged, because their Variant tag names a rule sheet other than `abapa`"), "{}", run.err);
    let report = run.json();
    let number =
        |field: &str| report[field].as_u64().unwrap_or_else(|| panic!("{field}: {report}"));
    for field in [
        "judged", "best", "safe", "losing", "unknown", "illegal", "timeouts", "crashes", "games",
        "foreign",
    ] {
        number(field);
    }
    assert_eq!(number("best") + number("safe") + number("losing"), number("judged"));
    assert_eq!(
        (number("games"), number("foreign"), number("unreadable"), number("unknown")),
        (2, 1, 0, 0)
    );
    assert!(report["mean_loss"].is_f64() && number("judged") == 4);
    let worst = report["worst"].as_array().expect("worst");
    assert!(!worst.is_empty(), "{report}");
    for case in worst {
        assert_eq!(case["board"].as_array().map(Vec::len), Some(12));
        assert!(case["played"].as_str().is_some_and(|house| house.len() == 1));
        let loss: Vec<u64> =
            case["loss"].as_array().expect("two").iter().filter_map(Value::as_u64).collect();
        assert!(loss.len() == 2 && loss[0] >= 1 && loss[0] <= loss[1]);
        assert!(
            case["better"]
                .as_array()
                .is_some_and(|better| !better.is_empty() && !better.contains(&case["played"]))
        );
        // A line of best play begins with a best move.
        assert!(
            case["better"].as_array().is_some_and(|better| better.contains(&case["line"][0])),
            "{case}"
        );
    }
    let by_seeds = report["by_seeds"].as_object().expect("by seeds");
    let judged: u64 = by_seeds.values().filter_map(|counts| counts["judged"].as_u64()).sum();
    assert_eq!(judged, number("judged"));
}

/// What a move gives away is what `query` says of the position.
#[test]
fn losses_are_those_that_query_tells() {
    let dir = with_games(6, "0 0 0 0 1 2 2 0 0 0 0 1 moves F\n0 0 0 0 1 2 2 0 0 0 0 1 moves E\n");
    let report = within(&dir, &format!("{JUDGE} --json")).json();
    let query = within(&dir, "query --json --tables DIR 0 0 0 0 1 2 2 0 0 0 0 1").json();
    let worst_move = query["moves"].as_array().and_then(|moves| moves.last()).expect("two moves");
    let loss = query["low"].as_i64().unwrap() - worst_move["high"].as_i64().unwrap();
    assert!(loss > 0, "{query}");
    assert_eq!(report["worst"][0]["played"], worst_move["house"]);
    assert_eq!(report["worst"][0]["loss"][0], loss);
    assert_eq!(report["worst"][0]["better"], query["best"]);
    assert_eq!(
        (&report["judged"], &report["best"], &report["losing"]),
        (&2.into(), &1.into(), &1.into())
    );
}

/// A directory without tables may be a slip of the pen.
#[test]
fn that_there_are_no_tables_is_told() {
    let dir = with_games(3, GAMES);
    for words in ["verify --games", "annotate"] {
        let run = within(&dir, &format!("{words} DIR/games.ogn --tables DIR/nowhere"));
        assert!(run.err.starts_with("oware: no move is judged: no abapa table"), "{}", run.err);
        assert!(run.err.contains("`oware build --rules abapa"), "{}", run.err);
        assert!(run.code == 0 && !run.out.is_empty());
    }
}

#[test]
fn a_layer_missing_below_the_largest_is_named() {
    let dir = with_games(6, GAMES);
    for layer in ["02", "04"] {
        fs::remove_file(dir.path().join(format!("abapa-{layer}.oware"))).expect("removed");
    }
    let engine = "verify --tables DIR --engine true --sample 1 --seeds 1";
    for words in [JUDGE, "annotate --tables DIR DIR/games.ogn", engine] {
        let said = within(&dir, words).err;
        assert!(said.contains("layers below 6 seeds are missing, and moves that need them are not judged: 2, 4; `oware build "), "{said}");
        assert!(said.contains("--seeds 4"), "{said}");
    }
    let dir = with_games(6, GAMES);
    assert!(!within(&dir, JUDGE).err.contains("missing"));
}

#[test]
fn stores_that_belong_to_no_game_of_48_seeds_are_named() {
    let dir = with_games(
        6,
        "0-0-0-0-1-2-2-0-0-0-0-1-20-20-S moves F\n0-0-0-0-1-2-2-0-0-0-0-1-0-0-S moves F\n",
    );
    let said = within(&dir, JUDGE).err;
    assert!(said.contains("game 1: move 1, the board and the stores") && said.contains("46 seeds"));
    assert!(!said.contains("game 2"), "{said}");
    let words = "verify --tables DIR --engine true --positions DIR/games.ogn";
    assert!(within(&dir, words).err.contains("which engines may refuse: 2"));
}

/// Where captures alone lead into the tables, no line can be shown.
#[test]
fn a_move_just_above_the_tables_is_judged_without_a_line() {
    let dir = built("abapa", 8);
    std::fs::write(dir.path().join("game"), "0 0 5 0 0 1 1 1 0 1 0 1 moves F\n").expect("written");
    let run = within(&dir, "verify --games DIR/game --tables DIR");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("gives away") && !run.out.contains("Best play"), "{}", run.out);
}

#[test]
fn a_move_inside_no_table_is_unknown_and_nothing_judged_is_no_success() {
    let dir = with_games(3, GAMES);
    let report = within(&dir, &format!("{JUDGE} --json")).json();
    assert_eq!(report["judged"], 0);
    assert!(report["unknown"].as_u64().is_some_and(|unknown| unknown == 4));
    assert_eq!(report["mean_loss"], Value::Null);
    let run = within(&dir, &format!("{JUDGE} --fail-on 100%"));
    assert_eq!(run.code, 1);
    assert!(run.err.contains("no move was judged"), "{}", run.err);
    let run = within(&dir, &format!("{JUDGE} --json --write-baseline DIR/base.json"));
    assert!(run.json_error(2, "usage").contains("no baseline to write"));
}

#[test]
fn illegal_moves_are_counted_and_end_their_game_only() {
    let dir = with_games(6, "0 0 0 0 1 2 2 0 0 0 0 1 moves EEa\n0 0 0 0 1 2 2 0 0 0 0 1 moves E\n");
    let run = within(&dir, &format!("{JUDGE} --json"));
    assert_eq!(
        (run.code, &run.json()["illegal"], &run.json()["judged"]),
        (0, &1.into(), &2.into())
    );
}

#[test]
fn games_that_cannot_be_read_are_told_and_the_rest_judged() {
    let dir = with_games(6, "1. X *\n0 0 0 0 1 2 2 0 0 0 0 1 moves E\n1 2 moves A\n");
    let run = within(&dir, &format!("{JUDGE} --json"));
    assert_eq!(
        (run.code, &run.json()["unreadable"], &run.json()["judged"]),
        (1, &2.into(), &1.into())
    );
    assert!(run.err.contains("games.ogn: game 1, line 1: `X` is not a move"), "{}", run.err);
    assert!(run.err.contains("game 3, line 3: not a position"), "{}", run.err);
    let missing = within(&dir, "verify --json --tables DIR --games DIR/none.ogn");
    assert!(missing.json_error(1, "io").contains("none.ogn"));
}

/// South gives a seed away, North does not; the first record claims what is not so.
const PLAYERS: &str = "\
[South \"Ama\"]
[North \"Kofi\"]
[FEN \"0-0-0-0-1-2-2-0-0-0-0-1-20-22-S\"]
[Result \"1-0\"]

1. F *

[South \"?\"]
[North \"Ama\"]
[FEN \"1-0-0-0-0-1-1-0-0-0-0-3-24-18-S\"]
[Result \"0-1\"]

1. F+2 0-1
";

#[test]
fn players_are_reported_apart_and_results_compared() {
    let dir = with_games(6, PLAYERS);
    let report = within(&dir, &format!("{JUDGE} --json --html DIR/report.html")).json();
    assert_eq!(report["by_player"]["Ama"]["judged"], 1, "{report}");
    assert_eq!(report["by_player"]["Kofi"]["judged"], 0);
    assert_eq!(report["by_player"]["?"], Value::Null);
    for name in ["an engine of some name (1)", &"long ".repeat(20)] {
        let dir = with_games(6, &PLAYERS.replace("Ama", name));
        let said = within(&dir, JUDGE).out;
        let lines: Vec<&str> = said.lines().skip_while(|line| !line.contains("player")).collect();
        let shown: String = name.chars().take(39).collect();
        assert!(lines[1].trim_start().starts_with(&shown), "{said}");
        assert_eq!(lines[1].contains('…'), name.len() > 40, "{said}");
        let column = lines[0].find("judged").expect("a heading") + "judged".len();
        assert_eq!(lines[1].chars().nth(column - 1), Some('1'), "{said}");
    }
    let results = &report["results"];
    assert_eq!((&results["ended"], &results["differing"]), (&1.into(), &1.into()));
    assert_eq!(results["cases"][0]["seeds"], serde_json::json!([26, 18]));
    assert_eq!(
        (&results["cases"][0]["game"], &results["cases"][0]["claimed"]),
        (&2.into(), &"0-1".into())
    );
    let text = within(&dir, JUDGE).out;
    let says = "game 2 ends 26-18 by 25 seeds, the record says 0-1";
    assert!(text.contains(says) && text.contains("  Ama  "), "{text}");
    let page = fs::read_to_string(dir.path().join("report.html")).expect("a page");
    assert!(page.contains("By player") && page.contains("disputed results"), "{page}");
    let run = within(&dir, "annotate --tables DIR DIR/games.ogn");
    let comment = "{oware: the game ends 26-18 by 25 seeds, the record says";
    assert!(run.out.contains(comment) && run.err.contains("from their record: 1"), "{}", run.out);
    let document = within(&dir, "annotate --json --tables DIR DIR/games.ogn").json();
    assert_eq!(
        (&document["differing"], &document["games"][1]["end"]["differs"]),
        (&1.into(), &true.into())
    );
    assert_eq!(document["games"][0]["end"], Value::Null);
}

#[test]
fn rates_and_baselines_decide_the_exit_code() {
    let dir = with_games(6, "0 0 0 0 1 2 2 0 0 0 0 1 moves F\n0 0 0 0 1 2 2 0 0 0 0 1 moves E\n");
    for (rate, code) in [("50%", 0), ("0.5", 0), ("49.9%", 1), ("0", 1), ("200%", 2), ("two", 2)] {
        assert_eq!(within(&dir, &format!("{JUDGE} --fail-on {rate}")).code, code, "{rate}");
    }
    // An illegal move counts as one that loses: of three moves, two.
    fs::write(
        dir.path().join("illegal.ogn"),
        "0 0 0 0 1 2 2 0 0 0 0 1 moves F\n0 0 0 0 1 2 2 0 0 0 0 1 moves EE\n",
    )
    .expect("written");
    for (rate, code) in [("70%", 0), ("60%", 1)] {
        let run =
            within(&dir, &format!("verify --tables DIR --games DIR/illegal.ogn --fail-on {rate}"));
        assert_eq!(run.code, code, "{rate}: {}", run.err);
    }
    assert_eq!(within(&dir, &format!("{JUDGE} --write-baseline DIR/base.json")).code, 0);
    assert_eq!(within(&dir, &format!("{JUDGE} --baseline DIR/base.json")).code, 0);
    fs::write(dir.path().join("games.ogn"), "0 0 0 0 1 2 2 0 0 0 0 1 moves F\n").expect("written");
    let worse = within(&dir, &format!("{JUDGE} --json --baseline DIR/base.json"));
    assert_eq!((worse.code, &worse.json()["judged"]), (1, &1.into()));
    assert!(
        worse.err.contains("moves that lose: 100.00 % now, 50.00 % in the baseline"),
        "{}",
        worse.err
    );
    fs::write(dir.path().join("base.json"), "{}").expect("written");
    let broken = within(&dir, &format!("{JUDGE} --json --baseline DIR/base.json"));
    assert!(broken.json_error(2, "usage").contains("--write-baseline creates one"));
}

#[test]
fn standard_input_and_several_files_are_read() {
    let dir = with_games(6, GAMES);
    let words =
        "verify --json --games - --tables DIR".replace("DIR", &dir.path().display().to_string());
    let piped = oware_fed(&words, GAMES.as_bytes()).json();
    let twice =
        within(&dir, "verify --json --tables DIR --games DIR/games.ogn DIR/games.ogn").json();
    assert_eq!(piped["worst"][0]["source"], "standard input");
    assert_eq!(twice["judged"].as_u64(), piped["judged"].as_u64().map(|judged| 2 * judged));
    assert_eq!(twice["worst"].as_array().map(Vec::len), piped["worst"].as_array().map(Vec::len));
    assert_eq!(twice["worst"][0]["times"], 2);
    assert!(oware("verify --json").json_error(2, "usage").contains("--games"));
}

#[test]
fn the_report_of_one_thread_is_that_of_three() {
    let games: String = (0..400).map(|_| GAMES).collect();
    let dir = with_games(6, &games);
    let of = |threads: &str| {
        let words = format!("{JUDGE} --json").replace("DIR", &dir.path().display().to_string());
        let output =
            super::command(&words).env("RAYON_NUM_THREADS", threads).output().expect("runs");
        super::Run::of(output).json()
    };
    let one = of("1");
    assert_eq!(one, of("3"));
    assert_eq!(one["worst"][0]["times"], 400);
}

#[test]
fn people_get_a_report_and_a_page() {
    let dir = with_games(6, GAMES);
    let run = within(&dir, &format!("{JUDGE} --html DIR/report.html --worst 1"));
    for part in [
        "judged by `abapa`",
        "losing",
        "Better: ",
        "Best play: ",
        "games.ogn, game 3, move 1",
        "opponent, 22 captured",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    let page = fs::read_to_string(dir.path().join("report.html")).expect("a page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(
        ["http:", "https:", "<script", "<link", "src=", "url("]
            .iter()
            .all(|part| !page.contains(part))
    );
    assert_eq!(page.matches("class=\"board\"").count(), 1);
}

mod annotate {
    use super::*;

    #[test]
    fn comments_are_added_once_and_others_kept() {
        let dir = with_games(6, GAMES);
        let once = within(&dir, "annotate --tables DIR DIR/games.ogn");
        assert_eq!((once.code, once.err.as_str()), (0, ""));
        assert!(
            once.out.contains("{mine}") && once.out.contains("{oware: gives away"),
            "{}",
            once.out
        );
        assert!(once.out.contains("[Variant \"awari\"]\n\n1. A *\n"), "{}", once.out);
        fs::write(dir.path().join("games.ogn"), &once.out).expect("written");
        assert_eq!(within(&dir, "annotate --tables DIR DIR/games.ogn").out, once.out);
    }

    /// Only our comment is new, and the result, which only the tag says.
    #[test]
    fn variations_glyphs_and_tags_stay_where_they_are() {
        let head = "[FEN \"0-0-0-0-1-2-2-0-0-0-0-1-20-22-S\"]\n[Annotator \"x\"]\n\
                    [Result \"26-22\"]\n\n";
        let moves = |ours: &str| {
            format!("{{at first}}\n1. F?! $6{ours} {{bad}} (1. E a (1... b) 2. E) {{after}}")
        };
        let dir = with_games(6, &format!("{head}{}\n", moves("")));
        let run = within(&dir, "annotate --tables DIR DIR/games.ogn");
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let ours = run.out.split_once("$6 {oware: ").expect("a comment").1.split_once('}');
        let ours = format!(" {{oware: {}}}", ours.expect("its end").0);
        assert_eq!(words(&run.out), words(&format!("{head}{} 26-22", moves(&ours))));
        let document = within(&dir, "annotate --json --tables DIR DIR/games.ogn").json();
        let first = &document["games"][0]["moves"][0];
        assert_eq!(first["glyphs"], json!(["?!", "$6"]));
        assert_eq!(first["variations"], json!(["(1. E a (1... b) 2. E)"]));
        assert_eq!(document["games"][0]["result"], "26-22");
    }

    #[test]
    fn games_that_cannot_be_read_stay_as_they_are() {
        let broken = "[Event \"broken\"]\n\n1. E {so far} a 2. X b\n*";
        let dir = with_games(6, &format!("{broken}\n\n{GAMES}"));
        let once = within(&dir, "annotate --tables DIR DIR/games.ogn");
        assert_eq!(once.code, 1);
        assert!(once.err.contains("game 1, line 3: `X` is not a move"), "{}", once.err);
        let kept =
            broken.replace("X", "X {oware: `X` is not a move; South's are A to F, North's a to f}");
        assert!(once.out.starts_with(&format!("{kept}\n\n[Event \"one\"]")), "{}", once.out);
        let document = within(&dir, "annotate --json --tables DIR DIR/games.ogn").json();
        assert_eq!(document["refused"][0]["text"], kept);
        assert!(document["refused"][0]["message"].as_str().is_some_and(|it| it.contains("`X`")));
        fs::write(dir.path().join("games.ogn"), &once.out).expect("written");
        assert_eq!(within(&dir, "annotate --tables DIR DIR/games.ogn").out, once.out);
    }

    #[test]
    fn messages_are_capped() {
        let dir = with_games(6, &"1. X *\n[Event \"x\"]\n".repeat(50));
        let run = within(&dir, "annotate --tables DIR DIR/games.ogn");
        assert_eq!(run.err.lines().count(), 21, "{}", run.err);
        assert!(run.err.contains("30 more games could not be read"), "{}", run.err);
    }

    #[test]
    fn captures_are_written_as_auale_does_unless_told_otherwise() {
        let dir = with_games(6, "1-0-0-0-0-1-1-0-0-0-0-3-20-22-S Fx2\n");
        for (words, part) in
            [("", "1. F+2 *"), ("--captures cross", "1. Fx2 *"), ("--captures none", "1. F *")]
        {
            let run = within(&dir, &format!("annotate {words} --tables DIR DIR/games.ogn"));
            assert!(run.out.contains(part), "{}", run.out);
        }
    }

    #[test]
    fn the_document_tells_each_move() {
        let dir = with_games(6, &format!("{GAMES}1. X *\n"));
        let run = within(&dir, "annotate --json --tables DIR DIR/games.ogn");
        let document = run.json();
        assert_eq!(
            (run.code, &document["unreadable"], &document["rules"]),
            (1, &1.into(), &"abapa".into())
        );
        let games = document["games"].as_array().expect("games");
        assert_eq!(games.len(), 3);
        let first = &games[0]["moves"][0];
        assert_eq!((&first["move"], &first["verdict"]), (&"E".into(), &"best".into()));
        assert_eq!(
            (&first["loss"], &first["comments"]),
            (&vec![0, 0].into(), &vec!["mine"].into())
        );
        assert_eq!(first["before"]["low"], first["after"]["low"]);
        assert_eq!(games[1]["moves"][0]["verdict"], Value::Null);
        assert_eq!(games[2]["moves"][0]["verdict"], "loses");
        assert_eq!(games[2]["start"], "0-0-0-0-1-2-2-0-0-0-0-1-20-22-S");
    }

    /// No comment may mean that all moves are best, or that nothing is known of them.
    #[test]
    fn games_wholly_above_the_tables_are_counted() {
        let dir = with_games(6, &format!("{GAMES}1. F f 2. A a *\n"));
        for words in ["annotate", "annotate --json"] {
            let run = within(&dir, &format!("{words} --tables DIR DIR/games.ogn"));
            let said = "because none comes down to 6 seeds, the largest layer with a table: 1";
            assert!(run.code == 0 && run.err.contains(said), "{}", run.err);
        }
    }
}

/// Names in records, manifests and engines, and of files, are what others have written.
#[cfg(target_os = "linux")]
mod terminals {
    use super::*;

    /// What sets a title, clears the screen, and does so in a single character.
    const HOSTILE: &str = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}2J";
    const SHOWN: &str = r"\u001b]0;title\u0007\u001b[2J\u009b2J";

    /// What a command shows on a terminal, words in quotes being one.
    fn shown(words: &str) -> String {
        let words = format!("{} {words}", env!("CARGO_BIN_EXE_oware"));
        let mut terminal = std::process::Command::new("script");
        let run = terminal.args(["-qec", &words, "/dev/null"]).output().expect("a terminal");
        String::from_utf8(run.stdout).expect("text").replace("\r\n", "\n")
    }

    #[test]
    fn control_characters_in_names_are_shown_escaped() {
        let dir = built("abapa", 6);
        let path = dir.path().display();
        let record = format!(
            "[South \"S{HOSTILE}\"]\n[North \"N\"]\n[FEN \"0-0-0-0-1-2-2-0-0-0-0-1-20-22-S\"]\n\
             [Result \"{HOSTILE}\"]\n\n1. E {{{HOSTILE}}} a F+9 *\n\n[South {HOSTILE}\n\n1. E *\n"
        );
        let named = format!("{path}/{HOSTILE}.ogn");
        for file in [format!("{path}/games.ogn"), named.clone()] {
            fs::write(file, &record).expect("written");
        }
        let sum = "0".repeat(64);
        fs::write(dir.path().join("SHA256SUMS"), format!("{sum}  {HOSTILE}\n")).expect("written");
        let engine = format!("{path}/engine.sh");
        let answers = "while read -r l; do case $l in uci) cat \"$0.name\"; echo uciok;; isready) echo readyok;; \
                       go*) echo bestmove Z;; esac; done\n";
        fs::write(&engine, answers).expect("written");
        fs::write(format!("{engine}.name"), format!("id name {HOSTILE}\n")).expect("written");

        let all = [
            format!("verify --tables {path} --games {path}/games.ogn"),
            format!("verify --json --tables {path} --games {path}/games.ogn"),
            format!("verify --tables {path} --games '{named}'"),
            format!("annotate --tables {path} {path}/games.ogn"),
            format!("annotate --json --tables {path} {path}/games.ogn"),
            format!("check --tables {path} --manifest"),
            format!("check --json --tables {path} --manifest"),
            format!("query '{HOSTILE}'"),
            format!("query --tables '{path}/{HOSTILE}' 0 0 0 0 0 1  0 0 0 0 0 2"),
            format!("match --depth 1 --games 2 --engine 'sh {engine}' --engine 'sh {engine}'"),
            format!("verify --tables {path} --engine '{HOSTILE}'"),
        ];
        for words in all {
            let shown = shown(&words);
            for sequence in ["\u{1b}]0;", "\u{1b}[2J", "\u{9b}", "\u{7}"] {
                assert!(!shown.contains(sequence), "{words:?}: {shown:?}");
            }
            let marks = [SHOWN, &SHOWN[..12], r"\\u001b", "\u{fffd}", r"\u{1b}"];
            assert!(marks.iter().any(|mark| shown.contains(mark)), "{words:?}: {shown:?}");
        }
        // Programs get what was written.
        let run = within(&dir, "annotate --tables DIR DIR/games.ogn");
        assert!(run.out.contains(&format!("[South \"S{HOSTILE}\"]")), "{:?}", run.out);
    }
}

#[test]
fn a_report_replaces_nothing_that_is_judged() {
    let dir = with_games(2, "[FEN \"0-0-0-0-0-1-1-0-0-0-0-0-23-23-S\"]\nF *\n");
    let before = fs::read(dir.path().join("games.ogn")).expect("a file");
    for (more, what) in [
        ("--html DIR/games.ogn", "is read, too"),
        ("--write-baseline DIR/games.ogn", "is read, too"),
        ("--html DIR/new --write-baseline DIR/new", "would be written twice"),
    ] {
        let run = within(&dir, &format!("{JUDGE} {more}"));
        assert!(run.error(2).contains(what), "{more}");
        assert!(!dir.path().join("new").exists());
    }
    assert_eq!(fs::read(dir.path().join("games.ogn")).expect("a file"), before);
    let write = |more: &str| within(&dir, &format!("{JUDGE} {more} --write-baseline DIR/figures"));
    assert_eq!(write("").code, 0);
    assert_eq!(write("--baseline DIR/figures").code, 0, "a baseline is replaced by a new one");
    let words = "--html DIR/figures --baseline DIR/figures";
    within(&dir, &format!("{JUDGE} {words}")).error(2);
}
