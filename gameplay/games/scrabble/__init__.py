"""Scrabble: rules, notation, evaluation."""

from gameplay.games.scrabble.game import Scrabble as Scrabble
