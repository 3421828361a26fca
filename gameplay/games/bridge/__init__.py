"""Bridge: rules, notation, evaluation."""

from gameplay.games.bridge.game import Bridge as Bridge
