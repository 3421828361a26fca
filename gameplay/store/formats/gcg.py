"""Scrabble games in GCG (https://www.poslfit.com/scrabble/gcg/): `.gcg`.

    #character-encoding UTF-8
    #player1 ann Ann Miller
    #player2 bob Bob Jones
    #title, #description, #lexicon, #id      preserved
    >ann: EGHOTTW H3 GHETTO +28 28         rack, square, word, points, total
    >bob: IP 3H .IP +7 7                   a dot is a tile on the board, a lowercase letter a blank
    >ann: INNRRSW -WINNR +0 28             exchange; `-5`: of five unknown tiles; `-`: pass
    >bob: AEY J9 .Y.AE +37 44
    >bob: AEY -- -37 7                     the last play was challenged and withdrawn
    >bob: AEY (challenge) +5 12            the last play was challenged and stands
    >ann:  (Q) +20 48                      the opponents' last tiles
    >ann:  (time) -10 38                   time penalty
    #note Remark on the event above.
    #rack1 ABCDEFG                         last rack of an unfinished game
    #incomplete

Tiles on the board may be dots, letters, or letters in parentheses; words after the total are ignored.

A rack lists the tiles that are known, perhaps none (`UNKNOWN`). `_Drawing` chooses the others so that every
player holds the listed tiles and those played later. Only played tiles are binding: if listed racks
contradict each other or the tile set, later ones take precedence.

The score of each play is verified. A withdrawn play whose words are in the word list is read as a pass; a
challenged play that stands although they are not is read with the ruling `upheld`. Time penalties change only
the result.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gameplay.errors import BadInput, IllegalMove
from gameplay.position import CHANCE, side, side_names
from gameplay.store.formats.pgn import DRAWN, Note, Sheet, Step

if TYPE_CHECKING:
    from gameplay.games.scrabble.game import Scrabble
    from gameplay.games.scrabble.placement import Play

KINDS = "?ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # tiles in the order of their numbers in the game
RACK, SIDE = 7, 15
BONUS = {"five": 5, "ten": 10}  # points for an unsuccessful challenge, by challenge rule

# Pragmas that select boards, tile sets and games, and the values of the standard ones.
STANDARD_VALUES = {
    "game-type": ("classic", "regular"),
    "board-layout": ("crosswordgame",),
    "tile-distribution": ("english",),
    "tile-set": ("english",),
}
PRAGMA_TAGS = {"title": "Event", "description": "Description", "lexicon": "Lexicon", "id": "Id"}
OWN = ("character-encoding", "incomplete")  # written by `write` itself

MAX_ORDERS = 100  # tile orders to try before a listed exchange is ignored
UNLISTED = "the play stands, though one of its words is not in this word list"

_PLAYER = re.compile(r"#player(\d)\s+(\S+)\s*(.*)", re.IGNORECASE)
_EVENT = re.compile(r">\s*([^:\s]+)\s*:\s*(.*)")
_LAST_RACK = re.compile(r"#rack([1-4])\s+([A-Z?]{1,7})", re.ASCII | re.IGNORECASE)
_PRAGMA = re.compile(r"#([\w-]+)\s*(.*)")
_LINE = re.compile(
    r"(?:(?P<rack>[A-Za-z?]+)\s+)?(?P<what>(?!\+)\S.*?)\s+(?P<score>(?:\+-?|-)\d{1,4})\s+-?\d{1,5}(?:\s.*)?",
    re.ASCII,
)
_PLAY = re.compile(r"(?:(\d\d?)([A-Oa-o])|([A-Oa-o])(\d\d?))\s+([A-Za-z.()]{2,40})", re.ASCII)
_EXCHANGE = re.compile(r"-([A-Z?]*|[1-7])", re.ASCII | re.IGNORECASE)
_LEFTOVER = re.compile(r"\(([A-Z?]+)\)", re.ASCII)


@dataclass
class GcgEvent:
    """An event line. needs: tiles certainly in the rack; leaves: tiles that leave it."""

    step: Step
    what: str  # "-", "--", "-ABC", "8H:WORD", "(challenge)", "(time)", "(ABC)"
    score: int
    listed: Counter[str]  # the rack listed in the file, possibly incomplete
    needs: Counter[str] = field(default_factory=Counter)
    leaves: Counter[str] = field(default_factory=Counter)
    unknown: int = 0  # number of unknown tiles in an exchange
    remarks: list[str] = field(default_factory=list)

    @property
    def seat(self) -> int:
        """The player."""
        return self.step.mover

    @property
    def is_exchange(self) -> bool:
        """True for exchanges and passes: the tiles that leave the rack return to the bag."""
        return self.what[0] == "-" and self.what != "--"


# -- reading ------------------------------------------------------------------------------------


def read(lines: Iterable[str], name: str) -> Iterator[Sheet]:
    """The games of a file, each beginning at #player1; invalid ones have a `problem`."""
    nicks: list[str] = []
    seen: set[str] = set()  # tags
    sheet, has_lines = Sheet(), False
    for at, text in enumerate(lines, 1):
        line, problem = text.strip(), ""
        notes = sheet.line.steps[-1].notes if sheet.line.steps else sheet.line.notes
        if player := _PLAYER.match(line):
            if player[1] == "1" and nicks:
                yield sheet
                sheet, nicks, seen = Sheet(number=sheet.number + 1), [], set()
            has_lines = True
            nicks.append(player[2])
            sheet.line.more.setdefault("players", []).append(" ".join(player[3].split()) or player[2])
            if player[1] != str(len(nicks)):
                problem = f"#player{player[1]} is player number {len(nicks)}"
            elif len(nicks) > 4:
                problem = "a game has two to four players"
        elif event := _EVENT.match(line):
            has_lines = True
            step = Step(" ".join(event[2].split()), at=at)
            seat = _seat(event[1], nicks, step.word, sheet.line.steps)
            if seat is None:
                problem = f"no #player line has the nickname {event[1][:30]}"
            else:
                step.mover = seat
                sheet.line.steps.append(step)
        elif rack := _LAST_RACK.fullmatch(line):
            sheet.line.more[f"rack {rack[1]}"] = [rack[2].upper()]
        elif line.startswith("#- ") and notes:  # a continued note
            notes[-1] = f"{notes[-1]} {' '.join(line[3:].split())}"
        elif line and (line.startswith("#note") or not line.startswith("#")):
            if note := " ".join(line.removeprefix("#note").split()):
                notes.append(note)
        elif pragma := _PRAGMA.match(line):
            has_lines = True
            key, value = pragma[1].lower(), " ".join(pragma[2].split())
            if key in PRAGMA_TAGS and value and PRAGMA_TAGS[key] not in seen:
                sheet.tags[PRAGMA_TAGS[key]] = value
                seen.add(PRAGMA_TAGS[key])
            elif value and value.lower() not in STANDARD_VALUES.get(key, (value.lower(),)):
                problem = f"#{key} is {value[:30]}; only {STANDARD_VALUES[key][0]} is supported"
            elif key not in OWN and (value or key not in PRAGMA_TAGS):
                sheet.line.more.setdefault(f"pragma {key}", []).append(value)
        if problem:
            sheet.wrong(name, at, problem)
    if has_lines:
        yield sheet


