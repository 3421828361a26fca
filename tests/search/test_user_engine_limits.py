"""Custom engines: time limits, several lines, the laws that `check` enforces."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import Limit, Report, catalogue, registry
from gameplay.cli import router, run
from gameplay.conformance import checker
from gameplay.conformance.observation import Observation
from gameplay.engines.cfr.extensive import ExtensiveForm
from gameplay.engines.cfr.profile import StrategyProfile
from gameplay.engines.cfr.strategy_file import format_strategy
from gameplay.errors import Usage
from gameplay.search import session as session_module
from gameplay.suites import conduct
from tests.support.custom_engines import BREAKS, FIRST, KINDS, OPENS, engine_fault, search, write_engine
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

assert write_engine  # fixture


def test_a_function_is_cut_off_at_the_time_limit(write_engine, monkeypatch) -> None:
    monkeypatch.setattr(session_module, "UNLIMITED_ENGINE_GRACE", 0.05)
    fault = engine_fault(write_engine("def choose(position):\n  while True: pass\n"), Limit(seconds=0.1))
    assert str(fault) == (
        "mine has not moved in 0.1 s, its time limit: give its function a parameter limit, which holds"
        " the time left (mine.py, line 2)"
    )
    assert fault.kind == "hang"


def test_engine_that_overruns_its_time_plays_its_last_report(write_engine, monkeypatch) -> None:
    """The clock stands still until the first report, and advances a second with each."""
    now = [0.0]
    monkeypatch.setattr(session_module, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def watch(report: Report) -> None:
        now[0] += report.move == 4

    text = "def choose(position, watch):\n  watch((4, 1))\n  while True: pass\n"
    report = search(write_engine(text), Limit(seconds=0.1), watch)
    assert (report.move, report.value, report.stopped) == (4, 1, "time")
    assert now[0] == 1  # the first second that is beyond its time and the grace, 0.6 s


HANGS = "  def open(self, kernel, control, table):\n    while True: pass\n"


def test_an_open_that_hangs_is_given_up_in_a_compiled_game(write_engine, monkeypatch) -> None:
    monkeypatch.setattr(session_module, "MAX_GRACE", 0.05)
    fault = engine_fault(write_engine(OPENS + HANGS), Limit(seconds=0.1))
    assert str(fault) == "mine has not moved in 0.1 s, its time limit (mine.py, line 5)"


def test_at_once_needs_no_fact_beside_it(write_engine) -> None:
    text = KINDS["an Engine that chooses at once"].replace("    thinks = False\n", "")
    assert "thinks" not in text and search(write_engine(text)).move == 0


def candidates(spec: str, limit: Limit, text: str = "") -> list[tuple[int, float]]:
    return [(candidate.move, candidate.value) for candidate in search(spec, limit, text=text).candidates]


@pytest.mark.parametrize("text", ["", "x../.o./...", "xo./.x./o.."])
def test_several_lines_are_those_of_a_built_in_engine(text, write_engine, capsys) -> None:
    run(router, "gameplay", ["engines", "--template"])
    spec = write_engine(capsys.readouterr().out)
    limit = Limit(depth=3, multipv=4)
    own, ours = (candidates(each, limit, text) for each in (spec, "minimax"))
    assert [value for _, value in own] == [value for _, value in ours]
    assert len({move for move, _ in own}) == 4
    (only,) = {move for move, _ in own[3:]}
    assert search(spec, Limit(depth=3, moves=(only,)), text=text).move == only


def test_lines_share_the_nodes_best_first(write_engine) -> None:
    text = (
        "def choose(position, limit, watch):\n  for n in range(1, 9999):\n"
        "    if watch({'move': position.moves()[0], 'value': position.moves()[0], 'nodes': n}): break\n"
        "  return position.moves()[0]\n"
    )
    report = search(write_engine(text), Limit(nodes=90, multipv=3))
    assert [(candidate.move, candidate.value) for candidate in report.candidates] == [(2, 2), (1, 1), (0, 0)]
    assert (report.move, report.value, report.nodes, report.stopped) == (2, 2, 90, "nodes")


def test_engine_with_own_multipv_is_called_once(write_engine) -> None:
    text = (
        "from gameplay import Report\nfrom gameplay.search.report import Candidate\nclass Mine:\n"
        "  multipv = True\n  def search(self, position, limit):\n    assert limit.multipv == 2\n"
        "    return Report(move=4, value=3, candidates=(Candidate(4, 3), Candidate(0, 1)))\n"
    )
    assert candidates(write_engine(text), Limit(depth=1, multipv=2)) == [(4, 3), (0, 1)]


def test_single_line_engine_gets_no_multipv(write_engine) -> None:
    with pytest.raises(Usage) as refused:
        search(write_engine("def choose(position):\n  return 4\n"), Limit(multipv=2))
    assert str(refused.value) == (
        "mine supports multipv=1 only: asked for its best move except b2, it returned b2 again; "
        "it should choose from position.moves() (mine.py, line 1)"
    )
    fault = engine_fault(write_engine("def choose(position):\n  return 4\n"), Limit(moves=(1, 2)))
    assert "returned the move 4, which is excluded: limit.moves is [1, 2]" in str(fault)


def test_wrapper_of_a_built_in_engine_reports_several_lines(write_engine) -> None:
    text = (
        "from gameplay import registry\ndef choose(position, limit):\n"
        "  return registry.engine('alphabeta')[0].search(position, limit)\n"
    )
    choices = candidates(write_engine(text), Limit(depth=3, multipv=3))
    assert choices == candidates("alphabeta", Limit(depth=3, multipv=3))


YIELDS = """
def choose(position, limit):
    for depth in range(1, 99):
        yield {"move": position.moves()[0], "value": depth, "depth": depth, "nodes": depth}
        if depth == limit.depth:
            return
