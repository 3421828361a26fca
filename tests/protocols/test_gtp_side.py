"""`gameplay gtp`, driven as GTP programs drive it.

GTP: draft of version 2; analysis lines as Leela Zero and KataGo print them.
"""

import re
import subprocess
import sys
import threading
import time
from functools import partial
from types import SimpleNamespace

import pytest

from gameplay import registry
from gameplay.cli.serve.gtp import _load
from gameplay.errors import IllegalMove
from gameplay.matches.hosted import Hosted
from gameplay.players import seats
from gameplay.protocols import gtp_side
from gameplay.protocols.gtp_go import GoSide
from gameplay.protocols.gtp_side import GtpSide, TimeLeft, TimeSettings
from gameplay.protocols.side import UNLIMITED, GoRequest
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report
from gameplay.specs import join, split
from gameplay.store.record import SCHEMA, Ply, Record, encode
from gameplay.value import WIN
from tests.support.paths import TESTS

pytestmark = pytest.mark.once

RECORDS = TESTS / "examples" / "records" / "go.sgf"
ENGINE = "random"


def side(game="go", engine=ENGINE):
    """Our side and its output."""
    log = []
    head, options = split(game)

    def seat(terms):
        own = {} if {"size", "columns"} & terms.keys() else options
        game_class = registry.game(join(head, {**own, **terms}))
        game_class.new()
        player = seats.player(engine, game_class)
        loose = registry.game(join(head, {**own, **terms, "ko": "simple"})) if head == "go" else None
        return player, Hosted(game_class, player, spare=loose)

    if head == "go":
        return GoSide("test", seat, log.append, load=partial(_load, registry.game("go"))), log
    return GtpSide("test", seat, log.append), log


def request(server, output, *lines):
    """The answers to lines, without the empty line that ends each."""
    results = []
    for line in lines:
        output.clear()
        server.execute(line)
        assert output[-1:] == [""] and "" not in output[:-1]
        results.append("\n".join(output[:-1]))
    return results


def talk(*lines, game="go", engine=ENGINE):
    return request(*side(game, engine), *lines)


# -- the conversation ---------------------------------------------------------------------------


def test_numbers_blanks_tabs_comments_and_control_characters():
    server, output = side()
    assert request(
        server, output, "1 protocol_version", "protocol_version", "07\tprotocol_version # why"
    ) == [
        "=1 2",
        "= 2",
        "=07 2",
    ]
    assert request(server, output, "play\tblack \x07 E5\r", "12 nothing here") == ["=", "?12 unknown command"]
    output.clear()
    assert server.execute("") and server.execute("   # a comment") and server.execute("\t") and output == []
    assert request(server, output, "3 known_command genmove", "known_command x", "known_command") == [
        "=3 true",
        "= false",
        "= false",
    ]
    assert request(server, output, "version", "name")[1] == "= gameplay random"
    assert not server.execute("quit") and output[-2:] == ["=", ""]


def test_every_command_that_the_draft_requires_is_listed():
    (listed,) = talk("list_commands")
    names = set(listed.removeprefix("= ").split("\n"))
    required = (
        "protocol_version name version known_command list_commands quit boardsize clear_board komi play"
    )
    tournament = "genmove undo time_settings time_left fixed_handicap place_free_handicap set_free_handicap"
    others = "final_score final_status_list loadsgf reg_genmove showboard lz-analyze kata-analyze"
    assert names >= set(f"{required} {tournament} {others} kgs-genmove_cleanup kgs-rules".split())
    assert all(hasattr(GoSide, f"_{name.replace('-', '_')}") for name in names)


