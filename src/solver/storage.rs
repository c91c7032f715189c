//! Where a layer is while it is solved, and what that takes of memory and disk.

use crate::game::Repetition;
use crate::game::board::Seeds;
use crate::game::rules::{Endless, Harvest, Rules};
use crate::layer::arena::Arena;
use crate::layer::index::Layer;
use crate::layer::plane::Plane;
use crate::layer::spill::Spill;
use crate::solver::captures::CapturePlane;
use crate::solver::claims;
use crate::solver::fixpoint::{TAIL, TAIL_ON_DISK, tail_memory};
use crate::solver::sweep;

/// Returns how many numbers a position of this sheet needs while it is solved: one for a score, two
/// for both ends of an interval. Where the first repetition ends the game, layers that need two have
/// not been seen beyond 13 seeds; memory for that is found on disk.
pub fn planes(rules: &Rules) -> u64 {
    match rules.endless {
        Endless::EvenSplit | Endless::OwnSide(Repetition::First) => 1,
        Endless::OwnSide(Repetition::Agreed | Repetition::FirstOfAny) | Endless::Drawn => 2,
    }
}

/// Returns whether scores of the sheet are certain only when their claims have been closed.
pub(crate) fn hangs_on_claims(rules: &Rules) -> bool {
    matches!(rules.endless, Endless::OwnSide(_)) && planes(rules) == 1
}

/// How a layer is solved: what is in memory, and what on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// All in memory.
    InMemory,
    /// The values of captures are on disk, in mapped memory.
    CapturesOnDisk,
    /// Scores are on disk, too.
    ScoresOnDisk,
}

impl Way {
    /// All ways, the fastest first.
    pub const ALL: [Way; 3] = [Way::InMemory, Way::CapturesOnDisk, Way::ScoresOnDisk];
}

/// Where things are kept while a layer is solved.
#[derive(Clone, Debug, Default)]
pub enum Storage {
    /// All in memory, of which there is plenty: it is kept for the next layer.
    #[default]
    Plenty,
    /// Memory is bounded, and what does not fit has files behind it. What a layer needs that is not
    /// expected, because its bounds do not meet, is on disk in any case.
    Bounded(Way, Spill),
}

impl Storage {
    /// Where captures are put, given where memory is that is kept, and for how many bounds of a
    /// position they are kept.
    pub(super) fn captures_arena(&self, kept: &Arena, rules: &Rules, bounds: usize) -> Arena {
        match self {
            Storage::Plenty => kept.clone(),
            Storage::Bounded(Way::InMemory, _) if bounds as u64 <= planes(rules) => {
                Arena::passing()
            }
            Storage::Bounded(_, spill) => Arena::spilled(spill.clone()),
        }
    }

    /// Where scores are put, unless memory is kept.
    pub fn arena(&self) -> Option<Arena> {
        match self {
            Storage::Plenty => None,
            Storage::Bounded(Way::InMemory | Way::CapturesOnDisk, _) => Some(Arena::passing()),
            Storage::Bounded(Way::ScoresOnDisk, spill) => Some(Arena::spilled(spill.clone())),
        }
    }

    /// The bytes of memory that captures may take while they are entered, with what is looked at of
    /// lower layers, if there are to be scores in it instead of them.
    pub(super) fn room_for_captures(&self) -> Option<u64> {
        match self {
            Storage::Bounded(Way::CapturesOnDisk, spill) => Some(spill.room()),
            // They stay in memory as a whole, or their arena says what room it has.
            Storage::Plenty | Storage::Bounded(..) => None,
        }
    }

    /// Where marks are put: where scores are, but in memory that is not kept.
    pub(super) fn marks_arena(&self) -> Arena {
        self.arena().unwrap_or_else(Arena::passing)
    }

    /// Where is put what is known of claims while they are closed, given where scores are.
    pub(super) fn claims_arena(&self, scores: &Arena) -> Arena {
        match self {
            Storage::Plenty => scores.clone(),
            Storage::Bounded(Way::InMemory, _) => Arena::passing(),
            Storage::Bounded(_, spill) => Arena::spilled(spill.clone()),
        }
    }

    /// How many entries the list of the last open claims may have.
    pub(super) fn list_entries(&self, layer: Layer) -> u64 {
        claims::listed::most(layer, matches!(self, Storage::Plenty))
    }

