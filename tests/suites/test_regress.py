"""`gameplay regress`: expectations met and missed, exit statuses, JUnit and GitHub output."""

import json
import re
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from msgspec import structs

from gameplay import registry
from gameplay.cli import router, run
from gameplay.cli.measure import regress as cli
from gameplay.errors import BadInput, IllegalMove, Usage
from gameplay.runs.job import GameResult
from gameplay.runs.plan import Adjudication, Openings
from gameplay.search.report import Report
from gameplay.store import toml
from gameplay.suites import junit, regress, suite
from gameplay.value import WIN
from tests.support.files import find_files
from tests.support.golden import golden
from tests.support.paths import ROOT
from tests.support.suites import run_suite

pytestmark = pytest.mark.once

OWN = find_files(ROOT / "configs" / "regress", "*.toml")
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


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.stem)
def test_included_suites_pass(file, capsys):
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
def test_each_expectation_can_pass_and_fail(right, wrong, tmp_path, capsys):
    assert run_suite(tmp_path, BASE % right, capsys)[0] == 0
    status, out, _ = run_suite(tmp_path, BASE % wrong, capsys)
    assert status == 3
    assert re.search(r"^XX  one: regression: .*expected .*suite\.toml:4\)$", out, re.M)


def test_draw_expectation_requires_a_proven_end(tmp_path, capsys):
    text = 'game = "%s"\n[[position]]\nname = "level"\nengine = "%s"\ndepth = %d\nexpect = { value = %s }\n'
    blind = ("connect4", "alphabeta:eval=none", 2)
    assert run_suite(tmp_path, text % (*blind, "0"), capsys)[0] == 0
    assert run_suite(tmp_path, text % (*blind, '"draw"'), capsys)[0] == 3
    assert run_suite(tmp_path, text % ("tictactoe", "iterative", 9, '"draw"'), capsys)[0] == 0


def test_unexpected_success_is_reported(tmp_path, capsys):
    text = BASE % 'move = "%s"' + 'expected_failure = "nobody is perfect"\n'
    status, out, _ = run_suite(tmp_path, text % "b3", capsys)
    assert status == 0 and "ok  one: expected failure: move a3, expected b3 (nobody is perfect)" in out
    status, out, _ = run_suite(tmp_path, text % "a3", capsys, "--github")
    assert status == 0
    assert "!!  one: unexpected success: " in out and "remove its expected_failure: nobody is perfect" in out
    assert "::notice file=" in out


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ("game = ", "", "is not TOML"),
        (BASE % 'mvoe = "a3"', "line 7", "[1].expect.mvoe: unknown field; did you mean 'move'"),
        (BASE % 'value = "won"', "line 7", 'position[1].expect.value: '),
        (BASE % "nodes = -1", "line 7", "position[1].expect.nodes: "),
        ("depht = 3\n", "line 1", "depht: unknown field; did you mean 'depth'"),
        ("[[position]]\nexpect = {}\n", "line 1", "position[1]: name is missing"),
        ('[[position]]\nname = "x"\nexpect = {}\n', "line 1", "no game"),
        (MATCH % "expect = {}\n[match.sprt]\nelo0 = 0\n", "line 8", "match[1].sprt: elo1 is missing"),
        (MATCH % 'expect = {}\n[[match]]\nname = "y"\nplayers = ["a"]', "line 10", "[2].players: "),
    ],
)  # fmt: skip
def test_mistake_in_a_suite_is_reported_with_file_line_and_field(text, line, complaint, tmp_path, capsys):
    status, out, err = run_suite(tmp_path, text, capsys)
    (message,) = [line for line in out.splitlines() if ": bad input: " in line]
    assert (status, err) == (6, "") and complaint in message
    assert message.endswith(f"suite.toml{line.replace('line ', ':')})") or (
        not line and "suite.toml" in message
    )


