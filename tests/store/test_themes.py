"""A user's own themes: where they are found, their effects, and refusals."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import get_type_hints

import pytest

from gameplay.cli.common import themes as cli_themes
from gameplay.display.board.palette import NIGHT, PALETTES, WOOD
from gameplay.errors import BadInput, Usage
from gameplay.store import settings, themes
from tests.support.commands import run_printed
from tests.support.paths import ROOT
from tests.support.terminal import Start, terminal

pytestmark = pytest.mark.once

assert terminal  # a fixture
Run = Callable[..., tuple[int, str, str]]

MINE = """\
base = "night"
white = "cream"
chips = true
sides = [["blue", 231]]

[chequered]
light = 180

[marks]
last = "orange"
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `gameplay ...`: its status, its output, its errors."""
    monkeypatch.delenv("GAMEPLAY_THEME", raising=False)
    return partial(run_printed, capsys)


@pytest.fixture
def mine(home: Path) -> Path:
    """The path of themes/mine.toml beside the settings."""
    file = home / "themes" / "mine.toml"
    file.parent.mkdir(parents=True)
    file.write_text(MINE)
    return file


def test_included_theme_names_are_listed() -> None:
    assert set(settings.THEMES) == set(PALETTES)
    bases = get_type_hints(themes.ThemeFile)["base"].__args__
    assert set(bases) == {name for name, palette in PALETTES.items() if palette.colour}
    assert set(themes.MarkShades.__struct_fields__) == set(WOOD.marks)


def test_theme_changes_only_named_colours(mine: Path) -> None:
    palette = cli_themes.find_theme("mine")
    assert palette.name == "mine" and palette.chips and str(mine) in palette.words
    assert palette.inks == ((230, "white"), NIGHT.inks[1])
    assert palette.chequered.light == (180, NIGHT.chequered.light[1])
    assert (palette.chequered.dark, palette.felt, palette.rack) == (
        NIGHT.chequered.dark,
        NIGHT.felt,
        NIGHT.rack,
    )
    assert palette.marks == NIGHT.marks | {"last": (208, NIGHT.marks["last"][1])}
    assert palette.sides[0] == ((26, "blue"), (231, "white")) and palette.sides[1:] == NIGHT.sides[1:]
    assert cli_themes.find_theme(str(mine)) == palette, "a path leads to the same"


def test_names_of_colours_never_mean_those_that_a_terminal_sets() -> None:
    assert all(16 <= colours <= 255 for colours in themes.COLOURS.values())
    numbers = [themes.colour_number(name) for name in ("red", "dark_green", "bright_red", "rde", 77)]
    assert numbers == [160, 22, None, None, 77]


def test_custom_theme_is_listed_with_others(
    mine: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    assert settings.settings({"GAMEPLAY_THEME": "mine"}).theme == "mine"
    assert run("settings", "theme", "mine")[1].startswith("theme is mine now")
    board = ("show", "chess", "--color", "always")
    set_so = run(*board)
    elsewhere = tmp_path / "other.toml"
    elsewhere.write_text(MINE)
    assert set_so == run(*board, "--theme", "mine") == run(*board, "--theme", str(elsewhere))
    assert set_so[0] == 0 and set_so[1] != run(*board, "--theme", "night")[1]
    assert f"mine (set): from {mine}" in run("settings", "--preview")[1]
    assert f"mine         from {mine}" in run("settings", "theme")[1]
    assert run("config", "check", str(mine), str(elsewhere))[0] == 0
    assert "chequered" in json.loads(run("config", "schema", "theme")[1])["$defs"]["ThemeFile"]["properties"]


def test_included_themes_keep_their_names(mine: Path) -> None:
    mine.rename(mine.with_name("wood.toml"))
    assert cli_themes.find_theme("wood") == WOOD and settings.user_themes() == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('base = "nigth"\n', "line 1: base: 'nigth' is none of wood, night"),
        ('base = "mono"\n', "line 1: base: 'mono' is none of"),
        (
            "\n[chequered]\nligth = 20\n",
            "line 3: chequered.ligth: unknown field; did you mean 'light'?",
        ),
        (
            '[marks]\nlast = "orenge"\n',
            "line 2: marks.last: unknown colour 'orenge'; did you mean 'orange'?",
        ),
        ('white = "bright_red"\n', "line 1: white: unknown colour 'bright_red'"),
        ("white = 9\n", "line 1: white: expected a whole number of at least 16"),
        (
            'sides = [["blue", "wite"]]\n',
            "line 1: sides[1][2]: unknown colour 'wite'; did you mean 'white'?",
        ),
        ("chips = maybe\n", "is not TOML"),
    ],
)
def test_theme_error_names_its_line(mine: Path, text: str, words: str, run: Run) -> None:
    mine.write_text(text)
    for call in (("show", "chess", "--theme", "mine"), ("settings", "theme", "mine")):
        status, out, error = run(*call)
        assert (status, out, error.count("\n")) == (6, "", 1) and f"{mine}" in error and words in error, error
    status, out, _ = run("config", "check", str(mine))
    assert status == 6 and words in out
    assert not settings.path().exists()


def test_broken_theme_is_reported_beside_the_others(mine: Path, run: Run) -> None:
    broken = mine.with_name("broken.toml")
    broken.write_text("white = 5\n")
    words = f"{broken}, line 1: white: expected a whole number of at least 16, not 5"
    status, out, error = run("settings", "theme")
    assert (status, error) == (0, "") and f"mine         from {mine}" in out
    assert f"  broken       {words}\n" in out
    status, out, error = run("settings", "--preview")
    assert (status, error) == (6, f"gameplay: {words}\n") and f"mine: from {mine}" in out


def test_colours_are_those_that_no_terminal_changes_and_sides_are_six(tmp_path: Path) -> None:
    """16 to 255 of xterm's numbers; Chinese Checkers has six sides, and no game has more."""
    file = tmp_path / "mine.toml"
    side = "[16, 255]"
    for text in ("white = 16", "black = 255", f"sides = [{', '.join([side] * 6)}]"):
        file.write_text(f"{text}\n")
        held = themes.read(file)
    assert held == themes.ThemeFile(sides=[(16, 255)] * 6)
    assert (held.base, held.white, held.black, held.chips) == ("wood", None, None, None)
    for text, words in (
        ("white = 15", "white: expected a whole number of at least 16, not 15"),
        ("[felt]\nfaint = 256", "felt.faint: expected a whole number of at most 255, not 256"),
        (f"sides = [{', '.join([side] * 7)}]", "sides: expected a list of at most 6, not 7"),
    ):
        file.write_text(f"{text}\n")
        with pytest.raises(BadInput) as refused:
            themes.read(file)
        assert str(refused.value) == f"{file}, line {len(text.splitlines())}: {words}"
    file.write_text('[goban]\ndark = "woood"\n')
    with pytest.raises(BadInput) as refused:
        themes.read(file)
    assert str(refused.value) == (
        f"{file}, line 2: goban.dark: unknown colour 'woood'"
        f" (choose from: {', '.join(themes.COLOURS)}; or a number from 16 to 255)"
    )


