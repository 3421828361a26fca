"""`gameplay analyse`: one position, several engines, and the theory of their values."""

import json
import shlex
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner

from gameplay import Limit, registry
from gameplay.cli import load, router, run
from gameplay.cli.common import options
from gameplay.cli.search import analyse as cli
from gameplay.display.reports.analysis import Shown
from gameplay.display.theme import Theme
from gameplay.errors import EngineFault, Usage
from gameplay.matches.match import match_without_players
from gameplay.players.engine import EnginePlayer
from gameplay.search import session
from gameplay.search.report import Report
from gameplay.suites import analysis
from tests.support.paths import TESTS

pytestmark = pytest.mark.once


def analyse(*words: str) -> list[str]:
    ran = CliRunner().invoke(load("analyse"), words, standalone_mode=False, catch_exceptions=False)
    assert ran.exception is None
    return ran.output.splitlines()


def document(*words: str) -> dict[str, Any]:
    results: dict[str, Any] = json.loads("\n".join(analyse(*words, "--json")))
    return results


def test_three_engines_agree_on_the_value_of_a_depth() -> None:
    words = ("connect4", "--moves", "4 4", "--engines", "minimax,alphabeta,iterative", "--depth", "5")
    lines = analyse(*words)
    assert [line.partition(":")[0] for line in lines[:6]] == [
        *("minimax", "minimax", "alphabeta", "alphabeta", "iterative", "iterative")
    ]
    assert all("search depth reached, move " in line and "depth 5/5" in line for line in lines[:6:2])
    assert all(": line 4 " in line for line in lines[1:6:2])
    assert lines[6] == (
        "minimax, alphabeta and iterative have the same value, as predicted by theory:"
        " that of minimax at 5 plies"
    )
    data = document(*words)
    assert data["equal"] is True and data["made"] == ["4", "4"] and data["turn"] == "blue"
    for engine in data["engines"]:
        report = registry.engine(engine["spec"])[0].search(
            registry.game("connect4").new("44"), Limit(depth=5)
        )
        assert (engine["value"], engine["nodes"], engine["depth"]) == (report.value, report.nodes, 5)
        assert (
            engine["unfinished"] is False
            and engine["text"].startswith("blue ")
            and " points" in engine["text"]
        )
    nodes = [engine["nodes"] for engine in data["engines"]]
    assert nodes[0] > nodes[1]


def test_an_engines_own_limit_overrides_the_common_one() -> None:
    data = document("tictactoe", "--engines", "minimax:depth=2,alphabeta,iterative:depth=2", "--depth", "3")
    assert [engine["depth"] for engine in data["engines"]] == [2, 3, 2]


def test_the_lines_of_one_engine() -> None:
    lines = analyse("chess", "--depth", "3", "--multipv", "3")
    assert lines[0].startswith("selective: ") and len(lines) == 4
    for number, line in enumerate(lines[1:], 1):
        assert line.startswith(f"selective: line {number}. white ") and " pawns: " in line
    data = document("chess", "--depth", "3", "--multipv", "2")
    assert len(data["engines"][0]["candidates"]) == 2 and data["equal"] is None


def test_stopped_analyses_are_unfinished_and_not_compared() -> None:
    data = document("connect4", "--engines", "minimax,alphabeta", "--depth", "30", "--nodes", "2000")
    assert [engine["unfinished"] for engine in data["engines"]] == [True, True] and data["equal"] is None
    assert all(
        engine["search"] == "unfinished: node limit" and engine["depth"] >= 3 for engine in data["engines"]
    )


def test_analyse_reports_engines_that_contradict_theory() -> None:
    def opinion(spec: str, value: int, depth: int = 4, stopped: str = "depth") -> analysis.Opinion:
        report = Report(value=value, depth=depth, stopped=stopped, final=True)
        return analysis.Opinion(spec, registry.engine(spec)[0], Limit(depth=4), report)

    agreement = analysis.agreement([opinion("minimax", 3), opinion("iterative", 4)])
    assert (
        agreement is not None
        and not agreement.equal
        and str(agreement).startswith("minimax and iterative differ")
    )
    assert analysis.agreement([opinion("minimax", 3), opinion("alphabeta", 4, depth=3)]) is None
    assert analysis.agreement([opinion("minimax", 3), opinion("selective", 9)]) is None
    assert analysis.agreement([opinion("minimax", 3), opinion("minimax:eval=none", 0)]) is None
    proven = analysis.agreement([opinion("minimax", 7), opinion("iterative", 7, 2, "proven")])
    assert proven is not None and proven.equal and proven.depth == 4


