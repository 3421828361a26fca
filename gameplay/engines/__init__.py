"""The thinking: every file here is a way to choose a move."""
