"""Perft: speed of move generation compared with other programs, with bulk counting, on one core."""

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
    """A position, the depths of the counts, and the goal."""

    title: str
    game: str
    depth: int
    peers: dict[str, int]  # depth by peer
    goal: str
    position: str = ""
    min_speedup: float = 0.0  # over python-chess
    min_nps: float = 0.0  # nodes per second


CHESS = {"python-chess": 4, "open_spiel": 4, "stockfish": 6}
CASES = (
    Case("Chess, initial position", "chess", 6, CHESS, "60 times python-chess", min_speedup=60),
    Case(
        "Chess, Kiwipete",
        "chess",
        5,
        {"python-chess": 3, "open_spiel": 3, "stockfish": 5},
        "60 times python-chess",
        KIWIPETE,
        min_speedup=60,
    ),
    Case("Othello", "othello", 11, {"open_spiel": 7}, "30 million nodes/s", min_nps=30e6),
    Case(
        "Checkers, one ply per turn of jumps",
        "checkers",
        11,
        {"open_spiel": 8},
        "30 million nodes/s",
        min_nps=30e6,
    ),
    Case("Connect Four", "connect4", 10, {"open_spiel": 6}, ""),
)
NAMES = {"connect4": "connect_four"}  # the game's name in OpenSpiel


def measure(case: Case, rounds: int) -> tuple[int, float]:
    """Nodes and the median of the CPU seconds."""
    position = registry.game(case.game).new(case.position)
    times = []
    for _ in range(rounds):
        start = time.process_time()
        nodes = position.perft(case.depth)
        times.append(time.process_time() - start)
    return nodes, statistics.median(times)


def measure_peer(peer: str, case: Case) -> tuple[int, float]:
    """The same for a peer."""
    if peer == "stockfish":
        return measure_stockfish(case)
    game, depth = NAMES.get(case.game, case.game), case.peers[peer]
    results = []
    for _ in range(ROUNDS):
        output = environment.run_peer(
            "count.py", peer, game, depth, case.position, name=f"{peer} on {case.title}"
        )
        results.append(json.loads(output.splitlines()[-1]))
    return results[0]["nodes"], statistics.median(result["seconds"] for result in results)


def measure_stockfish(case: Case) -> tuple[int, float]:
    """The same for `go perft` of Stockfish, with bulk counting; the CPU time of its startup is subtracted."""
    position = f"fen {case.position}" if case.position else "startpos"
    commands = f"position {position}\ngo perft {case.peers['stockfish']}\n"
    runs = [(_run_stockfish(""), _run_stockfish(commands)) for _ in range(ROUNDS)]
    line = next(line for line in runs[0][1][0].splitlines() if line.startswith("Nodes searched"))
    return int(line.rpartition(":")[2]), statistics.median(full[1] - idle[1] for idle, full in runs)


def _run_stockfish(commands: str) -> tuple[str, float]:
    """The output of Stockfish, and its CPU seconds."""
    program = environment.find_program("stockfish")
    assert program is not None
    before = os.times()
    output = environment.run([program], "stockfish", text=commands + "quit\n")
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return output, seconds


def tables(game: str = "", depth: str = "", rounds: str = str(ROUNDS)) -> Iterator[Table]:
    """A table for each position, of all games or of one. depth, rounds: of our counts."""
    missing = environment.install(("python-chess", "open_spiel"))
    if environment.find_program("stockfish") is None:
        missing["stockfish"] = "not installed"
    environment.report_missing(missing)
    timing.pin()
    for case in CASES:
        if game not in ("", case.game):
            continue
        if depth:
            case = case._replace(depth=int(depth))
        progress.show(f"{case.title}, depth {case.depth}")
        nodes, seconds = measure(case, int(rounds))
        nps = nodes / max(seconds, 1e-9)
        table = Table(title=f"Perft: {case.title}, one core")
        for heading in ("program", "depth", "nodes", "CPU s", "million nodes/s", "speedup"):
            table.add_column(heading, justify="left" if heading == "program" else "right")
        table.add_row("gameplay", str(case.depth), f"{nodes:,}", f"{seconds:.3f}", f"{nps / 1e6:.2f}", "")
        speedups = {}
        for peer, peer_depth in case.peers.items():
            if peer in missing:
                continue
            peer_nodes, peer_seconds = measure_peer(peer, case)
            speedups[peer] = nps * peer_seconds / peer_nodes
            table.add_row(
                peer,
                str(peer_depth),
                f"{peer_nodes:,}",
                f"{peer_seconds:.3f}",
                f"{peer_nodes / peer_seconds / 1e6:.2f}",
                f"{speedups[peer]:.1f}",
            )
        if case.goal and not (case.min_speedup and "python-chess" in missing):
            reached = speedups.get("python-chess", 0.0) >= case.min_speedup and nps >= case.min_nps
            table.caption = f"goal {case.goal}: {timing.verdict(reached)}"
        yield table
    timing.unpin()
