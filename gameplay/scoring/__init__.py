"""Matches of several games: their rules, and the score as it is kept."""
