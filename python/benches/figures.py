"""How fast the package answers: seconds by the clock and of processors, and memory.

    python python/benches/figures.py TABLES [SHEET]

The tables have to reach 17 seeds; layers of 20 are decoded if they are there."""

import resource
import sys
import time

import numpy as np

import oware_db

PROBED = 4_000_000


def measured(what, work):
    """Does something, says what it cost, and returns what came of it."""
    start, start_of_processors = time.perf_counter(), time.process_time()
    result = work()
    seconds = time.perf_counter() - start
    of_processors = time.process_time() - start_of_processors
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{what}: {seconds:.2f} s, {of_processors:.2f} s of processors, {memory} MB at most")
    return result


def main(path, rules="abapa"):
    tables = oware_db.Tables(path, rules=rules)
    layer = tables.layer(17)
    ranks = np.random.default_rng(1).integers(0, len(layer), PROBED)
    boards = measured(f"unrank, {PROBED} random ranks of 17 seeds", lambda: layer.unrank(ranks))
    assert (measured("rank, the same", lambda: layer.rank(boards)) == ranks).all()
    for tiles in ["cold", "warm", "warm"]:
        low, _ = measured(f"probe_many, the same, {tiles}", lambda: tables.probe_many(boards))
    for seeds in [17, 20]:
        if seeds in tables.seeds:
            layer = tables.layer(seeds)
            whole = measured(f"layer({seeds}).low, {len(layer)} positions", lambda: layer.low)
            assert seeds > 17 or (whole[ranks] == low).all()


if __name__ == "__main__":
    main(*sys.argv[1:])
