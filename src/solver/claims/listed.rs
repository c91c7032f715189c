//! The last open claims, one by one.
//!
//! After some sweeps few lanes of a strip are open, but hardly a strip has none, and most sweeps are
//! still to come. What is left then becomes a list. It holds the opponent's claims alone: the mover's
//! waits for one child's, so a claim that waits for the mover's waits for that. In the list stands
//! the number of each claim, marked, and behind it those of the claims that it waits for. A round
//! goes through the list and takes out what is met: first what is waited for, then the claims that
//! wait for nothing any more. It ends when a round finds nothing. Then [`wanted`] finds in the list
//! what goes round, and one more sweep says which of the mover's claims are met.
//!
//! In the list are always those claims, and behind them those that they wait for, that were open when
//! they were last looked at. Which of them are met is a bit for each number; these few bits stay in
//! the processor's cache.
//!
//! Claims are numbered tile by tile in the order of the sweeps, and in a tile line by line, the
//! mover's and the opponent's by themselves. The children by one move of a strip are in one line or
//! two. So they have numbers that follow each other, and what is known of them lies together. With
//! claims numbered by strip, and both moves followed for each entry by itself, that took four times
//! as long.
//!
//! Each rank numbers and lists the claims of its positions. Others are asked for what stands in the list
//! for children that they have, and after each round all tell each other what is met.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use rayon::prelude::*;

use super::circles::{MARK, wanted};
use super::numbers::{Answers, Numbers, ask, tell};
use super::open::{MOVER, OPPONENT, TileOf, add, cut, load, taken};
use super::search::Company;
use super::sweeps::{PairPart, Sweeps};
use crate::error::{Error, Result};
use crate::layer::index::{Cell, Layer};
use crate::layer::line::LINE;
use crate::parallel;
use crate::simd::set_lanes;
use crate::timeline::{self, task};

/// While a sweep meets more than one claim for this many positions, another one costs less than to
/// list what it meets.
pub const PAYS: u64 = 64;

/// What the mover's claim waits for if that is met.
const NOTHING: u32 = u32::MAX;

/// Which of the claims that stay open are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those that are wanted.
    Circles,
    /// All.
    Everything,
}

/// How many entries the list of a layer may have, with the mover's claims, while sweeps still find
/// something: a sixth of a byte for each position, twice as much where there is plenty of memory. Small
/// layers may have more: of them more is open when sweeps end. In 22 seeds of `abapa` that is one claim
/// in 90, a little too much for half as long a list, and the last 70 of 140 sweeps found next to nothing.
pub fn most(layer: Layer, is_plenty: bool) -> u64 {
    let (part, least) = if is_plenty { (12, 1 << 23) } else { (24, 1 << 22) };
    (layer.positions() / part).max((2 * layer.positions()).min(least))
}

/// Bytes that the list takes of a layer with this many lines, where memory is not plenty.
pub fn memory(layer: Layer, lines: u64) -> u64 {
    let entries = most(layer, false);
    // A bit for each number of the claims that go round in the end, and what ranks tell of them.
    let left = (8 * layer.positions()).min(1 << 24);
    // Each claim waits for something.
    let list = entries * size_of::<u32>() as u64 + entries / 16;
    lines * size_of::<[AtomicU32; 2]>() as u64 + list + left
}

