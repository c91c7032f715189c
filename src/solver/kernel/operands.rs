//! The operands of a kernel: for each operation a struct of borrowed lines with what it needs to
//! know of them, and the types that operations share, such as windows, pulls and limits.

use std::sync::atomic::AtomicU64;

use super::log::Spot;
use crate::layer::blocks::Blocks;
use crate::layer::line::{LINE, Line};
use crate::layer::lines::{Lines, LinesMut};
pub use crate::layer::packing::NONE;

/// 64 rows of 64 lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct LineTile(pub [Line; LINE]);

impl LineTile {
    /// A tile that holds `fill` everywhere.
    pub const fn of(fill: i8) -> LineTile {
        LineTile([Line::of(fill); LINE])
    }
}

/// For each lane of a line, where in its window the child is. Plans are full of them, so they are
/// not aligned as lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Picks(pub [u8; LINE]);

impl Picks {
    /// Each lane from its own place.
    pub const BY_LANE: Picks = {
        let (mut picks, mut lane) = ([0; LINE], 0);
        while lane < LINE {
            picks[lane] = lane as u8;
            lane += 1;
        }
        Picks(picks)
    };
}

/// Where the children of some lanes of a line are: all in one line of the child's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Where in the line; below 64.
    pub picks: Picks,
    /// Bit `l`: lane `l` has its child in this window.
    pub lanes: u64,
    /// The panel of the child's row.
    pub panel: u32,
}

impl Window {
    /// The column that a lane leads to.
    #[inline(always)]
    pub fn column(&self, lane: usize) -> usize {
        self.panel as usize * LINE + usize::from(self.picks.0[lane])
    }
}

/// One row of the mover, and the row its children are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pull {
    /// The own row's place in its tile, 0..64.
    pub place: u32,
    /// The row of the child's block.
    pub row: u32,
}

/// Children that share a passage: the same windows for all own rows of a tile.
#[derive(Clone, Copy, Debug)]
pub struct PassageChildren<'a> {
    /// The block of the children, or some panels of it.
    pub lines: Lines<'a>,
    /// Its rows.
    pub rows: usize,
    /// The first of its panels that is there.
    pub first: usize,
    /// Where the children of a line of lanes are.
    pub windows: &'a [Window],
    /// The windows that come next, to be fetched meanwhile.
    pub ahead: &'a [Window],
    /// Whose children.
    pub pulls: &'a [Pull],
    /// Seeds captured on the way.
    pub captured: i8,
}

impl<'a> PassageChildren<'a> {
    /// Lines in what is here of a block, nothing captured on the way.
    #[inline]
    pub fn of(
        blocks: &'a Blocks,
        block: usize,
        windows: &'a [Window],
        pulls: &'a [Pull],
    ) -> PassageChildren<'a> {
        let (lines, shape) = (blocks.block(block), blocks.shape(block));
        let (rows, first) = (shape.rows, shape.first_panel);
        PassageChildren { lines, rows, first, windows, ahead: &[], pulls, captured: 0 }
    }
}

/// Lines of a tile in a layout that has not all lanes.
#[derive(Clone, Copy, Debug)]
pub struct Spread<'a> {
    /// The block, or some panels of it.
    pub lines: Lines<'a>,
    /// Its rows.
    pub rows: usize,
    /// The first of its panels that is there.
    pub first: usize,
    /// The rows of the tile.
    pub tile: (usize, usize),
    /// Where the lanes of a line are that it has.
    pub windows: &'a [Window],
}

/// What a computed score may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Anything.
    Free,
    /// At most the old score and this, but at least the bound.
    Above {
        /// What the rows are worth to the mover.
        most: i8,
    },
    /// At least the old score and this, but at most the bound.
    Below {
        /// What the rows are worth to the mover.
        least: i8,
    },
}

impl Limit {
    /// A score within it, given the old one and the bound.
    #[inline(always)]
    pub fn apply(self, score: i8, old: impl FnOnce() -> i8, bound: impl FnOnce() -> i8) -> i8 {
        match self {
            Limit::Free => score,
            Limit::Above { most } => score.min(old()).min(most).max(bound()),
            Limit::Below { least } => score.max(old()).max(least).min(bound()),
        }
    }
}

/// One row of the larger block of a pair, in some panels of the smaller one.
pub struct Lead<'a> {
    /// What becomes of the scores: a line for each panel.
    pub values: &'a mut [Line],
    /// What captures and crossing moves leave, negated.
    pub constants: &'a [Line],
    /// Rows of the smaller block, in as many panels or more.
    pub lines: Lines<'a>,
    /// Lines from one panel to the next.
    pub panel_step: usize,
    /// Lines from one row to the next.
    pub row_step: usize,
    /// The rows that home moves of the row lead to.
    pub home: &'a [u32],
    /// What the scores may be.
    pub limit: Limit,
    /// The old scores, if there is a limit.
    pub old: &'a [Line],
    /// The bounds, if there is a limit.
    pub bounds: &'a [Line],
}