def test_an_engine_gives_up_at_its_third_hopeless_move_and_plays_on_if_it_must():
    moves = ["genmove b", "play w A3", "genmove b", "play w A1", "genmove b"]
    answers = talk("boardsize 5", "komi 90", *moves, "genmove b", "showboard", engine="mcts:sims=20")
    assert answers[-3] == "= resign"
    assert re.fullmatch("= [A-E][1-5]", answers[-2]) and answers[-1].count("X") == 3
    assert "= resign" not in talk("boardsize 5", "komi 90", *moves, engine="mcts:sims=20,resign=0")
    assert "= resign" not in talk("boardsize 5", "komi 0", *moves, engine="mcts:sims=20")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("play", "? syntax error: a colour is missing"),
        ("play green E5", "? syntax error: a colour must be black or white, not 'green'"),
        ("play b", "? syntax error: a move is missing"),
        ("play b J10", "? illegal move: move 1: 'J10' is not on this board, which ends at J9"),
        ("play b I5", "? illegal move: move 1: 'I5': there is no column I, J comes after H"),
        ("boardsize", "? syntax error: the size of the board is missing"),
        ("boardsize nine", "? syntax error: the size of the board must be a whole number, not 'nine'"),
        ("boardsize 25", "? unacceptable size"),
        ("boardsize 0", "? unacceptable size"),
        ("rectangular_boardsize 0 9", "? unacceptable size"),
        ("rectangular_boardsize 9", "? syntax error: the number of rows is missing"),
        ("fixed_handicap 0", "? invalid number of stones"),
        ("komi", "? syntax error: a komi is missing"),
        ("komi much", "? syntax error: a komi must be a number of points, not 'much'"),
        ("komi 7.3", "? komi must be a number of whole or half points"),
        ("undo", "? cannot undo"),
        ("fixed_handicap 99", "? invalid number of stones: handicap must be 0 or from 2 to"),
        ("set_free_handicap A1", "? invalid number of stones"),
        (
            "set_free_handicap A1 A1",
            "? invalid vertex: move 2: 'A1' is not a legal move here: there is a stone on A1 already",
        ),
        ("loadsgf /nowhere/a.sgf", "? cannot load file: "),
        ("time_settings 1 2", "? syntax error: a number of stones is missing"),
        ("kgs-time_settings fischer 1", "? syntax error: write none, absolute"),
        ("kgs-rules japanese", "? unsupported rules: area is counted here"),
        ("final_status_list gone", "? syntax error: write dead, alive or seki"),
    ],
)
def test_impossible_commands_are_refused_and_change_nothing(line, answer):
    server, output = side()
    (reply,) = request(server, output, line)
    assert reply.startswith(answer), reply
    assert server.places == [("", ())] and "handicap" not in server.terms
    assert request(server, output, "komi 5.5", "boardsize 5", "play b C3", "genmove w")[:3] == ["=", "=", "="]


# -- the game -----------------------------------------------------------------------------------


def test_either_side_moves_at_any_time():
    server, output = side()
    assert (
        request(server, output, "boardsize 5", "play b C3", "play b C4", "play w pass", "play b pass")
        == ["="] * 5
    )
    # Play continues after two passes.
    assert request(server, output, "play w pass", "play w A1", "play b A2", "play b B1") == ["="] * 4
    (board,) = request(server, output, "showboard")
    assert board.startswith("=\n    A B C D E\n") and "\n 1  .(X)" in board  # A1 was taken
    assert request(server, output, *["undo"] * 9) == ["="] * 8 + ["? cannot undo"]


def test_a_ko_that_only_superko_forbids_may_be_played_by_others():
    server, output = side()
    words = ["A1", "B2", "B1", "A2", "A1", "B1", "A1"]  # brings the board after the fifth move again
    with pytest.raises(IllegalMove, match="superko"):
        registry.game("go:size=2").new(" ".join(words))
    cycle = [f"play {'bw'[number % 2]} {word}" for number, word in enumerate(words)]
    assert request(server, output, "boardsize 2", *cycle, "play w B1") == ["="] * 9
    answer = request(server, output, "rectangular_boardsize 3 1", "play b B1", "play w A1")
    assert answer[:2] == ["=", "="] and answer[2].startswith(
        "? illegal move: move 2: 'A1' is not a legal move here: suicide"
    )


