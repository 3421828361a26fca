# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Endgame solver for two-player Scrabble: the bag is empty, so both racks are known.

Theorem: `visit` at a depth is the value of that depth for the player on turn, in points that they gain on the
other from here on, and no more than alpha or no less than beta where it lies outside of the window. With
`cut` unset every line was seen to its end, and it is the game's own.

    1. The game is over when a rack is empty, or after six scoreless turns.
    2. A position that was searched as deep already has its value in the table, by its tiles, by who moves and
       by the number of scoreless turns.
    3. All plays, those first that count most with what they leave; then the pass.
       Tried and left out: null windows (not a position fewer) and plays that refuted others first (half as
       many again).
    4. At depth 0: as if the mover made the play that looks best, and the other then laid all tiles.
    5. A player never gets more than if the opponent passes to the end, which is allowed. So a player with one
       tile left who can lay it does so at once. With two, all ways to lay them alone are tried: none of them
       above alpha, or none better than both at once, and that is their value. At depth 0 a play that ends the
       game is known as well, if it is worth beta.

Most of the time goes to finding plays, so those of each row and column are kept, by all that they depend on:
its tiles, what crosses it, and the rack. A play changes few lines; of all others those are still known that
were found for the same rack before it, or beside it.

Iterative deepening, until no line is cut or there is no time: the best move so far comes first.  Types:
endgame.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from random import Random

from gameplay.games.shared.polled import PolledSolver
from gameplay.native.memory import memory

if cython.compiled:
    from cython.cimports.gameplay.games.scrabble.plays import Placer
    from cython.cimports.gameplay.native.hashing import fold
    from cython.cimports.gameplay.native.memory import address_of
else:
    from gameplay.games.scrabble.layout import AREA, BLANK, FIRST, KINDS, LINES, RACK, SIDE, UNIT
    from gameplay.games.scrabble.plays import Placer
    from gameplay.native.hashing import fold

HELD = cython.declare(cython.int, 14400)  # codes of tiles on cells, 64 each; then of so many tiles on a rack
MOVING = cython.declare(cython.int, 15264)  # ... then of the side to move, and the number of scoreless turns
CODES = cython.declare(cython.int, 15280)
CALM = cython.declare(cython.int, 6)  # turns without points after which it is over
FAR = cython.declare(cython.int, 10000)  # points that no player can gain
WHOLE = cython.declare(
    cython.int, 60
)  # the depth of a value that is the game's own; no game has so many turns
PLIES = cython.declare(cython.int, 64)
ROOM = cython.declare(cython.int, 1 << 16)  # plays of all plies of a line
AT_MOST = cython.declare(cython.int, 2)
AT_LEAST = cython.declare(cython.int, 1)
SIZE = cython.declare(cython.int, 1 << 20 if cython.compiled else 1 << 16)  # of the table
ROWS = cython.declare(cython.int, 30)  # lines: the rows, then the columns
KEPT = cython.declare(cython.ulonglong, (1 << 17) - 1)  # lines whose plays are kept
MOST = cython.declare(cython.int, 1024)  # plays at the root that are remembered
POOL = cython.declare(cython.int, 1 << 20 if cython.compiled else 1 << 16)  # ... their plays
OUT = cython.declare(cython.int, -1)  # the value of an empty rack, until it is known


