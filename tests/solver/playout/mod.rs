//! Whoever follows the strategy gets what was promised, against every defence.

mod sweeps;

use std::sync::LazyLock;

use oware_db::certify::playout::{
    Adviser, Certified, Claim, CycleCut, Defence, Plan, Player, Scenario, Summary, Trial, play,
    play_many, prove_layer, worst_on_paths, worst_outcomes,
};
use oware_db::error::Result;
use oware_db::game::{Board, HOUSES, House, Interval, Move, Origin, Rules, SHEETS, Score, Seeds};
use oware_db::layer::{Domain, Exception, Exceptions, Layer, Rank, Solved};
use oware_db::probe::{Prober, Tables};
use oware_db::random::Dice;
use oware_db::table::{Contents, WriteOptions, write};
use rayon::prelude::*;
use sweeps::Swept;

use crate::solver::tests::layers::solved;

/// The layers of 0..=8 seeds of each sheet.
static SWEPT: LazyLock<Vec<Swept>> =
    LazyLock::new(|| SHEETS.into_par_iter().map(|rules| Swept::new(rules, 8)).collect());

fn seeds(count: usize) -> Seeds {
    Seeds::new(count).unwrap()
}

/// The claims on all boards with `count` seeds, also those that no table holds.
fn claims(count: usize) -> impl Iterator<Item = Claim> {
    let layer = Layer::new(seeds(count), Domain::All);
    let boards = (0..layer.positions()).filter_map(move |rank| layer.position(Rank(rank)));
    boards.flat_map(|board| [Player::Mover, Player::Opponent].map(|player| Claim { board, player }))
}

fn assert_kept(rules: &Rules, count: usize, proved: &Trial) {
    println!("{} {count}: {} claims, {} may go round", rules.id, proved.claims, proved.circling);
    let short: Vec<_> = proved.shortfalls.iter().take(3).collect();
    assert!(
        short.is_empty(),
        "{} {count}: {} of {}: {short:?}",
        rules.id,
        proved.shortfalls.len(),
        proved.claims
    );
}

#[test]
fn sweeps_collect_what_they_promise() {
    SWEPT.par_iter().for_each(|swept| {
        (0..=8).for_each(|count| {
            assert_kept(swept.rules, count, &prove_layer(&mut &*swept, seeds(count)).unwrap())
        });
    });
}

/// The graph finds the least that following every play finds, if cycles may be cut anywhere, and
/// no cut pays less. How many claims were settled, by cut.
fn assert_paths_agree(adviser: &mut impl Adviser, claims: &[Claim]) -> [usize; 3] {
    let worst = worst_outcomes(adviser, claims).unwrap();
    CycleCut::ALL.map(|cut| {
        let mut settled = 0;
        for (claim, &worst) in claims.iter().zip(&worst) {
            let Some(found) = worst_on_paths(adviser, *claim, cut, 200).unwrap() else { continue };
            let agrees = if cut == CycleCut::Anywhere { found == worst } else { found >= worst };
            assert!(agrees, "{} {cut:?} {claim:?}: {found}, not {worst}", adviser.rules().id);
            settled += 1;
        }
        settled
    })
}

#[test]
fn following_every_play_finds_the_same() {
    SWEPT.par_iter().for_each(|swept| {
        let claims: Vec<Claim> =
            (2..=3).flat_map(claims).chain((4..=5).flat_map(claims).step_by(9)).collect();
        let strategy = assert_paths_agree(&mut &*swept, &claims);
        let careless = assert_paths_agree(&mut Careless(swept), &claims);
        println!("{}: {strategy:?} and {careless:?} of {}", swept.rules.id, claims.len());
        assert!(strategy.iter().chain(&careless).all(|&settled| settled > claims.len() / 3));
    });
}

/// Makes any move that keeps the score, the last by house, whether or not it makes progress.
struct Careless<'a>(&'a Swept);

impl Adviser for Careless<'_> {
    fn rules(&self) -> &'static Rules {
        self.0.rules
    }

    fn interval(&mut self, board: &Board) -> Result<Interval> {
        Ok(self.0.worth(board))
    }

    fn advise(&mut self, board: &Board, _: Score) -> Result<Vec<Move>> {
        Ok(self.0.keeping(board).last().copied().into_iter().collect())
    }
}

/// What is known of this board: both moves keep 3, and after E the opponent closes a cycle on the
/// board itself, where the rows are worth 1.
#[test]
fn keeping_the_score_is_not_enough() {
    let swept = &SWEPT[0];
    let claim = Claim {
        board: Board::new([0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1]).unwrap(),
        player: Player::Mover,
    };
    let mut careless = Careless(swept);
    assert_eq!(careless.advise(&claim.board, Score::ZERO).unwrap()[0].house.letter(), 'E');
    assert_eq!(claim.promise(&mut careless, CycleCut::First).unwrap(), Score::new(3));
    for (cut, brings) in [(CycleCut::First, 1), (CycleCut::Third, 1), (CycleCut::Anywhere, -1)] {
        let worst = worst_on_paths(&mut careless, claim, cut, 1_000_000).unwrap();
        assert_eq!(worst, Some(Score::new(brings)), "{cut:?}");
        assert_eq!(
            worst_on_paths(&mut &*swept, claim, cut, 1_000_000).unwrap(),
            Some(Score::new(3)),
            "{cut:?}"
        );
    }
    assert_eq!(worst_outcomes(&mut careless, &[claim]).unwrap(), [Score::new(-1)]);
    let game =
        |seed| Scenario { claim, cut: CycleCut::First, defence: Defence::ByTableCircling, seed };
    let played: Vec<_> = (0..20).map(|seed| play(&mut careless, &game(seed)).unwrap()).collect();
    assert!(played.iter().any(|played| played.margin() == -2));
}

