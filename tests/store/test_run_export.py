"""Exported runs: round trips, checksums, refused lines."""

import socket
import zlib
from pathlib import Path

import msgspec
import pytest

from gameplay.errors import BadInput, Usage
from gameplay.runs.job import Job, Seat
from gameplay.runs.played import from_store, to_store
from gameplay.store import jsonl, run_export
from gameplay.store.jsonl import COUNTED, QUARANTINED, VOID, StoredGame
from gameplay.store.runs import Store
from tests.support.run_store import export_run, job_of, result_of, stored_games, void_result

pytestmark = pytest.mark.once


def test_export_and_import_restore_every_byte(carried, tmp_path):
    run, text = carried
    with Store(tmp_path / "other.db") as other:
        assert run_export.import_run(other, text.splitlines(keepends=True), "x") == run_export.Imported(
            run, 5, 5
        )
        assert export_run(other, run) == text
    places = [msgspec.json.decode(line) for line in text.splitlines()[1:]]
    order = [(game["pair"], game["leg"], game["attempt"]) for game in places]
    assert order == sorted(order) and len(order) == 5


def test_bare_export_has_no_facts_of_the_machine(store, carried, tmp_path):
    run, _ = carried
    bare = export_run(store, run, bare=True)
    assert socket.gethostname().encode() not in bare and run.encode() not in bare and b"void" not in bare
    with Store(tmp_path / "other.db") as other:
        came = run_export.import_run(other, bare.splitlines(keepends=True), "x")
        assert came.games == 4 and came.run.startswith("tictactoe-")
        assert export_run(other, came.run, bare=True) == bare


def test_import_of_a_changed_line_stores_nothing(carried, tmp_path):
    _, text = carried
    for changed in (text.replace(b'"plies":2', b'"plies":3', 1), text.replace(b'"seed":1', b'"seed":2', 1)):
        assert changed != text
        with Store(tmp_path / "other.db") as other:
            with pytest.raises(BadInput, match=r"x, line \d was modified or damaged: its crc is wrong"):
                run_export.import_run(other, changed.splitlines(keepends=True), "x")
            assert other.runs() == []
    with pytest.raises(BadInput, match="x, line 1 is not the header of a run"):
        jsonl.read([b'{"serial":1}\n'], "x")
    with pytest.raises(BadInput, match="x was written by an earlier selfplay"):
        jsonl.read([b'{"series":1}\n'], "x")
    with pytest.raises(BadInput, match="x is empty"):
        jsonl.read([], "x")


def header_of(**changes) -> jsonl.RunHeader:
    usual = {"id": "nim-bado", "title": "t", "plan": msgspec.Raw(b'{"game":"nim"}'), "facts": {"seed": "1"}}
    usual |= {"identity": "12", "code": "0.1.0 ab", "seed": 1, "created": "now", "state": "stopped"}
    return jsonl.RunHeader(**(usual | {"verdict": "H1", "notes": [("now", "so")]} | changes))


def line_of(text: bytes) -> bytes:
    """The line with its CRC, as in the file."""
    return text[:-1] + b',"crc":"%08x"}\n' % zlib.crc32(text)


HEAD = (
    b'{"runs":1,"id":"nim-bado","title":"t","plan":{"game":"nim"},"facts":{"seed":"1"},"identity":"12",'
    b'"code":"0.1.0 ab","seed":1,"created":"now","state":"stopped","verdict":"H1","notes":[["now","so"]]}'
)


def test_a_line_is_json_with_its_crc():
    assert jsonl.encode_line(header_of()) == line_of(HEAD)
    assert jsonl.checksum(header_of()) == zlib.crc32(HEAD)
    assert jsonl.read([line_of(HEAD)], "x")[0] == header_of()
    bare = HEAD.replace(b'"stopped"', b'"open"').replace(b'[["now","so"]]', b"[]")
    for word in (b"nim-bado", b"t", b"0.1.0 ab", b"now", b"H1"):
        bare = bare.replace(b'"%b"' % word, b'""')
    assert jsonl.encode_line(jsonl.reproducible_header(header_of())) == line_of(bare)
    with pytest.raises(TypeError, match="positional"):
        jsonl.RunHeader("nim-bado")
    with pytest.raises(TypeError, match="positional"):
        StoredGame(0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\n", "x is empty; expected a run"),
        (line_of(HEAD.replace(b'"runs":1', b'"runs":2')), "x: the file has schema 2; this version reads 1"),
        (line_of(HEAD.replace(b"stopped", b"ended")), "x, line 1: unknown state 'ended' of a run"),
        (line_of(HEAD[:-1] + b',"mood":1}'), "x, line 1 is not the header of a run: Object contains unknown"),
        (HEAD + b"\n", "x, line 1 is not the header of a run: its crc is missing at the end"),
        (line_of(HEAD)[:-2] + b" }\n", "x, line 1 is not the header of a run: its crc is missing at the end"),
        (line_of(HEAD)[:-3] + b'")\n', "x, line 1 is not the header of a run: its crc is missing at the end"),
        (b'{"series":1}\n', "x was written by an earlier selfplay: gameplay replay x shows its games"),
        (
            b'{"series":1,"game":"nim","first":"a b","second":"c","games":4,"seed":2,"openings":3}',
            "shows its games; play them again with: "
            "selfplay nim --first 'a b' --second c --games 4 --seed 2 --openings 3",
        ),
        (
            b'{"series":1,"game":"nim","first":"a","second":"c","games":4,"seed":2,"openings":["1"]}',
            "--openings FILE (with the openings of its first line)",
        ),
    ],
)
def test_invalid_headers_are_refused(text, message):
    with pytest.raises(BadInput) as refused:
        jsonl.read([text], "x")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, ""),
        ({"state": "lost"}, "x, line 2: unknown state 'lost' of a game"),
        ({"state": VOID}, "x, line 2: a game that ended by rules is not void"),
        ({"state": QUARANTINED}, "x, line 2: a game that ended by rules is not quarantined"),
        ({"termination": VOID}, "x, line 2: a game that ended by void is not counted"),
        ({"state": QUARANTINED, "termination": VOID, "points": None}, ""),
        ({"points": 0.25}, "x, line 2: expected 0, 0.5 or 1 point for a game, not 0.25"),
        ({"names": ["a", "b", "c"], "points": 0.25}, ""),
        ({"names": ["a", "b", "c"], "points": 0.3}, "expected 0, 0.25, 0.5, 0.75 or 1 point for a game"),
        ({"names": ["a"], "points": 0.5}, ""),
        ({"names": ["a"], "points": 2.0}, "x, line 2: expected 0, 0.5 or 1 point for a game, not 2"),
    ],
)
def test_a_game_that_no_run_can_have_is_refused(changes, message):
    [game] = stored_games((0, 0))
    text = jsonl.encode_line(msgspec.structs.replace(game, **changes))
    record = jsonl.read([line_of(HEAD), text], "x")[1]
    if not message:
        assert jsonl.encode_line(next(record)) == text
        return
    with pytest.raises(BadInput) as refused:
        next(record)
    assert message in str(refused.value)


