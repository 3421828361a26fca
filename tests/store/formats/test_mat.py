"""Backgammon matches in MAT: real files, columns, resignations, errors with their line."""

import re
from pathlib import Path

import msgspec
import pytest

from gameplay import registry
from gameplay.errors import BadInput
from gameplay.games.backgammon.identity import position_id
from gameplay.scoring.scoresheet import PlayedGame, Scoresheet
from gameplay.store.formats import conversion, encoding, mat
from gameplay.store.formats.pgn import Step
from tests.support.backgammon import backgammon, checkers
from tests.support.paths import TESTS
from tests.support.reviews import record

RECORDS = TESTS / "examples" / "records"


def test_a_match_of_gnu_backgammon_is_read_and_written(tmp_path: Path) -> None:
    """GNU Backgammon exported it: three points in one game with a double, black's first roll, passes."""
    ((sheet, record),) = conversion.read(RECORDS / "backgammon.mat", registry.game)
    assert record is not None, sheet.problem
    assert record.game == "backgammon:match=3"
    assert record.players == ["ann", "bob"]
    assert record.result == [1, -1]
    ours = tmp_path / "ours.mat"
    ours.write_text(encoding.encode(record, registry.game(record.game)))
    ((_, again),) = conversion.read(ours, registry.game)
    assert again is not None
    assert again.words == record.words


GIVEN_UP = """ 5 point match

 Game 1
 ann : 0                                bob : 0
  1) 31: 8/5 6/5                         64: 24/14
  2)  Doubles => 2                       Takes
  3) 65: 24/13                           52: ????
      Wins 4 points

 Game 2
 ann : 4                                bob : 0
  1) 31: 8/5 6/5                         64: 24/14
                                         Wins 1 point

 Game 3
 ann : 4                                bob : 1
  1)                                    31: 8/5 6/5
  2) 31: 8/5 6/5                         Doubles => 2
  3)  Drops                              Wins 1 point

 Game 4
 ann : 4                                bob : 2
  1) 31: 8/5 6/5
      Wins 1 point
"""


def test_mat_file_records_resignations(tmp_path: Path) -> None:
    """GNU Backgammon exports a win without a move, and a roll that was not played."""
    file = tmp_path / "given.mat"
    file.write_text(GIVEN_UP)
    ((sheet, record),) = conversion.read(file, registry.game)
    assert record is not None, sheet.problem
    assert record.result == [1, -1]
    offers = [(at, word) for at, word in enumerate(record.words) if word.startswith("resign")]
    assert [word for _, word in offers] == ["resign-gammon", "resign", "resign"]
    assert record.words[offers[0][0] - 1] == "52", "the throw came before it"
    ours = tmp_path / "ours.mat"
    ours.write_text(encoding.encode(record, registry.game(record.game)))
    head, _, text = ours.read_text().partition("\n")
    assert head == '; [Event "Game of backgammon"]'
    assert re.sub(r" +", " ", text) == re.sub(r" +", " ", GIVEN_UP)
    ((_, again),) = conversion.read(ours, registry.game)
    assert again is not None
    assert again.words == record.words


def test_a_match_is_written_in_columns_line_by_line() -> None:
    """Black begins twice; white resigns a backgammon; the last game continues.

    A typed file gives the same.
    """
    written = (RECORDS / "columns.mat").read_text()
    for name in ("columns.mat", "typed.mat"):
        ((sheet, record),) = conversion.read(RECORDS / name, registry.game)
        assert record is not None, sheet.problem
        words = "13 8/5;6/5 roll 64 resign-backgammon accept "
        words += "13 8/5;6/5 roll 31 8/5;6/5 double take 64 24/14 roll 61 13/6"
        assert record.words == words.split()
        text = encoding.encode(record, registry.game(record.game))
        assert text == f'; [Event "Game of backgammon"]\n{written}'


def test_mat_header_lines_are_preserved(tmp_path: Path) -> None:
    """GNU Backgammon reads and writes them; the second match has none."""
    head = '; [Site "Oslo"]\n; [Event "Open "A""]\n; [Round "3"]\n; [EventDate "2024.03.09"]\n'
    game = " 3 point match\n\n Game 1\n ann : 0                        bob : 0\n  1) 31: 8/5 6/5\n"
    file = tmp_path / "a.mat"
    file.write_text(head + game + '; [Event "?"]\n' + game)
    (first, left), (second, right) = conversion.read(file, registry.game)
    assert left is not None and right is not None, first.problem + second.problem
    assert (left.begun, right.begun) == ("2024-03-09", "")
    assert mat.write(first) == head + game
    assert mat.write(second) == game


