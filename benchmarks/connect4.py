"""Connect Four as a user would write it: plain Python, only the required methods of `Position`."""

from gameplay import Position

COLUMNS, ROWS = 7, 6
ORDER = (3, 2, 4, 1, 5, 0, 6)
FLOORS = tuple(1 << (column * (ROWS + 1)) for column in range(COLUMNS))
TOPS = tuple(floor << (ROWS - 1) for floor in FLOORS)
FULL = tuple((floor << ROWS) - floor for floor in FLOORS)


def has_four(stones: int) -> bool:
    """True if four of these stones are in line."""
    pairs = stones & (stones >> 7)
    if pairs & (pairs >> 14):
        return True
    pairs = stones & (stones >> 6)
    if pairs & (pairs >> 12):
        return True
    pairs = stones & (stones >> 8)
    if pairs & (pairs >> 16):
        return True
    pairs = stones & (stones >> 1)
    return pairs & (pairs >> 2) != 0


class Connect4(Position):
    """Players drop stones into columns in turn; four in a line win."""

    def __init__(self) -> None:
        super().__init__()
        self.pos = 0  # the mover's stones
        self.mask = 0  # all stones
        self.made: list[int] = []

    def moves(self) -> list[int]:
        mask = self.mask
        return [column for column in ORDER if not mask & TOPS[column]]

    def make(self, move: int) -> None:
        self.pos ^= self.mask
        self.mask |= self.mask + FLOORS[move]
        self.made.append(move)
        self.turn ^= 1

    def unmake(self) -> None:
        move = self.made.pop()
        self.mask ^= ((self.mask & FULL[move]) + FLOORS[move]) >> 1
        self.pos ^= self.mask
        self.turn ^= 1

    def outcome(self) -> tuple[int, int] | None:
        if has_four(self.pos ^ self.mask):
            return (-1, 1) if self.turn == 0 else (1, -1)
        return (0, 0) if len(self.made) == COLUMNS * ROWS else None

    def key(self) -> int:
        return self.pos + self.mask
