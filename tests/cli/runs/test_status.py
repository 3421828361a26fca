"""`gameplay run status`: lists, single runs, faults, notes."""

import importlib
import json
from pathlib import Path

import msgspec
import pytest

from gameplay.cli import run
from gameplay.cli.common import width as cli_width
from gameplay.cli.runs import status as status_command
from gameplay.cli.runs.status import _document_lines, _print_list
from gameplay.glossary import TERMS
from gameplay.runs.faults import fault_counts
from gameplay.runs.job import GameResult
from gameplay.runs.plan import Openings, Plan
from gameplay.runs.played import to_store
from gameplay.runs.schedule import Schedule
from gameplay.runs.stored import new
from gameplay.store import run_queries
from gameplay.store.jsonl import VOID
from gameplay.store.runs import FINISHED, Store
from tests.support.stored_runs import COIN, PLAN, THREE, gameplay, run_copy, store_run, stored_run

pytestmark = pytest.mark.once

assert gameplay and run_copy and stored_run  # fixtures


# -- status -------------------------------------------------------------------------------------


def test_status_without_a_run(gameplay, tmp_path):
    status, out, err = gameplay("status")
    assert (status, err) == (0, "") and out.startswith("No runs are stored yet. Begin one: gameplay match")
    assert json.loads(gameplay("status", "--json")[1])["runs"] == []
    status, out, err = gameplay("status", "--store", tmp_path / "none.db")
    error = f"gameplay: there is no store {tmp_path / 'none.db'}: nothing has been stored there\n"
    assert (status, err) == (6, error)


def test_status_lists_the_newest_first(gameplay, run_copy):
    path, first = run_copy
    second = store_run(path, THREE, 0)
    status, out, err = gameplay("status", "--store", path)
    rows = out.splitlines()
    assert (status, err) == (0, "")
    assert rows[1].startswith(second) and "0 of 12" in rows[1] and "minimax:depth=1, random, alpha" in rows[1]
    assert rows[2].startswith(first) and "9 of 12" in rows[2] and "new, old" in rows[2] and " %" in rows[2]
    document = json.loads(gameplay("status", "--store", path, "--json")[1])
    assert [run["run"] for run in document["runs"]] == [second, first]
    assert document["runs"][0]["score"] is None


def test_a_plan_that_cannot_be_read_hides_no_other_run(gameplay, run_copy):
    path, run_id = run_copy
    with Store(path) as store:
        other = store.create(new(PLAN))
        store._db.execute("UPDATE run SET plan = '{}' WHERE id = ?", (other,))
    status, out, _ = gameplay("status", "--store", path)
    assert status == 0 and run_id in out and other in out
    status, out, err = gameplay("status", other, "--store", path)
    assert status == 6 and not out and "cannot read the plan of this run" in err


def test_status_of_a_run(gameplay, run_copy):
    path, run_id = run_copy
    status, out, err = gameplay("status", "last", "--store", path)
    assert (status, err) == (0, "")
    assert out.startswith(f"{run_id}: tictactoe, match, begun ")
    for words in (
        "state     not finished, 9 of 12 games\n",
        "score     new: ",
        "SPRT      undecided (LLR ",
        "normalized Elo of the first player (H0: 0, H1: 50)",
        "(pentanomial: pairs by the points of new)",
        "faults    none",
        "9 by the rules",
        f"resume    gameplay run resume {run_id} --store {path}\n",
    ):
        assert words in out, words
    document = json.loads(gameplay("status", run_id, "--store", path, "--json")[1])
    new, old = document["players"]
    assert (new["wins"], new["losses"]) == (old["losses"], old["wins"])
    assert sum(document["pairs"]) == 4 and document["counted"] == 9 and document["scheduled"] == 12
    assert document["sprt"]["decision"] is None and document["go_on"] == f"gameplay run resume {run_id}"


