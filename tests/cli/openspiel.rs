//! The moves of tournament Oware against OpenSpiel's referee: thousands of positions rich in laps,
//! feeding and grand slams, through the library and through the command.

use std::io::{BufRead, BufReader};

use assert_cmd::Command;
use flate2::read::GzDecoder;
use oware_db::game::{ABAPA, Board, Move, legal_moves};
use serde::Deserialize;
use serde_json::{Value, json};

/// A position with all its moves: house, seeds captured, resulting board.
#[derive(Deserialize)]
struct Fact {
    board: [u8; 12],
    moves: Vec<(usize, u8, [u8; 12])>,
}

fn facts() -> Vec<Fact> {
    let packed = include_bytes!("../data/openspiel-moves.jsonl.gz");
    let lines = BufReader::new(GzDecoder::new(&packed[..])).lines().map(|line| line.expect("text"));
    let facts: Vec<Fact> = lines
        .filter(|line| !line.starts_with('#'))
        .map(|line| serde_json::from_str(&line).expect("a fact"))
        .collect();
    assert!(facts.len() > 8000, "only {} facts", facts.len());
    facts
}

#[test]
fn the_library_knows_the_same_moves() {
    for fact in facts() {
        let board = Board::new(fact.board).expect("a board");
        let as_listed = |each: Move| (each.house.index(), each.captured, each.next.houses());
        let moves: Vec<_> = legal_moves(&ABAPA, &board).iter().map(as_listed).collect();
        assert_eq!(moves, fact.moves, "{board}");
    }
}

#[test]
fn the_command_answers_a_batch_alike() {
    let facts = facts();
    let text = |fact: &Fact| fact.board.map(|count| count.to_string()).join(" ") + "\n";
    let input: String = facts.iter().map(text).collect();
    let mut oware = Command::cargo_bin("oware").expect("the binary");
    let output =
        oware.args(["moves", "--rules", "abapa", "--batch"]).write_stdin(input).assert().success();
    let answers = String::from_utf8(output.get_output().stdout.clone()).expect("text");
    assert_eq!(answers.lines().count(), facts.len());
    for (answer, fact) in answers.lines().zip(&facts) {
        assert_eq!(serde_json::from_str::<Value>(answer).expect("JSON"), expected(fact));
    }
}

/// The whole answer that the command owes for a position.
fn expected(fact: &Fact) -> Value {
    let moves: Vec<Value> = fact
        .moves
        .iter()
        .map(|(house, captured, board)| {
            let house = &"ABCDEF"[*house..=*house];
            json!({"house": house, "captured": captured, "board": board})
        })
        .collect();
    let sum = |row: &[u8]| row.iter().map(|&count| i64::from(count)).sum::<i64>();
    let (own, other) = (sum(&fact.board[..6]), sum(&fact.board[6..]));
    let mut answer = json!({"board": fact.board, "seeds": own + other, "moves": moves});
    if fact.moves.is_empty() {
        answer["final"] = json!(own - other);
    }
    answer
}