/// Meets all claims that default moves meet, some of which sweeps may have left, and returns the
/// indices of the positions here whose opponent's claim stays open, as far as they are looked for;
/// `None` if the lists would have more than this many entries.
///
/// # Errors
/// [`Error::OutOfMemory`] if there is no memory for the list, and
/// [`Error::Interrupted`] if the observer asks for it.
pub fn finish(
    sweeps: &Sweeps,
    company: &dyn Company,
    (open, most): (u64, u64),
    scope: Scope,
) -> Result<Option<Vec<u64>>> {
    // About half of the claims are the opponent's, and each of these waits for two others.
    if open > most / 2 {
        return Ok(None);
    }
    let counts: Vec<Count> = {
        let _region = timeline::region("list begins");
        let counts = parallel::map_of(&sweeps.parts, |part| {
            task();
            sweeps.count(part)
        });
        counts.into_iter().collect::<Result<_>>()?
    };
    let sum = |number: fn(&Count) -> usize| counts.iter().map(number).sum::<usize>();
    let (entries, movers) = (sum(|count| count.entries), sum(|count| count.claims[MOVER]));
    let numbers = &Numbers::of(company, sum(Count::words))?;
    let [entries_of_all, movers_of_all] =
        company.sums(&[entries as u64 + movers as u64, movers as u64])?[..]
    else {
        unreachable!("two sums");
    };
    if entries_of_all > most {
        return Ok(None);
    }
    let words = numbers.words();
    let arena = sweeps.search.means.arena;
    let lines = |own: usize| sweeps.looks[own].met.len();
    let all: usize = (0..sweeps.looks.len()).map(lines).sum();
    let bytes = words * size_of::<u64>() + (2 * all + movers + entries) * size_of::<u32>();
    if words * LINE >= MARK as usize || movers_of_all > u64::from(NOTHING) {
        return too_many(bytes as u64, most);
    }
    let mut memory = arena.take(bytes, 0)?;
    let mut rest = memory.bytes_mut();
    let met = cut(&mut rest, words);
    let mut first = &*cut(&mut rest, 2 * all);
    let first = (0..sweeps.looks.len())
        .map(|own| taken(&mut first, 2 * lines(own)).as_chunks().0)
        .collect();
    let awaited = cut(&mut rest, movers);
    awaited.fill_with(|| AtomicU32::new(NOTHING));
    let list = List { sweeps, numbers, first, awaited, met };
    let mut rest = cut::<u32>(&mut rest, entries);
    let (mut next, mut pieces) = ([0, (numbers.own().start * LINE) as u32], Vec::new());
    for (part, count) in sweeps.parts.iter().zip(&counts) {
        let entries = rest.split_off_mut(..count.entries).expect("as many as counted");
        pieces.push(Piece { part, first: next, entries, used: 0 });
        next[MOVER] += count.claims[MOVER] as u32;
        next[OPPONENT] += (count.words() * LINE) as u32;
    }
    list.close(&mut pieces, company)?;
    let looked_for = match scope {
        Scope::Circles => {
            arena.make_room((numbers.own().len() * size_of::<u64>()) as u64);
            let left = pieces.into_iter().map(|piece| &mut piece.entries[..piece.used]);
            wanted(&mut left.collect::<Vec<_>>(), numbers, company)?
        }
        Scope::Everything => vec![u64::MAX; numbers.own().len()],
    };
    let region = timeline::region("list ends");
    let found = parallel::map_of(&sweeps.parts, |part| {
        task();
        list.note(part, &looked_for)
    });
    let found = found.concat();
    drop(region);
    sweeps.sweep(company)?;
    Ok(Some(found))
}

/// Where there are not numbers enough for all claims, sweeps go on, unless they find nothing more.
fn too_many<T>(bytes: u64, most: u64) -> Result<Option<T>> {
    if most < u64::MAX { Ok(None) } else { Err(Error::OutOfMemory { bytes }) }
}

/// How much of a part of the layer is open.
struct Count {
    /// The mover's claims, and the opponent's.
    claims: [usize; 2],
    /// The opponent's claims, and what they wait for.
    entries: usize,
}

impl Count {
    /// Words of a bit for each of the opponent's claims: no other part has bits in them.
    fn words(&self) -> usize {
        self.claims[OPPONENT].div_ceil(LINE)
    }
}

impl Sweeps<'_> {
    fn count(&self, part: &PairPart) -> Result<Count> {
        let (mut claims, mut replies) = ([0; 2], 0);
        for tile in part.tiles() {
            self.search.go_on()?;
            let open = self.open(tile);
            for claim in [MOVER, OPPONENT] {
                claims[claim] +=
                    open[claim].iter().map(|lanes| lanes.count_ones() as usize).sum::<usize>();
            }
            self.each_group(tile, &open, |_, _, waiting| {
                let count = |lanes: &[u64; 2]| lanes[OPPONENT].count_ones() as usize;
                replies += waiting.iter().map(count).sum::<usize>();
            });
        }
        Ok(Count { claims, entries: claims[OPPONENT] + replies })
    }
}

/// Open claims of a line, all the mover's or all the opponent's.
#[derive(Clone, Copy, Default)]
struct LineClaims {
    /// Their columns.
    open: u64,
    /// The number of the first.
    first: u32,
}

impl LineClaims {
    /// The number of the claim in a column; `None` if it is met.
    #[inline(always)]
    fn number(self, column: usize) -> Option<u32> {
        let bit = 1 << column;
        (self.open & bit != 0).then(|| self.first + (self.open & (bit - 1)).count_ones())
    }
}

/// The numbers of claims.
struct List<'a> {
    sweeps: &'a Sweeps<'a>,
    numbers: &'a Numbers,
    /// By block and line: the numbers of the first of the mover's claims and of the opponent's.
    first: Vec<&'a [[AtomicU32; 2]]>,
    /// By number of the mover's claim: that of the opponent's that it waits for.
    awaited: &'a [AtomicU32],
    /// By number of the opponent's claim, on all ranks: whether it is met.
    met: &'a [AtomicU64],
}

