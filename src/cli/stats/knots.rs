//! `oware stats --knots`: where open scores originate.

use serde_json::{Value, json};

use crate::error::Result;
use crate::game::{Interval, Rules, Seeds};
use crate::probe::Tables;
use crate::solver::knots::{Component, Doubt};

use crate::cli::options::require_full;
use crate::cli::output;

/// Looks at every layer up to the largest of `seeds`.
pub fn run(tables: &Tables, rules: &'static Rules, seeds: &[Seeds], as_json: bool) -> Result<()> {
    let most = *seeds.last().expect("at least one layer");
    require_full(tables, rules, most, "knots")?;
    let solved = tables.load(rules, most)?;
    let doubts = solved.layers().iter().map(|layer| Doubt::of(rules, layer, &solved));
    let doubts = doubts.collect::<Result<Vec<Doubt>>>()?;
    let layers: Vec<Value> = doubts.iter().map(layer).collect();
    let document = json!({"rules": rules.id, "layers": layers});
    output::result(as_json, &document, |_| page(rules, most, &doubts))
}

/// Returns the knots for people.
fn page(rules: &Rules, most: Seeds, doubts: &[Doubt]) -> String {
    let open: u64 = doubts.iter().map(|doubt| doubt.open).sum();
    let layers = format!("sheet `{}`, layers of 0 to {most} seeds", rules.id);
    if open == 0 {
        return format!("Every score is one number, {layers}: there are no knots.\n");
    }
    let mut page = format!(
        "Groups of positions in which play can cycle and scores are inexact, {layers}:\n\n"
    );
    page += "  seeds  positions  doubt        scores            example\n";
    for (seeds, knot) in
        doubts.iter().flat_map(|doubt| doubt.components.iter().map(|knot| (doubt.seeds, knot)))
    {
        let origin = if knot.is_closed() { "born here" } else { "handed up" };
        let scores: Vec<String> =
            knot.intervals.iter().map(|(interval, _)| interval.to_string()).collect();
        let scores = scores.join(", ");
        let Component { positions, example, .. } = knot;
        page += &format!("  {seeds:>5}  {positions:>9}  {origin:<11}  {scores:<16}  {example}\n");
    }
    page +=
        &format!("\n{open} positions have inexact scores in total; each traces back to a knot.\n");
    let settled: u64 = doubts.iter().map(|doubt| doubt.settled).sum();
    if rules.endless.is_settled() {
        page += &format!("A search has found the exact scores of {settled} of them.\n");
        if settled < open {
            page += &format!(
                "The other {} keep bounds: the search reached its limits, or no strategy by \
                 position proves more.\n",
                open - settled
            );
        }
    }
    page
}

fn layer(Doubt { seeds, open, settled, components }: &Doubt) -> Value {
    let knots: Vec<Value> = components.iter().map(knot).collect();
    json!({"seeds": seeds, "open": open, "settled": settled, "knots": knots})
}

fn knot(knot: &Component) -> Value {
    let Component { positions, intervals, example, quiet_exits, captures } = knot;
    let counted = |(Interval { low, high }, positions): &(Interval, u64)| json!({"low": low, "high": high, "positions": positions});
    json!({
        "positions": positions,
        "closed": knot.is_closed(),
        "quiet_exits": quiet_exits,
        "captures": captures,
        "intervals": intervals.iter().map(counted).collect::<Vec<_>>(),
        "example": example,
    })
}
