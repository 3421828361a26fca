"""Pondering: a hit continues the search, other events stop it, and nothing is left running."""

import threading
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gameplay import registry
from gameplay.errors import Usage
from gameplay.matches.match import Event, Match
from gameplay.players import ponder, seats
from gameplay.players.engine import EnginePlayer
from gameplay.players.player import Choice, Player
from gameplay.players.ponder import BackgroundSearch, Ponderer, PonderListener
from gameplay.search.limit import Limit
from gameplay.search.report import Report

pytestmark = pytest.mark.once

GAME = registry.game("connect4:columns=5,rows=4")


class Person(Player):
    """Plays the given moves, each once the background search has reported."""

    spec = name = "human"

    def __init__(self, *moves: str) -> None:
        self.moves = list(moves)
        self.pondering: list[bool] = []

    def choose(self, match: Any) -> Choice | None:
        search = match.players[1].search
        self.pondering.append(search is not None)
        while search is not None and search.latest is None and search.result is None:
            time.sleep(0.001)
        if not self.moves:
            match.leave()
            return None
        word = self.moves.pop(0)
        if word == "undo":
            match.undo(2)
            return None
        if word == "expected":
            return Choice(search.expected_moves[-1])
        if word == "other":
            return Choice(next(move for move in match.moves() if move != search.expected_moves[-1]))
        return Choice(match.position.parse(word))


def play(spec: str, *moves: str) -> tuple[Match, Person, Ponderer]:
    player = seats.with_pondering(seats.player(spec, GAME))
    assert isinstance(player, Ponderer)
    bell, person = PonderListener(), Person(*moves)
    match = Match(GAME, [person, player], listeners=[bell])
    bell.match = match
    match.play()
    assert player.search is None, "the end of a match ends the search"
    assert not [thread for thread in threading.enumerate() if thread.name == "ponder"]
    return match, person, player


@pytest.mark.parametrize("engine", ["iterative:depth=6", "alphabeta:depth=5", "iterative:nodes=5000"])
def test_pondering_does_not_change_the_moves(engine: str) -> None:
    match, person, _ = play(engine, "3", "expected", "other", "expected")
    assert person.pondering[:2] == [False, True]
    plain = seats.player(engine, GAME)
    for ply in (1, 3, 5):
        again = Match(GAME, [person, plain], moves=match.words()[:ply])
        choice = plain.choose(again)
        assert choice is not None and choice.move == match.turns[ply].move
        assert match.turns[ply].report is not None and choice.report is not None
        assert match.turns[ply].report.value == choice.report.value


def test_ponder_hit_continues_the_same_search(monkeypatch: pytest.MonkeyPatch) -> None:
    plies: list[int] = []
    choose = EnginePlayer.choose
    monkeypatch.setattr(
        EnginePlayer, "choose", lambda self, match: plies.append(len(match.turns)) or choose(self, match)
    )
    match, _, _ = play("iterative:depth=4", "3", "expected", "other")
    assert len(match.turns) == 6 and plies == [1, 5]


def test_undone_moves_are_not_pondered() -> None:
    match, person, _ = play("iterative:depth=4", "3", "undo", "2")
    assert person.pondering == [False, True, False, True]
    assert len(match.turns) == 2


def test_ponder_time_counts_towards_the_limit() -> None:
    class Late(Person):
        def choose(self, match: Any) -> Choice | None:
            search = match.players[1].search
            if search is not None:
                search.start_time -= 1000
            return super().choose(match)

    game = registry.game("connect4")
    player = seats.with_pondering(seats.player("iterative:time=900", game))
    assert isinstance(player, Ponderer)
    bell, person = PonderListener(), Late("expected")
    match = Match(game, [person, player], moves=["4"], listeners=[bell])
    bell.match = match
    report = player.player.engine.search(match.replica(), seats.Limit(depth=5))
    match.make(Choice(report.move, report))
    match.step()
    match.step()
    result = match.turns[-1].report
    assert result is not None and result.stopped == "time" and result.final
    player.stop_pondering()


@pytest.mark.parametrize("spec", ["mcts:nodes=5000,solver=off", "mcts:sims=200,solver=off"])
def test_pondered_mcts_tree_is_reused_after_any_reply(spec: str) -> None:
    """After each reply visits are carried over, more than the previous search left there."""
    match, person, _ = play(spec, "3", "1", "5", "2")
    assert person.pondering[:2] == [False, True]
    reports = [turn.report for turn in match.turns if turn.report is not None]
    assert len(reports) == 4
    for report in reports[1:]:
        assert sum(entry.visits for entry in report.visited) > report.visits


