"""A picture redrawn in place while a search runs, on an interactive terminal."""

from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from gameplay.display.theme import Theme
    from gameplay.players.player import MatchControl


class LivePicture:
    """A context manager that shows a picture; `live` is None without an interactive terminal."""

    def __init__(self, match: "MatchControl", theme: "Theme", quiet: bool = False) -> None:
        self.match = match
        self.theme = theme
        self.quiet = quiet
        self.live: Live | None = None

    def __enter__(self) -> Self:
        if self.theme.interactive:
            from rich.live import Live

            self.live = Live(console=self.theme.console, auto_refresh=False, vertical_overflow="crop")
            self.live.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self.live is not None:
            self.live.stop()

    def draw(self, picture: "RenderableType") -> None:
        """Replace the picture."""
        if self.live is not None:
            self.live.update(picture, refresh=True)
