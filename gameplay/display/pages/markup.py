"""Text from outside in HTML and SVG: it makes no element or attribute, and ends no script; own sources."""

import html
import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

from gameplay.visible import visible


def escape(text: str) -> str:
    """A text for an element or a quoted attribute. Controls, which XML does not allow, are made visible."""
    return html.escape(visible(text))


def embed_json(data: Any) -> str:
    """Data as JSON for a script element, its strings as a page is to show them."""
    text = json.dumps(_escape_strings(data), ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def source(name: str) -> str:
    """The text of a style or a script of this folder."""
    return "\n" + Path(__file__).with_name(name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """The hash of an inline style or script in a page's content security policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _escape_strings(data: Any) -> Any:
    if isinstance(data, str):
        return visible(data)
    if isinstance(data, dict):
        return {_escape_strings(key): _escape_strings(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_escape_strings(value) for value in data]
    return data
