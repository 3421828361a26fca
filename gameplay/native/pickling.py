"""Reads pickled positions of compiled games: each is created anew, and its moves are replayed."""

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

from gameplay.native.wide import wide

WIDE = "gameplay.wide_"  # modules of `gameplay.native.wide`, which cannot be imported by name


def rebuild(
    module: str,
    name: str,
    parameters: Mapping[str, Any],
    start: str | None,
    moves: Sequence[int],
    settings: Mapping[str, Any],
) -> Any:
    """The position that `Kernel.__reduce__` described. `start`: a text for `setup`, or None."""
    if module.startswith(WIDE):
        cls: Any = wide(module.replace(WIDE, "gameplay.", 1), name)
    else:
        cls = getattr(importlib.import_module(module), name)
    position = cls(**parameters)
    if start is not None:
        position.setup(start)
    position.make_all(moves)
    for attribute, value in settings.items():
        if attribute == "evaluation" and isinstance(value, str):
            value = cls.evaluations[value]
        setattr(position, attribute, value)
    return position
