"""Our side of UGI: conversations line by line, and whole games of our engines over a pipe."""

import gc
import os
import queue
import shlex
import subprocess
import sys
from tempfile import TemporaryFile
from typing import Any

import pytest

from gameplay import registry
from gameplay.cli import router, run
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.hosted import Hosted
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.process import ProcessPlayer
from gameplay.protocols import side as side_module
from gameplay.protocols.side import GoRequest
from gameplay.protocols.ugi import UgiSide
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report
from gameplay.search.table import spares
from gameplay.value import is_win
from tests.support.conversations import Talk
from tests.support.paths import TESTS

GAMES = TESTS / "examples" / "games"
UGI = [sys.executable, "-m", "gameplay", "ugi"]

pytestmark = [pytest.mark.once, pytest.mark.skipif(os.name != "posix", reason="outside engines need POSIX")]


def best(*lines: str, game: str, engine: str = "") -> list[str]:
    """The answer to those lines, in one conversation."""
    talk = Talk(*UGI, game, *(["--engine", engine] if engine else []))
    output = talk.ask(*lines, until="bestmove")
    talk.close("quit")
    return output


def test_the_example_of_the_protocol() -> None:
    talk = Talk(*UGI, "tictactoe", "--engine", "iterative")
    hello = talk.ask("ugi", until="ugiok")
    assert hello[0].startswith("id name gameplay") and hello[1].startswith("id author")
    assert "option name pvs type check default true" in hello
    assert any(line.startswith("option name table type string default") for line in hello)
    assert talk.ask("isready", until="readyok") == ["readyok"]
    talk.send(
        "setoption name table value 1MB", "setoption name pvs value false", "uginewgame", "position startpos"
    )
    assert talk.ask("query p1turn", until="response") == ["response true"]
    output = talk.ask("go depth 4", until="bestmove")
    assert output[-2].startswith("info depth 4 ") and " score cp " in output[-2] and " pv " in output[-2]
    word = output[-1].split()[1]
    assert output[-2].split(" pv ")[1].split()[0] == word
    talk.send(f"position startpos moves {word}")
    assert talk.ask("query p1turn", until="response") == ["response false"]
    assert talk.ask("query result", until="response") == ["response none"]
    assert talk.ask("query gameover", until="response") == ["response false"]
    talk.close("quit")


@pytest.mark.parametrize(
    ("position", "answers"),
    [
        ("startpos moves a1 a2 b1 b2 c1", ["true", "false", "p1win"]),
        ("fen xx./oo./x.. moves c2", ["true", "true", "p2win"]),
        ("startpos moves a1 b1 c1 b2 a2 c2 b3 a3 c3", ["true", "false", "draw"]),
        ("fen x.o/.../... moves c3", ["false", "false", "none"]),
    ],
)
def test_query_answers_of_a_position(position: str, answers: list[str]) -> None:
    talk = Talk(*UGI, "tictactoe")
    talk.send(f"position {position}")
    for question, answer in zip(("gameover", "p1turn", "result"), answers, strict=True):
        assert talk.ask(f"query {question}", until="response") == [f"response {answer}"]
    output = talk.ask("go depth 2", until="bestmove")
    assert (output[-1] == "bestmove (none)") == (answers[0] == "true")
    talk.close("quit")


def test_wins_are_reported_as_mates() -> None:
    lines = best("position startpos moves a1 a2 b1 b2", "go depth 9", game="tictactoe")
    assert " score mate 1 " in lines[-2] and lines[-1] == "bestmove c1"
    lines = best("position startpos moves a1 b2 c3 b1 a2", "go depth 9", game="tictactoe")
    assert lines[-1] == "bestmove b3"


def test_garbage_is_answered_and_survived() -> None:
    talk = Talk(*UGI, "tictactoe")
    talk.send(
        b"\xff\x00\xfe garbage", "", "   ", "x" * 100_000, "position", "position fen", "position fen nonsense"
    )
    talk.send(
        "position startpos moves a1 a1", "setoption", "setoption name Hash value 3", "query", "query love"
    )
    talk.send("setoption name pvs value perhaps", "stop")
    output = talk.ask("isready", until="readyok")
    complaints = [line for line in output if line.startswith("info string")]
    assert [line for line in output if line not in complaints] == [
        "response none",
        "response none",
        "readyok",
    ]
    assert len(complaints) == 9
    assert any("move 2:" in line and "'a1'" in line for line in complaints)
    assert any("pvs must be on or off, not 'perhaps'" in line for line in complaints)
    refused = [
        "info string go is refused: the last position was invalid. Try: send another",
        "bestmove (none)",
    ]
    assert talk.ask("go depth 2", until="bestmove") == refused
    talk.send("position startpos")
    for wrong in ("go depth", "go depth x", "go fast", "go depth 0", "go nodes -4", "go movetime -5"):
        complaint, answer = talk.ask(wrong, until="bestmove")
        assert complaint.startswith("info string ") and answer == "bestmove (none)"
    assert talk.ask("go depth 3", until="bestmove")[-1] != "bestmove (none)"
    talk.close("quit")


