"""The contract for the machine: which methods are slots, who may fill them, and copies of a compiled game."""

import importlib
import inspect
from fractions import Fraction
from hashlib import blake2b
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

import gameplay.adapter
import gameplay.kernel
from gameplay import Evaluation, Limit, Position, catalogue, registry, undoable
from gameplay.adapter import kernel_of, slots
from gameplay.errors import Fault, GameplayError
from gameplay.evaluation import value_of
from gameplay.kernel import Kernel, compiled
from gameplay.value import GUESS
from tests.support.paths import TESTS

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
    declared = [line for line in TYPES.splitlines() if line.startswith("    cdef ") and "(self" in line]
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


RACE = TESTS / "examples" / "games" / "pig.py"


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


class Counted(Position):
    """Two moves at each position, alternately; what ends it is for its subclasses."""

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


class Guesses(Counted):
    """Two moves, and answers to what searches ask that are none."""

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


class Sorting(Counted):
    """Moves that cost, to a goal three of them away."""

    players = 1
    given: dict[str, object] = {}

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


class Split(Counted):
    """Three moves, and half a point for the first player."""

    scored = True

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


@pytest.mark.parametrize(
    "spec",
    [
        *("backgammon", "checkers", "chess", "chinese-checkers:rounds=12", "connect4", "connect4:players=3"),
        *(
            "go:size=4",
            "nim",
            "nim:heaps=40+9,players=3",
            "othello:size=6",
            "pig:goal=30",
            "puzzle15",
            "tictactoe",
        ),
        *("backgammon:cube=on", "connect4:columns=12,rows=4", "tictactoe:players=3"),
    ],
)
def test_a_twin_of_what_was_set_up_has_gone_the_same_way(spec):
    game, rng = registry.game(spec), Random(4)
    first = game.new()
    for _ in range(3):
        first.make(rng.choice(first.moves()))
    told = first.text()
    position = game.new(told)
    for _ in range(2):
        position.make(rng.choice(position.moves()))
    other = position.twin()
    seen = [(p.key(), p.turn, p.moves(), p.text(), str(p)) for p in (position, other)]
    assert other is not position and seen[0] == seen[1]
    for _ in range(2):
        position.unmake()
        other.unmake()
    assert (position.text(), position.key()) == (other.text(), other.key()) == (told, game.new(told).key())


def test_a_compiled_game_that_hides_something_needs_a_determinize_of_its_own():
    class Dark(registry.game_class("tictactoe")[0]):
        hidden = True

    with pytest.raises(NotImplementedError, match="Dark has hidden information: it needs determinize"):
        Dark().determinize(0, Random(0))


# -- slots, where they can be called from Python ---------------------------------------------------

plain = pytest.mark.skipif(compiled(), reason="compiled, slots are functions of C")


class Countdown(Kernel):
    """Take one or two of so many; who takes the last has won. Moves are 1 and 2."""

    unit = 10

    def __init__(self, count=5):
        Kernel.__init__(self, 2)
        self.count = count

    def gen(self, base):
        self.stack[base], self.stack[base + 1] = 1, 2
        return base + min(2, self.count)

    def push(self, move):
        self.count -= move
        self.turn = 1 - self.turn

    def pop(self, move):
        self.count += move
        self.turn = 1 - self.turn

    def result(self):
        return 0 if self.count else 1

    def score(self):
        return self.count

    def hash(self):
        return 2 * self.count + self.turn


@plain
def test_what_is_left_out_says_nothing():
    kernel = Kernel(4)
    said = {
        "gen": (3, 3), "push": (1, None), "pop": (1, None), "result": (0,), "points": (0,), "score": (0,),
        "hash": (0,), "gen_policy": (3, 3), "hint": (1, 0), "gain": (1, 0), "exchange": (1, 0),
        "history_index": (4096 + 5, 5), "threatened": (False,), "threatens": (1, False),
        "gen_threats": (3, 3),
        "repeated": (False,), "null_move": (False,), "undo_null_move": (None,), "near": (0,),
        "solve": (1, 2, 0), "pieces": (0,), "patience": (1 << 30,), "leaf": (1, False),
        "unranked": (1, 2, False), "ranked": (-1,), "gen_before": (3, 3), "orbit": (1,), "slices": (3, ()),
        "span": (1, 0), "price": (1, 1), "remaining": (0,), "gen_noisy": (3, 3), "solver": (9, None),
    }  # fmt: skip
    kernel.is_forced = True
    for slot, (*given, answer) in said.items():
        found = getattr(kernel, slot)(*given)
        assert found == answer and type(found) is type(answer), slot
    assert kernel.is_forced is False and kernel.waits() == 1 << 30 and kernel.placed() is None
    assert not kernel.place(0, 0) and kernel.max_moves == 4 and kernel.capacity == 4
    assert Kernel(0).capacity == 64 and kernel.form == 0 and kernel.evaluation is None


