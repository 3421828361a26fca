"""Perft: counts the legal move sequences of a given length and compares them with known counts.

Files of known counts are read in three common formats:

    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - perft1 20; perft2 400;

    epd bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf -
    perft 1 21
    perft 2 528

Positions are in the game's notation (nothing before `;D1`: the standard start), so the first format works for
every game. `#` begins a comment. Published counts of the built-in games are in perft.toml.
"""

import re
import threading
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gameplay import file_io
from gameplay.adapter import kernel_of
from gameplay.catalogue import name_of
from gameplay.errors import BadInput, Fault, GameplayError, describe_exception
from gameplay.position import AbstractPosition, twin
from gameplay.registry import Game
from gameplay.search import threads

TICK = 0.05  # seconds between two checks for an interrupt

INLINE = re.compile(r";\s*D(\d+)\s+(\d+)\s*")
OPCODE = re.compile(r"(?:^|\s)perft\s*(\d+)\s+(\d+)\s*;?")


@dataclass(frozen=True)
class Count:
    """The nodes at `depth` plies and the wall time to count them."""

    depth: int
    nodes: int
    seconds: float

    @property
    def nps(self) -> float:
        """Nodes per second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain = {"depth": self.depth, "nodes": self.nodes, "seconds": round(self.seconds, 6)}
        return plain | {"nps": round(self.nps)}


@dataclass
class Known:
    """A position and its known counts by depth."""

    position: str
    file: str
    line: int
    nodes: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Published:
    """Published counts from a position: leaves at depth 1, 2, ..., and the source."""

    leaves: tuple[int, ...] = ()
    source: str = ""

    def at(self, depth: int) -> int | None:
        """The count at a depth of 1 or more; None if unknown."""
        return self.leaves[depth - 1] if depth <= len(self.leaves) else None


def published_counts(game: Game, position: AbstractPosition) -> Published:
    """The published counts of a position of the game; empty if there are none."""
    with Path(__file__).with_name("perft.toml").open("rb") as file:
        tables = tomllib.load(file)["perft"]
    for entry in tables:
        text = entry.get("position", "")
        if entry["game"] == game.spec and game.new(text).key() == position.key():
            return Published(tuple(entry["leaves"]), entry["source"])
    return Published()


def count(position: AbstractPosition, depth: int) -> Count:
    """The nodes `depth` plies below a position, leaves counted in bulk. Ctrl-C ends it at once.

    Raises Fault if a game written in Python raises.
    """
    kernel = kernel_of(position)
    counts: list[int] = []
    failure: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            counts.append(kernel.perft(depth))
        except BaseException as error:
            failure.append(error)
        finally:
            done.set()

    began = time.perf_counter()
    if threads.start(work, "perft") is None:
        work()
    while not done.wait(TICK):
        pass
    if failure:
        error = failure[0]
        if isinstance(error, GameplayError):
            raise error
        raise Fault(f"{name_of(position)}: {describe_exception(error)}") from error
    return Count(depth, counts[0], time.perf_counter() - began)


def divide(position: AbstractPosition, depth: int) -> Iterator[tuple[str, Count]]:
    """Each move's notation and the number of nodes at `depth` plies below it."""
    if position.outcome() is not None:
        return
    position = twin(position)  # other threads may read it meanwhile
    for move in list(position.moves()):
        word = position.format(move)
        if depth == 1:
            yield word, Count(1, 1, 0.0)
            continue
        position.make(move)
        try:
            below = count(position, depth - 1)
        finally:
            position.unmake()
        yield word, Count(depth, below.nodes, below.seconds)


def read(path: Path) -> tuple[list[Known], list[str]]:
    """The positions in a file with their known counts, and the errors of its other lines.

    Raises BadInput for a file that cannot be read, or that has no valid line.
    """
    try:
        lines = file_io.content(path).decode("utf-8-sig").splitlines()
    except OSError as error:
        raise BadInput(file_io.unreadable(path, error)) from None
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not a text file") from None
    positions: list[Known] = []
    wrong: list[str] = []
    for number, line in enumerate(lines, 1):
        text = re.split(r"(?:^|\s)#", line)[0].strip()
        word, _, rest = text.partition(" ")
        if not text or word == "id":
            continue
        if word == "epd":
            positions.append(Known(rest.strip(), str(path), number))
            continue
        pattern = INLINE if INLINE.search(text) else OPCODE
        numbers = {int(depth): int(nodes) for depth, nodes in pattern.findall(text)}
        position, unread = _split_counts(text, pattern)
        if not numbers or unread or min(numbers) < 1:
            wrong.append(f"{path}, line {number}: no counts: they read ';D1 20 ;D2 400' or 'perft1 20;'")
        elif position or pattern is INLINE:
            positions.append(Known(position, str(path), number, numbers))
        elif positions:
            positions[-1].nodes |= numbers
        else:
            wrong.append(f"{path}, line {number}: counts without a position before them")
    positions = [entry for entry in positions if entry.nodes]
    if not positions:
        raise BadInput(wrong[0] if wrong else f"there is no position with counts in {path}")
    return positions, wrong


def _split_counts(text: str, pattern: re.Pattern[str]) -> tuple[str, str]:
    """The text before the counts, and other text between them."""
    first = pattern.search(text)
    if first is None:
        return text, text
    return text[: first.start()].strip(), pattern.sub("", text[first.start() :]).strip(" ;")
