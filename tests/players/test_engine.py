"""A player with an engine: its searches, moves without a search, and resignation."""

import gc
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from gameplay import Limit, Report, registry
from gameplay.errors import Usage
from gameplay.knowledge.knowledge import Advice
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.engine import EnginePlayer
from gameplay.players.player import Choice, Player, Turn
from gameplay.search import session
from gameplay.search.engine import Engine
from gameplay.search.table import spares
from gameplay.value import WIN

pytestmark = pytest.mark.once


@dataclass
class FirstMove(Engine):
    """Plays the first legal move, and reports what the test prescribes."""

    name = "scripted"
    players = range(1, 9)
    general_sum = hidden = chance = True
    thinks = False
    seed: int = 0

    def at_once(self, position: Any, limit: Limit) -> Report:
        asked.append((limit, self.seed))
        moves = limit.moves or tuple(position.moves())
        return Report(move=moves[0], pv=(moves[0],), value=numbers.pop(0) if numbers else 0, nodes=7)

    def resign_in(self, position: Any, machine: bool) -> float:
        return 0.25 if machine else 0.1


asked: list[tuple[Limit, int]] = []
numbers: list[float] = []


@pytest.fixture(autouse=True)
def nothing_yet() -> None:
    asked.clear()
    numbers.clear()


def player(engine: Any = None, **facts: Any) -> EnginePlayer:
    engine_player = EnginePlayer(engine or FirstMove(), **facts)
    engine_player.begin(SimpleNamespace(clock=None))
    return engine_player


def match_of(player: EnginePlayer, game: str = "tictactoe", moves: str = "", **facts: Any) -> Match:
    count = registry.game(game).new().players
    players = [player, *[EmptySeat("human") for _ in range(count - 1)]]
    return Match(registry.game(game), players, moves=moves.split(), **facts)


class FixedKnowledge:
    """Knowledge with the given answers."""

    path = "here"

    def __init__(self, *advices: Advice | None) -> None:
        self.advices = list(advices)

    def advise(self, position: Any) -> Advice | None:
        return self.advices.pop(0)


# -- defaults of all players ------------------------------------------------------------------------------


def test_default_engine_player() -> None:
    player: Any = Player()
    assert (player.display_name, player.limit, player.resigns, player.reusable, player.engine) == (
        "",
        None,
        True,
        False,
        None,
    )
    assert (player.accepts_draw(None), player.offers_draw(None), player.contradiction(None)) == (
        False,
        False,
        "",
    )
    for call in (player.begin, player.resume, player.set_move_timeout, player.reseed):
        assert call(None) is None
    assert player.ponder(None, None) is player.stop_pondering() is player.nudge() is player.close() is None
    for call in (player.choose, player.use):
        with pytest.raises(NotImplementedError):
            call(None)
    empty = EmptySeat("alphabeta:depth=3", "Ann")
    assert (empty.spec, empty.display_name, empty.name) == ("alphabeta:depth=3", "Ann", "Ann")
    assert (EmptySeat().spec, EmptySeat().display_name, EmptySeat().name) == ("empty", "", "empty")
    assert EmptySeat("x").choose(None) is None


def test_a_player_of_the_next_game_draws_by_its_seed() -> None:
    def moves(engine_player: EnginePlayer) -> list[str]:
        match = Match(
            registry.game("connect4"), [engine_player, player(registry.engine("random")[0], seed=3)]
        )
        match.play()
        return match.words()

    seated = player(registry.engine("random")[0], seed=5)
    first = moves(seated)
    seated.reseed(6)
    assert seated.reusable and first != moves(seated) == moves(player(registry.engine("random")[0], seed=6))
    seated.reseed(5)
    assert moves(seated) == first
    named = player(registry.engine("random:seed=9")[0], seed=5)
    named.reseed(6)
    assert named.engine.seed == 9
    assert not player(registry.engine("alphabeta")[0]).reusable, "its table would serve the next game"


# -- what it asks ------------------------------------------------------------------------------------------


