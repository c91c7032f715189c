//! Claims closed position by position, by the rules, a numbering and bounds alone: the twin of
//! `oware_db::solver::claims`.

use std::collections::BTreeSet;

use oware_db::game::{
    Board, Endless, House, Interval, Move, Rules, Score, final_score, legal_moves,
};
use oware_db::layer::{Exception, Exceptions, Layer, Rank, Solved};
use oware_db::solver::InMemory;

/// Whose claim: the mover's, or the opponent's.
pub const MOVER: usize = 0;
pub const OPPONENT: usize = 1;

/// By position: whether each of its claims is open.
type Open = Vec<[bool; 2]>;

/// A position, others by their rank.
struct Place {
    board: Board,
    /// What the mover claims, and the opponent.
    claims: [Score; 2],
    /// Whether something need be done about a claim that no capture brings, nor the end of the game.
    needs: [bool; 2],
    /// The quiet moves that keep the mover's claim, lowest house first; none if it needs nothing.
    moves: Vec<(House, usize)>,
    /// Where the replies lead that leave the opponent's claim as it is; none if it needs nothing.
    replies: Vec<usize>,
}

/// A layer.
pub struct Slowly {
    rules: &'static Rules,
    places: Vec<Place>,
}

/// What can be said of its claims.
#[derive(Debug, PartialEq)]
pub struct Verdict {
    pub claims_are_met: bool,
    pub exceptions: Exceptions,
}

/// Open claims among which exceptions are made.
struct Circles {
    opponents: BTreeSet<usize>,
    /// Those that the opponent's claims wait for.
    movers: BTreeSet<usize>,
}

impl Slowly {
    /// The bounds of a solved layer, without what is settled of them.
    pub fn of(rules: &'static Rules, layers: &InMemory, solved: &Solved) -> Slowly {
        let layer = solved.layer();
        Slowly::new(rules, layers, layer, |board| solved.bounds_of(board).expect("in the layer"))
    }

    /// Such bounds of a layer above others.
    pub fn new(
        rules: &'static Rules,
        layers: &InMemory,
        layer: Layer,
        bounds: impl Fn(&Board) -> Interval,
    ) -> Slowly {
        let below = |board: &Board| layers.layers()[board.seeds().get()].interval(board).unwrap();
        let place = |board: Board| {
            let Interval { low, high } = bounds(&board);
            let against = high.after_capture(0);
            let moves = legal_moves(rules, &board);
            let (captures, quiet): (Vec<Move>, Vec<Move>) =
                moves.iter().partition(|played| played.captured > 0);
            let brings = |played: &Move| below(&played.next).after_capture(played.captured).low;
            let is_done = final_score(rules, &board).is_some()
                || captures.iter().any(|played| brings(played) >= low);
            let rank = |played: &Move| layer.rank(&played.next).unwrap().0 as usize;
            let needs = [needs(rules, &board, low) && !is_done, needs(rules, &board, against)];
            let keeps =
                |played: &&Move| needs[MOVER] && bounds(&played.next).high == low.after_capture(0);
            let leaves = |played: &&Move| needs[OPPONENT] && bounds(&played.next).low == against;
            Place {
                board,
                claims: [low, against],
                needs,
                moves: quiet.iter().filter(keeps).map(|it| (it.house, rank(it))).collect(),
                replies: quiet.iter().filter(leaves).map(rank).collect(),
            }
        };
        Slowly { rules, places: layer.boards(Rank(0)).map(place).collect() }
    }

    /// Whether a cycle pays a claim that is cut at the position.
    fn is_good(&self, at: usize, claim: usize) -> bool {
        let place = &self.places[at];
        let board = if claim == MOVER { place.board } else { place.board.turned() };
        self.rules.worth_of_repetition(&board).is_none_or(|worth| worth >= place.claims[claim])
    }