def test_handicaps_are_the_usual_points_or_any():
    server, output = side()
    assert request(server, output, "boardsize 19", "fixed_handicap 4")[1].split()[1:] == [
        "D16",
        "Q16",
        "D4",
        "Q4",
    ]
    assert request(server, output, "genmove w")[0] != "= pass" and server.terms["komi"] == "7.5"
    assert request(server, output, "fixed_handicap 2", "play b A1") == ["? board not empty", "="]
    assert request(server, output, "clear_board", "place_free_handicap 30")[1].count(" ") == 9
    assert request(server, output, "clear_board", "set_free_handicap A1 B2 C3", "showboard")[1] == "="
    assert server._match().position.turn == 1
    assert request(server, output, "clear_board", "boardsize 5", "place_free_handicap 3")[2].startswith(
        "? invalid number"
    )
    assert request(server, output, "genmove b")[0].startswith("=")


def test_komi_and_rules_may_change_at_any_time():
    server, output = side()
    assert request(server, output, "boardsize 5", "play b C3", "komi 0.5", "kgs-rules aga") == ["="] * 4
    position = server._match().position
    assert (position.komi, position.ko, position.stones()[2][2]) == (0.5, "situational", "X")
    assert request(server, output, "boardsize 9") == ["="] and server._match().position.komi == 0.5


def test_files_are_loaded_to_any_move():
    server, output = side()
    games = RECORDS.read_text().split("\n(;")
    assert request(server, output, f"loadsgf {RECORDS}") == ["="] and len(games) == 4
    assert len(server._match().turns) == 325 and server._match().position.komi == 0
    assert request(server, output, f"loadsgf {RECORDS} 127", "play b K11", "undo", "undo") == ["="] * 4
    assert len(server._match().turns) == 125


def test_a_file_that_is_not_loaded_changes_nothing(tmp_path):
    server, output = side()
    other, illegal = tmp_path / "chess.json", tmp_path / "illegal.json"
    for path, game, words in ((other, "chess", ["e4"]), (illegal, "go:columns=5,rows=5", ["A1", "A1"])):
        moves = [Ply(word, at) for at, word in enumerate(words)]
        path.write_bytes(encode(Record(SCHEMA, game, "", ["human"] * 2, 0, moves, None, "", "1")))
    request(server, output, "komi 0.5", "play b D4")
    before = request(server, output, "showboard")
    refused = request(server, output, f"loadsgf {other}", f"loadsgf {illegal}", f"loadsgf {tmp_path}/x.sgf")
    assert refused[0].startswith(f"? cannot load file: {other} holds no game of go, but one of chess.")
    assert refused[1].startswith("? cannot load file: move 2: ")
    assert refused[2] == f"? cannot load file: there is no file {tmp_path}/x.sgf"
    assert request(server, output, "showboard") == before and server._match().position.komi == 0.5
    assert request(server, output, "genmove w", "undo", "undo")[1:] == ["=", "="]


@pytest.mark.parametrize("first", ["fixed_handicap 2", "place_free_handicap 2", "set_free_handicap A1 B2"])
@pytest.mark.parametrize("second", ["fixed_handicap 2", "place_free_handicap 2", "set_free_handicap A1 B2"])
def test_a_handicap_needs_an_empty_board(first, second):
    server, output = side()
    assert request(server, output, "boardsize 9", first, second)[2] == "? board not empty"


def test_stones_of_a_handicap_that_are_refused_change_nothing():
    server, output = side()
    request(server, output, "boardsize 5", "time_settings 60 0 0", "time_left b 3 0")
    assert request(server, output, "set_free_handicap A1 A1")[0].startswith("? invalid vertex: ")
    assert "handicap" not in server.terms and server.clocks[0] == TimeLeft(3, 0)


