"""Whatever a call returns is a value: it can be pickled, copied and printed."""

import copy
import pickle

import numpy as np
import pytest

import oware_db
from oware_db import Game, Layer, Line, Move, Position, Probe, Result, ScoredMove, UsageError

START = "0 0 0 0 1 2  1 0 0 0 3 0"


def over():
    game = Game(position="1 0 0 0 0 0  1 0 0 0 0 0")
    while game.result is None:
        game.play(game.legal_moves()[0].house)
    return game


@pytest.fixture(scope="module")
def values(tables):
    """What calls return, at least one of each class."""
    found = tables.probe(START)
    finished = tables.probe("0 0 0 0 0 0  0 0 0 0 0 1")
    knotted = next(
        line for board in tables.layer(6) if (line := tables.line(board)).ends == "cycle"
    )
    return [
        found,
        finished,
        *found.moves,
        tables.best(Game(position=START)),
        tables.line(START, limit=1),
        tables.line(START, limit=1000),
        knotted,
        *oware_db.moves(START),
        Position(START),
        Position.initial(),
        Game().position,
        over().result,
    ]


def test_there_is_one_of_each(values):
    classes = {Line, Move, Position, Probe, Result, ScoredMove}
    assert {type(value) for value in values} == classes


def test_values_are_pickled_copied_and_printed(values):
    public = {name: getattr(oware_db, name) for name in oware_db.__all__}
    for value in values:
        again = [copy.copy(value), copy.deepcopy(value), eval(repr(value), dict(public))]
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            again.append(pickle.loads(pickle.dumps(value, protocol)))
        for other in again:
            assert type(other) is type(value) and repr(other) == repr(value)
            assert other == value and hash(other) == hash(value)
            for name in dir(value):
                if not name.startswith("_") and not callable(getattr(value, name)):
                    one, two = getattr(value, name), getattr(other, name)
                    assert np.array_equal(one, two), (value, name)
        assert value not in [*values[: values.index(value)], None, 7, "text"]
        assert len(str(value)) <= 100


def test_what_is_shown(tables):
    position = Position.initial()
    assert repr(position) == 'Position("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S")'
    move = oware_db.moves(position)[0]
    assert repr(move) == 'Move("A", captured=0, board="4 4 4 4 4 4  0 5 5 5 5 4")'
    found = tables.probe(START)
    assert str(found).startswith(f"{found.value} ({found.moves[0].house} {found.moves[0].value}, ")
    assert str(tables.probe(12 * [0])) == "0 (over)"
    assert str(found.moves[0]).startswith(f"{found.moves[0].house} {found.moves[0].value}, captures")
    assert repr(Game(moves="FaE")).endswith(', moves="FaE")')
    assert repr(Result("no_move", -3)) == 'Result("no_move", margin=-3)'
    layer = tables.layer(4)
    assert repr(layer) == f"Layer({tables!r}, seeds=4)"


def test_games_layers_and_tables_are_copied_and_pickled(tables):
    layer = tables.layer(6)
    game = Game("awari", moves="FaE")
    public = {name: getattr(oware_db, name) for name in oware_db.__all__}
    for make in [
        copy.copy,
        copy.deepcopy,
        lambda it: pickle.loads(pickle.dumps(it)),
        lambda it: eval(repr(it), dict(public)),
    ]:
        other = make(layer)
        assert (other.seeds, other.rules, len(other)) == (6, "abapa", len(layer))
        assert (other.low == layer.low).all() and (other.boards(9, 99) == layer.boards(9, 99)).all()
        again = make(tables)
        assert (again.path, again.rules) == (tables.path, tables.rules)
        assert again.probe(START) == tables.probe(START)
        replayed = make(game)
        assert (replayed.rules, replayed.moves, str(replayed.position)) == (
            "awari",
            list("FaE"),
            str(game.position),
        )


def test_exceptions_are_pickled():
    for raised in [UsageError("a"), oware_db.MissingTableError("b"), oware_db.CorruptTableError("c")]:
        again = pickle.loads(pickle.dumps(raised))
        assert type(again) is type(raised) and again.args == raised.args


def test_values_are_made_only_of_what_fits():
    good = ScoredMove("C", 2, 12 * [1], -3, 4, False)
    assert (good.house, good.captured, good.interval, good.certified) == ("C", 2, (-3, 4), False)
    assert good.value is None and "-3..4" in str(good)
    for wrong in [
        lambda: ScoredMove("G", 2, 12 * [1], -3, 4, False),
        lambda: ScoredMove("C", 40, 12 * [1], -3, 4, False),
        lambda: ScoredMove("C", 2, 12 * [5], -3, 4, False),
        lambda: ScoredMove("C", 2, 12 * [1], 4, 3, False),
        lambda: ScoredMove("C", 2, 12 * [1], -3, 400, False),
        lambda: Probe(1, 0, False, []),
        lambda: Probe(0, 0, False, ["A"]),
        lambda: Probe(0, 0, False, 7),
        lambda: Line("AB", [0], "limit"),
        lambda: Line("AB", [0, 0], "cycle"),
        lambda: Line("AB", [0, 0], "cycle", 3),
        lambda: Line("AB", [0, 0], "limit", 1),
        lambda: Line("AX", [0, 0], "limit"),
        lambda: Line("AB", [0, 99], "limit"),
        lambda: Line("AB", [0, 0], "never"),
        lambda: Move("A", 1, "nothing"),
        lambda: Result("lost", 3),
        lambda: Result("no_move", 300),
        lambda: Layer("tables", 3),
    ]:
        with pytest.raises(UsageError):
            wrong()
