# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Alpha-beta for positions of Stratego with all ranks known, for perfect information Monte Carlo.

Iterative deepening with exact values of all root moves, until a position has taken `ENOUGH_NODES` nodes; at
the leaves a quiescence search of captures. The evaluation is material, and a bonus for each piece by its
distance to the best piece that it can capture: without it the search has no plan in quiet positions.

The rule on repeated moves applies at the root only.  C types: open_search.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.shared.polled import PolledSolver
from gameplay.games.stratego.layout import LAKES, PIECE_VALUES

if cython.compiled:
    from cython.cimports.gameplay.value import INF, WIN
else:
    from gameplay.value import INF, WIN

ENOUGH_NODES = cython.declare(cython.int, 4000)  # after this many a position is not searched deeper
MAX_DEPTH = cython.declare(cython.int, 8)
INTERVAL = 4096  # nodes between two polls
FLAG_VALUE = 2000  # as a target of the distance bonus
HALF_WIN = 1500  # material, in hundredths of a scout

EMPTY = cython.declare(cython.int, 0)
LAKE = cython.declare(cython.int, 99)
# Pieces are their ranks plus one.
FLAG = cython.declare(cython.int, 1)
BOMB = cython.declare(cython.int, 2)
SPY = cython.declare(cython.int, 3)
SCOUT = cython.declare(cython.int, 4)
MINER = cython.declare(cython.int, 5)
MARSHAL = cython.declare(cython.int, 12)
MAX_PLY = cython.declare(cython.int, 31)  # of the quiescence search: the size of `stack`
KILLER = cython.declare(cython.int, 2)  # weight of the killer move, below captures
# The bonus for an adjacent target is a sixteenth of its value.
ADJACENT_SHARE = cython.declare(cython.int, 16)

if cython.compiled:
    VALUES = cython.declare(cython.int[13])
    STEPS = cython.declare(cython.int[4])
else:
    VALUES, STEPS = [0] * 13, [0] * 4


def _fill_tables():
    i: cython.int
    for i in range(12):
        VALUES[i + 1] = PIECE_VALUES[i]
    VALUES[FLAG] = FLAG_VALUE
    for i in range(4):
        STEPS[i] = (10, 1, -1, -10)[i]


_fill_tables()


def outcome(attacker, defender):
    """Positive if the attacker survives, negative if the defender does, 0 if neither. Ranks plus one."""
    if defender == BOMB:
        return 1 if attacker == MINER else -1
    if attacker == SPY and defender == MARSHAL:
        return 1
    return attacker - defender


