"""Building tables, and interrupting it."""

import importlib
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import oware_db
from oware_db import Tables, UsageError


def test_layers_are_built_once(tmp_path):
    events = []
    assert oware_db.build("plain", 4, tmp_path, progress=events.append) == [0, 1, 2, 3, 4]
    assert {"started", "settled", "written"} <= {event["event"] for event in events}
    written = [event for event in events if event["event"] == "written"]
    assert [event["seeds"] for event in written] == [0, 1, 2, 3, 4]
    assert written[4]["positions"] == len(Tables(tmp_path, rules="plain").layer(4))
    assert oware_db.build("plain", 5, tmp_path) == [5]
    assert Tables(tmp_path, rules="plain").seeds == [0, 1, 2, 3, 4, 5]


def test_what_progress_raises_ends_the_build(tmp_path):
    class Enough(Exception):
        pass

    def progress(event):
        if event["seeds"] == 3:
            raise Enough

    with pytest.raises(Enough):
        oware_db.build("abapa", 8, tmp_path, progress=progress)
    assert Tables(tmp_path).seeds == [0, 1, 2]


def test_ctrl_c_ends_the_build_and_keeps_layers(tmp_path):
    """Layer 24 takes seconds; a signal comes as soon as layer 14 is written."""
    # A shell that runs the tests in the background has them ignore the signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    begun = threading.Event()

    def progress(event):
        if event["event"] == "written" and event["seeds"] == 14:
            begun.set()

    def interrupt():
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        oware_db.build("awari", 24, tmp_path, progress=progress, memory="8G")
    assert time.monotonic() - start < 60
    assert [*range(15)] == Tables(tmp_path, rules="awari").seeds[:15]
    wait_for_the_directory(tmp_path)
    assert oware_db.build("awari", 5, tmp_path) == []


def wait_for_the_directory(path):
    """What was under way when a build was interrupted ends within moments."""
    for _ in range(100):
        try:
            return oware_db.build("awari", 0, path)
        except OSError:
            time.sleep(0.1)
    pytest.fail("the directory stays taken")


def interrupted(work, wait):
    """Interrupts work after some seconds, and returns how long that took; None if it had ended."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(wait, interrupt)
    timer.start()
    try:
        work()
    except KeyboardInterrupt:
        return time.monotonic() - sent[0]
    finally:
        timer.cancel()
        timer.join()
    return None


@pytest.mark.parametrize("rules, there, seeds", [("abapa", 13, 19), ("abapa-every", 9, 18), ("awari", 13, 20)])
def test_ctrl_c_ends_a_build_within_a_second(tmp_path, rules, there, seeds):
    """Whatever it is at: reading layers, solving, settling knots, or writing. The machine may be busy
    with other things, so that two seconds are an error."""
    oware_db.build(rules, there, tmp_path)
    took = []
    for wait in [0.05, 0.3, 0.9, 1.7]:
        build = lambda: oware_db.build(rules, seeds, tmp_path, memory="8G")
        took.append(interrupted(build, wait))
        wait_for_the_directory(tmp_path)
    took = [seconds for seconds in took if seconds is not None]
    assert len(took) >= 3 and max(took) < 2, took


def test_ctrl_c_ends_what_takes_long(larger):
    """Decoding, probing of many, and arrays of many boards."""
    tables = Tables(larger, rules="awari", cache=1)
    boards = np.tile(tables.layer(18).boards(0, 2_000_000), (10, 1))
    layer = tables.layer(22)
    works = [
        lambda: tables.layer(18).low,
        lambda: tables.probe_many(boards),
        lambda: layer.boards(),
        lambda: layer.rank(layer.boards(0, 40_000_000)),
    ]
    took = [interrupted(work, wait) for work in works for wait in [0.1, 0.4]]
    took = [seconds for seconds in took if seconds is not None]
    assert len(took) >= 4 and max(took) < 2, took


def test_what_memory_does_not_hold_is_refused(tmp_path):
    """Nothing is begun: 48 seeds would take terabytes."""
    out = tmp_path / "tables"
    with pytest.raises(MemoryError, match=r"building to 48 seeds takes .* TB of memory, but only .* are al"):
        oware_db.build("abapa", 48, out)
    for memory in [100_000_000, "100M"]:
        with pytest.raises(UsageError) as told:
            oware_db.build("abapa", 20, out, memory=memory)
    assert "100 MB are allowed; up to 12 seeds are possible, and `oware build" in str(told.value)
    with pytest.raises(UsageError, match="not a single layer fits"):
        oware_db.build("abapa", 3, out, memory=1000)
    assert not out.exists()
    # A process of its own holds nothing else: what was interrupted before may still take memory here.
    build = "oware_db.build('abapa', 12, sys.argv[1], memory='100M')"
    command = [sys.executable, "-c", f"import oware_db, sys; print({build})", str(out)]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    assert said.stdout == f"{[*range(13)]}\n"
    assert oware_db.build("abapa", 12, out, memory=0) == []


def test_a_build_is_forecast(tmp_path):
    known = oware_db.forecast("awari", 12, tmp_path / "later")
    assert not (tmp_path / "later").exists()
    assert known["missing"] == [*range(13)] and known["seeds"] == 12
    assert 40_000_000 < known["memory"] < 200_000_000 < known["allowed"]
    assert 0 < known["disk"] < known["free"] and 20 < known["possible"] < 40
    assert oware_db.forecast("awari", 12, tmp_path, "1G")["allowed"] == 10**9
    events = []
    oware_db.build("awari", 8, tmp_path, progress=events.append)
    assert events[0]["event"] == "forecast" and events[0]["missing"] == [*range(9)]
    assert oware_db.forecast("awari", 8, tmp_path)["missing"] == []
    assert oware_db.forecast("awari", 10, tmp_path)["missing"] == [9, 10]
    used = sum(file.stat().st_size for file in tmp_path.glob("*.oware"))
    assert used < events[0]["disk"]


BUILD = """
import resource, sys, oware_db

