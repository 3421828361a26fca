"""The server side of KataGo's analysis protocol, for programs that analyse games of Go.

The protocol is KataGo's (David Wu, docs/Analysis_Engine.md): one JSON object per line. A query names
positions of one game; each is answered separately, with its `turnNumber`:

    {"id": "a", "moves": [["B", "D4"]], "rules": "chinese", "komi": 7.5, "boardXSize": 9, "boardYSize": 9}

    moves, initialStones, initialPlayer      points as D4 or (3,5), pass
    rules, komi, whiteHandicapBonus          a name or an object; scoring is always by area
    boardXSize, boardYSize                   1 to 19
    analyzeTurns, priority, priorities       [the last position]; higher priorities first
    maxVisits, overrideSettings.maxTime      simulations [500], or nodes of a depth-first engine; seconds
    overrideSettings.reportAnalysisWinratesAs    BLACK (the default), WHITE or SIDETOMOVE
    allowMoves, avoidMoves                   for the first move of a line
    analysisPVLen                            moves of a line after its first [15]
    includeOwnership, includeMovesOwnership  of each point, row by row from the upper left corner
    includePolicy                            of each point in that order, and of passing; -1 for illegal moves
    reportDuringSearchEvery, firstReportDuringSearchAfter    seconds; answers with isDuringSearch true

An answer has rootInfo (currentPlayer, winrate, scoreLead, utility, visits) and moveInfos, the ten best moves
(move, order, visits, winrate, lcb, scoreLead, utility, pv). Engines with a learned policy (`--engine
mcts:eval=FILE`) report it as policy, and in moveInfos as the prior of each move. Winrates are
those of the search. scoreLead, the lead in points, and ownership are means of 200 playouts from the position,
or from the one after the move: the standard error is 2 points on 9x9 and 6 on 19x19, plus the bias of
playouts. Unsupported: raw values of a network, standard deviations, visits of lines. Unsupported or unknown
fields are reported by `warning`. Actions: query_version, query_models, clear_cache, terminate, terminate_all.
Invalid fields are reported by `error`. At the end of input, pending queries are answered first.
"""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty
from typing import TYPE_CHECKING, Any

from gameplay import __version__
from gameplay import value as scale
from gameplay.adapter import kernel_of
from gameplay.capabilities import GoBoard, HasDeadStones, HasPolicy, HasTerritory, PolicyLookup
from gameplay.errors import GameplayError, IllegalMove, brief, describe_exception
from gameplay.protocols.gtp_go import format_board
from gameplay.protocols.katago_query import COLOURS, Query, QueryError, read_query
from gameplay.protocols.side import GoRequest, MatchHost, Side, one_line
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report

if TYPE_CHECKING:
    from gameplay.players.engine import EnginePlayer
    from gameplay.players.player import MatchControl
    from gameplay.position import AbstractPosition

LINES = 10  # moves per answer
VISITS = 500  # of a search without a limit
ACTIONS = ("query_version", "query_models", "clear_cache", "terminate", "terminate_all")

Seat = Callable[[dict[str, str]], "tuple[EnginePlayer, MatchHost]"]
"""Creates the player and the host for parameters of the game. Raises BadInput."""
GameLine = tuple[str, list[str]]  # a start and the moves since then


@dataclass
class AnalysedTurn:
    """A position to search."""

    query: Query
    turn: int
    priority: int
    game_line: GameLine
    stopped: bool = False
    lead: float | None = None  # of Black, in points
    ownership: dict[int, float] = field(default_factory=dict)  # as HasTerritory.ownership
    leads: dict[int, float] = field(default_factory=dict)  # of Black, after a move
    move_ownership: dict[int, dict[int, float]] = field(default_factory=dict)  # ownership after a move
    policy: dict[int, float] | None = None  # of each legal move, for an engine with a learned policy


