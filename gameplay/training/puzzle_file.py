"""Chess puzzles of the lichess database: a CSV file of millions of lines, sampled in one pass.

    PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags
    00sHx,q3k1nr/1pp1nQpp/... b k - 0 17,e8d7 a2e6 d7d8 f7f8,1760,80,83,72,mate mateIn2 short,...

FEN is the position before the opponent's move, the first of Moves; then solver and opponent alternate. Lines
are compared as bytes, and only those of the sample are parsed and played by the rules. The sample is uniform
over all lines that match (reservoir sampling, algorithm L of K.-H. Li, 1994), and depends only on the file,
the filter and the seed. A file that ends in .zst is decompressed as it is read.
"""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from math import exp, floor, log
from pathlib import Path
from random import Random
from typing import Any, BinaryIO

from gameplay import extras, file_io, registry
from gameplay.errors import BadInput, GameplayError, Usage, brief, closest
from gameplay.plural import plural
from gameplay.training.practice import Exercise, identity

COLUMNS = b"PuzzleId,FEN,Moves,Rating,"
CHUNK_SIZE = 1 << 22  # bytes read at once
MAX_LINE = 1 << 16  # bytes
OVERSAMPLING = 3  # factor of the sample size, to replace damaged and known puzzles
THEME_LINES = 20_000  # lines read for theme suggestions
_ID = re.compile(r"[A-Za-z0-9]{1,12}$")


@dataclass(frozen=True)
class PuzzleFilter:
    """Selects puzzles with all of these themes and a rating in `ratings` (None: any)."""

    themes: tuple[str, ...] = ()
    ratings: tuple[int, int] | None = None

    def __str__(self) -> str:
        parts = [f"motif {', '.join(self.themes)}"] if self.themes else []
        parts += [f"rating {self.ratings[0]} to {self.ratings[1]}"] if self.ratings else []
        return " and ".join(parts)

    def matching(self, lines: list[bytes]) -> tuple[list[bytes], int]:
        """The matching lines, and the number of damaged ones."""
        for theme in self.themes:  # prefilter by a substring search
            word = theme.encode()
            lines = [line for line in lines if word in line]
        if not self.themes and self.ratings is None:
            return lines, 0
        low, high = self.ratings or (-(10**9), 10**9)
        try:
            if not self.themes:
                return [line for line in lines if low <= int(line.split(b",", 4)[3]) <= high], 0
        except (ValueError, IndexError):
            pass
        return self._check_each(lines, low, high)

    def _check_each(self, lines: list[bytes], low: int, high: int) -> tuple[list[bytes], int]:
        matching, damaged, themes = [], 0, {theme.encode() for theme in self.themes}
        for line in lines:
            fields = line.split(b",", 8)
            try:
                if low <= int(fields[3]) <= high and themes.issubset(fields[7].split()):
                    matching.append(line)
            except (ValueError, IndexError):
                damaged += 1
        return matching, damaged


@dataclass
class PuzzleSample:
    """A random sample of a puzzle file, with the numbers of matching and damaged lines."""

    puzzles: list[Exercise] = field(default_factory=list)
    lines: int = 0
    matched: int = 0
    damaged: int = 0


def sample(
    path: Path,
    puzzle_filter: PuzzleFilter,
    count: int,
    seed: int,
    known_ids: Collection[str] = (),
    watch: Callable[[int], object] | None = None,
) -> PuzzleSample:
    """A random sample of `count` puzzles of a file, excluding the ids `known_ids`.

    `watch` is called with the number of lines read. Raises BadInput for a file that cannot be read or holds
    no puzzles, Usage if none matches.
    """
    result = PuzzleSample()
    reservoir = _Reservoir(OVERSAMPLING * count + len(known_ids), Random(seed))
    themes: set[str] = set()
    for lines in _read_lines(path):
        if result.lines < THEME_LINES:
            themes.update(*(_themes(line) for line in lines[:THEME_LINES]))
        result.lines += len(lines)
        matching, damaged = puzzle_filter.matching(lines)
        result.damaged += damaged
        result.matched += len(matching)
        reservoir.add(matching)
        if watch is not None:
            watch(result.lines)
    if not result.lines:
        raise BadInput(f"{path} holds no puzzles")
    for line in reservoir.shuffle():
        if len(result.puzzles) == count:
            break
        try:
            exercise = puzzle(line)
        except GameplayError:
            result.damaged += 1
            result.matched -= 1
            continue
        if exercise.id not in known_ids:
            result.puzzles.append(exercise)
    if not result.matched and not result.damaged:
        raise Usage(_no_match(path, puzzle_filter, result, themes))
    return result


