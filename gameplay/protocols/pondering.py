"""Pondering in UCI and Hub: a program searches the position after the expected reply.

Pondering starts after the program's move. If the expected reply is played, `ponderhit` converts the search to
a normal one, whose time starts then; otherwise it is stopped and its answer discarded. Hub allows an answer
before that, and some UCI programs send one: it is kept for a hit.
"""

import time
from typing import TYPE_CHECKING, ClassVar

from gameplay.protocols.channel import Broken, Channel
from gameplay.protocols.talk import Moves, Talk
from gameplay.search.limit import Limit

if TYPE_CHECKING:
    from gameplay.players.player import ClockView

ANSWER_POLL = 0.001  # seconds to wait for an answer that may have arrived


class PonderingTalk(Talk):
    """A connection in a protocol with `go ponder`."""

    hit_word: ClassVar[str]
    final: ClassVar[str]  # the first word of its answer

    def __init__(self, channel: Channel) -> None:
        super().__init__(channel)
        self.thought: tuple[str, list[str]] | None = None  # start and moves of the pondered position

    def launch(
        self, player: int, limit: Limit, clock: "ClockView | None", deadline: float, ponder: bool = False
    ) -> None:
        """Start a search for the move of `player`; with `ponder` it runs until `ponder_hit`."""
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

    def is_pondering_on(self, start: str, moves: Moves) -> bool:
        """True if this position is being pondered."""
        return self.thought == (start, [word for _, word in moves])

    def ponder_hit(
        self, moves: Moves, player: int, limit: Limit, clock: "ClockView | None", deadline: float
    ) -> None:
        """The expected reply was played: request the move from the pondering search."""
        self.thought = None
        self.channel.reset_answer_size()
        if not self._answered():
            self.channel.send(self.hit_word, deadline)

    def stop_pondering(self, deadline: float) -> None:
        """Stop pondering. Raises Broken if the program does not stop by `deadline`."""
        if self.thought is None:
            return
        self.thought = None
        self.channel.reset_answer_size()
        if not self._answered():
            self.channel.send("stop", deadline)
        if self.answer(deadline, lambda info: False) is None:
            raise Broken("hang", "did not stop pondering when asked to")

    def _answered(self) -> bool:
        """True if the answer has already arrived; it remains the next line to receive."""
        while (line := self.channel.receive(time.monotonic() + ANSWER_POLL)) is not None:
            if line.split()[:1] == [self.final]:
                self.channel.put_back(line)
                return True
        return False
