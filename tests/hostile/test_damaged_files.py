"""Damaged files of the user: each is named with a reason; none is passed over in silence."""

import json
from pathlib import Path

import pytest

from gameplay.cli import router, run
from gameplay.store import saved
from tests.support.records import SAVED

pytestmark = pytest.mark.once

GOOD = SAVED | {"players": ["human", "random"]}
GOOD |= {"moves": [{"move": "4", "player": 0}], "result": None, "reason": ""}
DAMAGED = {
    "empty": b"",
    "cut": json.dumps(GOOD).encode()[:50],
    "text": b"\xff\xfe no text",
    "other": b'{"a": 1}',
    "types": json.dumps(GOOD | {"players": 7}).encode(),
    "schema": json.dumps(GOOD | {"schema": 9}).encode(),
    "payoffs": json.dumps(GOOD | {"result": [1]}).encode(),
    "mover": json.dumps(GOOD | {"moves": [{"move": "4", "player": 5}]}).encode(),
    "number": json.dumps(GOOD | {"seed": 1}).replace('"seed": 1', '"seed": 1e999').encode(),
    "sealed": json.dumps(GOOD | {"sealed": "AAAA"}).encode(),
    "deep": b"[" * 100_000,
    "deep field": json.dumps(GOOD).replace("null", "[" * 100_000).encode(),
}


@pytest.fixture
def games(home: Path) -> Path:
    folder = home / "games"
    folder.mkdir(parents=True)
    (folder / "good.json").write_text(json.dumps(GOOD))
    for name, content in DAMAGED.items():
        (folder / f"{name}.json").write_bytes(content)
    (folder / "folder.json").mkdir()
    return folder


def test_damaged_saved_games_are_listed_with_file_and_reason(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(router, "gameplay", ["games", "--saved"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum("connect4" in line for line in lines) == 1
    for name in (*DAMAGED, "folder"):
        listed = [line for line in lines if line.startswith(f"{name}.json: damaged, ")]
        assert len(listed) == 1 and len(listed[0]) > len(f"{name}.json: damaged, "), name
    assert run(router, "gameplay", ["games", "--saved", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert len(document["games"]) == 1 and len(document["damaged"]) == len(DAMAGED) + 1
    assert all(entry["reason"] for entry in document["damaged"])


def test_a_list_of_damaged_games_alone_is_no_empty_list(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (games / "good.json").unlink()
    assert run(router, "gameplay", ["games", "--saved"]) == 0
    out = capsys.readouterr().out
    assert "No games are saved" not in out and "cut.json: damaged" in out and "Step through" not in out


def test_commands_report_skipped_damaged_games(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["stats"], ["play", "--resume", "--json", "--players", "random,random"]):
        assert run(router, "gameplay", words) == 0
        error = capsys.readouterr().err
        assert f"{len(DAMAGED) + 1} saved games are damaged" in error and "games --saved" in error


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_game_by_name_is_refused_with_its_reason(
    name: str, games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["replay", name], ["play", "--resume", name], ["export", str(games / f"{name}.json")]):
        assert run(router, "gameplay", words) == 6
        error = capsys.readouterr().err
        assert name in error and error.count("\n") == 1


@pytest.mark.parametrize(
    "content", (b"", b"{", b"\xff", b"[" * 100_000, b'{"schema": 9}', b'{"schema": "x"}', b"[]")
)
def test_other_damaged_documents_are_named(
    content: bytes, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.mkdir()
    for name, words in (
        ("puzzles.json", ["puzzles"]),
        ("puzzles.json", ["puzzles", "--list"]),
        ("quiz.json", ["stats"]),
        ("quiz.json", ["quiz", "--json"]),
        ("settings.toml", ["settings"]),
        ("trusted.txt", ["games", "--saved"]),
    ):
        (home / name).write_bytes(content)
        status = run(router, "gameplay", words)
        error = capsys.readouterr().err
        assert status in (0, 2, 4, 6), (name, words, error)
        if status == 6:
            assert name in error and error.count("\n") == 1
        (home / name).unlink()


def test_damaged_solutions_and_reviews_are_reported_or_rebuilt(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "games").mkdir(parents=True)
    (home / "games" / "good.json").write_text(json.dumps(GOOD))
    words = ["solve", "tictactoe", "--moves", "b2 a1 c3", "--json"]
    assert run(router, "gameplay", words) == 0
    (kept,) = (home / "solutions").glob("*.json")
    for content in (b"", b"[" * 100_000, b'{"moves": 1}'):
        kept.write_bytes(content)
        assert run(router, "gameplay", words) == 6
        assert kept.name in capsys.readouterr().err
    assert run(router, "gameplay", ["review", "1", "--nodes", "50"]) == 0
    (review,) = (home / "reviews").glob("*.json")
    whole = review.read_bytes()
    for content in (b"", b"[" * 100_000, b'{"moves": 1}'):
        review.write_bytes(content)
        assert run(router, "gameplay", ["review", "1", "--nodes", "50"]) == 0
        assert json.loads(review.read_bytes())["moves"] == json.loads(whole)["moves"]


def test_saved_games_are_found_past_damaged_ones(games: Path) -> None:
    records, damaged = saved.scan_folder()
    assert [game.name for game in records] == ["good"] and saved.find("1") == games / "good.json"
    assert {path.path.stem for path in damaged} == {*DAMAGED, "folder"}
