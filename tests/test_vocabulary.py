"""Texts use the terms of the field: listed literal translations are absent from code, help and docs."""

import ast
import re

import pytest

from tests.support.files import find_files
from tests.support.paths import ROOT, TESTS

pytestmark = pytest.mark.once

FOLDERS = ("gameplay", "docs", "configs")
SUFFIXES = {".py", ".pxd", ".toml", ".md", ".js", ".css", ".txt", ".tsv"}
FORBIDDEN = re.compile(
    r"\b(tell|tells|told|somebody|nobody|whoever|everybody|anybody)(?=\b|')"
    r"|\b(by lot|hides (some|no)thing|who (both )?see everything|takes in passing)\b"
    r"|\b(throws?|thrown) (the )?(dice|die)\b",
    re.IGNORECASE,
)
ALLOWED = {  # the method of a file
    "gameplay/knowledge/books/first_plies.py": ["file.tell()"],
    "gameplay/learning/run.py": ["file.tell()"],
}
LIMITS: dict[str, int] = {}  # lines that are still to be rewritten, by folder


def test_texts_use_the_terms_of_the_field() -> None:
    left: dict[str, list[str]] = {}
    paths = [*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))]
    for path in sorted(paths):
        if path.suffix not in SUFFIXES or path.name == "CHANGELOG.md" or path.name.endswith(".min.js"):
            continue
        name = path.relative_to(ROOT).as_posix()
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if FORBIDDEN.search(line) and not any(allowed in line for allowed in ALLOWED.get(name, ())):
                folder = "/".join(name.split("/")[:2])
                left.setdefault(folder, []).append(f"{name}:{number}: {line.strip()}")
    over = {folder: lines for folder, lines in left.items() if len(lines) > LIMITS.get(folder, 0)}
    assert not over, "\n".join(line for lines in over.values() for line in lines[:20])


def test_names_and_docstrings_of_tests_use_the_terms_of_the_field() -> None:
    """Test names state unit and behaviour."""
    wrong = []
    for path in find_files(TESTS, "**/*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            texts = []
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                texts.append(node.name.replace("_", " "))
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                texts.append(ast.get_docstring(node) or "")
            name = getattr(node, "name", "module")
            wrong += [
                f"{path.relative_to(ROOT)}: {name}"
                for text in texts
                if FORBIDDEN.search(text) or re.search(r"\bkept\b", text)
            ]
    assert not wrong, "\n".join(wrong)


def test_docstrings_are_statements() -> None:
    """A function says what it returns: "True if ...", not a question."""
    folders = ("gameplay", "benchmarks", "release", "web")
    wrong = [
        f"{path.relative_to(ROOT)}: {text}"
        for folder in folders
        for path in find_files(ROOT / folder, "**/*.py")
        for text in re.findall(r'"""([^"\n]*\?)(?:"""|\n)', path.read_text())
    ]
    assert not wrong, "\n".join(wrong)
