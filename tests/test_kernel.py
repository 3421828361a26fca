"""Kernels: slots, their defaults, and twins of positions."""

from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

import gameplay.adapter
import gameplay.kernel
from gameplay import Evaluation, registry
from gameplay.adapter import kernel_of, slots
from gameplay.errors import GameplayError
from gameplay.kernel import Kernel, compiled
from tests.support.kernels import plain

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
    """Counted by a second method."""
    _, _, kernel = TYPES.partition("cdef class Kernel(")
    declared = [line for line in kernel.splitlines() if line.startswith("    cdef ") and "(self" in line]
    assert len(slots()) == len(declared) > 20
    assert {"gen", "gen_noisy", "hash", "solve", "leaves"} <= slots()
    assert not slots() & {"moves", "make", "reserve", "perft", "turn", "fail", "self"}


def test_slots_are_visible_to_python_only_uncompiled():
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
def test_twin_of_a_set_up_position_has_its_history(spec):
    game, rng = registry.game(spec), Random(4)
    first = game.new()
    for _ in range(3):
        first.make(rng.choice(first.moves()))
    text = first.text()
    position = game.new(text)
    for _ in range(2):
        position.make(rng.choice(position.moves()))
    other = position.twin()
    seen = [(p.key(), p.turn, p.moves(), p.text(), str(p)) for p in (position, other)]
    assert other is not position and seen[0] == seen[1]
    for _ in range(2):
        position.unmake()
        other.unmake()
    assert (position.text(), position.key()) == (other.text(), other.key()) == (text, game.new(text).key())


def test_compiled_game_of_imperfect_information_needs_determinize():
    class Dark(registry.game_class("tictactoe")[0]):
        hidden = True

    with pytest.raises(NotImplementedError, match="Dark has imperfect information: it needs determinize"):
        Dark().determinize(0, Random(0))


class Countdown(Kernel):
    """Take one or two sticks of several; the player who takes the last one wins. Moves are 1 and 2."""

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
def test_omitted_slots_have_neutral_defaults():
    kernel = Kernel(4)
    defaults = {
        "gen": (3, 3), "push": (1, None), "pop": (1, None), "result": (0,), "points": (0,), "score": (0,),
        "hash": (0,), "gen_policy": (3, 3), "hint": (1, 0), "gain": (1, 0), "see": (1, 0),
        "history_index": (4096 + 5, 5), "is_threatened": (False,), "threatens": (1, False),
        "gen_threats": (3, 3),
        "is_repeated": (False,), "null_move": (False,), "undo_null_move": (None,), "moves_left": (0,),
        "solve": (1, 2, 0), "pieces": (0,), "plies_to_draw": (1 << 30,), "leaf": (1, False),
        "unrank": (1, 2, False), "rank": (-1,), "gen_before": (3, 3), "orbit_size": (1,), "slices": (3, ()),
        "span": (1, 0), "price": (1, 1), "remaining": (0,), "gen_noisy": (3, 3), "solver": (9, None),
    }  # fmt: skip
    kernel.is_forced = True
    for slot, (*given, answer) in defaults.items():
        result = getattr(kernel, slot)(*given)
        assert result == answer and type(result) is type(answer), slot
    assert kernel.is_forced is False and kernel.plies_until_draw() == 1 << 30 and kernel.slice_index() is None
    assert not kernel.set_index(0, 0) and kernel.max_moves == 4 and kernel.capacity == 4
    assert Kernel(0).capacity == 64 and kernel.evaluation_index == 0 and kernel.evaluation is None


@plain
def test_chances_default_to_uniform():
    kernel = Countdown()
    assert kernel.gen_chances(0) == 2 and kernel.odds[:2] == [0.5, 0.5]
    assert kernel.chances() == [0.5, 0.5] and Countdown(1).chances() == [1.0]
    assert Kernel(4).gen_chances(2) == 2 and Kernel(4).chances() == []


@plain
def test_payoffs_follow_from_results():
    kernel = Countdown(0)
    for turn, expected in ((0, (-10, 10)), (1, (10, -10))):
        kernel.turn = turn
        assert (kernel.payoff(0), kernel.payoff(1)) == expected
    kernel.turn = 0
    for result, points, expected in (
        (1, 7, (-1, 1)),
        (2, 7, (0, 0)),
        (3, 7, (1, -1)),
        (4, 7, (0.7, -0.7)),
        (4, 20, (2, -2)),
    ):
        kernel.result, kernel.points = lambda result=result: result, lambda points=points: points
        assert kernel.outcome() == expected and [type(payoff) for payoff in kernel.outcome()] == [
            type(payoff) for payoff in expected
        ]


@plain
def test_evaluations_are_negated_for_two_players_and_absent_for_others():
    kernel = Countdown(5)
    assert (
        [kernel.score_for(player) for player in (0, 1)]
        == [5, -5]
        == [kernel.evaluate_for(player) for player in (0, 1)]
    )
    kernel.turn = 1
    assert [kernel.score_for(player) for player in (0, 1)] == [-5, 5]
    kernel.turn = -1
    assert kernel.score_for(0) == 0
    for facts in ({"players": 3}, {"zero_sum": False}):
        other = type("Other", (Countdown,), facts)(5)
        assert other.score_for(0) == 0 and not other.two_player_zero_sum


@plain
def test_lines_are_counted():
    """Lines of five to one: 1+1+1+1+1, ... by Fibonacci numbers; none continues after the end."""
    assert [Countdown(20).perft(depth) for depth in (1, 2, 3)] == [2, 4, 8]
    assert [Countdown(3).perft(depth) for depth in (1, 2, 3, 4)] == [2, 3, 1, 0]
    assert Countdown(3).perft(6) == 0, "deeper than the move stack of the start"


