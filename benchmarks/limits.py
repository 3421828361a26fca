"""Limits of time, nodes and simulations: the cases in which an engine exceeds them, in every game.

Each pair of engine and game is measured in a separate process, so the first search includes the cost of a new
table. A time limit counts as exceeded only if TRIES searches exceed it, because the machine may be busy; the
shortest is shown.
"""

import json
import os
import random
import time
from collections.abc import Iterator
from typing import Any

from rich.table import Table

from gameplay import CHANCE, Limit, registry
from gameplay.errors import GameplayError, Usage
from gameplay.search.session import Session

GAMES = (
    *("backgammon", "battleship", "bridge", "checkers", "chess", "chinese-checkers", "connect4", "go"),
    *("go:size=19", "hearts", "holdem", "kuhn", "leduc", "liars-dice", "monopoly", "nim", "othello"),
    *("phantom-tictactoe", "pig", "puzzle15", "scrabble", "stratego", "tictactoe"),
    "tictactoe:width=19,height=19,line=5",
)
VARIANTS = (
    "pimc:by=rollout",
    "pimc:by=maxn",
    "expectiminimax:prune=star2",
    "mcts:threads=2",
    "selective:threads=2",
)
PLIES = (0, 7, 24)  # random moves before the search
EXTRA_SECONDS, FACTOR = 0.05, 1.05  # tolerances: in seconds, and as a factor of a limit
EXTRA_NODES = 3  # tolerance in nodes
TRIES = 5
SIMULATIONS, SIMULATION_TIME = 7, 0.5  # limits of a search by simulations: their number, seconds
SMALLEST = ({"games": "kuhn+nim", "engines": "minimax+cfr", "seconds": "0.05"},)


def random_position(game: Any, plies: int) -> Any:
    """A decision after at least `plies` random moves; None if the game ended before."""
    rng, position, made_plies = random.Random(plies), game.new(), 0
    while position.outcome() is None and (made_plies < plies or position.turn == CHANCE):
        position.make(rng.choice(position.moves()))
        made_plies += 1
    return position if position.outcome() is None else None


def overruns(game: str, spec: str, seconds: float, nodes: int) -> list[tuple[str, float, float]]:
    """The exceeded limits: kind, limit and measured amount of each."""
    exceeded: list[tuple[str, float, float]] = []
    for plies in PLIES:
        position = random_position(registry.game(game), plies)
        if position is None:
            continue
        times: list[float] = []
        allowed = max(seconds + EXTRA_SECONDS, FACTOR * seconds)
        while len(times) < TRIES and (not times or times[-1] > allowed):
            session = Session(registry.engine(spec)[0])
            session.begin()
            start = time.monotonic()
            session.search(position, Limit(seconds=seconds))
            times.append(time.monotonic() - start)
        if len(times) == TRIES:
            exceeded.append((f"seconds, {plies} plies", seconds, min(times)))
        visited = Session(registry.engine(spec)[0]).search(position, Limit(nodes=nodes)).nodes
        if visited > max(FACTOR * nodes + EXTRA_NODES, 2 + len(position.moves())):
            exceeded.append((f"nodes, {plies} plies", nodes, visited))
        if registry.engine(spec)[0].simulates:
            limit = Limit(simulations=SIMULATIONS, seconds=SIMULATION_TIME)
            visits = Session(registry.engine(spec)[0]).search(position, limit).visits
            if visits > SIMULATIONS:
                exceeded.append((f"simulations, {plies} plies", SIMULATIONS, visits))
    return exceeded


def overruns_in_process(game: str, spec: str, seconds: float, nodes: int) -> list[Any]:
    """`overruns` in a separate process. An error of the engine and a crash are returned as an overrun."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if not child:
        try:
            exceeded: list[Any] = list(overruns(game, spec, seconds, nodes))
        except GameplayError as error:
            exceeded = [] if isinstance(error, Usage) else [(str(error), 0, 0)]
        os.write(write_end, json.dumps(exceeded).encode())
        os._exit(0)
    os.close(write_end)
    with open(read_end) as stream:
        text = stream.read()
    os.waitpid(child, 0)
    return list(json.loads(text)) if text else [("the process crashed", 0, 0)]


def tables(seconds: str = "0.1", nodes: str = "100", games: str = "", engines: str = "") -> Iterator[Table]:
    """One table, a row for each overrun. games, engines: joined by plus signs; seconds, nodes: the limits."""
    specs = engines.split("+") if engines else [*registry.engine_names(), *VARIANTS]
    table = Table(title=f"Exceeded limits: {seconds} s, {nodes} nodes, {SIMULATIONS} simulations")
    for heading in ("game", "engine", "kind of limit", "limit", "measured"):
        table.add_column(heading, justify="right" if heading in ("limit", "measured") else "left")
    pairs = 0
    for game in games.split("+") if games else GAMES:
        start = random_position(registry.game(game), 0)
        for spec in specs:
            engine = registry.engine(spec)[0]
            try:
                engine.check(start)
            except Usage:
                continue
            if engine.instant:
                continue
            pairs += 1
            for kind, limit, amount in overruns_in_process(game, spec, float(seconds), int(nodes)):
                table.add_row(game, spec, kind, f"{limit:g}", f"{amount:.3g}")
    table.caption = f"{pairs} pairs of an engine and a game; {table.row_count} limits exceeded"
    yield table