#[test]
fn careless_play_is_found_out_on_every_sheet() {
    for swept in SWEPT.iter() {
        let proved = prove_layer(&mut Careless(swept), seeds(5)).unwrap();
        let summary = games(swept.rules, 6, 3_000, || Careless(swept));
        println!(
            "{}: {} of {} claims; {} of {} games",
            swept.rules.id,
            proved.shortfalls.len(),
            proved.claims,
            summary.shortfalls,
            summary.games
        );
        assert!(!proved.shortfalls.is_empty() && summary.shortfalls > 0, "{}", swept.rules.id);
        assert!(summary.least_margin.unwrap() < 0 && !summary.first.is_empty());
        // A broken promise can be seen again.
        for shortfall in &summary.first {
            let again = play(&mut Careless(swept), &shortfall.game).unwrap();
            let letters = again.moves.iter().map(|house| house.letter());
            assert_eq!(
                (again.promise.get(), again.score.get()),
                (shortfall.promise.get(), shortfall.score.get())
            );
            assert_eq!(letters.collect::<String>(), shortfall.moves.to_uppercase());
        }
    }
}

fn games<A: Adviser + Send>(
    rules: &'static Rules,
    most: usize,
    games: u64,
    adviser: impl Fn() -> A + Sync,
) -> Summary {
    let layers: Vec<Seeds> = (1..=most).filter_map(Seeds::new).collect();
    play_many(&Plan { games, seed: 1, layers: &layers }, rules, adviser, |_| true).unwrap()
}

fn assert_promises_kept(summary: &Summary) {
    println!("{summary:?}");
    assert!(
        summary.shortfalls == 0,
        "{}: {} games: {:?}",
        summary.rules,
        summary.shortfalls,
        summary.first
    );
    assert!(summary.counts.iter().all(|counts| counts.games > 0));
}

#[test]
fn random_games_of_sweeps() {
    for swept in SWEPT.iter() {
        let summary = games(swept.rules, 6, 20_000, || swept);
        assert_promises_kept(&summary);
        assert!(summary.games == 20_000 && summary.cycles > 100 && summary.least_margin == Some(0));
        assert_eq!(summary, games(swept.rules, 6, 20_000, || swept));
    }
}

/// Tables of each sheet, with strategies that are made of the right ones.
fn tables(
    most: usize,
    make: impl Fn(&Solved, Exceptions) -> Exceptions,
) -> (tempfile::TempDir, Tables) {
    let dir = tempfile::tempdir().unwrap();
    for rules in SHEETS {
        for solved in solved(rules, most).layers() {
            let exceptions = make(solved, solved.exceptions.clone().unwrap());
            let contents = Contents { exceptions: Some(&exceptions), ..Contents::from(&**solved) };
            write(dir.path(), rules, contents, WriteOptions::default()).unwrap();
        }
    }
    let tables = Tables::open(dir.path()).unwrap();
    (dir, tables)
}

static TABLES: LazyLock<(tempfile::TempDir, Tables)> =
    LazyLock::new(|| tables(10, |_, right| right));

/// With the layers below this proves every interval and every certificate: whichever certified
/// moves either player makes, the score does not leave the interval.
fn assert_all_kept(tables: &Tables, layers: &[Seeds]) {
    let of_sheet = |rules| layers.par_iter().map(move |&seeds| (rules, seeds));
    SHEETS.into_par_iter().flat_map(of_sheet).for_each(|(rules, seeds)| {
        let prober = || Prober::new(tables, rules);
        assert_kept(rules, seeds.get(), &prove_layer(&mut prober(), seeds).unwrap());
        assert_kept(rules, seeds.get(), &prove_layer(&mut Certified(prober()), seeds).unwrap());
    });
}

#[test]
fn tables_collect_what_they_promise() {
    assert_all_kept(&TABLES.1, &seeds(8).up_to().collect::<Vec<_>>());
}

#[test]
#[ignore = "two minutes, and 300 MB: cargo test --release --lib playout -- --ignored"]
fn tables_collect_what_they_promise_to_twelve_seeds() {
    assert_all_kept(&tables(12, |_, right| right).1, &[9, 10, 11, 12].map(seeds));
}

/// Everywhere an exception, to a house at random: whoever follows them puts off what was to be
/// collected. To play out every defence finds that on every sheet, and so do random games where the
/// origin is skipped.
#[test]
fn wrong_exceptions_are_found_out() {
    let (_dir, tables) = tables(7, |solved, _| {
        let mut dice = Dice::new(1);
        let mut forged = |rank| {
            let house = House::ALL[dice.below(HOUSES as u64) as usize];
            Exception { rank: Rank(rank), house }
        };
        Exceptions::new((0..solved.layer().positions()).map(&mut forged))
    });
    for rules in SHEETS {
        let prober = || Prober::new(&tables, rules);
        let proved = prove_layer(&mut prober(), seeds(7)).unwrap();
        let summary = games(rules, 7, 3_000, prober);
        let (found, claims, played) = (proved.shortfalls.len(), proved.claims, summary.shortfalls);
        println!("{}: {found} of {claims} claims; {played} games", rules.id);
        assert!(found > 0, "{}", rules.id);
        assert!(played > 0 || rules.origin == Origin::Sown, "{}", rules.id);
    }
}

#[test]
fn random_games_of_tables() {
    for rules in SHEETS {
        let prober = || Prober::new(&TABLES.1, rules);
        assert_promises_kept(&games(rules, 10, 20_000, prober));
        assert_promises_kept(&games(rules, 10, 20_000, || Certified(prober())));
    }
}
