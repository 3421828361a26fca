"""A match controlled by another program through a protocol."""

from collections.abc import Callable

from gameplay.errors import IllegalMove
from gameplay.matches.clock import Clock, TimeControl
from gameplay.matches.match import Listener, Match
from gameplay.matches.views import View
from gameplay.players.player import Choice, Player
from gameplay.position import AbstractPosition
from gameplay.registry import Game

Reader = Callable[[AbstractPosition, str], int]
Times = tuple[tuple[float, float] | None, tuple[float, float] | None, int]


class Hosted:
    """Keeps one match and continues it as long as each position follows from the previous one.

    `read(position, word)` parses a move, by default with the game's `parse`. If the other program plays on
    after the end of the game, the match continues as `spare`, a variant with fewer terminal rules.
    """

    def __init__(
        self, game: Game, player: Player, read: Reader | None = None, spare: Game | None = None
    ) -> None:
        self.game = game
        self.player = player
        self.read = read or (lambda position, word: position.parse(word))
        self.spare = spare
        self.last: Match | None = None
        self.start = ""
        self.words: list[str] = []

    def match(self, start: str, words: list[str]) -> Match:
        """The match after the moves `words` from `start`. Raises BadInput if they are not legal."""
        try:
            match = self._follow(self.game, start, words)
        except IllegalMove:
            if self.spare is None:
                raise
        else:
            if self.spare is None or not match.reason:
                return match
        self.last = None
        return self._follow(self.spare, start, words)

    def _follow(self, game: Game, start: str, words: list[str]) -> Match:
        """The match of this game, from where the last one stands if that is on the way."""
        match = self.last
        if match is None or start != self.start or words[: len(self.words)] != self.words:
            match = Match(game, [self.player] * self.game.new().players, start)
            self.start, self.words = start, []
        self.last = None  # until all is well
        for word in words[len(self.words) :]:
            number = len(match.turns) + 1
            if match.over():
                raise IllegalMove(f"move {number}, '{word}': the game is over before it")
            try:
                move = match.call_game("parse()", self.read, match.position, word)
            except IllegalMove as error:
                raise IllegalMove(f"move {number}: {error}") from None
            match.make(Choice(move))
        match.over()
        self.last, self.words = match, list(words)
        return match

    def view(self) -> View:
        """The match that was last requested, as seen by the side to move."""
        assert self.last is not None
        return self.last.view(self.last.turn)

    def clock(self, times: Times) -> Clock:
        """Clocks: for each player the seconds left and the increment, or None; moves to go, 0 unknown."""
        *hands, moves = times
        return Clock([None if hand is None else TimeControl(hand[0], moves, hand[1]) for hand in hands])

    def configure(self, times: Times | None, listener: Listener | None) -> None:
        """Set the clocks and the listener of the latest match; None: none."""
        assert self.last is not None
        self.last.clock = self.clock(times) if times else None
        self.last.listeners = [listener] if listener else []