@plain
def test_chances_are_alike_where_nothing_else_is_said():
    kernel = Countdown()
    assert kernel.gen_chances(0) == 2 and kernel.odds[:2] == [0.5, 0.5]
    assert kernel.chances() == [0.5, 0.5] and Countdown(1).chances() == [1.0]
    assert Kernel(4).gen_chances(2) == 2 and Kernel(4).chances() == []


@plain
def test_payoffs_follow_from_results():
    kernel = Countdown(0)
    for turn, told in ((0, (-10, 10)), (1, (10, -10))):
        kernel.turn = turn
        assert (kernel.payoff(0), kernel.payoff(1)) == told
    kernel.turn = 0
    for result, points, told in (
        (1, 7, (-1, 1)),
        (2, 7, (0, 0)),
        (3, 7, (1, -1)),
        (4, 7, (0.7, -0.7)),
        (4, 20, (2, -2)),
    ):
        kernel.result, kernel.points = lambda result=result: result, lambda points=points: points
        assert kernel.outcome() == told and [type(one) for one in kernel.outcome()] == [
            type(one) for one in told
        ]


@plain
def test_guesses_are_turned_for_two_and_none_for_others():
    kernel = Countdown(5)
    assert (
        [kernel.guess(player) for player in (0, 1)]
        == [5, -5]
        == [kernel.evaluate_for(player) for player in (0, 1)]
    )
    kernel.turn = 1
    assert [kernel.guess(player) for player in (0, 1)] == [-5, 5]
    kernel.turn = -1
    assert kernel.guess(0) == 0
    for facts in ({"players": 3}, {"zero_sum": False}):
        other = type("Other", (Countdown,), facts)(5)
        assert other.guess(0) == 0 and not other.opposed


@plain
def test_lines_are_counted():
    """Of five: to one of 1+1+1+1+1, ... by Fibonacci's numbers; none goes on where the game is over."""
    assert [Countdown(20).perft(depth) for depth in (1, 2, 3)] == [2, 4, 8]
    assert [Countdown(3).perft(depth) for depth in (1, 2, 3, 4)] == [2, 3, 1, 0]
    assert Countdown(3).perft(6) == 0, "deeper than the move stack of the start"


@plain
def test_numbers_that_stand_for_positions():
    class Numbered(Countdown):
        def span(self, slice):
            return 6 * (slice == 2)

        def unranked(self, slice, number):
            self.count = number
            return number != 3

        def ranked(self):
            self.slice = 2
            return self.count if self.count != 4 else 1

        def gen_before(self, base):
            self.weight[base : base + 2], self.stack[base : base + 2] = (
                [2, 2],
                [self.count + 1, self.count + 2],
            )
            return base + 2

    kernel = Numbered()
    kernel.make(1)
    assert kernel.place(2, 5) and kernel.placed() == (2, 5) and kernel.made == []
    for slice, number in ((2, -1), (2, 6), (1, 0), (2, 3), (2, 4)):
        assert kernel.place(slice, number) is False
    kernel.place(2, 0)
    assert kernel.placed() == (2, 0) and kernel.befores() == [(2, 1), (2, 2)]
    assert kernel.capacity == 2 * 2 + 1024


class Way(Countdown):
    """A puzzle: a move costs twice what it takes, and each left costs one at least."""

    players = 1

    def price(self, move):
        return 2 * move

    def remaining(self):
        return self.count


@plain
def test_moves_within_what_a_way_may_cost():
    kernel = Way(5)
    assert kernel.within(0, 5, -1) == 0 and (kernel.generated, kernel.beyond) == (2, 1)
    assert kernel.within(0, 6, -1) == 1 and (kernel.generated, kernel.beyond) == (2, 1)
    assert (kernel.stack[0], kernel.weight[0]) == (1, 4)
    assert kernel.within(0, 7, -1) == 2 and (kernel.generated, kernel.beyond) == (2, 0)
    assert (kernel.stack[:2], kernel.weight[:2], kernel.count) == ([1, 2], [4, 3], 5)
    assert Way(0).within(0, 9, -1) == 0
    assert kernel.within(0, 2, -1) == 0 and kernel.beyond == 4, "the least of those beyond"
    kernel.reserve(8)
    assert (
        kernel.advance(1, 2, 5) == 3 and kernel.count == 4 and (kernel.stack[2], kernel.weight[2]) == (1, 3)
    )
    assert kernel.advance(1, 3, 3) == 3 and kernel.count == 4, "what leads nowhere is taken back"


