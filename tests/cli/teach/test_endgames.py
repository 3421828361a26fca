"""`gameplay puzzles endgames`: scripts of moves, progress, refusals."""

import json
import shutil
import sys
from datetime import date
from io import StringIO

import pytest

from gameplay.cli.teach import puzzles
from gameplay.kernel import compiled
from gameplay.store.paths import home_folder as data
from gameplay.training import endgame_progress, endgames
from gameplay.training.oracles import ORACLES
from tests.support.commands import run_printed
from tests.support.endgame_tables import CHESS, small_tables

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(not compiled(), reason="takes minutes to build in pure Python"),
]
assert small_tables  # fixture
ROOK = ("puzzles", "endgames", "chess", "--ending", "KRvK", "--level", "1", "--seed", "3")


@pytest.fixture(autouse=True)
def tables(small_tables, home, monkeypatch):
    """The tables of three pieces are installed, and the date is fixed."""
    home.mkdir()
    assert data() == home
    shutil.copytree(small_tables / "chess", home / "tables" / "chess")
    monkeypatch.setattr(puzzles, "today", lambda: date(2026, 11, 27))
    return ORACLES["tables"](CHESS, home / "tables" / "chess")


@pytest.fixture
def script(monkeypatch, capsys):
    """Run the trainer with lines of input; status, output and errors."""

    def run(lines, *words):
        monkeypatch.setattr(sys, "stdin", StringIO("".join(f"{line}\n" for line in lines)))
        return run_printed(capsys, *(words or (*ROOK, "--count", "1")))

    return run


def position(out):
    """The first position of an output, from its board."""
    rows = [line.split()[1:] for line in out.splitlines() if line[:1].isdigit() and " " in line][:8]
    text = "/".join("".join("1" if cell == "." else cell for cell in row) for row in rows)
    return CHESS.new(f"{text} {'w' if 'White to move' in out else 'b'} - - 0 1")


def words(board, oracle, kept=True, best=False):
    """A move that keeps the result, or one that loses it."""
    values = oracle.values(board)
    top = max(values.values())
    keep = endgames.moves_keeping_result(board, values)
    moves = [value for value in values if (value in keep) == kept and (not best or values[value] == top)]
    return board.format(moves[0])


def test_a_position_played_to_mate_is_solved(script, tables):
    _, out, _ = script([])
    board, lines = position(out), []
    mover = board.turn
    # The answers are drawn by the seed: play and look.
    for _ in range(20):
        lines.append(words(board, tables, best=True))
        status, out, _ = script(lines)
        if status == 0:
            break
        board = position(out[out.rindex("  a b c d") :] + "White to move")
        endgame_progress.path().unlink(missing_ok=True)
    assert status == 0 and mover == 0
    length = len(lines)
    assert f"You win in {length} moves, best play in {length}.\nsolved\n" in out
    assert out.endswith("solved: 1 of 1 position; streak: 1\n")
    assert "keeps the win: mate in " in out and "; black plays K" in out
    own = endgame_progress.load().of("chess")
    assert (own.endings["KRvK"][1].solved, own.endings["KRvK"][1].tried, own.missed) == (1, 1, [])


def test_a_move_that_gives_the_win_away_is_not_played_and_counts_as_missed(script, tables):
    board = position(script([])[1])
    wrong = words(board, tables, kept=False)
    status, out, _ = script([wrong, wrong, "next"])
    assert status == 3
    assert f"{wrong} throws the win away: draw; " in out and " wins in " in out
    assert "it comes back on 2026-11-28. It is not played: try another move, or next" in out
    assert out.count("it comes back") == 1 and out.count("  a b c d") == 1
    own = endgame_progress.load().of("chess")
    assert (own.endings["KRvK"][1].tried, len(own.missed), own.streak) == (1, 1, 0)


def test_missed_positions_are_asked_first_when_they_are_due(script, tables, monkeypatch):
    board = position(script([])[1])
    script([words(board, tables, kept=False), "next"])
    monkeypatch.setattr(puzzles, "today", lambda: date(2026, 11, 28))
    _, out, _ = script(["quit"], *ROOK[:-1], "99")
    assert out.startswith("chess endgames, level 1, seed 99; 1 missed position to repeat\n")
    assert position(out).text() == board.text()


def test_hint_undo_again_and_solution(script, tables):
    board = position(script([])[1])
    good = words(board, tables, best=True)
    status, out, err = script(
        ["hint", "hint", "undo", good, "undo", "again", "solution", "hop", "help", "quit"]
    )
    assert status == 3 and err == ""
    assert " moves keep the win; the best: mate in " in out
    assert f"the best move begins with {good[0]}" in out
    assert "there is nothing to take back" in out and f"took back {good} K" in out
    assert "from the start of the position" in out and "best play: " in out and "#; it comes back" in out
    assert "'hop' is not a move" in out and "an unsolved one counts as missed" in out


def test_the_end_of_the_input_is_reported_and_the_position_not_counted(script):
    status, _, err = script(["hint"])
    assert (status, err) == (4, "gameplay: the input ended in position 1 of 1\n")
    assert endgame_progress.load().of("chess").endings == {}


