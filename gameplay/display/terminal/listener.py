"""What all displays of a match share: the match, and the state that belongs to it alone."""

from typing import Any


class MatchListener:
    """Shows a match and is called with its events. A subclass drops the state of a match in `reset`."""

    @property
    def match(self) -> Any:
        """The match that is shown. Setting another one drops the state of the one before."""
        return self._match

    @match.setter
    def match(self, match: Any) -> None:
        self._match = match
        self.reset()

    def reset(self) -> None:
        """Drop the state that belongs to one match."""
        raise NotImplementedError
