"""Engines: every file here defines one or more of them."""
