//! The end of a solve on all ranks, from change to change: the twin of [`crate::solver::tail`].
//!
//! ```text
//!   for each pair that some rank has visits for:
//!     all ranks    trade visits: each goes to the rank that computes the parent
//!     all ranks    ask each other what they have to know to say what the visits ask for
//!     rank 0, 1 …  go through their turns, one after the other: home moves lead to the same rank or
//!                  a lower one, and visits along them to the same or a higher one
//!     all ranks    crossing moves to what has changed: visits for other pairs
//! ```
//!
//! A visit along a home move may ask what others know while the pair changes. Then its rank goes on
//! as if it had not been asked, notes what is missing, takes back all that it has changed, asks those
//! who wait for it, and begins its turns anew: until nothing is missing. What it asks for stands
//! still meanwhile: scores of other ranks before the pair, and scores of lower ranks after it. In
//! layer 18 of `awari` two ranks begin six times at most, and in most pairs once.
//!
//! # Gain
//!
//! Layers 18 of `awari` and 17 of `abapa`, without strategies, two ranks of one thread on two cores
//! (AMD EPYC, AVX-512, virtual, `tests/solver/traffic.rs`, means of three runs by turns, which
//! vary by a tenth to a third): 1.17 s with dense sweeps to the end, 0.83 s with this; 1.52 and 0.99 s.
//! Ranks send 0.40 bytes a position and sweep instead of 0.71 and 0.64, in two thirds of the messages.

mod own;

use super::task::JointSweep;
use super::transport::{Purpose, Talk, Team};
use crate::error::{Error, Result};
use crate::layer::blocks::Blocks;
use crate::parallel;
use crate::solver::kernel::Change;
use crate::solver::tail::{Asked, Changed, Family, PART, PairTurns, Visit};
use own::{Own, words_of};

/// The tail begins when fewer than one in this many scores changed: later than that of one process
/// (`fixpoint::TAIL`), for one rank after the other goes through its turns. With 60
/// it took as long or longer.
pub const TAIL: u64 = 200;

/// What a rank says to those who wait for it: that questions follow.
const QUESTIONS: u64 = 0;

/// That it has gone through its turns, and visits follow.
const END: u64 = 1;

/// Rounds over the positions that have a changed child.
pub struct JointTail<'a> {
    joint: &'a JointSweep<'a>,
    family: Family<'a>,
    turns: PairTurns,
    /// By pair and by the rank that computes the parents: visits along crossing moves, to be made
    /// when the pair is next gone through, as they travel.
    visits: Vec<Vec<Vec<u64>>>,
}

impl<'a> JointTail<'a> {
    /// What a dense sweep of this many planes has left to do, which made these changes on this rank.
    pub fn new(joint: &'a JointSweep<'a>, planes: usize, changes: Vec<Change>) -> JointTail<'a> {
        let family = Family::new(&joint.sweep, planes);
        let turns = PairTurns::new(family.turns());
        let visits = vec![vec![Vec::new(); joint.cut.ranks()]; joint.lists.len()];
        let mut tail = JointTail { joint, family, turns, visits };
        let find = |part| tail.family.visits_left(part);
        let parts = parallel::map_of(changes.chunks(PART), find);
        tail.announce(parts);
        tail
    }

    fn announce(&mut self, parts: Vec<Vec<Visit>>) {
        for visit in parts.into_iter().flatten() {
            let pair = &mut self.visits[self.joint.sweep.plan.pair(visit.parent.block.into())];
            pair[self.joint.computer(visit.parent)].extend(words_of(&visit));
        }
    }

    /// One round: changes what the next dense sweep would change. Returns how many scores that is on
    /// this rank.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the leader's observer asks for it, and those of [`Team`].
    pub fn sweep(&mut self, team: &Team, planes: &mut [Blocks]) -> Result<u64> {
        let mut count = 0;
        for pair in 0..self.visits.len() {
            let waiting: usize = self.visits[pair].iter().map(Vec::len).sum();
            let stop = self.joint.sweep.observer.interrupted();
            let sums = team.sums(&[waiting as u64, stop.into()])?;
            if sums[1] > 0 {
                return Err(Error::Interrupted);
            }
            if sums[0] > 0 {
                let changed = team.session(|talk| self.run_pair(talk, pair, planes))?;
                count += changed.len() as u64;
                let find = |part| self.family.visits_of(part);
                let parts = parallel::map_of(changed.chunks(PART), find);
                self.announce(parts);
            }
        }
        Ok(count)
    }

    /// Goes through a pair. Returns what has changed on this rank.
    fn run_pair(
        &mut self,
        talk: &Talk,
        pair: usize,
        planes: &mut [Blocks],
    ) -> Result<Vec<Changed>> {
        let JointTail { joint, family, turns, visits, .. } = self;
        let visits = visits[pair].iter_mut().map(std::mem::take).collect();
        let heard = talk.trade(visits, Purpose::Crossing)?;
        let visits: Vec<Visit> = heard.iter().flat_map(|words| own::visits(words)).collect();
        let strays = joint.strays(talk, pair, planes, Purpose::Crossing)?;
        let mut own = Own {
            joint,
            family,
            planes,
            strays,
            late: Default::default(),
            known: Default::default(),
            missing: Default::default(),
            elsewhere: Vec::new(),
            done: Vec::new(),
        };
        visits.iter().for_each(|visit| own.prepare(visit));
        own.ask_all(talk)?;
        let asked = |visit: &Visit| family.asked(visit, &own).map(|asked| (*visit, asked));
        let asked = |part: &[Visit]| part.iter().filter_map(asked).collect::<Vec<_>>();
        let mut asked = parallel::map_of(visits.chunks(PART), asked).concat();
        let mut changed = Vec::new();
        for active in 0..joint.cut.ranks() {
            if active == joint.rank {
                changed = own.take_turns(talk, turns, &asked)?;
            } else {
                own.wait_for(talk, active, &mut asked)?;
            }
        }
        if let Some(beside) = joint.beside(pair) {
            for (stray, plane) in own.strays.planes.iter().zip(&mut *own.planes) {
                beside.give_back(talk, stray, plane)?;
            }
        }
        Ok(changed)
    }
}

