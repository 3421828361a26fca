"""Commands of several moves, made one by one: cards to pass in hearts, a fleet."""

import re
from typing import NamedTuple

from gameplay.errors import IllegalMove
from gameplay.players.player import MatchControl

SEPARATORS = re.compile(r"[\s,]+")


class QueuedMoves(NamedTuple):
    """The remaining moves of a player who has made `made` moves."""

    moves: list[int]
    moves_made: int
    start: int  # plies of the match before the first move of the command


class MoveQueue:
    """The remaining moves of a command, by seat: another player may move in between."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop all queued moves."""
        self.plans: dict[int, QueuedMoves] = {}

    def read(self, text: str, match: MatchControl) -> list[int]:
        """The moves that the words of `text` name; [] for one word, or if other players move in between.

        Raises IllegalMove for a word that is not a legal move.
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
                moves.append(int(match.call_game("parse()", position.parse, word)))
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
        """The next queued move of the player on turn; None: read one."""
        plan = self.plans.get(match.turn) if self.plans else None
        if plan is None or not plan.moves or plan.moves_made != _moves_made(match):
            return None
        move, *remaining = plan.moves
        if move not in match.moves():
            return None
        self.plans[match.turn] = QueuedMoves(remaining, plan.moves_made + 1, plan.start)
        return move

    def beginning(self, match: MatchControl) -> int | None:
        """Plies before the last command of the player on turn; None if it is not their last choice."""
        plan = self.plans.get(match.turn)
        if plan is None or plan.moves or plan.moves_made != _moves_made(match):
            return None
        return plan.start


def _moves_made(match: MatchControl) -> int:
    """The number of moves that the player on turn has made."""
    return sum(turn.player == match.turn for turn in match.turns)
