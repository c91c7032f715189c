"""What `oware export` writes, read by the programs that it is meant for: numpy, pyarrow, DuckDB and
pandas, and compared with what the Python package knows. `scripts/exports` runs it."""

import json
import math
import os
import subprocess
import sys

import duckdb
import numpy as np
import pandas as pd
import pyarrow.parquet as parquet
import pytest

import oware_db

OWARE = os.environ["OWARE"]
SEEDS = 10
HOUSES = [f"{owner}_{house}" for owner in ["mover", "opponent"] for house in "abcdef"]


def oware(*words):
    return subprocess.run([OWARE, *map(str, words)], check=True, capture_output=True, text=True)


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables")
    oware("build", "--quiet", "--seeds", SEEDS, "--out", path)
    oware("build", "--quiet", "--seeds", 16, "--rules", "awari", "--out", path)
    return path


@pytest.fixture(scope="module")
def layer(directory):
    return oware_db.Tables(directory).layer(SEEDS)


def export(directory, out, form, seeds, *more):
    oware("export", "--format", form, "--seeds", seeds, "--tables", directory, "--out", out, *more)


def test_numpy_maps_arrays(directory, layer, tmp_path):
    export(directory, tmp_path, "npy", SEEDS, "--boards")
    for name, expected in [
        ("low", layer.low),
        ("high", layer.high),
        ("boards", layer.boards()),
    ]:
        found = np.load(tmp_path / f"{name}-abapa-{SEEDS}.npy", mmap_mode="r")
        assert found.dtype == expected.dtype and (found == expected).all(), name


def test_arrays_of_clamped_tables_hold_what_is_known(layer, tmp_path):
    clamped = tmp_path / "tables"
    oware("build", "--quiet", "--seeds", SEEDS, "--game-seeds", 12, "--out", clamped)
    with oware_db.Tables(clamped) as tables:
        known = tables.layer(SEEDS)
        low, high = tables.probe_many(known.boards())[:2]
        assert (known.low == low).all() and (known.high == high).all()
        assert (known.low <= layer.low).all() and (layer.high <= known.high).all()
        assert (known.low < known.high).any()
    export(clamped, tmp_path / "out", "parquet", SEEDS)
    meaning = parquet.read_metadata(tmp_path / f"out/abapa-{SEEDS}.parquet").metadata[b"oware.meaning"]
    assert f"a score of 4 or more has low 4 and high {SEEDS}" in meaning.decode()


def test_pyarrow_and_duckdb_read_parquet(directory, layer, tmp_path):
    export(directory, tmp_path, "parquet", f"0-{SEEDS}")
    path = tmp_path / f"abapa-{SEEDS}.parquet"
    table = parquet.read_table(path)
    assert table.column_names == [*HOUSES, "low", "high", "seeds", "index"]
    assert {str(kind) for kind in table.schema.types} == {"uint8", "int8", "int64"}
    assert table["index"].to_numpy().tolist() == list(range(len(layer)))
    assert set(table["seeds"].to_pylist()) == {SEEDS}
    said = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    assert said["oware.rules"] == "abapa" and said["oware.seeds"] == str(SEEDS)
    assert said["oware.version"] and said["oware.meaning"].startswith("low and high: ")
    boards = np.stack([table[house].to_numpy() for house in HOUSES], axis=1)
    assert (boards == layer.boards()).all()
    assert (table["low"].to_numpy() == layer.low).all()
    assert (table["high"].to_numpy() == layer.high).all()

    stats = json.loads(oware("stats", "--json", "--tables", directory).stdout)
    for figures in stats["layers"]:
        file = tmp_path / f"abapa-{figures['seeds']:02}.parquet"
        counted = duckdb.sql(f"select low, count(*) from '{file}' group by low").fetchall()
        assert {str(low): count for low, count in counted} == figures["histogram"]


def test_pandas_reads_texts(directory, layer, tmp_path):
    export(directory, tmp_path, "csv", 6)
    frame = pd.read_csv(tmp_path / "abapa-06.csv", index_col="rank")
    six = oware_db.Tables(directory).layer(6)
    assert (frame[HOUSES].to_numpy() == six.boards()).all()
    assert (frame["low"] == six.low).all() and (frame["high"] == six.high).all()
    assert frame.index.tolist() == list(range(len(six)))


def ways(houses, seeds):
    """How many ways there are to put seeds into houses; none for less than none."""
    if houses == 0 or seeds < 0:
        return int(seeds == 0)
    return math.comb(seeds + houses - 1, seeds)


def fewer(house, left, seeds):
    """How many boards of the houses up to one, with `left` seeds, have fewer seeds in that one."""
    return sum(ways(house, left - count) for count in range(seeds))


def number(houses):
    """The number of a position as the database's public reader has it (`GoedelNumber` in the
    repository keesverstoep/Awari): from the last house down, the boards that have fewer seeds there;
    and while all of the opponent's houses hold some, less those in which all six do."""
    left, before, full = sum(houses), 0, True
    for house in reversed(range(12)):
        seeds = houses[house]
        before += fewer(house, left, seeds)
        full = full and seeds > 0
        if full:
            before -= fewer(house, left - (house - 5), seeds - 1)
        left -= seeds
    return before


def places(layer, boards):
    """How many positions of a layer come before each of some, by their houses read backwards."""
    weights = np.uint64(17) ** np.arange(12, dtype=np.uint64)
    keys = boards.astype(np.uint64) @ weights
    counts = np.zeros(len(boards), dtype=np.int64)
    for start in range(0, len(layer), 1 << 20):
        piece = layer.boards(start, start + (1 << 20)).astype(np.uint64) @ weights
        counts += [(piece < key).sum() for key in keys]
    return counts


