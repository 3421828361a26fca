"""Learning programs: files that engines load, refusals, missing libraries."""

import math
import random
import runpy
import sys
from array import array

import pytest

from gameplay import registry
from gameplay.evaluation import select_evaluation
from gameplay.learning import backgammon, chess, chess_positions, scrabble
from gameplay.learning.othello import __main__ as othello
from gameplay.learning.othello import corrections, fit
from gameplay.search.limit import Limit
from tests.support.learning import learns, run_program


@learns
def test_othello_learns_from_games_with_itself(monkeypatch, capsys, tmp_path):
    pytest.importorskip("numpy")
    monkeypatch.setattr(fit, "STEPS", 3)
    out = tmp_path / "a.toml"
    status, output, _ = run_program(monkeypatch, capsys, othello.main, "--games", "20", "--out", out)
    assert status == 0
    assert "1 games by classic" in output
    position = registry.game("othello").new("f5d6c3")
    learned = select_evaluation(str(out), position)
    assert learned.checksum != position.evaluations["patterns"].checksum
    assert learned.evaluate(position) != position.evaluate()
    engine, _ = registry.engine(f"selective:eval={out}")
    assert engine.search(position, Limit(depth=3)).nodes > 0


@learns
def test_expected_score_is_logistic_and_errors_are_of_scores():
    np = pytest.importorskip("numpy")
    values = np.array([0, chess.SCALE * math.log(3), -chess.SCALE * math.log(3)])
    assert chess.expected_score(values) == pytest.approx([1 / 2, 3 / 4, 1 / 4])
    assert chess.error(values, values[::-1]) == pytest.approx(math.sqrt((0.25**2 + 0.25**2) / 3))


