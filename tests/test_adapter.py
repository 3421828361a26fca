"""The adapter of games in Python: wrong returns are faults that name the method."""

import importlib
import inspect
from fractions import Fraction
from hashlib import blake2b
from types import SimpleNamespace

import pytest

import gameplay.adapter
import gameplay.kernel
from gameplay import Evaluation, Limit, Position, catalogue, registry, undoable
from gameplay.adapter import kernel_of
from gameplay.catalogue import name_of
from gameplay.errors import BrokenContract, Fault, GameplayError
from gameplay.kernel import Kernel, compiled
from gameplay.value import MAX_EVAL, value_of
from tests.support.kernels import plain
from tests.support.paths import TESTS

RACE = TESTS / "examples" / "games" / "pig.py"


def _gives(**given):
    """A Python game whose methods return these values after the first move."""
    pig = registry.game(str(RACE)).cls

    def late(name):
        def method(self):
            return given[name] if self.points != [0, 0] or self.pot else getattr(pig, name)(self)

        return method

    return type("Pigs", (pig,), {name: late(name) for name in given})()


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("moves", None),
        ("moves", ["roll", "hold"]),
        ("moves", [(0, 1)]),
        ("chances", None),
        ("chances", [(1, 0.5), (6, 0.5)]),
        ("outcome", 1),
        ("outcome", ("won", "lost")),
    ],
)
def test_wrong_returns_of_a_python_game_are_faults_that_name_it(name, given):
    position = _gives(**{name: given})
    with pytest.raises(Fault) as fault:
        registry.engine("mcts:seed=1")[0].search(position, Limit(nodes=500))
    assert str(fault.value).startswith(f"{name_of(position)}: {name}() returned {given!r}, not ")


class Counted(Position):
    """Two moves at each position, alternately; subclasses define the end."""

    def __init__(self):
        super().__init__()
        self.made = 0

    def moves(self):
        return [0, 1]

    @undoable
    def make(self, move):
        self.made += 1
        self.turn = (self.turn + 1) % self.players


class Ends(Position):
    """One move, and an invalid outcome."""

    def __init__(self, payoffs, turn):
        super().__init__()
        self.payoffs, self.after, self.over = payoffs, turn, False

    def moves(self):
        return [0]

    @undoable
    def make(self, move):
        self.over, self.turn = True, self.after

    def outcome(self):
        return self.payoffs if self.over else None


@pytest.mark.parametrize(
    ("payoffs", "turn", "message"),
    [
        ((1,), 1, "outcome() returned (1,) for 2 players"),
        ((1, -1), 5, "outcome() returned (1, -1) for 2 players, and turn is 5"),
    ],
)
def test_invalid_outcome_for_two_players_is_a_fault(payoffs, turn, message):
    with pytest.raises(Fault) as fault:
        registry.engine("minimax")[0].search(Ends(payoffs, turn), Limit(depth=2))
    assert str(fault.value) == f"ends: {message}"


class Guesses(Counted):
    """Two moves, and invalid answers to the queries of searches."""

    evaluations = {"mine": Evaluation("mine")}
    given: dict[str, object] = {}

    def outcome(self):
        return (0, 0) if self.made == 4 else None

    def noisy(self):
        return self.given.get("noisy", [])

    policies = {"first": "the first move"}

    def policy_moves(self, policy):
        return self.given.get("policy_moves", [0])

    def evaluate(self):
        return self.given.get("evaluate", 0)

    def evaluate_for(self, player):
        return self.given.get("evaluate_for", 0)


@pytest.mark.parametrize(
    ("name", "given", "engine", "message"),
    [
        ("noisy", ["b"], "quiescence", "moves, which are ints from 0 up"),
        ("noisy", 3, "quiescence", "moves, which are ints from 0 up"),
        ("policy_moves", ["b"], "mcts", "moves, at least one, which are ints from 0 up"),
        ("policy_moves", 3, "mcts", "moves, at least one, which are ints from 0 up"),
        ("policy_moves", [], "mcts", "moves, at least one, which are ints from 0 up"),
        ("evaluate", "good", "alphabeta", "a whole number"),
        ("evaluate", None, "minimax", "a whole number"),
    ],
)
def test_invalid_guesses_are_named_faults(name, given, engine, message):
    if name == "evaluate" and not compiled():
        pytest.skip("only C asks at once for a whole number")
    position = type("Wrong", (Guesses,), {"given": {name: given}})()
    with pytest.raises(Fault) as fault:
        registry.engine(engine)[0].search(
            position, Limit(simulations=1) if engine == "mcts" else Limit(depth=1)
        )
    assert str(fault.value) == f"wrong: {name}() returned {given!r}, not {message}"