def test_spec_of_an_engine_player_has_engine_limit_and_seed() -> None:
    engine_player = player(FirstMove(), limit=Limit(depth=3, multipv=2), seed=5)
    assert (engine_player.spec, engine_player.name, engine_player.seed, engine_player.engine.seed) == (
        "scripted:depth=3,multipv=2",
        "scripted",
        5,
        0,
    )
    sampling = registry.engine("random")[0]
    assert player(sampling, seed=5).engine.seed == 5 and player(sampling).limit == Limit()
    assert player(registry.engine("random:seed=9")[0], seed=5).engine.seed == 9
    assert player(registry.engine("alphabeta:order=random")[0], seed=5).engine.seed == 5
    assert player(registry.engine("alphabeta")[0], seed=5).engine.seed == 0
    before = engine_player.session
    engine_player.use(FirstMove(seed=4))
    assert (
        engine_player.engine.seed == 4 and engine_player.session is not before and engine_player.session._game
    )
    engine_player.nudge()
    assert engine_player.session._bell.is_set()


def test_random_engine_samples_anew_at_each_move() -> None:
    """A fixed choice would repeat itself in repeated positions; the same game again is the same."""
    results = []
    for seed, moves in ((1, ""), (1, "a1 b2"), (1, "a1 b2"), (2, "")):
        engine_player = player(registry.engine("random")[0], seed=seed)
        match = match_of(engine_player, "tictactoe:width=9,height=9,line=5", moves)
        results.append(engine_player.choose(match.view(0)).move)
    assert results[1] == results[2] and len(set(results)) == 3
    engine_player = player(seed=6)
    engine_player.session.hang_timeout = 3.0
    engine_player.choose(match_of(engine_player).view(0))
    assert asked == [(Limit(), 0)]


@pytest.mark.parametrize(
    ("limit", "clock", "seconds"),
    [
        (Limit(), "", None),
        (Limit(seconds=2), "", 2),
        (Limit(), "5/move", 4.94),
        (Limit(seconds=2), "5/move", 2),
        (Limit(seconds=9), "5/move", 4.94),
    ],
)
def test_a_clock_shares_out_the_time_that_its_limit_leaves(limit: Limit, clock: str, seconds: Any) -> None:
    engine_player = player(limit=limit)
    clocks = Clock([parse_time_control(clock), parse_time_control(clock)], margin=0.0) if clock else None
    match = match_of(engine_player, clock=clocks)
    engine_player.choose(match.view(0))
    assert [given.seconds for given, _ in asked] == [seconds]
    allowed = engine_player._hang_timeout(match.view(0))
    if clock:
        assert allowed is not None and allowed == pytest.approx(5.0 + session.MAX_GRACE)
    else:
        assert allowed == (None if limit.seconds else session.DEFAULT_MOVE_TIME)
    engine_player.set_move_timeout(7.0)
    assert engine_player._hang_timeout(match.view(0)) == (allowed if clock or limit.seconds else 7.0)


# -- what is known -------------------------------------------------------------------------------------------


def test_the_only_move_that_is_known_is_played_without_a_search() -> None:
    engine_player = player()
    engine_player.knowledge = {"book": FixedKnowledge(Advice("book", (4,), facts=("twice",)))}
    choice = engine_player.choose(match_of(engine_player).view(0))
    assert not asked and choice is not None and choice.move == 4 and choice.report is not None
    report = choice.report
    assert (report.move, report.pv, report.engine, report.final) == (4, (4,), "scripted", True)
    assert (report.value, report.source, report.stopped, report.facts) == (0, "book", "book", "twice")


def test_engine_chooses_among_several_known_moves() -> None:
    engine_player = player(limit=Limit(nodes=5))
    known = Advice("tables", (8, 4), value=WIN - 3, exact=True, facts=("a", "b"))
    engine_player.knowledge = {
        "book": FixedKnowledge(None),
        "tables": FixedKnowledge(Advice("x", ())),
        "syzygy": FixedKnowledge(known),
    }
    engine_player.session.interrupted = False
    choice = engine_player.choose(match_of(engine_player).view(0))
    assert asked == [(Limit(nodes=5, moves=(8, 4)), 0)] and choice is not None and choice.report is not None
    report = choice.report
    assert (choice.move, report.value, report.bound, report.exact) == (8, WIN - 3, "exact", True)
    assert (report.source, report.stopped, report.facts) == ("tables", "tables", "a")


