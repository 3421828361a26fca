"""Players whose words stand ready: lines of a pipe, a file or a screen reader, and moves written down before.

    script:4 4 3             the player's own moves, in the game's words; quoted where there are commas
    script:moves.txt         the same from a file, one a line

What begins like a path or has an ending is a file.
"""

import os
import re
from typing import Any, TextIO

from gameplay.errors import BadInput, Fault, IllegalMove, Unfinished, Usage
from gameplay.players.player import Choice
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


class Script:
    """Plays the moves that were written down for it, in their order; those of an opening do not count."""

    name = "script"

    def __init__(self, spec: str) -> None:
        """Raises Usage if `spec` holds no move, BadInput if it names a file that cannot be read."""
        self.moves = words(spec)
        line = " ".join(self.moves)
        self.spec = f'script:"{line}"' if "," in line else f"script:{line}"
        self.before = 0  # moves on this seat that are none of the script's
        self.match: Any = None

    def resume(self, match: Any) -> None:
        """The match goes on: what was played on this seat were the first moves of the script."""
        self.match, self.before = match, 0

    def choose(self, match: Any) -> Choice:
        """The next move. Raises Fault if there is none, or if it is illegal."""
        seat = match.position.turn
        made = sum(turn.player == seat for turn in match.turns)
        if match is not self.match:
            self.match, self.before = match, made
        self.before = min(self.before, made)  # more may have been taken back than the script had played
        number = made - self.before
        if number >= len(self.moves):
            moves = f"{len(self.moves)} move{'' if len(self.moves) == 1 else 's'}"
            raise Fault(f"{self.spec} ends after {moves}, before the game does{_after(match)}", "crash")
        word = self.moves[number]
        try:
            return Choice(match.ask("parse()", match.position.parse, word))
        except IllegalMove as error:
            place = f"{self.spec}: its move {number + 1}, '{word}', cannot be made{_after(match)}"
            raise Fault(f"{place}: {error}", "illegal_move") from None


def words(spec: str) -> list[str]:
    """The moves that `script:...` tells. See `Script` for what is raised."""
    told = spec.partition(":")[2].strip()
    if told[:1] in ("'", '"') and told[-1:] == told[:1]:
        told = told[1:-1]
    if path := file(spec):
        try:
            with open(path, encoding="utf-8") as lines:
                found = lines.read().split()
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{spec}: {path}: {getattr(error, 'strerror', 'is no text')}") from None
        if not found:
            raise BadInput(f"{spec}: there are no moves in {path}")
        return found
    if not told.split():
        raise Usage(f"'{spec}' names no moves: write them in their order, as in script:4 4 3")
    return told.split()


def file(spec: str) -> str:
    """The file that `script:FILE` names, which begins like a path or has an ending; "" for moves."""
    told = spec.partition(":")[2].strip().strip("\"'")
    begins = told.startswith(("/", "./", "../", "~/"))
    return os.path.expanduser(told) if begins or re.search(r"\.[a-z]\w*$", told) else ""


def _after(match: Any) -> str:
    made = match.words()
    return f', after the moves "{" ".join(made)}"' if made else ", at the start"
