//! Table files: what is written comes back, and what was damaged is noticed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use oware_db::certify::proof::{Claims, Prover};
use oware_db::error::{Error, Kind, Result};
use oware_db::game::{
    ABAPA_EVEN, ABAPA_EVERY, AWARI, Board, Interval, Move, PLAIN, Rules, SHEETS, Score, Seeds,
    final_score, legal_moves,
};
use oware_db::layer::{Cell, Layer, LayerStats, Marks, Plane, Rank, Solved};
use oware_db::probe::Tables;
use oware_db::random::Dice;
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::table::{
    Contents, Planes, Scratch, Table, WriteOptions, Written, file_name, write, write_unless,
};

fn seeds(count: usize) -> Seeds {
    Seeds::new(count).unwrap()
}

/// Pseudo-random numbers.
#[derive(Clone)]
struct Numbers(Dice);

impl Numbers {
    fn new(seed: u64) -> Numbers {
        Numbers(Dice::new(seed))
    }

    fn next(&mut self) -> u64 {
        self.0.number()
    }

    /// A number in 0..=most.
    fn up_to(&mut self, most: usize) -> i8 {
        (self.next() % (most as u64 + 1)) as i8
    }
}

/// What a made-up layer looks like.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Any score, one plane.
    One,
    /// Any two bounds.
    Two,
    /// The bounds differ in the last position alone.
    Last,
    /// Two planes that are equal.
    Equal,
}

const SHAPES: [Shape; 4] = [Shape::One, Shape::Two, Shape::Last, Shape::Equal];

/// A made-up layer, the same each time.
fn made_up(rules: &Rules, count: usize, shape: Shape) -> Solved {
    let layer = Layer::of(rules, seeds(count));
    let mut numbers = Numbers::new(count as u64);
    let (low, high): (Vec<i8>, Vec<i8>) = (1..=layer.positions())
        .map(|nth| {
            let low = numbers.up_to(2 * count) - count as i8;
            let room = (count as i8 - low) as usize;
            let high = match shape {
                Shape::One | Shape::Equal => low,
                Shape::Two => low + numbers.up_to(room),
                Shape::Last if nth == layer.positions() => return (-(count as i8), count as i8),
                Shape::Last => low,
            };
            (low, high)
        })
        .unzip();
    let high = (!matches!(shape, Shape::One)).then(|| Plane::of_scores(layer, high));
    Solved {
        low: Plane::of_scores(layer, low),
        high,
        exceptions: None,
        attained: None,
        knots: None,
    }
}

/// How a file is read.
#[derive(Clone, Copy, Debug)]
enum Access {
    Map,
    Read,
}

const BOTH: [Access; 2] = [Access::Map, Access::Read];

#[allow(unsafe_code)]
fn open(path: impl AsRef<Path>, access: Access) -> Result<Table> {
    match access {
        // SAFETY: the file is in a temporary directory of this test, which does not change it in
        // place while it is open.
        Access::Map => unsafe { Table::open_mapped(path) },
        Access::Read => Table::open(path),
    }
}

#[allow(unsafe_code)]
fn open_tables(dir: &Path, access: Access) -> Tables {
    let tables = match access {
        // SAFETY: as above.
        Access::Map => unsafe { Tables::open_mapped(dir) },
        Access::Read => Tables::open(dir),
    };
    tables.unwrap()
}

fn written(dir: &Path, rules: &'static Rules, solved: &Solved) -> Written {
    write(dir, rules, solved, WriteOptions::default()).unwrap()
}

fn same(one: &Solved, other: &Solved) -> bool {
    one.low.scores().eq(other.low.scores()) && one.high().scores().eq(other.high().scores())
}

/// Opens, verifies, loads and probes; the first error is the answer.
fn all_of(table: Result<Table>) -> Result<Solved> {
    let table = table?;
    table.check()?;
    let mut scratch = Scratch::default();
    table.stored(place(&table, 0), &mut scratch)?;
    table.stored(place(&table, table.layer().positions() - 1), &mut scratch)?;
    table.load_stored()
}

fn place(table: &Table, rank: u64) -> Cell {
    table.layer().cell_at(Rank(rank)).unwrap()
}