def test_a_game_is_scored_without_the_stones_that_are_dead():
    server, output = side()
    wall = [f"play b {letter}3" for letter in "ABCDE"] + [f"play w {letter}4" for letter in "ABCDE"]
    alive = ["play b B2", "play b D2", "play w B5"]
    assert (
        request(server, output, "boardsize 5", "komi 0.5", *wall, *alive, "play w C1", "play b D5")[-1] == "="
    )
    (dead,) = request(server, output, "final_status_list dead")
    assert set(dead.removeprefix("= ").split("\n")) == {"C1", "D5"}
    assert request(server, output, "final_status_list seki", "final_score") == ["=", "= B+4.5"]
    living = request(server, output, "final_status_list alive")[0]
    assert "A3 B3" in living or "A3" in living.split()


def test_cleaning_up_takes_dead_stones_before_it_passes():
    server, output = side()
    stones = [f"play b {letter}{row}" for letter in "ABCDE" for row in (2, 4)] + ["play w C1"]
    request(server, output, "boardsize 5", *stones)
    assert request(server, output, "final_status_list dead") == ["= C1"]
    server.cleaning = True
    assert "pass" not in map(server._match().position.format, server._move_limit(server._match()).moves)
    server.cleaning = False
    assert not server._move_limit(server._match())
    assert (
        re.fullmatch(r"= [A-E][1-5]", request(server, output, "kgs-genmove_cleanup b")[0])
        and not server.cleaning
    )


def test_other_games_have_sides_in_turn():
    server, output = side("tictactoe")
    assert request(
        server, output, "boardsize 3", "boardsize 4", "play b b2", "play b a1", "play w a1", "undo"
    ) == [
        "=",
        "? unacceptable size",
        "=",
        "? illegal move: it is the turn of white",
        "=",
        "=",
    ]
    assert request(server, output, "komi 7.5") == ["? unknown command"]
    assert re.fullmatch(r"= [abc][123]", request(server, output, "genmove w")[0])
    server, output = side("othello")
    assert request(server, output, "boardsize 6", "showboard")[0] == "="


def test_a_cleared_board_is_a_new_game():
    """Moves, learned values and the handicap are cleared."""
    for game, moves in (("tictactoe", ("play b b2", "play w a1")), ("go", ("boardsize 5", "play b c3"))):
        server, output = side(game)
        request(server, output, *moves)
        session = server.player.session
        assert len(server.places) > 1
        assert request(server, output, "clear_board") == ["="] and server.places == [("", ())]
        assert server.player.session is not session
    server, output = side()
    assert request(server, output, "boardsize 9", "fixed_handicap 2")[1].startswith("= ")
    assert server.terms["handicap"] == "2"
    request(server, output, "clear_board")
    assert "handicap" not in server.terms and server.terms["columns"] == "9"


def test_failure_within_a_command_is_reported(monkeypatch):
    server, output = side("tictactoe")

    def fails(words):
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(server, "_showboard", fails)
    failed, named = request(server, output, "7 showboard", "8 name")
    assert failed.startswith("?7 ZeroDivisionError: by zero (test_gtp_side.py, line ")
    assert named == f"=8 gameplay {server.player.name}"
    assert TimeSettings() == TimeSettings(0.0, 0.0, 0)


# -- thinking -----------------------------------------------------------------------------------


def test_stop_of_the_last_search_ends_no_other(monkeypatch):
    server, output = side("tictactoe")
    seen = []
    monkeypatch.setattr(
        server, "_search", lambda match, request: seen.append((server.stopping, server.input_ended)) or "a1"
    )
    server.stopping = server.input_ended = True
    assert request(server, output, "genmove b") == ["= a1"] and seen == [(False, False)]


def test_reg_genmove_makes_no_move_and_genmove_does():
    server, output = side()
    request(server, output, "boardsize 5", "reg_genmove b")
    assert len(server.places) == 1
    word = request(server, output, "genmove b")[0].removeprefix("= ")
    assert server._match().words() == [word] and len(server.places) == 2


