"""Many games: plans, openings, workers, what they came to."""
