"""Files of other programs, whole and after one change each, read and written: tests/screens/format_*.txt.

The first lines of a stored text are a file, then what is read of it and how it is written again. Below stands
the result of the same file with a line left out or repeated, or with another letter in a place: `same`, the
numbers of games and moves, results and a checksum of all the rest, or what is said of the first mistake.
"""

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from zlib import crc32

import msgspec
import pytest

from gameplay import registry
from gameplay.matches.match import Match
from gameplay.players.empty_seat import EmptySeat
from gameplay.store.formats import conversion, encoding, game_formats
from gameplay.store.formats.pgn import Line, Sheet, Step
from gameplay.store.record import Record, record_of
from tests.store.formats import test_gcg, test_ggf, test_pbn, test_phh
from tests.support.golden import golden

pytestmark = pytest.mark.once

LETTERS = " 0127ABHWXabhqx.-+*/:;()[]{}'\"#%"
CHANGES = 40
FILES = {
    "pgn": """\
[Event "A \\"quoted\\" day"]
[Site "?"]
[Date "2020.03.09"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]

{before all} 1. e4 $6 e5?! 2. Nf3 {+0.31/12 0.2s} Nc6 (2... d6 {solid} 3. d4
(3. Bc4 Z0 4. Nc3) 3... exd4) 3. Bb5 {+M5/9, known} a6 ; to the end
% passed over
4. O-O Nf6 5. Re1 e.p. Be7 6.
Bxc6 dxc6 1-0

[Event "Study"]
[FEN "4k2r/8/8/8/8/8/4p3/4K2R b Kk - 3 20"]
[SetUp "1"]

20... O-O 21. Kxe2!? Rf2+ {-1.20/7} ½-½
""",
    "pdn": """\
[Event "Short"]
[Date "1946.??.??"]
[White "ann"]
[Black "bob"]
[Result "0-1"]

1. 9-14 24-20* 2. 5-9! {good} 28-24 (2... 27-
24 3. 11-15 {no}) 3. 11-16 20x11 0-1

[Event "The first position of Payne"]
[FEN "W:WK3:BK1,K2"]
[GameType "21,B,8,8,N1,0"]
[SetUp "1"]

1... 3-8 {a king's walk} (1... 3-7 2. 2x11) 2. 2-7 *
""",
    "txt": "# 2020-03-09 ann - bob, Tiger\nf5d6c3d3c4\n\nF5 D6 C5 F4\nf5f6e6f4g5e7e3c5\n",
    "ggf": test_ggf.GAMES.replace("\\\n", ""),
    "mat": """\
 3 point match

 Game 1
 ann : 0                        bob : 0
  1)                             42: 13/9 6/4
  2) 53: 8/3 6/3                 22: 13/11 13/11 11/9 8/6
  3)  Doubles => 2                Takes
  4) 53: 24/21* 8/3              42: 25/23 9/5
  5) 33: 24/21 21/18 6/3 6/3      Doubles => 4
  6)  Drops
                                  Wins 2 points

 Game 2
 ann : 0                        bob : 2
  1) 31: 8/5 6/5                 66: 24/18 24/18 13/7 13/7
""",
    "sgf": """\
(;FF[4]GM[1]SZ[9]CA[UTF-8]PB[Ann]PW[Bob \\] Jr]DT[2020-03-09]KM[5.5]RE[B+R]RU[Japanese]C[begun]
;B[ee]C[in the middle:
so];W[gc]
(;B[cc];W[cg]N[quiet])
(;B[tt]TE[1];W[]))
(;GM[1]SZ[5]HA[2]AB[bb][dd]PL[W]RE[0];W[cc];B[cb]BL[12.5]XX[own])
""",
    "phh": test_phh.HAND,
    "pbn": test_pbn.DEAL,
    "gcg": test_gcg.DOUBTED.replace("#title never mind\n", "") + test_gcg.WHOLE,
}

# Games in each, counted by hand; those of a match of backgammon are one.
COUNTS = {"pgn": 2, "pdn": 2, "txt": 3, "ggf": 4, "mat": 1, "sgf": 2, "phh": 1, "pbn": 1, "gcg": 2}


def steps_of(line: Line, depth: int = 1) -> Iterator[str]:
    """The steps of a line, with variations below the move that they replace."""
    for step in [*([Step("", line.notes, more=line.more)] if line.notes or line.more else []), *line.steps]:
        notes = [note for note in step.notes if not isinstance(note, Line)]
        fields = [
            f"{name}={held}" for name, held in (("notes", notes), ("won", step.won), ("more", step.more))
        ]
        more = [line for line in fields if not line.endswith(("[]", "None", "{}"))]
        yield " ".join([f"{'  ' * depth}{step.mover} {step.at}: {step.word}", *more])
        for note in step.notes:
            if isinstance(note, Line):
                yield from steps_of(note, depth + 1)


def file_rows(file: Path) -> list[str]:
    """The complete content read from a file."""
    rows = []
    for sheet, record in conversion.read(file, registry.game):
        rows += [f"game {sheet.number}: {sheet.result} {dict(sorted(sheet.tags.items()))}"]
        rows += steps_of(sheet.line)
        if record is None:
            rows.append(sheet.problem.replace(str(file), "FILE"))
            continue
        rows.append(f"{record.game}, {record.players}, {record.begun}: {record.result} {record.reason}")
        rows.append(f"from {record.start!r}" if record.start else "from the start")
        rows += [repr(ply) for ply in record.moves if ply.value is not None]
        rows += ["written:", *lines_of_file(sheet, record, file.suffix)]
    return rows


