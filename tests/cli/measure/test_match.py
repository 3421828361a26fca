"""`match`, `tournament`, `resume`, `stop` and `compare` as a user types them, right and wrong."""

import json
import re
import subprocess
import sys
import time
import zlib
from types import SimpleNamespace

import pytest

from gameplay.cli import router, run
from gameplay.cli.common import running, solving
from gameplay.cli.measure import match
from gameplay.cli.runs import compare
from gameplay.errors import BadInput, Usage
from gameplay.runs import requests
from gameplay.runs.plan import Adjudication, Openings, decode
from gameplay.runs.schedule import Schedule
from gameplay.runs.summary import RunReport
from gameplay.store.runs import Store
from tests.support.paths import ROOT, TESTS
from tests.support.streams import Tty

pytestmark = pytest.mark.once

FAST = ("--game", "tictactoe", "--depth", "2", "--jobs", "1")

ROUND_ROBIN = """
game = "tictactoe"
form = "round-robin"
games = 4
depth = 2

[[players]]
name = "one"
player = "alphabeta"

[[players]]
player = "random"

[[players]]
name = "three"
player = "minimax"
"""


@pytest.fixture
def gameplay(capsys, tmp_path):
    """Run `gameplay` with these words on its own store: status, standard output, standard error."""

    def call(*words, store=True):
        place = ["--store", str(tmp_path / "runs.db")] if store else []
        status = run(router, "gameplay", [*map(str, words), *place])
        return status, *capsys.readouterr()

    return call


def last(tmp_path):
    with Store(tmp_path / "runs.db") as store:
        return store.run("last")


def test_claims_against_the_rules_are_counted(gameplay):
    mock = TESTS / "support" / "mock_engine.py"
    words = ("match", f"bad=ugi:{sys.executable} -I -S {mock} --fault claim", "good=alphabeta:depth=9", *FAST)
    words += ("--games", "2", "--openings", "0")
    status, out, err = gameplay(*words)
    assert status == 0 and "bad contradicts the rules on the result of 1 of 2 games" in out + err
    text = gameplay("status", "last")[1]
    assert "faults    none\nclaims    that contradict the rules (ignored): bad: 1\n" in text
    assert "claims that the result is 'p1win'" in text
    assert "Faults: none\nClaims against the rules: 1\n" in gameplay("report", "last")[1]
    assert len(json.loads(gameplay("report", "last", "--json")[1])["claims"]) == 1
    assert gameplay("verify", "last")[0] == 0
    status, _, err = gameplay(*words, "--strict")
    assert status == 5 and "claims that the result is 'p1win'" in err


def test_match_is_shown_and_saved(gameplay, tmp_path):
    status, out, err = gameplay("match", "new=alphabeta", "old=random", *FAST, "--games", "8")
    assert (status, err) == (0, "")
    run = last(tmp_path)
    assert out.startswith(f"{run.id}: tictactoe, 8 of 8 games, openings of 2 random plies, seed 1\n")
    for words in (
        "first   new = alphabeta:depth=2",
        "second  old = random",
        "The first engine's results",
        "as x",
        "together",
        "95 % bound",
        "1 worker",
    ):
        assert words in out
    assert run.state == "finished"


def test_json(gameplay, tmp_path):
    status, out, err = gameplay("match", "alphabeta", "random", *FAST, "--games", "8", "--json")
    result = json.loads(out)
    assert (status, err) == (0, "")
    assert result["run"] == last(tmp_path).id
    assert (result["games"], result["scheduled"], result["ended"]) == (8, 8, "complete")
    assert result["wins"] + result["draws"] + result["losses"] == 2 * sum(result["pairs"]) == 8
    assert [player["player"] for player in result["players"]] == ["alphabeta:depth=2", "random"]
    assert sum(line["points"] for line in result["standings"]) == 8
    assert result["sprt"] is None


