"""What a user meets before the first call: types and texts."""

import inspect
import subprocess
import sys

import oware_db


def test_the_stubs_are_those_of_the_module():
    stubtest = [sys.executable, "-m", "mypy.stubtest", "oware_db"]
    found = subprocess.run(stubtest, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


def test_everything_has_a_docstring():
    for name in oware_db.__all__:
        item = getattr(oware_db, name)
        assert inspect.getdoc(item), name
        for member, value in vars(item).items() if inspect.isclass(item) else []:
            assert member.startswith("_") or inspect.getdoc(value), f"{name}.{member}"


def test_the_version_is_known():
    assert oware_db.__version__[0].isdigit()
