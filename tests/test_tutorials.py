"""Tutorials are executed from their first line; on all pages the output below a command is current."""

import re
import shlex
from pathlib import Path

import pytest

from tests.support.commands import run_printed
from tests.support.paths import ROOT

pytestmark = pytest.mark.once
OTHERS = [page for name in ("how-to", "concepts") for page in sorted((ROOT / "docs" / name).glob("*.md"))]
SHOWN = "```\n```\n"  # a block of commands, and right below it one of output
PAGES = [
    *sorted((ROOT / "docs/tutorials").glob("*.md")),
    *(path for path in OTHERS if SHOWN in path.read_text()),
]
STEP = re.compile(r"^```(\w*)\n(.*?)^```$(?:\n```\n(.*?)^```$)?", re.S | re.M)
FAILING = {"./broken.py": 3, "wrong.toml": 3}  # exit status of the commands that show a failure
SAVED = re.compile(r"`([\w.]+\.(?:py|toml))`:\s*\Z")


def steps(page: str) -> list[tuple[str, str, str, str]]:
    """Each fenced block with its language: the text before it, its lines, and the output below it."""
    steps, last = [], 0
    for match in STEP.finditer(page):
        steps.append((page[last : match.start()], match[1], match[2], match[3] or ""))
        last = match.end()
    return steps


def missing(expected: str, shown: str) -> list[str]:
    """Lines that are not on a screen, in order; `...` and the end of a line may be omitted."""
    lines = iter(shown.splitlines())
    results = [line for line in expected.splitlines() if line != "..."]
    return [result for result in results if not any(line.startswith(result) for line in lines)]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_commands_print_the_output_shown_on_a_page(
    path: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sticks = (ROOT / "docs/tutorials/game.md").read_text()
    (tmp_path / "sticks.py").write_text(next(text for _, kind, text, _ in steps(sticks) if kind == "python"))
    for before, kind, text, output in steps(path.read_text()):
        name = SAVED.search(before)
        if kind in ("python", "toml") and name:
            (tmp_path / name[1]).write_text(text)
        if kind != "sh" or not output:
            continue
        for line in text.splitlines():
            program, *words = shlex.split(line)
            target = words.index(">") if ">" in words else len(words)
            status, out, aside = run_printed(capsys, *words[:target])
            assert program == "gameplay" and status == FAILING.get(words[1], 0), (line, out, aside)
            if target < len(words):
                (tmp_path / words[-1]).write_text(out)
        assert not missing(output, out + aside), (line, out, aside)


def test_missing_lines_are_found_in_their_order() -> None:
    assert missing("a\n...\nb", "a 1\nx\nb") == []
    assert missing("b\na", "a\nb") == ["a"]


def test_every_page_is_in_the_contents_of_its_folder() -> None:
    """A page outside the contents is reachable by a link only; Sphinx refuses it, in CI."""
    for folder in ("tutorials", "how-to", "concepts", "teaching", "contributing"):
        index = (ROOT / "docs" / folder / "index.md").read_text()
        listed = [
            name for block in re.findall(r"```\{toctree\}\n(.*?)```", index, re.S) for name in block.split()
        ]
        pages = [page.stem for page in (ROOT / "docs" / folder).glob("*.md") if page.stem != "index"]
        assert len(pages) > 3 and not set(pages) - set(listed), folder
