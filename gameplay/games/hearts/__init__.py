"""Hearts: rules, and games to a number of points."""

from gameplay.games.hearts.game import Hearts as Hearts
