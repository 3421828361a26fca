"""Peers on the same searches, each installed by pip in an environment of its own: peer.py runs there."""

import json
import statistics
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

from rich.table import Table

from benchmarks import timing
from benchmarks.peer import DEPTHS, PEERS
from gameplay import registry

FOLDER = Path(__file__).parent
ENVIRONMENT = FOLDER / ".peers"
PYTHON = ENVIRONMENT / ("Scripts" if sys.platform == "win32" else "bin") / "python"
GOAL = 20
ROUNDS = 3
OURS_ROUNDS = 25
OURS = ("alphabeta", "iterative")

# What pip is told for each. aima3 asks for Jupyter, which its search does not need; the wheel of a later
# easyAI is empty, so it is built from source.
INSTALL = {
    "open_spiel": ["open_spiel"],
    "easyAI": ["--no-binary", "easyAI", "easyAI==2.0.12"],
    "aima3": ["--no-deps", "aima3", "tqdm"],
}
MODULES = {"open_spiel": "pyspiel", "easyAI": "easyAI", "aima3": "aima3.games"}


def install() -> dict[str, str]:
    """Make the environment where it is missing; why a peer cannot be used, by its name."""
    if not PYTHON.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    missing = {}
    for peer, words in INSTALL.items():
        present = [PYTHON, "-c", f"import {MODULES[peer]}"]
        if subprocess.run(present, capture_output=True).returncode == 0:
            continue
        subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", *words], capture_output=True)
        check = subprocess.run(present, capture_output=True, text=True)
        if check.returncode:
            missing[peer] = check.stderr.strip().splitlines()[-1]
    return missing


def theirs(peer: str, game: str) -> tuple[float | None, float]:
    """A peer's value of the game's start and its median of CPU seconds."""
    command = [str(PYTHON), str(FOLDER / "peer.py"), peer, game, str(ROUNDS)]
    found = json.loads(
        subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    )
    return found["value"], found["seconds"]


def ours(engine: str, game: str) -> tuple[int, float]:
    """The same of one of our engines, everything a search costs included; its evaluation is switched off."""
    spec = engine + (":eval=none" if game == "connect4" else "")
    times = []
    for _ in range(OURS_ROUNDS):
        position = registry.game(game).new()
        value, _, seconds = timing.search(
            registry.engine(spec)[0], position, DEPTHS[game], lambda report: False
        )
        times.append(seconds)
    return value, statistics.median(times)


def tables() -> Iterator[Table]:
    """A table for each game."""
    missing = install()
    timing.pin()
    for game, depth in DEPTHS.items():
        mine = {f"ours, {engine}": ours(engine, game) for engine in OURS}
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
