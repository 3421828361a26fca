"""Our side of UGI: what our engines answer to programs that want to play against them.

The Universal Game Interface (https://github.com/kz04px/cutegames/blob/master/ugi.md) is UCI for any game of
two players:

    ugi                                          id, option ..., ugiok
    isready                                      readyok, also during a search
    setoption name NAME value VALUE              options of the engine, as `gameplay engines NAME` lists them
    uginewgame
    position startpos|fen TEXT [moves WORD ...]  positions and moves as the game writes them, dice included
    query gameover|p1turn|result                 response true|false|p1win|p2win|draw|none
    go [p1time MS p2time MS p1inc MS p2inc MS movestogo N] [movetime MS] [depth N] [nodes N] [infinite]
                                                 info ..., bestmove WORD, or bestmove (none)
    stop                                         ends the search with its best move so far
    quit                                         so does the end of the input

What cannot be obeyed is answered by `info string`, never by silence or an end: a wrong `position` leaves
no position, and `go` then finds no move.
"""

import dataclasses
import os
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from gameplay.errors import GameplayError, Usage, told, unknown
from gameplay.protocols.uci import score
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.value import MAX_PLY

LONGEST = 4 * 1024 * 1024  # bytes of a line; what is longer is dropped
CHUNK = 64 * 1024
PATIENCE = 0.05  # seconds between two looks at the input while a finished search waits for `stop`
COMMANDS = ("ugi", "isready", "setoption", "uginewgame", "position", "query", "go", "stop", "quit")
TIMES = ("p1time", "p2time", "p1inc", "p2inc")

Times = tuple[tuple[float, float], tuple[float, float], int]  # left and increment, in seconds; moves to go
Begin = Callable[[str, list[str], Times | None], Any]


