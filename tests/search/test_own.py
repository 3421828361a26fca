"""Engines of one's own: what may be one, what it may say, and that what it does wrong costs its own game."""

import copy
import inspect
import json
import os
import threading
import time
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import Limit, Report, catalogue, registry
from gameplay.cli import router, run
from gameplay.cli.common import template
from gameplay.conformance import checker
from gameplay.conformance.observation import Observation
from gameplay.engines.cfr.extensive import ExtensiveForm
from gameplay.engines.cfr.profile import Mixed
from gameplay.engines.cfr.strategy_file import written
from gameplay.errors import BadInput, EngineFault, GameplayError, Usage
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.runs.job import Job, Seat, play
from gameplay.search import session as session_module
from gameplay.search.control import Control
from gameplay.search.engine import Engine
from gameplay.search.narrowed import Narrowed
from gameplay.search.own import OwnSearch, where
from gameplay.search.report import Candidate
from gameplay.search.session import Session
from gameplay.suites import conduct
from gameplay.value import WIN, later
from tests.support.golden import golden
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

FIRST = "def choose(position):\n    return position.moves()[0]\n"
posix = pytest.mark.skipif(os.name != "posix", reason="what a process of POSIX can do to itself")


@pytest.fixture
def mine(tmp_path):
    def made(text: str, name: str = "mine.py") -> str:
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return made


def search(
    spec: str, limit: Limit | None = None, watch=None, game: str = "tictactoe", text: str = ""
) -> Report:
    return registry.engine(spec)[0].search(registry.game(game).new(text), limit, watch)


def told(spec: str, limit: Limit | None = None) -> EngineFault:
    with pytest.raises(EngineFault) as fault:
        search(spec, limit)
    assert "\n" not in str(fault.value)
    return fault.value


# -- what may be one ------------------------------------------------------------------------------------

