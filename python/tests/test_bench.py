"""Policies judged by tables."""

import json
import subprocess
import sys
import time

import numpy as np
import pytest

import oware_db
from oware_db import bench


def perfect(tables):
    def policy(boards):
        return tables.moves_many(boards)[2].argmax(axis=1)

    return policy


def test_the_moves_of_many_are_those_of_each(tables):
    boards = bench.sample(tables, 300, seed=2)
    low, high, best = tables.moves_many(boards)
    assert low.shape == high.shape == best.shape == (300, 6) and low.dtype == np.int8
    for row, board in enumerate(boards):
        found = tables.probe(board)
        houses = ["ABCDEF".index(move.house) for move in found.moves]
        assert sorted(np.flatnonzero(low[row] != -128)) == sorted(houses)
        for house, move in zip(houses, found.moves):
            assert (low[row, house], high[row, house]) == move.interval
            is_best = len(houses) == 1 or (move.certified and move.low == found.moves[0].low)
            assert best[row, house] == is_best


def test_a_perfect_policy_loses_nothing(tables):
    report = bench.evaluate(tables, perfect(tables), positions=2000, games=0)
    assert report.total.judged == 2000 and report.illegal == 0
    assert report.total.best[0] == 1 and report.total.mean_loss == (0, 0, 0)
    assert report.total.thrown_away[0] == 0 and report.total.thrown_away[2] < 0.01


def test_games_against_perfect_play_end_at_theory_or_below(tables):
    reports = [
        bench.evaluate(tables, policy, positions=300, games=100)
        for policy in [bench.random, bench.greedy]
    ]
    for report in reports:
        assert 90 < report.games <= 100 and report.below_theory[1] > 0, report
    assert reports[0].below_theory[0] > reports[1].below_theory[0]


def test_a_policy_that_plays_what_is_not_legal_is_told_so(tables):
    zeros = lambda boards: [0] * len(boards)  # noqa: E731
    report = bench.evaluate(tables, zeros, positions=300, games=100)
    assert report.illegal > 0 and report.games < 100, report


def test_losses_are_counted_as_by_hand(tables):
    boards = bench.sample(tables, 500, seed=3)
    houses = bench.random(boards)
    lost, best, thrown, worst = 0, 0, 0, 0
    for board, house in zip(boards, houses):
        found = tables.probe(board)
        move = next(move for move in found.moves if move.house == "ABCDEF"[house])
        first = found.moves[0]
        if len(found.moves) == 1 or (move.certified and move.low == first.low):
            best += 1
            continue
        loss = max(first.low - move.high, 0)
        lost, worst = lost + loss, max(worst, loss)
        ahead = -((48 - int(board.sum())) % 2)
        thrown += np.sign(ahead + first.low - loss) < np.sign(ahead + first.low)
    total = bench.judge(tables, boards, houses).total
    assert total.best[0] == best / 500 and total.worst_loss == worst
    assert total.mean_loss[0] == pytest.approx(lost / 500)
    assert total.thrown_away[0] == pytest.approx(thrown / 500)


def test_moves_that_are_none_are_counted(tables):
    boards = bench.sample(tables, 100)
    report = bench.judge(tables, boards, np.full(100, 6))
    assert report.illegal == 100 and report.total.judged == 0
    for houses in [np.zeros(99, int), np.zeros(100)]:
        with pytest.raises(oware_db.UsageError, match="100 houses"):
            bench.judge(tables, boards, houses)


def test_bounds_hold_as_often_as_they_say():
    dice, held = np.random.default_rng(1), 0
    for _ in range(400):
        _, low, high = bench._mean(dice.poisson(0.7, 200))
        held += low <= 0.7 <= high
        _, low, high = bench._share(dice.random(200) < 0.1)
        held += low <= 0.1 <= high
    assert 0.92 < held / 800 < 0.98


def test_a_hundred_thousand_are_judged_in_ten_seconds(tables):
    boards = bench.sample(tables, 100_000)
    houses = perfect(tables)(boards)
    start = time.process_time()
    bench.judge(tables, boards, houses)
    assert time.process_time() - start < 20, "on two cores"


def test_the_command_prints_and_writes(directory, tmp_path):
    report, figure = tmp_path / "report.json", tmp_path / "report.png"
    command = [sys.executable, "-m", "oware_db.bench", directory, "greedy", "--positions", "500"]
    command += ["--games", "20", "--json", report, "--figure", figure]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "greedy, judged by `abapa`" in said and "seeds below theory" in said
    document = json.loads(report.read_text())
    assert document["total"]["judged"] == 500 and set(document["by_seeds"]) == {
        str(seeds) for seeds in range(1, 11)
    }
    assert figure.read_bytes().startswith(b"\x89PNG")


ENGINE = """
import sys
import oware_db

for line in sys.stdin:
    words = line.split()
    if words[:1] == ["isready"]:
        print("readyok", flush=True)
    if words[:2] == ["position", "fen"]:
        position = words[2]
    if words[:1] == ["go"]:
        print("info depth 1")
        print("bestmove", oware_db.moves(position)[0].house, flush=True)
"""


def test_an_engine_is_asked_by_its_protocol(tables, tmp_path):
    file = tmp_path / "engine.py"
    file.write_text(ENGINE)
    boards = bench.sample(tables, 50)
    with bench.engine(f"{sys.executable} {file}") as engine:
        houses = engine(boards)
    expected = ["ABCDEF".index(oware_db.moves(board)[0].house) for board in boards]
    assert houses.tolist() == expected
