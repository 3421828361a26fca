"""`python -m gameplay.learning.chess POSITIONS --out FILE.toml`: fits the weights of chess to positions.

POSITIONS is what `gameplay.learning.chess_positions` wrote: positions, each with its worth. The evaluation is
linear in its weights but for the danger of a king, so its derivatives are found by changing one weight at a
time. With them the weights w that minimise

    sum over positions of (chances(w . x) - chances(label))^2
        + RIDGE * sum of (w - where it started)^2 + SMOOTH * sum of (w - its neighbour in a table)^2

are found by Gauss and Newton's iteration, where chances(v) = 1 / (1 + exp(-v / STEEP)). A tenth of the games
is held back to see what the fit is worth on positions it has not met. `eval=FILE.toml` plays by what was
found; --start FILE.toml begins with other weights than those of the package. Needs numpy and scipy.
"""

import argparse
from pathlib import Path
from typing import Any

from gameplay import registry, weights
from gameplay.errors import BadInput, Usage
from gameplay.evaluation import select_evaluation
from gameplay.games.chess.evaluation import ChessEvaluation
from gameplay.learning.program import library, run

STEEP = 250.0  # centipawns that make chances of 73 %
# What a weight's square may cost, in squares of chances: positions of one game are much alike, so that the
# errors of ten or so count once.
RIDGE = 4e-5  # for leaving the start
SMOOTH = 1e-4  # for differing from the neighbour in a table
ROUNDS = 5

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


def load(file: Path) -> tuple[list[Position], Any]:
    """Positions that are worth a lesson, and White's centipawns. Raises BadInput, with the line."""
    np = library("numpy")
    positions, labels = [], []
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file}: {getattr(error, 'strerror', None) or 'not a text file'}") from None
    for number, line in enumerate(lines, 1):
        try:
            fen, label = line.split(";")
            words = fen.split()
            if int(words[4]) <= 30 and sum(letter.isalpha() for letter in words[0]) > 3:
                positions.append(read(fen))
                labels.append(float(label))
        except (ValueError, IndexError):
            raise BadInput(f"{file}, line {number}: '{line}' should read FEN;CENTIPAWNS") from None
    if len(positions) < 1000:
        raise BadInput(f"{file} has {len(positions)} positions that are worth a lesson: 1000 is too few")
    return positions, np.array(labels)


class Fit:
    """The evaluation's values and derivatives on some positions."""

    def __init__(self, positions: list[Position], weights: Weights) -> None:
        np = library("numpy")
        self.evaluation: Any = ChessEvaluation()  # Any: compiled, without types
        self.positions = positions
        self.sign = np.array([1 - 2 * turn for _, _, turn in positions], dtype=np.float32)
        self.names = [(name, at) for name, pairs in weights.items() for at in range(len(pairs))]

    def values(self, weights: Weights) -> Any:
        """White's view."""
        np = library("numpy")
        self.evaluation.set_weights(weights)
        value = self.evaluation.value
        return self.sign * np.array([value(*position) for position in self.positions], dtype=np.float32)

    def sums(self, weights: Weights) -> Any:
        """Middle game, ending, phase and 64ths that count, a row a position."""
        np = library("numpy")
        self.evaluation.set_weights(weights)
        value, sums = self.evaluation.value, self.evaluation.sums
        return np.array([(value(*position), *sums())[1:] for position in self.positions], dtype=np.float32)

    def derivatives(self, weights: Weights) -> Any:
        """Two columns a weight, middle game and ending."""
        np = library("numpy")
        sparse = library("scipy.sparse")
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


def chances(value: Any) -> Any:
    """A value as a probability to win, draws counted half."""
    np = library("numpy")
    return 1 / (1 + np.exp(-value / STEEP))


def error(value: Any, label: Any) -> float:
    """The root of the mean square, in chances."""
    np = library("numpy")
    return float(np.sqrt(np.mean((chances(value) - chances(label)) ** 2)))


def neighbours(weights: Weights) -> Any:
    """A row for each two weights of a table that lie side by side, their difference."""
    np = library("numpy")
    sparse = library("scipy.sparse")
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


def solve(x: Any, base: Any, label: Any, initial: Any, smooth: Any) -> Any:
    """The change of the weights that fits best."""
    np = library("numpy")
    sparse = library("scipy.sparse")
    change = np.zeros(x.shape[1])
    ridge = RIDGE * np.eye(x.shape[1]) + SMOOTH * (smooth.T @ smooth).toarray()
    for _ in range(ROUNDS):
        guess = chances(base + x @ change)
        slope = guess * (1 - guess) / STEEP
        scaled = sparse.diags(slope.astype(np.float32)) @ x
        normal = (scaled.T @ scaled).toarray().astype(float) + ridge
        pull = scaled.T @ (chances(label) - guess) - RIDGE * change
        pull -= SMOOTH * (smooth.T @ (smooth @ (initial + change)))
        change += np.linalg.solve(normal, pull)
    return change


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", metavar="POSITIONS", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="the file of weights, .toml")
    parser.add_argument("--start", default="classic", help="weights to begin with, a file (default: ours)")
    parser.add_argument("--most", type=int, default=10**9, help="positions to use")
    asked = parser.parse_args()
    np = library("numpy")
    library("scipy.sparse")
    if asked.out.suffix != ".toml":
        raise Usage(f"--out is a file that ends with .toml, not {asked.out}")
    start = select_evaluation(asked.start, registry.game("chess").new())
    if start is None or start.name != "classic":
        raise Usage(f"--start is a file of weights of classic, not {asked.start}")
    positions, label = load(asked.file)
    positions, label = positions[: asked.most], label[: asked.most]
    first: Weights = {name: list(pairs) for name, pairs in start.weights.items()}
    fit = Fit(positions, first)
    train = np.arange(len(label)) // 500 % 10 != 0  # whole stretches of games held back
    base = fit.values(first)
    print(f"{len(label)} positions; error {error(base[train], label[train]):.4f}", end="")
    print(f", held back {error(base[~train], label[~train]):.4f}")
    x = fit.derivatives(first)
    flat = np.array([number for pairs in first.values() for pair in pairs for number in pair], dtype=float)
    change = solve(x[train], base[train], label[train], flat, neighbours(first))
    fitted: Weights = {name: [list(pair) for pair in pairs] for name, pairs in first.items()}
    for (name, at), (one, two) in zip(fit.names, change.reshape(-1, 2), strict=True):
        fitted[name][at][0] += one
        fitted[name][at][1] += two
    fitted["tempo"] = first["tempo"]  # the label's search sees more of what the mover can do
    most = start.most
    fitted = {
        name: [tuple([max(-most, min(most, round(one))) for one in pair]) for pair in pairs]
        for name, pairs in fitted.items()
    }
    weights.write(start.weighed(fitted), asked.out, f"Fitted to {len(label)} positions of {asked.file.name}.")
    found = fit.values(fitted)
    print(f"fitted: error {error(found[train], label[train]):.4f}", end="")
    print(f", held back {error(found[~train], label[~train]):.4f}")
    print(asked.out)


if __name__ == "__main__":
    run(main)
