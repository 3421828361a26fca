"""`status`, `export`, `import` and `verify` of stored runs, as a user meets them."""

import importlib
import json
import shutil
import zlib
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from gameplay import __version__
from gameplay.cli import router, run
from gameplay.cli.common import width as cli_width
from gameplay.cli.runs import status as status_command
from gameplay.cli.runs import verify
from gameplay.cli.runs.status import _lines, _list
from gameplay.glossary import WORDS
from gameplay.runs import audit, pool
from gameplay.runs.faults import fault_counts
from gameplay.runs.job import GameResult, play
from gameplay.runs.plan import Entrant, Openings, Plan, Sprt
from gameplay.runs.played import to_store
from gameplay.runs.schedule import Schedule
from gameplay.runs.stored import new
from gameplay.store import carry, lines, totals
from gameplay.store.lines import VOID
from gameplay.store.runs import FINISHED, Store, _row
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

RECORDS = TESTS / "examples" / "records"
PLAN = Plan(
    game="tictactoe",
    players=[Entrant(player="alphabeta:depth=2", name="new"), Entrant(player="random", name="old")],
    games=12,
    openings=Openings(plies=2),
    sprt=Sprt(elo0=0, elo1=50),
)
THREE = Plan(
    game="tictactoe",
    form="round-robin",
    players=[
        Entrant(player="minimax:depth=1"),
        Entrant(player="random"),
        Entrant(player="alphabeta:depth=1"),
    ],
    games=4,
)


def keep(path, plan, count):
    """A store with a run of the plan of which `count` games are played."""
    schedule = Schedule(plan)
    due = [schedule.job(pair, leg, 1) for pair, leg in schedule.games({})]
    with Store(path) as store:
        found = store.create(new(plan))
        store.record(found, [to_store(job, play(job)) for job in due[:count]])
    return found


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "runs.db"
    return path, keep(path, PLAN, 9)


@pytest.fixture
def kept(played, tmp_path):
    """A copy of a store, and its run, of which 9 of 12 games are played."""
    path, found = played
    shutil.copyfile(path, tmp_path / "runs.db")
    return tmp_path / "runs.db", found


@pytest.fixture
def gameplay(capsys):
    def call(*words):
        status = run(router, "gameplay", [str(word) for word in words])
        return status, *capsys.readouterr()

    return call


def changed(path, found, change):
    """Change the first game of the run, and give it a crc that is right again."""
    with Store(path) as store:
        game = next(store.games(found))
        change(game)
        store._db.execute("DELETE FROM game WHERE run = ? AND pair = 0 AND leg = 0", (found,))
        store.insert(found, [game])
        assert _row(next(store.games(found))) == _row(game)


def edited(game, edit):
    record = game.read()
    edit(record)
    game.record = lines.raw(record)


# -- status -------------------------------------------------------------------------------------


def test_status_without_a_run(gameplay, tmp_path):
    status, out, err = gameplay("status")
    assert (status, err) == (0, "") and out.startswith("No run is kept yet. Begin one: gameplay match")
    assert json.loads(gameplay("status", "--json")[1])["runs"] == []
    status, out, err = gameplay("status", "--store", tmp_path / "none.db")
    assert (
        status == 6 and err == f"gameplay: there is no store {tmp_path / 'none.db'}: nothing was kept there\n"
    )


def test_status_lists_the_newest_first(gameplay, kept):
    path, first = kept
    second = keep(path, THREE, 0)
    status, out, err = gameplay("status", "--store", path)
    rows = out.splitlines()
    assert (status, err) == (0, "")
    assert rows[1].startswith(second) and "0 of 12" in rows[1] and "minimax:depth=1, random, alpha" in rows[1]
    assert rows[2].startswith(first) and "9 of 12" in rows[2] and "new, old" in rows[2] and " %" in rows[2]
    document = json.loads(gameplay("status", "--store", path, "--json")[1])
    assert [one["run"] for one in document["runs"]] == [second, first]
    assert document["runs"][0]["score"] is None


