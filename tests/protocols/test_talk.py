"""Messages to external programs, line by line, and the handling of their answers: without a program."""

from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import Fault, Usage
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.players import seats
from gameplay.protocols.channel import Broken
from gameplay.protocols.gtp import Gtp
from gameplay.protocols.nboard import NBoard
from gameplay.protocols.talk import INTERVAL, Talk
from gameplay.protocols.uci import Uci, Ugi, format_score, parse_info, parse_score
from gameplay.search.limit import Limit
from gameplay.value import MAX_EVAL, TB_WIN, WIN
from tests.support.wire import ENDS, set_clock, talk_over

pytestmark = pytest.mark.once

HELLO = (
    "Some Engine 7 by somebody",
    "id name Some Engine 7",
    "option name Skill Level type spin default 3",
    "option name Clear Hash type button",
    "option name type",
    "option of mine",
    "uciok",
    "info string late",
    "readyok",
)


def test_a_program_of_uci_is_greeted_and_its_options_are_set() -> None:
    talk, wire = talk_over(Uci, *HELLO)
    talk.greet({"skill level": "7"}, ENDS)
    assert wire.sent == ["uci", "setoption name Skill Level value 7", "isready"]
    assert talk.options == ["Skill Level", "Clear Hash", ""] and not wire.lines and wire.anew == 1
    talk, wire = talk_over(Uci, *HELLO)
    with pytest.raises(
        Fault, match=r"^cannot be configured: unknown option 'Clear Hsh'; did you mean 'Clear Hash'\?"
    ) as error:
        talk.greet({"Clear Hsh": "7"}, ENDS)
    assert error.value.kind == "start"
    for lines, word in ((HELLO[:-3], "uciok"), (HELLO[:-1], "readyok")):
        talk, wire = talk_over(Uci, *lines)
        with pytest.raises(Broken, match=rf"^did not send '{word}' in time$") as broken:
            talk.greet({}, ENDS)
        assert broken.value.kind == "hang"


def test_uci_sends_new_game_and_positions() -> None:
    talk, wire = talk_over(Uci, *["readyok"] * 9)
    talk.begin(ENDS)
    talk.position("", [], ENDS)
    talk.position("", [(0, "a1"), (1, "b2")], ENDS)
    talk.position("xo./... x", [(0, "a1")], ENDS)
    talk.position("xo./... x moves c3", [(0, "a1")], ENDS)
    assert [line for line in wire.sent if line != "isready"] == [
        "ucinewgame",
        "position startpos",
        "position startpos moves a1 b2",
        "position fen xo./... x moves a1",
        "position fen xo./... x moves c3 a1",
    ]
    assert wire.sent[1::2] == ["isready"] * 5 and wire.anew == 5


def test_uci_sends_chess960_option_when_it_changes() -> None:
    usual, other = registry.game("chess").new(), registry.game("chess:start=0").new()
    talk, wire = talk_over(Uci)
    talk.prepare(usual, ENDS)
    with pytest.raises(Broken, match=r"^does not play Chess960$") as broken:
        talk.prepare(other, ENDS)
    assert broken.value.kind == "start" and wire.sent == []
    talk.options.append("UCI_Chess960")
    for position in (other, other, usual, usual):
        talk.prepare(position, ENDS)
    assert wire.sent == [f"setoption name UCI_Chess960 value {word}" for word in ("true", "false")]
    assert talk.start(usual, "") == "" and talk.start(usual, "startpos") == usual.text()
    assert talk.start(other, "") == other.text() != ""
    assert talk.start(registry.game("nim").new(), "3 4") == "3 4"


