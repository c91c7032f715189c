"""Nothing but exceptions crosses the border, and they are `Exception`s: not a panic, which PyO3 would
raise as something that `except Exception` does not catch."""

import inspect

import numpy as np
import pytest

import oware_db
from oware_db import OwareError, _native

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


def test_garbage_is_an_exception_everywhere(tables):
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
