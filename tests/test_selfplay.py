"""`selfplay` and `verify` as a user meets them."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gameplay.cli import router, run
from gameplay.cli.selfplay import command
from gameplay.display.progress import Progress
from gameplay.store.series import append

FOLDER = Path(__file__).parent
FAST = ("tictactoe", "--first", "alphabeta:depth=3", "--second", "random", "--jobs", "2")


@pytest.fixture
def selfplay(capsys):
    """Run `selfplay` with these words: status, standard output, standard error."""

    def call(*words):
        status = run(command, "selfplay", [str(word) for word in words])
        return status, *capsys.readouterr()

    return call


@pytest.fixture
def verify(capsys):
    def call(*words):
        status = run(router, "gameplay", ["verify", *map(str, words)])
        return status, *capsys.readouterr()

    return call


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A file of 12 games."""
    file = tmp_path_factory.mktemp("series") / "games.jsonl"
    assert run(command, "selfplay", [*FAST, "--games", "12", "--out", str(file)]) == 0
    return file


def edited(tmp_path, kept, line, change):
    """A copy of the file with one game changed."""
    lines = kept.read_text().splitlines()
    game = json.loads(lines[line - 1])
    change(game)
    lines[line - 1] = json.dumps(game, separators=(",", ":"))
    file = tmp_path / "edited.jsonl"
    file.write_text("\n".join(lines) + "\n")
    return file


def test_table(selfplay):
    status, out, err = selfplay(*FAST, "--games", "10")
    assert status == 0
    assert "tictactoe: 10 of 10 games, in pairs from openings of 2 random plies, seed 1" in out
    assert "first   alphabeta:depth=3\n" in out
    assert "The first engine's results" in out
    for words in (
        "wins",
        "draws",
        "losses",
        "as x",
        "as o",
        "together",
        "Elo ",
        "95 % interval",
        "plies on average",
    ):
        assert words in out
    for words in ("no game repeats another", "nodes a second", "2 workers"):
        assert words in out
    assert err == "", "no progress where standard error is no terminal"


def test_json_and_its_invariants(selfplay):
    status, out, _ = selfplay(*FAST, "--games", "10", "--json")
    result = json.loads(out)
    assert status == 0
    assert result["games"] == result["scheduled"] == 10
    assert result["wins"] + result["draws"] + result["losses"] == 2 * sum(result["pairs"])
    assert [sum(seat[k] for k in ("wins", "draws", "losses")) for seat in result["seats"]] == [5, 5]
    assert (result["rating"] is None) == (result["no_rating"] is not None)


def test_the_file_is_the_same_at_any_number_of_jobs(selfplay, tmp_path, kept):
    words = [*FAST[:-2], "--games", "12", "--out"]
    assert selfplay(*words, tmp_path / "one.jsonl", "--jobs", "1")[0] == 0
    assert selfplay(*words, tmp_path / "three.jsonl", "--jobs", "3")[0] == 0
    assert kept.read_bytes() == (tmp_path / "one.jsonl").read_bytes()
    assert kept.read_bytes() == (tmp_path / "three.jsonl").read_bytes()


def test_another_seed_is_another_file(selfplay, tmp_path, kept):
    selfplay(*FAST, "--games", "12", "--seed", "2", "--out", tmp_path / "other.jsonl")
    assert kept.read_text().splitlines()[1:] != (tmp_path / "other.jsonl").read_text().splitlines()[1:]


def test_the_file_says_what_was_played(kept):
    header, *games = map(json.loads, kept.read_text().splitlines())
    assert header["first"] == "alphabeta:depth=3"
    assert (header["games"], header["seed"], header["openings"]) == (12, 1, 2)
    assert [(game["pair"], game["leg"]) for game in games] == [divmod(n, 2) for n in range(12)]
    assert all(game["reason"] == "rules" and game["result"] for game in games)
    assert "seconds" not in kept.read_text()


