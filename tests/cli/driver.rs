//! Engines as child processes: our own, and some that misbehave. Those are shell scripts.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use oware_db::engine::driver::{Attempt, Driver, Launch};
use oware_db::engine::protocol::{Go, Setup};
use oware_db::error::Error;
use oware_db::game::{ABAPA, Game, Position};
use tempfile::TempDir;

use super::scripts;

/// An engine that keeps the protocol and always says `A`, with `EXTRA` before its own cases.
const POLITE: &str = r#"
while read -r line; do
    case "$line" in
    EXTRA
    uci) echo "id name script"; echo uciok ;;
    isready) echo readyok ;;
    go*) echo "info depth 1"; echo "bestmove A" ;;
    quit) exit 0 ;;
    esac
done
"#;

/// Time that is never up on a machine that is merely slow.
const LONG: Duration = Duration::from_secs(60);
/// For those that never answer.
const SHORT: Duration = Duration::from_millis(300);

/// A script that notes its process, so that one can look whether it is still there.
struct Script {
    dir: TempDir,
    command: String,
}

impl Script {
    fn new(text: &str) -> Script {
        let dir = tempfile::tempdir().expect("a directory");
        let command = scripts::write(dir.path(), text);
        Script { dir, command }
    }

    /// The polite engine with some cases more.
    fn with(cases: &str) -> Script {
        Script::new(&POLITE.replace("EXTRA", cases))
    }

    fn launch(&self) -> Launch {
        Launch::new(&self.command).expect("a command")
    }

    /// How often it was started, and none of them is alive.
    #[track_caller]
    fn starts_of_the_dead(&self) -> usize {
        scripts::starts_of_the_dead(self.dir.path())
    }
}

/// Asks for a move in the initial position.
fn ask(driver: &mut Driver) -> Attempt {
    let game = Game::new(&ABAPA, Position::INITIAL);
    let go = Go { depth: Some(1), ..Go::default() };
    driver.ask(&game, &Setup::at(Position::INITIAL), &go).expect("an answer")
}

fn answers(launch: &Launch, count: usize) -> Vec<Attempt> {
    let interrupt = AtomicBool::new(false);
    let mut driver = Driver::new(launch, &interrupt);
    (0..count).map(|_| ask(&mut driver)).collect()
}

