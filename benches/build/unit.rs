//! The unit of `benches/build.rs`, a program by itself so that it alone is compiled for the
//! machine: prints the seconds that 80,000 passes take.

use std::hint::black_box;
use std::time::Instant;

const PASSES: usize = 80_000;
const BYTES: usize = 256 << 10;

fn pass(acc: &mut [i8], src: &[i8]) {
    for (acc, &src) in acc.iter_mut().zip(src) {
        *acc = (*acc).max(src.wrapping_neg());
    }
}

fn main() {
    let src: Vec<i8> = (0..BYTES).map(|i| (i * 7 % 97) as i8 - 48).collect();
    let mut acc = vec![-128; BYTES];
    let start = Instant::now();
    for _ in 0..PASSES {
        pass(black_box(&mut acc), black_box(&src));
    }
    println!("{}", start.elapsed().as_secs_f64());
    assert!(acc.iter().zip(&src).all(|(&acc, &src)| acc == -src));
}
