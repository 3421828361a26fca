"""Battleship: rules, notation, evaluation."""

from gameplay.games.battleship.game import Battleship as Battleship
