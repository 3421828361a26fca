"""The laws of a puzzle: positive costs, and estimates that never exceed the cost of a path to a goal."""

import heapq
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from gameplay.conformance.checked_game import CheckedGame, LawBroken, brief, is_integer
from gameplay.errors import GameplayError

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

MAX_NEIGHBOURS = 400  # positions near a given one, for which the cheapest paths to a goal are computed
SEARCH_MOVES = 60_000  # limit of the search for a goal
ESTIMATE_WEIGHT = 4  # weight of the estimate relative to the cost in that search (weighted A*)


class PuzzleLaws:
    """Tests the estimates of a puzzle near its start and along a path to a goal."""

    def __init__(self, subject: CheckedGame) -> None:
        self.subject = subject
        self.call = subject.call
        self.goals_reached = 0

    def search_goal(self, position: "AbstractPosition") -> None:
        """Search for a goal, best first by cost and weighted estimate; test the estimates on the path.

        On a path to a goal no estimate may exceed the cost of the rest. Near the end of the path
        `check_near` tests against the cheapest paths.
        """
        start = self.call("key()", position.key)
        goals_reached: dict[Hashable, tuple[int, tuple[int, ...]]] = {start: (0, ())}
        heap: list[tuple[int, int, Hashable]] = [(0, 0, start)]
        numbers, goal, budget = 0, None, SEARCH_MOVES
        while heap and budget > 0 and goal is None:
            _, _, key = heapq.heappop(heap)
            path_cost, path = goals_reached[key]
            budget -= len(path)
            for move in path:
                position.make(move)
            for move in list(self.call("moves()", position.moves)) if position.outcome() is None else []:
                cost = path_cost + self.call(f"cost({move})", position.cost, move)
                budget -= 1
                self.call(f"make({move})", position.make, move)
                next_key = self.call("key()", position.key)
                if cost < goals_reached.get(next_key, (cost + 1, ()))[0]:
                    numbers += 1
                    goals_reached[next_key] = (cost, (*path, move))
                    rank = cost + ESTIMATE_WEIGHT * self.call("estimate()", position.estimate)
                    heapq.heappush(heap, (rank, numbers, next_key))
                    outcome = self.call("outcome()", position.outcome)
                    if outcome is not None and outcome[0] > 0:
                        goal = (*path, move)
                self.call("unmake()", position.unmake)
                if goal is not None:
                    break
            for _ in path:
                self.call("unmake()", position.unmake)
        if goal is None:
            return
        self.goals_reached += 1
        self._compare(position, goal)
        for plies in (4, 8):
            if plies < len(goal):
                self.check_near(position, goal[:-plies])

    def _compare(self, position: "AbstractPosition", path: Sequence[int]) -> None:
        """Raise LawBroken if an estimate on a path to a goal exceeds the cost of the remaining path."""
        names: list[str | None] = [*position.heuristics] or [None]
        costs = []
        for move in path:
            costs.append(position.cost(move))
            position.make(move)
        words: list[str] = []
        remaining_cost = 0
        for move, cost in zip(reversed(path), reversed(costs), strict=True):
            position.unmake()
            remaining_cost += cost
            words.append(position.format(move))
            for name in names:
                if (estimate := self._estimate(position, name)) > remaining_cost:
                    self.subject.replay(path[: len(path) - len(words)])
                    call_text = f"estimate() of {name}" if name else "estimate()"
                    line = " ".join(reversed(words))
                    raise LawBroken(
                        "estimate",
                        f"{call_text} is {estimate}, and a path to a goal costs {remaining_cost}: {line}",
                    )

    def check_near(self, position: "AbstractPosition", prefix: Sequence[int]) -> None:
        """Raise LawBroken if an estimate near the position after `prefix` exceeds the cost of a solution.

        Explores MAX_NEIGHBOURS positions breadth first, then computes their costs backwards from the goals
        among them by Dijkstra's algorithm.
        """
        names: list[str | None] = [*position.heuristics] or [None]
        words: list[str] = []
        for move in prefix:
            words.append(position.format(move))
            position.make(move)
        lines: list[list[int]] = [[]]
        indexes = {self.call("key()", position.key): 0}
        predecessors: dict[int, list[tuple[int, int]]] = {}  # position -> (predecessor, cost of the move)
        estimates: list[dict[str | None, int]] = []
        goals = []
        for number, line in enumerate(lines):
            for move in line:
                position.make(move)
            outcome = self.call("outcome()", position.outcome)
            estimates.append({name: self._estimate(position, name) for name in names})
            if outcome is not None and outcome[0] > 0:
                goals.append(number)
            for move in list(self.call("moves()", position.moves)) if outcome is None else []:
                cost = self.call(f"cost({move})", position.cost, move)
                self.call(f"make({move})", position.make, move)
                key = self.call("key()", position.key)
                if key not in indexes and len(lines) < MAX_NEIGHBOURS:
                    indexes[key] = len(lines)
                    lines.append([*line, move])
                if key in indexes:
                    predecessors.setdefault(indexes[key], []).append((number, cost))
                self.call("unmake()", position.unmake)
            for _ in line:
                self.call("unmake()", position.unmake)
        self.goals_reached += len(goals)
        costs = dict.fromkeys(goals, 0)
        heap = [(0, goal) for goal in goals]
        while heap:
            cost, number = heapq.heappop(heap)
            for predecessor, move_cost in predecessors.get(number, ()) if cost == costs[number] else ():
                if cost + move_cost < costs.get(predecessor, cost + move_cost + 1):
                    costs[predecessor] = cost + move_cost
                    heapq.heappush(heap, (cost + move_cost, predecessor))
        for number, cost in costs.items():
            for name, estimate in estimates[number].items():
                if estimate > cost:
                    for move in lines[number]:
                        words.append(position.format(move))
                        position.make(move)
                    self.subject.path, self.subject.drawing = words, str(position)
                    call_text = f"estimate() of {name}" if name else "estimate()"
                    raise LawBroken(
                        "estimate", f"{call_text} is {estimate}, and a path to a goal costs {cost}"
                    )
        for _ in prefix:
            self.call("unmake()", position.unmake)

    def _estimate(self, position: "AbstractPosition", name: str | None) -> int:
        """The estimate by a heuristic; 0 if its data file is missing."""
        previous = position.heuristic
        try:
            position.heuristic = name
            return int(self.call("estimate()", position.estimate))
        except GameplayError:
            return 0
        finally:
            position.heuristic = previous


def check_estimate(facts: dict[str, Any]) -> None:
    estimate, outcome = facts["estimate()"], facts["outcome()"]
    if not is_integer(estimate) or estimate < 0:
        raise LawBroken("estimate", f"estimate() is {brief(estimate)}")
    if outcome is not None and outcome[0] > 0 and estimate:
        raise LawBroken("estimate", f"estimate() is {estimate} at a goal")


def check_step(
    call: Callable[..., Any], position: "AbstractPosition", facts: dict[str, Any], word: str, cost: Any
) -> None:
    """Test the cost of a move, and the consistency of a heuristic that declares it."""
    if not is_integer(cost) or cost < 1:
        raise LawBroken("cost", f"cost() of {word} is {brief(cost)}")
    first_heuristic = next(iter(position.heuristics.values()), None)
    name = position.heuristic or (first_heuristic.name if first_heuristic else "")
    estimate = call("estimate()", position.estimate)
    if name and position.heuristics[name].consistent and facts["estimate()"] > cost + estimate:
        observation = f"estimate() is {facts['estimate()']}, and {estimate} after {word}, which costs {cost}"
        raise LawBroken("consistent", observation)
