//! What is open after sweeps is open after the list, and the other way round.

use super::*;
use crate::game::rules::{ABAPA, AWARI};
use crate::layer::arena::Arena;
use crate::layer::solved::Solved;
use crate::solver::plan::Plans;
use crate::solver::{InMemory, Kernel, Solver, Unobserved};

/// A layer whose bounds are known, and all below.
fn layers(rules: &'static Rules, seeds: usize) -> InMemory {
    let mut solver = Solver::new(rules, Kernel::best()).without_strategies();
    let mut layers = InMemory::default();
    for seeds in Seeds::new(seeds).unwrap().up_to() {
        layers.push(solver.solve(seeds, &layers, &Unobserved).unwrap());
    }
    layers
}

/// What default moves leave open, and what is looked for of it.
#[derive(Debug, PartialEq)]
struct Left {
    /// By block and line.
    met: Vec<[u64; 2]>,
    found: Vec<u64>,
}

/// What is left of the claims of a layer if these are listed after so many sweeps, or when sweeps find
/// nothing more; and how many sweeps there were.
fn left(rules: &'static Rules, solved: &Solved, after: u64, scope: Scope) -> (Left, u64) {
    let (mut plans, arena) = (Plans::new(rules), &Arena::default());
    let plan = &plans.layer(solved.layer().seeds());
    let means = Means { kernel: Kernel::best(), arena, near: arena, observer: &Unobserved };
    let done = &solved.attained.as_ref().unwrap().low;
    let (low, high) = solved.bounds();
    let bounds = (low, if low == high { low } else { high });
    let search = Search::new(plan, means, bounds, done);
    let mut room = sweeps::room(&search).unwrap();
    let sweeps = Sweeps::new(&search, &mut room);
    sweeps.begin().unwrap();
    for count in 1.. {
        let swept = sweeps.sweep().unwrap();
        let most = if swept.has_changed && count < after { 0 } else { u64::MAX };
        if let Some(found) = listed::finish(&sweeps, swept.open, most, scope).unwrap() {
            let lines = sweeps.looks.iter().flat_map(|looks| looks.met);
            let met = lines.map(|line| line.each_ref().map(open::load)).collect();
            let mut found: Vec<u64> =
                found.into_iter().map(|cell| plan.layer.rank_at(cell).0).collect();
            found.sort_unstable();
            return (Left { met, found }, count);
        }
    }
    unreachable!("sweeps come to an end")
}

#[test]
fn a_list_finds_what_sweeps_find() {
    for (rules, seeds) in [(&AWARI, 11), (&ABAPA, 11), (&ABAPA, 10)] {
        let layers = layers(rules, seeds);
        let solved = &layers.layers()[seeds];
        for scope in [Scope::Circles, Scope::Everything] {
            let [at_once, later, never] =
                [1, 5, u64::MAX].map(|after| left(rules, solved, after, scope));
            let what = format!("{} {seeds} {scope:?}", rules.id);
            assert!(!never.0.found.is_empty(), "{what}");
            assert!(at_once.1 == 1 && later.1 == 5 && never.1 > 5, "{what}: {}", never.1);
            assert!(at_once.0 == never.0 && later.0 == never.0, "{what}");
        }
        let [circles, all] =
            [Scope::Circles, Scope::Everything].map(|scope| left(rules, solved, 1, scope).0);
        assert!(circles.met == all.met && circles.found.len() < all.found.len());
        assert!(circles.found.iter().all(|rank| all.found.binary_search(rank).is_ok()));
    }
}
