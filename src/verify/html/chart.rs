//! Bars, drawn as SVG.

use maud::{Markup, html};

/// A bar.
pub struct Bar {
    /// What stands below it.
    pub label: String,
    /// How high it is, in any unit.
    pub height: f64,
    /// What a pointer shows over it, and what a screen reader says.
    pub title: String,
}

/// The drawing, in units that the page scales to its width.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 220.0;
/// Room for the numbers at the left, and for labels below and above.
const LEFT: f64 = 60.0;
const BELOW: f64 = 44.0;
const ABOVE: f64 = 24.0;
/// Where bars stand, and how high they may be.
const BASE: f64 = HEIGHT - BELOW;
const HIGHEST: f64 = BASE - ABOVE;
/// Bars are not wider than this, however few there are.
const WIDEST: f64 = 40.0;
/// Labels that have room side by side.
const LABELS: usize = 14;

/// Draws bars side by side: `unit` is what their heights count, `below` what their labels are.
/// Draws nothing if no bar has any height.
pub fn bars(unit: &str, below: &str, bars: &[Bar]) -> Markup {
    let greatest = bars.iter().map(|bar| bar.height).fold(0.0, f64::max);
    if greatest <= 0.0 {
        return html! {};
    }
    let top = round_up(greatest);
    let step = ((WIDTH - LEFT) / bars.len() as f64).min(WIDEST);
    let labelled = bars.len().div_ceil(LABELS);
    html! {
        svg viewBox=(format_args!("0 0 {WIDTH} {HEIGHT}"))
            role="img" aria-label={ (unit) " by " (below) } {
            @for share in [0.0, 0.5, 1.0] {
                (grid_line(share, top))
            }
            (text(4.0, 12.0, "start", unit))
            (text(LEFT + (WIDTH - LEFT) / 2.0, HEIGHT - 4.0, "middle", below))
            @for (at, bar) in bars.iter().enumerate() {
                @let x = LEFT + step * at as f64;
                (column(x, step, bar, top))
                @if at.is_multiple_of(labelled) {
                    (text(x + step / 2.0, BASE + 16.0, "middle", &bar.label))
                }
            }
        }
    }
}

/// Draws the line at a share of the height that stands for `top`, with its number.
fn grid_line(share: f64, top: f64) -> Markup {
    let y = BASE - share * HIGHEST;
    html! {
        line.grid x1=(LEFT) x2=(WIDTH) y1=(tenths(y)) y2=(tenths(y)) {}
        (text(LEFT - 8.0, y + 4.0, "end", &number(share * top)))
    }
}

fn column(x: f64, step: f64, bar: &Bar, top: f64) -> Markup {
    let height = bar.height / top * HIGHEST;
    html! {
        rect x=(tenths(x + 0.1 * step)) y=(tenths(BASE - height))
            width=(tenths(0.8 * step)) height=(tenths(height)) {
            title { (bar.title) }
        }
    }
}

fn text(x: f64, y: f64, anchor: &str, text: &str) -> Markup {
    html! { text x=(tenths(x)) y=(tenths(y)) text-anchor=(anchor) { (text) } }
}

fn tenths(value: f64) -> String {
    format!("{value:.1}")
}

/// Returns the next 1, 2 or 5 with noughts.
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
        let bar = |height| Bar { label: String::new(), height, title: String::new() };
        let svg = bars("moves", "seeds", &[bar(5.0), bar(10.0), bar(0.0)]).into_string();
        let heights: Vec<&str> =
            svg.split("height=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(heights, ["76.0", "152.0", "0.0"]);
        assert_eq!(bars("moves", "seeds", &[bar(0.0)]).into_string(), "");
        assert_eq!(bars("moves", "seeds", &[]).into_string(), "");
    }
}
