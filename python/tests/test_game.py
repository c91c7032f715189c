"""Positions, moves and games."""

import copy
import os
import pickle
import random
import signal
import threading
import time

import numpy as np
import pytest

import oware_db
from oware_db import Game, Position, UsageError


def test_perft_of_the_initial_position():
    """Known counts of move paths under abapa."""
    known = [6, 36, 190, 1014, 5219, 27332]
    start = Position.initial()
    assert [oware_db.perft(start, depth) for depth in range(1, 7)] == known


def test_perft_is_not_endless():
    """A path of play that goes round has no end, so that only the depth ends it, or Ctrl-C."""
    with pytest.raises(UsageError, match="depth 101 is not in 0..=100"):
        oware_db.perft(Position.initial(), 101)
    # A shell that runs the tests in the background has them ignore the signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT]).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        oware_db.perft(Position.initial(), 100)
    assert time.monotonic() - start < 20


def test_moves_of_the_initial_position():
    found = oware_db.moves(12 * [4])
    assert [move.house for move in found] == list("ABCDEF")
    assert found[5].board.tolist() == [5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 0]
    assert all(move.captured == 0 for move in found)


def test_positions_know_their_stores_and_seat():
    north = Position("1-0-0-0-0-0-0-0-0-0-0-2-20-25-N")
    assert north.board.tolist() == [0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0]
    assert (north.seeds, north.stores, north.seat) == (3, (25, 20), "North")
    assert str(north) == "1-0-0-0-0-0-0-0-0-0-0-2-20-25-N"
    assert Position("1 0 0 0 0 0  0 0 0 0 0 2").stores is None
    assert north == Position("1 | 20 25 | 1 0 0 0 0 0 0 0 0 0 0 2")
    assert len({north, Position(str(north)), Position.initial()}) == 2
    assert np.asarray(north).tolist() == north.board.tolist()
    assert np.asarray(north, dtype=np.int64).dtype == np.int64


def test_games_end_and_are_taken_back():
    dice = random.Random(1)
    endings = set()
    for number in range(60):
        game = Game(["abapa", "awari"][number % 2])
        start = str(game.position)
        while game.result is None:
            game.play(dice.choice(game.legal_moves()).house)
        result = game.result
        endings.add(result.ending)
        assert game.legal_moves() == []
        assert result.winner == {1: "South", 0: None, -1: "North"}[np.sign(result.margin)]
        with pytest.raises(UsageError, match="the game is over"):
            game.play("A")
        again = Game(game.rules, moves=game.moves)
        assert str(again.position) == str(game.position)
        for _ in game.moves:
            game.undo()
        assert str(game.position) == start and game.moves == []
    assert {"decided", "no_move"} <= endings


def test_copies_go_their_own_way():
    for start in ["1 0 0 0 2 0  1 0 0 3 0 0", "1-0-0-0-3-0-0-0-0-0-1-2-20-21-N"]:
        position = Position(start)
        assert pickle.loads(pickle.dumps(position)) == position == copy.copy(position)
        game = Game("awari", position)
        game.play(game.legal_moves()[0].house)
        for other in [copy.copy(game), pickle.loads(pickle.dumps(game))]:
            assert (other.rules, other.moves, other.result) == ("awari", game.moves, None)
            assert other.position == game.position
            other.undo()
            assert str(other.position) == str(Game("awari", position).position)
            assert len(other.moves) == 0 and len(game.moves) == 1


def test_a_repetition_ends_a_game():
    """Two seeds that chase each other: the first repetition pays everybody their own row."""
    game = Game(position="1 0 0 0 0 0  1 0 0 0 0 0")
    for letter in "AaBbCcDdEeFfAaBbCcDdEeFf":
        if game.result is not None:
            break
        game.play(letter)
    assert game.result is not None and game.result.ending == "repetition"
    assert game.repetitions == 1 and game.result.margin == 0


def test_mistakes_are_named():
    game = Game()
    game.play(0)
    assert game.moves == ["A"]
    with pytest.raises(UsageError, match="`G` is not a house; write A to F, or 0 to 5"):
        game.play("G")
    with pytest.raises(UsageError, match="a is not a legal move in"):
        Game(position="1 0 0 0 0 0  0 0 0 0 0 1", moves=["A", "A"])
    with pytest.raises(UsageError, match="no move to take back"):
        Game().undo()
    with pytest.raises(UsageError, match="unknown rules"):
        Game("chess")
    with pytest.raises(UsageError, match="unknown rules"):
        oware_db.moves(12 * [4], rules="")


def test_sheets_have_titles():
    found = dict(oware_db.sheets())
    assert "abapa" in found and "awari" in found and all(found.values())


def test_moves_in_one_text():
    game = Game(moves="FaE")
    assert game.moves == ["F", "a", "E"] == Game(moves=["F", 0, "e"]).moves
    assert Game(moves="").moves == [] == Game(moves=()).moves
    assert str(Game(moves="504").position) == str(game.position)
    for wrong, what in [
        ("FaX", "`X` is not a house"),
        ("Fa E", "` ` is not a house"),
        (["Fa"], "`Fa` is not a house"),
        ([1.5], "`1.5` is not a house"),
        (7, "7 is not the letters of moves"),
        ("AAAAAA", "is not a legal move"),
    ]:
        with pytest.raises(UsageError, match=what):
            Game(moves=wrong)
