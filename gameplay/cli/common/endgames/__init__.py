"""Endgame training at the terminal: the session, what it needs, and the progress."""
