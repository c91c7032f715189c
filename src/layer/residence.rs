//! Mapped memory that is brought and let go by a [`Timetable`].
//!
//! Several pieces are cut into frames of one length, numbered one piece after the other. With each
//! step the system learns at once what it would otherwise find out page by page: what leaves, what
//! to read meanwhile, and that what is read now be mapped, to be written where it will be. What has
//! left goes to the disk if it was written, and out of the system's memory where that is short.
//!
//! A [`Course`] is that for work on blocks wherever they are: nothing, if they are in memory.
//! Who says so in the middle of a step ([`Course::prepare`]) finds the next one done when it begins: a
//! thread of the round's own does it meanwhile. Otherwise who begins a step does it, and the others
//! wait: two threads slept for 38 % of `awari`'s layer of 22 seeds under 241 MB.
//!
//! Nothing but time depends on it: the pieces are maps of files, and a page that is not there comes
//! when it is touched.

use std::collections::VecDeque;
use std::mem::take;
use std::ops::Range;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};

use bitvec::prelude::{BitSlice, BitVec};

use crate::layer::blocks::BlockBytes;
use crate::layer::spill::{Pages, Spill};
use crate::layer::timetable::{PlannedStep, Timetable, Touch};
use crate::pool::locked;

/// Frames of the largest piece at most.
const FRAMES: usize = 1 << 12;

/// The least length of a frame.
const LEAST: usize = 1 << 16;

/// Bytes that are brought from one look at the bound of memory to the next.
const PART: usize = 1 << 20;

/// Steps after which what was written has come to the disk, about.
const WRITING: usize = 2;

/// Work on blocks step by step, round after round; where their files are, what each step touches is
/// brought when it begins.
#[derive(Debug)]
pub struct Course(Option<Arc<Mutex<Residence>>>);

/// A round of such work. It is over when this is dropped.
#[derive(Debug)]
pub struct WorkRound {
    residence: Option<Arc<Mutex<Residence>>>,
    /// Who prepares steps.
    thread: Option<JoinHandle<()>>,
}

/// How some pieces are cut into frames.
#[derive(Clone, Debug)]
pub struct Frames {
    /// Bytes of a frame.
    length: usize,
    /// Each piece's first frame, and how many there are in all.
    firsts: Vec<usize>,
}

/// Pieces, and what is in memory of them.
#[derive(Debug)]
struct Residence {
    pieces: Vec<Arc<Pages>>,
    frames: Frames,
    timetable: Timetable,
    /// Frames whose pages are mapped.
    mapped: BitVec,
    /// Frames whose pages are mapped to be written.
    writable: BitVec,
    /// What left with each of the last steps.
    left: VecDeque<BitVec>,
    holder: usize,
    /// Calls the thread that prepares steps.
    caller: Option<Sender<()>>,
    /// Whether it is called to begin the next step, which others will come to, and has not done so.
    is_called: bool,
    /// Whether no thread has come to the step that began last.
    is_prepared: bool,
    /// Whether most pages are changed that may be.
    much_changes: bool,
}

impl Course {
    /// Work on pieces, if there are some, in the steps that `steps` makes of their frames.
    pub fn new(pieces: Vec<Arc<Pages>>, steps: impl FnOnce(&Frames) -> Vec<PlannedStep>) -> Course {
        if pieces.is_empty() {
            return Course(None);
        }
        let frames = Frames::new(pieces.iter().map(|piece| piece.len()));
        let steps = steps(&frames);
        Course(Some(Arc::new(Mutex::new(Residence::new(pieces, frames, steps)))))
    }

    /// Work in which each step touches some blocks as a whole, of all these, and writes them, too, or
    /// only reads.
    pub fn through_blocks(
        all: &[&BlockBytes],
        steps: impl Iterator<Item = Vec<usize>>,
        is_written: bool,
    ) -> Course {
        let on_disk = || all.iter().filter_map(|blocks| Some((blocks, blocks.pages()?)));
        let pieces = on_disk().map(|(_, pages)| pages.clone()).collect();
        let touch = if is_written { Touch::Write } else { Touch::Read };
        Course::new(pieces, |frames| {
            let step = |touched: Vec<usize>| {
                let mut step = frames.step();
                for (piece, (blocks, _)) in on_disk().enumerate() {
                    for stretch in touched.iter().flat_map(|&block| blocks.whole(block)) {
                        step.touch(frames.of(piece, stretch), touch);
                    }
                }
                step
            };
            steps.map(step).collect()
        })
    }

