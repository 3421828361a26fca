"""Translates match options of other programs into plans."""
