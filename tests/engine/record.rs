//! Games as text: every feature of the reader on a file written by hand, and what is written reads
//! as what it was.

use oware_db::error::Error;
use oware_db::game::record::{
    Annotation, CaptureMark, LONGEST_GAME, LONGEST_LINE, Reader, Record, RecordedMove, Tag,
};
use oware_db::game::{ABAPA, Board, House, Ply, Position, Seat, Stores};
use proptest::collection::vec;
use proptest::prelude::*;

fn read(text: &str) -> Vec<oware_db::error::Result<Record>> {
    Reader::new(text.as_bytes()).collect()
}

fn letters(record: &Record) -> String {
    record.moves.iter().map(|played| played.ply.to_string()).collect()
}

fn said(annotations: &[Annotation]) -> String {
    annotations.iter().map(Annotation::to_string).collect::<Vec<_>>().join(" ")
}

fn tags(record: &Record) -> Vec<(&str, &str)> {
    record.tags.iter().map(|tag| (tag.name.as_str(), tag.value.as_str())).collect()
}

/// Tags and moves by turns are read in a loop: the stack does not grow with them.
#[test]
fn a_line_may_have_as_many_tags_as_fit() {
    let piece = "[A \"\"]a";
    let games = read(&piece.repeat(LONGEST_LINE / piece.len()));
    assert_eq!(games.len(), LONGEST_LINE / piece.len());
    assert!(games.iter().all(|game| letters(game.as_ref().unwrap()) == "a"), "{:?}", games[0]);
}

/// Numbers below tags are moves of their game, and begin no other.
#[test]
fn numbers_below_tags_are_of_their_game() {
    let tags = "[FEN \"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\"]\n\n";
    for (moves, expected) in [("4 0 5", "EaF"), ("4, 0, 5", "EaF")] {
        let games = read(&format!("{tags}{moves}\n"));
        assert_eq!(games.len(), 1, "{moves}");
        assert!(games[0].as_ref().is_ok_and(|game| letters(game) == expected), "{:?}", games[0]);
    }
}

#[test]
fn every_feature_in_one_file() {
    let games = read(include_str!("../data/games.ogn"));
    let outlines: Vec<String> = games
        .iter()
        .map(|game| match game {
            Ok(record) => format!("{} {}", letters(record), record.result),
            Err(Error::Record { game, line, .. }) => format!("game {game}, line {line}"),
            Err(error) => panic!("{error}"),
        })
        .collect();
    assert_eq!(
        outlines,
        [
            "FfEeDdAaBb 25-23",
            "a *",
            " *",
            "A 1-0",
            "aA 1/2-1/2",
            "EaF *",
            "FfEe *",
            "game 8, line 26",
            "game 9, line 31",
            "game 10, line 33",
            "game 11, line 36",
            " *",
            "Aa *",
        ]
    );
    let first = games[0].as_ref().unwrap();
    assert_eq!(
        tags(first),
        [
            ("Event", "first"),
            ("Site", "here \"and\" there \\"),
            ("Round", "1"),
            ("Variant", "Abapa"),
            ("South", "A"),
            ("North", "B"),
            ("Result", "25-23")
        ]
    );
    assert_eq!((first.sheet(), first.tag("south")), (Some(&ABAPA), Some("A")));
    assert_eq!(first.start, Position::INITIAL);
    assert_eq!(said(&first.preface), "{before the first move}");
    let annotations: Vec<String> =
        first.moves.iter().map(|played| said(&played.annotations)).collect();
    assert_eq!(
        annotations[..6],
        [
            "",
            "{a comment over two lines}",
            "?! (2. D d (2... e {a} e) 3. A {to the end )})",
            "!! $4",
            "{of North's next: ) d}",
            ""
        ]
    );
    let second = games[1].as_ref().unwrap();
    assert_eq!(
        (second.start.seat, second.start.stores),
        (Seat::North, Some(Stores { mover: 21, opponent: 20 }))
    );
    assert!(games[3].as_ref().unwrap().moves[0].comments().eq(["said after the end"]));
    let plain = games[5].as_ref().unwrap();
    assert_eq!(plain.start.board, Board::new([0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 3, 0]).unwrap());
    assert_eq!(tags(plain), [("FEN", "0-0-0-0-1-2-1-0-0-0-3-0-0-0-S")]);
}

