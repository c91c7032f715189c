//! Openings of Bao la Kujifunza that a search of all lines to their end settles, without a table.

use oware_db::game::mancala::{KUJIFUNZA_2, KUJIFUNZA_3, Placement, Sheet};

/// The result for the mover and the plies to the end, if it is so many plies away at most: who
/// wins hurries, and who loses does not.
fn end(sheet: &Sheet, at: &Placement, most: usize) -> Option<(i8, usize)> {
    if let Some(score) = sheet.final_score(at) {
        return Some((score, 0));
    }
    let deeper = most.checked_sub(1)?;
    let outcomes = sheet.outcomes(at);
    let ends: Vec<_> = outcomes.iter().map(|next| end(sheet, &next.next, deeper)).collect();
    let lost = ends.iter().flatten().filter(|end| end.0 < 0).map(|end| end.1).min();
    if let Some(plies) = lost {
        return Some((1, plies + 1));
    }
    let plies: Option<Vec<usize>> = ends.iter().map(|end| end.map(|end| end.1)).collect();
    Some((-1, plies?.into_iter().max().expect("a move") + 1))
}

fn check(sheet: &Sheet, each: u8, expected: (i8, usize)) {
    let opening = Placement::new(&vec![each; 2 * sheet.half]);
    assert_eq!(end(sheet, &opening, expected.1), Some(expected), "{} {each}", sheet.id);
    assert_eq!(end(sheet, &opening, expected.1 - 1), None, "{} {each}", sheet.id);
}

/// What the guide says of them.
#[test]
fn openings_are_worth_what_the_guide_says() {
    check(&KUJIFUNZA_2, 2, (1, 1));
    check(&KUJIFUNZA_2, 6, (-1, 8));
    check(&KUJIFUNZA_3, 2, (1, 3));
}
