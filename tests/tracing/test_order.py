"""The reason why a move is tried first, and the values compared by selection: recomputed from the trace."""

import json
from math import inf, isclose, log, sqrt
from random import Random
from typing import Any

import pytest

from gameplay import Limit, registry
from gameplay.display.reports.drawn_tree import DrawnNode, prune_to_size
from gameplay.games.tree import Tree
from gameplay.tracing.proofs import ORDERED
from gameplay.tracing.simulations import SimulationFollower
from gameplay.tracing.trace import TraceStep
from gameplay.tracing.tree import SearchTreeBuilder
from tests.support.commands import gameplay, run_printed
from tests.support.game_trees import game_of, uniform_tree
from tests.support.traces import trace_search

# -- the first move --------------------------------------------------------------------------------


def random_tree(seed: int) -> Any:
    data = game_of([uniform_tree(Random(seed), 3, 3) for _ in range(3)])
    position = Tree.of(data)
    position.data = data
    return position


def reasons(spec: str, seed: int) -> list[tuple[TraceStep, TraceStep | None]]:
    """Each node at which moves are searched, with the reason for its first move if there is one."""
    steps, _ = trace_search(spec, random_tree(seed), Limit(depth=4))
    results = []
    for number, step in enumerate(steps):
        below = steps[number + 1 :]
        if (
            step.what == "enter"
            and below
            and below[0].what in ("order", "enter")
            and below[0].level >= step.level
        ):
            first = below[0]
            if first.what == "order":
                assert first.node == step.node and below[1].what == "enter" and below[1].word == first.word
            results.append((step, first if first.what == "order" else None))
    return results


def test_killers_are_the_last_two_moves_that_cut_off_at_the_ply() -> None:
    named = 0
    for seed in range(8):
        steps, _ = trace_search("alphabeta:order=killer", random_tree(seed), Limit(depth=4))
        killers: dict[int, list[str]] = {}
        path: list[str] = []
        for number, step in enumerate(steps):
            if step.what == "enter":
                del path[step.level :]
                path.append(step.word)
                known = killers.get(step.level, [])
                after = steps[number + 1]
                if after.what == "order":
                    assert (after.why, after.word) == ("killer", known[0])
                    assert after.proof == ORDERED["killer"][1]
                    named += 1
                elif after.what == "enter":
                    assert not known, "every node of this tree has the same moves"
            elif step.what == "cut":
                cut = next(
                    earlier.word for earlier in reversed(steps[:number]) if earlier.level == step.level + 1
                )
                before = killers.setdefault(step.level, [])
                if cut not in before[:1]:
                    killers[step.level] = [cut, *before[:1]]
    assert named > 20


def test_history_sums_the_squares_of_the_depths_of_cutoffs() -> None:
    named = 0
    for seed in range(8):
        steps, _ = trace_search("alphabeta:order=history", random_tree(seed), Limit(depth=4))
        sums: dict[tuple[str, str], int] = {}
        depths: list[int] = []
        for number, step in enumerate(steps):
            if step.what == "enter":
                del depths[step.level :]
                depths.append(step.depth)
                after = steps[number + 1]
                if after.what == "order":
                    worth = {word: sums.get((step.role, word), 0) for word in ("m0", "m1", "m2")}
                    assert after.why == "history" and after.word == max(worth, key=worth.__getitem__)
                    assert after.proof.endswith(f": {worth[after.word]}")
                    named += 1
            elif step.what == "cut":
                cut = next(
                    earlier.word for earlier in reversed(steps[:number]) if earlier.level == step.level + 1
                )
                key = (step.role, cut)
                sums[key] = sums.get(key, 0) + depths[step.level] ** 2
    assert named > 20


def test_the_move_of_the_table_is_the_best_one_of_the_search_before() -> None:
    """An iteration, too, begins with the best move and line of the previous one."""
    seen: dict[str, int] = {}
    for seed in range(6):
        steps, _ = trace_search("iterative:order=generated,aspiration=off", random_tree(seed), Limit(depth=4))
        best: dict[tuple[str, ...], set[str]] = {}
        path: list[str] = []
        line: list[str] = []
        for step in steps:
            if step.what == "enter":
                del path[step.level :]
                path.append(step.word)
            elif step.what == "order":
                seen[step.why] = seen.get(step.why, 0) + 1
                place = tuple(path[1 : step.level + 1])
                assert step.word in best[place], (step.why, place)
                assert step.why != "iteration" or not step.level
                line.append(step.why)
            elif step.what == "leave" and step.best:
                best.setdefault(tuple(path[1 : step.level + 1]), set()).add(step.best)
    assert set(seen) == {"iteration", "last line", "table move"} and min(seen.values()) > 5


def test_the_evaluation_of_the_first_move_is_the_best() -> None:
    steps, _ = trace_search(
        "alphabeta:order=evaluation", registry.game("connect4").new("4 4 3"), Limit(depth=2)
    )
    position: Any = registry.game("connect4").new("4 4 3")
    ordered = [step for step in steps if step.what == "order"]
    for number, step in enumerate(steps):
        if step.what != "order" or step.level != 1:
            continue
        entered = next(step for step in reversed(steps[:number]) if step.what == "enter")
        position.make(position.parse(entered.word))
        mover = position.turn
        worth = {}
        for move in position.moves():
            word = position.format(move)
            position.make(move)
            worth[word] = position.evaluate() * (1 if position.turn == mover else -1)
            position.unmake()
        position.unmake()
        assert step.why == "evaluation" and worth[step.word] == max(worth.values())
        assert step.value == -worth[step.word], "the values of a trace are MAX's, and MIN moves here"
    assert ordered


