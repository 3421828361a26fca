"""`python -m gameplay.learning.chess_positions FILE`: label quiet positions with Stockfish's values.

Writes the training data of `gameplay.learning.chess`, a line per position: FEN;CENTIPAWNS for White. The
positions are from self-play of Stockfish at NODES nodes per move, with some random moves. A game begins with
random moves, or in one of three cases with a random endgame. Needs python-chess and Stockfish, on one core.
The games depend on --seed only, their number on the speed of the machine.
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

NODES = 2500  # per search of Stockfish
DECIDED = 1500  # centipawns: a game with a greater value ends


class Oracle:
    """A Stockfish process that searches one position at a time."""

    def __init__(self) -> None:
        program = shutil.which("stockfish", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games")
        if program is None:
            raise Usage("stockfish is not on the PATH: install it")
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send("uci\nsetoption name Hash value 8\nsetoption name Threads value 1")

    def send(self, line: str) -> None:
        """Send a line."""
        assert self.process.stdin
        self.process.stdin.write(line + "\n")

    def search(self, fen: str) -> tuple[str, int | None]:
        """Return the best move and its value in centipawns for the mover, None for a mate."""
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
        raise EOFError("Stockfish has exited")


def ending(rng: random.Random) -> Any:
    """A random endgame: up to three pieces besides the king and about five pawns for each side."""
    chess = library("chess")
    while True:
        board = chess.Board(None)
        squares = rng.sample(range(64), 20)
        for colour in chess.COLORS:
            board.set_piece_at(squares.pop(), chess.Piece(chess.KING, colour))
        pieces = [rng.choice("nbrq") for _ in range(rng.choice((0, 1, 1, 2, 2, 3)))]
        pawns = rng.randint(0, 5)
        for colour in chess.COLORS:
            side = pieces if rng.random() < 0.6 else [rng.choice("nbrq") for _ in pieces]
            for letter in side + ["p"] * max(0, pawns + rng.choice((-1, 0, 0, 0, 1))):
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
    """Play a game; return the lines of its quiet positions."""
    chess = library("chess")
    board = ending(rng) if rng.random() < 0.35 else opening(rng)
    lines = []
    random_share = rng.choice((0.0, 0.1, 0.2))  # of moves
    while not board.is_game_over(claim_draw=True) and board.ply() < 220:
        word, value = oracle.search(board.fen())
        if value is None or abs(value) > DECIDED:
            break
        move = chess.Move.from_uci(word)
        if not board.is_check() and not board.is_capture(move) and not move.promotion:
            lines.append(f"{board.fen()};{value if board.turn else -value}\n")
        if rng.random() < random_share:
            move = rng.choice(list(board.legal_moves))
        board.push(move)
        if rng.random() < 0.15 and not board.is_game_over():  # an extra random move, for variety
            board.push(rng.choice(list(board.legal_moves)))
    return lines


def main() -> None:
    """Write positions until the time is over."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help="file to write")
    parser.add_argument("--minutes", type=float, default=8, help="time to run [8]")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    library("chess")
    rng = random.Random(args.seed)
    oracle = Oracle()
    end = time.monotonic() + 60 * args.minutes
    with args.file.open("w") as file:
        while time.monotonic() < end:
            file.writelines(game(oracle, rng))
    oracle.send("quit")


if __name__ == "__main__":
    run(main)
