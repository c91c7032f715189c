"""Layers as arrays."""

import itertools

import numpy as np
import pytest

from oware_db import MissingTableError, Position, Tables, UsageError


def rows(seeds):
    """All rows of six houses with so many seeds, in lexicographic order."""
    return [row for row in itertools.product(range(seeds + 1), repeat=6) if sum(row) == seeds]


def in_order(seeds):
    """The positions of a layer by the documented order: block, opponent's row, mover's row."""
    return [
        mover + opponent
        for own in range(seeds + 1)
        for opponent in rows(seeds - own)
        if 0 in opponent
        for mover in rows(own)
    ]


@pytest.mark.parametrize("seeds", range(6))
def test_the_order_is_the_documented_one(tables, seeds):
    expected = np.array(in_order(seeds), dtype=np.uint8)
    layer = tables.layer(seeds)
    boards = layer.boards()
    assert boards.dtype == np.uint8 and (boards == expected).all()
    assert len(layer) == len(expected) and layer.seeds == seeds
    ranks = layer.rank(expected)
    assert ranks.dtype == np.uint64 and (ranks == np.arange(len(layer))).all()
    assert (layer.unrank(ranks) == expected).all()


def test_ranks_come_back(tables):
    layer = tables.layer(10)
    ranks = np.random.default_rng(1).integers(0, len(layer), 1000)
    boards = layer.unrank(ranks)
    assert (layer.rank(boards) == ranks).all()
    assert (boards.sum(axis=1) == 10).all()
    assert (layer.boards(500, 600) == layer.unrank(range(500, 600))).all()
    assert len(layer.boards(len(layer) - 3)) == 3 and len(layer.boards(5, 5)) == 0
    assert len(layer.boards(10**12)) == 0


@pytest.mark.parametrize("rules", ["abapa", "awari"])
def test_scores_are_those_of_probes(directory, rules):
    tables = Tables(directory, rules=rules)
    for seeds in tables.seeds:
        layer = tables.layer(seeds)
        low, high = tables.probe_many(layer.boards())
        assert layer.low.dtype == np.int8 and (layer.low == low).all()
        assert (layer.high == high).all()
    assert layer.low is layer.low


def test_arrays_cannot_be_written_to(tables):
    layer = tables.layer(4)
    for array in [layer.low, layer.high]:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_what_memory_does_not_hold_is_an_exception(tables):
    with pytest.raises(MemoryError, match="could not allocate 2443776191220 bytes"):
        tables.layer(48).boards()
    with pytest.raises(MemoryError):
        tables.layer(48).boards(5)


def test_mistakes_are_named(tables):
    layer = tables.layer(6)
    with pytest.raises(UsageError, match=r"ranks\[0\]: .* has 12375 positions, no 12375"):
        layer.unrank([len(layer)])
    with pytest.raises(UsageError, match="not negative"):
        layer.unrank(np.array([-1]))
    for wrong in [np.array([0.5]), [[1]], 7, "ranks", None]:
        with pytest.raises(UsageError, match=r"ranks are an array of whole numbers with shape \(N,\)"):
            layer.unrank(wrong)
    with pytest.raises(UsageError, match=r"boards\[1\]: the layer of 6 seeds has no position"):
        layer.rank(np.array([[6] + 11 * [0], 6 * [0] + 6 * [1]], dtype=np.uint8))
    for seeds in [49, -1]:
        with pytest.raises(UsageError, match=f"{seeds} seeds; the game has 0 to 48"):
            tables.layer(seeds)
    with pytest.raises(MissingTableError):
        tables.layer(11).low


def test_a_layer_is_a_sequence(tables):
    layer = tables.layer(7)
    boards = layer.boards()
    for rank in [0, 5, 2500, len(layer) - 1]:
        for at in [rank, rank - len(layer), np.int64(rank)]:
            assert layer[at] == Position(boards[rank])
    for slice_ in [slice(3, 9), slice(None), slice(-5, None), slice(9, 3), slice(None, None, -7)]:
        assert layer[slice_].dtype == np.uint8 and (layer[slice_] == boards[slice_]).all()
    for outside in [len(layer), -len(layer) - 1, 2**70]:
        with pytest.raises(IndexError, match=f"has {len(layer)} positions, no {outside}"):
            layer[outside]
    for wrong in ["a", 1.5, None, slice("a"), slice(1, 2, 0)]:
        with pytest.raises(UsageError):
            layer[wrong]


def test_a_layer_can_be_iterated(tables):
    for seeds in [0, 3, 6]:
        layer = tables.layer(seeds)
        positions = list(layer)
        assert len(positions) == len(layer) and len(set(positions)) == len(layer)
        assert (np.array(positions) == layer.boards()).all()
    assert positions[77] in layer and 12 * [4] not in layer
    first, second = iter(layer), iter(layer)
    assert next(first) == next(second) == layer[0] and next(first) == layer[1]