def test_counted_win_is_reported_with_its_distance() -> None:
    engine_player = player()
    numbers.append(WIN - 5)
    engine_player.knowledge = {"tables": FixedKnowledge(Advice("tables", (8, 4), value=900))}
    choice = engine_player.choose(match_of(engine_player).view(0))
    assert choice is not None and choice.report is not None
    assert (choice.report.value, choice.report.facts, choice.report.exact) == (WIN - 5, "", False)


def test_a_book_that_weighs_its_moves_is_drawn_from_by_seed_and_ply() -> None:
    def choose_from_book(seed: int, moves: str = "") -> tuple[int, str]:
        engine_player = player(seed=seed)
        book = Advice("book", (0, 1, 2), weights=(1, 0, 3), facts=("a", "b", "c"))
        engine_player.knowledge = {"book": FixedKnowledge(book)}
        choice = engine_player.choose(match_of(engine_player, moves=moves).view(0))
        assert choice is not None and choice.report is not None
        return choice.move, choice.report.facts

    results = [choose_from_book(seed) for seed in range(30)]
    assert set(results) == {(0, "a"), (2, "c")} and results.count((2, "c")) > 15
    assert results == [choose_from_book(seed) for seed in range(30)]
    assert results != [choose_from_book(seed, "c3 b3") for seed in range(30)]


def test_probing_engine_is_not_given_root_answers() -> None:
    engine_player = player(registry.engine("perfect")[0])
    settled = Advice("tables", (0,), value=0, exact=True)
    book = Advice("book", (1,))
    engine_player.knowledge = {"tables": FixedKnowledge(settled), "book": FixedKnowledge(book)}
    advice = engine_player.advise(match_of(engine_player).view(0))
    assert advice is not None and advice.moves == (1,)
    asking = player(registry.engine("alphabeta")[0])
    asking.knowledge = {"tables": FixedKnowledge(settled)}
    advice = asking.advise(match_of(asking).view(0))
    assert advice is not None and advice.moves == (0,)


def test_engines_without_search_refuse_books() -> None:
    engine_player = player()
    with pytest.raises(Usage, match=r"^scripted does not search: books and tables are for engines that do$"):
        engine_player.set_knowledge({"book": FixedKnowledge()})
    engine_player.set_knowledge({})
    assert engine_player.knowledge == {} and engine_player.spec == "scripted"
    able = player(registry.engine("alphabeta")[0], limit=Limit(depth=2))
    able.set_knowledge({"book": FixedKnowledge()})
    assert able.spec == "alphabeta:depth=2,book=here"


# -- the rest of a way ------------------------------------------------------------------------------------


def test_solved_line_is_played_without_search_until_left() -> None:
    engine_player = player(registry.engine("idastar")[0])
    match = Match(registry.game("puzzle15:rows=3,columns=3,seed=5,shuffle=9"), [engine_player])
    first = engine_player.choose(match.view(0))
    assert first is not None and first.report is not None and first.report.stopped == "solved"
    way = first.report.pv
    assert len(way) > 3 and engine_player.solution == (0, first.report)
    match.make(first)
    for number in (1, 2):
        choice = engine_player.choose(match.view(0))
        assert choice is not None and choice.report is not None
        report, left = choice.report, len(way) - number
        assert (choice.move, report.move, report.pv) == (way[number], way[number], way[number:])
        assert (report.value, report.depth, report.thresholds) == (-left, left, (left,))
        assert (report.nodes, report.expanded, report.memory, report.seconds) == (0, 0, 0, 0.0)
        assert report.candidates == () and engine_player.solution == (0, first.report)
        match.make(choice)
    aside = next(move for move in match.moves() if move != way[3])
    match.make(Choice(aside))
    after = engine_player.choose(match.view(0))
    assert after is not None and after.report is not None and after.report.nodes > 0
    assert engine_player.solution == (4, after.report)
    match.undo(2)
    assert engine_player._next_of_solution(match.view(0)) is None, "before the way began"
    engine_player.begin(match.view(0))
    assert engine_player.solution is None


