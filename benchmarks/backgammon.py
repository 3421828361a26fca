"""Backgammon: move generation compared with OpenSpiel, a compiled search with pure Python, and matches.

The opponents of the matches are pubeval and GNU Backgammon at 0 plies, both of `gnubg-nn`, and our evaluation
`terms`.
"""

import json
import os
import random
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay import registry
from gameplay.evaluation import select_evaluation
from gameplay.position import CHANCE
from gameplay.search.limit import Limit

GAMES = 100  # random games whose positions are used for move generation
POSITIONS_TIMED = 2000  # about as many of their positions are used
DEPTH = 2
POSITIONS = ("4HPwATDgc/ABMA:cAkKAAAAAAAE", "sGfwATDgc/ABMA:cIkOAAAAAAAE", "4NvBwQDgc/ABMA:cAkXAAAAAAAE")
SPEC = "expectiminimax"
ROUNDS = 5
PEERS = [("pubeval", "pubeval"), ("gnubg", "GNU Backgammon 0-ply")]
TERMS = ("terms", "evaluation `terms`")
RESPONSE_TIME = 60.0  # seconds that a peer may take for a move
SMALLEST = ({"games": "2", "turns": "1", "depth": "1"},)
PURE = """
import sys
from benchmarks import backgammon
print(*backgammon.measure_search(int(sys.argv[1])))
"""


