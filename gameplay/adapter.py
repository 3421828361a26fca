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
from gameplay.capabilities import unchecked
from gameplay.errors import BrokenContract, GameplayError, truncate
from gameplay.kernel import Kernel
from gameplay.position import Position, twin
from gameplay.value import leaf_evaluator, value_of, zero

MISSING = object()  # the method did not return
EXPECTED = {  # return values of the contract's methods
    "moves()": "moves, which are ints from 0 up",
    "noisy()": "moves, which are ints from 0 up",
    "policy_moves()": "moves, at least one, which are ints from 0 up",
    "chances()": "one probability per move, in the order of moves()",
    "turn": "a player or CHANCE",
    "outcome()": "one number per player",
    "evaluate()": "a whole number",
    "evaluate_for()": "a whole number",
    "cost()": "a whole number from 1 up",
    "estimate()": "a whole number from 0 up",
}
SCORED = cython.declare(cython.int, scale.SCORED)
_MAX_EVAL = cython.declare(cython.int, scale.MAX_EVAL)
INT_MIN = cython.declare(cython.int, -0x7FFFFFFF)


class PositionKernel(Kernel):
    """Implements the kernel slots by the methods of a Python `Position`; stores its exceptions in `error`."""

    has_leaf = True

    def __init__(self, position):
        self.position = position
        Kernel.__init__(self, 0)
        self.python = True
        self.turn = position.turn
        self.seats = position.players
        self.payoffs = None
        self.pays = position.scored or position.players != 2 or not position.zero_sum
        self.py_moves = position.moves  # bound once: no attribute is looked up at each node
        self.py_make = unchecked(position)
        self.py_unmake = position.unmake
        self.py_outcome = position.outcome
        self.py_evaluate, self.py_evaluate_for = position.evaluate, position.evaluate_for
        evaluation = position.evaluation
        if evaluation is not None and not evaluation.inside:
            self.py_evaluate = self.py_evaluate_for = partial(value_of, evaluation, position)
        elif not position.evaluations and getattr(position.evaluate, "__func__", None) is Position.evaluate:
            self.py_evaluate = zero
        self.py_leaf = leaf_evaluator(position, self.py_evaluate)
        self.py_key = position.key
        self.py_cost = position.cost
        self.py_estimate = position.estimate

    def twin(self):
        """A kernel for a twin of the position."""
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
        """True if the game overrides `cost`."""
        return type(self.position).cost is not Position.cost

    def fail(self, error):
        if not self.failed:
            self.failed = True
            self.error = error

    def write_moves(self, base, method_name, method, min_count):
        """Write the moves that a method of the game returns to stack[base:]; return the end."""
        end: cython.int = base
        returned = MISSING
        try:
            returned = method()
            for move in returned:
                if end >= self.capacity:
                    self.reserve(2 * self.capacity)
                self.stack[end] = move if cython.compiled else index(move)
                end += 1
            if end < base + min_count:
                raise ValueError("too few")
        except BaseException as error:
            self.fail(bad_return_value(method_name, returned, error))
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
                    offset: cython.int = base
                    for probability in check_probabilities(self.position.chances(), end - base):
                        self.odds[offset] = probability
                        offset += 1
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
            returned = MISSING
            try:
                self.py_make(move)
                returned = self.position.turn
                self.turn = returned
            except BaseException as error:
                self.fail(bad_return_value("turn", returned, error))

    def pop(self, move):
        with cython.gil:
            returned = MISSING
            try:
                self.py_unmake()
                returned = self.position.turn
                self.turn = returned
            except BaseException as error:
                self.fail(bad_return_value("turn", returned, error))

    def result(self):
        result: cython.int = 2
        with cython.gil:
            returned = MISSING
            try:
                returned = self.py_outcome()
                self.payoffs = returned
                if self.payoffs is None:
                    result = 0
                elif len(self.payoffs) != self.seats or not 0 <= self.turn < self.seats:
                    # Compiled code indexes the payoffs by `turn` without a check.
                    turn = f", and turn is {self.turn}" if len(self.payoffs) == self.seats else ""
                    raise BrokenContract(
                        f"outcome() returned {self.payoffs!r} for {self.seats} players{turn}"
                    )
                elif self.pays:
                    result = SCORED
                else:
                    payoff = self.payoffs[self.turn]
                    result = 3 if payoff > 0 else 1 if payoff < 0 else 2
            except BaseException as error:
                self.fail(bad_return_value("outcome()", returned, error))
        return result

    def points(self):
        points: cython.int = 0
        with cython.gil:
            try:
                payoff = self.payoffs[self.turn] * self.c_unit
                if payoff != int(payoff):
                    raise BrokenContract(
                        f"outcome() returned {self.payoffs}: this engine requires whole numbers"
                    )
                points = int(payoff)
            except BaseException as error:
                self.fail(bad_return_value("outcome()", self.payoffs, error))
        return points

    def payoff(self, player):
        value: cython.double = 0.0
        with cython.gil:
            try:
                payoff = self.payoffs[player]
                value = (payoff if self.pays else (payoff > 0) - (payoff < 0)) * self.c_unit
            except BaseException as error:
                self.fail(bad_return_value("outcome()", self.payoffs, error))
        return value

    def call_int(self, method_name, method, arguments, minimum):
        """The int that a method of the game returns; stores a BrokenContract if it is less than `minimum`."""
        value: cython.int = minimum
        returned = MISSING
        try:
            returned = method(*arguments)
            value = returned
            if value < minimum:
                raise BrokenContract(f"{method_name} returned {value}, not {EXPECTED[method_name]}")
        except BaseException as error:
            self.fail(bad_return_value(method_name, returned, error))
        return value

    def score(self):
        with cython.gil:
            return max(-_MAX_EVAL, min(_MAX_EVAL, self.call_int("evaluate()", self.py_evaluate, (), INT_MIN)))

    def leaf(self, move):
        with cython.gil:
            returned = MISSING
            try:
                evaluated = self.py_leaf(move)
                if evaluated is None:
                    return False
                returned, same = evaluated
                value: cython.int = returned
                value = max(-_MAX_EVAL, min(_MAX_EVAL, value))
                self.leaf_score = value if same else -value
            except BaseException as error:
                self.fail(bad_return_value("evaluate()", returned, error))
        return True

    def score_for(self, player):
        with cython.gil:
            value: cython.int = self.call_int("evaluate_for()", self.py_evaluate_for, (player,), INT_MIN)
            return max(-_MAX_EVAL, min(_MAX_EVAL, value))

    def price(self, move):
        with cython.gil:
            return self.call_int("cost()", self.py_cost, (move,), 1)

    def remaining(self):
        with cython.gil:
            return self.call_int("estimate()", self.py_estimate, (), 0)

    def hash(self):
        bits: cython.ulonglong = 0
        with cython.gil:
            try:
                bits = hash64(self.py_key())
            except BaseException as error:
                self.fail(error)
        return bits