/// A file of two planes with several tiles that is nevertheless small: hardly any score is not 0.
fn small_file() -> (Vec<u8>, Solved) {
    let layer = Layer::of(&AWARI, seeds(7));
    let one_in =
        |every: u64, score: i8| move |rank: u64| if rank % every == every / 2 { score } else { 0 };
    let low = Plane::of_scores(layer, (0..layer.positions()).map(one_in(10_000, -7)));
    let high = Plane::of_scores(layer, (0..layer.positions()).map(one_in(70_001, 3)));
    let dir = tempfile::tempdir().unwrap();
    let solved = Solved { low, high: Some(high), exceptions: None, attained: None, knots: None };
    let path = written(dir.path(), &AWARI, &solved).path;
    (fs::read(path).unwrap(), solved)
}

#[test]
fn every_shape_comes_back_both_ways() {
    let dir = tempfile::tempdir().unwrap();
    for rules in [&AWARI, &PLAIN] {
        for (count, shape) in
            [0, 1, 2, 5, 9].into_iter().flat_map(|count| SHAPES.map(|shape| (count, shape)))
        {
            let solved = made_up(rules, count, shape);
            let file = written(dir.path(), rules, &solved);
            for access in BOTH {
                let table = open(&file.path, access).unwrap();
                table.check().unwrap();
                assert_eq!((table.rules(), table.layer()), (rules, solved.layer()));
                assert_eq!(table.bytes(), file.bytes);
                let loaded = table.load_stored().unwrap();
                assert!(same(&loaded, &solved), "{} {count} {shape:?}", rules.id);
                let two = matches!(shape, Shape::Two | Shape::Last) && count > 0;
                assert_eq!(loaded.high.is_some(), two);
                assert_eq!(
                    table.header().planes,
                    if two { Planes::LowAndHigh } else { Planes::Low }
                );
            }
        }
    }
}

#[test]
fn every_position_is_probed_as_it_was_written() {
    let dir = tempfile::tempdir().unwrap();
    for shape in SHAPES {
        let solved = made_up(&PLAIN, 9, shape);
        let file = written(dir.path(), &PLAIN, &solved);
        let tables = BOTH.map(|access| open(&file.path, access).unwrap());
        let mut scratch = Scratch::default();
        for rank in (0..solved.layer().positions()).map(Rank) {
            let board = solved.layer().position(rank).unwrap();
            for table in &tables {
                assert_eq!(
                    Some(table.stored(place(table, rank.0), &mut scratch).unwrap()),
                    solved.interval(&board)
                );
            }
        }
        let inside = Cell { own: 4, row: 0, column: 0 };
        for beyond in [
            Cell { own: 10, ..inside },
            Cell { row: 2002, ..inside },
            Cell { column: 126, ..inside },
        ] {
            assert_eq!(tables[0].stored(beyond, &mut scratch).unwrap_err().kind(), Kind::Usage);
        }
    }
}

/// What the tables of each sheet store, and the layers themselves.
static STORED_AND_SOLVED: LazyLock<BTreeMap<&str, (Vec<Table>, InMemory)>> =
    LazyLock::new(|| SHEETS.map(|rules| (rules.id, stored_and_solved(rules))).into());

/// What the table of each layer of 0..=8 seeds stores, and the layers themselves.
fn stored_and_solved(rules: &'static Rules) -> (Vec<Table>, InMemory) {
    let (mut solver, mut layers, dir) =
        (Solver::new(rules, Kernel::best()), InMemory::default(), tempfile::tempdir());
    let dir = dir.unwrap();
    let one = |seeds| {
        let solved = solver.solve(seeds, &layers, &Unobserved).unwrap();
        let file = write(dir.path(), rules, &solved, WriteOptions::default()).unwrap();
        let table = open(file.path, Access::Map).unwrap();
        layers.push(solved);
        table
    };
    (seeds(8).up_to().map(one).collect(), layers)
}

/// The most that a capture brings, or the end of the game, to the lower and to the upper bound.
fn by_capture(rules: &Rules, layers: &InMemory, board: &Board) -> Option<Interval> {
    if let Some(score) = final_score(rules, board) {
        return Some(Interval::exact(score));
    }
    let moves = legal_moves(rules, board);
    let worth = |found: Move| {
        let child = layers.layers()[found.next.seeds().get()].interval(&found.next).unwrap();
        child.after_capture(found.captured)
    };
    let found: Vec<Interval> = moves.iter().filter(|found| found.captured > 0).map(worth).collect();
    let best = |bound: fn(&Interval) -> Score| found.iter().map(bound).max();
    Some(Interval { low: best(|found| found.low)?, high: best(|found| found.high)? })
}

