//! A board, drawn as SVG: the mover's row below, the move that was played and the better ones
//! marked.

use maud::{Markup, html};

use super::super::worst::Case;
use crate::game::House;

/// The drawing's width and height, and what one house takes.
const WIDTH: usize = 276;
const HEIGHT: usize = 132;
const HOUSE: usize = 40;
/// The column behind the last house, where the stores stand.
const STORE: usize = 6;

/// Draws the position of a case.
pub fn drawing(case: &Case) -> Markup {
    let [mover, opponent] = case.captured;
    html! {
        svg.board viewBox=(format_args!("0 0 {WIDTH} {HEIGHT}"))
            role="img" aria-label=(case.board) {
            @for house in House::ALL {
                @let above = house.opposite().index();
                (circle(above, 44, case.board.opponent[house], "house"))
                (text(above, 16, "label", house.opponent_letter()))
                (circle(house.index(), 88, case.board.mover[house], class(case, house)))
                (text(house.index(), 126, "label", house.letter()))
            }
            @if (mover, opponent) != (0, 0) {
                (text(STORE, 49, "store", opponent))
                (text(STORE, 93, "store", mover))
            }
        }
    }
}

/// How a house of the mover is marked.
fn class(case: &Case, house: House) -> &'static str {
    if house == case.played {
        "house played"
    } else if case.better.contains(&house) {
        "house better"
    } else {
        "house"
    }
}

fn circle(column: usize, y: usize, seeds: u8, class: &str) -> Markup {
    html! {
        circle class=(class) cx=(x(column)) cy=(y) r="18" {}
        @if seeds > 0 {
            (text(column, y + 5, "seeds", seeds))
        }
    }
}

fn text(column: usize, y: usize, class: &str, text: impl maud::Render) -> Markup {
    html! { text class=(class) x=(x(column)) y=(y) text-anchor="middle" { (text) } }
}

fn x(column: usize) -> usize {
    HOUSE / 2 + HOUSE * column
}
