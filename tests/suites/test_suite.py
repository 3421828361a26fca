"""Suites: order of tests, overrides, parallel runs, verdicts."""

from types import SimpleNamespace

import pytest
from msgspec.structs import replace as replaced

from gameplay.conformance import signature
from gameplay.display.reports import verdicts
from gameplay.display.theme import Theme
from gameplay.errors import BadInput, Fault
from gameplay.runs.plan import Adjudication, Openings, Sprt
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.suites import regress, suite
from gameplay.value import WIN

pytestmark = pytest.mark.once


# -- which tests there are, and who holds them --------------------------------------------------------------


def test_tests_keep_their_order_and_inherit_suite_settings():
    limit = {"depth": 3, "nodes": 500, "time": 1.5, "sims": 7}
    whole = suite.Suite(
        game="nim", engine="mcts", **limit,
        speed=[suite.Speed(name="s", players=["a", "b"], depth=9)],
        match=[
            suite.Meeting(name="m", players=["a", "b"], expect=suite.Scored(), clock="5+1"),
            suite.Meeting(name="n", players=["a", "b"], expect=suite.Scored(), game="go"),
        ],
        position=[
            suite.Puzzle(name="p", expect=suite.Found()),
            suite.Puzzle(name="q", expect=suite.Found(), engine="minimax", game="chess", nodes=9),
        ],
        signature=[suite.Signature(name="g", nodes=5)],
    )  # fmt: skip
    tests = regress.tests(whole, "s.toml", lambda kind, number: 10 * len(kind) + number)
    assert {entry.file for entry in tests} == {"s.toml"}
    places = ", ".join(f"{entry.case.name} {entry.kind} {entry.line}" for entry in tests)
    assert places == "g signature 90, p position 80, q position 81, m match 50, n match 51, s speed 50"
    _, p, q, m, n, s = (entry.case for entry in tests)
    assert p == suite.Puzzle(name="p", expect=suite.Found(), game="nim", engine="mcts", **limit)
    assert q == whole.position[1] and s == replaced(whole.speed[0], game="nim")
    assert m == replaced(whole.match[0], game="nim"), "it has a clock"
    assert n == replaced(whole.match[1], **limit)
    none = suite.Suite(position=[suite.Puzzle(name="p", expect=suite.Found())])
    (broken,) = regress.tests(none, "s.toml", lambda kind, number: 4)
    assert broken.case.why == 'no game; add game = "connect4" here, or on top' and broken.line == 4


def test_command_options_override_the_suite():
    given = suite.Suite(game="nim", engine="mcts", depth=3)
    overridden = regress.override_defaults
    assert overridden(given, None, None, Limit()) == overridden(given, "", "", Limit()) == given
    assert overridden(given, "go", None, Limit()) == replaced(given, game="go")
    assert overridden(given, None, "minimax", Limit()) == replaced(given, engine="minimax")
    whole = Limit(nodes=5, seconds=1.5, simulations=7)
    assert overridden(given, None, None, whole) == replaced(given, depth=None, nodes=5, time=1.5, sims=7)


def test_a_verdict_is_inverted_for_expected_failures():
    for why, state, expected in (
        ("", "regression", ("regression", "so")),
        ("", "met", ("met", "so")),
        ("odd", "regression", ("expected failure", "so (odd)")),
        ("odd", "inconclusive", ("expected failure", "so (odd)")),
        ("odd", "met", ("unexpected success", "so; remove its expected_failure: odd")),
        ("odd", "fault", ("fault", "so")),
        ("odd", "bad input", ("bad input", "so")),
    ):
        case = suite.Puzzle(name="p", expect=suite.Found(), expected_failure=why)
        verdict = regress.Test("position", case, "s.toml", 4).verdict(
            regress.CaseVerdict(state, "so", {"n": 1}), 1.5
        )
        assert verdict == regress.CaseVerdict(*expected, {"n": 1}, 1.5, "position", "p", "s.toml", 4)
        assert verdict.status == regress.STATUS[expected[0]]


