"""A replayed search: its windows and values are those of the trace, and of Knuth and Moore's procedure."""

import math
from typing import Any

import pytest

from gameplay import Limit, registry
from gameplay.api.tracing import follower
from gameplay.position import side
from gameplay.tracing.playback import ReplayStep, playback, recorded_steps
from gameplay.tracing.pseudocode import CodePointer, pseudocode
from gameplay.tracing.trace import TraceStep, strip_zeros
from gameplay.tracing.tree import SearchTreeBuilder, TracedNode
from tests.support.searches import alphabeta

pytestmark = pytest.mark.once

RANDOM = "tree:random,depth=4,branching=2-3,seed={}"


def replay(spec: str, game: str, limit: Limit, text: str = "") -> tuple[TracedNode, list[ReplayStep]]:
    engine, _ = registry.engine(spec)
    game_class = registry.game(game)
    builder = SearchTreeBuilder(10**6, alone=True)
    engine.search(game_class.new(text), limit, trace=follower(engine, game_class.new(text), builder, 40))
    root, position = builder.roots[-1], game_class.new(text)
    drawn = {id(node) for node in root.everything()}
    return root, playback(root, drawn, position.unit, [side(position, n) for n in range(position.players)])


def last(steps: list[ReplayStep]) -> dict[int, dict[str, Any]]:
    """The last step shown at each node."""
    results: dict[int, dict[str, Any]] = {}
    for step in steps:
        for node, marks in step.marks:
            results.setdefault(id(node), {}).update(marks)
    return results


def number(text: str) -> float:
    return float(text.replace("∞", "inf"))


@pytest.mark.parametrize("seed", range(8))
def test_steps_are_those_of_alpha_beta(seed: int) -> None:
    """The order of nodes, the values, and the pruned branches, by a second program."""
    root, steps = replay("alphabeta", RANDOM.format(seed), Limit(depth=4))
    game: Any = registry.game(RANDOM.format(seed)).new()
    words: list[str] = []

    def leaf(at: Any, _ply: int) -> float | None:
        words.append(" › ".join(at.node.path()))
        return None if at.node.branches else float(at.node.payoffs[0])

    value = alphabeta(game, leaf)
    visits = words[1:]
    order = [step.text.partition(":")[0] for step in steps if step.kind in ("enter", "leaf")]
    assert order == ["root", *visits]
    assert steps[-1].text.startswith(f"The search is over: the value is {value:+g}".replace("+0", "0"))
    pruned = sum(len(step.pruned) for step in steps)
    inner = [node for node in root.everything() if node.children]
    below = sum(len(at.branches) for node in inner for at in [walk(game.root, node)])
    assert pruned + len(visits) == below and (pruned > 0 or seed)


def walk(node: Any, traced: TracedNode) -> Any:
    for step in traced.line()[1:]:
        node = next(child for child in node.branches if child.word == step.word)
    return node


@pytest.mark.parametrize(
    ("spec", "game", "text", "limit"),
    [
        ("alphabeta", RANDOM.format(3), "", Limit(depth=4)),
        ("selective", "tictactoe", "b2 a1", Limit(depth=3)),
        ("paranoid", "tree:three-players", "", Limit(depth=4)),
        ("expectiminimax:prune=star2", "tree:chance-stretched", "", Limit(depth=4)),
    ],
)
def test_windows_become_those_that_the_trace_reports(spec: str, game: str, text: str, limit: Limit) -> None:
    """Every node ends with its final window and best move of the search."""
    root, steps = replay(spec, game, limit, text)
    ends = last(steps)
    unit = registry.game(game).new(text).unit
    compared = 0
    for node in root.everything():
        marks = ends[id(node)]
        assert marks["state"] == "done" and node.left is not None
        for end, value in (("alpha", node.left.alpha), ("beta", node.left.beta)):
            if "in" not in marks[end]:  # a win in so many plies
                assert number(marks[end]) == pytest.approx(
                    value / unit if abs(value) < math.inf else value, abs=0.006
                )
                compared += 1
        if node.children and "best" in marks:
            assert marks["best"].entered.word == node.left.best
    assert compared > 20
    for step in steps:
        if step.brief and step.kind == "enter":
            alpha, beta = step.marks[0][1]["alpha"], step.marks[0][1]["beta"]
            assert f"[{alpha}, {beta}]" in step.text and "[" not in step.brief


