"""Test suites: tests of engines, puzzles, perft."""
