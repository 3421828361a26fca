"""Texts stored in tests/screens; GAMEPLAY_SCREENS=write rewrites them, to be checked and committed."""

import os
import re

from tests.support.paths import TESTS

SCREENS = TESTS / "screens"


def golden(name: str, text: str) -> None:
    """Assert that the screen equals the stored one, except for figures that depend on the clock."""
    text = re.sub(r"[\d,.]+( [MG])?/s, \d+\.\d s", "#/s, # s", text)
    text = re.sub(r"in \d+\.\d s", "in # s", text)
    file = SCREENS / f"{name}.txt"
    if os.environ.get("GAMEPLAY_SCREENS") == "write":
        file.write_text(text)
    assert file.is_file(), f"the screen {name} is not stored: GAMEPLAY_SCREENS=write stores it"
    assert text == file.read_text(), f"the screen {name} differs; it shows:\n{text}"
