"""The solution of the game of sticks (tests/examples/games/sticks.py), in one file."""

from gameplay.knowledge.knowledge import Advice, Knowledge
from gameplay.value import TB_WIN


class Fours(Knowledge):
    """Who must take from one stick, five, nine, ... has lost: the other makes it four a round."""

    in_search = True

    def probe(self, position):
        lost = position.sticks % 4 == 1
        return Advice("solver", value=-TB_WIN if lost else TB_WIN, exact=True)
