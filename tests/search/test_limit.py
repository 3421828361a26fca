"""Limits of an engine with a fixed depth: one search to a depth, else the deepest that fits, never none."""

import math
import re
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from gameplay import CHANCE, Limit, Position, registry
from gameplay.api.games import limits
from gameplay.errors import Usage
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.search.limit import affordable_depth
from gameplay.search.report import Report
from gameplay.search.session import Session
from gameplay.value import ENDLESS as PLAYOUT
from gameplay.value import MAX_PLY
from tests.support.paths import TESTS
from tests.support.searches import search_limited

PIG = str(TESTS / "examples" / "games" / "pig.py")
FIXED = ["minimax", "alphabeta", "alphabeta:order=killer+history,table=1MB", "expectiminimax"]


ENDLESS = ["iterative", "iterative:mtdf=on", "quiescence", "selective", "pns", "perfect"]


@pytest.mark.parametrize("nodes", [1, 7, 30, 500])
@pytest.mark.parametrize(
    ("game", "specs"),
    [
        ("chess", [*FIXED, *ENDLESS, "mcts", "maxn", "paranoid", "brs"]),
        ("backgammon", ["expectiminimax", "expectiminimax:prune=star2", "maxn", "paranoid", "brs", "mcts"]),
        ("hearts", ["pimc", "pimc:by=rollout", "pimc:by=maxn", "ismcts"]),
        ("holdem", ["miximax"]),
        ("leduc", ["pimc", "pimc:by=rollout", "cfr", "cfr:variant=outcome", "ismcts"]),
        (PIG, ["expectiminimax", "mcts"]),
        ("puzzle15:rows=3,columns=3", ["astar", "idastar", "dfid", "mcts"]),
        ("puzzle15", ["astar", "idastar", "dfid", "mcts"]),
        ("go", ["selective", "selective:threads=2", "iterative:threads=3", "mcts:threads=2"]),
    ],
)
def test_nodes_are_limited_by_all_engines(game: str, specs: list[str], nodes: int) -> None:
    """No search visits more nodes than its limit, or than the root and its moves if these are more."""
    position = registry.game(game).new()
    rng = Random(1)
    while position.turn == CHANCE:
        position.make(rng.choice(position.moves()))
    for spec in specs:
        report = search_limited(spec, position, nodes=nodes)
        assert report.nodes <= max(1.05 * nodes + 3, 2 + len(position.moves())), spec
        assert report.move in position.moves(), spec


@pytest.mark.parametrize("simulations", [1, 9, 25])
def test_rollouts_begin_no_deal_that_does_not_fit(simulations: int) -> None:
    position = registry.game("scrabble").new()
    rng = Random(1)
    while position.turn == CHANCE:
        position.make(rng.choice(position.moves()))
    racing = len(position.top_moves(10))
    assert racing > 1
    report = search_limited("rollout", position, simulations=simulations)
    assert report.visits == simulations - simulations % racing
    assert report.move in position.moves() and (report.bound == "expectation") == (simulations >= racing)


@pytest.mark.parametrize(
    ("game", "start"), [("puzzle15", ""), ("chess:automatic=off", "8/8/4k3/8/8/4K3/8/8 w - - 0 1")]
)
def test_playouts_without_an_end_are_cut_off(game: str, start: str) -> None:
    """Random moves solve no puzzle, and kings alone move without end."""
    report = search_limited("mcts:leaf=rollout", registry.game(game).new(start), simulations=3)
    assert report.visits == 3 and report.nodes <= 3 * (PLAYOUT + 3) and report.value == 0


@pytest.mark.parametrize("spec", FIXED)
@pytest.mark.parametrize("nodes", [1, 50, 700, 5000])
def test_a_limit_of_nodes_gives_the_deepest_finished_search(spec: str, nodes: int) -> None:
    position = registry.game("connect4").new("44")
    report = search_limited(spec, position, nodes=nodes)
    whole = search_limited(spec, position, depth=report.depth)
    assert report.depth >= 1
    assert report.value == whole.value
    if "table" not in spec:  # another line of the same value may come first in the table
        assert (report.move, report.pv) == (whole.move, whole.pv)
    assert (report.bound, report.seldepth) == ("exact", whole.seldepth)
    assert report.ahead == report.depth + 1 and report.tried < report.choices == 7
    assert report.stopped == "nodes" and not report.unfinished


@pytest.mark.parametrize("spec", ["minimax", "alphabeta", "expectiminimax"])
def test_a_depth_alone_is_one_search(spec: str) -> None:
    position = registry.game("tictactoe").new("x.o/.x./...")
    each = [search_limited(spec, position, depth=depth).nodes for depth in (1, 2, 3)]
    assert each[0] == 1 + len(position.moves())
    both = search_limited(spec, position, depth=3, nodes=10**6)
    assert both.depth == 3 and both.nodes == sum(each) and both.stopped == "depth"


