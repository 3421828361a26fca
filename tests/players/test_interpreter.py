"""Input at the board: squares, moves, commands and the answers to them."""

import re
from typing import Any

import pytest
from msgspec import structs

from gameplay import registry
from gameplay import value as scale
from gameplay.display.terminal import panel
from gameplay.matches.match import Match
from gameplay.players import judge
from gameplay.players.advice_commands import _describe_region
from gameplay.players.commands import UNLISTED
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.interpreter import Interpreter
from gameplay.players.player import Choice
from gameplay.search.report import Candidate, Report
from tests.support.golden import golden
from tests.support.interpreter import GAMES, execute, match_of

pytestmark = pytest.mark.once


def test_a_square_selects_and_the_next_one_completes() -> None:
    interpreter, match = Interpreter(), match_of("checkers")
    assert execute(interpreter, match, "11") == "11 can go to 15 16 (11-15 11-16)"
    assert interpreter.selected(match) == "11"
    assert interpreter.invitation(match).startswith("11 can go to 15 16")
    assert interpreter.meaning("9", match) == (True, "9 can go to 13 14 (9-13 9-14)")
    assert interpreter.completions("1", match)[:2] == ["15", "16"]
    assert interpreter.meaning("16", match) == (True, "Enter plays 11-16")
    assert execute(interpreter, match, "16") == "11-16"


def test_another_square_selects_another_piece_and_a_move_is_still_a_move() -> None:
    interpreter, match = Interpreter(), match_of("checkers")
    execute(interpreter, match, "11")
    assert execute(interpreter, match, "9") == "9 can go to 13 14 (9-13 9-14)"
    assert interpreter.selected(match) == "9"
    assert execute(interpreter, match, "12-16") == "12-16"
    choice = interpreter.execute("12-16", match).choice
    assert choice is not None
    match.make(choice)
    assert interpreter.selected(match) == "", "what was selected belongs to the position"


def test_typed_steps_clear_the_selection() -> None:
    interpreter, match = Interpreter(), match_of("checkers")
    execute(interpreter, match, "11")
    interpreter.set_steps([("9", "13")], match)
    assert interpreter.selected(match) == "" and interpreter.steps(match) == [("9", "13")]
    choice = interpreter.execute("9-13", match).choice
    assert choice is not None
    match.make(choice)
    assert interpreter.steps(match) == []


@pytest.mark.parametrize("text", ["11 15", "11-15", "11  15"])
def test_two_squares_are_a_move(text: str) -> None:
    assert execute(Interpreter(), match_of("checkers"), text) == "11-15"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1", "the piece on 1 cannot move now; these can: 9 10 11 12"),
        ("18", "there is no piece on 18"),
        ("24", "the piece on 24 is not yours"),
        ("33", "'33' is not a move"),
    ],
)
def test_a_square_without_a_move_is_explained(text: str, message: str) -> None:
    interpreter, match = Interpreter(), match_of("checkers")
    assert execute(interpreter, match, text).startswith(message)
    assert interpreter.selected(match) == ""


