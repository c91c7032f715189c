//! Default moves that come too late for somebody who waits for them: the exceptions.
//!
//! Open claims of the opponent are looked at, and of them the tight replies whose mover's claim is
//! open, too. If the default move of such a reply is not to a moment before that of the position
//! replied in, the position replied to is an exception, and its move is to the child with the least
//! moment. What moves are tight is known by now, move by move; moments are found anew.

use rayon::prelude::*;

use super::claims::{MOVER, OPPONENT, Strip, TileOf, load};
use super::sweeps::{Part, Sweeps};
use crate::error::Result;
use crate::game::board::House;
use crate::layer::blocks::{LINE, set_lanes};
use crate::layer::exceptions::Exception;
use crate::layer::index::Cell;

impl Sweeps<'_> {
    /// The exceptions, given what is open; some of them several times.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for it.
    pub fn exceptions(&self) -> Result<Vec<Exception>> {
        let of_part = |part: &Part| {
            let mut found = Vec::new();
            for tile in part.tiles() {
                self.search.go_on()?;
                self.each_open_reply(tile, |here, reply| found.extend(self.exception(here, reply)));
            }
            // A position is replied to from several.
            found.sort_unstable();
            found.dedup();
            Ok(found)
        };
        let parts = self.parts.par_iter().map(of_part);
        Ok(parts.collect::<Result<Vec<_>>>()?.concat())
    }

    /// Shows the tight replies in the positions of a tile, both claims open: position and reply.
    fn each_open_reply(&self, tile: TileOf, mut see: impl FnMut(Cell, Cell)) {
        let here = self.search.rows_of(tile.own, tile.panel);
        self.each_move(tile, OPPONENT, |pull, window, lanes, (own, line)| {
            let open = !load(&self.looks[own].met[line][MOVER]);
            for lane in set_lanes(lanes) {
                if open >> window.picks.0[lane] & 1 == 1 {
                    let column = tile.columns * LINE + pull.place as usize;
                    let here = Cell { own: tile.own, row: here[lane] as usize, column };
                    see(here, Cell { own, row: pull.row as usize, column: window.column(lane) });
                }
            }
        });
    }

    /// Whether a position replied to is an exception for the sake of the one replied in.
    fn exception(&self, here: Cell, reply: Cell) -> Option<Exception> {
        let search = self.search;
        // A tight reply keeps what is claimed; here it is at hand.
        let claim = -search.high.blocks().score(here.own, here.row, here.column);
        let is_good = claim <= search.pays[reply.own];
        let default = search.moment(self.after_default(reply)?, is_good);
        if default < search.deadline(here) {
            return None;
        }
        let tight = self.moves(reply).filter(|&(_, Cell { own, row, column })| {
            search.high.blocks().score(own, row, column) == -claim
        });
        // Of several the first.
        let moment = |(house, child)| (search.moment(child, is_good), house);
        let (least, house) = tight.map(moment).min_by_key(|&(moment, _)| moment)?;
        let rank = search.layer.rank_at(reply);
        (least < default).then_some(Exception { rank, house })
    }

    /// The quiet moves of a position, house after house.
    fn moves(&self, at: Cell) -> impl Iterator<Item = (House, Cell)> {
        let plan = self.search.plan;
        let moves = plan.blocks[at.own].transits(at.column);
        moves.filter_map(move |played| Some((played.0.house, plan.child(at, played)?)))
    }

    /// Where the default move of a position leads, if its mover's claim waits for one.
    fn after_default(&self, at: Cell) -> Option<Cell> {
        let block = &self.search.plan.blocks[at.own];
        let lane = block.row_lanes[at.row] as usize;
        let tile = Strip { own: at.own, column: at.column, panel: lane / LINE }.tile();
        let looks = &self.looks[at.own];
        let tight = looks.tight(tile, self.words);
        let by_house = &looks.moves.of_columns(tile.columns).by_house[at.column % LINE];
        let is_default = |&(_, &pull): &(_, &u16)| {
            load(&tight[usize::from(pull) * self.words]) >> (lane % LINE) & 1 == 1
        };
        let (played, _) = block.transits(at.column).zip(by_house).find(is_default)?;
        self.search.plan.child(at, played)
    }
}
