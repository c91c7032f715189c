"""Trains the engine's evaluation and writes its weights as the engine reads them.

    python3 python/training/train_evaluation.py weights.bin positions.txt ...

The files of positions are what `examples/evaluation_data.rs` writes: twelve houses, the mover's
first, and what the position is worth in hundredths of a seed. One position in twenty is held out;
the error stands on standard output, for the integers that are written, by seeds on the board.

The network has an input for each house and number of seeds in it, 32 hidden units whose sum is
cut off at 0 and 1 and squared, and one output for each band of seeds on the board. Its file is
described in `src/engine/search/network.rs`. Needs numpy alone; the same seeds and version of numpy
give the same weights on the same machine.
"""

import struct
import sys

import numpy as np

HOUSES, COUNTS, HIDDEN, BANDS = 12, 24, 32, 8
INPUTS = HOUSES * COUNTS
# One in the first layer, as an integer; its square is one in the second.
ONE = 181
# The output's integers are hundredths of a seed times 2 ** SHIFT / ONE ** 2.
SHIFT = 16
MOST_OUTPUT = 2047
MAGIC, VERSION = b"OwareNet", 1

EPOCHS, BATCH, RATE, SEED = 24, 4096, 3e-3, 1
# Errors beyond so many seeds count by their size, not its square.
BEND = 6.0


def read(paths):
    """Returns the boards and what they are worth in seeds."""
    rows = [np.fromstring(open(path).read(), dtype=np.int32, sep=" ").reshape(-1, 13) for path in paths]
    rows = np.concatenate(rows)
    return rows[:, :12], (rows[:, 12] / 100).astype(np.float32)


def features(boards):
    """Returns the twelve inputs that are one for each board, and its band."""
    inputs = np.minimum(boards, COUNTS - 1) + COUNTS * np.arange(HOUSES)
    return inputs, np.maximum(boards.sum(axis=1) - 1, 0) // 6


class Network:
    """Weights as numbers with a point, and how they are learnt."""

    def __init__(self, dice):
        scale = 1 / np.sqrt(HOUSES)
        self.parts = {
            "rows": dice.normal(0, 0.3 * scale, (INPUTS, HIDDEN)),
            "bias": np.full(HIDDEN, 0.4),
            "outputs": dice.normal(0, 1.0, (HIDDEN, 1)).repeat(BANDS, axis=1),
            "rest": np.zeros(BANDS),
        }
        self.parts = {name: part.astype(np.float32) for name, part in self.parts.items()}
        self.means = {name: np.zeros_like(part) for name, part in self.parts.items()}
        self.squares = {name: np.zeros_like(part) for name, part in self.parts.items()}
        self.steps = 0

    def gradient(self, inputs, bands, worths):
        """Returns the slope of the error by each weight, and the error."""
        count = len(worths)
        ones = np.zeros((count, INPUTS), np.float32)
        ones[np.arange(count)[:, None], inputs] = 1
        sums = ones @ self.parts["rows"] + self.parts["bias"]
        held = np.clip(sums, 0, 1)
        hidden = held * held
        picked = np.zeros((count, BANDS), np.float32)
        picked[np.arange(count), bands] = 1
        outputs = picked @ self.parts["outputs"].T
        wrong = (hidden * outputs).sum(axis=1) + self.parts["rest"][bands] - worths
        slope = (np.clip(wrong, -BEND, BEND) / count)[:, None]
        inner = slope * outputs * 2 * held * ((sums > 0) & (sums < 1))
        slopes = {
            "rows": ones.T @ inner,
            "bias": inner.sum(axis=0),
            "outputs": (slope * hidden).T @ picked,
            "rest": (slope * picked).sum(axis=0),
        }
        return slopes, np.abs(wrong).mean()

    def learn(self, slopes, rate):
        """Takes a step down the slope (Adam: Kingma and Ba, 2015)."""
        self.steps += 1
        for name, slope in slopes.items():
            self.means[name] += 0.1 * (slope - self.means[name])
            self.squares[name] += 0.001 * (slope * slope - self.squares[name])
            mean = self.means[name] / (1 - 0.9**self.steps)
            square = self.squares[name] / (1 - 0.999**self.steps)
            self.parts[name] -= rate * mean / (np.sqrt(square) + 1e-8)
        limit = MOST_OUTPUT * ONE**2 / 2**SHIFT / 100
        np.clip(self.parts["outputs"], -limit, limit, out=self.parts["outputs"])

    def integers(self):
        """Returns the weights as the engine has them."""
        unit = 100 * 2**SHIFT
        whole = lambda part, scale, kind: np.round(part * scale).astype(kind)
        return {
            "rows": whole(self.parts["rows"], ONE, "<i2"),
            "bias": whole(self.parts["bias"], ONE, "<i2"),
            "outputs": whole(self.parts["outputs"].T, unit / ONE**2, "<i2"),
            "rest": whole(self.parts["rest"], unit, "<i4"),
        }


def train(network, inputs, bands, worths, dice):
    steps, step = EPOCHS * (len(worths) // BATCH), 0
    for epoch in range(EPOCHS):
        order, errors = dice.permutation(len(worths)), []
        for at in range(0, len(order) - BATCH + 1, BATCH):
            some = order[at : at + BATCH]
            rate = RATE * (0.5 + 0.5 * np.cos(np.pi * step / steps)) + 1e-5
            slopes, error = network.gradient(inputs[some], bands[some], worths[some])
            network.learn(slopes, rate)
            errors.append(error)
            step += 1
        print(f"epoch {epoch + 1}: mean absolute error {np.mean(errors):.3f} seeds", flush=True)


def estimates(weights, boards):
    """Returns what the engine says, in seeds."""
    inputs, bands = features(boards)
    sums = weights["rows"].astype(np.int32)[inputs].sum(axis=1) + weights["bias"]
    hidden = np.clip(sums, 0, ONE) ** 2
    totals = (hidden * weights["outputs"].astype(np.int64)[bands]).sum(axis=1)
    seeds = boards.sum(axis=1)
    return np.clip((totals + weights["rest"][bands]) >> SHIFT, -100 * seeds, 100 * seeds) / 100


def checksum(data):
    """Returns FNV-1a of 64 bits."""
    found = 0xCBF29CE484222325
    for byte in data:
        found = (found ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return found


def write(path, weights):
    head = MAGIC + struct.pack("<4H", VERSION, COUNTS, HIDDEN, BANDS)
    parts = ("rows", "bias", "outputs", "rest")
    data = head + b"".join(weights[part].tobytes() for part in parts)
    with open(path, "wb") as file:
        file.write(data + struct.pack("<Q", checksum(data)))


def main():
    path, *sources = sys.argv[1:]
    boards, worths = read(sources)
    dice = np.random.default_rng(SEED)
    held_out = dice.random(len(worths)) < 0.05
    inputs, bands = features(boards)
    print(f"{len(worths)} positions, {held_out.sum()} held out", flush=True)
    network = Network(dice)
    learnt = ~held_out
    train(network, inputs[learnt], bands[learnt], worths[learnt], dice)
    weights = network.integers()
    wrong = np.abs(estimates(weights, boards[held_out]) - worths[held_out])
    seeds = boards[held_out].sum(axis=1)
    for least in range(1, 48, 6):
        some = wrong[(seeds >= least) & (seeds < least + 6)]
        if len(some):
            print(f"{least} to {least + 5} seeds: {len(some)} positions, error {some.mean():.3f}")
    print(f"all: error {wrong.mean():.3f} seeds")
    write(path, weights)


if __name__ == "__main__":
    main()
