"""Base of all displays of a match."""

from typing import TYPE_CHECKING

from gameplay.display.terminal import panel

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.matches.match import Event, Match


class MatchListener:
    """Shows a match and receives its events. A subclass drops the state of a match in `reset`."""

    def __init__(self, theme: "Theme", viewer: int | None = None) -> None:
        self.theme = theme
        self.viewer = viewer  # the seat of the only human; None if there is no single one
        self.holder: int | None = None  # of several people at one terminal, the seat at the keyboard
        self.heading = ""  # the number of the game and the score, in a match of several games
        self.notices: tuple[str, ...] = ()  # shown at the start of a match
        self.flip = False

    @property
    def match(self) -> "Match":
        """The match that is shown. Setting another match drops the state of the previous one."""
        return self._match

    @match.setter
    def match(self, match: "Match") -> None:
        self._match = match
        self.reset()

    def needs_cover(self, seat: int | None) -> bool:
        """True if the view of `holder` must be cleared before the player at another `seat` is asked."""
        return len(panel.human_viewers(self.match)) > 1 and self.holder != seat and not self.match.over()

    def __call__(self, event: "Event") -> bool:
        """Show an event of the match; true to end the search that reports it."""
        raise NotImplementedError

    def reset(self) -> None:
        """Drop the state that belongs to one match."""
        raise NotImplementedError