def test_status_lists_faults_notes_and_owner(gameplay, run_copy):
    path, run_id = run_copy
    with Store(path) as store:
        schedule = Schedule(PLAN)
        pair = schedule.pairs({})[5]
        void, crash = schedule.job(pair, 0, 1), schedule.job(pair, 1, 1)
        lost = GameResult(
            *(5, 1, 1, "crash"),
            points=1.0,
            payoffs=(-1.0, 1.0),
            fault="it died by signal 11\nall that it wrote",
            offender=0,
        )
        store.record(
            run_id, [to_store(void, GameResult(5, 0, 1, VOID, fault="worker gone")), to_store(crash, lost)]
        )
        store.note(run_id, "the room grew hot")
        store.lock(run_id)
        out = gameplay("status", run_id, "--store", path)[1]
        assert "state     playing by process " in out
        assert "go on" not in out
    out = gameplay("status", run_id, "--store", path)[1]
    for words in ("old: 1 crash", "this machine: 1 void", "pair 5, leg 1: old: it died by signal 11"):
        assert words in out, out
    assert "all that it wrote" not in out
    assert "1 void, not counted" in out and "the room grew hot" in out
    with Store(path) as store:
        store.set_state(run_id, FINISHED, "H1 accepted")
    out = gameplay("status", run_id, "--store", path)[1]
    assert "state     finished, 10 of 12 games: H1 accepted" in out and "go on" not in out


def test_status_of_a_tournament_and_of_a_lost_game(gameplay, tmp_path):
    path = tmp_path / "runs.db"
    store_run(path, THREE, 12)
    out = gameplay("status", "last", "--store", path)[1]
    assert "12 of 12 games" in out and "pairs" not in out
    assert [f" {name}: " in out for name in ("minimax:depth=1", "random", "alphabeta:depth=1")] == [True] * 3
    game = tmp_path / "coin.py"
    game.write_text(COIN)
    store_run(
        path, Plan(game=str(game), players=PLAN.players[1:] * 2, games=2, openings=Openings(plies=0)), 2
    )
    game.unlink()
    status, out, _ = gameplay("status", "last", "--store", path)
    assert status == 0 and "2 games" in out, "a run can be looked at without its game"


def store_games(path, plan, results):
    """A store with a run of the plan, whose games gave its first player these points."""
    schedule = Schedule(plan)
    due = [schedule.job(pair, leg, 1) for pair, leg in schedule.games({})]
    with Store(path) as store:
        run_id = store.create(new(plan))
        for job, points in zip(due, results, strict=False):
            mine = 2 * points - 1
            payoffs = (mine, -mine) if job.leg == 0 else (-mine, mine)
            done = GameResult(
                job.pair, job.leg, 1, "crash", points=points, payoffs=payoffs, fault="it died", offender=1
            )
            store.record(run_id, [to_store(job, done)])
    return run_id


def test_status_json_counts_results_by_player_and_seat(gameplay, tmp_path, monkeypatch):
    path = tmp_path / "runs.db"
    plan = msgspec.structs.replace(PLAN, sprt=None, title="by hand")
    run_id = store_games(path, plan, (1, 0.5, 0.5, 0.5, 0, 1, 1))
    monkeypatch.setattr(run_queries, "game_lengths", lambda store, run: (5.26, 9, 1.23456))
    document = json.loads(gameplay("status", run_id, "--store", path, "--json")[1])
    for name in ("run", "created", "code", "troubles", "faults"):
        document.pop(name)
    assert document == {
        "title": "by hand", "game": "tictactoe", "form": "match", "state": "open", "verdict": "",
        "counted": 7, "void": 0, "after_stop": 0, "quarantined": 0, "scheduled": 12,
        "players": [
            {"name": "new", "wins": 3, "draws": 3, "losses": 1},
            {"name": "old", "wins": 1, "draws": 3, "losses": 3},
        ],
        "seats": [
            {"name": "new", "seat": 0, "wins": 2, "draws": 1, "losses": 1},
            {"name": "old", "seat": 1, "wins": 1, "draws": 1, "losses": 2},
            {"name": "old", "seat": 0, "wins": 0, "draws": 2, "losses": 1},
            {"name": "new", "seat": 1, "wins": 1, "draws": 2, "losses": 0},
        ],
        "pairs": [0, 0, 2, 1, 0], "sprt": None, "terminations": {"crash": 7}, "repeats": 0, "plies": 5.3,
        "longest": 9, "seconds": 1.235, "claims": [], "notes": [], "owner": "",
        "go_on": f"gameplay run resume {run_id}",
    }  # fmt: skip
    (line,) = json.loads(gameplay("status", "--store", path, "--json")[1])["runs"]
    assert line.pop("created") and line == {
        "run": run_id, "title": "by hand", "players": ["new", "old"], "game": "tictactoe", "state": "open",
        "counted": 7, "scheduled": 12, "score": 4.5 / 7,
    }  # fmt: skip


