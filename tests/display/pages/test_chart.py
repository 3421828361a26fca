"""Charts in SVG and in characters: every figure in its place."""

import math
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gameplay.display.pages import chart
from gameplay.display.reports import curve, plot
from gameplay.statistics.joint import PlayerRating
from gameplay.statistics.sprt import Verdict
from gameplay.suites.profiling import GamesPlayed, Profile
from tests.support.facts.text import check_width
from tests.support.golden import golden

pytestmark = pytest.mark.once

INF = math.inf
LONG = "alphabeta:depth=4,order=hint+killer+history,table=off & more"
NODES = {
    "minimax": [(1, 7.0), (2, 56.0), (3, 399.0), (4, 2750.0), (5, 18_654.0)],
    LONG: [(1, 7.0), (2, 21.0), (3, 130.0), (4, 301.5), (5, 2100.0)],
    "b^d": [(3, 343.0), (4, 2401.0), (5, 16_807.0)],
    "d": [(2, 9.0), (5, 90.0)],
    "e": [(1, 3.0), (5, 1000.0)],
}


def games_of(*lengths: int, wide: tuple[tuple[int, int], ...] = ()) -> GamesPlayed:
    return GamesPlayed(Counter(lengths), [0.5] * len(lengths), moves_by_ply=[list(number) for number in wide])


def test_charts_are_drawn_figure_by_figure() -> None:
    players = [
        PlayerRating("iterative", 120.4, 60.0, 190.5, 12, 20),
        PlayerRating(LONG, -35.0, -80.0, 10.0, 9.5, 20),
        PlayerRating("perfect", None, 150.0, INF, 20, 20),
        PlayerRating("random", None, -INF, -210.0, 0, 20),
        PlayerRating("nobody", None, -INF, INF, 0, 0),
    ]
    test = Verdict(2.1, -2.25, 2.89, None, "pentanomial", 0.0, 5.0)
    beyond = Verdict(3.2, -2.94, 2.94, "H1", "pentanomial", 0.0, 5.0)
    walk = [(0, 0.0), (2, -0.5), (400, 1.2), (1204, 2.1)]
    shares = {
        "4 plies": [(1, 0.52), (10, 0.4), (100, 0.125), (1000, 0.0)],
        "8 plies": [(10, 0.45), (100, 0.3)],
    }
    learnt = {
        "cfr": [(0, 0.9), (1, 0.5), (10, 0.06), (100, 0.0071), (1000, 0.0)],
        "cfr+": [(1, 0.4), (10, 0.02), (100, 0.000_31)],
        "fixed": [(0, 0.25)],
    }
    profile = Profile("nim & more", 1, 2, games_of(3, 5, 5, 8, wide=((7, 1), (13, 2), (0, 0), (2, 1))))
    both = Profile(
        "go", 1, 2, profile.random, engine="mcts", matches=games_of(*range(20, 90, 3), wide=((3, 1), (9, 1)))
    )
    drawn = {
        "ratings": chart.rating_intervals(players, "0 is the average"),
        "ratings of one": chart.rating_intervals(players[1:2], "relative to b"),
        "ratings of nobody": chart.rating_intervals(players[4:], "0 is the average"),
        "course": chart.sprt_course(walk, test),
        "course beyond": chart.sprt_course([(0, 0.0), (2, 0.1), (4, 3.2)], beyond),
        "course at its start": chart.sprt_course([(0, 0.0)], test),
        "errors": chart.error_curves(shares),
        "errors at one count": chart.error_curves({"rare": [(50, 0.01)]}),
        "growth": chart.growth_curves(NODES, "Nodes by depth", ("b^d",)),
        "growth at one depth": chart.growth_curves({"a": [(3, 5.0)]}, "Nodes"),
        "falling": chart.exploitability_curves(learnt),
        "falling from nothing": chart.exploitability_curves({"a": [(0, 0.0)], "b": [(3, 0.0)]}),
        "lengths": chart.length_histogram({3: 2, 5: 7, 6: 1}),
        "lengths of many": chart.length_histogram({length: length % 7 + 1 for length in range(10, 130)}),
        "lengths of one": chart.length_histogram({9: 40}),
        "widths": chart.branching_curves(
            {"random <games>": [7.0, 6.5, 0, 12.25], "a": [1], "b": [2, 3], "c": [1, 4]}
        ),
        "widths of two plies": chart.branching_curves({"a": [3, 5]}),
        "widths of one ply": chart.branching_curves({"a": [0.5]}),
        "profile": chart.profile_charts(profile),
        "profile with matches": chart.profile_charts(both),
    }
    for name, svg in drawn.items():
        ElementTree.fromstring(svg)  # well-formed
        numbers = [
            float(number) for number in re.findall(r'\b(?:x|y|width|height|[xy][12])="(-?[\d.]+)"', svg)
        ]
        wide, tall = (float(number) for number in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)[0])
        assert all(-1 <= number <= max(wide, tall) + 1 for number in numbers), f"{name}: within the picture"
    assert len(re.findall(r"[\d.]+,[\d.]+", drawn["growth at one depth"].partition("<polyline")[2])) <= 1
    golden("charts", "".join(f"-- {name}\n{svg}\n" for name, svg in drawn.items()))