def test_custom_evaluation_replaces_the_games():
    class Mine(Evaluation):
        def evaluate(self, position):
            return 7 if position.turn == 0 else -7

    listed = {"mine": Mine("mine"), "plain": Evaluation("plain")}
    position = type("Level", (Guesses,), {"evaluations": listed, "given": {"evaluate": 3}})()
    for spec, value in (("minimax:eval=mine", 7), ("minimax:eval=plain", -3), ("minimax", -3)):
        assert registry.engine(spec)[0].search(position, Limit(depth=1)).value == value


def test_evaluation_exceptions_are_faults_of_the_game():
    def evaluate(self):
        return int("x")

    position = type("Wrong", (Guesses,), {"evaluate": evaluate})()
    with pytest.raises(ValueError, match="invalid literal"):
        registry.engine("minimax:eval=mine")[0].search(position, Limit(depth=1))


class Sorting(Counted):
    """Moves with costs, to a goal three moves away."""

    players = 1
    given: dict[str, object] = {}

    def outcome(self):
        return (1,) if self.made == 3 else None

    def cost(self, move):
        return self.given.get("cost", 2)

    def estimate(self):
        return self.given.get("estimate", 0)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("cost", 0, "a whole number from 1 up"),
        ("cost", "dear", "a whole number from 1 up"),
        ("estimate", -1, "a whole number from 0 up"),
        ("estimate", None, "a whole number from 0 up"),
    ],
)
@pytest.mark.parametrize("engine", ["astar", "idastar"])
def test_invalid_costs_are_named_faults(engine, name, given, message):
    if not (compiled() or isinstance(given, int)):
        pytest.skip("only C asks at once for a whole number")
    position = type("Wrong", (Sorting,), {"given": {name: given}})()
    with pytest.raises(Fault) as fault:
        registry.engine(engine)[0].search(position, Limit(nodes=50))
    assert str(fault.value) == f"wrong: {name}() returned {given!r}, not {message}"


@pytest.mark.skipif(compiled(), reason="the pure build lets Python ask")
def test_optional_queries_of_a_minimal_game_have_defaults():
    bare = Kernel(4)
    assert (bare.gen(3), bare.gen_before(5), bare.rank(), bare.price(0)) == (3, 5, -1, 1)
    asked = [bare.result(), bare.points(), bare.hash(), bare.moves_left(), bare.solve(-1, 1), bare.span(0)]
    assert asked == [0] * 6 and bare.remaining() == 0
    assert [bare.leaf(0), bare.unrank(0, 0), bare.set_index(0, 0)] == [False] * 3
    with pytest.raises(IndexError, match="there is no move to take back"):
        bare.unmake()


class Split(Counted):
    """Three moves, and half a point for the first player."""

    scored = True

    def outcome(self):
        return (0.5, -0.5) if self.made == 3 else None


def test_fractional_payoffs_are_means_and_refused_by_searches_by_plies():
    with pytest.raises(Fault, match=r"returned \(0.5, -0.5\): this engine requires whole numbers"):
        registry.engine("minimax")[0].search(Split(), Limit(depth=4))
    assert registry.engine("expectiminimax")[0].search(Split(), Limit(depth=4)).value == 0.5


def test_exception_of_a_python_game_is_raised_unchanged():
    def moves(self):
        yield int("x")

    position = type("Pigs", (registry.game(str(RACE)).cls,), {"moves": moves})()
    with pytest.raises(ValueError, match="invalid literal"):
        registry.engine("mcts")[0].search(position, Limit(nodes=100))


def test_an_uncompiled_game_that_fills_none_is_played():
    class Named(registry.game_class("tictactoe")[0]):
        sides = ("noughts", "crosses")

        def ending(self):
            return "three in a row"

    position = Named()
    assert kernel_of(position) is position


@plain
def test_keys_of_any_kind_become_64_bits():
    sixty_four = gameplay.adapter.hash64
    assert [sixty_four(key) for key in (0, 5, 2**64 - 1)] == [0, 5, 2**64 - 1]
    for key in (-1, 2**64, True, "5", (1, "a"), None):
        assert sixty_four(key) == int.from_bytes(
            blake2b(repr(key).encode(), digest_size=8).digest(), "little"
        )


