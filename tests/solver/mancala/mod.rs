//! The games beside Oware: their moves, their layers and their tables, against independent programs
//! and against the slow solver.

mod checkpoints;
#[path = "../../data/games/facts.rs"]
mod facts;
mod guide;
mod layers;
mod leads;
mod moves;
mod openings;
mod proofs;
mod rounds;
mod small_boards;
mod tables;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use self::facts::facts;
use oware_db::game::mancala::{Layers, Sheet};
use oware_db::layer::general::{GeneralLayer, GeneralSolved};
use oware_db::solver::general::{Below, Edges, solve};

/// The sheet that a fact is about: the boards of Bao la Kujifunza are told apart by their columns.
fn sheet_of(name: &str, columns: &str) -> &'static Sheet {
    let id = if name == "bao-kujifunza" { format!("{name}-4x{columns}") } else { name.to_owned() };
    Sheet::by_id(&id).expect("a sheet")
}

fn solved(layer: GeneralLayer, below: &Below) -> GeneralSolved {
    solved_with(layer, below, Edges::Kept)
}

fn solved_with(layer: GeneralLayer, below: &Below, edges: Edges) -> GeneralSolved {
    solve(layer, below, edges, &AtomicBool::new(false)).expect("nobody stops it")
}

/// All layers up to so many seeds, with these owners. Each is solved once for all tests.
fn solved_to(layer: GeneralLayer) -> Below {
    static SOLVED: Mutex<BTreeMap<(&str, u32), Below>> = Mutex::new(BTreeMap::new());
    let mut solved = SOLVED.lock().expect("layers");
    let layers = solved.entry((layer.sheet().id, layer.owners())).or_default();
    solve_to(layer, layers);
    layers.range(..=layer.seeds()).map(|(&seeds, solved)| (seeds, solved.clone())).collect()
}

/// Solves what is missing of the layers up to one.
fn solve_to(layer: GeneralLayer, layers: &mut Below) {
    let seeds = (0..=layer.seeds()).filter(|&seeds| layer.sheet().has_layer(seeds));
    for layer in seeds.map(|seeds| layer.with_seeds(seeds)) {
        if !layers.contains_key(&layer.seeds()) {
            let found = match layer.sheet().layers {
                Layers::BySeeds => solved(layer, layers),
                Layers::Alone => solved(layer, &Below::new()),
            };
            layers.insert(layer.seeds(), found);
        }
    }
}
