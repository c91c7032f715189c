//! What ranks would send each other: `cargo run --release --example cluster_traffic -- 16 4`.
use oware_db::game::{AWARI, Seeds};
use oware_db::solver::cluster::{JointSolver, Threads};
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|text| text.parse().unwrap()).collect();
    let (most, ranks) = (numbers[0], numbers[1]);
    let mut solver = Solver::new(&AWARI, Kernel::best()).without_strategies();
    let mut layers = InMemory::default();
    for seeds in Seeds::new(most).unwrap().up_to().filter(|seeds| seeds.get() < most) {
        layers.push(solver.solve(seeds, &layers, &Unobserved).unwrap());
    }
    let seeds = Seeds::new(most).unwrap();
    let start = std::time::Instant::now();
    let alone = solver.solve(seeds, &layers, &Unobserved).unwrap();
    println!("alone {:.3} s", start.elapsed().as_secs_f64());
    let mut solver = Solver::new(&AWARI, Kernel::best()).without_strategies().with_tail(u64::MAX);
    let start = std::time::Instant::now();
    solver.solve(seeds, &layers, &Unobserved).unwrap();
    println!("alone, dense, with plans {:.3} s", start.elapsed().as_secs_f64());
    std::thread::scope(|scope| {
        let mut ends = Threads::new(ranks).into_iter();
        let first = ends.next().unwrap();
        for end in ends {
            scope.spawn(move || JointSolver::new(&AWARI, Kernel::best(), &end, false).assist());
        }
        let mut solver = JointSolver::new(&AWARI, Kernel::best(), &first, false);
        let start = std::time::Instant::now();
        let found = solver.solve(seeds, &layers, &Unobserved).unwrap();
        println!("together {:.3} s", start.elapsed().as_secs_f64());
        assert!(found.low == alone.low);
        let work = solver.work();
        println!("{work:?}\n{:.3} bytes a position and sweep", work.bytes_a_position());
        solver.dismiss().unwrap();
    });
}
