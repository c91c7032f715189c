//! `oware engine` and `oware match`, as processes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use oware_db::engine::search::{
    Engine as LibraryEngine, Network, SearchLimits, TranspositionTable,
};
use oware_db::game::{ABAPA, Game, Ply, Position};

use super::tables::{built, within};
use super::{command, oware, oware_fed, oware_on};

/// An engine that is spoken to.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(words: &str) -> Engine {
        let mut command = command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Engine { input: child.stdin.take(), child, output }
    }

    fn say(&mut self, lines: &str) {
        let input = self.input.as_mut().expect("open");
        input
            .write_all(lines.as_bytes())
            .and_then(|()| input.write_all(b"\n"))
            .expect("it listens");
    }

    /// The lines up to one that begins so, that one included.
    fn until(&mut self, wanted: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).expect("text"), 0, "it ended: {lines:?}");
            lines.push(line.trim_end().to_owned());
            if line.starts_with(wanted) {
                return lines;
            }
        }
    }

    /// What it plays.
    fn best(&mut self, lines: &str) -> String {
        self.say(lines);
        let last = self.until("bestmove").pop().expect("a line");
        last.split(' ').nth(1).expect("a move").to_owned()
    }

    fn ends(mut self) {
        drop(self.input.take());
        assert_eq!(self.child.wait().expect("ends").code(), Some(0));
    }
}

#[test]
fn introduces_itself_and_is_ready() {
    let mut engine = Engine::start("engine");
    engine.say("uci");
    let lines = engine.until("uciok");
    for option in [
        "TablesPath type string default tables",
        "Hash type spin",
        "Threads type spin",
        "MultiPV type spin",
        "Ponder type check",
        "Rules type combo",
    ] {
        assert!(
            lines.iter().any(|line| line.contains(&format!("option name {option}"))),
            "{lines:?}"
        );
    }
    assert!(lines[0].starts_with("id name oware-db"));
    engine.say("isready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    engine.say("quit");
    assert_eq!(engine.child.wait().expect("ends").code(), Some(0));
}

#[test]
fn plays_for_either_side() {
    let mut engine = Engine::start("engine --no-tables");
    let south = engine.best("position startpos\ngo depth 4");
    assert!(("A".."G").contains(&south.as_str()), "{south}");
    let north = engine.best("position startpos moves F\ngo depth 4");
    assert!(("a".."g").contains(&north.as_str()), "{north}");
    assert_eq!(engine.best("position fen 0-0-0-0-0-0-0-0-0-0-0-2-21-25-S\ngo depth 3"), "0000");
    engine.ends();
}

#[test]
fn no_field_is_without_a_word() {
    let mut engine = Engine::start("engine --no-tables");
    engine.say("uci");
    let lines = engine.until("uciok");
    let empty = "option name TablesPath type string default <empty>".to_owned();
    assert!(lines.contains(&empty), "{lines:?}");
    engine.say("setoption name TablesPath value <empty>\nisready");
    assert_eq!(engine.until("readyok")[0], "info string no tables of `abapa`: playing by search");
    engine.ends();
}

#[test]
fn reports_as_other_engines_do() {
    let mut engine = Engine::start("engine --no-tables");
    engine.say("position startpos\ngo depth 6");
    let lines = engine.until("bestmove");
    // The last report stands right before the move, and its line is one word.
    let last = &lines[lines.len() - 2];
    let words: Vec<&str> = last.split(' ').collect();
    let fields = ["depth", "seldepth", "score", "nodes", "nps", "time", "tbhits", "hashfull", "pv"];
    let places: Vec<usize> = fields
        .iter()
        .map(|field| words.iter().position(|word| word == field).expect("a field"))
        .collect();
    assert!(places.is_sorted() && words.len() == places[8] + 2, "{last}");
    assert!(words[places[8] + 1].len() > 1 && words[places[0] + 1] == "6", "{last}");
    assert!(lines.last().expect("a line")[9..].starts_with(&words[places[8] + 1][..1]));
    engine.ends();
}

/// The book answers at once where there is a clock, and only there.
#[test]
fn opens_by_the_book() {
    let mut engine = Engine::start("engine --no-tables");
    let asked = Instant::now();
    engine.say("position startpos\ngo movetime 60000");
    let said = engine.until("bestmove");
    assert!(said[0].ends_with("by the opening book") && said.len() == 2, "{said:?}");
    assert!(asked.elapsed() < Duration::from_secs(30));
    engine.say("setoption name OwnBook value false\ngo movetime 1");
    assert!(engine.until("bestmove").iter().all(|line| !line.contains("book")));
    engine.say("setoption name OwnBook value true\ngo depth 2");
    assert!(engine.until("bestmove").iter().all(|line| !line.contains("book")));
    engine.say("setoption name Rules value awari\ngo movetime 1");
    assert!(engine.until("bestmove").iter().all(|line| !line.contains("by the")));
    engine.ends();
}

/// The value of a field of a report.
fn field<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let mut words = line.split(' ').skip_while(|word| *word != name);
    words.nth(1)
}

