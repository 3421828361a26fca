"""Backgammon: rules, notation, evaluation."""

from gameplay.games.backgammon.game import Backgammon as Backgammon
