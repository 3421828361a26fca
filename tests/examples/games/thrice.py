"""A game for three: `turn` goes round, and an outcome has three payoffs."""

from gameplay import Position


class Thrice(Position):
    """Three players take one or two sticks in turn; the taker of the last one gets 1 from each other."""

    players = 3
    sides = ("north", "east", "west")

    def __init__(self, sticks=9):
        super().__init__()
        self.sticks = sticks
        self.taken = []

    def moves(self):
        return [take for take in (1, 2) if take <= self.sticks]

    def make(self, move):
        self.sticks -= move
        self.taken.append(move)
        self.turn = (self.turn + 1) % 3

    def unmake(self):
        self.turn = (self.turn - 1) % 3
        self.sticks += self.taken.pop()

    def outcome(self):
        if self.sticks:
            return None
        last = (self.turn - 1) % 3
        return tuple(2 if player == last else -1 for player in range(3))

    def key(self):
        return self.sticks * 3 + self.turn
