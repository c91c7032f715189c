//! prof
use oware_db::board::Seeds;
use oware_db::rules::Rules;
use oware_db::solver::ports::*;
use oware_db::solver::{Kernel, Solver};
use std::time::Instant;
struct O(std::sync::Mutex<Vec<u64>>);
impl Observer for O {
    fn notice(&self, e: Event) {
        if let Event::Core { seeds, proves_more } = e { println!("core {seeds} {proves_more}"); }
        if let Event::Swept { changed_lines, .. } = e {
            self.0.lock().unwrap().push(changed_lines)
        }
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let most: usize = a[1].parse().unwrap();
    let threads: usize = a[2].parse().unwrap();
    let rules = Rules::by_id(a.get(3).map_or("awari", |s| s)).unwrap();
    let kernel = match a.get(4).map(|s| s.as_str()) {
        Some("p") => Kernel::Portable,
        Some("a") => Kernel::Avx2,
        _ => Kernel::best(),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut solver = Solver::new(rules, kernel);
        let mut layers = InMemory::default();
        let t0 = Instant::now();
        for seeds in Seeds::new(most).unwrap().up_to() {
            let t = Instant::now();
            let o = O(Default::default());
            let s = solver.solve(seeds, &layers, &o).unwrap();
            let p = s.layer().positions();
            let dt = t.elapsed().as_secs_f64();
            let sw = o.0.lock().unwrap();
            if seeds.get() + 6 > most {
                println!("{seeds} {p} {:.3}s {:.1} M/s sweeps {}", dt, p as f64 / dt / 1e6, sw.len());
            }
            if seeds.get() == most {
                println!("{:?}", sw.iter().map(|&c| (c as f64 * 6400.0 / p as f64).round()).collect::<Vec<_>>());
            }
            drop(sw);
            layers.push(s);
        }
        println!("total {:.3}s", t0.elapsed().as_secs_f64());
    });
    // unit
    let src = vec![1i8; 262144];
    let mut acc = vec![-100i8; 262144];
    let t = Instant::now();
    for _ in 0..8000 {
        for (a, s) in acc.iter_mut().zip(&src) {
            *a = (*a).max(s.wrapping_neg());
        }
        std::hint::black_box(&mut acc);
    }
    println!("unit (x10) {:.3}", t.elapsed().as_secs_f64() * 10.0);
}
