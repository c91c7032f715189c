//! Says how games end by our rules, for programs that play them too.
//!
//! ```console
//! $ echo AbCd | cargo run --release --example referee -- abapa-every
//! ```
//!
//! Each line of the input is a game from the beginning: the letters of its moves. For each a line is
//! printed: how many of the moves are played before the game is over, why it is over (`going_on` if
//! it is not), and what South and North have in the end, when each has taken their own row as well.

use std::io::{self, BufRead, BufWriter, Write};

use oware_db::game::{Ending, Game, House, Position, Rules, Score, Seat};

fn main() -> io::Result<()> {
    let id = std::env::args().nth(1).unwrap_or_else(|| "abapa".to_owned());
    let rules = Rules::by_id(&id).expect("the name of a sheet");
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        writeln!(out, "{}", verdict(rules, line?.trim()))?;
    }
    out.flush()
}

fn verdict(rules: &'static Rules, moves: &str) -> String {
    let mut game = Game::new(rules, Position::INITIAL);
    let (mut played, mut why) = (0, "going_on");
    for letter in moves.chars() {
        let index = letter.to_ascii_uppercase() as usize - 'A' as usize;
        let house = House::new(index).expect("a letter from A to F");
        let found = game.find(house).unwrap_or_else(|| panic!("{letter} is not legal: {moves}"));
        let repeats = game.worth_of_repetition(&found).is_some();
        game.make(&found);
        played += 1;
        why = match game.over() {
            Some((Ending::Decided, _)) => "decided",
            Some(_) if repeats => "repetition",
            Some(_) => "no_move",
            None => continue,
        };
        break;
    }
    let rest = if why == "going_on" { Score::ZERO } else { game.board().own_rows() };
    let margin = game.with_rest(rest).get();
    let left = if why == "going_on" { game.board().seeds().get() as i8 } else { 0 };
    let mover = (48 - left + margin) / 2;
    let both = [mover, mover - margin];
    let [south, north] = if game.seat() == Seat::South { both } else { [both[1], both[0]] };
    format!("{played} {why} {south} {north}")
}
