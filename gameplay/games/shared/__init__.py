"""Shared by several games: cards, tricks, poker hands, rows, symmetry."""
