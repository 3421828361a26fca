"""Fixtures of the tests of the store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gameplay.runs.played import to_store
from gameplay.runs.stored import new
from gameplay.store.runs import Store
from tests.support.run_store import PLAN, export_run, job_of, stored_games, void_result


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store of runs."""
    with Store(tmp_path / "runs.db") as store:
        yield store


@pytest.fixture
def carried(store: Store) -> tuple[str, str]:
    """A run of five games in the store, and its export."""
    run = store.create(new(PLAN))
    store.record(run, [to_store(job_of(2, 0), void_result(job_of(2, 0)))])
    store.record(run, stored_games((1, 1), (0, 0), (2, 0, 2), (0, 1)))
    store.note(run, "begun on a quiet evening")
    return run, export_run(store, run)
