"""Custom engines: accepted forms, answers, faults."""

import json
import os
import threading
import time
import tomllib
from pathlib import Path

import pytest

from gameplay import Limit, Report, registry
from gameplay.cli import router, run
from gameplay.errors import BadInput, EngineFault, Usage
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.runs.job import Job, Seat, play
from gameplay.search import session as session_module
from gameplay.search.engine import Engine
from gameplay.search.session import Session
from tests.support.custom_engines import FIRST, KINDS, engine_fault, search, write_engine
from tests.support.files import install_package
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

OWN = tomllib.loads((TESTS / "answers" / "own_engines.toml").read_text())

assert write_engine  # fixture

posix = pytest.mark.skipif(os.name != "posix", reason="what a process of POSIX can do to itself")


# -- what may be one ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_accepted_forms_of_custom_engines(kind: str, write_engine) -> None:
    spec = write_engine(KINDS[kind])
    engine, _ = registry.engine(spec)
    assert isinstance(engine, Engine) and engine.name == "mine"
    assert registry.engine(str(engine))[0] == engine, "its own words find it again"
    report = search(spec)
    assert report.move == 0 or kind == "an Engine with a search of ours"
    assert report.final and report.pv[0] == report.move and report.engine == str(engine)


@pytest.mark.parametrize(
    ("text", "spec", "error", "complaint"),
    [
        ("x = 3", "", BadInput, "holds no engine; expected a function choose(position) that returns a move"),
        ("def f(p): 0\ndef g(p): 0", "", Usage, "holds several engines (f, g). Try:"),
        ("def f(p): 0", ":g", Usage, "unknown engine 'g'"),
        ("def choose(): 0", "", BadInput, "takes no position: write def choose(position) (mine.py, line 1)"),
        ("def choose(position, depth): 0", "", BadInput, "without a value, depth: give depth a default"),
        ("class A:\n  def search(self): 0", "", BadInput, "takes no position: write def search(self, "),
        ("class A:\n  def search(self, p, lim): 0", "", BadInput, "without a value, lim: write def search("),
        (
            "class A:\n  def __init__(self, width): 0\n  def search(self, position): 0",
            "",
            BadInput,
            "the constructor needs width: give it a default to make it an option (mine.py, line 1)",
        ),
        ("class A:\n  players = 'two'\n  def search(self, position): 0", "", BadInput, "Try: players = 2"),
        (FIRST, ":width=3", Usage, "mine: unknown option 'width'"),
        ("def choose(position, width=3): 0", ":width=x", Usage, "width must be a whole number, not 'x'"),
        (FIRST.replace("(position)", "(position"), "", BadInput, "is not Python: line 1"),
    ],
)  # fmt: skip
def test_missing_members_are_reported_in_one_line(text, spec, error, complaint, write_engine) -> None:
    with pytest.raises(error) as caught:
        registry.engine(write_engine(text) + spec)
    assert complaint in str(caught.value) and "\n" not in str(caught.value)


def test_options_are_the_parameters_of_the_constructor(write_engine) -> None:
    spec = write_engine("class Mine:\n  def __init__(self, nth=0, seed=0): self.nth = nth\n"
                "  def search(self, position): return position.moves()[self.nth]\n")  # fmt: skip
    assert search(spec).move == 0 and search(spec + ":Mine:nth=2").move == 2
    assert str(registry.engine(spec + ":nth=2")[0]).endswith("mine.py:Mine:nth=2")


def test_options_are_the_defaults_of_a_function(write_engine) -> None:
    spec = write_engine("def choose(position, nth=0, limit=None): return position.moves()[nth]")
    assert list(registry.engine_class(spec).options()) == ["nth"]
    assert search(spec + ":nth=4").move == 4


def test_custom_engine_declares_its_games(write_engine) -> None:
    assert seats.player(write_engine(FIRST), registry.game("tests/examples/games/pig.py"))
    only = write_engine(
        "class Two:\n  players = 2\n  chance = False\n  def search(self, p): return p.moves()[0]\n", "two.py"
    )
    with pytest.raises(Usage, match="two cannot play this: pig has chance in it"):
        seats.player(only, registry.game("tests/examples/games/pig.py"))


def test_custom_engine_is_no_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_package(tmp_path, "aaapack", "[gameplay.engines]\naaa = aaapack:choose\n", FIRST)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "aaa" in registry.engine_names()
    assert registry.engine("aaa")[0].name == "aaa" and search("aaa").move == 0
    assert registry.default_engine(registry.game("tests/examples/games/kuhn.py").new()).name == "ismcts"


@pytest.mark.parametrize("body", ["return", "yield"])
def test_asynchronous_engine_is_refused(body, write_engine, recwarn) -> None:
    fault = engine_fault(write_engine(f"async def choose(position):\n  {body} position.moves()[0]\n"))
    assert str(fault) == (
        "mine is asynchronous; expected a function that returns a move: write def, not async def "
        "(mine.py, line 1)"
    )
    assert not [warning for warning in recwarn if "never awaited" in str(warning.message)]


