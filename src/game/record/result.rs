//! How a recorded game ends by the rules, and what the record says that does not hold: its
//! result, the captures of its moves, and the stores that it starts from.

use std::cmp::Ordering;

use crate::game::board::Seeds;
use crate::game::play::{Ending, Game};
use crate::game::position::Stores;
use crate::game::rules::Rules;
use crate::game::seat::Seat;

use super::Record;
use super::half_seeds::HalfSeeds;
use super::ogn::is_dash;

/// How a recorded game ends by the rules, after its last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RecordEnd {
    /// Why it is over.
    pub ending: Ending,
    /// What South and North have; at 25 seeds what has been captured, else with what the end brings.
    pub seeds: [HalfSeeds; 2],
    /// Whether the record says something else.
    pub differs: bool,
}

impl RecordEnd {
    /// Returns the end as comments say it: `26-22 by repetition`.
    pub fn sentence(&self) -> String {
        let how = match self.ending {
            Ending::Decided => "by 25 seeds",
            Ending::Repetition => "by repetition",
            Ending::NoMove => "without a move left",
        };
        let [south, north] = self.seeds;
        format!("{south}-{north} {how}")
    }
}

/// What a record claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResultClaim {
    /// Who has more.
    Winner(Ordering),
    /// What South and North have.
    Seeds(HalfSeeds, HalfSeeds),
}

impl ResultClaim {
    /// Reads a result; `None` if it says nothing.
    fn read(text: &str) -> Option<ResultClaim> {
        let text = text.trim();
        if matches!(text, "1/2" | "½") {
            return Some(ResultClaim::Winner(Ordering::Equal));
        }
        let (south, north) = text.split_once(is_dash)?;
        let (south, north) = (south.trim(), north.trim());
        match (south, north) {
            ("1", "0") => return Some(ResultClaim::Winner(Ordering::Greater)),
            ("0", "1") => return Some(ResultClaim::Winner(Ordering::Less)),
            ("1/2", "1/2") | ("½", "½") => return Some(ResultClaim::Winner(Ordering::Equal)),
            _ => {}
        }
        Some(ResultClaim::Seeds(HalfSeeds::read(south)?, HalfSeeds::read(north)?))
    }

    /// Returns who has more.
    fn winner(self) -> Ordering {
        match self {
            ResultClaim::Winner(winner) => winner,
            ResultClaim::Seeds(south, north) => south.cmp(&north),
        }
    }

    /// Returns whether two claims cannot both hold.
    fn contradicts(self, other: ResultClaim) -> bool {
        match (self, other) {
            (ResultClaim::Seeds(..), ResultClaim::Seeds(..)) => self != other,
            (ResultClaim::Winner(_), _) | (_, ResultClaim::Winner(_)) => {
                self.winner() != other.winner()
            }
        }
    }

    /// Returns whether it agrees with an end.
    fn holds(self, end: &RecordEnd) -> bool {
        let winner = end.seeds[0].cmp(&end.seeds[1]);
        match (self, end.ending) {
            (ResultClaim::Winner(claimed), _) => claimed == winner,
            (ResultClaim::Seeds(south, north), Ending::Decided) => {
                // Some programs go on to divide what is left.
                south.cmp(&north) == winner && south >= end.seeds[0] && north >= end.seeds[1]
            }
            (ResultClaim::Seeds(south, north), Ending::Repetition | Ending::NoMove) => {
                [south, north] == end.seeds
            }
        }
    }
}

/// Something that a record says and that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// How many moves come before the one that it is about; `None` if it is about the result.
    pub at: Option<usize>,
    /// What the matter is, in words.
    pub what: String,
}

impl Record {
    /// Returns what of the record does not hold by a sheet: stores that belong to no game, which has 48
    /// seeds or as many as `decided`, captures that are written otherwise than they are, up to the first
    /// move that is not legal, and a `Result` tag and a result after the moves that contradict each
    /// other. Of a last move some programs count what the end of the game brings.
    pub fn contradictions(
        &self,
        rules: &'static Rules,
        decided: Option<Seeds>,
    ) -> Vec<Contradiction> {
        let mut game = Game::new(rules, self.start);
        let mut found = Vec::new();
        let are_written = self.moves.iter().any(|recorded| recorded.captured.is_some());
        let moves = if are_written { &self.moves[..] } else { &[] };
        for (at, recorded) in moves.iter().enumerate() {
            game.go_on();
            let Ok(made) = game.play(recorded.ply) else { break };
            let gathered = if game.over().is_some() { game.board().seeds().get() as u8 } else { 0 };
            let holds = |said| (made.captured..=made.captured + gathered).contains(&said);
            if let Some(said) = recorded.captured.filter(|&said| !holds(said)) {
                let what = format!("{} captures {}, not {said}", recorded.ply, made.captured);
                found.push(Contradiction { at: Some(at), what });
            }
        }
        found.extend(self.misfit(decided).map(|what| Contradiction { at: Some(0), what }));
        found.extend(self.results_differ().map(|what| Contradiction { at: None, what }));
        found
    }

