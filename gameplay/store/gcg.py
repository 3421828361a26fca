"""Games of Scrabble as .gcg files write them (https://www.poslfit.com/scrabble/gcg/).

    #player1 ann Ann Miller
    #player2 bob Bob Jones
    >ann: EGHOTTW H3 GHETTO +28 28         rack, place, word, points, points in all
    >bob: IP 3H .IP +7 7                   a dot is a tile that lies there, a small letter a blank
    >ann: INNRRSW -WINNR +0 28             exchanges; - passes
    >bob: AEY J9 .Y.AE +37 44
    >bob: AEY -- -37 7                     that was challenged, and is taken back
    >bob: AEY (challenge) +5 12            that was challenged, and stands
    >ann:  (Q) +20 48                      what others had left
    #note A remark on the event before it.
    #rack1 ABCDEFG                         of a game that is not over: what they hold in the end

Racks may be told in part. The tiles drawn are then such that everybody holds what they are said to hold and
what they play later, and otherwise tiles that are left in the end; whole racks leave nothing to guess, and
where two contradict each other the later one counts. A play that was taken back although our list has its
words is read as a pass. What each play counts is held against what the file says.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gameplay.errors import BadInput, IllegalMove
from gameplay.position import CHANCE, side
from gameplay.store.movetext import Sheet, Step

KINDS = "?ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # as the game numbers tiles
RACK, SIDE = 7, 15
BONUS = {"five": 5, "ten": 10}  # by the rule for challenges: what they bring who is challenged in vain

_PLAYER = re.compile(r"#player([1-4])\s+(\S+)\s*(.*)")
_EVENT = re.compile(r">\s*([^:\s]+)\s*:\s*(.*)")
_RACK = re.compile(r"#rack([1-4])\s+([A-Z?]{1,7})", re.ASCII)
_SAID = re.compile(r"(?:(?P<rack>[A-Z?]+)\s+)?(?P<what>\S.*?)\s+(?P<score>[+-]\d{1,4})\s+-?\d{1,5}", re.ASCII)
_PLAY = re.compile(r"(?:(\d\d?)([A-Oa-o])|([A-Oa-o])(\d\d?))\s+([A-Za-z.]{2,15})", re.ASCII)
_SWAP = re.compile(r"-([A-Z?]*)", re.ASCII)
_LEFT = re.compile(r"\(([A-Z?]+)\)", re.ASCII)


@dataclass
class GcgEvent:
    """What a line tells of a player."""

    step: Step
    what: str  # "-", "--", "-ABC", "8H:WORD", "(challenge)", "(time)", "(ABC)"
    score: int
    rack: Counter[str]  # as far as it is known, before the event
    used: Counter[str] = field(default_factory=Counter)  # tiles that leave it for good

    @property
    def seat(self) -> int:
        """Whose event it is."""
        return self.step.mover


# -- reading ------------------------------------------------------------------------------------


def read(lines: Iterable[str], name: str) -> Iterator[Sheet]:
    """The games of a file, each from its #player1 on; a sheet tells its `problem`."""
    nicks: list[str] = []
    sheet, begun = Sheet(), False
    for at, text in enumerate(lines, 1):
        line, problem = text.strip(), ""
        if found := _PLAYER.match(line):
            if found[1] == "1" and begun:
                yield sheet
                sheet, nicks = Sheet(number=sheet.number + 1), []
            begun = True
            nicks.append(found[2])
            sheet.line.more.setdefault("players", []).append(" ".join(found[3].split()) or found[2])
            if found[1] != str(len(nicks)):
                problem = f"#player{found[1]} comes as number {len(nicks)}"
        elif found := _EVENT.match(line):
            begun = True
            if found[1] in nicks:
                step = Step(" ".join(found[2].split()), at=at, mover=nicks.index(found[1]))
                sheet.line.steps.append(step)
            else:
                problem = f"no #player line names {found[1][:30]}"
        elif found := _RACK.fullmatch(line):
            sheet.line.more[f"rack {found[1]}"] = [found[2]]
        elif line and (line.startswith("#note") or not line.startswith("#")):
            notes = sheet.line.steps[-1].notes if sheet.line.steps else sheet.line.notes
            notes.append(" ".join(line.removeprefix("#note").split()))
        if problem:
            sheet.problem = sheet.problem or f"{name}, line {at}, game {sheet.number}: {problem}"
    if begun:
        yield sheet


