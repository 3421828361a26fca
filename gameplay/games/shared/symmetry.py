"""Symmetries of boards: rotations and reflections."""

from collections.abc import Sequence


def symmetries(rows: Sequence[str]) -> list[tuple[str, ...]]:
    """All symmetric images of a board, a string a row: eight, or four if it is not square."""
    images = [tuple(rows)]
    if len(rows) == len(rows[0]):
        images.append(tuple("".join(column) for column in zip(*rows, strict=True)))
    images += [tuple(row[::-1] for row in image) for image in images]
    return images + [image[::-1] for image in images]


def canonical(rows: Sequence[str]) -> str:
    """The least symmetric image of a board: rows with slashes between."""
    return min("/".join(image) for image in symmetries(rows))
