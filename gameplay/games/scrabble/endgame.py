# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Endgame solver for two-player Scrabble: the bag is empty, so both racks are known.

Theorem (fail-soft alpha-beta): `visit` returns the value at a depth, as the points that the player on turn
gains on the other from here on; outside the window a bound. `is_lower` and `is_upper`: the result
is a bound of the value of the game.

    1. The game is over when a rack is empty, or after six scoreless turns.
    2. The table has values by board, racks, side to move and number of scoreless turns. An entry is used if
       it was searched as deep, or is proved and outside the window.
    3. All plays and the pass, ordered by score and rack leave.
    4. At depth 0: the mover makes the best-looking play, and the opponent then plays out.
    5. A play that empties the rack ends the game: if its value is at least beta, it is a cutoff.
    6. An upper bound of a player's gain is their gain if the opponent passes to the end. So a player with one
       tile who can play it does so at once. With two (`SOLO_RACK` after a scoreless turn) all sequences of
       plays without an opponent are searched: if none exceeds alpha, or none is better than going out at
       once, that is the value. A play that leaves two tiles is pruned if this bound of their gain is too low.
    7. The best replies are generated as if the mover passed. A play that touches neither the cells of a reply
       nor their neighbours leaves it legal, with the same score. If the reply ends the game, it bounds the
       value of the play from above, without a search; one ply above depth 0 all replies do.
    8. A player without a play passes, at no cost in depth. If neither has one, the game is decided.

A fail-high is proved by one play with `is_lower`, a fail-low if all plays have `is_upper`.
Iterative deepening, with the best move first, stops when the value is proved or time is up.

Most of the time is move generation: the plays of a row or column are cached by tiles, cross-checks and rack.
Types: endgame.pxd.
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
STACK_SIZE = cython.declare(cython.int, 1 << 16)  # plays on the stack, of all plies
AT_MOST = cython.declare(cython.int, 2)
AT_LEAST = cython.declare(cython.int, 1)
TABLE_SIZE = cython.declare(cython.int, 1 << 20 if cython.compiled else 1 << 16)  # of the table
LINE_CACHE_MASK = cython.declare(cython.ulonglong, (1 << 17) - 1)  # index mask of the line cache
OUT_REPLIES = cython.declare(cython.int, 8)  # stored replies that end the game
REPLIES = cython.declare(cython.int, 16)  # ... of both kinds
PROVEN = cython.declare(cython.int, 1 << 24)  # flag at the root: the value is an upper bound
POOL_SIZE = cython.declare(cython.int, 1 << 20 if cython.compiled else 1 << 16)  # of the line cache, in plays
MAX_PLY = cython.declare(cython.int, 56)  # a solo search may add seven plays
SOLO_SLOTS = cython.declare(cython.int, 1 << 18 if cython.compiled else 1 << 16)  # of the solo cache
SOLO_POLL_MASK = cython.declare(cython.int, 255 if cython.compiled else 15)  # solo positions between polls
GOES_OUT = cython.declare(cython.int, -1)  # flags a play that empties the rack, before its value is computed


