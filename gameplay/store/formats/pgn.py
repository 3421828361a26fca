"""The text format of chess and checkers games (PGN, PDN): parsed into trees, and written.

    [Event "Opera House"]                     tags
    [Result "1-0"]

    1. e4 e5 2. Nf3 d6 {Philidor} 3. d4 $1 Bg4 (3... Nf6 4. Nc3) 4. dxe5 1-0

    Sheet  tags, result
      Line   1. e4 --- e5 --- Nf3 --- d6 --- d4 --- Bg4 --- dxe5
                                      |       |      |
      notes                      "Philidor"   1     Line   Nf6 --- Nc3

A move is a `Step` with its notes in order: comments (text), marks (numbers; `!` is 1) and variations (lines
that replace this move). The parser is independent of the rules: `conversion` interprets the moves. It accepts
the deviations of files in use: any style of move numbers; marks as `!?`, `$5` or `±`; comments in braces (not
nested, unless they balance only that way) or after `;`, also before and between tags; lines that begin with
`%`; tags over several lines or with quotes in them; moves on the line of a tag; results repeated, missing or
contradicting the tags (with a warning); moves split by a line break.
Output is the export format: seven tags first, lines under 80 characters, marks as numbers. A tree survives
writing and reading unchanged, and a written file is reproduced byte for byte.
Source: S. Edwards, Portable Game Notation Specification and Implementation Guide (1994); A. Millett, Portable
Draughts Notation (1995).
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Union

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
DRAWN, UNKNOWN = "1/2-1/2", "*"
RESULTS = {
    **{"1-0": "1-0", "0-1": "0-1", DRAWN: DRAWN, UNKNOWN: UNKNOWN},
    **{"1/2": DRAWN, "½-½": DRAWN, "½": DRAWN},
}
MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
ONLY = 8  # the mark of a forced move: 27-20* in checkers books
WIDTH = 79  # characters of a line
DEEPEST = 50  # nesting depth of variations
LONGEST_WORD = 200  # characters of a move
LONGEST_TAG = 50  # lines of a tag
LONGEST_NESTED = 10_000  # characters within which nested comments must close
MOST_NESTED = 100  # ... and braces
_ROSTER_NAMES = {name.lower(): name for name in (*ROSTER, "Result", "FEN", "SetUp", "Variant", "GameType")}

Note = Union[str, int, "Line"]


@dataclass
class Step:
    """A move as text, with its notes: comments, marks and variations."""

    word: str
    notes: list[Note] = field(default_factory=list)
    at: int = field(default=0, compare=False)  # the line of the file
    mover: int = field(default=0, compare=False)  # the player, -1: chance
    # If it ends the game: the winner, the points won, and both totals if recorded.
    won: tuple[int, int, tuple[int, ...]] | None = field(default=None, compare=False)
    more: dict[str, list[str]] = field(default_factory=dict)  # further data of the file, by name

    @property
    def comments(self) -> list[str]:
        """The comments among the notes."""
        return [note for note in self.notes if isinstance(note, str)]


@dataclass
class Line:
    """A sequence of moves. `notes` and `more` (further data) precede the first."""

    notes: list[Note] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    more: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class Sheet:
    """A game as written in a file. `problem`: an error and its location, or "".
    `warnings`: one sentence each, with the line, for deviations that were accepted.
    """

    tags: dict[str, str] = field(default_factory=lambda: dict(ROSTER))
    line: Line = field(default_factory=Line)
    result: str = UNKNOWN
    number: int = field(default=1, compare=False)  # in the file, from 1
    at: int = field(default=0, compare=False)  # first line in the file, 0: unknown
    problem: str = field(default="", compare=False)
    warnings: list[str] = field(default_factory=list, compare=False)

    @property
    def words(self) -> list[str]:
        """The moves of the main line."""
        return [step.word for step in self.line.steps]

    def wrong(self, name: str, at: int, problem: str) -> None:
        """Set the problem, with a line of the file `name`, unless there is one."""
        self.problem = self.problem or f"{name}, line {at}, game {self.number}: {problem}"


# -- reading ------------------------------------------------------------------------------------

_TAG = re.compile(r'\[\s*([A-Za-z0-9][^\s"\[\]]*)\s*"([^"\\]*+(?:\\.[^"\\]*+)*+)"\s*\]')
_LOOSE_TAG = re.compile(r'\[\s*([A-Za-z0-9][^\s"\[\]]*)\s*"(.*?)"\s*\]')  # unescaped quotes and backslashes
_TORN_TAG = re.compile(r'\[\s*([A-Za-z0-9][^\s"\[\]]*)\s+"?([^"\[\]]*)"?\s*\]')  # a quotation mark is missing
_BEGIN = re.compile(r'\s*\[\s*[A-Za-z0-9][\w-]*\s*"')
_NAME = re.compile(r"\[\s*[A-Za-z0-9]")
_NEXT = re.compile(r'\s*\[Event\s+".*"\s*\]\s*$')
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<comment>[{;])
  | \$(?P<mark>\d*)
  | \((?P<sure>[!?]{1,2}|[DN=])\) | (?P<sign>[!?]+)
  | (?P<open>\() | (?P<close>\))
  | (?P<tag>\[)
  | (?P<result>(?:1\s*[-:–—−]\s*0|0\s*[-:–—−]\s*1|(?:1/2|½)\s*[-:–—−]\s*(?:1/2|½))\**+(?![\w/:–-]))
  | (?P<passed>\d+\s*[.…]+ | [.…]+ | e\.\s?p\.? | <[^<>]*>)
  | (?P<word>[^][\s(){};$!?.…<%"]+ (?:\([QRBNqrbn]\))?) (?P<passing>(?<=[36]e)\.\s?p\.?)?
  | (?P<wrong>\S)
    )""",
    re.VERBOSE,
)
_FIRST = re.compile(r"\s*1\s*\.")
_CUT = re.compile(r"\d+[x:-]$")  # a move split by a line break
_REMARK = re.compile(r"(\d+(?:[x:-]\d+)+)([A-Za-z]{4,}.*)")  # a draughts move joined to text
_JOINTS = ("-", "x", ":")  # between the squares of a move with spaces around it
_SILENT = ("ep", "mate", "ch", "dbl", "dis", "+", "++", "#")  # redundant suffixes of a move
_DASHES = str.maketrans("‐‑‒–—−\u200b\u2060\ufeff", "------   ")
_SYMBOLS = {  # the symbols of chess books, and their marks
    **{"□": 7, "=": 10, "∞": 13, "⩲": 14, "+=": 14, "+/=": 14, "⩱": 15, "=+": 15, "=/+": 15},
    **{"±": 16, "+/-": 16, "∓": 17, "-/+": 17, "+-": 18, "-+": 19, "⨀": 22, "⊙": 22, "○": 26, "⟳": 32},
    **{"↑": 36, "→": 40, "=/∞": 44, "⯹": 44, "⇆": 132, "⊕": 138, "∆": 140, "△": 140, "⌓": 142},
    **{"N": 146, "TN": 146, "D": 220},
}
_SYMBOL = re.compile(
    r"(?<=[\w+#)])(?:\+/[=-]|[=-]/\+|=/∞|\+=|=\+|\+-|-\+|=|[□∞⩲⩱±∓⨀⊙○⟳↑→⯹⇆⊕∆△⌓])$"
)  # ... without a space before them