def test_chess_is_typed_by_squares_and_by_the_book() -> None:
    interpreter, match = Interpreter(), match_of("chess")
    assert execute(interpreter, match, "g1") == "g1 can go to f3 h3 (Nf3 Nh3)"
    assert "g1f3" in interpreter.completions("g1", match) and "Nf3" in interpreter.completions("n", match)
    assert execute(interpreter, match, "f3") == "Nf3"
    assert (
        execute(interpreter, match, "e2 e4")
        == execute(interpreter, match, "e2e4")
        == execute(interpreter, match, "e4")
        == "e4"
    )
    after = match_of("chess", start="4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1")
    assert "Kxe2" in execute(interpreter, after, "e1")
    castle = match_of("chess", start="4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    execute(interpreter, castle, "e1")
    assert execute(interpreter, castle, "g1") == "O-O"


PAWN = "1n6/P6k/8/8/8/8/7K/8 w - - 0 1"
WHICH = "which piece? q: axb8=Q  r: axb8=R  b: axb8=B  n: axb8=N"


@pytest.mark.parametrize("text", ["a7b8", "a7 b8", "a7-b8", "axb8", "AXB8"])
@pytest.mark.parametrize("letter", ["q", "R", "b", "n"])
def test_a_promotion_asks_for_the_piece(text: str, letter: str) -> None:
    interpreter, match = Interpreter(), match_of("chess", start=PAWN)
    assert interpreter.meaning(text, match) == (True, "Enter asks which one: axb8=Q axb8=N axb8=R axb8=B")
    assert execute(interpreter, match, text) == WHICH
    assert interpreter.invitation(match) == WHICH
    assert interpreter.meaning(letter, match) == (True, f"Enter plays axb8={letter.upper()}")
    assert execute(interpreter, match, letter) == f"axb8={letter.upper()}"
    assert match.over() is False, "q is the queen, not the way out"


def test_the_question_for_the_piece_ends_with_another_move_or_an_escape() -> None:
    interpreter, match = Interpreter(), match_of("chess", start=PAWN)
    assert execute(interpreter, match, "a8").startswith("which piece? q: a8=Q")
    assert execute(interpreter, match, "axb8") == WHICH, "another question"
    assert execute(interpreter, match, "Kg3") == "Kg3", "any other move is still one"
    assert execute(interpreter, match, "a7").startswith("a7 can go to a8 b8")
    assert interpreter.promotions(match) == {}
    assert execute(interpreter, match, "b8") == WHICH
    assert execute(interpreter, match, "help").count("(q, exit)") == 1, "a command is still one"
    assert "axb8=Q" in interpreter.completions("axb8", match)
    interpreter.select("", match)
    interpreter.execute("q", match)
    assert match.over(), "without the question q leaves"


def test_short_names_stand_in_the_help() -> None:
    reply = Interpreter().execute("help", match_of("tictactoe")).text.splitlines()
    short = {line.split()[0].strip(","): line.partition(" (")[2] for line in reply if line.endswith(")")}
    assert (
        short["help"] == "h, ?)"
        and short["undo"].endswith("u, back, takeback)")
        and short["quit"] == "q, exit)"
    )


def test_help_lists_every_applicable_command() -> None:
    interpreter, match = Interpreter(), match_of("tictactoe")

    def help_words() -> set[str]:
        lines = interpreter.execute("help", match).text.splitlines()
        return {word for line in lines for word in re.split(r" {2,}", line)[0].split(" [")[0].split(", ")}

    assert (
        help_words()
        == set(interpreter.available_commands(match)) - set(UNLISTED)
        >= {"undo", "redo", "draw", "resign"}
    )
    match.resign(0)
    assert (
        help_words() == set(interpreter.available_commands(match)) - set(UNLISTED) >= {"undo"}
        and "redo" not in help_words()
    )
    pieces, plain = (Interpreter().listing(match_of(game)).splitlines() for game in ("chess", "tictactoe"))
    assert pieces == ["a square        where its piece can go", *plain]


@pytest.mark.parametrize("text", ["exd5", "4", "h5", "Qh5", "hx"])
def test_no_move_is_guessed(text: str) -> None:
    assert "did you mean" not in execute(Interpreter(), match_of("chess"), text)


def test_a_command_is_guessed() -> None:
    assert execute(Interpreter(), match_of("chess"), "undoo").endswith("; did you mean 'undo'?")


@pytest.mark.parametrize("word", ["check", "mate", "castle", "stop", "stalemate", "promote", "tie"])
def test_words_of_the_game_are_not_taken_for_commands(word):
    assert "did you mean" not in execute(Interpreter(), match_of("chess"), word)


@pytest.mark.parametrize(("typed", "expected"), [("hnit", "hint"), ("resgin", "resign"), ("hepl", "help")])
def test_exchanged_letters_are_seen(typed, expected):
    assert f"did you mean '{expected}'" in execute(Interpreter(), match_of("chess"), typed)


def test_the_rules_name_the_game_as_it_is_played():
    assert execute(Interpreter(), match_of("go:size=5"), "rules").endswith("gameplay games go:size=5")
    assert execute(Interpreter(), match_of("chess"), "rules").endswith("gameplay games chess")


def test_games_without_travelling_pieces_know_no_squares() -> None:
    interpreter, match = Interpreter(), match_of("othello")
    assert execute(interpreter, match, "d3") == "d3"
    assert interpreter.square("d3", match) == "" and "a square" not in interpreter.execute("help", match).text
    assert "a square" in interpreter.execute("help", match_of("checkers")).text


def test_several_ways_to_a_square_are_listed() -> None:
    interpreter, match = Interpreter(), match_of("checkers", start="B:W6,7,14,15:B2")
    message = execute(interpreter, match, "2 18")
    assert "ambiguous move" in message and "2x9x18" in message and "2x11x18" in message
    assert execute(interpreter, match, "2x11x18") == "2x11x18"


@pytest.mark.parametrize(
    ("value", "exact", "unit", "text"),
    [
        (14, False, 1, "+14"),
        (-35, False, 100, "-0.35"),
        (1200, False, 100, "+12.00"),
        (1200, True, 100, "+12"),
        (0, False, 100, "0.00"),
        (0, True, 100, "draw"),
        (scale.WIN - 5, True, 100, "win in 5"),
    ],
)
def test_a_value_in_words(value: int, exact: bool, unit: int, text: str) -> None:
    assert scale.format_value(value, exact, unit) == text


def test_values_are_printed_in_units_of_the_game() -> None:
    match = match_of("othello", "d3 c3 c4 e3")
    assert match.position.unit > 1
    reply = Interpreter().execute("eval", match).text
    assert reply.count(" discs") == 2 and "; static evaluation: black " in reply


def test_resignation_in_a_points_game_loses_all_points() -> None:
    match = match_of("othello:size=6", "")
    assert Interpreter().execute("resign", match).done
    assert match.payoffs == (-36, 36)
    assert panel.describe_result(match) == "white wins; black resigned"
    match.undo()
    match.payoffs, match.reason = (12, -12), "rules"
    assert panel.describe_result(match, 0) == "you win: black wins by 12 discs"


# -- draws ------------------------------------------------------------------------------------------


def test_help_explains_a_command_or_a_word_of_the_panel() -> None:
    interpreter, match = Interpreter(), match_of("checkers")
    assert execute(interpreter, match, "help undo") == "undo [N]: take back one move, or N"
    assert execute(interpreter, match, "help seldepth").startswith("seldepth")
    assert "did you mean 'seldepth'" in execute(interpreter, match, "help seldept")
    words = execute(interpreter, match, "help words").splitlines()
    assert len(words) > 50 and any(word.startswith("adjudicate: To end a game") for word in words)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("undo x", "undo how many? 'x' is not a number from 1 up"),
        ("undo 0", "undo how many? '0' is not a number from 1 up"),
        ("redo -1", "redo how many? '-1' is not a number from 1 up"),
        ("redo", "there is nothing to redo"),
        ("undo", "took back 2 moves"),
        ("undo 1", "took back 1 move"),
        ("undo 9", "took back 2 moves"),
        ("moves all", "'moves' stands alone; type just moves"),
        ("solve", "'solve' is for puzzles"),
        ("dead", "'dead' is not for tictactoe"),
    ],
)
def test_commands_parse_their_arguments(typed: str, message: str) -> None:
    match = match_of("tictactoe", "a1 b2")
    match.players[1] = EmptySeat("minimax")  # so that undo goes on to the human's move
    assert Interpreter().execute(typed, match).text == message