def test_missing_theme_is_refused(home: Path, mine: Path, run: Run) -> None:
    status, _, error = run("show", "chess", "--theme", "mien")
    assert status == 2 and "unknown theme 'mien'; did you mean 'mine'?" in error and "wood" in error
    status, _, error = run("show", "chess", "--theme", "./none.toml")
    assert status == 6 and "there is no file" in error and "none.toml" in error
    with pytest.raises(Usage):
        settings.change("theme", str(mine))
    settings.change("theme", "mine")
    mine.unlink()
    with pytest.raises(BadInput, match=r"line 1: theme must be wood, .*, not 'mine'"):
        settings.settings({})


def test_custom_theme_applies_at_the_prompt(terminal: Start, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(MINE)
    bad.write_text("white = 300\n")
    player = terminal("play", "connect4", "--engine", "minimax:depth=1", "--seed", "1", width=160)
    player.until("type a move")
    player.type(f"theme {good}\r").until("to keep it, copy")
    player.type(f"theme {bad}\r").until("line 1: white: expected")


def test_the_example_of_the_page_is_right(tmp_path: Path) -> None:
    page = (ROOT / "docs/how-to/settings.md").read_text(encoding="utf-8")
    (example,) = (part.split("```")[0] for part in page.split("```toml\n") if part.startswith("base"))
    file = tmp_path / "mine.toml"
    file.write_text(example)
    palette = cli_themes.find_theme(str(file))
    assert palette.chequered.dark[0] == themes.COLOURS["brown"] and palette.inks[0][0] == 230


# What xterm and those after it paint: the colours by name, as red, green and blue.
PAINTED = {
    "black": "000000", "white": "ffffff", "grey": "808080", "light_grey": "bcbcbc", "dark_grey": "444444",
    "red": "d70000", "dark_red": "870000", "pink": "ffafd7", "orange": "ff8700", "yellow": "ffd700",
    "cream": "ffffd7", "green": "00af00", "light_green": "87ff87", "dark_green": "005f00", "cyan": "00afaf",
    "blue": "005fd7", "light_blue": "87d7ff", "dark_blue": "000087", "purple": "8700af", "magenta": "af00af",
    "brown": "875f00", "tan": "d7af87",
}  # fmt: skip


def test_colours_by_name_are_what_terminals_paint() -> None:
    def default_colour(number: int) -> str:
        """The default xterm colour: a cube of six levels per channel, and 24 greys."""
        if number >= 232:
            return f"{8 + 10 * (number - 232):02x}" * 3
        cube = number - 16
        return "".join(
            f"{55 + 40 * level if level else 0:02x}" for level in (cube // 36, cube // 6 % 6, cube % 6)
        )

    assert {name: default_colour(number) for name, number in themes.COLOURS.items()} == PAINTED
