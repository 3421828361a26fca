"""The server side of NBoard, for Othello programs.

The NBoard protocol, version 2 (Chris Welty; instructions/Protocol.htm of NTest):

    nboard 2                    set myname ...
    set depth N                 depth limit from now on; other `set` commands are ignored
    set game GGF                the position at the end of this game
    move F5[/VALUE/SECONDS]     this move has been made
    go                          status ..., search ..., nodestats NODES SECONDS, === F5/VALUE/SECONDS
    hint N                      search PV VALUE 0 DEPTH for the best move, and the N - 1 next ones
    ping N                      pong N, after stopping a running search
    learn                       learned
    quit                        also at the end of input

Values are discs, from the mover's view. Unknown lines are ignored, as the protocol requires.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gameplay.errors import Usage
from gameplay.protocols import ggf
from gameplay.protocols.side import GoRequest, Side, one_line
from gameplay.search.limit import Limit, numeral
from gameplay.search.report import Report
from gameplay.value import MAX_PLY

if TYPE_CHECKING:
    from gameplay.players.player import MatchControl


class NBoardSide(Side):
    """An NBoard server; serves one connection."""

    commands = ("nboard", "set", "move", "go", "hint", "ping", "learn", "quit")
    during = ()
    halts = ("ping",)
    starts = ("go", "hint")
    deep = 0  # depth limit in plies, 0: the player's own
    chosen: tuple[int, ...] = ()  # root moves to search, empty: all

    def _parse_command(self, tokens: list[str]) -> list[str]:
        return tokens if tokens and tokens[0] in self.commands else []

    def _send_notice(self, text: str) -> None:
        self.send("status " + one_line(text))

    def _nboard(self, tokens: list[str]) -> None:
        self.send(f"set myname {self.title}")

    def _set(self, tokens: list[str]) -> None:
        if tokens[:1] == ["depth"]:
            depth = numeral("".join(tokens[1:2]))
            if not depth:
                raise Usage("set depth expects a number of plies, at least 1")
            self.deep = min(depth, MAX_PLY)
        elif tokens[:1] == ["game"]:
            self.place = None
            start, moves = ggf.read(" ".join(tokens[1:]))
            self.place = start, []
            for player, word in moves:
                self._play(word, player)

    def _move(self, tokens: list[str]) -> None:
        self._play(ggf.from_ggf("".join(tokens[:1])))

    def _play(self, word: str, player: int = -1) -> None:
        """Make a move; a pass before it may be omitted."""
        if self.place is None:
            raise Usage("the last game was invalid. Try: send another")
        start, words = self.place
        self.place = None
        position = self.host.match(start, words).position
        if word != "pass" and player not in (-1, position.turn):
            words = [*words, "pass"]
        self.host.match(start, [*words, word])
        self.place = start, [*words, word]

    def _ping(self, tokens: list[str]) -> None:
        self.player.reserve()
        self.send(" ".join(["pong", *tokens[:1]]))

    def _learn(self, tokens: list[str]) -> None:
        self.send("learned")

    def _go(self, tokens: list[str]) -> None:
        with self._reporting_errors():
            match = self._match()
            self.send(f"status {self.player.name} is thinking")
            self.chosen = ()
            self.send(f"=== {self._search(match, GoRequest())}")
        self.send("status")

    def _hint(self, tokens: list[str]) -> None:
        with self._reporting_errors():
            match = self._match()
            count = numeral("".join(tokens[:1]))
            self.send("status analyzing")
            left = list(match.moves())
            for _ in range(min(1 if count is None else count, len(left))):
                self.chosen = tuple(left)
                best = self._search(match, GoRequest())
                if self.stopping or self.input_ended:
                    break
                left.remove(match.position.parse(ggf.from_ggf(best)))
        self.send("status")

    def _limit(self, own: Limit, request: GoRequest) -> Limit:
        limit = own.within(Limit(depth=self.deep or None))
        return limit.with_(moves=self.chosen)

    def _send_info(self, match: "MatchControl", report: Report) -> None:
        line = "".join(self._format_line(match, report.pv))
        if line:
            self.send(f"search {line} {self._discs(match, report):.2f} 0 {report.depth}")
        self.send(f"nodestats {report.nodes} {report.seconds:.2f}")

    def _format_line(self, match: "MatchControl", line: Sequence[int]) -> list[str]:
        return [ggf.to_ggf(name) for name in match.spell(line)]

    def _best(self, match: "MatchControl", move: int, report: Report | None) -> str:
        word = ggf.to_ggf(match.position.format(move))
        if report is None:
            return word
        return f"{word}/{self._discs(match, report):.2f}/{report.seconds:.2f}"

    @staticmethod
    def _discs(match: "MatchControl", report: Report) -> float:
        return float(report.value / match.position.unit)
