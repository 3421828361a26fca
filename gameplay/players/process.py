"""A player in a process of its own: any program that speaks UGI, UCI, GTP or NBoard.

    ugi:./engine                                     UGI, the language of `gameplay ugi`, for every game
    uci:stockfish,nodes=5000,Hash=64                 UCI; GTP for games whose moves it can say
    gtp:gnugo --mode gtp,boardsize=9
    nboard:edax -nboard,depth=6                      NBoard, for Othello
    ugi:"./my engine" --book "a,b.txt",time=1        quoted as in a shell where there are spaces or commas

After the command come NAME=VALUE: depth, nodes and time limit its moves, `timeout` is how many seconds a
move may take where no clock runs (60), `name` is what it is called, and everything else is an option of
the engine; `option.depth=3` for one that has such a name.

Whatever goes wrong is a Fault that tells its kind. No wait lasts for ever: START_UP until it has come up,
PING until it is ready, its clock or its timeout for a move.
"""

import os
import shlex
import shutil
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from errno import EACCES, ENOENT, ENOEXEC, ENOTDIR
from typing import Any

from gameplay.errors import BadInput, Fault, IllegalMove, Usage
from gameplay.players.player import Choice
from gameplay.players.seats import PROTOCOLS, parts
from gameplay.protocols.channel import Broken, Channel
from gameplay.protocols.gtp import Gtp
from gameplay.protocols.nboard import NBoard
from gameplay.protocols.uci import Info, Moves, Uci, Ugi
from gameplay.search.limit import Limit
from gameplay.search.report import Report

TIMEOUT = 60.0  # seconds for a move where no clock runs
START_UP = 10.0  # seconds until the process has introduced itself
PING = 10.0  # seconds until it is ready
GRACE = 1.0  # seconds to answer `stop`
QUERY = 1.0  # seconds to say what it believes of a position

GAMES = "/usr/local/games:/usr/games"

SPEAK: dict[str, Any] = dict(zip(PROTOCOLS, (Ugi, Uci, Gtp, NBoard), strict=True))
RESIGNS = "resign"


@dataclass(frozen=True)
class Told:
    """What a spec tells. `options` go to the engine."""

    protocol: str
    command: tuple[str, ...]
    limit: Limit
    options: dict[str, str]
    timeout: float = TIMEOUT
    name: str = ""

    def __str__(self) -> str:
        words = [f"{self.protocol}:{' '.join(_quoted(word) for word in self.command)}"]
        limits = {"depth": self.limit.depth, "nodes": self.limit.nodes, "time": self.limit.seconds}
        words += [f"{key}={value}" for key, value in limits.items() if value is not None]
        if self.timeout != TIMEOUT:
            words.append(f"timeout={self.timeout:g}")
        if self.name:
            words.append(f"name={self.name}")
        own = ("depth", "nodes", "time", "timeout", "name")
        return ",".join(words + [f"{'option.' * (k in own)}{k}={v}" for k, v in self.options.items()])


def program(word: str) -> str | None:
    """The file that a command's first word starts; None if there is none.

    Where PATH has no such program, the folders in which Debian keeps games are searched.
    """
    return shutil.which(word) or shutil.which(word, path=GAMES)


def _quoted(word: str) -> str:
    return f"'{word}'" if "," in word and "'" not in word else shlex.quote(word)


def told(spec: str) -> Told:
    """What a spec tells, the program's path made absolute. Raises Usage for a wrong one."""
    protocol, _, rest = spec.partition(":")
    words = parts(rest)
    try:
        command = shlex.split(words[0]) if words else []
    except ValueError as error:
        raise Usage(f"'{spec}': {error}".lower().replace("no closing", "there is no closing")) from None
    if protocol not in SPEAK or not command:
        raise Usage(f"'{spec}' names no program: write {protocol}:COMMAND, as in ugi:./engine")
    command[0] = os.path.expanduser(command[0])
    if os.sep in command[0]:
        command[0] = os.path.abspath(command[0])
    numbers: dict[str, float] = {}
    options: dict[str, str] = {}
    name = ""
    for part in words[1:]:
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not key:
            raise Usage(
                f"'{spec}': '{part}' should read NAME=VALUE (quote a comma that is part of the command)"
            )
        if key == "name":
            name = value
        elif key in ("depth", "nodes", "time", "timeout"):
            whole = key in ("depth", "nodes")
            try:
                numbers[key] = int(value) if whole else float(value)
            except ValueError:
                raise Usage(f"'{spec}': {key} is a {'whole ' * whole}number, not '{value}'") from None
        else:
            options[key.removeprefix("option.")] = value
    timeout = numbers.pop("timeout", TIMEOUT)
    if not 0 < timeout < 1e6:
        raise Usage(f"'{spec}': timeout is a number of seconds over 0, not {timeout:g}")
    depth, nodes = numbers.get("depth"), numbers.get("nodes")
    limit = Limit(
        int(depth) if depth is not None else None,
        int(nodes) if nodes is not None else None,
        numbers.get("time"),
    )
    return Told(protocol, tuple(command), limit, options, timeout, name)


