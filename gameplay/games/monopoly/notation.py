"""Monopoly move notation."""

from gameplay.games.monopoly.board import facts
from gameplay.games.monopoly.layout import *

# The words of moves by kind, see layout.py.
WORDS = (
    *("", "", "roll", "pay", "card", "buy", "auction", "bid-", "pass", "build-", "sell-", "mortgage-"),
    *("redeem-", "want-", "give-", "", "accept", "refuse", "end"),
)


def word(move: int, deck: int, doubled: bool) -> str:
    """A move as one word; deck: the current deck; doubled: whether the last roll was a double."""
    what, x = move & 31, move >> 5
    board = facts()
    if what == DICE:
        return f"{x >> 3}-{x & 7}"
    if what == CARD:
        return board.words[16 * deck + x]
    if what == BIDS:
        return f"bid-{x}"
    if what == GIVE and x == NOTHING:
        return "give-nothing"
    if what == MONEY:
        return "even" if x == EVEN else f"add-{x - EVEN}" if x > EVEN else f"ask-{EVEN - x}"
    if what == END and doubled:
        return "roll"
    return WORDS[what] + (board.short(x) if WORDS[what].endswith("-") else "")