def measure_generation(games: int) -> tuple[int, int, float]:
    """Generate the legal moves of positions of random games. Returns moves, positions and CPU seconds."""
    rng, game = random.Random(1), registry.game("backgammon")
    texts = []
    for _ in range(games):
        position = game.new("")
        while position.outcome() is None:
            if position.turn != CHANCE:
                texts.append(position.text())
            position.make(rng.choice(position.moves()))
    positions = [game.new(text) for text in texts[:: len(texts) // POSITIONS_TIMED or 1]]
    moves = 0
    start = time.process_time()
    for _ in range(ROUNDS):
        for position in positions:
            moves += len(position.moves())
    return moves, ROUNDS * len(positions), time.process_time() - start


def measure_search(depth: int) -> tuple[int, float]:
    """Nodes and CPU seconds of searches of POSITIONS; the depth counts decisions."""
    engine, nodes = registry.engine(SPEC)[0], 0
    start = time.process_time()
    for text in POSITIONS:
        position = registry.game("backgammon").new(text)
        nodes += engine.search(position, Limit(depth=depth)).nodes
    return nodes, time.process_time() - start


def tables(
    games: str = "2000",
    turns: str = str(GAMES),
    depth: str = str(DEPTH),
    evaluation: str = "",
    match: str = "0",
) -> Iterator[Any]:
    """Move generation, search and matches.

    games: of each match. turns: number of random games whose moves are generated. depth: of the searches, in
    decisions. evaluation: a name or a file of weights, instead of the default one. match: 1 for games to one
    point, in which gammons do not count; 0 for games for points.
    """
    missing = environment.install(("open_spiel", "gnubg-nn"))
    environment.report_missing(missing)
    yield _generation("open_spiel" not in missing, int(turns))
    yield _search(int(depth))
    game = registry.game(f"backgammon:match={match}")
    if "gnubg-nn" in missing:
        yield _matches([TERMS], game, int(games), evaluation, None)
        return
    command = [str(environment.scripts() / "python"), str(environment.FOLDER / "gammon.py"), "play", match]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
        yield _matches([*PEERS, TERMS], game, int(games), evaluation, peer)


def _generation(with_peer: bool, games: int) -> Table:
    table = Table(title="Backgammon: move generation from Python, positions of random games, CPU time")
    _add_columns(table, ("program", "positions", "moves/position", "positions/s", "speedup"))
    progress.show(f"generating the moves of {games:,} random games")
    moves, positions, seconds = measure_generation(games)
    rate = positions / seconds
    table.add_row("gameplay", f"{positions:,}", f"{moves / positions:.1f}", f"{rate:,.0f}", "")
    if with_peer:
        peer = json.loads(environment.run_peer("gammon.py", "generate", games, name="OpenSpiel"))
        positions = peer["positions"]
        peer_rate = positions / peer["seconds"]
        table.add_row(
            "OpenSpiel",
            f"{positions:,}",
            f"{peer['moves'] / positions:.1f}",
            f"{peer_rate:,.0f}",
            f"{rate / peer_rate:.1f}",
        )
    return table


def _search(depth: int) -> Table:
    table = Table(title=f"Backgammon: {SPEC}, depth {depth} decisions, {len(POSITIONS)} positions")
    _add_columns(table, ("build", "nodes", "CPU s", "speedup"))
    nodes, seconds = measure_search(depth)
    env = os.environ | {"GAMEPLAY_PURE": "1", "PYTHONPATH": str(Path(__file__).parents[1])}
    output = environment.run([sys.executable, "-c", PURE, depth], "the pure Python build", env=env).split()
    pure_nodes, pure_seconds = int(output[0]), float(output[1])
    table.add_row("compiled", f"{nodes:,}", f"{seconds:.3f}", "")
    table.add_row("pure Python", f"{pure_nodes:,}", f"{pure_seconds:.3f}", f"{pure_seconds / seconds:.0f}")
    return table


def _matches(opponents: list[tuple[str, str]], game: Any, games: int, evaluation: str, peer: Any) -> Table:
    """Matches of our engine at depth 1. Games come in pairs with the same rolls and exchanged seats."""
    points = game.new().match
    title = "games to one point" if points else "games for points"
    table = Table(title=f"Backgammon: {title} of {SPEC} at depth 1, pairs with the same rolls")
    _add_columns(table, ("opponent", "games", "points/game, 95 % interval", "won"))
    weights = select_evaluation(evaluation, game.new())
    for opponent, title in opponents:
        pair_means = []
        wins = 0
        progress.show(f"{games:,} games against {title}")
        for seed in range(games // 2):
            progress.count(2 * seed, games, f"games against {title}")
            points = [_play_game(game, peer, opponent, seed, seat, weights) for seat in (0, 1)]
            wins += sum(payoff > 0 for payoff in points)
            pair_means.append(sum(points) / 2)
        count = 2 * len(pair_means)
        table.add_row(title, f"{count:,}", timing.format_interval(pair_means, "+.3f"), f"{wins / count:.1%}")
    return table


def _add_columns(table: Table, headings: Sequence[str]) -> None:
    """Add the columns; the first one is left-aligned, numbers are right-aligned."""
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number else "left")


def _play_game(game: Any, peer: Any, opponent: str, seed: int, seat: int, evaluation: Any) -> float:
    """Play a game and return the points of our engine. evaluation: of our engine, None for the default."""
    position, rng = game.new(), random.Random(seed)
    while position.outcome() is None:
        moves = position.moves()
        if position.turn == CHANCE:
            position.make(rng.choices(moves, position.chances())[0])
        elif len(moves) == 1:
            position.make(moves[0])
        elif position.turn == seat or opponent == "terms":
            position.evaluation = evaluation if position.turn == seat else position.evaluations["terms"]
            position.make(max(moves, key=lambda move: _move_value(position, move)))
        else:
            sides = [position.checkers(player) for player in (1 - position.turn, position.turn)]
            counts = [str(count) for side in sides for count in (*side[1:25], side[25])]
            dice = [die for die in position.board().trays[0].things if die][:2]
            print(opponent, *dice, *counts, file=peer.stdin, flush=True)
            position.make(position.parse(_read_line(peer)))
    return float(position.outcome()[seat])


def _read_line(peer: Any) -> str:
    """The next line of a peer. Raises PeerFailed if none arrives within RESPONSE_TIME."""
    if not select.select([peer.stdout], [], [], RESPONSE_TIME)[0]:
        peer.kill()
        raise environment.PeerFailed(f"no move from gnubg-nn within {RESPONSE_TIME:g} s")
    line: str = peer.stdout.readline()
    if not line:
        raise environment.PeerFailed("gnubg-nn exited during a game")
    return line


def _move_value(position: Any, move: int) -> float:
    """The value of a move for its mover at depth 1."""
    mover = position.turn
    position.make(move)
    outcome = position.outcome()
    value = position.unit * outcome[mover] if outcome else position.evaluate_for(mover)
    position.unmake()
    return float(value)
