# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The quiet positions of games as samples, 32 bytes each.  C types: samples.pxd.

All fields are from the mover's view, with the mover's first rank at the bottom:

    bytes 0-7     the occupied squares, a bit each
          8-23    the pieces on them in the order of the squares, 4 bits each: kind, 6 more for the opponent's
          24-25   the value by `classic`, signed
          26-27   the value by the search, signed
          28      the result: 2 won, 1 drawn, 0 lost
          29      the scale factor of drawish endings, in 64ths
          30-31   0
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.chess.game import Chess

if cython.compiled:
    from cython.cimports.gameplay.games.chess.layout import CASTLE
    from cython.cimports.gameplay.native.bits import ONE
    from cython.cimports.gameplay.native.pointers import uchars
else:
    from gameplay.games.chess.layout import CASTLE
    from gameplay.native.bits import ONE
    from gameplay.native.pointers import uchars

ROW = 32  # bytes of a sample


class SampleReader:
    """Replays games. `limit`: positions with a greater absolute value are left out."""

    def __init__(self, limit: int):
        self.game = Chess()
        self.limit = limit

    def samples(self, opening, moves, values, result: int) -> bytes:
        """The samples of a game from the start position.

        `opening`: the moves before the first search; `moves` and `values`: the results of the searches;
        `result`: for White, 2 won, 1 drawn, 0 lost.
        """
        game: Chess = self.game
        game.begin()
        move: cython.int
        for move in opening:
            game.push(move)
        rows = bytearray()
        for move, value in zip(moves, values, strict=True):
            rows += self.sample(game, move, value, result)
            game.push(move)
        return bytes(rows)

    def sample(self, position: Chess, move: cython.int, value: cython.int, result: cython.int) -> bytes:
        """The sample of a position, empty if it is not quiet: in check, or the best move is a capture."""
        row = bytearray(ROW)
        return bytes(row) if self.write(position, uchars(row), move, value, result) else b""

    def write(self, game, row, move, value, result):
        """Write a sample into a row of zeros; false if the position is not quiet."""
        kind: cython.int = (move >> 18) & 7
        if (move >> 15) & 7 or 0 < kind < CASTLE or abs(value) > self.limit or game.is_threatened():
            return False
        turn: cython.int = game.turn
        base: cython.int = game.evaluator.score(game.kinds, game.colours, turn, 0)
        occupied: cython.ulonglong = 0
        square: cython.int
        count: cython.int = 0
        for square in range(64):
            at: cython.int = square ^ 56 if turn else square
            if game.cells[at]:
                occupied |= ONE << square
                code: cython.int = game.cells[at] - 1
                if not (game.colours[turn] >> at) & 1:
                    code += 6
                row[8 + (count >> 1)] |= code << 4 if count & 1 else code
                count += 1
        for square in range(8):
            row[square] = (occupied >> (8 * square)) & 255
        row[24], row[25] = base & 255, (base >> 8) & 255
        row[26], row[27] = value & 255, (value >> 8) & 255
        row[28] = 2 - result if turn else result
        row[29] = game.evaluator.scale_factor
        return True
