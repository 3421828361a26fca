"""Learning Othello: features, normal equations, stages."""

import math
import os
import zlib
from types import SimpleNamespace

import pytest

from gameplay import registry
from gameplay.learning import othello
from tests.support.learning import call, learns


def classic_games(count):
    return othello.games(count, registry.game("othello").new().evaluations["classic"], 5)


@learns
def test_features_of_othello_follow_the_rules():
    """Moves of both sides, and empty squares adjacent to the discs of each."""
    np = pytest.importorskip("numpy")
    rows = classic_games(2)[::5]
    found = othello.features(*(np.array([row[side] for row in rows], dtype=np.uint64) for side in (0, 1)))

    def reached(own, other):
        """Count the legal moves: squares that outflank a line of the other's discs."""
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
    """Weighted ridge regression, (X'RX + ridge) w = X'Ry with R = 1 / (1 + (y / CLOSE)^2), solved."""
    np = pytest.importorskip("numpy")
    rng = np.random.default_rng(3)
    where, more, y = rng.integers(0, 9, (50, 4)), rng.normal(size=(50, 6)), 20 * rng.normal(size=50)
    columns = [(column, slice(0, 9)) for column in where.T]
    whole = np.concatenate([more, np.zeros((50, 9))], 1)
    for row, numbers in zip(whole, where, strict=True):
        for number in numbers:
            row[6 + number] += 1
    for phase, ridge in ((0, 40.0), (4, 40 - 37 * 4 / 11), (11, 3.0)):
        close = 1 / (1 + (y / 24) ** 2)
        wanted = np.linalg.solve(whole.T * close @ whole + ridge * np.eye(15), whole.T * close @ y)
        v, w, error = othello.solve(columns, more, y, 9, phase)
        assert [*v, *w] == pytest.approx(list(wanted))
        left = whole @ wanted - y
        assert error == pytest.approx(math.sqrt((close * left**2).sum() / close.sum()))
    v, w, error = othello.solve(columns, more, 0 * y, 9, 3)
    assert not v.any() and not w.any() and error == 0
    v, w, error = othello.solve([], more[:0], y[:0], 9, 3)
    assert (list(v), list(w), error) == ([0] * 6, [0] * 9, 0)


@learns
def test_fit_of_othello_equals_the_stored_one(monkeypatch, capsys):
    """Games of `classic`; one has an uneven opening and gives no positions."""
    np = pytest.importorskip("numpy")
    monkeypatch.setattr(othello, "STEPS", 4)
    rows = classic_games(14)
    assert (len(rows), zlib.crc32(rows.tobytes())) == (625, 2393191859)
    weights = othello.fit(rows)
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
    monkeypatch.setattr(othello, "MAX_POSITIONS", 40)
    monkeypatch.setattr(othello, "CLOSE", 10**9)
    rows["result"] *= 10**6
    weights = othello.fit(rows)
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

    def games(count, evaluation, seed, jobs):
        played.append((count, evaluation.name, evaluation.checksum, seed, jobs))
        return np.array([(count, 0, 0, 0)] * 2, othello.FIELDS)

    def fit(rows):
        fits.append([int(row["mover"]) for row in rows])
        return bytes([len(fits)]) * size

    monkeypatch.setattr(othello, "games", games)
    monkeypatch.setattr(othello, "fit", fit)
    monkeypatch.setattr(othello, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    out = tmp_path / "a.toml"
    status, output, err = call(monkeypatch, capsys, othello.main, "--out", out, *words)
    one, two, three, four = counts
    assert (status, err) == (0, "")
    assert output.splitlines() == [
        f"{one} games by classic: 2 positions, 1 s", "fitted in 5 s", str(out),
        f"{two} games by patterns: 2 positions, 9 s", "fitted in 13 s", str(out),
        f"{three} games by patterns: 2 positions, 17 s", "fitted in 21 s", str(out),
        f"{four} games by patterns: 2 positions, 25 s", "fitted in 29 s", str(out),
    ]  # fmt: skip
    assert [(count, name, at) for count, name, _, at, _ in played] == [
        (count, name, seed + part)
        for part, (count, name) in enumerate(zip(counts, ["classic", *["patterns"] * 3], strict=True))
    ]
    assert len({checksum for _, _, checksum, _, _ in played}) == 4
    assert {jobs for *_, jobs in played} == {2 if words else os.cpu_count()}
    assert fits == [[one] * 2, [two] * 2, [three] * 2, [three] * 2 + [four] * 2]
    assert zlib.decompress((tmp_path / "a.bin").read_bytes()) == b"\4" * size
    assert out.read_text().startswith(f"# Learned from {sum(counts)} games, seed {seed}.\n")


@learns
def test_games_of_othello_do_not_depend_on_the_number_of_processes(monkeypatch):
    np = pytest.importorskip("numpy")
    monkeypatch.setattr(othello, "BATCH", 2)
    alone, together = (
        othello.games(5, registry.game("othello").new().evaluations["patterns"], 3, jobs) for jobs in (1, 2)
    )
    assert np.array_equal(alone, together) and len(alone) > 60
