"""Data of the backgammon evaluations: the bear-off table and fitted weights."""

import math
import random
import sys
import zlib
from pathlib import Path

import pytest

from gameplay.games.backgammon import evaluation as evaluations
from gameplay.learning import backgammon
from tests.support.learning import run_program


@pytest.mark.once
def test_bearoff_table_begins_with_the_table_for_fewer_checkers(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(backgammon, "CHECKERS", 3)
    out = tmp_path / "a.bin"
    assert run_program(monkeypatch, capsys, backgammon.main, "bearoff", "--out", out) == (0, "", "")
    whole = zlib.decompress(Path(evaluations.__file__).with_name("bearoff.bin").read_bytes())
    small, full = math.comb(6 + 3, 3), math.comb(6 + 15, 15)
    first, count = whole[:small], whole[full : full + small]
    probabilities = whole[2 * full : 2 * full + 2 * sum(count)]
    assert zlib.decompress(out.read_bytes()) == first + count + probabilities
    homes = backgammon.homes()
    assert len(homes) == small and homes[:4] == [(0,) * 6, (1, *[0] * 5), (0, 1, *[0] * 4), (2, *[0] * 5)]
    assert sorted(map(backgammon.index, homes)) == list(range(small))


class PipCounter:
    """A network that counts pips only."""

    def __init__(self):
        self.calls = 0

    def probabilities(self, board, plies):
        assert plies == 0
        waiting, rolling = (sum(pips * checkers for pips, checkers in enumerate(side, 1)) for side in board)
        won = min(max(0.5 + (waiting - rolling) / 200, 0), 1)
        self.calls += 1
        return won, won**3 / 3, won**5 / 50, (1 - won) ** 3 / 3, (1 - won) ** 5 / 50


@pytest.mark.once
def test_samples_are_the_best_successors_and_one_other():
    network = PipCounter()
    samples = backgammon.sample_game(random.Random(0), network)
    assert (len(samples), zlib.crc32(repr(samples).encode())) == (558, 2725300130)
    assert all(-3 <= value <= 3 and terms for terms, value in samples)
    assert network.calls == 1846


@pytest.mark.once
@pytest.mark.parametrize(("games", "seed", "words"), [(200, 7, ["--games", 200, "--seed", 7]), (2400, 1, [])])
def test_weights_of_backgammon_are_written_with_their_provenance(
    games, seed, words, monkeypatch, capsys, tmp_path
):
    monkeypatch.setitem(sys.modules, "gnubg_nn", "a network")
    drawn, fitted = [], bytes(range(256)) * 12 + bytes(2 * backgammon.WEIGHTS - 3072)

    def sample_game(rng, network):
        assert network == "a network"
        drawn.append(rng.random())
        return [("terms", 0.5)] * 11

    def fit_weights(samples, progress):
        assert samples == [("terms", 0.5)] * 11 * games and progress is print
        return fitted

    monkeypatch.setattr(backgammon, "sample_game", sample_game)
    monkeypatch.setattr(backgammon, "fit_weights", fit_weights)
    out = tmp_path / "a.toml"
    status, output, err = run_program(monkeypatch, capsys, backgammon.main, "fit", "--out", out, *words)
    assert (status, err) == (0, "")
    lines = [f"{count} games, {11 * count:,} positions\n" for count in range(100, games + 1, 100)]
    assert output == "".join(lines)
    rng = random.Random(seed)
    assert drawn == [rng.random() for _ in range(games)]
    assert zlib.decompress((tmp_path / "a.bin").read_bytes()) == fitted
    assert out.read_text().startswith(
        "# Weights of backgammon, fitted by gameplay.learning.backgammon.\n"
        'game = "backgammon"\nevaluation = "terms"\n'
    )
