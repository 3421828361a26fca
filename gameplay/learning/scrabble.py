"""Makes word lists and leave values for Scrabble.

`python -m gameplay.learning.scrabble words LIST --out FILE.words`: pack a word list into an automaton.
`python -m gameplay.learning.scrabble leaves --out FILE.toml`: learn leave values from self-play.

The value of a leave is the gain of the next turn over an average one. The static player (points plus leave)
plays itself; at each turn with enough tiles in the bag random racks are drawn from the unseen tiles, of
which one to six are the leave. The value of the best play of such a rack, by the current leave values, is a
sample for its leave. Ridge regression fits weights of tiles, of pairs of tiles and of the balance of vowels
and consonants to the samples; they are the leave values of the next round. Needs numpy.

Maven learned its leave values from self-play too: B. Sheppard, World-championship-caliber Scrabble,
Artificial Intelligence 134, 2002.
"""

import argparse
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from gameplay import registry, weights
from gameplay.capabilities import unchecked
from gameplay.errors import BadInput
from gameplay.games.scrabble.game import Scrabble
from gameplay.learning.program import library, run
from gameplay.position import CHANCE, AbstractEvaluation

KINDS, RACK = 27, 7
VOWELS = frozenset((1, 5, 9, 15, 21))
MIN_BAG = 14  # tiles in the bag at a turn that is sampled, at least
NOISE = 20.0  # standard deviation of a sample, in points
PRIOR = {"tiles": 10.0, "pairs": 2.0, "balance": 3.0}  # standard deviation of a weight, in points
SAMPLES_PER_TURN = 4

PAIRS = {pair: KINDS + n for n, pair in enumerate((a, b) for a in range(KINDS) for b in range(a + 1))}
BALANCE = {
    both: KINDS + len(PAIRS) + n for n, both in enumerate((v, c) for v in range(8) for c in range(8 - v))
}
COUNT = KINDS + len(PAIRS) + len(BALANCE)


def terms(tiles: list[int]) -> list[int]:
    """The indices of the weights whose sum is the value of a leave."""
    vowels = sum(tile in VOWELS for tile in tiles)
    consonants = sum(tile > 0 for tile in tiles) - vowels
    pairs = [PAIRS[max(pair), min(pair)] for pair in combinations(tiles, 2)]
    return [*tiles, *pairs, BALANCE[vowels, consonants]]


def samples(rng: Random, count: int, evaluation: AbstractEvaluation) -> list[tuple[list[int], float]]:
    """Sample `count` leaves in self-play: their terms, and the value of the best play in points."""
    rows: list[tuple[list[int], float]] = []
    while len(rows) < count:
        position = Scrabble()
        position.evaluation = evaluation
        while position.outcome() is None and (position.turn == CHANCE or position.bag_size() >= MIN_BAG):
            if position.turn == CHANCE:
                position.make(rng.choices(position.moves(), position.chances())[0])
                continue
            bag = position.bag()
            for tile in position.state.racks[position.turn]:
                bag[tile] += 1
            pool = [kind for kind, left in enumerate(bag) for _ in range(left)]
            for _ in range(SAMPLES_PER_TURN):
                rack = rng.sample(pool, RACK)
                leave = rack[: rng.randint(1, RACK - 1)]
                best = position.placer.plays(
                    position.state.cells, bytes(sorted(rack)), 1, position.bag_size()
                )
                rows.append((terms(leave), best[0][1] / position.unit))
            ((move, _),) = position.top_moves(1)
            unchecked(position)(move)
    return rows[:count]


def fit_weights(rows: list[tuple[list[int], float]], progress: Callable[[str], None]) -> dict[str, Any]:
    """Fit the weights to samples, in hundredths of a point; report the explained variance."""
    numpy = library("numpy")
    normal, right = numpy.zeros((COUNT + 1, COUNT + 1)), numpy.zeros(COUNT + 1)
    for start in range(0, len(rows), 10_000):
        part = rows[start : start + 10_000]
        matrix = numpy.zeros((len(part), COUNT + 1))
        matrix[:, COUNT] = 1
        for row, (indices, _) in zip(matrix, part, strict=True):
            for index in indices:
                row[index] += 1
        normal += matrix.T @ matrix
        right += matrix.T @ numpy.array([value for _, value in part])
    sizes = {"tiles": KINDS, "pairs": len(PAIRS), "balance": len(BALANCE)}
    ridge = [(NOISE / PRIOR[group]) ** 2 for group, size in sizes.items() for _ in range(size)]
    normal[range(COUNT), range(COUNT)] += ridge
    solution = numpy.linalg.solve(normal, right)
    mean = sum(value for _, value in rows) / len(rows)
    baseline = len(rows) * mean**2
    squares = sum(value * value for _, value in rows)
    progress(f"mean {mean:.2f}, explained {(right @ solution - baseline) / (squares - baseline):.3f}")
    rounded = [round(100 * float(weight)) for weight in solution]
    balance = [[rounded[BALANCE[v, c]] if v + c < 8 else 0 for c in range(8)] for v in range(8)]
    empty = balance[0][0]  # values are relative to the empty leave
    return {
        "tiles": rounded[:KINDS],
        "pairs": [[rounded[PAIRS[max(a, b), min(a, b)]] for b in range(KINDS)] for a in range(KINDS)],
        "balance": [[weight - empty if weight else 0 for weight in row] for row in balance],
    }


def main() -> None:
    """Parse the arguments and run a command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command", choices=["words", "leaves"])
    parser.add_argument("list", nargs="?", type=Path, help="word list: a word per line, # for comments")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    parser.add_argument("--name", default="", help="name of the word list [that of its file]")
    parser.add_argument("--samples", type=int, default=400_000, help="samples per round [400,000]")
    parser.add_argument("--rounds", type=int, default=3, help="rounds [3]")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.command == "words":
        if args.list is None:
            raise BadInput("words requires a word list. Try: words LIST --out FILE.words")
        position = Scrabble(words=str(args.list))
        args.out.write_bytes(position.pack_words(args.name or args.list.stem))
        print(f"{args.out}: {position.lexicon.words:,} words, {args.out.stat().st_size:,} bytes")
        return
    evaluation: AbstractEvaluation = registry.game("scrabble").new().evaluations["leaves"]
    for number in range(args.rounds):
        rows = samples(Random(f"{args.seed}/{number}"), args.samples, evaluation)
        print(f"round {number + 1}: {len(rows):,} samples")
        evaluation = evaluation.with_weights(fit_weights(rows, print))
        evaluation.game = "scrabble"
        comment = "Values of Scrabble leaves, in hundredths of a point.\nLearned by "
        comment += f"gameplay.learning.scrabble: {number + 1} rounds of {args.samples:,} samples."
        weights.write(evaluation, args.out, comment)


if __name__ == "__main__":
    run(main)
