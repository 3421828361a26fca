"""Regression suites, assignments, measurements, solving and perft."""
