"""Stored games: records of finished and unfinished games, runs, and settings."""
