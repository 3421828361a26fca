"""Othello: rules, notation, evaluation."""

from gameplay.games.othello.game import Othello as Othello
