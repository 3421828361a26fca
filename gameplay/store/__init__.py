"""Keeping: records of games, and the games that are still open."""
