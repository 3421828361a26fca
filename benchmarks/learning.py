"""Connect Four learned by self-play: how often it wins theoretically won positions against perfect play.

`python -m benchmarks learning` learns by `gameplay learn connect4 --method td` with the settings below, on
one core, then plays matches against the solver at several search depths:

    learning:games=100000                 games of self-play
    learning:tuples=40x6                  number of tuples x cells of each
    learning:folder=learned-connect4      use the weights of an existing run
    learning:matches=50,depths=1+5        games of each match; search depths of the learner

Games start from the empty board, a win for the first player, who is the learner, as in Thill, Koch and Konen
(2012); and from won positions, in which the learner, to move after eight random moves, wins by perfect play.
The opponent chooses at random among its best moves, those that delay the loss longest; its first four replies
from the empty board are random moves. The default evaluation plays the same games for comparison.
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
RANDOM_PLIES = 8  # random moves before a won position; the opponent moves at random up to this ply
SMALLEST = ({"games": "40", "tuples": "4x4", "matches": "2", "depths": "1"},)


def tables(
    games: str = GAMES, tuples: str = "70x8", folder: str = "", matches: str = "100", depths: str = "1+3+5"
) -> Iterator[Table]:
    """One table: a row for each evaluation and depth."""
    with tempfile.TemporaryDirectory() as temporary:
        run = TdRun.load(Path(folder)) if folder else _learn(Path(temporary) / "run", int(games), tuples)
        point = run.curve[-1]
        assert run.truth is not None
        table = Table(
            title=f"Connect Four after {run.played:,} games of self-play ({run.seconds:.0f} s on one core): "
            "share of games won against perfect play, 95 % intervals"
        )
        for heading in ("evaluation", "depth", "from the empty board", "from won positions"):
            table.add_column(heading, justify="left" if heading == "evaluation" else "right")
        for name, evaluation in (("learned", str(run.weights)), ("default", "")):
            for depth in map(int, depths.split("+")):
                progress.show(f"{name}, depth {depth}")
                match = PerfectMatch(evaluation, depth)
                shares = [
                    timing.format_interval(
                        [match.play(from_empty, number) for number in range(int(matches))], ".3f"
                    )
                    for from_empty in (True, False)
                ]
                table.add_row(name, str(depth), *shares)
        table.caption = f"wrong moves after learning: {point.wrong} of {len(run.truth.positions)} positions"
        yield table


def _learn(folder: Path, games: int, tuples: str) -> TdRun:
    count, _, length = tuples.partition("x")
    run = TdRun.begin(folder, TdSettings(GAME.spec, games, tuples=int(count), length=int(length), **SETTINGS))
    start = time.process_time()
    for point in run.learn():
        progress.show(f"{point.games:,} games, {time.process_time() - start:.0f} s")
    return run


class PerfectMatch:
    """Games of an evaluation at a search depth against the solver. evaluation: a file, "" for the default."""

    def __init__(self, evaluation: str, depth: int) -> None:
        options = f":eval={evaluation}" if evaluation else ""
        self.session = Session(registry.engine(f"alphabeta{options}")[0])
        self.limit = Limit(depth=depth)
        self.solver = Connect4Solver(7, 6, 22)

    def play(self, from_empty: bool, seed: int) -> float:
        """Play game `seed` from the empty board or a won position: 1.0 if the learner wins, else 0.0."""
        rng = random.Random(f"{'' if from_empty else 'won'} {seed}")
        position = GAME.new() if from_empty else self.won_position(rng)
        learner = position.turn
        while position.outcome() is None:
            if position.turn == learner:
                move = self.session.search(position, self.limit).pv[0]
            else:
                move = rng.choice(self.best_moves(position))
            position.make(move)
        outcome = position.outcome()
        assert outcome is not None
        return float(outcome[learner] > 0)

    def won_position(self, rng: random.Random) -> Connect4:
        """A position after RANDOM_PLIES random moves in which the player to move wins."""
        while True:
            position = GAME.new()
            while position.outcome() is None and position.mask.bit_count() < RANDOM_PLIES:
                position.make(rng.choice(list(position.moves())))
            if position.outcome() is None and self.solver.result(position) == 1:
                return position

    def best_moves(self, position: Connect4) -> list[int]:
        """The best moves; before RANDOM_PLIES all moves, since solving would take long."""
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
