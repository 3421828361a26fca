"""`run verify`: which game differs and how."""

from dataclasses import dataclass

import msgspec
import pytest

from gameplay import __version__
from gameplay.cli import router
from gameplay.cli.runs import verify
from gameplay.runs import audit, pool
from gameplay.runs.job import play
from gameplay.runs.plan import Entrant
from gameplay.runs.played import to_store
from gameplay.runs.schedule import Schedule
from gameplay.store import jsonl, run_export
from gameplay.store.runs import Store, _game_row
from tests.support.stored_runs import PLAN, THREE, gameplay, run_copy, store_run, stored_run

pytestmark = pytest.mark.once

assert gameplay and run_copy and stored_run  # fixtures


def change_game(path, run, change):
    """Change the first game of the run and correct its crc."""
    with Store(path) as store:
        game = next(store.games(run))
        change(game)
        store._db.execute("DELETE FROM game WHERE run = ? AND pair = 0 AND leg = 0", (run,))
        store.insert_games(run, [game])
        assert _game_row(next(store.games(run))) == _game_row(game)


def edit_record(game, edit):
    record = game.read()
    edit(record)
    game.record = jsonl.encode_record(record)


def test_verify_a_run_and_its_export(gameplay, run_copy, tmp_path):
    path, run_id = run_copy
    file = tmp_path / "games.jsonl"
    gameplay("export", "last", "--out", file, "--store", path)
    right = "9 games of 12 scheduled: moves, results and node counts are as recorded\n"
    assert gameplay("verify", "last", "--store", path) == (0, f"{run_id}: {right}", "")
    assert gameplay("verify", file) == (0, f"{file}: {right}", "")
    status, out, _ = gameplay("verify", "--quick", run_id, "--store", path)
    assert (status, out) == (0, f"{run_id}: 9 games of 12 scheduled: moves and results are as recorded\n")
    status, _, err = gameplay("verify", path)
    assert (
        status == 6
        and f"is a store; expected a run in it. Try: gameplay run verify last --store {path}" in err
    )
    assert gameplay("verify", "nobody", "--store", path)[0] == 2
    assert gameplay("verify", tmp_path / "none.jsonl")[0] == 6


def more_nodes(record):
    number = next(number for number, ply in enumerate(record.moves) if (ply.nodes or 0) > 1)
    record.moves[number] = msgspec.structs.replace(record.moves[number], nodes=999)


def illegal_move(record):
    record.moves[3] = msgspec.structs.replace(record.moves[3], move=record.moves[2].move)


def cut_short(record):
    del record.moves[-1]


def other_opening(record):
    record.moves[0], record.moves[1] = record.moves[1], record.moves[0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda game: edit_record(game, more_nodes), "nodes of move 3 is 999; played again"),
        (lambda game: edit_record(game, illegal_move), "move 4: "),
        (lambda game: edit_record(game, cut_short), "the game is not over after its"),
        (lambda game: edit_record(game, other_opening), "; by the plan"),
        (
            lambda game: setattr(game, "payoffs", game.payoffs[::-1]),
            "the payoffs are not those of the record",
        ),
        (lambda game: setattr(game, "points", 0.25), "0.25 points, and by the payoffs 1"),
        (lambda game: setattr(game, "names", ["old", "new"]), "players are old new"),
        (
            lambda game: setattr(game, "job", msgspec.Raw(bytes(game.job).replace(b"random", b"minimax"))),
            "field 'seats' differs from the plan",
        ),
    ],
)
def test_verify_names_the_game_and_what_differs(gameplay, run_copy, change, words):
    path, run_id = run_copy
    change_game(path, run_id, change)
    status, out, err = gameplay("verify", run_id, "--store", path)
    assert (status, err) == (3, "gameplay: 1 of 9 games differ\n")
    assert out.startswith(f"{run_id}, pair 0, leg 0: ") and words in out and out.count("\n") == 1


def test_verify_names_games_that_are_not_searched_again(gameplay, tmp_path):
    path = tmp_path / "runs.db"
    timed = msgspec.structs.replace(PLAN, sprt=None, games=2, time=0.01)
    players = [Entrant(player="alphabeta", name="new"), Entrant(player="random", name="old")]
    run = store_run(path, msgspec.structs.replace(timed, players=players), 2)
    status, out, _ = gameplay("verify", run, "--store", path)
    words = "2 games: moves and results (limited by time, so not searched again) are as recorded"
    assert (status, out) == (0, f"{run}: {words}\n")


def test_verify_counts_searches_limited_by_time_as_not_repeated(gameplay, tmp_path):
    path = tmp_path / "runs.db"
    players = [*THREE.players[:2], Entrant(player="alphabeta", time=0.01)]
    run = store_run(path, msgspec.structs.replace(THREE, games=2, players=players), 6)
    status, out, _ = gameplay("verify", run, "--store", path)
    words = "moves, results and node counts (4 limited by time, so not searched again) are as recorded"
    assert (status, out) == (0, f"{run}: 6 games: {words}\n")


