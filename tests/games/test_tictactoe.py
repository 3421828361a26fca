"""m,n,k games on boards up to 4x4, and misère: published values, and a plain solver."""

import tomllib
from functools import cache
from typing import Any

import pytest

from gameplay.engines.perfect import Perfect
from gameplay.errors import BadInput
from gameplay.kernel import compiled
from gameplay.knowledge.books.book import check_game, included_books, open_book
from gameplay.registry import game
from gameplay.search.limit import Limit
from gameplay.value import WIN
from tests.support.paths import TESTS

ANSWERS = tomllib.loads((TESTS / "answers" / "mnk.toml").read_text())
LARGE = 9 if compiled() else 6  # cells; what is larger takes long
BOARDS = [
    (tuple(map(int, board.split(","))), value)
    for value, boards in ((1, ANSWERS["won"]), (0, ANSWERS["drawn"]))
    for board in boards
]


def solve(spec: str, text: str = "", **limits: Any) -> Any:
    """The report of `perfect`, which solves the game."""
    report = Perfect(table="1MB").search(game(spec).new(text), Limit(nodes=10**7, **limits))
    assert report.exact and report.stopped == "solved"
    return report


def spec_of(m: int, n: int, k: int, misere: bool = False) -> str:
    return f"tictactoe:width={m},height={n},line={k}" + ",misere=on" * misere


def test_all_boards_are_covered() -> None:
    every = {(m, n, k) for m in range(1, 5) for n in range(1, m + 1) for k in range(1, m + 1)}
    assert {board for board, _ in BOARDS} == every


@pytest.mark.parametrize(("board", "value"), BOARDS)
def test_boards_have_the_published_value(board: tuple[int, int, int], value: int) -> None:
    m, n, k = board
    if board == (4, 4, 4) or (m * n > LARGE and not (compiled() or k < 3)):
        return  # 4x4 with lines of 4 is among the solved boards of test_search
    number = solve(spec_of(m, n, k)).value
    assert (number > 0) - (number < 0) == value
    if m != n and m * n <= LARGE:
        assert solve(spec_of(n, m, k)).value == number


def plain(m: int, n: int, k: int, misere: bool) -> int:
    """The value of the empty board in plies, by full search on strings."""
    lines = [
        [(x + i * dx) + (y + i * dy) * m for i in range(k)]
        for x in range(m)
        for y in range(n)
        for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1))
        if 0 <= x + (k - 1) * dx < m and y + (k - 1) * dy < n
    ]

    @cache
    def best(board: str, me: str, other: str) -> int:
        if any(all(board[cell] == other for cell in line) for line in lines):
            return WIN if misere else -WIN
        values = [
            -best(board[:cell] + me + board[cell + 1 :], other, me)
            for cell in range(m * n)
            if board[cell] == "."
        ]
        most = max(values, default=0)
        return most - (most > 0) + (most < 0)

    return best("." * (m * n), "x", "o")


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("board", [board for board, _ in BOARDS if board[0] * board[1] <= LARGE])
def test_values_and_distances_equal_another_programs(board: tuple[int, int, int], misere: bool) -> None:
    assert solve(spec_of(*board, misere)).value == plain(*board, misere)


@pytest.mark.skipif(not compiled(), reason="only quick enough when compiled")
def test_in_misere_the_centre_alone_draws() -> None:
    position = game("tictactoe:misere=on").new()
    values = {
        position.format(move): solve("tictactoe:misere=on", moves=(move,)).value for move in position.moves()
    }
    assert [word for word, value in values.items() if value == 0] == ANSWERS["misere"]["drawing"]
    assert all(value <= 0 for value in values.values())


def test_line_in_misere_loses() -> None:
    position = game("tictactoe:misere=on").new("a1 a2 b1 b2 c1")
    assert position.outcome() == (-1, 1) and position.board().line
    with pytest.raises(BadInput, match="x has a line and is to move; the game ended before"):
        game("tictactoe:misere=on").new("xxx/ooo/...")
    position = game("tictactoe:misere=on").new("a1 a2 b1 b2")
    assert (
        list(position.noisy()) == []
        and position.evaluate() == -game("tictactoe").new("a1 a2 b1 b2").evaluate()
    )


@pytest.mark.once
@pytest.mark.parametrize("spec", ["tictactoe:misere=on", "tictactoe:line=2"])
def test_a_book_of_other_rules_is_refused(spec: str) -> None:
    path = str(included_books()["tictactoe"])
    check_game(open_book(path).facts, game("tictactoe"), path)
    with pytest.raises(BadInput, match=f"whose start differs from that of {spec}"):
        check_game(open_book(path).facts, game(spec), path)
