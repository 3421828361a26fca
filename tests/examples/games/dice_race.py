"""A game with dice for three players, each for themselves."""

from gameplay import CHANCE, Position, undoable

RUN, REST = 0, 1


class DiceRace(Position):
    """Who first has run `track` steps gets 3 points; each player gets one for each 4 steps.

    The player to move runs, as many steps as a die shows, or rests, twice at most, for two steps more then.
    A six is a stumble: the runner stays where they are and loses their rest. Moves are `run` and `rest`,
    chance's the pips.
    """

    players = 3
    zero_sum = False
    chance = True
    scored = True
    sides = ("red", "green", "blue")

    def __init__(self, track=12):
        super().__init__()
        self.track = track
        self.steps = [0, 0, 0]
        self.rested = [0, 0, 0]
        self.runner = 0

    def moves(self):
        if self.turn == CHANCE:
            return list(range(1, 7))
        return [RUN, REST] if self.rested[self.turn] < 4 else [RUN]

    @undoable
    def make(self, move):
        if self.turn == CHANCE:
            if move < 6:
                self.steps[self.runner] += move + self.rested[self.runner]
            self.rested[self.runner] = 0
        elif move == RUN:
            self.runner = self.turn
            self.turn = CHANCE
            return
        else:
            self.rested[self.turn] = self.rested[self.turn] + 2
            self.runner = self.turn
        self.turn = (self.runner + 1) % 3

    def outcome(self):
        if max(self.steps) < self.track:
            return None
        return tuple(3 * (steps >= self.track) + steps // 4 for steps in self.steps)

    def format(self, move):
        return str(move) if self.turn == CHANCE else ("run", "rest")[move]

    def __str__(self):
        return " ".join(f"{side} {steps}" for side, steps in zip(self.sides, self.steps, strict=True))
