"""Explains a search step by step in textbook terms, and builds the tree that it visited."""
