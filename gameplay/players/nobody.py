"""An empty seat, for moves that come from elsewhere: a record, an opening."""

from typing import Any


class Nobody:
    """Never chooses anything."""

    spec = "nobody"
    name = "nobody"

    def choose(self, match: Any) -> None:
        """None: whoever lets an empty seat come to move must make the move himself."""
