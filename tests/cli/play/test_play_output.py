"""`play`, `show` and `replay` as JSON, JSON lines and drawings."""

import io
import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from gameplay.cli.common import options
from gameplay.display.theme import Theme
from tests.support.play import STICKS, CommandResult, Play, play

pytestmark = pytest.mark.once

assert play  # fixture


def test_json_is_one_document(play: Play) -> None:
    ran = play("tictactoe", "--players", "minimax:depth=2,random", "--json", "--seed", "3")
    document = json.loads(ran.out)
    assert ran.out.count("\n") == 1
    assert document["game"] == "tictactoe" and document["seed"] == 3
    assert document["reason"] == "rules" and document["sides"] == ["x", "o"]
    assert document["winner"] in ("x", "o", None) and len(document["result"]) == 2
    assert document["moves"][0]["nodes"] > 0 and document["moves"][0]["player"] == 0


def test_json_marks_an_unfinished_game(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,human", "--json", typed="a1\nzz\n")
    document = json.loads(ran.out)
    assert ran.status == 4 and document["result"] is None and len(document["moves"]) == 1
    assert "'zz' is not a legal move" in ran.err


def test_jsonl_streams_every_event(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,random", "--jsonl", typed="a1\nundo\nb2\nresign\n")
    events = [json.loads(line) for line in ran.lines]
    kinds = [event["event"] for event in events if event["event"] != "report"]
    assert kinds == ["begin", "move", "move", "undo", "undo", "move", "move", "end"]
    assert events[-1]["winner"] == "o" and events[-1]["reason"] == "resigned"


def test_show_prints_a_position_and_the_command_to_restore_it(play: Play) -> None:
    ran = play("connect4", "--moves", "4 4 3", command="show")
    assert ran.status == 0
    assert "│[●]│" in ran.out or "|[X]|" in ran.out
    facts = dict(line.split(":", 1) for line in ran.lines if ":" in line)
    assert facts["position"].strip() == "443"
    assert facts["turn"].strip() == "orange"
    assert facts["evaluation"].strip() == "blue -1 point"
    again = play("connect4", "--position", "443", "--json", command="show")
    assert json.loads(again.out)["position"] == "443"


@pytest.mark.parametrize(
    ("command", "words", "most"),
    [
        ("show", ["tictactoe"], 24),
        ("games", ["tictactoe"], 24),
        ("openings", ["othello", "tiger"], 24),
        ("solve", ["tictactoe", "--moves", "a1 b2 c3 c1 b1 c2 a2"], 14),
    ],
)
def test_boards_are_as_large_as_a_terminal_of_usual_height_takes(
    play: Play, command: str, words: list[str], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boards also fit the width; the board of a game with rules is no wider than the rules."""
    requests: list[Any] = []
    theme = Theme(colour=False, unicode=True, interactive=True)
    monkeypatch.setattr(options.Drawing, "theme", lambda self, plain=False: theme)
    monkeypatch.setattr("gameplay.display.theme.detect_theme", lambda: theme)
    monkeypatch.setattr(
        "gameplay.display.board.drawing.largest", lambda *what: requests.append(what[1:3]) or 1
    )
    for width in (79, 81, 120):
        console = theme.console_on(io.StringIO(), width)
        console._force_terminal = True
        theme.__dict__["console"] = console
        assert play(*words, command=command).status == 0
        assert console.file.getvalue() and requests.pop() == (
            min(width, 80) if command == "games" else width,
            most,
        )


def test_show_prints_all_known_facts(play: Play) -> None:
    """No moves of a finished game, no value at a chance node, with three players only the mover's value."""
    ran = play("tictactoe", "--moves", "a1,a2,b1,b2,c1", "--json", command="show")
    assert json.loads(ran.out) == {
        "game": "tictactoe", "position": "xxx/oo./...", "made": ["a1", "a2", "b1", "b2", "c1"], "turn": None,
        "legal": [], "result": "x wins",
    }  # fmt: skip
    facts = {
        f"{STICKS} --moves 3": [
            "sticks 17", "second to move", "made:       3", "turn:       second", "legal:      1 2 3",
            "evaluation: level",
        ],
        "tictactoe:players=3,width=3,height=3 --plain": [
            "  a b c", "1 . . .", "2 . . .", "3 . . .", "position:   .../.../...", "turn:       x",
            "legal:      a1 b1 c1 a2 b2 c2 a3 b3 c3", "evaluation: x 0.00",
        ],
        "pig --moves roll --plain": [
            "   10  20  30  40  50  60  70  80  90 100", *["0" + "   ." * 10] * 2, "rolled: .", "pot: 0",
            "position:   0-0 1 0 roll", "made:       roll", "turn:       chance", "legal:      1 2 3 4 5 6",
        ],
        "nim:heaps=1+2 --moves 'b2 a1' --plain": [],
    }  # fmt: skip
    for words, lines in facts.items():
        ran = play(*shlex.split(words), command="show")
        assert ran.status == 0 and ran.lines == (lines or ran.lines)
    assert ran.lines[-1] == "result:     second wins"


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["chess", "--position", "xx"], 6, "gameplay: 'xx' is neither a FEN nor a list of moves such as e4"),
        (["chess", "--position", "e4 xx"], 6, "move 2: 'xx' is not a move such as e4"),
        (["chess", "--position", "o-o"], 6, "move 1: 'O-O' is not legal here"),
        (["connect4", "--position", "448"], 6, "'448', character 3: '8' is not a column"),
        (["connect4", "--moves", "4 9"], 6, "move 2: '9' is not a legal move"),
        (["tictactoe", "--position", "x.z/.../..."], 6, "z"),
        (["tictacto"], 2, "did you mean 'tictactoe'?"),
    ],
)
def test_show_reports_errors(play: Play, arguments: list[str], status: int, words: str) -> None:
    ran = play(*arguments, command="show")
    assert ran.status == status and words in ran.err and ran.err.count("\n") == 1


def test_replay_prints_the_game(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    first = play("tictactoe", "--players", "minimax:depth=3,random", "--save", str(file))
    again = play(str(file), command="replay")
    assert again.status == 0

    def search_lines(ran: CommandResult) -> list[str]:
        return [
            line.partition(" positions in")[0].partition(", line ")[0]
            for line in ran.lines
            if " plays " in line or "result" in line
        ]

    assert search_lines(again) == search_lines(first) != []
    lines = [line.partition(", line ")[2] for line in first.lines if ", line " in line]
    assert lines and lines == [line.partition(", line ")[2] for line in again.lines if ", line " in line]
    newest = play("last", command="replay")
    assert search_lines(newest) == search_lines(first)
    resigned = play("tictactoe", "--players", "human,human", "--save", str(file), typed="a1\nresign\n")
    assert resigned.status == 0
    assert "result: x wins; o resigned" in play(str(file), command="replay").lines
    assert play(str(tmp_path / "none.json"), command="replay").status == 6
    early = play(str(file), "--ply", "0", command="replay")
    assert early.lines[-1].endswith("play tictactoe") and "o resigned" not in early.out
    assert play(str(file), "--ply", "2", command="replay").status == 6
    document = json.loads(play("2", "--json", "--ply", "1", command="replay").out)
    (ply,) = document["moves"]
    assert document["result"] is None and ply["depth"] == 3 and ply["line"][0] == ply["move"]
