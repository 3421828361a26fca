"""`selfplay` for users: a run like any other, started with a word or two."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from types import SimpleNamespace

import pytest

from gameplay.cli import load
from gameplay.display.terminal.progress import Progress
from gameplay.display.terminal.run_progress import RunProgressBar
from gameplay.store.runs import Store
from tests.support.commands import run_printed
from tests.support.paths import ROOT, TESTS
from tests.support.processes import is_group_gone
from tests.support.streams import Tty

pytestmark = pytest.mark.once

FAST = ("tictactoe", "--first", "alphabeta:depth=3", "--second", "random", "--jobs", "2")


@pytest.fixture
def selfplay(capsys):
    """Run `selfplay` with these words: status, standard output, standard error."""

    return partial(run_printed, capsys, command=load("selfplay"), name="selfplay")


@pytest.fixture
def gameplay(capsys):
    return partial(run_printed, capsys)


def last():
    with Store() as store:
        return store.run("last").id


def test_the_table_is_that_of_a_match(selfplay):
    status, out, err = selfplay(*FAST, "--games", "10")
    assert status == 0
    title = f"{last()}: tictactoe, 10 of 10 games, openings of 2 random plies, seed 1\n"
    assert out.startswith(f"{title}  first   alphabeta:depth=3\n  second  random\n")
    for words in ("The first engine's results", "wins", "as x", "as o", "together", "Elo ", "5 pairs"):
        assert words in out
    for words in ("plies on average", "no game repeats another", "nodes a second", "2 workers"):
        assert words in out
    assert err == "", "no progress where standard error is not a terminal"


def test_json_and_its_invariants(selfplay):
    status, out, _ = selfplay(*FAST, "--games", "10", "--json")
    result = json.loads(out)
    assert status == 0
    assert result["run"] == last() and result["ended"] == "complete"
    assert result["games"] == result["scheduled"] == 10
    assert result["wins"] + result["draws"] + result["losses"] == 2 * sum(result["pairs"])
    assert [sum(seat[k] for k in ("wins", "draws", "losses")) for seat in result["seats"]] == [5, 5]
    assert (result["rating"] is None) == (result["no_rating"] is not None)


def test_run_commands_accept_selfplay_runs(selfplay, gameplay, tmp_path):
    file = tmp_path / "games.jsonl"
    assert selfplay(*FAST, "--games", "12", "--out", file)[0] == 0
    assert f"{last()}  finished  12 of 12" in gameplay("status")[1]
    assert "state     finished, 12 of 12 games" in gameplay("status", "last")[1]
    assert "alphabeta:depth=3 scored " in gameplay("report", "last")[1]
    assert "12 games: moves, results and node counts are as recorded" in gameplay("verify", "last")[1]
    assert gameplay("export", "last")[1] == file.read_text()
    assert "12 games: moves, results and node counts are as recorded" in gameplay("verify", file)[1]
    status, out, _ = gameplay("resume", "last")
    assert status == 0 and "12 of 12 games" in out, "there was nothing to play"


def test_the_games_are_the_same_at_any_number_of_jobs_and_others_by_another_seed(selfplay, gameplay):
    results = []
    for more in (("--jobs", "1"), ("--jobs", "3"), ("--seed", "2")):
        assert selfplay(*FAST, "--games", "12", *more)[0] == 0
        results.append(gameplay("export", "last", "--bare")[1].splitlines()[1:])
    single, three, differing = results
    assert single == three
    assert len(single) == 12 and not set(single) & set(differing)


def test_the_same_games_as_match(selfplay, gameplay):
    assert selfplay("tictactoe", "--first", "alphabeta", "--second", "random", "--games", "6")[0] == 0
    mine = gameplay("export", "last", "--bare")[1]
    assert gameplay("match", "alphabeta", "random", "--game", "tictactoe", "--games", "6")[0] == 0
    assert gameplay("export", "last", "--bare")[1] == mine


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_selfplay_stores_its_games_and_resumes(tmp_path, home, gameplay, number, status):
    file = tmp_path / "part.jsonl"
    words = ["selfplay", "connect4", "--games", "400", "--nodes", "3000", "--jobs", "2", "--out", str(file)]
    with subprocess.Popen(
        [sys.executable, "-m", "gameplay", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        while process.poll() is None and not count_stored(home) > 3:
            time.sleep(0.01)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does: to the workers as well
        else:
            process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == status
    onward = r"gameplay run resume (\S+)\n"
    match = re.fullmatch(rf"interrupted after (\d+) of 400 games; resume with: {onward}", err)
    assert match, err
    games = int(match[1])
    assert 3 < games < 400
    assert "together" in out
    assert is_group_gone(process.pid), "a worker is left behind"
    assert f"{match[2]}  open   {games} of 400" in gameplay("status")[1]
    assert file.read_bytes().count(b"\n") == 1 + games
    assert gameplay("export", match[2])[1] == file.read_text()


def count_stored(home):
    """The number of games in the store, which need not exist yet."""
    if not (home / "runs.db").exists():
        return 0
    with Store(home / "runs.db") as store:
        return sum(1 for run in store.runs() for _ in store.games(run.id))


def test_resume_plays_the_missing_games(selfplay, gameplay):
    """A run interrupted at any point ends with the same games."""
    import sqlite3

    assert selfplay(*FAST, "--games", "12")[0] == 0
    whole = gameplay("export", "last", "--bare")[1]
    with Store() as store:
        path = store.path
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM game WHERE pair > 1 OR leg = 0")
    status, out, _ = gameplay("resume", "last", "--json", "--jobs", "1")
    assert status == 0 and json.loads(out)["games"] == 12
    assert gameplay("export", "last", "--bare")[1] == whole


@pytest.mark.parametrize(
    ("words", "status", "line"),
    [
        (("tictactoe", "--games", "5"), 2, "even number, not 5"),
        (
            ("tictactoe", "--first", "minmax"),
            2,
            "selfplay: unknown player 'minmax'; did you mean 'minimax'?",
        ),
        (("tictactoo",), 2, "did you mean 'tictactoe'?"),
        (("tictactoe", "--openings", "nowhere.txt"), 6, "there is no file nowhere.txt"),
        (
            ("tictactoe", "--games", "100", "--openings", "1"),
            2,
            "1 random ply finds only 9 distinct openings, and 50 pairs of games need 50: ask for 18 games",
        ),
        (("tictactoe", "--openings", "20"), 2, "over before 20 random plies"),
        (("tictactoe", "--depth", "0"), 2, "--depth is '0'; expected a whole number of plies from 1 to 255"),
        (("tictactoe", "--out", "games.xyz"), 2, "has no format '.xyz'"),
        (("tictactoe", "--out", "nowhere/games.jsonl"), 6, "there is no folder"),
        (("--resume", "old.jsonl"), 2, "gameplay run resume resumes the newest"),
    ],
)
def test_wrong_selfplay_arguments_print_one_line_and_store_nothing(selfplay, home, words, status, line):
    code, out, err = selfplay(*words)
    assert code == status
    assert line in err
    assert err.count("\n") == 1
    assert out == ""
    assert count_stored(home) == 0


def test_a_file_is_not_written_over(selfplay, home, tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text("mine")
    status, _, err = selfplay(*FAST, "--out", file)
    assert status == 2
    assert f"{file} exists: name another file" in err
    assert file.read_text() == "mine"
    assert count_stored(home) == 0


def test_the_suffix_chooses_the_format_of_the_games_own_records(selfplay, tmp_path):
    words = ("othello", "--first", "random", "--second", "random", "--games", "2", "--jobs", "1")
    assert selfplay(*words, "--out", tmp_path / "games.txt")[0] == 0
    transcripts = [line for line in (tmp_path / "games.txt").read_text().splitlines() if line]
    assert len(transcripts) == 2 and all(re.match("([A-Ha-h][1-8]){9}", line) for line in transcripts)


def test_openings_from_a_file(selfplay, gameplay, tmp_path):
    book = tmp_path / "book.txt"
    book.write_text("# the centre, a corner, an edge, and a line\nb2\na1\na2\na1 moves b2 c3\n")
    status, out, _ = selfplay(*FAST, "--openings", book)
    assert status == 0
    assert "8 of 8 games, openings of book.txt, seed 1" in out, "as many as there are openings for"
    jobs = [json.loads(line)["job"] for line in gameplay("export", "last")[1].splitlines()[1:]]
    begun = sorted(" ".join([job.get("start", ""), *job.get("moves", ())]) for job in jobs)
    assert begun == ["a1", "a1", "a1 b2 c3", "a1 b2 c3", "a2", "a2", "b2", "b2"]


def test_as_many_games_as_there_are_openings(selfplay):
    words = ("--first", "random", "--second", "random", "--openings", "1")
    status, out, _ = selfplay("tictactoe:width=2,height=3,line=3", *words)
    assert status == 0
    assert "12 of 12 games, openings of 1 random ply, seed 1" in out


def test_games_that_repeat_are_counted_and_not_rated(selfplay):
    words = ("tictactoe", "--first", "alphabeta:depth=2", "--second", "alphabeta:depth=1", "--openings", "0")
    status, out, _ = selfplay(*words, "--games", "6", "--jobs", "1")
    assert status == 0
    assert "all from the start" in out
    assert "4 of 6 games repeat another move for move" in out
    assert "Elo      none: " in out
    assert "4 games repeat another" in out


def test_selfplay_fault_reports_what_is_stored(selfplay, gameplay, tmp_path):
    game = tmp_path / "sticks.py"
    game.write_text(
        "from gameplay import Position, undoable\n\n\nclass Sticks(Position):\n    left = 6\n\n"
        "    def moves(self):\n        return [1, 2]\n\n    @undoable\n    def make(self, move):\n"
        "        self.left -= move\n        self.turn = 1 // (self.left != 1) - self.turn\n\n"
        "    def outcome(self):\n        return (1, -1) if self.left <= 0 else None\n"
    )
    words = (game, "--first", "random", "--second", "random", "--openings", "0", "--games", "40")
    status, out, err = selfplay(*words)
    assert status == 5
    assert re.match(r"selfplay: game \d+: sticks: make\(\d\) raised ZeroDivisionError", err)
    with Store() as store:
        kept = len(list(store.games(last())))
    assert f"(run {last()} has {kept} finished game" in err
    assert err.count("\n") == 1
    assert out == ""


def test_a_run_limited_by_time_is_not_searched_again(selfplay, gameplay):
    words = ("tictactoe", "--games", "2", "--first", "alphabeta", "--second", "random", "--time", "30")
    assert selfplay(*words)[0] == 0
    assert "limited by time, so not searched again" in gameplay("verify", "last")[1]


def progress_output(monkeypatch, stream, term):
    """The output on standard error of 4 games, one of which was finished before, and the number of bars."""
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress(4, done=1) as progress:
        progress.print_line("a disk is full")
        progress.advance("won 2, drawn 0, lost 0")
        progress.print_line("a disk has room")
    return stream.getvalue(), progress


@pytest.mark.parametrize(("width", "narrow"), [(40, True), (71, True), (72, False), (140, False)])
def test_progress_on_a_narrow_terminal_is_figures_only(width, narrow, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    lines, progress = progress_output(monkeypatch, Tty(), "xterm")
    assert progress.narrow == narrow and ("\u2501" in lines) != narrow
    assert "2 of 4 games, won 2" in lines


def test_progress_on_a_terminal_only(monkeypatch):
    """The bar disappears at the end, and messages above it remain."""
    lines, progress = progress_output(monkeypatch, Tty(), "xterm")
    assert "2 of 4 games, won 2, drawn 0, lost 0" in lines and not progress.narrow
    assert not progress.bar.live.is_started and progress.bar.live.transient
    assert (progress.bar.tasks[0].total, progress.bar.tasks[0].completed) == (4, 2)
    assert lines.index("a disk is full") < lines.index("a disk has room")
    assert lines.endswith("\x1b[2K"), "the line of the bar is wiped out"
    for stream, term in ((io.StringIO(), "xterm"), (Tty(), "dumb"), (Tty(), "")):
        lines, progress = progress_output(monkeypatch, stream, term)
        assert lines == "a disk is full\na disk has room\n" and progress.bar is None


def test_three_players_rotate_and_meet_the_same_dice(selfplay, gameplay):
    status, out, err = selfplay(
        TESTS / "examples" / "games" / "dice_race.py", "--games", "12", "--nodes", "50"
    )
    assert (status, err) == (0, "")
    assert "12 of 12 games, all from the start, the same dice in all games of a group" in out
    assert "points a game" in out and "each game is 2 pairings for each of its players" in out
    games = [json.loads(line) for line in gameplay("export", "last")[1].splitlines()[1:]]
    assert len({tuple(game["names"]) for game in games}) == 6, "each sits on each seat, beside each"
    throws = [
        [ply["move"] for ply in game["record"]["moves"] if ply["player"] < 0]
        for game in sorted(games, key=lambda game: (game["pair"], game["leg"]))
    ]
    for group in (throws[at : at + 3] for at in range(0, 12, 3)):
        shortest = min(map(len, group))
        assert len({tuple(entry[:shortest]) for entry in group}) == 1
    assert throws[0][:5] != throws[3][:5] or throws[0][:5] != throws[6][:5]


def test_an_engine_in_a_file_plays_in_worker_processes(selfplay, gameplay, tmp_path, monkeypatch):
    """A path relative to the current folder is found from anywhere, and again when the games are verified."""
    (tmp_path / "mine.py").write_text((TESTS / "examples" / "engines" / "greedy.py").read_text())
    monkeypatch.chdir(tmp_path)
    words = ("tictactoe", "--first", "./mine.py:backwards=on", "--second", "random", "--games", "8")
    status, out, err = selfplay(*words, "--jobs", "2")
    assert (status, err) == (0, "")
    assert f"{tmp_path}/mine.py:Greedy:backwards=on" in out
    monkeypatch.chdir("/")
    assert gameplay("verify", "last")[0] == 0


def test_a_file_that_is_no_engine_is_refused_in_a_line(selfplay, tmp_path):
    (tmp_path / "wrong.py").write_text("x = 3\n")
    status, out, err = selfplay("tictactoe", "--first", tmp_path / "wrong.py", "--games", "2")
    assert (status, out) == (6, "")
    assert "holds no engine; expected a function choose(position) that returns a move" in err
    assert err.count("\n") == 1


def test_a_game_of_dice_between_the_engines_for_it(selfplay, gameplay):
    tree = ROOT / "gameplay" / "games" / "tree" / "files" / "chance.toml"
    words = (tree, "--first", "expectiminimax:depth=4", "--second", "mcts:sims=50", "--games", "4")
    assert selfplay(*words, "--openings", "0")[0] == 0
    games = [json.loads(line)["record"] for line in gameplay("export", "last")[1].splitlines()[1:]]
    values = [ply["value"] for game in games for ply in game["moves"] if "value" in ply]
    assert 2.1 in [round(value, 9) for value in values if value is not None]
    assert gameplay("verify", "last")[0] == 0


class Bar:
    """Replaces a progress bar: records its calls."""

    def __init__(self) -> None:
        self.updates = []

    def update(self, task, **facts):
        self.updates.append((task, facts))


def test_progress_bar_shows_score_and_remaining_games():
    def schedule(players, total, places=2):
        pairs = [SimpleNamespace(legs=3), SimpleNamespace(legs=4)]
        plan = SimpleNamespace(players=["a"] * players)
        return SimpleNamespace(total=total, plan=plan, places=places, pairs=lambda met: pairs)

    def progress_of(schedule, done, narrow=False, **standing):
        live = RunProgressBar(schedule, 2)
        live.narrow = narrow
        live.bar, live.task = Bar(), "task"
        facts = {"pairs": [SimpleNamespace(legs=5), SimpleNamespace(legs=6)], "verdict": None, **standing}
        live.games_stored(
            [(None, SimpleNamespace(counts=result)) for result in done], SimpleNamespace(**facts)
        )
        return live.total, live.done, live.bar.updates

    tally = SimpleNamespace(games=(1, 2, 3))
    more = {"advance": 1, "description": "won 3, drawn 2, lost 1"}
    assert progress_of(schedule(2, 20), [True, False, True], tally=tally) == (20, 2, [("task", more)] * 2)
    assert progress_of(schedule(2, None), [True], tally=tally) == (
        7,
        2,
        [("task", more), ("task", {"total": 11})],
    )
    assert progress_of(schedule(2, 0), [False], tally=tally) == (0, 2, [])
    ((_, few),) = progress_of(schedule(2, 20), [True], narrow=True, tally=tally)[2]
    assert few["description"] == "+3 =2 -1"
    for decision, text in ((None, "LLR 1.20"), ("H1", "H1 accepted")):
        verdict = SimpleNamespace(decision=decision, figures="LLR 1.20")
        (_, facts), *_ = progress_of(schedule(2, 9), [True], tally=tally, verdict=verdict)[2]
        assert facts["description"] == f"won 3, drawn 2, lost 1, {text}"
    for places, text in ((2, "3 pairs complete"), (3, "3 groups of 3 games complete")):
        ((_, facts),) = progress_of(schedule(3, 9, places), [True], results=[1, 2, 3])[2]
        assert facts["description"] == text


@pytest.mark.parametrize("command", [["selfplay", "nim"], ["match", "random", "random", "--game", "nim"]])
def test_bad_numbers_of_games_are_rejected(command, gameplay):
    status, _, error = gameplay(*command, "--games", "0")
    assert status == 2
    assert error.startswith(f"gameplay {command[0]}: --games: '0' is not a whole number from 1 up. Try: ")
    status, _, error = gameplay(*command, "--games", "1")
    assert (status, error) == (2, "gameplay: games: expected a whole number of at least 2, not 1\n")
