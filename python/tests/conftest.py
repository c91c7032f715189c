"""Tables that the tests share, built once, and the program."""

import os
import pathlib
import subprocess

import pytest

import oware_db

SEEDS = 10
ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = pathlib.Path(os.environ.get("OWARE", ROOT / "target/release/oware"))


@pytest.fixture(scope="session")
def program():
    """The program, built if it is not there."""
    if not PROGRAM.exists():
        target = {"CARGO_TARGET_DIR": str(ROOT / "target")}
        subprocess.run(["cargo", "build", "--release"], cwd=ROOT, env=os.environ | target, check=True)
    return PROGRAM


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


@pytest.fixture(scope="session")
def larger(program, tmp_path_factory):
    """Tables of awari to eighteen seeds, which the program builds in half the time."""
    path = tmp_path_factory.mktemp("larger")
    command = [program, "build", "--quiet", "--rules", "awari", "--seeds", "18", "--tables", path]
    subprocess.run(command, check=True)
    return path
