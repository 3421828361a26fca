"""`gameplay play` away from a terminal: whole games, commands, saved games, levels and clocks."""

import json
import os
import signal
from pathlib import Path

import pytest

from gameplay.errors import Usage
from gameplay.players import seats
from gameplay.position import Position
from gameplay.registry import game
from gameplay.search.limit import Limit
from gameplay.specs import parse_list
from gameplay.store import saved
from tests.support.paths import TESTS
from tests.support.play import STICKS, TRICKS, Play, play

pytestmark = pytest.mark.once

assert play  # fixture


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


@pytest.mark.parametrize(
    ("arguments", "spec"),
    [
        (["stratego"], "stratego:start=chosen"),
        (["stratego:army=barrage"], "stratego:army=barrage,start=chosen"),
        (["stratego:start=drawn"], "stratego:start=drawn"),
        (["stratego:army=barrage", "--players", "random,random"], "stratego:army=barrage"),
    ],
)
def test_people_set_up_their_armies_unless_parameters_say_how(
    play: Play, arguments: list[str], spec: str
) -> None:
    assert play(*arguments, typed="resign\n").lines[0] == f"game: {spec}"


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


def test_play_restores_the_handler_of_sigterm(play: Play) -> None:
    """A process that plays with `play` and starts others can be terminated at any time."""
    before = signal.getsignal(signal.SIGTERM)
    assert play("tictactoe", "--players", "random,random").status == 0
    assert signal.getsignal(signal.SIGTERM) is before


def test_play_alone_starts_a_game(play: Play) -> None:
    ran = play("--nodes", "50", typed="4\n")
    assert ran.lines[:3] == ["game: connect4", "blue (X): human", "orange (O): iterative:nodes=50"]
    assert "blue plays 4" in ran.lines


@pytest.mark.parametrize(
    ("side", "begins"), [("first", True), ("x", True), ("1", True), ("second", False), ("O", False)]
)
def test_sides_are_assigned_to_players(play: Play, side: str, begins: bool) -> None:
    ran = play("tictactoe", "--engine", "random", "--as", side, typed="b2\n")
    assert ("x: human" in ran.lines) is begins
    assert ("o: human" in ran.lines) is not begins


