"""Hold'em hand reading: an opponent's range, weighted by how a sensible player plays each hand.

The model is the same for all opponents. A hand has a rank q: the fraction of all hands that are better on the
current board, with half of the equal ones. Before the flop hands are compared by Bill Chen's points (Lou
Krieger, "Hold'em Excellence", 1995), after it by their current strength, without draws. After n bets in the
round, blinds included, about 2^-n of all hands are worth a call and half as many a raise:

    P(call or raise) = 1 / (1 + (q 2^n)^2)         1 if there is nothing to call
    P(raise)         = 1 / (1 + (q 2^(n+1))^2)     0 if no raise is possible

One action in ten is random. The likelihood of a hand is the product over its player's actions. One player in
three acts by habit, regardless of their cards, with probabilities of folds, calls and raises estimated from
their actions so far (Laplace's rule of succession). So the weight of a hand is

    1/3 P(actions by habit) + 2/3 P(actions with this hand)

and repeated raises are less credible than a single one.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, combinations, pairwise
from random import Random
from typing import NamedTuple

from gameplay.games.shared import poker_hands

PACK = 52
# The bit of each card.
BITS = [poker_hands.bit(rank + suit) for rank in poker_hands.RANKS for suit in poker_hands.SUITS]
RANDOM_MOVE = 0.1  # fraction of actions
HABIT_SHARE = 1 / 3  # fraction of players
FOLD, CALL, RAISE = range(3)

Hand = tuple[int, int]
Cards = tuple[int, ...]


class Action(NamedTuple):
    """An action of a player and its situation."""

    open: Cards  # the board
    bets: int  # earlier bets of the round, blinds included
    faces_bet: bool  # there was a bet to call
    can_raise: bool  # a raise was possible
    kind: int  # FOLD, CALL (or check), RAISE (or bet)
    extra_bets: float = 0.0  # for `lookahead`: how many bets more an overbet counts


def action_probability(action: Action, rank: float) -> float:
    """The probability of the action for a sensible player with a hand of this rank."""
    p_stay = 1 / (1 + (rank * 2**action.bets) ** 2) if action.faces_bet else 1.0
    p_raise = min(p_stay, 1 / (1 + (rank * 2 ** (action.bets + 1)) ** 2)) if action.can_raise else 0.0
    options = 1 + action.faces_bet + action.can_raise
    return RANDOM_MOVE / options + (1 - RANDOM_MOVE) * (1 - p_stay, p_stay - p_raise, p_raise)[action.kind]


def sample_hands(actions: Sequence[tuple[Action, ...]], known: Cards, rng: Random) -> list[Hand]:
    """Sample the players' hands without the known cards; actions: those of each player."""
    ranges = [range_weights(action, known) for action in actions]
    while True:
        hands = [rng.choices(found, cum_weights=cumulative)[0] for found, cumulative in ranges]
        if len({card for hand in hands for card in hand}) == 2 * len(hands):
            return hands


@lru_cache(maxsize=32)
def range_weights(actions: tuple[Action, ...], known: Cards) -> tuple[list[Hand], list[float]]:
    """The range of a player after these actions, and the cumulative sums of its weights."""
    hands = list(combinations([card for card in range(PACK) if card not in known], 2))
    likelihoods = [1.0] * len(hands)
    for action in actions:
        ranked = ranks(action.open)
        likelihoods = [
            likelihood * action_probability(action, ranked[hand])
            for likelihood, hand in zip(likelihoods, hands, strict=True)
        ]
    by_habit = habit_probability(actions)
    return hands, list(
        accumulate([HABIT_SHARE * by_habit + (1 - HABIT_SHARE) * likelihood for likelihood in likelihoods])
    )


def is_worse_half(hand: Hand, actions: tuple[Action, ...], opened: Cards) -> bool:
    """True if a hand is in the worse half of the range after these actions."""
    return ranks(opened)[hand] > _median_rank(actions, opened)


@lru_cache(maxsize=256)
def _median_rank(actions: tuple[Action, ...], opened: Cards) -> float:
    """The weighted median rank of a range."""
    hands, sums = range_weights(actions, opened)
    ranked = ranks(opened)
    weights = [after - before for before, after in pairwise([0.0, *sums])]
    order = sorted(zip((ranked[hand] for hand in hands), weights, strict=True))
    return order[bisect_left(list(accumulate(strength for _, strength in order)), sums[-1] / 2)][0]


def habit_probability(actions: Sequence[Action], folds: float = 1) -> float:
    """The probability of these actions for a player, otherwise unknown, who ignores their cards.

    Prior counts: `folds`, one call and one raise.
    """
    probability = 1.0
    counts = [folds, 1, 1]
    for action in actions:
        options = [kind for kind in (FOLD, CALL, RAISE) if (action.faces_bet, True, action.can_raise)[kind]]
        probability *= counts[action.kind] / sum(counts[kind] for kind in options)
        counts[action.kind] += 1
    return probability


@lru_cache(maxsize=32)
def ranks(opened: Cards) -> dict[Hand, float]:
    """The rank of every hand."""
    hands = combinations([card for card in range(PACK) if card not in opened], 2)
    shared = sum([BITS[card] for card in opened])
    strengths: dict[Hand, float] = {}
    for hand in hands:
        cards = shared + BITS[hand[0]] + BITS[hand[1]]
        strengths[hand] = poker_hands.strength(cards) if opened else chen_points(hand)
    order, count = sorted(strengths.values()), len(strengths)
    rank_of = {
        strength: 1 - (bisect_left(order, strength) + bisect_right(order, strength)) / 2 / count
        for strength in set(order)
    }
    return {hand: rank_of[strength] for hand, strength in strengths.items()}


def chen_points(hand: Hand) -> float:
    """Chen's score of two hole cards, not rounded.

    1. The higher card: 10, 8, 7, 6 from the ace down, for others half of their number. 2. A pair: twice that,
    at least 5. 3. Suited: 2 more. A gap of one, two, three or more cards: 1, 2, 4 or 5 less. A gap of at most
    one, with both cards below the queen: 1 more.
    """
    (lower, higher), suited = sorted(card // 4 for card in hand), hand[0] % 4 == hand[1] % 4
    score = {12: 10.0, 11: 8.0, 10: 7.0, 9: 6.0}.get(higher, (higher + 2) / 2)
    if lower == higher:
        return max(5.0, 2 * score)
    gap = higher - lower - 1
    return score + 2 * suited - (0, 1, 2, 4, 5)[min(gap, 4)] + (gap < 2 and higher < 10)
