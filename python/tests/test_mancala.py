"""The games beside Oware: their tables, as the program makes them."""

import json
import pickle
import subprocess

import numpy as np
import pyarrow.parquet as pq
import pytest

import oware_db
from conftest import PROGRAM
from oware_db import MancalaTables, MissingTableError, Tables, UsageError

LAYERS = [
    ("bao-stores", 5, None),
    ("bao-laps-drawn", 5, None),
    ("nam-nam", 8, None),
    ("nam-nam", 8, "mmmmmmmooooo"),
    ("bao-kujifunza-4x2", 7, None),
]


def oware(*words):
    """What the program prints."""
    done = subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True)
    return json.loads(done.stdout) if "--json" in words else None


@pytest.fixture(scope="module")
def tables(program, tmp_path_factory):
    path = tmp_path_factory.mktemp("mancala")
    for rules, seeds, owners in LAYERS:
        words = ["build", "--quiet", "--rules", rules, "--seeds", str(seeds), "--tables", path]
        oware(*words, *(["--owners", owners] if owners else []))
    return path


@pytest.mark.parametrize("rules,seeds,owners", LAYERS)
def test_answers_are_those_of_the_program(tables, rules, seeds, owners):
    held = MancalaTables(tables, rules)
    assert (held.rules, held.path) == (rules, tables)
    assert held.seeds[-1] == seeds
    layer = held.layer(seeds, owners)
    boards = layer.boards()
    assert boards.shape == (len(layer), held.places) and boards.dtype == np.uint8
    assert (boards.sum(axis=1) == seeds).all()
    assert layer.low.dtype == np.int8 and not layer.low.flags.writeable
    assert (layer.plies is not None) == ("kujifunza" in rules)
    assert (layer.stamps is None) == ("kujifunza" in rules or rules == "bao-stores")
    half = len(layer) // 2 if owners else len(layer)
    low, high = held.probe_many(boards[:half:97], owners)
    assert (low == layer.low[:half:97]).all() and (high == layer.high[:half:97]).all()
    for rank in range(0, half, half // 5):
        text = " ".join(map(str, boards[rank])) + (f" {owners}" if owners else "")
        known = oware("query", "--json", "--rules", rules, "--tables", str(tables), text)
        assert held.probe(text) == known
        assert (known["low"], known["high"]) == (layer.low[rank], layer.high[rank])
        if not owners:
            assert held.probe([int(count) for count in boards[rank]]) == known
        if layer.plies is not None:
            plies = layer.plies[rank]
            assert known["plies"] == (None if plies == 255 else plies)
        moves = oware("moves", "--json", "--rules", rules, text)
        assert oware_db.mancala_moves(text, rules) == moves
    figures = oware("stats", "--json", "--rules", rules, "--tables", str(tables))
    assert held.stats() == figures["layers"]
    again = pickle.loads(pickle.dumps(held))
    assert (again.rules, again.path, again.seeds) == (held.rules, held.path, held.seeds)


def test_every_sheet_is_known():
    known = dict(oware_db.mancala_sheets())
    assert len(known) == 10 and "nam-nam" in known
    assert not set(known) & set(dict(oware_db.sheets()))


def test_mistakes_are_sentences(tables):
    held = MancalaTables(tables, "bao-laps-drawn")
    with pytest.raises(UsageError, match="unknown rules `chess`; known sheets: bao-stores, "):
        MancalaTables(tables, "chess")
    with pytest.raises(UsageError, match="`bao-laps` is not a sheet of Oware.*MancalaTables"):
        Tables(tables, rules="bao-laps")
    with pytest.raises(UsageError, match="3 numbers instead of 16"):
        held.probe([1, 2, 3])
    with pytest.raises(UsageError, match="has no layer of 33 seeds"):
        held.layer(33)
    with pytest.raises(UsageError, match="no owners"):
        held.layer(3, "mmmmmmmooooo")
    with pytest.raises(MissingTableError, match="no bao-laps-drawn table for 6 seeds"):
        held.layer(6)
    with pytest.raises(MissingTableError):
        held.probe_many(np.eye(16, dtype=np.uint8) * 9)
    with pytest.raises(UsageError, match=r"shape \(N, 16\)"):
        held.probe_many(np.zeros((2, 12), dtype=np.uint8))
    with pytest.raises(UsageError, match=r"boards\[1\]: .* no positions of 64 seeds"):
        held.probe_many(np.array([[1] * 2 + [0] * 14, [4] * 16], dtype=np.uint8))


def test_a_layer_is_a_sequence_of_texts(tables):
    """Each is a position that the tables are asked by, owners included."""
    for rules, seeds, owners in [("bao-stores", 5, None), ("nam-nam", 8, "mmmmmmmooooo")]:
        held = MancalaTables(tables, rules)
        layer = held.layer(seeds, owners)
        boards = layer.boards()
        texts = list(layer)
        assert len(texts) == len(layer) == len(set(texts))
        for rank in [0, 7, len(layer) // 2, len(layer) - 1]:
            assert layer[rank] == texts[rank] == layer[rank - len(layer)]
            assert layer[rank].split()[: held.places] == [str(count) for count in boards[rank]]
            found = held.probe(layer[rank])
            assert (found["low"], found["high"]) == (layer.low[rank], layer.high[rank])
        assert (layer[3:9] == boards[3:9]).all() and (layer[::-5] == boards[::-5]).all()
        with pytest.raises(IndexError, match=f"positions, no {len(layer)}"):
            layer[len(layer)]
        with pytest.raises(UsageError):
            layer["a"]


def test_frames_have_the_columns_of_exports(tables, tmp_path):
    bao = MancalaTables(tables, "bao-stores").layer(4)
    assert list(bao.to_frame().columns)[:9] == [*(f"mover_{letter}" for letter in "abcdefgh"), "opponent_a"]
    layer = MancalaTables(tables, "bao-kujifunza-4x2").layer(7)
    frame = layer.to_frame()
    assert list(frame.columns)[0] == "mover_0" and list(frame.columns)[-3:] == ["low", "high", "plies"]
    assert (frame["plies"] == layer.plies).all() and (frame["low"] == layer.low).all()
    layer.to_parquet(tmp_path / "layer.parquet")
    assert pq.read_table(tmp_path / "layer.parquet").equals(layer.to_arrow())


def test_what_has_no_table_is_marked(tables):
    held = MancalaTables(tables, "bao-laps-drawn")
    boards = held.layer(5).boards()[::50].astype(np.int64)
    boards[[4, 9]] = 2
    with pytest.raises(MissingTableError, match=r"^boards\[4\], 2 2 .* no bao-laps-drawn table"):
        held.probe_many(boards)
    low, high = held.probe_many(boards, missing="mask")
    assert low.mask.nonzero()[0].tolist() == high.mask.nonzero()[0].tolist() == [4, 9]
    assert held.probe_many(boards, missing=-128)[0][[4, 9]].tolist() == [-128, -128]
    assert (held.probe_many(np.delete(boards, [4, 9], 0))[0] == low.compressed()).all()
    with pytest.raises(UsageError, match="missing=32 may be a score"):
        held.probe_many(boards, missing=32)
    assert held.get(" ".join(16 * ["2"]), "none") == "none"
    text = " ".join(map(str, boards[0]))
    assert held.get(text) == held.probe(text)


def test_closed_tables_say_so(tables):
    with MancalaTables(tables, "bao-stores") as held:
        layer = held.layer(4)
    for call in [
        lambda: held.seeds,
        lambda: held.stats(),
        lambda: held.layer(4),
        lambda: held.probe(layer[0]),
        lambda: held.get(layer[0]),
        lambda: held.probe_many(layer.boards()),
        lambda: pickle.dumps(held),
        lambda: held.__enter__(),
    ]:
        with pytest.raises(UsageError, match="the tables are closed"):
            call()
    assert "closed" in repr(held) and len(layer.boards()) == len(layer)
