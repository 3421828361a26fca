"""Three small games with an evaluation, each also with its sign swapped and from the first player's view.

`Row` is like tic-tac-toe, `Dash` a race with dice, `Capture` a fight in which pieces are taken.
"""

from gameplay import CHANCE, Position, undoable

LINES = [
    [4 * (y + n * dy) + x + n * dx for n in range(3)]
    for y in range(3)
    for x in range(4)
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    if x + 2 * dx < 4 and 0 <= y + 2 * dy < 3
]


class Row(Position):
    """Put a stone on one of 3 x 4 cells; three in a row, a column or a diagonal win."""

    def __init__(self):
        super().__init__()
        self.cells = [-1] * 12

    def moves(self):
        return [cell for cell, stone in enumerate(self.cells) if stone < 0]

    @undoable
    def make(self, move):
        self.cells[move] = self.turn
        self.turn = 1 - self.turn

    def outcome(self):
        for line in LINES:
            stones = {self.cells[cell] for cell in line}
            if len(stones) == 1 and stones != {-1}:
                return (1, -1) if stones == {0} else (-1, 1)
        return None if -1 in self.cells else (0, 0)

    def evaluate(self):
        """Stones in lines that the opponent has not blocked, squared."""
        total = 0
        for line in LINES:
            stones = [self.cells[cell] for cell in line]
            for player in (0, 1):
                if 1 - player not in stones:
                    total += (1 if player == self.turn else -1) * stones.count(player) ** 2
        return total


class Dash(Position):
    """Throw a die and choose whether to run so far or rest; the first who reaches 15 wins."""

    chance = True

    def __init__(self):
        super().__init__()
        self.run, self.turn, self.player, self.rolled = [0, 0], CHANCE, 0, 0

    def moves(self):
        return list(range(6)) if self.turn == CHANCE else [0, 1]

    def chances(self):
        return [1 / 6] * 6

    @undoable
    def make(self, move):
        if self.turn == CHANCE:
            self.rolled, self.turn = move + 1, self.player
            return
        self.run[self.player] += self.rolled if move else 1
        self.rolled, self.player, self.turn = 0, 1 - self.player, CHANCE
        if max(self.run) >= 15:
            self.turn = self.player

    def outcome(self):
        return None if max(self.run) < 15 else (1, -1) if self.run[0] >= 15 else (-1, 1)

    def evaluate(self):
        """The mover's lead."""
        return self.run[self.player] - self.run[1 - self.player]


class Capture(Position):
    """Each has five men in a row of ten; a man takes the next man of the other side left or right of it.

    A man may also jump to an empty cell. After 24 moves who has more men wins; who has none has lost.
    """

    def __init__(self):
        super().__init__()
        self.row, self.made = [0, 1] * 5, 0

    def moves(self):
        placements = []
        for cell, man in enumerate(self.row):
            if man != self.turn:
                continue
            placements += [cell * 10 + to for to, other in enumerate(self.row) if other == -1]
            placements += [
                cell * 10 + to
                for to in (cell - 1, cell + 1)
                if 0 <= to < 10 and self.row[to] == 1 - self.turn
            ]
        return placements

    @undoable
    def make(self, move):
        start, to = divmod(move, 10)
        self.row[start], self.row[to] = -1, self.turn
        self.made += 1
        self.turn = 1 - self.turn

    def outcome(self):
        men = [self.row.count(player) for player in (0, 1)]
        if self.made < 24 and min(men):
            return None
        return ((men[0] > men[1]) - (men[0] < men[1]), (men[1] > men[0]) - (men[1] < men[0]))

    def evaluate(self):
        """Men more than the other side."""
        return self.row.count(self.turn) - self.row.count(1 - self.turn)


def swapped(cls):
    """The same game with the sign of evaluate() wrong."""

    class Swapped(cls):
        def evaluate(self):
            return -super().evaluate()

    return Swapped


def fixed(cls):
    """The same game with evaluate() from the first player's view at every position."""

    class Fixed(cls):
        def evaluate(self):
            return super().evaluate() if self.turn == 0 else -super().evaluate()

    return Fixed


RowSwapped, DashSwapped, CaptureSwapped = swapped(Row), swapped(Dash), swapped(Capture)
RowFixed, DashFixed, CaptureFixed = fixed(Row), fixed(Dash), fixed(Capture)
