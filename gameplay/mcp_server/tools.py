"""The table of tools: the name, arguments, answer and action of each."""

import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from gameplay import rules
from gameplay.matches.views import View
from gameplay.mcp_server import requests, reviews, searches
from gameplay.mcp_server.allowlist import AllowedGames
from gameplay.mcp_server.answers import (
    AdviceText,
    ClosedGame,
    GameEntry,
    GameList,
    GameReview,
    GameRules,
    PositionView,
    SearchResult,
    ToolAnswer,
)
from gameplay.mcp_server.limits import Bounds, Call, clip
from gameplay.mcp_server.open_games import OpenGame, OpenGames, SaveHook, format_result
from gameplay.mcp_server.positions import Draw, describe, find_position
from gameplay.options import format_option
from gameplay.players.level import ladder, level_engine
from gameplay.position import AbstractPosition, parameters, side_names
from gameplay.registry import Game

WIDTH = 100  # columns of rules
MAX_EXAMPLES = 12  # first moves


class Toolset:
    """The state that the tools share: allowed games, games in progress, limits."""

    def __init__(
        self,
        draw: Draw,
        own: Sequence[Game] = (),
        bounds: Bounds | None = None,
        seed: int = 0,
        keep: SaveHook | None = None,
    ) -> None:
        self.bounds = bounds or Bounds()
        self.draw = draw
        self.allowed = AllowedGames(own)
        self.games = OpenGames(self.bounds, seed, keep)

    @contextmanager
    def _position(self, request: requests.PositionRequest, call: Call) -> Iterator[View]:
        """The position that a call names; a game of this server is reserved for the call."""
        view = find_position(request, self.allowed, self.games)
        if not request.game_id:
            yield view
            return
        with self.games.find(request.game_id).in_use(call):
            yield view

    # -- lists and rules -----------------------------------------------------------------------

    def list_games(self, request: requests.GamesRequest, call: Call) -> GameList:
        """The games whose name or summary contains the filter."""
        entries = [self._entry(name) for name in self.allowed.names()]
        wanted = request.filter.lower()
        return GameList([entry for entry in entries if wanted in f"{entry.name} {entry.summary}".lower()])

    def _entry(self, name: str) -> GameEntry:
        game = self.allowed.game(name)
        position = game.new()
        summary = (inspect.getdoc(game.cls) or "").partition("\n")[0].strip()
        return GameEntry(name, summary, position.players, bool(position.hidden), bool(position.chance))

    def describe_game(self, request: requests.RulesRequest, call: Call) -> GameRules:
        """The rules of a game, brief or full."""
        game = self.allowed.game(request.game)
        position = game.new()
        full = inspect.cleandoc(game.cls.__doc__ or "")
        text = full if request.full and full else "\n".join(rules.brief(game.cls, WIDTH, game))
        defaults = {key: parameter.default for key, parameter in parameters(game.cls).items()}
        return GameRules(
            game=game.spec,
            rules=clip(text),
            sides=side_names(position),
            hidden_information=bool(position.hidden),
            chance=bool(position.chance),
            example_moves=_first_moves(position),
            parameters={
                key: str(format_option(game.parameters.get(key, parameter)))
                for key, parameter in defaults.items()
                if parameter not in ("", inspect.Parameter.empty)
            },
            levels=_levels(game),
        )

    # -- games ---------------------------------------------------------------------------------

    def show_position(self, request: requests.PositionRequest, call: Call) -> PositionView:
        """A position, or a game that was started here."""
        with self._position(request, call) as view:
            return describe(view, self.draw, self.games.find(request.game_id) if request.game_id else None)

    def start_game(self, request: requests.StartRequest, call: Call) -> PositionView:
        """Start a game and play up to the model's first move."""
        game = self.games.start(self.allowed.game(request.game), request)
        return self._play_until_turn(game, call)

    def play_move(self, request: requests.MoveRequest, call: Call) -> PositionView:
        """Make a move of the model and play up to its next one."""
        game = self.games.find(request.game_id)
        word = request.move.strip()
        return self._play_until_turn(game, call, word) if word else self._play_until_turn(game, call)

    def _play_until_turn(self, game: OpenGame, call: Call, word: str = "") -> PositionView:
        with game.in_use(call):
            if word:
                game.play(word)
            game.advance(call)
            return describe(game.view(), self.draw, game)

    def close_game(self, request: requests.CloseRequest, call: Call) -> ClosedGame:
        """Close a game."""
        closed = self.games.close(request.game_id)
        return ClosedGame(closed.name, format_result(closed.match), self.games.names())

    # -- advice --------------------------------------------------------------------------------

    def exact_value(self, request: requests.BoundedRequest, call: Call) -> SearchResult:
        """The exact value of a position."""
        with self._position(request, call) as view:
            return searches.exact_value(view, call)

    def best_lines(self, request: requests.LinesRequest, call: Call) -> SearchResult:
        """The best moves of a position."""
        with self._position(request, call) as view:
            return searches.best_lines(view, request, call)

    def hint(self, request: requests.HintRequest, call: Call) -> AdviceText:
        """A hint of three levels."""
        with self._position(request, call) as view:
            return searches.hint(view, request, call)

    def explain_move(self, request: requests.ExplainRequest, call: Call) -> AdviceText:
        """Why a move is good or bad."""
        with self._position(request, call) as view:
            return searches.explain_move(view, request, call)

    def review_game(self, request: requests.ReviewRequest, call: Call) -> GameReview:
        """The mistakes of a game."""
        return reviews.review_game(request, self.allowed, self.games, call)


