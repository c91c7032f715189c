//! Bars, drawn as SVG.

/// A bar.
pub struct Bar {
    /// What stands below it.
    pub label: String,
    /// How high it is, in any unit.
    pub height: f64,
    /// What a pointer is told over it, and who cannot see it.
    pub told: String,
}

/// The drawing, in units that the page scales to its width.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 220.0;
/// Room for the numbers at the left, and for labels below and above.
const LEFT: f64 = 60.0;
const BELOW: f64 = 44.0;
const ABOVE: f64 = 24.0;
/// Bars are not wider than this, however few there are.
const WIDEST: f64 = 40.0;
/// Labels that have room side by side.
const LABELS: usize = 14;

/// Bars side by side: `unit` is what their heights count, `below` what their labels are.
pub fn bars(unit: &str, below: &str, bars: &[Bar]) -> String {
    let greatest = bars.iter().map(|bar| bar.height).fold(0.0, f64::max);
    if greatest <= 0.0 {
        return String::new();
    }
    let top = round_up(greatest);
    let (base, middle) = (HEIGHT - BELOW, LEFT + (WIDTH - LEFT) / 2.0);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{unit} by {below}\">\n"
    );
    for share in [0.0, 0.5, 1.0] {
        let y = base - share * (base - ABOVE);
        svg += &format!(
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n"
        );
        svg += &text(LEFT - 8.0, y + 4.0, "end", &number(share * top));
    }
    svg += &text(4.0, 12.0, "start", unit);
    svg += &text(middle, HEIGHT - 4.0, "middle", below);
    let step = ((WIDTH - LEFT) / bars.len() as f64).min(WIDEST);
    let every = bars.len().div_ceil(LABELS);
    for (place, bar) in bars.iter().enumerate() {
        let (x, height) = (LEFT + step * place as f64, bar.height / top * (base - ABOVE));
        let (left, width, y) = (x + 0.1 * step, 0.8 * step, base - height);
        svg += &format!(
            "<rect x=\"{left:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"><title>{}</title></rect>\n",
            bar.told
        );
        if place % every == 0 {
            svg += &text(x + step / 2.0, base + 16.0, "middle", &bar.label);
        }
    }
    svg + "</svg>\n"
}

fn text(x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>\n")
}

/// The next 1, 2 or 5 with noughts.
fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|digit| digit * power)
        .into_iter()
        .find(|&round| round >= value)
        .unwrap_or(value)
}

fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        let pairs = [(0.03, 0.05), (1.0, 1.0), (1.7, 2.0), (4.2, 5.0), (5.1, 10.0), (93.0, 100.0)];
        assert!(pairs.iter().all(|&(value, round)| (round_up(value) - round).abs() < 1e-9));
        assert_eq!([0.0, 0.025, 2.5, 1000.0].map(number), ["0", "0.025", "2.5", "1000"]);
    }

    #[test]
    fn heights_are_in_proportion() {
        let bar = |height| Bar { label: String::new(), height, told: String::new() };
        let svg = bars("moves", "seeds", &[bar(5.0), bar(10.0), bar(0.0)]);
        let heights: Vec<&str> =
            svg.split("height=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(heights, ["76.0", "152.0", "0.0"]);
        assert_eq!(bars("moves", "seeds", &[bar(0.0)]), "");
        assert_eq!(bars("moves", "seeds", &[]), "");
    }
}