#[test]
fn mistakes_say_what_to_do() {
    for (text, part) in [
        ("[Event]\n\nA", "line 1: what begins with `[` is a tag, as in `[South"),
        ("1. A {no end\na b\n", "line 1: a comment is opened by `{` and never closed; add the"),
        ("1. A\n(2. a (b) C", "line 2: `(` is opened and never closed; add `)`"),
        ("A a) B", "line 1: `)` without `(`"),
        ("A\nH", "line 2: `H` is not a move; South's are A to F"),
        ("[FEN \"4 4\"]\n\nA", "line 1: not a position: it has 2 numbers"),
        ("4 4 moves A", "not a position: it has 2 numbers"),
    ] {
        let message = read(text)[0].as_ref().unwrap_err().to_string();
        assert!(message.starts_with("game 1, ") && message.contains(part), "{message}");
    }
}

#[test]
fn what_is_too_long_is_refused_and_the_next_game_read() {
    let line =
        format!("[Event \"{}\"]\n\n1. A *\n[Event \"next\"]\n\n1. B *\n", "x".repeat(LONGEST_LINE));
    let games = read(&line);
    assert!(games[0].as_ref().unwrap_err().to_string().contains("the line is longer"));
    assert_eq!((games.len(), letters(games[1].as_ref().unwrap())), (2, "B".to_owned()));
    for endless in ["A a\n", "{", "{ a comment }\n", "# a remark\n"] {
        let long =
            format!("[Event \"long\"]\n\n{}", endless.repeat(LONGEST_GAME / endless.len() + 2));
        let text = if endless == "{" {
            long.replace("\n\n{", "\n\n{\n").replace("{{{{", "{{\n{")
        } else {
            long
        };
        let games = read(&(text + "}\n[Event \"next\"]\n\n1. B *\n"));
        assert!(
            games[0].as_ref().unwrap_err().to_string().contains("the game is longer"),
            "{endless}"
        );
        assert_eq!(
            (games.len(), letters(games[1].as_ref().unwrap())),
            (2, "B".to_owned()),
            "{endless}"
        );
    }
}

#[test]
fn lines_end_in_any_way_and_bytes_may_be_no_text() {
    let games = read("[Event \"a\"]\r\n\r\n1. A a\r\n1-0\r\n");
    assert_eq!((games.len(), letters(games[0].as_ref().unwrap())), (1, "Aa".to_owned()));
    let mut reader = Reader::new(&b"1. A {\xff\xfe} a *\n\xff\n"[..]);
    assert_eq!(letters(&reader.next().unwrap().unwrap()), "Aa");
    assert!(reader.next().unwrap().is_err());
    assert!(reader.next().is_none());
    assert!(read("").is_empty() && read("\n\n# nothing\n").is_empty());
}

/// As Aualé saves a game: captures as numbers, comments between spaces, `?` for what is not known.
#[test]
fn games_of_auale_are_read() {
    let text = "\u{feff}[Variant \"Abapa\"]\r\n[Event \"?\"]\r\n[South \"?\"]\r\n\
                [Annotator \"an unknown tag\"]\r\n[Result \"26-22\"]\r\n\r\n\
                1. F f 2. E d+2 { two seeds } 3. F+2 c $1 (3... b (4. A) { x } b) 4. A e+10\r\n\
                26-22\r\n";
    let games = read(text);
    assert_eq!(games.len(), 1);
    let game = games[0].as_ref().unwrap();
    assert_eq!((letters(game).as_str(), game.result.as_str()), ("FfEdFcAe", "26-22"));
    assert!(game.moves[3].comments().eq(["two seeds"]));
    assert_eq!(said(&game.moves[5].annotations), "$1 (3... b (4. A) {x} b)");
    assert_eq!((game.tag("Annotator"), game.sheet()), (Some("an unknown tag"), Some(&ABAPA)));
}

#[test]
fn captures_are_written_in_either_form_and_read_again() {
    let game = read("1-0-0-0-0-1-1-0-0-0-0-3-20-22-S moves F f A").remove(0).unwrap();
    let plus = game.with_captures(&ABAPA, CaptureMark::Plus).to_string();
    let cross = game.with_captures(&ABAPA, CaptureMark::Cross).to_string();
    assert!(plus.contains("1. F+2 f") && cross.contains("1. Fx2 f"), "{plus}{cross}");
    for written in [plus, cross] {
        let again = read(&written).remove(0).unwrap();
        assert_eq!(again.moves[0].captured, Some(2));
        assert_eq!(again.without_captures(), game);
    }
}

