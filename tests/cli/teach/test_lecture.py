"""`gameplay lecture`: tables and curves, also on narrow terminals."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay.cli import router, run
from gameplay.cli.teach import lecture
from gameplay.cli.teach.lecture import _print_parts as say
from gameplay.display.folding import fit_lines
from gameplay.lessons import (
    horizon,
    maxn,
    minimal,
    mtdf,
    schaeffer,
    uct,
)
from tests.support.golden import golden


def test_without_a_name_they_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["lecture"]) == 0
    output = capsys.readouterr().out
    for name in ("connect4", "alphabeta", "minimal", "horizon", "mtdf", "schaeffer", "pathology", "maxn"):
        assert f"\n  {name} " in output


@pytest.mark.once
def test_boards_keep_their_lines_and_prose_is_folded_below_its_indentation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rank = "8 r . . q . r k ."
    say(["\n".join([rank] * 8), "", "   " + "word " * 40])
    output = capsys.readouterr().out.splitlines()
    assert output[:9] == [rank] * 8 + [""]
    assert len(output) == 12 and all(line.startswith("   word") for line in output[9:])


@pytest.mark.once
def test_progress_is_shown_while_a_part_is_computed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    say(iter(["a table"]))
    out, err = capsys.readouterr()
    assert out == "a table\n" and err.startswith("\rcomputing ...\033[K\r\033[K")


# -- strategy fusion --------------------------------------------------------------------------------


@pytest.mark.once
def test_lecture_on_imperfect_information_prints_its_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["lecture", "secrets", "--trees", "5"]) == 0
    output = capsys.readouterr().out
    assert "wins 3 deals of 5; 4 can be won" in output and "66%" in output and "-0.083" in output
    assert max(map(len, output.splitlines())) <= 100
    golden("lecture_secrets", output)


SMALL = (
    (minimal, {"UNIFORM": ((2, 4), (3, 3)), "GAMES": (("tictactoe", 3), ("chess", 2))}),
    (horizon, {"REFERENCE": ("selective", 4)}),
    (mtdf, {"GAMES": (("connect4", 4),)}),
    (schaeffer, {"GAMES": (("checkers", 6, 1),)}),
    (maxn, {"DEPTH": 3, "BUDGET": 150}),
)
LECTURES = (
    "alphabeta",
    "connect4 --depth 4",
    "minimal",
    "horizon",
    "mtdf",
    "schaeffer",
    "maxn",
    "pathology --trees 30",
)


# -- output -----------------------------------------------------------------------------------------


@pytest.mark.once
def test_lecture_tables_show_counted_and_published_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module, sizes in SMALL:
        for name, value in sizes.items():
            monkeypatch.setattr(module, name, value)
    for words in LECTURES:
        assert run(router, "gameplay", ["lecture", *words.split()]) == 0
    golden("lectures", capsys.readouterr().out)


@pytest.mark.once
def test_uct_errors_are_printed_and_drawn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked, curves = [], uct.curves

    def few(trees: int) -> Any:
        asked.append(trees)
        return curves(3, (5, 4), 6)

    monkeypatch.setattr(uct, "curves", few)
    monkeypatch.setattr(uct, "chains", lambda: [uct.Chain(3, 16, 4), uct.Chain(8, None, 8192)])
    file = tmp_path / "a.svg"
    assert run(router, "gameplay", ["lecture", "uct"]) == 0
    output = capsys.readouterr().out
    assert run(router, "gameplay", ["lecture", "uct", "--trees", "5", "--svg", str(file)]) == 0
    assert capsys.readouterr().out == output and asked == [20, 5]
    golden("lecture_uct", output)
    assert file.read_text().count("<polyline") == 2 and ">4 plies</text>" in file.read_text()


@pytest.mark.once
def test_the_bars_of_errors_are_thirty_wide() -> None:
    curve = uct.Curve(3, 4, ((4, 1.0), (1024, 0.5)), 1234.5)
    assert uct.curve_chart(curve).splitlines() == [
        "P-games of 3 plies, 4 trees: wrong moves of UCT by simulations",
        "       4   100%  " + 30 * "#",
        "   1,024    50%  " + 15 * "#",
        "alpha-beta makes no error and visits 1,234 positions on average",
    ]


TABLE = """\
depth         minimax        left by alpha-beta
           lecture  ours       lecture    ours
    1            8     8        100.0%  100.0%
    2           72    72        100.0%   40.3%"""


# -- narrow terminals -----------------------------------------------------------------------------


def test_a_table_is_folded_between_its_columns() -> None:
    assert list(fit_lines(TABLE.splitlines(), 80)) == TABLE.splitlines()
    assert "\n".join(fit_lines([*TABLE.splitlines(), "That is all there is to be said of it."], 34)) == (
        "depth         minimax\n"
        "           lecture  ours\n"
        "    1            8     8\n"
        "    2           72    72\n"
        "\n"
        "depth     left by alpha-beta\n"
        "            lecture    ours\n"
        "    1        100.0%  100.0%\n"
        "    2        100.0%   40.3%\n"
        "That is all there is to be said of\n"
        "it."
    )


def test_long_row_names_are_above_their_rows() -> None:
    rows = ["  alphabeta:order=hint+killer    1,217  3.36", "  iterative                        888  1.79"]
    assert list(fit_lines(rows, 36)) == [
        "  alphabeta:order=hint+killer",
        "    1,217  3.36",
        "  iterative",
        "      888  1.79",
    ]


def test_folded_tables_fit_and_keep_all_figures() -> None:
    pictures = ["   MAX -- left: MIN -- up:   MAX -- a: won in deals 1 2", "       |            `- down: MAX"]
    for width in (20, 30, 40, 60):
        for lines in (TABLE.splitlines(), pictures, ["one  line  of  many  words  " * 3]):
            results = list(fit_lines(lines, width))
            assert max(map(len, results)) <= width, (width, lines)
            words = " ".join(results).split()
            assert all(word in words for line in lines for word in line.split())


@pytest.mark.once
@pytest.mark.parametrize(
    ("words", "given"),
    [
        *((name, ()) for name in ("alphabeta", "horizon", "maxn", "minimal", "mtdf", "schaeffer")),
        ("tictactoe", ()),
        ("connect4", (7, "middle-first", "equal")), ("connect4 --depth 3", (3, "middle-first", "equal")),
        ("pathology", (200,)),
        ("pathology --trees 5", (5,)), ("secrets", (200,)), ("secrets --trees 7", (7,)),
    ],
)  # fmt: skip
def test_lecture_prints_part_by_part(
    words: str, given: tuple[int, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    requests: list[Any] = []
    lesson = f"gameplay.lessons.{words.split()[0]}"
    monkeypatch.setattr(
        f"{lesson}.lines", lambda *what: requests.append(what) or ["a part", "", "two\nlines"]
    )
    for wrong, status in (("", 0), ("it differs", 3)):
        if words == "alphabeta":
            exercises = [SimpleNamespace(differences=""), SimpleNamespace(differences=wrong)]
            monkeypatch.setattr(f"{lesson}.exercises", lambda exercises=exercises: exercises)
        result = run(router, "gameplay", ["lecture", *words.split()])
        assert result == (status if words == "alphabeta" else 0)
        assert capsys.readouterr().out == "a part\n\ntwo\nlines\n"
    assert requests == [given] * 2


@pytest.mark.once
def test_uct_lecture_draws_curves_on_request(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    requests: list[Any] = []
    curves = [SimpleNamespace(plies=plies, errors=[plies / 2]) for plies in (2, 4)]
    monkeypatch.setattr(uct, "curves", lambda trees: requests.append(trees) or iter(curves))
    monkeypatch.setattr(uct, "curve_chart", lambda curve: f"{curve.plies} plies")
    monkeypatch.setattr(uct, "chains", lambda: iter("ab"))
    monkeypatch.setattr(uct, "chain_table", lambda chains: f"chains {chains}")
    monkeypatch.setattr("gameplay.display.pages.chart.error_curves", lambda errors: str(errors))
    monkeypatch.setattr("gameplay.display.pages.chart.write_svg", lambda file, svg: file.write_text(svg))
    assert run(router, "gameplay", ["lecture", "uct"]) == 0
    out = capsys.readouterr().out
    assert out == "2 plies\n\n4 plies\n\nchains ['a', 'b']\n"
    svg = tmp_path / "x.svg"
    assert run(router, "gameplay", ["lecture", "uct", "--trees", "7", "--svg", str(svg)]) == 0
    assert requests == [20, 7] and svg.read_text() == "{'2 plies': [1.0], '4 plies': [2.0]}"


@pytest.mark.once
def test_parts_are_folded_where_the_terminal_is_narrow(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a wide terminal each line is printed as soon as it is computed."""
    log: list[Any] = []
    folding = "gameplay.display.folding.fit_lines"
    monkeypatch.setattr(folding, lambda lines, width: log.append(width) or iter(lines))
    for width, folds in ((99, 1), (100, 3), (101, 3)):
        monkeypatch.setattr(lecture, "columns", lambda wide, width=width: width)
        log.clear()
        lecture._print_parts(["a part", "two\nlines"])
        assert log == [width] * folds and capsys.readouterr().out == "a part\ntwo\nlines\n"
    seen: list[int] = []
    monkeypatch.setattr(lecture, "columns", lambda wide: seen.append(wide) or wide)
    lecture._print_parts([])
    assert seen == [100]