/// What is left of a part of the layer.
struct Piece<'a> {
    part: &'a PairPart,
    /// The numbers of its first claims, the mover's and the opponent's.
    first: [u32; 2],
    entries: &'a mut [u32],
    /// How many entries there are.
    used: usize,
}

/// The opponent's claims of a tile, and what they wait for.
#[derive(Default)]
struct WaitingClaims {
    /// How many each claim waits for, and where in the list the next of them goes.
    counts: Vec<usize>,
    /// Claims by their place among those of the tile, each with the number of what it waits for.
    pairs: Vec<(usize, u32)>,
}

impl List<'_> {
    /// Fills the list, and takes out what is met until a round finds nothing on any rank.
    fn close(&self, pieces: &mut [Piece], company: &dyn Company) -> Result<()> {
        {
            let _region = timeline::region("list begins");
            parallel::try_each_of(pieces.iter(), |piece| {
                task();
                self.number(piece)
            })?;
            // What the mover's claims wait for stands in the list for them.
            for claim in [MOVER, OPPONENT] {
                for round in &self.sweeps.rounds {
                    let answer = |at| self.answer(at, 1 - claim);
                    let answers = ask(company, self.sweeps, (round, claim), answer)?;
                    let pieces = pieces[round.parts.clone()].iter_mut().zip(answers);
                    parallel::try_each_of(pieces, |(piece, said)| {
                        task();
                        match claim {
                            MOVER => self.follow(piece, said),
                            _ => self.fill(piece, said),
                        }
                    })?;
                }
            }
        }
        let mut told = vec![0; self.numbers.own().len()];
        loop {
            let has_met = AtomicBool::new(false);
            {
                let _region = timeline::region("list of claims");
                pieces.iter_mut().par_bridge().try_for_each(|piece| {
                    timeline::task();
                    self.sweeps.search.go_on()?;
                    has_met.fetch_or(self.round(piece), Ordering::Relaxed);
                    Ok(())
                })?;
            }
            if !tell(company, self.numbers, (has_met.into_inner(), self.met), &mut told)? {
                return Ok(());
            }
        }
    }

    /// What stands in the list for a claim of a position here.
    fn answer(&self, at: Cell, claim: usize) -> u32 {
        let line = self.sweeps.search.shares[at.own].line(at.row, at.column / LINE);
        let number = self.claims(at.own, line, claim).number(at.column % LINE);
        number.map_or(NOTHING, |number| self.listed(claim, number))
    }

    /// What stands in the list for an open claim: the number of the opponent's, or of what the mover's
    /// waits for.
    #[inline(always)]
    fn listed(&self, claim: usize, number: u32) -> u32 {
        match claim {
            OPPONENT => number,
            _ => self.awaited[number as usize].load(Ordering::Relaxed),
        }
    }

    /// Numbers the claims of a part.
    fn number(&self, piece: &Piece) -> Result<()> {
        let mut next = piece.first;
        for tile in piece.part.tiles() {
            self.sweeps.search.go_on()?;
            for line in self.sweeps.search.lines(tile).flatten() {
                for claim in [MOVER, OPPONENT] {
                    self.first[tile.own][line][claim].store(next[claim], Ordering::Relaxed);
                    next[claim] += self.claims(tile.own, line, claim).open.count_ones();
                }
            }
        }
        Ok(())
    }

    /// The open claims of a line.
    #[inline(always)]
    fn claims(&self, own: usize, line: usize, claim: usize) -> LineClaims {
        let open = !load(&self.sweeps.looks[own].met[line][claim]);
        LineClaims { open, first: self.first[own][line][claim].load(Ordering::Relaxed) }
    }

    /// The open claims of a tile, by lane.
    fn claims_of(&self, tile: TileOf, claim: usize) -> [LineClaims; LINE] {
        self.sweeps.search.by_lane(tile, |line| self.claims(tile.own, line, claim))
    }

    /// Notes what the mover's claims of a part wait for, given the answers of others.
    fn follow(&self, piece: &Piece, mut said: Answers) -> Result<()> {
        for tile in piece.part.tiles() {
            self.sweeps.search.go_on()?;
            let claims = self.claims_of(tile, MOVER);
            self.each_child(tile, MOVER, &mut said, |column, lane, awaited| {
                let number = claims[lane].number(column).expect("an open claim");
                self.awaited[number as usize].store(awaited, Ordering::Relaxed);
            });
        }
        Ok(())
    }

    /// Lists the opponent's claims of a part, and what they wait for, given the answers of others.
    fn fill(&self, piece: &mut Piece, mut said: Answers) -> Result<()> {
        let (mut waiting, mut first) = (WaitingClaims::default(), piece.first[OPPONENT]);
        for tile in piece.part.tiles() {
            self.sweeps.search.go_on()?;
            let claims = self.claims_of(tile, OPPONENT);
            let count = claims.iter().map(|claims| claims.open.count_ones()).sum::<u32>();
            waiting.begin(count as usize);
            self.each_child(tile, OPPONENT, &mut said, |column, lane, awaited| {
                let number = claims[lane].number(column).expect("an open claim");
                waiting.add((number - first) as usize, awaited);
            });
            piece.list(first, &mut waiting);
            first += count;
        }
        Ok(())
    }

    /// Goes through the open claims of a tile and the children by their default moves, or by their
    /// tight replies. Shows column and lane of each in the tile, and what stands in the list for the
    /// child's claim, if that waits for anything.
    fn each_child(
        &self,
        tile: TileOf,
        claim: usize,
        said: &mut Answers,
        mut see: impl FnMut(usize, usize, u32),
    ) {
        self.sweeps.each_move(tile, claim, |place, window, lanes, (own, line)| {
            let children = self.claims(own, line, 1 - claim);
            for lane in set_lanes(lanes) {
                let child = children.number(usize::from(window.picks.0[lane]));
                let awaited = child.map_or(NOTHING, |child| self.listed(1 - claim, child));
                if awaited != NOTHING {
                    see(place, lane, awaited);
                }
            }
        });
        self.sweeps.each_elsewhere(tile, claim, |place, lane, _| {
            let awaited = said.next().expect("an answer");
            if awaited != NOTHING {
                see(place, lane, awaited);
            }
        });
    }

    fn is_met(&self, number: u32) -> bool {
        load(&self.met[number as usize / LINE]) >> (number as usize % LINE) & 1 == 1
    }

    /// Takes out what is met. Returns whether any claim is that was not.
    ///
    /// Where a claim ends is in no order that a processor could guess. So all entries are handled
    /// alike, for a claim in the list is not met itself; only the end of one that waits for nothing
    /// any more is a branch, in one comparison.
    fn round(&self, piece: &mut Piece) -> bool {
        let (mut kept, mut place, mut has_met) = (0, 0, false);
        for at in 0..piece.used {
            let entry = piece.entries[at];
            let goes_on = !entry & MARK;
            if (kept ^ (place + 1)) | goes_on as usize == 0 {
                self.meet(piece.entries[place]);
                (kept, has_met) = (place, true);
            }
            place = if goes_on == 0 { kept } else { place };
            piece.entries[kept] = entry;
            kept += usize::from(!self.is_met(entry & !MARK));
        }
        if kept == place + 1 {
            self.meet(piece.entries[place]);
            (kept, has_met) = (place, true);
        }
        piece.used = kept;
        has_met
    }

    /// Meets a claim that waits for nothing any more.
    fn meet(&self, claim: u32) {
        let number = (claim ^ MARK) as usize;
        add(&self.met[number / LINE], 1 << (number % LINE));
    }

    /// Notes what is met of the opponent's claims of a part, and returns the indices of the positions
    /// of those that are looked for.
    fn note(&self, part: &PairPart, looked_for: &[u64]) -> Vec<u64> {
        let is_looked_for = |number: u32| {
            let number = self.numbers.here(number).expect("a number of this rank");
            looked_for[number / LINE] >> (number % LINE) & 1 == 1
        };
        let (plan, mut found) = (self.sweeps.search.plan, Vec::new());
        for tile in part.tiles() {
            self.sweeps.search.means.arena.enforce_bound();
            let mut met = [0; LINE];
            let rows = plan.rows_of(tile.own, tile.panel);
            for (lane, (met, claims)) in
                met.iter_mut().zip(self.claims_of(tile, OPPONENT)).enumerate()
            {
                for (number, column) in (claims.first..).zip(set_lanes(claims.open)) {
                    if self.is_met(number) {
                        *met |= 1 << column;
                    } else if is_looked_for(number) {
                        let (row, column) = (rows[lane] as usize, tile.columns * LINE + column);
                        found.push(plan.layer.rank_at(Cell { own: tile.own, row, column }).0);
                    }
                }
            }
            self.sweeps.search.means.kernel.turn(&mut met);
            self.sweeps.note(tile, [[0; LINE], met]);
        }
        found
    }
}