def lines_of_file(sheet: Sheet, record: Record, suffix: str) -> list[str]:
    """The lines of the file of a record, or of a sheet for formats written from sheets."""
    if suffix == ".ggf":
        return game_formats.FORMATS[suffix].write(sheet).splitlines()
    again = game_formats.FORMATS[suffix].write(sheet) if suffix in (".pgn", ".pdn", ".sgf", ".gcg") else ""
    return [*encoding.encode(record, registry.game(record.game)).splitlines(), *again.splitlines()]


def summary_line(rows: list[str]) -> str:
    """A line on the content of a file: the first error, or the numbers of games and moves."""
    wrong = next((row for row in rows if row.startswith("FILE")), "")
    games = sum(row.startswith("game ") for row in rows)
    moves = sum(row.startswith("  ") for row in rows)
    return f"{games} games, {moves} rows, {crc32(chr(10).join(rows).encode()):08x} {wrong}".rstrip()


def changes_of(text: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """The text with one change, with its description."""
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield f"without line {number}", "".join(lines[: number - 1] + lines[number:])
            yield f"line {number} twice", "".join(lines[:number] + lines[number - 1 :])
    for _ in range(CHANGES):
        at, letter = rng.randrange(len(text)), rng.choice(LETTERS)
        place = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
        yield f"{place[0]}:{place[1]} {text[at]!r} is {letter!r}", text[:at] + letter + text[at + 1 :]


@pytest.mark.parametrize("suffix", FILES)
def test_reading_results_match_the_stored_ones(suffix: str, tmp_path: Path) -> None:
    text, file = FILES[suffix], tmp_path / f"a.{suffix}"
    file.write_text(text)
    whole = file_rows(file)
    assert sum(row.startswith("game ") for row in whole) == COUNTS[suffix]
    rows = [*text.splitlines(), "", *whole, ""]
    for change, other in changes_of(text, random.Random(suffix)):
        file.write_text(other)
        lines = file_rows(file)
        rows.append(f"{change}: {'same' if lines == whole else summary_line(lines)}")
    golden(f"format_{suffix}", "\n".join(row.rstrip() for row in rows) + "\n")


def export(file: Path) -> tuple[str, list[tuple[object, ...]]]:
    """The exported games of a file, and the contents of their records."""
    games = [(sheet, record) for sheet, record in conversion.read(file, registry.game) if record is not None]
    text = "".join(game_formats.FORMATS[file.suffix].write(sheet) for sheet, _ in games)
    return text, [(game.game, game.start, game.words, game.result, game.reason) for _, game in games]


def assert_export_is_stable(file: Path) -> None:
    """Assert that the export of a file reads as the same games, and is exported unchanged."""
    text, records = export(file)
    file.write_text(text)
    assert export(file) == (text, records)


@pytest.mark.parametrize("suffix", FILES)
def test_exports_of_files_are_read_and_exported_unchanged(suffix: str, tmp_path: Path) -> None:
    """The files may have a missing or repeated line."""
    file = tmp_path / f"a.{suffix}"
    for text in (
        FILES[suffix],
        *[text for _, text in islice(changes_of(FILES[suffix], random.Random(0)), 0, None, 4)],
    ):
        file.write_text(text)
        assert_export_is_stable(file)


@pytest.mark.parametrize(
    "spec",
    [
        *("chess", "checkers", "othello:size=8", "backgammon:cube=on", "backgammon:match=3", "go:size=5"),
        *("go:size=9,handicap=3", "go:columns=7,rows=4,komi=-3", "holdem", "holdem:bets=limit", "bridge"),
        *("holdem:players=9,blinds=1/2/4,antes=1,stacks=90/5/1/200/40/40/40/40/40,bets=any", "scrabble"),
        *("scrabble:players=3,challenge=five",),
    ],
)
def test_exports_of_random_games_are_read_and_exported_unchanged(spec: str, tmp_path: Path) -> None:
    """Finished, interrupted and unstarted games, with values of engines, resignations and agreements."""
    for plies in (0, 1, 30, 200):
        rng = random.Random(f"{spec} {plies}")
        game = registry.game(spec)
        match = Match(game, [EmptySeat(f'p "{seat}" \\') for seat in range(game.new().players)])
        while not match.over() and len(match.turns) < plies:
            match.make(type("Made", (), {"move": rng.choice(match.moves()), "report": None})())
        record = record_of(match)
        for number, ply in enumerate(record.moves):
            if ply.player >= 0 and rng.random() < 0.3:
                facts = {"value": rng.randrange(-500, 500), "depth": rng.randrange(1, 30), "seconds": 0.25}
                record.moves[number] = msgspec.structs.replace(ply, **facts)
        if record.result is None and plies > 1 and len(record.players) == 2 and not game.new().chance:
            record.result, record.reason = rng.choice([([1, -1], "resigned"), ([0, 0], "agreed")])
        file = tmp_path / f"a{game_formats.FORMATS[game.cls.records].suffix}"
        file.write_text(encoding.encode(record, game))
        assert plies == 0 or len(export(file)[1]) == 1
        assert_export_is_stable(file)
