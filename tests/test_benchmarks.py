"""Every section of the benchmarks runs at its smallest size; failures of peers are reported in a line."""

import re
import sys
import time

import pytest

from benchmarks import backgammon, environment, tactics
from benchmarks.__main__ import LONG, SECTIONS, main
from benchmarks.progress import Progress
from gameplay import registry

pytestmark = pytest.mark.once

# The start of a line of each section's output on a machine without programs of other projects.
ROWS = {
    "yardstick": r"yardstick: C\+\+ skipped: no C\+\+ compiler found",
    "plain": "Python, rules inlined",
    "reports": "pure",
    "peers": "gameplay, iterative",
    "matches": r"\d+ .* 3,000 with 2",
    "startup": "play tictactoe --plain",
    "perft": "gameplay",
    "korf": "79",
    "tactics": "gameplay, selective",
    "strength": "opponent",
    "levels": "2 ",
    "ffo": "FFO 40",
    "backgammon": "pure Python",
    "star": "Star2, ordered",
    "manyplayers": "paranoid",
    "mcts": "othello .* selective",
    "monopoly": "Jail",
    "go": "level",
    "tables": "up to 1 pieces",
    "solver": "begin-medium",
    "proof": "pns:mobility=off,weak=off",
    "cfr": "gameplay",
    "bridge": "thumb .* pimc",
    "scrabble": "100%|0%",
    "limits": "2 pairs of an engine",
    "response": "kuhn",
    "learning": "learned",
    "stepping": r"gameplay\.vector_env",
}


def test_every_section_is_listed_once():
    assert set(ROWS) == {*SECTIONS, *LONG} and len(ROWS) == len(SECTIONS) + len(LONG)


@pytest.mark.parametrize("section", [*SECTIONS, *LONG])
def test_section_runs_at_its_smallest_size(section, capsys):
    assert main([f"{section}:size=smallest,peers=off"]) == 0
    out, err = capsys.readouterr()
    assert re.search(rf"(?m)^\W*({ROWS[section]})", out), out
    assert "nan" not in out.split() and err.startswith(f"{section}: starting")
    assert all(" skipped: " in line or line.startswith(f"{section}: ") for line in err.splitlines())


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("mtcs", "unknown section 'mtcs'; did you mean 'mcts'?"),
        ("bridge:cuont=1", "unknown option of bridge 'cuont'; did you mean 'count'?"),
        ("bridge:size=tiny", "size must be usual or smallest, not 'tiny'"),
        ("bridge:peers=no", "peers must be on or off, not 'no'"),
        ("bridge:count=x", "bridge: invalid literal"),
        ("bridge:only=plays", "bridge: only must be play, not 'plays'"),
        ("solver:part=0,only=eight", "solver: part must be a whole number of at least 1, not '0'"),
        ("go:only=boards,boards=9x9", "go: unknown board '9x9'"),
        ("proof:only=ches", "proof: unknown set of positions 'ches'; did you mean 'chess'?"),
    ],
)
def test_invalid_arguments_end_with_status_2(argument, message, capsys):
    assert main([argument]) == 2
    assert message in capsys.readouterr().err


def test_peer_that_hangs_is_killed():
    start = time.monotonic()
    with pytest.raises(environment.PeerFailed, match=r"the sleeper failed: timeout after 0\.3 s"):
        environment.run([sys.executable, "-c", "import time; time.sleep(60)"], "the sleeper", 0.3)
    assert time.monotonic() - start < 55  # it would sleep for 60


def test_peer_that_hangs_is_killed_with_its_children():
    """A grandchild that holds the pipe open does not keep the benchmark waiting."""
    child = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
    start = time.monotonic()
    with pytest.raises(environment.PeerFailed, match="timeout"):
        environment.run([sys.executable, "-c", child], "the parent", 1.0)
    assert time.monotonic() - start < 55  # it would sleep for 60


def test_peer_that_fails_is_reported_in_a_line(monkeypatch, capsys):
    """The section ends with status 1, and the next one runs."""

    monkeypatch.setattr(environment, "install", lambda peers, folder=None: {})
    monkeypatch.setattr(environment, "scripts", lambda folder=None: environment.FOLDER / "no such folder")
    monkeypatch.setattr(environment, "_execute", lambda *arguments: _FailedProcess())
    assert main(["bridge:count=1", "korf:size=smallest,peers=off"]) == 1
    out, err = capsys.readouterr()
    assert "bridge: DDS on 1 deals failed: no cards\n" in err and "Manhattan" in out


class _FailedProcess:
    returncode, stdout, stderr = 1, "", "Traceback\nno cards\n"


def test_installation_that_fails_reports_the_peer_as_missing(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(environment, "peers_enabled", True)
    monkeypatch.setattr(environment.venv, "create", lambda folder, with_pip: None)
    monkeypatch.setattr(environment, "_execute", lambda *arguments: _FailedProcess())
    assert environment.install(["endplay"], tmp_path) == {"endplay": "no cards"}
    assert "installing endplay, at most 300 s" in capsys.readouterr().err


def test_peers_off_starts_no_peer(monkeypatch, tmp_path):
    monkeypatch.setattr(environment, "peers_enabled", False)
    monkeypatch.setattr(environment, "_execute", lambda *arguments: pytest.fail("started"))
    assert environment.install(["endplay"], tmp_path) == {"endplay": environment.OFF}
    assert environment.find_program("sh") is environment.find_compiler("cc", "gcc") is None


def test_tactics_run_as_many_positions_of_each_suite_and_engine(monkeypatch):
    """The number of positions solved by one engine does not limit the next."""
    counts = []

    def run_suite(name, engine, seconds, count):
        counts.append(count)
        return 7, ["x"] * (count - 7), 0

    monkeypatch.setattr(tactics, "run_suite", run_suite)
    monkeypatch.setattr(environment, "find_program", lambda name: f"/bin/{name}")
    assert len(list(tactics.tables(count="20"))) == 2
    assert counts == [20] * 6  # two suites, three engines


def test_progress_repeats_the_current_activity(monkeypatch, capsys):
    monkeypatch.setattr("benchmarks.progress.INTERVAL", 0.02)
    with Progress().begin("section") as shown:
        shown.show("waiting")
        shown.count(3, 1200, "deals")
        for _ in range(500):
            time.sleep(0.01)
            err = capsys.readouterr().err
            if "section: 3 of 1,200 deals, 0 s" in err:
                break
    assert "section: 3 of 1,200 deals, 0 s" in err


def test_backgammon_evaluation_scores_zero_against_itself():
    """Seats are exchanged with the same rolls: each pair of games sums to 0."""
    table = backgammon._matches([backgammon.TERMS], registry.game("backgammon"), 4, "terms", None)
    assert [list(column.cells) for column in table.columns][2] == ["+0.000"]
