//! The loops of all kernels, over whatever a line is to each of them.

use std::sync::atomic::{AtomicU64, Ordering};

use zerocopy::transmute;

use super::log::{Log, Spot};
use super::operands::{
    Equal, Follow, Lead, Limit, Meet, NONE, PassageChildren, Picks, Settle, Spread, TileClaims,
    Window,
};
use super::vector::{KeptLine, Vector};
use crate::layer::line::{LINE, Line};
use crate::layer::lines::{Lines, LinesMut, with_lines};
use crate::layer::packing::Codes;
use crate::simd::set_lanes;

/// The loop of `Kernel::pull` and of `Kernel::pull_captures`.
#[inline(always)]
pub fn pull_loop<'a, V: Vector, const CAPTURES: bool>(
    out: &mut [Line],
    stride: usize,
    sources: impl Iterator<Item = PassageChildren<'a>>,
) {
    for source in sources {
        with_lines!(Lines, source.lines, |lines, codes| {
            fetch_ahead::<V, _>(&source, lines);
            let captured = V::splat(source.captured);
            for window in source.windows {
                let panel = source.panel(lines, window);
                let (picks, lanes) = (V::picks(&window.picks), V::lanes(window.lanes));
                for pull in source.pulls {
                    let line = &mut out[pull.place as usize * stride];
                    let mut child = panel[pull.row as usize].pick::<V>(picks, codes);
                    if CAPTURES {
                        child = child.minus(captured);
                    }
                    V::load(line).lower(lanes, child).store(line);
                }
            }
        });
    }
}

/// Asks for the lines of the next windows. The last of these windows and the first of the next are
/// often in the same panel; that one is here.
#[inline(always)]
fn fetch_ahead<V: Vector, L>(source: &PassageChildren, lines: &[L]) {
    let here = source.windows.last().map(|window| window.panel);
    for window in source.ahead {
        if Some(window.panel) == here {
            continue;
        }
        let panel = source.panel(lines, window);
        for pull in source.pulls {
            V::fetch(&panel[pull.row as usize]);
        }
    }
}

impl PassageChildren<'_> {
    /// Of its lines those of the panel that a window looks into.
    #[inline(always)]
    fn panel<'l, L>(&self, lines: &'l [L], window: &Window) -> &'l [L] {
        &lines[(window.panel as usize - self.first) * self.rows..][..self.rows]
    }
}

/// The loop of `Kernel::spread`.
#[inline(always)]
pub fn spread_loop<V: Vector>(out: &mut [Line], stride: usize, spread: Spread) {
    let Spread { lines, rows, first, tile: (start, end), windows } = spread;
    let none = V::splat(NONE);
    let Some((window, others)) = windows.split_first() else {
        out.iter_mut().step_by(stride).take(LINE).for_each(|line| *line = Line::of(NONE));
        return;
    };
    with_lines!(Lines, lines, |lines, codes| {
        let panel = |window: &Window| &lines[(window.panel as usize - first) * rows..][start..end];
        let (picks, lanes) = (V::picks(&window.picks), V::lanes(window.lanes));
        for (at, line) in panel(window).iter().enumerate() {
            none.replace(lanes, line.pick::<V>(picks, codes)).store(&mut out[at * stride]);
        }
        for window in others {
            let (picks, lanes) = (V::picks(&window.picks), V::lanes(window.lanes));
            for (at, line) in panel(window).iter().enumerate() {
                let out = &mut out[at * stride];
                V::load(out).replace(lanes, line.pick::<V>(picks, codes)).store(out);
            }
        }
    });
    for at in end - start..LINE {
        none.store(&mut out[at * stride]);
    }
}

/// A score within its limit. Vectors are handed over, and no closures that load them: one that a
/// compiler does not inline is compiled without the instructions, and calls them one by one.
#[inline(always)]
fn limited<V: Vector>(limit: Limit, score: V, old: V, bound: V) -> V {
    match limit {
        Limit::Free => score,
        Limit::Above { most } => score.min(old).min(V::splat(most)).max(bound),
        Limit::Below { least } => score.max(old).max(V::splat(least)).min(bound),
    }
}

