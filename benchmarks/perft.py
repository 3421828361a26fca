"""Perft: the speed of the rules compared with other libraries, with bulk counting, on one core."""

import json
import os
import statistics
import time
from collections.abc import Iterator
from typing import NamedTuple

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay import registry

ROUNDS = 3
SMALLEST = ({"depth": "2", "rounds": "1"},)
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


class Case(NamedTuple):
    """A position of a game, our depth there and those of the peers; what we want to reach."""

    title: str
    game: str
    depth: int
    peers: dict[str, int]
    goal: str
    position: str = ""
    factor: float = 0.0  # at least so many times as fast as the peer that the goal names
    nps: float = 0.0  # at least so many nodes a second


CHESS = {"python-chess": 4, "open_spiel": 4, "stockfish": 6}
CASES = (
    Case("Chess, the start", "chess", 6, CHESS, "60 times python-chess", factor=60),
    Case(
        "Chess, a busy middle game",
        "chess",
        5,
        {"python-chess": 3, "open_spiel": 3, "stockfish": 5},
        "60 times python-chess",
        KIWIPETE,
        factor=60,
    ),
    Case("Othello", "othello", 11, {"open_spiel": 7}, "30 million a second", nps=30e6),
    Case(
        "Checkers, a turn of jumps as one ply",
        "checkers",
        11,
        {"open_spiel": 8},
        "30 million a second",
        nps=30e6,
    ),
    Case("Connect Four", "connect4", 10, {"open_spiel": 6}, "", nps=0),
)
NAMES = {"connect4": "connect_four"}  # what OpenSpiel calls it


def ours(case: Case, rounds: int) -> tuple[int, float]:
    """Nodes, and the median of CPU seconds."""
    position = registry.game(case.game).new(case.position)
    times = []
    for _ in range(rounds):
        start = time.process_time()
        nodes = position.perft(case.depth)
        times.append(time.process_time() - start)
    return nodes, statistics.median(times)


def theirs(peer: str, case: Case) -> tuple[int, float]:
    """The same of a peer."""
    if peer == "stockfish":
        return stockfish(case)
    words = [environment.scripts() / "python", environment.FOLDER / "count.py", peer]
    words += [NAMES.get(case.game, case.game), str(case.peers[peer]), case.position]
    found = []
    for _ in range(ROUNDS):
        out = environment.run(words, f"{peer} on {case.title}")
        found.append(json.loads(out.splitlines()[-1]))
    return found[0]["nodes"], statistics.median(one["seconds"] for one in found)


def stockfish(case: Case) -> tuple[int, float]:
    """Its `go perft`, which counts leaves in bulk, too; the CPU time of its start is taken off."""
    place = f"fen {case.position}" if case.position else "startpos"
    words = f"position {place}\ngo perft {case.peers['stockfish']}\n"
    runs = [(_stockfish(""), _stockfish(words)) for _ in range(ROUNDS)]
    line = next(line for line in runs[0][1][0].splitlines() if line.startswith("Nodes searched"))
    return int(line.rpartition(":")[2]), statistics.median(full[1] - idle[1] for idle, full in runs)


def _stockfish(words: str) -> tuple[str, float]:
    """What it says to these words, and its CPU seconds."""
    program = environment.program("stockfish")
    assert program is not None
    before = os.times()
    out = environment.run([program], "stockfish", text=words + "quit\n")
    after = os.times()
    return out, after.children_user + after.children_system - before.children_user - before.children_system


def tables(game: str = "", depth: str = "", rounds: str = str(ROUNDS)) -> Iterator[Table]:
    """A table for each position, of all games or of one. `depth` and `rounds`: of our counts."""
    missing = environment.install(("python-chess", "open_spiel"))
    if environment.program("stockfish") is None:
        missing["stockfish"] = "apt-get install stockfish"
    timing.pin()
    for case in CASES:
        if game not in ("", case.game):
            continue
        if depth:
            case = case._replace(depth=int(depth))
        progress.say(f"{case.title}, depth {case.depth}")
        nodes, seconds = ours(case, int(rounds))
        speed = nodes / max(seconds, 1e-9)
        table = Table(title=f"{case.title}: lines counted a second, one core")
        for heading in ("program", "depth", "nodes", "seconds", "million a second", "ours over it"):
            table.add_column(heading, justify="left" if heading == "program" else "right")
        table.add_row("ours", str(case.depth), f"{nodes:,}", f"{seconds:.3f}", f"{speed / 1e6:.2f}", "1.0")
        factors = {}
        for peer, plies in case.peers.items():
            if peer in missing:
                table.add_row(peer, "", "not installed", "", "", missing[peer])
                continue
            lines, took = theirs(peer, case)
            factors[peer] = speed * took / lines
            table.add_row(
                peer,
                str(plies),
                f"{lines:,}",
                f"{took:.3f}",
                f"{lines / took / 1e6:.2f}",
                f"{factors[peer]:.1f}",
            )
        if case.goal and not (case.factor and "python-chess" in missing):
            reached = factors.get("python-chess", 0.0) >= case.factor and speed >= case.nps
            table.caption = f"goal {case.goal}: {timing.verdict(reached)}"
        yield table
    timing.unpin()
