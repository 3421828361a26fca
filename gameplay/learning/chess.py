"""`python -m gameplay.learning.chess POSITIONS --out FILE.toml`: fit the weights of chess to positions.

POSITIONS is a file written by `gameplay.learning.chess_positions`. The evaluation is linear in its weights
except for king danger, so its derivatives are computed by changing one weight at a time. Gauss-Newton
iteration minimizes

    sum over positions of (expected_score(w . x) - expected_score(label))^2
        + RIDGE * sum of (w - initial w)^2 + SMOOTH * sum of (w - its neighbour in a table)^2

over the weights w, with expected_score(v) = 1 / (1 + exp(-v / SCALE)). A tenth of the games is held out to
measure the error. Use the result with `eval=FILE.toml`; --start FILE.toml sets the initial weights. Needs
numpy and scipy.
"""

import argparse
from pathlib import Path
from typing import Any

from gameplay import registry, weights
from gameplay.errors import BadInput, Usage
from gameplay.evaluation import select_evaluation
from gameplay.games.chess.evaluation import ChessEvaluation
from gameplay.learning.program import check_out, library, run

SCALE = 250.0  # centipawns for an expected score of 73 %
# Penalties of squared differences, in squared expected scores. Positions of one game are correlated: about
# ten count as one.
RIDGE = 4e-5  # from the initial weight
SMOOTH = 1e-4  # from the neighbour in a table
ITERATIONS = 5

Position = tuple[list[int], list[int], int]
Weights = dict[str, Any]  # by name, pairs


def read(fen: str) -> Position:
    """Parse a FEN: bitboards by piece type and by colour, and the turn."""
    board, turn = fen.split()[:2]
    kinds, colours = [0] * 6, [0] * 2
    for rank, row in enumerate(reversed(board.split("/"))):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
                continue
            bit = 1 << (8 * rank + file)
            kinds["pnbrqk".index(letter.lower())] |= bit
            colours[letter.islower()] |= bit
            file += 1
    return kinds, colours, int(turn == "b")


def load(file: Path) -> tuple[list[Position], Any]:
    """Load positions and their labels, centipawns for White.

    Skips positions with three pieces or fewer, and those more than 30 plies after the last capture or pawn
    move. Raises BadInput with the line number.
    """
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
        raise BadInput(f"{file} has {len(positions)} usable positions; expected at least 1000")
    return positions, np.array(labels)


class Fit:
    """Computes values and derivatives of the evaluation on the positions of a fit."""

    def __init__(self, positions: list[Position], weights: Weights) -> None:
        np = library("numpy")
        self.evaluation: Any = ChessEvaluation()  # Any: compiled, without types
        self.positions = positions
        self.sign = np.array([1 - 2 * turn for _, _, turn in positions], dtype=np.float32)
        self.names = [(name, at) for name, pairs in weights.items() for at in range(len(pairs))]

    def values(self, weights: Weights) -> Any:
        """The values, in centipawns for White."""
        np = library("numpy")
        self.evaluation.set_weights(weights)
        value = self.evaluation.value
        return self.sign * np.array([value(*position) for position in self.positions], dtype=np.float32)

    def sums(self, weights: Weights) -> Any:
        """One row per position: middle game and endgame sums, phase, and scale factor in 64ths."""
        np = library("numpy")
        self.evaluation.set_weights(weights)
        value, sums = self.evaluation.value, self.evaluation.sums
        return np.array([(value(*position), *sums())[1:] for position in self.positions], dtype=np.float32)

    def derivatives(self, weights: Weights) -> Any:
        """Two columns per weight, middle game and endgame."""
        np = library("numpy")
        sparse = library("scipy.sparse")
        base = self.sums(weights)
        phase, factor = base[:, 2], base[:, 3]
        middle = phase / 24 * np.where(factor < 16, factor / 64, 1)
        ending = (24 - phase) / 24 * factor / 64
        columns = []
        for name, at in self.names:
            pairs = list(weights[name])
            one, two = pairs[at]
            danger = "danger" in name  # one number, not linear, that changes both sums
            step = 20 if danger else 1
            pairs[at] = (one + step, two + (not danger))
            difference = (self.sums({**weights, name: pairs}) - base)[:, :2] / step
            parts = (difference[:, 0] * middle, difference[:, 1] * ending)
            if danger:
                parts = (parts[0] + parts[1], 0 * parts[1])
            columns += [sparse.csc_matrix(part[:, None]) for part in parts]
        return sparse.hstack(columns, format="csr")