    /// Empty stores may be unknown ones.
    fn misfit(&self, decided: Option<Seeds>) -> Option<String> {
        let (start, whole) = (&self.start, Seeds::MAX);
        let total = start.misfit(whole).filter(|_| start.captured() != Stores::EMPTY)?;
        decided.is_none_or(|seeds| seeds.get() != total).then(|| {
            format!(
                "the board and the stores that it starts from hold {total} seeds, but a game has \
                 {whole}"
            )
        })
    }

    fn results_differ(&self) -> Option<String> {
        let (tag, end) = (self.tag("Result")?, &self.result);
        ResultClaim::read(tag)?
            .contradicts(ResultClaim::read(end)?)
            .then(|| format!("the Result tag says {}, and the moves end with {end}", tag.trim()))
    }

    /// Returns what the `Result` tag says, or if that says nothing, the result after the moves.
    pub fn claimed_result(&self) -> &str {
        self.tag("Result").filter(|tag| ResultClaim::read(tag).is_some()).unwrap_or(&self.result)
    }

    /// Returns how the game ends by a sheet, and whether the
    /// [claimed](Record::claimed_result) result is another; `None` if the game is not over after
    /// its last move, if a move is not legal, or if the stores are not known. After a repetition
    /// that is not the end of the record history is fresh.
    pub fn end(&self, rules: &'static Rules) -> Option<RecordEnd> {
        let mut game = Game::new(rules, self.start);
        for played in &self.moves {
            game.go_on();
            game.play(played.ply).ok()?;
        }
        let (ending, margin) = game.over()?;
        let stores = game.stores();
        let captured = stores.mover + stores.opponent;
        if usize::from(captured) + game.board().seeds().get() != Seeds::MAX.get() {
            return None;
        }
        let shared = if ending == Ending::Decided { captured } else { Seeds::MAX.get() as u8 };
        let south = match game.seat() {
            Seat::South => margin.get(),
            Seat::North => -margin.get(),
        };
        let seeds = [south, -south].map(|ahead| HalfSeeds::of_share(shared, ahead));
        let end = RecordEnd { ending, seeds, differs: false };
        let claim = ResultClaim::read(self.claimed_result());
        Some(RecordEnd { differs: claim.is_some_and(|claim| !claim.holds(&end)), ..end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::moves::legal_moves;
    use crate::game::record::Reader;
    use crate::game::rules::{ABAPA, AWARI};
    use crate::game::seat::Ply;
    use crate::layer::index::{Layer, Rank};

    /// F captures two and wins.
    const DECIDED: &str = "[FEN \"1-0-0-0-0-1-1-0-0-0-0-3-24-18-S\"]\n";
    /// South feeds, North cannot and keeps the seed.
    const STUCK: &str = "[FEN \"0-0-0-0-0-1-0-0-0-0-0-0-24-23-S\"]\n";

    fn read(text: &str) -> Record {
        Reader::new(text.as_bytes()).next().unwrap().unwrap()
    }

    fn end(text: &str) -> Option<RecordEnd> {
        read(text).end(&ABAPA)
    }

    /// Returns how a game goes on by moves that capture nothing, always the first one, if it ends by a
    /// repetition.
    fn played_round(start: &str, rules: &'static Rules) -> Option<String> {
        let mut game = Game::new(rules, read(start).start);
        let mut moves = String::new();
        while game.stopped().is_none() {
            let seat = game.seat();
            let legal = legal_moves(rules, game.board());
            let quiet = legal.iter().find(|made| made.captured == 0)?;
            moves.push_str(&format!("{} ", Ply { seat, house: quiet.house }));
            game.make(&quiet);
        }
        Some(moves)
    }

    /// The players need not have noticed a repetition; then history is fresh, and the game not over.
    #[test]
    fn a_record_may_go_on_after_a_repetition() {
        let game = "[FEN \"0-0-0-1-0-1-0-0-0-1-0-1-22-22-S\"]\n[Result \"24-24\"]\nFfDaEdAbBeCc";
        let over = end(&format!("{game} 24-24")).unwrap();
        assert!(over.ending == Ending::Repetition && !over.differs, "{over:?}");
        assert_eq!(end(&format!("{game}F 24-24")), None);
    }

    /// Captures are held against the moves, and the two places of a result against each other.
    #[test]
    fn what_a_record_says_of_itself_is_held_against_it() {
        for (text, expected) in [
            (format!("{DECIDED}F+2 1-0"), vec![]),
            (format!("{DECIDED}F+6 1-0"), vec![]),
            (format!("{DECIDED}F+9 1-0"), vec![(Some(0), "F captures 2, not 9")]),
            (format!("{DECIDED}F+0 1-0"), vec![(Some(0), "F captures 2, not 0")]),
            (format!("{STUCK}F+1 *"), vec![]),
            (
                "F+2 fx1 Bx0".to_owned(),
                vec![(Some(0), "F captures 0, not 2"), (Some(1), "f captures 0, not 1")],
            ),
            ("A+0 A+3".to_owned(), vec![]),
            (
                "[Result \"0–1\"]\nA 1-0".to_owned(),
                vec![(None, "the Result tag says 0–1, and the moves end with 1-0")],
            ),
            ("[Result \"1-0\"]\nA 25—23".to_owned(), vec![]),
            (
                "[Result \"25-23\"]\nA 26-22".to_owned(),
                vec![(None, "the Result tag says 25-23, and the moves end with 26-22")],
            ),
            ("[Result \"1-0\"]\nA *".to_owned(), vec![]),
            ("[Result \"?\"]\nA 1/2-1/2".to_owned(), vec![]),
            ("[Result \"+5-3\"]\nA 1/2-1/2".to_owned(), vec![]),
        ] {
            let found = read(&text).contradictions(&ABAPA, None);
            let found: Vec<_> = found.iter().map(|it| (it.at, it.what.as_str())).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn games_of_as_many_seeds_as_tables_decide_are_games() {
        let few = read("[FEN \"0-0-2-0-1-0-1-0-1-1-1-1-1-1-S\"]\nC *");
        let found =
            |decided: Option<usize>| few.contradictions(&ABAPA, decided.and_then(Seeds::new));
        assert!(found(Some(10)).is_empty());
        for decided in [None, Some(9), Some(48)] {
            let [Contradiction { at: Some(0), what }] = &found(decided)[..] else {
                panic!("{decided:?}")
            };
            assert!(what.contains("10 seeds, but a game has 48"), "{what}");
        }
    }

    #[test]
    fn a_result_is_held_against_the_end_of_the_game() {
        for (text, south, north, differs) in [
            (format!("{DECIDED}F+2 *"), 26, 18, false),
            (format!("{DECIDED}F 1-0"), 26, 18, false),
            (format!("{DECIDED}F 27-21"), 26, 18, false),
            (format!("{DECIDED}F 25-23"), 26, 18, true),
            (format!("{DECIDED}F 0-1"), 26, 18, true),
            (format!("[Result \"1/2-1/2\"]\n{DECIDED}F 1-0"), 26, 18, true),
            (format!("[Result \"?\"]\n{DECIDED}F 0-1"), 26, 18, true),
            (format!("{STUCK}F *"), 24, 24, false),
            (format!("{STUCK}F 1/2-1/2"), 24, 24, false),
            (format!("{STUCK}F 24-24"), 24, 24, false),
            (format!("{STUCK}F 25-23"), 24, 24, true),
        ] {
            let end = end(&text).unwrap_or_else(|| panic!("{text}"));
            let seeds = [south, north].map(HalfSeeds::whole);
            assert_eq!((end.seeds, end.differs), (seeds, differs), "{text}");
        }
        assert_eq!(end(&format!("{DECIDED}F 1-0")).unwrap().sentence(), "26-18 by 25 seeds");
        assert_eq!(end("A a 1-0"), None);
        assert_eq!(end("A A 1-0"), None);
        assert_eq!(end("0 0 0 0 0 0 0 0 0 0 0 1 moves"), None);
    }

    /// Three seeds go round until a position recurs: each player gets one and a half.
    #[test]
    fn halves_of_seeds_decide_who_wins() {
        let layer = Layer::of(&AWARI, Seeds::new(3).unwrap());
        let mut rounds = 0;
        for (rank, (stores, winner, seeds, halves, loser)) in
            (0..layer.positions()).flat_map(|rank| {
                [
                    ("23-22-S", "1-0", "24.5-23.5", "24½–23½", "0-1"),
                    ("22-23-S", "0-1", "23.5-24.5", "23½-24½", "1-0"),
                    ("23-22-N", "1-0", "24.5-23.5", "24.5–23.5", "0-1"),
                ]
                .map(|case| (rank, case))
            })
        {
            let board = layer.position(Rank(rank)).unwrap();
            let houses = board.houses().map(|seeds| seeds.to_string()).join("-");
            let start = format!("[FEN \"{houses}-{stores}\"]\n");
            let Some(moves) = played_round(&start, &AWARI) else { continue };
            rounds += 1;
            for (claim, differs) in [
                (winner, false),
                (seeds, false),
                (halves, false),
                (loser, true),
                ("1/2-1/2", true),
                ("24-24", true),
                (&seeds.replace(".5", ""), true),
            ] {
                let text = format!("{start}{moves} {claim}");
                let end = read(&text).end(&AWARI).unwrap_or_else(|| panic!("{text}"));
                assert_eq!(end.sentence(), format!("{seeds} by repetition"), "{text}");
                assert_eq!(end.differs, differs, "{text}");
            }
        }
        assert!(rounds > 0);
    }
}
