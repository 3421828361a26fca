"""`gameplay games`: lists, options of games and engines, custom games."""

from pathlib import Path

import pytest

from gameplay import registry
from gameplay.errors import BadInput
from tests.support.commands import run_printed


def test_games_print_switches_as_typed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_printed(capsys, "games", "chess")
    assert status == 0 and "  claims     default on\n" in out


def test_games_and_engines_are_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run_printed(capsys, "games")
    assert "connect4 " in out and "tictactoe " in out and "tree " in out
    _, out, _ = run_printed(capsys, "games", "connect4")
    for words in ("A move is a column", "columns    default 7", "Evaluations", "1 2 3 4 5 6 7", "as text: "):
        assert words in out
    _, out, _ = run_printed(capsys, "games", "go")
    assert "  capture    capture the stones that the last move left in atari\n" in out
    assert "  mercy      stop when one side has lost far more stones\n" in out
    _, out, _ = run_printed(capsys, "games", "tree")
    assert "TOML" in out and "file       needed" in out
    _, out, _ = run_printed(capsys, "engines", "ab")
    for words in ("alphabeta (also called: ab)", "order ", "table ", "depth "):
        assert words in out


OWN = """\
from gameplay import Position, undoable


class Own(Position):
    \"\"\"Whatever is said

        of it.\"\"\"

    zero_sum = False
    left = 2

    def __init__(self, kind="plain", size=4, over=False):
        super().__init__()
        if size not in (4, 2):
            raise ValueError("no such size")
        self.left = 0 if over else size

    def moves(self):
        return [1]

    @undoable
    def make(self, move):
        self.left -= move

    def outcome(self):
        return None if self.left else (1, 1)

    def __str__(self):
        return f"{self.left} left"
"""


@pytest.mark.once
def test_custom_game_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An example has a changed parameter, and the position is a few moves from the start, never final."""
    file = tmp_path / "own.py"
    file.write_text(OWN)
    assert run_printed(capsys, "games", str(file)) == (
        0,
        "own\n\nWhatever is said\n\nof it.\n\n"
        "Parameters:\n  kind       default plain\n  size       default 4\n  over       default off\n"
        f"  as in: play {file}:size=2\n"
        "\nFacts: 2 players, not zero-sum\n"
        "\nA position, after 1 1 1:\n\n1 left\n",
        "",
    )
    out = run_printed(capsys, "games", f"{file}:over=on")[1]
    assert out.endswith("\nA position, after no moves:\n\n0 left\n")
    plain = OWN.replace(", over=False", "").replace("0 if over else ", "")
    switch = OWN.replace('kind="plain", size=4, over=False', "over=True, size=4")
    for number, (text, example) in enumerate((
        (switch, "over=off"),
        (switch.replace("over=True", "over=False"), "over=on"),
        (plain.replace("(4, 2)", "(4, 5, 3)"), "size=5"),
        (plain.replace("(4, 2)", "(4, 3, 6)"), "size=3"),
        (plain.replace("(4, 2)", "(4, 6, 2)"), "size=6"),
        (plain.replace("(4, 2)", "(4, 7)"), ""),
    )):  # fmt: skip
        file = tmp_path / str(number) / "own.py"
        file.parent.mkdir()
        file.write_text(text)
        out = run_printed(capsys, "games", str(file))[1]
        assert [line for line in out.splitlines() if "as in" in line] == (
            [f"  as in: play {file}:{example}"] if example else []
        )
    start, _, end = plain.replace('kind="plain", size=4', "size=9").split('"""')
    end = end.replace("if size not in (4, 2)", "if size < 0").replace("zero_sum = False", "scored = True")
    file = tmp_path / "bare" / "own.py"
    file.parent.mkdir()
    file.write_text(start + end.lstrip())
    out = run_printed(capsys, "games", str(file))[1]
    assert out.startswith("own\n\nNo description: give the class a docstring.\n\nParameters:\n")
    assert out.endswith("\nFacts: 2 players, points count\n\nA position, after 1 1 1 1 1 1:\n\n3 left\n")


@pytest.mark.once
def test_a_game_that_cannot_be_loaded_hides_no_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def summary(name: str) -> str:
        if name == "go":
            raise BadInput("it is broken")
        return f"it is {name}"

    monkeypatch.setattr(registry, "summary", summary)
    monkeypatch.setattr(registry, "game_names", lambda: ["chess", "go"])
    assert run_printed(capsys, "games") == (
        0,
        "chess it is chess\ngo    cannot be loaded: it is broken\n\n"
        "Rules and parameters: gameplay games NAME. A game of your own: give its file, ./sticks.py\n"
        "Games of OpenSpiel: gameplay games openspiel\n",
        "",
    )
