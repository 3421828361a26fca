"""`gameplay glossary`: columns, and all words as one document."""

import json

import pytest

from gameplay import glossary
from tests.support.commands import run_printed


def test_glossary_json_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_printed(capsys, "words", "--json")
    assert status == 0
    assert [load["word"] for load in json.loads(out)] == [name for name, _, _ in glossary.TERMS]
    assert out.startswith('[\n  {\n    "word": ') and "\\u" not in out


@pytest.mark.once
def test_words_stand_in_a_column_as_far_as_they_fit_into_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In 80 columns; a term of 26 letters or more moves the first line of its definition."""
    text = "x" * 22 + " " + "y" * 27 + " zz"  # 53 columns, and one word more
    words = [("w" * count, (), text + more) for count, more in ((25, "z"), (26, ""), (3, ""), (4, "zz"))]
    monkeypatch.setattr(glossary, "TERMS", words)
    assert run_printed(capsys, "words")[1].splitlines() == [
        f"{'w' * 25} {text}z",
        f"{'w' * 26} {text}",
        f"www{' ' * 23}{text}",
        f"wwww{' ' * 22}{text[:-3]}",
        f"{' ' * 26}zzzz",
    ]
    monkeypatch.setattr(glossary, "definition", lambda word: f"{word} {'x' * 73} zz")
    assert run_printed(capsys, "words", "p", "v")[1] == f"p v {'x' * 73} zz\n"
    assert run_printed(capsys, "words", "npss")[1] == f"npss {'x' * 73}\nzz\n"
