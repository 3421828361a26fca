"""Hub, both sides: a conversation, its notation, malformed input, a program that drives it."""

import os
import re
import shutil
import sys
from random import Random
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import BadInput, Fault, IllegalMove, Usage
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.hosted import Hosted
from gameplay.players import seats
from gameplay.protocols import hub
from gameplay.protocols.channel import Broken
from gameplay.protocols.hub import (
    Hub,
    format_move,
    format_position,
    format_score,
    parse_arguments,
    parse_info,
    parse_move,
    parse_score,
)
from gameplay.protocols.hub_side import HubSide
from gameplay.protocols.talk import INTERVAL
from gameplay.protocols.uci_side import UciRequest
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.value import WIN
from gameplay.visible import visible
from tests.support.hosted import play_match
from tests.support.paths import ROOT
from tests.support.walks import random_walk
from tests.support.wire import ENDS, set_clock, talk_over

pytestmark = pytest.mark.once

GAME = registry.game("checkers")
DRAUGHTS = registry.game("draughts")
START = "b" * 12 + "e" * 8 + "w" * 12
GAMES = {"normal": DRAUGHTS, "english": GAME}


def fen(text: str) -> str:
    """A position of 32 squares as a FEN."""
    return hub.to_fen(text, 32)


class Conversation:
    """Our side without a process. A search never waits: `stop` has already arrived."""

    def __init__(self, engine: str = "alphabeta:depth=3", variant: str = "english") -> None:
        self.messages: list[str] = []

        def seat(variant: str) -> Any:
            game = GAMES[variant]
            player = seats.player(engine, game)
            return player, Hosted(game, player, parse_move), game.new()

        self.side = HubSide("gameplay 1 alphabeta", seat, self.messages.append)
        self.ask(f"set-param name=variant value={variant}")

    def ask(self, *lines: str) -> list[str]:
        self.messages.clear()
        for line in lines:
            if line in ("go ponder", "go analyze"):
                self.side.inbox.put("stop")
            assert self.side.execute(line)
        return self.messages[:]


def test_a_conversation() -> None:
    conversation = Conversation()
    output = conversation.ask("hub")
    assert output[0] == 'id name=gameplay version=1 author="the gameplay developers"'
    assert output[1] == 'param name=variant value=english type=enum values="normal english"'
    assert 'param name=table value="off" type=string' in output and output[-1] == "wait"
    assert conversation.ask("set-param name=variant value=english", "init", "ping") == ["ready", "pong"]
    output = conversation.ask("new-game", f"pos pos=B{START}", "level depth=4", "go think")
    assert output[-2].startswith("info depth=3 mean-depth=3.0 score=") and ' pv="' in output[-2]
    words = parse_arguments(output[-1].split()[1:])
    assert output[-1].startswith("done move=") and " ponder=" in output[-1]
    assert GAME.new().parse(words["move"]) in GAME.new().moves()
    assert output[-2].split('pv="')[1].split()[:2] == [words["move"], words["ponder"]]
    for level in ("move-time=0.02", "nodes=500", "time=1 inc=0.1", "time=1 moves=10", "infinite depth=2"):
        go = "go analyze" if level.startswith("infinite") else "go"
        output = conversation.ask(f'pos pos=B{START} moves="11-15"', f"level {level}", go)
        assert output[-1].startswith("done move="), level
    for go in ("go analyze", "go ponder"):
        assert conversation.ask("level time=60", go)[-1].startswith("done move=")
    conversation.side.inbox.put("ping")
    conversation.side.inbox.put("ponder-hit")
    conversation.messages.clear()
    assert conversation.side.execute("go ponder")
    assert "pong" in conversation.messages and conversation.messages[-1].startswith("done move=")