#[test]
fn the_best_moves_are_told_if_wanted() {
    let tables = built("abapa", 4);
    let mut engine = Engine::start(&format!("engine --tables {}", tables.path().display()));
    engine.say("setoption name MultiPV value 3");
    for position in ["startpos", "fen 0-0-1-0-1-0-0-0-0-0-0-1-22-23-S"] {
        engine.say(&format!("position {position}\ngo depth 4"));
        let lines = engine.until("bestmove");
        let found = |rank: &str| {
            let line = lines.iter().rev().skip(2).find(|line| field(line, "multipv") == Some(rank));
            line.map(|line| {
                let score: i32 = field(line, "cp").expect("a score").parse().expect("a number");
                (score, field(line, "pv").expect("a line")[..1].to_owned())
            })
        };
        let [first, second] = ["1", "2"].map(|rank| found(rank).expect("a move"));
        assert!(first.0 >= second.0 && first.1 != second.1, "{lines:?}");
        assert_eq!(found("3").is_some(), position == "startpos");
        assert!(lines.last().expect("a line").starts_with(&format!("bestmove {}", first.1)));
    }
    engine.ends();
}

/// Later lines may be searched better than those before them.
#[test]
fn the_best_move_is_the_best_that_was_told() {
    let mut engine = Engine::start("engine --no-tables");
    engine.say("setoption name MultiPV value 3\nsetoption name OwnBook value false");
    for moves in ["DcBeFbAcDaEfDeDbFcC", "F", "FfBeAc"] {
        engine.say(&format!("position startpos moves {moves}\ngo depth 8"));
        let lines = engine.until("bestmove");
        let last = |rank: &&str| {
            let line = lines.iter().rev().find(|line| field(line, "multipv") == Some(rank));
            line.map(|line| field(line, "cp").expect("a score").parse().expect("a number"))
        };
        let scores: Vec<i32> = ["1", "2", "3"].iter().filter_map(last).collect();
        assert!(scores.len() > 1 && scores.is_sorted_by(|one, next| one >= next), "{lines:?}");
    }
    engine.ends();
}

/// Where endless play is drawn a move that no one can win after is better than one that keeps more
/// seeds of a lost game.
#[test]
fn a_draw_is_not_given_away_for_seeds() {
    let dir = built("masters-drawn", 8);
    let tables = dir.path().display();
    let mut engine = Engine::start(&format!("engine --rules masters-drawn --tables {tables}"));
    engine.say("position fen 0-4-1-0-1-0-0-2-0-0-0-0-20-20-S\ngo depth 6");
    let lines = engine.until("bestmove");
    let best = lines.last().expect("a line");
    assert!(best.starts_with("bestmove C") || best.starts_with("bestmove E"), "{best}");
    engine.ends();
    let ours =
        format!("{} engine --rules masters-drawn --tables {tables}", cargo_bin("oware").display());
    let words =
        format!("verify --json --rules masters-drawn --tables {tables} --sample 300 --engine");
    let report = oware_on(&words, &ours).json();
    for turn in ["win_to_loss", "win_to_draw", "draw_to_loss"] {
        assert_eq!(report["results_thrown_away"][turn], 0, "{report}");
    }
}

/// Whoever sends all commands at once gets all answers: searches with a limit reach it, and those
/// without are stopped.
#[test]
fn the_end_of_input_cuts_no_search_that_has_a_limit() {
    let commands = "setoption name OwnBook value false\nposition startpos moves F\ngo movetime 600\n\
                    position startpos moves E\ngo movetime 600\nposition startpos moves D\ngo depth 5\n\
                    go infinite\ngo ponder depth 1\n";
    let began = Instant::now();
    let run = oware_fed("engine --no-tables", commands.as_bytes());
    assert!(began.elapsed() >= Duration::from_millis(1200), "{:?}", began.elapsed());
    let lines: Vec<&str> = run.out.lines().collect();
    let answers: Vec<usize> =
        (0..lines.len()).filter(|&line| lines[line].starts_with("bestmove ")).collect();
    assert_eq!((answers.len(), run.code), (5, 0), "{}", run.out);
    assert!(!run.out.contains("bestmove 0000"), "{}", run.out);
    let last = |answer: usize| lines[answers[answer] - 1];
    for timed in [0, 1] {
        let time: u64 = field(last(timed), "time").expect("a time").parse().expect("a number");
        assert!(time >= 550, "{}", last(timed));
    }
    assert_eq!(field(last(2), "depth"), Some("5"));
}

/// A byte order mark before the first command does not hide it.
#[test]
fn a_byte_order_mark_before_the_first_command_is_left_out() {
    let run = oware_fed("engine --no-tables", "\u{feff}isready\n".as_bytes());
    assert_eq!((run.code, run.out.as_str()), (0, "readyok\n"));
}

/// An answer to `go ponder` waits until the opponent has moved, and then takes its time.
#[test]
fn ponders_until_it_is_told() {
    let mut engine = Engine::start("engine --no-tables");
    for (go, word) in [
        ("go ponder depth 3", "stop"),
        ("go ponder depth 3", "ponderhit"),
        ("go ponder movetime 1", "ponderhit"),
        ("go ponder wtime 100 btime 100", "ponderhit"),
        ("go ponder", "stop"),
    ] {
        engine.say(&format!("position startpos moves Ff\n{go}"));
        engine.until("info depth 3");
        std::thread::sleep(Duration::from_millis(20));
        engine.say("isready");
        assert!(!engine.until("readyok").iter().any(|line| line.starts_with("bestmove")), "{go}");
        let asked = Instant::now();
        assert!(("A".."G").contains(&engine.best(word).as_str()), "{go}");
        assert!(asked.elapsed() < Duration::from_secs(20), "{go}");
    }
    engine.ends();
}

