"""Expectiminimax, with Star1 and Star2."""