def test_wrong_tests_are_reported_and_the_others_run(tmp_path, capsys):
    """An unknown field of a test or of the file lists the valid ones, in the JUnit output too."""
    text = (
        'game = "tictactoe"\nenigne = "iterative"\n'
        '[[position]]\nname = "wrong"\nexpect = { move = "a1", mvoe = "a1" }\n'
        '[[position]]\nname = "good"\ndepth = 9\nexpect = { value = "draw" }\n'
        '[[match]]\nname = "typo"\nplayers = ["random", "random"]\ngame_count = 4\nexpect = {}\n'
        '[[match]]\nname = "played"\nplayers = ["random", "random"]\ngames = 2\nexpect = { score = 0 }\n'
    )
    status, out, _ = run_suite(tmp_path, text, capsys, "--junit", str(tmp_path / "r.xml"))
    assert status == 6 and "ok  good: move " in out and "ok  played: score " in out
    root = ElementTree.parse(tmp_path / "r.xml").getroot()
    assert (root.get("tests"), root.get("errors"), root.get("failures")) == ("5", "3", "0")
    errors = {case.get("name"): case.find("error") for case in root.iter("testcase")}
    assert errors["good"] is errors["played"] is None
    fields = "move, moves, not_moves, pv, value, value_at_least, value_at_most, points, nodes, nodes_at_most"
    assert errors["wrong"].get("message") == (
        f"position[1].expect.mvoe: unknown field; did you mean 'move'? (fields: {fields})"
    )
    assert "did you mean 'engine'? (fields: title, game, engine, " in errors["enigne"].get("message")
    assert "match[1].game_count: unknown field" in errors["typo"].get("message")
    lines = {case.get("name"): case.get("line") for case in root.iter("testcase")}
    assert lines == {"enigne": "2", "wrong": "5", "good": "6", "typo": "13", "played": "15"}


def test_file_that_cannot_be_read_is_reported_and_the_others_run(tmp_path, capsys):
    (tmp_path / "broken.toml").write_text("game = [")
    status, out, _ = run_suite(tmp_path, BASE % 'move = "a3"', capsys, str(tmp_path / "broken.toml"))
    assert status == 6 and "ok  one: " in out and "XX  broken.toml: bad input: " in out


def test_faults_of_a_match_are_counted_by_player():
    games = regress._Games(2)
    done = [
        GameResult(0, leg, 1, "crash", points=leg, payoffs=(1, -1), fault="x", offender=1) for leg in (0, 1)
    ]
    games.add(done, [["new", "old"], ["old", "new"]])
    verdict = games.verdict(suite.Meeting(name="m", players=["a", "b"], expect=suite.Scored(faults=2)), None)
    assert verdict.facts["faults_by_player"] == "new: 1 crash; old: 1 crash"


@pytest.mark.parametrize(
    ("text", "status", "message"),
    [
        (BASE.replace("tictactoe", "tictactoo") % "", 6, "did you mean 'tictactoe'"),
        (BASE.replace('"b2"]', '"b2", "a3"]') % "", 6, "the game is over"),
        (BASE % 'move = "a1"', 6, "a1"),
        (BASE % 'value = 0 }\nengine = "random"\n#', 3, ""),
        (MATCH % 'expect = { sprt = "H1" }', 6, "has no sprt"),
        (MATCH.replace("games = 4", "games = 3") % "expect = {}", 6, "games must be a multiple of 2, not 3"),
        (MATCH % 'expect = { sprt = "H1" }\nsprt = { elo0 = 0, elo1 = 5 }', 4, "give it more games"),
        (MATCH % "expect = { score = 1.0 }\nseed = 3", 3, "expected a score of 1 at least"),
        (MATCH % "expect = { score = 0.5 }", 0, "score"),
        (LONGER % 'expect = { sprt = "H0" }\nsprt = { elo0 = -900, elo1 = -800 }', 3, "expected H0"),
    ],
)  # fmt: skip
def test_test_results_decide_the_exit_status(text, status, message, tmp_path, capsys):
    if "random" in text and "position" in text:
        text = text.replace("expect = { value = 0 }", "expect = { value = 5 }")
    code, out, _ = run_suite(tmp_path, text, capsys)
    assert (code, message in out) == (status, True), out