/// Position by position, for all sheets: where a capture attains a bound the table may say less,
/// and nowhere else.
#[test]
fn tables_say_less_only_where_a_capture_says_it() {
    for rules in SHEETS {
        let (tables, layers) = &STORED_AND_SOLVED[rules.id];
        let mut less = 0;
        for (table, solved) in tables.iter().zip(layers.layers()) {
            let (layer, mut scratch) = (table.layer(), Scratch::default());
            let attained = solved.attained.as_ref().unwrap();
            for board in (0..layer.positions()).map(|rank| layer.position(Rank(rank)).unwrap()) {
                let place = layer.cell(&board).unwrap();
                let (truth, captured) =
                    (solved.bounds_of(&board).unwrap(), by_capture(rules, layers, &board));
                let marked = |marks: &Marks| marks.has(place);
                let high = attained.high.as_ref().unwrap_or(&attained.low);
                assert_eq!(
                    marked(&attained.low),
                    captured.is_some_and(|found| found.low == truth.low),
                    "{board}"
                );
                assert_eq!(
                    marked(high),
                    captured.is_some_and(|found| found.high == truth.high),
                    "{board}"
                );
                let stored = table.stored(place, &mut scratch).unwrap();
                assert!(
                    stored.low == truth.low || stored.low < truth.low && marked(&attained.low),
                    "{board}"
                );
                assert!(
                    stored.high == truth.high || stored.high < truth.high && marked(high),
                    "{board}"
                );
                less += u64::from(stored != truth);
            }
        }
        assert!(less > 5_000, "{}: {less} positions", rules.id);
    }
}

#[test]
fn what_captures_say_saves_space() {
    let dir = tempfile::tempdir().unwrap();
    let (_, layers) = &STORED_AND_SOLVED[AWARI.id];
    let solved = &layers.layers()[8];
    let size = |attained| {
        let contents = Contents { solved, exceptions: None, attained };
        write(dir.path(), &AWARI, contents, WriteOptions::default()).unwrap().bytes
    };
    let (exact, less) = (size(None), size(solved.attained.as_ref()));
    assert!(10 * less < 9 * exact, "{less} bytes instead of {exact}");
}

/// Two programs that share no code put back what captures say: the solver's and the prover's.
#[test]
fn stored_layers_are_completed_to_what_was_solved() {
    for rules in SHEETS {
        let (tables, layers) = &STORED_AND_SOLVED[rules.id];
        let (mut solver, mut prover) = (Solver::new(rules, Kernel::best()), Prover::new(rules));
        for (table, solved) in tables.iter().zip(layers.layers()) {
            let stored = table.load_stored().unwrap();
            assert!(table.seeds().get() < 4 || !same(&stored, solved));
            let settlement = table.settlement().unwrap();
            assert_eq!(settlement, solved.knots.as_ref().map(|knots| &knots.settlement));
            let exceptions = table.exceptions().unwrap().unwrap().clone();
            let mut claims =
                Claims::of_stored(table.load_stored().unwrap(), settlement, exceptions);
            prover.complete(&mut claims);
            let completed = solver.complete(stored, settlement, layers, &Unobserved).unwrap();
            assert!(same(&completed, solved), "{}", rules.id);
            let scores = claims.scores().into_owned();
            assert!(scores.low.iter().copied().eq(solved.low.scores()), "{}", rules.id);
            assert!(scores.high().iter().copied().eq(solved.high().scores()), "{}", rules.id);
            assert_eq!(claims.stats(), LayerStats::of_solved(solved));
            assert!(prover.admit(claims).is_proved());
        }
    }
}