@pytest.mark.parametrize("go", ["go infinite", "go movetime 999999999", "go nodes 999999999999"])
def test_stop_ends_a_search_at_once(go: str) -> None:
    talk = Talk(*UGI, "connect4")
    talk.send(go)
    talk.until("info")
    assert talk.ask("isready", until="readyok")[-1] == "readyok"
    assert talk.ask("stop", until="bestmove")[-1] != "bestmove (none)"
    assert talk.ask("position startpos moves 4", "go depth 2", until="bestmove")
    talk.close("quit")


def test_go_infinite_sends_no_move_before_stop() -> None:
    talk = Talk(*UGI, "tictactoe")
    lines = talk.ask("position startpos moves a1 a2 b1 b2", "go infinite", "isready", until="readyok")
    assert not [line for line in lines if line.startswith("bestmove")]
    talk.send("isready")
    lines = talk.until("readyok")
    assert not [line for line in lines if line.startswith("bestmove")]
    assert talk.ask("stop", until="bestmove")[-1] == "bestmove c1"
    talk.close("quit")


def test_a_stop_is_for_the_search_before_it() -> None:
    talk = Talk(*UGI, "connect4")
    talk.send("go infinite", "stop", "isready", "position startpos moves 4", "go infinite", "stop", "isready")
    lines = talk.until("bestmove") + talk.until("bestmove") + talk.ask("query p1turn", until="response")
    words = [line.split()[0] for line in lines if not line.startswith("info")]
    assert sorted(words) == ["bestmove", "bestmove", "readyok", "readyok", "response"]
    assert lines[-1] == "response false"
    talk.close("quit")


@pytest.mark.parametrize("game", ["kuhn.py", "pig.py"])
def test_chance_moves_are_sent_by_the_controller(game: str) -> None:
    talk = Talk(*UGI, str(GAMES / game))
    output = talk.ask("position startpos", "go", until="bestmove")
    if game == "kuhn.py":
        assert output == [
            "info string it is chance's turn: send the dice or cards first, as a move",
            "bestmove (none)",
        ]
        output = talk.ask("position startpos moves JQ", "go", until="bestmove")
    assert output[-1] not in ("bestmove (none)", "bestmove")
    talk.close("quit")


def test_a_level_stays_a_level() -> None:
    fast = best("position startpos", "go depth 30", "isready", game="connect4", engine="level:2")
    assert not [line for line in fast if line.startswith("info depth") and int(line.split()[2]) > 2]


@pytest.mark.parametrize("ending", [["quit"], []])
def test_the_end_of_the_input_ends_a_search(ending: list[str]) -> None:
    talk = Talk(*UGI, "connect4")
    talk.send("go infinite")
    talk.until("info")
    talk.close(*ending)


@pytest.mark.parametrize(
    ("arguments", "status", "complaint"),
    [
        (["halma"], 2, "unknown game 'halma'"),
        (["connect4", "--engine", "deepblue"], 2, "unknown player 'deepblue'"),
        (
            ["connect4", "--engine", "ugi:sh"],
            2,
            "another program; expected an engine. Try: gameplay engines",
        ),
        ([str(GAMES / "thrice.py")], 2, "UGI is for two players, and thrice has 3"),
    ],
)
def test_refusals(arguments: list[str], status: int, complaint: str) -> None:
    ran = subprocess.run([*UGI, *arguments], input="", capture_output=True, text=True)
    assert ran.returncode == status and complaint in ran.stderr and ran.stderr.count("\n") == 1


@pytest.mark.parametrize("server", ["uci", "hub", "nboard"])
@pytest.mark.parametrize("engine", ["ugi:sh", "level:3", "script:e4"])
def test_other_servers_require_an_engine(server: str, engine: str, capsys: Any) -> None:
    assert run(router, "gameplay", [server, "--engine", engine]) == 2
    assert (
        capsys.readouterr().err
        == f"gameplay: --engine is '{engine}'; expected an engine. Try: gameplay engines\n"
    )


