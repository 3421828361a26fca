"""Puzzles as notes of Anki: both sides, and no foreign markup that Anki or a browser would execute."""

import json
import re
import sqlite3
import zipfile
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gameplay.cli.common.questions import exercise_match
from gameplay.display.pages import deck
from gameplay.errors import GameplayError
from gameplay.store import saved
from gameplay.training import practice
from gameplay.training.practice import Distractor, Exercise, Practice
from tests.support.commands import run_printed

pytestmark = pytest.mark.once

MATE = ["f2f3", "e7e5", "g2g4"]  # ... and Qh4 mates


def puzzle(game: str, words: list[str], line: list[str], **more: object) -> Exercise:
    name = practice.identity(game, "", words)
    fields: dict[str, object] = {"missed": "", "answer": [], "source": "Ann - Bob, move 4", **more}
    return Exercise(id=name, game=game, start="", words=words, right=line[0], line=line, **fields)


def fields(exercise: Exercise) -> dict[str, str]:
    shown = deck.note_fields(exercise, exercise_match(exercise), exercise_match(exercise, solved=True))
    return dict(zip(deck.FIELDS, shown, strict=True))


def plain(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html))


@pytest.fixture
def chess() -> Exercise:
    lures = [Distractor("Nc6", "short", ["Bg2", "d5"]), Distractor("Be7", "played", [])]
    return puzzle(
        "chess",
        MATE,
        ["Qh4#"],
        kinds=["win"],
        themes=["mateIn1", "a b"],
        missed="Be7",
        answer=["h2h4"],
        distractors=lures,
    )


def test_both_sides_of_a_puzzle(chess: Exercise) -> None:
    shown = fields(chess)
    assert shown["Puzzle"] == f"chess {chess.id}"
    assert shown["Question"] == "Black to move: one move alone is good. Which?"
    assert plain(shown["Answer"]) == "Qh4#"
    assert [plain(line) for line in re.findall("<li>(.*?)</li>", shown["Explanation"])] == [
        "Qh4#: it wins by force",
        "Be7 was played, answered by h2h4",
        "Nc6 is not enough, answered by Bg2 d5",
    ]
    assert plain(shown["Source"]).startswith("chess, Ann - Bob, move 4") and " b KQkq" in shown["Source"]
    before, after = (ElementTree.fromstring(shown[side]) for side in ("Position", "After"))
    queens = [text for text in after.itertext() if text.startswith("♛")]
    assert len(queens) == 2 and before.attrib["aria-label"] == "chess, black to move"
    assert ElementTree.tostring(before) != ElementTree.tostring(after)
    assert "Qh4" not in shown["Position"] + shown["Question"], "the front does not give it away"


@pytest.mark.parametrize(
    ("game", "words", "line"),
    [
        ("connect4", ["4", "1", "4", "1", "4", "1"], ["4"]),
        ("othello", [], ["d3", "c3"]),
        ("checkers", [], ["11-15"]),
        ("go:size=9", [], ["e5"]),
        ("backgammon", ["31"], ["8/5;6/5"]),
    ],
)
def test_every_game(game: str, words: list[str], line: list[str]) -> None:
    shown = fields(puzzle(game, words, line))
    for side in ("Position", "After"):
        assert re.match("<pre>|<svg", shown[side])
        ElementTree.fromstring(shown[side])
    assert shown["Position"] != shown["After"]


def test_nothing_is_loaded_from_elsewhere(chess: Exercise) -> None:
    text = "".join(fields(chess).values()) + deck.FRONT + deck.BACK + deck.STYLE
    assert not re.search(r"<script|<img|<link|url\(|@import|\bon\w+=", text)
    assert set(re.findall(r"https?://[^\"' ]*", text)) == {"http://www.w3.org/2000/svg"}
    assert ".nightMode" in deck.STYLE


def test_text_from_outside_is_inert(chess: Exercise) -> None:
    chess.source = "<script>x</script> [sound:a.mp3] [latex]x[/latex] \\(x\\) {{Back}} \x1f\x1b[31m"
    shown = fields(chess)["Source"]
    assert not re.search(r"<script|\[|\\|\x1f|\x1b", shown)
    words = plain(shown)
    assert "<script>x</script> [sound:a.mp3] [latex]x[/latex] \\(x\\) {{Back}}" in words


def test_puzzle_of_a_deleted_game_is_reported() -> None:
    with pytest.raises(GameplayError):
        fields(puzzle("gone", [], ["1"]))


# -- the command ------------------------------------------------------------------------------------


def export(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    return run_printed(capsys, "puzzles", *words)


@pytest.fixture
def saved_practice(chess: Exercise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path / "home"))
    saved.folder().mkdir(parents=True)
    practice.save(Practice(exercises=[chess, puzzle("othello", [], ["d3"])]))
    return tmp_path


def test_a_deck_is_written_once(saved_practice: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = saved_practice / "puzzles.apkg"
    assert export(capsys, "--anki", file) == (0, "", f"2 puzzles written to {file}\n")
    with zipfile.ZipFile(file) as archive:
        database = sqlite3.connect(":memory:")
        database.deserialize(archive.read("collection.anki2"))
    notes = dict(database.execute("SELECT guid, tags FROM notes"))
    first, second = (f"gameplay-{exercise.id}" for exercise in practice.load().exercises)
    assert notes == {first: " gameplay gameplay::win gameplay::mateIn1 ", second: " gameplay "}
    decks = json.loads(database.execute("SELECT decks FROM col").fetchone()[0])
    assert {"gameplay::chess", "gameplay::othello"} < {deck["name"] for deck in decks.values()}
    again = f"gameplay: {file} exists: name another file for --anki, or remove it first\n"
    assert export(capsys, "--anki", file) == (2, "", again)
    file = saved_practice / "chess.apkg"
    assert export(capsys, "--game", "chess", "--anki", file) == (0, "", f"1 puzzle written to {file}\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--anki", "a.zip"), "a.zip: a deck for Anki ends in .apkg. Try: --anki a.apkg"),
        (("--anki", "a.apkg", "--list"), "--anki writes a deck; expected no --list, --json or --drill"),
        (("--anki", "a.apkg", "--game", "go"), "there are no puzzles of go yet"),
        (("--anki", "no/a.apkg"), "there is no folder"),
    ],
)
def test_refusals(
    saved_practice: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(saved_practice)
    status, out, err = export(capsys, *words)
    assert status in (2, 6) and out == "" and message in err and err.count("\n") == 1
    assert not list(saved_practice.glob("*.apkg"))


def test_puzzles_of_deleted_games_are_omitted(
    saved_practice: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    practice.merge_and_save(practice.load(), puzzle("gone", [], ["1"]))
    file = saved_practice / "puzzles.apkg"
    status, _, err = export(capsys, "--anki", file)
    assert status == 6 and "the puzzle from Ann - Bob, move 4 is left out: " in err
    assert err.endswith(f"2 puzzles written to {file}\n")