class OpenSearch(PolledSolver):
    """Values the moves of deals, see `capabilities.DealSolver`."""

    def __init__(self, control=None):
        PolledSolver.__init__(self, INTERVAL, control)
        self.deals = self.depths = 0
        if not cython.compiled:
            self.cells, self.pieces = [0] * 100, [0] * 100
            self.stack, self.killers = [0] * 8192, [0] * 32

    # -- the search --------------------------------------------------------------------------------

    def generate(self, base, side, ply, captures):
        """Write the moves of a side, or its captures only, to stack[base:]; return the end."""
        end: cython.int = base
        cell: cython.int
        i: cython.int
        to: cython.int
        for cell in range(100):
            piece: cython.int = self.cells[cell] * side
            if piece <= BOMB or piece == LAKE:
                continue
            for i in range(4):
                step: cython.int = STEPS[i]
                to = cell
                while True:
                    if (step == 1 and to % 10 == 9) or (step == -1 and to % 10 == 0):
                        break
                    to += step
                    if to < 0 or to > 99:
                        break
                    target: cython.int = self.cells[to]
                    if target == LAKE or target * side > 0:
                        break
                    if target or not captures:
                        move: cython.int = cell << 7 | to
                        weight: cython.int = 0
                        if target:
                            target = -target * side
                            weight = 2048 + (
                                VALUES[target] if outcome(piece, target) >= 0 else -VALUES[piece]
                            )
                        elif move == self.killers[ply]:
                            weight = KILLER
                        self.stack[end] = weight << 14 | move
                        end += 1
                    if target or piece != SCOUT:
                        break
        return end

    def pick_best(self, base, end):
        """Swap the entry with the greatest weight to stack[base]; return its move."""
        i: cython.int
        best: cython.int = base
        for i in range(base + 1, end):
            if self.stack[i] >> 14 > self.stack[best] >> 14:
                best = i
        entry: cython.int = self.stack[best]
        self.stack[best] = self.stack[base]
        self.stack[base] = entry
        return entry & 0x3FFF

    def try_move(self, base, move, side, depth, ply, alpha, beta):
        """The value of a move to the side that makes it."""
        start: cython.int = move >> 7
        end: cython.int = move & 127
        mover: cython.int = self.cells[start]
        target: cython.int = self.cells[end]
        material: cython.int = self.material
        quiet_moves: cython.int = self.quiet_moves
        value: cython.int
        if target * -side == FLAG:
            return WIN - ply - 1
        self.cells[start] = EMPTY
        if target:
            piece: cython.int = mover * side
            other: cython.int = -target * side
            won: cython.int = outcome(piece, other)
            self.quiet_moves = 0
            if won >= 0:
                self.material += side * VALUES[other]
            if won <= 0:
                self.material -= side * VALUES[piece]
            self.cells[end] = mover if won > 0 else target if won < 0 else EMPTY
        else:
            self.quiet_moves += 1
            self.cells[end] = mover
        value = -self.visit(base, -side, depth - 1, ply + 1, -beta, -alpha)
        self.cells[start] = mover
        self.cells[end] = target
        self.material = material
        self.quiet_moves = quiet_moves
        return value

    def visit(self, base, side, depth, ply, alpha, beta):
        """The value of a position to the side to move: fail-soft alpha-beta."""
        self.nodes += 1
        if self.nodes >= self.next_poll and self.poll():
            return 0
        if self.quiet_moves >= self.quiet:
            return 0
        best: cython.int = -INF
        in_quiescence: cython.bint = depth <= 0 or ply >= MAX_PLY
        if in_quiescence:
            best = self.evaluate(side)
            if best >= beta or ply >= MAX_PLY:
                return best
            alpha = max(alpha, best)
        end: cython.int = self.generate(base, side, ply, in_quiescence)
        if end == base and not in_quiescence:
            # A player who cannot move has lost; if neither can, it is a draw.
            return ply - WIN if self.generate(base, -side, ply, False) > base else 0
        i: cython.int
        for i in range(base, end):
            move: cython.int = self.pick_best(i, end)
            value: cython.int = self.try_move(end, move, side, depth, ply, alpha, beta)
            if self.stopped:
                return 0
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        if not self.cells[move & 127]:
                            self.killers[ply] = move
                        break
        return best

    def evaluate(self, side):
        """Material, and for each piece the best piece that it can capture, by its distance."""
        count: cython.int = 0
        i: cython.int
        j: cython.int
        for i in range(100):
            if self.cells[i] and self.cells[i] != LAKE:
                self.pieces[count] = i
                count += 1
        value: cython.int = self.material * side
        for i in range(count):
            start: cython.int = self.pieces[i]
            owner: cython.int = 1 if self.cells[start] > 0 else -1
            piece: cython.int = self.cells[start] * owner
            if piece <= BOMB:
                continue
            best: cython.int = 0
            for j in range(count):
                end: cython.int = self.pieces[j]
                target: cython.int = -self.cells[end] * owner
                # Skip targets that cannot exceed the best bonus even if adjacent.
                if target > 0 and VALUES[target] > best * ADJACENT_SHARE and outcome(piece, target) > 0:
                    distance: cython.int = abs(start % 10 - end % 10) + abs(start // 10 - end // 10)
                    best = max(best, VALUES[target] // (ADJACENT_SHARE + 4 * distance - 4))
            value += best if owner == side else -best
        return value

    # -- from Python -------------------------------------------------------------------------------

    def load(self, position):
        """Copy a position in the play."""
        i: cython.int
        self.material = 0
        for i in range(100):
            piece = position.cells[i]
            if piece is None:
                self.cells[i] = LAKE if i in LAKES else EMPTY
                continue
            value: cython.int = piece.rank + 1
            self.cells[i] = -value if piece.player else value
            if value != FLAG:
                self.material += -VALUES[value] if piece.player else VALUES[value]
        self.quiet_moves, self.quiet = position.quiet_moves, position.quiet
        self.side = -1 if position.turn else 1
        for i in range(32):
            self.killers[i] = 0

    def values(self, position, node_limit: cython.longlong):
        """The value of each move, from -1 (loss) to 1, times the unit; None if not one ply was searched.

        node_limit: 0 for none.
        """
        moves = position.moves()
        self.last = dict.fromkeys(moves, 0.0)
        if position.placing() is not None:
            return self.last  # searches cannot value a set-up
        self.load(position)
        start_nodes: cython.longlong = self.nodes
        self.node_limit = start_nodes + node_limit if node_limit else 0
        self.next_poll, self.stopped = start_nodes, False
        values = None
        depth: cython.int = 0
        while depth < MAX_DEPTH and self.nodes - start_nodes < ENOUGH_NODES:
            scores = {}
            for move in moves:
                code: cython.int = move // 100 << 7 | move % 100
                scores[move] = self.try_move(0, code, self.side, depth + 1, 0, -INF, INF)
                if self.stopped:
                    break
            if self.stopped:
                break
            depth += 1
            values = {move: position.unit * score / (abs(score) + HALF_WIN) for move, score in scores.items()}
        if values is not None:
            self.deals += 1
            self.depths += depth
            self.last = values
        return values

    def words(self, move):
        """The value of a move in the last position, from -1 to 1."""
        return f"{self.last[move]:+.2f}"

    def facts(self):
        """The mean search depth."""
        return f"deals searched {self.depths / self.deals:.1f} plies deep" if self.deals else ""
