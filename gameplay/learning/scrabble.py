"""`python -m gameplay.learning.scrabble words LIST --out FILE.words`: makes an automaton of a list of words.
`python -m gameplay.learning.scrabble leaves --out FILE.toml`: learns what tiles are worth that are kept.

Worth is what the next turn brings more. The move that looks best by points and leaves plays against itself;
at each turn with enough tiles in the bag one to six tiles are drawn of all that do not lie on the board, and
others beside them up to seven: what the best move of these seven comes to, in points and leaves as they were
known before, is a sample of the worth of the first ones. Weights of tiles, of pairs of tiles and of so many
vowels among so many consonants that minimise the sum of the squared errors, and of the squares of the weights
by what is likely of them (ridge regression), are the leaves of the next round. Needs numpy.

Maven's leaves were learned by play against itself as well: B. Sheppard, World-championship-caliber Scrabble,
Artificial Intelligence 134, 2002.
"""

import argparse
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from gameplay import registry, weights
from gameplay.errors import BadInput
from gameplay.games.scrabble.game import Scrabble
from gameplay.learning.program import library, run
from gameplay.position import CHANCE, AbstractEvaluation

KINDS, RACK = 27, 7
VOWELS = frozenset((1, 5, 9, 15, 21))
ENOUGH = 14  # tiles in the bag from which on turns are learned from
NOISE = 20.0  # points by which a sample differs from what is expected
LIKELY = {"tiles": 10.0, "pairs": 2.0, "balance": 3.0}  # points that a weight may well have
DRAWN = 4  # samples of a turn

PAIRS = {pair: KINDS + n for n, pair in enumerate((a, b) for a in range(KINDS) for b in range(a + 1))}
BALANCE = {
    both: KINDS + len(PAIRS) + n for n, both in enumerate((v, c) for v in range(8) for c in range(8 - v))
}
COUNT = KINDS + len(PAIRS) + len(BALANCE)


def terms(tiles: list[int]) -> list[int]:
    """The weights that tiles add up, by number."""
    vowels = sum(tile in VOWELS for tile in tiles)
    consonants = sum(tile > 0 for tile in tiles) - vowels
    pairs = [PAIRS[max(pair), min(pair)] for pair in combinations(tiles, 2)]
    return [*tiles, *pairs, BALANCE[vowels, consonants]]


def samples(rng: Random, count: int, evaluation: AbstractEvaluation) -> list[tuple[list[int], float]]:
    """So many samples: the terms of what was kept, and what the next turn came to in points."""
    found: list[tuple[list[int], float]] = []
    while len(found) < count:
        position = Scrabble()
        position.evaluation = evaluation
        while position.outcome() is None and (position.turn == CHANCE or position.rest() >= ENOUGH):
            if position.turn == CHANCE:
                position.make(rng.choices(position.moves(), position.chances())[0])
                continue
            bag = position.bag()
            for tile in position.state.racks[position.turn]:
                bag[tile] += 1
            pool = [kind for kind, left in enumerate(bag) for _ in range(left)]
            for _ in range(DRAWN):
                rack = rng.sample(pool, RACK)
                kept = rack[: rng.randint(1, RACK - 1)]
                best = position.placer.plays(position.state.cells, bytes(sorted(rack)), 1, position.rest())
                found.append((terms(kept), best[0][1] / position.unit))
            ((move, _),) = position.top_moves(1)
            position.make(move)
    return found[:count]


def fitted(found: list[tuple[list[int], float]], progress: Callable[[str], None]) -> dict[str, Any]:
    """The weights that fit the samples best, in hundredths of a point."""
    numpy = library("numpy")
    normal, right = numpy.zeros((COUNT + 1, COUNT + 1)), numpy.zeros(COUNT + 1)
    for start in range(0, len(found), 10_000):
        part = found[start : start + 10_000]
        rows = numpy.zeros((len(part), COUNT + 1))
        rows[:, COUNT] = 1
        for row, (numbers, _) in zip(rows, part, strict=True):
            for number in numbers:
                row[number] += 1
        normal += rows.T @ rows
        right += rows.T @ numpy.array([worth for _, worth in part])
    sizes = [(LIKELY["tiles"], KINDS), (LIKELY["pairs"], len(PAIRS)), (LIKELY["balance"], len(BALANCE))]
    ridge = [(NOISE / likely) ** 2 for likely, count in sizes for _ in range(count)]
    normal[range(COUNT), range(COUNT)] += ridge
    solved = numpy.linalg.solve(normal, right)
    mean = sum(worth for _, worth in found) / len(found)
    error = right @ solved
    squares = sum(worth * worth for _, worth in found)
    progress(
        f"mean {mean:.2f}, explained {(error - len(found) * mean**2) / (squares - len(found) * mean**2):.3f}"
    )
    rounded = [round(100 * float(one)) for one in solved]
    balance = [[rounded[BALANCE[v, c]] if v + c < 8 else 0 for c in range(8)] for v in range(8)]
    level = balance[0][0]  # what nothing kept is worth, from which all others are counted
    return {
        "tiles": rounded[:KINDS],
        "pairs": [[rounded[PAIRS[max(a, b), min(a, b)]] for b in range(KINDS)] for a in range(KINDS)],
        "balance": [[one - level if one else 0 for one in row] for row in balance],
    }


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["words", "leaves"])
    parser.add_argument("list", nargs="?", type=Path, help="a word a line; # begins a line of remarks")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    parser.add_argument("--name", default="", help="what the list is called")
    parser.add_argument("--samples", type=int, default=400_000, help="samples of a round [400,000]")
    parser.add_argument("--rounds", type=int, default=3, help="rounds [3]")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.what == "words":
        if given.list is None:
            raise BadInput("words are made of a list: name its file")
        position = Scrabble(words=str(given.list))
        given.out.write_bytes(position.packed(given.name or given.list.stem))
        print(f"{given.out}: {position.lexicon.words:,} words, {given.out.stat().st_size:,} bytes")
        return
    evaluation: AbstractEvaluation = registry.game("scrabble").new().evaluations["leaves"]
    for number in range(given.rounds):
        found = samples(Random(f"{given.seed}/{number}"), given.samples, evaluation)
        print(f"round {number + 1}: {len(found):,} samples")
        evaluation = evaluation.weighed(fitted(found, print))
        evaluation.game = "scrabble"
        comment = "What tiles are worth that are kept at Scrabble, in hundredths of a point.\nLearned by "
        comment += f"gameplay.learning.scrabble: {number + 1} rounds of {given.samples:,} samples."
        weights.write(evaluation, given.out, comment)


if __name__ == "__main__":
    run(main)
