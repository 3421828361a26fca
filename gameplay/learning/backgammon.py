"""`python -m gameplay.learning.backgammon bearoff`: makes the table of bearing off, `bearoff.bin`.
`python -m gameplay.learning.backgammon fit --out FILE.toml`: fits the weights of the evaluation `terms`.
`python -m gameplay.learning.backgammon learned --network FILE --out FILE.toml`: makes those of `learned`.

The table holds, for each placement of up to 15 men on the last six points, the distribution of the number of
rolls that bear them off when each turn minimizes its mean. It is computed from the fewest pips up, in a
minute.

The fit needs numpy and gnubg-nn, the nets of GNU Backgammon. Its engine plays against itself, now and then
a move that it does not like best, so that positions differ; of each turn the four best positions and one more
are kept, with what the net expects without looking ahead. The weights that minimise the sum of the squared
errors and of RIDGE times the squares of the weights are found by solving the normal equations; a tenth of the
positions is held back, to see what the fit is worth on others.
"""

import argparse
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
KEPT = 4  # positions of each turn that are learned from, beside one that is drawn
ASIDE = 0.12  # the share of turns in which any move is played; in as many again one of the best
MEN = 15  # of a side
ODDS = 65535  # of the table are in so many parts

Home = tuple[int, ...]  # men on the points 1 to 6


# -- bearing off -------------------------------------------------------------------------------------


def index(home: Home) -> int:
    """The number of a way to have men on six points, from 0 to 54,263."""
    return sum(comb(sum(home[: i + 1]) + i, i + 1) for i in range(6))


def homes() -> list[Home]:
    """All ways to have up to 15 men on six points, by pips."""
    found = [home for home in product(range(MEN + 1), repeat=6) if sum(home) <= MEN]
    return sorted(found, key=lambda home: sum((i + 1) * men for i, men in enumerate(home)))


def after(home: Home, die: int) -> list[Home]:
    """What a die can lead to; the same men if it cannot be played."""
    found = []
    highest = max((i for i in range(6) if home[i]), default=-1)
    for i in range(6):
        if home[i] and (i + 1 >= die or i == highest):
            men = list(home)
            men[i] -= 1
            if i + 1 > die:
                men[i - die] += 1
            found.append(tuple(men))
    return found or [home]


def distributions() -> dict[Home, list[float]]:
    """By the men on six points: the probabilities that 0, 1, 2, ... rolls clear them."""
    every = homes()
    odds: dict[Home, list[float]] = {every[0]: [1.0]}
    mean: dict[Home, float] = {every[0]: 0.0}
    for home in every[1:]:
        found, expected = [0.0] * 40, 1.0
        for high in range(1, 7):
            for low in range(1, high + 1):
                dice = [(high, low), (low, high)] if high != low else [(high,) * 4]
                best = min((end for order in dice for end in _played(home, order)), key=mean.__getitem__)
                share = 2 / 36 if high != low else 1 / 36
                expected += share * mean[best]
                for number, odd in enumerate(odds[best]):
                    found[number + 1] += share * odd
        while not found[-1]:
            found.pop()
        odds[home], mean[home] = found, expected
    return odds


def _played(home: Home, dice: Sequence[int]) -> set[Home]:
    ends = {home}
    for die in dice:
        ends = {end for start in ends for end in after(start, die)}
    return ends


def packed(odds: dict[Home, list[float]]) -> bytes:
    """The table as `gameplay.games.backgammon.evaluation` reads it, before it is packed."""
    from array import array

    first, count, chance = bytearray(), bytearray(), array("H")
    for home in sorted(odds, key=index):
        parts = [round(odd * ODDS) for odd in odds[home]]
        least = next(number for number, part in enumerate(parts) if part)
        while not parts[-1]:
            parts.pop()
        parts[parts.index(max(parts))] += ODDS - sum(parts)
        first.append(least)
        count.append(len(parts) - least)
        chance.extend(parts[least:])
    return bytes(first) + bytes(count) + chance.tobytes()


# -- contact -----------------------------------------------------------------------------------------

Sample = tuple[list[tuple[int, int]], float]  # terms with their amounts, and the equity


def rearmost(men: Sequence[int]) -> int:
    """A side's last man."""
    return max((point for point in range(1, 26) if men[point]), default=0)


