"""Custom engines: each kind of answer and the report made of it."""

import copy
import inspect
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs

from gameplay import Limit, Report, registry
from gameplay import value as scale
from gameplay.errors import GameplayError, Usage
from gameplay.search.control import Control
from gameplay.search.narrowed import Narrowed
from gameplay.search.report import Candidate
from gameplay.search.user_engine import UserEngineSearch, where
from tests.support.custom_engines import FIRST, engine_fault, search, write_engine
from tests.support.golden import golden

pytestmark = pytest.mark.once

assert write_engine  # fixture


# -- answers and reports ---------------------------------------------------------------------------------


def test_custom_engine_is_not_traced_and_searches_legal_moves_only(write_engine) -> None:
    engine, position = registry.engine(write_engine(FIRST))[0], registry.game("tictactoe").new("a1")
    with pytest.raises(Usage) as refused:
        engine.search(position, Limit(), trace=print)
    assert str(refused.value) == "mine: a custom engine cannot be traced"
    with pytest.raises(Usage) as refused:
        engine.search(position, Limit(moves=(0, 99)))
    assert str(refused.value) == "none of the moves to search, 0, 99, is legal here"


@pytest.mark.parametrize(
    ("line", "pv_error"),
    [
        ("['a', 4]", "its line is ['a', 4] (list); expected moves"),
        ("[4, 4]", "its line is [4, 4], and at [1] 4 is illegal"),
        ("[5, 4]", "its move is 4, and its line begins with 5"),
        ("[]", ""),
    ],
)
def test_unplayable_line_is_truncated_with_a_warning(line: str, pv_error: str, write_engine) -> None:
    engine, position = (
        registry.engine(write_engine(f"def choose(p): return {{'move': 4, 'pv': {line}}}"))[0],
        None,
    )
    position = registry.game("tictactoe").new("")
    report = engine.search(position, Limit())
    assert (report.move, report.pv, engine.pv_error) == (4, (4,), pv_error)
    assert position.text() == registry.game("tictactoe").new("").text(), "its moves are taken back"


@pytest.mark.parametrize("then", ["pass", "raise ValueError('mine')"])
def test_wrong_intermediate_report_is_a_fault(then: str, write_engine) -> None:
    fault = engine_fault(
        write_engine(f"def choose(p, watch):\n  try: watch(99)\n  except Exception: {then}\n  return 4\n")
    )
    assert str(fault).startswith(
        "mine passed watch() the move 99, which is illegal: position.moves() is [0, 1, 2"
    )


def test_bare_move_preserves_reports_of_that_move(write_engine) -> None:
    """The same move again has all its reported facts; another move only the counts."""
    says = "def choose(p, watch):\n  watch({{'move': 4, 'value': 7, 'depth': 2, 'nodes': 9}})\n  return {}\n"
    report = search(write_engine(says.format(4)))
    assert (report.move, report.value, report.bound, report.depth, report.nodes) == (4, 7, "exact", 2, 9)
    report = search(write_engine(says.format(5), "b.py"))
    assert (report.move, report.value, report.bound, report.nodes) == (5, 0, "unknown", 9)
    valueless = says.replace("'value': 7, ", "")
    report = search(write_engine(valueless.format("(4, 3)"), "c.py"))
    assert (report.move, report.value, report.bound, report.depth) == (4, 3, "exact", 2)
    report = search(write_engine(valueless.format(4), "d.py"))
    assert (report.move, report.value, report.bound, report.depth) == (4, 0, "unknown", 2)


def test_a_restricted_position_differs_in_its_root_moves_only() -> None:
    whole = registry.game("connect4").new("4")
    narrowed = Narrowed(whole, (2, 5))
    assert narrowed.moves() == [2, 5] and narrowed.noisy() == []
    assert (str(narrowed), repr(narrowed)) == (str(whole), repr(whole))
    other = copy.copy(narrowed)
    other.make(2)
    assert len(other.moves()) == 7 and narrowed.moves() == [2, 5] and narrowed.text() == "4"
    deep = copy.deepcopy(other)
    deep.unmake()
    assert deep.moves() == [2, 5] and len(other.moves()) == 7 and other.text() == "43"
    other.unmake()
    assert other.moves() == [2, 5]
    with pytest.raises(AttributeError, match="_made"):
        Narrowed.__new__(Narrowed)._made  # noqa: B018


