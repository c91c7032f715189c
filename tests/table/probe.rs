//! Probing against layers solved in the most obvious way, and against published counts.

use std::path::Path;
use std::sync::LazyLock;

use oware_db::error::Kind;
use oware_db::game::{
    ABAPA_EVEN, AWARI, Board, House, Interval, MASTERS, PLAIN, PLAIN_OPPOSITE, Rules, Score, Seeds,
    final_score, legal_moves,
};
use oware_db::layer::{Exception, Exceptions, Layer, Plane, Rank, Solved, row_at, rows};
use oware_db::probe::{LineEnd, Prober, ScoredMove, Tables};
use oware_db::table::{Contents, WriteOptions, write};

fn seeds(count: usize) -> Seeds {
    Seeds::new(count).unwrap()
}

/// The layers of 0..=most seeds under an even split, by value iteration: a position is worth its
/// best move, and 0 to begin with. The strategy moves to the claim that settled in the earliest round.
fn solve(rules: &Rules, most: usize) -> Vec<(Solved, Exceptions)> {
    let (mut scores, mut solved) = (Vec::new(), Vec::new());
    for layer in (0..=most).map(|count| Layer::of(rules, seeds(count))) {
        let (next, exceptions) = solve_layer(rules, layer, &scores);
        let low = Plane::of_scores(layer, next.clone());
        solved.push((
            Solved { low, high: None, exceptions: None, attained: None, knots: None },
            exceptions,
        ));
        scores.push(next);
    }
    solved
}

/// What a position can become: a constant, or minus the score of another of its layer.
struct Choices {
    constant: Option<i8>,
    quiet: Vec<(House, usize)>,
}

fn solve_layer(rules: &Rules, layer: Layer, lower: &[Vec<i8>]) -> (Vec<i8>, Exceptions) {
    let choices: Vec<Choices> =
        (0..layer.positions()).map(|rank| choices(rules, layer, Rank(rank), lower)).collect();
    let (mut scores, mut settled) = (vec![0i8; choices.len()], vec![0; choices.len()]);
    for round in 1.. {
        let value = |choices: &Choices| {
            let quiet = choices.quiet.iter().map(|&(_, child)| -scores[child]);
            quiet.chain(choices.constant).max().unwrap()
        };
        let better: Vec<i8> = choices.iter().map(value).collect();
        if better == scores {
            break;
        }
        let changes = scores.iter().zip(&better).zip(&mut settled);
        changes.filter(|((old, new), _)| old != new).for_each(|(_, settled)| *settled = round);
        scores = better;
    }
    let exception = |(rank, choices): (usize, &Choices)| {
        let keeps = |(_, child): &&(House, usize)| -scores[*child] == scores[rank];
        let keeping = || choices.quiet.iter().filter(keeps);
        let &(house, _) = keeping().min_by_key(|&&(_, child)| settled[child])?;
        (keeping().next()?.0 != house).then_some(Exception { rank: Rank(rank as u64), house })
    };
    let exceptions = Exceptions::new(choices.iter().enumerate().filter_map(exception));
    (scores, exceptions)
}

fn choices(rules: &Rules, layer: Layer, rank: Rank, lower: &[Vec<i8>]) -> Choices {
    let board = layer.position(rank).unwrap();
    let mut choices = Choices {
        constant: final_score(rules, &board).map(|score| score.get()),
        quiet: Vec::new(),
    };
    for found in legal_moves(rules, &board).iter() {
        let below = Layer::of(rules, found.next.seeds());
        let child = below.rank(&found.next).unwrap().0 as usize;
        match found.captured {
            0 => choices.quiet.push((found.house, child)),
            captured => {
                let score = captured as i8 - lower[below.seeds().get()][child];
                choices.constant = choices.constant.max(Some(score));
            }
        }
    }
    choices
}

const SOLVED: [&Rules; 5] = [&ABAPA_EVEN, &AWARI, &MASTERS, &PLAIN, &PLAIN_OPPOSITE];