def bad_return_value(method_name, returned, error):
    """A BrokenContract if `error` is due to what a method returned; `error` itself if the game raised it.

    The game raised it if nothing was returned, or if the traceback enters other code, such as a generator's.
    """
    wrong = returned is not MISSING and isinstance(error, (TypeError, ValueError, OverflowError))
    if not wrong or isinstance(error, GameplayError) or error.__traceback__.tb_next is not None:
        return error
    try:
        shown = repr(returned)
    except Exception:
        shown = f"a {type(returned).__name__}"
    fault = BrokenContract(f"{method_name} returned {truncate(shown, 160)}, not {EXPECTED[method_name]}")
    fault.__cause__ = error
    return fault


def check_probabilities(chances, count):
    """The return value of `chances()` as floats, one for each of `count` moves.

    Raises BrokenContract if it is invalid.
    """
    probabilities = []
    try:
        for probability in chances:
            probabilities.append(float(probability))
    except (TypeError, ValueError, OverflowError) as error:
        raise bad_return_value("chances()", chances, error) from None
    if len(probabilities) != count:
        raise BrokenContract(f"chances() returned {len(probabilities)} probabilities for {count} moves")
    if min(probabilities, default=0) < 0 or not abs(sum(probabilities) - 1) <= 1e-9:
        raise BrokenContract(f"chances() returned {probabilities}: probabilities are 0 or more and sum to 1")
    return probabilities


@cython.cfunc
def hash64(key):
    """Any key as 64 bits, the same in every process, unlike Python's hash of strings."""
    if type(key) is int and 0 <= key <= 0xFFFFFFFFFFFFFFFF:
        return key
    return int.from_bytes(blake2b(repr(key).encode(), digest_size=8).digest(), "little")


@cache
def slots():
    """The names of the kernel's slots: the C methods declared in `kernel.pxd`, invisible to Python."""
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
