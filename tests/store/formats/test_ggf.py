"""Files of Othello in the Generic Game Format: read by the rules, refused with the line, written back."""

from pathlib import Path

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.store.formats import conversion, game_formats, ggf

pytestmark = pytest.mark.once

BOARD = "---------------------------O*------*O--------------------------- *"
PASSED = "*O" + "-" * 62 + " O"  # White, who is to move, cannot
GAMES = f"""2 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:03:33.MST]PB[ann]PW[bob]RB[2197.01]RW[2199.72]\
RE[+4.000:r]TY[8]BO[8 {BOARD}]B[F5/1.20/0.5]W[d6//3]B[C3]W[D3]B[C4];)
(;GM[Othello]PC[NBoard]PB[cid]PW[]RE[-12]TY[8r]BO[8 --------
-------- -------- ---O*--- ---*O--- --------
-------- -------- *]B[F5]
W[F6];) (;GM[othello]PB[eve]PW[fay]RE[?]TY[6]BO[6 --------------O*----*O-------------- *]B[C2];)
(;GM[Othello]PB[eve]PW[fay]RE[0]BO[8 {PASSED}]W[PA]B[C1];)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.ggf"
    path.write_text(GAMES.replace("\\\n", ""))
    return path


def test_games_are_read_by_the_rules(file: Path) -> None:
    results = list(conversion.read(file, registry.game))
    first, second, third, fourth = (record for sheet, record in results if not sheet.problem)
    assert first is not None and second is not None and third is not None and fourth is not None
    assert first.words == ["f5", "d6", "c3", "d3", "c4"] and first.start == ""
    assert (first.result, first.reason, first.players) == ([4, -4], "resigned", ["ann", "bob"])
    assert first.begun == "2003-12-15"
    assert (second.words, second.result, second.start) == (["f5", "f6"], [-12, 12], "")
    assert (third.game, third.words, third.result) == ("othello:size=6", ["c2"], None)
    assert fourth.words[:2] == ["pass", "c1"] and fourth.result == [64, -64] and fourth.reason == "rules"
    assert [sheet.result for sheet, _ in results] == ["0-1", "1-0", "*", "1/2-1/2"], "White's points first"


def test_ggf_games_round_trip(file: Path, tmp_path: Path) -> None:
    results = list(conversion.read(file, registry.game))
    again = tmp_path / "again.ggf"
    again.write_text("".join(game_formats.FORMATS[".ggf"].write(sheet) for sheet, _ in results))
    assert (
        "B[F5/1.20/0.5]W[D6//3]" in again.read_text() and "DT[2003.12.15_13:03:33.MST]" in again.read_text()
    )
    assert [record for _, record in results] == [
        record for _, record in conversion.read(again, registry.game)
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"(;GM[Othello]BO[8 {BOARD}]B[F5]\nW[A1];)", "line 2, game 1: 'a1' is not a legal move here"),
        (f"(;GM[Othello]BO[8 {BOARD}]B[F5]B[F6];)", "line 1, game 1: 'pass' is not a legal move here"),
        (f"(;GM[Othello]BO[8 {BOARD}]W[F5];)", "line 1, game 1: 'pass' is not a legal move here"),
        ("(;GM[Amazons]BO[8 *];)", "game 1: GM[Amazons] is not Othello"),
        (f"(;GM[Othello]TY[8a]BO[8 {BOARD}];)", "game 1: TY[8a]: anti-Othello, won by the side"),
        ("(;GM[Othello]BO[10 ---- *];)", "boards are of 8, 6, 4 squares a side, not of '10'"),
        ("(;GM[Othello]BO[8 ---- *];)", "game 1: "),
        ("(;GM[Othello]B[F5];)", "game 1: the field BO, such as BO[8 ... *], is missing"),
        ("(;GM[Othello]\n what;)", "line 2, game 1: 'what' is not a property such as B[F5]"),
        ("(;GM[Othello]\n\n what\n\n;)", "line 3, game 1: 'what' is not a property such as B[F5]"),
        (f"(;GM[Othello]BO[8 {BOARD}]\nB[F5]\nB[F6];)", "line 3, game 1: 'pass' is not a legal move here"),
        ("(;GM[Othello]", "line 1, game 1: ;) is missing at its end"),
        ("\n\n(;GM[Othello]\n", "line 3, game 1: ;) is missing at its end"),
    ],
)
def test_errors_name_their_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.ggf"
    path.write_text(text)
    ((sheet, record),) = conversion.read(path, registry.game)
    assert record is None and message in sheet.problem and str(path) in sheet.problem


def test_boards_are_read_with_dots_and_crosses() -> None:
    text = f"(;GM[Othello]BO[8 {PASSED[:-1].replace('*', 'X').replace('-', '.')}X]B[C1];)"
    (sheet,) = ggf.read([text], "x")
    assert sheet.tags["FEN"] == "XO" + "-" * 62 + " X" and sheet.words == ["c1"]
    (sheet,) = ggf.read([text.replace("B[C1]", "W[C1]")], "x")
    assert sheet.words == ["pass", "c1"] and [step.mover for step in sheet.line.steps] == [0, 0]


def test_unknown_properties_are_preserved() -> None:
    """Komi and its bids, times, unknown properties, brackets in names; a pass in every spelling."""
    kept = r"TI[05:00//02:00]TB[4:59]KM[-2.50]KB[1.00]KW[-2.50]XX[a b]"
    text = rf"(;GM[Othello]PC[x \[y\]]PB[a\]b]PW[c]RE[+4.000]TY[s8r20]{kept}BO[8 {PASSED}]W[PASS//2]B[c1];)"
    (sheet,) = ggf.read([text], "x")
    assert not sheet.problem and sheet.tags["Black"] == "a]b" and sheet.words == ["pass", "c1"]
    written = ggf.write(sheet)
    assert kept in written and r"PC[x [y\]]PB[a\]b]" in written
    (again,) = ggf.read([written], "x")
    assert (again.tags, again.line.more) == (sheet.tags, sheet.line.more)


def test_ggf_value_in_a_comment_replaces_the_evaluation() -> None:
    (sheet,) = ggf.read([f"(;GM[Othello]PB[ann]BO[8 {BOARD}]B[F5/1.20/0.5]W[D6//3]B[C3];)"], "x")
    sheet.line.steps[0].notes = ["so it is", "+3.50/12 f5d6"]
    sheet.line.steps[2].notes = ["-0.25/9"]
    assert ggf.write(sheet).endswith("B[F5/+3.50/0.5]B[D6//3]B[C3/-0.25];)\n")


def test_commands_read_ggf_files(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(router, "gameplay", ["replay", str(file), "--game", "2"]) == 0
    assert "f6" in capsys.readouterr().out
    noted = tmp_path / "noted.ggf"
    words = ["review", str(file), "--nodes", "500", "--annotate", str(noted)]
    assert run(router, "gameplay", words) in (0, 6)
    capsys.readouterr()
    assert "B[F5/" in noted.read_text() and len(noted.read_text().splitlines()) >= 2
    empty = tmp_path / "empty.ggf"
    empty.write_text("no games here\n")
    assert run(router, "gameplay", ["replay", str(empty)]) == 6
    assert "holds no game" in capsys.readouterr().err