@learns
def test_chess_is_fitted_to_positions(monkeypatch, capsys, tmp_path):
    """Labels that overrate knights raise the weight of knights."""
    pytest.importorskip("scipy")
    rng = random.Random(4)
    lines = []
    position = registry.game("chess").new()
    while len(lines) < 1050:
        position.setup("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        for _ in range(60):
            if position.outcome() is not None:
                break
            position.make(rng.choice(position.moves()))
            board = position.text().split()[0]
            more = 400 * (board.count("N") - board.count("n"))
            lines.append(f"{position.text()};{more}\n")
    (tmp_path / "some.txt").write_text("".join(lines))
    out = tmp_path / "a.toml"
    status, output, err = run_program(monkeypatch, capsys, chess.main, tmp_path / "some.txt", "--out", out)
    assert status == 0, err
    assert output.splitlines() == [
        "1080 positions; error 0.2705, held out 0.3082",
        "fitted: error 0.1381, held out 0.2467",
        str(out),
    ]
    assert out.read_text().startswith("# Fitted to 1080 positions of some.txt.\n")
    default = position.evaluations["classic"].weights
    learned = select_evaluation(str(out), position).weights
    assert learned["material"][1] != default["material"][1] and learned["tempo"] == default["tempo"]
    again = tmp_path / "b.toml"
    words = [tmp_path / "some.txt", "--out", again, "--start", out, "--limit", 600]
    status, output, err = run_program(monkeypatch, capsys, chess.main, *words)
    assert (status, err) == (0, "") and output.startswith("600 positions; error ")


@learns
def test_backgammon_weights_are_fitted_to_equities():
    """Hidden weights are recovered, in thousandths, from values of positions computed with them."""
    pytest.importorskip("scipy")
    rng, lines = random.Random(8), []
    truth = {rng.randrange(backgammon.WEIGHTS): rng.uniform(-0.4, 0.4) for _ in range(12)}
    samples = []
    for _ in range(3000):
        terms = [(number, rng.choice((-32, -16, 16, 32))) for number in truth if rng.random() < 0.5]
        samples.append((terms, sum(truth[number] * amount / 16 for number, amount in terms)))
    weights = array("h", backgammon.fit_weights(samples, lines.append))
    assert len(weights) == backgammon.WEIGHTS
    for number, weight in enumerate(weights):
        assert weight == pytest.approx(1000 * truth.get(number, 0), abs=2)
    assert lines == ["3,000 positions; held-out error 0.001 points"]


def test_network_outputs_become_points():
    class Network:
        def probabilities(self, board, plies):
            assert board == [list(range(1, 26)), list(range(26, 51))]
            return 0.7, 0.25, 0.05, 0.1, 0.02

    value = backgammon.equity(Network(), range(26), range(25, 51))
    assert value == pytest.approx(0.7 + 0.25 + 0.05 - 0.3 - 0.1 - 0.02)
    sides = [0] * 26, [3, 1] + [0] * 24, [0] * 25 + [1]
    assert [backgammon.rearmost(checkers) for checkers in sides] == [0, 1, 25]


def test_errors_are_one_line(monkeypatch, capsys, tmp_path):
    (tmp_path / "a.txt").write_text("8/8 w - - 0 1\n")
    cases = [
        (othello.main, ["--out", "a.toml", "--games", "3"], 2, "--games expects at least 14, not 3"),
        (othello.main, ["--out", "a.bin"], 2, "ends with .toml, not a.bin"),
        (chess.main, [tmp_path / "none.txt", "--out", "a.toml"], 6, "No such file"),
        (
            chess.main,
            [tmp_path / "a.txt", "--out", "a.toml"],
            6,
            "line 1: '8/8 w - - 0 1' should read FEN;CENTIPAWNS",
        ),
        (chess.main, [tmp_path / "a.txt", "--out", "a.txt"], 2, "ends with .toml"),
        (
            chess.main,
            [tmp_path / "a.txt", "--out", "a.toml", "--start", "turing"],
            2,
            "expects a weights file of classic",
        ),
    ]
    pytest.importorskip("scipy")
    for main, words, right, message in cases:
        status, _, err = run_program(monkeypatch, capsys, main, *words)
        assert (status, err.count("\n")) == (right, 1)
        assert message in err


@pytest.mark.parametrize(
    ("main", "name", "words"),
    [
        (othello.main, "numpy", ["--out", "a.toml"]),
        (corrections.main, "numpy", ["--out", "a.toml"]),
        (chess.main, "numpy", ["a.txt", "--out", "a.toml"]),
        (chess_positions.main, "chess", ["a.txt"]),
        (backgammon.main, "gnubg_nn", ["fit", "--out", "a.toml"]),
    ],
)
def test_missing_libraries_error_names_the_packages(main, name, words, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, name, None)
    status, _, err = run_program(monkeypatch, capsys, main, *words)
    assert (status, err) == (2, f"gameplay: this needs {name}: pip install 'gameplay[learning]'\n")


def test_positions_need_stockfish(monkeypatch, capsys, tmp_path):
    pytest.importorskip("chess")
    monkeypatch.setattr(chess_positions.shutil, "which", lambda *_, **__: None)
    status, _, err = run_program(monkeypatch, capsys, chess_positions.main, tmp_path / "a.txt")
    assert (status, err) == (2, "gameplay: stockfish is not on the PATH: install it\n")
    assert not (tmp_path / "a.txt").exists()


@pytest.mark.once
@pytest.mark.parametrize(
    ("main", "words"),
    [
        (othello.main, []),
        (corrections.main, []),
        (chess.main, ["a.txt"]),
        (chess_positions.main, []),
        (scrabble.main, ["leaves"]),
        (scrabble.main, ["--out", "a.toml"]),
        (backgammon.main, ["fit"]),
        (backgammon.main, ["--out", "a.toml"]),
    ],
)
def test_learning_program_requires_an_output_file(main, words, monkeypatch, capsys):
    status, output, err = run_program(monkeypatch, capsys, main, *words)
    assert (status, output) == (2, "") and "the following arguments are required" in err


@pytest.mark.once
@pytest.mark.parametrize(
    "name", ["backgammon", "chess", "chess_positions", "othello", "othello.corrections", "scrabble"]
)
@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")
def test_a_module_that_learns_is_a_program(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["learn", "--help"])
    with pytest.raises(SystemExit) as left:
        runpy.run_module(f"gameplay.learning.{name}", run_name="__main__")
    assert left.value.code == 0 and capsys.readouterr().out.startswith("usage: learn ")


@pytest.mark.once
@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")
def test_names_of_lists_are_printed(monkeypatch, capsys, tmp_path):
    for number, words in enumerate(("1. e4", "1. d4")):
        (tmp_path / f"{number}.tsv").write_text(f"eco\tname\tpgn\nA0{number}\tN{number}\t{words}\n")
    monkeypatch.setattr(sys, "argv", ["names", "chess", *map(str, sorted(tmp_path.iterdir()))])
    runpy.run_module("gameplay.learning.names", run_name="__main__")
    head, *rows = capsys.readouterr().out.splitlines()
    assert head == "# Names of the openings of chess by position: key (see names.py), code, name, moves."
    assert sorted(row.split("\t")[1:] for row in rows) == [["A00", "N0", "e4"], ["A01", "N1", "d4"]]


def test_program_output_is_flushed_by_line(monkeypatch, capsys):
    sys.stdout.reconfigure(line_buffering=False)
    assert run_program(monkeypatch, capsys, lambda: print(sys.stdout.line_buffering)) == (0, "True\n", "")


def test_interrupted_learning_program_prints_nothing(monkeypatch, capsys):
    def broken():
        raise KeyboardInterrupt

    assert run_program(monkeypatch, capsys, broken) == (130, "", "")
