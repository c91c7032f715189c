"""Tables: single positions and many, and what goes wrong."""

import copy
import multiprocessing
import os
import pickle
import random
import shutil
import threading

import numpy as np
import pytest

import oware_db
from oware_db import CorruptTableError, MissingTableError, Tables, UsageError


def test_the_published_example(larger):
    """The example of the Awari score database of the Vrije Universiteit."""
    found = Tables(larger, rules="awari").probe("1 1 1 1 1 2 4 2 3 0 0 0")
    assert (found.low, found.high, found.value, found.over) == (0, 0, 0, False)
    by_house = {move.house: move.value for move in found.moves}
    assert by_house == {"A": -1, "B": -1, "C": -2, "D": -2, "E": -2, "F": 0}
    assert found.moves[0].house == "F"


def test_a_position_is_the_best_of_its_moves(tables):
    boards = tables.layer(9).boards()[::97]
    low, high = tables.probe_many(boards)
    for board, least, most in zip(boards, low, high):
        found = tables.probe(board)
        assert (found.low, found.high) == (least, most)
        if found.over:
            assert found.moves == [] and least == most
            continue
        assert least == max(move.low for move in found.moves)
        assert most == max(move.high for move in found.moves)
        below = tables.probe_many(np.array([move.board for move in found.moves]))
        for move, child_low, child_high in zip(found.moves, *below):
            assert move.interval == (move.captured - child_high, move.captured - child_low)
            assert move.captured == 0 or move.certified


def test_positions_of_many_layers_at_once(tables):
    boards = np.concatenate([tables.layer(seeds).boards()[::31] for seeds in tables.seeds])
    low, high = tables.probe_many(boards)
    assert low.dtype == high.dtype == np.int8 and low.shape == (len(boards),)
    singles = [tables.probe(board) for board in boards[::41]]
    assert low[::41].tolist() == [found.low for found in singles]
    assert high[::41].tolist() == [found.high for found in singles]


def test_arrays_need_not_be_contiguous(tables):
    boards = tables.layer(7).boards()
    low, _ = tables.probe_many(boards)
    turned = np.asfortranarray(boards)
    assert (tables.probe_many(turned)[0] == low).all()
    assert (tables.probe_many(boards[::-3])[0] == low[::-3]).all()
    assert tables.probe_many(boards[:0])[0].shape == (0,)


def test_positions_in_every_form(tables):
    forms = [
        "0 0 0 0 1 2  1 0 0 0 3 0",
        "0-0-0-0-1-2-1-0-0-0-3-0-20-21-S",
        "0 | 20 21 | 0 0 0 0 1 2 1 0 0 0 3 0",
        [0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 3, 0],
        np.array([0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 3, 0], dtype=np.uint8),
        oware_db.Position("1-0-0-0-3-0-0-0-0-0-1-2-0-0-N"),
    ]
    found = {(tables.probe(form).low, tables.probe(form).high) for form in forms}
    assert len(found) == 1


def test_a_line_is_play_by_the_rules(tables):
    start = "0 0 0 0 1 2  1 0 0 0 3 0"
    line = tables.line(start, limit=1000)
    game = oware_db.Game(position=start)
    assert len(line.moves) == len(line.captured)
    for letter, captured in zip(line.moves, line.captured):
        legal = {move.house: move.captured for move in game.legal_moves()}
        assert legal[letter.upper()] == captured
        game.play(letter)
    assert line.ends in ["game over", "cycle"]
    assert (line.cycle_after is None) == (line.ends == "game over")
    assert tables.line(start, limit=1).moves == line.moves[:1]
    assert tables.line(start, limit=1).ends == "limit"


def paid(game, move):
    """What a move brings to the mover: what the rules pay where it closes a cycle, or else what the
    tables promise."""
    after = copy.copy(game)
    after.play(move.house)
    if after.result is None or after.result.ending != "repetition":
        return move.low
    mover, opponent = game.position.stores
    margin = after.result.margin * (1 if game.position.seat == "South" else -1)
    return margin - (mover - opponent)


def test_the_best_move_knows_where_play_has_been(tables):
    """Random play goes where a cycle pays more than the tables promise, or less."""
    dice = random.Random(1)
    more = 0
    for board in tables.layer(6).boards()[::100]:
        game = oware_db.Game(position=board)
        while game.result is None:
            found = tables.probe(game.position)
            moves = {move.house: paid(game, move) for move in found.moves}
            best = tables.best(game)
            assert moves[best.house] == max(moves.values())
            assert best.interval in [move.interval for move in found.moves]
            more += moves[best.house] > found.low
            game.play(dice.choice(list(moves)))
        assert tables.best(game) is None
    assert more > 0


