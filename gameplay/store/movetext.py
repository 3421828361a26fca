"""The text of games that chess and checkers programs exchange (PGN, PDN): read into trees, written back.

    [Event "Opera House"]                     tags
    [Result "1-0"]

    1. e4 e5 2. Nf3 d6 {Philidor} 3. d4 $1 Bg4 (3... Nf6 4. Nc3) 4. dxe5 1-0

    Sheet  tags, result
      Line   1. e4 --- e5 --- Nf3 --- d6 --- d4 --- Bg4 --- dxe5
                                      |       |      |
      notes                      "Philidor"   1     Line   Nf6 --- Nc3

A move is a `Step` with its notes in the order in which they stand: comments (text), marks (numbers, `!` is 1)
and variations (lines that begin in the place of this move). The grammar knows no rules: what a move means is
asked in `gameplay.store.sheets`. Read are all the liberties of real files: any style of move numbers, marks
as `!?` or `$5`, comments in braces or from `;` to the end of the line, lines that begin with `%`, results
written twice or not at all, moves cut in two by the end of a line. Written is the export format: seven tags
first, lines under 80 characters, marks as numbers; so what is read and written is read again as the same
tree, and what was written is written again byte for byte.
Source: S. Edwards, Portable Game Notation Specification and Implementation Guide (1994); A. Millett, Portable
Draughts Notation (1995).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Union

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
DRAWN, UNKNOWN = "1/2-1/2", "*"
RESULTS = {
    **{"1-0": "1-0", "0-1": "0-1", DRAWN: DRAWN, UNKNOWN: UNKNOWN},
    **{"1/2": DRAWN, "½-½": DRAWN, "½": DRAWN},
}
MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
ONLY = 8  # the mark of a move without an alternative: checkers books write 27-20*
WIDTH = 79  # characters of a line
DEEPEST = 50  # variations of variations

Note = Union[str, int, "Line"]


@dataclass
class Step:
    """A move in words, and what is said of it: comments, marks, and lines in its place."""

    word: str
    notes: list[Note] = field(default_factory=list)
    at: int = field(default=0, compare=False)  # the line of the file
    mover: int = field(default=0, compare=False)  # who moves, -1: chance
    # Where a game ends by it: who wins how many points, and what both have then, as far as that is told.
    won: tuple[int, int, tuple[int, ...]] | None = field(default=None, compare=False)
    more: dict[str, list[str]] = field(default_factory=dict)  # what else a file says of it, by name

    @property
    def comments(self) -> list[str]:
        """The comments alone."""
        return [note for note in self.notes if isinstance(note, str)]


@dataclass
class Line:
    """Moves one after the other. `notes`, and what a file says `more`, stand before the first."""

    notes: list[Note] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    more: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class Sheet:
    """A game as it is written down. `problem` says what is wrong with it, and where; "": nothing."""

    tags: dict[str, str] = field(default_factory=lambda: dict(ROSTER))
    line: Line = field(default_factory=Line)
    result: str = UNKNOWN
    number: int = field(default=1, compare=False)  # in the file, from 1
    problem: str = field(default="", compare=False)

    @property
    def words(self) -> list[str]:
        """The moves of the game itself."""
        return [step.word for step in self.line.steps]


# -- reading ------------------------------------------------------------------------------------

_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9][\w-]*)\s*"((?:[^"\\]|\\.)*)"\s*\]')
_BEGIN = re.compile(r'\s*\[\s*[A-Za-z0-9][\w-]*\s+"')
_NEXT = re.compile(r'\[Event "[^"]*"\]\s*$')
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<comment>[{;])
  | \$(?P<mark>\d+)
  | \((?P<sure>[!?]{1,2})\) | (?P<sign>[!?]{1,2})
  | (?P<open>\() | (?P<close>\))
  | (?P<passed>\d+\s*[.…]+ | [.…]+ | e\.\s?p\.? | <[^<>]*>)
  | (?P<word>[^][\s(){};$!?.…<%"]+ (?:\([QRBNqrbn]\))?)
  | (?P<wrong>\S)
    )""",
    re.VERBOSE,
)
_CUT = re.compile(r"\d+[x:-]$")  # a move whose end is in the next line