/// Blank lines between the tags do not end them; a name that comes again does.
#[test]
fn blank_lines_between_tags_leave_one_game() {
    let text = "[South \"Ann\"]\n\n[FEN \"1-1-3-1-1-1-2-0-0-0-0-2-17-19-S\"]\n[North \"Ben\"]\n\n\n\
                [Site \"x\"]\n1. F f 1-0\n\n[South \"Cem\"]\n\n[south \"Dee\"]\n\nA";
    let games: Vec<Record> = read(text).into_iter().map(|game| game.unwrap()).collect();
    assert_eq!(games.len(), 3);
    assert_eq!((games[0].tag("South"), games[0].tag("North")), (Some("Ann"), Some("Ben")));
    assert_eq!((letters(&games[0]).as_str(), games[0].tag("Site")), ("Ff", Some("x")));
    assert_eq!(games[0].start.board.seeds().get(), 12);
    assert_eq!((games[1].tag("South"), letters(&games[1]).as_str()), (Some("Cem"), ""));
    assert_eq!((games[2].tag("South"), letters(&games[2]).as_str()), (Some("Dee"), "A"));
}

/// Tags, moves and results may share a line in any order.
#[test]
fn games_glued_together_are_read_apart() {
    let text = "[South \"Ann\"]\n\n1. F f 1-0[South \"Cem\"]\n[North \"[b\"] 1. B *[South \"Dee\"] A a\
                [South \"Eve\"]\nB {[no tag]} (1. [x] C) b";
    let games: Vec<Record> = read(text).into_iter().map(|game| game.unwrap()).collect();
    let found: Vec<(&str, String, &str)> = games
        .iter()
        .map(|game| (game.tag("South").unwrap(), letters(game), game.result.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("Ann", "Ff".to_owned(), "1-0"),
            ("Cem", "B".to_owned(), "*"),
            ("Dee", "Aa".to_owned(), "*"),
            ("Eve", "Bb".to_owned(), "*"),
        ]
    );
    assert_eq!(games[1].tag("North"), Some("[b"));
}

/// A comment cannot say the brace that is missing.
#[test]
fn an_unclosed_comment_names_its_brace() {
    let mut reader = Reader::new(&b"1. F {unclosed f 1-0\n"[..]);
    let error = reader.next().unwrap().unwrap_err().to_string();
    assert!(error.ends_with("a comment is opened by `{` and never closed; add the closing brace"));
    assert!(reader.refused().contains("never closed; add the closing brace}"));
    assert!(!reader.refused().contains(")"), "{}", reader.refused());
}

/// Numbers are moves where there are no letters, else numbers of moves.
#[test]
fn moves_as_numbers_are_read() {
    for (text, expected) in [
        ("1. 5 5 2. 1 2 *", "FfBc"),
        ("1. 5 11 2. 1 8", "FfBc"),
        ("5\n5\n1\n2\n", "FfBc"),
        ("5, 5, 1, 2\n", "FfBc"),
        ("[Event \"x\"]\n\n5 {good} 5 1 2", "FfBc"),
        ("1. 64 64\n2. 21 32", "FfBc"),
        ("- 64 64", "?"),
        ("1. f1d2 a2d1 2. b1a2 d2b1", "FfBc"),
        ("1 F f 2 B c", "FfBc"),
        ("1. 5 *", "F"),
        ("1 *", ""),
        ("1. 5 12", "?"),
        ("1. 6 *", "?"),
    ] {
        let games = read(text);
        let found = games[0].as_ref().map_or("?".to_owned(), letters);
        assert_eq!((games.len(), found.as_str()), (1, expected), "{text}");
    }
    let said = read("5 {good} 0").remove(0).unwrap();
    assert!(said.moves[0].comments().eq(["good"]));
    let histories = read("5, 5, 1\n3, 0\n");
    let found: Vec<String> = histories.iter().map(|game| letters(game.as_ref().unwrap())).collect();
    assert_eq!(found, ["FfB", "Da"]);
}