/// The loop of `Kernel::lead`.
#[inline(always)]
pub fn lead_loop<V: Vector>(lead: Lead) {
    let Lead { values, constants, lines, panel_step, row_step, home, limit, old, bounds } = lead;
    with_lines!(Lines, lines, |lines, codes| {
        for (at, (value, constant)) in values.iter_mut().zip(constants).enumerate() {
            let mut least = V::load(constant);
            for &row in home {
                let child = &lines[at * panel_step + row as usize * row_step];
                least = least.min(child.load::<V>(codes));
            }
            let mut score = V::splat(0).minus(least);
            if limit != Limit::Free {
                score = limited(limit, score, V::load(&old[at]), V::load(&bounds[at]));
            }
            score.store(value);
        }
    });
}

/// The loop of `Kernel::follow`.
#[inline(always)]
pub fn follow_loop<V: Vector>(follow: Follow, log: &mut Log) {
    let Follow {
        panels,
        rows,
        row,
        first,
        constants,
        values,
        windows,
        starts,
        columns,
        limit,
        bounds,
        spot,
    } = follow;
    with_lines!(LinesMut, panels, |panels, codes| {
        let bounds = like(panels, bounds);
        for (at, constant) in constants.iter().enumerate() {
            let column = (first + at) * LINE;
            if column >= columns {
                return;
            }
            let mut least = V::load(constant);
            for window in &windows[starts[first + at] as usize..starts[first + at + 1] as usize] {
                let child = V::pick(&values[window.panel as usize], V::picks(&window.picks));
                least = least.lower(V::lanes(window.lanes), child);
            }
            let place = at * rows + row;
            let old = panels[place].load::<V>(codes);
            let mut new = V::splat(0).minus(least);
            if limit != Limit::Free {
                new = limited(limit, new, old, bounds[place].load::<V>(codes));
            }
            let lanes = old.differing(new) & (u64::MAX >> (LINE - (columns - column).min(LINE)));
            if lanes != 0 {
                let slot = (&mut panels[place], codes);
                change(slot, (old, new), lanes, log, spot, (row, column));
            }
        }
    });
}

/// Lines that are kept as others are. To match once and not for each line makes a quarter of the
/// code.
#[inline(always)]
fn like<'l, L: KeptLine>(_: &[L], lines: Lines<'l>) -> &'l [L] {
    L::all(lines)
}

/// The loop of `Kernel::settle`.
#[inline(always)]
pub fn settle_loop<V: Vector>(settle: Settle, log: &mut Log) {
    let Settle { tile, rows, panel, first, column, lanes, corner, spot } = settle;
    with_lines!(LinesMut, panel, |panel, codes| {
        for (at, (line, &row)) in tile.0.iter().zip(rows).enumerate() {
            let Some(slot) = panel.get_mut((row as usize).wrapping_sub(first)) else { continue };
            let (old, new) = (slot.load::<V>(codes), V::load(line));
            let own = if corner { u64::MAX << at } else { u64::MAX };
            let lanes = old.differing(new) & lanes & own;
            if lanes != 0 {
                change((slot, codes), (old, new), lanes, log, spot, (row as usize, column));
            }
        }
    });
}

/// Replaces `old` by `new` in some lanes of a line and notes it.
#[inline(always)]
fn change<V: Vector, L: KeptLine>(
    (slot, codes): (&mut L, Codes),
    (old, new): (V, V),
    lanes: u64,
    log: &mut Log,
    spot: Spot,
    place: (usize, usize),
) {
    let [mut before, mut after] = [Line::of(0); 2];
    let changed = old.replace(V::lanes(lanes), new);
    slot.store(changed, codes);
    if log.changes.is_some() {
        old.store(&mut before);
        changed.store(&mut after);
    }
    log.note(spot, place, lanes, &before, &after);
}

/// The loop of `Kernel::unpack`.
#[inline(always)]
pub fn unpack_loop<V: Vector>(lines: Lines, scores: &mut [Line]) {
    with_lines!(Lines, lines, |lines, codes| {
        for (line, scores) in lines.iter().zip(scores) {
            line.load::<V>(codes).store(scores);
        }
    });
}

/// The loop of `Kernel::pack`.
#[inline(always)]
pub fn pack_loop<V: Vector>(lines: LinesMut, scores: &[Line]) {
    with_lines!(LinesMut, lines, |lines, codes| {
        for (line, scores) in lines.iter_mut().zip(scores) {
            line.store(V::load(scores), codes);
        }
    });
}

