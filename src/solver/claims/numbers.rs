//! The numbers of the opponent's open claims, and what ranks (processes that share the layer) ask
//! and tell each other about them.
//!
//! Each rank has consecutive numbers, from a multiple of 64 on, so that what is met is whole
//! words of bits for each rank. Every rank has the words of all; it sets bits of its own, and
//! learns those of others when all [`tell`].

use std::ops::Range;
use std::sync::atomic::AtomicU64;

use super::open::{add, load};
use super::search::Company;
use super::sweeps::{PairPart, Sweeps, TaskRound};
use crate::error::Result;
use crate::layer::index::{Cell, Rank};
use crate::layer::line::LINE;
use crate::parallel;

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
}

/// What others have answered about children that they have, in the order of the questions.
pub type Answers = std::vec::IntoIter<u32>;

/// All tell each other which of their numbers are `met` that they have not `told`. Returns whether any of
/// them `has_met` something.
pub fn tell(
    company: &dyn Company,
    numbers: &Numbers,
    (has_met, met): (bool, &[AtomicU64]),
    told: &mut [u64],
) -> Result<bool> {
    if company.sums(&[u64::from(has_met)])? == [0] {
        return Ok(false);
    }
    let mut news = Vec::new();
    for (word, told) in numbers.own().zip(told) {
        let now = load(&met[word]);
        if std::mem::replace(told, now) != now {
            news.extend([word as u64, now]);
        }
    }
    for &[word, now] in company.gather(news)?.as_chunks().0 {
        add(&met[word as usize], now);
    }
    Ok(true)
}

/// Asks others for what stands in their lists for the children that they have of the open claims in a
/// round's parts, and answers them. Returns the answers by part, in the order of
/// [`Sweeps::each_elsewhere`].
pub fn ask(
    company: &dyn Company,
    sweeps: &Sweeps,
    (round, claim): (&TaskRound, usize),
    answer: impl Fn(Cell) -> u32 + Sync,
) -> Result<Vec<Answers>> {
    let parts = &sweeps.parts[round.parts.clone()];
    let Some(elsewhere) = sweeps.search.elsewhere else {
        return Ok(parts.iter().map(|_| Answers::default()).collect());
    };
    let layer = sweeps.search.plan.layer;
    let questions = |part: &PairPart| {
        let mut questions = Vec::new();
        for tile in part.tiles() {
            sweeps.each_elsewhere(tile, claim, |_, _, child| {
                questions.push((elsewhere.owner(child) as u32, layer.rank_at(child).0));
            });
        }
        questions
    };
    let questions: Vec<Vec<(u32, u64)>> = parallel::map_of(parts, questions);
    let mut lists = company.lists();
    for &(owner, child) in questions.iter().flatten() {
        lists[owner as usize].push(child);
    }
    let cell = |child: &u64| layer.cell_at(Rank(*child)).expect("an index of the layer");
    let answer = |asked: Vec<u64>| {
        parallel::filled(asked.len(), 1 << 12, 0, |at| u64::from(answer(cell(&asked[at]))))
    };
    let answers = company.trade(lists)?.into_iter().map(answer).collect();
    let mut answers: Vec<_> = company.trade(answers)?.into_iter().map(Vec::into_iter).collect();
    let mut next = |(owner, _)| answers[owner as usize].next().expect("an answer") as u32;
    let of_part = |asked: Vec<(u32, u64)>| asked.into_iter().map(&mut next).collect::<Vec<_>>();
    Ok(questions.into_iter().map(of_part).map(Vec::into_iter).collect())
}
