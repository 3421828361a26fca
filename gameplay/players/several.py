"""Several moves in one command, made in turn: cards to pass in hearts, a fleet."""

import re
from typing import NamedTuple

from gameplay.errors import IllegalMove
from gameplay.players.player import MatchControl

SEPARATORS = re.compile(r"[\s,]+")


class QueuedMoves(NamedTuple):
    """The remaining moves of a player who has made `made` moves."""

    moves: list[int]
    made: int
    begun: int  # plies of the match before the first move of the command


class MoveQueue:
    """The remaining moves of a command, by seat: another player may move in between."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop all: another match begins."""
        self.plans: dict[int, QueuedMoves] = {}

    def read(self, text: str, match: MatchControl) -> list[int]:
        """The moves that the words of `text` name; [] if it is one word, or others move in between.

        Raises IllegalMove for a word that is no legal move there.
        """
        words = [word for word in SEPARATORS.split(text) if word]
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
        """Remember all but the first of these moves of the player on turn; returns the first."""
        self.plans[match.turn] = QueuedMoves(moves[1:], _moves_made(match) + 1, len(match.turns))
        return moves[0]

    def next(self, match: MatchControl) -> int | None:
        """The next move of the player on turn, if it is still to be made; None: the player is asked."""
        plan = self.plans.get(match.turn) if self.plans else None
        if plan is None or not plan.moves or plan.made != _moves_made(match):
            return None
        move, *rest = plan.moves
        if move not in match.moves():
            return None
        self.plans[match.turn] = QueuedMoves(rest, plan.made + 1, plan.begun)
        return move

    def beginning(self, match: MatchControl) -> int | None:
        """Plies before the last command of the player on turn; None if it is not their last choice."""
        plan = self.plans.get(match.turn)
        return plan.begun if plan is not None and not plan.moves and plan.made == _moves_made(match) else None


def _moves_made(match: MatchControl) -> int:
    """How many moves the player on turn has made."""
    return sum(turn.player == match.turn for turn in match.turns)
