//! The order in which moves are searched.

use arrayvec::ArrayVec;

use crate::game::{HOUSES, House, Move, Moves};

/// What the search has learnt about moves.
#[derive(Clone, Debug)]
pub struct Order {
    /// The last two quiet moves that caused a cutoff, by ply.
    killers: Vec<[Option<House>; 2]>,
    /// How much quiet moves have cut off, by who moves (the root's mover first) and house.
    history: [[u32; HOUSES]; 2],
}

impl Order {
    /// Begins without knowledge, for lines of at most `plies` plies.
    pub fn new(plies: usize) -> Order {
        Order { killers: vec![[None; 2]; plies], history: [[0; HOUSES]; 2] }
    }

    /// Returns the moves, most promising first: the one remembered, captures by size, killers, the
    /// others by history.
    pub fn sort(&self, moves: &Moves, ply: usize, remembered: Option<House>) -> Sorted {
        Sorted(moves.iter().map(|it| (self.promise(&it, ply, remembered), it)).collect())
    }

    fn promise(&self, played: &Move, ply: usize, remembered: Option<House>) -> u32 {
        let house = Some(played.house);
        match played.captured {
            _ if house == remembered => u32::MAX,
            captured @ 1.. => u32::MAX - 100 + u32::from(captured),
            0 if self.killers[ply][0] == house => u32::MAX - 101,
            0 if self.killers[ply][1] == house => u32::MAX - 102,
            0 => self.history[ply & 1][played.house.index()],
        }
    }

    /// Remembers a move that caused a cutoff.
    pub fn record_cutoff(&mut self, played: &Move, ply: usize, depth: u32) {
        if played.captured > 0 {
            return;
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(played.house) {
            *killers = [Some(played.house), killers[0]];
        }
        let count = &mut self.history[ply & 1][played.house.index()];
        *count = (*count + depth * depth).min(1 << 30);
    }
}

/// Moves in order, sorted as far as they are asked for: those that are left, by house.
pub struct Sorted(ArrayVec<(u32, Move), HOUSES>);

impl Iterator for Sorted {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        // Of equal moves the first by house.
        let best = (0..self.0.len()).rev().max_by_key(|&at| self.0[at].0)?;
        Some(self.0.remove(best).1)
    }
}
