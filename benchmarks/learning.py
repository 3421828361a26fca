"""Connect Four learned by self-play: the share of won games that it wins against perfect play.

`python -m benchmarks learning` learns by `gameplay learn connect4 --method td` with the settings below, on
one core, and plays matches against the solver at several depths of search:

    learning:games=100000                 games of self-play
    learning:tuples=40x6                  tuples, and cells of each
    learning:folder=learned-connect4      the weights of an existing run instead of a new one
    learning:matches=50,depths=1+5        games of a match; depths of the learner's search

Two kinds of games are played. From the empty board, which is won for the first player, the learner begins, as
in Thill, Koch and Konen (2012). From won positions: eight random moves, after which the learner is to move
and wins by perfect play. The opponent chooses among its best moves at random and postpones losses; its first
four replies from the empty board, where every move loses, are random. The built-in evaluation plays the same
games.
"""

import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rich.table import Table

from benchmarks import timing
from benchmarks.progress import progress
from gameplay import registry
from gameplay.games.connect4.game import Connect4
from gameplay.games.connect4.solver import Connect4Solver
from gameplay.learning.td_run import TdRun, TdSettings
from gameplay.search.limit import Limit
from gameplay.search.session import Session

GAME = registry.game("connect4")
GAMES = "1200000"  # of self-play
SETTINGS = {"seed": 1, "decay": 0.5, "explore": 0.2}
RANDOM_PLIES = 8  # before a won position, and while the opponent values no moves
SMALLEST = ({"games": "40", "tuples": "4x4", "matches": "2", "depths": "1"},)


def tables(
    games: str = GAMES, tuples: str = "70x8", folder: str = "", matches: str = "100", depths: str = "1+3+5"
) -> Iterator[Table]:
    """One table: a row for each evaluation and depth."""
    with tempfile.TemporaryDirectory() as scratch:
        run = TdRun.load(Path(folder)) if folder else _learned(Path(scratch) / "run", int(games), tuples)
        point = run.curve[-1]
        assert run.truth is not None
        table = Table(
            title=f"connect4 after {run.played:,} games of self-play ({run.seconds:.0f} s on one core): wins "
            f"against perfect play, 95 % intervals; wrong moves: {point.wrong} of {len(run.truth.positions)} "
            "positions"
        )
        for heading in ("evaluation", "depth", "from the empty board", "from won positions"):
            table.add_column(heading, justify="right")
        for evaluation in (str(run.weights), "default"):
            for depth in map(int, depths.split("+")):
                name = "default" if evaluation == "default" else "learned"
                progress.say(f"{name}, depth {depth}")
                match = PerfectMatch(evaluation, depth)
                rows = [
                    timing.interval([match.play(begin, number) for number in range(int(matches))], ".3f")
                    for begin in ("", "won")
                ]
                table.add_row(name, str(depth), *rows)
        yield table


def _learned(folder: Path, games: int, tuples: str) -> TdRun:
    count, _, length = tuples.partition("x")
    run = TdRun.begin(folder, TdSettings(GAME.spec, games, tuples=int(count), length=int(length), **SETTINGS))
    began = time.process_time()
    for point in run.learn():
        progress.say(f"{point.games:,} games, {time.process_time() - began:.0f} s")
    return run


class PerfectMatch:
    """Games of an evaluation, searched to a depth, against the solver."""

    def __init__(self, evaluation: str, depth: int) -> None:
        word = "" if evaluation == "default" else f":eval={evaluation}"
        self.session = Session(registry.engine(f"alphabeta{word}")[0])
        self.limit = Limit(depth=depth)
        self.solver = Connect4Solver(7, 6, 22)

    def play(self, begin: str, seed: int) -> float:
        """1.0 if the learner wins game `seed`, else 0.0."""
        rng = random.Random(f"{begin} {seed}")
        position = self.won(rng) if begin else GAME.new()
        learner = position.turn
        while position.outcome() is None:
            if position.turn == learner:
                move = self.session.search(position, self.limit).pv[0]
            else:
                move = rng.choice(self.best(position))
            position.make(move)
        outcome = position.outcome()
        assert outcome is not None
        return float(outcome[learner] > 0)

    def won(self, rng: random.Random) -> Connect4:
        """A position after eight random moves that is won for the mover, but not immediately."""
        while True:
            position = GAME.new()
            while position.outcome() is None and position.mask.bit_count() < RANDOM_PLIES:
                position.make(rng.choice(list(position.moves())))
            if position.outcome() is None and self.solver.result(position) == 1:
                return position

    def best(self, position: Connect4) -> list[int]:
        """The best moves; all moves if solving would take long."""
        moves = list(position.moves())
        if position.mask.bit_count() < RANDOM_PLIES:
            return moves
        values = {}
        for move in moves:
            position.make(move)
            outcome = position.outcome()
            values[move] = -self.solver.value(position) if outcome is None else -1e6 * outcome[position.turn]
            position.unmake()
        return [move for move in moves if values[move] == max(values.values())]
