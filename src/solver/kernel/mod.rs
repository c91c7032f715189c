//! The only arithmetic of the solver that must be fast.
//!
//! Everything is a minimum of bytes over whole lines of 64 positions. A *window* says where in a
//! line of the child's row the children of 64 positions are; a *pull* says which row that is, and
//! for which row of the mover. Scores are kept *negated* while they are computed: the least of the
//! children's scores is what the best move leaves the opponent, and one negation at the end
//! replaces one for each child.
//!
//! # The contract
//!
//! A [`Kernel`] is one way to handle a line. The loops stand in one file, once, over the trait
//! `Vector`; a file for each set of instructions implements that and no more. Every kernel
//! computes the same bytes: tests hold each operation against the portable one, and every kernel
//! against the slow solver.
//!
//! | operation | what |
//! |---|---|
//! | [`Kernel::pull`] | lines of 64 own rows are lowered to what their children in other rows say |
//! | [`Kernel::pull_captures`] | the same where children are in lower layers, less the seeds captured |
//! | [`Kernel::spread`] | lines of a layout without some lanes are laid out with all |
//! | [`Kernel::lead`] | the larger block's scores for one row of a pair: captures, crossing, home moves |
//! | [`Kernel::follow`] | the smaller block's scores for that row, from those just computed |
//! | [`Kernel::settle`] | a tile is turned round and stored where it differs |
//! | [`Kernel::unpack`], [`Kernel::pack`] | lines are loaded and stored |
//! | [`Kernel::transpose`] | rows become columns |
//! | [`Kernel::turn`] | the same with bits |
//! | [`Kernel::equals`] | by move of those of a tile that share a passage, the positions whose child has a score |
//! | [`Kernel::meet`] | which claims of a tile moves of one passage meet, and which they hold up |
//! | [`Kernel::count`] | how many bits 64 words have |
//!
//! The next windows' lines are fetched into the second-level cache while this window is worked on.
//! In a prototype that saved 15 %; to fetch them into the first-level cache cost 30 %.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod compiled;
mod log;
mod loops;
mod operands;
mod portable;
#[cfg(any(test, target_arch = "aarch64", target_feature = "simd128"))]
mod quads;
mod vector;

use crate::layer::line::{LINE, Line};
use crate::layer::lines::{Lines, LinesMut};
use crate::simd::{Instructions, Set};
pub use log::{Change, Log, Spot};
pub use operands::{
    Equal, Follow, Lead, Limit, LineTile, Meet, Met, NONE, PassageChildren, Picks, Pull, Settle,
    Spread, TileClaims, Window,
};

/// The instructions that the solver computes with: plain Rust, NEON, WebAssembly's simd128, AVX2 or
/// AVX-512. There is one of those that this machine has only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel(Instructions);

/// Calls the kernel's version of a loop.
macro_rules! dispatch {
    ($kernel:expr, $name:ident, $($argument:expr),*) => {
        match $kernel.0.set() {
            Set::Portable => portable::$name($($argument),*),
            #[cfg(any(test, target_arch = "aarch64", target_feature = "simd128"))]
            Set::Sixteen => quads::$name($($argument),*),
            // SAFETY: code that makes `Instructions` has asked the processor for all that the loops are
            // compiled with.
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code)]
            Set::Avx2 => unsafe { avx2::$name($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code)]
            Set::Avx512 => unsafe { avx512::$name($($argument),*) },
        }
    };
}

impl Kernel {
    /// Plain Rust, which every machine has.
    pub const PORTABLE: Kernel = Kernel(Instructions::PORTABLE);

    /// The kernels that this machine can run, slowest first. The environment variable
    /// `OWARE_VECTOR_BYTES` says which of them are left out: those that handle more bytes at a time.
    pub fn available() -> Vec<Kernel> {
        Instructions::available().map(Kernel).collect()
    }

