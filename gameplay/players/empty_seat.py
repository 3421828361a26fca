"""An empty seat: its moves come from elsewhere, such as a record or an opening."""

from gameplay.players.player import MatchView, Player


class EmptySeat(Player):
    """Never chooses a move. `spec` and `called`: the recorded player's specification and name."""

    def __init__(self, spec: str = "empty", called: str = "") -> None:
        self.spec = spec
        self.called = called
        self.name = called or spec

    def choose(self, match: MatchView) -> None:
        """None: the caller makes the moves of an empty seat."""
