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
asked in `conversion`. Read are all the liberties of real files: any style of move numbers, marks
as `!?`, `$5` or `±`, comments in braces (which do not nest, but are read as nested where they balance only
so) or from `;` to the end of the line, before tags and between them,
lines that begin with `%`, tags of several lines or with quotes in them, moves behind a tag, results written
twice, not at all, or otherwise than in the tags (with a warning), moves cut in two by the end of a line.
Written is the export format: seven tags first, lines under 80 characters, marks as numbers; so what is read
and written is read again as the same tree, and what was written is written again byte for byte.
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
ONLY = 8  # the mark of a move without an alternative: checkers books write 27-20*
WIDTH = 79  # characters of a line
DEEPEST = 50  # variations of variations
LONGEST_WORD = 200  # characters of a move
LONGEST_TAG = 50  # lines of a tag
LONGEST_NESTED = 10_000  # characters in which the braces of nested comments are closed
MOST_NESTED = 100  # ... and braces
_ROSTER_NAMES = {name.lower(): name for name in (*ROSTER, "Result", "FEN", "SetUp", "Variant", "GameType")}

Note = Union[str, int, "Line"]


@dataclass
class Step:
    """A move in words, and what is said of it: comments, marks, and lines in its place."""

    word: str
    notes: list[Note] = field(default_factory=list)
    at: int = field(default=0, compare=False)  # the line of the file
    mover: int = field(default=0, compare=False)  # who moves, -1: chance
    # If it ends the game: the winner, the points won, and the totals of both if they are given.
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
    """A game as it is written down. `problem` says what is wrong with it, and where; "": nothing.

    `warnings` are what was read although it is not as it should be, a sentence each, with the line.
    """

    tags: dict[str, str] = field(default_factory=lambda: dict(ROSTER))
    line: Line = field(default_factory=Line)
    result: str = UNKNOWN
    number: int = field(default=1, compare=False)  # in the file, from 1
    at: int = field(default=0, compare=False)  # the line of the file where it begins, 0: not known
    problem: str = field(default="", compare=False)
    warnings: list[str] = field(default_factory=list, compare=False)

    @property
    def words(self) -> list[str]:
        """The moves of the game itself."""
        return [step.word for step in self.line.steps]

    def wrong(self, name: str, at: int, problem: str) -> None:
        """Note what is wrong at a line of the file called `name`, unless something was wrong before."""
        self.problem = self.problem or f"{name}, line {at}, game {self.number}: {problem}"


# -- reading ------------------------------------------------------------------------------------

_TAG = re.compile(r'\[\s*([A-Za-z0-9][^\s"\[\]]*)\s*"([^"\\]*+(?:\\.[^"\\]*+)*+)"\s*\]')
_LOOSE_TAG = re.compile(r'\[\s*([A-Za-z0-9][^\s"\[\]]*)\s*"(.*?)"\s*\]')  # quotes and backslashes as they are
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
_CUT = re.compile(r"\d+[x:-]$")  # a move whose end is in the next line
_REMARK = re.compile(r"(\d+(?:[x:-]\d+)+)([A-Za-z]{4,}.*)")  # a move of draughts and words without a blank
_JOINTS = ("-", "x", ":")  # between the squares of a move, where blanks stand around it
_SILENT = ("ep", "mate", "ch", "dbl", "dis", "+", "++", "#")  # words behind a move that add nothing
_DASHES = str.maketrans("‐‑‒–—−\u200b\u2060\ufeff", "------   ")
_SYMBOLS = {  # the signs of chess books, and the marks that mean the same
    **{"□": 7, "=": 10, "∞": 13, "⩲": 14, "+=": 14, "+/=": 14, "⩱": 15, "=+": 15, "=/+": 15},
    **{"±": 16, "+/-": 16, "∓": 17, "-/+": 17, "+-": 18, "-+": 19, "⨀": 22, "⊙": 22, "○": 26, "⟳": 32},
    **{"↑": 36, "→": 40, "=/∞": 44, "⯹": 44, "⇆": 132, "⊕": 138, "∆": 140, "△": 140, "⌓": 142},
    **{"N": 146, "TN": 146, "D": 220},
}
_SYMBOL = re.compile(
    r"(?<=[\w+#)])(?:\+/[=-]|[=-]/\+|=/∞|\+=|=\+|\+-|-\+|=|[□∞⩲⩱±∓⨀⊙○⟳↑→⯹⇆⊕∆△⌓])$"
)  # ... where no blank stands before them


