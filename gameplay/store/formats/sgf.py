"""Go games in SGF, the Smart Game Format, version 4 (A. Hollosi, 1997-2021): reading and writing.

    (;FF[4]GM[1]SZ[9]KM[7.5]PB[ann]PW[bob]     the root: game settings and setup stones
     ;B[ee];W[ge]C[too far]                    moves, E5 and G5, with comments
     (;B[dc])                                  the main line,
     (;B[cd];W[cf]))                           ... and a variation

A move is a `Step` of a `Line`, as in `gameplay.store.formats.pgn`; other properties of its node are
kept verbatim (`more`). A node without a move belongs to the move before it. Points count from the upper left
corner. Deviations of files in use are accepted: text between games, lower case in names, charsets, komi in
stones of Chinese counting, a side that moves twice (the other passed), handicap stones on any points. Stones
may be set up in the root, and in variations, which are then kept as text. A tree survives writing and reading
unchanged, and a written file is reproduced byte for byte.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from gameplay.capabilities import GoBoard
from gameplay.errors import BadInput, GameplayError
from gameplay.store.formats.pgn import Sheet, Step
from gameplay.store.formats.sgf_reader import DRAWN_RESULTS, RESULT, SgfBoard
from gameplay.store.formats.sgf_tree import DEFAULT_SIZE
from gameplay.store.record import Record

if TYPE_CHECKING:
    from gameplay.games.go.game import Go
    from gameplay.position import AbstractPosition
    from gameplay.registry import Game

RULES = {  # options by the value of RU
    "chinese": {"rules": "chinese"},
    "tromp-taylor": {"rules": "tromp-taylor"},
    "nz": {"rules": "tromp-taylor", "ko": "situational"},
    "aga": {"ko": "situational"},
    "goe": {"suicide": "on", "ko": "simple"},
}
DEFAULT_RULES = {"ko": "simple"}  # ... for other values: the most permissive
STANDARD_OPTIONS = {"chinese": ("positional", False), "tromp-taylor": ("positional", True)}  # ko and suicide
RESULT_REASONS = {
    **{"resigned": "R", "time": "T", "time_forfeit": "T"},
    **dict.fromkeys(("illegal_move", "protocol_error", "crash", "hang"), "F"),
}


def spec(sheet: Sheet, find: "Callable[[str], Game]") -> str:
    """The game spec of a sheet; `find` returns the game of a spec."""
    tags = sheet.tags
    columns, _, rows = tags.get("SZ", f"{DEFAULT_SIZE}:{DEFAULT_SIZE}").partition(":")
    options = {"size": columns} if columns == rows else {"columns": columns, "rows": rows}
    options["komi"] = tags.get("KM", "0")
    words = tags.get("RU", "").lower().split()
    ruleset = (
        " ".join(word for word in words if "=" not in word).replace("new zealand", "nz").replace(" ", "-")
    )
    options |= RULES.get(ruleset, DEFAULT_RULES)
    options |= dict(word.split("=", 1) for word in words if re.fullmatch(r"(ko|suicide|goal)=\w+", word))
    if count := tags.get("HA", ""):
        with_handicap = options | {"handicap": count}
        stones = set(tags.get("Given", "").split())
        with suppress(GameplayError):  # no standard points for this handicap
            if stones and stones == _black(find(_format_spec(with_handicap)).new()):
                return _format_spec(with_handicap)
        options = with_handicap | {"placement": "free"}
    return _format_spec(options)


def _format_spec(options: dict[str, str]) -> str:
    return "go:" + ",".join(f"{name}={value}" for name, value in options.items())


def _black(position: "AbstractPosition") -> set[str]:
    """The points where Black has stones."""
    assert isinstance(position, GoBoard)
    rows = position.stones()
    board = SgfBoard(len(rows[0]), len(rows))
    return {board.name(x, y) for y, row in enumerate(rows) for x, stone in enumerate(row) if stone == "X"}


def prepare(sheet: Sheet, position: "Go") -> None:
    """Adapt a sheet to the start of the game. Raises BadInput for another board size."""
    size = f"{position.columns}:{position.rows}"
    if sheet.tags.get("SZ", size) != size:
        board = sheet.tags["SZ"].replace(":", "x")
        raise BadInput(f"the game is on a board of {board}, not {size.replace(':', 'x')}")
    count = int(sheet.tags.get("HA", "0"))
    if count != position.handicap:
        raise BadInput(f"the game has a handicap of {count}, not {position.handicap}")
    if position.handicap and position.placement == "free":
        stones = sheet.tags.get("Given", "").split()
        sheet.line.steps[:0] = [Step(word, at=1) for word in stones]


def reason(tags: dict[str, str]) -> str:
    """The reason for an early end, from the tag RE: `resigned`, `time` or an empty string."""
    result = RESULT.fullmatch(tags.get("RE", ""))
    return {"R": "resigned", "T": "time"}.get(result[2].strip().upper()[:1], "") if result is not None else ""


def payoffs(tags: dict[str, str], position: "Go") -> tuple[float, float] | None:
    """The payoffs in points, from the tag RE; None without them."""
    result = RESULT.fullmatch(tags.get("RE", ""))
    if result is None:
        return (0, 0) if tags.get("RE", "").lower() in DRAWN_RESULTS else None
    words = result[2].strip()
    points = float(words) if re.fullmatch(r"\d{1,3}(\.\d)?", words, re.ASCII) else 0
    if words[:1].upper() in ("R", "T", "F"):
        points = float(position.stake)
    if not points:
        return None
    return (points, -points) if result[1][0].upper() == "B" else (-points, points)


def game_tags(position: "Go") -> dict[str, str]:
    """The root properties with the settings of a game, from its starting position."""
    size = f"{position.columns}:{position.rows}" if position.columns != position.rows else position.columns
    rules = [position.rules.title()]
    ko, suicide = STANDARD_OPTIONS[position.rules]
    rules += [f"ko={position.ko}"] if position.ko != ko else []
    rules += [f"suicide={'on' if position.suicide else 'off'}"] if position.suicide != suicide else []
    rules += [f"goal={position.goal}"] if position.goal != "win" else []
    properties = {"SZ": str(size), "KM": f"{position.komi:g}", "RU": " ".join(rules)}
    if position.handicap:
        properties |= {"HA": str(position.handicap)}
        properties |= _setup(position) if position.placement == "fixed" else {"Free": "yes"}
    return properties


def start_tags(position: "Go") -> dict[str, str]:
    """The root properties of a starting position and the moves that led to it. Raises BadInput."""
    head: list[str] = []
    moves: list[str] = []
    for word in position.text().split():
        (moves if moves or word == "pass" or re.fullmatch(r"[A-Z]\d+", word) else head).append(word)
    if any(word.startswith("ko=") for word in head):
        raise BadInput("SGF cannot represent a point forbidden by ko")
    played = []
    for word in reversed(moves):
        position.unmake()
        played.append("BW"[position.turn] + word)
    properties = _setup(position) | ({"PL": "BW"[position.turn]} if head else {})
    for word in moves:
        position.make(position.parse(word))
    return properties | {"Before": " ".join(reversed(played))}


def _setup(position: "Go") -> dict[str, str]:
    """The stones on the board, as values of AB and AW."""
    properties: dict[str, str] = {}
    for name, stone in (("AB", "X"), ("AW", "O")):
        points = [
            chr(97 + x) + chr(97 + y)
            for y, row in enumerate(position.stones())
            for x, each in enumerate(row)
            if each == stone
        ]
        properties[name] = " ".join(points)
    return properties


def note_result(sheet: Sheet, position: "Go", record: Record) -> None:
    """Set the tag RE to the winner and how the game was won; `position` is the start."""
    result = record.result
    if result is None:
        return
    if result[0] == result[1]:
        sheet.tags["RE"] = "0"
        return
    how = RESULT_REASONS.get(record.reason, "")
    if record.margin is not None:
        how = f"{abs(record.margin):g}"
    elif not how and position.scored:
        how = f"{abs(result[0]):g}"
    elif record.reason == "rules":
        for step in sheet.line.steps:
            position.make(position.parse(step.word))
        how = f"{abs(position.lead()):g}"
    sheet.tags["RE"] = f"{'B' if result[0] > result[1] else 'W'}+{how}"