def test_exception_without_a_message_is_described_by_its_type(write_engine) -> None:
    silent = "class Silent(Exception):\n  def __str__(self): raise RuntimeError('no')\n"
    fault = engine_fault(write_engine(f"{silent}def choose(position): raise Silent()\n"))
    assert str(fault) == "mine raised Silent (mine.py, line 3)"


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
def test_accepted_answers_of_a_custom_engine(answer, value, depth, pv, write_engine) -> None:
    four = "from gameplay import Report\nclass Four:\n  def __index__(self): return 4\n"
    report = search(write_engine(f"{four}def choose(position):\n  return {answer}\n") + ":choose")
    assert (report.move, report.depth, report.pv) == (4, depth, pv)
    assert (report.bound == "unknown") == (value is None) and report.value == (value or 0)


@pytest.mark.parametrize(("answer", "kind", "complaint"), OWN["answers"])
def test_wrong_answers_name_the_line(answer, kind, complaint, write_engine) -> None:
    fault = engine_fault(write_engine(f"\n\ndef choose(position):\n  return {answer}\n"))
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


def test_reports_are_handed_on_while_it_thinks(write_engine) -> None:
    """Each is an answer of the same form as the last, so displays treat it like a built-in engine's."""
    slow = DEEPENS.replace("            if depth", "            time.sleep(0.01)\n            if depth")
    spec = write_engine("import time\n" + slow.replace("ANSWER", "depth % 9"))
    seen: list[Report] = []

    def watch(report: Report) -> bool:
        seen.append(report)
        return report.depth >= 5

    report = search(spec, Limit(depth=200), watch)
    assert report.stopped == "interrupted" and report.depth >= 5
    assert (report.value, report.nodes, report.move) == (report.depth, 10 * report.depth, report.depth % 9)
    assert any(report.depth > 0 for report in seen)


def test_bare_move_preserves_earlier_reports(write_engine) -> None:
    same = search(write_engine(DEEPENS.replace("ANSWER", "depth % 9"), "same.py"), Limit(depth=7))
    assert (same.move, same.value, same.bound, same.depth, same.nodes) == (7, 7, "exact", 7, 70)
    other = search(write_engine(DEEPENS.replace("ANSWER", "8"), "other.py"), Limit(depth=7))
    assert (other.move, other.bound, other.depth, other.nodes) == (8, "unknown", 7, 70)


def test_watch_stops_at_the_node_limit(write_engine) -> None:
    report = search(write_engine(DEEPENS.replace("ANSWER", "depth % 9")), Limit(nodes=55))
    assert (report.nodes, report.stopped) == (60, "nodes")


def test_custom_engine_may_change_its_position(write_engine) -> None:
    spec = write_engine("def choose(position):\n  m = position.moves()[0]\n  position.make(m)\n  return m\n")
    position = registry.game("tictactoe").new("x../.../...")
    engine, _ = registry.engine(spec)
    for _ in range(2):
        assert engine.search(position).move == 1
    assert position.text() == "x../.../..."


def test_a_class_is_instantiated_for_each_game(write_engine) -> None:
    spec = write_engine(
        "class Mine:\n  made = 0\n  def search(self, p):\n    self.made += 1\n    return self.made\n"
    )
    session = Session(registry.engine(spec)[0])
    position = registry.game("tictactoe").new()
    assert [session.search(position).move for _ in range(3)] == [1, 2, 3]
    session.begin()
    assert session.search(position).move == 1


def test_an_option_seed_is_another_one_for_each_game(write_engine) -> None:
    spec = write_engine("def choose(position, seed=0):\n  return position.moves()[seed % 9]\n")
    game = registry.game("tictactoe")
    assert {seats.player(spec, game, seed).engine.seed for seed in (5, 6)} == {5, 6}
    assert seats.player(spec + ":seed=3", game, 5).engine.seed == 3


PROCESS = ["os._exit(0)", "os.abort()", "os.fork()", "os.kill(os.getpid(), 9)", "os.execlp('true', 'true')"]


# -- what it does wrong ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("deed", "kind", "words"), OWN["code"])
def test_exception_of_an_engine_names_file_and_line(deed, kind, words, write_engine) -> None:
    fault = engine_fault(
        write_engine(f"import os\ndef choose(position):\n  {deed}\n  return position.moves()[0]\n")
    )
    assert str(fault).startswith(words) and "(mine.py, line 3)" in str(fault)
    assert fault.kind == kind


@posix
@pytest.mark.parametrize("deed", PROCESS)
def test_custom_engine_cannot_affect_the_process(deed, write_engine) -> None:
    fault = engine_fault(
        write_engine(f"import os\ndef choose(position):\n  {deed}\n  return position.moves()[0]\n")
    )
    assert "the process that plays the game (mine.py, line 3)" in str(fault)


