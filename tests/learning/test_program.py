"""What fits weights: it writes files that engines play by, and says what it lacks."""

import math
import random
import runpy
import sys
import zlib
from array import array
from pathlib import Path
from types import SimpleNamespace

import pytest

from gameplay import registry
from gameplay.errors import BadInput
from gameplay.evaluation import chosen
from gameplay.games.backgammon import evaluation as evaluations
from gameplay.kernel import compiled
from gameplay.learning import backgammon, chess, chess_positions, othello, scrabble
from gameplay.learning.program import run
from gameplay.search.limit import Limit

learns = pytest.mark.skipif(not compiled(), reason="the same files, and slow: once, in the compiled run")


def call(monkeypatch, capsys, main, *words):
    monkeypatch.setattr(sys, "argv", ["learn", *map(str, words)])
    try:
        run(main)
        status = 0
    except SystemExit as left:
        status = left.code
    return status, *capsys.readouterr()


@learns
def test_othello_learns_from_games_with_itself(monkeypatch, capsys, tmp_path):
    pytest.importorskip("numpy")
    monkeypatch.setattr(othello, "STEPS", 3)
    out = tmp_path / "a.toml"
    status, said, _ = call(monkeypatch, capsys, othello.main, "--games", "20", "--out", out)
    assert status == 0
    assert "2 games by classic" in said
    position = registry.game("othello").new("f5d6c3")
    learned = chosen(str(out), position)
    assert learned.checksum != position.evaluations["patterns"].checksum
    assert learned.evaluate(position) != position.evaluate()
    engine, _ = registry.engine(f"selective:eval={out}")
    assert engine.search(position, Limit(depth=3)).nodes > 0


@learns
def test_chances_are_the_logistic_curve_and_errors_are_in_chances():
    np = pytest.importorskip("numpy")
    values = np.array([0, chess.STEEP * math.log(3), -chess.STEEP * math.log(3)])
    assert chess.chances(values) == pytest.approx([1 / 2, 3 / 4, 1 / 4])
    assert chess.error(values, values[::-1]) == pytest.approx(math.sqrt((0.25**2 + 0.25**2) / 3))


