"""Probes within a search tree: when they occur, how their results are used, and their cost."""

from pathlib import Path
from typing import Any

import pytest

from gameplay import Limit, registry
from gameplay.adapter import kernel_of
from gameplay.knowledge.knowledge import Advice, Knowledge
from gameplay.search.probe import Probe, probe_of
from gameplay.search.session import Session
from gameplay.search.trace import TraceEvent
from gameplay.value import EXACT, INF, LOWER, MAX_EVAL, TB_WIN, UPPER, WIN
from tests.support.paths import TESTS

CHESS = registry.game("chess")


class FixedAdvice(Knowledge):
    """Always gives the same advice; counts the probes."""

    in_search = True

    def __init__(self, advice: Advice | None = None, max_pieces: int = 0) -> None:
        super().__init__()
        self.advice, self.max_pieces, self.count = advice, max_pieces, 0

    def probe(self, position: Any) -> Advice | None:
        self.count += 1
        return self.advice


class Dear(FixedAdvice):
    """The same advice for the root only."""

    in_search = False


def sticks(count: int) -> Any:
    position = registry.game(f"{TESTS / 'examples' / 'games' / 'sticks.py'}:sticks={count}").new()
    return position


def negamax(position: Any, probe: Any, depth: int, alpha: int, beta: int, ply: int = 0) -> tuple[int, int]:
    """Fail-soft alpha-beta that probes below the root: the value, and the probed positions."""
    payoffs = position.outcome()
    if payoffs is not None:
        payoff = payoffs[position.turn]
        return (payoff > 0) * (WIN - ply) - (payoff < 0) * (WIN - ply), 1
    if ply and probe is not None:
        known = probe.answer(kernel_of(position), ply, alpha, beta)
        if known is not None:
            return known[0], 1
    if not depth:
        return 0, 1
    best, nodes = -INF, 1
    for move in position.moves():
        position.make(move)
        value, seen = negamax(position, probe, depth - 1, -beta, -max(alpha, best), ply + 1)
        position.unmake()
        nodes += seen
        best = max(best, -value)
        if best >= beta:
            break
    return best, nodes


def test_one_ply_with_a_solver_gives_the_exact_value() -> None:
    solver = registry.knowledge_class(str(TESTS / "examples" / "knowledge" / "fours.py"))()
    for count in range(2, 18):
        position = sticks(count)
        truth, nodes = negamax(position, None, 99, -INF, INF)
        probe = probe_of(kernel_of(position), [solver])
        value, seen = negamax(position, probe, 1, -INF, INF)
        assert (value > MAX_EVAL, value < -MAX_EVAL) == (truth > 0, truth < 0), count
        assert seen <= 4 and (count < 9 or seen < nodes)
        assert abs(value) in (TB_WIN - 1, WIN - 1), "one ply from the root"


def test_probe_results_that_settle_a_window() -> None:
    position = sticks(9)
    kernel = kernel_of(position)
    for bound, value, window, settles in (
        (EXACT, 7, (-INF, INF), True),
        (EXACT, 7, (90, 91), True),
        (LOWER, 7, (0, 7), True),
        (LOWER, 7, (0, 8), False),
        (UPPER, 7, (7, 20), True),
        (UPPER, 7, (6, 20), False),
    ):
        probe = Probe(kernel, [FixedAdvice(Advice("solver", value=value, bound=bound, exact=True))])
        assert probe.answer(kernel, 3, *window) == ((value, bound) if settles else None)
        assert (probe.probes, probe.cutoffs) == (1, int(settles))


def test_wins_count_from_the_root() -> None:
    kernel = kernel_of(sticks(9))
    for stored, ply, value in (
        (WIN - 4, 10, WIN - 14),
        (4 - WIN, 10, 14 - WIN),
        (TB_WIN, 10, TB_WIN - 10),
        (-TB_WIN, 255, 255 - TB_WIN),
        (WIN - 300, 255, MAX_EVAL + 1),
        (300 - WIN, 255, -MAX_EVAL - 1),
        (MAX_EVAL, 10, MAX_EVAL),
        (0, 10, 0),
    ):
        probe = Probe(kernel, [FixedAdvice(Advice("tables", value=stored, exact=True))])
        assert probe.answer(kernel, ply, -INF, INF) == (value, EXACT)


