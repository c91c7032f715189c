//! The agenda of a pair: which positions are asked for at which turn.

use super::visit::{Asked, Slot};

/// Positions by turn.
pub struct Agenda {
    /// By turn: the last entry.
    heads: Vec<u32>,
    /// A bit for each turn that has had one since it was last asked in vain.
    busy: Vec<u64>,
    /// Each with the one before of the same turn.
    entries: Vec<(Slot, Asked, u32)>,
}

/// No entry.
const END: u32 = u32::MAX;

impl Agenda {
    /// An empty one for this many turns.
    pub fn new(turns: usize) -> Agenda {
        let busy = vec![0; turns.div_ceil(64)];
        Agenda { heads: vec![END; turns], busy, entries: Vec::new() }
    }

    /// Asks for a position at a turn.
    pub fn push(&mut self, turn: u32, slot: Slot, asked: Asked) {
        let head = std::mem::replace(&mut self.heads[turn as usize], self.entries.len() as u32);
        self.entries.push((slot, asked, head));
        self.busy[turn as usize / 64] |= 1 << (turn % 64);
    }

    /// Takes a position of a turn.
    pub fn pop(&mut self, turn: u32) -> Option<(Slot, Asked)> {
        let Some(&(slot, asked, next)) = self.entries.get(self.heads[turn as usize] as usize)
        else {
            self.busy[turn as usize / 64] &= !(1 << (turn % 64));
            return None;
        };
        self.heads[turn as usize] = next;
        Some((slot, asked))
    }

    /// The first turn from this one on at which a position is asked for. Where there is none, the
    /// agenda starts over.
    pub fn first_from(&mut self, turn: u32) -> Option<u32> {
        let mut word = turn as usize / 64;
        let mut bits = self.busy.get(word).map_or(0, |bits| bits & u64::MAX << (turn % 64));
        while bits == 0 {
            word += 1;
            let Some(&next) = self.busy.get(word) else {
                self.entries.clear();
                return None;
            };
            bits = next;
        }
        Some(word as u32 * 64 + bits.trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(column: u32) -> Slot {
        Slot { plane: 0, block: 0, row: 0, column }
    }

    fn columns(agenda: &mut Agenda, turn: u32) -> Vec<u32> {
        std::iter::from_fn(|| agenda.pop(turn)).map(|(slot, _)| slot.column).collect()
    }

    #[test]
    fn positions_come_at_their_turns() {
        let mut agenda = Agenda::new(300);
        for (turn, column) in [(5, 1), (299, 2), (64, 3), (5, 4)] {
            agenda.push(turn, slot(column), Asked::Better(0));
        }
        assert_eq!(agenda.first_from(0), Some(5));
        assert_eq!(columns(&mut agenda, 5), [4, 1]);
        assert_eq!((agenda.first_from(6), agenda.first_from(65)), (Some(64), Some(299)));
        agenda.push(70, slot(7), Asked::Anew(1));
        assert_eq!(columns(&mut agenda, 64), [3]);
        assert_eq!(agenda.first_from(65), Some(70));
        assert_eq!((columns(&mut agenda, 70), columns(&mut agenda, 299)), (vec![7], vec![2]));
        assert_eq!(agenda.first_from(0), None);
        assert!(agenda.entries.is_empty() && agenda.heads.iter().all(|&head| head == END));
        agenda.push(5, slot(8), Asked::Better(0));
        assert_eq!((agenda.first_from(0), columns(&mut agenda, 5)), (Some(5), vec![8]));
    }
}
