"""Bridge card play by beginners' rules of thumb; cards as in `pack`.

Lead the highest of a sequence, else the fourth highest of the longest suit. Second hand plays low, third hand
plays high, the last one takes the trick as cheaply as can be. No player beats their partner's trick. A
player who cannot follow ruffs if that wins, and else discards the lowest card of the longest side suit.
"""

from collections.abc import Sequence

from gameplay.games.shared import tricks


def card(hand: Sequence[int], trick: Sequence[int], trump: int | None) -> int:
    """The card to play from a hand to a trick."""
    if not trick:
        return _lead(hand, trump)
    moves = sorted(tricks.legal_cards(hand, trick))
    best = tricks.winning_index(trick, trump)
    winning = [one for one in moves if tricks.winning_index((*trick, one), trump) == len(trick)]
    partners = len(trick) - best == 2
    if moves[0] % 4 != trick[0] % 4:
        if winning and not partners:
            return winning[0]
        return _discard(moves, trump)
    if not winning or partners or len(trick) == 1:
        return moves[0]
    return winning[0] if len(trick) == 3 else winning[-1]


def _lead(hand: Sequence[int], trump: int | None) -> int:
    suits = [sorted([one for one in hand if one % 4 == suit], reverse=True) for suit in range(4)]
    plain = [held for suit, held in enumerate(suits) if held and suit != trump]
    for held in sorted(plain, key=len, reverse=True):
        if len(held) > 1 and held[0] >= 32 and held[0] - held[1] == 4:  # from a ten on
            return held[0]
    longest = max(plain or [held for held in suits if held], key=len)
    return longest[min(3, len(longest) - 1)]


def _discard(moves: Sequence[int], trump: int | None) -> int:
    plain = [one for one in moves if one % 4 != trump] or list(moves)
    lengths = [sum(other % 4 == suit for other in plain) for suit in range(4)]
    return min(plain, key=lambda one: (-lengths[one % 4], one))
