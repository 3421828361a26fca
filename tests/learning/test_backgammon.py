"""Learning backgammon: the bear-off table and rollouts."""

import math
import random
import sys
import zlib
from pathlib import Path

import pytest

from gameplay.games.backgammon import evaluation as evaluations
from gameplay.learning import backgammon
from tests.support.learning import call


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
def test_learning_uses_the_best_positions_and_one_other_of_each_turn():
    net = Runner()
    samples = backgammon.game(random.Random(0), net)
    assert (len(samples), zlib.crc32(repr(samples).encode())) == (558, 2725300130)
    assert all(-3 <= worth <= 3 and terms for terms, worth in samples)
    assert len(net.asked) == 1846


@pytest.mark.once
@pytest.mark.parametrize(("games", "seed", "words"), [(200, 7, ["--games", 200, "--seed", 7]), (2400, 1, [])])
def test_weights_of_backgammon_are_written_with_their_provenance(
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
