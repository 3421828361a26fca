# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Connect Four solver: the winner, and the number of stones at the end.  Types: solver.pxd.

A score is 1 for a win with the last stone of the winner, 2 with the one before it, 0 for a draw, negative if
the side to move loses: (cells + 2 - stones on the board at the end) // 2.

Theorem: `search` returns the score of the position, or the bound of its window that the score is beyond.
All pruning is sound:

1. A side must not allow an immediate win, nor play directly under a cell where the other side wins. With no
   other move it loses in two plies; a single move is forced: such moves are made until there is a choice.
2. With n stones on the board and none of this, the mover cannot win before stone n + 3 nor lose before n + 4;
   a side with no line left that is free of the other side's stones cannot win.
3. A side that answers each move with the next cell of the same column gets the upper cell of each pair
   (Allis, A knowledge-based approach of Connect-Four, 1988: claimeven). `follow_up` derives a bound from it.
4. The table stores a position and its mirror image under one key. All children are probed before any is
   searched (enhanced transposition cutoffs; Plaat and others 1996).
5. The remaining moves are searched in the order of the threats they make, with null windows, starting from
   early wins, which are decided soonest.

That is the solver of Pascal Pons (Solving Connect 4, blog.gamesolver.org, 2015), with static search along
forced moves and claimeven as in Christophe Steininger's c4. Increase of nodes without each technique, in the
middle game and in the opening (300 positions of middle-medium, 60 of begin-medium): forced moves +41 % and
+42 %, follow-up +52 % and +32 % (of that the feet that neither plays on +17 % and +17 %, and the delay of a
line +10 % and +4 %), enhanced transposition cutoffs +36 % and +51 %, no line left +2 % and 0, the order by
threats rather than by columns +122 % and +176 %. Rejected: the history heuristic (+20 % to +45 % nodes), and
one key for positions that differ in stones without a line left (3 % fewer nodes, but slower). Mirror images
help only near the empty board.

    bit    5 12 19 26 33 40 47        `own` are the stones of the side to move, `opp` the other side's.
           4 11 18 25 32 39 46        own | (all stones + bottom) is the key of a position: a bit on top of
           3 10 17 24 31 38 45        each column, and below it the owners of the stones.
           2  9 16 23 30 37 44
           1  8 15 22 29 36 43        A key times an odd number, modulo 2**(bits of a key), is the mixed
           0  7 14 21 28 35 42        key: its upper bits are the index in the table, the others are stored
                                      in the entry, so that there are no collisions.

           63        24 23    16 15  10 9     8 7     0
           | rest of key | age    | work | bound | score + 128 |
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.errors import Usage
from gameplay.games.shared.polled import PolledSolver
from gameplay.native.memory import memory

if cython.compiled:
    from cython.cimports.gameplay.native.bits import ONE, four, highest, lowest, popcount
    from cython.cimports.gameplay.native.hashing import spread
    from cython.cimports.gameplay.native.memory import address_of
    from cython.cimports.gameplay.value import EXACT, INF, LOWER, UPPER, WIN
else:
    from gameplay.native.bits import ONE, four, highest, lowest, popcount
    from gameplay.native.hashing import spread
    from gameplay.value import EXACT, INF, LOWER, UPPER, WIN


UNKNOWN = cython.declare(cython.int, 1000)  # not a score
AGE_MASK = cython.declare(cython.ulonglong, 255)

# The move-ordering value of a threat, an empty cell that completes four: directly above a playable cell,
# one above that, any, in a row that the mover gets; and of a step towards the middle.
NEXT = cython.declare(cython.int, 16)
SECOND = cython.declare(cython.int, 16)
ANY = cython.declare(cython.int, 10)
OURS = cython.declare(cython.int, 6)
CENTRE = cython.declare(cython.int, 2)


def four_completions(p, stride):
    """The cells, some perhaps taken or off the board, that complete four of `p`."""
    cells: cython.ulonglong = (p << 1) & (p << 2) & (p << 3)
    s: cython.int
    for s in range(stride - 1, stride + 2):
        two: cython.ulonglong = (p << s) & (p << (2 * s))
        cells |= two & ((p << (3 * s)) | (p >> s))
        two = (p >> s) & (p >> (2 * s))
        cells |= two & ((p << s) | (p >> (3 * s)))
    return cells


