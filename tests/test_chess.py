"""Chess against numbers that others made, and against an independent implementation move by move."""

import tomllib
from pathlib import Path

import pytest

from gameplay import registry
from gameplay.kernel import compiled

ANSWERS = tomllib.loads(Path(__file__).with_name("answers").joinpath("chess_perft.toml").read_text())
LEAVES = 3_000_000 if compiled() else 9_000


def chess(text=None, **parameters):
    options = ",".join(f"{name}={value}" for name, value in parameters.items())
    return registry.game(f"chess:{options}" if options else "chess").new(text)


@pytest.mark.parametrize("answer", ANSWERS["perft"], ids=lambda answer: answer["fen"])
def test_perft(answer):
    position = chess(answer["fen"])
    for depth, leaves in enumerate(answer["leaves"], 1):
        if leaves <= LEAVES:
            assert position.perft(depth) == leaves


def leaves(position, depth):
    """Perft by the contract alone."""
    if depth == 0:
        return 1
    total = 0
    for move in position.moves():
        position.make(move)
        total += leaves(position, depth - 1)
        position.unmake()
    return total


def test_making_each_move_counts_the_same():
    """Where no line comes to a draw, which ends it, but not a line of perft."""
    for answer in ANSWERS["perft"][:6]:
        depth = len([n for n in answer["leaves"] if n <= (20_000 if compiled() else 500)])
        assert leaves(chess(answer["fen"]), depth) == answer["leaves"][depth - 1]
