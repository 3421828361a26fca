"""Makes the endgames of Go that are shipped: `python -m gameplay.training.go_exercises 300 >FILE`.

It writes those of 300 games, up to MOST of each ending and level, to FILE, gameplay/games/go/endgames.tsv.
Both sides play by the hints that order moves, with random additions. Going back from the end of the game, the
solver looks for moves that turned a win into a loss: the positions before them, without their past, are
valued and, where passing does not win, written down. Each line has the ending, the level, the value in points
and the position. Equal arguments write equal files.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from gameplay import registry
from gameplay.games.go.endgames import ENDGAMES, WHOLE
from gameplay.games.go.game import Go
from gameplay.position import AbstractPosition
from gameplay.training import endgames
from gameplay.training.oracles import GameSolverOracle

MOST = 16
NOISE = 15  # random addition to a hint; hints range from -30, an own eye, to about 50, a capture
NODES = 3_000  # of the solver to see who wins a position; where it takes more, earlier positions are left out
TABLE = 14  # the logarithm of the entries of its table
GAME = registry.game(ENDGAMES.spec)


def played(rng: Random) -> list[str]:
    """The positions of a game, each as text without its past."""
    position = GAME.new()
    assert isinstance(position, Go)
    texts: list[str] = []
    while position.outcome() is None and len(texts) < 3 * position.area:
        ranks = {word: rank + rng.uniform(0, NOISE) for word, rank in position.hints().items()}
        position.make(position.parse(max(ranks, key=lambda word: ranks[word])))
        rows = "/".join("".join(stone or "." for stone in row) for row in position.stones())
        texts.append(f"{rows} {position.sides[position.turn]}")
    return texts


def mistakes(texts: list[str]) -> Iterator[str]:
    """The positions whose mover wins and does not after the next move, the last one first."""
    position = GAME.new()
    assert isinstance(position, Go)
    solver = position.solver(TABLE)
    winner = -1  # after the next move; -1 where it is not known
    for text in reversed(texts):
        position.setup(text)
        solver.most = solver.nodes + NODES
        value = solver.value(position, -1, 1)
        if value is None:
            return
        mover = position.turn
        if value > 0 and winner == 1 - mover:
            yield text
        winner = mover if value > 0 else 1 - mover


def exercises(games: int, rng: Random) -> Iterator[tuple[str, int, float, str]]:
    """Endings, levels, values and positions of so many games, all different."""
    seen: set[str] = set()
    made: Counter[tuple[str, int]] = Counter()
    for _ in range(games):
        for text in mistakes(played(rng)):
            position = GAME.new(text)
            if position.diagram() in seen:
                continue
            seen.add(position.diagram())
            oracle = GameSolverOracle(GAME, Path())
            task = endgames.make_task(GAME, ENDGAMES, ENDGAMES.endings[0], oracle, text, nodes=ENDGAMES.nodes)
            if task is None or _passing_wins(position, oracle):
                continue
            points = task.value / position.unit
            key = ("life" if points > WHOLE else "points", task.level)
            made[key] += 1
            if made[key] <= MOST:
                yield *key, points, text


def _passing_wins(position: AbstractPosition, oracle: GameSolverOracle) -> bool:
    return oracle.values(position).get(position.parse(ENDGAMES.idle), 0) > 0


def main() -> None:
    """Write the file to standard output."""
    rows = sorted(exercises(int(sys.argv[1]), Random(1)))
    for ending, level, points, text in rows:
        print(ending, level, f"{points:g}", text, sep="\t")


if __name__ == "__main__":
    main()
