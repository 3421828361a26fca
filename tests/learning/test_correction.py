"""Training a network that corrects the evaluation of chess: samples, gradient, runs and the command."""

import json
import struct
from hashlib import blake2b

import pytest

from gameplay import registry, weights
from gameplay.cli.knowledge.learning.correction import CorrectionMethod
from gameplay.errors import BadInput, Usage
from gameplay.games.chess.correction import SHAPE, SIZE
from gameplay.games.chess.evaluation import EVALUATIONS, ChessEvaluation
from gameplay.kernel import compiled
from gameplay.learning.correction import games as labelled
from gameplay.learning.correction import run as correction
from gameplay.learning.correction.games import LabelledGames
from gameplay.learning.correction.run import CorrectionPoint, CorrectionRun, CorrectionSettings
from gameplay.learning.correction.samples import ROW, SampleReader
from gameplay.learning.correction.trainer import CorrectionTrainer, shuffled
from tests.games.chess.test_correction import boards_of
from tests.support import learning_runs
from tests.support.learning import check_rejected, learn_status, learns

SMALL = CorrectionSettings("chess", games=4, nodes=1)
FIRST = SHAPE[0] * SHAPE[1]  # where the biases of the units begin


@pytest.fixture(scope="module", autouse=True)
def small():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(labelled, "MAX_PLIES", 8)
        patched.setattr(correction, "EPOCHS", 2)
        patched.setattr(correction, "HOLDOUT", 2)
        patched.setattr(CorrectionRun, "generations", 2)
        yield


@pytest.fixture(scope="module")
def finished_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run") / "whole"
    assert [point.games for point in CorrectionRun.begin(folder, SMALL).learn()] == [2, 4]
    return folder


def sample(fen, move, value, result):
    """The sample of a position, empty if it is not quiet, and the position."""
    position = registry.game("chess").new(fen)
    reader = SampleReader(1500)
    return reader.sample(position, position.parse(move), value, result), position


# -- samples ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", ["w", "b"])
def test_sample_is_the_position_from_the_view_of_the_mover(turn):
    fen = f"r3k3/1p6/8/8/3N4/8/6P1/4K2R {turn} - - 0 1"
    row, position = sample(fen, "Kd1" if turn == "w" else "Kd8", -37, 2)
    occupied, base, value, result, counts = struct.unpack("<Q16xhhBB2x", row)
    codes = [row[8 + at // 2] >> 4 * (at % 2) & 15 for at in range(occupied.bit_count())]
    squares = [at for at in range(64) if occupied >> at & 1]
    mine = {"w": 0, "b": 6}[turn]
    expected = {}
    for name, code in {"a8": 9, "e8": 11, "b7": 6, "d4": 1, "g2": 0, "e1": 5, "h1": 3}.items():
        at = 8 * (int(name[1]) - 1) + "abcdefgh".index(name[0])
        expected[at if turn == "w" else at ^ 56] = (code + mine) % 12
    assert dict(zip(squares, codes, strict=True)) == expected
    classic = ChessEvaluation()
    assert (base, value) == (classic.value(*boards_of(position), position.turn), -37)
    assert counts == classic.sums()[3] == 56  # one pawn is left, beside pieces
    assert result == (2 if turn == "w" else 0)  # White won


@pytest.mark.parametrize(
    ("fen", "move", "value"),
    [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 100),
        ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b8=Q", 900),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "Kf1", -500),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Ra2", 1600),
    ],
)
def test_noisy_and_decided_positions_are_no_samples(fen, move, value):
    assert sample(fen, move, value, 1)[0] == b""


def test_castling_and_double_steps_are_quiet():
    assert len(sample("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1", "O-O", 0, 1)[0]) == ROW
    assert len(sample("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1", "e4", 0, 1)[0]) == ROW


# -- the network -----------------------------------------------------------------------------------------


def noise(trainer, count):
    """Random outputs for a trainer: with zeros most gradients are 0."""
    for at, place in enumerate(shuffled(count, 5)):
        trainer.weights_owner[FIRST + SHAPE[1] + at] = place / count - 0.5


