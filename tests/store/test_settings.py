"""Settings: their sources, refusals, the stored file, and their effects."""

import json
import os
import sys
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest

from gameplay.cli.common.session import display_settings
from gameplay.display.board import preview
from gameplay.display.board.palette import PALETTES, PIECES
from gameplay.display.board.preview import CHESS, OTHELLO, RACK
from gameplay.display.theme import Theme
from gameplay.errors import BadInput, Usage
from gameplay.store import settings
from gameplay.store.paths import home_folder
from tests.support.commands import run_printed
from tests.support.facts.text import check_width
from tests.support.golden import golden
from tests.support.paths import ROOT, TESTS
from tests.support.terminal import Start, terminal

pytestmark = pytest.mark.once

WRONG = tomllib.loads((TESTS / "answers" / "settings.toml").read_text())

assert terminal  # a fixture
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `gameplay ...`: its status, its output, its errors."""
    for name in settings.NAMES:
        monkeypatch.delenv(settings.variable_name(name), raising=False)
    return partial(run_printed, capsys)


def test_the_names_are_those_that_there_are() -> None:
    assert set(settings.choices("theme")) == set(PALETTES)
    assert set(settings.choices("pieces")) == set(PIECES)
    assert settings.Settings().theme == "wood" and settings.choices("bell") == ("on", "off")
    assert settings.choices("name") == ()
    kinds = settings.Settings.__annotations__
    assert all(get_args(kinds[name]) and settings.description(name)[0].isupper() for name in settings.NAMES)


def test_a_variable_comes_before_the_file_and_the_file_before_the_default(home: Path) -> None:
    assert settings.path() == home / "settings.toml"
    assert settings.read_with_origins({}) == (settings.Settings(), {})
    settings.change("theme", "night")
    settings.change("bell", "on")
    held, origins = settings.read_with_origins({"GAMEPLAY_THEME": "paper", "GAMEPLAY_BAR": "no"})
    assert (held.theme, held.bell, held.bar, held.confirm) == ("paper", True, False, False)
    assert origins == {
        "theme": "GAMEPLAY_THEME",
        "bar": "GAMEPLAY_BAR",
        "bell": str(home / "settings.toml"),
    }
    assert settings.settings({"GAMEPLAY_THEME": ""}).theme == "night", "an empty variable says nothing"


def test_the_file_is_in_the_user_configuration_by_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("GAMEPLAY_HOME")
    if os.name == "posix":
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings.path().name == "settings.toml" and "gameplay" in settings.path().parts


def test_home_variable_must_be_a_folder_or_absent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for named, expected in (("", None), (str(tmp_path), tmp_path), (str(tmp_path / "new"), tmp_path / "new")):
        monkeypatch.setenv("GAMEPLAY_HOME", named)
        assert home_folder() == expected
    monkeypatch.delenv("GAMEPLAY_HOME")
    assert home_folder() is None
    monkeypatch.setenv("GAMEPLAY_HOME", str(file))
    with pytest.raises(BadInput) as refused:
        settings.path()
    assert str(refused.value) == f"GAMEPLAY_HOME is {file}, which is not a folder. Try: unset GAMEPLAY_HOME"


def test_the_file_keeps_its_comments_and_other_lines(home: Path) -> None:
    home.mkdir()
    file = home / "settings.toml"
    file.write_text('# mine\ntheme = "wood"  # for now\nbar = false')
    settings.change("theme", "blue")
    settings.change("name", 'Ann "the" \\ Great')
    assert file.read_text() == '# mine\ntheme = "blue"\nbar = false\nname = "Ann \\"the\\" \\\\ Great"\n'
    assert settings.settings({}).name == 'Ann "the" \\ Great'
    settings.change("bar", "default")
    assert settings.settings({}).bar and "bar" not in file.read_text()
    assert [path.name for path in home.iterdir()] == ["settings.toml"], "nothing is left beside it"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('bell = true\nthme = "wood"\n', "line 2: thme: unknown field; did you mean 'theme'?"),
        ('theme = "wod"\n', "not 'wod'. Try: theme=wood"),
        ('\n\nbell = "loud"\n', "line 3: bell: expected true or false, not text in quotes"),
        ("bell = maybe\n", "is not TOML"),
    ],
)
def test_settings_error_names_its_line(home: Path, text: str, words: str, run: Run) -> None:
    home.mkdir()
    (home / "settings.toml").write_text(text)
    with pytest.raises(BadInput, match=r"settings\.toml"):
        settings.settings({})
    status, out, error = run("show", "tictactoe")
    assert status == 6 and not out and error.count("\n") == 1 and words in error
    status, out, _ = run("config", "check", str(home / "settings.toml"))
    assert status == 6 and words in out


def test_each_setting_has_words_and_a_default() -> None:
    usual = {
        "theme": "wood", "pieces": "blocks", "bell": False, "confirm": False, "bar": True, "name": "",
        "full": False, "coordinates": True, "panel": "quiet", "pace": "normal",
    }  # fmt: skip
    held = settings.Settings()
    assert {name: getattr(held, name) for name in settings.NAMES} == usual
    switch = ("on", "off")
    assert {name: settings.choices(name) for name in usual if name != "theme"} == {
        "pieces": ("filled", "outline", "letters", "blocks"), "bell": switch, "confirm": switch,
        "bar": switch, "name": (), "full": switch, "coordinates": switch,
        "panel": ("off", "quiet", "full"), "pace": ("instant", "normal", "slow"),
    }  # fmt: skip
    assert settings.choices("theme") == ("wood", "night", "paper", "contrast", "blue", "mono", "ascii")
    assert settings.variable_name("bell") == "GAMEPLAY_BELL"
    settings.check_name("bell")
    with pytest.raises(Usage) as refused:
        settings.check_name("bel")
    listed = ", ".join(sorted(usual))
    assert str(refused.value) == f"unknown setting 'bel'; did you mean 'bell'? (choose from: {listed})"


@pytest.mark.parametrize(
    ("word", "held"),
    [("on", True), ("YES", True), ("true", True), ("1", True), ("Off", False), ("no", False),
     ("false", False), ("0", False)],
)  # fmt: skip
def test_a_switch_is_on_or_off(word: str, held: bool, home: Path) -> None:
    assert settings.settings({"GAMEPLAY_BELL": word}).bell is held
    settings.change("bell", word)
    assert (home / "settings.toml").read_text() == f"bell = {str(held).lower()}\n"
    settings.change("bell", "default")
    assert (home / "settings.toml").read_text() == "" and settings.read_with_origins({}) == (
        settings.Settings(),
        {},
    )


def test_only_settings_of_the_file_are_set(home: Path) -> None:
    """Blanks around a name, comments and other names are ignored."""
    home.mkdir()
    file = home / "settings.toml"
    file.write_text("# bar = false\n  bell=true\n\tname\t = ' Ann '\n")
    held, origins = settings.read_with_origins({})
    assert held == settings.Settings(bell=True, name=" Ann ") and set(origins) == {"bell", "name"}
    settings.change("bell", "off")
    settings.change("bar", "off")
    assert file.read_text() == "# bar = false\nbell = false\n\tname\t = ' Ann '\nbar = false\n"
    assert settings.settings({"GAMEPLAY_NAME": "  Bo "}).name == "Bo"
    file.write_bytes(b"\xff")
    for call in (lambda: settings.change("bell", "on"), lambda: settings.settings({})):
        with pytest.raises(BadInput, match=r"settings\.toml"):
            call()


@pytest.mark.parametrize(("name", "word", "words"), WRONG["refused"])
def test_wrong_setting_is_refused_and_not_stored(home: Path, name: str, word: str, words: str) -> None:
    with pytest.raises(Usage) as error:
        settings.change(name, word)
    assert words in str(error.value) and not home.exists()
    with pytest.raises(Usage, match=settings.variable_name(name)):
        settings.settings({settings.variable_name(name): word})


def test_the_command_lists_sets_and_takes_back(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, out, _ = run("settings")
    assert status == 0 and len(out.splitlines()) == len(settings.NAMES) + 3
    assert "theme        wood    default  Colours" in out and str(home / "settings.toml") in out
    assert max(map(len, out.split("\n\n")[0].splitlines())) < 80
    assert run("settings", "theme", "paper")[:2] == (0, f"theme is paper now, in {home / 'settings.toml'}\n")
    assert "theme        paper   file     " in run("settings")[1]
    monkeypatch.setenv("GAMEPLAY_THEME", "blue")
    facts = json.loads(run("settings", "--json")[1])
    assert facts["theme"] == {"value": "blue", "from": "GAMEPLAY_THEME"}
    status, out, error = run("settings", "theme", "night")
    assert "theme is night now" in out and "GAMEPLAY_THEME in the environment comes before it" in error
    monkeypatch.delenv("GAMEPLAY_THEME")
    status, out, _ = run("settings", "theme")
    assert out.startswith("theme: night (") and all(name in out for name in PALETTES)
    assert run("settings", "theme", "default")[1].startswith("theme is wood now")
    status, _, error = run("settings", "thme")
    assert status == 2 and "unknown setting 'thme'; did you mean 'theme'?" in error
    schema = json.loads(run("config", "schema", "settings")[1])
    assert set(schema["$defs"]["Settings"]["properties"]) == set(settings.NAMES)


def test_error_suggests_what_can_be_typed(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Try: gameplay settings theme night\n" in run("settings", "theme", "nigth")[2]
    monkeypatch.setenv("GAMEPLAY_THEME", "nigth")
    assert "Try: GAMEPLAY_THEME=night\n" in run("settings")[2]


def test_setting_is_printed_with_its_values(run: Run, home: Path) -> None:
    assert run("settings", "pieces")[1].splitlines() == [
        "pieces: blocks (default)",
        "How pieces are drawn.",
        *(f"  {name:<12} {words}" for name, words in PIECES.items()),
    ]
    assert run("settings", "bell")[1].splitlines() == [
        "bell: off (default)",
        "Ring when it is your turn.",
        "  on",
        "  off",
    ]
    assert run("settings", "name")[1] == "name: none (default)\nYour name, where one person plays.\n"
    assert json.loads(run("settings", "bell", "--json")[1]) == {"bell": {"value": False, "from": "default"}}
    assert run("settings", "name", "")[1] == f"name is none now, in {home / 'settings.toml'}\n"
    assert run("settings", "nothing", "--preview")[0] == 2
    _, out, _ = run("settings", "theme", "night", "--preview")
    assert "wood (set): " in out and settings.settings({}).theme == "wood", "a look changes nothing"


def test_every_theme_is_previewed(run: Run) -> None:
    status, out, _ = run("settings", "--preview")
    assert status == 0 and "wood (set): " in out
    assert all(f"{name}: {palette.words}" in out for name, palette in PALETTES.items() if name != "wood")
    assert {board.ground for board in (CHESS, OTHELLO, RACK)} == {"chequered", "felt", "rack"}


def test_a_preview_shows_three_boards_beside_one_another(capsys: pytest.CaptureFixture[str]) -> None:
    """Below each other on a narrow terminal; with last moves, and moves to make."""
    log = []
    for width, colour, unicode in ((80, False, False), (80, True, True), (30, False, True)):
        theme = Theme(colour=colour, unicode=unicode, interactive=False, depth="256")
        theme.__dict__["console"] = theme.console_on(sys.stdout, width)
        preview.print_all(theme)
        out = capsys.readouterr().out
        check_width(out.splitlines(), width)
        assert colour == ("\x1b[" in out) and unicode == (not out.isascii())
        log += [f"-- {width} columns", out.replace("\x1b[", "<").replace("\n\n", "\n.\n")]
    golden("preview", "\n".join(log))


def test_a_flag_comes_before_a_setting(run: Run) -> None:
    settings.change("theme", "ascii")
    assert run("show", "connect4", "--moves", "4")[1].isascii()
    assert "●" in run("show", "connect4", "--moves", "4", "--theme", "wood")[1]
    status, _, error = run("show", "connect4", "--theme", "wod")
    assert status == 2 and "unknown theme 'wod'; did you mean 'wood'?" in error
    settings.change("theme", "default")
    settings.change("coordinates", "off")
    assert "a   b" not in run("show", "tictactoe")[1] and "X" in run("show", "tictactoe", "--moves", "a1")[1]
    settings.change("pieces", "letters")
    assert "k" in run("show", "chess")[1] and "♚" not in run("show", "chess")[1]


def type_and_wait(player: Any, words: str, shows: str) -> Any:
    player.type(words).until(shows)
    return player


def test_effects_of_confirm_name_and_bar(terminal: Start) -> None:
    player = terminal(
        "play", "tictactoe", "--engine", "minimax:depth=1", "--seed", "1",
        GAMEPLAY_CONFIRM="on", GAMEPLAY_NAME="Ann", GAMEPLAY_BAR="off",
    )  # fmt: skip
    player.until("Ann")
    player.until("type a move")
    type_and_wait(player, "b2\r", "play b2? Enter plays it, Escape does not")
    player.type("\x1b").until(lambda text: "> b2" not in text)
    type_and_wait(player, "c3\r", "play c3?")
    player.type("\r").until("1. c3 [")
    assert "█" not in player.text() and "nodes" in player.text()
    type_and_wait(player, "help\r", "resign")  # only moves are asked for


def test_the_theme_changes_at_the_prompt(terminal: Start) -> None:
    player = terminal("play", "connect4", "--engine", "minimax:depth=1", "--seed", "1", "--moves", "4 4")
    player.until("type a move")
    assert "●" in player.text() and "┌" not in player.text()
    type_and_wait(player, "theme ascii\r", "theme: ascii")
    assert "+---+" in player.text() and "●" not in player.text()
    type_and_wait(player, "theme wood\r", "●")
    type_and_wait(player, "theme oak\r", "unknown theme 'oak'")


def test_theme_changed_in_a_game_is_saved(run: Run, home: Path) -> None:
    theme = Theme(colour=True, unicode=True, interactive=True, panel="quiet")
    for name, word, text in (
        ("pieces", "letters", "pieces: letters"),
        ("coordinates", "off", "coordinates: off"),
        ("bar", "", "bar: off"),  # without a value the next one
        ("panel", "", "panel: full"),
        ("panel", "", "panel: off"),
        ("theme", "night", "theme: night"),
    ):
        theme, answer = display_settings.change(theme, name, word)
        assert answer == text
    held = settings.settings()
    assert (held.pieces, held.coordinates, held.bar, held.panel) == ("letters", False, False, "off")
    assert (theme.pieces, theme.coordinates, theme.show_bar, theme.panel) == ("letters", False, False, "off")
    assert (held.theme, theme.palette.name) == ("night", "night")
    assert [line.split()[:2] for line in display_settings.setting_lines(theme)] == [
        ["theme", "night"], ["pieces", "letters"], ["coordinates", "off"], ["bar", "off"], ["panel", "off"],
    ]  # fmt: skip
    for name, word in (("pieces", "big"), ("bar", "maybe"), ("panel", "loud"), ("theme", "oak")):
        with pytest.raises(Usage, match=word):
            display_settings.change(theme, name, word)
    assert settings.settings() == held


def test_unsaved_theme_applies_to_the_current_game(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unwritable(name: str, word: str) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(settings, "change", unwritable)
    theme, answer = display_settings.change(Theme(colour=True, unicode=True, interactive=True), "bar", "off")
    assert not theme.show_bar and answer == "bar: off, for this game only (read-only)"


@pytest.mark.parametrize("bell", ["on", "off"])
def test_bell_rings_at_the_turn_of_a_human(terminal: Start, bell: str) -> None:
    player = terminal("play", "tictactoe", "--engine", "minimax:depth=1", "--seed", "1", GAMEPLAY_BELL=bell)
    player.until("type a move")
    assert b"\x07" not in player.raw
    player.type("b2\r").until("1. b2 [")
    player.until("type a move")
    assert (player.raw.count(b"\x07") == 1) == (bell == "on")


def test_full_screen_can_be_set(terminal: Start) -> None:
    player = terminal(
        "play", "tictactoe", "--engine", "minimax:depth=1", width=100, height=30, GAMEPLAY_FULL="on"
    )
    player.until("you")
    assert b"\x1b[?1049h" in player.raw, "it draws on a screen of its own"


def test_the_page_names_every_setting_theme_and_set_of_pieces() -> None:
    text = (ROOT / "docs/how-to/settings.md").read_text(encoding="utf-8")
    assert [name for name in (*settings.NAMES, *PALETTES, *PIECES) if f"`{name}`" not in text] == []
