"""A rule-based hearts player as an opponent: `tests/examples/engines/hearts.py:careful`."""

HEARTS, SPADES, QUEEN = 2, 3, 43  # suits are cards modulo 4; the queen of spades


def careful(position):
    """Takes no trick that it need not, and gives away what is dangerous."""
    moves = position.moves()
    state = position.state
    if not state.leads:
        return max(moves, key=danger)
    trick = state.played[len(state.played) // position.players * position.players :]
    if not trick:
        return min(moves, key=danger)
    suit = trick[0] % 4
    if moves[0] % 4 != suit:
        return max(moves, key=danger)
    high = max(card for card in trick if card % 4 == suit)
    below = [card for card in moves if card < high]
    return max(below, key=lambda card: (card == QUEEN, card)) if below else min(moves)


def danger(card):
    """The queen of spades, higher spades, hearts from the ace down, other cards by their ranks."""
    if card % 4 == SPADES and card >= QUEEN:
        return 100 - (card - QUEEN)
    return card // 4 + (13 if card % 4 == HEARTS else 0)