def test_game_outside_the_plan_is_reported(gameplay, run_copy):
    path, run_id = run_copy
    with Store(path) as store:
        game = next(store.games(run_id))
        game.pair = 77
        store.insert_games(run_id, [game])
    status, out, _ = gameplay("verify", run_id, "--store", path)
    assert status == 3 and out == f"{run_id}, pair 77, leg 0: the plan has no such game\n"
    assert gameplay("status", run_id, "--store", path)[0] == 0


def test_a_run_can_be_completed_in_the_shell(run_copy):
    from click.shell_completion import ShellComplete

    path, run_id = run_copy
    complete = ShellComplete(router, {}, "gameplay", "_GAMEPLAY_COMPLETE")
    offered = complete.get_completions(["status", "--store", str(path)], "tictac")
    assert [player.value for player in offered] == [run_id]


@pytest.mark.parametrize(("pair", "leg"), [(6, 0), (0, 2)])
def test_verify_reports_a_game_beyond_the_plan(gameplay, run_copy, pair, leg):
    path, run_id = run_copy
    with Store(path) as store:
        game = next(store.games(run_id))
        game.pair, game.leg = pair, leg
        store.insert_games(run_id, [game])
    assert gameplay("verify", run_id, "--quick", "--store", path) == (
        3,
        f"{run_id}, pair {pair}, leg {leg}: the plan has no such game\n",
        "gameplay: 1 of 10 games differ\n",
    )


def test_verify_counts_checked_and_skipped_games(gameplay, monkeypatch):
    ran = []

    class Pool:
        def __init__(self, jobs):
            ran.append(jobs)

        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

        def each(self, call, due):
            assert call is audit.replay_job
            return [f"{job} again" for job in due]

    def verified_games(*items, scheduled=None, version=__version__, words=()):
        """Results of games: (reason for no new search, result of its moves, result of its search)."""
        facts = [Facts(*item) for item in items]
        games = [verify.VerifiedGame(f"game {number}", fact, fact) for number, fact in enumerate(facts)]
        source = verify.GameSource("run", games, scheduled, version)
        monkeypatch.setattr(verify, "_read_run", lambda what, store: source)
        return gameplay("verify", "run", *words)

    monkeypatch.setattr(pool, "Pool", Pool)
    monkeypatch.setattr(verify, "cores", lambda: 3)
    monkeypatch.setattr(audit, "check_record", lambda job, record: record.moves)
    monkeypatch.setattr(audit, "variation_reason", lambda job, record: record.why)
    monkeypatch.setattr(audit, "compare_replay", lambda record, move: record.search)
    right, timed, other = ("", "", ""), ("by time", "", ""), ("of others", "", "")
    wrong, missed = ("", "bad moves", ""), ("", "", "bad search")
    subject = "moves and results"
    for items, words, text in (
        ([], (), f"0 games: {subject} are as recorded"),
        ([right], (), f"1 game: {subject[:5]}, results and node counts are as recorded"),
        ([right] * 5, ("--quick",), f"5 games: {subject} are as recorded"),
        ([timed, timed], (), f"2 games: {subject} (by time, so not searched again) are as recorded"),
        ([timed, timed], ("--quick",), f"2 games: {subject} are as recorded"),
        (
            [timed, other, timed],
            (),
            f"3 games: {subject} (2 by time, 1 of others, so not searched again) are as recorded",
        ),
        (
            [timed, right, timed],
            (),
            "3 games: moves, results and node counts (2 by time, so not searched again) are as recorded",
        ),
    ):
        assert verified_games(*items, words=words) == (0, f"run: {text}\n", "")
    assert ran == [1, 1]
    assert verified_games(*[right] * 5, scheduled=9)[1].startswith("run: 5 games of 9 scheduled: moves, ")
    assert verified_games(*[right] * 5, scheduled=5, words=("--jobs", "4"))[1].startswith(
        "run: 5 games: moves, "
    )
    assert ran[2:] == [3, 4]
    assert verified_games(right, wrong, missed, version="0.0") == (
        3,
        "game 1: bad moves\ngame 2: bad search\n",
        "gameplay: 2 of 3 games differ (they were played by gameplay 0.0)\n",
    )
    assert verified_games(missed, words=("--quick",))[0] == 0
    assert verified_games(missed) == (3, "game 0: bad search\n", "gameplay: 1 of 1 games differ\n")


@dataclass
class Facts:
    """Replaces a job and its record."""

    why: str
    moves: str
    search: str


def test_rescued_games_are_imported(gameplay, run_copy, tmp_path):
    path, run_id = run_copy
    schedule = Schedule(PLAN)
    due = [schedule.job(pair, leg, 1) for pair, leg in list(schedule.games({}))[9:]]
    file = tmp_path / "rescued.jsonl"
    with Store(path) as store:
        run_export.write_unsaved(store.run(run_id), [to_store(job, play(job)) for job in due], file)
    assert gameplay("import", file, "--store", path)[1] == f"{run_id}: 3 games imported\n"
    status, out, _ = gameplay("verify", run_id, "--store", path)
    assert status == 0 and "12 games: moves, results and node counts" in out
