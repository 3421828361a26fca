"""Evaluations by signature tables (Samuel 1967), and their files."""
