"""Endgame tables that tests build."""

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from gameplay import registry
from gameplay.kernel import compiled
from gameplay.knowledge import bearoff
from gameplay.knowledge.tables import building, tables
from gameplay.runs import tables as work
from tests.support.paths import TESTS

ANSWERS = tomllib.loads((TESTS / "answers" / "tables.toml").read_text())
CHESS, CHECKERS = registry.game("chess"), registry.game("checkers")


def build_tables(game: Any, folder: Path, pieces: int = 0, *names: str, processes: int = 1) -> list[Any]:
    """Build the missing tables of some endings."""
    kernel = game.new()
    known = building.groups(kernel, pieces or max(len(name) - 1 for name in names))
    expected = building.select_groups(kernel, known, list(names)) if names else known
    name = tables.table_name(game)
    left = work.missing(expected, name, folder)
    jobs = [work.TableJob(game.spec, name, str(folder), group) for group in left]
    return list(work.build_all(jobs, processes, 1 << 31))


@pytest.fixture(scope="module")
def small_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Chess and checkers of up to three pieces; fewer in the plain build."""
    folder = tmp_path_factory.mktemp("tables")
    build_tables(CHESS, folder / "chess", 3 if compiled() else 2)
    build_tables(CHECKERS, folder / "checkers", 3 if compiled() else 2)
    return folder


def sample(game: Any, name: str, count: int, seed: int = 1) -> list[tuple[Any, int]]:
    """Random positions of a slice, as text, with their numbers."""
    kernel = game.new()
    slice = next(
        slice_
        for group in building.groups(kernel, len(name) - 1)
        for slice_ in group.slices
        if kernel.slice_name(slice_) == name
    )
    rng = random.Random(seed)
    results = []
    while len(results) < count:
        number = rng.randrange(kernel.span(slice))
        if kernel.set_index(slice, number):
            results.append((kernel.text(), number))
    return results


def build_reachable_tables(spec: str, folder: Path, text: str | None = None) -> Any:
    game = registry.game(spec)
    return game, building.build_reachable(game.new(text), tables.table_name(game), text, folder, 1 << 31)


@pytest.fixture(scope="module")
def bearoff_tables(tmp_path_factory: pytest.TempPathFactory) -> bearoff.Bearoff:
    """Both tables; with fewer checkers in the plain build."""
    folder = tmp_path_factory.mktemp("bearoff")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bearoff, "MAX_CHECKERS", 8 if compiled() else 3)
        list(bearoff.build(folder, 4 if compiled() else 2))
    return bearoff.Bearoff(str(folder), registry.game("backgammon"))
