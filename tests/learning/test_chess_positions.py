"""Positions of chess for learning: labels by Stockfish, quiet positions."""

import random
import sys
import zlib
from types import SimpleNamespace

import pytest

from gameplay.learning import chess_positions
from tests.support.learning import run_program

STOCKFISH = """#!/bin/sh
while read -r line; do
  echo "$line" >> {log}
  case "$line" in
    "go nodes"*) head -n 1 {answers} | tr '|' '\\n'; sed -i 1d {answers}; [ -s {answers} ] || exit 0 ;;
  esac
done
"""


@pytest.mark.once
def test_stockfish_labels_have_move_and_value(monkeypatch, tmp_path):
    """Bounds are ignored, the last value counts, and a mate has no value in centipawns."""
    log, answers, program = tmp_path / "log", tmp_path / "answers", tmp_path / "stockfish"
    answers.write_text(
        "info depth 9 score cp 31 nodes 7|info depth 10 score cp 90 lowerbound|bestmove e2e4 ponder e7e5\n"
        "info score cp 5|info score mate 3|bestmove d1h5\ninfo depth 1 score cp 2\n"
    )
    program.write_text(STOCKFISH.format(log=log, answers=answers))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    oracle = chess_positions.Oracle()
    assert oracle.search("8/8 w - - 0 1") == ("e2e4", 31)
    assert oracle.search("8/9 w - - 0 1") == ("d1h5", None)
    with pytest.raises(EOFError, match="Stockfish has exited"):
        oracle.search("8/10 w - - 0 1")
    oracle.process.communicate()
    assert log.read_text().splitlines() == [
        "uci",
        "setoption name Hash value 8",
        "setoption name Threads value 1",
        *(line for n in (8, 9, 10) for line in (f"position fen 8/{n} w - - 0 1", "go nodes 2500")),
    ]


class FakeOracle:
    """Returns a move and a value that depend only on the FEN."""

    def __init__(self, value=lambda mixed: mixed % 3001 - 1500):
        self.value = value
        self.requests = []

    def send(self, line):
        self.requests.append(line)

    def search(self, fen):
        self.requests.append(fen)
        board = sys.modules["chess"].Board(fen)
        mixed = zlib.crc32(fen.encode())
        words = sorted(move.uci() for move in board.legal_moves)
        return words[mixed % len(words)], self.value(mixed)


@pytest.mark.once
def test_quiet_positions_are_selected_for_learning():
    chess = pytest.importorskip("chess")
    lines, request_counts = [], []
    for seed in (1, 2):
        oracle = FakeOracle()
        lines += chess_positions.game(oracle, random.Random(seed))
        request_counts.append(len(oracle.requests))
    assert (request_counts, len(lines), zlib.crc32("".join(lines).encode())) == ([76, 67], 125, 415606767)
    for value, many in ((None, 0), (1501, 0), (-1501, 0), (1500, 1), (-1500, 1)):
        positions = chess_positions.game(FakeOracle(lambda _, value=value: value), random.Random(1))
        assert bool(positions) == bool(many)
        for line in positions:
            board = chess.Board(line.split(";")[0])
            assert line.split(";")[1] == f"{value if board.turn else -value}\n"


@pytest.mark.once
def test_positions_are_written_until_the_time_is_over(monkeypatch, capsys, tmp_path):
    pytest.importorskip("chess")
    oracle, clock, seeds = FakeOracle(), iter(range(0, 10**6, 100)), []

    def game(player, rng):
        assert player is oracle
        seeds.append(rng.random())
        return [f"{len(seeds)}\n", "x\n"]

    monkeypatch.setattr(chess_positions, "Oracle", lambda: oracle)
    monkeypatch.setattr(chess_positions, "game", game)
    monkeypatch.setattr(chess_positions, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    out = tmp_path / "a.txt"
    for words, games, seed in (((), 4, 1), (("--minutes", 5, "--seed", 9), 2, 9)):
        seeds.clear()
        assert run_program(monkeypatch, capsys, chess_positions.main, out, *words) == (0, "", "")
        assert out.read_text() == "".join(f"{n}\nx\n" for n in range(1, games + 1))
        rng = random.Random(seed)
        assert seeds == [rng.random() for _ in range(games)]
        assert oracle.requests.pop() == "quit" and not oracle.requests
