//! What all ranks do together while claims are closed, where a rank finds what stands with others, and
//! how they get to know which claims are met.

use std::sync::atomic::AtomicU64;

use crate::error::Result;
use crate::layer::blocks::{Blocks, Rectangle};
use crate::layer::index::Cell;
use crate::layer::line::{LINE, Line, first_lanes};
use crate::solver::claims::open::TileOf;
use crate::solver::claims::{Company, Elsewhere, Sent};
use crate::solver::cluster::cut::{Cut, Role};
use crate::solver::cluster::links::{Link, Links, Parcel};
use crate::solver::cluster::seat::Seat;
use crate::solver::cluster::shares::Shares;
use crate::solver::cluster::transport::{Purpose, Talk, from_bytes, to_bytes};
use crate::solver::kernel::{Meet, Met, Pull, TileClaims, Window};
use crate::solver::plan::{LayerPlan, Transit};
use crate::solver::windows::inside;

/// A rank's place.
pub struct RankGround<'a> {
    pub rank: usize,
    pub plan: &'a LayerPlan<'a>,
    pub cut: &'a Cut,
    pub shares: &'a Shares,
    /// By pair: where children of the rank's positions are that others have.
    pub lists: Vec<Links>,
}

impl<'a> RankGround<'a> {
    /// The rank's rectangle of a block.
    fn share(&self, own: usize) -> &'a Rectangle {
        &self.shares.of_rank(self.rank)[own]
    }

    /// Whether a block is the larger or the smaller one of its pair; block n/2 is the smaller.
    fn role(&self, own: usize) -> Role {
        if own > self.plan.opponent(own) { Role::Lead } else { Role::Follow }
    }

    /// The lists of a block's pair.
    fn links_of(&self, own: usize) -> &Links {
        &self.lists[self.plan.pair(own)]
    }
}

impl Elsewhere for RankGround<'_> {
    fn there(&self, own: usize, crossed: usize, row: u32) -> Option<(usize, u32)> {
        let links = self.links_of(own);
        let link = links.find(self.role(own), crossed)?;
        Some((link, links.links[link].place(row)? as u32))
    }

    fn window(&self, at: TileOf, link: usize, transit: &Transit) -> Option<(usize, Window)> {
        let (link, block) =
            (&self.links_of(at.own).links[link], self.plan.opponent(at.own) + transit.crossed);
        let here = self.cut.by_columns(block).then_some(&self.share(block).panels);
        Some((link.height(), link.window(at.panel, transit.quiet.of_line(at.panel), here)?))
    }

    fn owner(&self, at: Cell) -> usize {
        self.cut.holder(self.plan, at)
    }
}

/// All ranks.
pub struct AllRanks<'a> {
    pub seat: &'a Seat<'a>,
    pub ground: &'a RankGround<'a>,
    /// The own part of the bounds.
    pub planes: &'a [Blocks],
    /// The same as an observer is offered them.
    pub shown: Vec<&'a Blocks>,
}

impl Company for AllRanks<'_> {
    fn place(&self) -> (usize, usize) {
        (self.seat.rank, self.seat.team.ranks())
    }

    fn offer(&self) -> Result<()> {
        self.seat.offer(&self.shown)
    }

    fn sums(&self, numbers: &[u64]) -> Result<Vec<u64>> {
        self.seat.team.sums(numbers)
    }

    fn trade(&self, lists: Vec<Vec<u64>>) -> Result<Vec<Vec<u64>>> {
        self.seat.team.session(|talk| talk.trade(lists, Purpose::Claims))
    }

    fn bounds(&self, small: usize) -> Result<Vec<Sent<Line>>> {
        self.seat.go_on()?;
        let (links, kernel) = (&self.ground.lists[small], self.seat.kernel);
        let exchange = |talk: &Talk| links.exchange(talk, self.planes, kernel, Purpose::Claims);
        self.seat.team.session(exchange)
    }

    /// Sends what is met of one's positions, by block, and others need, and gets what one needs.
    fn met(&self, small: usize, met: &[&[Met]]) -> Result<Sent<Met>> {
        let links = &self.ground.lists[small];
        let lines = |count| (0..count).map(|_| Met::default()).collect();
        let mut sent: Sent<Met> = links.links.iter().map(|link| lines(link.lines)).collect();
        self.seat.team.session(|talk| {
            for (receiver, parcels) in links.outgoing.iter().enumerate() {
                let mut words = Vec::with_capacity(parcels.iter().map(words_of).sum());
                parcels.iter().for_each(|parcel| self.pack(parcel, met, &mut words));
                talk.send(receiver, to_bytes(&words), Purpose::Claims)?;
            }
            for (sender, parcels) in links.incoming.iter().enumerate() {
                let count: usize = parcels.iter().map(words_of).sum();
                let words = from_bytes(&talk.receive(sender, count * size_of::<u64>())?);
                let mut rest = &words[..];
                for parcel in parcels {
                    let link = &links.links[parcel.link];
                    rest = unpack(parcel, link, rest, &mut sent[parcel.link]);
                }
            }
            Ok(())
        })?;
        Ok(sent)
    }
}

impl AllRanks<'_> {
    /// What is met in the lines of a parcel, by lane.
    fn pack(&self, parcel: &Parcel, met: &[&[Met]], words: &mut Vec<u64>) {
        let (share, lines) = (self.ground.share(parcel.block), met[parcel.block]);
        let (rows, first) = (share.rows.len(), share.panels.start);
        let pull = |(place, &row)| Pull { place, row: row - share.rows.start as u32 };
        let pulls: Vec<Pull> = (0..LINE as u32).cycle().zip(parcel.rows()).map(pull).collect();
        // As of positions whose claims are all open, which each have one tight move.
        let tight = [const { AtomicU64::new(u64::MAX) }; LINE];
        let places = std::array::from_fn(|place| place as u8);
        for (line, _) in &parcel.runs {
            let windows = inside(parcel.spread.of_line(*line), &share.panels);
            let there = windows.iter().fold(0, |lanes, window| lanes | window.lanes);
            for pulls in pulls.chunks(LINE) {
                let (columns, tight) = (first_lanes(pulls.len()), &tight[..pulls.len()]);
                let (places, by_default) = (&places, false);
                let claims = &mut TileClaims::new([[u64::MAX; LINE]; 2]);
                self.seat.kernel.meet(Meet {
                    lines,
                    rows,
                    first,
                    windows,
                    pulls,
                    columns,
                    places,
                    tight,
                    by_default,
                    claims,
                });
                let TileClaims { unanswered: movers, met: opponents, .. } = claims;
                let both = movers.iter().zip(&*opponents).take(pulls.len());
                words.extend(both.flat_map(|(movers, opponents)| [movers & there, *opponents]));
            }
        }
    }
}

/// Words that a parcel takes: two for each line.
fn words_of(parcel: &Parcel) -> usize {
    2 * parcel.rows().len() * parcel.runs.len()
}

/// Puts what is met into the lines of a link. Returns the words behind it.
fn unpack<'w>(parcel: &Parcel, link: &Link, mut words: &'w [u64], lines: &mut [Met]) -> &'w [u64] {
    for (line, _) in &parcel.runs {
        for met in link.room(parcel, *line, lines) {
            let (now, behind) = words.split_at(2);
            met.iter_mut().zip(now).for_each(|(met, now)| *met.get_mut() |= now);
            words = behind;
        }
    }
    words
}
