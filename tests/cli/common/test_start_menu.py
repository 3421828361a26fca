"""The start menu of `play`: its questions, and the command that the answers make."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from gameplay import registry
from gameplay.cli import router, run
from gameplay.cli.common.session import start_menu
from gameplay.display.terminal.menu import Entry, Menu, choose
from gameplay.display.theme import Theme
from gameplay.scoring.forms import parse_form, rules_of

pytestmark = pytest.mark.once

THEME = Theme(colour=False, unicode=False, interactive=True)
ENTRIES = [
    Entry("chess", "Checkmate the king.", "Board games"),
    Entry("checkers", "Jump over men.", "Board games"),
    Entry("chinese-checkers", "Cross the star.", "Board games"),
    Entry("hearts", "Avoid points.", "Cards"),
]


@pytest.fixture
def pressing() -> Iterator[Callable[..., Any]]:
    """Choose from a menu with these keys."""
    with create_pipe_input() as keys:

        def press(text: str, menu: Menu) -> int | None:
            keys.send_text(text)
            return choose(menu, THEME, keys, DummyOutput())

        yield press


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        ("\r", 0),
        ("\x1b[B\r", 1),  # down
        ("\x1b[A\r", 3),  # up from the first entry is the last
        ("chi\r", 2),
        ("checkers\r", 1),  # names that begin with it come first
        ("chinese checkers\r", 2),
        ("points\r", 3),  # no name: the texts are searched
        ("hq\r", 3),  # q would match nothing and is refused
        ("hea\x7f\x7f\x7f\r", 0),
        ("ch\x1b[B\x1b[B\r", 2),
    ],
)
def test_arrows_and_typing_choose_an_entry(pressing: Callable[..., Any], keys: str, chosen: int) -> None:
    assert pressing(keys, Menu("Which?", ENTRIES)) == chosen


def test_escape_goes_back_only_if_offered(pressing: Callable[..., Any]) -> None:
    assert pressing("\x1b", Menu("Which?", ENTRIES, back=True)) is None
    assert pressing("\x1b\r", Menu("Which?", ENTRIES)) == 0
    with pytest.raises(KeyboardInterrupt):
        pressing("\x03", Menu("Which?", ENTRIES))


@pytest.mark.parametrize(("width", "height"), [(20, 6), (40, 10), (80, 24), (200, 60)])
def test_a_menu_fits_the_terminal_and_shows_the_chosen_entry(width: int, height: int) -> None:
    menu = Menu("Which?", [Entry(f"game{n}", "words " * 9, f"Group {n // 5}") for n in range(40)])
    for _ in range(45):
        lines = menu.lines(width, height, unicode=False)
        assert len(lines) <= height and all(len(text) <= width for _, text in lines)
        marked = [text for style, text in lines if style == "reverse"]
        assert len(marked) == 1 and marked[0].startswith(f"> game{menu.chosen()}"[: width - 4])
        menu.step(1)


def answers(*words: str) -> tuple[list[str], Callable[[Menu], int | None]]:
    """The questions in order, and a chooser that gives these answers by name; "" is Escape."""
    requests: list[str] = []
    left = list(words)

    def choice(menu: Menu) -> int | None:
        requests.append(menu.title)
        word = left.pop(0)
        names = [entry.name for entry in menu.entries]
        return names.index(word) if word else None

    return requests, choice


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        (["chess", "casual", "white", "one game", "no clock"], "chess --level casual"),
        (
            ["chess", "full", "black", "games:5", "5+3"],
            "chess --level full --as black --match games:5 --clock 5+3",
        ),
        (["go", "person", "one game", "10+5"], "go --players human,human --clock 10+5"),
        (["hearts", "4 players", "beginner", "west", "one deal"], "hearts --level beginner --as west"),
        (
            ["hearts", "3 players", "strong", "player 1", "points:100"],
            "hearts:players=3 --level strong --match points:100",
        ),
        (
            ["holdem", "6 players", "casual", "small-blind", "tournament:10"],
            "holdem:players=6 --level casual --match tournament:10",
        ),
        (["backgammon", "club", "white", "points:5"], "backgammon --level club --match points:5"),
        (["bridge", "casual", "north", "one board"], "bridge --level casual"),
        (["chess", "casual", "white", "", "puzzle15"], "puzzle15"),  # Escape leads back to the games
        (["puzzle15"], "puzzle15"),
        (
            ["stratego", "by you", "beginner", "red", "one game", "no clock"],
            "stratego:start=chosen --level beginner",
        ),
        (
            ["stratego", "at random", "full", "blue", "one game", "no clock"],
            "stratego:start=drawn --level full --as blue",
        ),
        (["stratego", "", "puzzle15"], "puzzle15"),
        (
            ["chess", "", "nim", "2 players", "strong", "second", "one game", "1+0"],
            "nim --level strong --as second --clock 1+0",
        ),
    ],
)
def test_answers_are_the_options_of_the_command(words: list[str], arguments: str) -> None:
    assert start_menu.choose_arguments(THEME, answers(*words)[1]) == arguments.split()


def test_escape_at_the_first_question_leaves(tmp_path: Path) -> None:
    asked, choice = answers("")
    assert start_menu.choose_arguments(THEME, choice) is None and asked == ["What would you like to play?"]


@pytest.mark.parametrize("name", [name for name in registry.game_names() if name not in start_menu.SKIPPED])
def test_every_multiplayer_game_offers_valid_match_lengths(name: str) -> None:
    """`--match` accepts each length that the menu lists."""
    menus: list[Menu] = []

    def choose_from(menu: Menu) -> int:
        menus.append(menu)
        return len(menu.entries) - 1

    game = registry.game(name)
    start = game.new()
    if start.players == 1:
        return
    option, text = start_menu._length(game, choose_from)
    assert option == "--match" and parse_form(text, game.cls) == text
    for entry in menus[0].entries[1:]:
        assert rules_of(entry.name, start).fixture([]) is not None and entry.text


def test_every_game_but_trees_is_offered_once() -> None:
    names, menu = start_menu._games()
    offered = [name for name in names if not name.startswith("--")]
    assert sorted([*offered, *start_menu.SKIPPED]) == registry.game_names()
    assert all(entry.text and entry.heading for entry in menu.entries)


def test_the_last_unfinished_game_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    assert (
        run(router, "gameplay", ["play", "tests/examples/games/sticks.py", "--players", "human,random"]) == 4
    )
    names, menu = start_menu._games()
    assert names[0] == "--resume 1" and menu.entries[0].name == "resume"
    assert "sticks" in menu.entries[0].text