# -- giving up --------------------------------------------------------------------------------------------


class SimulatingEngine(FirstMove):
    simulates = True


def given_up(values: list[float], plies: list[int], machine: bool = False, **facts: Any) -> list[bool]:
    """True for each of the engine's moves at which it resigns, after so many moves and with such a value."""
    engine_player = player(SimulatingEngine())
    engine_player.resigns = facts.pop("resigns", True)
    usual: dict[str, Any] = {"players": 2, "zero_sum": True, "scored": False, "unit": 100}
    position: Any = SimpleNamespace(**{**usual, **facts}, concessions=lambda: facts.get("offers"))
    other = EmptySeat("random" if machine else "human")
    return [
        engine_player._should_resign(
            SimpleNamespace(position=position, turns=[None] * made_plies, players=[engine_player, other]),
            Report(value=value),
        )
        for value, made_plies in zip(values, plies, strict=True)
    ]


LOW, FAIR, HIGH = -81.0, -79.0, -49.0  # shares of the wins of 0.095, 0.105 and 0.255


@pytest.mark.parametrize(
    ("values", "plies", "machine", "facts", "expected"),
    [
        ([LOW] * 4, [0, 2, 4, 6], False, {}, "..x."),
        ([LOW] * 6, [0, 2, 4, 6, 8, 10], False, {}, "..x..x"),
        ([LOW, LOW, FAIR, LOW, LOW, LOW], [0, 2, 4, 6, 8, 10], False, {}, ".....x"),
        ([LOW, LOW, LOW, LOW], [0, 2, 2, 4], False, {}, "...x"),  # asked twice at a move
        ([LOW, LOW, LOW, LOW], [0, 2, 6, 8], False, {}, "...."),  # not in a row
        ([FAIR] * 3, [0, 2, 4], True, {}, "..x"),
        ([HIGH] * 3, [0, 2, 4], True, {}, "..."),
        ([float(5 - WIN)] * 3, [1, 3, 5], False, {}, "..x"),
        ([LOW] * 3, [0, 2, 4], False, {"players": 3}, "..."),
        ([LOW] * 3, [0, 2, 4], False, {"zero_sum": False}, "..."),
        ([LOW] * 3, [0, 2, 4], False, {"scored": True}, "..."),
        ([LOW] * 3, [0, 2, 4], False, {"resigns": False}, "..."),
        ([LOW] * 3, [0, 2, 4], False, {"offers": [1]}, "..."),
        ([LOW * 2] * 3, [0, 2, 4], False, {"unit": 200}, "..x"),
    ],
)
def test_engine_resigns_after_three_low_values_in_a_row(
    values: list[float], plies: list[int], machine: bool, facts: dict[str, Any], expected: str
) -> None:
    """Below 0.1 of the wins against a human, 0.25 against a program."""
    resigned = given_up(values, plies, machine, **facts)
    assert "".join(".x"[gives_up] for gives_up in resigned) == expected


def test_resigning_engine_makes_no_move() -> None:
    engine_player = player(SimulatingEngine())
    match = match_of(engine_player, "connect4")
    for turn in range(3):
        numbers.append(-WIN + 3)
        match.turns[:] = [Turn(number % 2, 0, "x") for number in range(2 * turn)]
        choice = engine_player.choose(match)
        assert (choice is None) == (turn == 2)
    assert match.over() and match.payoffs == (-1, 1)


@pytest.mark.parametrize(
    ("limit", "clock", "reserved"),
    [(Limit(seconds=1), "", True), (Limit(depth=2), "10", True), (Limit(depth=2), "", False)],
)
def test_a_game_with_time_limits_begins_with_a_table(limit: Limit, clock: str, reserved: bool) -> None:
    """Otherwise the first search waits for the system to provide the memory."""
    player = EnginePlayer(registry.engine("iterative:table=1MB")[0], limit)
    clocks = Clock([parse_time_control(clock), None]) if clock else None
    match = Match(registry.game("tictactoe"), [player, EmptySeat()], clock=clocks)
    gc.collect()
    spares.clear()
    player.begin(match)
    player.close()
    assert bool(spares) == reserved
