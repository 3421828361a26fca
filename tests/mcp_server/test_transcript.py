"""The calls on the how-to page are made in their order; the page shows what is answered.

GAMEPLAY_SCREENS=write writes the answers into the page.
"""

import json
import os
import re

import pytest

from gameplay.mcp_server.tools import TOOLS
from tests.support.mcp_client import call_tools, toolset
from tests.support.paths import ROOT

pytestmark = pytest.mark.once

PAGE = ROOT / "docs" / "how-to" / "language-models.md"
BLOCK = re.compile(r"(?<=```text\n).*?(?=\n```)", re.S)
CALL = re.compile(r"^> (\w+) (\{.*\})$", re.M)


def test_the_page_shows_current_answers() -> None:
    page = PAGE.read_text()
    calls = [(name, json.loads(text)) for block in BLOCK.findall(page) for name, text in CALL.findall(block)]
    answers = iter(call_tools(*calls, tools=toolset()))

    def answer_calls(block: "re.Match[str]") -> str:
        calls = CALL.findall(block[0])
        return "\n\n".join(f"> {name} {text}\n{next(answers)[1]}" for name, text in calls)

    shown = BLOCK.sub(answer_calls, page)
    if os.environ.get("GAMEPLAY_SCREENS") == "write":
        PAGE.write_text(shown)
    assert shown == PAGE.read_text() and len(calls) >= 8


def test_the_page_names_every_tool() -> None:
    rows = re.findall(r"^\| (`.*?) \|", PAGE.read_text(), re.M)
    assert re.findall(r"`(\w+)`", " ".join(rows)) == list(TOOLS)