WON, LOST = scale.WIN, -scale.WIN


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([WON - 1, 0, 0], "you can win at once"),
        ([WON - 3, 0, 0], "there is a forced win, in 3 plies; look for forcing moves"),
        ([scale.TB_WIN - 9, 0, 0], "there is a forced win; look for forcing moves"),
        ([LOST + 4, LOST + 2, LOST + 2], "all moves lose against best play; play the longest defence"),
        ([5, 0, LOST + 2], "careful: 1 of 3 moves loses by force"),
        ([5, LOST + 4, LOST + 2], "careful: 2 of 3 moves lose by force"),
        ([7, 7, 7], "all moves are equally good"),
        ([7, 7, 6], "no forced win or loss is in sight; look on the left"),
    ],
)
def test_first_hint_describes_the_position_without_a_move(values: list[float], message: str) -> None:
    match = match_of("tictactoe", "b2 b1")
    moves = match.position.moves()
    results = tuple(Candidate(moves[at], value) for at, value in enumerate(values))
    report = Report(move=moves[0], value=values[0], candidates=results, pv=(moves[0],))
    assert Interpreter().advice._general_hint(match, report) == message
    proven = structs.replace(results[0], value=0, proven=True), *results[1:]
    if values == [7, 7, 6]:
        report = report.with_(candidates=proven)
        assert Interpreter().advice._general_hint(match, report) == "1 of 3 moves keeps the value"
        report = report.with_(candidates=(proven[0], structs.replace(proven[1], value=0), proven[2]))
        assert Interpreter().advice._general_hint(match, report) == "2 of 3 moves keep the value"


