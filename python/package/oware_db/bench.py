"""How good is a policy? Its moves, judged by exact tables.

    python -m oware_db.bench TABLES greedy
    python -m oware_db.bench TABLES my_module:policy --json report.json --figure report.png
    python -m oware_db.bench TABLES "engine:oware engine --no-tables" --go "depth 4"

A policy is a function of boards, integers with the shape (N, 12), the mover's row first, that returns
the houses it would empty, N numbers from 0 (A) to 5 (F). `each` makes one of a function of a single
board. Policies of OpenSpiel, which need a state with its history, are judged by `oware_db.spiel`.

A move loses what the tables say it does for sure: the position's score minus the move's. It throws a
result away if a game of 48 seeds that is even before it is won no more, or lost. Judging knows no
history, so a move that closes a cycle counts as the tables have it.
"""

import argparse
import importlib
import json
import math
import shlex
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import Game, Tables, UsageError, moves

Boards = NDArray[np.uint8]
Policy = Callable[[Boards], Any]

# The normal distribution has 95 % within so many standard deviations.
_NORMAL = 1.959964
# Moves of a game, at most; it counts as ended by a repetition then.
_MOST_PLIES = 1000


@dataclass
class Figures:
    """Moves that were judged. Each figure is (value, low, high), the bounds with 95 % confidence."""

    judged: int
    best: "tuple[float, float, float]"
    mean_loss: "tuple[float, float, float]"
    thrown_away: "tuple[float, float, float]"
    worst_loss: int


@dataclass
class Report:
    """What a policy's moves are worth: in all, by the seeds on the board, and in whole games."""

    policy: str
    rules: str
    total: Figures
    by_seeds: "dict[int, Figures]"
    illegal: int = 0
    games: int = 0
    below_theory: "tuple[float, float, float] | None" = None
    meaning: str = field(
        default="best: share of best moves; mean_loss: seeds lost a move; thrown_away: share of moves "
        "that lose a result; below_theory: seeds that games against perfect play end below the score "
        "of their first position; each with bounds of 95 % confidence",
        repr=False,
    )

    def json(self) -> str:
        """All of it as JSON."""
        return json.dumps(self, default=vars)

    def __str__(self) -> str:
        head = "  seeds    judged  best moves             seeds lost a move    results thrown away"
        rows = [_row("all", self.total)]
        rows += [_row(str(seeds), figures) for seeds, figures in self.by_seeds.items()]
        lines = [f"{self.policy}, judged by `{self.rules}`, with 95 % confidence:", "", head, *rows]
        if self.illegal:
            lines += ["", f"{self.illegal} moves were not legal and are not judged."]
        if self.below_theory:
            mean = "{:.2f} ({:.2f} to {:.2f})".format(*self.below_theory)
            lines += ["", f"{self.games} games against perfect play ended {mean} seeds below theory."]
        return "\n".join(lines)

    def figure(self, path: str) -> None:
        """Draws best moves and seeds lost by the seeds on the board, with bounds. Takes matplotlib."""
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        picture, panels = pyplot.subplots(1, 2, figsize=(9, 3.5))
        seeds = list(self.by_seeds)
        for axes, name in zip(panels, ["best", "mean_loss"]):
            middle, low, high = zip(*(getattr(row, name) for row in self.by_seeds.values()))
            below, above = np.subtract(middle, low), np.subtract(high, middle)
            axes.errorbar(seeds, middle, yerr=[below, above], marker=".", capsize=2)
            axes.set(xlabel="seeds on the board", title=name.replace("_", " "), ylim=(0, None))
        picture.suptitle(f"{self.policy}, {self.rules}")
        picture.tight_layout()
        picture.savefig(path, dpi=100)
        pyplot.close(picture)


def sample(tables: Tables, count: int, seed: int = 1, seeds: "int | None" = None) -> Boards:
    """Positions of the layers of 1 to `seeds` seeds, each layer as likely as every other, each position
    of a layer too; with a move in each."""
    most = max(tables.seeds) if seeds is None else seeds
    dice, found = np.random.default_rng(seed), []
    for number, wanted in enumerate(_divided(count, most), start=1):
        layer, kept = tables.layer(number), np.empty((0, 12), np.uint8)
        while len(kept) < wanted:
            ranks = dice.integers(0, len(layer), 2 * wanted, dtype=np.uint64)
            boards = layer.unrank(ranks)
            has_move = (tables.moves_many(boards)[0] != -128).any(axis=1)
            kept = np.concatenate([kept, boards[has_move]])[:wanted]
        found.append(kept)
    return np.concatenate(found)