@pytest.mark.parametrize(
    ("players", "bounds", "status", "words"),
    [
        (("alphabeta", "random"), "0,100", 0, "SPRT     H1 accepted (LLR "),
        (
            ("random", "alphabeta"),
            "0,100",
            3,
            "the first player has less than +100 normalized Elo (H0: 0, H1: 100)",
        ),
    ],
)
def test_sprt(gameplay, players, bounds, status, words):
    code, out, err = gameplay("match", *players, *FAST, "--sprt", bounds)
    assert (code, err) == (status, "")
    assert words in out
    assert "normalized Elo (H0: 0, H1: 100)" in out


def test_a_bar_shows_the_score_and_the_llr(tmp_path, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stderr", Tty())
    words = ["match", "alphabeta", "random", *FAST, "--sprt", "0,100", "--store", str(tmp_path / "runs.db")]
    assert run(router, "gameplay", words) == 0
    assert re.search(r"games, won \d+, drawn \d+, lost \d+, (LLR |H1 accepted)", sys.stderr.getvalue())


@pytest.mark.once
def test_an_sprt_is_for_two(gameplay):
    words = ("match", "random", "random", "random", "--game", "connect4:players=3", "--games", "3")
    status, _, err = gameplay(*words, "--sprt", "0,10")
    assert status == 2
    assert "an SPRT compares two players, and connect4 is for 3: leave it out" in err


def test_sprt_that_the_games_did_not_decide(gameplay):
    status, out, _ = gameplay("match", "random", "random:seed=7", *FAST, "--sprt", "0,5", "--games", "8")
    assert status == 4
    assert "undecided" in out
    status, out, _ = gameplay("match", "random", "random", *FAST, "--sprt", "0,1", "--games", "4", "--json")
    assert status == 4
    assert json.loads(out)["sprt"]["decision"] is None


def test_match_options_end_games_early(gameplay, tmp_path):
    rules = ("--resign", "900000,1", "--draw", "0,1", "--longest", "6", "--exact", "alphabeta:depth=3")
    status, _, err = gameplay("match", "minimax", "alphabeta", *FAST, "--games", "4", *rules)
    assert (status, err) == (0, "")
    with Store(tmp_path / "runs.db") as store:
        ends = {game.termination for game in store.games(last(tmp_path).id)}
    assert ends and ends <= {"rules", "resign", "draw", "plies", "exact"}
    assert ends != {"rules"}


def test_clocks(gameplay, tmp_path):
    words = ("match", "alphabeta", "iterative", "--game", "tictactoe", "--clock", "5+0.01", "--games", "2")
    status, _, err = gameplay(*words, "--jobs", "1")
    assert (status, err) == (0, "")
    with Store(tmp_path / "runs.db") as store:
        assert any(sum(game.times) > 0 for game in store.games(last(tmp_path).id))


def test_deterministic_players_are_not_rated(gameplay):
    words = ("match", "alphabeta", "minimax", *FAST, "--games", "8", "--openings", "0")
    status, out, _ = gameplay(*words)
    assert status == 0
    assert "repeat another move for move" in out
    assert "Elo      none: " in out
    status, _, err = gameplay("match", "alphabeta", "random", *FAST, "--sprt", "0,50", "--openings", "0")
    assert status == 2
    assert "SPRT needs a new opening for each pair" in err


def test_a_run_cut_short_is_warned_of(gameplay, tmp_path):
    """Stopping a run when its result looks good finds effects that do not exist."""
    assert gameplay("match", "alphabeta", "random", *FAST, "--games", "8")[0] == 0
    import sqlite3

    with sqlite3.connect(tmp_path / "runs.db") as db:
        db.execute("DELETE FROM game WHERE pair > 1")
    with Store(tmp_path / "runs.db") as store:
        run = store.run("last")
        [warning] = RunReport(store, run, Schedule(decode(run.plan)), 0.0, 1).warnings
    assert "only 4 of 8 games are finished" in warning


@pytest.mark.parametrize("form", ["round-robin", "gauntlet", "knockout", "swiss"])
def test_tournaments(gameplay, tmp_path, form):
    config = tmp_path / "cup.toml"
    config.write_text(ROUND_ROBIN.replace("round-robin", form))
    status, out, err = gameplay("tournament", config)
    assert (status, err) == (0, "")
    assert f"tictactoe, {form}, " in out
    for words in ("one", "random", "three", "points", "Points of the player in the row"):
        assert words in out
    result = json.loads(gameplay("resume", "last", "--json")[1])
    assert {line["name"] for line in result["standings"]} == {"one", "random", "three"}
    assert sum(line["points"] for line in result["standings"]) == result["games"]


def test_three_at_a_table(gameplay, tmp_path):
    """In a three-player game the seats rotate, and each player has each seat once."""

    game = TESTS / "examples" / "games" / "thrice.py"
    words = ("match", "a=random", "b=random:seed=2", "c=random:seed=3", "--game", game, "--games", "6")
    status, out, err = gameplay(*words, "--openings", "0", "--jobs", "1")
    assert status == 0, err
    with Store(tmp_path / "runs.db") as store:
        seated = [game.names for game in store.games(last(tmp_path).id)]
    assert seated[:3] == [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]]
    assert "6 of 6 games" in out
    assert "points  pairings" in out and "; each game is 2 pairings for each of its players" in out


