"""The rules: every file here is a game."""
