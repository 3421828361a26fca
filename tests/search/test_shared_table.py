"""Searches that share a table, on one thread that stands for all: moves of other threads come last."""

from collections.abc import Callable
from hashlib import blake2b
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import registry
from gameplay.adapter import kernel_of
from gameplay.kernel import compiled
from gameplay.search.control import Control
from gameplay.search.picker import Picker
from gameplay.search.trace import TraceEvent
from gameplay.value import INF, MAX_PLY
from tests.support.golden import golden

pytestmark = pytest.mark.skipif(compiled(), reason="the pure build lets Python stand for another thread")

FEW = "OXXXXXX-OOXXXX--OXOXXO--OXXOXX-OOXXXOXXOOXXXXXXO--XXXX-O-XXXXXX- O"
PAWNS = "8/2p2k2/1p3p2/1P2p1p1/P3P1P1/2P2K2/8/8 w - - 0 1"
SHARED = (
    ("iterative:table=64KB", "connect4", "4", 5),
    ("iterative:table=64KB,order=countermove", "othello", FEW, 5),
    ("iterative:table=64KB,pvs=off", "checkers", "W:WK18,19,27:BK4,5,10", 5),
    ("quiescence:table=64KB", "chess", PAWNS, 4),
    ("selective:table=64KB", "chess", PAWNS, 7),
    ("selective:table=64KB", "othello", FEW, 6),
    ("selective:table=64KB,pvs=off", "checkers", "W:WK18,19,27:BK4,5,10", 5),
)


def open_search(spec: str, game: str, text: str) -> Any:
    """A search that shares its table with other threads."""
    engine = registry.engine(spec)[0]
    table = engine.new_table(engine.table_bits)
    table.new_search()
    position = registry.game(game).new(text)
    position.evaluation = engine.evaluation(position)
    search = engine.open(kernel_of(position), Control(0, 0.0), table)
    search.shared = True
    return search


def run_search(search: Any, depth: int, claim: Callable[..., int]) -> tuple[Any, list[str]]:
    """The report and the trace, if other threads search the moves that `claim` refuses."""
    events: list[str] = []

    def hear(event: TraceEvent) -> None:
        events.append(repr((*event[:8], event.why)))

    search.set_trace(hear)
    search.claim = claim
    search.run(depth)
    return search.report(), events


def test_moves_searched_by_other_threads_come_last_without_changing_values() -> None:
    """Every third claim is refused. Claims are released; the value is that of a single thread."""
    rows = []
    for spec, game, text, depth in SHARED:
        search = open_search(spec, game, text)
        requests: list[str] = []

        def claim(key: int, move: int, depth: int) -> int:
            requests.append(f"{key} {move} {depth}")  # noqa: B023
            return 0 if len(requests) % 3 == 0 else type(search).claim(search, key, move, depth)  # noqa: B023

        report, events = run_search(search, depth, claim)
        assert requests and not any(search.table.busy)
        digest = blake2b("\n".join([*requests, *events]).encode(), digest_size=4).hexdigest()
        rows.append(
            f"{spec}, {game} {text}: {report.move} {report.value}, {report.depth}/{report.seldepth}, "
            f"nodes {report.nodes}, hits {report.hits}, cuts {report.first_cutoffs}/{report.cutoffs}, "
            f"claims {len(requests)}, {digest}"
        )
        if not spec.startswith("selective"):
            alone = open_search(spec, game, text)
            alone.shared = False
            alone.run(depth)
            assert alone.report().value == report.value
    golden("threads", "\n".join(rows) + "\n")


@pytest.mark.parametrize(("spec", "game", "text", "depth"), [row for row in SHARED if row[0][0] == "s"])
def test_moves_searched_by_other_threads_are_never_pruned(
    spec: str, game: str, text: str, depth: int
) -> None:
    """Whether a move is pruned is decided before it is deferred; here all claims are refused."""
    refused: list[set[int]] = []  # by the positions on the path
    replayed = 0

    def hear(event: TraceEvent) -> None:
        nonlocal replayed
        if event.what == "enter":
            replayed += bool(refused) and event.move in refused[-1]
            refused.append(set())
        elif event.what == "leave":
            refused.pop()
        elif event.what == "skip":
            assert event.move not in refused[-1]

    def refuse(key: int, move: int, depth: int) -> int:
        refused[-1].add(move)
        return 0

    search = open_search(spec, game, text)
    search.claim = refuse
    search.set_trace(hear)
    search.run(depth)
    assert replayed > 10


