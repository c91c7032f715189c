//! Fitting a [model](super::model) to a layer.
//!
//! What is most probable depends on the model, and the model on what is [chosen](super::encoder).
//! Some tiles are looked at several times: first the lowest value that will do is chosen, then what
//! the model from before finds most probable. Each time letters are counted by context, and
//! contexts are gathered in [classes](super::classes).

use std::sync::{Mutex, PoisonError};

use super::classes::classify;
use super::counts::{LetterCounts, Tally};
use super::encoder::{Chosen, Encoder, Take, Work};
use super::ground::Ground;
use super::model::{CLASSES, LETTERS, Model};
use super::tiles::{Tile, Tiling};
use super::truth::TileValues;
use super::value::{Range, Value};
use crate::parallel;
use crate::pool::{Pool, locked};
use crate::simd::lanes::Lanes;
use crate::simd::set_lanes;

/// How hard to try. In layer 17 of `awari` at level 3 a model of 192 classes from 4,096 tiles makes 1.448
/// bits a position, of 128 from 2,048 tiles 1.458, of 128 from 1,024 1.474, of 96 from 768 1.484; a
/// second round less than 0.005 fewer. But to fit the first takes a third of the encoding, the last a
/// seventh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Classes of the model, at most.
    classes: usize,
    /// Tiles that are looked at, at most.
    sample: usize,
    /// How often they are.
    rounds: usize,
}

impl Effort {
    /// That of a level, 1 to 22, for a layer of this many positions.
    pub fn of_level(level: i32, positions: u64) -> Effort {
        let served = usize::try_from(positions / POSITIONS_PER_CLASS).unwrap_or(usize::MAX).max(1);
        let (classes, sample, rounds) = match level {
            ..=2 => (32, 128, 2),
            3..=8 => (96, 768, 1),
            9..=15 => (224, 6144, 2),
            16.. => (CLASSES, 12288, 2),
        };
        Effort { classes: served.min(classes), sample, rounds }
    }

    /// The tiles to look at.
    pub fn sample(self, tiling: &Tiling) -> Vec<usize> {
        (0..tiling.tiles).step_by(tiling.tiles.div_ceil(self.sample)).collect()
    }
}

/// Before the last round one of this many tiles is looked at.
const EARLY: usize = 4;

/// Positions that a class should serve at least.
const POSITIONS_PER_CLASS: u64 = 1024;

/// Tiles that are looked at for frequent values, at most. What does not come in half a million
/// positions may do without a letter.
const FREQUENT: usize = 256;

/// Fits an encoder to the [sample](Effort::sample) of a layer; `look` copies a tile of it, given its
/// number in the sample. Each tile is read again whenever it is needed, so that a large sample
/// takes no memory.
pub fn fit(
    tiling: &Tiling,
    effort: Effort,
    range: Range,
    look: impl Fn(usize, Tile, &mut TileValues) -> Ground + Sync,
) -> Encoder {
    let tiles = effort.sample(tiling);
    let look = |nth: usize, values: &mut TileValues| look(nth, tiling.tile(tiles[nth]), values);
    let frequent = frequent(tiles.len(), range, &look);
    let mut encoder = Encoder::new(Model::without_classes(frequent), range);
    for round in (0..effort.rounds).rev() {
        let counts = count(tiles.len(), if round == 0 { 1 } else { EARLY }, &encoder, &look);
        let is_whole = tiles.len() == tiling.tiles && round == 0;
        let model = classify(&encoder.model, &counts, effort.classes, is_whole);
        encoder = Encoder::new(model, range);
    }
    encoder
}

