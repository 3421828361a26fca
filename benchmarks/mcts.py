"""Monte Carlo tree search: simulations a second compared with OpenSpiel's in C++, and games at equal time.

`python -m benchmarks mcts` prints both; `mcts:only=rates`, `mcts:only=games,games=20,time=0.1` one of them.

The rates are of one core and of CPU time: uniform playouts, the first position, the solver off, c = 1.41,
OpenSpiel's `MCTSBot` and ours in turns, the median of three rounds. In the games `mcts` has the same time a
move as an engine that searches ply by ply, which begins every other game.
"""

import json
import time as clock
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.table import Table

from benchmarks import environment, strength, timing
from benchmarks.progress import progress
from gameplay import Limit, registry
from gameplay.errors import Usage
from gameplay.search.session import Session

# by game: OpenSpiel's name for it, and simulations of a search, ours and theirs
GAMES = {
    "connect4": ("connect_four", 300_000, 20_000),
    "othello": ("othello", 30_000, 1_000),
    "tictactoe": ("tic_tac_toe", 300_000, 50_000),
    "go": ("go(board_size=9)", 20_000, 2_000),
    "chess": ("chess", 3_000, 300),
    "checkers": ("checkers", 10_000, 1_000),
}
GOALS = {"connect4": (3, 10), "othello": (3,), "go": (3, 10)}  # times the peer's simulations
SPEC = "mcts:c=1.41,solver=off,policy=none,leaf=rollout,prior=off"
ROUNDS = 3
SMALLEST = ({"sims": "50", "games": "2", "time": "0.002"},)
OPPONENTS = (
    *(("connect4", "iterative"), ("connect4", "selective")),
    *(("othello", "iterative"), ("othello", "selective")),
)
PEER = Path(__file__).parent / "peer_mcts.py"


def tables(
    only: str = "", games: str = "20", time: str = "0.1", engine: str = "mcts", sims: str = ""
) -> Iterator[Table]:
    """The rates and the games; `only` names one of them. `sims`: simulations of each search of ours."""
    if only not in ("", "rates", "games"):
        raise Usage(f"only is rates or games, not '{only}'")
    if only != "games":
        yield _rates(int(sims or 0))
    if only != "rates":
        yield _games(int(games), float(time), engine)


def _rates(sims: int) -> Table:
    missing = environment.install(("open_spiel",))
    table = Table(title="simulations a second, one core, uniform playouts")
    for name in ("game", "mcts", "open_spiel", "times", "goals"):
        table.add_column(name, justify="left" if name in ("game", "goals") else "right")
    timing.pin()
    try:
        for game, (peer, ours, theirs) in GAMES.items():
            if game not in registry.game_names():
                continue
            ours = sims or ours
            progress.say(f"{game}, {ours:,} simulations")
            variants: dict[str, Callable[[], float]] = {"ours": lambda g=game, n=ours: _ours(g, n)}  # type: ignore[misc]
            if not missing:
                variants["theirs"] = lambda g=peer, n=theirs: _theirs(g, n)  # type: ignore[misc]
            seconds = timing.medians(variants, ROUNDS)
            row = [game, f"{1 / seconds['ours']:,.0f}"]
            if not missing:
                times = seconds["theirs"] / seconds["ours"]
                goals = [f"{goal}: {timing.verdict(times >= goal)}" for goal in GOALS.get(game, ())]
                row += [f"{1 / seconds['theirs']:,.0f}", f"{times:.1f}", ", ".join(goals)]
            table.add_row(*row)
    finally:
        timing.unpin()
    for peer, why in missing.items():
        table.caption = f"{peer}: {why}"
    return table


def _ours(game: str, count: int) -> float:
    """CPU seconds of a simulation, in a search after another one that warms up."""
    session, position = Session(registry.engine(SPEC)[0]), registry.game(game).new()
    session.search(position, Limit(simulations=count))
    start = clock.process_time()
    report = session.search(position, Limit(simulations=count))
    return (clock.process_time() - start) / report.visits


def _theirs(game: str, count: int) -> float:
    command: list[Any] = [environment.scripts() / "python", PEER, game, str(count)]
    found: float = json.loads(environment.run(command, f"OpenSpiel on {game}"))
    return found / count


def _games(games: int, seconds: float, engine: str) -> Table:
    table = Table(title=f"{engine} at {seconds:g} s a move, {games} games each, two plies at random before")
    for name in ("game", "against", "won", "drawn", "lost", "score", "Elo"):
        table.add_column(name, justify="left" if name in ("game", "against") else "right")
    for game, opponent in OPPONENTS:
        progress.say(f"{games} games of {game} against {opponent}")
        openings = {"plies": 2}
        _, cells = strength.match(game, engine, opponent, 1, games=games, time=seconds, openings=openings)
        table.add_row(game, opponent, *cells[:5])
    return table
