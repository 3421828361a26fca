"""The contract for the machine: which methods are slots, who may fill them, and copies of a compiled game."""

from pathlib import Path
from random import Random

import pytest

import gameplay.kernel
from gameplay import Evaluation, Limit, Position, registry, undoable
from gameplay.errors import Fault
from gameplay.kernel import Kernel, compiled, kernel_of, slots

TYPES = Path(gameplay.kernel.__file__).with_name("kernel.pxd").read_text()
KERNELS = [
    "chess",
    "checkers",
    "connect4",
    "connect4:columns=9,rows=9",
    "othello",
    "othello:size=6",
    "tictactoe",
]


def test_every_method_of_c_is_a_slot():
    """Counted another way than it is found."""
    kernel = TYPES[TYPES.index("cdef class Kernel") : TYPES.index("cdef class PositionKernel")]
    declared = [line for line in kernel.splitlines() if line.startswith("    cdef ") and "(self" in line]
    assert len(slots()) == len(declared) > 20
    assert {"gen", "gen_noisy", "hash", "solve", "leaves"} <= slots()
    assert not slots() & {"moves", "make", "reserve", "perft", "turn", "fail", "self"}


def test_slots_are_seen_from_python_only_where_nothing_is_compiled():
    if compiled():
        assert slots().isdisjoint(dir(Kernel))
    else:
        assert slots() <= vars(Kernel).keys()


@pytest.mark.skipif(not compiled(), reason="uncompiled, a subclass in Python is as good as any")
@pytest.mark.parametrize("slot", sorted(slots()))
def test_an_uncompiled_game_that_fills_a_slot_is_refused(slot):
    cls = type(
        "Mine", (Kernel,), {slot: lambda self, *_: 0, "__init__": lambda self: Kernel.__init__(self, 4)}
    )
    with pytest.raises(TypeError, match=r"Mine subclasses the compiled Kernel but is not compiled itself"):
        kernel_of(cls())


RACE = Path(__file__).parent / "games" / "pig.py"


def _gives(**given):
    """A game in Python whose methods give these after the first move."""
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
def test_what_a_game_in_python_gives_wrongly_is_a_fault_that_names_it(name, given):
    position = _gives(**{name: given})
    with pytest.raises(Fault) as fault:
        registry.engine("mcts:seed=1")[0].search(position, Limit(nodes=500))
    assert str(fault.value).startswith(f"{name}() gave {given!r}, not ")


class Ends(Position):
    """One move, and an end that cannot be."""

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
    ("payoffs", "turn", "said"),
    [
        ((1,), 1, "outcome() gave (1,) for 2 players"),
        ((1, -1), 5, "outcome() gave (1, -1) for 2 players, and turn is 5"),
    ],
)
def test_an_end_that_is_none_of_two_players_is_a_fault(payoffs, turn, said):
    with pytest.raises(Fault) as fault:
        registry.engine("minimax")[0].search(Ends(payoffs, turn), Limit(depth=2))
    assert str(fault.value) == said


class Guesses(Position):
    """Two moves, and answers to what searches ask that are none."""

    evaluations = {"mine": Evaluation("mine")}
    given: dict[str, object] = {}

    def __init__(self):
        super().__init__()
        self.made = 0

    def moves(self):
        return [0, 1]

    @undoable
    def make(self, move):
        self.made += 1
        self.turn = 1 - self.turn

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
    ("name", "given", "engine", "meant"),
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
def test_guesses_that_are_none_are_faults_that_name_them(name, given, engine, meant):
    if name == "evaluate" and not compiled():
        pytest.skip("only C asks at once for a whole number")
    position = type("Wrong", (Guesses,), {"given": {name: given}})()
    with pytest.raises(Fault) as fault:
        registry.engine(engine)[0].search(
            position, Limit(simulations=1) if engine == "mcts" else Limit(depth=1)
        )
    assert str(fault.value) == f"{name}() gave {given!r}, not {meant}"


def test_somebodys_own_evaluation_is_asked_in_place_of_the_games():
    class Mine(Evaluation):
        def evaluate(self, position):
            return 7 if position.turn == 0 else -7

    listed = {"mine": Mine("mine"), "plain": Evaluation("plain")}
    position = type("Level", (Guesses,), {"evaluations": listed, "given": {"evaluate": 3}})()
    for spec, value in (("minimax:eval=mine", 7), ("minimax:eval=plain", -3), ("minimax", -3)):
        assert registry.engine(spec)[0].search(position, Limit(depth=1)).value == value


