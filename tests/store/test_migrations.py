"""Stores of earlier versions: each becomes the present one without losing games."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from gameplay import cli
from gameplay.errors import BadInput
from gameplay.runs import stored
from gameplay.runs.plan import decode
from gameplay.runs.stored import new
from gameplay.store import database, run_export
from gameplay.store.runs import FINISHED, Store
from tests.support.paths import TESTS
from tests.support.run_store import PLAN, export_run, stored_games, summarize_run

pytestmark = pytest.mark.once

VERSIONS = sorted((TESTS / "examples" / "records").glob("runs-*.db"))


# -- earlier versions ---------------------------------------------------------------------------


def test_a_sample_store_of_every_version_exists():
    """Adding a version to `MIGRATIONS` requires a sample store of the previous one."""
    numbers = [int(file.stem.partition("-")[2]) for file in VERSIONS]
    assert numbers == list(range(1, len(database.MIGRATIONS) + 1))
    for number, file in zip(numbers, VERSIONS, strict=True):
        with sqlite3.connect(f"{file.as_uri()}?immutable=1", uri=True) as db:
            assert db.execute("PRAGMA user_version").fetchone() == (number,)
        db.close()


@pytest.mark.parametrize("file", VERSIONS, ids=lambda file: file.stem)
def test_earlier_store_is_opened_and_continues(file, tmp_path, capsys):
    path = tmp_path / "runs.db"
    shutil.copyfile(file, path)
    with Store(path) as store:
        [run] = store.runs()
        assert (run.id, run.title, run.state, run.seed) == ("tictactoe-zutika", "nightly", FINISHED, 1)
        assert decode(run.plan).game == "tictactoe"
        assert summarize_run(store, run.id).total_results("new") == [0, 1, 3]
        games = list(store.games(run.id))
        assert [len(game.read().moves) for game in games] == [game.plies for game in games]
        exported = export_run(store, run.id)
        again = store.create(new(PLAN))
        store.record(again, stored_games((0, 0)))
        with pytest.raises(BadInput, match=r"cannot be resumed: code: 0\.1\.0 b9c796bc before"):
            stored.resume(run)
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(database.MIGRATIONS),)
    db.close()
    with Store(tmp_path / "other.db") as other:
        run_export.import_run(other, exported.splitlines(keepends=True), "x")
        assert export_run(other, run.id) == exported
    for words in (["status", "tictactoe-zutika"], ["report", "tictactoe-zutika"]):
        assert cli.run(cli.router, "gameplay", [*words, "--store", str(path)]) == 0
        assert "nightly" in capsys.readouterr().out


@pytest.mark.parametrize("file", VERSIONS, ids=lambda file: file.stem)
def test_a_store_of_an_earlier_version_is_verified(file, tmp_path, capsys):
    shutil.copyfile(file, tmp_path / "runs.db")
    words = ["verify", "last", "--store", str(tmp_path / "runs.db")]
    assert cli.run(cli.router, "gameplay", words) == 0
    assert "4 games: moves, results and node counts are as recorded" in capsys.readouterr().out


def shape(path: Path) -> list[tuple[str, ...]]:
    with Store(path) as store:
        return sorted(store.query("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"))


# -- versions -----------------------------------------------------------------------------------


def test_every_older_version_becomes_the_present_one(tmp_path):
    newest = shape(tmp_path / "new.db")
    for version in range(len(database.MIGRATIONS)):
        path = tmp_path / f"{version}.db"
        old = sqlite3.connect(path)
        for script in database.MIGRATIONS[:version]:
            old.executescript(script)
        old.execute(f"PRAGMA user_version = {version}")
        if version:
            old.execute(f"PRAGMA application_id = {database.APPLICATION}")
        old.close()
        assert shape(path) == newest


def test_a_migration_keeps_the_games_or_changes_nothing(tmp_path, monkeypatch):
    path = tmp_path / "runs.db"
    with Store(path) as store:
        run = store.create(new(PLAN))
        store.record(run, stored_games((0, 0)))
    fine = "ALTER TABLE run ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';"
    monkeypatch.setattr(database, "MIGRATIONS", (*database.MIGRATIONS, fine, fine))
    with pytest.raises(BadInput, match="duplicate column"):
        Store(path)
    monkeypatch.setattr(database, "MIGRATIONS", database.MIGRATIONS[:-1])
    with Store(path) as store:
        assert store.query("PRAGMA user_version") == [(len(database.MIGRATIONS),)]
        assert store.query("SELECT mood FROM run") == [("calm",)]
        assert len(list(store.games(run))) == 1
    monkeypatch.setattr(database, "MIGRATIONS", database.MIGRATIONS[:-1])
    count = len(database.MIGRATIONS)
    with pytest.raises(BadInput) as refused:
        Store(path)
    assert str(refused.value) == (
        f"{path} was written by a newer gameplay (schema version {count + 1}; this one supports {count}): "
        "update gameplay"
    )
