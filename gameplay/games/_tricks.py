"""Tricks: who takes one, what may be played to it, and how hands may lie that somebody cannot see."""

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Any


def follows(hand: Sequence[int], trick: Sequence[int]) -> list[int]:
    """The cards of a hand that may be played: of the suit that was led, if there are any, else all."""
    if trick:
        suited = [card for card in hand if card % 4 == trick[0] % 4]
        if suited:
            return suited
    return list(hand)


def winner(trick: Sequence[int], trump: int | None = None) -> int:
    """The place in a trick of the card that takes it: the highest trump, else the highest of the suit led."""
    best = 0
    for place, card in enumerate(trick):
        if card % 4 == trick[best] % 4:
            if card > trick[best]:
                best = place
        elif card % 4 == trump:
            best = place
    return best


def voids(leads: Sequence[int], played: Sequence[int], players: int = 4) -> list[set[int]]:
    """The suits that each player has shown not to have: they did not follow.

    `played` are the cards in turn, and `leads` who led to each trick.
    """
    found: list[set[int]] = [set() for _ in range(players)]
    for number, card in enumerate(played):
        trick, place = divmod(number, players)
        if card % 4 != played[trick * players] % 4:
            found[(leads[trick] + place) % players].add(played[trick * players] % 4)
    return found


def dealt(
    cards: Sequence[int], room: Sequence[int], lacking: Sequence[set[int]], rng: Any
) -> list[list[int]]:
    """Hands of `cards`, so many a player, drawn from `rng`: each way that fits is equally likely.

    room: how many cards each player gets; together they are all. lacking: the suits that each surely lacks.

    1. How many ways are there to deal the suits from one on, with so much room left? By recursion over how
       the cards of a suit are shared out.
    2. Draw how each suit is shared out, by these numbers, and which of its cards they are.
    """
    if not any(lacking):
        mixed = rng.sample(cards, len(cards))
        return [[mixed.pop() for _ in range(count)] for count in room]
    suits = [[card for card in cards if card % 4 == suit] for suit in range(4)]
    players = len(room)

    def shares(suit: int, left: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Ways to share out the cards of a suit, by number."""
        found: list[tuple[int, ...]] = [()]
        for player in range(players):
            most = 0 if suit in lacking[player] else left[player]
            found = [
                (*one, count)
                for one in found
                for count in range(min(most, len(suits[suit]) - sum(one)) + 1)
                if player < players - 1 or count == len(suits[suit]) - sum(one)
            ]
        return found

    def alike(suit: int, share: tuple[int, ...]) -> int:
        """How many ways there are to choose the cards of each."""
        ways, rest = 1, len(suits[suit])
        for count in share:
            ways *= comb(rest, count)
            rest -= count
        return ways

    @cache
    def ways(suit: int, left: tuple[int, ...]) -> int:
        if suit == 4:
            return int(not any(left))
        return sum(alike(suit, share) * ways(suit + 1, _less(left, share)) for share in shares(suit, left))

    left, hands = tuple(room), [list[int]() for _ in room]
    for suit in range(4):
        pick = rng.randrange(ways(suit, left))
        for share in shares(suit, left):
            pick -= alike(suit, share) * ways(suit + 1, _less(left, share))
            if pick < 0:
                break
        mixed = rng.sample(suits[suit], len(suits[suit]))
        for player, count in enumerate(share):
            hands[player] += mixed[:count]
            del mixed[:count]
        left = _less(left, share)
    return hands


def _less(room: tuple[int, ...], share: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([one - other for one, other in zip(room, share, strict=True)])