def test_an_estimated_probe_only_orders_moves() -> None:
    kernel = kernel_of(sticks(9))
    silent, guess = FixedAdvice(), FixedAdvice(Advice("book", (2, 1), value=500))
    probe = Probe(kernel, [silent, guess, FixedAdvice(Advice("book", (3,)))])
    assert probe.answer(kernel, 1, -INF, INF) is None and probe.move == 2
    assert silent.count == guess.count == 1
    nobody = Probe(kernel, [silent])
    assert nobody.answer(kernel, 1, -INF, INF) is None and nobody.move == -1


def test_first_answering_source_ends_the_probe() -> None:
    kernel = kernel_of(sticks(9))
    knows, never = FixedAdvice(Advice("tables", value=0, exact=True)), FixedAdvice()
    Probe(kernel, [FixedAdvice(), knows, never]).answer(kernel, 1, -INF, INF)
    assert (knows.count, never.count) == (1, 0)


def test_no_probe_without_knowledge() -> None:
    kernel = kernel_of(CHESS.new())
    assert probe_of(kernel, []) is None and probe_of(kernel, [Dear()]) is None
    bare = kernel_of(CHESS.new("8/8/8/4k3/8/8/8/K7 w - - 0 1"))
    assert (
        probe_of(bare, [FixedAdvice(max_pieces=5)]) is not None
        and probe_of(bare, [FixedAdvice(max_pieces=1)]) is not None
    )
    for fen, sources, most in (
        ("", [FixedAdvice(max_pieces=5)], 5),
        ("", [FixedAdvice(max_pieces=5), FixedAdvice(max_pieces=7), Dear(max_pieces=9)], 7),
        ("", [FixedAdvice(max_pieces=5), FixedAdvice()], 0),
        ("8/8/8/4k3/8/8/P7/K7 w - - 0 1", [FixedAdvice(max_pieces=5)], 5),
    ):
        probe = probe_of(kernel_of(CHESS.new(fen)), sources)
        assert probe is not None and probe.most == most
    for fen, sources, most in (  # some moves of the root are chosen: with three pieces it was asked about
        ("8/8/8/4k3/8/8/P7/K7 w - - 0 1", [FixedAdvice(max_pieces=5)], 2),
        ("", [FixedAdvice(max_pieces=5)], 5),
    ):
        probe = probe_of(kernel_of(CHESS.new(fen)), sources, True)
        assert probe is not None and probe.most == most


def test_probe_skips_the_interpreter_for_too_many_pieces() -> None:
    source = FixedAdvice(Advice("tables", value=0, exact=True), max_pieces=4)
    position = CHESS.new("8/8/8/4k3/8/2n5/1p6/KQ6 w - - 0 1")
    probe = probe_of(kernel_of(position), [source])
    assert probe is not None and probe.answer(kernel_of(position), 0, -INF, INF) is None and source.count == 0
    position.make(position.parse("Kxb2"))
    assert probe.answer(kernel_of(position), 1, -INF, INF) == (0, EXACT) and source.count == 1
    unknown = sticks(9)  # a game that counts no pieces is always asked about
    probe = probe_of(kernel_of(unknown), [source])
    assert probe is not None and probe.answer(kernel_of(unknown), 1, -INF, INF) == (0, EXACT)


@pytest.mark.parametrize("game", ["sticks", "chess"])
def test_exception_of_a_probe_ends_the_search(game: str) -> None:
    class Broken(FixedAdvice):
        def probe(self, position: Any) -> Advice | None:
            raise ArithmeticError("at sea")

    position = CHESS.new() if game == "chess" else sticks(9)
    probe = probe_of(kernel_of(position), [Broken()])
    with pytest.raises(ArithmeticError, match="at sea"):
        negamax(position, probe, 2, -INF, INF)
    wrong = Probe(kernel_of(position), [FixedAdvice(Advice("tables", value="won", exact=True))])
    with pytest.raises(TypeError):
        wrong.answer(kernel_of(position), 1, -INF, INF)


# -- endgame tables of chess -------------------------------------------------------------------------------