def _no_match(path: Path, puzzle_filter: PuzzleFilter, result: PuzzleSample, themes: set[str]) -> str:
    suggestions = {theme: closest(theme, themes) for theme in puzzle_filter.themes if theme not in themes}
    hint = next((f"; did you mean '{close}'?" for close in suggestions.values() if close), "")
    total = f"the {result.lines:,} puzzles" if result.lines > 1 else "the only puzzle"
    return f"{path}: none of {total} has {puzzle_filter}{hint}"


def puzzle(line: bytes) -> Exercise:
    """The puzzle of a line, with its moves made by the rules. Raises BadInput for a damaged line."""
    try:
        name, fen, moves, rating, *_, themes = line.decode("ascii").split(",", 8)[:8]
        number = int(rating)
    except (ValueError, UnicodeDecodeError):
        raise BadInput("the line does not have the columns of a puzzle") from None
    if not _ID.fullmatch(name) or not 0 <= number < 10_000:
        raise BadInput(f"'{brief(name)}' is not the name of a puzzle")
    game = registry.game("chess")
    position = game.new(fen)
    words = []
    for word in moves.split():
        if position.outcome() is not None:
            raise BadInput("the game is over before the last move")
        move = position.parse(word)
        words.append(position.format(move))
        position.make(move)
    if len(words) < 2 or len(words) % 2:
        raise BadInput(f"the solution has {plural(len(words), 'move')}; expected an even number")
    return Exercise(
        id=identity("chess", fen, words[:1]),
        game="chess",
        start=fen,
        words=words[:1],
        right=words[1],
        line=words[1:],
        missed="",
        answer=[],
        source=f"lichess {name}, rating {number}",
        themes=themes.split(),
        whole=True,
    )


def _themes(line: bytes) -> list[str]:
    fields = line.split(b",", 8)
    return fields[7].decode("ascii", "replace").split() if len(fields) > 7 else []


class _Reservoir:
    """Reservoir sampling: a uniform sample of `size` of all lines added."""

    def __init__(self, size: int, random: Random) -> None:
        self.size = size
        self.random = random
        self.sample: list[bytes] = []
        self.count = 0
        self.threshold = 1.0
        self.next_index = 0  # index of the next line to enter the sample

    def add(self, lines: list[bytes]) -> None:
        """Add lines to the population."""
        missing = self.size - len(self.sample)
        if missing > 0:
            self.sample += lines[:missing]
            if len(self.sample) == self.size:
                self.next_index = self.size - 1
                self._skip()
        end = self.count + len(lines)
        while len(self.sample) == self.size and self.next_index < end:
            self.sample[self.random.randrange(self.size)] = lines[self.next_index - self.count]
            self._skip()
        self.count = end

    def _skip(self) -> None:
        self.threshold *= exp(log(1 - self.random.random()) / self.size)
        step = log(1 - self.random.random()) / log(1 - self.threshold) if self.threshold < 1 else 0
        self.next_index += floor(step) + 1

    def shuffle(self) -> list[bytes]:
        """The sample in random order."""
        self.random.shuffle(self.sample)
        return self.sample


def _read_lines(path: Path) -> Iterator[list[bytes]]:
    """The lines of a file in lists, without the header. Raises BadInput."""
    is_first, remainder = True, b""
    try:
        with file_io.open_file(path) as file:
            for chunk in _decompress(file, path):
                *lines, remainder = (remainder + chunk).split(b"\n")
                if len(remainder) > MAX_LINE:
                    raise BadInput(f"{path} is not a file of puzzles: a line has more than {MAX_LINE} bytes")
                if is_first and lines:
                    lines, is_first = _without_header(lines, path), False
                yield lines
            if remainder:
                yield _without_header([remainder], path) if is_first else [remainder]
    except OSError as error:
        raise BadInput(file_io.unreadable(path, error)) from None


def _without_header(lines: list[bytes], path: Path) -> list[bytes]:
    if lines[0].startswith(COLUMNS):
        return lines[1:]
    if lines[0].count(b",") < 7 or lines[0].count(b"/") < 7:
        raise BadInput(f"{path} is not a file of puzzles; expected the columns {COLUMNS.decode()}...")
    return lines


def _decompress(file: BinaryIO, path: Path) -> Iterator[bytes]:
    """The contents of a file, decompressed if its name ends in .zst. Raises BadInput, Usage, OSError."""
    if path.suffix.lower() != ".zst":
        while chunk := file.read(CHUNK_SIZE):
            yield chunk
        return
    zstandard: Any = extras.library("zstandard", f"reading {path}", "zstandard")
    try:
        with zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True) as reader:
            while chunk := reader.read(CHUNK_SIZE):
                yield chunk
    except zstandard.ZstdError as error:
        raise BadInput(f"{path} is damaged, or not compressed by zstd: {error}") from None