# -- our side without a process ---------------------------------------------------------------


def make_side(game: str = "tictactoe") -> tuple[UgiSide, list[str]]:
    """Our side, and its output."""
    game_class, lines = registry.game(game), list[str]()
    player = seats.player("alphabeta:depth=2", game_class)
    return UgiSide("gameplay", player, Hosted(game_class, player), lines.append), lines


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ("", GoRequest()),
        (
            "p1time 1000 p2time 2000 p1inc 10 movestogo 5",
            GoRequest(Limit(), ((1.0, 0.01), (2.0, 0.0), 5)),
        ),
        ("p2time -9 p2inc 30 movestogo -1", GoRequest(Limit(), ((0.0, 0.0), (0.0, 0.03), 0))),
        ("p1time 0 p1inc -1", GoRequest(Limit(), ((0.0, 0.0), (0.0, 0.0), 0))),
        ("p1inc 9 p2inc 9 movestogo 3", GoRequest()),
        ("movetime 0", GoRequest(Limit(seconds=0.001))),
        ("movetime 1500 depth 300 nodes 7", GoRequest(Limit(255, 7, 1.5))),
        ("depth 255 infinite", GoRequest(Limit(depth=255), None, True)),
    ],
)
def test_limits_of_go(words: str, limits: GoRequest) -> None:
    assert make_side()[0]._parse_go(words.split()) == limits
    assert GoRequest() == GoRequest(Limit(), None, False)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("depth", "depth must be a whole number, not ''"),
        ("nodes --3", "nodes must be a whole number, not '--3'"),
        ("p1time 1.5", "p1time must be a whole number, not '1.5'"),
        ("movetime -1", "movetime must be a number from 0 up, not -1"),
        ("depht 3", "unknown limit 'depht'; did you mean 'depth'?"),
    ],
)
def test_unsupported_limits_of_go(words: str, why: str) -> None:
    side, output = make_side()
    assert side.execute(f"go {words}")
    assert output[0].startswith(f"info string {why}") and output[1:] == ["bestmove (none)"]


def test_questions_on_a_position() -> None:
    side, output = make_side()
    for position, answers in (
        ("startpos", "false true none"),
        ("startpos moves a1", "false false none"),
        ("startpos moves a1 a2 b1 b2 c1", "true false p1win"),
        ("fen xx./oo./x.. moves c2", "true true p2win"),
        ("fen rubbish", "none none none"),
        ("startpos moves a1 b1 c1 b2 a2 c2 b3 a3 c3", "true false draw"),
    ):
        assert side.execute(f"position {position}")
        output.clear()
        for question in ("gameover", "p1turn", "result"):
            side.execute(f"query {question}")
        assert output == [f"response {word}" for word in answers.split()]
    side.execute("query love of")
    assert output[3:] == [
        "response none",
        "info string unknown question 'love of' (choose from: gameover, p1turn, result)",
    ]
    assert side.execute("uginewgame") and side.place == ("", []) and not side.execute("quit")


def test_offered_options_and_their_values() -> None:
    side, output = make_side()
    assert side.execute("ugi") and side.execute("isready")
    assert output == [
        "id name gameplay",
        "id author the gameplay developers",
        "option name order type string default generated",
        "option name table type string default off",
        "option name fail type string default soft",
        "option name max_threshold type string default off",
        "option name min_threshold type string default off",
        "option name standout type string default off",
        f"option name seed type spin default 0 min 0 max {2**63 - 1}",
        "option name eval type string default <empty>",
        "ugiok",
        "readyok",
    ]
    output.clear()
    session = side.player.session
    for words in (
        "name ORDER value random",
        "name seed value 7",
        "name table value 1MB",
        "name eval value <empty>",
    ):
        assert side.execute(f"setoption {words}")
    assert output == [] and side.player.session is not session
    assert (side.player.engine.seed, side.player.engine.table, side.player.engine.eval) == (7, "1MB", "")
    session = side.player.session
    assert side.execute("uginewgame") and side.player.session is not session, "it has forgotten all"
    for words, why in (
        ("value 7", "setoption has no name; expected setoption name NAME value VALUE"),
        ("name sead value 7", "unknown option 'sead'; did you mean 'seed'?"),
        ("name seed value --7", "seed must be a whole number from 0 to 9,223,372,036,854,775,807, not '--7'"),
    ):
        output.clear()
        assert side.execute(f"setoption {words}")
        assert len(output) == 1 and output[0].startswith("info string ") and why in output[0]
    output.clear()
    assert side.execute("x" * 100) and side.execute("") and side.execute("stop")
    quoted = f"{'x' * 60}... (100 characters)"
    assert len(output) == 1 and output[0].startswith(f"info string unknown command '{quoted}' (choose from: ")


