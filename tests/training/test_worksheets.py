"""Questions of worksheets: every answer is recomputed by a few independent lines."""

import re
from fractions import Fraction
from math import inf, isclose, log, sqrt
from typing import Any

import pytest

from gameplay.errors import BadInput, Usage
from gameplay.kernel import compiled
from gameplay.training import quiz, worksheets
from gameplay.training.answer import NUMBER, VECTOR, WINDOWS, RightAnswer
from gameplay.training.question import Question
from tests.support.commands import gameplay

MANY = 60 if compiled() else 15


def questions(kind: str, most: int = MANY) -> list[Question]:
    return [quiz.make_question(kind, 1 + number % 5, 77, number, quiz.RANDOM_TREES) for number in range(most)]


def below(data: Any) -> dict[str, Any]:
    """The children of a node of any mover; {} for a leaf."""
    if not isinstance(data, dict):
        return {}
    return next(entry for key, entry in data.items() if key != "players")


def test_bounds_are_those_of_a_plain_alpha_beta() -> None:
    for question in questions("bounds"):
        left: dict[str, tuple[float, float]] = {}

        def search(data: Any, name: str, alpha: float, beta: float, left: Any = left) -> float:
            if not isinstance(data, dict):
                return float(data)
            maximizing = "max" in data
            best = -inf if maximizing else inf
            for word, child in below(data).items():
                value = search(child, word, alpha, beta)
                best = max(best, value) if maximizing else min(best, value)
                alpha, beta = (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
                if alpha >= beta:
                    break
            left[name] = (alpha, beta)
            return best

        search(question.data, "root", -inf, inf)
        ends = [end for name in question.answer.names for end in left[name]]
        assert (
            list(question.answer.right) == ends and 2 <= len(question.answer.names) <= worksheets.MAX_WINDOWS
        )
        assert any(alpha >= beta for alpha, beta in left.values())


def exact_value(data: Any) -> Fraction:
    """The value of a tree with chance nodes, in fractions."""
    if not isinstance(data, dict):
        return Fraction(data)
    if "chance" in data:
        shares = {Fraction(key.split()[1]): key for key in data["chance"]}
        assert sum(Fraction(key.split()[1]) for key in data["chance"]) == 1 and shares
        return sum(
            (Fraction(key.split()[1]) * exact_value(child) for key, child in data["chance"].items()),
            Fraction(0),
        )
    return (max if "max" in data else min)(exact_value(child) for child in below(data).values())


def test_expectations_are_those_of_fractions() -> None:
    series = questions("expectation")
    for question in series:
        value = exact_value(question.data)
        assert isclose(question.answer.right[0], float(value), abs_tol=1e-9)
        assert question.answer.grade(str(float(value))) and not question.answer.grade(
            str(float(value) + 0.01)
        )
        assert round(float(value), 2) == pytest.approx(float(value)), "two decimals are enough"
    assert any("min" in str(question.data) for question in series)


def maxn_payoffs(data: Any) -> list[int]:
    """The payoffs of max^n: of the first child that is best for the mover."""
    if isinstance(data, list):
        return data
    player = next(key for key in data if key != "players")
    return max(map(maxn_payoffs, below(data).values()), key=lambda payoffs: payoffs["ABC".index(player)])


def test_vectors_are_those_of_maxn() -> None:
    for question in questions("vector"):
        assert list(question.answer.right) == maxn_payoffs(question.data)


def test_the_killer_is_the_last_move_that_cut_off() -> None:
    """By a plain alpha-beta that stores the last two cutoff moves at the ply of the replies."""
    series = questions("killer")
    killed = 0
    for question in series:
        killers: list[str] = []
        alpha, first = -inf, ""
        for child in below(question.data).values():
            replies = below(child)
            order = [*killers, *(word for word in replies if word not in killers)]
            first, beta = order[0], inf
            for word in order:
                beta = min(beta, replies[word])
                if alpha >= beta:
                    killers = [word, *(killer for killer in killers if killer != word)][:2]
                    break
            alpha = max(alpha, beta)
        assert question.answer.right == (first,)
        killed += first != question.answer.names[0]
    assert killed > len(series) // 3


def test_ucb1_is_evaluated_from_the_numbers_that_are_shown() -> None:
    for question in questions("ucb"):
        above, c = map(float, re.findall(r"= ([\d.]+)", question.rows[0]))
        scores = {}
        for row in question.rows[3:]:
            name, visits, mean = row.split()
            scores[name] = float(mean) + c * sqrt(log(above) / int(visits))
        assert above == sum(int(row.split()[1]) for row in question.rows[3:])
        assert question.answer.right == (max(scores, key=scores.__getitem__),)
        for name, score in scores.items():
            assert re.search(rf"^{name}: .* = {score:.3f}$", question.note, re.M)
        means = {row.split()[0]: float(row.split()[2]) for row in question.rows[3:]}
        assert question.level < 3 or means[question.answer.right[0]] < max(means.values())


def test_none_is_an_answer_of_some_worksheets() -> None:
    """Then it is right: a plain search visits every leaf."""
    for kind in ("cut", "visits"):
        drawn = [(level, number) for number in range(50) for level in (1, 2)]
        results = [quiz.make_question(kind, level, 3, number, quiz.RANDOM_TREES) for level, number in drawn]
        cutless = 0
        for result in results:
            leaves = list(result.answer.names) if kind == "visits" else []
            cutless += set(result.answer.right) == set(leaves)
        assert 5 <= cutless <= 40
    asked = (quiz.make_question("cut", 1, 3, number, "tree") for number in range(99))
    nothing = next(question for question in asked if not question.answer.right)
    assert nothing.answer.grade("none") and not nothing.answer.grade(nothing.answer.names[0])
    assert str(nothing.answer) == "none"


@pytest.mark.once
def test_worksheet_questions_are_not_generated_for_games() -> None:
    for kind in worksheets.KINDS:
        with pytest.raises(
            Usage, match=f"chess: questions of kind {kind} use random trees. Try: --game tree"
        ):
            quiz.make_question(kind, 1, 1, 1, "chess")
        assert quiz.make_question(kind, 1, 1, 1, "").game == ""


@pytest.mark.once
def test_answers_of_several_numbers() -> None:
    windows = RightAnswer(WINDOWS, (3, inf, -inf, 2), ("root", "a"))
    assert str(windows) == "root [+3, +inf], a [-inf, +2]" and windows.marks == 2
    assert windows.grade("3 inf, -inf 2") and windows.grade("[3, inf] [-inf, 2]")
    assert not windows.grade("3 inf -inf 3")
    with pytest.raises(BadInput, match="expected alpha and beta of root, a, as in -inf 3, 2 inf"):
        windows.grade("3 inf")
    vector = RightAnswer(VECTOR, (1, 0, 6))
    assert str(vector) == "(1, 0, 6)" and vector.grade("(1, 0, 6)") and not vector.grade("1 0 5")
    with pytest.raises(BadInput, match="expected 3 numbers, as in 1 2 3"):
        vector.grade("1 2")
    mean = RightAnswer(NUMBER, (2.125,))
    assert mean.grade("2.13") and mean.grade("2.125") and not mean.grade("2.1")


@pytest.mark.once
def test_a_sheet_has_a_line_for_the_name_and_marks(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    words = ("quiz", "--seed", 5, "--game", "tree", "--sheet", 11)
    assert gameplay(*words) == 0
    text = capsys.readouterr().out
    marks = [int(number) for number in re.findall(r"^\d+\. \((\d+) marks?\)", text, re.M)]
    assert len(marks) == 11 and f"/ {sum(marks)}\n" in text and "Name: ____" in text
    asked = list(quiz.make_series(5, 2, 11, game="tree"))
    assert marks == [question.answer.marks for question in asked]
    blanks = sum(len(question.answer.names) if question.kind == "bounds" else 0 for question in asked)
    assert text.count("alpha = ____") == text.count("beta = ____") == blanks > 1
    file = tmp_path / "sheet.html"
    assert gameplay(*words, "-o", file) == 0
    page = file.read_text()
    assert f"Marks: ______ / {sum(marks)}" in page and page.count('class="marks"') == 11
    rules = re.findall(r"pre \{[^}]*\}", page)
    assert "overflow: visible" in rules[-1], "on paper nothing scrolls"
    assert "chance" in page