def game(rng: Random, net: Any) -> list[Sample]:
    """Samples from a game of the net against itself."""
    position = Backgammon()
    samples: list[Sample] = []
    while position.outcome() is None:
        moves = position.moves()
        if position.turn == CHANCE:
            position.make(rng.choices(moves, position.chances())[0])
            continue
        me, found = position.turn, []
        for move in moves if len(moves) <= 24 else rng.sample(moves, 24):
            position.make(move)
            sample, worth = None, 3.0
            if position.outcome() is None:
                mine, theirs = position.checkers(me), position.checkers(1 - me)
                worth = -equity(net, mine, theirs)
                if rearmost(mine) + rearmost(theirs) >= 25:
                    sample = (position.terms(), -worth)
            position.unmake()
            found.append((worth, move, sample))
        found.sort(key=lambda one: -one[0])
        learned = [*found[:KEPT], *([rng.choice(found[KEPT:])] if found[KEPT:] else [])]
        samples += [sample for _, _, sample in learned if sample is not None]
        aside = rng.random()
        among = found if aside < ASIDE else found[:KEPT] if aside < 2 * ASIDE else found[:1]
        position.make(rng.choice(among)[1])
    return samples


def equity(net: Any, waiting: Sequence[int], rolling: Sequence[int]) -> float:
    """What the net expects for the side on roll, in points, without the cube."""
    board = [[*men[1:25], men[25]] for men in (waiting, rolling)]
    won, gammon, backgammon, lost, worse = net.probabilities(board, 0)
    return float(2 * won - 1 + gammon + backgammon - lost - worse)


def fitted(samples: list[Sample], progress: Callable[[str], None]) -> bytes:
    """The weights that fit the samples best."""
    numpy, sparse = library("numpy"), library("scipy.sparse")
    ends, which, amounts = [0], [], []
    for terms, _ in samples:
        for number, amount in terms:
            which.append(number)
            amounts.append(amount / 16)
        ends.append(len(which))
    matrix = sparse.csr_matrix((amounts, which, ends), shape=(len(samples), WEIGHTS))
    right = numpy.array([worth for _, worth in samples])

    def solved(rows: Any, worth: Any) -> Any:
        normal = (rows.T @ rows).toarray()
        normal[numpy.diag_indices(WEIGHTS)] += RIDGE
        return numpy.linalg.solve(normal, rows.T @ worth)

    cut = len(samples) * 9 // 10
    errors = numpy.clip(matrix[cut:] @ solved(matrix[:cut], right[:cut]), -3, 3) - right[cut:]
    progress(
        f"{len(samples):,} positions; on those held back the error is {numpy.abs(errors).mean():.3f} points"
    )
    rounded = numpy.clip(numpy.round(1000 * solved(matrix, right)), -32000, 32000)
    return bytes(rounded.astype("<i2").tobytes())


def contact_weights(source: Path) -> bytes:
    """The weights of a learned network as `gameplay.games.backgammon.contact_network` reads them.

    Amounts other than 1 are taken into the weights, so that inputs are numbers of checkers. Raises BadInput
    for a file that holds no such network, ValueError for weights that are too large.
    """
    from gameplay.native.packing import unpack
    from gameplay.networks import weights as networks

    network = networks.read(source, "backgammon")
    inputs, units, outputs = backgammon.INPUTS, backgammon.UNITS, backgammon.OUTPUTS
    if network.hidden != (units,):
        raise BadInput(f"{source} is a network of {network.hidden} hidden units: expected {units}")
    values = array("f", bytes(4 * ((inputs + 1) * units + (units + 1) * outputs)))
    unpack(network.packed, network.numbers, memoryview(values))
    shares = {95: 1 / 2, **dict.fromkeys(range(3, 95, 4), 1 / 2), 96: 1 / 2, 97: 1 / 15}  # by input of a side
    for row in range(inputs):
        for at in range(row * units, (row + 1) * units):
            values[at] *= shares.get(row % (inputs // 2), 1)
    return array("h", [round(backgammon.SCALE * value) for value in values]).tobytes()


def main() -> None:
    """The program."""
    import zlib

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["bearoff", "fit", "learned"])
    parser.add_argument("--network", type=Path, help="weights.toml of a run that is to be the default")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    parser.add_argument("--games", type=int, default=2400, help="games to learn from [2400]")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.what == "bearoff":
        given.out.write_bytes(zlib.compress(packed(distributions()), 9))
        return
    if given.what == "learned":
        made = backgammon.EVALUATIONS["learned"].weighed(contact_weights(given.network))
        comment = [line for line in given.network.read_text().splitlines() if line.startswith("#")]
        weights.write(made, given.out, "\n".join([line[2:] for line in comment]))
        return
    net, rng = library("gnubg_nn"), Random(given.seed)
    samples: list[Sample] = []
    for number in range(given.games):
        samples += game(rng, net)
        if (number + 1) % 100 == 0:
            print(f"{number + 1} games, {len(samples):,} positions")
    found = backgammon.EVALUATIONS["terms"].weighed(fitted(samples, print))
    weights.write(found, given.out, "Weights of backgammon, fitted by gameplay.learning.backgammon.")


if __name__ == "__main__":
    run(main)
