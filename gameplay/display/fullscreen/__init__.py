"""The full-screen view of a game."""
