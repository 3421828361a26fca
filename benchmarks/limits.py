"""How closely engines observe limits of time, nodes and simulations, in every game that they can play.

The first search of each engine is also measured, in a separate process, since a new table is slow. If a
search overruns, the best of several counts, because the machine may be busy.
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
MORE = (
    "pimc:by=rollout",
    "pimc:by=maxn",
    "expectiminimax:prune=star2",
    "mcts:threads=2",
    "selective:threads=2",
)
PLIES = (0, 7, 24)  # random moves before the search
SPARE, SHARE = 0.05, 1.05  # tolerance in seconds, and as a factor of the limit
FEW = 3  # tolerance in nodes
TRIES = 5
SIMULATIONS, LONGEST = 7, 0.5  # and the seconds they may take
SMALLEST = ({"games": "kuhn+nim", "engines": "minimax+cfr", "seconds": "0.05"},)


def position_of(game: Any, plies: int) -> Any:
    """The position after random moves; None if the game is over by then."""
    rng, position, made = random.Random(plies), game.new(), 0
    while position.outcome() is None and (made < plies or position.turn == CHANCE):
        position.make(rng.choice(position.moves()))
        made += 1
    return position if position.outcome() is None else None


def overruns(game: str, spec: str, seconds: float, nodes: int) -> list[tuple[str, float, float]]:
    """Each exceeded limit: its kind, the limit and the measured amount."""
    found = []
    for plies in PLIES:
        position = position_of(registry.game(game), plies)
        if position is None:
            continue
        took = []
        while len(took) < TRIES and (not took or took[-1] > max(seconds + SPARE, SHARE * seconds)):
            session = Session(registry.engine(spec)[0])
            session.begin()
            began = time.monotonic()
            session.search(position, Limit(seconds=seconds))
            took.append(time.monotonic() - began)
        if len(took) == TRIES:
            found.append((f"seconds, {plies} plies", seconds, min(took)))
        visited = Session(registry.engine(spec)[0]).search(position, Limit(nodes=nodes)).nodes
        if visited > max(SHARE * nodes + FEW, 2 + len(position.moves())):
            found.append((f"nodes, {plies} plies", nodes, visited))
        if registry.engine(spec)[0].simulates:
            limit = Limit(simulations=SIMULATIONS, seconds=LONGEST)
            visits = Session(registry.engine(spec)[0]).search(position, limit).visits
            if visits > SIMULATIONS:
                found.append((f"simulations, {plies} plies", SIMULATIONS, visits))
    return found


def apart(game: str, spec: str, seconds: float, nodes: int) -> list[Any]:
    """The same in a separate process."""
    source, sink = os.pipe()
    child = os.fork()
    if not child:
        try:
            answer: list[Any] = list(overruns(game, spec, seconds, nodes))
        except GameplayError as error:
            answer = [] if isinstance(error, Usage) else [(str(error), 0, 0)]
        os.write(sink, json.dumps(answer).encode())
        os._exit(0)
    os.close(sink)
    with open(source) as stream:
        text = stream.read()
    os.waitpid(child, 0)
    return list(json.loads(text)) if text else [("the process died", 0, 0)]


def tables(seconds: str = "0.1", nodes: str = "100", games: str = "", engines: str = "") -> Iterator[Table]:
    """One table, one row per overrun; `games` and `engines` are separated by plus signs."""
    specs = engines.split("+") if engines else [*registry.engine_names(), *MORE]
    table = Table(title=f"Overruns of {seconds} s, {nodes} nodes and {SIMULATIONS} simulations")
    for heading in ("game", "engine", "limited", "limit", "took"):
        table.add_column(heading, justify="right" if heading in ("limit", "took") else "left")
    searched = 0
    for game in games.split("+") if games else GAMES:
        start = position_of(registry.game(game), 0)
        for spec in specs:
            engine = registry.engine(spec)[0]
            try:
                engine.check(start)
            except Usage:
                continue
            if engine.instant:
                continue
            searched += 1
            for what, limit, took in apart(game, spec, float(seconds), int(nodes)):
                table.add_row(game, spec, what, f"{limit:g}", f"{took:.3g}")
    table.caption = f"{searched} pairs of an engine and a game; {table.row_count} overruns"
    yield table