def test_gtp_side_counts_time_that_the_controller_does_not_send():
    terms = TimeSettings(10, 30, 5)
    hand = terms.initial_clock()
    terms.spend(hand, 4)
    assert hand == TimeLeft(6, 0)
    terms.spend(hand, 8)
    assert hand == TimeLeft(28, 5)
    for _ in range(4):
        terms.spend(hand, 1)
    assert hand == TimeLeft(24, 1)
    terms.spend(hand, 1)
    assert hand == TimeLeft(30, 5)
    assert (
        TimeSettings(0, 10, 1).initial_clock() == TimeLeft(10, 1)
        and TimeSettings(0, 1, 0).initial_clock() is None
    )
    assert TimeSettings(60).initial_clock() == TimeLeft(60, 0)


def test_time_reaches_the_search():
    server, output = side(engine="mcts")
    request(server, output, "boardsize 5", "time_settings 0 30 10")
    assert server._search_times(0, server.clocks[0]) == ((30, 0), None, 10)
    request(server, output, "time_left w 3 0")
    assert server._search_times(1, server.clocks[1]) == (None, (3, 3), 0)
    request(server, output, "kgs-time_settings absolute 1")
    request(server, output, "genmove b", "genmove w")
    assert server.clocks[0].seconds < 1
    request(server, output, "kgs-time_settings none")
    assert server.clocks == [None, None]


@pytest.mark.parametrize(
    ("line", "times"),
    [
        ("time_settings 60 30 5", TimeSettings(60, 30, 5)),
        ("time_settings 0.5 .25 1", TimeSettings(0.5, 0.25, 1)),
        ("kgs-time_settings none", TimeSettings(0, 1, 0)),
        ("kgs-time_settings absolute 90", TimeSettings(90, 0, 0)),
        ("kgs-time_settings byoyomi 60 30 5", TimeSettings(60, 30, 1)),
        ("kgs-time_settings canadian 60 300 25", TimeSettings(60, 300, 25)),
    ],
)
def test_all_gtp_time_commands_are_read(line, times):
    server, output = side()
    assert request(server, output, line) == ["="]
    assert server.times == times and server.clocks == [times.initial_clock(), times.initial_clock()]


def test_periods_are_spent_to_the_second():
    """Time beyond the main time counts in the first period; no clock falls below 0."""
    for terms, hand, seconds, left in (
        (TimeSettings(10, 30, 5), TimeLeft(10), 10, TimeLeft(30, 5)),
        (TimeSettings(10, 30, 5), TimeLeft(10), 9.5, TimeLeft(0.5)),
        (TimeSettings(10, 30, 5), TimeLeft(10), 50, TimeLeft(0, 5)),
        (TimeSettings(10), TimeLeft(10), 12, TimeLeft(0)),
        (TimeSettings(10, 30, 2), TimeLeft(5, 2), 7, TimeLeft(0, 1)),
        (TimeSettings(10, 30, 2), TimeLeft(5, 1), 7, TimeLeft(30, 2)),
    ):
        terms.spend(hand, seconds)
        assert hand == left
    assert TimeSettings().initial_clock() == TimeLeft(0.0) and TimeSettings(9, 1, 0).initial_clock() is None


def test_a_move_takes_its_time_from_the_clock(monkeypatch):
    server, output = side()
    request(server, output, "time_settings 60 30 5")
    times = iter([100.0, 107.5, 200.0, 200.5])
    monkeypatch.setattr(gtp_side, "time", SimpleNamespace(monotonic=lambda: next(times)))
    monkeypatch.setattr(
        server, "_search", lambda match, request: "C3" if match.position.turn == 0 else "resign"
    )
    assert request(server, output, "genmove b", "genmove w", "reg_genmove w") == [
        "= C3",
        "= resign",
        "= resign",
    ]
    assert server.clocks == [TimeLeft(52.5), TimeLeft(60)] and len(server.places) == 2


