"""Deals of bridge in Portable Bridge Notation: `.pbn`.

    [Event "Club evening"]                15 tags first, in this order
    ...
    [Deal "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"]
    [Declarer "S"]
    [Contract "5HX"]
    [Result "9"]                          tricks of the declarer, including claimed ones
    [Auction "N"]                         the calls from the dealer on; `AP`: all pass
    1D 1S 3H =1= 4S
    4NT =2= X Pass Pass
    5C X 5H X
    AP
    [Note "1:natural, with six cards"]
    [Play "W"]                            one trick per line, in columns by player
    SK H3 S4 S3
    C5 C2 C6 CK
    *

Reads the import format: several tags on a line, tags over several lines, comments anywhere, in braces or from
`;` to the end of the line; lines that begin with `%` are skipped. A tag with the value `#` repeats the
previous game's, one that begins with `##` also holds for the following games, and a game without a deal has
the previous deal. Tables after tags of other programs are preserved. If the auction is missing or contradicts
the tags, the contract of the tags is used and the auction becomes a remark. `-` is an unknown card or hand;
missing cards are filled in, played ones first. `*` ends the play. Irregularities (`^`) are not supported.
Cards may also be in the order of play. Source: T. Veugen and K. Backas, Portable Bridge Notation, version 2.1
(2017).
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gameplay.errors import BadInput, IllegalMove
from gameplay.position import CHANCE
from gameplay.store.formats.pgn import MARKS, Sheet, Step

if TYPE_CHECKING:
    from gameplay.games.bridge.game import Bridge

FIRST_TAGS: tuple[str, ...] = (
    *("Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable"),
    *("Deal", "Scoring", "Declarer", "Contract", "Result"),
)
HANDLED = {*FIRST_TAGS, "White", "Black", "PlyCount", "Termination", "FEN"}
VULNERABLE = {
    "none": "none",
    "love": "none",
    "-": "none",
    "ns": "ns",
    "ew": "ew",
    "all": "both",
    "both": "both",
}
VULNERABLE_TAG = {(): "None", (0,): "NS", (1,): "EW", (0, 1): "All"}
SEATS = "NESW"
COLUMNS = 4
PASSES = ("P", "PASS", "-")
DOUBLES = dict.fromkeys(("X", "D", "DBL", "DOUBLE"), "X") | dict.fromkeys(
    ("XX", "R", "RDBL", "REDOUBLE"), "XX"
)
MOVES = ("Auction", "Play")  # sections of moves

INHERITED = ("Event", "Site", "Date", "Stage", "Board", "Dealer", "Vulnerable", "Deal", "Scoring")
SUITS, RANKS = "SHDC", "AKQJT98765432"
MAX_TAG = 10_000  # characters of a tag

_TAG = re.compile(r'\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]', re.DOTALL)
_LOOSE = re.compile(r'\[\s*(\w+)\s*"(.*?)"\s*\]', re.DOTALL)  # unescaped quotes
_TAG_BEGINS = re.compile(r'\s*\[\s*\w+\s*"')
_OPENS = re.compile(r"\[\s*\w*\s*(?:\"|$)")
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<note>=\d+=?)
  | \$(?P<mark>\d+) | (?P<sign>[!?]{1,2})
  | (?P<word>[^\s{};$!?=]+)
  | (?P<wrong>\S)
    )""",
    re.VERBOSE,
)
_BID = re.compile(r"([1-7])(C|D|H|S|NT?)", re.IGNORECASE)
_CONTRACT = re.compile(r"([1-7])\s*(C|D|H|S|NT?)\s*(X{0,2})", re.IGNORECASE)


# -- reading ------------------------------------------------------------------------------------


