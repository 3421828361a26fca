"""The teaching part of the web page, in a process where msgspec is the stand-in of the page."""

import json
import os
import subprocess
import sys

import pytest

from tests.support.paths import ROOT

pytestmark = pytest.mark.once

PROGRAM = """
import json, sys
sys.path[:0] = ["web/stand_in", "web"]
import teaching
ask = teaching.CALLS["ask"]
asked = ask(3, 2, 1)
print(json.dumps({
    "tree": teaching.tree("tree:lecture"),
    "lecture": teaching.lecture("alphabeta"),
    "asked": asked,
    "same": ask(3, 2, 1) == asked,
    "bad": teaching.CALLS["grade"]("x y"),
    "wrong": (wrong := teaching.CALLS["grade"]("-1000")),
    "right": teaching.CALLS["grade"](wrong["answer"]),
    "loaded": sorted({"click", "rich", "prompt_toolkit", "sqlite3"} & set(sys.modules)),
}))
"""


def test_trees_questions_and_lectures_need_no_library() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        check=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        text=True,
    )
    document = json.loads(done.stdout)
    assert document["loaded"] == []
    assert "<title>" in document["tree"] and "exercise</h1>" in document["tree"]
    assert "alpha" in document["lecture"]
    assert document["same"] and document["asked"]["asks"] == "What is the value of the root?"
    assert "is not a number" in document["bad"]["message"]
    assert document["wrong"]["right"] is False and document["wrong"]["explained"].startswith("search")
    assert document["right"]["right"] is True
