"""`python -m benchmarks.tune_chess FILE`: fit the weights of the chess evaluation to labelled positions.

FILE is what `benchmarks.label_chess` wrote. The evaluation is linear in its weights but for the danger of a
king, so its derivatives are found by changing one weight at a time. With them the weights w that minimise

    sum over positions of (chances(w . x) - chances(label))^2
        + RIDGE * sum of (w - where it started)^2 + SMOOTH * sum of (w - its neighbour in a table)^2

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
# What a weight's square may cost, in squares of chances: positions of one game are much alike, so that the
# errors of ten or so count once.
RIDGE = 4e-5  # for leaving the start
SMOOTH = 1e-4  # for differing from the neighbour in a table
ROUNDS = 5
FILE = Path(chess_weights.__file__).with_suffix(".py")

Position = tuple[list[int], list[int], int]
Weights = dict[str, Any]  # by name, pairs


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

    def __init__(self, positions: list[Position], weights: Weights) -> None:
        self.evaluation = ChessEvaluation()
        self.positions = positions
        self.sign = np.array([1 - 2 * turn for _, _, turn in positions], dtype=np.float32)
        self.names = [(name, at) for name, pairs in weights.items() for at in range(len(pairs))]

    def values(self, weights: Weights) -> np.ndarray:
        """White's view."""
        self.evaluation.weigh(weights)
        value = self.evaluation.value
        return self.sign * np.array([value(*position) for position in self.positions], dtype=np.float32)

    def sums(self, weights: Weights) -> np.ndarray:
        """Middle game, ending, phase and 64ths that count, a row a position."""
        self.evaluation.weigh(weights)
        value, sums = self.evaluation.value, self.evaluation.sums
        return np.array([(value(*position), *sums())[1:] for position in self.positions], dtype=np.float32)

    def derivatives(self, weights: Weights) -> sparse.csr_matrix:
        """Two columns a weight, middle game and ending."""
        base = self.sums(weights)
        phase, counts = base[:, 2], base[:, 3]
        middle = phase / 24 * np.where(counts < 16, counts / 64, 1)
        ending = (24 - phase) / 24 * counts / 64
        columns = []
        for name, at in self.names:
            pairs = list(weights[name])
            one, two = pairs[at]
            danger = "danger" in name  # its unit shows in both, and not in proportion
            step = 20 if danger else 1
            pairs[at] = (one + step, two + (not danger))
            found = (self.sums({**weights, name: pairs}) - base)[:, :2] / step
            parts = (found[:, 0] * middle, found[:, 1] * ending)
            if danger:
                parts = (parts[0] + parts[1], 0 * parts[1])
            columns += [sparse.csc_matrix(part[:, None]) for part in parts]
        return sparse.hstack(columns, format="csr")


def chances(value: np.ndarray) -> np.ndarray:
    """A value as a probability to win, draws counted half."""
    return 1 / (1 + np.exp(-value / STEEP))


def error(value: np.ndarray, label: np.ndarray) -> float:
    """The root of the mean square, in chances."""
    return float(np.sqrt(np.mean((chances(value) - chances(label)) ** 2)))


def neighbours(weights: Weights) -> sparse.csr_matrix:
    """A row for each two weights of a table that lie side by side, their difference."""
    rows: list[tuple[int, int]] = []
    at = 0
    for name, pairs in weights.items():
        if name == "square":
            for i in range(len(pairs)):
                rows += [(at + i, at + i + 1)] if i % 4 < 3 else []
                rows += [(at + i, at + i + 4)] if i % 32 < 28 else []
        if name == "mobility":
            rows += [(at + i, at + i + 1) for i in range(len(pairs) - 1) if i not in (8, 22, 37)]
        at += len(pairs)
    pairs_of_sides = [(2 * a + side, 2 * b + side) for a, b in rows for side in (0, 1)]
    count = len(pairs_of_sides)
    values = np.concatenate([np.ones(count), -np.ones(count)])
    columns = np.array([a for a, _ in pairs_of_sides] + [b for _, b in pairs_of_sides])
    return sparse.csr_matrix((values, (np.tile(np.arange(count), 2), columns)), shape=(count, 2 * at))


def solve(
    x: sparse.csr_matrix, base: np.ndarray, label: np.ndarray, start: np.ndarray, smooth: sparse.csr_matrix
) -> np.ndarray:
    """The change of the weights that fits best."""
    change = np.zeros(x.shape[1])
    ridge = RIDGE * np.eye(x.shape[1]) + SMOOTH * (smooth.T @ smooth).toarray()
    for _ in range(ROUNDS):
        guess = chances(base + x @ change)
        slope = guess * (1 - guess) / STEEP
        scaled = sparse.diags(slope.astype(np.float32)) @ x
        normal = (scaled.T @ scaled).toarray().astype(float) + ridge
        pull = scaled.T @ (chances(label) - guess) - RIDGE * change
        pull -= SMOOTH * (smooth.T @ (smooth @ (start + change)))
        change += np.linalg.solve(normal, pull)
    return change


def write(weights: Weights) -> None:
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
    weights: Weights = {name: list(pairs) for name, pairs in chess_weights.WEIGHTS.items()}
    fit = Fit(positions, weights)
    train = np.arange(len(label)) // 500 % 10 != 0  # whole stretches of games held back
    base = fit.values(weights)
    print(f"{len(label)} positions; error {error(base[train], label[train]):.4f}", end="")
    print(f", held back {error(base[~train], label[~train]):.4f}", flush=True)
    x = fit.derivatives(weights)
    start = np.array([number for pairs in weights.values() for pair in pairs for number in pair], dtype=float)
    change = solve(x[train], base[train], label[train], start, neighbours(weights))
    fitted: Weights = {name: [list(pair) for pair in pairs] for name, pairs in weights.items()}
    for (name, at), (one, two) in zip(fit.names, change.reshape(-1, 2), strict=True):
        fitted[name][at][0] += one
        fitted[name][at][1] += two
    fitted["tempo"] = weights["tempo"]  # the label's search sees more of what the mover can do
    fitted = {name: [(round(one), round(two)) for one, two in pairs] for name, pairs in fitted.items()}
    write(fitted)
    found = fit.values(fitted)
    print(f"fitted: error {error(found[train], label[train]):.4f}", end="")
    print(f", held back {error(found[~train], label[~train]):.4f}")


if __name__ == "__main__":
    main()
