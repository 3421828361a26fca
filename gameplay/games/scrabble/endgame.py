# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Endgame solver for two-player Scrabble: the bag is empty, so both racks are known.

Theorem (fail-soft alpha-beta): `visit` returns the value at a depth, as the points that the player on turn
gains on the other from here on; outside the window a bound. `reached`: the value of the game is at least the
result; `bounded`: at most.

    1. The game is over when a rack is empty, or after six scoreless turns.
    2. The table has values by board, racks, side to move and number of scoreless turns. An entry is used if
       it was searched as deep, or is proved and outside the window.
    3. All plays and the pass, ordered by score and rack leave.
    4. At depth 0: the mover makes the best-looking play, and the opponent then plays out.
    5. A play that empties the rack ends the game: if its value is at least beta, it is a cutoff.
    6. An upper bound of a player's gain is their gain if the opponent passes to the end. So a player with one
       tile who can play it does so at once. With two (`SOLO` after a scoreless turn) all sequences of plays
       without an opponent are searched: if none exceeds alpha, or none is better than playing out at once,
       that is the value. A play that leaves two tiles is pruned if this bound of their gain is too low.
    7. The best replies are generated as if the mover passed. A play that touches neither the cells of a reply
       nor their neighbours leaves it legal, with the same score. If the reply ends the game, it bounds the
       value of the play from above, without a search; one ply above depth 0 all replies do.
    8. A player without a play passes, at no cost in depth. If neither has one, the game is decided.

At the end, only proofs matter: a fail-high needs one play with `reached`, a fail-low `bounded` for all plays.
So the search stops as soon as the proof is complete, often long before the deepest line is finished.

Most of the time is move generation: the plays of a row or column are cached by tiles, cross-checks and rack.

Iterative deepening with the best move first, until the value is proved or time is up.  Types: endgame.pxd.
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
    from cython.cimports.gameplay.native.bits import popcount
    from cython.cimports.gameplay.native.hashing import fold
    from cython.cimports.gameplay.native.memory import address_of
else:
    from gameplay.games.scrabble.layout import *
    from gameplay.games.scrabble.plays import Placer
    from gameplay.native.bits import popcount
    from gameplay.native.hashing import fold

CODES = cython.declare(cython.int, 15280)
PLIES = cython.declare(cython.int, 64)
ROOM = cython.declare(cython.int, 1 << 16)  # plays on the stack, of all plies
AT_MOST = cython.declare(cython.int, 2)
AT_LEAST = cython.declare(cython.int, 1)
SIZE = cython.declare(cython.int, 1 << 20 if cython.compiled else 1 << 16)  # of the table
KEPT = cython.declare(cython.ulonglong, (1 << 17) - 1)  # index mask of the line cache
OUTS = cython.declare(cython.int, 8)  # stored replies that end the game
REPLIES = cython.declare(cython.int, 16)  # ... of both kinds
PROVEN = cython.declare(cython.int, 1 << 24)  # flag at the root: the value is an upper bound
POOL = cython.declare(cython.int, 1 << 20 if cython.compiled else 1 << 16)  # of the line cache, in plays
DEEPEST = cython.declare(cython.int, 56)  # the last ply; a player alone may make seven more plays
SOLOS = cython.declare(cython.int, 1 << 18 if cython.compiled else 1 << 16)  # cached values of players alone
OFTEN = cython.declare(cython.int, 255 if cython.compiled else 15)  # positions of players alone between polls
OUT = cython.declare(cython.int, -1)  # marks an empty rack, before its value is computed


