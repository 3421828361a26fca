"""Learning Othello: features, normal equations, rounds, corrections by search."""

import math
import os
import zlib
from types import SimpleNamespace

import pytest

from gameplay import registry
from gameplay.games.othello.evaluation import EVALUATIONS
from gameplay.learning.othello import __main__ as rounds
from gameplay.learning.othello import corrections, fit, self_play
from tests.support.learning import learns, run_program


def classic_games(count):
    return self_play.play_games(count, EVALUATIONS["classic"], 5)


@learns
def test_features_of_othello_follow_the_rules():
    """Moves of both sides, and empty squares adjacent to the discs of each."""
    np = pytest.importorskip("numpy")
    rows = classic_games(2)[::5]
    features = fit.features(*(np.array([row[side] for row in rows], dtype=np.uint64) for side in (0, 1)))

    def count_moves(own, other):
        """Count the legal moves: squares that outflank a line of the other's discs."""
        count = 0
        for x in range(8):
            for y in range(8):
                ways = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
                count += (x, y) not in own | other and any(flips(own, other, x, y, *way) for way in ways)
        return count

    def flips(own, other, x, y, a, b):
        n = 1
        while (x + n * a, y + n * b) in other:
            n += 1
        return n > 1 and (x + n * a, y + n * b) in own

    def beside(discs, all_discs):
        near = {(x + a, y + b) for x, y in discs for a in (-1, 0, 1) for b in (-1, 0, 1)}
        return sum(0 <= x < 8 and 0 <= y < 8 for x, y in near - all_discs)

    for row, columns in zip(rows, features.tolist(), strict=True):
        p, o = ({divmod(s, 8) for s in range(64) if row[side] >> s & 1} for side in (0, 1))
        odd = (64 - len(p | o)) % 2
        expected = [count_moves(p, o), count_moves(o, p), beside(o, p | o), beside(p, p | o), 1 - odd, odd]
        assert columns == expected


@learns
def test_weights_of_othello_are_those_of_the_normal_equations():
    """Weighted ridge regression, (X'RX + ridge) w = X'Ry with R = 1 / (1 + (y / CLOSE)^2), solved."""
    np = pytest.importorskip("numpy")
    rng = np.random.default_rng(3)
    where, more, y = rng.integers(0, 9, (50, 4)), rng.normal(size=(50, 6)), 20 * rng.normal(size=50)
    columns = [(column, slice(0, 9)) for column in where.T]
    whole = np.concatenate([more, np.zeros((50, 9))], 1)
    for row, numbers in zip(whole, where, strict=True):
        for number in numbers:
            row[6 + number] += 1
    close = 1 / (1 + (y / 24) ** 2)
    assert fit.closeness(y) == pytest.approx(close)
    for ridge in (40.0, 26.5, 3.0):
        expected = np.linalg.solve(whole.T * close @ whole + ridge * np.eye(15), whole.T * close @ y)
        v, w, error = fit.solve(columns, more, y, close, ridge)
        assert [*v, *w] == pytest.approx(list(expected))
        left = whole @ expected - y
        assert error == pytest.approx(math.sqrt((close * left**2).sum() / close.sum()))
    v, w, error = fit.solve(columns, more, 0 * y, close, 3.0)
    assert not v.any() and not w.any() and error == 0
    v, w, error = fit.solve([(where[:0, 0], slice(0, 9))], more[:0], y[:0], close[:0], 3.0)
    assert (list(v), list(w), error) == ([0] * 6, [0] * 9, 0)


@learns
def test_fit_of_othello_equals_the_stored_one(monkeypatch, capsys):
    """Games of `classic`; one has an uneven opening and gives no positions."""
    np = pytest.importorskip("numpy")
    monkeypatch.setattr(fit, "STEPS", 4)
    rows = classic_games(14)
    assert (len(rows), zlib.crc32(rows.tobytes())) == (625, 2393191859)
    weights = fit.fit(rows)
    assert (len(weights), zlib.crc32(weights)) == (1366668, 58869588)
    assert capsys.readouterr().out.splitlines() == [
        "  55..67 discs      129 positions  error 3.15 discs",
        "  50..62 discs      182 positions  error 3.97 discs",
        "  45..57 discs      179 positions  error 5.27 discs",
        "  40..52 discs      174 positions  error 6.94 discs",
        "  35..47 discs      171 positions  error 8.24 discs",
        "  30..42 discs      160 positions  error 9.03 discs",
        "  25..37 discs      150 positions  error 9.40 discs",
        "  20..32 discs      143 positions  error 10.33 discs",
        "  15..27 discs      136 positions  error 10.75 discs",
        "  10..22 discs       97 positions  error 12.18 discs",
        "   5..17 discs       42 positions  error 15.31 discs",
        "   0..12 discs        5 positions  error 13.75 discs",
    ]
    monkeypatch.setattr(fit, "MAX_POSITIONS", 40)
    monkeypatch.setattr(fit, "CLOSE", 10**9)
    rows["result"] *= 10**6
    weights = fit.fit(rows)
    linear, classes = np.frombuffer(weights[:144], "<i2"), np.frombuffer(weights[144:], np.int8)
    assert [each(part) for part in (linear, classes) for each in (min, max)] == [-32000, 32000, -127, 127]
    assert zlib.crc32(weights) == 3973925281
    counts = [int(line.split()[2]) for line in capsys.readouterr().out.splitlines()]
    assert counts == [33, 37, 36, 35, 35, 32, 38, 36, 34, 33, 21, 5], "evenly spaced, 40 at most"


