"""An empty seat: its moves come from a record or an opening."""

from gameplay.players.player import MatchView, Player


class EmptySeat(Player):
    """Never chooses a move. `spec` and `display_name`: the recorded player's specification and name."""

    def __init__(self, spec: str = "empty", display_name: str = "") -> None:
        self.spec = spec
        self.display_name = display_name
        self.name = display_name or spec

    def choose(self, match: MatchView) -> None:
        """None: the caller makes the moves of an empty seat."""
