"""DXP, both sides: messages, games over loopback, and programs that break the protocol."""

import io
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import BadInput, Fault, Usage
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.hosted import Hosted
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.remote import dxp as remote
from gameplay.protocols import dxp, dxp_side
from gameplay.protocols.channel import Broken
from gameplay.protocols.dxp import (
    Acceptance,
    BackAnswer,
    BackRequest,
    Chat,
    DxpLink,
    End,
    GameRequest,
    Message,
    MoveMessage,
    decode,
)
from gameplay.protocols.dxp_side import DxpSide, open_listener
from gameplay.protocols.hub import format_position, parse_move
from gameplay.specs import ProgramSpec, parse, parse_list
from tests.support.commands import run_printed
from tests.support.hosted import play_match
from tests.support.walks import random_walk

pytestmark = pytest.mark.once

GAME = registry.game("checkers")
DRAUGHTS = registry.game("draughts")
START = "b" * 12 + "e" * 8 + "w" * 12
BEYOND = "e" * 18  # the squares that a board of 32 does not have
YES = Acceptance("them", 0)


def deadline() -> float:
    return time.monotonic() + 5


# -- messages -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"R01{'Tornado voor Windows 4.0':32}W060065A", GameRequest("Tornado voor Windows 4.0", "W", 60, 65)),
        (f"A{'Dragon':32}0", Acceptance("Dragon", 0)),
        ("M001205250422122320", MoveMessage(12, 5, 25, (22, 12, 23, 20))),
        ("M000031270000"[:11], MoveMessage(0, 31, 27)),
        ("E00", End(0)),
        ("E31", End(3, stop=True)),
        ("CWhat do you think about move 35?", Chat("What do you think about move 35?")),
        ("B005Z", BackRequest(5, "B")),
        ("K1", BackAnswer(1)),
        (
            f"R01{'x':32}Z005000BW{'z' * 12}{'e' * 8}{'w' * 11}W{'e' * 18}",
            GameRequest("x", "B", 5, 0, "W" + "b" * 12 + "e" * 8 + "w" * 11 + "W" + BEYOND),
        ),
    ],
)
def test_messages_have_fields_of_fixed_width(text: str, message: Message) -> None:
    """The examples are those of the protocol's specification, where it has one."""
    assert decode(text) == message and str(message) == text
    assert decode(text + " ") == message or isinstance(message, Chat)


@pytest.mark.parametrize(
    "text",
    [
        *("", "X", "R01", "E", "E4", "E0x", "E000", "K3", "B5Z", "B000W", "B005X", "A0"),
        *("M0012", "M00120525", "M0012052502", "M001205250122 1", "M0012052501221", "M001205250222"),
        f"R01{'x':32}X060065A",
        f"R01{'x':32}W060065C",
        f"R01{'x':32}W060065BW{'e' * 31}",
        f"R01{'x':32}W060065BW{'e' * 51}",
        f"R01{'x':32}W06006\u0665A",
    ],
)
def test_malformed_messages_are_a_protocol_error(text: str) -> None:
    with pytest.raises(Broken, match=r"^sent an invalid DXP message: ") as broken:
        decode(text)
    assert broken.value.kind == "protocol_error"


def test_positions_of_32_squares_are_read_without_the_others() -> None:
    """The form that pydraughts sends."""
    message = decode(f"R01{'x':32}Z005000BZ{'z' * 12}{'e' * 8}{'w' * 12}")
    assert isinstance(message, GameRequest) and message.start == f"B{START}"
    for start in (message.start, message.start + BEYOND):
        assert GAME.new(dxp.to_fen(start, 32)).fen() == GAME.new().fen()
    with pytest.raises(BadInput, match="pieces beyond square 32"):
        dxp.to_fen(message.start + "e" * 17 + "w", 32)