def test_simulations_without_a_tree_to_keep_ponder_about_the_expected_reply() -> None:
    match, person, _ = play("mcts:sims=200,reuse=off", "3", "expected", "other")
    assert person.pondering[:2] == [False, True] and len(match.turns) == 6


def test_listener_request_stops_the_search() -> None:
    game = registry.game("connect4")
    player = seats.with_pondering(seats.player("iterative", game))
    assert isinstance(player, Ponderer)
    bell, person = PonderListener(), Person("expected")
    match = Match(game, [person, player], moves=["4"], listeners=[bell])
    match.listeners.append(lambda event: event.kind == "report")
    bell.match = match
    report = player.player.engine.search(match.replica(), seats.Limit(depth=5))
    match.make(Choice(report.move, report))
    match.step()
    match.step()
    assert len(match.turns) == 4
    result = match.turns[-1].report
    assert result is not None and result.stopped in ("interrupted", "proven")
    bell(Event("undo"))
    assert player.search is None


@pytest.mark.parametrize("specs", [["iterative", "iterative"], ["human", "random"]])
def test_engine_without_pondering_is_refused(specs: list[str]) -> None:
    with pytest.raises(Usage, match="--ponder"):
        seats.check_pondering(specs)


def test_a_level_plays_without_pondering() -> None:
    seats.check_pondering(["human", "level:3"])
    assert not seats.ponders("level:3") and seats.ponders("iterative")


def test_players_without_pondering_are_unchanged() -> None:
    for spec in ("random", "level:3"):
        player = seats.player(spec, GAME)
        assert seats.with_pondering(player) is player


class RecordingPlayer(EnginePlayer):
    """Records its calls."""

    calls: list[str]

    def note(self, word: str, answer: Any) -> Any:
        self.calls.append(word)
        return answer

    def check(self, position: Any) -> None:
        self.note(f"check {position.text()}", None)

    def accepts_draw(self, match: Any) -> bool:
        return bool(self.note("accept", True))

    def offers_draw(self, match: Any) -> bool:
        return bool(self.note("offer", True))


def test_pondering_player_forwards_to_its_player(monkeypatch: pytest.MonkeyPatch) -> None:
    plain: Any = seats.player("iterative:depth=3", GAME)
    plain.__class__, plain.calls = RecordingPlayer, []
    player = Ponderer(plain)
    rested: list[str] = []
    monkeypatch.setattr(player, "stop_pondering", lambda: rested.append("rest"))
    match = Match(GAME, [player, player], moves=["1"])
    player.check(match.position)
    assert player.accepts_draw(match) is True and rested == ["rest"]
    assert player.offers_draw(match) is True and rested == ["rest"]
    player.close()
    assert rested == ["rest"] * 2
    assert plain.calls == [f"check {match.position.text()}", "accept", "offer"]


def thinking(player: Ponderer, match: Match) -> Any:
    """Start pondering after the moves of a match, without a limit."""
    line = tuple(turn.move for turn in match.turns)
    return BackgroundSearch(player.player.session, player.player.limit, match.replica(), line)


def test_under_a_clock_the_share_of_its_time_ends_the_search() -> None:
    game = registry.game("connect4")
    for spec, runs in (("iterative", True), ("iterative:time=900", True), ("iterative:time=0.01", False)):
        player = seats.with_pondering(seats.player(spec, game))
        assert isinstance(player, Ponderer)
        match = Match(game, [player, player], moves=["4", "4"])
        player.begin(match)
        match.clock = cast(Any, SimpleNamespace(runs=lambda seat, runs=runs: runs, seconds=lambda seat: 0.01))
        player.search = thinking(player, match)
        choice = player.choose(match)
        match.clock = None
        assert choice is not None and choice.report is not None and choice.report.stopped == "time", spec
        assert player.search is None


def test_game_exception_while_pondering_is_raised_at_the_turn() -> None:
    game = registry.game("connect4")
    player = seats.with_pondering(seats.player("iterative:depth=2", game))
    assert isinstance(player, Ponderer)
    match = Match(game, [player, player], moves=["4"])
    player.begin(match)
    player.search = search = thinking(player, match)
    search.end()
    search.failure = ZeroDivisionError("in the game")
    with pytest.raises(ZeroDivisionError, match="in the game"):
        player.choose(match)


