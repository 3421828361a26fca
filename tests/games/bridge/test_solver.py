"""The double-dummy solver: another program's tables, and endings against exhaustive search."""

import random

import pytest

from gameplay.games.bridge.game import parse_deal
from gameplay.games.bridge.solver import BridgeSolver, cells
from gameplay.games.shared.tricks import legal_cards
from gameplay.kernel import compiled
from gameplay.search.control import Control
from tests.support.bridge import double_dummy_tricks
from tests.support.paths import TESTS
from tests.support.polling import PollRecorder, polls

FILE = TESTS / "answers" / "bridge.txt"
TABLES = [line.rpartition(" ") for line in FILE.read_text().splitlines() if not line.startswith("#")]
STRAINS = (4, 3, 2, 1, 0)  # their order: no trumps, spades and down


def ending(rng, count):
    """Four random hands of `count` cards, often of few ranks."""
    ranks = rng.choice((count + 1, count + 1, 6, 13))
    cards = rng.sample([card for card in range(52) if card // 4 < ranks], 4 * count)
    return [cards[count * player : count * (player + 1)] for player in range(4)]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_endings_equal_exhaustive_search(count):
    rng, solver = random.Random(count), BridgeSolver(12)
    for _ in range((200 if count < 3 else 60) if compiled() else 25 if count < 3 else 8):
        hands, trump, leader = ending(rng, count), rng.randrange(5), rng.randrange(4)
        solver.deal([cells(hand) for hand in hands], trump)
        assert solver.tricks(leader, (), rng.randrange(count + 1)) == double_dummy_tricks(
            hands, trump, leader
        ), hands


def test_solver_continues_a_started_trick():
    rng, solver = random.Random(7), BridgeSolver(12)
    for number in range(60 if compiled() else 8):
        hands, trump, leader = ending(rng, 3), rng.randrange(5), rng.randrange(4)
        trick = []
        for place in range(1 + number % 4):
            hand = hands[(leader + place) % 4]
            trick.append(rng.choice(legal_cards(hand, trick)))
            if number % 2:
                hand.remove(trick[-1])
        solver.deal([cells(hand) for hand in hands], trump)
        tricks = solver.tricks(leader, [cells([card]).bit_length() - 1 for card in trick])
        for place, card in enumerate(trick):
            if card in hands[(leader + place) % 4]:
                hands[(leader + place) % 4].remove(card)
        assert tricks == double_dummy_tricks(hands, trump, leader, tuple(trick))


@pytest.mark.skipif(not compiled(), reason="takes minutes uncompiled")
def test_tricks_equal_another_solvers():
    """One strain of each of five deals; `python -m benchmarks bridge` solves all."""
    solver = BridgeSolver(20)
    for place, strain in enumerate(STRAINS):
        deal, _, digits = TABLES[place * len(TABLES) // 5]
        row = solver.strain([cells(hand) for hand in parse_deal(f"N:{deal}")], strain)
        assert "".join(f"{count:x}" for count in row) == digits[4 * place : 4 * place + 4]


def test_both_builds_visit_the_same_positions():
    solver, rng = BridgeSolver(14), random.Random(3)
    for trump in range(5):
        assert solver.strain([cells(hand) for hand in ending(rng, 6)], trump) is not None
    assert solver.nodes == 835
    counts = []
    for number in range(20):
        hands, leader, trick = ending(rng, 4 + number % 3), rng.randrange(4), []
        solver.deal([cells(hand) for hand in hands], number % 5)
        for place in range(number % 4):
            trick.append(rng.choice(legal_cards(hands[(leader + place) % 4], trick)))
        before = solver.nodes
        solver.tricks(leader, [cells([card]).bit_length() - 1 for card in trick], rng.randrange(1, 5))
        counts.append(solver.nodes - before)
    assert counts == [5, 2, 167, 5, 9, 219, 11, 2, 167, 11, 2, 67, 4, 31, 58, 10, 36, 62, 2, 4]


def test_full_table_changes_nodes_but_no_result():
    rng, small, large = random.Random(5), BridgeSolver(6), BridgeSolver(14)
    for trump in range(5):
        hands = [cells(hand) for hand in ending(rng, 6)]
        assert small.strain(hands, trump) == large.strain(hands, trump)
    assert (small.nodes, large.nodes) == (1613, 807)


def test_solver_can_be_stopped_and_limited():
    solver = BridgeSolver(14)
    hands = [cells(hand) for hand in parse_deal("N:" + TABLES[0][0])]
    solver.node_limit = 100
    assert solver.table(hands) is None
    assert solver.nodes <= 101
    solver.node_limit, solver.control = 0, Control()
    solver.control.halt("interrupted")
    assert solver.strain(hands, 4) is None


@pytest.mark.skipif(compiled(), reason="compiled it asks every so many nodes more")
def test_solver_polls_at_once_and_then_at_intervals():
    solver = BridgeSolver(12)
    solver.control = control = PollRecorder(solver)
    solver.deal([cells(hand) for hand in ending(random.Random(1), 8)], 3)
    assert solver.tricks(0) is not None
    assert len(control.nodes) > 3 and control.nodes == polls(solver.nodes, solver.interval)