@learns
def test_chess_is_fitted_to_positions(monkeypatch, capsys, tmp_path):
    """Whoever is told that knights are worth more than they are values them higher."""
    pytest.importorskip("scipy")
    rng = random.Random(4)
    lines = []
    position = registry.game("chess").new()
    while len(lines) < 1050:
        position.setup("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        for _ in range(60):
            if position.outcome() is not None:
                break
            position.make(rng.choice(position.moves()))
            board = position.text().split()[0]
            more = 400 * (board.count("N") - board.count("n"))
            lines.append(f"{position.text()};{more}\n")
    (tmp_path / "some.txt").write_text("".join(lines))
    out = tmp_path / "a.toml"
    status, said, err = call(monkeypatch, capsys, chess.main, tmp_path / "some.txt", "--out", out)
    assert status == 0, err
    assert said.splitlines() == [
        "1080 positions; error 0.2705, held back 0.3082",
        "fitted: error 0.1381, held back 0.2467",
        str(out),
    ]
    assert out.read_text().startswith("# Fitted to 1080 positions of some.txt.\n")
    default = position.evaluations["classic"].weights["material"]
    learned = chosen(str(out), position).weights["material"]
    assert learned[1] != default[1]
    assert chosen(str(out), position).weights["tempo"] == position.evaluations["classic"].weights["tempo"]
    again = tmp_path / "b.toml"
    words = [tmp_path / "some.txt", "--out", again, "--start", out, "--most", 600]
    status, said, err = call(monkeypatch, capsys, chess.main, *words)
    assert (status, err) == (0, "") and said.startswith("600 positions; error ")


@learns
def test_backgammon_is_fitted_to_what_a_net_expects():
    """Weights that nobody tells it come out, in thousandths, from what positions with them are worth."""
    pytest.importorskip("scipy")
    rng, told = random.Random(8), []
    truth = {rng.randrange(backgammon.WEIGHTS): rng.uniform(-0.4, 0.4) for _ in range(12)}
    samples = []
    for _ in range(3000):
        terms = [(number, rng.choice((-32, -16, 16, 32))) for number in truth if rng.random() < 0.5]
        samples.append((terms, sum(truth[number] * amount / 16 for number, amount in terms)))
    found = array("h", backgammon.fitted(samples, told.append))
    assert len(found) == backgammon.WEIGHTS
    for number, weight in enumerate(found):
        assert weight == pytest.approx(1000 * truth.get(number, 0), abs=2)
    assert told == ["3,000 positions; on those held back the error is 0.001 points"]


def test_what_a_net_says_is_worth_points():
    class Net:
        def probabilities(self, board, plies):
            assert board == [list(range(1, 26)), list(range(26, 51))]
            return 0.7, 0.25, 0.05, 0.1, 0.02

    worth = backgammon.equity(Net(), range(26), range(25, 51))
    assert worth == pytest.approx(0.7 + 0.25 + 0.05 - 0.3 - 0.1 - 0.02)
    assert [backgammon.rearmost(men) for men in ([0] * 26, [3, 1] + [0] * 24, [0] * 25 + [1])] == [0, 1, 25]


def test_what_is_wrong_is_told_in_a_line(monkeypatch, capsys, tmp_path):
    (tmp_path / "a.txt").write_text("8/8 w - - 0 1\n")
    cases = [
        (othello.main, ["--out", "a.toml", "--games", "3"], 2, "--games is at least 10, not 3"),
        (othello.main, ["--out", "a.bin"], 2, "ends with .toml, not a.bin"),
        (chess.main, [tmp_path / "none.txt", "--out", "a.toml"], 6, "No such file"),
        (
            chess.main,
            [tmp_path / "a.txt", "--out", "a.toml"],
            6,
            "line 1: '8/8 w - - 0 1' should read FEN;CENTIPAWNS",
        ),
        (chess.main, [tmp_path / "a.txt", "--out", "a.txt"], 2, "ends with .toml"),
        (
            chess.main,
            [tmp_path / "a.txt", "--out", "a.toml", "--start", "turing"],
            2,
            "is a file of weights of classic",
        ),
    ]
    pytest.importorskip("scipy")
    for main, words, right, said in cases:
        status, _, err = call(monkeypatch, capsys, main, *words)
        assert (status, err.count("\n")) == (right, 1)
        assert said in err


@pytest.mark.parametrize(
    ("main", "name", "words"),
    [
        (othello.main, "numpy", ["--out", "a.toml"]),
        (chess.main, "numpy", ["a.txt", "--out", "a.toml"]),
        (chess_positions.main, "chess", ["a.txt"]),
        (backgammon.main, "gnubg_nn", ["fit", "--out", "a.toml"]),
    ],
)
def test_without_its_libraries_it_says_what_to_install(main, name, words, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, name, None)
    status, _, err = call(monkeypatch, capsys, main, *words)
    assert (status, err) == (2, f"this needs {name}: pip install 'gameplay[learning]'\n")


def test_positions_need_stockfish(monkeypatch, capsys, tmp_path):
    pytest.importorskip("chess")
    monkeypatch.setattr(chess_positions.shutil, "which", lambda *_, **__: None)
    status, _, err = call(monkeypatch, capsys, chess_positions.main, tmp_path / "a.txt")
    assert (status, err) == (2, "this needs the program stockfish: it is not on the PATH\n")
    assert not (tmp_path / "a.txt").exists()


@pytest.mark.once
@pytest.mark.parametrize(
    ("main", "words"),
    [
        (othello.main, []),
        (chess.main, ["a.txt"]),
        (chess_positions.main, []),
        (scrabble.main, ["leaves"]),
        (scrabble.main, ["--out", "a.toml"]),
        (backgammon.main, ["fit"]),
        (backgammon.main, ["--out", "a.toml"]),
    ],
)
def test_a_program_needs_to_be_told_where_to_write(main, words, monkeypatch, capsys):
    status, said, err = call(monkeypatch, capsys, main, *words)
    assert (status, said) == (2, "") and "the following arguments are required" in err


@pytest.mark.once
@pytest.mark.parametrize("name", ["backgammon", "chess", "chess_positions", "othello", "scrabble"])
@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")
def test_a_module_that_learns_is_a_program(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["learn", "--help"])
    with pytest.raises(SystemExit) as left:
        runpy.run_module(f"gameplay.learning.{name}", run_name="__main__")
    assert left.value.code == 0 and capsys.readouterr().out.startswith("usage: learn ")


@pytest.mark.once
@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")
def test_names_of_lists_are_printed(monkeypatch, capsys, tmp_path):
    for number, words in enumerate(("1. e4", "1. d4")):
        (tmp_path / f"{number}.tsv").write_text(f"eco\tname\tpgn\nA0{number}\tN{number}\t{words}\n")
    monkeypatch.setattr(sys, "argv", ["names", "chess", *map(str, sorted(tmp_path.iterdir()))])
    runpy.run_module("gameplay.learning.names", run_name="__main__")
    head, *rows = capsys.readouterr().out.splitlines()
    assert head == "# Names of the openings of chess by position: key (see names.py), code, name, moves."
    assert sorted(row.split("\t")[1:] for row in rows) == [["A00", "N0", "e4"], ["A01", "N1", "d4"]]


def test_a_line_that_a_program_prints_is_out_at_once(monkeypatch, capsys):
    sys.stdout.reconfigure(line_buffering=False)
    assert call(monkeypatch, capsys, lambda: print(sys.stdout.line_buffering)) == (0, "True\n", "")


def test_who_breaks_a_program_off_is_told_nothing(monkeypatch, capsys):
    def broken():
        raise KeyboardInterrupt

    assert call(monkeypatch, capsys, broken) == (130, "", "")


# -- othello ---------------------------------------------------------------------------------------------


def classic_games(count):
    return othello.games(count, registry.game("othello").new().evaluations["classic"], 5)


@learns
def test_what_a_position_of_othello_tells_is_what_its_rules_say():
    """How many moves both sides have, and the empty squares beside the discs of each."""
    np = pytest.importorskip("numpy")
    rows = classic_games(2)[::5]
    found = othello.features(*(np.array([row[side] for row in rows], dtype=np.uint64) for side in (0, 1)))

    def reached(own, other):
        """Squares to move to: along a line of the other's discs with an own one at its end."""
        count = 0
        for x in range(8):
            for y in range(8):
                ways = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
                count += (x, y) not in own | other and any(turned(own, other, x, y, *way) for way in ways)
        return count

    def turned(own, other, x, y, a, b):
        n = 1
        while (x + n * a, y + n * b) in other:
            n += 1
        return n > 1 and (x + n * a, y + n * b) in own

    def beside(discs, all_discs):
        near = {(x + a, y + b) for x, y in discs for a in (-1, 0, 1) for b in (-1, 0, 1)}
        return sum(0 <= x < 8 and 0 <= y < 8 for x, y in near - all_discs)

    for row, columns in zip(rows, found.tolist(), strict=True):
        p, o = ({divmod(s, 8) for s in range(64) if row[side] >> s & 1} for side in (0, 1))
        odd = (64 - len(p | o)) % 2
        wanted = [reached(p, o), reached(o, p), beside(o, p | o), beside(p, p | o), 1 - odd, odd]
        assert columns == wanted


@learns
def test_weights_of_othello_are_those_of_the_normal_equations():
    """Weighed ridge regression, (X'RX + ridge) w = X'Ry with R = 1 / (1 + (y / CLOSE)^2), solved outright."""
    np = pytest.importorskip("numpy")
    rng = np.random.default_rng(3)
    where, more, y = rng.integers(0, 9, (50, 4)), rng.normal(size=(50, 6)), 20 * rng.normal(size=50)
    whole = np.concatenate([more, np.zeros((50, 9))], 1)
    for row, numbers in zip(whole, where, strict=True):
        for number in numbers:
            row[6 + number] += 1
    for phase, ridge in ((0, 40.0), (4, 40 - 37 * 4 / 11), (11, 3.0)):
        close = 1 / (1 + (y / 24) ** 2)
        wanted = np.linalg.solve(whole.T * close @ whole + ridge * np.eye(15), whole.T * close @ y)
        v, w, error = othello.solve(where, more, y, 9, phase)
        assert [*v, *w] == pytest.approx(list(wanted))
        left = whole @ wanted - y
        assert error == pytest.approx(math.sqrt((close * left**2).sum() / close.sum()))
    v, w, error = othello.solve(where, more, 0 * y, 9, 3)
    assert not v.any() and not w.any() and error == 0
    v, w, error = othello.solve(where[:0], more[:0], y[:0], 9, 3)
    assert (list(v), list(w), error) == ([0] * 6, [0] * 9, 0)


@learns
def test_a_fit_of_othello_is_as_it_was_kept(monkeypatch, capsys):
    """From games of `classic`, of which one has an opening that is not even; there is no truth of it."""
    np = pytest.importorskip("numpy")
    monkeypatch.setattr(othello, "STEPS", 4)
    rows = classic_games(14)
    assert (len(rows), zlib.crc32(repr(rows).encode())) == (553, 661490015)
    weights = othello.fit(rows)
    assert (len(weights), zlib.crc32(weights)) == (658080, 3923720078)
    assert capsys.readouterr().out.splitlines() == [
        "  55..67 discs      125 positions  error 3.88 discs",
        "  50..62 discs      177 positions  error 5.09 discs",
        "  45..57 discs      173 positions  error 6.43 discs",
        "  40..52 discs      168 positions  error 7.94 discs",
        "  35..47 discs      158 positions  error 9.01 discs",
        "  30..42 discs      142 positions  error 9.95 discs",
        "  25..37 discs      128 positions  error 10.66 discs",
        "  20..32 discs      119 positions  error 11.87 discs",
        "  15..27 discs      104 positions  error 11.98 discs",
        "  10..22 discs       65 positions  error 13.37 discs",
        "   5..17 discs       20 positions  error 14.24 discs",
        "   0..12 discs        3 positions  error 17.89 discs",
    ]
    monkeypatch.setattr(othello, "ENOUGH", 40)
    monkeypatch.setattr(othello, "CLOSE", 10**9)
    weights = othello.fit([(p, o, 10**6 * result, turn) for p, o, result, turn in rows])
    linear, classes = np.frombuffer(weights[:144], "<i2"), np.frombuffer(weights[144:], np.int8)
    assert [each(part) for part in (linear, classes) for each in (min, max)] == [-32000, 32000, -127, 127]
    assert zlib.crc32(weights) == 1717146146
    counts = [int(line.split()[2]) for line in capsys.readouterr().out.splitlines()]
    assert counts == [32, 36, 35, 34, 40, 36, 32, 40, 35, 33, 20, 3], "every so many of them, 40 at most"


@pytest.mark.once
@pytest.mark.parametrize(
    ("words", "seed", "counts"),
    [(["--games", "10", "--seed", "7"], 7, (1, 2, 7)), ([], 1, (4500, 9000, 31500))],
)
def test_othello_is_learned_in_three_parts(words, seed, counts, monkeypatch, capsys, tmp_path):
    """The second and third are played by what was fitted before; the last fit is to both."""
    pytest.importorskip("numpy")
    size = registry.game("othello").new().evaluations["patterns"].size
    played, fits, clock = [], [], iter(n * n for n in range(99))

    def games(count, evaluation, seed):
        played.append((count, evaluation.name, evaluation.checksum, seed))
        return [(count, 0, 0, 0)] * 2

    def fit(rows):
        fits.append([row[0] for row in rows])
        return bytes([len(fits)]) * size

    monkeypatch.setattr(othello, "games", games)
    monkeypatch.setattr(othello, "fit", fit)
    monkeypatch.setattr(othello, "time", SimpleNamespace(process_time=lambda: next(clock)))
    out = tmp_path / "a.toml"
    status, said, err = call(monkeypatch, capsys, othello.main, "--out", out, *words)
    one, two, three = counts
    assert (status, err) == (0, "")
    assert said.splitlines() == [
        f"{one} games by classic: 2 positions, 1 s", "fitted in 5 s", str(out),
        f"{two} games by patterns: 2 positions, 9 s", "fitted in 13 s", str(out),
        f"{three} games by patterns: 2 positions, 17 s", "fitted in 21 s", str(out),
    ]  # fmt: skip
    assert [(count, name, at) for count, name, _, at in played] == [
        (one, "classic", seed), (two, "patterns", seed + 1), (three, "patterns", seed + 2)
    ]  # fmt: skip
    assert len({checksum for _, _, checksum, _ in played}) == 3
    assert fits == [[one] * 2, [two] * 2, [two] * 2 + [three] * 2]
    assert zlib.decompress((tmp_path / "a.bin").read_bytes()) == b"\3" * size
    assert out.read_text().startswith(f"# Learned from {sum(counts)} games, seed {seed}.\n")


# -- chess -----------------------------------------------------------------------------------------------

FENS = (
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 0 7",
    "r2q1rk1/1b2bppp/p2ppn2/1p6/3NPP2/P1N1B3/1PPQB1PP/2KR3R b - - 0 13",
    "8/5k2/3b1p2/1n6/2P1B3/5K2/4N3/8 b - - 0 1",
    "6k1/pp1qr1pB/2p5/3p4/3P2QN/2P5/PP4PP/6K1 b - - 0 1",
    "8/2p2k2/1p3p2/1P2p1p1/P3P1P1/2P2K2/8/8 w - - 0 1",
    "8/8/8/8/2k5/8/2R5/3bK3 b - - 0 1",  # a rook against a bishop is seldom more than a draw
)


@learns
def test_changes_of_the_weights_of_chess_do_what_derivatives_say():
    np = pytest.importorskip("numpy")
    pytest.importorskip("scipy")
    position = registry.game("chess").new()
    weights = position.evaluations["classic"].weights
    fit = chess.Fit([chess.read(fen) for fen in FENS], weights)
    base = fit.values(weights)
    white = [1 if " w " in fen else -1 for fen in FENS]
    assert list(base) == [
        s * registry.game("chess").new(fen).evaluate() for s, fen in zip(white, FENS, strict=True)
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
            found = fit.values({**weights, name: changed}) - base
            assert list(found) == pytest.approx(list(slopes @ flat), abs=2), name
    assert at == slopes.shape[1]
    assert zlib.crc32(np.rint(1000 * slopes.toarray()).astype(int).tobytes()) == 2224731049


@learns
def test_weights_of_chess_are_pulled_to_where_they_began_and_to_their_neighbours():
    """At the least sum of squares its slope is 0: worked out here from the sum that the module tells."""
    np = pytest.importorskip("numpy")
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(2)
    x = sparse.csr_matrix(rng.normal(size=(40, 6)))
    base, label, start = 90 * rng.normal(size=40), 90 * rng.normal(size=40), 50 * rng.normal(size=6)
    smooth = sparse.csr_matrix(np.array([[1.0, 0, -1, 0, 0, 0], [0, 0, 0, 1, 0, -1]]))

    def cost(change):
        errors = chess.chances(base + x @ change) - chess.chances(label)
        apart = smooth @ (start + change)
        return (errors**2).sum() + chess.RIDGE * (change**2).sum() + chess.SMOOTH * (apart**2).sum()

    found = chess.solve(x, base, label, start, smooth)
    for way in np.eye(6):
        assert cost(found) < min(cost(found + way), cost(found - way))
        assert cost(found + way) == pytest.approx(cost(found - way), rel=2e-3)


@learns
def test_neighbours_are_squares_side_by_side_and_one_move_more():
    """Of a board's left half, 4 files by 8 ranks; of 0 to 8, 13, 14 and 27 moves of pieces."""
    pytest.importorskip("scipy")
    weights = registry.game("chess").new().evaluations["classic"].weights
    rows = chess.neighbours(weights)
    names = [(name, i, side) for name, pairs in weights.items() for i in range(len(pairs)) for side in (0, 1)]
    assert rows.shape == (len(chess.neighbours(weights).toarray()), len(names))
    found = []
    for row in rows.toarray():
        more, less = (next(iter((row == sign).nonzero()[0])) for sign in (1, -1))
        assert abs(row).sum() == 2
        found.append((names[more], names[less]))
    wanted = []
    for kind in range(6):
        cells = [(rank, file) for rank in range(8) for file in range(4)]
        for rank, file in cells:
            for other in ((rank, file + 1), (rank + 1, file)):
                if other in cells:
                    wanted += [
                        tuple(("square", 32 * kind + 4 * r + f, side) for r, f in ((rank, file), other))
                        for side in (0, 1)
                    ]
    first = 0
    for most in (8, 13, 14, 27):
        wanted += [
            (("mobility", first + n, side), ("mobility", first + n + 1, side))
            for n in range(most)
            for side in (0, 1)
        ]
        first += most + 1
    assert sorted(found) == sorted(wanted)


@learns
def test_positions_of_chess_are_read_that_are_worth_a_lesson(tmp_path):
    """Half a draw, or with three men, they are not; a thousand are the fewest."""
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
    with pytest.raises(BadInput, match=r"a.txt has 999 positions that are worth a lesson: 1000 is too few$"):
        chess.load(file)
    file.write_bytes(b"\xff")
    with pytest.raises(BadInput, match=r"a.txt: not a text file$"):
        chess.load(file)


# -- backgammon ------------------------------------------------------------------------------------------


@pytest.mark.once
def test_the_table_of_bearing_off_begins_with_that_of_few_men(monkeypatch, capsys, tmp_path):
    """Ways with few men come first in it, and those with more do not change them."""
    monkeypatch.setattr(backgammon, "MEN", 3)
    out = tmp_path / "a.bin"
    assert call(monkeypatch, capsys, backgammon.main, "bearoff", "--out", out) == (0, "", "")
    whole = zlib.decompress(Path(evaluations.__file__).with_name("bearoff.bin").read_bytes())
    ways, every = math.comb(6 + 3, 3), math.comb(6 + 15, 15)
    first, count = whole[:ways], whole[every : every + ways]
    chances = whole[2 * every : 2 * every + 2 * sum(count)]
    assert zlib.decompress(out.read_bytes()) == first + count + chances
    homes = backgammon.homes()
    assert len(homes) == ways and homes[:4] == [(0,) * 6, (1, *[0] * 5), (0, 1, *[0] * 4), (2, *[0] * 5)]
    assert sorted(map(backgammon.index, homes)) == list(range(ways))


class Runner:
    """A net that counts pips alone."""

    def __init__(self):
        self.asked = []

    def probabilities(self, board, plies):
        assert plies == 0
        waiting, rolling = (sum(pips * men for pips, men in enumerate(side, 1)) for side in board)
        won = min(max(0.5 + (waiting - rolling) / 200, 0), 1)
        self.asked.append((waiting, rolling))
        return won, won**3 / 3, won**5 / 50, (1 - won) ** 3 / 3, (1 - won) ** 5 / 50


@pytest.mark.once
def test_of_each_turn_the_best_positions_and_one_more_are_learned_from():
    net = Runner()
    samples = backgammon.game(random.Random(0), net)
    assert (len(samples), zlib.crc32(repr(samples).encode())) == (558, 2725300130)
    assert all(-3 <= worth <= 3 and terms for terms, worth in samples)
    assert len(net.asked) == 1846


@pytest.mark.once
@pytest.mark.parametrize(("games", "seed", "words"), [(200, 7, ["--games", 200, "--seed", 7]), (2400, 1, [])])
def test_weights_of_backgammon_are_written_with_how_they_came_about(
    games, seed, words, monkeypatch, capsys, tmp_path
):
    monkeypatch.setitem(sys.modules, "gnubg_nn", "a net")
    drawn, fitted = [], bytes(range(256)) * 12 + bytes(2 * backgammon.WEIGHTS - 3072)

    def game(rng, net):
        assert net == "a net"
        drawn.append(rng.random())
        return [("terms", 0.5)] * 11

    def fit(samples, tell):
        assert samples == [("terms", 0.5)] * 11 * games and tell is print
        return fitted

    monkeypatch.setattr(backgammon, "game", game)
    monkeypatch.setattr(backgammon, "fitted", fit)
    out = tmp_path / "a.toml"
    status, said, err = call(monkeypatch, capsys, backgammon.main, "fit", "--out", out, *words)
    assert (status, err) == (0, "")
    told = [f"{count} games, {11 * count:,} positions\n" for count in range(100, games + 1, 100)]
    assert said == "".join(told)
    rng = random.Random(seed)
    assert drawn == [rng.random() for _ in range(games)]
    assert zlib.decompress((tmp_path / "a.bin").read_bytes()) == fitted
    assert out.read_text().startswith(
        "# Weights of backgammon, fitted by gameplay.learning.backgammon.\n"
        'game = "backgammon"\nevaluation = "terms"\n'
    )


# -- positions of chess ----------------------------------------------------------------------------------

STOCKFISH = """#!/bin/sh
while read -r line; do
  echo "$line" >> {told}
  case "$line" in
    "go nodes"*) head -n 1 {answers} | tr '|' '\\n'; sed -i 1d {answers}; [ -s {answers} ] || exit 0 ;;
  esac
done
"""


@pytest.mark.once
def test_stockfish_is_asked_for_its_move_and_what_it_is_worth(monkeypatch, tmp_path):
    """Bounds do not count, the last value does, and a mate is worth no centipawns."""
    told, answers, program = tmp_path / "told", tmp_path / "answers", tmp_path / "stockfish"
    answers.write_text(
        "info depth 9 score cp 31 nodes 7|info depth 10 score cp 90 lowerbound|bestmove e2e4 ponder e7e5\n"
        "info score cp 5|info score mate 3|bestmove d1h5\ninfo depth 1 score cp 2\n"
    )
    program.write_text(STOCKFISH.format(told=told, answers=answers))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    oracle = chess_positions.Oracle()
    assert oracle.ask("8/8 w - - 0 1") == ("e2e4", 31)
    assert oracle.ask("8/9 w - - 0 1") == ("d1h5", None)
    with pytest.raises(EOFError, match="Stockfish has left"):
        oracle.ask("8/10 w - - 0 1")
    oracle.process.communicate()
    assert told.read_text().splitlines() == [
        "uci",
        "setoption name Hash value 8",
        "setoption name Threads value 1",
        *(line for n in (8, 9, 10) for line in (f"position fen 8/{n} w - - 0 1", "go nodes 2500")),
    ]


class Sure:
    """Knows a move of each position, and a value: more than there is to say of every fourth."""

    def __init__(self, worth=lambda mixed: mixed % 3001 - 1500):
        self.worth = worth
        self.asked = []

    def send(self, line):
        self.asked.append(line)

    def ask(self, fen):
        self.asked.append(fen)
        board = sys.modules["chess"].Board(fen)
        mixed = zlib.crc32(fen.encode())
        words = sorted(move.uci() for move in board.legal_moves)
        return words[mixed % len(words)], self.worth(mixed)


@pytest.mark.once
def test_quiet_positions_of_games_are_kept():
    chess = pytest.importorskip("chess")
    lines, asked = [], []
    for seed in (1, 2):
        oracle = Sure()
        lines += chess_positions.game(oracle, random.Random(seed))
        asked.append(len(oracle.asked))
    assert (asked, len(lines), zlib.crc32("".join(lines).encode())) == ([76, 67], 125, 415606767)
    for worth, many in ((None, 0), (1501, 0), (-1501, 0), (1500, 1), (-1500, 1)):
        found = chess_positions.game(Sure(lambda _, worth=worth: worth), random.Random(1))
        assert bool(found) == bool(many)
        for line in found:
            board = chess.Board(line.split(";")[0])
            assert line.split(";")[1] == f"{worth if board.turn else -worth}\n"


@pytest.mark.once
def test_positions_are_written_until_the_time_is_over(monkeypatch, capsys, tmp_path):
    pytest.importorskip("chess")
    oracle, clock, seeds = Sure(), iter(range(0, 10**6, 100)), []

    def game(asked, rng):
        assert asked is oracle
        seeds.append(rng.random())
        return [f"{len(seeds)}\n", "x\n"]

    monkeypatch.setattr(chess_positions, "Oracle", lambda: oracle)
    monkeypatch.setattr(chess_positions, "game", game)
    monkeypatch.setattr(chess_positions, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    out = tmp_path / "a.txt"
    for words, games, seed in (((), 4, 1), (("--minutes", 5, "--seed", 9), 2, 9)):
        seeds.clear()
        assert call(monkeypatch, capsys, chess_positions.main, out, *words) == (0, "", "")
        assert out.read_text() == "".join(f"{n}\nx\n" for n in range(1, games + 1))
        rng = random.Random(seed)
        assert seeds == [rng.random() for _ in range(games)]
        assert oracle.asked.pop() == "quit" and not oracle.asked


# -- scrabble --------------------------------------------------------------------------------------------


@pytest.mark.once
def test_what_is_kept_is_learned_from_what_the_next_turn_brings():
    leaves = registry.game("scrabble").new().evaluations["leaves"]
    samples = scrabble.samples(random.Random(3), 50, leaves)
    assert samples[0] == ([20, 406], 56.15)  # a T alone, one consonant among no vowels
    assert (len(samples), zlib.crc32(repr(samples).encode())) == (50, 2021253737)


@pytest.mark.once
def test_leaves_are_fitted_to_what_they_bring():
    """Worths that nobody tells it come out, in hundredths, counted from that of nothing kept."""
    pytest.importorskip("numpy")
    rng, told, samples = random.Random(5), [], []
    for _ in range(10_400):
        kept = [rng.randrange(scrabble.KINDS) for _ in range(rng.randrange(4))]
        samples.append((scrabble.terms(kept), 30 + sum(kept) + 7 * (kept[:2] == [3, 2])))
    found = scrabble.fitted(samples, told.append)
    assert told == ["mean 49.68, explained 0.993"]
    assert found["tiles"][5:10] == [286, 284, 384, 483, 681]  # e to i, so far as others do not tell it
    assert found["pairs"][3][2] == found["pairs"][2][3] == 39
    assert found["balance"][:4] == [
        [0, 318, 631, 933, 0, 0, 0, 0],
        [236, 529, 828, 0, 0, 0, 0, 0],
        [452, 699, 0, 0, 0, 0, 0, 0],
        [545, 0, 0, 0, 0, 0, 0, 0],
    ]
    checksums = {name: zlib.crc32(repr(held).encode()) for name, held in found.items()}
    assert checksums == {"tiles": 762234118, "pairs": 2770697883, "balance": 4046868356}


@pytest.mark.once
@pytest.mark.parametrize(
    ("count", "rounds", "seed", "words"),
    [(1200, 2, 4, ["--samples", 1200, "--rounds", 2, "--seed", 4]), (400_000, 3, 1, [])],
)
def test_leaves_are_learned_in_rounds(count, rounds, seed, words, monkeypatch, capsys, tmp_path):
    """Each plays by the leaves of that before it, and each writes the file."""
    usual = registry.game("scrabble").new().evaluations["leaves"]
    played, drawn = [], []

    def samples(rng, count, evaluation):
        played.append(evaluation.weights["tiles"][1])
        drawn.append(rng.random())
        return [([1], 2.0)] * count

    def fitted(found, tell):
        assert found == [([1], 2.0)] * count and tell is print
        weights = {name: list(held) for name, held in usual.weights.items()}
        weights["tiles"][1] = 100 + len(played)
        return weights

    monkeypatch.setattr(scrabble, "samples", samples)
    monkeypatch.setattr(scrabble, "fitted", fitted)
    out = tmp_path / "a.toml"
    status, said, err = call(monkeypatch, capsys, scrabble.main, "leaves", "--out", out, *words)
    told = [f"round {number}: {count:,} samples\n" for number in range(1, rounds + 1)]
    assert (status, said, err) == (0, "".join(told), "")
    assert played == [usual.weights["tiles"][1], 101, 102][:rounds]
    assert drawn == [random.Random(f"{seed}/{number}").random() for number in range(rounds)]
    lines = out.read_text().splitlines()
    assert lines[:5] == [
        "# What tiles are worth that are kept at Scrabble, in hundredths of a point.",
        f"# Learned by gameplay.learning.scrabble: {rounds} rounds of {count:,} samples.",
        'game = "scrabble"',
        'evaluation = "leaves"',
        "version = 1",
    ]
    position = registry.game("scrabble").new()
    assert chosen(str(out), position).weights["tiles"][1] == 100 + rounds


@pytest.mark.once
def test_lists_of_words_are_packed(monkeypatch, capsys, tmp_path):
    listed, out = tmp_path / "few.txt", tmp_path / "few.words"
    listed.write_text("# three\nCAT\nCATS\nAT\n")
    for words, name in (((), "few"), (("--name", "mine"), "mine")):
        status, said, err = call(monkeypatch, capsys, scrabble.main, "words", listed, "--out", out, *words)
        assert (status, said, err) == (0, f"{out}: 3 words, {out.stat().st_size} bytes\n", "")
        assert f"name {name}\n".encode() in out.read_bytes()
        assert registry.game(f"scrabble:words={out}").new().lexicon.words == 3
    status, said, err = call(monkeypatch, capsys, scrabble.main, "words", "--out", out)
    assert (status, said, err) == (6, "", "words are made of a list: name its file\n")