@plain
def test_what_leads_back_is_left_out():
    class Line(Way):
        """Steps on a line: move 0 left, move 1 right."""

        def gen(self, base):
            self.stack[base], self.stack[base + 1] = 0, 1
            return base + 2

        def push(self, move):
            self.count += 1 if move else -1

        def pop(self, move):
            self.count -= 1 if move else -1

        def hash(self):
            return self.count

    kernel = Line(5)
    kernel.push(1)
    assert kernel.undoes(1, 0) and not kernel.undoes(1, 1) and kernel.count == 6
    assert kernel.within(0, 99, 1) == 1 and kernel.stack[0] == 1 and kernel.generated == 1


@plain
def test_heuristics_and_evaluations_are_those_that_are_listed():
    followed, weighed = [], []

    class Listed(Countdown):
        heuristics = {"one": 1, "two": 2}
        evaluations = {"a": Evaluation("a", weights={"x": 1}), "b": Evaluation("b", weights={"x": 2})}

        def follow(self, name):
            followed.append(name)

        def weigh(self, evaluation):
            weighed.append(evaluation.name)

    kernel = Listed()
    for name, guide in (("two", 1), ("two", 1), ("one", 0), (None, 0), ("two", 1), (None, 0)):
        kernel.heuristic = name
        assert (kernel.heuristic, kernel.guide) == (name, guide)
    assert followed == ["two", "one", "two", "one"]
    with pytest.raises(GameplayError) as refused:
        kernel.heuristic = "three"
    assert str(refused.value) == "there is no heuristic 'three' (there are: one, two)"
    a, b = Listed.evaluations.values()
    kernel.evaluation = b
    assert (kernel.evaluation, kernel.form, kernel.python, weighed) == (b, 1, False, ["b"])
    kernel.evaluation = b
    kernel.evaluation = None
    assert (kernel.evaluation, kernel.form, weighed) == (None, 0, ["b", "a"])
    kernel.evaluation = a
    assert (kernel.form, weighed) == (0, ["b", "a"])

    class Own(Evaluation):
        def evaluate(self, position):
            position.moves()
            return 42 + position.turn

    own = Own()
    kernel.evaluation = own
    assert (kernel.form, kernel.python) == (-1, True)
    kernel.stack[:2] = [8, 9]
    kernel.is_forced = True
    assert kernel.ask() == 42 and kernel.ask_for(1) == -42
    assert kernel.stack[:2] == [8, 9] and kernel.is_forced and kernel.spare_capacity == 2
    with pytest.raises(GameplayError) as refused:
        kernel.evaluation = Evaluation("c")
    assert str(refused.value) == "there is no evaluation 'c' (there are: a, b)"
    bare = Countdown()
    bare.evaluation = None
    assert bare.form == 0 and bare.python is False


@plain
def test_a_playout_stops_where_it_is_told_to():
    kernel = Countdown(3000)
    kernel.seat()
    kernel.lots = 1
    end = kernel.playout(0, 10)
    assert end == 10 and not kernel.settled and kernel.count == 3000 and set(kernel.weight[:10]) == {0, 1}
    kernel.control = SimpleNamespace(stop=True, expired=lambda: kernel.control.stop)
    assert kernel.playout(0, 5000) == 1024 and not kernel.settled, "it looks after each 1024 moves"
    kernel.python = True
    assert kernel.playout(0, 5000) == 16, "in Python after each sixteen"
    kernel.control.stop = False
    end = kernel.playout(3, 5000)
    assert kernel.settled and kernel.count == 3000 and abs(sum(kernel.stack[3:end])) == 3000
    assert kernel.gains == ([10.0, -10.0] if (end - 3) % 2 else [-10.0, 10.0])
    assert [kernel.halted(made) for made in (0, 1, 1024)] == [False, False, False]
    assert Countdown(0).playout(0, 5) == 0 and Countdown(0).roll(0) == -1


# -- what games in Python give -----------------------------------------------------------------------


