"""Labels positions of random OpenSpiel games with exact scores, and compares the moves.

    python label_openspiel.py TABLES [GAMES [POSITIONS.npz]]

OpenSpiel's Oware has the moves of the sheet `abapa`. A game of theirs that has moved for long is
cut short, and they end it when a position repeats; where they say that a game goes on, the legal
moves have to be ours, and so have the boards that they lead to.
"""

import random
import sys

import numpy as np
import pyspiel

import oware_db


def compare(state):
    """The position of a state, after its moves were found to be ours."""
    position = oware_db.Position(state.observation_string(state.current_player()))
    ours = {"ABCDEF".index(move.house): move for move in oware_db.moves(position)}
    theirs = {action % 6 for action in state.legal_actions()}
    assert set(ours) == theirs, f"{position}: {sorted(ours)}, OpenSpiel {sorted(theirs)}"
    for action in state.legal_actions():
        child = state.child(action)
        if not child.is_terminal():
            after = oware_db.Position(child.observation_string(child.current_player()))
            assert after.board.tolist() == ours[action % 6].board.tolist(), position
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
    tables = oware_db.Tables(directory)
    compared = positions(int(games))
    boards = np.array([position.board for position in compared])
    known = boards[boards.sum(axis=1) <= max(tables.seeds)]
    low, high = tables.probe_many(known)
    if file:
        np.savez_compressed(file, boards=known, low=low, high=high)
    print(f"{len(compared)} positions have the same moves; {len(known)} have a score")


if __name__ == "__main__":
    main(*sys.argv[1:])