fn house(answer: &Attempt) -> char {
    match answer {
        Attempt::Move(house) => house.letter(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_polite_engine_answers() {
    let script = Script::with("");
    let launch = Launch { timeout: LONG, ..script.launch() };
    let interrupt = AtomicBool::new(false);
    let mut driver = Driver::new(&launch, &interrupt);
    (0..3).for_each(|_| assert_eq!(house(&ask(&mut driver)), 'A'));
    drop(driver);
    assert_eq!(launch.name(), "script");
    assert_eq!(script.starts_of_the_dead(), 1);
}

#[test]
fn our_own_engine_answers() {
    let program = cargo_bin("oware");
    let launch =
        Launch::new(&format!("'{}' engine --no-tables", program.display())).expect("a command");
    let options = vec![("Hash".to_owned(), "1".to_owned())];
    let launch = Launch { timeout: LONG, options, ..launch };
    let found = answers(&launch, 3);
    assert!(found.iter().all(|answer| ('A'..='F').contains(&house(answer))));
}

#[test]
fn silence_is_told_and_ends() {
    let silent = |script: &str, asked, within: Duration| {
        let script = Script::new(script);
        let launch = Launch {
            startup: within,
            timeout: Duration::ZERO,
            restarts: 1.into(),
            ..script.launch()
        };
        let silent = Attempt::Unresponsive { asked, within };
        let seconds = format!("within {} s after the start", within.as_secs_f64());
        assert!(silent.to_string().contains(&seconds), "{silent}");
        assert_eq!(answers(&launch, 4), [silent.clone(), silent, Attempt::GaveUp, Attempt::GaveUp]);
        assert_eq!(script.starts_of_the_dead(), 2);
    };
    std::thread::scope(|scope| {
        scope.spawn(|| silent("while :; do sleep 1; done", "uci", SHORT));
        let reads = "while read -r line; do :; done; sleep 1000";
        scope.spawn(|| silent(reads, "uci", SHORT));
        let greets = "while read -r line; do [ $line != uci ] || echo uciok; done; sleep 1000";
        // Enough for the answer to `uci` on a machine that is merely slow.
        scope.spawn(|| silent(greets, "isready", Duration::from_secs(4)));
        let script = Script::with("go*) ;;");
        let launch = Launch { timeout: SHORT, restarts: 1.into(), ..script.launch() };
        assert_eq!(answers(&launch, 3), [Attempt::TimedOut, Attempt::TimedOut, Attempt::GaveUp]);
        assert_eq!(script.starts_of_the_dead(), 2);
    });
}

/// Whoever takes its time to start is not late: a Java machine needs seconds.
#[test]
fn the_start_has_its_own_limit() {
    let script = Script::with("uci) sleep 2; echo uciok ;;");
    let launch = Launch { startup: LONG, timeout: Duration::from_secs(1), ..script.launch() };
    let interrupt = AtomicBool::new(false);
    let mut driver = Driver::new(&launch, &interrupt);
    assert_eq!(house(&ask(&mut driver)), 'A');
    assert!(driver.took() < Duration::from_secs(1), "{:?}", driver.took());
}

#[test]
fn options_that_the_engine_does_not_have_are_told() {
    let script = Script::with(r#"uci) echo "option name Hash type spin"; echo uciok ;;"#);
    let options = ["hash", "Colour"].map(|name| (name.to_owned(), "1".to_owned())).to_vec();
    let launch = Launch { timeout: LONG, options, ..script.launch() };
    let interrupt = AtomicBool::new(false);
    let mut driver = Driver::new(&launch, &interrupt);
    ask(&mut driver);
    assert_eq!(launch.introduction().unknown_options, ["Colour"]);
}

#[test]
fn a_crash_is_told_and_the_engine_starts_again() {
    let at_once = Script::new("exit 3");
    let launch = Launch { timeout: LONG, restarts: 2.into(), ..at_once.launch() };
    let found = answers(&launch, 4);
    for answer in &found[..3] {
        assert!(
            matches!(answer, Attempt::Crashed { how } if how.contains("exit status: 3")),
            "{answer:?}"
        );
    }
    assert_eq!(found[3], Attempt::GaveUp);
    assert_eq!(at_once.starts_of_the_dead(), 3);

    let third =
        Script::with(r#"go*) n=$((n + 1)); [ $n -lt 3 ] || kill -SEGV $$; echo "bestmove A" ;;"#);
    let launch = Launch { timeout: LONG, restarts: 1.into(), ..third.launch() };
    let found = answers(&launch, 7);
    let said: String = found
        .iter()
        .map(|answer| match answer {
            Attempt::Move(_) => '.',
            Attempt::Crashed { how } if how.contains("SIGSEGV") => 'x',
            Attempt::GaveUp => '-',
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(said, "..x..x-");
    assert_eq!(third.starts_of_the_dead(), 2);
}

#[test]
fn moves_that_are_not_legal_are_told() {
    for said in ["a", "(none)", "0000"] {
        let script = Script::with(&format!(r#"go*) echo "bestmove {said}" ;;"#));
        let launch = Launch { timeout: LONG, ..script.launch() };
        assert_eq!(answers(&launch, 2), vec![Attempt::Illegal { said: said.to_owned() }; 2]);
        assert_eq!(script.starts_of_the_dead(), 1);
    }
    // Empty houses cannot be sown.
    let script = Script::with("");
    let launch = Launch { timeout: LONG, ..script.launch() };
    let interrupt = AtomicBool::new(false);
    let start: Position = "0-1-0-0-0-0-0-0-0-0-0-2-20-25-S".parse().expect("a position");
    let answer = Driver::new(&launch, &interrupt)
        .ask(&Game::new(&ABAPA, start), &Setup::at(start), &Go { depth: Some(1), ..Go::default() })
        .expect("an answer");
    assert_eq!(answer, Attempt::Illegal { said: "A".to_owned() });
}

#[test]
fn no_move_is_an_answer_if_there_is_none() {
    for said in ["(none)", "0000"] {
        let script = Script::with(&format!(r#"go*) echo "bestmove {said}" ;;"#));
        let launch = Launch { timeout: LONG, ..script.launch() };
        let interrupt = AtomicBool::new(false);
        let start: Position = "0-0-0-0-0-0-0-0-0-0-0-2-20-25-S".parse().expect("a position");
        let go = Go { depth: Some(1), ..Go::default() };
        let answer = Driver::new(&launch, &interrupt)
            .ask(&Game::new(&ABAPA, start), &Setup::at(start), &go)
            .expect("an answer");
        assert_eq!(answer, Attempt::NoMove);
    }
}

/// Programs differ in whether a position with an empty row counts that comes back.
#[test]
fn the_end_by_another_rule_is_no_illegal_move() {
    let start = "0-0-0-0-0-1-0-0-0-0-0-1-23-23-S moves FfAaBbCcDdEeF";
    let setup: Setup = start.parse().expect("a position with moves");
    let game = setup.game(&ABAPA).expect("legal moves");
    let came_back = game.history().repeats().next().is_some();
    assert!(came_back && game.over().is_none(), "{}", game.position());
    let script = Script::with(r#"go*) echo "bestmove 0000" ;;"#);
    let launch = Launch { timeout: LONG, ..script.launch() };
    let interrupt = AtomicBool::new(false);
    let go = Go { depth: Some(1), ..Go::default() };
    let answer = Driver::new(&launch, &interrupt).ask(&game, &setup, &go).expect("an answer");
    assert_eq!(answer, Attempt::ClaimsEnd);
}

#[test]
fn garbage_is_told_and_skipped() {
    let garbled = Script::with(r#"go*) echo "bestmove G7" ;;"#);
    let launch = Launch { timeout: LONG, ..garbled.launch() };
    assert_eq!(answers(&launch, 1), [Attempt::Garbled { said: "bestmove G7".to_owned() }]);
    let noisy =
        Script::with(r#"go*) printf 'best\377move \0 A\n\nmove bestmove C\nbestmove B\n' ;;"#);
    assert_eq!(house(&answers(&Launch { timeout: LONG, ..noisy.launch() }, 1)[0]), 'B');
}

#[test]
fn endless_output_is_not_read_without_end() {
    for endless in ["yes | tr -d '\\n'", "yes", "yes 'info depth 1'"] {
        let script = Script::with(&format!("go*) {endless} ;;"));
        let launch = Launch { timeout: LONG, ..script.launch() };
        let before = resident();
        assert_eq!(answers(&launch, 2), [Attempt::Flooded, Attempt::GaveUp], "{endless}");
        // What waits to be read: at most 64 lines.
        assert!(resident() < before + (64 << 20), "{} bytes more", resident() - before);
        assert_eq!(script.starts_of_the_dead(), 1);
    }
}

/// Bytes of memory that this process holds, other tests included.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|count| count.parse::<u64>().ok()).unwrap_or(0) << 10
}

#[test]
fn an_engine_that_only_talks_does_not_block_us() {
    let script = Script::new("while :; do echo 'readyok'; echo uciok; echo 'bestmove A'; done");
    let launch = Launch { timeout: LONG, ..script.launch() };
    let found = answers(&launch, 500);
    assert!(found.iter().all(|answer| house(answer) == 'A'));
    assert_eq!(script.starts_of_the_dead(), 1);
}

#[test]
fn closed_output_is_an_end() {
    let script = Script::with("go*) exec 1>&-; sleep 1000 ;;");
    let launch = Launch { timeout: LONG, ..script.launch() };
    let found = answers(&launch, 1);
    assert_eq!(found, [Attempt::Crashed { how: "it closed its output".to_owned() }]);
    assert_eq!(script.starts_of_the_dead(), 1);
}

#[test]
fn who_ignores_quit_is_killed() {
    let script = Script::with("quit) trap '' TERM INT HUP; sleep 1000; sleep 1000 ;;");
    let launch = Launch { timeout: LONG, ..script.launch() };
    assert_eq!(house(&answers(&launch, 1)[0]), 'A');
    assert_eq!(script.starts_of_the_dead(), 1);
}

/// A wrapper's children are in its group.
#[test]
fn the_children_of_a_wrapper_die_with_it() {
    let inner = Script::with("quit) sleep 1000 ;;");
    let path = inner.dir.path().join("engine.sh");
    let outer = Script::new(&format!("sh '{}'; true", path.display()));
    let launch = Launch { timeout: LONG, ..outer.launch() };
    assert_eq!(house(&answers(&launch, 1)[0]), 'A');
    assert_eq!((inner.starts_of_the_dead(), outer.starts_of_the_dead()), (1, 1));
}

/// Who is late, and then stops, goes on, whether or not its own answer was under way already.
#[test]
fn late_answers_do_not_spoil_the_next_position() {
    let answered = |late: &str| {
        let script = Script::with(&format!(
            r#"go*) n=$((n + 1)); [ $n = 2 ] || echo "bestmove A" ;; stop) {late} ;;"#
        ));
        let launch = Launch { timeout: Duration::from_secs(2), ..script.launch() };
        let found = answers(&launch, 3);
        assert_eq!((house(&found[0]), &found[1], house(&found[2])), ('A', &Attempt::TimedOut, 'A'));
        assert_eq!(script.starts_of_the_dead(), 1);
    };
    std::thread::scope(|scope| {
        scope.spawn(|| answered(r#"echo "bestmove F""#));
        scope.spawn(|| answered(r#"echo "bestmove F"; echo "bestmove E""#));
    });
}

#[test]
fn interruption_ends_it() {
    let script = Script::with("go*) ;;");
    let launch = Launch { timeout: LONG, ..script.launch() };
    let interrupt = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(SHORT);
            interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let mut driver = Driver::new(&launch, &interrupt);
        let game = Game::new(&ABAPA, Position::INITIAL);
        let asked = driver.ask(
            &game,
            &Setup::at(Position::INITIAL),
            &Go { depth: Some(1), ..Go::default() },
        );
        assert!(matches!(asked, Err(Error::Stopped)));
    });
    assert_eq!(script.starts_of_the_dead(), 1);
}

#[test]
fn programs_that_are_not_there_are_our_callers_mistake() {
    assert!(matches!(Launch::new("  "), Err(Error::Usage(_))));
    assert!(matches!(Launch::new("an 'open quote"), Err(Error::Usage(_))));
    let interrupt = AtomicBool::new(false);
    let game = Game::new(&ABAPA, Position::INITIAL);
    let asked = |launch: &Launch| {
        Driver::new(launch, &interrupt)
            .ask(&game, &Setup::at(Position::INITIAL), &Go::default())
            .expect_err("no program")
    };
    let nowhere = Launch::new("/nowhere/engine").expect("a command");
    assert!(asked(&nowhere).to_string().contains("/nowhere/engine"));
    let nowhere = Launch { guard: guard(), ..nowhere };
    if cfg!(target_os = "linux") {
        assert!(asked(&nowhere).to_string().contains("/nowhere/engine"), "{}", asked(&nowhere));
    }
}

fn guard() -> Vec<String> {
    let program = cargo_bin("oware");
    vec![path_text(&program), "--guard".to_owned(), std::process::id().to_string()]
}

fn path_text(path: &Path) -> String {
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
#[cfg(target_os = "linux")]
fn a_guarded_engine_is_the_same() {
    let script = Script::with("");
    let launch = Launch { timeout: LONG, guard: guard(), ..script.launch() };
    assert_eq!(house(&answers(&launch, 1)[0]), 'A');
    assert_eq!(script.starts_of_the_dead(), 1);
}
