"""The output and files of a command, and the facts required of every command."""

import json
import os
import re
from dataclasses import dataclass
from typing import Any

REFUSALS = {2: "a wrong option, name or argument", 4: "unfinished", 6: "bad input"}
PAGE_BREAK = "\f"  # before the key of a worksheet


@dataclass
class Output:
    """The output and the files of a command."""

    words: list[str]
    status: int
    text: str
    err: str
    pages: dict[str, str]  # text of the files that it wrote, by their suffix

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def option(self, name: str, default: str = "") -> str:
        """The value of an option."""
        return self.words[self.words.index(name) + 1] if name in self.words else default

    def rows(self, text: str | None = None) -> list[Any]:
        """The lines of JSON."""
        return [json.loads(line) for line in (self.text if text is None else text).splitlines()]

    def number(self, pattern: str) -> float:
        match = re.search(pattern, self.text, re.MULTILINE)
        assert match is not None, pattern
        return float(match[1].replace(",", ""))


def tidy(output: Output) -> None:
    """No control characters, no trailing blanks; an error is one line with a documented status."""
    printed = (output.text + output.err).replace(PAGE_BREAK, "")
    assert all(number.isprintable() or number == "\n" for number in printed)
    assert "--preview" in output.words or not re.search(r"[ \t]$", printed, re.MULTILINE)
    if output.status in (0, 4):  # a game may end with its input
        return
    assert output.status in REFUSALS
    lines = [line for line in output.err.splitlines() if not re.match(r"Try '.* --help'\.$", line)]
    if output.words[0] not in ("regress", "toml"):  # which report on each file
        assert len(lines) == 1 and not output.text and len(lines[0].replace(os.getcwd(), "")) < 200


def check_error(output: Output) -> None:
    """The error names the wrong value, or the missing one; nothing was written."""
    assert output.status in REFUSALS and not output.pages
    assert output.err.startswith("gameplay") or "there is no file" in output.text + output.err


def nothing_yet(output: Output) -> None:
    """Before the first game the output is a sentence, not an empty table."""
    assert output.status == 0 and len(output.lines) <= 2
    assert (
        re.match(r"(there are no|no finished|No games|No run)", output.text)
        or not output.rows()[0]["puzzles"]
    )
