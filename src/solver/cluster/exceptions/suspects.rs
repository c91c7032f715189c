//! Suspects: positions whose default move is not to the child with the least moment.

use crate::game::board::{HOUSES, House};
use crate::layer::blocks::LINE;
use crate::layer::index::Cell;
use crate::solver::exceptions::moments::Number;
use crate::solver::plan::LayerPlan;

/// What the tight moves of 64 positions come to, as they are seen house after house.
pub struct Best {
    /// The default move's moment.
    default: [Number; LINE],
    /// Its house, and that of the least moment.
    houses: [[u8; LINE]; 2],
    least: [Number; LINE],
}

impl Best {
    /// No move has been seen.
    pub fn new() -> Best {
        Best { default: [Number::MAX; LINE], houses: [[0; LINE]; 2], least: [Number::MAX; LINE] }
    }

    /// Sees a tight move. Returns whether it is the default move.
    #[inline(always)]
    pub fn see(&mut self, lane: usize, number: Number, house: House) -> bool {
        let (house, is_default) = (house.index() as u8, self.default[lane] == Number::MAX);
        if is_default {
            (self.default[lane], self.houses[0][lane]) = (number, house);
        }
        if number < self.least[lane] {
            (self.least[lane], self.houses[1][lane]) = (number, house);
        }
        is_default
    }

    /// Both houses of a position as one byte, one more than six times the first and the second; `None`
    /// if the default move has the least moment.
    pub fn suspect(&self, lane: usize) -> Option<i8> {
        let [default, earliest] = self.houses.map(|houses| houses[lane]);
        let is_late = self.default[lane] > self.least[lane];
        is_late.then_some((1 + HOUSES as u8 * default + earliest) as i8)
    }
}

/// The houses of a suspect: of the default move, and of the earliest.
pub fn houses(suspect: i8) -> [House; 2] {
    let both = suspect as usize - 1;
    [both / HOUSES, both % HOUSES].map(|house| House::new(house).expect("it was put there"))
}

/// Where a quiet move of a position leads.
pub fn child(plan: &LayerPlan, at: Cell, house: House) -> Cell {
    let mut moves = plan.blocks[at.own].transits(at.column);
    let played = moves.find(|(found, _)| found.house == house).expect("a move of the row");
    plan.child(at, played).expect("a quiet move")
}
