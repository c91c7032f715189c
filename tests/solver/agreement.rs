//! Ranks that do not come to the same: they end, and say which one it is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use oware_db::error::{Error, Result};
use oware_db::game::{AWARI, Seeds};
use oware_db::solver::cluster::JointSolver;
use oware_db::solver::cluster::transport::{Session, Transport};
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};

use crate::solver::tests::threads::Threads;

/// A rank that takes the first "no" that it hears of the leader for something else, without a
/// difference to what it does.
struct HardOfHearing {
    end: Threads,
    has_misheard: AtomicBool,
}

impl Transport for HardOfHearing {
    fn rank(&self) -> usize {
        self.end.rank()
    }

    fn ranks(&self) -> usize {
        self.end.ranks()
    }

    fn session(&self, work: &mut dyn FnMut(&dyn Session) -> Result<()>) -> Result<()> {
        work(self)
    }
}

impl Session for HardOfHearing {
    fn send(&self, to: usize, bytes: Vec<u8>) -> Result<()> {
        self.end.send(to, bytes)
    }

    fn receive(&self, from: usize, bytes: usize) -> Result<Vec<u8>> {
        let message = self.end.receive(from, bytes)?;
        let is_no = from == 0 && message == [0];
        Ok(if is_no && !self.has_misheard.swap(true, Ordering::Relaxed) {
            vec![2]
        } else {
            message
        })
    }
}

#[test]
fn a_rank_that_comes_to_something_else_ends_the_layer_on_all_ranks() {
    let most = Seeds::new(6).unwrap();
    let (mut solver, mut layers) = (Solver::new(&AWARI, Kernel::best()), InMemory::default());
    for seeds in Seeds::new(5).unwrap().up_to() {
        layers.push(solver.solve(seeds, &layers, &Unobserved).unwrap());
    }
    for deaf in [1, 2] {
        let mut ends = Threads::new(3).into_iter();
        let first = ends.next().unwrap();
        let layers = &layers;
        let found = thread::scope(|scope| {
            let assist = |end: Threads| {
                let has_misheard = AtomicBool::new(end.rank() != deaf);
                let end = HardOfHearing { end, has_misheard };
                scope.spawn(move || {
                    JointSolver::new(&AWARI, Kernel::best(), &end, true).assist(&|_| Ok(()))
                })
            };
            let others: Vec<_> = ends.map(assist).collect();
            let mut leader = JointSolver::new(&AWARI, Kernel::best(), &first, true);
            let found = leader.solve(most, layers, &Unobserved).map(drop);
            let others = others.into_iter().map(|other| other.join().unwrap());
            std::iter::once(found).chain(others).collect::<Vec<_>>()
        });
        assert_eq!(found.len(), 3);
        for rank in found {
            let Err(error @ Error::RanksDisagree { rank, seeds: 6 }) = rank else {
                panic!("{rank:?}")
            };
            assert!(rank == deaf && error.to_string().contains(&format!("MPI process {deaf} and")));
        }
    }
}
