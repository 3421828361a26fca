# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Alpha-beta for positions of Stratego with all ranks known, for perfect information Monte Carlo.

Every move at the root gets its exact value, one ply deeper each time until the position has cost `ENOUGH`
nodes. Leaves are played on by captures until the position is quiet. The evaluation is material, and for each
piece the opposing piece that it can capture and is nearest to, so that pieces approach what they can take:
without it the search has no plan where nothing can be captured soon.

The rule on repeated moves is observed at the root only.  C types: open_search.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.shared.polled import PolledSolver
from gameplay.games.stratego.layout import LAKES, WORTH

if cython.compiled:
    from cython.cimports.gameplay.value import INF, WIN
else:
    from gameplay.value import INF, WIN

ENOUGH = cython.declare(cython.int, 4000)  # nodes of a position after which it is not searched deeper
DEEPEST = cython.declare(cython.int, 8)
INTERVAL = 4096  # nodes between two polls
FLAG_VALUE = 2000  # of pieces that approach it
HALF_WIN = 1500  # material that counts as half a win, in hundredths of a scout

EMPTY = cython.declare(cython.int, 0)
LAKE = cython.declare(cython.int, 99)
# Pieces are their ranks plus one.
FLAG = cython.declare(cython.int, 1)
BOMB = cython.declare(cython.int, 2)
SPY = cython.declare(cython.int, 3)
SCOUT = cython.declare(cython.int, 4)
MINER = cython.declare(cython.int, 5)
MARSHAL = cython.declare(cython.int, 12)
LAST = cython.declare(cython.int, 31)  # the last ply of captures: `stack` holds the moves of so many
KILLER = cython.declare(cython.int, 2)  # weight of the killer move; captures have more
NEAR = cython.declare(cython.int, 16)  # a piece beside one that can capture it counts a sixteenth

if cython.compiled:
    VALUES = cython.declare(cython.int[13])
    STEPS = cython.declare(cython.int[4])
else:
    VALUES, STEPS = [0] * 13, [0] * 4


def _fill():
    i: cython.int
    for i in range(12):
        VALUES[i + 1] = WORTH[i]
    VALUES[FLAG] = FLAG_VALUE
    for i in range(4):
        STEPS[i] = (10, 1, -1, -10)[i]


_fill()


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

    def pick(self, base, end):
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
        quiescent: cython.bint = depth <= 0 or ply >= LAST
        if quiescent:
            best = self.evaluate(side)
            if best >= beta or ply >= LAST:
                return best
            alpha = max(alpha, best)
        end: cython.int = self.generate(base, side, ply, quiescent)
        if end == base and not quiescent:
            # A player who cannot move has lost; if neither can, it is a draw.
            return ply - WIN if self.generate(base, -side, ply, False) > base else 0
        i: cython.int
        for i in range(base, end):
            move: cython.int = self.pick(i, end)
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
                # What is worth too little even next to the piece needs no distance.
                if target > 0 and VALUES[target] > best * NEAR and outcome(piece, target) > 0:
                    distance: cython.int = abs(start % 10 - end % 10) + abs(start // 10 - end // 10)
                    best = max(best, VALUES[target] // (NEAR + 4 * distance - 4))
            value += best if owner == side else -best
        return value

    # -- from Python -------------------------------------------------------------------------------

    def load(self, position):
        """Take over a position in the play."""
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

    def values(self, position, most: cython.longlong):
        """The value of each move, from -1 (loss) to 1, times the unit; None if not one ply was searched.

        `most`: the most nodes; 0: no limit.
        """
        moves = position.moves()
        self.last = dict.fromkeys(moves, 0.0)
        if position.placing() is not None:
            return self.last  # searches cannot value a set-up
        self.load(position)
        begun: cython.longlong = self.nodes
        self.most = begun + most if most else 0
        self.next_poll, self.stopped = begun, False
        values = None
        depth: cython.int = 0
        while depth < DEEPEST and self.nodes - begun < ENOUGH:
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
        """What a move leads to in the last position, as a share of a win."""
        return f"{self.last[move]:+.2f}"

    def facts(self):
        """How deep the deals were searched."""
        return f"deals searched {self.depths / self.deals:.1f} plies deep" if self.deals else ""
