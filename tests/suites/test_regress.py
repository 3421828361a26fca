"""Engines held against suites: what is met, what is not, and how it is told to people and to machines."""

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace as replaced

from gameplay import registry
from gameplay.cli import router, run
from gameplay.cli.measure import regress as cli
from gameplay.conformance import signature
from gameplay.display.reports import verdicts
from gameplay.display.theme import Theme
from gameplay.errors import BadInput, Fault, IllegalMove, Usage
from gameplay.runs.job import GameResult
from gameplay.runs.plan import Adjudication, Openings, Sprt
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.store import toml
from gameplay.suites import junit, regress, suite
from gameplay.value import WIN
from tests.support.files import found
from tests.support.golden import golden
from tests.support.paths import ROOT

pytestmark = pytest.mark.once

OWN = found(ROOT / "configs" / "regress", "*.toml")

BASE = """game = "tictactoe"
depth = 9

[[position]]
name = "one"
moves = ["a1", "b1", "a2", "b2"]
expect = { %s }
"""
MATCH = """game = "tictactoe"
[[match]]
name = "a match"
players = ["alphabeta:table=1MB", "random"]
depth = 3
games = 4
%s
"""
LONGER = MATCH.replace("games = 4", "games = 60")


def held(tmp_path, text, capsys, *words):
    file = tmp_path / "suite.toml"
    file.write_text(text)
    status = run(router, "gameplay", ["regress", str(file), "--jobs", "1", *words])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.stem)
def test_our_own_suites_are_met(file, capsys):
    assert run(router, "gameplay", ["regress", str(file), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["tests"] and set(document["states"]) <= {"met", "expected failure"}
    assert all(test["summary"] and test["line"] > 0 for test in document["tests"])


def test_our_connect4_answers_are_those_of_the_published_set():
    scores = dict(re.findall(r"^(\d+) (-?\d+)$", (ROOT / "tests/answers/connect4.txt").read_text(), re.M))
    tests = suite.read(ROOT / "configs/regress/connect4.toml")[0].position
    checked = 0
    for case in tests:
        if "end-easy" not in case.source or not isinstance(case.expect.value, str):
            continue
        assert f"score {scores[case.position]}" in case.source
        kind, _, plies = case.expect.value.partition(" in ")
        score = 0
        if kind != "draw":  # 22 less the winner's stones, when the game has come to its end
            score = 22 - (len(case.position) + int(plies) + 1) // 2
            score = score if kind == "win" else -score
        assert score == int(scores[case.position])
        checked += 1
    assert checked >= 8


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('move = "a3"', 'move = "b3"'),
        ('moves = ["b3", "a3"]', 'moves = ["b3", "c3"]'),
        ('not_moves = ["b3"]', 'not_moves = ["b3", "a3"]'),
        ('pv = ["a3"]', 'pv = ["b3"]'),
        ('pv = ["a3"]', 'pv = ["a3", "b3"]'),
        ("value = 999999", "value = 999998"),
        ('value = "win"', 'value = "loss"'),
        ('value = "win in 1"', 'value = "win in 3"'),
        ('value = "win"', 'value = "draw"'),
        ("value_at_least = 999999", "value_at_least = 1000000"),
        ("value_at_most = 999999", "value_at_most = 999998"),
        ("nodes = 7", "nodes = 8"),
        ("nodes_at_most = 7", "nodes_at_most = 6"),
    ],
)
def test_each_expectation_can_be_met_and_missed(right, wrong, tmp_path, capsys):
    assert held(tmp_path, BASE % right, capsys)[0] == 0
    status, out, _ = held(tmp_path, BASE % wrong, capsys)
    assert status == 3
    assert re.search(r"^XX  one: regression: .*expected .*suite\.toml:4\)$", out, re.M)


def test_a_draw_is_one_only_where_the_end_was_seen(tmp_path, capsys):
    text = 'game = "%s"\n[[position]]\nname = "level"\nengine = "%s"\ndepth = %d\nexpect = { value = %s }\n'
    blind = ("connect4", "alphabeta:eval=none", 2)
    assert held(tmp_path, text % (*blind, "0"), capsys)[0] == 0
    assert held(tmp_path, text % (*blind, '"draw"'), capsys)[0] == 3
    assert held(tmp_path, text % ("tictactoe", "iterative", 9, '"draw"'), capsys)[0] == 0


def test_a_failure_may_be_expected_and_a_success_then_is_told(tmp_path, capsys):
    text = BASE % 'move = "%s"' + 'expected_failure = "nobody is perfect"\n'
    status, out, _ = held(tmp_path, text % "b3", capsys)
    assert status == 0 and "ok  one: expected failure: move a3, expected b3 (nobody is perfect)" in out
    status, out, _ = held(tmp_path, text % "a3", capsys, "--github")
    assert status == 0
    assert (
        "!!  one: unexpected success: " in out and "take out its expected_failure: nobody is perfect" in out
    )
    assert "::notice file=" in out


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ("game = ", "", "is not TOML"),
        (BASE % 'mvoe = "a3"', "line 7", "[1].expect.mvoe: there is no such field; did you mean 'move'"),
        (BASE % 'value = "won"', "line 7", 'position[1].expect.value: '),
        (BASE % "nodes = -1", "line 7", "position[1].expect.nodes: "),
        ("depht = 3\n", "line 1", "depht: there is no such field; did you mean 'depth'"),
        ("[[position]]\nexpect = {}\n", "line 1", "position[1]: name is missing"),
        ('[[position]]\nname = "x"\nexpect = {}\n', "line 1", "no game"),
        (MATCH % "expect = {}\n[match.sprt]\nelo0 = 0\n", "line 8", "match[1].sprt: elo1 is missing"),
        (MATCH % 'expect = {}\n[[match]]\nname = "y"\nplayers = ["a"]', "line 10", "[2].players: "),
    ],
)  # fmt: skip
def test_mistake_in_a_suite_is_reported_with_file_line_and_field(text, line, complaint, tmp_path, capsys):
    status, out, err = held(tmp_path, text, capsys)
    (told,) = [found for found in out.splitlines() if ": bad input: " in found]
    assert (status, err) == (6, "") and complaint in told
    assert told.endswith(f"suite.toml{line.replace('line ', ':')})") or (not line and "suite.toml" in told)


