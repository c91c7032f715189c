//! The slow twin of the judge: scores by the oracle, and every position that has been on the board
//! is kept and compared.
//!
//! Where a search settles scores, it searches the oracle's bounds anew, and keeps what each player
//! was promised when history was last fresh, until that player makes another move than the
//! strategy's.

use std::collections::HashSet;

use crate::solver::tests::oracle::OwareLayer;
use oware_db::error::Error;
use oware_db::game::record::Record;
use oware_db::game::{
    Board, Endless, House, Interval, Move, Rules, Score, ScoreRange, Seat, Seeds, legal_moves,
};
use oware_db::layer::Layer;
use oware_db::probe::Prober;
use oware_db::solver::exact::{Wins, settle_open};
use oware_db::solver::settle::LIMITS;
use oware_db::verify::{Judgement, Loss, Outcome, Scored, Verdict};

pub struct Twin {
    rules: &'static Rules,
    /// Seeds of the games that the tables decide, if they are clamped to that.
    game: Option<Seeds>,
    /// With fresh history, by seeds and rank.
    intervals: Vec<Vec<Interval>>,
    /// Wherever a cycle is cut, likewise.
    bounds: Vec<Vec<Interval>>,
    /// Seeds and ranks of positions that lie in knots.
    knots: HashSet<(usize, usize)>,
    /// Knows which moves are the strategy's; that is tested elsewhere.
    prober: Prober,
}

/// What has been on the board since history was last fresh, and what each seat was promised then,
/// if it has made the strategy's moves since.
struct Stretch {
    since: Vec<(Seat, Board)>,
    promised: [Option<i8>; 2],
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
    pub fn new(rules: &'static Rules, most: usize, mut prober: Prober) -> Twin {
        let (game, intervals, bounds) = (prober.game().unwrap(), Vec::new(), Vec::new());
        let mut twin = Twin { rules, game, intervals, bounds, knots: HashSet::new(), prober };
        let layers = || Seeds::new(most).unwrap().up_to();
        layers().for_each(|seeds| twin.solve(seeds));
        for seeds in layers() {
            let range = twin.range(seeds);
            for layers in [&mut twin.intervals, &mut twin.bounds] {
                let known = |interval: &mut Interval| *interval = range.known(*interval);
                layers[seeds.get()].iter_mut().for_each(known);
            }
        }
        twin
    }

    /// What the table of a layer keeps apart; all where there is none.
    fn range(&self, seeds: Seeds) -> ScoreRange {
        let game = self.game.filter(|_| seeds.get() < self.intervals.len());
        ScoreRange::deciding(self.rules, seeds, game)
    }

    /// What a layer says of a score between two bounds.
    fn told(&self, seeds: Seeds, (low, high): (i8, i8)) -> (i8, i8) {
        let interval = Interval { low: Score::new(low), high: Score::new(high) };
        let Interval { low, high } = self.range(seeds).known(interval);
        (low.get(), high.get())
    }

    fn solve(&mut self, seeds: Seeds) {
        let layer = Layer::of(self.rules, seeds);
        let layer = OwareLayer { rules: self.rules, layer, lower: &self.intervals };
        let bounds = layer.solve();
        let mut intervals = bounds.clone();
        if self.rules.endless.is_settled() {
            let open = bounds.iter().copied().enumerate();
            let open: Vec<_> = open.filter(|(_, interval)| interval.value().is_none()).collect();
            let exact = settle_open(&layer, &open, LIMITS, Wins::ByPosition, &|| false);
            exact.intervals.into_iter().for_each(|(at, interval)| intervals[at] = interval);
            self.knots.extend(exact.moves.iter().map(|held| (seeds.get(), held.position)));
        }
        self.bounds.push(bounds);
        self.intervals.push(intervals);
    }

    /// Judges a record of legal moves.
    pub fn judge(&mut self, record: &Record) -> Vec<Judgement> {
        let (mut board, mut seat) = (record.start.board, record.start.seat);
        let mut captured = [0; 2];
        captured[seat as usize] = record.start.captured().mover;
        captured[seat.other() as usize] = record.start.captured().opponent;
        let mut stretch = self.fresh(seat, &board);
        let mut found = Vec::new();
        for played in &record.moves {
            let house = played.ply.house;
            found.push(self.judge_move(&board, seat, captured, &stretch, house));
            let next =
                legal_moves(self.rules, &board).iter().find(|legal| legal.house == house).unwrap();
            captured[seat as usize] += next.captured;
            let follows = self.follows(&board, stretch.promised[seat as usize], &next.next);
            if !follows {
                stretch.promised[seat as usize] = None;
            }
            (board, seat) = (next.next, seat.other());
            // After a capture, or a repetition that ends the game, counting begins anew.
            let repeats = stretch.since.contains(&(seat, board)) && self.counts(&board);
            if next.captured > 0 || repeats {
                stretch = self.fresh(seat, &board);
            } else {
                stretch.since.push((seat, board));
            }
        }
        found
    }

    fn fresh(&self, seat: Seat, board: &Board) -> Stretch {
        let mut promised = [None; 2];
        if let Some((low, high)) = self.of(&self.intervals, board) {
            promised[seat as usize] = Some(low);
            promised[seat.other() as usize] = Some(-high);
        }
        Stretch { since: vec![(seat, *board)], promised }
    }