def test_searches_receive_the_clock():
    server, output = side()
    request(server, output, "time_settings 60 30 5")
    assert server._search_times(0, None) is None
    assert server._search_times(0, TimeLeft(9)) == ((9, 6), None, 0)
    assert server._search_times(1, TimeLeft(9, 3)) == (None, (9, 0), 3)
    assert server._search_times(1, TimeLeft(0)) == (None, (0.01, 6), 0)
    assert request(server, output, "time_left black -3 0", "time_left W 12.5 2") == ["=", "="]
    assert server.clocks == [TimeLeft(0, 0), TimeLeft(12.5, 2)]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("7 nothing", "?7 unknown command"),
        ("boardsize", "? syntax error: the size of the board is missing"),
        (
            "boardsize 1234567890",
            "? syntax error: the size of the board must be a whole number, not '1234567890'",
        ),
        ("boardsize -5", "? syntax error: the size of the board must be a whole number, not '-5'"),
        ("boardsize 999", "? unacceptable size"),
        (
            "time_settings 1234567890123 1 1",
            "? syntax error: a time must be a number of seconds, not '1234567890123'",
        ),
        ("time_settings 1e5 1 1", "? syntax error: a time must be a number of seconds, not '1e5'"),
        ("time_settings -1 5 2", "? syntax error: a time must be at least 0 seconds, not '-1'"),
        ("kgs-time_settings absolute -4", "? syntax error: a time must be at least 0 seconds, not '-4'"),
        ("kgs-time_settings byoyomi 1 -3 2", "? syntax error: a time must be at least 0 seconds, not '-3'"),
        (
            "lz-analyze b -5",
            "? syntax error: an interval must be at least 0 hundredths of a second, not '-5'",
        ),
        ("time_left green 1 1", "? syntax error: a colour must be black or white, not 'green'"),
        ("kgs-time_settings", "? syntax error: a kind of time is missing"),
        ("kgs-time_settings canadian 1 2", "? syntax error: a number is missing"),
        ("kgs-time_settings byoyomi 1", "? syntax error: a time is missing"),
        ("play", "? syntax error: a colour is missing"),
        ("play b", "? syntax error: a move is missing"),
        ("undo", "? cannot undo"),
        ("known_command undo", "= true"),
        ("known_command fly", "= false"),
        ("known_command", "= false"),
        ("gogui-interrupt", "="),
        ("lz-analyze b interval", "? syntax error: an interval is missing"),
    ],
)
def test_each_command_is_answered_in_a_line(line, answer):
    assert talk(line) == [answer]


def test_genmove_out_of_turn_is_refused():
    server, output = side("tictactoe")
    assert request(server, output, "play w b2", "play b b2", "play b a1", "lz-genmove_analyze b") == [
        "? illegal move: it is the turn of black",
        "=",
        "? illegal move: it is the turn of white",
        "? illegal move: it is the turn of white",
    ]
    over = ["play w a1", "play b a2", "play w b1", "play b c2"]
    assert request(server, output, *over, "play w c1") == ["="] * 4 + ["? illegal move: the game is over"]
    assert request(server, output, "undo", "play b b3") == ["=", "="]


def test_the_only_size_of_a_board_may_be_named():
    server, output = side("tictactoe")
    assert request(server, output, "play b b2", "boardsize 4", "boardsize 3") == [
        "=",
        "? unacceptable size",
        "=",
    ]
    assert server.places == [("", ())]


@pytest.mark.parametrize(
    ("words", "kata", "interval"),
    [
        ("lz-analyze", False, 1.0),
        ("lz-analyze b", False, 1.0),
        ("lz-analyze B 50", False, 0.5),
        ("lz-analyze 50", False, 0.5),
        ("kata-analyze black interval 20", True, 0.2),
        ("kata-analyze ownership true interval 7", True, 0.07),
        ("lz-analyze 0", False, 0.01),
    ],
)
def test_analyses_report_at_the_requested_interval(words, kata, interval, monkeypatch):
    server, output = side()
    seen = []
    monkeypatch.setattr(
        server, "_search", lambda match, request: seen.append((server.interval, server.kata, request.endless))
    )
    assert request(server, output, words) == ["="]
    assert seen == [(interval, kata, True)]
    assert (server.interval, server.analysing) == (0.0, False)


