"""Pondering in UCI and Hub: a program searches the position after the reply that it expects.

Pondering begins after its move. If the reply is played, `ponderhit` makes the search the one for its move,
whose time begins then; if not, it is stopped, and its answer is dropped. Hub lets a program answer before
that, and some UCI programs do: such an answer is kept for a hit.
"""

import time
from typing import TYPE_CHECKING, ClassVar

from gameplay.protocols.channel import Broken, Channel
from gameplay.protocols.talk import Moves, Talk
from gameplay.search.limit import Limit

if TYPE_CHECKING:
    from gameplay.players.player import ClockView

UNSAID = 0.001  # seconds without a line after which a program has said nothing yet


class PonderingTalk(Talk):
    """A conversation in a protocol with `go ponder`."""

    hit_word: ClassVar[str]
    final: ClassVar[str]  # the first word of its answer

    def __init__(self, channel: Channel) -> None:
        super().__init__(channel)
        self.thought: tuple[str, list[str]] | None = None  # the start and the moves that it ponders on

    def launch(
        self, player: int, limit: Limit, clock: "ClockView | None", deadline: float, ponder: bool = False
    ) -> None:
        """Begin a search for the move of `player`, or with `ponder` one that goes on until `take_up`."""
        raise NotImplementedError

    def go(self, player: int, limit: Limit, clock: "ClockView | None", deadline: float) -> None:
        """Request the move of `player`."""
        self.launch(player, limit, clock, deadline)

    @property
    def pondering(self) -> bool:
        return self.thought is not None

    def ponder(
        self, start: str, moves: Moves, player: int, limit: Limit, clock: "ClockView | None", deadline: float
    ) -> None:
        """Search the position after the expected reply, the last of `moves`."""
        self.position(start, moves, deadline)
        self.launch(player, limit, clock, deadline, ponder=True)
        self.thought = start, [word for _, word in moves]

    def expects(self, start: str, moves: Moves) -> bool:
        """True if it ponders on this very position."""
        return self.thought == (start, [word for _, word in moves])

    def take_up(
        self, moves: Moves, player: int, limit: Limit, clock: "ClockView | None", deadline: float
    ) -> None:
        """The expected reply was played: ask for the move that its pondering finds."""
        self.thought = None
        self.channel.listen_anew()
        if not self._answered():
            self.channel.send(self.hit_word, deadline)

    def rest(self, deadline: float) -> None:
        """Stop pondering. Raises Broken if the program does not by `deadline`."""
        if self.thought is None:
            return
        self.thought = None
        self.channel.listen_anew()
        if not self._answered():
            self.channel.send("stop", deadline)
        if self.answer(deadline, lambda info: False) is None:
            raise Broken("hang", "did not stop pondering when asked to")

    def _answered(self) -> bool:
        """True if its answer has come already; it stays the next line to receive."""
        while (line := self.channel.receive(time.monotonic() + UNSAID)) is not None:
            if line.split()[:1] == [self.final]:
                self.channel.put_back(line)
                return True
        return False
