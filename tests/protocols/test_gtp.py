"""External GTP engines: set-up, time, refusals, whole games."""

import os
import sys
import time

import pytest

from gameplay import registry
from gameplay.errors import Fault, Usage
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.protocols.gtp import Gtp
from gameplay.search.limit import Limit

pytestmark = pytest.mark.once

PROGRAM = """
import sys
log = open(sys.argv[1], "a")
known = sys.argv[2:]
for line in sys.stdin:
    number, name, *words = line.split()
    log.write(" ".join([name, *words]) + "\\n")
    log.flush()
    text = ""
    if name == "known_command":
        text = str(words[0] in known).lower()
    elif name == "genmove":
        text = "PASS"
    elif name == "final_score":
        text = "B+9.5"
    print(f"={number} {text}\\n", flush=True)
    if name == "quit":
        break
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "engine.py"
    path.write_text(PROGRAM)
    log = tmp_path / "log"

    def make(*known, options=""):
        return f"gtp:{sys.executable} {path} {log} {' '.join(known)}".rstrip() + options

    make.commands = lambda: [
        line for line in log.read_text().splitlines() if not line.startswith("known_command")
    ]
    return make


def choice_of(program, game, start="", moves=(), clock="", **known):
    game_class = registry.game(game)
    player = seats.player(program, game_class)
    other = seats.player("random", game_class)
    controls = parse_time_control(clock) if clock else None
    match = Match(
        game_class, [player, other], start, moves, clock=Clock([controls, controls]) if controls else None
    )
    try:
        player.begin(match.view(0))
        choice = player.choose(match.view(match.turn))
        return match, player, choice
    finally:
        player.close()


def test_board_komi_rules_and_moves_are_sent(program):
    match, _, choice = choice_of(program("kgs-rules"), "go:size=5,komi=2.5", moves=["C3", "pass", "A1", "B2"])
    assert match.position.format(choice.move) == "pass"
    assert program.commands()[:11] == [
        *("protocol_version", "clear_board", "boardsize 5", "komi 2.5", "kgs-rules chinese"),
        *("clear_board", "play black C3", "play white pass", "play black A1", "play white B2"),
        "genmove black",
    ]


@pytest.mark.parametrize(
    ("game", "start", "message"),
    [
        ("go:columns=5,rows=3", "", ["rectangular_boardsize 5 3", "komi 7.5"]),
        ("go:size=9,handicap=2", "", ["set_free_handicap G7 C3", "play white A1"]),
        ("go:size=5,handicap=2,placement=free", "", ["play black A1", "play black A2"]),
        ("go:size=3", ".X./O../... black", ["play black B3", "play white A2", "play black A1"]),
        ("go:size=3", "B2 pass", ["play black B2", "play white pass", "play black A1"]),
    ],
)
def test_every_start_is_sent(program, game, start, message):
    choice_of(program(), game, start, ["A1", "A2"] if "free" in game else ["A1"])
    lines = program.commands()
    assert [line for line in lines if line in message] == message, lines


@pytest.mark.parametrize(
    ("clock", "options", "message"),
    [
        ("60", "", ["time_settings 60 0 0", "time_left black 60 0"]),
        ("60+5byoyomi", "", ["time_settings 60 5 1", "time_left black 60 0"]),
        ("10/30", "", ["time_settings 0 30 10", "time_left black 30 10"]),
        ("4/move", "", ["time_settings 0 4 1", "time_left black 4 1"]),
        ("", ",time=2", ["time_settings 0 2 1", "time_left black 2 1"]),
    ],
)
def test_time_settings_are_sent(program, clock, options, message):
    choice_of(program(options=options), "go:size=5", clock=clock)
    assert [line for line in program.commands() if line.startswith("time")] == message


def test_games_that_gtp_cannot_express_are_refused(program):
    game = registry.game("go:size=3")
    with pytest.raises(Usage, match="ko ban"):
        choice_of(program(), "go:size=3", ".X./O../... black ko=C3")
    with pytest.raises(Usage, match="cannot set up a position"):
        choice_of(program(), "tictactoe", "x.o/.../...")
    with pytest.raises(Usage, match="cannot limit depth or nodes"):
        seats.player(program(options=",nodes=4"), game)


def test_gtp_readiness_is_queried(program):
    game = registry.game("go:size=5")
    player = seats.player(program(), game)
    try:
        player.begin(Match(game, [player, seats.player("random", game)]).view(0))
        before = program.commands()
        player.talk.ping(time.monotonic() + 10)
        assert program.commands() == [*before, "protocol_version"]
    finally:
        player.close()


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("hearts", "GTP is for two players, and hearts has 4"),
        ("kuhn", "GTP does not support imperfect information, as kuhn has"),
        ("backgammon", "GTP does not support chance, which backgammon has"),
    ],
)
def test_games_without_gtp_notation_are_refused(game, message):
    with pytest.raises(Usage, match=f"^{message}$"):
        Gtp.check(registry.game(game).new(), Limit())


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (["pass", "pass"], "'p1win', and by the rules it is 'p2win'"),
        (["A1"], ""),  # given up: what it would count is no result
    ],
)
def test_a_different_score_of_the_program_is_reported(program, moves, message):
    game = registry.game("go:size=3")
    player = seats.player(program(), game)
    match = Match(game, [player, seats.player("random", game)], moves=moves)
    player.begin(match.view(0))
    player.talk.prepare(match.position, time.monotonic() + 10)
    contradiction = player.contradiction(match.view(0))
    assert message in contradiction and bool(message) == bool(contradiction)
    player.close()


def test_our_engine_plays_our_engine():
    game = registry.game("go:size=5")
    ours = f"gtp:{sys.executable} -m gameplay gtp go:size=7 --engine random --seed 4"
    players = [seats.player(ours, game), seats.player("random", game, 5)]
    match = Match(game, players)
    match.play()
    assert match.reason == "rules" and match.payoffs
    players[0].close()


@pytest.mark.skipif(not os.path.exists("/usr/games/gnugo"), reason="GNU Go is not installed")
def test_gnu_go_plays_by_our_rules():
    game = registry.game("go:size=7,komi=0.5,handicap=2")
    gnu = seats.player("gtp:gnugo --mode gtp --level 1 --chinese-rules --positional-superko", game)
    match = Match(game, [seats.player("random", game, 2), gnu])
    try:
        match.play()
    except Fault as fault:
        pytest.fail(str(fault))
    finally:
        gnu.close()
    assert match.payoffs == (-1, 1)
