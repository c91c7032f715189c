//! Scores that rest on a search, searched again: what is settled where bounds differ.
//!
//! When this is asked, the bounds of the layer are proved: they hold wherever a cycle is cut, and
//! each is what the best move brings. Where they differ, a claim "P gets t or more" lies between
//! P's bounds. By theorem A ([`crate::solver::exact`]) it holds with fresh history if and only if
//! P wins a token's game among the positions where t lies between P's bounds: a player who leaves
//! them loses, and the first position that counts and comes back decides. So it is enough to play
//! all of P's opponent's moves inside, and one of P's: the move that the table has for a position
//! in a knot, and elsewhere any to a position for which the same is claimed.
//!
//! With P's moves fixed, most positions lie on no cycle; those are settled by one look at the next
//! ones. From each start on a cycle every play is followed to its end, with all that it has
//! visited. Nothing is taken from the solver: no facts, and no graph of its own making.

use std::collections::{BTreeSet, HashMap};

use super::fault::Fault;
use super::next::{Failing, Next};
use crate::game::{Board, Interval, Move, Score, legal_moves};
use crate::layer::{Rank, Settlement};
use crate::scc::each_component;

/// Positions that the plays of a layer may visit, all together.
const VISITS: u64 = 1 << 26;

/// Positions of one play, each of which takes some of the stack: a table may claim anything.
const DEPTH: usize = 1 << 12;

/// Returns the positions whose settled score is not proved, given bounds that are.
pub fn failing(next: &Next) -> Failing {
    wrong(next).into_iter().collect()
}

/// The fault of a position that fails here.
pub fn fault(next: &Next, rank: Rank) -> Fault {
    let claimed = next.claims.settlement.interval(rank);
    Fault::Unsettled { claimed: claimed.map(|found| (found.low.get(), found.high.get())) }
}

fn wrong(next: &Next) -> BTreeSet<Rank> {
    let settlement = &next.claims.settlement;
    if !next.rules.endless.is_settled() {
        return settlement.intervals.iter().map(|(rank, _)| *rank).collect();
    }
    let misplaced = misplaced(next, settlement);
    if !misplaced.is_empty() {
        return misplaced;
    }
    let mut visits = VISITS;
    let open: HashMap<Rank, Interval> = settlement.intervals.iter().copied().collect();
    let mut wrong = BTreeSet::new();
    for claim in claims(next, settlement) {
        let game = TokenGame::new(next, &open, claim);
        wrong.extend(game.unproved(&mut visits));
    }
    wrong
}

/// Settled positions whose bounds agree, or whose interval is not within them, and positions with a
/// move in a knot of which nothing is settled.
fn misplaced(next: &Next, settlement: &Settlement) -> BTreeSet<Rank> {
    let is_within = |&(rank, found): &(Rank, Interval)| {
        let (low, high) = next.claims.bounds.of(rank);
        low < high && low <= found.low.get() && found.high.get() <= high && found.low <= found.high
    };
    let outside = settlement.intervals.iter().filter(|held| !is_within(held));
    let stray = settlement.moves.iter().filter(|held| settlement.interval(held.rank).is_none());
    outside.map(|held| held.0).chain(stray.map(|held| held.rank)).collect()
}

/// Everything that is claimed beyond the bounds, once for each score.
fn claims(next: &Next, settlement: &Settlement) -> BTreeSet<i8> {
    let mut claims = BTreeSet::new();
    for (rank, found) in &settlement.intervals {
        let (low, high) = next.claims.bounds.of(*rank);
        let mover = (found.low.get() > low).then_some(found.low.get());
        let opponent = (found.high.get() < high).then_some(-found.high.get());
        claims.extend(mover.into_iter().chain(opponent));
    }
    claims
}

/// A position, and whether P, who claims something, moves there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Vertex {
    rank: Rank,
    is_own: bool,
}

/// What comes of a move of the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Inside(u32),
    /// P has what is claimed.
    Won,
    /// P may get less.
    Lost,
}

/// The token's game for one claim, with P's moves fixed.
struct TokenGame<'a> {
    next: &'a Next<'a>,
    open: &'a HashMap<Rank, Interval>,
    claim: i8,
    vertices: Vec<Vertex>,
    numbers: HashMap<Vertex, u32>,
}