class Connect4Solver(PolledSolver):
    """Solves boards of one shape."""

    def __init__(self, columns: cython.int = 7, rows: cython.int = 6, size: cython.int = 20):
        """size: the table has 2**size entries of 8 bytes. Raises Usage for a board beyond 63 bits."""
        if columns < 1 or rows < 1 or columns * (rows + 1) > 63:
            raise Usage(
                f"the solver needs a board of at most 63 bits; {columns}x{rows} has {columns * (rows + 1)}"
            )
        PolledSolver.__init__(self, 8192 if cython.compiled else 64)
        self.columns, self.rows = columns, rows
        self.stride, self.area = rows + 1, columns * rows
        self.is_standard = columns == 7 and rows == 6
        if not cython.compiled:
            self.column, self.centrality = [0] * 64, [0] * 64
            self.own, self.opp, self.keys, self.counts, self.scores = ([0] * 1024 for _ in range(5))
        self.cells = self.bottom = self.lower = self.upper = 0
        x: cython.int
        y: cython.int
        for x in range(columns):
            self.column[x] = ((ONE << rows) - 1) << (x * self.stride)
            self.centrality[x] = min(x, columns - 1 - x)
            self.cells |= self.column[x]
            self.bottom |= ONE << (x * self.stride)
            for y in range(rows):
                if (rows - y) % 2:
                    self.upper |= ONE << (x * self.stride + y)
        self.lower = self.cells & ~self.upper
        self.bits = columns * self.stride
        self.key_mask = (ONE << self.bits) - 1
        self.size = min(max(4, size, self.bits - 39), self.bits - 1)  # so that 40 bits hold the rest of a key
        self.generation = 1
        self.clear()

    def clear(self):
        """Discard all results and free their memory."""
        self.owner = memoryview(memory(cython.cast(cython.size_t, 8) << self.size)).cast("Q")
        if cython.compiled:
            self.entries = cython.cast(cython.p_ulonglong, address_of(self.owner))
            i: cython.size_t
            for i in range(0, ONE << self.size, 512):
                self.entries[i] = 0  # touch each page now rather than during a search
        else:
            self.entries = self.owner

    def forget(self):
        """Discard all results."""
        self.generation = (self.generation + 1) & AGE_MASK
        if not self.generation:
            self.clear()
            self.generation = 1

    # -- cells ---------------------------------------------------------------------------------

    def threats(self, p):
        """The cells that complete four of `p`, some perhaps taken."""
        if self.is_standard:  # separate: constant shifts are faster
            return four_completions(p, 7) & self.cells
        return four_completions(p, self.stride) & self.cells

    def has_line(self, p):
        """True if four of these cells are in a line."""
        return four(p, 7) if self.is_standard else four(p, self.stride)

    # -- the table -----------------------------------------------------------------------------

    def key(self, own, opp):
        """The key of a position and of its mirror image."""
        key: cython.ulonglong = own | ((own | opp) + self.bottom)
        other: cython.ulonglong = 0
        x: cython.int
        if self.is_standard:
            other = (
                (key & 0x7F) << 42
                | (key & 0x3F80) << 28
                | (key & 0x1FC000) << 14
                | (key & 0xFE00000)
                | (key >> 14 & 0x1FC000)
                | (key >> 28 & 0x3F80)
                | key >> 42
            )
        else:
            for x in range(self.columns):
                other = other << self.stride | (key >> (x * self.stride) & ((ONE << self.stride) - 1))
        return min(key, other)

    def slot(self, key):
        """The index of the bucket of a key: two entries."""
        return (key >> (self.bits - self.size)) & ~ONE

    def probe(self, key):
        """The entry of a mixed key; 0: there is none."""
        i: cython.size_t = self.slot(key)
        tag: cython.ulonglong = (key & ((ONE << (self.bits - self.size + 1)) - 1)) << 8 | self.generation
        if self.entries[i] >> 16 == tag:
            return self.entries[i]
        if self.entries[i + 1] >> 16 == tag:
            return self.entries[i + 1]
        return 0

    def store(self, key, bound, score, nodes):
        """Store a bound; it replaces the entry that took fewer nodes."""
        i: cython.size_t = self.slot(key)
        tag: cython.ulonglong = (key & ((ONE << (self.bits - self.size + 1)) - 1)) << 8 | self.generation
        work: cython.ulonglong = highest(nodes + 1)
        if self.entries[i] >> 16 != tag:
            first: cython.int = -1
            second: cython.int = -1
            if self.entries[i] >> 16 & AGE_MASK == self.generation:
                first = self.entries[i] >> 10 & 63
            if self.entries[i + 1] >> 16 & AGE_MASK == self.generation:
                second = self.entries[i + 1] >> 10 & 63
            if self.entries[i + 1] >> 16 == tag or second < first:
                i += 1
        self.entries[i] = (
            tag << 16
            | work << 10
            | cython.cast(cython.ulonglong, bound) << 8
            | cython.cast(cython.ulonglong, score + 128)
        )

    # -- static bounds ---------------------------------------------------------------------------

    def follow_up(self, own, opp, count):
        """Upper bound for the side to move if the opponent follows up in the same column, or UNKNOWN.

        The empty cells of a column are paired from the top: the opponent gets the upper cell of each pair. A
        column with an odd number of empty cells has one left over, its foot. If the cell above a foot
        completes four for the opponent, neither side plays on that foot until the very end. The other feet
        are paired with each other, so their number must be even; the side to move may get any of them.

        The side to move cannot win if it has no line within all the cells that it can get. It loses if there
        is a foot that neither side plays on, since in the end it has to, or if the opponent has a line in the
        upper cells.
        """
        taken: cython.ulonglong = own | opp
        empty: cython.ulonglong = self.cells & ~taken
        feet: cython.ulonglong = (taken + self.bottom) & self.upper
        guarded: cython.ulonglong = 0
        closed: cython.ulonglong = 0
        unused: cython.int = 0
        loss_count: cython.int = UNKNOWN  # the stone count of the loss at the latest
        # 1. Feet that neither side plays on, and the cells above them, which stay empty.
        if feet:
            guarded = feet & ((self.threats(opp) & empty) >> 1)
            feet ^= guarded
            if popcount(feet) & 1:
                return UNKNOWN
            one: cython.ulonglong = guarded
            while one:
                foot: cython.ulonglong = one & -one
                one ^= foot
                closed |= self.column[lowest(foot) // self.stride] & ~(foot - 1)
            unused = popcount(closed)
        # 2. Can the side to move have a line?
        reachable: cython.ulonglong = own | (empty & self.lower & ~closed) | guarded
        if self.has_line(reachable | feet):
            if popcount(feet) != 2:
                return UNKNOWN
            foot = feet & -feet
            if self.has_line(reachable | foot) or self.has_line(reachable | (feet ^ foot)):
                return UNKNOWN
        # 3. Can the opponent have one, and when?
        if guarded:
            loss_count = self.area - unused + 2
        opponent_cells: cython.ulonglong = opp | (empty & self.upper & ~closed & ~feet)
        step: cython.int
        for step in range(self.stride - 1, self.stride + 2):
            pairs: cython.ulonglong = opponent_cells & (opponent_cells >> step)
            lines: cython.ulonglong = pairs & (pairs >> (2 * step))
            while lines:
                loss_count = min(loss_count, self.latest_completion(lines & -lines, step, taken, unused))
                lines &= lines - 1
        return 0 if loss_count == UNKNOWN else -((self.area + 2 - loss_count) >> 1)

    def latest_completion(self, line, step, taken, unused):
        """The latest stone count that fills the four cells from `line` on; `unused` cells stay empty.

        The side that delays it plays everywhere else first: it takes longest if its highest cell is missing.
        """
        highest_row: cython.int = 0
        for _ in range(4):
            if not line & taken:
                highest_row = max(highest_row, lowest(line) % self.stride)
            line <<= step
        return self.area - (self.rows - 1 - highest_row) - unused

    def follow_forced_moves(self, i, alpha, beta):
        """Follow forced moves from position i on to one with a choice, which becomes position i.

        Returns its score, or a bound outside the window, from the view of the side that moves first, if no
        search is needed; else UNKNOWN, with the mixed key of the position stored in its place.
        """
        own: cython.ulonglong = self.own[i]
        opp: cython.ulonglong = self.opp[i]
        count: cython.int = self.counts[i]
        sign: cython.int = 1
        while True:
            taken: cython.ulonglong = own | opp
            # 1. A side with no line left cannot win.
            if beta > 0 and not self.has_line(own | (self.cells & ~taken)):
                beta = 0
                if alpha >= 0:
                    return 0
            # 2. Moves that do not lose at once.
            threats: cython.ulonglong = self.threats(opp) & ~taken
            playable: cython.ulonglong = (taken + self.bottom) & self.cells
            forced: cython.ulonglong = playable & threats
            safe_moves: cython.ulonglong = (forced if forced else playable) & ~(threats >> 1)
            if not safe_moves or forced & (forced - 1):
                return -sign * ((self.area - count) >> 1)
            if count >= self.area - 2:
                return 0
            # 3. Bounds: neither side wins sooner than this.
            bound: cython.int = -((self.area - 2 - count) >> 1)
            if bound > alpha:
                alpha = bound
            bound = (self.area - 1 - count) >> 1
            if bound < beta:
                beta = bound
            if alpha >= beta:
                return sign * beta
            # 4. Make a single move.
            if not safe_moves & (safe_moves - 1):
                own, opp = opp, own | safe_moves
                count += 1
                sign = -sign
                bound = alpha
                alpha = -beta
                beta = -bound
                continue
            # 5. The bound from follow-up by the other side.
            bound = self.follow_up(own, opp, count)
            if bound < beta and alpha >= bound:
                return sign * bound
            break
        self.own[i] = own
        self.opp[i] = opp
        self.counts[i] = count
        self.keys[i] = spread(self.key(own, opp)) & self.key_mask
        if cython.compiled:
            prefetch(self.entries + self.slot(self.keys[i]))
        return UNKNOWN

    # -- search ----------------------------------------------------------------------------------

    def visit(self, i, base, alpha, beta):
        """The score of position i, left open by `follow_forced_moves`, or a bound; moves from `base` on."""
        self.nodes += 1
        if self.nodes >= self.next_poll and self.poll():
            return alpha
        own: cython.ulonglong = self.own[i]
        opp: cython.ulonglong = self.opp[i]
        count: cython.int = self.counts[i]
        taken: cython.ulonglong = own | opp
        empty: cython.ulonglong = self.cells & ~taken
        key: cython.ulonglong = self.keys[i]
        original_alpha: cython.int = alpha
        original_beta: cython.int = beta
        best: cython.int = -UNKNOWN
        end: cython.int = base
        k: cython.int
        x: cython.int

        # 1. Narrow the window to possible scores.
        alpha = max(alpha, -((self.area - 2 - count) >> 1))
        beta = min(beta, (self.area - 1 - count) >> 1)
        if beta > 0 and not self.has_line(own | empty):
            beta = 0
        if alpha >= beta:
            return beta

        # 2. Each move: settled without search, or ordered by its threats.
        threats: cython.ulonglong = self.threats(opp) & empty
        safe_moves: cython.ulonglong = (taken + self.bottom) & self.cells & ~(threats >> 1)
        ours: cython.ulonglong = self.lower if (self.area - count) & 1 == 0 else self.upper
        for x in range(self.columns):
            stone: cython.ulonglong = safe_moves & self.column[x]
            if not stone:
                continue
            self.own[end] = opp
            self.opp[end] = own | stone
            self.counts[end] = count + 1
            score: cython.int = self.follow_forced_moves(end, -beta, -alpha)
            if score != UNKNOWN:
                best = max(best, -score)
                alpha = max(alpha, -score)
                if alpha >= beta:
                    return alpha
                continue
            new_threats: cython.ulonglong = self.threats(own | stone) & empty & ~stone & ~(threats << 1)
            above: cython.ulonglong = (taken + self.bottom + stone) << 1
            self.scores[end] = end + 1024 * (
                NEXT * popcount(new_threats & above)
                + SECOND * popcount(new_threats & (above << 1))
                + ANY * popcount(new_threats)
                + OURS * popcount(new_threats & ours)
                + CENTRE * self.centrality[x]
            )
            end += 1
        if end == base:
            return best

        # 3. Probe the table for this position and for its remaining children.
        entry: cython.ulonglong = self.probe(key)
        if entry:
            score = cython.cast(cython.int, entry & 255) - 128
            bound: cython.int = entry >> 8 & 3
            if bound == EXACT:
                return score
            if bound == LOWER:
                alpha = max(alpha, score)
            else:
                beta = min(beta, score)
            if alpha >= beta:
                return score
        x = base
        for k in range(base, end):
            entry = self.probe(self.keys[k])
            if entry:
                score = cython.cast(cython.int, entry & 255) - 128
                bound = entry >> 8 & 3
                if (self.counts[k] - count) & 1:
                    score = -score
                    bound = LOWER if bound == UPPER else UPPER if bound == LOWER else EXACT
                if bound != UPPER and score >= beta:
                    return score
                if bound != LOWER and (score <= alpha or bound == EXACT):
                    best = max(best, score)
                    alpha = max(alpha, score)
                    continue
            self.scores[x] = self.scores[k]
            x += 1

        # 4. Search the remaining moves, the best first.
        for k in range(base + 1, x):
            bound = self.scores[k]
            while k > base and self.scores[k - 1] < bound:
                self.scores[k] = self.scores[k - 1]
                k -= 1
            self.scores[k] = bound
        before: cython.longlong = self.nodes
        for k in range(base, x):
            i = self.scores[k] & 1023
            if (self.counts[i] - count) & 1:
                score = -self.visit(i, end, -beta, -alpha)
            else:
                score = self.visit(i, end, alpha, beta)
            if self.stopped:
                return alpha
            best = max(best, score)
            alpha = max(alpha, score)
            if alpha >= beta:
                break

        # 5. Store the result.
        self.store(
            key,
            UPPER if best <= original_alpha else LOWER if best >= original_beta else EXACT,
            best,
            self.nodes - before,
        )
        return best

    def search(self, own, opp, count, lower, upper):
        """The score, from `lower` to `upper`, of a position without an immediate win."""
        while lower < upper and not self.stopped:
            guess: cython.int = lower + (upper - lower) // 2
            if guess <= 0 and -(-lower // 2) < guess:
                guess = -(-lower // 2)
            elif guess >= 0 and upper // 2 > guess:
                guess = upper // 2
            self.own[0], self.opp[0], self.counts[0] = own, opp, count
            score: cython.int = self.follow_forced_moves(0, guess, guess + 1)
            if score == UNKNOWN:
                if (self.counts[0] - count) & 1:
                    score = -self.visit(0, 1, -guess - 1, -guess)
                else:
                    score = self.visit(0, 1, guess, guess + 1)
            if score <= guess:
                upper = score
            else:
                lower = score
        return lower

    # -- interface -------------------------------------------------------------------------------

    def value(self, position, low=-INF, high=INF):
        """The value of a `Connect4` in progress, from the mover's view; None if stopped.

        A value outside the window (`low`, `high`) is returned as a bound, which is faster: `low` or less, or
        `high` or more.
        """
        self.stopped = False
        self.next_poll = self.nodes + 1
        mask: cython.ulonglong = position.mask
        own: cython.ulonglong = position.pos
        count: cython.int = popcount(mask)
        if self.threats(own) & (mask + self.bottom) & self.cells:
            return WIN - 1
        lower: cython.int = -((self.area - count) >> 1)
        upper: cython.int = (self.area - 1 - count) >> 1
        if low > -INF:
            lower = self.score_at_most(low, count)
        if high < INF:
            upper = min(upper, self.score_at_most(high - 1, count) + 1)
        with cython.nogil:
            score: cython.int = self.search(own, own ^ mask, count, lower, upper)
        return None if self.stopped else self.value_of(score, count)

    def result(self, position):
        """1, 0 or -1: a win, draw or loss for the mover; None if stopped. Faster than `value`."""
        value = self.value(position, -1, 1)
        return None if value is None else (value > 0) - (value < 0)

    def value_of(self, score: cython.int, count: cython.int):
        """Convert a score, given the number of stones, to a value by distance."""
        if not score:
            return 0
        end: cython.int = self.area + 2 - 2 * abs(score)
        if (end - count - (score > 0)) & 1:  # the parity of the winner's stones
            end -= 1
        return WIN - (end - count) if score > 0 else end - count - WIN

    def score_at_most(self, value: cython.int, count: cython.int):
        """The greatest possible score here whose value is at most `value`."""
        score: cython.int = -((self.area - count) >> 1)
        most: cython.int = (self.area - 1 - count) >> 1
        while score < most and self.value_of(score + 1, count) <= value:
            score += 1
        return score
