"""Three rule-based hold'em players as opponents: `tests/examples/engines/poker.py:tight`."""

FOLD, CALL = 0, 1  # moves of hold'em; greater ones bet or raise


def caller(position):
    """Never bets, never folds."""
    return CALL


def raiser(position):
    """Bets and raises the least that is offered, as long as it may."""
    return next((move for move in position.moves() if move > CALL), CALL)


def tight(position):
    """Plays one hand in seven, and bets what is at least a pair with a card of its own."""
    _, own, shared, _ = position.infoset(position.turn)
    if good(own) if not shared else made(own, shared):
        return raiser(position)
    return FOLD if FOLD in position.moves() else CALL


def good(own):
    """A pair of sixes up, an ace or a king with a card of ten up, or one suit and both ten up."""
    low, high = sorted(card // 4 for card in own)
    if low == high:
        return low >= 4
    return low >= 8 and (high >= 11 or own[0] % 4 == own[1] % 4)


def made(own, shared):
    """A pair or better, and better than what lies open alone."""
    ranks = [card // 4 for card in shared]
    paired = own[0] // 4 == own[1] // 4 or any(card // 4 in ranks for card in own)
    return paired or _flush(own, shared)


def _flush(own, shared):
    """Five cards of one suit, one of one's own among them."""
    suits = [card % 4 for card in (*own, *shared)]
    return any(suits.count(card % 4) >= 5 for card in own)
