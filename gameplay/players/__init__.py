"""Players: a human, an engine, a script."""