def test_runs_stand_in_columns(capsys):
    line = {
        "run": "tictactoe-abcdef", "state": "finished", "counted": 1200, "scheduled": 1200, "score": 0.525,
        "created": "2026-11-22T12:30:15Z", "title": "", "players": ["new", "old"], "game": "tictactoe",
    }  # fmt: skip
    other = {
        "run": "go-abcdef",
        "state": "open",
        "counted": 0,
        "scheduled": None,
        "score": None,
        "title": "x",
    }
    _print_list([line, line | other], "gameplay run status RUN")
    assert capsys.readouterr().out == (
        "run               state     games           score   begun (UTC)       players\n"
        "tictactoe-abcdef  finished  1,200 of 1,200  52.5 %  2026-11-22 12:30  new, old\n"
        "go-abcdef         open      0                       2026-11-22 12:30  new, old (x)\n"
        "\n"
        "The score is that of the first player. One of them: gameplay run status RUN\n"
    )


def test_status_prints_a_run_in_lines():
    """Each known fact has a line; unknown facts are omitted."""
    bare = {
        "run": "go-abcdef", "title": "", "game": "go", "form": "match", "state": "finished", "verdict": "",
        "created": "then", "code": "0.1", "counted": 0, "scheduled": None, "void": 0, "after_stop": 0,
        "quarantined": 0, "players": [], "seats": [], "pairs": None, "sprt": None, "terminations": {},
        "repeats": 0, "plies": 0.0, "longest": 0, "seconds": 0.0, "faults": [], "troubles": [], "claims": [],
        "notes": [], "owner": "", "go_on": None,
    }  # fmt: skip
    head = "go-abcdef: go, match, begun then by gameplay 0.1"
    assert _document_lines(bare, None) == [head, "state     finished, 0 games", "faults    none"]
    troubles = [
        {"offender": who, "termination": kind, "pair": pair, "leg": 1, "fault": f"fault {pair}"}
        for pair, (who, kind) in enumerate([("b", "hang"), ("", "void"), ("a", "crash"), ("b", "hang")])
    ]
    full = bare | {
        "title": "a title", "state": "open", "verdict": "so far", "counted": 1100, "scheduled": 1200,
        "players": [
            {"name": "a", "wins": 2, "draws": 1, "losses": 5},
            {"name": "b", "wins": 5, "draws": 1, "losses": 2},
        ],
        "pairs": [1, 2, 3, 4, 5], "sprt": {"words": "undecided"}, "terminations": {"rules": 7, "plies": 1},
        "plies": 12.5, "longest": 20, "seconds": 1.26, "troubles": troubles, "claims": troubles,
        "faults": [f.as_dict() for f in fault_counts((t["offender"], t["termination"]) for t in troubles)],
        "void": 2, "after_stop": 3, "quarantined": 4, "notes": [{"at": "noon", "text": "hot"}],
        "owner": "process 7", "go_on": "gameplay run resume go-abcdef",
    }  # fmt: skip
    last = [
        "          pair 1, leg 1: fault 1",
        "          pair 2, leg 1: fault 2",
        "          pair 3, leg 1: fault 3",
    ]
    troubled = [last[0], last[1].replace("fault", "a: fault"), last[2].replace("fault", "b: fault")]
    assert _document_lines(full, Path("/a b/runs.db")) == [
        "go-abcdef (a title): go, match, begun then by gameplay 0.1",
        "state     not finished by process 7, 1,100 of 1,200 games: so far",
        "score     a: 2 won, 1 drawn, 5 lost, 31.2 %",
        "pairs     0: 1  0.5: 2  1: 3  1.5: 4  2: 5  (pentanomial: pairs by the points of a)",
        "SPRT      undecided",
        "length    12.5 plies on average, 20 at most",
        "ends      7 by the rules, 1 adjudicated as a draw by its length; 1.3 s of play",
        "faults    a: 1 crash; b: 2 hangs; this machine: 1 void game",
        *troubled,
        "claims    that contradict the rules (ignored): : 1, a: 1, b: 2",
        *last,
        "          2 void, not counted",
        "          3 after stop, not counted",
        "          4 quarantined, not counted",
        "note      noon hot",
        "resume    gameplay run resume go-abcdef --store '/a b/runs.db'",
    ]
    points = {"mean": 1.5, "low": 1.0, "high": 2.0, "los": 0.9, "groups": 4}
    three = full | {
        "players": [
            {"name": "a", "wins": 2, "draws": 0, "losses": 0, "points": points},
            {"name": "b", "wins": 0, "draws": 1, "losses": 1, "points": None},
            {"name": "c", "wins": 0, "draws": 1, "losses": 1},
        ],
        "pairs": None, "repeats": 3, "state": "failed", "owner": "",
    }  # fmt: skip
    lines = _document_lines(three, None)
    assert lines[1:7] == [
        "state     failed, 1,100 of 1,200 games: so far",
        "score     a: 2 won, 0 drawn, 0 lost, 100.0 %; +1.50 a game [+1.00, +2.00]",
        "          b: 0 won, 1 drawn, 1 lost, 25.0 %",
        "          c: 0 won, 1 drawn, 1 lost, 25.0 %",
        "SPRT      undecided",
        "length    12.5 plies on average, 20 at most, 3 repeat another",
    ]
    assert lines[-1] == "resume    gameplay run resume go-abcdef"
    none = _document_lines(bare | {"pairs": [0, 0, 0, 0, 0]}, None)
    assert none[2].endswith("(pentanomial: pairs by the points of the first player)")


