"""Exact values, best lines, hints and explanations. Each search runs in a `Session`."""

from gameplay import registry
from gameplay import value as scale
from gameplay.errors import Usage
from gameplay.matches.views import View
from gameplay.mcp_server import allowlist
from gameplay.mcp_server.answers import AdviceText, MoveLine, SearchResult
from gameplay.mcp_server.limits import Call
from gameplay.mcp_server.requests import ExplainRequest, HintRequest, LinesRequest
from gameplay.players.advice_commands import AdviceCommands
from gameplay.players.judge import Judge, puzzle_options
from gameplay.players.knowledge import search_knowledge
from gameplay.players.pieces import PieceInput
from gameplay.position import CHANCE
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report
from gameplay.search.session import Session

PV_LENGTH = 12  # maximum moves of a line
MAX_EXACT_MOVES = 60  # maximum moves with exact values in an answer
ENGINE = "perfect:table=64MB"


def exact_value(view: View, call: Call) -> SearchResult:
    """The exact value of a position and of each of its moves; an estimate if the limits do not suffice.

    Raises Usage unless the game has two players, perfect information and no chance.
    """
    engine, _ = registry.engine(ENGINE)
    _check_solvable(view)
    check_turn(view)
    registry.check_engine(engine, view.position)
    session = Session(engine)
    session.knowledge = search_knowledge(engine, {}, view.game)
    position = view.replica()
    every = len(position.moves())
    report = session.search(position, call.limit().with_(multipv=every), call.watch)
    answer = search_result(view, report, str(engine.name), MAX_EXACT_MOVES)
    if not report.exact:
        answer.note = "not solved within the limits: an estimate. Try: more seconds, or best_lines"
    elif every > len(answer.moves):
        answer.note = f"{every - len(answer.moves)} more moves are not listed"
    return answer


def _check_solvable(view: View) -> None:
    """Raise Usage unless the game has two players, perfect information and no chance."""
    position, game = view.position, view.game.spec
    obstacle = (
        "has imperfect information"
        if position.hidden
        else "has chance nodes"
        if position.chance
        else "is a puzzle"
        if position.players == 1
        else ""
    )
    if obstacle:
        raise Usage(
            "exact_value requires a two-player game of perfect information without chance; "
            f"{game} {obstacle}. Try: best_lines"
        )


def best_lines(view: View, request: LinesRequest, call: Call) -> SearchResult:
    """The best moves of a position, each with its value and principal variation."""
    check_turn(view)
    position = view.replica()
    if request.engine:
        engine, _ = registry.engine(allowlist.engine_name(request.engine))
    else:
        kind = registry.default_engine(position)
        engine = kind(**puzzle_options(position))
    if engine.instant or not engine.thinks:
        raise Usage(f"{engine.name} does not search. Try: leave out engine")
    registry.check_engine(engine, position)
    session = Session(engine)
    session.knowledge = search_knowledge(engine, {}, view.game)
    limit = call.limit().with_(depth=request.depth, multipv=request.lines)
    report = session.search(position, limit, call.watch)
    return search_result(view, report, str(engine.name), request.lines)


def hint(view: View, request: HintRequest, call: Call) -> AdviceText:
    """The hint of the command `hint`: level 1 is general, 2 names the best moves, 3 shows the best line."""
    check_turn(view)
    return AdviceText(view.game.spec, _advice(call).hint(view, request.level), request.level)


def explain_move(view: View, request: ExplainRequest, call: Call) -> AdviceText:
    """Explain a move by comparison with the best one; without a move, explain the last move of an engine."""
    if request.move:
        check_turn(view)
    elif not request.game_id:
        raise Usage('move is missing. Try: "move": "4"; without one in a game started here')
    commands = {command.name: command for command in _advice(call).commands}
    return AdviceText(view.game.spec, commands["why"].act(view, request.move).text)


def _advice(call: Call) -> AdviceCommands:
    """Advice commands whose two searches share the time of the call."""
    judge = Judge(Limit(nodes=call.nodes, seconds=max(0.02, call.remaining / 2)))
    judge.watch = call.watch
    return AdviceCommands(PieceInput(), judge)


def check_turn(view: View) -> None:
    """Raise Usage unless the player whose view it is is to move."""
    if view.over():
        raise Usage("the game is over: there is nothing to search. Try: an earlier position")
    if view.turn == CHANCE:
        raise Usage(
            "chance is to move: there is no decision to search. Try: add its move (show_position lists them)"
        )
    if not view.sees_all and view.seat != view.turn:
        raise Usage(f"{view.side(view.turn)} is to move. Try: play_move without a move")


def search_result(view: View, report: Report, engine: str, most: int) -> SearchResult:
    """Convert a report to an answer with at most `most` moves."""
    position = view.position
    candidates = [candidate for candidate in report.candidates if candidate.bound != "unknown"][:most]
    best = candidates[0] if candidates else Candidate(-1, report.value, report.bound, pv=report.pv)
    return SearchResult(
        game=view.game.spec,
        turn=view.side(view.turn),
        kind="exact" if report.exact else "estimate",
        value=_format_value(view, report),
        moves=[
            MoveLine(
                position.format(candidate.move),
                _format_move_value(view, candidate),
                candidate.proven or (report.exact and candidate is best),
                view.spell(candidate.pv or (candidate.move,))[:PV_LENGTH],
            )
            for candidate in candidates
        ],
        method=report.source,
        engine=engine,
        depth=report.depth,
        nodes=report.nodes,
        simulations=report.visits,
        note=report.facts if ": " in report.facts else "",
    )


def _format_value(view: View, report: Report) -> str:
    """The value of the position, for all sides."""
    position = view.position
    if report.values:
        each = enumerate(report.values)
        return ", ".join(
            f"{view.side(seat)} {scale.format_amount(value, position.unit)}" for seat, value in each
        )
    if report.thresholds:
        return scale.format_goal_distance(report.value, position, report.bound)
    if position.players != 2:
        figure = scale.format_score(report.value, position, report.exact, report.bound)
        return f"{figure} {scale.unit_name(position, report.bound, report.value)}"
    sides = [view.side(seat) for seat in range(2)]
    mover = view.turn
    return scale.format_for_side(report.value, position, sides, mover, mover, report.exact, report.bound)


def _format_move_value(view: View, candidate: Candidate) -> str:
    """The value of a move for its mover."""
    position = view.position
    if candidate.values:
        return scale.format_amount(candidate.values[view.turn], position.unit)
    return scale.format_score(candidate.value, position, candidate.proven, candidate.bound)