class KatagoSide(Side):
    """A server for KataGo's analysis protocol; serves one connection."""

    player: "EnginePlayer"

    def __init__(self, title: str, seat: Seat, send: Callable[[str], object]) -> None:
        self.seat = seat
        self.terms: dict[str, str] = {}
        player, host = seat(self.terms)
        super().__init__(title, player, host, send)
        self.player.knowledge = {}  # only search results are reported
        self.jobs: list[AnalysedTurn] = []
        self.job: AnalysedTurn | None = None  # the current search
        self.next_report = 0.0  # time of the next report
        self.final_report: Report | None = None

    # -- the conversation --------------------------------------------------------------------------

    def execute(self, line: str) -> bool:
        """Process one line and input that arrives meanwhile; false at the end of input."""
        self._process_line(line)
        self._poll_input(0)
        while self.jobs:
            job = max(self.jobs, key=lambda job: job.priority)  # the first of equals
            self.jobs.remove(job)
            self._answer(job)
            self._poll_input(0)
        return not self.input_ended

    def _poll_input(self, seconds: float) -> None:
        """Read input and queue its queries."""
        with suppress(Empty):
            while True:
                line = self.inbox.get(timeout=seconds) if seconds else self.inbox.get_nowait()
                seconds = 0
                if line is None:
                    self.input_ended = True
                else:
                    self._process_line(line)

    def _process_line(self, line: str) -> None:
        """Execute an action, or queue the positions of a query."""
        if not line.strip():
            return
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            self._send(error=f"Could not parse input line as json request: {brief(str(error), 80)}")
            return
        name = data.get("id") if isinstance(data, dict) else None
        if not isinstance(name, str) or not name or len(name) > 1000:
            self._send(error='Request must have a string "id" field')
            return
        try:
            if "action" in data:
                self._act(data)
            else:
                self._ask(read_query(data))
        except QueryError as error:
            self._send(error=str(error), field=error.field, id=name)

    def _send(self, **answer: Any) -> None:
        self.send(json.dumps(answer))

    def _send_notice(self, text: str) -> None:
        assert self.job is not None
        self._send(error=one_line(text), id=self.job.query.id)

    # -- actions -----------------------------------------------------------------------------------

    def _act(self, data: dict[str, Any]) -> None:
        action = data["action"]
        if action not in ACTIONS:
            raise QueryError("action", f"'action' field must be one of {', '.join(ACTIONS)}")
        result: dict[str, Any] = {}
        if action == "query_version":
            result = {"version": __version__, "git_hash": "<omitted>"}
        elif action == "query_models":
            result = {"models": [{"name": self.player.name, "internalName": self.title}]}
        elif action == "clear_cache":
            self._clear_memory()
        else:
            self._terminate(data)
        self._send(**{name: data[name] for name in data if name in _ECHOED_FIELDS}, **result)

    def _terminate(self, data: dict[str, Any]) -> None:
        """Stop searches by query and turns; queued ones are answered without results."""
        everything = data["action"] == "terminate_all"
        query_id, turns = data.get("terminateId"), data.get("turnNumbers")
        if not everything and not isinstance(query_id, str):
            raise QueryError("terminateId", "Must be a string")
        if turns is not None and not isinstance(turns, list):
            raise QueryError("turnNumbers", "Must be an array of integers")

        def is_selected(job: AnalysedTurn) -> bool:
            return (everything or job.query.id == query_id) and (turns is None or job.turn in turns)

        if self.job is not None and is_selected(self.job):
            self.stopping = True
        for job in [job for job in self.jobs if is_selected(job)]:
            self.jobs.remove(job)
            self._send_nothing(job)

    def _send_nothing(self, job: AnalysedTurn) -> None:
        self._send(id=job.query.id, isDuringSearch=False, noResults=True, turnNumber=job.turn)

    # -- queries -----------------------------------------------------------------------------------

    def _ask(self, query: Query) -> None:
        """Queue the positions of a query. Raises QueryError."""
        warnings = list(query.warnings)
        if query.policy and self._policy_lookup(query.terms) is None:
            warnings.append(("includePolicy", "The engine has no learned policy to report"))
        for name, text in warnings:
            self._send(warning=text, field=name, id=query.id)
        game_lines = self._game_lines(query)
        for turn, priority in zip(query.turns, query.priorities, strict=True):
            self.jobs.append(AnalysedTurn(query, turn, priority, game_lines[turn]))

    def _policy_lookup(self, terms: dict[str, str]) -> PolicyLookup | None:
        """The engine's learned policy for a game with these parameters; None without one."""
        player, host = self.seat(terms)
        position = host.match("", []).position
        evaluation = player.engine.evaluation(position) or position.evaluation
        policy = evaluation.policy(position) if isinstance(evaluation, HasPolicy) else None
        return policy if isinstance(policy, PolicyLookup) else None

    def _begin_with(self, terms: dict[str, str]) -> None:
        """Switch to a game with these parameters."""
        if terms != self.terms:
            self.player, self.host = self.seat(terms)
            self.player.knowledge = {}
            self.terms = terms

    def _game_lines(self, query: Query) -> list[GameLine]:
        """The position after each number of moves. Raises QueryError for an illegal one.

        If the same side moves twice, or after the end of the game, play continues from the board.
        """
        _, host = self.seat(query.terms)
        start = query.start()
        try:
            match = host.match(start, [])
        except GameplayError as error:
            raise QueryError("initialStones", one_line(str(error))) from None
        words: list[str] = []
        game_lines: list[GameLine] = []
        for number, (player, word) in enumerate([*query.moves, (-1, "")]):
            if match.payoffs is not None or (player >= 0 and match.position.turn != player):
                start, words = format_board(match.position, match.position.turn if player < 0 else player), []
            game_lines.append((start, words[:]))
            if player < 0:
                break
            words.append(word)
            try:
                match = host.match(start, words)
            except IllegalMove as error:
                raise QueryError("moves", f"Illegal move {number}: {brief(str(error), 200)}") from None
        return game_lines

    # -- searching ---------------------------------------------------------------------------------

    def _answer(self, job: AnalysedTurn) -> None:
        """Search a position and send the result."""
        self.job, self.final_report = job, None
        self.next_report = time.monotonic() + job.query.first_report_delay
        try:
            self._begin_with(job.query.terms)
            match = self.host.match(*job.game_line)
            lookup = self._policy_lookup(job.query.terms)
            job.policy = None if lookup is None else lookup.of(kernel_of(match.replica()))[1]
            limit = self._query_limit(job, match)
            self._search(match, GoRequest(limit))
            if self.final_report is None:
                self._send_nothing(job)
            else:
                self._show(match, self.final_report, during=False)
        except GameplayError as error:
            self._send_notice(str(error))
        except Exception as error:  # raised by the game's code
            self._send_notice(describe_exception(error))
        finally:
            self.job = None

    def _query_limit(self, job: AnalysedTurn, match: "MatchControl") -> Limit:
        query, player = job.query, match.position.turn
        engine_limit = self.player.limit
        visits = query.visits
        if visits is None and query.seconds is None and not engine_limit:
            visits = VISITS
        simulates = self.player.engine is not None and self.player.engine.simulates
        limit = Limit(seconds=query.seconds, multipv=LINES)
        limit = limit.with_(simulations=visits) if simulates else limit.with_(nodes=visits)
        return limit.with_(
            moves=_selected_moves(match, query.allowed.get(player), query.avoided.get(player, []))
        )

    def _limit(self, engine_limit: Limit, request: GoRequest) -> Limit:
        return engine_limit.within(request.limit).with_(multipv=LINES, moves=request.limit.moves)

    def _watch(self, match: "MatchControl", report: Report | None) -> bool:
        job, now = self.job, time.monotonic()
        assert job is not None
        if (
            report is not None
            and job.query.report_interval is not None
            and now >= self.next_report
            and report.valued
        ):
            self.next_report = now + job.query.report_interval
            self._show(match, report, during=True)
        self._poll_input(0)
        return self.stopping

    def _send_info(self, match: "MatchControl", report: Report) -> None:
        self.final_report = report

    # -- answers -----------------------------------------------------------------------------------

    def _show(self, match: "MatchControl", report: Report, during: bool) -> None:
        """Send the result of a search."""
        job = self.job
        assert job is not None
        query, position = job.query, match.position
        if job.lead is None:
            job.ownership = _ownership(position)
            job.lead = _lead(position, job.ownership)
        mover = 1 - 2 * position.turn
        sign = {"BLACK": mover, "WHITE": -mover}.get(query.perspective, 1)  # of the mover's values
        lines: tuple[Report | Candidate, ...] = report.candidates[:LINES] or (report,)
        infos: list[dict[str, Any]] = []
        for line in lines:
            moves = self._format_line(match, line.pv[: query.pv + 1])
            if moves:
                move = {"move": moves[0], "order": len(infos), "visits": line.visits or max(1, report.nodes)}
                infos.append(move | self._values(job, match, line, sign) | {"pv": moves})
                if query.moves_ownership:
                    infos[-1]["ownership"] = _point_rows(
                        position, job.move_ownership[line.pv[0]], sign * mover
                    )
        root = {"currentPlayer": COLOURS[position.turn], "visits": report.visits or report.nodes}
        root |= _values(position, report, job.lead, sign)
        answer = {"id": query.id, "isDuringSearch": during, "turnNumber": job.turn}
        answer |= {"moveInfos": infos, "rootInfo": {name: root[name] for name in root if name != "lcb"}}
        if query.ownership:
            answer["ownership"] = _point_rows(position, job.ownership, sign * mover)
        if query.policy and job.policy is not None:
            answer["policy"] = _policy(position, job.policy)
        self._send(**answer)

    def _values(
        self, job: AnalysedTurn, match: "MatchControl", line: Report | Candidate, sign: int
    ) -> dict[str, float]:
        move = line.pv[0]
        if move not in job.leads:
            after = match.replica()
            after.make(move)
            job.move_ownership[move] = _ownership(after)
            job.leads[move] = _lead(after, job.move_ownership[move])
        prior = {} if job.policy is None else {"prior": round(job.policy[move], 6)}
        return prior | _values(match.position, line, job.leads[move], sign)