def test_a_plan_that_cannot_be_read_hides_no_other_run(gameplay, kept):
    path, found = kept
    with Store(path) as store:
        other = store.create(new(PLAN))
        store._db.execute("UPDATE run SET plan = '{}' WHERE id = ?", (other,))
    status, out, _ = gameplay("status", "--store", path)
    assert status == 0 and found in out and other in out
    status, out, err = gameplay("status", other, "--store", path)
    assert status == 6 and not out and "not one that this version can read" in err


def test_status_of_a_run(gameplay, kept):
    path, found = kept
    status, out, err = gameplay("status", "last", "--store", path)
    assert (status, err) == (0, "")
    assert out.startswith(f"{found}: tictactoe, match, begun ")
    for words in (
        "state     not finished, 9 of 12 games\n",
        "score     new: ",
        "SPRT      undecided (LLR ",
        "normalized Elo of the first player (H0: 0, H1: 50)",
        "(pentanomial: pairs by the points of new)",
        "faults    none",
        "9 by the rules",
        f"go on     gameplay run resume {found} --store {path}\n",
    ):
        assert words in out, words
    one = json.loads(gameplay("status", found, "--store", path, "--json")[1])
    new, old = one["players"]
    assert (new["wins"], new["losses"]) == (old["losses"], old["wins"])
    assert sum(one["pairs"]) == 4 and one["counted"] == 9 and one["scheduled"] == 12
    assert one["sprt"]["decision"] is None and one["go_on"] == f"gameplay run resume {found}"


def test_status_tells_faults_notes_and_who_plays(gameplay, kept):
    path, found = kept
    with Store(path) as store:
        schedule = Schedule(PLAN)
        pair = schedule.pairs({})[5]
        void, crash = schedule.job(pair, 0, 1), schedule.job(pair, 1, 1)
        lost = GameResult(
            5, 1, 1, "crash", points=1.0, payoffs=(-1.0, 1.0), fault="it died by signal 11", offender=0
        )
        store.record(
            found, [to_store(void, GameResult(5, 0, 1, VOID, fault="worker gone")), to_store(crash, lost)]
        )
        store.note(found, "the room grew hot")
        store.lock(found)
        out = gameplay("status", found, "--store", path)[1]
        assert "state     playing by process " in out
        assert "go on" not in out
    out = gameplay("status", found, "--store", path)[1]
    for words in ("old: 1 crash", "this machine: 1 void", "pair 5, leg 1: old: it died by signal 11"):
        assert words in out, out
    assert "1 void, not counted" in out and "the room grew hot" in out
    with Store(path) as store:
        store.settle(found, FINISHED, "H1 accepted")
    out = gameplay("status", found, "--store", path)[1]
    assert "state     finished, 10 of 12 games: H1 accepted" in out and "go on" not in out


def test_status_of_a_tournament_and_of_a_lost_game(gameplay, tmp_path):
    path = tmp_path / "runs.db"
    keep(path, THREE, 12)
    out = gameplay("status", "last", "--store", path)[1]
    assert "12 of 12 games" in out and "pairs" not in out
    assert [f" {name}: " in out for name in ("minimax:depth=1", "random", "alphabeta:depth=1")] == [True] * 3
    game = tmp_path / "coin.py"
    game.write_text(COIN)
    keep(path, Plan(game=str(game), players=PLAN.players[1:] * 2, games=2, openings=Openings(plies=0)), 2)
    game.unlink()
    status, out, _ = gameplay("status", "last", "--store", path)
    assert status == 0 and "2 games" in out, "a run can be looked at without its game"


def begun(path, plan, results):
    """A store with a run of the plan, whose games brought its first player these points."""
    schedule = Schedule(plan)
    due = [schedule.job(pair, leg, 1) for pair, leg in schedule.games({})]
    with Store(path) as store:
        found = store.create(new(plan))
        for job, points in zip(due, results, strict=False):
            mine = 2 * points - 1
            payoffs = (mine, -mine) if job.leg == 0 else (-mine, mine)
            done = GameResult(
                job.pair, job.leg, 1, "crash", points=points, payoffs=payoffs, fault="it died", offender=1
            )
            store.record(found, [to_store(job, done)])
    return found


