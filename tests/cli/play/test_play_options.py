"""Options of `play`: the session that they start, and refusals."""

import shlex
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gameplay.cli.common import options
from gameplay.cli.common.session import game_session
from gameplay.cli.play.play import CASUAL
from gameplay.display.theme import Theme
from gameplay.matches.clock import parse_time_control
from gameplay.players import seats, strength
from gameplay.search.limit import Limit
from tests.support.play import TRICKS, Play, play

pytestmark = pytest.mark.once

assert play  # fixture


@pytest.fixture
def session_arguments(monkeypatch: pytest.MonkeyPatch, play: Play) -> Callable[..., Any]:
    """The arguments of the session that these flags start; no game is played."""
    sat: list[Any] = []

    class GameSession:
        def __init__(self, theme: Any, table: Any, *more: Any) -> None:
            sat.append((table, dict(zip(PARTS, more, strict=True)), theme))

        def run(self) -> None:
            sat.append("ran")

    def start_session(*words: str) -> Any:
        sat.clear()
        ran = play(*words)
        assert (ran.status, ran.out, ran.err, sat[1:]) == (0, "", "", ["ran"])
        return sat[0]

    monkeypatch.setattr(game_session, "GameSession", GameSession)
    return start_session


GOAL = " ".join(map(str, range(16)))
PARTS = ("limit", "file", "output", "ponder", "full", "tutor", "notice")


# -- what the flags say ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "specs", "facts"),
    [
        ("", ["human", "casual"], {"game": "connect4"}),
        ("tictactoe", ["human", "casual"], {"game": "tictactoe"}),
        ("tictactoe --as o", ["casual", "human"], {}),
        ("tictactoe --as second --level 3", ["level:3", "human"], {}),
        ("tictactoe --engine minimax --depth 3", ["human", "minimax"], {"limit": Limit(depth=3)}),
        ("tictactoe --multipv 3", ["human", "iterative"], {"limit": Limit(multipv=3)}),
        ("tictactoe --players random,human --seed 9", ["random", "human"], {"seed": 9}),
        ("tictactoe:players=3", ["human", "casual", "casual"], {}),
        ("puzzle15", ["human"], {"game": "puzzle15:seed=0"}),
        ("puzzle15 --seed 7", ["human"], {"game": "puzzle15:seed=7", "seed": 7}),
        ("puzzle15:seed=3 --seed 7", ["human"], {"game": "puzzle15:seed=3", "seed": 7}),
        ("puzzle15 --players idastar", ["idastar"], {}),
        (f"puzzle15 --position '{GOAL}'", ["human"], {"game": "puzzle15", "start": GOAL}),
        (
            "tictactoe --position x../.../... --moves '1. b2 2.a2, c3'",
            ["human", "casual"],
            {"start": "x../.../...", "moves": ["b2", "a2", "c3"]},
        ),
        ("tictactoe --moves b2", ["human", "casual"], {"start": "", "moves": ["b2"]}),
        (
            "tictactoe --clock 5+3",
            ["human", "casual"],
            {"clock": str(parse_time_control("5+3", minutes=True))},
        ),
        ("tictactoe --threads 2 --engine iterative", ["human", "iterative:threads=2"], {}),
        ("tictactoe --json", ["human", "casual"], {"output": "json"}),
        ("tictactoe --jsonl", ["human", "casual"], {"output": "jsonl"}),
        ("tictactoe --save x.json", ["human", "casual"], {"file": "x.json"}),
        ("tictactoe --ponder", ["human", "iterative"], {"ponder": True}),
        ("tictactoe --tutor", ["human", "casual"], {"tutor": True}),
        ("tictactoe --names Ann", ["human", "casual"], {"names": ["Ann", ""]}),
        (
            "tictactoe:players=3 --players human,random,human --names 'Ann, Bo '",
            ["human", "random", "human"],
            {"names": ["Ann", "", "Bo"]},
        ),
    ],
)
def test_play_options_configure_the_session(
    session_arguments: Callable[..., Any], words: str, specs: list[str], facts: dict[str, Any]
) -> None:
    """Without a terminal the seed is 0, so the game is reproducible."""
    table, given, theme = session_arguments(*shlex.split(words))
    results = {"game": table.game.spec, "seed": table.seed, "start": table.start, "moves": table.moves}
    results |= {"clock": table.clock, "names": table.names} | given
    usual = {"game": results["game"], "seed": 0, "start": "", "moves": [], "clock": ""}
    usual |= {"names": [""] * len(specs), "limit": Limit(), "file": None, "output": ""}
    usual |= {"ponder": False, "full": False, "tutor": False}
    usual |= {"notice": CASUAL if "casual" in specs else ""}
    assert results == usual | facts
    named = {"iterative": seats.opponent, "casual": strength.default_opponent}
    assert table.specs == [named[spec](table.game) if spec in named else spec for spec in specs]
    assert theme.interactive is False


