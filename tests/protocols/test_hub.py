"""`gameplay hub`: a conversation, its words for positions and moves, nonsense, a program that drives it."""

import sys
from random import Random

import pytest

from gameplay import registry
from gameplay.errors import BadInput, IllegalMove
from gameplay.matches.hosted import Hosted
from gameplay.players import seats
from gameplay.protocols.hub_side import START, HubSide, arguments, fen, spell, understand
from gameplay.protocols.uci_side import Wish
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.value import WIN

pytestmark = pytest.mark.once

GAME = registry.game("checkers")


class PlayerInput:
    """Our side without a process. A search never waits: `stop` has come already."""

    def __init__(self, engine: str = "alphabeta:depth=3") -> None:
        self.said: list[str] = []
        player = seats.player(engine, GAME)
        self.side = HubSide(
            "gameplay 1 alphabeta", player, Hosted(GAME, player, understand), self.said.append
        )

    def ask(self, *lines: str) -> list[str]:
        self.said.clear()
        for line in lines:
            if line in ("go ponder", "go analyze"):
                self.side.inbox.put("stop")
            assert self.side.obey(line)
        return self.said[:]


def test_a_conversation() -> None:
    player_input = PlayerInput()
    said = player_input.ask("hub")
    assert said[0] == 'id name=gameplay version=1 author="the gameplay developers"'
    assert said[1] == 'param name=variant value=english type=enum values="english"'
    assert 'param name=table value="off" type=string' in said and said[-1] == "wait"
    assert player_input.ask("set-param name=variant value=english", "init", "ping") == ["ready", "pong"]
    said = player_input.ask("new-game", f"pos pos=B{START}", "level depth=4", "go think")
    assert said[-2].startswith("info depth=3 mean-depth=3.0 score=") and ' pv="' in said[-2]
    words = arguments(said[-1].split()[1:])
    assert said[-1].startswith("done move=") and " ponder=" in said[-1]
    assert GAME.new().parse(words["move"]) in GAME.new().moves()
    assert said[-2].split('pv="')[1].split()[:2] == [words["move"], words["ponder"]]
    for level in ("move-time=0.02", "nodes=500", "time=1 inc=0.1", "time=1 moves=10", "infinite depth=2"):
        go = "go analyze" if level.startswith("infinite") else "go"
        said = player_input.ask(f'pos pos=B{START} moves="11-15"', f"level {level}", go)
        assert said[-1].startswith("done move="), level
    for go in ("go analyze", "go ponder"):
        assert player_input.ask("level time=60", go)[-1].startswith("done move=")
    player_input.side.inbox.put("ping")
    player_input.side.inbox.put("ponder-hit")
    player_input.said.clear()
    assert player_input.side.obey("go ponder")
    assert "pong" in player_input.said and player_input.said[-1].startswith("done move=")


def test_positions_come_with_who_moves() -> None:
    """The usual start is Black's, whatever the side to move given; a new game forgets all."""
    player_input = PlayerInput()
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
        assert player_input.ask(line) == [] and player_input.side.place == place, line
    assert fen(f"W{other}") == "W:W23,25,26,27,28,29,30,31,32:B14"
    session = player_input.side.player.session
    player_input.ask("new-game")
    assert player_input.side.player.session is not session and player_input.side.place == ("", [])


def test_limits_below_what_a_search_takes_are_raised_to_it() -> None:
    player_input = PlayerInput()
    player_input.ask("level move-time=0 depth=0 nodes=0")
    limit = player_input.side._asked([]).limit
    assert (limit.seconds, limit.depth, limit.nodes) == (0.001, 1, 1)
    player_input.ask("level depth=999")
    assert player_input.side._asked([]).limit.depth == 255


@pytest.mark.parametrize(
    ("level", "go", "wish"),
    [
        ("depth=7 nodes=99", "think", Wish(Limit(depth=7, nodes=99))),
        ("move-time=2.5", "", Wish(Limit(seconds=2.5))),
        ("nodes=999999999999999", "", Wish(Limit(nodes=999999999999999))),
        ("time=60 inc=2 moves=30", "", Wish(times=((62.0, 2.0), (62.0, 2.0), 30))),
        ("time=-5 moves=-1", "", Wish(times=((0.0, 0.0), (0.0, 0.0), 0))),
        ("inc=2 moves=30", "", Wish()),
        ("infinite", "", Wish(endless=True)),
        ("", "analyze", Wish(endless=True)),
        ("depth=1", "ponder", Wish(Limit(depth=1), endless=True, ponder=True)),
    ],
)
def test_engine_and_limit_of_a_level(level: str, go: str, wish: Wish) -> None:
    player_input = PlayerInput()
    assert player_input.ask(f"level {level}") == []
    found = player_input.side._asked([go])
    assert found == wish and player_input.side.wish is found
    assert (found.mate, found.perft, found.moves) == (0, 0, ())


def test_invalid_level_is_reported() -> None:
    player_input = PlayerInput()
    for word in ("x", "1e3", "-", "1234567890123456", ""):
        player_input.ask(f"level depth={word}")
        assert player_input.ask("go") == [f"error message=\"depth is a number, not '{word}'\""]


