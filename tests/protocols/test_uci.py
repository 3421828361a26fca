"""UCI: external engines play for us, and other programs drive ours."""

import os
import sys
from typing import Any

import pytest

from gameplay.errors import BadInput, Fault, IllegalMove, Usage
from gameplay.matches.hosted import Hosted
from gameplay.players import seats
from gameplay.players.process import find_program as program
from gameplay.protocols import side
from gameplay.protocols.uci import parse_move
from gameplay.protocols.uci_side import UciRequest
from tests.support.paths import TESTS
from tests.support.uci import GAME, UCI, Conversation, match, own_spec

pytestmark = [pytest.mark.once, pytest.mark.skipif(os.name != "posix", reason="outside engines need POSIX")]

MOCK = f"{sys.executable} -I -S {TESTS / 'support' / 'mock_engine.py'} --protocol uci"


def test_python_chess_drives_the_uci_server() -> None:
    chess = pytest.importorskip("chess")
    pytest.importorskip("chess.engine")
    limits = [
        chess.engine.Limit(depth=2),
        chess.engine.Limit(nodes=200),
        chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.01, black_inc=0.01),
    ]
    for number in (518, 0, 959):
        with chess.engine.SimpleEngine.popen_uci(UCI) as engine:
            board = chess.Board.from_chess960_pos(number) if number != 518 else chess.Board()
            while not board.is_game_over() and board.ply() < 24:
                limit = limits[board.ply() % 3]
                result = engine.play(board, limit, ponder=board.ply() % 5 == 1, info=chess.engine.INFO_ALL)
                assert result.move in board.legal_moves
                board.push(result.move)
            assert board.ply() == 24 or board.is_game_over()


@pytest.mark.parametrize("game", ["chess", "chess:start=0", "connect4"])
def test_uci_client_plays_against_the_uci_server(game: str) -> None:
    command = own_spec("depth=1") if game.startswith("chess") else f"uci:{' '.join(UCI)} connect4,depth=1"
    played = match(f"{command},random", game)
    turn = next(turn for turn in reversed(played.turns) if turn.player == 0)
    report = turn.report
    assert report is not None and report.depth == 1 and report.pv[:1] == (turn.move,)
    assert len(played.turns) == 16 or played.payoffs is not None


def test_start_position_is_sent_in_protocol_notation() -> None:
    played = match(f"random,{own_spec('depth=1,UCI_Chess960=false')}", start="e4 e5 Nf3", plies=3)
    assert len(played.turns) == 3


def test_programs_without_chess960_are_refused() -> None:
    with pytest.raises(Fault, match="does not play Chess960") as caught:
        match(f"uci:{MOCK},random", "chess:start=0", plies=1)
    assert caught.value.kind == "start"


def test_an_illegal_move_is_a_fault_with_the_position() -> None:
    with pytest.raises(
        Fault, match=r"answered 'a1' in rnbqkbnr/.*at the start: 'a1' is not a move"
    ) as caught:
        match(f"uci:{MOCK},random", plies=1)
    assert caught.value.kind == "illegal_move"


def test_options_after_a_colon_are_refused_with_the_right_place() -> None:
    with pytest.raises(BadInput, match="options follow a comma: uci:stockfish,Skill Level=3"):
        seats.player("uci:stockfish:Skill Level=3", GAME)


@pytest.mark.parametrize("spec", ["stockfish,Skill Level=3,nodes=200", "gnuchess --uci,time=0.01"])
def test_installed_uci_engines_play(spec: str) -> None:
    if program(spec.split(",")[0].split()[0]) is None:
        pytest.skip("not installed")
    played = match(f"uci:{spec},selective:nodes=200", plies=20)
    report = played.turns[-2].report
    assert len(played.turns) == 20 or played.payoffs is not None
    assert report is not None and report.pv


def test_hosted_restarts_after_illegal_moves() -> None:
    """The moves before the illegal one were already made: the match has changed."""
    host = Hosted(GAME, seats.player("random", GAME), parse_move)
    first = host.match("", ["e2e4"])
    with pytest.raises(IllegalMove, match="move 3"):
        host.match("", ["e2e4", "e7e5", "e2e4"])
    again = host.match("", ["e2e4", "c7c5"])
    assert again is not first
    assert again.words() == ["e4", "c5"]


def test_hosted_continues_the_same_match() -> None:
    host = Hosted(GAME, seats.player("random", GAME), parse_move)
    first = host.match("", ["e2e4"])
    assert host.match("", ["e2e4", "e7e5"]) is first
    assert host.match("", ["e2e4"]) is not first
    with pytest.raises(IllegalMove, match="move 2"):
        host.match("", ["e2e4", "e2e4"])
    assert [turn.word for turn in host.match("", ["d2d4"]).turns] == ["d4"]
    clock = host.clock(((3.0, 1.0), None, 10))
    assert clock.runs(0) and not clock.runs(1) and clock.moves_to_go(0) == 10
    assert clock.seconds(0) < 3


def test_book_moves_count_unless_an_analysis_is_requested(monkeypatch: pytest.MonkeyPatch) -> None:
    """Book moves do not count if the other program has its own book; later all moves count again."""
    conversation = Conversation()
    ours, seen = conversation.side, list[Any]()
    known: Any = {"book": "a book", "tables": "tables"}
    ours.player.knowledge = known

    def raise_usage(self: Any, match: Any, asked: side.GoRequest) -> str:
        seen.append((self.player.knowledge, asked.limit.moves, self.turn, self.deadline))
        raise Usage("enough")

    monkeypatch.setattr(side.Side, "_search", raise_usage)
    match = ours._match()
    e4 = parse_move(match.position, "e2e4")
    for wish, own, entries, moves in (
        (UciRequest(), True, known, ()),
        (UciRequest(), False, {"tables": "tables"}, ()),
        (UciRequest(moves=("e2e4",)), True, {}, (e4,)),
        (UciRequest(mate=3), True, {}, ()),
        (UciRequest(endless=True), False, {}, ()),
        (UciRequest(endless=True, ponder=True), True, known, ()),
    ):
        ours.go_request, ours.own, ours.turn, ours.deadline = wish, own, 7, 9.0
        with pytest.raises(Usage, match="enough"):
            ours._search(match, side.GoRequest())
        assert seen.pop() == (entries, moves, 0, 0.0) and ours.player.knowledge is known