def test_analyse_reports_agreement_with_names_depth_and_causes() -> None:
    two, three = ("a", "b"), ("a", "b", "c")
    assert [
        str(analysis.Agreement(names, "minimax", depth, equal))
        for names, depth, equal in (*((two, 1, True), (three, 2, True), (two, 2, False)),)
    ] == [
        "a and b have the same value, as predicted by theory: that of minimax at 1 ply",
        "a, b and c have the same value, as predicted by theory: that of minimax at 2 plies",
        "a and b differ, though by theory each has the value of minimax at 2 plies "
        "(where positions repeat, a transposition table may be the cause: try table=off)",
    ]


def test_only_complete_searches_are_compared_at_the_deepest_common_depth() -> None:
    def opinion(spec: str, value: int, depth: int = 4, **more: Any) -> analysis.Opinion:
        fields = {"stopped": "depth", "final": True} | more
        report = Report(value=value, depth=depth, **fields) if fields.pop("there", True) else None
        return analysis.Opinion(spec, registry.engine(spec)[0], Limit(depth=fields.pop("asked", 4)), report)

    def agreement_of(*opinions: analysis.Opinion) -> tuple[tuple[str, ...], str, int, bool] | None:
        agreement = analysis.agreement(opinions)
        return agreement and (agreement.specs, agreement.theorem, agreement.depth, agreement.equal)

    first, same = opinion("minimax", 3), opinion("alphabeta", 3)
    assert agreement_of(first, same) == (("minimax", "alphabeta"), "minimax", 4, True)
    deeper = [opinion("iterative", 5, 6), opinion("iterative:table=off", 6, 6)]
    assert agreement_of(first, same, *deeper) == (("iterative", "iterative:table=off"), "minimax", 6, False)
    for late in (
        {"there": False},
        {"final": False},
        {"ahead": 5, "depth": 0},
        {"stopped": "interrupted"},
        {"stopped": "nodes"},
        {"stopped": "time"},
    ):
        other = opinion("alphabeta", 3, **late)
        assert other.unfinished and agreement_of(first, other) is None, late
    free = replace(opinion("alphabeta", 3, stopped="nodes"), limit=Limit(nodes=9))
    assert not free.unfinished and agreement_of(first, free) is not None
    assert agreement_of(first) is None and agreement_of() is None


def test_analyse_uses_limits_and_lines_of_each_engine() -> None:
    game = registry.game("connect4")
    common = Limit(depth=3, multipv=2)
    first, second, third = analysis.collect_opinions(
        ["minimax:depth=2", "alphabeta", "minimax:depth=2,multipv=3"], game, game.new(), common
    )
    assert (first.limit, second.limit) == (Limit(depth=2, multipv=2), common)
    assert third.limit == Limit(depth=2, multipv=3)
    assert not any(each.fault or each.knowledge for each in (first, second, third))
    assert first.report is None and first.unfinished
    sims, able = analysis.collect_opinions(["mcts", "minimax"], game, game.new(), Limit(depth=3))
    assert able.fault is None and "does not search ply by ply" in str(sims.fault)
    with pytest.raises(Usage, match="does not search ply by ply"):
        analysis.collect_opinions(["mcts", "random"], game, game.new(), Limit(depth=3))