#[test]
fn statistics_agree_with_the_layer_in_memory() {
    let dir = tempfile::tempdir().unwrap();
    for shape in SHAPES {
        let solved = made_up(&AWARI, 9, shape);
        let file = written(dir.path(), &AWARI, &solved);
        let stats = open(&file.path, Access::Map).unwrap().stats().clone();
        assert_eq!(stats.bytes, file.bytes);
        assert_eq!(stats, LayerStats { bytes: file.bytes, ..LayerStats::of_solved(&solved) });
        let sum = |plane: &Plane| plane.scores().map(i64::from).sum();
        assert_eq!((stats.low_sum, stats.high_sum), (sum(&solved.low), sum(solved.high())));
        assert_eq!(stats.positions, solved.layer().positions());
    }
}

#[test]
fn bytes_do_not_depend_on_the_number_of_threads() {
    let solved = made_up(&PLAIN, 9, Shape::Two);
    let bytes = [1, 2, 7].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let dir = tempfile::tempdir().unwrap();
        let file = pool.install(|| written(dir.path(), &PLAIN, &solved));
        fs::read(file.path).unwrap()
    });
    assert!(bytes[0] == bytes[1] && bytes[1] == bytes[2]);
}

/// The files of all layers to `most` seeds, solved and written with one kernel and so many threads.
fn files_of(rules: &'static Rules, most: usize, kernel: Kernel, threads: usize) -> Vec<Vec<u8>> {
    let (dir, mut solver, mut layers) =
        (tempfile::tempdir().unwrap(), Solver::new(rules, kernel), InMemory::default());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let one = |seeds| {
            let solved = solver.solve(seeds, &layers, &Unobserved).unwrap();
            assert!(solved.exceptions.is_some());
            let bytes = fs::read(written(dir.path(), rules, &solved).path).unwrap();
            layers.push(solved);
            bytes
        };
        seeds(most).up_to().map(one).collect()
    })
}

#[test]
fn bytes_do_not_depend_on_the_kernel_or_the_number_of_threads() {
    for rules in SHEETS {
        // To settle what repetition leaves open of eight seeds of `abapa-every` takes a second each time.
        let most = if rules == &ABAPA_EVERY { 7 } else { 8 };
        let mut runs = Kernel::available()
            .into_iter()
            .flat_map(|kernel| [1, 2, 3].map(|threads| (kernel, threads)));
        let (kernel, threads) = runs.next().unwrap();
        let expected = files_of(rules, most, kernel, threads);
        for (kernel, threads) in runs {
            let found = files_of(rules, most, kernel, threads);
            let different = (0..=most).find(|&seeds| found[seeds] != expected[seeds]);
            assert_eq!(different, None, "{} {kernel:?}, {threads} threads: layer", rules.id);
        }
    }
}

#[test]
fn every_level_comes_back_and_others_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let solved = made_up(&AWARI, 5, Shape::Two);
    for (level, frame_cells) in
        [(1, 1 << 14), (2, 1 << 14), (6, 1 << 14), (9, 1 << 15), (22, 1 << 16)]
    {
        let file = write(dir.path(), &AWARI, &solved, WriteOptions { level }).unwrap();
        let table = open(&file.path, Access::Map).unwrap();
        assert_eq!((table.header().level, table.header().frame_cells), (level, frame_cells));
        assert!(same(&table.load_stored().unwrap(), &solved));
    }
    for level in [-5, 0, 23] {
        let error = write(dir.path(), &AWARI, &solved, WriteOptions { level }).unwrap_err();
        assert_eq!(error.kind(), Kind::Usage);
    }
}

/// Models are fitted to some tiles. What none of those has is coded all the same, also where
/// letters are so few that every rank fits into a byte's place.
#[test]
fn values_that_no_sample_has_come_back() {
    let dir = tempfile::tempdir().unwrap();
    let layer = Layer::of(&AWARI, seeds(12));
    for frequent in [0, 1, 3, 5] {
        let mut numbers = Numbers::new(frequent as u64);
        let score = |rank: u64| {
            let rare = (rank / 30_011 % 10) as i8 - 12;
            if rank % 30_011 == 7 { rare } else { numbers.up_to(frequent) }
        };
        let low = Plane::of_scores(layer, (0..layer.positions()).map(score));
        let solved = Solved { low, high: None, exceptions: None, attained: None, knots: None };
        for level in [1, 3] {
            let path = write(dir.path(), &AWARI, &solved, WriteOptions { level }).unwrap().path;
            assert!(same(&all_of(open(path, Access::Map)).unwrap(), &solved));
        }
    }
}

