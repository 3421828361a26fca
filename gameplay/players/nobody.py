"""An empty seat, for moves that come from elsewhere: a record, an opening."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Nobody:
    """Never chooses anything. `spec` tells who sat here once."""

    spec: str = "nobody"

    @property
    def name(self) -> str:
        """As in the record."""
        return self.spec

    def choose(self, match: Any) -> None:
        """None: whoever lets an empty seat come to move must make the move himself."""
