"""Reports of wrong answers: each with the line that refutes it."""

from pathlib import Path
from typing import Any

import pytest

from gameplay import registry
from gameplay.search.report import Report
from gameplay.suites import comparison, samples, textbook
from gameplay.suites.assignment import RandomTask, Requirement
from gameplay.suites.comparison import Words
from gameplay.suites.samples import Sample

pytestmark = pytest.mark.once


def words_of(
    game: str, depth: int = 8, algorithm: str = "minimax"
) -> tuple[Words, dict[int, textbook.MoveAnswer]]:
    sample = Sample(game)
    return Words(sample.position()), samples.answers(sample, depth, algorithm)


def test_wrong_moves_are_refuted_by_the_replies() -> None:
    words, answers = words_of("tree:two-ply")
    assert words.of_move(Report(move=0), answers) == ""
    assert words.of_move(Report(move=1), answers) == (
        "move a2 is wrong: `a2 c1` has the value 2, and `a1 b1` has 3"
    )


def test_any_of_the_best_moves_is_right() -> None:
    words, answers = words_of("tree:three-players", algorithm="maxn")
    assert [words.of_move(Report(move=move), answers) for move in (0, 1)] == ["", ""]


def test_wrong_values_are_refuted_by_the_best_line() -> None:
    words, answers = words_of("tree:two-ply")
    assert words.of_value(Report(move=0, value=3), answers) == ""
    assert words.of_value(Report(move=0, value=14), answers) == "value 14 is wrong: it is 3, by `a1 b1`"
    nothing = Report(move=0, bound="unknown")
    assert words.of_value(nothing, answers) == "value 0, or none, is wrong: it is 3, by `a1 b1`"


def test_means_are_fractions() -> None:
    words, answers = words_of("tree:chance", algorithm="expectiminimax")
    assert words.of_value(Report(move=0, value=2.1), answers) == ""
    assert words.of_value(Report(move=0, value=2.5), answers) == (
        "value 2.5 is wrong: it is 21/10 (2.100), by `a1`"
    )


def test_each_player_has_a_value() -> None:
    words, answers = words_of("tree:alliance", algorithm="maxn")
    right = Report(move=1, value=6, values=(6, 4, 2))
    assert words.of_value(right, answers) == ""
    assert words.of_value(Report(move=1, value=6, values=(6, 2, 4)), answers) == (
        "values (6, 2, 4) are wrong: they are (6, 4, 2), by `join join yield break`"
    )


def test_visits_are_compared_with_alphabeta() -> None:
    words, _ = words_of("tree:lecture")
    pruned = textbook.search_pruned(Sample("tree:lecture").position(), 8)
    due = [line for line in pruned.nodes if line]
    assert words.of_visits(due, pruned) == ""
    assert words.of_visits([*due, (1, 1)], pruned) == (
        "your engine visited `2 2`; alpha-beta had cut there because α = 3 ≥ β = 2"
    )
    forged = "your engine visited `999 (illegal)`, below the depth"
    assert words.of_visits([*due, (999, 3)], pruned) == forged
    assert words.of_visits(due[:-1], pruned) == (
        "your engine left out `3 3`; alpha-beta visits it because α = 3 < β = 5"
    )


def test_wins_are_counted_in_plies() -> None:
    words, answers = words_of("tree:random,wins=on,depth=2,branching=2,seed=1")
    best = max(answer.value for answer in answers.values())
    move = next(move for move, answer in answers.items() if answer.value == best)
    assert words.of_value(Report(move=move, value=int(best)), answers) == ""
    assert "is wrong: it is " in words.of_value(Report(move=move, value=int(best) + 1), answers)


def compare(tmp_path: Path, text: str, **fields: Any) -> Any:
    file = tmp_path / "mine.py"
    file.write_text(text)
    fields = {"name": "x", "reference": "minimax", "trees": ["points"], "count": 4} | fields
    return comparison.compare(RandomTask(**fields), str(file), 10.0)


FIRST = "def choose(position, limit):\n    return position.moves()[0], 5\n"


def test_the_smallest_of_the_wrong_samples_is_reported(tmp_path: Path) -> None:
    verdict = compare(tmp_path, FIRST)
    sizes = {f"tree:random,depth=3,uneven=on,seed={seed}": 0 for seed in range(1000)}
    wrong = [entry.partition(": ")[0] for entry in verdict.facts["wrong"]]
    assert verdict.state == "regression" and verdict.facts["searches"] == 4 and set(wrong) <= set(sizes)
    smallest = min(wrong, key=lambda game: samples.size(Sample(game), 40))
    assert f"of 4 searches fail; {smallest}: " in verdict.summary
    assert verdict.facts["see"] == f"gameplay show {smallest}"
    assert compare(tmp_path, FIRST, right=0).state == "met"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"trees": ["pints"]}, "unknown kind of trees 'pints'; did you mean 'points'"),
        ({"trees": ["chance"]}, 'has chance; minimax cannot play it: take reference = "expectiminimax"'),
        ({"trees": ["players"]}, 'for two; minimax cannot play it: take reference = "maxn"'),
        (
            {"trees": ["players"], "reference": "maxn", "compare": ["visits"]},
            "is not a zero-sum game for two, where visits are not compared; leave visits out",
        ),
        ({"trees": ["halves"]}, ""),
    ],
)
def test_mistakes_of_the_teacher_are_found_before_grading(fields: dict[str, Any], words: str) -> None:
    task = RandomTask(**{"name": "x", "reference": "minimax", "count": 1, **fields})
    verdicts = comparison.check(Path("a.toml"), [Requirement("random", "x", 1, 7, task)])
    assert bool(verdicts) == bool(words)
    assert not words or (verdicts[0].startswith("a.toml, line 7: ") and words in verdicts[0]), verdicts


def test_the_evaluation_can_be_withheld(tmp_path: Path) -> None:
    from gameplay.sandbox.counted import Counter

    position = Counter(withheld=True).wrap(registry.game("tictactoe").new())
    with pytest.raises(AttributeError, match="evaluate is withheld in this assignment"):
        position.evaluate()
    assert Counter().wrap(registry.game("tictactoe").new()).evaluate() == 0


def test_visited_lines_are_followed_through_copies() -> None:
    import copy

    from gameplay.sandbox.counted import MAX_LINES, Counter

    counter = Counter(records_lines=True)
    position = counter.wrap(registry.game("tictactoe").new())
    position.make(4)
    other = copy.deepcopy(position)
    other.make(0)
    position.unmake()
    position.make(4)
    assert list(counter.lines) == [(4,), (4, 0)] and counter.made == 3 and MAX_LINES == 5_000
