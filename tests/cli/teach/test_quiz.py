"""`gameplay quiz`: grading, explanations, sheets, scores, refusals."""

import json
import re
from random import Random
from types import SimpleNamespace

import pytest

from gameplay import __version__
from gameplay.cli.teach import quiz as cli
from gameplay.display.reports import sheet
from gameplay.display.terminal import question
from gameplay.games.tree import Tree
from gameplay.training import quiz, random_trees, scores
from gameplay.training.answer import RightAnswer
from tests.support.commands import gameplay
from tests.support.golden import golden
from tests.support.quizzes import minimax
from tests.support.streams import set_input


@pytest.mark.once
def test_quiz_is_graded_explained_and_stored(monkeypatch, capsys):
    first, second = list(quiz.make_series(6, 2, 2, ["cut"], "tree"))
    set_input(monkeypatch, "what", str(first.answer), "none")
    assert gameplay("quiz", "--seed", 6, "--kind", "cut", "--game", "tree", "--count", 2) == 0
    out = capsys.readouterr().out
    assert "unknown name 'what'" in out and f"right: {first.answer}" in out
    assert f"no, it is {second.answer}:" in out and "alpha cutoff: MIN can already hold MAX" in out
    assert "right: 1 of 2" in out
    assert scores.totals(scores.load().scored) == {("cut", 2): (2, 1)}
    assert gameplay("stats") == 0
    assert "cut, level 2      2   50 %" in capsys.readouterr().out
    assert gameplay("stats", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["quiz"] == [{"kind": "cut", "level": 2, "asked": 2, "right": 1}]


@pytest.mark.once
def test_skip_quit_and_the_end_of_the_input(monkeypatch, capsys):
    few = ("quiz", "--seed", 5, "--game", "tree", "--level", 1)
    set_input(monkeypatch, "skip", "q")
    assert gameplay(*few) == 0
    assert "the answer is" in capsys.readouterr().out
    assert scores.load().scored == []
    set_input(monkeypatch, "skip")
    assert gameplay(*few) == 4
    assert "the answers ended before the questions did" in capsys.readouterr().err


@pytest.mark.once
@pytest.mark.parametrize("kind", quiz.KINDS)
def test_every_kind_is_explained(kind, monkeypatch, capsys):
    wrong = {"value": "1000", "window": "99 100", "visits": "none", "quiescence": "none", "cut": "none"}
    (question,) = quiz.make_series(5, 2, 1, [kind], "tree")
    wrong |= {"bounds": "1 2 " * len(question.answer.names), "expectation": "99", "vector": "0 0 0"}
    text = wrong.get(kind) or next(
        name for name in question.answer.names if name not in question.answer.right
    )
    set_input(monkeypatch, text)
    assert gameplay("quiz", "--seed", 5, "--kind", kind, "--game", "tree", "--count", 1) == 0
    out = capsys.readouterr().out
    assert f"no, it is {question.answer}" in " ".join(out.split()) and "right: 0 of 1" in out
    assert "root = " in out or (kind == "ucb" and " * sqrt(ln " in out)
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.once
def test_a_sheet_has_questions_and_behind_them_the_key(tmp_path, capsys):
    assert gameplay("quiz", "--sheet", 6, "--seed", 5, "--game", "tree") == 0
    text = capsys.readouterr().out
    sheet, key = text.split("\f")
    assert (
        sheet.count("Answer: ___") == 6 and key.startswith("Key") and max(map(len, text.splitlines())) <= 80
    )
    for make_sery in quiz.make_series(5, 2, 6, game="tree"):
        assert f"{make_sery.kind}: {make_sery.answer}" in key
    file = tmp_path / "s.html"
    assert gameplay("quiz", "--sheet", 7, "--seed", 5, "-o", file) == 0
    page = file.read_text()
    assert "7 questions and the key" in capsys.readouterr().out
    assert (
        page.count('class="question"') == 2 * 7
        and page.count('class="answer"') >= 7
        and "<script" not in page
        and "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    )
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids)) > 50
    assert page.index("<h1>Key</h1>") > page.index('id="q1-0"') and 'id="k1-0"' in page


@pytest.mark.once
def test_unwritable_sheet_is_reported(tmp_path, capsys):
    asked = list(quiz.make_series(5, 2, 2, ["cut"], "tree"))
    with pytest.raises(FileNotFoundError) as refused:
        cli._write_sheet(asked, "a title", tmp_path / "none" / "x.txt")
    assert refused.value.filename == str(tmp_path / "none" / "x.txt")
    for count, noun in ((1, "question"), (2, "questions")):
        for name, writer in (("x.txt", sheet.text), ("x.HTML", sheet.html)):
            file = tmp_path / name
            cli._write_sheet(asked[:count], "a title", file)
            assert capsys.readouterr().out == f"{file}: {count} {noun} and the key\n"
            assert file.read_text(encoding="utf-8") == writer(asked[:count], "a title")
    cli._write_sheet(asked, "a title", None)
    assert capsys.readouterr().out == sheet.text(asked, "a title") + "\n"


