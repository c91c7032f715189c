"""Endgame databases for Oware: the exact scores of positions, as Python objects and numpy arrays.

>>> import oware_db
>>> tables = oware_db.Tables("tables")          # made by `oware build` or oware_db.build
>>> tables.probe("0 0 0 0 1 2  1 0 0 0 3 0").value
>>> low, high = tables.probe_many(boards)       # boards: uint8, shape (N, 12)
>>> tables.layer(12).low                        # int8, a score for every position
>>> tables.close()                              # or `with oware_db.Tables("tables") as tables:`

A board is twelve numbers, the mover's houses A to F first, then the opponent's, each from the left
of their owner. A score is the number of seeds the mover will still get minus those the opponent
will, under perfect play.

Other games have their own classes: `MancalaTables`, `MancalaLayer`, and the functions
`mancala_moves` and `mancala_sheets`.
"""

from importlib.metadata import version as _version

from ._errors import CorruptTableError, MissingTableError, OwareError, UsageError
from ._native import (
    Game,
    Layer,
    Line,
    MancalaLayer,
    MancalaTables,
    Move,
    Position,
    Probe,
    Result,
    ScoredMove,
    Tables,
    build,
    forecast,
    mancala_moves,
    mancala_sheets,
    moves,
    perft,
    sheets,
)

__version__ = _version("oware_db")

__all__ = [
    "CorruptTableError",
    "Game",
    "Layer",
    "Line",
    "MancalaLayer",
    "MancalaTables",
    "MissingTableError",
    "Move",
    "OwareError",
    "Position",
    "Probe",
    "Result",
    "ScoredMove",
    "Tables",
    "UsageError",
    "build",
    "forecast",
    "mancala_moves",
    "mancala_sheets",
    "moves",
    "perft",
    "sheets",
]
