"""A pack of 52 cards: numbers, names and hands.

A card is a number: 4 times its rank, from 0 (a two) to 12 (an ace), and its suit: 0 clubs, 1 diamonds,
2 hearts, 3 spades. As text it is rank and suit: `Th`, `2c`; `10h`, `HT` and `T♥` are accepted too. A hand
as text is its suits from spades down with dots between them, as in PBN: `AKQ7.72.QJ97.963`.
"""

from collections.abc import Iterable, Sequence

from gameplay.errors import BadInput

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_SIGNS = ("♣", "♦", "♥", "♠")
PACK = tuple(range(52))
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


GLYPHS = {rank + suit: rank + sign for rank in RANKS for suit, sign in zip(SUITS, SUIT_SIGNS, strict=True)}


def card_text(card: int) -> str:
    """A card as text: `Th`."""
    return RANKS[card // 4] + SUITS[card % 4]


def parse_card(text: str) -> int | None:
    """Parse a card, `Th`, `TH`, `10h` or `ht`; None if it is not one."""
    name = text.strip().upper().replace("10", "T")
    for sign, suit in zip(SUIT_SIGNS, SUITS, strict=True):
        name = name.replace(sign, suit.upper())
    for both in (name, name[::-1]) if len(name) == 2 else ():
        if both[0] in RANKS and both[1].lower() in SUITS:
            return 4 * RANKS.index(both[0]) + SUITS.index(both[1].lower())
    return None


def hand_text(cards: Iterable[int]) -> str:
    """A hand as text: `AKQ7.72.QJ97.963`."""
    held = sorted(cards, reverse=True)
    return ".".join("".join(RANKS[card // 4] for card in held if card % 4 == suit) for suit in (3, 2, 1, 0))


def parse_hand(text: str, where: str) -> tuple[int, ...]:
    """Parse a hand. Raises BadInput; `where` names the hand in the message."""
    parts = text.split(".")
    if len(parts) != 4:
        raise BadInput(
            f"{where}, '{text}': a hand is four suits with dots between them, spades first, as in "
            "AKQ7.72.QJ97.963"
        )
    cards = []
    for part, suit in zip(parts, (3, 2, 1, 0), strict=True):
        for letter in part.upper().replace("10", "T"):
            if letter not in RANKS:
                raise BadInput(f"{where}, '{text}': '{letter}' is not a rank (choose from A K Q J T 9 to 2)")
            card = 4 * RANKS.index(letter) + suit
            if card in cards:
                raise BadInput(f"{where}, '{text}': {card_text(card)} is listed twice")
            cards.append(card)
    return tuple(sorted(cards))


def check_disjoint(hands: Sequence[Sequence[int]], names: Sequence[str]) -> None:
    """Check that hands are disjoint. Raises BadInput if a card is in two hands."""
    holder: dict[int, str] = {}
    for cards, name in zip(hands, names, strict=True):
        for card in cards:
            if card in holder:
                raise BadInput(f"{card_text(card)} is in two hands: {holder[card]}'s and {name}'s")
            holder[card] = name
