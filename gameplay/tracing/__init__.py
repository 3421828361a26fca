"""A search explained step by step in textbook terms, and its tree."""
