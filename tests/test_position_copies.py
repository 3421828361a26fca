"""Positions are copied, compared, pickled and printed in the same way in both builds."""

import copy
import multiprocessing
import pickle
from random import Random

import pytest

from gameplay import CHANCE, Board, Position, Tray, registry, undoable
from gameplay.adapter import kernel_of
from gameplay.position import twin

GAMES = [
    *(name for name in registry.game_names() if name not in ("tree", "bridge", "stratego")),
    *(
        "bridge",
        "stratego:army=barrage",
        "chess:start=12",
        "connect4:players=3",
        "connect4:columns=12,rows=12",
    ),
    *("go:size=9,handicap=2", "tictactoe:players=3", "puzzle15:shuffle=9", "backgammon:match=3"),
]


def random_position(spec: str, plies: int = 3):
    """A position after some random moves."""
    position, rng = registry.game(spec).new(), Random(spec)
    while plies and position.outcome() is None:
        moves = position.moves()
        chance = position.turn == CHANCE
        position.make(rng.choices(moves, position.chances())[0] if chance else rng.choice(moves))
        plies -= 1
    return position


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("way", [twin, copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_copy_is_equal_and_independent(spec, way):
    position = random_position(spec)
    other = way(position)
    assert type(other) is type(position)
    assert other == position
    assert (str(other), repr(other)) == (str(position), repr(position))
    other.unmake()
    before = random_position(spec, 2)
    assert str(other) == str(before)
    assert str(position) == str(random_position(spec))


@pytest.mark.parametrize("spec", GAMES)
def test_position_is_equal_to_the_same_game_with_the_same_future_alone(spec):
    position = random_position(spec)
    assert position == random_position(spec)
    assert position != random_position(spec, 2)
    assert position != registry.game("nim:heaps=9").new()
    assert position != 3
    with pytest.raises(TypeError, match="unhashable"):
        hash(position)


def test_position_with_other_parameters_is_another():
    assert registry.game("connect4").new() != registry.game("connect4:connect=5").new()
    assert registry.game("pig").new() != registry.game("pig:goal=50").new()


def test_pickle_keeps_evaluation_heuristic_and_chess960():
    position = registry.game("othello").new()
    position.evaluation = list(position.evaluations.values())[-1]
    assert pickle.loads(pickle.dumps(position)).evaluation is position.evaluation
    puzzle = registry.game("puzzle15").new()
    puzzle.heuristic = next(name for name in puzzle.heuristics if "manhattan" in name)
    assert pickle.loads(pickle.dumps(puzzle)).heuristic == puzzle.heuristic
    chess = registry.game("chess").new()
    chess.chess960 = True
    assert pickle.loads(pickle.dumps(chess)).chess960 is copy.copy(chess).chess960 is True


def test_kernel_of_a_python_game_is_copied_with_its_position():
    kernel = kernel_of(random_position("kuhn", 2))
    for other in (copy.copy(kernel), pickle.loads(pickle.dumps(kernel))):
        assert other == kernel
        assert other.position is not kernel.position
    assert repr(kernel).startswith("<PositionKernel of <Kuhn(")


def value_of(position):
    """The value that a process returns."""
    return repr(position), list(position.moves())


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_positions_are_sent_to_other_processes(method):
    positions = [
        random_position("connect4"),
        random_position("connect4:columns=12,rows=12"),
        random_position("kuhn", 3),
        random_position("chess"),
    ]
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.map(value_of, positions) == [value_of(position) for position in positions]


class Slotted(Position):
    """A game with a slot, a cycle and its own history."""

    __slots__ = ("pile",)

    def __init__(self, size: int = 3):
        super().__init__()
        self.size, self.pile, self.own = size, [size], self

    def moves(self):
        return [0]

    @undoable
    def make(self, move):
        self.turn = 1 - self.turn

    def outcome(self):
        return None


def test_twin_copies_slots_and_references_to_itself():
    position = Slotted()
    other = position.twin()
    other.pile.append(4)
    assert position.pile == [3]
    assert other.own is other


def test_repr_names_parameters_that_are_not_the_default():
    assert repr(registry.game("nim").new()) == "<Nim('3+4+5'), first to move>"
    assert repr(registry.game("nim:heaps=2,misere=on").new()) == (
        "<Nim(heaps='2', misere=True, '2'), first to move>"
    )


class Rows(Position):
    """A game with attributes only."""

    def __init__(self):
        super().__init__()
        self.grid, self.left, self.past_best = [["x", ""], [None, "o"]], 4, None

    def moves(self):
        return [0]

    def outcome(self):
        return None if self.left else (1, -1)


class Drawn(Rows):
    """A game with a board."""

    def board(self, viewer=None, last=None):
        cells = (("x", ""), (None, "o"))
        return Board(cells, ("a", "b"), ("2", "1"), trays=(Tray("hand", ("k", "")),))


def test_default_str_shows_attributes_in_lines_and_rows_as_a_grid():
    rows = Rows()
    assert str(rows) == "grid\n  x .\n  . o\nleft 4\npast_best .\nfirst to move"
    rows.left = 0
    assert str(rows).splitlines()[-1] == "over: first 1, second -1"


def test_default_str_draws_the_board_with_its_labels_and_trays():
    assert str(Drawn()) == "  a b\n2 x .\n1   o\nhand: k .\nfirst to move"
