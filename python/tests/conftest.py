"""Tables that the tests share, built once."""

import pytest

import oware_db

SEEDS = 10


@pytest.fixture(scope="session")
def directory(tmp_path_factory):
    """Tables of abapa, abapa-every and awari to ten seeds."""
    path = tmp_path_factory.mktemp("tables")
    for rules in ["abapa", "abapa-every", "awari"]:
        oware_db.build(rules, SEEDS, path)
    return path


@pytest.fixture(scope="session")
def tables(directory):
    return oware_db.Tables(directory)
