"""The terms of linear evaluations: all of a position counted in one pass."""
