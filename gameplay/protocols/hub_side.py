"""The server side of Hub, for draughts programs.

The Hub protocol, version 2 (Fabien Letouzey, for Scan 3; also spoken by Kingsrow and pydraughts). Its variant
`normal` is international draughts, on 50 squares; `english` is checkers, on 32. Arguments are NAME=VALUE,
quoted where there are spaces:

    hub                                   id ..., param ... for each option, wait
    init                                  ready
    ping                                  pong, also during a search
    set-param name=NAME value=VALUE       variant is one of the parameters
    new-game
    pos pos=Wbbb...www [moves="32-28 ..."]    who moves, then the squares: w, b men, W, B kings, e empty
    level depth=N nodes=N move-time=S time=S inc=S moves=N infinite ponder
    go [think|ponder|analyze]             info ..., done move=32-28 [ponder=19-23]
    stop, ponder-hit, quit                as in UCI

A capture is written as its origin, its destination and the captured squares, `28x19x23`. Some programs assume
that White begins in every variant: if the moves, or men on their starting squares, require the other side to
move, that side is to move. Scores are in men; a win in n plies is 100 - n / 100.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from gameplay.errors import IllegalMove, Usage, brief, unknown_name
from gameplay.protocols.hub import VARIANTS, format_move, format_score, parse_arguments, to_fen
from gameplay.protocols.side import MatchHost, one_line
from gameplay.protocols.uci_side import UciRequest, UciSide
from gameplay.search.limit import MAX_LIMIT, Limit
from gameplay.search.report import Report
from gameplay.value import MAX_PLY

if TYPE_CHECKING:
    from gameplay.capabilities import PlaysDraughts
    from gameplay.players.engine import EnginePlayer
    from gameplay.players.player import MatchControl
    from gameplay.position import AbstractPosition


Seat = Callable[[str], "tuple[EnginePlayer, MatchHost, PlaysDraughts]"]
"""Creates the player, the host and a start position for a variant."""


class HubSide(UciSide):
    """A Hub server; `seat` creates the player of a variant."""

    commands: ClassVar[tuple[str, ...]] = (
        *("hub", "init", "ping", "set-param", "new-game", "pos", "level", "go", "stop", "ponder-hit"),
        "quit",
    )
    during = ("ping", "ponder-hit")
    terms: dict[str, str] | None = None  # the last `level`

    def __init__(self, title: str, seat: Seat, send: Callable[[str], object]) -> None:
        self.variant, *others = VARIANTS.values()
        self.variants = [self.variant, *others]
        self.seat = seat
        player, host, self.initial = seat(self.variant)
        super().__init__(title, player, host, send)

    # -- commands --------------------------------------------------------------------------------

    def _parse_command(self, tokens: list[str]) -> list[str]:
        if tokens and tokens[0] not in self.commands:
            self._send_notice(f"unknown command {brief(tokens[0])}")
            return []
        return tokens

    def _send_notice(self, text: str) -> None:
        plain = one_line(text).replace('"', "'")
        self.send(f'error message="{plain}"')

    def _hub(self, tokens: list[str]) -> None:
        name, version, *_ = [*self.title.split(), ""]
        self.send(f'id name={name} version={version} author="the gameplay developers"')
        self.send(f'param name=variant value={self.variant} type=enum values="{" ".join(self.variants)}"')
        for name in self._options():
            value = getattr(self.player.engine, name)
            kind = "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "string"
            text = str(value).lower() if kind == "bool" else str(value)
            self.send(f'param name={name} value="{text}" type={kind}')
        self.send("wait")

    def _init(self, tokens: list[str]) -> None:
        self.player.reserve()
        self.send("ready")

    def _ping(self, tokens: list[str]) -> None:
        self.send("pong")

    def _set_param(self, tokens: list[str]) -> None:
        given = parse_arguments(tokens)
        name, text = given.get("name", ""), given.get("value", "")
        if name == "variant":
            self._play(text)
        else:
            self._set_option(name, text)

    def _play(self, variant: str) -> None:
        """Switch to another variant with the same engine. Raises Usage."""
        if variant not in self.variants:
            raise Usage(unknown_name("variant", variant, self.variants))
        engine = self.player.engine
        player, self.host, self.initial = self.seat(variant)
        if engine is not None:
            player.use(engine)
        self.player, self.variant = player, variant
        self._begin()

    def _new_game(self, tokens: list[str]) -> None:
        self._begin()

    def _pos(self, tokens: list[str]) -> None:
        self.place = None
        given = parse_arguments(tokens)
        moves = given.get("moves", "").split()
        board = given.get("pos", "")
        usual = self.initial.squares()
        start = "" if board[1:] in ("", usual) else to_fen(board, len(usual))
        try:
            self.host.match(start, moves)
        except IllegalMove:
            if not moves or not start:
                raise
            start = to_fen("WB"[board[0].upper() == "W"] + board[1:], len(usual))
            self.host.match(start, moves)
        self.place = start, moves

    def _level(self, tokens: list[str]) -> None:
        self.terms = parse_arguments(tokens)

    def _ponder_hit(self, tokens: list[str]) -> None:
        self._ponderhit(tokens)

    def _parse_go(self, tokens: list[str]) -> UciRequest:
        given, kind = self.terms or {}, next(iter(tokens), "") or "think"
        if kind not in ("think", "ponder", "analyze"):
            raise Usage(f"go {brief(kind)}: expected go think, go ponder or go analyze")
        numbers: dict[str, float] = {}
        for name, text in given.items():
            if name not in ("depth", "nodes", "move-time", "time", "inc", "moves"):
                continue
            if not re.fullmatch(r"-?\d{1,15}(\.\d*)?", text):
                raise Usage(f"{name} must be a number, not '{text}'")
            numbers[name] = max(0.0, float(text))
        depth, nodes, seconds = (numbers.get(name) for name in ("depth", "nodes", "move-time"))
        limit = Limit(
            None if depth is None else min(max(int(depth), 1), MAX_PLY),
            None if nodes is None else min(max(int(nodes), 1), MAX_LIMIT),
            None if seconds is None else max(seconds, 0.001),
        )
        times = None
        if "time" in numbers:
            more = numbers.get("inc", 0.0)
            hand = (numbers["time"] + more, more)  # the increment is added before the move
            times = (hand, hand, int(numbers.get("moves", 0)))
        ponder = kind == "ponder"
        endless = kind in ("ponder", "analyze") or "infinite" in given
        self.go_request = UciRequest(limit, times, endless=endless, ponder=ponder)
        return self.go_request

    # -- searching -------------------------------------------------------------------------------

    def _go(self, tokens: list[str]) -> None:
        with self._reporting_errors():
            match = self._match()
            self.send(f"done {self._search(match, self._parse_go(tokens))}")

    def _best(self, match: "MatchControl", move: int, report: Report | None) -> str:
        line = report.pv[:2] if report is not None and report.pv[:1] == (move,) else (move,)
        names = ("move", "ponder")
        return " ".join(
            f"{name}={word}" for name, word in zip(names, self._format_line(match, line), strict=False)
        )

    def _send_info(self, match: "MatchControl", report: Report) -> None:
        points = format_score(report.value, match.position.unit)
        tokens = [f"info depth={report.depth} mean-depth={report.depth:.1f} score={points:.2f}"]
        tokens.append(f"nodes={report.nodes} time={report.seconds:.2f} nps={report.nps / 1e6:.3f}")
        line = " ".join(self._format_line(match, report.pv))
        self.send(" ".join([*tokens, *([f'pv="{line}"'] if line else [])]))

    def _word(self, position: "AbstractPosition", move: int) -> str:
        return format_move(position, move)
