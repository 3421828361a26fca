"""Games as environments for reinforcement learning: PettingZoo, Gymnasium, and many games stepped at once.

Importing this package registers an id for each game, such as `gameplay/puzzle15-v0`, for `gymnasium.make`, if
Gymnasium is installed. It belongs to the extra `environments`, as do NumPy and PettingZoo.
"""

import importlib.util

from gameplay import catalogue

if importlib.util.find_spec("gymnasium") is not None:
    import gymnasium

    for _name in catalogue.games():
        if _name != "tree" and f"gameplay/{_name}-v0" not in gymnasium.registry:
            gymnasium.register(
                f"gameplay/{_name}-v0", "gameplay.api.environments:gym", kwargs={"game": _name}
            )
