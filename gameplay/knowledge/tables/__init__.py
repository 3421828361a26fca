"""Endgame tables: building, files, probing."""
