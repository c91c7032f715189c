//! What is played: houses and boards, the sheets of rules, moves, positions and games as text.

pub(crate) mod score;

pub(crate) mod board;

pub(crate) mod rules;

pub(crate) mod score_range;

pub(crate) mod sowing;

pub(crate) mod moves;

pub(crate) mod seat;

mod numbers;

pub(crate) mod notation;

pub(crate) mod position;

pub(crate) mod history;

pub(crate) mod play;

pub mod record;

pub mod mancala;

pub use board::{Board, HOUSES, House, Seeds, Side};
pub use history::History;
pub use moves::{Move, Moves, final_score, legal_moves, perft};
pub use play::{Ending, Game};
pub use position::{Position, Stores, parse_house};
pub use rules::{
    ABAPA, ABAPA_AGREED, ABAPA_EVEN, ABAPA_EVERY, AWARI, Endless, Feeding, GrandSlam, Harvest,
    MASTERS, MASTERS_DRAWN, Origin, PLAIN, PLAIN_OPPOSITE, Repetition, Rules, SHEETS,
};
pub use score::{Interval, Score};
pub use score_range::ScoreRange;
pub use seat::{Ply, Seat};

pub(crate) use moves::captures;
pub(crate) use notation::is_of_play_strategy;
pub(crate) use sowing::sow;