impl WaitingClaims {
    /// This many claims wait for nothing.
    fn begin(&mut self, count: usize) {
        self.pairs.clear();
        self.counts.clear();
        self.counts.resize(count, 0);
    }

    /// A claim waits for another one.
    fn add(&mut self, claim: usize, awaited: u32) {
        self.pairs.push((claim, awaited));
        self.counts[claim] += 1;
    }
}

impl Piece<'_> {
    /// Lists the claims of a tile, whose numbers begin with this.
    fn list(&mut self, first: u32, waiting: &mut WaitingClaims) {
        for (number, count) in (first..).zip(&mut waiting.counts) {
            self.entries[self.used] = MARK | number;
            (self.used, *count) = (self.used + 1 + *count, self.used + 1);
        }
        for &(claim, awaited) in &waiting.pairs {
            let place = &mut waiting.counts[claim];
            self.entries[*place] = awaited;
            *place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::open::TightMoves;
    use super::super::search::{Alone, ClaimSearch, Means};
    use super::super::{open, sweeps};
    use super::*;
    use crate::game::rules::{ABAPA, AWARI, Rules};
    use crate::layer::arena::Arena;
    use crate::layer::plane::Plane;
    use crate::layer::solved::Solved;
    use crate::solver::plan::Plans;
    use crate::solver::tests::oracle::solved;
    use crate::solver::{Kernel, Unobserved};

    /// What default moves leave open, and what is looked for of it.
    #[derive(Debug, PartialEq)]
    struct Left {
        /// By block and line.
        met: Vec<[u64; 2]>,
        found: Vec<u64>,
    }

    /// What is left of the claims of a layer if these are listed after this many sweeps, or when
    /// sweeps find nothing more; and how many sweeps there were.
    fn left(rules: &'static Rules, solved: &Solved, after: u64, scope: Scope) -> (Left, u64) {
        let (mut plans, arena) = (Plans::new(rules), &Arena::default());
        let plan = &plans.layer(solved.layer().seeds());
        let (kernel, asking) = (Kernel::best(), open::Asking::all(rules, solved.layer().range()));
        let (observer, play) = (&Unobserved, TightMoves::ByDefault);
        let means =
            Means { kernel, arena, near: None, observer, asking, play, entries: 0, threads: 2 };
        let done = &solved.attained.as_ref().unwrap().low;
        let (low, high) = solved.bounds();
        let bounds = [low, if low == high { low } else { high }].map(Plane::blocks);
        let search = ClaimSearch::new(plan, means, bounds, done, None);
        let moves = sweeps::moves(&search);
        let mut room = sweeps::room(&search, &moves).unwrap();
        let sweeps = Sweeps::new(&search, &moves, &mut room);
        let alone = &Alone { offer: &|| Ok(()) };
        sweeps.begin(alone).unwrap();
        for count in 1.. {
            let swept = sweeps.sweep(alone).unwrap();
            let most = if swept.met > 0 && count < after { 0 } else { u64::MAX };
            if let Some(mut found) = finish(&sweeps, alone, (swept.open, most), scope).unwrap() {
                let lines = sweeps.looks.iter().flat_map(|looks| looks.met);
                let met = lines.map(|line| line.each_ref().map(open::load)).collect();
                found.sort_unstable();
                return (Left { met, found }, count);
            }
        }
        unreachable!("sweeps come to an end")
    }

    #[test]
    fn without_numbers_for_all_claims_sweeps_go_on_while_they_find_something() {
        assert!(matches!(too_many::<()>(9, u64::MAX - 1), Ok(None)));
        assert!(matches!(too_many::<()>(9, u64::MAX), Err(Error::OutOfMemory { bytes: 9 })));
    }

    #[test]
    fn a_list_finds_what_sweeps_find() {
        let [awari, abapa] = [&AWARI, &ABAPA].map(|rules| (rules, solved(rules, 8)));
        for ((rules, layers), seeds) in [(&awari, 8), (&abapa, 7), (&abapa, 8)] {
            let solved = &layers[seeds];
            let [circles, all] = [Scope::Circles, Scope::Everything].map(|scope| {
                let [at_once, later, never] =
                    [1, 5, u64::MAX].map(|after| left(rules, solved, after, scope));
                let what = format!("{} {seeds} {scope:?}", rules.id);
                assert!(!never.0.found.is_empty(), "{what}");
                assert!(at_once.1 == 1 && later.1 == 5 && never.1 > 5, "{what}: {}", never.1);
                assert!(at_once.0 == never.0 && later.0 == never.0, "{what}");
                at_once.0
            });
            assert!(circles.met == all.met && circles.found.len() < all.found.len());
            assert!(circles.found.iter().all(|rank| all.found.binary_search(rank).is_ok()));
        }
    }
}