class _SheetReader:
    """Reads one game: keeps the open variations and an unclosed comment or tag."""

    def __init__(self, name: str, number: int, results: dict[str, str], source: "_Ahead") -> None:
        self.name = name
        self.source = source
        self.results = results
        self.sheet = Sheet(tags={}, number=number)
        self.open = [self.sheet.line]
        self.opened: list[int] = []  # line numbers of open variations
        self.waiting: list[list[Note]] = [[]]  # notes before the first move, per open line
        self.deeper = 0  # open variations that are too deep to be kept
        self.comment: list[str] | None = None
        self.nested = -1  # open braces in the comment, -1: not counted yet
        self.nests = True  # braces in comments may be nested
        self.began = 0  # first line of the comment or tag
        self.tag: list[str] | None = None
        self.gap = False  # text followed the last tag
        self.blank = False  # the previous line was blank
        self.moves = False  # past the tags
        self.last = ""  # the result after the moves
        self.half = ""
        self.digits = ""  # a bare number, if it was the last word

    @property
    def empty(self) -> bool:
        """True if no part of a game has been read."""
        return not (self.sheet.tags or self.moves or self.sheet.problem or self.comment is not None)

    def wrong(self, at: int, problem: str) -> None:
        self.sheet.wrong(self.name, at, problem)

    def warn(self, at: int, warning: str) -> None:
        self.sheet.warnings.append(f"line {at}: {warning}")

    def read(self, at: int, text: str, place: int) -> int:
        """Read a line from a column on; returns the column where another game begins, or its length."""
        if self.tag is not None:
            place = self._tag_goes_on(at, text)
        elif not text.strip():
            self.gap = self.blank = True
        while place < len(text):
            if self.comment is not None:
                place = self._comment(text, place)
                continue
            token = _TOKEN.match(text, place)
            if token is None:
                break
            self.sheet.at = self.sheet.at or at
            kind = token.lastgroup or ""
            if kind == "tag":
                end = self._tag(at, text, token.start("tag"))
                if end < 0:
                    return token.start("tag")
                place = end
                continue
            if self.last and kind in ("word", "passing", "passed") and not self._ends(token["word"] or ""):
                return place
            if (
                self.blank
                and _FIRST.match(text, place)
                and len(self.open) == 1
                and len(self.open[0].steps) > 1
            ):
                return token.start(kind)  # moves without tags: number 1 after a blank line
            self.blank = False
            place = token.end()
            self.gap = True
            if kind == "comment":
                self.comment, self.began = [], at
                if token["comment"] == ";":
                    self.comment.append(text[place:])
                    place = len(text)
                    self._close_comment()
                continue
            self.moves = True
            digits, self.digits = self.digits, ""
            if kind == "word":
                self._word(at, token["word"], digits)
            elif kind == "passing":
                self._word(at, token["word"].removesuffix("e"), digits)
            elif kind == "result":
                self._word(at, re.sub(r"\s", "", token["result"]).replace(":", "-"), digits)  # `1 – 0`
            elif kind == "mark":
                self._note(at, int(token["mark"][:9] or 0))
            elif kind in ("sign", "sure"):
                sign = token[kind]
                self._note(at, _SYMBOLS.get(sign) or MARKS[sign if sign in MARKS else sign[:2]])
            elif kind == "open":
                self._open(at)
            elif kind == "close":
                self._close(at)
            elif kind == "wrong":
                self.wrong(at, f"'{token['wrong']}' has no meaning here")
        return len(text)

    # -- tags --

    def _tag(self, at: int, text: str, place: int) -> int:
        """Read the tag at a column; returns the column of its end, -1 if it begins another game."""
        tag = _TAG.match(text, place) or _LOOSE_TAG.match(text, place) or _TORN_TAG.match(text, place)
        begins = tag is not None or (_NAME if not text[:place].strip() else _BEGIN).match(text, place)
        name = _tag_name(tag[1]) if tag is not None else ""
        if begins and (self.moves or (self.gap and name in self.sheet.tags)):
            return -1
        if tag is None and not self.moves and _NAME.match(text, place):
            self.tag, self.began = [text[place:]], at
            return len(text)
        if tag is None:
            self.wrong(at, f'a tag is written [Name "value"], not {_short(text[place:].strip(), 60)}')
            return len(text)
        if tag.re is _TORN_TAG:
            self.warn(at, f"a quotation mark is missing in {_short(tag[0], 60)}")
        value = re.sub(r'\\(["\\])', r"\1", tag[2]) if tag.re is _TAG else tag[2]
        self.sheet.tags[name] = " ".join(value.split())
        self.gap = False
        return tag.end()

    def _tag_goes_on(self, at: int, text: str) -> int:
        """Continue a tag over several lines; returns the column of its end."""
        assert self.tag is not None
        if not text.strip() or _BEGIN.match(text) or len(self.tag) == LONGEST_TAG:
            self.moves = len(self.tag) > 1  # the supposed rest of the tag may be moves
            self._torn(" ".join(self.tag))
            return 0
        self.tag.append(text)
        if "]" not in text:
            return len(text)
        before = " ".join(self.tag[:-1])
        whole = f"{before} {text}"
        tag = _TAG.match(whole) or _LOOSE_TAG.match(whole)
        if tag is None or tag.end() <= len(before):
            return len(text)
        self.tag = None
        end = self._tag(at, whole, 0)
        return end - len(before) - 1 if end >= 0 else 0

    def _torn(self, text: str) -> None:
        self.tag = None
        self.wrong(self.began, f'a tag is written [Name "value"], not {_short(text.strip(), 60)}')

    # -- comments --

    def _comment(self, text: str, place: int) -> int:
        assert self.comment is not None
        end = text.find("}", place)
        piece = text[place : end if end >= 0 else len(text)]
        self.comment.append(piece)
        if self.nested >= 0:
            self.nested += piece.count("{")
        if end < 0:
            return len(text)
        if self.nested < 0:
            inside = sum(part.count("{") for part in self.comment)
            self.nests = self.nests and (not inside or self.source.balances(text[end + 1 :], inside))
            self.nested = inside if self.nests else 0
            if self.nested:
                self.warn(self.began, "a nested comment is read as part of the outer one")
        if self.nested:
            self.nested -= 1
            self.comment[-1] += "}"
        else:
            self._close_comment()
        return end + 1

    def _close_comment(self) -> None:
        words = " ".join(" ".join(self.comment or ()).split())
        self.comment, self.nested = None, -1
        if words and not self.deeper:
            line = self.open[-1]
            (line.steps[-1].notes if line.steps else line.notes).append(words)

    # -- moves --

    def _word(self, at: int, word: str, digits: str) -> None:
        if not word.isascii():
            word = word.translate(_DASHES).strip()
        if self.half and word not in self.results:
            word, self.half = self.half + word, ""
        bare = word.rstrip("*")
        if bare in _JOINTS and not self.deeper and (digits or self.open[-1].steps):
            self.half = (digits or self.open[-1].steps.pop().word) + bare
            return
        if _CUT.match(bare):
            self.half = bare
            return
        if (ends := word if word in self.results else bare) in self.results:
            if len(self.open) == 1 and not (self.last and self.results[ends] == UNKNOWN):
                self.last = self.results[ends]
        elif bare in _SYMBOLS:
            self._note(at, _SYMBOLS[bare])
        elif bare.isdecimal():
            self.digits = bare
        elif len(bare) > LONGEST_WORD:
            self.wrong(at, f"'{_short(bare)}' is too long for a move")
        elif bare and bare not in _SILENT and not self.deeper:
            stars = word[len(bare) :]
            symbol = _SYMBOL.search(bare) if not bare[0].isdecimal() else None
            if remark := _REMARK.fullmatch(bare):
                self._word(at, remark[1] + stars, "")
                self._note(at, remark[2])
            elif symbol is not None:
                self._word(at, bare[: symbol.start()] + stars, "")
                self._note(at, _SYMBOLS[symbol[0]])
            else:
                notes, self.waiting[-1] = self.waiting[-1], []
                self.open[-1].steps.append(Step(bare, notes + ([ONLY] if stars else []), at))

    def _ends(self, word: str) -> bool:
        """True if a word is a result, possibly followed by stars, or only stars."""
        return bool(word) and (word.rstrip("*") or UNKNOWN) in self.results

    def _note(self, at: int, note: Note) -> None:
        if not self.deeper:
            steps = self.open[-1].steps
            (steps[-1].notes if steps else self.waiting[-1]).append(note)

    def _open(self, at: int) -> None:
        if self.deeper or len(self.open) > DEEPEST:
            if not self.deeper:
                self.warn(at, f"variations nested more than {DEEPEST} deep are omitted")
            self.deeper += 1
            return
        self.open.append(Line())
        self.waiting.append([])
        self.opened.append(at)

    def _close(self, at: int) -> None:
        if self.deeper:
            self.deeper -= 1
            return
        if len(self.open) == 1:
            self.wrong(at, "')' closes no variation")
            return
        line = self.open.pop()
        self.waiting.pop()
        self.opened.pop()
        if line.steps or line.notes:
            self._note(at, line)

    # -- the end --

    def done(self, at: int) -> Sheet:
        """The game, which ended on that line."""
        if self.comment is not None:
            self.wrong(self.began, "a comment is not closed: '}' is missing")
        if self.tag is not None:
            self._torn(" ".join(self.tag))
        if self.half:
            self.wrong(at, f"'{_short(self.half)}' is half a move")
        if self.opened:
            self.wrong(self.opened[-1], "a variation is not closed: ')' is missing")
        sheet = self.sheet
        if any(isinstance(note, Line) for note in self.waiting[0]):
            self.warn(at, "a variation before the first move is omitted")
        sheet.tags = {_ROSTER_NAMES.get(name.lower(), name): value for name, value in sheet.tags.items()}
        words = re.sub(r"\s", "", sheet.tags.pop("Result", UNKNOWN).translate(_DASHES))
        tagged = self.results.get(words) or self.results.get(words.replace(":", "-"), UNKNOWN)
        steps = sheet.line.steps
        if words == "0-0" and not self.last and steps and steps[-1].word == "0-0":
            steps.pop()  # both lost: not castling
        sheet.result = self.last or UNKNOWN
        if sheet.result == UNKNOWN:
            sheet.result = tagged
        elif tagged not in (UNKNOWN, sheet.result):
            self.warn(at, f"the moves end with {sheet.result}, which counts, but the tag Result is {tagged}")
        sheet.tags = ROSTER | sheet.tags
        return sheet


