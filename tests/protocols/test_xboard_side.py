"""Our engines by the protocol of xboard: its commands, and other programs as clients."""

import os
import sys

import chess
import chess.engine
import pytest

from gameplay import value as scale
from gameplay.matches.hosted import Hosted
from gameplay.players import seats
from gameplay.protocols.xboard import parse_move
from gameplay.protocols.xboard_side import XboardSide, format_feature, format_points
from tests.support.hosted import play_match
from tests.support.uci import GAME, LASTING, own_spec

pytestmark = pytest.mark.skipif(os.name != "posix", reason="outside engines need POSIX")

XBOARD = [sys.executable, "-m", "gameplay", "xboard"]
MATED = ("f2f3", "e7e5", "g2g4")


class Conversation:
    """Our side without a process. A search never waits for input: `exit` comes at once."""

    def __init__(self, engine: str = "alphabeta:depth=2,eval=material") -> None:
        self.messages: list[str] = []
        player = seats.player(engine, GAME)
        self.side = XboardSide(
            "gameplay", player, Hosted(GAME, player, parse_move, LASTING), self.messages.append
        )

    def ask(self, *lines: str) -> list[str]:
        self.messages.clear()
        for line in lines:
            assert self.side.execute(line) == (line.split()[:1] != ["quit"])
        return self.messages[:]


def test_features_are_listed() -> None:
    output = Conversation("selective").ask("xboard", "protover 2")
    assert output[0] == "feature done=0" and output[-1] == "feature done=1"
    text = " ".join(output)
    for word in ("ping=1", "setboard=1", "usermove=1", "memory=1", "smp=1", 'variants="normal,fischerandom"'):
        assert word in text
    assert 'option="null -check 1"' in text and 'option="eval -combo *correction /// ' in text
    assert "Hash" not in text.replace("Clear Hash", "") and "Ponder" not in text
    assert [
        format_feature(f"a b type {kind}")
        for kind in ("check default true", "string default <empty>", "button")
    ] == [*("a b -check 1", "a b -string ", "a b -button")]
    assert format_feature("n type spin default 3 min 0 max 20") == "n -spin 3 0 20"
    assert format_feature("e type combo default b var a var b") == "e -combo a /// *b"


def test_moves_are_answered_except_in_force_mode() -> None:
    conversation = Conversation()
    output = conversation.ask("new", "usermove e2e4")
    assert len(output) == 1 and output[0].startswith("move ")
    assert conversation.ask("force", "g1f3") == []
    output = conversation.ask("go")
    assert output[0].startswith("move ") and output[0][6] in "5678"  # Black's
    output = conversation.ask("new", "force", "e2e4", "playother", "e7e5")
    assert output[0].startswith("move ")
    assert conversation.ask("new", "go")[0][6] in "12"  # White's


def test_a_game_ends_with_its_result() -> None:
    conversation = Conversation()
    assert conversation.ask("new", "force", *MATED, "go") == ["move d8h4", "0-1 {Black mates}"]
    assert conversation.ask("go") == ["0-1 {Black mates}"]
    assert conversation.ask("usermove a2a3")[0].startswith("Illegal move (the game is over): a2a3")
    assert conversation.ask("undo", "d8h4") == ["0-1 {Black mates}"]
    assert conversation.ask("setboard 7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "go") == [
        "1/2-1/2 {Drawn by the rules}"
    ]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("usermove e2e5", "Illegal move ('e2e5' is not legal here"),
        ("e2e5", "Illegal move ('e2e5' is not legal here"),
        ("usermove", "Illegal move ("),
        ("walk \x1b[2J", "Error (unknown command): walk"),
        ("undo", "Error (there is no move to undo): undo"),
        ("remove", "Error (there is no move to undo): remove"),
        ("setboard 8/8", "tellusererror Illegal position: "),
        ("setboard", "tellusererror Illegal position: setboard is followed by a FEN"),
        ("level 40 x 0", "Error (level is MOVES MINUTES[:SECONDS] INCREMENT"),
        ("st 0", "Error (st must be a number of seconds over 0, not '0'): st 0"),
        ("sd zero", "Error (sd must be a number of plies from 1 up, not 'zero'): sd zero"),
        ("time soon", "Error (a time must be a number of hundredths of a second, not 'soon'): time soon"),
        ("memory lots", "Error ("),
        ("option Level=3", "Error (unknown option 'Level'"),
        ("variant crazyhouse", "Error (the variants are normal and fischerandom): variant crazyhouse"),
        ("egtpath nalimov /tb", "Error (the tables are syzygy): egtpath nalimov /tb"),
    ],
)
def test_wrong_lines_are_answered_in_one_line(line: str, answer: str) -> None:
    conversation = Conversation()
    output = conversation.ask(line)
    assert len(output) == 1 and output[0].startswith(answer) and "\n" not in output[0]
    assert conversation.ask("usermove e2e4")[0].startswith("move ")  # and the game goes on


