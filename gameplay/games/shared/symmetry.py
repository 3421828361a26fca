"""The ways to lay a board of squares that mean the same: turned and mirrored."""

from collections.abc import Sequence


def lays(rows: Sequence[str]) -> list[tuple[str, ...]]:
    """A board, a string a row, in all ways to lay it: eight, or four where it is not square."""
    found = [tuple(rows)]
    if len(rows) == len(rows[0]):
        found.append(tuple("".join(column) for column in zip(*rows, strict=True)))
    found += [tuple(row[::-1] for row in lay) for lay in found]
    return found + [lay[::-1] for lay in found]


def least(rows: Sequence[str]) -> str:
    """The least of all ways to lay a board, the same for all of them: rows with slashes between."""
    return min("/".join(lay) for lay in lays(rows))
