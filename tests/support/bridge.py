"""A plain solver of bridge with open cards."""

from functools import cache

from gameplay.games.shared.tricks import legal_cards, winning_index


def double_dummy_tricks(hands, trump, leader, trick=()):
    """The tricks that players 0 and 2 take, by exhaustive search."""

    @cache
    def rest(hands, leader, trick):
        if len(trick) == 4:
            leader = (leader + winning_index(trick, trump)) % 4
            return 1 - leader % 2 + rest(hands, leader, ())
        player = (leader + len(trick)) % 4
        if not hands[player]:
            return 0
        values = []
        for card in legal_cards(hands[player], trick):
            left = tuple([hand for hand in hands[player] if hand != card])
            values.append(rest((*hands[:player], left, *hands[player + 1 :]), leader, (*trick, card)))
        return min(values) if player % 2 else max(values)

    return rest(tuple(map(tuple, hands)), leader, trick)
