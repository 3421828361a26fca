"""The rules of the built-in games against published numbers."""

import tomllib
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import IllegalMove
from gameplay.kernel import compiled
from tests.support.paths import TESTS
from tests.support.searches import successors

ANSWERS = tomllib.loads((TESTS / "answers" / "perft.toml").read_text())


def perft(position: Any, depth: int) -> int:
    """The number of lines of `depth` moves."""
    if position.outcome() is not None:
        return 0
    if depth == 1:
        return len(position.moves())
    return sum(perft(position, depth - 1) for _ in successors(position))


@pytest.mark.parametrize("answer", ANSWERS["perft"], ids=lambda answer: answer["game"])
def test_perft(answer: dict[str, Any]) -> None:
    position = registry.game(answer["game"]).new()
    for depth, leaves in enumerate(answer["leaves"], 1):
        if leaves < (250_000 if compiled() else 50_000):
            assert perft(position, depth) == leaves


@pytest.mark.parametrize("answer", ANSWERS["positions"], ids=lambda answer: answer["game"])
def test_distinct_positions(answer: dict[str, Any]) -> None:
    position = registry.game(answer["game"]).new()
    layer = {position.key(): ""}
    for distinct in answer["distinct"]:
        assert len(layer) == distinct
        below = {}
        for text in layer.values():
            position.setup(text)
            if position.outcome() is None:
                for move in position.moves():
                    position.make(move)
                    below.setdefault(position.key(), position.text())
                    position.unmake()
        layer = below


def test_every_game_of_tictactoe() -> None:
    answer = ANSWERS["finished"][0]
    position = registry.game("tictactoe").new()
    seen = {}

    def games() -> tuple[int, int, int]:
        """Won by x, won by o, drawn."""
        key = position.key()
        if key not in seen:
            outcome = position.outcome()
            if outcome is not None:
                seen[key] = (int(outcome[0] > 0), int(outcome[1] > 0), int(outcome == (0, 0)))
            else:
                below = []
                for move in position.moves():
                    position.make(move)
                    below.append(games())
                    position.unmake()
                seen[key] = tuple(sum(counts) for counts in zip(*below, strict=True))
        return seen[key]

    assert games() == (*answer["won"], answer["drawn"])
    assert sum(games()) == answer["games"]
    assert len(seen) == answer["positions"]


def test_evaluation_of_the_lecture() -> None:
    """x in the centre keeps all eight lines open and leaves o four: RCDC - RCDO is 4 for x."""
    position = registry.game("tictactoe").new(".../.x./...")
    assert position.evaluate() == 4 - 8
    position.setup("x../.../...")
    assert position.evaluate() == 5 - 8


@pytest.mark.parametrize(
    ("game", "text", "line"),
    [
        ("connect4", "1212121", [(2, 0), (3, 0), (4, 0), (5, 0)]),
        ("connect4", "1122334", [(5, 0), (5, 1), (5, 2), (5, 3)]),
        ("connect4", "12234334464", [(5, 0), (4, 1), (3, 2), (2, 3)]),
        ("tictactoe", "xxx/oo./...", [(0, 0), (0, 1), (0, 2)]),
        ("tictactoe", "x.o/xo./o.x", [(0, 2), (1, 1), (2, 0)]),
    ],
)
def test_the_winning_line_is_marked(game: str, text: str, line: list[tuple[int, int]]) -> None:
    board = registry.game(game).new(text).board()
    assert sorted(board.line) == sorted(line)
    assert not board.moves


def test_cells_have_two_names_on_the_default_board() -> None:
    position = registry.game("tictactoe").new()
    assert [position.parse(str(n)) for n in range(1, 10)] == list(range(9))
    assert position.parse("C3") == 8
    with pytest.raises(
        IllegalMove, match=r"'c4' is not a legal move here: the cells go from a1 to c3 \(legal: a1"
    ):
        position.parse("c4")
    wide = registry.game("tictactoe:width=4,height=4,line=4").new()
    with pytest.raises(IllegalMove):
        wide.parse("1")


def test_illegal_moves_change_nothing() -> None:
    position = registry.game("connect4").new("444444")
    before = position.key()
    for move in (3, 7, -1, 99):
        with pytest.raises(IllegalMove):
            position.make(move)
    assert position.key() == before


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("connect4:columns=20,rows=20", "1 1 2 2 3 3"),
        ("tictactoe:width=12,height=12,line=5", "a1 b1 a2 b2 a3 b3 a4 b4"),
    ],
)
def test_boards_beyond_64_bits(spec: str, text: str) -> None:
    position = registry.game(spec).new(text)
    assert position.outcome() is None
    assert position.forced() is False
    winning = position.noisy()
    assert len(winning) == 1
    position.make(winning[0])
    assert position.outcome() == (1, -1)
    assert position.board().line
    position.unmake()
    assert position.text() in (text, position.text())
