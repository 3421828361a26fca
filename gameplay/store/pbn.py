"""Deals of bridge as Portable Bridge Notation writes them: `.pbn`.

    [Event "Club evening"]                15 tags first, in this order
    ...
    [Deal "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"]
    [Declarer "S"]
    [Contract "5HX"]
    [Result "9"]                          tricks of the declarer; also where the play ended by a claim
    [Auction "N"]                         the calls from the dealer on, `AP`: all pass
    1D 1S 3H =1= 4S
    4NT =2= X Pass Pass
    5C X 5H X
    AP
    [Note "1:natural, with six cards"]
    [Play "W"]                            a trick a line, in columns by player, whoever led to it
    SK H3 S4 S3
    C5 C2 C6 CK
    *

A deal without an auction has the contract of its tags. `-` is a card that nobody knows and `*` ends the play.
Comments stand in braces or from `;` to the end of the line; lines that begin with `%` are none. A tag `#` has
the value of the game before, and one that begins with `##` holds for the games after it as well. Tables
of other programs behind tags of their own are kept as they are. Irregularities (`^`) are not played here.
Some programs write the cards as they were played, and not by player: this is understood, too.
Source: T. Veugen and K. Backas, Portable Bridge Notation, version 2.1 (2017).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from gameplay.errors import BadInput, IllegalMove
from gameplay.position import CHANCE
from gameplay.store.movetext import MARKS, Sheet, Step

FIRST_TAGS: tuple[str, ...] = (
    *("Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable"),
    *("Deal", "Scoring", "Declarer", "Contract", "Result"),
)
OWN = {*FIRST_TAGS, "White", "Black", "PlyCount", "Termination", "FEN"}
VULNERABLE = {
    "none": "none",
    "love": "none",
    "-": "none",
    "ns": "ns",
    "ew": "ew",
    "all": "both",
    "both": "both",
}
WRITTEN = {(): "None", (0,): "NS", (1,): "EW", (0, 1): "All"}
SEATS = "NESW"
COLUMNS = 4
MOVES = ("Auction", "Play")  # the sections of calls and cards

_TAG = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*(?:;.*)?$')
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<comment>[{;])
  | (?P<note>=\d+=)
  | \$(?P<mark>\d+) | (?P<sign>[!?]{1,2})
  | (?P<word>[^\s{};$!?=]+)
  | (?P<wrong>\S)
    )""",
    re.VERBOSE,
)
_CONTRACT = re.compile(r"([1-7])\s*(C|D|H|S|NT?)\s*(X{0,2})", re.IGNORECASE)


# -- reading ------------------------------------------------------------------------------------