def test_analyse_passes_reports_on_and_probes_knowledge(monkeypatch: pytest.MonkeyPatch) -> None:
    class RecordingSession:
        interrupted = False

        def __init__(self, engine: Any) -> None:
            self.engine, self.knowledge = engine, None

        def search(self, position: Any, limit: Limit, watch: Any) -> Report:
            assert (self.engine, self.knowledge, position, limit) == ("e", ("k",), "p", Limit(depth=2))
            watch(Report(depth=1))
            if fails:
                raise EngineFault("broken")
            return Report(depth=2)

    monkeypatch.setattr(analysis, "Session", RecordingSession)
    before = analysis.Opinion("x", "e", Limit(depth=2), knowledge=("k",))
    fails, reported = False, list[analysis.Opinion]()
    assert analysis.search(before, "p", reported.append) == replace(before, report=Report(depth=2))
    assert reported == [replace(before, report=Report(depth=1))]
    fails = True
    after = analysis.search(before, "p", reported.append)
    assert (after.report, str(after.fault)) == (None, "broken")
    RecordingSession.interrupted = True
    assert analysis.search(before, "p", reported.append) == before


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("--engines random", "random does not search"),
        ("--engines ''", "--engines names no engine"),
        ("--engines minimux", "unknown engine 'minimux'"),
        ("--engines minimax,alphabeta,minimax", "--engines names minimax twice. Try: name it once"),
        ("--engines minimax,alphabeta --multipv 2", "--multipv is for one engine"),
        ("--moves '1 2 1 2 1 2 1'", "the game is over"),
        *(
            (f"--{name} 0", f"--{name} is '0'; expected a whole number of {unit} from 1 to")
            for name, unit in (("depth", "plies"), ("multipv", "lines"))
        ),
        ("--engines mcts --depth 3", "does not search ply by ply"),
    ],
)
def test_analyse_refuses_unsupported_requests(options: str, why: str) -> None:
    with pytest.raises(Usage, match=why):
        analyse("connect4", *shlex.split(options))


def test_analyse_omits_figures_missing_from_a_custom_engine(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def choose(position, limit):\n    return {'move': 4, 'value': 0, 'depth': 2}\n"
    )
    status = analyse("tictactoe", "--engines", str(tmp_path / "mine.py"))[0]
    assert "depth 2," in status and "nodes" not in status
    (tmp_path / "bare.py").write_text("def choose(position, limit):\n    return 4\n")
    status = analyse("tictactoe", "--engines", str(tmp_path / "bare.py"))[0]
    assert "depth" not in status and "nodes" not in status


HANGS = "def choose(position, limit, watch):\n    while True: pass\n"


def test_an_engine_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "MAX_GRACE", 0.1)
    (tmp_path / "hang.py").write_text(HANGS)
    late = r"hang has not moved in 0\.1 s, its time limit \(hang\.py, line [12]\)"
    with pytest.raises(EngineFault, match=late):
        analyse("tictactoe", "--engines", str(tmp_path / "hang.py"), "--time", "0.1")


def test_ctrl_c_ends_an_engine_that_does_not_heed_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "MAX_GRACE", 0.6)
    (tmp_path / "hang.py").write_text(HANGS)

    def interrupt_late(
        self: Shown, opinions: list[analysis.Opinion], done: analysis.Opinion | None = None
    ) -> None:
        report = opinions[0].report
        if report is not None and report.seconds > 0.1:  # its time is over
            raise KeyboardInterrupt

    monkeypatch.setattr(Shown, "show", interrupt_late)
    with pytest.raises(click.Abort):
        analyse("tictactoe", "--engines", f"{tmp_path / 'hang.py'},minimax", "--time", "0.05")


def test_an_engine_that_cannot_play_names_those_that_can() -> None:
    race = str(TESTS / "examples" / "games" / "dice_race.py")
    able = r"\(these can: brs, maxn, mcts, paranoid, random\)"
    with pytest.raises(
        Usage, match=r"alphabeta cannot play this: it is for two players, and dicerace has 3 " + able
    ):
        analyse(race, "--engines", "alphabeta")
    with pytest.raises(Usage, match=able):
        EnginePlayer(registry.engine("minimax")[0]).check(registry.game(race).new())
    with pytest.raises(Usage, match=r"choose from: .*depth.*multipv.*nodes.*time"):
        registry.engine("minimax:dept=3")


def status(*words: str) -> tuple[int, str, str]:
    ran = CliRunner().invoke(load("analyse"), words, standalone_mode=False, catch_exceptions=False)
    return ran.return_value, ran.stdout, ran.stderr


