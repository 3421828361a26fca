"""Points with lines between them: three men's morris."""

from gameplay import Board, Position, undoable

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
LINKS = tuple((line[i], line[i + 1]) for line in LINES for i in (0, 1))
NEXT = {
    point: {b for a, b in LINKS if a == point} | {a for a, b in LINKS if b == point} for point in range(9)
}
START = 9  # a move is 9 * START + the point to begin with, then 9 * the point that is left + the new one


class Morris(Position):
    """Three men each are put on nine points, then moved along the lines; three in a row win.

    Moves are points, `b2`, and from point to point, `b2-c3`. After `limit` moves, or if a player cannot
    move, the game is drawn.
    """

    sides = ("white", "black")

    def __init__(self, limit=60):
        super().__init__()
        self.limit = limit
        self.points = [""] * 9
        self.count = 0

    def moves(self):
        empty = [point for point in range(9) if not self.points[point]]
        if self.count < 6:
            return [9 * START + point for point in empty]
        mine = [point for point in range(9) if self.points[point] == "WB"[self.turn]]
        return [9 * point + new for point in mine for new in sorted(NEXT[point]) if new in empty]

    @undoable
    def make(self, move):
        start, point = divmod(move, 9)
        if start != START:
            self.points[start] = ""
        self.points[point] = "WB"[self.turn]
        self.count += 1
        self.turn = 1 - self.turn

    def won(self):
        """The line of three, or ()."""
        rows = [line for line in LINES if len({self.points[point] for point in line} - {""}) == 1]
        return next((line for line in rows if all(self.points[point] for point in line)), ())

    def outcome(self):
        if line := self.won():
            return (1, -1) if self.points[line[0]] == "W" else (-1, 1)
        return (0, 0) if self.count >= self.limit or not self.moves() else None

    def format(self, move):
        start, point = divmod(move, 9)
        names = [f"{'abc'[place % 3]}{3 - place // 3}" for place in (start, point) if place < 9]
        return "-".join(names)

    def board(self, viewer=None, last=None):
        def cell(point):
            return divmod(point, 3)

        moves, paths = {}, {}
        for move in () if self.outcome() is not None else self.moves():
            start, point = divmod(move, 9)
            at = cell(point if start == START else start)
            moves[at] = (*moves.get(at, ()), move)
            if start != START:
                paths[move] = (at, cell(point))
        board_index = () if last is None else divmod(last, 9)
        return Board(
            cells=tuple(tuple(self.points[3 * y : 3 * y + 3]) for y in range(3)),
            columns=("a", "b", "c"),
            rows=("3", "2", "1"),
            owners={"W": 0, "B": 1},
            white=0,
            links=tuple((cell(first), cell(second)) for first, second in LINKS),
            last=tuple(cell(point) for point in board_index if point != START),
            line=tuple(map(cell, self.won())),
            moves=moves,
            paths=paths,
            glyphs={"W": "○", "B": "●"},
        )

    def __str__(self):
        return "/".join("".join(point or "." for point in self.points[3 * y : 3 * y + 3]) for y in range(3))
