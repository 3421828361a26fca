"""What the terminal can show, decided once: colour, Unicode, redrawing, width. Everything drawn asks here.

    colour       --color always|never; else NO_COLOR (not empty) says no, FORCE_COLOR (not empty) yes,
                 TERM=dumb no, and a terminal yes
    unicode      not --ascii, and the output's encoding is UTF-8; not on Linux without a desktop (TERM=linux),
                 where pieces have no pictures
    interactive  standard input and output are terminals that can redraw, and nobody asked for --plain

Colours are Okabe and Ito's, which colour-blind people tell apart, as backgrounds with their own text
colour, so that they read alike on light and dark terminals. No fact is told by colour alone.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TextIO

BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#E69F00", "#009E73", "#CC79A7"
STONES = (
    f"bold #FFFFFF on {BLUE}",
    f"bold #000000 on {ORANGE}",
    f"bold #000000 on {GREEN}",
    f"bold #000000 on {PURPLE}",
)
BARS = (BLUE, ORANGE, GREEN, PURPLE)
GREYS = ("#5F5F5F", "#AFAFAF")  # of black and of white, seen on dark and on light terminals

# A ground is its light cells, its dark cells, and faint writing. Grounds stand half way between white and
# black, so that pieces of both read well on them, and near to one of the 256 colours of old terminals.
GROUNDS = {
    "chequered": ("#AF875F", "#875F5F", "#D7AF87"),
    "felt": ("#00875F", "#007A55", "#AFD7AF"),
    "cursor": "#AF5FAF",
    "selected": "#0087AF",
    "line": "#AF5F5F",
    "last": "#878700",
    "target": "#008787",
}
SIXTEEN = {  # the same where there are no more colours than that
    "chequered": ("cyan", "green", "black"),
    "felt": ("green", "green", "black"),
    "cursor": "red",
    "selected": "magenta",
    "line": "red",
    "last": "yellow",
    "target": "blue",
}


@dataclass(frozen=True)
class Theme:
    """What may be shown. Decided by `decide`, passed to rich and to prompt-toolkit."""

    colour: bool
    unicode: bool
    interactive: bool

    @cached_property
    def console(self) -> Any:
        """The rich console on standard output."""
        return self.console_on(sys.stdout)

    def console_on(self, file: TextIO, width: int | None = None) -> Any:
        """A rich console that writes to `file` what this theme allows."""
        from rich.console import Console

        class Quiet(Console):
            def on_broken_pipe(self) -> None:
                raise  # rich would end the program with a status of its own

        return Quiet(
            file=file,
            width=width,
            no_color=not self.colour,
            force_terminal=True if self.colour or self.interactive else None,
            color_system="auto" if self.colour else None,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
            safe_box=not self.unicode,
        )

    def stone(self, player: int | None) -> str:
        """The style of a player's pieces."""
        return STONES[player % len(STONES)] if player is not None and player >= 0 else "bold"

    def ink(self, player: int | None, white: int | None) -> str:
        """The style of a player's pieces on a ground; without a white side, as near as that comes."""
        if player is None or white is None:
            return "bold #000000"
        return "bold #FFFFFF" if player == white else "bold #000000"

    def faint(self, ground: str) -> str:
        """The colour of what is written on an empty cell of a ground."""
        return str(self._grounds[ground][2])

    def ground(self, kind: str, dark: int, mark: str = "") -> str:
        """The colour of a light (0) or dark (1) cell, or of one that is marked."""
        return str(self._grounds[mark] if mark else self._grounds[kind][dark])

    @cached_property
    def _grounds(self) -> dict[str, Any]:
        return SIXTEEN if self.console.color_system == "standard" else GROUNDS

    def bar(self, player: int, white: int | None = None) -> str:
        """The style of a player's share of a bar."""
        return BARS[player % len(BARS)] if white is None else GREYS[player == white]


def decide(
    color: str = "auto",
    ascii: bool = False,
    plain: bool = False,
    env: Mapping[str, str] = os.environ,
    stdin: Any = None,
    stdout: Any = None,
) -> Theme:
    """The theme for these flags, this environment and these streams (default: the standard ones)."""
    stdin, stdout = stdin or sys.stdin, stdout or sys.stdout
    terminal, dumb = stdout.isatty(), env.get("TERM", "") in ("dumb", "")
    if color != "auto":
        colour = color == "always"
    elif env.get("NO_COLOR"):
        colour = False
    else:
        colour = bool(env.get("FORCE_COLOR")) or (terminal and not dumb)
    encoding = (getattr(stdout, "encoding", None) or "ascii").lower().replace("-", "").replace("_", "")
    return Theme(
        colour=colour,
        unicode=not ascii and encoding.startswith("utf8") and env.get("TERM") != "linux",
        interactive=not plain and terminal and stdin.isatty() and (not dumb or sys.platform == "win32"),
    )