def test_no_time_at_all_is_enough_for_the_first_ply() -> None:
    for spec, game in (("minimax", "chess"), ("alphabeta", "othello"), ("expectiminimax", "connect4")):
        position = registry.game(game).new()
        report = search_limited(spec, position, seconds=1e-9)
        assert report.depth >= 1 and report.bound in ("exact", "expectation")


def test_deepening_stops_when_the_value_is_proven() -> None:
    position = registry.game("tictactoe").new("xo./.x./...")
    report = search_limited("alphabeta", position, nodes=10**6)
    assert report.stopped == "proven"
    assert report.value == search_limited("minimax", position, depth=9).value


@pytest.mark.parametrize("spec", [*FIXED, "maxn"])
def test_a_search_within_its_depth_is_proven_if_no_line_was_cut_off(spec: str) -> None:
    for name, depth in (("tree:lecture", 2), ("tictactoe", 9)):
        position = registry.game(name).new()
        for limit, stopped in ((depth - 1, "depth"), (depth, "proven"), (depth + 3, "proven")):
            report = search_limited(spec, position, depth=limit)
            assert (report.stopped, report.exact, report.depth) == (
                stopped,
                stopped == "proven",
                min(limit, depth),
            )
        assert report.candidates[0].proven


def test_entries_of_an_earlier_search_prove_nothing_beyond_its_depth() -> None:
    position = registry.game("tictactoe").new()
    for depth in (6, 9):
        session = Session(registry.engine("alphabeta:table=1MB")[0])
        first, second = (session.search(position, Limit(depth=depth), again=again) for again in (False, True))
        assert second.hits == second.probes > 0
        assert first.exact == second.exact == second.candidates[0].proven == (depth == 9)


def test_default_depth_depends_on_the_engine() -> None:
    """Exhaustive engines as deep as minimax; deeper with pruning, deepest with pruning for both sides."""
    position = registry.game("connect4").new()
    depths = {}
    for name in ("minimax", "maxn", "expectiminimax", "paranoid", "brs", "alphabeta"):
        limit = registry.engine(name)[0].default_limit(position, Limit())
        assert limit.depth is not None
        depths[name] = limit.depth
    full = depths["minimax"]
    assert 7**full <= 10**6 < 7 ** (full + 2), "some hundred thousand positions"
    assert depths["maxn"] == depths["expectiminimax"] == full
    assert full < depths["paranoid"] == depths["brs"] < depths["alphabeta"] < 2 * full


class Throws(Position):
    """Three moves, then a coin, without end or for a number of steps."""

    chance = True

    def __init__(self, steps: int = 1000) -> None:
        super().__init__()
        self.steps, self.made = steps, 0

    def moves(self) -> list[int]:
        return [0, 1] if self.turn == CHANCE else [0, 1, 2]

    def chances(self) -> list[float]:
        return [0.5, 0.5]

    def make(self, move: int) -> None:
        self.made += 1
        self.turn = CHANCE if self.made % 2 else self.made // 2 % 2

    def unmake(self) -> None:
        self.made -= 1
        self.turn = CHANCE if self.made % 2 else self.made // 2 % 2

    def outcome(self) -> tuple[int, int] | None:
        return (0, 0) if self.made == self.steps else None

    def key(self) -> int:
        return self.made


@pytest.mark.parametrize(
    ("nodes", "depth"), [(2, 1), (3, 1), (17, 1), (18, 2), (107, 2), (108, 3), (215, 3), (216, 3), (648, 4)]
)
def test_rolls_widen_the_tree_without_deepening_it(nodes: int, depth: int) -> None:
    """Each ply has 3 moves, 6 rolls, 18 moves, 36 rolls, 108 moves, 216 rolls, 648 moves."""
    position = Throws()
    assert affordable_depth(position, nodes) == depth and position.made == 0
    assert affordable_depth(Throws(steps=3), 18) == MAX_PLY > affordable_depth(Throws(steps=3), 17)


@pytest.mark.parametrize("spec", ["minimax", "alphabeta"])
def test_running_search_reports_progress_without_an_unknown_value(spec: str) -> None:
    position = registry.game("connect4").new("44")
    engine = registry.engine(spec)[0]
    opened: list[Any] = []
    reports: list[Report] = []
    engine.open = lambda *given: opened.append(type(engine).open(engine, *given)) or opened[0]

    def trace(event: Any) -> None:
        if event.ply == 1:
            reports.append(opened[0].report())

    last = Session(engine).search(position, Limit(depth=4), trace=trace)
    assert {report.bound for report in reports if not report.tried} == {"unknown"}
    assert {report.bound for report in reports if report.tried} == {"lower"}
    tried = [report.tried for report in reports]
    assert tried == sorted(tried) and set(tried) == set(range(7))
    assert {(report.depth, report.ahead, report.choices) for report in reports} == {(0, 4, 7)}
    assert all(report.unfinished for report in reports)
    assert (last.depth, last.ahead, last.bound) == (4, 0, "exact") and not last.unfinished