/// Both clocks are heard, and each counts for its own player.
#[test]
fn plays_by_the_clock() {
    let mut engine = Engine::start("engine --no-tables");
    engine.say("setoption name OwnBook value false");
    let mut depth = |moves: &str, clock: &str| {
        engine.say(&format!("ucinewgame\nposition startpos moves {moves}\ngo {clock}"));
        let asked = Instant::now();
        engine.until("bestmove");
        asked.elapsed()
    };
    for (moves, clock) in [
        ("Ff", "wtime 200 btime 600000"),
        ("F", "wtime 600000 btime 200"),
        ("Ff", "wtime 0 btime 600000 winc 0"),
        ("Ff", "wtime 1000 btime 600000 movestogo 30 winc 5"),
    ] {
        let took = depth(moves, clock);
        assert!(took < Duration::from_secs(10), "{clock}: {took:?}");
    }
    assert!(depth("Ff", "wtime 20000 btime 1") >= Duration::from_millis(500));
}

#[test]
fn is_ready_while_it_thinks() {
    let mut engine = Engine::start("engine --no-tables");
    engine.say("position startpos\ngo infinite");
    for _ in 0..3 {
        engine.say("isready");
        assert!(!engine.until("readyok").iter().any(|line| line.starts_with("bestmove")));
    }
    engine.best("stop");
    engine.ends();
}

/// Silence would make whoever waits kill the engine.
#[test]
fn every_question_is_answered() {
    let mut engine = Engine::start("engine --no-tables");
    for wrong in [
        "position somewhere",
        "position startpos moves ZZ",
        "position startpos moves AAAA",
        "position fen 1 2 3",
        // A seed is missing.
        "position fen 0-0-1-0-1-0-0-0-0-0-0-1-22-22-S",
    ] {
        engine.say(&format!("{wrong}\ngo depth 2"));
        let said = engine.until("bestmove");
        assert_eq!(said.last().expect("a line"), "bestmove 0000", "{wrong}");
        assert!(said.len() == 3 && said.iter().take(2).all(|line| line.starts_with("info string")));
    }
    // The next position is as good as any, and seeds that nobody counts are not missing.
    for right in ["position startpos", "position fen 0 0 1 0 1 0  0 0 0 0 0 1"] {
        assert_ne!(engine.best(&format!("{right}\ngo depth 2")), "0000");
    }
    for wrong in ["go depth", "go movetime x", "go wtime soon"] {
        engine.say(wrong);
        let said = engine.until("bestmove");
        assert!(said.len() == 2 && said[0].starts_with("info string"), "{said:?}");
        assert_eq!(said[1], "bestmove 0000");
    }
    engine.ends();
}

#[test]
fn stop_and_quit_are_heard_while_it_thinks() {
    let mut engine = Engine::start("engine --no-tables");
    engine.say("position startpos\ngo infinite");
    engine.until("info depth 3");
    let stopped = Instant::now();
    engine.best("stop");
    engine.say("go infinite");
    engine.until("info depth 3");
    engine.say("quit");
    engine.until("bestmove");
    assert_eq!(engine.child.wait().expect("ends").code(), Some(0));
    assert!(stopped.elapsed() < Duration::from_secs(30));
}

/// The answer to an infinite search comes when it is asked for, even where nothing is to be
/// searched.
#[test]
fn infinite_means_until_stopped() {
    let tables = built("abapa", 4);
    let mut engine = Engine::start(&format!("engine --tables {}", tables.path().display()));
    engine.say("position fen 0-0-1-0-1-0-0-0-0-0-0-1-22-23-S\ngo infinite");
    engine.until("info");
    std::thread::sleep(Duration::from_millis(100));
    // Had it answered at once, then before it says that it is ready.
    engine.say("isready");
    assert_eq!(engine.until("readyok").len(), 1);
    engine.say("stop");
    assert_eq!(engine.until("bestmove").len(), 2);
    engine.ends();
}

#[test]
fn the_end_of_input_ends_it() {
    let mut engine = Engine::start("engine --no-tables");
    engine.say("position startpos\ngo infinite");
    engine.until("info depth 3");
    drop(engine.input.take());
    engine.until("bestmove");
    assert_eq!(engine.child.wait().expect("ends").code(), Some(0));
    // What can be answered in a moment still is.
    let piped = oware_fed("engine --no-tables", b"position startpos\ngo depth 6\n");
    assert!(piped.out.contains("info depth 6") && piped.out.contains("bestmove"), "{}", piped.out);
}

