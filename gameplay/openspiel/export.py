"""Games of this program as games of OpenSpiel: `pyspiel.load_game("gameplay_connect4(columns=5)")`.

Actions are those of `gameplay.environments`, so the same number is the same move in all positions where the
game has such a numbering; at chance nodes an action is the place of the outcome among the possible ones.
Observations are tensors as there. An information state is what the mover knows (`infoset`), written out; in
games of perfect information it is the history.

    fits            two players or more; rules that end every game
    does not fit    puzzles, since OpenSpiel has returns and no costs of paths; trees, which are files; games
                    with more chance outcomes than are counted here
"""

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import numpy as np

from gameplay import catalogue, registry
from gameplay.environments.actions import Actions, actions_of
from gameplay.environments.observations import Observer, observer_of
from gameplay.errors import Usage, unknown
from gameplay.learning.exploration import random_game
from gameplay.openspiel.library import OWN, spiel
from gameplay.options import written
from gameplay.position import CHANCE, AbstractPosition, parameters
from gameplay.registry import Game

pyspiel = spiel()
LONGEST = 20_000  # moves of a game, where OpenSpiel wants a bound
UTILITY = 1e6  # a bound of payoffs, where the game gives none
SAMPLED = 10  # random games in which chance outcomes are counted
MOST_OUTCOMES = 4096
UNFIT = {
    "tree": "a tree is a file of its own",
    "bridge": "its deals are more than the chance outcomes of a node can list",
}
KINDS = (bool, int, float, str)  # of parameters in OpenSpiel


def register(*names: str) -> list[str]:
    """Register these games, all that fit by default, and return their names in OpenSpiel. Raises Usage."""
    for name in names:
        if name not in catalogue.games():
            raise Usage(unknown("game", name, catalogue.games()))
        if misfit(name):
            raise Usage(f"{name} is no game of OpenSpiel: {misfit(name)}")
    return [_registered(name) for name in names or fitting()]


def fitting() -> list[str]:
    """The games of this program that OpenSpiel's model admits."""
    return [name for name in catalogue.games() if not misfit(name)]


@cache
def misfit(name: str) -> str:
    """Why a game of this program is none of OpenSpiel's, "" if it is one."""
    if name in UNFIT:
        return UNFIT[name]
    start = registry.game(name).new()
    if start.players == 1:
        return "a puzzle has costs of paths, and OpenSpiel has returns only"
    if not start.finite:
        return "its rules do not end every game"
    return ""


@cache
def _registered(name: str) -> str:
    """Register one game, once."""
    there = OWN + name.replace("-", "_")
    kind = _kind(name, there)
    # A class is part of a cycle: it outlives the registry of OpenSpiel, which is destroyed after Python.
    pyspiel.register_game(kind, type(f"Exported_{name}", (ExportedGame,), {"name": name, "kind": kind}))
    return there


def _kind(name: str, there: str) -> Any:
    """The pyspiel.GameType of one of our games."""
    game = registry.game(name)
    start, types = game.new(), pyspiel.GameType
    usual = {key: parameter.default for key, parameter in parameters(game.cls).items()}
    return types(
        short_name=there,
        long_name=f"{name} of gameplay",
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC if start.chance else types.ChanceMode.DETERMINISTIC,
        information=(
            types.Information.IMPERFECT_INFORMATION if start.hidden else types.Information.PERFECT_INFORMATION
        ),
        utility=types.Utility.ZERO_SUM if start.zero_sum else types.Utility.GENERAL_SUM,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=max(10, start.players),
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={key: value for key, value in usual.items() if type(value) in KINDS},
    )


class ExportedGame(pyspiel.Game):  # type: ignore[misc, name-defined]  # no types
    """A game of this program with its parameters, as `pyspiel.Game`. Each game has a class of its own."""

    name = ""  # of our game
    kind: Any = None  # its pyspiel.GameType

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.source: Game = registry.game(self.name).varied({key: written(given[key]) for key in given})
        start = self.source.new()
        self.actions: Actions = actions_of(self.source, self.name, None)
        self.observer: Observer = observer_of(self.source, self.name, None)
        low, high = (start.low, start.high) if start.scored else (-1.0, 1.0)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.actions.count,
            max_chance_outcomes=_outcomes(self.source) if start.chance else 0,
            num_players=start.players,
            min_utility=-UTILITY if low is None else float(low),
            max_utility=UTILITY if high is None else float(high),
            utility_sum=0.0 if start.zero_sum else None,
            max_game_length=LONGEST,
        )
        super().__init__(self.kind, info, given)

    def new_initial_state(self) -> "ExportedState":
        """The start."""
        return ExportedState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "ExportedObserver":
        """What a player observes, or knows with perfect recall."""
        if params:
            raise ValueError(f"there are no parameters of observations, and {params} were given")
        return ExportedObserver(self.observer, iig_obs_type is not None and iig_obs_type.perfect_recall)


def _outcomes(game: Game) -> int:
    """The most outcomes of a chance node in random games, with room for twice as many."""
    rng, most = Random("outcomes"), 1
    for _ in range(SAMPLED):
        for position in random_game(game, rng):
            if position.turn == CHANCE:
                most = max(most, len(position.moves()))
    return min(2 * most, MOST_OUTCOMES)


class ExportedState(pyspiel.State):  # type: ignore[misc, name-defined]  # no types
    """A position of this program, as `pyspiel.State`."""

    def __init__(self, game: ExportedGame) -> None:
        super().__init__(game)
        self.position: AbstractPosition = game.source.new()
        self.actions = game.actions

    def current_player(self) -> int:
        """The player to move, or the number of chance or of the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.position.turn == CHANCE else self.position.turn

    def _moves(self) -> Mapping[int, int]:
        """Our move for each action."""
        if self.position.turn == CHANCE:
            return dict(enumerate(self.position.moves()))
        return self.actions.legal(self.position)

    def _legal_actions(self, player: int) -> list[int]:
        """The legal actions of the player to move, in ascending order."""
        return sorted(self._moves()) if player == self.position.turn else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each outcome with its probability."""
        return list(enumerate(self.position.chances()))

    def _apply_action(self, action: int) -> None:
        """Make a move."""
        self.position.make(self._moves()[action])

    def _action_to_string(self, player: int, action: int) -> str:
        """A move in our notation."""
        moves = self._moves() if player == self.current_player() else {}
        return self.position.format(moves[action]) if action in moves else f"action {action}"

    def is_terminal(self) -> bool:
        """True at the end."""
        return self.position.outcome() is not None

    def returns(self) -> list[float]:
        """What each player gets; 0 before the end. Won, drawn and lost are 1, 0 and -1."""
        payoffs = self.position.outcome()
        if payoffs is None:
            return [0.0] * self.position.players
        if self.position.scored:
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
        """Put what the player observes in a state into `tensor`."""
        if not self.recall:
            self.tensor[:] = np.asarray(self.observer.of(state.position, player), np.float32).reshape(-1)

    def string_from(self, state: ExportedState, player: int) -> str:
        """What the player knows, with perfect recall; else the position as the player sees it."""
        position = state.position
        if not self.recall:
            return position.show(player)
        if position.hidden:
            return f"{player}: {position.infoset(player)!r}"
        return f"{player}: {state.history_str()}"
