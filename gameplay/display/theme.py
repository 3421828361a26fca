"""The capabilities of the terminal, detected once: colour, Unicode, redrawing.

    colour       --color always|never; else off with NO_COLOR (not empty), on with FORCE_COLOR (not empty),
                 off with TERM=dumb, unknown or the name of a monochrome terminal (vt100); on in a terminal
    unicode      on if the output's encoding is UTF-8; off with --ascii, with LC_ALL=C, and on the Linux
                 console (TERM=linux), whose font has no chess pieces
    interactive  standard input and output are terminals that can redraw, without --plain

The available colours are in `gameplay.display.board.palette`. No information is conveyed by hue alone.
"""

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TextIO

from gameplay.display.board.palette import BLACK, DEFAULT, GROUPS, RED, WHITE, Colour, Palette
from gameplay.visible import terminal, visible

if TYPE_CHECKING:
    from rich.console import Console

DARK_COLOURS = ("red", "blue", "magenta")  # of the first eight colours, backgrounds for white text
DUMB = ("dumb", "unknown", "")  # values of TERM without colour or cursor movement
MONOCHROME = re.compile(r"vt[1-4]?\d\d|.*-m(ono)?")  # values of TERM without colour: vt100, xterm-mono
Depth = Literal["auto", "standard", "256", "truecolor", "windows"]

# Shares of an evaluation bar, visible on dark and light terminals: of the players, and of Black and White.
BARS = ("color(26)", "color(166)", "color(29)", "color(133)")
GREYS = ("color(241)", "color(246)")