_ECHOED_FIELDS = ("id", "action", "terminateId", "turnNumbers")


def _values(
    position: "AbstractPosition", line: Report | Candidate, lead: float, sign: int
) -> dict[str, float]:
    """Winrate, its lower bound, utility and lead. sign: -1 for the opponent's point of view.

    Without a search value, for example with a single legal move, the winrate is derived from the lead.
    """
    own_lead = lead * (1 - 2 * position.turn)
    rate = 1 / (1 + 3 ** (-own_lead / 10)) if line.bound == "unknown" else _rate(position, line, line.value)
    lower_bound = _rate(position, line, line.value - line.error) if line.error else rate
    if sign < 0:
        rate, lower_bound = 1 - rate, 1 - lower_bound
    return {
        "winrate": round(rate, 6),
        "lcb": round(lower_bound, 6),
        "utility": round(2 * rate - 1, 6),
        "scoreLead": round(own_lead * sign, 3) + 0.0,
    }


def _rate(position: "AbstractPosition", line: Report | Candidate, value: float) -> float:
    return scale.expected_score(value, position, line.bound)


def _selected_moves(match: "MatchControl", allowed: list[str] | None, avoided: list[str]) -> tuple[int, ...]:
    """The moves to search; empty for all."""
    if allowed is None and not avoided:
        return ()
    words = {move: match.position.format(move) for move in match.moves()}
    return tuple(
        move for move, word in words.items() if word not in avoided and (allowed is None or word in allowed)
    )


def _ownership(position: "AbstractPosition") -> dict[int, float]:
    assert isinstance(position, HasTerritory)
    return dict(position.ownership())


def _lead(position: "AbstractPosition", ownership: dict[int, float]) -> float:
    """Black's lead in points for this ownership, including komi."""
    assert isinstance(position, GoBoard)
    return sum(ownership.values()) - position.komi


def _point_rows(position: "AbstractPosition", ownership: dict[int, float], sign: int) -> list[float]:
    """Ownership, row by row from the upper left corner."""
    board = position.board()
    assert board is not None and isinstance(position, HasDeadStones)
    return [
        round(sign * ownership[position.point_number(f"{column}{row}")], 3) + 0.0
        for row in board.rows
        for column in board.columns
    ]


def _policy(position: "AbstractPosition", policy: dict[int, float]) -> list[float]:
    """The probability of each point, row by row from the upper left corner, and of passing; -1: illegal."""
    board = position.board()
    assert board is not None
    shares = {position.format(move): round(share, 6) for move, share in policy.items()}
    points = [f"{column}{row}" for row in board.rows for column in board.columns]
    return [shares.get(word, -1) for word in [*points, "pass"]]