class _GameReader:
    """Reads one game: keeps the current section, tag and comment."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.sheet = Sheet(tags={}, number=number)
        self.section = ""
        self.open_tag = ""  # of a tag continued on the next line
        self.comment: list[str] | None = None
        self.first_line = 0  # the line where the tag or comment began
        self.count = 0  # columns of the play read so far

    def wrong(self, at: int, problem: str) -> None:
        self.sheet.wrong(self.name, at, problem)

    def begins_another(self, name: str, blank: bool) -> bool:
        """True if this tag first_seat another game: after a `blank` line, or a repeated tag."""
        if not self.sheet.tags:
            return False
        if name in self.sheet.tags:
            return blank or name in ("Event", "Board", "Deal")
        return blank and name not in (*MOVES, "Note")

    def read(self, at: int, line: str, place: int, blank: bool) -> int:
        """Read a line from a column on; returns the column where another game first_seat, or its length."""
        while place < len(line) or self.open_tag:
            if self.comment is not None:
                place = self.remark(line, place)
                continue
            if self.open_tag and _TAG_BEGINS.match(line, place):
                self.wrong(self.first_line, 'a tag is not closed by "]')
                self.open_tag = ""
            text = self.open_tag + line[place:]
            bare = text.lstrip()
            if bare.startswith("["):
                skipped = len(text) - len(bare)
                tag = _TAG.match(bare) or _LOOSE.match(bare)
                if tag is None:
                    if _OPENS.match(bare) and len(bare) < MAX_TAG:
                        self.first_line = self.first_line if self.open_tag else at
                        self.open_tag = bare + "\n"
                    else:
                        self.open_tag = ""
                        self.wrong(
                            at, f'a tag must be written [Name "value"], not {" ".join(bare.split())[:60]}'
                        )
                    return len(line)
                if self.begins_another(tag[1], blank):
                    return place
                place += skipped + tag.end() - len(self.open_tag)
                self.open_tag, blank = "", False
                self.tag(tag[1], " ".join(re.sub(r"\\(.)", r"\1", tag[2]).split()))
            elif not bare:
                break
            elif bare[0] in "{;":
                place = len(line) - len(bare) + 1
                self.comment, self.first_line = [], at
                if bare[0] == ";":
                    self.comment.append(line[place:])
                    self.end_comment()
                    break
            elif self.section in (*MOVES, *FIRST_TAGS, ""):
                place = self.token(at, line, place)
            else:
                self.sheet.line.more[f"section {self.section}"].append(bare.rstrip())
                break
        return len(line)

    def tag(self, name: str, value: str) -> None:
        if name == "Note":
            self.sheet.line.more.setdefault(f"notes {self.section}", []).append(value)
            return
        self.sheet.tags[name] = value
        self.section = name
        if name not in MOVES:
            self.sheet.line.more[f"section {name}"] = []

    def remark(self, line: str, place: int) -> int:
        """Continue a comment; returns the column of its end."""
        assert self.comment is not None
        end = line.find("}", place)
        self.comment.append(line[place : end if end >= 0 else None])
        if end < 0:
            return len(line)
        self.end_comment()
        return end + 1

    def end_comment(self) -> None:
        """Attach a comment to the call or card before it."""
        steps = self.sheet.line.steps
        if text := " ".join(" ".join(self.comment or ()).split()):
            (steps[-1].notes if steps else self.sheet.line.notes).append(text)
        self.comment = None

    def token(self, at: int, line: str, place: int) -> int:
        """Read a call, a card or a mark; returns the column of its end."""
        token = _TOKEN.match(line, place)
        if token is None:
            return len(line)
        if token["wrong"] or self.section not in MOVES:
            self.wrong(at, f'\'{token[0].strip()}\' is in no section: [Auction "N"] or [Play "W"]')
            return len(line)
        if token["word"]:
            self.word(at, token["word"])
        elif self.sheet.line.steps:
            step = self.sheet.line.steps[-1]
            if token["note"]:
                step.more.setdefault("note", []).append(token["note"].rstrip("=") + "=")
            elif token["mark"]:
                step.notes.append(int(token["mark"][:9]))
            else:
                step.notes.append(MARKS.get(token["sign"], 5))
        return token.end()

    def word(self, at: int, word: str) -> None:
        step = Step(word, at=at)
        if self.section == "Play":
            step.more["column"] = [str(self.count)]
            self.count += 1
        elif len(word) > 1 and word.endswith("*"):  # an alert
            step.word = word.rstrip("*")
        self.sheet.line.steps.append(step)


def read(lines: Iterable[str], name: str) -> Iterator[Sheet]:
    """The deals of a file; invalid ones have a `problem`."""
    game: _GameReader | None = None
    number = 0
    last: dict[str, str] = {}
    sticky: dict[str, str] = {}
    blank = False
    for at, line in enumerate(lines, 1):
        if line.startswith("%") and (game is None or game.comment is None):
            continue
        if not line.strip():
            blank = blank or game is None or game.comment is None
            continue
        place = 0
        while place < len(line):
            if game is None:
                number += 1
                game = _GameReader(name, number)
            place = game.read(at, line, place, blank)
            blank = False
            if place < len(line):
                yield _finish(game, last, sticky)
                game = None
    if game is not None:
        yield _finish(game, last, sticky)


def _finish(game: _GameReader, last: dict[str, str], sticky: dict[str, str]) -> Sheet:
    """The finished game, with tags inherited from earlier games."""
    sheet = game.sheet
    if game.comment is not None:
        game.wrong(game.first_line, "a comment is not closed by }")
    if game.open_tag:
        game.wrong(game.first_line, 'a tag is not closed by "]')
    for tag, value in sheet.tags.items():
        if value == "#":
            sheet.tags[tag] = last.get(tag, "?")
        elif value.startswith("##"):
            sticky[tag] = sheet.tags[tag] = value[2:] or last.get(tag, "?")
    for tag, value in sticky.items():
        sheet.tags.setdefault(tag, value)
    if "Deal" not in sheet.tags and not game.sheet.problem:  # the same board at another table
        sheet.tags |= {tag: last[tag] for tag in INHERITED if tag in last and tag not in sheet.tags}
    last.clear()
    last.update(sheet.tags)
    for tag in ("West", "North", "East", "South"):
        sheet.tags[tag] = sheet.tags.get(tag) or "?"
    if not sheet.problem:
        try:
            _normalize(sheet)
        except BadInput as error:
            sheet.problem = f"{game.name}, game {sheet.number}: {error}"
    return sheet


def _normalize(sheet: Sheet) -> None:
    """Convert the tags of the deal to the game's notation. Raises BadInput."""
    tags = sheet.tags
    if not tags.get("Deal", "").strip(" ?"):
        raise BadInput('there is no deal: [Deal "N:..."] is missing')
    dealer = (tags.get("Dealer", "") + tags.get("Auction", "") + "N").strip().replace("?", "")[0].upper()
    if dealer not in tuple(SEATS):
        raise BadInput(f"the dealer must be N, E, S or W, not '{tags.get('Dealer')}'")
    tags["Dealer"] = dealer
    vulnerable = re.sub(r"[ ?/]|(?<=\w)-", "", tags.get("Vulnerable", "")).lower() or "none"
    if vulnerable not in VULNERABLE:
        raise BadInput(f"Vulnerable must be None, NS, EW or All, not '{tags['Vulnerable']}'")
    tags["Vulnerable"] = {"none": "None", "ns": "NS", "ew": "EW", "both": "All"}[VULNERABLE[vulnerable]]
    sheet.result = _tricks(tags) or sheet.result
    leader = tags.get("Play", "").strip(" ?").upper()[:1]
    if leader and leader in SEATS and not tags.get("Declarer", "").strip("^ ?"):
        tags["Declarer"] = SEATS[(SEATS.index(leader) - 1) % 4]
    _fill_hands(sheet, leader)
    _check_auction(sheet)


