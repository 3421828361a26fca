"""Hold'em hand reading: ranks, action probabilities, sampled hands, and their effect on engines."""

from collections import Counter
from itertools import accumulate, combinations
from random import Random
from typing import Any

import pytest

from gameplay.errors import Usage
from gameplay.games.holdem import hand_reading as reading
from gameplay.games.holdem.game import Holdem, card
from gameplay.games.holdem.hand_reading import CALL, FOLD, RAISE, Action
from gameplay.games.shared import poker_hands
from gameplay.registry import engine
from gameplay.search.limit import Limit
from gameplay.search.session import Session

pytestmark = pytest.mark.once


def cards(text: str) -> list[int]:
    return [next(held_card for held_card in range(52) if card(held_card) == word) for word in text.split()]


def play_hand(hands: str, words: str, **options: Any) -> Holdem:
    """A hand with these hole cards; cards among the moves are board cards."""
    position = Holdem(bets="limit", **options)
    for dealt_card in cards(hands):
        position.make(dealt_card)
    for word in words.split():
        position.make(position.parse(word))
    return position


def hand(text: str) -> tuple[int, int]:
    low, high = sorted(cards(text))
    return low, high


def test_chen_points() -> None:
    """Published examples of Chen's formula, before rounding."""
    known = {"As Ks": 12, "Ts Td": 10, "7h 5h": 5.5, "2c 2d": 5, "As Ad": 20, "Kd Qc": 8, "7s 2c": -1.5}
    assert {text: reading.chen_points(hand(text)) for text in known} == known


@pytest.mark.parametrize("opened", ["", "2c 9d Kh", "2c 9d Kh Ks 3s"])
def test_ranks_are_shares_of_better_hands(opened: str) -> None:
    shown = tuple(sorted(cards(opened)))
    ranks = reading.ranks(shown)
    left = 52 - len(shown)
    assert len(ranks) == left * (left - 1) // 2 and sum(ranks.values()) / len(ranks) == pytest.approx(0.5)
    mine = hand("Kd Ac")
    if shown:
        worth = {
            two: poker_hands.strength(sum(poker_hands.bit(card(held_card)) for held_card in (*two, *shown)))
            for two in combinations([card for card in range(52) if card not in shown], 2)
        }
        better = sum(value > worth[mine] for value in worth.values())
        equal = sum(value == worth[mine] for value in worth.values())
        assert ranks[mine] == pytest.approx((better + equal / 2) / len(worth))
    else:
        assert min(ranks, key=lambda holding: ranks[holding]) == hand("Ac Ad")


def test_action_probabilities_sum_to_one_and_grow_with_the_hand() -> None:
    for bets in range(5):
        for owed in (False, True):
            for free in (False, True):
                ways = [CALL, *([FOLD] if owed else []), *([RAISE] if free else [])]
                actions = {what: Action((), bets, owed, free, what) for what in ways}
                for rank in (0.001, 0.1, 0.5, 1.0):
                    assert sum(
                        reading.action_probability(action, rank) for action in actions.values()
                    ) == pytest.approx(1)
                    assert all(reading.action_probability(action, rank) > 0.02 for action in actions.values())
                if free:
                    assert reading.action_probability(actions[RAISE], 0.01) > reading.action_probability(
                        actions[RAISE], 0.4
                    )
                if owed and bets:
                    assert reading.action_probability(actions[FOLD], 0.9) > reading.action_probability(
                        actions[FOLD], 0.1
                    )


def test_habit_probability() -> None:
    """Laplace's rule; impossible actions are no choice; no probability becomes 0 or 1."""
    raised, checked = Action((), 1, True, True, RAISE), Action((), 0, False, True, CALL)
    assert reading.habit_probability([raised]) == pytest.approx(1 / 3)
    assert reading.habit_probability([raised] * 3) == pytest.approx(1 / 3 * 2 / 4 * 3 / 5)
    assert reading.habit_probability([checked, raised]) == pytest.approx(1 / 2 * 1 / 4)
    assert reading.habit_probability([raised] * 2, 0.2) == pytest.approx(1 / 2.2 * 2 / 3.2)

    def bluffs(times: int) -> float:
        """The probability of a hand of the worse half after a number of raises."""
        hands, sums = reading.range_weights((raised,) * times, ())
        ranks = reading.ranks(())
        each = [total - before for total, before in zip(sums, [0.0, *sums], strict=False)]
        return sum(weight for two, weight in zip(hands, each, strict=True) if ranks[two] > 0.5) / sums[-1]

    assert 0.5 > bluffs(1) > bluffs(2) > bluffs(8) > 0.05, "some raise whatever they hold"