class _GameReader:
    """One game as it is being read: the section that is open, and the comment that is not closed."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.sheet = Sheet(tags={}, number=number)
        self.section = ""
        self.comment: list[str] | None = None
        self.opened = 0  # the line where it begins
        self.count = 0  # columns of the play that were read

    def wrong(self, at: int, problem: str) -> None:
        if not self.sheet.problem:
            self.sheet.problem = f"{self.name}, line {at}, game {self.sheet.number}: {problem}"

    def begins_another(self, line: str, blank: bool) -> bool:
        """True if another game begins with this line: a tag behind a `blank` one, or one that comes again."""
        found = _TAG.match(line) if self.comment is None else None
        if found is None:
            return False
        if found[1] in self.sheet.tags:
            return blank or found[1] in ("Event", "Board", "Deal")
        return blank and found[1] not in (*MOVES, "Note")

    def read(self, at: int, line: str) -> None:
        """Read a line."""
        if self.comment is None and line.startswith("%"):
            return
        found = _TAG.match(line) if self.comment is None else None
        if found is None and self.comment is None and line.lstrip().startswith("["):
            self.wrong(at, f'a tag is written [Name "value"], not {line.strip()[:60]}')
        elif found is not None:
            self.tag(found[1], re.sub(r"\\(.)", r"\1", found[2]))
        elif self.comment is not None or self.section in (*MOVES, "") or line.lstrip()[:1] in ("{", ";"):
            self.tokens(at, line)
        elif line.strip():
            self.sheet.line.more[f"section {self.section}"].append(line.rstrip())

    def tag(self, name: str, value: str) -> None:
        if name == "Note":
            self.sheet.line.more.setdefault(f"notes {self.section}", []).append(value)
            return
        self.sheet.tags[name] = value
        self.section = name
        if name not in MOVES:
            self.sheet.line.more[f"section {name}"] = []

    def tokens(self, at: int, line: str) -> None:
        """The calls, the cards and the comments of a line."""
        place = 0
        while place < len(line):
            if self.comment is not None:
                end = line.find("}", place)
                self.comment.append(line[place : end if end >= 0 else None])
                if end < 0:
                    return
                self.remark(" ".join(" ".join(self.comment).split()))
                self.comment, place = None, end + 1
                continue
            found = _TOKEN.match(line, place)
            if found is None:
                return
            place = found.end()
            if found["comment"] == ";":
                self.remark(line[place:].strip())
                return
            if found["comment"]:
                self.comment, self.opened = [], at
            elif found["wrong"] or (found["word"] and self.section not in MOVES):
                self.wrong(at, f'\'{found[0].strip()}\' stands in no section: [Auction "N"] or [Play "W"]')
                return
            elif found["word"]:
                self.word(at, found["word"])
            elif self.sheet.line.steps:
                step = self.sheet.line.steps[-1]
                if found["note"]:
                    step.more.setdefault("note", []).append(found["note"])
                elif found["mark"]:
                    step.notes.append(int(found["mark"][:9]))
                else:
                    step.notes.append(MARKS.get(found["sign"], 5))

    def remark(self, text: str) -> None:
        """A comment, of the call or card before it."""
        steps = self.sheet.line.steps
        (steps[-1].notes if steps else self.sheet.line.notes).append(text)

    def word(self, at: int, word: str) -> None:
        step = Step(word, at=at)
        if self.section == "Play":
            step.more["column"] = [str(self.count)]
            self.count += 1
        self.sheet.line.steps.append(step)


def read(lines: Iterable[str], name: str) -> Iterator[Sheet]:
    """The deals of a file; a sheet tells its `problem`."""
    game: _GameReader | None = None
    number = 0
    last: dict[str, str] = {}
    lasting: dict[str, str] = {}
    blank = False
    for at, line in enumerate(lines, 1):
        if not line.strip():
            blank = True
            continue
        if game is not None and game.begins_another(line, blank):
            yield _ended(game, last, lasting)
            game = None
        if game is None and not line.startswith("%"):
            number += 1
            game = _GameReader(name, number)
        if game is not None:
            game.read(at, line)
        blank = False
    if game is not None:
        yield _ended(game, last, lasting)


def _ended(game: _GameReader, last: dict[str, str], lasting: dict[str, str]) -> Sheet:
    """The game that was read, with the tags of those before it where it asks for them."""
    sheet = game.sheet
    if game.comment is not None:
        game.wrong(game.opened, "a comment is not closed by }")
    for tag, value in sheet.tags.items():
        if value == "#":
            sheet.tags[tag] = last.get(tag, "?")
        elif value.startswith("##"):
            lasting[tag] = sheet.tags[tag] = value[2:] or last.get(tag, "?")
    for tag, value in lasting.items():
        sheet.tags.setdefault(tag, value)
    last.clear()
    last.update(sheet.tags)
    for tag in ("West", "North", "East", "South"):
        sheet.tags[tag] = sheet.tags.get(tag) or "?"
    if not sheet.problem:
        try:
            _settle(sheet)
        except BadInput as error:
            sheet.problem = f"{game.name}, game {sheet.number}: {error}"
    return sheet


def _settle(sheet: Sheet) -> None:
    """What the tags say of the deal, in this house's words. Raises BadInput."""
    tags = sheet.tags
    if not tags.get("Deal", "").strip(" ?"):
        raise BadInput('there is no deal: [Deal "N:..."] is missing')
    if "-" in tags["Deal"].split(":")[-1].split():
        raise BadInput("a hand is not told in the deal, and all four are needed")
    tags["FEN"] = tags["Deal"]
    dealer = (tags.get("Dealer", "") + tags.get("Auction", "") + "N").replace("?", "")[0].upper()
    if dealer not in tuple(SEATS):
        raise BadInput(f"the dealer is N, E, S or W, not '{tags.get('Dealer')}'")
    tags["Dealer"] = dealer
    vulnerable = tags.get("Vulnerable", "").strip(" ?").lower() or "none"
    if vulnerable not in VULNERABLE:
        raise BadInput(f"Vulnerable is None, NS, EW or All, not '{tags['Vulnerable']}'")
    tags["Vulnerable"] = {"none": "None", "ns": "NS", "ew": "EW", "both": "All"}[VULNERABLE[vulnerable]]
    sheet.result = _tricks(tags) or sheet.result