@pytest.mark.parametrize(
    ("spec", "lines"),
    [
        ("backgammon", ['; [CubeLimit "1"]']),
        ("backgammon:cube=on", []),
        ("backgammon:cube=on,jacoby=on", ['; [Jacoby "True"]']),
        ("backgammon:match=3", []),
    ],
)
def test_mat_file_records_the_rules_of_the_cube(spec: str, lines: list[str], tmp_path: Path) -> None:
    game = registry.game(spec)
    position, words = game.new(), []
    for _ in range(12):
        words.append(position.format(position.moves()[0]))
        position.make(position.moves()[0])
    text = encoding.encode(record(game.spec, words), game)
    assert [line for line in text.splitlines() if "Cube" in line or "Jacoby" in line] == lines
    file = tmp_path / "a.mat"
    file.write_text(text)
    ((sheet, again),) = conversion.read(file, registry.game)
    assert again is not None and again.game == spec
    assert mat.write(sheet) == text


@pytest.mark.parametrize(("indent", "winner"), [(16, 0), (17, 1)])
def test_the_right_half_of_a_line_is_the_second_seat_s(indent: int, winner: int) -> None:
    text = f"0 point match\nGame 1\n{' ' * indent}Wins 2 points\n  1){' ' * (indent - 4)}61: 13/7 8/7\n"
    (sheet,) = mat.read(text.splitlines(), "a.mat")
    won, throw, turn = sheet.line.steps
    assert won.won == (winner, 2, ())
    assert (throw.word, turn.word) == (("61", "16")[winner], "13/7;8/7")
    (sheet,) = mat.read([" 0 point match", " Game 1", "  1) 61: 13/7 8/7     Wins 1 point"], "a.mat")
    assert [(step.word, step.won) for step in sheet.line.steps[2:]] == [("", (1, 1, ()))]
    assert not sheet.problem


def test_resignation_after_bearing_off_is_a_single_game() -> None:
    off = backgammon(position_id(checkers({1: 2, 2: 1}), checkers({1: 3})), "backgammon:cube=on")
    loser = off.on_roll
    assert mat.concession(off, Step("", won=(1 - loser, 1, ())), []) == ["resign", "accept"]
    last = Step("21")
    assert mat.concession(off, Step("", won=(1 - loser, 2, ())), [last]) == ["resign", "accept"]
    assert last.comments == ["recorded as 2 points"]
    whole = backgammon("4HPwATDgc/ABMA roll 31", "backgammon:cube=on")
    for points, word in enumerate(("resign", "resign-gammon", "resign-backgammon"), 1):
        given = Step("", won=(1 - whole.on_roll, points, ()))
        assert mat.concession(whole, given, []) == [word, "accept"]


@pytest.mark.parametrize(("points", "offer"), [(1, "resign"), (3, "resign-gammon"), (8, "resign-backgammon")])
def test_points_that_cannot_be_given_up_are_rounded_and_noted(
    points: int, offer: str, tmp_path: Path
) -> None:
    """GNU Backgammon reads them so; other programs write `Wins 1004 points`."""
    file = tmp_path / "given.mat"
    file.write_text(GIVEN_UP.replace("Wins 4 points", f"Wins {points} points").replace("5 point", "9 point"))
    ((sheet, record),) = conversion.read(file, registry.game)
    assert record is not None, sheet.problem
    assert next(word for word in record.words if word.startswith("resign")) == offer
    notes = [note for step in sheet.line.steps for note in step.comments]
    assert notes == [f"recorded as {points} points"]


def test_a_left_drop_has_the_win_on_its_line_and_the_last_win_all_its_points(tmp_path: Path) -> None:
    """GNU Backgammon writes both so; it would otherwise count another double, or fewer points."""
    text = (
        " 5 point match\n\n Game 1\n ann : 0                        bob : 0\n"
        "  1)                             31: 8/5 6/5\n"
        "  2) 31: 8/5 6/5                  Doubles => 2\n"
        "  3)  Drops                       Wins 1 point\n\n"
        " Game 2\n ann : 0                        bob : 1\n"
        "  1) 31: 8/5 6/5                 64: 24/14\n"
        "  2) 31: 24/23 13/10             64: ????\n"
        "      Wins 3 points\n\n"
    )
    file = tmp_path / "a.mat"
    for length in (5, 2):
        file.write_text(text.replace("5 point match", f"{length} point match"))
        ((sheet, record),) = conversion.read(file, registry.game)
        assert record is not None, sheet.problem
        assert (record.result is None) == (length == 5)
        written = encoding.encode(record, registry.game(record.game))
        head, _, written = written.partition("\n")
        assert head == '; [Event "Game of backgammon"]'
        assert written.replace(f" {length} point", " 5 point").rstrip() == text.rstrip()


def test_a_winner_on_roll_is_refused_only_after_the_roll(tmp_path: Path) -> None:
    """The loser's last turn is a remark; after the winner's own roll the loser cannot resign."""
    text = " 5 point match\n\n Game 1\n ann : 0      bob : 0\n  1) 31: 8/5 6/5        64: 24/14\n"
    file = tmp_path / "given.mat"
    file.write_text(text + "      Wins 1 point\n")
    ((sheet, record),) = conversion.read(file, registry.game)
    assert record is not None, sheet.problem
    assert record.words == ["31", "8/5;6/5", "roll", "64", "resign", "accept"]
    assert sheet.line.steps[3].comments == ["played 24/14 and resigned"]
    file.write_text(text + "  2) 65: ????\n      Wins 1 point\n")
    ((sheet, record),) = conversion.read(file, registry.game)
    assert record is None
    assert sheet.problem == f"{file}, line 7, game 1: black cannot resign on white's turn"