#[test]
fn byte_order_marks_stand_before_any_file() {
    let text = "\u{feff}[South \"Ann\"]\n1. F f *\n\u{feff}[South \"Ben\"]\nA *\n\u{feff}startpos moves F\n";
    let found: Vec<String> =
        read(text).iter().map(|game| letters(game.as_ref().unwrap())).collect();
    assert_eq!(found, ["Ff", "A", "F"]);
}

/// A game without a result behind its moves has the one of its tag, if that is a result.
#[test]
fn the_result_may_stand_in_the_tag_alone() {
    for (text, result) in [
        ("[Result \"26-22\"]\n\nA a", "26-22"),
        ("[result \" 1/2-1/2 \"]\n\nA a", "1/2-1/2"),
        ("[Result \"0-1\"]\n\nA a *", "*"),
        ("[Result \"?\"]\n\nA a", "*"),
        ("[Result \"abandoned\"]\n\nA a", "*"),
    ] {
        assert_eq!(read(text)[0].as_ref().unwrap().result, result, "{text}");
    }
}

/// Everything that stands behind a move comes back in its place, but for spaces, and whether a
/// comment went to the end of its line.
#[test]
fn annotations_are_written_where_they_were() {
    let text = "[South \"A\"]\n\n{first} 1. A!? $3 {one} (1. B b (1... c {why} 2. D) 2. C) \
                {two} (1. F) 1... a $4 2. B (2. C ; to the end\n) *";
    let game = read(text).remove(0).unwrap();
    let expected = text.replace("; to the end\n)", "{to the end})").replace("\n\n", " ");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(&game.to_string()), expected);
    assert!(game.moves[0].comments().eq(["one", "two"]));
    assert_eq!(game.with_captures(&ABAPA, CaptureMark::Plus).to_string(), game.to_string());
}

/// What was there before comes back, with one comment more, and with no second one the second time.
#[test]
fn the_text_of_a_game_that_cannot_be_read_is_kept() {
    for (text, kept) in [
        ("[Event \"x\"]\n\n1. A a 2. G b\n# c\n3. C\n0-1", "2. G {oware: `G` is not a move"),
        (
            "1. A a\n2. B {no end\na b",
            "1. A a {oware: a comment is opened by `{` and never closed; add the closing brace}\n2.",
        ),
        ("{no end", "{oware: a comment is opened"),
        ("[Event x]\n\n1. A a *", "1. A {oware: what begins"),
        ("1 2 moves A", "1 2 moves A {oware: not a position"),
        ("A 1-0 X B", "X {oware: `X` is not a move; South's are A to F, North's a to f} B"),
    ] {
        let mut reader = Reader::new(text.as_bytes());
        while reader.next().expect("a game").is_ok() {
            assert_eq!(reader.refused(), "");
        }
        let refused = reader.refused().to_owned();
        assert!(refused.contains(kept), "{refused}");
        let comment = refused.find("{oware").unwrap();
        let after = comment + refused[comment..].find('}').unwrap() + 1;
        let without = [refused[..comment].trim_end_matches(' '), &refused[after..]].concat();
        assert!(text.ends_with(without.trim()), "{without}");
        let mut again = Reader::new(refused.as_bytes());
        if again.next().expect("a game").is_err() {
            assert_eq!(again.refused(), refused);
        }
    }
}

/// A word that may stand in a comment.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => proptest::string::string_regex("[a-zA-Z0-9.,;:()\\[\\]{\"\\\\%#*!?+-]{1,12}").unwrap(),
        1 => Just("moves".to_owned()),
        1 => Just("½".to_owned()),
        1 => Just("oware:".to_owned()),
    ]
}

fn comment() -> impl Strategy<Value = Annotation> {
    vec(word(), 1..20).prop_map(|words| Annotation::Comment(words.join(" ")))
}

fn glyph() -> impl Strategy<Value = Annotation> {
    proptest::sample::select(vec!["!", "?", "!?", "??", "$1", "$142"])
        .prop_map(|glyph| Annotation::Glyph(glyph.to_owned()))
}

