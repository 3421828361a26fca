"""`run export` and `run import`: round trips, torn and changed files, earlier versions."""

import json
import shlex
import zlib

import pytest
from msgspec import structs

from gameplay.runs.plan import Plan
from gameplay.store.runs import Store
from tests.support.paths import TESTS
from tests.support.stored_runs import COIN, PLAN, gameplay, run_copy, store_run, stored_run

pytestmark = pytest.mark.once

assert gameplay and run_copy and stored_run  # fixtures

RECORDS = TESTS / "examples" / "records"


# -- export and import --------------------------------------------------------------------------


def test_there_and_back(gameplay, run_copy, tmp_path):
    path, run_id = run_copy
    file, other = tmp_path / "games.jsonl", tmp_path / "other.db"
    assert gameplay("export", "last", "--out", file, "--store", path) == (0, "", f"{run_id} is in {file}\n")
    assert gameplay("import", file, "--store", other) == (0, f"{run_id}: 9 games imported\n", "")
    assert gameplay("export", run_id, "--store", other)[1].encode() == file.read_bytes()
    status, out, _ = gameplay("import", file, "--store", other)
    assert (status, out) == (0, f"{run_id}: 0 games imported (9 were there already)\n")


def test_replay_of_an_exported_game(gameplay, run_copy, tmp_path):
    path, run_id = run_copy
    file = tmp_path / "games.jsonl"
    gameplay("export", "last", "--out", file, "--store", path)
    with Store(path) as store:
        words = list(store.games(run_id))[8].read().words
    status, out, _ = gameplay("replay", file, "--game", "9", "--plain")
    assert status == 0 and all(f" plays {word}" in out for word in words)
    status, _, err = gameplay("replay", file, "--game", "10", "--plain")
    assert status == 6 and err == f"gameplay: {file} holds 9 games; there is no game 10\n"


def test_changed_game_of_a_run_is_detected(tmp_path):
    game = tmp_path / "coin.py"
    game.write_text(COIN)
    plan = Plan(game=f"{game}:Coin", players=PLAN.players[1:] * 2, games=2)
    before = plan.identity()
    assert plan.identity() == before
    game.write_text(COIN.replace("(1, -1)", "(-1, 1)"))
    assert plan.identity() != before


def test_truncated_and_modified_exports_are_refused(gameplay, run_copy, tmp_path):
    path, run_id = run_copy
    file = tmp_path / "games.jsonl"
    gameplay("export", "last", "--out", file, "--store", path)
    text = file.read_bytes()
    file.write_bytes(text[:-20])
    status, out, err = gameplay("import", file, "--store", tmp_path / "other.db")
    assert (status, out) == (0, f"{run_id}: 8 games imported\n")
    left_out = f"{file}: the last line was not written to its end, and is left out\n"
    assert err == left_out
    status, out, err = gameplay("verify", file, "--quick")
    assert (status, err) == (0, left_out) and out.startswith(f"{file}: 8 games of 12 scheduled: ")
    file.write_bytes(text.replace(b'"leg":1', b'"leg":0', 1))
    status, _, err = gameplay("import", file, "--store", tmp_path / "third.db")
    assert status == 6 and err.endswith("line 3 was modified or damaged: its crc is wrong\n")
    assert gameplay("import", tmp_path / "none.jsonl")[0] == 6


