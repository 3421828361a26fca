"""Many games at once as a Gymnasium vector environment: the players of each game act in turn."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from gameplay.adapter import kernel_of
from gameplay.environments.actions import KeyedActions, ListedActions
from gameplay.environments.episode import RENDER_FPS, RENDER_MODES, Setting, checked_seed, render_text
from gameplay.environments.observations import Array, PlanesObserver
from gameplay.environments.stepping import (
    CALLED,
    CUT,
    ENDED,
    FACTS,
    ILLEGAL,
    KEYED,
    LISTED,
    MOVER,
    OVER,
    TURN,
    BatchLayout,
    GameBatch,
)
from gameplay.errors import Usage
from gameplay.position import AbstractPosition

SEEDS = 1 << 63  # number of seeds to choose from if none is given


class GamesEnv(VectorEnv[Array, Array, Array]):
    """`num_envs` games of one kind; each action is taken by the player to move.

    A game that ends is restarted within the step (`AutoresetMode.SAME_STEP`). Observations and
    `infos["action_mask"]` are those of the player to move next, `infos["turn"]`. Rewards are those of the
    player who just moved; `infos["rewards"]` has those of all players. For games that ended,
    `infos["final_obs"]` is the last mover's final observation. Every array is new.
    """

    metadata: dict[str, Any] = {
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
    }

    def __init__(self, setting: Setting, num_envs: int, render_mode: str | None) -> None:
        """Raises Usage for less than one game."""
        if not isinstance(num_envs, int) or num_envs < 1:
            raise Usage(f"num_envs is {num_envs!r}; expected a number from 1 up")
        self.setting, self.num_envs, self.render_mode = setting, num_envs, render_mode
        observer, count = setting.observer, setting.actions.count
        self.single_observation_space = spaces.Box(
            observer.low, observer.high, observer.shape, observer.dtype
        )
        self.single_action_space = spaces.Discrete(count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.players = setting.game.new().players
        self.native = observer.native
        self.games = GameBatch(self._layout(), self._kernels(), self._seeds(None))
        self._is_reset = False

    def _layout(self) -> BatchLayout:
        setting, observer, actions = self.setting, self.setting.observer, self.setting.actions
        action_kind, masks, keys = CALLED, (0, 0, 0), list[tuple[int, int]]()
        if isinstance(actions, KeyedActions):
            action_kind, masks = KEYED, (actions.low, actions.shift, actions.high)
            keys = sorted(actions.keys.items())
        elif isinstance(actions, ListedActions):
            action_kind = LISTED
        cells = codes = marks = 0
        if isinstance(observer, PlanesObserver) and self.native:
            cells, codes, marks = observer.cells.count, observer.shape[-1], observer.marks
        numbers = [number for _, number in keys]
        position = setting.game.new()
        win_loss = position.players == 2 and not position.scored
        layout = BatchLayout(
            *(self.players, actions.count, action_kind, masks, [key for key, _ in keys], numbers),
            *(cells, codes, marks, setting.max_steps, win_loss, setting.illegal_reward),
        )
        layout.legal, layout.observe = actions.legal, self._observe
        if setting.random_start:
            layout.new_kernel = lambda seed: kernel_of(setting.game.with_seed(seed).new())
        return layout

    def _kernels(self) -> list[Any]:
        return [kernel_of(self.setting.game.new()) for _ in range(self.num_envs)]

    def _seeds(self, seed: int | None) -> Sequence[int]:
        if seed is not None:
            return range(seed, seed + self.num_envs)
        return [int(seed_) for seed_ in self.np_random.integers(SEEDS, size=self.num_envs)]

    def _observe(self, game: int, position: AbstractPosition, player: int, is_final: bool) -> None:
        """Write a player's observation into the arrays of the current step."""
        (self._final_observations if is_final else self._observations)[game] = self.setting.observer.observe(
            position, player
        )

    def _arrays(self) -> tuple[Array, Array]:
        """New arrays for observations and masks; `_observe` writes to `_seen` and `_last`."""
        observer, count = self.setting.observer, self.setting.actions.count
        self._observations = np.zeros((self.num_envs, *observer.shape), observer.dtype)
        self._final_observations = np.zeros_like(self._observations)
        return self._observations, np.zeros((self.num_envs, count), np.int8)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Restart all games; with a seed, game i starts like a single environment with seed + i."""
        super().reset(seed=None if seed is None else checked_seed(seed))
        if seed is not None or not self._is_reset:
            self.games.seed(self._seeds(seed))
        self._is_reset = True
        observations, masks = self._arrays()
        facts = np.zeros((self.num_envs, FACTS), np.int32)
        self._call(self.games.begin, masks, self._planes(observations), facts)
        return observations, {"action_mask": masks, "turn": facts[:, TURN].copy()}

    def _planes(self, observations: Array) -> Array:
        """The array for planes; a dummy if `_observe` writes the observations."""
        return observations.reshape(-1) if self.native else np.zeros(1, np.int8)

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Take an action in each game: observations, rewards, terminations, truncations and infos.

        An illegal action ends its game with the lowest payoff of the game, or -1, for its player; in a puzzle
        it changes nothing and costs 1. `infos["illegal_action"]` marks them. Raises Usage for values that are
        not actions, and then changes nothing, and before the first `reset`.
        """
        checked = self._check(actions)
        observations, masks = self._arrays()
        rewards = np.zeros((self.num_envs, self.players), np.float64)
        facts = np.zeros((self.num_envs, FACTS), np.int32)
        self._call(
            self.games.step,
            checked,
            masks,
            self._planes(observations),
            self._planes(self._final_observations),
            rewards,
            facts,
        )
        ended = facts[:, ENDED]
        infos = {
            "action_mask": masks,
            "turn": facts[:, TURN].copy(),
            "rewards": rewards,
            "illegal_action": facts[:, ILLEGAL] != 0,
        }
        if ended.any():
            infos |= self._finals(ended != 0)
        own_rewards = rewards[np.arange(self.num_envs), facts[:, MOVER]]
        return observations, own_rewards, ended == OVER, ended == CUT, infos

    def _finals(self, ended: Array) -> dict[str, Any]:
        """The final observations of the games that ended, under Gymnasium's keys."""
        finals = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(ended):
            finals[game] = self._final_observations[game]
        return {"final_obs": finals, "_final_obs": ended}

    def _check(self, actions: Array) -> Array:
        if not self._is_reset:
            raise Usage(f"{self.setting.name}: step() before the first reset()")
        array, count = np.asarray(actions), self.setting.actions.count
        if array.shape != (self.num_envs,) or array.dtype.kind not in "iu":
            words = f"an array {array.shape} of {array.dtype}"
            raise Usage(f"actions are {words}; expected {self.num_envs} whole numbers, one a game")
        invalid = np.flatnonzero((array < 0) | (array >= count))
        if len(invalid):
            description = f"{array[invalid[0]]} is not an action, in game {invalid[0]}"
            raise Usage(f"{self.setting.name}: {description}; expected numbers from 0 to {count - 1}")
        return np.ascontiguousarray(array, np.int64).copy()

    def _call(self, call: Any, *arrays: Array) -> None:
        """Call a method of the batch; for a move without an action raise the Usage of `Actions.legal`."""
        try:
            call(*(array.reshape(-1) for array in arrays))
        except IndexError:
            for game in range(self.num_envs):
                position = self.games.position(game)
                if position.outcome() is None:
                    self.setting.actions.legal(position)
            raise

    def format_action(self, game: int, action: int) -> str:
        """Format a legal action of a game in its notation. Raises Usage for any other."""
        position: AbstractPosition = self.games.position(game)
        legal = self.setting.actions.legal(position)
        if action not in legal:
            raise Usage(f"{self.setting.name}: action {action} is not legal in game {game}")
        return position.format(legal[action])

    def render(self) -> tuple[str, ...] | None:
        """With `render_mode="ansi"` each position as plain text, as its player to move sees it."""
        if self.render_mode != "ansi":
            return None
        return tuple(render_text(self.games.position(game)) for game in range(self.num_envs))
