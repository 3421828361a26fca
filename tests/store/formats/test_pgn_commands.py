"""Clocks, values, arrows and squares in the comments of PGN: read, and written again unchanged."""

from pathlib import Path

import pytest

from gameplay.store.formats import pgn, pgn_commands
from gameplay.value import MAX_EVAL, MAX_PLY, WIN
from tests.support.commands import run_printed
from tests.support.records import read, survives_two_exports

pytestmark = pytest.mark.once

STUDY = """\
[Event "Openings: 1. The centre"]
[Annotator "https://lichess.org/@/ann"]
[TimeControl "300+3"]
[Result "*"]

{ Who has the centre? [%csl Gd4,Re5][%cal Gd2d4] }
1. e4 { [%eval 0.17,20] [%clk 0:05:00] } 1... c5 { [%eval 0.19] [%clk 0:05:00] }
2. Nf3 { A good move. [%csl Gf3][%cal Gg1f3,Rf3d4,Yf3e5] [%clk 0:04:51] }
( 2. d4 { [%cal Bd2d4] [%emt 0:00:02] } 2... cxd4 ( 2... e6 $1 ) ) 2... d6 { [%eval #-3] } *

[Event "Openings: 2. The flank"]
[Result "*"]

1. c4 { [%clk 1:00:00] } *
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "study.pgn"
    path.write_text(STUDY)
    return path


def commands_of(line: pgn.Line) -> list[dict[str, str]]:
    """The commands of a line and its variations, in the order of the file."""
    results = [pgn_commands.commands([note for note in line.notes if isinstance(note, str)])]
    for step in line.steps:
        results.append(pgn_commands.commands(step.comments))
        for note in step.notes:
            results += commands_of(note) if isinstance(note, pgn.Line) else []
    return results


def test_studies_keep_chapters_variations_and_commands(study: Path) -> None:
    survives_two_exports(study)
    written = study.with_name("once.pgn")
    before, after = read(study), read(written)
    assert [sheet for sheet, _ in before] == [sheet for sheet, _ in after]
    assert [sheet.tags["Event"] for sheet, _ in after] == [
        "Openings: 1. The centre",
        "Openings: 2. The flank",
    ]
    commands = commands_of(after[0][0].line)
    assert commands[0] == {"csl": "Gd4,Re5", "cal": "Gd2d4"}
    assert commands == commands_of(before[0][0].line)
    assert {"cal": "Bd2d4", "emt": "0:00:02"} in commands


def test_no_line_breaks_within_a_command(study: Path) -> None:
    moves = pgn.write(read(study)[0][0], lambda fen: (1, 0)).partition("\n\n")[2]
    for line in moves.splitlines():
        assert line.count("[%") == len(pgn_commands.COMMAND.findall(line))
        assert len(line) <= pgn.WIDTH
    assert moves.count("[%") == 12


def test_values_clocks_and_marks_are_read(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = read(study)[0][1]
    assert record is not None
    assert [(ply.value, ply.depth, ply.spent) for ply in record.moves] == [
        (17, 20, 0.0),
        (-19, None, 0.0),
        (None, None, 12.0),  # 5:00 to 4:51, and 3 s were added
        (WIN - 7, None, None),  # Black mates in three more moves, the seventh ply from before this one
    ]
    marks = "squares f3 green; arrows g1-f3 green, f3-d4 red, f3-e5 yellow"
    assert [ply.remark for ply in record.moves] == ["", "", f"A good move. ({marks})", ""]
    lines = run_printed(capsys, "replay", study)[1].splitlines()
    assert f"comment: A good move. ({marks})" in lines
    assert "white plays e4, value white +0.17 pawns, depth 20" in lines


@pytest.mark.parametrize(
    ("text", "white", "expected"),
    [
        ("0.25", True, (25, 0)),
        ("-1.5,18", False, (150, 18)),
        ("#2", True, (WIN - 5, 0)),  # after the move of White: four plies, and the move itself
        ("#2", False, (4 - WIN, 0)),
        ("#-1", True, (2 - WIN, 0)),
        ("999999", True, (MAX_EVAL, 0)),
        ("#9999", True, (WIN - MAX_PLY, 0)),
        ("", True, None),
        ("0.25 pawns", True, None),
        ("1e9", True, None),
        ("٣", True, None),
    ],
)
def test_values_are_those_of_the_mover(text: str, white: bool, expected: tuple[int, int] | None) -> None:
    assert pgn_commands.value(text, white, 100) == expected


def test_damaged_commands_are_text(tmp_path: Path) -> None:
    words = "[%clk 99] [%csl Xz9] [%eval [%cal] [%emt 0:00:0x]"
    path = tmp_path / "damaged.pgn"
    path.write_text(f"1. e4 {{{words}}} *\n")
    ((sheet, record),) = read(path)
    assert record is not None
    assert sheet.line.steps[0].comments == [words]
    assert (record.moves[0].value, record.moves[0].spent) == (None, None)
    assert record.moves[0].remark == "[%eval [%cal]"
