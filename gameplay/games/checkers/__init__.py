"""Checkers: rules, notation, evaluation."""

from gameplay.games.checkers.game import Checkers as Checkers
