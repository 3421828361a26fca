"""Import and export of books: as lines of text (`lines.py`), for chess also in Polyglot's format.

The text has a row for each move, with a shortest path to its position, and a header row `# book {...}` with
the facts, so it is lossless. Polyglot's format holds only moves and weights.
"""

import struct
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from gameplay.errors import BadInput, Usage
from gameplay.knowledge.books import book, lines
from gameplay.knowledge.books.draft import Draft
from gameplay.knowledge.books.fingerprint import after, fingerprint
from gameplay.knowledge.books.lines import OTHERS
from gameplay.knowledge.books.pages import LINES, REST, BookFacts, BookMove, facts_of
from gameplay.knowledge.chess_library import board_of, library, must_be_chess, point
from gameplay.knowledge.knowledge import GameLike
from gameplay.knowledge.polyglot import BOOK, Polyglot
from gameplay.position import CHANCE
from gameplay.value import EXACT, LOWER, UPPER

HEAD = "# book "
BOUNDS = {EXACT: "", LOWER: "least", UPPER: "most"}
POLYGLOT = struct.Struct(">QHHI")
HEAVIEST = 0xFFFF  # weight of a move in Polyglot's format


def text(draft: Draft) -> Iterator[str]:
    """The rows of a book. Raises Usage for a game of imperfect information."""
    if draft.game.new().hidden:
        raise Usage(f"books need perfect information; {draft.game.name} has imperfect information")
    import json

    yield HEAD + json.dumps(asdict(draft.facts), ensure_ascii=False, sort_keys=True)
    for place in draft.walk():
        begins = [place.start, "moves"] if place.start else []
        path = [*place.way, "then"] if place.way else []
        for move, (_, entry) in place.moves.items():
            yield " ".join([*begins, *path, place.position.format(move), *_fields(entry)])
        if REST in draft.positions[place.key]:
            yield " ".join([*begins, *path, OTHERS, *_fields(draft.positions[place.key][REST])])


def _fields(entry: BookMove) -> Iterator[str]:
    """The data after a move."""
    yield f"weight {entry.weight}"
    for word, count in (
        ("games", entry.seen),
        ("won", entry.won),
        ("drawn", entry.drawn),
        ("lost", entry.lost),
    ):
        if count:
            yield f"{word} {count}"
    if entry.known:
        yield f"value {entry.value:+d}" if entry.value else "value 0"
        if entry.depth:
            yield f"depth {entry.depth}"
        yield from filter(None, [BOUNDS[entry.known]])
    for word in ("solved", "linked", "again"):
        if getattr(entry, word):
            yield word


def from_text(path: str, game: GameLike) -> Draft:
    """Read a book from text. Raises BadInput, naming the row, for invalid data."""
    draft = Draft(game, LINES)
    draft.facts.starts = []
    with_facts = _facts(path)
    for number, row in lines.rows(path):
        try:
            line = lines.parsed(row)
            _put(draft, line)
        except BadInput as error:
            raise BadInput(f"{path}, line {number}: {error}") from None
    if not draft.positions:
        raise BadInput(f"{path} holds no moves: write a line of them in each row")
    if with_facts is not None:
        book.check(with_facts, game, path)
        draft.facts = with_facts
    return draft


def _facts(path: str) -> BookFacts | None:
    """The facts in the header of an exported file."""
    lines.rows(path)  # raises if it is not a text file
    with open(path, encoding="utf-8") as file:
        first = file.readline()
    if not first.startswith(HEAD):
        return None
    return facts_of(first.removeprefix(HEAD).encode(), path)


def _put(draft: Draft, row: lines.LineRow) -> None:
    """Add a row's moves, and the facts given for the last one."""
    position = draft.game.new(row.start)
    every = (*row.way, *row.moves)
    draft.begin(row.start)
    for place, spelled in enumerate(every, 1):
        if place == len(every) and spelled == OTHERS:
            _add_facts(draft.entry(fingerprint(position), REST), row.facts)
            return
        move = lines.legal(position, place, spelled)
        mover, key = position.turn, fingerprint(position)
        position.make(move)
        entry = draft.entry(key, fingerprint(position, mover)) if place > len(row.way) else BookMove()
        entry.weight += row.weight * (mover != CHANCE)
        if place == len(every):
            _add_facts(entry, row.facts)


def _add_facts(entry: BookMove, facts: dict[str, int]) -> None:
    entry.seen += facts.get("games", 0)
    entry.won += facts.get("won", 0)
    entry.drawn += facts.get("drawn", 0)
    entry.lost += facts.get("lost", 0)
    if "value" in facts:
        entry.value, entry.depth = facts["value"], facts.get("depth", 0)
        entry.known = LOWER if "least" in facts else UPPER if "most" in facts else EXACT
    entry.solved, entry.linked, entry.again = (word in facts for word in ("solved", "linked", "again"))


# -- Polyglot -----------------------------------------------------------------------------------


def polyglot(draft: Draft) -> bytes:
    """A book of chess in Polyglot's format. Raises Usage for another game, or without the library."""
    must_be_chess("Polyglot's format is", draft.game.new())
    hashed = library("chess.polyglot", BOOK).zobrist_hash
    heaviest = max(
        (entry.weight for moves in draft.positions.values() for entry in moves.values()), default=0
    )
    rows: list[tuple[int, int, int]] = []  # key, the weight below 0, move: in the order of the file
    for place in draft.walk():
        board = board_of(point(place.position), BOOK)
        for move, (_, entry) in place.moves.items():
            weight = entry.weight
            if heaviest > HEAVIEST:
                weight = -(-weight * HEAVIEST // heaviest)
            if weight:
                spelled = library("chess", BOOK).Move.from_uci(point(place.position).uci(move))
                rows.append((hashed(board), -weight, _coded(board, spelled)))
    return b"".join(POLYGLOT.pack(key, move, -weight, 0) for key, weight, move in sorted(rows))


def _coded(board: Any, move: Any) -> int:
    """A move in Polyglot's encoding: castling is king takes rook."""
    to = move.to_square
    if board.is_castling(move) and not board.chess960:
        to = to + 1 if to % 8 == 6 else to - 2
    becomes = move.promotion - 1 if move.promotion else 0  # the library counts from the pawn
    return int(becomes << 12 | move.from_square << 6 | to)


def from_polyglot(path: str, game: GameLike) -> tuple[Draft, int]:
    """The part of a Polyglot book that is reachable from the start, and the number of other entries.

    The format stores keys, not positions, so entries that no line of the book reaches cannot be decoded.
    """
    Polyglot.fits(game.new())
    source = Polyglot(path, game)
    draft = Draft(game, LINES)
    queue, count = [game.new()], 0
    seen: set[int] = set()
    while queue:
        position = queue.pop()
        key = fingerprint(position)
        advice = source.probe(position) if key not in seen and position.outcome() is None else None
        seen.add(key)
        if advice is None:
            continue
        children = after(position)
        for move, weight in zip(advice.moves, advice.weights, strict=True):
            draft.entry(key, children[move]).weight = weight
            count += 1
            position.make(move)
            queue.append(position.twin())
            position.unmake()
    if not count:
        raise BadInput(f"{path} has no move at the start of the game, so no line leads into it")
    return draft, len(source.reader) - count
