"""Layers as data frames and Parquet files, by pandas and pyarrow alone."""

import re
import sys

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import oware_db
from oware_db import UsageError, _frames

PLACES = [f"{owner}_{letter}" for owner in ["mover", "opponent"] for letter in "abcdef"]


def test_a_layer_is_a_frame(tables):
    layer = tables.layer(7)
    frame = layer.to_frame()
    assert list(frame.columns) == [*PLACES, "low", "high"] and frame.index.name == "index"
    assert (frame[PLACES].to_numpy() == layer.boards()).all()
    assert (frame["low"] == layer.low).all() and (frame["high"] == layer.high).all()
    assert frame.dtypes["low"] == np.int8 and frame.dtypes["mover_a"] == np.uint8


@pytest.mark.parametrize("group", [1 << 20, 10_000])
def test_a_layer_is_a_parquet_file(tables, tmp_path, monkeypatch, group):
    monkeypatch.setattr(_frames, "_GROUP", group)
    layer, path = tables.layer(9), tmp_path / "layer.parquet"
    layer.to_parquet(path)
    assert [file.name for file in tmp_path.iterdir()] == ["layer.parquet"]
    read = pq.read_table(path)
    assert read.equals(layer.to_arrow())
    assert read.column_names == ["seeds", "index", *PLACES, "low", "high"]
    assert (read["low"].to_numpy() == layer.low).all()
    assert (read["index"].to_numpy() == np.arange(len(layer))).all()
    assert set(read["seeds"].to_pylist()) == {9}
    assert (np.stack([read[name] for name in PLACES], axis=1) == layer.boards()).all()
    told = {key.decode(): value.decode() for key, value in read.schema.metadata.items()}
    assert (told["rules"], told["seeds"], told["version"]) == ("abapa", "9", oware_db.__version__)
    assert "minus the opponent's" in told["meaning"]
    assert pd.read_parquet(path)["high"].tolist() == layer.high.tolist()


def test_a_file_that_cannot_be_finished_is_none(tables, tmp_path):
    layer = tables.layer(3)
    with pytest.raises(FileNotFoundError):
        layer.to_parquet(tmp_path / "nowhere" / "layer.parquet")
    with pytest.raises(oware_db.MissingTableError):
        tables.layer(12).to_parquet(tmp_path / "layer.parquet")
    with pytest.raises(UsageError, match="7 is not a path"):
        layer.to_parquet(7)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "package, extra, method",
    [("pandas", "frames", "to_frame"), ("pyarrow", "parquet", "to_arrow")],
)
def test_what_is_not_installed_is_named(tables, monkeypatch, package, extra, method):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=re.escape(f"`pip install 'oware_db[{extra}]'`")):
        getattr(tables.layer(3), method)()
