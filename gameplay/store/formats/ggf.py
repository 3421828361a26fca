"""Games of Othello in GGF, the Generic Game Format (M. Buro and I. Durdanovic, GGS): `.ggf`.

    (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:03:33.MST]PB[ann]PW[bob]RE[+4.000]TI[05:00//02:00]TY[8]
      BO[8 ---------------------------O*------*O--------------------------- *]B[F5/1.20/0.5]W[F6];)

A game is enclosed in `(;` and `;)`, on one or more lines; numbers before it, as servers write them, are
skipped, and a synchro match is two games. `]` in a value is escaped as `\\]`. A move may be followed by the
mover's estimate and the seconds; an omitted side has passed. RE is Black's result in discs, with `:r` for a
resignation and `:t` for a time loss. BO has the 64 squares from a1, b1 on (36 or 16 on smaller boards), then
the side to move. Komi (KM, KB, KW), times (TI, TB, TW)
and unknown properties are preserved.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gameplay.errors import BadInput
from gameplay.protocols import ggf
from gameplay.store.formats.pgn import DRAWN, Sheet, Step

if TYPE_CHECKING:
    from gameplay.games.othello.game import Othello

STANDARD_START = "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27 + " *"
SIZES = ("8", "6", "4")
REASONS = {"r": "resigned", "t": "time", "l": "time", "s": "agreed"}  # after the colon of a result

HANDLED = {"GM", "PC", "DT", "PB", "PW", "RB", "RW", "RE", "TY", "BO", "B", "W"}

_FIELD = re.compile(r"\s*([A-Za-z]+)\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_RESULT = re.compile(r"\s*([+-]?\d{1,3}(?:\.\d*)?)\s*(?::\s*([a-z]))?\s*$", re.IGNORECASE)
_DAY = re.compile(r"(\d{4})[.-](\d\d)[.-](\d\d)", re.ASCII)


def read(lines: Iterable[str], name: str) -> Iterator[Sheet]:
    """The games of a file; invalid ones have a `problem`."""
    text, first_line, number = "", 0, 0  # the current game and its first line
    for at, line in enumerate(lines, 1):
        rest = line
        while rest:
            if not text:
                _, opened, rest = rest.partition("(;")
                if not opened:
                    break
                text, first_line, number = "(;", at, number + 1
            inside, closed, rest = rest.partition(";)")
            text += inside
            if closed:
                yield _sheet(text[2:], first_line, number, name)
                text = ""
        if text:
            text += "\n"
    if text:
        problem = f"{name}, line {first_line}, game {number}: ;) is missing at its end"
        yield Sheet(number=number, problem=problem)


def _sheet(text: str, first_line: int, number: int, name: str) -> Sheet:
    """One game from its properties."""
    sheet, offset = Sheet(number=number), 0
    turn: int | None = None  # the side to move, if the file states it
    while parsed := _FIELD.match(text, offset):
        field, value, offset = (
            parsed[1].upper(),
            re.sub(r"\\(.)", r"\1", parsed[2], flags=re.DOTALL),
            parsed.end(),
        )
        at = first_line + text.count("\n", 0, parsed.start(1))
        if field == "BO":
            turn = _set_board(sheet, " ".join(value.split()))
        elif field in ("B", "W"):
            seat = "BW".index(field)
            if turn == 1 - seat:
                sheet.line.steps.append(Step("pass", at=at))
            _, *fields = value.split("/")
            sheet.line.steps.append(Step(ggf.from_ggf(value), at=at, more={"said": fields} if fields else {}))
            turn = 1 - seat
        else:
            _note_field(sheet, field, value.strip())
    if rest := text[offset:].split():
        at = first_line + text.count("\n", 0, len(text) - len(text[offset:].lstrip()))
        sheet.problem = f"{name}, line {at}, game {number}: '{rest[0][:20]}' is not a property such as B[F5]"
    return sheet


def _set_board(sheet: Sheet, board: str) -> int | None:
    """Set the starting board; return the side to move, None if unknown."""
    size, _, squares = board.partition(" ")
    letters = "".join(squares.split()).replace(".", "-").upper()
    squares = f"{letters[:-1]} {letters[-1:]}"
    sheet.tags["Board"] = size
    if squares != STANDARD_START:
        sheet.tags["FEN"] = squares
    return {"*": 0, "X": 0, "O": 1}.get(letters[-1:])


def _note_field(sheet: Sheet, field: str, value: str) -> None:
    names = {"PB": "Black", "PW": "White", "PC": "Event", "RB": "BlackElo", "RW": "WhiteElo"}
    if field in names and value:
        sheet.tags[names[field]] = value
    elif field == "DT":
        sheet.line.more["when"] = [value]
        if day := _DAY.match(value):
            sheet.tags["Date"] = ".".join(day.groups())
    elif field == "RE" and (matched := _RESULT.match(value)):
        discs = float(matched[1])
        sheet.tags["Discs"] = f"{discs:+g}"
        sheet.result = "0-1" if discs > 0 else "1-0" if discs < 0 else DRAWN  # White's points first
        if matched[2]:
            sheet.tags["Ended"] = matched[2].lower()
    elif field in ("GM", "TY"):
        sheet.tags[field] = value
    elif field not in HANDLED:
        sheet.line.more.setdefault(f"field {field}", []).append(value)


def check(tags: dict[str, str]) -> None:
    """Raise BadInput unless this is a supported game of Othello."""
    game, kind = tags.get("GM", "Othello"), tags.get("TY", "")
    if game.lower() != "othello":
        raise BadInput(f"GM[{game}] is not Othello")
    if "a" in kind.lower():
        raise BadInput(f"TY[{kind}]: anti-Othello, won by the side with fewer discs, is not supported")
    if "Board" not in tags:
        raise BadInput("the field BO, such as BO[8 ... *], is missing")
    if tags["Board"] not in SIZES:
        raise BadInput(f"boards are of {', '.join(SIZES)} squares a side, not of '{tags['Board'][:10]}'")


def spec(tags: dict[str, str]) -> str:
    """The game spec of a sheet."""
    size = tags.get("Board", "8")
    return f"othello:size={size}" if size in SIZES[1:] else "othello"


def payoffs(tags: dict[str, str], position: "Othello") -> tuple[float, float] | None:
    """Both payoffs by the recorded result; None without one."""
    if "Discs" not in tags:
        return None
    discs = float(tags["Discs"])
    black = int(discs) if discs.is_integer() else discs
    return black, -black


def reason(tags: dict[str, str]) -> str:
    """The reason for the end of the game, from the tags."""
    return REASONS.get(tags.get("Ended", ""), "")


def write(sheet: Sheet) -> str:
    """A sheet as one line; a value in a comment replaces the move's estimate."""
    tags = sheet.tags
    ended = f":{tags['Ended']}" if "Ended" in tags else ""
    fields = [
        ("GM", "Othello"),
        ("PC", tags.get("Event", "?")),
        ("DT", sheet.line.more.get("when", [tags.get("Date", "?")])[0].lstrip("?.")),
        *(("PB", tags["Black"]), ("PW", tags["White"])),
        *(("RB", tags.get("BlackElo", "")), ("RW", tags.get("WhiteElo", ""))),
        ("RE", tags.get("Discs", "?") + ended),
        ("TY", tags.get("TY", tags.get("Board", "8"))),
    ]
    for name, values in sheet.line.more.items():
        if name.startswith("field "):
            fields += [(name.removeprefix("field "), value) for value in values]
    fields.append(("BO", f"{tags.get('Board', '8')} {tags.get('FEN', STANDARD_START)}"))
    entries = [(step.mover, "/".join([ggf.to_ggf(step.word), *_extras(step)])) for step in sheet.line.steps]
    moves = "".join(f"{'BW'[mover]}[{entry}]" for mover, entry in entries)
    return f"(;{''.join(f'{name}[{_quote(value)}]' for name, value in fields if value)}{moves};)\n"


def _quote(value: str) -> str:
    """A value as one line, escaped so that it does not end the game."""
    value = " ".join(value.split()).replace("\\", "\\\\").replace("]", "\\]")
    return value.replace(";)", "; )")


def _extras(step: Step) -> list[str]:
    """The annotations of a move: the mover's estimate and the seconds."""
    fields = step.more.get("said", [])
    for comment in step.comments:
        if matched := re.match(r"([+-]\d+\.\d+)/\d+", comment):
            return [matched[1], *fields[1:]]
    return fields