#[allow(unsafe_code)]
fn mapped(dir: &Path) -> Tables {
    // SAFETY: the directory is a temporary one of these tests, which change no table in place.
    unsafe { Tables::open_mapped(dir) }.unwrap()
}

/// The tables of up to 7 seeds of every sheet, in one directory.
static TABLES: LazyLock<(tempfile::TempDir, Tables)> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    for rules in SOLVED {
        for (solved, exceptions) in solve(rules, 7) {
            let contents = Contents { exceptions: Some(&exceptions), ..Contents::from(&solved) };
            write(dir.path(), rules, contents, WriteOptions::default()).unwrap();
        }
    }
    let tables = mapped(dir.path());
    (dir, tables)
});

fn prober(rules: &'static Rules) -> Prober {
    Prober::new(&TABLES.1, rules)
}

/// All boards with `count` seeds, also those that no table holds.
fn boards(count: usize) -> impl Iterator<Item = Board> {
    (0..=count).flat_map(move |own| {
        let pairs = (0..rows(own))
            .flat_map(move |column| (0..rows(count - own)).map(move |row| (column, row)));
        pairs.map(move |(column, row)| Board {
            mover: row_at(own, column),
            opponent: row_at(count - own, row),
        })
    })
}

#[test]
fn counts_are_the_published_ones() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/layers.tsv"))
            .unwrap();
    let mut compared = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (rules, numbers) = (Rules::by_id(fields[0]).unwrap(), &fields[1..]);
        let numbers: Vec<i64> = numbers.iter().map(|number| number.parse().unwrap()).collect();
        if numbers[0] > 7 {
            continue;
        }
        let table = TABLES.1.layer(rules, seeds(numbers[0] as usize)).unwrap().unwrap();
        let stats = table.stats();
        let counts =
            [stats.positions, stats.wins, stats.draws, stats.losses].map(|count| count as i64);
        assert_eq!([&counts[..], &[stats.low_sum]].concat(), numbers[1..], "{line}");
        assert_eq!((stats.exact, stats.high_sum), (stats.positions, stats.low_sum));
        compared += 1;
    }
    assert_eq!(compared, 39);
}

#[test]
fn every_position_is_worth_its_best_move() {
    for rules in SOLVED {
        let mut prober = prober(rules);
        for board in (0..=5).flat_map(boards) {
            let found = prober.interval(&board).unwrap();
            let moves = prober.moves(&board).unwrap();
            let best = moves.first().map(|best| best.interval);
            assert_eq!(
                best.unwrap_or(Interval::exact(board.own_rows())),
                found,
                "{} {board}",
                rules.id
            );
            assert_eq!(moves.len(), legal_moves(rules, &board).len());
            for pair in moves.windows(2) {
                let key =
                    |at: usize| (pair[at].interval.low, pair[at].interval.high, pair[at].certified);
                assert!(
                    key(0) > key(1)
                        || (key(0) == key(1) && pair[0].played.house < pair[1].played.house)
                );
            }
            for found in &moves {
                let child = prober.interval(&found.played.next).unwrap().low.get();
                assert_eq!(
                    found.interval.value(),
                    Some(Score::new(found.played.captured as i8 - child))
                );
            }
            certificates(rules, &board, &moves);
        }
    }
}

/// Captures, and moves worth 0 or less, are always certified; of the best moves one always is, and
/// a worse quiet move never, unless its position cannot come back.
fn certificates(rules: &Rules, board: &Board, moves: &[ScoredMove]) {
    let Some(best) = moves.first().map(|best| best.interval.low) else { return };
    assert!(
        moves[0].interval.low == best
            && moves.iter().any(|found| found.certified && found.interval.low == best)
    );
    let returns = Layer::of(rules, board.seeds()).rank(board).is_some();
    for found in moves {
        let low = found.interval.low;
        if found.played.captured > 0 || low <= Score::ZERO || !returns {
            assert!(found.certified, "{} {board}", rules.id);
        } else if low < best {
            assert!(!found.certified, "{} {board}", rules.id);
        }
    }
}

