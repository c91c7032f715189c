//! Which frames of some files are in memory, where it is known in advance when each is wanted.
//!
//! A *timetable* says of each step of some work which *frames* it touches, stretches of files that
//! are all of one length; after the last step the first comes again. Since all that will come is
//! known, what leaves to make room is what is wanted again last, which is the best that can be done
//! (Belady 1966). While a step is done, the frames of the next one are on their way, and those of
//! the step before stay, as a thread may still work on it.
//!
//! ```text
//!   when step 5 begins    5's and 6's frames come that are not there
//!                         4's, 5's and 6's stay
//!                         of all others those leave that are wanted again last, for want of room
//! ```
//!
//! Invariant: nothing comes if more frames than there is room for would be there or on their way.
//! Where three steps want more, what has no room is left out, and comes when it is touched.

use std::cmp::Reverse;
use std::ops::Range;

use bitvec::prelude::{BitSlice, BitVec, bitvec};

/// What one step touches.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedStep {
    /// Frames that are read or written.
    pub used: BitVec,
    /// Frames that are changed here and there, or not at all.
    pub changed: BitVec,
    /// Frames that are written.
    pub written: BitVec,
}

/// What is done with what is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// It is read.
    Read,
    /// It is read, and changed here and there.
    Change,
    /// It is written.
    Write,
}

impl PlannedStep {
    /// One that touches none of this many frames.
    pub fn new(frames: usize) -> PlannedStep {
        let none = bitvec![0; frames];
        PlannedStep { used: none.clone(), changed: none.clone(), written: none }
    }

    /// Notes that it touches some frames.
    pub fn touch(&mut self, frames: Range<usize>, touch: Touch) {
        self.used[frames.clone()].fill(true);
        match touch {
            Touch::Read => {}
            Touch::Change => self.changed[frames].fill(true),
            Touch::Write => self.written[frames].fill(true),
        }
    }
}

/// Frames that leave when a step begins, and those that come, for this step and for the next.
type StepMoves = [BitVec; 2];

/// Steps, and the frames that are there.
#[derive(Debug)]
pub struct Timetable {
    steps: Vec<PlannedStep>,
    /// What [`waits`] says of them.
    waits: Vec<Vec<u32>>,
    /// When each frame that has been used is wanted again, counted from the beginning of the first
    /// round.
    next: Vec<usize>,
    /// Frames that are there, or on their way.
    pub there: BitVec,
    /// Steps that have begun.
    begun: usize,
}

/// By step, and for each frame that it uses, in order: after how many steps the frame is used again.
fn waits(steps: &[PlannedStep]) -> Vec<Vec<u32>> {
    let mut next = vec![0; steps[0].used.len()];
    let mut waits = vec![Vec::new(); steps.len()];
    // Two rounds, for the next use of a frame may be in the one that follows.
    for time in (0..2 * steps.len()).rev() {
        let frames = steps[time % steps.len()].used.iter_ones();
        let wait =
            |frame: usize| std::mem::replace(&mut next[frame], time).wrapping_sub(time) as u32;
        waits[time % steps.len()] = frames.map(wait).collect();
    }
    waits
}

impl Timetable {
    /// One of these steps, of which there must be some. No frame is there.
    pub fn new(steps: Vec<PlannedStep>) -> Timetable {
        let (waits, frames) = (waits(&steps), steps[0].used.len());
        let (next, there) = (vec![0; frames], bitvec![0; frames]);
        Timetable { steps, waits, next, there, begun: 0 }
    }

    /// Begins again with nothing there, before the first step.
    pub fn reset(&mut self) {
        self.there.fill(false);
        self.begun = 0;
    }

    /// The number of the step that began last.
    pub fn current(&self) -> Option<usize> {
        Some(self.begun.checked_sub(1)? % self.steps.len())
    }

    /// Whether the last step has begun, and the first comes next.
    pub fn is_at_end(&self) -> bool {
        self.begun.is_multiple_of(self.steps.len())
    }

    /// The step that begins next.
    pub fn upcoming(&self) -> &PlannedStep {
        self.at(self.begun)
    }

    fn at(&self, time: usize) -> &PlannedStep {
        &self.steps[time % self.steps.len()]
    }

    /// Begins the next step, with room for this many frames.
    pub fn begin(&mut self, room: usize) -> StepMoves {
        let now = self.begun;
        self.begun += 1;
        let used = self.at(now).used.clone();
        for (frame, &wait) in used.iter_ones().zip(&self.waits[now % self.steps.len()]) {
            self.next[frame] = now + wait as usize;
        }
        let mut stay = used.clone();
        if let Some(before) = now.checked_sub(1) {
            stay |= &self.at(before).used;
        }
        let mut moves = [(); 2].map(|()| bitvec![0; stay.len()]);
        self.shrink(room, &stay, &mut moves);
        self.come(used, room, &stay, &mut moves);
        let soon = self.at(now + 1).used.clone();
        stay |= &soon;
        self.come(soon, room, &stay, &mut moves);
        moves
    }

