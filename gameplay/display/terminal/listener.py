"""Base of all displays of a match."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gameplay.matches.match import Event, Match


class MatchListener:
    """Shows a match and receives its events. A subclass drops the state of a match in `reset`."""

    heading = ""  # the number of the game and the score, in a match of several games

    @property
    def match(self) -> "Match":
        """The match that is shown. Setting another match drops the state of the previous one."""
        return self._match

    @match.setter
    def match(self, match: "Match") -> None:
        self._match = match
        self.reset()

    def __call__(self, event: "Event") -> bool:
        """Show an event of the match; true to end the search that reports it."""
        raise NotImplementedError

    def reset(self) -> None:
        """Drop the state that belongs to one match."""
        raise NotImplementedError