def judge(tables: Tables, boards: Boards, houses: Any, name: str = "policy") -> Report:
    """Judges a move in each of many positions."""
    boards, houses = np.asarray(boards), np.asarray(houses)
    if houses.shape != (len(boards),) or houses.dtype.kind not in "iu":
        raise UsageError(f"a policy returns {len(boards)} houses, numbers from 0 to 5")
    low, high, best = tables.moves_many(boards)
    legal = low != -128
    chosen = np.clip(houses, 0, 5)
    rows = np.arange(len(boards))
    judged = legal[rows, chosen] & (houses == chosen)
    before = np.where(legal, low, -128).max(axis=1).astype(int)
    is_best = best[rows, chosen]
    loss = np.where(is_best, 0, np.maximum(before - high[rows, chosen], 0))
    thrown = _thrown_away(boards, before, before - loss)
    seeds = boards.sum(axis=1)

    def figures(rows: NDArray[np.bool_]) -> Figures:
        return _figures(is_best[rows], loss[rows], thrown[rows])

    return Report(
        policy=name,
        rules=tables.rules,
        total=figures(judged),
        by_seeds={int(n): figures(judged & (seeds == n)) for n in np.unique(seeds[judged])},
        illegal=int((~judged).sum()),
    )


def evaluate(
    tables: Tables,
    policy: Policy,
    positions: int = 10_000,
    games: int = 200,
    seed: int = 1,
    seeds: "int | None" = None,
    name: "str | None" = None,
) -> Report:
    """Judges a policy in positions of the tables, and in whole games against perfect play."""
    boards = sample(tables, positions, seed, seeds)
    name = name or str(getattr(policy, "__name__", type(policy).__name__))
    report = judge(tables, boards, policy(boards), name)
    if games:
        starts = np.random.default_rng(seed + 1).permutation(boards)[:games]
        missed = _games(tables, policy, starts)
        report.games, report.below_theory = len(missed), _mean(missed)
    return report


def each(choose: Callable[[NDArray[np.uint8]], int]) -> Policy:
    """A policy that asks `choose` for one board after the other."""

    def policy(boards: Boards) -> NDArray[np.int64]:
        return np.array([choose(board) for board in boards], np.int64)

    policy.__name__ = getattr(choose, "__name__", "policy")
    return policy


def random(boards: Boards, seed: int = 1, rules: str = "abapa") -> NDArray[np.int64]:
    """The policy of random moves."""
    dice = np.random.default_rng(seed)
    return np.array([dice.choice(_houses(rules, board)) for board in boards], np.int64)


def greedy(boards: Boards, rules: str = "abapa") -> NDArray[np.int64]:
    """The policy that captures most, and of equal moves empties the house furthest left."""

    def most(board: NDArray[np.uint8]) -> int:
        found = moves(board, rules=rules)
        return "ABCDEF".index(max(found, key=lambda move: move.captured).house)

    return np.array([most(board) for board in boards], np.int64)


