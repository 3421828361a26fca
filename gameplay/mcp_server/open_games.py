"""The games that were started here, kept in memory: the model on one seat, engines on the others.

The seeds of deals, dice and opponents follow from the server's seed and the number of the game; a call can
neither read nor choose them, so that no two games have the same deal.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby

from gameplay.errors import GameplayError, IllegalMove, TryLater, Usage, brief
from gameplay.matches.match import Event, Match, seed_of
from gameplay.matches.views import HIDDEN_MOVE, View
from gameplay.mcp_server import offer
from gameplay.mcp_server.bounds import Bounds, Call
from gameplay.mcp_server.requests import StartRequest
from gameplay.players import seats
from gameplay.players.empty_seat import EmptySeat
from gameplay.players.level import ladder, level_engine
from gameplay.players.player import Choice, MatchControl, Player, Turn
from gameplay.position import CHANCE, AbstractPosition, parameters, side
from gameplay.registry import Game
from gameplay.search.limit import Limit
from gameplay.specs import is_level

NONE = "none"  # the opponent of a game in which the model moves for every side
EASY = 3  # the default level of an opponent, where there are so many
MOVE_SECONDS = 1.0  # of an engine's move, where start_game names no limit
SEEDS = 2**31  # seeds of a game that has such a parameter
EVENTS = 40  # lines of what happened
SHARE = 0.25  # of the seconds left in a call, that an engine's move may take

Keep = Callable[[Match], object]  # what has a started game saved


class OpenGame:
    """A game in progress. One call at a time plays in it, see `in_use`."""

    def __init__(self, name: str, match: Match, seat: int | None, limit: Limit) -> None:
        self.name = name
        self.match = match
        self.seat = seat  # the model's; None: it moves for every side
        self.limit = limit  # of an engine's move
        self.seen = 0  # turns that an answer has reported
        self._call: Call | None = None
        self._lock = threading.Lock()
        match.listeners.append(self._listen)

    def _listen(self, event: Event) -> bool:
        """True if the search in progress should stop."""
        if event.kind != "report" or event.report is None or self._call is None:
            return False
        return self._call.watch(event.report)

    @contextmanager
    def in_use(self, call: Call) -> Iterator[None]:
        """Play in it for a call. Raises TryLater if another call does."""
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
        """The game as the model may see it."""
        return self.match.view(self.viewer)

    def waits(self) -> bool:
        """True if the model is to move."""
        return not self.match.over() and self.match.turn == self.viewer

    def play(self, word: str) -> None:
        """Make the model's move. Raises IllegalMove, and Usage where it is not to move."""
        match = self.match
        if match.over():
            raise Usage(f"{self.name} is over. Try: start_game, or close_game to make room")
        if not self.waits():
            raise Usage(f"{match.side(match.turn)} is to move in {self.name}. Try: play_move without a move")
        if word.lower() == "resign" and not _is_move(match, word):
            match.resign(self.viewer)
            return
        match.make(Choice(parsed(match, word)))

    def advance(self, call: Call) -> None:
        """Have chance and the engines move until the model is to move, or the time of the call is over.

        A search that is cancelled ends with its best move so far.
        """
        match = self.match
        while not match.over() and not self.waits() and not call.over():
            if match.turn != CHANCE:
                player = match.players[match.turn]
                if player.limit is not None and not is_level(player.spec):
                    player.limit = self.limit.with_(seconds=self._seconds(call))
            match.step()

    def _seconds(self, call: Call) -> float:
        """How long an engine's move may take now."""
        own = self.limit.seconds
        budget = max(0.02, SHARE * call.remaining)
        return budget if own is None else min(own, budget)

    def news(self) -> list[str]:
        """What happened since the last answer, as the model may see it; moves of one player on a line."""
        turns = list(self.view().turns)
        new = turns[self.seen :]
        self.seen = len(turns)
        events: list[str] = []
        for player, made in groupby(new, lambda turn: turn.player):
            own = list(made)
            if player == CHANCE or player != self.seat:
                events.append(f"{'chance' if player == CHANCE else self.match.side(player)}: {_words(own)}")
            events += [line for turn in own for line in turn.news]
        return (
            events if len(events) <= EVENTS else [f"{len(events) - EVENTS} lines before", *events[-EVENTS:]]
        )


