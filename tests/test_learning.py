"""What fits weights: it writes files that engines play by, and says what it lacks."""

import math
import random
import sys
import zlib
from array import array
from pathlib import Path
from types import SimpleNamespace

import pytest

from gameplay import registry
from gameplay.evaluation import chosen
from gameplay.evaluations import backgammon as evaluations
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
    before, after = (float(line.partition("error ")[2].partition(",")[0]) for line in said.splitlines()[:2])
    assert after < before
    default = position.evaluations["classic"].weights["material"]
    learned = chosen(str(out), position).weights["material"]
    assert learned[1] != default[1]
    again = tmp_path / "b.toml"
    assert (
        call(
            monkeypatch,
            capsys,
            chess.main,
            tmp_path / "some.txt",
            "--out",
            again,
            "--start",
            out,
            "--most",
            600,
        )[0]
        == 0
    )


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


def test_who_breaks_a_program_off_is_told_nothing(monkeypatch, capsys):
    def broken():
        raise KeyboardInterrupt

    assert call(monkeypatch, capsys, broken) == (130, "", "")


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
def test_weights_of_backgammon_are_written_with_how_they_came_about(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "gnubg_nn", "a net")
    drawn, fitted = [], bytes(range(256)) * 12 + bytes(2 * backgammon.WEIGHTS - 3072)

    def game(rng, net):
        assert net == "a net"
        drawn.append(rng.random())
        return [("terms", 0.5)] * 11

    def fit(samples, tell):
        assert samples == [("terms", 0.5)] * 2200 and tell is print
        return fitted

    monkeypatch.setattr(backgammon, "game", game)
    monkeypatch.setattr(backgammon, "fitted", fit)
    out = tmp_path / "a.toml"
    words = ["fit", "--out", out, "--games", 200, "--seed", 7]
    status, said, err = call(monkeypatch, capsys, backgammon.main, *words)
    assert (status, err) == (0, "")
    assert said == "100 games, 1,100 positions\n200 games, 2,200 positions\n"
    rng = random.Random(7)
    assert drawn == [rng.random() for _ in range(200)]
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

    def tell(self, line):
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
def test_leaves_are_learned_in_rounds(monkeypatch, capsys, tmp_path):
    """Each plays by the leaves of that before it, and each writes the file."""
    usual = registry.game("scrabble").new().evaluations["leaves"]
    played, drawn = [], []

    def samples(rng, count, evaluation):
        played.append(evaluation.weights["tiles"][1])
        drawn.append(rng.random())
        return [([1], 2.0)] * count

    def fitted(found, tell):
        assert found == [([1], 2.0)] * 1200 and tell is print
        weights = {name: list(held) for name, held in usual.weights.items()}
        weights["tiles"][1] = 100 + len(played)
        return weights

    monkeypatch.setattr(scrabble, "samples", samples)
    monkeypatch.setattr(scrabble, "fitted", fitted)
    out = tmp_path / "a.toml"
    words = ["leaves", "--out", out, "--samples", 1200, "--rounds", 2, "--seed", 4]
    status, said, err = call(monkeypatch, capsys, scrabble.main, *words)
    assert (status, said, err) == (0, "round 1: 1,200 samples\nround 2: 1,200 samples\n", "")
    assert played == [usual.weights["tiles"][1], 101]
    assert drawn == [random.Random(f"4/{number}").random() for number in range(2)]
    lines = out.read_text().splitlines()
    assert lines[:5] == [
        "# What tiles are worth that are kept at Scrabble, in hundredths of a point.",
        "# Learned by gameplay.learning.scrabble: 2 rounds of 1,200 samples.",
        'game = "scrabble"',
        'evaluation = "leaves"',
        "version = 1",
    ]
    position = registry.game("scrabble").new()
    assert chosen(str(out), position).weights["tiles"][1] == 102


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
