//! Lanes as the bits of a word, and bytes as bits.

/// The lanes that are set in a word, the lowest first.
#[inline(always)]
pub fn set_lanes(mut lanes: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = lanes.trailing_zeros() as usize;
        lanes &= lanes.wrapping_sub(1);
        (lane < u64::BITS as usize).then_some(lane)
    })
}

/// Eight bytes that are 0 or 1 as bits, the first one lowest.
#[inline(always)]
pub fn eight_bits(bytes: [u8; 8]) -> u8 {
    // Shifts, for of many words at once a processor shifts faster than it multiplies.
    let word = u64::from_le_bytes(bytes);
    let pairs = word | word >> 7;
    let fours = pairs | pairs >> 14;
    (fours | fours >> 28) as u8
}
