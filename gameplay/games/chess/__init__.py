"""Chess: rules, notation, evaluation."""

from gameplay.games.chess.game import Chess as Chess