def answer_input(data: bytes) -> list[str]:
    """Our answer to these bytes, followed by the end of input."""
    side, output = make_side()
    with TemporaryFile() as source:
        source.write(data)
        source.seek(0)
        side.listen(source.fileno())
        while not side.inbox.empty():
            side.inbox.get()
    return output


def test_lines_are_answered_until_end_of_input_or_quit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer_input(b"isready\nisready\r\n\n  \nisready") == ["readyok"] * 3
    assert answer_input(b"isready\nquit now\nisready\n") == ["readyok"]
    assert answer_input(b"") == []
    (line,) = answer_input(b"\xff\xfe\n")
    assert line.startswith("info string unknown command '\ufffd\ufffd'")
    assert (side_module.MAX_LINE, side_module.CHUNK) == (4 << 20, 64 << 10)
    for longest, word in ((128 << 10, "xxxxxxx"), ((128 << 10) - 1, "linexxx")):
        monkeypatch.setattr(side_module, "MAX_LINE", longest)
        long, *rest = answer_input(b"x" * ((128 << 10) + 99) + b"\nisready\n")
        assert rest == ["readyok"] and long.startswith(f"info string unknown command '{word}")


def test_input_during_a_search_waits_or_stops_it() -> None:
    for lines, answers, stopping, input_ended, later in (
        (["isready"], ["readyok"], False, False, []),
        (["stop"], [], True, False, []),
        (["quit"], [], True, False, ["quit"]),
        ([None], [], False, True, [None]),
        (["position startpos", "isready"], ["readyok"], False, False, ["position startpos"]),
        (["go depth 1", "stop", "isready"], [], False, False, ["go depth 1", "stop", "isready"]),
        (["go", "quit"], [], True, False, ["go", "quit"]),
        ([" stop  now ", ""], [], True, False, [""]),
    ):
        side, output = make_side()
        for line in lines[1:]:
            side.inbox.put(line)
        side.queued = [lines[0]]
        side._poll_input(0)
        assert (output, side.stopping, side.input_ended, side.queued) == (
            answers,
            stopping,
            input_ended,
            later,
        ), lines
        assert side._watch(side._match(), None) is (stopping or input_ended)
    side, output = make_side()
    waited: list[float] = []

    class Inbox:
        def get(self, timeout: float) -> str:
            waited.append(timeout)
            return "isready"

        def get_nowait(self) -> str:
            raise queue.Empty

    side.inbox = Inbox()
    side._poll_input(0.5)
    assert waited == [0.5] and output == ["readyok"], "for the first line alone"


def test_search_is_reported_as_it_deepens() -> None:
    side, output = make_side()
    match = side._match()
    side.inbox.put("isready")
    for depth in (1, 1, 3, 2):
        assert side._watch(match, Report(depth=depth, bound="unknown")) is False
    depths = [line.split()[2] for line in output if line.startswith("info depth")]
    assert depths == ["1", "3"] and "readyok" in output
    output.clear()
    report = Report(
        value=5, depth=4, seldepth=7, nodes=900, seconds=0.25, fill=0.5, pv=(0, 4), bound="lower",
        candidates=(Candidate(0, 5, "lower", pv=(0, 4)), Candidate(1, -3, "exact", pv=())),
    )  # fmt: skip
    side._send_info(match, report)
    figures = "time 250 nodes 900 nps 3600 hashfull 500"
    assert output == [
        f"info depth 4 seldepth 7 multipv 1 score cp 5 lowerbound {figures} pv a1 b2",
        f"info depth 4 seldepth 7 multipv 2 score cp -3 {figures}",
    ]
    output.clear()
    side._send_info(
        match, Report(value=5, depth=4, seldepth=7, bound="unknown", candidates=report.candidates[:1])
    )
    assert output == ["info depth 4 seldepth 7 time 0 nodes 0 nps 0 hashfull 0"]


