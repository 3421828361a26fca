"""Monopoly: moves a second in playouts, and the visits of squares compared with published shares.

Playouts run from the start to the end of a game, on one core and in CPU time; for comparison the same game is
played with uniform moves through the Python methods of any game. The visits are of a player who buys nothing
and leaves jail at once, as in Project Euler's problem 84.
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
SMALLEST = ({"games": "1", "throws": "1000"},)
THROWS = 500_000
WORDS = ("pay", "auction", "end", "roll", "pass")  # the first that is legal, in this order
ERRORS = 5  # standard errors, and the half of the last figure that was published


def tables(games: str = str(GAMES), throws: str = str(THROWS)) -> Iterator[Table]:
    """Two tables. `games`: playouts of a round; `throws`: how many visits are counted."""
    yield _rates(int(games))
    yield _visits(int(throws))


def _rates(games: int) -> Table:
    table = Table(
        title=f"moves a second, one core, {games} games a round, dice and cards not counted as moves"
    )
    for name in ("players", "playouts by sense", "uniform", "from Python, uniform", "ours is faster"):
        table.add_column(name, justify="right")
    timing.pin()
    try:
        for players in PLAYERS:
            progress.say(f"playouts of {players} players")
            game = registry.game(f"monopoly:players={players}")
            # Each gives CPU seconds a move, so that the medians are of rates.
            seconds = timing.medians(
                {
                    "sense": lambda game=game: _playouts(game, games, True),  # type: ignore[misc]
                    "uniform": lambda game=game: _playouts(game, games, False),  # type: ignore[misc]
                    "python": lambda game=game: _python(game, max(1, games // 20)),  # type: ignore[misc]
                },
                ROUNDS,
            )
            rates = [f"{1 / seconds[name]:,.0f}" for name in ("sense", "uniform", "python")]
            table.add_row(str(players), *rates, f"{seconds['python'] / seconds['uniform']:.1f}")
    finally:
        timing.unpin()
    return table


def _playouts(game: Any, games: int, sense: bool) -> float:
    position = game.new()
    if not sense:
        position.policy = 0
    made, start = 0, time.process_time()
    for seed in range(games):
        made += sum(mover >= 0 for mover in position.rollout(seed)[1])
    return (time.process_time() - start) / made


def _python(game: Any, games: int) -> float:
    made, start = 0, time.process_time()
    for seed in range(games):
        position, rng = game.new(), Random(seed)
        while position.outcome() is None:
            if position.turn == CHANCE:
                position.make(rng.choices(position.moves(), position.chances())[0])
            else:
                position.make(rng.choice(position.moves()))
                made += 1
    return (time.process_time() - start) / made


def _visits(throws: int) -> Table:
    published = tomllib.loads(ANSWERS.read_text(encoding="utf-8"))["visits"]
    names = board.facts().names
    progress.say(f"{throws:,} throws")
    seen = landings(throws)
    table = Table(title=f"squares after {throws:,} throws, in per cent")
    for name in ("square", "published", "here", "within", ""):
        table.add_column(name, justify="left" if name in ("square", "") else "right")
    for square, share in published["dice6"].items():
        found = 100 * seen[int(square)] / throws
        error = ERRORS * 100 * (share / 100 / throws) ** 0.5 + 0.005
        fits = timing.verdict(abs(found - share) <= error)
        table.add_row(names[int(square)], f"{share:.2f}", f"{found:.2f}", f"{error:.2f}", fits)
    first = sorted(range(40), key=lambda square: -seen[square])[:3]
    table.caption = "most visited: " + ", ".join(names[square] for square in first)
    return table


def landings(throws: int) -> list[int]:
    """How often each square was where a throw ended."""
    game, rng = registry.game("monopoly:rounds=10000"), Random(84)
    position, seen = game.new(), [0] * 40
    words: dict[int, str] = {}
    while throws:
        if position.outcome() is not None:
            position = game.new()
        if position.turn == CHANCE:
            position.make(rng.choices(position.moves(), position.chances())[0])
            continue
        state = position.town().state
        if state[layout.PHASE] in (layout.MANAGING, layout.BUYING):
            seen[state[layout.PLACE + state[layout.MOVER]]] += 1
            throws -= 1
        _pass(position, words)
        while position.turn >= 0 and position.outcome() is None:
            if position.town().state[layout.PHASE] == layout.JAILED:
                break
            _pass(position, words)
    return seen


def _pass(position: Any, words: dict[int, str]) -> None:
    """Make the move that buys nothing and goes on."""
    legal = {}
    for move in position.moves():
        if move not in words:
            words[move] = position.format(move)
        legal[words[move]] = move
    position.make(next(legal[word] for word in WORDS if word in legal))
