"""One game after another, as all environments play them: chance moves by itself, players by actions."""

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
from gameplay.position import CHANCE, AbstractPosition, parameters, side

if TYPE_CHECKING:
    from gameplay.registry import Game

RENDER_MODES = ("ansi",)
RENDER_FPS = 4  # drawings a second: recorders of Gymnasium ask for it
NAMED = 12  # legal actions that an error names at most


def checked_seed(seed: Any) -> int:
    """A seed of `reset`. Raises Usage for what is no whole number from 0 up."""
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

    def share(self) -> float:
        """A random number from 0 up to, not including, 1."""
        return float((self.bits() >> 11) * 2.0**-53)


@dataclass(frozen=True)
class Setting:
    """What the environments of a game have in common: its actions, and how players see it.

    `steps`: the actions after which a game is cut off; 0: none.
    """

    game: "Game"
    actions: Actions
    observer: Observer
    steps: int

    @property
    def name(self) -> str:
        """The game in words."""
        return self.game.name

    @property
    def drawn(self) -> bool:
        """True if each game has a start of its own, by the parameter `seed`."""
        return "seed" in parameters(self.game.cls) and "seed" not in self.game.parameters

    @property
    def worst(self) -> float:
        """The least that a player can get, as far as that is known, else -1."""
        low = self.game.new().low
        return -1.0 if low is None else float(low)


def setting(
    game: "Game",
    parameters: Mapping[str, Any],
    max_steps: int | None = None,
    actions: int | None = None,
    length: int | None = None,
    render_mode: str | None = None,
) -> Setting:
    """The setting of a game. Raises Usage for what does not exist, or is out of range."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise Usage(f"render_mode is {render_mode!r}; expected one of: {', '.join(RENDER_MODES)}, or None")
    for name, number in {"max_steps": max_steps, "actions": actions, "length": length}.items():
        if number is not None and (not isinstance(number, int) or number < 1):
            raise Usage(f"{name} is {number!r}; expected a number from 1 up, or None")
    variant = game
    if parameters:
        variant = game.varied({name: _word(value) for name, value in parameters.items()})
    name = own_name(variant)
    return Setting(
        variant, actions_of(variant, name, actions), observer_of(variant, name, length), max_steps or 0
    )


def _word(value: Any) -> str:
    return ("off", "on")[value] if isinstance(value, bool) else str(value)


def own_name(game: "Game") -> str:
    """The name of a game of this program; "" for any other."""
    parts = game.cls.__module__.split(".")
    own = parts[0] == "gameplay" and parts[1] in ("games", "wide_games")  # wide: beyond the compiled class
    return parts[2].replace("_", "-") if own else ""


def drawn(position: AbstractPosition) -> str:
    """A position in plain characters, as the player to move sees it."""
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
        self.position = (game.seeded(self.rng.bits() >> 34) if self.setting.drawn else game).new()
        self.made = 0
        self._proceed()

    def _proceed(self) -> None:
        position = self.position
        while position.turn == CHANCE and position.outcome() is None:
            position.make(self._drawn(position))
        self.outcome = position.outcome()
        self.legal: Mapping[int, int] = {}
        if self.outcome is None:
            self.legal = self.setting.actions.legal(position)

    def _drawn(self, position: AbstractPosition) -> int:
        u, moves = self.rng.share(), position.moves()
        for move, chance in zip(moves, position.chances(), strict=True):
            if u < chance:
                return move
            u -= chance
        return moves[-1]

    @property
    def cut_off(self) -> bool:
        """True if the game was cut off before its end."""
        return self.outcome is None and 0 < self.setting.steps <= self.made

    def move(self, action: Any) -> int | None:
        """The legal move of an action; None if it is not legal. Raises Usage for what is no action."""
        count = self.setting.actions.count
        if not isinstance(action, (int, np.integer)) or not 0 <= action < count:
            raise Usage(
                f"{self.setting.name}: {action!r} is not an action; expected a number from 0 to {count - 1}"
            )
        return self.legal.get(int(action))

    def play(self, action: Any) -> None:
        """Make the move of a legal action. Raises Usage for any other, before anything has changed."""
        self.position.make(self._legal_move(action))
        self.made += 1
        self._proceed()

    def answer(self, move: int) -> None:
        """Make a legal move that is no action of the agent."""
        self.position.make(move)
        self._proceed()

    def word(self, action: Any) -> str:
        """A legal action in the notation of the game. Raises Usage for any other."""
        return self.position.format(self._legal_move(action))

    def _legal_move(self, action: Any) -> int:
        move = self.move(action)
        if move is None:
            raise Usage(self._refusal(action))
        return move

    def _refusal(self, action: Any) -> str:
        """Why an action is not legal."""
        who = side(self.position, self.position.turn)
        if not self.legal:
            return f"{self.setting.name}: action {action} after the end of the game; call reset()"
        legal = [f"{number} ({self.position.format(move)})" for number, move in self.legal.items()]
        more = f" and {len(legal) - NAMED} others" if len(legal) > NAMED else ""
        words = ", ".join(legal[:NAMED]) + more
        return f"{self.setting.name}: action {action} is not legal for {who}; legal are {words}"

    def mask(self) -> Array:
        """1 for each legal action of the player to move."""
        mask = np.zeros(self.setting.actions.count, np.int8)
        mask[list(self.legal)] = 1
        return mask

    def seen(self, player: int) -> Array:
        """What a player sees."""
        return self.setting.observer.of(self.position, player)

    def known(self, player: int) -> dict[str, Any]:
        """For tables of values: `infoset`, all that a player knows, hashable."""
        return {"infoset": self.position.infoset(player)}

    def payoff(self, player: int) -> float:
        """What a player gets at the end; without points 1, 0 or -1 in a game of two."""
        assert self.outcome is not None
        position, payoff = self.position, float(self.outcome[player])
        if position.scored or position.players != 2:
            return payoff
        return float((payoff > 0) - (payoff < 0))