    /// Work in which each step touches one block of all these, in order.
    pub fn block_by_block(all: &[&BlockBytes], is_written: bool) -> Course {
        let count = all.first().map_or(0, |blocks| blocks.count());
        Course::through_blocks(all, (0..count).map(|block| vec![block]), is_written)
    }

    /// Begins a round.
    pub fn begin(&self) -> WorkRound {
        let residence = self.0.clone();
        let thread = residence.clone().and_then(|residence| {
            let (caller, calls) = mpsc::channel();
            locked(&residence).begin_round(caller);
            let prepare = move || calls.iter().for_each(|()| locked(&residence).prepare());
            // Without a thread steps are begun by who comes to them.
            thread::Builder::new().name("frames".into()).spawn(prepare).ok()
        });
        WorkRound { residence, thread }
    }

    /// Sets whether most pages will be changed that may be. Others are brought to be read, and who
    /// changes one after all makes it one to be written, which takes longer: but what is not changed
    /// need not be written to the disk.
    pub fn expect(&self, much_changes: bool) {
        self.get().iter_mut().for_each(|residence| residence.much_changes = much_changes);
    }

    /// Begins the next step, if it is not prepared.
    pub fn step(&self) {
        let Some(mut residence) = self.get() else { return };
        residence.is_called = false;
        if !take(&mut residence.is_prepared) {
            residence.begin_step();
        }
    }

    /// Has the next step begin meanwhile. Nothing is wanted any more of the steps before this one.
    pub fn prepare(&self) {
        let Some(mut residence) = self.get() else { return };
        residence.is_called = true;
        residence.caller.iter().for_each(|caller| _ = caller.send(()));
    }

    /// Begins the next step, and has the one after it begin meanwhile, unless it is the last one:
    /// nothing is wanted any more of the steps before.
    pub fn step_on(&self) {
        self.step();
        if self.get().is_some_and(|residence| !residence.timetable.is_at_end()) {
            self.prepare();
        }
    }

    /// Begins step after step up to the one with this number, if it is not behind.
    pub fn come_to(&self, step: usize) {
        let Some(mut residence) = self.get() else { return };
        while residence.timetable.current().is_none_or(|current| current < step) {
            residence.begin_step();
        }
    }

    /// Begins step after step up to the first one.
    pub fn restart(&self) {
        let Some(mut residence) = self.get() else { return };
        residence.begin_step();
        while residence.timetable.current() != Some(0) {
            residence.begin_step();
        }
    }

    /// Lets go of everything, for some time: nothing of it is touched again soon.
    pub fn leave(&self) {
        let Some(mut residence) = self.get() else { return };
        residence.let_go();
        residence.pieces.iter().for_each(|piece| piece.left(0..piece.len()));
    }

    fn get(&self) -> Option<MutexGuard<'_, Residence>> {
        self.0.as_deref().map(locked)
    }
}

impl Drop for WorkRound {
    fn drop(&mut self) {
        let Some(residence) = self.residence.as_deref() else { return };
        locked(residence).end_calls();
        if let Some(thread) = self.thread.take() {
            // It has nothing to say.
            let _ = thread.join();
        }
        let residence = locked(residence);
        residence.pieces.iter().for_each(|piece| piece.plan(false));
        residence.spill().end();
    }
}

impl Frames {
    /// Cuts pieces of this many bytes.
    pub fn new(pieces: impl Iterator<Item = usize> + Clone) -> Frames {
        let largest = pieces.clone().max().unwrap_or_default();
        let length = largest.div_ceil(FRAMES).next_power_of_two().max(LEAST);
        let ends = pieces.scan(0, |end, bytes| {
            *end += bytes.div_ceil(length);
            Some(*end)
        });
        Frames { length, firsts: std::iter::once(0).chain(ends).collect() }
    }

    /// A step that touches nothing.
    pub fn step(&self) -> PlannedStep {
        PlannedStep::new(self.firsts[self.firsts.len() - 1])
    }