def test_a_run_is_counted_by_who_won_where(gameplay, tmp_path, monkeypatch):
    path = tmp_path / "runs.db"
    plan = msgspec.structs.replace(PLAN, sprt=None, title="by hand")
    found = begun(path, plan, (1, 0.5, 0.5, 0.5, 0, 1, 1))
    monkeypatch.setattr(totals, "lengths", lambda store, run: (5.26, 9, 1.23456))
    one = json.loads(gameplay("status", found, "--store", path, "--json")[1])
    for name in ("run", "created", "code", "troubles", "faults"):
        one.pop(name)
    assert one == {
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
        "go_on": f"gameplay run resume {found}",
    }  # fmt: skip
    (line,) = json.loads(gameplay("status", "--store", path, "--json")[1])["runs"]
    assert line.pop("created") and line == {
        "run": found, "title": "by hand", "game": "tictactoe", "state": "open", "counted": 7, "scheduled": 12,
        "score": 4.5 / 7,
    }  # fmt: skip


def test_runs_stand_in_columns(capsys):
    line = {
        "run": "tictactoe-abcdef", "state": "finished", "counted": 1200, "scheduled": 1200, "score": 0.525,
        "created": "2026-11-22T12:30:15Z", "title": "new, old", "game": "tictactoe",
    }  # fmt: skip
    other = {
        "run": "go-abcdef",
        "state": "open",
        "counted": 0,
        "scheduled": None,
        "score": None,
        "title": "x",
    }
    _list([line, line | other])
    assert capsys.readouterr().out == (
        "run               state     games           score   begun (UTC)       players\n"
        "tictactoe-abcdef  finished  1,200 of 1,200  52.5 %  2026-11-22 12:30  new, old\n"
        "go-abcdef         open      0                       2026-11-22 12:30  x\n"
        "\n"
        "The score is that of the first player. One of them: gameplay run status RUN\n"
    )


