"""Base of all displays of a match."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gameplay.matches.match import Event, Match


class MatchListener:
    """Shows a match and is called with its events. A subclass drops the state of a match in `reset`."""

    heading = ""  # which game of a match of several it is, and how that stands

    @property
    def match(self) -> "Match":
        """The match that is shown. Setting another one drops the state of the one before."""
        return self._match

    @match.setter
    def match(self, match: "Match") -> None:
        self._match = match
        self.reset()

    def __call__(self, event: "Event") -> bool:
        """Show an event of the match; true if the search that reports it should end."""
        raise NotImplementedError

    def reset(self) -> None:
        """Drop the state that belongs to one match."""
        raise NotImplementedError