    /// Closes claims by default moves, and makes exceptions until that meets all, or nothing.
    pub fn certify(&self) -> Verdict {
        let mut open: Open = self.places.iter().map(|place| place.needs).collect();
        let (mut exceptions, mut everything) = (Vec::new(), false);
        let claims_are_met = loop {
            while self.places.iter().enumerate().fold(false, |any, (at, _)| {
                any | self.follow(at, MOVER, &mut open) | self.follow(at, OPPONENT, &mut open)
            }) {}
            if open.iter().all(|open| *open == [false; 2]) {
                break true;
            }
            let all = (0..open.len()).filter(|&at| open[at][OPPONENT]).collect();
            let circles =
                self.circles(if everything { all } else { self.wanted(all, &open) }, &open);
            let before = open.clone();
            self.break_up(circles, &mut open, &mut exceptions);
            match (open == before, everything) {
                (true, true) => break false,
                (same, _) => everything = same,
            }
        };
        Verdict { claims_are_met, exceptions: Exceptions::new(exceptions) }
    }

    /// Whether an open claim is met by default moves, which is noted.
    fn follow(&self, at: usize, claim: usize, open: &mut Open) -> bool {
        if !open[at][claim] {
            return false;
        }
        let place = &self.places[at];
        let is_met = match claim {
            MOVER => place.moves.first().is_some_and(|&(_, child)| !open[child][OPPONENT]),
            _ => place.replies.iter().all(|&reply| !open[reply][MOVER]),
        };
        open[at][claim] = !is_met;
        is_met
    }

    /// The most of some open claims of the opponent of which each is awaited by another: through a
    /// claim of the mover whose default move leads to it.
    fn wanted(&self, mut claims: BTreeSet<usize>, open: &Open) -> BTreeSet<usize> {
        loop {
            let replies = claims.iter().flat_map(|&at| &self.places[at].replies);
            let waiting = replies.filter(|&&reply| open[reply][MOVER]);
            let awaited: BTreeSet<usize> =
                waiting.map(|&reply| self.places[reply].moves[0].1).collect();
            let kept: BTreeSet<usize> = claims.intersection(&awaited).copied().collect();
            if kept == claims {
                return kept;
            }
            claims = kept;
        }
    }

    fn circles(&self, opponents: BTreeSet<usize>, open: &Open) -> Circles {
        let replies = opponents.iter().flat_map(|&at| self.places[at].replies.iter().copied());
        let movers = replies.filter(|&reply| open[reply][MOVER]).collect();
        Circles { opponents, movers }
    }

    /// Makes exceptions in circles, and meets what they meet there.
    fn break_up(&self, mut circles: Circles, open: &mut Open, exceptions: &mut Vec<Exception>) {
        let exception = |at: usize, house| Exception { rank: Rank(at as u64), house };
        loop {
            self.close(&mut circles, open);
            let met = circles.movers.iter().find_map(|&at| {
                let mut moves = self.places[at].moves.iter();
                let (house, _) = moves.find(|(_, child)| !open[*child][OPPONENT])?;
                Some((at, *house))
            });
            if let Some((at, house)) = met {
                exceptions.push(exception(at, house));
                open[at][MOVER] = false;
                continue;
            }
            let stays = self.staying(&circles, open);
            if stays == vec![[false; 2]; open.len()] {
                return;
            }
            for &at in circles.movers.iter().filter(|&&at| stays[at][MOVER]) {
                let moves = &self.places[at].moves;
                let kept = moves.iter().position(|(_, child)| stays[*child][OPPONENT]);
                let kept = kept.expect("it stays by some move");
                exceptions.extend((kept > 0).then(|| exception(at, moves[kept].0)));
            }
            for (open, stays) in open.iter_mut().zip(stays) {
                *open = [MOVER, OPPONENT].map(|claim| open[claim] && !stays[claim]);
            }
        }
    }

