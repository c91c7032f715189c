//! A fact published with the score database of Awari (DOI 10.48338/vu01-11wjke): the position
//! `1 1 1 1 1 2 4 2 3 0 0 0` is worth 0, and its six moves −1 −1 −2 −2 −2 0.

use oware_db::game::{AWARI, Board, Seeds, legal_moves};
use oware_db::probe::{Prober, Tables};
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::table::{WriteOptions, write};

const BOARD: [u8; 12] = [1, 1, 1, 1, 1, 2, 4, 2, 3, 0, 0, 0];
const MOVES: [i8; 6] = [-1, -1, -2, -2, -2, 0];

/// The layers of Awari that the position needs.
fn solve() -> InMemory {
    let mut solver = Solver::new(&AWARI, Kernel::best());
    let mut layers = InMemory::default();
    for seeds in Seeds::new(16).expect("a number of seeds").up_to() {
        let solved = solver.solve(seeds, &layers, &Unobserved).expect("solved");
        layers.push(solved);
    }
    layers
}

#[test]
fn a_position_of_sixteen_seeds_has_its_published_scores() {
    let (board, layers) = (Board::new(BOARD).expect("a board"), solve());
    let score = |board: &Board| {
        let interval = layers.layers()[board.seeds().get()].interval(board).expect("in the layer");
        interval.value().expect("exact").get()
    };
    let moves: Vec<i8> = legal_moves(&AWARI, &board)
        .iter()
        .map(|found| found.captured as i8 - score(&found.next))
        .collect();
    assert_eq!((score(&board), &moves[..]), (0, &MOVES[..]));

    let dir = tempfile::tempdir().expect("a directory");
    for solved in layers.layers() {
        write(dir.path(), &AWARI, &**solved, WriteOptions::default()).expect("written");
    }
    let tables = Tables::open(dir.path()).expect("opened");
    let mut prober = Prober::new(&tables, &AWARI);
    let mut scored = prober.moves(&board).expect("probed");
    assert_eq!(prober.interval(&board).expect("probed").value().expect("exact").get(), 0);
    assert_eq!(scored[0].played.house.letter(), 'F');
    scored.sort_by_key(|found| found.played.house);
    let probed: Vec<i8> =
        scored.iter().map(|found| found.interval.value().expect("exact").get()).collect();
    assert_eq!(probed, MOVES);
}
