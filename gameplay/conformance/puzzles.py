"""The laws of a puzzle: positive costs, and estimates that never exceed the cost of a path to a goal."""

import heapq
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from gameplay.conformance.checked_game import CheckedGame, LawBroken, is_whole, short
from gameplay.errors import GameplayError

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

NEAR = 400  # positions next to one of a puzzle from which the cheapest paths to a goal are counted
SEARCHED = 60_000  # moves that the search for a goal of a puzzle makes
GREED = 4  # by how much it prefers a small estimate to a short path


class PuzzleLaws:
    """Tests the estimates of a puzzle near its start and along a path to a goal."""

    def __init__(self, subject: CheckedGame) -> None:
        self.subject = subject
        self.call = subject.call
        self.reached = 0  # goals

    def search_goal(self, position: "AbstractPosition") -> None:
        """Search a goal of a puzzle, best first by cost and estimate, and compare the estimates on the way.

        On a path to a goal no estimate may exceed what the rest of the path costs. Around the last positions
        of the path the cheapest paths are counted, see `check_near`.
        """
        start = self.call("key()", position.key)
        reached: dict[Hashable, tuple[int, tuple[int, ...]]] = {start: (0, ())}
        heap: list[tuple[int, int, Hashable]] = [(0, 0, start)]
        numbers, goal, budget = 0, None, SEARCHED
        while heap and budget > 0 and goal is None:
            _, _, key = heapq.heappop(heap)
            spent, path = reached[key]
            budget -= len(path)
            for move in path:
                position.make(move)
            for move in list(self.call("moves()", position.moves)) if position.outcome() is None else []:
                cost = spent + self.call(f"cost({move})", position.cost, move)
                budget -= 1
                self.call(f"make({move})", position.make, move)
                after = self.call("key()", position.key)
                if cost < reached.get(after, (cost + 1, ()))[0]:
                    numbers += 1
                    reached[after] = (cost, (*path, move))
                    rank = cost + GREED * self.call("estimate()", position.estimate)
                    heapq.heappush(heap, (rank, numbers, after))
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
        self.reached += 1
        self._compare(position, goal)
        for back in (4, 8):
            if back < len(goal):
                self.check_near(position, goal[:-back])

    def _compare(self, position: "AbstractPosition", path: Sequence[int]) -> None:
        """Fails if an estimate on a path to a goal exceeds what the rest of it costs."""
        names: list[str | None] = [*position.heuristics] or [None]
        costs = []
        for move in path:
            costs.append(position.cost(move))
            position.make(move)
        words: list[str] = []
        rest = 0
        for move, cost in zip(reversed(path), reversed(costs), strict=True):
            position.unmake()
            rest += cost
            words.append(position.format(move))
            for name in names:
                if (least := self._estimated(position, name)) > rest:
                    self.subject.replay(path[: len(path) - len(words)])
                    asked = f"estimate() of {name}" if name else "estimate()"
                    line = " ".join(reversed(words))
                    raise LawBroken(
                        "estimate", f"{asked} is {least}, and a path to a goal costs {rest}: {line}"
                    )

    def check_near(self, position: "AbstractPosition", prefix: Sequence[int]) -> None:
        """Fails where an estimate of a puzzle is more than a path to a goal costs, near the position after
        `prefix`.

        The positions next to it are met breadth first, each heuristic is asked there; from the goals among
        them the costs are counted backwards.
        """
        names: list[str | None] = [*position.heuristics] or [None]
        words: list[str] = []
        for move in prefix:
            words.append(position.format(move))
            position.make(move)
        lines: list[list[int]] = [[]]
        met = {self.call("key()", position.key): 0}
        back: dict[int, list[tuple[int, int]]] = {}  # position -> those before it, and what the move cost
        estimates: list[dict[str | None, int]] = []
        goals = []
        for number, line in enumerate(lines):
            for move in line:
                position.make(move)
            outcome = self.call("outcome()", position.outcome)
            estimates.append({name: self._estimated(position, name) for name in names})
            if outcome is not None and outcome[0] > 0:
                goals.append(number)
            for move in list(self.call("moves()", position.moves)) if outcome is None else []:
                cost = self.call(f"cost({move})", position.cost, move)
                self.call(f"make({move})", position.make, move)
                key = self.call("key()", position.key)
                if key not in met and len(lines) < NEAR:
                    met[key] = len(lines)
                    lines.append([*line, move])
                if key in met:
                    back.setdefault(met[key], []).append((number, cost))
                self.call("unmake()", position.unmake)
            for _ in line:
                self.call("unmake()", position.unmake)
        self.reached += len(goals)
        costs = dict.fromkeys(goals, 0)
        heap = [(0, goal) for goal in goals]
        while heap:
            cost, number = heapq.heappop(heap)
            for other, step in back.get(number, ()) if cost == costs[number] else ():
                if cost + step < costs.get(other, cost + step + 1):
                    costs[other] = cost + step
                    heapq.heappush(heap, (cost + step, other))
        for number, cost in costs.items():
            for name, least in estimates[number].items():
                if least > cost:
                    for move in lines[number]:
                        words.append(position.format(move))
                        position.make(move)
                    self.subject.path, self.subject.drawing = words, str(position)
                    asked = f"estimate() of {name}" if name else "estimate()"
                    raise LawBroken("estimate", f"{asked} is {least}, and a path to a goal costs {cost}")
        for _ in prefix:
            self.call("unmake()", position.unmake)

    def _estimated(self, position: "AbstractPosition", name: str | None) -> int:
        """The estimate by a heuristic; 0 where that needs a file that is not there."""
        kept = position.heuristic
        try:
            position.heuristic = name
            return int(self.call("estimate()", position.estimate))
        except GameplayError:
            return 0
        finally:
            position.heuristic = kept


def check_estimate(look: dict[str, Any]) -> None:
    estimate, outcome = look["estimate()"], look["outcome()"]
    if not is_whole(estimate) or estimate < 0:
        raise LawBroken("estimate", f"estimate() is {short(estimate)}")
    if outcome is not None and outcome[0] > 0 and estimate:
        raise LawBroken("estimate", f"estimate() is {estimate} at a goal")


def check_step(
    call: Callable[..., Any], position: "AbstractPosition", look: dict[str, Any], word: str, cost: Any
) -> None:
    """After a move of a puzzle: what it cost, and whether the estimate keeps its promise."""
    if not is_whole(cost) or cost < 1:
        raise LawBroken("cost", f"cost() of {word} is {short(cost)}")
    promised = next(iter(position.heuristics.values()), None)
    name = position.heuristic or (promised.name if promised else "")
    estimate = call("estimate()", position.estimate)
    if name and position.heuristics[name].consistent and look["estimate()"] > cost + estimate:
        seen = f"estimate() is {look['estimate()']}, and {estimate} after {word}, which costs {cost}"
        raise LawBroken("consistent", seen)
