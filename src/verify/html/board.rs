//! A board, drawn as SVG: the mover's row below, the move that was played and the better ones
//! marked.

use crate::game::House;

use super::super::worst::Case;

/// The drawing's width and height, and what one house takes.
const SIZE: (usize, usize) = (276, 132);
const HOUSE: usize = 40;

/// The position of a case.
pub fn drawing(case: &Case) -> String {
    let (width, height) = SIZE;
    let [mover, opponent] = case.captured;
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n",
        case.board
    );
    for house in House::ALL {
        let column = house.opposite().index();
        svg += &circle(column, 44, case.board.opponent[house], "");
        svg += &text(column, 16, "label", &house.opponent_letter().to_string());
        let class = match house {
            played if played == case.played => " played",
            other if case.better.contains(&other) => " better",
            _ => "",
        };
        svg += &circle(house.index(), 88, case.board.mover[house], class);
        svg += &text(house.index(), 126, "label", &house.to_string());
    }
    if (mover, opponent) != (0, 0) {
        svg += &text(6, 49, "store", &opponent.to_string());
        svg += &text(6, 93, "store", &mover.to_string());
    }
    svg + "</svg>\n"
}

fn circle(column: usize, y: usize, seeds: u8, class: &str) -> String {
    let x = x(column);
    let circle = format!("<circle class=\"house{class}\" cx=\"{x}\" cy=\"{y}\" r=\"18\"/>\n");
    match seeds {
        0 => circle,
        seeds => circle + &text(column, y + 5, "seeds", &seeds.to_string()),
    }
}

fn x(column: usize) -> usize {
    HOUSE / 2 + HOUSE * column
}

fn text(column: usize, y: usize, class: &str, text: &str) -> String {
    format!(
        "<text class=\"{class}\" x=\"{}\" y=\"{y}\" text-anchor=\"middle\">{text}</text>\n",
        x(column)
    )
}
