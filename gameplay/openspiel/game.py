"""A game of OpenSpiel as a `Position`: `openspiel:NAME`, with parameters `openspiel:NAME(key=value,...)`.

move   an action of OpenSpiel, formatted by `words.py`; players who move simultaneously in OpenSpiel choose in
       turn here, without seeing the other choices

States are immutable: `make` replaces the state by a child, so that twins share states.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import wraps
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

from gameplay.board import Board
from gameplay.errors import Fault, NoMoveMade
from gameplay.games.shared.legality import checked
from gameplay.openspiel.grid import Grid, grid
from gameplay.openspiel.library import HEAD, IMPERFECT_RECALL, WHOLE_STATE, bounds, load, resamples, spiel
from gameplay.openspiel.sampling import Sampler
from gameplay.openspiel.words import words
from gameplay.position import CHANCE, Position
from gameplay.visible import visible

if TYPE_CHECKING:
    from random import Random

    from gameplay.openspiel.library import Loaded

Result = TypeVar("Result")
MAX_BOARD_MOVES = 400  # legal moves whose cells are found by making each of them
PIECES = {"x": 0, "X": 0, "o": 1, "O": 1}  # owners in games with only these


def _convert_errors(method: Callable[..., Result]) -> Callable[..., Result]:
    """Convert errors of OpenSpiel to Fault."""

    @wraps(method)
    def wrapper(self: "OpenSpiel", *arguments: Any) -> Result:
        try:
            return method(self, *arguments)
        except RuntimeError as error:  # pyspiel.SpielError is one
            reason = " ".join(str(error).split())
            raise Fault(f"{HEAD}:{self.game}: OpenSpiel failed in {method.__name__}: {reason}") from None

    return wrapper


class OpenSpiel(Position):
    """A game of OpenSpiel, the library of games by DeepMind: `openspiel:NAME`.

    Parameters are in parentheses, `openspiel:kuhn_poker(players=3)`; quote them in a shell. Moves are the
    texts of OpenSpiel's actions with `_` for spaces; `#` and the number of the action are appended to texts
    that would be equal or long. Simultaneous moves are made in turn, without seeing the others' choices. (M.
    Lanctot and others, "OpenSpiel: a framework for reinforcement learning in games", 2019.)
    """

    def __init__(self, game: str) -> None:
        super().__init__()
        loaded = load(game)
        self.game = game
        self.loaded = loaded
        self._set_facts(loaded)
        self.state = loaded.game.new_initial_state()
        self._start_length = len(self.state.history())  # moves in the initial state, set by some parameters
        self._past: list[tuple[Any, int, tuple[bytes, ...]]] = []  # earlier states, turns and memories
        self._memory = tuple([b""] * self.players)  # digests of observations and moves, by player
        self._move_texts: tuple[Any, Mapping[int, str]] = (None, {})  # a state, and the texts of its moves
        self._sampler: tuple[Any, int, Sampler] | None = None
        self.turn = 0
        self._set_turn()
        if self._remembering:
            self._memory = self._update_memory(None, self.state, self._memory)

    def _set_facts(self, loaded: "Loaded") -> None:
        """Set the properties of the game."""
        types, game_type = spiel().GameType, loaded.game_type
        self.players = loaded.game.num_players()
        self.zero_sum = game_type.utility == types.Utility.ZERO_SUM and self.players > 1
        self.chance = game_type.chance_mode != types.ChanceMode.DETERMINISTIC
        self.hidden = game_type.information != types.Information.PERFECT_INFORMATION
        self._remembering = self.hidden and not game_type.provides_information_state_string
        self.perfect_recall = self.hidden and loaded.name not in IMPERFECT_RECALL
        self.low, self.high = bounds(loaded.game)
        decided = self.players == 2 and self.zero_sum and (self.low, self.high) == (-1, 1)
        self.scored = not decided

    def initial(self) -> "OpenSpiel":
        return type(self)(self.game)

    def twin(self) -> "OpenSpiel":
        cls = type(self)
        copy = cls.__new__(cls)
        copy.__dict__.update(self.__dict__)
        copy._past = list(self._past)
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return _replay_actions, (self.game, self._history(), len(self._past))

    def _history(self, state: Any = None) -> list[int]:
        """The moves since the start."""
        actions: list[int] = (state or self.state).history()
        return actions[self._start_length :]

    # -- the rules ------------------------------------------------------------------------------

    @_convert_errors
    def moves(self) -> list[int]:
        if self.turn == CHANCE:
            return [action for action, _ in self.state.chance_outcomes()]
        actions: list[int] = self.state.legal_actions()
        return actions

    @_convert_errors
    def chances(self) -> list[float]:
        return [odds for _, odds in self.state.chance_outcomes()]

    @checked
    @_convert_errors
    def make(self, move: int) -> None:
        old_state, new_state = self.state, self.state.child(move)
        self._past.append((old_state, self.turn, self._memory))
        self.state = new_state
        if self._remembering:
            self._memory = self._update_memory(move, new_state, self._memory)
        self._set_turn()

    def unmake(self) -> None:
        if not self._past:
            raise NoMoveMade()
        self.state, self.turn, self._memory = self._past.pop()

    def _set_turn(self) -> None:
        """Set `turn` to the player to move; in a finished game to the next player, never CHANCE."""
        mover = self.state.current_player()
        if mover >= CHANCE:
            self.turn = mover
        else:
            self.turn = (self.turn + 1) % self.players if self.turn != CHANCE else 0

    @_convert_errors
    def outcome(self) -> tuple[float, ...] | None:
        if not self.state.is_terminal():
            return None
        return tuple([int(payoff) if payoff.is_integer() else payoff for payoff in self.state.returns()])

    def key(self) -> Hashable:
        if self.loaded.name in WHOLE_STATE:
            return (self.turn, self.state.to_string())
        return (self.turn, *self.state.history())

    # -- imperfect information -------------------------------------------------------------------------

    @_convert_errors
    def infoset(self, player: int) -> Hashable:
        """The information state of OpenSpiel, or a digest of the player's observations and moves.

        In games with chance it includes the number of moves while other players move, since players observe
        that a hidden deal takes place.
        """
        if not self.hidden:
            return self.key()
        text = self._memory[player].hex() if self._remembering else self._observer(player)(self.state)
        return text if player == self.turn or not self.chance else (text, self.state.move_number())

    def _update_memory(self, move: int | None, state: Any, memory: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """The memories after a move of `self.turn`."""
        new_memory = []
        for player, digest in enumerate(memory):
            own_move = f"{move}" if player == self.turn and move is not None else ""
            observation = state.observation_string(player)
            entry = f"{own_move}\n{observation}".encode("utf-8", "surrogateescape")
            new_memory.append(blake2b(digest + entry, digest_size=12).digest())
        return tuple(new_memory)

    def _observer(self, player: int) -> Callable[[Any], str]:
        """A function of a state: the player's information state or observation."""
        if self.loaded.game_type.provides_information_state_string:
            return lambda state: str(state.information_state_string(player))
        return lambda state: str(state.observation_string(player))

    @_convert_errors
    def determinize(self, player: int, rng: "Random") -> "OpenSpiel":
        if not self.hidden:
            return self.twin()
        observe = self._observer(player)
        for draw in (self._resample, self._sample):
            state = draw(player, rng, observe)
            position = None if state is None else _replay_actions(self.game, self._history(state), 0)
            if position is not None and position.infoset(player) == self.infoset(player):
                return position
        raise Fault(
            f"{HEAD}:{self.game}: no position was found in the information set of player {player + 1}, "
            "and OpenSpiel has no resampling for this game"
        )

    def _resample(self, player: int, rng: "Random", observe: Callable[[Any], str]) -> Any | None:
        """A state from OpenSpiel's resampling, if implemented: usually for the player to move only."""
        if player != self.turn or not resamples(self.loaded.text):
            return None
        try:
            return self.state.resample_from_infostate(player, rng.random)
        except RuntimeError:
            return None

    def _sample(self, player: int, rng: "Random", observe: Callable[[Any], str]) -> Any | None:
        if self._sampler is None or self._sampler[:2] != (self.state, player):
            history = self._history()
            start = self.loaded.game.new_initial_state()
            self._sampler = self.state, player, Sampler(start, history, player, observe)
        return self._sampler[2].sample(rng)

    @_convert_errors
    def sees(self, player: int, move: int) -> bool:
        """True if every other move would change the player's observation.

        False if moves are hidden, or for deals without resampling: in another position of the information
        set, other moves may look alike.
        """
        if not self.hidden or player == self.turn:
            return True
        if not self.chance or (self.turn == CHANCE and not resamples(self.loaded.text)):
            return False
        observe = self._observer(player)
        observation = observe(self.state.child(move))
        return all(observe(self.state.child(other)) != observation for other in self.moves() if other != move)

    # -- display --------------------------------------------------------------------------------

    def format(self, move: int) -> str:
        if self._move_texts[0] is not self.state:
            self._move_texts = self.state, self._format_moves()
        return self._move_texts[1][move]

    @_convert_errors
    def _format_moves(self) -> Mapping[int, str]:
        """The texts of all legal moves."""
        actions = self.moves()
        state, mover = self.state, self.state.current_player()
        return words(actions, [state.action_to_string(mover, action) for action in actions])

    def board(self, viewer: int | None = None, last: int | None = None) -> Board | None:
        drawn_grid = None if self.hidden else grid(self._text())
        if drawn_grid is None:
            return None
        moves: dict[tuple[int, int], tuple[int, ...]] = {}
        paths: dict[int, tuple[tuple[int, int], ...]] = {}
        for move, start, end in self._board_moves(drawn_grid):
            moves[start] = (*moves.get(start, ()), move)
            if start != end:
                paths[move] = (end,)
        last_grid = grid(str(self._past[-1][0].to_string())) if self._past and last is not None else None
        cells = [cell for cell in last_grid.find_move(drawn_grid) if cell] if last_grid else []
        letters = {letter for row in drawn_grid.cells for letter in row if letter}
        return Board(
            drawn_grid.cells,
            drawn_grid.columns,
            drawn_grid.rows,
            owners=PIECES if self.players == 2 and letters <= set(PIECES) else {},
            last=tuple(cells),
            moves=moves,
            paths=paths,
        )

    def _board_moves(self, drawn_grid: Grid) -> list[tuple[int, tuple[int, int], tuple[int, int]]]:
        """The moves that place or move one piece on the board, each with its start and end cell."""
        if self.turn == CHANCE or self.state.is_terminal():
            return []
        actions = self.moves()
        board_moves = []
        for move in actions if len(actions) <= MAX_BOARD_MOVES else []:
            next_grid = grid(str(self.state.child(move).to_string()))
            start, end = drawn_grid.find_move(next_grid) if next_grid else (None, None)
            if end is not None:
                board_moves.append((move, start or end, end))
        return board_moves

    @_convert_errors
    def _text(self) -> str:
        return visible(str(self.state.to_string())).rstrip()

    @_convert_errors
    def show(self, viewer: int | None = None) -> str:
        """The player's observation; the state if `viewer` is None."""
        if viewer is None or not self.hidden:
            return self._text()
        if self.loaded.game_type.provides_observation_string:
            return visible(str(self.state.observation_string(viewer))).rstrip()
        return visible(str(self.state.information_state_string(viewer))).rstrip()

    def __str__(self) -> str:
        return self._text()


def _replay_actions(game: str, history: Sequence[int], undoable: int) -> OpenSpiel:
    """The position after these actions; the last `undoable` can be undone."""
    position = OpenSpiel(game)
    for action in history:
        position.make(action)
    del position._past[: len(history) - undoable]
    return position
