"""Games as Gymnasium environments: one player acts; engines play the others."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from gameplay.environments.episode import (
    RENDER_FPS,
    RENDER_MODES,
    Episode,
    Setting,
    checked_seed,
    render_text,
)
from gameplay.environments.observations import Array
from gameplay.errors import Usage
from gameplay.search.engine import Engine


class SingleEnv(gymnasium.Env[Array, Any]):
    """A puzzle, or a game in which the agent has the seat `seat` and `opponent` plays all others.

    Observations are arrays, see `observations`. `info["action_mask"]` is 1 for each legal action;
    `info["infoset"]` is the player's information set, hashable. The reward is the payoff at the end, in a
    puzzle minus the cost of each move. An illegal action loses the game with the lowest payoff; in a puzzle
    it changes nothing and costs 1.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}

    def __init__(self, setting: Setting, opponent: Engine | None, seat: int, render_mode: str | None) -> None:
        """Raises Usage for an impossible seat, and for a missing or unsuitable opponent."""
        self.setting, self.opponent, self.seat = setting, opponent, seat
        self.render_mode = render_mode
        self.episode = Episode(setting)
        self._check()
        observer = self.setting.observer
        self.observation_space = spaces.Box(observer.low, observer.high, observer.shape, observer.dtype)
        self.action_space = spaces.Discrete(self.setting.actions.count)
        self.forfeited = False

    def _check(self) -> None:
        position, name = self.episode.position, self.setting.name
        players = position.players
        if players == 1 and (self.opponent is not None or self.seat):
            raise Usage(f"{name} is for one player; expected no opponent and no seat")
        if not isinstance(self.seat, int) or not 0 <= self.seat < players:
            raise Usage(f"seat is {self.seat!r}; {name} has the seats 0 to {players - 1}")
        if players > 1 and self.opponent is None:
            raise Usage(
                f"{name} is for {players} players, and a Gymnasium environment for one: name an opponent, "
                'such as opponent="random" or opponent="mcts:sims=100", or take gameplay.env'
            )
        if self.opponent is not None:
            self.opponent.check(position)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin a new game and play it to the agent's first decision.

        A game that ends before that is replaced by another. A seed determines chance and the engines.
        """
        super().reset(seed=None if seed is None else checked_seed(seed))
        self.forfeited = False
        self.episode.begin(seed)
        self._play_opponents()
        while self.episode.outcome is not None:
            self.episode.begin(None)
            self._play_opponents()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Take an action and play the game to the agent's next decision.

        Raises Usage for a value that is not an action, and after the end of the game.
        """
        episode, puzzle = self.episode, self.opponent is None
        if self.forfeited or not episode.legal or episode.cut_off:
            raise Usage(f"{self.setting.name}: the episode is over; call reset()")
        move = episode.move(action)
        reward = -float(episode.position.cost(move)) if puzzle and move is not None else 0.0
        if move is None and puzzle:
            reward = -1.0
            episode.steps += 1
        elif move is None:
            self.forfeited = True
            reward = self.setting.illegal_reward
        else:
            episode.act(action)
            self._play_opponents()
        if episode.outcome is not None:
            reward += episode.payoff(self.seat)
        terminated = self.forfeited or episode.outcome is not None
        info = self._info() | ({"illegal_action": int(action)} if move is None else {})
        return self._observation(), reward, terminated, episode.cut_off and not terminated, info

    def _play_opponents(self) -> None:
        """Let the opponents move until it is the agent's turn."""
        episode = self.episode
        while episode.outcome is None and episode.position.turn != self.seat:
            assert self.opponent is not None
            position = episode.position
            seed = episode.rng.bits() >> 2
            if position.hidden:
                from random import Random

                position = position.determinize(position.turn, Random(seed))
            engine = self.opponent
            if engine.draws and "seed" in engine.options():
                engine = engine.with_seed(seed)
                engine.own_limit = self.opponent.own_limit
            move = engine.search(position).move
            assert move is not None
            episode.make(move)

    def _observation(self) -> Array:
        return self.episode.observation(self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8)} | self.episode.info(self.seat)

    def action_masks(self) -> Array:
        """True for each legal action; the method name that algorithms with action masking expect."""
        mask: Array = self.episode.mask().astype(bool)
        return mask & (not self.forfeited)

    def format_action(self, action: int) -> str:
        """Format a legal action in the game's notation. Raises Usage for any other."""
        return self.episode.format_action(action)

    def render(self) -> str | None:
        """With `render_mode="ansi"` the position as plain text, as the player to move sees it."""
        return render_text(self.episode.position) if self.render_mode == "ansi" else None