def test_search_restores_the_match_and_the_player() -> None:
    side, output = make_side()
    seen: list[Any] = []
    choose = side.player.choose
    own = side.player.limit

    def choose_and_record(view: Any) -> Any:
        match = side._match()
        seen.append((match.clock is not None, len(match.listeners), side.player.limit, side.depth))
        return choose(view)

    side.player.choose = choose_and_record
    side.depth, side.stopping = 9, True
    side.execute("go p1time 60000 p2time 60000 depth 1")
    assert seen == [(True, 1, Limit(depth=1), 0)] and output[-1].startswith("bestmove ")
    match = side._match()
    assert match.clock is None and match.listeners == [] and side.player.limit == own
    side.queued = ["stop"]
    side.execute("go infinite p1time 60000")
    assert seen[1][0] is False, "no clock runs"
    for line in ("go", "go p1time 9 movetime 5"):
        side.execute(line)
    assert [limit for _, _, limit, _ in seen[2:]] == [own, own.within(Limit(seconds=0.005))]
    side.fixed = True
    side.execute("go movetime 5 depth 9")
    assert seen[-1][2] == own.with_(seconds=0.005)
    side.execute("go depth 9")
    assert seen[-1][2] == own
    count = len(seen)
    output.clear()
    side.queued = ["stop"]
    side.execute("position startpos moves a1 a2 b1 b2 c1")
    side.execute("go infinite")
    assert output == ["info string the game is over", "bestmove (none)"] and len(seen) == count
    assert side.queued == [], "an endless search that cannot begin waits for its stop"


# -- whole games --------------------------------------------------------------------------------


def our_player(game: str, engine: str, *more: str) -> ProcessPlayer:
    command = f"{shlex.join(UGI)} '{game}' --engine '{engine}' --seed 5"
    game_class = registry.game(game)
    player = seats.player(",".join([f"ugi:{command}", *more]), game_class)
    assert isinstance(player, ProcessPlayer)
    return player


@pytest.mark.parametrize(
    ("game", "engine", "limit"),
    [
        ("tictactoe", "alphabeta", "depth=9"),
        ("tictactoe:width=4,height=4", "iterative", "depth=3"),
        ("connect4", "iterative", "depth=4"),
        (str(GAMES / "sticks.py") + ":sticks=9", "minimax", "depth=4"),
        (str(GAMES / "pig.py"), "random", ""),
    ],
)
def test_games_over_a_pipe_are_the_games_at_home(game: str, engine: str, limit: str) -> None:
    game_class = registry.game(game)
    outside = our_player(game, engine, *([limit] if limit else []))
    if engine == "random":
        Match(game_class, [outside, outside], seed=3).play()  # dice: chance moves are sent, too
        outside.close()
        return
    inside = seats.player(f"{engine}:{limit}", game_class)
    away = Match(game_class, [outside, inside])
    away.play()
    home = Match(game_class, [inside, inside])
    home.play()
    assert away.words() == home.words() and away.payoffs == home.payoffs
    for there, here in zip(away.turns, home.turns, strict=True):
        if there.player == 0 and here.report is not None and here.report.stopped != "only move":
            assert there.report is not None
            assert (there.report.nodes, there.report.depth) == (here.report.nodes, here.report.depth)
            if not is_win(here.report.value):
                assert there.report.value == here.report.value
    assert outside.contradiction(away) == ""
    outside.close()


def test_a_game_by_the_clock() -> None:
    outside = our_player("connect4", "iterative")
    inside = seats.player("random", registry.game("connect4"), 1)
    clock = Clock([parse_time_control("1.2+0.02"), None], margin=5.0)
    match = Match(registry.game("connect4"), [outside, inside], clock=clock)
    match.play()
    assert match.reason == "rules" and clock.remaining(0) < 1.2
    assert all(turn.seconds and turn.report for turn in match.turns if turn.player == 0)
    outside.close()


def test_play_against_a_program() -> None:
    spec = f"ugi:{shlex.join(UGI)} tictactoe,depth=9"
    ran = subprocess.run(
        [sys.executable, "-m", "gameplay", "play", "tictactoe", "--players", f"human,{spec}", "--plain"],
        input="a1\nb1\nresign\n",
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert "o wins; x resigned" in ran.stdout


def test_an_engine_that_is_ready_has_its_table() -> None:
    """The time limit of `go` does not include the allocation."""
    game = registry.game("connect4")
    player = seats.player("iterative:table=1MB", game)
    UgiSide("gameplay", player, Hosted(game, player), [].append).execute("isready")
    gc.collect()
    spares.clear()
    player.close()
    assert spares