@pytest.mark.parametrize("cut", [0, 1, 5])
def test_resume_completes_a_partial_file(selfplay, tmp_path, kept, cut):
    whole = kept.read_bytes()
    lines = whole.splitlines(keepends=True)
    file = tmp_path / "partial.jsonl"
    file.write_bytes(b"".join(lines[: cut + 1]) + lines[cut + 1][:50])  # the last line torn
    status, out, _ = selfplay("--resume", file, "--json")
    assert status == 0
    assert file.read_bytes() == whole
    result = json.loads(out)
    again = json.loads(selfplay("--resume", kept, "--json")[1])
    for word in ("wins", "draws", "losses", "pairs", "seats", "rating", "repeats", "length"):
        assert result[word] == again[word]
    assert [e["nodes"] for e in result["efforts"]] == [e["nodes"] for e in again["efforts"]]


def gone(group):
    """True once no process of the group is left."""
    for _ in range(1000):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted(tmp_path, number, status):
    file = tmp_path / "long.jsonl"
    words = ["selfplay", "connect4", "--games", "2000", "--nodes", "3000", "--jobs", "2", "--out", str(file)]
    with subprocess.Popen(
        [sys.executable, "-m", "gameplay", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        while process.poll() is None and not (file.exists() and file.read_bytes().count(b"\n") > 3):
            time.sleep(0.01)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does: to the workers as well
        else:
            process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == status
    assert f"of 2000 games; go on with: gameplay selfplay --resume {file}" in err
    assert err.count("\n") == 1, err
    assert "together" in out
    assert gone(process.pid), "a worker is left behind"
    assert file.read_bytes().endswith(b"\n")


def test_verify_finds_nothing_wrong(verify, kept):
    status, out, _ = verify(kept)
    assert status == 0
    assert "12 games: moves, results and node counts are as recorded" in out


def test_verify_a_partial_file(verify, kept, tmp_path):
    file = tmp_path / "partial.jsonl"
    file.write_bytes(b"".join(kept.read_bytes().splitlines(keepends=True)[:6]))
    status, out, _ = verify("--quick", file)
    assert status == 0
    assert "5 games of 12 scheduled: moves and results are as recorded" in out


def more_nodes(game):
    next(ply for ply in game["moves"] if ply.get("nodes", 0) > 1)["nodes"] += 1


def other_result(game):
    game["result"] = [-pay or 1 for pay in game["result"]]


def illegal_move(game):
    game["moves"][3]["move"] = game["moves"][2]["move"]


def cut_short(game):
    del game["moves"][-1]


def other_opening(game):
    game["moves"][0], game["moves"][1] = game["moves"][1], game["moves"][0]


def other_pair(game):
    game["pair"] += 1


def other_player(game):
    game["players"].reverse()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (more_nodes, r"nodes of move \d is \d+, and played again \d+"),
        (other_result, r"result .* and by the rules"),
        (illegal_move, r"move 4: "),
        (cut_short, r"the game is not over after its \d moves"),
        (other_opening, r"opening is .. .., and the header makes it .. .."),
        (other_pair, r"pair 2, leg 0, where pair 1, leg 0 is due"),
        (
            other_player,
            r"players is random alphabeta:depth=3, and the header makes it alphabeta:depth=3 random",
        ),
    ],
)
def test_verify_names_the_line_and_what_differs(verify, tmp_path, kept, change, words):
    file = edited(tmp_path, kept, 4, change)
    status, out, err = verify(file)
    assert status == 3
    assert re.match(rf"{re.escape(str(file))}, line 4: {words}", out), out
    assert out.count("\n") == 1
    assert err == "gameplay: 1 of 12 games differ\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no series of games"),
        ("{}\n", "line 1 is not the header of a series"),
        ("\x00\xff\n", "line 1 is not the header of a series"),
    ],
)
def test_a_file_that_is_no_series(verify, selfplay, tmp_path, text, words):
    file = tmp_path / "other.jsonl"
    file.write_text(text)
    for status, _, err in (verify(file), selfplay("--resume", file)):
        assert status == 6
        assert words in err
        assert err.count("\n") == 1


def test_a_line_that_is_no_game(verify, kept, tmp_path):
    lines = kept.read_text().splitlines()
    lines[2] = lines[2][:-1]
    file = tmp_path / "broken.jsonl"
    file.write_text("\n".join(lines) + "\n")
    status, _, err = verify(file)
    assert status == 6
    assert f"{file}, line 3 is not the record of a game" in err


