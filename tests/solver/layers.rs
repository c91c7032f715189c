//! Layers that many tests begin with. Each is solved once.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use oware_db::game::{ABAPA_EVERY, Rules, Seeds};
use oware_db::solver::settle::{LIMITS, Limits};
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};

/// The layers of a sheet so far.
type Shared = Arc<Mutex<InMemory>>;

/// Those of each sheet.
static SOLVED: LazyLock<Mutex<HashMap<&str, Shared>>> = LazyLock::new(Mutex::default);

/// The layers of 0..=most seeds with their strategies, as the fastest kernel solves them.
pub fn solved(rules: &'static Rules, most: usize) -> InMemory {
    let all =
        SOLVED.lock().unwrap_or_else(PoisonError::into_inner).entry(rules.id).or_default().clone();
    let mut layers = all.lock().unwrap_or_else(PoisonError::into_inner);
    if layers.layers().len() <= most {
        push(&mut layers, &mut Solver::new(rules, Kernel::best()), most);
    }
    layers.up_to(Seeds::new(most).unwrap())
}

/// As many seeds as `scripts/check-long` takes, which sets OWARE_LONG. Otherwise it is one fewer, in
/// less than half the time: the laws are the same.
pub fn long(most: usize) -> usize {
    most - usize::from(!is_long())
}

/// Whether `scripts/check-long` asks.
pub fn is_long() -> bool {
    std::env::var_os("OWARE_LONG").is_some()
}

/// As many seeds of a sheet as tests take that solve its layers again and again: to settle what repetition
/// leaves open of eight seeds of `abapa-every` takes more than a second each time.
pub fn repeatable(rules: &Rules, most: usize) -> usize {
    if rules == &ABAPA_EVERY { most.min(7) } else { most }
}

/// The same, [`long`] or not.
pub fn affordable(rules: &Rules, most: usize) -> usize {
    long(repeatable(rules, most))
}

/// Within these limits one knot of 4 seeds of `abapa-every` is given up sooner, which takes most of
/// the time of small layers and is never settled. What is settled is the same as in layers that
/// are [`solved`] without them.
pub fn limits(rules: &Rules) -> Limits {
    let share = if rules == &ABAPA_EVERY { 16 } else { 1 };
    Limits { effort: LIMITS.effort / share, ..LIMITS }
}

/// A solver within [`limits`].
pub fn solver(rules: &'static Rules, kernel: Kernel) -> Solver {
    Solver::new(rules, kernel).with_limits(limits(rules))
}

/// The same layers as some solver solves them.
pub fn solved_by(mut solver: Solver, most: usize) -> InMemory {
    let mut layers = InMemory::default();
    push(&mut layers, &mut solver, most);
    layers
}

/// Solves what is missing.
fn push(layers: &mut InMemory, solver: &mut Solver, most: usize) {
    for seeds in layers.layers().len()..=most {
        let solved = solver.solve(Seeds::new(seeds).unwrap(), layers, &Unobserved).unwrap();
        layers.push(solved);
    }
}
