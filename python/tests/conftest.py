"""Tables that the tests share, built once."""

import pytest

import oware_db

SEEDS = 10


@pytest.fixture(scope="session")
def directory(tmp_path_factory):
    """Tables of abapa and awari to ten seeds."""
    path = tmp_path_factory.mktemp("tables")
    for rules in ["abapa", "awari"]:
        oware_db.build(rules, SEEDS, path)
    return path


@pytest.fixture(scope="session")
def tables(directory):
    return oware_db.Tables(directory)


@pytest.fixture(scope="session")
def stamped(tmp_path_factory):
    """Tables of abapa to eight seeds whose strategies are stamps."""
    path = tmp_path_factory.mktemp("stamped")
    oware_db.build("abapa", 8, path, stamps=True)
    return oware_db.Tables(path)