def spec(sheet: Sheet) -> str:
    """The game that a sheet is of: what a challenge in vain costs is told where one was."""
    count = len(sheet.line.more.get("players", []))
    vain = next((step.word for step in sheet.line.steps if "(challenge)" in step.word), "")
    words = [word for word, points in BONUS.items() if f"+{points} " in vain]
    players = f",players={count}" if count > 2 else ""
    return f"scrabble:challenge={words[0] if words else 'double'}{players}"


def fit(sheet: Sheet, position: Any) -> None:
    """Say the game in its own words, tiles drawn included. Raises BadInput, with the line.

    1. What each line tells. 2. Who held what when. 3. The moves, and before each the tiles that are drawn.
    """
    if len(sheet.line.more.get("players", [])) < 2:
        raise BadInput("a game has #player1 and #player2")
    for seat, name in enumerate(sheet.line.more["players"]):
        sheet.tags[side(position, seat).title()] = name
    events = _events(sheet.line.steps)
    last = [Counter("".join(sheet.line.more.get(f"rack {seat + 1}", []))) for seat in range(position.players)]
    game = _Retold(sheet, position, _held(events, last, position.bag()))
    for number, event in enumerate(events):
        try:
            game.make(event, events[number + 1] if number + 1 < len(events) else None)
        except (BadInput, IllegalMove) as error:
            raise BadInput(f"line {event.step.at}: {error}") from None
    game.end()


def _events(steps: list[Step]) -> list[GcgEvent]:
    """What the lines tell, with the tiles that leave the racks. Raises BadInput, with the line."""
    board: set[int] = set()
    events: list[GcgEvent] = []
    laid: list[int] = []
    for step in steps:
        found = _SAID.fullmatch(step.word)
        what = found["what"] if found else ""
        play, swap = _PLAY.fullmatch(what), _SWAP.fullmatch(what)
        known = play or swap or what in ("--", "(challenge)", "(time)") or _LEFT.fullmatch(what)
        if not found or not known:
            raise BadInput(f"line {step.at}: '{step.word[:40]}' is no event, as 'ABCDEFG 8H WORD +20 20'")
        event = GcgEvent(step, what, int(found["score"]), Counter(found["rack"] or ""))
        if play:
            down = play[1] is None
            event.what, laid = f"{what.split()[0].upper()}:{play[5]}", []
            start = SIDE * (int(play[1] or play[4]) - 1) + ord((play[2] or play[3]).upper()) - 65
            for number, letter in enumerate(play[5]):
                cell = start + number * (SIDE if down else 1)
                if letter != "." and cell not in board:
                    event.used["?" if letter.islower() else letter] += 1
                    laid.append(cell)
            board.update(laid)
        elif swap:
            event.used = Counter(swap[1])
        elif what == "--" and events:
            events[-1].used = Counter()
            board.difference_update(laid)
        events.append(event)
    return events