    /// Where is put what is met, if not with the rest: in memory while scores are there, too.
    pub(super) fn near_arena(&self) -> Option<Arena> {
        matches!(self, Storage::Bounded(Way::CapturesOnDisk, _)).then(Arena::passing)
    }

    /// Where a core is stored, if not with the scores.
    pub(super) fn core_arena(&self, rules: &Rules) -> Option<Arena> {
        match self {
            Storage::Bounded(Way::InMemory | Way::CapturesOnDisk, spill) => {
                (planes(rules) == 1).then(|| Arena::spilled(spill.clone()))
            }
            Storage::Plenty | Storage::Bounded(Way::ScoresOnDisk, _) => None,
        }
    }
}

/// Of mapped scores this part is wanted in memory at least; with less, pages would go and come
/// within one strip. With 32 bits there are no addresses for the rest.
const MAPPED: u64 = if usize::BITS < 64 { 1 } else { 10 };

/// The same of what is mapped and gone through in order.
const STREAMED: u64 = if usize::BITS < 64 { 1 } else { 40 };

/// Returns the bytes of memory that solving a layer takes one way or the other, with a strategy or
/// without, lower layers not counted; and [`plenty`], if memory is there for it.
pub fn memory(rules: &Rules, layer: Layer, way: Way, strategies: bool) -> u64 {
    let solving = solving(rules, layer, way);
    solving.max(closing(rules, layer, way, strategies)) + plans(rules, layer.seeds())
}

/// Bytes that finding scores takes.
fn solving(rules: &Rules, layer: Layer, way: Way) -> u64 {
    let (plane, scores) = (Plane::memory(layer), planes(rules) * layer.positions());
    // The larger block of a pair is kept aside until the pair is done, in dense sweeps. A core comes
    // when marks have been made, any other sweep before.
    let (late, marks) =
        (planes(rules) * sweep::late_memory(layer), marks_memory(rules, layer, way));
    let beside = |late: u64, tail: u64| match (rules.endless, planes(rules)) {
        (Endless::OwnSide(_), 2) => late + tail + marks,
        // As marks come to be, the values of captures go.
        (_, 1) if way == Way::InMemory => late + tail,
        _ => (late + tail).max(marks),
    };
    let captures = planes(rules) * CapturePlane::memory(layer) / STREAMED;
    match way {
        Way::InMemory => {
            let threads = rayon::current_num_threads();
            let late = late + planes(rules) * sweep::waiting_memory(layer, threads);
            in_memory(rules, layer) + beside(late, tail_memory(scores, TAIL))
        }
        Way::CapturesOnDisk => {
            swept_planes(rules) * plane + captures + beside(late, tail_memory(scores, TAIL))
        }
        Way::ScoresOnDisk => {
            let mapped = planes(rules) * plane / MAPPED;
            mapped + captures + beside(0, tail_memory(scores, TAIL_ON_DISK))
        }
    }
}

/// Bytes that closing the claims of a layer takes.
fn closing(rules: &Rules, layer: Layer, way: Way, strategies: bool) -> u64 {
    let scores = planes(rules) * Plane::memory(layer);
    let [aside, near] = claims_memory(rules, layer, strategies);
    let held = match way {
        Way::InMemory => scores + aside + near,
        Way::CapturesOnDisk => scores + aside / STREAMED + near,
        Way::ScoresOnDisk => (scores + near) / MAPPED + aside / STREAMED,
    };
    held + marks_memory(rules, layer, way)
}

/// Bytes of memory for marks: where scores are on disk, so are they.
fn marks_memory(rules: &Rules, layer: Layer, way: Way) -> u64 {
    match way {
        Way::InMemory | Way::CapturesOnDisk => marks(rules, layer),
        Way::ScoresOnDisk => marks(rules, layer) / STREAMED,
    }
}

/// Bytes for claims, if they are closed: what is gone through in order, and what is looked up. Without
/// a strategy there is no list.
fn claims_memory(rules: &Rules, layer: Layer, strategies: bool) -> [u64; 2] {
    match strategies || hangs_on_claims(rules) {
        true => claims::memory(layer, planes(rules), strategies),
        false => [0; 2],
    }
}

