"""Small boards of Go solved: published values, and safe points held to play without any knowledge."""

import random
import tomllib
from pathlib import Path

import pytest

from gameplay.errors import Usage
from gameplay.games._go_solver import GoSolver
from gameplay.kernel import compiled
from gameplay.registry import engine, game
from gameplay.search.limit import Limit

PROOFS = tomllib.loads((Path(__file__).parent / "answers" / "go.toml").read_text())["proof"]
SMALL = 10  # points that the uncompiled search takes a second for


def empty(columns, rows):
    return [[""] * columns for _ in range(rows)]


def proved(solver, stones, turn, side, margin, plies, **rules):
    """The plies after which a search that goes deeper and deeper proves it, None if it does not."""
    first = 1 if turn == side else 2
    for depth in range(first, plies + 1, 2):
        if solver.proves(stones, turn, side, margin, depth, **rules):
            return depth
    return None


@pytest.mark.parametrize("each", PROOFS, ids=[each["game"] for each in PROOFS])
def test_black_forces_the_published_value_and_no_more(each):
    position = game(each["game"]).new()
    if not compiled() and position.area > SMALL:
        return
    stones, rules = position.stones(), {"superko": each.get("superko", False)}
    solver = GoSolver(position.columns, position.rows, 18)
    assert proved(solver, stones, 0, 0, each["margin"], each["plies"], **rules) == each["plies"]
    if each["margin"] < position.area:
        assert proved(solver, stones, 0, 0, each["margin"] + 1, each["plies"], **rules) is None


def test_both_builds_visit_the_same_positions():
    solver = GoSolver(3, 3, 12)
    assert proved(solver, empty(3, 3), 0, 0, 9, 11) == 11
    assert solver.nodes == 707


@pytest.mark.parametrize("side", [0, 1])
def test_without_superko_what_hangs_on_a_repetition_is_never_proved(side):
    """On 2x2 each side can take the other's stones for ever."""
    assert proved(GoSolver(2, 2), empty(2, 2), 0, side, 1, 40) is None


def test_the_board_may_be_turned_mirrored_and_of_the_other_colour():
    rng = random.Random(3)
    for _ in range(10 if compiled() else 2):
        rows = [[rng.choice(["", "", "X", "O"]) for _ in range(3)] for _ in range(3)]
        try:
            game("go:size=3").new("/".join("".join(s or "." for s in row) for row in rows) + " black")
        except Exception:
            continue
        turned = [list(row) for row in zip(*rows[::-1], strict=True)]
        other = [[{"X": "O", "O": "X"}.get(stone, "") for stone in row] for row in rows]
        for margin in (1, 5, 9):
            found = proved(GoSolver(3, 3), rows, 0, 0, margin, 9)
            assert proved(GoSolver(3, 3), turned, 0, 0, margin, 9) == found
            assert proved(GoSolver(3, 3), other, 1, 1, margin, 9) == found


def positions(columns, rows, count, seed):
    """Positions of games at random, each with its stones."""
    rng = random.Random(seed)
    while count:
        position = game(f"go:columns={columns},rows={rows},komi=0,goal=points,ko=simple").new()
        for _ in range(rng.randrange(5, 3 * columns * rows)):
            # Eyes are left alone, so that stones live.
            hints = position.hints()
            moves = [move for move in position.moves() if move and hints[position.format(move)] > -30]
            if not moves or position.outcome() is not None:
                break
            position.make(rng.choice(moves))
        if position.outcome() is None:
            count -= 1
            yield position


def taken(position, side, stones):
    """Can the other side take one of these stones, if `side` passes at every turn?"""
    seen, waiting = set(), [position.stones()]
    while waiting:
        board = waiting.pop()
        if board in seen:
            continue
        seen.add(board)
        text = "/".join("".join(stone or "." for stone in row) for row in board)
        rules = f"go:columns={position.columns},rows={position.rows},ko=simple"
        after = game(rules).new(f"{text} {('white', 'black')[side]}")
        for move in after.moves():
            after.make(move)
            now = after.stones()
            after.unmake()
            if any(not now[y][x] for x, y in stones):
                return True
            waiting.append(now)
    return False


def test_stones_that_live_cannot_be_taken_and_others_can():
    """Benson's theorem, and its other half: nothing else lives unconditionally."""
    alive = dead = 0
    for position in positions(3, 3, 60 if compiled() else 6, 5):
        solver = GoSolver(3, 3)
        for side in (0, 1):
            living, _ = solver.safe(position.stones(), side)
            rows = position.stones()
            own = {(x, y) for x in range(3) for y in range(3) if rows[y][x] == "XO"[side]}
            assert living <= own
            if living:
                alive += 1
                assert not taken(position, side, living)
            if own - living:
                dead += 1
                assert taken(position, side, own - living)
    assert alive and dead


def test_points_that_are_safe_are_kept_in_play_without_knowledge():
    """Full search to the end of the game, from positions with few moves left: the margin is no less."""
    checked = 0
    for position in positions(4, 3, 40 if compiled() else 3, 9):
        side = 1 - position.turn
        _, safe = GoSolver(4, 3).safe(position.stones(), side)
        least = 2 * len(safe) - position.area
        if least <= 0:
            continue
        checked += 1
        for depth in range(2, 21):  # beyond it all is level, so that what is seen is certain
            report = engine("iterative:eval=none,table=16MB")[0].search(position, Limit(depth=depth))
            if -report.value >= least * position.unit:
                break
        else:
            pytest.fail(f"{position.text()}: {least} points")
    assert checked


def test_what_is_too_large_is_refused_and_a_search_can_be_stopped():
    with pytest.raises(Usage, match="boards are solved up to 25 points, not 6x5"):
        GoSolver(6, 5)
    assert GoSolver(5, 5, 4).proves(empty(5, 5), 0, 0, 25, 3) is False
