//! Which fixpoint a layer is: what endless play is worth decides.

use super::holder::{Holder, with_strategy};
use super::{drawn, even_split, repetition};
use crate::error::Result;
use crate::game::Endless;

/// Solves the layer of a holder.
///
/// # Errors
/// Those of a [`Holder`].
pub fn solve<H: Holder>(holder: &mut H) -> Result<H::Solved> {
    let kept = holder.resume()?;
    match holder.plan().rules.endless {
        Endless::EvenSplit => {
            let solved = even_split::scores(holder, kept)?;
            with_strategy(holder, solved, 1)
        }
        Endless::Drawn => {
            let solved = drawn::bounds(holder, kept)?;
            with_strategy(holder, solved, 2)
        }
        Endless::OwnSide(_) => repetition::solve(holder, kept),
    }
}
