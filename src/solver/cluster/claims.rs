//! Claims of a layer that several ranks have solved, closed as in one process ([`crate::solver::claims`]).
//!
//! Each rank looks at the positions that it has ([`RankGround`]), and at their children: here, or among
//! what others sent for the pair. For that there are lists as sweeps have them, of all quiet moves.
//! Bounds travel once. Then there travel ([`AllRanks`])
//!
//! * for a sweep, two bits of a position for each rank that needs them;
//! * for the list of the last open claims, what children wait for that others have, and the claims that
//!   are met in each round;
//! * of what goes round, all claims, some twenty thousand, and bounds of single positions: so all ranks
//!   choose the same exceptions.
//!
//! No rank ever has a whole plane, or all open claims.
//!
//! # Memory
//!
//! Beside its part of the layer, and what others sent for one pair, a rank holds of each of its
//! positions two bits for what is met, and for each of its moves one bit, or two if bounds differ; of
//! moves that lead to several ranks as much for what is here and for what is elsewhere. And its list.

use std::sync::atomic::AtomicU64;

use super::cut::{Cut, Reach, Role};
use super::links::{Link, Links, Parcel};
use super::seat::Seat;
use super::spread::SpreadLayer;
use super::transport::{Purpose, Talk, from_bytes, to_bytes};
use crate::error::Result;
use crate::layer::blocks::{Blocks, Rectangle};
use crate::layer::index::Cell;
use crate::layer::line::{LINE, Line, first_lanes};
use crate::solver::claims::open::TileOf;
use crate::solver::claims::{
    Asking, Certificate, ClaimSearch, Company, Elsewhere, Means, Sent, TightMoves, close, listed,
};
use crate::solver::kernel::{Meet, Met, Pull, TileClaims, Window};
use crate::solver::observer::Unobserved;
use crate::solver::plan::{LayerPlan, Transit};
use crate::solver::windows::inside;

/// Closes the claims of a layer that all ranks have solved. All find the same.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory),
/// [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for it, and those of the
/// network.
pub fn certify(
    seat: &mut Seat,
    solved: &SpreadLayer,
    planes: usize,
    play: TightMoves,
) -> Result<Certificate> {
    let Seat { plan, cut, rank, shares, kernel, arena, .. } = *seat;
    let lists = |small| Links::new(plan, cut, small, rank, Reach::Held, seat.spreads);
    let lists = (0..=plan.layer.seeds().get() / 2).map(lists).collect();
    let ground = &RankGround { plan, cut, shares: shares.of_rank(rank), lists };
    // Bounds that meet are one plane.
    let plane = |plane: usize| solved.bounds.get(plane).unwrap_or(&solved.bounds[0]);
    let shown: Vec<&Blocks> = (0..planes).map(plane).collect();
    let (seat, planes) = (&*seat, &solved.bounds);
    let ranks = &AllRanks { seat, ground, planes, shown };
    // Ranks end together or not at all: they are asked between sweeps.
    let (observer, near) = (&Unobserved, None);
    let asking = Asking::of(plan.rules, plan.layer.range(), play);
    let entries = listed::most(plan.layer, false);
    let threads = rayon::current_num_threads();
    let means = Means { kernel, arena, near, observer, asking, play, entries, threads };
    let bounds = [&solved.bounds[0], solved.bounds.last().expect("one plane or two")];
    let search = ClaimSearch::new(plan, means, bounds, &solved.attained[0], Some(ground));
    close(&search, ranks)
}

/// A rank's place.
struct RankGround<'a> {
    plan: &'a LayerPlan<'a>,
    cut: &'a Cut,
    /// By block: the rank's rectangle.
    shares: &'a [Rectangle],
    /// By pair: where children of the rank's positions are that others have.
    lists: Vec<Links>,
}

impl RankGround<'_> {
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
        let here = self.cut.by_columns(block).then_some(&self.shares[block].panels);
        Some((link.height(), link.window(at.panel, transit.quiet.of_line(at.panel), here)?))
    }

    fn owner(&self, at: Cell) -> usize {
        self.cut.holder(self.plan, at)
    }
}

/// All ranks.
struct AllRanks<'a> {
    seat: &'a Seat<'a>,
    ground: &'a RankGround<'a>,
    /// The own part of the bounds.
    planes: &'a [Blocks],
    /// The same as an observer is offered them.
    shown: Vec<&'a Blocks>,
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
        let (share, lines) = (&self.ground.shares[parcel.block], met[parcel.block]);
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
