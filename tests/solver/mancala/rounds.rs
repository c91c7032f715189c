//! The match of Nam Nam above its rounds: classes, the graph, what a match is worth, and the
//! command; and whether more houses are better.

use std::collections::{BTreeMap, BTreeSet};

use oware_db::game::mancala::NAM_NAM;
use oware_db::game::mancala::placement::{own_half, turned_owners};
use oware_db::game::mancala::rounds::{After, Class, Start, Worth, houses_after, solve};
use oware_db::layer::general::GeneralLayer;
use oware_db::random::Dice;

use super::{facts, solved_to};

#[test]
fn classes_are_those_of_the_design() {
    let mut sizes = BTreeMap::new();
    for class in Class::all() {
        *sizes.entry(class.houses()).or_insert(0) += 1;
        assert_eq!(Class::of(class.owners()), Some(class));
        assert_eq!(class.owners() & 0b11_1111, 0b11_1111, "{}", class.text());
        assert_eq!(class.owners().count_ones(), class.houses());
    }
    assert_eq!(sizes, BTreeMap::from([(6, 1), (7, 5), (8, 10), (9, 10), (10, 5), (11, 1)]));
    assert_eq!(Class::of(0b0111_0111), None, "no six side by side");
}

/// Rings as text, turned by hand: each class is all that a leader's choice can be turned into.
#[test]
fn classes_are_rings_that_can_be_turned() {
    for mask in 0..1u32 << 6 {
        let owners = 0b11_1111 | mask << 6;
        let text: String =
            (0..12).map(|at| if owners >> at & 1 == 1 { 'm' } else { 'o' }).collect();
        let class = Class::of(owners).unwrap();
        let turned: BTreeSet<String> =
            (0..12).map(|by| format!("{}{}", &text[by..], &text[..by])).collect();
        assert!(turned.contains(&class.text()), "{text}");
        let least = turned.iter().filter(|turned| turned.starts_with("mmmmmm"));
        // The first letter is the lowest bit.
        let least =
            least.min_by_key(|text| text.chars().rev().collect::<String>().replace('o', "a"));
        assert_eq!(least, Some(&class.text()), "{text}");
    }
}

/// The owners that independent programs counted layers of are classes, or the other player's view.
#[test]
fn owners_of_independent_programs_are_classes() {
    let mut checked = 0;
    for fact in facts("layers.tsv").iter().filter(|fact| fact.starts_with("nam-nam")) {
        let owners = NAM_NAM.parse_owners(fact.split('\t').nth(1).unwrap()).unwrap();
        let leaders = owners.max(turned_owners(owners, 6));
        assert!(Class::all().iter().any(|class| class.owners() == leaders), "{fact}");
        checked += 1;
    }
    assert!(checked > 12, "{checked}");
}

#[test]
fn a_match_can_come_to_every_round_and_ends_with_all_houses() {
    let first = Start::new(Class::EQUAL, true);
    let (mut met, mut open) = (BTreeSet::from([first]), vec![first]);
    while let Some(start) = open.pop() {
        for houses in 0..=12 {
            match start.after(houses) {
                After::Over { leader_won } => assert_eq!(houses, if leader_won { 12 } else { 0 }),
                After::Round { choices, .. } => {
                    for choice in choices {
                        assert_eq!(choice.class().houses(), houses.max(12 - houses));
                        open.extend(met.insert(choice).then_some(choice));
                    }
                }
            }
        }
    }
    assert_eq!((met.len(), Start::all().len()), (63, 63));
    assert_eq!(met, Start::all().into_iter().collect());
    assert_eq!([48, 12, 8, 4, 0, -4, -8, -12, -48].map(houses_after), [12, 7, 7, 6, 6, 6, 5, 5, 0]);
}

/// A match of South and North, house by house and without classes: who wins within so many rounds.
struct Match<'a> {
    score: &'a dyn Fn(Start) -> i8,
    /// By South's houses and whether South begins: whether South wins, if anybody does.
    known: BTreeMap<(u32, bool), bool>,
}