class EndgameSolver(PolledSolver):
    """Solves one end; `nodes` counts the positions visited."""

    def __init__(self, placer: Placer, control, most: cython.longlong = 0):
        """`placer` is its own from now on; `control` says when to stop, `most` after how many positions."""
        PolledSolver.__init__(self, 64 if cython.compiled else 1, control, most)
        self.placer = placer
        self.lexicon = placer.lexicon
        self.cut = False
        self.depth = 0
        placer.enlarge(ROOM)
        i: cython.int
        lot = Random("scrabble")
        if cython.compiled:
            self.held = memoryview(memory(24 * SIZE))
            self.keys = cython.cast(cython.p_ulonglong, address_of(self.held))
            self.facts = cython.cast(cython.p_int, self.keys + SIZE)
            self.lines_held = memoryview(memory(24 << 17))
            self.line_keys = cython.cast(cython.p_ulonglong, address_of(self.lines_held))
            self.lines = cython.cast(cython.p_int, self.line_keys + (1 << 17))
            self.pool_held = memoryview(memory(12 * POOL))
            self.pool = cython.cast(cython.p_int, address_of(self.pool_held))
        else:
            self.line_keys, self.lines = [0] * (1 << 17), [0] * (4 << 17)
            self.pool = [0] * (3 * POOL)
            self.contents, self.stale = [0] * 30, [0] * 30
            self.root, self.came = [0] * MOST, [0] * MOST
            self.keys, self.facts = [0] * SIZE, [0] * (4 * SIZE)
            self.codes = [0] * CODES
            self.racks, self.left = [0] * (2 * KINDS), [0, 0]
            self.cells, self.counts = [0] * (PLIES * RACK), [0] * PLIES
        for i in range(CODES):
            self.codes[i] = lot.getrandbits(64)
        self.pooled = 1

    def solve(self, cells, mine, theirs, calm: cython.int, depth: cython.int = 60):
        """The best move of the player on turn, who has the rack `mine`; their gain in points; whether it is
        the exact value. None: not even one ply was searched in time."""
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
        self.next_poll = self.nodes + 1
        self.placer.cross()
        for i in range(ROWS):
            self.stale[i] = True
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
        best: cython.int = -FAR
        points: cython.int
        code: cython.uint
        chosen: cython.uint = 0
        other: cython.int = 1 - mover
        self.nodes += 1
        if self.stopped or (self.nodes >= self.next_poll and self.poll()):
            return 0
        if calm >= CALM:
            return self.tiles(other) - self.tiles(mover)
        # 2.
        key: cython.ulonglong = self.hash ^ self.codes[MOVING + 8 * mover + calm]
        for i in range(2 * KINDS):
            key ^= self.codes[HELD + 16 * i + self.racks[i]]
        place: cython.int = key & (SIZE - 1)
        first: cython.uint = 0
        if self.keys[place] == key:
            first = self.facts[4 * place]
            value: cython.int = self.facts[4 * place + 1]
            i = self.facts[4 * place + 2]
            j: cython.int = self.facts[4 * place + 3]
            if (
                i >= depth
                and ply
                and (j == 0 or (j == AT_LEAST and value >= beta) or (j == AT_MOST and value <= alpha))
            ):
                self.cut = self.cut or i < WHOLE
                return value
        # 3. and 5.
        if depth == 0 or (ply and self.left[mover] == 1):
            best = self.best_at_once(mover)
            if self.outs > -FAR and (self.left[mover] == 1 or (depth == 0 and self.outs >= beta)):
                return self.outs
            if depth == 0:
                self.cut = True
                return best
            best = -FAR
        elif ply and self.left[mover] == 2:
            best = self.alone(ply, mover, bottom)
            if best <= alpha or best == self.outs:
                return best
            best = -FAR
        self.placer.number = bottom
        self.find(mover)
        top: cython.int = self.placer.number
        if top > ROOM:
            top = ROOM
            self.cut = True
        before: cython.bint = self.cut
        self.cut = False
        for i in range(bottom, top):
            if not ply and depth > 1:
                self.placer.worth[i] = self.seen(self.placer.codes[i])
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
                low: cython.int = alpha if alpha > best else best
                value = points - self.visit(ply + 1, other, j, depth - 1, points - beta, points - low, top)
            if i < top:
                self.lift(ply, mover)
            if self.stopped:
                return 0
            if not ply and i - bottom < MOST:
                self.root[i - bottom], self.came[i - bottom] = code, value
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

    def find(self, mover):
        """All plays of a player, behind those that are listed."""
        i: cython.int
        out: cython.int = 2 * UNIT * self.tiles(1 - mover) - OUT
        self.sorted = False
        for i in range(ROWS):
            at: cython.int = self.known(mover, i)
            end: cython.int = self.lines[at] + self.lines[at + 1]
            at = self.lines[at]
            k: cython.int = self.placer.number
            while at < end and k < ROOM:
                self.placer.codes[k] = cython.cast(cython.uint, self.pool[3 * at])
                self.placer.scores[k] = self.pool[3 * at + 1]
                self.placer.worth[k] = self.pool[3 * at + 2]
                if self.placer.worth[k] % UNIT:
                    self.placer.worth[k] = self.placer.worth[k] + out
                k += 1
                at += 1
            self.placer.number = k + end - at

    def best_at_once(self, mover):
        """Step 4; `outs` is the most that a play brings which ends the game, -FAR if there is none."""
        i: cython.int
        others: cython.int = self.tiles(1 - mover)
        best: cython.int = others - self.tiles(mover)
        self.sorted = False
        self.outs = -FAR
        for i in range(ROWS):
            at: cython.int = self.known(mover, i)
            if self.lines[at + 2] > best:
                best = self.lines[at + 2]
            if self.lines[at + 3] >= 0 and self.lines[at + 3] + 2 * others > self.outs:
                self.outs = self.lines[at + 3] + 2 * others
        return max(best, self.outs)

    def alone(self, ply, mover, bottom):
        """What a player of two tiles gets if the other passes to the end: the most that they can get at all.

        `outs` is then what they get by laying both at once.
        """
        i: cython.int
        best: cython.int = self.best_at_once(mover)
        outs: cython.int = self.outs
        best = max(outs, self.tiles(1 - mover) - self.tiles(mover))
        self.placer.number = bottom
        self.find(mover)
        top: cython.int = self.placer.number if self.placer.number < ROOM else ROOM
        for i in range(bottom, top):
            code: cython.uint = self.placer.codes[i]
            points: cython.int = self.placer.scores[i]
            self.placer.number = top
            self.lay(ply, mover, code)
            if self.left[mover]:
                best = max(best, points + self.best_at_once(mover))
            self.lift(ply, mover)
        self.outs = outs
        return best

    def known(self, mover, line):
        """The index of the stored plays of a player in a line; generates them first if they are not known.

        Stored from there on: where they begin in the pool; their number; the value of the best one that
        leaves tiles; the score of the best one that leaves none, or -1.
        """
        i: cython.int
        if self.stale[line]:
            self.contents[line] = self.content(line)
            self.stale[line] = False
        key: cython.ulonglong = self.contents[line] ^ self.rack_key(mover)
        place: cython.ulonglong = key & KEPT
        at: cython.int = 4 * cython.cast(cython.int, place)
        if self.line_keys[place] == key:
            return at
        if not self.sorted:
            for i in range(KINDS):
                self.placer.have[i] = self.racks[mover * KINDS + i]
            self.placer.sort(0, 0)
            self.placer.leave[(1 << self.placer.tiles) - 1] = OUT
            self.sorted = True
        begin: cython.int = self.placer.number
        self.placer.scan(1 if line >= SIDE else 0, line % SIDE)
        count: cython.int = self.placer.number - begin
        if begin + count > ROOM:
            count = ROOM - begin if begin < ROOM else 0
            self.cut = True
        self.placer.number = begin
        if self.pooled + count > POOL:
            self.pooled = 1
            for i in range(KEPT + 1):
                self.line_keys[i] = 0
        best: cython.int = -FAR
        out: cython.int = -1
        for i in range(count):
            worth: cython.int = self.placer.worth[begin + i]
            self.pool[3 * (self.pooled + i)] = cython.cast(cython.int, self.placer.codes[begin + i])
            self.pool[3 * (self.pooled + i) + 1] = self.placer.scores[begin + i]
            self.pool[3 * (self.pooled + i) + 2] = worth
            if worth % UNIT:
                if self.placer.scores[begin + i] > out:
                    out = self.placer.scores[begin + i]
            elif worth > UNIT * best:
                best = worth // UNIT if worth > 0 else -(-worth // UNIT)
        self.line_keys[place] = key
        self.lines[at] = self.pooled
        self.lines[at + 1] = count
        self.lines[at + 2] = best
        self.lines[at + 3] = out
        self.pooled += count
        return at

    def rack_key(self, mover):
        """A number for what a player has."""
        i: cython.int
        key: cython.ulonglong = 0
        for i in range(KINDS):
            key ^= self.codes[HELD + 16 * i + self.racks[mover * KINDS + i]]
        return key

    def content(self, line):
        """A number for all that the plays in a line depend on but the rack."""
        i: cython.int
        down: cython.int = 1 if line >= SIDE else 0
        key: cython.ulonglong = line + 1
        for i in range(SIDE):
            cell: cython.int = i * SIDE + line - SIDE if down else line * SIDE + i
            if self.placer.cells[cell]:
                one: cython.ulonglong = self.placer.cells[cell]
            else:
                one = self.placer.masks[down * AREA + cell]
                one = (
                    one << 16
                    | self.placer.crosses[down * AREA + cell] + 1 << 2
                    | self.placer.anchors[cell] << 1
                )
                one = one << 8 | 128
            key = fold(key, one)
            key ^= key >> 29
        return key

    def touch(self, ply):
        """After tiles were laid or lifted: what they change beside them."""
        i: cython.int
        k: cython.int
        for i in range(self.counts[ply]):
            self.changed(self.cells[ply * RACK + i])
            for k in range(4):
                cell: cython.int = self.cells[ply * RACK + i]
                while True:
                    place: cython.int = cell % SIDE if k < 2 else cell // SIDE
                    if place == (SIDE - 1 if k & 1 else 0):
                        break
                    cell += (1 if k < 2 else SIDE) * (1 if k & 1 else -1)
                    if not self.placer.cells[cell]:
                        self.changed(cell)
                        break

    def changed(self, cell):
        """Look at a cell anew."""
        self.placer.look(cell)
        self.stale[cell // SIDE] = self.stale[SIDE + cell % SIDE] = True

    def seen(self, code):
        """What a play at the root came to in the search before."""
        i: cython.int
        for i in range(MOST):
            if self.root[i] == code:
                return UNIT * self.came[i]
        return -UNIT * FAR

    def best_of(self, start, top):
        """The index of the play with the highest estimated value."""
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
        while True:
            while rank >= self.lexicon.counts[state]:
                rank -= self.lexicon.counts[state]
                state += 1
            edge: cython.uint = self.lexicon.edges[state]
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
        for i in range(length):
            if not self.placer.cells[cell]:
                tile: cython.int = letters[i]
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
        self.touch(ply)

    def lift(self, ply, mover):
        """Take the tiles of that ply back."""
        i: cython.int
        for i in range(self.counts[ply]):
            cell: cython.int = self.cells[ply * RACK + i]
            tile: cython.int = self.placer.cells[cell]
            self.placer.cells[cell] = 0
            self.hash ^= self.codes[64 * cell + tile]
            self.racks[mover * KINDS + (0 if tile & BLANK else tile)] += 1
        self.left[mover] += self.counts[ply]
        self.touch(ply)