/// Variations inside variations, with all that may stand in them.
fn variation() -> impl Strategy<Value = Annotation> {
    let moves = proptest::sample::select(vec!["1. A", "b!?", "3... Fx2", "24-24", "moves", "G"])
        .prop_map(str::to_owned);
    let said = prop_oneof![comment(), glyph()].prop_map(|said| said.to_string());
    let inner = vec(prop_oneof![2 => moves, 1 => said], 0..5).prop_map(|words| words.join(" "));
    let nested = inner.prop_recursive(3, 24, 4, |inner| {
        vec(inner, 1..4).prop_map(|parts| {
            let parts: Vec<String> = parts.into_iter().map(|part| format!("({part})")).collect();
            format!("A {}", parts.join(" "))
        })
    });
    nested.prop_map(|text| Annotation::Variation(format!("({text})")))
}

fn annotations() -> impl Strategy<Value = Vec<Annotation>> {
    let some = prop_oneof![2 => comment(), 1 => glyph(), 1 => variation()];
    prop_oneof![3 => Just(Vec::new()), 1 => vec(some, 1..4)]
}

fn moves() -> impl Strategy<Value = Vec<RecordedMove>> {
    let ply = (any::<bool>(), 0..6usize).prop_map(|(south, house)| Ply {
        seat: if south { Seat::South } else { Seat::North },
        house: House::ALL[house],
    });
    let captured = proptest::option::weighted(0.2, 0..49u8);
    let annotated = (ply, captured, annotations())
        .prop_map(|(ply, captured, annotations)| RecordedMove { ply, captured, annotations });
    vec(annotated, 0..80)
}

fn tag() -> impl Strategy<Value = Tag> {
    let value = proptest::string::string_regex("[ -~½]{0,30}").unwrap();
    ("[A-Z][A-Za-z]{0,9}", value)
        .prop_filter("a position has its own", |(name, _)| !name.eq_ignore_ascii_case("FEN"))
        .prop_map(|(name, value)| Tag { name, value })
}

fn start() -> impl Strategy<Value = Position> {
    (vec(0..4u8, 12), 0..6u8, 0..6u8, any::<bool>()).prop_map(|(houses, mover, opponent, south)| {
        Position {
            board: Board::new(houses.try_into().unwrap()).unwrap(),
            stores: Some(Stores { mover, opponent }),
            seat: if south { Seat::South } else { Seat::North },
        }
    })
}

fn record() -> impl Strategy<Value = Record> {
    let result =
        proptest::sample::select(vec!["*", "1-0", "0-1", "1/2-1/2", "½-½", "25-23", "24-24"]);
    (vec(tag(), 0..5), proptest::option::of(start()), annotations(), moves(), result).prop_map(
        |(mut tags, start, preface, moves, result)| {
            tags.extend(
                start.map(|start| Tag { name: "FEN".to_owned(), value: start.to_string() }),
            );
            let start = start.unwrap_or(Position::INITIAL);
            Record { tags, start, preface, moves, result: result.to_owned() }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_written_reads_as_what_it_was(mut records in vec(record(), 1..4)) {
        // What comes after a result belongs to the game before, unless tags or moves begin another.
        for record in records.iter_mut().skip(1).filter(|record| record.tags.is_empty()) {
            record.tags.push(Tag { name: "Event".to_owned(), value: String::new() });
        }
        let text: String = records.iter().map(|record| format!("{record}\n")).collect();
        let found: Vec<Record> = read(&text).into_iter().map(|game| game.unwrap()).collect();
        prop_assert_eq!(&found, &records, "{}", text);
        for line in text.lines().filter(|line| !line.starts_with('[')) {
            prop_assert!(line.chars().count() <= 80);
        }
    }

    #[test]
    fn the_plain_form_reads_as_the_other(
        start in start(),
        moves in moves(),
        spaces in any::<bool>(),
    ) {
        let moves: Vec<RecordedMove> =
            moves.into_iter().map(|played| RecordedMove::new(played.ply)).collect();
        let letters: Vec<String> = moves.iter().map(|played| played.ply.to_string()).collect();
        let line = format!("{start} moves {}\n", letters.join(if spaces { " " } else { "" }));
        let tags = vec![Tag { name: "FEN".to_owned(), value: start.to_string() }];
        let expected = Record { tags, start, preface: Vec::new(), moves, result: "*".to_owned() };
        prop_assert_eq!(read(&line).remove(0).unwrap(), expected);
    }
}
