"""Matches of backgammon as Jellyfish wrote them, which other programs read: `.mat`.

     7 point match

     Game 1
     white : 0                           black : 0
      1)                                 31: 8/5 6/5
      2) 52: 13/8 13/11                  Doubles => 2
      3) Takes                           64: 24/14
          Wins 2 points

Who sits in the first seat has the left column. A match, of however many games, is one game here; of matches
to 0 points, which are single games for points, each game is one. Points are those of the mover, 25 is the
bar, 0 is off. Nobody writes that they roll rather than double, and a pass is an empty turn. A game that ends
before the rules end it was given up, by the side that is on roll, for the points that are told; of a throw
after which somebody gave up the turn is `????`.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from gameplay.errors import BadInput
from gameplay.store.movetext import Sheet, Step

WIDE = 34  # characters of the left column

_MATCH = re.compile(r"\s*(\d{1,3}) point match", re.IGNORECASE)
_GAME = re.compile(r"\s*Game \d+", re.IGNORECASE)
_NAMES = re.compile(r"\s*(.*?) : (\d+)\s+(.*?) : (\d+)\s*$")
_LINE = re.compile(r"\s*\d+\)(.*)$")
_WINS = re.compile(r"\s*Wins? (\d+) points?", re.IGNORECASE)
_TURN = re.compile(r"([1-6])([1-6]):\s*(.*)$")
_SAID = {"doubles": "double", "takes": "take", "drops": "drop"}


def read(lines: Iterable[str], name: str) -> Iterator[Sheet]:
    """The matches of a text, or their games where they are for points; a sheet tells its `problem`."""
    length, number, sheet = "", 0, None
    opening = False  # the next throw says who begins
    for at, line in enumerate(lines, 1):
        if found := _MATCH.match(line):
            if sheet is not None:
                yield sheet
            length, sheet = found[1], None
        elif _GAME.match(line):
            if sheet is None or length in ("", "0"):
                if sheet is not None:
                    yield sheet
                number += 1
                sheet = Sheet(number=number)
                sheet.tags["Match"] = length or "0"
            opening = True
        elif sheet is None or not line.strip() or line.lstrip().startswith(";"):
            continue
        elif found := _LINE.match(line):
            opening = _read_line(sheet, found[1], line.index(")") + 1, at, opening, name)
        elif found := _NAMES.match(line):
            sheet.tags["White"], sheet.tags["Black"] = found[1], found[3]
        elif found := _WINS.match(line):
            _win(sheet, int(len(line) - len(line.lstrip()) >= WIDE // 2), found[1], at)
        elif not sheet.problem:
            sheet.problem = (
                f"{name}, line {at}, game {sheet.number}: '{line.strip()[:30]}' is no line of a match"
            )
    if sheet is not None:
        yield sheet


def _read_line(sheet: Sheet, text: str, offset: int, at: int, first: bool, name: str) -> bool:
    """Read what both sides did; true if no throw was read yet of a game that begins."""
    left, right = _columns(text, offset)
    for seat, part in enumerate((left, right)):
        part = part.strip()
        if not part:
            continue
        if won := _WINS.match(part):
            _win(sheet, seat, won[1], at)
            continue
        word = _SAID.get(part.split()[0].lower())
        if word is not None:
            sheet.line.steps.append(Step(word, at=at))
            continue
        turn = _TURN.match(part)
        if turn is None:
            wrong = f"'{part[:30]}' is no throw and no turn, as 31: 8/5 6/5"
            sheet.problem = sheet.problem or f"{name}, line {at}, game {sheet.number}: {wrong}"
            return first
        high, low = max(turn[1], turn[2]), min(turn[1], turn[2])
        # The opening throw tells who begins: the die of the first seat stands first.
        sheet.line.steps.append(Step(low + high if first and seat else high + low, at=at))
        first = False
        moved = turn[3].strip().lower()
        if moved.startswith(("cannot", "can't")) or moved in ("????", "(no move)"):
            moved = ""
        sheet.line.steps.append(Step(moved.replace("25/", "bar/").replace(" ", ";") or "pass", at=at))
    return first


def _win(sheet: Sheet, seat: int, points: str, at: int) -> None:
    """Note who wins a game, as a step of its own: what it means is asked in `conceded`."""
    sheet.line.steps.append(Step("", at=at, won=(seat, int(points), ())))


def conceded(position: Any, step: Step) -> list[str]:
    """The words that end a game as the step says; none where its last move ended it. Raises BadInput."""
    assert step.won is not None
    winner, points, _ = step.won
    offers = position.concessions()
    if position.outcome() is not None or not offers:
        return []
    cube = position.stake
    cubes, rest = divmod(points, cube)
    side = position.sides[1 - winner]
    if position.on_roll == winner:
        raise BadInput(f"{side} cannot have given up while it is {position.sides[winner]}'s turn")
    words = [position.format(offer) for offer in offers]
    if rest or not 1 <= cubes <= len(words):
        most = f"{cube} to {cube * len(words)}" if len(words) > 1 else str(cube)
        raise BadInput(f"{side} cannot have given up {points} points where {most} can be lost")
    return [words[cubes - 1], "accept"]


def _columns(text: str, offset: int) -> tuple[str, str]:
    """The two columns of a line: what stands far to the right alone is the second."""
    body = text.strip()
    if offset + len(text) - len(text.lstrip()) >= WIDE // 2:
        return "", body
    parts = re.split(r"\s{2,}(?=[1-6][1-6]:|Doubles|Takes|Drops|Wins)", body, maxsplit=1)
    return parts[0], parts[1] if len(parts) == 2 else ""


def write(sheet: Sheet) -> str:
    """A sheet as a match. Its notes say who played what, see `gameplay.store.sheets`."""
    length = sheet.tags.get("Match", "0")
    out = [f" {length} point match", ""]
    game, row, cells = 0, 0, ["", ""]

    def flush() -> None:
        nonlocal row
        if any(cells):
            row += 1
            out.append(f"{row:>3}) {cells[0]:<{WIDE}}{cells[1]}".rstrip())
        cells[:] = ["", ""]

    throw, cube, points = "", 1, [0, 0]
    begun = False
    for step in sheet.line.steps:
        seat = step.mover
        if not begun:
            game, row, cube, begun = game + 1, 0, 1, True
            out.append(f" Game {game}")
            left = f"{sheet.tags['White']} : {points[0]}"
            out.append(f" {left:<{WIDE + 4}}{sheet.tags['Black']} : {points[1]}")
        if step.word.startswith("resign") or step.word == "decline":
            pass  # only what came of it is written
        elif step.word == "accept":
            if throw:
                loser = 1 - seat
                if any(cells[loser:]):
                    flush()
                cells[loser] = " " * (not loser) + f"{throw}: ????"
        elif seat < 0:
            throw = "".join(sorted(step.word, reverse=True))
        elif step.word != "roll":
            if any(cells[seat:]):
                flush()
            if step.word == "double":
                cube *= 2
            said = {"double": f"Doubles => {cube}", "take": "Takes", "drop": "Drops"}
            moved = "" if step.word == "pass" else step.word.replace("bar", "25").replace("off", "0")
            cells[seat] = " " * (not seat) + said.get(
                step.word, f"{throw}: {moved.replace(';', ' ')}".rstrip()
            )
            throw = "" if step.word not in said else throw
        if step.won is not None:
            winner, count, scores = step.won
            points = list(scores)
            flush()
            throw = ""
            plural = "s" if count != 1 else ""
            out += [f"{'':<{6 if winner == 0 else WIDE + 5}}Wins {count} point{plural}", ""]
            begun = False
    flush()
    return "\n".join(out).rstrip() + "\n"


def spec(tags: dict[str, str]) -> str:
    """The game that a sheet is of."""
    length = int(tags.get("Match", "0"))
    return f"backgammon:match={length}" if length else "backgammon:cube=on"
