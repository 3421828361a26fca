"""A small game of every family, and a known result for each."""

import itertools

import pytest

from gameplay.position import CHANCE
from gameplay.registry import game
from tests.support.paths import TESTS
from tests.support.searches import after_moves


def family(name, parameters=""):
    return game(f"{TESTS}/examples/games/{name}.py{parameters}").new()


def expected_payoff(position, policy):
    """The first player's expected payoff; policy(position): the probability of each move."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome[0]
    odds = position.chances() if position.turn == CHANCE else policy(position)
    total = 0.0
    for p, move in zip(odds, position.moves(), strict=True):
        if p:
            position.make(move)
            total += p * expected_payoff(position, policy)
            position.unmake()
    return total


# -- Kuhn poker: hidden cards ---------------------------------------------------------------------


def kuhn(a):
    """Kuhn's equilibria: the probability of a bet by card and bets so far; one for each `a` from 0 to 1/3."""
    return {
        "J": a, "Q": 0, "K": 3 * a,
        "Jpb": 0, "Qpb": a + 1 / 3, "Kpb": 1,
        "Jp": 1 / 3, "Qp": 0, "Kp": 1,
        "Jb": 0, "Qb": 1 / 3, "Kb": 1,
    }  # fmt: skip


def bets(table):
    def policy(position):
        bet = table[position.infoset(position.turn)]
        return [1 - bet, bet]

    return policy


@pytest.mark.parametrize("a", [0, 1 / 6, 1 / 3])
def test_kuhn_poker_is_worth_minus_one_eighteenth(a):
    assert expected_payoff(family("kuhn"), bets(kuhn(a))) == pytest.approx(-1 / 18)


@pytest.mark.parametrize("a", [0, 1 / 6, 1 / 3])
def test_kuhn_equilibrium_has_no_better_response(a):
    table = kuhn(a)
    first = [card for card in table if len(card) != 2]
    second = [card for card in table if len(card) == 2]

    def replies(own):
        return [
            expected_payoff(family("kuhn"), bets(table | dict(zip(own, choice, strict=True))))
            for choice in itertools.product((0, 1), repeat=len(own))
        ]

    assert max(replies(first)) == pytest.approx(-1 / 18)
    assert min(replies(second)) == pytest.approx(-1 / 18)


def test_poker_player_knows_only_their_own_card():
    first, second = (after_moves(family("kuhn"), words) for words in ("JQ pass", "KQ pass"))
    assert first.infoset(1) == second.infoset(1)
    assert first.infoset(0) != second.infoset(0)
    assert first.key() != second.key()


# -- Pig: dice ------------------------------------------------------------------------------------


def test_holding_at_once_never_wins_at_pig():
    position = family("pig", ":goal=2")
    position.setup("hold roll 2 hold")
    assert position.outcome() == (-1, 1)


def test_one_turn_of_pig_wins_with_the_computed_probability():
    """To 3 points: a 3 or more at once (4/6), or a 2 and then anything but a one (1/6 * 5/6)."""
    position = family("pig", ":goal=3")

    def until_enough(position):
        return [0, 1] if position.turn == 1 or position.pot >= 3 else [1, 0]

    def won_in_the_first_turn(position):
        if position.outcome() is not None:
            return 1.0
        if position.turn == 1:
            return 0.0
        odds = position.chances() if position.turn == CHANCE else until_enough(position)
        total = 0.0
        for p, move in zip(odds, position.moves(), strict=True):
            if p:
                position.make(move)
                total += p * won_in_the_first_turn(position)
                position.unmake()
        return total

    assert won_in_the_first_turn(position) == pytest.approx(4 / 6 + 5 / 36)


# -- Thrice: three players ------------------------------------------------------------------------


def best(position):
    """Each player's payoff if each maximizes their own, the first best move taken."""
    if position.outcome() is not None:
        return position.outcome()
    best_payoffs = None
    for move in position.moves():
        position.make(move)
        payoffs = best(position)
        position.unmake()
        if best_payoffs is None or payoffs[position.turn] > best_payoffs[position.turn]:
            best_payoffs = payoffs
    return best_payoffs


@pytest.mark.parametrize(("sticks", "winner"), [(1, 0), (2, 0), (3, 1), (4, 2), (5, 0)])
def test_three_players_by_hand(sticks, winner):
    """1, 2: take them. 3: the next takes the rest. 4: take one (a tie), and 3 remain. 5: likewise, 4."""
    assert best(family("thrice", f":sticks={sticks}")) == tuple(2 if p == winner else -1 for p in range(3))


# -- Roshambo: both at once -----------------------------------------------------------------------


def test_the_second_player_does_not_see_the_first_choice():
    seen = set()
    for choice in ("rock", "paper", "scissors"):
        position = family("roshambo")
        position.setup(choice)
        assert position.turn == 1
        seen.add(position.infoset(1))
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("moves", "outcome"),
    [
        ("rock paper", (-1, 1)),
        ("paper rock", (1, -1)),
        ("scissors paper", (1, -1)),
        ("scissors rock", (-1, 1)),
        ("rock rock paper scissors", (-1, 1)),
    ],
)
def test_roshambo_cycle(moves, outcome):
    position = family("roshambo", ":wins=1")
    position.setup(moves)
    assert position.outcome() == outcome


def test_uniform_strategy_cannot_be_exploited():
    assert expected_payoff(
        family("roshambo", ":wins=1,rounds=2"), lambda position: [1 / 3] * 3
    ) == pytest.approx(0)


# -- Sticks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("sticks", range(1, 13))
def test_sticks_are_lost_at_one_more_than_a_multiple_of_four(sticks):
    assert best(family("sticks", f":sticks={sticks}"))[0] == (-1 if sticks % 4 == 1 else 1)
