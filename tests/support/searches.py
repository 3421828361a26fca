"""Searches and positions that tests of several engines share."""

from typing import Any

from gameplay import registry
from gameplay.search.limit import Limit
from gameplay.search.session import Session


def search(spec: str, position: Any, limit: Limit | None = None) -> Any:
    """A search's last report, of all moves."""
    engine, own = registry.engine(spec)
    return Session(engine).search(position, (limit or own).with_(multipv=99))


def at(position: Any, words: str) -> Any:
    """The position after these moves, in words."""
    position.setup(words)
    return position
