//! What is played: houses and boards, the sheets of rules, moves, positions and games as text.

pub mod score;

pub mod board;

pub mod rules;

pub mod moves;

pub mod seat;

pub mod position;

pub mod history;

pub mod play;

pub mod record;