#[test]
fn options_count() {
    let tables = built("awari", 5);
    let path = tables.path().display();
    let mut engine = Engine::start("engine --no-tables --rules abapa");
    engine.say(&format!(
        "setoption name tablespath value {path}\nsetoption name Rules value awari\nisready"
    ));
    let said = engine.until("readyok");
    assert_eq!(said[0], format!("info string {path} has no tables of `abapa`: playing by search"));
    assert_eq!(said[1], "info string tables of `awari` for 0 to 5 seeds");
    engine.say("setoption name Threads value 2\nsetoption name Hash value 3");
    engine.say("position startpos\ngo depth 5");
    assert!(engine.until("bestmove").iter().all(|line| !line.contains("string")));
    for wrong in [
        "Hash value 0",
        "Threads value many",
        "Rules value chess",
        "Colour value red",
        "TablesPath value /dev/null",
    ] {
        engine.say(&format!("setoption name {wrong}\nisready"));
        let said = engine.until("readyok");
        assert!(said.len() == 2 && said[0].starts_with("info string"), "{said:?}");
    }
    engine.ends();
}

/// What cannot be is as much as there can be, or nothing.
#[test]
fn limits_may_be_absurd() {
    let mut engine = Engine::start("engine --no-tables");
    engine.say("setoption name OwnBook value false\nposition startpos");
    for go in ["wtime -100 btime 10", "nodes 2 depth 99999999999999999999999"] {
        engine.say(&format!("go {go}"));
        assert!(engine.until("bestmove").last().is_some_and(|said| !said.contains("0000")), "{go}");
    }
    engine.ends();
}

/// Where the position is none of the sheet that is set, nothing is played until there is another one.
#[test]
fn a_position_may_be_lost_by_another_sheet() {
    let mut engine = Engine::start("engine --no-tables");
    engine.say("position fen 0-0-0-0-1-1-1-0-0-0-0-0-22-23-S moves F");
    engine.say("setoption name Rules value awari\ngo depth 3");
    let said = engine.until("bestmove");
    assert!(said.last().is_some_and(|last| last.starts_with("bestmove 0000")), "{said:?}");
    engine.say("position startpos\ngo depth 3");
    assert!(engine.until("bestmove").last().is_some_and(|last| !last.contains("0000")));
    engine.ends();
}

