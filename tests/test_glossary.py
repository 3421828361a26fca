"""The terms used by screens are all explained, each once, and docs/glossary.md contains them."""

import re
import runpy

import pytest

from gameplay import glossary, registry
from gameplay.cli import router, run
from gameplay.display.terminal import search_panel
from gameplay.errors import Usage
from gameplay.glossary import TERMS, definition, markdown
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.search.report import Candidate, Report
from tests.support.paths import ROOT

pytestmark = pytest.mark.once


def test_the_page_is_written_from_the_words() -> None:
    """Run `python -m gameplay.glossary > docs/glossary.md` after a change."""
    assert (ROOT / "docs" / "glossary.md").read_text() == markdown()


def test_the_module_writes_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(glossary.__file__, run_name="__main__")
    assert capsys.readouterr().out == markdown()


def test_every_label_of_the_panel_is_explained() -> None:
    match = Match(registry.game("connect4"), [EmptySeat(), EmptySeat()])
    full = {"depth": 3, "seldepth": 5, "nodes": 9, "probes": 2, "hits": 1, "cutoffs": 4, "branching": 2.0}
    reports = [
        Report(move=3, value=1, pv=(3,), seconds=1.0, **full),
        Report(move=3, value=1.5, bound="expectation", pv=(3,), visits=9, nodes=9, seconds=1.0),
        Report(move=3, candidates=(Candidate(3, pv=(3,)), Candidate(2, pv=(2,))), depth=1),
        Report(move=3, depth=2, nodes=9, star1_cuts=3, star2_cuts=12345, seconds=1.0),
    ]
    lines = [
        line
        for report in reports
        for line in search_panel.search_facts(match, report, 0, 100).plain.splitlines()
    ]
    labels = {line[:10].rstrip(" 12") for line in lines if not line.startswith(" ")}
    assert {
        "depth",
        "nodes",
        "value",
        "line",
        "visits",
        "TT",
        "beta cuts",
        "Star cuts",
        "branching",
    } == labels
    for label in labels:
        assert definition(label)


def test_the_options_of_the_engines_that_name_a_technique_are_explained() -> None:
    plain = {"seed", "threads", "plausible", "secondary", "checks", "c"}  # their own words say all
    for name in ("iterative", "selective"):
        for option in registry.engine_class(name).options().keys() - plain:
            assert definition(option)


def test_each_word_is_explained_once_in_two_sentences_at_most() -> None:
    called = [word.lower() for name, also, _ in TERMS for word in (name, *also)]
    assert len(called) == len(set(called))
    assert [name.lower() for name, _, _ in TERMS] == sorted(name.lower() for name, _, _ in TERMS)
    for name, _, text in TERMS:
        assert text.endswith(".") and len(re.findall(r"\.(?= [A-Z]|$|`)", text)) <= 2, name


@pytest.mark.parametrize("word", ["nps", "LMR", "lmr", "null move", "Monte Carlo tree search"])
def test_a_word_is_found_by_any_of_its_names(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["glossary", *word.split()]) == 0
    out = capsys.readouterr().out
    assert word.lower() in out.replace("\n", " ").lower() and max(map(len, out.splitlines())) <= 80


def test_all_words_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    import json

    assert run(router, "gameplay", ["glossary"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name, _, _ in TERMS) and max(map(len, out.splitlines())) <= 80
    assert run(router, "gameplay", ["glossary", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(TERMS)


def test_a_word_that_is_not_there_is_refused() -> None:
    with pytest.raises(Usage, match="unknown term 'nullmove'; did you mean 'null move'"):
        glossary.definition("nullmove")
    with pytest.raises(Usage, match="did you mean 'alpha'"):
        glossary.definition("alhpa")  # a synonym
