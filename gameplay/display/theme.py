"""What the terminal can show, decided once: colour, Unicode, redrawing, width. Everything drawn asks here.

    colour       --color always|never; else NO_COLOR (not empty) says no, FORCE_COLOR (not empty) yes,
                 TERM=dumb no, and a terminal yes
    unicode      not --ascii, and the output's encoding is UTF-8; not with LC_ALL=C; not on Linux without a
                 desktop (TERM=linux), where pieces have no pictures
    interactive  standard input and output are terminals that can redraw, and --plain is not given

The available colours are in `gameplay.display.board.palette`. No information is conveyed by hue alone.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TextIO

from gameplay.display.board.palette import BLACK, DEFAULT, GROUPS, WHITE, Colour, Palette
from gameplay.visible import terminal, visible

if TYPE_CHECKING:
    from rich.console import Console

DARK_COLOURS = ("red", "blue", "magenta")  # of the first eight colours, those that white is read on
Depth = Literal["auto", "standard", "256", "truecolor", "windows"]

# A bar's shares, seen on dark and on light terminals: of the players, and of Black and White.
BARS = ("color(26)", "color(166)", "color(29)", "color(133)")
GREYS = ("color(241)", "color(246)")


@dataclass(frozen=True)
class Theme:
    """What may be shown, and how. Decided by `decide`, passed to rich and to prompt-toolkit.

    `pieces`: a name of `palette.PIECES`. `coordinates`: columns, rows and cells are named beside the board.
    `bar_shown`: the evaluation bar is shown. `panel`: what is shown of a search while a person plays: none,
    progress (depth, nodes, speed), or value and line too. `depth`: how many colours there are, as rich
    names it.
    """

    colour: bool
    unicode: bool
    interactive: bool
    palette: Palette = DEFAULT
    pieces: str = "blocks"
    coordinates: bool = True
    bar_shown: bool = True
    panel: Literal["off", "quiet", "full"] = "full"
    depth: Depth = "auto"
    can: tuple[bool, bool] = (True, True)  # colour and Unicode, whatever the theme

    @cached_property
    def console(self) -> "Console":
        """The rich console on standard output."""
        return self.console_on(sys.stdout)

    def console_on(self, file: TextIO, width: int | None = None) -> "Console":
        """A rich console that writes to `file` what this theme allows."""
        from rich.console import Console

        class Quiet(Console):
            def on_broken_pipe(self) -> None:
                raise  # rich would end the program with a status of its own

            def render_str(self, text: str, **named: Any) -> Any:
                return super().render_str(visible(text), **named)

        return Quiet(
            file=terminal(file),
            width=width,
            no_color=not self.colour,
            force_terminal=True if self.colour or self.interactive else None,
            color_system=self.depth if self.colour else None,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
            safe_box=not self.unicode,
        )

    def painted(self, palette: Palette) -> "Theme":
        """The same on the same terminal, in another theme."""
        colour, unicode = self.can
        return replace(
            self, palette=palette, colour=colour and palette.colour, unicode=unicode and palette.unicode
        )

    @cached_property
    def few(self) -> bool:
        """True where there are only 8 or 16 colours."""
        return self.console.color_system in ("standard", "windows")

    def name(self, colour: Colour) -> str:
        """A colour as rich knows it, of those that there are here."""
        return colour[1] if self.few else f"color({colour[0]})"

    @property
    def chips(self) -> bool:
        """True where a piece stands on a chip of its side's colour, and not on its square."""
        return self.colour and (self.few or self.palette.chips)

    def filled(self, white: int | None) -> bool:
        """True where both sides' pieces are filled and differ by their colour; `white`: White's seat."""
        two = white is None or self.palette.inks[0] != self.palette.inks[1]
        return self.colour and two and not self.chips and self.pieces in ("filled", "blocks")

    def stone(self, player: int | None) -> str:
        """The style of a chip with a player's sign."""
        if player is None or player < 0:
            return "bold"
        side, ink = self.palette.sides[player % len(self.palette.sides)]
        if self.few:
            ink = WHITE if side[1] in DARK_COLOURS else BLACK
        return f"{self._style(ink)} on {self.name(side)}"

    def side(self, player: int | None) -> str:
        """The colour of a player, as that of a large piece."""
        if player is None or player < 0 or not self.colour:
            return "bold"
        return self.name(self.palette.sides[player % len(self.palette.sides)][0])

    def group(self, number: int) -> str:
        """The style of the name of a square of a group."""
        if number < 0 or not self.colour:
            return "" if number < 0 else "bold"
        ground, ink = list(GROUPS.items())[number % len(GROUPS)]
        if self.few:
            ink = WHITE if ground[1] in DARK_COLOURS else BLACK
        return f"{self.name(ink)} on {self.name(ground)}"

    def red(self) -> str:
        """The style of cards of the red suits."""
        return self._style(self.palette.marks["line"])

    def ink(self, player: int | None, white: int | None) -> str:
        """The style of a player's pieces on a ground; without a white side, as near as that comes."""
        whites = player is not None and white is not None and player == white
        return self._style(self.palette.inks[0 if whites else 1])

    def written(self, mark: str) -> str:
        """The style of marks on a cell of note."""
        if self.few and mark:
            colour = (self.palette.marks | self.palette.inlays)[mark]
            return self._style(WHITE if colour[1] in DARK_COLOURS else BLACK)
        return self._style(self.palette.inks[0])

    def _style(self, ink: Colour) -> str:
        return f"bold {self.name(ink)}" if ink != BLACK else self.name(ink)

    def piece(self, player: int | None, white: int | None, ground: str, under: str) -> str:
        """The whole style of a player's piece on a cell of the colour `under`."""
        if self.chips and ground != "tiles":
            if white is None:
                return self.stone(player)
            return self._chip(player == white)
        if white is None and ground in ("rack", "chequered") and player is not None and player >= 0:
            return f"bold {self.name(self.palette.sides[player % len(self.palette.sides)][0])} on {under}"
        return f"{self.ink(player, white)} on {under}"

    def large_piece_style(self, player: int | None, white: int | None, ground: str, under: str) -> str:
        """The style of a piece drawn large, all of one colour."""
        if not self.chips or player is None or player < 0:
            return self.piece(player, white, ground, under)
        sides = self.palette.sides
        side = sides[player % len(sides)][0] if white is None else (WHITE if player == white else BLACK)
        return f"bold {self.name(side)} on {under}" if side == WHITE else f"{self.name(side)} on {under}"

    def _chip(self, white: bool) -> str:
        if white:
            return f"{self.name(BLACK)} on {self.name(WHITE)}"
        return f"bold {self.name(WHITE)} on {self.name(BLACK)}"

    def faint(self, ground: str) -> str:
        """The colour of what is written on an empty cell of a ground."""
        return self.name(self.palette.ground(ground).faint)

    def ground(self, kind: str, dark: int, mark: str = "") -> str:
        """The colour of a light (0) or dark (1) cell, or of one that is marked."""
        if mark:
            return self.name((self.palette.marks | self.palette.inlays)[mark])
        ground = self.palette.ground(kind)
        return self.name(ground.dark if dark else ground.light)

    def bar(self, player: int, white: int | None = None) -> str:
        """The style of a player's share of a bar."""
        return BARS[player % len(BARS)] if white is None else GREYS[player == white]


def preload(theme: Theme) -> Theme:
    """The theme, with all that draws tables loaded: what comes after Ctrl-C then appears at once."""
    from rich.table import Table

    assert theme.console is not None and Table is not None
    return theme


def detect_theme(
    color: str = "auto",
    ascii: bool = False,
    plain: bool = False,
    env: Mapping[str, str] = os.environ,
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
    palette: Palette = DEFAULT,
    pieces: str = "blocks",
    coordinates: bool = True,
    bar: bool = True,
    panel: Literal["off", "quiet", "full"] = "full",
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
    unicode = not ascii and encoding.startswith("utf8") and env.get("TERM") != "linux"
    unicode = unicode and env.get("LC_ALL") not in ("C", "POSIX")  # Python itself writes UTF-8 there
    return Theme(
        colour=colour and (palette.colour or color == "always"),
        unicode=unicode and palette.unicode,
        interactive=not plain and terminal and stdin.isatty() and (not dumb or sys.platform == "win32"),
        palette=palette,
        pieces=pieces,
        coordinates=coordinates,
        bar_shown=bar,
        panel=panel,
        can=(colour, unicode),
    )
