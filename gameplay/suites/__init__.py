"""Expectations: tests of engines, puzzles, counts of moves."""