def test_ignored_commands_have_no_answer() -> None:
    lines = (
        "xboard",
        "accepted ping",
        "rejected debug",
        "random",
        "name Ann",
        "rating 1 2",
        "computer",
        "hard",
        "easy",
    )
    assert (
        Conversation().ask(*lines, "?", ".", "draw", "hint", "post", "nopost", "result 1-0 {x}", "exit", "")
        == []
    )
    assert Conversation().ask("ping 7", "ping 8") == ["pong 7", "pong 8"]


def test_limits_are_remembered() -> None:
    side = Conversation("selective").side
    for lines, turn, limit, times in (
        (["level 40 1:30 0.5"], 0, (None, None), ((90.0, 0.5), (90.0, 0.5), 40)),
        (["level 0 5 3", "time 1000", "otim 2000"], 1, (None, None), ((20.0, 3.0), (10.0, 3.0), 0)),
        (["st 2.5"], 0, (None, 2.5), None),
        (["level 0 1 0", "sd 4"], 0, (4, None), None),
        (["new", "time 100"], 0, (None, None), ((1.0, 0.0), (60.0, 0.0), 0)),
        (["time -50"], 0, (None, None), ((0.01, 0.0), (60.0, 0.0), 0)),
    ):
        for line in lines:
            side.execute(line)
        request = side._request(turn)
        assert (request.limit.depth, request.limit.seconds) == limit and request.times == times, lines
    side.execute("level 4 1 0")
    side.place = ("", ["e2e4", "e7e5"] * 5)
    times = side._request(0).times
    assert times is not None and times[2] == 3  # five moves are made: three more of the second four


def test_thinking_is_posted_in_hundredths_and_mates_in_moves() -> None:
    conversation = Conversation("alphabeta:depth=3,eval=material")
    output = conversation.ask("new", "post", "usermove e2e4")
    depth, value, _, nodes, *pv = output[-2].split()
    assert (depth, value) == ("3", "0") and int(nodes) > 100 and output[-1] == f"move {pv[0]}"
    output = conversation.ask("new", "force", *MATED, "go")
    assert " 100001 " in output[0] and output[0].endswith(" d8h4")
    assert [
        format_points(value, 100)
        for value in (35, -35, scale.WIN - 1, scale.WIN - 5, 2 - scale.WIN, scale.TB_WIN)
    ] == [*(35, -35, 100_001, 100_003, -100_001, 20_000)]
    assert format_points(0.25, 1) == 25 and format_points(-scale.TB_WIN, 1) == -20_000


def test_an_analysis_lasts_until_another_line_comes() -> None:
    conversation = Conversation("selective")
    side = conversation.side
    side.execute("post")
    side.queued = ["exit"]
    assert side.execute("analyze") and conversation.messages == []  # a line waits: nothing is searched
    side.queued = []
    for line in (".", "ping 4", "usermove e2e4"):
        side.inbox.put(line)
    side.analysing = True
    side._search_until_input()
    assert (
        any(line.startswith("stat01: ") for line in conversation.messages)
        and "pong 4" in conversation.messages
    )
    assert side.queued == ["usermove e2e4"]
    assert any(line.split()[0].isdecimal() for line in conversation.messages)
    side.queued = []
    side.inbox.put("exit")
    side.execute("usermove e2e4")  # a move to analyse, not to answer
    assert side.place == ("", ["e2e4"]) and side.analysing
    assert conversation.ask(side.inbox.get() or "") == [] and not side.analysing


