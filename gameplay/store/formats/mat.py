"""Backgammon matches in the format of Jellyfish, which GNU Backgammon, XG and others write too: `.mat`.

     7 point match

     Game 1
     white : 0                      black : 0
      1)                             31: 8/5 6/5
      2) 52: 13/8 13/11              Doubles => 2
      3)  Takes                      64: 24/14
          Wins 2 points

The left column is the first seat. A match is read as one game; a match to 0 points is money play, and each of
its games is read separately. Points are numbered from the mover's side; 25 is the bar, 0 is off. Rolling
instead of doubling is not recorded, and a pass is an empty turn. A game that ends early was resigned for the
recorded points; a roll after which a player resigned has the turn `????`. A file may begin with a later game
of a match, at the score beside the names. If a player then needs one point, it is the Crawford game, unless a
line `; [Crawford "Off"]` says that it is over.

Lines like `; [EventDate "2024.03.09"]` before a match have event, site, round and date. In money play the
line `; [CubeLimit "1"]` means that there is no cube, `; [Jacoby "True"]` the Jacoby rule. Column widths are
those of GNU Backgammon. A double played as four moves fills the left column, so a single space may separate
the columns: the second roll of a line begins the right one. Here a player may resign only on roll; if a file
has it later, the player's last turn becomes a remark.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, cast

from gameplay.errors import BadInput
from gameplay.store.formats.pgn import ROSTER, Sheet, Step
from gameplay.store.record import Record

if TYPE_CHECKING:
    from gameplay.games.backgammon.game import Backgammon
    from gameplay.registry import Game

RESIGNATIONS = ("", "resign", "resign-gammon", "resign-backgammon")  # by the number of cubes conceded
LEFT_WIDTH = 27  # characters of a turn in the left column
NAME_WIDTH = 30  # ... of the name and the score there
WINS_INDENT = 6  # ... before the number of points that the first seat wins
RIGHT_COLUMN = 17  # a single turn from this column on is in the right column

_MATCH = re.compile(r"\s*(\d{1,3}) points? match", re.IGNORECASE)
_GAME = re.compile(r"\s*Game (\d+)", re.IGNORECASE)
_NAMES = re.compile(r"\s*(.*?)\s*: *(\d+)\s+(.*?)\s*: *(\d+)\s*$")
_LINE = re.compile(r"\s*\d+\)(.*)$")
_HEADER = re.compile(r"[;#]\s*\[\s*([\w ]+?)\s*\"(.*)\"\s*\]")
_WINS = re.compile(r"\s*Wins? (\d+) points?", re.IGNORECASE)
_TURN = re.compile(r"([0-6])([0-6]):\s*(.*)$")
_WORDS = r"Doubles|Redoubles|Takes|Drops|Wins|Concedes|Resigns|Loses|Losses|Beavers|Raccoons"
_SECOND = re.compile(rf"\s+(?=[0-6][0-6]:)|\s{{2,}}(?={_WORDS})", re.IGNORECASE)
_CUBE_ACTIONS = {"doubles": "double", "redoubles": "double", "takes": "take", "drops": "drop"}
_CONCESSIONS = ("concedes", "resigns", "loses", "losses")
_NO_MOVE = re.compile(r"cannot|can't|\?{2,}|\(no move\)|no move|dances?\b", re.IGNORECASE)
_HEADER_TAGS = {"Site": "Site", "Event": "Event", "Round": "Round", "EventDate": "Date"}


# -- reading ------------------------------------------------------------------------------------


class _MatchReader:
    """Reads a match or a money game."""

    def __init__(self, name: str, number: int, length: str, header: dict[str, str]) -> None:
        self.name = name
        self.sheet = Sheet(number=number)
        self.sheet.tags |= {"Match": length or "0"} | header
        self.opening = False  # the next roll is the opening roll
        self.concession: tuple[int, int] | None = None  # the player who conceded, and the line

    def wrong(self, at: int, problem: str) -> None:
        self.sheet.wrong(self.name, at, problem)

    def begin(self) -> None:
        """Begin a game of the match."""
        self.end()
        self.opening = True

    def end(self) -> None:
        """End a game: a concession alone loses the cube."""
        if self.concession:
            self.win(1 - self.concession[0], 0, self.concession[1])

    def win(self, seat: int, points: int, at: int) -> None:
        """Add the winner of a game as a separate step, interpreted in `concession`."""
        self.concession = None
        self.sheet.line.steps.append(Step("", at=at, mover=seat, won=(seat, points, ())))

    def read(self, at: int, line: str) -> None:
        """Read a line of the game."""
        if match := _LINE.match(line):
            for seat, cell in enumerate(_columns(match[1], line.index(")") + 1)):
                if cell:
                    self.cell(seat, cell, at)
        elif won := _WINS.match(line):
            self.win(int(len(line) - len(line.lstrip()) >= RIGHT_COLUMN), _points(won[1]), at)
        elif names := _NAMES.match(line):
            self.sheet.tags |= {"White": names[1] or "?", "Black": names[3] or "?"}
            self.score(_points(names[2]), _points(names[4]), at)
        else:
            self.wrong(at, f"'{line.strip()[:30]}' is not a line of a match such as '1) 31: 8/5 6/5'")

    def score(self, white: int, black: int, at: int) -> None:
        """Begin the match at the score of its first game here, unless it is 0-0."""
        tags, length, most = self.sheet.tags, int(self.sheet.tags["Match"]), max(white, black)
        if self.sheet.line.steps or not length or not most:
            return
        if most < length:
            tags["Score"] = f"{white}-{black}"
        else:
            self.wrong(at, f"at {white}-{black} a match to {length} points is over")

    def cell(self, seat: int, cell: str, at: int) -> None:
        """Read an action of a player."""
        first = cell.split()[0].lower()
        if won := _WINS.match(cell):
            self.win(seat, _points(won[1]), at)
        elif first in _CUBE_ACTIONS:
            self.sheet.line.steps.append(Step(_CUBE_ACTIONS[first], at=at))
        elif not first.strip("?"):
            pass  # resigned before the roll
        elif first in _CONCESSIONS:
            self.concession = seat, at
        elif turn := _TURN.match(cell):
            self.turn(seat, turn, at)
        else:
            self.wrong(
                at, f"'{cell[:30]}' is not a roll and a turn such as '31: 8/5 6/5', Doubles, Takes or Drops"
            )

    def turn(self, seat: int, turn: re.Match[str], at: int) -> None:
        """Read a roll and the turn."""
        high, low = max(turn[1], turn[2]), min(turn[1], turn[2])
        turn_text = turn[3].strip().lower()
        if low == "0":  # XG writes 00: for a resignation before the roll
            if turn_text and not _NO_MOVE.match(turn_text):
                self.wrong(at, f"'{turn[0][:30]}' is played without a roll")
            return
        # The opening roll decides who begins; the first seat's die is written first.
        roll = low + high if self.opening and seat else high + low
        self.opening = False
        self.sheet.line.steps.append(Step(roll, at=at))
        if turn_text.startswith(_CONCESSIONS):
            self.concession = seat, at
            turn_text = ""
        if _NO_MOVE.match(turn_text):
            turn_text = ""
        turn_text = re.sub(r"\b25/", "bar/", " ".join(turn_text.split()))
        self.sheet.line.steps.append(Step(turn_text.replace(" ", ";") or "pass", at=at))


def read(lines: Iterable[str], name: str) -> Iterator[Sheet]:
    """The matches of a text, or the single games of money play; invalid ones have a `problem`."""
    length, number = "", 0
    header: dict[str, str] = {}
    header_used = False  # the header belongs to a match that has begun
    match: _MatchReader | None = None
    for at, line in enumerate(lines, 1):
        if line.lstrip()[:1] in (";", "#"):
            if header_used and _HEADER.match(line.strip()):
                header, header_used = {}, False
            if (tag := _HEADER.match(line.strip())) and tag[1] in _HEADER_TAGS and tag[2].strip(" ?."):
                header[_HEADER_TAGS[tag[1]]] = tag[2]
            elif tag and tag[1] == "Crawford" and tag[2].lower() == "off":
                header["Crawford"] = "Off"
            elif tag and (tag[1], tag[2].lower()) in (("CubeLimit", "1"), ("Jacoby", "true")):
                header[tag[1]] = tag[2]
            elif tag and tag[1] == "Variation" and tag[2].lower() != "backgammon":
                header["Variation"] = tag[2]
        elif head := _MATCH.match(line):
            if match is not None:
                match.end()
                yield match.sheet
            length, match = head[1], None
        elif game := _GAME.match(line):
            if match is None or length in ("", "0"):
                if match is not None:
                    match.end()
                    yield match.sheet
                number += 1
                match, header_used = _MatchReader(name, number, length, header), True
                if int(game[1][:6]) > 1:
                    match.sheet.tags["Game"] = game[1][:6]
                if "Variation" in header:
                    match.wrong(at, f"the variation {header['Variation'][:30]} is not supported")
            match.begin()
        elif match is not None and line.strip():
            match.read(at, line)
    if match is not None:
        match.end()
        yield match.sheet


def _points(digits: str) -> int:
    return int(digits[:6])


def _columns(text: str, offset: int) -> tuple[str, str]:
    """The two columns of a line, which begins at the offset."""
    body = text.strip()
    if offset + len(text) - len(text.lstrip()) >= RIGHT_COLUMN:
        return "", body
    second = _SECOND.search(body)
    return (body[: second.start()].strip(), body[second.end() :]) if second else (body, "")


def concession(position: "Backgammon", step: Step, steps: list[Step]) -> list[str]:
    """The moves that concede a game as recorded in the step; none if its last move ended it. Raises BadInput.
    steps: the steps before; if the loser is not on roll, the last turn becomes a remark on the roll.
    """
    assert step.won is not None
    winner, points, _ = step.won
    if position.outcome() is not None:
        return []
    if position.turn == 1 - winner and "drop" in map(position.format, position.moves()):
        return ["drop"]
    words = ("take", "drop", "double", "roll")
    if position.on_roll == winner and steps and steps[-1].mover == 1 - winner and steps[-1].word not in words:
        last = steps.pop()
        position.unmake()
        if steps:
            steps[-1].notes += [f"played {last.word} and resigned", *last.notes]
    resignations = position.concessions()
    if not resignations:
        return []
    if position.on_roll == winner:
        side = position.sides[1 - winner]
        raise BadInput(f"{side} cannot resign on {position.sides[winner]}'s turn")
    cube = position.stake
    cubes = min(max(1, -(-points // cube)), len(resignations))
    if points not in (0, cubes * cube) and steps:
        steps[-1].notes.append(f"recorded as {points} points")
    return [position.format(resignations[cubes - 1]), "accept"]


# -- writing ------------------------------------------------------------------------------------


def start_tags(position: "Backgammon") -> dict[str, str]:
    """The tags of a later game of a match. Raises BadInput unless the position is the start of a game."""
    score, length = position.won_by(), position.match
    for crawford in (True, False) if length else ():
        if position.text() == position.opening(score, crawford):
            over = position.text() != position.opening(score, True)
            return {"Score": f"{score[0]}-{score[1]}"} | ({"Crawford": "Off"} if over else {})
    raise BadInput(f"a game begins with an opening roll, not at {position.text()}")


def annotate(sheet: Sheet, position: "Backgammon", record: Record) -> None:
    """Add to a sheet the data that `write` needs of a record that begins from a position."""
    note_points(sheet, position)
    if record.match is not None:
        sheet.tags["Game"] = str(len(record.match.played) + 1)


def note_points(sheet: Sheet, position: "Backgammon") -> None:
    """Add the winner and points of each game to its last move, and the match length to the sheet."""
    sheet.tags["Match"] = str(position.match)
    if not position.match:
        sheet.tags |= {} if position.cube else {"CubeLimit": "1"}
        sheet.tags |= {"Jacoby": "True"} if position.jacoby else {}
    before, multiple = position.won_by(), 1
    for step in sheet.line.steps:
        if step.word.startswith("resign"):
            multiple = RESIGNATIONS.index(step.word)
        stake = position.stake
        position.make(position.parse(step.word))
        after = position.won_by()
        if after != before:
            winner = int(after[1] > before[1])
            points = after[winner] - before[winner]
            if position.match and position.outcome() is not None:  # the score is capped at the match length
                points = stake * (
                    multiple if step.word == "accept" else _cubes(step.word, position.checkers(1 - winner))
                )
            step.won = (winner, points, after)
        before = after


def _cubes(word: str, men: list[int]) -> int:
    """The multiple of the cube lost: 1, 2 for a gammon, 3 for a backgammon."""
    return 1 if word == "drop" or men[0] else 3 if any(men[19:]) else 2


def write(sheet: Sheet) -> str:
    """The text of a match, from the data of `note_points` and the movers of the steps."""
    length = sheet.tags.get("Match", "0")
    out = [
        f'; [{name} "{" ".join(value.split())}"]'
        for name, tag in _HEADER_TAGS.items()
        if (value := sheet.tags.get(tag, "?")) not in ("?", ROSTER[tag])
    ]
    out += ['; [Crawford "Off"]'] if "Crawford" in sheet.tags else []
    out += [f'; [{name} "{sheet.tags[name]}"]' for name in ("CubeLimit", "Jacoby") if name in sheet.tags]
    out += [f" {length} point match", ""]
    game, row, cells, is_begun = int(sheet.tags.get("Game", "1")) - 1, 0, ["", ""], False
    dice, cube = "", 1
    points = _score(sheet.tags)

    def flush() -> None:
        nonlocal row
        if any(cells):
            row += 1
            out.append(f"{row:>3}) {cells[0]:<{LEFT_WIDTH}} {cells[1]}".rstrip())
        cells[:] = ["", ""]

    def begin() -> None:
        nonlocal game, row, cube, is_begun
        game, row, cube, is_begun = game + 1, 0, 1, True
        white, black = (_strip_colons(sheet.tags[side]) for side in ("White", "Black"))
        out.append(f" Game {game}")
        out.append(f" {f'{white} : {points[0]}':<{NAME_WIDTH}} {black} : {points[1]}")

    begin()
    for step in sheet.line.steps:
        seat = step.mover
        if not is_begun:
            begin()
        if step.word.startswith("resign") or step.word == "decline":
            pass  # only its outcome is written
        elif step.word == "accept":
            if dice:
                loser = 1 - seat
                if any(cells[loser:]):
                    flush()
                cells[loser] = f"{dice}: ????"
        elif seat < 0:
            dice = "".join(sorted(step.word, reverse=True))
        elif step.word != "roll":
            if any(cells[seat:]):
                flush()
            if step.word == "double":
                cube *= 2
            texts = {"double": f"Doubles => {cube}", "take": "Takes", "drop": "Drops"}
            turn_text = "" if step.word == "pass" else step.word.replace("bar", "25").replace("off", "0")
            turn = f"{dice}: {turn_text.replace(';', ' ')}".rstrip()
            cells[seat] = f" {texts[step.word]}" if step.word in texts else turn
            dice = "" if step.word not in texts else dice
        if step.won is not None:
            winner, count, scores = step.won
            points = list(scores)
            flush()
            dice = ""
            plural = "s" if count != 1 else ""
            if winner and step.word == "drop":  # on the same line, or GNU Backgammon counts another double
                last = f"{out.pop():<{2 * RIGHT_COLUMN}}Wins {count} point{plural}"
                out += [last, ""]
                is_begun = False
                continue
            out += [f"{'':<{2 * RIGHT_COLUMN if winner else WINS_INDENT}}Wins {count} point{plural}", ""]
            is_begun = False
    flush()
    return "\n".join(out).rstrip() + "\n"


def _strip_colons(name: str) -> str:
    """A name without colons, since one separates it from the score: `level 3`."""
    return " ".join(name.replace(":", " ").split())


def spec(sheet: Sheet, find: Callable[[str], "Game"]) -> str:
    """The game spec of a sheet; for a later game of a match the start is added to the sheet."""
    length = int(sheet.tags.get("Match", "0"))
    cube = "" if "CubeLimit" in sheet.tags else ":cube=on,jacoby=on" if "Jacoby" in sheet.tags else ":cube=on"
    word = f"backgammon:match={length}" if length else f"backgammon{cube}"
    if "Score" in sheet.tags:
        start = cast("Backgammon", find(word).new())
        sheet.tags["FEN"] = start.opening(_score(sheet.tags), "Crawford" not in sheet.tags)
    return word


def _score(tags: dict[str, str]) -> list[int]:
    """Both players' scores at the start of the first game."""
    return [int(points) for points in tags.get("Score", "0-0").split("-")]
