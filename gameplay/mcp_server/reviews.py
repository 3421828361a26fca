"""Reviews of games: of a list of moves, of a game of this server, or of the text of a recorded game."""

import tempfile
from pathlib import Path

from gameplay import registry
from gameplay import value as scale
from gameplay.errors import BadInput, Usage, unknown_name
from gameplay.matches.match import Match
from gameplay.mcp_server.allowlist import AllowedGames
from gameplay.mcp_server.answers import GameReview, Mistake, SideFigures
from gameplay.mcp_server.limits import Call
from gameplay.mcp_server.open_games import OpenGames
from gameplay.mcp_server.positions import split_moves
from gameplay.mcp_server.requests import ReviewRequest
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.verdict import VERDICTS
from gameplay.position import AbstractPosition
from gameplay.store.formats.conversion import pick
from gameplay.store.formats.game_formats import FORMATS
from gameplay.store.record import Record, record_of
from gameplay.training import review as lesson
from gameplay.training.review import Review, ReviewedMove

DEFAULT_NODES = 20_000  # of each search
SEARCH_SHARE = 0.1  # share of the call's seconds that a search may use
MAX_MISTAKES = 20  # in an answer
LINE_LENGTH = 6  # maximum moves of a better line


def review_game(request: ReviewRequest, allowed: AllowedGames, games: OpenGames, call: Call) -> GameReview:
    """Compare every move with the best one, until the call's time is used up.

    Raises Usage for a game that cannot be reviewed, BadInput for invalid moves or text.
    """
    record = _record(request, allowed, games)
    if not record.moves:
        raise BadInput('there are no moves to review. Try: "moves": "e4 e5 Qh5", or the text of a game')
    game = registry.game(record.game) if not request.game else allowed.game(request.game)
    engine = lesson.review_engine(game)
    default = min(DEFAULT_NODES, lesson.default_limit(game, engine).nodes or DEFAULT_NODES)
    judged: list[int] = []

    def watch(ply: int, plies: int) -> bool:
        call.progress = f"move {ply} of {plies}"
        if not call.over():
            judged.append(ply)
        return call.over()

    limit = call.limit(SEARCH_SHARE).with_(nodes=call.nodes or default)
    reviewed = lesson.review(record, engine, limit, watch)
    answer = _build_answer(reviewed, game.new(), f"{limit.nodes:,} nodes")
    if len(judged) < len(record.moves):
        answer.note = (
            f"the time sufficed for the first {len(judged)} plies of {len(record.moves)}. "
            "Try: more seconds, or fewer nodes"
        )
    return answer


def _record(request: ReviewRequest, allowed: AllowedGames, games: OpenGames) -> Record:
    """The record of the game that a call names."""
    if request.text:
        for name in ("game", "start", "moves", "game_id"):
            if getattr(request, name):
                raise Usage(f"{name} and text both name a game. Try: leave out {name}")
        return _read_text(request.text, request.format)
    if request.game_id:
        open_game = games.find(request.game_id)
        if open_game.match.secrets:
            raise Usage(f"{request.game_id} has imperfect information, and is reviewed when it is over")
        return record_of(open_game.match)
    game = allowed.game(request.game)
    players = [EmptySeat("human", "model") for _ in range(game.new().players)]
    return record_of(Match(game, players, request.start, split_moves(request.moves)))


def _read_text(text: str, form: str) -> Record:
    """The first game of a text. Raises Usage for an unknown format, BadInput for an invalid text."""
    suffix = f".{form.lower().lstrip('.')}"
    if suffix not in FORMATS:
        raise Usage(unknown_name("format", form, [name[1:] for name in FORMATS]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"text{suffix}"
        path.write_text(text, encoding="utf-8", errors="replace")
        try:
            return pick(path, 1, registry.game)
        except BadInput as error:
            raise BadInput(str(error).replace(str(path), "text")) from None


def _build_answer(review: Review, position: AbstractPosition, limit: str) -> GameReview:
    """Convert a review to an answer."""
    order = {name: rank for rank, name in enumerate(reversed(VERDICTS))}
    mistakes = sorted(review.mistakes, key=lambda move: (order[move.verdict], -move.loss, move.ply))
    answer = GameReview(
        game=review.game,
        result=review.outcome_text,
        measure=review.loss_unit,
        engine=review.engine,
        limit=limit,
        plies=len(review.moves),
        sides=[_side_figures(review, seat) for seat in range(len(review.sides))],
        mistakes=[_mistake(review, position, move) for move in mistakes[:MAX_MISTAKES]],
        opening=review.opening,
    )
    if len(mistakes) > MAX_MISTAKES:
        answer.note = f"{len(mistakes) - MAX_MISTAKES} smaller mistakes are not listed"
    return answer


def _side_figures(review: Review, seat: int) -> SideFigures:
    own = review.player_figures(seat)
    accuracy = round(own.accuracy, 1) if own.accuracy is not None and review.has_accuracy else None
    inaccuracies, mistakes, blunders = own.verdicts
    return SideFigures(review.sides[seat], own.moves, blunders, mistakes, inaccuracies, accuracy)


def _mistake(review: Review, position: AbstractPosition, move: ReviewedMove) -> Mistake:
    return Mistake(
        ply=move.ply,
        side=review.sides[move.player],
        move=move.move,
        severity=move.verdict,
        cost=round(move.loss, 3),
        value=scale.format_score(move.value or 0, position, move.exact, move.bound),
        best_value=scale.format_score(move.best or 0, position, move.exact, move.bound),
        better=move.line[:LINE_LENGTH] or [move.better],
        answer=move.answer[:LINE_LENGTH],
    )
