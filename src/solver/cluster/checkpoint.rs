//! Checkpoints of a layer that ranks have in parts: the same bytes as those of one process.
//!
//! The leader shows the observer planes that it does not have. Whenever one is to be written, it
//! calls for it, and all ranks send it piece after piece, in the order of a whole plane; each is
//! written before the next one comes. When a checkpoint is read it deals pieces out the same way. So
//! it holds a piece, and no more. An observer may ask for planes in any order, and not for all.

use std::cell::Cell;
use std::io;

use super::seat::Seat;
use super::transport::{Purpose, from_bytes, to_bytes};
use crate::error::{Error, Result};
use crate::layer::blocks::Blocks;
use crate::layer::index::Layer;
use crate::solver::checkpoint::{Checkpoint, ShownPlane};
use crate::solver::fixpoint::{believe, last_is_possible};

/// What the leader says when no further plane is to be sent or read; else it says the number of one.
const END: u8 = u8::MAX;

/// What it says in place of the sweeps so far if there is no checkpoint.
const NONE: u64 = u64::MAX;

/// A plane that ranks have in parts.
struct Scattered<'a> {
    seat: &'a Seat<'a>,
    number: u8,
    part: &'a Blocks,
    /// What the network has failed with.
    lost: &'a Cell<Option<Error>>,
}

impl ShownPlane for Scattered<'_> {
    fn layer(&self) -> Layer {
        self.seat.plan.layer
    }

    fn write_to(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let Seat { team, shares, .. } = self.seat;
        let mut written = Ok(());
        // After an error, too, all pieces are on their way.
        let mut write = |piece: &[u8]| {
            if written.is_ok() {
                written = out.write_all(piece);
            }
        };
        let sent =
            self.seat.say(self.number).and_then(|_| shares.each_piece(team, self.part, &mut write));
        sent.map_err(|error| lose(self.lost, error))?;
        written
    }
}

/// An error of the network is no error of the file.
fn lose(lost: &Cell<Option<Error>>, error: Error) -> io::Error {
    lost.set(Some(error));
    io::ErrorKind::NotConnected.into()
}

impl<'a> Seat<'a> {
    /// Tells the others, or hears from the leader.
    pub fn say(&self, said: u8) -> Result<u8> {
        Ok(self.team.hear(&[said], Purpose::Control)?[0])
    }

    /// Offers the observer a checkpoint of settled planes, if it wants one, and asks about interruption.
    ///
    /// # Errors
    /// Those of [`Team`](super::transport::Team), and [`Error::Interrupted`] if the observer asks for it.
    pub fn offer(&self, planes: &[&Blocks]) -> Result<()> {
        if self.say(self.observer.wants_checkpoint(self.plan.layer).into())? == 1 {
            self.show(planes)?;
        }
        self.go_on()
    }

    fn show(&self, planes: &[&Blocks]) -> Result<()> {
        if !self.team.leads() {
            loop {
                match self.say(END)? {
                    END => return Ok(()),
                    plane => {
                        let part = planes[usize::from(plane)];
                        self.shares.each_piece(self.team, part, &mut |_| {})?;
                    }
                }
            }
        }
        let lost = Cell::new(None);
        let shown: Vec<Scattered> = planes
            .iter()
            .zip(0..)
            .map(|(&part, number)| Scattered { seat: self, number, part, lost: &lost })
            .collect();
        let shown = |plane: usize| &shown[plane] as &dyn ShownPlane;
        self.observer.offer(&Checkpoint {
            low: shown(0),
            high: (planes.len() > 1).then(|| shown(1)),
            sweep: self.settled,
        });
        match lost.take() {
            Some(error) => Err(error),
            None => self.say(END).map(drop),
        }
    }

    /// What the observer has kept of this layer, as each rank needs it: nothing, if what the leader deals
    /// out turns out to be of no use. Counting goes on where it was then.
    ///
    /// # Errors
    /// Those of [`Team`](super::transport::Team), and [`Error::OutOfMemory`].
    pub fn resume(&mut self) -> Result<Option<Vec<Blocks>>> {
        let (mut planes, mut sweep, lost) = (Vec::new(), NONE, Cell::new(None));
        if self.team.leads() {
            let kept = self.observer.resume(self.plan.layer.seeds(), &mut |input| {
                let mut read = Ok(());
                // After an error, too, the others wait for all pieces.
                let mut fill = |piece: &mut [u8]| {
                    if read.is_ok() {
                        read = input.read_exact(piece);
                    }
                };
                let taken = self.say(0).and_then(|_| self.take(&mut planes, &mut fill));
                let is_possible = taken.map_err(|error| lose(&lost, error))?;
                read.and(believe(is_possible))
            });
            lost.take().map_or(Ok(()), Err)?;
            self.say(END)?;
            sweep = kept.map_or(NONE, |kept| kept.sweep as u64);
        } else {
            while self.say(END)? != END {
                self.take(&mut planes, &mut |_| {})?;
            }
        }
        match from_bytes(&self.team.hear(&to_bytes(&[sweep]), Purpose::Control)?)[0] {
            NONE => Ok(None),
            sweep => {
                self.sweep = sweep as usize;
                Ok(Some(planes))
            }
        }
    }

    /// Takes the next plane. Returns whether all ranks find that it may be the layer's.
    fn take(&self, planes: &mut Vec<Blocks>, fill: &mut dyn FnMut(&mut [u8])) -> Result<bool> {
        planes.push(self.shares.scatter(self.team, self.arena, fill)?);
        let read: Vec<&Blocks> = planes.iter().collect();
        Ok(!self.team.any(!last_is_possible(self.plan.layer, &read))?)
    }
}
