"""Connect Four: the evaluation, recomputed cell by cell."""

import random
from typing import Any

import pytest

from gameplay import registry
from gameplay.kernel import compiled

BOARDS = [
    "connect4",
    "connect4:columns=4,rows=4",
    "connect4:columns=5,rows=4,connect=3",
    "connect4:columns=6,rows=7,connect=5",
    "connect4:columns=10,rows=8",  # beyond 64 bits
]
RIGHT, WRONG = 12, 5  # what a threat is worth in open lines, in the row that its side gets and elsewhere


def lines(columns: int, rows: int, connect: int) -> list[list[tuple[int, int]]]:
    """All lines of `count` cells, as (column, row from the bottom)."""
    results = []
    for column in range(columns):
        for row in range(rows):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(column + i * right, row + i * up) for i in range(connect)]
                if all(0 <= c < columns and 0 <= r < rows for c, r in line):
                    results.append(line)
    return results


def worth(position: Any, stones: dict[tuple[int, int], int]) -> int:
    """Open lines and threats, the mover's minus the opponent's; stones: owner by cell."""
    every = lines(position.columns, position.rows, position.connect)
    total = 0
    for side in (0, 1):
        sign = 1 if side == position.turn else -1
        total += sign * sum(all(stones.get(cell, side) == side for cell in line) for line in every)
        threats = set()
        for line in every:
            empty = [cell for cell in line if cell not in stones]
            if len(empty) == 1 and all(stones.get(cell, side) == side for cell in line):
                threats.add(empty[0])
        # Rows count from 1 below: the first player gets the odd ones if both wait, the second the even.
        total += sign * sum(RIGHT if row % 2 == side else WRONG for _, row in threats)
    return total


@pytest.mark.parametrize("board", BOARDS)
def test_the_evaluation_counts_open_lines_and_threats(board: str) -> None:
    draw = random.Random(board)
    threats = 0
    for _ in range(12):
        position = registry.game(board).new()
        stones: dict[tuple[int, int], int] = {}
        heights = [0] * position.columns
        while position.outcome() is None:
            assert position.evaluate() == worth(position, stones)
            threats += bool(position.noisy())
            move = draw.choice(position.moves())
            stones[move, heights[move]] = position.turn
            heights[move] += 1
            position.make(move)
    assert threats > 5


@pytest.mark.parametrize(
    ("moves", "value"),
    [
        ("", 0),
        ("4", -7),  # seven of the 69 lines go through the middle of the bottom row
        ("1", -3),
        ("44", 7 - 10),  # ten through the cell above it: four across, two upright, four slanted
    ],
)
def test_the_evaluation_by_hand(moves: str, value: int) -> None:
    position = registry.game("connect4").new(moves)
    assert position.evaluate() == value


def test_null_evaluation_is_zero() -> None:
    position = registry.game("connect4").new("4455343")
    position.evaluation = position.evaluations["none"]
    assert position.evaluate() == 0


@pytest.mark.skipif(compiled(), reason="slots of a compiled game cannot be called from Python")
@pytest.mark.parametrize("evaluation", ["threats", "none"])
def test_leaf_equals_push_score_pop(evaluation: str) -> None:
    """In the compiled build traced searches do not use leaf(): tests/search/test_trace.py."""
    draw = random.Random(evaluation)
    ends = leaves = 0
    for _ in range(60):
        position = registry.game("connect4").new()
        position.evaluation = position.evaluations[evaluation]
        while position.outcome() is None:
            for move in position.moves():
                quick = position.leaf_score if position.leaf(move) else None
                position.push(move)
                long = -position.score() if not position.result() else None
                position.pop(move)
                assert quick == long
                ends += long is None
                leaves += long is not None
            position.make(draw.choice(position.moves()))
    assert ends > 100 and leaves > 1000


@pytest.mark.parametrize(
    ("columns", "typed", "message"),
    [(7, "4 45", "445"), (9, "991", "991"), (10, " 10 4  1", "10 4 1"), (10, "1", "1")],
)
def test_column_numbers_are_separated_if_there_are_more_than_nine(
    columns: int, typed: str, message: str
) -> None:
    assert registry.game(f"connect4:columns={columns}").new(typed).text() == message