def _held(events: list[GcgEvent], last: list[Counter[str]], bag: list[int]) -> list[list[Counter[str]]]:
    """By player, the rack before each of their events, and the one that they have in the end.

    1. Forward: a rack holds what is told, what is used, and what was known and kept. 2. The last one is
    filled with tiles that are seen nowhere. 3. Backward: an earlier one is what was used, what was known and
    kept, and as many tiles as are missing of those that came next. Raises BadInput for racks that cannot be.
    """
    players = len(last)
    known: list[Counter[str]] = [Counter() for _ in range(players)]
    sizes, rest = [RACK] * players, sum(bag) - RACK * players
    unseen = Counter(dict(zip(KINDS, bag, strict=True)))
    turns: list[list[tuple[GcgEvent, Counter[str], int]]] = [[] for _ in range(players)]
    for event in events:
        seat = event.seat
        if left := _LEFT.fullmatch(event.what):
            if players == 2:
                known[seat if event.score < 0 else 1 - seat] |= Counter(left[1])
            continue
        rack = known[seat] | event.rack | event.used
        if rack.total() > sizes[seat]:  # somebody overdrew, or it is written down wrong
            rack = event.rack | event.used
        if rack.total() > sizes[seat]:
            tiles = "".join(sorted(rack.elements()))
            raise BadInput(f"line {event.step.at}: a rack of {sizes[seat]} tiles cannot hold {tiles}")
        turns[seat].append((event, rack, sizes[seat]))
        known[seat] = rack - event.used
        if not _SWAP.fullmatch(event.what):
            count = event.used.total()
            drawn = min(count, rest)
            rest -= drawn
            sizes[seat] += drawn - count
            unseen -= event.used
    for seat, rack in enumerate(last):
        if (known[seat] | rack).total() <= sizes[seat]:
            known[seat] |= rack
        unseen -= known[seat]
    held = []
    for seat in range(players):
        room = sizes[seat] - known[seat].total()
        pool = sorted(unseen.elements())  # of these one here and there, so that the rack is like others
        filler = Counter(pool[:: max(1, len(pool) // max(1, room))][:room])
        unseen -= filler
        racks = [known[seat] + filler]
        for event, rack, size in reversed(turns[seat]):
            kept = (rack - event.used) & racks[-1]
            room = size - (event.used + kept).total()
            racks.append(event.used + kept + Counter(sorted((racks[-1] - kept).elements())[:room]))
        held.append(racks[::-1])
    return held


class _Retold:
    """A game that is made again, event by event."""

    def __init__(self, sheet: Sheet, position: Any, held: list[list[Counter[str]]]) -> None:
        self.sheet, self.position, self.held = sheet, position, held
        self.done = [0] * position.players  # events of each player
        self.doubted = False  # the last play is to be taken back, and with it what is drawn now
        self.passed = False  # it would have been, but the words are in the list: it was read as a pass
        sheet.line.steps = []

    def make(self, event: GcgEvent, after: GcgEvent | None) -> None:
        """Make an event, and draw before it; keep its line. Raises BadInput, IllegalMove."""
        self.draw()
        self._made(event, after)
        if steps := self.sheet.line.steps:
            steps[-1].more.setdefault("gcg", []).append(f"{event.seat}:{event.step.word}")

    def _made(self, event: GcgEvent, after: GcgEvent | None) -> None:
        position, what, seat = self.position, event.what, event.seat
        if _LEFT.fullmatch(what):
            return
        self.done[seat] += 1
        passed, self.passed = self.passed, False
        if what == "(time)" or (what == "--" and passed):
            lost = [f"{event.score} points for time"] if what == "(time)" else []
            for step in self.sheet.line.steps[-1:]:
                step.notes += [*lost, *event.step.notes]
            return
        if what in ("--", "(challenge)"):
            before = position.state.before
            if before is None or before.player != seat:
                raise BadInput(f"there is no play of {side(position, seat)} to challenge")
            if what == "(challenge)" and not position.state.valid:
                raise BadInput("the play that stands holds a word that is not in the list here")
            self.doubted = False
            self.add("challenge", event)
            return
        if position.turn != seat:
            raise BadInput(f"it is not the turn of {side(position, seat)}")
        self.doubted = bool(after and after.what == "--" and after.seat == seat)
        self.add(what, event)
        if self.doubted and position.state.valid:
            self.doubted, self.passed, event.score = False, True, 0
            self.sheet.line.steps.pop()
            position.unmake()
            self.add("-", event, [f"{what} was taken back"])

    def add(self, word: str, event: GcgEvent, notes: Sequence[str] = ()) -> None:
        """Make a move that brings as many points as it is told to. Raises BadInput, IllegalMove."""
        position, seat = self.position, event.seat
        before = position.state.scores[seat]
        move = position.parse(word)
        word = position.format(move)
        self.sheet.line.steps.append(Step(word, [*notes, *event.step.notes], event.step.at))
        position.make(move)
        gained = position.state.scores[seat] - before
        if gained != event.score and not position.state.over:
            raise BadInput(f"{word} brings {gained:+} points, not {event.score:+}")

    def draw(self) -> None:
        """Draw all tiles that are to be drawn now. Raises IllegalMove."""
        position = self.position
        while position.outcome() is None and position.turn == CHANCE:
            seat = position.drawing()
            has = Counter(KINDS[kind] for kind in position.state.racks[seat])
            missing = sorted((self.held[seat][self.done[seat]] - has).elements())
            word = position.format(position.moves()[0]) if self.doubted or not missing else missing[0]
            self.sheet.line.steps.append(Step(word))
            position.make(position.parse(word))

    def end(self) -> None:
        """A last play that nobody doubts stands; then all is taken back."""
        position, steps = self.position, self.sheet.line.steps
        self.draw()
        if position.outcome() is None and _played_out(position):
            steps.append(Step("-", at=steps[-1].at))
            position.make(position.parse("-"))
        if position.outcome() is None:
            self.sheet.tags["Termination"] = "unterminated"
        for _ in steps:
            position.unmake()


# -- writing ------------------------------------------------------------------------------------


def tell(sheet: Sheet, position: Any) -> None:
    """Note who plays, and the lines that each move is written as."""
    names = [sheet.tags[side(position, seat).title()] for seat in range(position.players)]
    sheet.line.more["players"] = names
    totals = [0] * position.players

    def told(seat: int, what: str, score: int, rack: bytes = b"") -> str:
        totals[seat] += score
        return f"{seat}:{_tiles(rack)} {what} {score:+} {totals[seat]}"

    play: Any = None
    for step in sheet.line.steps:
        move, seat, was = position.parse(step.word), position.turn, position.state
        last, standing = play, _played_out(position)
        if seat != CHANCE:
            play = position.play(move) if ":" in step.word else None
        position.make(move)
        now = position.state
        lines = []
        if seat != CHANCE and play:
            place, word = step.word.split(":")
            laid = dict(play.laid)
            cells = range(play.start, SIDE * SIDE, SIDE if play.down else 1)
            letters = zip(cells, word, strict=False)
            dotted = "".join(letter if cell in laid else "." for cell, letter in letters)
            lines.append(told(seat, f"{place} {dotted}", play.score, was.racks[seat]))
        elif step.word == "challenge":
            mover = was.before.player
            if now.cells == was.before.cells:
                lines.append(told(mover, "--", -last.score, was.before.racks[mover]))
            elif bonus := BONUS.get(position.challenge, 0):
                lines.append(told(mover, "(challenge)", bonus, was.racks[mover]))
            elif position.challenge == "double" and not standing:
                lines.append(told(seat, "-", 0, was.racks[seat]))
        elif seat != CHANCE and not standing:
            lines.append(told(seat, step.word, 0, was.racks[seat]))
        if now.over:  # first who loses what they have left
            for one in sorted(range(position.players), key=lambda one: not now.racks[one]):
                if change := now.scores[one] - totals[one]:
                    left = now.racks[one] or b"".join(now.racks)
                    lines.append(told(one, f"({_tiles(left)})", change, now.racks[one]))
        if lines:
            step.more["gcg"] = lines
    if position.outcome() is None:
        for seat, rack in enumerate(position.state.racks):
            sheet.line.more[f"rack {seat + 1}"] = [_tiles(rack)]


def write(sheet: Sheet) -> str:
    """A game; its nicknames are the names without spaces."""
    names = sheet.line.more["players"]
    nicks = [re.sub(r"[\s:]+", "_", name) for name in names]
    nicks = [nick if nicks.count(nick) == 1 else f"{nick}-{seat + 1}" for seat, nick in enumerate(nicks)]
    players = zip(nicks, names, strict=True)
    out = [f"#player{number} {nick} {name}" for number, (nick, name) in enumerate(players, 1)]
    out += [f"#note {note}" for note in sheet.line.notes]
    for step in sheet.line.steps:
        for line in step.more.get("gcg", []):
            seat, _, event = line.partition(":")
            out.append(f">{nicks[int(seat)]}: {event}")
        out += [f"#note {note}" for note in step.comments]
    for name, (rack, *_) in sheet.line.more.items():
        if name.startswith("rack ") and rack:
            out.append(f"#rack{name[5:]} {rack}")
    return "\n".join(out) + "\n"


def _tiles(rack: bytes) -> str:
    return "".join(sorted(KINDS[tile] for tile in rack))


def _played_out(position: Any) -> bool:
    """True if somebody has laid their last tile: to pass lets it stand."""
    return b"" in position.state.racks and not position.rest()
