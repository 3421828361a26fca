"""Text from outside in HTML and SVG: it makes no element and no attribute, and ends no script."""

import html
import json
from typing import Any

from gameplay.visible import visible


def escape(text: str) -> str:
    """A text for an element or a quoted attribute. Controls, which XML does not allow, are made visible."""
    return html.escape(visible(text))


def embedded(data: Any) -> str:
    """Data as JSON for a script element, its strings as a page is to show them."""
    text = json.dumps(_shown(data), ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _shown(data: Any) -> Any:
    if isinstance(data, str):
        return visible(data)
    if isinstance(data, dict):
        return {_shown(key): _shown(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_shown(value) for value in data]
    return data
