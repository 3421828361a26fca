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
    winning = [move for move in moves if tricks.winning_index((*trick, move), trump) == len(trick)]
    partners = len(trick) - best == 2
    if moves[0] % 4 != trick[0] % 4:
        if winning and not partners:
            return winning[0]
        return _discard(moves, trump)
    if not winning or partners or len(trick) == 1:
        return moves[0]
    return winning[0] if len(trick) == 3 else winning[-1]


def _lead(hand: Sequence[int], trump: int | None) -> int:
    suits = [sorted([card for card in hand if card % 4 == suit], reverse=True) for suit in range(4)]
    side_suits = [suit_cards for suit, suit_cards in enumerate(suits) if suit_cards and suit != trump]
    for suit_cards in sorted(side_suits, key=len, reverse=True):
        # A sequence headed by at least a ten.
        if len(suit_cards) > 1 and suit_cards[0] >= 32 and suit_cards[0] - suit_cards[1] == 4:
            return suit_cards[0]
    longest = max(side_suits or [suit_cards for suit_cards in suits if suit_cards], key=len)
    return longest[min(3, len(longest) - 1)]


def _discard(moves: Sequence[int], trump: int | None) -> int:
    side_cards = [move for move in moves if move % 4 != trump] or list(moves)
    lengths = [sum(other % 4 == suit for other in side_cards) for suit in range(4)]
    return min(side_cards, key=lambda move: (-lengths[move % 4], move))
