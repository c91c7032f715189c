//! A solve that is interrupted and goes on from a checkpoint ends with the same layer.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use oware_db::error::{Error, Result};
use oware_db::game::{ABAPA, AWARI, Endless, Rules, SHEETS, Seeds};
use oware_db::layer::{Arena, Plane, Solved};
use oware_db::solver::{
    Checkpoint, Event, InMemory, Kernel, Observer, ReadPlane, ShownPlane, Solver, Unobserved,
};

use crate::solver::tests::layers::{affordable, solved, solver};

/// Keeps checkpoints, begins with one, and stops at another.
#[derive(Default)]
pub struct Keeper {
    begin: Mutex<Option<Checkpoint<Plane>>>,
    stop_at: Option<usize>,
    stop: AtomicBool,
    kept: Mutex<Vec<Checkpoint<Plane>>>,
    sweeps: Mutex<Vec<usize>>,
    /// Whether a core has proved more.
    has_core: AtomicBool,
    /// The sweep that was offered or begun with last: it may be offered again.
    last: Mutex<Option<usize>>,
    /// Checkpoints since then.
    after_core: AtomicUsize,
}

impl Keeper {
    fn from(begin: &Checkpoint<Plane>, stop_at: Option<usize>) -> Keeper {
        Keeper { begin: Mutex::new(Some(begin.clone())), stop_at, ..Keeper::default() }
    }

    pub fn kept(&self) -> MutexGuard<'_, Vec<Checkpoint<Plane>>> {
        self.kept.lock().unwrap()
    }

    /// The sweeps that were made.
    fn sweeps(&self) -> Vec<usize> {
        self.sweeps.lock().unwrap().clone()
    }
}

impl Observer for Keeper {
    fn notice(&self, event: Event) {
        match event {
            Event::Swept { sweep, .. } => self.sweeps.lock().unwrap().push(sweep),
            Event::Core { proves_more: true, .. } => self.has_core.store(true, Ordering::Relaxed),
            _ => {}
        }
    }

    fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn offer(&self, offered: &Checkpoint<&dyn ShownPlane>) {
        if self.last.lock().unwrap().replace(offered.sweep) == Some(offered.sweep) {
            return;
        }
        self.kept().push(copied(offered));
        let is_after = usize::from(self.has_core.load(Ordering::Relaxed));
        self.after_core.fetch_add(is_after, Ordering::Relaxed);
        self.stop.store(self.stop_at == Some(offered.sweep), Ordering::Relaxed);
    }

    fn resume(&self, _: Seeds, read: &mut ReadPlane) -> Option<Checkpoint<()>> {
        let begin = self.begin.lock().unwrap().take()?;
        *self.last.lock().unwrap() = Some(begin.sweep);
        Some(shown_to(&begin, read))
    }
}

/// A copy in memory of what is offered.
pub fn copied(offered: &Checkpoint<&dyn ShownPlane>) -> Checkpoint<Plane> {
    offered.as_ref().map(|shown| {
        let mut bytes = Vec::new();
        shown.write_to(&mut bytes).unwrap();
        Plane::read_from(&Arena::default(), shown.layer(), &mut &bytes[..]).unwrap()
    })
}

/// Lets a solver read the planes of a checkpoint, as it does those of a file.
pub fn shown_to(begin: &Checkpoint<Plane>, read: &mut ReadPlane) -> Checkpoint<()> {
    begin.as_ref().map(|plane| read(&mut plane.blocks().bytes()).unwrap())
}

fn assert_same(found: &Solved, expected: &Solved) {
    assert!(found.low == expected.low && found.high == expected.high, "scores");
    assert!(found.attained == expected.attained && expected.attained.is_some(), "attained bounds");
    assert!(found.exceptions == expected.exceptions && expected.exceptions.is_some(), "exceptions");
}

fn solvers(rules: &'static Rules) -> Vec<Solver> {
    Kernel::available().into_iter().map(|kernel| solver(rules, kernel)).collect()
}

