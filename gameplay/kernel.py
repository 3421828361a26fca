# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The contract of a game for the machine.  C types: kernel.pxd.

A `Kernel` answers the same questions as `gameplay.Position`, through C slots that need no interpreter:

    slot              the contract's word   what it does
    gen(base)         moves()               write the legal moves to stack[base:], return the end index
    gen_chances(base) moves(), chances()    the same where `turn` is CHANCE, and their odds to odds[base:]
    push(move)        make(move)            play a move, set `turn`: a player from 0 up, or CHANCE (-1)
    pop(move)         unmake()              take back that move
    result()          outcome()             ONGOING, or LOST, DRAWN, WON for the mover, or SCORED
    points()          outcome()             after SCORED, in a game of two: the mover's, an int, times `unit`
    payoff(player)    outcome()             where the game is over: what a player gets, times `unit`
    score()           evaluate()            an estimate of the value, from the mover's view; none without one
    guess(player)     evaluate_for(player)  an estimate of a player's payoff, whichever side is to move
    hash()            key()                 64 bits
    roll(base)        make(move)            play a move drawn from `lots`, return it; -1: the game is over
    playout(base, n)                        from here to the end by such moves, and all taken back, see below
    price(move)       cost(move)            in a puzzle: what a move costs, from 1 up
    remaining()       estimate()            in a puzzle: a lower bound of the cost to the goal

LOST, DRAWN and WON are for games of two where one wins what the other loses; they pay -1, 0 and 1 units.
A game of points says SCORED, and so does one of other players or another sum, which fills payoff() and, for a
guess, guess(). What is left out says nothing and costs nothing: gen_chances(), payoff(), guess(), roll() and
playout() follow from the others.

score() computes an `Evaluation` (`gameplay.evaluation`). A game implements the evaluations that it lists:
`form` is the index of the selected one, and `weigh(evaluation)` is called when the weights change. For a
user-defined evaluation `form` is ASKED, score() returns ask() and guess() returns ask_for(player). They take
the GIL for one in Python, not for an `Estimator`, which evaluates in C.

A compiled game subclasses Kernel, fills the slots it needs and says in a `.pxd` beside it what it
overrides; it inherits the methods of the contract. A game written in Python is wrapped by a `PositionKernel`
(`gameplay.adapter`), whose slots take the interpreter's lock. Engines use kernels only.

## Playouts

playout(base, n) plays on at random to the end, at most n moves, and leaves the position as it was. It returns
the end index of the moves: stack[base:end] holds them, weight[base:end] who made each (or CHANCE).
`settled` says if the game came to its end; then gains[player] holds each player's payoff(). By default it is
made of roll() and pop(); a game may have its own loop on a copy, without undo. There extend(count) grows a
stack shorter than `count`, and a long loop polls halted(). Before the first playout seat() allocates `gains`.

Moves are sampled uniformly, unless the game has a policy: `policies` lists the heuristics of its roll() and
playout(), by name and with a description, and those whose bits, in the order of the list, are set in `policy`
are used. By default all are set; with none playouts are uniform. From Python, rollout(seed) plays one. A game
in Python defines `policy_moves(policy)` instead: gen_policy() makes a list of them, which roll() samples.

A compiled game has one static method more, `fits(...)`, with the parameters of its constructor and their
defaults: true if the compiled game can hold such a board. For others `gameplay.native.wide` runs its source.

## What else a game may say

