"""The lecture on AlphaZero: its update in plain Python, exact values, and the stored curves."""

import math
import re
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from gameplay import Limit, registry
from gameplay.kernel import compiled
from gameplay.learning.alphazero.run import AlphaZeroRun, AlphaZeroSettings, default_opening
from gameplay.lessons import alphazero
from tests.support.commands import lecture
from tests.support.learning import learn_status
from tests.support.paths import TESTS

pytestmark = pytest.mark.once


def test_the_update_is_a_step_of_gradient_descent() -> None:
    """The softmax of logits starting at 0 and raised by pi - p; nim's theory gives the winning move."""
    update = alphazero.update()
    grown = [n / 50 - 1 / 4 for n in update.visits]
    assert sum(update.visits) == 50 and update.before == [0.25] * 4 and update.result == 1
    total = sum(map(math.exp, grown))
    assert update.after == pytest.approx([math.exp(row) / total for row in grown], abs=1e-6)
    assert update.value == (0.0, pytest.approx(math.tanh(1), abs=1e-6))
    heaps = {move: [1, 3] for move in update.moves}
    for move, left in heaps.items():
        left["ab".index(move[0])] -= int(move[1])
    wins = [move for move, left in heaps.items() if left[0] ^ left[1] == 0]
    assert wins == [update.moves[update.visits.index(max(update.visits))]]
    games = alphazero.policies_by_games()
    assert games[1][1] == dict(zip(update.moves, update.after, strict=True))
    assert all(first[1][wins[0]] < second[1][wins[0]] for first, second in pairwise(games))


def test_published_values_and_the_stored_curves() -> None:
    known = tomllib.loads((TESTS / "answers" / "lectures.toml").read_text())["alphazero"]["leads"]
    boards = alphazero.boards()
    assert {board.game for board in boards} == set(known)
    for board in boards:
        lead = known[board.game]
        assert board.exact == (lead > 0) - (lead < 0) and -1 <= board.value <= 1
        assert (re.search(r"draw|\d+ points|20-16", board.result) or [""])[0] in (
            "draw",
            f"{lead} points",
            f"{18 - lead // 2}-{18 + lead // 2}",
        )
        if board.game.startswith("go"):
            assert float(board.game.split("komi=")[1]) == lead - 0.5, "half a point below the value"
        assert board.curve[-1].games == board.games
        assert all(first.games < second.games for first, second in pairwise(board.curve))
        assert board.curve[-1].error < board.curve[0].error
        for point in board.curve:
            assert max(point.policy, point.value, point.search) <= board.positions
            assert point.games * 20 % board.games == 0, "a generation"


@pytest.mark.skipif(not compiled(), reason="the same numbers, and slow")
def test_stored_curve_of_tictactoe_is_that_of_its_command(tmp_path: Path) -> None:
    """The first generation of the run, played again."""
    board, game = alphazero.boards()[0], registry.game("tictactoe")
    settings = AlphaZeroSettings(board.game, board.games, opening=default_opening(game, 1), batch=100)
    run = AlphaZeroRun.begin(tmp_path / "run", settings)
    point = next(run.learn())
    again = alphazero.SolvedPoint(point.games, point.policy, point.value, point.search, round(point.error, 3))
    assert again == board.curve[0]
    assert (len(run.truth.positions), run.truth.whole) == (board.positions, board.whole)


def test_smallest_run_of_each_board_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lecture's commands with one or two simulations; an existing ground truth is not solved again."""
    monkeypatch.setattr(AlphaZeroRun, "solves", False)
    monkeypatch.chdir(tmp_path)
    for number, board in enumerate(alphazero.boards()):
        words = board.command.split()[2:]
        words[words.index("--games") + 1] = "20"
        smallest = ["--simulations", "2", "--opening", "0", "--tuples", "1x2", "--jobs", "1"]
        assert learn_status([*words, *smallest, "--out", str(number)]) == 0
    shown = capsys.readouterr().out
    assert len(re.findall(r"^ +20(?: +-){4} ", shown, re.M)) == len(alphazero.boards())


@pytest.mark.skipif(not compiled(), reason="the same numbers, and slow")
@pytest.mark.parametrize("spec", ["tictactoe", "go:size=3,komi=8.5"])
def test_first_move_of_the_search_keeps_the_exact_value(spec: str) -> None:
    board = next(board for board in alphazero.boards() if board.game == spec)
    engine, _ = registry.engine("perfect")
    position = registry.game(spec).new()
    position.make(position.parse(board.move))
    value = engine.search(position, Limit(nodes=200_000)).value
    assert ((value < 0) - (value > 0) == board.exact) == board.right


def test_printed_lecture_equals_the_stored_screen(capsys: pytest.CaptureFixture[str]) -> None:
    shown = lecture(capsys, "alphazero")
    for line in re.findall(r"^ +[\d,]+(?: +[\d.]+ %){3} +[\d.]+ +#+$", shown, re.M):
        error, bar = line.split()[-2:]
        assert len(bar) == round(alphazero.BAR_WIDTH * float(error))
    for board in alphazero.boards():
        assert f"  {board.command}\n" in shown


def test_the_exercise_is_solved_right() -> None:
    shown = " ".join(alphazero._class())
    share = math.exp(30 / 40 - 0.5) / (math.exp(30 / 40 - 0.5) + math.exp(10 / 40 - 0.5))
    assert f"= {share:.3f}." in shown
