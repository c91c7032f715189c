//! x
use oware_db::board::Seeds;
use oware_db::rules::*;
use oware_db::solver::ports::{Event, InMemory, Observer};
use oware_db::solver::{Kernel, Solver};
struct T;
impl Observer for T { fn notice(&self, e: Event) { eprintln!("{e:?}"); } }
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let rules = Rules::by_id(&a[1]).unwrap();
    let n: usize = a[2].parse().unwrap();
    let tail: u64 = a[3].parse().unwrap();
    let k = Kernel::available()[a[4].parse::<usize>().unwrap()];
    let mut s = Solver::new(rules, k).with_tail(tail);
    let mut l = InMemory::default();
    for seeds in Seeds::new(n).unwrap().up_to() { let x = s.solve(seeds, &l, &T).unwrap(); 
      let sum: i64 = x.low.stretches().flatten().map(|&s| i64::from(s)).sum();
      eprintln!("{seeds}: sum {sum}");
      l.push(x); }
}
