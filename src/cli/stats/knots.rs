//! `oware stats --knots`: where doubt is born.

use std::process::ExitCode;

use serde::Serialize;

use oware_db::error::Result;
use oware_db::game::{Interval, Rules, Seeds};
use oware_db::probe::Tables;
use oware_db::solver::knots::{Component, Doubt};
use oware_db::solver::{InMemory, Kernel, Solver};

use crate::cli::output;

#[derive(Serialize)]
struct Document {
    rules: &'static str,
    layers: Vec<LayerFields>,
}

#[derive(Serialize)]
struct LayerFields {
    seeds: usize,
    open: u64,
    knots: Vec<ComponentFields>,
}

#[derive(Serialize)]
struct ComponentFields {
    positions: u64,
    closed: bool,
    quiet_exits: u64,
    captures: u64,
    intervals: Vec<IntervalFields>,
    example: [u8; 12],
}

#[derive(Serialize)]
struct IntervalFields {
    low: i8,
    high: i8,
    positions: u64,
}

/// Looks at every layer up to the largest of `seeds`.
pub fn run(
    tables: &Tables,
    rules: &'static Rules,
    seeds: &[Seeds],
    json: bool,
) -> Result<ExitCode> {
    let most = *seeds.last().expect("at least one layer");
    let doubts = doubts(tables, rules, most)?;
    match json {
        true => output::document(&Document {
            rules: rules.id,
            layers: doubts.iter().map(LayerFields::from).collect(),
        })?,
        false => output::text(&page(rules, most, &doubts))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn doubts(tables: &Tables, rules: &'static Rules, most: Seeds) -> Result<Vec<Doubt>> {
    let (mut layers, mut doubts) = (InMemory::default(), Vec::new());
    let mut solver = Solver::new(rules, Kernel::best());
    for seeds in most.up_to() {
        let table = tables.layer(rules, seeds)?.ok_or_else(|| tables.missing(rules, most))?;
        let solved = solver.complete(table.load_stored()?, &layers)?;
        doubts.push(Doubt::of(rules, &solved, &layers)?);
        layers.push(solved);
    }
    Ok(doubts)
}

/// The knots for people.
fn page(rules: &Rules, most: Seeds, doubts: &[Doubt]) -> String {
    let open: u64 = doubts.iter().map(|doubt| doubt.open).sum();
    let layers = format!("sheet `{}`, layers of 0 to {most} seeds", rules.id);
    if open == 0 {
        return format!("Every score is one number, {layers}: there are no knots.\n");
    }
    let mut page = format!("Knots, where play goes round and the score stays open, {layers}:\n\n");
    page += "  seeds  positions  doubt        scores            example\n";
    for (seeds, knot) in
        doubts.iter().flat_map(|doubt| doubt.components.iter().map(|knot| (doubt.seeds, knot)))
    {
        let origin = if knot.is_closed() { "born here" } else { "handed up" };
        let scores: Vec<String> =
            knot.intervals.iter().map(|(interval, _)| interval.to_string()).collect();
        let (positions, scores, example) = (knot.positions, scores.join(", "), knot.example);
        page += &format!("  {seeds:>5}  {positions:>9}  {origin:<11}  {scores:<16}  {example}\n");
    }
    page += &format!(
        "\n{open} positions are open in all; the doubt of each leads back to a knot where it is born.\n"
    );
    page
}

impl From<&Doubt> for LayerFields {
    fn from(doubt: &Doubt) -> LayerFields {
        LayerFields {
            seeds: doubt.seeds.get(),
            open: doubt.open,
            knots: doubt.components.iter().map(ComponentFields::from).collect(),
        }
    }
}

impl From<&Component> for ComponentFields {
    fn from(component: &Component) -> ComponentFields {
        ComponentFields {
            positions: component.positions,
            closed: component.is_closed(),
            quiet_exits: component.quiet_exits,
            captures: component.captures,
            intervals: component.intervals.iter().map(IntervalFields::from).collect(),
            example: component.example.houses(),
        }
    }
}

impl From<&(Interval, u64)> for IntervalFields {
    fn from(&(interval, positions): &(Interval, u64)) -> IntervalFields {
        IntervalFields { low: interval.low.get(), high: interval.high.get(), positions }
    }
}