class EndgameSolver(PolledSolver):
    """Solves one endgame; `nodes` counts the positions visited."""

    def __init__(self, placer: Placer, control, node_limit: cython.longlong = 0):
        """placer: owned by the solver; control: polled whether to stop; node_limit: 0 for none."""
        PolledSolver.__init__(self, 64 if cython.compiled else 1, control, node_limit)
        self.placer = placer
        self.lexicon = placer.lexicon
        self.overflowed, self.depth = False, 0
        placer.enlarge(STACK_SIZE)
        i: cython.int
        rng = Random("scrabble")
        if cython.compiled:
            self.table_buffer = memoryview(memory(24 * TABLE_SIZE))
            self.keys = cython.cast(cython.p_ulonglong, address_of(self.table_buffer))
            self.entries = cython.cast(cython.p_int, self.keys + TABLE_SIZE)
            self.solo_buffer = memoryview(memory(12 * SOLO_SLOTS))
            self.solo_keys = cython.cast(cython.p_ulonglong, address_of(self.solo_buffer))
            self.solo_values = cython.cast(cython.p_int, self.solo_keys + SOLO_SLOTS)
            self.line_buffer = memoryview(memory(24 << 17))
            self.line_keys = cython.cast(cython.p_ulonglong, address_of(self.line_buffer))
            self.lines = cython.cast(cython.p_int, self.line_keys + (1 << 17))
            self.pool_buffer = memoryview(memory(16 * POOL_SIZE))
            self.pool = cython.cast(cython.p_int, address_of(self.pool_buffer))
        else:
            self.solo_keys, self.solo_values = [0] * SOLO_SLOTS, [0] * SOLO_SLOTS
            self.line_keys, self.lines = [0] * (1 << 17), [0] * (4 << 17)
            self.pool = [0] * (4 * POOL_SIZE)
            self.line_hashes, self.stale = [0] * 30, [0] * 30
            self.replies = [0] * (3 * PLIES * REPLIES)
            self.reply_counts = [0] * (2 * PLIES)
            self.zones = [0] * (PLIES * REPLIES * LINES)
            self.keys, self.entries = [0] * TABLE_SIZE, [0] * (4 * TABLE_SIZE)
            self.codes = [0] * CODES
            self.racks, self.tile_counts = [0] * (2 * KINDS), [0, 0]
            self.cells, self.counts = [0] * (PLIES * RACK), [0] * PLIES
        for i in range(CODES):
            self.codes[i] = rng.getrandbits(64)
        self.pool_used = 1

    def solve(self, cells, rack, opponent_rack, scoreless: cython.int, depth: cython.int = 60):
        """The best move of the player with `rack`, the gain in points, and whether it is exact.

        None if not even one ply was searched in time.
        """
        i: cython.int
        value: cython.int = 0
        self.placer.set_board(bytes(cells))
        self.placer.laid_out = b""  # the search changes the board
        for i in range(KINDS):
            self.racks[i] = rack.count(i)
            self.racks[KINDS + i] = opponent_rack.count(i)
        self.tile_counts[0], self.tile_counts[1] = len(rack), len(opponent_rack)
        self.hash = 0
        for i in range(AREA):
            if cells[i]:
                self.hash ^= self.codes[64 * i + cells[i]]
        self.stopped = False
        self.next_poll = self.nodes + 1
        self.placer.compute_cross_checks()
        for i in range(LINES):
            self.stale[i] = True
        self.overflowed, self.solo_nodes = False, 0
        result = None
        for i in range(1, depth + 1):
            self.placer.max_plays = self.placer.with_exchanges = 0
            with cython.nogil:
                value = self.visit(0, 0, scoreless, i, -FAR, FAR, 0)
            if self.stopped:
                break
            self.depth = i
            exact: cython.bint = self.is_lower and self.is_upper and not self.overflowed
            result = (self.move, value, exact)
            if exact:
                break
        return result

    def rack_points(self, player):
        """The points of a rack."""
        i: cython.int
        total: cython.int = 0
        for i in range(KINDS):
            total += self.racks[player * KINDS + i] * self.placer.values[i]
        return total

    def visit(self, ply, mover, scoreless, depth, alpha, beta, bottom):
        """See the head of this file; bottom: the stack index of the first free play."""
        i: cython.int
        opponent: cython.int = 1 - mover
        self.nodes += 1
        if self.stopped or (self.nodes >= self.next_poll and self.poll()):
            return 0
        self.is_lower = self.is_upper = True
        if scoreless >= SCORELESS_LIMIT:
            return self.rack_points(opponent) - self.rack_points(mover)
        key: cython.ulonglong = self.position_key(mover, scoreless)
        place: cython.int = key & (TABLE_SIZE - 1)
        table_move: cython.uint = 0
        if self.keys[place] == key:
            table_move = self.entries[4 * place]
            if ply and self.decides_window(place, depth, alpha, beta):
                return self.entries[4 * place + 1]
        solo_bound: cython.int = FAR
        self.placer.play_count = bottom
        if ply:
            best: cython.int = self.best_static_gain(mover)
            if self.out_gain > -FAR and (self.tile_counts[mover] == 1 or self.out_gain >= beta):
                self.is_upper = self.tile_counts[mover] == 1
                return self.out_gain
            if ply >= MAX_PLY:
                self.is_lower = self.is_upper = False
                return best
            if self.no_play:
                return self.search_pass(ply, mover, scoreless, depth, alpha, beta, bottom)
            out_gain: cython.int = self.out_gain
            if self.tile_counts[mover] <= 2 or (scoreless and self.tile_counts[mover] <= SOLO_RACK):
                solo_bound = self.solo_gain(ply, mover, bottom, FAR)
                if self.stopped:
                    return 0
                if solo_bound <= alpha or solo_bound == out_gain:
                    self.is_lower = solo_bound == out_gain
                    self.is_upper = True
                    return solo_bound
            if depth == 0:
                self.is_lower = self.is_upper = False
                return best
        best = -FAR
        top: cython.int = self.list_plays(ply, mover, bottom, depth)
        replies_listed: cython.bint = False
        lower: cython.bint = False
        upper: cython.bint = True
        chosen: cython.uint = 0
        for i in range(bottom, top):
            self.placer.swap_plays(i, self.select_next(i, top, table_move if i == bottom else 0))
            low: cython.int = alpha if alpha > best else best
            value: cython.int = FAR
            next_scoreless: cython.int = 0 if self.placer.scores[i] else scoreless + 1
            if not ply and self.placer.placements[i] & PROVEN:
                value = self.placer.estimates[i] // UNIT
                self.is_lower, self.is_upper = False, True
            elif next_scoreless < SCORELESS_LIMIT and (i > bottom or depth == 1):
                if not replies_listed:
                    self.placer.play_count = top
                    self.find_replies(ply, opponent, depth == 1)
                    replies_listed = True
                value = self.refutation_bound(ply, mover, i, low, depth == 1)
            if value > low:
                value = self.search_play(ply, mover, i, next_scoreless, depth, low, beta, top)
                if self.stopped:
                    return 0
            if not ply:
                self.placer.estimates[i] = UNIT * value  # for move ordering at the next depth
                self.placer.placements[i] = self.placer.placements[i] & (PROVEN - 1) | (
                    PROVEN if self.is_upper else 0
                )
            upper = upper and self.is_upper
            if value > best:
                best = value
                chosen = self.placer.codes[i]
                lower = self.is_lower
                if best >= beta:
                    upper = i == top - 1 and upper
                    break
            elif value == best:
                lower = lower or self.is_lower
        self.is_lower, self.is_upper = lower, upper or best >= solo_bound
        self.store(
            place, key, chosen, best, depth, AT_LEAST if best >= beta else AT_MOST if best <= alpha else 0
        )
        if not ply:
            self.move = chosen
        return best

    def search_play(self, ply, mover, i, scoreless, depth, low, beta, top):
        """The value of a listed play, by search."""
        points: cython.int = self.placer.scores[i]
        value: cython.int = FAR
        opponent: cython.int = 1 - mover
        self.place_tiles(ply, mover, self.placer.codes[i])
        self.is_lower = self.is_upper = True
        if not self.tile_counts[mover]:
            value = points + 2 * self.rack_points(opponent)
        else:
            if self.tile_counts[mover] <= 2:
                value = points + self.solo_gain(ply + 1, mover, top, FAR)
                self.is_lower = False
            if value > low:
                value = points - self.visit(
                    ply + 1, opponent, scoreless, depth - 1, points - beta, points - low, top
                )
                self.is_lower, self.is_upper = self.is_upper, self.is_lower
        self.remove_tiles(ply, mover)
        return value

    def search_pass(self, ply, mover, scoreless, depth, alpha, beta, bottom):
        """The value for a player without a play; an opponent with one tile goes out at once."""
        value: cython.int = self.rack_points(1 - mover) - self.rack_points(mover)
        self.is_lower = self.is_upper = True
        if scoreless + 1 >= SCORELESS_LIMIT:
            return value
        self.best_static_gain(1 - mover)
        if self.no_play:
            return value
        if self.tile_counts[1 - mover] == 1:
            return -self.out_gain
        value = -self.visit(ply + 1, 1 - mover, scoreless + 1, depth, -beta, -alpha, bottom)
        self.is_lower, self.is_upper = self.is_upper, self.is_lower
        return value

    def position_key(self, mover, scoreless):
        """The hash key of the tiles, the side to move, and the scoreless turns."""
        i: cython.int
        key: cython.ulonglong = self.hash ^ self.codes[MOVING + 8 * mover + scoreless]
        for i in range(2 * KINDS):
            key ^= self.codes[HELD + 16 * i + self.racks[i]]
        return key

    def decides_window(self, place, depth, alpha, beta):
        """True if the table entry decides the window at this depth."""
        value: cython.int = self.entries[4 * place + 1]
        kind: cython.int = self.entries[4 * place + 3] & 3
        self.is_lower = self.entries[4 * place + 3] >> 2 & 1
        self.is_upper = self.entries[4 * place + 3] >> 3 & 1
        if (self.is_lower and (self.is_upper or value >= beta)) or (self.is_upper and value <= alpha):
            return True
        if self.entries[4 * place + 2] < depth:
            return False
        return kind == 0 or (kind == AT_LEAST and value >= beta) or (kind == AT_MOST and value <= alpha)

    def store(self, place, key, move, value, depth, kind):
        """Store a value in the table."""
        self.keys[place] = key
        self.entries[4 * place] = move
        self.entries[4 * place + 1] = value
        self.entries[4 * place + 2] = depth
        self.entries[4 * place + 3] = kind | self.is_lower << 2 | self.is_upper << 3

    def list_plays(self, ply, mover, bottom, depth):
        """Generate the plays of a player and the pass from `bottom` on; return the end."""
        if not ply and depth > 1:
            return self.top
        self.placer.play_count = bottom
        self.append_plays(mover)
        top: cython.int = self.placer.play_count
        if top >= STACK_SIZE:
            top = STACK_SIZE - 1
            self.overflowed = True
        self.placer.codes[top] = self.placer.scores[top] = 0
        self.placer.placements[top] = 2 * self.rack_points(mover) << SIDE
        self.placer.estimates[top] = -2 * UNIT * self.rack_points(mover)
        if not ply:
            self.top = top + 1
        return top + 1

    # -- replies that a play leaves legal ----------------------------------------------------------

    def find_replies(self, ply, player, is_last_ply):
        """Store the best plays of `player` after a pass: those that end the game, by score.

        At the last ply also others, by value.
        """
        i: cython.int
        k: cython.int
        self.rack_sorted = False
        self.reply_counts[2 * ply] = self.reply_counts[2 * ply + 1] = 0
        for i in range(LINES):
            at: cython.int = self.cached_line(player, i)
            if not is_last_ply and self.lines[at + 3] < 0:
                continue
            end: cython.int = self.lines[at] + self.lines[at + 1]
            for k in range(self.lines[at], end):
                if self.pool[4 * k + 2] % UNIT:
                    self.insert_reply(ply, 0, self.pool[4 * k + 1], i, self.pool[4 * k + 3])
                elif is_last_ply:
                    self.insert_reply(ply, 1, self.pool[4 * k + 2] // UNIT, i, self.pool[4 * k + 3])
        for i in range(OUT_REPLIES):
            if i < self.reply_counts[2 * ply]:
                self.mark_zone(ply * REPLIES + i)
            if i < self.reply_counts[2 * ply + 1]:
                self.mark_zone(ply * REPLIES + OUT_REPLIES + i)

    def insert_reply(self, ply, kind, value, line, placement):
        """Insert a reply into the sorted list of its kind."""
        count: cython.int = self.reply_counts[2 * ply + kind]
        start: cython.int = ply * REPLIES + kind * OUT_REPLIES
        if count == OUT_REPLIES:
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
        self.replies[3 * i + 2] = placement
        self.reply_counts[2 * ply + kind] = count + 1

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
                cell: cython.int = self.next_empty(own, k)
                if cell >= 0:
                    self.mark_cell(reply, cell)

    def mark_cell(self, reply, cell):
        """Record one cell of `mark_zone`, in its row and in its column."""
        self.zones[LINES * reply + cell // SIDE] |= 1 << cell % SIDE
        self.zones[LINES * reply + SIDE + cell % SIDE] |= 1 << cell // SIDE

    def refutation_bound(self, ply, mover, i, low, is_last_ply):
        """An upper bound of a play by the best reply that it leaves legal, if at most `low`; else FAR."""
        k: cython.int
        placement: cython.int = self.placer.placements[i] & (1 << SIDE) - 1
        if popcount(placement) == self.tile_counts[mover]:
            return FAR
        points: cython.int = self.placer.scores[i]
        line: cython.int = 0
        if placement:
            line = (self.placer.codes[i] - FIRST) % LINES
        rest: cython.int = self.placer.placements[i] >> SIDE & 511
        start: cython.int = ply * REPLIES
        for k in range(start, start + self.reply_counts[2 * ply]):
            if points - self.replies[3 * k] - rest > low:
                break
            if not self.zones[LINES * k + line] & placement:
                self.is_lower, self.is_upper = False, True
                return points - self.replies[3 * k] - rest
        if not is_last_ply:
            return FAR
        start += OUT_REPLIES
        for k in range(start, start + self.reply_counts[2 * ply + 1]):
            if points - self.replies[3 * k] > low:
                break
            if not self.zones[LINES * k + line] & placement:
                self.is_lower = self.is_upper = False
                return points - self.replies[3 * k]
        return FAR

    def append_plays(self, mover):
        """Generate all plays of a player after those already listed."""
        i: cython.int
        rest: cython.int
        out: cython.int = 2 * UNIT * self.rack_points(1 - mover) - GOES_OUT
        self.rack_sorted = False
        for i in range(LINES):
            at: cython.int = self.cached_line(mover, i)
            end: cython.int = self.lines[at] + self.lines[at + 1]
            at = self.lines[at]
            k: cython.int = self.placer.play_count
            while at < end and k < STACK_SIZE:
                self.placer.codes[k] = cython.cast(cython.uint, self.pool[4 * at])
                self.placer.scores[k] = self.pool[4 * at + 1]
                self.placer.estimates[k] = self.pool[4 * at + 2]
                self.placer.placements[k] = self.pool[4 * at + 3]
                if self.placer.estimates[k] % UNIT:
                    self.placer.estimates[k] = self.placer.estimates[k] + out
                else:
                    rest = UNIT * self.placer.scores[k] - self.placer.estimates[k]
                    self.placer.placements[k] = self.placer.placements[k] | rest // UNIT << SIDE
                k += 1
                at += 1
            self.placer.play_count = k + end - at

    def best_static_gain(self, mover):
        """The value of step 4; sets `out_gain`: the best gain of going out, -FAR if impossible."""
        i: cython.int
        opponent_points: cython.int = self.rack_points(1 - mover)
        best: cython.int = opponent_points - self.rack_points(mover)
        self.rack_sorted = False
        self.no_play = True
        self.out_gain = -FAR
        for i in range(LINES):
            at: cython.int = self.cached_line(mover, i)
            if self.lines[at + 1]:
                self.no_play = False
            if self.lines[at + 2] > best:
                best = self.lines[at + 2]
            if self.lines[at + 3] >= 0 and self.lines[at + 3] + 2 * opponent_points > self.out_gain:
                self.out_gain = self.lines[at + 3] + 2 * opponent_points
        return max(best, self.out_gain)

    def solo_gain(self, ply, mover, bottom, limit):
        """The gain of a player if the opponent always passes: an upper bound.

        The search stops at `limit`: such a result is no bound, since the gain may be greater.
        """
        i: cython.int
        value: cython.int
        self.placer.play_count = bottom
        best: cython.int = self.best_static_gain(mover)
        if self.tile_counts[mover] == 1 or self.no_play or best >= limit:
            return best
        key: cython.ulonglong = self.hash ^ self.rack_key(mover) ^ self.codes[self.rack_points(1 - mover)]
        place: cython.int = key & (SOLO_SLOTS - 1)
        if self.solo_keys[place] == key:
            value = self.solo_values[place] >> 1
            if not self.solo_values[place] & 1 or value >= limit:
                return value
        self.solo_nodes += 1
        if not self.solo_nodes & SOLO_POLL_MASK and self.stop_requested():
            self.stopped = True
        best = max(self.out_gain, self.rack_points(1 - mover) - self.rack_points(mover))
        self.append_plays(mover)
        top: cython.int = self.placer.play_count
        if top > STACK_SIZE:
            top = STACK_SIZE
            self.overflowed = True
        for i in range(bottom, top):
            self.placer.swap_plays(i, self.select_next(i, top, 0))
            if popcount(self.placer.placements[i] & (1 << SIDE) - 1) == self.tile_counts[mover]:
                continue
            points: cython.int = self.placer.scores[i]
            self.place_tiles(ply, mover, self.placer.codes[i])
            value = points + self.solo_gain(ply + 1, mover, top, limit - points)
            best = max(best, value)
            self.remove_tiles(ply, mover)
            if self.stopped:
                return best
            if best >= limit:
                break
        self.solo_keys[place] = key
        self.solo_values[place] = 2 * best + (best >= limit)
        return best

    def cached_line(self, mover, line):
        """The index of a player's cached plays in a line; generates them on a miss.

        An entry: the first index in the pool; the number of plays; the value of the best one that leaves
        tiles; the score of the best one that leaves none, or -1.
        """
        i: cython.int
        if self.stale[line]:
            self.line_hashes[line] = self.hash_line(line)
            self.stale[line] = False
        key: cython.ulonglong = self.line_hashes[line] ^ self.rack_key(mover)
        place: cython.ulonglong = key & LINE_CACHE_MASK
        at: cython.int = 4 * cython.cast(cython.int, place)
        if self.line_keys[place] == key:
            return at
        if not self.rack_sorted:
            for i in range(KINDS):
                self.placer.rack_counts[i] = self.racks[mover * KINDS + i]
            self.placer.sort_rack(0, 0)
            self.placer.leave_values[(1 << self.placer.tiles) - 1] = GOES_OUT
            self.rack_sorted = True
        begin: cython.int = self.placer.play_count
        self.placer.generate_line(1 if line >= SIDE else 0, line % SIDE)
        count: cython.int = self.placer.play_count - begin
        if begin + count > STACK_SIZE:
            count = STACK_SIZE - begin if begin < STACK_SIZE else 0
            self.overflowed = True
        self.placer.play_count = begin
        if self.pool_used + count > POOL_SIZE:
            self.pool_used = 1
            for i in range(LINE_CACHE_MASK + 1):
                self.line_keys[i] = 0
        best: cython.int = -FAR
        out: cython.int = -1
        for i in range(count):
            estimate: cython.int = self.placer.estimates[begin + i]
            self.pool[4 * (self.pool_used + i)] = cython.cast(cython.int, self.placer.codes[begin + i])
            self.pool[4 * (self.pool_used + i) + 1] = self.placer.scores[begin + i]
            self.pool[4 * (self.pool_used + i) + 2] = estimate
            self.pool[4 * (self.pool_used + i) + 3] = self.placer.placements[begin + i]
            if estimate % UNIT:
                if self.placer.scores[begin + i] > out:
                    out = self.placer.scores[begin + i]
            elif estimate > UNIT * best:
                best = estimate // UNIT if estimate > 0 else -(-estimate // UNIT)
        self.line_keys[place] = key
        self.lines[at] = self.pool_used
        self.lines[at + 1] = count
        self.lines[at + 2] = best
        self.lines[at + 3] = out
        self.pool_used += count
        return at

    def rack_key(self, mover):
        """The hash key of a rack."""
        i: cython.int
        key: cython.ulonglong = 0
        for i in range(KINDS):
            key ^= self.codes[HELD + 16 * i + self.racks[mover * KINDS + i]]
        return key

    def hash_line(self, line):
        """The hash key of the tiles and cross-checks of a line."""
        i: cython.int
        down: cython.int = 1 if line >= SIDE else 0
        key: cython.ulonglong = line + 1
        for i in range(SIDE):
            cell: cython.int = i * SIDE + line - SIDE if down else line * SIDE + i
            if self.placer.cells[cell]:
                code: cython.ulonglong = self.placer.cells[cell]
            else:
                code = self.placer.masks[down * AREA + cell]
                code = (
                    code << 16
                    | self.placer.crosses[down * AREA + cell] + 1 << 2
                    | self.placer.anchors[cell] << 1
                )
                code = code << 8 | 128
            key = fold(key, code)
            key ^= key >> 29
        return key

    def refresh_cells(self, ply):
        """Update the cross-checks after tiles were placed or removed."""
        i: cython.int
        k: cython.int
        for i in range(self.counts[ply]):
            self.refresh_cell(self.cells[ply * RACK + i])
            for k in range(4):
                cell: cython.int = self.next_empty(self.cells[ply * RACK + i], k)
                if cell >= 0:
                    self.refresh_cell(cell)

    def next_empty(self, cell, k):
        """The first empty cell from a cell in one of four directions; -1 if there is none."""
        while True:
            coordinate: cython.int = cell % SIDE if k < 2 else cell // SIDE
            if coordinate == (SIDE - 1 if k & 1 else 0):
                return -1
            cell += (1 if k < 2 else SIDE) * (1 if k & 1 else -1)
            if not self.placer.cells[cell]:
                return cell

    def refresh_cell(self, cell):
        """Recompute the cross-checks of a cell."""
        self.placer.update_cell(cell)
        self.stale[cell // SIDE] = self.stale[SIDE + cell % SIDE] = True

    def select_next(self, start, top, code):
        """The index of the play `code`; if it is not listed, of the play with the highest estimate."""
        i: cython.int
        best: cython.int = start
        for i in range(start, top):
            if code and self.placer.codes[i] == code:
                return i
            if self.placer.estimates[i] > self.placer.estimates[best]:
                best = i
        return best

    def place_tiles(self, ply, mover, code):
        """Place the tiles of a play and record the cells; 0: a pass."""
        self.counts[ply] = 0
        if not code:
            return
        number: cython.uint = (code - FIRST) // LINES
        line: cython.int = (code - FIRST) % LINES
        rank: cython.uint = self.lexicon.word_of_play(number)
        number -= self.lexicon.play_offsets[rank]
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
        tiles: cython.int = length if length < RACK else RACK
        choices: cython.int = 1 + tiles + tiles * (tiles - 1) // 2
        blank_choice: cython.int = number % cython.cast(cython.uint, choices)
        offset: cython.int = number // cython.cast(cython.uint, choices)
        low: cython.int = -1
        high: cython.int = -1
        if 0 < blank_choice <= tiles:
            low = blank_choice - 1
        elif blank_choice:
            blank_choice -= 1 + tiles
            high = 1
            while high * (high + 1) // 2 <= blank_choice:
                high += 1
            low = blank_choice - high * (high - 1) // 2
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
        self.tile_counts[mover] -= count
        self.refresh_cells(ply)

    def remove_tiles(self, ply, mover):
        """Remove the tiles placed at a ply."""
        i: cython.int
        for i in range(self.counts[ply]):
            cell: cython.int = self.cells[ply * RACK + i]
            tile: cython.int = self.placer.cells[cell]
            self.placer.cells[cell] = 0
            self.hash ^= self.codes[64 * cell + tile]
            self.racks[mover * KINDS + (0 if tile & BLANK else tile)] += 1
        self.tile_counts[mover] += self.counts[ply]
        self.refresh_cells(ply)
