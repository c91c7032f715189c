//! What is met of a rank's claims, and how others get to know it.

use std::sync::atomic::AtomicU64;

use super::ground::Ground;
use crate::error::Result;
use crate::layer::blocks::LINE;
use crate::layer::index::Cell;
use crate::solver::claims::open::{MOVER, OPPONENT, TileOf, add, load, taken};
use crate::solver::cluster::links::{Links, Parcel, inside};
use crate::solver::cluster::transport::{Purpose, Team, from_bytes, to_bytes};
use crate::solver::kernel::{Children, Met};
use crate::solver::plan::OUTSIDE;

/// The claims of a rank's positions that are met.
pub struct MetClaims<'a> {
    ground: &'a Ground<'a>,
    /// By block, panel of columns and row of the rank's part.
    pub lines: Vec<&'a [Met]>,
}

impl<'a> MetClaims<'a> {
    /// Lines of all blocks.
    pub fn count(ground: &Ground) -> usize {
        (0..ground.plan.blocks.len()).map(|own| ground.share(own).lines()).sum()
    }

    /// Kept in so many lines.
    pub fn new(ground: &'a Ground<'a>, mut words: &'a [AtomicU64]) -> MetClaims<'a> {
        let block = |own| taken(&mut words, 2 * ground.share(own).lines()).as_chunks().0;
        MetClaims { ground, lines: (0..ground.plan.blocks.len()).map(block).collect() }
    }

    /// Notes what is met in the strips of a tile.
    pub fn note(&self, tile: TileOf, mut met: [[u64; LINE]; 2]) {
        let share = self.ground.share(tile.own);
        met.iter_mut().for_each(|of| self.ground.kernel.turn(of));
        let [mover, opponent] = met;
        let panel = (tile.columns - share.panels.start) * share.rows.len();
        let rows = self.ground.rows_of(tile.own, tile.panel);
        for (&row, now) in rows.iter().zip(mover.into_iter().zip(opponent)) {
            if row != OUTSIDE && now != (0, 0) {
                let line = &self.lines[tile.own][panel + row as usize - share.rows.start];
                add(&line[MOVER], now.0);
                add(&line[OPPONENT], now.1);
            }
        }
    }

    /// Sends what is met of one's positions and others need in a pair, and gets what one needs.
    pub fn exchange(&self, team: &Team, small: usize) -> Result<Vec<Vec<Met>>> {
        let links = self.ground.links(small);
        let lines = |count| (0..count).map(|_| Met::default()).collect();
        let mut ghosts: Vec<Vec<Met>> = links.links.iter().map(|link| lines(link.lines)).collect();
        team.session(&mut |talk| {
            for (receiver, parcels) in links.outgoing.iter().enumerate() {
                let mut words = Vec::with_capacity(parcels.iter().map(words_of).sum());
                parcels.iter().for_each(|parcel| self.pack(parcel, &mut words));
                talk.send(receiver, to_bytes(&words), Purpose::Claims)?;
            }
            for (sender, parcels) in links.incoming.iter().enumerate() {
                let count: usize = parcels.iter().map(words_of).sum();
                let words = from_bytes(&talk.receive(sender, count * size_of::<u64>())?);
                let mut rest = &words[..];
                for parcel in parcels {
                    rest = unpack(parcel, links, rest, &mut ghosts[parcel.link]);
                }
            }
            Ok(())
        })?;
        Ok(ghosts)
    }

    /// What is met in the lines of a parcel, by lane.
    fn pack(&self, parcel: &Parcel, words: &mut Vec<u64>) {
        let (share, lines) = (self.ground.share(parcel.block), self.lines[parcel.block]);
        let (rows, first) = (share.rows.len(), share.panels.start);
        for (line, _) in &parcel.runs {
            let windows = inside(parcel.spread.of_line(*line), &share.panels);
            for &row in parcel.rows() {
                let row = row as usize - share.rows.start;
                words.extend(self.ground.kernel.met(Children { lines, rows, first, row, windows }));
            }
        }
    }

    /// Whether a claim of a position here is open.
    pub fn is_open(&self, at: Cell, claim: usize) -> bool {
        load(&self.line(at)[claim]) >> (at.column % LINE) & 1 == 0
    }

    /// Notes that a claim of a position here is met.
    pub fn meet(&self, at: Cell, claim: usize) {
        add(&self.line(at)[claim], 1 << (at.column % LINE));
    }

    fn line(&self, Cell { own, row, column }: Cell) -> &Met {
        let share = self.ground.share(own);
        let panel = (column / LINE - share.panels.start) * share.rows.len();
        &self.lines[own][panel + row - share.rows.start]
    }
}

/// Words that a parcel takes: two for each line.
fn words_of(parcel: &Parcel) -> usize {
    2 * parcel.rows().len() * parcel.runs.len()
}

/// Puts what is met into the lines of a link. Returns the words behind it.
fn unpack<'w>(
    parcel: &Parcel,
    links: &Links,
    mut words: &'w [u64],
    lines: &mut [Met],
) -> &'w [u64] {
    let link = &links.links[parcel.link];
    let first = link.place(parcel.rows()[0]).expect("a row of the link");
    for (line, _) in &parcel.runs {
        let slot = link.slot(*line).expect("a line of the link") as usize;
        for met in &mut lines[slot * link.height() + first..][..parcel.rows().len()] {
            let (now, behind) = words.split_at(2);
            met.iter_mut().zip(now).for_each(|(met, now)| *met.get_mut() |= now);
            words = behind;
        }
    }
    words
}
