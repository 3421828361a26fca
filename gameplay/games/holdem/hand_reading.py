"""Hold'em hand reading: an opponent's range, weighted by how a sensible player plays each hand.

The model is simple and the same for all opponents. A hand is described by its rank q: the share of all hands
that are better with the cards that lie open, so 0.01 where one in a hundred is; of equal ones half count.
Before the flop Bill Chen's points compare them (Lou Krieger, "Hold'em Excellence", 1995), after it what they
are; what they may become counts for nothing. Where n bets were made in the round, blinds among them, 2^-n of
all hands are worth a call and half as many a raise, more or less:

    P(call or raise) = 1 / (1 + (q 2^n)^2)         1 where there is nothing to call
    P(raise)         = 1 / (1 + (q 2^(n+1))^2)     0 where there is none

One move in ten is any. How likely a hand makes all that its player did is the product. But one player in
three does as they always do, without a look at their cards; how often they fold, call and raise is to be seen
by what they did so far (Laplace's rule of succession). Whatever they do, they hold any hand. So a hand weighs

    1/3 P(what was done, by habit) + 2/3 P(what was done, with this hand)

and who has raised time and again is believed less than who has raised once.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, combinations, pairwise
from random import Random
from typing import NamedTuple

from gameplay.games.shared import poker_hands

PACK = 52
BITS = [
    poker_hands.bit(rank + suit) for rank in poker_hands.RANKS for suit in poker_hands.SUITS
]  # of each card
ANY = 0.1  # of moves
HABIT = 1 / 3  # of players
FOLD, CALL, RAISE = range(3)

Hand = tuple[int, int]
Cards = tuple[int, ...]


class Deed(NamedTuple):
    """An action of a player and its situation."""

    open: Cards
    bets: int  # of the round before it, blinds among them
    owed: bool  # there was something to call
    free: bool  # they could raise
    what: int  # FOLD, CALL (or check), RAISE (or bet)
    over: float = 0.0  # bets by which one above the pot counts more, to `lookahead`


def odds(deed: Deed, rank: float) -> float:
    """The probability of the action for a sensible player with a hand of this rank."""
    stay = 1 / (1 + (rank * 2**deed.bets) ** 2) if deed.owed else 1.0
    more = min(stay, 1 / (1 + (rank * 2 ** (deed.bets + 1)) ** 2)) if deed.free else 0.0
    ways = 1 + deed.owed + deed.free
    return ANY / ways + (1 - ANY) * (1 - stay, stay - more, more)[deed.what]


def dealt(deeds: Sequence[tuple[Deed, ...]], known: Cards, rng: Random) -> list[Hand]:
    """Sample the players' hands without the known cards; deeds: the actions of each player."""
    weighed = [weights(one, known) for one in deeds]
    while True:
        hands = [rng.choices(found, cum_weights=sums)[0] for found, sums in weighed]
        if len({card for hand in hands for card in hand}) == 2 * len(hands):
            return hands


@lru_cache(maxsize=32)
def weights(deeds: tuple[Deed, ...], known: Cards) -> tuple[list[Hand], list[float]]:
    """The range of a player after these actions, and the cumulative sums of its weights."""
    hands = list(combinations([card for card in range(PACK) if card not in known], 2))
    worth = [1.0] * len(hands)
    for deed in deeds:
        ranked = ranks(deed.open)
        worth = [one * odds(deed, ranked[hand]) for one, hand in zip(worth, hands, strict=True)]
    blind = habit(deeds)
    return hands, list(accumulate([HABIT * blind + (1 - HABIT) * one for one in worth]))


def worse(hand: Hand, deeds: tuple[Deed, ...], opened: Cards) -> bool:
    """True if a hand is in the worse half of the range after these actions."""
    return ranks(opened)[hand] > _middle(deeds, opened)


@lru_cache(maxsize=256)
def _middle(deeds: tuple[Deed, ...], opened: Cards) -> float:
    """The weighted median rank of a range."""
    hands, sums = weights(deeds, opened)
    ranked = ranks(opened)
    worth = [after - before for before, after in pairwise([0.0, *sums])]
    order = sorted(zip((ranked[hand] for hand in hands), worth, strict=True))
    return order[bisect_left(list(accumulate(one for _, one in order)), sums[-1] / 2)][0]


def habit(deeds: Sequence[Deed], folds: float = 1) -> float:
    """The probability of these actions for a player, otherwise unknown, who ignores their cards.

    They are credited with so many folds from the start, with one call and with one raise.
    """
    likely = 1.0
    counts = [folds, 1, 1]
    for deed in deeds:
        could = [what for what in (FOLD, CALL, RAISE) if (deed.owed, True, deed.free)[what]]
        likely *= counts[deed.what] / sum(counts[what] for what in could)
        counts[deed.what] += 1
    return likely


@lru_cache(maxsize=32)
def ranks(opened: Cards) -> dict[Hand, float]:
    """The rank of every hand."""
    hands = combinations([card for card in range(PACK) if card not in opened], 2)
    shared = sum([BITS[card] for card in opened])
    worth: dict[Hand, float] = {}
    for hand in hands:
        made = shared + BITS[hand[0]] + BITS[hand[1]]
        worth[hand] = poker_hands.strength(made) if opened else points(hand)
    order, count = sorted(worth.values()), len(worth)
    share = {one: 1 - (bisect_left(order, one) + bisect_right(order, one)) / 2 / count for one in set(order)}
    return {hand: share[one] for hand, one in worth.items()}


def points(hand: Hand) -> float:
    """Chen's score of two hole cards, not rounded.

    1. The higher card: 10, 8, 7, 6 from the ace down, of others half of what they count. 2. A pair twice
    that, 5 at least. 3. Two for one suit; for a gap of one, two, three or more cards 1, 2, 4 or 5 less; one
    more for what can be a straight, if both are below the queen.
    """
    (low, high), suited = sorted(card // 4 for card in hand), hand[0] % 4 == hand[1] % 4
    count = {12: 10.0, 11: 8.0, 10: 7.0, 9: 6.0}.get(high, (high + 2) / 2)
    if low == high:
        return max(5.0, 2 * count)
    gap = high - low - 1
    return count + 2 * suited - (0, 1, 2, 4, 5)[min(gap, 4)] + (gap < 2 and high < 10)
