//! The numbers of the opponent's open claims: rank after rank, each with whole words of bits.

use std::ops::Range;

use super::search::Company;
use crate::error::Result;
use crate::layer::line::LINE;

/// Which numbers each rank has.
pub struct Numbers {
    rank: usize,
    /// By rank: the words before its first. One more says how many there are.
    starts: Vec<usize>,
}

impl Numbers {
    /// Given how many words this rank needs.
    ///
    /// # Errors
    /// Those of the company.
    pub fn of(company: &dyn Company, words: usize) -> Result<Numbers> {
        let mut starts = vec![0];
        starts.extend(company.gather(vec![words as u64])?.iter().scan(0, |start, &words| {
            *start += words as usize;
            Some(*start)
        }));
        Ok(Numbers { rank: company.place().0, starts })
    }

    /// How many words all ranks have.
    pub fn words(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// The words that are this rank's.
    pub fn own(&self) -> Range<usize> {
        self.starts[self.rank]..self.starts[self.rank + 1]
    }

    /// The place of a number among those of this rank, if it is one of them.
    #[inline(always)]
    pub fn here(&self, number: u32) -> Option<usize> {
        let Range { start, end } = self.own();
        let number = number as usize;
        (start * LINE..end * LINE).contains(&number).then(|| number - start * LINE)
    }

    /// The rank that has a number.
    pub fn owner(&self, number: u32) -> usize {
        self.starts.partition_point(|&start| start <= number as usize / LINE) - 1
    }

    /// Lists for all ranks, which begin empty.
    pub fn lists(&self) -> Vec<Vec<u64>> {
        self.starts[1..].iter().map(|_| Vec::new()).collect()
    }
}