@dataclass(frozen=True)
class ToolEntry:
    """A tool. reads: it changes nothing; otherwise it changes games of this server."""

    title: str
    description: str
    arguments: type[requests.Request]
    answer: type[ToolAnswer]
    act: Callable[[Toolset, Any, Call], ToolAnswer]
    reads: bool = True
    default_seconds: float | None = None  # of a call; None: the server's default

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.act.__name__

    def bounded(self, bounds: Bounds) -> Bounds:
        """The bounds of a server with this tool's default seconds."""
        return (
            bounds if self.default_seconds is None else replace(bounds, default_seconds=self.default_seconds)
        )


TOOLS = {
    tool.name: tool
    for tool in (
        ToolEntry(
            "List the games",
            "List the games that can be played and analysed here, a line each.",
            requests.GamesRequest,
            GameList,
            Toolset.list_games,
        ),
        ToolEntry(
            "Describe a game",
            "Rules of a game in brief or in full, its notation with examples, sides, parameters and levels.",
            requests.RulesRequest,
            GameRules,
            Toolset.describe_game,
        ),
        ToolEntry(
            "Show a position",
            "Board, side to move and legal moves of a position, or of a game started here (game_id).",
            requests.PositionRequest,
            PositionView,
            Toolset.show_position,
        ),
        ToolEntry(
            "Start a game",
            "Start a game against an engine and show it at your turn. You see what your side may see.",
            requests.StartRequest,
            PositionView,
            Toolset.start_game,
            reads=False,
            default_seconds=math.inf,
        ),
        ToolEntry(
            "Play a move",
            "Make your move in a game started here; the opponents answer, and the new position is shown.",
            requests.MoveRequest,
            PositionView,
            Toolset.play_move,
            reads=False,
            default_seconds=math.inf,
        ),
        ToolEntry(
            "Close a game",
            "Forget a game started here; its result stands as it is.",
            requests.CloseRequest,
            ClosedGame,
            Toolset.close_game,
            reads=False,
        ),
        ToolEntry(
            "Exact value",
            "The proven value of a position and of every move, by solver, endgame tables or book: for "
            "two-player games of perfect information without chance. Says 'estimate' if the limits do not "
            "suffice.",
            requests.BoundedRequest,
            SearchResult,
            Toolset.exact_value,
        ),
        ToolEntry(
            "Best lines",
            "The best moves of a position by search, each with its value for the side to move and the line "
            "expected after it. Works for every game, also with chance and imperfect information.",
            requests.LinesRequest,
            SearchResult,
            Toolset.best_lines,
        ),
        ToolEntry(
            "Hint",
            "A hint for a learner: level 1 a general hint, 2 the best moves with values, 3 the best line. "
            "Begin with level 1.",
            requests.HintRequest,
            AdviceText,
            Toolset.hint,
        ),
        ToolEntry(
            "Explain a move",
            "What a move leads to and what it costs beside the best one; without a move, why the engine made "
            "its last move in a game started here.",
            requests.ExplainRequest,
            AdviceText,
            Toolset.explain_move,
        ),
        ToolEntry(
            "Review a game",
            "Find the mistakes of a finished or unfinished game, the worst first, with better lines and the "
            "accuracy of each side: two-player games of perfect information, bridge and Scrabble.",
            requests.ReviewRequest,
            GameReview,
            Toolset.review_game,
            default_seconds=math.inf,
        ),
    )
}


def _first_moves(position: AbstractPosition) -> list[str]:
    if position.outcome() is not None:
        return []
    legal = position.moves()
    return [position.format(legal[at]) for at in range(min(len(legal), MAX_EXAMPLES))]


def _levels(game: Game) -> int:
    """The number of levels of opponents; 0 for a puzzle."""
    return len(ladder(game, level_engine(game))) if game.new().players > 1 else 0
