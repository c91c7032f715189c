"""Building tables, and interrupting it."""

import os
import signal
import threading
import time

import pytest

import oware_db
from oware_db import Tables


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
        oware_db.build("awari", 24, tmp_path, progress=progress)
    assert time.monotonic() - start < 60
    assert [*range(15)] == Tables(tmp_path, rules="awari").seeds[:15]
    assert oware_db.build("awari", 5, tmp_path) == []


def test_a_directory_has_one_builder(tmp_path):
    """Leftovers of a killed builder go, and nobody takes a file that is being written for one."""
    left = tmp_path / "abapa-07.oware.4711-aZ09bY.tmp"
    left.touch()
    refused = []

    def progress(event):
        assert not left.exists()
        if not refused:
            with pytest.raises(OSError, match="another build is at work in this directory") as told:
                oware_db.build("awari", 2, tmp_path)
            refused.append(told)

    assert oware_db.build("abapa", 2, tmp_path, progress=progress) == [0, 1, 2]
    assert len(refused) == 1
    assert oware_db.build("awari", 2, tmp_path) == [0, 1, 2]


def test_a_directory_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="making the directory failed"):
        oware_db.build("abapa", 2, tmp_path / "file" / "tables")
