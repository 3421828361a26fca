"""Set-ups saved from a game and placed in the next one."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gameplay import registry
from gameplay.games.stratego.setups import SETUPS
from gameplay.matches.match import Match
from gameplay.players.human import Human
from gameplay.players.interpreter import Interpreter
from gameplay.players.player import Player
from gameplay.players.seats import player
from gameplay.store import setups

pytestmark = pytest.mark.once


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    return tmp_path


def session(*lines: str) -> tuple[Match, list[str], Interpreter]:
    """A game of Barrage with these lines typed, the answers, and the set-ups."""
    left, rows = list(lines), []
    source = SimpleNamespace(read=lambda match, interpreter: left.pop(0), show_answer=rows.append)
    interpreter = Interpreter(setups=setups)
    game = registry.game("stratego:army=barrage,start=chosen")
    people: list[Player] = [Human(cast(Any, source), interpreter), player("level:1", game)]
    match = Match(game, people)
    while left:
        match.step()
    while match.position.placing() is not None and not match.over():
        match.step()
    return match, rows, interpreter


def test_setup_is_saved_from_a_game_and_offered_in_the_next(home: Path) -> None:
    rows = list(SETUPS["barrage"]["middle"])
    first, output, _ = session(f"setup {' '.join(rows).lower()}", "setup rush", "quit")
    path = home / "setups" / "stratego-barrage.toml"
    assert output == [f"saved as rush in {path}; type rush to place it in the next game"]
    second, _, interpreter = session("rush*")
    assert second.position.setup_rows(0) == [row[::-1] for row in rows] and "*" not in second.words()[0]
    assert first.position.setup_rows(0) == rows
    named = registry.game(f"stratego:army=barrage,start=chosen,setups={path}").new()
    assert list(named.setups_in(path)) == ["rush"] and named.parse("rush") in named.moves()
    assert interpreter.completions("rush", second) == [], "all pieces are placed"
    assert registry.game("stratego:start=chosen").new().setup_kind == "stratego-full"


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["setup rush"], "your set-up is not complete; place all pieces, then type setup rush"),
        (
            ["bluff", "setup bluff"],
            "bluff is a set-up of the game; choose another name, as in setup my_bluff",
        ),
        (["bluff", "setup 2nd"], "the name of a set-up must be a lower-case word, not '2nd'"),
        (["b1", "setup FB.. M"], "the first piece is placed already; undo takes it back"),
    ],
)
def test_unsaveable_game_reports_the_reason(home: Path, lines: list[str], answer: str) -> None:
    _, output, _ = session(*lines, "quit")
    assert output[-1].startswith(answer) and not list(home.rglob("*.toml"))


def test_damaged_file_is_named_and_offers_nothing(home: Path) -> None:
    path = home / "setups" / "stratego-barrage.toml"
    path.parent.mkdir()
    path.write_text('rush = ["F"]\n')
    match, output, interpreter = session("setup", "quit")
    assert output[0].startswith(f"{path}: rush is not a set-up") and path.read_text() == 'rush = ["F"]\n'
    assert interpreter.completions("rush", match) == []
