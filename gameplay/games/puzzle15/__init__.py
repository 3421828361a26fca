"""Puzzle15: rules, notation, evaluation."""

from gameplay.games.puzzle15.game import Puzzle15 as Puzzle15