def test_gradient_is_that_of_finite_differences():
    trainer = CorrectionTrainer(3, 200.0, 0.7)
    noise(trainer, 2 * SHAPE[1] * SHAPE[2] + SHAPE[2])
    row, _ = sample("2r2rk1/pp3ppp/2n1b3/8/8/2N1B3/PPP2PPP/2KR1B1R w - - 0 1", "Kb1", 140, 2)
    row = bytearray(row)
    trainer.accumulate(row)
    slopes = trainer.gradient_owner.tolist()
    places = [at for at in range(FIRST) if slopes[at]][::60] + list(range(FIRST, FIRST + 8))
    places += [at for at in range(FIRST + SHAPE[1], trainer.total) if slopes[at]][::9]
    assert len(places) > 25
    for at in places:
        kept, losses = trainer.weights_owner[at], []
        for step in (-0.002, 0.002):
            trainer.weights_owner[at] = kept + step
            losses.append((trainer.weights_owner[at], trainer.accumulate(row)))
        trainer.weights_owner[at] = kept
        (smaller, before), (larger, after) = losses
        assert slopes[at] == pytest.approx((after - before) / (larger - smaller), rel=0.02, abs=2e-5)


def test_network_without_outputs_predicts_as_classic_does():
    row, _ = sample("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1", "e4", 300, 2)
    before, after = CorrectionTrainer(1, 200.0, 0.9).losses(bytearray(row), shuffled(1, 1), 0, 1)
    assert before == after > 0


@learns
def test_network_learns_a_correction_and_evaluates_with_it():
    rows, wanted = bytearray(), []
    for fen, more in (
        ("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1", 80),
        ("4k3/4pppp/8/8/8/8/4PPPP/4K3 w - - 0 1", -80),
    ):
        position = registry.game("chess").new(fen)
        wanted.append((position, EVALUATIONS["classic"].evaluate(position) + more))
        rows += sample(fen, "Kd1", wanted[-1][1], 1)[0]
    trainer, order = CorrectionTrainer(1, 200.0, 1.0), shuffled(2, 1)
    classic, first = trainer.losses(rows, order, 0, 2)
    for _ in range(300):
        trainer.epoch(rows, order, 0, 2, 2, 0.003)
    assert trainer.losses(rows, order, 0, 2)[1] < first - 0.02 and first == classic
    finished_run = EVALUATIONS["correction"].with_weights(trainer.packed())
    for position, value in wanted:
        assert finished_run.evaluate(position) == pytest.approx(value, abs=3)


def test_weights_of_inputs_without_samples_decay():
    """By 0.3 times the rate in each step."""
    steps = 50 if compiled() else 10
    row, _ = sample("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1", "e4", 300, 2)
    trainer = CorrectionTrainer(1, 200.0, 0.9)
    before = trainer.weights_owner.tolist()
    for _ in range(steps):
        trainer.epoch(bytearray(row), shuffled(1, 1), 0, 1, 1, 0.01)
    after, queen = trainer.weights_owner.tolist(), SHAPE[1] * (64 * 4 + 27)  # a queen on d4: there is none
    shrunk = [weight * (1 - 0.3 * 0.01) ** steps for weight in before[queen : queen + SHAPE[1]]]
    assert after[queen : queen + SHAPE[1]] == pytest.approx(shrunk, rel=1e-4) and max(shrunk) > 0.01


# -- games -----------------------------------------------------------------------------------------------


def test_game_of_a_number_is_the_same_each_time():
    first, again = (next(LabelledGames(5, 1, "classic").play([number])) for number in (3, 3))
    assert first == again
    assert len(first.moves) == len(first.values)
    position = registry.game("chess").new()
    for move in (*first.opening, *first.moves):
        position.make(move)  # raises IllegalMove otherwise


def test_openings_are_balanced_and_differ_in_length_and_moves():
    games = list(LabelledGames(5, 1, "classic").play(range(6)))
    lengths = {len(game.opening) for game in games}
    assert len(lengths) > 1 and min(lengths) >= 10 and max(lengths) <= 17
    assert len({game.opening for game in games}) == 6
    assert all(abs(game.values[0]) <= 150 for game in games)


# -- runs ------------------------------------------------------------------------------------------------


