//! Layers larger than memory: whatever is kept elsewhere, the scores are the same.

use std::sync::Arc;

use oware_db::error::Result;
use oware_db::game::{Rules, SHEETS, Seeds};
use oware_db::layer::{Excerpt, Layer, Solved, span};
use oware_db::solver::{Bound, InMemory, Kernel, Layers, Lower, Solver, Streamed, Unobserved};

/// A solved layer that is handed out block by block.
struct Copied(Arc<Solved>);

impl Streamed for Copied {
    fn layer(&self) -> Layer {
        self.0.layer()
    }

    fn is_exact(&self) -> bool {
        self.0.high.is_none()
    }

    fn read(&self, bound: Bound, excerpt: &mut Excerpt) -> Result<()> {
        let plane = match bound {
            Bound::Low => &self.0.low,
            Bound::High => self.0.high(),
        };
        let span = span(self.layer(), excerpt.held());
        let bytes = &plane.blocks().bytes()[span.start as usize..span.end as usize];
        excerpt.bytes_mut().copy_from_slice(bytes);
        Ok(())
    }
}

/// Layers of which none is in memory as a whole.
struct Elsewhere<'a>(&'a InMemory);

impl Layers for Elsewhere<'_> {
    fn solved(&self, seeds: Seeds) -> Result<Arc<Solved>> {
        self.0.solved(seeds)
    }

    fn lower(&self, seeds: Seeds) -> Result<Lower> {
        Ok(Lower::Streamed(Arc::new(Copied(self.0.solved(seeds)?))))
    }
}

fn layers(rules: &'static Rules, most: usize) -> InMemory {
    let (mut solver, mut layers) = (Solver::new(rules, Kernel::best()), InMemory::default());
    for seeds in Seeds::new(most).unwrap().up_to() {
        layers.push(solver.solve(seeds, &layers, &Unobserved).unwrap());
    }
    layers
}

fn assert_same(found: &Solved, expected: &Solved) {
    let (rules, what) = (found.layer(), "everything that is written");
    assert!(found.low == expected.low && found.high == expected.high, "{rules:?}: {what}");
    assert!(found.strategy == expected.strategy && found.attained == expected.attained, "{what}");
}

/// One block at a time, some, and all.
#[test]
fn lower_layers_may_be_read_in_pieces() {
    for rules in SHEETS {
        let layers = layers(rules, 9);
        for window in [0, 20_000, u64::MAX] {
            let mut solver = Solver::new(rules, Kernel::best()).with_window(window);
            for expected in layers.layers() {
                let seeds = expected.layer().seeds();
                let found = solver.solve(seeds, &Elsewhere(&layers), &Unobserved).unwrap();
                assert_same(&found, expected);
            }
        }
    }
}
