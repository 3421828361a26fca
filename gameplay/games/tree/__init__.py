"""Explicit game trees: from files, installed, and random."""

from gameplay.games.tree.game import Tree as Tree
