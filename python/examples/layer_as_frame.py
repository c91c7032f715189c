"""Reads a layer as a pandas frame: what is the right to move worth, by seeds in the mover's row?

    python layer_as_frame.py TABLES SEEDS [SHEET]
"""

import sys

import pandas as pd

import oware_db

HOUSES = [*"ABCDEFabcdef"]


def frame(layer):
    """One row for each position, in rank order."""
    table = pd.DataFrame(layer.boards(), columns=HOUSES)
    return table.assign(low=layer.low, high=layer.high)


def main(directory, seeds, rules="abapa"):
    positions = frame(oware_db.Tables(directory, rules=rules).layer(int(seeds)))
    own = positions[HOUSES[:6]].sum(axis=1).rename("own seeds")
    print(positions.groupby(own)["low"].agg(["count", "mean", "min", "max"]).round(2))
    exact = (positions["low"] == positions["high"]).mean()
    print(f"{len(positions)} positions, {exact:.2%} of them exact")


if __name__ == "__main__":
    main(*sys.argv[1:])
