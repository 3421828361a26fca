# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Shared by the searches for any number of players: payoffs, alliances, the root, a table.

A value is a payoff in the game's own `unit`, a float: chance outcomes are weighted by probability, and in
general-sum games no player's value follows from another's. Players of an alliance share their payoffs: each
of them maximizes the sum. The values of a position are a row, `gains[ply * width :]`, of `width` numbers: one
a player (maxn), or only the payoff of the root's mover (paranoid, brs).
Types: search.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import math
from dataclasses import dataclass

from gameplay import value as scale
from gameplay.engines.expected import ExpectedSearch
from gameplay.engines.multiplayer.alliance import teams
from gameplay.kernel import Kernel
from gameplay.search import trace as steps
from gameplay.search.engine import Engine, has_guesses
from gameplay.search.options import eval_option, option, table_option
from gameplay.search.report import Candidate
from gameplay.search.table import table_bits
from gameplay.search.tree import TreeSearch

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.gameplay.native.allocation import zeroed
    from cython.cimports.gameplay.native.hashing import spread
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.search.trace import BETA, BY_TABLE, CUT, EVALUATE, KNOWN, LEAVE, TABLE
    from cython.cimports.gameplay.value import EXACT, INF, LOWER, MAX_PLY, ONGOING, UPPER
else:
    from gameplay.native.hashing import spread
    from gameplay.position import CHANCE
    from gameplay.search.trace import BETA, BY_TABLE, CUT, EVALUATE, KNOWN, LEAVE, TABLE
    from gameplay.value import EXACT, INF, LOWER, MAX_PLY, ONGOING, UPPER

PLAYERS = range(2, 1000)
APPLICABLE_ORDERS = ("generated", "random", "hint", "killer", "history")  # without values for the mover

FRAMES = cython.declare(cython.int, MAX_PLY + 3)
SAMPLE = cython.declare(cython.int, 1000)  # entries from which `fill` is estimated


