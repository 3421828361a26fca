"""Text that is too wide: prose is folded between words, tables between their columns.

A table is what stands in lines one after the other that have gaps of two spaces and more. It is parted where
all of them have a gap, and its parts go below one another; the first one, which names the rows, is repeated.
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
LEAST = 24  # columns that words take at least; with fewer they are left to the terminal
HELD = "\xa0"  # a blank at which no line is folded


def prose(text: str, width: int, inset: int = 0) -> str:
    """A line folded between words, those behind the first so far in; `0.5: 3` and `+7 ± 2` stay together."""
    held = PAIR.sub(lambda pair: pair[0].replace(" ", HELD), text)
    lines = textwrap.wrap(held, width, subsequent_indent=" " * inset, break_on_hyphens=False)
    return "\n".join(lines).replace(HELD, " ")


def below(line: str, width: int, inset: int = 2) -> str:
    """A line folded between words: those behind the first stand so far in, below its indentation and bars.

    A line that is indented so far that few words fit beside the indentation is left as it is.
    """
    if len(line) <= width:
        return line
    indent = line[: len(line) - len(line.lstrip("| "))] + " " * inset
    if width - len(indent) < LEAST:
        return line
    return "\n".join(textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False))


def folded(lines: Iterable[str], width: int) -> Iterator[str]:
    """The lines, none wider than so many characters. A table is handed on when its last line is known."""
    table: list[str] = []
    for line in lines:
        if GAP.search(line):
            table.append(line)
            continue
        yield from columns(table, width)
        table = []
        yield from _prose(line, width)
    yield from columns(table, width)


def columns(table: list[str], width: int) -> list[str]:
    """A table in parts that fit, an empty line between two; as prose where a part alone is too wide."""
    wide = max(map(len, table), default=0)
    if wide <= width:
        return table
    if len(table) == 1:
        return _prose(table[0], width)
    first, *others = _parted(table, 0, wide, 2)
    room = width - first[1]
    others = [
        part
        for start, end in others
        for part in ([(start, end)] if end - start <= room else _parted(table, start, end, 1))
    ]
    if not others or max(end - start for start, end in others) > room:
        return _below(table, first[1], width)
    rows: list[str] = []
    while others:
        chosen = [others.pop(0)]
        while others and others[0][1] - chosen[0][0] <= room:
            chosen.append(others.pop(0))
        start, end = chosen[0][0], chosen[-1][1]
        lines = [(line[: first[1]].ljust(first[1]) + line[start:end]).rstrip() for line in table]
        rows += [*([""] if rows else []), *dropwhile(operator.not_, lines)]
    return rows


def _below(table: list[str], names: int, width: int) -> list[str]:
    """A table whose rows have long names: what stands behind a name goes below it, in its columns."""
    inset = len(table[-1]) - len(table[-1].lstrip()) + 2
    rest = textwrap.dedent("\n".join(line[names:] for line in table)).split("\n")
    if max(map(len, rest), default=0) + inset > width:
        return [part for line in table for part in _prose(line, width)]
    return [
        part.rstrip()
        for line, more in zip(table, rest, strict=True)
        for part in (*_prose(line[:names].rstrip(), width), " " * inset + more)
        if part.strip()
    ]


def _parted(table: list[str], start: int, end: int, gap: int) -> list[tuple[int, int]]:
    """Columns `start` to `end` in parts, each with the gap before it, which has so many spaces at least.

    What stands in the heads alone belongs to the part behind it.
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


def _prose(line: str, width: int) -> list[str]:
    """A line folded below its indentation."""
    if len(line) <= width:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False)
