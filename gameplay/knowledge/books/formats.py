"""Imports and exports books: as lines of text (`lines.py`), for chess also in Polyglot's format.

The text has a row for each move, with a shortest path to its position, and a header row `# book {...}` with
the facts, so it is lossless. Polyglot's format holds only moves and weights.
"""

import struct
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from gameplay.errors import BadInput, Usage
from gameplay.knowledge.books import book, lines
from gameplay.knowledge.books.book_file import LINES, REST, BookFacts, BookMove, parse_facts
from gameplay.knowledge.books.editable_book import EditableBook
from gameplay.knowledge.books.fingerprint import fingerprint, successor_fingerprints
from gameplay.knowledge.books.lines import OTHERS
from gameplay.knowledge.chess_library import library, require_chess, to_board, uci_position
from gameplay.knowledge.knowledge import GameLike
from gameplay.knowledge.polyglot import BOOK, Polyglot
from gameplay.position import CHANCE
from gameplay.value import EXACT, LOWER, UPPER

HEADER = "# book "
BOUNDS = {EXACT: "", LOWER: "least", UPPER: "most"}
POLYGLOT = struct.Struct(">QHHI")
MAX_POLYGLOT_WEIGHT = 0xFFFF  # weight of a move in Polyglot's format


def to_text(draft: EditableBook) -> Iterator[str]:
    """The rows of a book. Raises Usage for a game of imperfect information."""
    if draft.game.new().hidden:
        raise Usage(f"books need perfect information; {draft.game.name} has imperfect information")
    import json

    yield HEADER + json.dumps(asdict(draft.facts), ensure_ascii=False, sort_keys=True)
    for node in draft.walk():
        start = [node.start, "moves"] if node.start else []
        path = [*node.path, "then"] if node.path else []
        for move, (_, entry) in node.moves.items():
            yield " ".join([*start, *path, node.position.format(move), *_fields(entry)])
        if REST in draft.positions[node.key]:
            yield " ".join([*start, *path, OTHERS, *_fields(draft.positions[node.key][REST])])


def _fields(entry: BookMove) -> Iterator[str]:
    """The data after a move."""
    yield f"weight {entry.weight}"
    for word, count in (
        ("games", entry.games),
        ("won", entry.won),
        ("drawn", entry.drawn),
        ("lost", entry.lost),
    ):
        if count:
            yield f"{word} {count}"
    if entry.bound:
        yield f"value {entry.value:+d}" if entry.value else "value 0"
        if entry.depth:
            yield f"depth {entry.depth}"
        yield from filter(None, [BOUNDS[entry.bound]])
    for word, flag in (("solved", entry.solved), ("linked", entry.backed_up), ("again", entry.same_mover)):
        if flag:
            yield word


def from_text(path: str, game: GameLike) -> EditableBook:
    """Read a book from text. Raises BadInput, naming the row, for invalid data."""
    draft = EditableBook(game, LINES)
    draft.facts.starts = []
    with_facts = _facts(path)
    for number, row in lines.read_rows(path):
        try:
            line = lines.parse_row(row)
            _add_row(draft, line)
        except BadInput as error:
            raise BadInput(f"{path}, line {number}: {error}") from None
    if not draft.positions:
        raise BadInput(f"{path} holds no moves: write a line of them in each row")
    if with_facts is not None:
        book.check_game(with_facts, game, path)
        draft.facts = with_facts
    return draft


def _facts(path: str) -> BookFacts | None:
    """The facts in the header of an exported file."""
    lines.read_rows(path)  # raises if it is not a text file
    with open(path, encoding="utf-8") as file:
        header = file.readline()
    if not header.startswith(HEADER):
        return None
    return parse_facts(header.removeprefix(HEADER).encode(), path)


def _add_row(draft: EditableBook, row: lines.LineRow) -> None:
    """Add a row's moves, with the facts of the last one."""
    position = draft.game.new(row.start)
    moves = (*row.path, *row.moves)
    draft.add_start(row.start)
    for number, text in enumerate(moves, 1):
        if number == len(moves) and text == OTHERS:
            _add_facts(draft.entry(fingerprint(position), REST), row.facts)
            return
        move = lines.parse_move(position, number, text)
        mover, key = position.turn, fingerprint(position)
        position.make(move)
        entry = draft.entry(key, fingerprint(position, mover)) if number > len(row.path) else BookMove()
        entry.weight += row.weight * (mover != CHANCE)
        if number == len(moves):
            _add_facts(entry, row.facts)


def _add_facts(entry: BookMove, facts: dict[str, int]) -> None:
    entry.games += facts.get("games", 0)
    entry.won += facts.get("won", 0)
    entry.drawn += facts.get("drawn", 0)
    entry.lost += facts.get("lost", 0)
    if "value" in facts:
        entry.value, entry.depth = facts["value"], facts.get("depth", 0)
        entry.bound = LOWER if "least" in facts else UPPER if "most" in facts else EXACT
    entry.solved, entry.backed_up, entry.same_mover = (
        flag in facts for flag in ("solved", "linked", "again")
    )


# -- Polyglot -----------------------------------------------------------------------------------


def to_polyglot(draft: EditableBook) -> bytes:
    """A book of chess in Polyglot's format. Raises Usage for another game, or without the library."""
    require_chess("Polyglot's format is", draft.game.new())
    hashed = library("chess.polyglot", BOOK).zobrist_hash
    heaviest = max(
        (entry.weight for moves in draft.positions.values() for entry in moves.values()), default=0
    )
    rows: list[tuple[int, int, int]] = []  # key, negated weight, move: in the order of the file
    for node in draft.walk():
        board = to_board(uci_position(node.position), BOOK)
        for move, (_, entry) in node.moves.items():
            weight = entry.weight
            if heaviest > MAX_POLYGLOT_WEIGHT:
                weight = -(-weight * MAX_POLYGLOT_WEIGHT // heaviest)
            if weight:
                text = library("chess", BOOK).Move.from_uci(uci_position(node.position).uci(move))
                rows.append((hashed(board), -weight, _encode_move(board, text)))
    return b"".join(POLYGLOT.pack(key, move, -weight, 0) for key, weight, move in sorted(rows))


def _encode_move(board: Any, move: Any) -> int:
    """A move in Polyglot's encoding: castling is king takes rook."""
    target = move.to_square
    if board.is_castling(move) and not board.chess960:
        target = target + 1 if target % 8 == 6 else target - 2
    promotion = move.promotion - 1 if move.promotion else 0  # the library counts from the pawn
    return int(promotion << 12 | move.from_square << 6 | target)


def from_polyglot(path: str, game: GameLike) -> tuple[EditableBook, int]:
    """The part of a Polyglot book that is reachable from the start, and the number of other entries.

    The format stores keys, not positions, so entries that no line of the book reaches cannot be decoded.
    """
    Polyglot.check_supported(game.new())
    source = Polyglot(path, game)
    draft = EditableBook(game, LINES)
    queue, count = [game.new()], 0
    seen: set[int] = set()
    while queue:
        position = queue.pop()
        key = fingerprint(position)
        advice = source.probe(position) if key not in seen and position.outcome() is None else None
        seen.add(key)
        if advice is None:
            continue
        children = successor_fingerprints(position)
        for move, weight in zip(advice.moves, advice.weights, strict=True):
            draft.entry(key, children[move]).weight = weight
            count += 1
            position.make(move)
            queue.append(position.twin())
            position.unmake()
    if not count:
        raise BadInput(f"{path} has no entry for the start of the game; other entries cannot be decoded")
    return draft, len(source.reader) - count