def test_single_tests_and_matches_share_processes_and_speeds_are_alone(monkeypatch):
    log = []

    class Pools:
        def __init__(self, jobs):
            self.jobs = jobs

        def __enter__(self):
            log.append(("begins", self.jobs))
            return self

        def __exit__(self, *error):
            log.append(("ends", self.jobs))

        def each(self, work, tasks):
            assert work is regress._one
            for test in tasks:
                died = test.case.name == "dead"
                yield "its process ended" if died else test.verdict(regress.CaseVerdict("met", "well"), 0.5)

    def match(test, pool):
        log.append(("match", test.case.name, pool.jobs))
        return test.verdict(regress.CaseVerdict("met", "played"), 2.0)

    monkeypatch.setattr(regress, "Pool", Pools)
    monkeypatch.setattr(regress, "_match", match)
    tests = [
        regress.Test(kind, SimpleNamespace(name=name, expected_failure=""), "s", 1)
        for kind, name in (
            *(
                ("speed", "fast"),
                ("match", "m"),
                ("position", "one"),
                ("speed", "dead"),
                ("position", "dead"),
            ),
            ("signature", "sum"),
        )
    ]
    verdicts = regress.run(tests, 3, lambda verdict: log.append((verdict.kind, verdict.name)))
    assert log == [
        *(("begins", 3), ("position", "one"), ("position", "dead"), ("signature", "sum")),
        *(("match", "m", 3), ("match", "m"), ("ends", 3)),
        *(("begins", 1), ("speed", "fast"), ("speed", "dead"), ("ends", 1)),
    ]
    assert [(verdict.state, verdict.summary, verdict.seconds) for verdict in verdicts] == [
        *(("met", "well", 0.5), ("fault", "its process ended", 0.0), ("met", "well", 0.5)),
        *(("met", "played", 2.0), ("met", "well", 0.5), ("fault", "its process ended", 0.0)),
    ]


