"""Several lines from one search: each has the value that a search of that move alone finds."""

import subprocess
import sys
from functools import cache

import pytest

from gameplay import Limit, registry
from gameplay.errors import Usage
from tests.support.searches import search_limited


@cache
def exact_values(game: str, text: str, depth: int) -> dict[int, float]:
    """The value of each move by minimax, computed once for all engines."""
    position = registry.game(game).new(text)
    return {
        move: search_limited("minimax", position, depth, moves=(move,)).value for move in position.moves()
    }


@pytest.mark.parametrize(
    "spec", ["minimax", "alphabeta:table=1MB", "iterative", "iterative:pvs=off,table=off"]
)
@pytest.mark.parametrize(
    ("game", "text", "depth"),
    [("connect4", "4444", 5), ("tictactoe", "b2", 5), ("othello", "f5 d6 c3", 3), ("chess", "", 2)],
)
def test_every_line_has_its_exact_value(spec: str, game: str, text: str, depth: int) -> None:
    position = registry.game(game).new(text)
    moves = position.moves()
    truth = exact_values(game, text, depth)
    report = search_limited(spec, position, depth, multipv=len(moves))
    assert {candidate.move: candidate.value for candidate in report.candidates} == truth
    assert [candidate.value for candidate in report.candidates] == sorted(truth.values(), reverse=True)
    assert all(
        candidate.pv[0] == candidate.move and candidate.bound == "exact" for candidate in report.candidates
    )
    assert (report.move, report.value) == (report.candidates[0].move, report.candidates[0].value)
    three = search_limited(spec, position, depth, multipv=3)
    assert [candidate.value for candidate in three.candidates] == sorted(truth.values(), reverse=True)[:3]


@pytest.mark.parametrize("spec", ["alphabeta", "iterative", "quiescence", "selective"])
def test_single_line_search_has_unchanged_node_counts(spec: str) -> None:
    position = registry.game("connect4").new("4455343")
    assert len(search_limited(spec, position, 6).candidates) == 1
    assert search_limited(spec, position, 6, multipv=1).nodes == search_limited(spec, position, 6).nodes


def test_multipv_marks_each_proven_move() -> None:
    position = registry.game("connect4").new("112233")  # 4 wins at once; nothing else is decided so early
    report = search_limited("alphabeta", position, 1, multipv=7)
    proven = {position.format(candidate.move): candidate.proven for candidate in report.candidates}
    assert proven.pop("4") and not any(proven.values())


def test_more_lines_than_moves_are_as_many_as_moves() -> None:
    assert len(search_limited("iterative", registry.game("tictactoe").new(), 2, multipv=500).candidates) == 9


@pytest.mark.parametrize("count", [0, -1])
def test_none_or_less_is_refused(count: int) -> None:
    with pytest.raises(Usage, match=rf"multipv must be a whole number of lines .* to 1,000,000, not {count}"):
        Limit(multipv=count)
    with pytest.raises(
        Usage, match=r"multipv must be a whole number of lines .* to 1,000,000, not 2147483648"
    ):
        Limit(multipv=2**31)


def uci_lines(*lines: str, until: str) -> list[str]:
    """The answers of the UCI server to these lines, up to the first one that begins with `until`."""
    words = [sys.executable, "-m", "gameplay", "uci", "connect4", "--engine", "iterative"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None and server.stdout is not None
        server.stdin.write("".join(f"{line}\n" for line in lines))
        server.stdin.flush()
        log = []
        for line in server.stdout:
            log.append(line.rstrip())
            if line.startswith(until):
                break
        server.stdin.write("quit\n")
        server.stdin.close()
        server.wait()
    return log


def test_uci_reports_multipv_lines_of_each_depth() -> None:
    asked = ("uci", "setoption name MultiPV value 3", "position startpos moves 4 4", "go depth 4")
    lines = uci_lines(*asked, until="bestmove")
    assert "option name MultiPV type spin default 1 min 1 max 500" in lines
    infos = [line.split() for line in lines if line.startswith("info depth 4 ")]
    last = infos[-3:]
    assert [line[line.index("multipv") + 1] for line in last] == ["1", "2", "3"]
    values = [int(line[line.index("cp") + 1]) for line in last]
    assert values == sorted(values, reverse=True)
    assert len({line[line.index("pv") + 1] for line in last}) == 3


def test_uci_refuses_another_number_of_lines() -> None:
    assert "info string MultiPV must be from 1 to 500, not '0'" in uci_lines(
        "setoption name MultiPV value 0", "isready", until="readyok"
    )


def test_play_shows_the_lines(capsys: pytest.CaptureFixture[str]) -> None:
    from gameplay.display.terminal import search_panel
    from gameplay.matches.match import Match
    from gameplay.players.empty_seat import EmptySeat

    match = Match(registry.game("connect4"), [EmptySeat()] * 2)
    report = search_limited("iterative", match.replica(), 4, multipv=3)
    lines = str(search_panel.search_facts(match, report, 0, 60)).splitlines()
    assert [line.split()[:2] for line in lines if line.startswith("line")] == [
        ["line", "1"],
        ["line", "2"],
        ["line", "3"],
    ]


def test_a_players_spec_may_ask_for_lines() -> None:
    engine, limit = registry.engine("iterative:depth=4,multipv=2")
    assert len(engine.search(registry.game("tictactoe").new(), limit).candidates) == 2