def _seat(nick: str, nicks: list[str], word: str, steps: list[Step]) -> int | None:
    """The player with a nickname; if several share it, the one whose turn it is."""
    if nicks.count(nick) < 2:
        return nicks.index(nick) if nick in nicks else None
    if not steps:
        return nicks.index(nick)
    repeats = re.search(r"\s--\s|\((?:challenge|time)\)", word)
    after = [(steps[-1].mover + (not repeats) + turn) % len(nicks) for turn in range(len(nicks))]
    return next(seat for seat in after if nicks[seat] == nick)


def spec(sheet: Sheet) -> str:
    """The game spec of a sheet; bonuses for unsuccessful challenges give the challenge rule."""
    count = len(sheet.line.more.get("players", []))
    bonuses = [
        word for step in sheet.line.steps for word in re.findall(r"\(challenge\)\s+\+(\d+)", step.word)
    ]
    rule = max(BONUS, key=lambda word: bonuses.count(str(BONUS[word]))) if bonuses else "double"
    players = f",players={count}" if 2 < count <= 4 else ""
    return f"scrabble:challenge={rule}{players}"


def prepare(sheet: Sheet, position: "Scrabble") -> None:
    """Replace the lines by the game's moves, including tile draws. Raises BadInput, with the line.

    1. Parse the lines. 2. Choose every rack. 3. Make the draws and moves.
    """
    if len(sheet.line.more.get("players", [])) < 2:
        raise BadInput("a game has #player1 and #player2")
    for seat, name in enumerate(sheet.line.more["players"]):
        sheet.tags[side(position, seat).title()] = name
    events = _events(sheet.line.steps)
    last = [Counter("".join(sheet.line.more.get(f"rack {seat + 1}", []))) for seat in range(position.players)]
    game = _Replay(sheet, position, _Drawing(events, last, position.bag()).racks())
    for number, event in enumerate(events):
        try:
            game.make(event, events[number + 1] if number + 1 < len(events) else None)
        except (BadInput, IllegalMove) as error:
            raise BadInput(f"line {event.step.at}: {error}") from None
    game.end()