#[test]
fn every_truncation_is_noticed_at_opening() {
    let (bytes, solved) = small_file();
    assert!(same(&all_of(Table::from_bytes(bytes.clone())).unwrap(), &solved));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("awari-07.oware");
    for length in 0..bytes.len() {
        let error = Table::from_bytes(bytes[..length].to_vec()).unwrap_err();
        assert_eq!(error.kind(), Kind::CorruptTable, "{length} bytes");
        fs::write(&path, &bytes[..length]).unwrap();
        for access in BOTH {
            let error = open(&path, access).unwrap_err();
            assert_eq!(error.kind(), Kind::CorruptTable, "{length} bytes");
        }
    }
}

#[test]
fn every_flipped_bit_is_noticed() {
    let (bytes, _) = small_file();
    for bit in 0..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let error = all_of(Table::from_bytes(damaged)).err();
        assert_eq!(error.map(|error| error.kind()), Some(Kind::CorruptTable), "bit {bit}");
    }
}

#[test]
fn bytes_too_many_are_noticed() {
    let (bytes, _) = small_file();
    for extra in [1, 12, 48, 1000] {
        let mut longer = bytes.clone();
        longer.resize(bytes.len() + extra, 0);
        assert_eq!(Table::from_bytes(longer).unwrap_err().kind(), Kind::CorruptTable);
    }
}

#[test]
fn foreign_files_are_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let tables = open_tables(dir.path(), Access::Map);
    let path = dir.path().join(file_name(&AWARI, seeds(3)));
    let refusal = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let error = tables.layer(&AWARI, seeds(3)).unwrap_err();
        assert_eq!(error.kind(), Kind::CorruptTable);
        error.to_string()
    };
    assert!(refusal(b"").contains("empty"));
    assert!(refusal(b"PK").contains("cut off after 2 bytes"));
    assert!(refusal(&[0; 4096]).contains("not an oware-db table"));
    assert!(refusal("no table\n".repeat(99).as_bytes()).contains("not an oware-db table"));
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let text = tables.layer(&AWARI, seeds(3)).unwrap_err().to_string();
    assert!(text.contains("it is not a file") && text.contains("awari-03.oware"), "{text}");
}

#[test]
fn another_version_is_told() {
    let (mut bytes, _) = small_file();
    for version in [0, 2, 3, 4, 5, 99] {
        bytes[8] = version;
        let error = Table::from_bytes(bytes.clone()).unwrap_err();
        assert!(
            matches!(error, Error::WrongVersion { found, known: 1, .. } if found == version),
            "{error}"
        );
        assert_eq!(error.kind(), Kind::CorruptTable);
        let sentence = format!("it has format version {version}, but this program reads version 1");
        let remedy = "rebuild the table";
        assert_eq!(error.to_string(), format!("table in memory: {sentence}; {remedy}"));
    }
}

/// Version 1 of the format of another game is no version of this one.
#[test]
fn a_table_of_another_game_is_told() {
    let (mut bytes, _) = small_file();
    bytes[9] = 1;
    let error = Table::from_bytes(bytes).unwrap_err();
    assert!(matches!(error, Error::CorruptTable { .. }), "{error}");
    assert!(error.to_string().contains("a table of another kind, 1"), "{error}");
}

#[test]
fn swapped_files_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = written(dir.path(), &AWARI, &made_up(&AWARI, 3, Shape::One));
    for (rules, count) in [(&AWARI, 4), (&ABAPA_EVEN, 3)] {
        fs::copy(&file.path, dir.path().join(file_name(rules, seeds(count)))).unwrap();
        let tables = open_tables(dir.path(), Access::Map);
        assert!(tables.layer(&AWARI, seeds(3)).unwrap().is_some());
        let text = tables.layer(rules, seeds(count)).unwrap_err().to_string();
        assert!(text.contains("holds the layer of 3 seeds of `awari`"), "{text}");
    }
}

#[test]
fn a_file_cut_short_while_open_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let file = written(dir.path(), &AWARI, &made_up(&AWARI, 5, Shape::One));
    let table = open(&file.path, Access::Read).unwrap();
    fs::OpenOptions::new().write(true).open(&file.path).unwrap().set_len(200).unwrap();
    let error = table.stored(place(&table, 0), &mut Scratch::default()).unwrap_err();
    assert!(error.to_string().contains("frame 2 is cut off"), "{error}");
}