/// One row of the smaller block of a pair, in some panels.
pub struct Follow<'a> {
    /// The panels, to write.
    pub panels: LinesMut<'a>,
    /// Rows of the block.
    pub rows: usize,
    /// The row.
    pub row: usize,
    /// The first panel.
    pub first: usize,
    /// What captures and crossing moves leave, negated: a line for each panel.
    pub constants: &'a [Line],
    /// The scores of the larger block, turned round: a line for each panel from 0 on.
    pub values: &'a [Line],
    /// Where home moves lead, panel after panel.
    pub windows: &'a [Window],
    /// For each panel, where in `windows` its own begin; one more than panels.
    pub starts: &'a [u32],
    /// How many columns are written, from column 0 of the block on.
    pub columns: usize,
    /// What the scores may be.
    pub limit: Limit,
    /// The bounds, if there is a limit: panels as those that are written, kept as they are.
    pub bounds: Lines<'a>,
    /// Which block and plane this is.
    pub spot: Spot,
}

/// A tile of the larger block to store, turned round already.
pub struct Settle<'a> {
    /// A line for each of 64 rows.
    pub tile: &'a LineTile,
    /// The row of each in the panel; [`OUTSIDE`](crate::solver::plan::OUTSIDE) for those that have
    /// none.
    pub rows: &'a [u32],
    /// Some rows of the panel.
    pub panel: LinesMut<'a>,
    /// The first of them.
    pub first: usize,
    /// The panel's first column.
    pub column: usize,
    /// The lanes that are columns.
    pub lanes: u64,
    /// Whether each line begins at its own lane: the ones before it are not written.
    pub corner: bool,
    /// Which block and plane this is.
    pub spot: Spot,
}

/// Where one passage of a tile's rows leads from them, and what is wanted there.
#[derive(Debug)]
pub struct Equal<'a> {
    /// Whose children, and where.
    pub source: PassageChildren<'a>,
    /// By place: the byte that is wanted of each lane's child.
    pub wanted: &'a [Line; LINE],
    /// By pull: gains the lanes whose child holds it.
    pub equal: &'a mut [u64],
}

/// Two sets of the positions of a line, a bit for each: those whose mover's claim is met, and those
/// whose opponent's is. Threads share them: a set only grows, and a thread that reads an old one
/// finds out later.
pub type Met = [AtomicU64; 2];

/// The open claims of a tile while its moves are looked at, as lanes by place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileClaims {
    /// The places where a look at more moves may change something.
    pub columns: u64,
    /// The mover's claims for which a move is looked for.
    pub undecided: [u64; LINE],
    /// The mover's claims that are met by the moves looked at.
    pub met: [u64; LINE],
    /// The opponent's claims that no tight reply looked at holds open.
    pub unanswered: [u64; LINE],
}

impl TileClaims {
    /// No move has been looked at, given the open claims of the mover and the opponent.
    pub fn new([movers, opponents]: [[u64; LINE]; 2]) -> TileClaims {
        let open = movers.iter().zip(&opponents).map(|(mover, opponent)| mover | opponent != 0);
        let columns =
            open.zip(0..).fold(0, |all, (is_open, place)| all | u64::from(is_open) << place);
        TileClaims { columns, undecided: movers, met: [0; LINE], unanswered: opponents }
    }
}

/// Moves of one house from a tile that share a passage, and what is met where they lead.
#[derive(Debug)]
pub struct Meet<'a> {
    /// What is met in the block of the children, panel by panel.
    pub lines: &'a [Met],
    /// Rows of the block.
    pub rows: usize,
    /// The first panel that the lines are of.
    pub first: usize,
    /// Where the children of a line of lanes are: those of a lane in one window at most.
    pub windows: &'a [Window],
    /// Whose children, at most one for a place.
    pub pulls: &'a [Pull],
    /// The places that are looked at: all have a pull.
    pub columns: u64,
    /// By place: its pull.
    pub places: &'a [u8; LINE],
    /// By pull, in a word or two: the lanes where it keeps the mover's claim, and where it is a tight
    /// reply.
    pub tight: &'a [AtomicU64],
    /// Whether the first move that keeps the mover's claim decides.
    pub by_default: bool,
    /// What is open, and what becomes of it.
    pub claims: &'a mut TileClaims,
}
