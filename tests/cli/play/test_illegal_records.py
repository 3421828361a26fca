"""Saved games that the rules do not allow: every command that reads games names the file and the mistake."""

import json

import pytest
from msgspec import structs

from gameplay import __version__
from gameplay.store.record import SCHEMA, Ply, Record, encode
from tests.support.commands import gameplay
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

STICKS = str(TESTS / "examples" / "games" / "sticks.py")
WON = "1 2 1 2 1 2 1"


def record(game: str, words: str, players: tuple[str, ...] = ("a", "b"), start: str = "") -> Record:
    """A record whose moves need not be legal."""
    moves = [Ply(word, number % len(players)) for number, word in enumerate(words.split())]
    return Record(SCHEMA, game, start, list(players), 0, moves, None, "unfinished", __version__)


GOOD = record("connect4", "4 4 5")
ILLEGAL = {
    "move": (record("connect4", "9 4 5"), "move 1: '9' is not a legal move here"),
    "later": (record("connect4", f"{WON} 1"), "move 8, '1': the game is over before it"),
    "start": (
        record("connect4", "4 4 5", start="9999"),
        "'9999', character 1: '9' is not a column from 1 to 7",
    ),
    "players": (
        record("connect4", "4 4 5", players=("a", "b", "c")),
        "connect4 must have 2 players, not 3",
    ),
    "other": (record("tictactoe", "4 4 5"), "move 2: 'a2' is not a legal move here"),
    "unknown": (record("connekt4", "4 4 5"), "unknown game 'connekt4'; did you mean 'connect4'?"),
    "file": (record(STICKS, "1 9"), "move 2: "),
}


@pytest.mark.parametrize("words", [("run", "export"), ("review",), ("replay",)])
@pytest.mark.parametrize("name", [*ILLEGAL])
def test_illegal_record_is_refused_with_its_file(tmp_path, capsys, words, name):
    illegal, message = ILLEGAL[name]
    path = tmp_path / f"{name}.json"
    path.write_bytes(encode(illegal) + b"\n")
    if name == "file":
        assert gameplay("trust", STICKS) == 0
        capsys.readouterr()
    assert gameplay(*words, path) == 6
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(f"gameplay: {path}") and message in err.splitlines()[0]


@pytest.mark.parametrize("name", [*ILLEGAL])
def test_resume_refuses_an_illegal_record_with_its_file(tmp_path, capsys, name):
    illegal, message = ILLEGAL[name]
    illegal = structs.replace(illegal, players=["human"] * len(illegal.players))
    path = tmp_path / f"{name}.json"
    path.write_bytes(encode(illegal) + b"\n")
    if name == "file":
        assert gameplay("trust", STICKS) == 0
        capsys.readouterr()
    assert gameplay("play", "--resume", path, "--plain") == 6
    assert f"gameplay: {path}: {message}" in capsys.readouterr().err


def test_export_leaves_out_illegal_games_and_writes_the_others(tmp_path, capsys):
    source, out = tmp_path / "games.jsonl", tmp_path / "out.json"
    games = [ILLEGAL["later"][0], GOOD, ILLEGAL["players"][0]]
    source.write_bytes(b"".join(encode(game) + b"\n" for game in games))
    assert gameplay("run", "export", source, "--out", out) == 6
    assert out.read_bytes() == encode(GOOD) + b"\n"
    assert capsys.readouterr().err.splitlines() == [
        f"gameplay: {source}, game 1: move 8, '1': the game is over before it",
        f"gameplay: {source}, game 3: connect4 must have 2 players, not 3",
        f"{source}: 1 game written to {out}",
        f"gameplay: {source}: 2 of 3 games cannot be read, and are left out",
    ]


def test_export_without_a_legal_game_writes_no_file(tmp_path, capsys):
    source, out = tmp_path / "game.json", tmp_path / "out.json"
    source.write_bytes(encode(ILLEGAL["move"][0]) + b"\n")
    assert gameplay("run", "export", source, "--out", out) == 6
    assert not out.exists()
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == f"gameplay: {source}: no game can be read, and nothing is written"


def test_review_of_many_files_names_the_illegal_ones_and_reviews_the_rest(tmp_path, capsys):
    (tmp_path / "good.json").write_bytes(encode(GOOD) + b"\n")
    for name in ("move", "later", "start", "players"):
        (tmp_path / f"{name}.json").write_bytes(encode(ILLEGAL[name][0]) + b"\n")
    assert gameplay("review", tmp_path, "--nodes", 300, "--json") == 6
    out, err = capsys.readouterr()
    assert json.loads(out)["file"] == str(tmp_path / "good.json")
    for name in ("move", "later", "start", "players"):
        assert f"gameplay: {tmp_path / name}.json, game 1: {ILLEGAL[name][1]}" in err
