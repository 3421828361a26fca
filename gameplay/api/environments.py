"""Games as environments of PettingZoo and Gymnasium; both belong to the extra `environments`."""

from typing import TYPE_CHECKING, Any

from gameplay.api.arguments import check_arguments
from gameplay.api.games import GameLike
from gameplay.api.games import engine as engine_of
from gameplay.api.games import game as game_of
from gameplay.extras import library

if TYPE_CHECKING:
    from gameplay.environments.single import SingleEnv
    from gameplay.environments.vector import GamesEnv

EXTRA = "environments"


@check_arguments
def env(
    game: GameLike,
    *,
    render_mode: str | None = None,
    max_steps: int | None = None,
    actions: int | None = None,
    length: int | None = None,
    **parameters: Any,
) -> Any:
    """A game as a PettingZoo environment, in which the agents `player_0`, `player_1`, ... act in turn.

    `game` is a name, a file or a class, as for `gameplay.game`; `parameters` are those of the game
    (`columns=8`). An agent observes a dict of two arrays: `observation`, of a shape that depends on the game
    and its parameters, and `action_mask`, 1 for each legal action. Rewards are the payoffs at the end.
    Chance moves (dice, deals) are made within `reset(seed)` and `step(action)`. An illegal action ends the
    game with its lowest payoff, or -1, and 0 for the others.

    `render_mode="ansi"`: `render()` returns the position in plain text. `max_steps`: actions after
    which a game is truncated. `actions` and `length`, for user-defined games: the number of actions, and of
    numbers in an observation; by default twice what random games need.

    Raises Usage for an unknown game, parameter or value, and without PettingZoo.
    """
    library("pettingzoo", "gameplay.env", EXTRA)
    from gameplay.environments.aec import make_env
    from gameplay.environments.episode import make_setting

    return make_env(
        make_setting(game_of(game), parameters, max_steps, actions, length, render_mode), render_mode
    )


@check_arguments
def gym(
    game: GameLike,
    *,
    opponent: Any = None,
    seat: int = 0,
    render_mode: str | None = None,
    max_steps: int | None = None,
    actions: int | None = None,
    length: int | None = None,
    **parameters: Any,
) -> "SingleEnv":
    """A puzzle, or a game against engines, as a Gymnasium environment.

    `opponent` plays all seats but `seat`, counted from 0: an engine as `gameplay.engine` takes it, such as
    "random" or "mcts:sims=100". An observation is an array; `info["action_mask"]` is 1 for each legal
    action. A reward is the payoff at the end, in a puzzle less the cost of each move. An illegal action loses
    the game with its lowest payoff, or -1; in a puzzle it changes nothing and costs 1. Other arguments are
    those of `gameplay.env`.

    Raises Usage for an unknown game, parameter, engine or value, for a game of several players without an
    opponent, and without Gymnasium.
    """
    library("gymnasium", "gameplay.gym", EXTRA)
    from gameplay.environments.episode import make_setting
    from gameplay.environments.single import SingleEnv

    fixed = make_setting(game_of(game), parameters, max_steps, actions, length, render_mode)
    return SingleEnv(fixed, None if opponent is None else engine_of(opponent), seat, render_mode)


@check_arguments
def vector_env(
    game: GameLike,
    num_envs: int,
    *,
    render_mode: str | None = None,
    max_steps: int | None = None,
    actions: int | None = None,
    length: int | None = None,
    **parameters: Any,
) -> "GamesEnv":
    """`num_envs` games as a Gymnasium vector environment, for learning from games against itself.

    `step(actions)` takes one action for the player to move of each game, and restarts games that end. It
    returns the observations of the players to move next, the reward of each player who just moved, and infos:
    `action_mask`, `turn`, `rewards` of all players, and `final_obs` of games that ended. Compiled games are
    stepped without Python. Other arguments, illegal actions and errors are as in `gameplay.env`.

    Raises Usage also for fewer than one game.
    """
    library("gymnasium", "gameplay.vector_env", EXTRA)
    from gameplay.environments.episode import make_setting
    from gameplay.environments.vector import GamesEnv

    fixed = make_setting(game_of(game), parameters, max_steps, actions, length, render_mode)
    return GamesEnv(fixed, num_envs, render_mode)
