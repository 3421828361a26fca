"""Commands that search a position and explain the search."""
