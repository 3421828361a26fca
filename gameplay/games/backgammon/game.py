# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Backgammon: every rule, with matches and the doubling cube.  C types: game.pxd.

Each player counts the points from their own side, so that their men go from 24 down to 1 and off; what is
point p to one is point 25 - p to the other. The whole position is 64 small numbers, `state`:

    0        men that player 0 has borne off      26 + 0 ... 25    the same of player 1
    1-24     their men on each point              52, 53    the higher and the lower die, 0: not rolled
    25       their men on the bar                 54        who rolls, or has rolled
                                                  55        the stage of the turn
    56       the cube, as a power of two          58, 59    points in the match
    57       who has it, 2: neither               60        1: this is the Crawford game
    61       what the winner gets, or is offered: 1, 2 or 3 cubes; 0: not over
    62       who has won                          63        `turn`

A turn is one move, the points that its men leave in the order in which they go:

    bits 0-4, 5-9, 10-14, 15-19    where the first, second, third and fourth man moved starts: 25 the bar,
                                   0 there is none
    bit 20                         the lower die is played first, not the higher one

A pass is 0. Of turns that lead to the same position there is one. Rolls and cube actions have their own bits:

    bit 21                         a roll: bits 0-2 the first die, bits 3-5 the second; the higher one first,
                                   but in the opening roll first that of player 0, then that of player 1
    bit 22                         bits 0-3: roll 0, double 1, take 2, drop 3, accept 4, decline 5; the offer
                                   to give up: 9, a gammon 10, a backgammon 11
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay import kernel
from gameplay import value as scale
from gameplay.board import Board, Tray
from gameplay.errors import BadInput, IllegalMove
from gameplay.games.backgammon import notation as words
from gameplay.games.backgammon.evaluation import EVALUATIONS
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free, PyMem_Realloc
    from cython.cimports.gameplay.games.backgammon.evaluation import BackgammonEvaluation
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.native.hashing import finalize, spread
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.libc.math import floor
    from cython.cimports.libc.string import memcpy
else:
    from math import floor

    from gameplay.games.backgammon.evaluation import BackgammonEvaluation
    from gameplay.native.bits import M64
    from gameplay.native.hashing import finalize, spread
    from gameplay.position import CHANCE

ASKED = cython.declare(cython.int, kernel.ASKED)
SCORED = cython.declare(cython.int, scale.SCORED)
MIX_C = cython.declare(cython.ulonglong, 0xD6E8FEB86659FD93)

# Places in `state`, and how many.
BAR = cython.declare(cython.int, 25)
OTHER = cython.declare(cython.int, 26)
HIGH = cython.declare(cython.int, 52)
LOW = cython.declare(cython.int, 53)
MOVER = cython.declare(cython.int, 54)
STAGE = cython.declare(cython.int, 55)
CUBE = cython.declare(cython.int, 56)
OWNER = cython.declare(cython.int, 57)
SCORE = cython.declare(cython.int, 58)
CRAWFORD = cython.declare(cython.int, 60)
POINTS = cython.declare(cython.int, 61)
WINNER = cython.declare(cython.int, 62)
TURN = cython.declare(cython.int, 63)
SIZE = cython.declare(cython.int, 64)

# Stages.
OPENING = cython.declare(cython.int, 0)  # each rolls one die
ROLLING = cython.declare(cython.int, 1)
PLAY = cython.declare(cython.int, 2)
OFFER = cython.declare(cython.int, 3)  # the mover may double before rolling
ANSWER = cython.declare(cython.int, 4)  # the other side takes or drops
RESIGNED = cython.declare(cython.int, 5)  # the mover offers to give up; the other side accepts or declines
OVER = cython.declare(cython.int, 6)
GIVEN = cython.declare(cython.int, 7)  # over: given up

LATER = cython.declare(cython.int, 1 << 20)  # bit 20 of a turn
ROLLED = cython.declare(cython.int, 1 << 21)
SAID = cython.declare(cython.int, 1 << 22)
ROLL, DOUBLE, TAKE, DROP, ACCEPT, DECLINE, RESIGN = (
    cython.declare(cython.int, 0),
    cython.declare(cython.int, 1),
    cython.declare(cython.int, 2),
    cython.declare(cython.int, 3),
    cython.declare(cython.int, 4),
    cython.declare(cython.int, 5),
    cython.declare(cython.int, 8),  # and how many cubes
)