def _events(steps: list[Step]) -> list[GcgEvent]:
    """Parse the lines, with the tiles that leave the racks. Raises BadInput, with the line."""
    board: dict[int, str] = {}
    events: list[GcgEvent] = []
    placed: list[int] = []
    for step in steps:
        line = _LINE.fullmatch(step.word)
        what = line["what"] if line else ""
        play, exchange = _PLAY.fullmatch(what), _EXCHANGE.fullmatch(what)
        if not line or not (
            play or exchange or what in ("--", "(challenge)", "(time)") or _LEFTOVER.fullmatch(what)
        ):
            other = next((sign for sign in step.word if sign.isalpha() and not sign.isascii()), "")
            reason = f": '{other}' is not a tile of the English set" if other else ""
            wrong = f"'{step.word[:40]}' is not an event like 'ABCDEFG 8H WORD +20 20'{reason}"
            raise BadInput(f"line {step.at}: {wrong}")
        rack = (line["rack"] or "").upper()
        event = GcgEvent(
            step, what, int(line["score"].replace("+-", "-")), Counter("" if rack == "UNKNOWN" else rack)
        )
        if play:
            word, placed = list(re.sub("[()]", "", play[5])), []
            down = play[1] is None
            start = SIDE * (int(play[1] or play[4]) - 1) + ord((play[2] or play[3]).upper()) - 65
            for number, letter in enumerate(word):
                cell = start + number * (SIDE if down else 1)
                if cell in board:  # lowercase: blanks played now
                    word[number] = board[cell] if letter == "." else letter.upper()
                elif letter != ".":
                    event.leaves["?" if letter.islower() else letter] += 1
                    board[cell] = letter.upper()
                    placed.append(cell)
            event.needs = event.leaves
            event.what = f"{what.split()[0].upper()}:{''.join(word)}"
        elif exchange and exchange[1].isdecimal():
            event.unknown = int(exchange[1])
        elif exchange:
            event.what = what.upper()
            event.needs = event.leaves = Counter(exchange[1].upper())
        elif what == "--" and events and ":" in events[-1].what and events[-1].seat == event.seat:
            events[-1].leaves = Counter()
            for cell in placed:
                board.pop(cell, None)
        events.append(event)
    return events


def _fill(must: Counter[str], others: Iterable[str], size: int) -> Counter[str]:
    """The tiles of `must`, filled up to `size` with others."""
    room = max(0, size - must.total())
    return must + Counter(list(others)[:room])


def _without(tiles: Counter[str], less: Counter[str]) -> list[str]:
    return list((tiles - less).elements())


@dataclass
class _Turn:
    """The constraints of an event on the rack before it."""

    event: GcgEvent
    size: int  # of the rack
    must: Counter[str]  # tiles in it for certain
    want: Counter[str]  # ... and listed tiles, now or earlier and still unused


