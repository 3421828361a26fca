"""What the full screen shows in place of the game as it stands: a page of text, or an earlier position."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gameplay.display.fullscreen.view import Full


class Browsing:
    """Which page, position and part of the list of moves is shown."""

    def __init__(self, full: "Full") -> None:
        self.full = full
        self.page: list[str] = []  # its lines
        self.first: int | None = None  # the first of them that is shown; None: there is no page
        self.looked: int | None = None  # the moves made in the position that is looked at; None: now
        self.listed = 0  # lines of the list of moves
        self.up = 0  # how many of them it is scrolled up

    def open(self, text: str) -> None:
        """Show a page of text."""
        self.page, self.first = text.splitlines(), 0

    def back(self) -> None:
        """Back to the game as it stands."""
        self.first, self.looked, self.up = None, None, 0

    def scroll(self, down: int) -> None:
        """Scroll the page, or the list of moves, by so many lines."""
        if self.first is not None:
            self.first = max(0, min(len(self.page) - 1, self.first + down))
        else:
            self.up = max(0, min(self.listed - 1, self.up - down))

    def look(self, plies: int) -> None:
        """Show the position after `plies` moves; not available while information is hidden."""
        made = len(self.full.match.turns)
        if self.full.match.secrets:
            if self.full.entry is not None:
                self.full.entry.complaint = (
                    "earlier positions of an imperfect-information game are shown once it is over"
                )
            return
        self.looked = plies if 0 <= plies < made else None

    def look_by(self, plies: int) -> None:
        """Look so many moves later than now, or earlier."""
        made = len(self.full.match.turns)
        self.look(max(0, (made if self.looked is None else self.looked) + plies))
