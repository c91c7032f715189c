"""OpenSpiel's Oware, by the rules it plays."""

import random

import numpy as np
import pytest

import oware_db
from oware_db import bench, spiel

pyspiel = pytest.importorskip("pyspiel")


@pytest.fixture(scope="session")
def every(directory):
    return oware_db.Tables(directory, rules=spiel.RULES)


def random_games(count, seed=1):
    dice = random.Random(seed)
    for _ in range(count):
        state = pyspiel.load_game("oware").new_initial_state()
        states = [state.clone()]
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            states.append(state.clone())
        yield states


def test_whole_games_are_the_same_on_both_sides():
    ended = set()
    for states in random_games(60):
        game = oware_db.Game(spiel.RULES)
        for state in states:
            ours, theirs = game.position, spiel.position(state)
            if not state.is_terminal():
                assert (ours.board == theirs.board).all() and ours.seat == theirs.seat
                assert ours.stores == theirs.stores
                assert spiel.observation(ours) == state.observation_string(0)
                legal = [spiel.action(move.house) for move in game.legal_moves()]
                assert sorted(legal) == state.legal_actions()
                assert [spiel.house(action) for action in legal] == [
                    move.house for move in game.legal_moves()
                ]
                played = states[len(game.moves) + 1].history()[-1]
                game.play(spiel.house(played))
        assert spiel.game(states[-1]).moves == game.moves
        assert spiel.state(game).history() == states[-1].history()
        if game.result:
            ended.add(game.result.ending)
            assert np.sign(game.result.margin) == states[-1].returns()[0]
    assert ended == {"decided", "no_move", "repetition"}


def test_labels_are_of_the_rules_that_are_played(every, tables):
    # The sheet `abapa` says 1 of it.
    with pytest.raises(oware_db.UsageError, match="abapa-every"):
        spiel.label(tables, spiel.state(""))
    found = every.probe("0 1 0 0 1 3  0 0 0 0 2 0")
    assert (found.low, found.high) == (7, 7)


def test_labels_are_scores_of_the_tables(every):
    for state in spiel.reached(30, 10, seed=2):
        low, high = spiel.label(every, state)
        found = every.probe(spiel.position(state))
        assert (low, high) == (found.low, found.high)


def test_the_policy_gets_what_is_proved_against_any_play(every):
    policy, dice, exact = spiel.PerfectPolicy(every, strict=True), random.Random(3), 0
    for state in spiel.reached(40, 10, seed=3):
        state = spiel.state(spiel.game(state))
        player, (low, _) = state.current_player(), spiel.label(every, state)
        stores = spiel.position(state).stores
        ahead = stores[0] - stores[1]
        while not state.is_terminal():
            if state.current_player() == player:
                chances = policy.action_probabilities(state)
                assert list(chances.values()) == [1.0] and policy.step(state) in chances
                state.apply_action(policy.step(state))
            else:
                state.apply_action(dice.choice(state.legal_actions()))
        if len(state.history()) < 1000:
            exact += 1
            assert state.returns()[player] >= np.sign(ahead + low)
    assert exact > 30


def test_the_policy_is_one_of_openspiel(every):
    policy = spiel.PerfectPolicy(every)
    start = pyspiel.load_game("oware").new_initial_state()
    assert policy.action_probabilities(start) == {action: 1 / 6 for action in range(6)}
    with pytest.raises(oware_db.MissingTableError):
        spiel.PerfectPolicy(every, strict=True).action_probabilities(start)
    key = "1 | 20 21 | 1 0 0 0 3 0 0 0 0 0 1 2"
    best = every.best(oware_db.Game(spiel.RULES, key)).house
    assert policy.policy_for_key(key) == [float(house == best) for house in "ABCDEF"]
    states = spiel.reached(20, 10, seed=4)
    report = spiel.evaluate(every, policy, states)
    assert report.total.judged == 20 and report.total.mean_loss[0] == 0


def test_bots_of_openspiel_are_judged(every):
    from open_spiel.python.algorithms import mcts
    from open_spiel.python.bots import uniform_random

    game, dice = pyspiel.load_game("oware"), np.random.RandomState(1)
    states = spiel.reached(60, 10, seed=5)
    bots = [
        uniform_random.UniformRandomBot(player, dice) for player in range(2)
    ]
    search = mcts.MCTSBot(game, 2, 200, mcts.RandomRolloutEvaluator(1, dice), random_state=dice)
    by_chance = spiel.evaluate(every, _Both(bots), states, "random")
    searched = spiel.evaluate(every, search, states, "MCTS")
    assert by_chance.total.judged == searched.total.judged == 60
    assert searched.total.mean_loss[0] < by_chance.total.mean_loss[0]
    assert isinstance(searched, bench.Report)


class _Both:
    """A bot for each player."""

    def __init__(self, bots):
        self._bots = bots

    def step(self, state):
        return self._bots[state.current_player()].step(state)