# -- a hint's first word --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "places"),
    [
        ("connect4", {"1": "on the left", "3": "on the left", "4": "in the middle", "5": "in the middle",
                      "6": "on the right", "7": "on the right"}),
        ("connect4:columns=9", {"3": "on the left", "4": "in the middle", "7": "on the right"}),
        ("tictactoe", {"a1": "on the left", "a3": "on the left", "b1": "in the middle", "b2": "in the middle",
                       "c1": "on the right", "c3": "on the right"}),
        ("othello", {"c4": "on the left", "d3": "in the middle", "f5": "in the middle"}),
        ("checkers", {"9-13": "at what the piece on 9 can do", "12-16": "at what the piece on 12 can do"}),
        ("chess", {"e4": "at what the piece on e2 can do", "Nf3": "at what the piece on g1 can do"}),
        ("battleship:rows=4,columns=4,ships=2", {"b2-b3": "at b2", "c4-d4": "at c4"}),
        ("battleship:rows=4,columns=4,ships=2 a1-b1 a1-b1", {"a1": "at a1", "d4": "at d4"}),
        (str(GAMES / "sticks.py"), {"1": "for moves that leave the other few good answers"}),
    ],
)  # fmt: skip
def test_hint_names_the_region_of_a_move(game: str, places: dict[str, str]) -> None:
    name, *moves = game.split()
    match = match_of(name, " ".join(moves))
    results = {word: _describe_region(match, match.position.parse(word)) for word in places}
    assert results == places


def test_hint_for_a_move_without_a_place_on_the_board() -> None:
    match = match_of("tictactoe", "b2")
    assert _describe_region(match, 4) == "for moves that leave the other few good answers"


# -- while it is typed, and what commands tell ------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "typed", "message"),
    [
        ("chess", "", (True, "")),
        ("chess", "n", (True, "Nc3  Nf3  Na3  Nh3")),
        ("chess", "und", (True, "undo")),
        ("chess", "undo", (True, "undo [N]: take back one move, or N")),
        ("chess", ":undo 3", (True, "undo [N]: take back one move, or N")),
        (
            "chess",
            "undoo",
            (False, "'undoo' is not a move such as e4, Nf3, exd5, O-O, e8=Q or e2e4; did you mean 'undo'?"),
        ),
        ("go:size=5", "A", (True, "A1  A2  A3  A4  A5")),
        ("go:size=5", "1", (False, "'1' is not a point from A1 to E5, or pass")),
        ("nim:heaps=30", "a", (True, "  ".join(f"a{count}" for count in range(1, 25)))),
    ],
)
def test_partial_input_is_validated(game: str, typed: str, message: Any) -> None:
    assert Interpreter().meaning(typed, match_of(game)) == message


