//! Looking for puzzles: positions of the layers in an order that a seed determines, until there are
//! enough of each kind.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use rayon::prelude::*;

use crate::error::Result;
use crate::game::{Board, Rules, Seeds};
use crate::layer::{Layer, Rank};
use crate::pool::Pool;
use crate::probe::{Line, Prober, Tables};
use crate::random::{Dice, Permutation};

use super::puzzle::{Puzzle, PuzzleKind};
use crate::cli::options::require_strategies;
use crate::cli::stats::longest_wins;

/// Positions that are looked at at a time.
const PIECE: usize = 1 << 12;

/// Where puzzles are looked for.
pub struct Mine<'t> {
    pub tables: &'t Tables,
    pub rules: &'static Rules,
    pub seeds: RangeInclusive<usize>,
    pub seed: u64,
    /// Moves of a solution, at most, but for the longest wins.
    pub moves: usize,
}

/// A puzzle that was found, what it is about, and its solution.
pub struct FoundPuzzle {
    pub kind: PuzzleKind,
    pub puzzle: Puzzle,
    pub line: Line,
}

impl Mine<'_> {
    /// Returns this many puzzles of each kind, or all that there are, shuffled.
    pub fn dig(&self, wanted: &[(PuzzleKind, usize)]) -> Result<Vec<FoundPuzzle>> {
        let most = Seeds::new(*self.seeds.end()).expect("a layer");
        require_strategies(self.tables, self.rules, most.up_to())?;
        let (last, drawn): (Vec<_>, Vec<_>) =
            wanted.iter().copied().partition(|&(kind, _)| kind == PuzzleKind::LongestWin);
        let mut haul = Haul { wanted: last, moves: self.moves, ..Haul::default() };
        if !haul.is_full() {
            self.add_longest(&mut haul)?;
        }
        haul.wanted = drawn;
        self.add_drawn(&mut haul)?;
        let order = Permutation::new(haul.found.len() as u64, Dice::new(self.seed).number());
        let mut found: Vec<Option<FoundPuzzle>> = haul.found.into_iter().map(Some).collect();
        let at = (0..order.size()).map(|place| order.at(place) as usize);
        Ok(at.map(|at| found[at].take().expect("a shuffle has each once")).collect())
    }

    /// Adds wins that take longest, of each layer in turn, the largest first.
    fn add_longest(&self, haul: &mut Haul) -> Result<()> {
        let most = Seeds::new(*self.seeds.end()).expect("a layer");
        let layers = longest_wins(self.tables, self.rules, most)?;
        let layers = &layers[*self.seeds.start()..];
        let mut prober = Prober::new(self.tables, self.rules);
        for place in 0..layers.iter().map(Vec::len).max().unwrap_or_default() {
            for &board in layers.iter().rev().filter_map(|boards| boards.get(place)) {
                haul.add(Puzzle::of(&mut prober, board)?, &mut prober)?;
            }
        }
        Ok(())
    }

    /// Adds puzzles among positions that are drawn from all layers in turn, none twice.
    fn add_drawn(&self, haul: &mut Haul) -> Result<()> {
        let mut candidates = self.candidates();
        let probers = Pool::new(|| Prober::for_many(self.tables, self.rules));
        let mut prober = Prober::new(self.tables, self.rules);
        while !haul.is_full() {
            let piece: Vec<Board> = candidates.by_ref().take(PIECE).collect();
            if piece.is_empty() {
                break;
            }
            let puzzles: Vec<Option<Puzzle>> = piece
                .into_par_iter()
                .map(|board| probers.with(|prober| Puzzle::of(prober, board)))
                .collect::<Result<_>>()?;
            for puzzle in puzzles {
                haul.add(puzzle, &mut prober)?;
            }
        }
        Ok(())
    }

    /// Returns the positions of all layers, each layer's in an order of its own.
    fn candidates(&self) -> impl Iterator<Item = Board> + use<> {
        let mut dice = Dice::new(self.seed);
        let layers = self.seeds.clone().map(|seeds| {
            let layer = Layer::of(self.rules, Seeds::new(seeds).expect("a layer"));
            (layer, Permutation::new(layer.positions(), dice.number()))
        });
        let layers: Vec<(Layer, Permutation)> = layers.collect();
        let most = layers.iter().map(|(layer, _)| layer.positions()).max().unwrap_or_default();
        let boards = move |at: u64| {
            let has_more = layers.iter().filter(move |(layer, _)| at < layer.positions());
            let board = |(layer, ranks): &(Layer, Permutation)| {
                layer.position(Rank(ranks.at(at))).expect("a rank of the layer")
            };
            has_more.map(board).collect::<Vec<Board>>()
        };
        (0..most).flat_map(boards)
    }
}

/// What has been found, and what is still wanted.
#[derive(Default)]
struct Haul {
    /// How many of each kind, the rarest kind first.
    wanted: Vec<(PuzzleKind, usize)>,
    moves: usize,
    found: Vec<FoundPuzzle>,
    seen: BTreeSet<[u8; 12]>,
}

impl Haul {
    fn is_full(&self) -> bool {
        self.wanted.iter().all(|&(_, count)| count == 0)
    }

    /// Takes a puzzle, if one of its kinds is wanted.
    fn add(&mut self, puzzle: Option<Puzzle>, prober: &mut Prober) -> Result<()> {
        let Some(puzzle) = puzzle else { return Ok(()) };
        let rules = prober.rules();
        let is_wanted =
            |(kind, count): &&mut (PuzzleKind, usize)| *count > 0 && puzzle.is(*kind, rules);
        let Some((kind, count)) = self.wanted.iter_mut().find(is_wanted) else { return Ok(()) };
        let Some(line) = puzzle.solution(prober)? else { return Ok(()) };
        let is_short = line.moves.len() <= self.moves || *kind == PuzzleKind::LongestWin;
        if is_short && self.seen.insert(puzzle.board.houses()) {
            *count -= 1;
            self.found.push(FoundPuzzle { kind: *kind, puzzle, line });
        }
        Ok(())
    }
}
