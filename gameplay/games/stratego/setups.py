"""Set-ups of armies of Stratego: those that have names, and those in files."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from gameplay import file_io
from gameplay.errors import BadInput
from gameplay.games.stratego.layout import ARMIES, LETTERS

# Set-ups by army, each from the own back row on, from the left.
SETUPS = {
    "full": {
        "corner": ("FBMBLBTMSB", "BTSMBCSMPJ", "LPMSXYTLJP", "SJSCTSPGSL"),
        "middle": ("TMBFBMSLMS", "SLSBTJSPBT", "JPYXLSCMLP", "SGBPSCTBJM"),
        "wing": ("MBFBTSLMBS", "TSBPMYJSLT", "PJLCSXTMBP", "SGSLCSPBJM"),
    },
    "barrage": {
        "corner": ("FB........", "M.....Y...", "....X.....", ".S..G..S.."),
        "middle": ("...MFB....", "....Y.....", "..X.......", "..S...G.S."),
        "bluff": ("...F....BM", ".......Y..", "..G...X...", "S........S"),
    },
}


@lru_cache(maxsize=8)
def setups_of(army: str, file: str) -> Mapping[str, Any]:
    """The set-ups of an army by name, with those of a file. Raises BadInput for a wrong file."""
    return SETUPS[army] | (read_setups(army, file) if file else {})


def read_setups(army: str, file: str) -> dict[str, Any]:
    """The set-ups of an army in a file by name. Raises BadInput, OSError."""
    own = file_io.toml(Path(os.path.expanduser(file)))
    for name, rows in own.items():
        if not name.isidentifier():
            raise BadInput(f"{file}: the name of a set-up must be a word, not '{name}'")
        if not isinstance(rows, list) or [isinstance(row, str) and len(row) for row in rows] != [10] * 4:
            like = SETUPS[army]["corner"]
            rows_of_ten = "is not a set-up, which is four rows of ten squares, the back row first"
            raise BadInput(f"{file}: {name} {rows_of_ten}, like {list(like)}; the file holds nothing else")
        check_army(army, f"{file}: {name}", rows)
    return own


def check_army(army: str, name: str, rows: Sequence[str]) -> None:
    """Raises BadInput unless a set-up has all pieces of an army."""
    pieces = {LETTERS[rank]: count for rank, count in enumerate(ARMIES[army]) if count}
    if Counter("".join(rows).replace(".", "")) != pieces:
        army_text = " ".join(f"{count}{letter}" for letter, count in pieces.items())
        raise BadInput(f"{name} has other pieces than an army of {army}: {army_text}")
