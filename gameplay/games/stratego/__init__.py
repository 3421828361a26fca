"""Stratego: rules, set-ups, and a search of positions with all ranks known."""

from gameplay.games.stratego.game import Stratego as Stratego