def test_printing_to_other_files_is_allowed(write_engine, capsys) -> None:
    search(write_engine("import sys\ndef choose(position):\n  print('so', file=sys.stderr)\n  return 0\n"))
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
def test_an_engine_that_hangs_is_given_up(loop, write_engine, monkeypatch) -> None:
    spec = write_engine(f"def choose(position):\n  {loop}\n")
    session = Session(registry.engine(spec)[0])
    session.hang_timeout = 0.2
    with pytest.raises(EngineFault, match=r"mine has not moved in 0.2 s \(mine.py, line \d\)") as fault:
        session.search(registry.game("tictactoe").new())
    assert fault.value.kind == "hang"


def test_the_thread_of_one_that_hangs_ends(write_engine) -> None:
    before = threading.enumerate()
    session = Session(registry.engine(write_engine("def choose(position):\n  while True: pass\n"))[0])
    session.hang_timeout = 0.1
    with pytest.raises(EngineFault):
        session.search(registry.game("tictactoe").new())
    until = time.monotonic() + 30
    while set(threading.enumerate()) - set(before):
        assert time.monotonic() < until


def test_engine_that_ignores_stop_plays_its_last_report(write_engine, monkeypatch) -> None:
    """After Ctrl-C the best move so far is played, as with a built-in engine."""
    monkeypatch.setattr(session_module, "MAX_GRACE", 0.1)
    text = (
        "class Mine:\n  def search(self, position, limit, watch):\n    watch((4, 1))\n    while True: pass\n"
    )
    report = search(write_engine(text), watch=lambda report: report.move == 4)
    assert (report.move, report.value, report.stopped) == (4, 1, "interrupted")
    silent = write_engine("def choose(position):\n  while True: pass\n", "silent.py")
    with pytest.raises(EngineFault, match=r"silent has not moved 0\.1 s after the stop request"):
        search(silent, watch=lambda report: True)


def test_hang_timeout_is_the_time_of_the_move(write_engine) -> None:
    from gameplay.matches.clock import Clock, parse_time_control
    from gameplay.players.engine import EnginePlayer

    game = registry.game("tictactoe")
    spec = write_engine("def choose(position, limit): return 0")

    def hang_timeout(player: EnginePlayer, clock: Clock | None = None) -> float | None:
        match = Match(game, [player, player], clock=clock)
        return player._hang_timeout(match.view(0))

    assert hang_timeout(seats.player(spec, game)) == 60
    assert hang_timeout(seats.player(spec + ":time=3", game)) is None, "determined by the limit"
    player = seats.player(spec, game)
    player.set_move_timeout(7)
    assert hang_timeout(player) == 7
    clock = Clock([parse_time_control("90+1"), parse_time_control("90+1")])
    assert hang_timeout(seats.player(spec, game), clock) == 90 + session_module.MAX_GRACE


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


def test_game_exception_in_a_custom_engine_is_blamed_on_the_game(write_engine) -> None:
    looks = "def choose(position):\n  for _ in range(6): position.make(0)\n  return 0\n"
    spec = write_engine(looks)
    with pytest.raises(RuntimeError, match="the game is wrong"):
        registry.engine(spec)[0].search(registry.game(write_engine(GAME, "bad.py")).new())


def test_a_built_in_search_in_a_user_file_is_blamed_too(write_engine) -> None:
    text = "from gameplay.engines.alphabeta import AlphaBeta\nclass Mine(AlphaBeta):\n  name = 'mine'\n"
    fault = engine_fault(write_engine(text + "  def open(self, kernel, control, table):\n    1 / 0\n"))
    assert str(fault) == "mine raised ZeroDivisionError: division by zero (mine.py, line 5)"


def test_fault_of_an_engine_loses_the_match_with_the_reason(write_engine) -> None:
    spec = write_engine(
        "def choose(position):\n  if len(position.moves()) < 6: 1 / 0\n  return position.moves()[0]\n"
    )
    job = Job(0, 0, 1, "tictactoe", (Seat(spec, "mine", 1), Seat("random", "random", 2)), 3)
    done = play(job)
    assert (done.termination, done.offender, done.payoffs) == ("crash", 0, (-1, 1))
    assert "mine raised ZeroDivisionError: division by zero (mine.py, line 2)" in done.fault


def test_selfplay_and_match_count_the_loss(write_engine, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    spec = write_engine("def choose(position):\n  return 99\n")
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


def test_play_ends_with_the_line_and_status_5(write_engine, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path))
    spec = write_engine("def choose(position):\n  return {}[3]\n")
    status = run(router, "gameplay", ["play", "tictactoe", "--players", f"{spec},random", "--plain"])
    err = capsys.readouterr().err
    assert status == 5
    assert err == "gameplay: mine raised KeyError: 3 (mine.py, line 2)\n"
