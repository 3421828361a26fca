"""Holdem: rules, notation, evaluation."""

from gameplay.games.holdem.game import Holdem as Holdem