@pytest.mark.parametrize(
    ("words", "status", "line"),
    [
        (("tictactoe", "--games", "5"), 2, "even number, not 5"),
        (("tictactoe", "--first", "minmax"), 2, "did you mean 'minimax'?"),
        (("tictactoo",), 2, "did you mean 'tictactoe'?"),
        (("tictactoe", "--openings", "nowhere.txt"), 6, "nowhere.txt: No such file"),
        (
            ("tictactoe", "--games", "100", "--openings", "1"),
            2,
            "1 random ply finds only 9 distinct openings, and 50 pairs of games need 50: ask for 18 games",
        ),
        (("tictactoe", "--openings", "20"), 2, "over by then"),
        (("--resume", "nowhere.jsonl"), 6, "nowhere.jsonl: No such file"),
        (("connect4", "--resume", "nowhere.jsonl"), 2, "give nothing with it"),
        (("tictactoe", "--depth", "0"), 2, "depth must be"),
    ],
)
def test_wrong_input_is_one_line(selfplay, words, status, line):
    found, out, err = selfplay(*words)
    assert found == status
    assert line in err
    assert err.count("\n") == 1
    assert out == ""


def test_a_file_is_not_written_over(selfplay, kept):
    before = kept.read_bytes()
    status, _, err = selfplay(*FAST, "--out", kept)
    assert status == 2
    assert f"--resume {kept}" in err
    assert kept.read_bytes() == before


def test_openings_from_a_file(selfplay, verify, tmp_path):
    book = tmp_path / "book.txt"
    book.write_text("# the centre, a corner, an edge\nb2\na1\na2\n")
    file = tmp_path / "games.jsonl"
    status, out, _ = selfplay(*FAST, "--games", "6", "--openings", book, "--out", file)
    assert status == 0
    assert "from listed openings" in out
    starts = [json.loads(line)["start"] for line in file.read_text().splitlines()[1:]]
    assert sorted(starts) == ["a1", "a1", "a2", "a2", "b2", "b2"]
    book.unlink()
    assert verify(file)[0] == 0, "the file needs no other"
    assert selfplay("--resume", file)[0] == 0


def test_openings_of_moves_from_a_file(selfplay, verify, tmp_path):
    book = tmp_path / "book.txt"
    book.write_text("moves b2 a1\na1 moves b2 c3\n")
    file = tmp_path / "games.jsonl"
    assert selfplay(*FAST, "--games", "4", "--openings", book, "--out", file)[0] == 0
    begun = {(game["start"], *[ply["move"] for ply in game["moves"][:2]]) for game in games_in(file)}
    assert begun == {("", "b2", "a1"), ("a1", "b2", "c3")}
    assert verify(file)[0] == 0
    whole = file.read_bytes()
    file.write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    assert selfplay("--resume", file)[0] == 0
    assert file.read_bytes() == whole


def games_in(file):
    return [json.loads(line) for line in file.read_text().splitlines()[1:]]


def test_games_that_repeat_are_counted_and_not_rated(selfplay):
    words = ("tictactoe", "--first", "alphabeta:depth=2", "--second", "alphabeta:depth=1", "--openings", "0")
    status, out, _ = selfplay(*words, "--games", "6", "--jobs", "1")
    assert status == 0
    assert "4 of 6 games repeat another move for move" in out
    assert "4 games repeat another" in out


def test_as_many_games_as_there_are_openings(selfplay, verify, tmp_path):
    file = tmp_path / "games.jsonl"
    words = (
        "tictactoe:width=2,height=3,line=3",
        "--first",
        "random",
        "--second",
        "random",
        "--openings",
        "1",
    )
    status, out, _ = selfplay(*words, "--out", file)
    assert status == 0
    assert "12 of 12 games, in pairs from openings of 1 random ply, seed 1" in out
    assert verify(file)[0] == 0


