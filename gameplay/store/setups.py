"""The user's own set-ups of pieces: a TOML file for each kind, which the parameter `setups` reads too."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from gameplay import file_io
from gameplay.store.home import data


def path(kind: str) -> Path:
    """The file of the set-ups of a kind, or where it would be."""
    return data() / "setups" / f"{kind}.toml"


def write(kind: str, setups: Mapping[str, Sequence[str]]) -> Path:
    """Write the set-ups of a kind, each in rows; returns the file. Raises OSError."""
    file = path(kind)
    file.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{name} = {json.dumps(list(rows))}\n" for name, rows in setups.items())
    file_io.write(file, [text.encode()])
    return file