MOVES = """\
the best moves first, in points for x, searched to the end (hint again: the best line)
a3     win in 5
c3     win in 5
a2     win in 5
c2     win in 5
a1     win in 5
c1     win in 5
b3     draw"""
NUDGE = "there is a forced win, in 5 plies; look for forcing moves (hint again: the moves with their values)"
LINE = "best line: a3 c1 a1 a2 c3 (x wins in 5 plies, searched to the end)"


def test_answers_of_a_session_match_the_stored_screens(monkeypatch: pytest.MonkeyPatch) -> None:
    """If O answers the centre with an edge, x wins in five by a double threat, except opposite that edge."""
    monkeypatch.setattr(judge, "SECONDS", 60.0)  # it is proven long before
    interpreter, match = Interpreter(), match_of("tictactoe", "b2 b1")
    for typed, message in (
        ("", "type a move (a1 a2 a3 b3 c1 c2 c3) or help"),
        ("help", "help_playing"),
        ("hint", NUDGE),
        ("hint", MOVES),
        ("hint", LINE),
        ("hint", NUDGE),
        ("eval", "x wins in 5 plies (searched to the end); static evaluation: x +2 points"),
        ("moves", "7 legal moves: a1 a2 a3 b3 c1 c2 c3"),
        ("show", ".o.\n.x.\n...\nto get here: --position '.o./.x./...'\nor: --moves 'b2 b1'"),
        ("hint", MOVES),
        ("why", "no engine has made a move yet"),
        ("z", "'z' is not a legal move here (legal: a1, a2, a3, b3, c1, c2, c3)"),
        ("solve", "'solve' is for puzzles"),
        ("undo", "took back 1 move!"),
        ("hint", "careful: 4 of 8 moves lose by force (hint again: the moves with their values)"),
        ("redo", "redid 1 move!"),
        ("undo 5", "took back 2 moves!"),
        ("undo", "there is nothing to take back"),
        ("show", "...\n...\n...\nto get here: --position '.../.../...'"),
        ("redo 2", "redid 2 moves!"),
        ("restart", "a new game!"),
        ("eval", "draw (searched to the end); static evaluation: level"),
        ("resign", "!"),
        ("help", "help_game_over"),
        ("", "game over; type undo, quit or help"),
        ("a1", "the game is over; undo takes back a move"),
        ("draw", "the game is over; 'draw' requires a game in progress; undo takes back a move"),
        ("hint", "all moves are equally good (hint again: the moves with their values)"),
        ("undo", "took back the resignation!"),
        ("quit", "!"),
    ):
        answer = interpreter.execute(typed, match)
        assert answer.choice is None
        if typed == "help":
            golden(message, answer.text + "\n")
        else:
            assert answer.text + "!" * answer.done == message
    assert match.over() and match.reason == "unfinished"


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        *((("a1", "a2"), "a1-a2"), (("a2", "a1"), "a1-a2"), (("d4", "d3"), "d3-d4"), (("d4", "c4"), "c4-d4")),
        *((("b2-b3",), "b2-b3"), (("b3-b2",), "b2-b3"), (("b3 b2",), "b2-b3"), (("b2", "b3"), "b2-b3")),
    ],
)
def test_ships_are_placed_from_either_end(typed: tuple[str, ...], move: str) -> None:
    interpreter, match = Interpreter(), match_of("battleship:rows=4,columns=4,ships=2", "")
    answers = [interpreter.execute(word, match) for word in typed]
    assert [answer.choice for answer in answers[:-1]] == [None] * (len(typed) - 1)
    assert answers[-1].choice is not None
    assert match.position.format(answers[-1].choice.move) == move
    assert (
        match.position.format(match.position.parse("-".join(" ".join(typed).replace("-", " ").split())))
        == move
    )