@pytest.mark.once
@pytest.mark.parametrize(
    ("words", "seed", "counts"),
    [
        (["--games", "14", "--seed", "7", "--jobs", "2"], 7, (1, 2, 5, 6)),
        ([], 1, (100_000, 200_000, 500_000, 600_000)),
    ],
)
def test_othello_is_learned_in_rounds(words, seed, counts, monkeypatch, capsys, tmp_path):
    """Each round plays by the previous fit; the last fit is to the last two rounds."""
    np = pytest.importorskip("numpy")
    size = registry.game("othello").new().evaluations["patterns"].size
    played, fits, clock = [], [], iter(n * n for n in range(99))

    def play_games(count, evaluation, seed, jobs):
        played.append((count, evaluation.name, evaluation.checksum, seed, jobs))
        return np.array([(count, 0, 0, 0)] * 2, self_play.FIELDS)

    def fit_rows(rows):
        fits.append([int(row["mover"]) for row in rows])
        return bytes([len(fits)]) * size

    monkeypatch.setattr(rounds, "play_games", play_games)
    monkeypatch.setattr(rounds, "fit", fit_rows)
    monkeypatch.setattr(rounds, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    out = tmp_path / "a.toml"
    status, output, err = run_program(monkeypatch, capsys, rounds.main, "--out", out, *words)
    first, second, third, fourth = counts
    assert (status, err) == (0, "")
    assert output.splitlines() == [
        f"{first} games by classic: 2 positions, 1 s", "fitted in 5 s", str(out),
        f"{second} games by patterns: 2 positions, 9 s", "fitted in 13 s", str(out),
        f"{third} games by patterns: 2 positions, 17 s", "fitted in 21 s", str(out),
        f"{fourth} games by patterns: 2 positions, 25 s", "fitted in 29 s", str(out),
    ]  # fmt: skip
    assert [(count, name, at) for count, name, _, at, _ in played] == [
        (count, name, seed + part)
        for part, (count, name) in enumerate(zip(counts, ["classic", *["patterns"] * 3], strict=True))
    ]
    assert len({checksum for _, _, checksum, _, _ in played}) == 4
    assert {jobs for *_, jobs in played} == {2 if words else os.cpu_count()}
    assert fits == [[first] * 2, [second] * 2, [third] * 2, [third] * 2 + [fourth] * 2]
    assert zlib.decompress((tmp_path / "a.bin").read_bytes()) == b"\4" * size
    assert out.read_text().startswith(f"# Learned from {sum(counts)} games, seed {seed}.\n")


@learns
def test_games_of_othello_do_not_depend_on_the_number_of_processes(monkeypatch):
    np = pytest.importorskip("numpy")
    monkeypatch.setattr(self_play, "BATCH", 2)
    alone, together = (self_play.play_games(5, EVALUATIONS["patterns"], 3, jobs) for jobs in (1, 2))
    assert np.array_equal(alone, together) and len(alone) > 60


def minimax(position, plies):
    """The value in hundredths of a disc, by the rules and the evaluation alone."""
    outcome = position.outcome()
    if outcome is not None:
        return 100 * outcome[position.turn]
    if not plies:
        return position.evaluate()
    values = []
    for move in position.moves():
        position.make(move)
        values.append(-minimax(position, plies - 1))
        position.unmake()
    return max(values)


@learns
def test_labels_are_values_of_searches_and_exact_near_the_end(monkeypatch):
    np = pytest.importorskip("numpy")
    monkeypatch.setattr(corrections, "DEPTHS", ((30, 1), (53, 3)))
    monkeypatch.setattr(corrections, "BATCH", 7)
    rows = classic_games(3)
    packed = EVALUATIONS["patterns"].weights
    labels = corrections.label(rows, packed)
    assert np.array_equal(labels, corrections.label(rows, packed, 2)), "for any number of processes"
    position = registry.game("othello").new()
    for row, value in list(zip(rows, labels, strict=True))[::9]:
        discs = (int(row["mover"]) | int(row["other"])).bit_count()
        if discs >= 53:
            assert value == row["result"], "solved, as in the game"
            continue
        position.place_discs(int(row["mover"]), int(row["other"]), 0)
        assert 100 * value == pytest.approx(minimax(position, 1 if discs < 30 else 3))


@learns
def test_as_many_positions_of_each_number_of_discs_are_sampled():
    np = pytest.importorskip("numpy")
    rows = classic_games(6)
    drawn = corrections.sample(rows, 3, 1)
    counts = np.bincount(np.bitwise_count(drawn["mover"] | drawn["other"]), minlength=65)
    there = np.bincount(np.bitwise_count(rows["mover"] | rows["other"]), minlength=65)
    assert list(counts[8:53]) == [min(3, count) for count in there[8:53]] and sum(counts) == len(drawn)
    assert len(np.unique(drawn)) == len(drawn) and max(counts) == 3
    assert not np.array_equal(drawn, corrections.sample(rows, 3, 2))


@learns
def test_corrections_learn_what_the_evaluation_misses(monkeypatch, capsys):
    """Labels two discs above the evaluation raise it; labels equal to it change nothing."""
    np = pytest.importorskip("numpy")
    monkeypatch.setattr(corrections, "MARGIN", 0)  # no position is valued by the weights of another phase
    packed = EVALUATIONS["patterns"].weights
    assert fit.pack(*fit.unpack(packed)) == packed
    rows = classic_games(20)
    rows = rows[np.bitwise_count(rows["mover"] | rows["other"]) < 50]

    def values(packed):
        position = registry.game("othello").new()
        position.evaluation = EVALUATIONS["patterns"].with_weights(packed)
        results = []
        for row in rows:
            position.place_discs(int(row["mover"]), int(row["other"]), 0)
            results.append(position.evaluate() / 100)
        return np.array(results)

    before = values(packed)
    assert corrections.correct(rows, before, packed) == packed
    capsys.readouterr()
    middle = np.abs(before) < 30
    rows, before = rows[middle], before[middle]
    after = values(corrections.correct(rows, before + 2, packed))
    assert 0.5 < (after - before).mean() < 2.1
    for line in capsys.readouterr().out.splitlines():
        old, _, new, _ = line.split()[-4:]
        assert float(old) == pytest.approx(2, abs=0.1) and float(new) < float(old), line


@learns
def test_a_phase_without_labels_keeps_its_weights():
    np = pytest.importorskip("numpy")
    packed = EVALUATIONS["patterns"].weights
    rows = classic_games(3)
    rows = rows[np.bitwise_count(rows["mover"] | rows["other"]) // 10 == 3]  # of phases 5 and 6, and 39 discs
    corrected = corrections.correct(rows, np.full(len(rows), 9.0), packed)
    changed = [
        [not np.array_equal(*rows) for rows in zip(*parts, strict=True)]
        for parts in zip(fit.unpack(packed), fit.unpack(corrected), strict=True)
    ]
    assert changed == [[phase in (5, 6, 7) for phase in range(12)]] * 2


@pytest.mark.once
def test_corrections_begin_from_the_included_weights(monkeypatch, capsys, tmp_path):
    np = pytest.importorskip("numpy")
    packed = EVALUATIONS["patterns"].weights
    requests = []

    def play_games(*given):
        requests.append(given)
        return np.array([(1 << square, 255 << 8, 0, 0) for square in range(6)], self_play.FIELDS)

    def correct(rows, y, old):
        assert len(rows) == len(y) == 4 and old == packed
        return bytes(len(old))

    monkeypatch.setattr(corrections, "play_games", play_games)
    monkeypatch.setattr(corrections, "correct", correct)
    monkeypatch.setattr(corrections, "label", lambda rows, old, jobs: [0.0] * len(rows))
    monkeypatch.setattr(corrections, "time", SimpleNamespace(monotonic=lambda: 0.0))
    out = tmp_path / "a.toml"
    words = ["--games", "9", "--positions", "4", "--seed", "5", "--jobs", "2", "--out", out]
    status, output, err = run_program(monkeypatch, capsys, corrections.main, *words)
    assert (status, err) == (0, "") and requests == [(9, EVALUATIONS["patterns"], 5, 2)]
    assert output.splitlines() == ["9 games: 4 positions, 0 s", "searched in 0 s", str(out)]
    assert out.read_text().startswith("# Corrected by the values of 4 positions of 9 games, seed 5.\n")
    assert zlib.decompress((tmp_path / "a.bin").read_bytes()) == bytes(len(packed))
    for wrong, message in (
        (["--jobs", "0", "--out", out], "--jobs expects at least 1, not 0"),
        (["--games", "0", "--out", out], "--games expects at least 1, not 0"),
        (["--positions", "-1", "--out", out], "--positions expects at least 1, not -1"),
        (["--out", "a.bin"], "--out expects a file that ends with .toml, not a.bin"),
    ):
        assert run_program(monkeypatch, capsys, corrections.main, *wrong) == (2, "", f"gameplay: {message}\n")
