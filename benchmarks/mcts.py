"""Monte Carlo tree search: simulations per second compared with OpenSpiel's C++, and games at equal time.

`python -m benchmarks mcts` does both; `mcts:only=rates` and `mcts:only=games,games=20,time=0.1` one of them.

Rates are measured in CPU time on one core: uniform playouts from the initial position, solver off, c = 1.41,
the median of three interleaved rounds of OpenSpiel's `MCTSBot` and of ours. In the games, `mcts` and an
alpha-beta engine have the same time a move, and move first in turn.
"""

import time as clock
from collections.abc import Callable, Iterator

from rich.table import Table

from benchmarks import environment, strength, timing
from benchmarks.progress import progress
from gameplay import Limit, registry
from gameplay.errors import Usage
from gameplay.search.session import Session

# by game: its name in OpenSpiel, and the simulations of a search by gameplay and by OpenSpiel
GAMES = {
    "connect4": ("connect_four", 300_000, 20_000),
    "othello": ("othello", 30_000, 1_000),
    "tictactoe": ("tic_tac_toe", 300_000, 50_000),
    "go": ("go(board_size=9)", 20_000, 2_000),
    "chess": ("chess", 3_000, 300),
    "checkers": ("checkers", 10_000, 1_000),
}
GOALS = {"connect4": (3, 10), "othello": (3,), "go": (3, 10)}  # speedups
SPEC = "mcts:c=1.41,solver=off,policy=none,leaf=rollout,prior=off"
ROUNDS = 3
SMALLEST = ({"sims": "50", "games": "2", "time": "0.002"},)
OPPONENTS = (
    *(("connect4", "iterative"), ("connect4", "selective")),
    *(("othello", "iterative"), ("othello", "selective")),
)


def tables(
    only: str = "", games: str = "20", time: str = "0.1", engine: str = "mcts", sims: str = ""
) -> Iterator[Table]:
    """The rates, the games, or `only` one of them.

    games: of each match, with `time` seconds a move; engine: ours; sims: simulations of our searches for the
    rates.
    """
    if only not in ("", "rates", "games"):
        raise Usage(f"only must be rates or games, not '{only}'")
    if only != "games":
        yield _rates(int(sims or 0))
    if only != "rates":
        yield _games(int(games), float(time), engine)


def _rates(sims: int) -> Table:
    missing = environment.install(("open_spiel",))
    environment.report_missing(missing)
    table = Table(title="MCTS: simulations/s, uniform playouts, one core")
    for heading in ("game", "gameplay", "OpenSpiel", "speedup", "goals"):
        table.add_column(heading, justify="left" if heading in ("game", "goals") else "right")
    timing.pin()
    try:
        for game, (peer_game, default_count, peer_count) in GAMES.items():
            if game not in registry.game_names():
                continue
            count = sims or default_count
            progress.show(f"{game}, {count:,} simulations")
            variants: dict[str, Callable[[], float]] = {
                "gameplay": lambda g=game, n=count: _measure(g, n)  # type: ignore[misc]
            }
            if not missing:
                variants["OpenSpiel"] = lambda g=peer_game, n=peer_count: _measure_peer(g, n)  # type: ignore[misc]
            seconds = timing.medians(variants, ROUNDS)
            row = [game, f"{1 / seconds['gameplay']:,.0f}"]
            if not missing:
                speedup = seconds["OpenSpiel"] / seconds["gameplay"]
                goals = [f"{goal}: {timing.verdict(speedup >= goal)}" for goal in GOALS.get(game, ())]
                row += [f"{1 / seconds['OpenSpiel']:,.0f}", f"{speedup:.1f}", ", ".join(goals)]
            table.add_row(*row)
    finally:
        timing.unpin()
    return table


def _measure(game: str, count: int) -> float:
    """CPU seconds per simulation of a search, after another search as warm-up."""
    session, position = Session(registry.engine(SPEC)[0]), registry.game(game).new()
    session.search(position, Limit(simulations=count))
    start = clock.process_time()
    report = session.search(position, Limit(simulations=count))
    return (clock.process_time() - start) / report.visits


def _measure_peer(game: str, count: int) -> float:
    return float(environment.run_peer("peer_mcts.py", game, count, name=f"OpenSpiel on {game}")) / count


def _games(games: int, seconds: float, engine: str) -> Table:
    table = Table(title=f"{engine}: matches at {seconds:g} s a move, {games} games each, two random plies")
    for heading in ("game", "opponent", "won", "drawn", "lost", "score", "Elo"):
        table.add_column(heading, justify="left" if heading in ("game", "opponent") else "right")
    for game, opponent in OPPONENTS:
        progress.show(f"{games} games of {game} against {opponent}")
        openings = {"plies": 2}
        _, cells = strength.match(game, engine, opponent, 1, games=games, time=seconds, openings=openings)
        table.add_row(game, opponent, *cells[:5])
    return table