@plain
def test_keys_of_any_kind_become_64_bits():
    sixty_four = gameplay.adapter.sixty_four
    assert [sixty_four(key) for key in (0, 5, 2**64 - 1)] == [0, 5, 2**64 - 1]
    for key in (-1, 2**64, True, "5", (1, "a"), None):
        assert sixty_four(key) == int.from_bytes(
            blake2b(repr(key).encode(), digest_size=8).digest(), "little"
        )


def test_probabilities_are_as_many_as_moves_and_sum_to_one():
    likely = gameplay.adapter.likely
    for given, count in (
        ([0.5, 0.5], 2),
        ((1,), 1),
        ([0, 1, 0], 3),
        ([0.5, 0.5 + 5e-10], 2),
        ([Fraction(1, 2)] * 2, 2),
    ):
        assert likely(given, count) == [float(one) for one in given]
    for given, count, told in (
        ([0.5, 0.5], 3, "chances() gave 2 probabilities for 3 moves"),
        ([0.5, 0.5, 0], 2, "chances() gave 3 probabilities for 2 moves"),
        ([1.5, -0.5], 2, "chances() gave [1.5, -0.5]: probabilities are 0 or more and sum to 1"),
        ([0.5, 0.5 + 2e-9], 2, "chances() gave [0.5, 0.500000002]: probabilities are 0 or more and sum to 1"),
        ([0.5, 0.25], 2, "chances() gave [0.5, 0.25]: probabilities are 0 or more and sum to 1"),
        ([], 0, "chances() gave []: probabilities are 0 or more and sum to 1"),
        (3, 1, "chances() gave 3, not probabilities, one a move in the order of moves()"),
        (["x"], 1, "chances() gave ['x'], not probabilities, one a move in the order of moves()"),
    ):
        with pytest.raises(Fault) as fault:
            likely(given, count)
        assert str(fault.value) == told


def test_what_was_given_wrongly_is_shown_as_far_as_it_fits():
    misgiven = gameplay.adapter.misgiven

    def raised(error, call=None):
        try:
            if call is not None:
                call()
            raise error
        except BaseException as found:
            return found

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
            found = misgiven("moves()", given, raised(error))
            assert type(found) is Fault and str(found) == f"moves() gave {shown}, not {right}"
            assert found.__cause__ is error
    for given, error in (
        (gameplay.adapter.UNASKED, raised(TypeError("no"))),
        (3, raised(KeyError("no"))),
        (3, raised(Fault("mine"))),
        (3, raised(None, fails)),
    ):
        assert misgiven("moves()", given, error) is error, "the game's own code raised it"


def test_what_an_evaluation_says_is_a_whole_number_below_wins():
    def says(value):
        return SimpleNamespace(
            name="mine", evaluate=lambda position: value, evaluate_for=lambda position, player: value
        )

    for value, told in ((7, 7), (-7, -7), (10**9, GUESS), (-(10**9), -GUESS), (GUESS, GUESS), (True, 1)):
        assert value_of(says(value), None) == told == value_of(says(value), None, 1)
    for value in (1.0, None, "7"):
        with pytest.raises(Fault) as fault:
            value_of(says(value), None)
        assert str(fault.value) == f"evaluation mine gave {value!r}: a value is a whole number"

    for error, kind, told in (
        (KeyError("x"), Fault, "evaluation mine raised KeyError: 'x' (test_kernel.py, line "),
        (GameplayError("as it is"), GameplayError, "as it is"),
    ):

        def broken(position, error=error):
            raise error

        with pytest.raises(GameplayError) as refused:
            value_of(SimpleNamespace(name="mine", evaluate=broken), None)
        assert type(refused.value) is kind and str(refused.value).startswith(told)


@pytest.mark.skipif(compiled(), reason="a compiled constructor does not tell its parameters")
def test_fits_has_the_parameters_of_the_constructor():
    """By it a compiled game tells them, and what they usually are."""
    names = []
    for module in [*catalogue.games().values(), "gameplay.games.shared.rows"]:
        for cls in vars(importlib.import_module(module)).values():
            if inspect.isclass(cls) and "fits" in vars(cls) and cls.__module__ == module:
                told, taken = (inspect.signature(call).parameters for call in (cls.fits, cls.__init__))
                own = [(one.name, one.default) for one in taken.values()][1:]
                assert [(one.name, one.default) for one in told.values()] == own, cls
                names.append(cls.__name__)
    assert len(names) == 14 and names[-2:] == ["ManyConnect4", "ManyTicTacToe"]
