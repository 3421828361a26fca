"""Learning chess: gradients, regularization, selected positions."""

import random
import zlib

import pytest

from gameplay import registry
from gameplay.errors import BadInput
from gameplay.learning import chess
from tests.support.learning import learns

FENS = (
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 0 7",
    "r2q1rk1/1b2bppp/p2ppn2/1p6/3NPP2/P1N1B3/1PPQB1PP/2KR3R b - - 0 13",
    "8/5k2/3b1p2/1n6/2P1B3/5K2/4N3/8 b - - 0 1",
    "6k1/pp1qr1pB/2p5/3p4/3P2QN/2P5/PP4PP/6K1 b - - 0 1",
    "8/2p2k2/1p3p2/1P2p1p1/P3P1P1/2P2K2/8/8 w - - 0 1",
    "8/8/8/8/2k5/8/2R5/3bK3 b - - 0 1",  # a rook against a bishop is seldom more than a draw
)


@learns
def test_gradient_of_chess_weights_matches_finite_differences():
    np = pytest.importorskip("numpy")
    pytest.importorskip("scipy")
    position = registry.game("chess").new()
    weights = position.evaluations["classic"].weights
    fit = chess.Fit([chess.read(fen) for fen in FENS], weights)
    base = fit.values(weights)
    white = [1 if " w " in fen else -1 for fen in FENS]
    assert list(base) == [
        s * position.evaluations["classic"].evaluate(registry.game("chess").new(fen))
        for s, fen in zip(white, FENS, strict=True)
    ]
    slopes = fit.derivatives(weights)
    rng, at = random.Random(1), 0
    for name, pairs in weights.items():
        changes = [[rng.randrange(-20, 21) for _ in range(2)] for _ in pairs]
        changed = [tuple(np.add(pair, change)) for pair, change in zip(pairs, changes, strict=True)]
        flat = np.zeros(slopes.shape[1])
        flat[at : at + 2 * len(pairs)] = np.ravel(changes)
        at += 2 * len(pairs)
        if "danger" not in name:  # which is not linear, see below
            gradient = fit.values({**weights, name: changed}) - base
            assert list(gradient) == pytest.approx(list(slopes @ flat), abs=2), name
    assert at == slopes.shape[1]
    assert zlib.crc32(np.rint(1000 * slopes.toarray()).astype(int).tobytes()) == 2224731049


@learns
def test_chess_weights_are_regularized_toward_initial_values_and_neighbours():
    """The solution is a minimum of the loss that the module documents."""
    np = pytest.importorskip("numpy")
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(2)
    x = sparse.csr_matrix(rng.normal(size=(40, 6)))
    base, label, start = 90 * rng.normal(size=40), 90 * rng.normal(size=40), 50 * rng.normal(size=6)
    smooth = sparse.csr_matrix(np.array([[1.0, 0, -1, 0, 0, 0], [0, 0, 0, 1, 0, -1]]))

    def cost(change):
        errors = chess.expected_score(base + x @ change) - chess.expected_score(label)
        apart = smooth @ (start + change)
        return (errors**2).sum() + chess.RIDGE * (change**2).sum() + chess.SMOOTH * (apart**2).sum()

    solution = chess.solve(x, base, label, start, smooth)
    for way in np.eye(6):
        assert cost(solution) < min(cost(solution + way), cost(solution - way))
        assert cost(solution + way) == pytest.approx(cost(solution - way), rel=2e-3)


@learns
def test_neighbours_are_adjacent_squares_and_adjacent_mobilities():
    """On the left half of a board, 4 files by 8 ranks; for pieces with up to 8, 13, 14 and 27 moves."""
    pytest.importorskip("scipy")
    weights = registry.game("chess").new().evaluations["classic"].weights
    rows = chess.neighbours(weights)
    names = [(name, i, side) for name, pairs in weights.items() for i in range(len(pairs)) for side in (0, 1)]
    assert rows.shape == (len(chess.neighbours(weights).toarray()), len(names))
    results = []
    for row in rows.toarray():
        more, less = (next(iter((row == sign).nonzero()[0])) for sign in (1, -1))
        assert abs(row).sum() == 2
        results.append((names[more], names[less]))
    expected = []
    for kind in range(6):
        cells = [(rank, file) for rank in range(8) for file in range(4)]
        for rank, file in cells:
            for other in ((rank, file + 1), (rank + 1, file)):
                if other in cells:
                    expected += [
                        tuple(("square", 32 * kind + 4 * r + f, side) for r, f in ((rank, file), other))
                        for side in (0, 1)
                    ]
    first = 0
    for most in (8, 13, 14, 27):
        expected += [
            (("mobility", first + n, side), ("mobility", first + n + 1, side))
            for n in range(most)
            for side in (0, 1)
        ]
        first += most + 1
    assert sorted(results) == sorted(expected)


@learns
def test_loading_skips_drawish_positions_and_bare_endings(tmp_path):
    """Skips a high fifty-move count and three pieces; requires a thousand positions."""
    pytest.importorskip("numpy")
    board = pytest.importorskip("chess").Board
    for fen in FENS:
        kinds, colours, turn = chess.read(fen)
        right = board(fen)
        men = (right.pawns, right.knights, right.bishops, right.rooks, right.queens, right.kings)
        assert kinds == list(men)
        assert (colours, turn) == ([right.occupied_co[True], right.occupied_co[False]], int(not right.turn))
    file = tmp_path / "a.txt"
    good = "4k3/8/8/8/8/8/PP6/4K3 w - - 30 1;12\n"
    poor = "4k3/8/8/8/8/8/PP6/4K3 w - - 31 1;9\n4k3/8/8/8/8/8/P7/4K3 w - - 0 1;9\n"
    file.write_text(poor + 999 * good + "4k3/8/8/8/8/8/PP6/4K3 b - - 0 1;-3.5\n")
    positions, labels = chess.load(file)
    assert (len(positions), positions[-1][2], list(labels)) == (1000, 1, [12] * 999 + [-3.5])
    file.write_text(poor + 999 * good)
    with pytest.raises(BadInput, match=r"a.txt has 999 usable positions; expected at least 1000$"):
        chess.load(file)
    file.write_bytes(b"\xff")
    with pytest.raises(BadInput, match=r"a.txt: not a text file$"):
        chess.load(file)
