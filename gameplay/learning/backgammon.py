"""Makes the data of the backgammon evaluations.

`python -m gameplay.learning.backgammon bearoff --out bearoff.bin`: compute the bear-off table.
`python -m gameplay.learning.backgammon fit --out FILE.toml`: fit the weights of the evaluation `terms`.
`python -m gameplay.learning.backgammon learned --network FILE --out FILE.toml`: make `learned` of a network.

The table holds, for each placement of up to 15 checkers on the home board, the distribution of the number of
rolls that bear them off when each turn minimizes its mean. It is computed by increasing pip count, in a
minute.

The fit needs numpy, scipy and gnubg-nn, the networks of GNU Backgammon. The network plays against itself at
0 plies, sometimes with a weaker move for variety. Samples are the BEST_MOVES best successors of each position
and a random other one, each with its 0-ply equity. Ridge regression (penalty RIDGE) by the normal equations
gives the weights; a tenth of the samples is held out to measure the error.
"""

import argparse
import zlib
from array import array
from collections.abc import Callable, Sequence
from itertools import product
from math import comb
from pathlib import Path
from random import Random
from typing import Any

from gameplay import weights
from gameplay.errors import BadInput
from gameplay.games.backgammon import evaluation as backgammon
from gameplay.games.backgammon.game import Backgammon
from gameplay.learning.program import library, run
from gameplay.position import CHANCE

RIDGE = 5.0
WEIGHTS = 1572  # of the evaluation
BEST_MOVES = 4  # successors of each position that are always sampled
RANDOM_MOVE = 0.12  # share of turns with a random move; in as many again a random one of BEST_MOVES
CHECKERS = 15  # of a side
INPUTS = 98  # of the network, of a side in each phase
FEATURES = 24  # of contact
ONE = 65535  # probability 1 in the table

Home = tuple[int, ...]  # checkers on the points 1 to 6


# -- bearing off -------------------------------------------------------------------------------------


def index(home: Home) -> int:
    """The index of a placement in the table, from 0 to 54,263."""
    return sum(comb(sum(home[: i + 1]) + i, i + 1) for i in range(6))


def homes() -> list[Home]:
    """All placements of up to 15 checkers, by pip count."""
    placements = [home for home in product(range(CHECKERS + 1), repeat=6) if sum(home) <= CHECKERS]
    return sorted(placements, key=lambda home: sum((i + 1) * checkers for i, checkers in enumerate(home)))


def successors(home: Home, die: int) -> list[Home]:
    """The placements after playing one die; the same placement if it cannot be played."""
    placements = []
    highest = max((i for i in range(6) if home[i]), default=-1)
    for i in range(6):
        if home[i] and (i + 1 >= die or i == highest):
            checkers = list(home)
            checkers[i] -= 1
            if i + 1 > die:
                checkers[i - die] += 1
            placements.append(tuple(checkers))
    return placements or [home]


def distributions() -> dict[Home, list[float]]:
    """For each placement: the probabilities that 0, 1, 2, ... rolls bear it off."""
    placements = homes()
    odds: dict[Home, list[float]] = {placements[0]: [1.0]}
    mean: dict[Home, float] = {placements[0]: 0.0}
    for home in placements[1:]:
        distribution, expected = [0.0] * 40, 1.0
        for high in range(1, 7):
            for low in range(1, high + 1):
                dice = [(high, low), (low, high)] if high != low else [(high,) * 4]
                best = min((end for order in dice for end in _play_dice(home, order)), key=mean.__getitem__)
                probability = 2 / 36 if high != low else 1 / 36
                expected += probability * mean[best]
                for rolls, odd in enumerate(odds[best]):
                    distribution[rolls + 1] += probability * odd
        while not distribution[-1]:
            distribution.pop()
        odds[home], mean[home] = distribution, expected
    return odds


def _play_dice(home: Home, dice: Sequence[int]) -> set[Home]:
    """The placements after playing these dice in this order."""
    ends = {home}
    for die in dice:
        ends = {end for start in ends for end in successors(start, die)}
    return ends


def pack_table(odds: dict[Home, list[float]]) -> bytes:
    """The table as `gameplay.games.backgammon.evaluation` reads it, before compression."""
    first, count, probabilities = bytearray(), bytearray(), array("H")
    for home in sorted(odds, key=index):
        parts = [round(odd * ONE) for odd in odds[home]]
        fewest = next(rolls for rolls, part in enumerate(parts) if part)
        while not parts[-1]:
            parts.pop()
        parts[parts.index(max(parts))] += ONE - sum(parts)
        first.append(fewest)
        count.append(len(parts) - fewest)
        probabilities.extend(parts[fewest:])
    return bytes(first) + bytes(count) + probabilities.tobytes()


# -- contact -----------------------------------------------------------------------------------------

Sample = tuple[list[tuple[int, int]], float]  # terms with their amounts, and the equity


def rearmost(checkers: Sequence[int]) -> int:
    """The point of a side's rearmost checker, 0 if all are off."""
    return max((point for point in range(1, 26) if checkers[point]), default=0)