def test_wrong_tests_are_reported_and_the_others_run(tmp_path, capsys):
    """An unknown field of a test or of the file lists the valid ones, in the JUnit output too."""
    text = (
        'game = "tictactoe"\nenigne = "iterative"\n'
        '[[position]]\nname = "wrong"\nexpect = { move = "a1", mvoe = "a1" }\n'
        '[[position]]\nname = "good"\ndepth = 9\nexpect = { value = "draw" }\n'
        '[[match]]\nname = "typo"\nplayers = ["random", "random"]\ngame_count = 4\nexpect = {}\n'
        '[[match]]\nname = "played"\nplayers = ["random", "random"]\ngames = 2\nexpect = { score = 0 }\n'
    )
    status, out, _ = held(tmp_path, text, capsys, "--junit", str(tmp_path / "r.xml"))
    assert status == 6 and "ok  good: move " in out and "ok  played: score " in out
    root = ElementTree.parse(tmp_path / "r.xml").getroot()
    assert (root.get("tests"), root.get("errors"), root.get("failures")) == ("5", "3", "0")
    errors = {case.get("name"): case.find("error") for case in root.iter("testcase")}
    assert errors["good"] is errors["played"] is None
    fields = "move, moves, not_moves, pv, value, value_at_least, value_at_most, points, nodes, nodes_at_most"
    assert errors["wrong"].get("message") == (
        f"position[1].expect.mvoe: there is no such field; did you mean 'move'? (fields: {fields})"
    )
    assert "did you mean 'engine'? (fields: title, game, engine, " in errors["enigne"].get("message")
    assert "match[1].game_count: there is no such field" in errors["typo"].get("message")
    lines = {case.get("name"): case.get("line") for case in root.iter("testcase")}
    assert lines == {"enigne": "2", "wrong": "5", "good": "6", "typo": "13", "played": "15"}


def test_file_that_cannot_be_read_is_reported_and_the_others_run(tmp_path, capsys):
    (tmp_path / "broken.toml").write_text("game = [")
    status, out, _ = held(tmp_path, BASE % 'move = "a3"', capsys, str(tmp_path / "broken.toml"))
    assert status == 6 and "ok  one: " in out and "XX  broken.toml: bad input: " in out


def test_docs_list_every_field_of_a_suite():
    text = (ROOT / "docs" / "regress.md").read_text()
    tests = (suite.Puzzle, suite.Meeting, suite.Speed, suite.Signature)
    for kind in (suite.Suite, *tests, Openings, Adjudication, Sprt):
        for field in kind.__struct_fields__:
            assert f"`{field}`" in text, f"{kind.__name__}.{field}"
    for kind in (suite.Found, suite.Scored, suite.Needed):
        for field in kind.__struct_fields__:
            assert f"`expect.{field}`" in text, f"{kind.__name__}.{field}"


def test_faults_of_a_match_are_counted_by_player():
    games = regress._Games(2)
    done = [
        GameResult(0, leg, 1, "crash", points=leg, payoffs=(1, -1), fault="x", offender=1) for leg in (0, 1)
    ]
    games.add(done, [["new", "old"], ["old", "new"]])
    found = games.verdict(suite.Meeting(name="m", players=["a", "b"], expect=suite.Scored(faults=2)), None)
    assert found.facts["faults_by_player"] == "new: 1 crash; old: 1 crash"


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        (BASE.replace("tictactoe", "tictactoo") % "", 6, "did you mean 'tictactoe'"),
        (BASE.replace('"b2"]', '"b2", "a3"]') % "", 6, "the game is over"),
        (BASE % 'move = "a1"', 6, "a1"),
        (BASE % 'value = 0 }\nengine = "random"\n#', 3, ""),
        (MATCH % 'expect = { sprt = "H1" }', 6, "has no sprt"),
        (MATCH.replace("games = 4", "games = 3") % "expect = {}", 6, "games is a multiple of 2, not 3"),
        (MATCH % 'expect = { sprt = "H1" }\nsprt = { elo0 = 0, elo1 = 5 }', 4, "give it more games"),
        (MATCH % "expect = { score = 1.0 }\nseed = 3", 3, "expected a score of 1 at least"),
        (MATCH % "expect = { score = 0.5 }", 0, "score"),
        (LONGER % 'expect = { sprt = "H0" }\nsprt = { elo0 = -900, elo1 = -800 }', 3, "expected H0"),
    ],
)  # fmt: skip
def test_what_a_test_comes_to_decides_the_status(text, status, told, tmp_path, capsys):
    if "random" in text and "position" in text:
        text = text.replace("expect = { value = 0 }", "expect = { value = 5 }")
    found, out, _ = held(tmp_path, text, capsys)
    assert (found, told in out) == (status, True), out


def test_the_worst_state_wins_in_the_order_that_help_tells():
    verdicts = {state: regress.CaseVerdict(state, "") for state in regress.STATUS}
    order = ["bad input", "fault", "regression", "inconclusive", "unexpected success", "met"]
    assert [regress.worst([verdicts[state] for state in order[i:]]) for i in range(6)] == [6, 5, 3, 4, 0, 0]
    assert "6 bad input, 5 fault, 3 regression, 4 inconclusive, 0" in cli.ORDER


