//! Which frames of some files are in memory, where it is known in advance when each is wanted.
//!
//! A *timetable* says of each step of some work which *frames* it touches, stretches of files that
//! are all of one length; after the last step the first comes again. Since all that will come is
//! known, what leaves to make room is what is wanted again last, which is the best that can be done
//! (Belady 1966). While a step is done, the frames of the next one are on their way, and those of
//! the step before stay, as somebody may still work on it.
//!
//! ```text
//!   when step 5 begins    5's and 6's frames come that are not there
//!                         4's, 5's and 6's stay
//!                         of all others those leave that are wanted again last, for want of room
//! ```
//!
//! Invariant: nothing comes if more frames than there is room for would be there or on their way.
//! Where three steps want more, what has no room is left out, and comes when it is touched.

use std::collections::BinaryHeap;
use std::ops::Range;

use bitvec::prelude::{BitSlice, BitVec, Lsb0, bitvec};

/// What one step touches.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Frames that are read or written.
    pub used: BitVec<u64>,
    /// Frames that are written.
    pub written: BitVec<u64>,
}

impl Step {
    /// One that touches none of so many frames.
    pub fn new(frames: usize) -> Step {
        Step { used: bitvec![u64, Lsb0; 0; frames], written: bitvec![u64, Lsb0; 0; frames] }
    }
}

impl Step {
    /// Notes that it touches some frames.
    pub fn touch(&mut self, frames: Range<usize>, is_written: bool) {
        self.used[frames.clone()].fill(true);
        if is_written {
            self.written[frames].fill(true);
        }
    }
}

/// What is to be done when a step begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moves {
    /// Frames that leave.
    pub leaving: Vec<usize>,
    /// Frames that come, in order, for this step and for the next.
    pub coming: Vec<usize>,
}

/// Steps, and the frames that are there.
#[derive(Debug)]
pub struct Timetable {
    steps: Vec<Step>,
    /// Frames that may be there at most.
    room: usize,
    /// Frames that are there, or on their way.
    there: BitVec<u64>,
    /// How many that are.
    count: usize,
    /// When each frame that is there is wanted next.
    next: Vec<usize>,
    /// The same, the last first; entries that differ from `next` are out of date.
    queue: BinaryHeap<(usize, usize)>,
    /// Steps that have begun.
    begun: usize,
}

impl Timetable {
    /// One of these steps, of which there must be some. No frame is there.
    pub fn new(steps: Vec<Step>, room: usize) -> Timetable {
        let frames = steps[0].used.len();
        Timetable {
            steps,
            room,
            there: bitvec![u64, Lsb0; 0; frames],
            count: 0,
            next: vec![0; frames],
            queue: BinaryHeap::new(),
            begun: 0,
        }
    }

    /// Has room for so many frames from now on. What is more leaves with the next steps.
    pub fn set_room(&mut self, room: usize) {
        self.room = room;
    }

    /// Is told that nothing is there any more, and that the first step comes next.
    pub fn reset(&mut self) {
        self.there.fill(false);
        self.queue.clear();
        (self.count, self.begun) = (0, 0);
    }

    /// Frames that are there, or on their way.
    pub fn there(&self) -> &BitSlice<u64> {
        &self.there
    }

    /// The number of the step that began last.
    pub fn current(&self) -> Option<usize> {
        Some(self.begun.checked_sub(1)? % self.steps.len())
    }

    /// The step that begins next.
    pub fn upcoming(&self) -> &Step {
        self.at(self.begun)
    }

    fn at(&self, time: usize) -> &Step {
        &self.steps[time % self.steps.len()]
    }

    /// Begins the next step.
    pub fn begin(&mut self) -> Moves {
        let now = self.begun;
        self.begun += 1;
        let used = self.at(now).used.clone();
        for frame in (used.clone() & &self.there).iter_ones() {
            self.expect(frame, now);
        }
        let mut stay = used.clone();
        if let Some(before) = now.checked_sub(1) {
            stay |= &self.at(before).used;
        }
        let mut moves = Moves::default();
        self.shrink(self.room, &stay, &mut moves);
        self.come(used, now, &stay, &mut moves);
        let soon = self.at(now + 1).used.clone();
        stay |= &soon;
        self.come(soon, now, &stay, &mut moves);
        moves
    }

    /// Has frames come that are not there, while there is room.
    fn come(&mut self, frames: BitVec<u64>, now: usize, stay: &BitSlice<u64>, moves: &mut Moves) {
        for frame in (frames & !self.there.clone()).iter_ones() {
            self.shrink(self.room.saturating_sub(1), stay, moves);
            if self.count >= self.room {
                return;
            }
            self.there.set(frame, true);
            self.count += 1;
            self.expect(frame, now);
            moves.coming.push(frame);
        }
    }