def held():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10

rules, seeds, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
before = held()
oware_db.build(rules, seeds, out)
print(held() - before)
"""


@pytest.mark.parametrize("rules", ["abapa", "awari", "abapa-agreed", "masters-drawn", "abapa-every"])
def test_a_build_keeps_to_its_forecast(tmp_path, rules):
    # Of these two, larger layers take long.
    for seeds in [8, {"abapa-agreed": 11, "abapa-every": 9}.get(rules, 13)]:
        out = tmp_path / str(seeds)
        foreseen = oware_db.forecast(rules, seeds, out)["memory"]
        command = [sys.executable, "-c", BUILD, rules, str(seeds), out]
        said = subprocess.run(command, check=True, capture_output=True, text=True)
        assert int(said.stdout) < foreseen, (seeds, foreseen)


def test_a_build_that_takes_more_than_foreseen_ends(tmp_path, monkeypatch):
    """What it holds is looked at all the time: here something else takes memory meanwhile."""
    held = []

    def progress(event):
        if event["seeds"] == 12 and event["event"] == "started":
            held.append(np.ones(700_000_000, np.uint8))

    with pytest.raises(UsageError, match="the build has reached .* 250 MB are allowed; finished"):
        oware_db.build("abapa", 14, tmp_path, progress=progress, memory="250M")
    assert Tables(tmp_path).seeds[:12] == [*range(12)]


def test_the_limit_of_the_address_space_counts(tmp_path):
    code = "import oware_db, sys; print(oware_db.forecast('abapa', 12, sys.argv[1])['allowed'])"
    limited = f"ulimit -v 3000000; exec {sys.executable} -c \"{code}\" {tmp_path}"
    said = subprocess.run(["bash", "-c", limited], check=True, capture_output=True, text=True)
    assert 0 < int(said.stdout) < 3_000_000 * 1024 * 3 / 4


def test_bounds_of_control_groups_count(tmp_path, monkeypatch):
    """A group and those above it, of both kinds; files that could go do not count as held."""
    machine = importlib.import_module("oware_db._machine")
    files = {
        "/proc/self/cgroup": "4:cpu,memory:/a\n0::/user/work\n",
        "/sys/fs/cgroup/user/memory.max": "5000000\n",
        "/sys/fs/cgroup/user/memory.current": "1000000\n",
        "/sys/fs/cgroup/user/work/memory.max": "max\n",
        "/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "7000000\n",
        "/sys/fs/cgroup/memory/a/memory.usage_in_bytes": "2000000\n",
        "/sys/fs/cgroup/memory/a/memory.stat": "cache 1\ninactive_file 500000\n",
    }
    monkeypatch.setattr(machine, "_lines", lambda path: files.get(str(path), "").splitlines())
    assert sorted(machine._of_groups()) == [4_000_000, 5_500_000]
    assert machine.available_memory() == 4_000_000
    monkeypatch.undo()
    assert machine.available_memory() > 10**8
    assert machine.free_disk(tmp_path / "not" / "there") > 0


def test_a_directory_has_one_builder(tmp_path):
    """Leftovers of a killed builder go, and nobody takes a file that is being written for one."""
    left = tmp_path / "abapa-07.oware.4711-aZ09bY.tmp"
    left.touch()
    refused = []

    def progress(event):
        assert event["event"] == "forecast" or not left.exists()
        if event["event"] != "forecast" and not refused:
            with pytest.raises(OSError, match="another build is running in this directory") as told:
                oware_db.build("awari", 2, tmp_path)
            refused.append(told)

    assert oware_db.build("abapa", 2, tmp_path, progress=progress) == [0, 1, 2]
    assert len(refused) == 1
    assert oware_db.build("awari", 2, tmp_path) == [0, 1, 2]


def test_a_directory_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError, match="file/tables: opening failed"):
        oware_db.build("abapa", 2, tmp_path / "file" / "tables")
