"""Draws how the scores of a sheet are distributed, layer by layer.

    python scores_by_layer.py TABLES PICTURE.png [SHEET]
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import oware_db


def main(directory, picture, rules="abapa"):
    tables = oware_db.Tables(directory, rules=rules)
    figure, axes = plt.subplots(figsize=(8, 5))
    for figures in tables.stats():
        scores, counts = zip(*sorted(figures["histogram"].items()))
        shares = [count / figures["positions"] for count in counts]
        axes.plot(scores, shares, marker=".", label=f"{figures['seeds']} seeds")
    axes.set(xlabel="score of the player to move", ylabel="share of positions", title=rules)
    axes.legend(fontsize="small", ncols=2)
    figure.savefig(picture, dpi=100)
    print(f"{len(axes.lines)} layers in {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