def test_a_player_of_several_keeps_the_first_best_payoff() -> None:
    """Of three players A gets 1, B 2 and C 6 (Luckhardt and Irani 1986)."""
    root, steps = replay("maxn", "tree:three-players", Limit(depth=4))
    assert last(steps)[id(root)]["value"] == "(+1, +2, +6)"
    assert not any("alpha" in marks for step in steps for _, marks in step.marks)
    texts = [step.text for step in steps]
    assert "1 › 1 › 2 returns (+4, +2, +3): C at 1 › 1 keeps 1 (+6)" in texts


def test_partial_sums_of_chance_end_at_the_mean() -> None:
    root, steps = replay("expectiminimax", "tree:chance", Limit(depth=4))
    sums = [
        marks["value"]
        for step in steps
        for node, marks in step.marks
        if node.entered.role == "chance" and marks.get("value", "").startswith("Σ")
    ]
    assert sums == ["Σ +1.80", "Σ +2.10", "Σ +0.90", "Σ +1.30"], "0.9 x 2 + 0.1 x 3; 0.9 x 1 + 0.1 x 4"
    assert last(steps)[id(root)]["value"] == "+2.10"


def test_only_the_root_names_the_window_that_the_search_begins_with() -> None:
    for spec, game, first in (
        ("expectiminimax:prune=star2", "tree:chance", "root: MAX moves; window at the start [-4.00, +4.00]"),
        ("alphabeta", "tree:lecture", "root: MAX moves; window [-∞, +∞]"),
    ):
        entered = [step for step in replay(spec, game, Limit(depth=4))[1] if step.kind == "enter"]
        assert entered[0].text == first and not any("at the start" in step.text for step in entered[1:])
        for step in entered[1:]:  # an end is explained where it is not the root's
            (marks,) = [marks for node, marks in step.marks if node is step.node]
            ends = first[first.index("[") + 1 : -1].split(", ")
            assert [bool(marks[f"why_{end}"]) for end in ("alpha", "beta")] == [
                marks[end] != widest for end, widest in zip(("alpha", "beta"), ends, strict=True)
            ]


def test_a_search_without_windows_shows_none() -> None:
    root, steps = replay("minimax", "tree:lecture", Limit(depth=4))
    assert not any("alpha" in marks or "α" in step.text for step in steps for _, marks in step.marks)
    assert last(steps)[id(root)]["value"] == "+3" and len(steps) == 13 + 12 + 1


RETURNING = [
    ("mcts", "connect4", "", Limit(simulations=40)),
    ("pns", "tictactoe", "b2 a1 c2", Limit(nodes=300)),
    ("idastar", "puzzle15:rows=3,columns=3", "1 4 2 3 5 8 6 7 0", Limit()),
    ("dfid", "puzzle15:rows=3,columns=3", "1 4 2 3 5 8 6 7 0", Limit()),
    ("astar", "puzzle15:rows=3,columns=3", "3 1 2 7 5 4 0 6 8", Limit(nodes=60)),
]


