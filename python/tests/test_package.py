"""What a user meets before the first call: types and texts."""

import inspect
import subprocess
import sys
from importlib.metadata import distribution

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


def test_the_wheel_is_for_every_python_from_3_9_on():
    tags = distribution("oware_db").read_text("WHEEL")
    assert "Tag: cp39-abi3-" in tags, tags


def test_the_wheel_says_where_to_read_on():
    metadata = distribution("oware_db").metadata
    assert metadata["Requires-Python"] == ">=3.9"
    urls = dict(url.split(", ") for url in metadata.get_all("Project-URL"))
    assert {"Documentation", "Changelog"} <= set(urls)
    assert all(url.startswith("https://") for url in urls.values())
    assert {"frames", "parquet"} <= set(metadata.get_all("Provides-Extra"))
    assert metadata["License-Expression"] == "MIT OR Apache-2.0"
