"""Reinforcement learning environments: steps per second of a random agent, compared with other projects.

All rates are per CPU second on one core and include the choice of a random legal action, the observation and
the action mask. The peers are PettingZoo's own games, a loop over OpenSpiel's states, and OpenSpiel's vector
environment.
"""

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from rich.table import Table

import gameplay
from benchmarks import environment, peer_stepping, timing
from benchmarks.progress import progress

GAMES = ("connect4", "tictactoe")
OTHER_GAMES = ("othello", "checkers", "chess", "go", "backgammon", "leduc", "hearts")
STEPS = 20_000
ROUNDS = 3
BATCH = 1000  # games of a vector environment
PEERS = {  # the LIBRARY of peer_stepping.py, and the peer
    "PettingZoo": ("pettingzoo", "pettingzoo"),
    "OpenSpiel, state": ("state", "open_spiel"),
    "OpenSpiel, vector_env": ("vector", "open_spiel"),
}
SMALLEST = ({"steps": "500", "batch": "50"},)


def tables(steps: str = str(STEPS), batch: str = str(BATCH)) -> Iterator[Table]:
    """Comparison with the peers, then other games. steps: of a measurement; batch: games of a vector env."""
    count, games = int(steps), int(batch)
    timing.pin()
    try:
        yield _compare_environments(count, games)
        yield _other_games(count, games)
    finally:
        timing.unpin()


def _compare_environments(steps: int, games: int) -> Table:
    table = Table(title=f"Environments: steps/s of a random agent, one core, {games} games in vector_env")
    table.add_column("environment")
    for game in GAMES:
        table.add_column(game, justify="right")
    missing = environment.install(("open_spiel", "pettingzoo"))
    environment.report_missing(missing)
    rows: dict[str, list[str]] = {}
    for game in GAMES:
        progress.show(game)
        variants: dict[str, Callable[[], float]] = {
            "gameplay.vector_env": lambda game=game: measure_vector(game, 10 * steps, games),  # type: ignore[misc]
            "gameplay.env": lambda game=game: measure_single(game, steps),  # type: ignore[misc]
        }
        for name, (library, peer) in PEERS.items():
            if peer not in missing:
                variants[name] = lambda game=game, library=library: _measure_peer(library, game, steps, games)  # type: ignore[misc]
        for name, seconds in timing.medians(variants, ROUNDS).items():
            rows.setdefault(name, []).append(f"{1 / seconds:,.0f}")
    for name, rates in rows.items():
        table.add_row(name, *rates)
    return table


def _other_games(steps: int, games: int) -> Table:
    table = Table(title="Environments: steps/s of a random agent in other games, one core")
    for heading in ("game", "gameplay.vector_env", "gameplay.env"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for game in OTHER_GAMES:
        progress.show(game)
        times = timing.medians(
            {
                "vector": lambda game=game: measure_vector(game, steps, min(games, 200)),  # type: ignore[misc]
                "single": lambda game=game: measure_single(game, steps // 5),  # type: ignore[misc]
            },
            ROUNDS,
        )
        table.add_row(game, *(f"{1 / seconds:,.0f}" for seconds in times.values()))
    return table


def measure_vector(game: str, steps: int, games: int) -> float:
    """CPU seconds per step of a vector environment; a call makes a step in each of `games` games."""
    import numpy as np

    envs, rng = gameplay.vector_env(game, games), np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    calls = max(1, steps // games)
    start = time.process_time()
    for _ in range(calls):
        mask = infos["action_mask"]
        infos = envs.step((mask * rng.random(mask.shape, np.float32)).argmax(axis=1))[4]
    return (time.process_time() - start) / (calls * games)


def measure_single(game: str, steps: int) -> float:
    """CPU seconds per step of an environment that plays one game after another."""
    env: Any = gameplay.env(game)
    env.reset(seed=1)
    random.seed(1)
    start = time.process_time()
    peer_stepping.take_steps(env, steps)
    return (time.process_time() - start) / steps


def _measure_peer(library: str, game: str, steps: int, games: int) -> float:
    name = f"{library} on {game}"
    return float(environment.run_peer("peer_stepping.py", library, game, steps, games, name=name))