#[test]
#[cfg_attr(windows, ignore = "Windows refuses to replace a file that is mapped")]
fn a_replaced_file_stays_readable_where_it_is_open() {
    let dir = tempfile::tempdir().unwrap();
    let old = made_up(&AWARI, 5, Shape::One);
    let new = made_up(&AWARI, 5, Shape::Two);
    let path = written(dir.path(), &AWARI, &old).path;
    let both = BOTH.map(|access| open(&path, access).unwrap());
    written(dir.path(), &AWARI, &new);
    both.iter().for_each(|table| assert!(same(&table.load_stored().unwrap(), &old)));
    assert!(same(&open(&path, Access::Map).unwrap().load_stored().unwrap(), &new));
}

#[test]
fn refused_writes_leave_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let solved = made_up(&AWARI, 3, Shape::One);
    let blocker = dir.path().join("file");
    fs::write(&blocker, "").unwrap();
    for refused in [blocker.join("tables"), dir.path().join("missing")] {
        let error = write(&refused, &AWARI, &solved, WriteOptions::default()).unwrap_err();
        assert!(matches!(error, Error::Io { doing: "creating", .. }), "{error}");
    }
    // A directory has the table's name: everything works but the renaming.
    let taken = dir.path().join("awari-03.oware");
    fs::create_dir(&taken).unwrap();
    let error = write(dir.path(), &AWARI, &solved, WriteOptions::default()).unwrap_err();
    assert!(matches!(error, Error::Io { doing: "renaming", .. }), "{error}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
}

#[test]
fn what_a_killed_builder_left_does_not_matter() {
    let dir = tempfile::tempdir().unwrap();
    let solved = made_up(&AWARI, 5, Shape::One);
    let left = dir.path().join(format!("awari-05.oware.{}-0.tmp", std::process::id()));
    fs::write(&left, "half a table").unwrap();
    let file = written(dir.path(), &AWARI, &solved);
    assert!(same(&all_of(open(file.path, Access::Map)).unwrap(), &solved));
    assert_eq!(fs::read(left).unwrap(), b"half a table", "it may be another builder's");
}

#[test]
fn an_unpublished_table_that_is_dropped_leaves_the_old_table() {
    let dir = tempfile::tempdir().unwrap();
    let old = made_up(&AWARI, 4, Shape::One);
    let path = written(dir.path(), &AWARI, &old).path;
    let new = made_up(&AWARI, 4, Shape::Two);
    let options = WriteOptions::default();
    let unpublished = write_unless(dir.path(), &AWARI, &new, options, &|| false).unwrap();
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    drop(unpublished);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    assert!(same(&open(path, Access::Map).unwrap().load_stored().unwrap(), &old));
}

#[test]
#[cfg_attr(windows, ignore = "Windows refuses one of two replacements at the same time")]
fn two_builders_at_once_leave_one_whole_table() {
    let dir = tempfile::tempdir().unwrap();
    let solved = made_up(&AWARI, 8, Shape::Two);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..5).for_each(|_| drop(written(dir.path(), &AWARI, &solved))));
        }
    });
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    let path = dir.path().join(file_name(&AWARI, seeds(8)));
    assert!(same(&all_of(open(path, Access::Map)).unwrap(), &solved));
}

#[test]
fn threads_share_tables() {
    let dir = tempfile::tempdir().unwrap();
    let layers: Vec<Solved> = (0..=7).map(|count| made_up(&PLAIN, count, Shape::Two)).collect();
    layers.iter().for_each(|solved| drop(written(dir.path(), &PLAIN, solved)));
    for access in BOTH {
        let tables = open_tables(dir.path(), access);
        std::thread::scope(|scope| {
            for thread in 0..6 {
                let (tables, layers) = (&tables, &layers);
                scope.spawn(move || {
                    let mut scratch = Scratch::default();
                    let mut numbers = Numbers::new(thread);
                    for _ in 0..2_000 {
                        let solved = &layers[numbers.up_to(7) as usize];
                        let rank = Rank(numbers.next() % solved.layer().positions());
                        let board = solved.layer().position(rank).unwrap();
                        let table = tables.layer(&PLAIN, board.seeds()).unwrap().unwrap();
                        assert_eq!(
                            Some(table.stored(place(&table, rank.0), &mut scratch).unwrap()),
                            solved.interval(&board)
                        );
                    }
                });
            }
        });
    }
}