def test_moves_as_generated_have_no_reason(capsys: pytest.CaptureFixture[str]) -> None:
    for spec in ("alphabeta", "minimax"):
        assert all(first is None for _, first in reasons(spec, 1))
    words = ("trace", "tictactoe", "--moves", "b2 a1 c2", "--engine", "alphabeta:order=killer+history")
    assert gameplay(*words) == 0
    text = capsys.readouterr().out
    assert " is tried first: killer move, it caused a cutoff elsewhere at this ply\n" in text
    assert (
        " is tried first: history, it has the highest count of cutoffs elsewhere, weighted by depth: " in text
    )


# -- what selection compares -----------------------------------------------------------------------


def trace_simulations(game: str, text: str, options: str = "") -> list[TraceStep]:
    steps: list[TraceStep] = []
    engine = registry.engine(f"mcts:sims=60,seed=3{options}")[0]
    game_class = registry.game(game)
    trace = SimulationFollower(game_class.new(text), steps.append, 8)
    engine.search(game_class.new(text), Limit(simulations=60), trace=trace)
    return steps


@pytest.mark.parametrize(
    ("game", "text", "options"),
    [("tictactoe", "b2 a1 c2", ",solver=off"), ("tictactoe", "b2 a1", ",c=1.4"), ("nim:players=3", "", "")],
)
def test_ucb1_is_evaluated_for_all_children(game: str, text: str, options: str) -> None:
    """From visits and payoffs counted here, simulation by simulation."""
    position: Any = registry.game(game).new(text)
    visits: dict[tuple[str, ...], int] = {}
    sums: dict[tuple[str, ...], float] = {}
    payoffs: list[float] = []
    path: list[str] = []
    backed: list[float] = []
    evaluated = 0
    for number, step in enumerate(trace_simulations(game, text, options)):
        if step.what == "simulation":
            path = []
        elif step.what == "compare":
            line = tuple(path)
            for word in path:
                position.make(position.parse(word))
            legal = [position.format(move) for move in position.moves()]
            for _ in path:
                position.unmake()
            assert [child.word for child in step.children] == legal, number
            assert step.visits == visits.get(line, 0)
            low, high = min(payoffs, default=0), max(payoffs, default=0)
            for node in step.children:
                key = (*line, node.word)
                assert node.visits == visits.get(key, 0)
                if not node.visits:
                    assert node.selection_score == inf
                elif node.selection_score > -inf:
                    mean = (sums[key] / node.visits - low) / (high - low) if high > low else node.mean
                    score = mean + (step.value or 0) * sqrt(log(step.visits) / node.visits)
                    assert isclose(node.mean, mean, abs_tol=1e-9)
                    assert isclose(node.selection_score, score, abs_tol=1e-9)
                    evaluated += 1
            best = max(step.children, key=lambda child: child.selection_score)
            assert step.best == best.word
        elif step.what == "select":
            path.append(step.word)
        elif step.what == "simulate":
            backed = list(step.values)
            payoffs += backed
        elif step.what == "backup":
            line = tuple(path[: step.level])
            visits[line] = visits.get(line, 0) + 1
            if line:
                for word in line[:-1]:
                    position.make(position.parse(word))
                sums[line] = sums.get(line, 0.0) + backed[position.turn]
                for _ in line[:-1]:
                    position.unmake()
    assert evaluated > 60


def test_the_children_are_printed_with_the_formula(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_printed(
        capsys, "trace", "tictactoe", "--moves", "b2 a1 c2", "--engine", "mcts:sims=12"
    )
    assert status == 0
    rows = [line for line in out.splitlines() if " * sqrt(ln " in line and line.startswith("  ")]
    for row in rows:
        words = row.replace("(", " ").replace(")", " ").split()
        mean, c, above, count, score = (float(words[at]) for at in (1, 3, 7, 9, 11))
        assert isclose(mean + c * sqrt(log(above) / count), score, abs_tol=0.002)
    assert len(rows) > 10 and sum("<- selected" in row for row in rows) >= 2
    assert "0 of 6 children tried; first those that are not" in out
    assert "left out: proved to be no better than another" in out
    assert gameplay("trace", "tictactoe", "--moves", "b2 a1 c2", "--engine", "mcts:sims=12", "--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    text = [line for line in lines if line["what"] == "compare"][-1]
    assert text["best"] in [child["move"] for child in text["children"]] and text["c"] == 0.7


# -- the tree of Monte Carlo tree search -----------------------------------------------------------


def test_the_tree_of_mcts_has_the_most_visited_nodes() -> None:
    builder = SearchTreeBuilder(10_000, alone=True)
    for step in trace_simulations("tictactoe", "b2", ",c=0.3"):
        builder(step)
    root = builder.roots[-1]

    def visits_of(node: Any) -> int:
        return node.left.visits if node.left is not None else 0

    everything = list(root.everything())
    for most in (1, 5, 20, 40):
        drawn = prune_to_size(root, most, 1)
        shown: list[DrawnNode] = [drawn]
        for child in shown:
            shown += child.children
        kept = {id(node.node) for node in shown}
        assert len(kept) == drawn.count() == min(most, len(everything))
        least = min(visits_of(node.node) for node in shown)
        left_out = [node for node in everything if id(node) not in kept]
        assert all(visits_of(node) <= least for node in left_out)
        assert sum(node.below for node in shown) == len(left_out)
    depths = [node.node.entered.level for node in shown if node.node is not None]
    assert max(depths) > 1 and len(everything) > 40
