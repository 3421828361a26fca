"""Learning Scrabble: values of leaves, packed word lists."""

import random
import zlib

import pytest

from gameplay import registry
from gameplay.evaluation import select_evaluation
from gameplay.learning import scrabble
from tests.support.learning import run_program


@pytest.mark.once
def test_leave_values_are_learned_from_the_next_turn():
    leaves = registry.game("scrabble").new().evaluations["leaves"]
    samples = scrabble.samples(random.Random(3), 50, leaves)
    assert samples[0] == ([20, 406], 56.15)  # a T alone, one consonant among no vowels
    assert (len(samples), zlib.crc32(repr(samples).encode())) == (50, 2021253737)


@pytest.mark.once
def test_leave_values_are_fitted_to_samples():
    """Hidden values are recovered, in hundredths, relative to that of an empty leave."""
    pytest.importorskip("numpy")
    rng, lines, samples = random.Random(5), [], []
    for _ in range(10_400):
        leave = [rng.randrange(scrabble.KINDS) for _ in range(rng.randrange(4))]
        samples.append((scrabble.terms(leave), 30 + sum(leave) + 7 * (leave[:2] == [3, 2])))
    weights = scrabble.fit_weights(samples, lines.append)
    assert lines == ["mean 49.68, explained 0.993"]
    assert weights["tiles"][5:10] == [286, 284, 384, 483, 681]  # e to i, as far as the samples determine them
    assert weights["pairs"][3][2] == weights["pairs"][2][3] == 39
    assert weights["balance"][:4] == [
        [0, 318, 631, 933, 0, 0, 0, 0],
        [236, 529, 828, 0, 0, 0, 0, 0],
        [452, 699, 0, 0, 0, 0, 0, 0],
        [545, 0, 0, 0, 0, 0, 0, 0],
    ]
    checksums = {name: zlib.crc32(repr(held).encode()) for name, held in weights.items()}
    assert checksums == {"tiles": 762234118, "pairs": 2770697883, "balance": 4046868356}


@pytest.mark.once
@pytest.mark.parametrize(
    ("count", "rounds", "seed", "words"),
    [(1200, 2, 4, ["--samples", 1200, "--rounds", 2, "--seed", 4]), (400_000, 3, 1, [])],
)
def test_leaves_are_learned_in_rounds(count, rounds, seed, words, monkeypatch, capsys, tmp_path):
    """Each round plays by the leave values of the previous one, and writes the file."""
    usual = registry.game("scrabble").new().evaluations["leaves"]
    played, drawn = [], []

    def samples(rng, count, evaluation):
        played.append(evaluation.weights["tiles"][1])
        drawn.append(rng.random())
        return [([1], 2.0)] * count

    def fit_weights(rows, progress):
        assert rows == [([1], 2.0)] * count and progress is print
        weights = {name: list(held) for name, held in usual.weights.items()}
        weights["tiles"][1] = 100 + len(played)
        return weights

    monkeypatch.setattr(scrabble, "samples", samples)
    monkeypatch.setattr(scrabble, "fit_weights", fit_weights)
    out = tmp_path / "a.toml"
    status, output, err = run_program(monkeypatch, capsys, scrabble.main, "leaves", "--out", out, *words)
    lines = [f"round {number}: {count:,} samples\n" for number in range(1, rounds + 1)]
    assert (status, output, err) == (0, "".join(lines), "")
    assert played == [usual.weights["tiles"][1], 101, 102][:rounds]
    assert drawn == [random.Random(f"{seed}/{number}").random() for number in range(rounds)]
    lines = out.read_text().splitlines()
    assert lines[:5] == [
        "# Values of Scrabble leaves, in hundredths of a point.",
        f"# Learned by gameplay.learning.scrabble: {rounds} rounds of {count:,} samples.",
        'game = "scrabble"',
        'evaluation = "leaves"',
        "version = 1",
    ]
    position = registry.game("scrabble").new()
    assert select_evaluation(str(out), position).weights["tiles"][1] == 100 + rounds


@pytest.mark.once
def test_word_lists_are_packed(monkeypatch, capsys, tmp_path):
    listed, out = tmp_path / "few.txt", tmp_path / "few.words"
    listed.write_text("# three\nCAT\nCATS\nAT\n")
    for words, name in (((), "few"), (("--name", "mine"), "mine")):
        status, output, err = run_program(
            monkeypatch, capsys, scrabble.main, "words", listed, "--out", out, *words
        )
        assert (status, output, err) == (0, f"{out}: 3 words, {out.stat().st_size} bytes\n", "")
        assert f"name {name}\n".encode() in out.read_bytes()
        assert registry.game(f"scrabble:words={out}").new().lexicon.words == 3
    status, output, err = run_program(monkeypatch, capsys, scrabble.main, "words", "--out", out)
    assert (status, output, err) == (
        6,
        "",
        "gameplay: words requires a word list. Try: words LIST --out FILE.words\n",
    )
