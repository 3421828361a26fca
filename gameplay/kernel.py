# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The game contract in C: `Kernel`, which engines search.  C types: kernel.pxd.

A `Kernel` has the methods of `gameplay.Position` and a C slot for each that a search calls without the GIL:

    slot               contract            effect
    gen(base)          moves()             write the legal moves to stack[base:]; return the end index
    gen_chances(base)  moves(), chances()  the same at a chance node, and the probabilities to odds[base:]
    push(move)         make(move)          make a move and set `turn`: a player from 0 up, or CHANCE (-1)
    pop(move)          unmake()            unmake that move
    result()           outcome()           ONGOING; or LOST, DRAWN, WON for the mover; or SCORED
    points()           outcome()           if SCORED with two players: the mover's payoff times `unit`, an int
    payoff(player)     outcome()           in a finished game: a player's payoff times `unit`
    score()            evaluate()          static evaluation from the mover's view; 0 by default
    score_for(player)  evaluate_for()      estimate of a player's payoff, whichever side is to move
    hash()             key()               64-bit hash of the position
    push_random(base)  make(move)          make a random move and return it; -1: the game is over
    playout(base, n)                       play random moves to the end, then unmake them: see below
    price(move)        cost(move)          puzzles: cost of a move, from 1 up
    remaining()        estimate()          puzzles: a lower bound of the cost to the goal

LOST, DRAWN and WON are for zero-sum games of two players, with payoffs of -1, 0 and 1 unit. All other games
return SCORED and implement payoff(), and score_for() if they have an evaluation. gen_chances(), payoff(),
score_for(), push_random() and playout() have defaults built on the other slots.

score() computes an `Evaluation` (`gameplay.evaluation`). A game implements those that it lists in
`evaluations`: `evaluation_index` is the index of the selected one; a change calls `load_weights(evaluation)`.
For a user-defined evaluation the index is USER_DEFINED, score() returns user_score() and
score_for() returns user_score_for(player): both take the GIL for one written in Python, not for an
`Estimator`, which evaluates in C.

A compiled game subclasses Kernel, fills the slots it needs and declares in a `.pxd` beside it what it
overrides; it inherits the methods of the contract. A game written in Python is wrapped by a `PositionKernel`
(`gameplay.adapter`), whose slots take the GIL. Engines use kernels only.

## Playouts

playout(base, n) makes at most n random moves, until the game ends, and restores the position. It returns the
end index of the moves: stack[base:end] holds them, weight[base:end] the player who made each (or CHANCE).
`finished` is true if the game ended; gains[player] then holds each player's payoff(). The default uses
push_random() and pop(); a game may have its own loop on a copy, without undo. That loop calls extend(count)
if the stack is shorter than `count`, and polls halted(). Call allocate_gains() before the first playout.

Moves are sampled uniformly unless the game has a policy: `policies` maps the names of the heuristics in its
push_random() and playout() to descriptions. `policy` is a bit mask in their order; all are on by default, and
0 is uniform. From Python, rollout(seed) plays one. A game in Python defines `policy_moves(policy)` instead,
which gen_policy() writes to the stack for push_random() to sample.

A compiled game also has a static method `fits(...)`, with the parameters of its constructor and their
defaults: true if the compiled game supports them. `gameplay.native.wide` runs its source for all others.

## Optional slots

Searches of games for two players use these if the game implements them.

    gen_noisy(base)   noisy(), forced(): as gen(), for the noisy moves; sets `is_forced`
    gen_threats(base) the same for the quiet moves that threaten
    hint(move)        bonus for move ordering: > 0 before the quiet moves, < 0 after them
    gain(move)        material gain of the move on the scale of score(); 0: it is quiet
    see(move)         static exchange evaluation: that gain after all recaptures
    history_index(m)  index of the move in the history tables, 0 to 4095
    is_threatened()   true if the mover must answer a threat
    threatens(move)   true if the opponent must answer a threat after the move
    is_repeated()     true if the position has occurred since the root: a cycle
    null_move()       pass, though the rules do not allow it; false if a pass would prove nothing
    undo_null_move()  unmake that pass
    moves_left()      n > 0: solve() computes the value at once, at most n moves before the end (passes not
                      counted); n < 0: it cannot yet, with -n moves left; 0: unknown
    solve(a, b)       the exact value, fail-soft in the window a..b; adds its positions to `solver_nodes`
    leaf(move)        games with `has_leaf`: push(move), score() and pop(move) in one call. True if the game
                      goes on; `leaf_score` is then the score from the view of the player who made the move
    read_cells(codes) write one byte for each cell of a grid of `cell_shape`, an index into `cell_letters`:
                      the input of learned evaluations
    leaves(base, n)   perft: the number of lines of exactly n plies
    plies_to_draw()   minimum number of plies until a move-counting rule (fifty moves) draws the game
    is_inverse(last, m)  puzzles: true if m undoes the move `last`, which led here
    gen_within(base, b, last)  puzzles: as gen(), without the inverse of `last` (-1: none), and only moves m
                      with price(m) + remaining() after m <= b; that remaining() goes to weight[base:]. No
                      moves if the game is over. Sets `generated` and `excess`, see kernel.pxd
    push_within(m, base, b)  puzzles: push(m), then gen_within(base, b, m); if that writes no move, pop(m)