def test_a_game_for_three_has_the_same_points_wherever_it_is_counted(gameplay, tmp_path):
    """Stored, ranked, verified and exported points agree: the second of three has beaten another one."""
    game = ROOT / "gameplay" / "games" / "tree" / "files" / "three-players.toml"
    words = ("match", "a=random", "b=random:seed=2", "c=random:seed=3", "--game", game, "--games", "30")
    assert gameplay(*words, "--openings", "0", "--jobs", "1")[0] == 0
    run = last(tmp_path)
    with Store(tmp_path / "runs.db") as store:
        games = list(store.games(run.id))
    total = dict.fromkeys("abc", 0.0)
    for record in games:
        beaten = [sum(mine > other for other in record.payoffs) for mine in record.payoffs]
        level = [record.payoffs.count(mine) - 1 for mine in record.payoffs]
        shares = [(won + same / 2) / 2 for won, same in zip(beaten, level, strict=True)]
        assert record.points == shares[record.first]
        for name, share in zip(record.names, shares, strict=True):
            total[name] += share
    assert {game.points for game in games} >= {0, 0.5, 1}
    document = json.loads(gameplay("resume", "last", "--json")[1])
    assert {line["name"]: line["score"] for line in document["standings"]} == total
    assert gameplay("verify", "last")[0] == 0
    assert gameplay("export", "last", "--out", tmp_path / "cup.jsonl")[0] == 0
    assert gameplay("import", tmp_path / "cup.jsonl", "--store", tmp_path / "other.db", store=False)[0] == 0
    damaged = tmp_path / "damaged.jsonl"
    text = (tmp_path / "cup.jsonl").read_bytes().splitlines()
    body = re.sub(rb'"points":[\d.]+', b'"points":0.3', text[1].rpartition(b',"crc":"')[0]) + b"}"
    text[1] = b'%b,"crc":"%08x"}' % (body[:-1], zlib.crc32(body))
    damaged.write_bytes(b"\n".join(text) + b"\n")
    status, _, err = gameplay("import", damaged, "--store", tmp_path / "third.db", store=False)
    assert (status, err.count("\n")) == (6, 1)
    assert "line 2: expected 0, 0.25, 0.5, 0.75 or 1 point for a game, not 0.3" in err


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (("depth = 2", "deepth = 2"), r"line 5: .*deepth"),
        (("games = 4", "games = 3"), r"line 4: .*even number, not 3"),
        (('"minimax"', '"minmax"'), r"line 16: .*minimax"),
        (("game = ", "game "), r"line 2"),
    ],
)
def test_wrong_config_is_reported_with_file_and_line(gameplay, tmp_path, change, line):
    config = tmp_path / "cup.toml"
    config.write_text(ROUND_ROBIN.replace(*change))
    status, out, err = gameplay("tournament", config)
    assert status == 6
    assert str(config) in err
    assert re.search(line, err), err
    assert (err.count("\n"), out) == (1, "")


