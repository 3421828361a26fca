"""Dice and stacks: a race with a bar, drawn as a board with feet, counts and trays."""

from gameplay import CHANCE, Board, Position, Tray, undoable

POINTS = 12
BAR, OFF = 0, POINTS + 1  # in words `bar` and `off`
PASS = 0  # else a move is 16 * die + the point that a man leaves, or BAR
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


class Race(Position):
    """A small backgammon on twelve points, with four men each: who brings all of theirs off first wins.

    White (x) goes from 12 down to 1 and off, black (o) from 1 up to 12 and off, one die at a time, no double
    played four times. Two men hold a point; a lone one that is hit goes to the bar and must come in first.
    Moves are written `8/5`, `bar/11`, `3/off`, `pass`; chance rolls `6-1`.
    """

    chance = True
    sides = ("x", "o")

    def __init__(self):
        super().__init__()
        self.men = [[0] * (POINTS + 2), [0] * (POINTS + 2)]  # by player and point; BAR and OFF among them
        for point, count in ((12, 2), (7, 2)):
            self.men[0][point] = self.men[1][POINTS + 1 - point] = count
        self.dice = ()
        self.mover = 0
        self.turn = CHANCE

    def target(self, player, start, die):
        """The point that a man reaches, or None if he may not move there."""
        if player == 0:
            point = (OFF if start == BAR else start) - die
            point = OFF if point < 1 else point
        else:
            point = min(start + die, OFF)
        return point if point == OFF or self.men[1 - player][point] < 2 else None

    def moves(self):
        if self.turn == CHANCE:
            return list(range(len(ROLLS)))
        mine = self.men[self.turn]
        starts = [BAR] if mine[BAR] else [point for point in range(1, OFF) if mine[point]]
        targets = {}
        for die in sorted(set(self.dice)):
            for start in starts:
                point = self.target(self.turn, start, die)
                if point is not None:
                    targets.setdefault((start, point), 16 * die + start)  # off by the smaller die that does
        return list(targets.values()) or [PASS]

    @undoable
    def make(self, move):
        if self.turn == CHANCE:
            self.dice, self.turn = ROLLS[move], self.mover
            return
        dice = list(self.dice)
        if move == PASS:
            dice = []
        else:
            die, start = divmod(move, 16)
            point = self.target(self.turn, start, die)
            dice.remove(die)
            self.men[self.turn][start] -= 1
            self.men[self.turn][point] += 1
            other = self.men[1 - self.turn]
            if point != OFF and other[point]:
                other[point] -= 1
                other[BAR] += 1
        self.dice = tuple(dice)
        if not dice or self.men[self.turn][OFF] == 4:
            self.dice, self.mover = (), 1 - self.turn
            self.turn = self.mover if self.men[self.turn][OFF] == 4 else CHANCE

    def chances(self):
        return [(1 if high == low else 2) / 36 for high, low in ROLLS]

    def outcome(self):
        won = [men[OFF] == 4 for men in self.men]
        return None if not any(won) else (1, -1) if won[0] else (-1, 1)

    def format(self, move):
        if self.turn == CHANCE:
            return "{}-{}".format(*ROLLS[move])
        if move == PASS:
            return "pass"
        die, start = divmod(move, 16)
        point = self.target(self.turn, start, die)
        return f"{'bar' if start == BAR else start}/{'off' if point == OFF else point}"

    def board(self, viewer=None, last=None):
        place = {point: (0, point - 7) if point > 6 else (1, 6 - point) for point in range(1, OFF)}
        bar, off = (2, 3)
        cells = [[""] * 6, [""] * 6]
        counts = {}
        things = {BAR: ["", ""], OFF: ["", ""]}
        for player, men in enumerate(self.men):
            for point, count in enumerate(men):
                if not count:
                    continue
                if point in things:
                    things[point][player] = "XO"[player]
                    counts[bar if point == BAR else off, player] = count
                else:
                    y, x = place[point]
                    cells[y][x] = "XO"[player]
                    counts[y, x] = count
        moves, paths = {}, {}
        over = self.outcome() is not None
        for move in () if over or self.turn == CHANCE else self.moves():
            if move == PASS:
                continue
            die, start = divmod(move, 16)
            point = self.target(self.turn, start, die)
            cell = (bar, self.turn) if start == BAR else place[start]
            moves[cell] = (*moves.get(cell, ()), move)
            paths[move] = (cell, (off, self.turn) if point == OFF else place[point])
        return Board(
            cells=tuple(map(tuple, cells)),
            columns=tuple(map(str, range(7, 13))),
            feet=tuple(map(str, range(6, 0, -1))),
            rows=("", ""),
            owners={"X": 0, "O": 1},
            counts=counts,
            moves=moves,
            paths=paths,
            names={cell: str(point) for point, cell in place.items()}
            | {(bar, 0): "bar", (bar, 1): "bar", (off, 0): "off", (off, 1): "off"},
            trays=(
                Tray("bar", tuple(things[BAR])),
                Tray("off", tuple(things[OFF])),
                Tray("dice", tuple(map(str, self.dice))),
            ),
            notes={player: f"{self.pips(player)} to go" for player in (0, 1)},
        )

    def pips(self, player):
        """The number of points that a player's men still have to go."""
        men = self.men[player]
        far = [
            men[BAR] * OFF,
            *(men[point] * (point if player == 0 else OFF - point) for point in range(1, OFF)),
        ]
        return sum(far)

    def __str__(self):
        return f"x {self.men[0]}, o {self.men[1]}, dice {self.dice}"