def test_a_fault_says_what_is_kept(selfplay, tmp_path):
    game = tmp_path / "sticks.py"
    game.write_text(
        "from gameplay import Position, undoable\n\n\nclass Sticks(Position):\n    left = 6\n\n"
        "    def moves(self):\n        return [1, 2]\n\n    @undoable\n    def make(self, move):\n"
        "        self.left -= move\n        self.turn = 1 // (self.left != 1) - self.turn\n\n"
        "    def outcome(self):\n        return (1, -1) if self.left <= 0 else None\n"
    )
    file = tmp_path / "games.jsonl"
    words = (game, "--first", "random", "--second", "random", "--openings", "0", "--games", "40")
    status, out, err = selfplay(*words, "--out", file)
    assert status == 5
    assert re.match(r"selfplay: game \d+: sticks: make\(\d\) raised ZeroDivisionError", err)
    kept = file.read_bytes().count(b"\n") - 1
    assert f"; {kept} games are finished; go on with: gameplay selfplay --resume {file}" in err
    assert err.count("\n") == 1
    assert out == ""


def test_a_series_limited_by_time_keeps_times_and_is_not_searched_again(selfplay, verify, tmp_path):
    file = tmp_path / "games.jsonl"
    words = ("tictactoe", "--games", "2", "--first", "alphabeta", "--second", "random", "--time", "30")
    assert selfplay(*words, "--out", file)[0] == 0
    assert '"seconds":' in file.read_text()
    status, out, _ = verify(file)
    assert status == 0
    assert "limited by time, so not searched again" in out


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_on_a_terminal_only(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with Progress(4, done=1) as progress:
            progress.advance("won 2, drawn 0, lost 0")
        assert ("2 of 4 games, won 2, drawn 0, lost 0" in stream.getvalue()) == shown


def test_three_players_are_refused(selfplay, tmp_path):
    file = tmp_path / "three.py"
    file.write_text(
        "from gameplay import Position\n\n\nclass Three(Position):\n"
        "    players = 3\n\n    def moves(self):\n        return [0]\n"
    )
    status, _, err = selfplay(file)
    assert status == 2
    assert "three is for 3 players; selfplay lets two engines meet" in err


def test_a_full_disk_names_the_file(tmp_path, monkeypatch):
    def full(path, mode):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("builtins.open", full)
    with pytest.raises(OSError, match=r"No space left on device.*games\.jsonl"):
        append(tmp_path / "games.jsonl", b"{}\n")


def test_an_engine_in_a_file_plays_in_worker_processes(selfplay, verify, tmp_path, monkeypatch):
    """Named from the folder it lies in, found from anywhere, and again when the games are checked."""
    (tmp_path / "mine.py").write_text((FOLDER / "engines" / "greedy.py").read_text())
    monkeypatch.chdir(tmp_path)
    words = ("tictactoe", "--first", "./mine.py:backwards=on", "--second", "random", "--games", "8")
    status, _, err = selfplay(*words, "--jobs", "2", "--out", "games.jsonl")
    assert (status, err.count("fault")) == (0, 0)
    first = json.loads((tmp_path / "games.jsonl").read_text().splitlines()[1])
    assert any(f"{tmp_path}/mine.py:Greedy:backwards=on" in spec for spec in first["players"])
    monkeypatch.chdir("/")
    assert verify(tmp_path / "games.jsonl")[0] == 0


def test_a_file_that_is_no_engine_is_refused_in_a_line(selfplay, tmp_path):
    (tmp_path / "wrong.py").write_text("x = 3\n")
    status, out, err = selfplay("tictactoe", "--first", tmp_path / "wrong.py", "--games", "2")
    assert (status, out) == (6, "")
    assert "holds no engine: a dataclass that subclasses gameplay.search.engine.Engine" in err
    assert err.count("\n") == 1


def test_a_game_of_dice_between_the_engines_for_it(selfplay, verify, tmp_path):
    tree = FOLDER.parent / "configs" / "trees" / "chance.toml"
    file = tmp_path / "games.jsonl"
    words = (tree, "--first", "expectiminimax:depth=4", "--second", "mcts:simulations=50", "--games", "4")
    assert selfplay(*words, "--openings", "0", "--out", file)[0] == 0
    games = [json.loads(line) for line in file.read_text().splitlines()[1:]]
    values = [ply["value"] for game in games for ply in game["moves"] if "value" in ply]
    assert 2.1 in [round(value, 9) for value in values if value is not None]
    assert verify(file)[0] == 0
