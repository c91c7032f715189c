//! What crossing moves of a pair lead to on other ranks: fixed lists, and the scores themselves.
//!
//! M seeds that cross add a constant to the opponent's half-board. So for one M and one row of the
//! child's block, the children of a line of lanes are found by picking lanes, and that is what
//! travels: lines *by lane*, picked by the sender. The receiver needs no windows to read them.
//!
//! ```text
//!   by columns (child block ≤ n/2): all rows that moves lead to × runs of lanes of each sender
//!   by rows    (child block > n/2): the rows of each sender     × all lanes
//! ```
//!
//! What is on the receiver's own rank already is read where it is.
//!
//! For [claims](super::claims) the same is done with home moves, as those by which no seed
//! crosses, and for all positions that a rank has ([`Reach`]).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use zerocopy::IntoBytes;

use super::cut::{Area, Cut, ROLES, Reach, Role};
use super::field::{self, packed, packed_size, unpacked};
use super::row_set::RowSet;
use super::transport::{Purpose, Talk};
use crate::error::Result;
use crate::game::sowing::Crossing;
use crate::layer::blocks::{Blocks, Rectangle};
use crate::layer::index::{row_rank, rows};
use crate::layer::line::{LINE, Line};
use crate::layer::packing::Packing;
use crate::solver::claims::Sent;
use crate::solver::kernel::{Kernel, NONE, PassageChildren, Picks, Pull, Window};
use crate::solver::plan::LayerPlan;
use crate::solver::windows::{Windows, inside};

/// By seeds of the opponent and seeds that cross: the column that each lane leads to.
#[derive(Debug, Default)]
pub struct Spreads(HashMap<(usize, usize), Arc<Windows>>);

impl Spreads {
    fn of(&mut self, plan: &LayerPlan, own: usize, crossed: usize) -> Arc<Windows> {
        let opponent = plan.opponent(own);
        let spread = || {
            let sides = plan.sides(opponent);
            let crossing = Crossing { seeds: crossed as u8, ends_there: false };
            let column = |(lane, &side)| (lane, row_rank(crossing.land(side)));
            Arc::new(Windows::new(sides.len(), sides.iter().enumerate().map(column)))
        };
        self.0.entry((opponent, crossed)).or_insert_with(spread).clone()
    }
}

/// What one rank sends another about one M: some rows × runs of lanes.
#[derive(Clone, Debug)]
pub struct Parcel {
    /// Where the receiver puts it: its link.
    pub link: usize,
    /// The block of the children.
    pub block: usize,
    /// The column that each lane leads to.
    pub spread: Arc<Windows>,
    rows: Arc<[u32]>,
    /// Which of them.
    some: Range<usize>,
    /// Lines of lanes, and the run of each.
    pub runs: Vec<(usize, Range<usize>)>,
}

impl Parcel {
    /// The rows.
    pub fn rows(&self) -> &[u32] {
        &self.rows[self.some.clone()]
    }

    fn scores(&self) -> usize {
        self.some.len() * self.runs.iter().map(|(_, run)| run.len()).sum::<usize>()
    }
}

/// Children of one role and one M that are on other ranks.
#[derive(Debug)]
pub struct Link {
    pub role: Role,
    pub crossed: usize,
    rows: RowSet,
    /// The lines of lanes of which any are here.
    slots: RowSet,
    /// Lines that a plane takes.
    pub lines: usize,
}

impl Link {
    /// The place of a row among those that are here.
    pub fn place(&self, row: u32) -> Option<usize> {
        self.rows.place(row)
    }

    /// Where children of a line of lanes are that others have: of those in some windows of a block,
    /// which is cut by columns if there are panels of it `here`.
    pub fn window(
        &self,
        line: usize,
        windows: &[Window],
        here: Option<&Range<usize>>,
    ) -> Option<Window> {
        let known = here.map_or(0, |panels| lanes(inside(windows, panels)));
        let lanes = lanes(windows) & !known;
        let slot = self.slots.place(line as u32).filter(|_| lanes != 0)?;
        // What travels is by lane already.
        Some(Window { picks: Picks::BY_LANE, lanes, panel: slot as u32 })
    }

    /// How many rows are here.
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Where a parcel's rows of a line of lanes are among the `lines` of the link.
    pub fn room<'l, T>(&self, parcel: &Parcel, line: usize, lines: &'l mut [T]) -> &'l mut [T] {
        let first = self.place(parcel.rows()[0]).expect("a row of the link");
        let slot = self.slots.place(line as u32).expect("a line of the link");
        &mut lines[slot * self.height() + first..][..parcel.rows().len()]
    }
}

/// All of one pair.
#[derive(Debug)]
pub struct Links {
    pub links: Vec<Link>,
    /// By sender.
    pub incoming: Vec<Vec<Parcel>>,
    /// By receiver.
    pub outgoing: Vec<Vec<Parcel>>,
    /// How scores travel.
    packing: Packing,
}

/// The scores of all links of a pair, by plane.
pub type Ghosts = Vec<Sent<Line>>;