@pytest.mark.parametrize(("spec", "game", "text", "limit"), RETURNING)
def test_recorded_values_become_those_of_the_tree(spec: str, game: str, text: str, limit: Limit) -> None:
    """The last value that the replay gives to a node is that of the drawn tree."""
    engine, _ = registry.engine(spec)
    game_class = registry.game(game)
    builder = SearchTreeBuilder(10**6, alone=True, recorded=10**6)
    engine.search(game_class.new(text), limit, trace=follower(engine, game_class.new(text), builder, 40))
    root, unit = builder.roots[-1], game_class.new(text).unit
    assert playback(root, {id(root)}, unit, []) == []
    nodes = list(root.everything())
    lines: list[TraceStep] = []

    def describe(step: TraceStep) -> str:
        lines.append(step)
        return "so"

    steps = recorded_steps(root, builder.record(root), {id(node) for node in nodes}, unit, describe)
    assert len(lines) == len(steps) - 1 == len(builder.record(root)) > 5 and steps[-1].kind == "end"
    before, after = last(steps[:-1]), last(steps)
    for node in nodes:
        assert node.left is None or after[id(node)].get("value", "") == before[id(node)].get("value", "")
    if spec == "mcts":
        assert after[id(root)]["value"] == "40 visits"
        assert [step.kind for step in steps].count("simulate") == 40
    elif spec == "pns":
        looks = [marks.get("look") for marks in after.values()]
        assert looks.count("proved") > 0 and looks.count("disproved") > 0


def test_a_stopped_search_is_replayed_up_to_the_last_finished_one() -> None:
    """IDA* was stopped within a threshold: the tree drawn is that of the previous threshold."""
    engine, _ = registry.engine("idastar")
    game = registry.game("puzzle15")
    builder = SearchTreeBuilder(10**6, alone=True, recorded=10**6)
    engine.search(game.new(), Limit(nodes=200), trace=follower(engine, game.new(), builder, 40))
    done, stopped = builder.roots
    assert done.left is not None and stopped.left is None
    for root in (done, stopped):
        nodes = {id(node) for node in root.everything()}
        steps = builder.record(root)
        assert steps[0][0].what == "threshold" and {id(node) for _, node in steps} == nodes


def test_a_playout_against_superko_is_spelled_up_to_the_repetition() -> None:
    """Go playouts know simple ko only, so their moves may be illegal."""
    engine, _ = registry.engine("mcts")
    game = registry.game("go:size=5")
    steps: list[TraceStep] = []
    engine.search(game.new(), Limit(simulations=20), trace=follower(engine, game.new(), steps.append, 40))
    playouts = [step for step in steps if step.what == "simulate"]
    assert len(playouts) == 20 and any(len(step.unsearched) < min(40, step.left) for step in playouts)


def test_steps_below_the_drawn_plies_belong_to_the_node_above() -> None:
    engine, _ = registry.engine("mcts")
    game = registry.game("connect4")
    builder = SearchTreeBuilder(10**6, alone=True, recorded=200)
    engine.search(game.new(), Limit(simulations=90), trace=follower(engine, game.new(), builder, 40))
    root = builder.roots[0]
    drawn = {id(root), *map(id, root.children)}
    steps = recorded_steps(root, builder.record(root), drawn, 1, lambda step: step.what)
    assert len(steps) == 201 and {id(step.node) for step in steps} == drawn


def test_each_step_of_alpha_beta_has_its_line_of_pseudocode() -> None:
    engine, _ = registry.engine("alphabeta")
    code = pseudocode(engine)
    assert code is not None
    game = registry.game("tree:lecture")
    builder = SearchTreeBuilder(10**6, alone=True)
    engine.search(game.new(), Limit(depth=4), trace=follower(engine, game.new(), builder, 40))
    root = builder.roots[-1]
    steps = playback(root, {id(node) for node in root.everything()}, 1, [], CodePointer(code))
    expected = {"enter": "AB(node", "leaf": "return its payoff", "cut": "alpha cut", "end": "return best"}
    for step in steps:
        line = "" if step.code is None else code.lines[step.code]
        if step.kind in expected:
            assert expected[step.kind] in line, step.text
        elif "rises" in step.text:
            assert "alpha := max" in line
        elif "falls" in step.text:
            assert "beta := min" in line
        else:
            assert line.strip() in ("", "return best"), step.text
    assert sum(step.code is not None for step in steps) > 18


def test_whole_numbers_lose_their_zeros() -> None:
    assert strip_zeros("(+1.00, +2.50, 0.00, +10, +1.005, 100)") == "(+1, +2.5, 0, +10, +1.005, 100)"