@pytest.mark.parametrize(("game", "games"), [(GAME, 5), (DRAUGHTS, 1)])
def test_moves_are_found_by_their_captured_squares(game: Any, games: int) -> None:
    for position in random_walk(game, games, seed=2):
        for move in position.moves():
            message = dxp.move_message(position, move, 7.9)
            assert decode(str(message)) == message and message.seconds == 7
            twin = parse_move(position, message.word)
            after = []
            for chosen in (move, twin):
                position.make(chosen)
                after.append(position.fen())
                position.unmake()
            assert after[0] == after[1], "paths over the same squares are one move"


def test_moves_are_numbered_by_pairs() -> None:
    for first, second in ("WB", "BW"):
        for ply in range(9):
            request = BackRequest.at(ply, first)
            assert request.ply(first) == ply and request.colour == (first, second)[ply % 2]
    assert BackRequest.at(4, "W") == BackRequest(3, "W")


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:27531", ("127.0.0.1", 27531)),
        (":99", ("127.0.0.1", 99)),
        ("host", ("host", 27531)),
        ("[::1]:5", ("::1", 5)),
    ],
)
def test_addresses(text: str, address: tuple[str, int]) -> None:
    assert dxp.parse_address(text, "it") == address


@pytest.mark.parametrize("text", ["", "a:b", "a:0", "a:65536", "a:1:2", "a b:1", "::1", "a:٣"])
def test_wrong_address_is_named(text: str) -> None:
    with pytest.raises(
        Usage, match=r"^it: .* is not an address; expected HOST:PORT. Try: 127\.0\.0\.1:27531$"
    ):
        dxp.parse_address(text, "it")


def test_specs_name_an_address() -> None:
    spec = parse("dxp:127.0.0.1:27531,minutes=3,name=it,timeout=5")
    assert spec == ProgramSpec("dxp", ("127.0.0.1:27531",), options={"minutes": "3"}, timeout=5, name="it")
    assert str(spec) == "dxp:127.0.0.1:27531,timeout=5,name=it,minutes=3"
    assert parse_list("human,dxp:host:1,minutes=3") == ["human", "dxp:host:1,minutes=3"]
    for text, game, why in (
        ("dxp:host:1,depth=3", "checkers", "cannot limit depth, nodes or time a move. Try: minutes=N"),
        ("dxp:host:1,foo=3", "checkers", r"no option 'foo' \(choose from: minutes, name, timeout\)"),
        ("dxp:host:1,minutes=0", "checkers", "minutes"),
        ("dxp:host 1", "checkers", "is not an address"),
        ("dxp:host:1", "chess", "DXP is for international draughts and checkers, not for chess"),
        ("dxp:host:1", "draughts:variant=russian", "not for draughts of GameType 25,W,8,8,A0,0"),
    ):
        with pytest.raises(Usage, match=why):
            seats.player(text, registry.game(game))


# -- a counterpart by script -----------------------------------------------------------------------

Script = Callable[[DxpLink], None]


class Counterpart:
    """A program that listens and runs a script, on a thread."""

    def __init__(self, script: Script) -> None:
        self.listener = open_listener("127.0.0.1", 0)
        self.spec = f"dxp:127.0.0.1:{self.listener.getsockname()[1]}"
        self.received: list[Message] = []
        self.trouble: list[BaseException] = []
        self.thread = threading.Thread(target=self._run, args=(script,), daemon=True)
        self.thread.start()

    def _run(self, script: Script) -> None:
        connected, _ = self.listener.accept()
        link = DxpLink(connected)
        receive = link.receive

        def hearing(deadline: float) -> Message | None:
            message = receive(deadline)
            self.received += [message] if message is not None else []
            return message

        link.receive = hearing
        try:
            script(link)
        except BaseException as error:
            self.trouble.append(error)
        finally:
            link.close()

    def close(self) -> None:
        self.thread.join(5)
        self.listener.close()


