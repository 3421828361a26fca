"""The reference of assignments: textbook algorithms have the values, and visit the nodes, of our engines."""

from fractions import Fraction

import pytest

from gameplay import registry
from gameplay.errors import BadInput
from gameplay.games.tree import Tree
from gameplay.search.limit import Limit
from gameplay.suites import samples, textbook
from gameplay.suites.samples import ALGORITHMS, TREES, VISITED
from gameplay.suites.textbook import Window

pytestmark = pytest.mark.once


@pytest.mark.parametrize("reference", ["minimax", "quiescence", "expectiminimax", "maxn"])
def test_values_are_those_of_the_engine_of_that_name(reference: str) -> None:
    algorithm, kinds = ALGORITHMS[reference]
    depth = 2 if reference == "quiescence" else 8
    for sample in samples.of_trees(list(kinds), 2 * len(kinds), 1, depth, algorithm, 0):
        position = sample.position()
        answers = textbook.answers(position, depth, algorithm)
        best = max(answers.values(), key=lambda answer: answer.value)
        report = registry.engine(reference)[0].search(position, Limit(depth=depth))
        assert report.value == pytest.approx(float(best.value)), sample
        assert answers[report.move or 0].value == best.value, sample
        assert reference != "maxn" or report.values == best.values, sample


def test_alphabeta_visits_as_many_nodes_as_the_engine() -> None:
    for sample in samples.of_trees(list(VISITED), 8, 2, 8, "minimax", 0):
        position = sample.position()
        report = registry.engine("alphabeta")[0].search(position, Limit(depth=8))
        assert len(textbook.search_pruned(position, 8).nodes) == report.nodes, sample


def test_cuts_have_their_windows() -> None:
    """In the lecture's exercise the second branch is cut at 2, after 3 in the first."""
    position = registry.game("tree:lecture").new()
    pruned = textbook.search_pruned(position, 8)
    assert pruned.cuts == {(1,): Window(3, 2)} and len(pruned.nodes) == 11
    assert textbook.find_cut((1, 1), pruned.cuts) == ((1, 1), Window(3, 2))
    assert textbook.find_cut((1, 0), pruned.cuts) == ((1, 0), Window(3, 2))
    assert textbook.find_cut((0, 0), pruned.cuts) is None


def test_means_are_exact() -> None:
    tree = Tree.of({"max": {"a": {"chance": {"x 1/3": 1, "y 2/3": 2}}, "b": {"chance": {"x": 0, "y": 3}}}})
    answers = textbook.answers(tree, 8, "expectiminimax")
    assert [answers[move].value for move in (0, 1)] == [Fraction(5, 3), Fraction(3, 2)]
    assert textbook.size(tree, 8) == 7


def test_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textbook, "MAX_NODES", 1_000)
    start = registry.game("tictactoe").new
    with pytest.raises(BadInput, match="the reference needs more than 1,000 nodes here; take less depth"):
        textbook.answers(start(), 9, "minimax")
    with pytest.raises(BadInput, match="alpha-beta needs more than 1,000 nodes here; take less depth"):
        textbook.search_pruned(start(), 9)


def test_samples_are_the_same_for_the_same_seed() -> None:
    kinds = list(TREES)
    first, again, other = (list(samples.of_trees(kinds, 9, seed, 8, "minimax", 0)) for seed in (1, 1, 2))
    assert first == again != other and len(first) == 9
    positions = list(samples.of_game("tictactoe", 5, 1, 2, "minimax", 0))
    assert positions == list(samples.of_game("tictactoe", 5, 1, 2, "minimax", 0))
    assert len({sample.position().key() for sample in positions}) == 5
    assert positions[0].words and positions[0].command().startswith("gameplay show tictactoe --moves '")
    assert samples.Sample("/a/b/x.py:Y:seed=3").label == "x.py:Y:seed=3"


def test_clear_samples_have_one_best_move() -> None:
    for sample in samples.of_trees(["points"], 5, 1, 8, "minimax", 3):
        values = sorted(answer.value for answer in samples.answers(sample, 8, "minimax").values())
        assert values[-1] - values[-2] >= 3
    with pytest.raises(BadInput, match="no tree in 50 has a best move that is better by 99"):
        list(samples.of_trees(["points"], 1, 1, 8, "minimax", 99))
    with pytest.raises(BadInput, match=r"only \d of 20 positions could be drawn"):
        list(samples.of_game("nim:heaps=1+1", 20, 1, 8, "minimax", 0))
    with pytest.raises(BadInput, match="tictactoe has no seed; expected a kind of trees"):
        list(samples.of_trees(["tictactoe"], 1, 1, 8, "minimax", 0))