def sample_game(rng: Random, network: Any) -> list[Sample]:
    """Play a game of the network against itself; return its samples with contact."""
    position = Backgammon()
    samples: list[Sample] = []
    while position.outcome() is None:
        moves = position.moves()
        if position.turn == CHANCE:
            position.make(rng.choices(moves, position.chances())[0])
            continue
        player, candidates = position.turn, []
        for move in moves if len(moves) <= 24 else rng.sample(moves, 24):
            position.make(move)
            sample, value = None, 3.0
            if position.outcome() is None:
                own, other = position.checkers(player), position.checkers(1 - player)
                value = -equity(network, own, other)
                if rearmost(own) + rearmost(other) >= 25:
                    sample = (position.terms(), -value)
            position.unmake()
            candidates.append((value, move, sample))
        candidates.sort(key=lambda candidate: -candidate[0])
        best, rest = candidates[:BEST_MOVES], candidates[BEST_MOVES:]
        sampled = [*best, *([rng.choice(rest)] if rest else [])]
        samples += [sample for _, _, sample in sampled if sample is not None]
        draw = rng.random()
        choices = candidates if draw < RANDOM_MOVE else best if draw < 2 * RANDOM_MOVE else best[:1]
        position.make(rng.choice(choices)[1])
    return samples


def equity(network: Any, waiting: Sequence[int], rolling: Sequence[int]) -> float:
    """The 0-ply cubeless equity of the side on roll, in points."""
    board = [[*checkers[1:25], checkers[25]] for checkers in (waiting, rolling)]
    won, gammon, backgammon, lost_gammon, lost_backgammon = network.probabilities(board, 0)
    return float(2 * won - 1 + gammon + backgammon - lost_gammon - lost_backgammon)


def fit_weights(samples: list[Sample], progress: Callable[[str], None]) -> bytes:
    """Fit the weights of `terms` to samples; report the held-out error."""
    numpy, sparse = library("numpy"), library("scipy.sparse")
    row_ends, columns, amounts = [0], [], []
    for terms, _ in samples:
        for column, amount in terms:
            columns.append(column)
            amounts.append(amount / 16)
        row_ends.append(len(columns))
    matrix = sparse.csr_matrix((amounts, columns, row_ends), shape=(len(samples), WEIGHTS))
    equities = numpy.array([value for _, value in samples])

    def solve(rows: Any, values: Any) -> Any:
        normal = (rows.T @ rows).toarray()
        normal[numpy.diag_indices(WEIGHTS)] += RIDGE
        return numpy.linalg.solve(normal, rows.T @ values)

    cut = len(samples) * 9 // 10
    errors = numpy.clip(matrix[cut:] @ solve(matrix[:cut], equities[:cut]), -3, 3) - equities[cut:]
    progress(f"{len(samples):,} positions; held-out error {numpy.abs(errors).mean():.3f} points")
    rounded = numpy.clip(numpy.round(1000 * solve(matrix, equities)), -32000, 32000)
    return bytes(rounded.astype("<i2").tobytes())


def contact_weights(source: Path) -> bytes:
    """The weights of a learned network as `gameplay.games.backgammon.learned_network` reads them.

    Input scales are multiplied into the weights, so that all inputs but the features of contact are checker
    counts. Raises BadInput for a file without such a network, ValueError for weights that are too large.
    """
    from gameplay.native.packing import unpack
    from gameplay.networks import weights as networks

    network = networks.read(source, "backgammon")
    inputs, *hidden, _ = backgammon.SIZES
    if list(network.hidden) != hidden:
        raise BadInput(f"{source} is a network of {network.hidden} hidden units: expected {hidden}")
    values = array("f", bytes(2 * backgammon.EVALUATIONS["learned"].size))
    unpack(network.packed, network.weight_scale, memoryview(values))
    scales = {95: 1 / 2, **dict.fromkeys(range(3, 95, 4), 1 / 2), 96: 1 / 2, 97: 1 / 15}  # by input of a side
    for row in range(inputs - FEATURES):
        for at in range(row * hidden[0], (row + 1) * hidden[0]):
            values[at] *= scales.get(row % INPUTS, 1)
    return array("h", [round(backgammon.SCALE * value) for value in values]).tobytes()


def main() -> None:
    """Parse the arguments and run a command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command", choices=["bearoff", "fit", "learned"])
    parser.add_argument("--network", type=Path, help="weights.toml of a learning run, for `learned`")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    parser.add_argument("--games", type=int, default=2400, help="games to learn from [2400]")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.command == "bearoff":
        args.out.write_bytes(zlib.compress(pack_table(distributions()), 9))
        return
    if args.command == "learned":
        evaluation = backgammon.EVALUATIONS["learned"].with_weights(contact_weights(args.network))
        comment = [line[2:] for line in args.network.read_text().splitlines() if line.startswith("#")]
        weights.write(evaluation, args.out, "\n".join(comment))
        return
    network, rng = library("gnubg_nn"), Random(args.seed)
    samples: list[Sample] = []
    for number in range(1, args.games + 1):
        samples += sample_game(rng, network)
        if number % 100 == 0:
            print(f"{number} games, {len(samples):,} positions")
    evaluation = backgammon.EVALUATIONS["terms"].with_weights(fit_weights(samples, print))
    weights.write(evaluation, args.out, "Weights of backgammon, fitted by gameplay.learning.backgammon.")


if __name__ == "__main__":
    run(main)