class _SheetReader:
    """One game as it is being read: the lines that are open, and the comment that is not closed."""

    def __init__(self, name: str, number: int, results: dict[str, str]) -> None:
        self.name = name
        self.results = results
        self.sheet = Sheet(tags={}, number=number)
        self.open = [self.sheet.line]
        self.opened: list[int] = []  # the lines of the file where variations began
        self.comment: list[str] | None = None
        self.began = 0  # the line of the file where the comment did
        self.moves = False  # past the tags
        self.last = ""  # the result behind the moves
        self.half = ""

    def wrong(self, at: int, problem: str) -> None:
        if not self.sheet.problem:
            self.sheet.problem = f"{self.name}, line {at}, game {self.sheet.number}: {problem}"

    def tags(self, at: int, text: str) -> None:
        end = 0
        while found := _TAG.match(text, end):
            self.sheet.tags[found[1]] = " ".join(re.sub(r"\\(.)", r"\1", found[2]).split())
            end = found.end()
        if text[end:].strip():
            self.wrong(at, f'a tag is written [Name "value"], not {text[end:].strip()[:60]}')

    def ends_before(self, text: str) -> bool:
        """True if another game begins with this line."""
        if self.comment is not None:
            return bool(_NEXT.match(text))
        return self.moves and bool(_BEGIN.match(text))

    def read(self, at: int, text: str, place: int) -> int:
        """Read a line of moves from a place in it; where another game begins in it, or its end."""
        while place < len(text):
            if self.comment is not None:
                place = self._comment(text, place)
                continue
            found = _TOKEN.match(text, place)
            if found is None:
                break
            kind = found.lastgroup
            if self.last and kind in ("word", "passed") and found["word"] not in self.results:
                return place
            place = found.end()
            if kind == "word":
                self._word(at, found["word"])
            elif kind == "comment":
                self.comment, self.began = [], at
                if found["comment"] == ";":
                    self.comment.append(text[place:])
                    place = len(text)
                    self._close_comment()
            elif kind == "mark":
                self._note(at, int(found["mark"][:9]))
            elif kind in ("sign", "sure"):
                self._note(at, MARKS[found[kind]])
            elif kind == "open":
                self._open(at)
            elif kind == "close":
                self._close(at)
            elif kind == "wrong":
                self.wrong(at, f"'{found['wrong']}' has no meaning here")
        return len(text)

    def _comment(self, text: str, place: int) -> int:
        assert self.comment is not None
        end = text.find("}", place)
        self.comment.append(text[place : end if end >= 0 else len(text)])
        if end < 0:
            return len(text)
        self._close_comment()
        return end + 1

    def _close_comment(self) -> None:
        words = " ".join(" ".join(self.comment or ()).split())
        self.comment = None
        if words:
            line = self.open[-1]
            (line.steps[-1].notes if line.steps else line.notes).append(words)

    def _word(self, at: int, word: str) -> None:
        if self.half and word not in self.results:
            word, self.half = self.half + word, ""
        bare = word.rstrip("*")
        if _CUT.match(bare):
            self.half = bare
            return
        if (ends := word if word in self.results else bare) in self.results:
            if len(self.open) == 1:
                self.last = self.results[ends]
        elif bare and not bare.isdecimal():
            notes: list[Note] = [ONLY] if bare != word else []
            self.open[-1].steps.append(Step(bare, notes, at))

    def _note(self, at: int, note: Note) -> None:
        steps = self.open[-1].steps
        if steps:
            steps[-1].notes.append(note)
        else:
            self.wrong(at, "a mark before any move")

    def _open(self, at: int) -> None:
        if len(self.open) > DEEPEST:
            self.wrong(at, f"more than {DEEPEST} variations of variations")
        elif not self.open[-1].steps:
            self.wrong(at, "a variation before any move")
        if not self.sheet.problem:
            self.open.append(Line())
            self.opened.append(at)

    def _close(self, at: int) -> None:
        if len(self.open) == 1:
            self.wrong(at, "')' closes no variation")
            return
        line = self.open.pop()
        self.opened.pop()
        if line.steps or line.notes:
            self.open[-1].steps[-1].notes.append(line)

    def done(self, at: int) -> Sheet:
        """The game, which ended in that line."""
        if self.comment is not None:
            self.wrong(self.began, "a comment is not closed: '}' is missing")
        if self.half:
            self.wrong(at, f"'{self.half}' is half a move")
        if self.opened:
            self.wrong(self.opened[-1], "a variation is not closed: ')' is missing")
        sheet = self.sheet
        tagged = self.results.get(sheet.tags.pop("Result", UNKNOWN).strip(), UNKNOWN)
        sheet.result = self.last or UNKNOWN
        if sheet.result == UNKNOWN:
            sheet.result = tagged
        elif tagged not in (UNKNOWN, sheet.result):
            self.wrong(at, f"the tag says Result {tagged}, and behind the moves stands {sheet.result}")
        sheet.tags = ROSTER | sheet.tags
        return sheet