/// Returns the bytes of disk for what is put there while a layer is solved one way or the other.
pub fn disk(rules: &Rules, layer: Layer, way: Way, strategies: bool) -> u64 {
    let captures = planes(rules) * CapturePlane::memory(layer);
    let [aside, near] = claims_memory(rules, layer, strategies);
    match way {
        Way::InMemory => 0,
        Way::CapturesOnDisk => captures.max(aside),
        Way::ScoresOnDisk => {
            // Captures are entered before there are scores, and a few blocks of them are on disk at
            // most until they are in their file.
            let late = planes(rules) * sweep::late_memory(layer);
            let scores = swept_planes(rules) * Plane::memory(layer);
            scores + marks(rules, layer) + late + captures.max(aside + near)
        }
    }
}

/// Returns the bytes that solving a layer takes beyond those that it needs where there is plenty of
/// memory: what sweeps kept aside, and a longer list of open claims.
pub fn plenty(rules: &Rules, layer: Layer) -> u64 {
    let marks = marks(rules, layer);
    let entries = |is_plenty| claims::listed::most(layer, is_plenty);
    let list = (entries(true) - entries(false)) * size_of::<u32>() as u64;
    list + match (rules.endless, planes(rules)) {
        // The arena keeps what captures took.
        (_, 1) => marks,
        (Endless::Drawn, _) => marks.min(planes(rules) * sweep::late_memory(layer)),
        (Endless::EvenSplit | Endless::OwnSide(_), _) => 0,
    }
}

/// Bytes for scores and captures.
fn in_memory(rules: &Rules, layer: Layer) -> u64 {
    let (plane, captures) = (Plane::memory(layer), CapturePlane::memory(layer));
    match (rules.endless, planes(rules)) {
        (_, 1) => plane + captures,
        (Endless::Drawn, _) => 2 * (plane + captures),
        // Either what is proved and the values of captures, or what is proved and the core, of
        // which one half comes to be next to the values of captures.
        (Endless::EvenSplit | Endless::OwnSide(_), _) => {
            2 * plane + (2 * captures).max(2 * plane).max(plane + captures)
        }
    }
}

/// Planes of scores that there are at the same time.
fn swept_planes(rules: &Rules) -> u64 {
    match rules.endless {
        Endless::EvenSplit | Endless::Drawn => planes(rules),
        // What is proved, and the core.
        Endless::OwnSide(_) => planes(rules) * planes(rules),
    }
}

/// Dense sweeps of a layer, rather too many than too few: from 13 to 17 from 16 to 22 seeds.
const SWEEPS: u64 = 17;

/// Bytes that a sweep reads for a score that has no room in memory. Measured: `awari` to 22 seeds in a
/// control group of 241 MB, files in the system's memory included, read 11 GB in all layers, captures
/// included, most of it in sweeps.
const READS: u64 = 4;

/// Returns the bytes that are read from disk while a layer is solved under a ceiling on memory, as
/// far as they can be foreseen, if the system has no memory besides to keep files in.
pub fn reading(rules: &Rules, layer: Layer, way: Way, ceiling: u64) -> u64 {
    let captures = SWEEPS * planes(rules) * CapturePlane::memory(layer);
    let scores = planes(rules) * Plane::memory(layer);
    match way {
        Way::InMemory => 0,
        Way::CapturesOnDisk => captures,
        Way::ScoresOnDisk => {
            let spare = ceiling.saturating_sub(memory(rules, layer, way, false));
            let absent = scores.saturating_sub(spare + scores / MAPPED);
            let passes = match (rules.endless, planes(rules)) {
                // The core is swept half as often, and looks at what is proved besides.
                (Endless::OwnSide(_), 2) => 4,
                _ => 2,
            };
            captures + SWEEPS * READS * absent * passes / 2
        }
    }
}

/// Returns the bytes of memory that the plans of a layer and all below take, and what encoding keeps
/// of half-boards. For each half-board with as many seeds or fewer, plans alone took 143 to 152 bytes in
/// `awari`, `abapa` and `masters` and 294 to 312 in `plain-opposite`, at 24, 30 and 34 seeds.
fn plans(rules: &Rules, seeds: Seeds) -> u64 {
    let rows = |own| crate::layer::index::rows(own) as u64;
    let bytes = match rules.harvest {
        Harvest::LastHouses => 175,
        Harvest::Opposite => 330,
    };
    bytes * (0..=seeds.get()).map(rows).sum::<u64>()
}

/// Returns the bytes that it takes to know where captures attain the bounds of a layer.
pub fn marks(rules: &Rules, layer: Layer) -> u64 {
    planes(rules) * Plane::lines(layer) * size_of::<u64>() as u64
}
