"""Alpha-beta on tic-tac-toe and Connect Four: CPU time to the value, compared with Python libraries."""

import json
import statistics
from collections.abc import Iterator

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.peer import DEPTHS, PEERS
from gameplay import registry

GOAL = 20  # speedup over the fastest peer
PEER_ROUNDS = 3
ROUNDS = 25
SMALLEST = ({"rounds": "1"},)
ENGINES = ("alphabeta", "iterative")


def measure_peer(peer: str, game: str) -> tuple[float | None, float]:
    """A peer's value of the initial position, None if it returns none, and the median of its CPU seconds."""
    output = environment.run_peer("peer.py", peer, game, PEER_ROUNDS, name=f"{peer} on {game}")
    result = json.loads(output.splitlines()[-1])
    return result["value"], result["seconds"]


def measure(engine: str, game: str, rounds: int) -> tuple[int, float]:
    """Value and median of the CPU seconds of complete searches by one of our engines, without evaluation."""
    spec = engine + (":eval=none" if game == "connect4" else "")
    times = []
    for _ in range(rounds):
        position = registry.game(game).new()
        value, _, seconds = timing.search(
            registry.engine(spec)[0], position, DEPTHS[game], lambda report: False
        )
        times.append(seconds)
    return value, statistics.median(times)


def tables(rounds: str = str(ROUNDS)) -> Iterator[Table]:
    """A table for each game. rounds: of our searches."""
    missing = environment.install(("open_spiel", "easyAI", "aima3"))
    environment.report_missing(missing)
    timing.pin()
    for game, depth in DEPTHS.items():
        engines = {f"gameplay, {engine}": measure(engine, game, int(rounds)) for engine in ENGINES}
        peers = {peer: measure_peer(peer, game) for peer in PEERS if peer.partition(",")[0] not in missing}
        best = min(seconds for _, seconds in engines.values())
        table = Table(title=f"{game}: alpha-beta from the empty board, {depth} plies, CPU time")
        for heading in ("program", "value", "ms", "time / best gameplay"):
            table.add_column(heading, justify="left" if heading == "program" else "right")
        for name, (value, seconds) in (engines | peers).items():
            value_text = "none (move only)" if value is None else f"{value:g}"
            table.add_row(name, value_text, f"{1000 * seconds:.3f}", f"{seconds / best:.1f}")
        if peers:
            speedup = min(seconds for _, seconds in peers.values()) / best
            table.caption = (
                f"speedup over the fastest peer {speedup:.1f}; goal {GOAL}: {timing.verdict(speedup >= GOAL)}"
            )
        yield table
    timing.unpin()
