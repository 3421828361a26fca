"""Tricks: what may be played to one, who takes it, how hands may lie that are not seen; hands that are."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

from gameplay.board import Board, CardTable, Cell, TableSeat, Tray
from gameplay.games.shared import pack

if TYPE_CHECKING:
    from random import Random

Kinds = tuple[tuple[tuple[bool, ...], int], ...]  # of cards: the players without them, and their number


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
    """The cards that each player has shown not to have: those of suits that they did not follow.

    `played` are the cards in order, and `leads` the leader of each trick.
    """
    found: list[set[int]] = [set() for _ in range(players)]
    for number, card in enumerate(played):
        trick, place = divmod(number, players)
        suit = played[trick * players] % 4
        if card % 4 != suit:
            found[(leads[trick] + place) % players].update(range(suit, 52, 4))
    return found


def dealt(
    cards: Sequence[int], room: Sequence[int], lacking: Sequence[set[int]], rng: "Random"
) -> list[list[int]]:
    """Hands of `cards`, so many a player, drawn from `rng`: each way that fits is equally likely.

    room: how many cards each player gets; together they are all. lacking: the cards that each surely lacks.

    1. Cards that the same players lack are of one kind.
    2. How many ways are there to deal the kinds from one on, with so much room left? By recursion over how
       the cards of a kind are shared out.
    3. Draw how each kind is shared out, by these numbers, and which of its cards they are.
    """
    if not any(lacking):
        mixed = rng.sample(cards, len(cards))
        return [[mixed.pop() for _ in range(count)] for count in room]
    alike: dict[tuple[bool, ...], list[int]] = {}
    for card in cards:
        alike.setdefault(tuple([card in lacks for lacks in lacking]), []).append(card)
    kinds = tuple([(lacks, len(same)) for lacks, same in alike.items()])
    left, hands = tuple(room), [list[int]() for _ in room]
    for kind, same in enumerate(alike.values()):
        among = _shares(kinds[kind:], left)
        pick = rng.randrange(sum([ways for _, ways in among]))
        place = 0
        while pick >= among[place][1]:
            pick -= among[place][1]
            place += 1
        mixed = rng.sample(same, len(same))
        for player, count in enumerate(among[place][0]):
            hands[player] += mixed[:count]
            del mixed[:count]
        left = _less(left, among[place][0])
    return hands


@lru_cache(maxsize=10_000)  # repeated samples come from the same state
def _shares(kinds: Kinds, left: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
    """How the cards of the first kind can be shared out, and in how many ways all are dealt with each."""
    lacks, size = kinds[0]
    found: list[tuple[tuple[int, ...], int]] = [((), 1)]
    for player, room in enumerate(left):
        longer = []
        for share, ways in found:
            rest = size - sum(share)
            least = rest if player == len(left) - 1 else 0
            for count in range(least, min(0 if lacks[player] else room, rest) + 1):
                longer.append(((*share, count), ways * comb(rest, count)))
        found = longer
    whole = []
    for share, ways in found:
        after = _less(left, share)
        further = sum([more for _, more in _shares(kinds[1:], after)]) if kinds[1:] else int(not any(after))
        if further:
            whole.append((share, ways * further))
    return whole


def _less(room: tuple[int, ...], share: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([one - other for one, other in zip(room, share, strict=True)])


def lay(trays: list[Tray], name: str, hand: Sequence[int], legal: Container[int]) -> dict[Cell, int]:
    """Add an open hand to the `trays` of a board: a row a suit from spades down, the highest card first.

    Returns where the cards lie that are `legal`.
    """
    found: dict[Cell, int] = {}
    wide = max(5, len(name))
    for suit in (3, 2, 1, 0):
        cards = [card for card in hand[::-1] if card % 4 == suit]
        called = f"{name if suit == 3 else '':<{wide}} {pack.SUITS[suit]}"
        found |= {(len(trays), column): card for column, card in enumerate(cards) if card in legal}
        trays.append(Tray(called, tuple([pack.RANKS[card // 4] for card in cards])))
    return found


def seated(
    trays: list[Tray],
    pointed: dict[Cell, int],
    seat: TableSeat,
    hand: Sequence[int],
    seen: bool,
    legal: Container[int],
) -> TableSeat:
    """A seat with its hand: added to the `trays` where it is seen, else only the number of cards."""
    if not seen:
        return replace(seat, hidden=len(hand))
    first = len(trays)
    pointed |= lay(trays, seat.name, hand, legal)
    return replace(seat, hand=tuple(range(first, first + 4)))


def table(
    trays: Sequence[Tray],
    legal: Mapping[Cell, int],
    names: Mapping[Cell, str],
    glyphs: Mapping[str, str],
    notes: Mapping[int, str],
    table: CardTable,
) -> Board:
    """The board of a card table; `legal` are the cards and calls that may be pointed at."""
    return Board(
        moves={cell: (move,) for cell, move in legal.items()},
        names=dict(names),
        glyphs=dict(glyphs),
        trays=tuple(trays),
        notes=dict(notes),
        table=table,
    )


def in_order(cards: Sequence[int]) -> list[int]:
    """Cards by suits from spades down, the highest first."""
    return sorted(cards, key=lambda card: (-(card % 4), -card))


def trick_text(players: Sequence[str], number: int, leader: int, cards: Sequence[int], taker: int) -> str:
    """A complete trick in words, from the lead on."""
    count = len(players)
    each = ", ".join(
        f"{players[(leader + place) % count]} {pack.word(card)}" for place, card in enumerate(cards)
    )
    return f"trick {number}: {each}; {players[taker]} took it"


def must_follow(card: int) -> str:
    """The message for a player who does not follow the suit of a card."""
    return f"who has {('a club', 'a diamond', 'a heart', 'a spade')[card % 4]} must follow suit"