    /// The frames that some bytes of a piece lie in.
    pub fn of(&self, piece: usize, bytes: Range<usize>) -> Range<usize> {
        let first = self.firsts[piece];
        first + bytes.start / self.length..first + bytes.end.div_ceil(self.length)
    }

    /// Stretches of neighbouring frames, by piece and in bytes of it.
    fn stretches(&self, frames: &BitSlice) -> impl Iterator<Item = (usize, Range<usize>)> {
        self.firsts.windows(2).enumerate().flat_map(move |(piece, ends)| {
            let of_piece = &frames[ends[0]..ends[1]];
            let mut at = 0;
            std::iter::from_fn(move || {
                let first = at + of_piece[at..].first_one()?;
                at = of_piece[first..].first_zero().map_or(of_piece.len(), |count| first + count);
                Some((piece, first * self.length..at * self.length))
            })
        })
    }
}

impl Residence {
    /// Of pieces of which nothing is in memory as yet. There is a piece and a step at least.
    fn new(pieces: Vec<Arc<Pages>>, frames: Frames, steps: Vec<PlannedStep>) -> Residence {
        let none = frames.step().used;
        let holder = pieces[0].spill().new_holder();
        let timetable = Timetable::new(steps);
        let (mapped, writable) = (none.clone(), none);
        Residence {
            pieces,
            frames,
            timetable,
            mapped,
            writable,
            left: VecDeque::new(),
            holder,
            caller: None,
            is_called: false,
            is_prepared: false,
            much_changes: true,
        }
    }

    fn spill(&self) -> &Spill {
        self.pieces[0].spill()
    }

    /// Begins work, mostly with the first step, for which a thread may be called to prepare others.
    fn begin_round(&mut self, caller: Sender<()>) {
        self.caller = Some(caller);
        self.pieces.iter().for_each(|piece| piece.plan(true));
        self.spill().begin();
        let given: Vec<_> = self.pieces.iter().map(|piece| piece.give_to(self.holder)).collect();
        if !given.into_iter().all(|as_it_was| as_it_was) {
            self.let_go();
        }
    }

    /// Calls the thread no more: it ends.
    fn end_calls(&mut self) {
        (self.caller, self.is_called) = (None, false);
    }

    /// Lets go of everything.
    fn let_go(&mut self) {
        self.timetable.reset();
        self.is_prepared = false;
        self.mapped.fill(false);
        self.writable.fill(false);
        self.pieces.iter().for_each(|piece| piece.let_go(0..piece.len()));
    }

    /// Begins the next step, if that is still wanted, which no thread has come to.
    fn prepare(&mut self) {
        if take(&mut self.is_called) && !self.is_prepared {
            self.is_prepared = true;
            self.begin_step();
        }
    }

    /// Begins the next step.
    fn begin_step(&mut self) {
        let room = usize::try_from(self.spill().room()).unwrap_or(usize::MAX);
        let step = self.timetable.upcoming().clone();
        let [leaving, coming] = self.timetable.begin(room / self.frames.length);
        self.each(&leaving, |piece, stretch| piece.let_go(stretch));
        self.mapped &= !leaving.clone();
        self.writable &= !leaving.clone();
        self.each(&coming, |piece, stretch| piece.fetch(stretch));
        self.forget(leaving);
        let there = step.used & &self.timetable.there;
        let changed = if self.much_changes { step.changed | step.written } else { step.written };
        let written = changed & &there & !self.writable.clone();
        let read = there & !self.mapped.clone() & !written.clone();
        self.each(&written, |piece, stretch| self.bring(piece, stretch, true));
        self.each(&read, |piece, stretch| self.bring(piece, stretch, false));
        self.mapped |= &read;
        self.mapped |= &written;
        self.writable |= &written;
    }

    /// Brings some bytes of a piece, part by part: others hold pages, too, which go meanwhile.
    fn bring(&self, piece: &Pages, stretch: Range<usize>, to_write: bool) {
        for start in stretch.clone().step_by(PART) {
            piece.bring(start..stretch.end.min(start + PART), to_write);
            // However few faults that took.
            self.spill().make_room(0);
        }
    }