KINDS = {
    "a function": FIRST,
    "a function with a limit": "def choose(position, limit):\n  return position.moves()[limit.depth or 0]\n",
    "one of several functions": "def helper(x):\n    return x\n" + FIRST,
    "a class": "class Mine:\n  def search(self, position, limit, watch):\n    return position.moves()[0]\n",
    "a class that wants no more than the position": (
        "class Mine:\n    def search(self, position):\n        return position.moves()[0]\n"
    ),
    "a static method": (
        "class Mine:\n  @staticmethod\n  def search(position, watch):\n    return position.moves()[0]\n"
    ),
    "an Engine with search": (
        "from gameplay.search.engine import Engine\nclass Mine(Engine):\n"
        "    def search(self, position, limit, watch):\n        return position.moves()[0]\n"
    ),
    "an Engine that chooses at once": (
        "from gameplay import Report\nfrom gameplay.search.engine import Engine\nclass Mine(Engine):\n"
        "    thinks = False\n    def at_once(self, position, limit):\n"
        "        return Report(move=position.moves()[0])\n"
    ),
    "an Engine with a search of ours": (
        "from gameplay.engines.alphabeta import AlphaBeta\nclass Mine(AlphaBeta):\n    name = 'mine'\n"
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_may_be_an_engine(kind: str, mine) -> None:
    spec = mine(KINDS[kind])
    engine, _ = registry.engine(spec)
    assert isinstance(engine, Engine) and engine.name == "mine"
    assert registry.engine(str(engine))[0] == engine, "its own words find it again"
    report = search(spec)
    assert report.move == 0 or kind == "an Engine with a search of ours"
    assert report.final and report.pv[0] == report.move and report.engine == str(engine)


@pytest.mark.parametrize(
    ("text", "spec", "error", "complaint"),
    [
        ("x = 3", "", BadInput, "holds no engine: that is a function choose(position) that returns a move"),
        ("def f(p): 0\ndef g(p): 0", "", Usage, "holds several engines (f, g): name one, as"),
        ("def f(p): 0", ":g", Usage, "there is no engine 'g'"),
        ("def choose(): 0", "", BadInput, "takes no position: write def choose(position) (mine.py, line 1)"),
        ("def choose(position, depth): 0", "", BadInput, "without a value, depth: give depth a default"),
        ("class A:\n  def search(self): 0", "", BadInput, "takes no position: write def search(self, "),
        ("class A:\n  def search(self, p, lim): 0", "", BadInput, "without a value, lim: write def search("),
        (
            "class A:\n  def __init__(self, width): 0\n  def search(self, position): 0",
            "",
            BadInput,
            "the constructor needs width: give it a default, and it is an option (mine.py, line 1)",
        ),
        ("class A:\n  players = 'two'\n  def search(self, position): 0", "", BadInput, "write players = 2"),
        (FIRST, ":width=3", Usage, "mine: there is no option 'width'"),
        ("def choose(position, width=3): 0", ":width=x", Usage, "mine: width is a whole number, not 'x'"),
        (FIRST.replace("(position)", "(position"), "", BadInput, "is not Python: line 1"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_in_a_line(text, spec, error, complaint, mine) -> None:
    with pytest.raises(error) as caught:
        registry.engine(mine(text) + spec)
    assert complaint in str(caught.value) and "\n" not in str(caught.value)


def test_options_are_the_parameters_of_the_constructor(mine) -> None:
    spec = mine("class Mine:\n  def __init__(self, nth=0, seed=0): self.nth = nth\n"
                "  def search(self, position): return position.moves()[self.nth]\n")  # fmt: skip
    assert search(spec).move == 0 and search(spec + ":Mine:nth=2").move == 2
    assert str(registry.engine(spec + ":nth=2")[0]).endswith("mine.py:Mine:nth=2")


def test_options_are_the_defaults_of_a_function(mine) -> None:
    spec = mine("def choose(position, nth=0, limit=None): return position.moves()[nth]")
    assert list(registry.engine_class(spec).options()) == ["nth"]
    assert search(spec + ":nth=4").move == 4


def test_an_engine_says_which_games_it_plays(mine) -> None:
    assert seats.player(mine(FIRST), registry.game("tests/examples/games/pig.py"))
    only = mine(
        "class Two:\n  players = 2\n  chance = False\n  def search(self, p): return p.moves()[0]\n", "two.py"
    )
    with pytest.raises(Usage, match="two cannot play this: Pig has chance in it"):
        seats.player(only, registry.game("tests/examples/games/pig.py"))


def test_it_is_the_usual_engine_of_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "aaapack.py").write_text(FIRST)
    info = tmp_path / "aaapack-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: aaapack\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[gameplay.engines]\naaa = aaapack:choose\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "aaa" in registry.engine_names()
    assert registry.engine("aaa")[0].name == "aaa" and search("aaa").move == 0
    assert registry.usual_engine(registry.game("tests/examples/games/kuhn.py").new()).name == "ismcts"


# -- what it may say -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "value", "depth", "pv"),
    [
        ("4", None, 0, (4,)),
        ("(4, 7)", 7, 0, (4,)),
        ("(4, -2.5)", -2.5, 0, (4,)),
        ("{'move': 4, 'depth': 3, 'nodes': 9}", None, 3, (4,)),
        ("{'move': 4, 'value': 7, 'pv': [4, 0, 1]}", 7, 0, (4, 0, 1)),
        ("{'move': 4, 'value': 7, 'pv': [4, 0, 0, 1]}", 7, 0, (4, 0)),
        ("{'move': 4, 'value': 7, 'pv': [5, 0]}", 7, 0, (4,)),
        ("Report(move=4, value=7, depth=2, pv=(4, 3))", 7, 2, (4, 3)),
        ("Report(move=4)", None, 0, (4,)),
        ("Four()", None, 0, (4,)),
    ],
)
def test_what_an_engine_may_answer(answer, value, depth, pv, mine) -> None:
    four = "from gameplay import Report\nclass Four:\n  def __index__(self): return 4\n"
    report = search(mine(f"{four}def choose(position):\n  return {answer}\n") + ":choose")
    assert (report.move, report.depth, report.pv) == (4, depth, pv)
    assert (report.bound == "unknown") == (value is None) and report.value == (value or 0)


@pytest.mark.parametrize(
    ("answer", "kind", "complaint"),
    [
        ("None", "crash", "returned None: it is to be a move, one of position.moves(), or a Report"),
        ("99", "illegal_move", "returned the move 99, which is illegal: position.moves() is [0, 1, 2, "),
        ("'b2'", "crash", "returned 'b2' (str): a move is an int, one of position.moves(); position.parse("),
        ("4.0", "crash", "returned 4.0 (float): it is to be a move"),
        ("(4, 'good')", "crash", "returned the value 'good': a value is a number"),
        ("(4, float('nan'))", "crash", "returned the value nan"),
        ("{'value': 3}", "crash", "returned a dict without a 'move': its keys may be move, value"),
        ("{'move': 4, 'score': 3}", "crash", "returned a dict with 'score': its keys may be"),
        ("{'move': 4, 'depth': -1}", "crash", "returned depth=-1: it is a whole number from 0 up"),
        ("{'move': 4, 'value': 1, 'bound': 'x'}", "crash", "returned bound='x': it is one of exact, lower"),
        ("{'move': 4, 'values': (1,)}", "crash", "returned values=(1,): they are a number for each player"),
        ("{'move': 4, 'fill': 'x'}", "crash", "returned fill='x': it is a number"),
        ("{'move': 4, 'candidates': [4]}", "crash", "returned candidates that are no Candidates of legal"),
    ],
)  # fmt: skip
def test_wrong_answers_name_the_line(answer, kind, complaint, mine) -> None:
    fault = told(mine(f"\n\ndef choose(position):\n  return {answer}\n"))
    assert str(fault).startswith(f"mine {complaint}") and str(fault).endswith(" (mine.py, line 3)")
    assert fault.kind == kind


DEEPENS = """
class Mine:
    def search(self, position, limit, watch):
        for depth in range(1, 1000):
            if watch({"move": depth % 9, "value": depth, "depth": depth, "nodes": 10 * depth}):
                break
            if depth == limit.depth:
                break
        return ANSWER
"""


def test_reports_are_handed_on_while_it_thinks(mine) -> None:
    """Each is an answer like the last one, so that screens show it like a built-in engine's."""
    slow = DEEPENS.replace("            if depth", "            time.sleep(0.01)\n            if depth")
    spec = mine("import time\n" + slow.replace("ANSWER", "depth % 9"))
    seen: list[Report] = []

    def watch(report: Report) -> bool:
        seen.append(report)
        return report.depth >= 5

    report = search(spec, Limit(depth=200), watch)
    assert report.stopped == "interrupted" and report.depth >= 5
    assert (report.value, report.nodes, report.move) == (report.depth, 10 * report.depth, report.depth % 9)
    assert any(one.depth > 0 for one in seen)


def test_a_bare_move_keeps_what_was_told_before(mine) -> None:
    same = search(mine(DEEPENS.replace("ANSWER", "depth % 9"), "same.py"), Limit(depth=7))
    assert (same.move, same.value, same.bound, same.depth, same.nodes) == (7, 7, "exact", 7, 70)
    other = search(mine(DEEPENS.replace("ANSWER", "8"), "other.py"), Limit(depth=7))
    assert (other.move, other.bound, other.depth, other.nodes) == (8, "unknown", 7, 70)


def test_a_limit_of_nodes_is_told_by_watch(mine) -> None:
    report = search(mine(DEEPENS.replace("ANSWER", "depth % 9")), Limit(nodes=55))
    assert (report.nodes, report.stopped) == (60, "nodes")


def test_it_may_move_on_its_position_as_it_likes(mine) -> None:
    spec = mine("def choose(position):\n  m = position.moves()[0]\n  position.make(m)\n  return m\n")
    position = registry.game("tictactoe").new("x../.../...")
    engine, _ = registry.engine(spec)
    for _ in range(2):
        assert engine.search(position).move == 1
    assert position.text() == "x../.../..."


def test_a_class_is_made_anew_for_each_game(mine) -> None:
    spec = mine("class Mine:\n  made = 0\n  def search(self, p):\n    self.made += 1\n    return self.made\n")
    session = Session(registry.engine(spec)[0])
    position = registry.game("tictactoe").new()
    assert [session.search(position).move for _ in range(3)] == [1, 2, 3]
    session.begin()
    assert session.search(position).move == 1


def test_an_option_seed_is_another_one_for_each_game(mine) -> None:
    spec = mine("def choose(position, seed=0):\n  return position.moves()[seed % 9]\n")
    game = registry.game("tictactoe")
    assert {seats.player(spec, game, seed).engine.seed for seed in (5, 6)} == {5, 6}
    assert seats.player(spec + ":seed=3", game, 5).engine.seed == 3


# -- what it does wrong ------------------------------------------------------------------------------------

WRONG = [
    ("1 / 0", "crash", "mine raised ZeroDivisionError: division by zero (mine.py, line 3)"),
    ("raise SystemExit(3)", "crash", "mine raised SystemExit: 3 (mine.py, line 3)"),
    ("raise KeyboardInterrupt", "crash", "mine raised KeyboardInterrupt (mine.py, line 3)"),
    ("position.parse('zz')", "crash", "mine raised IllegalMove: "),
    (
        "print('thinking')",
        "crash",
        "mine raised Forbidden: print() would spoil the screen of the game: print to",
    ),
    ("input()", "crash", "mine raised Forbidden: input() would take what the players type (mine.py, line 3)"),
    ("return 1 if position.make(99) else 0", "crash", "mine raised "),
]
PROCESS = ["os._exit(0)", "os.abort()", "os.fork()", "os.kill(os.getpid(), 9)", "os.execlp('true', 'true')"]


@pytest.mark.parametrize(("deed", "kind", "words"), WRONG)
def test_what_it_raises_is_told_with_file_and_line(deed, kind, words, mine) -> None:
    fault = told(mine(f"import os\ndef choose(position):\n  {deed}\n  return position.moves()[0]\n"))
    assert str(fault).startswith(words) and "(mine.py, line 3)" in str(fault)
    assert fault.kind == kind


@posix
@pytest.mark.parametrize("deed", PROCESS)
def test_it_can_do_nothing_to_the_process(deed, mine) -> None:
    fault = told(mine(f"import os\ndef choose(position):\n  {deed}\n  return position.moves()[0]\n"))
    assert "the process that plays the game (mine.py, line 3)" in str(fault)


def test_printing_elsewhere_is_its_own_business(mine, capsys) -> None:
    search(mine("import sys\ndef choose(position):\n  print('so', file=sys.stderr)\n  return 0\n"))
    print("and others print as ever")
    assert capsys.readouterr() == ("and others print as ever\n", "so\n")


@pytest.mark.parametrize(
    "loop",
    [
        "while True: pass",
        "while True:\n    try: len('')\n    except Exception: pass",
        "import time; time.sleep(99)",
    ],
)
def test_an_engine_that_hangs_is_given_up(loop, mine, monkeypatch) -> None:
    spec = mine(f"def choose(position):\n  {loop}\n")
    session = Session(registry.engine(spec)[0])
    session.patience = 0.2
    with pytest.raises(EngineFault, match=r"mine has not moved in 0.2 s \(mine.py, line \d\)") as fault:
        session.search(registry.game("tictactoe").new())
    assert fault.value.kind == "hang"


def test_the_thread_of_one_that_hangs_ends(mine) -> None:
    before = threading.enumerate()
    session = Session(registry.engine(mine("def choose(position):\n  while True: pass\n"))[0])
    session.patience = 0.1
    with pytest.raises(EngineFault):
        session.search(registry.game("tictactoe").new())
    until = time.monotonic() + 30
    while set(threading.enumerate()) - set(before):
        assert time.monotonic() < until


def test_one_that_does_not_heed_a_stop_moves_as_it_said_last(mine, monkeypatch) -> None:
    """Somebody pressed Ctrl-C: the best move so far is played, as a built-in engine's is."""
    monkeypatch.setattr(session_module, "GRACE", 0.1)
    text = (
        "class Mine:\n  def search(self, position, limit, watch):\n    watch((4, 1))\n    while True: pass\n"
    )
    report = search(mine(text), watch=lambda report: report.move == 4)
    assert (report.move, report.value, report.stopped) == (4, 1, "interrupted")
    silent = mine("def choose(position):\n  while True: pass\n", "silent.py")
    with pytest.raises(EngineFault, match=r"silent has not moved 0\.1 s after the stop request"):
        search(silent, watch=lambda report: True)


def test_patience_is_the_time_it_has(mine) -> None:
    from gameplay.matches.clock import Clock, control
    from gameplay.players.engine import EnginePlayer

    game = registry.game("tictactoe")
    spec = mine("def choose(position, limit): return 0")

    def patience(player: EnginePlayer, clock: Clock | None = None) -> float | None:
        match = Match(game, [player, player], clock=clock)
        return player._patience(match.view(0))

    assert patience(seats.player(spec, game)) == 60
    assert patience(seats.player(spec + ":time=3", game)) is None, "as the limit tells"
    allowed = seats.player(spec, game)
    allowed.allow(7)
    assert patience(allowed) == 7
    clock = Clock([control("90+1"), control("90+1")])
    assert patience(seats.player(spec, game), clock) == 90 + session_module.GRACE


GAME = """
from gameplay import Position, undoable

class Bad(Position):
    def __init__(self):
        super().__init__()
        self.made = 0
    def moves(self): return [0, 1]
    @undoable
    def make(self, move):
        if self.made == 3: raise RuntimeError("the game is wrong")
        self.made += 1
        self.turn = 1 - self.turn
    def outcome(self): return (1, -1) if self.made > 5 else None
"""


def test_a_fault_of_the_game_is_put_down_to_the_game(mine) -> None:
    looks = "def choose(position):\n  for _ in range(6): position.make(0)\n  return 0\n"
    spec = mine(looks)
    with pytest.raises(RuntimeError, match="the game is wrong"):
        registry.engine(spec)[0].search(registry.game(mine(GAME, "bad.py")).new())


def test_a_search_of_ours_in_a_file_of_yours_is_blamed_too(mine) -> None:
    text = "from gameplay.engines.alphabeta import AlphaBeta\nclass Mine(AlphaBeta):\n  name = 'mine'\n"
    fault = told(mine(text + "  def open(self, kernel, control, table):\n    1 / 0\n"))
    assert str(fault) == "mine raised ZeroDivisionError: division by zero (mine.py, line 5)"


def test_a_match_goes_to_the_opponent_and_says_why(mine) -> None:
    spec = mine(
        "def choose(position):\n  if len(position.moves()) < 6: 1 / 0\n  return position.moves()[0]\n"
    )
    job = Job(0, 0, 1, "tictactoe", (Seat(spec, "mine", 1), Seat("random", "random", 2)), 3)
    done = play(job)
    assert (done.termination, done.offender, done.payoffs) == ("crash", 0, (-1, 1))
    assert "mine raised ZeroDivisionError: division by zero (mine.py, line 2)" in done.fault


def test_selfplay_and_match_count_the_loss(mine, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    spec = mine("def choose(position):\n  return 99\n")
    status = run(
        router,
        "gameplay",
        ["match", f"mine={spec}", "random", "--game", "tictactoe", "--games", "4", "--jobs", "1", "--json",
         "--store", str(tmp_path / "runs.db")],
    )  # fmt: skip
    out = capsys.readouterr()
    assert (status, json.loads(out.out)["ended"]) == (5, "failed")
    assert "mine returned the move 99, which is illegal: position.moves() is [" in out.err, out.err
    assert "(mine.py, line 1)" in out.err


def test_play_ends_with_the_line_and_status_5(mine, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    spec = mine("def choose(position):\n  return {}[3]\n")
    status = run(router, "gameplay", ["play", "tictactoe", "--players", f"{spec},random", "--plain"])
    err = capsys.readouterr().err
    assert status == 5
    assert err == "gameplay: mine raised KeyError: 3 (mine.py, line 2)\n"


# -- the template -------------------------------------------------------------------------------------------


def test_the_template_is_short_and_plays(mine, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    assert run(router, "gameplay", ["engines", "--template"]) == 0
    text = capsys.readouterr().out
    assert text == inspect.getsource(template)
    assert len([line for line in text.splitlines() if line.strip()]) <= 36
    spec = mine(text)
    assert run(router, "gameplay", ["engines", spec]) == 0
    assert "plies" in capsys.readouterr().out
    words = ["play", "tictactoe", "--players", f"{spec}:plies=4,random", "--depth", "4", "--json"]
    assert run(router, "gameplay", words) == 0
    record = json.loads(capsys.readouterr().out)
    mine_moves = [ply for ply in record["moves"] if ply["player"] == 0]
    assert mine_moves and all(ply["nodes"] and ply["depth"] for ply in mine_moves)


def negamax(position, depth, count):
    """The value for whoever is on turn, as a textbook has it; `count` holds the positions visited."""
    count[0] += 1
    payoffs = position.outcome()
    if payoffs is not None:
        return int(payoffs[position.turn] * WIN)
    if depth == 0:
        return position.evaluate()
    values = []
    for move in position.moves():
        position.make(move)
        values.append(later(-negamax(position, depth - 1, count)))
        position.unmake()
    return max(values)


def test_the_template_counts_what_it_visits_and_reports_as_it_goes() -> None:
    """Each depth anew, every hundred positions seen at work; options and limits say how deep."""
    mine = template.Mine
    assert (mine.players, mine.chance, mine.hidden, mine.general_sum) == (2, False, False, False)
    assert mine().plies == 50
    for text, plies, depth, reached in (
        ("", 50, 3, 3), ("", 2, 5, 2), ("", 2, None, 2), ("x.o/.x./...", 50, 4, 4), ("xxo/oox/.xo", 50, 3, 3),
    ):  # fmt: skip
        position = registry.game("tictactoe").new(text)
        seen: list[Report] = []
        one = mine(plies)
        report = one.search(position, Limit(depth=depth), lambda best, seen=seen: seen.append(best) and False)
        count = [0]
        values = [negamax(position, plies, count) for plies in range(1, reached + 1)]
        assert (report.depth, report.value, report.nodes) == (reached, values[-1], count[0])
        assert one.nodes == count[0] and report.move == report.pv[0]
        assert len(report.pv) == min(reached, position.text().count("."))
        first = seen[0]
        assert (first.move, first.bound, first.nodes, first.depth) == (position.moves()[0], "unknown", 0, 0)
        done = [0, *(best.nodes for before, best in pairwise(seen) if best.depth > before.depth)]
        assert {best.nodes for best in seen} == {*done, *range(0, seen[-1].nodes + 1, 100)}


def test_the_template_stops_where_it_is_told_to_and_keeps_its_last_answer() -> None:
    position = registry.game("tictactoe").new()
    calls = 0

    def watch(best: Report) -> bool:
        nonlocal calls
        calls += 1
        return calls > 9 + 81 + 150

    one = template.Mine()
    report = one.search(position, Limit(), watch)
    assert report.depth == 2 and report.value == negamax(position, 2, [0])
    assert position.text() == ".../.../..." and report.nodes == 200 and one.nodes > 200
    assert calls == 9 + 81 + 151, "once it was stopped nothing is looked at any more"
    calls = 1000
    report = template.Mine().search(position, Limit(), watch)
    assert (report.move, report.bound, report.depth) == (0, "unknown", 0) and position.outcome() is None


@pytest.mark.parametrize(("text", "value"), [("xx./oo./...", 999999), ("xx./oo./x..", 999999), ("", 0)])
def test_the_template_finds_what_minimax_finds(text, value, mine, capsys) -> None:
    run(router, "gameplay", ["engines", "--template"])
    spec = mine(capsys.readouterr().out)
    report = search(spec, Limit(depth=4), text=text)
    assert report.value == search("minimax", Limit(depth=4), text=text).value


# -- its time, its lines, its laws --------------------------------------------------------------------------


def test_a_function_is_cut_off_at_the_time_limit(mine, monkeypatch) -> None:
    monkeypatch.setattr(session_module, "LATE", 0.05)
    fault = told(mine("def choose(position):\n  while True: pass\n"), Limit(seconds=0.1))
    assert str(fault) == (
        "mine has not moved in 0.1 s, its time limit: give its function a parameter limit, which holds"
        " the time left (mine.py, line 2)"
    )
    assert fault.kind == "hang"


def test_one_that_overruns_its_time_plays_what_it_told_last(mine, monkeypatch) -> None:
    """By a clock that stands still until it has told a move, and goes on a second with each report."""
    now = [0.0]
    monkeypatch.setattr(session_module, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def watch(report: Report) -> None:
        now[0] += report.move == 4

    text = "def choose(position, watch):\n  watch((4, 1))\n  while True: pass\n"
    report = search(mine(text), Limit(seconds=0.1), watch)
    assert (report.move, report.value, report.stopped) == (4, 1, "time")
    assert now[0] == 1  # the first second that is beyond its time and the grace, 0.6 s


OPENS = "from gameplay.engines.alphabeta import AlphaBeta\nclass Mine(AlphaBeta):\n  name = 'mine'\n"
HANGS = "  def open(self, kernel, control, table):\n    while True: pass\n"


def test_an_open_that_hangs_is_given_up_in_a_compiled_game(mine, monkeypatch) -> None:
    monkeypatch.setattr(session_module, "GRACE", 0.05)
    fault = told(mine(OPENS + HANGS), Limit(seconds=0.1))
    assert str(fault) == "mine has not moved in 0.1 s, its time limit (mine.py, line 5)"


def test_at_once_needs_no_fact_beside_it(mine) -> None:
    text = KINDS["an Engine that chooses at once"].replace("    thinks = False\n", "")
    assert "thinks" not in text and search(mine(text)).move == 0


def candidates(spec: str, limit: Limit, text: str = "") -> list[tuple[int, float]]:
    return [(one.move, one.value) for one in search(spec, limit, text=text).candidates]


@pytest.mark.parametrize("text", ["", "x../.o./...", "xo./.x./o.."])
def test_several_lines_are_those_of_a_built_in_engine(text, mine, capsys) -> None:
    run(router, "gameplay", ["engines", "--template"])
    spec = mine(capsys.readouterr().out)
    limit = Limit(depth=3, multipv=4)
    own, ours = (candidates(each, limit, text) for each in (spec, "minimax"))
    assert [value for _, value in own] == [value for _, value in ours]
    assert len({move for move, _ in own}) == 4
    (only,) = {move for move, _ in own[3:]}
    assert search(spec, Limit(depth=3, moves=(only,)), text=text).move == only


def test_lines_share_the_nodes_and_the_best_comes_first(mine) -> None:
    text = (
        "def choose(position, limit, watch):\n  for n in range(1, 9999):\n"
        "    if watch({'move': position.moves()[0], 'value': position.moves()[0], 'nodes': n}): break\n"
        "  return position.moves()[0]\n"
    )
    report = search(mine(text), Limit(nodes=90, multipv=3))
    assert [(one.move, one.value) for one in report.candidates] == [(2, 2), (1, 1), (0, 0)]
    assert (report.move, report.value, report.nodes, report.stopped) == (2, 2, 90, "nodes")


def test_one_that_tells_its_lines_itself_is_asked_once(mine) -> None:
    text = (
        "from gameplay import Report\nfrom gameplay.search.report import Candidate\nclass Mine:\n"
        "  multipv = True\n  def search(self, position, limit):\n    assert limit.multipv == 2\n"
        "    return Report(move=4, value=3, candidates=(Candidate(4, 3), Candidate(0, 1)))\n"
    )
    assert candidates(mine(text), Limit(depth=1, multipv=2)) == [(4, 3), (0, 1)]


def test_one_that_tells_one_line_is_not_asked_for_more(mine) -> None:
    with pytest.raises(Usage) as refused:
        search(mine("def choose(position):\n  return 4\n"), Limit(multipv=2))
    assert str(refused.value) == (
        "mine reports one line, so that multipv is 1: asked for its best move but b2, it returned b2 again; "
        "it should choose from position.moves() (mine.py, line 1)"
    )
    fault = told(mine("def choose(position):\n  return 4\n"), Limit(moves=(1, 2)))
    assert "returned the move 4, which is not asked for: limit.moves is [1, 2]" in str(fault)


def test_an_engine_around_one_of_ours_tells_several_lines(mine) -> None:
    text = (
        "from gameplay import registry\ndef choose(position, limit):\n"
        "  return registry.engine('alphabeta')[0].search(position, limit)\n"
    )
    found = candidates(mine(text), Limit(depth=3, multipv=3))
    assert found == candidates("alphabeta", Limit(depth=3, multipv=3))


YIELDS = """
def choose(position, limit):
    for depth in range(1, 99):
        yield {"move": position.moves()[0], "value": depth, "depth": depth, "nodes": depth}
        if depth == limit.depth:
            return
"""


def test_a_generator_of_reports_is_watched(mine) -> None:
    spec = mine(YIELDS)
    assert registry.engine_class(spec).heeds
    report = search(spec, Limit(depth=5))
    assert (report.depth, report.nodes, report.stopped) == (5, 5, "done")
    assert (search(spec, Limit(nodes=3)).depth, len(candidates(spec, Limit(depth=2, multipv=3)))) == (3, 3)
    assert "returned None" in str(told(mine("def choose(position):\n  yield from ()\n", "none.py")))


def test_the_template_is_seen_at_work(mine, capsys) -> None:
    run(router, "gameplay", ["engines", "--template"])
    report = search(mine(capsys.readouterr().out), Limit(nodes=250))
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
    elif engine == "rollout":
        game = f"scrabble:words={TESTS}/answers/few_words.txt"
    if engine == "strategy":
        file = tmp_path / "kuhn.toml"
        file.write_text(written(Mixed(ExtensiveForm(registry.game("kuhn").new())), {"game": "kuhn"}))
        engine = f"strategy:{file}"
    found = conduct.check(engine, [game], positions=3, timed=False)
    assert found.broken == [] and found.positions == 3


def test_random_and_the_template_keep_the_laws(mine, capsys) -> None:
    run(router, "gameplay", ["engines", "--template"])
    for spec in ("random", mine(capsys.readouterr().out) + ":plies=2"):
        assert conduct.check(spec, ["tictactoe"], positions=3, timed=False).broken == []


BREAKS = {
    "moves": "def choose(position): return 99\n",
    "raises": "def choose(position): return 1 // 0\n",
    "repeat": "import itertools\nn = itertools.count()\ndef choose(p): return p.moves()[next(n) % 2]\n",
    "pv": "def choose(position): return {'move': position.moves()[0], 'value': 1, 'pv': [77]}\n",
    "depth": "def choose(position): return {'move': position.moves()[0], 'value': 1, 'depth': 9}\n",
    "nodes": "def choose(position): return {'move': position.moves()[0], 'value': 1, 'nodes': 10**6}\n",
    "value": "def choose(position): return position.moves()[0], 10**9\n",
    "position": OPENS + "  def check(self, p):\n    super().check(p)\n    p.make(p.moves()[0])\n",
}


@pytest.mark.parametrize("law", BREAKS)
def test_check_reports_the_law_that_an_engine_breaks(law: str, mine) -> None:
    found = conduct.check(mine(BREAKS[law]), ["tictactoe"], positions=2, timed=False)
    assert law in {each.law for each in found.broken}
    assert found.faulty == (law in ("moves", "raises"))


def test_check_reports_on_an_engine(mine, capsys) -> None:
    words = ["check", mine(FIRST), "--game", "tictactoe", "--positions", "2"]
    assert run(router, "gameplay", words) == 0
    assert "laws       all hold" in capsys.readouterr().out
    assert (
        run(router, "gameplay", ["check", mine(BREAKS["pv"], "b.py"), "--game", "tictactoe", "--json"]) == 3
    )
    (broken,) = json.loads(capsys.readouterr().out)["broken"]
    assert (broken["law"], broken["seen"]) == ("pv", "its move is 0, and its line begins with 77")
    assert run(router, "gameplay", ["check", mine(BREAKS["raises"], "c.py")]) == 5
    assert "BROKEN: it raises nothing" in capsys.readouterr().out
    assert run(router, "gameplay", ["check", "tictactoe", "--game", "chess"]) == 2
    assert "--game says where to check an engine, and tictactoe is none" in capsys.readouterr().err


def broken(*moves: str, drawing: str = "", game: str = "nim") -> Any:
    return SimpleNamespace(
        statement="a law", seen="this", moves=moves, drawing=drawing, game=game, mend="do that"
    )  # fmt: skip


def test_what_a_check_finds_is_told_law_by_law(monkeypatch, capsys) -> None:
    """With the way there, where it was drawn and how to look at it; the status tells faults from the rest."""
    asked: list[Any] = []
    found: list[Any] = []

    def verdict(*laws: Any, faulty: bool = False, plays: int = 1200) -> SimpleNamespace:
        return SimpleNamespace(
            plays=plays, seed=3, positions=12_345, keys=1_234, longest=1_000, branching=2.26, broken=laws,
            faulty=faulty, as_dict=lambda: {"a": [1]}, observed=Observation(), warnings=[], untested=[],
        )  # fmt: skip

    monkeypatch.setattr(checker, "check", lambda *what: asked.append(what) or found.pop())
    head = "  positions  12,345, of them 1,234 distinct\n"
    head += "  longest    1,000 moves\n  branching  2.3 moves a position"
    found = [verdict(plays=1)]
    assert run(router, "gameplay", ["check", "nim"]) == 0
    one = "nim: 1 random game to the end and back, seed 3"
    assert capsys.readouterr() == (f"{one}\n{head}\n  laws       all hold\n", "")
    found = [verdict(broken(), broken("a1", "b2", drawing="first\nsecond\nthird"))]
    assert run(router, "gameplay", ["check", "nim", "--games", "7", "--seed", "3"]) == 3
    assert capsys.readouterr().out == (
        f"nim: 1200 random games to the end and back, seed 3\n{head}\n"
        "\nBROKEN: a law\n  seen       this\n  moves      (at the start)\n  position   (not reached)\n"
        "  look       gameplay show nim\n  mend       do that\n"
        "\nBROKEN: a law\n  seen       this\n  moves      a1 b2\n  position   first\n"
        "             second\n             third\n"
        "  look       gameplay show nim --moves 'a1 b2'\n  mend       do that\n"
    )
    for faulty, status in ((True, 5), (False, 3)):
        found = [verdict(broken(), faulty=faulty)]
        assert run(router, "gameplay", ["check", "nim", "--json"]) == status
        assert capsys.readouterr().out == '{\n  "a": [\n    1\n  ]\n}\n'
    nim = registry.game("nim")
    assert [(game.spec, games, seed) for game, games, seed in asked[:2]] == [
        (nim.spec, 100, 0), (nim.spec, 7, 3),
    ]  # fmt: skip
    assert run(router, "gameplay", ["check", "nim", "--game", "nim"]) == 2
    told = "gameplay: --game says where to check an engine, and nim is none\n"
    assert capsys.readouterr() == ("", told)


def test_what_a_check_of_an_engine_finds_is_told_law_by_law(monkeypatch, capsys) -> None:
    asked: list[Any] = []
    found: list[Any] = []

    def verdict(*laws: Any, faulty: bool = False) -> SimpleNamespace:
        return SimpleNamespace(
            engine="mine", seed=3, games=["nim", "pig"], positions=12_345, searches=1_234, broken=laws,
            faulty=faulty, as_dict=lambda: {"a": [1]}, payoffs=("Points", "Dice"), untested="",
        )  # fmt: skip

    monkeypatch.setattr(conduct, "check", lambda *what: asked.append(what) or found.pop())
    head = "mine: positions of random games, seed 3\n  games      nim, pig\n"
    head += "  positions  12,345\n  searches   1,234\n  values     compared with minimax's: Points, Dice"
    found = [verdict()]
    assert run(router, "gameplay", ["check", "random"]) == 0
    assert capsys.readouterr() == (f"{head}\n  laws       all hold\n", "")
    found = [verdict(broken(), broken("a1", "b2", game="pig"))]
    words = ["check", "random", "--game", "pig", "--positions", "4", "--seed", "3"]
    assert run(router, "gameplay", words) == 3
    assert capsys.readouterr().out == (
        f"{head}\n"
        "\nBROKEN: a law\n  seen       this\n  game       nim\n  moves      (at the start)\n"
        "  look       gameplay show nim\n  mend       do that\n"
        "\nBROKEN: a law\n  seen       this\n  game       pig\n  moves      a1 b2\n"
        "  look       gameplay show pig --moves 'a1 b2'\n  mend       do that\n"
    )
    for faulty, status in ((True, 5), (False, 3)):
        found = [verdict(broken(), faulty=faulty)]
        assert run(router, "gameplay", ["check", "random", "--json"]) == status
        assert capsys.readouterr().out == '{\n  "a": [\n    1\n  ]\n}\n'
    assert asked[:2] == [("random", [], 10, 0), ("random", ["pig"], 4, 3)]


def test_an_engine_with_options_is_explained_as_it_is_set(mine, capsys) -> None:
    spec = mine("class Mine:\n  def __init__(self, width=3): 0\n  def search(self, p, limit): 0\n")
    assert run(router, "gameplay", ["engines", f"{spec}:width=5,depth=4"]) == 0
    out = capsys.readouterr().out
    assert "(default 3, here 5)" in out and "Search depth limit in plies (here 4)" in out
    assert f"Options, as in {spec}:OPTION=VALUE" in out


# -- what it is told, and what it makes of it ------------------------------------------------------------


def test_it_cannot_be_traced_and_searches_legal_moves_only(mine) -> None:
    engine, position = registry.engine(mine(FIRST))[0], registry.game("tictactoe").new("a1")
    with pytest.raises(Usage) as refused:
        engine.search(position, Limit(), trace=print)
    assert str(refused.value) == "mine: an engine of your own cannot be traced"
    with pytest.raises(Usage) as refused:
        engine.search(position, Limit(moves=(0, 99)))
    assert str(refused.value) == "none of the moves to search, 0, 99, is legal here"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("['a', 4]", "its line is ['a', 4] (list), and not moves"),
        ("[4, 4]", "its line is [4, 4], and at [1] 4 is illegal"),
        ("[5, 4]", "its move is 4, and its line begins with 5"),
        ("[]", ""),
    ],
)
def test_a_line_that_cannot_be_played_is_cut_and_complained_of(line: str, complaint: str, mine) -> None:
    engine, position = registry.engine(mine(f"def choose(p): return {{'move': 4, 'pv': {line}}}"))[0], None
    position = registry.game("tictactoe").new("")
    report = engine.search(position, Limit())
    assert (report.move, report.pv, engine.complaint) == (4, (4,), complaint)
    assert position.text() == registry.game("tictactoe").new("").text(), "its moves are taken back"


@pytest.mark.parametrize("then", ["pass", "raise ValueError('mine')"])
def test_what_it_told_wrong_counts_though_it_goes_on(then: str, mine) -> None:
    fault = told(mine(f"def choose(p, watch):\n  try: watch(99)\n  except Exception: {then}\n  return 4\n"))
    assert str(fault).startswith(
        "mine passed watch() the move 99, which is illegal: position.moves() is [0, 1, 2"
    )


def test_a_bare_move_keeps_what_was_told_of_it(mine) -> None:
    """The same move once more: all that was told of it; another one: the counts."""
    says = "def choose(p, watch):\n  watch({{'move': 4, 'value': 7, 'depth': 2, 'nodes': 9}})\n  return {}\n"
    report = search(mine(says.format(4)))
    assert (report.move, report.value, report.bound, report.depth, report.nodes) == (4, 7, "exact", 2, 9)
    report = search(mine(says.format(5), "b.py"))
    assert (report.move, report.value, report.bound, report.nodes) == (5, 0, "unknown", 9)
    valueless = says.replace("'value': 7, ", "")
    report = search(mine(valueless.format("(4, 3)"), "c.py"))
    assert (report.move, report.value, report.bound, report.depth) == (4, 3, "exact", 2)
    report = search(mine(valueless.format(4), "d.py"))
    assert (report.move, report.value, report.bound, report.depth) == (4, 0, "unknown", 2)


def test_a_narrowed_position_is_the_other_but_for_its_first_moves() -> None:
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


def test_of_what_is_noisy_only_the_first_moves_are_left_out() -> None:
    whole = registry.game("chess").new("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    takes, king = whole.parse("exd5"), whole.parse("Kd2")
    assert whole.noisy() == [takes]
    assert Narrowed(whole, (takes, king)).noisy() == [takes] and Narrowed(whole, (king,)).noisy() == []
    narrowed = Narrowed(whole, (king,))
    narrowed.make(king)
    assert narrowed.noisy() == [whole.parse("dxe4")]


def test_complaints_name_the_line_where_there_is_one() -> None:
    assert where(FIRST.__class__) == ""
    line = inspect.getsourcelines(Narrowed)[1]
    assert where(Narrowed) == f" (narrowed.py, line {line})"
    assert where(where) == f" (own.py, line {inspect.getsourcelines(where)[1]})"


# -- each kind of answer ---------------------------------------------------------------------------------


class Whole:
    """A number of somebody else's."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return "somebody's number"


NAN, INF = float("nan"), float("inf")
ANSWERS: list[Any] = [
    *(4, 5, True, 8.0, "b2", None, (4, 1), (4, -0.5), (4, None), (4, True), (4, NAN), (4, "much"), (4, 1, 2)),
    *([4, 1], (Whole(4), Whole(3)), 0, -1, 99, (99, 3), {"value": 4}, {"move": 4, "points": 3}, {}),
    *(Report(), Report(move=4), Report(move=4, value=3), Report(move=4, nodes=3), Report(move=4, depth=2)),
    *(Report(move=4, visits=5), Report(move=4, values=(1, -1))),
    Report(move=8, value=2, bound="upper", seconds=4.0, engine="x"),
]
FACTS: list[dict[str, Any]] = [
    *({}, {"value": 2, "depth": 3, "nodes": 40}, {"depth": -1}, {"nodes": 2.7}, {"visits": INF}),
    *({"seldepth": "x"}, {"fill": "x"}, {"fill": 0.5}, {"branching": None}, {"exact": 1, "value": 0}),
    *({"value": 1, "bound": "lower"}, {"bound": "lower"}, {"value": 1, "bound": "some"}),
    *({"value": 1, "values": [1, -1]}, {"values": (1,)}, {"values": (1, NAN)}, {"pv": [4, 8, 7]}),
    *({"pv": [8, 4]}, {"pv": [4, 4]}, {"pv": 7}, {"pv": [4, "x"]}, {"pv": ()}),
    *({"candidates": (Candidate(8, 1), Candidate(4))}, {"candidates": (Candidate(0),)}, {"candidates": (4,)}),
]


def plain(thing: Any) -> str:
    """A report or candidate by what it does not leave blank, anything else as Python writes it."""
    if not isinstance(thing, (Report, Candidate)):
        return (
            "a number of somebody's"
            if isinstance(thing, tuple) and isinstance(thing[0], Whole)
            else f"{thing!r}"
        )
    blank = vars(Report() if isinstance(thing, Report) else Candidate(-1))
    facts = [
        f"{name}={fact!r}"
        for name, fact in vars(thing).items()
        if fact != blank[name] and name != "candidates"
    ]
    facts += map(plain, getattr(thing, "candidates", ()))
    return f"{type(thing).__name__}({', '.join(facts)})"


def said_of(answers: list[Any], lines: int = 1, moves: tuple[int, ...] = (), multipv: bool = False) -> str:
    """What comes of an engine's words: the report, and what else is complained of; or why they are wrong."""
    engine: Any = SimpleNamespace(name="mine", multipv=multipv, where=" (here)", complaint="")
    position = registry.game("tictactoe").new("xo./.../...")
    before = position.text()
    search = OwnSearch(engine, position, Limit(multipv=lines, moves=moves), Control(0, 0.0))
    for answer in answers:
        try:
            search._hear(answer, "said")
        except GameplayError as error:
            return f"{type(error).__name__}: {error}"
    assert position.text() == before
    return f"{plain(search.report())} {engine.complaint}".rstrip()


def test_what_comes_of_each_kind_of_answer() -> None:
    rows = [f"{plain(answer)}: {said_of([answer])}" for answer in ANSWERS]
    rows += [f"4 and {facts}: {said_of([{'move': 4, **facts}])}" for facts in FACTS]
    before = {"move": 4, "value": 2, "depth": 3, "nodes": 40, "pv": [4, 8], "bound": "lower", "exact": True}
    for last in (4, 8, (4, 1), (4, None), (8, 1), {"move": 4}, Report(move=4), Report(move=8, value=1)):
        rows.append(f"told, then {plain(last)}: {said_of([before, last])}")
        without = {"move": 4, "nodes": 9, "depth": 1}
        rows.append(f"told no value, then {plain(last)}: {said_of([without, last])}")
    rows.append(f"of some: {said_of([4], moves=(4, 8))}")
    rows.append(f"of others: {said_of([2], moves=(4, 8))}")
    rows.append(f"of one: {said_of([0], moves=(2,))}")
    golden("answers", "\n".join(rows) + "\n")
