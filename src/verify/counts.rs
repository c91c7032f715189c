//! Counting judgements.

use std::collections::BTreeMap;

#[cfg(feature = "serde")]
use serde::Serialize;
#[cfg(feature = "serde")]
use serde::ser::{SerializeStruct, Serializer};

use crate::confidence;

use super::judge::{Judgement, Scored, Verdict};
use super::outcome::ThrownAway;

/// How often moves threw a result of the game away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ThrownAwayCounts {
    /// Wins that became draws.
    pub win_to_draw: u64,
    /// Wins that became losses.
    pub win_to_loss: u64,
    /// Draws that became losses.
    pub draw_to_loss: u64,
}

impl ThrownAwayCounts {
    fn count(&mut self, thrown_away: ThrownAway) {
        *match thrown_away {
            ThrownAway::WinToDraw => &mut self.win_to_draw,
            ThrownAway::WinToLoss => &mut self.win_to_loss,
            ThrownAway::DrawToLoss => &mut self.draw_to_loss,
        } += 1;
    }

    /// Returns the number of all of them.
    pub const fn total(self) -> u64 {
        self.win_to_draw + self.win_to_loss + self.draw_to_loss
    }
}

/// The counts of judged moves: the same in whatever order they come, and however they
/// are divided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Moves that were best.
    pub best: u64,
    /// Moves that gave away nothing for sure, but may have.
    pub safe: u64,
    /// Moves that gave away at least a seed.
    pub losing: u64,
    /// Moves inside no table. They are not judged.
    pub unknown: u64,
    /// Moves by what they gave away for sure.
    pub losses: BTreeMap<u8, u64>,
    /// Seeds given away at most, all together.
    pub most_lost: u64,
    /// Results thrown away.
    pub thrown_away: ThrownAwayCounts,
}

#[cfg(feature = "serde")]
impl Serialize for Counts {
    /// Writes the counts without the moves that are not judged; means are null if no move is.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rates = self.rates();
        let mut object = serializer.serialize_struct("Counts", 10)?;
        object.serialize_field("judged", &self.judged())?;
        object.serialize_field("best", &self.best)?;
        object.serialize_field("safe", &self.safe)?;
        object.serialize_field("losing", &self.losing)?;
        object.serialize_field("mean_loss", &rates.map(|rates| rates.mean_loss))?;
        object.serialize_field("mean_loss_at_most", &rates.map(|rates| rates.mean_loss_at_most))?;
        object.serialize_field("worst_loss", &self.worst_loss())?;
        object.serialize_field("results_thrown_away", &self.thrown_away)?;
        object.serialize_field("losses", &self.losses)?;
        object.serialize_field("confidence_95", &self.confidence())?;
        object.end()
    }
}

impl Counts {
    /// Counts a legal move; an illegal one is not counted here.
    pub fn add(&mut self, judgement: &Judgement) {
        match judgement {
            Judgement::Illegal => {}
            Judgement::Unknown => self.unknown += 1,
            Judgement::Scored(scored) => self.add_scored(scored),
        }
    }

    fn add_scored(&mut self, scored: &Scored) {
        *match scored.verdict {
            Verdict::Best => &mut self.best,
            Verdict::Safe => &mut self.safe,
            Verdict::Loses => &mut self.losing,
        } += 1;
        *self.losses.entry(scored.loss.min).or_default() += 1;
        self.most_lost += u64::from(scored.loss.max);
        if let Some(thrown_away) = scored.thrown_away() {
            self.thrown_away.count(thrown_away);
        }
    }

    /// Adds what another has counted.
    pub fn merge(&mut self, other: &Counts) {
        self.best += other.best;
        self.safe += other.safe;
        self.losing += other.losing;
        self.unknown += other.unknown;
        for (&loss, &count) in &other.losses {
            *self.losses.entry(loss).or_default() += count;
        }
        self.most_lost += other.most_lost;
        self.thrown_away.win_to_draw += other.thrown_away.win_to_draw;
        self.thrown_away.win_to_loss += other.thrown_away.win_to_loss;
        self.thrown_away.draw_to_loss += other.thrown_away.draw_to_loss;
    }

    /// Returns the number of moves that were judged: best, safe and losing ones.
    pub const fn judged(&self) -> u64 {
        self.best + self.safe + self.losing
    }

    /// Returns the seeds given away for sure, all together.
    pub fn lost(&self) -> u64 {
        self.losses.iter().map(|(&loss, &count)| u64::from(loss) * count).sum()
    }

    /// Returns the most that a move gave away for sure.
    pub fn worst_loss(&self) -> u8 {
        self.losses.last_key_value().map_or(0, |(&loss, _)| loss)
    }

    /// Returns what a table of figures says: moves judged, best, losing, mean loss, worst loss,
    /// results thrown away; `None` if no move was judged.
    pub fn cells(&self) -> Option<[String; 6]> {
        let rates = self.rates()?;
        Some([
            self.judged().to_string(),
            percent(rates.best),
            percent(rates.losing),
            format!("{:.3}", rates.mean_loss),
            self.worst_loss().to_string(),
            self.thrown_away.total().to_string(),
        ])
    }

    /// Returns the bounds of the figures per move judged, as if the moves were drawn one by one from
    /// all that might have been judged; `None` if there is none. Moves of one game hang together, so
    /// that of recorded games the bounds are too narrow.
    pub fn confidence(&self) -> Option<Confidence> {
        let (rates, judged) = (self.rates()?, self.judged() as f64);
        let share = |rate| confidence::of_share(rate, judged);
        let square = |(&loss, &count): (&u8, &u64)| u64::from(loss).pow(2) * count;
        let squares: u64 = self.losses.iter().map(square).sum();
        let (low, high) = confidence::of_mean(self.lost() as f64, squares as f64, judged);
        Some(Confidence {
            best: share(rates.best),
            losing: share(rates.losing),
            // No move gives away less than nothing.
            mean_loss: (low.max(0.0), high),
            thrown_away: share(rates.thrown_away),
        })
    }

    /// Returns the figures per move judged; `None` if there is none.
    pub fn rates(&self) -> Option<Rates> {
        let judged = self.judged();
        let per_move = |count: u64| count as f64 / judged as f64;
        (judged > 0).then(|| Rates {
            best: per_move(self.best),
            losing: per_move(self.losing),
            mean_loss: per_move(self.lost()),
            mean_loss_at_most: per_move(self.most_lost),
            thrown_away: per_move(self.thrown_away.total()),
        })
    }
}

/// Bounds of figures for each judged move, which hold with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Confidence {
    /// Share of best moves.
    pub best: (f64, f64),
    /// Share of moves that give away at least a seed.
    pub losing: (f64, f64),
    /// Seeds given away for sure.
    pub mean_loss: (f64, f64),
    /// Results thrown away.
    pub thrown_away: (f64, f64),
}

/// Writes a share as in `1.25 %`.
pub fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// Figures for each judged move: seeds given away on average, and the like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Share of best moves.
    pub best: f64,
    /// Share of moves that give away at least a seed.
    pub losing: f64,
    /// Seeds given away for sure.
    pub mean_loss: f64,
    /// Seeds given away at most.
    pub mean_loss_at_most: f64,
    /// Results thrown away.
    pub thrown_away: f64,
}