DEADLY = """
import ctypes, os
from gameplay import Position, undoable

class Deadly(Position):
    def moves(self): return [0, 1]
    @undoable
    def make(self, move):
        self.turn = 1 - self.turn
        %s
    def outcome(self): return None
"""


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("ctypes.string_at(0)", "the worker process ended"),
        ("os._exit(9)", "_exit() would end the process"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_game_that_kills_its_process_costs_its_own_test_only(does, told, tmp_path, capsys):
    (tmp_path / "deadly.py").write_text(DEADLY % does)
    deadly = f'[[position]]\nname = "deadly"\ngame = "{tmp_path}/deadly.py"\nexpect = {{}}\n'
    text = deadly + (BASE % 'move = "a3"').split("\n", 3)[3].replace('"one"', '"one"\ngame = "tictactoe"')
    status, out, _ = held(tmp_path, text, capsys)
    assert status == 5
    assert "deadly: fault: " in out and told in out and "ok  one: " in out


def test_speed_is_measured_and_judged_where_it_is_bounded(tmp_path, capsys):
    text = 'game = "connect4"\ndepth = 5\n[[speed]]\nname = "order"\nrepeat = 1\n'
    text += (
        'players = ["iterative:table=1MB", "iterative:order=generated,table=off"]\nexpect = { nodes = %s }\n'
    )
    status, out, _ = held(tmp_path, text % "1.0", capsys)
    assert status == 0 and "times the second's nodes" in out and "times its time" in out
    status, out, _ = held(tmp_path, text % "0.001", capsys)
    assert status == 3 and "expected at most 0.001" in out


def test_every_number_of_jobs_finds_the_same(tmp_path, capsys):
    text = BASE % 'move = "a3"' + (MATCH % "expect = { score = 1.0 }").partition("\n")[2]
    found = []
    for jobs in ("1", "3"):
        _, out, _ = held(tmp_path, text, capsys, "--json", "--jobs", jobs)
        document = json.loads(out)
        for test in document["tests"]:
            del test["seconds"]
            test["facts"].get("found", {}).pop("seconds", None)
        found.append((document["tests"], document["states"], document["status"]))
    assert found[0] == found[1]


def test_junit_and_annotations_tell_machines(tmp_path, capsys):
    text = (
        BASE % 'move = "b3"'
        + (MATCH % 'expect = { sprt = "H1" }\nsprt = { elo0 = 0, elo1 = 5 }').partition("\n")[2]
    )
    text += '\n[[position]]\nname = "met: 100 %, yes"\nexpect = {}\n'
    text += '[[position]]\nname = "a, b"\ngame = "none"\nexpect = {}\n'
    report = tmp_path / "report.xml"
    status, out, _ = held(tmp_path, text, capsys, "--junit", str(report), "--github")
    assert status == 6
    suites = ElementTree.parse(report).getroot()
    assert (suites.tag, suites.get("tests"), suites.get("failures"), suites.get("errors")) == (
        ("testsuites", "4", "1", "1")
    )
    assert suites.get("skipped") == "1"
    cases = {case.get("name"): case for case in suites.iter("testcase")}
    assert cases["one"].find("failure").get("message") == "move a3, expected b3"
    text = cases["one"].find("failure").text
    assert text.splitlines()[:2] == [
        "move a3, expected b3",
        f"{tmp_path / 'suite.toml'}, line 4: position 'one'",
    ]
    assert "found.depth = " in text and "exact = " in text
    match = {p.get("name"): p.get("value") for p in cases["a match"].iter("property")}
    assert re.fullmatch(r"\d(, \d){4}", match["pairs"]) and match["sprt.decision"] == "none"
    everything = ElementTree.tostring(suites, encoding="unicode")
    assert not re.search(r"[{}\[\]]|None|True|False|'\w+':", everything), "no repr of Python"
    assert cases["a, b"].find("error").get("type") == "bad input"
    assert "give it more games" in cases["a match"].find("skipped").get("message")
    figures = {p.get("name"): p.get("value") for p in cases["met: 100 %, yes"].iter("property")}
    assert figures["move"] == "b2" and "nodes = " in cases["met: 100 %, yes"].find("system-out").text
    assert cases["one"].get("line") == "4"
    file = tmp_path / "suite.toml"
    assert f"::error file={file},line=4,title=regression%3A one::move a3, expected b3\n" in out
    assert "title=bad input%3A a%2C b::" in out and "::warning file=" in out


def test_what_github_marks():
    """A command of a workflow, with what would end a value spelled otherwise in it."""

    def said(state, told="a\nb 5 %, so: c", name="a: b, c"):
        verdict = regress.CaseVerdict(state, told, {}, 0.0, "position", name, "x,y.toml", 3)
        return cli.annotated(verdict)

    where = "file=x%2Cy.toml,line=3,title="
    for state, level in (
        ("regression", "error"), ("fault", "error"), ("bad input", "error"), ("inconclusive", "warning"),
        ("unexpected success", "notice"),
    ):  # fmt: skip
        assert said(state) == f"::{level} {where}{state}%3A a%3A b%2C c::a%0Ab 5 %25, so: c"
    assert said("met") == said("expected failure") == ""
    assert said("fault", "", "\r\n").endswith("fault%3A %0D%0A::")


def test_github_and_its_flag_ask_for_marks(tmp_path, capsys, monkeypatch):
    asked = []

    def run_here(tests, jobs, tell):
        states = ["regression", "met"]
        verdicts = [
            regress.CaseVerdict(state, "so", name=test.case.name)
            for state, test in zip(states, tests, strict=True)
        ]
        for verdict in verdicts:
            tell(verdict)
        asked.append((len(tests), jobs))
        return verdicts

    monkeypatch.setattr(cli, "annotated", lambda verdict: f"<{verdict.state}>" if verdict.status else "")
    monkeypatch.setattr(regress, "run", run_here)
    text = BASE % 'move = "b3"' + '[[position]]\nname = "two"\nexpect = {}\n'
    for value, words, marked in (("", (), 0), ("false", (), 0), ("true", (), 1), ("", ("--github",), 1)):
        monkeypatch.setenv("GITHUB_ACTIONS", value)
        status, out, _ = held(tmp_path, text, capsys, *words)
        told = ["XX  one: regression: so", *["<regression>"] * marked, "ok  two: so"]
        assert status == 3 and out.splitlines()[:-1] == told
    status, out, _ = held(tmp_path, text, capsys, "--github", "--json")
    assert status == 3 and json.loads(out)["states"] == {"regression": 1, "met": 1}
    assert asked == [(2, 1)] * 5
    monkeypatch.setattr(cli, "cores", lambda: 3)
    assert run(router, "gameplay", ["regress", str(tmp_path / "suite.toml")]) == 3
    assert asked[-1] == (2, 3)


def test_tests_are_summed_up(capsys, monkeypatch):
    def verdict(state):
        return regress.CaseVerdict(state, "", {}, 0.0, "position", "one", "x.toml", 3)

    cli._sum_up([verdict("met")], 1.26, False)
    cli._sum_up([verdict(state) for state in ("met", "fault", "met")], 0.0, False)
    assert capsys.readouterr().out == "1 test: 1 met, in 1.3 s\n3 tests: 2 met, 1 fault, in 0.0 s\n"
    cli._sum_up([verdict("met"), verdict("fault")], 1.23456, True)
    told = json.loads(capsys.readouterr().out)
    assert told.pop("tests") == [verdict("met").as_dict(), verdict("fault").as_dict()]
    assert told == {"states": {"met": 1, "fault": 1}, "status": 5, "seconds": 1.235}
    tests = [SimpleNamespace(case=SimpleNamespace(name=name)) for name in ("One fork", "two", "a FORK")]
    assert cli._only(tests, "Fork", ()) == [tests[0], tests[2]] and cli._only(tests, None, ()) == tests
    with pytest.raises(Usage, match="there is no test with 'pin' in its name"):
        cli._only(tests, "pin", ())
    with pytest.raises(Usage, match="there is no test with 'pin' in its name"):
        cli._only([], "pin", ())
    with pytest.raises(BadInput, match="there is no test in a, b"):
        cli._only([], None, (Path("a"), Path("b")))


def test_only_picks_tests_by_their_names(tmp_path, capsys):
    assert "1 test: 1 met" in held(tmp_path, BASE % "", capsys, "--only", "ON")[1]
    status, _, err = held(tmp_path, BASE % "", capsys, "--only", "two")
    assert status == 2 and "no test with 'two'" in err


def test_a_suite_without_a_test_is_named(tmp_path, capsys):
    status, _, err = held(tmp_path, 'game = "tictactoe"\n', capsys)
    assert status == 6 and "there is no test in " in err and "suite.toml" in err


def test_lines_of_nested_keys_are_found():
    text = 'a = 1\n[[x]]\nb = 1\n[x.c]\nd = 2\n[[x]]\nb = 3\n[x.c]\n"d" = 4\n[y]\nz.w = 1\n'
    for keys, expected in (
        (["a"], 1),
        (["x", 0, "b"], 3),
        (["x", 0, "c", "d"], 5),
        (["x", 1], 6),
        (["x", 1, "c", "d"], 9),
        (["x", 1, "nothing"], 6),
        (["y", "z", "w"], 11),
    ):
        assert toml.line(text, keys) == expected, keys


@pytest.mark.parametrize(
    ("wanted", "unit", "told"),
    [
        ({"value": 20}, 100, ["value +1.50 (+150), expected +0.20 (+20)"]),
        ({"value": "win in 3"}, 100, ["value +1.50 (+150), expected win in 3"]),
        ({"value_at_least": 160}, 100, ["value +1.50 (+150), expected at least +1.60 (+160)"]),
        ({"value_at_most": 999_995}, 1, []),
        ({"value_at_most": 14}, 1, ["value +150, expected at most +14"]),
        ({"points": 1}, 100, ["+1.5 points, expected +1 point"]),
        ({"nodes": 1, "nodes_at_most": 2}, 1, ["9 nodes, expected 1", "9 nodes, expected at most 2"]),
    ],
)
def test_an_expectation_that_was_not_met_names_both_values_alike(wanted, unit, told):
    report = Report(move=1, value=150, depth=3, nodes=9, seconds=0.1)
    assert suite.Found(**wanted).wrong(report, ["b2"], unit) == told


def test_what_is_just_met_and_what_just_is_not():
    """Of a draw, of a win in three plies, and of a loss in two, seen to the end."""
    drawn = Report(move=1, value=0, nodes=1000, exact=True)
    won, lost = Report(value=WIN - 3, exact=True), Report(value=2 - WIN, exact=True)
    line = ["b2", "a1", "c1"]
    for report, met, missed in (
        (drawn, {"value": 0}, {"value": 1}),
        (drawn, {"value": "draw"}, {"value": "win"}),
        (replace(drawn, exact=False), {"value": 0}, {"value": "draw"}),
        (replace(drawn, value=1), {"value": 1}, {"value": "draw"}),
        (replace(drawn, value=5), {"value": 5}, {"value": "win"}),
        (won, {"value": "win"}, {"value": "loss"}),
        (won, {"value": "win in 3"}, {"value": "win in 2"}),
        (won, {"value": WIN - 3}, {"value": "draw"}),
        (lost, {"value": "loss"}, {"value": "win"}),
        (lost, {"value": "loss in 2"}, {"value": "loss in 3"}),
        (lost, {"value": "loss in 2"}, {"value": "win in 2"}),
        (drawn, {"value_at_least": 0, "value_at_most": 0}, {"value_at_least": 1}),
        (drawn, {"value_at_least": -1, "value_at_most": 1}, {"value_at_most": -1}),
        (replace(drawn, value=300), {"points": 3}, {"points": 2}),
        (replace(drawn, value=-300), {"points": -3}, {"points": 3}),
        (drawn, {"nodes": 1000}, {"nodes": 1001}),
        (drawn, {"nodes_at_most": 1000}, {"nodes_at_most": 999}),
        (drawn, {"move": "b2"}, {"move": "a1"}),
        (drawn, {"moves": ["a1", "b2"]}, {"moves": ["a1", "c1"]}),
        (drawn, {"not_moves": ["a1"]}, {"not_moves": ["a1", "b2"]}),
        (drawn, {"pv": ["b2", "a1"]}, {"pv": ["b2", "c1"]}),
        (drawn, {"pv": line}, {"pv": [*line, "a2"]}),
    ):
        unit = 100 if "points" in met else 1
        assert suite.Found(**met).wrong(report, line, unit) == [], met
        assert len(suite.Found(**missed).wrong(report, line, unit)) == 1, missed
    all_wrong = suite.Found(move="a1", moves=["c1", "c2"], not_moves=["b2"], pv=["b2", "c1"], points=-1)
    assert all_wrong.wrong(drawn, line) == [
        "move b2, expected a1",
        "move b2, expected one of c1, c2",
        "move b2, expected anything but b2",
        "line b2 a1, expected b2 c1",
        "+0 points, expected -1 point",
    ]


def test_moves_are_written_as_the_game_does_but_for_what_comes_after_the_first():
    position = registry.game("chess").new("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    given = suite.Found(move="Ra8", moves=["Ra8", "Kf1"], not_moves=["Kg2"], pv=["Ra8", "anything"], nodes=3)
    assert given.spelled(position) == suite.Found(
        move="Ra8#", moves=["Ra8#", "Kf1"], not_moves=["Kg2"], pv=["Ra8#", "anything"], nodes=3
    )
    assert suite.Found().spelled(position) == suite.Found()
    with pytest.raises(IllegalMove):
        suite.Found(not_moves=["Kg3"]).spelled(position)


def test_files_are_named_as_seen_from_the_suites_folder(tmp_path):
    """Games, engines, openings and judges; programs and names stay as they are."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "s.toml").write_text(
        'game = "../g.py:G"\nengine = "mine.py"\n'
        '[[position]]\nname = "p"\ngame = "t.toml"\nengine = "iterative:eval=w.toml"\nexpect = {}\n'
        '[[match]]\nname = "m"\ngame = "chess"\nplayers = ["a.py:f", "uci:./x.py", "random"]\n'
        'expect = {}\nopenings = { file = "o.pgn", balance = "b.py" }\nadjudicate = { exact = "c.py:d" }\n'
        '[[match]]\nname = "n"\nplayers = ["level:2", "random"]\nexpect = {}\n'
        '[[speed]]\nname = "s"\nplayers = ["a.py", "minimax"]\n'
    )
    found, name, line = suite.read(tmp_path / "in" / "s.toml")
    here = tmp_path / "in"
    assert name == str(here / "s.toml") and [line("match", at) for at in (0, 1)] == [8, 15]
    assert (found.game, found.engine) == (f"{tmp_path}/g.py:G", f"{here}/mine.py")
    (position,), (match, other), (speed,) = found.position, found.match, found.speed
    assert (position.game, position.engine) == (f"{here}/t.toml", f"iterative:eval={here}/w.toml")
    assert match.players == [f"{here}/a.py:f", "uci:./x.py", "random"] and match.game == "chess"
    assert match.openings == Openings(file=f"{here}/o.pgn", balance=f"{here}/b.py")
    assert match.adjudicate == Adjudication(exact=f"{here}/c.py:d")
    assert (other.players, other.openings) == (["level:2", "random"], Openings())
    assert (speed.players, speed.positions, speed.repeat) == ([f"{here}/a.py", "minimax"], [""], 3)


def test_the_xml_of_a_suite_word_for_word():
    """What pytest writes as xunit2; characters that XML cannot hold are question marks."""
    told = regress.CaseVerdict
    facts = {
        "n": 1,
        "ok": True,
        "no": False,
        "none": None,
        "list": [1, None],
        "in": {"x": 2.5, "y": {"z": "a"}},
    }
    verdicts = [
        told("met", "fine", facts, 1.25, "position", "one", "a.toml", 3),
        told("regression", "bad \x00\x1f\ud800\ufffe", {}, 0.5, "match", "two\t\x0b", "a.toml", 0),
        told(
            "expected failure",
            "so",
            {"k": "\ud7ff\ue000\ufffd\U00010000 \uffff"},
            0.0,
            "speed",
            "3",
            "b.toml",
            9,
        ),
        told("fault", "it fell", {}, 0.0004, "signature", "4", "a.toml", 7),
        told("unexpected success", "well", {}, 0.0, "position", "5", "b.toml", 1),
    ]
    golden("junit", junit.document(verdicts, "mine").decode())
    assert junit.document([]).decode() == (
        "<?xml version='1.0' encoding='utf-8'?>\n"
        '<testsuites name="gameplay regress" tests="0" failures="0" errors="0" skipped="0" time="0.000" />\n'
    )


# -- what a match comes to ----------------------------------------------------------------------------------


class Given:
    """A pool that gives these results, of as many pairs as are asked for."""

    def __init__(self, pairs):
        self.pairs, self.taken = pairs, 0

    def each(self, work, tasks):
        assert work is regress._pair
        for result, jobs in zip(self.pairs, tasks, strict=True):
            assert [(job.pair, job.leg) for job in jobs] == [(self.taken, 0), (self.taken, 1)]
            self.taken += 1
            yield result


def done(pair, leg, points, termination="rules", fault="", trail=""):
    return GameResult(
        pair, leg, 1, termination, points=points, fault=fault, moves_hash=trail or f"{pair}/{leg}"
    )


def played(*points, **other):
    """A pair of games for each two of the points."""
    pairs = zip(points[::2], points[1::2], strict=True)
    return [[done(pair, 0, one, **other), done(pair, 1, two)] for pair, (one, two) in enumerate(pairs)]


def came(pairs, games=4, **expect):
    sprt = {"sprt": expect.pop("test")} if "test" in expect else {}
    case = suite.Meeting(
        name="x",
        game="tictactoe",
        depth=1,
        players=["alphabeta", "random"],
        games=games,
        expect=suite.Scored(**expect),
        **sprt,
    )
    found = regress.meeting(case, Given(pairs))
    return found.state, found.summary, found.facts


def test_the_score_of_a_match_is_told_and_judged():
    drawn = "score 0.500 of 4 games (won 1, drawn 2, lost 1)"
    facts = {"games": 4, "wins": 1, "draws": 2, "losses": 1, "score": 0.5, "pairs": [0, 0, 2, 0, 0]}
    facts |= {"repeats": 0, "faults": 0}
    even = (1.0, 0.0, 0.5, 0.5)
    assert came(played(*even)) == ("met", drawn, facts)
    assert came(played(*even), score=0.5) == ("met", drawn, facts)
    assert came(played(*even), score=0.501) == (
        "regression",
        f"{drawn}; expected a score of 0.501 at least",
        facts,
    )
    again = played(*even, trail="the same")
    assert came(again)[2]["repeats"] == 1


def test_games_lost_by_a_fault_are_counted_and_void_ones_end_it():
    pairs = played(0.0, 1.0, 0.0, 1.0, termination="crash", fault="it fell")
    assert came(pairs, faults=2)[0] == "met" and came(pairs, faults=2)[2]["faults"] == 2
    assert came(pairs, faults=1)[:2] == (
        "fault",
        "2 games lost by a fault, expected 1 at most: crash: it fell",
    )
    one = [*played(0.0, 1.0, termination="hang", fault="it hung"), *played(0.5, 0.5)]
    one[1] = [done(1, 0, 0.5), done(1, 1, 0.5)]
    assert came(one)[:2] == ("fault", "1 game lost by a fault, expected 0 at most: hang: it hung")
    for fault, why in (("it died", "it died"), ("", "no result")):
        void = [[done(0, 0, 1.0), done(0, 1, None, "void", fault)], []]
        assert came(void)[:2] == ("fault", f"a game had no result after 3 attempts: {why}")
    assert came(["the worker died", []])[:2] == ("fault", "the worker died")


def test_a_test_of_a_match_ends_it_when_it_is_decided():
    test = {"elo0": 0, "elo1": 200, "model": "logistic"}
    from gameplay.runs.plan import Sprt

    pairs = played(*[1.0, 0.5] * 60)
    given = Sprt(elo0=test["elo0"], elo1=test["elo1"])
    state, told, facts = came(pairs, games=120, sprt="H1", test=given)
    assert state == "met" and facts["games"] < 120 and facts["sprt"]["decision"] == "H1"
    assert told.startswith(f"score 0.750 of {facts['games']} games (won ") and "; " in told
    state, told, _ = came(pairs, games=120, sprt="H0", test=given)
    assert state == "regression" and told.endswith("; expected H0 accepted")
    state, told, _ = came(played(1.0, 0.0, 0.5, 0.5), sprt="H1", test=given)
    assert state == "inconclusive" and told.endswith("; expected H1 accepted: give it more games")


def test_a_void_game_is_tried_three_times(monkeypatch):
    attempts = []

    def play(job):
        attempts.append((job.leg, job.attempt))
        return done(0, job.leg, 1.0, "rules" if job.leg or job.attempt == fine else "void")

    monkeypatch.setattr(regress, "play", play)
    jobs = [regress.Job(0, leg, 1, "tictactoe", (), 1) for leg in range(2)]
    for fine, tried in ((1, 1), (3, 3), (9, 3)):
        attempts.clear()
        found = regress._pair(jobs)
        assert attempts == [*((0, number) for number in range(1, tried + 1)), (1, 1)]
        assert [one.termination for one in found] == ["void" if fine == 9 else "rules", "rules"]


# -- which tests there are, and who holds them --------------------------------------------------------------


def test_tests_stand_in_their_order_with_what_the_suite_says_for_all():
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
    found = regress.tests(whole, "s.toml", lambda kind, number: 10 * len(kind) + number)
    assert [(one.kind, one.case.name, one.file, one.line) for one in found] == [
        ("signature", "g", "s.toml", 90),
        ("position", "p", "s.toml", 80),
        ("position", "q", "s.toml", 81),
        ("match", "m", "s.toml", 50),
        ("match", "n", "s.toml", 51),
        ("speed", "s", "s.toml", 50),
    ]
    _, p, q, m, n, s = (one.case for one in found)
    assert p == suite.Puzzle(name="p", expect=suite.Found(), game="nim", engine="mcts", **limit)
    assert q == whole.position[1] and s == replaced(whole.speed[0], game="nim")
    assert m == replaced(whole.match[0], game="nim"), "it has a clock"
    assert n == replaced(whole.match[1], **limit)
    none = suite.Suite(position=[suite.Puzzle(name="p", expect=suite.Found())])
    (broken,) = regress.tests(none, "s.toml", lambda kind, number: 4)
    assert broken.case.why == 'no game; add game = "connect4" here, or on top' and broken.line == 4


def test_what_the_command_says_stands_in_for_what_the_suite_says():
    given = suite.Suite(game="nim", engine="mcts", depth=3)
    said = regress.overridden
    assert said(given, None, None, Limit()) == said(given, "", "", Limit()) == given
    assert said(given, "go", None, Limit()) == replaced(given, game="go")
    assert said(given, None, "minimax", Limit()) == replaced(given, engine="minimax")
    whole = Limit(nodes=5, seconds=1.5, simulations=7)
    assert said(given, None, None, whole) == replaced(given, depth=None, nodes=5, time=1.5, sims=7)


def test_a_verdict_is_turned_round_where_a_failure_was_expected():
    for why, state, told in (
        ("", "regression", ("regression", "so")),
        ("", "met", ("met", "so")),
        ("odd", "regression", ("expected failure", "so (odd)")),
        ("odd", "inconclusive", ("expected failure", "so (odd)")),
        ("odd", "met", ("unexpected success", "so; take out its expected_failure: odd")),
        ("odd", "fault", ("fault", "so")),
        ("odd", "bad input", ("bad input", "so")),
    ):
        case = suite.Puzzle(name="p", expect=suite.Found(), expected_failure=why)
        found = regress.Test("position", case, "s.toml", 4).verdict(
            regress.CaseVerdict(state, "so", {"n": 1}), 1.5
        )
        assert found == regress.CaseVerdict(*told, {"n": 1}, 1.5, "position", "p", "s.toml", 4)
        assert found.status == regress.STATUS[told[0]]


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
    found = regress.run(tests, 3, lambda verdict: log.append((verdict.kind, verdict.name)))
    assert log == [
        *(("begins", 3), ("position", "one"), ("position", "dead"), ("signature", "sum")),
        *(("match", "m", 3), ("match", "m"), ("ends", 3)),
        *(("begins", 1), ("speed", "fast"), ("speed", "dead"), ("ends", 1)),
    ]
    assert [(one.state, one.summary, one.seconds) for one in found] == [
        *(("met", "well", 0.5), ("fault", "its process ended", 0.0), ("met", "well", 0.5)),
        *(("met", "played", 2.0), ("met", "well", 0.5), ("fault", "its process ended", 0.0)),
    ]


def test_a_test_is_held_by_its_kind_and_what_it_raises_is_a_verdict(monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr(regress, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    for kind in ("search", "speed", "signature", "meeting"):

        def held(case, *more, kind=kind):
            if case.raises is not None:
                raise case.raises
            return regress.CaseVerdict("met", f"{kind} {more}")

        monkeypatch.setattr(regress, kind, held)

    def test(kind, raises=None):
        return regress.Test(kind, SimpleNamespace(name="x", expected_failure="", raises=raises), "s", 1)

    for kind, work in (("position", "search"), ("speed", "speed"), ("signature", "signature")):
        found = regress._one(test(kind))
        assert (found.state, found.summary, found.seconds) == ("met", f"{work} ()", 1)
    assert regress._match(test("match"), "a pool").summary == "meeting ('a pool',)"
    for raises, state in (
        (Fault("so"), "fault"),
        (BadInput("so"), "bad input"),
        (OSError("so"), "bad input"),
    ):
        for found in (regress._one(test("speed", raises)), regress._match(test("match", raises), None)):
            assert (found.state, found.summary, found.seconds) == (state, "so", 1)
    broken = regress.Test("position", suite.BrokenLine(name="line 3", why="what"), "s", 3)
    assert regress._one(broken) == regress.CaseVerdict(
        "bad input", "what", {}, 0.0, "position", "line 3", "s", 3
    )


def test_what_one_search_comes_to(monkeypatch):
    """The figures of the search, and where it first meant what it played."""
    case = suite.Puzzle(
        name="x", game="tictactoe", engine="alphabeta", moves=["a1", "b1", "a2", "b2"], depth=2,
        expect=suite.Found(move="a3", nodes=15),
    )  # fmt: skip
    found = regress.search(case)
    seconds = found.facts["found"].pop("seconds")
    assert 0 <= seconds < 60
    assert (found.state, found.summary) == ("met", "move a3, win in 1, depth 2, 15 nodes")
    assert found.facts == {
        "move": "a3", "value": WIN - 1, "exact": False, "said": "win in 1", "depth": 2, "nodes": 15,
        "pv": "a3", "found": {"depth": 2, "nodes": 15},
    }  # fmt: skip
    found = regress.search(replaced(case, expect=suite.Found(move="b3", nodes=8)))
    assert (found.state, found.summary) == ("regression", "move a3, expected b3; 15 nodes, expected 8")
    finding = regress.Finding()
    reports = [Report(move=move, depth=depth, nodes=10 * depth, seconds=depth / 3)
               for move, depth in ((1, 1), (2, 2), (2, 3), (1, 4), (1, 5))]  # fmt: skip
    for report in (None, *reports):
        finding(SimpleNamespace(report=report))
    assert finding.facts(reports[-1]) == {"depth": 4, "nodes": 40, "seconds": 1.33}
    assert finding.facts(reports[1]) == {"depth": 2, "nodes": 20, "seconds": 0.67}
    assert regress.Finding().facts(reports[0])["depth"] == 1
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
    asked = []

    def chosen(game, engine, start, moves, limit):
        asked.append((engine, start))
        return None, regress.Choice(0, report=Report(move=0, nodes=nodes[engine], seconds=next(seconds)))

    monkeypatch.setattr(regress, "_chosen", chosen)

    def case(**most):
        needed = suite.Needed(**most)
        return suite.Speed(
            name="x", game="g", players=["one", "two"], positions=["a", "b"], repeat=2, expect=needed
        )

    found = regress.speed(case())
    assert asked == [(engine, start) for start in "ab" for engine in ("one", "one", "two", "two")]
    assert (found.state, found.summary) == ("met", "1.500 times the second's nodes, 0.83 times its time")
    assert found.facts == {
        "nodes_ratio": 1.5,
        "time_ratio": 0.833,
        "nodes": [60, 40],
        "search_seconds": [5.0, 6.0],
    }
    seconds = iter([3.0] * 80)
    assert regress.speed(case(nodes=1.5, time=1.0)).state == "met"
    found = regress.speed(case(nodes=1.4, time=0.5))
    assert (found.state, found.summary) == (
        "regression",
        "the first player needs 1.500 times the second's nodes, expected at most 1.4; "
        "the first player needs 1.000 times the second's time, expected at most 0.5",
    )
    nodes["two"] = 0
    with pytest.raises(BadInput, match="nothing to compare: one of the two did not search"):
        regress.speed(case())
    monkeypatch.setattr(regress, "_chosen", lambda *given: (None, regress.Choice(0)))
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
def test_a_player_that_tells_nothing_can_be_expected_to_move_only(expect, monkeypatch):
    real = regress._chosen

    def silent(*given):
        match, choice = real(*given)
        return match, regress.Choice(choice.move)

    monkeypatch.setattr(regress, "_chosen", silent)
    usual = {"name": "x", "game": "tictactoe", "engine": "random:seed=1", "moves": ["b2", "a1", "c1"]}
    found = regress.search(
        suite.Puzzle(**usual, expect=suite.Found(moves=["a2", "a3", "b1", "b3", "c2", "c3"]))
    )
    assert (found.state, found.summary) == ("met", f"move {found.facts['move']}") and len(found.facts) == 1
    with pytest.raises(BadInput) as refused:
        regress.search(suite.Puzzle(**usual, expect=suite.Found(**expect)))
    assert str(refused.value) == "random:seed=1 reports neither values nor nodes: expect moves only"


def test_who_fails_to_choose_is_at_fault(monkeypatch):
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
    for number, (choice, kind, told) in enumerate(cases, 1):
        monkeypatch.setattr(regress.seats, "player", lambda *a, choice=choice, **k: Player(choice))
        with pytest.raises(kind) as failed:
            regress._chosen("tictactoe", "mine", "", (), regress.Limit())
        assert str(failed.value).partition(" (")[0] == told and Player.closed == number


def test_a_match_is_planned_as_its_test_says():
    case = suite.Meeting(
        name="n", expect=suite.Scored(), players=["a", "b"], game="nim", games=6, seed=3, depth=2, nodes=5,
        sims=7, time=1.5, clock="5+1", openings=Openings(plies=3), adjudicate=Adjudication(plies=9),
        sprt=Sprt(elo0=0, elo1=5),
    )  # fmt: skip
    plan = regress.plan_of(case, 2.5)
    same = (
        "game",
        "games",
        "seed",
        "depth",
        "nodes",
        "sims",
        "time",
        "clock",
        "openings",
        "adjudicate",
        "sprt",
    )
    assert {key: getattr(plan, key) for key in same} == {key: getattr(case, key) for key in same}
    assert [entry.player for entry in plan.players] == ["a", "b"] and plan.patience == 2.5
    assert regress.plan_of(case).patience == 60 and case.limit == Limit(2, 5, 1.5, simulations=7)


def test_a_verdict_is_plain_data():
    assert regress.CaseVerdict(regress.MET, "so").as_dict() == {
        "file": "", "line": 0, "kind": "", "name": "", "state": "met", "summary": "so", "facts": {},
        "seconds": 0.0,
    }  # fmt: skip
    test = regress.Test("position", suite.BrokenLine(name="n", why="w"), "a.toml", 7)
    found = test.verdict(regress.CaseVerdict(regress.FAULT, "so", {"x": 1}), 1.23456).as_dict()
    assert found == {
        "file": "a.toml", "line": 7, "kind": "position", "name": "n", "state": "fault", "summary": "so",
        "facts": {"x": 1}, "seconds": 1.235,
    }  # fmt: skip


def test_a_line_tells_what_became_of_a_test(capsys: pytest.CaptureFixture[str]) -> None:
    """A mark, the state unless it is as it should be, what was found, and where the test stands."""
    found = {"said": "white is ahead", "depth": 6, "found": {"depth": 4, "seconds": 0.25}}
    never = {"said": "level", "depth": 3, "found": {"depth": 0, "seconds": 0.0}}

    def told(state: str, kind: str = "position", line: int = 7, colour: bool = False, **facts: object) -> str:
        verdict = SimpleNamespace(
            state=state, name="one", summary="e4,\n  not d4", kind=kind, facts=facts, file="a.toml", line=line
        )
        theme = Theme(colour=colour, unicode=True, interactive=False, depth="256")
        verdicts.show(theme, verdict)
        return capsys.readouterr().out

    assert told("met", **found) == "ok  one: e4, not d4 [found at depth 4 in 0.25 s]\n"
    assert told("met", **never) == "ok  one: e4, not d4\n" == told("met", "position")
    assert told("met", "match", **found) == "ok  one: e4, not d4\n"
    assert told("expected failure") == "ok  one: expected failure: e4, not d4\n"
    assert told("unexpected success") == "!!  one: unexpected success: e4, not d4 (a.toml:7)\n"
    assert told("inconclusive", line=0) == "??  one: inconclusive: e4, not d4\n"
    assert told("bad input", line=1) == "XX  one: bad input: e4, not d4 (a.toml:1)\n"
    assert told("regression", **found) == (
        "XX  one: regression: e4, not d4 [white is ahead, depth 6; found at depth 4 in 0.25 s] (a.toml:7)\n"
    )
    assert told("regression", **never) == "XX  one: regression: e4, not d4 [level, depth 3] (a.toml:7)\n"
    assert told("fault", colour=True).startswith(
        "\x1b[1;7mXX\x1b[0m\x1b[1m  one: \x1b[0m\x1b[1mfault: \x1b[0me4, not d4"
    )
    assert told("met", colour=True) == "ok  one: e4, not d4\n"
    assert told("unexpected success", colour=True).startswith("\x1b[1m!!\x1b[0m")
    assert told("inconclusive", colour=True).startswith("\x1b[1m??\x1b[0m")