/// What one rank needs about one M, wherever it is.
struct Need {
    role: Role,
    crossed: usize,
    block: usize,
    spread: Arc<Windows>,
    rows: Arc<[u32]>,
    lines: Range<usize>,
}

/// Seeds that cross, and the rows that this leads to.
type Reached = Vec<(usize, Arc<[u32]>)>;

/// The rows that moves of some tiles lead to, by seeds that cross.
fn reached(plan: &LayerPlan, area: &Area, reach: Reach) -> Reached {
    let opponent = plan.opponent(area.own);
    let mut marks: Vec<Vec<bool>> = vec![Vec::new(); area.own + 1];
    for (transit, pulls) in area.tiles.clone().flat_map(|tile| plan.blocks[area.own].groups(tile)) {
        if transit.quiet.is_empty() {
            continue;
        }
        let marks = &mut marks[transit.crossed];
        marks.resize(plan.layer.block_shape(opponent + transit.crossed).0, false);
        pulls.iter().for_each(|pull| marks[pull.row as usize] = true);
    }
    let columns = area.tiles.start * LINE..self::rows(area.own).min(area.tiles.end * LINE);
    for column in columns.filter(|_| reach == Reach::Held) {
        for &row in plan.blocks[area.own].half.home_rows(column) {
            marks[0].resize(plan.layer.block_shape(opponent).0, false);
            marks[0][row as usize] = true;
        }
    }
    let listed = |(crossed, marks): (usize, &Vec<bool>)| {
        let rows = marks.iter().zip(0..).filter(|(marked, _)| **marked).map(|(_, row)| row);
        (crossed, rows.collect())
    };
    marks.iter().enumerate().filter(|(_, marks)| !marks.is_empty()).map(listed).collect()
}

/// What a rank needs. In most pairs, the larger half-boards that lead are the same for all ranks:
/// what the last one had to find out is `known`.
fn needs(
    plan: &LayerPlan,
    cut: &Cut,
    small: usize,
    rank: usize,
    reach: Reach,
    spreads: &mut Spreads,
    known: &mut Option<(Range<usize>, Reached)>,
) -> Vec<Need> {
    let mut needs = Vec::new();
    for role in ROLES {
        let area = match reach {
            Reach::Computed => cut.area(small, rank, role),
            Reach::Held => cut.held(small, rank, role),
        };
        if area.lines.is_empty() {
            continue;
        }
        let opponent = plan.opponent(area.own);
        let found = match known {
            Some((tiles, found)) if role == Role::Lead && *tiles == area.tiles => found.clone(),
            _ => reached(plan, &area, reach),
        };
        if role == Role::Lead {
            *known = Some((area.tiles.clone(), found.clone()));
        }
        for (crossed, rows) in found {
            let (block, lines) = (opponent + crossed, area.lines.clone());
            let spread = spreads.of(plan, area.own, crossed);
            needs.push(Need { role, crossed, block, spread, rows, lines });
        }
    }
    needs
}

impl Need {
    /// What of it another rank has.
    fn parcel(&self, plan: &LayerPlan, cut: &Cut, link: usize, sender: usize) -> Option<Parcel> {
        let Rectangle { panels, rows } = cut.share(plan, self.block, sender);
        let (some, runs) = if cut.by_columns(self.block) {
            let run = |line| Some((line, run_of(inside(self.spread.of_line(line), &panels))?));
            (0..self.rows.len(), self.lines.clone().filter_map(run).collect())
        } else {
            let place = |end: usize| self.rows.partition_point(|&row| (row as usize) < end);
            let lanes = self::rows(self.block - self.crossed);
            let run = |line| (line, 0..LINE.min(lanes - line * LINE));
            (place(rows.start)..place(rows.end), self.lines.clone().map(run).collect::<Vec<_>>())
        };
        if some.is_empty() || runs.is_empty() {
            return None;
        }
        let (spread, rows) = (self.spread.clone(), self.rows.clone());
        Some(Parcel { link, block: self.block, spread, rows, some, runs })
    }

    /// Where the scores of what others have are to be.
    fn link(&self, incoming: &[&Parcel]) -> Link {
        let rows = RowSet::new(incoming.iter().flat_map(|parcel| parcel.rows().iter().copied()));
        let runs = incoming.iter().flat_map(|parcel| &parcel.runs);
        let slots = RowSet::new(runs.map(|(line, _)| *line as u32));
        let (role, crossed, lines) = (self.role, self.crossed, slots.len() * rows.len());
        Link { role, crossed, rows, slots, lines }
    }
}

/// The lanes of some windows.
fn lanes(windows: &[Window]) -> u64 {
    windows.iter().fold(0, |lanes, window| lanes | window.lanes)
}

/// From the first lane of some windows to the last.
fn run_of(windows: &[Window]) -> Option<Range<usize>> {
    let lanes = lanes(windows);
    (lanes != 0).then(|| lanes.trailing_zeros() as usize..LINE - lanes.leading_zeros() as usize)
}

