"""Base class of poker games."""

from gameplay.position import Position


class Poker(Position):
    """A card game with hidden cards and bets; payoffs are the chips won or lost."""

    chance = True
    hidden = True
    perfect_recall = True
    scored = True
    unit_names = ("chip", "chips")