None of this is needed to play. Searches of games for two do without it where the defaults say nothing.

    gen_noisy(base)   noisy(), forced(): as gen(), for the noisy moves; set `is_forced` if forced
    gen_threats(base) the same for the quiet moves that threaten
    hint(move)        what move ordering should think of a move: > 0 before the quiet moves, < 0 after
    gain(move)        what the move wins on the spot, as score() counts; 0: it is quiet
    exchange(move)    what is left of that when both sides have taken all they can there
    history_index(m)  which of 4096 places in the history of moves is this move's
    threatened()      must the mover answer a threat now?
    threatens(move)   will the other side have to answer a threat after the move?
    repeated()        has the position occurred since the search began, so that it may go on for ever?
    null_move()       leave the move to the other side, though the rules do not; false if that proves nothing
    undo_null_move()  take that back
    near()            if solve() can compute the value at once: the most moves left, not counting passes;
                      if it is too early for that, minus that number; 0: not known
    solve(a, b)       the exact value, fail-soft in the window a..b; adds the positions it saw to `effort`
    leaf(move)        the position after the move in one call, for games with `has_leaf`: true if it goes on
                      there, with its score() from the view of the side that moved in `leaf_score`
    read_cells(codes) the contents of each cell of a grid of `cell_shape`, a byte each, an index into
                      `cell_letters`: what evaluations that are learned see of a position
    leaves(base, n)   perft: the lines of exactly n plies
    patience()        the least number of plies before a move-counting rule (fifty moves) draws the game
    undoes(last, m)   in a puzzle, after the move `last`: does m lead back to where that was made?
    within(base, r, last)   in a puzzle: as gen(), without what undoes `last` (-1: nothing does), and only the
                      moves m with price(m) + remaining() after it <= r, those remaining() to weight[base:];
                      none where the game is over. Sets `generated` and `beyond`, see kernel.pxd
    advance(m, base, r)     in a puzzle: push(m), then within(base, r, m); pop(m) if that writes nothing

A game with its own solver has a Python method `solver(size)`. It returns a solver with a table of 2**size
entries that computes the value of any position, see `gameplay.search.solver`, or None.

Slots of positions by number, for endgame tables, are described in docs/contributing/knowledge.md.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.errors import IllegalMove, Usage, unknown
from gameplay.native.move_stack import MoveStack
from gameplay.native.pickling import rebuilt
from gameplay.position import AbstractPosition, alike
from gameplay.value import value_of

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free, PyMem_Realloc
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.native.hashing import GOLDEN, finalize
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.value import ASKED, DRAWN, SCORED
else:
    from gameplay.native.bits import M64
    from gameplay.native.hashing import GOLDEN, finalize
    from gameplay.position import CHANCE
    from gameplay.value import ASKED, DRAWN, SCORED

MOVER = cython.declare(cython.int, -2)  # whose guess ask() wants
ULP = cython.declare(cython.double, 2.0**-53)
ENDLESS = 1 << 30  # the patience of a game that no rule draws for want of progress
NEVER = cython.declare(cython.int, ENDLESS)


class Estimator:
    """An evaluation that needs no interpreter; shared by threads, so that it must not change in a search."""

    def value(self, position):
        """The value of a position for the first player, in `unit`, at chance nodes too.

        C slot. On an error of the game `position.failed` is set.
        """
        return 0


