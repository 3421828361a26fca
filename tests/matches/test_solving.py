"""A game of a match is solved during play, or the solver is stopped."""

import threading
from collections.abc import Sequence
from typing import Any

import pytest

from gameplay.capabilities import StopSignal
from gameplay.matches.series import Series
from gameplay.matches.solving import Solving, stop
from gameplay.position import AbstractPosition
from gameplay.registry import game
from gameplay.scoring.rules import Fixture, MatchRules
from gameplay.scoring.scoresheet import PlayedGame, Scoresheet

pytestmark = pytest.mark.once


class SolvingRules(MatchRules):
    """Finds a value when permitted; none if it is stopped first."""

    name = words = "solved"
    default_length = 1
    may = threading.Event()

    def fixture(self, played: Sequence[PlayedGame]) -> Fixture | None:
        return None

    def solution(self, position: AbstractPosition, control: StopSignal) -> dict[str, Any]:
        while not self.may.wait(0.01):
            if control.expired():
                return {}
        return {"par": position.players}


def solving() -> Solving:
    start = game("tictactoe").new()
    return Solving(SolvingRules(start, 1), start)


def test_match_waits_for_the_solution() -> None:
    SolvingRules.may.clear()
    lines: list[str] = []

    def thinking(message: str) -> bool:
        lines.append(message)
        SolvingRules.may.set()
        return False

    solver = solving()
    solver.wait(60, thinking)
    assert solver.done and solver.found == {"par": 2} and lines[0] == "solving the deal"


def test_play_continues_during_solving_without_waiting() -> None:
    SolvingRules.may.clear()
    solver = solving()
    solver.wait(60, lambda message: True)
    solver.wait(0, lambda message: False)
    assert not solver.done and solver.found == {}
    SolvingRules.may.set()
    solver.thread.join()
    assert solver.done and solver.found == {"par": 2}


def test_stopped_solving_finds_nothing() -> None:
    SolvingRules.may.clear()
    solver = solving()
    stop([solver])
    assert solver.expired() and solver.done and solver.found == {}


def test_the_end_of_a_match_is_interrupted_once_for_all_its_games() -> None:
    SolvingRules.may.clear()
    result, players = PlayedGame([1, -1]), ["random"] * 2
    sheet = Scoresheet(
        "games:3", "tictactoe", players, ["", ""], 1, "", played=[result], result=result, over=True
    )
    series = Series(sheet)
    series.solved = {0: solving(), 1: solving()}
    requests: list[str] = []

    def thinking(message: str) -> bool:
        requests.append(message)
        return len(requests) == 2

    series.wait(thinking)
    assert len(requests) == 2 and all(solver.done and solver.found == {} for solver in series.solved.values())


def test_games_are_solved_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    running: list[int] = []
    most: list[int] = []

    def solution(rules: MatchRules, position: AbstractPosition, control: StopSignal) -> dict[str, Any]:
        running.append(1)
        most.append(len(running))
        SolvingRules.may.wait(0.02)
        running.pop()
        return {"par": 2}

    SolvingRules.may.clear()
    monkeypatch.setattr(SolvingRules, "solution", solution)
    solvers = [solving() for _ in range(3)]
    for solved in solvers:
        solved.thread.join()
    assert most == [1, 1, 1] and all(solved.found == {"par": 2} for solved in solvers)