class _SheetReader:
    """One game as it is being read: the lines that are open, and the comment or tag that is not closed."""

    def __init__(self, name: str, number: int, results: dict[str, str], source: "_Ahead") -> None:
        self.name = name
        self.source = source
        self.results = results
        self.sheet = Sheet(tags={}, number=number)
        self.open = [self.sheet.line]
        self.opened: list[int] = []  # the lines of the file where variations began
        self.waiting: list[list[Note]] = [[]]  # of each open line what stands before its first move
        self.deeper = 0  # variations that are open and too deep to be kept
        self.comment: list[str] | None = None
        self.nested = -1  # braces that are open within the comment, -1: not counted yet
        self.nests = True  # braces within comments may be pairs
        self.began = 0  # the line of the file where the comment did, or the tag
        self.tag: list[str] | None = None
        self.gap = False  # something stood between the last tag and here
        self.blank = False  # the line before was blank
        self.moves = False  # past the tags
        self.last = ""  # the result behind the moves
        self.half = ""
        self.digits = ""  # a bare number, if it was the last word

    @property
    def empty(self) -> bool:
        """True if nothing has been read that makes a game."""
        return not (self.sheet.tags or self.moves or self.sheet.problem or self.comment is not None)

    def wrong(self, at: int, problem: str) -> None:
        self.sheet.wrong(self.name, at, problem)

    def warn(self, at: int, warning: str) -> None:
        self.sheet.warnings.append(f"line {at}: {warning}")

    def read(self, at: int, text: str, place: int) -> int:
        """Read a line from a place in it; where another game begins in it, or its end."""
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
                return token.start(kind)  # moves without tags: the number 1 behind a blank line
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
        """Read the tag that begins at a place of a line; where it ends, -1 if it begins another game."""
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
        """Go on with a tag of several lines; where in this line it ends."""
        assert self.tag is not None
        if not text.strip() or _BEGIN.match(text) or len(self.tag) == LONGEST_TAG:
            self.moves = len(self.tag) > 1  # what was taken for the rest of the tag may be moves
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
                self.warn(self.began, "a comment within a comment is read as a part of it")
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
        """True if a word is a result, with stars behind it or not, or stars alone."""
        return bool(word) and (word.rstrip("*") or UNKNOWN) in self.results

    def _note(self, at: int, note: Note) -> None:
        if not self.deeper:
            steps = self.open[-1].steps
            (steps[-1].notes if steps else self.waiting[-1]).append(note)

    def _open(self, at: int) -> None:
        if self.deeper or len(self.open) > DEEPEST:
            if not self.deeper:
                self.warn(at, f"variations more than {DEEPEST} deep are left out")
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
        """The game, which ended in that line."""
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
            self.warn(at, "a variation in the place of no move is left out")
        sheet.tags = {_ROSTER_NAMES.get(name.lower(), name): value for name, value in sheet.tags.items()}
        words = re.sub(r"\s", "", sheet.tags.pop("Result", UNKNOWN).translate(_DASHES))
        tagged = self.results.get(words) or self.results.get(words.replace(":", "-"), UNKNOWN)
        steps = sheet.line.steps
        if words == "0-0" and not self.last and steps and steps[-1].word == "0-0":
            steps.pop()  # both have lost, which is no castling
        sheet.result = self.last or UNKNOWN
        if sheet.result == UNKNOWN:
            sheet.result = tagged
        elif tagged not in (UNKNOWN, sheet.result):
            self.warn(at, f"the moves end with {sheet.result}, which counts; the tag says Result {tagged}")
        sheet.tags = ROSTER | sheet.tags
        return sheet


def _tag_name(name: str) -> str:
    """The name of a tag in letters, digits and underscores, which are all that the format knows."""
    return re.sub("[^A-Za-z0-9_]", "_", name)


def _short(text: str, most: int = 40) -> str:
    """The beginning of a text, as an error shows it."""
    return text if len(text) <= most else f"{text[:most]}..."


class _Ahead:
    """The numbered lines of a text, which can be looked at before they are read."""

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
        """The lines that are not read yet."""
        yield from self.kept
        for text in self.lines:
            self.kept.append(text)
            yield text

    def closes(self) -> bool:
        """True if the next brace closes a comment: the one that is open goes on until there."""
        braces = (brace[0] for text in self.coming() if (brace := re.search("[{}]", text)))
        return next(braces, "") == "}"

    def balances(self, rest: str, count: int) -> bool:
        """True if so many braces, open before the rest of a line, are closed before the next game begins.

        What stands behind a semicolon is not counted: outside of braces it is a comment.
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
    """The games in a text as they are asked for, also those with a `problem` and where in `name` it is.

    `results` are the words that end a game, and which of the usual four each of them means.
    """
    source, at = _Ahead(lines), 0
    game = _SheetReader(name, 1, results, source)
    certain = None  # the comment that is known to be closed further on
    for at, text in source:
        if not text.isascii():
            text = text.replace("\ufeff", "")  # files with byte order marks that were joined
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
    """Where a comment in braces may be broken: no line may begin like an escape or a tag, and a command that
    fits into a line, `[%cal Gg1f3]`, is not broken."""
    tokens: list[str] = []
    whole = False  # a command is open
    for word in comment.split(" "):  # the first one begins with its brace
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
