"""Steps a second of a random agent in reinforcement learning environments, compared with other projects.

All figures are of CPU time on one core and include the choice of a random legal action, the observation and
the mask. The peers are PettingZoo's own games, OpenSpiel's states in a loop, and its vector environment.
"""

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from rich.table import Table

import gameplay
from benchmarks import environment, peer_stepping, timing
from benchmarks.progress import progress

PEER = peer_stepping.__file__
GAMES = ("connect4", "tictactoe")
MORE = ("othello", "checkers", "chess", "go", "backgammon", "leduc", "hearts")  # of the second table
STEPS = 20_000
ROUNDS = 3
BATCH = 1000  # games at once
PEERS = {  # the kind of the peer's program, and what is installed for it
    "PettingZoo's own rules": ("pettingzoo", "pettingzoo"),
    "OpenSpiel, states in a loop": ("state", "open_spiel"),
    "OpenSpiel, vector_env": ("vector", "open_spiel"),
}
SMALLEST = ({"steps": "500", "batch": "50"},)


def tables(steps: str = str(STEPS), batch: str = str(BATCH)) -> Iterator[Table]:
    """Two tables. `steps`: of each measurement; `batch`: games at once."""
    count, games = int(steps), int(batch)
    timing.pin()
    try:
        yield _compare_environments(count, games)
        yield _more(count, games)
    finally:
        timing.unpin()


def _compare_environments(steps: int, games: int) -> Table:
    table = Table(title=f"steps a second of a random agent, one core, {games} games at once where many")
    table.add_column("environment")
    for game in GAMES:
        table.add_column(game, justify="right")
    missing = environment.install(("open_spiel", "pettingzoo"))
    rows: dict[str, list[str]] = {}
    for game in GAMES:
        progress.say(game)
        variants: dict[str, Callable[[], float]] = {
            "gameplay.vector_env": lambda game=game: vector(game, 10 * steps, games),  # type: ignore[misc]
            "gameplay.env": lambda game=game: single(game, steps),  # type: ignore[misc]
        }
        for name, (kind, library) in PEERS.items():
            if library not in missing:
                variants[name] = lambda game=game, kind=kind: _peer(kind, game, steps, games)  # type: ignore[misc]
        for name, seconds in timing.medians(variants, ROUNDS).items():
            rows.setdefault(name, []).append(f"{1 / seconds:,.0f}")
    for name, figures in rows.items():
        table.add_row(name, *figures)
    for library, reason in missing.items():
        progress.say(f"{library} is left out: {reason}")
    return table


def _more(steps: int, games: int) -> Table:
    table = Table(title="steps a second of a random agent in other games")
    for heading in ("game", "gameplay.vector_env", "gameplay.env"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for game in MORE:
        progress.say(game)
        found = timing.medians(
            {
                "vector": lambda game=game: vector(game, steps, min(games, 200)),  # type: ignore[misc]
                "single": lambda game=game: single(game, steps // 5),  # type: ignore[misc]
            },
            ROUNDS,
        )
        table.add_row(game, *(f"{1 / seconds:,.0f}" for seconds in found.values()))
    return table


def vector(game: str, steps: int, games: int) -> float:
    """CPU seconds a step of many games at once."""
    import numpy as np

    envs, rng = gameplay.vector_env(game, games), np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    calls = max(1, steps // games)
    start = time.process_time()
    for _ in range(calls):
        mask = infos["action_mask"]
        infos = envs.step((mask * rng.random(mask.shape, np.float32)).argmax(axis=1))[4]
    return (time.process_time() - start) / (calls * games)


def single(game: str, steps: int) -> float:
    """CPU seconds a step of one game after another."""
    env: Any = gameplay.env(game)
    env.reset(seed=1)
    random.seed(1)
    start = time.process_time()
    peer_stepping.step(env, steps)
    return (time.process_time() - start) / steps


def _peer(kind: str, game: str, steps: int, games: int) -> float:
    command = [environment.scripts() / "python", PEER, kind, game, str(steps), str(games)]
    return float(environment.run(command, f"{kind} on {game}"))