class engine:
    """The policy of an engine that speaks the engine protocol; `with` ends it."""

    def __init__(self, command: str, go: str = "depth 1", rules: str = "abapa"):
        self.__name__ = f"{command}, go {go}"
        self._go, self._pipe = go, subprocess.PIPE
        self._process = subprocess.Popen(
            shlex.split(command), stdin=self._pipe, stdout=self._pipe, text=True
        )
        self._say("uci", f"setoption name Rules value {rules}", "isready")
        self._hear("readyok")

    def __call__(self, boards: Boards) -> NDArray[np.int64]:
        return np.array([self._move(board) for board in boards], np.int64)

    def _move(self, board: NDArray[np.uint8]) -> int:
        position = "-".join(str(count) for count in board)
        gone = 48 - int(board.sum())
        self._say(f"position fen {position}-{gone // 2}-{gone - gone // 2}-S", f"go {self._go}")
        return "ABCDEF".find(self._hear("bestmove").split()[1].upper())

    def _say(self, *lines: str) -> None:
        assert self._process.stdin
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def _hear(self, word: str) -> str:
        assert self._process.stdout
        for line in self._process.stdout:
            if line.split()[:1] == [word]:
                return line
        raise UsageError(f"the engine ended before it said `{word}`")

    def close(self) -> None:
        """Ends the engine."""
        self._process.stdin and self._process.stdin.close()
        self._process.stdout and self._process.stdout.close()
        self._process.wait()

    def __enter__(self) -> "engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _divided(count: int, parts: int) -> Iterator[int]:
    yield from (count * (part + 1) // parts - count * part // parts for part in range(parts))


def _houses(rules: str, board: NDArray[np.uint8]) -> "list[int]":
    return ["ABCDEF".index(move.house) for move in moves(board, rules=rules)]


def _thrown_away(boards: Boards, before: Any, after: Any) -> NDArray[np.bool_]:
    """Whether an even game has a worse result: an odd seed that is gone is the opponent's."""
    ahead = -((48 - boards.sum(axis=1).astype(int)) % 2)
    worse: NDArray[np.bool_] = np.sign(ahead + after) < np.sign(ahead + before)
    return worse


def _figures(best: Any, loss: Any, thrown: Any) -> Figures:
    return Figures(
        judged=len(loss),
        best=_share(best),
        mean_loss=_mean(loss),
        thrown_away=_share(thrown),
        worst_loss=int(loss.max(initial=0)),
    )


def _share(hits: Any) -> "tuple[float, float, float]":
    """A share with Wilson's bounds."""
    count = len(hits)
    if count == 0:
        return (math.nan, 0.0, 1.0)
    share, square = float(hits.mean()), _NORMAL**2
    middle = (share + square / (2 * count)) / (1 + square / count)
    spread = math.sqrt(share * (1 - share) / count + square / (4 * count**2))
    half = _NORMAL / (1 + square / count) * spread
    # Of none and of all the bounds are these, but for what is rounded.
    return (share, min(max(middle - half, 0.0), share), max(min(middle + half, 1.0), share))


def _mean(numbers: Any) -> "tuple[float, float, float]":
    """A mean, with bounds as if means were distributed normally."""
    count = len(numbers)
    if count == 0:
        return (math.nan, math.nan, math.nan)
    mean = float(np.mean(numbers))
    half = _NORMAL * float(np.std(numbers, ddof=1)) / math.sqrt(count) if count > 1 else 0.0
    return (mean, mean - half, mean + half)


def _plays(game: Game, house: Any) -> bool:
    """Makes a move, if it is legal. A game that ends with one that is not has no result."""
    try:
        game.play(int(house))
    except UsageError:
        return False
    return True


def _games(tables: Tables, policy: Policy, starts: Boards) -> NDArray[np.float64]:
    """Plays games that the policy begins against perfect play, all at once; returns by how many seeds
    each ends below the score of its first position."""
    # With twelve numbers nothing is captured before, so that no game of 24 seeds is decided early.
    started = [Game(tables.rules, start) for start in starts if start.sum() <= 24]
    theory = [tables.probe(game.position).low for game in started]
    playing = list(started)
    for ply in range(_MOST_PLIES):
        playing = [game for game in playing if game.result is None]
        if not playing:
            break
        if ply % 2 == 0:
            boards = np.array([game.position.board for game in playing])
            playing = [game for game, house in zip(playing, policy(boards)) if _plays(game, house)]
        else:
            for game in playing:
                best = tables.best(game)
                assert best is not None
                game.play(best.house)
    ended = [(low, game.result) for low, game in zip(theory, started)]
    # South made the first move.
    return np.array([low - result.margin for low, result in ended if result is not None], float)


def _row(name: str, figures: Figures) -> str:
    def percent(share: "tuple[float, float, float]") -> str:
        return "{:6.2f} % ({:.2f} to {:.2f})".format(*(100 * part for part in share))

    loss = "{:.3f} ({:.3f} to {:.3f})".format(*figures.mean_loss)
    best, thrown = percent(figures.best), percent(figures.thrown_away)
    return f"  {name:>5}  {figures.judged:>8}  {best:<22} {loss:<22} {thrown}"


def _policy(name: str, go: str, rules: str, seed: int) -> Policy:
    if name.startswith("engine:"):
        return engine(name.removeprefix("engine:"), go, rules)
    if name == "random":
        return lambda boards: random(boards, seed, rules)
    if name == "greedy":
        return lambda boards: greedy(boards, rules)
    module, _, function = name.partition(":")
    if not function:
        raise UsageError(f"{name} is no policy: random, greedy, MODULE:FUNCTION or engine:COMMAND")
    found: Policy = getattr(importlib.import_module(module), function)
    return found


def main(arguments: "list[str] | None" = None) -> None:
    """Judges a policy, prints the table, and writes JSON and a figure if they are wanted."""
    parser = argparse.ArgumentParser("python -m oware_db.bench", description=_policy.__doc__)
    parser.add_argument("tables", help="directory of the tables")
    parser.add_argument("policy", help="random, greedy, MODULE:FUNCTION or engine:COMMAND")
    parser.add_argument("--rules", default="abapa", help="rule sheet")
    parser.add_argument("--positions", type=int, default=10_000, help="moves to judge")
    parser.add_argument("--games", type=int, default=200, help="games against perfect play")
    parser.add_argument("--seeds", type=int, help="seeds of the largest layer to draw from")
    parser.add_argument("--seed", type=int, default=1, help="seed that draws the positions")
    parser.add_argument("--go", default="depth 1", help="how an engine thinks: depth, nodes, movetime")
    parser.add_argument("--json", metavar="FILE", help="write the report as JSON")
    parser.add_argument("--figure", metavar="FILE", help="draw the figures by seeds")
    given = parser.parse_args(arguments)
    tables = Tables(given.tables, rules=given.rules)
    policy = _policy(given.policy, given.go, given.rules, given.seed)
    report = evaluate(
        tables, policy, given.positions, given.games, given.seed, given.seeds, given.policy
    )
    print(report)
    if given.json:
        with open(given.json, "w") as file:
            file.write(report.json() + "\n")
    if given.figure:
        report.figure(given.figure)


if __name__ == "__main__":
    main()