/// Each layer to `most` seeds goes on from each of its checkpoints to the end, with any kernel.
fn assert_goes_on_from_every_sweep(rules: &'static Rules, most: usize) {
    let (mut solvers, mut lower) = (solvers(rules), InMemory::default());
    for seeds in Seeds::new(most).unwrap().up_to() {
        let whole = Keeper::default();
        let expected = solvers[0].solve(seeds, &lower, &whole).unwrap();
        assert_has_planes(rules, &whole.kept(), &expected, &lower);
        for checkpoint in whole.kept().iter() {
            let kernel = checkpoint.sweep % solvers.len();
            let rest = Keeper::from(checkpoint, None);
            let found = solvers[kernel].solve(seeds, &lower, &rest).unwrap();
            assert_same(&found, &expected);
            assert_eq!(
                rest.sweeps(),
                whole.sweeps()[checkpoint.sweep..],
                "no sweep twice, and none left out"
            );
        }
        lower.push(expected);
    }
}

/// Where rows decide what endless play is worth, layers above exact ones begin with one plane, and go
/// on with two if not all claims are met in it.
fn assert_has_planes(rules: &Rules, kept: &[Checkpoint<Plane>], solved: &Solved, lower: &InMemory) {
    let has_two: Vec<bool> = kept.iter().map(|checkpoint| checkpoint.high.is_some()).collect();
    let [Some(&begins), Some(&ends)] = [has_two.first(), has_two.last()] else { return };
    assert!(has_two.is_sorted());
    let (low, high) = solved.bounds();
    let reached = (solved.layer().seeds().get() + 1).saturating_sub(rules.least_capture());
    let is_above_exact = lower.layers()[..reached].iter().all(|below| below.high.is_none());
    match rules.endless {
        Endless::EvenSplit => assert!(!ends),
        Endless::OwnSide(_) => assert!(begins != is_above_exact && (ends || low == high)),
        Endless::Drawn => assert!(begins),
    }
}

#[test]
fn layers_go_on_from_every_sweep_of_every_sheet() {
    SHEETS.into_iter().for_each(|rules| assert_goes_on_from_every_sweep(rules, 7));
}

#[test]
#[ignore = "seconds: cargo test --release --lib checkpoints -- --ignored"]
fn larger_layers_go_on_from_every_sweep_of_every_sheet() {
    SHEETS.into_iter().for_each(|rules| assert_goes_on_from_every_sweep(rules, 9));
}

/// The solver is stopped after every single sweep, and what it offers is what an uninterrupted
/// one has at that time.
#[test]
fn layers_come_to_their_end_one_sweep_at_a_time() {
    for rules in SHEETS {
        let (mut solvers, mut lower) = (solvers(rules), InMemory::default());
        for seeds in Seeds::new(7).unwrap().up_to() {
            let whole = Keeper::default();
            let expected = solvers[0].solve(seeds, &lower, &whole).unwrap();
            let whole = whole.kept();
            let stops = whole.iter().skip(1).map(|checkpoint| Some(checkpoint.sweep)).chain([None]);
            let mut last = whole.first().cloned();
            for (nth, stop_at) in stops.enumerate().take(whole.len()) {
                let step = Keeper::from(&last.take().unwrap(), stop_at);
                let kernel = nth % solvers.len();
                match (solvers[kernel].solve(seeds, &lower, &step), stop_at) {
                    (Err(Error::Interrupted), Some(_)) => {
                        assert!(
                            *step.kept() == [whole[nth + 1].clone()],
                            "{} {seeds} {nth}",
                            rules.id
                        );
                        last = step.kept().pop();
                    }
                    (Ok(found), None) => assert_same(&found, &expected),
                    (other, _) => panic!("{} {seeds} {nth}: {other:?}", rules.id),
                }
            }
            lower.push(expected);
        }
    }
}

/// Some layers are solved in two runs of sweeps with a core between them that proves more. The tests
/// above would say less if there were none.
#[test]
fn some_checkpoints_are_from_after_a_core() {
    let (mut solver, mut lower) = (Solver::new(&ABAPA, Kernel::best()), InMemory::default());
    let mut after_core = 0;
    for seeds in Seeds::new(9).unwrap().up_to() {
        let whole = Keeper::default();
        lower.push(solver.solve(seeds, &lower, &whole).unwrap());
        after_core += whole.after_core.into_inner();
    }
    assert!(after_core > 10, "{after_core}");
}

/// What the tests above rely on: with a wrong checkpoint the layer comes out wrong. Who looks for a
/// strategy finds out.
#[test]
fn a_layer_believes_its_checkpoint() {
    let solver = Solver::new(&AWARI, Kernel::best());
    let (found, expected) = with_a_wrong_checkpoint(solver.without_strategies(), &AWARI);
    assert!(found.unwrap().low != expected.low);
    let (found, _) = with_a_wrong_checkpoint(Solver::new(&AWARI, Kernel::best()), &AWARI);
    assert!(matches!(found, Err(Error::Unproved { seeds: 4 })), "{found:?}");
}