class Side:
    """Answers one conversation.

    `begin(start, words, times)` makes the match of a position; `player` chooses the moves. Lines go to `say`.
    A player whose strength is `fixed` takes no limits but time.
    """

    def __init__(
        self, title: str, player: Any, begin: Begin, say: Callable[[str], Any], fixed: bool = False
    ) -> None:
        self.title = title
        self.player = player
        self.own = getattr(player, "limit", None)
        self.begin = begin
        self.say = say
        self.fixed = fixed
        self.inbox: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.later: list[str | None] = []  # what came during a search and waits for its end
        self.place: tuple[str, list[str]] | None = ("", [])
        self.stopping = False
        self.depth = 0

    def listen(self, source: int) -> None:
        """Answer every line of the file descriptor `source` until it ends or says `quit`.

        A descriptor and no stream: a thread that waits in one would hold its lock when Python ends.
        """
        threading.Thread(target=self._read, args=(source,), name="ugi", daemon=True).start()
        while True:
            line = self.later.pop(0) if self.later else self.inbox.get()
            if line is None or not self.obey(line):
                return

    def obey(self, line: str) -> bool:
        """Answer one line; false if it ends the conversation."""
        words = line.split()
        if not words:
            return True
        if words[0] == "quit":
            return False
        with self._telling():
            if words[0] not in COMMANDS:
                raise Usage(unknown("command", words[0][:80], COMMANDS))
            getattr(self, f"_{words[0]}")(words[1:])
        return True

    # -- commands --------------------------------------------------------------------------------

    def _ugi(self, words: list[str]) -> None:
        self.say(f"id name {self.title}")
        self.say("id author the gameplay developers")
        for name, field in self._options().items():
            default = getattr(self.player.engine, name)
            if isinstance(default, bool):
                self.say(f"option name {name} type check default {str(default).lower()}")
            elif isinstance(default, int):
                self.say(f"option name {name} type spin default {default} min 0 max {2**63 - 1}")
            else:
                self.say(f"option name {name} type string default {default or field.default or '<empty>'}")
        self.say("ugiok")

    def _isready(self, words: list[str]) -> None:
        self.say("readyok")

    def _setoption(self, words: list[str]) -> None:
        at = words.index("value") if "value" in words else len(words)
        name, text = " ".join(words[1:at]), " ".join(words[at + 1 :])
        known = {option.lower(): option for option in self._options()}
        if words[:1] != ["name"] or name.lower() not in known:
            raise Usage(unknown("option", name, known.values()))
        name = known[name.lower()]
        engine = self.player.engine
        value = engine.from_options({name: "" if text == "<empty>" else text})
        changed = dataclasses.replace(engine, **{name: getattr(value, name)})
        changed.check(self.begin("", [], None).position)
        self.player.engine = changed

    def _uginewgame(self, words: list[str]) -> None:
        self.place = ("", [])

    def _position(self, words: list[str]) -> None:
        self.place = None
        at = words.index("moves") if "moves" in words else len(words)
        start = " ".join(words[1:at])
        if words[:1] == ["startpos"] and at == 1:
            start = ""
        elif words[:1] != ["fen"] or not start:
            raise Usage("position what? write position startpos, or position fen TEXT, and moves WORD ...")
        moves = words[at + 1 :]
        self.begin(start, moves, None)
        self.place = (start, moves)

    def _query(self, words: list[str]) -> None:
        question = " ".join(words)
        if self.place is None:
            self.say("response none")
            return
        match = self.begin(*self.place, None)
        payoffs = match.payoffs
        if question == "gameover":
            self.say(f"response {str(payoffs is not None).lower()}")
        elif question == "p1turn":
            self.say(f"response {str(match.position.turn == 0).lower()}")
        elif question == "result":
            first, second = payoffs or (0, 0)
            known = "p1win" if first > second else "p2win" if first < second else "draw"
            self.say(f"response {known if payoffs is not None else 'none'}")
        else:
            self.say("response none")
            raise Usage(unknown("question", question, ["gameover", "p1turn", "result"]))

    def _go(self, words: list[str]) -> None:
        best = "(none)"
        with self._telling():
            limit, times, infinite = _asked(words)
            if self.place is None:
                raise Usage("there is no position to search")
            match = self.begin(*self.place, times)
            if match.payoffs is not None:
                raise Usage("the game is over")
            if not 0 <= match.position.turn < 2:
                raise Usage("nobody is on turn: dice or cards come first, and you tell them")
            best = self._search(match, limit, infinite)
        self.say(f"bestmove {best}")

    def _stop(self, words: list[str]) -> None:
        """Nothing: no search runs."""

    # -- searching -------------------------------------------------------------------------------

    def _search(self, match: Any, limit: Limit, infinite: bool) -> str:
        player = self.player
        self.stopping = False
        self.depth = 0
        match.listeners = [lambda event: self._watch(match, event.report)]
        if self.own is not None:
            player.limit = self.own
            if self.fixed:
                player.limit = self.own.with_(seconds=limit.seconds or self.own.seconds)
            elif infinite:
                player.limit = Limit(depth=MAX_PLY) if player.engine.deepens else Limit()
            elif limit:
                player.limit = limit
        try:
            choice = player.choose(match)
        finally:
            if self.own is not None:
                player.limit = self.own
        move = match.moves()[0] if choice is None or choice.move is None else choice.move
        if choice is not None and choice.report is not None and choice.report.engine:
            self._inform(match, choice.report)
        while infinite and not self.stopping:  # a move told before `stop` would be taken for nobody's
            self._look(PATIENCE)
        return str(match.position.format(move))

    def _watch(self, match: Any, report: Report | None) -> bool:
        """Called about twenty times a second while it searches; true if it shall stop."""
        if report is not None and report.depth > self.depth:
            self.depth = report.depth
            self._inform(match, report)
        self._look(0)
        return self.stopping

    def _look(self, seconds: float) -> None:
        """Answer what has come during a search: `isready` at once, `stop` and `quit` by stopping.

        The rest waits for its turn, and so does whatever follows the next `go`, for it means that search.
        """
        with suppress(queue.Empty):
            while True:
                self.later.append(self.inbox.get(timeout=seconds) if seconds else self.inbox.get_nowait())
                seconds = 0
        kept: list[str | None] = []
        mine = True
        for line in self.later:
            word = "quit" if line is None else " ".join(line.split()[:1])
            mine = mine and word != "go"
            if mine and word == "isready":
                self.say("readyok")
                continue
            if word == "quit" or (mine and word == "stop"):
                self.stopping = True
            if not mine or word != "stop":
                kept.append(line)
        self.later = kept

    def _inform(self, match: Any, report: Report) -> None:
        words = [f"info depth {report.depth} seldepth {report.seldepth} score {score(report.value)}"]
        words.append(f"time {int(1000 * report.seconds)} nodes {report.nodes} nps {round(report.nps)}")
        words.append(f"hashfull {int(1000 * report.fill)}")
        line = match.spell(report.pv)
        self.say(" ".join([*words, *(["pv", *line] if line else [])]))

    # -- inside ----------------------------------------------------------------------------------

    def _options(self) -> dict[str, Any]:
        engine = getattr(self.player, "engine", None)
        return {} if engine is None else dict(engine.options())

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """What goes wrong inside is told, and that is all."""
        try:
            yield
        except GameplayError as error:
            self._tell(str(error))
        except Exception as error:  # a game's own code, where nothing stood between
            self._tell(told(error))

    def _tell(self, words: str) -> None:
        self.say("info string " + " ".join(words.split()))

    def _read(self, source: int) -> None:
        rest = b""
        while True:
            try:
                data = os.read(source, CHUNK)
            except OSError:
                data = b""
            *lines, rest = (rest + data).split(b"\n")
            for line in lines if data else [rest]:
                self.inbox.put(line.decode("utf-8", "replace"))
            if not data:
                self.inbox.put(None)
                return
            if len(rest) > LONGEST:
                rest = b"line"  # too long to be meant; an unknown command tells so


def _asked(words: list[str]) -> tuple[Limit, Times | None, bool]:
    """What `go` asks: limits, clocks, and whether to search until told to stop. Raises Usage."""
    numbers: dict[str, int] = {}
    infinite = False
    names = (*TIMES, "movestogo", "movetime", "depth", "nodes")
    pending = iter(words)
    for word in pending:
        if word == "infinite":
            infinite = True
            continue
        if word not in names:
            raise Usage(unknown("limit", word, [*names, "infinite"]))
        text = next(pending, "")
        if not text.lstrip("-").isdecimal():
            raise Usage(f"{word} is a whole number, not '{text}'")
        numbers[word] = int(text)
    movetime = numbers.get("movetime")
    depth = numbers.get("depth")
    limit = Limit(
        None if depth is None else min(depth, MAX_PLY),
        numbers.get("nodes"),
        None if movetime is None else max(movetime, 1) / 1000,
    )
    times = None
    if "p1time" in numbers or "p2time" in numbers:
        first, second, more, other = (max(0, numbers.get(name, 0)) / 1000 for name in TIMES)
        times = ((first, more), (second, other), max(0, numbers.get("movestogo", 0)))
    return limit, times, infinite
