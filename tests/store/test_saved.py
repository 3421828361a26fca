"""Records on disk: written completely, found again, read back exactly."""

import base64
import errno
import os
import re
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gameplay import Report, registry
from gameplay.cli import router, run
from gameplay.cli.common import game_files
from gameplay.display.terminal.prompt import leave_warning
from gameplay.errors import BadInput, Usage
from gameplay.matches.match import Event, Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.interpreter import Interpreter
from gameplay.players.player import Choice
from gameplay.store import jsonl, saved
from gameplay.store import record as store_record
from gameplay.store.record import Ply, Record, decode, encode, record_of, restore

pytestmark = pytest.mark.once


def match_of(*moves: str) -> Match:
    return Match(
        registry.game("tictactoe"), [EmptySeat("human"), EmptySeat("minimax:depth=3")], moves=moves, seed=7
    )


def test_game_is_saved_at_each_move(home: Path) -> None:
    match = match_of()
    saving = saved.GameSaver(pytest.fail)
    saving.match = match
    match.listeners.append(saving)
    assert saved.saved_games() == []
    for number, word in enumerate(["a1", "b2", "c3"], 1):
        match.make(Choice(match.position.parse(word)))
        (game,) = saved.saved_games()
        assert game.record.words == ["a1", "b2", "c3"][:number]
        assert game.unfinished
    match.undo()
    assert saved.saved_games()[0].record.words == ["a1", "b2"]
    assert saved.folder() == home / "games"
    match.resign(0)
    match.notify(Event("end"))
    assert not saved.saved_games()[0].unfinished
    match.undo()
    assert saved.saved_games()[0].unfinished, "what was taken back is in no file any more"


def test_game_with_only_a_roll_is_not_saved(home: Path) -> None:
    match = Match(registry.game("backgammon"), [EmptySeat("human"), EmptySeat("human")], seed=3)
    saving = saved.GameSaver(pytest.fail)
    saving.match = match
    match.listeners.append(saving)
    match.step()
    assert (
        match.turns
        and saved.saved_games() == []
        and leave_warning(match.view(), Interpreter()) == "press Ctrl-C again to leave"
    )
    match.make(Choice(match.moves()[0]))
    assert len(saved.saved_games()) == 1 and leave_warning(match.view(), Interpreter()).endswith(
        "the game is saved"
    )


def test_the_last_unfinished_game_is_found(home: Path) -> None:
    folder = saved.folder()
    folder.mkdir(parents=True)
    for age, (name, result) in enumerate([("done", [1, -1]), ("newer", None), ("older", None)]):
        record = record_of(match_of("a1"))
        record.result = result
        saved.write_record(record, folder / f"{name}.json")
        os.utime(folder / f"{name}.json", (1e9 - age, 1e9 - age))
    (folder / "torn.json").write_bytes(b'{"schema": 1, "ga')
    game_record = next((game for game in saved.saved_games() if game.unfinished), None)
    assert game_record is not None and game_record.path.name == "newer.json"
    assert [game.path.stem for game in saved.saved_games()] == ["done", "newer", "older"]