def test_stopped_fixed_depth_search_is_marked_unfinished() -> None:
    position = registry.game("connect4").new()
    report = registry.engine("minimax")[0].search(position, Limit(depth=40), lambda report: report.nodes > 1)
    assert report.unfinished and report.stopped == "interrupted" and report.bound in ("unknown", "lower")


@pytest.mark.once
def test_alphabeta_with_a_limit_of_nodes_never_loses_tictactoe_to_chance() -> None:
    game = registry.game("tictactoe")
    for number in range(40):
        players = [seats.player(spec, game, number, Limit(nodes=3000)) for spec in ("alphabeta", "random")]
        seat = number % 2
        match = Match(game, players[::-1] if seat else players, seed=number)
        match.play()
        assert match.payoffs is not None and match.payoffs[seat] >= 0, match.words()
        assert all(turn.report.depth for turn in match.turns if turn.player == seat and turn.report)


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "least", "most", "words"),
    [
        ("depth", 1, 255, "depth must be a whole number of plies from 1 to {:,}, not {}. Try: depth={}"),
        (
            "nodes",
            1,
            10**15,
            "nodes must be a whole number from 1 to {:,}, not {}. Try: nodes={}",
        ),
        (
            "simulations",
            1,
            10**15,
            "simulations must be a whole number from 1 to {:,}, not {}. Try: simulations={}",
        ),
        (
            "seconds",
            1e-9,
            10**15,
            "seconds must be a number of seconds over 0, up to {:,}, not {}. Try: seconds={}",
        ),
    ],
)
def test_a_limit_is_within_its_ends(name: str, least: float, most: int, words: str) -> None:
    for value in (least, most):
        limit = Limit(**{name: value})
        assert limit and getattr(limit, name) == value
    for value in (0, most + 1):
        with pytest.raises(Usage) as caught:
            Limit(**{name: value})
        assert str(caught.value) == words.format(most, value, most if value else 1)


@pytest.mark.once
def test_limit_within_another_takes_the_smaller_of_each() -> None:
    tight = Limit(3, 400, 5.0, simulations=7)
    loose = Limit(30, 4000, 50.0, simulations=70)
    assert (
        tight.within(loose) == loose.within(tight) == tight.within(Limit()) == Limit().within(tight) == tight
    )
    assert Limit(3, 4000).within(Limit(30, 400)) == Limit(3, 400)
    assert Limit(seconds=1.5).within(Limit(simulations=9)) == Limit(seconds=1.5, simulations=9)
    assert Limit(moves=(1,), multipv=2).within(Limit(moves=(2, 3), multipv=4)) == Limit(moves=(1,), multipv=4)
    assert Limit().within(Limit(moves=(2, 3))) == Limit(moves=(2, 3))
    assert not Limit().within(Limit())


@pytest.mark.once
def test_limits_are_described() -> None:
    assert str(Limit(multipv=3)) == "no limit" and not Limit(moves=(1,))
    assert str(Limit(depth=1, nodes=1, simulations=1, seconds=1.0)) == "depth 1, 1 node, 1 simulation, 1 s"
    assert str(Limit(nodes=2000, simulations=3000)) == "2,000 nodes, 3,000 simulations"
    assert Limit(depth=3, nodes=7).with_(depth=None) == Limit(nodes=7)


@pytest.mark.parametrize("name", ["depth", "nodes", "simulations", "multipv"])
@pytest.mark.parametrize("value", ["3", 2.0, 2.5, True, False, [1], math.nan, b"1"])
def test_limit_refuses_a_count_that_is_not_a_whole_number(name: str, value: Any) -> None:
    with pytest.raises(Usage, match=f"{name} must be a whole number .*, not {re.escape(repr(value))}"):
        Limit(**{name: value})


@pytest.mark.parametrize("value", ["3", True, [1], 1j])
def test_limit_refuses_seconds_that_are_no_number(value: Any) -> None:
    with pytest.raises(Usage, match=r"seconds must be a number of seconds over 0, .*, not "):
        Limit(seconds=value)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -1, 0])
def test_limit_refuses_seconds_out_of_range(value: float) -> None:
    with pytest.raises(Usage, match="seconds must be a number of seconds over 0"):
        Limit(seconds=value)


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf, "x"])
def test_arguments_of_another_name_are_named(value: Any) -> None:
    with pytest.raises(Usage, match=r"^time must be a number of seconds over 0"):
        limits(None, None, value, None)


def test_limit_takes_every_kind_of_number() -> None:
    class Three:
        def __index__(self) -> int:
            return 3

    limit: Any = Limit(depth=Three(), seconds=Fraction(1, 2), moves=[Three(), 1])
    assert (limit.depth, limit.seconds, limit.moves) == (3, 0.5, (3, 1))
    assert type(limit.depth) is int
    with pytest.raises(Usage, match="moves must be ints"):
        Limit(moves=("e4",))
    with pytest.raises(Usage, match="moves must be ints"):
        Limit(moves=3)