def _fill_hands(sheet: Sheet, leader: str) -> None:
    """Set the deal as the start, with unknown hands filled in."""
    first, colon, text = sheet.tags["Deal"].replace("10", "T").strip().rpartition(":")
    hands = text.split()
    sheet.tags["FEN"] = f"{first.strip()}{colon}{' '.join(hands)}"
    unknown = [place for place, hand in enumerate(hands) if hand == "-"]
    if not unknown or len(hands) != 4:
        return
    first_seat = SEATS.find(first.strip().upper()[:1] or "N")
    cards: list[list[str]] = [
        [
            suit + rank
            for suit, ranks in zip(SUITS, hand.split("."), strict=False)
            for rank in ranks.strip("-")
        ]
        for hand in hands
    ]
    taken = {card for hand in cards for card in hand}
    for step in sheet.line.steps:
        card = step.word.upper()
        if "column" in step.more and leader and card[:1] in SUITS and card[1:] in RANKS and card not in taken:
            seat = (SEATS.index(leader) + int(step.more["column"][0])) % 4
            if (place := (seat - first_seat) % 4) in unknown and len(cards[place]) < 13:
                cards[place].append(card)
                taken.add(card)
    rest = [suit + rank for rank in RANKS for suit in SUITS if suit + rank not in taken]
    for place in unknown:
        room = 13 - len(cards[place])
        step_by = max(1, len(rest) // max(1, room))
        drawn = rest[::step_by][:room]
        cards[place] += drawn
        rest = [card for card in rest if card not in drawn]
        suits = ["".join(r for r in RANKS if suit + r in cards[place]) for suit in SUITS]
        hands[place] = ".".join(suits)
    seats = ", ".join(SEATS[(first_seat + place) % 4] for place in unknown)
    remark = f"unknown in the file and filled in: the cards of {seats}"
    if remark not in sheet.line.notes:  # present in files written by this program
        sheet.line.notes.append(remark)
    sheet.tags["FEN"] = f"{SEATS[first_seat]}:{' '.join(hands)}"


def _check_auction(sheet: Sheet) -> None:
    """Make the auction a remark if it contradicts the contract of the tags."""
    tags = sheet.tags
    calls = [step for step in sheet.line.steps if "column" not in step.more]
    contract = _CONTRACT.fullmatch(tags.get("Contract", "").strip())
    declarer = tags.get("Declarer", "").strip("^ ?").upper()[:1]
    if contract is None or not declarer or declarer not in SEATS:
        return
    bids: list[tuple[int, str]] = []  # player and bid
    doubled, seat = "", SEATS.index(tags["Dealer"])
    for step in calls:
        word = step.word.upper()
        if word.startswith("^"):
            return
        if bid := _BID.fullmatch(word):
            bids.append((seat, bid[1] + bid[2][0].upper()))
            doubled = ""
        elif word in DOUBLES:
            doubled = DOUBLES[word]
        elif word in ("AP", "AC", "*", "+"):
            break
        elif word not in PASSES:  # reported by `prepare`
            return
        seat = (seat + 1) % 4
    if not bids:
        return
    last, final = bids[-1]
    by = next(seat for seat, bid in bids if bid[1] == final[1] and seat % 2 == last % 2)
    tagged = contract[1] + contract[2][0].upper() + contract[3].upper()
    if (final + doubled, SEATS[by]) != (tagged, declarer):
        words = " ".join(step.word for step in calls)
        sheet.line.notes.append(
            f"the auction leads to {final}{doubled} by {SEATS[by]}, not to {tagged}: {words}"
        )
        sheet.line.steps = [step for step in sheet.line.steps if "column" in step.more]


def _tricks(tags: dict[str, str]) -> str:
    """The number of tricks in the tag Result; empty if it has none."""
    return next((word for word in tags.get("Result", "").replace("^", "").split() if word.isdecimal()), "")


def spec(sheet: Sheet) -> str:
    """The game spec of a sheet."""
    tags = sheet.tags
    if sheet.problem:
        return "bridge"
    options = [f"dealer={tags['Dealer']}"] if tags["Dealer"] != "N" else []
    vulnerable = VULNERABLE[tags["Vulnerable"].lower()]
    options += [f"vulnerable={vulnerable}"] if vulnerable != "none" else []
    contract = _CONTRACT.fullmatch(tags.get("Contract", "").strip())
    declarer = tags.get("Declarer", "").strip("^ ?")
    if contract is not None and declarer and not any("column" not in step.more for step in sheet.line.steps):
        options.append(f"contract={contract[1]}{contract[2][0].upper()}{contract[3].lower()}")
        options.append(f"declarer={declarer[0].upper()}")
    return f"bridge:{','.join(options)}" if options else "bridge"


def prepare(sheet: Sheet, position: "Bridge") -> None:
    """Convert calls and cards to the game's notation, in order of play. Raises BadInput."""
    steps, sheet.line.steps = sheet.line.steps, []
    calls = [step for step in steps if "column" not in step.more]
    cards = [step for step in steps if "column" in step.more]
    for step in calls:
        if step.word in ("*", "+", "AC"):  # AC, in bidding problems: any call
            break
        if step.word.upper() == "AP":
            while position.turn != CHANCE and position.outcome() is None and position.state.contract is None:
                _append_move(sheet, position, Step("pass", at=step.at))
            if sheet.line.steps:
                sheet.line.steps[-1].notes, sheet.line.steps[-1].more = step.notes, step.more
            continue
        _append_move(sheet, position, step)
    if cards and position.state.contract is None:
        raise BadInput(f"line {cards[0].at}: cards are played before the auction has ended")
    for step in _in_order(cards, position, _owners(sheet.tags["FEN"])):
        _append_move(sheet, position, step)
    for _ in sheet.line.steps:
        position.unmake()


def _owners(deal: str) -> dict[str, int]:
    """The player who holds each card."""
    first, _, hands = deal.rpartition(":")
    first_seat = SEATS.find(first.strip().upper()[:1] or "N")
    return {
        suit + rank: (first_seat + place) % 4
        for place, hand in enumerate(hands.upper().split())
        for suit, ranks in zip(SUITS, hand.split("."), strict=False)
        for rank in ranks
    }


def _in_order(cards: list[Step], position: "Bridge", owners: dict[str, int]) -> Iterator[Step]:
    """The cards in order of play: each trick from its leader on, whatever their columns.
    A card that no player holds, or a player's second card in a trick, is yielded at its column.
    """
    if not cards:
        return
    leader = position.state.hand
    for trick in range(0, len(cards), 4):
        row = cards[trick : trick + 4]
        ends = next((place for place, step in enumerate(row) if step.word in ("*", "+")), len(row))
        row = [step for step in row[:ends] if step.word != "-"]
        held = {owners.get(_suit_first(step.word), -1): step for step in row}
        if -1 in held or len(held) < len(row):
            held = {(leader + int(step.more["column"][0])) % 4: step for step in row}
        for _ in range(4):
            if position.outcome() is not None or position.state.hand not in held:
                return
            yield held.pop(position.state.hand)


def _suit_first(word: str) -> str:
    """A card in the format's notation: suit, then rank."""
    word = word.upper().replace("10", "T")
    return word if word[:1] in SUITS else word[::-1]


def _append_move(sheet: Sheet, position: "Bridge", step: Step) -> None:
    """Make a call or play a card."""
    if step.word.startswith("^"):
        raise BadInput(f"line {step.at}: '{step.word}' is an irregularity, which is not supported")
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


def payoffs(tags: dict[str, str], position: "Bridge") -> tuple[float, ...] | None:
    """Each player's payoff by the declarer's tricks, if a claim ended the play."""
    tricks = _tricks(tags)
    if not tricks or len(tricks) > 2 or int(tricks) > 13 or position.state.contract is None:
        return None
    result: tuple[float, ...] = position.payoffs(int(tricks))
    return result


# -- writing ------------------------------------------------------------------------------------


def _note(step: Step, position: "Bridge") -> None:
    """Add to a step the written form of its call, or of its card and player."""
    state = position.state
    if position.turn == CHANCE:
        step.more["dealt"] = [str(sum(map(len, state.hands)) % 4)]
    elif state.contract is not None:
        step.more["card"] = [str(state.hand)]


def annotate(sheet: Sheet, position: "Bridge") -> None:
    """Add the written form of each move and the tags of the deal to a sheet."""
    for step in sheet.line.steps:
        _note(step, position)
        position.make(position.parse(step.word))
    tags, state = sheet.tags, position.state
    if not tags.get("Board", "").isdecimal():  # other programs require a number
        played = tags.get("Round", "").partition(".")[0]
        tags["Board"] = played if played.isdecimal() else "1"
    tags["Dealer"], tags["Vulnerable"] = SEATS[position.dealer], VULNERABLE_TAG[position.vulnerable]
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
    """A bid in PBN."""
    return word.replace("N", "NT")


def write(sheet: Sheet) -> str:
    """The text of a deal: tags, auction, play and an empty line."""
    tags, more = sheet.tags, sheet.line.more
    lines = [f'[{tag} "{_quote(tags.get(tag, "?"))}"]' for tag in FIRST_TAGS]
    if sheet.line.notes:
        lines += [_comment(note).rstrip() for note in sheet.line.notes if isinstance(note, str)]
    other_tags = [tag for tag in tags if tag not in HANDLED and tag not in MOVES]
    for tag in other_tags:
        if tags[tag] not in ("?", ""):
            lines += [f'[{tag} "{_quote(tags[tag])}"]', *more.get(f"section {tag}", [])]
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
        lines += [f'[Note "{_quote(note)}"]' for note in more.get("notes Auction", [])]
    if cards:
        leader = int(cards[0].more["card"][0])
        lines.append(f'[Play "{SEATS[leader]}"]')
        for place in range(0, len(cards), COLUMNS):
            row = ["-"] * COLUMNS
            for step in cards[place : place + COLUMNS]:
                row[(int(step.more["card"][0]) - leader) % 4] = _with_notes(_card(step.word), step)
            lines.append(" ".join(row).rstrip())
        lines += ["*"] if len(cards) < 52 else []
        lines += [f'[Note "{_quote(note)}"]' for note in more.get("notes Play", [])]
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
    """A comment in braces; after `;` if it contains a brace."""
    text = " ".join(text.split())
    return f"; {text}\n" if "}" in text else f"{{{text}}}"


def _quote(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
