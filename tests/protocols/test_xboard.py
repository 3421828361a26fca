"""Engines that speak the protocol of xboard: their quirks from a mock, and whole games of real ones."""

import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from gameplay import registry
from gameplay import value as scale
from gameplay.errors import Fault, Usage
from gameplay.matches.clock import Clock, parse_time_control
from gameplay.matches.match import Match
from gameplay.players import process, seats
from gameplay.players.process import ProcessPlayer
from gameplay.protocols import xboard
from gameplay.protocols.xboard import parse_info, parse_score
from tests.support.hosted import play_match
from tests.support.paths import TESTS
from tests.support.programs import are_gone, mark, short_timeouts

pytestmark = [pytest.mark.once, pytest.mark.skipif(os.name != "posix", reason="outside engines need POSIX")]

MOCK = TESTS / "support" / "mock_xboard.py"
GAME = registry.game("chess")
MATE = "f2f3 e7e5 g2g4 d8h4"  # the shortest game that mates
QUIET = "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6"

assert mark and short_timeouts  # fixtures


@pytest.fixture(autouse=True)
def short_feature_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the wait for features: an engine of version 1 sends none, others may take a second."""
    monkeypatch.setattr(xboard, "FEATURE_TIMEOUT", 1.5)


def spec(
    mark: str, like: str, *faults: str, line: str = MATE, log: Path | None = None, more: str = ""
) -> str:
    command = [sys.executable, "-I", "-S", str(MOCK), "--mark", mark, "--like", like, "--line", line]
    for fault in faults:
        command += ["--fault", fault]
    if log is not None:
        command += ["--log", str(log)]
    return f"xboard:{shlex.join(command)},name=mock{more}"


def program(text: str) -> ProcessPlayer:
    player = seats.player(text, GAME)
    assert isinstance(player, ProcessPlayer)
    return player


def play_against(player: ProcessPlayer, moves: str, clock: Clock | None = None) -> Match:
    """The match of the program, as Black, and a script of White's moves."""
    match = Match(GAME, [seats.player(f"script:{moves}", GAME), player], clock=clock)
    match.play()
    return match


@pytest.mark.parametrize(
    "like", ["fairymax", "phalanx", "sjeng", "gnuchess", "hoichess", "old", "san", "fischer"]
)
def test_engines_with_quirks_play_a_game(mark: str, like: str) -> None:
    moves = "f3 e5 g4 Qh4#" if like == "san" else MATE
    player = program(spec(mark, like, line=moves, more=",time=5"))
    for _ in range(2):  # twice, so that what comes after a game does not reach the next
        match = play_against(player, "f3 g4")
        assert match.words() == ["f3", "e5", "g4", "Qh4#"] and match.payoffs == (-1, 1)
    report = match.turns[1].report
    assert report is not None and report.pv[0] == match.turns[1].move and report.final
    values = {
        "fairymax": (6, 3, 104514),
        "phalanx": (12, 30, 592012),
        "sjeng": (3, 0, 441),
        "gnuchess": (12, 13, 2220000),
        "hoichess": (9, 58, 765377),
        "old": (6, 17, 1234),
        "san": (8, scale.WIN - 5, 999),
        "fischer": (1, -7, 1),
    }
    assert (report.depth, report.value, report.nodes) == values[like]
    player.close()