def test_a_file_that_is_cut_off_in_its_first_line_is_no_run(gameplay, run_copy, tmp_path):
    path, run_id = run_copy
    file = tmp_path / "games.jsonl"
    gameplay("export", "last", "--out", file, "--store", path)
    header = file.read_bytes().split(b"\n")[0]
    file.write_bytes(header[:-9])
    message = f"gameplay: {file} was cut off in its first line, which describes the run\n"
    assert gameplay("import", file, "--store", tmp_path / "new.db") == (6, "", message)
    file.write_bytes(header + b"\n")
    assert gameplay("import", file, "--store", tmp_path / "new.db") == (
        0,
        f"{run_id}: 0 games imported\n",
        "",
    )
    missing = tmp_path / "none.jsonl"
    assert gameplay("import", missing) == (6, "", f"gameplay: there is no file {missing}\n")
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 *\n")
    assert gameplay("import", games) == (
        6, "", f"gameplay: {games} holds games and no run. Try: gameplay replay {games}\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("number", "old", "new", "words"),
    [
        (0, b'"state":"open"', b'"state":"lost"', "line 1: unknown state 'lost' of a run"),
        (1, b'"state":"counted"', b'"state":"lost"', "line 2: unknown state 'lost' of a game"),
        (1, b'"state":"counted"', b'"state":"void"', "line 2: a game that ended by rules is not void"),
        (1, b'"points":', b'"points":7', "line 2: expected 0, 0.5 or 1 point for a game, not 7"),
        (2, b"", b"", "line 3: duplicate of the game on line 2"),
    ],
)
def test_impossible_lines_of_a_run_are_refused(gameplay, run_copy, tmp_path, number, old, new, words):
    """Their CRC is right: they are forged, not damaged."""
    path, _ = run_copy
    file = tmp_path / "games.jsonl"
    gameplay("export", "last", "--out", file, "--store", path)
    text = file.read_bytes().splitlines(keepends=True)
    body = text[number].rpartition(b',"crc"')[0] + b"}"
    assert old in body
    body = body.replace(old, new, 1) if old else text[1].rpartition(b',"crc"')[0] + b"}"
    text[number] = b'%b,"crc":"%08x"}\n' % (body[:-1], zlib.crc32(body))
    file.write_bytes(b"".join(text))
    for command in ("verify", "import"):
        status, _, err = gameplay(command, file, "--store", tmp_path / "new.db")
        assert status == 6 and words in err, err
    assert gameplay("status", "--store", tmp_path / "new.db")[1].startswith("No runs are stored")


def test_export_refuses_invalid_arguments(gameplay, run_copy, tmp_path):
    path, run_id = run_copy
    for words, status, message in (
        (("nobody",), 2, "there is no run 'nobody'"),
        (
            (run_id, "--out", tmp_path / "a.pgn"),
            2,
            "tictactoe has no format '.pgn' (choose from: .jsonl, .csv, .parquet)",
        ),
        ((run_id, "--out", tmp_path / "no" / "a.jsonl"), 6, "there is no folder"),
    ):
        found_status, out, err = gameplay("export", *words, "--store", path)
        assert (found_status, out) == (status, "") and message in err and err.count("\n") == 1


def damage_game(path):
    """Modify the text of one game of a store."""
    text = bytearray(path.read_bytes())
    at = text.rindex(b'"termination"') if b'"termination"' in text else text.rindex(b'"alphabeta:depth=2"')
    text[at : at + 4] = b"\x00\x01\x02\x03"
    path.write_bytes(text)


def test_export_of_a_damaged_store(gameplay, run_copy, tmp_path):
    path, run_id = run_copy
    damage_game(path)
    status, out, err = gameplay("export", run_id, "--store", path)
    assert status == 6 and "was modified" in err and "--repair" in err
    status, out, err = gameplay("export", run_id, "--repair", "--store", path)
    assert status == 0 and "8 games can be read" in err
    assert out.count("\n") == 9


def test_the_steps_after_a_repair_complete_the_run(gameplay, tmp_path):
    path = tmp_path / "runs.db"
    run_id = store_run(path, structs.replace(PLAN, sprt=None), 9)
    damage_game(path)
    saved, new = tmp_path / "saved.jsonl", tmp_path / "NEW.db"
    status, _, err = gameplay("export", run_id, "--repair", "--store", path, "--out", saved)
    steps = err.splitlines()[0].partition("new store: ")[2].split("; then: ")
    (load, resume) = [shlex.split(step.partition("gameplay run ")[2]) for step in steps]
    assert status == 0 and load == ["import", str(saved), "--store", "NEW.db"]
    assert gameplay(*load[:-1], new)[:2] == (0, f"{run_id}: 8 games imported\n")
    assert resume == ["resume", run_id, "--store", "NEW.db"]
    status, out, err = gameplay(*resume[:-1], new)
    assert status == 0 and "12 of 12 games" in out, err


def test_a_repair_without_games_names_no_next_step(gameplay, tmp_path):
    path = tmp_path / "runs.db"
    run_id = store_run(path, PLAN, 0)
    err = gameplay("export", run_id, "--repair", "--store", path)[2]
    assert err == f"{run_id}: 0 games can be read\n"


