"""Writes saved games and the games of a run in the formats of other programs.

Engine data follows a move in the usual notation: `{+0.31/12 0.200s}` is the mover's value in pawns, the depth
and the time; `+M5` a win in 5 plies.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from gameplay.capabilities import record_suffix
from gameplay.knowledge.books import names
from gameplay.position import side_names
from gameplay.store.formats import pgn
from gameplay.store.formats.game_formats import FORMATS, AnyFormat
from gameplay.store.formats.pgn import DRAWN, Sheet, Step
from gameplay.store.jsonl import RunHeader, StoredGame
from gameplay.store.record import Ply, Record
from gameplay.value import is_counted, plies

if TYPE_CHECKING:
    from gameplay.registry import Game

# The values of the tag Termination, by our reason for the end of a game.
TERMINATIONS = {
    **dict.fromkeys(("rules", "counted", "resigned", "agreed", "claimed", "recorded"), "normal"),
    **{"time": "time forfeit", "time_forfeit": "time forfeit"},
    **{"resign": "adjudication", "draw": "adjudication", "exact": "adjudication", "plies": "adjudication"},
    **{"illegal_move": "rules infraction", "protocol_error": "rules infraction"},
    **{"crash": "abandoned", "hang": "abandoned"},
}


def sheet_of(
    record: Record, game: "Game", tags: dict[str, str], times: Sequence[float] = (), book: int = 0
) -> Sheet:
    """A record as a sheet of its game's format.
    book: number of opening moves; times: seconds per move, for records without them.
    Raises BadInput if the format cannot represent the game.
    """
    file_format = FORMATS[record_suffix(game.cls)]
    position = game.new(record.start)
    default = game.new("") if file_format.spec is not None else game.cls()
    start_tags = {} if position.text() == default.text() else file_format.start_tags(position)
    sides = side_names(position)
    players = {side.title(): name for side, name in zip(sides, record.display_names, strict=True)}
    extra = {**file_format.game_tags(position), **start_tags, "PlyCount": str(len(record.moves))}
    termination = TERMINATIONS.get(record.reason, "normal")
    extra["Termination"] = "unterminated" if record.result is None else termination
    sheet = Sheet(tags=pgn.ROSTER | players | extra | tags)
    for number, ply in enumerate(record.moves):
        seconds = ply.seconds if ply.seconds is not None else times[number] if number < len(times) else None
        comment = "book" if number < book else _engine_comment(ply, seconds, position.unit)
        sheet.line.steps.append(Step(ply.move, [comment] if comment else [], mover=ply.player))
    file_format.annotate(sheet, position, record)
    if record.reason == "agreed":
        notes = sheet.line.steps[-1].notes if sheet.line.steps else sheet.line.notes
        notes.append("Game drawn by agreement")
    if record.result is not None and file_format.white_and_black:
        white, black = (record.result[sides.index(side)] for side in ("white", "black"))
        sheet.result = "1-0" if white > black else "0-1" if white < black else DRAWN
    return sheet


def _engine_comment(ply: Ply, seconds: float | None, unit: int) -> str:
    """The engine's value and depth, and the time of a move."""
    time = f"{seconds:.3f}s" if seconds else ""
    return f"{format_evaluation(ply.value, ply.depth, unit)} {time}".strip()


def format_evaluation(value: float | None, depth: int | None, unit: int) -> str:
    """A value and its depth in the notation of these files; "" without a search."""
    if value is None or not depth:
        return ""
    sign = "-" if value < 0 else "+"
    size = f"M{plies(value)}" if is_counted(value) else f"{abs(value) / unit:.2f}"
    return f"{sign}{size}/{depth}"


def encode(record: Record, game: "Game") -> str:
    """A saved game in its game's format, with its date if known."""
    tags = {"Event": f"Game of {game.name}"}
    tags |= {"Date": record.date.replace("-", ".")} if record.date else {}
    tags |= {"TimeControl": record.clock} if record.clock else {}
    tags |= _opening(record, game)
    sheet = sheet_of(record, game, tags, [ply.spent or 0.0 for ply in record.moves])
    return saved_text(sheet, FORMATS[record_suffix(game.cls)])


def saved_text(sheet: Sheet, file_format: AnyFormat) -> str:
    """The text of a game; in a format without tags after a comment with its date, if known, and players."""
    tags = sheet.tags
    if file_format.has_tags or "?" in tags["Date"]:
        return file_format.write(sheet)
    opening = f", {tags['Opening']}" if "Opening" in tags else ""
    date = tags["Date"].replace(".", "-")
    return f"# {date} {tags['Black']} - {tags['White']}{opening}\n{file_format.write(sheet)}"


def _opening(record: Record, game: "Game") -> dict[str, str]:
    """The tags Opening and ECO, if the opening has a name and a code."""
    position = game.new(record.start)
    opening = names.opening(position, map(position.parse, record.words))
    if opening is None:
        return {}
    return ({"ECO": opening.code} if opening.code else {}) | {"Opening": opening.name}


def writer(game: "Game", path: Path | None) -> Callable[[RunHeader, StoredGame], str] | None:
    """The writer of a run's games in the format of the file's suffix; None if the game has no such format."""
    suffix = path.suffix.lower() if path is not None else ""
    if suffix not in FORMATS or record_suffix(game.cls) != FORMATS[suffix].suffix:
        return None

    def write(header: RunHeader, stored: StoredGame) -> str:
        record = stored.read()
        if record is None:
            return ""
        job = msgspec.json.decode(stored.job)
        controls = [_control(seat) for seat in job["seats"]]
        tags = {
            "Event": header.title or header.id or "?",
            "Site": stored.host or "?",
            "Date": stored.finished[:10].replace("-", ".") or "????.??.??",
            "Round": f"{stored.pair + 1}.{stored.leg + 1}",
        }
        if len(set(controls)) == 1:
            tags["TimeControl"] = controls[0]
        else:
            sides = [side.title() for side in side_names(game.new())]
            tags |= {f"{side}TimeControl": control for side, control in zip(sides, controls, strict=True)}
        tags |= _opening(record, game)
        record.players = stored.names
        book = len(job.get("moves", ()))
        return FORMATS[suffix].write(sheet_of(record, game, tags, stored.times, book))

    return write


def _control(seat: dict[str, Any]) -> str:
    """A seat's time control or seconds per move; `-` without a time limit."""
    return str(seat.get("clock") or (f"{seat['time']:g}/move" if seat.get("time") else "-"))