impl<'a> TokenGame<'a> {
    fn new(next: &'a Next, open: &'a HashMap<Rank, Interval>, claim: i8) -> TokenGame<'a> {
        let (vertices, numbers) = (Vec::new(), HashMap::new());
        let mut game = TokenGame { next, open, claim, vertices, numbers };
        let ranks = next.claims.settlement.intervals.iter().map(|held| held.0);
        let both = ranks.flat_map(|rank| [true, false].map(|is_own| Vertex { rank, is_own }));
        game.vertices = both.filter(|&vertex| game.is_inside(vertex)).collect();
        game.numbers = game.vertices.iter().copied().zip(0..).collect();
        game
    }

    /// P's bounds.
    fn bounds(&self, vertex: Vertex) -> (i8, i8) {
        turned(self.next.claims.bounds.of(vertex.rank), vertex.is_own)
    }

    fn is_inside(&self, vertex: Vertex) -> bool {
        let (low, high) = self.bounds(vertex);
        low < self.claim && self.claim <= high
    }

    /// Whether the table says that P gets what is claimed with fresh history.
    fn is_claimed(&self, vertex: Vertex) -> bool {
        let found = self.open[&vertex.rank];
        turned((found.low.get(), found.high.get()), vertex.is_own).0 >= self.claim
    }

    fn board(&self, vertex: Vertex) -> Board {
        self.next.board(vertex.rank)
    }

    /// The positions of claims that do not hold.
    fn unproved(&self, visits: &mut u64) -> Vec<Rank> {
        let targets: Vec<Vec<Target>> =
            self.vertices.iter().map(|&vertex| self.targets(vertex)).collect();
        let mut is_won = vec![false; targets.len()];
        let mut places = vec![Place::Elsewhere; targets.len()];
        let successors = |vertex: u32| {
            let inside = |target: &Target| match *target {
                Target::Inside(to) => Some(to),
                Target::Won | Target::Lost => None,
            };
            targets[vertex as usize].iter().filter_map(inside).collect()
        };
        each_component(targets.len(), successors, |members| {
            members.iter().for_each(|&vertex| places[vertex as usize] = Place::Inside);
            let play = ComponentPlay { game: self, targets: &targets, is_won: &is_won };
            // With fresh history each start of a component is a play of its own.
            let won: Vec<bool> = members
                .iter()
                .map(|&start| {
                    self.is_claimed(self.vertices[start as usize])
                        && play.wins(start, 0, &mut places, visits)
                })
                .collect();
            for (&vertex, won) in members.iter().zip(won) {
                is_won[vertex as usize] = won;
                places[vertex as usize] = Place::Elsewhere;
            }
        });
        let failed = |&(&vertex, &won): &(&Vertex, &bool)| self.is_claimed(vertex) && !won;
        let failed = self.vertices.iter().zip(&is_won).filter(failed);
        failed.map(|(vertex, _)| vertex.rank).collect()
    }

    /// The move of P's, or all moves of the other player's.
    fn targets(&self, vertex: Vertex) -> Vec<Target> {
        if vertex.is_own {
            return vec![self.own_target(vertex)];
        }
        let moves = legal_moves(self.next.rules, &self.board(vertex));
        moves.iter().map(|played| self.target(vertex, &played)).collect()
    }

    fn own_target(&self, vertex: Vertex) -> Target {
        let wanted = self.next.claims.settlement.house(vertex.rank, Score::new(self.claim));
        let goes_on = |target: Target| match target {
            Target::Inside(to) => wanted.is_some() || self.is_claimed(self.vertices[to as usize]),
            Target::Won => true,
            Target::Lost => false,
        };
        let moves = legal_moves(self.next.rules, &self.board(vertex));
        let wanted_moves =
            moves.iter().filter(|played| wanted.is_none_or(|house| house == played.house));
        let mut targets = wanted_moves.map(|played| self.target(vertex, &played));
        targets.find(|&target| goes_on(target)).unwrap_or(Target::Lost)
    }

    fn target(&self, from: Vertex, Move { captured, next, .. }: &Move) -> Target {
        let captured = *captured as i8;
        if captured > 0 {
            let (low, _) = turned(self.next.bounds(next), !from.is_own);
            let gain = if from.is_own { captured } else { -captured };
            return if low + gain >= self.claim { Target::Won } else { Target::Lost };
        }
        let rank = self.next.claims.layer.rank(next).expect("quiet moves stay");
        let to = Vertex { rank, is_own: !from.is_own };
        match self.numbers.get(&to) {
            Some(&number) => Target::Inside(number),
            None if self.bounds(to).0 >= self.claim => Target::Won,
            None => Target::Lost,
        }
    }

    /// Whether P has what is claimed if a cycle is cut there; `None` where that cannot be.
    fn pays(&self, vertex: Vertex) -> Option<bool> {
        let board = self.board(vertex);
        let worth = self.next.rules.worth_of_repetition(&board)?.get();
        Some(if vertex.is_own { worth } else { -worth } >= self.claim)
    }
}

/// Bounds as the player to move has them, or as the other one does.
fn turned((low, high): (i8, i8), is_own: bool) -> (i8, i8) {
    if is_own { (low, high) } else { (-high, -low) }
}

/// Where a vertex is, seen from a play.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In another component.
    Elsewhere,
    /// In the one of the play, not visited.
    Inside,
    /// On the way of the play.
    Visited,
}

/// Plays inside one component.
struct ComponentPlay<'a> {
    game: &'a TokenGame<'a>,
    targets: &'a [Vec<Target>],
    is_won: &'a [bool],
}

impl ComponentPlay<'_> {
    /// Whether P wins every play that goes on from a vertex, given how many moves it has and what it
    /// has visited.
    fn wins(&self, vertex: u32, moves: usize, places: &mut [Place], visits: &mut u64) -> bool {
        if *visits == 0 || moves == DEPTH {
            return false;
        }
        *visits -= 1;
        let place = places[vertex as usize];
        if place == Place::Elsewhere {
            return self.is_won[vertex as usize];
        }
        let pays = self.game.pays(self.game.vertices[vertex as usize]);
        if let Some(pays) = pays.filter(|_| place == Place::Visited) {
            return pays;
        }
        places[vertex as usize] = Place::Visited;
        let wins = self.targets[vertex as usize].iter().all(|&target| match target {
            Target::Inside(to) => self.wins(to, moves + 1, places, visits),
            Target::Won => true,
            Target::Lost => false,
        });
        places[vertex as usize] = place;
        wins
    }
}