    /// The fastest.
    pub fn best() -> Kernel {
        Kernel(Instructions::best())
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Lowers lines of a tile to the scores of children. Own row `place` of the tile is line
    /// `place * stride` of `out`.
    pub fn pull<'a>(
        self,
        out: &mut [Line],
        stride: usize,
        sources: impl Iterator<Item = PassageChildren<'a>>,
    ) {
        dispatch!(self, pull, out, stride, sources);
    }

    /// The same for children that captures lead to: less the seeds captured.
    pub fn pull_captures<'a>(
        self,
        out: &mut [Line],
        sources: impl Iterator<Item = PassageChildren<'a>>,
    ) {
        dispatch!(self, pull_captures, out, sources);
    }

    /// Writes a tile whose lines have all lanes, with `NONE` where the layout that it comes from has
    /// none. Row `place` of the tile is line `place * stride` of `out`.
    pub fn spread(self, out: &mut [Line], stride: usize, spread: Spread) {
        dispatch!(self, spread, out, stride, spread);
    }

    /// Computes a row of the larger block of a pair.
    pub fn lead(self, lead: Lead) {
        dispatch!(self, lead, lead);
    }

    /// Computes a row of the smaller block of a pair.
    pub fn follow(self, follow: Follow, log: &mut Log) {
        dispatch!(self, follow, follow, log);
    }

    /// Stores a tile.
    pub fn settle(self, settle: Settle, log: &mut Log) {
        dispatch!(self, settle, settle, log);
    }

    /// Loads lines however they are kept: as many as there is room for.
    pub fn unpack(self, lines: Lines, scores: &mut [Line]) {
        dispatch!(self, unpack, lines, scores);
    }

    /// Stores lines however they are kept.
    pub fn pack(self, lines: LinesMut, scores: &[Line]) {
        dispatch!(self, pack, lines, scores);
    }

    /// Makes rows columns.
    pub fn transpose(self, tile: &mut LineTile) {
        dispatch!(self, transpose, tile);
    }

    /// Of all moves of a tile that share a passage, the lanes whose child holds the byte that is wanted.
    pub fn equals(self, equal: Equal) {
        dispatch!(self, equals, equal);
    }

    /// Looks whether what claims of a tile wait for is met.
    pub fn meet(self, meet: Meet) {
        dispatch!(self, meet, meet);
    }

    /// How many lanes there are in all words.
    pub fn count(self, words: &[u64; LINE]) -> u32 {
        dispatch!(self, count, words)
    }

    /// Makes bits of words words of bits: bit `l` of word `w` becomes bit `w` of word `l`.
    pub fn turn(self, words: &mut [u64; LINE]) {
        dispatch!(self, turn, words);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::game::{ABAPA, AWARI, ScoreRange, Seeds};
    use crate::layer::arena::Arena;
    use crate::layer::blocks::Blocks;
    use crate::layer::packing::Packing;
    use crate::random::Dice;
    use crate::simd::set_lanes;
    use crate::solver::plan::OUTSIDE;

    /// Rows of a block, and panels.
    const ROWS: usize = 70;
    const PANELS: usize = 3;

    fn line(dice: &mut Dice, most: i8) -> Line {
        let from_zero = |_| dice.below(2 * most as u64 + 1) as i16;
        Line([0; LINE].map(from_zero).map(|score| (score - i16::from(most)) as i8))
    }

    fn lines(dice: &mut Dice, count: usize, most: i8) -> Vec<Line> {
        (0..count).map(|_| line(dice, most)).collect()
    }

    /// Ways to keep lines, with the scores that these tell apart.
    fn packings() -> Vec<(Packing, Vec<i8>)> {
        let range = |rules, seeds, game| {
            let [seeds, game] = [seeds, game].map(|seeds| Seeds::new(seeds).unwrap());
            ScoreRange::deciding(rules, seeds, Some(game))
        };
        let ranges = [
            range(&AWARI, 12, 40),
            range(&AWARI, 34, 40),
            range(&AWARI, 40, 40),
            range(&AWARI, 39, 40),
            range(&ABAPA, 47, 48),
            range(&ABAPA, 36, 48),
            range(&ABAPA, 37, 48),
            range(&ABAPA, 48, 48),
        ];
        let packings = ranges.map(|range| {
            let is_there =
                |score: &i8| !range.is_even() || (score + range.end()) % 2 == 0 || *score == 0;
            (Packing::of(range), (-range.end()..=range.end()).filter(is_there).collect())
        });
        assert_eq!(
            packings.each_ref().map(|(packing, _)| packing.bytes()),
            [64, 32, 16, 22, 22, 32, 32, 16]
        );
        packings.into()
    }

    /// Lines of some scores.
    fn of(scores: &[i8], dice: &mut Dice, count: usize) -> Vec<Line> {
        let score = |dice: &mut Dice| scores[dice.below(scores.len() as u64) as usize];
        (0..count).map(|_| Line(std::array::from_fn(|_| score(dice)))).collect()
    }

    /// Lines as they are kept.
    fn kept(packing: Packing, lines: &[Line]) -> Blocks {
        let shape = std::iter::once((lines.len(), LINE));
        let mut blocks = Blocks::in_arena(&Arena::default(), shape, packing, 0).unwrap();
        lines.iter().enumerate().for_each(|(at, line)| blocks.all_mut().put(at, line));
        blocks
    }

    fn window(dice: &mut Dice) -> Window {
        let picks = Picks(std::array::from_fn(|_| dice.below(LINE as u64) as u8));
        Window { picks, lanes: dice.number(), panel: dice.below(PANELS as u64) as u32 }
    }

    /// A tile of random scores; a few are as large as scores get while nothing is known.
    fn tile(dice: &mut Dice) -> LineTile {
        LineTile(std::array::from_fn(|_| line(dice, 100)))
    }

    /// The same for each way to keep lines: `work` is given the scores that it tells apart, too.
    fn assert_same_however_kept<T: PartialEq + std::fmt::Debug>(
        work: impl Fn(Kernel, &mut Dice, (Packing, &[i8])) -> T,
    ) {
        for (packing, scores) in packings() {
            assert_same(|kernel, dice| work(kernel, dice, (packing, &scores)));
        }
    }

    /// Runs `work` with the same dice on every kernel and compares what it gives.
    fn assert_same<T: PartialEq + std::fmt::Debug>(work: impl Fn(Kernel, &mut Dice) -> T) {
        let others = || Kernel::available().into_iter().filter(|&one| one != Kernel::PORTABLE);
        for seed in 0..200 {
            let expected = work(Kernel::PORTABLE, &mut Dice::new(seed));
            for kernel in others() {
                assert_eq!(work(kernel, &mut Dice::new(seed)), expected, "{kernel:?}, seed {seed}");
            }
        }
    }

    #[test]
    fn kernels_pull_the_same() {
        for captures in [false, true] {
            assert_same_however_kept(|kernel, dice, (packing, scores)| {
                let lines = of(&[scores, &[NONE]].concat(), dice, PANELS * ROWS);
                let block = kept(packing, &lines);
                let [windows, ahead] =
                    [3, 2].map(|count| (0..count).map(|_| window(dice)).collect::<Vec<_>>());
                let pull = |_| Pull {
                    place: dice.below(LINE as u64) as u32,
                    row: dice.below(ROWS as u64) as u32,
                };
                let pulls: Vec<Pull> = (0..20).map(pull).collect();
                let mut out = tile(dice);
                let source = PassageChildren {
                    lines: block.all(),
                    rows: ROWS,
                    first: 0,
                    windows: &windows,
                    ahead: &ahead,
                    pulls: &pulls,
                    captured: 5,
                };
                if captures {
                    kernel.pull_captures(&mut out.0, std::iter::once(source));
                    return out;
                }
                let mut least = out.clone();
                for (window, pull) in
                    windows.iter().flat_map(|one| pulls.iter().map(move |pull| (one, pull)))
                {
                    let line = &lines[window.panel as usize * ROWS + pull.row as usize];
                    for lane in set_lanes(window.lanes) {
                        let score = &mut least.0[pull.place as usize].0[lane];
                        *score = line.0[usize::from(window.picks.0[lane])].min(*score);
                    }
                }
                kernel.pull(&mut out.0, 1, std::iter::once(source));
                assert!(out == least);
                out
            });
        }
    }

    #[test]
    fn kernels_spread_the_same() {
        for (windows, rows) in [(0, LINE), (1, 64), (2, 64), (2, 6)] {
            assert_same_however_kept(|kernel, dice, (packing, scores)| {
                let scores = [scores, &[NONE]].concat();
                let block = of(&scores, dice, PANELS * ROWS);
                let windows: Vec<Window> = (0..windows).map(|_| window(dice)).collect();
                let start = dice.below((ROWS - rows) as u64 + 1) as usize;
                let mut out = lines(dice, 2 * LINE, 100);
                let (before, all) = (out.clone(), kept(packing, &block));
                kernel.spread(
                    &mut out,
                    2,
                    Spread {
                        lines: all.all(),
                        rows: ROWS,
                        first: 0,
                        tile: (start, start + rows),
                        windows: &windows,
                    },
                );
                for (at, line) in out.iter().enumerate() {
                    if at % 2 == 1 {
                        assert_eq!(*line, before[at]);
                        continue;
                    }
                    for (lane, byte) in line.0.into_iter().enumerate() {
                        let of_lane = windows.iter().rev().find(|one| one.lanes >> lane & 1 == 1);
                        let expected = of_lane.filter(|_| at / 2 < rows).map_or(NONE, |window| {
                            let line = window.panel as usize * ROWS + start + at / 2;
                            block[line].0[usize::from(window.picks.0[lane])]
                        });
                        assert_eq!(byte, expected);
                    }
                }
                out
            });
        }
    }

    #[test]
    fn kernels_keep_and_load_the_same() {
        assert_same_however_kept(|kernel, dice, (packing, scores)| {
            let scores = [scores, &[NONE]].concat();
            let lines = of(&scores, dice, 5);
            let mut blocks = kept(packing, &of(&scores, dice, 5));
            kernel.pack(blocks.all_mut(), &lines);
            let mut loaded = vec![Line::of(0); 5];
            kernel.unpack(blocks.all(), &mut loaded);
            assert_eq!(loaded, lines);
            assert_eq!(*blocks.all().unpacked(), lines);
            assert_eq!(*packing.packed(&lines), *blocks.bytes());
            assert_eq!(packing.unpacked(blocks.bytes()), lines);
            let lane = dice.below(LINE as u64) as usize;
            blocks.all_mut().set(3, lane, NONE);
            loaded[3].0[lane] = NONE;
            assert_eq!(*blocks.all().unpacked(), loaded);
            assert_eq!(blocks.all().score(3, lane), NONE);
            blocks.bytes().to_vec()
        });
    }

    fn limits() -> [Limit; 3] {
        [Limit::Free, Limit::Above { most: 3 }, Limit::Below { least: -3 }]
    }

    #[test]
    fn kernels_lead_the_same() {
        for limit in limits() {
            assert_same_however_kept(|kernel, dice, (packing, scores)| {
                let mut values = lines(dice, PANELS, 100);
                let [constants, old, bounds] = [(); 3].map(|()| lines(dice, PANELS, 100));
                let home: Vec<u32> =
                    (0..dice.below(6)).map(|_| dice.below(ROWS as u64) as u32).collect();
                let panels = kept(packing, &of(scores, dice, PANELS * ROWS));
                kernel.lead(Lead {
                    values: &mut values,
                    constants: &constants,
                    lines: panels.all(),
                    panel_step: ROWS,
                    row_step: 1,
                    home: &home,
                    limit,
                    old: &old,
                    bounds: &bounds,
                });
                values
            });
        }
    }

    #[test]
    fn kernels_follow_the_same() {
        for limit in limits() {
            assert_same_however_kept(|kernel, dice, (packing, scores)| {
                let scores: Vec<i8> =
                    scores.iter().copied().filter(|score| score.abs() < 5).collect();
                let panels = [(); 2].map(|()| of(&scores, dice, 2 * ROWS));
                let [mut panels, bounds] = panels.each_ref().map(|lines| kept(packing, lines));
                let (constants, values) = (of(&scores, dice, 2), of(&scores, dice, PANELS));
                let windows: Vec<Window> = (0..4).map(|_| window(dice)).collect();
                let mut log = Log { count: 0, changes: Some(Vec::new()) };
                let follow = Follow {
                    panels: panels.all_mut(),
                    rows: ROWS,
                    row: dice.below(ROWS as u64) as usize,
                    first: 1,
                    constants: &constants,
                    values: &values,
                    windows: &windows,
                    starts: &[0, 1, 1, 4],
                    columns: LINE + dice.below(2 * LINE as u64 + 1) as usize,
                    limit,
                    bounds: bounds.all(),
                    spot: Spot { block: 1, plane: 0 },
                };
                kernel.follow(follow, &mut log);
                (panels.all().unpacked().to_vec(), log.count, log.changes)
            });
        }
    }

    #[test]
    fn kernels_settle_the_same() {
        for corner in [false, true] {
            assert_same_however_kept(|kernel, dice, (packing, scores)| {
                let mut panel = kept(packing, &of(scores, dice, ROWS));
                let tile =
                    LineTile(*of(scores, dice, LINE).first_chunk().expect("a line of each row"));
                let row =
                    |_| if dice.below(5) == 0 { OUTSIDE } else { dice.below(ROWS as u64) as u32 };
                let rows: Vec<u32> = (0..LINE).map(row).collect();
                let mut log = Log { count: 0, changes: Some(Vec::new()) };
                let settle = Settle {
                    tile: &tile,
                    rows: &rows,
                    panel: panel.all_mut(),
                    first: 0,
                    column: 128,
                    lanes: dice.number(),
                    corner,
                    spot: Spot { block: 1, plane: 0 },
                };
                kernel.settle(settle, &mut log);
                (panel.all().unpacked().to_vec(), log.count, log.changes)
            });
        }
    }

    #[test]
    fn kernels_turn_tiles_round() {
        assert_same(|kernel, dice| {
            let (mut turned, was) = {
                let tile = tile(dice);
                (tile.clone(), tile)
            };
            kernel.transpose(&mut turned);
            let places = (0..LINE).flat_map(|row| (0..LINE).map(move |column| (row, column)));
            assert!(
                { places }.all(|(row, column)| turned.0[row].0[column] == was.0[column].0[row])
            );
            turned
        });
    }

    #[test]
    fn kernels_turn_bits_round() {
        assert_same(|kernel, dice| {
            let words: [u64; LINE] = std::array::from_fn(|_| dice.number());
            let mut turned = words;
            kernel.turn(&mut turned);
            let bit = |words: &[u64; LINE], word: usize, bit: usize| words[word] >> bit & 1;
            let mut places = (0..LINE).flat_map(|word| (0..LINE).map(move |at| (word, at)));
            assert!(places.all(|(word, at)| bit(&words, word, at) == bit(&turned, at, word)));
            turned
        });
    }

    /// Windows as plans have them: no lane has two children.
    fn parted(dice: &mut Dice) -> Vec<Window> {
        let mut left = u64::MAX;
        let windows = (0..3).map(|_| {
            let mut window = window(dice);
            window.lanes &= left;
            left &= !window.lanes;
            window
        });
        windows.collect()
    }

    #[test]
    fn all_equals_of_a_passage_are_found() {
        assert_same_however_kept(|kernel, dice, (packing, scores)| {
            let (lines, wanted) = (of(scores, dice, PANELS * ROWS), of(scores, dice, LINE));
            let all = kept(packing, &lines);
            let wanted = wanted.first_chunk().expect("64 lines");
            let (windows, ahead) = (parted(dice), parted(dice));
            let pull = |place| Pull { place, row: dice.below(ROWS as u64) as u32 };
            let pulls: Vec<Pull> = [3, 7, 60].map(pull).into();
            let source = PassageChildren {
                lines: all.all(),
                rows: ROWS,
                first: 0,
                windows: &windows,
                ahead: &ahead,
                pulls: &pulls,
                captured: 0,
            };
            let mut equal = [0; 3];
            kernel.equals(Equal { source, wanted, equal: &mut equal });
            let one_by_one = pulls.iter().map(|pull| {
                let wanted = &wanted[pull.place as usize];
                let holds_it = |lane: &usize| {
                    windows.iter().filter(|window| window.lanes >> lane & 1 == 1).any(|window| {
                        let line = window.panel as usize * ROWS + pull.row as usize;
                        lines[line].0[usize::from(window.picks.0[*lane])] == wanted.0[*lane]
                    })
                };
                (0..LINE).filter(holds_it).fold(0, |lanes, lane| lanes | 1 << lane)
            });
            assert!(one_by_one.eq(equal));
            equal
        });
    }

    /// The lanes whose child in a row is in either of two sets, lane by lane.
    fn met_slowly(lines: &[Met], row: u32, windows: &[Window]) -> [u64; 2] {
        [0, 1].map(|set: usize| {
            let is_met = |lane: &usize| {
                windows.iter().any(|window| {
                    let line = &lines[window.panel as usize * ROWS + row as usize][set];
                    let child = line.load(Ordering::Relaxed) >> window.picks.0[*lane] & 1;
                    window.lanes >> lane & child == 1
                })
            };
            (0..LINE).filter(is_met).fold(0, |lanes, lane| lanes | 1 << lane)
        })
    }

    #[test]
    fn all_claims_of_a_passage_are_met() {
        assert_same(|kernel, dice| {
            let lines: Vec<Met> =
                (0..PANELS * ROWS).map(|_| [(); 2].map(|()| dice.number().into())).collect();
            let windows = parted(dice);
            let pull = |place| Pull { place, row: dice.below(ROWS as u64) as u32 };
            let pulls = [3, 7, 60].map(pull);
            let columns = 1 << 3 | 1 << 60;
            let mut places = [0; LINE];
            (places[7], places[60]) = (1, 2);
            let tight: [AtomicU64; 6] = std::array::from_fn(|_| dice.number().into());
            let [movers, opponents] = [[0; LINE]; 2].map(|lanes| lanes.map(|_: u64| dice.number()));
            let (rows, lines, windows) = (ROWS, &lines[..], &windows[..]);
            [(true, 1), (true, 2), (false, 1), (false, 2)].map(|(by_default, words)| {
                let mut claims = TileClaims::new([movers, opponents]);
                kernel.meet(Meet {
                    lines,
                    rows,
                    first: 0,
                    windows,
                    pulls: &pulls,
                    columns,
                    places: &places,
                    tight: &tight[..words * pulls.len()],
                    by_default,
                    claims: &mut claims,
                });
                let mut expected = TileClaims::new([movers, opponents]);
                let all = windows.iter().fold(0, |lanes, window| lanes | window.lanes);
                for (at, pull) in pulls.iter().enumerate().filter(|(at, _)| *at != 1) {
                    let place = pull.place as usize;
                    let [movers_met, opponents_met] = met_slowly(lines, pull.row, windows);
                    let [keeps, replies] =
                        [0, words - 1].map(|word| tight[at * words + word].load(Ordering::Relaxed));
                    expected.met[place] = movers[place] & keeps & opponents_met;
                    expected.undecided[place] &=
                        if by_default { !(keeps & all) } else { !expected.met[place] };
                    expected.unanswered[place] &= !(replies & all & !movers_met);
                    if expected.undecided[place] | expected.unanswered[place] == 0 {
                        expected.columns &= !(1 << place);
                    }
                }
                assert_eq!(claims, expected);
                claims
            })
        });
    }
}
