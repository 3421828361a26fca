"""Monopoly: moves per second of playouts, and frequencies of the squares compared with published ones.

Playouts run from the start to the end of a game, in CPU time on one core; for comparison, the same game is
played with uniformly random moves through the Python methods of `Position`. The frequencies are those of a
player who buys nothing and leaves jail at once, as in Project Euler's problem 84.
"""

import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from rich.table import Table

from benchmarks import timing
from benchmarks.progress import progress
from gameplay import CHANCE, registry
from gameplay.games.monopoly import board, layout

ANSWERS = Path(__file__).parents[1] / "tests" / "answers" / "monopoly.toml"
PLAYERS = (2, 4, 6)
GAMES = 200  # a round
ROUNDS = 3
SMALLEST = ({"games": "1", "rolls": "1000"},)
ROLLS = 500_000
PASSIVE_MOVES = ("pay", "auction", "end", "roll", "pass")  # the first legal one is made
STANDARD_ERRORS = 5  # tolerance of a frequency, besides the rounding of the published one


def tables(games: str = str(GAMES), rolls: str = str(ROLLS)) -> Iterator[Table]:
    """Playouts and frequencies. games: playouts of a round; rolls: number of visits that are counted."""
    yield _rates(int(games))
    yield _visits(int(rolls))


def _rates(games: int) -> Table:
    table = Table(title=f"Monopoly: moves/s without dice and cards, {games} games a round, one core")
    for heading in ("players", "policy playouts", "uniform playouts", "uniform in Python", "speedup"):
        table.add_column(heading, justify="right")
    timing.pin()
    try:
        for players in PLAYERS:
            progress.show(f"playouts of {players} players")
            game = registry.game(f"monopoly:players={players}")
            seconds = timing.medians(
                {
                    "policy": lambda game=game: _playouts(game, games, True),  # type: ignore[misc]
                    "uniform": lambda game=game: _playouts(game, games, False),  # type: ignore[misc]
                    "python": lambda game=game: _python_playouts(game, max(1, games // 20)),  # type: ignore[misc]
                },
                ROUNDS,
            )
            rates = [f"{1 / seconds[name]:,.0f}" for name in ("policy", "uniform", "python")]
            table.add_row(str(players), *rates, f"{seconds['python'] / seconds['uniform']:.1f}")
    finally:
        timing.unpin()
    return table


def _playouts(game: Any, games: int, use_policy: bool) -> float:
    """CPU seconds per move of compiled playouts."""
    position = game.new()
    if not use_policy:
        position.policy = 0
    plies, start = 0, time.process_time()
    for seed in range(games):
        plies += sum(mover >= 0 for mover in position.rollout(seed)[1])
    return (time.process_time() - start) / plies


def _python_playouts(game: Any, games: int) -> float:
    """CPU seconds per move of games with uniformly random moves, made from Python."""
    plies, start = 0, time.process_time()
    for seed in range(games):
        position, rng = game.new(), Random(seed)
        while position.outcome() is None:
            if position.turn == CHANCE:
                position.make(rng.choices(position.moves(), position.chances())[0])
            else:
                position.make(rng.choice(position.moves()))
                plies += 1
    return (time.process_time() - start) / plies


def _visits(rolls: int) -> Table:
    published = tomllib.loads(ANSWERS.read_text(encoding="utf-8"))["visits"]
    names = board.facts().names
    progress.show(f"{rolls:,} rolls")
    counts = count_landings(rolls)
    table = Table(title=f"Monopoly: % of rolls that end on a square, {rolls:,} rolls")
    for heading in ("square", "published", "measured", "tolerance", ""):
        table.add_column(heading, justify="left" if heading in ("square", "") else "right")
    for square, expected in published["dice6"].items():
        measured = 100 * counts[int(square)] / rolls
        tolerance = STANDARD_ERRORS * 100 * (expected / 100 / rolls) ** 0.5 + 0.005
        table.add_row(
            names[int(square)],
            f"{expected:.2f}",
            f"{measured:.2f}",
            f"{tolerance:.2f}",
            "ok" if abs(measured - expected) <= tolerance else "DIFFERS",
        )
    most_visited = sorted(range(40), key=lambda square: -counts[square])[:3]
    table.caption = "most visited: " + ", ".join(names[square] for square in most_visited)
    return table


def count_landings(rolls: int) -> list[int]:
    """Number of rolls that end on each square."""
    game, rng = registry.game("monopoly:rounds=10000"), Random(84)
    position, counts = game.new(), [0] * 40
    texts: dict[int, str] = {}  # by move
    while rolls:
        if position.outcome() is not None:
            position = game.new()
        if position.turn == CHANCE:
            position.make(rng.choices(position.moves(), position.chances())[0])
            continue
        state = position.town().state
        if state[layout.PHASE] in (layout.MANAGING, layout.BUYING):
            counts[state[layout.PLACE + state[layout.MOVER]]] += 1
            rolls -= 1
        _make_passive_move(position, texts)
        while position.turn >= 0 and position.outcome() is None:
            if position.town().state[layout.PHASE] == layout.JAILED:
                break
            _make_passive_move(position, texts)
    return counts


def _make_passive_move(position: Any, texts: dict[int, str]) -> None:
    """Continue without buying anything."""
    legal = {}
    for move in position.moves():
        if move not in texts:
            texts[move] = position.format(move)
        legal[texts[move]] = move
    position.make(next(legal[text] for text in PASSIVE_MOVES if text in legal))