def test_tests_run_by_kind_and_exceptions_become_verdicts(monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr(regress, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    for kind in ("search", "speed", "signature", "meeting"):

        def run_case(case, *more, kind=kind):
            if case.raises is not None:
                raise case.raises
            return regress.CaseVerdict("met", f"{kind} {more}")

        monkeypatch.setattr(regress, kind, run_case)

    def test(kind, raises=None):
        return regress.Test(kind, SimpleNamespace(name="x", expected_failure="", raises=raises), "s", 1)

    for kind, work in (("position", "search"), ("speed", "speed"), ("signature", "signature")):
        verdict = regress._one(test(kind))
        assert (verdict.state, verdict.summary, verdict.seconds) == ("met", f"{work} ()", 1)
    assert regress._match(test("match"), "a pool").summary == "meeting ('a pool',)"
    for raises, state in (
        (Fault("so"), "fault"),
        (BadInput("so"), "bad input"),
        (OSError("so"), "bad input"),
    ):
        for verdict in (regress._one(test("speed", raises)), regress._match(test("match", raises), None)):
            assert (verdict.state, verdict.summary, verdict.seconds) == (state, "so", 1)
    broken = regress.Test("position", suite.BrokenLine(name="line 3", why="what"), "s", 3)
    assert regress._one(broken) == regress.CaseVerdict(
        "bad input", "what", {}, 0.0, "position", "line 3", "s", 3
    )


def test_verdict_of_a_single_search(monkeypatch):
    """The figures of the search, and the depth from which it preferred the played move."""
    case = suite.Puzzle(
        name="x", game="tictactoe", engine="alphabeta", moves=["a1", "b1", "a2", "b2"], depth=2,
        expect=suite.Found(move="a3", nodes=15),
    )  # fmt: skip
    verdict = regress.search(case)
    seconds = verdict.facts["found"].pop("seconds")
    assert 0 <= seconds < 60
    assert (verdict.state, verdict.summary) == ("met", "move a3, win in 1, depth 2, 15 nodes")
    assert verdict.facts == {
        "move": "a3", "value": WIN - 1, "exact": False, "said": "win in 1", "depth": 2, "nodes": 15,
        "pv": "a3", "found": {"depth": 2, "nodes": 15},
    }  # fmt: skip
    verdict = regress.search(replaced(case, expect=suite.Found(move="b3", nodes=8)))
    assert (verdict.state, verdict.summary) == ("regression", "move a3, expected b3; 15 nodes, expected 8")
    finding = regress.BestMoveWatch()
    reports = [Report(move=move, depth=depth, nodes=10 * depth, seconds=depth / 3)
               for move, depth in ((1, 1), (2, 2), (2, 3), (1, 4), (1, 5))]  # fmt: skip
    for report in (None, *reports):
        finding(SimpleNamespace(report=report))
    assert finding.facts(reports[-1]) == {"depth": 4, "nodes": 40, "seconds": 1.33}
    assert finding.facts(reports[1]) == {"depth": 2, "nodes": 20, "seconds": 0.67}
    assert regress.BestMoveWatch().facts(reports[0])["depth"] == 1
    limits, real = [], regress.seats.player

    def player(*given, **more):
        limits.append(more["limit"])
        return real(*given, **more)

    monkeypatch.setattr(regress.seats, "player", player)
    regress.search(replaced(case, depth=None, expect=suite.Found()))
    assert limits == [None, Limit(nodes=100_000)]
    limits.clear()
    regress.search(replaced(case, depth=None, engine="alphabeta:depth=1", expect=suite.Found()))
    regress.search(replaced(case, depth=None, engine="random", expect=suite.Found()))
    regress.search(case)
    assert limits == [None, None, Limit(nodes=100_000), Limit(depth=2)]


# -- and two searches, and one ------------------------------------------------------------------------------


def test_the_least_time_and_all_nodes_are_compared(monkeypatch):
    seconds = iter([5.0, 4.0, 2.0, 8.0, 1.0, 3.0, 4.0, 8.0])
    nodes = {"one": 30, "two": 20}
    requests = []

    def chosen(game, engine, start, moves, limit):
        requests.append((engine, start))
        return None, regress.Choice(0, report=Report(move=0, nodes=nodes[engine], seconds=next(seconds)))

    monkeypatch.setattr(regress, "_choose", chosen)

    def case(**most):
        needed = suite.Needed(**most)
        return suite.Speed(
            name="x", game="g", players=["one", "two"], positions=["a", "b"], repeat=2, expect=needed
        )

    verdict = regress.speed(case())
    assert requests == [(engine, start) for start in "ab" for engine in ("one", "one", "two", "two")]
    assert (verdict.state, verdict.summary) == ("met", "1.500 times the second's nodes, 0.83 times its time")
    assert verdict.facts == {
        "nodes_ratio": 1.5,
        "time_ratio": 0.833,
        "nodes": [60, 40],
        "search_seconds": [5.0, 6.0],
    }
    seconds = iter([3.0] * 80)
    assert regress.speed(case(nodes=1.5, time=1.0)).state == "met"
    verdict = regress.speed(case(nodes=1.4, time=0.5))
    assert (verdict.state, verdict.summary) == (
        "regression",
        "the first player needs 1.500 times the second's nodes, expected at most 1.4; "
        "the first player needs 1.000 times the second's time, expected at most 0.5",
    )
    nodes["two"] = 0
    with pytest.raises(BadInput, match="nothing to compare: one of the two did not search"):
        regress.speed(case())
    monkeypatch.setattr(regress, "_choose", lambda *given: (None, regress.Choice(0)))
    with pytest.raises(BadInput, match="one does not report its search time"):
        regress.speed(case())


def test_the_signature_is_the_sum_of_all_searches(monkeypatch):
    monkeypatch.setattr(signature, "measure", lambda: {"a": 1000, "b": 234})
    met = regress.signature(suite.Signature(name="x", nodes=1234))
    assert (met.state, met.summary, met.facts) == ("met", "1,234 nodes", {"nodes": 1234})
    other = regress.signature(suite.Signature(name="x", nodes=1235))
    changed = "the search has changed (`gameplay signature --check` says where)"
    assert (other.state, other.summary) == ("regression", f"1,234 nodes, expected 1,235: {changed}")


@pytest.mark.parametrize("expect", [{"value": 5}, {"value_at_least": 1}, {"nodes": 1}, {"nodes_at_most": 9}])
def test_player_without_report_can_only_be_tested_by_its_move(expect, monkeypatch):
    real = regress._choose

    def silent(*given):
        match, choice = real(*given)
        return match, regress.Choice(choice.move)

    monkeypatch.setattr(regress, "_choose", silent)
    usual = {"name": "x", "game": "tictactoe", "engine": "random:seed=1", "moves": ["b2", "a1", "c1"]}
    report = regress.search(
        suite.Puzzle(**usual, expect=suite.Found(moves=["a2", "a3", "b1", "b3", "c2", "c3"]))
    )
    assert (report.state, report.summary) == ("met", f"move {report.facts['move']}") and len(
        report.facts
    ) == 1
    with pytest.raises(BadInput) as refused:
        regress.search(suite.Puzzle(**usual, expect=suite.Found(**expect)))
    assert str(refused.value) == "random:seed=1 reports neither values nor nodes: expect moves only"


def test_player_that_does_not_choose_is_at_fault(monkeypatch):
    class Player:
        name, limit = "mine", None
        closed = 0

        def __init__(self, choice):
            self.choice = choice

        def begin(self, view):
            pass

        def choose(self, view):
            if isinstance(self.choice, Exception):
                raise self.choice
            return self.choice

        def close(self):
            Player.closed += 1

    cases = [
        (None, Fault, "mine chose no legal move"),
        (regress.Choice(99), Fault, "mine chose no legal move"),
        (KeyError(3), Fault, "mine raised KeyError: 3"),
        (BadInput("no file"), BadInput, "no file"),
        (OSError("no disk"), OSError, "no disk"),
    ]
    for number, (choice, kind, message) in enumerate(cases, 1):
        monkeypatch.setattr(regress.seats, "player", lambda *a, choice=choice, **k: Player(choice))
        with pytest.raises(kind) as failed:
            regress._choose("tictactoe", "mine", "", (), regress.Limit())
        assert str(failed.value).partition(" (")[0] == message and Player.closed == number


def test_match_test_becomes_a_plan():
    case = suite.Meeting(
        name="n", expect=suite.Scored(), players=["a", "b"], game="nim", games=6, seed=3, depth=2, nodes=5,
        sims=7, time=1.5, clock="5+1", openings=Openings(plies=3), adjudicate=Adjudication(plies=9),
        sprt=Sprt(elo0=0, elo1=5),
    )  # fmt: skip
    plan = regress.plan_of(case, 2.5)
    same = {"game", "games", "seed", "depth", "nodes", "sims", "time", "clock", "openings", "sprt"}
    assert same | {"adjudicate"} == regress.SHARED
    assert all(getattr(plan, key) == getattr(case, key) for key in regress.SHARED)
    assert [entry.player for entry in plan.players] == ["a", "b"] and plan.patience == 2.5
    assert regress.plan_of(case).patience == 60 and case.limit == Limit(2, 5, 1.5, simulations=7)


def test_a_verdict_is_plain_data():
    assert regress.CaseVerdict(regress.MET, "so").as_dict() == {
        "file": "", "line": 0, "kind": "", "name": "", "state": "met", "summary": "so", "facts": {},
        "seconds": 0.0,
    }  # fmt: skip
    test = regress.Test("position", suite.BrokenLine(name="n", why="w"), "a.toml", 7)
    verdict = test.verdict(regress.CaseVerdict(regress.FAULT, "so", {"x": 1}), 1.23456).as_dict()
    assert verdict == {
        "file": "a.toml", "line": 7, "kind": "position", "name": "n", "state": "fault", "summary": "so",
        "facts": {"x": 1}, "seconds": 1.235,
    }  # fmt: skip


def test_each_test_result_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A mark, the state unless expected, the result, and the location of the test."""
    results = {"said": "white is ahead", "depth": 6, "found": {"depth": 4, "seconds": 0.25}}
    never = {"said": "level", "depth": 3, "found": {"depth": 0, "seconds": 0.0}}

    def printed_verdict(
        state: str, kind: str = "position", line: int = 7, colour: bool = False, **facts: object
    ) -> str:
        verdict = SimpleNamespace(
            state=state, name="one", summary="e4,\n  not d4", kind=kind, facts=facts, file="a.toml", line=line
        )
        theme = Theme(colour=colour, unicode=True, interactive=False, depth="256")
        verdicts.show(theme, verdict)
        return capsys.readouterr().out

    assert printed_verdict("met", **results) == "ok  one: e4, not d4 [found at depth 4 in 0.25 s]\n"
    assert printed_verdict("met", **never) == "ok  one: e4, not d4\n" == printed_verdict("met", "position")
    assert printed_verdict("met", "match", **results) == "ok  one: e4, not d4\n"
    assert printed_verdict("expected failure") == "ok  one: expected failure: e4, not d4\n"
    assert printed_verdict("unexpected success") == "!!  one: unexpected success: e4, not d4 (a.toml:7)\n"
    assert printed_verdict("inconclusive", line=0) == "??  one: inconclusive: e4, not d4\n"
    assert printed_verdict("bad input", line=1) == "XX  one: bad input: e4, not d4 (a.toml:1)\n"
    assert printed_verdict("regression", **results) == (
        "XX  one: regression: e4, not d4 [white is ahead, depth 6; found at depth 4 in 0.25 s] (a.toml:7)\n"
    )
    assert (
        printed_verdict("regression", **never)
        == "XX  one: regression: e4, not d4 [level, depth 3] (a.toml:7)\n"
    )
    assert printed_verdict("fault", colour=True).startswith(
        "\x1b[1;7mXX\x1b[0m\x1b[1m  one: \x1b[0m\x1b[1mfault: \x1b[0me4, not d4"
    )
    assert printed_verdict("met", colour=True) == "ok  one: e4, not d4\n"
    assert printed_verdict("unexpected success", colour=True).startswith("\x1b[1m!!\x1b[0m")
    assert printed_verdict("inconclusive", colour=True).startswith("\x1b[1m??\x1b[0m")
