"""Several moves in one line, made one after another by the player on turn: cards to pass in hearts."""

import re

from gameplay.errors import IllegalMove
from gameplay.players.player import MatchControl

BETWEEN = re.compile(r"[\s,]+")


class MoveQueue:
    """The moves of a line that are still to be made."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop them: another match begins."""
        self.moves: list[int] = []
        self.seat = self.made = 0  # they belong to this player, after so many moves of the match

    def read(self, text: str, match: MatchControl) -> list[int]:
        """The moves that the words of `text` name; [] if it is one word, or others move in between.

        Raises IllegalMove for a word that is no legal move there.
        """
        words = [word for word in BETWEEN.split(text) if word]
        if len(words) < 2 or match.over() or match.turn < 0:
            return []
        position, seat, moves = match.replica(), match.turn, list[int]()
        for word in words:
            if position.outcome() is not None or position.turn != seat:
                if len(moves) < 2:
                    return []
                raise IllegalMove(f"'{word}' is one too many: the turn ends after {len(moves)}")
            try:
                moves.append(int(match.ask("parse()", position.parse, word)))
            except IllegalMove:
                if not moves:
                    return []
                raise
            position.make(moves[-1])
        return moves

    def begin(self, moves: list[int], match: MatchControl) -> int:
        """Remember all but the first of these moves; returns the first."""
        self.moves, self.seat, self.made = moves[1:], match.turn, len(match.turns) + 1
        return moves[0]

    def next(self, match: MatchControl) -> int | None:
        """The next of them, if it is still to be made; None: the player is asked."""
        moves, self.moves = self.moves, []
        if (
            not moves
            or match.turn != self.seat
            or len(match.turns) != self.made
            or moves[0] not in match.moves()
        ):
            return None
        self.moves, self.made = moves[1:], self.made + 1
        return moves[0]
