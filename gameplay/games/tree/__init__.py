"""Explicit game trees: files, the ones that are installed, random ones."""

from gameplay.games.tree.game import Tree as Tree
