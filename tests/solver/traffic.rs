//! Several ranks as threads against one process, in one layer: what they send each other, and what
//! it takes.

use std::time::Instant;

use oware_db::Rules;
use oware_db::game::Seeds;
use oware_db::solver::cluster::JointSolver;
use oware_db::solver::cluster::tail::TAIL;
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};

use crate::solver::tests::threads::Threads;

fn seconds(what: &str, mut work: impl FnMut()) {
    work();
    let start = Instant::now();
    work();
    println!("{what:<20} {:.3} s", start.elapsed().as_secs_f64());
}

/// `TRAFFIC="awari 20 4"` asks for a sheet, seeds and ranks, and `RAYON_NUM_THREADS=1` for ranks of
/// one thread. The layer is solved twice; the second time everything is known that layers share. A
/// fourth word says when ranks begin to go from change to change: when one in so many scores
/// changes. A fifth one is the seeds of the games that scores decide, if they are clamped to that.
#[test]
#[ignore = "a measurement: cargo test --release --lib traffic -- --ignored --nocapture"]
fn traffic_of_ranks() {
    let words = std::env::var("TRAFFIC").unwrap_or("awari 16 4".to_owned());
    let words: Vec<&str> = words.split_whitespace().collect();
    let [sheet, seeds, ranks, rest @ ..] = &words[..] else { panic!("a sheet, seeds and ranks") };
    let tail: u64 = rest.first().map_or(TAIL, |tail| tail.parse().expect("one in so many"));
    let rules = Rules::by_id(sheet).expect("a sheet");
    let count = |word: &&str| Seeds::new(word.parse().expect("seeds")).expect("at most 48 seeds");
    let (seeds, game) = (count(seeds), rest.get(1).map(count));
    let one = || Solver::new(rules, Kernel::best()).without_strategies().for_games_of(game);
    let mut solver = one();
    let mut layers = InMemory::default();
    for below in seeds.up_to().take(seeds.get()) {
        layers.push(solver.solve(below, &layers, &Unobserved).unwrap());
    }
    let alone = solver.solve(seeds, &layers, &Unobserved).unwrap();
    seconds("alone", || drop(solver.solve(seeds, &layers, &Unobserved).unwrap()));
    let mut dense = one().with_tail(u64::MAX);
    seconds("alone, dense sweeps", || drop(dense.solve(seeds, &layers, &Unobserved).unwrap()));
    std::thread::scope(|scope| {
        let mut ends = Threads::new(ranks.parse().expect("ranks")).into_iter();
        let first = ends.next().expect("a rank");
        for end in ends {
            scope.spawn(move || {
                let solver = JointSolver::new(rules, Kernel::best(), &end, false);
                solver.for_games_of(game).with_tail(tail).assist(&|_| Ok(()))
            });
        }
        let solver = JointSolver::new(rules, Kernel::best(), &first, false);
        let mut solver = solver.for_games_of(game).with_tail(tail);
        seconds("together", || {
            let found = solver.solve(seeds, &layers, &Unobserved).unwrap();
            assert!(found.low == alone.low && found.high == alone.high);
        });
        let work = solver.work();
        solver.dismiss().unwrap();
        let (bytes, messages) = (work.bytes_a_position(), work.traffic.sweeping_messages());
        println!("{bytes:.3} bytes a position and sweep, {} sweeps", work.sweeps);
        println!("{} messages a sweep", messages / work.sweeps);
        println!("{work:?}");
    });
}
