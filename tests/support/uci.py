"""Conversations in UCI that tests share."""

import sys

from gameplay import registry
from gameplay.matches.hosted import Hosted
from gameplay.matches.match import Match
from gameplay.players import seats
from gameplay.players.level import LevelPlayer, level_settings
from gameplay.protocols.uci import parse_move
from gameplay.protocols.uci_side import UciSide
from gameplay.search.engine import Engine
from tests.support.hosted import play_match

UCI = [sys.executable, "-m", "gameplay", "uci"]
GAME = registry.game("chess")
LASTING = registry.game("chess:claims=off")


class Conversation:
    """Our side without a process; `ask` returns its answer. A search never waits: `stop` is queued."""

    def __init__(self, engine: str = "alphabeta:depth=2,eval=material") -> None:
        self.messages: list[str] = []
        player = seats.player(engine, GAME)
        host = Hosted(GAME, player, parse_move, LASTING)

        def level(number: int, engine: Engine) -> LevelPlayer:
            return LevelPlayer(engine, level_settings(engine, GAME, number))

        self.side = UciSide("gameplay", player, host, self.messages.append, level, 10)

    def ask(self, *lines: str) -> list[str]:
        self.messages.clear()
        for line in lines:
            if "infinite" in line or "ponder" in line:
                self.side.inbox.put("stop")
            assert self.side.execute(line) == (line.split()[:1] != ["quit"])
        return self.messages[:]


def match(players: str, game: str = "chess", start: str = "", plies: int = 16) -> Match:
    return play_match(registry.game(game), players, plies, start)


def own_spec(options: str) -> str:
    return f"uci:{' '.join(UCI)},{options}"
