"""Records on disk: written whole, found again, read back exactly."""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gameplay import Report, registry
from gameplay.display.prompt import leaving
from gameplay.errors import BadInput
from gameplay.matches.match import Event, Match
from gameplay.players.nobody import Nobody
from gameplay.players.player import Choice
from gameplay.store import saved
from gameplay.store.record import Record, decode, encode, record_of, restore

pytestmark = pytest.mark.once


def match_of(*moves: str) -> Match:
    return Match(
        registry.game("tictactoe"), [Nobody("human"), Nobody("minimax:depth=3")], moves=moves, seed=7
    )


def test_a_game_is_kept_at_each_move(home: Path) -> None:
    match = match_of()
    saving = saved.Saving(pytest.fail)
    saving.match = match
    match.listeners.append(saving)
    assert saved.saved() == []
    for made, word in enumerate(["a1", "b2", "c3"], 1):
        match.make(Choice(match.position.parse(word)))
        (one,) = saved.saved()
        assert one.record.words == ["a1", "b2", "c3"][:made]
        assert one.unfinished
    match.undo()
    assert saved.saved()[0].record.words == ["a1", "b2"]
    assert saved.folder() == home / "games"
    match.resign(0)
    match.tell(Event("end"))
    assert not saved.saved()[0].unfinished
    match.undo()
    assert saved.saved()[0].unfinished, "what was taken back is in no file any more"


def test_a_game_of_which_only_the_dice_have_been_thrown_is_not_kept(home: Path) -> None:
    match = Match(registry.game("backgammon"), [Nobody("human"), Nobody("human")], seed=3)
    saving = saved.Saving(pytest.fail)
    saving.match = match
    match.listeners.append(saving)
    match.step()
    assert match.turns and saved.saved() == [] and leaving(match.view()) == "press Ctrl-C again to leave"
    match.make(Choice(match.moves()[0]))
    assert len(saved.saved()) == 1 and leaving(match.view()).endswith("the game is saved")


def test_the_last_unfinished_game_is_found(home: Path) -> None:
    folder = saved.folder()
    folder.mkdir(parents=True)
    for age, (name, result) in enumerate([("done", [1, -1]), ("newer", None), ("older", None)]):
        record = record_of(match_of("a1"))
        record.result = result
        saved.keep(record, folder / f"{name}.json")
        os.utime(folder / f"{name}.json", (1e9 - age, 1e9 - age))
    (folder / "torn.json").write_bytes(b'{"schema": 1, "ga')
    found = saved.last_unfinished()
    assert found is not None and found.path.name == "newer.json"
    assert [one.path.stem for one in saved.saved()] == ["done", "newer", "older"]


def test_a_full_disk_is_told_once_and_the_game_goes_on(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(record: Record, path: Path, game: object, secret: bool) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(saved, "keep", full)
    told: list[str] = []
    match = match_of()
    saving = saved.Saving(told.append)
    saving.match = match
    match.listeners.append(saving)
    match.make(Choice(0))
    match.make(Choice(1))
    assert len(told) == 1 and "No space left on device" in told[0]
    assert saving.trouble == told[0]


def test_a_failed_write_leaves_the_old_record_and_no_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.json"
    saved.keep(record_of(match_of("a1")), file)
    before = file.read_bytes()
    monkeypatch.setattr(os, "fsync", lambda number: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")))
    with pytest.raises(OSError, match="full"):
        saved.keep(record_of(match_of("a1", "b2")), file)
    assert file.read_bytes() == before
    assert list(tmp_path.glob(".*")) == []


def test_a_record_survives_its_round_trip() -> None:
    record = record_of(match_of("a1", "b2"))
    assert decode(encode(record), "here") == record
    assert encode(record) == (
        b'{"schema":1,"game":"tictactoe","start":"","players":["human","minimax:depth=3"],"seed":7,'
        b'"moves":[{"move":"a1","player":0},{"move":"b2","player":1}],"result":null,"reason":"",'
        b'"version":"0.1.0"}'
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"not json", "is not the record of a game"),
        (b'{"schema": 99}', "missing required field"),
        (b'{"a": 1}\n{"b": 2}\n', "holds no record of a game"),
    ],
)
def test_a_file_that_is_no_record_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(content)
    with pytest.raises(BadInput, match=words):
        saved.read(file)