/// Where scores hang on claims, these find out.
#[test]
fn claims_find_a_wrong_checkpoint() {
    let (found, expected) = with_a_wrong_checkpoint(Solver::new(&ABAPA, Kernel::best()), &ABAPA);
    assert_same(&found.unwrap(), &expected);
}

/// A layer that goes on from scores that are none of its own, and the right one.
fn with_a_wrong_checkpoint(mut solver: Solver, rules: &'static Rules) -> (Result<Solved>, Solved) {
    let seeds = Seeds::new(4).unwrap();
    let mut lower = InMemory::default();
    for below in seeds.up_to().take(seeds.get()) {
        lower.push(solver.solve(below, &lower, &Unobserved).unwrap());
    }
    let whole = Keeper::default();
    let expected = solver.solve(seeds, &lower, &whole).unwrap();
    let mut wrong = whole.kept()[0].clone();
    assert!(wrong.high.is_none(), "{} begins with one plane", rules.id);
    wrong.low = Plane::new(wrong.low.layer(), 4).unwrap();
    (solver.solve(seeds, &lower, &Keeper::from(&wrong, None)), expected)
}

/// Ends a solve when a sweep has changed nothing: the first of several such sweeps, or a later one.
pub struct EndsAfter<O> {
    last_sweeps: usize,
    /// How many there have been.
    pub ended: AtomicUsize,
    /// Who keeps checkpoints.
    pub inner: O,
}

impl<O> EndsAfter<O> {
    pub fn new(last_sweeps: usize, inner: O) -> EndsAfter<O> {
        EndsAfter { last_sweeps, ended: AtomicUsize::new(0), inner }
    }
}

impl<O: Observer> Observer for EndsAfter<O> {
    fn notice(&self, event: Event) {
        let is_last = matches!(event, Event::Swept { changed: 0, .. });
        self.ended.fetch_add(is_last.into(), Ordering::Relaxed);
    }

    fn interrupted(&self) -> bool {
        self.ended.load(Ordering::Relaxed) >= self.last_sweeps
    }

    fn offer(&self, offered: &Checkpoint<&dyn ShownPlane>) {
        self.inner.offer(offered);
    }
}

/// How often a layer can be interrupted when a sweep has changed nothing. Each time it goes on from
/// its last checkpoint and ends as `expected`.
fn interrupted_after_last_sweeps(
    solver: &mut Solver,
    lower: &InMemory,
    expected: &Solved,
) -> usize {
    let seeds = expected.layer().seeds();
    for last_sweeps in 1.. {
        let observer = EndsAfter::new(last_sweeps, Keeper::default());
        match solver.solve(seeds, lower, &observer) {
            Err(Error::Interrupted) => {}
            found => {
                assert_same(&found.unwrap(), expected);
                return last_sweeps - 1;
            }
        }
        let rest = match observer.inner.kept().last() {
            Some(last) => Keeper::from(last, None),
            None => Keeper::default(),
        };
        assert_same(&solver.solve(seeds, lower, &rest).unwrap(), expected);
    }
    unreachable!("a solve comes to its end")
}

/// Ends a solve when it asks for the so-many-th time after its first sweep that changed nothing, and takes
/// a checkpoint only then: as a build that was about to save the next one.
#[derive(Default)]
pub struct Stopped {
    after: usize,
    asked: AtomicUsize,
    has_settled: AtomicBool,
    pub keeper: Keeper,
}

impl Stopped {
    pub fn new(after: usize) -> Stopped {
        Stopped { after, ..Stopped::default() }
    }
}

impl Observer for Stopped {
    fn notice(&self, event: Event) {
        let is_last = matches!(event, Event::Swept { changed: 0, .. });
        self.has_settled.fetch_or(is_last, Ordering::Relaxed);
        self.keeper.notice(event);
    }

    fn interrupted(&self) -> bool {
        let asks = self.has_settled.load(Ordering::Relaxed).into();
        self.asked.fetch_add(asks, Ordering::Relaxed) + asks >= self.after
    }

    fn offer(&self, offered: &Checkpoint<&dyn ShownPlane>) {
        if self.asked.load(Ordering::Relaxed) >= self.after {
            self.keeper.offer(offered);
        }
    }
}

