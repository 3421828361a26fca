"""A book on the terminal: its facts, the entries of a position, its lines as a tree."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.display.reports.review import fit_table
from gameplay.knowledge.books import names
from gameplay.knowledge.books.book_file import GAMES, LINES, VALUES, BookFacts, BookMove
from gameplay.knowledge.books.fingerprint import fingerprint, successor_fingerprints
from gameplay.plural import plural
from gameplay.visible import one_line

if TYPE_CHECKING:
    from gameplay.knowledge.books.editable_book import EditableBook
    from gameplay.position import AbstractPosition

WEIGHTS = {
    GAMES: "twice the wins and the draws of who played a move",
    LINES: "as they were given",
    VALUES: "the best moves by value",
}
HEADS = ["move", "plays", "games", "won", "drawn", "lost", "score", "value", "depth"]
FACT_COLUMN = 12  # column at which facts begin


def format_value(entry: BookMove, unit: int) -> str:
    """A value as text."""
    if not entry.bound:
        return ""
    sign = {scale.LOWER: ">= ", scale.UPPER: "<= "}.get(entry.bound, "")
    return sign + scale.format_value(entry.value, entry.solved, unit)


def move_table(entries: dict[int, BookMove], position: "AbstractPosition", width: int = 0) -> list[str]:
    """The entries of a position's moves, most played first; empty columns are left out."""
    whole = sum(entry.weight for entry in entries.values())
    rows = []
    for move, entry in sorted(entries.items(), key=lambda item: sort_key(item[1])):
        rows.append(
            [
                position.format(move),
                f"{100 * entry.weight / whole:.0f} %" if whole else "never",
                f"{entry.games:,}" if entry.games else "",
                *(str(count) if entry.games else "" for count in (entry.won, entry.drawn, entry.lost)),
                f"{100 * entry.score:.0f} %" if entry.score is not None else "",
                format_value(entry, position.unit),
                str(entry.depth) if entry.bound and entry.depth else "",
            ]
        )
    used = [column for column in range(len(HEADS)) if column < 2 or any(row[column] for row in rows)]
    return fit_table(
        [[row[at] for at in used] for row in rows], [HEADS[at] for at in used], width, words=(0,)
    )


def sort_key(entry: BookMove) -> tuple[int, ...]:
    """Sort key of moves: by weight, then value, then number of games."""
    return -entry.weight, -(entry.value if entry.bound else -scale.INF), -entry.games


def format_size(draft: "EditableBook", length: int) -> str:
    """The size of a book, in a file of so many bytes: `18 positions, 56 moves, 2,744 bytes`."""
    counts = ((len(draft), "position"), (draft.moves(), "move"), (length, "byte"))
    return ", ".join(plural(count, noun) for count, noun in counts)


def facts(facts: BookFacts, draft: "EditableBook", length: int, width: int = 0) -> list[str]:
    """The facts of a book, one a line; `length`: of its file in bytes."""
    rows = [
        ("game", facts.spec),
        ("holds", format_size(draft, length)),
        ("by ply", format_levels(draft)),
        ("weights", WEIGHTS.get(facts.weights, "those of several books together")),
    ]
    if facts.weights == VALUES and facts.deviation:
        rows[-1] = ("weights", f"{rows[-1][1]}, and those at most {facts.deviation} worse")
    if facts.engine:
        rows.append(("searched by", f"{facts.engine}, {facts.width} moves a position"))
    rows += [("made by" if not number else "", words) for number, words in enumerate(facts.made)]
    if facts.starts != [""]:
        first, more = facts.starts[0] or "start", len(facts.starts) - 1
        rows.append(("begins at", f"{first}, and {more:,} more" if more else first))
    return list(align_facts(rows, width))


def align_facts(rows: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    """Facts, a line each, folded into `width` columns; 0: not folded."""
    for name, words in rows:
        line = one_line(f"{name:<{FACT_COLUMN}}{words}")
        yield from textwrap.wrap(line, width, subsequent_indent=" " * FACT_COLUMN) if width else [line]


def format_levels(draft: "EditableBook") -> str:
    """The number of positions at each depth: `1, 2, 7, 15`."""
    counts: list[int] = []
    for ply in draft.depths().values():
        counts += [0] * (ply + 1 - len(counts))
        counts[ply] += 1
    return ", ".join(f"{count:,}" for count in counts)


def tree_lines(
    draft: "EditableBook", start: str, moves: Sequence[str], plies: int, most: int, width: int = 0
) -> Iterator[str]:
    """The first moves of a book, as a tree from a position on: `plies` deep, `most` moves at each.

    Lines are truncated to `width` columns; 0: unlimited.
    """
    position = draft.game.new(start)
    for word in moves:
        position.make(position.parse(word))
    seen: set[int] = set()
    wide = 2 * plies + 8

    def below(depth: int) -> Iterator[str]:
        key = fingerprint(position)
        if depth == plies or position.outcome() is not None or key not in draft.positions:
            return
        if key in seen:
            yield f"{'  ' * depth}as above"
            return
        seen.add(key)
        children = {child: move for move, child in reversed(successor_fingerprints(position).items())}
        entries = draft.positions[key]
        legal = [child for child in entries if child in children]
        for child in sorted(legal, key=lambda move: sort_key(entries[move]))[:most]:
            entry, move = entries[child], children[child]
            word = f"{'  ' * depth}{len(moves) + depth + 1}. {position.format(move)}"
            cells = [format_value(entry, position.unit)]
            if entry.games:
                score = "" if entry.score is None else f", {100 * entry.score:.0f} %"
                cells.append(f"{plural(entry.games, 'game')}{score}")
            position.make(move)
            cells.append(str(names.name(position) or ""))
            line = f"{word:<{wide}} {'  '.join(filter(None, cells))}".rstrip()
            yield line[: width - 1] if width else line
            yield from below(depth + 1)
            position.unmake()

    yield from below(0)
