"""`python -m gameplay.learning.chess_positions FILE`: quiet positions, each with Stockfish's opinion.

The raw material of `gameplay.learning.chess`. Games of Stockfish with itself at a few thousand nodes a move,
begun by random moves (or, every third, from a few pieces put on the board at random) and disturbed by
random moves since. One line a position: FEN; Stockfish's centipawns for White. Needs python-chess and
Stockfish, on one core. Runs for the time asked: the number of positions depends on the machine, the
games do not.
"""

import argparse
import os
import random
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from gameplay.errors import Usage
from gameplay.learning.program import library, run

NODES = 2500  # a search of Stockfish
DECIDED = 1500  # centipawns at which a game is left


class Oracle:
    """Stockfish, asked one position at a time."""

    def __init__(self) -> None:
        program = shutil.which("stockfish", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games")
        if program is None:
            raise Usage("this needs the program stockfish: it is not on the PATH")
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send("uci\nsetoption name Hash value 8\nsetoption name Threads value 1")

    def send(self, line: str) -> None:
        """Send a line."""
        assert self.process.stdin
        self.process.stdin.write(line + "\n")

    def ask(self, fen: str) -> tuple[str, int | None]:
        """The best move and its centipawns for the mover; None for a mate."""
        self.send(f"position fen {fen}\ngo nodes {NODES}")
        value: int | None = None
        assert self.process.stdout
        for line in self.process.stdout:
            words = line.split()
            if words[:1] == ["bestmove"]:
                return words[1], value
            if "score" in words and "bound" not in line:
                at = words.index("score")
                value = int(words[at + 2]) if words[at + 1] == "cp" else None
        raise EOFError("Stockfish has left")


def ending(rng: random.Random) -> Any:
    """A few pieces at random: up to three a side beside the king, and up to five pawns."""
    chess = library("chess")
    while True:
        board = chess.Board(None)
        squares = rng.sample(range(64), 20)
        for colour in chess.COLORS:
            board.set_piece_at(squares.pop(), chess.Piece(chess.KING, colour))
        pieces = [rng.choice("nbrq") for _ in range(rng.choice((0, 1, 1, 2, 2, 3)))]
        pawns = rng.randint(0, 5)
        for colour in chess.COLORS:
            own = pieces if rng.random() < 0.6 else [rng.choice("nbrq") for _ in pieces]
            men = own + ["p"] * max(0, pawns + rng.choice((-1, 0, 0, 0, 1)))
            for letter in men:
                square = squares.pop()
                kind = chess.Piece.from_symbol(letter).piece_type
                if kind != chess.PAWN or 8 <= square < 56:
                    board.set_piece_at(square, chess.Piece(kind, colour))
        board.turn = rng.random() < 0.5
        if board.is_valid() and not board.is_game_over():
            return board


def opening(rng: random.Random) -> Any:
    """Four to eleven random moves from the start."""
    chess = library("chess")
    while True:
        board = chess.Board()
        for _ in range(rng.randint(4, 11)):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            return board


def game(oracle: Oracle, rng: random.Random) -> list[str]:
    """The lines of one game's quiet positions."""
    chess = library("chess")
    board = ending(rng) if rng.random() < 0.35 else opening(rng)
    lines = []
    disturbance = rng.choice((0.0, 0.1, 0.2))
    while not board.is_game_over(claim_draw=True) and board.ply() < 220:
        word, value = oracle.ask(board.fen())
        if value is None or abs(value) > DECIDED:
            break
        move = chess.Move.from_uci(word)
        if not board.is_check() and not board.is_capture(move) and not move.promotion:
            lines.append(f"{board.fen()};{value if board.turn else -value}\n")
        if rng.random() < disturbance:
            move = rng.choice(list(board.legal_moves))
        board.push(move)
        if rng.random() < 0.15 and not board.is_game_over():  # both colours, and no line too alike
            board.push(rng.choice(list(board.legal_moves)))
    return lines


def main() -> None:
    """Write positions until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    library("chess")
    rng = random.Random(asked.seed)
    oracle = Oracle()
    end = time.monotonic() + 60 * asked.minutes
    with asked.file.open("w") as file:
        while time.monotonic() < end:
            file.writelines(game(oracle, rng))
    oracle.send("quit")


if __name__ == "__main__":
    run(main)
