"""Games of this program as games of OpenSpiel: `pyspiel.load_game("gameplay_connect4(columns=5)")`.

Actions and observation tensors are those of `gameplay.environments`: if the game has a fixed numbering, a
number is the same move in all positions. At chance nodes an action is the index of an outcome. The
information state string is `infoset`, or the history in games of perfect information.

    puzzles     each move costs a point, the goal pays one; the game ends after `max_steps` moves
    trees       the parameter `file` selects one, with `;` and `:` for the `,` and `=` of a spec
    strings     quoted if OpenSpiel would parse them as another type: `gameplay_nim(heaps='3+4')`
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np

from gameplay import catalogue, registry
from gameplay.environments.actions import Actions, actions_of
from gameplay.environments.observations import Observer, observer_of
from gameplay.errors import Usage, unknown_name
from gameplay.learning.exploration import random_game
from gameplay.openspiel.library import OWN_PREFIX, spiel
from gameplay.options import format_option
from gameplay.position import CHANCE, AbstractPosition, parameters
from gameplay.registry import Game

pyspiel = spiel()
MAX_LENGTH = 20_000  # max_game_length, which OpenSpiel requires
MAX_UTILITY = 1e6  # if the game has no bound
SAMPLED_GAMES = 10  # random games, to estimate the number of chance outcomes
MAX_OUTCOMES = 4096
PARAMETER_TYPES = (bool, int, float, str)  # supported by OpenSpiel
DEFAULT_TREE = "lecture"  # without the parameter `file`
STEPS, DEFAULT_STEPS = "max_steps", 200  # the name of a parameter of puzzles, and its default
_NOT_A_STRING = re.compile(r"[-+.\d]+|[Tt]rue|[Ff]alse|.*\)")  # strings that OpenSpiel parses as other types


def register(*names: str) -> list[str]:
    """Register these games, all by default, and return their names in OpenSpiel. Raises Usage."""
    for name in names:
        if name not in catalogue.games():
            raise Usage(unknown_name("game", name, catalogue.games()))
    return [_register_game(name) for name in names or catalogue.games()]


@cache
def _register_game(name: str) -> str:
    """Register one game, once."""
    # A class is part of a reference cycle: it outlives OpenSpiel's registry, which is destroyed after Python.
    pyspiel.register_game(_terms(name, ()).kind, type(f"Exported_{name}", (ExportedGame,), {"name": name}))
    return _name(name)


def _name(name: str) -> str:
    """The name of an exported game in OpenSpiel."""
    return OWN_PREFIX + name.replace("-", "_")


@dataclass(frozen=True)
class SharedTerms:
    """Data shared by all states of a game. `steps`: the maximum length of a puzzle; 0 for other games.

    OpenSpiel deep-copies and pickles states; this data is not copied.
    """

    name: str  # of the exported game
    parameters: tuple[tuple[str, Any], ...]  # quoted
    source: Game
    actions: Actions
    observer: Observer
    kind: Any  # Any: pyspiel.GameType, which has no types
    info: Any  # pyspiel.GameInfo
    steps: int

    def __deepcopy__(self, _memo: dict[int, Any]) -> "SharedTerms":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _terms, (self.name, self.parameters)


@cache
def _terms(name: str, quoted: tuple[tuple[str, Any], ...]) -> SharedTerms:
    """The shared data of a game with these parameters. Raises Usage for an invalid one."""
    parameter_values = {key: _unquote(value) for key, value in quoted}
    steps = parameter_values.pop(STEPS, DEFAULT_STEPS)
    source = _source(name, parameter_values)
    start = source.new()
    if start.players > 1:
        steps = 0
    elif steps < 1:
        raise Usage(f"{STEPS}={steps}; expected a whole number from 1 up")
    actions = actions_of(source, name, None)
    return SharedTerms(
        name,
        quoted,
        source,
        actions,
        observer_of(source, name, None),
        _game_type(name, source, start),
        _game_info(source, start, actions.count, steps),
        steps,
    )


def _source(name: str, values: dict[str, Any]) -> Game:
    """The game with these parameters."""
    if name == "tree":
        file, *unknowns = str(values.get("file", DEFAULT_TREE)).split(";")
        return registry.game(",".join([f"tree:{file}", *(word.replace(":", "=", 1) for word in unknowns)]))
    return registry.game(name).with_parameters({key: format_option(value) for key, value in values.items()})


def _quote(value: Any) -> Any:
    """Quote a string that OpenSpiel would read as another type."""
    return f"'{value}'" if isinstance(value, str) and _NOT_A_STRING.fullmatch(value) else value


def _unquote(value: Any) -> Any:
    return value[1:-1] if isinstance(value, str) and re.fullmatch(r"'.*'", value) else value


def _game_type(name: str, source: Game, start: AbstractPosition) -> Any:
    """The pyspiel.GameType of a game."""
    types, puzzle = pyspiel.GameType, start.players == 1
    defaults = {key: parameter.default for key, parameter in parameters(source.cls).items()}
    defaults |= {"file": DEFAULT_TREE} if name == "tree" else {STEPS: DEFAULT_STEPS} if puzzle else {}
    return types(
        short_name=_name(name),
        long_name=f"{name} of gameplay",
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC if start.chance else types.ChanceMode.DETERMINISTIC,
        information=(
            types.Information.IMPERFECT_INFORMATION if start.hidden else types.Information.PERFECT_INFORMATION
        ),
        utility=types.Utility.ZERO_SUM if start.zero_sum else types.Utility.GENERAL_SUM,
        reward_model=types.RewardModel.REWARDS if puzzle else types.RewardModel.TERMINAL,
        max_num_players=1 if puzzle else max(10, start.players),
        min_num_players=1 if puzzle else 2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            key: _quote(value) for key, value in defaults.items() if type(value) in PARAMETER_TYPES
        },
    )


def _game_info(source: Game, start: AbstractPosition, actions: int, steps: int) -> Any:
    """The pyspiel.GameInfo of a game."""
    low, high = (start.low, start.high) if start.scored or steps else (-1.0, 1.0)
    return pyspiel.GameInfo(
        num_distinct_actions=actions,
        max_chance_outcomes=_max_chance_outcomes(source) if start.chance else 0,
        num_players=start.players,
        min_utility=-MAX_UTILITY if low is None else float(low) - steps,
        max_utility=MAX_UTILITY if high is None else float(high),
        utility_sum=0.0 if start.zero_sum else None,
        max_game_length=steps or MAX_LENGTH,
    )


def _max_chance_outcomes(game: Game) -> int:
    """Twice the largest number of outcomes of a chance node in random games."""
    rng, largest = Random("outcomes"), 1
    for _ in range(SAMPLED_GAMES):
        for position in random_game(game, rng):
            if position.turn == CHANCE:
                largest = max(largest, len(position.moves()))
    return min(2 * largest, MAX_OUTCOMES)


class ExportedGame(pyspiel.Game):  # type: ignore[misc, name-defined]  # no types
    """A game of this program with its parameters, as `pyspiel.Game`. Each game has its own subclass."""

    name = ""  # of the exported game

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        quoted = {key: _quote(value) for key, value in (params or {}).items()}
        self.terms = _terms(self.name, tuple(sorted(quoted.items())))
        super().__init__(self.terms.kind, self.terms.info, quoted)

    def new_initial_state(self) -> "ExportedState":
        """The initial state."""
        return ExportedState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "ExportedObserver":
        """An observer of observations or, with perfect recall, of information states."""
        if params:
            raise ValueError(f"observations have no parameters, not {params}")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return ExportedObserver(self.terms.observer, recall)


class ExportedState(pyspiel.State):  # type: ignore[misc, name-defined]  # no types
    """A position of this program, as `pyspiel.State`."""

    def __init__(self, game: ExportedGame) -> None:
        super().__init__(game)
        self.terms = game.terms
        self.position: AbstractPosition = game.terms.source.new()
        self._legal: Mapping[int, int] | None = None  # the move of each action, computed on demand
        self.move_count = 0
        self.costs: tuple[float, float] = (0.0, 0.0)  # of the moves in a puzzle: all, and the last

    def current_player(self) -> int:
        """The player to move, or PlayerId.CHANCE or PlayerId.TERMINAL."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.position.turn == CHANCE else self.position.turn

    def _moves(self) -> Mapping[int, int]:
        """The move of each action."""
        if self._legal is None:
            chance = self.position.turn == CHANCE
            moves_by_action = (
                enumerate(self.position.moves()) if chance else self.terms.actions.legal(self.position)
            )
            self._legal = dict(moves_by_action)
        return self._legal

    def _legal_actions(self, player: int) -> list[int]:
        """The legal actions of the player to move, in ascending order."""
        return sorted(self._moves()) if player == self.position.turn else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each outcome with its probability."""
        return list(enumerate(self.position.chances()))

    def _apply_action(self, action: int) -> None:
        """Make a move."""
        move = self._moves()[action]
        if self.terms.steps:
            cost = float(self.position.cost(move))
            self.costs = self.costs[0] + cost, cost
        self.position.make(move)
        self._legal = None
        self.move_count += 1

    def _action_to_string(self, player: int, action: int) -> str:
        """Format a move in the notation of this program."""
        moves = self._moves() if player == self.current_player() else {}
        return self.position.format(moves[action]) if action in moves else f"action {action}"

    def is_terminal(self) -> bool:
        """True if the game is over."""
        return self.position.outcome() is not None or 0 < self.terms.steps <= self.move_count

    def returns(self) -> list[float]:
        """The payoffs: points, or 1, 0, -1 for win, draw, loss; in a puzzle minus the cost of all moves."""
        payoffs = self._payoffs()
        return [payoffs[0] - self.costs[0]] if self.terms.steps else payoffs

    def rewards(self) -> list[float]:
        """The rewards of the last move."""
        payoffs = self._payoffs()
        return [payoffs[0] - self.costs[1]] if self.terms.steps else payoffs

    def _payoffs(self) -> list[float]:
        """The payoff of each player; 0 before the end."""
        payoffs = self.position.outcome()
        if payoffs is None:
            return [0.0] * self.position.players
        if self.position.scored or self.terms.steps:
            return [float(payoff) for payoff in payoffs]
        return [float((payoff > 0) - (payoff < 0)) for payoff in payoffs]

    def __str__(self) -> str:
        return str(self.position)


class ExportedObserver:
    """A player's view: `tensor` and `dict` after `set_from`, and a string."""

    def __init__(self, observer: Observer, recall: bool) -> None:
        self.observer, self.recall = observer, recall
        self.tensor = np.zeros(0 if recall else int(np.prod(observer.shape)), np.float32)
        self.dict = {} if recall else {"observation": self.tensor.reshape(observer.shape)}

    def set_from(self, state: ExportedState, player: int) -> None:
        """Write the player's observation of a state to `tensor`."""
        if not self.recall:
            self.tensor[:] = np.asarray(self.observer.observe(state.position, player), np.float32).reshape(-1)

    def string_from(self, state: ExportedState, player: int) -> str:
        """The information state with perfect recall, else the position as the player sees it."""
        position = state.position
        if not self.recall:
            return position.show(player)
        if position.hidden:
            return f"{player}: {position.infoset(player)!r}"
        return f"{player}: {state.history_str()}"
