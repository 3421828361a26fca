"""The games that this server started, in memory: the model plays one seat, engines the others.

The seeds of deals, dice and opponents are derived from the server's seed and the number of the game. A call
can neither read nor choose them, and each game has its own deal.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby

from gameplay.errors import GameplayError, IllegalMove, TryLater, Usage, brief
from gameplay.matches.match import Event, Match
from gameplay.matches.views import HIDDEN_MOVE, View
from gameplay.mcp_server import allowlist
from gameplay.mcp_server.limits import Bounds, Call
from gameplay.mcp_server.requests import StartRequest
from gameplay.players import seats
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.level import ladder, level_engine
from gameplay.players.player import Choice, MatchControl, Player, Turn
from gameplay.position import CHANCE, AbstractPosition, parameters, side
from gameplay.registry import Game
from gameplay.search.limit import Limit
from gameplay.search.seeds import seed_of
from gameplay.specs import is_level

NO_OPPONENT = "none"  # the opponent if the model moves for every side
DEFAULT_LEVEL = 3  # level of an opponent, or the highest if there are fewer
MOVE_SECONDS = 1.0  # default limit of an engine's move
SEED_RANGE = 2**31  # number of seeds for games with a parameter `seed`
MAX_EVENTS = 40  # lines of events in an answer
MOVE_SHARE = 0.25  # share of a call's remaining seconds that an engine's move may use

SaveHook = Callable[[Match], object]  # attaches a listener that saves a new game


class OpenGame:
    """A game in progress. It is used by one call at a time, see `in_use`."""

    def __init__(self, name: str, match: Match, seat: int | None, limit: Limit) -> None:
        self.name = name
        self.match = match
        self.seat = seat  # the model's seat; None: it moves for every side
        self.limit = limit  # of an engine's move
        self.reported = 0  # turns included in previous answers
        self._call: Call | None = None
        self._lock = threading.Lock()
        match.listeners.append(self._listen)

    def _listen(self, event: Event) -> bool:
        """Report progress to the current call; true if its search should stop."""
        if event.kind != "report" or event.report is None or self._call is None:
            return False
        return self._call.watch(event.report)

    @contextmanager
    def in_use(self, call: Call) -> Iterator[None]:
        """Reserve the game for a call. Raises TryLater if another call uses it."""
        if not self._lock.acquire(blocking=False):
            raise TryLater(f"{self.name} is in use by another call. Try again when that has been answered")
        self._call = call
        try:
            yield
        finally:
            self._call = None
            self._lock.release()

    @property
    def viewer(self) -> int:
        """The seat whose view an answer shows: the model's, or that of the side to move."""
        if self.seat is not None:
            return self.seat
        return max(0, self.match.turn)

    def view(self) -> View:
        """The game from the model's view."""
        return self.match.view(self.viewer)

    def is_models_turn(self) -> bool:
        """True if the model is to move."""
        return not self.match.over() and self.match.turn == self.viewer

    def play(self, word: str) -> None:
        """Make the model's move, or resign. Raises IllegalMove, and Usage if the model is not to move."""
        match = self.match
        if match.over():
            raise Usage(f"{self.name} is over. Try: start_game, or close_game to make room")
        if not self.is_models_turn():
            raise Usage(f"{match.side(match.turn)} is to move in {self.name}. Try: play_move without a move")
        if word.lower() == "resign" and not _is_move(match, word):
            match.resign(self.viewer)
            return
        match.make(Choice(parse_move(match, word)))

    def advance(self, call: Call) -> None:
        """Play moves of chance and the engines until the model is to move or the call's time is used up.

        A cancelled search returns its best move so far.
        """
        match = self.match
        while not match.over() and not self.is_models_turn() and not call.over():
            if match.turn != CHANCE:
                player = match.players[match.turn]
                if player.limit is not None and not is_level(player.spec):
                    player.limit = self.limit.with_(seconds=self._seconds(call))
            match.step()

    def _seconds(self, call: Call) -> float:
        """The time limit of an engine's move."""
        own = self.limit.seconds
        budget = max(0.02, MOVE_SHARE * call.remaining)
        return budget if own is None else min(own, budget)

    def news(self) -> list[str]:
        """The events since the last answer, from the model's view; one line for the moves of a player."""
        turns = list(self.view().turns)
        new = turns[self.reported :]
        self.reported = len(turns)
        events: list[str] = []
        for player, made in groupby(new, lambda turn: turn.player):
            group = list(made)
            if player == CHANCE or player != self.seat:
                side_name = "chance" if player == CHANCE else self.match.side(player)
                events.append(f"{side_name}: {_format_moves(group)}")
            events += [line for turn in group for line in turn.news]
        omitted = len(events) - MAX_EVENTS
        return events if omitted <= 0 else [f"{omitted} lines before", *events[-MAX_EVENTS:]]