class Kernel(MoveStack, AbstractPosition):
    """A game state, used by engines through C slots and from Python through the contract."""

    has_costs = False  # the game fills price()
    has_hints = False  # hint() rates every move, not only those to try first
    has_noisy = False  # the game fills gen_noisy()
    has_leaf = False  # the game fills leaf()
    remembers = False  # its history matters beyond hash(): repetition, moves without progress
    solves = False  # the game fills near() and solve()
    cell_letters = ()  # of a game that fills read_cells(): what each code stands for
    cell_shape = (0, 0)  # ... and the rows and columns of the cells
    settings = ()  # attributes that are no parameters and go with every copy of a position

    def __init__(self, max_moves):
        MoveStack.__init__(self)
        self.max_moves = max_moves
        self.turn = self.form = self.guide = self.generated = self.beyond = 0
        self.effort = self.leaf_score = self.slice = self.lots = self.seated = 0
        self.python = self.is_forced = self.failed = self.exhausts = self.settled = False
        self.chosen = self.weighed = self.guided = self.error = None
        self.start = self.control = self.estimator = None
        self.made = []
        self.policy = (1 << len(self.policies)) - 1
        self.point = self.unit
        self.opposed = self.players == 2 and self.zero_sum
        self.reserve(max_moves if max_moves else 64)

    def __dealloc__(self):
        PyMem_Free(self.gains)

    # -- slots: a compiled game overrides these ----------------------------------------------

    def gen(self, base):
        return base

    def gen_chances(self, base):
        end: cython.int = self.gen(base)
        share: cython.double = 1.0 / (end - base) if end > base else 0.0
        i: cython.int
        for i in range(base, end):
            self.odds[i] = share
        return end

    def push(self, move):
        pass

    def pop(self, move):
        pass

    def result(self):
        return 0

    def points(self):
        return 0

    def payoff(self, player):
        result: cython.int = self.result()
        value: cython.int = self.points() if result == SCORED else self.point * (result - DRAWN)
        return value if player == self.turn else -value

    def score(self):
        return 0

    def guess(self, player):
        if self.form == ASKED:
            return self.ask_for(player)
        if not self.opposed or self.turn == CHANCE:
            return 0
        return self.score() if player == self.turn else -self.score()

    def hash(self):
        return 0

    def roll(self, base):
        if self.result():
            return -1
        chosen: cython.int = base
        if self.turn != CHANCE:
            end: cython.int = self.gen_policy(base) if self.policy else self.gen(base)
            chosen += cython.cast(cython.int, ((self.draw() >> 32) * (end - base)) >> 32)
        else:
            end = self.gen_chances(base)
            u: cython.double = self.share()
            while chosen < end - 1 and u >= self.odds[chosen]:
                u -= self.odds[chosen]
                chosen += 1
        if self.failed or chosen >= end:
            return -1
        move: cython.int = self.stack[chosen]
        self.push(move)
        return move

    def gen_policy(self, base):
        return self.gen(base)

    def playout(self, base, room):
        self.settled = False
        made: cython.int = 0
        i: cython.int
        while made < room and not self.failed and (made & 15 or not self.halted(made)):
            if base + made + 1 + self.max_moves >= self.capacity:
                self.extend(base + made + 2 + self.max_moves)
            mover: cython.int = self.turn
            move: cython.int = self.roll(base + made)
            if move < 0:
                break
            self.stack[base + made] = move  # the moves made lie below those to draw from
            self.weight[base + made] = mover
            made += 1
        if not self.failed and self.result():
            self.settled = True
            for i in range(self.seated):
                self.gains[i] = self.payoff(i)
        for i in range(made - 1, -1, -1):
            self.pop(self.stack[base + i])
        return base + made

    def halted(self, made):
        """Has the search been asked to stop? Polled every 1024 moves, in Python on every call."""
        return made > 0 and (self.python or made & 1023 == 0) and self.stop_requested()

    def stop_requested(self):
        with cython.gil:
            return self.control is not None and bool(self.control.expired())

    def draw(self):
        """64 random bits from `lots`: SplitMix64 (Steele, Lea and Flood 2014)."""
        self.lots = (self.lots + GOLDEN) & M64
        return finalize(self.lots)

    def share(self):
        """A random number from 0 up to, not including, 1."""
        return (self.draw() >> 11) * ULP

    def solver(self, size):
        return None

    # -- slots that say more of a game, for those who can use it -----------------------------

    def gen_noisy(self, base):
        self.is_forced = False
        return base

    def hint(self, move):
        return 0

    def gain(self, move):
        return 0

    def exchange(self, move):
        return self.gain(move)

    def history_index(self, move):
        return move & 4095

    def threatened(self):
        return False

    def threatens(self, move):
        return False

    def gen_threats(self, base):
        return base

    def repeated(self):
        return False

    def null_move(self):
        return False

    def undo_null_move(self):
        pass

    def near(self):
        return 0

    def solve(self, alpha, beta):
        return 0

    def pieces(self):
        return 0

    def patience(self):
        return NEVER

    def leaf(self, move):
        return False

    def read_cells(self, codes):
        pass

    # -- slots of endgame tables ---------------------------------------------------------------

    def unranked(self, slice, number):
        return False

    def ranked(self):
        return -1

    def gen_before(self, base):
        return base

    def orbit(self):
        return 1

    def slices(self, pieces):
        """The slices of positions with so many pieces. None: the game does not number its positions."""
        return ()

    def span(self, slice):
        """The numbers in a slice."""
        return 0

    def place(self, slice, number):
        """Become the position that has this number, with no past. False if none has: then ask for another."""
        if not 0 <= number < self.span(slice) or not self.unranked(slice, number) or self.ranked() != number:
            return False
        self.made.clear()
        return True

    def placed(self):
        """The slice of the position and its number in it; None if it is in no slice."""
        number: cython.int = self.ranked()
        return (self.slice, number) if number >= 0 else None

    def befores(self):
        """Where a move that stays in the slices leads here from: (slice, number) of each such position."""
        i: cython.int
        self.reserve(2 * self.max_moves + 1024)
        return [(self.weight[i], self.stack[i]) for i in range(self.gen_before(0))]

    def waits(self):
        """The least number of plies before a move-counting rule draws the game."""
        return self.patience()

    # -- slots of puzzles ----------------------------------------------------------------------

    def price(self, move):
        return 1

    def remaining(self):
        return 0

    def undoes(self, last, move):
        self.pop(last)
        before: cython.ulonglong = self.hash()
        self.push(last)
        self.push(move)
        same: cython.bint = self.hash() == before
        self.pop(move)
        return same

    def within(self, base, room, last):
        end: cython.int = base if self.result() else self.gen(base)
        kept: cython.int = base
        i: cython.int
        self.generated = self.beyond = 0
        for i in range(base, end):
            move: cython.int = self.stack[i]
            if self.failed:
                break
            if last >= 0 and self.undoes(last, move):
                continue
            self.generated += 1
            over: cython.int = self.price(move) - room
            self.push(move)
            estimate: cython.int = self.remaining()
            self.pop(move)
            over += estimate
            if over <= 0:
                self.stack[kept] = move
                self.weight[kept] = estimate
                kept += 1
            elif not self.beyond or over < self.beyond:
                self.beyond = over
        return kept

    def advance(self, move, base, room):
        self.push(move)
        end: cython.int = self.within(base, room, move)
        if end == base:
            self.pop(move)
        return end

    # -- heuristics of puzzles -----------------------------------------------------------------

    @property
    def heuristic(self):
        """What `estimate` goes by: a name in `heuristics`; None: the default."""
        return self.guided

    @heuristic.setter
    def heuristic(self, name):
        names = list(self.heuristics)
        if name is not None and name not in names:
            raise Usage(unknown("heuristic", name, names))
        wanted = names.index(name) if name is not None else 0
        if names and wanted != self.guide:
            self.follow(names[wanted])
            self.guide = wanted
        self.guided = name

    def follow(self, name):
        """From now on remaining() is what this heuristic says. For games that list `heuristics`."""

    # -- evaluations -------------------------------------------------------------------------

    @property
    def evaluation(self):
        """What `evaluate` goes by: one of `evaluations`, or any other `Evaluation`; None: the default."""
        return self.chosen

    @evaluation.setter
    def evaluation(self, evaluation):
        if evaluation is self.chosen:
            return
        names = list(self.evaluations)
        wanted = evaluation
        if wanted is None and names:
            wanted = self.evaluations[names[0]]
        if wanted is not None and wanted.inside:
            if wanted.name not in names:
                raise Usage(unknown("evaluation", wanted.name, names))
            if wanted is not self.weighed:
                self.weigh(wanted)
                self.weighed = wanted
            self.form = names.index(wanted.name)
        else:
            self.form = ASKED if wanted is not None else 0
        self.estimator = evaluation.estimator(self) if self.form == ASKED else None
        # Searches with an evaluation in Python look at the clock as often as those of games in Python.
        self.python = self.form == ASKED and self.estimator is None
        self.chosen = evaluation

    def weigh(self, evaluation):
        """Take the weights of one of the game's own evaluations. For games that have weights."""

    def ask(self):
        return self.ask_for(MOVER)

    def ask_for(self, player):
        if self.estimator is not None:
            value: cython.int = self.estimator.value(self)
            return value if (self.turn if player == MOVER else player) == 0 else -value
        with cython.gil:  # with no object of its own: the lock is then taken only here
            return self.asked(player)

    def asked(self, player):
        """The value of a user-defined evaluation; 0 if it raised, as `failed` and `error` say."""
        value: cython.int = 0
        try:
            value = self.apart(value_of, (self.chosen, self, None if player == MOVER else player))
        except BaseException as error:
            self.failed, self.error = True, error
        return value

    def apart(self, function, arguments):
        """Call a function of Python in a search. It may call moves(): it has its own move stack."""
        self.exchange_stacks()
        forced: cython.bint = self.is_forced
        try:
            if self.capacity < self.max_moves:
                self.reserve(self.max_moves)
            return function(*arguments)
        finally:
            self.is_forced = forced
            self.exchange_stacks()

    # -- counting ----------------------------------------------------------------------------

    def leaves(self, base, depth):
        if not self.exhausts and self.result():
            return 0
        end: cython.int = self.gen(base)
        if depth <= 1:
            return end - base
        total: cython.longlong = 0
        i: cython.int
        for i in range(base, end):
            if self.failed:
                break
            move: cython.int = self.stack[i]
            self.push(move)
            total += self.leaves(end, depth - 1)
            self.pop(move)
        return total

    def perft(self, depth: cython.int):
        """How many lines of exactly `depth` plies, from 1 up, the rules of movement allow from here.

        Draws by counting (repetition, moves without progress) do not end a line, as in published tables.
        Counts on a twin, so that several threads may count from one position. Raises what a game written in
        Python raised.
        """
        own: Kernel = self.twin()
        if own.max_moves:
            own.reserve((depth + 1) * own.max_moves)
        if own.python:
            count: cython.longlong = own.leaves(0, depth)
            if own.failed:
                raise own.error
            return count
        with cython.nogil:
            count = own.leaves(0, depth)
        return count

    # -- playouts from Python --------------------------------------------------------------------

    def seat(self):
        """Make room for what each player gets in a playout."""
        if self.seated == self.players:
            return
        if cython.compiled:
            size: cython.size_t = self.players * cython.sizeof(cython.double)
            gains: cython.p_double = cython.cast(cython.p_double, PyMem_Realloc(self.gains, size))
            if gains == cython.NULL:
                raise MemoryError
            self.gains = gains
        else:
            self.gains = [0.0] * self.players
        self.seated = self.players

    def rollout(self, seed, policy: cython.int = -1, control=None, room: cython.int = 2**31 - 1):
        """One playout: its moves, who made each, and what each player gets, times `unit`.

        `policy` has the bits of the `policies` to go by; -1: as they are set. The same seed gives the same
        playout. No player gets anything, (), where `control` stopped it or it has more than `room` moves.
        Raises what a game written in Python raised.
        """
        i: cython.int
        kept: cython.int = self.policy
        self.policy = kept if policy < 0 else policy
        self.lots = seed
        self.control = control
        self.seat()
        end: cython.int = self.playout(0, room)
        self.policy, self.control = kept, None
        if self.failed:
            error = self.error
            self.failed, self.error = False, None
            raise error
        moves = [self.stack[i] for i in range(end)]
        gains = tuple([self.gains[i] for i in range(self.seated)]) if self.settled else ()
        return moves, [self.weight[i] for i in range(end)], gains

    # -- the contract, as in gameplay.position -----------------------------------------------

    def moves(self):
        """The legal moves."""
        i: cython.int
        return [self.stack[i] for i in range(self.gen(0))]

    def chances(self):
        """At a chance position: the probability of each of `moves()`, in their order, as searches have it."""
        i: cython.int
        return [self.odds[i] for i in range(self.gen_chances(0))]

    def make(self, move):
        """Play a legal move. Raises IllegalMove for any other, before anything has changed."""
        if self.result() or not (self.holds(self.gen(0), move) or move in (self.concessions() or ())):
            raise IllegalMove(f"{move} is not a legal move here")
        self.push(move)
        self.made.append(move)

    def unmake(self):
        """Take back the last move made."""
        if not self.made:
            raise IndexError("there is no move to take back")
        self.pop(self.made.pop())

    def make_null(self):
        """Leave the move to the other side, as `null_move`: false if the game cannot."""
        return self.null_move()

    def unmake_null(self):
        """Take that back."""
        self.undo_null_move()

    def outcome(self):
        """None while the game goes on, else each player's payoff."""
        if not self.result():
            return None
        payoffs = [self.payoff(player) / self.unit for player in range(self.players)]
        return tuple([int(payoff) if payoff.is_integer() else payoff for payoff in payoffs])

    def key(self):
        """The position as 64 bits; equal keys mean equal futures."""
        return self.hash()

    def folded(self):
        """The same for all positions that symmetry makes one with this: the key of one of them."""
        return self.hash()

    def evaluate(self):
        """An estimate of the value, from the mover's view. Reraises errors of a user-defined evaluation."""
        return self.unless_failed(self.score())

    def evaluate_for(self, player):
        """An estimate of a player's payoff, whichever side is to move. Raises as `evaluate`."""
        return self.unless_failed(self.guess(player))

    def unless_failed(self, value):
        """`value`. Reraises the error if a user-defined evaluation failed while it was computed."""
        if self.failed and self.form == ASKED:
            error = self.error
            self.failed, self.error = False, None
            raise error
        return value

    def cost(self, move):
        """What a legal move costs, from 1 up."""
        return self.price(move)

    def estimate(self):
        """A lower bound of the cost to the goal."""
        return self.remaining()

    def noisy(self):
        """The moves that change the value at once."""
        i: cython.int
        return [self.stack[i] for i in range(self.gen_noisy(0))]

    def twin(self):
        """The same game at the same point with the same past, sharing nothing that changes with this one.

        Raises RuntimeError if moves were made by other means than `make`.
        """
        other = self.initial()
        if self.start is not None:
            other.setup(self.start)
        other.make_all(self.made)
        other.evaluation = self.evaluation
        other.heuristic = self.heuristic
        for name in self.settings:
            setattr(other, name, getattr(self, name))
        if other.key() != self.key():
            words = "this position cannot be copied: moves were made on it by other means than make()"
            raise RuntimeError(words)
        return other

    def make_all(self, moves):
        """Make moves that are known to be legal, in their order."""
        for move in moves:
            self.make(move)

    def push_all(self, moves):
        """As make_all(), without testing the moves: for games where that takes long."""
        for move in moves:
            self.push(move)
            self.made.append(move)

    def __reduce__(self):
        chosen = self.evaluation
        if chosen is not None and self.evaluations.get(chosen.name) is chosen:
            chosen = chosen.name  # one of the game's own
        settings = {"evaluation": chosen, "heuristic": self.heuristic}
        settings |= {name: getattr(self, name) for name in self.settings}
        facts = self.arguments(), self.start, tuple(self.made), settings
        return rebuilt, (type(self).__module__, type(self).__qualname__, *facts)

    def __eq__(self, other):
        return alike(self, other)

    def forced(self):
        """True if the mover must answer a threat now."""
        self.gen_noisy(0)
        return bool(self.is_forced)


def compiled():
    """True if the hot modules run as compiled code."""
    return cython.compiled
