"""Values as printed: in the game's unit, from the view of a named side."""

from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import registry
from gameplay import value as scale
from gameplay.display.terminal import panel
from gameplay.matches.match import Match
from gameplay.players import judge
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.interpreter import Interpreter
from gameplay.search.limit import Limit
from gameplay.search.report import Report

WIN = scale.WIN


@pytest.mark.parametrize(
    ("game", "value", "mover", "view", "exact", "bound", "words"),
    [
        ("chess", 35, 0, 0, False, "exact", "white +0.35 pawns"),
        ("chess", 35, 1, 0, False, "exact", "white -0.35 pawns"),
        ("chess", 35, 1, 1, False, "exact", "black +0.35 pawns"),
        ("chess", 120, 0, 0, False, "lower", "white >= +1.20 pawns"),
        ("chess", 120, 1, 0, False, "lower", "white <= -1.20 pawns"),
        ("chess", -120, 0, 1, False, "upper", "black >= +1.20 pawns"),
        ("chess", 0, 0, 0, True, "lower", "white >= 0.00 pawns"),
        ("othello", 400, 0, 0, True, "exact", "black +4 discs"),
        ("othello", 100, 1, 0, True, "exact", "black -1 disc"),
        ("othello", 150, 0, 0, False, "exact", "black +1.50 discs"),
        ("checkers", -100, 0, 0, False, "exact", "black -1.00 men"),
        ("connect4", 14, 0, 0, False, "exact", "blue +14 points"),
        ("connect4", 1, 0, 0, False, "exact", "blue +1 point"),
        ("connect4", 0, 0, 0, False, "exact", "level"),
        ("connect4", 0, 0, 0, True, "exact", "draw"),
        ("connect4", WIN - 7, 0, 1, True, "exact", "blue wins in 7 plies"),
        ("connect4", WIN - 1, 1, 0, True, "exact", "orange wins in 1 ply"),
        ("connect4", WIN - 7, 0, 0, False, "lower", "blue wins within 7 plies"),
        ("connect4", 7 - WIN, 0, 0, False, "upper", "orange wins within 7 plies"),
        ("connect4", WIN - 7, 0, 0, False, "upper", "blue wins in 7 plies at best"),
        ("connect4", scale.TB_WIN, 1, 0, False, "exact", "orange wins"),
        ("connect4", 0.36, 0, 0, False, "expectation", "blue 68 % expected score"),
        ("connect4", 0.36, 1, 0, False, "expectation", "blue 32 % expected score"),
        ("connect4", 1.0, 0, 0, False, "expectation", "blue 100 % expected score"),
        ("connect4", 1 + 1e-12, 0, 0, False, "expectation", "blue 100 % expected score"),
        ("connect4", 1.5, 0, 0, False, "expectation", "blue +1.50 points"),  # so it pays more than 1
        ("connect4", 0, 0, 0, False, "unknown", "not known yet"),
    ],
)
def test_a_value_in_full(
    game: str, value: float, mover: int, view: int, exact: bool, bound: str, words: str
) -> None:
    position = registry.game(game).new()
    assert scale.format_for_side(value, position, position.sides, mover, view, exact, bound) == words


def test_values_use_the_unit_of_a_neighbour_that_is_no_probability() -> None:
    position = registry.game("connect4").new()
    assert scale.format_score(0.6, position, bound="expectation", largest=1.0) == "80 %"
    assert scale.format_score(0.6, position, bound="expectation", largest=1.5) == "+0.60"
    assert scale.unit_name(position, "expectation", 1.5) == "points"


@pytest.mark.parametrize(
    ("specs", "view"),
    [(["human", "iterative"], 0), (["iterative", "human"], 1), (["human", "human"], 0), (["a", "b"], 0)],
)
def test_values_are_from_the_side_of_the_only_human(specs: list[str], view: int) -> None:
    assert scale.viewing_seat(specs) == view