    /// Notes when a frame is wanted after some step.
    fn expect(&mut self, frame: usize, step: usize) {
        let mut times = step + 1..=step + self.steps.len();
        self.next[frame] = times.find(|&time| self.at(time).used[frame]).unwrap_or(usize::MAX);
        self.queue.push((self.next[frame], frame));
    }

    /// Has frames leave that need not stay until no more than `most` are there, those that are wanted
    /// last before others.
    fn shrink(&mut self, most: usize, stay: &BitSlice<u64>, moves: &mut Moves) {
        let mut staying = Vec::new();
        while self.count > most
            && let Some((next, frame)) = self.queue.pop()
        {
            if !self.there[frame] || self.next[frame] != next {
                continue;
            }
            if stay[frame] {
                staying.push((next, frame));
                continue;
            }
            self.there.set(frame, false);
            self.count -= 1;
            moves.leaving.push(frame);
        }
        self.queue.extend(staying);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps that read these frames of so many.
    fn reading<const N: usize>(frames: usize, steps: [&[usize]; N]) -> Vec<Step> {
        let step = |used: &[usize]| {
            let mut step = Step::new(frames);
            used.iter().for_each(|&frame| step.used.set(frame, true));
            step
        };
        steps.into_iter().map(step).collect()
    }

    fn moves(leaving: &[usize], coming: &[usize]) -> Moves {
        Moves { leaving: leaving.to_vec(), coming: coming.to_vec() }
    }

    #[test]
    fn what_is_wanted_last_leaves() {
        let steps = reading(7, [&[0, 1], &[2, 3], &[4], &[1], &[5], &[6], &[2]]);
        let mut timetable = Timetable::new(steps, 5);
        assert_eq!(timetable.begin(), moves(&[], &[0, 1, 2, 3]));
        assert_eq!(timetable.begin(), moves(&[], &[4]));
        // Frame 0 is wanted in the next round, 1 in the next step.
        assert_eq!(timetable.begin(), moves(&[], &[]));
        assert_eq!(timetable.begin(), moves(&[3], &[5]));
        assert_eq!(timetable.begin(), moves(&[4], &[6]));
        assert_eq!(timetable.begin(), moves(&[], &[]));
        assert_eq!(timetable.there().iter_ones().collect::<Vec<_>>(), [0, 1, 2, 5, 6]);
        assert_eq!(timetable.begin(), moves(&[], &[]));
        assert_eq!(timetable.begin(), moves(&[6], &[3]));
    }

    #[test]
    fn what_has_no_room_is_left_out() {
        let steps = reading(6, [&[0, 1, 2], &[3, 4], &[5]]);
        let mut timetable = Timetable::new(steps, 4);
        assert_eq!(timetable.begin(), moves(&[], &[0, 1, 2, 3]));
        assert_eq!(timetable.begin(), moves(&[], &[]));
        // Of the frames of the step before, 3 came.
        assert_eq!(timetable.begin(), moves(&[2], &[5]));
        timetable.set_room(1);
        assert_eq!(timetable.begin(), moves(&[3], &[]));
    }

    #[test]
    fn it_begins_anew() {
        let mut timetable = Timetable::new(reading(3, [&[0], &[1], &[2]]), 3);
        let begun = [(); 2].map(|()| timetable.begin());
        timetable.reset();
        assert_eq!([(); 2].map(|()| timetable.begin()), begun);
    }

    /// By looking at each frame in each step.
    #[test]
    fn there_is_never_more_than_there_is_room_for() {
        let frames = 50;
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        for room in [1, 5, 20, 49, 50, 80] {
            let steps: Vec<Step> = (0..30)
                .map(|_| {
                    let mut step = Step::new(frames);
                    (0..6).for_each(|_| step.used.set(random(frames), true));
                    step
                })
                .collect();
            let mut timetable = Timetable::new(steps.clone(), room);
            let mut there = vec![false; frames];
            for time in 0..100 {
                let step = &steps[time % steps.len()];
                let moves = timetable.begin();
                for frame in moves.leaving {
                    assert!(there[frame] && !step.used[frame]);
                    there[frame] = false;
                }
                for frame in moves.coming {
                    assert!(!there[frame]);
                    there[frame] = true;
                }
                let count = there.iter().filter(|&&there| there).count();
                assert!(count <= room);
                assert!(timetable.there().iter().by_vals().eq(there.iter().copied()));
                let wanted = step.used.iter_ones().filter(|&frame| !there[frame]).count();
                assert!(wanted == 0 || count == room || room < 18, "{room} {count} {wanted}");
            }
        }
    }
}
