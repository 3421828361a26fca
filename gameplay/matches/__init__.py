"""Playing: one match, series of them, openings, ratings."""
