"""Commands in the comments of PGN: clocks, values, arrows and squares, as in lichess studies.

    {A good move. [%csl Gf3,Re5][%cal Gg1f3] [%eval 0.17,22] [%clk 0:29:57]}

    clk   time left after the move      emt   time taken by the move; hours:minutes:seconds
    eval  value for White, in pawns, or `#3`, `#-3`: mate in 3 moves of the winner; then the depth
    csl   coloured squares              cal   coloured arrows; G green, R red, Y yellow, B blue

Comments keep their commands (`gameplay.store.formats.pgn`), so that writing a file loses nothing; this module
interprets them. Source: PGN Standard Supplement (2001), 1.2.
"""

import re
from collections.abc import Sequence

from gameplay.value import MAX_EVAL, MAX_PLY, WIN

COMMAND = re.compile(r"\[%([A-Za-z]\w*)\s+([^\]\[]*)\]")
_TIME = re.compile(r"(\d{1,4}):(\d{1,2}):(\d{1,2}(?:\.\d{1,3})?)$", re.ASCII)
_EVAL = re.compile(r"(?:#([+-]?)(\d{1,4})|([+-]?\d{1,6}(?:\.\d{1,6})?))(?:,(\d{1,4}))?$", re.ASCII)
_CONTROL = re.compile(r"(\d{1,6})\+(\d{1,5})$", re.ASCII)
_MARK = re.compile(r"([GRYB])([a-h][1-8])([a-h][1-8])?$")
_COLOURS = {"G": "green", "R": "red", "Y": "yellow", "B": "blue"}


def commands(comments: Sequence[str]) -> dict[str, str]:
    """The commands in a move's comments by name; the last one of each name wins."""
    return {name: value.strip() for comment in comments for name, value in COMMAND.findall(comment)}


def remark(comments: Sequence[str]) -> str:
    """The readable part of comments: their text, then squares and arrows."""
    text = " ".join(" ".join(COMMAND.sub(" ", comment) for comment in comments).split())
    named = commands(comments)
    squares = _format_marks("squares", named.get("csl", ""))
    arrows = _format_marks("arrows", named.get("cal", ""))
    marks = "; ".join(filter(None, [squares, arrows]))
    return f"{text} ({marks})" if text and marks else text or marks


def _format_marks(noun: str, value: str) -> str:
    """`arrows g1-f3 green, f3-e5 red`; invalid marks are omitted."""
    marks = [_MARK.match(word.strip()) for word in value.split(",")]
    words = ["-".join(filter(None, mark.groups()[1:])) + f" {_COLOURS[mark[1]]}" for mark in marks if mark]
    return f"{noun} {', '.join(words)}" if words else ""


def value(text: str, white: bool, unit: int) -> tuple[int, int] | None:
    """The mover's value and the depth (0: not given) of an `eval` after a move of White or Black."""
    match = _EVAL.match(text)
    if match is None:
        return None
    depth = int(match[4] or 0)
    if match[2] is None:
        points = max(-MAX_EVAL, min(MAX_EVAL, round(float(match[3]) * unit)))
        return (points if white else -points), depth
    wins = (match[1] != "-") == white  # for the mover
    plies = min(MAX_PLY, 2 * int(match[2]) + wins)  # counted before the move
    return (WIN - plies if wins else plies - WIN), depth


def seconds(text: str) -> float | None:
    """The seconds of a time, `0:29:57.5`."""
    match = _TIME.match(text)
    return 3600 * int(match[1]) + 60 * int(match[2]) + float(match[3]) if match else None


def move_times(moves: Sequence[tuple[int, dict[str, str]]], control: str) -> list[float | None]:
    """The seconds of each move: `emt`, or the difference of a player's clock times.
    moves: the player and commands of each move. control: the tag TimeControl, `300+3`; without it a player's
    first move has no time.
    """
    given = _CONTROL.match(control)
    increment = int(given[2]) if given else 0
    clocks: dict[int, float] = {}
    times: list[float | None] = []
    for player, named in moves:
        clock, took = seconds(named.get("clk", "")), seconds(named.get("emt", ""))
        before = clocks.get(player, float(given[1]) if given else None)
        if took is None and clock is not None and before is not None:
            first = player not in clocks and clock == before
            took = max(0.0, round(before - clock + (0 if first else increment), 3))
        if clock is not None:
            clocks[player] = clock
        times.append(took)
    return times
