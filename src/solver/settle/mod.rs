//! The game of the token: who wins where the first repetition decides.
//!
//! A token stands on a vertex of a graph. South moves it from some vertices, North from the
//! others, and each vertex that has been visited is remembered. When the token comes back to a
//! vertex that *counts*, the game is over, and the player whom that vertex *favours* wins. Who
//! wins from a vertex depends on what has been visited before; with nothing visited, each vertex
//! has one winner, and [`settle`] finds it.
//!
//! This is what remains of Oware where the proved bounds of positions differ and everything else
//! is known (theorem A in [`crate::solver::exact`]).
//!
//! # Facts
//!
//! A fact says: *when the token arrives at w, every vertex of `need` has been visited and none of
//! `forbid` has, P wins*. It holds in every history that meets its conditions, so one fact serves
//! all starts and all branches of every search. Facts come from three rules:
//!
//! * w counts and favours P: `need` = {w}, because there the game ends;
//! * a step that ends the game for P: no conditions;
//! * from facts (nᵢ, gᵢ) about the target of one step, if P moves at w, or of every step, if the
//!   other player does: `need` = ∪nᵢ and `forbid` = ∪gᵢ. Where w counts, it must not be in
//!   `forbid`, it is taken out of `need`, and if it favours the other player it is forbidden.
//!
//! *Soundness.* Let a history H meet the conditions of a derived fact. If w ∈ H counts, it favours
//! P, or it would be forbidden, and P wins on the spot. Otherwise the token moves on with w visited
//! as well, if w counts; that history contains each nᵢ and meets no gᵢ, so P wins by the fact of
//! the target. *Completeness.* Each cycle has a vertex that counts, so every play ends, and by
//! induction from the ends of plays the winner at each vertex in each history follows from a fact
//! that the history meets. ∎
//!
//! # Search
//!
//! `search` is a proof-number search (Allis, 1994) from a start with nothing visited. Before it
//! expands a leaf, `attract` tries whether facts decide it: from all that the history meets
//! others are derived, backwards along the steps. What is found of any node becomes a fact, and the
//! next search starts with all of them. The layer of 8 seeds of `abapa` has a component of 1,826
//! vertices; it takes 1,471 nodes and a tenth of a second. Without facts no search came to an end.
//!
//! `positional` then looks for one step per vertex that wins for a player from all starts that
//! the player wins. Such a strategy needs no memory, and who doubts it can play it out.

mod arena;
mod attract;
mod facts;
mod positional;
mod search;
mod settler;

pub use arena::{Arena, LIMITS, Limits, Settled, TokenMove, Vertex};
use settler::Settler;

/// Returns the winner from every vertex of an arena, and how each player wins without memory, if
/// such steps were found; `None` beyond the limits.
pub fn settle(arena: &Arena, limits: Limits) -> Option<Settled> {
    if arena.vertices.len() > limits.vertices {
        return None;
    }
    let mut settler = Settler::new(arena, limits.effort / arena.vertices.len().max(1) as u64);
    let winners = settler.winners()?;
    let steps = positional::steps(&settler, &winners);
    Some(Settled { winners, steps })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seat;
    use crate::random::Dice;
    use crate::scc::each_component;

    /// Who wins, by playing everything out.
    fn played_out(arena: &Arena, at: u32, visited: &mut Vec<u32>) -> Seat {
        let vertex = &arena.vertices[at as usize];
        if let Some(favours) = vertex.favours.filter(|_| visited.contains(&at)) {
            return favours;
        }
        visited.push(at);
        let mut after = |&step: &TokenMove| match step {
            TokenMove::Ends(winner) => winner,
            TokenMove::To(to) => played_out(arena, to, visited),
        };
        let wins = vertex.steps.iter().any(|step| after(step) == vertex.to_move);
        visited.pop();
        if wins { vertex.to_move } else { vertex.to_move.other() }
    }

    fn winners(arena: &Arena) -> Vec<Seat> {
        (0..arena.vertices.len() as u32).map(|v| played_out(arena, v, &mut Vec::new())).collect()
    }

    /// A graph at random, each cycle of which has a vertex that counts.
    fn random_arena(dice: &mut Dice, vertices: u64) -> Arena {
        loop {
            let arena =
                Arena { vertices: (0..vertices).map(|_| random_vertex(dice, vertices)).collect() };
            if !goes_round_uncounted(&arena) {
                return arena;
            }
        }
    }

    fn random_vertex(dice: &mut Dice, vertices: u64) -> Vertex {
        let seat = |dice: &mut Dice| Seat::BOTH[dice.below(2) as usize];
        let mut steps: Vec<TokenMove> =
            (0..1 + dice.below(3)).map(|_| TokenMove::To(dice.below(vertices) as u32)).collect();
        if dice.below(12) == 0 {
            steps.push(TokenMove::Ends(seat(dice)));
        }
        let favours = (dice.below(6) > 0).then(|| seat(dice));
        Vertex { to_move: seat(dice), favours, steps }
    }

    fn goes_round_uncounted(arena: &Arena) -> bool {
        let uncounted = |from: u32| -> Vec<u32> {
            let vertex = &arena.vertices[from as usize];
            let target = |step: &TokenMove| match *step {
                TokenMove::To(to) if arena.vertices[to as usize].favours.is_none() => Some(to),
                _ => None,
            };
            if vertex.favours.is_some() {
                vec![]
            } else {
                vertex.steps.iter().filter_map(target).collect()
            }
        };
        let mut found = false;
        each_component(arena.vertices.len(), uncounted, |members| {
            found |= members.len() > 1 || uncounted(members[0]).contains(&members[0]);
        });
        found
    }

    #[test]
    fn every_winner_is_the_one_that_playing_out_finds() {
        let mut dice = Dice::new(1);
        let mut differ = 0;
        for _ in 0..4000 {
            let size = 2 + dice.below(7);
            let arena = random_arena(&mut dice, size);
            let found = Settler::new(&arena, 100_000).winners().expect("small");
            assert_eq!(found, winners(&arena), "{arena:?}");
            differ += usize::from(found.iter().any(|&winner| winner != found[0]));
        }
        assert!(differ > 1000, "{differ}");
    }

    #[test]
    fn steps_win_whatever_the_other_player_does() {
        let mut dice = Dice::new(2);
        let mut without = 0;
        for _ in 0..2000 {
            let size = 2 + dice.below(7);
            let arena = random_arena(&mut dice, size);
            let settled = settle(&arena, LIMITS).expect("small");
            for player in Seat::BOTH {
                if (0..)
                    .zip(&settled.steps)
                    .any(|(v, s): (usize, _)| arena.vertices[v].to_move == player && s.is_none())
                {
                    without += 1;
                    continue;
                }
                let mut fixed = arena.clone();
                for (vertex, &step) in fixed.vertices.iter_mut().zip(&settled.steps) {
                    if vertex.to_move == player {
                        assert!(vertex.steps.contains(&step.unwrap()));
                        vertex.steps = vec![step.unwrap()];
                    }
                }
                for (now, &before) in winners(&fixed).into_iter().zip(&settled.winners) {
                    assert!(before != player || now == player, "{arena:?}");
                }
            }
        }
        assert!(without < 100, "{without}");
    }

    #[test]
    fn beyond_the_limits_nothing_is_settled() {
        let arena = random_arena(&mut Dice::new(3), 8);
        assert!(settle(&arena, LIMITS).is_some());
        assert!(settle(&arena, Limits { effort: 0, ..LIMITS }).is_none());
        assert!(settle(&arena, Limits { vertices: 7, ..LIMITS }).is_none());
    }
}