class ProcessPlayer:
    """Starts its program at the first game, keeps it for the next ones, and starts it anew when it died."""

    def __init__(self, spec: str, limit: Limit | None = None) -> None:
        own = told(spec)
        if limit is not None:
            mine = own.limit
            both = Limit(mine.depth or limit.depth, mine.nodes or limit.nodes, mine.seconds or limit.seconds)
            own = Told(own.protocol, own.command, both, own.options, own.timeout, own.name)
        self.told = own
        self.limit = own.limit
        self.spec = str(own)
        self.name = own.name or os.path.basename(own.command[0])
        self.channel: Channel | None = None
        self.talk: Any = None
        self.match: Callable[[], Any] = lambda: None  # the one it was told of

    def check(self, position: Any) -> None:
        """Raises Usage if this game cannot be told in the protocol, BadInput if there is no such program."""
        game, speech = type(position).__name__, SPEAK[self.told.protocol].name
        if position.players != 2:
            raise Usage(f"{speech} is for two players, and {game} has {position.players}")
        if position.hidden:
            raise Usage(f"{speech} tells every move, and {game} hides something from the players")
        if position.chance and self.told.protocol == "gtp":
            raise Usage(f"GTP has no word for chance, and {game} has chance in it")
        if self.told.protocol == "gtp" and self.limit:
            raise Usage("GTP has no word for depth, nodes or time a move: give the game a clock")
        if self.told.protocol == "nboard":
            if game != "Othello" or position.size != 8:
                raise Usage("NBoard is for Othello on 8x8 squares alone")
            if self.limit.nodes is not None or self.limit.seconds is not None:
                raise Usage("NBoard has no word for nodes or time a move: say depth=N")
        word = self.told.command[0]
        if program(word) is None:
            code = EACCES if os.path.exists(word) and os.sep in word else ENOENT
            hint = "; options follow a comma: uci:stockfish,Skill Level=3" if ":" in word else ""
            raise BadInput(f"{self.spec}: {word}: {os.strerror(code)}{hint}")

    def begin(self, match: Any) -> None:
        """A match begins: start the program if it does not run, and tell it. Raises Fault."""
        self.match = weakref.ref(match)
        if self.told.protocol == "gtp" and match.start:
            raise Usage("GTP knows no way to set a position up: begin from the usual start")
        fresh = False
        while True:
            if self.channel is None or self.channel.exited():
                self._start()
                fresh = True
            try:
                self.talk.begin(time.monotonic() + PING)
                return
            except Broken as broken:  # it may have died long ago, with nobody looking
                if fresh:
                    raise self._fault(broken.kind, str(broken)) from None
                self._end()

    def choose(self, match: Any) -> Choice | None:
        """The program's move. Raises Fault for anything else that it does, but it may resign."""
        if self.match() is not match or self.channel is None:
            self.begin(match)
        player, clock = match.position.turn, match.clock
        if clock is not None and not clock.runs(player):
            clock = None
        try:
            ready = time.monotonic() + PING
            if self.talk.own_words:
                self.talk.prepare(match.position, ready)
            self.talk.position(*self._place(match), ready)
            if clock is not None:
                clock.start(player)  # its time begins here: getting ready is free
            began = time.monotonic()
            if clock is not None:
                deadline = began + clock.allowance(player) + clock.margin
            else:
                deadline = began + self.told.timeout + (self.limit.seconds or 0.0)
            self.talk.go(player, self.limit, clock, ready)
            try:
                word = self.talk.answer(deadline, lambda info: self._show(match, info, began))
            except KeyboardInterrupt:
                self._end()
                raise
            if word is None:
                raise self._late(match, clock is not None, began, deadline)
        except Broken as broken:
            raise self._fault(broken.kind, str(broken) + _after(match)) from None
        if word.lower() == RESIGNS and self.told.protocol == "gtp":
            match.resign(player)
            return None
        move = self._move(match, word)
        return Choice(move, self._report(match, self.talk.info, time.monotonic() - began, move))

    def contradiction(self, match: Any) -> str:
        """Where the program believes otherwise than the rules who has won; "" where it agrees or is silent.

        What it believes has no consequence for the result. For UGI only: no other protocol can ask.
        """
        if self.told.protocol != "ugi" or self.channel is None:
            return ""
        payoffs = match.position.outcome()
        try:
            ends = time.monotonic() + QUERY
            self.talk.position(*self._place(match), ends)
            believed = self.talk.query("result", ends)
        except Broken:
            return ""
        known = "none"
        if payoffs is not None:
            known = "p1win" if payoffs[0] > payoffs[1] else "p2win" if payoffs[0] < payoffs[1] else "draw"
        if believed is None or believed == known:
            return ""
        return f"{self.name} says the result is '{believed}', and by the rules it is '{known}'{_after(match)}"

    def close(self) -> None:
        """End the program; it may be begun again."""
        if self.channel is not None:
            self.channel.close(self.talk.farewell)
        self.channel = None

    # -- inside ----------------------------------------------------------------------------------

    def _start(self) -> None:
        self._end()
        try:
            name, *arguments = self.told.command
            self.channel = Channel([program(name) or name, *arguments])
        except OSError as error:
            if error.errno not in (EACCES, ENOENT, ENOEXEC, ENOTDIR):
                raise  # no memory or no descriptor left: nobody's fault here
            fault = self._fault("start", f"{self.told.command[0]}: {error.strerror}")
            fault.status = BadInput.status
            raise fault from None
        self.talk = SPEAK[self.told.protocol](self.channel)
        try:
            self.talk.greet(self.told.options, time.monotonic() + START_UP)
        except Broken as broken:
            raise self._fault("start", str(broken)) from None
        except Fault as fault:
            raise self._fault("start", str(fault)) from None

    def _end(self) -> None:
        """End the program without a farewell."""
        if self.channel is not None:
            self.channel.close()
        self.channel = None

    def _fault(self, kind: str, words: str) -> Fault:
        """The program failed: end it, and say how with what it complained of last."""
        log = tuple(self.channel.tail) if self.channel is not None else ()
        self._end()
        last = next((line for line in reversed(log) if line.strip()), "")
        return Fault(f"{self.name} {words}" + (f"; its last words: {last}" if last else ""), kind, log)

    def _late(self, match: Any, clocked: bool, began: float, deadline: float) -> Fault:
        """No move in time: stop it, and keep the program if it obeys."""
        try:
            obeys = self.talk.stop(time.monotonic() + GRACE) is not None
        except Broken:
            obeys = False
        now = time.monotonic()
        words = f"had not moved after {deadline - began:.3g} s"
        if obeys:
            words += f", but did when told to stop, {1000 * (now - deadline):.0f} ms later"
        else:
            words += ", and did not when told to stop"
        kind = "time_forfeit" if clocked else "hang"
        if obeys:
            return Fault(f"{self.name} {words}{_after(match)}", kind)
        return self._fault(kind, words + _after(match))

    def _place(self, match: Any) -> tuple[str, Moves]:
        """The start and the moves since then, in the words of the protocol."""
        if not self.talk.own_words:
            return match.start, [(turn.player, turn.word) for turn in match.turns]
        position = match.replica(0)
        start = self.talk.start(position, match.start)
        moves = []
        for turn in match.turns:
            moves.append((turn.player, self.talk.spell(position, turn.move)))
            position.make(turn.move)
        return start, moves

    def _move(self, match: Any, word: str) -> int:
        try:
            move: int = self.talk.understand(match.position, word)
        except Exception as error:
            why = f": {error}" if isinstance(error, IllegalMove) else ""
            position = match.position.text()
            place = f" in {position}" if position else ""
            raise Fault(f"{self.name} answered '{word}'{place}{_after(match)}{why}", "illegal_move") from None
        return move

    def _show(self, match: Any, info: Info, began: float) -> bool:
        report = self._report(match, info, time.monotonic() - began)
        return report is not None and bool(match.watch(report))

    def _report(self, match: Any, info: Info, seconds: float, move: int | None = None) -> Report | None:
        """What the program said of its search; None if it told no value. `move` ends the search."""
        if "value" not in info:
            return None
        position = match.replica()
        pv: list[int] = []
        for word in info.get("pv", ()):
            try:
                pv.append(self.talk.understand(position, word))
                position.make(pv[-1])
                if position.outcome() is not None:
                    break
            except Exception:  # a line that cannot be played is no reason to lose a game
                break
        return Report(
            move=move if move is not None else pv[0] if pv else None,
            value=info["value"],
            depth=info.get("depth", 0),
            seldepth=info.get("seldepth", 0),
            nodes=info.get("nodes", 0),
            seconds=seconds,
            pv=tuple(pv),
            fill=min(1000, info.get("hashfull", 0)) / 1000,
            engine=self.spec,
            final=move is not None,
        )


def _after(match: Any) -> str:
    words = match.words()
    return f', after the moves "{" ".join(words)}"' if words else ", at the start"
