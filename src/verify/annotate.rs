//! Judgements as comments in the record of a game.

use crate::error::Result;
use crate::game::record::{Annotation, Contradiction, REMARK as OURS, Record, RecordedMove};
use crate::game::{House, Seat};

use super::judge::{Judge, Judgement, Loss, Scored, Verdict};
use super::walk::judge_record;

/// Judges the moves of a record and comments on those that are not best, or not legal, and on the
/// last one if the record claims another result than the game's own; and on what else does not hold
/// ([`Record::contradictions`]). Returns the judgements, which
/// end with the first illegal move.
///
/// Our own earlier comments give way, all other annotations stay where they are, so to annotate twice
/// is to annotate once. A record of another sheet only loses our comments.
///
/// # Errors
/// As [`Judge::judge`]; the record is left as it was.
pub fn annotate(judge: &mut Judge, record: &mut Record) -> Result<Vec<Judgement>> {
    let (rules, mut judgements, mut found) = (judge.rules(), Vec::new(), Vec::new());
    if record.sheet().is_none_or(|sheet| sheet == rules) {
        judge_record(judge, record, |_, _, judgement| judgements.push(judgement.clone()))?;
        found = record.contradictions(rules, judge.game());
        let end = record.end(rules).filter(|end| end.differs && !record.moves.is_empty());
        found.extend(end.map(|end| {
            let (end, claimed) = (end.sentence(), record.claimed_result());
            let what = format!("the game ends {end}, the record says {claimed}");
            Contradiction { at: None, what }
        }));
    }
    let said = record.moves.iter_mut().map(|played| &mut played.annotations);
    for annotations in said.chain([&mut record.preface]) {
        annotations.retain(|said| said.as_comment().is_none_or(|it| !it.starts_with(OURS)));
    }
    for (played, judgement) in record.moves.iter_mut().zip(&judgements) {
        if let Some(text) = remark(played.ply.seat, judgement) {
            played.annotations.insert(glyphs(played), ours(&text));
        }
    }
    for Contradiction { at, what } in found {
        let at = at.unwrap_or(record.moves.len().saturating_sub(1));
        let said = match record.moves.get_mut(at) {
            Some(played) => &mut played.annotations,
            None => &mut record.preface,
        };
        said.push(ours(&what));
    }
    Ok(judgements)
}

/// Returns a comment that is known again as ours.
fn ours(text: &str) -> Annotation {
    Annotation::Comment(format!("{OURS}{text}"))
}

/// Returns how many glyphs, `!` or the like, stand before all else that is said of a move.
fn glyphs(played: &RecordedMove) -> usize {
    let is_glyph = |said: &&Annotation| matches!(said, Annotation::Glyph(_));
    played.annotations.iter().take_while(is_glyph).count()
}

/// What to say of a move; nothing of a good one, nor where nothing is known.
fn remark(seat: Seat, judgement: &Judgement) -> Option<String> {
    match judgement {
        Judgement::Illegal => Some("not a legal move, and what follows is not judged".to_owned()),
        Judgement::Unknown => None,
        Judgement::Scored(scored) => remark_on(seat, scored),
    }
}

fn remark_on(seat: Seat, scored: &Scored) -> Option<String> {
    let (before, after, better) = (scored.before, scored.after, letters(seat, &scored.better));
    let mut text = match (scored.verdict, scored.loss) {
        (Verdict::Best, _) if scored.thrown_away().is_none() => return None,
        // Where endless play is a draw, more seeds may be worth less.
        (Verdict::Best, _) => after.to_string(),
        (Verdict::Loses, Loss { min, .. }) => {
            format!("gives away {}, {after} instead of {before} by {better}", seeds(min))
        }
        (Verdict::Safe, Loss { max: 0, .. }) => {
            format!("{after}, but {better} is sure of it if play cycles")
        }
        (Verdict::Safe, Loss { max, .. }) => {
            format!("may give away {}, {after}; the best is {better}, {before}", seeds(max))
        }
    };
    if scored.closes_cycle {
        text += ", closes a cycle";
    }
    if let Some(thrown_away) = scored.thrown_away() {
        text += &format!(", {}", thrown_away.sentence());
    }
    Some(text)
}

fn letters(seat: Seat, houses: &[House]) -> String {
    houses.iter().map(|&house| seat.letter(house).to_string()).collect::<Vec<_>>().join(" or ")
}

fn seeds(count: u8) -> String {
    format!("{count} seed{}", if count == 1 { "" } else { "s" })
}