def test_a_run_is_told_in_lines():
    """Each fact that there is has a line, and where there is none it has none."""
    bare = {
        "run": "go-abcdef", "title": "", "game": "go", "form": "match", "state": "finished", "verdict": "",
        "created": "then", "code": "0.1", "counted": 0, "scheduled": None, "void": 0, "after_stop": 0,
        "quarantined": 0, "players": [], "seats": [], "pairs": None, "sprt": None, "terminations": {},
        "repeats": 0, "plies": 0.0, "longest": 0, "seconds": 0.0, "faults": [], "troubles": [], "claims": [],
        "notes": [], "owner": "", "go_on": None,
    }  # fmt: skip
    head = "go-abcdef: go, match, begun then by gameplay 0.1"
    assert _lines(bare, None) == [head, "state     finished, 0 games", "faults    none"]
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
    assert _lines(full, Path("/a b/runs.db")) == [
        "go-abcdef (a title): go, match, begun then by gameplay 0.1",
        "state     not finished by process 7, 1,100 of 1,200 games: so far",
        "score     a: 2 won, 1 drawn, 5 lost, 31.2 %",
        "pairs     0: 1  0.5: 2  1: 3  1.5: 4  2: 5  (pentanomial: pairs by the points of a)",
        "SPRT      undecided",
        "length    12.5 plies on average, 20 at most",
        "ends      7 by the rules, 1 adjudicated as a draw by its length; 1.3 s of play",
        "faults    a: 1 crash; b: 2 hangs; this machine: 1 void game",
        *troubled,
        "claims    against the rules, without consequence: : 1, a: 1, b: 2",
        *last,
        "          2 void, not counted",
        "          3 after stop, not counted",
        "          4 quarantined, not counted",
        "note      noon hot",
        "go on     gameplay run resume go-abcdef --store '/a b/runs.db'",
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
    lines = _lines(three, None)
    assert lines[1:7] == [
        "state     failed, 1,100 of 1,200 games: so far",
        "score     a: 2 won, 0 drawn, 0 lost, 100.0 %; +1.50 a game [+1.00, +2.00]",
        "          b: 0 won, 1 drawn, 1 lost, 25.0 %",
        "          c: 0 won, 1 drawn, 1 lost, 25.0 %",
        "SPRT      undecided",
        "length    12.5 plies on average, 20 at most, 3 repeat another",
    ]
    assert lines[-1] == "go on     gameplay run resume go-abcdef"
    none = _lines(bare | {"pairs": [0, 0, 0, 0, 0]}, None)
    assert none[2].endswith("(pentanomial: pairs by the points of the first player)")


COIN = '''
from gameplay import Position, undoable


class Coin(Position):
    """Take the coin."""

    taken = False

    def moves(self):
        return [0]

    @undoable
    def make(self, move):
        self.taken = True

    def outcome(self):
        return (1, -1) if self.taken else None
'''


# -- export and import --------------------------------------------------------------------------


def test_there_and_back(gameplay, kept, tmp_path):
    path, found = kept
    file, other = tmp_path / "games.jsonl", tmp_path / "other.db"
    assert gameplay("export", "last", "--out", file, "--store", path) == (0, "", f"{found} is in {file}\n")
    assert gameplay("import", file, "--store", other) == (0, f"{found}: 9 games imported\n", "")
    assert gameplay("export", found, "--store", other)[1].encode() == file.read_bytes()
    status, out, _ = gameplay("import", file, "--store", other)
    assert (status, out) == (0, f"{found}: 0 games imported (9 were there already)\n")


def test_replay_of_an_exported_game(gameplay, kept, tmp_path):
    path, found = kept
    file = tmp_path / "games.jsonl"
    gameplay("export", "last", "--out", file, "--store", path)
    with Store(path) as store:
        words = list(store.games(found))[8].read().words
    status, out, _ = gameplay("replay", file, "--game", "9", "--plain")
    assert status == 0 and all(f" plays {word}" in out for word in words)
    status, _, err = gameplay("replay", file, "--game", "10", "--plain")
    assert status == 6 and err == f"gameplay: {file} holds 9 games; there is no game 10\n"


def test_a_run_knows_when_its_game_was_changed(tmp_path):
    game = tmp_path / "coin.py"
    game.write_text(COIN)
    plan = Plan(game=f"{game}:Coin", players=PLAN.players[1:] * 2, games=2)
    before = plan.identity()
    assert plan.identity() == before
    game.write_text(COIN.replace("(1, -1)", "(-1, 1)"))
    assert plan.identity() != before


def test_a_torn_file_and_a_changed_one(gameplay, kept, tmp_path):
    path, found = kept
    file = tmp_path / "games.jsonl"
    gameplay("export", "last", "--out", file, "--store", path)
    text = file.read_bytes()
    file.write_bytes(text[:-20])
    status, out, err = gameplay("import", file, "--store", tmp_path / "other.db")
    assert (status, out) == (0, f"{found}: 8 games imported\n")
    left_out = f"{file}: the last line was not written to its end, and is left out\n"
    assert err == left_out
    status, out, err = gameplay("verify", file, "--quick")
    assert (status, err) == (0, left_out) and out.startswith(f"{file}: 8 games of 12 scheduled: ")
    file.write_bytes(text.replace(b'"leg":1', b'"leg":0', 1))
    status, _, err = gameplay("import", file, "--store", tmp_path / "third.db")
    assert status == 6 and err.endswith("line 3 was changed or damaged: its crc is wrong\n")
    assert gameplay("import", tmp_path / "none.jsonl")[0] == 6


def test_a_file_that_is_cut_off_in_its_first_line_is_no_run(gameplay, kept, tmp_path):
    path, found = kept
    file = tmp_path / "games.jsonl"
    gameplay("export", "last", "--out", file, "--store", path)
    header = file.read_bytes().split(b"\n")[0]
    file.write_bytes(header[:-9])
    told = f"gameplay: {file} was cut off in its first line, which describes the run\n"
    assert gameplay("import", file, "--store", tmp_path / "new.db") == (6, "", told)
    file.write_bytes(header + b"\n")
    assert gameplay("import", file, "--store", tmp_path / "new.db") == (0, f"{found}: 0 games imported\n", "")
    missing = tmp_path / "none.jsonl"
    assert gameplay("import", missing) == (6, "", f"gameplay: {missing}: No such file or directory\n")
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 *\n")
    assert gameplay("import", games) == (
        6, "", f"gameplay: {games} holds games and no run: see them with gameplay replay {games}\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("number", "old", "new", "words"),
    [
        (0, b'"state":"open"', b'"state":"lost"', "line 1: there is no state 'lost' of a run"),
        (1, b'"state":"counted"', b'"state":"lost"', "line 2: there is no state 'lost' of a game"),
        (1, b'"state":"counted"', b'"state":"void"', "line 2: a game that ended by rules is not void"),
        (1, b'"points":', b'"points":7', "line 2: a game brings 0, 0.5 or 1 point, not 7"),
        (2, b"", b"", "line 3: the game of line 2 once more"),
    ],
)
def test_lines_that_no_run_can_have(gameplay, kept, tmp_path, number, old, new, words):
    """Their crc is right, so they were not damaged but made."""
    path, _ = kept
    file = tmp_path / "games.jsonl"
    gameplay("export", "last", "--out", file, "--store", path)
    text = file.read_bytes().splitlines(keepends=True)
    body = text[number].rpartition(b',"crc"')[0] + b"}"
    assert old in body
    body = body.replace(old, new, 1) if old else text[1].rpartition(b',"crc"')[0] + b"}"
    text[number] = b'%b,"crc":"%08x"}\n' % (body[:-1], zlib.crc32(body))
    file.write_bytes(b"".join(text))
    for command in ("verify", "import"):
        status, _, err = gameplay(command, file, "--store", tmp_path / "new.db")
        assert status == 6 and words in err, err
    assert gameplay("status", "--store", tmp_path / "new.db")[1].startswith("No run is kept")


def test_export_refuses_what_it_cannot(gameplay, kept, tmp_path):
    path, found = kept
    for words, status, told in (
        (("nobody",), 2, "there is no run 'nobody'"),
        ((found, "--out", tmp_path / "a.pgn"), 2, "TicTacToe has no format '.pgn' (there is: .jsonl)"),
        ((found, "--out", tmp_path / "no" / "a.jsonl"), 6, "there is no folder"),
    ):
        found_status, out, err = gameplay("export", *words, "--store", path)
        assert (found_status, out) == (status, "") and told in err and err.count("\n") == 1


def test_export_of_a_damaged_store(gameplay, kept, tmp_path):
    path, found = kept
    text = bytearray(path.read_bytes())
    at = text.rindex(b'"termination"') if b'"termination"' in text else text.rindex(b'"alphabeta:depth=2"')
    text[at : at + 4] = b"\x00\x01\x02\x03"
    path.write_bytes(text)
    status, out, err = gameplay("export", found, "--store", path)
    assert status == 6 and "was changed" in err and "--repair" in err
    status, out, err = gameplay("export", found, "--repair", "--store", path)
    assert status == 0 and "8 games can be read" in err
    assert out.count("\n") == 9


# -- verify -------------------------------------------------------------------------------------


def test_verify_a_run_and_its_export(gameplay, kept, tmp_path):
    path, found = kept
    file = tmp_path / "games.jsonl"
    gameplay("export", "last", "--out", file, "--store", path)
    right = "9 games of 12 scheduled: moves, results and node counts are as recorded\n"
    assert gameplay("verify", "last", "--store", path) == (0, f"{found}: {right}", "")
    assert gameplay("verify", file) == (0, f"{file}: {right}", "")
    status, out, _ = gameplay("verify", "--quick", found, "--store", path)
    assert (status, out) == (0, f"{found}: 9 games of 12 scheduled: moves and results are as recorded\n")
    status, _, err = gameplay("verify", path)
    assert status == 6 and f"is a store: name a run of it, gameplay run verify last --store {path}" in err
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
        (lambda game: edited(game, more_nodes), "nodes of move 3 is 999, and played again"),
        (lambda game: edited(game, illegal_move), "move 4: "),
        (lambda game: edited(game, cut_short), "the game is not over after its"),
        (lambda game: edited(game, other_opening), "and the plan makes it"),
        (
            lambda game: setattr(game, "payoffs", game.payoffs[::-1]),
            "the payoffs are not those of the record",
        ),
        (lambda game: setattr(game, "points", 0.25), "0.25 points, and by the payoffs 1"),
        (lambda game: setattr(game, "names", ["old", "new"]), "players are old new"),
        (
            lambda game: setattr(game, "job", msgspec.Raw(bytes(game.job).replace(b"random", b"minimax"))),
            "its seats is not what the plan makes it",
        ),
    ],
)
def test_verify_names_the_game_and_what_differs(gameplay, kept, change, words):
    path, found = kept
    changed(path, found, change)
    status, out, err = gameplay("verify", found, "--store", path)
    assert (status, err) == (3, "gameplay: 1 of 9 games differ\n")
    assert out.startswith(f"{found}, pair 0, leg 0: ") and words in out and out.count("\n") == 1


