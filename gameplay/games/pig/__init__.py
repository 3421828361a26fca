"""Pig: rules, notation, evaluation."""

from gameplay.games.pig.game import Pig as Pig