#[test]
fn positions_outside_the_layer_are_probed_through_their_moves() {
    let mut prober = prober(&AWARI);
    let outside = boards(7).filter(|board| Layer::of(&AWARI, seeds(7)).rank(board).is_none());
    let (over, open): (Vec<Board>, Vec<Board>) = outside.partition(|board| board.mover.is_empty());
    // The seventh seed is a second one in one of six houses, or one of the mover's.
    assert_eq!((over.len(), open.len()), (6, 6));
    for board in over {
        assert_eq!(prober.interval(&board).unwrap().value(), Some(Score::new(-7)), "{board}");
    }
    for board in open {
        let moves = legal_moves(&AWARI, &board);
        let worth = moves
            .iter()
            .map(|found| found.captured as i8 - prober.interval(&found.next).unwrap().low.get());
        let best = Score::new(worth.max().unwrap());
        assert_eq!(prober.interval(&board).unwrap().value(), Some(best), "{board}");
    }
}

#[test]
fn finished_games_need_no_table() {
    let dir = tempfile::tempdir().unwrap();
    let tables = Tables::open_early(dir.path().join("missing")).unwrap();
    let mut prober = Prober::new(&tables, &ABAPA_EVEN);
    let empty = Board::new([0; 12]).unwrap();
    assert_eq!(prober.interval(&empty).unwrap().value(), Some(Score::ZERO));
    let over = Board::new([3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]).unwrap();
    assert_eq!(prober.interval(&over).unwrap().value(), Some(Score::new(4)));
    assert!(prober.moves(&over).unwrap().is_empty());
    let line = prober.line(&over, 10).unwrap();
    assert_eq!((line.moves, line.ends), (vec![], LineEnd::GameOver));
    let open = Board::new([0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1]).unwrap();
    let error = prober.interval(&open).unwrap_err();
    assert_eq!(error.kind(), Kind::MissingTable);
    let words = "no abapa-even table for 3 seeds";
    assert!(error.to_string().contains(words), "{error}");
    assert_eq!(prober.interval(&Board::INITIAL).unwrap_err().kind(), Kind::MissingTable);
}

/// Plays a line and adds up what it brings; a cycle and what is beyond the limit bring nothing.
fn replay(rules: &Rules, board: &Board, moves: &[(House, u8)]) -> (Board, i8) {
    let (mut at, mut balance, mut sign) = (*board, 0, 1);
    for &(house, captured) in moves {
        let played = legal_moves(rules, &at).iter().find(|found| found.house == house).unwrap();
        assert_eq!(played.captured, captured);
        balance += sign * captured as i8;
        (at, sign) = (played.next, -sign);
    }
    (at, balance + sign * final_score(rules, &at).map_or(0, |score| score.get()))
}

#[test]
fn lines_are_legal_and_end_as_they_say() {
    for rules in SOLVED {
        let mut prober = prober(rules);
        for rank in (0..Layer::of(rules, seeds(6)).positions()).step_by(7) {
            let board = Layer::of(rules, seeds(6)).position(Rank(rank)).unwrap();
            let value = prober.interval(&board).unwrap().value().unwrap().get();
            let line = prober.line(&board, 200).unwrap();
            let (end, balance) = replay(rules, &board, &line.moves);
            match line.ends {
                LineEnd::GameOver => assert_eq!(balance, value, "{} {board}", rules.id),
                // The cycle itself is an even split.
                LineEnd::Cycle { .. } => {
                    assert_eq!((balance, final_score(rules, &end)), (value, None))
                }
                LineEnd::Limit => assert_eq!(line.moves.len(), 200),
            }
            let short = prober.line(&board, 2).unwrap();
            assert_eq!(short.moves, line.moves[..line.moves.len().min(2)]);
        }
    }
}

