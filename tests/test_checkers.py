"""English draughts: the rules against published numbers and other programs, words, drawing."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from gameplay import registry
from gameplay.kernel import compiled

ANSWERS = tomllib.loads(Path(__file__).with_name("answers").joinpath("checkers.toml").read_text())
MOST = 90_000_000 if compiled() else 40_000  # leaves worth counting


def checkers(text: str = "") -> Any:
    return registry.game("checkers").new(text)


def words(position: Any) -> list[str]:
    return sorted(position.format(move) for move in position.moves())


@pytest.mark.parametrize("answer", ANSWERS["perft"], ids=lambda answer: answer["fen"])
def test_perft(answer: dict[str, Any]) -> None:
    position = checkers(answer["fen"])
    for depth, leaves in enumerate(answer["leaves"], 1):
        if leaves < MOST:
            assert position.perft(depth) == leaves


def test_counting_without_writing_agrees_with_making_every_move() -> None:
    """`perft` counts the last ply without its moves; here each is made."""

    def lines(position: Any, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in position.moves():
            position.make(move)
            total += lines(position, depth - 1) if position.outcome() is None or depth == 1 else 0
            position.unmake()
        return total

    for fen in ("W:WK14,K18,22:BK5,6,7,15,K19,24,26", "B:WK6,7,15,16,23,24,K31:BK1,K10,12"):
        position = checkers(fen)
        assert position.perft(3) == lines(position, 3)


@pytest.mark.parametrize(
    ("fen", "legal"),
    [
        ("B:W18,14:B10", ["10x17"]),  # forwards only, and a jump must be taken
        ("B:W15,24:B10,1", ["10x19x28"]),  # it goes on while it can
        ("B:W15,24,23:B10", ["10x19x26", "10x19x28"]),  # either way round
        ("B:W24,23:B19", ["19x26", "19x28"]),
        ("B:W25,26:B22", ["22x29", "22x31"]),  # the man is crowned and stops, though 29x22 would go on
        ("B:W6,15,14,7:BK1", ["1x10x3", "1x10x17", "1x10x19"]),
        ("W:W6,7,14:BK1,K2,K3,K4", ["14-10", "14-9"]),
        ("B:W6,7,14,15:BK2", ["2x11x18x9x2", "2x9x18x11x2"]),  # a round trip, both ways
        ("B:W32:B28", ["28-32"][:0]),  # blocked: lost
    ],
)
def test_moves(fen: str, legal: list[str]) -> None:
    position = checkers(fen)
    assert words(position) == sorted(legal)
    assert (position.outcome() == (-1, 1)) == (not legal)
