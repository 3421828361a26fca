"""Who moves: a human, an engine, a script."""