#[test]
fn a_directory_lists_what_it_has() {
    let dir = tempfile::tempdir().unwrap();
    for (rules, count) in [(&AWARI, 5), (&AWARI, 0), (&PLAIN, 3), (&AWARI, 2)] {
        written(dir.path(), rules, &made_up(rules, count, Shape::One));
    }
    for stray in [
        "awari-06.oware.7-0.tmp",
        "awari-7.oware",
        "README",
        "awari-60.oware",
        "plain-opposite-01.oware",
    ] {
        fs::write(dir.path().join(stray), "stray").unwrap();
    }
    let tables = open_tables(dir.path(), Access::Map);
    assert_eq!(tables.available(&AWARI).unwrap(), [0, 2, 5].map(seeds));
    assert_eq!(tables.available(&PLAIN).unwrap(), [3].map(seeds));
    assert_eq!(tables.available(&ABAPA_EVEN).unwrap(), []);
    assert!(tables.layer(&AWARI, seeds(6)).unwrap().is_none());
}

#[test]
fn a_directory_opened_early_has_no_tables_until_it_has() {
    let dir = tempfile::tempdir().unwrap();
    let later = dir.path().join("tables");
    let tables = Tables::open_early(&later).unwrap();
    assert_eq!(tables.available(&AWARI).unwrap(), []);
    assert!(tables.layer(&AWARI, seeds(4)).unwrap().is_none());
    fs::create_dir(&later).unwrap();
    written(&later, &AWARI, &made_up(&AWARI, 4, Shape::One));
    assert!(tables.layer(&AWARI, seeds(4)).unwrap().is_some());
    let file = later.join("awari-04.oware");
    assert_eq!(Tables::open(&file).unwrap_err().kind(), Kind::Io);
    assert_eq!(Tables::open_early(file).unwrap_err().kind(), Kind::Io);
}

#[test]
fn a_missing_directory_is_an_error_on_opening() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("tabels");
    let refused = |error: Error| {
        assert!(matches!(&error, Error::NoDirectory { dir } if *dir == missing));
        assert_eq!(error.kind(), Kind::Io);
        assert!(error.to_string().ends_with("check the path, or build tables there"));
    };
    refused(Tables::open(&missing).unwrap_err());
    assert!(Tables::open(dir.path()).is_ok());
}

/// Prints what writing and loading 20 million positions cost. The scores fall off by half from
/// each to the next, so they carry about two bits.
#[test]
#[ignore = "a measurement: cargo test --release --test table speed -- --ignored --nocapture"]
fn speed_of_twenty_million_positions() {
    let layer = Layer::of(&PLAIN, seeds(17));
    let mut numbers = Numbers::new(1);
    let score = |_| {
        let number = numbers.next();
        let size = (number.trailing_ones() as i8).min(16);
        if number >> 63 == 0 { size } else { -size }
    };
    let solved = Solved {
        low: Plane::of_scores(layer, (0..layer.positions()).map(score)),
        high: None,
        exceptions: None,
        attained: None,
        knots: None,
    };
    let (dir, size) = (tempfile::tempdir().unwrap(), layer.positions() as f64 / 1e6);
    println!("{size:.1} million positions");
    for level in [1, 2, 8, 22] {
        let clock = std::time::Instant::now();
        let drafted =
            write_unless(dir.path(), &PLAIN, &solved, WriteOptions { level }, &|| false).unwrap();
        let packing = clock.elapsed().as_secs_f64();
        let file = drafted.publish().unwrap();
        let publishing = clock.elapsed().as_secs_f64() - packing;
        let clock = std::time::Instant::now();
        let table = open(&file.path, Access::Map).unwrap();
        assert!(same(&table.load_stored().unwrap(), &solved));
        let loading = clock.elapsed().as_secs_f64();
        println!(
            "level {level}: {:.2} bits, write {:.0} MB/s, publish {publishing:.2} s, load and compare {:.0} MB/s",
            8.0 * file.bytes as f64 / 1e6 / size,
            size / packing,
            size / loading
        );
    }
}
