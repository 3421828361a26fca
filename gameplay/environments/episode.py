"""Episodes: chance moves are sampled, players move by actions. Shared by all environments."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from gameplay.environments.actions import Actions, actions_of
from gameplay.environments.observations import Array, Observer, observer_of
from gameplay.errors import Usage
from gameplay.native.bits import M64
from gameplay.native.hashing import GOLDEN, finalize
from gameplay.options import format_option
from gameplay.position import CHANCE, AbstractPosition, parameters, side

if TYPE_CHECKING:
    from gameplay.registry import Game

RENDER_MODES = ("ansi",)
RENDER_FPS = 4  # frames a second for recorders of Gymnasium
MAX_LISTED = 12  # legal actions in an error


def checked_seed(seed: Any) -> int:
    """A seed as an int. Raises Usage unless it is a whole number from 0 up."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise Usage(f"seed is {seed!r}; expected a whole number from 0 up, or None")
    return int(seed)


class SplitMix64:
    """A random number generator (Steele, Lea and Flood 2014); its state is 64 bits."""

    def __init__(self, seed: int) -> None:
        self.state = int(seed) & M64

    def bits(self) -> int:
        """64 random bits."""
        self.state = (self.state + GOLDEN) & M64
        return finalize(self.state)

    def random(self) -> float:
        """A random number from 0 up to, not including, 1."""
        return float((self.bits() >> 11) * 2.0**-53)


@dataclass(frozen=True)
class Setting:
    """The settings of an environment: the game, its actions and its observer.

    `max_steps`: actions after which a game is truncated; 0: none.
    """

    game: "Game"
    actions: Actions
    observer: Observer
    max_steps: int

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.game.name

    @property
    def random_start(self) -> bool:
        """True if the start of each game depends on the parameter `seed`."""
        return "seed" in parameters(self.game.cls) and "seed" not in self.game.parameters

    @property
    def illegal_reward(self) -> float:
        """The lowest payoff of the game; -1 if the game declares none."""
        low = self.game.new().low
        return -1.0 if low is None else float(low)


def make_setting(
    game: "Game",
    parameters: Mapping[str, Any],
    max_steps: int | None = None,
    actions: int | None = None,
    length: int | None = None,
    render_mode: str | None = None,
) -> Setting:
    """Create the setting of a game. Raises Usage for an unknown parameter or a value out of range."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise Usage(f"render_mode is {render_mode!r}; expected one of: {', '.join(RENDER_MODES)}, or None")
    for name, number in {"max_steps": max_steps, "actions": actions, "length": length}.items():
        if number is not None and (not isinstance(number, int) or number < 1):
            raise Usage(f"{name} is {number!r}; expected a number from 1 up, or None")
    variant = game
    if parameters:
        variant = game.with_parameters({name: format_option(value) for name, value in parameters.items()})
    name = built_in_name(variant)
    return Setting(
        variant, actions_of(variant, name, actions), observer_of(variant, name, length), max_steps or 0
    )


def built_in_name(game: "Game") -> str:
    """The name of a built-in game; "" for a user-defined one."""
    parts = game.cls.__module__.split(".")
    # wide_games: boards too large for the compiled class.
    is_built_in = parts[0] == "gameplay" and parts[1] in ("games", "wide_games")
    return parts[2].replace("_", "-") if is_built_in else ""


def render_text(position: AbstractPosition) -> str:
    """The position as plain text, as the player to move sees it."""
    hidden = position.hidden and position.outcome() is None
    return position.show(position.turn) if hidden else str(position)


class Episode:
    """A game in progress."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.rng = SplitMix64(Random().getrandbits(64))
        self.begin(None)

    def begin(self, seed: int | None) -> None:
        """Begin a new game; with a seed its start and chance moves depend on it alone."""
        if seed is not None:
            self.rng = SplitMix64(checked_seed(seed))
        game = self.setting.game
        self.position = (game.with_seed(self.rng.bits() >> 34) if self.setting.random_start else game).new()
        self.steps = 0
        self._make_chance_moves()

    def _make_chance_moves(self) -> None:
        position = self.position
        while position.turn == CHANCE and position.outcome() is None:
            position.make(self._sample_chance(position))
        self.outcome = position.outcome()
        self.legal: Mapping[int, int] = {}
        if self.outcome is None:
            self.legal = self.setting.actions.legal(position)

    def _sample_chance(self, position: AbstractPosition) -> int:
        u, moves = self.rng.random(), position.moves()
        for move, chance in zip(moves, position.chances(), strict=True):
            if u < chance:
                return move
            u -= chance
        return moves[-1]

    @property
    def cut_off(self) -> bool:
        """True if the game was truncated at `max_steps`."""
        return self.outcome is None and 0 < self.setting.max_steps <= self.steps

    def move(self, action: Any) -> int | None:
        """The move of an action; None if it is illegal. Raises Usage for a value that is not an action."""
        count = self.setting.actions.count
        if not isinstance(action, (int, np.integer)) or not 0 <= action < count:
            raise Usage(
                f"{self.setting.name}: {action!r} is not an action; expected a number from 0 to {count - 1}"
            )
        return self.legal.get(int(action))

    def act(self, action: Any) -> None:
        """Take a legal action. Raises Usage for any other, and then changes nothing."""
        self.position.make(self._legal_move(action))
        self.steps += 1
        self._make_chance_moves()

    def make(self, move: int) -> None:
        """Make a legal move of an opponent."""
        self.position.make(move)
        self._make_chance_moves()

    def format_action(self, action: Any) -> str:
        """Format a legal action in the game's notation. Raises Usage for any other."""
        return self.position.format(self._legal_move(action))

    def _legal_move(self, action: Any) -> int:
        move = self.move(action)
        if move is None:
            raise Usage(self._refusal(action))
        return move

    def _refusal(self, action: Any) -> str:
        """The error for an illegal action."""
        player_name = side(self.position, self.position.turn)
        if not self.legal:
            return f"{self.setting.name}: action {action} after the end of the game; call reset()"
        legal = [f"{number} ({self.position.format(move)})" for number, move in self.legal.items()]
        others = f" and {len(legal) - MAX_LISTED} others" if len(legal) > MAX_LISTED else ""
        words = ", ".join(legal[:MAX_LISTED]) + others
        return f"{self.setting.name}: action {action} is not legal for {player_name}; legal are {words}"

    def mask(self) -> Array:
        """1 for each legal action of the player to move."""
        mask = np.zeros(self.setting.actions.count, np.int8)
        mask[list(self.legal)] = 1
        return mask

    def observation(self, player: int) -> Array:
        """The observation of a player."""
        return self.setting.observer.observe(self.position, player)

    def info(self, player: int) -> dict[str, Any]:
        """`infoset`: the player's information set, hashable, for tabular learning."""
        return {"infoset": self.position.infoset(player)}

    def payoff(self, player: int) -> float:
        """The payoff of a player at the end; 1, 0 or -1 in a two-player game without points."""
        assert self.outcome is not None
        position, payoff = self.position, float(self.outcome[player])
        if position.scored or position.players != 2:
            return payoff
        return float((payoff > 0) - (payoff < 0))
