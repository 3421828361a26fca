"""Backgammon: turns generated beside OpenSpiel, a search beside plain Python, points won from others.

Needs the peers `open_spiel` and `gnubg-nn`, in an environment of their own.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.table import Table

from benchmarks import environment
from gameplay import registry
from gameplay.position import CHANCE
from gameplay.search.limit import Limit

GAMES = 100  # random games whose turns are generated
DEPTH = 2
POSITIONS = ("4HPwATDgc/ABMA:cAkKAAAAAAAE", "sGfwATDgc/ABMA:cIkOAAAAAAAE", "4NvBwQDgc/ABMA:cAkXAAAAAAAE")
SPEC = "expectiminimax"
ROUNDS = 5
PURE = """
from benchmarks import backgammon
print(*backgammon.searched())
"""


def turns() -> tuple[int, int, float]:
    """Turns generated in random games, how many lists of them, CPU seconds."""
    draw, position, found = random.Random(1), registry.game("backgammon").new(""), 0
    texts = []
    for _ in range(GAMES):
        while position.outcome() is None:
            if position.turn != CHANCE:
                texts.append(position.text())
            position.make(draw.choice(position.moves()))
        position = registry.game("backgammon").new("")
    positions = [registry.game("backgammon").new(text) for text in texts[:: len(texts) // 2000 or 1]]
    start = time.process_time()
    for _ in range(ROUNDS):
        for one in positions:
            found += len(one.moves())
    return found, ROUNDS * len(positions), time.process_time() - start


def searched() -> tuple[int, float]:
    """Nodes and CPU seconds of searches of two decisions."""
    engine, nodes = registry.engine(SPEC)[0], 0
    start = time.process_time()
    for text in POSITIONS:
        position = registry.game("backgammon").new(text)
        nodes += engine.search(position, Limit(depth=DEPTH)).nodes
    return nodes, time.process_time() - start


def tables(games: int | str = 2000) -> Iterator[Any]:
    """The tables; `games` against each of two others."""
    missing = environment.install(("open_spiel", "gnubg-nn"))
    yield _generation(missing)
    yield _search()
    if "gnubg-nn" not in missing:
        yield _strength(int(games))


def _generation(missing: dict[str, str]) -> Table:
    table = Table(title="Lists of legal turns, asked for from Python, in random games")
    for head in ("", "lists", "turns a list", "lists/s", "ours is faster by"):
        table.add_column(head, justify="right" if head else "left")
    found, asked, seconds = turns()
    ours = asked / seconds
    table.add_row("gameplay", f"{asked:,}", f"{found / asked:.1f}", f"{ours:,.0f}", "")
    if "open_spiel" in missing:
        return table
    run = [str(environment.scripts() / "python"), str(environment.FOLDER / "gammon.py"), "turns", str(GAMES)]
    told = json.loads(subprocess.run(run, capture_output=True, text=True, check=True).stdout)
    theirs = told["asked"] / told["seconds"]
    each = f"{told['turns'] / told['asked']:.1f}"
    table.add_row("OpenSpiel", f"{told['asked']:,}", each, f"{theirs:,.0f}", f"{ours / theirs:.1f}")
    return table


def _search() -> Table:
    table = Table(title=f"{SPEC}, {DEPTH} decisions, {len(POSITIONS)} positions")
    for head in ("", "nodes", "seconds", "ours is faster by"):
        table.add_column(head, justify="right" if head else "left")
    nodes, seconds = searched()
    env = os.environ | {"GAMEPLAY_PURE": "1", "PYTHONPATH": str(Path(__file__).parents[1])}
    pure = subprocess.run([sys.executable, "-c", PURE], capture_output=True, text=True, check=True, env=env)
    same, slow = pure.stdout.split()
    table.add_row("compiled", f"{nodes:,}", f"{seconds:.3f}", "")
    table.add_row("plain Python", f"{int(same):,}", f"{float(slow):.3f}", f"{float(slow) / seconds:.0f}")
    return table


def _strength(games: int) -> Table:
    table = Table(title=f"{SPEC} of one decision, the same throws for both seats")
    for head in ("against", "games", "points a game", "95 %", "won"):
        table.add_column(head, justify="right" if head != "against" else "left")
    run = [str(environment.scripts() / "python"), str(environment.FOLDER / "gammon.py"), "play"]
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
        for who, name in (("pubeval", "pubeval"), ("gnubg", "GNU Backgammon 0-ply")):
            pairs = []
            won = 0
            for seed in range(games // 2):
                points = [_played(peer, who, seed, seat) for seat in (0, 1)]
                won += sum(each > 0 for each in points)
                pairs.append(sum(points) / 2)
            error = 1.96 * statistics.stdev(pairs) / len(pairs) ** 0.5
            mean = statistics.mean(pairs)
            share = f"{won / (2 * len(pairs)):.1%}"
            table.add_row(name, f"{2 * len(pairs):,}", f"{mean:+.3f}", f"± {error:.3f}", share)
    return table


def _played(peer: Any, who: str, seed: int, seat: int) -> float:
    """What our engine, in a seat, wins in the game of a seed."""
    position, draw = registry.game("backgammon").new(""), random.Random(seed)
    while position.outcome() is None:
        moves = position.moves()
        if position.turn == CHANCE:
            position.make(draw.choices(moves, position.chances())[0])
        elif len(moves) == 1:
            position.make(moves[0])
        elif position.turn == seat:
            position.make(max(moves, key=lambda move: _worth(position, move)))
        else:
            men = [position.men(player) for player in (1 - position.turn, position.turn)]
            numbers = [str(count) for side in men for count in (*side[1:25], side[25])]
            dice = [die for die in position.board().trays[0].things if die][:2]
            print(who, *dice, *numbers, file=peer.stdin, flush=True)
            position.make(position.parse(peer.stdout.readline()))
    return float(position.outcome()[seat])


def _worth(position: Any, move: int) -> float:
    """What a move is worth to its mover, one decision deep: what the engine takes the most of."""
    me = position.turn
    position.make(move)
    over = position.outcome()
    found = position.unit * over[me] if over else position.evaluate_for(me)
    position.unmake()
    return float(found)