def test_hub_positions_include_the_side_to_move() -> None:
    """The usual start has Black to move, whatever side is given; a new game resets all."""
    conversation = Conversation()
    usual = "bbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"
    other = "eeeeeeeeeeeeebeeeeeeeewewwwwwwww"
    for line, place in (
        ("pos", ("", [])),
        (f"pos pos=B{usual}", ("", [])),
        (f"pos pos=W{usual}", ("", [])),
        ('pos moves="11-15"', ("", ["11-15"])),
        (f"pos pos=W{other}", (fen(f"W{other}"), [])),
        (f"pos pos=b{other}", (fen(f"B{other}"), [])),
    ):
        assert conversation.ask(line) == [] and conversation.side.place == place, line
    assert fen(f"W{other}") == "W:W23,25,26,27,28,29,30,31,32:B14"
    session = conversation.side.player.session
    conversation.ask("new-game")
    assert conversation.side.player.session is not session and conversation.side.place == ("", [])


def test_limits_below_the_minimum_are_raised_to_it() -> None:
    conversation = Conversation()
    conversation.ask("level move-time=0 depth=0 nodes=0")
    limit = conversation.side._parse_go([]).limit
    assert (limit.seconds, limit.depth, limit.nodes) == (0.001, 1, 1)
    conversation.ask("level depth=999")
    assert conversation.side._parse_go([]).limit.depth == 255


@pytest.mark.parametrize(
    ("level", "go", "limits"),
    [
        ("depth=7 nodes=99", "think", UciRequest(Limit(depth=7, nodes=99))),
        ("move-time=2.5", "", UciRequest(Limit(seconds=2.5))),
        ("nodes=999999999999999", "", UciRequest(Limit(nodes=999999999999999))),
        ("time=60 inc=2 moves=30", "", UciRequest(times=((62.0, 2.0), (62.0, 2.0), 30))),
        ("time=-5 moves=-1", "", UciRequest(times=((0.0, 0.0), (0.0, 0.0), 0))),
        ("inc=2 moves=30", "", UciRequest()),
        ("infinite", "", UciRequest(endless=True)),
        ("", "analyze", UciRequest(endless=True)),
        ("depth=1", "ponder", UciRequest(Limit(depth=1), endless=True, ponder=True)),
    ],
)
def test_engine_and_limit_of_a_level(level: str, go: str, limits: UciRequest) -> None:
    conversation = Conversation()
    assert conversation.ask(f"level {level}") == []
    request = conversation.side._parse_go([go])
    assert request == limits and conversation.side.go_request is request
    assert (request.mate, request.perft, request.moves) == (0, 0, ())


def test_invalid_level_is_reported() -> None:
    conversation = Conversation()
    for word in ("x", "1e3", "-", "1234567890123456", ""):
        conversation.ask(f"level depth={word}")
        assert conversation.ask("go") == [f"error message=\"depth must be a number, not '{word}'\""]


def test_info_lines_of_a_search() -> None:
    conversation = Conversation("selective")
    match, say = conversation.side._match(), conversation.side._send_info
    move = GAME.new().parse("11-15")
    unit = GAME.new().unit
    say(match, Report(value=-1.5 * unit, depth=4, nodes=2500000, seconds=0.5, pv=(move,)))
    for won in (WIN - 7, 12 - WIN):
        say(match, Report(value=won))
    assert conversation.messages == [
        'info depth=4 mean-depth=4.0 score=-1.50 nodes=2500000 time=0.50 nps=5.000 pv="11-15"',
        "info depth=0 mean-depth=0.0 score=99.93 nodes=0 time=0.00 nps=0.000",
        "info depth=0 mean-depth=0.0 score=-99.88 nodes=0 time=0.00 nps=0.000",
    ]
    best = conversation.side._best
    reply = next(iter(GAME.new("11-15").moves()))
    word = GAME.new("11-15").format(reply)
    assert best(match, move, Report(move=move, pv=(move, reply, move))) == f"move=11-15 ponder={word}"
    assert best(match, move, Report(move=move, pv=(reply,))) == best(match, move, None) == "move=11-15"


def test_parameters_are_offered_as_they_are() -> None:
    output = Conversation("selective").ask("hub")
    for line in ('table value="64MB" type=string', 'pvs value="true" type=bool', 'seed value="0" type=int'):
        assert f"param name={line}" in output


def test_wins_are_reported_by_distance() -> None:
    board = "B" + "e" * 13 + "B" + "e" * 3 + "w" + "e" * 14  # Black takes the last man
    output = Conversation().ask(f"pos pos={board}", "level depth=2", "go")
    assert " score=99.99 " in output[-2] and output[-1] == "done move=14x23x18"