def test_narrowed_position_filters_noisy_moves_at_the_root_only() -> None:
    whole = registry.game("chess").new("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    takes, king = whole.parse("exd5"), whole.parse("Kd2")
    assert whole.noisy() == [takes]
    assert Narrowed(whole, (takes, king)).noisy() == [takes] and Narrowed(whole, (king,)).noisy() == []
    narrowed = Narrowed(whole, (king,))
    narrowed.make(king)
    assert narrowed.noisy() == [whole.parse("dxe4")]


def test_errors_name_the_line_if_there_is_one() -> None:
    assert where(FIRST.__class__) == ""
    line = inspect.getsourcelines(Narrowed)[1]
    assert where(Narrowed) == f" (narrowed.py, line {line})"
    assert where(where) == f" (user_engine.py, line {inspect.getsourcelines(where)[1]})"


class Whole:
    """A number type of a library."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return "somebody's number"


NAN, INF = float("nan"), float("inf")
TOO_LARGE = scale.WIN + 5
ANSWERS: list[Any] = [
    *(4, 5, True, 8.0, "b2", None, (4, 1), (4, -0.5), (4, None), (4, True), (4, NAN), (4, "much"), (4, 1, 2)),
    *([4, 1], (Whole(4), Whole(3)), 0, -1, 99, (99, 3), {"value": 4}, {"move": 4, "points": 3}, {}),
    *(Report(), Report(move=4), Report(move=4, value=3), Report(move=4, nodes=3), Report(move=4, depth=2)),
    *(Report(move=4, visits=5), Report(move=4, values=(1, -1))),
    Report(move=8, value=2, bound="upper", seconds=4.0, engine="x"),
    *((4, TOO_LARGE), (4, -TOO_LARGE), (4, 1e7), (4, 10**300), (4, 10**400), Report(move=4, value=TOO_LARGE)),
]
FACTS: list[dict[str, Any]] = [
    *({}, {"value": 2, "depth": 3, "nodes": 40}, {"depth": -1}, {"nodes": 2.7}, {"visits": INF}),
    *({"seldepth": "x"}, {"fill": "x"}, {"fill": 0.5}, {"branching": None}, {"exact": 1, "value": 0}),
    *({"value": 1, "bound": "lower"}, {"bound": "lower"}, {"value": 1, "bound": "some"}),
    *({"value": 1, "values": [1, -1]}, {"values": (1,)}, {"values": (1, NAN)}, {"pv": [4, 8, 7]}),
    *({"pv": [8, 4]}, {"pv": [4, 4]}, {"pv": 7}, {"pv": [4, "x"]}, {"pv": ()}),
    *({"candidates": (Candidate(8, 1), Candidate(4))}, {"candidates": (Candidate(0),)}, {"candidates": (4,)}),
    *({"values": (1, TOO_LARGE)}, {"candidates": (Candidate(4, NAN),)}, {"value": scale.WIN}),
    {"candidates": (Candidate(4, TOO_LARGE),)},
]


def plain(thing: Any) -> str:
    """A report or candidate by its nonempty fields, anything else as its repr."""
    if not isinstance(thing, (Report, Candidate)):
        return (
            "a number of somebody's"
            if isinstance(thing, tuple) and isinstance(thing[0], Whole)
            else f"{thing!r}"
        )
    blank = structs.asdict(Report() if isinstance(thing, Report) else Candidate(-1))
    facts = [
        f"{name}={fact!r}"
        for name, fact in structs.asdict(thing).items()
        if fact != blank[name] and name != "candidates"
    ]
    facts += map(plain, getattr(thing, "candidates", ()))
    return f"{type(thing).__name__}({', '.join(facts)})"


def report_or_error(
    answers: list[Any], lines: int = 1, moves: tuple[int, ...] = (), multipv: bool = False
) -> str:
    """The report of an engine's answer, and the warnings; or the reason for refusing it."""
    engine: Any = SimpleNamespace(name="mine", multipv=multipv, where=" (here)", pv_error="")
    position = registry.game("tictactoe").new("xo./.../...")
    before = position.text()
    search = UserEngineSearch(engine, position, Limit(multipv=lines, moves=moves), Control(0, 0.0))
    for answer in answers:
        try:
            search._take(answer, "said")
        except GameplayError as error:
            return f"{type(error).__name__}: {error}"
    assert position.text() == before
    return f"{plain(search.report())} {engine.pv_error}".rstrip()


# -- each kind of answer ---------------------------------------------------------------------------------


def test_report_of_each_kind_of_answer() -> None:
    rows = [f"{plain(answer)}: {report_or_error([answer])}" for answer in ANSWERS]
    rows += [f"4 and {facts}: {report_or_error([{'move': 4, **facts}])}" for facts in FACTS]
    before = {"move": 4, "value": 2, "depth": 3, "nodes": 40, "pv": [4, 8], "bound": "lower", "exact": True}
    for last in (4, 8, (4, 1), (4, None), (8, 1), {"move": 4}, Report(move=4), Report(move=8, value=1)):
        rows.append(f"told, then {plain(last)}: {report_or_error([before, last])}")
        without = {"move": 4, "nodes": 9, "depth": 1}
        rows.append(f"told no value, then {plain(last)}: {report_or_error([without, last])}")
    rows.append(f"of some: {report_or_error([4], moves=(4, 8))}")
    rows.append(f"of others: {report_or_error([2], moves=(4, 8))}")
    rows.append(f"of one: {report_or_error([0], moves=(2,))}")
    golden("answers", "\n".join(rows) + "\n")