impl Match<'_> {
    /// The result of a round for South, in houses.
    fn houses(&self, south: u32, south_begins: bool) -> u32 {
        let north = turned_owners(south, 6);
        let south_leads = match south.count_ones() {
            6 => south_begins,
            houses => houses > 6,
        };
        let leaders = if south_leads { south } else { north };
        let start = Start::new(Class::of(leaders).unwrap(), south_leads == south_begins);
        let houses = houses_after((self.score)(start));
        if south_leads { houses } else { 12 - houses }
    }

    /// Who wins if one more round may be played.
    fn with_one_round_more(&self, south: u32, south_begins: bool) -> Option<bool> {
        let houses = self.houses(south, south_begins);
        if houses == 0 || houses == 12 {
            return Some(houses == 12);
        }
        // South's six are houses 0 to 5 of the ring; the rest is chosen by whoever has more.
        let others =
            (0..1u32 << 6).filter(|others| others.count_ones() + 6 == houses.max(12 - houses));
        let next = others.map(|others| {
            let leaders = 0b11_1111 | others << 6;
            let south = if houses >= 6 { leaders } else { turned_owners(leaders, 6) };
            self.known.get(&(south, !south_begins)).copied()
        });
        let wanted = houses >= 6;
        let next: Vec<Option<bool>> = next.collect();
        if next.contains(&Some(wanted)) {
            return Some(wanted);
        }
        next.iter().all(|next| *next == Some(!wanted)).then_some(!wanted)
    }
}

#[test]
fn what_a_match_is_worth_is_found_house_by_house() {
    let mut dice = Dice::new(5);
    let mut results = [0; 3];
    for number in 0..40 {
        // Some matches end soon, some hardly ever.
        let spread = 1 + number % 4;
        let scores: BTreeMap<Start, i8> = Start::all()
            .into_iter()
            .map(|start| {
                let score = (dice.below(4 * spread + 1) as i8 - 2 * spread as i8) * 4;
                (start, if dice.below(20) == 0 { 48 } else { score })
            })
            .collect();
        let score = |start| scores[&start];
        let worth = solve(score);
        let mut slow = Match { score: &score, known: BTreeMap::new() };
        let starts = |south: u32| [(south, false), (south, true)];
        let all: Vec<(u32, bool)> = (0..1u32 << 6)
            .map(|others| 0b11_1111 | others << 6)
            .filter(|owners| owners.count_ones() < 12)
            .flat_map(|owners| [owners, turned_owners(owners, 6)])
            .flat_map(starts)
            .collect();
        for rounds in 1..=70 {
            let open = all.iter().filter(|start| !slow.known.contains_key(start));
            let found: Vec<((u32, bool), bool)> = open
                .filter_map(|&start| Some((start, slow.with_one_round_more(start.0, start.1)?)))
                .collect();
            for ((south, south_begins), south_wins) in found {
                slow.known.insert((south, south_begins), south_wins);
                if south.count_ones() >= 6 && (south.count_ones() > 6 || south_begins) {
                    let start = Start::new(Class::of(south).unwrap(), south_begins);
                    let expected =
                        if south_wins { Worth::Won(rounds) } else { Worth::Lost(rounds) };
                    assert_eq!(worth[&start], expected, "{start:?} of match {number}");
                    results[usize::from(south_wins)] += 1;
                }
            }
        }
        for &(south, south_begins) in all.iter().filter(|start| !slow.known.contains_key(start)) {
            if south.count_ones() > 6 || south.count_ones() == 6 && south_begins {
                let start = Start::new(Class::of(south).unwrap(), south_begins);
                assert_eq!(worth[&start], Worth::Endless, "{start:?} of match {number}");
                results[2] += 1;
            }
        }
    }
    assert!(results.iter().all(|&count| count > 100), "{results:?}");
}

/// The assumption by which a table's score would be what a match player aims at does not hold of
/// single positions: who owns a house more may have to move where missing the turn would win.
#[test]
fn more_houses_are_not_always_better() {
    let (mut pairs, mut better, mut worse) = (0, 0, Vec::new());
    let equal = GeneralLayer::new(&NAM_NAM, 8);
    let equal = &solved_to(equal)[&8];
    // The mover of the position is the one who has less: the other owns one of the mover's six.
    for house in 0..6 {
        let less = own_half(6) & !(1 << house);
        let unequal = GeneralLayer::of_owners(&NAM_NAM, 8, turned_owners(less, 6));
        let unequal = &solved_to(unequal)[&8];
        for (rank, placement) in equal.layer.placements(0, equal.low.len()).enumerate() {
            let (before, after) = (equal.low[rank], unequal.bounds(&placement.with_owners(less)).0);
            pairs += 1;
            better += u32::from(after < before);
            if after > before {
                worse.push(placement.with_owners(less).to_string());
            }
        }
    }
    println!("{pairs} pairs, {better} better, {} worse", worse.len());
    assert!(better > 100 * worse.len() as u32);
    let known = "0 0 0 3 0 0  0 0 3 0 0 2  mmmommoooooo".to_owned();
    assert!(worse.contains(&known), "{worse:?}");
}
