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
ONLY_MOVE = 8  # the mark of a forced move: 27-20* in checkers books
WIDTH = 79  # characters of a line
MAX_NESTING = 50  # nesting depth of variations
MAX_WORD = 200  # characters of a move
MAX_TAG_LINES = 50  # lines of a tag
MAX_NESTED_TEXT = 10_000  # characters within which nested comments must close
MAX_NESTED_BRACES = 100  # ... and braces
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
_TAG_START = re.compile(r'\s*\[\s*[A-Za-z0-9][\w-]*\s*"')
_TAG_NAME_START = re.compile(r"\[\s*[A-Za-z0-9]")
_NEXT_GAME = re.compile(r'\s*\[Event\s+".*"\s*\]\s*$')
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<comment>[{;])
  | \$(?P<mark>\d*)
  | \((?P<certain_sign>[!?]{1,2}|[DN=])\) | (?P<sign>[!?]+)
  | (?P<open>\() | (?P<close>\))
  | (?P<tag>\[)
  | (?P<result>(?:1\s*[-:–—−]\s*0|0\s*[-:–—−]\s*1|(?:1/2|½)\s*[-:–—−]\s*(?:1/2|½))\**+(?![\w/:–-]))
  | (?P<skipped>\d+\s*[.…]+ | [.…]+ | e\.\s?p\.? | <[^<>]*>)
  | (?P<word>[^][\s(){};$!?.…<%"]+ (?:\([QRBNqrbn]\))?) (?P<en_passant>(?<=[36]e)\.\s?p\.?)?
  | (?P<wrong>\S)
    )""",
    re.VERBOSE,
)
_FIRST_MOVE = re.compile(r"\s*1\s*\.")
_SPLIT_MOVE = re.compile(r"\d+[x:-]$")  # a move split by a line break
_JOINED_REMARK = re.compile(r"(\d+(?:[x:-]\d+)+)([A-Za-z]{4,}.*)")  # a draughts move joined to text
_JOINTS = ("-", "x", ":")  # between the squares of a move with spaces around it
_REDUNDANT = ("ep", "mate", "ch", "dbl", "dis", "+", "++", "#")  # redundant suffixes of a move
_DASHES = str.maketrans("‐‑‒–—−\u200b\u2060\ufeff", "------   ")
_SYMBOLS = {  # the symbols of chess books, and their marks
    **{"□": 7, "=": 10, "∞": 13, "⩲": 14, "+=": 14, "+/=": 14, "⩱": 15, "=+": 15, "=/+": 15},
    **{"±": 16, "+/-": 16, "∓": 17, "-/+": 17, "+-": 18, "-+": 19, "⨀": 22, "⊙": 22, "○": 26, "⟳": 32},
    **{"↑": 36, "→": 40, "=/∞": 44, "⯹": 44, "⇆": 132, "⊕": 138, "∆": 140, "△": 140, "⌓": 142},
    **{"N": 146, "TN": 146, "D": 220},
}
# The same symbols after a move, without a space between.
_SYMBOL = re.compile(r"(?<=[\w+#)])(?:\+/[=-]|[=-]/\+|=/∞|\+=|=\+|\+-|-\+|=|[□∞⩲⩱±∓⨀⊙○⟳↑→⯹⇆⊕∆△⌓])$")


class _SheetReader:
    """Reads one game: keeps the open variations and an unclosed comment or tag."""

    def __init__(self, name: str, number: int, results: dict[str, str], source: "_LookAhead") -> None:
        self.name = name
        self.source = source
        self.results = results
        self.sheet = Sheet(tags={}, number=number)
        self.open_lines = [self.sheet.line]
        self.variation_starts: list[int] = []  # line numbers of open variations
        self.pending: list[list[Note]] = [[]]  # notes before the first move, per open line
        self.omitted_depth = 0  # open variations that are too deep to be kept
        self.comment: list[str] | None = None
        self.open_braces = -1  # open braces in the comment, -1: not counted yet
        self.allow_nested = True  # braces in comments may be nested
        self.first_line = 0  # first line of the comment or tag
        self.tag: list[str] | None = None
        self.text_since_tag = False  # text followed the last tag
        self.blank = False  # the previous line was blank
        self.in_moves = False  # past the tags
        self.result = ""  # the result after the moves
        self.partial = ""
        self.digits = ""  # a bare number, if it was the last word

    @property
    def empty(self) -> bool:
        """True if no part of a game has been read."""
        return not (self.sheet.tags or self.in_moves or self.sheet.problem or self.comment is not None)

    def wrong(self, at: int, problem: str) -> None:
        self.sheet.wrong(self.name, at, problem)

    def warn(self, at: int, warning: str) -> None:
        self.sheet.warnings.append(f"line {at}: {warning}")

    def read(self, at: int, text: str, place: int) -> int:
        """Read a line from a column on; returns the column where another game begins, or its length."""
        if self.tag is not None:
            place = self._continue_tag(at, text)
        elif not text.strip():
            self.text_since_tag = self.blank = True
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
            if (
                self.result
                and kind in ("word", "en_passant", "skipped")
                and not self._is_result(token["word"] or "")
            ):
                return place
            if (
                self.blank
                and _FIRST_MOVE.match(text, place)
                and len(self.open_lines) == 1
                and len(self.open_lines[0].steps) > 1
            ):
                return token.start(kind)  # moves without tags: number 1 after a blank line
            self.blank = False
            place = token.end()
            self.text_since_tag = True
            if kind == "comment":
                self.comment, self.first_line = [], at
                if token["comment"] == ";":
                    self.comment.append(text[place:])
                    place = len(text)
                    self._close_comment()
                continue
            self.in_moves = True
            digits, self.digits = self.digits, ""
            if kind == "word":
                self._word(at, token["word"], digits)
            elif kind == "en_passant":
                self._word(at, token["word"].removesuffix("e"), digits)
            elif kind == "result":
                self._word(at, re.sub(r"\s", "", token["result"]).replace(":", "-"), digits)  # `1 – 0`
            elif kind == "mark":
                self._note(at, int(token["mark"][:9] or 0))
            elif kind in ("sign", "certain_sign"):
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
        begins = tag is not None or (_TAG_NAME_START if not text[:place].strip() else _TAG_START).match(
            text, place
        )
        name = _tag_name(tag[1]) if tag is not None else ""
        if begins and (self.in_moves or (self.text_since_tag and name in self.sheet.tags)):
            return -1
        if tag is None and not self.in_moves and _TAG_NAME_START.match(text, place):
            self.tag, self.first_line = [text[place:]], at
            return len(text)
        if tag is None:
            self.wrong(at, f'a tag must be written [Name "value"], not {_shorten(text[place:].strip(), 60)}')
            return len(text)
        if tag.re is _TORN_TAG:
            self.warn(at, f"a quotation mark is missing in {_shorten(tag[0], 60)}")
        value = re.sub(r'\\(["\\])', r"\1", tag[2]) if tag.re is _TAG else tag[2]
        self.sheet.tags[name] = " ".join(value.split())
        self.text_since_tag = False
        return tag.end()

    def _continue_tag(self, at: int, text: str) -> int:
        """Continue a tag over several lines; returns the column of its end."""
        assert self.tag is not None
        if not text.strip() or _TAG_START.match(text) or len(self.tag) == MAX_TAG_LINES:
            self.in_moves = len(self.tag) > 1  # what was read as a tag may be moves
            self._refuse_tag(" ".join(self.tag))
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

    def _refuse_tag(self, text: str) -> None:
        self.tag = None
        self.wrong(self.first_line, f'a tag must be written [Name "value"], not {_shorten(text.strip(), 60)}')

    # -- comments --

    def _comment(self, text: str, place: int) -> int:
        assert self.comment is not None
        end = text.find("}", place)
        piece = text[place : end if end >= 0 else len(text)]
        self.comment.append(piece)
        if self.open_braces >= 0:
            self.open_braces += piece.count("{")
        if end < 0:
            return len(text)
        if self.open_braces < 0:
            inside = sum(part.count("{") for part in self.comment)
            self.allow_nested = self.allow_nested and (
                not inside or self.source.balances(text[end + 1 :], inside)
            )
            self.open_braces = inside if self.allow_nested else 0
            if self.open_braces:
                self.warn(self.first_line, "a nested comment is read as part of the outer one")
        if self.open_braces:
            self.open_braces -= 1
            self.comment[-1] += "}"
        else:
            self._close_comment()
        return end + 1

    def _close_comment(self) -> None:
        words = " ".join(" ".join(self.comment or ()).split())
        self.comment, self.open_braces = None, -1
        if words and not self.omitted_depth:
            line = self.open_lines[-1]
            (line.steps[-1].notes if line.steps else line.notes).append(words)

    # -- moves --

    def _word(self, at: int, word: str, digits: str) -> None:
        if not word.isascii():
            word = word.translate(_DASHES).strip()
        if self.partial and word not in self.results:
            word, self.partial = self.partial + word, ""
        bare = word.rstrip("*")
        if bare in _JOINTS and not self.omitted_depth and (digits or self.open_lines[-1].steps):
            self.partial = (digits or self.open_lines[-1].steps.pop().word) + bare
            return
        if _SPLIT_MOVE.match(bare):
            self.partial = bare
            return
        if (ends := word if word in self.results else bare) in self.results:
            if len(self.open_lines) == 1 and not (self.result and self.results[ends] == UNKNOWN):
                self.result = self.results[ends]
        elif bare in _SYMBOLS:
            self._note(at, _SYMBOLS[bare])
        elif bare.isdecimal():
            self.digits = bare
        elif len(bare) > MAX_WORD:
            self.wrong(at, f"'{_shorten(bare)}' is too long for a move")
        elif bare and bare not in _REDUNDANT and not self.omitted_depth:
            stars = word[len(bare) :]
            symbol = _SYMBOL.search(bare) if not bare[0].isdecimal() else None
            if remark := _JOINED_REMARK.fullmatch(bare):
                self._word(at, remark[1] + stars, "")
                self._note(at, remark[2])
            elif symbol is not None:
                self._word(at, bare[: symbol.start()] + stars, "")
                self._note(at, _SYMBOLS[symbol[0]])
            else:
                notes, self.pending[-1] = self.pending[-1], []
                self.open_lines[-1].steps.append(Step(bare, notes + ([ONLY_MOVE] if stars else []), at))

    def _is_result(self, word: str) -> bool:
        """True if a word is a result, possibly followed by stars, or only stars."""
        return bool(word) and (word.rstrip("*") or UNKNOWN) in self.results

    def _note(self, at: int, note: Note) -> None:
        if not self.omitted_depth:
            steps = self.open_lines[-1].steps
            (steps[-1].notes if steps else self.pending[-1]).append(note)

    def _open(self, at: int) -> None:
        if self.omitted_depth or len(self.open_lines) > MAX_NESTING:
            if not self.omitted_depth:
                self.warn(at, f"variations nested more than {MAX_NESTING} deep are omitted")
            self.omitted_depth += 1
            return
        self.open_lines.append(Line())
        self.pending.append([])
        self.variation_starts.append(at)

    def _close(self, at: int) -> None:
        if self.omitted_depth:
            self.omitted_depth -= 1
            return
        if len(self.open_lines) == 1:
            self.wrong(at, "')' closes no variation")
            return
        line = self.open_lines.pop()
        self.pending.pop()
        self.variation_starts.pop()
        if line.steps or line.notes:
            self._note(at, line)

    # -- the end --

    def finish(self, at: int) -> Sheet:
        """The game, which ended on that line."""
        if self.comment is not None:
            self.wrong(self.first_line, "a comment is not closed: '}' is missing")
        if self.tag is not None:
            self._refuse_tag(" ".join(self.tag))
        if self.partial:
            self.wrong(at, f"'{_shorten(self.partial)}' is half a move")
        if self.variation_starts:
            self.wrong(self.variation_starts[-1], "a variation is not closed: ')' is missing")
        sheet = self.sheet
        if any(isinstance(note, Line) for note in self.pending[0]):
            self.warn(at, "a variation before the first move is omitted")
        sheet.tags = {_ROSTER_NAMES.get(name.lower(), name): value for name, value in sheet.tags.items()}
        words = re.sub(r"\s", "", sheet.tags.pop("Result", UNKNOWN).translate(_DASHES))
        tag_result = self.results.get(words) or self.results.get(words.replace(":", "-"), UNKNOWN)
        steps = sheet.line.steps
        if words == "0-0" and not self.result and steps and steps[-1].word == "0-0":
            steps.pop()  # both lost: not castling
        sheet.result = self.result or UNKNOWN
        if sheet.result == UNKNOWN:
            sheet.result = tag_result
        elif tag_result not in (UNKNOWN, sheet.result):
            self.warn(
                at, f"the moves end with {sheet.result}, which counts, but the tag Result is {tag_result}"
            )
        sheet.tags = ROSTER | sheet.tags
        return sheet


def _tag_name(name: str) -> str:
    """A tag name reduced to letters, digits and underscores, as the format requires."""
    return re.sub("[^A-Za-z0-9_]", "_", name)


def _shorten(text: str, length: int = 40) -> str:
    """The beginning of a text, for errors."""
    return text if len(text) <= length else f"{text[:length]}..."


class _LookAhead:
    """The numbered lines of a text, with look-ahead."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = iter(lines)
        self.buffer: deque[str] = deque()
        self.at = 0

    def __iter__(self) -> Iterator[tuple[int, str]]:
        while True:
            text = self.buffer.popleft() if self.buffer else next(self.lines, None)
            if text is None:
                return
            self.at += 1
            yield self.at, text

    def upcoming(self) -> Iterator[str]:
        """The lines not yet read."""
        yield from self.buffer
        for text in self.lines:
            self.buffer.append(text)
            yield text

    def next_brace_closes(self) -> bool:
        """True if the next brace closes a comment, so that the open comment extends to it."""
        braces = (brace[0] for text in self.upcoming() if (brace := re.search("[{}]", text)))
        return next(braces, "") == "}"

    def balances(self, rest: str, count: int) -> bool:
        """True if `count` open braces are closed by the rest of the line or later lines of this game.
        Text after a semicolon outside braces is a comment and is not counted.
        """
        reach, braces = MAX_NESTED_TEXT, MAX_NESTED_BRACES
        for text in chain([rest[:reach]], self.upcoming()):
            reach -= len(text) + 1
            if _NEXT_GAME.match(text) or reach < 0:
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
    source, at = _LookAhead(lines), 0
    game = _SheetReader(name, 1, results, source)
    closed_comment = None  # a comment that is closed later
    for at, text in source:
        if not text.isascii():
            text = text.replace("\ufeff", "")  # concatenated files with byte order marks
        if text.startswith("%") and game.comment is None:
            continue
        if game.comment is not None and game.comment is not closed_comment and _NEXT_GAME.match(text):
            if source.next_brace_closes() or "}" in text:
                closed_comment = game.comment
            else:
                yield game.finish(at - 1)
                game = _SheetReader(name, game.sheet.number + 1, results, source)
        place = game.read(at, text, 0)
        while place < len(text):
            yield game.finish(at if place else at - 1)
            game = _SheetReader(name, game.sheet.number + 1, results, source)
            place = game.read(at, text, place)
    if not game.empty:
        yield game.finish(at)


# -- writing ------------------------------------------------------------------------------------


def write(sheet: Sheet, move_number: Callable[[str], tuple[int, int]]) -> str:
    """The text of a game, ending in a blank line.

    move_number: maps the notation of a position to the number of its next move, and 1 if the second player
    makes it, else 0.
    """
    number, second = move_number(sheet.tags.get("FEN", ""))
    tags = {_tag_name(name): value for name, value in sheet.tags.items()}
    others = sorted(name for name in tags if name not in ROSTER and name != "Result")
    lines = [_tag(name, tags.get(name, default)) for name, default in ROSTER.items()]
    lines.append(_tag("Result", sheet.result))
    lines += [_tag(name, tags[name]) for name in others]
    tokens = [*_tokens(sheet.line, 2 * number + second), sheet.result]
    return "\n".join([*lines, "", *_wrap(tokens), "", ""])


def _tag(name: str, value: str) -> str:
    plain = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{plain}"]'


def _tokens(line: Line, ply: int) -> list[str]:
    """The space-separated tokens; one that ends with a newline is the last of its line."""
    tokens = _note_tokens(line.notes, ply)
    numbered = True  # the move number must be written
    for step in line.steps:
        if ply % 2 == 0:
            tokens.append(f"{ply // 2}.")
        elif numbered:
            tokens.append(f"{ply // 2}...")
        tokens.append(step.word)
        tokens += _note_tokens(step.notes, ply)
        numbered = any(not isinstance(note, int) for note in step.notes)
        ply += 1
    return tokens


def _note_tokens(notes: list[Note], ply: int) -> list[str]:
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
            tokens += _comment_tokens("{" + note + "}")
    return tokens


def _comment_tokens(comment: str) -> list[str]:
    """Split a comment in braces where lines may break: no line may begin like an escape or a tag, and a
    command that fits into a line, `[%cal Gg1f3]`, is not split.
    """
    tokens: list[str] = []
    in_command = False  # inside a command
    for word in comment.split(" "):  # the first word begins with the brace
        if word[:1] in ("%", "[") or (in_command and len(tokens[-1]) + len(word) < WIDTH):
            tokens[-1] += f" {word}"
        else:
            tokens.append(word)
        in_command = tokens[-1].rfind("[%") > tokens[-1].rfind("]")
    return tokens


def _wrap(tokens: list[str]) -> Iterator[str]:
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
