"""Evaluations by signature tables: what they say of a position, and their files."""
