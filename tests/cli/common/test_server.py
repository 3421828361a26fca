"""The servers as started: player, game and protocol."""

import io
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest

from gameplay import __version__, registry
from gameplay.cli import router, run
from gameplay.cli.common import server
from gameplay.errors import GameplayError
from gameplay.knowledge.kinds import supported_options
from gameplay.players.level import LevelPlayer, ladder
from gameplay.protocols.gtp_go import GoSide
from gameplay.protocols.gtp_side import GtpSide
from gameplay.protocols.hub_side import HubSide
from gameplay.protocols.katago_side import KatagoSide
from gameplay.protocols.nboard_side import NBoardSide
from gameplay.protocols.uci_side import UciSide
from gameplay.protocols.ugi import UgiSide
from gameplay.protocols.xboard_side import XboardSide

pytestmark = pytest.mark.once

Begun = Callable[[str], Any]


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Begun:
    """The side that answers after these words; its input is empty."""
    sides: list[Any] = []
    monkeypatch.setattr(server.Server, "answer", staticmethod(lambda side: sides.append(side) or 0))

    def call(words: str) -> Any:
        assert run(router, "gameplay", words.split()) == 0
        return sides.pop()

    return call


@pytest.mark.parametrize(
    ("words", "kind", "game", "player"),
    [
        ("uci", UciSide, "chess", "selective"),
        ("uci connect4 --engine minimax", UciSide, "connect4", "minimax"),
        ("xboard", XboardSide, "chess", "selective"),
        ("ugi", UgiSide, "connect4", "selective"),
        ("ugi tictactoe --engine random --seed 3", UgiSide, "tictactoe", "random"),
        ("gtp", GoSide, "go", "mcts"),
        ("gtp go:size=5,komi=3 --engine random", GoSide, "go:size=5,komi=3", "random"),
        ("gtp othello --engine minimax", GtpSide, "othello", "minimax"),
        ("katago", KatagoSide, "go", "mcts"),
        ("hub", HubSide, "draughts", "selective"),
        ("nboard --engine minimax", NBoardSide, "othello", "minimax"),
    ],
)
def test_servers_by_protocol_and_game(begun: Begun, words: str, kind: type, game: str, player: str) -> None:
    side = begun(words)
    assert type(side) is kind and side.host.game.spec == game and side.host.player is side.player
    assert side.send is server.send_line and side.title == f"gameplay {__version__} {side.player.name}"
    assert side.title.split()[2].startswith(player if "--engine" in words else side.player.name)


def test_a_level_takes_no_limits_of_the_other_program(begun: Begun) -> None:
    for words in ("ugi tictactoe", "gtp go:size=5", "gtp othello"):
        assert begun(f"{words} --engine level:3").fixed is True
        assert begun(f"{words} --engine random").fixed is False


def test_server_levels_belong_to_an_engine_that_runs_until_stopped(begun: Begun) -> None:
    side = begun("uci --engine selective:table=1MB --seed 7")
    game = registry.game("chess")
    assert side.levels == len(ladder(game, side.player.engine)) == 13
    player = side.level(3, side.player.engine)
    assert isinstance(player, LevelPlayer) and player.name == "selective, level 3"
    assert player.seed == 7
    assert set(side.opens) == set(supported_options(game.new())) and "book" in side.opens
    with pytest.raises(GameplayError, match=r"there is no book .*nowhere\.book"):
        side.opens["book"]("nowhere.book")
    side = begun("uci tictactoe --engine minimax")
    assert (side.level, side.levels) == (None, 0), "its searches end by themselves"


def test_draw_claims_are_omitted_if_the_other_program_has_none(begun: Begun) -> None:
    assert begun("uci").host.spare.spec == "chess:claims=off"
    assert begun("uci chess:start=518").host.spare.spec == "chess:start=518,claims=off"
    for words in ("uci chess:claims=off", "uci chess:claims=on", "uci connect4"):
        assert begun(words).host.spare is None
    side = begun("uci")
    assert side.host.read(registry.game("chess").new(), "e2e4") == registry.game("chess").new().parse("e4")


def test_gtp_terms_of_go_override_ours(begun: Begun) -> None:
    """A board named by `go` replaces the one named here; other settings remain."""
    side = begun("gtp go:size=7,komi=5 --engine random")
    for terms, game in (
        ({}, "go:size=7,komi=5"),
        ({"komi": "3"}, "go:size=7,komi=3"),
        ({"columns": "9", "rows": "5"}, "go:komi=5,columns=9,rows=5"),
        ({"size": "5"}, "go:komi=5,size=5"),
    ):
        player, host = side.seat(terms)
        assert host.game.spec == game and host.player is player and player.name == "random"
        assert host.spare.spec == f"{game},ko=simple"
    with pytest.raises(GameplayError):
        side.seat({"size": "99"})
    _, host = begun("gtp othello --engine minimax").seat({})
    assert host.game.spec == "othello" and host.spare is None


def test_an_answer_is_listened_to_to_its_end_and_each_line_sent_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines: list[int] = []
    reader, writer = os.pipe()
    with os.fdopen(reader) as source, os.fdopen(writer, "w"):
        monkeypatch.setattr(sys, "stdin", source)

        class Side:
            def listen(self, number: int) -> None:
                lines.append(number)

        assert server.Server.answer(Side()) == 0
        assert lines == [reader]

    class Out(io.StringIO):
        sent = ""

        def flush(self) -> None:
            self.sent = self.getvalue()

    out = Out()
    monkeypatch.setattr(sys, "stdout", out)
    server.send_line("a line")
    assert out.sent == "a line\n"