@pytest.mark.parametrize(
    ("spec", "limit", "seconds"),
    [
        ("iterative", Limit(depth=255), 1.0),
        ("iterative:depth=4", Limit(depth=4), None),
        ("iterative:time=3", Limit(depth=255), 3.0),
        ("alphabeta:depth=4", Limit(depth=4), None),
        ("alphabeta:depth=4,time=2", Limit(depth=4, nodes=10**15), 2.0),
        ("alphabeta:time=2,nodes=7", Limit(nodes=7), 2.0),
        ("mcts:time=2", Limit(simulations=10**15), 2.0),
        ("mcts:sims=9", Limit(simulations=9), None),
    ],
)
def test_limits_of_pondering(spec: str, limit: Limit, seconds: float | None) -> None:
    """All limits of its engine except time, which runs from the reply."""
    player = cast(EnginePlayer, seats.player(spec, GAME))
    requests: list[Limit] = []

    def run_search(position: Any, limit: Limit, watch: Any) -> Report:
        requests.append(limit)
        assert watch(Report()) is False
        return Report(nodes=7)

    session = SimpleNamespace(engine=player.engine, search=run_search, nudge=lambda: None)
    search = BackgroundSearch(cast(Any, session), player.limit, GAME.new(), (1,))
    search.end()
    assert requests == [limit] == [search.limit] and search.seconds == seconds
    assert search.result == Report(nodes=7) and search.latest == Report() and search.stop is True


@pytest.mark.parametrize(
    ("seconds", "now", "waited", "stopped"),
    [
        (None, [100.0], [0.05, 0.05, 0.05], "interrupted"),
        (10.0, [109.0, 109.9, 109.96875], [0.05, 0.05, 0.03125], "interrupted"),
        (10.0, [109.0, 110.0], [0.05], "time"),
    ],
)
def test_waiting_for_pondering_polls(
    seconds: float | None,
    now: list[float],
    waited: list[float],
    stopped: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twenty times a second; after the third poll it has ended by itself or was stopped elsewhere."""
    times = iter(now)
    monkeypatch.setattr(ponder, "time", SimpleNamespace(monotonic=lambda: next(times)))
    search: Any = BackgroundSearch.__new__(BackgroundSearch)
    looks: list[float] = []
    ended: list[bool] = []
    search.done = SimpleNamespace(
        is_set=lambda: len(looks) == 3 or bool(ended), wait=lambda seconds=0.0: looks.append(seconds)
    )
    search.end = lambda: ended.append(True)
    search.start_time, search.latest, search.failure = 100.0, None, None
    search.result = Report(move=3, stopped="interrupted")
    report = search.finish(SimpleNamespace(), seconds)
    assert looks == waited and report == Report(move=3, stopped=stopped)
    assert ended == [True] * (stopped == "time")


def test_no_pondering_without_an_expected_move() -> None:
    game = registry.game("connect4")
    player = seats.with_pondering(seats.player("iterative:depth=9", game))
    assert isinstance(player, Ponderer)
    person = Person()
    match = Match(game, [person, player], moves=["4", "4"])
    player.begin(match)
    full = Match(game, [person, player], moves=["1", "1"] * 3)
    over = Match(GAME, [person, player], moves=["1", "2", "1", "2", "1", "2", "1"])
    three = Match(registry.game("connect4:players=3"), [person, person, player], moves=["4", "4"])
    assert over.over() and three.position.turn == 2
    for game_, pv in ((match, ()), (match, (3,)), (full, (3, 0)), (over, (3, 3)), (three, (3, 3))):
        player.ponder(game_, Report(move=3, pv=pv))
        assert player.search is None
    player.ponder(match, None)
    assert player.search is None
    first = Match(registry.game("connect4:players=3"), [player, person, person], moves=["4", "4"])
    player.ponder(first, Report(move=3, pv=(3, 3)))
    assert player.search is None, "two more are on turn before it"
    player.ponder(match, Report(move=3, pv=(3, 2)))
    assert player.search is not None and player.search.expected_moves == (3, 3, 2)
    player.ponder(match, None)
    assert player.search is None, "whatever it pondered about before"


def test_mover_ponders_and_other_events_stop_pondering() -> None:
    log: list[tuple[str, int]] = []

    class StubPlayer:
        def __init__(self, seat: int) -> None:
            self.seat = seat

        def ponder(self, match: Any, report: Any) -> None:
            log.append((report, self.seat))

        def stop_pondering(self) -> None:
            log.append(("rest", self.seat))

    bell = PonderListener()
    bell.match = cast("Any", SimpleNamespace(players=[StubPlayer(0), StubPlayer(1)]))
    for player in (0, 1, -1):  # -1: a throw of dice
        bell(SimpleNamespace(kind="move", turn=SimpleNamespace(player=player, report=f"by {player}")))
    bell(SimpleNamespace(kind="report"))
    assert log == [("by 0", 0), ("by 1", 1)]
    bell(SimpleNamespace(kind="undo"))
    assert log[2:] == [("rest", 0), ("rest", 1)]
