"""Fits text into a width: prose is wrapped between words, tables are split between columns.

Consecutive lines with gaps of two or more spaces form a table. A table that is too wide is split where all
lines have a gap. The parts are stacked, each repeating the first column, which names the rows.
"""

import operator
import re
import textwrap
from collections.abc import Iterable, Iterator
from itertools import dropwhile

GAP = re.compile(r"\S {2,}\S")
PAIR = re.compile(
    r"(?<=seed) (?=\d)|(?<=\d): (?=\d)|(?<=\d) (?=%)|(?<=±) (?=\d)|(?<=\d) (?=±)|(?<=[<>]=) (?=[-+\d])"
)
MIN_TEXT_WIDTH = 24  # columns of text beside an indentation; with fewer the line is left to the terminal
NO_BREAK = "\xa0"  # replaces spaces at which no line may be wrapped


def wrap_text(text: str, width: int, inset: int = 0) -> str:
    """Wrap a line between words, with `inset` as hanging indent; `0.5: 3` and `+7 ± 2` stay together."""
    held = PAIR.sub(lambda pair: pair[0].replace(" ", NO_BREAK), text)
    lines = textwrap.wrap(held, width, subsequent_indent=" " * inset, break_on_hyphens=False)
    return "\n".join(lines).replace(NO_BREAK, " ")


def wrap_indented(line: str, width: int) -> str:
    """Wrap a line with a hanging indent of its own indentation and bars plus two columns.

    A line is returned unchanged if fewer than MIN_TEXT_WIDTH columns remain beside the indentation.
    """
    if len(line) <= width:
        return line
    indent = line[: len(line) - len(line.lstrip("| "))] + "  "
    if width - len(indent) < MIN_TEXT_WIDTH:
        return line
    return "\n".join(textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False))


def fit_lines(lines: Iterable[str], width: int) -> Iterator[str]:
    """Yield the lines, wrapped to `width`. A table is yielded once its last line is known."""
    table: list[str] = []
    for line in lines:
        if GAP.search(line):
            table.append(line)
            continue
        yield from split_table(table, width)
        table = []
        yield from _wrap_line(line, width)
    yield from split_table(table, width)


def split_table(table: list[str], width: int) -> list[str]:
    """Split a table into parts of at most `width` columns, separated by empty lines.

    If a single column is too wide, the rows are stacked or wrapped as prose.
    """
    wide = max(map(len, table), default=0)
    if wide <= width:
        return table
    if len(table) == 1:
        return _wrap_line(table[0], width)
    first, *others = _find_columns(table, 0, wide, 2)
    room = width - first[1]
    others = [
        part
        for start, end in others
        for part in ([(start, end)] if end - start <= room else _find_columns(table, start, end, 1))
    ]
    if not others or max(end - start for start, end in others) > room:
        return _stack_table(table, first[1], width)
    rows: list[str] = []
    while others:
        chosen = [others.pop(0)]
        while others and others[0][1] - chosen[0][0] <= room:
            chosen.append(others.pop(0))
        start, end = chosen[0][0], chosen[-1][1]
        lines = [(line[: first[1]].ljust(first[1]) + line[start:end]).rstrip() for line in table]
        rows += [*([""] if rows else []), *dropwhile(operator.not_, lines)]
    return rows


def _stack_table(table: list[str], names: int, width: int) -> list[str]:
    """Put the columns of each row below its name, for tables whose rows have long names."""
    inset = len(table[-1]) - len(table[-1].lstrip()) + 2
    rest = textwrap.dedent("\n".join(line[names:] for line in table)).split("\n")
    if max(map(len, rest), default=0) + inset > width:
        return [part for line in table for part in _wrap_line(line, width)]
    return [
        part.rstrip()
        for line, more in zip(table, rest, strict=True)
        for part in (*_wrap_line(line[:names].rstrip(), width), " " * inset + more)
        if part.strip()
    ]


def _find_columns(table: list[str], start: int, end: int, gap: int) -> list[tuple[int, int]]:
    """The (start, end) of each table column between `start` and `end`, with the gap before it.

    gap: minimal spaces between two columns. A column with text in the heading only joins the next one.
    """
    last = table[-1]
    blank = [all(line[at : at + 1] in ("", " ") for line in table) for at in range(start, end)]
    begins, at = [start], blank.index(False)
    while at < len(blank):
        run = next((n for n, empty in enumerate(blank[at:]) if not empty), len(blank) - at)
        if run >= gap and last[begins[-1] : start + at].strip():
            begins.append(start + at)
        at += max(1, run)
    return list(zip(begins, [*begins[1:], end], strict=True))


def _wrap_line(line: str, width: int) -> list[str]:
    """Wrap a line, keeping its indentation."""
    if len(line) <= width:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False)
