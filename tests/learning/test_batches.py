"""Games of a batch: the same bytes for any number of processes, and after a kill at any point."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gameplay.adapter import kernel_of
from gameplay.cli.knowledge.learning.workers import parallel_games
from gameplay.errors import Fault, Usage
from gameplay.learning import batches
from gameplay.learning.alphazero.run import AlphaZeroRun, AlphaZeroSettings
from gameplay.learning.games_run import GamesRun
from gameplay.learning.generations import StopRequested
from gameplay.learning.network_run import NetworkRun, NetworkSettings
from gameplay.learning.td_run import TdRun, TdSettings
from gameplay.runs.pool import Pool
from tests.support import learning_runs
from tests.support.learning import learn_status

# Records and their samples are tested in both builds by test_alphazero.py and others.
pytestmark = pytest.mark.once

NIM = "nim:heaps=2+3"
GAMES = 60  # 3 a generation: a batch of 2, and one of 1
RUNS = {
    "alphazero": (AlphaZeroRun, AlphaZeroSettings(NIM, GAMES, simulations=4, opening=2, batch=2)),
    "tables": (TdRun, TdSettings(NIM, GAMES, batch=2)),
    "network": (NetworkRun, NetworkSettings(NIM, GAMES, "5", batch=2)),
    "dice": (NetworkRun, NetworkSettings("backgammon", GAMES, "2", explore=0.0, batch=2)),
}
names = pytest.mark.parametrize("name", RUNS)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], GamesRun[Any, Any]]:
    """A complete run in a single process."""
    runs: dict[str, GamesRun[Any, Any]] = {}

    def complete(name: str) -> GamesRun[Any, Any]:
        if name not in runs:
            kind, settings = RUNS[name]
            runs[name] = kind.begin(tmp_path_factory.mktemp("run") / name, settings)
            assert len(list(runs[name].learn())) == GamesRun.generations
        return runs[name]

    return complete


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(2) as pool:
        yield pool


@names
def test_bytes_do_not_depend_on_the_number_of_processes(
    whole: Callable[[str], GamesRun[Any, Any]],
    pool: Pool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    monkeypatch.setattr(batches, "QUICK", -1.0)  # other processes play, however fast the games are
    tasks = 0

    def each(work: Callable[[Any], Any], parts: Iterable[Any]) -> Iterator[Any]:
        nonlocal tasks
        for result in pool.each(work, parts, run.idle):
            assert not isinstance(result, str), result
            tasks += 1
            yield result

    kind, settings = RUNS[name]
    run = kind.begin(tmp_path / "several", settings)
    run.spread(each)
    list(run.learn())
    assert tasks > GamesRun.generations and run.curve[-1].positions > GAMES
    assert learning_runs.contents(run.folder) == learning_runs.contents(whole(name).folder)


@names
def test_run_that_is_killed_within_a_batch_ends_with_the_same_bytes(
    whole: Callable[[str], GamesRun[Any, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(batches, "QUICK", -1.0)
    kind, complete = RUNS[name][0], whole(name)

    def interrupt_after_one(work: Callable[[Any], Any], parts: Iterable[Any]) -> Iterator[Any]:
        yield work(next(iter(parts)))
        raise KeyboardInterrupt

    folder = learning_runs.interrupt_run(kind, complete.folder, tmp_path / "killed", 7)
    run = kind.load(folder)
    run.spread(interrupt_after_one)
    with pytest.raises(KeyboardInterrupt):
        list(run.learn())
    assert not (folder / batches.FILE).exists()
    (folder / batches.FILE).write_bytes(b"of a process that could not remove it")
    learning_runs.check_resumed(kind, complete.folder, folder, 7)


@names
def test_size_of_a_batch_changes_what_is_learned_but_not_its_first_game(
    whole: Callable[[str], GamesRun[Any, Any]], name: str
) -> None:
    """The first game is learned as by `play`, which learns during the game or at its end."""
    run = whole(name)
    learners = [run.fresh_learner(5) for _ in range(2)]
    learners[0].play(1)
    learners[1].learn(learners[1].record(5))
    first, second = ([bytes(part) for part in run.arrays(learner)] for learner in learners)
    assert first == second and learners[0].positions == learners[1].positions > 0
    assert learners[0].rng_state == learners[1].rng_state or name == "alphazero"
    run.open_learner().play(1)


@names
def test_records_of_games_do_not_depend_on_one_another(
    whole: Callable[[str], GamesRun[Any, Any]], name: str
) -> None:
    run = whole(name)
    learner = run.open_learner()
    arrays = [bytes(part) for part in run.arrays(learner)]
    first = [learner.record(batches.self_play_seed(1, number)) for number in (0, 1, 2)]
    again = [learner.record(batches.self_play_seed(1, number)) for number in (2, 1, 0)]
    assert first == again[::-1] and len({repr(weight) for weight in first}) > 1
    assert arrays == [bytes(part) for part in run.arrays(learner)], "nothing is learned"
    assert learner.kernel.key() == kernel_of(run.game.new()).key()


def test_weights_of_another_batch_are_refused(tmp_path: Path) -> None:
    path, weights = tmp_path / batches.FILE, memoryview(bytearray(range(8))).cast("f")
    batches._write(path, 3, [weights, weights])
    read = [memoryview(bytearray(8)).cast("f") for _ in range(2)]
    batches._read(path, 3, read)
    assert [bytes(weight) for weight in read] == [bytes(weights)] * 2
    with pytest.raises(Fault, match="holds other weights"):
        batches._read(path, 4, read)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(Fault, match="holds other weights"):
        batches._read(path, 3, read)
    path.unlink()
    with pytest.raises(Fault, match="Workers must see the folder of the run"):
        batches._read(path, 3, read)


def test_first_game_decides_whether_games_run_in_processes(
    whole: Callable[[str], GamesRun[Any, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, sent = whole("tables"), 0

    def each(work: Callable[[Any], Any], parts: Iterable[Any]) -> Iterator[Any]:
        nonlocal sent
        for part in parts:
            sent += len(part.numbers)
            yield work(part)

    learner = run.open_learner()
    alone = list(batches.Batches(run).play(learner, range(5)))
    for quick, expected in ((1e9, 0), (0.0, 4)):
        monkeypatch.setattr(batches, "QUICK", quick)
        monkeypatch.setattr(batches, "SPEED", 1e30)
        played, sent = batches.Batches(run), 0
        played.each = each
        assert list(played.play(learner, range(5))) == alone and sent == expected
    (run.folder / batches.FILE).unlink()


class LoggingLearner:
    """Logs the order of games and lessons."""

    def __init__(self) -> None:
        self.log, self.rate, self.rng_state = "", 0.0, 0

    def record(self, rng_state: int) -> int:
        self.log += "p"
        return rng_state

    def learn(self, record: int) -> None:
        self.log += "l"


@pytest.mark.parametrize(("name", "order"), [("network", "pppp ll pp llll"), ("tables", "pp ll pp ll pp ll")])
def test_network_plays_a_batch_before_it_learns_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, order: str
) -> None:
    kind, settings = RUNS[name]
    run, learner = kind.begin(tmp_path / "run", replace(settings, games=2 * GAMES)), LoggingLearner()
    monkeypatch.setattr(run, "guides", lambda _learner: [])
    for generation in range(2):  # six games each; nothing is left for the next generation
        run.generation, learner.log = generation, ""
        run.advance(learner)
        assert learner.log == order.replace(" ", "")


def test_network_learns_while_other_processes_play(tmp_path: Path) -> None:
    kind, settings = RUNS["network"]
    run, learner = kind.begin(tmp_path / "run", settings), LoggingLearner()
    run._unlearned.append((learner, 1))
    assert run.idle() and not run.idle() and learner.log == "l"
    run.request_stop()
    with pytest.raises(StopRequested):
        run.idle()


# -- the command -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "tictactoe --method td --jobs 2",
            "--jobs: with --batch 1 each game depends on the weights",
        ),
        ("nim --method alphazero --batch 1 --cluster x:1", "--cluster: with --batch 1 each game depends"),
        ("nim --method alphazero --batch 0", "--batch"),
        ("checkers --batch 5", "--batch is for --method td and alphazero, not samuel"),
        (
            "checkers --jobs 2",
            "--jobs is for --method td, alphazero, logistic, tdleaf, spsa and correction, not samuel",
        ),
    ],
)
def test_command_rejects_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: str,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert learn_status(words.split()) == Usage.status
    assert message in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_processes_are_used_by_runs_in_batches(
    whole: Callable[[str], GamesRun[Any, Any]], tmp_path: Path
) -> None:
    run = AlphaZeroRun.begin(tmp_path / "run", RUNS["alphazero"][1])
    with parallel_games(run, 2, None):
        assert run.batches.each is not None
        next(run.learn())
    assert run.curve == whole("alphazero").curve[:1]
