//! What the lists of a company ask and tell each other.

use rayon::prelude::*;

use super::super::open::{add, load};
use super::super::search::Company;
use super::super::sweeps::{Part, Round};
use super::{List, NOTHING};
use crate::error::Result;
use crate::layer::index::Rank;
use crate::layer::line::LINE;

/// What other ranks have answered about children that they have, in the order of the questions.
pub type Answers = std::vec::IntoIter<u32>;

impl List<'_> {
    /// All ranks tell each other what is met that they have not been told. Returns whether any rank has
    /// met something.
    pub fn tell(&self, company: &dyn Company, has_met: bool, told: &mut [u64]) -> Result<bool> {
        if company.sums(&[u64::from(has_met)])? == [0] {
            return Ok(false);
        }
        let (mut news, mut lists) = (Vec::new(), self.numbers.lists());
        for (word, told) in self.numbers.own().zip(told) {
            let met = load(&self.met[word]);
            if std::mem::replace(told, met) != met {
                news.extend([word as u64, met]);
            }
        }
        let (rank, _) = company.place();
        let others = lists.iter_mut().enumerate().filter(|&(other, _)| other != rank);
        others.for_each(|(_, list)| list.clone_from(&news));
        for &[word, met] in company.trade(lists)?.iter().flat_map(|list| list.as_chunks().0) {
            add(&self.met[word as usize], met);
        }
        Ok(true)
    }

    /// Asks other ranks what stands in the list for the children that they have of the open claims in a
    /// round's parts. Returns the answers by part, in the order of
    /// [`each_elsewhere`](super::Sweeps::each_elsewhere).
    pub fn ask(&self, company: &dyn Company, round: &Round, claim: usize) -> Result<Vec<Answers>> {
        let parts = &self.sweeps.parts[round.parts.clone()];
        let Some(elsewhere) = self.sweeps.search.elsewhere else {
            return Ok(parts.iter().map(|_| Answers::default()).collect());
        };
        let layer = self.sweeps.search.layer;
        let questions = |part: &Part| {
            let mut questions = Vec::new();
            for tile in part.tiles() {
                self.sweeps.each_elsewhere(tile, claim, |_, _, child| {
                    questions.push((elsewhere.owner(child) as u32, layer.rank_at(child).0));
                });
            }
            questions
        };
        let questions: Vec<Vec<(u32, u64)>> = parts.par_iter().map(questions).collect();
        let mut lists = self.numbers.lists();
        for &(owner, child) in questions.iter().flatten() {
            lists[owner as usize].push(child);
        }
        let answer = |&child: &u64| u64::from(self.answer(child, 1 - claim));
        let answer = |asked: Vec<u64>| asked.par_iter().map(answer).collect();
        let answers = company.trade(lists)?.into_iter().map(answer).collect();
        let mut answers: Vec<_> = company.trade(answers)?.into_iter().map(Vec::into_iter).collect();
        let mut next = |(owner, _)| answers[owner as usize].next().expect("an answer") as u32;
        let of_part = |asked: Vec<(u32, u64)>| asked.into_iter().map(&mut next).collect::<Vec<_>>();
        Ok(questions.into_iter().map(of_part).map(Vec::into_iter).collect())
    }

    /// What stands in the list for a claim of a position here, which has this index.
    fn answer(&self, index: u64, claim: usize) -> u32 {
        let at = self.sweeps.search.layer.cell_at(Rank(index)).expect("an index of the layer");
        let line = self.sweeps.search.shares[at.own].line(at.row, at.column / LINE);
        let number = self.claims(at.own, line, claim).number(at.column % LINE);
        number.map_or(NOTHING, |number| self.listed(claim, number))
    }
}