def _tag_name(name: str) -> str:
    """A tag name reduced to letters, digits and underscores, as the format requires."""
    return re.sub("[^A-Za-z0-9_]", "_", name)


def _short(text: str, most: int = 40) -> str:
    """The beginning of a text, for errors."""
    return text if len(text) <= most else f"{text[:most]}..."


class _Ahead:
    """The numbered lines of a text, with look-ahead."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = iter(lines)
        self.kept: deque[str] = deque()
        self.at = 0

    def __iter__(self) -> Iterator[tuple[int, str]]:
        while True:
            text = self.kept.popleft() if self.kept else next(self.lines, None)
            if text is None:
                return
            self.at += 1
            yield self.at, text

    def coming(self) -> Iterator[str]:
        """The lines not yet read."""
        yield from self.kept
        for text in self.lines:
            self.kept.append(text)
            yield text

    def closes(self) -> bool:
        """True if the next brace closes a comment, so that the open comment extends to it."""
        braces = (brace[0] for text in self.coming() if (brace := re.search("[{}]", text)))
        return next(braces, "") == "}"

    def balances(self, rest: str, count: int) -> bool:
        """True if `count` open braces are closed by the rest of the line or later lines of this game.
        Text after a semicolon outside braces is a comment and is not counted.
        """
        reach, braces = LONGEST_NESTED, MOST_NESTED
        for text in chain([rest[:reach]], self.coming()):
            reach -= len(text) + 1
            if _NEXT.match(text) or reach < 0:
                return False
            for brace in re.finditer("[{}]", text.partition(";")[0]):
                count += 1 if brace[0] == "{" else -1
                braces -= 1
                if not count or not braces:
                    return not count
        return False


def read(lines: Iterable[str], name: str, results: dict[str, str] = RESULTS) -> Iterator[Sheet]:
    """Yield the games of a text; invalid ones have a `problem`, located in `name`.
    results: the words that end a game, mapped to the standard four.
    """
    source, at = _Ahead(lines), 0
    game = _SheetReader(name, 1, results, source)
    certain = None  # the comment known to be closed later
    for at, text in source:
        if not text.isascii():
            text = text.replace("\ufeff", "")  # concatenated files with byte order marks
        if text.startswith("%") and game.comment is None:
            continue
        if game.comment is not None and game.comment is not certain and _NEXT.match(text):
            if source.closes() or "}" in text:
                certain = game.comment
            else:
                yield game.done(at - 1)
                game = _SheetReader(name, game.sheet.number + 1, results, source)
        place = game.read(at, text, 0)
        while place < len(text):
            yield game.done(at if place else at - 1)
            game = _SheetReader(name, game.sheet.number + 1, results, source)
            place = game.read(at, text, place)
    if not game.empty:
        yield game.done(at)


# -- writing ------------------------------------------------------------------------------------


def write(sheet: Sheet, begins: Callable[[str], tuple[int, int]]) -> str:
    """The text of a game, ending in a blank line.

    `begins` maps a position's notation to the number of the next move and whether the second player makes it.
    """
    number, second = begins(sheet.tags.get("FEN", ""))
    tags = {_tag_name(name): value for name, value in sheet.tags.items()}
    others = sorted(name for name in tags if name not in ROSTER and name != "Result")
    lines = [_tag(name, tags.get(name, default)) for name, default in ROSTER.items()]
    lines.append(_tag("Result", sheet.result))
    lines += [_tag(name, tags[name]) for name in others]
    tokens = [*_tokens(sheet.line, 2 * number + second), sheet.result]
    return "\n".join([*lines, "", *_wrapped(tokens), "", ""])


def _tag(name: str, value: str) -> str:
    plain = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{plain}"]'


def _tokens(line: Line, ply: int) -> list[str]:
    """The space-separated tokens; one that ends with a newline is the last of its line."""
    tokens = _noted(line.notes, ply)
    numbered = True  # the move number must be written
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
    """Split a comment in braces where lines may break: no line may begin like an escape or a tag, and a
    command that fits into a line, `[%cal Gg1f3]`, is not split.
    """
    tokens: list[str] = []
    whole = False  # inside a command
    for word in comment.split(" "):  # the first word begins with the brace
        if word[:1] in ("%", "[") or (whole and len(tokens[-1]) + len(word) < WIDTH):
            tokens[-1] += f" {word}"
        else:
            tokens.append(word)
        whole = tokens[-1].rfind("[%") > tokens[-1].rfind("]")
    return tokens


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