def test_the_public_reader_finds_every_score(directory, tmp_path):
    export(directory, tmp_path, "vu", "0-8", "--rules", "awari")
    for layer in map(oware_db.Tables(directory, rules="awari").layer, range(9)):
        scores = np.fromfile(tmp_path / f"scores.{layer.seeds}", dtype=np.int8)
        numbers = [number(board) for board in layer.boards().tolist()]
        assert sorted(numbers) == list(range(len(scores)))
        assert (scores[numbers] == layer.low).all()


def test_the_published_example_is_found(directory, tmp_path):
    """1 1 1 1 1 2 4 2 3 0 0 0 is worth 0, its moves -1 -1 -2 -2 -2 0: by our files alone."""
    export(directory, tmp_path, "vu", "0-16", "--rules", "awari")
    tables = oware_db.Tables(directory, rules="awari")

    def score(board):
        seeds = int(board.sum())
        scores = np.fromfile(tmp_path / f"scores.{seeds}", dtype=np.int8)
        layer = tables.layer(seeds)
        assert len(scores) == len(layer)
        assert number(board.tolist()) == places(layer, board[None])[0]
        return int(scores[number(board.tolist())])

    example = "1 1 1 1 1 2 4 2 3 0 0 0"
    moves = oware_db.moves(example, rules="awari")
    assert [move.captured - score(move.board) for move in moves] == [-1, -1, -2, -2, -2, 0]
    assert score(oware_db.Position(example).board) == 0
    said = oware("check", "--json", "--rules", "awari", "--tables", directory, "--vu", tmp_path)
    assert json.loads(said.stdout)["published"]["layers"] == 17


LAUNCH = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(status, usage.ru_maxrss)
"""


def test_an_export_takes_little_memory(directory, tmp_path):
    """Less than 200 MB, as 20 seeds do. A process starts with the peak of the one that started it,
    so a small one starts it."""
    words = ["export", "--format", "npy", "--seeds", "16", "--rules", "awari"]
    words += ["--tables", directory, "--out", tmp_path]
    launch = [sys.executable, "-c", LAUNCH, OWARE, *words]
    said = subprocess.run(launch, check=True, capture_output=True, text=True).stdout
    status, kilobytes = map(int, said.splitlines()[-1].split())
    assert status == 0 and 1000 < kilobytes < 200 * 1024


@pytest.fixture(scope="module")
def datasets_written(directory, tmp_path_factory):
    """The same rows as Parquet and as arrays."""
    path = tmp_path_factory.mktemp("dataset")
    for form in ["parquet", "npy"]:
        words = ["--rows", 20_000, "--seed", 5, "--shard-rows", 4000, "--tables", directory]
        oware("dataset", "--format", form, *words, "--out", path / form)
    return path


SPLITS = ["train", "validation", "test", "held_out"]


def mapped(path, split):
    """All rows of a split, from arrays that are mapped."""
    files = sorted((path / "npy").glob(f"{split}-*.npy"))
    return np.concatenate([np.load(file, mmap_mode="r") for file in files])


def test_datasets_are_the_same_in_every_reader(datasets_written):
    import datasets
    import polars

    cache = str(datasets_written / "cache")
    loaded = datasets.load_dataset(str(datasets_written / "parquet"), cache_dir=cache)
    assert set(loaded) == set(SPLITS)
    for split in SPLITS:
        expected = mapped(datasets_written, split)
        pattern = str(datasets_written / "parquet" / f"{split}-*.parquet")
        frame = pd.concat([pd.read_parquet(file) for file in sorted((datasets_written / "parquet").glob(f"{split}-*"))])
        lazy = polars.scan_parquet(pattern).collect()
        table = duckdb.sql(f"select * from '{pattern}'").df()
        assert len(frame) == len(lazy) == len(table) == loaded[split].num_rows == len(expected)
        assert set(frame["rules"]) == {"abapa"}
        columns = [*HOUSES, *(f"q{house}" for house in range(6)), "value", "low", "plies", "outcome"]
        houses = [expected["board"][:, house] for house in range(12)]
        scores = [expected["q"][:, house] for house in range(6)]
        rest = [expected[name] for name in columns[18:]]
        for name, values in zip(columns, [*houses, *scores, *rest]):
            assert (frame[name].to_numpy() == values).all(), name
            assert frame[name].dtype == values.dtype, name
            assert (lazy[name].to_numpy() == values).all(), name
            assert sorted(table[name]) == sorted(values), name
            assert (np.array(loaded[split][name]) == values).all(), name


def test_datasets_hold_what_the_tables_do(directory, datasets_written):
    tables = oware_db.Tables(directory)
    for split in SPLITS:
        rows = mapped(datasets_written, split)
        low, high, best = tables.moves_many(rows["board"])
        assert (rows["q"] == low).all() and (low == high).all()
        assert (tables.probe_many(rows["board"])[0] == rows["value"]).all()
        marked = (rows["best"][:, None] >> np.arange(6)) & 1
        assert (marked <= best).all() and (marked.any(axis=1) == (low != -128).any(axis=1)).all()
        assert ((rows["seeds"] % 7 == 0) & (rows["seeds"] > 0)).all() == (split == "held_out")


def test_files_of_a_dataset_are_fair_samples(datasets_written):
    files = sorted((datasets_written / "npy").glob("train-*.npy"))
    whole = [np.load(file) for file in files if "00000" in file.name or "00001" in file.name]
    for name in ["seeds", "value", "source"]:
        one, other = (shard[name].astype(float) for shard in whole)
        error = math.sqrt(one.var() / len(one) + other.var() / len(other))
        assert abs(one.mean() - other.mean()) < 4 * error, name
