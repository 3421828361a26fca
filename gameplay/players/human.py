"""A human player, and the interface that shows the game and reads moves (`PlayerInput`)."""

from typing import Protocol

from gameplay.players.interpreter import Interpreter
from gameplay.players.player import Choice, MatchControl, Player


class PlayerInput(Protocol):
    """Input and output of a human player."""

    def read(self, match: MatchControl, interpreter: Interpreter) -> str:
        """Read one line. Raises KeyboardInterrupt, or Unfinished at the end of input."""
        ...

    def show_answer(self, text: str) -> None:
        """Show a text to the human, before the next `read` at the latest."""
        ...


class Human(Player):
    """Plays the moves that a person types. `display_name`: their name, if given."""

    spec = "human"

    def __init__(self, player_input: PlayerInput, interpreter: Interpreter, display_name: str = "") -> None:
        self.display_name = display_name
        self.name = display_name or "human"
        self.input = player_input
        self.interpreter = interpreter

    def choose(self, match: MatchControl) -> Choice | None:
        """Ask until a legal move is entered, a command has changed the match, or the time is up."""
        if (queued := self.interpreter.queue.next(match)) is not None:
            return Choice(queued)
        if proposal := self.interpreter.proposal(match):
            self.input.show_answer(proposal)
        while True:
            line = self.input.read(match, self.interpreter)
            if match.clock is not None and match.clock.flag_fallen():
                return None
            answer = self.interpreter.execute(line, match)
            if answer.text:
                self.input.show_answer(answer.text)
            if answer.done or answer.choice is not None:
                return answer.choice