def test_verify_says_what_is_not_searched_again(gameplay, tmp_path):
    path = tmp_path / "runs.db"
    timed = msgspec.structs.replace(PLAN, sprt=None, games=2, time=0.01)
    players = [Entrant(player="alphabeta", name="new"), Entrant(player="random", name="old")]
    found = keep(path, msgspec.structs.replace(timed, players=players), 2)
    status, out, _ = gameplay("verify", found, "--store", path)
    words = "2 games: moves and results (limited by time, so not searched again) are as recorded"
    assert (status, out) == (0, f"{found}: {words}\n")


def test_verify_counts_what_is_not_searched_again_where_others_are(gameplay, tmp_path):
    path = tmp_path / "runs.db"
    players = [*THREE.players[:2], Entrant(player="alphabeta", time=0.01)]
    found = keep(path, msgspec.structs.replace(THREE, games=2, players=players), 6)
    status, out, _ = gameplay("verify", found, "--store", path)
    words = "moves, results and node counts (4 limited by time, so not searched again) are as recorded"
    assert (status, out) == (0, f"{found}: 6 games: {words}\n")


def test_a_game_that_the_plan_does_not_know(gameplay, kept):
    path, found = kept
    with Store(path) as store:
        game = next(store.games(found))
        game.pair = 77
        store.insert(found, [game])
    status, out, _ = gameplay("verify", found, "--store", path)
    assert status == 3 and out == f"{found}, pair 77, leg 0: the plan has no such game\n"
    assert gameplay("status", found, "--store", path)[0] == 0