class OpenGames:
    """The open games by id: g1, g2, ... keep: called with each new match, to save it."""

    def __init__(self, bounds: Bounds, seed: int, keep: SaveHook | None = None) -> None:
        self.bounds = bounds
        self.seed = seed
        self.keep = keep
        self._games: dict[str, OpenGame] = {}
        self._count = 0
        self._lock = threading.Lock()

    def names(self) -> list[str]:
        """The ids of the open games, each with the name of its game."""
        return [f"{name} ({game.match.game.name})" for name, game in list(self._games.items())]

    def find(self, name: str) -> OpenGame:
        """The game with this id. Raises Usage."""
        game = self._games.get(name)
        if game is None:
            available = ", ".join(self.names()) or "none; start_game starts one"
            raise Usage(f"there is no open game '{brief(name)}' (open: {available})")
        return game

    def close(self, name: str) -> OpenGame:
        """Remove a game and close its players. Raises Usage."""
        game = self.find(name)
        with self._lock:
            self._games.pop(name, None)
        for player in game.match.players:
            player.close()
        return game

    def start(self, game: Game, request: StartRequest) -> OpenGame:
        """Start a game, without making moves. Raises Usage."""
        position = game.new(request.start)
        if position.hidden and "seed" in parameters(game.cls):
            raise Usage(f"{game.name} has a parameter seed and hidden information, and cannot be played here")
        alone = request.opponent == NO_OPPONENT or position.players == 1
        seat = None if alone else seats.seat(request.seat, position)
        if seat is None and position.hidden:
            raise Usage(f"{game.name} has imperfect information: you play one side. Try: leave out opponent")
        with self._lock:
            self._make_room()
            self._count += 1
            number = self._count
        seed = seed_of(self.seed, "game", number)
        chosen = game.with_seed(seed % SEED_RANGE)
        default = None if request.engine_nodes else MOVE_SECONDS
        limit = Limit(nodes=request.engine_nodes, seconds=request.engine_seconds or default)
        spec = request.opponent or _default_opponent(game)
        players = [
            _create_player(player_seat, seat, spec, chosen, seed, limit)
            for player_seat in range(position.players)
        ]
        match = Match(chosen, players, request.start, seed=seed)
        for player_seat, player in enumerate(players):
            player.begin(match.view(player_seat))
        started = OpenGame(f"g{number}", match, seat, limit)
        if self.keep is not None:
            self.keep(match)
        match.notify(Event("begin"))
        with self._lock:
            self._games[started.name] = started
        return started

    def _make_room(self) -> None:
        """Remove the oldest finished game if the limit is reached. Raises TryLater if none is finished."""
        if len(self._games) < self.bounds.max_games:
            return
        finished = [name for name, game in self._games.items() if game.match.over()]
        if not finished:
            open_ids = ", ".join(self._games)
            raise TryLater(
                f"{self.bounds.max_games} games are open, the maximum. Try: close_game ({open_ids})"
            )
        del self._games[finished[0]]


def _default_opponent(game: Game) -> str:
    """The default opponent: an easy level; none for a puzzle."""
    if game.new().players == 1:
        return NO_OPPONENT
    return f"level:{min(DEFAULT_LEVEL, len(ladder(game, level_engine(game))))}"


def _format_moves(turns: list[Turn]) -> str:
    """Moves in notation, and the number of those hidden from the model."""
    visible = [turn.word for turn in turns if turn.word != HIDDEN_MOVE]
    hidden = len(turns) - len(visible)
    return ", ".join(filter(None, [" ".join(visible), f"{hidden} hidden" if hidden else ""]))


def _create_player(
    player_seat: int, seat: int | None, spec: str, game: Game, seed: int, limit: Limit
) -> Player:
    """The player of a seat; an `EmptySeat` for the model, whose moves come from calls."""
    if seat is None or player_seat == seat:
        return EmptySeat("human", "model")
    opponent = allowlist.opponent_spec(spec)
    player_seed = seed_of(seed, "player", player_seat)
    return seats.player(opponent, game, player_seed, None if is_level(opponent) else limit)


def parse_move(match: Match, word: str) -> int:
    """Parse a legal move of the side to move. Raises IllegalMove, and Usage if it is empty."""
    if not word:
        raise Usage(f'move is empty. Try: "move": "{match.position.format(match.moves()[0])}"')
    move: int = match.call_game("parse()", match.position.parse, word)
    legal = move in match.moves() or move in match.concessions()
    if not legal and not match.call_game("allows()", match.position.allows, move):
        raise IllegalMove(f"'{brief(word)}' is not a legal move here")
    return move


def _is_move(match: Match, word: str) -> bool:
    try:
        parse_move(match, word)
    except GameplayError:
        return False
    return True


def format_result(match: MatchControl) -> str:
    """The result of a game as text; "unfinished" while in progress."""
    payoffs = match.payoffs
    if payoffs is None:
        return "unfinished"
    position: AbstractPosition = match.position
    reason = position.ending() if match.reason == "rules" else match.reason
    if min(payoffs) == max(payoffs):
        text = "draw" if len(payoffs) > 1 else "solved" if match.reason == "rules" else "ended"
    else:
        winners = [side(position, seat) for seat, payoff in enumerate(payoffs) if payoff == max(payoffs)]
        text = f"{' and '.join(winners)} won"
    text += f" by {reason}" if reason else ""
    if len(payoffs) == 2 and not position.scored:
        return text
    amounts = ", ".join(f"{side(position, seat)} {payoff:+g}" for seat, payoff in enumerate(payoffs))
    return f"{text} (payoffs: {amounts})"