def test_worst_state_decides_in_the_documented_order():
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
    ("does", "message"),
    [
        ("ctypes.string_at(0)", "the worker process ended"),
        ("os._exit(9)", "_exit() would end the process"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_game_that_kills_its_process_costs_its_own_test_only(does, message, tmp_path, capsys):
    (tmp_path / "deadly.py").write_text(DEADLY % does)
    deadly = f'[[position]]\nname = "deadly"\ngame = "{tmp_path}/deadly.py"\nexpect = {{}}\n'
    text = deadly + (BASE % 'move = "a3"').split("\n", 3)[3].replace('"one"', '"one"\ngame = "tictactoe"')
    status, out, _ = run_suite(tmp_path, text, capsys)
    assert status == 5
    assert "deadly: fault: " in out and message in out and "ok  one: " in out


def test_speed_is_measured_and_compared_with_its_bound(tmp_path, capsys):
    text = 'game = "connect4"\ndepth = 5\n[[speed]]\nname = "order"\nrepeat = 1\n'
    text += (
        'players = ["iterative:table=1MB", "iterative:order=generated,table=off"]\nexpect = { nodes = %s }\n'
    )
    status, out, _ = run_suite(tmp_path, text % "1.0", capsys)
    assert status == 0 and "times the second's nodes" in out and "times its time" in out
    status, out, _ = run_suite(tmp_path, text % "0.001", capsys)
    assert status == 3 and "expected at most 0.001" in out


def test_every_number_of_jobs_finds_the_same(tmp_path, capsys):
    text = BASE % 'move = "a3"' + (MATCH % "expect = { score = 1.0 }").partition("\n")[2]
    results = []
    for jobs in ("1", "3"):
        _, out, _ = run_suite(tmp_path, text, capsys, "--json", "--jobs", jobs)
        document = json.loads(out)
        for test in document["tests"]:
            del test["seconds"]
            test["facts"].get("found", {}).pop("seconds", None)
        results.append((document["tests"], document["states"], document["status"]))
    assert results[0] == results[1]


def test_junit_and_annotations_for_machines(tmp_path, capsys):
    text = (
        BASE % 'move = "b3"'
        + (MATCH % 'expect = { sprt = "H1" }\nsprt = { elo0 = 0, elo1 = 5 }').partition("\n")[2]
    )
    text += '\n[[position]]\nname = "met: 100 %, yes"\nexpect = {}\n'
    text += '[[position]]\nname = "a, b"\ngame = "none"\nexpect = {}\n'
    report = tmp_path / "report.xml"
    status, out, _ = run_suite(tmp_path, text, capsys, "--junit", str(report), "--github")
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


def test_github_annotations():
    """A workflow command, with characters escaped that would end a value."""

    def annotation(state, message="a\nb 5 %, so: c", name="a: b, c"):
        verdict = regress.CaseVerdict(state, message, {}, 0.0, "position", name, "x,y.toml", 3)
        return cli.github_annotation(verdict)

    where = "file=x%2Cy.toml,line=3,title="
    for state, level in (
        ("regression", "error"), ("fault", "error"), ("bad input", "error"), ("inconclusive", "warning"),
        ("unexpected success", "notice"),
    ):  # fmt: skip
        assert annotation(state) == f"::{level} {where}{state}%3A a%3A b%2C c::a%0Ab 5 %25, so: c"
    assert annotation("met") == annotation("expected failure") == ""
    assert annotation("fault", "", "\r\n").endswith("fault%3A %0D%0A::")


def test_github_environment_and_flag_enable_annotations(tmp_path, capsys, monkeypatch):
    requests = []

    def run_here(tests, jobs, tell):
        states = ["regression", "met"]
        verdicts = [
            regress.CaseVerdict(state, "so", name=test.case.name)
            for state, test in zip(states, tests, strict=True)
        ]
        for verdict in verdicts:
            tell(verdict)
        requests.append((len(tests), jobs))
        return verdicts

    monkeypatch.setattr(
        cli, "github_annotation", lambda verdict: f"<{verdict.state}>" if verdict.status else ""
    )
    monkeypatch.setattr(regress, "run", run_here)
    text = BASE % 'move = "b3"' + '[[position]]\nname = "two"\nexpect = {}\n'
    for value, words, marked in (("", (), 0), ("false", (), 0), ("true", (), 1), ("", ("--github",), 1)):
        monkeypatch.setenv("GITHUB_ACTIONS", value)
        status, out, _ = run_suite(tmp_path, text, capsys, *words)
        lines = ["XX  one: regression: so", *["<regression>"] * marked, "ok  two: so"]
        assert status == 3 and out.splitlines()[:-1] == lines
    status, out, _ = run_suite(tmp_path, text, capsys, "--github", "--json")
    assert status == 3 and json.loads(out)["states"] == {"regression": 1, "met": 1}
    assert requests == [(2, 1)] * 5
    monkeypatch.setattr(cli, "cores", lambda: 3)
    assert run(router, "gameplay", ["regress", str(tmp_path / "suite.toml")]) == 3
    assert requests[-1] == (2, 3)


def test_tests_are_summed_up(capsys, monkeypatch):
    def verdict(state):
        return regress.CaseVerdict(state, "", {}, 0.0, "position", "one", "x.toml", 3)

    cli._print_totals([verdict("met")], 1.26, False)
    cli._print_totals([verdict(state) for state in ("met", "fault", "met")], 0.0, False)
    assert capsys.readouterr().out == "1 test: 1 met, in 1.3 s\n3 tests: 2 met, 1 fault, in 0.0 s\n"
    cli._print_totals([verdict("met"), verdict("fault")], 1.23456, True)
    document = json.loads(capsys.readouterr().out)
    assert document.pop("tests") == [verdict("met").as_dict(), verdict("fault").as_dict()]
    assert document == {"states": {"met": 1, "fault": 1}, "status": 5, "seconds": 1.235}
    tests = [SimpleNamespace(case=SimpleNamespace(name=name)) for name in ("One fork", "two", "a FORK")]
    assert (
        cli._select_tests(tests, "Fork", ()) == [tests[0], tests[2]]
        and cli._select_tests(tests, None, ()) == tests
    )
    with pytest.raises(Usage, match="--only is 'pin'; no test name contains it"):
        cli._select_tests(tests, "pin", ())
    with pytest.raises(Usage, match="--only is 'pin'; no test name contains it"):
        cli._select_tests([], "pin", ())
    with pytest.raises(BadInput, match="there is no test in a, b"):
        cli._select_tests([], None, (Path("a"), Path("b")))


def test_only_picks_tests_by_their_names(tmp_path, capsys):
    assert "1 test: 1 met" in run_suite(tmp_path, BASE % "", capsys, "--only", "ON")[1]
    status, _, err = run_suite(tmp_path, BASE % "", capsys, "--only", "two")
    assert status == 2 and "no test name contains it" in err


def test_a_suite_without_a_test_is_named(tmp_path, capsys):
    status, _, err = run_suite(tmp_path, 'game = "tictactoe"\n', capsys)
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
    ("expected", "unit", "message"),
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
def test_failed_expectation_names_both_values(expected, unit, message):
    report = Report(move=1, value=150, depth=3, nodes=9, seconds=0.1)
    assert suite.Found(**expected).wrong(report, ["b2"], unit) == message


def test_expectations_at_their_limits():
    """For a draw, a win in three plies, and a loss in two, searched to the end."""
    drawn = Report(move=1, value=0, nodes=1000, exact=True)
    won, lost = Report(value=WIN - 3, exact=True), Report(value=2 - WIN, exact=True)
    line = ["b2", "a1", "c1"]
    for report, met, missed in (
        (drawn, {"value": 0}, {"value": 1}),
        (drawn, {"value": "draw"}, {"value": "win"}),
        (structs.replace(drawn, exact=False), {"value": 0}, {"value": "draw"}),
        (structs.replace(drawn, value=1), {"value": 1}, {"value": "draw"}),
        (structs.replace(drawn, value=5), {"value": 5}, {"value": "win"}),
        (won, {"value": "win"}, {"value": "loss"}),
        (won, {"value": "win in 3"}, {"value": "win in 2"}),
        (won, {"value": WIN - 3}, {"value": "draw"}),
        (lost, {"value": "loss"}, {"value": "win"}),
        (lost, {"value": "loss in 2"}, {"value": "loss in 3"}),
        (lost, {"value": "loss in 2"}, {"value": "win in 2"}),
        (drawn, {"value_at_least": 0, "value_at_most": 0}, {"value_at_least": 1}),
        (drawn, {"value_at_least": -1, "value_at_most": 1}, {"value_at_most": -1}),
        (structs.replace(drawn, value=300), {"points": 3}, {"points": 2}),
        (structs.replace(drawn, value=-300), {"points": -3}, {"points": 3}),
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


def test_expected_moves_are_normalized_to_game_notation():
    position = registry.game("chess").new("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    given = suite.Found(move="Ra8", moves=["Ra8", "Kf1"], not_moves=["Kg2"], pv=["Ra8", "anything"], nodes=3)
    assert given.in_notation(position) == suite.Found(
        move="Ra8#", moves=["Ra8#", "Kf1"], not_moves=["Kg2"], pv=["Ra8#", "anything"], nodes=3
    )
    assert suite.Found().in_notation(position) == suite.Found()
    with pytest.raises(IllegalMove):
        suite.Found(not_moves=["Kg3"]).in_notation(position)


def test_paths_are_relative_to_the_suites_folder(tmp_path):
    """Games, engines, openings and judges; programs and names are unchanged."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "s.toml").write_text(
        'game = "../g.py:G"\nengine = "mine.py"\n'
        '[[position]]\nname = "p"\ngame = "t.toml"\nengine = "iterative:eval=w.toml"\nexpect = {}\n'
        '[[match]]\nname = "m"\ngame = "chess"\nplayers = ["a.py:f", "uci:./x.py", "random"]\n'
        'expect = {}\nopenings = { file = "o.pgn", balance = "b.py" }\nadjudicate = { exact = "c.py:d" }\n'
        '[[match]]\nname = "n"\nplayers = ["level:2", "random"]\nexpect = {}\n'
        '[[speed]]\nname = "s"\nplayers = ["a.py", "minimax"]\n'
    )
    source, name, line = suite.read(tmp_path / "in" / "s.toml")
    here = tmp_path / "in"
    assert name == str(here / "s.toml") and [line("match", at) for at in (0, 1)] == [8, 15]
    assert (source.game, source.engine) == (f"{tmp_path}/g.py:G", f"{here}/mine.py")
    (position,), (match, other), (speed,) = source.position, source.match, source.speed
    assert (position.game, position.engine) == (f"{here}/t.toml", f"iterative:eval={here}/w.toml")
    assert match.players == [f"{here}/a.py:f", "uci:./x.py", "random"] and match.game == "chess"
    assert match.openings == Openings(file=f"{here}/o.pgn", balance=f"{here}/b.py")
    assert match.adjudicate == Adjudication(exact=f"{here}/c.py:d")
    assert (other.players, other.openings) == (["level:2", "random"], Openings())
    assert (speed.players, speed.positions, speed.repeat) == ([f"{here}/a.py", "minimax"], [""], 3)


def test_the_xml_of_a_suite_word_for_word():
    """The xunit2 format of pytest; characters that XML cannot contain are question marks."""
    verdict = regress.CaseVerdict
    facts = {
        "n": 1,
        "ok": True,
        "no": False,
        "none": None,
        "list": [1, None],
        "in": {"x": 2.5, "y": {"z": "a"}},
    }
    verdicts = [
        verdict("met", "fine", facts, 1.25, "position", "one", "a.toml", 3),
        verdict("regression", "bad \x00\x1f\ud800\ufffe", {}, 0.5, "match", "two\t\x0b", "a.toml", 0),
        verdict(
            "expected failure",
            "so",
            {"k": "\ud7ff\ue000\ufffd\U00010000 \uffff"},
            0.0,
            "speed",
            "3",
            "b.toml",
            9,
        ),
        verdict("fault", "it fell", {}, 0.0004, "signature", "4", "a.toml", 7),
        verdict("unexpected success", "well", {}, 0.0, "position", "5", "b.toml", 1),
    ]
    golden("junit", junit.document(verdicts, "mine").decode())
    assert junit.document([]).decode() == (
        "<?xml version='1.0' encoding='utf-8'?>\n"
        '<testsuites name="gameplay regress" tests="0" failures="0" errors="0" skipped="0" time="0.000" />\n'
    )