@plain
def test_positions_round_trip_through_their_numbers():
    class Numbered(Countdown):
        def span(self, slice):
            return 6 * (slice == 2)

        def unrank(self, slice, number):
            self.count = number
            return number != 3

        def rank(self):
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
    assert kernel.set_index(2, 5) and kernel.slice_index() == (2, 5) and kernel.made == []
    for slice, number in ((2, -1), (2, 6), (1, 0), (2, 3), (2, 4)):
        assert kernel.set_index(slice, number) is False
    kernel.set_index(2, 0)
    assert kernel.slice_index() == (2, 0) and kernel.predecessors() == [(2, 1), (2, 2)]
    assert kernel.capacity == 2 * 2 + 1024


class Way(Countdown):
    """A puzzle: a move costs twice its number, and each left costs at least one."""

    players = 1

    def price(self, move):
        return 2 * move

    def remaining(self):
        return self.count


@plain
def test_generate_within_bound_omits_moves_that_cost_too_much():
    kernel = Way(5)
    assert kernel.gen_within(0, 5, -1) == 0 and (kernel.generated, kernel.excess) == (2, 1)
    assert kernel.gen_within(0, 6, -1) == 1 and (kernel.generated, kernel.excess) == (2, 1)
    assert (kernel.stack[0], kernel.weight[0]) == (1, 4)
    assert kernel.gen_within(0, 7, -1) == 2 and (kernel.generated, kernel.excess) == (2, 0)
    assert (kernel.stack[:2], kernel.weight[:2], kernel.count) == ([1, 2], [4, 3], 5)
    assert Way(0).gen_within(0, 9, -1) == 0
    assert kernel.gen_within(0, 2, -1) == 0 and kernel.excess == 4, "the least of those beyond"
    kernel.reserve(8)
    assert (
        kernel.push_within(1, 2, 5) == 3
        and kernel.count == 4
        and (kernel.stack[2], kernel.weight[2]) == (1, 3)
    )
    assert kernel.push_within(1, 3, 3) == 3 and kernel.count == 4, "what leads nowhere is taken back"


@plain
def test_inverse_moves_are_omitted():
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
    assert kernel.is_inverse(1, 0) and not kernel.is_inverse(1, 1) and kernel.count == 6
    assert kernel.gen_within(0, 99, 1) == 1 and kernel.stack[0] == 1 and kernel.generated == 1


@plain
def test_heuristics_and_evaluations_are_those_that_are_listed():
    followed, weighed = [], []

    class Listed(Countdown):
        heuristics = {"one": 1, "two": 2}
        evaluations = {"a": Evaluation("a", weights={"x": 1}), "b": Evaluation("b", weights={"x": 2})}

        def use_heuristic(self, name):
            followed.append(name)

        def load_weights(self, evaluation):
            weighed.append(evaluation.name)

    kernel = Listed()
    for name, guide in (("two", 1), ("two", 1), ("one", 0), (None, 0), ("two", 1), (None, 0)):
        kernel.heuristic = name
        assert (kernel.heuristic, kernel.heuristic_index) == (name, guide)
    assert followed == ["two", "one", "two", "one"]
    with pytest.raises(GameplayError) as refused:
        kernel.heuristic = "three"
    assert str(refused.value) == "unknown heuristic 'three' (choose from: one, two)"
    a, b = Listed.evaluations.values()
    kernel.evaluation = b
    assert (kernel.evaluation, kernel.evaluation_index, kernel.python, weighed) == (b, 1, False, ["b"])
    kernel.evaluation = b
    kernel.evaluation = None
    assert (kernel.evaluation, kernel.evaluation_index, weighed) == (None, 0, ["b", "a"])
    kernel.evaluation = a
    assert (kernel.evaluation_index, weighed) == (0, ["b", "a"])

    class Own(Evaluation):
        def evaluate(self, position):
            position.moves()
            return 42 + position.turn

    own = Own()
    kernel.evaluation = own
    assert (kernel.evaluation_index, kernel.python) == (-1, True)
    kernel.stack[:2] = [8, 9]
    kernel.is_forced = True
    assert kernel.user_score() == 42 and kernel.user_score_for(1) == -42
    assert kernel.stack[:2] == [8, 9] and kernel.is_forced and kernel.spare_capacity == 2
    with pytest.raises(GameplayError) as refused:
        kernel.evaluation = Evaluation("c")
    assert str(refused.value) == "unknown evaluation 'c' (choose from: a, b)"
    bare = Countdown()
    bare.evaluation = None
    assert bare.evaluation_index == 0 and bare.python is False


@plain
def test_playout_stops_at_its_limit():
    kernel = Countdown(3000)
    kernel.allocate_gains()
    kernel.rng_state = 1
    end = kernel.playout(0, 10)
    assert end == 10 and not kernel.finished and kernel.count == 3000 and set(kernel.weight[:10]) == {0, 1}
    kernel.control = SimpleNamespace(stop=True, expired=lambda: kernel.control.stop)
    assert kernel.playout(0, 5000) == 1024 and not kernel.finished, "it looks after each 1024 moves"
    kernel.python = True
    assert kernel.playout(0, 5000) == 16, "in Python after each sixteen"
    kernel.control.stop = False
    end = kernel.playout(3, 5000)
    assert kernel.finished and kernel.count == 3000 and abs(sum(kernel.stack[3:end])) == 3000
    assert kernel.gains == ([10.0, -10.0] if (end - 3) % 2 else [-10.0, 10.0])
    assert [kernel.halted(plies) for plies in (0, 1, 1024)] == [False, False, False]
    assert Countdown(0).playout(0, 5) == 0 and Countdown(0).push_random(0) == -1