MEN = cython.declare(cython.int, 15)
HIGHEST = cython.declare(cython.int, 6)  # the cube goes to 64
LONGEST = 64  # points of a match
POINT = cython.declare(cython.int, 1000)  # `unit`
LIVELY = cython.declare(cython.double, 0.68)  # how near a cube is to one turned at the very last moment
SLOTS = cython.declare(cython.int, 1024)
SPARE = 1024  # plies that a search may look ahead
if not cython.compiled:
    TAG = [0] * 52


def rounded(worth):
    """The nearest whole number, halves upwards."""
    return cython.cast(cython.int, floor(worth + 0.5))


def tag():
    """Fill TAG."""
    place: cython.int
    for place in range(52):
        TAG[place] = finalize(spread(place + 1))


tag()


class Backgammon(Kernel):
    """Backgammon: bring your fifteen men round and off before the other side does.

    White goes from point 24 to point 1 and then off; black the other way, and counts from their own side. A
    roll is two dice; each moves a man by as many points, not to a point where two or more of the other
    side stand. A double is played four times. Who can play both dice must; who can play either, but not
    both, must play the higher. A single man that is hit goes to the bar and has to enter again, on the
    points 24 to 19, before anything else is played. When all fifteen are on the points 6 to 1 they are borne
    off, by a die too high from the highest point only. To win pays 1 point; 2, a gammon, if the other side
    has borne off none; 3, a backgammon, if it also has a man on the bar or on the winner's points 1 to 6.

    Each rolls one die to begin; the higher one plays both. `match=7` plays a match to 7 points, with the
    doubling cube and the Crawford rule; `cube=on` plays one game with the cube, `jacoby=on` with the Jacoby
    rule: gammons pay only if the cube was turned. Before a roll `double` offers to play for twice as much;
    the other side says `take` and owns the cube, or `drop` and pays what it stood at. It goes up to 64.

    Instead of playing, `resign` offers to give the game up for what the cube shows, `resign gammon` for
    twice, `resign backgammon` for three times as much; the other side says `accept`, or `decline` and plays
    on. A match then goes on with its next game.

    A move is the whole turn: `13/10 8/5*`, `bar/22 6/4`, `6/off(2)`, `24/18`, in any order; or `pass`. A
    position is GNU Backgammon's position ID and match ID: `4HPwATDgc/ABMA:cAkAAAAAAAAE`.
    """

    sides = ("white", "black")
    records = ".mat"  # the format of its files
    aliases = {"w": 0, "b": 1, "x": 0, "o": 1}
    chance = True
    foresees = True
    unit = 1000
    evaluations = EVALUATIONS
    phases = ("contact", "race")

    def __init__(self, match: cython.int = 0, cube: cython.bint = False, jacoby: cython.bint = False):
        if not 0 <= match <= LONGEST:
            raise BadInput(f"a match goes to 1 to {LONGEST} points, not {match}; match=0 is a single game")
        if jacoby and match:
            raise BadInput("the Jacoby rule is for single games, not for matches")
        if jacoby and not cube:
            raise BadInput("the Jacoby rule needs the cube: cube=on,jacoby=on")
        Kernel.__init__(self, 3060)  # ways to spread four steps over fifteen men
        self.match = match
        self.cube = cube or match > 1
        self.jacoby = jacoby
        self.valuer = BackgammonEvaluation(EVALUATIONS["terms"].weights)
        self.room = 0
        self.ply = 0
        self.call = 0
        self.spelled = None
        if not cython.compiled:
            self.state = [0] * SIZE
            self.past = []
            self.sums = []
            self.seen = [0] * SLOTS
            self.when = [0] * SLOTS
        i: cython.int
        for i in range(SIZE):
            self.state[i] = 0
        for i in range(SLOTS):
            self.when[i] = 0
        self.deal()
        self.widen()

    def __dealloc__(self):
        PyMem_Free(self.past)
        PyMem_Free(self.sums)

    @staticmethod
    def fits(match=0, cube=False, jacoby=False):
        """True: there is one board."""
        return True

    @property
    def calibrated(self):
        """True if guesses are expected results without points: in a match."""
        return bool(self.match)

    @property
    def high(self):
        """The most that can be won: three cubes."""
        return 1 if self.match else 3 << (HIGHEST if self.cube else 0)

    @property
    def low(self):
        """The most that can be lost."""
        return -self.high

    @property
    def scored(self):
        """True if points count: in a match it is won or lost."""
        return not self.match

    @property
    def stake(self):
        """The loss of a player who resigns: the cube."""
        return 1 << self.state[CUBE]

    @property
    def on_roll(self):
        """The player who rolls or has rolled."""
        return self.state[MOVER]

    def widen(self):
        """Make room in `past` for all that a search may play from here."""
        if self.ply + SPARE <= self.room:
            return
        room: cython.int = 2 * (self.ply + SPARE)
        if cython.compiled:
            past: cython.p_schar = cython.cast(cython.p_schar, PyMem_Realloc(self.past, room * SIZE))
            if past == cython.NULL:
                raise MemoryError
            self.past = past
            sums: cython.p_ulonglong = cython.cast(
                cython.p_ulonglong, PyMem_Realloc(self.sums, room * cython.sizeof(cython.ulonglong))
            )
            if sums == cython.NULL:
                raise MemoryError
            self.sums = sums
        else:
            self.past = self.past + [None] * (room - len(self.past))
            self.sums = self.sums + [0] * (room - len(self.sums))
        self.room = room

    # -- moving men ------------------------------------------------------------------------------

    def step(self, me, source, die):
        """Move a man of the player whose men begin at `me`; true if it hits one."""
        to: cython.int = source - die
        foe: cython.int = OTHER - me
        if to < 0:
            to = 0
        self.state[me + source] -= 1
        self.state[me + to] += 1
        self.sum = (self.sum + TAG[me + to] - TAG[me + source]) & M64
        if to and self.state[foe + BAR - to] > 0:
            self.state[foe + BAR - to] -= 1
            self.state[foe + BAR] += 1
            self.sum = (self.sum + TAG[foe + BAR] - TAG[foe + BAR - to]) & M64
            return True
        return False

    def back(self, me, source, die, hit):
        """Take that step back."""
        to: cython.int = source - die
        foe: cython.int = OTHER - me
        if to < 0:
            to = 0
        if hit:
            self.state[foe + BAR] -= 1
            self.state[foe + BAR - to] += 1
            self.sum = (self.sum + TAG[foe + BAR - to] - TAG[foe + BAR]) & M64
        self.state[me + to] -= 1
        self.state[me + source] += 1
        self.sum = (self.sum + TAG[me + source] - TAG[me + to]) & M64

    def open(self, me, source, die):
        """May a man that stands there go by that die? Men on the bar are for the caller to think of."""
        to: cython.int = source - die
        point: cython.int
        if to > 0:
            return self.state[OTHER - me + BAR - to] < 2
        for point in range(7 if to == 0 else source + 1, 26):
            if self.state[me + point]:
                return False
        return source <= 6

    # -- turns -----------------------------------------------------------------------------------

    def gen(self, base):
        stage: cython.int = self.state[STAGE]
        if stage == PLAY:
            me: cython.int = OTHER * self.turn
            high: cython.int = self.state[HIGH]
            low: cython.int = self.state[LOW]
            end: cython.int
            if high == low:
                self.longest = 1
                self.first = base
                end = self.doubles(base, me, BAR, high, 0, 0)
            else:
                self.call += 1
                end = self.pairs(base, me, high, low, 0)
                end = self.pairs(end, me, low, high, LATER)
                if end == base:
                    end = self.singles(base, me, high, 0)
                if end == base:
                    end = self.singles(base, me, low, LATER)
            if end == base:
                self.stack[end] = 0
                end += 1
            return end
        if stage in (OFFER, ANSWER, RESIGNED):
            first: cython.int = ROLL if stage == OFFER else TAKE if stage == ANSWER else ACCEPT
            self.stack[base] = SAID | first
            self.stack[base + 1] = SAID | (first + 1)
            return base + 2
        second: cython.int
        for first in range(1, 7):
            for second in range(1, 7):
                if (stage == ROLLING and second <= first) or (stage == OPENING and second != first):
                    self.stack[base] = ROLLED | first | second << 3
                    base += 1
        return base

    def gen_chances(self, base):
        end: cython.int = self.gen(base)
        opening: cython.bint = self.state[STAGE] == OPENING
        i: cython.int
        for i in range(base, end):
            if opening:
                self.odds[i] = 1.0 / 30
            else:
                self.odds[i] = 1.0 / 36 if (self.stack[i] & 7) == (self.stack[i] >> 3 & 7) else 2.0 / 36
        return end

    def doubles(self, base, me, limit, die, depth, path):
        """Write each longest way to go on from `path` with men from `limit` or lower points, highest first.

        Any turn can be played in that order, and two turns in that order lead to two positions.
        """
        begun: cython.bint = False
        source: cython.int
        hit: cython.bint
        if depth < 4:
            for source in range(limit, 0, -1):
                if self.state[me + source] <= 0:
                    continue
                if self.open(me, source, die):
                    begun = True
                    hit = self.step(me, source, die)
                    base = self.doubles(base, me, source, die, depth + 1, path | source << (5 * depth))
                    self.back(me, source, die, hit)
                if source == BAR:
                    break
        if not begun and depth >= self.longest:
            if depth > self.longest:
                self.longest = depth
                base = self.first
            self.stack[base] = path
            base += 1
        return base

    def pairs(self, base, me, first, second, order):
        """Write the ways to play both dice in this order that lead to new positions."""
        source: cython.int
        other: cython.int
        hit: cython.bint
        also: cython.bint
        for source in range(BAR, 0, -1):
            if self.state[me + source] <= 0:
                continue
            if self.open(me, source, first):
                hit = self.step(me, source, first)
                for other in range(BAR, 0, -1):
                    if self.state[me + other] <= 0:
                        continue
                    if self.open(me, other, second):
                        also = self.step(me, other, second)
                        if not self.met():
                            self.stack[base] = source | other << 5 | order
                            base += 1
                        self.back(me, other, second, also)
                    if other == BAR:
                        break
                self.back(me, source, first, hit)
            if source == BAR:
                break
        return base

    def singles(self, base, me, die, order):
        """Write the ways to play one die."""
        source: cython.int
        for source in range(BAR, 0, -1):
            if self.state[me + source] <= 0:
                continue
            if self.open(me, source, die):
                self.stack[base] = source | order
                base += 1
            if source == BAR:
                break
        return base

    def met(self):
        """Has this call of gen() found these men before? From now on it has."""
        slot: cython.int = cython.cast(cython.int, finalize(self.sum) & (SLOTS - 1))
        while self.when[slot] == self.call:
            if self.seen[slot] == self.sum:
                return True
            slot = (slot + 1) & (SLOTS - 1)
        self.when[slot] = self.call
        self.seen[slot] = self.sum
        return False

    # -- playing ---------------------------------------------------------------------------------

    def push(self, move):
        self.keep()
        self.ply += 1
        stage: cython.int = self.state[STAGE]
        mover: cython.int = self.state[MOVER]
        high: cython.int
        if move & SAID:
            self.say(move & 15)
        elif stage == PLAY:
            self.play(move)
            if self.state[OTHER * mover] == MEN:
                self.won(mover, self.margin(1 - mover), OVER)
            else:
                self.begin(1 - mover)
        else:
            high = move & 7
            if stage == OPENING and high < (move >> 3 & 7):
                self.state[MOVER] = mover = 1
                self.state[LOW] = high
                self.state[HIGH] = move >> 3 & 7
            else:
                if stage == OPENING:
                    self.state[MOVER] = mover = 0
                self.state[HIGH] = high
                self.state[LOW] = move >> 3 & 7
            self.state[STAGE] = PLAY
            self.turn = mover

    def say(self, word):
        """Offer, or answer an offer."""
        mover: cython.int = self.state[MOVER]
        if word == ROLL:
            self.state[STAGE] = ROLLING
            self.turn = CHANCE
        elif word == DOUBLE:
            self.state[STAGE] = ANSWER
            self.turn = 1 - mover
        elif word == TAKE:
            self.state[CUBE] += 1
            self.state[OWNER] = 1 - mover
            self.state[STAGE] = ROLLING
            self.turn = CHANCE
        elif word == DROP:
            self.won(mover, 1, OVER)
        elif word == ACCEPT:
            self.won(1 - mover, self.state[POINTS], GIVEN)
        elif word == DECLINE:
            self.state[POINTS] = 0
            if self.state[HIGH]:
                self.state[STAGE] = PLAY
                self.turn = mover
            else:
                self.begin(mover)
        else:
            self.state[POINTS] = word - RESIGN
            self.state[STAGE] = RESIGNED
            self.turn = 1 - mover

    def pop(self, move):
        self.ply -= 1
        if cython.compiled:
            memcpy(self.state, self.past + self.ply * SIZE, SIZE)
        else:
            self.state = self.past[self.ply][:]
        self.sum = self.sums[self.ply]
        self.turn = self.state[TURN]

    def keep(self):
        """Remember the position before a move."""
        self.state[TURN] = self.turn
        if cython.compiled:
            memcpy(self.past + self.ply * SIZE, self.state, SIZE)
        else:
            self.past[self.ply] = self.state[:]
        self.sums[self.ply] = self.sum

    def play(self, move):
        """Move the men of a turn."""
        me: cython.int = OTHER * self.turn
        first: cython.int = self.state[LOW] if move & LATER else self.state[HIGH]
        second: cython.int = self.state[HIGH] if move & LATER else self.state[LOW]
        i: cython.int
        source: cython.int
        for i in range(4):
            source = move >> (5 * i) & 31
            if not source:
                break
            self.step(me, source, second if i & 1 else first)

    def margin(self, loser):
        """1 if the loser has borne off a man; 2, a gammon, if not; 3, a backgammon, if one is far back."""
        me: cython.int = OTHER * loser
        i: cython.int
        if self.state[me]:
            return 1
        for i in range(19, 26):
            if self.state[me + i]:
                return 3
        return 2

    def begin(self, player):
        """A turn begins."""
        self.state[HIGH] = self.state[LOW] = 0
        self.state[MOVER] = player
        if self.may_double(player):
            self.state[STAGE] = OFFER
            self.turn = player
        else:
            self.state[STAGE] = ROLLING
            self.turn = CHANCE

    def may_double(self, player):
        """May a player double, and gain by it? Not if the cube as it stands already wins them the match."""
        if not self.cube or self.state[CRAWFORD] or self.state[OWNER] == 1 - player:
            return False
        if self.state[CUBE] >= HIGHEST:
            return False
        return not self.match or self.state[SCORE + player] + (1 << self.state[CUBE]) < self.match

    def won(self, winner, points, stage):
        """The game is over, in its last stage, and in a match perhaps the next begins."""
        score: cython.int
        before: cython.int
        if self.jacoby and not self.state[CUBE]:
            points = 1
        if self.match:
            before = self.state[SCORE + winner]
            score = before + (points << self.state[CUBE])
            if score < self.match:
                self.state[SCORE + winner] = score
                self.state[CRAWFORD] = score == self.match - 1 and self.state[SCORE + 1 - winner] < score
                self.deal()
                return
            self.state[SCORE + winner] = self.match
        self.state[STAGE] = stage
        self.state[HIGH] = self.state[LOW] = 0
        self.state[POINTS] = points
        self.state[WINNER] = winner
        self.turn = 1 - winner

    def deal(self):
        """Put the men up for a game, with the points in the match as they are."""
        i: cython.int
        for i in range(52):
            self.state[i] = 0
        for i in range(0, 52, 26):
            self.state[i + 24] = 2
            self.state[i + 13] = 5
            self.state[i + 8] = 3
            self.state[i + 6] = 5
        self.state[HIGH] = self.state[LOW] = self.state[MOVER] = self.state[CUBE] = 0
        self.state[POINTS] = self.state[WINNER] = 0
        self.state[OWNER] = 2
        self.state[STAGE] = OPENING
        self.turn = CHANCE
        self.add()

    def add(self):
        """Make the sum anew."""
        i: cython.int
        n: cython.int
        self.sum = 0
        for i in range(52):
            n = self.state[i]
            self.sum = (self.sum + n * TAG[i]) & M64

    def result(self):
        if self.state[STAGE] < OVER:
            return 0
        return 1 if self.match else SCORED

    def points(self):
        return -(self.state[POINTS] << self.state[CUBE]) * POINT

    def phase(self):
        """A race when no man can meet another any more."""
        mine: cython.int = BAR
        theirs: cython.int = BAR
        while mine and not self.state[mine]:
            mine -= 1
        while theirs and not self.state[OTHER + theirs]:
            theirs -= 1
        return 1 if mine + theirs < BAR else 0

    def ending(self):
        """By what a game ended that won more than a point, or was given up; a match by its points."""
        if self.state[STAGE] < OVER:
            return ""
        winner: cython.int = self.state[WINNER]
        if self.match:
            return f"{self.state[SCORE + winner]} points to {self.state[SCORE + 1 - winner]}"
        if self.state[STAGE] == GIVEN:
            return ("resignation", "a resigned gammon", "a resigned backgammon")[self.state[POINTS] - 1]
        if self.state[OTHER * winner] < MEN:
            return "a dropped double"
        return ("", "a gammon", "a backgammon")[self.margin(1 - winner) - 1]

    # -- for search ------------------------------------------------------------------------------

    def hash(self):
        i: cython.int
        rest: cython.ulonglong = self.turn + 1
        for i in range(HIGH, TURN):
            rest = (rest * MIX_C + self.state[i] + 1) & M64
        return finalize(self.sum ^ finalize(rest))

    def score(self):
        if self.form == ASKED:
            return self.ask()
        return self.guess(self.turn) if self.turn != CHANCE else 0

    def guess(self, player):
        """A player's expectation before the roll that is due or was just made; the dice are ignored."""
        if self.form == ASKED:
            return self.ask_for(player)
        stage: cython.int = self.state[STAGE]
        if stage == OPENING and not self.match:
            return 0
        mover: cython.int = self.state[MOVER]
        equity: cython.double = 0.0
        worth: cython.double
        if stage != OPENING:
            equity = self.valuer.equity(self.state, OTHER * mover) / 1000.0
        cube: cython.int = self.state[CUBE]
        owner: cython.int = self.state[OWNER]
        if stage == ANSWER:  # the other side takes or drops, whichever is worse for the mover
            worth = self.payment(mover, 1.0, cube)
            equity = self.payment(mover, self.cubeful(equity, mover, 1 - mover, cube + 1), cube + 1)
            worth = min(worth, equity)
        else:
            worth = self.payment(mover, self.cubeful(equity, mover, owner, cube), cube)
            if stage == RESIGNED:
                worth = min(worth, self.payment(mover, -self.state[POINTS], cube))
        found: cython.int = rounded(POINT * worth)
        return found if player == mover else -found

    def cubeful(self, equity, mover, owner, cube):
        """The equity, in cubes, including the value of owning the cube, or of a centred cube.

        Between a dead cube and one turned at the very last moment (R. Janowski, Take-points in money games).
        """
        if not self.cube or self.state[CRAWFORD] or cube >= HIGHEST:
            return equity
        even: cython.double = max(-1.0, min(1.0, equity))  # without gammons
        won: cython.double = (even + 1) / 2
        live: cython.double
        if owner == 2:
            live = max(-1.0, min(1.0, (won - 0.5) / 0.3))
        elif owner == mover:
            live = min(1.0, 2.5 * won - 1)
        else:
            live = max(-1.0, 2.5 * (won - 0.2) - 1)
        return LIVELY * live + (1 - LIVELY) * even + (equity - even)

    def payment(self, player, equity, cube):
        """The payoff of an equity in cubes: points, or in a match twice the winning probability, less 1."""
        size: cython.int = 1 << cube
        if not self.match:
            if self.jacoby and not cube:
                equity = max(-1.0, min(1.0, equity))
            return equity * size
        up: cython.int = 1 if equity >= 0 else -1
        most: cython.double = equity * up
        low: cython.double
        high: cython.double
        if most <= 1:
            low = self.standing_after(player, -up * size)
            high = self.standing_after(player, up * size)
            return 2 * (low + (most + 1) / 2 * (high - low)) - 1
        part: cython.int = 2 if most > 2 else 1
        low = self.standing_after(player, up * size * part)
        high = self.standing_after(player, up * size * (part + 1))
        return 2 * (low + (most - part) * (high - low)) - 1

    def standing_after(self, player, points):
        """The odds that a player wins the match after winning, or losing, so many points.

        By the formulas of R. Janowski: 0.5 + 0.85 D / (T + 6) for the leader, where D is the lead and T what
        the trailer needs; 0.5 + 0.55 D / (T + 2) where the leader needs one point.
        """
        mine: cython.int = self.match - self.state[SCORE + player]
        theirs: cython.int = self.match - self.state[SCORE + 1 - player]
        if points > 0:
            mine -= points
        else:
            theirs += points
        if mine <= 0:
            return 1.0
        if theirs <= 0:
            return 0.0
        least: cython.int = min(mine, theirs)
        most: cython.int = max(mine, theirs)
        lead: cython.double = most - least
        lead = 0.55 * lead / (most + 2) if least == 1 else 0.85 * lead / (most + 6)
        return 0.5 + lead if mine < theirs else 0.5 - lead

    def weigh(self, evaluation):
        """Take other weights."""
        if isinstance(evaluation.weights, bytes):
            self.valuer = BackgammonEvaluation(evaluation.weights)

    def terms(self):
        """The terms of the evaluation, the side on roll first: numbers of weights, and 16ths of each."""
        self.valuer.look(self.state, OTHER * self.state[MOVER])
        return self.valuer.found()

    # -- the contract ----------------------------------------------------------------------------

    def make(self, move):
        """Play a legal move. Raises IllegalMove for any other, before anything has changed."""
        self.widen()
        Kernel.make(self, move)

    def concessions(self):
        """The resignations that the player on roll may offer: not more than they can still lose."""
        if self.state[STAGE] not in (ROLLING, OFFER, PLAY):
            return []
        single: cython.bint = self.state[OTHER * self.state[MOVER]] > 0
        if self.jacoby and not self.state[CUBE]:
            single = True
        return [SAID | RESIGN | cubes for cubes in range(1, 2 if single else 4)]

    # -- words -----------------------------------------------------------------------------------

    def men(self, player):
        """The men of a player: borne off, on the points 1 to 24 as they count them, on the bar."""
        i: cython.int
        return [self.state[OTHER * player + i] for i in range(26)]

    def lay_out(self, mine, theirs):
        """Set up: player 0 is to roll, with these men on the points 1 to 6 and all others borne off."""
        own, other = [[MEN - sum(men), *men, *[0] * 19] for men in (mine, theirs)]
        self.setup(words.position_id(other, own))

    def steps(self, move):
        """The steps of a turn: the point a man leaves, the point it comes to, whether it hits one there."""
        i: cython.int
        return words.steps([self.state[i] for i in range(SIZE)], move)

    def turns(self):
        """The legal turns with their steps, and by their words; of one position they are asked many times."""
        if self.spelled is None or self.spelled[0] != self.hash():
            steps = {move: self.steps(move) for move in self.moves()}
            names = {words.written(found): move for move, found in steps.items()}
            self.spelled = (self.hash(), steps, names)
        return self.spelled[1:]

    def format(self, move):
        """A legal move as one word: `13/10;8/5*`, `pass`, `31` for a roll, `double`."""
        if move & SAID:
            return words.SPOKEN[move & 15]
        if move & ROLLED:
            return f"{move & 7}{move >> 3 & 7}"
        return words.written(self.steps(move))

    def parse(self, text):
        """The legal move that `text` names, however it is spelled: `8/5 13/10`, `13/10;8/5*`, `24/20/18`."""
        stage: cython.int = self.state[STAGE]
        if stage >= OVER:
            raise IllegalMove(f"'{text.strip()}': the game is over")
        offers = {self.format(move): move for move in self.concessions()}
        word = words.spoken(text)
        if word in offers:
            return offers[word]
        if stage == PLAY:
            return words.meant(text, *self.turns())
        names = {self.format(move): move for move in self.moves()}
        if stage == ROLLING and len(word) == 2 and word[::-1] in names:
            return names[word[::-1]]
        if word in names:
            return names[word]
        raise IllegalMove(words.refusal(text, list(names), self.turn == CHANCE))

    def text(self):
        """GNU Backgammon's position ID and match ID, and `roll` where that was said instead of `double`."""
        state = [self.state[i] for i in range(SIZE)]
        state[TURN] = self.turn
        said = " roll" if self.state[STAGE] == ROLLING and self.may_double(self.state[MOVER]) else ""
        return words.identity(state, self.match, self.jacoby) + said

    def setup(self, text):
        """Set this position from an ID, moves, or an ID followed by moves."""
        first, _, rest = " ".join(text.split()).partition(" ")
        self.ply = 0
        self.made.clear()
        self.start = None
        i: cython.int
        for i in range(SCORE, SIZE):
            self.state[i] = 0
        self.deal()
        if words.is_identity(first):
            state = words.identified(first, self.match, self.cube)
            for i in range(SIZE):
                self.state[i] = state[i]
            self.turn = self.state[TURN]
            self.add()
            if self.state[STAGE] == ROLLING:
                self.begin(self.state[MOVER])
            elif self.state[STAGE] >= OVER and not self.state[POINTS]:
                self.state[POINTS] = 1 if self.jacoby and not self.state[CUBE] else self.margin(self.turn)
            self.start = first
        else:
            rest = text
        Kernel.setup(self, rest)

    # -- drawing ---------------------------------------------------------------------------------

    def board(self, viewer=None, last=None):
        """How to draw the position, with the side that is to move, or moved last, counting the points.

        The points 13 to 24 of white above, 12 to 1 below; between them the bar, on the right what is off.
        """
        mover: cython.int = self.state[MOVER]
        men = (self.men(0), self.men(1))
        cells = [[""] * 14, [""] * 14]
        counts = {}
        names = {}
        for player in (0, 1):
            for point in range(26):
                row, column = words.cell(point, player)
                if men[player][point]:
                    cells[row][column] = "XO"[player]
                    counts[row, column] = men[player][point]
                if player == mover:
                    names[row, column] = words.NAMES.get(point, str(point))
                elif point in words.NAMES:
                    names[row, column] = f"their {words.NAMES[point]}"
        moves = {}
        paths = {}
        ways = {}
        if self.state[STAGE] == PLAY:
            for move in self.moves():
                steps = self.steps(move)
                for source in sorted({source for source, _, _ in steps if men[mover][source]}):
                    moves.setdefault(words.cell(source, mover), []).append(move)
                ways[move] = words.ways(steps, men[1 - mover], mover)
                if steps:
                    paths[move] = tuple([words.cell(to, mover) for _, to, _ in steps])
        labels = [[str(point if mover == 0 else 25 - point) for point in row] for row in words.ROWS]
        for row in labels:
            row.insert(6, "bar")
            row.append("off")
        return Board(
            cells=tuple([tuple(row) for row in cells]),
            columns=tuple(labels[0]),
            rows=("", ""),
            feet=tuple(labels[1]),
            owners={"X": 0, "O": 1},
            moves={at: tuple(found) for at, found in moves.items()},
            paths=paths,
            steps={move: found for move, found in ways.items() if found},
            hit={player: words.cell(BAR, player) for player in (0, 1)},
            names=names,
            last=self.landed(),
            ground="points",
            walls=(6, 7, 13),
            white=0,
            glyphs={"X": "○", "O": "●"},
            counts=counts,
            notes={player: self.standing(player) for player in (0, 1)},
            trays=self.trays(),
        )

    def landed(self):
        """Where men landed in the last turn; later rolls and cube actions do not count."""
        for back in range(1, min(4, len(self.made)) + 1):
            state = self.was(back)
            if state[STAGE] == PLAY:
                move = self.made[len(self.made) - back]
                if self.state[STAGE] == OPENING:
                    return ()  # of the game before
                return tuple([words.cell(to, state[MOVER]) for _, to, _ in words.steps(state, move)])
        return ()

    def was(self, back):
        """The state so many moves ago."""
        i: cython.int
        at: cython.int = self.ply - back
        return [self.past[at * SIZE + i] for i in range(SIZE)] if cython.compiled else self.past[at]

    def won_by(self):
        """The points that each player has won so far, in the match or the single game."""
        if self.match:
            return (self.state[SCORE], self.state[SCORE + 1])
        over = self.outcome() or (0, 0)
        return (max(0, over[0]), max(0, over[1]))

    def standing(self, player):
        """`pips 167`, and in a match the points."""
        pips = sum([point * count for point, count in enumerate(self.men(player))])
        points = f"{self.state[SCORE + player]} of {self.match} points, " if self.match else ""
        return f"{points}pips {pips}"

    def trays(self):
        """The dice, and the cube where it is played with."""
        dice = [self.state[HIGH], self.state[LOW]]
        if dice[0] == dice[1]:
            dice *= 2
        found = [Tray("dice", tuple([str(die) if die else "" for die in dice[: 4 if dice[0] else 2]]))]
        if self.cube:
            found.append(Tray("cube", (str(1 << self.state[CUBE]),)))
        return tuple(found)

    def __str__(self):
        return words.drawn([self.men(0), self.men(1)], self.state[MOVER])
