"""Proof-number search: results equal those of full search, and the theory of games with cycles."""

import random
from collections import Counter
from hashlib import blake2b
from typing import Any

import pytest

from gameplay.cli import router, run
from gameplay.engines.pns import Pns
from gameplay.errors import Usage
from gameplay.kernel import compiled
from gameplay.knowledge.knowledge import Advice, Knowledge
from gameplay.registry import check_engine, engine, game
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from gameplay.search.trace import TraceEvent
from gameplay.value import TB_WIN, WIN, plies
from tests.support.golden import golden
from tests.support.graphs import graphs, minimax_value, sign

FAST = compiled()


def search_and_check(position: Any, value: int, **options: Any) -> Any:
    """Search and compare the report with the true value: sign, bound and move."""
    report = Pns(table="1MB", **options).search(position, Limit(nodes=10**7))
    assert report.stopped == "proven" and sign(report.value) == sign(value), position.text()
    if position.scored:
        assert report.bound == ("exact", "lower", "upper")[sign(value)] and abs(report.value) <= abs(value)
        assert not value or abs(report.value) >= position.unit
    elif report.value > 0:
        assert report.value <= value and report.bound == ("exact" if report.value == WIN - 1 else "lower")
    elif report.value < 0:
        assert report.value >= value and report.bound == ("exact" if report.value == 1 - WIN else "upper")
    assert report.exact == (report.bound == "exact")
    return report


SMALL = [
    ("tictactoe", 1, 40),
    ("tictactoe:width=4,height=3", 4, 20),
    ("connect4:columns=4,rows=4", 5, 40),
    ("connect4:columns=5,rows=4", 9, 20),
    ("nim:heaps=2+3+3", 0, 5),
    ("nim:heaps=2+3+3,misere=on", 0, 20),
    ("othello:size=4", 3, 20),
]


@pytest.mark.parametrize(("spec", "least", "count"), SMALL, ids=[spec for spec, *_ in SMALL])
def test_pns_agrees_with_full_search(spec: str, least: int, count: int) -> None:
    rng, values = random.Random(spec), {}
    for _ in range(count if FAST else 3):
        position = game(spec).new()
        for _ in range(least + rng.randrange(3) + (0 if FAST else 3)):
            if position.outcome() is None:
                position.make(rng.choice(position.moves()))
        if position.outcome() is not None:
            continue
        value = minimax_value(position, values)
        report = search_and_check(position, value)
        mover = position.turn
        position.make(report.move)
        after = minimax_value(position, values)
        assert sign(value) == sign(after if position.turn == mover else -after)
        position.unmake()
        for move in report.pv:
            position.make(move)
        if sign(value) and not position.scored:  # the line of the winner ends within the reported plies
            assert position.outcome() is not None and len(report.pv) <= plies(report.value)


def test_pns_is_sound_for_cyclic_games() -> None:
    expected = {-1: 0, 0: 0, 1: 0}
    for graph in graphs(400 if FAST else 40, 12):
        mine, theirs = (0 in graph.wins(player) for player in (graph.turn, 1 - graph.turn))
        value = WIN * (mine - theirs)
        expected[sign(value)] += 1
        report = Pns(table="16KB").search(graph, Limit(nodes=20_000))
        assert report.stopped == "proven", graph.text()
        assert sign(report.value) == sign(value), graph.text()
        assert report.bound == "exact" or value
    assert min(expected.values()) >= 3  # of each kind there are some


def test_pns_requires_wins_within_the_move_limit() -> None:
    def solve_by(clock: int) -> Any:
        position = game("chess").new(f"k7/8/2K5/8/8/8/8/7R w - - {clock} 90")  # Kb6 Kb8 Rh8: mate in 3 plies
        return Pns(table="1MB").search(position, Limit(nodes=10**6))

    assert solve_by(97).value == WIN - 3 and solve_by(97).bound == "lower"
    assert solve_by(98).value == 0 and solve_by(98).exact


MATES = [
    ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3),  # Paul Morphy: 1 Ra6
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 5),  # 1 Ra6 f6 2 Bxf6+ Rg7 3 Rxa8
]


@pytest.mark.parametrize(("text", "mate"), MATES[: 3 if FAST else 1])
def test_a_mate_is_proved_and_its_line_ends_in_it(text: str, mate: int) -> None:
    position = game("chess").new(text)
    report = search_and_check(position, WIN - mate)
    for move in report.pv:
        position.make(move)
    assert position.outcome() == (1, -1) and mate <= len(report.pv) <= plies(report.value)


def test_pns_depth_limit_bounds_the_length_of_the_win() -> None:
    position = game("chess").new(MATES[1][0])
    report = Pns(table="1MB").search(position, Limit(depth=2))
    assert (report.stopped, report.bound, report.exact) == ("depth", "unknown", False)
    assert report.seldepth <= 2
    report = Pns(table="1MB").search(position, Limit(depth=3))
    assert (report.stopped, report.value) == ("proven", WIN - 3)