def test_pending_input_ends_an_analysis(monkeypatch):
    server, output = side()
    searched = []
    monkeypatch.setattr(server, "_search", lambda match, request: searched.append(match))
    for line, stopped, input_ended in (("name", True, False), (None, False, True)):
        server.queued.clear()
        server.inbox.put(line)
        assert request(server, output, "lz-analyze") == ["="]
        assert (searched, server.stopping, server.input_ended) == ([], stopped, input_ended)
    server.queued.clear()
    for line, stops in (("name", False), ("# interrupt", True), (" #  INTERRUPT ", True), (None, False)):
        server._reopen()
        server.queued.clear()
        server.inbox.put(line)
        server._poll_input(0)
        assert (server.stopping, server.input_ended, list(server.queued)) == (stops, False, [line])


def test_search_limits():
    server, _ = side()
    own = Limit(depth=2, multipv=3)
    for asked_for, limit in (
        (GoRequest(), own),
        (GoRequest(Limit(nodes=9)), own.with_(nodes=9)),
        (GoRequest(Limit(nodes=9, moves=(1, 2))), own.with_(nodes=9, moves=(1, 2))),
        (GoRequest(endless=True), own.within(UNLIMITED)),
        (GoRequest(Limit(moves=(1, 2)), endless=True), own.within(UNLIMITED).with_(moves=(1, 2))),
    ):
        server.interval = 0.0
        assert server._limit(own, asked_for) == limit
        server.interval = 0.5
        assert server._limit(own, asked_for) == limit.with_(multipv=10)
        assert server._may_resign(asked_for) == (not asked_for.endless and not asked_for.limit.moves)
    server.fixed = True
    assert server._limit(own, GoRequest(endless=True)) == own.with_(multipv=10)


def test_analysis_reports_when_the_interval_has_passed(monkeypatch):
    server, _ = side()
    shown = []
    now = iter([10.0, 10.4, 10.5, 10.9, 11.0, 12.0])
    monkeypatch.setattr(gtp_side, "time", SimpleNamespace(monotonic=lambda: next(now)))
    monkeypatch.setattr(server, "_show", lambda match, report: shown.append(report.nodes))
    looks = []
    monkeypatch.setattr(server, "_poll_input", looks.append)
    server.interval, server.shown = 0.5, 10.0
    for number in range(5):
        assert server._watch(None, Report(nodes=number)) is False
    server.stopping = True
    assert server._watch(None, None) is True
    assert shown == [2, 4] and looks == [0] * 6
    server._send_info(None, Report(nodes=7))
    server.interval = 0.0
    server._send_info(None, Report(nodes=8))
    assert shown == [2, 4, 7]


def test_analysis_reports_ten_moves():
    server, output = side()
    match = server._match()
    moves = match.moves()[:12]
    server._show(match, Report(candidates=tuple(Candidate(move, 0, pv=(move,)) for move in moves)))
    assert re.findall(r"order (\d+)", output[-1]) == [str(order) for order in range(10)]


def test_a_new_game_has_its_time_anew():
    server, output = side()
    request(server, output, "time_settings 60 30 5", "time_left b 3 1", "time_left w 4 0")
    assert server.clocks == [TimeLeft(3, 1), TimeLeft(4, 0)]
    assert request(server, output, "komi 0.5") == ["="] and server.clocks == [TimeLeft(3, 1), TimeLeft(4, 0)]
    for line in ("clear_board", "boardsize 9"):
        request(server, output, "time_left b 3 1")
        assert request(server, output, line) == ["="] and server.clocks == [TimeLeft(60), TimeLeft(60)]


