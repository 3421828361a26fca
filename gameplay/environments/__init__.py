"""Games as environments for reinforcement learning: PettingZoo, Gymnasium, and many games stepped at once.

Importing this package registers an id for each game, `gameplay/puzzle15-v0`, for `gymnasium.make`. Raises
Usage without Gymnasium, which belongs to the extra `environments`.
"""

from gameplay import catalogue
from gameplay.extras import library

_gymnasium = library("gymnasium", "gameplay.environments", "environments")

for _name in catalogue.games():
    if _name != "tree" and f"gameplay/{_name}-v0" not in _gymnasium.registry:
        _gymnasium.register(f"gameplay/{_name}-v0", "gameplay.api.environments:gym", kwargs={"game": _name})