def test_moves_are_sent_as_the_engine_reads_them(mark: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = program(
        spec(mark, "san", line="f3 e5 g4 Qh4#", log=log, more=",time=2,Hash=32,threads=2,syzygypath=/tb")
    )
    play_against(player, "f3 g4")
    player.close()
    lines = log.read_text().splitlines()
    assert lines[:2] == ["xboard", "protover 2"]
    assert lines[lines.index("memory 32") :][:5] == [
        "memory 32",
        "cores 2",
        "egtpath syzygy /tb",
        "post",
        "easy",
    ]
    game = lines[lines.index("new") :]
    assert [text for text in game if not text.startswith("ping")] == [
        *("new", "force", "usermove f3", "st 2", "go", "force", "usermove g4", "go", "quit")
    ]
    assert [text for text in lines if text.startswith(("accepted", "rejected"))][:2] == [
        "accepted ping",
        "accepted setboard",
    ]


def test_engine_with_reuse_0_is_restarted(mark: str, tmp_path: Path) -> None:
    for like, starts in (("san", 2), ("fischer", 1)):
        log = tmp_path / like
        player = program(
            spec(mark, like, line="f3 e5 g4 Qh4#" if like == "san" else MATE, log=log, more=",time=5")
        )
        for _ in range(2):
            play_against(player, "f3 g4")
        player.close()
        assert log.read_text().splitlines().count("protover 2") == starts


@pytest.mark.parametrize(
    ("words", "level"),
    [
        ("60+0.6", "level 0 1 0.6"),
        ("40/90", "level 40 1:30 0"),
        ("0.5", "level 0 0:01 0"),
        ("3/move", "st 3"),
    ],
)
def test_clocks_are_announced(mark: str, tmp_path: Path, words: str, level: str) -> None:
    log = tmp_path / "log"
    player = program(spec(mark, "hoichess", log=log))
    match = play_against(player, "f3 g4", clock=Clock([parse_time_control(words)] * 2))
    player.close()
    assert match.payoffs == (-1, 1)
    lines = log.read_text().splitlines()
    assert lines.count(level) == 1
    times = [text.split() for text in lines if text.startswith(("time", "otim"))]
    assert [word for word, _ in times] == ["time", "otim"] * (2 if level.startswith("level") else 0)
    most = 100 * (parse_time_control(words).main + 2 * parse_time_control(words).increment)
    assert all(0 < int(text) <= most for _, text in times)


def test_a_move_number_before_the_program_took_over_counts(mark: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = program(spec(mark, "fischer", line="a2a3 a7a6 b2b3 b7b6 f2f3 e7e5 g2g4 d8h4", log=log))
    script = seats.player("script:f3 g4", GAME)
    match = Match(
        GAME, [script, player], "", ["a3", "a6", "b3", "b6"], clock=Clock([parse_time_control("40/90")] * 2)
    )
    match.play()
    player.close()
    assert "level 42 1:30 0" in log.read_text().splitlines()


def test_search_is_stopped_if_the_engine_cannot_limit_it(mark: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    for like, fault, more in (("phalanx", "deep", ",depth=20"), ("gnuchess", "slow", ",time=0.05")):
        player = program(spec(mark, like, f"{fault}@ply:1", log=log, more=more))
        match = play_against(player, "f3 g4")
        player.close()
        assert match.payoffs == (-1, 1)
        report = match.turns[1].report
        assert report is not None and report.depth <= 20
    lines = log.read_text().splitlines()
    assert (
        lines.count("?") == 2
        and "sd 20" in lines
        and "st 1" in lines
        and f"st {xboard.UNLIMITED_SECONDS}" in lines
    )


def test_depth_and_time_limits_are_accepted_and_nodes_are_not(mark: str) -> None:
    with pytest.raises(Usage, match=r"xboard cannot limit nodes\. Try: time=SECONDS, depth=N, or a clock"):
        seats.player("xboard:sh,nodes=100", GAME)
    with pytest.raises(Usage, match="xboard is supported for chess only"):
        seats.player("xboard:sh", registry.game("othello"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (",Contempt=3", "unknown option 'Contempt'"),
        (",Hash=lots", "Hash must be a whole number from 1 up, not 'lots'"),
        (",Hash=0", "Hash must be a whole number from 1 up, not '0'"),
    ],
)
def test_wrong_options_are_a_fault(mark: str, options: str, words: str) -> None:
    player = program(spec(mark, "fairymax", more=options))
    with pytest.raises(Fault, match=words) as caught:
        play_against(player, "f3 g4")
    assert caught.value.kind == "start" and are_gone(mark)


def test_xboard_options_are_set_by_kind(mark: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    more = ",resign=true,Resign Threshold=900,clear hash=,memory=8,time=1"
    player = program(spec(mark, "fairymax", log=log, more=more))
    play_against(player, "f3 g4")
    player.close()
    lines = log.read_text().splitlines()
    at = lines.index("option Resign=1")
    assert lines[at : at + 4] == [
        "option Resign=1",
        "option Resign Threshold=900",
        "option Clear Hash",
        "memory 8",
    ]


# -- positions ----------------------------------------------------------------------------------


def test_positions_are_set_up_or_edited(mark: str, tmp_path: Path) -> None:
    fen = "6k1/5ppp/8/8/8/8/8/R3K3 b Q - 0 1"
    for like, line in (("hoichess", "g8f8 a1a8"), ("fairymax", "g8f8 a1a8")):
        log = tmp_path / like
        player = program(spec(mark, like, line=line, log=log, more=",time=5"))
        match = Match(GAME, [seats.player("script:Ra8+", GAME), player], fen)
        match.step()
        player.close()
        assert match.words() == ["Kf8"]
        lines = log.read_text().splitlines()
        if like == "hoichess":
            assert f"setboard {fen}" in lines
        else:
            at = lines.index("edit")
            assert lines[at - 1] == "a2a3"  # so that Black is to move
            assert lines[at : lines.index(".") + 1] == [
                *("edit", "#", "Ra1", "Ke1", "c", "Kg8", "Pf7", "Pg7", "Ph7", ".")
            ]


@pytest.mark.parametrize(
    "fen",
    ["6k1/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"],
    ids=["castling", "passing"],
)
def test_positions_that_edit_cannot_express_are_a_fault(mark: str, fen: str) -> None:
    player = program(spec(mark, "fairymax", more=",time=5"))
    with pytest.raises(Fault, match="it has no setboard, and edit expresses neither") as caught:
        Match(GAME, [player, player], fen).play()
    assert caught.value.kind == "start"


def test_chess960_requires_engine_support(mark: str, tmp_path: Path) -> None:
    game = registry.game("chess:start=518")
    start = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
    log = tmp_path / "log"
    player = program(spec(mark, "fischer", line="O-O e8g8 O-O", log=log, more=",time=5"))
    special = registry.game("chess:start=356")
    match = Match(special, [player, player])
    with pytest.raises(Fault):
        match.step()  # the line is illegal there; the message counts
    lines = log.read_text().splitlines()
    at = lines.index("variant fischerandom")
    assert lines[at + 1] == "force" and lines[at + 2] == f"setboard {special.new().text()}"
    player.close()
    match = Match(game, [player, seats.player("script:O-O", game)], start)
    match.step()
    assert match.words() == ["O-O"]
    player.close()
    plain = program(spec(mark, "sjeng", more=",time=5"))
    with pytest.raises(Fault, match="does not play Chess960"):
        Match(special, [plain, plain]).step()


def test_castling_in_chess960_is_written_as_the_protocol_does() -> None:
    class XboardDouble(xboard.Xboard):
        def __init__(self) -> None:
            self.features = dict(xboard.FEATURES)

    talk = XboardDouble()
    position = registry.game("chess:start=518").new("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1")
    castling = position.parse("O-O")
    assert talk.format_move(position, castling) == "e1g1"
    position.chess960 = True
    assert talk.format_move(position, castling) == "O-O"
    assert [talk.parse_move(position, word) for word in ("O-O", "e1h1", "0-0", "e1g1")] == [castling] * 4
    talk.features["san"] = "1"
    assert talk.format_move(position, castling) == "O-O"


def test_undo_restarts_the_game_of_the_engine(mark: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = program(spec(mark, "hoichess", line=QUIET, log=log, more=",time=5"))
    match = Match(GAME, [seats.player("script:a3 b3", GAME), player])
    match.step()
    match.step()
    match.undo(1)
    match.step()
    player.close()
    lines = [text for text in log.read_text().splitlines() if not text.startswith(("ping", "accept"))]
    assert lines.count("new") == 2 and lines[-6:] == ["new", "force", "a2a3", "st 5", "go", "quit"]
    assert match.words() == ["a3", "a6"]


# -- faults -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "kind", "words"),
    [
        ("exit", "crash", "mock exited with status 1, after the moves"),
        ("hang", "hang", "mock had not moved after"),
        ("long", "protocol_error", "mock sent a line of more than 64 KiB"),
        ("illegal", "illegal_move", "mock answered 'e1e8' in "),
        ("control", "illegal_move", "mock answered "),
        ("nothing", "illegal_move", "mock answered ''"),
        ("refuse", "protocol_error", "mock refuses a legal move: 'Illegal move: f2f3'"),
        ("error", "hang", "its last words: tellusererror out of"),
        ("won", "protocol_error", r"mock claims '0-1 \{mates\}' instead of a move"),
        ("drawn", "protocol_error", "mock claims '1/2-1/2', and no rule gives a draw"),
    ],
)
def test_fault_of_an_xboard_program_is_named(
    mark: str, case: str, kind: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = ",timeout=60"  # a fault that is sent may take longer on a busy machine
    if kind == "hang":
        more = ",time=0.01,timeout=0.02"
        monkeypatch.setattr(process, "grace", lambda seconds: 0.1)
    player = program(spec(mark, "hoichess", f"{case}@ply:1", more=more))
    with pytest.raises(Fault, match=words) as caught:
        play_against(player, "f3 g4")
    assert caught.value.kind == kind
    player.close()
    assert are_gone(mark)


def test_garbage_before_a_move_is_skipped(mark: str) -> None:
    player = program(spec(mark, "hoichess", "garbage@ply:1", more=",time=5"))
    match = play_against(player, "f3 g4")
    player.close()
    report = match.turns[1].report
    assert match.payoffs == (-1, 1) and report is not None
    assert (report.depth, report.value, report.nodes) == (9, 58, 765377)


def test_silent_program_is_a_hang(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "PING", 0.3)
    monkeypatch.setattr(process, "grace", lambda seconds: 0.1)
    player = program(spec(mark, "hoichess", "mute", more=",time=0.01"))
    with pytest.raises(Fault, match=r"had not moved|does not read") as caught:
        play_against(player, "f3 g4")
    assert caught.value.kind in ("hang", "start")


def test_resignations_claims_and_offers(mark: str) -> None:
    for case in ("resign", "lost"):
        player = program(spec(mark, "hoichess", f"{case}@ply:1", more=",time=5"))
        match = play_against(player, "f3 g4")
        assert (match.payoffs, match.reason) == ((1, -1), "resigned")
        player.close()
    lasting = registry.game("chess:claims=off")
    shuffle = "g1f3 g8f6 f3g1 f6g8 " * 2
    player = program(spec(mark, "hoichess", "drawn@ply:8", line=shuffle, more=",time=5"))
    match = Match(lasting, [player, seats.player("script:Nf6 Ng8 Nf6 Ng8", lasting)])
    match.play()
    assert (match.payoffs, match.reason) == ((0, 0), "claimed")
    player.close()
    player = program(spec(mark, "hoichess", "offer@ply:1", "agree", line=QUIET, more=",time=5"))
    match = Match(GAME, [seats.player("script:a3 b3 c3", GAME), player])
    match.step()
    match.step()
    assert player.offers_draw(match) and player.accepts_draw(match)
    match.step()
    match.step()
    assert not player.offers_draw(match)
    player.close()
    player = program(spec(mark, "hoichess", line=QUIET, more=",time=5"))
    match = Match(GAME, [seats.player("script:a3 b3 c3", GAME), player])
    match.step()
    match.step()
    assert not player.offers_draw(match) and not player.accepts_draw(match)
    player.close()


# -- lines of thinking --------------------------------------------------------------------------


def test_lines_of_thinking() -> None:
    assert parse_info("6      3        6     104514 g8f6 b1c3") == {
        "depth": 6, "value": 3, "nodes": 104514, "pv": ["g8f6", "b1c3"],
    }  # fmt: skip
    assert parse_info("9 156 1084 48000 Nf3 1. ... Nc6 2.Nc3 <Nf6> !")["pv"] == ["Nf3", "Nc6", "Nc3", "Nf6"]
    assert parse_info("7 12 3 400\t10 99 0\te4 e5")["pv"] == ["e4", "e5"]
    assert parse_info("2& -5 0 3")["value"] == -5 and parse_info("2& -5 0 3")["pv"] == []
    for text in ("", "move e2e4", "1 2 3", "depth 3 score 4 time 5", "- 1 2 3 e4", "1 2 3 x e4", "9" * 400):
        assert parse_info(text) == {}


def test_values_of_mates_count_moves() -> None:
    assert [parse_score(points) for points in (0, -35, 99_999, 100_001, 100_003, -100_001, -100_000)] == [
        *(0, -35, 99_999, scale.WIN - 1, scale.WIN - 5, 2 - scale.WIN, 0 - scale.WIN)
    ]
    assert parse_score(999_999_999) > scale.MAX_EVAL and parse_score(-999_999_999) < -scale.MAX_EVAL


# -- real engines -------------------------------------------------------------------------------

# Without GNU Chess: between its two processes it sometimes loses a line, and then says nothing any more. The
# tests of quirks have a program that does what it does otherwise.
ENGINES = ["fairymax", "phalanx -b-", "sjeng", "hoichess"]


@pytest.mark.parametrize("line", ENGINES)
def test_real_engines_play_by_depth_and_by_the_clock(line: str) -> None:
    name = line.split()[0]
    if not shutil.which(name, path="/usr/games:/usr/local/games"):
        pytest.skip(f"{name} is not installed")
    start = "" if name == "fairymax" else "6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1"
    match = play_match(GAME, f"xboard:{line},depth=3,alphabeta:depth=2", 8, start)
    assert len(match.turns) == 8 or match.payoffs is not None
    reports = [turn.report for turn in match.turns if turn.player == 0]
    assert any(report is not None and report.depth <= 3 and report.pv for report in reports)
