"""Tables reuse the memory of earlier ones without seeing its contents."""

import gc
import os
import sys
from pathlib import Path

import pytest

from gameplay import Limit, registry
from gameplay.adapter import kernel_of
from gameplay.search.control import Control
from gameplay.search.table import GENERATIONS, LARGEST_SPARE, SPARES, Table, spares


@pytest.fixture(autouse=True)
def empty() -> None:
    gc.collect()
    spares.clear()


@pytest.mark.parametrize("spec", ["iterative:table=1MB", "selective:table=1MB", "expectiminimax:table=1MB"])
def test_search_in_used_memory_equals_one_in_new_memory(spec: str) -> None:
    game = "pig:goal=8" if "expecti" in spec else "connect4"
    searched = []
    for _ in range(GENERATIONS + 2):
        report = registry.engine(spec)[0].search(registry.game(game).new(), Limit(depth=4))
        searched.append((report.value, report.pv, report.nodes))
    assert len(set(searched)) == 1
    del report
    gc.collect()
    assert bool(spares) == (game == "connect4"), "entries of expectations have another layout"


def test_memory_is_reused_by_a_table_of_the_same_size() -> None:
    table = Table(12)
    table.new_search()
    table.new_search()
    pages = table.owner.obj
    del table
    assert spares == [(pages, 2)]
    other = Table(11)
    assert other.owner.obj is not pages and (other.generation, other.since) == (0, 1)
    again = Table(12)
    assert again.owner.obj is pages and (again.generation, again.since) == (2, 3) and not spares
    again.new_search(keep=True)
    assert (again.generation, again.since) == (3, 3), "nothing of another table is kept"


def test_memory_of_the_last_generation_is_cleared_before_its_reuse() -> None:
    table = Table(12)
    for _ in range(GENERATIONS):
        table.new_search()
    table.owner[0] = 1
    del table
    assert spares[0][1] == GENERATIONS
    again = Table(12)
    assert (again.generation, again.owner[0]) == (0, 0)


@pytest.mark.parametrize("spec", ["iterative:table=64KB", "expectiminimax:table=64KB"])
def test_results_of_earlier_searches_are_seen_after_any_number_of_searches(spec: str) -> None:
    """Before and after the generation wraps around, in new memory and in reused memory."""
    game = "pig:goal=8" if "expecti" in spec else "connect4"
    rows = []
    for _ in range(2):  # the second time in the memory of the first
        engine = registry.engine(spec)[0]
        table = engine.new_table(engine.table_bits)
        rows.append([])
        for _ in range(GENERATIONS + 5):
            table.new_search(keep=True)
            search = engine.open(kernel_of(registry.game(game).new()), Control(0, 0.0), table)
            search.run(4)
            rows[-1].append(search.nodes)
        del table, search
    assert rows[0] == rows[1] and len(set(rows[0][1:])) == 1 < len(set(rows[0]))


def test_few_spares_are_held_and_no_large_ones() -> None:
    tables = [Table(10) for _ in range(SPARES + 2)]
    large = Table((LARGEST_SPARE // 16).bit_length())
    shared = Table(10, bytearray(16 << 10))
    del tables, large, shared
    assert len(spares) == SPARES and all(len(pages) <= LARGEST_SPARE for pages, _ in spares)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_child_process_takes_no_memory_of_its_parent() -> None:
    del (table := [Table(10)])[:]
    assert spares and not table
    child = os.fork()
    if not child:
        os._exit(len(spares))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_memory_is_resident_before_the_first_search() -> None:
    def resident() -> int:
        """The resident memory of this process in bytes."""
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    start = resident()
    table = Table(21)  # 32 MB
    new = resident()
    table.make_resident()
    assert new - start < 8 << 20 < 30 << 20 < resident() - new