class EndgameSolver(PolledSolver):
    """Solves one endgame; `nodes` counts the positions visited."""

    def __init__(self, placer: Placer, control, most: cython.longlong = 0):
        """placer: owned by the solver; control: polled whether to stop; most: node limit, 0: none."""
        PolledSolver.__init__(self, 64 if cython.compiled else 1, control, most)
        self.placer = placer
        self.lexicon = placer.lexicon
        self.lost = False
        self.depth = 0
        placer.enlarge(ROOM)
        i: cython.int
        lot = Random("scrabble")
        if cython.compiled:
            self.held = memoryview(memory(24 * SIZE))
            self.keys = cython.cast(cython.p_ulonglong, address_of(self.held))
            self.facts = cython.cast(cython.p_int, self.keys + SIZE)
            self.solos_held = memoryview(memory(12 * SOLOS))
            self.solo_keys = cython.cast(cython.p_ulonglong, address_of(self.solos_held))
            self.solos = cython.cast(cython.p_int, self.solo_keys + SOLOS)
            self.lines_held = memoryview(memory(24 << 17))
            self.line_keys = cython.cast(cython.p_ulonglong, address_of(self.lines_held))
            self.lines = cython.cast(cython.p_int, self.line_keys + (1 << 17))
            self.pool_held = memoryview(memory(16 * POOL))
            self.pool = cython.cast(cython.p_int, address_of(self.pool_held))
        else:
            self.solo_keys, self.solos = [0] * SOLOS, [0] * SOLOS
            self.line_keys, self.lines = [0] * (1 << 17), [0] * (4 << 17)
            self.pool = [0] * (4 * POOL)
            self.contents, self.stale = [0] * 30, [0] * 30
            self.replies = [0] * (3 * PLIES * REPLIES)
            self.reply_counts = [0] * (2 * PLIES)
            self.zones = [0] * (PLIES * REPLIES * LINES)
            self.keys, self.facts = [0] * SIZE, [0] * (4 * SIZE)
            self.codes = [0] * CODES
            self.racks, self.left = [0] * (2 * KINDS), [0, 0]
            self.cells, self.counts = [0] * (PLIES * RACK), [0] * PLIES
        for i in range(CODES):
            self.codes[i] = lot.getrandbits(64)
        self.pooled = 1

    def solve(self, cells, mine, theirs, calm: cython.int, depth: cython.int = 60):
        """The best move of the player with the rack `mine`, the gain in points, and whether it is exact.

        None if not even one ply was searched in time.
        """
        i: cython.int
        value: cython.int = 0
        self.placer.lay(bytes(cells))
        self.placer.laid_out = b""  # the search changes the board
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
        for i in range(LINES):
            self.stale[i] = True
        self.lost = False
        self.solo = 0
        found = None
        for i in range(1, depth + 1):
            self.placer.most = self.placer.changing = 0
            with cython.nogil:
                value = self.visit(0, 0, calm, i, -FAR, FAR, 0)
            if self.stopped:
                break
            self.depth = i
            exact: cython.bint = self.reached and self.bounded and not self.lost
            found = (self.move, value, exact)
            if exact:
                break
        return found

    def tiles(self, player):
        """The points of a rack."""
        i: cython.int
        total: cython.int = 0
        for i in range(KINDS):
            total += self.racks[player * KINDS + i] * self.placer.values[i]
        return total

    def visit(self, ply, mover, calm, depth, alpha, beta, bottom):
        """See the head of this file; bottom: the stack index of the first free play."""
        i: cython.int
        j: cython.int
        other: cython.int = 1 - mover
        self.nodes += 1
        if self.stopped or (self.nodes >= self.next_poll and self.poll()):
            return 0
        self.reached = self.bounded = True
        if calm >= CALM:
            return self.tiles(other) - self.tiles(mover)
        key: cython.ulonglong = self.position_key(mover, calm)
        place: cython.int = key & (SIZE - 1)
        first: cython.uint = 0
        if self.keys[place] == key:
            first = self.facts[4 * place]
            if ply and self.settled(place, depth, alpha, beta):
                return self.facts[4 * place + 1]
        most: cython.int = FAR
        self.placer.number = bottom
        if ply:
            best: cython.int = self.best_at_once(mover)
            if self.outs > -FAR and (self.left[mover] == 1 or self.outs >= beta):
                self.bounded = self.left[mover] == 1
                return self.outs
            if ply >= DEEPEST:
                self.reached = self.bounded = False
                return best
            if self.stuck:
                return self.pass_on(ply, mover, calm, depth, alpha, beta, bottom)
            outs: cython.int = self.outs
            if self.left[mover] <= 2 or (calm and self.left[mover] <= SOLO):
                most = self.alone(ply, mover, bottom)
                if self.stopped:
                    return 0
                if most <= alpha or most == outs:
                    self.reached = most == outs
                    self.bounded = True
                    return most
            if depth == 0:
                self.reached = self.bounded = False
                return best
        best = -FAR
        top: cython.int = self.list_plays(ply, mover, bottom, depth)
        looked: cython.bint = False
        reached: cython.bint = False
        bounded: cython.bint = True
        chosen: cython.uint = 0
        for i in range(bottom, top):
            j = self.best_of(i, top, first if i == bottom else 0)
            self.swap(i, j)
            low: cython.int = alpha if alpha > best else best
            value: cython.int = FAR
            still: cython.int = 0 if self.placer.scores[i] else calm + 1
            if not ply and self.placer.spots[i] & PROVEN:
                value = self.placer.worth[i] // UNIT
                self.reached, self.bounded = False, True
            elif still < CALM and (i > bottom or depth == 1):
                if not looked:
                    self.placer.number = top
                    self.find_replies(ply, other, depth == 1)
                    looked = True
                value = self.refuted(ply, mover, i, low, depth == 1)
            if value > low:
                value = self.play_out(ply, mover, i, still, depth, low, beta, top)
                if self.stopped:
                    return 0
            if not ply:
                self.placer.worth[i] = UNIT * value  # for move ordering at the next depth
                self.placer.spots[i] = self.placer.spots[i] & (PROVEN - 1) | (PROVEN if self.bounded else 0)
            bounded = bounded and self.bounded
            if value > best:
                best = value
                chosen = self.placer.codes[i]
                reached = self.reached
                if best >= beta:
                    bounded = i == top - 1 and bounded
                    break
            elif value == best:
                reached = reached or self.reached
        self.reached, self.bounded = reached, bounded or best >= most
        self.store(
            place, key, chosen, best, depth, AT_LEAST if best >= beta else AT_MOST if best <= alpha else 0
        )
        if not ply:
            self.move = chosen
        return best

    def play_out(self, ply, mover, i, calm, depth, low, beta, top):
        """The value of a listed play, by search."""
        points: cython.int = self.placer.scores[i]
        value: cython.int = FAR
        other: cython.int = 1 - mover
        self.lay(ply, mover, self.placer.codes[i])
        self.reached = self.bounded = True
        if not self.left[mover]:
            value = points + 2 * self.tiles(other)
        else:
            if self.left[mover] <= 2:
                value = points + self.alone(ply + 1, mover, top)
                self.reached = False
            if value > low:
                value = points - self.visit(ply + 1, other, calm, depth - 1, points - beta, points - low, top)
                self.reached, self.bounded = self.bounded, self.reached
        self.lift(ply, mover)
        return value

    def pass_on(self, ply, mover, calm, depth, alpha, beta, bottom):
        """The value for a player without a play; an opponent with one tile plays out at once."""
        value: cython.int = self.tiles(1 - mover) - self.tiles(mover)
        self.reached = self.bounded = True
        if calm + 1 >= CALM:
            return value
        self.best_at_once(1 - mover)
        if self.stuck:
            return value
        if self.left[1 - mover] == 1:
            return -self.outs
        value = -self.visit(ply + 1, 1 - mover, calm + 1, depth, -beta, -alpha, bottom)
        self.reached, self.bounded = self.bounded, self.reached
        return value

    def position_key(self, mover, calm):
        """The hash key of the tiles, the side to move, and the scoreless turns."""
        i: cython.int
        key: cython.ulonglong = self.hash ^ self.codes[MOVING + 8 * mover + calm]
        for i in range(2 * KINDS):
            key ^= self.codes[HELD + 16 * i + self.racks[i]]
        return key

    def settled(self, place, depth, alpha, beta):
        """True if the table entry decides the window at this depth."""
        value: cython.int = self.facts[4 * place + 1]
        kind: cython.int = self.facts[4 * place + 3] & 3
        self.reached = self.facts[4 * place + 3] >> 2 & 1
        self.bounded = self.facts[4 * place + 3] >> 3 & 1
        if (self.reached and (self.bounded or value >= beta)) or (self.bounded and value <= alpha):
            return True
        if self.facts[4 * place + 2] < depth:
            return False
        return kind == 0 or (kind == AT_LEAST and value >= beta) or (kind == AT_MOST and value <= alpha)

    def store(self, place, key, move, value, depth, kind):
        """Store a value in the table."""
        self.keys[place] = key
        self.facts[4 * place] = move
        self.facts[4 * place + 1] = value
        self.facts[4 * place + 2] = depth
        self.facts[4 * place + 3] = kind | self.reached << 2 | self.bounded << 3

    def list_plays(self, ply, mover, bottom, depth):
        """Generate the plays of a player and the pass from `bottom` on; return the end."""
        if not ply and depth > 1:
            return self.top
        self.placer.number = bottom
        self.find(mover)
        top: cython.int = self.placer.number
        if top >= ROOM:
            top = ROOM - 1
            self.lost = True
        self.placer.codes[top] = self.placer.scores[top] = 0
        self.placer.spots[top] = 2 * self.tiles(mover) << SIDE
        self.placer.worth[top] = -2 * UNIT * self.tiles(mover)
        if not ply:
            self.top = top + 1
        return top + 1

    def swap(self, i, j):
        """Swap two listed plays."""
        self.placer.codes[i], self.placer.codes[j] = self.placer.codes[j], self.placer.codes[i]
        self.placer.scores[i], self.placer.scores[j] = self.placer.scores[j], self.placer.scores[i]
        self.placer.worth[i], self.placer.worth[j] = self.placer.worth[j], self.placer.worth[i]
        self.placer.spots[i], self.placer.spots[j] = self.placer.spots[j], self.placer.spots[i]

    # -- replies that a play leaves legal ----------------------------------------------------------

    def find_replies(self, ply, player, last):
        """Store the best plays of `player` after a pass: those that end the game, by score.

        If the replies are at the `last` ply, also others, by value.
        """
        i: cython.int
        k: cython.int
        self.sorted = False
        self.reply_counts[2 * ply] = self.reply_counts[2 * ply + 1] = 0
        for i in range(LINES):
            at: cython.int = self.known(player, i)
            if not last and self.lines[at + 3] < 0:
                continue
            end: cython.int = self.lines[at] + self.lines[at + 1]
            for k in range(self.lines[at], end):
                if self.pool[4 * k + 2] % UNIT:
                    self.keep_reply(ply, 0, self.pool[4 * k + 1], i, self.pool[4 * k + 3])
                elif last:
                    self.keep_reply(ply, 1, self.pool[4 * k + 2] // UNIT, i, self.pool[4 * k + 3])
        for i in range(OUTS):
            if i < self.reply_counts[2 * ply]:
                self.mark_zone(ply * REPLIES + i)
            if i < self.reply_counts[2 * ply + 1]:
                self.mark_zone(ply * REPLIES + OUTS + i)

    def keep_reply(self, ply, other, value, line, spot):
        """Insert a reply into the sorted list of its kind."""
        count: cython.int = self.reply_counts[2 * ply + other]
        start: cython.int = ply * REPLIES + other * OUTS
        if count == OUTS:
            if value <= self.replies[3 * (start + count - 1)]:
                return
            count -= 1
        i: cython.int = start + count
        while i > start and self.replies[3 * (i - 1)] < value:
            self.replies[3 * i] = self.replies[3 * (i - 1)]
            self.replies[3 * i + 1] = self.replies[3 * (i - 1) + 1]
            self.replies[3 * i + 2] = self.replies[3 * (i - 1) + 2]
            i -= 1
        self.replies[3 * i] = value
        self.replies[3 * i + 1] = line
        self.replies[3 * i + 2] = spot
        self.reply_counts[2 * ply + other] = count + 1

    def mark_zone(self, reply):
        """Record the cells that must stay empty for a reply to keep its score, by line.

        These are its own cells and the next empty ones in each direction.
        """
        i: cython.int
        k: cython.int
        line: cython.int = self.replies[3 * reply + 1]
        for i in range(LINES):
            self.zones[LINES * reply + i] = 0
        for i in range(SIDE):
            if not self.replies[3 * reply + 2] >> i & 1:
                continue
            own: cython.int = i * SIDE + line - SIDE if line >= SIDE else line * SIDE + i
            self.mark_cell(reply, own)
            for k in range(4):
                cell: cython.int = self.beside(own, k)
                if cell >= 0:
                    self.mark_cell(reply, cell)

    def mark_cell(self, reply, cell):
        """Record one cell of `mark_zone`, in its row and in its column."""
        self.zones[LINES * reply + cell // SIDE] |= 1 << cell % SIDE
        self.zones[LINES * reply + SIDE + cell % SIDE] |= 1 << cell // SIDE

    def refuted(self, ply, mover, i, low, last):
        """An upper bound of a listed play by its best untouched reply if at most `low`; else FAR."""
        k: cython.int
        spot: cython.int = self.placer.spots[i] & (1 << SIDE) - 1
        if popcount(spot) == self.left[mover]:
            return FAR
        points: cython.int = self.placer.scores[i]
        line: cython.int = 0
        if spot:
            line = (self.placer.codes[i] - FIRST) % LINES
        rest: cython.int = self.placer.spots[i] >> SIDE & 511
        start: cython.int = ply * REPLIES
        for k in range(start, start + self.reply_counts[2 * ply]):
            if points - self.replies[3 * k] - rest > low:
                break
            if not self.zones[LINES * k + line] & spot:
                self.reached, self.bounded = False, True
                return points - self.replies[3 * k] - rest
        if not last:
            return FAR
        start += OUTS
        for k in range(start, start + self.reply_counts[2 * ply + 1]):
            if points - self.replies[3 * k] > low:
                break
            if not self.zones[LINES * k + line] & spot:
                self.reached = self.bounded = False
                return points - self.replies[3 * k]
        return FAR

    def find(self, mover):
        """Generate all plays of a player after those already listed."""
        i: cython.int
        rest: cython.int
        out: cython.int = 2 * UNIT * self.tiles(1 - mover) - OUT
        self.sorted = False
        for i in range(LINES):
            at: cython.int = self.known(mover, i)
            end: cython.int = self.lines[at] + self.lines[at + 1]
            at = self.lines[at]
            k: cython.int = self.placer.number
            while at < end and k < ROOM:
                self.placer.codes[k] = cython.cast(cython.uint, self.pool[4 * at])
                self.placer.scores[k] = self.pool[4 * at + 1]
                self.placer.worth[k] = self.pool[4 * at + 2]
                self.placer.spots[k] = self.pool[4 * at + 3]
                if self.placer.worth[k] % UNIT:
                    self.placer.worth[k] = self.placer.worth[k] + out
                else:
                    rest = UNIT * self.placer.scores[k] - self.placer.worth[k]
                    self.placer.spots[k] = self.placer.spots[k] | rest // UNIT << SIDE
                k += 1
                at += 1
            self.placer.number = k + end - at

    def best_at_once(self, mover):
        """Step 4; sets `outs` to the best gain of a play that ends the game, -FAR if there is none."""
        i: cython.int
        others: cython.int = self.tiles(1 - mover)
        best: cython.int = others - self.tiles(mover)
        self.sorted = False
        self.stuck = True
        self.outs = -FAR
        for i in range(LINES):
            at: cython.int = self.known(mover, i)
            if self.lines[at + 1]:
                self.stuck = False
            if self.lines[at + 2] > best:
                best = self.lines[at + 2]
            if self.lines[at + 3] >= 0 and self.lines[at + 3] + 2 * others > self.outs:
                self.outs = self.lines[at + 3] + 2 * others
        return max(best, self.outs)

    def alone(self, ply, mover, bottom):
        """The gain of a player if the opponent passes to the end: an upper bound."""
        i: cython.int
        value: cython.int
        self.placer.number = bottom
        best: cython.int = self.best_at_once(mover)
        if self.left[mover] == 1 or self.stuck:
            return best
        key: cython.ulonglong = self.hash ^ self.rack_key(mover) ^ self.codes[self.tiles(1 - mover)]
        place: cython.int = key & (SOLOS - 1)
        if self.solo_keys[place] == key:
            return self.solos[place]
        self.solo += 1
        if not self.solo & OFTEN and self.stop_requested():
            self.stopped = True
        best = max(self.outs, self.tiles(1 - mover) - self.tiles(mover))
        self.find(mover)
        top: cython.int = self.placer.number
        if top > ROOM:
            top = ROOM
            self.lost = True
        for i in range(bottom, top):
            if popcount(self.placer.spots[i] & (1 << SIDE) - 1) == self.left[mover]:
                continue
            code: cython.uint = self.placer.codes[i]
            points: cython.int = self.placer.scores[i]
            self.lay(ply, mover, code)
            value = points + self.alone(ply + 1, mover, top)
            best = max(best, value)
            self.lift(ply, mover)
            if self.stopped:
                return best
        self.solo_keys[place] = key
        self.solos[place] = best
        return best

    def known(self, mover, line):
        """The index of a player's cached plays in a line; generates them on a miss.

        An entry: the first index in the pool; the number of plays; the value of the best one that leaves
        tiles; the score of the best one that leaves none, or -1.
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
            self.lost = True
        self.placer.number = begin
        if self.pooled + count > POOL:
            self.pooled = 1
            for i in range(KEPT + 1):
                self.line_keys[i] = 0
        best: cython.int = -FAR
        out: cython.int = -1
        for i in range(count):
            worth: cython.int = self.placer.worth[begin + i]
            self.pool[4 * (self.pooled + i)] = cython.cast(cython.int, self.placer.codes[begin + i])
            self.pool[4 * (self.pooled + i) + 1] = self.placer.scores[begin + i]
            self.pool[4 * (self.pooled + i) + 2] = worth
            self.pool[4 * (self.pooled + i) + 3] = self.placer.spots[begin + i]
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
        """The hash key of a rack."""
        i: cython.int
        key: cython.ulonglong = 0
        for i in range(KINDS):
            key ^= self.codes[HELD + 16 * i + self.racks[mover * KINDS + i]]
        return key

    def content(self, line):
        """The hash key of the tiles and cross-checks of a line."""
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
        """Update the cross-checks after tiles were placed or removed."""
        i: cython.int
        k: cython.int
        for i in range(self.counts[ply]):
            self.changed(self.cells[ply * RACK + i])
            for k in range(4):
                cell: cython.int = self.beside(self.cells[ply * RACK + i], k)
                if cell >= 0:
                    self.changed(cell)

    def beside(self, cell, k):
        """The first empty cell from a cell in one of four directions; -1 if there is none."""
        while True:
            place: cython.int = cell % SIDE if k < 2 else cell // SIDE
            if place == (SIDE - 1 if k & 1 else 0):
                return -1
            cell += (1 if k < 2 else SIDE) * (1 if k & 1 else -1)
            if not self.placer.cells[cell]:
                return cell

    def changed(self, cell):
        """Recompute the cross-checks of a cell."""
        self.placer.look(cell)
        self.stale[cell // SIDE] = self.stale[SIDE + cell % SIDE] = True

    def best_of(self, start, top, code):
        """The index of the play `code`; if it is not listed, of the play with the highest estimate."""
        i: cython.int
        found: cython.int = start
        for i in range(start, top):
            if code and self.placer.codes[i] == code:
                return i
            if self.placer.worth[i] > self.placer.worth[found]:
                found = i
        return found

    def lay(self, ply, mover, code):
        """Place the tiles of a play and record the cells; 0: a pass."""
        self.counts[ply] = 0
        if not code:
            return
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
        """Remove the tiles placed at a ply."""
        i: cython.int
        for i in range(self.counts[ply]):
            cell: cython.int = self.cells[ply * RACK + i]
            tile: cython.int = self.placer.cells[cell]
            self.placer.cells[cell] = 0
            self.hash ^= self.codes[64 * cell + tile]
            self.racks[mover * KINDS + (0 if tile & BLANK else tile)] += 1
        self.left[mover] += self.counts[ply]
        self.touch(ply)