def test_the_best_move_is_one_of_the_tables(tables):
    with pytest.raises(UsageError, match="the game is one of `awari`, and the tables of `abapa`"):
        tables.best(oware_db.Game("awari"))
    with pytest.raises(MissingTableError, match="no abapa table for 48 seeds"):
        tables.best(oware_db.Game())


def test_another_process_opens_tables_for_itself(directory):
    """By "spawn", which takes tables and positions along by pickle."""
    tables = Tables(directory, rules="awari", cache=1 << 20)
    boards = tables.layer(9).boards()[::1000]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        low, high = pool.apply(tables.probe_many, (boards,))
    expected = tables.probe_many(boards)
    assert (low == expected[0]).all() and (high == expected[1]).all()


def test_figures_are_those_of_the_layers(tables):
    for figures in tables.stats():
        layer = tables.layer(figures["seeds"])
        values, counts = np.unique(layer.low, return_counts=True)
        assert figures["histogram"] == dict(zip(values.tolist(), counts.tolist()))
        assert figures["positions"] == len(layer) and figures["range"] is layer.range is None
        assert figures["wins"] == (layer.low > 0).sum()
        assert figures["losses"] == (layer.high < 0).sum()
        assert figures["exact"] == (layer.low == layer.high).sum()
        assert figures["high_sum"] == layer.high.sum(dtype=np.int64)
    assert [figures["seeds"] for figures in tables.stats()] == tables.seeds == [*range(11)]


def test_threads_share_tables(tables):
    boards = tables.layer(10).boards()
    expected, _ = tables.probe_many(boards)
    found = []
    work = lambda: found.append(tables.probe_many(boards)[0])
    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(found) == 4 and all((low == expected).all() for low in found)


def test_other_threads_go_on(tables):
    """A thread that counts gets on while another probes: the lock is not held."""
    boards = np.tile(tables.layer(10).boards(), (4, 1))
    probing = threading.Thread(target=tables.probe_many, args=(boards,))
    probing.start()
    count = 0
    while probing.is_alive():
        count += 1
    assert count > 100


@pytest.mark.parametrize(
    "boards, found",
    [
        (np.zeros((3, 12)), "float64 with shape [3, 12]"),
        (np.zeros((3, 12), dtype=bool), "bool with shape [3, 12]"),
        (np.zeros((3, 11), dtype=np.uint8), "uint8 with shape [3, 11]"),
        (np.zeros(12, dtype=np.int32), "int32 with shape [12]"),
        ([[0.5] * 12], "float64 with shape [1, 12]"),
        ([[0] * 12, [0] * 11], "list"),
        ({}, "object with shape []"),
    ],
)
def test_a_wrong_array_is_told_what_was_expected(tables, boards, found):
    expected = f"boards are an array of whole numbers with shape (N, 12), not {found}"
    for asked in [tables.probe_many, tables.layer(3).rank]:
        with pytest.raises(UsageError) as raised:
            asked(boards)
        assert str(raised.value) == expected


WHOLE = [f"{order}{kind}{size}" for order in "<>" for kind in "iu" for size in [1, 2, 4, 8]]


@pytest.mark.parametrize("kind", WHOLE)
def test_arrays_of_any_whole_numbers_are_checked_and_taken(tables, kind):
    """No number is cut to a byte: 256 is not an empty house."""
    layer = tables.layer(8)
    boards = layer.boards()[::50]
    given = boards.astype(kind)
    assert (tables.probe_many(given)[0] == layer.low[::50]).all()
    assert (tables.probe_many(given[:, ::-1][:, ::-1])[0] == layer.low[::50]).all()
    assert (layer.rank(given) == np.arange(0, len(layer), 50)).all()
    assert (layer.rank(np.asfortranarray(given)) == np.arange(0, len(layer), 50)).all()
    ranks = np.arange(0, 100).astype(kind)
    assert (layer.unrank(ranks) == layer.boards(0, 100)).all()
    low, most = np.iinfo(kind).min, np.iinfo(kind).max
    for wrong in {low, most, -1, 49, 256, 2**32, 2**62} & set(range(-1, 50)) | {low, most, 256, 2**32}:
        if low <= wrong <= most and wrong != 0:
            bad = given.copy()
            bad[3, 5] = wrong
            with pytest.raises(UsageError, match=r"boards\[3\]: "):
                tables.probe_many(bad)


