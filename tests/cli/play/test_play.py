"""`play`, `show` and `replay` away from a terminal: lines, JSON, exit statuses, faults."""

import io
import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gameplay.cli import router, run
from gameplay.cli.common import game_session, options
from gameplay.cli.play.play import CASUAL
from gameplay.display.theme import Theme
from gameplay.errors import Usage
from gameplay.matches.clock import control
from gameplay.players import seats, strength
from gameplay.position import Position
from gameplay.registry import game
from gameplay.search.limit import Limit
from gameplay.specs import parse_list
from gameplay.store import saved
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

STICKS = TESTS / "examples" / "games" / "sticks.py"
TRICKS = STICKS.with_name("tricks.py")


class Ran:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err
        self.lines = out.splitlines()


Play = Callable[..., Ran]


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    """Run a command of `gameplay` in this process, with this standard input."""

    def played(*arguments: str, typed: str = "", command: str = "play") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        status = run(router, "gameplay", [command, *arguments])
        out, err = capsys.readouterr()
        return Ran(status, out, err)

    return played


# -- lines ----------------------------------------------------------------------------------------


def test_a_whole_game_in_lines(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,human", typed="a1\na2\nb1\nb2\nc1\n")
    assert ran.status == 0 and ran.err == ""
    assert ran.lines[:3] == ["game: tictactoe", "x: human", "o: human"]
    assert ran.lines[-8:] == [
        "x plays c1",
        "  a b c",
        "1 X X X",
        "2 O O .",
        "3 . . .",
        "winning line: a1 b1 c1",
        "result: x wins",
        "summary: 5 moves",
    ]


def test_a_wrong_move_is_explained_and_costs_nothing(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,human", typed="a1\na1\nz9\nhimt\nundo 0\nsave\na2\n")
    assert ran.status == 4
    assert "'a1' is not a legal move here" in ran.out
    assert "'himt' is not a legal move here" in ran.out and "did you mean 'hint'?" in ran.out
    assert "'0' is not a number from 1 up" in ran.out
    assert "save what? type save FILE" in ran.out
    assert ran.lines.index("o plays a2") > ran.lines.index("o to move")
    assert "the input ended after 2 moves, before the game did" in ran.err


def test_empty_input_is_unfinished(play: Play) -> None:
    ran = play("tictactoe", "--engine", "alphabeta", "--depth", "6")
    assert ran.status == 4 and "after 0 moves" in ran.err


def test_play_alone_starts_a_game(play: Play) -> None:
    ran = play("--nodes", "50", typed="4\n")
    assert ran.lines[:3] == ["game: connect4", "blue (X): human", "orange (O): iterative:nodes=50"]
    assert "blue plays 4" in ran.lines


@pytest.mark.parametrize(
    ("side", "begins"), [("first", True), ("x", True), ("1", True), ("second", False), ("O", False)]
)
def test_whose_side_is_whose(play: Play, side: str, begins: bool) -> None:
    ran = play("tictactoe", "--engine", "random", "--as", side, typed="b2\n")
    assert ("x: human" in ran.lines) is begins
    assert ("o: human" in ran.lines) is not begins


def test_the_words_of_a_human(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    typed = f"help\nmoves\nflip\na1\nundo\nredo\nsave {file}\nshow\nrestart\nload {file}\nquit\n"
    ran = play("tictactoe", "--players", "human,minimax:depth=1", typed=typed)
    assert ran.status == 0, ran.err
    for words in (
        "undo, redo [N]",
        "9 legal moves: a1 a2 a3 b1 b2 b3 c1 c2 c3",
        "the board is turned round",
        "took back 2 moves",
        "made again 2 moves",
        f"saved in {file}",
        "a new game begins",
        f"loaded {file}",
        "moves so far: a1 ",
    ):
        assert words in ran.out, words
    assert any(line.startswith("--moves 'a1 ") for line in ran.lines)
    assert len(saved.read(file).moves) == 2


OVER = "a1\na2\nb1\nb2\nc1\n"


def test_a_finished_game_is_no_dead_end(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    after = f"help\nhint\neval\nmoves\nshow\nflip\nresign\na3\nsave {file}\nsave x.pgn\nreplay\n"
    ran = play("tictactoe", "--players", "human,human", typed=OVER + after)
    assert ran.status == 0 and ran.err == ""
    told = ran.out.partition("summary: 5 moves")[2]
    for words in (
        "again            another game",
        "swap             another game, from the other side",
        "the game is over, so there is no move to advise",
        "the game is over: the result is its value",
        "the game is over; its 5 moves: a1 a2 b1 b2 c1",
        "--moves 'a1 a2 b1 b2 c1'",
        "the board is turned round",
        "'resign' is for one that goes on; undo takes back a move",
        f"saved in {file}",
        "tictactoe is not saved as .pgn: .json works here, as in x.json",
        "x plays a1\no plays a2\nx plays b1\no plays b2\nx plays c1\n",
    ):
        assert words in told, words
    assert "resign" not in told.partition("hint")[0] and "x to move" not in told
    assert saved.read(file).result == [1, -1] == saved.saved()[0].record.result


def test_after_a_game_there_is_another_or_the_same_from_before(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,human", "--names", "Ann,Bob", typed=OVER + "sw\nb2\nquit\n")
    assert ran.lines[:3] == ["game: tictactoe", "x: Ann", "o: Bob"]
    again = ran.lines[ran.lines.index("summary: 5 moves") + 1 :]
    assert again[:3] == ["game: tictactoe", "x: Bob", "o: Ann"] and "x plays b2" in again
    ran = play("tictactoe", "--players", "human,human", typed=OVER + "undo\nc2\nquit\n")
    assert "x takes back c1" in ran.lines and "x plays c2" in ran.lines
    ran = play("tictactoe", "--players", "human,human", typed="again\na1\nresign\nhint\nrestart\nc3\n")
    assert "'again' is for a game that is over" in ran.out
    assert "of 8 moves" in ran.out, "who gave up may ask what there was to do"
    assert [one.record.result for one in saved.saved()].count([1, -1]) == 2, "restart wrote over nothing"


def test_a_record_keeps_the_day_and_who_played(play: Play, tmp_path: Path) -> None:
    pgn, again = tmp_path / "a.pgn", tmp_path / "b.pgn"
    moves = "f3\ne5\ng4\nQh4\n"
    ran = play("chess", "--players", "human,human", "--names", "Ann,Bob", "--save", str(pgn), typed=moves)
    assert ran.status == 0
    (one,) = saved.saved()
    day = one.record.begun[:10]
    assert one.record.names == ["Ann", "Bob"] and one.date == f"{day} {one.record.begun[11:16]}"
    tags = f'[Date "{day.replace("-", ".")}"]\n[Round "?"]\n[White "Ann"]\n[Black "Bob"]\n[Result "0-1"]'
    assert tags in pgn.read_text()
    old = one.path.read_text().replace(day, "1999-12-31")
    one.path.write_text(old)
    for which in ("1", str(one.path)):
        again.unlink(missing_ok=True)
        assert play(which, "--out", str(again), command="export").status == 0
        assert '[Date "1999.12.31"]' in again.read_text() and '[White "Ann"]' in again.read_text()
    refused = play(str(again), "--out", str(pgn), command="export")
    assert refused.status == 2 and f"{pgn} exists: name another file" in refused.err
    pgn.unlink()
    assert play(str(again), "--out", str(pgn), command="export").status == 0
    assert pgn.read_text() == again.read_text()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("a.json", "exists and is no saved game; name another file"),
        ("a.pgn", "exists; name another file, or remove it"),
    ],
)
def test_what_is_no_game_is_not_written_over(play: Play, tmp_path: Path, name: str, told: str) -> None:
    file = tmp_path / name
    file.write_text('{"colour": "blue"}')
    two = ("chess", "--players", "human,human")
    ran = play(*two, "--save", str(file))
    assert (ran.status, ran.out, ran.err) == (6, "", f"gameplay: {file} {told}\n")
    ran = play(*two, typed=f"e4\nsave {file}\nquit\n")
    assert ran.status == 0 and f"{file} {told}" in ran.out
    assert file.read_text() == '{"colour": "blue"}'
    file.unlink()
    ran = play(*two, typed=f"e4\nsave {file}\ne5\nsave {file}\nquit\n")
    assert ran.out.count(f"saved in {file}") == 2, "what this session wrote it may write anew"
    assert "e5" in file.read_text()
    file.unlink()
    ran = play(*two, "--save", str(file), typed=f"d4\nsave {file}\nd5\n")
    assert f"saved in {file}" in ran.out and "d5" in file.read_text()
    ran = play(*two, "--save", str(file), typed="c4\n")
    assert (ran.status == 6) is (name == "a.pgn") and ("c4" in file.read_text()) is (name == "a.json")


def test_a_name_without_an_ending_gets_one(play: Play, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.write_text("milk")
    two = ("tictactoe", "--players", "human,human")
    ran = play(*two, "--save", str(tmp_path / "all"), typed=f"a1\nsave {notes}\nquit\n")
    assert f"saved in {notes}.json" in ran.out and notes.read_text() == "milk"
    assert saved.read(tmp_path / "notes.json").words == ["a1"] == saved.read(tmp_path / "all.json").words
    assert not (tmp_path / "all").exists()
    (tmp_path / "list.json").write_text("milk")
    ran = play(*two, typed=f"load {notes.with_name('all')}\nquit\n")
    assert f"loaded {notes.with_name('all')}" in ran.out and "1 X . ." in ran.out
    ran = play(*two, "--save", str(tmp_path / "list"))
    assert ran.status == 6 and f"{tmp_path / 'list.json'} exists and is no saved game" in ran.err


def test_a_folder_is_told_from_what_is_not_there(play: Play, tmp_path: Path) -> None:
    ran = play("--resume", str(tmp_path))
    assert (ran.status, ran.err) == (6, f"gameplay: {tmp_path} is a folder; name a file in it\n")
    ran = play("tictactoe", "--players", "human,human", typed=f"load {tmp_path}\nquit\n")
    assert f"{tmp_path} is a folder; name a file in it" in ran.out


def test_an_ending_that_no_format_has_is_a_wrong_argument_everywhere(play: Play, tmp_path: Path) -> None:
    file = str(tmp_path / "e.xyz")
    assert play("tictactoe", "--players", "human,human", typed="a1\n").status == 4
    assert play("1", "--out", file, command="export").status == 2
    assert play("tictactoe", "--save", file).status == 2


def test_a_draw_that_was_agreed_is_kept_and_told(play: Play, tmp_path: Path) -> None:
    pgn = tmp_path / "a.pgn"
    ran = play("chess", "--players", "human,human", "--save", str(pgn), typed="e4\ndraw\nyes\n")
    assert ran.status == 0 and "result: draw agreed" in ran.lines
    assert pgn.read_text().endswith("1. e4 {Game drawn by agreement} 1/2-1/2\n\n")
    assert play("--saved", command="games").lines[0].endswith("1 move  draw agreed")
    assert "result: draw agreed" in play("1", command="replay").lines
    assert saved.read(pgn, None, game).result == [0, 0]


def test_a_transcript_of_a_saved_game_has_date_and_names_in_a_comment(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    players = ("--players", "human,random", "--names", "Ann", "--save", str(file))
    play("othello", *players, typed="d3\nquit\n")
    (one,) = saved.saved()
    head, moves = file.read_text().splitlines()
    assert head.startswith(f"# {one.record.date} Ann - random, ") and moves == "".join(one.record.words)
    assert saved.read(file, None, game).words == one.record.words


def test_saved_games_are_numbered_and_chosen_by_number_name_or_file(play: Play, tmp_path: Path) -> None:
    for typed in ("b2\n", "a1\n", OVER):
        play("tictactoe", "--players", "human,human", "--names", "Ann,Bob", typed=typed)
    listed = play("--saved", command="games").lines
    assert [line.split()[0] for line in listed[:3]] == ["1", "2", "3"]
    assert listed[0].endswith("tictactoe  Ann - Bob  5 moves  x won")
    assert listed[1].endswith("tictactoe  Ann - Bob   1 move  unfinished")
    games = json.loads(play("--saved", "--json", command="games").out)["games"]
    assert [one["number"] for one in games] == [1, 2, 3] and games[1]["unfinished"]
    first = next(one for one in games if one["moves"] == 1)
    for which in (str(first["number"]), first["name"], first["file"]):
        ran = play("--resume", which, typed="quit\n")
        assert ran.status == 0 and "x: Ann" in ran.lines and any("moves so far" in line for line in ran.lines)
    over = play("--resume", games[0]["name"])
    assert over.status == 6 and "that game is over (x won); step through it: " in over.err
    assert over.err.rstrip().endswith(f"gameplay replay {games[0]['name']}")
    missing = play("--resume", "4")
    assert missing.status == 6 and "they are numbered 1 (the newest) to 3" in missing.err


def test_without_a_screen_it_is_said_as_what_a_game_is_saved(play: Play, home: Path) -> None:
    ran = play("tictactoe", "--players", "human,human", typed="")
    assert ran.status == 4 and not home.exists(), "nothing was played, and nothing is kept"
    ran = play("tictactoe", "--players", "human,human", typed="b2\n")
    assert "the game is saved; go on with: " in ran.err
    (told,) = [line.removeprefix("saved as: ") for line in ran.lines if line.startswith("saved as: ")]
    again = play("--resume", told, typed="a1\nquit\n")
    assert f"saved as: {told}" in again.lines and "moves so far: b2" in again.lines
    assert "saved as" not in play("tictactoe", "--players", "random,random").out


def test_resume_of_a_saved_game_plays_it(play: Play, tmp_path: Path) -> None:
    play("tictactoe", "--players", "human,human", typed="b2\n")
    for which in ("1", str(saved.saved()[0].path)):
        ran = play(which, typed="quit\n", command="resume")
        assert ran.status == 0 and "moves so far: b2" in ran.lines and "go on with: " in ran.err
    ran = play("1", "--jobs", "2", command="resume")
    assert ran.status == 2 and "1 is a saved game" in ran.err


def test_a_game_of_another_program_is_gone_on_with(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "other.pgn"
    file.write_text('[White "Ann"]\n[Black "Bob"]\n[Result "*"]\n\n1. e4 e5 *\n')
    before = file.read_text()
    ran = play("--resume", str(file), typed="quit\n")
    assert ran.status == 0 and "white (K): human" in ran.lines and "moves so far: e4 e5" in ran.lines
    assert file.read_text() == before


def test_a_game_of_another_kind_is_loaded_and_a_broken_record_is_not(play: Play, tmp_path: Path) -> None:
    other, broken = tmp_path / "other.json", tmp_path / "broken.json"
    thrice = str(TESTS / "examples" / "games" / "thrice.py")
    play(thrice, "--players", "human,human,human", "--save", str(other), typed="1\n2\n")
    broken.write_text(other.read_text().replace("human", "somebody", 1))
    ran = play("tictactoe", "--players", "human,human", typed=f"load {broken}\na1\nload {other}\n1\n")
    assert "there is no player 'somebody'" in ran.out
    assert "x plays a1" in ran.lines and ran.lines.index("moves so far: 1 2") > ran.lines.index("x plays a1")
    assert "west plays 1" in ran.lines


def test_hints_climb_a_ladder(play: Play) -> None:
    moves = ("--players", "human,human", "--moves", "a1 a2 b1 b2")
    ran = play("tictactoe", *moves, typed="hint\nhint\nhint\nhint\neval\n")
    told = [line for line in ran.lines if "hint again" in line or line.startswith(("best line", "c1"))]
    assert told[0].startswith("you can win at once")
    assert told[1].startswith("the best moves first") and told[2].split() == ["c1", "win", "in", "1"]
    assert told[3].startswith("best line: c1 (x wins in 1 ply, searched ")
    assert told[4].startswith("you can win at once"), "the ladder begins again"
    assert "x wins in 1 ply (searched " in ran.out and "; static evaluation: " in ran.out


def test_hint_tells_the_only_move(play: Play) -> None:
    ran = play("checkers", "--players", "human,human", "--position", "B:W18,24:B12,15", typed="hint\n")
    assert "there is only one move, 15x22 (hint again" in ran.out


def test_moves_may_be_numbered_as_in_the_books(play: Play) -> None:
    for moves in ("1. e4 e5 2. Nf3", "1.e4 1...e5 2.Nf3", "e4,e5,Nf3"):
        ran = play("chess", "--players", "human,human", "--moves", moves, typed="")
        assert "moves so far: e4 e5 Nf3" in ran.lines, moves
    ran = play("checkers", "--players", "human,human", "--moves", "1. 11-15 23-19", typed="")
    assert "moves so far: 11-15 23-19" in ran.lines


@pytest.mark.parametrize("flag", [["--as", "x"], ["--time", "1"], ["--level", "3"]])
def test_resuming_names_the_option_to_leave_out_as_it_was_typed(play: Play, flag: list[str]) -> None:
    ran = play("--resume", *flag, typed="")
    assert ran.status == 2 and ran.err.rstrip().endswith(f"leave out {flag[0]}")


def test_hint_warns_of_what_loses_and_knows_a_lost_game(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,human", "--moves", "a1", typed="hint\n")
    assert "careful: 7 of 8 moves lose by force" in ran.out
    ran = play("tictactoe", "--players", "human,human", "--moves", "a1 b1", typed="hint\n")
    assert "there is a forced win" in ran.out
    ran = play("tictactoe", "--players", "human,human", "--moves", "a1 b1 a2", typed="hint\nhint\n")
    assert "everything loses" in ran.out and "a3     loss in 4" in ran.out


def test_each_engine_that_played_is_credited_with_its_own_searches(play: Play) -> None:
    squares = "\n".join(a + b for a in "abc" for b in "123")
    ran = play("tictactoe", "--engine", "iterative:depth=3", typed=f"b2\nengine minimax:depth=2\n{squares}\n")
    told = [line.partition(" positions")[0] for line in ran.lines if line.startswith("summary: ")]
    named = {line.split()[1]: int(line.split()[-1].replace(",", "")) for line in told[1:]}
    assert list(named) == ["iterative", "minimax"]
    played = saved.saved()[0].record
    spent = [move.nodes for move in played.moves if move.player == 1]
    assert named == {"iterative": spent[0], "minimax": sum(spent[1:])}


def test_engine_and_level_change_the_opponent(play: Play) -> None:
    ran = play(
        "tictactoe", "--engine", "random", typed="level 3\nlevel 11\nengine minimax:depth=2\nengine foo\nb2\n"
    )
    assert "iterative, level 3 plays now" in ran.out
    assert "a level of tictactoe is 1 to 3, or beginner, casual, club, strong or full, not '11'" in ran.out
    assert "minimax plays now" in ran.out
    assert "there is no player 'foo'" in ran.out
    assert "uci:COMMAND" in ran.out
    assert "depth 2" in ran.out
    assert saved.saved()[0].record.players == ["human", "minimax:depth=2"]


@pytest.mark.parametrize("typed", ["load {file}", "resume"])
def test_a_game_that_was_resigned_is_over_wherever_it_is_opened(
    play: Play, tmp_path: Path, typed: str
) -> None:
    file = tmp_path / "resigned.pgn"
    file.write_text('[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n')
    if typed == "resume":
        ran = play("--resume", str(file))
        assert ran.status == 6
        told = ran.err
    else:
        ran = play("chess", "--players", "human,human", typed=f"{typed.format(file=file)}\nquit\n")
        told = ran.out
    assert "that game is over (white won); step through it: " in told and f"replay {file}" in told


def test_what_is_taken_back_after_a_game_is_named(play: Play) -> None:
    two = ("chess", "--players", "human,human")
    ran = play(*two, typed="e4\ne5\nresign\nundo\nresign\nundo 2\nresign\nundo 9\nquit\n")
    told = [line for line in ran.lines if line.startswith("took back")]
    assert told == [
        "took back the resignation",
        "took back the resignation and 1 move",
        "took back the resignation and 1 move",
    ]
    ran = play(*two, typed="e4\ndraw\nyes\nundo\nquit\n")
    assert "took back the draw" in ran.lines


def test_a_resignation_loses(play: Play) -> None:
    ran = play("tictactoe", "--as", "o", "--engine", "random", typed="resign\n")
    assert ran.status == 0 and "result: x wins; o resigned" in ran.lines


def test_players_agree_on_dead_stones(play: Play, tmp_path: Path) -> None:
    ended = "...XO../.O.XO../..XXO../XXXXO../XX.XOO./XXXXO.X/.X.XO.O black"
    game = ("go:size=7", "--position", ended, "--players")
    file = tmp_path / "a.sgf"
    typed = f"pass\npass\ndead\nsave {file}\ndead B6 G2\ndead A7\nundo\ndead\n"
    ran = play(*game, "human,human", typed=typed)
    dead = "summary: without the dead stones B6 G2: white wins by 0.5"
    assert [line for line in ran.lines if "without" in line] == [f"{dead} (type dead if you agree)", dead]
    assert "result: black wins by 3.5 points" in ran.lines and "result: white wins" in ran.lines
    assert "no stone seems dead; name those that are, as in dead D4" in ran.lines
    assert "there is no stone on A7" in ran.lines and "took back 1 move" in ran.lines
    assert "'dead' is for a game that is over" in ran.lines and "RE[W+0.5]" in file.read_text()
    ran = play(*game, "human,script:pass", typed="pass\ndead E7\ndead G2\ndead B6\n")
    assert "summary: without the dead stones G2: white wins by 9.5" in ran.lines  # a person may give in
    assert "script does not agree that E7 is dead; undo 2 and play it out" in ran.lines
    assert "script does not agree that G2 is alive; undo 2 and play it out" in ran.lines
    ran = play("chess", "--players", "human,human", typed="dead\nterritory\nresign\ndead\n")
    assert ran.lines.count("'dead' is not for chess") == 2 and "'territory' is not for chess" in ran.lines


def test_whose_points_seem_to_be_is_told(play: Play) -> None:
    rows = ".XO./.XO./.XO./.XO. black"
    ran = play("go:size=4", "--position", rows, "--players", "human,human", typed="territory\n")
    assert ran.lines.count("4 x X O o") == 1
    assert "points: black 8, white 8; ahead with komi: white by 7.5 (an estimate from playouts)" in ran.lines


def test_an_engine_gives_up_a_game_of_go_to_a_person(play: Play) -> None:
    players = ("--players", "human,mcts:sims=20")
    ran = play("go:size=4,komi=-90", *players, typed="A1\nD4\nA4\nD1\n")
    assert ran.status == 0 and "result: black wins; white resigned" in ran.lines


def test_a_game_that_hides_something_shows_only_what_the_human_knows(play: Play) -> None:
    kuhn = TESTS / "examples" / "games" / "kuhn.py"
    ran = play(str(kuhn), "--engine", "random", "--seed", "3", typed="bet\n")
    before, _, after = ran.out.partition("first plays bet")
    deal = next(deal for deal in ("JQ", "JK", "QJ", "QK", "KJ", "KQ") if deal in after)
    assert "chance makes a move that you do not see" in before
    assert f"first knows: {deal[0]}" in before.splitlines()
    assert deal not in before, "the cards are shown when the game is over"
    assert "chance deals K ?" in play("kuhn", "--seed", "3").lines


def test_two_people_in_a_pipe_are_each_shown_their_own(play: Play) -> None:
    tricks = TESTS / "examples" / "games" / "tricks.py"
    moves = ("--players", "human,human", "--moves", "K 6 9 T 7 A")
    ran = play(str(tricks), *moves, typed="9\nT\n6\nK\n7\nA\n")
    assert ran.status == 0 and "moves so far: ? ? ? ? ? ?" in ran.lines
    assert ran.lines[5:9] == ["south: ? ? ?", "table: nothing", "north: 7 9 K", "north: 0 tricks"]
    assert "north: ? ?" in ran.lines and "south: 6 T A" in ran.lines
    assert ran.lines[-4:-1] == ["north: 1 trick", "south: 2 tricks", "result: south wins by 1 point"]


# -- levels and seats -------------------------------------------------------------------------------


def test_a_level_plays_the_same_game_with_the_same_seed(play: Play) -> None:
    def moves(seed: int) -> list[str]:
        ran = play("connect4:columns=5,rows=4", "--players", "level:2,level:3", "--seed", str(seed), "--json")
        return [ply["move"] for ply in json.loads(ran.out)["moves"]]

    assert moves(4) == moves(4)
    assert len({tuple(moves(seed)) for seed in range(6)}) > 2


def test_a_child_overlooks_much_but_never_a_win_on_the_spot(play: Play) -> None:
    for seed in range(12):
        ran = play(
            "tictactoe", "--players", "level:1,human", "--moves", "a1 a2 b1 b2", "--seed", str(seed), "--json"
        )
        assert json.loads(ran.out)["winner"] == "x"


def test_a_game_may_have_a_ladder_of_its_own(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "short.py"
    file.write_text(
        STICKS.read_text().replace(
            "class Sticks(Position):", "class Short(Position):\n    levels = ((1, 0.0), (2, 0.0))\n"
        )
    )
    ran = play(str(file), "--level", "3", typed="1\n")
    assert (
        ran.status == 2
        and "a level of short is 1 to 2, or beginner, casual, club, strong or full, not '3'" in ran.err
    )


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("human,alphabeta:depth=6,order=killer", ["human", "alphabeta:depth=6,order=killer"]),
        ("minimax, random", ["minimax", "random"]),
        ("alphabeta:depth=6,table=off,human", ["alphabeta:depth=6,table=off", "human"]),
        ("iterative:nodes=9,alphabeta:depth=2,order=history,level:4",
         ["iterative:nodes=9", "alphabeta:depth=2,order=history", "level:4"]),
        ("configs/engines/strong.toml,human", ["configs/engines/strong.toml", "human"]),
    ],
)  # fmt: skip
def test_a_list_of_players_is_parted_where_players_begin(text: str, specs: list[str]) -> None:
    assert parse_list(text) == specs


def test_flags_fill_what_a_player_leaves_open() -> None:
    limit = Limit(depth=5, nodes=700)
    assert seats.player("ab", game("tictactoe"), limit=limit).spec == "alphabeta:depth=5,nodes=700"
    assert seats.player("ab:depth=2", game("tictactoe"), limit=limit).spec == "alphabeta:depth=2,nodes=700"


def test_seats_have_many_names() -> None:
    position = game("connect4").new()
    words = ["first", "BLUE", "red", "x", "1"], ["second", "orange", "yellow", "o", "2"]
    assert [[seats.seat(word, position) for word in some] for some in words] == [[0] * 5, [1] * 5]
    sides = r"blue \(1, first, red, x\) and orange \(2, o, second, yellow\)"
    with pytest.raises(Usage, match=f"there is no side 'rde'; did you mean 'red'\\?; the sides are {sides}"):
        seats.seat("rde", position)
    four = type("Four", (Position,), {"players": 4})()
    assert [seats.seat(word, four) for word in ("first", "second", "third", "fourth", "4")] == [0, 1, 2, 3, 3]
    with pytest.raises(Usage, match="there is no side 'fourth'"):
        seats.seat("fourth", type("Three", (Position,), {"players": 3})())


@pytest.mark.parametrize(
    ("name", "sides"),
    [
        ("tictactoe", ("x", "o")),
        ("connect4", ("blue", "orange")),
        ("othello", ("black", "white")),
        ("checkers", ("black", "white")),
        ("chess", ("white", "black")),
        (str(STICKS), ("first", "second")),
        (str(TRICKS), ("north", "south")),
    ],
)
def test_every_game_knows_its_sides_by_name(name: str, sides: tuple[str, str]) -> None:
    position = game(name).new()
    assert [seats.seat(side.upper(), position) for side in sides] == [0, 1]
    with pytest.raises(Usage, match=rf"there is no side 'purple'; the sides are {sides[0]} .* {sides[1]} "):
        seats.seat("purple", position)


# -- machine output ---------------------------------------------------------------------------------


def test_json_is_one_document(play: Play) -> None:
    ran = play("tictactoe", "--players", "minimax:depth=2,random", "--json", "--seed", "3")
    document = json.loads(ran.out)
    assert ran.out.count("\n") == 1
    assert document["game"] == "tictactoe" and document["seed"] == 3
    assert document["reason"] == "rules" and document["sides"] == ["x", "o"]
    assert document["winner"] in ("x", "o", None) and len(document["result"]) == 2
    assert document["moves"][0]["nodes"] > 0 and document["moves"][0]["player"] == 0


def test_json_of_an_unfinished_game_says_so(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,human", "--json", typed="a1\nzz\n")
    document = json.loads(ran.out)
    assert ran.status == 4 and document["result"] is None and len(document["moves"]) == 1
    assert "'zz' is not a legal move" in ran.err


def test_jsonl_streams_every_event(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,random", "--jsonl", typed="a1\nundo\nb2\nresign\n")
    events = [json.loads(line) for line in ran.lines]
    kinds = [event["event"] for event in events if event["event"] != "report"]
    assert kinds == ["begin", "move", "move", "undo", "undo", "move", "move", "end"]
    assert events[-1]["winner"] == "o" and events[-1]["reason"] == "resigned"


def test_show_tells_a_position_and_how_to_bring_it_back(play: Play) -> None:
    ran = play("connect4", "--moves", "4 4 3", command="show")
    assert ran.status == 0
    assert "│[●]│" in ran.out or "|[X]|" in ran.out
    facts = dict(line.split(":", 1) for line in ran.lines if ":" in line)
    assert facts["position"].strip() == "443"
    assert facts["turn"].strip() == "orange"
    assert facts["evaluation"].strip() == "blue -1 point"
    again = play("connect4", "--position", "443", "--json", command="show")
    assert json.loads(again.out)["position"] == "443"


@pytest.mark.parametrize(
    ("command", "words", "most"),
    [
        ("show", ["tictactoe"], 24),
        ("games", ["tictactoe"], 24),
        ("openings", ["othello", "tiger"], 24),
        ("solve", ["tictactoe", "--moves", "a1 b2 c3 c1 b1 c2 a2"], 14),
    ],
)
def test_boards_are_as_large_as_a_terminal_of_usual_height_takes(
    play: Play, command: str, words: list[str], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And as it is wide; the board of a game that is explained no wider than its rules."""
    asked: list[Any] = []
    theme = Theme(colour=False, unicode=True, interactive=True)
    monkeypatch.setattr(options.Drawing, "theme", lambda self, plain=False: theme)
    monkeypatch.setattr("gameplay.display.theme.decide", lambda: theme)
    monkeypatch.setattr("gameplay.display.board.drawing.largest", lambda *what: asked.append(what[1:3]) or 1)
    for width in (79, 81, 120):
        console = theme.console_on(io.StringIO(), width)
        console._force_terminal = True
        theme.__dict__["console"] = console
        assert play(*words, command=command).status == 0
        assert console.file.getvalue() and asked.pop() == (
            min(width, 80) if command == "games" else width,
            most,
        )


def test_show_tells_what_there_is_to_tell(play: Play) -> None:
    """No moves of a game that is over, no worth of a throw, and of three players only the mover's."""
    ran = play("tictactoe", "--moves", "a1,a2,b1,b2,c1", "--json", command="show")
    assert json.loads(ran.out) == {
        "game": "tictactoe", "position": "xxx/oo./...", "made": ["a1", "a2", "b1", "b2", "c1"], "turn": None,
        "legal": [], "result": "x wins",
    }  # fmt: skip
    facts = {
        f"{STICKS} --moves 3": [
            "sticks 17", "second to move", "made:       3", "turn:       second", "legal:      1 2 3",
            "evaluation: level",
        ],
        "tictactoe:players=3,width=3,height=3 --plain": [
            "  a b c", "1 . . .", "2 . . .", "3 . . .", "position:   .../.../...", "turn:       x",
            "legal:      a1 b1 c1 a2 b2 c2 a3 b3 c3", "evaluation: x 0.00",
        ],
        "pig --moves roll --plain": [
            "   10  20  30  40  50  60  70  80  90 100", *["0" + "   ." * 10] * 2, "rolled: .", "pot: 0",
            "position:   0-0 1 0 roll", "made:       roll", "turn:       chance", "legal:      1 2 3 4 5 6",
        ],
        "nim:heaps=1+2 --moves 'b2 a1' --plain": [],
    }  # fmt: skip
    for words, lines in facts.items():
        ran = play(*shlex.split(words), command="show")
        assert ran.status == 0 and ran.lines == (lines or ran.lines)
    assert ran.lines[-1] == "result:     second wins"


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["chess", "--position", "xx"], 6, "gameplay: 'xx' is neither a FEN nor a list of moves such as e4"),
        (["chess", "--position", "e4 xx"], 6, "move 2: 'xx' is not a move such as e4"),
        (["chess", "--position", "o-o"], 6, "move 1: 'O-O' is not legal here"),
        (["connect4", "--position", "448"], 6, "'448', character 3: '8' is not a column"),
        (["connect4", "--moves", "4 9"], 6, "move 2: '9' is not a legal move"),
        (["tictactoe", "--position", "x.z/.../..."], 6, "z"),
        (["tictacto"], 2, "did you mean 'tictactoe'?"),
    ],
)
def test_show_says_what_is_wrong(play: Play, arguments: list[str], status: int, words: str) -> None:
    ran = play(*arguments, command="show")
    assert ran.status == status and words in ran.err and ran.err.count("\n") == 1


def test_replay_tells_the_game_again(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    first = play("tictactoe", "--players", "minimax:depth=3,random", "--save", str(file))
    again = play(str(file), command="replay")
    assert again.status == 0

    def told(ran: Ran) -> list[str]:
        return [
            line.partition(" positions in")[0].partition(", line ")[0]
            for line in ran.lines
            if " plays " in line or "result" in line
        ]

    assert told(again) == told(first) != []
    lines = [line.partition(", line ")[2] for line in first.lines if ", line " in line]
    assert lines and lines == [line.partition(", line ")[2] for line in again.lines if ", line " in line]
    newest = play("last", command="replay")
    assert told(newest) == told(first)
    resigned = play("tictactoe", "--players", "human,human", "--save", str(file), typed="a1\nresign\n")
    assert resigned.status == 0
    assert "result: x wins; o resigned" in play(str(file), command="replay").lines
    assert play(str(tmp_path / "none.json"), command="replay").status == 6
    early = play(str(file), "--ply", "0", command="replay")
    assert early.lines[-1].endswith("play tictactoe") and "o resigned" not in early.out
    assert play(str(file), "--ply", "2", command="replay").status == 6
    document = json.loads(play("2", "--json", "--ply", "1", command="replay").out)
    (ply,) = document["moves"]
    assert document["result"] is None and ply["depth"] == 3 and ply["line"][0] == ply["move"]


# -- clocks -----------------------------------------------------------------------------------------


def test_clocks_are_told_in_lines(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,human", "--clock", "60+3", typed="a1\npause\npause\nquit\n")
    assert ran.status == 0
    assert "clock: 60 min + 3 s a move" in ran.lines
    assert "time left: x 60:00, o 60:00" not in ran.lines and "time left: x 1:00:00, o 1:00:00" in ran.lines
    assert "time left: x 1:00:03, o 1:00:00" in ran.lines
    assert "the clock stands; pause again, or a move, and it goes on" in ran.lines
    assert "the clock goes on" in ran.lines


def test_without_a_clock_there_is_nothing_to_pause(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,human", typed="help\nquit\n")
    assert "pause" not in ran.out and "time left" not in ran.out


def test_a_game_by_the_clock_is_resumed_with_its_times(play: Play) -> None:
    play("tictactoe", "--players", "human,human", "--clock", "60+3", typed="b2\nquit\n")
    found = next((one for one in saved.saved() if one.unfinished), None)
    assert found is not None and found.record.clock == "3600+3" and found.record.moves[0].spent is not None
    ran = play("--resume", typed="quit\n")
    assert "clock: 60 min + 3 s a move" in ran.lines
    assert "time left: x 1:00:03, o 1:00:00" in ran.lines


def test_engines_play_by_the_clock_and_programs_are_told(play: Play) -> None:
    ran = play("tictactoe", "--players", "minimax,alphabeta", "--clock", "1+1", "--jsonl")
    assert ran.status == 0
    told = [json.loads(line) for line in ran.lines]
    moves = [one for one in told if one["event"] == "move"]
    assert all(0 <= one["spent"] < 60 and min(one["clocks"]) > 0 for one in moves)
    assert moves[-1]["clocks"][0] == pytest.approx(60 + 5 - sum(one["spent"] for one in moves[0::2]))
    ran = play("tictactoe", "--players", "minimax,alphabeta", "--clock", "1+1", "--json")
    record = json.loads(ran.out)
    assert record["clock"] == "60+1" and all("spent" in ply for ply in record["moves"])


def test_a_saved_sheet_tells_the_clock(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    moves = "f3 e5 g4"
    options = ("--players", "human,human", "--clock", "5+3", "--moves", moves, "--save", str(file))
    assert play("chess", *options, typed="Qh4\n").status == 0
    assert '[TimeControl "300+3"]' in file.read_text()


# -- what the flags say ------------------------------------------------------------------------------


@pytest.fixture
def seated(monkeypatch: pytest.MonkeyPatch, play: Play) -> Callable[..., Any]:
    """What a session begins with, by these flags; no game is played."""
    sat: list[Any] = []

    class GameSession:
        def __init__(self, theme: Any, table: Any, *more: Any) -> None:
            sat.append((table, dict(zip(PARTS, more, strict=True)), theme))

        def run(self) -> None:
            sat.append("ran")

    def begun(*words: str) -> Any:
        sat.clear()
        ran = play(*words)
        assert (ran.status, ran.out, ran.err, sat[1:]) == (0, "", "", ["ran"])
        return sat[0]

    monkeypatch.setattr(game_session, "GameSession", GameSession)
    return begun


GOAL = " ".join(map(str, range(16)))
PARTS = ("limit", "file", "output", "ponder", "full", "tutor", "notice")


@pytest.mark.parametrize(
    ("words", "specs", "facts"),
    [
        ("", ["human", "casual"], {"game": "connect4"}),
        ("tictactoe", ["human", "casual"], {"game": "tictactoe"}),
        ("tictactoe --as o", ["casual", "human"], {}),
        ("tictactoe --as second --level 3", ["level:3", "human"], {}),
        ("tictactoe --engine minimax --depth 3", ["human", "minimax"], {"limit": Limit(depth=3)}),
        ("tictactoe --multipv 3", ["human", "iterative"], {"limit": Limit(multipv=3)}),
        ("tictactoe --players random,human --seed 9", ["random", "human"], {"seed": 9}),
        ("tictactoe:players=3", ["human", "casual", "casual"], {}),
        ("puzzle15", ["human"], {"game": "puzzle15:seed=0"}),
        ("puzzle15 --seed 7", ["human"], {"game": "puzzle15:seed=7", "seed": 7}),
        ("puzzle15:seed=3 --seed 7", ["human"], {"game": "puzzle15:seed=3", "seed": 7}),
        ("puzzle15 --players idastar", ["idastar"], {}),
        (f"puzzle15 --position '{GOAL}'", ["human"], {"game": "puzzle15", "start": GOAL}),
        (
            "tictactoe --position x../.../... --moves '1. b2 2.a2, c3'",
            ["human", "casual"],
            {"start": "x../.../...", "moves": ["b2", "a2", "c3"]},
        ),
        ("tictactoe --moves b2", ["human", "casual"], {"start": "", "moves": ["b2"]}),
        ("tictactoe --clock 5+3", ["human", "casual"], {"clock": str(control("5+3", minutes=True))}),
        ("tictactoe --threads 2 --engine iterative", ["human", "iterative:threads=2"], {}),
        ("tictactoe --json", ["human", "casual"], {"output": "json"}),
        ("tictactoe --jsonl", ["human", "casual"], {"output": "jsonl"}),
        ("tictactoe --save x.json", ["human", "casual"], {"file": "x.json"}),
        ("tictactoe --ponder", ["human", "iterative"], {"ponder": True}),
        ("tictactoe --tutor", ["human", "casual"], {"tutor": True}),
        ("tictactoe --names Ann", ["human", "casual"], {"names": ["Ann", ""]}),
        (
            "tictactoe:players=3 --players human,random,human --names 'Ann, Bo '",
            ["human", "random", "human"],
            {"names": ["Ann", "", "Bo"]},
        ),
    ],
)
def test_a_game_is_begun_as_the_flags_say(
    seated: Callable[..., Any], words: str, specs: list[str], facts: dict[str, Any]
) -> None:
    """Without a terminal by seed 0, so that it can be played again."""
    table, given, theme = seated(*shlex.split(words))
    found = {"game": table.game.spec, "seed": table.seed, "start": table.start, "moves": table.moves}
    found |= {"clock": table.clock, "names": table.names} | given
    usual = {"game": found["game"], "seed": 0, "start": "", "moves": [], "clock": ""}
    usual |= {"names": [""] * len(specs), "limit": Limit(), "file": None, "output": ""}
    usual |= {"ponder": False, "full": False, "tutor": False}
    usual |= {"notice": CASUAL if "casual" in specs else ""}
    assert found == usual | facts
    named = {"iterative": seats.opponent, "casual": strength.casual}
    assert table.specs == [named[spec](table.game) if spec in named else spec for spec in specs]
    assert theme.interactive is False


def test_the_name_that_is_set_is_that_of_the_only_person(
    seated: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAMEPLAY_NAME", "Ann")
    for words, names in (
        (["tictactoe", "--as", "o"], ["", "Ann"]),
        (["tictactoe", "--players", "human,human"], ["", ""]),
        (["tictactoe", "--players", "random,random"], ["", ""]),
        (["tictactoe", "--names", "Bo"], ["Bo", ""]),
    ):
        assert seated(*words)[0].names == names


def test_at_a_terminal_each_game_has_a_seed_of_its_own(
    seated: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    theme = Theme(colour=False, unicode=True, interactive=True)
    monkeypatch.setattr("os.urandom", lambda count: bytes(range(1, count + 1)))
    monkeypatch.setattr(
        options.Drawing, "theme", lambda self, plain=False: replace(theme, interactive=not plain)
    )
    assert seated("puzzle15")[0].seed == 0x04030201
    assert seated("puzzle15")[0].game.spec == f"puzzle15:seed={0x04030201}"
    assert seated("puzzle15", "--seed", "3")[0].seed == 3
    assert seated("tictactoe", "--full")[1]["full"] is True
    for flag in ("--json", "--jsonl"):
        assert seated("tictactoe", flag)[2].interactive is False


# -- what is refused --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["tictactoo"], 2, "did you mean 'tictactoe'?"),
        (["tictactoe", "--engine", "alphabetta"], 2, "did you mean 'alphabeta'?"),
        (["tictactoe", "--as", "z"], 2, "there is no side 'z'"),
        (
            ["tictactoe", "--level", "0"],
            2,
            "a level of tictactoe is 1 to 3, or beginner, casual, club, strong or full, not '0'",
        ),
        (["tictactoe", "--level", "3", "--depth", "4"], 2, "leave out --depth"),
        (["tictactoe", "--level", "3", "--engine", "random"], 2, "name no other"),
        (["tictactoe", "--players", "human"], 2, "tictactoe is for 2 players; --players names 1: human"),
        (["tictactoe", "--players", "human,random", "--as", "x"], 2, "leave out --engine and --as"),
        (["tictactoe", "--players", "level:x,random"], 2, "level is a whole number from 1 up"),
        (["tictactoe", "--depth", "0"], 2, "depth is a whole number of plies from 1 to 255, not 0"),
        (["tictactoe", "--json", "--jsonl"], 2, "give one"),
        (["tictactoe", "--engine", "random", "--depth", "4"], 2, "no player here takes them"),
        (["tictactoe", "--players", "human,level:3", "--time", "4"], 2, "no player here takes them"),
        (["tictactoe", "--moves", "a1 a1"], 6, "move 2: 'a1' is not a legal move"),
        (["tictactoe", "--save", "/nowhere/at/all.json"], 6, "there is no folder /nowhere/at"),
        (["tictactoe", "--save", "/dev/full"], 6, "is not a regular file"),
        (["tictactoe", "--clock", "five"], 2, "'five' is no time (examples: 5+3, 0:30, 40/90+30"),
        ([str(TRICKS), "--clock", "5+3"], 2, "tricks has no loss on time: leave out --clock"),
        (["--resume", "--clock", "5"], 2, "leave out --clock"),
        (["tictactoe", "--full"], 2, "--full needs a terminal"),
        (["tictactoe", "--full", "--json"], 2, "--full needs a terminal"),
        (["--resume", "tictactoe"], 6, "there is no file tictactoe, nor a saved game of that name"),
        (["tictactoe", "--resume"], 6, "there is no unfinished game"),
        (["--resume", "3"], 6, "no game is saved yet"),
        (["tictactoe", "--names", "Ann,Bob"], 2, "here 1 person plays: not 'Ann,Bob'"),
        (["tictactoe", "--players", "human,human", "--names", "Ann,"], 2, "gives each person a name"),
        (
            ["tictactoe", "--save", "x.pgn"],
            2,
            "tictactoe is not saved as .pgn: .json works here, as in x.json",
        ),
        (["chess", "--save", "x.jso"], 2, "chess is not saved as .jso: .json and .pgn work here"),
        (["tictactoe", "--names", " "], 2, "here 1 person plays: not ' '"),
        (["tictactoe", "--players", "human,human", "--names", "Ann"], 2, "here 2 people play: not 'Ann'"),
        (["tictactoe", "--players", "random,random", "--names", "Ann"], 2, "here 0 people play: not 'Ann'"),
        (["tictactoe", "--level", "3", "--players", "human,random"], 2, "name no other"),
        (["tictactoe", "--players", "human,random", "--engine", "random"], 2, "leave out --engine and --as"),
        (["puzzle15", "--engine", "idastar"], 2, "watch an engine: --players idastar"),
        (["puzzle15", "--level", "3"], 2, "watch an engine: --players idastar"),
        (["tictactoe", "--engine", "random", "--multipv", "2"], 2, "no player here searches; leave it out"),
        (["tictactoe", "--players", "human,human", "--book", "own"], 2, "--book is for engines of this pro"),
        (["tictactoe", "--players", "random,random", "--tutor"], 2, "no person plays; leave it out"),
        (["tictactoe", "--tutor", "--clock", "5"], 2, "does not go with --clock; give one"),
        (["kuhn", "--tutor"], 2, "tutor"),
        (["--resume", "--depth", "3"], 2, "leave out --depth"),
        (["--resume"], 6, "there is no unfinished game"),
        (["nothing.py"], 6, "there is no file nothing.py"),
    ],
)
def test_a_wrong_flag_gets_one_line(play: Play, arguments: list[str], status: int, words: str) -> None:
    ran = play(*arguments)
    assert ran.status == status, ran.err
    assert words in ran.err and ran.err.count("\n") == 1 and ran.out == ""


# -- faults -----------------------------------------------------------------------------------------

BAD = STICKS.read_text().replace("class Sticks", "class Bad")


@pytest.mark.parametrize(
    ("source", "status", "words"),
    [
        (
            BAD.replace("        self.sticks -= move", "        self.sticks -= move / 0"),
            5,
            "ZeroDivisionError",
        ),
        (BAD + "    def __str__(self):\n        return 1 / 0\n", 5, "__str__() raised ZeroDivisionError"),
        (BAD.replace("self.turn = 1 - self.turn", "self.turn = 5"), 5, "turn is 5, not a player from 0 to 1"),
        ("this isn't Python", 6, "is not Python"),
        ("import gameplay\n", 6, "holds no game"),
    ],
)
def test_a_game_that_fails_gets_one_line_and_is_kept(
    play: Play, tmp_path: Path, source: str, status: int, words: str
) -> None:
    file = tmp_path / f"bad{abs(hash(source))}.py"
    file.write_text(source)
    ran = play(str(file), "--players", "random,random")
    assert ran.status == status
    assert words in ran.err and ran.err.count("\n") == 1


def test_a_full_disk_does_not_end_the_game(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(saved, "keep", full)
    ran = play("tictactoe", "--players", "human,human", typed="a1\na2\nb1\nb2\nc1\n")
    assert "result: x wins" in ran.lines
    assert ran.status == 75
    assert ran.err.count("No space left on device") == 1


def test_an_output_without_unicode_shows_what_it_can(tmp_path: Path) -> None:
    file = tmp_path / "queens.py"
    file.write_text(STICKS.read_text() + "\n    def __str__(self):\n        return '\\u2655' * self.sticks\n")
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ran = subprocess.run(
        [sys.executable, "-m", "gameplay", "play", str(file)],
        input=b"",
        capture_output=True,
        env=os.environ | plain,
    )
    assert ran.returncode == 4, ran.stderr
    assert b"?" * 20 in ran.stdout


def test_a_closed_pipe_ends_quietly() -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "gameplay", "play", "tictactoe", "--players", "human,human"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdin is not None and child.stdout is not None and child.stderr is not None
    assert child.stdout.readline() == "game: tictactoe\n"
    child.stdout.close()
    child.stdin.write("b2\n")
    child.stdin.flush()
    assert child.wait(60) == 141
    assert child.stderr.read() == ""


def test_what_is_left_for_a_closed_pipe_is_dropped_quietly() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(
        [sys.executable, "-m", "gameplay", "games"], stdout=writer, stderr=subprocess.PIPE, timeout=60
    )
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (141, b"")


@pytest.mark.parametrize(("signal", "status"), [(2, 130), (15, 143)])
def test_signals_end_it_after_saving(signal: int, status: int) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "gameplay", "play", "tictactoe", "--engine", "random"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ,
    )  # fmt: skip
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write("b2\n")
    child.stdin.flush()
    for line in child.stdout:
        if line == "x to move\n" and saved.saved():
            break
    time.sleep(0.05)
    child.send_signal(signal)
    _, err = child.communicate(timeout=60)
    assert child.returncode == status
    assert "Traceback" not in err
    assert ("play --resume" in err) is (signal == 2)
    assert len(saved.saved()[0].record.moves) == 2


def test_a_home_that_is_no_folder_is_told_at_once(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    monkeypatch.setenv("GAMEPLAY_HOME", str(file))
    for command in ("play", "selfplay", "status"):
        words = () if command == "status" else ("tictactoe",)
        ran = play(*words, command=command, typed="a1\n")
        assert ran.status == 75 and ran.out == ""
        assert ran.err.startswith(f"gameplay: GAMEPLAY_HOME is {file}, which is no folder: ")
        assert len(ran.err.splitlines()) == 1
    monkeypatch.delenv("GAMEPLAY_HOME")
    ran = play("tictactoe", "--store", str(file / "x.db"), command="selfplay")
    assert (
        ran.status == 75 and ran.err == f"gameplay: {file} is a file: name a place for runs, --store FILE\n"
    )


def test_a_folder_that_cannot_be_written_is_told_before_the_first_move(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "games").write_text("no folder")
    monkeypatch.setenv("GAMEPLAY_HOME", str(tmp_path / "home"))
    ran = play("tictactoe", typed="quit\n")
    assert ran.status == 75 and ran.err.startswith("the game cannot be saved: ")
    assert ran.err.count("\n") == 1, "the reason is printed once"
