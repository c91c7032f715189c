//! What a sample says about the whole: bounds that hold with 95 % confidence.

/// The normal distribution has 95 % within this many standard deviations.
const NORMAL_95: f64 = 1.959_964;

/// Returns the bounds of a share of which `count` trials found `share`: Wilson's interval.
pub fn of_share(share: f64, count: f64) -> (f64, f64) {
    if count == 0.0 {
        return (0.0, 1.0);
    }
    let square = NORMAL_95 * NORMAL_95;
    let middle = (share + square / (2.0 * count)) / (1.0 + square / count);
    let spread = (share * (1.0 - share) / count + square / (4.0 * count * count)).sqrt();
    let half = NORMAL_95 / (1.0 + square / count) * spread;
    // At its ends the interval touches them, which rounding must not hide.
    let low = if share == 0.0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if share == 1.0 { 1.0 } else { (middle + half).min(1.0) };
    (low, high)
}

/// Returns the bounds of a mean, given the sum of `count` numbers, at least one, and of their squares:
/// as if means were distributed normally.
pub fn of_mean(sum: f64, squares: f64, count: f64) -> (f64, f64) {
    let mean = sum / count;
    let variance = (squares / count - mean * mean).max(0.0) * count / (count - 1.0).max(1.0);
    let half = NORMAL_95 * (variance / count).sqrt();
    (mean - half, mean + half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_textbooks() {
        let rounded =
            |(low, high): (f64, f64)| ((low * 1e4).round() / 1e4, (high * 1e4).round() / 1e4);
        // Wilson's interval for 8 of 10 and for 0 of 10.
        assert_eq!(rounded(of_share(0.8, 10.0)), (0.4902, 0.9433));
        assert_eq!(rounded(of_share(0.0, 10.0)), (0.0, 0.2775));
        assert_eq!(of_share(0.5, 0.0), (0.0, 1.0));
        assert!(
            (1..200).all(|n| of_share(0.0, n.into()).0 == 0.0 && of_share(1.0, n.into()).1 == 1.0)
        );
        // 0, 0, 1, 3: the mean is 1, the variance of the sample 2.
        assert_eq!(rounded(of_mean(4.0, 10.0, 4.0)), (-0.3859, 2.3859));
        assert_eq!(of_mean(2.0, 4.0, 1.0), (2.0, 2.0));
    }
}
