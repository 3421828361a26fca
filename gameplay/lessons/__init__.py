"""Lectures of the literature, reproduced with the program's own searches: one lesson per file."""
