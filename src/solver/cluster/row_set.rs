//! Which rows of a block have come from others, or lines of lanes, and at which place: what each
//! crossing move asks in each sweep.

use crate::layer::line::LINE;

/// Some rows of a block, or lines of its lanes, in order.
#[derive(Debug, Default)]
pub struct RowSet {
    /// By 64 rows: a bit for each that is among them, and how many come before.
    words: Vec<(u64, u32)>,
    count: usize,
}

impl RowSet {
    /// Those that are named, in any order and as often as one likes.
    pub fn new(rows: impl Iterator<Item = u32>) -> RowSet {
        let mut words: Vec<(u64, u32)> = Vec::new();
        for row in rows {
            let (word, bit) = (row as usize / LINE, row as usize % LINE);
            words.resize(words.len().max(word + 1), (0, 0));
            words[word].0 |= 1 << bit;
        }
        let mut count = 0;
        for (word, before) in &mut words {
            (*before, count) = (count, count + word.count_ones());
        }
        RowSet { words, count: count as usize }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// How many of them come before a row; `None` if it is not among them.
    pub fn place(&self, row: u32) -> Option<usize> {
        let &(word, before) = self.words.get(row as usize / LINE)?;
        let bit = 1 << (row as usize % LINE);
        (word & bit != 0).then(|| (before + (word & (bit - 1)).count_ones()) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_places_in_their_order() {
        for rows in [&[][..], &[0], &[5, 63, 64, 65, 200], &[128]] {
            let set = RowSet::new(rows.iter().rev().chain(rows).copied());
            assert_eq!(set.len(), rows.len());
            for row in 0..300 {
                assert_eq!(set.place(row), rows.binary_search(&row).ok());
            }
        }
    }
}