def test_lists_are_boards_too(tables):
    layer = tables.layer(6)
    few = [layer[0], layer[77].board, layer[500].board.tolist()]
    assert tables.probe_many(few)[0].tolist() == layer.low[[0, 77, 500]].tolist()


def test_mistakes_have_the_words_of_the_library(tables, directory, tmp_path):
    with pytest.raises(MissingTableError, match="no abapa table for 11 seeds in .*; `oware_db.build"):
        tables.probe("11 0 0 0 0 0  0 0 0 0 0 0")
    with pytest.raises(MissingTableError, match="`oware build --rules abapa --seeds 48 --tables"):
        tables.probe_many(np.full((1, 12), 4, dtype=np.uint8))
    (tmp_path / "empty").mkdir()
    with pytest.raises(MissingTableError) as raised:
        Tables(tmp_path / "empty").probe("1 0 0 0 0 0  0 0 0 0 0 1")
    # What it says is to be called is Python, and helps.
    command = str(raised.value).split("`")[1]
    assert eval(command, {"oware_db": oware_db}) == [0, 1, 2]
    assert Tables(tmp_path / "empty").probe("1 0 0 0 0 0  0 0 0 0 0 1").moves
    with pytest.raises(UsageError, match="`x` is not a number; write twelve numbers"):
        tables.probe("x 0 0 0 0 0  0 0 0 0 0 0")
    with pytest.raises(UsageError, match="negative"):
        tables.probe([0, -1] + 10 * [0])
    with pytest.raises(UsageError, match=r"boards\[1\]: 2880 seeds"):
        tables.probe_many(np.array([12 * [0], 12 * [240]], dtype=np.uint8))
    with pytest.raises(UsageError, match="unknown rules `chess`; known sheets: abapa, "):
        Tables(directory, rules="chess")
    with pytest.raises(UsageError, match="twelve whole numbers, not float"):
        tables.probe(1.5)
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(NotADirectoryError, match="file: opening failed"):
        Tables(file)


def test_a_missing_directory_is_an_error_on_opening(tmp_path):
    for opened in [Tables, lambda path: oware_db.MancalaTables(path, "bao-laps")]:
        with pytest.raises(FileNotFoundError, match="nowhere: no such directory; check the path"):
            opened(tmp_path / "nowhere")


def test_a_closed_directory_says_so(directory):
    """Whatever asks tables says that they are closed, and what was got before stays."""
    with Tables(directory) as tables:
        layer, other = tables.layer(5), tables.layer(6)
        low = layer.low
        found = tables.probe(layer[0])
    assert repr(tables) == f"closed Tables({str(directory)!r}, rules=\"abapa\")"
    with Tables(directory, cache=1 << 20) as small:
        assert eval(repr(small)).__reduce__() == small.__reduce__()
    calls = [
        lambda: tables.probe(12 * [0]),
        lambda: tables.get(12 * [0]),
        lambda: tables.probe_many(layer.boards()),
        lambda: tables.best(oware_db.Game(position=layer[0])),
        lambda: tables.line(layer[0]),
        lambda: tables.stats(),
        lambda: tables.seeds,
        lambda: tables.layer(3),
        lambda: oware_db.Layer(tables, 3),
        lambda: other.low,
        lambda: pickle.dumps(tables),
        lambda: copy.copy(tables),
        lambda: tables.__enter__(),
    ]
    for call in calls:
        with pytest.raises(UsageError, match="the tables are closed; open them again"):
            call()
    tables.close()
    assert layer.low is low and len(layer.boards(0, 5)) == 5 and found.over
    assert (layer.rank(layer.boards()) == np.arange(len(layer))).all()


def test_what_raises_inside_with_comes_out(directory):
    with pytest.raises(ZeroDivisionError):
        with Tables(directory) as tables:
            1 / 0
    with pytest.raises(UsageError, match="closed"):
        tables.seeds