def test_a_run_can_be_completed_in_the_shell(kept):
    from click.shell_completion import ShellComplete

    path, found = kept
    complete = ShellComplete(router, {}, "gameplay", "_GAMEPLAY_COMPLETE")
    offered = complete.get_completions(["status", "--store", str(path)], "tictac")
    assert [one.value for one in offered] == [found]


@pytest.mark.parametrize(("pair", "leg"), [(6, 0), (0, 2)])
def test_a_game_just_beyond_the_plan_is_none_of_it(gameplay, kept, pair, leg):
    path, found = kept
    with Store(path) as store:
        game = next(store.games(found))
        game.pair, game.leg = pair, leg
        store.insert(found, [game])
    assert gameplay("verify", found, "--quick", "--store", path) == (
        3, f"{found}, pair {pair}, leg {leg}: the plan has no such game\n", "gameplay: 1 of 10 games differ\n"
    )  # fmt: skip


def test_what_was_verified_is_told_with_what_was_left_out(gameplay, monkeypatch):
    ran = []

    class Pool:
        def __init__(self, jobs):
            ran.append(jobs)

        __enter__ = lambda self: self  # noqa: E731
        __exit__ = lambda self, *error: None  # noqa: E731

        def each(self, call, due):
            assert call is audit.again
            return [f"{job} again" for job in due]

    def verified(*items, scheduled=None, version=__version__, words=()):
        """What is told of games: (why it is not searched again, what its moves are, what its search is)."""
        facts = [Facts(*item) for item in items]
        made = [verify.Item(f"game {number}", fact, fact) for number, fact in enumerate(facts)]
        source = verify.Source("run", made, scheduled, version)
        monkeypatch.setattr(verify, "_run", lambda what, store: source)
        return gameplay("verify", "run", *words)

    monkeypatch.setattr(pool, "Pool", Pool)
    monkeypatch.setattr(verify, "cores", lambda: 3)
    monkeypatch.setattr(audit, "replayed", lambda job, record: record.moves)
    monkeypatch.setattr(audit, "unrepeatable", lambda job, record: record.why)
    monkeypatch.setattr(audit, "searched", lambda record, found: record.search)
    right, timed, other = ("", "", ""), ("by time", "", ""), ("of others", "", "")
    wrong, missed = ("", "bad moves", ""), ("", "", "bad search")
    said = "moves and results"
    for items, words, told in (
        ([], (), f"0 games: {said} are as recorded"),
        ([right], (), f"1 games: {said[:5]}, results and node counts are as recorded"),
        ([right] * 5, ("--quick",), f"5 games: {said} are as recorded"),
        ([timed, timed], (), f"2 games: {said} (by time, so not searched again) are as recorded"),
        ([timed, timed], ("--quick",), f"2 games: {said} are as recorded"),
        (
            [timed, other, timed],
            (),
            f"3 games: {said} (2 by time, 1 of others, so not searched again) are as recorded",
        ),
        (
            [timed, right, timed],
            (),
            "3 games: moves, results and node counts (2 by time, so not searched again) are as recorded",
        ),
    ):
        assert verified(*items, words=words) == (0, f"run: {told}\n", "")
    assert ran == [1, 1]
    assert verified(*[right] * 5, scheduled=9)[1].startswith("run: 5 games of 9 scheduled: moves, ")
    assert verified(*[right] * 5, scheduled=5, words=("--jobs", "4"))[1].startswith("run: 5 games: moves, ")
    assert ran[2:] == [3, 4]
    assert verified(right, wrong, missed, version="0.0") == (
        3,
        "game 1: bad moves\ngame 2: bad search\n",
        "gameplay: 2 of 3 games differ (they were played by gameplay 0.0)\n",
    )
    assert verified(missed, words=("--quick",))[0] == 0
    assert verified(missed) == (3, "game 0: bad search\n", "gameplay: 1 of 1 games differ\n")