def test_weights_are_the_same_in_both_builds(finished_run):
    curve = CorrectionRun.load(finished_run).curve
    assert [(point.positions, point.held) for point in curve] == [(6, 7), (11, 11)]
    assert curve[1].corrected <= curve[1].classic
    samples = CorrectionRun.load(finished_run).open_learner().samples
    assert blake2b(samples, digest_size=4).hexdigest() == "3b3e3cbc"
    trainer = CorrectionTrainer(1, 200.0, 0.9)
    trainer.epoch(samples, shuffled(11, 2), 0, 11, 6, 0.01)
    assert blake2b(trainer.weights_owner, digest_size=4).hexdigest() == "257e9ae0"


@learns
def test_run_that_is_interrupted_ends_with_the_same_bytes(finished_run, tmp_path, monkeypatch):
    learning_runs.check_interrupted(CorrectionRun, finished_run, tmp_path / "killed", 1, 2, monkeypatch)
    learning_runs.check_stopped(CorrectionRun, finished_run, tmp_path / "stopped", 1, "fitting the network")


@pytest.mark.parametrize("name", ["run.json", "state.json", "tables-2.bin"])
def test_damaged_file_of_a_run_is_rejected_and_nothing_changes(finished_run, tmp_path, name):
    learning_runs.check_damage(CorrectionRun, finished_run, tmp_path / "damaged", name)


def test_samples_that_are_missing_are_noticed(finished_run, tmp_path):
    curve = CorrectionRun.load(finished_run).curve
    learning_runs.check_crafted_point(CorrectionRun, finished_run, tmp_path / "point", {"positions": -1})
    assert curve[1].positions > 0


@learns
def test_games_are_those_of_the_evaluation_whose_weights_must_not_change(tmp_path, finished_run):
    own = tmp_path / "own.toml"
    weights.write(EVALUATIONS["correction"], own, "")
    settings = CorrectionSettings("chess", games=4, nodes=1, evaluation=str(own))
    run = CorrectionRun.begin(tmp_path / "second", settings)
    next(run.learn())
    first = CorrectionRun.load(finished_run)
    assert run.curve[0].positions > 0 and run.curve[0].corrected != first.curve[0].corrected
    assert f"--eval {own}`, after 2 games" in run.weights.read_text()
    assert f"before=selective:eval={own}" in CorrectionMethod().foot(run)[-1]
    weights.write(EVALUATIONS["correction"].with_weights(bytes(SIZE)), own, "")
    weights.read.cache_clear()  # as in another process
    with pytest.raises(BadInput, match=r"own\.toml has changed since the run began: restore it from a copy"):
        list(CorrectionRun.load(tmp_path / "second").learn())


def test_games_and_settings_that_cannot_be_learned_are_refused(tmp_path):
    for spec in ("othello", "chess:start=1"):
        with pytest.raises(Usage, match=f"requires chess from its usual start; {spec} is another game"):
            CorrectionRun(tmp_path, CorrectionSettings(spec))
    with pytest.raises(ValueError, match="out of range"):
        CorrectionRun(tmp_path, CorrectionSettings("chess", nodes=0))
    with pytest.raises(ValueError, match="out of range"):
        CorrectionPoint(1, 1, 1, -1.0, 0.0, 0)


@learns
def test_command_learns_shows_status_and_suggests_a_match(tmp_path, capsys):
    folder = tmp_path / "run"
    words = f"chess --method correction --games 2 --nodes 1 --jobs 1 --json --out {folder}"
    assert learn_status([*words.split(), "--eval", ""]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["evaluation"] == "classic"
    assert (facts["method"], facts["played"], facts["units"]) == ("correction", 2, SHAPE[1])
    assert facts["curve"][1]["held"] > 0
    assert learn_status(["status", str(folder)]) == 0
    printed = capsys.readouterr().out
    assert "; 2 games with classic, 1 nodes a move, seed 1" in " ".join(printed.split())
    assert "classic  corrected  difference" in printed and "--sprt 0,10" in printed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("othello --method correction", "requires chess from its usual start; othello is another game"),
        ("chess --nodes 100", "--nodes is for --method correction, not samuel"),
        ("chess --method correction --depth 3", "not correction"),
        (
            "chess --method correction --eval classical",
            "did you mean 'classic'?",
        ),
        ("chess --method correction --nodes 0", "'0' is not a whole number from 1"),
    ],
)
def test_command_rejects_in_one_line(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    check_rejected(capsys, words.split(), message)