    /// Says which frames have left, again and again until they should have come to the disk, but for
    /// those that are there once more.
    fn forget(&mut self, leaving: BitVec) {
        self.left.push_front(leaving);
        self.left.truncate(1 + WRITING);
        for left in &self.left {
            let gone = left.clone() & !self.timetable.there.clone();
            self.each(&gone, |piece, stretch| piece.left(stretch));
        }
    }

    fn each(&self, frames: &BitSlice, act: impl Fn(&Pages, Range<usize>)) {
        for (piece, stretch) in self.frames.stretches(frames) {
            let piece = &self.pieces[piece];
            act(piece, stretch.start..stretch.end.min(piece.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::error::Result;
    use crate::layer::spill::{Backing, Piece};

    #[test]
    fn frames_are_numbered_one_piece_after_the_other() {
        let frames = Frames::new([LEAST, 3 * LEAST - 1, 0, 1].into_iter());
        assert_eq!(frames.firsts, [0, 1, 4, 4, 5]);
        assert_eq!(frames.of(1, LEAST - 1..LEAST + 1), 1..3);
        assert_eq!(frames.of(3, 0..1), 4..5);
        let mut step = frames.step();
        [0, 1, 3, 4].iter().for_each(|&frame| step.used.set(frame, true));
        let found: Vec<_> = frames.stretches(&step.used).collect();
        let expected = [(0, 0..1), (1, 0..1), (1, 2..3), (3, 0..1)];
        let bytes = |range: Range<usize>| range.start * LEAST..range.end * LEAST;
        assert_eq!(found, expected.map(|(piece, range)| (piece, bytes(range))));
    }

    /// A disk, and memory for four frames.
    struct FourFrames;

    impl Backing for FourFrames {
        fn dir(&self, _: u64) -> Result<PathBuf> {
            Ok(std::env::temp_dir())
        }

        fn excess(&self, _: u64) -> u64 {
            0
        }

        fn room(&self) -> u64 {
            4 * LEAST as u64 / 15 * 16 + 16
        }
    }

    /// Eight steps, each of which touches a frame.
    fn frame_by_frame(piece: &Piece, touch: Touch) -> Course {
        Course::new(vec![piece.pages().clone()], |frames| {
            let step = |number| {
                let mut step = frames.step();
                step.touch(number..number + 1, touch);
                step
            };
            (0..8).map(step).collect()
        })
    }

    /// Whichever thread begins a step, and whenever: each begins once, in order.
    #[test]
    fn steps_begin_once_whether_prepared_or_not() {
        let spill = Spill::new(FourFrames);
        let mut piece = spill.piece(8 * LEAST).unwrap();
        piece.bytes_mut().iter_mut().zip(0..).for_each(|(byte, at): (_, usize)| *byte = at as u8);
        let course = frame_by_frame(&piece, Touch::Write);
        let current = || course.get().and_then(|residence| residence.timetable.current());
        for _ in 0..2 {
            let _round = course.begin();
            for number in 0..8 {
                course.step();
                assert_eq!(current(), Some(number));
                if number < 7 && number % 3 > 0 {
                    course.prepare();
                    while number % 3 > 1 && current() == Some(number) {
                        thread::yield_now();
                    }
                }
            }
        }
        drop(course);
        assert!(piece.bytes().iter().zip(0..).all(|(&byte, at): (_, usize)| byte == at as u8));
    }

    /// What is brought to be read may be written all the same, and what is changed stays.
    #[test]
    fn frames_may_change_where_it_is_not_expected() {
        let spill = Spill::new(FourFrames);
        let mut piece = spill.piece(8 * LEAST).unwrap();
        let course = frame_by_frame(&piece, Touch::Change);
        for (round, much_changes) in [true, false, false, true].into_iter().enumerate() {
            course.expect(much_changes);
            let _round = course.begin();
            for number in 0..8 {
                course.step_on();
                let frame = &mut piece.bytes_mut()[number * LEAST..][..LEAST];
                assert!(frame.iter().all(|&byte| usize::from(byte) == round));
                frame.fill(round as u8 + 1);
            }
        }
    }

    #[test]
    fn frames_of_large_pieces_are_larger() {
        assert_eq!(Frames::new([1 << 28].into_iter()).length, 1 << 16);
        assert_eq!(Frames::new([(1 << 28) + 1].into_iter()).length, 1 << 17);
    }
}
