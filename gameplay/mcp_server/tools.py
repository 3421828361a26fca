"""The table of tools: what each is called, takes and returns, and what it does."""

import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from gameplay import rules
from gameplay.matches.views import View
from gameplay.mcp_server import requests, reviews, searches
from gameplay.mcp_server.answers import (
    AdviceText,
    Closing,
    GameEntry,
    GameList,
    GameReview,
    GameRules,
    PositionView,
    SearchResult,
    ToolAnswer,
)
from gameplay.mcp_server.bounds import Bounds, Call, clipped
from gameplay.mcp_server.offer import Offer
from gameplay.mcp_server.open_games import Keep, OpenGame, OpenGames, result
from gameplay.mcp_server.positions import Draw, matched, shown
from gameplay.options import written
from gameplay.players.level import ladder, level_engine
from gameplay.position import AbstractPosition, parameters, side
from gameplay.registry import Game

WIDTH = 100  # columns of rules
MAX_EXAMPLES = 12  # first moves


class Toolset:
    """What the tools share: the games on offer, those in progress, the limits."""

    def __init__(
        self,
        draw: Draw,
        own: Sequence[Game] = (),
        bounds: Bounds | None = None,
        seed: int = 0,
        keep: Keep | None = None,
    ) -> None:
        self.bounds = bounds or Bounds()
        self.draw = draw
        self.offer = Offer(own)
        self.games = OpenGames(self.bounds, seed, keep)

    @contextmanager
    def _position(self, asked: requests.PositionRequest, call: Call) -> Iterator[View]:
        """The position that a call names; a game started here is in use meanwhile."""
        view = matched(asked, self.offer, self.games)
        if not asked.game_id:
            yield view
            return
        with self.games.find(asked.game_id).in_use(call):
            yield view

    # -- what there is -------------------------------------------------------------------------

    def list_games(self, asked: requests.GamesRequest, call: Call) -> GameList:
        """The games, or those that fit a filter."""
        entries = [self._entry(name) for name in self.offer.names()]
        wanted = asked.filter.lower()
        return GameList([one for one in entries if wanted in f"{one.name} {one.summary}".lower()])

    def _entry(self, name: str) -> GameEntry:
        game = self.offer.game(name)
        position = game.new()
        summary = (inspect.getdoc(game.cls) or "").partition("\n")[0].strip()
        return GameEntry(name, summary, position.players, bool(position.hidden), bool(position.chance))

    def describe_game(self, asked: requests.RulesRequest, call: Call) -> GameRules:
        """The rules of a game, brief or full."""
        game = self.offer.game(asked.game)
        position = game.new()
        full = inspect.cleandoc(game.cls.__doc__ or "")
        text = full if asked.full and full else "\n".join(rules.brief(game.cls, WIDTH, game))
        defaults = {key: one.default for key, one in parameters(game.cls).items()}
        return GameRules(
            game=game.spec,
            rules=clipped(text),
            sides=[side(position, seat) for seat in range(position.players)],
            hidden_information=bool(position.hidden),
            chance=bool(position.chance),
            example_moves=_first_moves(position),
            parameters={
                key: str(written(game.parameters.get(key, one)))
                for key, one in defaults.items()
                if one not in ("", inspect.Parameter.empty)
            },
            levels=_levels(game),
        )

    # -- games ---------------------------------------------------------------------------------

    def show_position(self, asked: requests.PositionRequest, call: Call) -> PositionView:
        """A position, or a game that was started here."""
        with self._position(asked, call) as view:
            return shown(view, self.draw, self.games.find(asked.game_id) if asked.game_id else None)

    def start_game(self, asked: requests.StartRequest, call: Call) -> PositionView:
        """A new game, up to the model's first move."""
        game = self.games.start(self.offer.game(asked.game), asked)
        return self._play_until_turn(game, call)

    def play_move(self, asked: requests.MoveRequest, call: Call) -> PositionView:
        """A move of the model, and what the others answer."""
        game = self.games.find(asked.game_id)
        word = asked.move.strip()
        return self._play_until_turn(game, call, word) if word else self._play_until_turn(game, call)

    def _play_until_turn(self, game: OpenGame, call: Call, word: str = "") -> PositionView:
        with game.in_use(call):
            if word:
                game.play(word)
            game.advance(call)
            return shown(game.view(), self.draw, game)

    def close_game(self, asked: requests.CloseRequest, call: Call) -> Closing:
        """Ends a game."""
        closed = self.games.close(asked.game_id)
        return Closing(closed.name, result(closed.match), self.games.names())

    # -- advice --------------------------------------------------------------------------------

    def exact_value(self, asked: requests.BoundedRequest, call: Call) -> SearchResult:
        """The exact value of a position."""
        with self._position(asked, call) as view:
            return searches.exact_value(view, call)

    def best_lines(self, asked: requests.LinesRequest, call: Call) -> SearchResult:
        """The best moves of a position."""
        with self._position(asked, call) as view:
            return searches.best_lines(view, asked, call)

    def hint(self, asked: requests.HintRequest, call: Call) -> AdviceText:
        """A hint of three levels."""
        with self._position(asked, call) as view:
            return searches.hint(view, asked, call)

    def explain_move(self, asked: requests.ExplainRequest, call: Call) -> AdviceText:
        """Why a move is good or bad."""
        with self._position(asked, call) as view:
            return searches.explain_move(view, asked, call)

    def review_game(self, asked: requests.ReviewRequest, call: Call) -> GameReview:
        """The mistakes of a game."""
        return reviews.review_game(asked, self.offer, self.games, call)


@dataclass(frozen=True)
class ToolEntry:
    """A tool. `reads`: it changes nothing; else it plays in games that this server started."""

    title: str
    description: str
    arguments: type[requests.Request]
    answer: type[ToolAnswer]
    act: Callable[[Toolset, Any, Call], ToolAnswer]
    reads: bool = True
    usual: float | None = None  # seconds of a call that names none; None: those of the server

    @property
    def name(self) -> str:
        """What it is called."""
        return self.act.__name__

    def bounded(self, bounds: Bounds) -> Bounds:
        """The bounds of a server for a call of this tool."""
        return bounds if self.usual is None else replace(bounds, usual=self.usual)


TOOLS = {
    one.name: one
    for one in (
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
            usual=math.inf,
        ),
        ToolEntry(
            "Play a move",
            "Make your move in a game started here; the opponents answer, and the new position is shown.",
            requests.MoveRequest,
            PositionView,
            Toolset.play_move,
            reads=False,
            usual=math.inf,
        ),
        ToolEntry(
            "Close a game",
            "Forget a game started here; its result stands as it is.",
            requests.CloseRequest,
            Closing,
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
            "expected after it. Works for every game, also with chance and hidden information.",
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
            usual=math.inf,
        ),
    )
}


def _first_moves(position: AbstractPosition) -> list[str]:
    if position.outcome() is not None:
        return []
    legal = position.moves()
    return [position.format(legal[at]) for at in range(min(len(legal), MAX_EXAMPLES))]


def _levels(game: Game) -> int:
    """How many levels of opponents there are; 0 for a puzzle."""
    return len(ladder(game, level_engine(game))) if game.new().players > 1 else 0