def _tricks(tags: dict[str, str]) -> str:
    """The number of tricks that the tag Result tells; empty where it tells none."""
    return next((word for word in tags.get("Result", "").replace("^", "").split() if word.isdecimal()), "")


def spec(sheet: Sheet) -> str:
    """The game that a sheet is of."""
    tags = sheet.tags
    if sheet.problem:
        return "bridge"
    asked = [f"dealer={tags['Dealer']}"] if tags["Dealer"] != "N" else []
    vulnerable = VULNERABLE[tags["Vulnerable"].lower()]
    asked += [f"vulnerable={vulnerable}"] if vulnerable != "none" else []
    contract = _CONTRACT.fullmatch(tags.get("Contract", "").strip())
    declarer = tags.get("Declarer", "").strip("^ ?")
    if contract is not None and declarer and not any("column" not in step.more for step in sheet.line.steps):
        asked.append(f"contract={contract[1]}{contract[2][0].upper()}{contract[3].lower()}")
        asked.append(f"declarer={declarer[0].upper()}")
    return f"bridge:{','.join(asked)}" if asked else "bridge"


def fit(sheet: Sheet, position: Any) -> None:
    """Say the calls and cards in the game's words and in the order in which they came. Raises BadInput."""
    told, sheet.line.steps = sheet.line.steps, []
    calls = [step for step in told if "column" not in step.more]
    cards = [step for step in told if "column" in step.more]
    for step in calls:
        if step.word in ("*", "+"):
            break
        if step.word.upper() == "AP":
            while position.turn != CHANCE and position.outcome() is None and position.state.contract is None:
                _make(sheet, position, Step("pass", at=step.at))
            if sheet.line.steps:
                sheet.line.steps[-1].notes, sheet.line.steps[-1].more = step.notes, step.more
            continue
        _make(sheet, position, step)
    _agree(sheet, position)
    if cards and position.state.contract is None:
        raise BadInput(f"line {cards[0].at}: cards are played before the auction has ended")
    begun = len(sheet.line.steps)
    try:
        _play(sheet, position, _by_column(cards, position))
    except BadInput:
        wrong = len(sheet.line.steps)
        for _ in range(wrong - begun):
            position.unmake()
        del sheet.line.steps[begun:]
        try:
            _play(sheet, position, iter(cards))
        except BadInput:  # neither: tell what is wrong by the notation's own rules
            for _ in range(len(sheet.line.steps) - begun):
                position.unmake()
            del sheet.line.steps[begun:]
            _play(sheet, position, _by_column(cards, position))
    for _ in sheet.line.steps:
        position.unmake()


