"""A game or a search on a terminal, redrawn in place or line by line."""
