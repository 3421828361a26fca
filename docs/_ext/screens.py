"""Pictures of the terminal for the site: real commands, run in a terminal and drawn as SVG.

docs/screens/screens.toml lists the commands; a picture is stored beside it under the name of its entry.
"""

import os
import sys
import tempfile
import tomllib
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]
import pyte

FOLDER = Path(__file__).resolve().parents[1] / "screens"
COLUMNS, LINES = 80, 60
WIDE, HIGH, SIZE, MARGIN = 8.4, 18, 14, 14  # pixels: of a cell, of its letters, of the border
GROUND, TEXT = "#14191f", "#dde3ea"
BLOCKS = {"▄": (0.5, 0.5), "▀": (0, 0.5), "█": (0, 1)}  # where a block begins in its cell, and its height
COLOURS = {  # of the names that pyte gives to the 16 colours of a terminal
    "black": "#3b4252",
    "red": "#e06c75",
    "green": "#98c379",
    "brown": "#e5c07b",
    "blue": "#61afef",
    "magenta": "#c678dd",
    "cyan": "#56b6c2",
    "white": "#dde3ea",
    "brightblack": "#7f8a99",
    "brightred": "#ff8f98",
    "brightgreen": "#b5e090",
    "brightbrown": "#ffd98a",
    "brightyellow": "#ffd98a",
    "brightblue": "#8ac6ff",
    "brightmagenta": "#e0a0f0",
    "brightcyan": "#7fdbe6",
    "brightwhite": "#ffffff",
}


def listed() -> dict[str, dict[str, Any]]:
    """The entries of screens.toml, by name."""
    return tomllib.loads((FOLDER / "screens.toml").read_text(encoding="utf-8"))


def shown(command: str, columns: int = COLUMNS) -> Any:
    """The screen of pyte after `command` has ended. Raises RuntimeError if it fails."""
    screen = pyte.Screen(columns, LINES)
    stream = pyte.ByteStream(screen)
    stream.feed(f"\x1b[1;32m$\x1b[0m {command}\r\n".encode())
    program = command.replace("gameplay ", f"{sys.executable} -m gameplay ", 1)
    with tempfile.TemporaryDirectory() as folder:
        child = pexpect.spawn(
            "/bin/sh", ["-c", program], dimensions=(LINES, columns), env=_environment(folder), timeout=60
        )
        child.expect(pexpect.EOF)
        child.close()
    if child.exitstatus != 0:
        raise RuntimeError(f"{command}: status {child.exitstatus}: {child.before!r}")
    stream.feed(child.before)
    return screen


def _environment(folder: str) -> dict[str, str]:
    """No settings, saved games or colours of the person who makes the pictures."""
    removed = ("NO_COLOR", "FORCE_COLOR", "LC_ALL", "COLUMNS", "LINES")
    kept = {key: value for key, value in os.environ.items() if key not in removed}
    homes = dict.fromkeys(
        ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"), folder
    )
    return kept | homes | {"TERM": "xterm-256color", "COLORTERM": "", "PYTHONUTF8": "1"}


def _colour(name: str, default: str) -> str:
    return default if name == "default" else COLOURS.get(name, f"#{name}")


def _look(cell: Any) -> tuple[str, str, bool, str]:
    """The colours of the letter and of its ground, whether it is bold, and the block that it is, if any."""
    fore, back = _colour(cell.fg, TEXT), _colour(cell.bg, GROUND)
    block = cell.data if cell.data in BLOCKS else ""
    return (back, fore, cell.bold, block) if cell.reverse else (fore, back, cell.bold, block)


def _rectangle(left: float, top: float, wide: float, high: float, colour: str) -> str:
    return f'<rect x="{left:g}" y="{top:g}" width="{wide:g}" height="{high:g}" fill="{colour}"/>'


def svg(screen: Any, title: str) -> str:
    """A picture of what a screen shows, as high as what is written on it."""
    lines = [[screen.buffer[row][column] for column in range(screen.columns)] for row in range(LINES)]
    while lines and all(not cell.data.strip() and _look(cell)[1] == GROUND for cell in lines[-1]):
        lines.pop()
    width, height = screen.columns * WIDE + 2 * MARGIN, len(lines) * HIGH + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img"',
        '  shape-rendering="crispEdges">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>',
        f'<g font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{SIZE}">',
    ]
    for row, cells in enumerate(lines):
        parts += _line(cells, MARGIN + row * HIGH)
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _line(cells: list[Any], top: float) -> list[str]:
    """Cells with the same look are drawn together: their ground, then their letters."""
    grounds, letters, column = [], [], 0
    for (fore, back, bold, block), group in groupby(cells, key=_look):
        run = list(group)
        text = "".join(cell.data for cell in run)
        left, wide = MARGIN + column * WIDE, len(run) * WIDE
        column += len(run)
        if back != GROUND:
            grounds.append(_rectangle(left, top, wide, HIGH, back))
        if block:  # as a letter it would leave gaps
            start, part = BLOCKS[block]
            grounds.append(_rectangle(left, top + start * HIGH, wide, part * HIGH, fore))
            continue
        if text.strip():
            lead = len(text) - len(text.lstrip())
            word = text.strip()
            weight = ' font-weight="bold"' if bold else ""
            letters.append(
                f'<text x="{left + lead * WIDE:g}" y="{top + 0.75 * HIGH:g}" fill="{fore}"{weight} '
                f'textLength="{len(word) * WIDE:g}" xml:space="preserve">{escape(word)}</text>'
            )
    return grounds + letters