@pytest.mark.parametrize("options", [(), ("--repair",)])
def test_export_refuses_a_store_that_is_no_database(gameplay, tmp_path, options):
    path = tmp_path / "text.db"
    path.write_text("no database\n")
    status, out, err = gameplay("export", "last", *options, "--store", path)
    assert (status, out) == (6, "")
    assert err == f"gameplay: {path} is not a store of runs: it is not an SQLite file\n"


def test_resume_refuses_a_damaged_store_and_writes_nothing(gameplay, tmp_path):
    path, file = tmp_path / "runs.db", tmp_path / "games.jsonl"
    run_id = store_run(path, structs.replace(PLAN, sprt=None, games=2), 2)
    assert gameplay("resume", run_id, "--store", path)[0] == 0
    gameplay("export", run_id, "--out", file, "--store", path)
    damage_game(path)
    before = path.read_bytes()
    for words in (("resume", run_id), ("import", file)):
        status, out, err = gameplay(*words, "--store", path)
        assert (status, out) == (6, "") and err.count("\n") == 1
        assert f"{path} is damaged (pair 0, leg " in err and "was modified" in err
    assert path.read_bytes() == before
    assert "finished" in gameplay("status", "--store", path)[1]


# -- what was kept by earlier versions ------------------------------------------------------------


def test_an_old_run_still_reads(gameplay, tmp_path):
    """`records/run.jsonl` was exported by 0.1.0 of November 2026; the figures are those printed then."""
    file, store = RECORDS / "run.jsonl", ("--store", tmp_path / "runs.db")
    document = json.loads(gameplay("report", file, "--json")[1])
    assert document["verdict"].startswith(
        "deep scored 100.0 % against luck (won 7, drawn 0, lost 0). The SPRT is undecided (LLR 0.23"
    )
    assert document["rating"]["low"] == -153.522693 and document["sprt"]["llr"] == 0.234079
    assert gameplay("verify", file, "--quick")[0] == 0
    assert gameplay("import", file, *store) == (0, "tictactoe-kedamo: 7 games imported\n", "")
    data = json.loads(gameplay("status", "last", "--json", *store)[1])
    assert data["pairs"] == [0, 0, 0, 0, 3] and (data["counted"], data["scheduled"]) == (7, 8)
    assert data["players"][0] == {"name": "deep", "wins": 7, "draws": 0, "losses": 0}
    assert [(s["name"], s["seat"], s["wins"]) for s in data["seats"]] == [
        ("deep", 0, 4), ("luck", 1, 0), ("luck", 0, 0), ("deep", 1, 3)
    ]  # fmt: skip
    assert data["notes"] == [{"at": "2026-11-20T22:14:06Z", "text": "interrupted"}]
    assert gameplay("export", "last", *store)[1].encode() == file.read_bytes()
    status, _, err = gameplay("resume", "last", *store)
    assert status == 6 and "cannot be resumed: " in err and "b9c796bc before" in err


@pytest.mark.parametrize("command", ["report", "verify", "import"])
def test_an_old_file_of_selfplay_is_refused_with_what_to_do(gameplay, tmp_path, command):
    """`records/series.jsonl` was written by `selfplay --out` before its games went to the store."""
    file = RECORDS / "series.jsonl"
    again = "selfplay tictactoe --first minimax:depth=2 --second random --games 20 --seed 1 --openings 2"
    status, out, err = gameplay(command, file)
    assert (status, out) == (6, "")
    assert err == (
        f"gameplay: {file} was written by an earlier selfplay: gameplay replay {file} shows its games; "
        f"play them again with: {again}\n"
    )
    assert "x: minimax:depth=2" in gameplay("replay", file)[1], "that is true"
    listed = tmp_path / "listed.jsonl"
    listed.write_text(file.read_text().replace('"openings":2', '"openings":["a1","b2"]'))
    assert gameplay(command, listed)[2].endswith("--openings FILE (with the openings of its first line)\n")
    listed.write_text('{"series":3}\n')
    assert gameplay(command, listed)[2].endswith("shows its games\n")
