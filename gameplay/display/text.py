"""Text that rich lays out: strings are made visible first, so their width is that of what is shown."""

from typing import Any, Self

from rich import text

from gameplay.visible import visible


class Text(text.Text):
    """rich's text of strings that may come from outside."""

    def __init__(self, text: str = "", *arguments: Any, **named: Any) -> None:
        super().__init__(visible(text), *arguments, **named)

    def append(self, text: Any, style: Any = None) -> Self:
        """Add a string, or another text."""
        super().append(visible(text) if isinstance(text, str) else text, style)
        return self
