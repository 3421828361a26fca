# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The end of a game of Scrabble for two, when the bag is empty and nothing is hidden any more.

Theorem: `visit` at a depth is the value of that depth for the player on turn, in points that they gain on the
other from here on, and no more than alpha or no less than beta where it lies outside of the window. With
`cut` unset every line was seen to its end, and it is the game's own.

    1. The game is over when a rack is empty, or after six turns in which nobody scored.
    2. A position that was searched as deep already has its value in the table, by its tiles, by who moves and
       by how many turns nobody scored.
    3. All plays, those first that count most with what they leave; then the pass.
       Tried and left out: null windows (not a position fewer) and plays that refuted others first (half as
       many again).
    4. At depth 0: as if the mover made the play that looks best, and the other then laid all tiles.

Iterative deepening, until no line is cut or there is no time: the best move so far comes first.  Types:
_scrabble_end.pxd. Positions are few tens of thousands a second: most of the time goes to finding plays.
"""

try:
    import cython
except ImportError:
    from gameplay import nocython as cython

from random import Random

from gameplay.memory import memory

if cython.compiled:
    from cython.cimports.gameplay.games._scrabble import Placer
    from cython.cimports.gameplay.memory import address_of
else:
    from gameplay.games._scrabble import Placer

AREA = cython.declare(cython.int, 225)
HELD = cython.declare(cython.int, 14400)  # codes of tiles on cells, 64 each; then of so many tiles on a rack
MOVING = cython.declare(cython.int, 15264)  # ... then of who moves, and how many turns nobody scored
CODES = cython.declare(cython.int, 15280)
SIDE = cython.declare(cython.int, 15)
KINDS = cython.declare(cython.int, 27)
RACK = cython.declare(cython.int, 7)
BLANK = cython.declare(cython.int, 32)
UNIT = cython.declare(cython.int, 100)
LINES = cython.declare(cython.uint, 30)
FIRST = cython.declare(cython.uint, 5379617)
CALM = cython.declare(cython.int, 6)  # turns without points after which it is over
FAR = cython.declare(cython.int, 10000)  # points that nobody gains
WHOLE = cython.declare(
    cython.int, 60
)  # the depth of a value that is the game's own; no game has so many turns
PLIES = cython.declare(cython.int, 64)
ROOM = cython.declare(cython.int, 1 << 16)  # plays of all plies of a line
EXACT, LOWER, UPPER = 0, 1, 2
AT_MOST = cython.declare(cython.int, 2)
AT_LEAST = cython.declare(cython.int, 1)
POLLS = cython.declare(cython.longlong, 64 if cython.compiled else 1)
BUCKETS = cython.declare(cython.ulonglong, (1 << 16) - 1)


class EndgameSolver:
    """Solves one end; `nodes` counts the positions visited."""

    def __init__(self, placer: Placer, control, most: cython.longlong = 0):
        """`placer` is its own from now on; `control` says when to stop, `most` after how many positions."""
        self.placer = placer
        self.lexicon = placer.lexicon
        self.control = control
        self.most = most
        self.nodes = 0
        self.stopped = self.cut = False
        self.depth = 0
        placer.enlarge(ROOM)
        i: cython.int
        lot = Random("scrabble")
        if cython.compiled:
            self.held = memoryview(memory(32 << 16))
            self.keys = cython.cast(cython.p_ulonglong, address_of(self.held))
            self.facts = cython.cast(cython.p_int, self.keys + (1 << 16))
        else:
            self.keys, self.facts = [0] * (1 << 16), [0] * (4 << 16)
            self.codes = [0] * CODES
            self.racks, self.left = [0] * (2 * KINDS), [0, 0]
            self.cells, self.counts = [0] * (PLIES * RACK), [0] * PLIES
        for i in range(CODES):
            self.codes[i] = lot.getrandbits(64)

    def solve(self, cells, mine, theirs, calm: cython.int, depth: cython.int = 60):
        """The best move of the player on turn, who has the rack `mine`; what they gain, in points; whether
        that is the game's own. None: not even one ply was searched in time."""
        i: cython.int
        value: cython.int = 0
        self.placer.lay(bytes(cells))
        self.placer.laid_out = b""  # what lies there changes
        for i in range(KINDS):
            self.racks[i] = mine.count(i)
            self.racks[KINDS + i] = theirs.count(i)
        self.left[0], self.left[1] = len(mine), len(theirs)
        self.hash = 0
        for i in range(AREA):
            if cells[i]:
                self.hash ^= self.codes[64 * i + cells[i]]
        self.stopped = False
        found = None
        for i in range(1, depth + 1):
            self.placer.most = self.placer.changing = 0
            self.cut = False
            with cython.nogil:
                value = self.visit(0, 0, calm, i, -FAR, FAR, 0)
            if self.stopped:
                break
            self.depth = i
            found = (self.move, value, not self.cut)
            if not self.cut:
                break
        return found

    def tiles(self, player):
        """The points on a rack."""
        i: cython.int
        total: cython.int = 0
        for i in range(KINDS):
            total += self.racks[player * KINDS + i] * self.placer.values[i]
        return total

    def visit(self, ply, mover, calm, depth, alpha, beta, bottom):
        """See the head of this file; `bottom`: how many plays the plies above keep."""
        i: cython.int
        j: cython.int
        best: cython.int = -FAR
        value: cython.int
        low: cython.int
        points: cython.int
        code: cython.uint
        chosen: cython.uint = 0
        top: cython.int
        other: cython.int = 1 - mover
        before: cython.bint
        self.nodes += 1
        if self.told_to_stop():
            return 0
        if calm >= CALM:
            return self.tiles(other) - self.tiles(mover)
        # 2.
        key: cython.ulonglong = self.hash ^ self.codes[MOVING + 8 * mover + calm]
        for i in range(2 * KINDS):
            key ^= self.codes[HELD + 16 * i + self.racks[i]]
        place: cython.int = key & BUCKETS
        first: cython.uint = 0
        if self.keys[place] == key:
            first = self.facts[4 * place]
            value = self.facts[4 * place + 1]
            i = self.facts[4 * place + 2]
            j = self.facts[4 * place + 3]
            if (
                i >= depth
                and ply
                and (j == 0 or (j == AT_LEAST and value >= beta) or (j == AT_MOST and value <= alpha))
            ):
                self.cut = self.cut or i < WHOLE
                return value
        # 3.
        for i in range(KINDS):
            self.placer.have[i] = self.racks[mover * KINDS + i]
        self.placer.sort(0, self.tiles(other))
        self.placer.cross()
        self.placer.number = bottom
        self.placer.search()
        top = self.placer.number
        if top > ROOM:
            top = ROOM
            self.cut = True
        if depth == 0:
            self.cut = True
            best = self.tiles(other) - self.tiles(mover)
            for i in range(bottom, top):
                value = (
                    self.placer.worth[i] // UNIT
                    if self.placer.worth[i] > 0
                    else -(-self.placer.worth[i] // UNIT)
                )
                if value > best:
                    best = value
            return best
        before = self.cut
        self.cut = False
        for i in range(bottom, top):
            if self.placer.codes[i] == first:
                self.placer.worth[i] = UNIT * FAR
        for i in range(bottom, top + 1):
            code = points = 0
            if i < top:
                j = self.best_of(i, top)
                code = self.placer.codes[j]
                points = self.placer.scores[j]
                self.placer.codes[j] = self.placer.codes[i]
                self.placer.scores[j] = self.placer.scores[i]
                self.placer.worth[j] = self.placer.worth[i]
                self.lay(ply, mover, code)
            if i < top and not self.left[mover]:
                value = points + 2 * self.tiles(other)
            else:
                j = 0 if points else calm + 1
                low = alpha if alpha > best else best
                value = points - self.visit(ply + 1, other, j, depth - 1, points - beta, points - low, top)
            if i < top:
                self.lift(ply, mover)
            if self.stopped:
                return 0
            if value > best:
                best = value
                chosen = code
                if best >= beta:
                    break
        j = AT_LEAST if best >= beta else AT_MOST if best <= alpha else 0
        self.keys[place] = key
        self.facts[4 * place] = chosen
        self.facts[4 * place + 1] = best
        self.facts[4 * place + 2] = depth if self.cut else WHOLE
        self.facts[4 * place + 3] = j
        self.cut = self.cut or before
        if not ply:
            self.move = chosen
        return best

    def best_of(self, start, top):
        """Where the play stands that seems worth most."""
        i: cython.int
        found: cython.int = start
        for i in range(start + 1, top):
            if self.placer.worth[i] > self.placer.worth[found]:
                found = i
        return found

    def lay(self, ply, mover, code):
        """Lay the tiles of a play, and keep which cells these were."""
        number: cython.uint = (code - FIRST) // LINES
        line: cython.int = (code - FIRST) % LINES
        rank: cython.uint = self.lexicon.owner(number)
        number -= self.lexicon.first[rank]
        letters: cython.int[16]
        if not cython.compiled:
            letters = [0] * 16
        length: cython.int = 0
        state: cython.int = self.lexicon.root
        edge: cython.uint
        while True:
            while rank >= self.lexicon.counts[state]:
                rank -= self.lexicon.counts[state]
                state += 1
            edge = self.lexicon.edges[state]
            letters[length] = edge & 31
            length += 1
            if edge >> 5 & 1:
                if not rank:
                    break
                rank -= 1
            state = edge >> 7
        most: cython.int = length if length < RACK else RACK
        ways: cython.int = 1 + most + most * (most - 1) // 2
        way: cython.int = number % cython.cast(cython.uint, ways)
        offset: cython.int = number // cython.cast(cython.uint, ways)
        low: cython.int = -1
        high: cython.int = -1
        if 0 < way <= most:
            low = way - 1
        elif way:
            way -= 1 + most
            high = 1
            while high * (high + 1) // 2 <= way:
                high += 1
            low = way - high * (high - 1) // 2
        step: cython.int = SIDE if line >= SIDE else 1
        cell: cython.int = offset * SIDE + line - SIDE if line >= SIDE else line * SIDE + offset
        count: cython.int = 0
        i: cython.int
        tile: cython.int
        for i in range(length):
            if not self.placer.cells[cell]:
                tile = letters[i]
                if count in (low, high):
                    self.racks[mover * KINDS] -= 1
                    tile += BLANK
                else:
                    self.racks[mover * KINDS + tile] -= 1
                self.placer.cells[cell] = tile
                self.hash ^= self.codes[64 * cell + tile]
                self.cells[ply * RACK + count] = cell
                count += 1
            cell += step
        self.counts[ply] = count
        self.left[mover] -= count

    def lift(self, ply, mover):
        """Take the tiles of that ply back."""
        i: cython.int
        cell: cython.int
        tile: cython.int
        for i in range(self.counts[ply]):
            cell = self.cells[ply * RACK + i]
            tile = self.placer.cells[cell]
            self.placer.cells[cell] = 0
            self.hash ^= self.codes[64 * cell + tile]
            self.racks[mover * KINDS + (0 if tile & BLANK else tile)] += 1
        self.left[mover] += self.counts[ply]

    def told_to_stop(self):
        """Count; and ask `control` now and then, if there is one."""
        if self.most > 0 and self.nodes >= self.most:
            self.stopped = True
        elif not self.stopped and self.nodes % POLLS == 0:
            self.stopped = self.asked()
        return self.stopped

    def asked(self):
        """True if `control` says stop."""
        with cython.gil:
            return self.control is not None and bool(self.control.stop)
