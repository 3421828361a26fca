"""`gameplay measure`: counts compared with independent ones, theory, equal values, refusals."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from gameplay import Limit, registry
from gameplay.cli import load, router, run
from gameplay.cli.measure import measure
from gameplay.display.reports import measures, plot
from gameplay.display.theme import Theme
from gameplay.errors import BadInput, Usage
from gameplay.plural import plural
from gameplay.runs.openings import Opening
from gameplay.search.report import Report
from gameplay.suites import measuring
from gameplay.suites.measuring import Effort, Equality, Iteration, Theory
from gameplay.value import WIN
from tests.support.facts.text import check_width
from tests.support.golden import golden
from tests.support.paths import ROOT

pytestmark = pytest.mark.once


def measure_json(*words: str) -> dict[str, Any]:
    ran = CliRunner().invoke(
        load("measure"), (*words, "--json"), standalone_mode=False, catch_exceptions=False
    )
    assert ran.exception is None and not ran.return_value
    results: dict[str, Any] = json.loads(ran.stdout)
    return results


def leaves(position: Any, depth: int) -> tuple[int, int, int]:
    """Nodes, leaves and evaluations of the whole tree, counted by the rules."""
    if position.outcome() is not None:
        return 1, 1, 0
    if depth == 0:
        return 1, 1, 1
    total = [1, 0, 0]
    for move in position.moves():
        position.make(move)
        total = [a + b for a, b in zip(total, leaves(position, depth - 1), strict=True)]
        position.unmake()
    return total[0], total[1], total[2]


def test_predicted_nodes_of_minimax_and_other_engines() -> None:
    document = measure_json(
        "connect4", "--engines", "minimax,alphabeta,iterative", "--positions", "3", "--depth", "3"
    )
    places = document["positions"]
    assert len(places) == 3 and document["game"] == "connect4"
    game = registry.game("connect4")
    for level in document["levels"]:
        totals = [0, 0, 0]
        for place in places:
            counts = leaves(game.new(" ".join(place["moves"])), level["depth"])
            totals = [a + b for a, b in zip(totals, counts, strict=True)]
        first = level["engines"][0]
        assert [first["nodes"], first["leaves"], first["evaluations"]] == totals
        assert [effort["equal"] for effort in level["equal"]] == [True]
        for entry in level["engines"]:
            reports = [
                registry.engine(entry["spec"])[0].search(
                    game.new(" ".join(place["moves"])), Limit(depth=level["depth"])
                )
                for place in places
            ]
            assert entry["nodes"] == sum(report.nodes for report in reports)
            assert entry["hits"] == sum(report.hits for report in reports)
            assert entry["values"] == [report.value for report in reports]
    assert [level["depth"] for level in document["levels"]] == [1, 2, 3]


def test_the_leaves_of_alphabeta_in_the_trees_of_knuth_and_moore() -> None:
    for tree, count in (("best-ordered", 7), ("worst-ordered", 16)):
        file = str(ROOT / "gameplay" / "games" / "tree" / "files" / f"{tree}.toml")
        document = measure_json(file, "--position", "", "--engines", "alphabeta", "--depth", "4-4")
        assert document["levels"][0]["engines"][0]["leaves"] == count


def test_theory_is_that_of_knuth_and_moore() -> None:
    theory = Theory(4, 2.0, 4)
    assert (theory.full, theory.minimum, theory.random) == (16, 7, 8)
    theory = Theory(5, 3.0, 5)
    assert (theory.full, theory.minimum) == (243, 35)  # 27 + 9 - 1
    width = measuring.predict([registry.game("chess").new()], 3)
    assert width is not None and width.width == pytest.approx(8902 ** (1 / 3)) and width.counted == 3


def test_theory_is_omitted_for_chance_and_three_players() -> None:
    for game in ("pig", "connect4:players=3"):
        document = measure_json(game, "--positions", "1", "--depth", "2")
        assert all(level["theory"] is None for level in document["levels"])


def test_each_technique_is_switched_off_in_turn() -> None:
    assert measuring.ablations("iterative:table=1MB") == [
        "iterative:table=1MB",
        "iterative:order=killer+history,table=1MB",
        "iterative:order=hint+history,table=1MB",
        "iterative:order=hint+killer,table=1MB",
        "iterative:table=off",
        "iterative:table=1MB,aspiration=off",
        "iterative:table=1MB,pvs=off",
    ]
    assert measuring.ablations("alphabeta:order=killer") == ["alphabeta:order=killer", "alphabeta"]
    assert measuring.ablations("expectiminimax:prune=star2,table=1MB")[1:] == [
        "expectiminimax:table=1MB",
        "expectiminimax:prune=star2",
    ]
    document = measure_json(
        "tictactoe", "--ablate", "iterative:table=1MB", "--positions", "2", "--depth", "3-4"
    )
    assert all(effort["equal"] for level in document["levels"] for effort in level["equal"])


def test_measure_skips_and_reports_an_engine_that_takes_too_long() -> None:
    words = ("connect4", "--engines", "minimax,alphabeta", "--positions", "1", "--depth", "5")
    words += ("--nodes", "1500")
    document = measure_json(*words)
    assert [[engine["spec"] for engine in level["engines"]] for level in document["levels"]] == [
        *(["minimax", "alphabeta"], ["minimax", "alphabeta"], ["minimax", "alphabeta"]),
        *(["alphabeta"], ["alphabeta"]),
    ]
    ran = CliRunner().invoke(load("measure"), (*words, "--plain"), standalone_mode=False)
    assert "minimax is left out from there: 4 plies would take more than 1,500 nodes" in ran.stdout


def test_engines_that_differ_against_theory_end_with_a_status_of_their_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(spec: str, engine: Any, positions: Any, depth: int) -> Effort:
        values = tuple(float(number == 1 and spec == "alphabeta") for number in range(len(positions)))
        return Effort(spec, depth, nodes=10, values=values)

    monkeypatch.setattr(measuring, "_effort", wrong)
    words = ["measure", "tictactoe", "--engines", "minimax,alphabeta", "--positions", "2", "--depth", "1"]
    assert run(router, "gameplay", words) == 3
    assert "minimax and alphabeta differ in position 2, though by theory" in capsys.readouterr().out


def test_the_same_positions_come_from_a_file_and_a_chart_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    file.write_text("moves 4 4\nmoves 3 4\n")
    drawn = tmp_path / "nodes.svg"
    words = ("connect4", "--positions", str(file), "--engines", "alphabeta", "--depth", "3")
    document = measure_json(*words, "--svg", str(drawn))
    assert [place["moves"] for place in document["positions"]] == [["4", "4"], ["3", "4"]]
    chart = ElementTree.parse(drawn).getroot()
    assert "alphabeta" in chart.attrib["aria-label"]
    assert len(chart.findall("{http://www.w3.org/2000/svg}polyline")) == 3


def test_measure_samples_initial_chance_moves() -> None:
    document = measure_json("backgammon", "--positions", "2", "--engines", "expectiminimax", "--depth", "1")
    assert len(document["positions"]) == 2


def test_plot_marks_of_equal_values_are_adjacent() -> None:
    rows = plot.log_plot({"one": [(1, 10), (2, 1000)], "two": [(1, 10), (2, 10)]}, 40, unicode=False)
    assert rows.splitlines()[-4:] == ["        +---------", "         1       2", "a  one", "b  two"]
    assert "     10 |ab      b" in rows and "  1,000 |        a" in rows


def test_flat_and_narrow_curves_are_drawn() -> None:
    log = []
    for curves, width in (
        ({"one": [(1, 10), (2, 10)]}, 80),
        ({"one": [(1, 10), (2, 20)]}, 20),
        ({"one": [(3, 5)]}, 12),
        ({"one": [(1, 1), (12, 99_999)], "two": [(1, 1), (12, 100_001)]}, 30),
    ):
        picture = plot.log_plot(curves, width)
        log += [f"-- {width}", picture]
        check_width(picture.splitlines(), width)
        rows = [line.partition("│")[2] for line in picture.splitlines() if "│" in line]
        places = {place for row in rows for place, mark in enumerate(row) if mark in "ab"}
        depths = {depth for curve in curves.values() for depth, _ in curve}
        assert min(places) == 0 and len(depths) <= len(places) <= sum(map(len, curves.values()))
    log += [
        "-- bars",
        *plot.bar_lines([("a", 1), ("bb", 2.5), ("c", 0)], 30),
        *plot.bar_lines([("a", 0)], 9),
    ]
    golden("flat_plots", "\n".join(log) + "\n")


def test_measured_values_are_formatted_for_people() -> None:
    def value(payoff: float, unit: int) -> str:
        return measures.figures(Effort("a", 1, 1, values=(payoff,)), unit)["value"]

    assert [value(43, 100), value(-3, 1), value(WIN - 1, 100), value(1 - WIN, 1)] == [
        *("+0.43", "-3", "win in 1", "loss in 1")
    ]
    assert "value" not in measures.figures(Effort("a", 1, 1, values=(43, 7)), 100), "of several there is none"


def test_two_depths_are_a_curve_and_names_are_parted_at_no_hyphen() -> None:
    def level(depth: int) -> Iteration:
        effort = Effort("my-own-engine:with-a-long-name", depth, nodes=10**depth, values=(1.0,))
        equal = Equality(("my-own-engine:with-a-long-name", "b"), "mini-max", depth, ())
        return Iteration(depth, (effort,), None, (equal,))

    theme = Theme(colour=False, unicode=False, interactive=False)
    assert (
        measures.picture([level(1), level(2)], theme, 40).splitlines()[-1]
        == "a  my-own-engine:with-a-long-name"
    )
    assert measures.picture([level(1)], theme, 40) == ""
    lines = measures.level_table(level(1), 24).splitlines()
    assert lines[1:3] == ["my-own-engine:with-a-lon", "g-name"]
    assert any("my-own-engine:with-a-long-name" in line for line in lines), "longer than the line, and whole"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("chess --depth 3-1", "--depth is '3-1'; expected 1 to 99 plies"),
        ("chess --depth x", "--depth is 'x'; expected a number of plies or a range"),
        ("go --engines mcts", "mcts does not search by plies"),
        ("puzzle15", "no engine that searches by plies plays puzzle15"),
        ("hearts --depth 1", "no engine that searches by plies plays hearts"),
        ("holdem --nodes 100", "no engine that searches by plies plays holdem"),
        ("chess --engines ,", "--engines names no engine"),
        ("chess --engines alphabeta,alphabeta", "names alphabeta twice"),
        ("chess --engines alphabeta:depth=3", "leave the limit out"),
        ("chess --ablate minimax", "minimax has no technique that is on"),
        ("chess --ablate iterative --engines minimax", "Try: leave --engines out"),
        ("chess --positions 0", "--positions is 0; expected a number"),
        ("chess --positions none.txt", "there is no file none.txt"),
        ("chess --positions 2 --moves e4", "expected one of the two"),
        ("pig --engines minimax", "minimax cannot play this"),
    ],
)
def test_wrong_measure_arguments_are_refused(
    words: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(router, "gameplay", ["measure", *words.split()]) in (2, 6)
    assert complaint in capsys.readouterr().err


def test_depths_are_one_to_the_last_or_a_range() -> None:
    for text, depths in (
        ("6", range(1, 7)), ("1", range(1, 2)), ("4-6", range(4, 7)), ("5-5", range(5, 6)),
        ("99", range(1, 100)), ("1-99", range(1, 100)),
    ):  # fmt: skip
        assert measure._parse_depths(text) == depths
    for text in ("", "x", "-3", "3-", "3-x", "x-3", "2-3-4"):
        with pytest.raises(Usage) as refused:
            measure._parse_depths(text)
        assert str(refused.value) == (
            f"--depth is '{text}'; expected a number of plies or a range. Try: --depth 4-6"
        )
    for text in ("0", "0-3", "3-1", "100", "1-100"):
        with pytest.raises(Usage, match=f"--depth is '{text}'; expected 1 to 99 plies in ascending order"):
            measure._parse_depths(text)


def test_positions_are_drawn_read_or_made_of_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = registry.game("tictactoe")
    drawn: list[Any] = []
    monkeypatch.setattr(measure, "_random_positions", lambda *what: drawn.append(what[1:]) or [])
    for given, expected in (
        ((None, "x../.../...", None), Opening("x../.../...", ())),
        ((None, None, "a1,b2 c3"), Opening("", ("a1", "b2", "c3"))),
        ((None, "x../.../...", "b2"), Opening("x../.../...", ("b2",))),
        ((None, "", None), Opening("", ())),
    ):
        assert measure._select_positions(game, *given, 7) == [expected]
    for text in (None, "3"):
        assert measure._select_positions(game, text, None, None, 7) == []
    assert drawn == [(5, 7), (3, 7)]
    file = tmp_path / "some.txt"
    file.write_text("moves a1\nmoves a1 a2 b1 b2 c1\n")
    assert [position.moves for position in measure._select_positions(game, str(file), None, None, 7)] == [
        ("a1",)
    ]
    out, err = capsys.readouterr()
    assert (
        not out
        and err.startswith(f"{file}, line 2: ")
        and err.endswith(": left out\n")
        and err.count("\n") == 1
    )
    file.write_text("moves a1 a2 b1 b2 c1\n")
    with pytest.raises(BadInput, match="holds no position that can be searched"):
        measure._select_positions(game, str(file), None, None, 7)


def test_sampled_positions_have_a_player_to_move(capsys: pytest.CaptureFixture[str]) -> None:
    """Positions are two plies into a game with dice; in others they have as many plies as openings."""
    for spec, count in (("pig", 3), ("tictactoe", 4), ("backgammon", 2)):
        game = registry.game(spec)
        openings = measure._random_positions(game, count, 5)
        assert len(openings) == count and measure._random_positions(
            game, count, 5
        ) == openings != measure._random_positions(game, count, 6)
        for opening in openings:
            position = measure._position_after(game, opening)
            assert position.turn >= 0 and position.outcome() is None
            if spec == "tictactoe":
                assert len(opening.moves) == 2
            else:
                before = game.new()
                for word in opening.moves[:2]:
                    before.make(before.parse(word))
                assert len(opening.moves) == 2 + (before.turn < 0)
    assert capsys.readouterr() == ("", "")
    few = registry.game("tictactoe:width=1,height=3,line=3")
    assert len(measure._random_positions(few, 9, 1)) < 9
    output = capsys.readouterr().err
    assert (
        output == f"tictactoe: only {plural(len(measure._random_positions(few, 9, 1)), 'position')} found\n"
    )


def test_measure_lists_skipped_cases_below_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    efforts = [Effort("a", 1), Effort("b", 1)]
    levels = [Iteration(1, tuple(efforts), None, ()), Iteration(2, tuple(efforts[:1]), None, ())]
    measure._print_end(["a", "b"], levels, range(1, 4), 2000, "a picture")
    assert capsys.readouterr().out == (
        "a is left out from there: 3 plies would take more than 2,000 nodes a position (--nodes)\n"
        "b is left out from there: 2 plies would take more than 2,000 nodes a position (--nodes)\n"
        "\nnodes a position over depth\n\na picture\n"
    )
    measure._print_end(["a"], levels, range(1, 3), 2000, "")
    assert capsys.readouterr().out == ""
    position = registry.game("tictactoe").new()
    assert measure._parse_engines("minimax, alphabeta:order=killer", None, position) == [
        "minimax", "alphabeta:order=killer",
    ]  # fmt: skip
    assert measure._parse_engines(None, "alphabeta:order=killer", position) == [
        "alphabeta:order=killer",
        "alphabeta",
    ]
    assert measure._parse_engines(None, None, position) == measuring.default_engines(position)
    with pytest.raises(Usage, match="--engines names b twice"):
        measure._parse_engines("a,b,c,b,a", None, position)


def test_levels_are_printed_as_a_table_or_line_by_line() -> None:
    long = "alphabeta:order=hint+killer+history,table=off"
    levels = [
        Iteration(
            depth,
            (
                Effort("minimax", depth, 7**depth, 7**depth, 3, seconds=0.5, values=(1.0, 2.5)),
                Effort(long, depth, 4**depth, None, None, 200, 50, 40, 30, 0.25, (1.0, 2.5)),
            ),
            Theory(depth, 7.0, min(depth, 2)),
            (
                Equality(("minimax", long), "minimax", depth, ()),
                Equality(("minimax", long, "c"), "minimax", depth, (1, 3)),
                Equality(("a", "b", "c", "d", "e"), "minimax", depth, ()),
            ),
        )
        for depth in (1, 2, 8)
    ]
    iteration = Iteration(
        3,
        (Effort("mcts", 3, 0, 5, 6, 0, 0, 0, 0, 0.0, (-0.25,)), Effort("b", 3, 1_234_567, values=(3.0,))),
        None,
        (),
    )
    log = []
    wide = len(measures.level_table(levels[0], 200).splitlines()[0])
    for width in (wide, wide - 1, 34):
        log += [
            line
            for level in (*levels, iteration)
            for line in (f"-- {width} columns", measures.level_table(level, width))
        ]
    for width, unicode in ((120, True), (40, False)):
        theme = Theme(colour=False, unicode=unicode, interactive=False)
        log += [f"-- the picture, {width} columns", measures.picture(levels, theme, width)]
    assert measures.picture(levels[:1], theme, 80) == ""
    log += [json.dumps(row) for row in measures.document([levels[2], iteration])]
    golden("measures", "\n".join(log) + "\n")


# -- depth by depth -----------------------------------------------------------------------------------------


def levels(monkeypatch: pytest.MonkeyPatch, nodes: dict[str, list[int]], most: int) -> list[list[str]]:
    """The engines measured at each depth, if they take so many nodes for two positions."""

    first: list[tuple[str, int]] = []

    def effort(spec: str, engine: Any, positions: Any, depth: int) -> Effort:
        first.append((spec, depth))
        return Effort(spec, depth, nodes=nodes[spec][depth - 1], values=(0.0,) * len(positions))

    monkeypatch.setattr(measuring, "_effort", effort)
    monkeypatch.setattr(measuring, "predict", lambda positions, depth, before: None)
    positions = [registry.game("tictactoe").new() for _ in range(2)]
    log: list[str] = []
    results = list(measuring.measure(list(nodes), positions, range(1, 6), most, log.append))
    assert log == [f"{effort.spec}, depth {level.depth}" for level in results for effort in level.efforts]
    assert [level.depth for level in results] == list(range(1, len(results) + 1))
    assert first[: len(nodes)] == [(spec, 1) for spec in nodes], "memory is allocated before times are taken"
    return [[effort.spec for effort in level.efforts] for level in results]


def test_cost_of_the_next_depth_is_predicted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The factor of the last iteration is repeated, at least 2; initially it is the branching factor."""
    both = ["minimax", "alphabeta"]
    nodes = {"minimax": [20, 100, 600, 6000, 9], "alphabeta": [12, 12, 12, 12, 12]}
    alone = ["alphabeta"]
    assert levels(monkeypatch, nodes, 35) == [both], "nobody is left"
    assert levels(monkeypatch, nodes, 36) == levels(monkeypatch, nodes, 99) == [both, *[alone] * 4]
    for most, deepest in ((100, 2), (249, 2), (250, 3), (1799, 3), (1800, 4), (29_999, 4)):
        assert levels(monkeypatch, nodes, most) == [both] * deepest + [alone] * (5 - deepest)
    assert levels(monkeypatch, nodes, 30_000) == [both] * 5