A game with its own solver has a Python method `solver(size)`. It returns a solver with a table of 2**size
entries that computes the value of any position, see `gameplay.search.solver`, or None.

Slots that index positions for endgame tables are described in docs/contributing/knowledge.md.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.errors import IllegalMove, NoMoveMade, Usage, unknown_name
from gameplay.native.move_stack import MoveStack
from gameplay.native.pickling import rebuild
from gameplay.position import AbstractPosition, alike
from gameplay.value import value_of

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free, PyMem_Realloc
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.native.hashing import GOLDEN, finalize
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.value import DRAWN, SCORED, USER_DEFINED
else:
    from gameplay.native.bits import M64
    from gameplay.native.hashing import GOLDEN, finalize
    from gameplay.position import CHANCE
    from gameplay.value import DRAWN, SCORED, USER_DEFINED

MOVER = cython.declare(cython.int, -2)  # as a player: the one to move
ULP = cython.declare(cython.double, 2.0**-53)
ENDLESS = 1 << 30  # plies_to_draw() of a game without a move-counting rule
NEVER = cython.declare(cython.int, ENDLESS)


class Estimator:
    """An evaluation in C that runs without the GIL. Threads share it: a search must not change it."""

    def value(self, position):
        """The value of a position for the first player, in `unit`, at chance nodes too.

        C slot. An exception of the game sets `position.failed`.
        """
        return 0


