"""Labels positions of random OpenSpiel games by the rules that OpenSpiel plays, and compares the moves.

    python label_openspiel.py TABLES [GAMES [POSITIONS.npz]]

TABLES has tables of the sheet `abapa-every`: any position that comes back ends the game. A label is two
numbers, `low` and `high`: where they differ, only these bounds are proved. A game of theirs that has
moved for long is cut short; where they say that a game goes on, the legal moves have to be ours, and so
have the boards that they lead to.
"""

import random
import sys

import numpy as np
import pyspiel

import oware_db
from oware_db import spiel


def compare(state):
    """The position of a state, after its moves were found to be ours."""
    position = spiel.position(state)
    ours = {spiel.action(move.house): move for move in oware_db.moves(position, rules=spiel.RULES)}
    assert set(ours) == set(state.legal_actions()), f"{position}: {sorted(ours)}"
    for action in state.legal_actions():
        child = state.child(action)
        if not child.is_terminal():
            after = spiel.position(child)
            assert after.board.tolist() == ours[action].board.tolist(), position
    return position


def positions(games):
    """The positions of random games, each once."""
    dice, found = random.Random(1), {}
    for _ in range(games):
        state = pyspiel.load_game("oware").new_initial_state()
        while not state.is_terminal():
            position = compare(state)
            found.setdefault(tuple(position.board.tolist()), position)
            state.apply_action(dice.choice(state.legal_actions()))
    return list(found.values())


def main(directory, games="200", file=None):
    tables = oware_db.Tables(directory, rules=spiel.RULES)
    compared = positions(int(games))
    boards = np.array([position.board for position in compared])
    known = boards[boards.sum(axis=1) <= max(tables.seeds)]
    low, high = tables.probe_many(known)
    if file:
        np.savez_compressed(file, boards=known, low=low, high=high)
    print(
        f"{len(compared)} positions have the same moves; {len(known)} have a label, of which "
        f"{(low == high).sum()} are exact and the others bounds"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
