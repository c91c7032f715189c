"""Tables that keep what decides games of N seeds, as the program makes them."""

import subprocess

import pytest

import oware_db
from oware_db import Tables, UsageError


@pytest.fixture(scope="module")
def clamped(program, tmp_path_factory):
    """Tables of awari to 10 seeds for games of 12."""
    path = tmp_path_factory.mktemp("clamped")
    words = "build --quiet --rules awari --seeds 10 --game-seeds 12 --tables".split()
    subprocess.run([program, *words, path], check=True)
    return path


def test_bounds_are_what_is_known(clamped, directory):
    tables, full = Tables(clamped, rules="awari"), Tables(directory, rules="awari")
    figures = tables.stats()
    for seeds in tables.seeds:
        layer, scores = tables.layer(seeds), full.layer(seeds).low
        assert figures[seeds]["range"] == layer.range
        end = 13 - seeds if 13 - seeds < seeds else None
        assert (layer.range, full.layer(seeds).range) == (end, None)
        low, high = tables.probe_many(layer.boards())
        assert (layer.low == low).all() and (layer.high == high).all()
        assert (layer.low <= scores).all() and (scores <= layer.high).all()
        if end is not None:
            beyond = (layer.low == end) & (layer.high == seeds)
            assert beyond.any() and ((scores == layer.low) | beyond | (layer.low == -seeds)).all()
            assert ((layer.low == -seeds) & (layer.high == -end)).any()


def test_files_say_what_is_known(clamped):
    pytest.importorskip("pyarrow")
    table = Tables(clamped, rules="awari").layer(10).to_arrow()
    assert b"a score of 3 or more has low 3 and high 10" in table.schema.metadata[b"meaning"]
    assert table["high"].to_numpy().max() == 10


def test_clamped_tables_are_no_full_build(clamped):
    for call in [oware_db.build, oware_db.forecast]:
        with pytest.raises(UsageError, match="awari-07.oware stores only what decides games of 12"):
            call("awari", 10, clamped)
    assert oware_db.build("awari", 6, clamped) == []
