"""Othello games in GGF, the Generic Game Format (M. Buro and I. Durdanovic, GGS), as written by NBoard.

    (;GM[Othello]PC[NBoard]PB[ann]PW[bob]TY[8]BO[8 ---...O*...*O...--- *]B[F5]W[F6/1.20/0.5]B[PA];)

BO is the starting board, 64 of `*` (black), `O` (white) and `-` from a1, b1 on, and the side to move; B and W
are moves, optionally with value and seconds; PA is a pass.
"""

import re
from collections.abc import Iterable

from gameplay.errors import BadInput

_BOARD = re.compile(r"BO\[\s*8\s+([-*O.X\s]{64,}?)\s*\]", re.IGNORECASE)
_MOVE = re.compile(r"(?<![A-Z])([BW])\[([^\]]*)\]", re.IGNORECASE)


def read(text: str) -> tuple[str, list[tuple[int, str]]]:
    """The start as `Othello.setup` takes it, and the moves: (player, `f5` or `pass`). Raises BadInput."""
    board = _BOARD.search(text)
    if board is None:
        raise BadInput(f"'{text[:60]}' is not a game of Othello in GGF: there is no BO[8 ...] of 64 squares")
    rest = text[board.end() :]
    return board[1], [("BW".index(side.upper()), from_ggf(word)) for side, word in _MOVE.findall(rest)]


def write(start: str, moves: Iterable[tuple[int, str]]) -> str:
    """A game in GGF, from a start as written by `Othello.text`."""
    board = start.replace("X", "*")
    line = "".join(f"{'BW'[player]}[{to_ggf(name)}]" for player, name in moves)
    return f"(;GM[Othello]PC[gameplay]PB[black]PW[white]RE[?]TY[8]BO[8 {board}]{line};)"


def from_ggf(word: str) -> str:
    """`F5/1.20/0.5` as `f5`, `PA` as `pass`."""
    name = word.partition("/")[0].strip().lower()
    return "pass" if name.startswith("pa") else name


def to_ggf(name: str) -> str:
    """`f5` as `F5`, `pass` as `PA`."""
    return name.upper()[:2]
