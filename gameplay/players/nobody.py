"""An empty seat, for moves that come from elsewhere: a record, an opening."""

from gameplay.players.player import MatchView, Player


class Nobody(Player):
    """Never chooses anything. `spec` tells who sat here once, and `called` their name, as in the record."""

    def __init__(self, spec: str = "nobody", called: str = "") -> None:
        self.spec = spec
        self.called = called
        self.name = called or spec

    def choose(self, match: MatchView) -> None:
        """None: the caller makes the moves of an empty seat."""