def test_captures_are_written_with_captured_squares() -> None:
    board = "B" + "e" * 5 + "b" + "e" * 3 + "w" + "e" * 7 + "w" + "e" * 14
    position = GAME.new(fen(board))
    (move,) = position.moves()
    assert position.format(move) == "6x15x22" and format_move(position, move) == "6x22x10x18"
    assert parse_move(position, "6x22x18x10") == parse_move(position, "6x22x10x18") == move
    with pytest.raises(IllegalMove, match="'6x22x10x17' is not a legal move"):
        parse_move(position, "6x22x10x17")


def test_games_on_10x10_squares() -> None:
    start = "b" * 20 + "e" * 10 + "w" * 20
    assert format_position(DRAUGHTS.new()) == f"W{start}"
    conversation = Conversation(variant="normal")
    output = conversation.ask(f'pos pos=W{start} moves="32-28 19-23 28x19x23"', "level depth=2", "go")
    assert re.search(r"done move=1[34]x23x19 ", output[-1])
    (output,) = conversation.ask(f"pos pos=B{START}")
    assert "is not a position: W or B, then 50 of w, b, W, B and e" in output
    # A king captures from afar; the captured squares distinguish captures with the same ends.
    there = "W:WK25:B8,9,18,19,20,22,29,30,31,39"
    position = DRAUGHTS.new(there)
    words = [format_move(position, move) for move in position.moves()]
    assert (
        len(set(words)) == len(words)
        and [format_move(position, parse_move(position, w)) for w in words] == words
    )
    assert hub.to_fen(format_position(position), 50) == position.fen()


def test_a_variant_keeps_the_parameters_of_the_engine() -> None:
    conversation = Conversation("selective", "normal")
    conversation.ask("set-param name=pvs value=false", "set-param name=variant value=english")
    assert conversation.side.player.engine.pvs is False
    output = conversation.ask("pos", "level depth=1", "go")[-1]
    assert int(output.removeprefix("done move=").partition("-")[0]) < 13, "Black moves first"


def test_the_first_player_may_be_named_white_or_black() -> None:
    conversation = Conversation()
    for start in (f"W{START}", f"B{START}"):
        output = conversation.ask(f'pos pos={start} moves="9-13"', "level depth=1", "go")
        assert int(output[-1].removeprefix("done move=").partition("-")[0]) > 20, "a man of White's moves"


@pytest.mark.parametrize(("variant", "games"), [("english", 10), ("normal", 1)])
def test_every_move_is_read_as_it_is_written(variant: str, games: int) -> None:
    for position in random_walk(GAMES[variant], games, seed=5):
        for move in position.moves():
            word = format_move(position, move)
            assert format_move(position, parse_move(position, word)) == word


def test_malformed_input_is_reported_and_survived() -> None:
    conversation, rng = Conversation(), Random(9)
    for wrong, why in (
        ("castle", "unknown command castle"),
        ("go foo", "go foo: expected go think, go ponder or go analyze"),
        ("pos pos=Wxyz", "is not a position: W or B"),
        ('pos pos="Wb', "a quotation is not closed"),
        (f'pos pos=B{START} moves="1-2"', "'1-2'"),
        ("set-param name=variant value=frisian", "unknown variant 'frisian'"),
        ("set-param name=nothing value=1", "unknown option 'nothing'"),
    ):
        (output,) = conversation.ask(wrong)
        assert output.startswith('error message="') and output.endswith('"') and why in output
    assert conversation.ask("go") == [
        'error message="go is refused: the last position was invalid. Try: send another"'
    ]
    words = f'pos pos=B{START} moves="11-15 11-15" level depth=1 nodes=x time=-3 go think ponder hub " = ping'
    for _ in range(200):
        line = " ".join(rng.choice(words.split()) for _ in range(rng.randrange(1, 6)))
        conversation.side.inbox.put("stop")
        assert conversation.side.execute(line)
        conversation.side.queued.clear()
    assert conversation.ask(f"pos pos=B{START}", "level depth=1", "go")[-1].startswith("done move=")
    with pytest.raises(BadInput):
        fen("B")


