"""A human player, and the interface by which they see the game and type moves (`PlayerInput`)."""

from typing import Protocol

from gameplay.players.interpreter import Interpreter
from gameplay.players.player import Choice, MatchControl, Player


class PlayerInput(Protocol):
    """Where a human reads and writes."""

    def read(self, match: MatchControl, interpreter: Interpreter) -> str:
        """One line of what the human wants. Raises KeyboardInterrupt, or Unfinished when there is no more."""
        ...

    def say(self, text: str) -> None:
        """Show a text to the human, before the next `read` at the latest."""
        ...


class Human(Player):
    """Plays the moves that a person types. `called`: their name, if given."""

    spec = "human"

    def __init__(self, player_input: PlayerInput, interpreter: Interpreter, called: str = "") -> None:
        self.called = called
        self.name = called or "human"
        self.input = player_input
        self.interpreter = interpreter

    def choose(self, match: MatchControl) -> Choice | None:
        """Ask until there is a legal move, a command has changed the match, or the time is up."""
        if (queued := self.interpreter.queue.next(match)) is not None:
            return Choice(queued)
        if proposal := self.interpreter.proposal(match):
            self.input.say(proposal)
        while True:
            line = self.input.read(match, self.interpreter)
            if match.clock is not None and match.clock.fallen():
                return None
            answer = self.interpreter.obey(line, match)
            if answer.text:
                self.input.say(answer.text)
            if answer.done or answer.choice is not None:
                return answer.choice
