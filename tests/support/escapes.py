"""Terminal escape sequences in foreign texts."""

import pytest

from gameplay.visible import UNSAFE
from tests.support.commands import run_printed

pyte = pytest.importorskip("pyte")
COLOUR = "\x1b[53m"  # a style that the program itself never uses
ATTACK = f"{COLOUR}\x1b]0;owned\x07\x9b2J\x7f\u202eevil\u200b\x1b[2J"


def unsafe_characters(text: str) -> list[str]:
    """The characters of a text that a terminal would execute or hide."""
    return UNSAFE.findall(text)


def run_harmless(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Run a command whose output must not contain control characters; its status and all its output."""
    status, out, err = run_printed(capsys, *words)
    assert status != 1, err
    assert unsafe_characters(out + err) == [], words
    return status, out + err
