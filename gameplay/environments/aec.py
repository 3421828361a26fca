"""Games as PettingZoo environments: the players act in turn (Agent Environment Cycle)."""

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from gameplay.environments.episode import RENDER_FPS, RENDER_MODES, Episode, Setting, render_text
from gameplay.errors import Usage

Agent = str


def make_env(setting: Setting, render_mode: str | None) -> Any:
    """The environment with the standard wrappers: an illegal action ends the game with the lowest payoff."""
    env: Any = GameEnv(setting, render_mode)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=setting.illegal_reward)
    return wrappers.OrderEnforcingWrapper(ActionCheck(env))


class ActionCheck(wrappers.BaseWrapper):  # type: ignore[misc]  # as GameEnv
    """Raises Usage for a value that is not an action; other wrappers would fail on the mask."""

    def step(self, action: Any) -> None:
        """Take an action; None for an agent whose game is over."""
        env = self.unwrapped
        if not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
            env.episode.move(action)
        super().step(action)


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types here
    """A game of any number of players. Chance moves are made within `reset` and `step`.

    An agent observes a dict: `observation`, see `observations`, and `action_mask`, which is 0 for all but the
    player to move. Rewards are payoffs, given at the end; a puzzle also pays the cost of each move.
    `infos[agent]["infoset"]` is the information set of the player to move, hashable.
    """

    def __init__(self, setting: Setting, render_mode: str | None) -> None:
        super().__init__()
        self.setting, self.render_mode = setting, render_mode
        self.metadata = {"render_modes": list(RENDER_MODES), "name": setting.name, "is_parallelizable": False}
        self.metadata["render_fps"] = RENDER_FPS
        self.episode = Episode(setting)
        self.possible_agents = [f"player_{player}" for player in range(self.episode.position.players)]
        observer, count = setting.observer, setting.actions.count
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(observer.low, observer.high, observer.shape, observer.dtype),
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}

    def observation_space(self, agent: Agent) -> Any:
        """The observation space; the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Agent) -> Any:
        """The action space; the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. A seed determines chance; without one the random stream continues."""
        self.episode.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._select()

    def _select(self) -> None:
        """Select the player to move."""
        player = max(0, self.episode.position.turn)
        self.agent_selection = self.possible_agents[player]
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection] = self.episode.info(player)

    def step(self, action: Any) -> None:
        """Take an action for the selected agent; None for one whose game is over.

        Raises Usage for an illegal action.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        episode, mover = self.episode, self.agent_selection
        cost = self._cost(action)
        episode.act(action)
        self._cumulative_rewards[mover] = 0.0
        self._clear_rewards()
        self.rewards[mover] = -cost
        if episode.outcome is not None:
            for player, agent in enumerate(self.possible_agents):
                self.rewards[agent] += episode.payoff(player)
            self.terminations = dict.fromkeys(self.agents, True)
        elif episode.cut_off:
            self.truncations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()
        self._deads_step_first()

    def _cost(self, action: Any) -> float:
        move = self.episode.move(action)
        return (
            float(self.episode.position.cost(move))
            if len(self.possible_agents) == 1 and move is not None
            else 0.0
        )

    def observe(self, agent: Agent) -> dict[str, Any]:
        """An agent's observation and action mask. Raises Usage for an unknown agent."""
        if agent not in self.possible_agents:
            raise Usage(f"{agent!r} is not an agent; expected one of: {', '.join(self.possible_agents)}")
        player = self.possible_agents.index(agent)
        mask = self.episode.mask()
        if agent != self.agent_selection or self.terminations.get(agent) or self.truncations.get(agent):
            mask = np.zeros_like(mask)
        return {"observation": self.episode.observation(player), "action_mask": mask}

    def format_action(self, action: int) -> str:
        """Format a legal action in the game's notation. Raises Usage for any other."""
        return self.episode.format_action(action)

    def render(self) -> str | None:
        """With `render_mode="ansi"` the position as plain text, as the player to move sees it."""
        return render_text(self.episode.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: no resources are held."""
