"""Pictures of the terminal for the site: real commands, run in a terminal and drawn as SVG.

docs/screens/screens.toml lists the commands; a picture is stored beside it under the name of its entry.
"""

import os
import re
import shutil
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from contextlib import suppress
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pexpect  # type: ignore[import-untyped]
import pyte

FOLDER = Path(__file__).resolve().parents[1] / "screens"
PATIENCE = 60.0  # seconds for a screen; only a failing test waits so long
QUIET = 0.5  # seconds without output after which a screen is taken to be complete
WIDE, HIGH, SIZE, MARGIN = 8.4, 18, 14, 14  # pixels: of a cell, of its letters, of the border
BLOCKS = {"▄": (0.5, 0.5), "▀": (0, 0.5), "█": (0, 1)}  # where a block begins in its cell, and its height
MASKS = {  # figures that depend on the machine, and the names of runs: what pictures have in their place
    re.compile(r"[\d,.]+( [MG])?/s, \d+\.\d s"): "900,000/s, 0.1 s",
    re.compile(r"[\d,.]+( [MG])?/s(?!,)"): "900,000/s",
    re.compile(r"\bin \d+\.\d s"): "in 0.1 s",
    re.compile(r"-(?:[bdklmnrtvz][aiou]){3}\b"): "-ladimo",
}


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    """A picture, with these keys.

    command: what is typed. title: of the picture. shows: text on the screen when it is complete. type: keys
    for a program that asks, each with the text that it waits for; the program is stopped after them. before:
    a command that is run before and not shown. files: copied into the folder of the command. env: variables
    of its environment. status: its exit status. columns, rows: of the terminal. lines: those that
    are drawn, from and to, where others depend on the machine. light: a light terminal.
    """

    command: str
    title: str
    shows: str
    type: list[tuple[str, str]] = []
    before: str = ""
    files: list[str] = []
    env: dict[str, str] = {}
    status: int = 0
    columns: int = 80
    rows: int = 60
    lines: list[tuple[int, int]] = []
    light: bool = False


class Palette(NamedTuple):
    """The colours of a terminal: ground, text, and of the names that pyte gives to the 16 colours."""

    ground: str
    text: str
    colours: dict[str, str]