    /// Takes from circles what is met by default moves.
    fn close(&self, Circles { opponents, movers }: &mut Circles, open: &mut Open) {
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for (claims, claim) in [(&mut *movers, MOVER), (&mut *opponents, OPPONENT)] {
                claims.retain(|&at| {
                    has_changed |= self.follow(at, claim, open);
                    open[at][claim]
                });
            }
        }
    }

    /// The most open claims of circles, at good positions, that stay among themselves and what is met.
    fn staying(&self, circles: &Circles, open: &Open) -> Open {
        let mut stays = vec![[false; 2]; open.len()];
        for (claim, all) in [&circles.movers, &circles.opponents].into_iter().enumerate() {
            all.iter()
                .for_each(|&at| stays[at][claim] = open[at][claim] && self.is_good(at, claim));
        }
        loop {
            let before = stays.clone();
            for &at in &circles.movers {
                let mut moves = self.places[at].moves.iter();
                stays[at][MOVER] &=
                    moves.any(|&(_, child)| !open[child][OPPONENT] || stays[child][OPPONENT]);
            }
            for &at in &circles.opponents {
                let mut replies = self.places[at].replies.iter();
                stays[at][OPPONENT] &=
                    replies.all(|&reply| !open[reply][MOVER] || stays[reply][MOVER]);
            }
            if stays == before {
                return stays;
            }
        }
    }

    /// The claims at positions that are not good for them, on cycles of the moves that a strategy
    /// makes and of replies that leave claims as they are.
    pub fn bad_on_cycles(&self, exceptions: &Exceptions) -> Vec<(Board, usize)> {
        let mut edges = vec![Vec::new(); 2 * self.places.len()];
        for (at, place) in self.places.iter().enumerate() {
            if let Some(child) = self.strategy_move(at, exceptions) {
                edges[2 * at + MOVER].push(2 * child + OPPONENT);
            }
            edges[2 * at + OPPONENT].extend(place.replies.iter().map(|reply| 2 * reply + MOVER));
        }
        let on_cycles = on_cycles(&edges);
        let is_bad = |&node: &usize| on_cycles[node] && !self.is_good(node / 2, node % 2);
        let bad = (0..edges.len()).filter(is_bad);
        bad.map(|node| (self.places[node / 2].board, node % 2)).collect()
    }

    /// Where the strategy leads by a quiet move, if something need be done. It keeps the claim.
    fn strategy_move(&self, at: usize, exceptions: &Exceptions) -> Option<usize> {
        let Place { board, needs, moves, .. } = &self.places[at];
        let exception = exceptions.house(Rank(at as u64));
        if !needs[MOVER] {
            assert_eq!(exception, None, "{board} needs none");
            return None;
        }
        let house = exception.unwrap_or_else(|| moves.first().expect("a move keeps the claim").0);
        let found = moves.iter().find(|played| played.0 == house);
        assert!(exception.is_none() || house != moves[0].0, "{board}: the default is no exception");
        Some(found.unwrap_or_else(|| panic!("{board}: {house} does not keep the claim")).1)
    }
}

/// Whether something need be done about a claim.
fn needs(rules: &Rules, board: &Board, claim: Score) -> bool {
    match rules.endless {
        Endless::EvenSplit => claim > Score::ZERO,
        Endless::OwnSide(_) | Endless::Drawn => claim.get() > -(board.seeds().get() as i8),
    }
}

/// Which nodes of a graph are on cycles: those that reach each other, after Kosaraju (1978).
fn on_cycles(edges: &[Vec<usize>]) -> Vec<bool> {
    let mut backward = vec![Vec::new(); edges.len()];
    for (from, to) in edges.iter().enumerate() {
        to.iter().for_each(|&to| backward[to].push(from));
    }
    let mut seen = vec![false; edges.len()];
    let left: Vec<usize> =
        (0..edges.len()).flat_map(|node| left_behind(node, edges, &mut seen)).collect();
    let mut on_cycles: Vec<bool> =
        edges.iter().enumerate().map(|(node, to)| to.contains(&node)).collect();
    let mut seen = vec![false; edges.len()];
    for node in left.into_iter().rev() {
        let component = left_behind(node, &backward, &mut seen);
        if component.len() > 1 {
            component.into_iter().for_each(|node| on_cycles[node] = true);
        }
    }
    on_cycles
}

/// The nodes that are reached from one and were not seen yet, in the order in which a walk in depth
/// leaves them.
fn left_behind(first: usize, edges: &[Vec<usize>], seen: &mut [bool]) -> Vec<usize> {
    let (mut left, mut path) = (Vec::new(), Vec::new());
    if !std::mem::replace(&mut seen[first], true) {
        path.push((first, 0));
    }
    while let Some((node, tried)) = path.last_mut() {
        match edges[*node].get(*tried) {
            Some(&next) => {
                *tried += 1;
                if !std::mem::replace(&mut seen[next], true) {
                    path.push((next, 0));
                }
            }
            None => {
                left.push(*node);
                path.pop();
            }
        }
    }
    left
}

#[test]
fn cycles_are_found() {
    let edges = [vec![1], vec![2, 4], vec![0], vec![3], vec![5], vec![]];
    assert_eq!(on_cycles(&edges), [true, true, true, true, false, false]);
}
