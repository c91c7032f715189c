"""Layers as data frames and Parquet files, by pandas and pyarrow where those are installed."""

import os
from importlib import import_module
from pathlib import Path
from typing import Any

# Positions that are in memory at the same time when a file is written.
_GROUP = 1 << 20


def frame(layer: Any) -> Any:
    """A data frame of pandas, with the rank as index."""
    pandas = _needed("pandas")
    ranks = pandas.RangeIndex(len(layer), name="index")
    return pandas.DataFrame(_columns(layer, 0, len(layer)), index=ranks)


def arrow(layer: Any) -> Any:
    """A table of Arrow."""
    pyarrow = _needed("pyarrow")
    return pyarrow.table(_with_rank(layer, 0, len(layer)), metadata=_meaning(layer))


def parquet(layer: Any, path: "str | os.PathLike[str]") -> None:
    """Writes a Parquet file, piece by piece, under a temporary name until it is complete."""
    pyarrow, writing = _needed("pyarrow"), _needed("pyarrow.parquet")
    schema = pyarrow.table(_with_rank(layer, 0, 0), metadata=_meaning(layer)).schema
    target = Path(path)
    unfinished = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        with open(unfinished, "xb") as file, writing.ParquetWriter(file, schema) as writer:
            for start in range(0, len(layer), _GROUP):
                piece = _with_rank(layer, start, min(start + _GROUP, len(layer)))
                writer.write_table(pyarrow.table(piece, schema=schema))
        os.replace(unfinished, target)
    except FileExistsError:
        raise
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _needed(name: str) -> Any:
    """A package that not everybody has."""
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        extra = {"pandas": "frames", "pyarrow": "parquet"}[package]
        raise ImportError(f"this takes {package}: `pip install 'oware_db[{extra}]'`") from error


def _columns(layer: Any, start: int, stop: int) -> "dict[str, Any]":
    """The columns of some positions, by name: those of `oware export`."""
    boards = layer.boards(start, stop)
    columns = {name: boards[:, place] for place, name in enumerate(layer._places)}
    columns |= {"low": layer.low[start:stop], "high": layer.high[start:stop]}
    if getattr(layer, "plies", None) is not None:
        columns["plies"] = layer.plies[start:stop]
    return columns


def _with_rank(layer: Any, start: int, stop: int) -> "dict[str, Any]":
    import numpy

    seeds = numpy.full(stop - start, layer.seeds, numpy.uint8)
    ranks = numpy.arange(start, stop, dtype=numpy.uint64)
    return {"seeds": seeds, "index": ranks} | _columns(layer, start, stop)


def _meaning(layer: Any) -> "dict[str, str]":
    """What a file says of itself."""
    from . import __version__

    end = getattr(layer, "range", None)
    clamped = "" if end is None else (
        f". Clamped: unless the game is over, a score of {end} or more has low {end} and high "
        f"{layer.seeds}, one of -{end} or less has low -{layer.seeds} and high -{end}"
    )
    return {
        "rules": layer.rules,
        "seeds": str(layer.seeds),
        "version": __version__,
        "meaning": (
            "low and high bound the score of the player to move, who sits at the mover's places: "
            "the seeds still to come minus the opponent's; index is the rank of the position"
            + clamped
        ),
    }