# -- what was kept by earlier versions ------------------------------------------------------------


def test_stop_reaches_the_owner_of_a_run(run_copy, gameplay):
    path, run_id = run_copy
    status, out, err = gameplay("stop", "--store", path)
    assert (status, out) == (2, "") and f"{run_id} is not being played; it is " in err
    with Store(path) as store:
        store.lock(run_id)
        owner = store.lock_owner(run_id)
        assert gameplay("stop", run_id, "--store", path) == (
            0, f"asked {owner} to stop {run_id} after the games in progress\n", "",
        )  # fmt: skip
        assert store.stop_requested(run_id)


def test_resume_of_a_saved_game_refuses_run_options(gameplay):
    for flag in (("--jobs", "2"), ("--cluster", "tcp://nobody:1"), ("--store", "x.db"), ("--json",)):
        message = "gameplay: --jobs, --cluster, --store and --json go with a run, and 1 is a saved game\n"
        assert gameplay("resume", "1", *flag) == (2, "", message)


def test_a_saved_game_is_resumed_by_its_number_or_its_file(tmp_path, monkeypatch):
    """The result and status are those of `play --resume`; any other name is a run."""
    requests = []

    class Play:
        def main(self, words, name, standalone_mode):
            requests.append((words, name, standalone_mode))
            return given.pop()

    monkeypatch.setattr("gameplay.cli.load", lambda name: {"play": Play()}[name])
    resume = importlib.import_module("gameplay.cli.runs.resume").command
    file = tmp_path / "game.json"
    file.write_text("")
    for which in ("12", str(file)):
        given = [4, None, 0]
        assert [run(resume, "gameplay run resume", [which]) for _ in range(3)] == [0, 0, 4]
    calls = [(["--resume", which], "gameplay play", False) for which in ("12", str(file))]
    assert requests == [call for call in calls for _ in range(3)]
    assert run(resume, "gameplay run resume", [str(tmp_path / "none.json")]) == 6 and len(requests) == 6


def test_resume_where_nothing_was_left(gameplay, tmp_path, monkeypatch):
    """The message does not mention the store of runs: nothing was played or run."""
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path / "empty"))
    status, _, err = gameplay("resume")
    assert status == 6 and "there is no unfinished game" in err and "store" not in err


def test_glossary_as_a_document(gameplay):
    status, out, err = gameplay("words", "--json")
    assert (status, err) == (0, "") and "\n  {\n" in out
    results = [(load["word"], tuple(load["also"]), load["meaning"]) for load in json.loads(out)]
    assert results == [(name, tuple(also), text) for name, also, text in TERMS]


@pytest.mark.parametrize("width", [40, 60, 80, 140])
def test_list_of_runs_fits_the_terminal(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = {"run": "connect4-luvilo", "state": "failed", "counted": 10, "scheduled": 24, "score": 0.833}
    line |= {
        "created": "2026-11-26T18:23:29Z",
        "title": "a title",
        "players": ["Alpha", "random", "A rather long name of a player", "broken"],
    }
    monkeypatch.setattr(status_command, "columns", lambda: width)
    monkeypatch.setattr(cli_width, "columns", lambda: width)
    _print_list([line, line | {"score": None}], "gameplay run status RUN")
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= width
    assert shown.count("connect4-luvilo") == 2 and shown.count("83.3 %") == 1
    assert " ".join(shown.split()).count("2026-11-26 18:23") == 2
    assert ("run              state" in shown) == (width >= 80)