@dataclass(frozen=True)
class Theme:
    """The style of the output, from `detect_theme`; passed to rich and to prompt-toolkit.

    pieces: a name in `palette.PIECES`. coordinates: the names of columns, rows and cells are drawn.
    show_bar: the evaluation bar is drawn. panel: the data of a search shown while a human plays: `off`;
    `quiet`: its progress (depth, nodes, speed); `full`: also value and line. depth: the colour system, as
    rich names it.
    """

    colour: bool
    unicode: bool
    interactive: bool
    palette: Palette = DEFAULT
    pieces: str = "blocks"
    coordinates: bool = True
    show_bar: bool = True
    panel: Literal["off", "quiet", "full"] = "full"
    depth: Depth = "auto"
    supported: tuple[bool, bool] = (True, True)  # colour and Unicode, independently of the palette

    @cached_property
    def console(self) -> "Console":
        """The rich console on standard output."""
        return self.console_on(sys.stdout)

    def console_on(self, file: TextIO, width: int | None = None) -> "Console":
        """A rich console that writes to `file` in this theme."""
        from rich.console import Console

        # Rich writes no colours for such a TERM, and boards drawn for colours cannot be read without.
        forced = self.colour and self.depth == "auto" and os.environ.get("TERM") in DUMB

        class ThemedConsole(Console):
            def on_broken_pipe(self) -> None:
                raise  # rich would exit with its own status

            def render_str(self, text: str, **named: Any) -> Any:
                return super().render_str(visible(text), **named)

        return ThemedConsole(
            file=terminal(file),
            width=width,
            no_color=not self.colour,
            force_terminal=True if self.colour or self.interactive else None,
            color_system="standard" if forced else self.depth if self.colour else None,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
            safe_box=not self.unicode,
        )

    def with_palette(self, palette: Palette) -> "Theme":
        """A copy of the theme with another palette."""
        colour, unicode = self.supported
        return replace(
            self, palette=palette, colour=colour and palette.colour, unicode=unicode and palette.unicode
        )

    @cached_property
    def has_few_colours(self) -> bool:
        """True with 8 or 16 colours."""
        return self.console.color_system in ("standard", "windows")

    def name(self, colour: Colour) -> str:
        """The name of a colour in rich, limited to the colours available."""
        return colour[1] if self.has_few_colours else f"color({colour[0]})"

    @property
    def uses_chips(self) -> bool:
        """True if pieces are drawn on a chip in their side's colour instead of on the square's colour."""
        return self.colour and (self.has_few_colours or self.palette.chips)

    def fills_pieces(self, white: int | None) -> bool:
        """True if the pieces of both sides are filled and differ by colour; white: the seat of White."""
        differ = white is None or self.palette.inks[0] != self.palette.inks[1]
        return self.colour and differ and not self.uses_chips and self.pieces in ("filled", "blocks")

    def chip_style(self, player: int | None) -> str:
        """The style of a player's chip."""
        if player is None or player < 0:
            return "bold"
        side, ink = self.palette.sides[player % len(self.palette.sides)]
        if self.has_few_colours:
            ink = WHITE if side[1] in DARK_COLOURS else BLACK
        return f"{self._style(ink)} on {self.name(side)}"

    def side(self, player: int | None) -> str:
        """The colour of a player's large pieces."""
        if player is None or player < 0 or not self.colour:
            return "bold"
        return self.name(self.palette.sides[player % len(self.palette.sides)][0])

    def group(self, number: int) -> str:
        """The style of the name of a square in colour group `number`; negative: none."""
        if number < 0 or not self.colour:
            return "" if number < 0 else "bold"
        ground, ink = list(GROUPS.items())[number % len(GROUPS)]
        if self.has_few_colours:
            ink = WHITE if ground[1] in DARK_COLOURS else BLACK
        return f"{self.name(ink)} on {self.name(ground)}"

    def red(self) -> str:
        """The style of cards in the red suits, on the terminal's own background."""
        return self._style(RED)

    def ink(self, player: int | None, white: int | None) -> str:
        """The style of a player's pieces; without a white side, that of Black."""
        is_white = player is not None and white is not None and player == white
        return self._style(self.palette.inks[0 if is_white else 1])

    def mark_style(self, mark: str) -> str:
        """The style of text on a marked cell."""
        if self.has_few_colours and mark:
            colour = (self.palette.marks | self.palette.inlays)[mark]
            return self._style(WHITE if colour[1] in DARK_COLOURS else BLACK)
        return self._style(self.palette.inks[0])

    def _style(self, ink: Colour) -> str:
        return f"bold {self.name(ink)}" if ink != BLACK else self.name(ink)

    def piece(self, player: int | None, white: int | None, ground: str, under: str) -> str:
        """The style of a player's piece on a cell of the colour `under`."""
        if self.uses_chips and ground != "tiles":
            if white is None:
                return self.chip_style(player)
            return self._chip(player == white)
        if white is None and ground in ("rack", "chequered") and player is not None and player >= 0:
            return f"bold {self.name(self.palette.sides[player % len(self.palette.sides)][0])} on {under}"
        return f"{self.ink(player, white)} on {under}"

    def large_piece_style(self, player: int | None, white: int | None, ground: str, under: str) -> str:
        """The style of a large piece, which has one colour."""
        if not self.uses_chips or player is None or player < 0:
            return self.piece(player, white, ground, under)
        sides = self.palette.sides
        side = sides[player % len(sides)][0] if white is None else (WHITE if player == white else BLACK)
        return f"bold {self.name(side)} on {under}" if side == WHITE else f"{self.name(side)} on {under}"

    def _chip(self, white: bool) -> str:
        if white:
            return f"{self.name(BLACK)} on {self.name(WHITE)}"
        return f"bold {self.name(WHITE)} on {self.name(BLACK)}"

    def faint(self, ground: str) -> str:
        """The text colour of empty cells."""
        return self.name(self.palette.ground(ground).faint)

    def inlay_style(self, sign: str) -> str:
        """The style of the sign of an empty cell of another kind."""
        return self.mark_style(sign) if self.has_few_colours else self._style(WHITE)

    def ground(self, kind: str, dark: int, mark: str = "") -> str:
        """The colour of a light (0) or dark (1) cell, or of a marked one."""
        if mark:
            return self.name((self.palette.marks | self.palette.inlays)[mark])
        ground = self.palette.ground(kind)
        return self.name(ground.dark if dark else ground.light)

    def bar(self, player: int, white: int | None = None) -> str:
        """The style of a player's share of an evaluation bar."""
        return BARS[player % len(BARS)] if white is None else GREYS[player == white]


def preload(theme: Theme) -> Theme:
    """The theme, with rich's tables imported, so that output after Ctrl-C appears at once."""
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
    """The theme for these options, environment and streams (default: the standard ones)."""
    stdin, stdout = stdin or sys.stdin, stdout or sys.stdout
    term, terminal = env.get("TERM", ""), stdout.isatty()
    dumb, monochrome = term in DUMB, MONOCHROME.fullmatch(term) is not None
    if color != "auto":
        colour = color == "always"
    elif env.get("NO_COLOR"):
        colour = False
    else:
        colour = bool(env.get("FORCE_COLOR")) or (terminal and not dumb and not monochrome)
    encoding = (getattr(stdout, "encoding", None) or "ascii").lower().replace("-", "").replace("_", "")
    unicode = not ascii and encoding.startswith("utf8") and term != "linux"
    unicode = unicode and env.get("LC_ALL") not in ("C", "POSIX")  # Python itself writes UTF-8 there
    return Theme(
        colour=colour and (palette.colour or color == "always"),
        unicode=unicode and palette.unicode,
        interactive=not plain and terminal and stdin.isatty() and (not dumb or sys.platform == "win32"),
        palette=palette,
        pieces=pieces,
        coordinates=coordinates,
        show_bar=bar,
        panel=panel,
        supported=(colour, unicode),
    )
