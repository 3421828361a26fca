"""`standout` of alphabeta: below the root a move with a far better evaluation is searched alone."""

from typing import Any

import pytest

from gameplay import Limit, Position, registry
from gameplay.cli import router, run
from gameplay.errors import Usage
from gameplay.value import WIN
from tests.support.searches import successors

CASES = [
    ("tree:standout", "", 3),
    ("tictactoe", "b2 a1", 5),
    ("connect4", "4455", 4),
    ("connect4:columns=5,rows=4,connect=3", "", 5),
]
SKIPPED = {  # of tree:standout by the margin: value, best move, what is skipped, leaves; worked on paper
    "off": (2, "a", [], 8),
    "5": (2, "a", [], 8),  # take is better by 5 and by 4, not by more
    "4": (2, "a", ["a wait", "a pass"], 6),
    "3.5": (5, "b", ["a wait", "a pass", "b wait", "b pass"], 4),
    "0": (5, "b", ["a wait", "a pass", "b wait", "b pass"], 2),  # above leaves, too: 2 and 5 stand out
}


def value(position: Position, ply: int, depth: int, margin: float) -> int:
    """Minimax of the remaining tree, from the mover's view; `margin` in points."""
    payoffs = position.outcome()
    if payoffs is not None:
        won = payoffs[position.turn]
        if position.scored:
            return round(won)
        return (WIN - ply if won > 0 else ply - WIN) if won else 0
    if ply == depth:
        return int(position.evaluate())
    mover, rated = position.turn, []
    for _ in successors(position):
        over = position.outcome()
        static = (
            int(position.evaluate())
            if over is None
            else over[position.turn] * (1 if position.scored else WIN)
        )
        sign = 1 if position.turn == mover else -1
        rated.append((sign * static, sign * value(position, ply + 1, depth, margin)))
    best, *others = sorted((static for static, _ in rated), reverse=True)
    if ply and others and best - others[0] > margin * position.unit:
        return next(value for static, value in rated if static == best)
    return max(value for _, value in rated)


@pytest.mark.parametrize("margin", ["0", "1", "3", "3.5", "4", "100"])
@pytest.mark.parametrize(("game", "start", "depth"), CASES)
def test_value_is_minimax_of_the_remaining_tree(game: str, start: str, depth: int, margin: str) -> None:
    position: Any = registry.game(game).new(start)
    truth = value(position, 0, depth, float(margin))
    for more in ("", ",order=evaluation", ",table=1MB", ",fail=hard"):
        engine = registry.engine(f"alphabeta:standout={margin}{more}")[0]
        assert engine.search(position, Limit(depth=depth)).value == truth, more


@pytest.mark.parametrize("margin", SKIPPED)
def test_trace_names_the_siblings_that_are_skipped(margin: str) -> None:
    worth, move, skipped, leaves = SKIPPED[margin]
    game = registry.game("tree:standout")
    position: Any = game.new()
    events: list[Any] = []
    engine = registry.engine(f"alphabeta:standout={margin}")[0]
    report = engine.search(position, Limit(depth=9), trace=events.append)
    assert (report.value, position.format(report.move)) == (worth * position.unit, move)
    path, log, over = [], [], 0
    for event in events:
        if event.what == "enter" and event.ply:
            path.append(position.format(event.move))
            position.make(event.move)
            over += position.outcome() is not None
        elif event.what == "leave" and event.ply:
            path.pop()
            position.unmake()
        elif event.what == "skip":
            assert event.why == "standout"
            log.append(" ".join([*path, position.format(event.move)]))
    assert [event for event in log if event.count(" ") == 1] == skipped and over == leaves


def test_a_search_that_skipped_moves_proves_nothing() -> None:
    position = registry.game("tree:standout").new()
    for spec, proven in (
        ("alphabeta", True),
        ("alphabeta:standout=5", True),
        ("alphabeta:standout=4", False),
    ):
        report = registry.engine(spec)[0].search(position, Limit(depth=3))
        assert report.candidates[0].proven == proven and report.value == 2


def test_other_values_are_not_held_against_it(capsys: pytest.CaptureFixture[str]) -> None:
    engines = "minimax,alphabeta,alphabeta:standout=3"
    assert run(router, "gameplay", ["analyse", "tree:standout", "--engines", engines]) == 0
    out = capsys.readouterr().out
    assert "minimax and alphabeta have the same value" in out and "differ" not in out


@pytest.mark.parametrize("text", ["x", "-1", "nan"])
def test_margin_is_a_number_or_off(text: str) -> None:
    with pytest.raises(Usage, match="standout must be a number from 0 up or off"):
        registry.engine(f"alphabeta:standout={text}")