@pytest.mark.parametrize("variant", ["standard", "english"])
def test_pydraughts_drives_the_hub_server(variant: str) -> None:
    draughts = pytest.importorskip("draughts")
    pytest.importorskip("draughts.engine")
    engine = draughts.engine.HubEngine([shutil.which("gameplay"), "hub"])
    try:
        engine.configure({"variant": {"standard": "normal"}.get(variant, variant)})
        engine.init()
        board, rng = draughts.Board(variant=variant), Random(1)
        for ply in range(20):
            if board.is_over():
                break
            if ply % 2:
                board.push(rng.choice(board.legal_moves()))
            else:
                move = engine.play(board, draughts.engine.Limit(depth=2), False).move
                assert move.pdn_move in [legal.pdn_move for legal in board.legal_moves()]
                board.push(move)
        assert board.is_over() or ply == 19
    finally:
        engine.quit()
        engine.p.wait()


def test_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("draughts")
    page = (ROOT / "docs/how-to/other-programs.md").read_text()
    example = next(text for text in re.findall(r"```python\n(.*?)```", page, re.S) if "HubEngine" in text)
    scope: dict[str, Any] = {}
    exec(example.replace("time=0.1", "nodes=200"), scope)
    scope["engine"].p.wait()
    move = capsys.readouterr().out.strip()
    assert move in [DRAUGHTS.new().format(legal) for legal in DRAUGHTS.new().moves()]


# -- their side -----------------------------------------------------------------------------------


def test_hub_handshake_and_level() -> None:
    hello = (
        "id name=X",
        'param name=variant value=normal values="normal english"',
        "param name=Threads",
        "wait",
    )
    talk, wire = talk_over(Hub, *hello, "ready", "pong", "done move=9-13", "pong")
    talk.set_game(GAME.new())
    talk.greet({"threads": "2"}, ENDS)
    assert wire.sent == [
        "hub",
        'set-param name=Threads value="2"',
        'set-param name=variant value="english"',
        "init",
    ]
    wire.sent.clear()
    talk.begin(ENDS)
    talk.position(f"B{START}", [(0, "9-13"), (1, "22-18")], ENDS)
    assert wire.sent == ["new-game", "ping", f'pos pos=B{START} moves="9-13 22-18"', "ping"]
    assert wire.anew == 2 and not wire.lines, "a late move was dropped"


def test_hub_refuses_other_variants_and_reports_errors() -> None:
    for lines, why in (
        (
            ('param name=variant values="normal frisian"', "wait"),
            "^does not play the variant english: its variants are",
        ),
        (("wait", 'error message="no book"'), "^reports an error: no book$"),
    ):
        talk, _ = talk_over(Hub, *lines)
        talk.set_game(GAME.new())
        with pytest.raises(Fault, match=why) as fault:
            talk.greet({}, ENDS)
        assert fault.value.kind == "start"
    talk, _ = talk_over(Hub, "param name=book", "wait")
    with pytest.raises(Fault, match=r"^cannot be configured: unknown parameter 'bok'; did you mean 'book'"):
        talk.greet({"bok": "1"}, ENDS)
    for words in ("position", "answer"):
        talk, _ = talk_over(Hub, 'error message="illegal \x1b[31m move"', "pong")
        with pytest.raises(Broken, match=r"^reports an error: ") as broken:
            talk.position("B", [], ENDS) if words == "position" else talk.answer(ENDS, lambda report: False)
        assert broken.value.kind == "protocol_error" and "\x1b" not in visible(str(broken.value))
    for name in ("chess", "othello"):
        with pytest.raises(Usage, match=f"^Hub is for international draughts and checkers, not for {name}$"):
            Hub.check(registry.game(name).new(), Limit())