# As other programs write: doubles move by move with one blank, the roll `00:`, a concession, off and bar.
REAL = """; [Site "Club"]
; [EventDate "2026.11.25"]
 5 point match

 Game 1
 Ann : 0                             Bob : 0
  1)                                 31: 8/5 6/5
  2) 22: 24/22 24/22 13/11 13/11 65: 24/18 18/13
  3) 41: 13/9 11/10                  00: ????
  4)  Wins 1 point

 Game 2
 Ann : 1                             Bob : 0
  1) 13: 8/5 6/5                     66: 24/18(2) 13/7(2)
  2) 11: 6/5(4)                      21:
  3) 44: Concedes
"""


def test_liberties_of_other_programs_are_read(tmp_path: Path) -> None:
    file = tmp_path / "real.mat"
    file.write_text(REAL)
    ((sheet, record),) = conversion.read(file, registry.game)
    assert record is None
    assert sheet.problem == f"{file}, line 15, game 1: the turn is empty, but the roll can be played"
    file.write_text(REAL.replace("21:", "21: 8/5"))
    ((sheet, record),) = conversion.read(file, registry.game)
    assert record is not None, sheet.problem
    assert record.date == "2026-11-25" and sheet.tags["Site"] == "Club"
    words = "13 8/5;6/5 roll 22 24/22(2);13/11(2) roll 65 24/13 roll 41 13/9;11/10 resign accept"
    words += " 31 8/5;6/5 roll 66 24/18(2);13/7(2) roll 11 6/5(4) roll 21 8/5"
    assert " ".join(record.words).startswith(words)


LATER = """ 5 point match

 Game 3
 level 1 : 4                    bob : 2
  1) 31: 8/5 6/5                64: 24/14
  2) 65: 24/13                  Doubles => 2
  3)  Drops                     Wins 1 point
"""


@pytest.mark.parametrize(
    ("score", "head", "cube"),
    [("4 2", "", False), ("4 2", '; [Crawford "Off"]\n', True), ("4 4", "", False), ("3 1", "", True)],
)
def test_a_later_game_of_a_match_begins_with_its_score(
    score: str, head: str, cube: bool, tmp_path: Path
) -> None:
    """There is no cube in the Crawford game, nor at 4-4; the score, the start and the moves are read back."""
    first, second = score.split()
    written = head + LATER.replace("1 : 4 ", f"1 : {first} ").replace("bob : 2", f"bob : {second}")
    file = tmp_path / "later.mat"
    file.write_text(written)
    ((sheet, record),) = conversion.read(file, registry.game)
    if not cube:
        assert record is None and "'double' is not" in sheet.problem
        file.write_text(written[: written.index("  2)")])
        ((sheet, record),) = conversion.read(file, registry.game)
    assert record is not None, sheet.problem
    position = registry.game(record.game).new(record.start)
    assert position.won_by() == (int(first), int(second)) and position.match == 5
    text = encoding.encode(record, registry.game(record.game))
    assert (" level 1 : " + first) in text and ('[Crawford "Off"]' in text) == bool(head)
    file.write_text(text)
    ((_, again),) = conversion.read(file, registry.game)
    assert again is not None and (again.start, again.words) == (record.start, record.words)


def test_no_game_begins_when_the_match_is_over(tmp_path: Path) -> None:
    file = tmp_path / "over.mat"
    file.write_text(LATER.replace("1 : 4 ", "1 : 5 "))
    ((sheet, record),) = conversion.read(file, registry.game)
    assert record is None
    assert sheet.problem == f"{file}, line 4, game 1: at 5-2 a match to 5 points is over"


def test_game_of_a_match_that_is_played_here_has_its_number_and_names_without_colons() -> None:
    """Other readers look for the score behind the first colon."""
    ((_, record),) = conversion.read(RECORDS / "backgammon.mat", registry.game)
    assert record is not None
    played = [PlayedGame([1, -1]), PlayedGame([-1, 1])]
    sheet = Scoresheet("points:3", "backgammon", ["level:1"] * 2, ["", ""], 1, "", played=played)
    later = msgspec.structs.replace(record, players=["level:1", "mcts:sims=9"], match=sheet)
    text = encoding.encode(later, registry.game(record.game))
    assert "\n Game 3\n level 1 : 0                    mcts sims=9 : 0\n" in text


def test_position_in_the_middle_of_a_game_is_not_exported() -> None:
    position = registry.game("backgammon:match=3").new()
    position.make(position.parse("31"))
    with pytest.raises(BadInput, match="begins with an opening roll"):
        mat.start_tags(position)
