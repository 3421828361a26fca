"""Commands and code in the README, the pages beside it and the help texts run or parse as shown."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from gameplay.cli import commands, load
from tests.support.paths import ROOT

SECTIONS = ("tutorials", "how-to", "concepts", "teaching", "contributing")
PATHS = [
    ROOT / "README.md",
    *(page for name in SECTIONS for page in sorted((ROOT / "docs" / name).glob("*.md"))),
]
PAGES = {page.relative_to(ROOT).as_posix(): page.read_text() for page in PATHS}


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a page in one language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGES[page], re.S)


PYTHON = blocks("README.md", "python")
TEMPLATE = blocks("docs/how-to/write-an-engine.md", "python")[0]
PROGRAMS = {"play": "play", "selfplay": "selfplay", "gameplay": ""}


def examples() -> list[tuple[str, str]]:
    """Every command shown on a page or in a help text, with its place."""
    results = [
        (line.partition("  #")[0].strip(), page)
        for page in PAGES
        for block in blocks(page, "sh")
        for line in re.sub(r"\\\n\s*", "", block).splitlines()
    ]
    for name in commands():
        text = load(name).callback.__doc__ or ""
        results += [(line.strip().partition("  ")[0], f"{name} --help") for line in text.splitlines()]
    return [(line, where) for line, where in results if line.split(" ")[0] in PROGRAMS and line != "play"]


def gameplay(*words: str, folder: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gameplay", *words],
        input=text,
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"GAMEPLAY_HOME": str(folder)},
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sticks.py").write_text(PYTHON[0])
    return tmp_path


def test_the_game_is_short() -> None:
    assert len(PYTHON[0].splitlines()) < 30


@pytest.mark.once
def test_the_game_plays(folder: Path) -> None:
    played = gameplay(
        "play", "./sticks.py", "--engine", "alphabeta", "--plain", folder=folder, text="3\n2\n1\n" * 20
    )
    assert played.returncode == 0, played.stderr
    watched = gameplay(
        "play", "./sticks.py:Sticks:sticks=12", "--players", "iterative,random", "--plain", folder=folder
    )
    assert watched.returncode == 0, watched.stderr
    checked = gameplay("check", "./sticks.py", folder=folder)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_engine_is_the_template_and_plays(folder: Path) -> None:
    assert gameplay("engines", "--template", folder=folder).stdout == TEMPLATE
    (folder / "mine.py").write_text(TEMPLATE)
    specs = "./mine.py:plies=2,random"
    watched = gameplay("play", "connect4", "--players", specs, "--plain", folder=folder)
    assert watched.returncode == 0 and "depth 2, " in watched.stdout, watched.stderr


def test_the_evaluation_plays(folder: Path) -> None:
    (folder / "freedom.py").write_text(blocks("docs/how-to/write-an-evaluation.md", "python")[0])
    specs = "iterative:eval=./freedom.py,alphabeta:eval=./freedom.py"
    watched = gameplay("play", "connect4", "--players", specs, "--nodes", "300", "--plain", folder=folder)
    assert watched.returncode == 0, watched.stderr
    assert f"eval={folder}/freedom.py" in watched.stdout


def test_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(PYTHON[1], "README.md", "exec"), {})
    assert re.fullmatch(r"[1-7] -?\d+ \d+\n", capsys.readouterr().out)


@pytest.mark.once
@pytest.mark.parametrize("number", range(len(blocks("docs/how-to/python.md", "python"))))
def test_the_code_for_programs_runs(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(
        compile(blocks("docs/how-to/python.md", "python")[number], "python.md", "exec"), {"__name__": "page"}
    )
    assert capsys.readouterr().out


@pytest.mark.once
@pytest.mark.parametrize(("line", "where"), examples())
def test_every_command_shown_can_be_typed(
    line: str, where: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its options exist and their values are valid. (Its effect is tested elsewhere.)"""
    monkeypatch.chdir(folder)
    (folder / "mine.py").write_text(TEMPLATE)
    (folder / "configs").symlink_to(ROOT / "configs")
    program, *words = shlex.split(re.split(r" [>|#] ", line)[0])
    command = load(PROGRAMS[program] or words.pop(0))
    while isinstance(command, click.Group):
        if command.invoke_without_command and (not words or words[0].startswith("-")):
            break
        _, child, words = command.resolve_command(click.Context(command), words)
        assert child is not None, line
        command = child
    command.make_context(command.name, words)


@pytest.mark.parametrize("page", PAGES)
def test_every_link_has_a_target(page: str) -> None:
    """Links to generated reference pages are checked when these are written, by `make docs`."""
    folder = (ROOT / page).parent
    for link in re.findall(r"\]\(([^)#]+)", PAGES[page]):
        generated = re.fullmatch(r"\.\./reference/\w+/[\w/-]+\.md", link) is not None
        assert link.startswith("https://") or generated or (folder / link).exists(), link


@pytest.mark.parametrize(
    "page", ["ARCHITECTURE.md", *(page for page in PAGES if page.startswith("docs/contributing"))]
)
def test_every_file_named_in_the_developers_pages_exists(page: str) -> None:
    """By its path below the package or the checkout; a bare name is that of any file in the package."""
    package = ROOT / "gameplay"
    for name in re.findall(r"[\w/]+\.(?:py|pxd|toml)\b", (ROOT / page).read_text()):
        places = [package / name, ROOT / name] if "/" in name else [*package.rglob(name), ROOT / name]
        assert any(place.exists() for place in places), name
