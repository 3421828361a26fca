"""The signature of the search: how many nodes each of a fixed set of searches visits.

The same on every machine and in both builds. A change that makes the search faster and no different leaves
it alone; one that changes it on purpose changes it too, and says so in its history (as Stockfish's bench).
"""

import tomllib
from collections.abc import Container
from pathlib import Path

from gameplay import registry
from gameplay.errors import BadInput


def searches() -> list[tuple[str, str, int, str]]:
    """Game, position, depth (0: the engine's own options end it) and engine of every search."""
    data = tomllib.loads(Path(__file__).with_name("searches.toml").read_text())
    rows: list[tuple[str, str, int, str]] = []
    for group in data["group"]:
        rows += [(*place, engine) for place in group["positions"] for engine in group["engines"]]
    return [row for row in rows if fits(row[0], row[3])] + [tuple(row) for row in data["searches"]]


def fits(game: str, engine: str) -> bool:
    """Tic-tac-toe has neither noisy moves nor a second evaluation."""
    return not (
        game.startswith("tictactoe")
        and (engine.startswith(("quiescence", "selective")) or "eval=none" in engine)
    )


def called(game: str, text: str, depth: int, spec: str) -> str:
    """A search in words: `connect4 4455343, alphabeta, depth 6`."""
    return ", ".join([f"{game} {text}".strip(), spec, *[f"depth {depth}"] * bool(depth)])


def measure(only: Container[str] | None = None) -> dict[str, int]:
    """Nodes by search, by what it is `called`; `only` of these, None: of all."""
    counts = {}
    for game, text, depth, spec in searches():
        name = called(game, text, depth, spec)
        if only is not None and name not in only:
            continue
        position = registry.game(game).new(text)
        engine, limit = registry.engine(spec)
        report = engine.search(position, limit.with_(depth=depth) if depth else limit)
        counts[name] = report.nodes
    return counts


def keep(file: Path, counts: dict[str, int]) -> None:
    """Write a signature."""
    lines = [f'"{name}" = {nodes}' for name, nodes in counts.items()]
    head = f"# Nodes of each search of `gameplay signature`; in all {sum(counts.values())}.\n"
    file.write_text(head + "\n".join(lines) + "\n")


def kept(file: Path) -> dict[str, int]:
    """The signature in a file. Raises BadInput if it is not one."""
    try:
        return tomllib.loads(file.read_text())
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{file} is not TOML: {error}") from None


def differences(old: dict[str, int], new: dict[str, int]) -> list[str]:
    """A line for each search that visits another number of nodes, or is only in one of the two."""
    return [
        f"{name}: {old.get(name, 'not kept')} nodes were kept, {new.get(name, 'not searched')} now"
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    ]
