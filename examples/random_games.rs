//! Writes games of random legal moves as OGN: something to try `oware verify --games` on.
//!
//! ```console
//! $ cargo run --release --example random_games -- 1000 1 > random.ogn
//! ```
//!
//! The first number says how many games, the second is the seed: the same games each time. Each
//! begins at the beginning and goes on until there is no move or a cycle is closed.

use std::io::{self, BufWriter, Write};

use oware_db::game::record::{Record, RecordedMove, Tag};
use oware_db::game::{ABAPA, Game, Ply, Position, Seat, legal_moves};
use oware_db::random::Dice;

fn main() -> io::Result<()> {
    let mut numbers = std::env::args()
        .skip(1)
        .map(|word| word.parse().expect("numbers: how many games, and a seed"));
    let (games, seed) = (numbers.next().unwrap_or(10), numbers.next().unwrap_or(1));
    let mut out = BufWriter::new(io::stdout().lock());
    for number in 1..=games {
        writeln!(out, "{}", random_game(number, Dice::new(seed << 32 | number)))?;
    }
    out.flush()
}

fn random_game(number: u64, mut dice: Dice) -> Record {
    let mut game = Game::new(&ABAPA, Position::INITIAL);
    let (mut moves, mut is_over) = (Vec::new(), false);
    while !is_over {
        let Some(played) = dice.greatest(legal_moves(&ABAPA, game.board()).iter(), |_| 0) else {
            break;
        };
        moves.push(RecordedMove::new(Ply { seat: game.seat(), house: played.house }));
        // Nobody resigns, and 25 seeds end nothing: endgames are what tables know.
        is_over = game.worth_of_repetition(&played).is_some();
        game.make(&played);
    }
    let margin = game.ahead().get() + game.board().own_rows().get();
    let margin = if game.seat() == Seat::South { margin } else { -margin };
    let tag = |name: &str, value: String| Tag { name: name.to_owned(), value };
    let tags =
        vec![tag("Event", format!("random game {number}")), tag("Variant", ABAPA.id.to_owned())];
    let result = match margin {
        1.. => "1-0",
        0 => "1/2-1/2",
        _ => "0-1",
    };
    Record { tags, start: Position::INITIAL, preface: Vec::new(), moves, result: result.to_owned() }
}
