"""A game of OpenSpiel as a `Position`: `openspiel:NAME`, with parameters `openspiel:NAME(key=value,...)`.

move   an action of OpenSpiel; its word is the action's text as `words.py` makes it typable
       where players move simultaneously in OpenSpiel, they choose in turn here, without seeing other choices

States are never changed: `make` puts a new one in place of the old, so that twins share them.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import wraps
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

from gameplay.board import Board
from gameplay.errors import Fault
from gameplay.openspiel.grid import Grid, grid
from gameplay.openspiel.library import HEAD, IMPERFECT_RECALL, WHOLE_STATE, bounds, load, resamples, spiel
from gameplay.openspiel.sampling import Sampler
from gameplay.openspiel.words import words
from gameplay.position import CHANCE, Position
from gameplay.visible import visible

if TYPE_CHECKING:
    from random import Random

    from gameplay.openspiel.library import Loaded

Answer = TypeVar("Answer")
MOST_POINTED = 400  # moves that are tried to find their cells on the board
PIECES = {"x": 0, "X": 0, "o": 1, "O": 1}  # whose they are in every game with just these


def _checked(method: Callable[..., Answer]) -> Callable[..., Answer]:
    """Raise Fault where OpenSpiel fails, in its words."""

    @wraps(method)
    def asked(self: "OpenSpiel", *arguments: Any) -> Answer:
        try:
            return method(self, *arguments)
        except RuntimeError as error:  # pyspiel.SpielError is one
            reason = " ".join(str(error).split())
            raise Fault(f"{HEAD}:{self.game}: OpenSpiel failed in {method.__name__}: {reason}") from None

    return asked


class OpenSpiel(Position):
    """A game of OpenSpiel, the library of games by DeepMind: `openspiel:NAME`.

    Parameters stand in parentheses, `openspiel:kuhn_poker(players=3)`; quote them in a shell. Moves are the
    texts of OpenSpiel's actions with `_` for spaces, and `#` and the number of the action behind those that
    would be equal or long. Where players move simultaneously they choose in turn, without seeing the others'
    choices. (M. Lanctot and others, "OpenSpiel: a framework for reinforcement learning in games", 2019.)
    """

    def __init__(self, game: str) -> None:
        super().__init__()
        loaded = load(game)
        self.game = game
        self.loaded = loaded
        self._declare(loaded)
        self.state = loaded.game.new_initial_state()
        self._before = len(self.state.history())  # moves before the start, where a parameter gives some
        self._past: list[tuple[Any, int, tuple[bytes, ...]]] = []  # states, turns and memories before
        self._memory = tuple([b""] * self.players)  # digests of what each player observed and did
        self._named: tuple[Any, Mapping[int, str]] = (None, {})  # the words of the moves in a state
        self._sampler: tuple[Any, int, Sampler] | None = None
        self.turn = 0
        self._set_turn()
        if self._remembering:
            self._memory = self._observed(None, self.state, self._memory)

    def _declare(self, loaded: "Loaded") -> None:
        """Set the facts of the game."""
        types, kind = spiel().GameType, loaded.kind
        self.players = loaded.game.num_players()
        self.zero_sum = kind.utility == types.Utility.ZERO_SUM and self.players > 1
        self.chance = kind.chance_mode != types.ChanceMode.DETERMINISTIC
        self.hidden = kind.information != types.Information.PERFECT_INFORMATION
        self._remembering = self.hidden and not kind.provides_information_state_string
        self.perfect_recall = self.hidden and loaded.name not in IMPERFECT_RECALL
        self.low, self.high = bounds(loaded.game)
        decided = self.players == 2 and self.zero_sum and (self.low, self.high) == (-1, 1)
        self.scored = not decided

    def initial(self) -> "OpenSpiel":
        return type(self)(self.game)

    def twin(self) -> "OpenSpiel":
        cls = type(self)
        other = cls.__new__(cls)
        other.__dict__.update(self.__dict__)
        other._past = list(self._past)
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, (self.game, self._history(), len(self._past))

    def _history(self, state: Any = None) -> list[int]:
        """The moves since the start."""
        actions: list[int] = (state or self.state).history()
        return actions[self._before :]

    # -- the rules ------------------------------------------------------------------------------

    @_checked
    def moves(self) -> list[int]:
        if self.turn == CHANCE:
            return [action for action, _ in self.state.chance_outcomes()]
        actions: list[int] = self.state.legal_actions()
        return actions

    @_checked
    def chances(self) -> list[float]:
        return [odds for _, odds in self.state.chance_outcomes()]

    @_checked
    def make(self, move: int) -> None:
        before, after = self.state, self.state.child(move)
        self._past.append((before, self.turn, self._memory))
        self.state = after
        if self._remembering:
            self._memory = self._observed(move, after, self._memory)
        self._set_turn()

    def unmake(self) -> None:
        if not self._past:
            raise IndexError("there is no move to take back")
        self.state, self.turn, self._memory = self._past.pop()

    def _set_turn(self) -> None:
        """Of the player to move; after the end, of the next player, since chance does not move then."""
        mover = self.state.current_player()
        if mover >= CHANCE:
            self.turn = mover
        else:
            self.turn = (self.turn + 1) % self.players if self.turn != CHANCE else 0

    @_checked
    def outcome(self) -> tuple[float, ...] | None:
        if not self.state.is_terminal():
            return None
        return tuple([int(payoff) if payoff.is_integer() else payoff for payoff in self.state.returns()])

    def key(self) -> Hashable:
        if self.loaded.name in WHOLE_STATE:
            return (self.turn, self.state.to_string())
        return (self.turn, *self.state.history())

    # -- what is hidden -------------------------------------------------------------------------

    @_checked
    def infoset(self, player: int) -> Hashable:
        """The information state of OpenSpiel; without one, a digest of all the player observed and did.

        In games with chance, while others move, it has the number of moves made, too: a deal that shows the
        player nothing still took place.
        """
        if not self.hidden:
            return self.key()
        text = self._memory[player].hex() if self._remembering else self._known(player)(self.state)
        return text if player == self.turn or not self.chance else (text, self.state.move_number())

    def _observed(self, move: int | None, state: Any, memory: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """The memories after a move, made by `self.turn`: an observation counts where it is new."""
        after = []
        for player, digest in enumerate(memory):
            own = f"{move}" if player == self.turn and move is not None else ""
            seen = state.observation_string(player)
            fact = f"{own}\n{seen}".encode("utf-8", "surrogateescape")
            after.append(blake2b(digest + fact, digest_size=12).digest())
        return tuple(after)

    def _known(self, player: int) -> Callable[[Any], str]:
        """What a player observes in a state."""
        if self.loaded.kind.provides_information_state_string:
            return lambda state: str(state.information_state_string(player))
        return lambda state: str(state.observation_string(player))

    @_checked
    def determinize(self, player: int, rng: "Random") -> "OpenSpiel":
        if not self.hidden:
            return self.twin()
        observe = self._known(player)
        for draw in (self._resampled, self._sampled):
            state = draw(player, rng, observe)
            position = None if state is None else _replayed(self.game, self._history(state), 0)
            if position is not None and position.infoset(player) == self.infoset(player):
                return position
        raise Fault(
            f"{HEAD}:{self.game}: no position was found that fits what player {player + 1} knows, "
            "and OpenSpiel offers no resampling for this game"
        )

    def _resampled(self, player: int, rng: "Random", observe: Callable[[Any], str]) -> Any | None:
        """What OpenSpiel offers, if it does: as a rule only for the player to move."""
        if player != self.turn or not resamples(self.loaded.text):
            return None
        try:
            return self.state.resample_from_infostate(player, rng.random)
        except RuntimeError:
            return None

    def _sampled(self, player: int, rng: "Random", observe: Callable[[Any], str]) -> Any | None:
        if self._sampler is None or self._sampler[:2] != (self.state, player):
            history = self._history()
            start = self.loaded.game.new_initial_state()
            self._sampler = self.state, player, Sampler(start, history, player, observe)
        return self._sampler[2].sample(rng)

    @_checked
    def sees(self, player: int, move: int) -> bool:
        """True if every other move would leave the player with other knowledge.

        Where moves are hidden, or deals of which OpenSpiel knows no others that fit, other moves may look
        alike in another position: none is seen.
        """
        if not self.hidden or player == self.turn:
            return True
        if not self.chance or (self.turn == CHANCE and not resamples(self.loaded.text)):
            return False
        observe = self._known(player)
        seen = observe(self.state.child(move))
        return all(observe(self.state.child(other)) != seen for other in self.moves() if other != move)

    # -- for people -----------------------------------------------------------------------------

    def format(self, move: int) -> str:
        if self._named[0] is not self.state:
            self._named = self.state, self._words()
        return self._named[1][move]

    @_checked
    def _words(self) -> Mapping[int, str]:
        """The words of all legal moves."""
        actions = self.moves()
        state, mover = self.state, self.state.current_player()
        return words(actions, [state.action_to_string(mover, action) for action in actions])

    def board(self, viewer: int | None = None, last: int | None = None) -> Board | None:
        shown = None if self.hidden else grid(self._text())
        if shown is None:
            return None
        moves: dict[tuple[int, int], tuple[int, ...]] = {}
        paths: dict[int, tuple[tuple[int, int], ...]] = {}
        for move, start, end in self._pointed(shown):
            moves[start] = (*moves.get(start, ()), move)
            if start != end:
                paths[move] = (end,)
        before = grid(str(self._past[-1][0].to_string())) if self._past and last is not None else None
        cells = [cell for cell in before.changed(shown) if cell] if before else []
        letters = {letter for row in shown.cells for letter in row if letter}
        return Board(
            shown.cells,
            shown.columns,
            shown.rows,
            owners=PIECES if self.players == 2 and letters <= set(PIECES) else {},
            last=tuple(cells),
            moves=moves,
            paths=paths,
        )

    def _pointed(self, shown: Grid) -> list[tuple[int, tuple[int, int], tuple[int, int]]]:
        """The moves that the board shows as one piece placed or moved, with the cells of start and end."""
        if self.turn == CHANCE or self.state.is_terminal():
            return []
        actions = self.moves()
        pointed = []
        for move in actions if len(actions) <= MOST_POINTED else []:
            after = grid(str(self.state.child(move).to_string()))
            start, end = shown.changed(after) if after else (None, None)
            if end is not None:
                pointed.append((move, start or end, end))
        return pointed

    @_checked
    def _text(self) -> str:
        return visible(str(self.state.to_string())).rstrip()

    @_checked
    def show(self, viewer: int | None = None) -> str:
        """What OpenSpiel calls the observation of the player; the state to a viewer of everything."""
        if viewer is None or not self.hidden:
            return self._text()
        if self.loaded.kind.provides_observation_string:
            return visible(str(self.state.observation_string(viewer))).rstrip()
        return visible(str(self.state.information_state_string(viewer))).rstrip()

    def __str__(self) -> str:
        return self._text()


def _replayed(game: str, history: Sequence[int], undoable: int) -> OpenSpiel:
    """The position after these actions, of which the last `undoable` can be taken back."""
    position = OpenSpiel(game)
    for action in history:
        position.make(action)
    del position._past[: len(history) - undoable]
    return position