"""


def test_a_generator_of_reports_is_watched(write_engine) -> None:
    spec = write_engine(YIELDS)
    assert registry.engine_class(spec).respects_limits
    report = search(spec, Limit(depth=5))
    assert (report.depth, report.nodes, report.stopped) == (5, 5, "done")
    assert (search(spec, Limit(nodes=3)).depth, len(candidates(spec, Limit(depth=2, multipv=3)))) == (3, 3)
    assert "returned None" in str(
        engine_fault(write_engine("def choose(position):\n  yield from ()\n", "none.py"))
    )


def test_template_reports_while_it_searches(write_engine, capsys) -> None:
    run(router, "gameplay", ["engines", "--template"])
    report = search(write_engine(capsys.readouterr().out), Limit(nodes=250))
    assert 250 <= report.nodes <= 300 and report.stopped == "nodes"


@pytest.mark.parametrize("engine", [name for name in catalogue.engines() if name != "random"])
def test_our_engines_keep_the_laws(engine: str, tmp_path: Path) -> None:
    game = "connect4"
    if engine == "expectiminimax":
        game = str(TESTS / "examples" / "games" / "pig.py")
    elif engine in ("maxn", "paranoid", "brs"):
        game = "tictactoe:players=3"
    elif registry.engine_class(engine).players == range(1, 2):
        game = "puzzle15:rows=2,columns=3"
    elif engine in ("cfr", "ismcts", "pimc", "strategy"):
        game = "kuhn"
    elif engine == "miximax":
        game = "holdem"
    elif engine == "rollout":
        game = f"scrabble:words={TESTS}/answers/few_words.txt"
    if engine == "strategy":
        file = tmp_path / "kuhn.toml"
        file.write_text(
            format_strategy(StrategyProfile(ExtensiveForm(registry.game("kuhn").new())), {"game": "kuhn"})
        )
        engine = f"strategy:{file}"
    report = conduct.check(engine, [game], positions=3, timed=False)
    assert report.broken == [] and report.positions == 3


def test_random_and_the_template_keep_the_laws(write_engine, capsys) -> None:
    run(router, "gameplay", ["engines", "--template"])
    for spec in ("random", write_engine(capsys.readouterr().out) + ":plies=2"):
        assert conduct.check(spec, ["tictactoe"], positions=3, timed=False).broken == []


@pytest.mark.parametrize("law", BREAKS)
def test_check_reports_the_law_that_an_engine_breaks(law: str, write_engine) -> None:
    report = conduct.check(write_engine(BREAKS[law]), ["tictactoe"], positions=2, timed=False)
    assert law in {each.law for each in report.broken}
    assert report.faulty == (law in ("moves", "raises"))


def test_check_reports_on_an_engine(write_engine, capsys) -> None:
    words = ["check", write_engine(FIRST), "--game", "tictactoe", "--positions", "2"]
    assert run(router, "gameplay", words) == 0
    assert "laws       all hold" in capsys.readouterr().out
    words = ["check", write_engine(BREAKS["pv"], "b.py"), "--game", "tictactoe", "--positions", "1", "--json"]
    assert run(router, "gameplay", words) == 3
    (broken,) = json.loads(capsys.readouterr().out)["broken"]
    assert (broken["law"], broken["seen"]) == ("pv", "its move is 0, and its line begins with 77")
    assert run(router, "gameplay", ["check", write_engine(BREAKS["raises"], "c.py"), "--positions", "1"]) == 5
    assert "BROKEN: it raises no exception, prints nothing" in capsys.readouterr().out
    assert run(router, "gameplay", ["check", "tictactoe", "--game", "chess"]) == 2
    assert "--game chooses where to check an engine, and tictactoe is a game" in capsys.readouterr().err


def broken(*moves: str, drawing: str = "", game: str = "nim") -> Any:
    return SimpleNamespace(
        statement="a law", seen="this", moves=moves, drawing=drawing, game=game, fix="do that"
    )  # fmt: skip


def law(look: str, *rows: str) -> str:
    """The report of `broken`: how to view the position, and lines between."""
    lines = ["seen       this", *rows, f"look       gameplay show {look}", "fix        do that"]
    return "\nBROKEN: a law\n" + "".join(f"  {line}\n" for line in lines)


def assert_json(words: list[str], status: int, capsys: Any) -> None:
    """The command prints what `as_dict` of the verdict gives, and ends with this status."""
    assert run(router, "gameplay", [*words, "--json"]) == status
    assert capsys.readouterr().out == '{\n  "a": [\n    1\n  ]\n}\n'


def test_check_prints_results_law_by_law(monkeypatch, capsys) -> None:
    """With the moves, the source of the position and how to show it; the status distinguishes faults."""
    requests: list[Any] = []
    results: list[Any] = []

    def verdict(*laws: Any, faulty: bool = False, plays: int = 1200) -> SimpleNamespace:
        return SimpleNamespace(
            plays=plays, seed=3, positions=12_345, keys=1_234, longest=1_000, branching=2.26, broken=laws,
            faulty=faulty, as_dict=lambda: {"a": [1]}, observed=Observation(), warnings=[], untested=[],
        )  # fmt: skip

    monkeypatch.setattr(checker, "check", lambda *what: requests.append(what) or results.pop())
    head = "  positions  12,345, of them 1,234 distinct\n"
    head += "  longest    1,000 moves\n  branching  2.3 moves a position"
    results = [verdict(plays=1)]
    assert run(router, "gameplay", ["check", "nim"]) == 0
    line = "nim: 1 random game to the end and back, seed 3"
    assert capsys.readouterr() == (f"{line}\n{head}\n  laws       all hold\n", "")
    results = [verdict(broken(), broken("a1", "b2", drawing="first\nsecond\nthird"))]
    assert run(router, "gameplay", ["check", "nim", "--games", "7", "--seed", "3"]) == 3
    assert capsys.readouterr().out == (
        f"nim: 1200 random games to the end and back, seed 3\n{head}\n"
        + law("nim", "moves      (at the start)", "position   (not reached)")
        + law(
            "nim --moves 'a1 b2'",
            "moves      a1 b2",
            "position   first",
            "           second",
            "           third",
        )
    )
    for faulty, status in ((True, 5), (False, 3)):
        results = [verdict(broken(), faulty=faulty)]
        assert_json(["check", "nim"], status, capsys)
    nim = registry.game("nim")
    assert [(game.spec, games, seed) for game, games, seed in requests[:2]] == [
        (nim.spec, 100, 0), (nim.spec, 7, 3),
    ]  # fmt: skip
    assert run(router, "gameplay", ["check", "nim", "--game", "nim"]) == 2
    message = "gameplay: --game chooses where to check an engine, and nim is a game. Try: leave --game out\n"
    assert capsys.readouterr() == ("", message)


def test_check_of_an_engine_prints_results_law_by_law(monkeypatch, capsys) -> None:
    requests: list[Any] = []
    results: list[Any] = []

    def verdict(*laws: Any, faulty: bool = False) -> SimpleNamespace:
        return SimpleNamespace(
            engine="mine", seed=3, games=["nim", "pig"], positions=12_345, searches=1_234, broken=laws,
            faulty=faulty, as_dict=lambda: {"a": [1]}, payoffs=("Points", "Dice"), untested="",
        )  # fmt: skip

    monkeypatch.setattr(conduct, "check", lambda *what: requests.append(what) or results.pop())
    head = "mine: positions of random games, seed 3\n  games      nim, pig\n"
    head += "  positions  12,345\n  searches   1,234\n  values     compared with minimax's: Points, Dice"
    results = [verdict()]
    assert run(router, "gameplay", ["check", "random"]) == 0
    assert capsys.readouterr() == (f"{head}\n  laws       all hold\n", "")
    results = [verdict(broken(), broken("a1", "b2", game="pig"))]
    words = ["check", "random", "--game", "pig", "--positions", "4", "--seed", "3"]
    assert run(router, "gameplay", words) == 3
    assert capsys.readouterr().out == (
        f"{head}\n"
        + law("nim", "game       nim", "moves      (at the start)")
        + law("pig --moves 'a1 b2'", "game       pig", "moves      a1 b2")
    )
    for faulty, status in ((True, 5), (False, 3)):
        results = [verdict(broken(), faulty=faulty)]
        assert_json(["check", "random"], status, capsys)
    assert requests[:2] == [("random", [], 10, 0), ("random", ["pig"], 4, 3)]


def test_an_engine_with_options_is_explained_as_it_is_set(write_engine, capsys) -> None:
    spec = write_engine("class Mine:\n  def __init__(self, width=3): 0\n  def search(self, p, limit): 0\n")
    assert run(router, "gameplay", ["engines", f"{spec}:width=5,depth=4"]) == 0
    out = capsys.readouterr().out
    assert "(default 3, here 5)" in out and "Search depth limit in plies (here 4)" in out
    assert f"Options, as in {spec}:OPTION=VALUE".replace(" ", "") in "".join(out.split())
