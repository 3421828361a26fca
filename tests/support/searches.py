"""Searches and positions that tests of several engines share."""

from typing import Any

from gameplay import registry
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.session import Session


def search(spec: str, position: Any, limit: Limit | None = None) -> Any:
    """A search's last report, of all moves."""
    engine, own = registry.engine(spec)
    return Session(engine).search(position, (limit or own).with_(multipv=99))


def searched(spec: str, position: Any, depth: int | None = None, **limits: Any) -> Report:
    """A search's report, within these limits."""
    return registry.engine(spec)[0].search(position, Limit(depth=depth, **limits))


def at(position: Any, words: str) -> Any:
    """The position after these moves, in words."""
    position.setup(words)
    return position