def test_the_same_seed_asks_the_same_and_lists_by_level(script):
    first, second = (script(["quit"])[1] for _ in range(2))
    assert first == second != script(["quit"], *ROOK[:-1], "4", "--count", "1")[1]
    status, out, _ = script(["next", "quit"], *ROOK)
    assert status == 3 and "position 2 of 10, KRvK, level 1" in out
    _, out, _ = script([], "puzzles", "endgames", "chess", "--list")
    assert "\nKRvK        0/1        -" in out and "king and rook against king" in out
    assert "\nfigures: solved/tried; next level 1, streak 0, longest 0, nothing due\n" in out
    _, out, _ = script([], "puzzles", "endgames")
    assert "\nchess           0/1        -        -        -        -       0    0\n" in out
    _, out, _ = script([], "puzzles", "endgames", "--json")
    assert [game["game"] for game in json.loads(out)["games"]] == [
        *("backgammon", "checkers", "chess", "connect4", "go", "othello"),
    ]
    chess = next(game for game in json.loads(out)["games"] if game["game"] == "chess")
    assert chess["endings"][1] == {
        "ending": "KRvK",
        "words": "king and rook against king",
        "levels": {"1": {"solved": 0, "tried": 1}},
    }


@pytest.mark.parametrize(
    "options, error",
    [
        (("nim",), "nim has no endgames to train; expected one of "),
        (
            ("go:size=9",),
            "go:size=9 has parameters; endgames are available for go:size=5,goal=points,komi=0.5",
        ),
        (("connect4:columns=8",), "endgames are available for the standard game only. Try: connect4"),
        (("chess", "--ending", "KXvK"), "unknown ending 'KXvK'"),
        (("chess", "--level", "6"), "--level: '6' is not a whole number from 1 to 5"),
        (("--ending", "KRvK"), "--ending chooses positions of a GAME; expected one"),
        (
            ("go", "--ending", "life", "--level", "2"),
            "life: no positions of level 2, only of 3, 4, 5. Try: --level 3",
        ),
        (("chess", "--ending", "KQvK", "--level", "5"), "KQvK: no positions of level 5 found"),
        (("chess", "--count", "0"), "--count: '0' is not a whole number from 1 up"),
    ],
)
def test_refusals(script, options, error):
    status, _, err = script([], "puzzles", "endgames", *options)
    assert status == 2 and error in err and len(err.splitlines()) <= 2


def test_missing_tables_are_built_once(script, home):
    shutil.rmtree(home / "tables")
    _, _, err = script(["quit"])
    assert err == "building 2 endgame tables, once: KvK, KRvK\n"
    assert script(["quit"])[2] == ""


# -- other games --------------------------------------------------------------------------------------


def options(game, *more):
    return "puzzles", "endgames", game, "--seed", "3", "--level", "2", "--count", "1", *more


def test_a_bear_off_is_one_decision(script):
    ending = ("--ending", "bearoff-4")
    _, out, err = script(["moves", "solution"], *options("backgammon", *ending))
    assert err.startswith("building the bear-off tables of 4 checkers a side, once\n")
    legal = out.partition("legal moves: ")[2].splitlines()[0].split()
    best = out.partition("best play: ")[2].split(";" if ";" not in legal[0] else "; it")[0].strip()
    best = next(move for move in legal if best.startswith(move) or move == best)
    endgame_progress.path().unlink()
    status, out, _ = script([best], *options("backgammon", *ending))
    assert status == 0 and f"{best} the best: equity " in out and "solved: 1 of 1 position" in out
    endgame_progress.path().unlink()
    wrong = next(move for move in legal if move != best)
    status, out, _ = script([wrong], *options("backgammon", *ending))
    assert status in (0, 3) and (status == 0 or f"{wrong} loses 0." in out)
    assert "counts as missed; it comes back on 2026-11-28" in out or status == 0


@pytest.mark.parametrize("game", ["connect4", "othello"])
def test_solved_games_are_played_to_their_end(script, game):
    status, out, err = script(["solution", "next"], *options(game))
    assert status == 3 and err == "" and "thinking" not in out
    line = out.partition("best play: ")[2].partition(";")[0].split()
    endgame_progress.path().unlink()
    mine = line[::2] if "pass" not in line else line[:1]
    status, out, _ = script([mine[0]], *options(game))
    assert f"{mine[0]} keeps the win: win " in out and ", the best" in out


def test_endings_of_checkers_are_built_and_asked(script):
    status, out, err = script(["hint", "next"], *options("checkers"))
    assert status == 3 and err.startswith("building 9 endgame tables, once: KvK, ")
    assert " moves keep the win; the best: win in " in out or " move keeps " in out or "the draw" in out


@pytest.mark.parametrize("spec", ["go", "go:size=5,goal=points,komi=0.5", "go:komi=0.5,goal=points,size=5"])
def test_endgames_of_go_are_those_of_one_board_in_any_order_of_its_parameters(script, spec):
    status, out, err = script(["hint", "quit"], *options(spec))
    assert status == 0 and err == "" and "(5x5, all stones count as alive, komi 0.5)" in out
    assert "1 of 8 moves keeps the win; the best: win by 1.5 " in out


def test_a_new_user_begins_at_the_lowest_level_there_is(script):
    """The life-and-death positions of the Go file have the levels 3 to 5 only."""
    _, out, _ = script(["quit"], "puzzles", "endgames", "go", "--ending", "life", "--seed", "1")
    assert "go endgames, level 3, seed 1" in out and "position 1 of 10, life, level 3" in out
    _, out, _ = script([], "puzzles", "endgames", "go", "--list")
    assert [line.split()[1:6].count("-") for line in out.splitlines()[1:3]] == [5, 3]
