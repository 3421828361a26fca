"""Fingerprints of positions: stable across versions, equal under symmetry, distinct by pass and ko."""

from collections.abc import Iterator
from hashlib import blake2b
from random import Random
from typing import Any

import pytest

from gameplay import registry
from gameplay.kernel import compiled
from gameplay.knowledge.books.fingerprint import fingerprint
from tests.support.books import ANSWERS, _folder

assert _folder  # fixture


@pytest.mark.parametrize("start", ANSWERS["start"], ids=lambda start: str(start["game"]))
def test_fingerprints_are_stable(start: dict[str, str]) -> None:
    position = registry.game(start["game"]).new()
    digest = blake2b(start["diagram"].encode(), digest_size=8).digest()
    assert position.diagram() == start["diagram"]
    assert f"{fingerprint(position):016x}" == start["fingerprint"] == digest[::-1].hex()


@pytest.mark.parametrize(
    ("spec", "plays", "plies"),
    [
        ("tictactoe", 60, 9),
        ("tictactoe:width=4,height=3", 30, 6),
        ("connect4:columns=4,rows=4", 40, 12),
        ("othello", 12, 5),
        ("go:size=5", 20, 4),
        ("nim:heaps=2+2+3", 40, 7),
        ("chess", 8, 4),
        ("checkers", 20, 6),
    ],
)
def test_positions_with_equal_fingerprints_have_equal_moves(spec: str, plays: int, plies: int) -> None:
    game, rng = registry.game(spec), Random(spec)
    positions: dict[str, tuple[Any, ...]] = {}
    met = 0
    for _ in range(plays if compiled() else plays // 4):
        position = game.new()
        for _ in range(plies):
            if position.outcome() is not None:
                break
            diagram = position.diagram()
            future = (position.turn, len(position.moves()), sorted(_diagrams(position)))
            met += diagram in positions
            assert positions.setdefault(diagram, future) == future, diagram
            position.make(rng.choice(position.moves()))
    assert met, "no position came again"


def _diagrams(position: Any) -> Iterator[str]:
    for move in position.moves():
        position.make(move)
        yield f"{position.diagram()} {position.outcome()}"
        position.unmake()


@pytest.mark.parametrize(
    ("spec", "lines"),
    [
        ("tictactoe", ["a1 b2", "c1 b2", "a3 b2", "c3 b2"]),
        ("connect4", ["3 1", "5 7"]),
        ("othello", ["f5 d6", "e6 f4", "c4 e3", "d3 c5"]),
        ("go:size=9", ["C3 G4", "G3 C4", "C7 G6", "C3 D7", "G7 F3"]),
        ("nim:heaps=3+4+4", ["b1", "c1"]),
    ],
)
def test_symmetric_positions_share_a_fingerprint(spec: str, lines: list[str]) -> None:
    game = registry.game(spec)
    results = set()
    for line in lines:
        position = game.new()
        for word in line.split():
            position.make(position.parse(word))
        results.add(fingerprint(position))
    assert len(results) == 1


def test_a_pass_and_a_ko_are_part_of_a_position() -> None:
    go = registry.game("go:size=5")
    diagrams = {go.new(text).diagram() for text in ("C3", "C3 pass", "C3 pass pass")}
    assert len(diagrams) == 3
    rows = ".XO../XO.O./.XO../...../....."
    taken, other = go.new(f"{rows} black C4"), go.new(".XO../X.XO./.XO../...../..... white")
    assert "k" in taken.diagram() and taken.diagram().replace("k", ".") == other.diagram()
