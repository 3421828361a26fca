"""An oracle for Go."""

from gameplay.registry import game


def new(spec="", text=None):
    return game(f"go:{spec}" if spec else "go").new(text)


class Oracle:
    """The rules implemented with sets of points."""

    def __init__(self, columns, rows, suicide=False, ko="positional"):
        self.points = {(x, y) for x in range(columns) for y in range(rows)}
        self.suicide, self.ko = suicide, ko
        self.board, self.turn, self.passes = {}, 0, 0
        self.past = {self.situation(self.board, 0)}

    def situation(self, board, turn):
        return (frozenset(board.items()), turn if self.ko == "situational" else 0)

    def beside(self, point):
        x, y = point
        return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & self.points

    def chain(self, board, point):
        stones, waiting = {point}, [point]
        while waiting:
            more = {p for p in self.beside(waiting.pop()) if board.get(p) == board[point]} - stones
            stones |= more
            waiting += more
        return stones, {p for stone in stones for p in self.beside(stone)} - set(board)

    def after(self, point):
        """The board after a move with the captured stones, or None for forbidden suicide."""
        board, lost = {**self.board, point: self.turn}, set()
        for other in self.beside(point):
            if board.get(other) == 1 - self.turn:
                chain, liberties = self.chain(board, other)
                lost |= chain if not liberties else set()
        board = {p: stone for p, stone in board.items() if p not in lost}
        chain, liberties = self.chain(board, point)
        if not liberties:
            if not self.suicide:
                return None, lost
            board = {p: stone for p, stone in board.items() if p not in chain}
        return board, lost

    def legal(self):
        results = set()
        for point in self.points - set(self.board):
            board, _ = self.after(point)
            if board is not None and self.situation(board, 1 - self.turn) not in self.past:
                results.add(point)
        return results

    def make(self, point):
        self.passes = self.passes + 1 if point is None else 0
        if point is not None:
            self.board, _ = self.after(point)
        self.turn = 1 - self.turn
        self.past.add(self.situation(self.board, self.turn))

    def score(self):
        total, seen = 0, set()
        for point in self.points:
            if point in self.board:
                total += 1 - 2 * self.board[point]
            elif point not in seen:
                region, waiting, owners = {point}, [point], set()
                while waiting:
                    for p in self.beside(waiting.pop()):
                        if p in self.board:
                            owners.add(self.board[p])
                        elif p not in region:
                            region.add(p)
                            waiting.append(p)
                seen |= region
                total += len(region) * (1 - 2 * min(owners)) if len(owners) == 1 else 0
        return total


def point_of(position, move):
    word = position.format(move)
    return None if word == "pass" else ("ABCDEFGHJKLMNOPQRST".index(word[0]), int(word[1:]) - 1)
