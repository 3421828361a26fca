"""`python -m benchmarks.tune_chess FILE`: fit the weights of the chess evaluation to labelled positions.

FILE is what `benchmarks.label_chess` wrote. The evaluation is linear in its weights but for the danger of a
king, so its derivatives are found by changing one weight at a time. With them the weights w that minimise

    sum over positions of (chances(w . x) - chances(label))^2 + RIDGE * sum of (w - where it started)^2

are found by Gauss and Newton's iteration, where chances(v) = 1 / (1 + exp(-v / STEEP)). A tenth of the games
is held back to see what the fit is worth on positions it has not met. Writes
`gameplay/evaluations/chess_weights.py`, comments and all. Needs numpy and scipy.
"""

import argparse
import re
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from gameplay.evaluations import chess_weights
from gameplay.evaluations.chess import ChessEvaluation

STEEP = 250.0  # centipawns that make chances of 73 %
RIDGE = 2e-5  # on the mean
ROUNDS = 5
PAWN = 105.0  # what a pawn is worth in the end, on average of middle game and ending
FILE = Path(chess_weights.__file__).with_suffix(".py")

Position = tuple[list[int], list[int], int]


def read(fen: str) -> Position:
    """Kinds, colours and turn."""
    board, turn = fen.split()[:2]
    kinds, colours = [0] * 6, [0] * 2
    for up, row in enumerate(reversed(board.split("/"))):
        across = 0
        for letter in row:
            if letter.isdigit():
                across += int(letter)
                continue
            bit = 1 << (8 * up + across)
            kinds["pnbrqk".index(letter.lower())] |= bit
            colours[letter.islower()] |= bit
            across += 1
    return kinds, colours, int(turn == "b")


def load(file: Path) -> tuple[list[Position], np.ndarray]:
    """Positions that are worth a lesson, and White's centipawns."""
    positions, labels = [], []
    for line in file.read_text().splitlines():
        fen, label = line.split(";")
        words = fen.split()
        if int(words[4]) <= 30 and sum(letter.isalpha() for letter in words[0]) > 3:
            positions.append(read(fen))
            labels.append(float(label))
    return positions, np.array(labels)


class Fit:
    """The evaluation's values and derivatives on some positions."""

    def __init__(self, positions: list[Position], weights: dict[str, list[tuple[int, int]]]) -> None:
        self.evaluation = ChessEvaluation()
        self.positions = positions
        self.sign = np.array([1 - 2 * turn for _, _, turn in positions], dtype=np.float32)
        self.names = [
            (name, at, side)
            for name, pairs in weights.items()
            for at in range(len(pairs))
            for side in (0, 1)
            if not (side and "danger" in name)
        ]

    def values(self, weights: dict[str, Any]) -> np.ndarray:
        """White's view."""
        self.evaluation.weigh(weights)
        value = self.evaluation.value
        return self.sign * np.array([value(*position) for position in self.positions], dtype=np.float32)

    def derivatives(self, weights: dict[str, Any], base: np.ndarray) -> sparse.csc_matrix:
        """A column a weight."""
        columns = []
        empty = sparse.csc_matrix((len(base), 1), dtype=np.float32)
        for name, at, side in self.names:
            if side and not columns[-1].nnz and name != "runner":  # it occurs nowhere
                columns.append(empty)
                continue
            step = 20 if "danger" in name else 96
            pairs = list(weights[name])
            pair = list(pairs[at])
            pair[side] += step
            pairs[at] = tuple(pair)
            found = (self.values({**weights, name: pairs}) - base) / step
            columns.append(sparse.csc_matrix(found[:, None]))
        return sparse.hstack(columns, format="csr")


def chances(value: np.ndarray) -> np.ndarray:
    """A value as a probability to win, draws counted half."""
    return 1 / (1 + np.exp(-value / STEEP))


def error(value: np.ndarray, label: np.ndarray) -> float:
    """The root of the mean square, in chances."""
    return float(np.sqrt(np.mean((chances(value) - chances(label)) ** 2)))


def solve(x: sparse.csr_matrix, base: np.ndarray, label: np.ndarray, rounds: int) -> np.ndarray:
    """The change of the weights that fits best."""
    change = np.zeros(x.shape[1])
    ridge = RIDGE * x.shape[0] / STEEP**2
    for _ in range(rounds):
        guess = chances(base + x @ change)
        slope = guess * (1 - guess) / STEEP
        scaled = sparse.diags(slope.astype(np.float32)) @ x
        normal = (scaled.T @ scaled).toarray().astype(float) + ridge * np.eye(x.shape[1])
        pull = scaled.T @ (chances(label) - guess) - ridge * change
        change += np.linalg.solve(normal, pull)
    return change


def write(weights: dict[str, list[tuple[int, int]]]) -> None:
    """Put the numbers into the module, as they stand there: as many a line, the comments kept."""
    text = FILE.read_text()
    for name, pairs in weights.items():
        start = text.index(f'"{name}": [\n') + len(f'"{name}": [\n')
        end = text.index("    ],", start)
        row = text[start:end].splitlines()[0].count("(")
        lines = [
            "        " + ", ".join(f"({m}, {e})" for m, e in pairs[i : i + row]) + ",\n"
            for i in range(0, len(pairs), row)
        ]
        text = text[:start] + "".join(lines) + text[end:]
    FILE.write_text(re.sub(r"\n{3,}(?=    )", "\n", text))


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--most", type=int, default=10**9, help="positions to use")
    asked = parser.parse_args()
    positions, label = load(asked.file)
    positions, label = positions[: asked.most], label[: asked.most]
    weights: dict[str, Any] = {name: list(pairs) for name, pairs in chess_weights.WEIGHTS.items()}
    fit = Fit(positions, weights)
    train = np.arange(len(label)) // 500 % 10 != 0  # whole stretches of games held back
    base = fit.values(weights)
    print(f"{len(label)} positions; error {error(base[train], label[train]):.4f}", end="")
    print(f", held back {error(base[~train], label[~train]):.4f}", flush=True)
    x = fit.derivatives(weights, base)
    change = solve(x[train], base[train], label[train], ROUNDS)
    fitted: dict[str, Any] = {name: [list(pair) for pair in pairs] for name, pairs in weights.items()}
    for (name, at, side), by in zip(fit.names, change, strict=True):
        fitted[name][at][side] += by
    size = PAWN / (sum(fitted["material"][0]) / 2)
    for name, pairs in fitted.items():
        factor = size if "danger" not in name else size**0.5
        fitted[name] = [(round(m * factor), round(e * factor)) for m, e in pairs]
    write(fitted)
    found = fit.values(fitted) / size
    print(f"fitted: error {error(found[train], label[train]):.4f}", end="")
    print(f", held back {error(found[~train], label[~train]):.4f}; scaled by {size:.2f}")


if __name__ == "__main__":
    main()
