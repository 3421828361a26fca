"""The reference of the site, docs/_ext/reference: it is complete, and texts mean what they mean elsewhere."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from gameplay import registry
from gameplay.cli import commands, load
from tests.support.paths import ROOT

pytestmark = pytest.mark.once


@pytest.fixture(autouse=True)
def extension(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_ext"))
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "reference"]:
        del sys.modules[name]


def test_every_command_has_a_page_with_all_of_its_options() -> None:
    from reference.commands import pages

    made = pages()
    assert set(made) == {*commands(), "index"}
    for name in ("play", "match", "completion"):
        command = load(name)
        flags = [
            flag for option in command.params if isinstance(option, click.Option) for flag in option.opts
        ]
        shown = [flag for flag in flags if flag.startswith("--") and flag != "--help"]
        assert all(flag in made[name] for flag in shown) and (name == "completion" or len(shown) > 10)
    assert "## gameplay run resume" in made["run"] and "## gameplay book build" in made["book"]
    assert "`141`" in made["match"] and "--help" not in made["match"]


def test_an_engine_has_a_page_with_each_option_its_values_and_sources() -> None:
    from reference.engines import _index, _page, explained

    facts = explained("iterative")
    page = _page(facts)
    assert all(f"\n`{name}`\n: " in page for name in registry.engine_class("iterative").options())
    assert (
        "- `killer`: Killer moves first" in page and "Source: Plaat" in page and "(default: `64MB`)" in page
    )
    assert "[`iterative`](iterative.md) | 2 |" in _index([facts])


def test_a_game_has_a_page_with_rules_parameters_and_a_position() -> None:
    from reference.games import _page

    page = _page("connect4")
    assert "| `columns` | `7` |" in page and "## Evaluations" in page and "\nAs text:\n" in page
    assert "| needed |" in _page("tree") and "## A position" not in _page("tree")


def test_every_public_name_is_in_the_page_of_the_library() -> None:
    from reference.library import pages

    import gameplay

    page = pages()["index"]
    assert all(f"\n## {name}\n" in page for name in gameplay.__all__)
    assert "{py:method} evaluate(position: Any) -> int" in page


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("a * b_c [d] `e*f`", "a \\* b\\_c \\[d\\] `e*f`"),
        ("one\ntwo\n\n- not a list", "one\ntwo\n\n\\- not a list"),
        ("Lines:\n\n    a  b\n\n      c\n\nand more", "Lines:\n\n```text\na  b\n\n  c\n```\n\nand more"),
    ],
)
def test_docstrings_become_markdown(text: str, markdown: str) -> None:
    from reference.markdown import paragraphs

    assert paragraphs(text) == markdown


def test_a_page_that_has_not_changed_is_not_written_again_and_old_ones_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import reference

    monkeypatch.setattr(reference, "FOLDERS", {"games": lambda: {"nim": "# nim\n"}})
    reference.write(tmp_path)
    page = tmp_path / "games" / "nim.md"
    written = page.stat().st_mtime_ns
    page.with_name("gone.md").write_text("")
    reference.write(tmp_path)
    assert [one.name for one in (tmp_path / "games").iterdir()] == ["nim.md"]
    assert page.read_text() == "# nim\n" and page.stat().st_mtime_ns == written