def test_lines_of_an_analysis():
    """Values in points, simulations or plies; moves without a line or value are omitted."""
    server, output = side(engine="mcts")
    request(server, output, "boardsize 5")
    match = server._match()
    move, other = (match.position.parse(word) for word in ("C3", "B2"))
    some = (
        Candidate(move=move, value=0.5, pv=(move, other), visits=30, error=0.25),
        Candidate(move=other, value=-0.25, pv=(other,), visits=0),
        Candidate(move=other, value=0, pv=()),
        Candidate(move=other, value=0, pv=(other,), bound="unknown"),
    )
    report = Report(move=move, value=0.5, pv=(move,), nodes=77, candidates=some)
    for server.kata in (False, True):
        output.clear()
        server._show(match, report)
        assert output == [
            "info move C3 visits 30 utility 0.0500 winrate 0.5250 lcb 0.5125 order 0 pv C3 B2 "
            "info move B2 visits 77 utility -0.0250 winrate 0.4875 lcb 0.4875 order 1 pv B2"
            if server.kata
            else "info move C3 visits 30 winrate 5250 lcb 5125 order 0 pv C3 B2 "
            "info move B2 visits 77 winrate 4875 lcb 4875 order 1 pv B2"
        ]
    output.clear()
    server._show(match, Report(move=move, value=WIN - 3, pv=(move,), nodes=0))
    assert output == ["info move C3 visits 1 utility 1.0000 winrate 1.0000 lcb 1.0000 order 0 pv C3"]
    server._show(match, Report(move=move, value=0, pv=(), nodes=0))
    assert len(output) == 1
    two, _ = side("tictactoe")
    unit = two._match().position.unit
    for value, rate in ((3 - WIN, 0), (0.5 * unit, 0.75), (-1.0 * unit, 0), (3.0 * unit, 1), (0, 0.5)):
        assert two._rate(two._match(), value) == rate


INFO = re.compile(
    r"info move (\S+) visits (\d+) winrate (\d+) lcb (-?\d+) order (\d+) pv (\S+(?: \S+)*?)(?= info|$)"
)


def test_analysis_runs_until_the_next_line():
    server, output = side(engine="mcts")
    request(server, output, "boardsize 5")
    output.clear()

    def interrupt():
        for _ in range(600):
            if any("info" in line for line in output):
                break
            time.sleep(0.05)
        server.inbox.put("9 name")
        server.player.nudge()

    thread = threading.Thread(target=interrupt)
    thread.start()
    assert server.execute("8 lz-analyze b interval 5")
    thread.join()
    assert output[0] == "=8" and output[-1] == "" and len(output) > 2
    for line in output[1:-1]:
        moves = INFO.findall(line)
        assert [int(order) for *_, order, _ in moves] == list(range(len(moves))) != []
        assert all(pv.split()[0] == move and 0 <= int(rate) <= 10000 for move, _, rate, _, _, pv in moves)
    assert server.queued == ["9 name"] and len(server.places) == 1


def test_an_analysis_that_makes_a_move_ends_by_itself():
    server, output = side(engine="mcts")
    request(server, output, "boardsize 5", "time_settings 0 1 1")
    output.clear()
    server.execute("kata-genmove_analyze w 10")
    assert output[0] == "=" and output[-1] == "" and re.fullmatch(r"play ([A-E][1-5]|pass)", output[-2])
    assert all(
        re.match(r"info move \S+ visits \d+ utility \S+ winrate [01]\.\d+ ", line) for line in output[1:-2]
    )
    assert server._match().words()[-1] == output[-2].removeprefix("play ")


def test_a_pipe_is_answered_to_its_end():
    words = [sys.executable, "-m", "gameplay", "gtp", "--engine", "random", "--seed", "3"]
    lines = "boardsize 7\ngenmove b\n5 genmove w\nfinal_score\nquit\nname\n"
    completed = subprocess.run(words, input=lines, capture_output=True, text=True, timeout=120)
    assert completed.returncode == 0 and completed.stderr == ""
    answers = completed.stdout.split("\n\n")
    assert answers[0] == "=" and re.fullmatch(r"= [A-H][1-7]", answers[1])
    assert answers[2].startswith("=5 ") and answers[3].startswith("= W+") and answers[4:] == ["=", ""]


def test_winrate_of_an_alphabeta_value():
    server, output = side(engine="iterative:depth=2")
    request(server, output, "boardsize 5")
    output.clear()
    server.execute("lz-genmove_analyze b")
    moves = INFO.findall(output[-3])
    assert moves and all(rate == least and 0 < int(rate) < 10000 for _, _, rate, least, _, _ in moves)