def test_probabilities_are_as_many_as_moves_and_sum_to_one():
    likely = gameplay.adapter.check_probabilities
    for given, count in (
        ([0.5, 0.5], 2),
        ((1,), 1),
        ([0, 1, 0], 3),
        ([0.5, 0.5 + 5e-10], 2),
        ([Fraction(1, 2)] * 2, 2),
    ):
        assert likely(given, count) == [float(value) for value in given]
    for given, count, message in (
        ([0.5, 0.5], 3, "chances() returned 2 probabilities for 3 moves"),
        ([0.5, 0.5, 0], 2, "chances() returned 3 probabilities for 2 moves"),
        ([1.5, -0.5], 2, "chances() returned [1.5, -0.5]: probabilities are 0 or more and sum to 1"),
        (
            [0.5, 0.5 + 2e-9],
            2,
            "chances() returned [0.5, 0.500000002]: probabilities are 0 or more and sum to 1",
        ),
        ([0.5, 0.25], 2, "chances() returned [0.5, 0.25]: probabilities are 0 or more and sum to 1"),
        ([], 0, "chances() returned []: probabilities are 0 or more and sum to 1"),
        (3, 1, "chances() returned 3, not one probability per move, in the order of moves()"),
        (["x"], 1, "chances() returned ['x'], not one probability per move, in the order of moves()"),
    ):
        with pytest.raises(Fault) as fault:
            likely(given, count)
        assert str(fault.value) == message


def test_wrong_values_are_quoted_up_to_a_length():
    misgiven = gameplay.adapter.bad_return_value

    def exception_of(error, call=None):
        try:
            if call is not None:
                call()
            raise error
        except BaseException as exception:
            return exception

    def fails():
        raise TypeError("theirs")

    class Hidden:
        def __repr__(self):
            raise ValueError

    right = "moves, which are ints from 0 up"
    for given, shown in (
        (3, "3"),
        ("x" * 158, repr("x" * 158)),
        ("x" * 159, repr("x" * 159)[:157] + "..."),
        (Hidden(), "a Hidden"),
    ):
        for error in (TypeError("no"), ValueError("no"), OverflowError("no")):
            fault = misgiven("moves()", given, exception_of(error))
            assert type(fault) is BrokenContract and str(fault) == f"moves() returned {shown}, not {right}"
            assert fault.__cause__ is error
    for given, error in (
        (gameplay.adapter.MISSING, exception_of(TypeError("no"))),
        (3, exception_of(KeyError("no"))),
        (3, exception_of(Fault("mine"))),
        (3, exception_of(None, fails)),
    ):
        assert misgiven("moves()", given, error) is error, "the game's own code raised it"


def test_evaluations_are_ints_below_wins():
    def evaluation_of(value):
        return SimpleNamespace(
            name="mine", evaluate=lambda position: value, evaluate_for=lambda position, player: value
        )

    for value, expected in (
        (7, 7),
        (-7, -7),
        (10**9, MAX_EVAL),
        (-(10**9), -MAX_EVAL),
        (MAX_EVAL, MAX_EVAL),
        (True, 1),
    ):
        assert value_of(evaluation_of(value), None) == expected == value_of(evaluation_of(value), None, 1)
    for value in (1.0, None, "7"):
        with pytest.raises(Fault) as fault:
            value_of(evaluation_of(value), None)
        assert str(fault.value) == f"evaluation mine returned {value!r}: expected a whole number"

    for error, kind, expected in (
        (KeyError("x"), Fault, "evaluation mine raised KeyError: 'x' (test_adapter.py, line "),
        (GameplayError("as it is"), GameplayError, "as it is"),
    ):

        def broken(position, error=error):
            raise error

        with pytest.raises(GameplayError) as refused:
            value_of(SimpleNamespace(name="mine", evaluate=broken), None)
        assert type(refused.value) is kind and str(refused.value).startswith(expected)


@pytest.mark.skipif(compiled(), reason="a compiled constructor does not tell its parameters")
def test_fits_has_the_parameters_of_the_constructor():
    """With it a compiled game declares them with their defaults."""
    names = []
    for module in [*catalogue.games().values(), "gameplay.games.shared.rows"]:
        for cls in vars(importlib.import_module(module)).values():
            if inspect.isclass(cls) and "fits" in vars(cls) and cls.__module__ == module:
                parameters, taken = (inspect.signature(call).parameters for call in (cls.fits, cls.__init__))
                own = [(parameter.name, parameter.default) for parameter in taken.values()][1:]
                assert [(parameter.name, parameter.default) for parameter in parameters.values()] == own, cls
                names.append(cls.__name__)
    assert len(names) == 15 and names[-2:] == ["ManyConnect4", "ManyTicTacToe"]
