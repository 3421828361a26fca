"""A game with dice: chance is a player of its own, who moves while `turn` is CHANCE."""

from gameplay import CHANCE, Position, undoable

ROLL, HOLD = 0, 1


class Pig(Position):
    """Roll as often as you dare and add up the pips, or hold and keep them; a one loses the turn's pips.

    The first player with `goal` points or more wins. Moves are `roll` and `hold`, chance's the pips.
    """

    chance = True

    def __init__(self, goal=12, faces=6):
        super().__init__()
        self.goal = goal
        self.faces = faces
        self.points = [0, 0]
        self.pot = 0  # pips of this turn, not yet kept
        self.roller = 0

    def moves(self):
        if self.turn == CHANCE:
            return list(range(1, self.faces + 1))
        return [ROLL, HOLD]

    @undoable
    def make(self, move):
        if self.turn == CHANCE:
            self.turn = self.roller
            if move == 1:
                self._pass()
            else:
                self.pot += move
        elif move == ROLL:
            self.roller = self.turn
            self.turn = CHANCE
        else:
            self.points[self.turn] += self.pot
            self._pass()

    def _pass(self):
        self.pot = 0
        self.turn = 1 - self.turn
        self.roller = 0

    def chances(self):
        return [1 / self.faces] * self.faces

    def outcome(self):
        if max(self.points) < self.goal:
            return None
        return (1, -1) if self.points[0] >= self.goal else (-1, 1)

    def format(self, move):
        return str(move) if self.turn == CHANCE else ("roll", "hold")[move]

    def __str__(self):
        return f"{self.points[0]} : {self.points[1]}, {self.pot} in the pot"
