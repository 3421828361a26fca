"""The selective search: preserved values, each option, and state shared by threads and games."""

from typing import Any

import pytest

from gameplay import Limit, Position, registry
from gameplay.errors import Usage
from gameplay.kernel import compiled
from gameplay.search.session import Session
from gameplay.search.trace import TraceEvent
from gameplay.value import WIN
from tests.support.paths import TESTS
from tests.support.searches import search_limited

OFF = (
    "null=off,reduce=off,late=off,futility=off,threshold=off,exchange=off,singular=off,extend=off,delta=off,"
    "checks=off"
)
MIDDLE = "r1b1k2r/ppp2ppp/2n2n2/3qp3/1b1P4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 0 8"


def calm(position: Any, alpha: int, beta: int) -> int:
    """Fail-hard quiescence search, written from the theorem."""
    noisy = position.noisy()
    if not position.forced() or not noisy:
        alpha = max(alpha, position.evaluate())
    for move in noisy:
        if alpha >= beta:
            break
        position.make(move)
        payoffs = position.outcome()
        if payoffs is None:
            value = -calm(position, -beta, -alpha)
        else:
            value = 0 if payoffs[0] == payoffs[1] else -WIN
        position.unmake()
        alpha = max(alpha, value)
    return min(alpha, beta)


def minimax(position: Any, depth: int, alpha: int = -WIN, beta: int = WIN) -> int:
    """Fail-hard alpha-beta over such leaves."""
    payoffs = position.outcome()
    if payoffs is not None:
        return 0 if payoffs[0] == payoffs[1] else -WIN
    if depth == 0:
        return calm(position, alpha, beta)
    for move in position.moves():
        position.make(move)
        alpha = max(alpha, -minimax(position, depth - 1, -beta, -alpha))
        position.unmake()
        if alpha >= beta:
            break
    return alpha


@pytest.mark.parametrize(
    ("game", "text", "depth"),
    [
        ("chess", MIDDLE, 1),
        ("chess", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3),
        ("checkers", "W:W18,21,22,K30:B5,9,10,K27", 4),
    ],
)
def test_with_every_other_option_off_it_is_minimax_over_calm_leaves(game: str, text: str, depth: int) -> None:
    position = registry.game(game).new(text)
    truth = minimax(position, depth)
    for table in ("1MB", "off"):
        assert search_limited(f"selective:{OFF},table={table}", position, depth).value == truth
        for options in ("", ",pvs=off", ",aspiration=off,order=generated", ",mtdf=on"):
            assert search_limited(f"quiescence:table={table}{options}", position, depth).value == truth


@pytest.mark.parametrize(
    ("fen", "plies"),
    [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3),  # Morphy's problem: 1 Ra6!
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 3),  # 1 Qh6+!
    ],
)
def test_mates_are_counted_in_plies(fen: str, plies: int) -> None:
    position = registry.game("chess").new(fen)
    for engine in ("selective", f"selective:{OFF}", "iterative", "quiescence"):
        report = search_limited(engine, position, 6 if engine != "quiescence" else plies)
        assert report.value == WIN - plies
        assert 1 <= len(report.pv) <= plies


@pytest.mark.once
def test_options_that_prune_and_reduce_save_nodes() -> None:
    position = registry.game("chess").new(MIDDLE)
    deep = 5 if compiled() else 4
    all_on = search_limited("selective", position, deep).nodes
    for option in ("null", "reduce", "late", "futility", "threshold", "exchange", "delta"):
        assert search_limited(f"selective:{option}=off", position, deep).nodes != all_on, option
    assert (
        search_limited(f"selective:{OFF}", position, 4).nodes
        > 3 * search_limited("selective", position, 4).nodes
    )


def test_selective_prunes_nothing_without_a_quiet_margin() -> None:
    position = registry.game("connect4").new("4455343")
    whole = search_limited("selective:null=off,reduce=off,late=off,futility=off,threshold=off", position, 6)
    assert search_limited("selective", position, 6).nodes == whole.nodes


def test_plausible_limits_the_moves_searched() -> None:
    position = registry.game("chess").new(MIDDLE)
    nodes = [search_limited(f"selective:{OFF},plausible={k}", position, 3).nodes for k in (2, 5, 0)]
    assert nodes[0] < nodes[1] < nodes[2]
    assert search_limited(f"selective:{OFF},plausible=300", position, 3).nodes == nodes[2]