/// How often each letter comes in each context of one of `of` tiles. (A model without classes ranks
/// the lowest letter first.)
fn count(
    tiles: usize,
    of: usize,
    encoder: &Encoder,
    look: &(impl Fn(usize, &mut TileValues) -> Ground + Sync),
) -> LetterCounts {
    let tally = Mutex::new(Tally::new(encoder.model.contexts.len(), encoder.model.signs()));
    let numbers: Vec<usize> = (0..tiles).step_by(of).collect();
    let tools = Pool::new(|| (TileValues::default(), Work::default(), Counting(Vec::new())));
    parallel::each_of(numbers, |nth| {
        tools.with(|(values, work, counting)| {
            let mut ground = look(nth, values);
            encoder.choose(&mut ground, values, work, counting);
            locked(&tally).add(&counting.0);
            counting.0.clear();
        });
    });
    tally.into_inner().unwrap_or_else(PoisonError::into_inner).counts()
}

/// The most frequent values of the tiles.
fn frequent(
    tiles: usize,
    range: Range,
    look: &(impl Fn(usize, &mut TileValues) -> Ground + Sync),
) -> Vec<Value> {
    let counts = Mutex::new(vec![0u64; 1 << 16]);
    let numbers: Vec<usize> = (0..tiles).step_by(tiles.div_ceil(FREQUENT).max(1)).collect();
    parallel::each_of(numbers, |nth| {
        let values = &mut TileValues::default();
        let ground = look(nth, values);
        let counts = &mut *locked(&counts);
        for row in 0..ground.tile.height {
            let [low, high] =
                [0, range.planes.count() - 1].map(|plane| &values.numbers[plane][row]);
            let number = |lane| usize::from(u16::from_le_bytes([low[lane], high[lane]]));
            set_lanes(ground.lanes(row)).for_each(|lane| counts[number(lane)] += 1);
        }
    });
    let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    let values = (0..=u16::MAX).zip(&counts).filter(|(_, count)| **count > 0);
    let mut values: Vec<(Value, u64)> =
        values.map(|(numbers, &count)| (range.value(numbers.to_le_bytes()), count)).collect();
    values.sort_unstable_by_key(|&(value, count)| (std::cmp::Reverse(count), value));
    values.truncate(LETTERS);
    let mut values: Vec<Value> = values.into_iter().map(|(value, _)| value).collect();
    values.sort_unstable();
    values
}

/// Contexts and letters that were chosen.
struct Counting(Vec<u32>);