def test_uci_info_is_passed_on_at_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every twentieth of a second until it stops; the last line is always passed on."""
    set_clock(monkeypatch, [INTERVAL, INTERVAL + 0.04, 2 * INTERVAL, 3.0])
    lines = [f"info depth {depth} score cp {10 * depth} pv a1" for depth in (1, 2, 3, 4)]
    talk, wire = talk_over(
        Uci, "bestmoves follow", "info depth 0", "info string score cp", *lines, "bestmove a1 ponder b2"
    )
    seen: list[int] = []

    def watch(report: dict[str, Any]) -> bool:
        seen.append(report["depth"])
        return len(seen) == 2

    assert talk.answer(ENDS, watch) == "a1"
    assert seen == [1, 3] and wire.sent == ["stop"]
    assert talk.info == {"depth": 4, "value": 40, "pv": ["a1"]}
    assert INTERVAL == 0.05


def test_the_end_of_a_search_of_uci() -> None:
    for lines, word in ((["bestmove"], ""), (["bestmove b2"], "b2"), (["info depth 1"], None)):
        talk, wire = talk_over(Uci, *lines)
        assert talk.stop(ENDS) == word and wire.sent == ["stop"] and talk.info == {}
    talk, _ = talk_over(Uci, "info score cp 5 lowerbound", "info score cp 7 upperbound", "bestmove b2")
    assert talk.answer(ENDS, lambda report: False) == "b2" and talk.info == {"value": 5}


def test_ugi_programs_are_queried_for_the_result() -> None:
    for lines, result in (
        (["response p1win", "readyok", "response late"], "p1win"),
        (["response", "readyok"], ""),
        (["what?", "readyok"], None),
        (["response not yet"], "not yet"),
        ([], None),
    ):
        talk, wire = talk_over(Ugi, *lines)
        assert talk.query("result", ENDS) == result
        assert wire.sent == ["query result", "isready"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("info score cp --3 depth 2", {"depth": 2}),  # no number at all
        ("info score cp - nodes 7", {"nodes": 7}),
        ("info score cp", {}),
        ("info nodes 1234567890123456789 nps 5", {"nodes": 10**15, "nps": 5}),
        ("info multipv 1 seldepth 9 hashfull 500 time 3", {"seldepth": 9, "hashfull": 500, "time": 3}),
        ("info multipv", {}),
        ("info score mate 3", {"value": WIN - 5}),
        ("info score mate -3", {"value": 6 - WIN}),
        ("info score mate 0", {"value": -WIN}),  # mated
        ("info score mate 500", {"value": WIN - 255}),
        ("info score mate -500", {"value": 255 - WIN}),
        ("info score mates 3", {}),
        ("info score cp -99999999 pv", {"value": -MAX_EVAL, "pv": []}),
    ],
)
def test_lines_of_a_search_of_uci(line: str, message: dict[str, Any]) -> None:
    assert parse_info(line) == message


def test_scores_of_uci() -> None:
    assert [format_score(value) for value in (TB_WIN, -TB_WIN, TB_WIN - 9)] == [
        "cp 20000",
        "cp -20000",
        "cp 20000",
    ]
    assert [format_score(value) for value in (WIN, WIN - 1, WIN - 2, 2 - WIN, 3 - WIN)] == [
        *("mate 0", "mate 1", "mate 1", "mate -1", "mate -2")
    ]
    assert [format_score(0.5), format_score(-1.25, 100), format_score(2.0, 8), format_score(7, 8)] == [
        "cp 50",
        "cp -1",
        "cp 25",
        "cp 7",
    ]
    assert (
        parse_score("mate", 128) == parse_score("mate", 200) == WIN - 255
        and parse_score("mate", 127) == WIN - 253
    )


# -- NBoard ---------------------------------------------------------------------------------------


def test_nboard_handshake_and_move() -> None:
    talk, wire = talk_over(
        NBoard, "set myname ntest", "pong 2", "pong 1", "pong 2", "===", "=== F5/1.5/0.2", "pong 3"
    )
    talk.greet({"contempt": "0"}, ENDS)
    assert wire.sent == ["nboard 2", "set contempt 0", "set depth 8", "ping 1"] and wire.anew == 1
    talk.position("--- *", [(0, "f5")], ENDS)
    assert wire.sent[4:] == [
        "set game (;GM[Othello]PC[gameplay]PB[black]PW[white]RE[?]TY[8]BO[8 --- *]B[F5];)",
        "ping 2",
    ]
    wire.sent.clear()
    talk.info = {"value": 3}
    for limit in (Limit(), Limit(depth=8), Limit(depth=3), Limit(depth=3)):
        talk.go(0, limit, None, ENDS)
    assert wire.sent == ["go", "go", "set depth 3", "go", "go"] and talk.info == {} and wire.anew == 6
    wire.sent.clear()
    assert talk.stop(ENDS) == "" and talk.info == {} and wire.sent == ["ping 3"]
    assert talk.stop(ENDS) == "F5" and talk.info == {"value": 2}  # to the nearest part of a disc
    wire.lines.clear()
    assert talk.answer(ENDS, lambda report: False) is None
    with pytest.raises(Broken, match=r"^did not send 'pong 5' in time$") as broken:
        talk.ping(ENDS)
    assert broken.value.kind == "hang"


def test_nboard_status_becomes_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock(monkeypatch, [INTERVAL, INTERVAL + 0.04, 2 * INTERVAL, 9.0])
    talk, wire = talk_over(
        NBoard,
        "nodestats 123.0 0.5", "nodestats", "search F5-d6 1.25 0 7%", "search F5 99 0 8",
        "search F5 nan 0 9", "search F5", "search F5D6C3 -0.5 0 inf", "=== F5 / -99 / 0.2",
    )  # fmt: skip
    talk.prepare(registry.game("othello").new(), ENDS)
    unit = talk.unit
    seen: list[dict[str, Any]] = []

    def watch(report: dict[str, Any]) -> bool:
        seen.append(dict(report))
        return len(seen) == 2

    assert talk.answer(ENDS, watch) == "F5"
    assert seen == [
        {"nodes": 123, "value": round(1.25 * unit), "pv": ["F5", "d6"], "depth": 7},
        {"nodes": 123, "value": 64 * unit, "pv": ["F5"], "depth": 9},
    ]
    assert wire.sent == ["ping 1"]
    assert talk.info == {"nodes": 123, "value": -64 * unit, "pv": ["F5", "D6", "C3"], "depth": 0}


def test_a_value_alone_is_enough_for_nboard() -> None:
    talk, _ = talk_over(NBoard, "search F5 0.5", "=== F5")
    talk.prepare(registry.game("othello").new(), ENDS)
    assert talk.answer(ENDS, lambda report: False) == "F5"
    assert talk.info == {"value": round(0.5 * talk.unit), "pv": ["F5"], "depth": 0}


def test_nboard_refuses_unsupported_positions() -> None:
    othello = registry.game("othello").new()
    NBoard.check(othello, Limit(depth=3))
    for limit in (Limit(nodes=1), Limit(seconds=1.0)):
        with pytest.raises(Usage, match=r"^NBoard cannot limit nodes or time a move. Try: depth=N$"):
            NBoard.check(othello, limit)


# -- GTP ------------------------------------------------------------------------------------------


def test_gtp_handshake_and_move() -> None:
    talk, wire = talk_over(Gtp, "=1 2", "=2")
    talk.greet({"komi": "7.5"}, ENDS)
    assert wire.sent == ["1 protocol_version", "2 komi 7.5"]
    wire.lines = ["=3 2", "?4 unacceptable size"]
    with pytest.raises(Fault, match=r"^refuses 'boardsize 9': unacceptable size$") as error:
        talk.greet({"boardsize": "9"}, ENDS)
    assert error.value.kind == "start"
    wire.lines = ["?5 no board"]
    with pytest.raises(Broken, match=r"^refused 'clear_board': no board$") as broken:
        talk.begin(ENDS)
    assert broken.value.kind == "protocol_error"
    with pytest.raises(Broken, match=r"^did not answer 'protocol_version' in time$") as broken:
        talk.ping(ENDS)
    assert broken.value.kind == "hang"


def test_gtp_sends_each_move_once() -> None:
    talk, wire = talk_over(Gtp, *[f"={number}" for number in range(1, 99)])

    def lines_sent(start: str, *moves: tuple[int, str]) -> list[str]:
        wire.sent.clear()
        talk.position(start, moves, ENDS)
        return [line.partition(" ")[2] for line in wire.sent]

    talk.timed = True
    assert lines_sent("", (0, "D4"), (1, "pass")) == ["play black D4", "play white pass"]
    assert lines_sent("", (0, "d4"), (1, "PASS"), (0, "C3")) == ["play black C3"]
    assert lines_sent("", (0, "D4")) == ["clear_board", "play black D4"]
    assert lines_sent("", (0, "D4"), (0, "C3")) == ["play black C3"]
    assert lines_sent("komi 1;play white A1", (0, "D4")) == [
        *("clear_board", "komi 1", "play white A1", "play black D4")
    ]
    assert lines_sent("komi 1;play white A1", (0, "D4")) == [] and talk.timed
    talk.begin(ENDS)
    assert (talk.known, talk.board_setup, talk.timed) == ([], "", False)


def test_moves_of_a_program_of_gtp_are_on_its_board() -> None:
    talk, wire = talk_over(Gtp, "=1 early", "=2 Pass", "?3 cannot", "= 4", "x4 A1")
    clock = None
    talk.number = 1
    talk.go(1, Limit(), clock, ENDS)
    assert wire.sent == ["2 genmove white"] and wire.anew == 1
    assert talk.answer(ENDS, lambda report: False) == "Pass" and talk.known == [(1, "pass")]
    talk.go(0, Limit(), clock, ENDS)
    with pytest.raises(Broken, match=r"^refused 'genmove black': cannot$"):
        talk.answer(ENDS, lambda report: False)
    assert talk.known == [(1, "pass")]
    talk.go(0, Limit(), clock, ENDS)
    assert talk.answer(ENDS, lambda report: False) is None
    assert talk.resigns("Resign") and not talk.resigns("pass")


@pytest.mark.parametrize(
    ("words", "limit", "message"),
    [
        ("60+5delay", Limit(), ["time_settings 60 5 1", "time_left white 60 0"]),
        ("0+5byoyomi", Limit(), ["time_settings 0 5 1", "time_left white 5 1"]),
        ("1+5byoyomi", Limit(), ["time_settings 1 5 1", "time_left white 1 0"]),
        ("0.5", Limit(), ["time_settings 0 0 0", "time_left white 1 0"]),
        ("0.5/move", Limit(), ["time_settings 0 1 1", "time_left white 1 1"]),
        ("10/0.5", Limit(), ["time_settings 0 1 10", "time_left white 1 10"]),
        ("4/move", Limit(seconds=2.0), ["time_settings 0 4 1", "time_left white 4 1"]),
        ("60", Limit(seconds=2.0), ["time_settings 0 2 1", "time_left white 2 1"]),
        ("", Limit(seconds=2.5), ["time_settings 0 2 1", "time_left white 2 1"]),
        ("", Limit(), []),
    ],
)
def test_gtp_sends_the_time(words: str, limit: Limit, message: list[str]) -> None:
    """The settings once a game, the remaining time at each move."""
    talk, wire = talk_over(Gtp, *[f"?{number}" for number in range(1, 9)])
    clock = Clock([None, parse_time_control(words)]) if words else None
    for _ in range(2):
        talk._time(1, limit, clock, ENDS)
    assert [line.partition(" ")[2] for line in wire.sent] == [*message, *message[1:]]
    wire.sent.clear()
    talk._time(0, Limit(), clock, ENDS)
    assert wire.sent == [], "no clock runs for black"


@pytest.mark.parametrize(
    ("answer", "believed"),
    [
        ("=1 B+3.5", "p1win"),
        ("=1 w+R", "p2win"),
        ("=1 0", "draw"),
        ("=1 ?", None),
        ("=1", None),
        ("?1 B+3.5", None),
        ("", None),
    ],
)
def test_gtp_score_is_requested_after_two_passes(answer: str, believed: str | None) -> None:
    for terms, known in (((), 2), ((5, 5), 1), ((5, 5), 2)):
        talk, wire = talk_over(Gtp, answer) if answer else talk_over(Gtp)
        talk.terms, talk.known = terms, [(0, "c3"), (1, "pass"), (0, "pass")][:: 1 if known > 1 else -1]
        score = talk.query("result", ENDS)
        asked = bool(terms) and known == 2
        assert score == (believed if asked else None)
        assert wire.sent == (["1 final_score"] if asked else [])


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("katago:cat chess", "only for Go, not for chess"),
        ("katago:cat go:columns=1,rows=5", "2 to 19 rows and columns"),
        ("katago:cat,depth=3 go", "Try: nodes=VISITS or time=SECONDS"),
        ("nboard:cat connect4", "for Othello on 8x8"),
        ("nboard:cat othello:size=6", "for Othello on 8x8"),
        ("nboard:cat,nodes=3 othello", "Try: depth=N"),
    ],
)
def test_games_and_limits_that_a_protocol_cannot_express_are_refused(words: str, why: str) -> None:
    spec, game = words.split()
    with pytest.raises(Usage, match=why):
        seats.player(spec, registry.game(game))


@pytest.mark.parametrize("words", ["hub:cat draughts", "uci:cat chess", "ugi:cat nim", "nboard:cat othello"])
def test_a_common_limit_of_simulations_is_refused(words: str) -> None:
    spec, game = words.split()
    with pytest.raises(Usage, match=r"cannot limit simulations\. Try: .* as in mcts:sims=400$"):
        seats.player(spec, registry.game(game), 0, Limit(simulations=3))


def test_games_spell_moves_for_protocols_without_a_notation() -> None:
    talk, _ = talk_over(Talk)
    position = registry.game("tictactoe").new()
    assert talk.format_move(position, 4) == "b2" and talk.parse_move(position, "b2") == 4
    assert talk.start(position, "x../.../...") == "x../.../..." and not talk.resigns("resign")
    assert talk_over(Gtp)[0].stop(ENDS) is None and talk.query("result", ENDS) is None
    assert (talk.answers_queries, talk.own_notation, talk.quit_command) == (False, False, "quit")
