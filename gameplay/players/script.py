"""A human who reads and writes lines: at a pipe, at a file, at a screen reader."""

from typing import Any, TextIO

from gameplay.errors import Unfinished
from gameplay.players.words import Words


class Lines:
    """A desk of lines. `teller` shows the position before each question; `ask` is written before reading."""

    def __init__(self, source: TextIO, teller: Any, ask: str = "") -> None:
        self.source = source
        self.teller = teller
        self.ask = ask

    def read(self, match: Any, words: Words) -> str:
        """The next line that is not empty. Raises Unfinished where the input ends."""
        self.teller.turn(match)
        while True:
            self.teller.prompt(self.ask)
            line = self.source.readline()
            if not line:
                made = len(match.turns)
                raise Unfinished(
                    f"the input ended after {made} move{'' if made == 1 else 's'}, before the game did"
                )
            if line.strip():
                return line

    def say(self, text: str) -> None:
        """Write it, line by line."""
        self.teller.write(text)
