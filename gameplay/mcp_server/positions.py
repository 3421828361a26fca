"""The position that a call names, and its description in an answer."""

import re
from collections.abc import Callable

from gameplay.board import Board
from gameplay.errors import Usage
from gameplay.matches.match import Match
from gameplay.matches.views import View
from gameplay.mcp_server.allowlist import AllowedGames
from gameplay.mcp_server.answers import PositionView
from gameplay.mcp_server.limits import MAX_LISTED_MOVES, clip
from gameplay.mcp_server.open_games import OpenGame, OpenGames, format_result
from gameplay.mcp_server.requests import PositionRequest
from gameplay.players.empty_seat import EmptySeat
from gameplay.position import CHANCE

MOVE_NUMBER = re.compile(r"^\d+\.+(?=\D|$)")  # as in 1.e4 e5 2. Nf3
MAX_MOVES_MADE = 60  # of the last moves, in an answer

Draw = Callable[[Board], str]


def split_moves(moves: str) -> list[str]:
    """Split a list of moves into words, without move numbers."""
    words = (MOVE_NUMBER.sub("", word) for word in moves.replace(",", " ").split())
    return [word for word in words if word]


def find_position(request: PositionRequest, allowed: AllowedGames, games: OpenGames) -> View:
    """The view of the position that a call names. Raises Usage, BadInput."""
    if request.game_id:
        for name in ("game", "start", "moves"):
            if getattr(request, name):
                raise Usage(f"{name} is for a position without game_id. Try: leave out {name}")
        return games.find(request.game_id).view()
    game = allowed.game(request.game)
    players = [EmptySeat("human", "model") for _ in range(game.new().players)]
    match = Match(game, players, request.start, split_moves(request.moves))
    return match.view(match.turn if match.position.hidden and match.turn != CHANCE else None)


def describe(view: View, draw: Draw, game: OpenGame | None = None) -> PositionView:
    """Describe a view; for a game of this server also the events since the last answer."""
    over = view.over()
    hidden = bool(view.position.hidden)
    answer = PositionView(
        game=view.game.spec,
        board=draw_board(view, draw),
        over=over,
        moves_made=view.words()[-MAX_MOVES_MADE:],
        position="" if hidden else clip(view.position.text() or "", 500),
    )
    if game is not None:
        seat = game.seat
        answer.game_id = game.name
        answer.you = view.side(seat or 0) if seat is not None or len(view.players) == 1 else "every side"
        others = {player.spec for number, player in enumerate(game.match.players) if number != seat}
        answer.opponent = ", ".join(sorted(others)) if seat is not None else ""
        answer.events = game.news()
    if over:
        answer.result = format_result(view)
        return answer
    answer.turn = "chance" if view.turn == CHANCE else view.side(view.turn)
    _list_moves(answer, view)
    if game is not None and not game.is_models_turn():
        answer.note = f"{answer.turn} is still to move. Try: play_move without a move"
    return answer


def _list_moves(answer: PositionView, view: View) -> None:
    """Add the legal moves to an answer, up to MAX_LISTED_MOVES."""
    legal = view.moves()
    answer.legal_count = len(legal)
    answer.legal_moves = [view.position.format(legal[at]) for at in range(min(len(legal), MAX_LISTED_MOVES))]
    if view.turn == CHANCE and len(legal) <= MAX_LISTED_MOVES:
        answer.chances = [round(float(probability), 6) for probability in view.position.chances()]


def draw_board(view: View, draw: Draw) -> str:
    """The board in plain characters."""
    board = view.board()
    return clip((draw(board) if board is not None else view.show()).rstrip("\n"), 4_000)
