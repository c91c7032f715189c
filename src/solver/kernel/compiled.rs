//! The loops compiled for a vector, under the names that a `Kernel` calls.
//!
//! Tried and dropped: operations that a kernel runs through a trait, as tables run theirs. 46 lines fewer,
//! and builds of `abapa` to 17 seeds on one thread 1.034 and 1.036 times as long (medians of nine pairs).

/// Defines them, each with the attribute that says which instructions it is compiled with: to call
/// one from elsewhere then takes a processor that has these.
macro_rules! compiled {
    ($vector:ty $(, #[$instructions:meta])?) => {
        $(#[$instructions])?
        pub fn pull<'a>(
            out: &mut [crate::layer::line::Line],
            stride: usize,
            sources: impl Iterator<Item = super::operands::PassageChildren<'a>>,
        ) {
            super::loops::pull_loop::<$vector, false>(out, stride, sources);
        }

        $(#[$instructions])?
        pub fn pull_captures<'a>(
            out: &mut [crate::layer::line::Line],
            sources: impl Iterator<Item = super::operands::PassageChildren<'a>>,
        ) {
            super::loops::pull_loop::<$vector, true>(out, 1, sources);
        }

        $(#[$instructions])?
        pub fn spread(out: &mut [crate::layer::line::Line], stride: usize, spread: super::operands::Spread) {
            super::loops::spread_loop::<$vector>(out, stride, spread);
        }

        $(#[$instructions])?
        pub fn lead(lead: super::operands::Lead) {
            super::loops::lead_loop::<$vector>(lead);
        }

        $(#[$instructions])?
        pub fn follow(follow: super::operands::Follow, log: &mut super::log::Log) {
            super::loops::follow_loop::<$vector>(follow, log);
        }

        $(#[$instructions])?
        pub fn settle(settle: super::operands::Settle, log: &mut super::log::Log) {
            super::loops::settle_loop::<$vector>(settle, log);
        }

        $(#[$instructions])?
        pub fn unpack(lines: crate::layer::lines::Lines, scores: &mut [crate::layer::line::Line]) {
            super::loops::unpack_loop::<$vector>(lines, scores);
        }

        $(#[$instructions])?
        pub fn pack(lines: crate::layer::lines::LinesMut, scores: &[crate::layer::line::Line]) {
            super::loops::pack_loop::<$vector>(lines, scores);
        }

        $(#[$instructions])?
        pub fn transpose(tile: &mut super::operands::LineTile) {
            <$vector as super::vector::Vector>::transpose(tile);
        }

        $(#[$instructions])?
        pub fn equals(equal: super::operands::Equal) {
            super::loops::equals_loop::<$vector>(equal);
        }

        $(#[$instructions])?
        pub fn turn(words: &mut [u64; crate::layer::line::LINE]) {
            super::loops::turn_loop::<$vector>(words);
        }

        $(#[$instructions])?
        pub fn count(words: &[u64; crate::layer::line::LINE]) -> u32 {
            super::loops::count_loop(words)
        }

        $(#[$instructions])?
        pub fn meet(meet: super::operands::Meet) {
            super::loops::meet_loop::<$vector>(meet);
        }
    };
}

pub(super) use compiled;
