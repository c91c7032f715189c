"""Trains a small network on a dataset of `oware dataset --format npy`, and has its moves judged.

    python train_on_dataset.py DATASET TABLES [EPOCHS [REPORT.json]]

The network sees how many seeds each house has and says what each move is worth (`q`). It is trained on
`train`, and its errors are told for `validation` and for `held_out`, layers of which it has seen nothing.
Takes PyTorch: pip install 'oware_db[torch]'
"""

import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn

import oware_db
from oware_db import bench

# Seeds in a house that are told apart; the last stands for more, too.
COUNTS = 16


def load(directory, split):
    """Boards and scores of moves of a split; the files are mapped, not read whole."""
    files = sorted(Path(directory).glob(f"{split}-*.npy"))
    shards = [np.load(file, mmap_mode="r") for file in files]
    boards = np.concatenate([shard["board"] for shard in shards])
    scores = np.concatenate([shard["q"] for shard in shards])
    return torch.from_numpy(boards.copy()), torch.from_numpy(scores.copy())


class Network(nn.Module):
    """Houses by their seeds, two hidden layers, a number for each move."""

    def __init__(self, width=256):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(12 * COUNTS, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 6)
        )

    def forward(self, boards):
        houses = boards.clamp(max=COUNTS - 1).long()
        return self.layers(nn.functional.one_hot(houses, COUNTS).flatten(1).float())


def error(found, scores):
    """The mean of the squared errors of the moves that are legal and known."""
    known = scores > -100
    return ((found - scores.float())[known] ** 2).mean()


def train(network, boards, scores, epochs, batch=1024):
    dice = torch.Generator().manual_seed(1)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    for epoch in range(epochs):
        for rows in torch.randperm(len(boards), generator=dice).split(batch):
            optimizer.zero_grad()
            loss = error(network(boards[rows]), scores[rows])
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch + 1}: {loss.item() ** 0.5:.2f} seeds off in the last batch")


def policy(network):
    """The legal move that the network holds for the best."""

    def choose(boards):
        with torch.no_grad():
            found = network(torch.from_numpy(np.ascontiguousarray(boards, np.uint8))).numpy()
        legal = np.zeros_like(found, bool)
        for row, board in enumerate(boards):
            legal[row, ["ABCDEF".index(move.house) for move in oware_db.moves(board)]] = True
        return np.where(legal, found, -np.inf).argmax(axis=1)

    return choose


def main(dataset, directory, epochs="4", file=None):
    torch.manual_seed(1)
    network = Network()
    train(network, *load(dataset, "train"), int(epochs))
    for split in ["validation", "held_out"]:
        boards, scores = load(dataset, split)
        with torch.no_grad():
            off = error(network(boards), scores).item() ** 0.5
        print(f"{split}: {off:.2f} seeds off")
    tables = oware_db.Tables(directory)
    report = bench.evaluate(tables, policy(network), name="network")
    print(report)
    if file:
        Path(file).write_text(report.json() + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