class MultiplayerSearch(ExpectedSearch):
    """A search for the value of every player, or of the root's mover; `try_move` stores its gains in row 1.

    teams: a number for each player, the same within an alliance.
    bits: the table holds 2**bits results; 0: no table.
    width: length of a row of gains, see above.
    """

    def __init__(self, kernel: Kernel, control, teams, bits, width, ordering=None):
        TreeSearch.__init__(self, kernel, control, None, ordering)
        self.players = kernel.players
        self.width = width
        self.unit = kernel.unit
        self.half = scale.half_win(kernel.unit) if kernel.two_player_zero_sum and not kernel.scored else 0.0
        self.allied = len(set(teams)) < self.players
        self.maximizer = kernel.turn
        self.bits = bits
        if cython.compiled:
            self.team = cython.cast(cython.p_int, zeroed(self.players, cython.sizeof(cython.int)))
            size: cython.size_t = cython.sizeof(cython.double)
            self.gains = cython.cast(cython.p_double, zeroed(FRAMES * width, size))
            if bits:
                pairs: cython.size_t = cython.cast(cython.size_t, 2) << bits
                self.headers = cython.cast(cython.p_ulonglong, zeroed(pairs, cython.sizeof(cython.ulonglong)))
                self.rows = cython.cast(cython.p_double, zeroed((pairs // 2) * width, size))
        else:
            self.team = [0] * self.players
            self.gains = [0.0] * (FRAMES * width)
            self.memory = {}
        for player, number in enumerate(teams):
            self.team[player] = number

    def __dealloc__(self):
        PyMem_Free(self.team)
        PyMem_Free(self.gains)
        PyMem_Free(self.headers)
        PyMem_Free(self.rows)

    # -- the root --------------------------------------------------------------------------------

    def run(self, depth):
        self.deepen(depth)

    def search_root(self, depth: cython.int):
        if self.tracing:
            self.emit_enter(self.kernel, 0, -1, depth, -INF, INF)
        self.order_root(depth)
        self.search_moves(depth, -math.inf)

    def candidate(self, move, depth, bound):
        value = self.gain(self.maximizer, 1)
        line = self.full_line(depth)
        return Candidate(move, value, bound, pv=line, proven=not self.horizon, values=self.row(1))

    def emit_root(self, best):
        self.emit_gains(LEAVE, 0, -1, EXACT, best.value, best.values)

    def finish(self, depth):
        if self.horizon:
            self.seldepth = max(self.seldepth, depth)
        TreeSearch.finish(self, depth)

    def row(self, ply):
        """Each player's value, if the search computes them all."""
        i: cython.int
        return tuple([self.gains[ply * self.width + i] for i in range(self.width)]) if self.width > 1 else ()

    def full_line(self, depth):
        """The line from the root, extended by the table if a table hit ended it."""
        i: cython.int
        line = [self.line[i] for i in range(self.frames[0].length)]
        if not self.bits:
            return tuple(line)
        kernel: Kernel = self.kernel
        base: cython.int = len(self.moves)
        at: cython.int = MAX_PLY + 1
        for move in line:
            kernel.push(move)
        while len(line) < depth and kernel.turn != CHANCE and kernel.result() == ONGOING:
            hit = self.lookup_row(kernel.hash(), at, depth - len(line))
            if not hit or self.found_bound != EXACT or self.found_move < 0:
                break
            if self.found_move not in [kernel.stack[i] for i in range(base, kernel.gen(base))]:
                break
            line.append(self.found_move)
            kernel.push(self.found_move)
        for move in reversed(line):
            kernel.pop(move)
        return tuple(line)

    def report(self):
        """The current report, with each player's value."""
        report = TreeSearch.report(self)
        return report.with_(values=report.candidates[0].values, fill=self.fill())

    # -- payoffs ---------------------------------------------------------------------------------

    def gain(self, player, ply):
        """A player's objective in the row of a ply: their payoff, or the sum of their alliance."""
        if self.width == 1:
            return self.gains[ply]
        if not self.allied:
            return self.gains[ply * self.width + player]
        sum: cython.double = 0.0
        i: cython.int
        for i in range(self.players):
            if self.team[i] == self.team[player]:
                sum += self.gains[ply * self.width + i]
        return sum

    def set_payoffs(self, kernel, ply):
        """Fill the row with the payoffs of a finished game."""
        i: cython.int
        if self.width > 1:
            for i in range(self.players):
                self.gains[ply * self.width + i] = 1.0 * kernel.payoff(i)
            return
        self.gains[ply] = 0.0
        for i in range(self.players):
            if self.team[i] == self.team[self.maximizer]:
                self.gains[ply] += kernel.payoff(i)

    def set_evaluations(self, kernel, ply):
        """Fill the row with evaluations, at the depth limit."""
        i: cython.int
        self.horizon = True
        if self.width > 1:
            for i in range(self.players):
                self.gains[ply * self.width + i] = self.estimate(kernel, i)
        else:
            self.gains[ply] = 0.0
            for i in range(self.players):
                if self.team[i] == self.team[self.maximizer]:
                    self.gains[ply] += self.estimate(kernel, i)
        if self.tracing:
            self.emit_row(EVALUATE, ply, -1, 0)

    def estimate(self, kernel, player):
        """The evaluation for a player; for two players without points a share of a win, see `value.share`."""
        value: cython.double = 1.0 * kernel.score_for(player)
        if self.half:
            value = self.unit * value / (abs(value) + self.half)
        return value

    def copy_row(self, ply):
        """Copy the row of the next ply to this ply."""
        i: cython.int
        for i in range(self.width):
            self.gains[ply * self.width + i] = self.gains[(ply + 1) * self.width + i]

    # -- the table: by key, the newest result of a position ---------------------------------------
    # An entry is a header and a row. The header: depth + 1, bound << 8, complete << 10, (move + 1) << 11.

    def lookup_row(self, key, ply, depth):
        """True if the table has a result for `depth`; fills the ply's row and the `found_` fields."""
        self.probes += 1
        i: cython.size_t = cython.cast(cython.size_t, spread(key) >> (64 - self.bits))
        header: cython.ulonglong
        k: cython.int
        if cython.compiled:
            header = self.headers[2 * i + 1]
            if not header or self.headers[2 * i] != key:
                return False
        else:
            if i not in self.memory:
                return False
            stored_key, header, row = self.memory[i]
            if stored_key != key:
                return False
        self.found_depth = cython.cast(cython.int, header & 0xFF) - 1
        self.found_bound = cython.cast(cython.int, (header >> 8) & 3)
        self.found_complete = (header >> 10) & 1
        self.found_move = cython.cast(cython.int, header >> 11) - 1
        if self.found_depth != depth and not (self.found_complete and self.found_depth < depth):
            return False
        self.hits += 1
        for k in range(self.width):
            self.gains[ply * self.width + k] = self.rows[i * self.width + k] if cython.compiled else row[k]
        if self.tracing and ply <= MAX_PLY:
            self.emit_row(TABLE, ply, self.found_move, self.found_bound)
        return True

    def store_row(self, key, ply, depth, bound, move, complete):
        """Store the row of a ply in the table."""
        i: cython.size_t = cython.cast(cython.size_t, spread(key) >> (64 - self.bits))
        k: cython.int
        header: cython.ulonglong = (
            cython.cast(cython.ulonglong, depth + 1)
            | (cython.cast(cython.ulonglong, bound) << 8)
            | (cython.cast(cython.ulonglong, complete) << 10)
            | (cython.cast(cython.ulonglong, move + 1) << 11)
        )
        if cython.compiled:
            self.headers[2 * i] = key
            self.headers[2 * i + 1] = header
            for k in range(self.width):
                self.rows[i * self.width + k] = self.gains[ply * self.width + k]
        else:
            self.memory[i] = (key, header, self.row(ply) or (self.gains[ply],))

    def fill(self):
        """Share of the table in use, 0 to 1, estimated from its first entries."""
        if not self.bits:
            return 0.0
        i: cython.int
        used: cython.int = 0
        sample: cython.int = min(SAMPLE, 1 << min(self.bits, 20))
        for i in range(sample):
            if cython.compiled:
                used += self.headers[2 * i + 1] != 0
            else:
                used += i in self.memory
        return used / float(sample)

    # -- alpha-beta for MAX, the root's mover: rows of width 1 --------------------------------------

    def probe_table(self, key, ply, depth, alpha, beta):
        """True if the table has a value or bound that suffices for the window; fills the ply's row."""
        if not self.lookup_row(key, ply, depth):
            return False
        stored: cython.double = self.gains[ply]
        if not (
            self.found_bound == EXACT
            or (self.found_bound == LOWER and stored >= beta)
            or (self.found_bound == UPPER and stored <= alpha)
        ):
            return False
        self.horizon = self.horizon or not self.found_complete
        if self.tracing:
            self.emit_row(CUT, ply, self.found_move, BY_TABLE)
        return True

    def cut(self, kernel, ply, move, mover, depth, first, best):
        """Count a cutoff by `move` and update the move ordering. first: `move` was the first one tried."""
        self.cutoffs += 1
        self.first_cutoffs += first
        if self.ordering is not None:
            self.ordering.record_cutoff(ply, move, -1)
            self.ordering.update_history(kernel, mover, depth, move, -1)
        if self.tracing:
            self.gains[ply] = best
            self.emit_row(CUT, ply, move, BETA)

    def store_value(self, key, ply, depth, alpha, beta, best, move):
        """Store the result of a search in the window."""
        self.gains[ply] = best
        bound: cython.int = UPPER if best <= alpha else LOWER if best >= beta else EXACT
        self.store_row(key, ply, depth, bound, move, not self.horizon)

    # -- the trace -------------------------------------------------------------------------------

    def emit_window(self, kernel, ply, move, depth, alpha, beta):
        """Report that a position is reached with this window for the root's mover."""
        with cython.gil:
            try:
                self.trace(steps.TraceEvent("enter", ply, move, kernel.turn, depth, alpha, beta))
            except BaseException as error:
                self.fail(error)

    def emit_row(self, what, ply, move, why):
        """Report a step at a position with the values in the row of its ply, from its mover's view."""
        with cython.gil:
            mover: cython.int = self.kernel.turn
            self.emit_gains(what, ply, move, why, self.gain(max(mover, 0), ply), self.row(ply))

    def emit_gains(self, what, ply, move, why, value, values):
        """Report a step: `what` and `why` as numbered in `search.trace`."""
        try:
            names = steps.BOUNDS if what <= KNOWN else steps.REASONS
            event = steps.TraceEvent(
                steps.EVENTS[what], ply, move, value=value, why=names[why], values=values
            )
            self.trace(event)
        except BaseException as error:
            self.fail(error)


@dataclass
class MultiplayerEngine(Engine):
    """Base of engines for any number of players."""

    players = PLAYERS
    chance = general_sum = True
    priority = 3

    alliance: str = option(
        "", "Players who share their payoffs, by number or name: 1+2, blue+orange, 1+2/3+4 (none: each alone)"
    )
    table: str = table_option()
    eval: str = eval_option()

    @classmethod
    def values(cls, name):
        """As in `Engine`, without the orders that need the mover's value."""
        orders = super().values(name)
        return (
            {key: words for key, words in orders.items() if key in APPLICABLE_ORDERS}
            if name == "order"
            else orders
        )

    @classmethod
    def suitability_for_many(cls, position, priority):
        """`priority` if no two-player engine applies and the game has an evaluation; 2 or 0 otherwise."""
        if cls.incompatibility(position):
            return 0
        many = position.players > 2 or not position.zero_sum
        return priority if many and has_guesses(position) else 2

    @property
    def table_bits(self):
        """No shared table: each search has its own, see `MultiplayerSearch`."""
        return 0

    def check(self, position):
        Engine.check(self, position)
        teams(self.alliance, position)


def row_table_bits(size, width):
    """The bits of the largest table within `size`, with rows of `width` numbers; 0 if it is off."""
    bits = table_bits(size)
    if not bits:
        return 0
    bytes_ = 16 << bits
    while (16 + 8 * width) << bits > bytes_:
        bits -= 1
    return bits
