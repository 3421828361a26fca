"""NBoard, both sides: the example of the protocol, malformed input, and whole games over a pipe."""

import os
import sys
import textwrap
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gameplay import registry
from gameplay.errors import BadInput, Fault
from gameplay.matches.hosted import Hosted
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.protocols import ggf
from gameplay.protocols.nboard_side import NBoardSide
from gameplay.protocols.side import GoRequest
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from tests.support.hosted import play_match

TOO_SMALL = "status set depth expects a number of plies, at least 1"

GAME = registry.game("othello")
EXAMPLE = (  # of the protocol's description
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]BO[8 "
    "---------------------------O*------*O--------------------------- *]"
    "B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)"
)

pytestmark = [pytest.mark.once, pytest.mark.skipif(os.name != "posix", reason="outside engines need POSIX")]


class Conversation:
    """Our side without a process."""

    def __init__(self, engine: str = "alphabeta:depth=2") -> None:
        self.messages: list[str] = []
        player = seats.player(engine, GAME)
        self.side = NBoardSide("gameplay", player, Hosted(GAME, player), self.messages.append)

    def ask(self, *lines: str) -> list[str]:
        self.messages.clear()
        for line in lines:
            assert self.side.execute(line)
        return self.messages[:]


def test_the_example_of_the_protocol() -> None:
    conversation = Conversation("alphabeta")
    assert conversation.ask("nboard 2", f"set game {EXAMPLE}", "set depth 3", "ping 1") == [
        "set myname gameplay",
        "pong 1",
    ]
    output = conversation.ask("go")
    assert output[0] == "status alphabeta is thinking" and output[-1] == "status"
    best, value, seconds = output[-2].removeprefix("=== ").split("/")
    search = next(line for line in output if line.startswith("search "))
    assert search.split()[1].startswith(best) and search.split()[3:] == ["0", "3"]
    assert float(value) == float(search.split()[2]) and float(seconds) >= 0
    assert [line for line in output if line.startswith("nodestats ")]
    position = GAME.new("f5f6d3c5e6f7e7f4")
    assert position.parse(best.lower()) in position.moves()
    assert conversation.ask(f"move {best}/1.5/0.2", "learn") == ["learned"]
    words = conversation.side.place
    assert words is not None and words[1][-1] == best.lower()


def test_hints_are_for_different_moves_the_best_first() -> None:
    conversation = Conversation()
    conversation.ask(f"set game {EXAMPLE}", "set depth 2")
    hints = [line.split() for line in conversation.ask("hint 3") if line.startswith("search ")]
    moves = list(dict.fromkeys(words[1][:2] for words in hints))
    assert len(moves) == 3
    values = [float(words[2]) for words in hints]
    assert values == sorted(values, reverse=True)
    assert len([line for line in conversation.ask("hint 99") if line.startswith("search ")]) >= len(
        GAME.new().moves()
    )


def test_passes_are_sent_and_read() -> None:
    position = GAME.new()
    rng, moves = Random(12), []
    while position.outcome() is None:
        if position.moves() == [64]:
            break
        move = rng.choice(position.moves())
        moves.append((position.turn, position.format(move)))
        position.make(move)
    assert position.outcome() is None, "the seed gives a game with a pass"
    conversation = Conversation()
    conversation.ask(f"set game {ggf.write(GAME.new().text(), moves)}", "set depth 1")
    assert conversation.ask("go")[-2].startswith("=== PA/")
    position.make(64)
    after = (position.turn, position.format(position.moves()[0]))
    for passed in ([(1 - after[0], "pass")], []):  # written or not
        conversation.ask(f"set game {ggf.write(GAME.new().text(), [*moves, *passed, after])}")
        place = conversation.side.place
        assert place is not None and place[1][-2:] == ["pass", after[1]]


def test_games_are_written_as_they_are_read() -> None:
    start, moves = ggf.read(EXAMPLE)
    assert moves[0] == (0, "f5") and moves[-1] == (1, "f4") and len(moves) == 8
    assert GAME.new(start).text() == GAME.new().text()
    assert ggf.read(ggf.write(GAME.new().text(), moves))[1] == moves
    assert ggf.read(EXAMPLE.replace("W[F4]", "W[PA/0/1]"))[1][-1] == (1, "pass")
    with pytest.raises(BadInput, match="is not a game of Othello in GGF"):
        ggf.read("(;GM[Othello]BO[8 ---- *];)")


def test_malformed_lines_are_ignored() -> None:
    conversation, rng = Conversation(), Random(11)
    words = (
        f"nboard 2 set depth game {EXAMPLE} move F5 D6/x PA Z9 go hint 1 -3 ping learn analyze 9 \xff \x00"
    )
    for _ in range(300):
        line = " ".join(rng.choice(words.split()) for _ in range(rng.randrange(1, 6)))
        conversation.side.inbox.put("ping 0")
        assert conversation.side.execute(line)
        assert not [line for line in conversation.messages if "Traceback" in line], line
        conversation.side.queued.clear()
    assert conversation.ask("set game rubbish")[0].startswith("status 'rubbish' is not a game of Othello")
    assert (
        conversation.ask("go")[0] == "status go is refused: the last position was invalid. Try: send another"
    )
    assert conversation.ask("set depth 0") == [TOO_SMALL]
    conversation.ask(f"set game {EXAMPLE}", "set depth 1")
    assert any(line.startswith("=== ") for line in conversation.ask("go"))