/// Ends a solve when it asks for the so-many-th time, and takes a checkpoint only then.
struct StopsAt {
    after: usize,
    asked: AtomicUsize,
    keeper: Keeper,
}

impl Observer for StopsAt {
    fn interrupted(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) + 1 >= self.after
    }

    fn offer(&self, offered: &Checkpoint<&dyn ShownPlane>) {
        if self.asked.load(Ordering::Relaxed) >= self.after {
            self.keeper.offer(offered);
        }
    }
}

/// A sweep that is ended in its middle is as good a beginning as a whole one.
#[test]
fn layers_go_on_from_the_middle_of_sweeps_of_every_sheet() {
    for rules in SHEETS {
        let most = affordable(rules, 7);
        let layers = solved(rules, most);
        let expected = &layers.layers()[most];
        let seeds = expected.layer().seeds();
        let (mut solvers, mut kept, mut after) = (solvers(rules), 0, 1);
        loop {
            let (keeper, asked) = (Keeper::default(), AtomicUsize::new(0));
            let stops = StopsAt { after, asked, keeper };
            let number = after % solvers.len();
            match solvers[number].solve(seeds, &layers, &stops) {
                Err(Error::Interrupted) => {}
                found => {
                    assert_same(&found.unwrap(), expected);
                    break;
                }
            }
            let last = stops.keeper.kept().last().cloned();
            if let Some(last) = last {
                kept += 1;
                let rest = Keeper::from(&last, None);
                assert_same(&solvers[number].solve(seeds, &layers, &rest).unwrap(), expected);
            }
            after += 1 + after / 5;
        }
        println!("{}: {kept} checkpoints, {after} questions", rules.id);
        assert!(kept > 10, "{} {kept}", rules.id);
    }
}

/// No sweep that changed something has to be made again.
#[test]
fn scores_are_kept_if_a_solve_is_stopped_while_claims_are_closed() {
    for rules in SHEETS.into_iter().filter(|rules| rules.endless == Endless::EvenSplit) {
        let most = affordable(rules, 8);
        let (layers, mut solver) = (solved(rules, most), solver(rules, Kernel::best()));
        let expected = &layers.layers()[most];
        let mut stops = 0;
        for after in (1..).step_by(97) {
            let stopped = Stopped::new(after);
            match solver.solve(expected.layer().seeds(), &layers, &stopped) {
                Err(Error::Interrupted) => stops += 1,
                found => {
                    assert_same(&found.unwrap(), expected);
                    break;
                }
            }
            let kept = stopped.keeper.kept();
            let [scores] = &kept[..] else { panic!("{} checkpoints", kept.len()) };
            assert!(scores.low == expected.low && scores.high.is_none());
            let rest = Keeper::from(scores, None);
            let found = solver.solve(expected.layer().seeds(), &layers, &rest).unwrap();
            assert_same(&found, expected);
            assert_eq!(rest.sweeps().len(), 1);
            assert_eq!(rest.sweeps().last(), stopped.keeper.sweeps().last());
        }
        assert!(stops > 5, "{} {stops}", rules.id);
    }
}

/// What is asked between the last sweep and the end of a solve is claims that are being closed: of
/// one plane, and of two.
#[test]
fn a_solve_interrupted_while_claims_are_closed_goes_on_to_the_same_layer() {
    for rules in SHEETS {
        let most = affordable(rules, 8);
        let (layers, mut solver) = (solved(rules, most), solver(rules, Kernel::best()));
        for (expected, seeds) in layers.layers().iter().zip(Seeds::new(most).unwrap().up_to()) {
            let count = interrupted_after_last_sweeps(&mut solver, &layers, expected);
            assert_last_sweeps(rules, expected, count, &format!("{} {seeds}", rules.id));
        }
    }
}

/// How often the last sweep ends of a layer that is solved.
pub fn assert_last_sweeps(rules: &Rules, solved: &Solved, count: usize, what: &str) {
    let (low, high) = solved.bounds();
    match rules.endless {
        Endless::EvenSplit | Endless::Drawn => assert_eq!(count, 1, "{what}"),
        Endless::OwnSide(_) if low == high => assert!(count > 0, "{what}"),
        // One plane, if all below is exact, then bounds and their cores.
        Endless::OwnSide(_) => assert!(count > 1, "{what}: {count}"),
    }
}
