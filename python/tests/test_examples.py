"""The examples, run as a user runs them."""

import subprocess
import sys
from pathlib import Path

import numpy as np

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(name, *arguments):
    command = [sys.executable, EXAMPLES / name, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_openspiel_has_our_moves(directory, tmp_path):
    said = run("label_openspiel.py", directory, 300, tmp_path / "labels.npz")
    compared, labelled = (int(word) for word in said.split() if word.isdigit())
    labels = np.load(tmp_path / "labels.npz")
    assert compared > 10_000 and labelled > 500
    assert len(labels["boards"]) == labelled == len(labels["low"])
    assert (abs(labels["low"]) <= labels["boards"].sum(axis=1)).all()


def test_the_plot_is_a_picture(directory, tmp_path):
    said = run("scores_by_layer.py", directory, tmp_path / "scores.png")
    assert said.startswith("11 layers")
    assert (tmp_path / "scores.png").read_bytes().startswith(b"\x89PNG")


def test_a_layer_is_a_frame(directory, tables):
    said = run("layer_as_frame.py", directory, 10)
    assert f"{len(tables.layer(10))} positions" in said
