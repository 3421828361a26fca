"""Selective search, and the options of its techniques."""