PLAIN = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")
NAMES = [*PLAIN, *(f"bright{name}" for name in PLAIN), "brightyellow"]
DARK = Palette(
    "#14191f",
    "#dde3ea",
    dict(
        zip(
            NAMES,
            (
                *("#3b4252", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#dde3ea"),
                *("#7f8a99", "#ff8f98", "#b5e090", "#ffd98a", "#8ac6ff", "#e0a0f0", "#7fdbe6", "#ffffff"),
                "#ffd98a",
            ),
            strict=True,
        )
    ),
)
LIGHT = Palette(
    "#ffffff",
    "#24292f",
    dict(
        zip(
            NAMES,
            (
                *("#24292f", "#b3261e", "#1a7f37", "#8a6100", "#0550ae", "#8250df", "#0b6e75", "#6e7781"),
                *("#57606a", "#cf222e", "#2da44e", "#9a6700", "#218bff", "#a475f9", "#1b7c83", "#57606a"),
                "#9a6700",
            ),
            strict=True,
        )
    ),
)


def listed() -> dict[str, Entry]:
    """The entries of screens.toml, by name."""
    data = tomllib.loads((FOLDER / "screens.toml").read_text(encoding="utf-8"))
    return msgspec.convert(data, dict[str, Entry])


class Terminal:
    """A command in a terminal; `screen` is what it shows."""

    def __init__(self, entry: Entry, folder: str) -> None:
        self.entry = entry
        self.screen = pyte.Screen(entry.columns, entry.rows)
        self.stream = pyte.ByteStream(self.screen)
        size = (entry.rows, entry.columns)
        env = _environment(folder) | entry.env
        if entry.before:
            pexpect.run(f"/bin/sh -c '{entry.before}'", env=env, cwd=folder, timeout=PATIENCE)
        if not entry.type:
            self.stream.feed(f"\x1b[1;32m$\x1b[0m {entry.command}\r\n".encode())
        self.child = pexpect.spawn("/bin/sh", ["-c", entry.command], dimensions=size, env=env, cwd=folder)

    def text(self) -> str:
        """What the screen shows, without spaces at the ends of lines."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def until(self, seen: Callable[[], bool], patience: float = PATIENCE) -> bool:
        """Read what the program writes until something is seen; false if it is not in time."""
        ends = time.monotonic() + patience
        while not seen():
            left = ends - time.monotonic()
            if left <= 0:
                return False
            with suppress(pexpect.TIMEOUT):
                try:
                    self.stream.feed(self.child.read_nonblocking(65536, timeout=min(left, 1)))
                except pexpect.EOF:
                    return seen()
        return True

    def status(self) -> int:
        """Wait for the end; the exit status."""
        self.until(lambda: False)
        self.child.close()
        return int(self.child.exitstatus if self.child.exitstatus is not None else -1)


def shown(entry: Entry, complete: Callable[[Any], bool] | None = None) -> Any:
    """The screen of pyte when the command has ended, or after the last keys of one that asks.

    Then it is complete when `complete` holds; without it, when nothing more is written. Raises RuntimeError
    if the command fails, or what it waits for is not shown.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name in entry.files:
            shutil.copy(FOLDER / name, folder)
        terminal = Terminal(entry, folder)
        try:
            if not entry.type:
                status = terminal.status()
                if status != entry.status:
                    raise RuntimeError(f"{entry.command}: status {status}:\n{terminal.text()}")
            for wait, keys in [*entry.type, (entry.shows, "")] if entry.type else ():
                if not terminal.until(lambda wait=wait: wait in terminal.text()):  # type: ignore[misc]
                    raise RuntimeError(f"{entry.command}: {wait!r} is not shown:\n{terminal.text()}")
                terminal.child.send(keys)
            if entry.type:
                _settle(terminal, complete)
        finally:
            terminal.child.close(force=True)
    mask(terminal.screen)
    return terminal.screen


def _settle(terminal: Terminal, complete: Callable[[Any], bool] | None) -> None:
    """Read what a program that asks still writes."""
    if complete is not None:
        terminal.until(lambda: complete(terminal.screen))
        return
    before = ""
    while before != terminal.text():
        before = terminal.text()
        terminal.until(lambda: False, QUIET)


def mask(screen: Any) -> None:
    """Replace what depends on the machine; longer text goes into the blanks behind it."""
    for row in range(screen.lines):
        line = screen.buffer[row]
        for pattern, instead in MASKS.items():
            text = "".join(line[column].data for column in range(screen.columns))
            for match in pattern.finditer(text):
                start = match.start()
                for column, char in enumerate(instead.ljust(len(match[0])), start):
                    line[column] = line[start]._replace(data=char)


def _environment(folder: str) -> dict[str, str]:
    """No settings, saved games or colours of the person who makes the pictures."""
    removed = ("NO_COLOR", "FORCE_COLOR", "LC_ALL", "COLUMNS", "LINES")
    kept = {key: value for key, value in os.environ.items() if key not in removed}
    homes = dict.fromkeys(
        ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"), folder
    )
    path = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    fixed = {"TERM": "xterm-256color", "COLORTERM": "", "PYTHONUTF8": "1", "GAMEPLAY_PACE": "instant"}
    return kept | homes | path | fixed | {"PROMPT_TOOLKIT_NO_CPR": "1"}


def _colour(name: str, default: str, palette: Palette) -> str:
    return default if name == "default" else palette.colours.get(name, f"#{name}")


def _look(cell: Any, palette: Palette) -> tuple[str, str, bool, str]:
    """The colours of the letter and of its ground, whether it is bold, and the block that it is, if any."""
    fore, back = _colour(cell.fg, palette.text, palette), _colour(cell.bg, palette.ground, palette)
    block = cell.data if cell.data in BLOCKS else ""
    return (back, fore, cell.bold, block) if cell.reverse else (fore, back, cell.bold, block)


class Drawing:
    """The parts of a picture: rectangles by colour, those of blocks above those of grounds, and letters."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self.grounds: dict[str, list[str]] = {}
        self.blocks: dict[str, list[str]] = {}
        self.letters: list[str] = []

    def line(self, cells: list[Any], top: float) -> None:
        """Draw a line; cells with the same look are drawn together."""
        column = 0
        for (fore, back, bold, block), group in groupby(cells, key=lambda cell: _look(cell, self.palette)):
            text = "".join(cell.data for cell in group)
            left, wide = MARGIN + column * WIDE, len(text) * WIDE
            column += len(text)
            if back != self.palette.ground:
                self.grounds.setdefault(back, []).append(_rectangle(left, top, wide, HIGH))
            if block:  # as a letter it would leave gaps
                start, part = BLOCKS[block]
                shape = _rectangle(left, top + start * HIGH, wide, part * HIGH)
                self.blocks.setdefault(fore, []).append(shape)
            elif text.strip():
                self.letters.append(_written(text, left, top, fore, bold))

    def parts(self) -> list[str]:
        """The elements of the picture."""
        shapes = [*self.grounds.items(), *self.blocks.items()]
        return [f'<path fill="{colour}" d="{"".join(shape)}"/>' for colour, shape in shapes] + self.letters


def _rectangle(left: float, top: float, wide: float, high: float) -> str:
    return f"M{left:g} {top:g}h{wide:g}v{high:g}h-{wide:g}z"


def _written(text: str, left: float, top: float, colour: str, bold: bool) -> str:
    lead, word = len(text) - len(text.lstrip()), text.strip()
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{left + lead * WIDE:g}" y="{top + 0.75 * HIGH:g}" fill="{colour}"{weight} '
        f'textLength="{len(word) * WIDE:g}" xml:space="preserve">{escape(word)}</text>'
    )


def svg(screen: Any, entry: Entry) -> str:
    """A picture of what a screen shows, as high as what is written on it."""
    palette = LIGHT if entry.light else DARK
    lines = [[screen.buffer[row][column] for column in range(screen.columns)] for row in range(screen.lines)]
    lines = [line for start, end in entry.lines or [(0, screen.lines)] for line in lines[start:end]]
    while lines and all(
        not cell.data.strip() and _look(cell, palette)[1] == palette.ground for cell in lines[-1]
    ):
        lines.pop()
    width, height = screen.columns * WIDE + 2 * MARGIN, len(lines) * HIGH + 2 * MARGIN
    border = ' stroke="#d0d7de"' if entry.light else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img"',
        '  shape-rendering="crispEdges">',
        f"<title>{escape(entry.title)}</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{palette.ground}"{border}/>',
        f'<g font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{SIZE}">',
    ]
    drawing = Drawing(palette)
    for row, cells in enumerate(lines):
        drawing.line(cells, MARGIN + row * HIGH)
    return "\n".join([*parts, *drawing.parts(), "</g>", "</svg>", ""])