def test_closing_frees_files(directory):
    def held():
        return [name for name in os.listdir("/proc/self/fd") if "oware" in target(name)]

    def target(name):
        try:
            return os.readlink(f"/proc/self/fd/{name}")
        except OSError:
            return ""

    before = len(held())
    with Tables(directory) as tables:
        tables.probe_many(tables.layer(10).boards()[::7])
        assert len(held()) > before
    assert len(held()) == before


def test_get_returns_the_default_where_no_table_is(tables):
    board = "0 0 0 0 1 2  1 0 0 0 3 0"
    assert tables.get(board) == tables.probe(board)
    assert tables.get(12 * [4]) is None
    assert tables.get(12 * [4], default=tables) is tables
    assert tables.get(12 * [4], 7) == 7
    with pytest.raises(UsageError):
        tables.get(12 * [5], 7)


def with_gaps(tables, count):
    """Boards of which some have no table, and which those are."""
    held = tables.layer(9).boards()
    boards = held[np.random.default_rng(1).integers(0, len(held), count)]
    gone = np.zeros(count, bool)
    gone[[at for at in [2, 3, count // 2, count - 1]]] = True
    boards[gone] = 4
    return boards, gone


@pytest.mark.parametrize("count", [8, 4096, 30_000])
def test_missing_positions_are_marked(tables, count):
    boards, gone = with_gaps(tables, count)
    with pytest.raises(MissingTableError, match=r"^boards\[2\], 4 4 .*: no abapa table for 48 seeds"):
        tables.probe_many(boards)
    known = tables.probe_many(boards[~gone])
    for bound, expected in zip(tables.probe_many(boards, missing="mask"), known):
        assert isinstance(bound, np.ma.MaskedArray) and bound.dtype == np.int8
        assert (bound.mask == gone).all() and (bound.compressed() == expected).all()
        assert set(bound.data[gone]) == {-128} and bound.fill_value == -128
    low, high = tables.probe_many(boards, "mask")
    low[2] = 1
    assert high.mask[2] and not low.mask[2]
    for mark in [-128, 127, 49]:
        for bound, expected in zip(tables.probe_many(boards, missing=mark), known):
            assert type(bound) is np.ndarray and bound.dtype == np.int8
            assert (bound[~gone] == expected).all() and set(bound[gone]) == {mark}


def test_a_mark_is_no_score(tables):
    boards = tables.layer(3).boards()
    for wrong in [0, 48, -48]:
        with pytest.raises(UsageError, match=f"missing={wrong} may be a score; -128 is not"):
            tables.probe_many(boards, missing=wrong)
    for wrong in ["masked", None, 1.5, 200]:
        with pytest.raises(UsageError, match='use "error", "mask", or a number that is not a score'):
            tables.probe_many(boards, missing=wrong)


def test_the_first_missing_position_is_named(tables):
    """Whatever processor comes to another one sooner."""
    held = np.tile(tables.layer(9).boards(), (2, 1))[:100_000]
    for first in [99_999, 50_001, 4096, 4095, 0]:
        held[first] = 4
        for _ in range(5):
            with pytest.raises(MissingTableError, match=rf"^boards\[{first}\], "):
                tables.probe_many(held)


def test_damage_is_no_missing_table(directory, tmp_path):
    """What a damaged table has is not marked as if there were none."""
    shutil.copytree(directory, tmp_path, dirs_exist_ok=True)
    (tmp_path / "abapa-09.oware").write_bytes(b"no table")
    damaged = Tables(tmp_path)
    boards = np.array([9 * [1] + 3 * [0]])
    for missing in ["error", "mask", -128]:
        with pytest.raises(CorruptTableError):
            damaged.probe_many(boards, missing=missing)
    with pytest.raises(CorruptTableError):
        damaged.get(boards[0])


def test_a_damaged_table_is_an_exception(directory, tmp_path):
    shutil.copytree(directory, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "abapa-10.oware"
    data = bytearray(path.read_bytes())
    for place in range(len(data) // 4, len(data) * 3 // 4):
        data[place] ^= 0x55
    path.write_bytes(data)
    damaged = Tables(tmp_path)
    with pytest.raises(CorruptTableError, match="abapa-10.oware: .*; rebuild the table"):
        damaged.probe_many(damaged.layer(10).boards())
    with pytest.raises(CorruptTableError):
        damaged.layer(10).low
    path.write_bytes(data[:100])
    with pytest.raises(CorruptTableError):
        Tables(tmp_path).probe("10 0 0 0 0 0  0 0 0 0 0 0")