@pytest.mark.parametrize(
    ("limit", "clock", "level"),
    [
        (Limit(), None, "move-time=1"),
        (Limit(depth=7, nodes=99), None, "depth=7 nodes=99"),
        (Limit(seconds=0.25), None, "move-time=0.250"),
        (Limit(), "60+2", "time=58.000 inc=2.000"),  # Hub adds the two seconds before the move
        (Limit(depth=3), "30/60", "moves=30 time=60.000 depth=3"),
        (Limit(), "2/move", "move-time=1.940"),
    ],
)
def test_limits_in_words(limit: Limit, clock: str | None, level: str) -> None:
    talk, wire = talk_over(Hub)
    talk.go(0, limit, None if clock is None else Clock([parse_time_control(clock)] * 2), ENDS)
    assert wire.sent == [f"level {level}", "go think"] and talk.info == {}


def test_hub_info_becomes_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock(monkeypatch, [INTERVAL, INTERVAL + 0.04, 2 * INTERVAL, 9.0])
    lines = [f'info depth={n} mean-depth=3.0 score=0.0{n} nodes=7 nps=1.0 pv="9-13 22-18"' for n in (1, 2, 3)]
    talk, wire = talk_over(Hub, *lines, "info score=-99.98", "done move=9-13 ponder=22-18")
    talk.prepare(GAME.new(), ENDS)
    seen: list[dict[str, Any]] = []

    def watch(report: dict[str, Any]) -> bool:
        seen.append(dict(report))
        return len(seen) == 2

    assert talk.answer(ENDS, watch) == "9-13" and wire.sent == ["stop"]
    line = {"nodes": 7, "pv": ["9-13", "22-18"]}
    assert seen == [line | {"depth": 1, "value": 1}, line | {"depth": 3, "value": 3}]
    assert talk.info["value"] == 2 - WIN, "the last line counts: lost in two plies"


def test_scores_of_both_sides_agree() -> None:
    unit = GAME.new().unit
    for worth in (0, 1, -37, 250, WIN - 1, WIN - 7, 12 - WIN, WIN - 255):
        assert parse_score(format_score(worth, unit), unit) == worth
    assert parse_score(89.5, unit) == 8950, "a won endgame, not counted"
    assert parse_score(-500.0, unit) == -50000, "more than a won game"
    for text in ("nan", "1e9", "", "--1", "inf", "9" * 50):
        assert parse_info(f"info score={text} depth=x nodes=-1", unit) == {}
    assert parse_info('info pv="9-13', unit) == {}, "an open quote"


def test_positions_of_both_sides_agree() -> None:
    assert format_position(GAME.new()) == f"B{START}"
    rng, position = Random(3), GAME.new()
    while position.outcome() is None:
        assert GAME.new(fen(format_position(position))).fen() == position.fen()
        position.make(rng.choice(position.moves()))


@pytest.mark.skipif(os.name != "posix", reason="outside engines need POSIX")
def test_our_player_meets_our_program() -> None:
    program = f"hub:{sys.executable} -m gameplay hub --engine alphabeta,depth=3"
    met = play_match(GAME, f"random,{program}", 200)
    turn = next(turn for turn in reversed(met.turns) if turn.player == 1 and turn.report)
    assert turn.report is not None and turn.report.nodes and turn.report.pv[0] == turn.move
    assert any("x" in turn.word for turn in met.turns) and met.payoffs is not None
    assert met.words() == play_match(GAME, "random,alphabeta:depth=3", 200).words(), (
        "the same engine, over a pipe"
    )


def test_moves_are_spelled_as_pydraughts_does() -> None:
    draughts = pytest.importorskip("draughts")
    rng = Random(8)
    for _ in range(4):
        position, other = GAME.new(), draughts.Board(variant="english")
        while position.outcome() is None and len(position.made) < 60:
            theirs = {(*move.split("x")[:2], *sorted(move.split("x")[2:])) for move in _hub_moves(other)}
            ours = {(*word.split("x")[:2], *sorted(word.split("x")[2:])) for word in _words(position)}
            assert ours == theirs, position.fen()
            move = rng.choice(position.moves())
            other.push(draughts.Move(other, hub_move=format_move(position, move)))
            position.make(move)


def _hub_moves(board: Any) -> list[str]:
    return [move.hub_move for move in board.legal_moves()]


def _words(position: Any) -> list[str]:
    return [format_move(position, move) for move in position.moves()]
