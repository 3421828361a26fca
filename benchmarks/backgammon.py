"""Backgammon: turn generation compared with OpenSpiel, a search with plain Python, matches against others.

Needs the peers `open_spiel` and `gnubg-nn`, in a separate environment.
"""

import json
import os
import random
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay import registry
from gameplay.evaluation import select_evaluation
from gameplay.position import CHANCE
from gameplay.search.limit import Limit

GAMES = 100  # random games whose turns are generated
DEPTH = 2
POSITIONS = ("4HPwATDgc/ABMA:cAkKAAAAAAAE", "sGfwATDgc/ABMA:cIkOAAAAAAAE", "4NvBwQDgc/ABMA:cAkXAAAAAAAE")
SPEC = "expectiminimax"
ROUNDS = 5
OTHERS = [("pubeval", "pubeval"), ("gnubg", "GNU Backgammon 0-ply")]
TERMS = ("terms", "the evaluation terms")
ANSWER_TIME = 60.0  # seconds of a decision of a peer
SMALLEST = ({"games": "2", "turns": "1", "depth": "1"},)
PURE = """
import sys
from benchmarks import backgammon
print(*backgammon.searched(int(sys.argv[1])))
"""


def turns(games: int) -> tuple[int, int, float]:
    """Turns generated in random games, number of lists, CPU seconds."""
    draw, position, found = random.Random(1), registry.game("backgammon").new(""), 0
    texts = []
    for _ in range(games):
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


def searched(depth: int) -> tuple[int, float]:
    """Nodes and CPU seconds of searches to a depth in decisions."""
    engine, nodes = registry.engine(SPEC)[0], 0
    start = time.process_time()
    for text in POSITIONS:
        position = registry.game("backgammon").new(text)
        nodes += engine.search(position, Limit(depth=depth)).nodes
    return nodes, time.process_time() - start


def tables(
    games: str = "2000", turns: str = str(GAMES), depth: str = str(DEPTH), evaluation: str = ""
) -> Iterator[Any]:
    """The tables. games: against each of two others; turns: games whose turns are generated; depth: of the
    searches. evaluation: a name or a file of weights, instead of the default one.
    """
    missing = environment.install(("open_spiel", "gnubg-nn"))
    for peer, why in missing.items():
        print(f"{peer} is left out: {why}", file=sys.stderr)
    yield _generation(missing, int(turns))
    yield _search(int(depth))
    if "gnubg-nn" not in missing:
        yield _strength(int(games), evaluation)
    else:
        yield _matches([TERMS], int(games), evaluation, None)


def _generation(missing: dict[str, str], games: int) -> Table:
    table = Table(title="Lists of legal turns, asked for from Python, in random games")
    for head in ("", "lists", "turns a list", "lists/s", "ours is faster by"):
        table.add_column(head, justify="right" if head else "left")
    progress.say(f"turns of {games:,} random games")
    found, asked, seconds = turns(games)
    ours = asked / seconds
    table.add_row("gameplay", f"{asked:,}", f"{found / asked:.1f}", f"{ours:,.0f}", "")
    if "open_spiel" in missing:
        return table
    run = [str(environment.scripts() / "python"), str(environment.FOLDER / "gammon.py"), "turns", str(games)]
    told = json.loads(environment.run(run, "OpenSpiel"))
    theirs = told["asked"] / told["seconds"]
    each = f"{told['turns'] / told['asked']:.1f}"
    table.add_row("OpenSpiel", f"{told['asked']:,}", each, f"{theirs:,.0f}", f"{ours / theirs:.1f}")
    return table


def _search(depth: int) -> Table:
    table = Table(title=f"{SPEC}, {depth} decisions, {len(POSITIONS)} positions")
    for head in ("", "nodes", "seconds", "ours is faster by"):
        table.add_column(head, justify="right" if head else "left")
    nodes, seconds = searched(depth)
    env = os.environ | {"GAMEPLAY_PURE": "1", "PYTHONPATH": str(Path(__file__).parents[1])}
    same, slow = environment.run([sys.executable, "-c", PURE, depth], "plain Python", env=env).split()
    table.add_row("compiled", f"{nodes:,}", f"{seconds:.3f}", "")
    table.add_row("plain Python", f"{int(same):,}", f"{float(slow):.3f}", f"{float(slow) / seconds:.0f}")
    return table


def _strength(games: int, evaluation: str) -> Table:
    run = [str(environment.scripts() / "python"), str(environment.FOLDER / "gammon.py"), "play"]
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
        return _matches([*OTHERS, TERMS], games, evaluation, peer)


def _matches(opponents: list[tuple[str, str]], games: int, evaluation: str, peer: Any) -> Table:
    table = Table(title=f"{SPEC} of one decision, the same rolls for both seats")
    for head in ("against", "games", "points a game, 95 % interval", "won"):
        table.add_column(head, justify="right" if head != "against" else "left")
    one = select_evaluation(evaluation, registry.game("backgammon").new())
    for who, name in opponents:
        pairs = []
        won = 0
        progress.say(f"{games:,} games against {name}")
        for seed in range(games // 2):
            progress.count(2 * seed, games, f"games against {name}")
            points = [_played(peer, who, seed, seat, one) for seat in (0, 1)]
            won += sum(each > 0 for each in points)
            pairs.append(sum(points) / 2)
        share = f"{won / (2 * len(pairs)):.1%}"
        table.add_row(name, f"{2 * len(pairs):,}", timing.interval(pairs, "+.3f"), share)
    return table


def _played(peer: Any, who: str, seed: int, seat: int, evaluation: Any) -> float:
    """The points that our engine, on a seat, wins in the game of a seed. evaluation: None for the default
    one.
    """
    position, draw = registry.game("backgammon").new(""), random.Random(seed)
    while position.outcome() is None:
        moves = position.moves()
        if position.turn == CHANCE:
            position.make(draw.choices(moves, position.chances())[0])
        elif len(moves) == 1:
            position.make(moves[0])
        elif position.turn == seat or who == "terms":
            position.evaluation = evaluation if position.turn == seat else position.evaluations["terms"]
            position.make(max(moves, key=lambda move: _worth(position, move)))
        else:
            men = [position.checkers(player) for player in (1 - position.turn, position.turn)]
            numbers = [str(count) for side in men for count in (*side[1:25], side[25])]
            dice = [die for die in position.board().trays[0].things if die][:2]
            print(who, *dice, *numbers, file=peer.stdin, flush=True)
            position.make(position.parse(_line(peer)))
    return float(position.outcome()[seat])


def _line(peer: Any) -> str:
    """The next line of a peer. Raises PeerFailed if none arrives within a minute."""
    if not select.select([peer.stdout], [], [], ANSWER_TIME)[0]:
        peer.kill()
        raise environment.PeerFailed(f"the peer did not answer in {ANSWER_TIME:g} s")
    line: str = peer.stdout.readline()
    if not line:
        raise environment.PeerFailed("the peer ended during a game")
    return line


def _worth(position: Any, move: int) -> float:
    """The value of a move for its mover at depth one, which the engine maximizes."""
    me = position.turn
    position.make(move)
    over = position.outcome()
    found = position.unit * over[me] if over else position.evaluate_for(me)
    position.unmake()
    return float(found)
