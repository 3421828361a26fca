"""Questions on searches, and their answers."""

import json
import math
import re
from typing import Any

from tests.support.facts import drawn_trees
from tests.support.facts.output import Output
from tests.support.facts.plain_games import Crosses, minimax


def check_questions(output: Output) -> None:
    """Each answer is that of textbook minimax and alpha-beta on the tree of the question."""
    if output.text.startswith("{"):
        questions = json.loads(output.text)["questions"]
        assert len(questions) == int(output.option("--count"))
        for question in questions:
            if question["tree"] is not None:
                if question["game"] == "tictactoe":
                    assert question["tree"] == drawn_trees.crosses_tree(question["moves"])
                drawn_trees.check_answer(
                    question["kind"], question["tree"], question["asks"], question["answer"]
                )
            else:
                assert question["form"] != "one" or (
                    len(question["answer"]) == 1 and question["answer"][0] in question["names"]
                )
        return
    text = output.pages.get(".html") or output.text
    if ".html" in output.pages:
        assert not drawn_trees.page_data(text) and "<script" not in text, "a worksheet is paper"
        return
    questions, key = re.split(r"^\f?Key$", output.text, flags=re.MULTILINE)
    answers = dict(re.findall(r"^(\d+)\. (\w+: .*)$", key, re.MULTILINE))
    parts = re.split(r"^\d+\. \((\d) marks?\) ", questions, flags=re.MULTILINE)[1:]
    marks, bodies = parts[::2], parts[1::2]
    assert len(bodies) == len(answers) == int(output.option("--sheet"))
    assert f"Marks: _____ / {sum(map(int, marks))}" in questions
    for number, body in enumerate(bodies, 1):
        _question(answers[str(number)], body, key)


def _question(answer: str, body: str, key: str) -> None:
    kind, _, given = answer.partition(": ")
    asks, _, picture = " ".join(body.partition("\n\n")[0].split()), "", body.partition("\n\n")[2]
    if game := re.search(r"^   tictactoe, after ((?:\w\d ?)+)$", picture, re.MULTILINE):
        words = game[1].split()
        if kind == "move":  # the only move that does not lose
            kept = [word for word, value in Crosses().worth(words).items() if not value.startswith("loss")]
            assert kept == [given]
            return
        tree = drawn_trees.crosses_tree(words)
    elif re.search(r"^   nim, ", picture, re.MULTILINE):  # Bouton 1902
        rows = [line.split()[1:] for line in picture.splitlines() if re.match(r" +\d ", line)]
        heaps = [column.count("o") for column in zip(*rows, strict=True)]
        xor = 0
        for heap in heaps:
            xor ^= heap
        assert given == ("1" if xor else "-1")
        return
    elif "chess" in picture:
        table = " ".join(key.split())
        names = re.findall(r"(\S+) ([-+]?\d+\.\d\d) and ([-+]?\d+\.\d\d)", table)
        apart = [word for word, once, twice in names if abs(float(once) - float(twice)) >= 1]
        assert set(given.split(", ")) <= set(apart)
        return
    else:
        (root,) = drawn_trees.trees(drawn_trees.without_margin(picture))
        tree = drawn_trees.as_mapping(root)
    drawn_trees.check_answer(kind, tree, asks, _parse_answer(kind, given))


def _parse_answer(kind: str, text: str) -> list[Any]:
    if kind == "window":
        ends = [float(option) for option in text.strip("[]").split(", ")]
        return [None if math.isinf(end) else end for end in ends]
    if kind in ("value", "visits") and re.fullmatch(r"-?\d+", text):
        return [float(text)]
    return [] if text == "none" else text.split(", ")


def check_grade(output: Output) -> None:
    """A typed answer is graded by the values of the tree above it."""
    right = [minimax(drawn_trees.as_mapping(root)) for root in drawn_trees.trees(output.text)]
    assert f"no, it is {right[0]:g}:" in output.text and "right: 0 of 2" in output.text
