//! `oware check` of the other games.

use std::collections::BTreeMap;

use serde_json::json;

use crate::certify::general::judge;
use crate::certify::general_playout::play;
use crate::error::Result;
use crate::game::mancala::{Layers, Placement, Sheet};
use crate::layer::general::{GeneralLayer, GeneralSolved};
use crate::probe::Tables;
use crate::probe::general::{GeneralAnswer, GeneralProber};
use crate::random::Dice;

use super::findings::{Findings, Look, Problem, file};
use super::sampling;
use crate::cli::builder::general_forecast::needed_for;

/// The layers of a sheet, one at least.
pub struct OtherLayers<'a> {
    pub look: Look<'a>,
    pub layers: &'a [GeneralLayer],
}

impl OtherLayers<'_> {
    fn sheet(&self) -> &'static Sheet {
        self.layers[0].sheet()
    }

    fn file(&self, layer: &GeneralLayer) -> String {
        file(self.look.tables, self.sheet(), *layer)
    }

    /// Compares the scores of `count` random positions of each layer, or of all of a smaller one,
    /// with those of their moves.
    pub fn sample(&self, count: u64, problems: &mut Vec<Problem>) -> Result<Findings> {
        let (layers, mut positions) = (self.layers.len(), 0);
        for layer in self.layers {
            let ranks =
                sampling::sample(layer.positions(), count, self.look.seed ^ layer.seeds() as u64);
            let wrong = |prober: &mut _, rank| objection(prober, &layer.placement(rank));
            let prober = || GeneralProber::new(self.look.tables, self.sheet());
            sampling::look(&self.file(layer), &ranks, prober, wrong, problems)?;
            positions += ranks.len();
        }
        let text = sampling::text(self.sheet().id, layers, positions);
        Ok(Findings { fields: json!({"layers": layers, "positions": positions}), text })
    }

    /// Proves layers, those of fewer seeds first.
    pub fn prove(&self, problems: &mut Vec<Problem>) -> Result<Findings> {
        let (mut layers, mut positions, mut exact) = (0, 0, 0);
        let mut below: BTreeMap<usize, GeneralSolved> = BTreeMap::new();
        let mut owners = None;
        for layer in self.layers {
            if owners != Some(layer.owners()) {
                below.clear();
                owners = Some(layer.owners());
            }
            let claimed = self.look.tables.require(self.sheet(), *layer)?.load()?;
            let found = judge(&below, &claimed);
            let file = self.file(layer);
            if let Some(objection) = found.first {
                let what = format!(
                    "{} positions fail, `{}`: {}",
                    found.failing, objection.placement, objection.what
                );
                problems.push(Problem { file, what });
                break;
            }
            self.look.voice.say(&format!("{file}: proved, {} positions", found.positions))?;
            layers += 1;
            positions += found.positions;
            exact += found.exact;
            if layer.sheet().layers == Layers::BySeeds {
                below.insert(layer.seeds(), claimed);
            }
        }
        let id = self.sheet().id;
        let text = format!(
            "Proved `{id}`, {layers} layers ({positions} positions): every score, and the moves \
             that achieve it. {exact} scores are exact.\n"
        );
        let fields = json!({"layers": layers, "positions": positions, "exact": exact});
        Ok(Findings { fields, text })
    }

    /// Plays this many games in each layer.
    pub fn play(&self, games: u64, problems: &mut Vec<Problem>) -> Result<Findings> {
        let mut prober = GeneralProber::new(self.look.tables, self.sheet());
        let mut dice = Dice::new(self.look.seed);
        let (mut moves, mut cycles, mut shortfalls) = (0, 0, 0);
        for layer in self.layers {
            let mut short = 0;
            for _ in 0..games {
                let game = play(&mut prober, *layer, &mut dice)?;
                moves += u64::from(game.moves);
                cycles += u64::from(game.circled);
                short += u64::from(game.got < game.promised);
            }
            shortfalls += short;
            if short > 0 {
                let what = format!("{short} of {games} games scored less than guaranteed");
                problems.push(Problem { file: self.file(layer), what });
            }
        }
        let (id, games) = (self.sheet().id, games * self.layers.len() as u64);
        let text = format!(
            "Played `{id}` with its stored strategy: {games} games of {moves} moves, {cycles} of \
             them ended by a cycle, {shortfalls} shortfalls.\n"
        );
        let fields = json!({
            "games": games, "moves": moves, "cycles": cycles, "shortfalls": shortfalls,
        });
        Ok(Findings { fields, text })
    }
}

/// Returns what is wrong with a position if its bounds are not those of its best moves.
fn objection(prober: &mut GeneralProber, placement: &Placement) -> Result<Option<String>> {
    let GeneralAnswer { known, moves, .. } = prober.answer(placement)?;
    let brought = moves.iter().map(|scored| scored.low).max();
    let brought = brought.zip(moves.iter().map(|scored| scored.high).max());
    let found = (known.low, known.high);
    Ok(brought.filter(|&brought| brought != found).map(|brought| {
        format!("the bounds of `{placement}` are {found:?}, its moves give {brought:?}")
    }))
}

/// An error if a layer is missing on which others rest whose scores are to be looked into.
pub fn make_sure_of_those_below(tables: &Tables, layers: &[GeneralLayer]) -> Result<()> {
    let missing = layers.iter().flat_map(needed_for).find(|needed| !layers.contains(needed));
    missing.map_or(Ok(()), |missing| Err(tables.missing(missing.sheet(), missing)))
}