impl Links {
    /// The lists of one pair for one rank.
    pub fn new(
        plan: &LayerPlan,
        cut: &Cut,
        small: usize,
        rank: usize,
        reach: Reach,
        spreads: &mut Spreads,
    ) -> Links {
        let ranks = cut.ranks();
        let none = || vec![Vec::new(); ranks];
        let (mut links, mut incoming, mut outgoing) = (Vec::new(), none(), none());
        let mut known = None;
        for (receiver, parcels) in outgoing.iter_mut().enumerate() {
            let needs = needs(plan, cut, small, receiver, reach, spreads, &mut known);
            if receiver != rank {
                let parcel = |(link, need): (usize, &Need)| need.parcel(plan, cut, link, rank);
                *parcels = needs.iter().enumerate().filter_map(parcel).collect();
                continue;
            }
            for (link, need) in needs.iter().enumerate() {
                for sender in (0..ranks).filter(|&sender| sender != rank) {
                    incoming[sender].extend(need.parcel(plan, cut, link, sender));
                }
                let parcels = incoming.iter().flatten().filter(|parcel| parcel.link == link);
                links.push(need.link(&parcels.collect::<Vec<_>>()));
            }
        }
        let packing = Packing::of(plan.layer.range());
        Links { links, incoming, outgoing, packing }
    }

    /// The children of a role and a number of seeds that are on other ranks.
    pub fn find(&self, role: Role, crossed: usize) -> Option<usize> {
        let found = |link: &Link| link.role == role && link.crossed == crossed && link.lines > 0;
        self.links.iter().position(found)
    }

    /// Sends what others need of one's scores, and gets what one needs of theirs.
    ///
    /// # Errors
    /// Those of [`Talk`], and [`Error::OutOfMemory`](crate::error::Error::OutOfMemory).
    pub fn exchange(
        &self,
        talk: &Talk,
        planes: &[Blocks],
        kernel: Kernel,
        purpose: Purpose,
    ) -> Result<Ghosts> {
        for (receiver, parcels) in self.outgoing.iter().enumerate() {
            let mut scores = Vec::with_capacity(self.scores(parcels, planes.len()));
            for plane in planes {
                parcels.iter().for_each(|parcel| pick(parcel, plane, kernel, &mut scores));
            }
            talk.send(receiver, packed(self.packing, scores), purpose)?;
        }
        let plane = || self.links.iter().map(|link| field::lines(link.lines, NONE)).collect();
        let mut ghosts = planes.iter().map(|_| plane()).collect::<Result<Ghosts>>()?;
        for (sender, parcels) in self.incoming.iter().enumerate() {
            let size = packed_size(self.packing, self.scores(parcels, planes.len()));
            let scores = unpacked(self.packing, talk.receive(sender, size)?);
            let mut rest = &scores[..];
            for plane in &mut ghosts {
                for parcel in parcels {
                    let lines = &mut plane[parcel.link];
                    rest = put(parcel, &self.links[parcel.link], rest, lines);
                }
            }
        }
        Ok(ghosts)
    }

    /// How many scores some parcels hold.
    fn scores(&self, parcels: &[Parcel], planes: usize) -> usize {
        planes * parcels.iter().map(Parcel::scores).sum::<usize>()
    }
}

/// Picks the lanes of a parcel from the sender's part of the block.
fn pick(parcel: &Parcel, plane: &Blocks, kernel: Kernel, scores: &mut Vec<u8>) {
    let shape = plane.shape(parcel.block);
    let panels = shape.rectangle().panels;
    let mut out = [Line::of(NONE); LINE];
    let places = (0..LINE as u32).cycle();
    let pull = |(place, &row): (u32, &u32)| Pull { place, row: row - shape.first_row as u32 };
    let pulls: Vec<Pull> = places.zip(parcel.rows()).map(pull).collect();
    for (line, run) in &parcel.runs {
        let windows = inside(parcel.spread.of_line(*line), &panels);
        plane.enforce_bound();
        for pulls in pulls.chunks(LINE) {
            let out = &mut out[..pulls.len()];
            out.fill(Line::of(NONE));
            let source = PassageChildren::of(plane, parcel.block, windows, pulls);
            kernel.pull(out, 1, std::iter::once(source));
            if run.len() == LINE {
                scores.extend_from_slice(out.as_bytes());
                continue;
            }
            out.iter().for_each(|line| scores.extend_from_slice(line.0[run.clone()].as_bytes()));
        }
    }
}

/// Puts the lanes of a parcel into the lines of its link. Returns the scores behind it.
fn put<'s>(parcel: &Parcel, link: &Link, mut scores: &'s [u8], lines: &mut [Line]) -> &'s [u8] {
    for (line, run) in &parcel.runs {
        let lines = link.room(parcel, *line, lines);
        let (lanes, behind) = scores.split_at(lines.len() * run.len());
        scores = behind;
        if run.len() == LINE {
            lines.as_mut_bytes().copy_from_slice(lanes);
            continue;
        }
        for (line, lanes) in lines.iter_mut().zip(lanes.chunks_exact(run.len())) {
            line.0[run.clone()].as_mut_bytes().copy_from_slice(lanes);
        }
    }
    scores
}