def read(lines: Iterable[str], name: str, results: dict[str, str] = RESULTS) -> Iterator[Sheet]:
    """The games in a text as they are asked for, also those with a `problem`, told with `name` and the line.

    `results` are the words that end a game, and which of the usual four each of them means.
    """
    game = _SheetReader(name, 1, results)
    begun, at = False, 0
    for at, text in enumerate(lines, 1):
        if text.startswith("%") and game.comment is None:
            continue
        if game.ends_before(text):
            yield game.done(at - 1)
            game = _SheetReader(name, game.sheet.number + 1, results)
        if game.comment is None and not text.strip():
            continue
        begun = True
        if not game.moves and text.lstrip().startswith("["):
            game.tags(at, text)
            continue
        place = 0
        while place < len(text):
            game.moves = True
            place = game.read(at, text, place)
            if place < len(text):
                yield game.done(at)
                game = _SheetReader(name, game.sheet.number + 1, results)
    if begun:
        yield game.done(at)


# -- writing ------------------------------------------------------------------------------------


def write(sheet: Sheet, begins: Callable[[str], tuple[int, int]]) -> str:
    """The text of a game, ending in a blank line.

    `begins` tells of a position in words the number of the next move and whether the second player makes it.
    """
    number, second = begins(sheet.tags.get("FEN", ""))
    others = sorted(name for name in sheet.tags if name not in ROSTER and name != "Result")
    lines = [_tag(name, sheet.tags.get(name, default)) for name, default in ROSTER.items()]
    lines.append(_tag("Result", sheet.result))
    lines += [_tag(name, sheet.tags[name]) for name in others]
    tokens = [*_tokens(sheet.line, 2 * number + second), sheet.result]
    return "\n".join([*lines, "", *_wrapped(tokens), "", ""])


def _tag(name: str, value: str) -> str:
    plain = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{plain}"]'


def _tokens(line: Line, ply: int) -> list[str]:
    """What stands between two blanks; what ends with a line's end is the last in its line."""
    tokens = _noted(line.notes, ply)
    numbered = True  # the number of the move must be written
    for step in line.steps:
        if ply % 2 == 0:
            tokens.append(f"{ply // 2}.")
        elif numbered:
            tokens.append(f"{ply // 2}...")
        tokens.append(step.word)
        tokens += _noted(step.notes, ply)
        numbered = any(not isinstance(note, int) for note in step.notes)
        ply += 1
    return tokens


def _noted(notes: list[Note], ply: int) -> list[str]:
    tokens: list[str] = []
    for note in notes:
        if isinstance(note, int):
            tokens.append(f"${note}")
        elif isinstance(note, Line):
            inside = _tokens(note, ply) or [""]
            inside[0] = "(" + inside[0]
            if inside[-1].endswith("\n"):
                inside.append(")")
            else:
                inside[-1] += ")"
            tokens += inside
        elif "}" in note:
            tokens.append(f"; {note}\n")
        else:
            tokens += _tokens_of("{" + note + "}")
    return tokens


def _tokens_of(comment: str) -> list[str]:
    """Where a comment in braces may be broken: no line may begin like an escape or a tag."""
    found: list[str] = []
    for word in comment.split(" "):  # the first one begins with its brace
        if word[:1] in ("%", "["):
            found[-1] += f" {word}"
        else:
            found.append(word)
    return found


def _wrapped(tokens: list[str]) -> Iterator[str]:
    line = ""
    for token in tokens:
        if line and len(line) + 1 + len(token.rstrip("\n")) > WIDTH:
            yield line
            line = ""
        line += f" {token}" if line else token
        if token.endswith("\n"):
            yield line[:-1]
            line = ""
    if line:
        yield line
