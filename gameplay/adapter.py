# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Adapts games written in Python to the engines, which use kernels only.  C types: adapter.pxd.

`PositionKernel` implements the slots of a `Kernel` by the methods of a `Position`. It is the only place where
a search takes the interpreter's lock (the GIL) for the rules of a game. An exception of the game must not
cross a `nogil` search: it is stored in `error`, `failed` is set, and the search raises it at its end.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import re
from functools import cache, partial
from hashlib import blake2b
from operator import attrgetter, index
from pathlib import Path

from gameplay import value as scale
from gameplay.errors import Fault, GameplayError
from gameplay.kernel import Kernel
from gameplay.position import Position, twin
from gameplay.value import value_of

UNASKED = object()  # nothing was given
MEANT = {
    "moves()": "moves, which are ints from 0 up",
    "noisy()": "moves, which are ints from 0 up",
    "policy_moves()": "moves, at least one, which are ints from 0 up",
    "chances()": "probabilities, one a move in the order of moves()",
    "turn": "a player or CHANCE",
    "outcome()": "one number a player",
    "evaluate()": "a whole number",
    "evaluate_for()": "a whole number",
    "cost()": "a whole number from 1 up",
    "estimate()": "a whole number from 0 up",
}
SCORED = cython.declare(cython.int, scale.SCORED)
_GUESS = cython.declare(cython.int, scale.GUESS)
LEAST = cython.declare(cython.int, -0x7FFFFFFF)  # no bound, of ints of C


class PositionKernel(Kernel):
    """Plays any `Position` written in Python for an engine. What the game raises is kept in `error`."""

    def __init__(self, position):
        self.position = position
        Kernel.__init__(self, 0)
        self.python = True
        self.turn = position.turn
        self.seats = position.players
        self.payoffs = None
        self.pays = position.scored or position.players != 2 or not position.zero_sum
        self.py_moves = position.moves  # bound once: no attribute is looked up at each node
        self.py_make = position.make
        self.py_unmake = position.unmake
        self.py_outcome = position.outcome
        evaluation = position.evaluation
        own = evaluation is not None and not evaluation.inside
        self.py_evaluate = partial(value_of, evaluation, position) if own else position.evaluate
        self.py_evaluate_for = partial(value_of, evaluation, position) if own else position.evaluate_for
        self.py_key = position.key
        self.py_cost = position.cost
        self.py_estimate = position.estimate

    def twin(self):
        """A kernel of its own for a twin of the position."""
        return PositionKernel(twin(self.position))

    def arguments(self):
        """The parameters of the position."""
        return self.position.arguments()

    def __reduce__(self):
        return PositionKernel, (self.position,)

    def __eq__(self, other):
        return self.position == other.position if type(self) is type(other) else NotImplemented

    def __repr__(self):
        return f"<{type(self).__name__} of {self.position!r}>"

    def __str__(self):
        return str(self.position)

    players = property(attrgetter("position.players"))
    zero_sum = property(attrgetter("position.zero_sum"))
    chance = property(attrgetter("position.chance"))
    unit = property(attrgetter("position.unit"))
    unit_names = property(attrgetter("position.unit_names"))
    scored = property(attrgetter("position.scored"))
    finite = property(attrgetter("position.finite"))
    drawless = property(attrgetter("position.drawless"))
    low = property(attrgetter("position.low"))
    high = property(attrgetter("position.high"))
    total = property(attrgetter("position.total"))
    sides = property(attrgetter("position.sides"))
    evaluates_chance_nodes = property(attrgetter("position.evaluates_chance_nodes"))
    calibrated = property(attrgetter("position.calibrated"))
    policies = property(attrgetter("position.policies"))

    @property
    def has_costs(self):
        """True if the game says what moves cost."""
        return type(self.position).cost is not Position.cost

    def fail(self, error):
        if not self.failed:
            self.failed = True
            self.error = error

    def write_moves(self, base, asked, method, least):
        """Write the moves that a method of the game gives to stack[base:]; return the end."""
        end: cython.int = base
        given = UNASKED
        try:
            given = method()
            for move in given:
                if end >= self.capacity:
                    self.reserve(2 * self.capacity)
                self.stack[end] = move if cython.compiled else index(move)
                end += 1
            if end < base + least:
                raise ValueError("too few")
        except BaseException as error:
            self.fail(misgiven(asked, given, error))
        return end

    def gen(self, base):
        with cython.gil:
            return self.write_moves(base, "moves()", self.py_moves, 0)

    def gen_policy(self, base):
        with cython.gil:
            method = partial(self.position.policy_moves, self.policy)
            return self.write_moves(base, "policy_moves()", method, 1)

    def gen_chances(self, base):
        end: cython.int = self.gen(base)
        with cython.gil:
            try:
                if not self.failed:
                    number: cython.int = base
                    for share in likely(self.position.chances(), end - base):
                        self.odds[number] = share
                        number += 1
            except BaseException as error:
                self.fail(error)
        return end

    def gen_noisy(self, base):
        with cython.gil:
            end: cython.int = self.write_moves(base, "noisy()", self.position.noisy, 0)
            try:
                if not self.failed:
                    self.is_forced = bool(self.position.forced())
            except BaseException as error:
                self.fail(error)
            return end

    def push(self, move):
        with cython.gil:
            given = UNASKED
            try:
                self.py_make(move)
                given = self.position.turn
                self.turn = given
            except BaseException as error:
                self.fail(misgiven("turn", given, error))

    def pop(self, move):
        with cython.gil:
            given = UNASKED
            try:
                self.py_unmake()
                given = self.position.turn
                self.turn = given
            except BaseException as error:
                self.fail(misgiven("turn", given, error))

    def result(self):
        result: cython.int = 2
        with cython.gil:
            given = UNASKED
            try:
                given = self.py_outcome()
                self.payoffs = given
                if self.payoffs is None:
                    result = 0
                elif len(self.payoffs) != self.seats or not 0 <= self.turn < self.seats:
                    # Also for safety: compiled code does not check an index.
                    who = f", and turn is {self.turn}" if len(self.payoffs) == self.seats else ""
                    raise Fault(f"outcome() gave {self.payoffs!r} for {self.seats} players{who}")
                elif self.pays:
                    result = SCORED
                else:
                    payoff = self.payoffs[self.turn]
                    result = 3 if payoff > 0 else 1 if payoff < 0 else 2
            except BaseException as error:
                self.fail(misgiven("outcome()", given, error))
        return result

    def points(self):
        points: cython.int = 0
        with cython.gil:
            try:
                payoff = self.payoffs[self.turn] * self.c_unit
                if payoff != int(payoff):
                    raise Fault(f"outcome() gave {self.payoffs}: this engine counts in whole numbers")
                points = int(payoff)
            except BaseException as error:
                self.fail(misgiven("outcome()", self.payoffs, error))
        return points

    def payoff(self, player):
        value: cython.double = 0.0
        with cython.gil:
            try:
                payoff = self.payoffs[player]
                value = (payoff if self.pays else (payoff > 0) - (payoff < 0)) * self.c_unit
            except BaseException as error:
                self.fail(misgiven("outcome()", self.payoffs, error))
        return value

    def number(self, asked, method, arguments, least):
        """The whole number that a method of the game gives: a fault if it is less than `least`."""
        value: cython.int = least
        given = UNASKED
        try:
            given = method(*arguments)
            value = given
            if value < least:
                raise Fault(f"{asked} gave {value}, not {MEANT[asked]}")
        except BaseException as error:
            self.fail(misgiven(asked, given, error))
        return value

    def score(self):
        with cython.gil:
            return max(-_GUESS, min(_GUESS, self.number("evaluate()", self.py_evaluate, (), LEAST)))

    def score_for(self, player):
        with cython.gil:
            value: cython.int = self.number("evaluate_for()", self.py_evaluate_for, (player,), LEAST)
            return max(-_GUESS, min(_GUESS, value))

    def price(self, move):
        with cython.gil:
            return self.number("cost()", self.py_cost, (move,), 1)

    def remaining(self):
        with cython.gil:
            return self.number("estimate()", self.py_estimate, (), 0)

    def hash(self):
        bits: cython.ulonglong = 0
        with cython.gil:
            try:
                bits = sixty_four(self.py_key())
            except BaseException as error:
                self.fail(error)
        return bits


