"""Every section of the benchmarks runs at its smallest size; a peer that hangs or fails ends in a line."""

import importlib
import re
import sys
import time

import pytest

from benchmarks import backgammon, environment
from benchmarks.__main__ import LONG, SECTIONS, main
from benchmarks.progress import Progress, progress

pytestmark = pytest.mark.once

# What a row of the section's last table begins with, where the machine has no program of another project.
ROWS = {
    "yardstick": r"yardstick: no C\+\+ compiler",
    "plain": "Python, the rules written into it",
    "reports": "pure",
    "peers": "ours, iterative",
    "matches": r"\d+ .* 3,000 with 2",
    "startup": "play tictactoe --plain",
    "perft": "ours",
    "korf": "79",
    "tactics": "ours, selective",
    "strength": "opponent",
    "levels": "2 ",
    "ffo": "FFO 40",
    "backgammon": "plain Python",
    "star": "Star2, ordered",
    "manyplayers": "paranoid",
    "mcts": "othello .* selective",
    "monopoly": "Jail",
    "go": "level",
    "tables": "up to 1 pieces",
    "solver": "begin-medium",
    "proof": "pns:mobility=off,weak=off",
    "cfr": "ours",
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
    assert "nan" not in out.split() and err.startswith(f"{section}: begins")
    assert all(line.count("is left out: ") + line.count(f"{section}: ") for line in err.splitlines())


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("mtcs", "there is no section 'mtcs'; did you mean 'mcts'?"),
        ("bridge:cuont=1", "there is no option of bridge 'cuont'; did you mean 'count'?"),
        ("bridge:size=tiny", "size is usual or smallest, not 'tiny'"),
        ("bridge:peers=no", "peers is on or off, not 'no'"),
        ("bridge:count=x", "bridge: invalid literal"),
    ],
)
def test_wrong_words_end_with_status_2(words, reason, capsys):
    assert main([words]) == 2
    assert reason in capsys.readouterr().err


def test_peer_that_hangs_is_killed():
    begun = time.monotonic()
    with pytest.raises(environment.PeerFailed, match=r"the sleeper failed: it did not end in 0\.3 s"):
        environment.run([sys.executable, "-c", "import time; time.sleep(60)"], "the sleeper", 0.3)
    assert time.monotonic() - begun < 55  # it would sleep for 60


def test_peer_that_hangs_is_killed_with_its_children():
    """A grandchild that holds the pipe open does not keep the benchmark waiting."""
    child = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
    begun = time.monotonic()
    with pytest.raises(environment.PeerFailed, match="did not end"):
        environment.run([sys.executable, "-c", child], "the parent", 1.0)
    assert time.monotonic() - begun < 55  # it would sleep for 60


def test_peer_that_fails_is_reported_in_a_line(monkeypatch, capsys):
    """The section ends with status 1, and the next one runs."""
    bridge = importlib.import_module("benchmarks.bridge")
    monkeypatch.setattr(environment, "install", lambda peers, folder=None: {})
    monkeypatch.setattr(environment, "scripts", lambda folder=None: bridge.FOLDER / "no such folder")
    monkeypatch.setattr(environment, "_result", lambda *words: _Failed())
    assert main(["bridge:count=1", "korf:size=smallest,peers=off"]) == 1
    out, err = capsys.readouterr()
    assert "bridge: DDS on 1 deals failed: no cards\n" in err and "Manhattan" in out


class _Failed:
    returncode, stdout, stderr = 1, "", "Traceback\nno cards\n"


def test_installation_that_fails_leaves_the_peer_out(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(environment, "wanted", True)
    monkeypatch.setattr(environment.venv, "create", lambda folder, with_pip: None)
    monkeypatch.setattr(environment, "_result", lambda *words: _Failed())
    assert environment.install(["endplay"], tmp_path) == {"endplay": "no cards"}
    assert "installing endplay, at most 300 s" in capsys.readouterr().err


def test_no_peer_is_started_where_they_are_switched_off(monkeypatch, tmp_path):
    monkeypatch.setattr(environment, "wanted", False)
    monkeypatch.setattr(environment, "_result", lambda *words: pytest.fail("started"))
    assert environment.install(["endplay"], tmp_path) == {"endplay": environment.OFF}
    assert environment.program("sh") is environment.compiler("cc", "gcc") is None


def test_progress_repeats_the_current_step(monkeypatch, capsys):
    monkeypatch.setattr("benchmarks.progress.EVERY", 0.02)
    with Progress().begin("section") as watch:
        watch.say("waiting")
        watch.count(3, 1200, "deals")
        for _ in range(500):
            time.sleep(0.01)
            err = capsys.readouterr().err
            if "section: 3 of 1,200 deals, 0 s" in err:
                break
    assert "section: 3 of 1,200 deals, 0 s" in err
    assert progress.section, "the sections above have used it"


def test_backgammon_evaluation_against_itself_wins_nothing():
    """The seats are exchanged and the rolls are the same: each pair of games sums to 0."""
    table = backgammon._matches([backgammon.TERMS], 4, "terms", None)
    assert [list(column.cells) for column in table.columns][2] == ["+0.000"]