@pytest.fixture(autouse=True)
def short_timeouts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Timeouts that a test can afford."""
    monkeypatch.setattr(remote, "ANSWER", 1.0)
    monkeypatch.setattr(remote, "FAREWELL", 0.5)
    monkeypatch.setattr(dxp_side, "END_TIMEOUT", 0.5)
    yield


def send_messages(*messages: Message | str) -> Script:
    """Send these messages, each after a received one, text unchanged. Then close the connection."""

    def script(link: DxpLink) -> None:
        for message in messages:
            link.receive(deadline())
            if isinstance(message, str):
                link.socket.send(message.encode())
            else:
                link.send(message, deadline())
        link.receive(time.monotonic() + 0.05)

    return script


def accept_game(link: DxpLink) -> None:
    """Accept the game that is requested next."""
    assert isinstance(link.receive(deadline()), GameRequest)
    link.send(YES, deadline())


@contextmanager
def match_with(script: Script, other: str) -> Iterator[Match]:
    """A match of the script, which has Black, with a player here."""
    counterpart = Counterpart(script)
    match = Match(GAME, [seats.player(spec, GAME) for spec in (counterpart.spec, other)])
    yield match
    match.players[0].close()
    counterpart.close()
    assert not counterpart.trouble, counterpart.trouble


def first_moves(script: Script, options: str = "", clock: str | None = None, plies: int = 1) -> Counterpart:
    """Play a match with the counterpart as Black; the messages it received. Raises Fault."""
    counterpart = Counterpart(script)
    player = seats.player(counterpart.spec + options, GAME)
    match = Match(GAME, [player, seats.player("alphabeta:depth=1", GAME)])
    if clock is not None:
        match.clock = Clock([parse_time_control(clock)] * 2)
    try:
        for _ in range(plies):
            match.step()
        counterpart.match = match
    finally:
        player.close()
        counterpart.close()
    return counterpart


@pytest.mark.parametrize(
    ("script", "kind", "why"),
    [
        (send_messages(Acceptance("them", 1)), "start", "refuses the game, with code 1"),
        (
            send_messages("no such message\0"),
            "protocol_error",
            "sent an invalid DXP message: 'no such message'",
        ),
        (send_messages("M" * 200), "protocol_error", "sent a message of more than 128 bytes"),
        (send_messages("C\0" * 1002), "protocol_error", "sent more than 1000 messages at once"),
        (send_messages(MoveMessage(0, 9, 13)), "protocol_error", "out of turn"),
        (send_messages(YES), "crash", "closed the connection"),
    ],
)
def test_faults_of_a_dxp_counterpart_are_named(script: Script, kind: str, why: str) -> None:
    with pytest.raises(Fault, match=why) as fault:
        first_moves(script)
    assert fault.value.kind == kind and "\n" not in str(fault.value)


def test_faults_at_the_first_move_are_named() -> None:
    def answering(*then: Message) -> Script:
        def script(link: DxpLink) -> None:
            link.receive(deadline())
            for message in (YES, *then):
                link.send(message, deadline())
            link.receive(deadline())

        return script

    for then, kind, why in (
        ([MoveMessage(0, 9, 18)], "illegal_move", "answered '9-18', at the start"),
        ([MoveMessage(0, 9, 18, (14,))], "illegal_move", "answered '9x18x14'"),
        ([End(3)], "protocol_error", "ended the game with reason 3"),
        ([End(2)], "protocol_error", "as a draw, which is not agreed"),
        ([Acceptance("again", 0)], "protocol_error", "out of turn"),
        ([], "hang", "had not moved after 0.2 s"),
    ):
        with pytest.raises(Fault, match=why) as fault:
            first_moves(answering(*then), ",timeout=0.2" if kind == "hang" else "")
        assert fault.value.kind == kind, then
    counterpart = first_moves(answering(Chat("hi\x1b[31m"), BackRequest(1, "W"), MoveMessage(3, 9, 13)))
    assert counterpart.match.words() == ["9-13"] and counterpart.received[1] == BackAnswer(dxp.NEVER)
    counterpart = first_moves(answering(End(1)))
    assert counterpart.match.reason == "resigned" and counterpart.match.payoffs == (-1, 1)
    assert counterpart.received[1] == End(3)


def test_connection_that_is_refused_is_a_fault() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    match = Match(GAME, [seats.player(f"dxp:127.0.0.1:{port}", GAME), seats.player("random", GAME)])
    with pytest.raises(Fault, match=rf"^dxp: 127\.0\.0\.1:{port}: Connection refused$") as fault:
        match.play()
    assert fault.value.kind == "start"


def test_requests_have_the_time_and_the_position() -> None:
    script = send_messages(YES)
    for clock, options, minutes, moves in (
        (None, "", 5, 0),
        (None, ",minutes=12", 12, 0),
        ("90", "", 2, 0),
        ("40/600", "", 10, 40),
    ):
        counterpart = Counterpart(script)
        player = seats.player(counterpart.spec + options, GAME)
        match = Match(GAME, [seats.player("random", GAME, 1), player], moves=("9-13", "22-18"))
        match.clock = None if clock is None else Clock([parse_time_control(clock)] * 2)
        match.step()
        with pytest.raises(Fault, match="closed the connection"):
            match.step()
        counterpart.close()
        request = counterpart.received[0]
        start = format_position(match.position)
        assert request == GameRequest("gameplay", "W", minutes, moves, start + BEYOND), clock


@pytest.mark.parametrize("code", [dxp.YES, dxp.NEVER])
def test_undo_is_requested_from_the_other_program(code: int) -> None:
    def script(link: DxpLink) -> None:
        accept_game(link)
        link.send(MoveMessage(0, 9, 13), deadline())
        assert link.receive(deadline()) == MoveMessage(0, 22, 18)
        link.send(MoveMessage(0, 11, 15), deadline())
        assert link.receive(deadline()) == BackRequest(1, "B")
        link.send(BackAnswer(code), deadline())
        if code == dxp.NEVER:
            assert link.receive(deadline()) == End(0)
            link.send(End(0), deadline())
            accept_game(link)
        link.send(MoveMessage(0, 10, 14), deadline())
        link.receive(deadline())

    with match_with(script, "script:22-18 22-17") as match:
        for _ in range(3):
            match.step()
        match.rewind(3)
        match.step()
        assert match.words() == ["10-14"]


# -- our side -------------------------------------------------------------------------------------


class Host:
    """A host of our side, on a thread."""

    def __init__(self, engine: str, connections: int = 1, game: Any = GAME) -> None:
        self.messages: list[str] = []
        self.listener = open_listener("127.0.0.1", 0)
        self.port = self.listener.getsockname()[1]
        player = seats.player(engine, game)
        self.side = DxpSide("gameplay 1", player, Hosted(game, player, parse_move), self.messages.append)
        self.thread = threading.Thread(target=self.side.serve, args=(self.listener, connections), daemon=True)
        self.thread.start()

    def connect(self) -> DxpLink:
        return DxpLink.connect("127.0.0.1", self.port, 5)

    def close(self) -> None:
        self.thread.join(5)
        assert not self.thread.is_alive()
        self.listener.close()


@pytest.mark.parametrize("game", [GAME, DRAUGHTS], ids=["checkers", "draughts"])
def test_both_ends_play_the_games_of_one_engine(game: Any) -> None:
    """Wins, losses and captures of either colour, in one connection."""
    host = Host("alphabeta:depth=2", game=game)
    player = seats.player(f"dxp:127.0.0.1:{host.port}", game)
    for seat in (0, 1):
        seated: list[Any] = [seats.player("random", game, 3), seats.player("random", game, 3)]
        seated[seat] = player
        match = Match(game, seated)
        match.play()
        assert player.contradiction(match) == ""
        assert match.payoffs is not None and match.payoffs[seat] == 1, "it beats random moves"
        names = ["random", "random"]
        names[seat] = "alphabeta:depth=2"
        twin = Match(game, [seats.player(name, game, 3) for name in names])
        twin.play()
        assert match.words() == twin.words()
        side = game.new().sides[seat]
        assert host.messages[-2:] == [
            f"game {seat + 1}: alphabeta is {side}, against gameplay",
            f"game {seat + 1}: {side} wins, after {len(match.turns)} moves",
        ]
    assert player.name == "gameplay 1"
    player.close()
    host.close()


def test_games_are_requested_and_refused() -> None:
    host = Host("alphabeta:depth=1", 2)
    link = host.connect()
    for request, code in (
        (GameRequest("old", "B", version="02"), 1),
        (GameRequest("odd", "B", start="B" + "b" * 32), 2),
    ):
        link.send(request, deadline())
        assert link.receive(deadline()) == Acceptance("gameplay 1", code)
    link.send(GameRequest("them", "B", 5, 75), deadline())
    assert link.receive(deadline()) == Acceptance("gameplay 1", 0)
    move = link.receive(deadline())
    assert isinstance(move, MoveMessage) and GAME.new().parse(move.word) in GAME.new().moves()
    link.send(Chat("well\x1b[2J played"), deadline())
    link.send(BackRequest(1, "B"), deadline())
    assert link.receive(deadline()) == BackAnswer(0)
    assert link.receive(deadline()) == move, "it moves again"
    link.send(BackRequest(9, "W"), deadline())
    assert link.receive(deadline()) == BackAnswer(1)
    link.send(MoveMessage(0, 1, 2), deadline())
    assert link.receive(deadline()) == End(0)
    link.send(End(0), deadline())
    link.send(GameRequest("them", "W"), deadline())
    assert link.receive(deadline()) == Acceptance("gameplay 1", 0)
    link.send(End(1, stop=True), deadline())
    assert link.receive(deadline()) == End(3)
    other = host.connect()
    other.send(GameRequest("next", "W"), deadline())
    assert other.receive(deadline()) == Acceptance("gameplay 1", 0)
    other.socket.send(b"rubbish\0")
    with pytest.raises(Broken, match="closed"):
        other.receive(deadline())
    host.close()
    assert host.messages == [
        "a game against old is refused: wrong version",
        "a game against odd is refused: invalid position",
        "game 1: alphabeta is black, against them",
        "chat: well\x1b[2J played",
        "game 1: the other program made an illegal move, 1-2, after 1 move",
        "game 2: alphabeta is white, against them",
        "game 2: the other program resigned, after 0 moves",
        "game 3: alphabeta is white, against next",
        "game 3: next sent an invalid DXP message: 'rubbish'",
    ]


def test_search_is_stopped_by_a_message() -> None:
    host = Host("selective:time=60")
    link = host.connect()
    link.send(GameRequest("them", "B"), deadline())
    assert link.receive(deadline()) == Acceptance("gameplay 1", 0)
    link.send(End(0, stop=True), deadline())
    assert link.receive(deadline()) == End(0)
    host.close()
    assert host.messages[-1] == "game 1: the other program ended the game, after 0 moves"


def test_draw_is_confirmed_if_the_player_agrees() -> None:
    for agrees, code in ((True, dxp.DRAWN), (False, 0)):
        host = Host("alphabeta:depth=1", game=DRAUGHTS)
        host.side.player.accepts_draw = lambda match, agrees=agrees: agrees
        link = host.connect()
        link.send(GameRequest("them", "W"), deadline())
        assert link.receive(deadline()) == Acceptance("gameplay 1", 0)
        assert isinstance(link.receive(deadline()), MoveMessage)
        link.send(End(dxp.DRAWN, stop=True), deadline())
        assert link.receive(deadline()) == End(code)
        host.close()
        result = "a draw by agreement" if agrees else "the other program claims a draw"
        assert host.messages[-1] == f"game 1: {result}, after 1 move"


@pytest.mark.parametrize("code", [dxp.DRAWN, 0])
def test_draw_offered_here_ends_the_game_there(code: int) -> None:
    """The other program agrees, or a new game begins from the position."""

    def script(link: DxpLink) -> None:
        accept_game(link)
        link.send(MoveMessage(0, 9, 13), deadline())
        assert link.receive(deadline()) == End(dxp.DRAWN)
        link.send(End(code), deadline())
        if not code:
            accept_game(link)
            link.send(MoveMessage(0, 10, 14), deadline())
            link.receive(deadline())

    with match_with(script, "script:22-18") as match:
        match.step()
        assert match.players[0].accepts_draw(match.view(1)) == bool(code)
        if not code:
            match.step()
            match.step()
            assert match.words() == ["9-13", "22-18", "10-14"]


@pytest.mark.parametrize("typed", ["32-28\nquit\n", "32-28\n"])
def test_game_that_is_abandoned_ends_there_too(
    typed: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """The program leaves, at once or because its input ends: GAMEEND, then the connection is closed."""

    host = Host("random", game=DRAUGHTS)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    run_printed(capsys, "play", "draughts", "--players", f"human,dxp:127.0.0.1:{host.port}", "--plain")
    host.close()
    assert host.messages[-1].startswith("game 1: the other program ended the game, after ")


def test_set_up_positions_are_played_to_their_end() -> None:
    """Black captures White's last man and wins; both sides report it."""
    host = Host("alphabeta:depth=2")
    link = host.connect()
    link.send(GameRequest("them", "B", 1, 0, "B" + "e" * 13 + "B" + "e" * 3 + "w" + "e" * 14), deadline())
    assert link.receive(deadline()) == Acceptance("gameplay 1", 0)
    assert link.receive(deadline()) == MoveMessage(0, 14, 23, (18,))
    assert link.receive(deadline()) == End(dxp.WON)
    link.send(End(dxp.LOST, stop=True), deadline())
    host.close()
    assert host.messages[-1] == "game 1: black wins, after 1 move"


