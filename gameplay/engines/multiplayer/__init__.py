"""Search for any number of players: max^n, paranoid and best-reply search."""
