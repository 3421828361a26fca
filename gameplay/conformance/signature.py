"""The signature of the search: how many nodes each of a fixed set of searches visits.

Equal on every machine and in both builds. A change that only makes the search faster keeps it; a functional
change updates it and states so in its commit (like Stockfish's bench).
"""

import tomllib
from collections.abc import Container
from pathlib import Path

from gameplay import file_io, registry
from gameplay.errors import BadInput


def searches() -> list[tuple[str, str, int, str]]:
    """Game, position, depth (0: the engine's own options end it) and engine of every search."""
    data = tomllib.loads(Path(__file__).with_name("searches.toml").read_text())
    rows: list[tuple[str, str, int, str]] = []
    for group in data["group"]:
        rows += [(*search, engine) for search in group["positions"] for engine in group["engines"]]
    return [row for row in rows if is_supported(row[0], row[3])] + [tuple(row) for row in data["searches"]]


def is_supported(game: str, engine: str) -> bool:
    """False for tic-tac-toe with quiescence or another evaluation: it has neither."""
    return not (
        game.startswith("tictactoe")
        and (engine.startswith(("quiescence", "selective")) or "eval=none" in engine)
    )


def search_name(game: str, text: str, depth: int, spec: str) -> str:
    """The name of a search: `connect4 4455343, alphabeta, depth 6`."""
    return ", ".join([f"{game} {text}".strip(), spec, *[f"depth {depth}"] * bool(depth)])


def measure(chosen_names: Container[str] | None = None) -> dict[str, int]:
    """Nodes by search, by `search_name`. `chosen_names`: the searches to run; None: all."""
    counts = {}
    for game, text, depth, spec in searches():
        name = search_name(game, text, depth, spec)
        if chosen_names is not None and name not in chosen_names:
            continue
        position = registry.game(game).new(text)
        engine, limit = registry.engine(spec)
        report = engine.search(position, limit.with_(depth=depth) if depth else limit)
        counts[name] = report.nodes
    return counts


def save(file: Path, counts: dict[str, int]) -> None:
    """Save a signature."""
    lines = [f'"{name}" = {nodes}' for name, nodes in counts.items()]
    head = f"# Nodes of each search of `gameplay signature`; in all {sum(counts.values())}.\n"
    file_io.write(file, [(head + "\n".join(lines) + "\n").encode()])


def load(file: Path) -> dict[str, int]:
    """Load a signature. Raises BadInput for a file that is not TOML."""
    try:
        return tomllib.loads(file.read_text())
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{file} is not TOML: {error}") from None


def differences(old: dict[str, int], new: dict[str, int]) -> list[str]:
    """A line for each search whose node count differs or that is in one of the two only."""
    return [
        f"{name}: {old.get(name, 'not kept')} nodes were kept, {new.get(name, 'not searched')} now"
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    ]