impl Take for Counting {
    #[inline(always)]
    fn take<L: Lanes>(&mut self, row: &Chosen) {
        let (letters, mut seen) = (row.letters::<L>(), *row.contexts);
        for (seen, &letter) in seen.iter_mut().zip(&letters) {
            *seen = *seen << 8 | u32::from(letter);
        }
        match row.held {
            u64::MAX => self.0.extend_from_slice(&seen),
            held => self.0.extend(set_lanes(held).map(|lane| seen[lane])),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::iter;

    use arrayvec::ArrayVec;

    use super::*;
    use crate::game::{AWARI, Rules, SHEETS, Seeds};
    use crate::layer::{Layer, Plane, Solved};
    use crate::simd::lanes::Instructions;
    use crate::solver::tests::oracle::solved;
    use crate::table::choice::Choice;
    use crate::table::code::{Code, RowContexts};
    use crate::table::cutting::Cutting;
    use crate::table::frame::{Compressor, Numbers};
    use crate::table::ground::{CAN_CAPTURE, Crossings};
    use crate::table::groups::GROUP;
    use crate::table::tiles::Twin;
    use crate::table::value::Planes;

    /// What the reader's way leads to: contexts and choices.
    type ChoicePath = Vec<(u32, Choice)>;

    impl Take for ChoicePath {
        fn take<L: Lanes>(&mut self, row: &Chosen) {
            self.extend(set_lanes(row.held).map(|lane| (row.contexts[lane], row.choice(lane))));
        }
    }

    /// Goes through a tile position by position, as a reader does; `None` if children bring more
    /// than the truth.
    fn slowly(
        encoder: &Encoder,
        range: Range,
        ground: &Ground,
        values: &TileValues,
    ) -> Option<ChoicePath> {
        let (model, code) = (&encoder.model, Code::new(&encoder.model, range));
        let (planes, edge) = (code.planes(), code.edge);
        let mut seen: HashMap<(Twin, usize, usize), [u8; 2]> = HashMap::new();
        let mut way = ChoicePath::new();
        let cells = (0..ground.tile.height).flat_map(|row| {
            [Twin::Smaller, Twin::Larger].into_iter().flat_map(move |twin| {
                let held = move |column: &usize| ground.held(twin, row) >> column & 1 == 1;
                (0..GROUP).filter(held).map(move |column| (twin, row, column))
            })
        });
        let is_exact = |twin, row, column: usize| {
            ground.is_bounded && ground.flags_of(twin, row)[column] & CAN_CAPTURE == 0
        };
        for (twin, row, column) in cells {
            let lane = twin.first_lane() + column;
            let number = |bound: usize| values.numbers[bound][row][lane];
            let truth = [number(0), number(planes - 1)];
            let children: Vec<_> = match twin {
                Twin::Larger => {
                    let homes = ground
                        .columns
                        .home_moves
                        .iter()
                        .filter(|&&(from, _)| from as usize == column);
                    homes.map(|&(_, home)| (Twin::Smaller, row, home.into())).collect()
                }
                Twin::Smaller => {
                    ground.rows.homes(row).map(|home| (Twin::Larger, home, column)).collect()
                }
            };
            let children =
                children.iter().filter(|&&(twin, row, column)| is_exact(twin, row, column));
            let children: Vec<[u8; 2]> =
                children.filter_map(|cell| seen.get(cell).copied()).collect();
            let most =
                |bound: usize| children.iter().map(|child| range.turned() - child[bound]).max();
            let brought = [most(1).unwrap_or(0), most(0).unwrap_or(0)];
            let above_truth = |bound: usize| brought[bound] > truth[bound].saturating_add(1);
            if above_truth(0) || above_truth(1) {
                return None;
            }
            let mark = |cell| seen.get(&cell).map_or(edge, |&numbers| code.mark(numbers));
            let left = mark((twin, row, ground.left[column].into()));
            let above = mark((twin, ground.rows.references[row].into(), column));
            let mut contexts = RowContexts::default();
            let (flags, above, brought_there) =
                (ground.flags_of(twin, row), [above; GROUP], [brought[0]; GROUP]);
            contexts.set(&code, twin as usize, flags, &above, &brought_there);
            let context = contexts.of(column, left);
            let is_free = |bound: usize| values.free[bound][row] >> lane & 1 == 1;
            let is_free = |bound: usize| match planes {
                1 => is_free(0) && is_free(1),
                _ => is_free(bound),
            };
            let will_do = |stored: [u8; 2], bound: usize| {
                let by_capture = is_free(bound) && !is_exact(twin, row, column);
                let by_child = brought[bound] > 0 && brought[bound] - 1 == truth[bound];
                stored[bound] == truth[bound]
                    || (by_capture || by_child) && stored[bound] < truth[bound]
            };
            let class = &model.classes[code.class(context)];
            let numbers = |letter: &u8| code.numbers(model.values[usize::from(*letter)]);
            let has_letter = class.letters.iter().any(|letter| numbers(letter) == truth);
            let fits = |letter: &u8| (0..2).all(|bound| will_do(numbers(letter), bound));
            let rank = class.letters.iter().position(fits).filter(|_| has_letter);
            let stored = rank.map_or(truth, |rank| numbers(&class.letters[rank]));
            let low = stored[0].max(brought[0].saturating_sub(1));
            let high = stored[1].max(brought[1].saturating_sub(1)).max(low);
            seen.insert((twin, row, column), [low, if planes == 1 { low } else { high }]);
            let rank = rank.map_or(model.rare(), |rank| rank as u8);
            way.push((context as u32, Choice::new(class, rank, model.rare())));
        }
        Some(way)
    }

    /// Every tile of small layers, on every sheet.
    #[test]
    fn choices_are_those_of_the_slow_way() {
        for rules in SHEETS {
            let layers = solved(rules, 7);
            for seeds in [3, 6, 7] {
                compare(rules, &layers[seeds]);
            }
        }
    }

    fn compare(rules: &'static Rules, solved: &Solved) {
        let tiling = Tiling::new(solved.layer(), 1 << 14);
        let crossings = Crossings::of(rules);
        let (low, high) = solved.bounds();
        let planes = if low == high { Planes::Low } else { Planes::LowAndHigh };
        let range = Range { scores: solved.layer().range(), planes };
        let planes: ArrayVec<_, 2> =
            [low, high].map(Plane::blocks).into_iter().take(planes.count()).collect();
        let marks = solved.attained.iter().flat_map(|all| iter::once(&all.low).chain(&all.high));
        let marks: ArrayVec<_, 2> = marks.collect();
        for wants_bounds in [true, false] {
            let (planes, marks) = (planes.clone(), marks.clone());
            let cutting = Cutting { tiling: &tiling, planes, marks, offset: range.offset() };
            let look = |tile: Tile, values: &mut TileValues| {
                cutting.cut(&tile, values);
                Ground::of(&crossings, &tiling, tile, wants_bounds)
            };
            let effort = Effort::of_level(3, solved.layer().positions());
            let mut encoder = fit(&tiling, effort, range, |_, tile, values| look(tile, values));
            let (mut work, mut values) = (Work::default(), TileValues::default());
            let (mut numbers, mut compressor) = (Numbers::default(), Compressor::new(3));
            let mut written: Vec<Vec<u8>> = Vec::new();
            for tile in (0..tiling.tiles).map(|number| tiling.tile(number)) {
                let ground = look(tile, &mut values);
                let slow = slowly(&encoder, range, &ground, &values);
                let is_bounded = wants_bounds && tile.seeds[0] > 0 && slow.is_some();
                for instructions in Instructions::available() {
                    encoder.instructions = instructions;
                    let (mut ground, mut way) = (look(tile, &mut values), ChoicePath::new());
                    encoder.choose(&mut ground, &values, &mut work, &mut way);
                    assert_eq!(ground.is_bounded, is_bounded);
                    assert!(slow.as_ref() == Some(&way), "{}, {tile:?}", rules.id);
                    let ground = look(tile, &mut values);
                    encoder.encode(ground, &values, &mut work, &mut numbers);
                    written.push(Vec::new());
                    let frame = written.last_mut().expect("just pushed");
                    compressor.finish(&mut numbers, frame).unwrap();
                }
                assert!(written.windows(2).all(|pair| pair[0] == pair[1]), "{tile:?}");
                written.clear();
            }
        }
    }

    /// Whatever stands in the planes: children then bring more than the truth.
    #[test]
    fn bounds_that_do_not_hold_are_dropped() {
        let tiling = Tiling::new(Layer::of(&AWARI, Seeds::new(9).unwrap()), 1 << 14);
        let range = Range { scores: tiling.layer.range(), planes: Planes::Low };
        let crossings = Crossings::of(&AWARI);
        let look = |tile: Tile, values: &mut TileValues| {
            let mut next = 0u32;
            for number in values.numbers.as_flattened_mut().as_flattened_mut() {
                next = next.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *number = (next >> 24) as u8 % 19;
            }
            Ground::of(&crossings, &tiling, tile, true)
        };
        let effort = Effort::of_level(3, 1 << 20);
        let encoder = fit(&tiling, effort, range, |_, tile, values| look(tile, values));
        let (mut work, mut values, mut dropped) = (Work::default(), TileValues::default(), 0);
        for tile in (0..tiling.tiles).map(|number| tiling.tile(number)) {
            let (mut ground, mut way) = (look(tile, &mut values), ChoicePath::new());
            let slow = slowly(&encoder, range, &ground, &values);
            let was_bounded = ground.is_bounded;
            encoder.choose(&mut ground, &values, &mut work, &mut way);
            let slow = slow.unwrap_or_else(|| slowly(&encoder, range, &ground, &values).unwrap());
            assert!(way == slow, "{tile:?}");
            dropped += usize::from(was_bounded && !ground.is_bounded);
        }
        assert!(dropped > 0);
    }
}
