"""Conformance: the laws of the game contract, checked on any game, and the bench signature."""
