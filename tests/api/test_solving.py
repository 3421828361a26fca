"""Solving and reviewing from Python."""

from pathlib import Path

import pytest

import gameplay
from gameplay.errors import BadInput, Usage
from gameplay.store import solutions

pytestmark = pytest.mark.once


def test_a_won_position_and_its_only_winning_move() -> None:
    """X has two in a row: 3 wins on the spot; x to move after x1 o4 x2 o5."""
    solved = gameplay.solve("tictactoe", moves=["a1", "a2", "b1", "b2"])
    assert solved.stopped == "solved" and solved.best is not None
    assert (solved.best.word, solved.turn, solved.side) == ("c1", 0, "x")
    assert solved.value is not None and solved.value > 0 and solved.line[0] == "c1"
    assert [move.value for move in solved.moves] == sorted(
        (move.value or 0 for move in solved.moves), reverse=True
    )


def test_solve_leaves_the_position_unchanged() -> None:
    position = gameplay.game("nim:heaps=1+2+3").new()
    drawing = str(position)
    lost = gameplay.solve(position, table="1MB")
    assert lost.value is not None and lost.value < 0 and str(position) == drawing  # 1 xor 2 xor 3 is 0
    position.make(position.moves()[0])
    won = gameplay.solve(position, table="1MB")
    assert won.value == max(move.value or 0 for move in won.moves) > 0


def test_solutions_are_stored_only_on_request() -> None:
    game = gameplay.game("nim:heaps=1+2")
    folder = solutions.path_of(game.spec, "").parent
    first = gameplay.solve(game, table="1MB")
    assert first.value is not None and first.value > 0 and not folder.exists()  # 1 xor 2 is not 0
    kept = gameplay.solve(game, table="1MB", store=True)
    again = gameplay.solve(game, table="1MB", store=True)
    assert len(list(folder.iterdir())) == 1 and all(move.kept for move in again.moves)
    assert first.value == kept.value == again.value


UNSOLVABLE = {
    "kuhn": "perfect information",
    "pig": "without chance",
    "puzzle15": "two players",
    "chss": "chess",
}


@pytest.mark.parametrize(("game", "message"), UNSOLVABLE.items())
def test_games_that_cannot_be_solved(game: str, message: str) -> None:
    with pytest.raises(Usage, match=message):
        gameplay.solve(game)


def test_wrong_arguments() -> None:
    position = gameplay.game("tictactoe").new()
    with pytest.raises(Usage, match="start and store are for a game that is named"):
        gameplay.solve(position, store=True)
    with pytest.raises(Usage, match="seconds must be more than 0, not 0"):
        gameplay.solve(position, seconds=0)
    with pytest.raises(BadInput, match="z9"):
        gameplay.solve(position, moves=["z9"])


def test_a_review_of_a_played_game_and_of_a_file(tmp_path: Path) -> None:
    result = gameplay.play_match("random", "random", game="tictactoe", games=2, openings=0)
    review = gameplay.review(result.games[0], nodes=2_000)
    assert [move.move for move in review.moves] == (result.games[0].record or review).words
    assert all(mistake.loss > 0 for mistake in review.mistakes)
    with pytest.raises(BadInput, match="there is no file"):
        list(gameplay.read_games(tmp_path / "none.pgn"))
    (tmp_path / "wrong.pgn").write_text("1. e4 e5 2. Ke3 *\n")
    with pytest.raises(BadInput, match="Ke3"):
        list(gameplay.read_games(tmp_path / "wrong.pgn"))


def test_the_limits_of_an_engine_and_of_a_search_hold_together() -> None:
    position = gameplay.game("tictactoe").new()
    engine = gameplay.engine("alphabeta:depth=3")
    assert engine.search(position).depth == 3
    assert engine.search(position, gameplay.Limit(depth=2)).depth == 2
    assert engine.search(position, gameplay.Limit(depth=5, moves=(0,))).move == 0
    assert engine.search(position, gameplay.Limit(moves=(8,))).move == 8
    report = engine.search(position, gameplay.Limit(multipv=2))
    assert (report.depth, len(report.candidates)) == (3, 2)
    assert list(report.words) == [position.format(report.pv[0]), *report.words[1:]] and len(report.words) == 3