def test_pns_is_restricted_to_the_given_moves() -> None:
    position = game("chess").new(MATES[0][0])
    won = position.parse("Rd8")
    for move in position.moves():
        report = Pns(table="1MB").search(position, Limit(depth=2, moves=(move,)))
        assert report.move == move and (report.value == WIN - 1) == (move == won)


class EveryEnding(Knowledge):
    """Gives the winner of Connect Four with few empty cells, and counts its probes."""

    in_search = True

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[Any, int] = {}
        self.count = 0

    def probe(self, position: Any) -> Advice | None:
        if str(position).count(".") > 8:
            return None
        self.count += 1
        value = minimax_value(game("connect4:columns=4,rows=4").new(position.text()), self.found)
        return Advice("tables", value=TB_WIN * sign(value), exact=True)


@pytest.mark.once
def test_pns_probes_tables() -> None:
    position = game("connect4:columns=4,rows=4").new()
    for move in (1, 2, 1) if FAST else (1, 1, 1, 1, 2, 2):
        position.make(move)
    session, tables = Session(Pns(table="1MB")), EveryEnding()
    session.knowledge = (tables,)
    plain = search_and_check(position, minimax_value(position, tables.found))
    report = session.search(position, Limit(nodes=10**6))
    assert sign(report.value) == sign(plain.value) and report.stopped == "proven"
    assert tables.count > 0 and report.nodes < plain.nodes
    assert len(report.pv) == 1, "the line ends where the tables know, as they do everywhere here"


def test_proof_numbers_are_reported_and_equal_in_both_builds() -> None:
    position = game("connect4:columns=4,rows=4").new("2233")
    report = Pns(table="1MB").search(position, Limit(nodes=500))
    assert (report.stopped, report.bound, report.exact) == ("nodes", "unknown", False)
    numbers = (report.claimant, report.proof, report.disproof, report.nodes)
    assert numbers == (0, 6, 12, 500)
    report = search_and_check(position, minimax_value(position, {}))
    assert (report.claimant, report.proof, report.disproof, report.nodes) == (1, None, 0, 3591)


def test_pns_memory_equals_the_option() -> None:
    assert Pns(table="100KB").search(game("tictactoe").new("a1 b2"), Limit(nodes=10)).memory == 64 << 10


@pytest.mark.once
def test_pns_refuses_unsupported_games() -> None:
    with pytest.raises(Usage, match="table must be a size from 16KB to 64GB"):
        engine("pns:table=off")
    with pytest.raises(
        Usage, match="legal moves of go depend on the history, which its table does not store"
    ):
        check_engine(engine("pns")[0], game("go:size=5").new())


@pytest.mark.once
def test_proof_and_disproof_number_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["analyse", "tictactoe", "--moves", "a1 b1 a2 b2", "--engines", "pns:table=1MB"]
    assert run(router, "gameplay", words) == 0
    assert "value x wins in 1 ply, proof 0, disproof none: does x win?" in capsys.readouterr().out


def test_pns_of_cyclic_games_equals_the_stored_searches() -> None:
    """The report and the trace of each, complete and stopped."""
    rows = []
    ample = Limit(seconds=10**6)  # without a limit they end after a second, also of a busy machine
    for spec in ("pns:table=16KB", "pns:table=16KB,mobility=off", "pns:table=16KB,weak=off"):
        searcher = engine(spec)[0]
        digest, nodes, stopped = blake2b(digest_size=6), 0, Counter[str]()
        for number, position in enumerate([*graphs(30, 24), *graphs(10, 9)]):
            position.ends = dict([*position.ends.items()][-4:])
            limits = (ample, Limit(nodes=5 + number // 2), Limit(depth=2 + number % 5))
            limits += (ample.with_(moves=(position.moves()[-1],)),)
            events: list[TraceEvent] = []
            report = searcher.search(position, limits[number % 4], trace=events.append)
            assert position.been == []
            nodes += report.nodes
            stopped[report.stopped] += 1
            facts = (report.move, report.value, report.bound, report.pv, report.exact, report.seldepth)
            digest.update(
                repr((*facts, report.claimant, report.proof, report.disproof, report.nodes)).encode()
            )
            for event in events:
                row = (event.what, event.ply, event.move, event.mover, event.depth, event.beta, event.value)
                numbers = tuple(f"{number:g}" for number in event.numbers)
                digest.update(repr((*(f"{row}" for row in row), event.why, numbers)).encode())
        rows.append(f"{spec}: {nodes} nodes, {dict(sorted(stopped.items()))}, {digest.hexdigest()}")
    golden("rounds", "\n".join(rows) + "\n")
