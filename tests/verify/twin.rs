//! The slow twin of the judge: scores by the oracle, and every position that has been on the board
//! is kept and compared.

use oware_db::error::Error;
use oware_db::game::record::Record;
use oware_db::game::{
    Board, Endless, House, Interval, Move, Rules, Score, Seat, Seeds, legal_moves,
};
use oware_db::layer::Layer;
use oware_db::probe::Prober;
use oware_db::solver::oracle::{OwareLayer, solve_drawn, solve_even_split, solve_own_side};
use oware_db::verify::{Judgement, Loss, Outcome, Scored, Verdict};

pub struct Twin {
    rules: &'static Rules,
    intervals: Vec<Vec<Interval>>,
    /// Knows which moves are certified; that is tested elsewhere.
    prober: Prober,
}

/// A move as the twin sees it.
struct Choice {
    played: Move,
    low: i8,
    high: i8,
    certified: bool,
    closes: bool,
}

impl Twin {
    pub fn new(rules: &'static Rules, most: usize, prober: Prober) -> Twin {
        let mut intervals = Vec::new();
        for seeds in Seeds::new(most).unwrap().up_to() {
            let layer = OwareLayer { rules, layer: Layer::of(rules, seeds), lower: &intervals };
            intervals.push(match rules.endless {
                Endless::EvenSplit => {
                    solve_even_split(&layer).into_iter().map(Interval::exact).collect()
                }
                Endless::OwnSide(_) => solve_own_side(&layer),
                Endless::Drawn => solve_drawn(&layer, seeds),
            });
        }
        Twin { rules, intervals, prober }
    }

    /// Judges a record of legal moves.
    pub fn judge(&mut self, record: &Record) -> Vec<Judgement> {
        let (mut board, mut seat) = (record.start.board, record.start.seat);
        let mut captured = [0; 2];
        captured[seat as usize] = record.start.captured().mover;
        captured[seat.other() as usize] = record.start.captured().opponent;
        let mut since = vec![(seat, board)];
        let mut found = Vec::new();
        for played in &record.moves {
            let house = played.ply.house;
            found.push(self.judge_move(&board, seat, captured, &since, house));
            let next =
                legal_moves(self.rules, &board).iter().find(|legal| legal.house == house).unwrap();
            captured[seat as usize] += next.captured;
            (board, seat) = (next.next, seat.other());
            // After a capture, or a repetition that ends the game, counting begins anew.
            if next.captured > 0 || (since.contains(&(seat, board)) && self.counts(&board)) {
                since.clear();
            }
            since.push((seat, board));
        }
        found
    }

    fn counts(&self, board: &Board) -> bool {
        match self.rules.endless {
            Endless::EvenSplit | Endless::Drawn => true,
            Endless::OwnSide(_) => {
                self.rules.id == "abapa-every"
                    || board.mover.seeds() > 0 && board.opponent.seeds() > 0
            }
        }
    }

    fn judge_move(
        &mut self,
        board: &Board,
        seat: Seat,
        captured: [u8; 2],
        since: &[(Seat, Board)],
        house: House,
    ) -> Judgement {
        let ahead = captured[seat as usize] as i8 - captured[seat.other() as usize] as i8;
        let Some(options) = self.options(board, seat, since, ahead) else {
            return Judgement::Unknown;
        };
        let low = options.iter().map(|option| option.low).max().unwrap();
        let high = options.iter().map(|option| option.high).max().unwrap();
        let it = options.iter().find(|option| option.played.house == house).unwrap();
        let certified: Vec<House> =
            (options.iter().filter(|option| option.certified && option.low == low))
                .map(|option| option.played.house)
                .collect();
        let top = options
            .iter()
            .filter(|option| option.low == low)
            .map(|option| option.high)
            .max()
            .unwrap();
        let better = if !certified.is_empty() {
            certified.clone()
        } else {
            (options.iter().filter(|option| (option.low, option.high) == (low, top)))
                .map(|option| option.played.house)
                .collect()
        };
        let is_best = options.len() == 1 || certified.contains(&house);
        let given_away = (0.max(low - it.high) as u8, (high - it.low) as u8);
        let loss =
            if is_best { Loss::default() } else { Loss { min: given_away.0, max: given_away.1 } };
        let verdict = match (is_best, loss.min) {
            (true, _) => Verdict::Best,
            (false, 0) => Verdict::Safe,
            (false, _) => Verdict::Loses,
        };
        let outcome = |low: i8, high: i8| match (ahead + low, ahead + high) {
            (low, _) if low > 0 => Outcome::Win,
            (_, high) if high < 0 => Outcome::Loss,
            (0, 0) => Outcome::Draw,
            _ if self.rules.endless == Endless::Drawn => Outcome::Draw,
            _ => Outcome::Undecided,
        };
        let interval = |low, high| Interval { low: Score::new(low), high: Score::new(high) };
        Judgement::Scored(Scored {
            verdict,
            loss,
            before: interval(low, high),
            after: interval(it.low, it.high),
            better,
            outcome: outcome(low, high),
            outcome_after: outcome(it.low, it.high),
            closes_cycle: it.closes,
        })
    }

    /// All moves with what they are worth; `None` if a table is missing.
    fn options(
        &mut self,
        board: &Board,
        seat: Seat,
        since: &[(Seat, Board)],
        ahead: i8,
    ) -> Option<Vec<Choice>> {
        let legal: Vec<Move> = legal_moves(self.rules, board).iter().collect();
        let known: Option<Vec<(i8, i8)>> = legal.iter().map(|played| self.worth(played)).collect();
        let known = known?;
        // Where moves tie, telling which is certified may need the position's own table, too.
        let certificates = match self.prober.moves(board) {
            Err(Error::MissingTable { .. }) if board.seeds().get() >= self.intervals.len() => {
                return None;
            }
            moves => moves.expect("the tables are there"),
        };
        let options = legal.into_iter().zip(known).map(|(played, (low, high))| {
            let closes = played.captured == 0
                && since.contains(&(seat.other(), played.next))
                && self.counts(&played.next);
            let rows = played.next.opponent.seeds() as i8 - played.next.mover.seeds() as i8;
            let paid = match self.rules.endless {
                Endless::EvenSplit => 0,
                Endless::OwnSide(_) => rows,
                Endless::Drawn => -ahead,
            };
            let certified = certificates.iter().any(|each| each.played == played && each.certified);
            if closes {
                Choice { played, low: paid, high: paid, certified: true, closes }
            } else {
                Choice { played, low, high, certified, closes }
            }
        });
        Some(options.collect())
    }

    fn worth(&self, played: &Move) -> Option<(i8, i8)> {
        let captured = played.captured as i8;
        if legal_moves(self.rules, &played.next).is_empty() {
            let worth = captured - played.next.own_rows().get();
            return Some((worth, worth));
        }
        let layer = self.intervals.get(played.next.seeds().get())?;
        let rank = Layer::of(self.rules, played.next.seeds()).rank(&played.next).unwrap();
        let child = layer[rank.0 as usize];
        Some((captured - child.high.get(), captured - child.low.get()))
    }
}
