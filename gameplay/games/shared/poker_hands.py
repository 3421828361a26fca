# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Poker hands: strengths and names.

C types: poker_hands.pxd.

Cards are a set of bits, thirteen for each suit, from the two up:

    bit  0  1  2  3  4  5  6  7  8  9 10 11 12   13 ...  25   26 ...  38   39 ...  51
        2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac   2d ...  Ad   2h ...  Ah   2s ...  As

A strength is a number, greater for the better hand and equal for hands that share a pot:

    class << 26 | ranks that make the class << 13 | kickers

Ranks are bits again. All hands of a class have the same number of ranks, so the greater number has the higher
cards. A straight is represented by its highest rank only.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if cython.compiled:
    from cython.cimports.gameplay.native.bits import highest, popcount
else:
    from gameplay.native.bits import highest, popcount

RANKS = "23456789TJQKA"
SUITS = "cdhs"
NAMES = ("twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens")
NAMES += ("jacks", "queens", "kings", "aces")
CLASSES = (
    "a high card",
    "a pair",
    "two pair",
    "three of a kind",
    "a straight",
    "a flush",
    "a full house",
    "four of a kind",
    "a straight flush",
)

ACE = cython.declare(cython.int, 12)
SUIT = cython.declare(cython.int, 13)  # ranks of a suit
RANK_MASK = cython.declare(cython.uint, 0x1FFF)
BIT = cython.declare(cython.uint, 1)


def strength(cards):
    """The strength of the best five of five to seven cards."""
    return rank_cards(cards)


def bit(card):
    """The bit of a card, `Ks`."""
    return 1 << SUIT * SUITS.index(card[1]) + RANKS.index(card[0])


def hand_name(value):
    """The name of a strength: `two pair, queens and fours`."""
    made = [NAMES[rank] for rank in range(ACE, -1, -1) if value >> 13 >> rank & 1]
    high = made[0].removesuffix("es" if made[0] == "sixes" else "s")
    number = value >> 26
    if number in (0, 4, 5, 8):
        if number == 8 and high == "ace":
            return "a royal flush"
        return f"{CLASSES[number]}, {high} high" if number else f"{high} high"
    if number == 1:
        return f"a pair of {made[0]}"
    if number == 6:
        pair = next(NAMES[rank] for rank in range(ACE + 1) if value >> rank & 1)
        return f"a full house, {made[0]} over {pair}"
    return f"{CLASSES[number]}, {' and '.join(made)}"


def highest_ranks(ranks, count):
    """The highest `count` of the ranks."""
    while popcount(ranks) > count:
        ranks &= ranks - 1
    return ranks


def straight_rank(ranks):
    """The highest rank of a straight, the ace also counting as low; -1 if there is none."""
    low = cython.declare(cython.uint, ranks << 1 | ranks >> ACE & 1)
    low = low & low >> 1 & low >> 2 & low >> 3 & low >> 4
    return highest(low) + 3 if low else -1


def rank_cards(cards):
    """1. Suits. 2. A flush. 3. Pairs, three and four of a kind. 4. The best class."""
    c = cython.declare(cython.uint, cards & RANK_MASK)
    d = cython.declare(cython.uint, cards >> SUIT & RANK_MASK)
    h = cython.declare(cython.uint, cards >> 2 * SUIT & RANK_MASK)
    s = cython.declare(cython.uint, cards >> 3 * SUIT & RANK_MASK)
    ranks = cython.declare(cython.uint, c | d | h | s)
    flush = cython.declare(cython.uint, 0)
    if popcount(c) >= 5:
        flush = c
    elif popcount(d) >= 5:
        flush = d
    elif popcount(h) >= 5:
        flush = h
    elif popcount(s) >= 5:
        flush = s
    run = cython.declare(cython.int, -1)
    if flush:
        run = straight_rank(flush)
        if run >= 0:
            return 8 << 26 | BIT << run << 13
    four = cython.declare(cython.uint, c & d & h & s)
    if four:
        return 7 << 26 | four << 13 | highest_ranks(ranks ^ four, 1)
    three = cython.declare(cython.uint, highest_ranks(c & d & (h | s) | h & s & (c | d), 1))
    two = cython.declare(cython.uint, ((c | d) & (h | s) | c & d | h & s) & ~three)
    if three and two:
        return 6 << 26 | three << 13 | highest_ranks(two, 1)
    if flush:
        return 5 << 26 | highest_ranks(flush, 5) << 13
    run = straight_rank(ranks)
    if run >= 0:
        return 4 << 26 | BIT << run << 13
    if three:
        return 3 << 26 | three << 13 | highest_ranks(ranks ^ three, 2)
    two = highest_ranks(two, 2)
    if two & (two - 1):
        return 2 << 26 | two << 13 | highest_ranks(ranks ^ two, 1)
    if two:
        return 1 << 26 | two << 13 | highest_ranks(ranks ^ two, 3)
    return highest_ranks(ranks, 5) << 13