@pytest.mark.parametrize(
    ("spec", "alone", "message"),
    [
        ("iterative:table=64KB,aspiration=off,eval=classic", 1492, 2071),
        ("selective:table=64KB,eval=classic", 407, 309),
    ],
)
def test_a_bound_that_another_thread_found_meanwhile_is_enough(spec: str, alone: int, message: int) -> None:
    """At the first claim of a move of a position, the other thread stores a value of the position.

    That is believed if it was as deep, and good enough; it is false here, so that it shows.
    """

    def nodes(value: int, less: int) -> int:
        search = open_search(spec, "chess", PAWNS)
        met: set[int] = set()

        def claim(key: int, move: int, depth: int) -> int:
            if key not in met:
                met.add(key)
                search.remember(key, 0, depth - less, value, -INF, value, move, False)
            return type(search).claim(search, key, move, depth)

        run_search(search, 5, claim)
        return search.nodes

    values = nodes(9000, 0), nodes(-9000, 0), nodes(9000, 1)
    assert values == (message, alone, alone)


def test_moves_are_claimed_once_and_freed_by_the_claimant() -> None:
    search = open_search("iterative:table=64KB", "connect4", "")
    for key in (0, 2**64 - 1, 0x123456789ABCDEF):
        marks = {search.claim(key, move, depth) for move in range(40) for depth in range(3, 13)}
        assert len(marks) == 400 and all(0 < mark < 2**64 and mark & 1 for mark in marks)
        places = {mark >> 32 & 4095 for mark in marks}
        assert {i for i, mark in enumerate(search.table.busy) if mark} == places and len(places) > 35
        search.table.busy[:] = [0] * 4096
    mark = search.claim(7, 3, 4)
    assert search.claim(7, 3, 4) == 0 and search.claim(7, 4, 4)
    search.free(mark ^ 2)  # the same place
    assert search.claim(7, 3, 4) == 0
    search.free(mark)
    assert search.claim(7, 3, 4) == mark and search.claim(7, 3, 5) not in (0, mark)


class Weights:
    """An ordering that weighs moves independently."""

    def __init__(self) -> None:
        self.weighed: list[Any] = []

    def score_moves(self, kernel: Any, *rest: int) -> None:
        self.weighed.append(rest)
        kernel.weight = [10 * move for move in kernel.stack]

    def pick(self, kernel: Any, i: int, end: int) -> int:
        at = max(range(i, end), key=lambda k: kernel.weight[k])
        for row in (kernel.stack, kernel.weight):
            row[i], row[at] = row[at], row[i]
        return kernel.stack[i]


def test_picker_returns_deferred_moves_again_and_never_the_excluded_one() -> None:
    ordering = Weights()
    picker = Picker(ordering)
    kernel = SimpleNamespace(stack=[9, 1, 5, 3, 4, 2, 8], weight=[0] * 7)
    picker.open(kernel, 1, 1, 6, 7, 3, 11, 4)
    picker.open(SimpleNamespace(stack=[6], weight=[0]), 0, 0, 1, 0, -1, 0, -1)
    assert ordering.weighed == [(1, 6, 7, 3, 11), (0, 1, 0, -1, 0)]
    log = []
    while (move := picker.next(kernel, 1)) >= 0:
        log.append((move, picker.weight, picker.pick_index(1), picker.is_replaying(1)))
        if move in (5, 2) and not picker.is_replaying(1):
            picker.defer(kernel, 1, move, move + 100)
    assert log == [
        (5, 50, 1, False), (3, 30, 3, False), (2, 20, 4, False), (1, 10, 5, False),
        (5, 105, 1, True), (2, 102, 2, True),
    ]  # fmt: skip
    assert picker.next(kernel, 1) == -1 and (kernel.stack[0], kernel.stack[6]) == (9, 8)
    picker.open(kernel, 1, 1, 6, 7, -1, 0, -1)
    assert [picker.next(kernel, 1) for _ in range(6)][-1] == -1 and not picker.is_replaying(1)
    assert len(picker.places) > 2 * MAX_PLY
