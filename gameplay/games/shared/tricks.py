"""Tricks: legal cards, the winner, random deals of hidden hands, and drawing of open ones."""

from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

from gameplay.board import Board, CardTable, Cell, TableSeat, Tray
from gameplay.games.shared import pack

if TYPE_CHECKING:
    from random import Random

# By kind of card: whether each player lacks these cards, and their number.
CardKinds = tuple[tuple[tuple[bool, ...], int], ...]


def legal_cards(hand: Sequence[int], trick: Sequence[int]) -> list[int]:
    """The legal cards of a hand: those of the suit led, if there are any, else all."""
    if trick:
        suited = [card for card in hand if card % 4 == trick[0] % 4]
        if suited:
            return suited
    return list(hand)


def winning_index(trick: Sequence[int], trump: int | None = None) -> int:
    """The index of the card that wins a trick: the highest trump, else the highest of the suit led."""
    best = 0
    for place, card in enumerate(trick):
        if card % 4 == trick[best] % 4:
            if card > trick[best]:
                best = place
        elif card % 4 == trump:
            best = place
    return best


def voids(leads: Sequence[int], played: Sequence[int], players: int = 4) -> list[set[int]]:
    """The cards that each player cannot have: suits that they failed to follow.

    `played` are the cards in order, and `leads` the leader of each trick.
    """
    missing: list[set[int]] = [set() for _ in range(players)]
    for number, card in enumerate(played):
        trick, place = divmod(number, players)
        suit = played[trick * players] % 4
        if card % 4 != suit:
            missing[(leads[trick] + place) % players].update(range(suit, 52, 4))
    return missing


def deal_uniformly(
    cards: Sequence[int], capacities: Sequence[int], lacking: Sequence[set[int]], rng: "Random"
) -> list[list[int]]:
    """Deal `cards` uniformly at random among the deals that fit.

    room: the number of cards of each player, all cards in total. lacking: cards that each player cannot have.

    1. Group cards by the players who lack them: a kind.
    2. Count the deals of the remaining kinds by remaining capacity, recursively over the shares of a kind.
    3. Sample the shares of each kind in proportion to these counts, then its cards.
    """
    if not any(lacking):
        shuffled = rng.sample(cards, len(cards))
        return [[shuffled.pop() for _ in range(count)] for count in capacities]
    groups: dict[tuple[bool, ...], list[int]] = {}
    for card in cards:
        groups.setdefault(tuple([card in lacks for lacks in lacking]), []).append(card)
    kinds = tuple([(lacks, len(same)) for lacks, same in groups.items()])
    capacity, hands = tuple(capacities), [list[int]() for _ in capacities]
    for kind, same in enumerate(groups.values()):
        shares = _distributions(kinds[kind:], capacity)
        pick = rng.randrange(sum([deals for _, deals in shares]))
        place = 0
        while pick >= shares[place][1]:
            pick -= shares[place][1]
            place += 1
        shuffled = rng.sample(same, len(same))
        for player, count in enumerate(shares[place][0]):
            hands[player] += shuffled[:count]
            del shuffled[:count]
        capacity = _subtract(capacity, shares[place][0])
    return hands


@lru_cache(maxsize=10_000)  # samples of one state repeat them
def _distributions(kinds: CardKinds, capacity: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
    """The possible shares of the first kind, each with the number of deals of all kinds."""
    lacks, size = kinds[0]
    shares: list[tuple[tuple[int, ...], int]] = [((), 1)]
    for player, capacities in enumerate(capacity):
        longer = []
        for share, deals in shares:
            rest = size - sum(share)
            minimum = rest if player == len(capacity) - 1 else 0
            for count in range(minimum, min(0 if lacks[player] else capacities, rest) + 1):
                longer.append(((*share, count), deals * comb(rest, count)))
        shares = longer
    complete = []
    for share, deals in shares:
        after = _subtract(capacity, share)
        rest_deals = (
            sum([more for _, more in _distributions(kinds[1:], after)]) if kinds[1:] else int(not any(after))
        )
        if rest_deals:
            complete.append((share, deals * rest_deals))
    return complete


def _subtract(capacities: tuple[int, ...], share: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([one - other for one, other in zip(capacities, share, strict=True)])


def add_hand(trays: list[Tray], name: str, hand: Sequence[int], legal: Container[int]) -> dict[Cell, int]:
    """Add a face-up hand to the `trays` of a board: a row a suit from spades down, the highest card first.

    Returns the cells of the `legal` cards.
    """
    cells: dict[Cell, int] = {}
    wide = max(5, len(name))
    for suit in (3, 2, 1, 0):
        cards = [card for card in hand[::-1] if card % 4 == suit]
        label = f"{name if suit == 3 else '':<{wide}} {pack.SUITS[suit]}"
        cells |= {(len(trays), column): card for column, card in enumerate(cards) if card in legal}
        trays.append(Tray(label, tuple([pack.RANKS[card // 4] for card in cards])))
    return cells


def seat_hand(
    trays: list[Tray],
    selectable: dict[Cell, int],
    seat: TableSeat,
    hand: Sequence[int],
    seen: bool,
    legal: Container[int],
) -> TableSeat:
    """A seat with its hand: added to the `trays` if it is face up, else only the number of cards."""
    if not seen:
        return seat.with_(hidden=len(hand))
    first = len(trays)
    selectable |= add_hand(trays, seat.name, hand, legal)
    return seat.with_(hand=tuple(range(first, first + 4)))


def card_board(
    trays: Sequence[Tray],
    legal: Mapping[Cell, int],
    names: Mapping[Cell, str],
    glyphs: Mapping[str, str],
    notes: Mapping[int, str],
    table: CardTable,
) -> Board:
    """The board of a card table; `legal` are the cards and calls that can be selected."""
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


def format_trick(players: Sequence[str], number: int, leader: int, cards: Sequence[int], taker: int) -> str:
    """A complete trick as text, from the lead on."""
    count = len(players)
    each = ", ".join(
        f"{players[(leader + place) % count]} {pack.card_text(card)}" for place, card in enumerate(cards)
    )
    return f"trick {number}: {each}; {players[taker]} took it"


def must_follow_error(card: int) -> str:
    """The error for not following the suit of a card."""
    return f"a player with {('a club', 'a diamond', 'a heart', 'a spade')[card % 4]} must follow suit"