def test_a_record_of_another_schema_is_refused() -> None:
    record = record_of(match_of())
    record.schema = 2
    with pytest.raises(BadInput, match="schema 2; this version reads 1"):
        decode(encode(record), "here")


def test_one_game_of_a_file_of_many(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    lines = [b'{"header": true}', encode(record_of(match_of("a1"))), encode(record_of(match_of("b2", "c3")))]
    file.write_bytes(b"\n".join(lines) + b"\n")
    assert saved.read(file).words == ["a1"]
    assert saved.read(file, 2).words == ["b2", "c3"]
    with pytest.raises(BadInput, match="holds 2 games; there is no game 3"):
        saved.read(file, 3)


def test_a_killed_program_loses_nothing(home: Path) -> None:
    """kill -9 while the human thinks: `play --resume` goes on where it was."""
    play = [sys.executable, "-m", "gameplay", "play"]
    child = subprocess.Popen(
        [*play, "tictactoe", "--engine", "minimax:depth=2"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write("b2\n")
    child.stdin.flush()
    for line in child.stdout:
        if line.startswith("o plays"):
            break
    deadline = time.monotonic() + 120
    while not any(len(one.record.moves) == 2 for one in saved.saved()) and time.monotonic() < deadline:
        time.sleep(0.01)
    child.kill()
    child.communicate()
    resumed = subprocess.run([*play, "--resume"], input="resign\n", capture_output=True, text=True)
    assert "moves so far: b2 " in resumed.stdout
    assert "result: o wins; x resigned" in resumed.stdout
    assert resumed.returncode == 0
    nothing = subprocess.run([*play, "--resume"], capture_output=True, text=True)
    assert nothing.returncode == 6 and "there is no unfinished game" in nothing.stderr


def test_what_the_engines_said_comes_back_with_the_game() -> None:
    match = match_of()
    said = Report(move=4, value=-3, depth=5, seldepth=7, nodes=99, seconds=0.1234567, pv=(4, 0), final=True)
    match.make(Choice(0))
    match.make(Choice(4, said))
    record = decode(encode(record_of(match)), "here")
    first, second = record.moves
    assert (first.value, first.report) == (None, None)
    assert (second.value, second.depth, second.nodes, second.seconds) == (-3, 5, 99, 0.123457)
    again = match_of("a1", "b2")
    restore(again, record)
    assert again.turns[0].report is None
    assert again.turns[1].report == Report(value=-3, depth=5, nodes=99, seconds=0.123457, final=True)
    assert [ply.seconds for ply in record_of(match, times=False).moves] == [None, None]


def test_names_of_people_who_sat_there_come_back() -> None:
    match = Match(registry.game("tictactoe"), [Nobody("human", "Ada"), Nobody("minimax:depth=3")])
    record = decode(encode(record_of(match)), "here")
    assert (record.players, record.names) == (["human", "minimax:depth=3"], ["Ada", ""])
    assert [player.name for player in match.players] == ["Ada", "minimax:depth=3"]
    assert "names" not in encode(record_of(match_of())).decode()


def test_lines_are_kept_in_words_where_people_play() -> None:
    match = match_of()
    said = Report(move=4, value=0, depth=5, pv=(4, 0, 4, 8), exact=True, final=True)  # 4 again: no move
    match.make(Choice(0))
    match.make(Choice(4, said))
    assert b"line" not in encode(record_of(match))
    record = decode(encode(record_of(match, lines={})), "here")
    assert record.moves[1].line == ["b2"] and record.moves[1].exact
    again = match_of("a1", "b2")
    restore(again, record)
    assert again.turns[1].report is not None and again.turns[1].report.pv == (4,)
    assert again.turns[1].report.exact
    record.moves[1].line[:] = ["b2", "c3", "z9", "a1"]
    restore(again, record)
    assert again.turns[1].report.pv == (4, 8), "a line is read as far as it can be played"