class _Drawing:
    """Chooses the rack before each event from the played, exchanged and listed tiles.

    1. Forward: a rack holds the tiles its event needs and the unused ones from before. 2. The last racks are
    filled with tiles that occur nowhere. 3. Backward: each rack consists of the tiles kept and the tiles
    used. Of the next rack, the drawn tiles are those that cannot have come from the bag earlier, because
    another player exchanged them later, then unlisted ones. 4. Forward again: if the bag lacks a tile, racks
    that list it are ignored and the choice is repeated; then with equivalent tiles in another order.
    """

    def __init__(self, events: list[GcgEvent], last: list[Counter[str]], bag: list[int]) -> None:
        self.events, self.last = events, last
        self.all = Counter(dict(zip(KINDS, bag, strict=True)))
        self.players = len(last)
        self.order = list(KINDS)  # equivalent tiles, preferred first
        self.rng = random.Random(0)

    def racks(self) -> list[list[Counter[str]]]:
        """Per player, the racks before each event and the final one. Raises BadInput."""
        distrusted: set[str] = set()
        failures = 0
        while True:
            self._forward(distrusted)
            racks = self._backward()
            wrong = self._shortage(racks)
            if wrong is None:
                return [player_racks[::-1] for player_racks in racks]
            event, kinds = wrong
            failures += kinds <= distrusted
            if failures % MAX_ORDERS and kinds <= distrusted:
                self.order = self.rng.sample(KINDS, len(KINDS))
            elif kinds <= distrusted and not self._reconsider(kinds):
                where = f"line {event.step.at}: " if event else ""
                tiles = ", ".join(sorted(kinds))
                raise BadInput(f"{where}more tiles {tiles} are played than the set contains")
            distrusted |= kinds

    def _reconsider(self, kinds: set[str]) -> bool:
        """Treat an exchange of such tiles as one of unknown tiles; false if there is none."""
        for event in reversed(self.events):
            if event.is_exchange and not kinds.isdisjoint(event.leaves):
                event.unknown = event.leaves.total()
                event.remarks.append(f"not all of {event.what[1:]} can have been exchanged")
                event.needs = event.leaves = Counter()
                return True
        return False

    def _forward(self, distrusted: set[str]) -> None:
        """The turns and the last racks, as far as known or listed."""
        must: list[Counter[str]] = [Counter() for _ in range(self.players)]
        want: list[Counter[str]] = [Counter() for _ in range(self.players)]
        sizes, bag_size = [RACK] * self.players, self.all.total() - RACK * self.players
        self.turns: list[_Turn] = []
        self.unseen = self.all.copy()

        def trusted(rack: Counter[str]) -> Counter[str]:
            return Counter({kind: count for kind, count in rack.items() if kind not in distrusted})

        for event in self.events:
            seat = event.seat
            if leftover := _LEFTOVER.fullmatch(event.what):
                if event.score < 0 or self.players == 2:
                    want[seat if event.score < 0 else 1 - seat] |= trusted(Counter(leftover[1]))
                continue
            needs = must[seat] | event.needs
            if needs.total() > sizes[seat]:
                tiles = "".join(sorted(needs.elements()))
                raise BadInput(f"line {event.step.at}: a rack of {sizes[seat]} tiles cannot hold {tiles}")
            listed = needs | trusted(event.listed)
            wanted = listed | want[seat]
            if wanted.total() > sizes[seat]:  # later lists take precedence
                wanted = _fill(needs, _without(listed, needs), sizes[seat])
            self.turns.append(_Turn(event, sizes[seat], needs, wanted))
            must[seat] = needs - event.leaves
            want[seat] = wanted - event.leaves if not event.unknown else must[seat].copy()
            if not event.is_exchange:
                count = event.leaves.total()
                drawn = min(count, bag_size)
                bag_size -= drawn
                sizes[seat] += drawn - count
                self.unseen -= event.leaves
        self.sizes = sizes
        self.current = []
        for seat, rack in enumerate(self.last):
            listed = must[seat] | trusted(rack)
            wanted = want[seat] | listed
            if wanted.total() > sizes[seat]:
                wanted = _fill(must[seat], _without(listed, must[seat]), sizes[seat])
            self.current.append(must[seat] + ((wanted - must[seat]) & (self.unseen - must[seat])))
            self.unseen -= self.current[seat]

    def _backward(self) -> list[list[Counter[str]]]:
        """Per player, the racks from last to first."""
        exchanged: Counter[str] = Counter()  # largest number of each tile exchanged at once
        before: list[Counter[str]] = []
        for turn in self.turns:
            before.append(exchanged.copy())
            if turn.event.is_exchange:
                exchanged |= turn.event.leaves
        for seat in range(self.players):
            room = self.sizes[seat] - self.current[seat].total()
            pool = sorted((self.unseen - exchanged).elements(), key=self.order.index)
            filler = Counter(pool[:: max(1, len(pool) // max(1, room))][:room])  # sampled unlisted tiles
            filler = _fill(filler, _without(self.unseen, filler), room)
            self.unseen -= filler
            self.current[seat] += filler
        out = self.all - self.unseen  # on the board and in racks
        racks = [[rack] for rack in self.current]
        for turn, demand in zip(reversed(self.turns), reversed(before), strict=True):
            event, after = turn.event, self.current[turn.event.seat]
            leaves = event.leaves
            if event.unknown:
                leaves = self._any_tiles(turn, after, out)
                event.leaves = event.needs = leaves
                event.what = "-" + "".join(sorted(leaves.elements()))
                event.unknown = 0
            room = turn.size - leaves.total()
            kept = (turn.must - leaves) & after
            liked = (turn.want - leaves - kept) & (after - kept)
            scarce = {kind: max(0, out[kind] + demand[kind] - self.all[kind]) for kind in after}
            for tiles in (liked, after - kept - liked):
                ordered = sorted(tiles.elements(), key=lambda kind: (scarce[kind], self.order.index(kind)))
                kept = _fill(kept, ordered, room)
            rack = kept + leaves
            out -= after - kept
            if event.is_exchange:
                out += leaves
            self.current[event.seat] = rack
            racks[event.seat].append(rack)
        return racks

    def _any_tiles(self, turn: _Turn, after: Counter[str], out: Counter[str]) -> Counter[str]:
        """Tiles for an exchange of unknown tiles: listed ones if possible."""
        count = turn.event.unknown
        free = self.all - out
        listed = (turn.want - turn.must) & free
        first = _without(listed, after) + list((listed & after).elements())
        others = sorted(_without(free, listed), key=lambda kind: -free[kind])
        return Counter([*first, *others][:count])

    def _shortage(self, racks: list[list[Counter[str]]]) -> tuple[GcgEvent | None, set[str]] | None:
        """The first event before which the bag lacks tiles, and the tiles; None if there is none."""
        racks = [player_racks[::-1] for player_racks in racks]
        bag = self.all.copy()
        for rack in racks:
            bag.subtract(rack[0])
        done = [0] * self.players
        for event in [None, *[turn.event for turn in self.turns]]:
            if event is not None:
                seat, leaves = event.seat, event.leaves
                done[seat] += 1
                bag.subtract(racks[seat][done[seat]] - (racks[seat][done[seat] - 1] - leaves))
            if missing := {kind for kind, count in bag.items() if count < 0}:
                return event, missing
            if event is not None and event.is_exchange:
                bag.update(event.leaves)
        return None


class _Replay:
    """Replays a game event by event."""

    def __init__(self, sheet: Sheet, position: "Scrabble", racks: list[list[Counter[str]]]) -> None:
        self.sheet, self.position, self.racks = sheet, position, racks
        self.done = [0] * position.players  # events of each player
        self.will_withdraw = False  # the last play will be withdrawn, with the tiles drawn now
        self.withdrawn_as_pass = False  # the withdrawn play was valid: read as a pass
        self.penalties = [0] * position.players
        self.remarks: list[tuple[list[Note], str]] = []  # remarks on events, with the notes they belong to
        sheet.line.steps = []

    def make(self, event: GcgEvent, after: GcgEvent | None) -> None:
        """Make an event and the draws before it. Raises BadInput, IllegalMove."""
        self.draw()
        self._apply(event, after)
        if steps := self.sheet.line.steps:
            space = " " if _LEFTOVER.fullmatch(event.what) and not event.listed else ""  # after an empty rack
            steps[-1].more.setdefault("gcg", []).append(f"{event.seat}:{space}{event.step.word}")

    def _apply(self, event: GcgEvent, after: GcgEvent | None) -> None:
        position, what, seat = self.position, event.what, event.seat
        if _LEFTOVER.fullmatch(what):
            self.note(event.step.notes)
            return
        self.done[seat] += 1
        was_pass, self.withdrawn_as_pass = self.withdrawn_as_pass, False
        if what == "(time)":
            self.penalties[seat] -= abs(event.score)
            self.note(event.step.notes, f"{-abs(event.score)} points for time")
            return
        if what == "--" and was_pass:
            self.note(event.step.notes)
            return
        if what in ("--", "(challenge)"):
            before = position.state.before_play
            if before is None or before.player != seat:
                raise BadInput(f"there is no play of {side(position, seat)} to challenge")
            self.will_withdraw = False
            if what == "--":
                event.score = before.scores[seat] - position.state.scores[seat]
                self.add("challenge", event)
                return
            bonus = BONUS.get(position.challenge, 0)
            remarks = [] if position.state.valid else [UNLISTED]
            if event.score != bonus:
                remarks.append(f"{event.score:+} points for this challenge")
                self.penalties[seat] += event.score - bonus
                event.score = bonus
            self.add("challenge" if position.state.valid else "upheld", event, *remarks)
            return
        if position.turn != seat:
            raise BadInput(f"it is not the turn of {side(position, seat)}")
        self.will_withdraw = bool(after and after.what == "--" and after.seat == seat)
        self.add(what, event)
        if self.will_withdraw and position.state.valid:
            self.will_withdraw, self.withdrawn_as_pass, event.score = False, True, 0
            self.sheet.line.steps.pop()
            position.unmake()
            self.add("-", event, f"{what} was taken back")

    def note(self, notes: Sequence[Note], *remarks: str) -> None:
        """Attach the file's notes and remarks on an event to the last move."""
        steps = self.sheet.line.steps
        last = steps[-1].notes if steps else self.sheet.line.notes
        last.extend(notes)
        self.remarks += [(last, remark) for remark in remarks]

    def add(self, word: str, event: GcgEvent, *remarks: str) -> None:
        """Make a move and verify its score. Raises BadInput, IllegalMove."""
        position, seat = self.position, event.seat
        before = position.state.scores[seat]
        move = position.parse(word)
        word = position.format(move)
        self.sheet.line.steps.append(Step(word, at=event.step.at))
        self.note(event.step.notes, *event.remarks, *remarks)
        position.make(move)
        gained = position.state.scores[seat] - before
        if gained != event.score and not position.state.over:
            raise BadInput(f"{word} scores {gained:+}, not {event.score:+}")

    def draw(self) -> None:
        """Make all tile draws that are due. Raises IllegalMove."""
        position = self.position
        while position.outcome() is None and position.turn == CHANCE:
            seat = position.next_drawer()
            assert seat is not None  # it is chance's turn
            has = Counter(KINDS[kind] for kind in position.state.racks[seat])
            missing = sorted((self.racks[seat][self.done[seat]] - has).elements())
            word = position.format(position.moves()[0]) if self.will_withdraw or not missing else missing[0]
            self.sheet.line.steps.append(Step(word))
            position.make(position.parse(word))

    def end(self) -> None:
        """Accept an unchallenged last play, add the remarks, then unmake all moves.
        Files written by this program have the remarks among their notes.
        """
        position, steps = self.position, self.sheet.line.steps
        self.draw()
        if position.outcome() is None and _is_played_out(position):
            steps.append(Step("-", at=steps[-1].at))
            position.make(position.parse("-"))
        if position.outcome() is None:
            self.sheet.tags["Termination"] = "unterminated"
        elif any(self.penalties):
            self.sheet.tags["Penalties"] = "/".join(map(str, self.penalties))
            self.sheet.result = DRAWN  # any: `payoffs` has the points
        for _ in steps:
            position.unmake()
        remaining = {(id(notes), remark): notes.count(remark) for notes, remark in self.remarks}
        missing: list[tuple[list[Note], str]] = []
        for notes, remark in self.remarks:
            remaining[id(notes), remark] -= 1
            missing += [(notes, remark)] if remaining[id(notes), remark] < 0 else []
        for notes, remark in reversed(missing):
            notes.insert(0, remark)


def payoffs(tags: dict[str, str], position: "Scrabble") -> tuple[float, ...] | None:
    """The payoffs with time penalties; None without penalties."""
    if "Penalties" not in tags or position.outcome() is None:
        return None
    penalties = [float(points) for points in tags["Penalties"].split("/")]
    scores = [score + penalty for score, penalty in zip(position.state.scores, penalties, strict=True)]
    leads: tuple[float, ...] = position.leads(scores)
    return leads


# -- writing ------------------------------------------------------------------------------------


def annotate(sheet: Sheet, position: "Scrabble") -> None:
    """Add the players and the lines of each move to a sheet."""
    names = [sheet.tags[name.title()] for name in side_names(position)]
    sheet.line.more["players"] = names
    totals = [0] * position.players

    def line_of(seat: int, what: str, score: int, rack: bytes = b"") -> str:
        totals[seat] += score
        return f"{seat}:{_tiles(rack)} {what} {score:+} {totals[seat]}"

    play: Play | None = None
    for step in sheet.line.steps:
        move, seat, before = position.parse(step.word), position.turn, position.state
        last, accepts = play, _is_played_out(position)  # a pass that accepts the last play
        if seat != CHANCE:
            play = position.play(move) if ":" in step.word else None
        position.make(move)
        after = position.state
        lines = []
        if seat != CHANCE and play:
            place, word = step.word.split(":")
            placed = dict(play.laid)
            cells = range(play.start, SIDE * SIDE, SIDE if play.down else 1)
            letters = zip(cells, word, strict=False)
            dotted = "".join(letter if cell in placed else "." for cell, letter in letters)
            lines.append(line_of(seat, f"{place} {dotted}", play.score, before.racks[seat]))
        elif step.word in ("challenge", "upheld"):
            assert before.before_play is not None and last is not None  # there is a play to challenge
            mover = before.before_play.player
            if after.cells == before.before_play.cells:
                lines.append(line_of(mover, "--", -last.score, before.before_play.racks[mover]))
            elif bonus := BONUS.get(position.challenge, 0):
                lines.append(line_of(mover, "(challenge)", bonus, before.racks[mover]))
            elif position.challenge == "double" and not accepts:
                lines.append(line_of(seat, "-", 0, before.racks[seat]))
        elif seat != CHANCE and not accepts:
            lines.append(line_of(seat, step.word, 0, before.racks[seat]))
        if after.over:  # first the player who loses their remaining tiles
            for player in sorted(range(position.players), key=lambda player: not after.racks[player]):
                if change := after.scores[player] - totals[player]:
                    leftover = after.racks[player] or b"".join(after.racks)
                    lines.append(line_of(player, f"({_tiles(leftover)})", change, after.racks[player]))
        if lines:
            step.more["gcg"] = lines
    if position.outcome() is None:
        for seat, rack in enumerate(position.state.racks):
            sheet.line.more[f"rack {seat + 1}"] = [_tiles(rack)]


def write(sheet: Sheet) -> str:
    """The text of a game; nicknames are the names without spaces."""
    names = [" ".join(name.split()) or "?" for name in sheet.line.more["players"]]
    nicks = [re.sub(r"[\s:]+", "_", name) for name in names]
    nicks = [nick if nicks.count(nick) == 1 else f"{nick}-{seat + 1}" for seat, nick in enumerate(nicks)]
    players = zip(nicks, names, strict=True)
    out = ["#character-encoding UTF-8"]
    out += [f"#player{number} {nick} {name}" for number, (nick, name) in enumerate(players, 1)]
    for pragma, tag in PRAGMA_TAGS.items():
        if (value := " ".join(sheet.tags.get(tag, "?").split())) not in ("", "?"):
            out.append(f"#{pragma} {value}")
    for name, values in sheet.line.more.items():
        if name.startswith("pragma "):
            out += [f"#{name.removeprefix('pragma ')} {value}".rstrip() for value in values]
    if sheet.tags.get("Termination") == "unterminated":
        out.append("#incomplete")
    out += [f"#note {' '.join(note.split())}" for note in sheet.line.notes if isinstance(note, str)]
    for step in sheet.line.steps:
        for line in step.more.get("gcg", []):
            seat, _, event = line.partition(":")
            out.append(f">{nicks[int(seat)]}: {event}")
        out += [f"#note {' '.join(note.split())}" for note in step.comments if note.strip()]
    for name, (rack, *_) in sheet.line.more.items():
        if name.startswith("rack ") and rack:
            out.append(f"#rack{name[5:]} {rack}")
    return "\n".join(out) + "\n"


def _tiles(rack: bytes) -> str:
    return "".join(sorted(KINDS[tile] for tile in rack))


def _is_played_out(position: "Scrabble") -> bool:
    """True if a player has gone out: a pass accepts the play."""
    return b"" in position.state.racks and not position.bag_size()