def _by_column(cards: list[Step], position: Any) -> Iterator[Step]:
    """The cards in the order of play: who plays next has the next card of their column."""
    if not cards:
        return
    leader = position.state.hand
    while position.outcome() is None:
        state = position.state
        trick = 4 * (len(state.played) // 4)
        at = trick + (state.hand - leader) % 4
        if at >= len(cards) or any(step.word in ("*", "+") for step in cards[trick : at + 1]):
            return
        yield cards[at]


def _play(sheet: Sheet, position: Any, cards: Iterator[Step]) -> None:
    for step in cards:
        if step.word in ("*", "+", "-"):
            return
        _make(sheet, position, step)


def _agree(sheet: Sheet, position: Any) -> None:
    """Raises BadInput where the auction ended in another contract than the tags tell."""
    contract = _CONTRACT.fullmatch(sheet.tags.get("Contract", "").strip())
    found = position.state.contract
    if contract is None or found is None:
        return
    told = f"{contract[1]}{contract[2][0]}{contract[3]}".upper()
    declarer = sheet.tags.get("Declarer", "").strip("^ ?").upper() or SEATS[found.declarer]
    if (told, declarer) != (found.bid.upper(), SEATS[found.declarer]):
        raise BadInput(f"the auction ends in {found}, and the tags say {told} by {declarer}")


def _make(sheet: Sheet, position: Any, step: Step) -> None:
    """Make a call or play a card."""
    if step.word.startswith("^"):
        raise BadInput(f"line {step.at}: '{step.word}' is an irregularity, and none is played here")
    if position.outcome() is not None:
        raise BadInput(f"line {step.at}: the game is over before '{step.word[:20]}'")
    try:
        move = position.parse(step.word)
    except IllegalMove as error:
        raise BadInput(f"line {step.at}: {error}") from None
    step.word = position.format(move)
    _note(step, position)
    sheet.line.steps.append(step)
    position.make(move)


def margin(tags: dict[str, str], position: Any) -> tuple[float, ...] | None:
    """What everybody got by the tricks that the declarer took, where a claim ended the play."""
    tricks = _tricks(tags)
    if not tricks or len(tricks) > 2 or int(tricks) > 13 or position.state.contract is None:
        return None
    paid: tuple[float, ...] = position.payoffs(int(tricks))
    return paid


# -- writing ------------------------------------------------------------------------------------


def _note(step: Step, position: Any) -> None:
    """Note with a step what is written of it: a call, or a card and whose it is."""
    state = position.state
    if position.turn == CHANCE:
        step.more["dealt"] = [str(sum(map(len, state.hands)) % 4)]
    elif state.contract is not None:
        step.more["card"] = [str(state.hand)]


def tell(sheet: Sheet, position: Any) -> None:
    """Note what is written of each move, and what the tags say of the whole deal."""
    for step in sheet.line.steps:
        _note(step, position)
        position.make(position.parse(step.word))
    tags, state = sheet.tags, position.state
    tags["Dealer"], tags["Vulnerable"] = SEATS[position.dealer], WRITTEN[position.vulnerable]
    tags["Deal"] = " ".join((position.text() or "N:- - - -").split()[:4])
    if state.contract is not None:
        tags["Declarer"] = SEATS[state.contract.declarer]
        tags["Contract"] = _bid(state.contract.bid).upper()
    elif state.over:
        tags["Declarer"], tags["Contract"] = "", "Pass"
    if state.over:
        side = state.contract.declarer % 2 if state.contract is not None else 0
        tags["Result"] = str(state.tricks[side]) if state.contract is not None else ""


def _bid(word: str) -> str:
    """A bid as PBN writes it."""
    return word.replace("N", "NT")


def write(sheet: Sheet) -> str:
    """A deal: its tags, its auction, its play, and an empty line."""
    tags, more = sheet.tags, sheet.line.more
    lines = [f'[{tag} "{_quoted(tags.get(tag, "?"))}"]' for tag in FIRST_TAGS]
    if sheet.line.notes:
        lines += [_comment(note).rstrip() for note in sheet.line.notes if isinstance(note, str)]
    kept = [tag for tag in tags if tag not in OWN and tag not in MOVES]
    for tag in kept:
        if tags[tag] not in ("?", ""):
            lines += [f'[{tag} "{_quoted(tags[tag])}"]', *more.get(f"section {tag}", [])]
    steps = [step for step in sheet.line.steps if "dealt" not in step.more]
    calls = [step for step in steps if "card" not in step.more]
    cards = [step for step in steps if "card" in step.more]
    if calls:
        lines.append(f'[Auction "{tags["Dealer"]}"]')
        words = [_with_notes(_call(step.word), step) for step in calls]
        if len(calls) < 4 or any(step.word != "pass" for step in calls[-3:]):
            words.append("*")
        rows = [words[place : place + COLUMNS] for place in range(0, len(words), COLUMNS)]
        lines += [" ".join(row).rstrip() for row in rows]
        lines += [f'[Note "{_quoted(note)}"]' for note in more.get("notes Auction", [])]
    if cards:
        leader = int(cards[0].more["card"][0])
        lines.append(f'[Play "{SEATS[leader]}"]')
        for place in range(0, len(cards), COLUMNS):
            row = ["-"] * COLUMNS
            for step in cards[place : place + COLUMNS]:
                row[(int(step.more["card"][0]) - leader) % 4] = _with_notes(_card(step.word), step)
            lines.append(" ".join(row).rstrip())
        lines += ["*"] if len(cards) < 52 else []
        lines += [f'[Note "{_quoted(note)}"]' for note in more.get("notes Play", [])]
    return "\n".join(lines) + "\n\n"


def _call(word: str) -> str:
    return {"pass": "Pass"}.get(word, _bid(word.upper()))


def _card(word: str) -> str:
    return (word[1] + word[0]).upper()


def _with_notes(word: str, step: Step) -> str:
    """A call or a card with its marks, the numbers of its notes, and comments."""
    marks = [f"${note}" for note in step.notes if isinstance(note, int)]
    comments = [_comment(note) for note in step.notes if isinstance(note, str) and note]
    return " ".join([word, *marks, *step.more.get("note", []), *comments])


def _comment(text: str) -> str:
    """A comment in braces; to the end of the line where it has a brace itself."""
    text = " ".join(text.split())
    return f"; {text}\n" if "}" in text else f"{{{text}}}"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
