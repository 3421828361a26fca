"""An empty seat, for moves that come from elsewhere: a record, an opening."""

from gameplay.players.player import MatchView, Player


class Nobody(Player):
    """Never chooses anything. `spec` tells who sat here once, as in the record."""

    def __init__(self, spec: str = "nobody") -> None:
        self.spec = self.name = spec

    def choose(self, match: MatchView) -> None:
        """None: whoever lets an empty seat come to move must make the move themselves."""