def test_sampled_hands_follow_their_weights() -> None:
    position = play_hand("Ah Ad 7c 2d", "raise raise call 3c 9d Kh bet raise")
    bettor = 1 - position.turn
    rng, count = Random(1), Counter[tuple[int, ...]]()
    for _ in range(4000):
        state = position.likely(position.turn, rng).state
        count[state.hands[2 * bettor : 2 * bettor + 2]] += 1
    # By hand: before the flop the button raised against the blind's one bet; on the flop against one.
    known = {*position.state.hands[2 * position.turn : 2 * position.turn + 2], *position.state.open}
    before, after = reading.ranks(()), reading.ranks(position.state.open)
    # ... or does so by habit: a raise, then a call, then another raise.
    habit = 1 / 3 * 1 / 4 * 2 / 5
    weights = {
        two: habit / 3
        + 2
        / 3
        * reading.action_probability(Action((), 1, True, True, RAISE), before[two])
        * reading.action_probability(Action((), 3, True, True, CALL), before[two])
        * reading.action_probability(Action((), 1, True, True, RAISE), after[two])
        for two in combinations([card for card in range(52) if card not in known], 2)
    }
    assert set(count) <= set(weights)
    total = sum(weights.values())
    order = sorted(weights, key=lambda two: after[two])
    sums = list(accumulate(weights[two] / total for two in order))
    for share in (0.25, 0.5, 0.75):
        cut = next(number for number, total in enumerate(sums) if total >= share)
        seen = sum(count[two] for two in order[: cut + 1]) / 4000
        assert abs(seen - sums[cut]) < 0.03


def test_hand_reading_uses_public_information_only() -> None:
    words = "raise call 3c 9d Kh bet raise"
    first, second = play_hand("Ah Ad 7c 2d", words), play_hand("Ks Kd 7c 2d", words)
    mover = first.turn
    assert mover == 1 and first.infoset(1) == second.infoset(1)
    for seed in range(20):
        assert first.likely(1, Random(seed)).state == second.likely(1, Random(seed)).state
        assert first.likely(1, Random(seed)).infoset(1) == first.infoset(1)


def test_three_players_are_read_without_repeated_cards() -> None:
    position = play_hand("Ah Ad 7c 2d 8s 9s", "call raise raise fold raise", players=3)
    mover, rng = position.turn, Random(3)
    rank, ranks = reading.ranks(()), []
    for _ in range(200):
        hands = position.likely(mover, rng).state.hands
        assert (
            len(set(hands)) == 6 and hands[2 * mover : 2 * mover + 2] == position.state.hands[2 * mover :][:2]
        )
        ranks.append([rank[hands[2 * seat], hands[2 * seat + 1]] for seat in range(3)])
    means = [sum(column) / len(column) for column in zip(*ranks, strict=True)]
    folded = next(iter(position.state.folded))
    raised = 3 - folded - mover
    assert means[raised] < 0.35 < 0.45 < means[folded]


def test_all_hands_are_equally_likely_before_any_action() -> None:
    position = play_hand("Ah Ad 7c 2d", "")
    assert position.likely(0, Random(5)).state == position.determinize(0, Random(5)).state


def test_raises_reduce_the_value_of_a_call() -> None:
    """Third pair on the river, against an opponent who raised on every street."""
    position = play_hand("8h 7h As Kd", "call raise call 8c Qd 2s bet call Jh bet call Ts bet raise raise")
    assert position.turn == 1 or position.format(position.moves()[0]) == "fold"
    worth = {}
    for deals in ("likely", "any"):
        session = Session(engine(f"ismcts:deals={deals},seed=1")[0])
        report = session.search(position, Limit(simulations=600, multipv=3)).candidates
        worth[deals] = {position.format(weight.move): weight.value for weight in report}
    assert worth["likely"]["call"] < worth["any"]["call"] - 3
    assert worth["likely"]["fold"] == worth["any"]["fold"]


def test_unknown_dealing_modes_are_refused() -> None:
    with pytest.raises(Usage, match="likly"):
        engine("ismcts:deals=likly")


def test_hand_rank_splits_holdings_in_halves() -> None:
    """By weight, after a call of a raise and without any action."""
    raised = (Action((), 2, True, True, CALL),)
    halves = []
    for actions in ((), raised):
        weights, sums = reading.range_weights(actions, ())
        worth = [after - before for before, after in zip([0.0, *sums], sums, strict=False)]
        worse = [reading.is_worse_half(weight, actions, ()) for weight in weights]
        share = sum(weight for weight, low in zip(worth, worse, strict=True) if low) / sums[-1]
        assert 0.4 < share < 0.5, "equal ranks are all in the better one"
        halves.append({weight for weight, low in zip(weights, worse, strict=True) if low})
    assert halves[0] < halves[1], "who has called a raise holds more"
    assert hand("7h 2s") in halves[0] and hand("Kh 9s") in halves[1] - halves[0]
    assert hand("As Ah") not in halves[1]


@pytest.mark.parametrize(("cards", "moves"), [("7h 2s", ["fold"]), ("As Ah", ["call"])])
def test_playouts_call_overbets_with_good_hands_only(cards: str, moves: list[str]) -> None:
    """The big blind faces 198 into 202; for two more into four any hand calls."""
    position = Holdem()
    words = f"Kc Kd {cards} allin".split()
    for word in words:
        position.make(position.parse(word))
    assert [position.format(move) for move in position.policy_moves(0)] == moves
    position.unmake()
    position.make(position.parse("raise4"))
    assert [position.format(move) for move in position.policy_moves(0)] == ["call"]
