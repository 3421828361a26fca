"""Every theme at every colour depth: required differences are visible, also for the colour-blind.

The colours are read back from what a console writes, so that nothing is rounded on the way unseen.
"""

import io
import itertools
import math
import re
from dataclasses import replace
from typing import Any

import pytest

from gameplay import registry
from gameplay.board import Board
from gameplay.display.board import drawing as boards
from gameplay.display.board.cell import Look, letter
from gameplay.display.board.palette import DEFAULT, PALETTES, PIECES, Palette
from gameplay.display.theme import BARS, GREYS, Theme, detect_theme
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from tests.support.golden import golden
from tests.support.streams import Output

pytestmark = pytest.mark.once

RGB = tuple[float, float, float]
COLOURED = [palette for palette in PALETTES.values() if palette.colour]
GROUNDS = ("chequered", "felt", "rack", "goban")

# What terminals make of the first eight colours, from their documentation or sources.
EIGHT = {
    "xterm": "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5",
    "VGA, the Linux console": "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa",
    "Windows": "0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc",
    "Tango": "2e3436 cc0000 4e9a06 c4a000 3465a4 75507b 06989a d3d7cf",
    "macOS": "000000 990000 00a600 999900 0000b2 b200b2 00a6b2 bfbfbf",
}
# Machado, Oliveira and Fernandes (2009), full severity: what is seen without red, green, blue cones.
SIGHT = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def xterm(number: int) -> RGB:
    """The colour of number 16 to 255 according to xterm's documentation."""
    if number >= 232:
        return (8.0 + 10 * (number - 232),) * 3
    steps = (0, 95, 135, 175, 215, 255)
    return steps[(number - 16) // 36], steps[(number - 16) // 6 % 6], steps[(number - 16) % 6]


def linear(colour: RGB) -> list[float]:
    return [c / 255 / 12.92 if c <= 10.3 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]


def luminance(colour: RGB) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: RGB, second: RGB) -> float:
    """WCAG's ratio, 1 to 21."""
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def lab(red: float, green: float, blue: float) -> tuple[float, float, float]:
    """CIELAB of linear RGB."""

    def root(value: float) -> float:
        return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116

    x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047)
    y = root(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(first: RGB, second: RGB) -> float:
    """The difference of two colours for the viewers who distinguish them least."""

    def lab_of(colour: RGB, rows: Any) -> tuple[float, float, float]:
        values = [sum(a * b for a, b in zip(row, linear(colour), strict=True)) for row in rows]
        return lab(*(min(1.0, max(0.0, value)) for value in values))

    return min(math.dist(lab_of(first, rows), lab_of(second, rows)) for rows in SIGHT.values())


class ConsoleColours:
    """The foreground and background that a console of some colour depth writes for a style."""

    def __init__(self, depth: Any, eight: str = "xterm") -> None:
        self.depth = depth
        self.eight = [tuple(bytes.fromhex(word)) for word in EIGHT[eight].split()]

    def theme(self, palette: Palette, **more: Any) -> Theme:
        return Theme(True, True, False, palette, depth=self.depth, **more)

    def __call__(self, style: str) -> tuple[RGB | None, RGB | None]:
        from rich.console import Console
        from rich.text import Text

        out = io.StringIO()
        console = Console(file=out, force_terminal=True, color_system=self.depth)
        console.print(Text("x", style=style), end="")
        codes = re.search(r"\x1b\[([\d;]*)m", out.getvalue())
        assert codes is not None, style
        ink: RGB | None = None
        ground: RGB | None = None
        numbers = [int(code) for code in codes[1].split(";")]
        bold = 1 in numbers
        while numbers:
            code = numbers.pop(0)
            if code in (38, 48):
                assert numbers.pop(0) == 5, "a number of the palette, not to be rounded"
                colour = xterm(numbers.pop(0))
                ink, ground = (colour, ground) if code == 38 else (ink, colour)
            elif 30 <= code <= 37:
                assert self.depth == "standard"
                ink = self.eight[code - 30]
                ink = (255, 255, 255) if bold and code == 37 else ink
            elif 40 <= code <= 47:
                assert self.depth == "standard"
                ground = self.eight[code - 40]
            else:
                assert code < 30, f"{code} is no colour that all terminals of eight colours have"
        return ink, ground


def both(printed: ConsoleColours, style: str) -> tuple[RGB, RGB]:
    ink, ground = printed(style)
    assert ink is not None and ground is not None, style
    return ink, ground


def colour(printed: ConsoleColours, name: str) -> RGB:
    return both(printed, f"{name} on {name}")[1]


@pytest.mark.parametrize("depth", ["truecolor", "256"])
@pytest.mark.parametrize("palette", COLOURED, ids=lambda palette: palette.name)
class TestManyColours:
    """Output for more than 256 colours is the same, since only 256 are used."""

    def test_squares_differ(self, palette: Palette, depth: str) -> None:
        printed = ConsoleColours(depth)
        theme = printed.theme(palette)
        for kind in ("chequered", "felt"):
            light, dark = (colour(printed, theme.ground(kind, shade)) for shade in (0, 1))
            assert distance(light, dark) >= 12, kind
            least = 1.5 if kind == "chequered" else 1.14
            assert contrast(light, dark) >= least and luminance(light) > luminance(dark), kind

    def test_marks_differ_from_squares_and_from_each_other(self, palette: Palette, depth: str) -> None:
        printed = ConsoleColours(depth)
        theme = printed.theme(palette)
        marks = {name: colour(printed, theme.ground("felt", 0, name)) for name in palette.marks}
        assert set(marks) == {"cursor", "selected", "line", "last", "target"}
        for kind in GROUNDS:
            for shade in (0, 1):
                square = colour(printed, theme.ground(kind, shade))
                for name, mark in marks.items():
                    assert distance(mark, square) >= 12, (kind, shade, name)
        for (name, first), (other, second) in itertools.combinations(marks.items(), 2):
            assert distance(first, second) >= 8, (name, other)
        for name in marks:
            for kind in GROUNDS:
                ink, ground = both(printed, f"{theme.mark_style(name)} on {theme.ground(kind, 0, name)}")
                assert contrast(ink, ground) >= 3, (kind, name)

    def test_pieces_are_read_on_every_square_and_mark(self, palette: Palette, depth: str) -> None:
        printed = ConsoleColours(depth)
        theme = printed.theme(palette)
        for kind in ("chequered", "felt", "goban"):
            unders = [theme.ground(kind, 0), theme.ground(kind, 1)]
            unders += [theme.ground(kind, 0, mark) for mark in palette.marks]
            for under in unders:
                for player in (0, 1):
                    ink, on = both(printed, theme.piece(player, 0, kind, under))
                    assert contrast(ink, on) >= 3, (kind, under, player)
                    if theme.uses_chips:
                        assert contrast(ink, on) >= 7
                        assert contrast(on, colour(printed, under)) >= 1.5 or player == 0, (kind, under)

    def test_sides_differ_without_hue(self, palette: Palette, depth: str) -> None:
        printed = ConsoleColours(depth)
        theme = printed.theme(palette)
        under = theme.ground("felt", 0)
        white, black = (both(printed, theme.piece(player, 0, "felt", under)) for player in (0, 1))
        if theme.uses_chips:
            assert contrast(white[1], black[1]) >= 7
        elif theme.fills_pieces(0):
            assert contrast(white[0], black[0]) >= 3
        else:  # as in books, by their shape
            board = registry.game("chess").new().board()
            assert Look(board, theme).sign((0, 0)) == "♜" and Look(board, theme).sign((7, 0)) == "♖"

    def test_walls_of_a_rack_are_visible_on_terminals(self, palette: Palette, depth: str) -> None:
        """Against its own ground, and the usual terminal backgrounds: black, or white for a light theme."""
        printed = ConsoleColours(depth)
        wall = colour(printed, printed.theme(palette).faint("rack"))
        light = luminance(colour(printed, printed.theme(palette).ground("rack", 0))) > 0.5
        assert contrast(wall, (255, 255, 255) if light else (0, 0, 0)) >= 4.5
        assert contrast(wall, colour(printed, printed.theme(palette).ground("rack", 0))) >= 4.5

    def test_discs_in_a_rack_differ_without_hue(self, palette: Palette, depth: str) -> None:
        printed = ConsoleColours(depth)
        theme = printed.theme(palette)
        rack = theme.ground("rack", 0)
        first, second = (both(printed, theme.piece(player, None, "rack", rack)) for player in (0, 1))
        if theme.uses_chips:
            assert contrast(first[1], second[1]) >= 2 and distance(first[1], second[1]) >= 40
            signs = {Look(connect4(), theme).sign((5, column)) for column in (0, 1)}
            assert len(signs) == 2
        else:
            assert contrast(first[0], second[0]) >= 3
            assert min(contrast(*first), contrast(*second)) >= 3
        for two_of in itertools.combinations(range(6), 2):
            two = [both(printed, theme.chip_style(player))[1] for player in two_of]
            assert distance(*two) >= 20, two_of

    def test_chips_with_signs_are_read(self, palette: Palette, depth: str) -> None:
        printed = ConsoleColours(depth)
        for player in range(6):
            assert contrast(*both(printed, printed.theme(palette).chip_style(player))) >= 4.5, player

    def test_labels_on_empty_cells_are_legible(self, palette: Palette, depth: str) -> None:
        printed = ConsoleColours(depth)
        theme = printed.theme(palette)
        for kind, shade in itertools.product(GROUNDS, (0, 1)):
            ink, under = both(printed, f"{theme.faint(kind)} on {theme.ground(kind, shade)}")
            assert contrast(ink, under) >= 3, (kind, shade)

    def test_signs_of_inlays_are_legible(self, palette: Palette, depth: str) -> None:
        printed = ConsoleColours(depth)
        theme = printed.theme(palette)
        for sign in palette.inlays:
            style = f"{theme.inlay_style(sign)} on {theme.ground('tiles', 0, sign)}"
            assert contrast(*both(printed, style)) >= 3, sign

    def test_red_suits_are_legible_on_black_and_white_terminals(self, palette: Palette, depth: str) -> None:
        printed = ConsoleColours(depth)
        red, _ = printed(printed.theme(palette).red())
        assert red is not None and distance(red, (0, 0, 0)) >= 40
        for terminal in ((0, 0, 0), (255, 255, 255)):
            assert contrast(red, terminal) >= 3


@pytest.mark.parametrize("eight", EIGHT)
@pytest.mark.parametrize("palette", COLOURED, ids=lambda palette: palette.name)
class TestEightColours:
    """The same with 16 colours: only the first eight are used, however the terminal renders them."""

    def test_pieces_are_legible_and_distinct(self, palette: Palette, eight: str) -> None:
        printed = ConsoleColours("standard", eight)
        theme = printed.theme(palette)
        white, black = (both(printed, theme.piece(player, 0, "felt", "green")) for player in (0, 1))
        assert contrast(*white) >= 7 and contrast(*black) >= 7
        assert contrast(white[1], black[1]) >= 7
        for player in range(6):
            assert contrast(*both(printed, theme.chip_style(player))) >= 2.9, player

    def test_squares_marks_and_writing_differ(self, palette: Palette, eight: str) -> None:
        printed = ConsoleColours("standard", eight)
        theme = printed.theme(palette)
        for kind in ("chequered", "felt"):
            light, dark = (theme.ground(kind, shade) for shade in (0, 1))
            assert light != dark and distance(colour(printed, light), colour(printed, dark)) >= 8, kind
            for name in palette.marks:
                mark = theme.ground(kind, 0, name)
                if kind == "chequered" or name != "target":
                    assert mark not in (light, dark), (kind, name)
                assert contrast(*both(printed, f"{theme.mark_style(name)} on {mark}")) >= 2.9, name
            for shade in (0, 1):
                if (kind, shade) != ("chequered", 0):
                    written = f"{theme.faint(kind)} on {theme.ground(kind, shade)}"
                    assert contrast(*both(printed, written)) >= 2.9, (kind, shade)
        for sign in palette.inlays:
            written = f"{theme.inlay_style(sign)} on {theme.ground('tiles', 0, sign)}"
            assert contrast(*both(printed, written)) >= 2.9, sign


@pytest.mark.parametrize("eight", EIGHT)
@pytest.mark.parametrize("palette", COLOURED, ids=lambda palette: palette.name)
def test_lines_and_marks_are_visible_on_wood_of_eight_colours(palette: Palette, eight: str) -> None:
    printed = ConsoleColours("standard", eight)
    theme = printed.theme(palette)
    wood = theme.ground("goban", 0)
    assert contrast(*both(printed, f"{theme.faint('goban')} on {wood}")) >= 2.9
    assert wood not in {theme.ground("goban", 0, name) for name in palette.marks}


def test_a_goban_is_all_of_one_colour_with_a_side_each_for_the_stones() -> None:
    game = registry.game("go").new()
    for move in ("E5", "C3"):
        game.make(game.parse(move))
    theme = ConsoleColours("256").theme(DEFAULT)
    text = boards.draw(game.board(), theme, 2)
    grounds = {str(span.style).rpartition(" on ")[2] for span in text.spans if " on " in str(span.style)}
    assert grounds == {theme.ground("goban", 0)}
    stones = [span for span in text.spans if text.plain[span.start : span.end] == "●"]
    assert [str(span.style).partition(" on ")[0] for span in stones] == ["color(16)", "bold color(231)"]
    assert "○" in boards.draw(game.board(), ConsoleColours("256").theme(PALETTES["paper"]), 2).plain


def connect4() -> Board:
    board = Match(registry.game("connect4"), [EmptySeat(), EmptySeat()], "", ["1", "2"]).board()
    assert board is not None
    return board


@pytest.mark.parametrize("name", ["mono", "ascii"])
def test_a_theme_without_colour_has_none(name: str) -> None:
    theme = detect_theme(env={"TERM": "xterm-256color", "FORCE_COLOR": "1"}, palette=PALETTES[name])
    assert not theme.colour and theme.unicode == (theme.unicode and name != "ascii")
    out = io.StringIO()
    console = theme.console_on(out, 80)
    console.print(boards.draw(connect4(), theme, 1))
    assert "●" in out.getvalue() or not theme.unicode
    assert not re.search(r"\x1b\[[\d;]*[34]\d", out.getvalue())
    assert detect_theme("always", palette=PALETTES[name]).colour, "a flag comes before a theme"


@pytest.mark.parametrize("pieces", PIECES)
@pytest.mark.parametrize("game", ["chess", "othello", "checkers", "connect4", "tictactoe"])
@pytest.mark.parametrize("unicode", [True, False])
def test_without_colour_pieces_have_distinct_signs(game: str, pieces: str, unicode: bool) -> None:
    theme = Theme(False, unicode, False, pieces=pieces)
    board = registry.game(game).new().board()
    signs = {piece: Look(board, theme)._shape(piece) for piece in board.owners}
    assert len(set(signs.values())) == len(signs)
    assert signs == {piece: letter(board, theme, piece) for piece in board.owners}


@pytest.mark.parametrize("game", ["chess", "othello", "checkers", "connect4", "go"])
def test_with_colour_both_sides_are_filled(game: str) -> None:
    board = registry.game(game).new().board()
    look = Look(board, ConsoleColours("256").theme(DEFAULT))
    signs = {piece: look._shape(piece) for piece in board.owners}
    assert not set(signs.values()) & set("♔♕♖♗♘♙○")
    mine = {piece: sign for piece, sign in signs.items() if board.owners[piece] == 0}
    assert len(set(mine.values())) == len(mine), "one's own differ by their shape"
    outline = Look(board, ConsoleColours("256").theme(DEFAULT, pieces="outline"))
    assert {outline._shape(piece) for piece in board.owners} & set("♔♙○")
    letters = Look(board, ConsoleColours("256").theme(DEFAULT, pieces="letters"))
    assert [letters._shape(piece) for piece in board.owners] == list(board.owners)


@pytest.mark.parametrize("white", [None, 0])
def test_bars_are_visible_on_light_and_dark_terminals(white: int | None) -> None:
    printed = ConsoleColours("256")
    for style in (*BARS, *GREYS):
        bar = colour(printed, style)
        assert contrast(bar, (0, 0, 0)) >= 3 and contrast(bar, (255, 255, 255)) >= 3, style


def test_themes_equal_the_stored_colours() -> None:
    """The cells, marks, pieces and bars of each theme, with few colours and with many."""
    log = []
    for palette in PALETTES.values():
        log += [f"==== {palette.name}: {palette.words}; colour {palette.colour}, Unicode {palette.unicode}"]
        for depth in ("standard", "256"):
            theme = Theme(palette.colour, palette.unicode, True, palette, depth=depth)
            log.append(
                f"-- {depth}: few {theme.has_few_colours}, chips {theme.uses_chips}, red {theme.red()}"
            )
            for kind in (*GROUNDS, "tiles", "anything"):
                cells = [theme.ground(kind, dark) for dark in (0, 1)]
                log.append(f"{kind}: {', '.join(cells)}, {theme.faint(kind)}")
                for white in (None, 0):
                    pieces = [theme.piece(player, white, kind, cells[0]) for player in (0, 1, None, -1)]
                    mass = [
                        theme.large_piece_style(player, white, kind, cells[1])
                        for player in (0, 1, 7, None, -1)
                    ]
                    log.append(f"  white {white}: {'; '.join(pieces)}; large {'; '.join(mass)}")
            marks = [*palette.marks, *palette.inlays]
            log += [f"{name}: {theme.mark_style(name)} on {theme.ground('felt', 0, name)}" for name in marks]
            log.append(f"no mark: {theme.mark_style('')}")
            log.append("; ".join(theme.chip_style(player) for player in (None, -1, *range(8))))
            log.append(
                "; ".join(theme.ink(player, white) for player in (None, 0, 1) for white in (None, 0, 1))
            )
            log.append("; ".join(theme.bar(player, white) for player in range(5) for white in (None, 0, 1)))
            filled = [theme.fills_pieces(white) for white in (None, 0)]
            shapes = [replace(theme, pieces=pieces).fills_pieces(0) for pieces in PIECES]
            log.append(f"filled {filled}, {shapes}")
    colours = [int(number) for number in re.findall(r"color\((\d+)\)", "\n".join(log))]
    assert colours and all(16 <= colour <= 255 for colour in colours), "the first 16 are the terminal's own"
    golden("themes", re.sub(r"color\((\d+)\)", r"\1", "\n".join(log)) + "\n")


@pytest.mark.parametrize(
    ("how", "env", "streams", "colour", "unicode", "interactive"),
    [
        ({}, "TERM=xterm", (True, True), True, True, True),
        ({}, "TERM=xterm", (False, True), True, True, False),
        ({}, "TERM=xterm", (True, False), False, True, False),
        ({}, "TERM=dumb", (True, True), False, True, False),
        ({}, "", (True, True), False, True, False),
        ({}, "TERM=unknown", (True, True), False, True, False),
        ({}, "TERM=linux", (True, True), True, False, True),
        ({}, "TERM=vt100", (True, True), False, True, True),
        ({}, "TERM=xterm-mono", (True, True), False, True, True),
        ({}, "TERM=vt100 COLORTERM=truecolor", (True, True), False, True, True),
        ({}, "TERM=vt100 FORCE_COLOR=1", (True, True), True, True, True),
        ({"color": "always"}, "TERM=vt100", (True, True), True, True, True),
        ({}, "TERM=screen", (True, True), True, True, True),
        ({}, "TERM=no-such-terminal", (True, True), True, True, True),
        ({}, "TERM=xterm NO_COLOR=1", (True, True), False, True, True),
        ({}, "TERM=xterm NO_COLOR=1 FORCE_COLOR=1", (True, True), False, True, True),
        ({}, "FORCE_COLOR=1", (True, False), True, True, False),
        ({"color": "always"}, "NO_COLOR=1", (True, False), True, True, False),
        ({"color": "never"}, "TERM=xterm FORCE_COLOR=1", (True, True), False, True, True),
        ({"ascii": True}, "TERM=xterm", (True, True), True, False, True),
        ({"plain": True}, "TERM=xterm", (True, True), True, True, False),
    ],
)
def test_terminal_capabilities_follow_from_flags_environment_and_streams(
    how: Any, env: str, streams: tuple[bool, bool], colour: bool, unicode: bool, interactive: bool
) -> None:
    known = dict(entry.split("=") for entry in env.split())
    theme = detect_theme(env=known, stdin=Output(streams[0]), stdout=Output(streams[1]), **how)
    assert (theme.colour, theme.unicode, theme.interactive) == (colour, unicode, interactive)
    assert theme.supported == (colour, unicode) and theme.palette is DEFAULT
    assert (theme.pieces, theme.coordinates, theme.show_bar, theme.depth) == ("blocks", True, True, "auto")


def test_output_is_unicode_where_the_stream_is_utf_8() -> None:
    seen = []
    for encoding in ("utf-8", "UTF8", "utf_8_sig", "latin-1", "ascii", None):
        seen.append(
            detect_theme(env={"TERM": "xterm"}, stdin=Output(), stdout=Output(True, encoding)).unicode
        )
    assert seen == [True, True, True, False, False, False]
    for name, value, unicode in (("LC_ALL", "C", False), ("LC_ALL", "C.UTF-8", True), ("LANG", "C", True)):
        env = {"TERM": "xterm", name: value}
        assert detect_theme(env=env, stdin=Output(), stdout=Output()).unicode is unicode
    theme = detect_theme(stdin=Output(), stdout=Output(), pieces="letters", coordinates=False, bar=False)
    assert (theme.pieces, theme.coordinates, theme.show_bar) == ("letters", False, False)


def test_a_theme_can_be_painted_over_and_back() -> None:
    """The palette never overrides the limits of the terminal; colours return with a coloured theme."""
    theme = detect_theme(env={"TERM": "xterm"}, stdin=Output(), stdout=Output())
    bare = theme.with_palette(PALETTES["ascii"])
    assert (bare.palette.name, bare.colour, bare.unicode, bare.supported) == (
        "ascii",
        False,
        False,
        (True, True),
    )
    again = bare.with_palette(PALETTES["night"])
    assert (again.palette.name, again.colour, again.unicode) == ("night", True, True)
    poor = detect_theme("never", ascii=True, env={}, stdin=Output(), stdout=Output()).with_palette(
        PALETTES["night"]
    )
    assert (poor.colour, poor.unicode) == (False, False)


@pytest.mark.parametrize("term", ["dumb", "unknown", ""])
def test_forced_colours_are_written_to_dumb_terminals(term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their board has the same signs for the pieces of both sides."""
    monkeypatch.setenv("TERM", term)
    theme = detect_theme("always", stdin=Output(False), stdout=Output(False))
    out = Output(False)
    console = theme.console_on(out)
    console.print("x", style="red")
    assert console.color_system == "standard" and "\x1b[31mx" in out.getvalue()
    assert detect_theme(stdin=Output(), stdout=Output()).console_on(out).color_system is None


def test_console_output_respects_the_theme() -> None:
    for colour, unicode, interactive in itertools.product((True, False), repeat=3):
        out = Output(False)
        console = Theme(colour, unicode, interactive, depth="256").console_on(out, 33)
        assert (console.width, console.no_color, console.is_terminal) == (
            33,
            not colour,
            colour or interactive,
        )
        assert console.color_system == ("256" if colour else None) and console.safe_box is not unicode
        console.print("[bold]:smile: 12 'x'[/bold]")
        assert out.getvalue() == "[bold]:smile: 12 'x'[/bold]\n" and not console.legacy_windows
        with pytest.raises(RuntimeError):
            console.on_broken_pipe()