/// The moves of a line, each found by a look at all moves of its position.
fn slow_line(prober: &mut Prober, board: &Board, limit: usize) -> Vec<(House, u8)> {
    let (mut at, mut moves, mut seen) = (*board, Vec::new(), Vec::new());
    let fresh = |prober: &mut Prober, board: &Board| {
        let found = prober.interval(board).unwrap();
        [found.low, found.high.after_capture(0)]
    };
    let [mut own, mut others] = fresh(prober, &at);
    let comes_back = |seen: &[Board], at: &Board| {
        // With the same player to move.
        seen.iter().rev().skip(1).step_by(2).any(|seen| seen == at)
    };
    while moves.len() < limit && !comes_back(&seen, &at) {
        let Some(played) = prober.claiming_move(&at, own).unwrap() else { break };
        moves.push((played.house, played.captured));
        seen.push(at);
        at = played.next;
        [own, others] = [others, own];
        if played.captured > 0 {
            seen.clear();
            [own, others] = fresh(prober, &at);
        }
    }
    moves
}

#[test]
fn lines_are_those_of_a_look_at_all_moves() {
    for rules in SOLVED {
        let (mut prober, mut longest) = (prober(rules), 0);
        for board in boards(7).step_by(3) {
            let line = prober.line(&board, 200).unwrap();
            assert_eq!(line.moves, slow_line(&mut prober, &board, 200), "{} {board}", rules.id);
            longest = longest.max(line.moves.len());
        }
        assert!(longest > 20, "{} {longest}", rules.id);
    }
}

/// What is cached is what a probe says, and nothing is known before anyone has asked.
#[test]
fn probes_of_the_cache_alone() {
    let tables = mapped(TABLES.1.dir());
    for rules in SOLVED {
        let (mut prober, mut known) = (Prober::new(&tables, rules), 0);
        for board in boards(6).filter(|board| final_score(rules, board).is_none()).step_by(9) {
            known += usize::from(prober.cached(&board).unwrap().is_some());
            let found = prober.interval(&board).unwrap();
            assert_eq!(prober.cached(&board).unwrap(), Some(found), "{} {board}", rules.id);
        }
        assert!(known > 0);
        let three = Board::new([0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1]).unwrap();
        let mut other = Prober::new(&tables, rules);
        assert_eq!(
            other.cached(&three).unwrap(),
            prober.cached(&three).unwrap(),
            "blocks are shared"
        );
        let tables = mapped(TABLES.1.dir()).with_cache(0);
        let mut cold = Prober::new(&tables, rules);
        assert_eq!(cold.cached(&three).unwrap(), None);
        assert_eq!(
            cold.cached(&Board::new([0; 12]).unwrap()).unwrap(),
            Some(Interval::exact(Score::ZERO))
        );
    }
}

#[test]
fn sheets_share_a_directory_and_nothing_else() {
    let board = Board::new([1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]).unwrap();
    let value = |rules| prober(rules).interval(&board).unwrap().value().unwrap().get();
    // Sowing F is a grand slam: it harvests nothing, is illegal, or harvests all.
    assert_eq!(value(&MASTERS), 3);
    assert!(value(&ABAPA_EVEN) < 3 && value(&AWARI) < 3);
}

#[test]
fn an_engine_keeps_a_prober_wherever_it_likes() {
    struct Engine {
        prober: Prober,
    }
    let start = Board::new([0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 3, 0]).unwrap();
    let expected = prober(&AWARI).interval(&start).unwrap();
    let mut engine = {
        let tables = TABLES.1.clone();
        Engine { prober: Prober::new(&tables, &AWARI) }
    };
    let found = std::thread::spawn(move || engine.prober.interval(&start).unwrap());
    assert_eq!(found.join().unwrap(), expected);
}

#[test]
fn clones_of_tables_share_their_files() {
    let tables = TABLES.1.clone();
    let table = tables.layer(&AWARI, seeds(7)).unwrap().unwrap();
    let same = tables.clone().with_cache(0).layer(&AWARI, seeds(7)).unwrap().unwrap();
    assert!(std::sync::Arc::ptr_eq(&table, &same));
}