def test_the_name_that_is_set_is_that_of_the_only_person(
    session_arguments: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAMEPLAY_NAME", "Ann")
    for words, names in (
        (["tictactoe", "--as", "o"], ["", "Ann"]),
        (["tictactoe", "--players", "human,human"], ["", ""]),
        (["tictactoe", "--players", "random,random"], ["", ""]),
        (["tictactoe", "--names", "Bo"], ["Bo", ""]),
    ):
        assert session_arguments(*words)[0].names == names


def test_at_a_terminal_each_game_has_a_new_seed(
    session_arguments: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    theme = Theme(colour=False, unicode=True, interactive=True)
    monkeypatch.setattr("os.urandom", lambda count: bytes(range(1, count + 1)))
    monkeypatch.setattr(
        options.Drawing, "theme", lambda self, plain=False: replace(theme, interactive=not plain)
    )
    assert session_arguments("puzzle15")[0].seed == 0x04030201
    assert session_arguments("puzzle15")[0].game.spec == f"puzzle15:seed={0x04030201}"
    assert session_arguments("puzzle15", "--seed", "3")[0].seed == 3
    assert session_arguments("tictactoe", "--full")[1]["full"] is True
    for flag in ("--json", "--jsonl"):
        assert session_arguments("tictactoe", flag)[2].interactive is False


# -- what is refused --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["tictactoo"], 2, "did you mean 'tictactoe'?"),
        (["tictactoe", "--engine", "alphabetta"], 2, "did you mean 'alphabeta'?"),
        (["tictactoe", "--as", "z"], 2, "unknown side 'z'"),
        (
            ["tictactoe", "--level", "0"],
            2,
            "a level of tictactoe must be 1 to 3, beginner, casual, club, strong or full, not '0'",
        ),
        (["tictactoe", "--level", "3", "--depth", "4"], 2, "leave --depth, --time and --nodes out"),
        (["tictactoe", "--level", "3", "--engine", "random"], 2, "and another is named"),
        (["puzzle15", "--players", "human,human"], 2, "human, human; puzzle15 is for 1 player"),
        (["tictactoe", "--players", "human"], 2, "--players names 1: human; tictactoe is for 2 players"),
        (["tictactoe", "--players", "human,random", "--as", "x"], 2, "so --engine and --as add nothing"),
        (["tictactoe", "--players", "level:x,random"], 2, "level must be a whole number from 1 up"),
        (["tictactoe", "--depth", "0"], 2, "--depth is '0'; expected a whole number of plies from 1 to 255"),
        (["tictactoe", "--json", "--jsonl"], 2, "expected one of them"),
        (["tictactoe", "--engine", "random", "--depth", "4"], 2, "no player here searches"),
        (["tictactoe", "--players", "human,level:3", "--time", "4"], 2, "no player here searches"),
        (["tictactoe", "--moves", "a1 a1"], 6, "move 2: 'a1' is not a legal move"),
        (["tictactoe", "--save", "/nowhere/at/all.json"], 6, "there is no folder /nowhere/at"),
        (["tictactoe", "--save", "/dev/full"], 6, "is not a regular file"),
        (["tictactoe", "--clock", "five"], 2, "'five' is not a time (examples: 5+3, 0:30, 40/90+30"),
        (["tictactoe", "--clock", "0"], 2, "--clock: '0' is not a time control: "),
        (["tictactoe", "--clock", "5x"], 2, "10+3x30). Try: --clock 5+3"),
        ([str(TRICKS), "--clock", "5+3"], 2, "tricks has no loss on time: leave out --clock"),
        (["--resume", "--clock", "5"], 2, "leave --clock out"),
        (["tictactoe", "--full"], 2, "--full requires a terminal"),
        (["tictactoe", "--full", "--json"], 2, "--full requires a terminal"),
        (["--resume", "tictactoe"], 6, "there is no file or saved game tictactoe"),
        (["tictactoe", "--resume"], 6, "there is no unfinished game"),
        (["--resume", "3"], 6, "there are no saved games"),
        (["--resume", ""], 2, "--resume is empty; expected a path"),
        (
            ["tictactoe", "--names", "Ann,Bob"],
            2,
            "--names is 'Ann,Bob'; expected a name for each person, and here 1 person plays",
        ),
        (["tictactoe", "--players", "human,human", "--names", "Ann,"], 2, "expected a name for each person"),
        (
            ["tictactoe", "--save", "x.pgn"],
            2,
            "tictactoe is not saved as .pgn; expected .json. Try: x.json",
        ),
        (["chess", "--save", "x.jso"], 2, "chess is not saved as .jso; expected .json or .pgn"),
        (["tictactoe", "--names", " "], 2, "--names ' ' is empty"),
        (
            ["tictactoe", "--players", "human,human", "--names", "Ann"],
            2,
            "and here 2 people play. Try: --names Ann,Ben",
        ),
        (
            ["tictactoe", "--players", "random,random", "--names", "Ann"],
            2,
            "and here 0 people play. Try: leave --names out",
        ),
        (["tictactoe", "--level", "3", "--players", "human,random"], 2, "and another is named"),
        (
            ["tictactoe", "--players", "human,random", "--engine", "random"],
            2,
            "so --engine and --as add nothing",
        ),
        (["puzzle15", "--engine", "idastar"], 2, "watch an engine: --players idastar"),
        (["puzzle15", "--level", "3"], 2, "watch an engine: --players idastar"),
        (
            ["tictactoe", "--engine", "random", "--multipv", "2"],
            2,
            "no player here searches. Try: leave --multipv out",
        ),
        (["tictactoe", "--players", "human,human", "--book", "own"], 2, "--book applies to built-in engines"),
        (
            ["tictactoe", "--players", "random,random", "--tutor"],
            2,
            "no person plays. Try: leave --tutor out",
        ),
        (["tictactoe", "--tutor", "--clock", "5"], 2, "expected one of them"),
        (["kuhn", "--tutor"], 2, "tutor"),
        (["--resume", "--depth", "3"], 2, "leave --depth out"),
        (["--resume"], 6, "there is no unfinished game"),
        (["nothing.py"], 6, "there is no file nothing.py"),
    ],
)
def test_a_wrong_flag_gets_one_line(play: Play, arguments: list[str], status: int, words: str) -> None:
    ran = play(*arguments)
    assert ran.status == status, ran.err
    assert words in ran.err and ran.err.count("\n") == 1 and ran.out == ""