class OpenGames:
    """All of them, by their ids: g1, g2, ... `keep` has each saved."""

    def __init__(self, bounds: Bounds, seed: int, keep: Keep | None = None) -> None:
        self.bounds = bounds
        self.seed = seed
        self.keep = keep
        self._games: dict[str, OpenGame] = {}
        self._count = 0
        self._lock = threading.Lock()

    def names(self) -> list[str]:
        """The ids of the open games with what is played."""
        return [f"{name} ({one.match.game.name})" for name, one in list(self._games.items())]

    def find(self, name: str) -> OpenGame:
        """The game with this id. Raises Usage."""
        game = self._games.get(name)
        if game is None:
            there = ", ".join(self.names()) or "none; start_game starts one"
            raise Usage(f"there is no open game '{brief(name)}' (open: {there})")
        return game

    def close(self, name: str) -> OpenGame:
        """Forget a game. Raises Usage."""
        game = self.find(name)
        with self._lock:
            self._games.pop(name, None)
        for player in game.match.players:
            player.close()
        return game

    def start(self, game: Game, asked: StartRequest) -> OpenGame:
        """A new game, of which nothing is played yet. Raises Usage."""
        position = game.new(asked.start)
        if position.hidden and "seed" in parameters(game.cls):
            raise Usage(f"{game.name} deals by a seed of its own, and is not played here")
        alone = asked.opponent == NONE or position.players == 1
        seat = None if alone else seats.seat(asked.seat, position)
        if seat is None and position.hidden:
            raise Usage(f"{game.name} has hidden information: you play one side. Try: leave out opponent")
        with self._lock:
            self._make_room()
            self._count += 1
            number = self._count
        seed = seed_of(self.seed, "game", number)
        chosen = game.seeded(seed % SEEDS)
        usual = None if asked.engine_nodes else MOVE_SECONDS
        limit = Limit(nodes=asked.engine_nodes, seconds=asked.engine_seconds or usual)
        spec = asked.opponent or _usual(game)
        players = [_seated(one, seat, spec, chosen, seed, limit) for one in range(position.players)]
        match = Match(chosen, players, asked.start, seed=seed)
        for one, player in enumerate(players):
            player.begin(match.view(one))
        started = OpenGame(f"g{number}", match, seat, limit)
        if self.keep is not None:
            self.keep(match)
        match.notify(Event("begin"))
        with self._lock:
            self._games[started.name] = started
        return started

    def _make_room(self) -> None:
        """Forget the oldest game that is over. Raises TryLater if all go on and there is no room."""
        if len(self._games) < self.bounds.games:
            return
        finished = [name for name, one in self._games.items() if one.match.over()]
        if not finished:
            listed = ", ".join(self._games)
            raise TryLater(f"{self.bounds.games} games are open, the most. Try: close_game ({listed})")
        del self._games[finished[0]]


def _usual(game: Game) -> str:
    """The default opponent: an easy one. A puzzle has none."""
    if game.new().players == 1:
        return NONE
    return f"level:{min(EASY, len(ladder(game, level_engine(game))))}"


def _words(turns: list[Turn]) -> str:
    """Moves in words, and how many the model does not see."""
    seen = [turn.word for turn in turns if turn.word != HIDDEN_MOVE]
    unseen = len(turns) - len(seen)
    return ", ".join(filter(None, [" ".join(seen), f"{unseen} unseen" if unseen else ""]))


def _seated(one: int, seat: int | None, spec: str, game: Game, seed: int, limit: Limit) -> Player:
    """The player of a seat: the model's is empty, for its moves come by calls."""
    if seat is None or one == seat:
        return EmptySeat("human", "model")
    opponent = offer.opponent(spec)
    player_seed = seed_of(seed, "player", one)
    return seats.player(opponent, game, player_seed, None if is_level(opponent) else limit)


def parsed(match: Match, word: str) -> int:
    """The legal move that a word names, for the side to move. Raises IllegalMove."""
    if not word:
        raise Usage(f'move is empty. Try: "move": "{match.position.format(match.moves()[0])}"')
    move: int = match.ask("parse()", match.position.parse, word)
    if move not in match.moves() and not match.ask("allows()", match.position.allows, move):
        raise IllegalMove(f"'{brief(word)}' is not a legal move here")
    return move


def _is_move(match: Match, word: str) -> bool:
    try:
        parsed(match, word)
    except GameplayError:
        return False
    return True


def result(match: MatchControl) -> str:
    """How a game ended, in words; "unfinished"."""
    payoffs = match.payoffs
    if payoffs is None:
        return "unfinished"
    position: AbstractPosition = match.position
    how = position.ending() if match.reason == "rules" else match.reason
    if min(payoffs) == max(payoffs):
        text = "draw" if len(payoffs) > 1 else "solved" if match.reason == "rules" else "ended"
    else:
        best = [side(position, seat) for seat, paid in enumerate(payoffs) if paid == max(payoffs)]
        text = f"{' and '.join(best)} won"
    text += f" by {how}" if how else ""
    if len(payoffs) == 2 and not position.scored:
        return text
    paid = ", ".join(f"{side(position, seat)} {one:+g}" for seat, one in enumerate(payoffs))
    return f"{text} (payoffs: {paid})"
