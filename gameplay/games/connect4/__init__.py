"""Connect4: rules, notation, evaluation."""

from gameplay.games.connect4.game import Connect4 as Connect4