def test_a_standalone_chart_has_a_namespace_and_a_style(tmp_path: Path) -> None:
    drawn = chart.length_histogram({9: 40})
    file = tmp_path / "a.svg"
    chart.write_svg(file, drawn)
    head, _, rest = drawn.partition(">")
    assert file.read_text() == f'{head} xmlns="http://www.w3.org/2000/svg">{chart.STANDALONE_STYLE}{rest}\n'
    with pytest.raises(IsADirectoryError):
        chart.write_svg(tmp_path, drawn)


@pytest.mark.parametrize(
    ("low", "high", "count", "marks"),
    [
        (0, 10, 5, [0, 2, 4, 6, 8, 10]),
        (0, 11, 5, [0, 5, 10]),
        (0, 25, 5, [0, 5, 10, 15, 20, 25]),
        (-130, 120, 5, [-100, -50, 0, 50, 100]),
        (0.31, 0.62, 3, [0.4, 0.6]),
        (1, 1, 5, [1]),
        (0, 3, 3, [0, 1, 2, 3]),
    ],
)
def test_marks_are_round_numbers_between_the_ends(
    low: float, high: float, count: int, marks: list[float]
) -> None:
    assert chart.ticks(low, high, count) == pytest.approx(marks)


def test_curves_and_bars_in_characters() -> None:
    points = [0.5, 0.6, None, 0.75, 1.0, 0.9, 0.3, None, 0.0, 0.125]
    log = []
    for width, unicode in ((78, True), (30, False), (12, True)):
        log += [f"-- growth, {width} columns", plot.log_plot(NODES, width, unicode)]
        axes = [line for line in log[-1].splitlines() if "│" in line or "|" in line]
        check_width(axes, max(width, 20))
    small = {"a": [(9, 0.02), (12, 0.5)], "b": [(10, 0.02), (12, 0.5)]}
    log += [
        "-- growth of small figures",
        plot.log_plot(small, 40),
        "-- at one place",
        plot.log_plot({"a": [(3, 5.0)]}, 40),
    ]
    for width, unicode in ((60, True), (20, False)):
        rows = [("iterative", 1200.0), ("mcts", 30.0), ("none", 0.0), ("most", 4321.0)]
        drawn = plot.bar_lines(rows, width, unicode)
        check_width(drawn, max(width, 28))  # a bar has 8 columns at least
        lengths = [sum(not mark.isalnum() and mark not in " .,-" for mark in line) for line in drawn]
        assert sorted(lengths) == [lengths[2], lengths[1], lengths[0], lengths[3]], "0, 30, 1200, 4321"
        log += [f"-- bars, {width} columns", *drawn]
        log += plot.bar_lines([(name, figure / 1000) for name, figure in rows], width, unicode)
    log += plot.bar_lines([("none", 0)], 30)
    for width, height, unicode in ((60, 6, True), (60, 6, False), (16, 4, True), (9, 2, True)):
        log += [f"-- curve, {width} columns, {height} lines"]
        picture = curve.draw_curve(points, ("white", "a name of black"), width, height, unicode)
        check_width(picture, max(width, 16))
        assert unicode or "\n".join(picture).isascii()
        log += picture
    log += ["-- curve of nothing", *curve.draw_curve([], ("x", "o"), 20)]
    golden("plots", "\n".join(log) + "\n")