/// Byte `j` of row `i` of eight by eight bytes, for byte `i` of row `j`.
const SQUARE: Picks = {
    let (mut picks, mut at) = ([0; LINE], 0);
    while at < LINE {
        picks[at] = (at % 8 * 8 + at / 8) as u8;
        at += 1;
    }
    Picks(picks)
};

/// The loop of `Kernel::turn`.
#[inline(always)]
pub fn turn_loop<V: Vector>(words: &mut [u64; LINE]) {
    // Squares of 32, 16 and 8 bits above the diagonal change places with those below it.
    for width in [32, 16, 8] {
        let low = u64::MAX / ((1 << width) + 1);
        for squares in words.chunks_exact_mut(2 * width) {
            let (upper, lower) = squares.split_at_mut(width);
            for (upper, lower) in upper.iter_mut().zip(lower) {
                let moved = (*upper >> width ^ *lower) & low;
                *upper ^= moved << width;
                *lower ^= moved;
            }
        }
    }
    // Eight bytes one below the other become a word, which is a square of eight by eight bits.
    let square = V::picks(&SQUARE);
    for rows in words.as_chunks_mut::<8>().0 {
        let mut line: Line = transmute!(rows.map(u64::to_le));
        V::pick(&line, square).store(&mut line);
        let mut squares: [u64; 8] = transmute!(line);
        for bits in &mut squares {
            *bits = u64::from_le(*bits);
            for (width, low) in
                [(7, 0x00AA_00AA_00AA_00AA), (14, 0xCCCC_0000_CCCC), (28, 0xF0F0_F0F0)]
            {
                let moved = (*bits ^ *bits >> width) & low;
                *bits ^= moved ^ moved << width;
            }
            *bits = bits.to_le();
        }
        line = transmute!(squares);
        V::pick(&line, square).store(&mut line);
        let turned: [u64; 8] = transmute!(line);
        *rows = turned.map(u64::from_le);
    }
}

/// The loop of `Kernel::equals`.
#[inline(always)]
pub fn equals_loop<V: Vector>(equal: Equal) {
    let Equal { source, wanted, equal } = equal;
    with_lines!(Lines, source.lines, |lines, codes| {
        fetch_ahead::<V, _>(&source, lines);
        for window in source.windows {
            let panel = source.panel(lines, window);
            let (picks, lanes) = (V::picks(&window.picks), window.lanes);
            for (pull, equal) in source.pulls.iter().zip(&mut *equal) {
                let child = panel[pull.row as usize].pick::<V>(picks, codes);
                let wanted = V::load(&wanted[pull.place as usize % LINE]);
                *equal |= lanes & !child.differing(wanted);
            }
        }
    });
}

/// The loop of `Kernel::meet`.
#[inline(always)]
pub fn meet_loop<V: Vector>(meet: Meet) {
    match meet.tight.len() == meet.pulls.len() {
        true => meet_words::<V, 1>(meet),
        false => meet_words::<V, 2>(meet),
    }
}

#[inline(always)]
fn meet_words<V: Vector, const WORDS: usize>(meet: Meet) {
    let Meet { lines, rows, first, windows, pulls, columns, places, tight, by_default, claims } =
        meet;
    let TileClaims { columns: open, undecided, met, unanswered } = claims;
    let load = |word: &AtomicU64| word.load(Ordering::Relaxed);
    let decides = if by_default { u64::MAX } else { 0 };
    let (tight, mut closed) = (tight.as_chunks::<WORDS>().0, 0);
    let pulls = &pulls[..tight.len()];
    for window in windows {
        let (bits, lanes) = (V::bits(&window.picks), window.lanes);
        let lines = &lines[(window.panel as usize - first) * rows..][..rows];
        for place in set_lanes(columns) {
            let at = usize::from(places[place]);
            let (line, tight) = (&lines[pulls[at].row as usize], &tight[at]);
            let keeps = load(&tight[0]) & undecided[place] & lanes;
            let replies = load(&tight[WORDS - 1]) & unanswered[place] & lanes;
            let [movers, opponents] = line.each_ref().map(load);
            let met_here = keeps & V::members(opponents, bits);
            met[place] |= met_here;
            undecided[place] &= !(met_here | keeps & decides);
            unanswered[place] &= !(replies & !V::members(movers, bits));
            closed |= u64::from(undecided[place] | unanswered[place] == 0) << place;
        }
    }
    *open &= !closed;
}

/// The loop of `Kernel::count`.
#[inline(always)]
pub fn count_loop(words: &[u64; LINE]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}