impl Own<'_, '_> {
    /// All ranks at once: asks others what is missing, and answers them.
    fn ask_all(&mut self, talk: &Talk) -> Result<()> {
        let rank = self.joint.rank;
        let asked = self.questions();
        let heard = talk.trade(asked.clone(), Purpose::Crossing)?;
        for (to, questions) in heard.iter().enumerate().filter(|&(to, _)| to != rank) {
            talk.send(to, self.answers(questions), Purpose::Crossing)?;
        }
        self.learn_all(talk, &asked)
    }

    /// What is missing, by the rank that knows it. From now on it is not missing any more.
    fn questions(&mut self) -> Vec<Vec<u64>> {
        let mut questions = vec![Vec::new(); self.joint.cut.ranks()];
        for question in self.missing.drain() {
            questions[self.joint.asked(question)].push(question);
        }
        questions
    }

    fn learn_all(&mut self, talk: &Talk, asked: &[Vec<u64>]) -> Result<()> {
        for (from, questions) in asked.iter().enumerate() {
            let answers = talk.receive(from, questions.len())?.into_iter().map(u8::cast_signed);
            self.known.extend(questions.iter().copied().zip(answers));
        }
        Ok(())
    }

    /// Goes through the turns of this rank, while all others wait for it.
    fn take_turns(
        &mut self,
        talk: &Talk,
        turns: &mut PairTurns,
        asked: &[(Visit, Asked)],
    ) -> Result<Vec<Changed>> {
        loop {
            asked.iter().for_each(|(visit, asked)| turns.push(visit.turn, visit.parent, *asked));
            let changed = turns.go_through(self.family, self)?;
            if self.missing.is_empty() {
                self.end_turns(talk)?;
                return Ok(changed);
            }
            self.take_back();
            let asked = self.questions();
            for (to, questions) in asked.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
                let words = [&[QUESTIONS], &questions[..]].concat();
                talk.send_list(to, &words, Purpose::Crossing)?;
            }
            self.learn_all(talk, &asked)?;
        }
    }

    /// Tells the others, and gives them their visits.
    fn end_turns(&mut self, talk: &Talk) -> Result<()> {
        let mut visits = vec![vec![END]; self.joint.cut.ranks()];
        for visit in self.elsewhere.drain(..) {
            visits[self.joint.computer(visit.parent)].extend(words_of(&visit));
        }
        let mut others = visits.iter().enumerate().filter(|&(to, _)| to != self.joint.rank);
        others.try_for_each(|(to, visits)| talk.send_list(to, visits, Purpose::Crossing))
    }

    /// Answers a rank until it has gone through its turns, and takes its visits.
    fn wait_for(
        &mut self,
        talk: &Talk,
        active: usize,
        asked: &mut Vec<(Visit, Asked)>,
    ) -> Result<()> {
        loop {
            let said = talk.receive_list(active)?;
            let (what, said) = said.split_first().expect("what it is");
            if *what == QUESTIONS {
                talk.send(active, self.answers(said), Purpose::Home)?;
                continue;
            }
            let child = |visit: Visit| (visit, Asked::Child { old: visit.old, new: visit.new });
            asked.extend(own::visits(said).map(child));
            return Ok(());
        }
    }
}
