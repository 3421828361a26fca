"""Matches and tournaments: plans, openings, workers, results."""