@pytest.fixture
def syzygy(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Tables of three pieces at most; the side with the queen or rook wins, other positions are drawn."""
    library = pytest.importorskip("chess")
    from gameplay.knowledge import syzygy

    class Results:
        def probe_wdl(self, board: Any) -> int:
            for piece in board.piece_map().values():
                if piece.piece_type == library.QUEEN:
                    return 2 if piece.color == board.turn else -2
                if piece.piece_type == library.ROOK:  # won, were it not for the rule of fifty moves
                    return 1 if piece.color == board.turn else -1
                if piece.piece_type == library.BISHOP:
                    raise KeyError("KBvK")
            return 0

    monkeypatch.setattr(syzygy, "_open_tables", lambda path: (Results(), 3))
    return syzygy.Syzygy("x")


def test_plies_to_progress_include_the_zeroing_move(syzygy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    library = pytest.importorskip("chess")
    monkeypatch.setattr(syzygy, "_probe", lambda what, board: {"dtz": -7}[what])
    assert syzygy._plies_to_progress(None) == 0  # the move mated
    # The move was a capture or a pawn move.
    assert syzygy._plies_to_progress(library.Board("8/8/8/4k3/8/8/8/KQ6 b - - 0 60")) == 1
    assert syzygy._plies_to_progress(library.Board("8/8/8/4k3/8/8/8/KQ6 b - - 1 60")) == 8


@pytest.mark.parametrize(
    ("fen", "value"),
    [
        ("8/8/8/4k3/8/8/8/KQ6 w - - 0 60", TB_WIN),
        ("8/8/8/4k3/8/8/8/KQ6 b - - 0 60", -TB_WIN),
        ("8/8/8/4k3/8/8/8/KR6 w - - 0 60", 0),
        ("8/8/8/4k3/8/8/8/KN6 w - - 0 60", 0),
        ("8/8/8/4k3/8/8/8/KQ6 w - - 1 60", None),  # a while after a capture only the distances know
        ("8/8/8/4k3/8/8/8/KB6 w - - 0 60", None),  # there is no table
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 60", None),  # White may castle
        ("8/8/8/4k3/8/8/P7/KQ6 w - - 0 60", None),  # four pieces
    ],
)
def test_tables_are_probed_only_without_history(syzygy: Any, fen: str, value: int | None) -> None:
    advice = syzygy.probe(CHESS.new(fen))
    assert (advice and advice.value) == value
    assert advice is None or (advice.exact and advice.bound == EXACT and advice.source == "tables")


def test_search_probes_tables_after_a_capture(syzygy: Any) -> None:
    """At one ply the queen stays and captures the pawn, the pawn captures her, a rook would take too long."""
    for fen, value in (
        ("8/8/8/4k3/8/8/1p6/KQ6 w - - 9 60", TB_WIN - 1),
        ("8/8/8/8/3k4/8/3p4/K3Q3 b - - 9 60", TB_WIN - 1),
        ("8/8/8/8/8/8/1p2k3/KR6 w - - 9 60", 0),
    ):
        position = CHESS.new(fen)
        probe = probe_of(kernel_of(position), [syzygy])
        assert probe is not None and probe.most == 3
        assert negamax(position, probe, 1, -INF, INF)[0] == value
        assert position.fen() == fen
        assert 0 < probe.cutoffs <= probe.probes < len(position.moves())


@pytest.mark.parametrize("engine", ["iterative", "iterative:table=off", "quiescence", "selective"])
def test_engines_probe_knowledge_within_the_tree(engine: str) -> None:
    solver = registry.knowledge_class(str(TESTS / "examples" / "knowledge" / "fours.py"))()
    for count in (14, 15, 17, 21):
        position = sticks(count)
        session = Session(registry.engine(engine)[0])
        alone = session.search(position, Limit(depth=40))
        session.knowledge = [solver]
        events: list[TraceEvent] = []
        report = session.search(position, Limit(depth=3), trace=events.append)
        assert (report.value > 0) == (alone.value > 0), count
        assert abs(report.value) > MAX_EVAL and report.nodes < alone.nodes
        assert {event.what for event in events} >= {"known"}


def test_knowledge_is_probed_beside_a_user_evaluation(tmp_path: Path) -> None:
    """A compiled game with a user's evaluation is still its own position for the tables."""
    (tmp_path / "even.py").write_text("def evaluate(position):\n    return 0\n")
    session = Session(registry.engine(f"iterative:eval={tmp_path / 'even.py'}")[0])
    session.knowledge = [source := FixedAdvice()]
    session.search(registry.game("tictactoe").new(), Limit(depth=2))
    assert source.count > 0


def test_probe_without_answers_changes_no_node() -> None:
    position = registry.game("connect4").new("4455343")
    session = Session(registry.engine("iterative")[0])
    alone = session.search(position, Limit(depth=6))
    session.knowledge = [FixedAdvice()]
    assert session.search(position, Limit(depth=6)).nodes == alone.nodes
    assert session.knowledge[0].count > 0
