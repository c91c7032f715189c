"""OpenSpiel's Oware by the rules it plays, which are those of the sheet `abapa-every`: any position that
comes back ends the game. Needs `open_spiel` and, for scores, tables of that sheet.

>>> tables = oware_db.Tables("tables", rules="abapa-every")
>>> policy = oware_db.spiel.PerfectPolicy(tables)       # a policy of OpenSpiel, with history
>>> oware_db.spiel.label(tables, state)                 # (low, high): equal where it is proved

A score is what the tables prove: two numbers where only bounds are proved. Games of OpenSpiel end after
1,000 moves at the latest, which the tables do not know.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import Game, MissingTableError, Position, Tables, UsageError
from .bench import Report, judge

RULES = "abapa-every"

__all__ = [
    "RULES",
    "PerfectPolicy",
    "action",
    "evaluate",
    "game",
    "house",
    "label",
    "observation",
    "position",
    "reached",
    "state",
]


def position(state: Any) -> Position:
    """The position of a state, the player to move first, with what has been captured."""
    return Position(state.observation_string(0))


def observation(position: Position) -> str:
    """OpenSpiel's text for a position; what was captured must be known."""
    if position.stores is None:
        raise UsageError("OpenSpiel's text has the seeds captured before, which are not known here")
    side = ["South", "North"].index(position.seat)
    rows, stores = position.board.reshape(2, 6), position.stores
    first, second = (rows, stores) if side == 0 else (rows[::-1], stores[::-1])
    numbers = " ".join(str(count) for count in np.ravel(first))
    return f"{side} | {second[0]} {second[1]} | {numbers}"


def house(action: int) -> str:
    """The house that an action empties, from the mover's left."""
    return "ABCDEF"[action]


def action(house: "str | int") -> int:
    """The action that empties a house."""
    return house if isinstance(house, int) else "ABCDEF".index(house.upper())


def game(state: Any) -> Game:
    """The game that led to a state, with its history."""
    return Game(RULES, moves=[house(action) for action in state.history()])


def state(game: "Game | Sequence[str]") -> Any:
    """The state of OpenSpiel after the moves of a game from the usual start."""
    import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]

    moves = game.moves if isinstance(game, Game) else game
    made = pyspiel.load_game("oware").new_initial_state()
    for letter in moves:
        made.apply_action(action(letter))
    return made


def label(tables: Tables, state: Any) -> "tuple[int, int]":
    """The bounds of the score of the player to move, with fresh history: the seeds that they will still
    get minus those that the opponent will."""
    _of_spiel(tables)
    found = tables.probe(position(state))
    return found.low, found.high


class PerfectPolicy:
    """A policy of OpenSpiel that plays perfectly within the tables, history included: a player who follows
    it from a position with fresh history gets the score of the tables. Outside of them it plays each move
    with the same probability, or raises MissingTableError if `strict`."""

    def __init__(self, tables: Tables, strict: bool = False):
        _of_spiel(tables)
        self._tables, self._strict = tables, strict

    def action_probabilities(self, state: Any, player_id: "int | None" = None) -> "dict[int, float]":
        """The probability of each action that has one."""
        if player_id is not None and player_id != state.current_player():
            raise UsageError(f"player {player_id} is not to move")
        try:
            best = self._tables.best(game(state))
        except MissingTableError:
            if self._strict:
                raise
            legal = state.legal_actions()
            return {action: 1 / len(legal) for action in legal}
        assert best is not None, "the game is over"
        return {action(best.house): 1.0}

    def policy_for_key(self, key: str) -> "list[float]":
        """The probabilities of the six actions at an observation string, with fresh history."""
        found = Game(RULES, Position(key))
        try:
            best = self._tables.best(found)
        except MissingTableError:
            if self._strict:
                raise
            legal = [move.house for move in found.legal_moves()]
            return [float(house(each) in legal) / len(legal) for each in range(6)]
        return [float(best is not None and best.house == house(each)) for each in range(6)]

    def step(self, state: Any) -> int:
        """The move of a bot."""
        return max(self.action_probabilities(state).items(), key=lambda item: item[1])[0]


def reached(count: int, seeds: int, seed: int = 1) -> "list[Any]":
    """States with at most so many seeds that random games of OpenSpiel reach, one of each game."""
    import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]

    dice = np.random.default_rng(seed)
    found: "list[Any]" = []
    load = pyspiel.load_game("oware")
    while len(found) < count:
        at = load.new_initial_state()
        within: "list[Any]" = []
        while not at.is_terminal():
            if int(position(at).board.sum()) <= seeds:
                within.append(at.clone())
            at.apply_action(int(dice.choice(at.legal_actions())))
        if within:
            found.append(within[int(dice.integers(len(within)))])
    return found


def evaluate(tables: Tables, bot: Any, states: "Iterable[Any]", name: "str | None" = None) -> Report:
    """Judges a bot or a policy of OpenSpiel in states: it has `step`, or `action_probabilities`, of which
    the greatest counts. The bot sees the game so far; its moves are judged with fresh history."""
    _of_spiel(tables)
    states = list(states)
    boards = np.array([position(state).board for state in states])
    chosen: NDArray[np.int64] = np.array([_choice(bot, state) for state in states], np.int64)
    return judge(tables, boards, chosen, name or type(bot).__name__)


def _choice(bot: Any, state: Any) -> int:
    if hasattr(bot, "step"):
        return int(bot.step(state))
    chances = bot.action_probabilities(state)
    return int(max(chances, key=chances.get))


def _of_spiel(tables: Tables) -> None:
    if tables.rules != RULES:
        raise UsageError(
            f"OpenSpiel plays by `{RULES}`, and the tables are of `{tables.rules}`; open those of "
            f'`{RULES}`, as in Tables(path, rules="{RULES}")'
        )
