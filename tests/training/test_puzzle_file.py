"""Puzzles of the lichess database: sampled from files of lines, checked by the rules, played move by move."""

import io
import sys
from collections import Counter
from pathlib import Path

import pytest

from gameplay import registry
from gameplay.errors import BadInput, Usage
from gameplay.training import practice, puzzle_file
from gameplay.training.puzzle_file import PuzzleFilter
from tests.support.commands import run_printed

pytestmark = pytest.mark.once

HEADER = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n"
# Three puzzles of the example in the description of the database (database.lichess.org).
MATE = (
    "00sHx,q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17,e8d7 a2e6 d7d8 f7f8,1760,80,83,72,"
    "mate mateIn2 middlegame short,https://lichess.org/yyznGmXs/black#34,Italian_Game\n"
)
LONG = (
    "00sJ9,r3r1k1/p4ppp/2p2n2/1p6/3P1qb1/2NQR3/PPB2PP1/R1B3K1 w - - 5 18,e3g3 e8e1 g1h2 e1c1 a1c1 f4h6 h2g1 "
    "h6c1,2671,105,87,325,advantage attraction fork middlegame,https://lichess.org/gyFeQsOE#35,French\n"
)
BACK_RANK = (
    "00sO1,1k1r4/pp3pp1/2p1p3/4b3/P3n1p1/8/KPP2PN1/3rBR1R b - - 2 31,b8c7 e1a5 b7b6 f1d1,998,85,94,293,"
    "advantage discoveredAttack master,https://lichess.org/vsfFkG0s/black#62,\n"
)


@pytest.fixture
def puzzles(tmp_path: Path) -> Path:
    path = tmp_path / "puzzles.csv"
    path.write_text(HEADER + MATE + LONG + BACK_RANK)
    return path


def names(sample: puzzle_file.PuzzleSample) -> list[str]:
    return sorted(puzzle.source.split()[1].rstrip(",") for puzzle in sample.puzzles)


def test_puzzles_are_those_of_the_published_lines() -> None:
    puzzle = puzzle_file.puzzle(MATE.strip().encode())
    assert (puzzle.words, puzzle.line) == (["Kd7"], ["Be6+", "Kd8", "Qf8#"])  # mate in two, as its theme says
    position = registry.game("chess").new(puzzle.start)
    for word in (*puzzle.words, *puzzle.line):
        position.make(position.parse(word))
    assert position.outcome() == (1, -1)
    assert (puzzle.right, puzzle.source, puzzle.whole) == ("Be6+", "lichess 00sHx, rating 1760", True)
    assert puzzle.themes == ["mate", "mateIn2", "middlegame", "short"]
    assert len(puzzle_file.puzzle(LONG.strip().encode()).line) == 7


@pytest.mark.parametrize(
    ("expected", "right"),
    [
        (PuzzleFilter(), ["00sHx", "00sJ9", "00sO1"]),
        (PuzzleFilter(("middlegame",)), ["00sHx", "00sJ9"]),
        (PuzzleFilter(("middlegame", "fork")), ["00sJ9"]),
        (PuzzleFilter((), (998, 1760)), ["00sHx", "00sO1"]),
        (PuzzleFilter(("mate",), (0, 2000)), ["00sHx"]),
    ],
)
def test_filters_choose_by_motif_and_rating(puzzles: Path, expected: PuzzleFilter, right: list[str]) -> None:
    sample = puzzle_file.sample(puzzles, expected, 5, seed=1)
    assert (names(sample), sample.lines, sample.matched, sample.damaged) == (right, 3, len(right), 0)


def test_a_motif_is_a_whole_word(puzzles: Path) -> None:
    with pytest.raises(Usage, match="none of the 3 puzzles has motif mateIn; did you mean 'mateIn2'"):
        puzzle_file.sample(puzzles, PuzzleFilter(("mateIn",)), 1, seed=1)


def test_samples_are_uniform_and_depend_on_the_seed() -> None:
    """Each of 40 lines is in a sample of 5 with probability 1/8: 4,000 samples, ten lines each."""
    lines = [str(number).encode() for number in range(40)]
    counts: Counter[bytes] = Counter()
    for seed in range(4_000):
        reservoir = puzzle_file._Reservoir(5, puzzle_file.Random(seed))
        for start in range(0, 40, 10):
            reservoir.add(lines[start : start + 10])
        chosen = reservoir.shuffle()
        assert len(set(chosen)) == 5
        counts.update(chosen)
    expected, deviation = 500, (4_000 * 1 / 8 * 7 / 8) ** 0.5
    assert all(abs(counts[line] - expected) < 4.5 * deviation for line in lines)