@dataclass
class Facts:
    """Stands for a job and for its record."""

    why: str
    moves: str
    search: str


def test_rescued_games_come_home(gameplay, kept, tmp_path):
    path, found = kept
    schedule = Schedule(PLAN)
    due = [schedule.job(pair, leg, 1) for pair, leg in list(schedule.games({}))[9:]]
    file = tmp_path / "rescued.jsonl"
    with Store(path) as store:
        carry.rescue(store.run(found), [to_store(job, play(job)) for job in due], file)
    assert gameplay("import", file, "--store", path)[1] == f"{found}: 3 games imported\n"
    status, out, _ = gameplay("verify", found, "--store", path)
    assert status == 0 and "12 games: moves, results and node counts" in out


# -- what was kept by earlier versions ------------------------------------------------------------


def test_an_old_run_still_reads(gameplay, tmp_path):
    """`records/run.jsonl` was exported by 0.1.0 of November 2026; the figures are those it printed then."""
    file, store = RECORDS / "run.jsonl", ("--store", tmp_path / "runs.db")
    told = json.loads(gameplay("report", file, "--json")[1])
    assert told["verdict"].startswith(
        "deep scored 100.0 % against luck (won 7, drawn 0, lost 0). The SPRT is undecided (LLR 0.23"
    )
    assert told["rating"]["low"] == -153.522693 and told["sprt"]["llr"] == 0.234079
    assert gameplay("verify", file, "--quick")[0] == 0
    assert gameplay("import", file, *store) == (0, "tictactoe-kedamo: 7 games imported\n", "")
    one = json.loads(gameplay("status", "last", "--json", *store)[1])
    assert one["pairs"] == [0, 0, 0, 0, 3] and (one["counted"], one["scheduled"]) == (7, 8)
    assert one["players"][0] == {"name": "deep", "wins": 7, "draws": 0, "losses": 0}
    assert [(s["name"], s["seat"], s["wins"]) for s in one["seats"]] == [
        ("deep", 0, 4), ("luck", 1, 0), ("luck", 0, 0), ("deep", 1, 3)
    ]  # fmt: skip
    assert one["notes"] == [{"at": "2026-11-20T22:14:06Z", "text": "interrupted"}]
    assert gameplay("export", "last", *store)[1].encode() == file.read_bytes()
    status, _, err = gameplay("resume", "last", *store)
    assert status == 6 and "cannot go on as what it was (" in err and "b9c796bc before" in err