@pytest.mark.once
def test_json_has_questions_and_answers(capsys):
    assert (
        gameplay("quiz", "--json", "--seed", 5, "--kind", "window,value", "--game", "tree", "--count", 2) == 0
    )
    document = json.loads(capsys.readouterr().out)
    window, value = document["questions"]
    assert (window["form"], value["form"], document["seed"]) == ("window", "number", 5)
    assert value["answer"] == [minimax(value["tree"])] and Tree.of(value["tree"]).moves()


@pytest.mark.once
def test_number_of_questions_defaults_to_ten(monkeypatch, capsys):
    requests = []

    def series(seed, level, count, kinds, game):
        requests.append((seed, level, count, kinds, game))
        return iter(())

    monkeypatch.setattr(quiz, "make_series", series)
    monkeypatch.setattr("random.randrange", lambda stop: 1000 * stop + 7)
    for words in (
        (),
        ("--count", 3, "--kind", " Cut,window,,"),
        ("--sheet", 4, "--level", 5, "--seed", 0, "--json"),
        ("--json", "--game", "tree"),
    ):
        assert gameplay("quiz", *words) == 0
    new = 1_000_000_007
    assert requests == [
        (new, 2, 10, [], ""), (new, 2, 3, ["cut", "window"], ""), (0, 5, 4, [], ""), (new, 2, 10, [], "tree"),
    ]  # fmt: skip
    output = capsys.readouterr().out.splitlines()
    assert [json.loads(line) for line in output] == [
        {"seed": 0, "level": 5, "game": "", "questions": []},
        {"seed": new, "level": 2, "game": "tree", "questions": []},
    ]


@pytest.mark.once
def test_lines_are_folded_below_their_own_bars(capsys):
    """At the width of the terminal, between 20 and 100 columns; the terms of a search are not broken."""
    words = "| | a-b c-d e-f g-h i-j k-l"
    for interactive, width, folded in (
        (True, 24, ["| | a-b c-d e-f g-h i-j", "| |   k-l"]),
        (True, 9, ["| | a-b c-d e-f g-h", "| |   i-j k-l"]),
        (True, 27, [words]),
        (False, 9, [words]),
    ):
        theme = SimpleNamespace(interactive=interactive, console=SimpleNamespace(width=width))
        cli._print_line(words, theme)
        assert capsys.readouterr().out.splitlines() == folded, width
    narrow = SimpleNamespace(interactive=True, console=SimpleNamespace(width=9))
    for line, folded in (("| | aaaa bbbb cccc d", 1), ("| | aaaa bbbb cccc dd", 2)):
        cli._print_line(line, narrow)
        assert len(capsys.readouterr().out.splitlines()) == folded
    for interactive in (True, False):
        theme = SimpleNamespace(interactive=interactive, console=SimpleNamespace(width=200))
        for line, folded in (("x" * 97 + " yy", 1), ("x" * 97 + " yyy", 2)):
            cli._print_line(line, theme)
            assert len(capsys.readouterr().out.splitlines()) == folded
    cli._print_line(f"{'x' * 99} y", SimpleNamespace(interactive=False))
    assert capsys.readouterr().out == f"{'x' * 99}\ny\n", "nothing is indented below what was not"


@pytest.mark.once
def test_terminal_quiz_lists_accepted_input(monkeypatch, capsys):
    (question,) = quiz.make_series(5, 2, 1, ["cut"], "tree")
    theme = SimpleNamespace(interactive=False)
    set_input(monkeypatch, "", "what", str(question.answer).upper(), "none", "SKIP", "Exit", "Q", "quit")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    results = [cli._read_answer(question, theme) for _ in range(7)]
    assert results == ["right", "wrong", "skip", "", "", "", None]
    prompt = "all of them, separated by commas, or none (skip, quit) > "
    out = capsys.readouterr().out
    assert out.startswith(f"{prompt * 2}unknown name 'what' (names: ") and out.endswith(prompt * 7)
    assert out.count(prompt) == 9


@pytest.mark.once
def test_answers_are_counted_by_day_kind_and_level_in_a_file_that_is_read_again():
    kept = scores.Scores()
    for day, kind, level, right in (
        *(("2026-11-21", "cut", 2, True), ("2026-11-22", "cut", 2, False), ("2026-11-22", "cut", 1, True)),
        *(("2026-11-22", "value", 1, True), ("2026-11-22", "cut", 2, True), ("2026-11-21", "cut", 2, False)),
    ):
        kept.add(day, kind, level, right)
    scores.save(kept)
    days = [("2026-11-21", "cut", 2, 2, 1), ("2026-11-22", "cut", 2, 2, 1)]
    days += [("2026-11-22", "cut", 1, 1, 1), ("2026-11-22", "value", 1, 1, 1)]
    names = ("day", "kind", "level", "asked", "right")
    written = {"schema": 1, "scored": [dict(zip(names, day, strict=True)) for day in days]}
    assert json.loads(scores.path().read_text()) == written
    assert scores.load() == kept
    assert list(scores.totals(kept.scored).items()) == [
        (("cut", 1), (1, 1)),
        (("cut", 2), (4, 2)),
        (("value", 1), (1, 1)),
    ]