@pytest.fixture
def quick_judge(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """A judge limited by nodes instead of the clock, and whether each search continued the previous one."""
    results: list[bool] = []
    search = judge.Session.search

    def search_nodes(self: Any, position: Any, limit: Limit, watch: Any = None, again: bool = False) -> Any:
        results.append(again)
        nodes = 1000 * len(results)
        return search(self, position, limit.with_(seconds=None, nodes=nodes), again=again)

    monkeypatch.setattr(judge.Session, "search", search_nodes)
    return results


def test_value_of_a_position_does_not_depend_on_the_viewer(quick_judge: list[bool]) -> None:
    match = Match(registry.game("othello"), [EmptySeat(), EmptySeat()], moves=["d3"]).view(1)
    interpreter = Interpreter()
    interpreter.execute("hint", match)
    first = interpreter.execute("eval", match).text
    assert interpreter.execute("eval", match).text == first
    assert quick_judge == [False]  # three questions, one search
    assert "black " in first and " discs (searched " in first and "; static evaluation: black " in first

    reply = interpreter.execute("hint", match).text.splitlines()
    assert quick_judge == [False, True]  # it went on
    depth = int(first.partition("searched ")[2].split()[0])
    assert "in discs for black" in reply[0] and len(reply) == 4
    assert int(reply[0].partition("searched ")[2].split()[0]) >= depth
    best = reply[1].split()[1]
    reply = interpreter.execute("hint", match).text.splitlines()
    assert reply[0].startswith("best line: ")
    known = interpreter.judge.last_report
    assert known is not None
    eval_ = interpreter.execute("eval", match).text
    assert eval_.partition(" (")[0] in reply[0]
    assert best == scale.format_score(-known.candidates[0].value, match.position) or len(quick_judge) == 3


def test_deeper_request_reports_total_work(monkeypatch: pytest.MonkeyPatch) -> None:
    reports: list[Report] = []

    def search(self: Any, *given: Any, **named: Any) -> Report:
        depth = (6, 4, 9)[len(reports)]
        reports.append(
            Report(depth=depth, value=depth, move=19, nodes=10 ** len(reports), seconds=2 ** len(reports))
        )
        return reports[-1]

    monkeypatch.setattr(judge.Session, "search", search)
    match = Match(registry.game("othello"), [EmptySeat(), EmptySeat()]).view(0)
    wise = judge.Judge()
    expected = [(6, 6, 1, 1), (6, 6, 11, 3), (9, 9, 111, 7)]  # shallower values are not reported
    for depth, value, nodes, seconds in expected:
        known = wise.report(match, deeper=True)
        assert (known.depth, known.value, known.nodes, known.seconds) == (depth, value, nodes, seconds)
    assert wise.report(match) == known and len(reports) == 3


def test_how_long_and_how_wide_a_judge_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """One second, all moves equally; for a puzzle ten seconds, for its path."""
    requests: list[tuple[Limit, Any, bool]] = []

    def search(self: Any, position: Any, limit: Limit, watch: Any, again: bool) -> Report:
        requests.append((limit, watch, again))
        return Report(move=position.moves()[0], stopped="proven" if position.players == 1 else "time")

    monkeypatch.setattr(judge.Session, "search", search)
    for game, limit in (
        ("othello", Limit(seconds=1.0, multipv=4)),
        ("puzzle15:rows=2,columns=2", Limit(seconds=10.0)),
    ):
        game_class = registry.game(game)
        match = Match(game_class, [EmptySeat()] * game_class.new().players).view(0)
        wise = judge.Judge()
        wise.watch = print
        assert wise.estimated_seconds(match) == limit.seconds
        first = wise.report(match, deeper=True)
        assert requests == [(limit, print, False)] and wise.estimated_seconds(match) == 0.0
        assert wise.report(match) is first and len(requests) == 1
        wise.report(match, deeper=True)
        assert requests[1:] == ([] if game.startswith("puzzle") else [(limit, print, True)])
        match.undo()
        assert wise.estimated_seconds(match, 1) == (0.0 if not match.turns else limit.seconds)
        requests.clear()


def test_another_position_starts_a_new_search(quick_judge: list[bool]) -> None:
    match = Match(registry.game("othello:size=6"), [EmptySeat(), EmptySeat()])
    interpreter = Interpreter()
    interpreter.execute("eval", match.view(0))
    match.make(judge_choice(match))
    interpreter.execute("eval", match.view(1))
    assert quick_judge == [False, False]


def judge_choice(match: Match) -> Any:
    from gameplay.players.player import Choice

    return Choice(match.moves()[0])


def test_proven_values_are_not_searched_again(quick_judge: list[bool]) -> None:
    match = Match(registry.game("tictactoe"), [EmptySeat(), EmptySeat()], moves=["b2", "a1", "c3", "a3"])
    interpreter = Interpreter()
    for _ in range(4):
        interpreter.execute("hint", match.view(0))
    assert quick_judge == [False]


def test_half_points_are_printed() -> None:
    """Two units a point: an estimate has hundredths, a known whole number none."""
    assert [scale.format_amount(value, 2) for value in (3, -3, 0, 4)] == ["+1.50", "-1.50", "0.00", "+2.00"]
    assert [scale.format_amount(value, 2, exact=True) for value in (3, 4, 0)] == ["+1.50", "+2", "0"]
    assert [scale.format_amount(value) for value in (3, -3, 0)] == ["+3", "-3", "0"]


@pytest.mark.parametrize(
    ("game", "value", "facts", "points"),
    [
        ("chess", scale.WIN - 9, {}, 1.0),
        ("chess", 9 - scale.WIN, {}, 0.0),
        ("chess", 0, {}, 0.5),
        ("chess", 300, {}, 0.75),
        ("chess", -600, {}, 0.1),  # odds of 3 once more
        ("chess", 1, {"exact": True}, 1.0),
        ("chess", -1, {"exact": True}, 0.0),
        ("chess", 0, {"exact": True}, 0.5),
        ("chess", 50, {"bound": "expectation"}, 0.75),
        ("chess", 101, {"bound": "expectation", "exact": True}, 1.0),
        ("chess", -101, {"bound": "expectation"}, 0.0),
        ("tictactoe", 45, {}, 0.75),
    ],
)
def test_meaning_of_a_value(game: str, value: float, facts: dict[str, Any], points: float) -> None:
    """Three units are odds of 3 to 1; a mean of results is printed unchanged, from -1 to 1."""
    assert scale.expected_score(value, registry.game(game).new(), **facts) == pytest.approx(points)
    assert scale.expected_score(-value, registry.game(game).new(), **facts) == pytest.approx(1 - points)


def test_the_scale_has_its_places() -> None:
    """255 plies of counted wins, as many of uncounted ones, and estimates below."""
    assert (scale.INF, WIN, scale.MAX_PLY) == (2_000_000, 1_000_000, 255)
    assert (scale.TB_WIN, scale.MAX_EVAL, scale.NEVER) == (999_744, 999_488, -1_000_000)
    for sign in (1, -1):
        assert not scale.is_win(sign * scale.MAX_EVAL) and scale.is_win(sign * (scale.MAX_EVAL + 1))
        assert not scale.is_counted(sign * scale.TB_WIN) and scale.is_counted(sign * (scale.TB_WIN + 1))
        assert scale.is_win(sign * WIN) and scale.is_counted(sign * WIN)
        assert not scale.is_win(sign * (WIN + 1)) and not scale.is_counted(sign * (WIN + 1)), "points"
        assert scale.plies(sign * (WIN - 3)) == 3
        assert scale.delay(sign * (WIN - 3)) == sign * (WIN - 4)
        assert scale.delay(sign * (WIN - 3), 2) == sign * (WIN - 5)
        assert scale.delay(sign * scale.MAX_EVAL) == sign * scale.MAX_EVAL
        assert scale.delay(sign * (scale.MAX_EVAL + 1)) == sign * scale.MAX_EVAL
    assert (scale.pov(5, 0, 0), scale.pov(5, 0, 1), scale.pov(5, 1, 1)) == (5, -5, 5)
    assert (scale.half_win(), scale.half_win(1), scale.half_win(2), scale.half_win(100)) == (30, 30, 4, 200)
    assert (scale.squash(30), scale.squash(-10), scale.squash(600, 100)) == (0.5, -0.25, 0.75)


@pytest.mark.parametrize(
    ("value", "unit", "exact", "message"),
    [
        (14, 1, False, "+14"), (0, 1, False, "0"), (-3, 1, True, "-3"),
        (35, 100, False, "+0.35"), (0, 100, False, "0.00"), (300, 100, True, "+3"), (0, 100, True, "0"),
        (1500, 999, False, "+1.50"), (1500, 1000, False, "+1.500"), (0, 1000, False, "0.000"),
        (2000, 1000, True, "+2"), (2500, 1000, True, "+2.500"),
        (0.004, 1, False, "0.00"), (-0.004, 1, False, "0.00"), (0.006, 1, True, "+0.01"),
        (0.5, 100, False, "+0.01"), (-1.0, 1000, False, "-0.001"), (0.4, 1000, False, "0.000"),
        (0.5, 1000, False, "+0.001"),
    ],
)  # fmt: skip
def test_amounts(value: float, unit: int, exact: bool, message: str) -> None:
    """Hundredths of the usual unit, or thousandths if it has a thousand parts; integers if known."""
    assert scale.format_amount(value, unit, exact) == message


def test_values_in_words() -> None:
    for value, exact, text in (
        (WIN - 3, True, "win in 3"), (2 - WIN, False, "loss in 2"), (scale.TB_WIN, False, "win"),
        (-scale.TB_WIN, True, "loss"), (0, True, "draw"), (0, False, "0"), (0.0, True, "0.00"),
        (5, True, "+5"),
    ):  # fmt: skip
        assert scale.format_value(value, exact) == text
    puzzle = registry.game("puzzle15").new()
    for value, bound, text in (
        (-52, "exact", "52 moves to the goal"), (-1, "exact", "1 move to the goal"),
        (-1234, "upper", "at least 1,234 moves to the goal"), (-2, "lower", "at most 2 moves to the goal"),
        (0, "exact", "0 moves to the goal"), (-52, "unknown", "not known yet"),
        (3 - WIN, "exact", "no path leads to the goal"),
    ):  # fmt: skip
        assert scale.format_goal_distance(value, puzzle, bound) == text
    facts = {"scored": False, "zero_sum": True, "players": 2, "unit": 100, "unit_names": ("pawn", "pawns")}
    shared = SimpleNamespace(**facts, drawless=False)
    for calibrated, value, facts, text, counted in (
        (False, 36.0, {"bound": "expectation"}, "68 %", "expected score"),
        (True, 36.0, {"bound": "expectation"}, "68.0 %", "expected score"),
        (True, -100.0, {"bound": "expectation"}, "0.0 %", "expected score"),
        (True, -101.0, {"bound": "expectation"}, "-1.01", "pawns"),
        (True, 36.0, {}, "+0.36", "pawns"),
        (True, 36, {"bound": "unknown"}, "?", "pawns"),
        (True, 300, {"bound": "lower", "exact": True}, ">= +3.00", "pawns"),
        (True, 300, {"bound": "upper"}, "<= +3.00", "pawns"),
        (True, WIN - 3, {"bound": "lower", "exact": True}, ">= win in 3", "pawns"),
    ):
        shared.calibrated = calibrated
        assert scale.format_score(value, shared, **facts) == text
        assert scale.unit_name(shared, facts.get("bound", "exact"), value) == counted


@pytest.mark.parametrize(
    ("spec", "drawless"),
    [("go", True), ("go:komi=7", False), ("go:handicap=2", True), ("backgammon:match=3", True), ("nim", True),
     ("pig", True), ("chess", False), ("tictactoe", False)],
)  # fmt: skip
def test_an_expected_result_is_a_win_rate_in_games_without_draws(spec: str, drawless: bool) -> None:
    position = registry.game(spec).new()
    assert position.drawless is drawless
    counted = scale.unit_name(position, "expectation", 0.22 * position.unit)
    assert counted == ("win rate" if drawless else "expected score")
    assert scale.format_score(0.22 * position.unit, position, bound="expectation").startswith("61")


def test_payoffs_have_two_digits_at_most() -> None:
    texts = {
        -22 / 3: "-7.33",
        1_000_000: "1000000",
        -26: "-26",
        0.5: "0.5",
        0.1: "0.1",
        -0.001: "0",
        200.0: "200",
    }
    assert {payoff: scale.format_payoff(payoff) for payoff in texts} == texts
    game = registry.game("scrabble:players=3")
    match = Match(game, [EmptySeat(), EmptySeat(), EmptySeat()])
    match.payoffs, match.reason = (-22 / 3, 11 / 3, 11 / 3), "rules"
    assert panel.describe_result(match) == "the game is over: player 1 -7.33, player 2 3.67, player 3 3.67"
