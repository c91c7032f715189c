"""The examples, run as a user runs them."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

PACKAGE = Path(__file__).parent.parent
EXAMPLES = PACKAGE / "examples"
GUIDE = PACKAGE.parent / "src/guide/bindings.md"


def run(name, *arguments):
    command = [sys.executable, EXAMPLES / name, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_openspiel_has_our_moves(directory, tmp_path):
    said = run("label_openspiel.py", directory, 300, tmp_path / "labels.npz")
    compared, labelled, exact = (int(word) for word in said.split() if word.isdigit())
    labels = np.load(tmp_path / "labels.npz")
    assert compared > 10_000 and labelled > 500
    assert len(labels["boards"]) == labelled == len(labels["low"])
    assert (abs(labels["low"]) <= labels["boards"].sum(axis=1)).all()
    assert exact == (labels["low"] == labels["high"]).sum()


def test_the_plot_is_a_picture(directory, tmp_path):
    said = run("scores_by_layer.py", directory, tmp_path / "scores.png")
    assert said.startswith("11 layers")
    assert (tmp_path / "scores.png").read_bytes().startswith(b"\x89PNG")


def test_a_layer_is_a_frame(directory, tables, tmp_path):
    said = run("layer_as_frame.py", directory, 10, "abapa", tmp_path / "layer.parquet")
    assert (tmp_path / "layer.parquet").stat().st_size > 10_000
    assert f"{len(tables.layer(10))} positions" in said


@pytest.mark.parametrize("page", [GUIDE, PACKAGE / "README.md"], ids=["guide", "readme"])
def test_what_the_pages_show_runs(directory, tmp_path, page):
    shutil.copytree(directory, tmp_path / "tables")
    code = "".join(re.findall("```python\n(.*?)```", page.read_text(), flags=re.DOTALL))
    command = [sys.executable, "-W", "error", "-c", code]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert said.returncode == 0 and said.stdout and not said.stderr, said.stderr