def test_address_in_use_is_one_line() -> None:
    with open_listener("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadInput, match=rf"^127\.0\.0\.1:{port}: Address already in use\. Try another: "):
            open_listener("127.0.0.1", port)


@pytest.mark.parametrize(("variant", "game"), [("english", GAME), ("standard", DRAUGHTS)])
def test_pydraughts_plays_against_the_dxp_server(variant: str, game: Any) -> None:
    draughts = pytest.importorskip("draughts")
    pytest.importorskip("draughts.engine")
    host = Host("alphabeta:depth=1", game=game)
    options = {"ip": "127.0.0.1", "port": host.port, "engine-opened": True}
    engine = draughts.engine.DXPEngine(options=options, initial_time=60)
    there, rng = draughts.Board(variant=variant), Random(1)
    for _ in range(8):
        there.push(rng.choice(there.legal_moves()))
        move = engine.play(there).move
        assert move.pdn_move in [legal.pdn_move for legal in there.legal_moves()]
        there.push(move)
    engine.sender.gameend()
    engine.sender.socket.closed = True  # it would sleep for seven seconds
    host.close()
    engine.sender.socket.sock.close()  # it would wait for ever
    engine.sender.receiver.close()
    assert host.messages == [
        f"game 1: alphabeta is {game.new().sides[1]}, against DXP Client",
        "game 1: the other program ended the game, after 16 moves",
    ]


def test_hosted_matches_close_their_connection() -> None:
    host = Host("alphabeta:depth=1")
    met = play_match(GAME, f"random,dxp:127.0.0.1:{host.port}", 6)
    assert len(met.turns) == 6
    host.close()
    assert host.messages[-1].startswith("game 1: the other program ended the game, after ")


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        ("dxp --listen here:99999", 2, "--listen: 'here:99999' is not an address; expected HOST:PORT"),
        ("dxp --listen 192.0.2.1:80", 6, "192.0.2.1:80: Cannot assign requested address. Try another"),
        ("dxp --engine uci:x", 2, "--engine is 'uci:x', another program; expected an engine"),
    ],
)
def test_wrong_options_are_one_line(
    words: str, status: int, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run_printed(capsys, *words.split())
    assert (code, out) == (status, "") and err.startswith(f"gameplay: {why}") and err.count("\n") == 1
