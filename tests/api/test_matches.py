"""Matches and tournaments from Python: the games of the commands, by the same seeds, in the same store."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

import gameplay
from gameplay.errors import BadInput, Usage
from gameplay.store.runs import Store, default_path
from tests.examples.games.sticks import Sticks
from tests.support.commands import run_printed

pytestmark = pytest.mark.once

SMALL = {"game": "tictactoe", "games": 8, "openings": 2}
PLAYERS = ("minimax:depth=2", "random")


class Countdown(Sticks):
    """Take one or two of the sticks; the player who takes the last one wins."""

    def __init__(self, sticks: int = 7) -> None:
        super().__init__(sticks)

    def moves(self) -> list[int]:
        return super().moves()[:2]

    def outcome(self) -> tuple[float, ...] | None:
        lost = super().outcome()
        return lost and lost[::-1]


class Threes:
    """Leaves a multiple of three."""

    def __init__(self, base: int = 3) -> None:
        self.base = base

    def search(self, position: Countdown, limit: gameplay.Limit) -> int:
        return position.sticks % self.base or 1


def moves(result: gameplay.RunResult) -> list[list[str]]:
    return [game.record.words for game in result if game.record is not None]


def test_the_games_are_those_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = gameplay.play_match(*PLAYERS, game="tictactoe", games=8, openings=2, seed=5)
    store = tmp_path / "runs.db"
    words = ["--games", 8, "--openings", 2, "--seed", 5, "--jobs", 1, "--store", store]
    assert run_printed(capsys, "match", *PLAYERS, "--game", "tictactoe", *words)[0] == 0
    command = gameplay.load_run(store=store)
    assert moves(played) == moves(command) and len(played) == 8
    counts = (played.wins, played.draws, played.losses)
    assert counts == (command.wins, command.draws, command.losses) and sum(counts) == 8
    assert played.rating == command.rating and played.rating is not None
    assert played.rating.score == (played.wins + played.draws / 2) / 8
    assert played.wins == sum(g.payoffs[g.names.index(PLAYERS[0])] > 0 for g in played)
    other = gameplay.play_match(*PLAYERS, game="tictactoe", games=8, openings=2, seed=6)
    assert moves(other) != moves(played)


def test_selfplay_takes_the_defaults_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = gameplay.selfplay("nim:heaps=1+2+3", games=4, nodes=100)
    store = tmp_path / "runs.db"
    words = ["--games", 4, "--nodes", 100, "--jobs", 1, "--store", store]
    assert run_printed(capsys, "selfplay", "nim:heaps=1+2+3", *words)[0] == 0
    command = gameplay.load_run(store=store)
    assert moves(played) == moves(command) and played.players == command.players


def test_nothing_is_stored_by_default(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = gameplay.play_match(*PLAYERS, **SMALL)
    assert (played.id, played.store) == ("", None) and not default_path().exists()
    kept = gameplay.play_match(*PLAYERS, **SMALL, store=True, title="mine")
    assert kept.store == default_path() and kept.title == "mine"
    status, out, _ = run_printed(capsys, "run", "status")
    assert status == 0 and kept.id in out and "mine" in out
    assert moves(gameplay.load_run("mine")) == moves(kept) == moves(played)


def test_classes_and_objects_are_games_and_players() -> None:
    result = gameplay.play_match(Threes, "random", game=Countdown, games=12, openings=0)
    assert result.players == ("threes", "random") and result.game == "countdown"
    first = [game for game in result if game.names[0] == "threes"]
    assert len(first) == 6 and all(game.payoffs == (1, -1) for game in first)  # 7 is no multiple of three
    two = gameplay.play_match(Threes(3), Threes(7), game=Countdown, games=2, openings=0)
    assert two.players == ("threes2", "threes3")
    assert two.wins == 2  # takes 1 of 7, then 3 of 3; the other takes 7 % 7 or 1


def test_an_engine_with_options_and_limits_is_a_player() -> None:
    engine = gameplay.engine("alphabeta:depth=2,order=killer")
    assert engine.search(gameplay.game("tictactoe").new()).depth == 2
    result = gameplay.play_match(engine, "random", game="tictactoe", games=2)
    assert result.players[0] == "alphabeta:order=killer,depth=2"


def test_a_function_is_an_engine() -> None:
    def lowest(position: gameplay.AbstractPosition) -> int:
        return min(position.moves())

    report = gameplay.engine(lowest).search(gameplay.game("tictactoe").new())
    assert report.move == 0


def test_names_of_the_program_stay_its_own() -> None:
    class Nim(Countdown):
        pass

    class Minimax(Threes):
        pass

    with pytest.raises(Usage, match="nim is a built-in game: rename the class Nim"):
        gameplay.game(Nim)
    with pytest.raises(Usage, match="minimax is a built-in engine: rename Minimax"):
        gameplay.engine(Minimax)
    with pytest.raises(BadInput, match="int is not a game"):
        gameplay.game(int)
    nim = type(gameplay.game("nim").new())
    assert gameplay.game(nim) == gameplay.game("nim")


def test_classes_of_this_process_are_refused_elsewhere() -> None:
    with pytest.raises(Usage, match="countdown is a class of this process, and jobs = 2 starts others"):
        gameplay.play_match("random", "random", game=Countdown, games=2, jobs=2)
    with pytest.raises(Usage, match="jobs must be a whole number from 1"):
        gameplay.play_match(*PLAYERS, game="tictactoe", games=2, jobs=0)


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (("random",), {}, "a match needs two players"),
        (("random", "nonsense"), {}, "nonsense"),
        (PLAYERS, {"games": 3}, "an even number, not 3"),
        (PLAYERS, {"depth": 0}, "depth"),
        (PLAYERS, {"time": "soon"}, "time"),
        (PLAYERS, {"sprt": 5}, "sprt must be a pair of Elo differences"),
        (PLAYERS, {"sprt": (5, 0)}, "expected elo0 < elo1"),
        (PLAYERS, {"openings": "none.pgn"}, "there is no file none.pgn"),
        (PLAYERS, {"game": "connect4:columns=9,colour=red"}, "colour"),
    ],
)
def test_error_names_the_wrong_argument(
    players: tuple[str, ...], options: dict[str, object], message: str
) -> None:
    with pytest.raises(gameplay.GameplayError, match=message):
        gameplay.play_match(*players, **{"game": "tictactoe", **options})


def test_selfplay_of_a_puzzle_is_refused() -> None:
    with pytest.raises(Usage, match=r"^puzzle15 is for one player; expected a game for two or more\. Try: "):
        gameplay.selfplay("puzzle15")


def test_text_that_cannot_be_stored_is_refused() -> None:
    with pytest.raises(
        Usage, match=r"^'\\udcff' is not valid Unicode; expected text without lone surrogates$"
    ):
        gameplay.play_match("random", "\udcff=random", game="tictactoe", games=2)
    with pytest.raises(Usage, match=r"^form must be a word, not '\\ud800'. Try: form='swiss'$"):
        gameplay.tournament(["random", "random"], "tictactoe", form="\ud800")  # type: ignore[arg-type]


def test_a_tournament_ranks_its_players(tmp_path: Path) -> None:
    players = ["minimax:depth=3", "random", "minimax:depth=1"]
    result = gameplay.tournament(players, "tictactoe", games=4, openings=2)
    assert result.form == "round-robin" and len(result) == 12 and len(result.ranking) == 3
    assert sum(points for _, points in result.ranking) == 12
    points = dict.fromkeys(players, 0.0)
    for game in result:
        for name, own in game.points.items():
            points[name] += own
    assert dict(result.ranking) == points
    plan = 'game = "tictactoe"\nform = "round-robin"\ngames = 4\nopenings = {plies = 2}\nplayers = ['
    file = tmp_path / "plan.toml"
    file.write_text(plan + ", ".join(f'{{player = "{player}"}}' for player in players) + "]\n")
    assert moves(gameplay.play_plan(file)) == moves(result)


def test_progress_is_reported_and_a_true_result_stops(tmp_path: Path) -> None:
    seen: list[gameplay.RunProgress] = []

    def watch(progress: gameplay.RunProgress) -> bool:
        seen.append(progress)
        return progress.games >= 2

    store = tmp_path / "runs.db"
    result = gameplay.play_match(*PLAYERS, game="tictactoe", games=400, openings=4, store=store, watch=watch)
    assert result.ended == "stopped" and 2 <= len(result) < 400
    last = seen[-1]
    assert (last.games, last.scheduled) == (len(result), 400)
    assert (last.wins, last.draws, last.losses) == (result.wins, result.draws, result.losses)


def test_ctrl_c_leaves_a_run_that_resumes(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"

    def interrupt(progress: gameplay.RunProgress) -> None:
        if progress.games < 12:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt, match=r"keeps \d+ games; gameplay.resume"):
        gameplay.play_match(*PLAYERS, game="tictactoe", games=200, openings=4, store=store, watch=interrupt)
    left = gameplay.load_run(store=store)
    assert 0 < len(left) < 200 and left.ended == "open"
    ended = gameplay.resume(left.id, store=store)
    whole = gameplay.play_match(*PLAYERS, game="tictactoe", games=200, openings=4)
    assert ended.ended == "complete" and moves(ended) == moves(whole)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_within_a_search_ends_it(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"

    class Signals:
        """Send the signal during its second search, then continue until stopped."""

        calls = 0

        def search(self, position: Countdown, limit: gameplay.Limit, watch: Any) -> int:
            type(self).calls += 1
            if self.calls == 2:
                os.kill(os.getpid(), signal.SIGINT)
                while not watch(gameplay.Report(move=1)):
                    pass
            return 1

    with pytest.raises(KeyboardInterrupt):
        gameplay.play_match(Signals, "random", game=Countdown, games=4, openings=0, store=store)
    assert Signals.calls == 2 and len(gameplay.load_run(store=store)) < 2


def test_a_script_without_a_guard_uses_processes(tmp_path: Path) -> None:
    import subprocess
    import sys

    script = tmp_path / "script.py"
    script.write_text(
        "import gameplay\n"
        "print(gameplay.play_match('minimax:depth=2', 'random', game='tictactoe', games=8, openings=2,"
        " seed=5, jobs=2).wins)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    here = gameplay.play_match(*PLAYERS, game="tictactoe", games=8, openings=2, seed=5)
    assert (done.stdout, done.stderr) == (f"{here.wins}\n", "")


def test_rows_are_plain_data() -> None:
    result = gameplay.play_match(*PLAYERS, **SMALL)
    rows = result.rows()
    assert [row["moves"].split() for row in rows] == moves(result)
    assert all(
        row["payoff0"] == -row["payoff1"] and row["plies"] == len(row["moves"].split()) for row in rows
    )
    assert {row["player0"] for row in rows} == set(PLAYERS)


def test_pandas_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    from types import ModuleType

    result = gameplay.play_match(*PLAYERS, game="tictactoe", games=2)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(Usage, match=r"to_pandas\(\) needs pandas: pip install 'gameplay\[pandas\]'"):
        result.to_pandas()
    fake = ModuleType("pandas")
    fake.DataFrame = list
    monkeypatch.setitem(sys.modules, "pandas", fake)
    table: object = result.to_pandas()
    assert table == result.rows()


def test_a_run_of_a_class_is_listed_and_cannot_go_on_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "runs.db"
    gameplay.play_match(Threes, "random", game=Countdown, games=2, openings=0, store=store)
    with Store(store) as kept:
        assert len(kept.runs()) == 1
    status, out, _ = run_printed(capsys, "run", "status", "--store", store)
    assert status == 0 and "countdown" in out