def misgiven(asked, given, error):
    """What to raise for an error met while taking what the game gave: a Fault if it gave the wrong thing.

    What the game's own code raised stays as it is: then nothing was `given`, or lines of its are on the way.
    """
    wrong = given is not UNASKED and isinstance(error, (TypeError, ValueError, OverflowError))
    if not wrong or isinstance(error, GameplayError) or error.__traceback__.tb_next is not None:
        return error
    try:
        shown = repr(given)
    except Exception:
        shown = f"a {type(given).__name__}"
    fault = Fault(f"{asked} gave {shown if len(shown) <= 160 else shown[:157] + '...'}, not {MEANT[asked]}")
    fault.__cause__ = error
    return fault


def likely(chances, count):
    """The probabilities that `chances()` gave for so many moves. Raises Fault if they are none."""
    shares = []
    try:
        for share in chances:
            shares.append(float(share))
    except (TypeError, ValueError, OverflowError) as error:
        raise misgiven("chances()", chances, error) from None
    if len(shares) != count:
        raise Fault(f"chances() gave {len(shares)} probabilities for {count} moves")
    if min(shares, default=0) < 0 or not abs(sum(shares) - 1) <= 1e-9:
        raise Fault(f"chances() gave {shares}: probabilities are 0 or more and sum to 1")
    return shares


@cython.cfunc
def sixty_four(key):
    """Any key as 64 bits, the same on every machine (Python's own hash of strings is not)."""
    if type(key) is int and 0 <= key <= 0xFFFFFFFFFFFFFFFF:
        return key
    return int.from_bytes(blake2b(repr(key).encode(), digest_size=8).digest(), "little")


@cache
def slots():
    """The names of the kernel's slots: the C methods that `kernel.pxd` declares, which Python cannot see."""
    _, _, types = Path(__file__).with_name("kernel.pxd").read_text().partition("cdef class Kernel(")
    return frozenset(re.findall(r"^ +cdef [^(\n]*\b(\w+)\(self", types, re.MULTILINE))


def kernel_of(position):
    """The kernel that plays `position`: itself if it is one, else its adapter.

    Raises TypeError for an uncompiled subclass of a compiled kernel, whose slots would be ignored.
    """
    if not isinstance(position, Kernel):
        return PositionKernel(position)
    if cython.compiled:
        for cls in type(position).__mro__:
            if not slots().isdisjoint(vars(cls)):
                raise TypeError(
                    f"{cls.__name__} subclasses the compiled Kernel but is not compiled itself; "
                    "subclass gameplay.Position instead"
                )
    return position
