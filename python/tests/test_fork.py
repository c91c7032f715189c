"""A process that has used several processors forks, as `multiprocessing` did by default up to Python
3.13 and as data loaders do: its children answer as it does."""

import subprocess
import sys
import textwrap


# What each program begins with: a parent that has used all that works on several processors.
HEAD = """
import multiprocessing, os, pathlib, signal, sys, threading, time, warnings
import numpy as np
import oware_db

# Python warns of forks while other threads run, which is what is tried here.
warnings.simplefilter("ignore")
threads_at_first = len(os.listdir("/proc/self/task"))
fork = multiprocessing.get_context("fork")
tables = oware_db.Tables(sys.argv[1])
layer = tables.layer(9)
boards = np.tile(tables.layer(9).boards(), (2, 1))[:60_000]
low, high = tables.probe_many(boards)
assert len(layer.low) == len(layer)
ranks = layer.rank(boards)
assert (layer.unrank(ranks) == boards).all() and len(tables.layer(12).boards()) > 10**6
oware_db.build("plain", 6, sys.argv[2])

def everything(number):
    # A hang is an error.
    signal.alarm(60)
    assert (tables.probe_many(boards)[0] == low).all()
    mine = tables.layer(9)
    assert (mine.low == layer.low).all() and (mine.rank(boards) == ranks).all()
    assert (mine.unrank(ranks) == boards).all() and len(tables.layer(12).boards()) > 10**6
    assert tables.probe(boards[number]).low == low[number] and tables.line(boards[50_000]).moves
    assert tables.best(oware_db.Game(position=boards[50_000])) is not None
    assert tables.seeds == [*range(11)] and len(tables.stats()) == 11
    out = pathlib.Path(sys.argv[2], str(number))
    assert oware_db.build("awari", 7, out) == [*range(8)]
    signal.alarm(0)
    return number

def in_child(work):
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException as failed:
            print(repr(failed), flush=True)
            os._exit(1)
        os._exit(0)
    return child

def well(child):
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


def run(directory, tmp_path, text):
    code = HEAD + textwrap.dedent(text)
    command = [sys.executable, "-c", code, directory, tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_fork_after_a_batch_answers(directory, tmp_path):
    """A pool of forked workers, and children of children."""
    said = run(
        directory,
        tmp_path,
        """
        with fork.Pool(3) as pool:
            assert pool.map(everything, range(6)) == [*range(6)]
        well(in_child(lambda: [everything(7), well(in_child(lambda: everything(8)))]))
        everything(9)
        print("well")
        """,
    )
    assert said == "well\n"


def test_a_fork_in_the_middle_of_calls_answers(directory, tmp_path):
    """Other threads hold every lock there is, some time or other, when the process forks."""
    said = run(
        directory,
        tmp_path,
        """
        stop = threading.Event()

        def probe():
            while not stop.is_set():
                with oware_db.Tables(sys.argv[1], cache=1 << 16) as own:
                    own.probe_many(boards)
                tables.probe_many(boards)
                tables.layer(8).low
                tables.layer(10).boards()

        threads = [threading.Thread(target=probe, daemon=True) for _ in range(3)]
        [thread.start() for thread in threads]

        def work():
            signal.alarm(60)
            assert (tables.probe_many(boards)[0] == low).all()
            assert tables.probe(boards[3]).low == low[3]
            assert (tables.layer(9).low == layer.low).all()
            assert (layer.low[ranks] == low).all()

        for number in range(40):
            well(in_child(work))
        stop.set()
        [thread.join() for thread in threads]
        print("well")
        """,
    )
    assert said == "well\n"


def test_a_child_that_closes_leaves_its_parent_open(directory, tmp_path):
    said = run(
        directory,
        tmp_path,
        """
        def work():
            tables.close()
            assert "closed" in repr(tables)

        well(in_child(work))
        everything(1)
        print("well")
        """,
    )
    assert said == "well\n"


def test_other_games_fork_too(tmp_path):
    """Their tables are made by the program, so this directory has none: what needs no table is
    asked, and what does says so."""
    text = """
    import os, signal, sys
    import numpy as np
    import oware_db

    held = oware_db.MancalaTables(sys.argv[1], "bao-laps")
    over = np.tile([0] * 10 + [1, 0, 0, 0, 2, 0], (20_000, 1))

    def asked():
        assert set(held.probe_many(over)[0]) == {-3}
        assert held.get([1] * 16, "none") == "none"

    asked()
    if (child := os.fork()) == 0:
        signal.alarm(60)
        asked()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    """
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(text), tmp_path]
    subprocess.run(command, check=True, timeout=120)


def test_no_thread_outlives_its_call(directory, tmp_path):
    """So that a fork has nothing to lose: the system counts as many as before."""
    said = run(
        directory,
        tmp_path,
        """
        everything(3)
        oware_db.forecast("abapa", 20, sys.argv[2])
        # A thread that has done its work takes a moment to go.
        for _ in range(100):
            threads = len(os.listdir("/proc/self/task"))
            if threads == threads_at_first:
                break
            time.sleep(0.02)
        assert threads == threads_at_first, (threads_at_first, threads)
        print("well")
        """,
    )
    assert said == "well\n"