def test_what_an_evaluation_of_the_game_raises_is_the_games():
    def evaluate(self):
        return int("x")

    position = type("Wrong", (Guesses,), {"evaluate": evaluate})()
    with pytest.raises(ValueError, match="invalid literal"):
        registry.engine("minimax:eval=mine")[0].search(position, Limit(depth=1))


class Sorting(Position):
    """Moves that cost, to a goal three of them away."""

    players = 1
    given: dict[str, object] = {}

    def __init__(self):
        super().__init__()
        self.made = 0

    def moves(self):
        return [0, 1]

    @undoable
    def make(self, move):
        self.made += 1

    def outcome(self):
        return (1,) if self.made == 3 else None

    def cost(self, move):
        return self.given.get("cost", 2)

    def estimate(self):
        return self.given.get("estimate", 0)


@pytest.mark.parametrize(
    ("name", "given", "meant"),
    [
        ("cost", 0, "a whole number from 1 up"),
        ("cost", "dear", "a whole number from 1 up"),
        ("estimate", -1, "a whole number from 0 up"),
        ("estimate", None, "a whole number from 0 up"),
    ],
)
@pytest.mark.parametrize("engine", ["astar", "idastar"])
def test_costs_that_are_none_are_faults_that_name_them(engine, name, given, meant):
    if not (compiled() or isinstance(given, int)):
        pytest.skip("only C asks at once for a whole number")
    position = type("Wrong", (Sorting,), {"given": {name: given}})()
    with pytest.raises(Fault) as fault:
        registry.engine(engine)[0].search(position, Limit(nodes=50))
    assert str(fault.value) == f"{name}() gave {given!r}, not {meant}"


@pytest.mark.skipif(compiled(), reason="the pure build lets Python ask")
def test_a_game_that_says_no_more_than_it_must_is_asked_the_rest_in_vain():
    bare = Kernel(4)
    assert (bare.gen(3), bare.gen_before(5), bare.ranked(), bare.price(0)) == (3, 5, -1, 1)
    asked = [bare.result(), bare.points(), bare.hash(), bare.near(), bare.solve(-1, 1), bare.span(0)]
    assert asked == [0] * 6 and bare.remaining() == 0
    assert [bare.leaf(0), bare.unranked(0, 0), bare.place(0, 0)] == [False] * 3
    with pytest.raises(IndexError, match="there is no move to take back"):
        bare.unmake()


class Split(Position):
    """Three moves, and half a point for the first player."""

    scored = True

    def __init__(self):
        super().__init__()
        self.made = 0

    def moves(self):
        return [0, 1]

    @undoable
    def make(self, move):
        self.made += 1
        self.turn = 1 - self.turn

    def outcome(self):
        return (0.5, -0.5) if self.made == 3 else None


def test_half_a_point_is_a_mean_and_none_of_the_values_of_plies():
    with pytest.raises(Fault, match=r"gave \(0.5, -0.5\): this engine counts in whole numbers"):
        registry.engine("minimax")[0].search(Split(), Limit(depth=4))
    assert registry.engine("expectiminimax")[0].search(Split(), Limit(depth=4)).value == 0.5


def test_what_a_game_in_python_raises_is_told_as_it_was_raised():
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


@pytest.mark.parametrize("spec", KERNELS)
def test_determinize_gives_another_of_the_same(spec):
    game, rng = registry.game(spec), Random(1)
    position = game.new()
    for _ in range(12):
        if position.outcome() is None:
            position.make(rng.choice(position.moves()))
    position.evaluation = None
    other = position.determinize(0, rng)
    assert other is not position and type(other) is type(position)
    seen = [(p.key(), p.turn, p.moves(), p.made, str(p), p.evaluate()) for p in (position, other)]
    assert seen[0] == seen[1]
    while other.made:  # with the same past, and apart from the first
        other.unmake()
    assert other.key() == game.new().key() and len(position.made) == len(seen[0][3])
    assert (position.key(), position.turn, position.moves()) == seen[0][:3]


def test_determinize_keeps_the_position_that_was_set_up():
    game = registry.game("chess")
    position = game.new("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")
    assert position.determinize(1, Random(0)).text() == position.text()


def test_a_compiled_game_that_hides_something_needs_a_determinize_of_its_own():
    class Dark(registry.game_class("tictactoe")[0]):
        hidden = True

    with pytest.raises(NotImplementedError, match="Dark hides something: it needs determinize"):
        Dark().determinize(0, Random(0))
