//! The engines' protocol: what it looks like, and that it can be read again.

use std::time::Duration;

use oware_db::engine::protocol::{Best, Clock, Command, Go, Info, OptionKind, Reply, Setup};
use oware_db::error::Error;
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

fn clock() -> impl Strategy<Value = Clock> {
    let time = || option::of((0..1_000_000u64).prop_map(Duration::from_millis));
    (time(), time(), time(), time(), option::of(any::<u32>())).prop_map(
        |(south, north, south_increment, north_increment, moves)| Clock {
            south,
            north,
            south_increment,
            north_increment,
            moves,
        },
    )
}

fn command() -> impl Strategy<Value = Command> {
    let milliseconds = (0..1_000_000u64).prop_map(Duration::from_millis);
    let go = (
        option::of(any::<u32>()),
        option::of(milliseconds),
        option::of(any::<u64>()),
        any::<[bool; 2]>(),
        clock(),
        vec(ply(), 0..6),
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
        Just(Command::PonderHit),
        go.prop_map(
            |(depth, movetime, nodes, [infinite, ponder], clock, searchmoves)| Command::Go(Go {
                depth,
                movetime,
                nodes,
                infinite,
                ponder,
                clock,
                searchmoves
            })
        ),
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
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        Just(OptionKind::Other("button".to_owned())),
    ];
    let time = option::of((0..1_000_000u64).prop_map(Duration::from_millis));
    let counts =
        (option::of(any::<u32>()), option::of(any::<i32>()), option::of(any::<u64>()), time);
    let rest = (option::of(any::<u64>()), vec(ply(), 0..9), option::of(words()));
    let more = (any::<[Option<u32>; 3]>(), option::of(any::<u64>()));
    prop_oneof![
        words().prop_map(Reply::Name),
        words().prop_map(Reply::Author),
        (words(), kind).prop_map(|(name, kind)| Reply::Option { name, kind }),
        Just(Reply::UciOk),
        Just(Reply::ReadyOk),
        (option::of(ply()), option::of(ply()))
            .prop_map(|(ply, ponder)| Reply::BestMove(Best { ply, ponder })),
        (counts, rest, more).prop_map(
            |((depth, score, nodes, time), (tbhits, pv, string), (small, nps))| {
                let [seldepth, multipv, hashfull] = small;
                Reply::Info(Info {
                    depth,
                    seldepth,
                    multipv,
                    score,
                    nodes,
                    nps,
                    time,
                    tbhits,
                    hashfull,
                    pv,
                    string,
                })
            }
        ),
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
    let searchmoves =
        "ACb".chars().map(|letter| Ply::from_letter(letter).expect("a move")).collect();
    assert_eq!(
        go("go ponder searchmoves A Cb depth 5"),
        Command::Go(Go { depth: Some(5), ponder: true, searchmoves, ..Go::default() })
    );
    for text in ["go searchmoves", "go searchmoves depth 5", "go searchmoves H"] {
        assert!(matches!(Command::parse(text), Err(Error::Usage(_))), "{text}");
    }
    let milliseconds = |count| Some(Duration::from_millis(count));
    let clock = Clock {
        south: milliseconds(100),
        north: milliseconds(0),
        south_increment: milliseconds(7),
        north_increment: None,
        moves: Some(20),
    };
    assert_eq!(
        go("go wtime 100 btime -30 winc 7 movestogo 20 infinite"),
        Command::Go(Go { infinite: true, clock, ..Go::default() })
    );
    assert_eq!(clock.of(Seat::South), milliseconds(100).zip(milliseconds(7)));
    assert_eq!(clock.of(Seat::North), milliseconds(0).zip(milliseconds(0)));
    assert_eq!(Clock::default().of(Seat::North), None);
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
        "go wtime",
        "go winc x",
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
    // No move, in the protocol's words and in those of other programs.
    for none in ["bestmove 0000", "bestmove (none)", "bestmove 0000 ponder A"] {
        let Ok(Some(Reply::BestMove(best))) = Reply::parse(none) else { panic!("{none}") };
        assert_eq!((best.ply, best.to_string().split(' ').next()), (None, Some("0000")));
    }
    // A line of play as one word or as several.
    let line = |text| match Reply::parse(text) {
        Ok(Some(Reply::Info(info))) => info,
        other => panic!("{other:?}"),
    };
    assert_eq!(line("info pv FfEaC"), line("info pv F f E a C"));
    assert_eq!(line("info pv F f E a C").to_string(), " pv FfEaC");
    let empty = "option name TablesPath type string default <empty>";
    let Some(read) = Reply::parse(empty).expect("readable") else { panic!("no option") };
    assert_eq!(read.to_string(), empty);
    assert!(matches!(
        read,
        Reply::Option { kind: OptionKind::Text { default }, .. } if default.is_empty()
    ));
}

/// What has been captured may be left open, with twelve numbers.
#[test]
fn stores_that_are_not_known_stay_unknown() {
    let Some(Command::Position(setup)) = read("position fen 0 0 1 0 1 0 0 0 0 0 0 1 moves C")
    else {
        panic!("no position")
    };
    assert_eq!(setup.start.stores, None);
    assert_eq!(read(&Command::Position(setup.clone()).to_string()), Some(Command::Position(setup)));
}

#[test]
fn the_keyword_is_told_of_what_cannot_be_read() {
    assert_eq!(Command::keyword("please go depth x"), Some("go"));
    assert_eq!(Command::keyword("position nowhere"), Some("position"));
    assert_eq!(Command::keyword("hello"), None);
}