def test_the_same_seed_gives_the_same_puzzles(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    path.write_text("".join(f"{n:05}{MATE[5:]}" for n in range(500)))
    first, again, other = (puzzle_file.sample(path, PuzzleFilter(), 3, seed) for seed in (7, 7, 8))
    sources = [[puzzle.source for puzzle in sample.puzzles] for sample in (first, again, other)]
    assert sources[0] == sources[1] != sources[2]
    assert first.lines == 500, "a file without a header"


DAMAGED = [
    "00sHx,q3k1nr\n",
    MATE.replace("f7f8", "f7f1"),
    MATE.replace(" d7d8 f7f8", " d7d8"),
    MATE.replace("f7f8", "f7f8 e7f8"),
    MATE.replace("/5K2", ""),
    MATE.replace("1760", "high"),
    MATE.replace("00sHx", "00\x1b[2J"),
    MATE.replace("mate ", "m\u00e4te "),
]


@pytest.mark.parametrize("line", DAMAGED)
def test_damaged_lines_are_counted_and_left_out(line: str, tmp_path: Path) -> None:
    path = tmp_path / "damaged.csv"
    path.write_text(HEADER + LONG + line)
    sample = puzzle_file.sample(path, PuzzleFilter(), 2, seed=1)
    assert (names(sample), sample.damaged, sample.matched) == (["00sJ9"], 1, 1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no puzzles"),
        (b"a,b,c\n1,2,3\n", "is not a file of puzzles; expected the columns PuzzleId,FEN,Moves,Rating"),
        (b"PuzzleId,FEN,Moves,Rating,x\n" + b"," * 70_000, "a line has more than 65536 bytes"),
    ],
)
def test_other_files_are_refused(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=message):
        puzzle_file.sample(path, PuzzleFilter(), 1, seed=1)


def test_compressed_files_are_read_as_they_are_decompressed(puzzles: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    packed = puzzles.with_suffix(".csv.zst")
    half = puzzles.read_bytes()[:300], puzzles.read_bytes()[300:]
    packed.write_bytes(b"".join(map(zstandard.ZstdCompressor().compress, half)))  # two frames
    assert names(puzzle_file.sample(packed, PuzzleFilter(), 5, seed=1)) == ["00sHx", "00sJ9", "00sO1"]
    packed.write_bytes(puzzles.read_bytes())
    with pytest.raises(BadInput, match="is damaged, or not compressed by zstd"):
        puzzle_file.sample(packed, PuzzleFilter(), 5, seed=1)


def test_a_missing_extra_is_named(puzzles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = puzzles.with_suffix(".csv.zst")
    packed.write_bytes(b"")
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(Usage, match=r"needs zstandard: pip install 'gameplay\[zstandard\]'"):
        puzzle_file.sample(packed, PuzzleFilter(), 1, seed=1)


# -- asked -----------------------------------------------------------------------------------------


def ask_puzzles(
    lines: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: object
) -> str:
    """The output of `puzzles from` after these typed lines, on success."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines.replace("|", "\n")))
    status, out, err = run_printed(capsys, "puzzles", "from", *words)
    assert (status, err) == (0, "")
    return out


def test_solutions_are_entered_move_by_move(
    puzzles: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = ask_puzzles("Be6|Qf8|", capsys, monkeypatch, puzzles, "--motif", "mate", "--seed", 1)
    lines = out.splitlines()
    assert lines[0] == "1 of 1 puzzle with motif mate, seed 1"
    assert lines[2] == "puzzle 1 of 1: chess, from lichess 00sHx, rating 1760"
    assert "right: black replies Kd8" in lines
    assert "right: Be6+ Kd8 Qf8# (mate, mateIn2, middlegame, short)" in lines
    assert lines[-1] == "solved at once: 1 of 1"
    (exercise,) = practice.load().exercises
    assert (exercise.whole, exercise.asked, exercise.wrong) == (True, 1, 0)
    words = (puzzles, "--motif", "mate", "--seed", "1")
    assert run_printed(capsys, "puzzles", "from", *words)[::2] == (
        6,
        f"gameplay: {puzzles}: the puzzles with motif mate are damaged, or answered already\n",
    )


def test_wrong_moves_may_be_corrected_once(
    puzzles: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "Be6+|Qf7|Bd5|hint|Qf8#|"  # no move, a bad one, a hint, the right one
    out = ask_puzzles(lines, capsys, monkeypatch, puzzles, "--motif", "mate").splitlines()
    assert "no, there is a better move; try again" in out
    assert "the right move begins with Q" in out
    assert out[-1] == "solved at once: 0 of 1"
    out = ask_puzzles("Bd5|Bb3|", capsys, monkeypatch, puzzles, "--rating", "2600-2700").splitlines()
    assert any(line.startswith("'Bd5' is not legal here") for line in out)


def test_any_mate_solves_a_mate(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mates.csv"
    path.write_text("two,6k1/5ppp/8/8/8/8/r7/1K1RR3 b - - 0 1,a2h2 e1e8,600,80,90,100,mateIn1,x,\n")
    assert "right: Re8# (mateIn1)" in ask_puzzles("Rd8|", capsys, monkeypatch, path)