def test_a_search_ends_by_a_command_that_makes_its_move_unwanted() -> None:
    conversation = Conversation("selective")
    side = conversation.side
    side.execute("st 1000")
    for line in ("force", "new", "result 1-0 {time}", "quit"):
        side.inbox.put(line)
        conversation.messages.clear()
        side.execute("go")
        assert conversation.messages == [] and side.queued == [line]
        side.queued = []
        side.place = ("", [])
    side.inbox.put("?")
    side.execute("go")
    assert conversation.messages[-1].startswith("move ") and side.queued == []


def test_xboard_server_ponders() -> None:
    conversation = Conversation("selective:nodes=3000")
    side = conversation.side
    side.execute("hard")
    side.execute("post")
    side.inbox.put("a line that waits: nothing is pondered")
    side.execute("usermove e2e4")
    assert conversation.messages[-1].startswith("move ")
    while not side.inbox.empty():  # a long search has read the line already
        side.inbox.get()
    side.queued = []
    side.inbox.put("ping 2")
    side.inbox.put("usermove d2d4")
    conversation.messages.clear()
    assert side.report is not None
    side._search_until_input(side.report.pv[1:2])
    assert conversation.messages == ["pong 2"] and side.queued == ["usermove d2d4"]
    assert conversation.ask("hint")[0].startswith("Hint: ")


def test_draws_are_accepted_and_claimed_unless_ahead() -> None:
    conversation = Conversation()
    side = conversation.side
    side.points = [0] * 7
    assert conversation.ask("draw") == []
    side.points = [0] * 7 + [20]
    assert conversation.ask("draw") == ["offer draw"]
    side.points = [0] * 7 + [21]
    assert conversation.ask("draw") == []
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    output = conversation.ask("new", "force", *shuffle, "go")
    assert output[0].startswith("1/2-1/2 {") and "threefold repetition" in output[0]
    up = "setboard 4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"
    again = ["a1a2", "e8e7", "a2a1", "e7e8"] * 2
    assert conversation.ask("new", "force", up, *again, "go")[0].startswith("move ")


def test_chess960_castles_by_its_own_word() -> None:
    conversation = Conversation()
    start = "setboard r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert conversation.ask("new", "variant fischerandom", "force", start, "O-O", "O-O-O") == []
    assert conversation.side.place is not None
    position = conversation.side.host.match(*conversation.side.place).position
    assert position.text().startswith("2kr3r/8/8/8/8/8/8/R4RK1")
    assert conversation.ask("new", "force", start, "e1g1", "e8c8") == []


# -- real clients -------------------------------------------------------------------------------


def test_python_chess_plays_and_analyses_with_it() -> None:
    engine = chess.engine.SimpleEngine.popen_xboard([*XBOARD, "--engine", "selective"], timeout=60)
    try:
        assert engine.id["name"].startswith("gameplay ") and "null" in engine.options
        engine.configure({"memory": 1, "null": True})
        board = chess.Board()
        for limit in (chess.engine.Limit(depth=2), chess.engine.Limit(time=0.05)):
            result = engine.play(board, limit, info=chess.engine.INFO_ALL)
            assert result.move in board.legal_moves and result.info["pv"][0] == result.move
            board.push(result.move)
        board = chess.Board("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
        assert engine.play(board, chess.engine.Limit(depth=3)).move == chess.Move.from_uci("h5f7")
        with engine.analysis(board) as analysis:
            assert next(info["score"] for info in analysis if "score" in info).white() == chess.engine.Mate(1)
        board = chess.Board.from_chess960_pos(356)
        for _ in range(4):
            move = engine.play(board, chess.engine.Limit(depth=1)).move
            assert move in board.legal_moves
            board.push(move)
        engine.ping()
    finally:
        engine.quit()


def test_our_client_finds_the_moves_and_values_of_uci() -> None:
    results = []
    for player in (f"xboard:{' '.join(XBOARD)}", own_spec("").rstrip(",")):
        match = play_match(GAME, f"{player},depth=3,alphabeta:depth=1,eval=material", 10)
        results.append([(turn.word, turn.report.value if turn.report else None) for turn in match.turns])
    assert results[0] == results[1] and len(results[0]) == 10
    assert any(value for _, value in results[0])
