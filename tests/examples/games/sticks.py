"""The smallest game: three methods, `turn`, and `@undoable` for the way back."""

from gameplay import Position, undoable


class Sticks(Position):
    """Take one, two or three sticks; the player who takes the last one loses."""

    def __init__(self, sticks=20):
        super().__init__()
        self.sticks = sticks

    def moves(self):
        return [take for take in (1, 2, 3) if take <= self.sticks]

    @undoable
    def make(self, move):
        self.sticks -= move
        self.turn = 1 - self.turn

    def outcome(self):
        if self.sticks:
            return None
        return (1, -1) if self.turn == 0 else (-1, 1)
