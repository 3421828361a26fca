"""Monopoly: rules, notation, evaluation."""

from gameplay.games.monopoly.game import Monopoly as Monopoly