    /// Has frames come that are not there, while there is room.
    fn come(&mut self, frames: BitVec, room: usize, stay: &BitSlice, moves: &mut StepMoves) {
        let absent = frames & !self.there.clone();
        let wanted = absent.count_ones();
        self.shrink(room.saturating_sub(wanted), stay, moves);
        let left = room.saturating_sub(self.there.count_ones());
        for frame in absent.iter_ones().take(left) {
            self.there.set(frame, true);
            moves[1].set(frame, true);
        }
    }

    /// Has frames leave that need not stay until no more than `most` are there, those that are wanted
    /// last before others.
    fn shrink(&mut self, most: usize, stay: &BitSlice, moves: &mut StepMoves) {
        let excess = self.there.count_ones().saturating_sub(most);
        if excess == 0 {
            return;
        }
        let mut leaving: Vec<usize> =
            (self.there.clone() & !stay.to_bitvec()).iter_ones().collect();
        if leaving.len() > excess {
            let last_first = |&frame: &usize| Reverse((self.next[frame], frame));
            leaving.select_nth_unstable_by_key(excess, last_first);
            leaving.truncate(excess);
        }
        for frame in leaving {
            self.there.set(frame, false);
            moves[0].set(frame, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dice;

    /// Steps that read these frames of this many.
    fn reading<const N: usize>(frames: usize, steps: [&[usize]; N]) -> Vec<PlannedStep> {
        let step = |used: &[usize]| {
            let mut step = PlannedStep::new(frames);
            used.iter().for_each(|&frame| step.used.set(frame, true));
            step
        };
        steps.into_iter().map(step).collect()
    }

    /// What leaves and what comes when a step begins.
    fn assert_begins(timetable: &mut Timetable, room: usize, leaving: &[usize], coming: &[usize]) {
        let moves = timetable.begin(room);
        assert_eq!(moves.map(|frames| frames.iter_ones().collect::<Vec<_>>()), [leaving, coming]);
    }

    #[test]
    fn what_is_wanted_last_leaves() {
        let steps = reading(7, [&[0, 1], &[2, 3], &[4], &[1], &[5], &[6], &[2]]);
        let mut timetable = Timetable::new(steps);
        let mut begins = |leaving: &[usize], coming: &[usize]| {
            assert_begins(&mut timetable, 5, leaving, coming);
        };
        begins(&[], &[0, 1, 2, 3]);
        begins(&[], &[4]);
        // Frame 0 is wanted in the next round, 1 in the next step.
        begins(&[], &[]);
        begins(&[3], &[5]);
        begins(&[4], &[6]);
        begins(&[], &[]);
        begins(&[], &[]);
        begins(&[6], &[3]);
        assert_eq!(timetable.there.iter_ones().collect::<Vec<_>>(), [0, 1, 2, 3, 5]);
    }

    #[test]
    fn what_has_no_room_is_left_out() {
        let steps = reading(6, [&[0, 1, 2], &[3, 4], &[5]]);
        let timetable = &mut Timetable::new(steps);
        assert_begins(timetable, 4, &[], &[0, 1, 2, 3]);
        assert_begins(timetable, 4, &[], &[]);
        // Of the frames of the step before, 3 came.
        assert_begins(timetable, 4, &[2], &[5]);
        assert_begins(timetable, 1, &[3], &[]);
    }

    #[test]
    fn it_begins_anew() {
        let mut timetable = Timetable::new(reading(3, [&[0], &[1], &[2]]));
        let begun = [(); 2].map(|()| timetable.begin(3));
        timetable.reset();
        assert_eq!([(); 2].map(|()| timetable.begin(3)), begun);
    }

    /// By looking at each frame in each step.
    #[test]
    fn there_is_never_more_than_there_is_room_for() {
        let frames = 50;
        let mut dice = Dice::new(1);
        for room in [1, 5, 20, 49, 50, 80] {
            let mut drawn = [[0; 6]; 30];
            drawn.as_flattened_mut().fill_with(|| dice.below(frames as u64) as usize);
            let steps = reading(frames, drawn.each_ref().map(|used| &used[..]));
            let mut timetable = Timetable::new(steps.clone());
            let mut there = vec![false; frames];
            for time in 0..100 {
                let step = &steps[time % steps.len()];
                let [leaving, coming] = timetable.begin(room);
                let at = |time: usize| &steps[time % steps.len()].used;
                let next = |frame: usize| (time + 1..).find(|&time| at(time)[frame]).unwrap();
                let stays = |frame: usize| {
                    step.used[frame] || at(time + 1)[frame] || time > 0 && at(time - 1)[frame]
                };
                for frame in leaving.iter_ones() {
                    assert!(there[frame] && !step.used[frame]);
                    there[frame] = false;
                }
                let first = leaving.iter_ones().map(next).min();
                let staying = (0..frames).filter(|&frame| there[frame] && !stays(frame));
                let last = staying.map(next).max();
                assert!(first.zip(last).is_none_or(|(first, last)| first >= last), "wanted last");
                for frame in coming.iter_ones() {
                    assert!(!there[frame]);
                    there[frame] = true;
                }
                let count = there.iter().filter(|&&there| there).count();
                assert!(count <= room);
                assert!(timetable.there.iter().by_vals().eq(there.iter().copied()));
                let wanted = step.used.iter_ones().filter(|&frame| !there[frame]).count();
                assert!(wanted == 0 || count == room || room < 18, "{room} {count} {wanted}");
            }
        }
    }
}