def test_analyse_names_unsuitable_engines_and_shows_the_others(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def choose(position):\n    return 99\n")
    code, out, err = status("tictactoe", "--engines", "random,minimax,alphabeta", "--depth", "3")
    assert code == 2 and "minimax and alphabeta have the same value" in out
    assert err == "gameplay: random does not search: there is nothing to analyse\n"
    (tmp_path / "late.py").write_text(
        "import sys\n\n\ndef choose(position):\n    print('searched', file=sys.stderr)\n    return 0\n"
    )
    code, out, err = status("tictactoe", "--engines", f"{tmp_path / 'late.py'},mcts", "--depth", "3")
    assert code == 2 and "move a1" in out
    assert err.startswith("gameplay: mcts does not search ply by ply") and err.endswith("searched\n")
    words = ("tictactoe", "--engines", f"{tmp_path / 'bad.py'},minimax", "--depth", "3")
    code, out, err = status(*words, "--json")
    bad, good = json.loads(out)["engines"]
    assert code == 5 and bad["search"] == "failed" and "returned the move 99" in bad["fault"]
    assert good["depth"] == 3 and err.startswith("gameplay: bad returned the move 99")


def test_analyse_shows_moves_of_a_function_without_value(tmp_path: Path) -> None:
    (tmp_path / "bare.py").write_text("def choose(position):\n    return position.moves()[-1]\n")
    bare = str(tmp_path / "bare.py")
    assert "move c3" in analyse("tictactoe", "--engines", bare)[0]
    lines = analyse("tictactoe", "--engines", bare, "--multipv", "3")
    assert [line.rpartition(": line ")[2] for line in lines[1:]] == ["1. c3", "2. b3", "3. a3"]


def test_analyse_probes_the_knowledge_of_an_engine(tmp_path: Path) -> None:
    words = ["build", "nim:heaps=1+2+2", "--folder", str(tmp_path)]
    assert CliRunner().invoke(load("table"), words).exit_code == 0
    plain, plain_document = document(
        "nim:heaps=1+2+2", "--engines", f"iterative,iterative:tables={tmp_path}"
    )["engines"]
    assert plain_document["value"] == plain["value"] and plain_document["nodes"] < plain["nodes"]
    (plain_document,) = document("connect4", "--engines", "perfect", "--nodes", "9")["engines"]
    assert (plain_document["source"], plain_document["move"]) == ("book", "4")
    (plain_document,) = document("tictactoe", "--engines", "iterative:book=none", "--depth", "1")["engines"]
    assert plain_document["depth"] == 1
    with pytest.raises(Usage, match="book=own is probed only before a search"):
        analyse("tictactoe", "--engines", "iterative:book=own")


# -- how it ends -------------------------------------------------------------------------------------------


def status_of(monkeypatch: pytest.MonkeyPatch, words: str, *stopped: Any, agreed: Any = None) -> int:
    """The exit status if engines stopped for these reasons or failed."""
    opinions = [
        analysis.Opinion("e", None, Limit(), None, opinion)
        if isinstance(opinion, Exception)
        else analysis.Opinion("e", None, Limit(), opinion and Report(stopped=opinion))
        for opinion in stopped
    ]
    before = [
        replace(opinion, fault=None) if isinstance(opinion.fault, EngineFault) else opinion
        for opinion in opinions
    ]
    monkeypatch.setattr(analysis, "collect_opinions", lambda *what: before)
    monkeypatch.setattr(analysis, "agreement", lambda listed: agreed if listed is opinions else None)
    monkeypatch.setattr(cli, "_search", lambda match, asked, theme, quiet: opinions)
    return run(router, "gameplay", ["analyse", "tictactoe", *words.split()])


class Agreement:
    """Two engines that agree or disagree."""

    def __init__(self, equal: bool) -> None:
        self.equal = equal

    def __str__(self) -> str:
        return f"an alpha-beta {'x' * 20} end"


def test_the_status_is_that_of_the_worst_that_happened(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, theory = EngineFault("the first"), Usage("the second"), f"{Agreement(True)}\n"
    messages = "gameplay: the first\n", "gameplay: the second\n"
    for stopped, agreed, status, out, err in (
        (("depth",), None, 0, "", ""),
        (("depth", "nodes"), Agreement(True), 0, theory, ""),
        (("depth", "nodes"), Agreement(False), 3, theory, ""),
        (("depth", first, "nodes"), Agreement(False), 5, theory, messages[0]),
        (("depth", second, first), None, 2, "", messages[1] + messages[0]),
        ((first, first), None, 5, "", messages[0]),
        ((first, second), None, 5, "", messages[1] + messages[0]),
        ((second, first), None, 2, "", messages[1] + messages[0]),
        (("depth", "interrupted"), Agreement(False), 130, theory, "interrupted\n"),
        (("interrupted", first), None, 130, "", f"{messages[0]}interrupted\n"),
        (("depth", None), None, 130, "", "interrupted\n"),
    ):
        assert status_of(monkeypatch, "", *stopped, agreed=agreed) == status
        output = capsys.readouterr()
        assert (output.out, output.err.replace("\n\n", "\n").lstrip("\n")) == (out, err)


def test_theory_is_folded_to_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    theme = Theme(colour=False, unicode=True, interactive=True)
    theme.__dict__["console"] = SimpleNamespace(size=SimpleNamespace(width=24))
    monkeypatch.setattr(options.Drawing, "theme", lambda self, plain=False: theme)
    assert status_of(monkeypatch, "", "depth", agreed=Agreement(True)) == 0
    assert capsys.readouterr().out == f"an alpha-beta\n{'x' * 20} end\n"


def test_lines_of_one_engine_or_one_line_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    assert status_of(monkeypatch, "--engines minimax,alphabeta --multipv 1", "depth") == 0
    assert status_of(monkeypatch, "--engines minimax --multipv 2", "depth") == 0
    assert status_of(monkeypatch, "--engines minimax,alphabeta --multipv 2", "depth") == 2


def test_engines_search_one_after_the_other_until_one_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    requests: list[Any] = []

    class Showing:
        def __init__(self, match: Any, theme: Any, quiet: bool) -> None:
            shown.append(quiet)

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *error: object) -> None:
            shown.append("end")

        def show(self, opinions: Any, done: Any = None) -> None:
            shown.append(([opinion.spec for opinion in opinions], done and done.spec))

    def search(opinion: Any, position: Any, watch: Any) -> Any:
        requests.append(opinion.spec)
        assert position.text() == match.position.text() and position is not match.position
        watch(replace(opinion, spec=f"{opinion.spec}'"))
        report, fault = {"b": ("depth", None), "c": (None, Usage("no")), "d": ("interrupted", None)}[
            opinion.spec
        ]
        return replace(opinion, report=report and Report(stopped=report), fault=fault)

    monkeypatch.setattr("gameplay.display.reports.analysis.Shown", Showing)
    monkeypatch.setattr(analysis, "search", search)
    match = match_without_players(registry.game("tictactoe"))
    opinions: list[Any] = [analysis.Opinion(name, None, Limit()) for name in "abcde"]
    opinions[0] = replace(opinions[0], fault=Usage("cannot"))
    status = cli._search(match, opinions, LINES, True)
    assert requests == ["b", "c", "d"] and status is opinions
    assert [opinion.report and opinion.report.stopped for opinion in status] == [
        None,
        "depth",
        None,
        "interrupted",
        None,
    ]
    assert shown == [
        True,
        (["a", "b'", "c", "d", "e"], None), (["a", "b", "c", "d", "e"], "b"),
        (["a", "b", "c'", "d", "e"], None), (["a", "b", "c", "d", "e"], None),
        (["a", "b", "c", "d'", "e"], None), (["a", "b", "c", "d", "e"], "d"),
        "end",
    ]  # fmt: skip


LINES = Theme(colour=False, unicode=True, interactive=False)


def test_chance_moves_are_sampled_by_a_seed(capsys: pytest.CaptureFixture[str]) -> None:
    dealt = [document("kuhn", "--seed", seed, "--nodes", "100")["made"] for seed in ("1", "1", "2", "5")]
    assert dealt[0] == dealt[1] and len({*map(tuple, dealt)}) > 1 and all(len(cards) == 2 for cards in dealt)
    assert run(router, "gameplay", ["analyse", "kuhn"]) == 2
    assert capsys.readouterr().err == (
        "gameplay: it is chance's turn, there is no decision to search: make its moves first, such as J Q; "
        "or draw them: --seed 1\n"
    )