    /// Whether the strategy goes to `next` for what was promised.
    fn follows(&mut self, board: &Board, promised: Option<i8>, next: &Board) -> bool {
        let Some(promised) = promised else { return false };
        let moves = self.prober.moves_for(board, Some(Score::new(promised)));
        moves.is_ok_and(|moves| {
            moves.iter().any(|each| each.collects.is_some() && each.played.next == *next)
        })
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
        stretch: &Stretch,
        house: House,
    ) -> Judgement {
        let ahead = captured[seat as usize] as i8 - captured[seat.other() as usize] as i8;
        // Endless play makes no draw of a game that is decided.
        let is_decided =
            self.rules.endless == Endless::Drawn && captured.iter().any(|&captured| captured > 24);
        let Some(options) = self.options(board, seat, stretch, (ahead, is_decided)) else {
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
        let is_only = options.len() == 1;
        let is_best = is_only || certified.contains(&house);
        let is_full =
            options.iter().map(|option| &option.played.next).chain([board]).all(|board| {
                legal_moves(self.rules, board).is_empty() || self.range(board.seeds()).is_full()
            });
        let given_away = (0.max(low - it.high) as u8, (high - it.low) as u8);
        let loss = if is_only || is_best && is_full {
            Loss::default()
        } else {
            Loss { min: given_away.0, max: given_away.1 }
        };
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
        stretch: &Stretch,
        (ahead, is_decided): (i8, bool),
    ) -> Option<Vec<Choice>> {
        let legal: Vec<Move> = legal_moves(self.rules, board).iter().collect();
        let worth = |played| self.worth(&self.intervals, played);
        let scores: Option<Vec<(i8, i8)>> = legal.iter().map(worth).collect();
        let (mut scores, mut certificates) = (scores?, self.prober.moves(board));
        // Where moves tie, telling which is certified may need the position's own table, too.
        if matches!(certificates, Err(Error::MissingTable { .. }))
            && board.seeds().get() >= self.intervals.len()
        {
            return None;
        }
        if legal.iter().any(|played| self.is_open(played)) {
            let (low, high) = self.of(&self.bounds, board).unwrap();
            let promised = stretch.promised[seat as usize];
            let most = stretch.promised[seat.other() as usize].map_or(high, |promised| -promised);
            let claim = Score::new(promised.unwrap_or(low));
            certificates = self.prober.moves_for(board, Some(claim));
            let collecting = |played: &Move| {
                let mut moves = certificates.iter().flatten();
                moves.any(|each| each.played == *played && each.collects.is_some())
            };
            let scores_hold = stretch.since.len() == 1 && !self.may_come_back(board);
            for (played, worth) in legal.iter().zip(&mut scores) {
                if played.captured == 0 && !scores_hold {
                    *worth = self.worth(&self.bounds, played).unwrap();
                }
                if collecting(played) {
                    worth.0 = worth.0.max(low).max(promised.unwrap_or(low));
                }
                worth.0 = worth.0.min(most);
                worth.1 = worth.1.min(most).max(worth.0);
            }
        }
        let certificates = certificates.expect("the tables are there");
        let options = legal.into_iter().zip(scores).map(|(played, (low, high))| {
            let closes = played.captured == 0
                && !is_decided
                && stretch.since.contains(&(seat.other(), played.next))
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

    /// Whether a move leads to a position the score of which a search has to settle.
    fn is_open(&self, played: &Move) -> bool {
        let bounds = self.worth(&self.bounds, played);
        played.captured == 0
            && self.rules.endless.is_settled()
            && bounds.is_some_and(|(low, high)| low < high)
    }

    /// Whether play for a position's score may lead back to it.
    fn may_come_back(&self, board: &Board) -> bool {
        let rank = Layer::of(self.rules, board.seeds()).rank(board);
        rank.is_some_and(|rank| {
            let at = (board.seeds().get(), rank.0 as usize);
            self.intervals[at.0][at.1].value().is_none() || self.knots.contains(&at)
        })
    }

    /// What a move is worth to its player, by scores or by bounds.
    fn worth(&self, layers: &[Vec<Interval>], played: &Move) -> Option<(i8, i8)> {
        let captured = played.captured as i8;
        let layers = if captured > 0 { &self.intervals } else { layers };
        let (low, high) = self.of(layers, &played.next)?;
        Some((captured - high, captured - low))
    }

    /// What a position is worth; the best of its moves if its layer leaves it out.
    fn of(&self, layers: &[Vec<Interval>], board: &Board) -> Option<(i8, i8)> {
        let moves = legal_moves(self.rules, board);
        if moves.is_empty() {
            let worth = board.own_rows().get();
            return Some((worth, worth));
        }
        let layer = layers.get(board.seeds().get())?;
        match Layer::of(self.rules, board.seeds()).rank(board) {
            Some(rank) => {
                let Interval { low, high } = layer[rank.0 as usize];
                Some((low.get(), high.get()))
            }
            None => {
                let worth = moves.iter().map(|played| self.worth(layers, &played));
                let best = worth.reduce(|one, other| {
                    let ((low, high), (lower, higher)) = (one?, other?);
                    Some((low.max(lower), high.max(higher)))
                });
                Some(self.told(board.seeds(), best??))
            }
        }
    }
}