@pytest.mark.once
def test_damaged_scores_are_reported(monkeypatch, capsys):
    scores.path().parent.mkdir(parents=True, exist_ok=True)
    scores.path().write_text("{")
    set_input(monkeypatch, "q")
    assert gameplay("quiz", "--seed", 1, "--game", "tree") == 6
    assert "is damaged" in capsys.readouterr().err


def test_trees_for_quiescence_have_nodes_with_noisy_moves_alone_and_with_a_quiet_one():
    seen = set()

    def walk(node):
        if isinstance(node, dict):
            below = node.get("max") or node["min"]
            seen.add((bool(node.get("noisy")), len(below) == len(node.get("noisy", ()))))
            for child in below.values():
                walk(child)

    for seed in range(20):
        walk(random_trees.noisy_tree(Random(seed), 1))
    assert seen == {(False, False), (True, True), (True, False)}  # the first is the root


@pytest.mark.once
def test_sheet_equals_the_stored_one():
    """As text and as a page without its style: trees, a position, and both."""
    two = {"max": {"a": {"min": {"c": 3, "d": 12}}, "b": {"min": {"e": 2, "f": 8}}}}
    calm = {
        "max": {
            "a": 3,
            "b": {"guess": 4, "min": {"c": 5, "d": {"guess": 1, "max": {"x": 1}}}, "noisy": ["c"]},
        }
    }
    right = RightAnswer("number", (3,))
    questions = [
        quiz.Question("value", 2, "What <is> it?", right, data=two, depth=2),
        quiz.Question("quiescence", 3, "And here?", right, data=calm, engine="quiescence", note="5 < 6: so"),
        quiz.Question("value", 2, "Which move?", right, "tictactoe", ("b2", "a1"), note="c3 wins"),
        quiz.Question("visits", 2, "Which of them?", right, "nim:heaps=1+2", (), two, depth=2),
    ]
    texts = [
        sheet.text(questions, "A & B"),
        re.sub("(?s)<style>.*?</style>", "", sheet.html(questions, "A & B")),
    ]
    assert "MAX" in texts[0] and "root = +3 by a" in texts[0], (
        "the larger of the least: min(3, 12), min(2, 8)"
    )
    assert (
        f"/ {sum(question.answer.marks for question in questions)}" in texts[0]
        and "What <is> it?" in texts[0]
    )
    assert "What &lt;is&gt; it?" in texts[1] and "A &amp; B" in texts[1]
    for item in questions:
        texts += [f"-- {item.text}", *question.picture(item, True), *question.explanation(item)]
    golden(
        "sheets",
        re.sub(r"'sha256-[^']*'", "HASH", "\n".join(texts).replace(__version__, "1.2").replace("\f", "FF\n")),
    )


@pytest.mark.once
def test_deep_lines_of_a_long_search_are_omitted():
    """With more than 50 lines, or pictures of more than 200 nodes; the children of the root always remain."""

    def make_question(*leaves):
        below = {chr(97 + n): {"min": {f"m{k}": 99 * n + k for k in range(m)}} for n, m in enumerate(leaves)}
        return quiz.Question("value", 2, "?", RightAnswer("number", (0,)), data={"max": below}, depth=2)

    assert len(question.explanation(make_question(20, 20))) == 50
    assert question.explanation(make_question(20, 21)) == [
        "search, depth 2: MAX [-inf, +inf]",
        "| a: MIN, depth 1 [-inf, +inf]",
        "| a = 0 by m0",
        "| at the root: alpha -inf -> 0, from a; now [0, +inf]",
        "| b: MIN, depth 1 [0, +inf]",
        "| b = +99 by m0",
        "| at the root: alpha 0 -> +99, from b; now [+99, +inf]",
        "root = +99 by b",
        "(43 deeper lines are left out)",
    ]
    flat = quiz.Question("value", 2, "?", RightAnswer("number", (0,)), data={"max": [*range(60, 0, -1)]})
    assert len(question.explanation(flat)) == 63
    whole, more = question.searched_tree(make_question(98, 99)), question.searched_tree(make_question(99, 99))
    assert (whole.count(), whole.children[0].below) == (200, 0)
    assert (more.count(), more.children[0].below, more.value) == (3, 99, "+99")