class Bait(Position):
    """Go down a line of letters: `a` looks good until five plies from the root, `b` is equal."""

    def __init__(self) -> None:
        super().__init__()
        self.path: list[int] = []

    def moves(self) -> list[int]:
        return [0, 1] if not self.path else [0]

    def make(self, move: int) -> None:
        self.path.append(move)
        self.turn = 1 - self.turn

    def unmake(self) -> None:
        self.path.pop()
        self.turn = 1 - self.turn

    def outcome(self) -> tuple[int, int] | None:
        return (0, 0) if len(self.path) == 20 else None

    def evaluate(self) -> int:
        if not self.path or self.path[0]:
            return 0
        first = 50 if len(self.path) < 5 else -50
        return first if self.turn == 0 else -first


def test_secondary_search_refutes_the_chosen_line() -> None:
    assert search_limited("selective:secondary=0", Bait(), 3).move == 0
    trusting = search_limited("selective:secondary=1", Bait(), 3)
    assert (trusting.move, trusting.value) == (0, 50)
    wary = search_limited("selective:secondary=2", Bait(), 3)
    assert (wary.move, wary.value) == (1, 0)


@pytest.mark.parametrize(("game", "depth"), [("chess", 3), ("othello", 5), ("checkers", 7), ("connect4", 7)])
def test_threads_find_the_value_that_one_finds(game: str, depth: int) -> None:
    position = registry.game(game).new()
    alone = search_limited("iterative", position, depth)
    together = search_limited("iterative:threads=3", position, depth)
    assert (together.value, together.depth) == (alone.value, alone.depth)
    assert position.text() == registry.game(game).new().text()


def test_threads_need_a_compiled_game_and_a_valid_number() -> None:
    sticks = registry.game(str(TESTS / "examples" / "games" / "sticks.py")).new()
    with pytest.raises(Usage, match="threads needs a compiled game"):
        search_limited("iterative:threads=2", sticks, 2)
    with pytest.raises(Usage, match="threads must be a whole number from 1 to 256, not"):
        registry.engine("iterative:threads=0")


def test_the_searches_of_a_game_build_on_each_other() -> None:
    position = registry.game("chess").new(MIDDLE)
    session = Session(registry.engine("selective")[0])
    limit = Limit(depth=4)
    alone = session.search(position, limit).nodes
    assert session.search(position, limit).nodes == alone  # without a declaration that they are of one game
    session.begin()
    assert session.search(position, limit).nodes == alone
    assert session.search(position, limit).nodes < alone
    session.begin()
    assert session.search(position, limit).nodes == alone


def test_singular_moves_are_extended() -> None:
    """Win at Chess 9, 1 .. Bh2+ mates in five, found at nine plies: its singular moves are extended."""
    position = registry.game("chess").new("3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - - 0 1")
    report = search_limited("selective:table=1MB,extend=on", position, 9)
    assert (position.format(report.move), report.value) == ("Bh2+", WIN - 9)
    assert search_limited("selective:table=1MB,extend=on,singular=off", position, 9).value < 1000


@pytest.mark.once
def test_while_a_null_move_is_verified_none_is_tried_above_the_floor() -> None:
    """Otherwise one zugzwang would prove another: both sides would pass in turn."""
    position = registry.game("chess").new("8/2k5/8/3r4/8/1K1R4/2P5/8 b - - 0 1")
    events: list[TraceEvent] = []
    engine = registry.engine("selective:table=1MB,threshold=off,futility=off,late=off")[0]
    engine.search(position, Limit(depth=12), trace=events.append)
    entered: dict[int, TraceEvent] = {}
    verified: list[tuple[int, int]] = []  # the ply of a node and the floor of its verification
    seen = 0
    opened: list[TraceEvent] = []
    for event in events:
        if event.what == "enter":
            opened.append(event)
        tried = opened[-1].why == "null move"
        inside = opened[-1].why in ("verified", "singular")  # the same position again
        if event.what == "leave":
            opened.pop()
        if inside and event.what in ("enter", "leave"):
            continue
        if event.what == "enter":
            entered[event.ply] = event
            assert not (tried and any(event.ply - 1 < floor for _, floor in verified))
        elif event.what == "leave":
            node = entered.get(event.ply - 1)
            verified = [(ply, floor) for ply, floor in verified if ply < event.ply]
            if tried and not verified and node and node.depth >= 10 and -event.value >= node.beta:
                verified.append((node.ply, node.ply + 3 * (entered[event.ply].depth + 1) // 4))
                seen += 1
    assert seen


def test_no_result_is_reused_without_a_table():
    """Singularity depends on the table; the pure build used to stop at depth 7."""
    position = registry.game("checkers").new()
    report = registry.engine("selective:table=off")[0].search(position, Limit(depth=8))
    assert (report.depth, report.nodes) == (8, 1399)