def expected_score(value: Any) -> Any:
    """Convert centipawns to an expected score, 0 to 1."""
    np = library("numpy")
    return 1 / (1 + np.exp(-value / SCALE))


def error(value: Any, label: Any) -> float:
    """The root mean square error of the expected score."""
    np = library("numpy")
    return float(np.sqrt(np.mean((expected_score(value) - expected_score(label)) ** 2)))


def neighbours(weights: Weights) -> Any:
    """A sparse matrix with a row for each pair of adjacent weights of a table: their difference."""
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
    """Return the change of the weights that minimizes the loss."""
    np = library("numpy")
    sparse = library("scipy.sparse")
    change = np.zeros(x.shape[1])
    ridge = RIDGE * np.eye(x.shape[1]) + SMOOTH * (smooth.T @ smooth).toarray()
    for _ in range(ITERATIONS):
        prediction = expected_score(base + x @ change)
        slope = prediction * (1 - prediction) / SCALE
        scaled = sparse.diags(slope.astype(np.float32)) @ x
        normal = (scaled.T @ scaled).toarray().astype(float) + ridge
        descent = scaled.T @ (expected_score(label) - prediction) - RIDGE * change
        descent -= SMOOTH * (smooth.T @ (smooth @ (initial + change)))
        change += np.linalg.solve(normal, descent)
    return change


def main() -> None:
    """Fit the weights and write them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", metavar="POSITIONS", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="weights file to write, .toml")
    parser.add_argument("--start", default="classic", help="initial weights, a file [those of the package]")
    parser.add_argument("--limit", type=int, default=10**9, help="positions to use [all]")
    args = parser.parse_args()
    np = library("numpy")
    library("scipy.sparse")
    check_out(args.out)
    start = select_evaluation(args.start, registry.game("chess").new())
    if start is None or start.name != "classic":
        raise Usage(f"--start expects a weights file of classic, not {args.start}")
    positions, label = load(args.file)
    positions, label = positions[: args.limit], label[: args.limit]
    initial: Weights = {name: list(pairs) for name, pairs in start.weights.items()}
    fit = Fit(positions, initial)
    train = np.arange(len(label)) // 500 % 10 != 0  # blocks, so that few games are in both sets
    base = fit.values(initial)
    print(f"{len(label)} positions; error {error(base[train], label[train]):.4f}", end="")
    print(f", held out {error(base[~train], label[~train]):.4f}")
    x = fit.derivatives(initial)
    flat = np.array([number for pairs in initial.values() for pair in pairs for number in pair], dtype=float)
    change = solve(x[train], base[train], label[train], flat, neighbours(initial))
    fitted: Weights = {name: [list(pair) for pair in pairs] for name, pairs in initial.items()}
    for (name, at), (one, two) in zip(fit.names, change.reshape(-1, 2), strict=True):
        fitted[name][at][0] += one
        fitted[name][at][1] += two
    fitted["tempo"] = initial["tempo"]  # labels come from a search, which overstates the tempo
    limit = start.max_weight
    fitted = {
        name: [tuple([max(-limit, min(limit, round(number))) for number in pair]) for pair in pairs]
        for name, pairs in fitted.items()
    }
    weights.write(
        start.with_weights(fitted), args.out, f"Fitted to {len(label)} positions of {args.file.name}."
    )
    values = fit.values(fitted)
    print(f"fitted: error {error(values[train], label[train]):.4f}", end="")
    print(f", held out {error(values[~train], label[~train]):.4f}")
    print(args.out)


if __name__ == "__main__":
    run(main)
