"""Runs of `gameplay learn` as text, a file for each method."""
