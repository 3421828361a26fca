"""Generates the bundled endgames of Go: `python -m gameplay.training.go_exercises 300 >FILE`.

It writes those of 300 games, up to MAX_PER_LEVEL of each ending and level, to gameplay/games/go/endgames.tsv.
Both sides play by the move-ordering hints with noise. Backwards from the end of the game, the solver searches
for moves that turned a win into a loss. The positions before them, without history, are valued and written
unless passing wins. A line has the ending, the level, the value in points and the position. The output is
deterministic.
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

MAX_PER_LEVEL = 16
NOISE = 15  # random addition to a hint; hints range from -30, an own eye, to about 50, a capture
NODES = 3_000  # of the solver per position; beyond them, earlier positions are skipped
TABLE = 14  # base-2 logarithm of its table entries
GAME = registry.game(ENDGAMES.spec)


def play_game(rng: Random) -> list[str]:
    """Play a game; return its positions as text without history."""
    position = GAME.new()
    assert isinstance(position, Go)
    texts: list[str] = []
    while position.outcome() is None and len(texts) < 3 * position.area:
        ranks = {word: rank + rng.uniform(0, NOISE) for word, rank in position.hints().items()}
        position.make(position.parse(max(ranks, key=lambda word: ranks[word])))
        rows = "/".join("".join(stone or "." for stone in row) for row in position.stones())
        texts.append(f"{rows} {position.sides[position.turn]}")
    return texts


def find_mistakes(texts: list[str]) -> Iterator[str]:
    """Yield the positions whose mover wins but not after the next move, last first."""
    position = GAME.new()
    assert isinstance(position, Go)
    solver = position.solver(TABLE)
    winner = -1  # after the next move; -1: unknown
    for text in reversed(texts):
        position.setup(text)
        solver.node_limit = solver.nodes + NODES
        value = solver.value(position, -1, 1)
        if value is None:
            return
        mover = position.turn
        if value > 0 and winner == 1 - mover:
            yield text
        winner = mover if value > 0 else 1 - mover


def make_exercises(games: int, rng: Random) -> Iterator[tuple[str, int, float, str]]:
    """Yield ending, level, value and position of distinct exercises from `games` games."""
    seen: set[str] = set()
    made: Counter[tuple[str, int]] = Counter()
    for _ in range(games):
        for text in find_mistakes(play_game(rng)):
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
            if made[key] <= MAX_PER_LEVEL:
                yield *key, points, text


def _passing_wins(position: AbstractPosition, oracle: GameSolverOracle) -> bool:
    return oracle.values(position).get(position.parse(ENDGAMES.idle), 0) > 0


def main() -> None:
    """Write the file to standard output."""
    rows = sorted(make_exercises(int(sys.argv[1]), Random(1)))
    for ending, level, points, text in rows:
        print(ending, level, f"{points:g}", text, sep="\t")


if __name__ == "__main__":
    main()