def test_typed_commands_of_a_human(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    typed = f"help\nmoves\nflip\na1\nundo\nredo\nsave {file}\nshow\nrestart\nload {file}\nquit\n"
    ran = play("tictactoe", "--players", "human,minimax:depth=1", typed=typed)
    assert ran.status == 0, ran.err
    for words in (
        "undo, redo [N]",
        "9 legal moves: a1 a2 a3 b1 b2 b3 c1 c2 c3",
        "the board is turned around",
        "took back 2 moves",
        "redid 2 moves",
        f"saved in {file}",
        "a new game begins",
        f"loaded {file}",
        "moves so far: a1 ",
    ):
        assert words in ran.out, words
    assert any(line.startswith("or: --moves 'a1 ") for line in ran.lines)
    assert len(saved.read(file).moves) == 2


OVER = "a1\na2\nb1\nb2\nc1\n"


def test_a_finished_game_is_no_dead_end(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    after = f"help\nhint\neval\nmoves\nshow\nflip\nresign\na3\nsave {file}\nsave x.pgn\nreplay\n"
    ran = play("tictactoe", "--players", "human,human", typed=OVER + after)
    assert ran.status == 0 and ran.err == ""
    summary = ran.out.partition("summary: 5 moves")[2]
    for words in (
        "again            another game",
        "swap             another game, from the other side",
        "the game is over, so there is no move to advise",
        "the game is over: the result is its value",
        "the game is over; its 5 moves: a1 a2 b1 b2 c1",
        "--moves 'a1 a2 b1 b2 c1'",
        "the board is turned around",
        "'resign' requires a game in progress; undo takes back a move",
        f"saved in {file}",
        "tictactoe is not saved as .pgn; expected .json. Try: x.json",
        "x plays a1\no plays a2\nx plays b1\no plays b2\nx plays c1\n",
    ):
        assert words in summary, words
    assert "resign" not in summary.partition("hint")[0] and "x to move" not in summary
    assert saved.read(file).result == [1, -1] == saved.saved_games()[0].record.result


def test_a_finished_game_can_be_repeated_restarted_or_undone(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,human", "--names", "Ann,Bob", typed=OVER + "sw\nb2\nquit\n")
    assert ran.lines[:3] == ["game: tictactoe", "x: Ann", "o: Bob"]
    again = ran.lines[ran.lines.index("summary: 5 moves") + 1 :]
    assert again[:3] == ["game: tictactoe", "x: Bob", "o: Ann"] and "x plays b2" in again
    ran = play("tictactoe", "--players", "human,human", typed=OVER + "undo\nc2\nquit\n")
    assert "x takes back c1" in ran.lines and "x plays c2" in ran.lines
    ran = play("tictactoe", "--players", "human,human", typed="again\na1\nresign\nhint\nrestart\nc3\n")
    assert "'again' requires a game that is over" in ran.out
    assert "of 8 moves" in ran.out, "who gave up may ask what there was to do"
    assert [game.record.result for game in saved.saved_games()].count([1, -1]) == 2, (
        "restart wrote over nothing"
    )


def test_a_record_contains_the_date_and_the_players(play: Play, tmp_path: Path) -> None:
    pgn, again = tmp_path / "a.pgn", tmp_path / "b.pgn"
    moves = "f3\ne5\ng4\nQh4\n"
    ran = play("chess", "--players", "human,human", "--names", "Ann,Bob", "--save", str(pgn), typed=moves)
    assert ran.status == 0
    (game,) = saved.saved_games()
    day = game.record.begun[:10]
    assert game.record.names == ["Ann", "Bob"] and game.date == f"{day} {game.record.begun[11:16]}"
    tags = f'[Date "{day.replace("-", ".")}"]\n[Round "?"]\n[White "Ann"]\n[Black "Bob"]\n[Result "0-1"]'
    assert tags in pgn.read_text()
    old = game.path.read_text().replace(day, "1999-12-31")
    game.path.write_text(old)
    for which in ("1", str(game.path)):
        again.unlink(missing_ok=True)
        assert play(which, "--out", str(again), command="export").status == 0
        assert '[Date "1999.12.31"]' in again.read_text() and '[White "Ann"]' in again.read_text()
    refused = play(str(again), "--out", str(pgn), command="export")
    assert refused.status == 2 and f"{pgn} exists: name another file" in refused.err
    pgn.unlink()
    assert play(str(again), "--out", str(pgn), command="export").status == 0
    assert pgn.read_text() == again.read_text()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a.json", "exists and is not a saved game; name another file"),
        ("a.pgn", "exists; name another file, or remove it"),
    ],
)
def test_saving_never_overwrites_other_files(play: Play, tmp_path: Path, name: str, message: str) -> None:
    file = tmp_path / name
    file.write_text('{"colour": "blue"}')
    two = ("chess", "--players", "human,human")
    ran = play(*two, "--save", str(file))
    assert (ran.status, ran.out, ran.err) == (6, "", f"gameplay: {file} {message}\n")
    ran = play(*two, typed=f"e4\nsave {file}\nquit\n")
    assert ran.status == 0 and f"{file} {message}" in ran.out
    assert file.read_text() == '{"colour": "blue"}'
    file.unlink()
    ran = play(*two, typed=f"e4\nsave {file}\ne5\nsave {file}\nquit\n")
    assert ran.out.count(f"saved in {file}") == 2, "what this session wrote it may write anew"
    assert "e5" in file.read_text()
    file.unlink()
    ran = play(*two, "--save", str(file), typed=f"d4\nsave {file}\nd5\n")
    assert f"saved in {file}" in ran.out and "d5" in file.read_text()
    assert "another program" not in ran.out + ran.err
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
    assert ran.status == 6 and f"{tmp_path / 'list.json'} exists and is not a saved game" in ran.err


def test_saving_distinguishes_a_folder_from_a_missing_path(play: Play, tmp_path: Path) -> None:
    ran = play("--resume", str(tmp_path))
    assert (ran.status, ran.err) == (6, f"gameplay: {tmp_path} is a folder; name a file in it\n")
    ran = play("tictactoe", "--players", "human,human", typed=f"load {tmp_path}\nquit\n")
    assert f"{tmp_path} is a folder; name a file in it" in ran.out


def test_an_ending_that_no_format_has_is_a_wrong_argument_everywhere(play: Play, tmp_path: Path) -> None:
    file = str(tmp_path / "e.xyz")
    assert play("tictactoe", "--players", "human,human", typed="a1\n").status == 4
    assert play("1", "--out", file, command="export").status == 2
    assert play("tictactoe", "--save", file).status == 2


def test_agreed_draw_is_saved_and_reported(play: Play, tmp_path: Path) -> None:
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
    (record,) = saved.saved_games()
    head, moves = file.read_text().splitlines()
    assert head.startswith(f"# {record.record.date} Ann - random, ") and moves == "".join(record.record.words)
    assert saved.read(file, None, game).words == record.record.words


def test_saved_games_are_numbered_and_chosen_by_number_name_or_file(play: Play, tmp_path: Path) -> None:
    for typed in ("b2\n", "a1\n", OVER):
        play("tictactoe", "--players", "human,human", "--names", "Ann,Bob", typed=typed)
    listed = play("--saved", command="games").lines
    assert [line.split()[0] for line in listed[:3]] == ["3", "2", "1"], "the newest last"
    assert listed[2].endswith("tictactoe  Ann - Bob  5 moves  x won")
    assert listed[1].endswith("tictactoe  Ann - Bob   1 move  unfinished")
    games = json.loads(play("--saved", "--json", command="games").out)["games"]
    assert [game["number"] for game in games] == [1, 2, 3] and games[1]["unfinished"]
    first = next(game for game in games if game["moves"] == 1)
    for which in (str(first["number"]), first["name"], first["file"]):
        ran = play("--resume", which, typed="quit\n")
        assert ran.status == 0 and "x: Ann" in ran.lines and any("moves so far" in line for line in ran.lines)
    over = play("--resume", games[0]["name"])
    assert over.status == 6 and "that game is over (x won); step through it: " in over.err
    assert over.err.rstrip().endswith(f"gameplay replay {games[0]['name']}")
    missing = play("--resume", "4")
    assert missing.status == 6 and "they are numbered 1 (the newest) to 3" in missing.err


def test_plain_play_names_the_saved_game(play: Play, home: Path) -> None:
    ran = play("tictactoe", "--players", "human,human", typed="")
    assert ran.status == 4 and not home.exists(), "nothing was played, and nothing is kept"
    ran = play("tictactoe", "--players", "human,human", typed="b2\n")
    assert "the game is saved; resume it: " in ran.err
    (name,) = [line.removeprefix("saved as: ") for line in ran.lines if line.startswith("saved as: ")]
    again = play("--resume", name, typed="a1\nquit\n")
    assert f"saved as: {name}" in again.lines and "moves so far: b2" in again.lines
    assert "saved as" not in play("tictactoe", "--players", "random,random").out


def test_resume_of_a_saved_game_plays_it(play: Play, tmp_path: Path) -> None:
    play("tictactoe", "--players", "human,human", typed="b2\n")
    for which in ("1", str(saved.saved_games()[0].path)):
        ran = play(which, typed="quit\n", command="resume")
        assert ran.status == 0 and "moves so far: b2" in ran.lines and "resume it: " in ran.err
    ran = play("1", "--jobs", "2", command="resume")
    assert ran.status == 2 and "1 is a saved game" in ran.err


def test_resume_alone_goes_on_with_what_was_left_last(play: Play, home: Path) -> None:
    play("tictactoe", typed="b2\nquit\n")
    ran = play(command="resume", typed="moves\nquit\n")
    assert (ran.status, "tictactoe" in ran.out + ran.err) == (0, True) and "7 legal moves" in ran.out
    assert play("random", "random", "--game", "tictactoe", "--games", "2", command="match").status == 0
    game = next((home / "games").glob("*.json"))
    os.utime(game, (1, 1))  # the run is the later one
    assert "is finished" in play(command="resume").err
    os.utime(game, None)
    assert "legal moves" in play(command="resume", typed="moves\nquit\n").out
    game.unlink()
    assert "is finished" in play(command="resume").err


def test_game_of_another_program_is_continued(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "other.pgn"
    file.write_text('[White "Ann"]\n[Black "Bob"]\n[Result "*"]\n\n1. e4 e5 *\n')
    before = file.read_text()
    ran = play("--resume", str(file), typed="quit\n")
    assert ran.status == 0 and "white (K): human" in ran.lines and "moves so far: e4 e5" in ran.lines
    assert file.read_text() == before


def test_named_game_replaces_one_that_does_not_exist(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    play("tictactoe", "--players", "human,human", "--save", str(file), typed="a1\nquit\n")
    file.write_bytes(file.read_bytes().replace(b'"game":"tictactoe"', b'"game":"nosuch"'))
    ran = play("--resume", str(file))
    assert ran.status == 6 and f"{file}: unknown game 'nosuch'" in ran.err
    ran = play("tictactoe", "--resume", str(file), typed="quit\n")
    assert ran.status == 0 and "moves so far: a1" in ran.lines


def test_a_game_of_another_kind_is_loaded_and_a_broken_record_is_not(play: Play, tmp_path: Path) -> None:
    other, broken = tmp_path / "other.json", tmp_path / "broken.json"
    thrice = str(TESTS / "examples" / "games" / "thrice.py")
    play(thrice, "--players", "human,human,human", "--save", str(other), typed="1\n2\n")
    broken.write_text(other.read_text().replace("human", "somebody", 1))
    ran = play("tictactoe", "--players", "human,human", typed=f"load {broken}\na1\nload {other}\n1\n")
    assert "unknown player 'somebody'" in ran.out
    assert "x plays a1" in ran.lines and ran.lines.index("moves so far: 1 2") > ran.lines.index("x plays a1")
    assert "west plays 1" in ran.lines


def test_hints_climb_a_ladder(play: Play) -> None:
    moves = ("--players", "human,human", "--moves", "a1 a2 b1 b2")
    ran = play("tictactoe", *moves, typed="hint\nhint\nhint\nhint\neval\n")
    hints = [line for line in ran.lines if "hint again" in line or line.startswith(("best line", "c1"))]
    assert hints[0].startswith("you can win at once")
    assert hints[1].startswith("the best moves first") and hints[2].split() == ["c1", "win", "in", "1"]
    assert hints[3].startswith("best line: c1 (x wins in 1 ply, searched ")
    assert hints[4].startswith("you can win at once"), "the ladder begins again"
    assert "x wins in 1 ply (searched " in ran.out and "; static evaluation: " in ran.out


def test_hint_names_the_only_move(play: Play) -> None:
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
    assert ran.status == 2 and ran.err.rstrip().endswith(f"leave {flag[0]} out")


def test_hint_warns_of_losing_moves_and_recognizes_lost_games(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,human", "--moves", "a1", typed="hint\n")
    assert "careful: 7 of 8 moves lose by force" in ran.out
    ran = play("tictactoe", "--players", "human,human", "--moves", "a1 b1", typed="hint\n")
    assert "there is a forced win" in ran.out
    ran = play("tictactoe", "--players", "human,human", "--moves", "a1 b1 a2", typed="hint\nhint\n")
    assert "all moves lose" in ran.out and "a3     loss in 4" in ran.out


def test_each_engine_that_played_is_credited_with_its_own_searches(play: Play) -> None:
    squares = "\n".join(a + b for a in "abc" for b in "123")
    ran = play("tictactoe", "--engine", "iterative:depth=3", typed=f"b2\nengine minimax:depth=2\n{squares}\n")
    lines = [line.partition(" positions")[0] for line in ran.lines if line.startswith("summary: ")]
    named = {line.split()[1]: int(line.split()[-1].replace(",", "")) for line in lines[1:]}
    assert list(named) == ["iterative", "minimax"]
    played = saved.saved_games()[0].record
    spent = [move.nodes for move in played.moves if move.player == 1]
    assert named == {"iterative": spent[0], "minimax": sum(spent[1:])}


def test_engine_and_level_change_the_opponent(play: Play) -> None:
    ran = play(
        "tictactoe", "--engine", "random", typed="level 3\nlevel 11\nengine minimax:depth=2\nengine foo\nb2\n"
    )
    assert "iterative, level 3 plays now" in ran.out
    assert "a level of tictactoe must be 1 to 3, beginner, casual, club, strong or full, not '11'" in ran.out
    assert "minimax plays now" in ran.out
    assert "unknown player 'foo'" in ran.out
    assert "uci:COMMAND" in ran.out
    assert "depth 2" in ran.out
    assert saved.saved_games()[0].record.players == ["human", "minimax:depth=2"]


@pytest.mark.parametrize("typed", ["load {file}", "resume"])
def test_a_game_that_was_resigned_is_over_wherever_it_is_opened(
    play: Play, tmp_path: Path, typed: str
) -> None:
    file = tmp_path / "resigned.pgn"
    file.write_text('[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n')
    if typed == "resume":
        ran = play("--resume", str(file))
        assert ran.status == 6
        output = ran.err
    else:
        ran = play("chess", "--players", "human,human", typed=f"{typed.format(file=file)}\nquit\n")
        output = ran.out
    assert "that game is over (white won); step through it: " in output and f"replay {file}" in output


def test_undo_after_a_game_names_the_moves(play: Play) -> None:
    two = ("chess", "--players", "human,human")
    ran = play(*two, typed="e4\ne5\nresign\nundo\nresign\nundo 2\nresign\nundo 9\nquit\n")
    lines = [line for line in ran.lines if line.startswith("took back")]
    assert lines == [
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
    assert "'dead' requires a game that is over; this one is in progress" in ran.lines
    assert "RE[W+0.5]" in file.read_text()
    ran = play(*game, "human,script:pass", typed="pass\ndead E7\ndead G2\ndead B6\n")
    assert "summary: without the dead stones G2: white wins by 9.5" in ran.lines  # a person may give in
    assert "script does not agree that E7 is dead. Try: undo 2" in ran.lines
    assert "script does not agree that G2 is alive. Try: undo 2" in ran.lines
    ran = play("chess", "--players", "human,human", typed="dead\nterritory\nresign\ndead\n")
    assert ran.lines.count("'dead' is not for chess") == 2 and "'territory' is not for chess" in ran.lines


def test_estimated_territory_is_printed(play: Play) -> None:
    rows = ".XO./.XO./.XO./.XO. black"
    ran = play("go:size=4", "--position", rows, "--players", "human,human", typed="territory\n")
    assert ran.lines.count("4 x X O o") == 1
    assert "points: black 8, white 8; ahead with komi: white by 7.5 (an estimate from playouts)" in ran.lines


def test_an_engine_gives_up_a_game_of_go_to_a_person(play: Play) -> None:
    players = ("--players", "human,mcts:sims=20")
    ran = play("go:size=4,komi=-90", *players, typed="A1\nD4\nA4\nD1\n")
    assert ran.status == 0 and "result: black wins; white resigned" in ran.lines


def test_imperfect_information_game_shows_only_the_humans_view(play: Play) -> None:
    kuhn = TESTS / "examples" / "games" / "kuhn.py"
    ran = play(str(kuhn), "--engine", "random", "--seed", "3", typed="bet\n")
    before, _, after = ran.out.partition("first plays bet")
    deal = next(deal for deal in ("JQ", "JK", "QJ", "QK", "KJ", "KQ") if deal in after)
    assert "chance makes a move that you do not see" in before
    assert f"first knows: {deal[0]}" in before.splitlines()
    assert deal not in before, "the cards are shown when the game is over"
    assert "chance deals K ?" in play("kuhn", "--seed", "3").lines


def test_piped_players_see_only_their_own_cards(play: Play) -> None:
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


def test_level_1_makes_an_immediate_win(play: Play) -> None:
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
        and "a level of short must be 1 to 2, beginner, casual, club, strong or full, not '3'" in ran.err
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
def test_player_lists_are_split_where_players_begin(text: str, specs: list[str]) -> None:
    assert parse_list(text) == specs


def test_flags_fill_what_a_player_leaves_open() -> None:
    limit = Limit(depth=5, nodes=700)
    assert seats.player("ab", game("tictactoe"), limit=limit).spec == "alphabeta:depth=5,nodes=700"
    assert seats.player("ab:depth=2", game("tictactoe"), limit=limit).spec == "alphabeta:depth=2,nodes=700"


def test_seats_have_many_names() -> None:
    position = game("connect4").new()
    words = ["first", "BLUE", "red", "x", "1"], ["second", "orange", "yellow", "o", "2"]
    assert [[seats.seat(word, position) for word in some] for some in words] == [[0] * 5, [1] * 5]
    sides = r"blue \(1, first, red, x\), orange \(2, o, second, yellow\)"
    with pytest.raises(Usage, match=f"unknown side 'rde'; did you mean 'red'\\?; the sides are {sides}"):
        seats.seat("rde", position)
    four = type("Four", (Position,), {"players": 4})()
    assert [seats.seat(word, four) for word in ("first", "second", "third", "fourth", "4")] == [0, 1, 2, 3, 3]
    with pytest.raises(Usage, match="unknown side 'fourth'"):
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
def test_every_game_names_its_sides(name: str, sides: tuple[str, str]) -> None:
    position = game(name).new()
    assert [seats.seat(side.upper(), position) for side in sides] == [0, 1]
    with pytest.raises(Usage, match=rf"unknown side 'purple'; the sides are {sides[0]} .* {sides[1]} "):
        seats.seat("purple", position)


# -- clocks -----------------------------------------------------------------------------------------


def test_clocks_are_printed_in_lines(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,human", "--clock", "60+3", typed="a1\npause\npause\nquit\n")
    assert ran.status == 0
    assert "clock: 60 min + 3 s a move" in ran.lines
    assert "time left: x 60:00, o 60:00" not in ran.lines and "time left: x 1:00:00, o 1:00:00" in ran.lines
    assert "time left: x 1:00:03, o 1:00:00" in ran.lines
    assert "clock paused; `pause` or a move resumes it" in ran.lines
    assert "the clock runs again" in ran.lines


def test_without_a_clock_there_is_nothing_to_pause(play: Play) -> None:
    ran = play("tictactoe", "--players", "human,human", typed="help\nquit\n")
    assert "pause" not in ran.out and "time left" not in ran.out


def test_a_game_by_the_clock_is_resumed_with_its_times(play: Play) -> None:
    play("tictactoe", "--players", "human,human", "--clock", "60+3", typed="b2\nquit\n")
    record = next((game for game in saved.saved_games() if game.unfinished), None)
    assert record is not None and record.record.clock == "3600+3" and record.record.moves[0].spent is not None
    ran = play("--resume", typed="quit\n")
    assert "clock: 60 min + 3 s a move" in ran.lines
    assert "time left: x 1:00:03, o 1:00:00" in ran.lines


def test_engines_use_the_clock_and_programs_receive_it(play: Play) -> None:
    ran = play("tictactoe", "--players", "minimax,alphabeta", "--clock", "1+1", "--jsonl")
    assert ran.status == 0
    rows = [json.loads(line) for line in ran.lines]
    moves = [row for row in rows if row["event"] == "move"]
    assert all(0 <= row["spent"] < 60 and min(row["clocks"]) > 0 for row in moves)
    assert moves[-1]["clocks"][0] == pytest.approx(60 + 5 - sum(row["spent"] for row in moves[0::2]))
    ran = play("tictactoe", "--players", "minimax,alphabeta", "--clock", "1+1", "--json")
    record = json.loads(ran.out)
    assert record["clock"] == "60+1" and all("spent" in ply for ply in record["moves"])


def test_saved_pgn_has_the_time_control(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    moves = "f3 e5 g4"
    options = ("--players", "human,human", "--clock", "5+3", "--moves", moves, "--save", str(file))
    assert play("chess", *options, typed="Qh4\n").status == 0
    assert '[TimeControl "300+3"]' in file.read_text()