def test_info_lines_of_a_search() -> None:
    player_input = PlayerInput("selective")
    match, say = player_input.side._match(), player_input.side._inform
    move = GAME.new().parse("11-15")
    unit = GAME.new().unit
    say(match, Report(value=-1.5 * unit, depth=4, nodes=2500000, seconds=0.5, pv=(move,)))
    for value in (WIN - 7, 12 - WIN):
        say(match, Report(value=value))
    assert player_input.said == [
        'info depth=4 mean-depth=4.0 score=-1.50 nodes=2500000 time=0.50 nps=5.000 pv="11-15"',
        "info depth=0 mean-depth=0.0 score=99.93 nodes=0 time=0.00 nps=0.000",
        "info depth=0 mean-depth=0.0 score=-99.88 nodes=0 time=0.00 nps=0.000",
    ]
    best = player_input.side._best
    reply = next(iter(GAME.new("11-15").moves()))
    word = GAME.new("11-15").format(reply)
    assert best(match, move, Report(move=move, pv=(move, reply, move))) == f"move=11-15 ponder={word}"
    assert best(match, move, Report(move=move, pv=(reply,))) == best(match, move, None) == "move=11-15"


def test_parameters_are_offered_as_they_are() -> None:
    said = PlayerInput("selective").ask("hub")
    for line in ('table value="64MB" type=string', 'pvs value="true" type=bool', 'seed value="0" type=int'):
        assert f"param name={line}" in said


def test_wins_are_reported_by_distance() -> None:
    board = "B" + "e" * 13 + "B" + "e" * 3 + "w" + "e" * 14  # Black takes the last man
    said = PlayerInput().ask(f"pos pos={board}", "level depth=2", "go")
    assert " score=99.99 " in said[-2] and said[-1] == "done move=14x23x18"


def test_captures_are_written_with_captured_squares() -> None:
    board = "B" + "e" * 5 + "b" + "e" * 3 + "w" + "e" * 7 + "w" + "e" * 14
    position = GAME.new(fen(board))
    (move,) = position.moves()
    assert position.format(move) == "6x15x22" and spell(position, move) == "6x22x10x18"
    assert understand(position, "6x22x18x10") == understand(position, "6x22x10x18") == move
    with pytest.raises(IllegalMove, match="'6x22x10x17' is not a legal move"):
        understand(position, "6x22x10x17")


def test_first_player_may_be_called_white() -> None:
    player_input = PlayerInput()
    for start in (f"W{START}", f"B{START}"):
        said = player_input.ask(f'pos pos={start} moves="9-13"', "level depth=1", "go")
        assert int(said[-1].removeprefix("done move=").partition("-")[0]) > 20, "a man of White's moves"


def test_every_move_is_read_as_it_is_written() -> None:
    rng = Random(5)
    for _ in range(10):
        position = GAME.new()
        while position.outcome() is None:
            for move in position.moves():
                word = spell(position, move)
                assert spell(position, understand(position, word)) == word
            position.make(rng.choice(position.moves()))


def test_malformed_input_is_reported_and_survived() -> None:
    player_input, rng = PlayerInput(), Random(9)
    for wrong, why in (
        ("castle", "there is no command castle"),
        ("pos pos=Wxyz", "is not a position: W or B"),
        ('pos pos="Wb', "a quotation is not closed"),
        (f'pos pos=B{START} moves="1-2"', "'1-2'"),
        ("set-param name=variant value=frisian", "variant is english"),
        ("set-param name=nothing value=1", "there is no option 'nothing'"),
    ):
        (said,) = player_input.ask(wrong)
        assert said.startswith('error message="') and said.endswith('"') and why in said
    assert player_input.ask("go") == [
        'error message="go is refused: the last position was wrong; send another"'
    ]
    words = f'pos pos=B{START} moves="11-15 11-15" level depth=1 nodes=x time=-3 go think ponder hub " = ping'
    for _ in range(200):
        line = " ".join(rng.choice(words.split()) for _ in range(rng.randrange(1, 6)))
        player_input.side.inbox.put("stop")
        assert player_input.side.obey(line)
        player_input.side.later.clear()
    assert player_input.ask(f"pos pos=B{START}", "level depth=1", "go")[-1].startswith("done move=")
    with pytest.raises(BadInput):
        fen("B")


def test_pydraughts_drives_it() -> None:
    draughts = pytest.importorskip("draughts")
    pytest.importorskip("draughts.engine")
    engine = draughts.engine.HubEngine([sys.executable, "-m", "gameplay", "hub"])
    try:
        engine.init()
        board, rng = draughts.Board(variant="english"), Random(1)
        for ply in range(30):
            if board.is_over():
                break
            if ply % 2:
                board.push(rng.choice(board.legal_moves()))
            else:
                move = engine.play(board, draughts.engine.Limit(depth=2), False).move
                assert move.pdn_move in [legal.pdn_move for legal in board.legal_moves()]
                board.push(move)
        assert board.is_over() or ply == 29
    finally:
        engine.quit()
        engine.p.wait()
