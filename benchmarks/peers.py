"""The same searches by peers, each installed by pip in a separate environment, where peer.py runs."""

import json
import statistics
from collections.abc import Iterator
from pathlib import Path

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.peer import DEPTHS, PEERS
from gameplay import registry

FOLDER = Path(__file__).parent
GOAL = 20
ROUNDS = 3
OURS_ROUNDS = 25
SMALLEST = ({"rounds": "1"},)
OURS = ("alphabeta", "iterative")


def theirs(peer: str, game: str) -> tuple[float | None, float]:
    """A peer's value of the game's start and its median of CPU seconds."""
    command = [str(environment.scripts() / "python"), str(FOLDER / "peer.py"), peer, game, str(ROUNDS)]
    found = json.loads(environment.run(command, f"{peer} on {game}").splitlines()[-1])
    return found["value"], found["seconds"]


def ours(engine: str, game: str, rounds: int) -> tuple[int, float]:
    """The same of one of our engines, everything a search costs included; its evaluation is switched off."""
    spec = engine + (":eval=none" if game == "connect4" else "")
    times = []
    for _ in range(rounds):
        position = registry.game(game).new()
        value, _, seconds = timing.search(
            registry.engine(spec)[0], position, DEPTHS[game], lambda report: False
        )
        times.append(seconds)
    return value, statistics.median(times)


def tables(rounds: str = str(OURS_ROUNDS)) -> Iterator[Table]:
    """A table for each game. `rounds`: of our searches."""
    missing = environment.install(("open_spiel", "easyAI", "aima3"))
    timing.pin()
    for game, depth in DEPTHS.items():
        mine = {f"ours, {engine}": ours(engine, game, int(rounds)) for engine in OURS}
        peers = {peer: theirs(peer, game) for peer in PEERS if peer.partition(",")[0] not in missing}
        best = min(seconds for _, seconds in mine.values())
        fastest = min((seconds for _, seconds in peers.values()), default=None)
        table = Table(title=f"{game} from the empty board, {depth} plies: CPU time to the value")
        for heading in ("program", "value", "ms", "times ours"):
            table.add_column(heading, justify="left" if heading == "program" else "right")
        for name, (value, seconds) in (mine | peers).items():
            shown = "a move only" if value is None else f"{value:g}"
            table.add_row(name, shown, f"{1000 * seconds:.3f}", f"{seconds / best:.1f}")
        for peer, why in missing.items():
            table.add_row(peer, "not installed", "", why)
        if fastest is not None:
            reached = timing.verdict(fastest / best >= GOAL)
            table.caption = f"the fastest peer takes {fastest / best:.1f} times ours; goal {GOAL}: {reached}"
        yield table
    timing.unpin()