def test_theory_counts_while_that_is_cheap() -> None:
    game = registry.game("tictactoe")
    positions = [game.new(), game.new("b2 a1")]
    first = measuring.predict(positions, 1)
    assert first is not None and (first.depth, first.width, first.counted) == (1, 8.0, 1)
    second = measuring.predict(positions, 2, first)
    assert second is not None and second.width == pytest.approx(((72 + 42) / 2) ** 0.5)
    assert (second.depth, second.counted) == (2, 2)
    large = Theory(6, 40.0, 6)
    assert measuring.predict(positions, 7, large) == Theory(7, 40.0, 6)
    over = [game.new("a1 b1 a2 b2 a3")]
    assert measuring.predict(over, 3) is None
    assert measuring.predict(over, 3, Theory(2, 1.5, 2)) == Theory(3, 1.5, 2)
    assert measuring.predict([registry.game("pig").new()], 1) is None
    assert measuring.predict([registry.game("nim:players=3").new()], 1) is None


def test_nodes_and_seconds_are_totalled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves are counted if every search was traced: single-threaded, and not too large."""
    game = registry.game("tictactoe")
    positions = [game.new(), game.new("b2 a1")]
    engine, _ = registry.engine("iterative")
    reports = [engine.search(position, Limit(depth=3)) for position in positions]
    effort = measuring._effort("iterative", engine, positions, 3)
    assert (effort.spec, effort.depth, effort.exact) == ("iterative", 3, True)
    for name in ("nodes", "probes", "hits", "cutoffs", "first_cutoffs"):
        assert getattr(effort, name) == sum(getattr(report, name) for report in reports) > 0
    assert effort.values == tuple(report.value for report in reports)
    assert effort.leaves and effort.evaluations and effort.seconds > 0
    for most, stopped in ((max(report.nodes for report in reports), True), (reports[0].nodes - 1, False)):
        monkeypatch.setattr(measuring, "MAX_TRACED", most)
        again = measuring._effort("iterative", engine, positions, 3)
        assert (again.leaves, again.evaluations) == (
            (effort.leaves, effort.evaluations) if stopped else (None, None)
        )


def test_engines_that_are_measured_where_none_is_named() -> None:
    """Those with the minimax value, else those for the number of players, else those that search by plies."""
    for game, names in (
        ("tictactoe", ["alphabeta", "iterative", "minimax"]),
        ("pig", ["expectiminimax"]),
        ("connect4:players=3", ["brs", "maxn", "paranoid"]),
    ):
        assert measuring.default_engines(registry.game(game).new()) == names


def test_limits_of_prediction_count_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = [registry.game("tictactoe").new() for _ in range(2)]
    for width, counted in ((3_000_000.0, 1), (3_000_001.0, 0)):
        prediction = measuring.predict(positions, 1, Theory(0, width, 0))
        assert prediction is not None and prediction.counted == counted

    class FakeSession:
        def __init__(self, engine: Any) -> None:
            pass

        def search(self, position: Any, limit: Limit, trace: Any = None) -> Report:
            if trace is not None:
                trace.leaves, trace.evaluations = 7, 5
            return Report(nodes=nodes, stopped=stopped, seconds=0.5)

    with monkeypatch.context() as patched:
        patched.setattr(measuring, "Session", FakeSession)
        engine, _ = registry.engine("alphabeta")
        stopped = "depth"
        for nodes, leaves in ((150_000, 14), (150_001, None)):
            effort = measuring._effort("alphabeta", engine, positions, 3)
            assert (effort.nodes, effort.leaves) == (2 * nodes, leaves)
        nodes = 9
        for threads, leaves in ((1, 14), (2, None)):
            several, _ = registry.engine(f"iterative:threads={threads}")
            assert measuring._effort("iterative", several, positions, 3).leaves == leaves
        stopped = "interrupted"
        with pytest.raises(KeyboardInterrupt):
            measuring._effort("alphabeta", engine, positions, 3)
    with pytest.raises(Usage, match="unknown evaluation 'nobodys'"):
        measuring._engine("minimax:eval=nobodys", positions[0])
    assert Effort("x", 1, seconds=1 / 3).as_dict()["seconds"] == 0.333333
    once = {"alphabeta": [2, 2, 2, 2, 2]}  # a node a position
    assert levels(monkeypatch, once, 2) == [["alphabeta"]] * 5, "twice as many at least the next time"
    assert levels(monkeypatch, once, 1) == [["alphabeta"]]
