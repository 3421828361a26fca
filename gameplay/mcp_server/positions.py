"""The position that a call is about, and how an answer shows it."""

import re
from collections.abc import Callable

from gameplay.board import Board
from gameplay.errors import Usage
from gameplay.matches.match import Match
from gameplay.matches.views import View
from gameplay.mcp_server.answers import PositionView
from gameplay.mcp_server.bounds import LISTED, clipped
from gameplay.mcp_server.offer import Offer
from gameplay.mcp_server.open_games import OpenGame, OpenGames, result
from gameplay.mcp_server.requests import PositionRequest
from gameplay.players.empty_seat import EmptySeat
from gameplay.position import CHANCE

NUMBER = re.compile(r"^\d+\.+(?=\D|$)")  # of a move, as books write it: 1.e4 e5 2. Nf3
TAIL = 60  # moves made that an answer repeats

Draw = Callable[[Board], str]


def split(moves: str) -> list[str]:
    """A list of moves as words, without their numbers."""
    words = (NUMBER.sub("", word) for word in moves.replace(",", " ").split())
    return [word for word in words if word]


def matched(asked: PositionRequest, offered: Offer, games: OpenGames) -> View:
    """What a call may see of the position that it names. Raises Usage, BadInput."""
    if asked.game_id:
        for name in ("game", "start", "moves"):
            if getattr(asked, name):
                raise Usage(f"{name} is for a position without game_id. Try: leave out {name}")
        return games.find(asked.game_id).view()
    game = offered.game(asked.game)
    players = [EmptySeat("human", "model") for _ in range(game.new().players)]
    match = Match(game, players, asked.start, split(asked.moves))
    return match.view(match.turn if match.position.hidden and match.turn != CHANCE else None)


def shown(view: View, draw: Draw, game: OpenGame | None = None) -> PositionView:
    """What a player sees of a match, and in a game started here what has happened since the last answer."""
    over = view.over()
    hidden = bool(view.position.hidden)
    answer = PositionView(
        game=view.game.spec,
        board=drawing(view, draw),
        over=over,
        moves_made=view.words()[-TAIL:],
        position="" if hidden else clipped(view.position.text() or "", 500),
    )
    if game is not None:
        seat = game.seat
        answer.game_id = game.name
        answer.you = view.side(seat or 0) if seat is not None or len(view.players) == 1 else "every side"
        others = {player.spec for one, player in enumerate(game.match.players) if one != seat}
        answer.opponent = ", ".join(sorted(others)) if seat is not None else ""
        answer.events = game.news()
    if over:
        answer.result = result(view)
        return answer
    answer.turn = "chance" if view.turn == CHANCE else view.side(view.turn)
    _list_moves(answer, view)
    if game is not None and not game.waits():
        answer.note = f"{answer.turn} is still to move. Try: play_move without a move"
    return answer


def _list_moves(answer: PositionView, view: View) -> None:
    """The legal moves, as many as an answer holds."""
    legal = view.moves()
    answer.legal_count = len(legal)
    answer.legal_moves = [view.position.format(legal[at]) for at in range(min(len(legal), LISTED))]
    if view.turn == CHANCE and len(legal) <= LISTED:
        answer.chances = [round(float(one), 6) for one in view.position.chances()]


def drawing(view: View, draw: Draw) -> str:
    """The board in plain characters."""
    board = view.board()
    return clipped((draw(board) if board is not None else view.show()).rstrip("\n"), 4_000)
