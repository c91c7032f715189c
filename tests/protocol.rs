//! The engines' protocol: what it looks like, and that it can be read again.

use std::time::Duration;

use oware_db::engine::protocol::{Best, Command, Go, Info, OptionKind, Reply, Setup};
use oware_db::game::{Board, House, Ply, Position, Seat, Stores};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn ply() -> impl Strategy<Value = Ply> {
    (0..2usize, 0..6usize)
        .prop_map(|(seat, house)| Ply { seat: Seat::BOTH[seat], house: House::ALL[house] })
}

fn start() -> impl Strategy<Value = Position> {
    let houses = (prop::array::uniform12(0..5u8), 0..2usize, any::<[u8; 2]>());
    houses.prop_map(|(houses, seat, stores)| {
        let board = Board::new(houses).expect("at most 48 seeds");
        let left = 48 - board.seeds().get() as u8;
        let mover = stores[0] % (left + 1);
        let opponent = stores[1] % (left - mover + 1);
        Position { board, stores: Some(Stores { mover, opponent }), seat: Seat::BOTH[seat] }
    })
}

/// Words that are no words of the protocol.
fn words() -> impl Strategy<Value = String> {
    vec("[G-Z/][a-z0-9/.]{0,8}", 1..4).prop_map(|words| words.join(" "))
}

fn command() -> impl Strategy<Value = Command> {
    let milliseconds = (0..1_000_000u64).prop_map(Duration::from_millis);
    let go = (
        option::of(any::<u32>()),
        option::of(milliseconds),
        option::of(any::<u64>()),
        any::<bool>(),
    );
    prop_oneof![
        Just(Command::Uci),
        Just(Command::IsReady),
        Just(Command::NewGame),
        Just(Command::Stop),
        Just(Command::Quit),
        (words(), option::of(words())).prop_map(|(name, value)| Command::SetOption { name, value }),
        (start(), vec(ply(), 0..30))
            .prop_map(|(start, moves)| Command::Position(Setup { start, moves })),
        go.prop_map(|(depth, movetime, nodes, infinite)| Command::Go(Go {
            depth,
            movetime,
            nodes,
            infinite
        })),
    ]
}

fn reply() -> impl Strategy<Value = Reply> {
    let kind = prop_oneof![
        any::<[i32; 3]>().prop_map(|[default, min, max]| OptionKind::Spin {
            default: default.into(),
            min: min.into(),
            max: max.into()
        }),
        prop_oneof![words(), Just(String::new())].prop_map(|default| OptionKind::Text { default }),
        (words(), vec("[G-Z]{1,5}", 0..4))
            .prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        Just(OptionKind::Other("button".to_owned())),
    ];
    let time = option::of((0..1_000_000u64).prop_map(Duration::from_millis));
    let counts =
        (option::of(any::<u32>()), option::of(any::<i32>()), option::of(any::<u64>()), time);
    let rest = (option::of(any::<u64>()), vec(ply(), 0..9), option::of(words()));
    prop_oneof![
        words().prop_map(Reply::Name),
        words().prop_map(Reply::Author),
        (words(), kind).prop_map(|(name, kind)| Reply::Option { name, kind }),
        Just(Reply::UciOk),
        Just(Reply::ReadyOk),
        (option::of(ply()), option::of(ply()))
            .prop_map(|(ply, ponder)| Reply::BestMove(Best { ply, ponder })),
        (counts, rest).prop_map(|((depth, score, nodes, time), (tbhits, pv, string))| Reply::Info(
            Info { depth, score, nodes, time, tbhits, pv, string }
        )),
    ]
}

proptest! {
    #[test]
    fn commands_come_back(command in command()) {
        let line = command.to_string();
        prop_assert_eq!(Command::parse(&line).unwrap(), Some(command));
        prop_assert!(!line.contains('\n'));
    }

    #[test]
    fn replies_come_back(reply in reply()) {
        let line = reply.to_string();
        prop_assert_eq!(Reply::parse(&line).unwrap(), Some(reply));
        prop_assert!(!line.contains('\n'));
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped(words in words(), command in command()) {
        prop_assert_eq!(Command::parse(&format!("{words} \t {command}  ")).unwrap(), Some(command));
    }
}

fn read(line: &str) -> Option<Command> {
    Command::parse(line).expect("readable")
}

#[test]
fn moves_may_be_run_together_or_spaced() {
    let together = read("position startpos moves FfBe").expect("a command");
    assert_eq!(read("position  startpos moves F f B e"), Some(together.clone()));
    assert_eq!(read("position startpos moves Ff Be"), Some(together.clone()));
    assert_eq!(together.to_string(), "position startpos moves FfBe");
    let north = read("position fen 1-0-0-0-0-0-0-0-0-0-0-2-20-25-N moves f").expect("a command");
    assert_eq!(north.to_string(), "position fen 1-0-0-0-0-0-0-0-0-0-0-2-20-25-N moves f");
}

#[test]
fn commands_as_people_type_them() {
    let go = |text| read(text).expect("a command");
    assert_eq!(go("go"), Command::Go(Go::default()));
    assert_eq!(
        go("go ponder depth 5 searchmoves A"),
        Command::Go(Go { depth: Some(5), ..Go::default() })
    );
    assert_eq!(
        go("go wtime 100 btime 100 infinite"),
        Command::Go(Go { infinite: true, ..Go::default() })
    );
    let option = |name: &str, value: Option<&str>| {
        Some(Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) })
    };
    assert_eq!(read("setoption name Clear Hash"), option("Clear Hash", None));
    assert_eq!(
        read("setoption name TablesPath value /a  b/c "),
        option("TablesPath", Some("/a  b/c"))
    );
    assert_eq!(read("setoption name TablesPath value"), option("TablesPath", Some("")));
    assert_eq!(read("hello there"), None);
    assert_eq!(read(""), None);
}

#[test]
fn what_cannot_be_read_is_an_error() {
    for line in [
        "position",
        "position somewhere",
        "position fen 1 2 3",
        "position startpos moves FG",
        "position fen 4-4-4-4-4-4-4-4-4-4-4-4-1-0-S",
        "go depth",
        "go depth x",
        "go movetime -5",
        "setoption",
        "setoption name",
        "setoption name value 3",
    ] {
        assert!(Command::parse(line).is_err(), "{line}");
    }
    assert!(Reply::parse("bestmove").is_err() && Reply::parse("bestmove G").is_err());
}

#[test]
fn replies_of_other_engines() {
    let info = "info depth 3 seldepth 9 score cp -12 lowerbound nodes 5 nps 100 hashfull 1 \
                pv AbC d currmove A";
    let Some(Reply::Info(info)) = Reply::parse(info).expect("readable") else { panic!("no info") };
    assert_eq!(
        (info.depth, info.score, info.nodes, info.pv.len()),
        (Some(3), Some(-12), Some(5), 4)
    );
    let best = Reply::parse("bestmove c ponder (none)").expect("readable");
    assert_eq!(best.map(|best| best.to_string()), Some("bestmove c".to_owned()));
    assert_eq!(Reply::parse("Segmentation fault").expect("readable"), None);
}