def test_a_duplicate_game_is_refused():
    both = [jsonl.encode_line(game) for game in stored_games((0, 0), (0, 1), (0, 0))]
    with pytest.raises(BadInput, match="x, line 4: duplicate of the game on line 2"):
        list(jsonl.read([line_of(HEAD), *both], "x")[1])


def test_bare_export_has_no_timestamps():
    [game] = stored_games((3, 1, 2))
    bare = jsonl.reproducible_game(game)
    assert (bare.attempt, bare.seconds, bare.times, bare.host, bare.finished) == (1, 0.0, [], "", "")
    assert msgspec.json.decode(bare.job, type=Job) == job_of(3, 1) and bare.record == game.record
    assert jsonl.encode_line(jsonl.reproducible_game(bare)) == jsonl.encode_line(bare)
    assert bare.read() == result_of(job_of(3, 1)).record
    assert to_store(job_of(0, 0), void_result(job_of(0, 0))).read() is None


def test_a_stored_game_equals_the_played_one():
    job = msgspec.structs.replace(job_of(3, 1, 2), moves=("a1",))
    done = result_of(job, 0.5)
    lost = msgspec.structs.replace(
        done, termination="crash", offender=0, fault="it died", payoffs=(-1.0, 1.0)
    )
    result = from_store(to_store(job, lost))
    assert (result.pair, result.leg, result.attempt, result.opening, result.seconds) == (3, 1, 2, 1, 0.5)
    assert (result.offender, result.fault, result.claim, result.state) == ("old", "it died", "", COUNTED)
    assert result.points == {"old": 0.0, "new": 1.0} and result.moves_hash == done.moves_hash
    assert (result.payoffs, result.termination, result.record) == ((-1.0, 1.0), "crash", done.record)
    void = from_store(to_store(job, void_result(job)))
    assert (void.state, void.record, void.payoffs, void.fault) == (VOID, None, (), "the worker died")


def test_stored_job_has_only_non_default_fields():
    seat = Seat(player="random", name="a", seed=5)
    job = Job(pair=1, leg=0, attempt=1, game="nim", seats=(seat,), seed=2)
    text = (
        b'{"pair":1,"leg":0,"attempt":1,"game":"nim",'
        b'"seats":[{"player":"random","name":"a","seed":5}],"seed":2}'
    )
    assert msgspec.json.encode(job) == text
    assert msgspec.structs.asdict(msgspec.json.decode(text, type=Job)) == {
        "pair": 1, "leg": 0, "attempt": 1, "game": "nim", "seats": (seat,), "seed": 2, "start": "",
        "moves": (), "first": 0, "adjudicate": None, "margin": 0.05, "patience": 60.0, "deadline": 0.0,
    }  # fmt: skip
    assert (job.number, job_of(3, 1).number) == (1, 7), "games of a match from 0"


def test_a_torn_last_line_is_left_out(carried):
    _, text = carried
    lines, torn = jsonl.complete_lines(text[:-9])
    assert torn and len(lines) == 5
    assert jsonl.complete_lines(text) == (text.splitlines(keepends=True), False)


def test_another_run_of_the_same_name_is_refused(carried, store, tmp_path):
    run, text = carried
    with Store(tmp_path / "other.db") as other:
        other.insert_run(msgspec.structs.replace(store.run(run), identity="another"))
        with pytest.raises(BadInput, match=f"has another run {run}"):
            run_export.import_run(other, text.splitlines(keepends=True), "x")


class ExportingGame:
    """A game with its own export format."""

    export_formats = {".txt": lambda header, game: f"{header.id} {game.pair}.{game.leg}\n"}


def test_the_door_for_formats_of_games(tmp_path):
    assert jsonl.writer(ExportingGame, None) is jsonl.writer(ExportingGame, Path("a.jsonl")) is None
    assert jsonl.writer(ExportingGame, Path("a.TXT")) is ExportingGame.export_formats[".txt"]
    with pytest.raises(Usage, match=r"exportinggame has no format '\.pgn' \(choose from: \.jsonl, \.txt\)"):
        jsonl.writer(ExportingGame, Path("a.pgn"))