class Kernel(MoveStack, AbstractPosition):
    """A game state, used by engines through C slots and from Python through the contract."""

    has_costs = False  # the game implements price()
    has_hints = False  # hint() distinguishes all moves, not only those to try first
    has_noisy = False  # the game implements gen_noisy()
    has_leaf = False  # the game implements leaf()
    remembers = False  # its future depends on more than hash(): repetition, moves without progress
    solves = False  # the game implements moves_left() and solve()
    cell_letters = ()  # with read_cells(): the cell content of each code
    cell_shape = (0, 0)  # with read_cells(): rows, columns
    settings = ()  # names of attributes that twin() and pickling copy besides the parameters

    def __init__(self, max_moves):
        MoveStack.__init__(self)
        self.max_moves = max_moves
        self.turn = self.evaluation_index = self.heuristic_index = self.generated = self.excess = 0
        self.solver_nodes = self.leaf_score = self.slice = self.rng_state = self.gains_size = 0
        self.python = self.is_forced = self.failed = self.empty_when_over = self.finished = False
        self.selected_evaluation = self.loaded_evaluation = self.selected_heuristic = self.error = None
        self.start = self.control = self.estimator = None
        self.made = []
        self.policy = (1 << len(self.policies)) - 1
        self.c_unit = self.unit
        self.two_player_zero_sum = self.players == 2 and self.zero_sum
        self.reserve(max_moves if max_moves else 64)

    def __dealloc__(self):
        PyMem_Free(self.gains)

    # -- slots: a compiled game overrides these ----------------------------------------------

    def gen(self, base):
        return base

    def gen_chances(self, base):
        end: cython.int = self.gen(base)
        probability: cython.double = 1.0 / (end - base) if end > base else 0.0
        i: cython.int
        for i in range(base, end):
            self.odds[i] = probability
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
        value: cython.int = self.points() if result == SCORED else self.c_unit * (result - DRAWN)
        return value if player == self.turn else -value

    def score(self):
        return 0

    def score_for(self, player):
        if self.evaluation_index == USER_DEFINED:
            return self.user_score_for(player)
        if not self.two_player_zero_sum or self.turn == CHANCE:
            return 0
        return self.score() if player == self.turn else -self.score()

    def hash(self):
        return 0

    def push_random(self, base):
        if self.result():
            return -1
        chosen: cython.int = base
        if self.turn != CHANCE:
            end: cython.int = self.gen_policy(base) if self.policy else self.gen(base)
            chosen += cython.cast(cython.int, ((self.random_bits() >> 32) * (end - base)) >> 32)
        else:
            end = self.gen_chances(base)
            u: cython.double = self.random_unit()
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

    def playout(self, base, limit):
        self.finished = False
        made: cython.int = 0
        i: cython.int
        while made < limit and not self.failed and (made & 15 or not self.halted(made)):
            if base + made + 1 + self.max_moves >= self.capacity:
                self.extend(base + made + 2 + self.max_moves)
            mover: cython.int = self.turn
            move: cython.int = self.push_random(base + made)
            if move < 0:
                break
            self.stack[base + made] = move  # moves made, below the candidates of the next ply
            self.weight[base + made] = mover
            made += 1
        if not self.failed and self.result():
            self.finished = True
            for i in range(self.gains_size):
                self.gains[i] = self.payoff(i)
        for i in range(made - 1, -1, -1):
            self.pop(self.stack[base + i])
        return base + made

    def halted(self, made):
        """True if the search should stop. Polled every 1024 moves, in Python on every call."""
        return made > 0 and (self.python or made & 1023 == 0) and self.stop_requested()

    def stop_requested(self):
        with cython.gil:
            return self.control is not None and bool(self.control.expired())

    def random_bits(self):
        """64 random bits from `rng_state`: SplitMix64 (Steele, Lea and Flood 2014)."""
        self.rng_state = (self.rng_state + GOLDEN) & M64
        return finalize(self.rng_state)

    def random_unit(self):
        """A random number in [0, 1)."""
        return (self.random_bits() >> 11) * ULP

    def solver(self, size):
        return None

    # -- optional slots ------------------------------------------------------------------------

    def gen_noisy(self, base):
        self.is_forced = False
        return base

    def hint(self, move):
        return 0

    def gain(self, move):
        return 0

    def see(self, move):
        return self.gain(move)

    def history_index(self, move):
        return move & 4095

    def is_threatened(self):
        return False

    def threatens(self, move):
        return False

    def gen_threats(self, base):
        return base

    def is_repeated(self):
        return False

    def null_move(self):
        return False

    def undo_null_move(self):
        pass

    def moves_left(self):
        return 0

    def solve(self, alpha, beta):
        return 0

    def pieces(self):
        return 0

    def plies_to_draw(self):
        return NEVER

    def leaf(self, move):
        return False

    def read_cells(self, codes):
        pass

    # -- slots of endgame tables ---------------------------------------------------------------

    def unrank(self, slice, index):
        return False

    def rank(self):
        return -1

    def gen_before(self, base):
        return base

    def orbit_size(self):
        return 1

    def slices(self, pieces):
        """The slices of positions with this many pieces; empty if the game does not index its positions."""
        return ()

    def span(self, slice):
        """The number of indices of a slice."""
        return 0

    def set_index(self, slice, number):
        """Set up the position with this index, without a history. False if no position has it."""
        if not 0 <= number < self.span(slice) or not self.unrank(slice, number) or self.rank() != number:
            return False
        self.made.clear()
        return True

    def slice_index(self):
        """The slice of the position and its index in it; None if it is in no slice."""
        number: cython.int = self.rank()
        return (self.slice, number) if number >= 0 else None

    def predecessors(self):
        """The predecessors by moves that stay in the slices, as (slice, index)."""
        i: cython.int
        self.reserve(2 * self.max_moves + 1024)
        return [(self.weight[i], self.stack[i]) for i in range(self.gen_before(0))]

    def plies_until_draw(self):
        """Minimum number of plies until a move-counting rule draws the game."""
        return self.plies_to_draw()

    # -- slots of puzzles ----------------------------------------------------------------------

    def price(self, move):
        return 1

    def remaining(self):
        return 0

    def is_inverse(self, last, move):
        self.pop(last)
        before: cython.ulonglong = self.hash()
        self.push(last)
        self.push(move)
        same: cython.bint = self.hash() == before
        self.pop(move)
        return same

    def gen_within(self, base, bound, last):
        end: cython.int = base if self.result() else self.gen(base)
        kept: cython.int = base
        i: cython.int
        self.generated = self.excess = 0
        for i in range(base, end):
            move: cython.int = self.stack[i]
            if self.failed:
                break
            if last >= 0 and self.is_inverse(last, move):
                continue
            self.generated += 1
            over: cython.int = self.price(move) - bound
            self.push(move)
            estimate: cython.int = self.remaining()
            self.pop(move)
            over += estimate
            if over <= 0:
                self.stack[kept] = move
                self.weight[kept] = estimate
                kept += 1
            elif not self.excess or over < self.excess:
                self.excess = over
        return kept

    def push_within(self, move, base, bound):
        self.push(move)
        end: cython.int = self.gen_within(base, bound, move)
        if end == base:
            self.pop(move)
        return end

    # -- heuristics of puzzles -----------------------------------------------------------------

    @property
    def heuristic(self):
        """The heuristic of `estimate`: a name in `heuristics`; None: the default."""
        return self.selected_heuristic

    @heuristic.setter
    def heuristic(self, name):
        names = list(self.heuristics)
        if name is not None and name not in names:
            raise Usage(unknown_name("heuristic", name, names))
        wanted = names.index(name) if name is not None else 0
        if names and wanted != self.heuristic_index:
            self.use_heuristic(names[wanted])
            self.heuristic_index = wanted
        self.selected_heuristic = name

    def use_heuristic(self, name):
        """Select the heuristic of remaining(). Games that list `heuristics` override it."""

    # -- evaluations -------------------------------------------------------------------------

    @property
    def evaluation(self):
        """The evaluation of `evaluate`: one of `evaluations`, or another `Evaluation`; None: the default."""
        return self.selected_evaluation

    @evaluation.setter
    def evaluation(self, evaluation):
        if evaluation is self.selected_evaluation:
            return
        names = list(self.evaluations)
        wanted = evaluation
        if wanted is None and names:
            wanted = self.evaluations[names[0]]
        if wanted is not None and wanted.inside:
            if wanted.name not in names:
                raise Usage(unknown_name("evaluation", wanted.name, names))
            if wanted is not self.loaded_evaluation:
                self.load_weights(wanted)
                self.loaded_evaluation = wanted
            self.evaluation_index = names.index(wanted.name)
        else:
            self.evaluation_index = USER_DEFINED if wanted is not None else 0
        self.estimator = evaluation.estimator(self) if self.evaluation_index == USER_DEFINED else None
        # A search with an evaluation in Python polls as often as that of a game in Python.
        self.python = self.evaluation_index == USER_DEFINED and self.estimator is None
        self.selected_evaluation = evaluation

    def load_weights(self, evaluation):
        """Load the weights of one of `evaluations`. For games that have weights."""

    def user_score(self):
        return self.user_score_for(MOVER)

    def user_score_for(self, player):
        if self.estimator is not None:
            value: cython.int = self.estimator.value(self)
            return value if (self.turn if player == MOVER else player) == 0 else -value
        with cython.gil:  # no Python object is a local here: the GIL is then taken in this block only
            return self.call_evaluation(player)

    def call_evaluation(self, player):
        """The value of a user-defined evaluation; 0 if it raised, with `failed` and `error` set."""
        value: cython.int = 0
        try:
            value = self.call_python(
                value_of, (self.selected_evaluation, self, None if player == MOVER else player)
            )
        except BaseException as error:
            self.failed, self.error = True, error
        return value

    def call_python(self, function, arguments):
        """Call a Python function during a search, with a separate move stack, so that it may call moves()."""
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
        if not self.empty_when_over and self.result():
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
        """The number of lines of exactly `depth` plies (from 1 up) from this position.

        Draws by counting (repetition, moves without progress) do not end a line, as in published tables.
        Counts on a twin, so that several threads may count from one position. Reraises exceptions of a game
        written in Python.
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

    def allocate_gains(self):
        """Allocate `gains`, the payoff of each player in a playout."""
        if self.gains_size == self.players:
            return
        if cython.compiled:
            size: cython.size_t = self.players * cython.sizeof(cython.double)
            gains: cython.p_double = cython.cast(cython.p_double, PyMem_Realloc(self.gains, size))
            if gains == cython.NULL:
                raise MemoryError
            self.gains = gains
        else:
            self.gains = [0.0] * self.players
        self.gains_size = self.players

    def rollout(self, seed, policy: cython.int = -1, control=None, limit: cython.int = 2**31 - 1):
        """One playout: its moves, the player who made each, and the payoff of each player, times `unit`.

        `policy` is a bit mask of `policies`; -1: the current one. The same seed gives the same playout. The
        payoffs are () if `control` stopped it or it is longer than `limit` moves. Reraises exceptions of a
        game written in Python.
        """
        i: cython.int
        kept: cython.int = self.policy
        self.policy = kept if policy < 0 else policy
        self.rng_state = seed
        self.control = control
        self.allocate_gains()
        end: cython.int = self.playout(0, limit)
        self.policy, self.control = kept, None
        self.reraise()
        moves = [self.stack[i] for i in range(end)]
        gains = tuple([self.gains[i] for i in range(self.gains_size)]) if self.finished else ()
        return moves, [self.weight[i] for i in range(end)], gains

    # -- the contract, as in gameplay.position -----------------------------------------------

    def moves(self):
        """The legal moves."""
        i: cython.int
        return [self.stack[i] for i in range(self.gen(0))]

    def chances(self):
        """At a chance node: the probability of each of `moves()`, in their order, as searches use it."""
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
            raise NoMoveMade()
        self.pop(self.made.pop())

    def make_null(self):
        """Make a null move (a pass that the rules do not allow); false if that is not supported here."""
        return self.null_move()

    def unmake_null(self):
        """Unmake the null move."""
        self.undo_null_move()

    def outcome(self):
        """None while the game is in progress, else each player's payoff."""
        if not self.result():
            return None
        payoffs = [self.payoff(player) / self.unit for player in range(self.players)]
        return tuple([int(payoff) if payoff.is_integer() else payoff for payoff in payoffs])

    def key(self):
        """The position as 64 bits; equal keys mean equal futures."""
        return self.hash()

    def canonical_key(self):
        """The key of the canonical form: equal for all positions that are symmetric to this one."""
        return self.hash()

    def evaluate(self):
        """An estimate of the value, from the mover's view. Reraises errors of a user-defined evaluation."""
        return self.unless_failed(self.score())

    def evaluate_for(self, player):
        """An estimate of a player's payoff, whichever side is to move. Raises as `evaluate`."""
        return self.unless_failed(self.score_for(player))

    def unless_failed(self, value):
        """`value`. Reraises the error if a user-defined evaluation failed while it was computed."""
        if self.evaluation_index == USER_DEFINED:
            self.reraise()
        return value

    def reraise(self):
        """Raise the exception that the game's Python code raised, if it did, and clear it."""
        if self.failed:
            error = self.error
            self.failed, self.error = False, None
            raise error

    def cost(self, move):
        """The cost of a legal move, from 1 up."""
        return self.price(move)

    def estimate(self):
        """A lower bound of the cost to the goal."""
        return self.remaining()

    def noisy(self):
        """The moves that change the value at once."""
        i: cython.int
        return [self.stack[i] for i in range(self.gen_noisy(0))]

    def twin(self):
        """An independent copy with the same history. Raises RuntimeError if moves bypassed `make`."""
        other = self.initial()
        if self.start is not None:
            other.setup(self.start)
        other.make_all(self.made)
        other.evaluation = self.evaluation
        other.heuristic = self.heuristic
        for name in self.settings:
            setattr(other, name, getattr(self, name))
        if other.key() != self.key():
            raise RuntimeError("this position cannot be copied: moves were made on it without make()")
        return other

    def make_all(self, moves):
        """Make these moves in order."""
        for move in moves:
            self.make(move)

    def push_all(self, moves):
        """As make_all(), without checking that the moves are legal: for games where that is slow."""
        for move in moves:
            self.push(move)
            self.made.append(move)

    def __reduce__(self):
        chosen = self.evaluation
        if chosen is not None and self.evaluations.get(chosen.name) is chosen:
            chosen = chosen.name  # listed by the game
        settings = {"evaluation": chosen, "heuristic": self.heuristic}
        settings |= {name: getattr(self, name) for name in self.settings}
        facts = self.arguments(), self.start, tuple(self.made), settings
        return rebuild, (type(self).__module__, type(self).__qualname__, *facts)

    def __eq__(self, other):
        return alike(self, other)

    def forced(self):
        """True if the mover must answer a threat now."""
        self.gen_noisy(0)
        return bool(self.is_forced)


def compiled():
    """True if the hot modules run as compiled code."""
    return cython.compiled
