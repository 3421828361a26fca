"""KataGo as an analysis engine: its reports, reviews by it, and reports of its faults."""

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from gameplay import registry
from gameplay.api.reviewing import review_of
from gameplay.cli import router, run
from gameplay.display.terminal import search_panel
from gameplay.errors import EngineFault, Usage
from gameplay.players import seats
from gameplay.players.analysis import Analysis
from gameplay.players.verdict import SCORE_THRESHOLDS
from gameplay.search.limit import Limit
from gameplay.search.report import RatedCandidate, Report
from gameplay.search.session import Session
from gameplay.store.record import record_of
from tests.support.hosted import play_match
from tests.support.paths import TESTS
from tests.support.programs import mark, short_timeouts

pytestmark = [pytest.mark.once, pytest.mark.skipif(os.name != "posix", reason="outside engines need POSIX")]

GO = registry.game("go:size=5,komi=2.5")

assert mark and short_timeouts  # fixtures


def spec(mark: str, *more: str, options: str = "") -> str:
    words = [sys.executable, "-I", "-S", str(TESTS / "support" / "mock_katago.py"), "--mark", mark]
    return f"katago:{shlex.join([*words, *more])},name=mock{options}"


def analyse(text: str, limit: Limit, moves: str = "") -> Report:
    engine, own = seats.analysis_engine(text)
    position = GO.new()
    for word in moves.split():
        position.make(position.parse(word))
    try:
        return Session(engine).search(position, engine.combine_limits(own, limit))
    finally:
        engine.close()


def queries(log: Path) -> list[dict[str, Any]]:
    results = [json.loads(line) for line in log.read_text().splitlines()]
    return [result for result in results if "action" not in result]


@pytest.mark.parametrize("moves", ["", "A1"])
def test_a_report_rates_each_move(mark: str, tmp_path: Path, moves: str) -> None:
    """From the mover's view for both colours."""
    log = tmp_path / "log"
    report = analyse(spec(mark, "--log", str(log)), Limit(nodes=300, multipv=2), moves)
    position = GO.new()
    first, second = report.candidates
    assert isinstance(first, RatedCandidate) and isinstance(second, RatedCandidate)
    assert [position.format(candidate.move) for candidate in report.candidates] == ["C3", "D4"]
    assert (first.value, second.value) == pytest.approx((0.4 * position.unit, 0.0))
    assert (first.lead, first.prior, first.visits) == (pytest.approx(4.0), 0.5, 100)
    assert first.remarks == "lead +4.0, prior 50.0%, 100 visits"
    assert (report.move, report.bound, report.visits, report.stopped) == (
        first.move,
        "expectation",
        301,
        "simulations",
    )
    assert len(report.pv) == 2 and len(report.visited) == 3
    (query,) = queries(log)
    assert query["maxVisits"] == 300 and query["boardXSize"] == 5 and "allowMoves" not in query
    assert query["moves"] == ([["B", "A1"]] if moves else [])


def test_moves_can_be_chosen(mark: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    move = GO.new().parse("E5")
    report = analyse(spec(mark, "--log", str(log)), Limit(moves=(move,)))
    assert report.move == move and report.value == pytest.approx(-0.8 * GO.new().unit)
    (query,) = queries(log)
    assert query["allowMoves"] == [{"player": "B", "moves": ["E5"], "untilDepth": 1}]
    assert "maxVisits" not in query, "its own configuration limits the search"


def test_a_review_names_the_mistake(mark: str) -> None:
    """A1 has the winrate 0.1, C3 0.7: a loss of 0.6 points."""
    match = play_match(GO, "script:A1 C3,script:C3 D4", 2)
    review = review_of(record_of(match), spec(mark, options=",nodes=300"), Limit(), store=False)
    first, second = review.moves
    assert (first.better, first.verdict) == ("C3", "blunder") and first.loss == pytest.approx(0.6)
    assert first.loss > SCORE_THRESHOLDS[-1] and second.loss == 0.0
    assert (first.score_before, first.score_after) == (pytest.approx(0.7), pytest.approx(0.1))
    assert review.limit == str(Limit(nodes=300)) and "katago:" in review.engine


def test_our_server_is_a_counterpart(capsys: pytest.CaptureFixture[str]) -> None:
    ours = f"katago:{sys.executable} -m gameplay katago --engine mcts:seed=1"
    words = ["analyse", "go:size=5", "--engines", ours, "--nodes", "60", "--multipv", "2", "--json"]
    assert run(router, "gameplay", words) == 0
    (analysis,) = json.loads(capsys.readouterr().out)["engines"]
    assert (
        analysis["visits"] >= 60
        and len(analysis["candidates"]) == 2
        and analysis["pv"][0] == analysis["move"]
    )
    assert all(each["bound"] == "expectation" and each["lead"] is not None for each in analysis["candidates"])
    assert [each["prior"] for each in analysis["candidates"]] == [None, None], "it has no learned policy"


def test_analysis_mode_accepts_an_external_analyst(mark: str) -> None:
    analysis = Analysis(GO, spec(mark), 2)
    match = play_match(GO, "random,random", 1)
    analysis.follow(match)
    analysis.wait(10)
    report = analysis.report()
    assert report is not None and report.pv and len(report.candidates) >= 1 and analysis.state() == "mock"
    analysis.end()
    analysis.player.engine.close()


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("dies", "crash", "mock exited with status 1; its last words: out of GPU memory"),
        ("error", "protocol_error", r"mock reports an error: Could not set rules \(rules\)"),
        ("deaf", "hang", "mock did not stop when asked to"),
        ("nothing", "protocol_error", "mock answered without a move"),
    ],
)
def test_analyst_faults_are_one_line(mark: str, fault: str, kind: str, words: str) -> None:
    with pytest.raises(EngineFault, match=f"^{words}$") as caught:
        analyse(spec(mark, "--fault", fault), Limit(seconds=0.05))
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["go:size=5", "--engines", "katago:sh", "--depth", "3"], "KataGo cannot limit depth"),
        (["chess", "--engines", "katago:sh"], "KataGo's analysis protocol is only for Go, not for chess"),
        (["go", "--engines", "uci:sh"], "'uci:sh' plays but does not analyse"),
        (["go", "--engines", "katago:nonesuch"], "nonesuch: No such file or directory"),
    ],
)
def test_refusals(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    assert run(router, "gameplay", ["analyse", *words]) in (2, 6)
    err = capsys.readouterr().err
    assert message in err and len(err.splitlines()) == 1


def test_a_trace_is_refused(mark: str) -> None:
    engine, _ = seats.analysis_engine(spec(mark))
    with pytest.raises(Usage, match="cannot be traced"):
        Session(engine).search(GO.new(), Limit(), trace=lambda event: None)


def test_panel_shows_the_engines_message_before_the_line(mark: str) -> None:
    report = analyse(spec(mark), Limit(nodes=300, multipv=2))
    match = play_match(GO, "random,random", 0)
    text = search_panel.analysis_lines(match, report, 0, 60).plain
    assert "70 %  (lead +4.0, prior 50.0%, 100 visits) C3 pass" in text
    assert "50 %  (lead +0.0, prior 25.0%, 100 visits) D4 pass" in text
