"""A book of the first plies: every position up to a number of plies, with its exact value.

A `.book` takes 44 bytes per move, too much for hundreds of thousands. This is a table file
(`tables/table_file.py`), sorted by key (`Kernel.canonical_key`: symmetric positions are stored once), with
one or two bytes per position. The value of a move is the value of its successor.

A build enumerates all positions of up to `plies` plies, solves those of the last ply, and backs values up by
negamax. Solved positions are stored, one per line, in a second file until the book is complete; an
interrupted build continues from it.
"""

import os
from array import array
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from gameplay import file_io
from gameplay import value as scale
from gameplay.adapter import kernel_of
from gameplay.errors import BadInput, Usage
from gameplay.knowledge.books.book import Book
from gameplay.knowledge.books.book_file import BookMove
from gameplay.knowledge.knowledge import Advice, GameLike, OtherGame, terminal_value
from gameplay.knowledge.tables.table_file import (
    BLOCK,
    DRAWN,
    KEYS_PER_BLOCK,
    LOST,
    WON,
    Subject,
    TableFile,
    write,
)
from gameplay.knowledge.tables.tables import check_supported, table_name
from gameplay.position import AbstractPosition
from gameplay.value import EXACT, INF, WIN

SUFFIX = ".table"
GAME_PREFIX = "first plies of "  # prefix of the game in the header, to distinguish it from endgame tables

Solve = Callable[[AbstractPosition], int | None]  # the exact value of a position; None if interrupted
Progress = Callable[[str, int, int], None]  # activity, amount done, total


class FirstPlies(Book):
    """Returns the best moves and the value of each move."""

    suffixes = (SUFFIX,)
    complete = True

    def __init__(self, path: str, game: GameLike) -> None:
        """Raises BadInput if the file is not such a book, damaged, or of another game."""
        self.path = path
        self.file = open_file(path)
        if self.subject.game != GAME_PREFIX + table_name(game):
            raise OtherGame(f"{path} holds the {self.subject.game}, not of {game.spec}")

    @property
    def subject(self) -> Subject:
        """The facts of the file."""
        return self.file.subject

    def value(self, position: AbstractPosition) -> int | None:
        """The exact value of an unfinished position for the mover; None if it is not in the book."""
        index = self.file.find(kernel_of(position).canonical_key())
        if index is None:
            return None
        result, plies = self.file.result_at(index)
        return 0 if result == DRAWN else WIN - plies if result == WON else plies - WIN

    def entries_of(self, position: AbstractPosition) -> dict[int, BookMove]:
        if position.outcome() is not None:
            return {}
        entries: dict[int, BookMove] = {}
        by_key: dict[int, BookMove] = {}
        for move, key, value in _move_values(position, self.value):
            if value is None:
                return {}  # a position of the last ply
            entries[move] = by_key.setdefault(key, BookMove(value=value, bound=EXACT, solved=True))
        best = max(entry.value for entry in entries.values())
        for entry in by_key.values():
            entry.weight = int(entry.value == best)
        return entries

    def probe(self, position: AbstractPosition) -> Advice | None:
        advice = super().probe(position)
        if advice is None and position.outcome() is None:
            value = self.value(position)
            advice = None if value is None else Advice("book", value=value, exact=True)
        return advice

    def advise(self, position: AbstractPosition) -> Advice | None:
        advice = self.probe(position)
        return advice if advice is not None and advice.moves else None


def open_file(path: str) -> TableFile:
    """Open the file of a book. Raises BadInput if it is not one."""
    if not os.path.isfile(path):
        raise BadInput(file_io.no_file(path, "book"))
    file = TableFile(Path(path))
    if not file.subject.game.startswith(GAME_PREFIX) or "keys" not in file.planes:
        raise BadInput(f"{path} is not a book: it holds endgame tables of {file.subject.game}")
    return file


def _move_values(
    position: AbstractPosition, value_of: Callable[[AbstractPosition], int | None]
) -> Iterator[tuple[int, int, int | None]]:
    """Each move of a position, the key of its successor, and its value for the mover, from `value_of`."""
    mover = position.turn
    for move in position.moves():
        position.make(move)
        key, payoffs = kernel_of(position).canonical_key(), position.outcome()
        value: int | None = None
        if payoffs is not None:
            value = terminal_value(payoffs[mover], position)
        elif (result := value_of(position)) is not None:
            value = scale.delay(result if position.turn == mover else -result)
        position.unmake()
        yield move, key, value


# -- building ----------------------------------------------------------------------------------------