@pytest.mark.parametrize("command", ["report", "verify", "import"])
def test_an_old_file_of_selfplay_is_refused_with_what_to_do(gameplay, tmp_path, command):
    """`records/series.jsonl` was written by `selfplay --out` before its games went to the store."""
    file = RECORDS / "series.jsonl"
    again = "selfplay tictactoe --first minimax:depth=2 --second random --games 20 --seed 1 --openings 2"
    status, out, err = gameplay(command, file)
    assert (status, out) == (6, "")
    assert err == (
        f"gameplay: {file} was written by an earlier selfplay: gameplay replay {file} shows its games; "
        f"play them again with: {again}\n"
    )
    assert "x: minimax:depth=2" in gameplay("replay", file)[1], "that is true"
    listed = tmp_path / "listed.jsonl"
    listed.write_text(file.read_text().replace('"openings":2', '"openings":["a1","b2"]'))
    assert gameplay(command, listed)[2].endswith("--openings FILE (with the openings of its first line)\n")
    listed.write_text('{"series":3}\n')
    assert gameplay(command, listed)[2].endswith("shows its games\n")


def test_who_plays_a_run_is_asked_to_stop(kept, gameplay):
    path, found = kept
    status, out, err = gameplay("stop", "--store", path)
    assert (status, out) == (2, "") and f"{found} is not being played: it is " in err
    with Store(path) as store:
        store.lock(found)
        owner = store.playing(found)
        assert gameplay("stop", found, "--store", path) == (
            0, f"asked {owner} to stop {found} after the games in progress\n", "",
        )  # fmt: skip
        assert store.stop_requested(found)


def test_a_saved_game_is_resumed_without_what_goes_with_a_run(gameplay):
    for flag in (("--jobs", "2"), ("--cluster", "tcp://nobody:1"), ("--store", "x.db"), ("--json",)):
        told = "gameplay: --jobs, --cluster, --store and --json go with a run, and 1 is a saved game\n"
        assert gameplay("resume", "1", *flag) == (2, "", told)


def test_a_saved_game_is_resumed_by_its_number_or_its_file(tmp_path, monkeypatch):
    """As `play --resume` does, whose status it has; whatever else is named is a run."""
    asked = []

    class Play:
        def main(self, words, name, standalone_mode):
            asked.append((words, name, standalone_mode))
            return given.pop()

    monkeypatch.setattr("gameplay.cli.load", lambda name: {"play": Play()}[name])
    resume = importlib.import_module("gameplay.cli.runs.resume").command
    file = tmp_path / "game.json"
    file.write_text("")
    for which in ("12", str(file)):
        given = [4, None, 0]
        assert [run(resume, "gameplay run resume", [which]) for _ in range(3)] == [0, 0, 4]
    calls = [(["--resume", which], "gameplay play", False) for which in ("12", str(file))]
    assert asked == [one for one in calls for _ in range(3)]
    assert run(resume, "gameplay run resume", [str(tmp_path / "none.json")]) == 6 and len(asked) == 6


def test_words_are_told_as_a_document(gameplay):
    status, out, err = gameplay("words", "--json")
    assert (status, err) == (0, "") and "\n  {\n" in out
    found = [(one["word"], tuple(one["also"]), one["meaning"]) for one in json.loads(out)]
    assert found == [(name, tuple(also), text) for name, also, text in WORDS]


@pytest.mark.parametrize("width", [40, 60, 80, 140])
def test_list_of_runs_fits_the_terminal(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = {"run": "connect4-luvilo", "state": "failed", "counted": 10, "scheduled": 24, "score": 0.833}
    line |= {
        "created": "2026-11-26T18:23:29Z",
        "title": "Alpha, random, A rather long name of a player, broken",
    }
    monkeypatch.setattr(status_command, "columns", lambda: width)
    monkeypatch.setattr(cli_width, "columns", lambda: width)
    _list([line, line | {"score": None}])
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= width
    assert shown.count("connect4-luvilo") == 2 and shown.count("83.3 %") == 1
    assert " ".join(shown.split()).count("2026-11-26 18:23") == 2
    assert ("run              state" in shown) == (width >= 80)
