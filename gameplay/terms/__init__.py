"""Readers of the terms of linear evaluations."""