def test_full_disk_is_reported_once_and_the_game_continues(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(record: Record, path: Path, game: object, secret: bool) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(saved, "write_record", full)
    log: list[str] = []
    match = match_of()
    saving = saved.GameSaver(log.append)
    saving.match = match
    match.listeners.append(saving)
    match.make(Choice(0))
    match.make(Choice(1))
    assert len(log) == 1 and "No space left on device" in log[0]
    assert saving.trouble == log[0]


def test_a_failed_write_leaves_the_old_record_and_no_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.json"
    saved.write_record(record_of(match_of("a1")), file)
    before = file.read_bytes()
    monkeypatch.setattr(os, "fsync", lambda number: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")))
    with pytest.raises(OSError, match="full"):
        saved.write_record(record_of(match_of("a1", "b2")), file)
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
    """After kill -9 while the human thinks `play --resume` continues the game."""
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
    while (
        not any(len(game.record.moves) == 2 for game in saved.saved_games()) and time.monotonic() < deadline
    ):
        time.sleep(0.01)
    child.kill()
    child.communicate()
    resumed = subprocess.run([*play, "--resume"], input="resign\n", capture_output=True, text=True)
    assert "moves so far: b2 " in resumed.stdout
    assert "result: o wins; x resigned" in resumed.stdout
    assert resumed.returncode == 0
    nothing = subprocess.run([*play, "--resume"], capture_output=True, text=True)
    assert nothing.returncode == 6 and "there is no unfinished game" in nothing.stderr


def test_engine_reports_are_restored_with_the_game() -> None:
    match = match_of()
    report = Report(move=4, value=-3, depth=5, seldepth=7, nodes=99, seconds=0.1234567, pv=(4, 0), final=True)
    match.make(Choice(0))
    match.make(Choice(4, report))
    record = decode(encode(record_of(match)), "here")
    first, second = record.moves
    assert (first.value, first.report) == (None, None)
    assert (second.value, second.depth, second.nodes, second.seconds) == (-3, 5, 99, 0.123457)
    again = match_of("a1", "b2")
    restore(again, record)
    assert again.turns[0].report is None
    assert again.turns[1].report == Report(value=-3, depth=5, nodes=99, seconds=0.123457, final=True)
    assert [ply.seconds for ply in record_of(match, times=False).moves] == [None, None]


def test_names_of_players_are_restored() -> None:
    match = Match(registry.game("tictactoe"), [EmptySeat("human", "Ada"), EmptySeat("minimax:depth=3")])
    record = decode(encode(record_of(match)), "here")
    assert (record.players, record.names) == (["human", "minimax:depth=3"], ["Ada", ""])
    assert [player.name for player in match.players] == ["Ada", "minimax:depth=3"]
    assert "names" not in encode(record_of(match_of())).decode()


def test_records_of_people_store_lines_as_text() -> None:
    match = match_of()
    report = Report(move=4, value=0, depth=5, pv=(4, 0, 4, 8), exact=True, final=True)  # 4 again: no move
    match.make(Choice(0))
    match.make(Choice(4, report))
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


def kept_game(name: str, age: int, **changes: Any) -> Path:
    """A saved game that was changed this number of seconds after 2001-09-09."""
    path = saved.folder() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    record = record_of(match_of("a1"))
    for key, value in changes.items():
        setattr(record, key, value)
    saved.write_record(record, path)
    os.utime(path, (1e9 + age, 1e9 + age))
    return path


def check_error(words: str, call: Callable[..., Any], *given: Any) -> None:
    with pytest.raises((BadInput, Usage)) as error:
        call(*given)
    assert str(error.value) == words


def test_a_saved_game_is_found_by_its_number_its_name_or_its_file(home: Path, tmp_path: Path) -> None:
    check_error(f"there are no saved games in {saved.folder()}", saved.find, "last")
    first, second = kept_game("b.json", 0), kept_game("a.json", 0)
    third = kept_game("c.json", 1)
    assert [game.name for game in saved.saved_games()] == ["c", "a", "b"], "of the same age by name"
    for which, path in {"1": third, "last": third, "2": second, "3": first, "a": second}.items():
        assert saved.find(which) == path
    assert saved.find(str(first)) == first and saved.find(str(first.with_suffix(""))) == first
    for number in ("0", "4"):
        check_error(
            f"there is no saved game {number}: they are numbered 1 (the newest) to 3", saved.find, number
        )
    check_error("there is no file or saved game zoo. Try: gameplay games --saved", saved.find, "zoo")
    check_error(f"{tmp_path} is a folder; name a file in it", saved.find, str(tmp_path))
    kept_game("holiday.json", 5)
    check_error("there is no file or saved game holidy; did you mean 'holiday'?", saved.find, "holidy")


def test_saved_game_shows_its_start_or_change_time(home: Path) -> None:
    kept_game("a.json", 1, begun="2026-11-22T12:30:59+01:00")
    kept_game("b.json", 0)
    first, second = saved.saved_games()
    assert first.date == "2026-11-22 12:30" and first.record.date == "2026-11-22"
    assert second.date == time.strftime("%Y-%m-%d %H:%M", time.localtime(1e9))
    assert datetime.fromisoformat(saved.now()).tzinfo and len(saved.now()) == len("2026-11-22T12:30:00+01:00")


def test_a_new_game_has_its_own_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved.time, "strftime", lambda form: {"%Y%m%d-%H%M%S": "20261122-123059"}[form])
    results = []
    for _ in range(3):
        path = saved.new_path("Connect 4: my.own")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        results.append(path.name)
    begin = f"20261122-123059-Connect-4-my-own-{os.getpid()}"
    assert results == [f"{begin}.json", f"{begin}-2.json", f"{begin}-3.json"]


def test_writable_paths_of_a_game(tmp_path: Path) -> None:
    chess, nim = registry.game("chess"), registry.game("nim")
    assert saved.suffixes(chess) == [".json", ".pgn"] and saved.suffixes(nim) == [".json"]
    file = tmp_path / "a.txt"
    for text, game, path in (
        ("a.txt", None, file),
        ("a", chess, tmp_path / "a.json"),
        ("a", None, file.with_suffix("")),
    ):
        assert saved.writable_path(str(tmp_path / text), game) == path
    target = tmp_path / "x.pgn"
    for game, words in (
        (chess, "chess is not saved as .txt; expected .json or .pgn. Try: a.json"),
        (nim, "nim is not saved as .txt; expected .json. Try: a.json"),
    ):
        check_error(words, saved.writable_path, str(file), game)
    check_error(f"{tmp_path} is a folder; name a file in it", saved.writable_path, str(tmp_path))
    check_error("/dev/null is not a regular file", saved.writable_path, "/dev/null")
    check_error(
        f"there is no folder {tmp_path / 'no'} to save b.json in",
        saved.writable_path,
        str(tmp_path / "no" / "b.json"),
    )
    assert saved.writable_path(str(target), chess) == target == saved.unused_path(str(target))
    target.write_text("")
    check_error(f"{target} exists; name another file, or remove it", saved.writable_path, str(target), chess)
    assert saved.writable_path(str(target), chess, [target]) == target == saved.writable_path(str(target)), (
        "our own, and no game"
    )
    check_error(
        f"{target} exists: name another file for --out, or remove it first", saved.unused_path, str(target)
    )
    game = tmp_path / "g.json"
    saved.write_record(record_of(match_of("a1")), game)
    assert saved.writable_path(str(game), chess) == game
    game.write_text("{}")
    check_error(
        f"{game} exists and is not a saved game; name another file", saved.writable_path, str(game), chess
    )


def test_hidden_information_is_sealed_or_omitted(tmp_path: Path) -> None:
    record = record_of(match_of("a1"))
    saved.write_record(record, tmp_path / "a.JSON", secret=True)
    text = (tmp_path / "a.JSON").read_bytes()
    assert b'"seed":0,"moves":[]' in text and b'"sealed":"' in text
    game = saved.read(tmp_path / "a.JSON")
    assert (game.words, game.seed) == (["a1"], 7) and msgspec.structs.replace(game, sealed="") == record
    for path, name in ((tmp_path / "a.pgn", "a.pgn"), (None, "that file")):
        words = f"{name} would reveal hidden information; until the game is over save it as .json"
        assert str(saved.hidden_information_error(path)) == words
    check_error(
        str(saved.hidden_information_error(tmp_path / "a.pgn")),
        saved.write_record,
        record,
        tmp_path / "a.pgn",
        None,
        True,
    )
    for sealed in ("x", "eA==", base64.b64encode(zlib.compress(b"{}")[:-1]).decode(), game.sealed[:-8]):
        broken = msgspec.json.encode(msgspec.structs.replace(record, sealed=sealed))
        check_error("here: the sealed part of the record is damaged", decode, broken, "here")
    twice = base64.b64encode(zlib.compress(text)).decode()
    broken = msgspec.json.encode(msgspec.structs.replace(record, sealed=twice))
    check_error("here: the sealed part of the record is damaged", decode, broken, "here")


def test_record_with_every_field_is_printed() -> None:
    text = (
        b'{"schema":1,"game":"g","start":"s","players":["a","b"],"seed":3,"moves":[{"move":"x","player":1,'
        b'"value":0.5,"depth":2,"nodes":4,"seconds":0.25,"spent":1.5,"line":["x"],"exact":true,'
        b'"remark":"so"}],"result":[1,-1],"reason":"rules","version":"0.1.0","clock":"5","thought":2.0,'
        b'"begun":"2026-11-22T12:30:00","names":["","Bo"],"margin":4.5,"taken_back":2}'
    )
    record = decode(text, "here")
    assert encode(record) == text and record.display_names == ["a", "Bo"] and record.words == ["x"]
    assert record.moves[0].report == Report(
        value=0.5, depth=2, nodes=4, seconds=0.25, exact=True, bound="expectation", final=True
    )
    bare = Ply("x", 0, 7).report
    assert bare == Report(value=7, depth=0, nodes=0, seconds=0.0, exact=False, bound="exact", final=True)
    check_error("here: 2 players have 1 names", decode, text.replace(b'["","Bo"]', b'["Bo"]'), "here")


def test_games_of_a_file_are_read_one_by_one(tmp_path: Path) -> None:
    first, second = encode(record_of(match_of("a1"))), encode(record_of(match_of("b2")))
    file = tmp_path / "a.jsonl"
    file.write_bytes(b'{"head":1}\n\n' + first + b"\n" + second + b"\n")
    games = saved.read_games(file, registry.game)
    assert [(n, game and game.words, error) for n, game, error in games] == [(1, ["a1"], ""), (2, ["b2"], "")]
    for number in (0, 3):
        check_error(f"{file} holds 2 games; there is no game {number}", saved.read, file, number)
    file.write_bytes(first + b"\n")
    assert saved.read(file).words == saved.read(file, 1).words == ["a1"]
    check_error(f"{file} holds 1 game; there is no game 2", saved.read, file, 2)
    file.write_bytes(first.replace(b'"tictactoe', b'"nosuch') + b"\n")
    with pytest.raises(BadInput, match=f"^{re.escape(str(file))}: unknown game 'nosuch'"):
        saved.read(file, 1, registry.game)
    ((number, game, error),) = saved.read_games(file, registry.game)
    assert (number, game) == (1, None) and error.startswith(f"{file}, game 1: unknown game 'nosuch'")
    file.write_bytes(b'{"head":1}\n')
    check_error(f"{file} holds no record of a game", lambda: list(saved.read_games(file, registry.game)))
    file.write_bytes(b'{"runs":1}\n')
    advice = f"gameplay run import {file}, then export the run"
    check_error(f"{file} is a run. Try: {advice}", lambda: [*saved.read_all(file)])
    file.write_bytes(b'{"head":1}\n{"moves":1}\n')
    with pytest.raises(BadInput, match="line 2 is not the record of a game"):
        list(saved.read_all(file))
    pgn = tmp_path / "a.pgn"
    pgn.write_text("")
    check_error(f"{pgn} holds no game", lambda: list(saved.read_games(pgn, registry.game)))


def test_files_of_games_are_those_named_and_all_in_a_folder(tmp_path: Path) -> None:
    """In order, including subfolders, by file extension in any case; errors are reported."""
    for name in ("b.pgn", "a.JSON", "notes.md", "below/c.sgf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "folder.pgn").mkdir()
    single = tmp_path / "notes.md"
    names = [
        path.relative_to(tmp_path).as_posix() for path in game_files.find_files((str(single), str(tmp_path)))
    ]
    assert names == ["notes.md", "a.JSON", "b.pgn", "below/c.sgf"]
    empty = tmp_path / "folder.pgn"
    (empty / "more.pgn").mkdir()
    with pytest.raises(BadInput) as refused:
        list(game_files.find_files((str(empty),)))
    endings = ".json, .jsonl, .pgn, .pdn, .sgf, .ggf, .mat, .xg, .ogxm, .txt, .pbn, .gcg"
    assert str(refused.value) == f"{empty} holds no file of games: {endings}"
    file = tmp_path / "two.jsonl"
    file.write_bytes(encode(record_of(match_of("a1"))) + b"\n")
    file.write_bytes(file.read_bytes() * 2)
    games = game_files.read_games(file)
    assert [(number, game and game.words, message) for number, game, message in games] == [
        (1, ["a1"], ""), (2, ["a1"], ""),
    ]  # fmt: skip
    file.write_bytes(b"")
    assert list(game_files.read_games(file)) == [(1, None, f"{file} holds no record of a game")]


def test_games_of_a_file_are_rewritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    """To the screen or to a file, which is recognized by its extension, its folder, or its existence."""

    def export(*words: str) -> tuple[int, str, str]:
        status = run(router, "gameplay", ["export", *words])
        return status, *capsys.readouterr()

    monkeypatch.chdir(tmp_path)
    record = encode(record_of(match_of("a1")))
    Path("games").write_bytes(record + b"\n\n" + record)
    for flag in (["--bare"], ["--repair"], ["--store", "x.db"]):
        for name in ("games", "none.jsonl", "far/games"):
            message = (
                f"gameplay: --bare, --repair and --store go with a run, and {name} is a file. "
                "Try: leave them out\n"
            )
            assert export(name, *flag) == (2, "", message)
    text = record.decode() + "\n"
    assert export("games") == (0, text * 2, "")
    assert export("games", "--out", "two.jsonl") == (0, "", "games: 2 games written to two.jsonl\n")
    assert Path("two.jsonl").read_text() == text * 2
    kept = saved.folder() / "kept.json"
    kept.parent.mkdir(parents=True)
    saved.write_record(record_of(match_of("a1")), kept)
    assert export("1", "--out", "one.jsonl") == (0, "", f"{kept}: 1 game written to one.jsonl\n")
    assert Path("one.jsonl").read_text() == text
    for name in ("two.jsonl", "new.pgn"):
        status, out, err = export("games", "--out", name)
        assert (status, out, err.count("\n")) == (2, "", 1) and not Path("new.pgn").exists()
    hidden = Match(registry.game("scrabble"), [EmptySeat("human"), EmptySeat("human")], seed=3)
    kept.write_bytes(encode(store_record.seal(record_of(hidden))) + b"\n")
    status, out, err = export("1", "--out", "open.gcg")
    assert (status, out) == (2, "") and "open.gcg would reveal hidden information" in err


def test_games_of_a_run_are_those_that_have_moves(tmp_path: Path) -> None:
    head = {
        "id": "x",
        "title": "",
        "plan": msgspec.Raw(b"{}"),
        "facts": {},
        "identity": "",
        "code": "",
        "seed": 1,
    }
    head |= {"created": "", "state": "open", "verdict": "", "notes": []}
    usual = {"pair": 0, "leg": 0, "attempt": 1, "state": "counted", "names": ["a", "b"], "first": 0}
    usual |= {"points": 1.0, "payoffs": [1.0, -1.0], "termination": "rules", "offender": "", "fault": ""}
    usual |= {"plies": 1, "seconds": 0.0, "times": [], "host": "", "finished": "", "trail": ""}
    games: list[Any] = [None, record_of(match_of("a1")), record_of(match_of("b2"))]
    texts = [jsonl.encode_line(jsonl.RunHeader(**head))]
    for pair, record in enumerate(games):
        more = {"pair": pair, "job": msgspec.Raw(b"{}"), "record": jsonl.encode_record(record)}
        texts.append(jsonl.encode_line(jsonl.StoredGame(**usual | more)))
    file = tmp_path / "run.jsonl"
    file.write_bytes(b"".join(texts))
    assert saved.read(file).words == saved.read(file, 1).words == ["a1"] and saved.read(file, 2).words == [
        "b2"
    ]
    for number in (-1, 0, 3):
        check_error(f"{file} holds 2 games; there is no game {number}", saved.read, file, number)
    assert [(n, game and game.words) for n, game, _ in saved.read_games(file, registry.game)] == [
        (1, ["a1"]),
        (2, ["b2"]),
    ]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions of POSIX")
def test_unsavable_game_warns_before_the_first_move(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for broken, words in ((False, os.strerror(errno.EACCES)), (True, os.strerror(errno.ENOTDIR))):
        log: list[str] = []
        saving = saved.GameSaver(log.append)
        saving.match = match_of()
        if broken:
            saved.folder().parent.mkdir(parents=True, exist_ok=True)
            saved.folder().write_text("a file")
        monkeypatch.setattr(os, "access", lambda place, mode: False)
        assert saving(Event("begin")) is False
        assert log == [saving.trouble] == [f"the game cannot be saved: {words} ({saved.folder()})"]
        assert saving(Event("begin")) is False and len(log) == 1, "reported once"


# -- a line a move ------------------------------------------------------------------------------------


def save_moves(match: Match, path: Path | None = None) -> saved.GameSaver:
    saving = saved.GameSaver(pytest.fail, path)
    saving.match = match
    match.listeners.append(saving)
    return saving


def make_moves(match: Match, *words: str) -> None:
    for word in words:
        match.make(Choice(match.position.parse(word)))


def lines_of(saving: saved.GameSaver) -> list[bytes]:
    assert saving.path is not None
    return saving.path.read_bytes().splitlines(keepends=True)


def test_a_move_adds_a_line_and_the_end_makes_it_one_record(home: Path) -> None:
    match = match_of()
    saving = save_moves(match)
    make_moves(match, "a1", "b2", "c3")
    head, *added = lines_of(saving)
    assert decode(head, "here").words == ["a1"]
    assert added == [b'{"move":"b2","player":1}\n', b'{"move":"c3","player":0}\n']
    make_moves(match, "a2", "a3", "c1", "b1", "b3", "c2")
    match.over()
    match.notify(Event("end"))
    (line,) = lines_of(saving)
    assert decode(line, "here") == record_of(match)


def test_moves_taken_back_and_branches_are_added(home: Path) -> None:
    match = match_of()
    saving = save_moves(match)
    make_moves(match, "a1", "b2")
    match.undo(2)
    match.redo()
    assert lines_of(saving)[2:] == [b'{"undone":1}\n'] * 2 + [b'{"move":"a1","player":0}\n']
    make_moves(match, "c3", "b1")
    assert saved.saved_games()[0].record == record_of(match) and match.words() == ["a1", "c3", "b1"]
    match.restart()
    assert saved.saved_games()[0].record.words == [] and len(lines_of(saving)) == 1
    make_moves(match, "c1")
    assert saved.saved_games()[0].record == record_of(match)
    match.resign(1)
    match.notify(Event("end"))
    assert len(lines_of(saving)) == 1
    match.undo()
    make_moves(match, "a2")
    assert saved.saved_games()[0].record == record_of(match) and len(lines_of(saving)) == 2


@pytest.mark.parametrize("game", ["tictactoe", "leduc"])
def test_truncated_file_has_all_complete_moves(home: Path, game: str) -> None:
    match = Match(registry.game(game), [EmptySeat("human")] * 2, seed=1)
    saving = save_moves(match)
    while len(match.turns) < 4:
        match.step() if match.turn < 0 else match.make(Choice(match.moves()[0]))
    words = match.words()
    match.undo()
    content = b"".join(lines_of(saving))
    ends = [at for at, byte in enumerate(content) if byte == ord("\n")]
    assert len(ends) >= 3 and saving.path is not None
    begun = len(words) - (len(ends) - 2)  # moves in the first line; the last line takes one back
    for size in range(ends[0], len(content) + 1):
        saving.path.write_bytes(content[:size])
        whole = sum(end <= size for end in ends[1:])
        count = begun + whole if whole < len(ends) - 1 else len(words) - 1
        (record,) = saved.saved_games()
        assert record.record.words == words[:count], size
        assert saved.read(saving.path) == record.record == next(saved.read_all(saving.path))


def test_additions_to_a_sealed_record_are_sealed(home: Path) -> None:
    match = Match(registry.game("leduc"), [EmptySeat("human")] * 2, seed=1)
    saving = save_moves(match)
    while len(match.turns) < 4:
        match.step() if match.turn < 0 else match.make(Choice(match.moves()[0]))
    head, *added = lines_of(saving)
    assert added and all(line.startswith(b'{"sealed":"') for line in [*added]) and b'"sealed"' in head
    assert saved.saved_games()[0].record.words == match.words()
    assert saving.path is not None
    saving.path.write_bytes(head + b'{"sealed":"AAAA"}\n')
    (damage,) = saved.scan_folder()[1]
    assert "the sealed part of the record is damaged" in str(damage)


@pytest.mark.parametrize(
    "line",
    [b'{"move":"a\n', b'{"undone":0}\n', b'{"move":"b1","player":7}\n', b'{"undone":1}\n{"undone":1}\n',
     b'{"player":1}\n', b"{}\n"],
)  # fmt: skip
def test_a_wrong_line_within_a_record_is_refused(home: Path, line: bytes) -> None:
    match = match_of()
    saving = save_moves(match)
    make_moves(match, "a1")
    (head,) = lines_of(saving)
    assert saving.path is not None
    saving.path.write_bytes(head + line)
    games, (damage,) = saved.scan_folder()
    assert games == [] and damage.path == saving.path


def test_a_file_removed_or_written_in_part_is_rewritten(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = match_of()
    saving = save_moves(match)
    make_moves(match, "a1", "b2")
    assert saving.path is not None
    saving.path.unlink()
    make_moves(match, "b1")
    assert saved.saved_games()[0].record == record_of(match) and len(lines_of(saving)) == 1
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda file, line: write(file, line[:7]))
        make_moves(match, "a2")
    assert saved.saved_games()[0].record == record_of(match) and len(lines_of(saving)) == 1


@pytest.mark.parametrize("replaced", [False, True])
def test_a_game_continued_by_another_program_is_not_overwritten(home: Path, replaced: bool) -> None:
    match, log = match_of(), list[str]()
    first = saved.GameSaver(log.append)
    first.match = match
    match.listeners[:] = [first]
    make_moves(match, "a1", "b2")
    assert first.path is not None
    other = match_of("a1", "b2")
    second = save_moves(other, first.path)
    make_moves(other, "c1")
    if replaced:
        saved.write_record(record_of(other), first.path)
    make_moves(match, "c3", "b1")
    assert second.path is not None and saved.read(second.path).words == ["a1", "b2", "c1"]
    assert first.path != second.path and saved.read(first.path).words == ["a1", "b2", "c3", "b1"]
    assert log == [f"another program has changed {second.path}; this game is saved as {first.path.stem}"], (
        "reported once"
    )


def test_resumed_game_is_rewritten_and_continues(home: Path) -> None:
    match = match_of()
    saving = save_moves(match)
    make_moves(match, "a1", "b2")
    assert saving.path is not None and len(lines_of(saving)) == 2
    saving.path.write_bytes(saving.path.read_bytes()[:-3])
    record = saved.read(saving.path)
    resumed = match_of(*record.words)
    again = save_moves(resumed, saving.path)
    make_moves(resumed, "c3", "a3")
    assert [decode(lines_of(again)[0], "").words, len(lines_of(again))] == [["a1", "c3"], 2]
    assert saved.read(saving.path).words == ["a1", "c3", "a3"]


def test_games_with_added_moves_are_read_from_a_file_of_many(home: Path, tmp_path: Path) -> None:
    match = match_of()
    saving = save_moves(match)
    make_moves(match, "a1", "b2", "c3")
    file = tmp_path / "many.jsonl"
    content = b"".join(lines_of(saving))
    file.write_bytes(content + encode(record_of(match_of("a2"))) + b"\n" + content)
    words = [["a1", "b2", "c3"], ["a2"], ["a1", "b2", "c3"]]
    assert [record.words for record in saved.read_all(file)] == words
    assert [saved.read(file, number).words for number in (1, 2, 3)] == words
    with pytest.raises(BadInput, match="holds 3 games; there is no game 4"):
        saved.read(file, 4)


def test_thinking_time_of_the_next_move_is_that_of_the_last_line(home: Path) -> None:
    record = record_of(match_of("a1"))
    record.thought = 12.5
    content = encode(record) + b"\n"
    assert decode(content, "").thought == 12.5
    assert decode(content + b'{"move":"b2","player":1}\n', "").thought is None
