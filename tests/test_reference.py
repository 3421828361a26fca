"""The reference of the site, docs/_ext/reference: it is complete, and its texts match the program's."""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import click
import msgspec
import pytest

from gameplay import evaluation, registry, weights
from gameplay.cli import commands, load
from gameplay.cli.author.toml import KINDS
from gameplay.engines.cfr.strategy_file import Strategy
from gameplay.games.bridge import bidding
from gameplay.games.stratego import setups as stratego_setups
from gameplay.games.tree import game as tree
from gameplay.networks import weights as networks
from gameplay.ntuples import learned
from gameplay.ntuples import weights as ntuples
from gameplay.signatures import evaluation as signatures
from tests.support.commands import run_printed
from tests.support.files import find_files
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

    content = pages()
    assert set(content) == {*commands(), "index"}
    for name in ("play", "match", "completion"):
        command = load(name)
        flags = [
            flag for option in command.params if isinstance(option, click.Option) for flag in option.opts
        ]
        shown = [flag for flag in flags if flag.startswith("--") and flag != "--help"]
        assert all(flag in content[name] for flag in shown) and (name == "completion" or len(shown) > 10)
    assert "## gameplay run resume" in content["run"] and "## gameplay book build" in content["book"]
    assert "`141`" in content["match"] and "--help" not in content["match"]


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


def test_unchanged_pages_are_not_rewritten_and_old_ones_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import reference

    monkeypatch.setattr(reference, "FOLDERS", {"games": lambda: {"nim": "# nim\n"}})
    reference.write(tmp_path)
    page = tmp_path / "games" / "nim.md"
    written = page.stat().st_mtime_ns
    page.with_name("gone.md").write_text("")
    reference.write(tmp_path)
    assert [path.name for path in (tmp_path / "games").iterdir()] == ["nim.md"]
    assert page.read_text() == "# nim\n" and page.stat().st_mtime_ns == written


# -- TOML files --------------------------------------------------------------------------------------


def toml_page() -> str:
    from reference.toml_files import toml_files

    return toml_files()["index"]


def test_every_key_of_a_structure_is_in_the_page_of_toml_files_with_its_meaning() -> None:
    from reference.toml_files import STRUCTURES

    assert [kind.schema for kind in STRUCTURES] == ["settings", "theme", "plan", "regress", "assignment"]
    assert {kind.schema for kind in STRUCTURES} == set(KINDS)
    page = toml_page()
    _, *parts = re.split(r"(?m)^## ", page)
    sections = {title: text for title, _, text in (part.partition("\n") for part in parts)}
    for kind in STRUCTURES:
        structs = below(kind.struct)
        assert len(structs) > (kind.schema in ("plan", "regress", "assignment")) * 3
        for field in (field for struct in structs for field in msgspec.structs.fields(struct)):
            rows = re.findall(rf"(?m)^\| `{field.name}` \| (.+?) \| (.*?) \| (.*) \|$", sections[kind.title])
            assert rows and all(type_ and meaning for type_, _, meaning in rows), (kind.title, field.name)
    assert "| `depth` | integer, 1 to 255 |  | Search depth limit in plies, a move |" in page
    assert '| `form` | `gauntlet`, `knockout`, `match`, `round-robin`, `swiss` | `"match"` |' in page
    assert "| `alpha` | number, over 0, under 1 | `0.05` |" in page


def below(kind: Any) -> list[Any]:
    """A structure and all nested structures of its fields, directly or in lists."""
    if hasattr(kind, "__struct_fields__"):
        inner = [name for field in msgspec.structs.fields(kind) for name in below(field.type)]
        return list(dict.fromkeys([kind, *inner]))
    return [name for part in get_args(kind) for name in below(part)]


def test_keys_that_are_read_one_by_one_are_in_the_page_of_toml_files() -> None:
    page = toml_page()
    keys = [*weights.FIELDS, *weights.CONTENTS, *tree.HEAD, *tree.EXTRAS, *bidding.HEADS, *bidding.FIELDS]
    assert len(keys) > 25 and all(re.search(rf"(?m)^\| `{key}` \| \S", page) for key in keys)
    learned_keys = {*learned.FIELDS, *ntuples.FIELDS, *networks.FIELDS, *signatures.FIELDS}
    assert all(f"`{key}`" in page for key in learned_keys)


def test_the_examples_of_the_page_are_files_that_the_program_reads(tmp_path: Path) -> None:
    from reference.toml_files import MIXED, STRUCTURES, SYSTEM, example, setups

    for kind in STRUCTURES:
        data = tomllib.loads(example(kind))
        assert data and isinstance(msgspec.convert(data, kind.struct), kind.struct)
    for name, text in (("system", SYSTEM), ("setups", setups()), ("mixed", MIXED)):
        (tmp_path / f"{name}.toml").write_text(text)
    assert len(bidding.System(tmp_path / "system.toml").rules) == 3
    assert list(stratego_setups.read_setups("full", str(tmp_path / "setups.toml"))) == ["corner_two"]
    assert set(Strategy(str(tmp_path / "mixed.toml")).played) == {"first"}


def test_every_example_file_of_the_repository_is_valid(capsys: pytest.CaptureFixture[str]) -> None:
    folders = ("assignments", "regress", "tournaments")
    files = [file for folder in folders for file in find_files(ROOT / "configs" / folder, "**/*.toml")]
    trees = [file for file in files if file.parent.name == "tictactoe" and file.name != "assignment.toml"]
    checked = [file for file in files if file not in trees]
    assert len(checked) > 9 and len(trees) > 3
    status, out, _ = run_printed(capsys, "toml", "check", *checked)
    assert (status, out.splitlines()) == (0, [f"{file}: right" for file in checked])
    for file in [*trees, *find_files(ROOT / "gameplay/games/tree/files", "*.toml")]:
        assert registry.game(str(file)).new().moves(), file
    for file in find_files(ROOT / "configs/engines", "*.toml"):
        assert registry.engine(str(file))[0].name in registry.engine_names()
    for file in find_files(ROOT / "configs/evals", "*.toml"):
        game, _ = registry.game_class(tomllib.loads(file.read_text())["game"])
        assert evaluation.select_evaluation(str(file), game()).file
