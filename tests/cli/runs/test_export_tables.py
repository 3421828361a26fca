"""`run export` as CSV and Parquet: the same games as the JSON lines, a row a game or a move."""

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import gameplay as library
from gameplay.store.runs import Store
from tests.support.commands import run_printed
from tests.support.paths import ROOT, TESTS
from tests.support.stored_runs import gameplay, run_copy, stored_run

pytestmark = pytest.mark.once

assert gameplay and run_copy and stored_run  # fixtures

Command = Callable[..., tuple[int, str, str]]
Kept = tuple[Path, str]


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_row_a_game(gameplay: Command, run_copy: Kept, tmp_path: Path) -> None:
    path, run_id = run_copy
    file = tmp_path / "games.csv"
    assert gameplay("export", "last", "--out", file, "--store", path) == (0, "", f"{run_id} is in {file}\n")
    assert gameplay("export", "last", "--format", "csv", "--store", path)[1] == file.read_text()
    rows = library.load_run(run_id, store=path).rows()
    table = rows_of(file.read_text())
    assert [list(row) for row in table] == [list(row) for row in rows], "the columns of RunResult.rows()"
    assert table == [{name: str(value) for name, value in row.items()} for row in rows]
    assert len(table) == 9 and gameplay("export", "last", "--out", file, "--store", path)[0] == 2


def test_a_row_a_move(gameplay: Command, run_copy: Kept) -> None:
    path, _ = run_copy
    status, out, _ = gameplay("export", "last", "--format", "csv", "--moves", "--store", path)
    games = [json.loads(line) for line in gameplay("export", "last", "--store", path)[1].splitlines()[1:]]
    moves = [(game, number, ply) for game in games for number, ply in enumerate(game["record"]["moves"], 1)]
    table = rows_of(out)
    assert status == 0 and len(table) == len(moves)
    for row, (game, number, ply) in zip(table, moves, strict=True):
        assert (int(row["pair"]), int(row["leg"]), int(row["ply"])) == (game["pair"], game["leg"], number)
        assert (row["move"], row["name"]) == (ply["move"], game["names"][ply["player"]])
        assert row["opening"] == str(number <= 2)
        assert [row[name] for name in ("value", "depth", "nodes")] == [
            "" if ply.get(name) is None else str(ply[name]) for name in ("value", "depth", "nodes")
        ]


def test_parquet_holds_the_same(gameplay: Command, run_copy: Kept, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path, run_id = run_copy
    for name, options in (("games.parquet", ()), ("moves.parquet", ("--moves",))):
        file = tmp_path / name
        assert gameplay("export", "last", "--out", file, *options, "--store", path)[0] == 0
        table = rows_of(gameplay("export", "last", "--format", "csv", *options, "--store", path)[1])
        rows = parquet.read_table(file).to_pylist()
        assert len(rows) == len(table) and list(rows[0]) == list(table[0])
        for row, other in zip(rows, table, strict=True):
            texts = {key: "" if value is None else value for key, value in row.items()}
            assert all(
                str(value) == other[key] or float(value) == float(other[key]) for key, value in texts.items()
            )
    assert sum(row["payoff0"] for row in parquet.read_table(tmp_path / "games.parquet").to_pylist()) == sum(
        row["payoff0"] for row in library.load_run(run_id, store=path).rows()
    )


def test_bare_tables_are_equal_whenever_they_are_played(gameplay: Command, run_copy: Kept) -> None:
    path, _ = run_copy
    table = rows_of(gameplay("export", "last", "--format", "csv", "--bare", "--store", path)[1])
    assert {row["seconds"] for row in table} == {"0.0"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--format", "csv", "--out", "a.csv"), "--format applies to standard output; the suffix of a.csv"),
        (("--moves",), "--moves goes with a table. Try: --format csv, or a file for --out"),
        (("--out", "a.jsonl", "--moves"), "--moves goes with a table"),
        (("--out", "a.csv", "--repair"), "--repair writes JSON lines, not csv"),
        (("--out", "a.xls"), "tictactoe has no format '.xls' (choose from: .jsonl, .csv, .parquet)"),
        (("--format", "xls"), "--format: 'xls' is not one of 'csv', 'parquet'"),
    ],
)
def test_refusals(
    gameplay: Command, run_copy: Kept, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    path, _ = run_copy
    monkeypatch.chdir(path.parent)
    status, out, err = gameplay("export", "last", *words, "--store", path)
    assert (status, out) == (2, "") and message in err
    assert not list(path.parent.glob("a.*"))


def test_files_are_no_runs(gameplay: Command) -> None:
    status, _, err = gameplay("export", TESTS / "examples" / "records" / "chess.pgn", "--format", "csv")
    assert status == 2 and "a table holds the games of a run, and" in err


def test_without_pyarrow_nothing_is_played(
    gameplay: Command,
    run_copy: Kept,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    path, _ = run_copy
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    message = "gameplay: Parquet needs pyarrow: pip install 'gameplay[parquet]'\n"
    assert gameplay("export", "last", "--format", "parquet", "--store", path) == (2, "", message)
    words = ("selfplay", "tictactoe", "--games", 2, "--store", path, "--out", tmp_path / "a.parquet")
    assert run_printed(capsys, *words) == (2, "", message)
    with Store(path) as store:
        assert len(store.runs()) == 1


def test_forged_games_are_refused_or_shown(gameplay: Command, run_copy: Kept, tmp_path: Path) -> None:
    """Moves of seats without names, numbers beyond 64 bits, and an invalid job."""
    path, run_id = run_copy
    with Store(path) as store:
        game = next(iter(store.games(run_id)))
        record = msgspec.json.decode(game.record)
        record["moves"][-1] |= {"nodes": 10**30, "move": "=1\x1b"}
        wrong = msgspec.structs.replace(game, pair=900, record=msgspec.Raw(msgspec.json.encode(record)))
        no_job = msgspec.structs.replace(game, pair=901, job=msgspec.Raw(b"[]"))
        store.record(run_id, [wrong])
        table = rows_of(gameplay("export", run_id, "--format", "csv", "--moves", "--store", path)[1])
        assert (table[-1]["move"], table[-1]["nodes"]) == (r"'=1\u001b", str(2**63 - 1))
        store.record(run_id, [no_job])
    status, _, err = gameplay("export", run_id, "--format", "csv", "--store", path)
    assert (
        status == 6 and err.count("\n") == 1 and "pair 901, leg 0, attempt 1 is not the job of a game" in err
    )


PAGE = (ROOT / "docs/how-to/data.md").read_text()


def test_the_page_describes_every_column(gameplay: Command, run_copy: Kept) -> None:
    for options in ((), ("--moves",)):
        out = gameplay("export", "last", "--format", "csv", *options, "--store", run_copy[0])[1]
        assert all(f"`{column}`" in PAGE for column in out.partition("\n")[0].split(","))


def test_the_code_of_the_page_runs(
    gameplay: Command, run_copy: Kept, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pandas")
    path, _ = run_copy
    monkeypatch.chdir(path.parent)
    gameplay("export", "last", "--out", "moves.csv", "--moves", "--store", path)
    exec(compile(PAGE.split("```python\n")[1].split("```")[0], "data.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "nodes" in printed and "new" in printed and "old" in printed