def test_known_parts_of_a_line_are_executed() -> None:
    conversation = Conversation()
    assert [conversation.side._parse_command(words) for words in ([], ["castle", "f5"], ["go", "on"])] == [
        [],
        [],
        ["go", "on"],
    ]
    assert conversation.ask("castle", "", "move F5 D6/1 x") == []
    assert conversation.side.place == ("", ["f5"]), "the first word is the move"
    conversation.ask("set game rubbish")
    assert conversation.ask("move f5") == [
        "status the last game was invalid. Try: send another",
    ]
    assert conversation.ask("move") == conversation.ask("move f5") and conversation.side.place is None


def test_search_limits_and_status_lines() -> None:
    conversation, own = Conversation(), Limit(depth=4, multipv=3)
    assert conversation.side._limit(own, GoRequest()) == own
    conversation.side.chosen = (1, 2)
    assert conversation.side._limit(own, GoRequest()) == own.with_(moves=(1, 2))
    assert conversation.ask("set depth 999", "set contempt 3", "set") == [] and conversation.side.deep == 255
    assert conversation.ask("set depth 1") == [] and conversation.side._limit(own, GoRequest()) == Limit(
        depth=1, moves=(1, 2), multipv=3
    )
    for word in ("0", "-1", "x", ""):
        assert conversation.ask(f"set depth {word}") == [TOO_SMALL]
    match = conversation.side._match()
    unit, move = match.position.unit, match.position.parse("f5")
    report = Report(value=-1.5 * unit, depth=4, nodes=77, seconds=0.5, pv=(move, match.position.parse("d3")))
    conversation.messages.clear()
    conversation.side._send_info(match, report)
    assert conversation.messages == ["search F5 -1.50 0 4", "nodestats 77 0.50"], "d3 is not an answer"
    conversation.messages.clear()
    conversation.side._send_info(match, Report(nodes=3))
    assert conversation.messages == ["nodestats 3 0.00"]
    assert conversation.side._best(match, move, report) == "F5/-1.50/0.50"
    assert conversation.side._best(match, move, None) == "F5"
    assert conversation.ask("ping", "ping 7 8") == ["pong", "pong 7"]


def test_requested_number_of_hints() -> None:
    conversation = Conversation("random")
    for words, count in (("hint", 1), ("hint x", 1), ("hint 0", 0), ("hint 3", 3), ("hint 9", 4)):
        seen: list[tuple[int, ...]] = []

        def search(match: Any, request: Any, seen: list[tuple[int, ...]] = seen) -> str:
            seen.append(conversation.side.chosen)
            return f"{ggf.to_ggf(match.position.format(conversation.side.chosen[-1]))}/1.00/0.10"

        conversation.side._search = search
        assert conversation.ask(words) == ["status analyzing", "status"]
        moves = tuple(GAME.new().moves())
        assert seen == [moves[: 4 - number] for number in range(count)]
    conversation.side.stopping = True
    seen.clear()
    assert conversation.ask("hint 3") == ["status analyzing", "status"] and len(seen) == 1, (
        "it has been stopped"
    )
    conversation.ask("go")
    assert conversation.side.chosen == ()


def test_invalid_game_is_quoted_in_part() -> None:
    for length in (60, 61):
        with pytest.raises(BadInput, match=f"^'{'x' * 60}' is not a game of Othello in GGF: there is no BO"):
            ggf.read("x" * length)
    squares = GAME.new().text()
    assert ggf.read(f"(;BO[8 {squares.replace('X', '*')}]b[pass]w[ Pa/1]B[f5/2/3];)")[1] == [
        *((0, "pass"), (1, "pass"), (0, "f5"))
    ]
    assert ggf.write(squares, [(0, "f5"), (1, "pass")]).endswith("]B[F5]W[PA];)")


# -- their side -----------------------------------------------------------------------------------


def match(players: str, plies: int = 12) -> Match:
    return play_match(GAME, players, plies)


def test_our_player_meets_our_program() -> None:
    program = f"nboard:{sys.executable} -m gameplay nboard --engine alphabeta,depth=2"
    played = match(f"random,{program}", 120)
    turn = next(turn for turn in reversed(played.turns) if turn.player == 1 and turn.report)
    assert played.payoffs is not None
    assert turn.report is not None and turn.report.nodes and turn.report.pv[0] == turn.move
    twin = match("random,alphabeta:depth=2", 120)
    assert played.words() == twin.words(), "the same engine over a pipe plays the same game"


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        ("=== A1", "illegal_move", "answered 'A1'"),
        ("", "hang", "had not moved after 0.3 s"),
        ("exit", "crash", "exited with status 3"),
    ],
)
def test_nboard_faults_are_named(tmp_path: Path, answer: str, kind: str, words: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(f"""
            import sys
            for line in sys.stdin:
                if line.startswith("ping"):
                    print(line.replace("i", "o").strip(), flush=True)
                if line.startswith("go"):
                    if {answer!r} == "exit":
                        sys.exit(3)
                    print("search rubbish (1,2) 0\\n", {answer!r}, sep="", flush=True)
        """)
    )
    with pytest.raises(Fault, match=words) as caught:
        patience = 0.3 if kind == "hang" else 9999
        match(f"nboard:{sys.executable} -I -S {program},timeout={patience},random")
    assert caught.value.kind == kind