def test_a_config_that_is_not_there(gameplay, tmp_path):
    status, _, err = gameplay("tournament", tmp_path / "nowhere.toml")
    assert status == 6
    assert "nowhere.toml" in err and err.count("\n") == 1


@pytest.mark.parametrize("command", ["resume", "stop"])
def test_a_run_that_is_not_there(gameplay, tmp_path, command):
    status, _, err = gameplay(command, "last")
    assert (status, err.count("\n")) == (6, 1)
    gameplay("match", "random", "random", *FAST, "--games", "2")
    status, _, err = gameplay(command, "nothing")
    assert status == 2
    assert "there is no run 'nothing'" in err


def test_resume_of_a_run_that_ended_by_faults_has_its_status(gameplay, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def mine(position):\n    return position.moves()[position.turn * 99]\n")
    words = ("match", f"mine={mine}", "random", "--game", "tictactoe", "--games", "6", "--jobs", "1")
    first = gameplay(*words, "--openings", "0")  # fails in each second game, for the third time in the last
    assert first[0] == 5 and "mine failed 3 times" in first[2] and "6 of 6 games" in first[1]
    report, document = gameplay("report", "last")[1], json.loads(gameplay("report", "last", "--json")[1])
    counts = [{"player": "mine", "fault": "crash", "games": 3}]
    status = json.loads(gameplay("status", "last", "--json")[1])
    assert "\nfaults   mine: 3 crashes\n" in first[1] and "Faults: mine: 3 crashes\n" in report
    assert "\nfaults    mine: 3 crashes\n" in gameplay("status", "last")[1]
    assert document["fault_counts"] == status["faults"] == counts
    assert json.loads(gameplay("resume", "--jobs", "1", "--json")[1])["faults"] == counts
    for _ in range(2):
        status, _, err = gameplay("resume", "--jobs", "1")
        assert status == first[0] and err.endswith(first[2])


def test_resume_of_a_finished_run_plays_nothing(gameplay, tmp_path):
    gameplay("match", "alphabeta", "random", *FAST, "--games", "4")
    before = (tmp_path / "runs.db").stat().st_size
    status, out, err = gameplay("resume")
    assert status == 0 and "is finished; there is nothing to play\n" in err
    assert "4 of 4 games" in out
    assert (tmp_path / "runs.db").stat().st_size == before


def test_stop_ends_a_run_that_is_being_played(gameplay, tmp_path):
    place = ["--store", str(tmp_path / "runs.db")]
    words = ["match", "iterative", "alphabeta", "--nodes", "2000", "--games", "4000", "--jobs", "1", *place]
    with subprocess.Popen(
        [sys.executable, "-m", "gameplay", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while process.poll() is None:
            status, out, _ = gameplay("stop", "last")
            if status == 0:
                break
            time.sleep(0.05)
        _, err = process.communicate(timeout=60)
    run = last(tmp_path)
    assert f"asked process {process.pid} on " in out
    assert process.returncode == 4
    assert f"resume with: gameplay run resume {run.id}" in err
    assert run.state == "stopped"
    status, _, err = gameplay("stop", run.id)
    assert (status, err) == (
        2,
        f"gameplay: {run.id} is not being played; it is stopped. Try: gameplay run status "
        f"--store {tmp_path / 'runs.db'}\n",
    )


def test_compare(gameplay, tmp_path):
    for first in ("alphabeta:depth=1", "alphabeta:depth=3"):
        assert gameplay("match", first, "random", *FAST[:2], "--games", "20", "--jobs", "1")[0] == 0
    with Store(tmp_path / "runs.db") as store:
        new, old = (run.id for run in store.runs())
    status, out, err = gameplay("compare", old, new)
    assert (status, err) == (0, "")
    assert re.search(r"alphabeta:depth=1 has [\d.]+ of 20 points", out)
    result = json.loads(gameplay("compare", old, new, "--json")[1])
    mirror = json.loads(gameplay("compare", new, old, "--json")[1])
    assert result["pairs"] == result["better"] + result["equal"] + result["worse"] == 10
    assert result["difference"]["score"] == -mirror["difference"]["score"]
    points = [run["points"] for run in result["runs"]]
    assert result["difference"]["score"] == pytest.approx((points[1] - points[0]) / 20)
    same = json.loads(gameplay("compare", new, new, "--json")[1])
    assert (same["alike"], same["equal"], same["difference"]["score"]) == (20, 10, 0)


@pytest.mark.parametrize(
    ("gains", "low", "high"),
    [
        ((0.5, -0.5), -1, 1),
        ((0.5, 0.0, 1.0), -0.742068, 1),
        ((0.25, 0.0, -0.25, 0.0, 0.0), -0.219497, 0.219497),
        ((1.0, 1.0), -0.683772, 1),
    ],
)
def test_the_interval_of_a_comparison(gameplay, tmp_path, monkeypatch, gains, low, high):
    """By hand: t of 2 degrees of freedom is 4.302653 (deviation 0.5), of 4 it is 2.776445 (0.176777).

    Within -1 and 1; without a spread from 1 - 2 (1 - 0.025^(1/2)).
    """
    gameplay("match", "alphabeta", "random", *FAST, "--games", "2")
    pairs = [{n: (0.0, "", {}) for n in range(9)}, {n: (2 * gain, "", {}) for n, gain in enumerate(gains)}]
    monkeypatch.setattr(compare, "_pairs", lambda store, run: pairs.pop(0))
    with Store(tmp_path / "runs.db") as store:
        (stored,) = store.runs()
        comparison = compare.compare(store, (stored, stored))
    mean = pytest.approx(sum(gains) / len(gains))
    assert comparison["pairs"] == len(gains)
    ends = {"low": pytest.approx(low, abs=2e-6), "high": pytest.approx(high, abs=2e-6)}
    measured = {"los": 0, "measured": gains != (1.0, 1.0)}
    assert comparison["difference"] | {"los": 0} == {"score": mean} | measured | ends


def test_a_comparison_is_made_of_the_pairs_that_both_have(gameplay, tmp_path, monkeypatch):
    gameplay("match", "new=random", "old=random", *FAST, "--games", "2")
    mine = {0: (2.0, "a", {0: "x", 1: "y"}), 1: (1.0, "b", {0: "z", 1: "x"}), 2: (0.5, "c", {0: "x", 1: "x"})}
    its = {0: (1.0, "a", {0: "x", 1: "y"}), 1: (1.0, "b", {0: "x", 1: "x"}), 2: (2.0, "c", {0: "y", 1: "y"})}
    others = ({7: (1.0, "", {})}, {9: (1.0, "", {})})

    def compare_runs(*runs):
        left = list(runs)
        monkeypatch.setattr(compare, "_pairs", lambda store, run: left.pop(0))
        with Store(tmp_path / "runs.db") as store:
            (stored,) = store.runs()
            return compare.compare(store, (stored, stored))

    comparison = compare_runs(mine | others[0], its | others[1])
    run = comparison["runs"][0]["run"]
    assert comparison == {
        "runs": [
            {"run": run, "player": "new", "points": 3.5, "games": 6},
            {"run": run, "player": "new", "points": 4.0, "games": 6},
        ],
        "pairs": 3,
        # gains of -1/2, 0 and 3/4: a mean of 1/12, a deviation of 0.629153; t = 0.2294, 2 degrees of freedom
        "difference": {
            "score": 0.083333, "low": -1.0, "high": 1.0,
            "los": pytest.approx(0.58, abs=0.02), "measured": True,
        },
        "better": 1, "equal": 1, "worse": 1, "alike": 3,
    }  # fmt: skip
    with pytest.raises(Usage, match="the runs have no complete pair of games in common"):
        compare_runs(*others)
    with pytest.raises(Usage, match="pair 1 began from different openings in the two runs"):
        compare_runs(mine, its | {1: (1.0, "other", {})})


def test_compare_prints_four_lines(gameplay, monkeypatch):
    results = {
        "runs": [
            {"run": "one", "player": "new", "points": 3.5, "games": 6},
            {"run": "two", "player": "newer", "points": 4.0, "games": 6},
        ],
        "pairs": 3,
        "difference": {"score": 0.0833, "low": -0.6288, "high": 0.7951, "los": 0.58, "measured": True},
        "better": 1, "equal": 2, "worse": 0, "alike": 4,
    }  # fmt: skip
    gameplay("match", "random", "random", *FAST, "--games", "2")
    monkeypatch.setattr(compare, "compare", lambda store, runs: results)
    heads = "one: new has 3.5 of 6 points, 58.3 %\ntwo: newer has 4 of 6 points, 66.7 %\n"
    assert gameplay("compare", "last", "last")[1] == heads + (
        "second run minus the first: +8.3 % of the points [-62.9, +79.5]\n"
        "95 % interval from 3 pairs; positive: 58.0 % sure\n"
        "pairs: 1 better, 2 equal, 0 worse; 4 of 6 games are identical\n"
    )
    results |= {
        "pairs": 1,
        "difference": {"score": -0.5, "low": -0.98, "high": 0.96, "los": 0.5, "measured": False},
    }
    assert gameplay("compare", "last", "last")[1] == heads + (
        "second run minus the first: -50.0 % of the points, between -98.0 and +96.0\n"
        "bounds from 1 pair; positive: 50.0 % sure\n"
        "pairs: 1 better, 2 equal, 0 worse; 4 of 2 games are identical\n"
    )


def test_pairs_that_are_compared_are_those_that_are_complete(gameplay, tmp_path):
    gameplay("match", "alphabeta", "random", *FAST, "--games", "4")
    import sqlite3

    with Store(tmp_path / "runs.db") as store:
        games = {(game.pair, game.leg): game for game in store.games(last(tmp_path).id)}
        pairs = compare._pairs(store, last(tmp_path))
    assert sorted(pairs) == [0, 1]
    for pair, (points, (start, moves), trails) in pairs.items():
        assert points == games[pair, 0].points + games[pair, 1].points
        assert trails == {leg: games[pair, leg].trail for leg in (0, 1)} and len(set(trails.values())) == 2
        assert start == "" and moves == games[pair, 1].read().words[:2]
    with sqlite3.connect(tmp_path / "runs.db") as db:
        db.execute("DELETE FROM game WHERE pair = 1 AND leg = 1")
    with Store(tmp_path / "runs.db") as store:
        assert compare._pairs(store, last(tmp_path)) == {0: pairs[0]}


def test_only_matches_of_two_can_be_compared(gameplay, tmp_path):
    config = tmp_path / "cup.toml"
    config.write_text(ROUND_ROBIN)
    gameplay("tournament", config)
    run_id = last(tmp_path).id
    status, out, err = gameplay("compare", run_id, run_id)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"{run_id} is not a match of two players; expected one" in err


@pytest.mark.parametrize(("options", "line"), [(("--seed", "2"), "seed"), (("--openings", "3"), "openings")])
def test_runs_that_cannot_be_compared(gameplay, tmp_path, options, line):
    gameplay("match", "alphabeta", "random", *FAST, "--games", "4")
    run_id = last(tmp_path).id
    gameplay("match", "alphabeta", "random", *FAST, "--games", "4", *options)
    status, out, err = gameplay("compare", run_id, "last")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"the runs differ in {line} " in err


# -- how a run is begun and how it ends ----------------------------------------------------------------


def fake_runner(
    reason, number=0, sprt=None, decision=None, total=1200, message="it ended", complete=False, left=1
):
    """A runner with this stop reason."""
    plan = SimpleNamespace(sprt=sprt)
    standing = SimpleNamespace(verdict=SimpleNamespace(decision=decision) if decision else None)
    return SimpleNamespace(
        reason=reason, number=number, message=message, is_complete=complete,
        quarantined=left, standing=standing, schedule=SimpleNamespace(plan=plan, total=total),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("runner", "status", "line"),
    [
        (fake_runner("complete"), 0, ""),
        (fake_runner("complete", sprt="test"), 4, ""),
        (fake_runner("decided", sprt="test", decision="H1"), 0, ""),
        (fake_runner("decided", sprt="test", decision="H0"), 3, ""),
        (fake_runner("decided", sprt="test"), 3, ""),
        (fake_runner("stopped"), 4, "it ended after 1,100 of 1,200 games; resume with: resume"),
        (fake_runner("stopped", sprt="test"), 4, "it ended after 1,100 of 1,200 games; resume with: resume"),
        (fake_runner("interrupted", 2), 130, "it ended after 1,100 of 1,200 games; resume with: resume"),
        (fake_runner("interrupted", 15, total=None), 143, "it ended after 1,100 games; resume with: resume"),
        (fake_runner("failed"), 5, "gameplay: it ended; resume anyway with: resume"),
        (fake_runner("failed", complete=True), 5, "gameplay: it ended"),
        (fake_runner("incomplete"), 5, "gameplay: left out a game without a result after 3 attempts"),
        (
            fake_runner("incomplete", left=2),
            5,
            "gameplay: left out 2 games without a result after 3 attempts",
        ),
    ],
)
def test_how_a_run_ended_is_a_line_and_a_status(capsys, runner, status, line):
    running._report_incomplete(runner, 1100, "resume")
    assert capsys.readouterr() == ("", f"{line}\n" if line else "")
    assert running._exit_status(runner) == status


def test_as_many_games_at_once_as_there_are_cores_or_games(monkeypatch):
    def jobs(asked, total=100, clocks=False):
        plan = SimpleNamespace(
            players=["a", "b"], clock_of=lambda name: "5+0" if clocks and name == "b" else ""
        )
        return running._jobs(SimpleNamespace(plan=plan, total=total), asked)

    monkeypatch.setattr(running, "cores", lambda: 4)
    assert (jobs(None), jobs(None, clocks=True), jobs(7), jobs(7, clocks=True)) == (4, 3, 7, 7)
    assert (jobs(None, 3), jobs(7, 2), jobs(None, None), jobs(7, None)) == (3, 2, 4, 7)
    monkeypatch.setattr(running, "cores", lambda: 1)
    assert (jobs(None), jobs(None, clocks=True)) == (1, 1)


def test_openings_are_plies_or_a_file_with_plies(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "some.pgn").write_text("")
    place = str(tmp_path / "some.pgn")
    assert requests.openings_fields(None) == {}
    assert requests.openings_fields(None, "alphabeta") == {"balance": "alphabeta"}
    assert requests.openings_fields("0") == {"plies": 0}
    assert requests.openings_fields("4", "alphabeta") == {"plies": 4, "balance": "alphabeta"}
    assert requests.openings_fields("some.pgn") == {"file": place}
    assert requests.openings_fields("some.pgn:8", "alphabeta") == {
        "file": place,
        "plies": 8,
        "balance": "alphabeta",
    }
    with pytest.raises(BadInput) as refused:
        requests.openings_fields("none.pgn:8")
    assert "a number of plies or a file; there is no file none.pgn" in str(refused.value)


def test_as_many_games_as_there_are_openings_for():
    """Nine first moves, each played from both seats; with three seats 7 openings make 21 of 23 games."""
    for game, games, openings in (
        ("tictactoe", 100, 18),
        ("tictactoe", 9, 8),
        ("tictactoe:players=3", 23, 21),
    ):
        assert requests.available_games(game, games, 1, {"plies": 1}) == openings


def test_match_options_for_sprt_and_adjudication():
    assert match._sprt_fields(None, None, None, None) is None
    assert match._sprt_fields("0,20", None, None, None) == {"elo0": 0, "elo1": 20}
    settings = {"elo0": -5, "elo1": 2.5, "alpha": 0.1, "beta": 0.2, "model": "logistic"}
    assert match._sprt_fields("-5,2.5", 0.1, 0.2, "logistic") == settings
    for others in ((0.1, None, None), (None, 0.1, None), (None, None, "logistic")):
        with pytest.raises(Usage, match="--alpha, --beta and --model set a test, and --sprt is missing"):
            match._sprt_fields(None, *others)
    for sprt in ("5", "5,", "0,5,9", "low,high"):
        with pytest.raises(Usage) as refused:
            match._sprt_fields(sprt, None, None, None)
        assert str(refused.value) == f"--sprt is '{sprt}'; expected ELO0,ELO1, as in 0,20"
    assert match._adjudication_fields(None, None, None, None) == {}
    settings = {"plies": 80, "exact": "minimax", "resign": {"value": 300}, "draw": {"value": 0.9, "moves": 4}}
    assert match._adjudication_fields("300", "0.9,4", 80, "minimax") == settings
    for rule in ("", "much", "300,4,5", "0.9,x"):
        with pytest.raises(Usage) as refused:
            match._parse_rule(rule, "--draw")
        right = "expected VALUE or VALUE,MOVES, numbers from 0 up. Try: --draw 0.9,4"
        assert str(refused.value) == f"--draw is '{rule}'; {right}"


def plan_match(monkeypatch, *words):
    """The plan of `match`; no game is played."""
    results = []
    monkeypatch.setattr(match, "start_run", lambda plan, running: results.append(plan) or 0)
    assert run(router, "gameplay", ["match", "random", "minimax", "--game", "tictactoe", *words]) == 0
    return results.pop()


def test_number_of_games_is_given_or_bounded_by_the_sprt(monkeypatch):
    bare = plan_match(monkeypatch)
    assert (bare.games, bare.seed, bare.sprt) == (100, 1, None)
    assert (bare.openings, bare.adjudicate) == (Openings(), Adjudication())
    tested = plan_match(monkeypatch, "--sprt", "0,20", "--openings", "1")
    assert (tested.games, tested.sprt.elo1) == (18, 20), "as many as there are openings for"
    asked = plan_match(monkeypatch, "--sprt", "0,20", "--openings", "1", "--games", "6", "--longest", "7")
    assert (asked.games, asked.adjudicate.plies) == (6, 7)


def test_an_sprt_without_a_number_may_take_ten_thousand_games(monkeypatch):
    asked = []
    monkeypatch.setattr(
        requests, "available_games", lambda game, games, seed, openings: asked.append((game, games)) or 18
    )
    assert plan_match(monkeypatch, "--sprt", "0,20").games == 18
    assert asked == [("tictactoe", 10_000)]


def test_a_match_at_a_puzzle_solves_a_hundred_instances_and_takes_no_rules(monkeypatch, capsys):
    requests = []
    monkeypatch.setattr(solving, "solve", lambda *what: requests.append((what[1:4], what[5])) or 0)
    words = ["match", "astar", "idastar", "--game", "puzzle15"]
    assert run(router, "gameplay", words) == 0
    assert run(router, "gameplay", [*words, "--games", "3", "--seed", "7", "--json"]) == 0
    assert requests == [((("astar", "idastar"), 100, 1), False), ((("astar", "idastar"), 3, 7), True)]
    for more in ("--sprt 0,5", "--openings 2", "--longest 9", "--clock 5+1", "--balance astar"):
        assert run(router, "gameplay", [*words, *more.split()]) == 2
        assert capsys.readouterr().err == (
            "gameplay: puzzle15 is a puzzle: its engines solve the same instances. Options for that: "
            "--games, --seed, --depth, --nodes, --time and --json\n"
        )
