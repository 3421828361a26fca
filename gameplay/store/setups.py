"""The user's piece set-ups: a TOML file for each kind, also read by the parameter `setups`."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from gameplay import file_io
from gameplay.store.paths import data_folder


def path(kind: str) -> Path:
    """The path of the set-ups of a kind, which may not exist."""
    return data_folder() / "setups" / f"{kind}.toml"


def write(kind: str, setups: Mapping[str, Sequence[str]]) -> Path:
    """Write the set-ups of a kind, each as rows; returns the path. Raises OSError."""
    file = path(kind)
    file.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{name} = {json.dumps(list(rows))}\n" for name, rows in setups.items())
    file_io.write(file, [text.encode()])
    return file
