"""Nothing but exceptions crosses the border, and they are `Exception`s: not a panic, which PyO3 would
raise as something that `except Exception` does not catch."""

import inspect

import numpy as np
import pytest

import oware_db
from oware_db import MissingTableError, OwareError, UsageError, _native

GARBAGE = [
    None,
    -1,
    0,
    2**31,
    2**63 - 1,
    2**64,
    -(2**63),
    1e300,
    "",
    "\0",
    "x" * 10_000,
    "4 " * 12,
    "9" * 40,
    "FfFf",
    b"\xff",
    [],
    [255] * 12,
    [-1] * 12,
    [2**70] * 12,
    [4] * 13,
    {},
    object(),
    np.zeros((0, 12), np.uint8),
    np.full((2, 12), 255, np.uint8),
    np.zeros((2, 11), np.uint8),
    np.zeros((12,), np.uint8),
    np.array([-1, 2**62]),
    np.array([2**64 - 1], np.uint64),
]


def test_a_panic_is_an_exception_and_nothing_is_lost(tables):
    with pytest.raises(OwareError, match="^a mistake in oware_db: on purpose$"):
        _native._panic("on purpose")
    assert tables.probe("0 0 0 0 1 2 1 0 0 0 3 0").low is not None


def refused(call, *arguments, **named):
    """Calls with garbage, which is a `UsageError` if it is not taken, or else what has to do with
    files, memory or tables. Returns whether it was refused."""
    try:
        call(*arguments, **named)
    except (UsageError, MissingTableError, IndexError, OSError, MemoryError):
        return True
    except BaseException as other:
        pytest.fail(f"{call!r}, {arguments!r}, {named!r}: {other!r}")
    return False


# What each argument is in a call that succeeds.
BOARD, BOARDS = "0 0 0 0 1 2  1 0 0 0 3 0", [[0] * 12]
MADE = {
    "Game": {"rules": "awari", "position": BOARD, "moves": "F"},
    "Layer": {"tables": None, "seeds": 3},
    "Line": {"moves": "A", "captured": [0], "ends": "cycle", "cycle_after": 0},
    "MancalaTables": {"path": None, "rules": "bao-laps"},
    "Move": {"house": "A", "captured": 0, "board": BOARD},
    "Position": {"position": BOARD},
    "Probe": {"low": 0, "high": 0, "over": True, "moves": []},
    "Result": {"ending": "no_move", "margin": 3},
    "ScoredMove": {
        "house": 0, "captured": 0, "board": BOARD, "low": 0, "high": 0, "certified": True
    },
    "Tables": {"path": None, "rules": "abapa", "cache": 1000},
    "build": {"rules": "abapa", "seeds": 3, "out": None, "progress": list, "memory": "1G"},
    "forecast": {"rules": "abapa", "seeds": 3, "out": None, "memory": "1G"},
    "mancala_moves": {"position": [1] * 16, "rules": "bao-laps"},
    "moves": {"position": BOARD, "rules": "abapa"},
    "perft": {"position": BOARD, "depth": 2, "rules": "abapa"},
}
METHODS = {
    "Game": {"play": {"house": "F"}},
    "Layer": {
        "__getitem__": {"": 3},
        "__contains__": {"": BOARD},
        "boards": {"start": 0, "stop": 1},
        "rank": {"boards": BOARDS},
        "unrank": {"ranks": [0]},
    },
    "MancalaTables": {
        "get": {"position": [1, *15 * [0]], "default": 1},
        "layer": {"seeds": 2, "owners": None},
        "probe": {"position": [0] * 16, "limit": 3},
        "probe_many": {"boards": [[0] * 16], "owners": None, "missing": "mask"},
    },
    "Tables": {
        "best": {"game": None},
        "get": {"board": BOARD, "default": 3},
        "layer": {"seeds": 3},
        "line": {"board": BOARD, "limit": 3},
        "probe": {"board": BOARD},
        "probe_many": {"boards": BOARDS, "missing": "mask"},
    },
}
# Arguments that may be anything.
FREE = {"default", "over", "certified"}


def calls(tables, directory, tmp_path):
    """Each call with arguments that are right, by its name."""
    given = {"tables": tables, "game": oware_db.Game(), "path": directory, "out": tmp_path}
    things = {
        "Game": oware_db.Game(),
        "Layer": tables.layer(5),
        "MancalaTables": oware_db.MancalaTables(directory, "bao-laps"),
        "Tables": tables,
    }
    found = {name: (getattr(oware_db, name), arguments) for name, arguments in MADE.items()}
    for where, methods in METHODS.items():
        for name, arguments in methods.items():
            found[f"{where}.{name}"] = (getattr(things[where], name), arguments)
    for name, (call, arguments) in found.items():
        filled = {key: given.get(key, value) for key, value in arguments.items()}
        yield name, call, filled if arguments != {"position": None} else {}


def test_wrong_arguments_are_one_kind_of_exception(tables, directory, tmp_path, monkeypatch):
    """A `UsageError`, whatever is wrong with them: type, range or sense. It is also what Python calls
    such mistakes."""
    assert issubclass(UsageError, (ValueError)) and issubclass(UsageError, TypeError)
    monkeypatch.chdir(tmp_path)
    wrong = [*GARBAGE, "no such thing", 1.5, True, [None], "awari", np.float32(2), [[4] * 12]]
    named, checked = set(), 0
    for name, call, arguments in calls(tables, directory, tmp_path):
        named.add(name)
        for key in set(arguments) - FREE:
            refusals = 0
            for one in wrong:
                if name in {"build", "perft", "Tables.line"} and isinstance(one, (int, float)):
                    if not isinstance(one, float) and (one > 3 or one == 1):
                        continue
                named_ones = arguments | {key: one} if key else {}
                refusals += refused(call, *([] if key else [one]), **named_ones)
            assert refusals > 5, f"{name}({key})"
            checked += 1
    # Nothing that takes arguments has been forgotten.
    public = {name for name in oware_db.__all__ if not name.endswith(("Error", "sheets"))}
    assert public - {"MancalaLayer"} == named & public
    assert checked > 60


def tried(name, call):
    """Calls with garbage in each place; returns how often that was an error."""
    errors = 0
    for one in GARBAGE:
        for two in [(), (-1,), (2**40,), (one,)]:
            try:
                call(one, *two)
            except Exception:
                errors += 1
            except BaseException as panic:
                pytest.fail(f"{name}({one!r}, {two!r}): {panic!r}")
    return errors


def test_garbage_is_an_exception_everywhere(tables, tmp_path, monkeypatch):
    # A word may be the name of a file.
    monkeypatch.chdir(tmp_path)
    layer, game = tables.layer(4), oware_db.Game()
    things = {"tables": tables, "layer": layer, "game": game, "position": oware_db.Position.initial()}
    calls = {
        f"{where}.{name}": getattr(thing, name)
        for where, thing in things.items()
        for name in dir(thing)
        if not name.startswith("_") and callable(getattr(thing, name))
    }
    # A build makes directories of what it is given, and a number of paths may be endless.
    public = {name: getattr(oware_db, name) for name in oware_db.__all__}
    calls |= {
        name: item
        for name, item in public.items()
        if name not in {"build", "perft"} and not name.endswith("Error")
    }
    assert {"tables.probe_many", "layer.unrank", "game.play", "Tables", "moves"} <= set(calls)
    for name, call in calls.items():
        assert tried(name, call) > len(GARBAGE), name
    assert tried("perft", lambda position, depth=1: oware_db.perft(position, min(depth, 3))) > 0
    assert inspect.isclass(oware_db.Layer) and len(layer.boards()) == len(layer)
