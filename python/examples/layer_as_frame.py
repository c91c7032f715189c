"""Reads a layer as a pandas frame: what is the right to move worth, by seeds in the mover's row?

    python layer_as_frame.py TABLES SEEDS [SHEET [LAYER.parquet]]
"""

import sys

import oware_db


def main(directory, seeds, rules="abapa", file=None):
    with oware_db.Tables(directory, rules=rules) as tables:
        layer = tables.layer(int(seeds))
        positions = layer.to_frame()
        if file:
            layer.to_parquet(file)
    mover = [name for name in positions if name.startswith("mover")]
    own = positions[mover].sum(axis=1).rename("own seeds")
    print(positions.groupby(own)["low"].agg(["count", "mean", "min", "max"]).round(2))
    exact = (positions["low"] == positions["high"]).mean()
    print(f"{len(positions)} positions, {exact:.2%} of them exact")


if __name__ == "__main__":
    main(*sys.argv[1:])