def test_no_advice_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "SECONDS", 60.0)
    interpreter, match = Interpreter(), match_of("tictactoe", "a1 b1 a2 b2 a3")
    assert [interpreter.estimated_seconds(word, match) for word in ("hint", "eval", "a1")] == [0, 0, 0]
    for typed, message in (
        ("moves", "the game is over; its 5 moves: a1 b1 a2 b2 a3"),
        ("hint", "the game is over, so there is no move to advise; undo takes back a move"),
        ("eval", "the game is over: the result is its value; undo takes back a move"),
        ("undo", "took back 1 move"),
        ("eval", "x wins in 1 ply (searched to the end); static evaluation: x -1 point"),
        ("hint", "you can win at once (hint again: the moves with their values)"),
    ):
        assert interpreter.execute(typed, match).text == message


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (12, [*range(1, 13)]),
        (13, [*range(1, 13), "..."]),
        (37, [*range(1, 13), "..."]),
        (38, [1 + number * 37 // 11 for number in range(10)] + ["..."]),  # 12 are longer than a line
    ],
)
def test_the_prompt_shows_up_to_a_dozen_moves_of_the_whole_list(
    count: int, shown: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = " ".join(line if line == "..." else f"a{line}" for line in shown)
    match, interpreter = match_of("connect4"), Interpreter()
    monkeypatch.setattr(
        interpreter, "_move_texts", lambda _: [f"a{number}" for number in range(1, count + 1)]
    )
    assert interpreter.invitation(match) == f"type a move ({words}) or help"


def test_long_moves_leave_room_for_help() -> None:
    """As many moves as fit on a line: the turns of a roll of two sixes are long."""
    reply = Interpreter().invitation(match_of("backgammon", "31 8/5;6/5 66"))
    assert (
        len(reply) <= 80 - len("; arrows point")
        and reply.endswith(" ...) or help")
        and "13/7(2);8/2(2)" in reply
    )


def test_nim_describes_the_objects_a_move_takes() -> None:
    message = "type a move (c1 takes 1 stone from heap c, c5 all 5) or help"
    assert Interpreter().invitation(match_of("nim")) == message
    assert "b1 takes 1 stone from heap b)" in Interpreter().invitation(match_of("nim:heaps=3+1"))


def test_second_hint_lists_eight_moves_and_third_the_line() -> None:
    match, interpreter = match_of("connect4:columns=10"), Interpreter()
    moves = sorted(match.moves())
    results = tuple(Candidate(move, 30 - move, pv=(move,)) for move in moves)
    report = Report(move=0, value=30, depth=1, candidates=results, pv=(0, 0), facts="why: so")
    requests: list[bool] = []
    interpreter.judge.report = lambda match, deeper: requests.append(deeper) or report
    hints = [interpreter.execute("hint", match).text for _ in range(4)]
    assert requests == [False, True, True, False] and hints[3] == hints[0]
    assert hints[1].splitlines() == [
        "the best moves first, in points for blue, searched 1 ply deep (hint again: the best line)",
        *[f"{move + 1:<6} +{30 - move}" for move in range(8)],
    ]
    assert hints[2] == "best line: 1 1 (blue +30 points, searched 1 ply deep); why: so"
    match.make(Choice(3))
    interpreter.execute("hint", match)
    assert requests[4:] == [False], "another position"


def test_hint_of_simulations_lists_the_moves_after_the_best_by_value() -> None:
    """A search by simulations orders them by visits, which the list does not show."""
    interpreter, match = Interpreter(), match_of("connect4")
    means = (20, 5, -9, 12, 0, 1, 2)
    results = tuple(Candidate(move, float(mean), "expectation") for move, mean in enumerate(means))
    report = Report(move=0, value=20.0, bound="expectation", candidates=results, pv=(0,))
    interpreter.judge.report = lambda match, deeper: report
    shown = [interpreter.execute("hint", match).text for _ in range(2)][1].splitlines()[1:]
    assert [line.split()[0] for line in shown] == ["1", "4", "2", "7", "6", "5", "3"]


def test_slow_commands() -> None:
    interpreter, match = Interpreter(), match_of("chess", "e4")
    match.players[0] = EmptySeat("minimax")
    typed = ("hint", "eval", ":EVAL", "why", "why e5", "what", "solve", "moves", "e5", "undo", "xyz", "")
    assert [interpreter.estimated_seconds(word, match) for word in typed] == [
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        0,
        0,
        0,
        0,
        0,
    ]
    interpreter.tutor.warns = True
    assert [interpreter.estimated_seconds(word, match) for word in ("e5", "xyz")] == [1, 0]


# Where something is typed: the game, the moves before it, the start.
WHERE = {
    "chess": ("chess", "e4 e5", ""),
    "promotion": ("chess", "", "1n5k/P6p/8/8/8/8/6K1/8 w - - 0 1"),
    "mated": ("chess", "f3 e5 g4 Qh4", ""),
    "checkers": ("checkers", "11-15", ""),
    "jumps": ("checkers", "", "W:W27,18:B24,23,15,8"),
    "connect4": ("connect4", "4 4", ""),
    "tictactoe": ("tictactoe", "b2", ""),
    "nim": ("nim", "", ""),
    "go": ("go:size=5", "C3", ""),
    "backgammon": ("backgammon", "31 8/5;6/5 65", ""),
    "pig": ("pig", "", ""),
    "kuhn": ("kuhn", "J Q", ""),
    "three": ("connect4:players=3", "4", ""),
    "paths": ("chinese-checkers", "", ""),
}
TYPED = (
    *("", " ", "help", "help moves", "help undo", "moves", "MOVES e2", "moves e", "undo", "undo 2", "undo 9"),
    *("undo x", "undo 0", "redo", "redo 2", "restart", "show", "draw", "resign", "resign 2", "quit", "exit"),
    *(":quit", "/undo", "dead", "hlep", "mvoes", "e4", "Nf3", "nf3", "g1", "g1f3", "g1 f3", "g1-f3", "g1e4"),
    *("e5", "e9", "a7", "a8", "a7a8", "axb8", "a8=N", "22", "22-17", "22 17", "11", "27", "27x20", "27-20"),
    *("4", "5", "8", "b2", "c3", "C4", "pass", "0-0", "8/5", "65", "roll", "hold", "check", "1", "1 2", "-1"),
    *("y", "no", "all", "x y z"),
)  # fmt: skip


def test_answers_to_any_input() -> None:
    """The answer, the text shown while it is typed, and the possible continuations; no searches."""
    rows = []
    for place, (game, moves, start) in WHERE.items():
        game_class = registry.game(game)
        rows.append(f"-- {place}: {game} {start} {moves}".rstrip())
        answers: dict[str, list[str]] = {}
        for line in TYPED:
            players = [EmptySeat("human"), *[EmptySeat("human") for _ in range(game_class.new().players - 1)]]
            match = Match(game_class, players, start, moves.split())
            interpreter = Interpreter()
            usual = interpreter.invitation(match)
            fine, meaning = interpreter.meaning(line, match)
            following = interpreter.completions(line, match)
            answer = interpreter.execute(line, match)
            word = match.position.format(answer.choice.move) if answer.choice is not None else ""
            if word:  # a move is played here by its caller: the match is as before
                legal = [*match.position.moves(), *(match.position.concessions() or ())]
                assert word in {match.position.format(move) for move in legal}
                assert fine and match.words() == moves.split()
            changed = match.reason or ("" if match.words() == moves.split() else "changed")
            text = (
                f"{'ok' if fine else 'no'}, {meaning!r}, {len(following)} {' '.join(following[:4])} => "
                f"{'plays ' + word if word else ''}{'done' if answer.done else ''}{answer.text!r} {changed}"
            )
            invited = interpreter.invitation(match)
            text += f" > {invited}" if invited not in (usual, answer.text) else ""
            text = text.replace(f"'{line}'", "it") if line.strip() else text
            answers.setdefault(text, []).append(line)
        rows += [f"{' | '.join(lines)}: {text}" for text, lines in answers.items()]
    golden("typed", "\n".join(rows) + "\n")
