//! The other games: Nam Nam, and three kinds of Bao.
//!
//! What they share with Oware is a board of two halves, seeds that are sown, and players who move
//! in turn; hardly anything of how Oware is solved. So they have a board of their own, the
//! [`Placement`], which is seeds in up to 32 places, and each game is one file behind the trait
//! [`Mancala`]: what the legal moves are and what a finished game is worth. A [`Sheet`] is a game on
//! a board, and what endless play is worth there.
//!
//! The sources are a rule book in German that was translated by a machine from English. Where it is
//! silent, contradicts itself or carries numbers over from another game, each file says what was
//! chosen and why.

mod bao_laps;
mod bao_stores;
mod endless;
mod kujifunza;
mod nam_nam;
pub(crate) mod outcome;
pub mod placement;
pub mod rounds;
mod sheets;
mod text;

pub use bao_laps::BaoLaps;
pub use bao_stores::BaoStores;
pub use kujifunza::Kujifunza;
pub use nam_nam::NamNam;
pub use outcome::{Direction, Label, Outcome, Outcomes};
pub use placement::Placement;
use placement::sum;
pub use sheets::{
    BAO_LAPS, BAO_LAPS_DRAWN, BAO_STORES, Circling, KUJIFUNZA_2, KUJIFUNZA_3, KUJIFUNZA_4,
    KUJIFUNZA_5, KUJIFUNZA_6, KUJIFUNZA_8, Layers, MANCALAS, NAM_NAM, Sheet,
};

/// How a game is played.
pub trait Mancala: Sync {
    /// Adds the legal moves, in order of places; none if the game is over.
    fn add_outcomes(&self, placement: &Placement, found: &mut Outcomes);

    /// Returns what the mover of a finished game gets of the seeds left minus what the opponent
    /// gets; 1 or −1 for won or lost where nothing leaves the board. Here each keeps the own half.
    fn final_score(&self, placement: &Placement) -> i8 {
        sum(placement.mover()) as i8 - sum(placement.opponent()) as i8
    }

    /// Returns whether it is obvious that the player to move has lost, where nothing
    /// leaves the board. A game may have ended without that.
    fn has_lost(&self, _placement: &Placement) -> bool {
        false
    }
}