#[cfg(unix)]
#[test]
fn an_engine_that_nobody_listens_to_ends() {
    let mut engine = std::process::Command::new(env!("CARGO_BIN_EXE_oware"))
        .args(["engine", "--no-tables"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    drop(engine.stdout.take());
    let mut input = engine.stdin.take().expect("a pipe");
    input.write_all(b"setoption name OwnBook value false\ngo depth 90\n").expect("it reads");
    drop(input);
    let begun = Instant::now();
    while engine.try_wait().expect("a child").is_none() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A level is said beforehand or over the protocol, and has its own limits: it answers at once where
/// the best one would think for long.
#[test]
fn levels_have_limits_of_their_own() {
    for (words, said) in [("--level 2", ""), ("", "setoption name Level value 2\n")] {
        let mut engine = Engine::start(&format!("engine --no-tables {words}"));
        engine.say(&format!("{said}position startpos\ngo movetime 600000"));
        let told = engine.until("bestmove");
        assert!(told.iter().any(|line| line.contains(" depth 1 ")), "{told:?}");
        assert!(told.iter().all(|line| !line.contains("multipv")), "{told:?}");
        engine.say("setoption name Level value 6\nisready");
        assert!(engine.until("readyok")[0].contains("a number from 1 to 5"));
        engine.ends();
    }
    assert!(oware("engine --level 6").error(2).contains("1..=5"));
    let mut engine = Engine::start("engine --no-tables --level 3 --threads 2");
    engine.say("uci");
    let told = engine.until("uciok");
    for option in ["Level type spin default 3 min 1 max 5", "Threads type spin default 2"] {
        assert!(told.iter().any(|line| line.contains(option)), "{option}: {told:?}");
    }
    engine.ends();
}

/// The lower levels draw their moves, so no two games are alike; the best does not.
#[test]
fn the_lowest_level_does_not_repeat_itself() {
    let moves = |level: u8| {
        let mut engine = Engine::start(&format!("engine --no-tables --level {level}"));
        let best = |_| engine.best("ucinewgame\nposition startpos moves FfBe\ngo depth 4");
        let moves: std::collections::BTreeSet<String> = (0..30).map(best).collect();
        engine.ends();
        moves.len()
    };
    assert!(moves(1) > 1);
    assert_eq!(moves(5), 1);
}

/// C brings three seeds; E looks the same, but the cycle may be closed.
#[test]
fn plays_the_strategy_within_the_tables() {
    let tables = built("abapa", 4);
    let mut engine = Engine::start(&format!("engine --tables {}", tables.path().display()));
    let best = engine.best("position fen 0-0-1-0-1-0-0-0-0-0-0-1-22-23-S\ngo depth 1");
    assert_eq!(best, "C");
    assert_eq!(engine.best("position fen 0-0-0-0-0-1-0-0-1-0-1-0-22-23-N\ngo movetime 10"), "c");
    engine.ends();
}

/// Damaged tables are reported, and the search goes on without them.
#[test]
fn damaged_tables_are_as_good_as_none() {
    let tables = built("abapa", 4);
    for seeds in 0..=4 {
        std::fs::write(tables.path().join(format!("abapa-0{seeds}.oware")), b"nonsense")
            .expect("writes");
    }
    let mut engine = Engine::start(&format!("engine --tables {}", tables.path().display()));
    engine.say("position fen 0-0-1-0-1-0-0-0-0-0-0-1-22-23-S\ngo depth 3");
    let said = engine.until("bestmove");
    assert!(
        said.iter()
            .any(|line| line.contains("info string") && line.contains("oware build --repair")),
        "{said:?}"
    );
    engine.ends();
}

/// Weights that are missing, cut short, of another version or none at all: one sentence, and the
/// hand-written evaluation goes on.
#[test]
fn damaged_weights_are_as_good_as_none() {
    let dir = tempfile::tempdir().expect("a directory");
    let whole = include_bytes!("../../src/engine/search/evaluation.bin");
    let mut newer = whole.to_vec();
    newer[8] += 1;
    for (name, bytes) in
        [("cut", &whole[..whole.len() / 2]), ("none", b"nonsense, no weights"), ("newer", &newer)]
    {
        std::fs::write(dir.path().join(name), bytes).expect("writes");
    }
    let hash = TranspositionTable::new(1).expect("memory");
    let mut game = Game::new(&ABAPA, Position::INITIAL);
    for letter in "FfBe".chars() {
        game.play(Ply::from_letter(letter).expect("a letter")).expect("a legal move");
    }
    let limits = SearchLimits { depth: 6, time: None, nodes: u64::MAX };
    let [by_hand, learnt] = [None, Network::built_in().ok()].map(|network| {
        let engine = LibraryEngine::new(None, &hash, 1).with_network(network);
        hash.clear();
        let found = engine.think(&game, &limits, &AtomicBool::new(false), &mut |_| {});
        format!("score cp {} ", found.expect("a move").worth.hundredths())
    });
    assert_ne!(by_hand, learnt);
    for name in ["cut", "none", "newer", "missing"] {
        let file = dir.path().join(name);
        let mut engine =
            Engine::start(&format!("engine --no-tables --evaluation {}", file.display()));
        engine.say("uci");
        let said = engine.until("uciok");
        let flaws = said.iter().filter(|line| line.contains("the hand-written evaluation is used"));
        assert_eq!(flaws.count(), 1, "{said:?}");
        assert_eq!(name == "newer", said.iter().any(|line| line.contains("another version")));
        engine.say("position startpos moves FfBe\ngo depth 6");
        let said = engine.until("bestmove");
        assert!(said[said.len() - 2].contains(&by_hand), "{by_hand}: {said:?}");
        engine.ends();
    }
}

#[test]
fn nothing_that_is_said_to_it_is_fatal() {
    let mut input = Vec::new();
    for line in [
        "\u{0}\u{1}\u{2}",
        "go",
        "position",
        "position fen",
        "position startpos moves ZZ",
        "position startpos moves AAAA",
        "setoption",
        "setoption name Hash value -1",
        "go depth 99999999999999999999",
        "go depth 0",
        "go movetime 0",
        "go nodes 0",
        "stop",
        "stop",
        "uci uci uci",
        "position fen 48-0-0-0-0-0-0-0-0-0-0-0-0-0-N",
        "go depth 2",
        "position fen 0-0-0-0-0-0-0-0-0-0-0-0-24-24-S",
        "go depth 2",
        "position fen 0 0 0 0 0 0 0 0 0 0 0 1",
        "go depth 70 nodes 1000",
    ] {
        input.extend_from_slice(line.as_bytes());
        input.push(b'\n');
    }
    input.extend_from_slice(&[0xff, 0xfe, b'\n']);
    input.extend(std::iter::repeat_n(b'x', 1 << 20));
    input.extend_from_slice(b"\nisready\n");
    let run = oware_fed("engine --no-tables", &input);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    // It says that it is there at once, while searches may still wait for their turn.
    assert_eq!(run.out.lines().filter(|&line| line == "readyok").count(), 1, "{}", run.out);
    assert!(run.out.matches("bestmove").count() >= 6, "{}", run.out);
}

/// Two engines as `oware match` gets them, the first without anything, the second with these words.
fn engines(words: &str) -> String {
    let program = cargo_bin("oware");
    format!("--engine='{0}' engine --no-tables|--engine='{0}' engine {words}", program.display())
}

fn play(words: &str, engines: &str) -> super::Run {
    let mut command = command(words);
    command.args(engines.split('|')).stdin(Stdio::null());
    super::Run::of(command.output().expect("runs"))
}

#[test]
fn a_match_is_counted() {
    let words =
        "match --json --games 5 --depth 2 --openings-seed 3 --timeout 60000 --concurrency 2";
    let report = play(words, &engines("--no-tables")).json();
    assert_eq!((&report["games"], &report["forfeits"]), (&6.into(), &serde_json::json!([])));
    let number = |field: &str| report[field].as_f64().expect("a number");
    // The same engine twice, to the same depth: a pair of games is two halves of one.
    assert_eq!((number("wins"), number("score")), (number("losses"), 0.5));
    assert!(number("score_low") < 0.5 && number("score_high") > 0.5 && number("elo") == 0.0);
    let results = report["results"].as_array().expect("games");
    assert_eq!(results.len(), 6);
    assert_eq!(
        (&results[0]["opening"], &results[0]["first"]),
        (&results[1]["opening"], &"South".into())
    );
    assert_eq!(results[0]["moves"], results[1]["moves"]);
    assert_eq!(play(words, &engines("--no-tables")).json()["results"], report["results"]);
    let capped = play(
        "match --json --games 2 --depth 1 --most-plies 3 --timeout 60000",
        &engines("--no-tables"),
    )
    .json();
    assert_eq!((&capped["endings"]["most_plies"], &capped["mean_plies"]), (&2.into(), &3.0.into()));
    let said = play("match --games 2 --depth 1 --timeout 60000", &engines("--no-tables"));
    assert!(
        said.code == 0 && said.out.contains("Elo") && said.out.contains("2 games of `abapa`"),
        "{}",
        said.out
    );
}

/// An engine that is not ready before two of its kind have started.
#[test]
fn games_are_played_at_the_same_time_if_that_is_wanted() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().display();
    let meets = format!(
        "touch {path}/$$; while read -r l; do case $l in uci) echo uciok;; \
         isready) while set -- {path}/*; test $# -lt 2; do sleep 0.02; done; echo readyok;; \
         go*) echo bestmove Z;; esac; done"
    );
    let report = against(&meets, "match --json --games 2 --depth 1 --concurrency 2").json();
    assert_eq!((&report["games"], &report["wins"]), (&2.into(), &2.into()), "{report}");
}

/// What a match writes is what `oware verify --games` reads.
#[test]
fn games_of_a_match_are_recorded() {
    let tables = built("awari", 6);
    let path = tables.path().display();
    let words = format!(
        "match --json --rules awari --games 4 --depth 1 --timeout 60000 --record {path}/games.ogn"
    );
    let report = play(&words, &engines("--no-tables")).json();
    let judged =
        within(&tables, "verify --json --rules awari --tables DIR --games DIR/games.ogn").json();
    assert_eq!(
        (&judged["games"], &judged["illegal"], &judged["unreadable"]),
        (&4.into(), &0.into(), &0.into())
    );
    let moves = |game: &serde_json::Value| {
        game["opening"].as_str().map_or(0, str::len) + game["moves"].as_str().map_or(0, str::len)
    };
    let played: usize = report["results"].as_array().expect("games").iter().map(moves).sum();
    let counted = judged["judged"].as_u64().expect("a number")
        + judged["unknown"].as_u64().expect("a number");
    assert_eq!(counted, played as u64);
    let text = std::fs::read_to_string(tables.path().join("games.ogn")).expect("a file");
    let last = report["results"][3]["result"].as_f64().expect("a result");
    let expected = if last == 1.0 {
        "0-1"
    } else if last == 0.0 {
        "1-0"
    } else {
        "1/2-1/2"
    };
    assert!(text.trim_end().ends_with(expected) && text.contains("[Round \"4\"]"), "{text}");
}

/// An engine that does this when it is told what looks so, and then answers as others do.
fn script(told: &str, does: &str) -> String {
    format!(
        "while read -r l; do case $l in {told}) {does};; esac; case $l in uci) echo uciok;; \
         isready) echo readyok;; go*) echo bestmove Z;; esac; done"
    )
}

fn against(script: &str, words: &str) -> super::Run {
    let good = engines("--no-tables");
    let good = good.split('|').next().expect("an engine").to_owned();
    play(words, &format!("{good}|--engine=sh -c \"{script}\"").replace('$', "\\$"))
}

#[test]
fn time_is_policed() {
    for words in ["match --json --games 2 --movetime 50", "match --json --games 2 --tc 0.4+0.01"] {
        let report = against(&script("go*", "sleep 1"), words).json();
        let forfeits = report["forfeits"].as_array().expect("a list");
        let late = forfeits.iter().filter(|forfeit| forfeit["engine"] == 2);
        assert!(late.clone().count() == 2, "{report}");
        assert!(late.clone().all(|forfeit| forfeit["why"] == "time-out"), "{report}");
        let longest = report["time"][1]["longest_ms"].as_f64().expect("a time");
        assert!((300.0..20_000.0).contains(&longest), "{report}");
    }
}

/// Starting costs no game, however little time there is for a move.
#[test]
fn the_start_is_no_lost_game() {
    let words = "match --json --games 2 --depth 1 --timeout 900";
    let report = against(&script("uci", "sleep 1"), words).json();
    let forfeits = report["forfeits"].as_array().expect("a list");
    let unreadable =
        |forfeit: &serde_json::Value| forfeit["why"].as_str().expect("text").contains("understood");
    assert!(forfeits.len() == 2 && forfeits.iter().all(unreadable), "{report}");
}

#[test]
fn options_are_set_and_unknown_ones_told() {
    let words = "match --json --games 2 --depth 1 --option Rules=awari --option Colour=red";
    let run = play(words, &engines("--no-tables"));
    assert!(run.err.contains("engine 1 has no option `Colour`"), "{}", run.err);
    assert!(run.err.contains("engine 2 has no option `Colour`"), "{}", run.err);
    let with = "match --games 2 --depth 1 --option Hash=0";
    assert!(!play(with, &engines("--no-tables")).err.contains("has no option"));
}

#[test]
fn a_test_ends_a_match_that_is_decided() {
    let words = "match --json --games 400 --depth 1 --sprt 0,100";
    let report = against(&script("go*", "exit 3"), words).json();
    let games = report["games"].as_u64().expect("a number");
    assert!(games < 100 && report["sprt"]["verdict"] == "accepted", "{report}");
    // The same engine twice, which is not stronger than itself.
    let same = play(words, &engines("--no-tables")).json();
    let games = same["games"].as_u64().expect("a number");
    assert!(games < 100 && same["sprt"]["verdict"] == "rejected", "{same}");
    assert_eq!(same["sprt"]["pairs"], serde_json::json!([0, 0, games / 2, 0, 0]));
    let words = "match --json --games 2 --depth 1 --sprt -10,10";
    let open = play(words, &engines("--no-tables")).json();
    assert_eq!((&open["sprt"]["verdict"], &open["sprt"]["elo1"]), (&"open".into(), &10.0.into()));
    assert!(oware("match --engine a --engine b --sprt 5").error(2).contains("0,20"));
}

#[test]
fn positions_may_limit_thought_and_times_are_told() {
    let text = play("match --games 2 --depth 1 --nodes 50", &engines("--no-tables")).out;
    assert!(text.contains("go depth 1 nodes 50") && text.contains("ms per move"), "{text}");
}

#[test]
fn who_crashes_or_cheats_loses() {
    let words = "match --json --games 4 --depth 1 --timeout 60000";
    for (does, why) in
        [("exit 3", "crash: it ended with exit status: 3"), (":", "cannot be understood")]
    {
        let report = against(&script("go*", does), words).json();
        assert_eq!((&report["wins"], &report["losses"]), (&4.into(), &0.into()), "{report}");
        let forfeits = report["forfeits"].as_array().expect("a list");
        assert!(forfeits.len() == 4 && forfeits.iter().all(|forfeit| forfeit["engine"] == 2));
        assert!(forfeits[0]["why"].as_str().expect("text").contains(why), "{report}");
        let numbers: Vec<&serde_json::Value> = forfeits.iter().map(|each| &each["game"]).collect();
        assert_eq!(numbers, [1, 2, 3, 4], "{report}");
    }
}

#[test]
fn a_match_needs_two_engines_that_are_there() {
    oware("match --json").json_error(2, "usage");
    oware("match --engine a --engine b --opening-plies 500 --json").json_error(2, "usage");
    assert!(oware("match --engine true").error(2).contains("two engines"));
    let run = play("match --json", "--engine=/nowhere/a|--engine=/nowhere/b");
    assert!(run.json_error(2, "usage").contains("/nowhere/a"));
    let tables = built("abapa", 2);
    assert_eq!(within(&tables, "match --engine a --engine b --movetime 5 --depth 3").code, 2);
}

/// What is asked for is done, or it is said that it is not.
mod wishes {
    use super::*;

    #[test]
    fn only_the_moves_that_are_asked_for_are_searched() {
        let tables = built("abapa", 4);
        let mut engine = Engine::start(&format!("engine --tables {}", tables.path().display()));
        for position in ["startpos", "fen 1-0-1-0-1-0-0-0-0-0-0-1-22-22-S"] {
            for (threads, house) in [(1, "A"), (2, "C"), (1, "E")] {
                engine.say(&format!("setoption name Threads value {threads}"));
                engine.say(&format!("setoption name MultiPV value {}", 3 * threads));
                let words = format!("position {position}\ngo depth 3 searchmoves {house}");
                assert_eq!(engine.best(&words), house, "{position}");
            }
            let words = format!("position {position}\ngo movetime 50 searchmoves E");
            assert_eq!(engine.best(&words), "E", "the book has no say");
        }
        engine.say("go depth 2 searchmoves B");
        let said = engine.until("bestmove");
        assert!(said[0].contains("`B` is not a legal move") && said[1] == "bestmove 0000");
        engine.ends();
    }

    #[test]
    fn options_are_set_or_refused() {
        let mut engine = Engine::start("engine --no-tables");
        for option in ["OwnBook", "Ponder"] {
            engine.say(&format!("setoption name {option} value flase\nisready"));
            let said = engine.until("readyok");
            assert!(said[0].contains("true or false, not `flase`"), "{said:?}");
            engine.say(&format!("setoption name {option} value TRUE\nisready"));
            assert_eq!(engine.until("readyok"), ["readyok"]);
        }
        engine.ends();
    }

    #[test]
    fn an_engine_without_the_tables_it_is_to_have_says_so() {
        let dir = tempfile::tempdir().expect("a directory");
        let place = dir.path().display();
        for (words, says) in [(format!("--tables {place}"), true), ("--no-tables".into(), false)] {
            let run = oware_fed(&format!("engine {words}"), b"uci\nquit\n");
            let lack = format!("{place} has no tables of `abapa`: playing by search");
            assert_eq!([&run.err, &run.out].map(|said| said.contains(&lack)), [says; 2]);
            assert!(run.code == 0 && (says || run.err.is_empty()), "{}", run.err);
        }
    }
}

/// Openings of a file and adjudication by tables.
mod matches {
    use super::*;
    use serde_json::{Value, json};

    fn results(report: &Value) -> &[Value] {
        report["results"].as_array().expect("games")
    }

    #[test]
    fn openings_of_a_file_are_played_with_both_colours() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("openings");
        let start = "0-0-1-0-1-2-1-0-2-0-3-0-18-20-N";
        let openings = format!(
            "# mine\n\nFfBe\nstartpos moves A a\n{start}\n0 0 0 0 0 1  1 0 0 0 0 1 moves F\n"
        );
        std::fs::write(&path, &openings).expect("written");
        let words = format!("match --json --depth 1 --timeout 60000 --openings {}", path.display());
        let report = play(&words, &engines("--no-tables")).json();
        assert_eq!((&report["games"], &report["planned"]), (&8.into(), &8.into()));
        assert_eq!((&report["opening_plies"], &report["openings"]), (&json!(null), &json!(path)));
        let expected = [
            ("FfBe", json!(null)),
            ("Aa", json!(null)),
            ("", json!(start)),
            ("F", json!("0-0-0-0-0-1-1-0-0-0-0-1-22-23-S")),
        ];
        for (pair, (letters, start)) in results(&report).chunks(2).zip(expected) {
            let seats = [&pair[0]["first"], &pair[1]["first"]];
            assert_eq!(seats, ["South", "North"]);
            for game in pair {
                assert_eq!((&game["opening"], &game["start"]), (&json!(letters), &start));
            }
        }
        let more = play(&format!("{words} --games 10"), &engines("--no-tables")).json();
        assert_eq!(results(&more)[9]["opening"], "FfBe");

        // A record says where a game starts.
        let tables = built("abapa", 3);
        let record = tables.path().join("record");
        let recorded = format!("{words} --record {}", record.display());
        play(&recorded, &engines("--no-tables")).json();
        let judged = within(&tables, "verify --json --tables DIR --games DIR/record").json();
        assert_eq!(
            (&judged["games"], &judged["illegal"], &judged["unreadable"]),
            (&8.into(), &0.into(), &0.into())
        );
        let text = std::fs::read_to_string(&record).expect("a record");
        assert_eq!(text.matches("[FEN \"").count(), 4);
        assert!(text.contains(&format!("[FEN \"{start}\"]")));

        for (text, wrong) in [
            ("FfBe\nstartpos moves AA\n", "line 2: "),
            ("FF\n", "line 1: "),
            ("0-0-0-0-0-0-0-0-0-0-0-0-24-24-S\n", "the game is already over there"),
            ("# none\n", "contains no opening"),
        ] {
            std::fs::write(&path, text).expect("written");
            let said = play(&words, &engines("--no-tables"));
            assert!(said.json_error(2, "usage").contains(wrong), "{text}: {}", said.out);
        }
        let both = play(&format!("{words} --openings-seed 3"), &engines("--no-tables"));
        assert!(both.json_error(2, "usage").contains("cannot be used with"));
    }

    /// The result is that of the last position by the tables, which a capture has led to.
    #[test]
    fn games_are_adjudicated_by_what_the_tables_know() {
        let tables = built("abapa", 8);
        let place = tables.path().display();
        let words = format!(
            "match --json --games 40 --depth 1 --timeout 60000 --adjudicate --tables {place} --record {place}/games"
        );
        let report = play(&words, &engines("--no-tables")).json();
        let adjudicated: Vec<&Value> =
            results(&report).iter().filter(|game| game["ending"] == "adjudicated").collect();
        assert!(adjudicated.len() >= 4, "{report}");
        assert_eq!(report["endings"]["adjudicated"], adjudicated.len());
        for game in adjudicated {
            let moves =
                ["opening", "moves"].map(|field| game[field].as_str().expect("letters")).concat();
            let last = moves.chars().last().expect("a move");
            let position = format!("startpos moves {moves}");
            let found =
                within(&tables, &format!("query --json --scores-only --tables DIR {position}"))
                    .json();
            let sign = if last.is_uppercase() { -1 } else { 1 };
            let margin = game["margin"].as_i64().expect("a margin");
            let [south, north] = match sign {
                1 => ["mover", "opponent"],
                _ => ["opponent", "mover"],
            }
            .map(|who| found["stores"][who].as_i64().expect("seeds"));
            let value = found["value"].as_i64().expect("a score");
            assert_eq!(margin, south - north + sign * value, "{game} {found}");
            let before = &moves[..moves.len() - 1];
            let before = within(&tables, &format!("moves --json startpos moves {before}")).json();
            assert!(before["seeds"].as_u64() > found["seeds"].as_u64(), "a capture");
            let wins = if game["first"] == "South" { margin } else { -margin };
            assert_eq!(game["result"].as_f64(), Some((wins.signum() as f64 + 1.0) / 2.0));
        }
        let record = std::fs::read_to_string(tables.path().join("games")).expect("a record");
        assert!(record.contains("[Termination \"adjudicated\"]"));
        assert!(
            record
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .contains("{adjudicated by the tables: with best play ")
        );
        let judged = within(&tables, "verify --json --tables DIR --games DIR/games").json();
        assert_eq!(
            (&judged["unreadable"], &judged["illegal"], &judged["games"]),
            (&0.into(), &0.into(), &40.into())
        );

        let words = "match --json --adjudicate --tables /nowhere/tables";
        play(words, &engines("--no-tables")).json_error(1, "missing_table");
        let words = "match --json --tables /nowhere/tables";
        play(words, &engines("--no-tables")).json_error(2, "usage");
    }
}