def build(game: GameLike, plies: int, out: Path, solve: Solve, progress: Progress) -> int:
    """Build the book of a game, continuing an interrupted build; returns the number of positions.

    Raises Usage for a game without such values or with positions reachable at several plies, BadInput if the
    second file belongs to another book, KeyboardInterrupt if `solve` is interrupted.
    """
    check_supported(game.new())
    layers = _layers(game, plies, progress)
    partial = out.with_name(f"{out.name}.solving")
    values = _solve_layer(game, layers[-1], partial, f"{table_name(game)} {plies}", solve, progress)
    for layer in reversed(layers[:-1]):
        for key, moves in layer.items():
            position = _position_after(game, moves)
            move_values = _move_values(position, lambda child: values[kernel_of(child).canonical_key()])
            values[key] = max(value for _, _, value in move_values if value is not None)
    _write(out, game, [len(layer) for layer in layers], values)
    partial.unlink(missing_ok=True)
    return len(values)


Layer = dict[int, tuple[int, ...]]  # by key: a path to it


def _layers(game: GameLike, plies: int, progress: Progress) -> list[Layer]:
    """The unfinished positions, by ply."""
    layers: list[Layer] = [{kernel_of(game.new()).canonical_key(): ()}]
    seen = set(layers[0])
    for _ in range(plies):
        next_layer: Layer = {}
        for path in layers[-1].values():
            position = _position_after(game, path)
            for move in position.moves():
                position.make(move)
                if position.outcome() is None:
                    key = kernel_of(position).canonical_key()
                    if key in seen:
                        raise Usage(
                            f"positions of {game.name} occur at several plies; "
                            "a book of first plies requires a single ply per position"
                        )
                    next_layer.setdefault(key, (*path, move))
                position.unmake()
        if not next_layer:
            break
        seen.update(next_layer)
        layers.append(next_layer)
        progress("positions", len(seen), len(seen))
    return layers


def _position_after(game: GameLike, path: tuple[int, ...]) -> AbstractPosition:
    position = game.new()
    for move in path:
        position.make(move)
    return position


def _solve_layer(
    game: GameLike, layer: Layer, partial: Path, title: str, solve: Solve, progress: Progress
) -> dict[int, int]:
    """The value of each position of a layer, starting with those stored in the second file."""
    values = _read_partial(partial, title)
    with open(partial, "a", encoding="ascii", newline="\n") as file:
        if file.tell() == 0:
            file.write(f"{title}\n")
        for number, (key, path) in enumerate(layer.items()):
            if key not in values:
                progress("solved", number, len(layer))
                value = solve(_position_after(game, path))
                if value is None:
                    raise KeyboardInterrupt
                values[key] = value
                file.write(f"{key:x} {value}\n")
                file.flush()
    return values


def _read_partial(partial: Path, title: str) -> dict[int, int]:
    """Read the second file, and remove an incomplete last line."""
    if not partial.exists():
        return {}
    data = partial.read_bytes()
    complete_lines = data[: data.rfind(b"\n") + 1]
    if len(complete_lines) < len(data):
        os.truncate(partial, len(complete_lines))
    lines = complete_lines.decode("ascii", "replace").splitlines()
    if lines and lines[0] != title:
        raise BadInput(f"{partial} belongs to another book, {lines[0]:.40}: remove it, or name another --out")
    try:
        pairs = [line.split() for line in lines[1:]]
        return {int(key, 16): int(value) for key, value in pairs}
    except ValueError:
        raise BadInput(f"{partial} is damaged. Try: remove it and solve again") from None


def _write(path: Path, game: GameLike, counts: list[int], values: Mapping[int, int]) -> None:
    """Write the book, sorted by key, with results and distances as in endgame tables."""
    order = sorted(values)
    codes = [_encode_value(values[key]) for key in order]
    two_bytes = max(plies for _, plies in codes) > 255
    keys = [
        array("Q", order[first : first + KEYS_PER_BLOCK]) for first in range(0, len(order), KEYS_PER_BLOCK)
    ]
    results, distances = [], []
    for first in range(0, len(order), BLOCK):
        block = codes[first : first + BLOCK]
        packed = bytearray((len(block) + 3) // 4)
        for number, (result, _) in enumerate(block):
            packed[number >> 2] |= result << 2 * (number & 3)
        results.append(bytes(packed))
        distances.append(b"".join(plies.to_bytes(2 if two_bytes else 1, "little") for _, plies in block))
    facts = {"counts": counts, "firsts": [block[0] for block in keys]}
    subject = Subject(GAME_PREFIX + table_name(game), (("all", 0, len(order)),), 0, two_bytes, facts)
    planes = {"keys": [block.tobytes() for block in keys], "distances": distances, "results": results}
    write(path, subject, planes)


def _encode_value(value: int) -> tuple[int, int]:
    """The result and plies of a value."""
    if abs(value) == INF or not (value == 0 or scale.is_counted(value)):
        raise Usage(f"a book of first plies cannot store the value {value}")
    return (WON, WIN - value) if value > 0 else (LOST, WIN + value) if value < 0 else (DRAWN, 0)
