"""Backgammon matches in the format of Jellyfish, which GNU Backgammon, XG and others write too: `.mat`.

     7 point match

     Game 1
     white : 0                      black : 0
      1)                             31: 8/5 6/5
      2) 52: 13/8 13/11              Doubles => 2
      3)  Takes                      64: 24/14
          Wins 2 points

The left column is the first seat. A match, of however many games, is one game here; of matches to 0 points,
which are single games for points, each game is one. Points are those of the mover, 25 is the bar, 0 is off.
Rolling instead of doubling is not written, and a pass is an empty turn. A game that ends before the rules end
it was given up for the points that are written; a roll after which a player gave up has the turn `????`.

A file may begin with a later game of a match: then the score beside the names is where it begins. If one
player needs one more point, that is the Crawford game; if it is over, a line `; [Crawford "Off"]` says so.

Lines like `; [EventDate "2024.03.09"]` before a match hold event, site, round and date. Columns are as GNU
Backgammon writes them. A double played as four moves fills the left one, so a single blank
may separate the two: the second roll of a line begins the right one. A player may give up only on roll here;
where a file has it later, the last turn of that player is a remark.
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

OFFERS = ("", "resign", "resign-gammon", "resign-backgammon")  # by the cubes that are given up
LEFT = 27  # characters of a turn in the left column
NAME = 30  # ... of the name and the score there
MARGIN = 6  # ... before the number of points that the first seat wins
RIGHT = 17  # from here on a turn that is alone on its line is in the right column

_MATCH = re.compile(r"\s*(\d{1,3}) points? match", re.IGNORECASE)
_GAME = re.compile(r"\s*Game (\d+)", re.IGNORECASE)
_NAMES = re.compile(r"\s*(.*?)\s*: *(\d+)\s+(.*?)\s*: *(\d+)\s*$")
_LINE = re.compile(r"\s*\d+\)(.*)$")
_HEADER = re.compile(r"[;#]\s*\[\s*([\w ]+?)\s*\"(.*)\"\s*\]")
_WINS = re.compile(r"\s*Wins? (\d+) points?", re.IGNORECASE)
_TURN = re.compile(r"([0-6])([0-6]):\s*(.*)$")
_WORDS = r"Doubles|Redoubles|Takes|Drops|Wins|Concedes|Resigns|Loses|Losses|Beavers|Raccoons"
_SECOND = re.compile(rf"\s+(?=[0-6][0-6]:)|\s{{2,}}(?={_WORDS})", re.IGNORECASE)
_SAID = {"doubles": "double", "redoubles": "double", "takes": "take", "drops": "drop"}
_GIVES_UP = ("concedes", "resigns", "loses", "losses")
_NO_MOVE = re.compile(r"cannot|can't|\?{2,}|\(no move\)|no move|dances?\b", re.IGNORECASE)
_KEPT = {"Site": "Site", "Event": "Event", "Round": "Round", "EventDate": "Date"}


# -- reading ------------------------------------------------------------------------------------


class _MatchReader:
    """A match, or a game for points, as it is being read."""

    def __init__(self, name: str, number: int, length: str, header: dict[str, str]) -> None:
        self.name = name
        self.sheet = Sheet(number=number)
        self.sheet.tags |= {"Match": length or "0"} | header
        self.opening = False  # the next roll is the one that decides who begins
        self.gave_up: tuple[int, int] | None = None  # who conceded, and the line

    def wrong(self, at: int, problem: str) -> None:
        self.sheet.wrong(self.name, at, problem)

    def begin(self) -> None:
        """A game of the match begins."""
        self.end()
        self.opening = True

    def end(self) -> None:
        """A game has ended: with a concession alone, the cube is lost."""
        if self.gave_up:
            self.win(1 - self.gave_up[0], 0, self.gave_up[1])

    def win(self, seat: int, points: int, at: int) -> None:
        """Note who wins a game, as a step of its own: what it means is asked in `conceded`."""
        self.gave_up = None
        self.sheet.line.steps.append(Step("", at=at, mover=seat, won=(seat, points, ())))

    def read(self, at: int, line: str) -> None:
        """Read a line of the game."""
        if match := _LINE.match(line):
            for seat, cell in enumerate(_columns(match[1], line.index(")") + 1)):
                if cell:
                    self.cell(seat, cell, at)
        elif won := _WINS.match(line):
            self.win(int(len(line) - len(line.lstrip()) >= RIGHT), _points(won[1]), at)
        elif names := _NAMES.match(line):
            self.sheet.tags |= {"White": names[1] or "?", "Black": names[3] or "?"}
            self.score(_points(names[2]), _points(names[4]), at)
        else:
            self.wrong(at, f"'{line.strip()[:30]}' is not a line of a match, as '1) 31: 8/5 6/5'")

    def score(self, white: int, black: int, at: int) -> None:
        """Begin a match from this score, if it is that of the first game here and not 0-0."""
        tags, length, most = self.sheet.tags, int(self.sheet.tags["Match"]), max(white, black)
        if self.sheet.line.steps or not length or not most:
            return
        if most < length:
            tags["Score"] = f"{white}-{black}"
        else:
            self.wrong(at, f"at {white}-{black} a match to {length} points is over")

    def cell(self, seat: int, cell: str, at: int) -> None:
        """Read what a player did."""
        first = cell.split()[0].lower()
        if won := _WINS.match(cell):
            self.win(seat, _points(won[1]), at)
        elif first in _SAID:
            self.sheet.line.steps.append(Step(_SAID[first], at=at))
        elif not first.strip("?"):
            pass  # gave up before the roll
        elif first in _GIVES_UP:
            self.gave_up = seat, at
        elif turn := _TURN.match(cell):
            self.turn(seat, turn, at)
        else:
            self.wrong(
                at, f"'{cell[:30]}' is not a roll and a turn, as '31: 8/5 6/5', Doubles, Takes or Drops"
            )

    def turn(self, seat: int, turn: re.Match[str], at: int) -> None:
        """Read a roll and the turn."""
        high, low = max(turn[1], turn[2]), min(turn[1], turn[2])
        moved = turn[3].strip().lower()
        if low == "0":  # XG writes 00: for a player who gave up before the roll
            if moved and not _NO_MOVE.match(moved):
                self.wrong(at, f"'{turn[0][:30]}' is played without a roll")
            return
        # The opening roll says who begins: the die of the first seat is written first.
        roll = low + high if self.opening and seat else high + low
        self.opening = False
        self.sheet.line.steps.append(Step(roll, at=at))
        if moved.startswith(_GIVES_UP):
            self.gave_up = seat, at
            moved = ""
        if _NO_MOVE.match(moved):
            moved = ""
        moved = re.sub(r"\b25/", "bar/", " ".join(moved.split()))
        self.sheet.line.steps.append(Step(moved.replace(" ", ";") or "pass", at=at))


def read(lines: Iterable[str], name: str) -> Iterator[Sheet]:
    """The matches of a text, or their games where they are for points; a sheet has its `problem`."""
    length, number = "", 0
    header: dict[str, str] = {}
    used = False  # the header is that of a match which has begun
    match: _MatchReader | None = None
    for at, line in enumerate(lines, 1):
        if line.lstrip()[:1] in (";", "#"):
            if used and _HEADER.match(line.strip()):
                header, used = {}, False
            if (tag := _HEADER.match(line.strip())) and tag[1] in _KEPT and tag[2].strip(" ?."):
                header[_KEPT[tag[1]]] = tag[2]
            elif tag and tag[1] == "Crawford" and tag[2].lower() == "off":
                header["Crawford"] = "Off"
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
                match, used = _MatchReader(name, number, length, header), True
                if int(game[1][:6]) > 1:
                    match.sheet.tags["Game"] = game[1][:6]
                if "Variation" in header:
                    match.wrong(at, f"the variation {header['Variation'][:30]} is not played here")
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
    if offset + len(text) - len(text.lstrip()) >= RIGHT:
        return "", body
    second = _SECOND.search(body)
    return (body[: second.start()].strip(), body[second.end() :]) if second else (body, "")


def conceded(position: "Backgammon", step: Step, steps: list[Step]) -> list[str]:
    """The words that end a game as the step says; none where its last move ended it. Raises BadInput.

    `steps` are those before: where the loser is not on roll, the last turn becomes a remark of the roll.
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
            steps[-1].notes += [f"played {last.word} and gave up", *last.notes]
    offers = position.concessions()
    if not offers:
        return []
    if position.on_roll == winner:
        side = position.sides[1 - winner]
        raise BadInput(f"{side} cannot give up while it is {position.sides[winner]}'s turn")
    cube = position.stake
    cubes = min(max(1, -(-points // cube)), len(offers))
    if points not in (0, cubes * cube) and steps:
        steps[-1].notes.append(f"the file counts {points} points")
    return [position.format(offers[cubes - 1]), "accept"]


# -- writing ------------------------------------------------------------------------------------


def begins(position: "Backgammon") -> dict[str, str]:
    """The tags of a later game of a match. Raises BadInput for a position that no game begins from."""
    score, length = position.won_by(), position.match
    for crawford in (True, False) if length else ():
        if position.text() == position.opening(score, crawford):
            over = position.text() != position.opening(score, True)
            return {"Score": f"{score[0]}-{score[1]}"} | ({"Crawford": "Off"} if over else {})
    raise BadInput(f"a game begins with an opening roll, not at {position.text()}")


def annotate(sheet: Sheet, position: "Backgammon", record: Record) -> None:
    """Note in a sheet what `write` needs of a record that begins from a position."""
    note_points(sheet, position)
    if record.match is not None:
        sheet.tags["Game"] = str(len(record.match.played) + 1)


def note_points(sheet: Sheet, position: "Backgammon") -> None:
    """Note at the last move of each game who wins how many points by it, and the length of the match."""
    sheet.tags["Match"] = str(position.match)
    before, offered = position.won_by(), 1
    for step in sheet.line.steps:
        if step.word.startswith("resign"):
            offered = OFFERS.index(step.word)
        stake = position.stake
        position.make(position.parse(step.word))
        after = position.won_by()
        if after != before:
            winner = int(after[1] > before[1])
            points = after[winner] - before[winner]
            if (
                position.match and position.outcome() is not None
            ):  # the score stops at the length of the match
                points = stake * (
                    offered if step.word == "accept" else _cubes(step.word, position.men(1 - winner))
                )
            step.won = (winner, points, after)
        before = after


def _cubes(word: str, men: list[int]) -> int:
    """How many cubes a loser with these checkers pays: one, two for a gammon, three for a backgammon."""
    return 1 if word == "drop" or men[0] else 3 if any(men[19:]) else 2


def write(sheet: Sheet) -> str:
    """A match. `note_points` and the movers of the steps say who played what."""
    length = sheet.tags.get("Match", "0")
    out = [
        f'; [{name} "{" ".join(value.split())}"]'
        for name, tag in _KEPT.items()
        if (value := sheet.tags.get(tag, "?")) not in ("?", ROSTER[tag])
    ]
    out += ['; [Crawford "Off"]'] if "Crawford" in sheet.tags else []
    out += [f" {length} point match", ""]
    game, row, cells, begun = int(sheet.tags.get("Game", "1")) - 1, 0, ["", ""], False
    dice, cube = "", 1
    points = _score(sheet.tags)

    def flush() -> None:
        nonlocal row
        if any(cells):
            row += 1
            out.append(f"{row:>3}) {cells[0]:<{LEFT}} {cells[1]}".rstrip())
        cells[:] = ["", ""]

    def begin() -> None:
        nonlocal game, row, cube, begun
        game, row, cube, begun = game + 1, 0, 1, True
        white, black = (_named(sheet.tags[side]) for side in ("White", "Black"))
        out.append(f" Game {game}")
        out.append(f" {f'{white} : {points[0]}':<{NAME}} {black} : {points[1]}")

    begin()
    for step in sheet.line.steps:
        seat = step.mover
        if not begun:
            begin()
        if step.word.startswith("resign") or step.word == "decline":
            pass  # only what came of it is written
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
            moved = "" if step.word == "pass" else step.word.replace("bar", "25").replace("off", "0")
            turn = f"{dice}: {moved.replace(';', ' ')}".rstrip()
            cells[seat] = f" {texts[step.word]}" if step.word in texts else turn
            dice = "" if step.word not in texts else dice
        if step.won is not None:
            winner, count, scores = step.won
            points = list(scores)
            flush()
            dice = ""
            plural = "s" if count != 1 else ""
            if winner and step.word == "drop":  # on the same line, or GNU Backgammon counts another double
                last = f"{out.pop():<{2 * RIGHT}}Wins {count} point{plural}"
                out += [last, ""]
                begun = False
                continue
            out += [f"{'':<{2 * RIGHT if winner else MARGIN}}Wins {count} point{plural}", ""]
            begun = False
    flush()
    return "\n".join(out).rstrip() + "\n"


def _named(name: str) -> str:
    """A name before the colon of its score, without one: `level 3`."""
    return " ".join(name.replace(":", " ").split())


def spec(sheet: Sheet, find: Callable[[str], "Game"]) -> str:
    """The game that a sheet is of; its start is noted in the sheet where that is a later game of a match."""
    length = int(sheet.tags.get("Match", "0"))
    word = f"backgammon:match={length}" if length else "backgammon:cube=on"
    if "Score" in sheet.tags:
        start = cast("Backgammon", find(word).new())
        sheet.tags["FEN"] = start.opening(_score(sheet.tags), "Crawford" not in sheet.tags)
    return word


def _score(tags: dict[str, str]) -> list[int]:
    """The points of both players at the start of the first game."""
    return [int(points) for points in tags.get("Score", "0-0").split("-")]
